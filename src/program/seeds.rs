//! `opd run --seeds N`: the run of --seed, of --seed + 1, …, and bands over their returns.
//!
//! A seed draws J; the rows, where there is no data file; with a file, the columns x0 and u that it lacks, and the order that --shuffle asks for. Where it
//! draws nothing but J, all runs have the same iterates, so there is one run, whose π_t is evaluated at every seed's J.

use crate::data::{InputError, Problem};
use crate::fast::several::each;
use crate::program::args::Plan;
use crate::program::bands::{Line, Seeds};
use crate::program::engine::execute;
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::passes::HELD;
use crate::program::recorder::Recorder;
use crate::program::report::{Report, Values, values};
use crate::program::rows::{RowSource, Use};
use crate::program::show::Show;
use std::path::Path;

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

/// The seeds' returns, after the run of the first of them; `drawn` says whether its rows depend on the seed. Then whole runs go on `threads` threads.
pub fn others(
    (plan, threads): (&Plan, usize),
    problem: &Problem<f64>,
    job: &Job,
    (model, evaluate): (Option<SolvedModel<'_, f64>>, bool),
    (first, returns, drawn): (&Report, &[(usize, f64)], bool),
    show: &Show,
) -> Result<Seeds, InputError> {
    let (Some(values_of_first), Some(model)) = (&first.values, model) else {
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
    if plan.data.as_deref() == Some(Path::new("-")) {
        let problem = "standard input is read once, and every seed has rows of its own, expected a file";
        return Err(InputError::call("--data -", problem));
    }
    let bar = show.progress_of(count as u64 - 1, "runs");
    let run = |seed: u64| {
        let plan = Plan { seed, ..plan.clone() };
        let rows = RowSource::of(&plan, problem, Some(&model))?;
        let mut recorder = Recorder::new(job);
        recorder.chosen = Job::output_index(seed, job.rates.outer)?;
        (recorder.model, recorder.evaluate) = (Some(model.clone()), evaluate);
        let silent = indicatif::ProgressBar::hidden();
        let (outcome, _) = rows.open(job, None, |source, rows| execute(job, source, rows, &mut recorder, &silent))?;
        bar.inc(1);
        values(job, &mut recorder, &outcome).map(|values| values.map(|values| line(seed, recorder.chosen, &values)))
    };
    // Together they hold no more rows than one run may.
    let held = if let Use::Again { epochs, .. } = Use::of(plan) { first.rows / epochs as u64 } else { 0 };
    let threads = threads.min(HELD / (held as usize).max(1));
    let others = each(threads, seeds(plan, count).skip(1), run)?;
    bar.finish_and_clear();
    let runs =
        std::iter::once(line(plan.seed, first.output_index, values_of_first)).chain(others.into_iter().flatten());
    Ok(Seeds::new("the rows, or what of them the file leaves open, and J", runs.collect()))
}
