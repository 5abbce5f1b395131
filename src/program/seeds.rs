//! `opd run --seeds N`: the run of --seed, of --seed + 1, …, and bands over their returns.
//!
//! A seed draws J; the rows, where there is no data file; with a file, the columns x0 and u that it lacks, and the order that --shuffle asks for. Where it
//! draws nothing but J, all runs have the same iterates, so there is one run, whose π_t is evaluated at every seed's J.

use crate::data::{InputError, Problem};
use crate::program::args::Plan;
use crate::program::bands::{Line, Seeds};
use crate::program::engine::execute;
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::recorder::Recorder;
use crate::program::report::{Report, Values, values};
use crate::program::rows::RowSource;
use crate::program::show::Show;

fn line(seed: u64, output_index: usize, values: &Values) -> Line {
    Line { seed, output_index, output: values.output, last: values.last, mixture: values.mixture }
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
        let each = |(seed, &(index, output)): (u64, &(usize, f64))| {
            line(seed, index, &Values { output, ..values_of_first.clone() })
        };
        return Ok(Seeds::new(
            "J alone: the rows are the same for every seed",
            seeds(plan, count).zip(returns).map(each).collect(),
        ));
    }
    let mut runs = vec![line(plan.seed, first.output_index, values_of_first)];
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
            runs.push(line(seed, job.chosen, &values));
        }
        model = recorder.model.take();
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Seeds::new("the rows, or what of them the file leaves open, and J", runs))
}
