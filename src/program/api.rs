//! The commands as functions, for a caller who has the data in memory: plain values in, values out, nothing printed. The Python package
//! calls these. What a command prints with `--json` comes as that text.

use crate::conformance::Tolerance;
use crate::data::number::Number;
use crate::data::{InputError, Problem, Row, Rows, Setting, counted};
use crate::linear::softmax::policy_table;
use crate::number::exact::BigRational;
use crate::paper::covariance::Exponent;
use crate::program::agreement::{Agreement, Checked};
use crate::program::args::{Found, Plan, ReadingArgs, Source, TuneArgs};
use crate::program::arrays::Arrays;
pub use crate::program::arrays::{Inner, Outer, Wanted};
use crate::program::budget::{Need, within};
use crate::program::certificate::{certificate, decomposition};
use crate::program::certify::{enclosures_fit, exact_fits};
use crate::program::checkable::checkable;
use crate::program::enclose::enclose;
use crate::program::engine::execute;
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::promise::Promise;
use crate::program::recorder::Recorder;
use crate::program::report::{Report, values};
use crate::program::rows::{RowSource, reading_of};
use crate::program::run::{cheap_to_decompose, cheap_to_evaluate};
pub use crate::program::theorem::Goal;
use crate::program::theorem::Theorem;
use crate::program::{audit, coverage, html, oracle, search, source, tune, vectors};
use crate::sampler::Sampler;
use indicatif::ProgressBar;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What a run is made of, apart from the problem and the rows. Rates and radii left out are the theorem's.
#[derive(Debug, Clone)]
pub struct RunPlan {
    /// The setting.
    pub setting: Setting,
    /// c.
    pub c: Exponent,
    /// K.
    pub inner: usize,
    /// T.
    pub outer: usize,
    /// α.
    pub alpha: Option<f64>,
    /// η.
    pub eta: Option<f64>,
    /// ζ.
    pub zeta: Option<f64>,
    /// ξ, in the average-reward setting.
    pub xi: Option<f64>,
    /// D_θ.
    pub radius_theta: Option<f64>,
    /// D_β.
    pub radius_beta: Option<f64>,
    /// Seeds the choice of J and, where there are no rows, the rows.
    pub seed: u64,
    /// Multiplies what the computation may cost.
    pub budget: f64,
}

impl RunPlan {
    /// As the command line would have it; a rate that it would refuse is refused.
    fn plan(&self, data: Option<PathBuf>) -> Result<Plan, InputError> {
        for (name, rate) in [
            ("alpha", self.alpha),
            ("eta", self.eta),
            ("zeta", self.zeta),
            ("xi", self.xi),
            ("radius_theta", self.radius_theta),
            ("radius_beta", self.radius_beta),
            ("budget", Some(self.budget)),
        ] {
            if let Some(rate) = rate.filter(|rate| !(*rate >= 0.0 && rate.is_finite())) {
                return Err(InputError::call(name, format_args!("found {rate}, expected a number >= 0")));
            }
        }
        for (name, count) in [("inner", self.inner), ("outer", self.outer)] {
            if count == 0 {
                return Err(InputError::call(name, "found 0, expected an integer >= 1"));
            }
        }
        let Self { setting, c, inner, outer, alpha, eta, zeta, xi, radius_theta, radius_beta, seed, budget } = *self;
        Ok(Plan {
            setting,
            data,
            reading: ReadingArgs::default(),
            c,
            lambda: None,
            inner: Some(inner),
            outer: Some(outer),
            epochs: 1,
            shuffle: false,
            found: Found::default(),
            alpha,
            eta,
            zeta,
            xi,
            radius_theta,
            radius_beta,
            seed,
            budget,
        })
    }
}

/// Where the rows of a run come from.
pub enum Data<'d> {
    /// Drawn from the model.
    Model,
    /// A data file.
    File(PathBuf),
    /// The caller's own.
    Rows(&'d mut dyn Rows),
}

impl std::fmt::Debug for Data<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Model => f.write_str("Model"),
            Self::File(file) => f.debug_tuple("File").field(file).finish(),
            Self::Rows(_) => f.write_str("Rows"),
        }
    }
}

/// The same problem in rationals, for whoever needs it.
pub type Exactly<'e> = dyn Fn() -> Result<&'e Problem<BigRational>, InputError> + 'e;

/// Told of every block of rows before it is used, with their number; an error stops the run.
pub type Tick<'t> = dyn FnMut(usize) -> Result<(), InputError> + 't;

/// Rows that report each block to `tick`.
struct Ticking<'a, 't> {
    rows: &'a mut dyn Rows,
    tick: &'a mut Tick<'t>,
}

impl Rows for Ticking<'_, '_> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        self.rows.next_row()
    }

    fn finish(&mut self) -> Result<(), InputError> {
        self.rows.finish()
    }

    fn fill(&mut self, block: &mut Vec<Row>, limit: usize) -> Result<(), InputError> {
        self.rows.fill(block, limit)?;
        (self.tick)(block.len())
    }
}

impl Data<'_> {
    /// What the plan has to know: that there is data.
    fn name(&self) -> Option<PathBuf> {
        match self {
            Self::Model => None,
            Self::File(file) => Some(file.clone()),
            Self::Rows(_) => Some(PathBuf::from("rows")),
        }
    }

    fn execute(
        self,
        plan: &Plan,
        problem: &Problem<f64>,
        job: &Job,
        recorder: &mut Recorder<'_, '_>,
        tick: &mut Tick<'_>,
    ) -> Result<crate::program::engine::Outcome, InputError> {
        let bar = ProgressBar::hidden();
        let model = recorder.model.as_ref();
        let mut agreement = Agreement::with(problem, model).filter(|_| plan.data.is_some());
        let source = if let Self::Rows(_) = self { None } else { Some(RowSource::of(plan, problem, model)?) };
        let mut run = |name: &str, rows: &mut dyn Rows| execute(job, name, &mut Ticking { rows, tick }, recorder, &bar);
        let (outcome, notes) = match (self, source) {
            (Self::Rows(rows), _) => {
                let outcome = match &mut agreement {
                    Some(agreement) => run("rows", &mut Checked { rows: &mut *rows, agreement })?,
                    None => run("rows", rows)?,
                };
                let unused = rows.unused()?;
                let note = (unused > 0).then(|| format!("rows: {} after those that were used", counted(unused, "row")));
                (outcome, note.into_iter().collect())
            }
            (_, Some(source)) => source.open(job, agreement.as_mut(), run)?,
            _ => return Err(InputError::call("rows", "not given")),
        };
        recorder.take_note(notes, agreement.as_ref());
        Ok(outcome)
    }

    /// All of them, in memory.
    fn all(self, problem: &Problem<f64>, seed: u64) -> Result<Vec<Row>, InputError> {
        match self {
            Self::Model => Err(InputError::call("data", "not given, expected rows to search by")),
            Self::File(file) => search::all_rows(&file, &reading_of(&ReadingArgs::default(), seed, problem), problem),
            Self::Rows(rows) => {
                let mut all = Vec::new();
                rows.fill(&mut all, usize::MAX)?;
                rows.finish().map(|()| all)
            }
        }
    }
}

/// What a run gives.
#[derive(Debug)]
pub struct Run {
    /// What `opd run --json` prints.
    pub report: String,
    /// π_{T+1}, |X| rows of |A|.
    pub last_policy: Vec<f64>,
    /// π_J.
    pub output_policy: Vec<f64>,
    /// Σ_{i<J} θ_i, which π_J is made of.
    pub output_theta_sum: Vec<f64>,
    /// Every outer iteration, where it was wanted.
    pub outer: Option<Outer>,
    /// Every inner step, where it was wanted.
    pub inner: Option<Inner>,
    /// What `opd run --html` writes, where it was wanted.
    pub html: Option<String>,
}

/// `opd run`. With `exact` also the page, with the exact decomposition where it is cheap.
pub fn run(
    problem: &Problem<f64>,
    exact: Option<&Exactly<'_>>,
    plan: &RunPlan,
    data: Data<'_>,
    wanted: Wanted,
    tick: &mut Tick<'_>,
) -> Result<Run, InputError> {
    let start = Instant::now();
    let plan = plan.plan(data.name())?;
    let (job, model) = Job::new(&plan, problem)?;
    let mut recorder = Recorder::new(&job);
    recorder.evaluate = model.as_ref().is_some_and(|model| cheap_to_evaluate(&job, model));
    recorder.model = model;
    let decompose = exact.filter(|_| job.power.is_some() && cheap_to_decompose(&job));
    let decompose = decompose.map(|exact| exact()).transpose()?;
    recorder.keep = decompose.is_some();
    recorder.counts = if exact.is_some() { vec![0.0; job.shape.pairs()] } else { Vec::new() };
    recorder.arrays = Arrays::new(wanted);
    let outcome = data.execute(&plan, problem, &job, &mut recorder, tick)?;
    let mut report = Report::new(&job, &outcome, &mut recorder)?;
    report.say_elapsed(start.elapsed());
    let html = exact.map(|_| {
        let parts = match (decompose, &job.power) {
            // A model outside the theory, as one whose Λ is singular, has none.
            (Some(exact), Some(power)) => decomposition(job.setting, exact, power, &recorder.kept).unwrap_or_default(),
            _ => Vec::new(),
        };
        html::RunPage::new(&problem.name, &job, &report, &parts, &mut recorder).html(None)
    });
    Ok(Run {
        last_policy: job.policy(&report.theta_sum)?,
        output_policy: recorder.chosen_policy,
        output_theta_sum: recorder.chosen_sum,
        report: json(&report)?,
        outer: recorder.arrays.outer,
        inner: recorder.arrays.inner,
        html,
    })
}

/// What a certificate is.
#[derive(Debug)]
pub struct Certified {
    /// What `opd certify --json` prints.
    pub certificate: String,
    /// What `opd certify --certificate` writes, for `opd check`, of an exact certificate.
    pub checkable: Option<String>,
    /// What `opd certify --html` writes, where it was wanted.
    pub html: Option<String>,
    /// What of the data was taken otherwise than it stands, and what of it the model forbids.
    pub notes: Vec<String>,
    /// The latter.
    pub contradictions: Vec<String>,
}

/// `opd certify`: exact within the budget, else in rigorous intervals.
pub fn certify(
    problem: &Problem<f64>,
    exact: &Exactly<'_>,
    plan: &RunPlan,
    data: Data<'_>,
    html: bool,
    tick: &mut Tick<'_>,
) -> Result<Certified, InputError> {
    let behavior = problem.behavior("a certificate")?;
    let mut plan = plan.plan(data.name())?;
    // What is done in doubles is done whether or not the rest is to be exact.
    let budget = plan.budget;
    plan.budget = budget.max(1.0);
    let (job, model) = Job::new(&plan, problem)?;
    let (Some(power), Some(model)) = (&job.power, model) else {
        return Err(InputError::call(&problem.name, "no model, expected one for a certificate"));
    };
    let refused = exact_fits(&model, job.rates.outer, budget).err();
    let exact = match &refused {
        None => Some(exact()?),
        Some(why) if html => return Err(InputError::call("html", format_args!("needs an exact certificate; {why}"))),
        Some(_) => {
            enclosures_fit(&model, job.rates.outer, budget)?;
            None
        }
    };
    let mut recorder = Recorder::new(&job);
    recorder.model = Some(model);
    recorder.evaluate = html;
    recorder.keep = true;
    let outcome = data.execute(&plan, problem, &job, &mut recorder, tick)?;
    let (notes, contradictions) = (recorder.notes.clone(), recorder.contradictions.clone());
    if let (None, Some(why), Some(model)) = (exact, &refused, &recorder.model) {
        let enclosed = enclose(model, behavior, &recorder.kept, why)?.json();
        return Ok(Certified { certificate: enclosed.to_string(), checkable: None, html: None, notes, contradictions });
    }
    let Some(exact) = exact else { return Err(InputError::call(&problem.name, "no model")) };
    let certificate = certificate(job.setting, exact, power, &recorder.kept, budget)?;
    let page = if html {
        let parts = decomposition(job.setting, exact, power, &recorder.kept)?;
        let values = values(&job, &mut recorder, &outcome)?;
        Some(html::certificate_page(exact, &job, &certificate, &parts, values.as_ref(), &mut recorder))
    } else {
        None
    };
    let checkable = Some(checkable(job.setting, exact, &recorder.kept, budget)?);
    Ok(Certified { certificate: json(&certificate)?, checkable, html: page, notes, contradictions })
}

/// `opd sample`: rows without end.
pub fn sampler(problem: &Problem<f64>, setting: Setting, seed: u64) -> Result<Sampler, InputError> {
    problem.behavior("sampling")?;
    SolvedModel::new(setting, problem, "sampling")?.sampler(seed)
}

/// π(·|x) ∝ exp(α⟨φ(x, ·), Σθ⟩) for every row of `actions` features, as a run computes it.
pub fn policy(actions: usize, alpha: f64, features: &[f64], theta_sum: &[f64]) -> Result<Vec<f64>, InputError> {
    let dim = theta_sum.len().max(1);
    let mut policy = vec![0.0; features.len() / dim];
    policy_table(actions, &alpha, features, theta_sum, &mut policy).map_err(|e| InputError::call("policy", e))?;
    Ok(policy)
}

/// An embedded instance.
pub fn instance<T: Number>(name: &str) -> Result<Problem<T>, InputError> {
    Problem::of_instance(source::instance(name)?)
}

/// What `opd coverage --json` prints.
pub fn coverage(problem: &Problem<f64>, exact: &Exactly<'_>, budget: f64) -> Result<String, InputError> {
    let (ratios, refused) = coverage::found(problem, exact, budget)?;
    json(&coverage::object(&ratios, refused.is_none()))
}

/// What `opd audit --json` prints and, where it is wanted, what `--html` writes.
pub fn audit(problem: &Problem<BigRational>, html: bool, budget: f64) -> Result<(String, Option<String>), InputError> {
    let checks = audit::checks(problem, budget)?;
    let page = if html { Some(audit::audit_page(problem, &checks, &audit::demonstrations(problem)?)) } else { None };
    Ok((json(&audit::lines(&checks))?, page))
}

/// What `opd tune --json` prints for a model; radii left out are measured on it.
pub fn tune(
    problem: &Problem<f64>,
    setting: Setting,
    c: Exponent,
    goal: Goal,
    radii: (Option<f64>, Option<f64>),
    budget: f64,
) -> Result<String, InputError> {
    problem.behavior("tuning")?;
    let model = SolvedModel::within_budget(setting, problem, "tuning", budget)?;
    let theorem = Theorem::of_model(c, radii, problem, &model)?;
    let rates = theorem.rates_for(goal);
    let rates = rates.map_err(|e| InputError::call("the theorem's parameters", e))?;
    let promise = Promise::at(&theorem, &rates, Some(&model));
    json(&tune::object(&theorem, &rates, &promise))
}

/// What a search for rates is made of.
#[derive(Debug, Clone, Copy)]
pub struct SearchPlan {
    /// How many candidates are run.
    pub candidates: usize,
    /// How many ways of holding rows out the best of them are tried on.
    pub splits: usize,
    /// Seeds the candidates and the splits.
    pub seed: u64,
    /// D_θ and D_β, where they are given.
    pub radii: (Option<f64>, Option<f64>),
    /// Multiplies what the computation may cost.
    pub budget: f64,
}

/// `opd tune --data D --search N`: what it prints with `--json` and the page that it writes. Told of the runs before they begin; an error stops the search.
pub fn search(
    problem: &Problem<f64>,
    plan: &SearchPlan,
    data: Data<'_>,
    tick: &mut Tick<'_>,
) -> Result<(String, String), InputError> {
    let SearchPlan { candidates, splits, seed, radii, budget } = *plan;
    for (name, count) in [("search", candidates), ("splits", splits)] {
        if count == 0 {
            return Err(InputError::call(name, "found 0, expected an integer >= 1"));
        }
    }
    let args = TuneArgs {
        source: Source::default(),
        setting: Setting::Discounted,
        c: Exponent::One,
        outer: None,
        samples: None,
        epsilon: None,
        radius_theta: radii.0,
        radius_beta: radii.1,
        feature_bound: None,
        actions: None,
        dim: None,
        discount: None,
        search: Some(candidates),
        data: data.name(),
        reading: ReadingArgs::default(),
        splits,
        seed,
        // Only the caller's thread can be interrupted.
        threads: 1,
        budget,
        html: None,
    };
    let rows = data.all(problem, seed)?;
    let mut stopped = None;
    let next = |runs| {
        stopped = stopped.take().or_else(|| tick(runs).err());
        stopped.is_none()
    };
    let found = search::find(&args, problem, &rows, next);
    match stopped {
        Some(why) => Err(why),
        None => found.and_then(|mut found| {
            // What is in memory has no call.
            (found.command, found.evaluate) = (None, None);
            Ok((json(&found)?, search::search_page(&found)))
        }),
    }
}

/// The answer of `opd oracle` to one line.
pub fn oracle(request: &str, budget: f64) -> Result<String, InputError> {
    json(&oracle::answer(request, budget).map_err(|e| InputError::call("oracle", e))?)
}

/// What `opd vectors gen` prints: the fixed problems or, from a seed, fresh ones.
pub fn vectors(fresh: Option<(u64, usize)>) -> Result<Vec<String>, InputError> {
    use crate::conformance::{Setting, cases, json};
    match fresh {
        None => Ok(Setting::ALL.into_iter().flat_map(cases::fixed).map(|case| json::prompt(&case)).collect()),
        Some((seed, count)) => {
            let wish = cases::Wish::default();
            within(1.0, "these problems", &vectors::printing(&wish, count))?;
            let fresh = cases::fresh_like(seed, count, wish);
            Ok(fresh.map_err(|e| InputError::call("vectors", e))?.map(|case| json::prompt(&case)).collect())
        }
    }
}

/// What another implementation's results are worth.
#[derive(Debug)]
pub struct Judged {
    /// Whether all agree.
    pub passed: bool,
    /// For people.
    pub text: String,
    /// What `opd vectors check --json` prints.
    pub json: String,
}

/// `opd vectors check --partial` of JSON lines.
pub fn judge(results: &str, tolerance: &Tolerance) -> Result<Judged, InputError> {
    use crate::conformance::{cases::Wish, check, files, read};
    let results = read::results_lines(Path::new("results"), results)?;
    if results.is_empty() {
        return Err(InputError::call("results", "found nothing, expected one per case"));
    }
    within(1.0, "making these cases again", &vectors::remaking(&results, &[]))?;
    let paired = files::with_cases(&results, &[], &Wish::default(), true)?;
    if tolerance.own_draws {
        files::expect_draws(&results, &paired)?;
    }
    let cost: f64 = paired.iter().map(|(case, _)| case.cost()).sum();
    within(1.0, "this check", &[Need::operations(cost)])?;
    let report = check(&paired, tolerance).map_err(|e| InputError::call("results", e))?;
    Ok(Judged { passed: report.passed(), text: report.to_string(), json: json(&vectors::report_json(&report))? })
}

fn json(value: &impl Serialize) -> Result<String, InputError> {
    serde_json::to_string(value).map_err(|e| InputError::call("JSON", e))
}
