//! `opd run --seeds N`: the run of --seed, of --seed + 1, …, and bands over their returns.
//!
//! A seed draws J; the rows, where there is no data file; with a file, the columns x0 and u that it lacks, and the order that --shuffle asks for. Where it
//! draws nothing but J, all runs have the same iterates, so there is one run, whose π_t is evaluated at every seed's J.

use crate::data::{InputError, Problem};
use crate::program::args::Plan;
use crate::program::engine::execute;
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::recorder::Recorder;
use crate::program::report::{Report, Values, values};
use crate::program::rows::RowSource;
use crate::program::show::Show;
use serde::Serialize;

/// What N seeds give.
#[derive(Debug, Serialize)]
pub struct Seeds {
    pub count: usize,
    /// What a seed has drawn.
    pub differ: &'static str,
    /// ρ(π_J), ρ(π_{T+1}) and (1/T) Σ_t ρ(π_t).
    pub output: Band,
    pub last: Band,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixture: Option<Band>,
    pub runs: Vec<Line>,
}

/// Where the returns of several runs lie.
#[derive(Debug, Serialize)]
pub struct Band {
    pub mean: f64,
    /// Of one run, by n − 1; none of one seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    pub least: f64,
    pub most: f64,
}

/// One run.
#[derive(Debug, Serialize)]
pub struct Line {
    pub seed: u64,
    pub output_index: usize,
    pub output: f64,
    pub last: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixture: Option<f64>,
}

impl Line {
    fn new(seed: u64, output_index: usize, values: &Values) -> Self {
        Self { seed, output_index, output: values.output, last: values.last, mixture: values.mixture }
    }
}

impl Band {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let count = numbers.clone().count() as f64;
        let mean = numbers.clone().sum::<f64>() / count;
        let squares: f64 = numbers.clone().map(|x| (x - mean) * (x - mean)).sum();
        Self {
            mean,
            deviation: (count > 1.0).then(|| (squares / (count - 1.0)).sqrt()),
            least: numbers.clone().fold(f64::INFINITY, f64::min),
            most: numbers.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn text(&self) -> String {
        let deviation = self.deviation.map_or_else(String::new, |x| format!(", standard deviation {x:.6}"));
        format!("{:.6}, from {:.6} to {:.6}{deviation}", self.mean, self.least, self.most)
    }
}

impl Seeds {
    fn new(differ: &'static str, runs: Vec<Line>) -> Self {
        let mixture = runs.iter().all(|run| run.mixture.is_some());
        Self {
            count: runs.len(),
            differ,
            output: Band::of(runs.iter().map(|run| run.output)),
            last: Band::of(runs.iter().map(|run| run.last)),
            mixture: mixture.then(|| Band::of(runs.iter().filter_map(|run| run.mixture))),
            runs,
        }
    }

    /// Each band with its name.
    pub fn rows(&self) -> Vec<(String, String)> {
        let name = |what: &str| format!("{what}, mean of {} seeds", self.count);
        let mut rows = vec![(name("return of π_J"), self.output.text()), (name("last policy"), self.last.text())];
        rows.extend(self.mixture.as_ref().map(|band| (name("mixture"), band.text())));
        rows.push(("a seed has drawn".to_owned(), self.differ.to_owned()));
        rows
    }
}

/// The seeds that are run: from the plan's on.
fn seeds(plan: &Plan, count: usize) -> impl Iterator<Item = u64> + use<> {
    let first = plan.seed;
    (0..count as u64).map(move |index| first.wrapping_add(index))
}

/// The J of every seed, for a recorder to evaluate π_J on its way.
pub fn indices(plan: &Plan, job: &Job, count: usize) -> Result<Vec<usize>, InputError> {
    seeds(plan, count).map(|seed| Job::output_index(seed, job.rates.outer)).collect()
}

/// The seeds' returns, after the run of the first of them; `drawn` says whether its rows depend on the seed.
pub fn others(
    plan: &Plan,
    problem: &Problem<f64>,
    job: &mut Job,
    (mut model, evaluate): (Option<SolvedModel<'_, f64>>, bool),
    (first, returns, drawn): (&Report, &[(usize, f64)], bool),
    show: &Show,
) -> Result<Seeds, InputError> {
    let Some(values_of_first) = &first.values else {
        return Err(InputError::call(
            "--seeds",
            "the problem has no model that is solved, expected one: bands are of returns",
        ));
    };
    let count = returns.len();
    if !drawn {
        let line = |(seed, &(index, output)): (u64, &(usize, f64))| {
            Line::new(seed, index, &Values { output, ..values_of_first.clone() })
        };
        return Ok(Seeds::new(
            "J alone: the rows are the same for every seed",
            seeds(plan, count).zip(returns).map(line).collect(),
        ));
    }
    let mut runs = vec![Line::new(plan.seed, first.output_index, values_of_first)];
    let bar = show.progress_of(count as u64 - 1, "runs");
    for seed in seeds(plan, count).skip(1) {
        let plan = Plan { seed, ..plan.clone() };
        (job.seed, job.chosen) = (seed, Job::output_index(seed, job.rates.outer)?);
        let rows = RowSource::of(&plan, problem, model.as_ref())?;
        let mut recorder = Recorder::new(job);
        (recorder.model, recorder.evaluate) = (model.take(), evaluate);
        let silent = indicatif::ProgressBar::hidden();
        let (outcome, _) = rows.open(job, None, |source, rows| execute(job, source, rows, &mut recorder, &silent))?;
        if let Some(values) = values(job, &mut recorder, &outcome)? {
            runs.push(Line::new(seed, job.chosen, &values));
        }
        model = recorder.model.take();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Seeds::new("the rows, or what of them the file leaves open, and J", runs))
}
