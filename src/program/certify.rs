//! `opd certify`: a run, and what it was worth: in exact arithmetic where that fits the budget, else in rigorous intervals.

use crate::data::{Certificate, InputError, OutputFile, Problem, Rows, expect_apart};
use crate::number::exact::BigRational;
use crate::program::Verdict;
use crate::program::agreement::Agreement;
use crate::program::args::CertifyArgs;
use crate::program::budget::{Need, within};
use crate::program::certificate::{certificate, decomposition};
use crate::program::checkable::checkable;
use crate::program::cost;
use crate::program::enclose::enclose;
use crate::program::engine::{Outcome, execute};
use crate::program::html;
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::recorder::Recorder;
use crate::program::report::values;
use crate::program::rows::{RowSource, look_ahead};
use crate::program::show::{Show, columns, eye};
use crate::program::source::Origin;

pub fn certify(args: &CertifyArgs, show: &Show) -> Result<Verdict, InputError> {
    let inputs = [("--mdp", args.source.mdp.as_deref()), ("--data", args.plan.data.as_deref())];
    let outputs = [&args.out, &args.certificate, &args.html].map(|path| path.as_deref());
    expect_apart(&inputs, &[("--out", outputs[0]), ("--certificate", outputs[1]), ("--html", outputs[2])])?;
    let origin = Origin::of_data(&args.source, args.plan.data.is_some())?;
    let problem = origin.problem::<f64>()?;
    problem.behavior("a certificate")?;
    let mut plan = args.plan.clone();
    look_ahead(&mut plan, &problem)?;
    // What is done in doubles is done whether or not the rest is to be exact.
    plan.budget = plan.budget.max(1.0);
    let (job, model) = Job::new(&plan, &problem)?;
    let Some(model) = model else {
        return Err(InputError::call(&problem.name, "no model, expected one for a certificate"));
    };
    let refused = exact_fits(&model, job.rates.outer, args.plan.budget).err();
    let exact = match &refused {
        None => Some(origin.problem::<BigRational>()?),
        Some(why) if outputs[1].is_some() || outputs[2].is_some() => {
            return Err(InputError::call("--certificate, --html", format_args!("need an exact certificate; {why}")));
        }
        Some(_) => {
            enclosures_fit(&model, job.rates.outer, args.plan.budget)?;
            None
        }
    };
    let rows = RowSource::of(&args.plan, &problem, Some(&model))?;
    let mut agreement = Agreement::with(&problem, Some(&model)).filter(|_| args.plan.data.is_some());
    let mut recorder = Recorder::new(&job);
    recorder.model = Some(model);
    recorder.evaluate = args.html.is_some();
    recorder.counts = if args.html.is_some() { vec![0.0; job.shape.pairs()] } else { Vec::new() };
    recorder.keep = true;
    let bar = show.progress(job.rates.samples().unwrap_or(0));
    let watched = |source: &str, rows: &mut dyn Rows| execute(&job, source, rows, &mut recorder, &bar);
    let (outcome, notes) = rows.open(&job, agreement.as_mut(), watched)?;
    recorder.tell(notes, agreement.as_ref());
    match (&exact, &refused, &recorder.model) {
        (Some(exact), _, _) => certify_exactly(args, &job, exact, &outcome, &mut recorder, show),
        (None, Some(why), Some(model)) => {
            let enclosed = enclose(model, problem.behavior("a certificate")?, &recorder.kept, why)?;
            let json = enclosed.json();
            if let Some(file) = &args.out {
                OutputFile::write_all_to(file, format!("{json}\n").as_bytes())?;
            }
            if show.json {
                show.raw(&format!("{json}\n"))?;
            } else {
                show.text(&(against(&recorder, show) + &enclosed.table(show)))?;
            }
            Ok(Verdict::Good)
        }
        _ => Err(InputError::call(&problem.name, "no model, expected one for a certificate")),
    }
}

/// Whether an exact certificate is within the budget; else which budget would admit it.
pub fn exact_fits(model: &SolvedModel<'_, f64>, outer: usize, budget: f64) -> Result<(), InputError> {
    let structure = &model.structure;
    let operations = cost::solving(structure, true) + cost::certifying(structure, outer);
    let kept = 100.0 * outer as f64 * (structure.shape().pairs() + 2 * structure.shape().dim) as f64;
    let needs = [Need::operations(operations), Need::bytes(cost::room(structure, true) + kept)];
    within(budget, "an exact certificate", &needs)
}

/// Whether enclosures are within the budget; one below 1, which asks for them, does not forbid them.
pub fn enclosures_fit(model: &SolvedModel<'_, f64>, outer: usize, budget: f64) -> Result<(), InputError> {
    let structure = &model.structure;
    let kept = 8.0 * outer as f64 * (structure.shape().pairs() + 2 * structure.shape().dim) as f64;
    let bytes = kept + cost::widening(structure);
    let needs = [Need::operations(cost::enclosing(structure, outer)), Need::bytes(bytes)];
    within(budget.max(1.0), "a certificate in intervals", &needs)
}

fn certify_exactly(
    args: &CertifyArgs,
    job: &Job,
    exact: &Problem<BigRational>,
    outcome: &Outcome,
    recorder: &mut Recorder<'_, '_>,
    show: &Show,
) -> Result<Verdict, InputError> {
    let Some(power) = &job.power else {
        return Err(InputError::call(&exact.name, "no model, expected one for a certificate"));
    };
    let certificate = certificate(job.setting, exact, power, &recorder.kept, args.plan.budget)?;
    let json = serde_json::to_string(&certificate).map_err(|e| InputError::call("certificate", e))?;
    let mut files = Vec::new();
    if let Some(file) = &args.out {
        files.push(OutputFile::holding(file, format!("{json}\n").as_bytes())?);
    }
    if let Some(file) = &args.certificate {
        let text = checkable(job.setting, exact, &recorder.kept, args.plan.budget)?;
        files.push(OutputFile::holding(file, text.as_bytes())?);
    }
    if let Some(file) = &args.html {
        let parts = decomposition(job.setting, exact, power, &recorder.kept)?;
        let values = values(job, recorder, outcome)?;
        let page = html::certificate_page(exact, job, &certificate, &parts, values.as_ref(), recorder);
        files.push(OutputFile::holding(file, page.as_bytes())?);
    }
    OutputFile::finish_all(files)?;
    if show.json {
        show.raw(&format!("{json}\n"))?;
    } else {
        show.text(&(against(recorder, show) + &table(&certificate, show)))?;
    }
    Ok(if certificate.equal { Verdict::Good } else { Verdict::Bad })
}

/// What of the data the model forbids: the identity holds all the same, of another model's rows.
fn against(recorder: &Recorder<'_, '_>, show: &Show) -> String {
    let name = show.red("data against the model");
    recorder.contradictions.iter().map(|found| format!("{name}  {found}\n")).collect()
}

fn table(certificate: &Certificate, show: &Show) -> String {
    // Whole where it fits beside its name.
    let room = show.width().saturating_sub("suboptimality  ".len());
    let fraction = |x: &BigRational| {
        let whole = x.to_string();
        if whole.len() <= room { whole } else { eye(x) }
    };
    let mut rows = vec![
        vec![show.bold("duality gap"), fraction(&certificate.gap)],
        vec![show.bold("suboptimality"), fraction(&certificate.suboptimality)],
        vec![show.bold("θ-regret"), fraction(&certificate.regret_theta)],
        vec![show.bold("β-regret"), fraction(&certificate.regret_beta)],
        vec![show.bold("π-regret"), fraction(&certificate.regret_pi)],
    ];
    if let Some(rho) = &certificate.regret_rho {
        rows.push(vec![show.bold("ρ-regret"), fraction(rho)]);
    }
    let verdict = if certificate.equal {
        show.green("equal: gap = suboptimality = sum of the regrets, exactly")
    } else {
        show.red("NOT equal")
    };
    format!("{}{verdict}\n", columns(&rows))
}
