//! `opd tune --data D --search N`: rates that learn, by a seeded search that is scored on held-out rows.

mod call;
mod page;

use crate::baselines::{self, Batch, Candidate, Estimate, Evaluator, Found, Learnt, Plan, STOPS, Scored, Split};
use crate::data::{
    InputError, OutputFile, Problem, Reading, Row, RowSpec, Setting, counted, expect_apart, with_reading,
};
use crate::fast::aligned::Aligned;
use crate::paper::covariance::Exponent;
use crate::program::Verdict;
use crate::program::agreement::Agreement;
use crate::program::args::TuneArgs;
use crate::program::budget::{Need, within};
use crate::program::model::SolvedModel;
use crate::program::report::{UNIFORM_IS_OPTIMAL, normalised};
use crate::program::rows::reading_of;
use crate::program::show::{Show, columns, complain, fixed};
use crate::program::source::Origin;
use serde::Serialize;
use std::path::Path;

use call::{call, judge_call};
pub use page::search_page;

/// How many points the learning curve has.
const POINTS: usize = 24;

/// Below this mean weight a tenth of where the policy goes was seen by no held-out row.
const LEAST_MASS: f64 = 0.9;

/// Below this many rows of equal weight an estimate is luck.
const LEAST_ROWS: f64 = 100.0;

/// Above this many states the model is asked about the best candidate only.
const STATES: usize = 256;

/// What a search reports.
#[derive(Serialize)]
pub struct Search {
    pub name: String,
    data: String,
    rows: usize,
    seed: u64,
    /// How many candidates were asked for.
    #[serde(skip)]
    asked: usize,
    splits: usize,
    estimator: &'static str,
    best: Rates,
    estimate: f64,
    /// The larger of the splits' own, in the mean, and of the spread between them.
    standard_error: f64,
    range: [f64; 2],
    mean_weight: f64,
    effective_rows: f64,
    /// Of the policy that the printed call gives.
    all_rows: Option<AllRows>,
    /// The mean reward of the rows.
    pub behavior: f64,
    pub uniform: Option<f64>,
    warnings: Vec<String>,
    /// From the model, where there is one. The search does not see it.
    pub truth: Option<Truth>,
    pub curve: Vec<Point>,
    pub candidates: Vec<Line>,
    /// The call of `opd run` with the best rates, on all rows; `None` where there is none, as for arrays.
    pub command: Option<String>,
    /// The call of `opd evaluate` that judges the last policy of that run.
    pub evaluate: Option<String>,
}

const ESTIMATOR: &str = "LSTDQ on the held-out fifth of the rows, ridge of one row; candidates are ranked by estimate − standard error; at last the finalists and N/4 candidates near the best are run on all rows and ranked by them, each at the best of 16 stops";

/// What all rows say of the policy that was learnt from them.
#[derive(Serialize)]
pub struct AllRows {
    estimate: f64,
    standard_error: f64,
    mean_weight: f64,
}

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
    /// Whether it was run on all rows of a split, or only on the first quarter.
    pub whole: bool,
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

/// Returns by the model.
#[derive(Serialize)]
pub struct Truth {
    pub optimal: f64,
    uniform: f64,
    behavior: Option<f64>,
    /// Of the best candidate run on all rows: what the printed command gives.
    best: f64,
    /// (optimal − best)/(optimal − uniform); `None` where that is 0/0.
    normalised_suboptimality: Option<f64>,
    /// Spearman's, between the estimates and the returns of the first split's policies.
    rank_correlation: Option<f64>,
}

/// The problem's part of a search.
struct Ground<'a> {
    problem: &'a Problem<f64>,
    features: Aligned,
    discount: f64,
    threads: usize,
}

impl Ground<'_> {
    /// What several candidates learn from the same rows.
    fn learn_all(&self, candidates: &[Candidate], rows: &[Row], points: usize) -> Vec<Option<Learnt>> {
        let Self { problem, features, discount, threads } = self;
        let learnt = baselines::run_all(*threads, problem.shape, features, *discount, rows, candidates, points);
        learnt.into_iter().map(Result::ok).collect()
    }

    fn learn(&self, rates: &Candidate, rows: &[Row], points: usize) -> Option<Learnt> {
        baselines::run(self.problem.shape, &self.features, self.discount, rows, rates, points).ok()
    }
}

pub fn search(args: &TuneArgs, show: &Show) -> Result<Verdict, InputError> {
    let Some(data) = &args.data else {
        return Err(InputError::call("--search", "without --data, expected both"));
    };
    let runs = runs(&plan(args)?);
    expect_apart(
        &[("--mdp", args.source.mdp.as_deref()), ("--data", Some(data))],
        &[("--html", args.html.as_deref())],
    )?;
    let problem = Origin::of_data(&args.source, true)?.problem::<f64>()?;
    let rows = all_rows(data, &reading_of(&args.reading, args.seed, &problem), &problem)?;
    let bar = show.progress_of(runs as u64, "runs");
    // With threads some are tried twice.
    let next = |count: usize| {
        bar.set_position((bar.position() + count as u64).min(runs as u64));
        true
    };
    let search = find(args, &problem, &rows, next)?;
    bar.finish_and_clear();
    if let Some(file) = &args.html {
        OutputFile::finish_all(vec![OutputFile::holding(file, search_page(&search).as_bytes())?])?;
    }
    search.warnings.iter().for_each(|warning| complain(warning));
    if show.json {
        show.value(&search)?;
    } else {
        let lines = search.rows().into_iter().map(|(name, value)| vec![show.bold(name), value]);
        show.text(&columns(&lines.collect::<Vec<_>>()))?;
    }
    Ok(Verdict::Good)
}

fn plan(args: &TuneArgs) -> Result<Plan, InputError> {
    if args.setting == Setting::Average || args.c == Exponent::Half {
        let problem = "given with --setting average or --c 1/2, expected the discounted setting and c = 1";
        return Err(InputError::call("--search", problem));
    }
    let Some(candidates) = args.search else {
        return Err(InputError::call("--search", "not given, expected how many candidates"));
    };
    Ok(Plan { candidates, splits: args.splits, seed: args.seed, threads: args.threads.into() })
}

/// How many runs a search takes, with the last round.
fn runs(plan: &Plan) -> usize {
    plan.runs() + plan.last_runs()
}

/// The search itself; `next` hears how many runs are next and says whether to go on.
pub fn find(
    args: &TuneArgs,
    problem: &Problem<f64>,
    rows: &[Row],
    mut next: impl FnMut(usize) -> bool,
) -> Result<Search, InputError> {
    let plan = plan(args)?;
    let data = args.data.as_deref().unwrap_or(Path::new("rows"));
    enough(data, rows.len())?;
    let (features, discount) = (Aligned::from(&problem.features[..]), *problem.discount()?);
    let ground = Ground { problem, features, discount, threads: plan.threads };
    affordable(args, problem, rows.len(), &plan)?;
    let refused = |e| InputError::call(data.display(), e);
    let batch = Batch::new(problem.shape, &problem.features, ground.discount, rows).map_err(refused)?;
    let splits = plan.split(rows);
    let judges = Plan::judges(&splits, &batch).map_err(refused)?;
    let rates = |point: &[f64; 6]| candidate(args, &ground, point, rows.len());
    let mut learn = |points: &[[f64; 6]], rows: &[Row], stops: usize| {
        if !next(points.len()) {
            return vec![None; points.len()];
        }
        ground.learn_all(&points.iter().map(rates).collect::<Vec<_>>(), rows, stops)
    };
    let mut found = baselines::search(&plan, (&splits, &judges), &mut learn).map_err(refused)?;
    let judge = Evaluator::new(batch, 1.0);
    baselines::last_round(&plan, (&splits, &judges), (rows, &judge), learn, &mut found);
    let rated = |Scored { candidate, policy, whole, estimates, stop }| Scored {
        candidate: rates(&candidate),
        policy,
        whole,
        estimates,
        stop,
    };
    let found = Found { ranking: found.ranking.into_iter().map(rated).collect(), finalists: found.finalists };
    report(args, &ground, (rows, &judge), (&splits, &judges), &found)
}

/// Every row of a file, in memory.
pub fn all_rows(data: &Path, reading: &Reading, problem: &Problem<f64>) -> Result<Vec<Row>, InputError> {
    let spec = RowSpec { setting: Setting::Discounted, states: problem.shape.states, actions: problem.shape.actions };
    let rows: Vec<Row> = with_reading(data, spec, reading, |rows| {
        let mut all = Vec::new();
        while let Some(row) = rows.next_row()? {
            all.push(row);
        }
        rows.finish().map(|()| all)
    })?;
    enough(data, rows.len()).map(|()| rows)
}

/// Both parts of every split need some.
fn enough(data: &Path, rows: usize) -> Result<(), InputError> {
    if rows < 100 {
        return Err(InputError::file(
            data,
            format_args!("found {}, expected at least 100 to search", counted(rows, "row")),
        ));
    }
    Ok(())
}

/// A run costs about 2 operations per row and component of the features of a state, and 100 more; an estimate two eliminations. Measured.
fn affordable(args: &TuneArgs, problem: &Problem<f64>, rows: usize, plan: &Plan) -> Result<(), InputError> {
    let [states, actions, dim] = [problem.shape.states, problem.shape.actions, problem.shape.dim].map(|n| n as f64);
    let run = rows as f64 * (100.0 + 2.0 * actions * dim);
    let estimate = 2.0 * dim.powi(3) + states * (actions + dim) * dim;
    let curve = plan.splits as f64 * (run + POINTS as f64 * estimate);
    let last = plan.last_runs() as f64 * (run + STOPS as f64 * estimate);
    let operations = (1.0 + plan.whole_runs()) * run + plan.runs() as f64 * estimate + last + curve;
    // The finalists' policies on the way are held at once.
    let policies = 8.0 * (plan.candidates + STOPS * plan.finalists()) as f64 * states * actions;
    let bytes = 120.0 * rows as f64 * (1.0 + plan.splits as f64) + policies;
    within(args.budget, "this search", &[Need::operations(operations), Need::bytes(bytes)])
}

/// A point's rates; radii that the caller gave are the caller's.
fn candidate(args: &TuneArgs, ground: &Ground<'_>, point: &[f64; 6], rows: usize) -> Candidate {
    let problem = ground.problem;
    let found = Candidate::from_unit(*point, problem.shape, &problem.features, ground.discount, rows);
    Candidate {
        radius_theta: args.radius_theta.unwrap_or(found.radius_theta),
        radius_beta: args.radius_beta.unwrap_or(found.radius_beta),
        ..found
    }
}

fn mean(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    numbers.clone().sum::<f64>() / numbers.count() as f64
}

/// The standard deviation; 0 for one number.
fn spread(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let (center, count) = (mean(numbers.clone()), numbers.clone().count());
    let squares: f64 = numbers.map(|x| (x - center) * (x - center)).sum();
    libm::sqrt(squares / count.saturating_sub(1).max(1) as f64)
}

fn report(
    args: &TuneArgs,
    ground: &Ground<'_>,
    (rows, judge): (&[Row], &Evaluator<'_>),
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
    let rates = rates(best, rows.len());
    let policy = ground.learn(&best.candidate, &rows[..best.stop.unwrap_or(rows.len())], 0).map(|learnt| learnt.policy);
    let whole = policy.as_ref().and_then(|policy| judge.estimate(policy).ok());
    let mut lines: Vec<Line> = found.ranking.iter().map(|scored| line(scored, rows.len())).collect();
    let mut search = Search {
        name: ground.problem.name.clone(),
        rows: rows.len(),
        seed: args.seed,
        asked: args.search.unwrap_or_default(),
        splits: splits.len(),
        estimator: ESTIMATOR,
        best: rates,
        estimate: of(|e| e.value),
        standard_error: of(|e| e.error).max(spread(estimates.iter().map(|e| e.value))),
        range: [
            estimates.iter().map(|e| e.value).fold(f64::INFINITY, f64::min),
            estimates.iter().map(|e| e.value).fold(f64::NEG_INFINITY, f64::max),
        ],
        mean_weight: of(|e| e.mass),
        effective_rows: of(|e| e.effective_rows),
        all_rows: whole.map(|e| AllRows { estimate: e.value, standard_error: e.error, mean_weight: e.mass }),
        behavior: mean(rows.iter().map(|row| row.r)),
        uniform: judges[0].estimate(&uniform).ok().map(|e| e.value),
        warnings: Vec::new(),
        truth: policy.and_then(|policy| truth(ground, &policy, found, &mut lines, &uniform)),
        curve: curve(ground, (splits, judges), best, rows.len()),
        candidates: lines,
        command: Some(call(args, &rates)),
        evaluate: Some(judge_call(args)),
        data,
    };
    search.warnings = warnings(&search);
    let against = Agreement::of_rows(ground.problem, rows);
    search.warnings.extend(against.iter().map(|found| format!("the data contradict the model: {found}")));
    Ok(search)
}

fn rates(scored: &Scored<Candidate>, rows: usize) -> Rates {
    let Candidate { inner, alpha, eta, zeta, radius_theta, radius_beta } = scored.candidate;
    Rates { inner, outer: scored.stop.unwrap_or(rows) / inner, alpha, eta, zeta, radius_theta, radius_beta }
}

fn line(scored: &Scored<Candidate>, rows: usize) -> Line {
    let estimates: Option<Vec<&Estimate>> = scored.estimates.iter().map(Option::as_ref).collect();
    let of = |part: fn(&Estimate) -> f64| Some(mean(estimates.as_ref()?.iter().map(|e| part(e))));
    let (estimate, error, mass) = (of(|e| e.value), of(|e| e.error), of(|e| e.mass));
    let (rates, splits, whole) = (rates(scored, rows), scored.estimates.len(), scored.whole);
    Line { rates, splits, whole, estimate, error, mass, truth: None }
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
        warnings.push("the best estimate is not above the behaviour policy's return by two standard errors".to_owned());
    }
    warnings
}

/// The best candidate's policies on the way, on every split.
fn curve(
    ground: &Ground<'_>,
    (splits, judges): (&[Split], &[Evaluator<'_>]),
    best: &Scored<Candidate>,
    rows: usize,
) -> Vec<Point> {
    let paths: Vec<Vec<(usize, f64)>> = splits
        .iter()
        .zip(judges)
        .filter_map(|(split, judge)| {
            let learnt = ground.learn(&best.candidate, split.until(best.stop, rows), POINTS)?;
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

/// What the model says, of the candidates too where it is small; `None` without a model that can be solved.
fn truth(
    ground: &Ground<'_>,
    policy: &[f64],
    found: &Found<Candidate>,
    lines: &mut [Line],
    uniform: &[f64],
) -> Option<Truth> {
    let problem = ground.problem;
    if !problem.has_model() || !SolvedModel::fits(problem) {
        return None;
    }
    let model = SolvedModel::new(Setting::Discounted, problem, "values").ok()?;
    if problem.shape.states <= STATES {
        for (line, scored) in lines.iter_mut().zip(&found.ranking) {
            line.truth = model.value(&scored.policy).ok();
        }
    }
    let pairs: Vec<(f64, f64)> = lines
        .iter()
        .zip(&found.ranking)
        .filter_map(|(line, scored)| Some((scored.estimates[0].as_ref()?.value, line.truth?)))
        .collect();
    let best = model.value(policy).ok()?;
    let (optimal, uniform) = (model.best, model.value(uniform).ok()?);
    let behavior = problem.behavior("values").ok().map(<[f64]>::to_vec).and_then(|policy| model.value(&policy).ok());
    let normalised_suboptimality = normalised(optimal, uniform, best);
    Some(Truth { optimal, uniform, behavior, best, normalised_suboptimality, rank_correlation: spearman(&pairs) })
}

/// Spearman's rank correlation, ties at their mean rank; `None` for fewer than three pairs or a constant side.
fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let ranks = |side: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let below = |x: f64| pairs.iter().filter(|p| side(p) < x).count() as f64;
        let equal = |x: f64| pairs.iter().filter(|p| side(p) == x).count() as f64;
        pairs.iter().map(|p| below(side(p)) + 0.5 * equal(side(p))).collect()
    };
    let (a, b) = (ranks(|p| p.0), ranks(|p| p.1));
    let (mean_a, mean_b) = (mean(a.iter().copied()), mean(b.iter().copied()));
    let sum = |x: &[f64], mx: f64, y: &[f64], my: f64| x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
    let (ab, aa, bb) = (sum(&a, mean_a, &b, mean_b), sum(&a, mean_a, &a, mean_a), sum(&b, mean_b, &b, mean_b));
    (pairs.len() > 2 && aa * bb > 0.0).then(|| ab / libm::sqrt(aa * bb))
}

impl Search {
    /// What was found, each with its name.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let Rates { inner, outer, alpha, eta, zeta, radius_theta, radius_beta } = self.best;
        let whole = self.candidates.iter().filter(|line| line.whole).count();
        let finalists = self.candidates.iter().filter(|line| line.whole && line.splits == self.splits).count();
        let mut rows = vec![
            ("data", format!("{}, {}", self.data, counted(self.rows, "row"))),
            ("estimator", self.estimator.to_owned()),
            (
                "candidates",
                format!(
                    "{}{}, of which {whole} on all rows of a split and {finalists} on {}, seed {}",
                    self.asked,
                    if self.candidates.len() > self.asked { ", and the one that the last round found" } else { "" },
                    counted(self.splits, "split"),
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
                    "{:.6} ± {:.6} (the larger of a split's standard error and the spread between splits), splits {:.6} … {:.6}",
                    self.estimate, self.standard_error, self.range[0], self.range[1]
                ),
            ),
            ("mean weight, effective rows", format!("{:.4}, {:.0}", self.mean_weight, self.effective_rows)),
            ("behaviour: mean reward", format!("{:.6}", self.behavior)),
        ];
        rows.extend(self.all_rows.as_ref().map(|AllRows { estimate, standard_error, mean_weight }| {
            let found = format!(
                "{estimate:.6} ± {standard_error:.6}, mean weight {mean_weight:.4}: by the rows it learnt from"
            );
            (
                if self.command.is_some() { "the last policy of the call below" } else { "the policy from all rows" },
                found,
            )
        }));
        rows.extend(self.uniform.map(|value| ("uniform policy, estimated", format!("{value:.6}"))));
        rows.extend(self.warnings.iter().map(|warning| ("warning", warning.clone())));
        if let Some(truth) = &self.truth {
            let behavior = truth.behavior.map_or_else(String::new, |value| format!(", behaviour {value:.6}"));
            let known =
                format!("optimal {:.6}, best {:.6}{behavior}, uniform {:.6}", truth.optimal, truth.best, truth.uniform);
            rows.push(("by the model, not used", known));
            rows.push((
                "normalised suboptimality",
                match truth.normalised_suboptimality {
                    Some(lack) => format!("{} (uniform policy 1, optimal 0)", fixed(lack, 4)),
                    None => format!("– ({UNIFORM_IS_OPTIMAL})"),
                },
            ));
            rows.extend(
                truth.rank_correlation.map(|r| ("rank correlation", format!("{r:.3} of estimates and returns"))),
            );
        }
        rows.extend(self.command.iter().map(|call| ("run it", call.clone())));
        rows.extend(self.evaluate.iter().map(|call| ("judge it", call.clone())));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::spearman;

    /// Ranks 1, 2.5, 2.5, 4 against 2, 1, 3, 4: products 3, squares 4.5 and 5.
    #[test]
    fn rank_correlations_are_those_of_the_ranks() {
        let found = spearman(&[(0.1, 7.0), (0.5, -3.0), (0.5, 8.0), (9.0, 100.0)]).unwrap();
        assert!((found - 3.0 / libm::sqrt(4.5 * 5.0)).abs() < 1e-14, "{found}");
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), Some(-1.0));
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 2.0)]), None);
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 3.0), (3.0, 3.0)]), None);
    }
}
