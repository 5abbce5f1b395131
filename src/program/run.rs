//! `opd run`: an algorithm on a data file of any size.

use crate::data::{InputError, OutputFile, PolicyFile, PolicyTable, Problem, Setting, expect_apart};
use crate::number::exact::BigRational;
use crate::paper::covariance::Exponent;
use crate::program::Verdict;
use crate::program::agreement::Agreement;
use crate::program::args::RunArgs;
use crate::program::bands::Seeds;
use crate::program::budget::{Need, within};
use crate::program::certificate::decomposition;
use crate::program::checkpoint;
use crate::program::cost;
use crate::program::engine::execute;
use crate::program::html;
use crate::program::job::{Engine, Job};
use crate::program::model::SolvedModel;
use crate::program::promise::Promise;
use crate::program::recorder::{Recorder, Trace};
use crate::program::report::{Report, UNITS, what_is_a_return};
use crate::program::rows::{RowSource, look_ahead};
use crate::program::seeds;
use crate::program::show::{Show, columns, complain};
use crate::program::source::{self, Origin};
use std::path::Path;
use std::time::Instant;

/// Evaluating every π_t takes T solves; beyond this many operations only the last policy and π_J are evaluated.
const EVALUATION: f64 = 4e9;

/// A report draws the exact decomposition up to this T·(|X||A|)²; `certify` does it for any run.
const DECOMPOSITION: usize = 20_000;

/// A policy file holds the mixture up to so many numbers, and tables up to so many pairs.
const MIXTURE: usize = 10_000_000;
const TABLE: usize = 1_000_000;

pub fn run(args: &RunArgs, show: &Show) -> Result<Verdict, InputError> {
    let start = Instant::now();
    files_apart(args)?;
    let origin = Origin::of_data(&args.source, args.plan.data.is_some())?;
    let problem = origin.problem::<f64>()?;
    let mut plan = args.plan.clone();
    look_ahead(&mut plan, &problem)?;
    let (job, model) = Job::new(&plan, &problem)?;
    let resume = args.resume.as_deref().map(|file| checkpoint::read(file, &job)).transpose()?;
    let mut job = Job { engine: engine(args), resume, ..job };
    let rows = RowSource::of(&args.plan, &problem, model.as_ref())?;
    let mut agreement = Agreement::with(&problem, model.as_ref()).filter(|_| args.plan.data.is_some());
    let mut recorder = watch(args, &job, model)?;
    let exact = exactly(args, &job, &origin)?;
    recorder.keep = exact.is_some();
    if let Some(count) = args.seeds {
        within(plan.budget, "a band of so many seeds", &[Need::bytes(150.0 * count as f64)])?;
        recorder.wanted = seeds::indices(&plan, &job, count)?.into_iter().map(|index| (index, f64::NAN)).collect();
    }
    let mut drawn = false;
    let bar = show.progress(job.rates.samples().unwrap_or(0));
    let (outcome, notes) = rows.open(&job, agreement.as_mut(), |source, rows| {
        let outcome = execute(&job, source, rows, &mut recorder, &bar);
        drawn = rows.drawn();
        outcome
    })?;
    recorder.tell(notes, agreement.as_ref());
    if let Some(found) = &outcome.disagreement {
        complain(&format!("the fast engine is not the box: {found}"));
        return Ok(Verdict::Bad);
    }
    let mut files: Vec<OutputFile> = recorder.trace.take().map(|trace| trace.file).into_iter().collect();
    let mut report = Report::new(&job, &outcome, &mut recorder)?;
    report.in_units(args.plan.reading.range());
    report.say_elapsed(start.elapsed());
    let page = args.html.as_ref().map(|file| (file, page(&problem.name, &job, &report, exact.as_ref(), &mut recorder)));
    if let Some(file) = &args.policy_out {
        files.push(policy_file(file, &problem.name, &job, &report, &mut recorder)?);
    }
    if args.seeds.is_some() {
        let (returns, evaluate) = (std::mem::take(&mut recorder.wanted), recorder.evaluate);
        let model = (recorder.model.take(), evaluate);
        job.engine = job.engine.on_one_thread();
        let plan = (&plan, args.threads.into());
        report.seeds = Some(seeds::others(plan, &problem, &job, model, (&report, &returns, drawn), show)?);
    }
    if let Some((file, page)) = page {
        files.push(OutputFile::holding(file, page.html(report.seeds.as_ref()).as_bytes())?);
    }
    OutputFile::finish_all(files)?;
    if show.json {
        show.value(&report)?;
    } else {
        show.text(&table(args, &job, &report, show)?)?;
    }
    Ok(Verdict::Good)
}

/// No output over an input or another output.
fn files_apart(args: &RunArgs) -> Result<(), InputError> {
    let read = [("--mdp", args.source.mdp.as_deref()), ("--data", args.plan.data.as_deref())];
    let also = [("--resume", args.resume.as_deref()), ("--lambda", args.plan.lambda.as_deref())];
    let outputs = [
        ("--trace", args.trace.as_deref()),
        ("--html", args.html.as_deref()),
        ("--policy-out", args.policy_out.as_deref()),
    ];
    expect_apart(&[&read[..], &also].concat(), &outputs)?;
    // A run may go on from its own checkpoint and write the next one over it.
    expect_apart(&read, &[&[("--checkpoint", args.checkpoint.as_deref())], &outputs[..]].concat())
}

fn engine(args: &RunArgs) -> Engine {
    match (args.plain, args.verify) {
        (true, _) => Engine::Plain,
        (_, true) => Engine::Verify,
        _ => Engine::Fast(args.threads.into()),
    }
}

/// The problem in rationals, where a page is wanted and its decomposition is cheap.
fn exactly(args: &RunArgs, job: &Job, origin: &Origin) -> Result<Option<Problem<BigRational>>, InputError> {
    let wanted = args.html.is_some() && job.power.is_some() && cheap_to_decompose(job);
    wanted.then(|| origin.problem::<BigRational>()).transpose()
}

/// The page, but for what other seeds say.
fn page(
    name: &str,
    job: &Job,
    report: &Report,
    exact: Option<&Problem<BigRational>>,
    recorder: &mut Recorder<'_, '_>,
) -> html::RunPage {
    let parts = match (exact, &job.power) {
        // A model outside the theory, as one whose Λ is singular, has none.
        (Some(exact), Some(power)) => decomposition(job.setting, exact, power, &recorder.kept).unwrap_or_default(),
        _ => Vec::new(),
    };
    html::RunPage::new(name, job, report, &parts, recorder)
}

/// A recorder for what the call wants to see.
fn watch<'j, 'p>(
    args: &RunArgs,
    job: &'j Job,
    model: Option<SolvedModel<'p, f64>>,
) -> Result<Recorder<'j, 'p>, InputError> {
    let mut recorder = Recorder::new(job);
    recorder.evaluate = model.as_ref().is_some_and(|model| cheap_to_evaluate(job, model));
    recorder.model = model;
    recorder.resume()?;
    recorder.checkpoint = args.checkpoint.clone().map(|file| (file, args.checkpoint_every));
    let sums = job.rates.outer.saturating_mul(job.shape.dim);
    recorder.sums = (args.policy_out.is_some() && args.resume.is_none() && sums <= MIXTURE).then(Vec::new);
    if let Some(file) = &args.trace {
        let file = OutputFile::create(file)?;
        recorder.trace = Some(Trace { file, policy: args.trace_policy, inner: args.trace_inner });
    }
    recorder.counts = if args.html.is_some() { vec![0.0; job.shape.pairs()] } else { Vec::new() };
    Ok(recorder)
}

/// The policies of the run, for `opd evaluate`.
fn policy_file(
    file: &Path,
    name: &str,
    job: &Job,
    report: &Report,
    recorder: &mut Recorder<'_, '_>,
) -> Result<OutputFile, InputError> {
    let last = (job.shape.pairs() <= TABLE).then(|| job.policy(&report.theta_sum)).transpose()?;
    let table = |numbers: &[f64]| PolicyTable { actions: job.shape.actions, numbers: numbers.to_vec() };
    let policy = PolicyFile {
        name: name.to_owned(),
        setting: job.setting.name().to_owned(),
        alpha: job.rates.alpha,
        outer: job.rates.outer,
        output_index: job.chosen,
        output: recorder.chosen_sum.clone(),
        last: report.theta_sum.clone(),
        mixture: recorder.sums.take().unwrap_or_default(),
        output_table: last.as_ref().map(|_| table(&recorder.chosen_policy)),
        last_table: last.as_deref().map(table),
    };
    policy.write(file)
}

#[allow(clippy::cast_precision_loss)] // an estimate
pub fn cheap_to_evaluate(job: &Job, model: &SolvedModel<'_, f64>) -> bool {
    job.rates.outer as f64 * cost::evaluating(&model.structure) <= EVALUATION
}

pub fn cheap_to_decompose(job: &Job) -> bool {
    let pairs = job.shape.pairs();
    pairs.checked_mul(pairs).and_then(|n| n.checked_mul(job.rates.outer)).is_some_and(|n| n <= DECOMPOSITION)
}

/// How many states' policies are shown.
const STATES_SHOWN: usize = 8;

fn table(args: &RunArgs, job: &Job, report: &Report, show: &Show) -> Result<String, InputError> {
    let mut rows = vec![
        vec![show.bold("setting"), format!("{}, c = {}", report.setting, report.c)],
        vec![show.bold("rows"), report.rows_used()],
        vec![show.bold("rates"), format!("α {:.4e}, η {:.4e}, ζ {:.4e}", report.alpha, report.eta, report.zeta)],
        vec![show.bold("‖θ_T‖"), format!("{:.6} (D_θ {:.6})", report.norms.theta, report.radius_theta)],
        vec![show.bold("‖β_{T+1}‖"), format!("{:.6} (D_β {:.6})", report.norms.beta, report.radius_beta)],
        vec![show.bold("‖Σθ‖"), format!("{:.6}", report.norms.theta_sum)],
    ];
    if let (Some(xi), Some(rho)) = (report.xi, report.rho) {
        rows[2][1] += &format!(", ξ {xi:.4e}");
        rows.push(vec![show.bold("ρ_T"), format!("{rho:.6}")]);
    }
    if let Some(values) = &report.values {
        rows.push(vec![show.bold("returns"), what_is_a_return(job.setting == Setting::Discounted).to_owned()]);
        let returns = values.rows(report.output_index);
        rows.extend(returns.into_iter().map(|(name, value)| vec![show.bold(name), value]));
    }
    for (name, value) in report.seeds.iter().flat_map(Seeds::rows) {
        rows.push(vec![show.bold(&name), value]);
    }
    rows.extend(report.units().map(|returns| vec![show.bold(UNITS), returns]));
    for found in &report.contradictions {
        rows.push(vec![show.red("data against the model"), found.clone()]);
    }
    let assumed = if matches!(report.promise, Promise::Bound(_)) { ", for independent rows from μ_B" } else { "" };
    rows.push(vec![show.bold("theorem's bound"), format!("{}{assumed}", report.promise)]);
    // A search is for these.
    if report.vacuous && job.setting == Setting::Discounted && job.c == Exponent::One {
        let data = args.plan.data.as_deref().unwrap_or(Path::new("FILE"));
        let call =
            format!("`opd tune {} --search 60` proposes some", source::options(&args.source, Some(data)).join(" "));
        rows.push(vec![show.bold("rates that learn"), call]);
    }
    if let Some(term) = report.rounding_term.filter(|_| matches!(report.promise, Promise::Bound(_))) {
        rows.push(vec![show.bold("rounding adds at most"), format!("{term:.3e}")]);
    }
    rows.push(vec![show.bold("samples per second"), format!("{:.0}", report.samples_per_second)]);
    let all = format!("{:.3} s, {:.0} rows per second", report.elapsed_seconds, report.rows_per_second);
    rows.push(vec![show.bold("elapsed, all in all"), all]);
    if report.verified {
        rows.push(vec![
            show.bold("verified"),
            "every iterate of the engine is the paper's box's, bit for bit".to_owned(),
        ]);
    }
    rows.push(vec![show.bold("seed"), format!("{} ({})", report.seed, report.generator)]);
    let mut text = columns(&rows);
    text += &format!("\n{}\n", show.bold("last policy π(·|x)"));
    let policy = job.policy(&report.theta_sum)?;
    let states = policy.chunks(job.shape.actions).enumerate().take(STATES_SHOWN);
    let lines: Vec<Vec<String>> = states
        .map(|(x, row)| std::iter::once(format!("x = {x}")).chain(row.iter().map(|p| format!("{p:.4}"))).collect())
        .collect();
    text += &columns(&lines);
    if job.shape.states > STATES_SHOWN {
        text += &format!("… and {} more states\n", job.shape.states - STATES_SHOWN);
    }
    Ok(text)
}
