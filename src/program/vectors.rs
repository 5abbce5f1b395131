//! `opd vectors`: golden vectors, fresh problems for a pipe, the answers to a caller's, and the check of another implementation's results.

use crate::conformance::cases::{Wish, fresh_like, largest, making};
use crate::conformance::{
    Case, Compared, Difference, Divergence, Expectation, FIELDS, Precision, Quantity, Report, Tolerance, Undecided,
    cases, check, files, json, read,
};
use crate::data::{InputError, did_you_mean, read_text, shown};
use crate::number::ulps;
use crate::paper::Setting;
use crate::paper::covariance::Exponent;
use crate::program::Verdict;
use crate::program::args::{CheckArgs, GenArgs, SolveArgs, VectorsCommand, WishArgs};
use crate::program::budget::{Need, within};
use crate::program::show::Show;
use serde_json::{Value, json as value};
use std::collections::HashSet;
use std::path::Path;

pub fn vectors(command: &VectorsCommand, show: &Show) -> Result<Verdict, InputError> {
    match command {
        VectorsCommand::Gen(args) => generate(args, show),
        VectorsCommand::Solve(args) => solve(args, show),
        VectorsCommand::Check(args) => verify(args, show),
    }
}

fn wish(args: &WishArgs) -> Wish {
    let half = args.c.map(|c| c == Exponent::Half);
    Wish { setting: args.setting, half, zero_start: args.start.is_some(), ..Wish::default() }
}

fn generate(args: &GenArgs, show: &Show) -> Result<Verdict, InputError> {
    if let Some(directory) = &args.out {
        files::write(directory)?;
        return Ok(Verdict::Good);
    }
    let wish = Wish {
        states: args.states,
        actions: args.actions,
        dim: args.dim,
        inner: args.inner,
        outer: args.outer,
        ..wish(&args.wish)
    };
    let print = |case: &Case| show.raw(&if args.text { json::prompt_text(case) } else { json::prompt(case) + "\n" });
    let Some(seed) = args.seed else {
        let fixed: Vec<Case> =
            Setting::ALL.into_iter().flat_map(cases::fixed).filter(|case| wish.admits(case)).collect();
        if fixed.is_empty() {
            return Err(InputError::call("vectors gen", no_fixed_case(&wish)));
        }
        fixed.iter().try_for_each(print)?;
        return Ok(Verdict::Good);
    };
    within(args.budget, "these problems", &printing(&wish, args.count))?;
    for case in fresh_like(seed, args.count, wish).map_err(|e| InputError::call("vectors gen", e))? {
        print(&case)?;
        if show.is_closed() {
            break;
        }
    }
    Ok(Verdict::Good)
}

/// What printing fresh problems needs: a number takes up to 45 characters, with its bits, and one problem is held as text, in parts and whole.
pub fn printing(wish: &Wish, count: usize) -> [Need; 3] {
    let count = count as f64;
    let (printed, held) = (45.0 * largest(wish) * count, if count > 0.0 { 120.0 * largest(wish) } else { 0.0 });
    [Need::bytes(printed), Need::bytes(held), Need::operations(making(wish) * count)]
}

/// The fixed cases are a few of a few sizes.
fn no_fixed_case(wish: &Wish) -> String {
    let sizes = [("|X|", wish.states), ("|A|", wish.actions), ("d", wish.dim), ("K", wish.inner), ("T", wish.outer)];
    let mut asked: Vec<String> = sizes.iter().filter_map(|(name, n)| Some(format!("{name} = {}", (*n)?))).collect();
    asked.extend(wish.setting.map(|setting| setting.name().to_owned()));
    asked.extend(wish.half.map(|half| format!("c = {}", if half { "1/2" } else { "1" })));
    asked.extend(wish.zero_start.then(|| "start at 0".to_owned()));
    format!("no fixed case has {}; --seed N makes fresh ones", asked.join(", "))
}

/// What making the cases of results again needs: a short result may name a large case.
pub fn remaking(results: &[read::Found], problems: &[Case]) -> [Need; 2] {
    let own: HashSet<&str> = problems.iter().map(|case| case.id.as_str()).collect();
    let named =
        results.iter().map(|found| found.id.as_str()).filter(|id| !own.contains(id)).filter_map(cases::wish_of_id);
    let (mut bytes, mut operations) = (0.0, 0.0);
    for wish in named {
        // A size beyond every case's is refused by name, and made of nothing.
        if largest(&wish) < cases::LARGEST {
            bytes += 40.0 * largest(&wish);
            operations += making(&wish);
        }
    }
    [Need::bytes(bytes), Need::operations(operations)]
}

/// Standard input, for `-` and for nothing.
fn text_of(file: Option<&Path>) -> Result<(String, &Path), InputError> {
    if let Some(file) = file.filter(|file| *file != Path::new("-")) {
        return Ok((read_text(file)?, file));
    }
    let file = Path::new("standard input");
    Ok((crate::data::text_of(file, std::io::stdin().lock())?, file))
}

fn solve(args: &SolveArgs, show: &Show) -> Result<Verdict, InputError> {
    let (text, file) = text_of(args.file.as_deref())?;
    let problems = read::problems(file, &text)?;
    if problems.is_empty() {
        return Err(InputError::file(file, "found nothing, expected one line per problem"));
    }
    for case in problems {
        let needs = [Need::operations(case.cost()), Need::bytes(200.0 * case.room())];
        within(args.budget, &format!("case {}", case.id), &needs)?;
        let id = case.id.clone();
        let expectation = Expectation::new(case).map_err(|e| InputError::call(format_args!("case {id}"), e))?;
        show.raw(&(json::solved(&expectation) + "\n"))?;
        if show.is_closed() {
            break;
        }
    }
    Ok(Verdict::Good)
}

fn verify(args: &CheckArgs, show: &Show) -> Result<Verdict, InputError> {
    let results = if let Some(directory) = &args.directory {
        files::read(directory)?
    } else {
        let (text, file) = text_of(None)?;
        read::results_lines(file, &text)?
    };
    if results.is_empty() {
        return Err(InputError::call("standard input", "found nothing, expected one line of results per case"));
    }
    let problems = match &args.problems {
        None => Vec::new(),
        Some(file) => {
            let (text, file) = text_of(Some(file))?;
            read::problems(file, &text)?
        }
    };
    within(args.budget, "making these cases again", &remaking(&results, &problems))?;
    let paired = files::with_cases(&results, &problems, &wish(&args.wish), args.partial)?;
    if args.own_draws {
        files::expect_draws(&results, &paired)?;
    }
    let cost: f64 = paired.iter().map(|(case, _)| case.cost()).sum();
    // The walk goes from case to case; what the results have is in memory already.
    let room = paired.iter().map(|(case, _)| case.room()).fold(0.0, f64::max);
    within(args.budget, "this check", &[Need::operations(cost), Need::bytes(200.0 * room)])?;
    let report = check(&paired, &tolerance(args)?).map_err(|e| InputError::call("vectors", e))?;
    if show.json {
        show.value(&report_json(&report))?;
    } else {
        show.text(&format!("{}: {report}\n", verdict(&report, show)))?;
    }
    Ok(if report.passed() { Verdict::Good } else { Verdict::Bad })
}

/// Where no case was decided nothing was found, either way.
fn verdict(report: &Report, show: &Show) -> String {
    match report.tally() {
        _ if !report.passed() => show.red("FAIL"),
        [0, undecided] if undecided > 0 => "undecided".to_owned(),
        _ => show.green("pass"),
    }
}

fn tolerance(args: &CheckArgs) -> Result<Tolerance, InputError> {
    let named = Precision::ALL.iter().find(|(_, name)| *name == args.precision);
    let (precision, _) = named.ok_or_else(|| {
        InputError::call(
            "--precision",
            format_args!("found {}, expected f64, f32, tf32 or bf16", shown(&args.precision)),
        )
    })?;
    let mut tolerance =
        Tolerance { factor: args.factor, precision: *precision, own_draws: args.own_draws, fields: Vec::new() };
    for (name, bound) in &args.tolerance {
        let Some(field) = Quantity::by_name(name) else {
            let known: Vec<&str> = FIELDS.iter().map(|(_, name)| *name).collect();
            let (list, hint) = (known.join(", "), did_you_mean(name, &known));
            let problem = format!("found {}, expected one of {list}{hint}", shown(name));
            return Err(InputError::call("--tolerance", problem));
        };
        tolerance.fields.push((field, *bound));
    }
    Ok(tolerance)
}

pub fn report_json(report: &Report) -> Value {
    let divergences: Vec<Value> = report.divergences.iter().map(divergence_json).collect();
    let undecided: Vec<Value> = report.undecided.iter().map(undecided_json).collect();
    let likely: Vec<Value> = report.settings.iter().flat_map(likely_json).collect();
    let settings: Vec<Value> = report.settings.iter().map(compared_json).collect();
    let draws = report.draws.as_ref().map(|draws| {
        value!({ "pass": draws.passed(), "count": draws.count, "deviation": draws.deviation, "allowed": draws.allowed })
    });
    value!({
        "pass": report.passed(), "cases": report.cases, "identical": report.identical, "diverging": report.diverging(),
        "divergences": divergences, "rounding": report.rounding, "likely": likely, "undecided": undecided, "settings": settings,
        "draws": draws,
    })
}

fn undecided_json(Undecided { case, t, k, why }: &Undecided) -> Value {
    value!({ "case": case, "t": t, "k": k, "why": why.what() })
}

fn likely_json(compared: &Compared) -> Vec<Value> {
    let setting = compared.setting.name();
    let bug =
        |bug: &crate::conformance::Bug| value!({ "setting": setting, "mutation": bug.name(), "what": bug.what() });
    compared.likely.iter().map(bug).collect()
}

fn compared_json(compared: &Compared) -> Value {
    value!({
        "setting": compared.setting.name(), "cases": compared.cases, "not_cases": compared.not_cases,
        "fields": compared.fields, "not_fields": compared.not_fields, "agreeing": compared.agreeing, "never": compared.never,
    })
}

fn divergence_json(divergence: &Divergence) -> Value {
    let Divergence { case, t, k, field, difference, .. } = divergence;
    let mut object = value!({ "case": case, "t": t, "k": k, "field": field.name() });
    match difference {
        Difference::Number { component, expected, found, tolerance } => {
            object["component"] = value!(component);
            object["expected"] = value!(expected);
            object["found"] = value!(found);
            // Actions and what is no number are so and so many ulps from nothing.
            if *field != Quantity::ActionNext && (found - expected).is_finite() {
                object["ulps"] = value!(ulps(*expected, *found));
            }
            object["tolerance"] = value!(tolerance);
        }
        _ => object["problem"] = value!(divergence.to_string()),
    }
    object
}
