//! A run of an algorithm on the instance, for the figures of a report.

use crate::certify::{Decomposition, decomposition};
use crate::engine::{Job, execute};
use crate::prepare::{RowSource, sampler};
use crate::recorder::{Kept, Point, Recorder};
use crate::study::Study;
use crate::tuning::{Facts, Tuned, radius_beta, radius_theta};
use indicatif::ProgressBar;
use offline_primal_dual::data::{InputError, Problem, Setting};
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::covariance::{Exponent, Spectrum};
use offline_primal_dual::statements::lacks_assumption;

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
    pub facts: Facts,
    pub tuned: Tuned,
    /// Λ^c as doubles.
    pub power: Vec<f64>,
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
    let mut study = Study::new(setting, &problem, "an audit")?;
    let facts = facts(setting, &problem, &mut study)?;
    let tuned = facts.rates(inner, outer).map_err(|e| InputError::refused(&problem.name, e))?;
    let job = Job {
        setting,
        c: Exponent::One,
        shape: problem.shape,
        features: offline_primal_dual::fast::aligned::Aligned::from(&problem.features[..]),
        discount: facts.discount,
        weight: None,
        inner,
        outer,
        alpha: tuned.alpha,
        eta: tuned.eta,
        zeta: tuned.zeta,
        xi: tuned.xi.unwrap_or(0.0),
        radius_theta: facts.radius_theta,
        radius_beta: facts.radius_beta,
    };
    let mut recorder = Recorder::new(&job, outer);
    recorder.keep = true;
    let rows = RowSource::Drawn(Box::new(sampler(&study, 0)?));
    rows.open(&job, |source, rows| execute(&job, source, rows, &mut recorder, &ProgressBar::hidden()))?;
    let (points, kept) = (recorder.points, recorder.kept);
    let power = study.lambda;
    Ok(Performed { facts, tuned, power, points, kept, job })
}

fn facts(setting: Setting, problem: &Problem<f64>, study: &mut Study<'_, f64>) -> Result<Facts, InputError> {
    let spectrum = Spectrum::new(problem.shape.dim, &study.lambda).ok();
    Ok(Facts {
        setting,
        c: Exponent::One,
        actions: problem.shape.actions,
        dim: problem.shape.dim,
        discount: if setting == Setting::Discounted { *problem.discount()? } else { 0.0 },
        phi_squared: study.bounds.phi,
        radius_theta: radius_theta(study)?,
        radius_beta: radius_beta(Exponent::One, study)?,
        covariance: spectrum.as_ref().map(|s| Facts::covariance_of(Exponent::One, s)),
    })
}
