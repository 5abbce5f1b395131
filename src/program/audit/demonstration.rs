//! A run of an algorithm on the instance, for the figures of a report.

use crate::data::{InputError, Problem, Setting};
use crate::number::exact::BigRational;
use crate::paper::covariance::Exponent;
use crate::program::certificate::{Decomposition, decomposition};
use crate::program::engine::execute;
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::recorder::{Kept, Point, Recorder};
use crate::program::rows::RowSource;
use crate::program::theorem::Theorem;
use crate::routes::Symmetric;
use crate::statements::lacks_assumption;
use indicatif::ProgressBar;

/// What a page shows of a run.
pub struct Demonstration {
    pub run: Performed,
    pub decomposition: Vec<Decomposition>,
}

/// K and T of that run: enough to see a line, few enough to certify every iteration at once.
const SHOWN: (usize, usize) = (10, 40);

/// One run per setting that the instance has, at c = 1.
pub fn demonstrations(problem: &Problem<BigRational>) -> Result<Vec<Demonstration>, InputError> {
    let mut shown = Vec::new();
    for setting in [Setting::Discounted, Setting::Average] {
        match perform(setting, problem, SHOWN.0, SHOWN.1) {
            Ok(run) => {
                let decomposition = decomposition(setting, problem, &run.power, &run.kept)?;
                shown.push(Demonstration { run, decomposition });
            }
            // The checks say so, too.
            Err(error) if error.cause().is_some_and(|cause| lacks_assumption(&cause)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(shown)
}

/// A run at the theorem's rates on rows drawn from the instance, with what was seen of it.
pub struct Performed {
    pub job: Job,
    pub theorem: Theorem,
    /// Λ^c as doubles.
    pub power: Symmetric<f64>,
    pub points: Vec<Point>,
    pub kept: Vec<Kept>,
}

/// Runs the setting's algorithm at c = 1.
fn perform(
    setting: Setting,
    exact: &Problem<BigRational>,
    inner: usize,
    outer: usize,
) -> Result<Performed, InputError> {
    let problem = exact.map(BigRational::to_f64);
    let model = SolvedModel::new(setting, &problem, "an audit")?;
    let theorem = Theorem::of_model(Exponent::One, (None, None), &problem, &model)?;
    let rates = theorem.rates(inner, outer).map_err(|e| InputError::refused(&problem.name, e))?;
    let job = Job::at(&problem, theorem.clone(), rates);
    let mut recorder = Recorder::new(&job);
    recorder.keep = true;
    let rows = RowSource::Drawn(Box::new(model.sampler(0)?));
    rows.open(&job, None, |source, rows| execute(&job, source, rows, &mut recorder, &ProgressBar::hidden()))?;
    let (points, kept) = (recorder.points, recorder.kept);
    let power = model.lambda.clone().ok_or_else(|| InputError::call(&problem.name, "no behaviour policy"))?;
    Ok(Performed { job, theorem, power, points, kept })
}
