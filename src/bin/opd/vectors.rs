//! `opd vectors`: golden vectors, fresh problems for a pipe, and the check of another implementation's results.

use crate::Verdict;
use crate::args::{CheckArgs, GenArgs, VectorsCommand};
use crate::show::Show;
use offline_primal_dual::conformance::{
    Case, Divergence, Field, Report, Setting, Tolerance, cases, check, files, json,
};
use offline_primal_dual::conformance::{Difference, ulps};
use offline_primal_dual::data::{InputError, did_you_mean, shown};
use serde_json::{Value, json as value};
use std::io::Read as _;
use std::path::Path;

pub fn vectors(command: &VectorsCommand, show: &Show) -> Result<Verdict, InputError> {
    match command {
        VectorsCommand::Gen(args) => generate(args, show),
        VectorsCommand::Check(args) => verify(args, show),
    }
}

fn generate(args: &GenArgs, show: &Show) -> Result<Verdict, InputError> {
    if let Some(directory) = &args.out {
        files::write(directory)?;
        return Ok(Verdict::Good);
    }
    let problems: Vec<Case> = match args.seed {
        Some(seed) => cases::random(seed, args.count),
        None => Setting::ALL.into_iter().flat_map(cases::fixed).collect(),
    };
    for case in &problems {
        show.text(&if args.text { json::prompt_text(case) } else { json::prompt(case) + "\n" })?;
    }
    Ok(Verdict::Good)
}

fn verify(args: &CheckArgs, show: &Show) -> Result<Verdict, InputError> {
    let results = if let Some(directory) = &args.directory {
        files::read(directory)?
    } else {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|e| InputError::call("standard input", format_args!("cannot read: {e}")))?;
        files::read_lines(Path::new("standard input"), &text)?
    };
    if results.is_empty() {
        return Err(InputError::call("standard input", "found nothing, expected one line of results per case"));
    }
    let paired = files::with_cases(&results, args.partial).map_err(|e| InputError::call("results", e))?;
    let report = check(&paired, &tolerance(args)?).map_err(|e| InputError::call("vectors", e))?;
    if show.json {
        show.value(&report_json(&report))?;
    } else if report.passed() {
        show.text(&format!("{}: {report}\n", show.green("pass")))?;
    } else {
        show.text(&format!("{}: {report}\n", show.red("FAIL")))?;
    }
    Ok(if report.passed() { Verdict::Good } else { Verdict::Bad })
}

fn tolerance(args: &CheckArgs) -> Result<Tolerance, InputError> {
    let mut tolerance = Tolerance { factor: args.factor, fields: Vec::new() };
    for (name, bound) in &args.tolerance {
        let Some(field) = Field::by_name(name) else {
            let known: Vec<&str> = offline_primal_dual::conformance::FIELDS.iter().map(|(_, name)| *name).collect();
            let (list, hint) = (known.join(", "), did_you_mean(name, &known));
            let problem = format!("found {}, expected one of {list}{hint}", shown(name));
            return Err(InputError::call("--tolerance", problem));
        };
        tolerance.fields.push((field, *bound));
    }
    Ok(tolerance)
}

fn report_json(report: &Report) -> Value {
    let likely: Vec<Value> = report.likely.iter().map(|m| value!({ "mutation": m.name(), "what": m.what() })).collect();
    let divergences: Vec<Value> = report.divergences.iter().map(divergence_json).collect();
    value!({
        "pass": report.passed(), "cases": report.cases, "identical": report.identical,
        "divergences": divergences, "rounding": report.rounding, "likely": likely,
    })
}

fn divergence_json(divergence: &Divergence) -> Value {
    let Divergence { case, t, k, field, difference } = divergence;
    let mut object = value!({ "case": case, "t": t, "k": k, "field": field.name() });
    match difference {
        Difference::Number { component, expected, found, tolerance } => {
            object["component"] = value!(component);
            object["expected"] = value!(expected);
            object["found"] = value!(found);
            object["ulps"] = value!(ulps(*expected, *found));
            object["tolerance"] = value!(tolerance);
        }
        _ => object["problem"] = value!(divergence.to_string()),
    }
    object
}
