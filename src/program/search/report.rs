//! What a search reports.

use super::truth::{Truth, truth};
use super::{Ground, POINTS};
use crate::baselines::{Candidate, Estimate, Evaluator, Found, Scored, Split};
use crate::data::{InputError, Row};
use crate::program::args::{ReadingArgs, TuneArgs};
use serde::Serialize;

/// Below this mean weight a tenth of where the policy goes was seen by no held-out row.
const LEAST_MASS: f64 = 0.9;

/// Below this many rows of equal weight an estimate is luck.
const LEAST_ROWS: f64 = 100.0;

/// What a search reports.
#[derive(Serialize)]
pub struct Search {
    pub name: String,
    data: String,
    rows: usize,
    seed: u64,
    splits: usize,
    estimator: &'static str,
    best: Rates,
    estimate: f64,
    standard_error: f64,
    range: [f64; 2],
    mean_weight: f64,
    effective_rows: f64,
    /// The mean reward of the rows.
    pub behavior: f64,
    pub uniform: Option<f64>,
    pub warnings: Vec<String>,
    /// From the model, where there is one. The search does not see it.
    pub truth: Option<Truth>,
    pub curve: Vec<Point>,
    pub candidates: Vec<Line>,
    /// The call of `opd run` with the best rates, on all rows.
    command: String,
}

const ESTIMATOR: &str =
    "LSTDQ on the held-out fifth of the rows, ridge of one row; candidates are ranked by estimate − standard error";

/// Rates as the command line takes them.
#[derive(Serialize, Clone, Copy)]
pub struct Rates {
    pub inner: usize,
    outer: usize,
    pub alpha: f64,
    pub eta: f64,
    pub zeta: f64,
    radius_theta: f64,
    pub radius_beta: f64,
}

/// One candidate: means over the splits that it was run on.
#[derive(Serialize)]
pub struct Line {
    #[serde(flatten)]
    pub rates: Rates,
    pub splits: usize,
    pub estimate: Option<f64>,
    pub error: Option<f64>,
    pub mass: Option<f64>,
    /// The return by the model, of the policy of the first split.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<f64>,
}

/// One point of the learning curve.
#[derive(Serialize)]
pub struct Point {
    pub rows: usize,
    pub mean: f64,
    pub least: f64,
    pub most: f64,
}

pub fn mean(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    numbers.clone().sum::<f64>() / numbers.count() as f64
}

pub fn report(
    args: &TuneArgs,
    ground: &Ground<'_>,
    rows: &[Row],
    (splits, judges): (&[Split], &[Evaluator<'_>]),
    found: &Found<Candidate>,
) -> Result<Search, InputError> {
    let best = &found.ranking[0];
    let estimates: Option<Vec<&Estimate>> = best.estimates.iter().map(Option::as_ref).collect();
    let Some(estimates) = estimates else {
        return Err(InputError::call(
            "--search",
            "every candidate diverged, expected --radius-theta or --radius-beta below what they are",
        ));
    };
    let of = |part: fn(&Estimate) -> f64| mean(estimates.iter().map(|e| part(e)));
    let data = args.data.as_ref().map_or_else(String::new, |file| file.display().to_string());
    let uniform = vec![1.0 / ground.problem.shape.actions as f64; ground.problem.shape.pairs()];
    let rates = rates(&best.candidate, rows.len());
    let mut lines: Vec<Line> = found.ranking.iter().map(|scored| line(scored, rows.len())).collect();
    let mut search = Search {
        name: ground.problem.name.clone(),
        rows: rows.len(),
        seed: args.seed,
        splits: splits.len(),
        estimator: ESTIMATOR,
        best: rates,
        estimate: of(|e| e.value),
        standard_error: of(|e| e.error),
        range: [
            estimates.iter().map(|e| e.value).fold(f64::INFINITY, f64::min),
            estimates.iter().map(|e| e.value).fold(f64::NEG_INFINITY, f64::max),
        ],
        mean_weight: of(|e| e.mass),
        effective_rows: of(|e| e.effective_rows),
        behavior: mean(rows.iter().map(|row| row.r)),
        uniform: judges[0].estimate(&uniform).ok().map(|e| e.value),
        warnings: Vec::new(),
        truth: truth(ground, rows, splits, found, &mut lines, &uniform),
        curve: curve(ground, splits, judges, &best.candidate),
        candidates: lines,
        command: command(args, &data, &rates),
        data,
    };
    search.warnings = warnings(&search);
    Ok(search)
}

fn rates(candidate: &Candidate, rows: usize) -> Rates {
    let Candidate { inner, alpha, eta, zeta, radius_theta, radius_beta } = *candidate;
    Rates { inner, outer: rows / inner, alpha, eta, zeta, radius_theta, radius_beta }
}

fn line(scored: &Scored<Candidate>, rows: usize) -> Line {
    let estimates: Option<Vec<&Estimate>> = scored.estimates.iter().map(Option::as_ref).collect();
    let of = |part: fn(&Estimate) -> f64| Some(mean(estimates.as_ref()?.iter().map(|e| part(e))));
    let (estimate, error, mass) = (of(|e| e.value), of(|e| e.error), of(|e| e.mass));
    Line { rates: rates(&scored.candidate, rows), splits: scored.estimates.len(), estimate, error, mass, truth: None }
}

fn command(args: &TuneArgs, data: &str, rates: &Rates) -> String {
    let source = match (&args.source.mdp, &args.source.instance) {
        (Some(file), _) => format!("--mdp {}", file.display()),
        (None, Some(name)) => format!("--instance {name}"),
        (None, None) => String::new(),
    };
    let Rates { inner, outer, alpha, eta, zeta, radius_theta, radius_beta } = rates;
    let ReadingArgs { column, absorbing, .. } = &args.reading;
    let columns: String = column.iter().map(|(known, name)| format!(" --column {known}={name}")).collect();
    let range = args.reading.range().map_or_else(String::new, |(low, high)| format!(" --reward-range {low} {high}"));
    let absorbing = absorbing.map_or_else(String::new, |x| format!(" --absorbing {x}"));
    format!(
        "opd run {source} --data {data}{columns}{range}{absorbing} --inner {inner} --outer {outer} --alpha {alpha:e} --eta {eta:e} --zeta {zeta:e} \
         --radius-theta {radius_theta:e} --radius-beta {radius_beta:e}"
    )
}

fn warnings(search: &Search) -> Vec<String> {
    let mut warnings = Vec::new();
    if search.mean_weight < LEAST_MASS {
        warnings.push(format!(
            "coverage: the held-out rows saw only {:.2} of where the best policy goes, the estimate takes the rest as worth 0",
            search.mean_weight
        ));
    }
    if search.effective_rows < LEAST_ROWS {
        warnings.push(format!(
            "coverage: the estimate is worth {:.0} rows of equal weight, fewer than {LEAST_ROWS}: it may be luck",
            search.effective_rows
        ));
    }
    if search.estimate - 2.0 * search.standard_error <= search.behavior {
        warnings.push("the best estimate is within two standard errors of the behaviour policy's return".to_owned());
    }
    warnings
}

/// The best candidate's policies on the way, on every split.
fn curve(ground: &Ground<'_>, splits: &[Split], judges: &[Evaluator<'_>], best: &Candidate) -> Vec<Point> {
    let paths: Vec<Vec<(usize, f64)>> = splits
        .iter()
        .zip(judges)
        .filter_map(|(split, judge)| {
            let learnt = ground.learn(best, &split.learn, POINTS)?;
            let value = |(rows, policy): &(usize, Vec<f64>)| Some((*rows, judge.estimate(policy).ok()?.value));
            Some(learnt.path.iter().filter_map(value).collect())
        })
        .collect();
    let shortest = paths.iter().map(Vec::len).min().unwrap_or(0);
    let point = |i: usize| {
        let values = paths.iter().map(|path| path[i].1);
        let (least, most) =
            (values.clone().fold(f64::INFINITY, f64::min), values.clone().fold(f64::NEG_INFINITY, f64::max));
        Point { rows: paths[0][i].0, mean: mean(values), least, most }
    };
    (0..shortest).map(point).collect()
}

impl Search {
    /// What was found, each with its name.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let Rates { inner, outer, alpha, eta, zeta, radius_theta, radius_beta } = self.best;
        let finalists = self.candidates.iter().filter(|line| line.splits == self.splits).count();
        let mut rows = vec![
            ("data", format!("{}, {} rows", self.data, self.rows)),
            ("estimator", self.estimator.to_owned()),
            (
                "candidates",
                format!(
                    "{}, of which {finalists} on {} splits, seed {}",
                    self.candidates.len(),
                    self.splits,
                    self.seed
                ),
            ),
            (
                "best",
                format!(
                    "K {inner}, T {outer}, α {alpha:.4e}, η {eta:.4e}, ζ {zeta:.4e}, D_θ {radius_theta:.4e}, D_β {radius_beta:.4e}"
                ),
            ),
            (
                "its estimated return",
                format!(
                    "{:.6} ± {:.6}, splits {:.6} … {:.6}",
                    self.estimate, self.standard_error, self.range[0], self.range[1]
                ),
            ),
            ("mean weight, effective rows", format!("{:.4}, {:.0}", self.mean_weight, self.effective_rows)),
            ("behaviour: mean reward", format!("{:.6}", self.behavior)),
        ];
        rows.extend(self.uniform.map(|value| ("uniform policy, estimated", format!("{value:.6}"))));
        rows.extend(self.warnings.iter().map(|warning| ("warning", warning.clone())));
        if let Some(truth) = &self.truth {
            let behavior = truth.behavior.map_or_else(String::new, |value| format!(", behaviour {value:.6}"));
            let known =
                format!("optimal {:.6}, best {:.6}{behavior}, uniform {:.6}", truth.optimal, truth.best, truth.uniform);
            rows.push(("by the model, not used", known));
            rows.push((
                "normalised suboptimality",
                format!("{:.4} (uniform policy 1, optimal 0)", truth.normalised_suboptimality),
            ));
            rows.extend(
                truth.rank_correlation.map(|r| ("rank correlation", format!("{r:.3} of estimates and returns"))),
            );
        }
        rows.push(("run it", self.command.clone()));
        rows
    }
}
