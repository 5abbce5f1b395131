//! `opd table1`: the methods of the paper's Table 1 on the same rows.

mod instances;
mod methods;
mod page;
mod table;

use crate::baselines::{self, Batch, Candidate, Evaluator, Features, Plan};
use crate::data::{InputError, OutputFile, Problem, Row, Setting, expect_apart};
use crate::fast::aligned::Aligned;
use crate::fast::several::each;
use crate::paper::covariance::Exponent;
use crate::paper::mdp::Shape;
use crate::program::Verdict;
use crate::program::args::Table1Args;
use crate::program::budget::{Need, within};
use crate::program::model::SolvedModel;
use crate::program::report::normalised;
use crate::program::rows::reading_of;
use crate::program::search::all_rows;
use crate::program::show::Show;
use crate::program::source;
use crate::program::theorem::{Goal, Rates, Theorem};
use crate::sampler::Uniforms;
use instances::{INSTANCES, named};
use methods::{Ground, METHODS, Method, NOT_RUN, NotRun, Printed};
use serde::Serialize;
use std::time::Instant;

/// One run of one method.
#[derive(Serialize, Clone)]
pub struct Run {
    instance: String,
    method: &'static str,
    n: usize,
    seed: u64,
    /// Of the last policy.
    suboptimality: f64,
    /// The same, the uniform policy's being 1; `None` where that is optimal.
    normalised: Option<f64>,
    /// Of the run on all rows, the search not counted.
    seconds: f64,
    passes: usize,
    bytes: usize,
}

/// A method at one n: over the seeds, the mean and the ends.
#[derive(Serialize, Clone, Copy)]
pub struct At {
    pub n: usize,
    /// `None` where the uniform policy is optimal.
    pub mean: Option<f64>,
    pub least: Option<f64>,
    pub most: Option<f64>,
    /// The fastest.
    pub seconds: f64,
    /// Means.
    pub passes: f64,
    pub bytes: f64,
}

/// A method on an instance.
#[derive(Serialize)]
pub struct Summary {
    pub method: &'static str,
    pub printed: Printed,
    pub at: Vec<At>,
    /// e in n^e, fitted to the mean normalised suboptimality; `None` where it is 0 somewhere.
    pub suboptimality_exponent: Option<f64>,
    pub seconds_exponent: Option<f64>,
    /// Of n·passes: the cost where every iteration goes over the rows, as print counts.
    pub visits_exponent: Option<f64>,
    pub bytes_exponent: Option<f64>,
}

/// All methods on one instance.
#[derive(Serialize)]
pub struct Table {
    pub instance: String,
    pub shows: String,
    pub optimal: f64,
    pub uniform: f64,
    pub behavior: f64,
    /// C_{φ,1} of the optimal policy; `None` where it is infinite.
    pub coverage: Option<f64>,
    pub summaries: Vec<Summary>,
}

/// The whole answer.
#[derive(Serialize)]
struct Answer<'a> {
    seeds: usize,
    candidates: usize,
    rule: &'static str,
    runs: &'a [Run],
    summaries: &'a [Table],
    not_run: &'a [NotRun],
}

pub const RULE: &str = "every method's parameters: points of the unit cube by the search of opd tune, mapped on its ranges by factors of ten, half of them \
    first on a quarter of four fifths of the rows, the best and their neighbours on all of it, and scored by LSTDQ (estimate less standard error) on the \
    other fifth; the best of them and their neighbours are run on all rows, and the one that LSTDQ prefers there is taken. T of FQI, VI-LCB and ours is among \
    the parameters. The theorem's rates are from the model: they need its coverage";

/// As many as `opd tune` has.
const SPLITS: usize = 3;

pub fn table1(args: &Table1Args, show: &Show) -> Result<Verdict, InputError> {
    let inputs = [("--mdp", args.source.mdp.as_deref()), ("--data", args.data.as_deref())];
    expect_apart(&inputs, &[("--html", args.html.as_deref())])?;
    let problems = problems(args)?;
    for (problem, _) in &problems {
        affordable(args, problem)?;
    }
    let steps = problems.len() * METHODS.len() * args.rows.len() * args.seeds;
    let bar = show.progress_of(steps as u64, "runs");
    let (mut runs, mut tables) = (Vec::new(), Vec::new());
    for (problem, shows) in &problems {
        let (some, table) = measured(args, problem, shows, &bar)?;
        runs.extend(some);
        tables.push(table);
    }
    bar.finish_and_clear();
    if let Some(file) = &args.html {
        let page = page::table1_page(&tables, args.seeds);
        OutputFile::finish_all(vec![OutputFile::holding(file, page.as_bytes())?])?;
    }
    if show.json {
        let (seeds, candidates) = (args.seeds, args.candidates);
        show.value(&Answer { seeds, candidates, rule: RULE, runs: &runs, summaries: &tables, not_run: &NOT_RUN })?;
    } else {
        show.text(&table::text(&tables, show))?;
    }
    Ok(Verdict::Good)
}

/// The problem that was asked for, or the three instances.
fn problems(args: &Table1Args) -> Result<Vec<(Problem<f64>, String)>, InputError> {
    match (&args.source.mdp, &args.source.instance) {
        (Some(_), _) => Ok(vec![(source::problem(&args.source)?, "a problem file".to_owned())]),
        (None, Some(name)) => {
            let shows =
                INSTANCES.iter().find(|(known, ..)| known == name).map_or("an embedded instance", |known| known.1);
            Ok(vec![(named(name)?, shows.to_owned())])
        }
        (None, None) if args.data.is_some() => {
            Err(InputError::call("--data", "without --mdp or --instance, expected the problem that the rows are of"))
        }
        (None, None) => INSTANCES.iter().map(|(name, shows, _)| Ok((named(name)?, (*shows).to_owned()))).collect(),
    }
}

/// Eliminations of LSTDQ and of the critics are what takes time, then the iterations of FOGAS, then ours.
fn affordable(args: &Table1Args, problem: &Problem<f64>) -> Result<(), InputError> {
    let Shape { states, actions, dim } = problem.shape;
    let one_hot = matches!(Features::new(&problem.features, dim), Features::OneHot(_));
    let (unknowns, width) = if one_hot { (dim.min(states), 1) } else { (dim, dim) };
    let [states, actions, dim, unknowns, width] = [states, actions, dim, unknowns, width].map(|n| n as f64);
    let most = args.rows.iter().copied().max().unwrap_or(0) as f64;
    let elimination = unknowns.powi(3) + states * actions * (unknowns + width);
    let eliminations = 2.0 * libm::pow(most, 0.4) + 30.0 + METHODS.len() as f64;
    let iterations = 1000.0 * (5.0 * states * actions + 2.0 * dim) * width;
    let one = eliminations * elimination + iterations + 10.0 * most * dim * actions;
    let plan = Plan { candidates: args.candidates, splits: SPLITS, seed: 0, threads: 1 };
    let runs = (plan.runs() + plan.last_runs() + 1) as f64 * args.rows.len() as f64 * args.seeds as f64;
    within(args.budget, "this table", &[Need::operations(runs * one)])
}

type Measured = (Vec<Run>, Table);

fn measured(
    args: &Table1Args,
    problem: &Problem<f64>,
    shows: &str,
    bar: &indicatif::ProgressBar,
) -> Result<Measured, InputError> {
    problem.behavior("Table 1")?;
    let model = SolvedModel::new(Setting::Discounted, problem, "Table 1")?;
    let theorem = Theorem::of_model(Exponent::One, (None, None), problem, &model).ok();
    let at_rows = |rows: usize| at_rates(theorem.as_ref()?, rows);
    let ground = Ground {
        shape: problem.shape,
        features: &problem.features,
        aligned: Aligned::from(&problem.features[..]),
        discount: *problem.discount()?,
        theorem: &at_rows,
    };
    let file = args
        .data
        .as_ref()
        .map(|file| all_rows(file, &reading_of(&args.reading, args.seed, problem), problem))
        .transpose()?;
    let refused = |e| InputError::call("value of a policy", e);
    let uniform = model.value(&vec![1.0 / problem.shape.actions as f64; problem.shape.pairs()]).map_err(refused)?;
    let behavior = model.value(problem.behavior("Table 1")?).map_err(refused)?;
    let mut runs = Vec::new();
    for &n in &args.rows {
        for seed in (0..args.seeds as u64).map(|index| args.seed.wrapping_add(index)) {
            let rows = match &file {
                Some(all) => some_rows(all, n, seed)?,
                None => model.sampler(seed)?.take(n).collect(),
            };
            let plan = Plan { candidates: args.candidates, splits: SPLITS, seed, threads: 1 };
            let found = each(args.threads.into(), METHODS.into_iter(), |method| {
                let found = searched(method, &ground, &rows, &plan);
                bar.inc(1);
                found
            })?;
            for (method, found) in METHODS.into_iter().zip(found) {
                runs.extend(one_run(method, found, (&problem.name, &model, uniform), &ground, &rows, seed)?);
            }
        }
    }
    let coverage = model.beta_norm(Exponent::One, "coverage").ok().map(|length| length * length);
    let summaries = METHODS.iter().map(|method| summary(*method, &args.rows, &runs)).collect();
    let (instance, shows, optimal) = (problem.name.clone(), shows.to_owned(), model.best);
    Ok((runs, Table { instance, shows, optimal, uniform, behavior, coverage, summaries }))
}

/// A method with the parameters and the stop that the search found; none where it has no answer.
fn one_run(
    method: Method,
    (point, stop): ([f64; 6], Option<usize>),
    (name, model, uniform): (&str, &SolvedModel<'_, f64>, f64),
    ground: &Ground<'_>,
    rows: &[Row],
    seed: u64,
) -> Result<Option<Run>, InputError> {
    let used = &rows[..stop.unwrap_or(rows.len())];
    let (ran, seconds) = timed(|| method.run(ground, (used, rows.len()), point, 0));
    let Some(ran) = ran else { return Ok(None) };
    let value = model.value(&ran.learnt.policy).map_err(|e| InputError::call("value of a policy", e))?;
    Ok(Some(Run {
        instance: name.to_owned(),
        method: method.name(),
        n: rows.len(),
        seed,
        suboptimality: model.best - value,
        normalised: normalised(model.best, uniform, value),
        seconds,
        passes: ran.passes,
        bytes: 8 * ran.numbers,
    }))
}

/// The theorem's rates for so many rows, where it has some.
fn at_rates(theorem: &Theorem, rows: usize) -> Option<Candidate> {
    let (radius_theta, radius_beta) = (theorem.radius_theta, theorem.radius_beta);
    let Rates { inner, alpha, eta, zeta, .. } = theorem.rates_for(Goal::Samples(rows)).ok()?;
    Some(Candidate { inner, alpha, eta, zeta, radius_theta, radius_beta })
}

/// n of the file's rows, from the seed, in the order of the draw.
fn some_rows(all: &[Row], n: usize, seed: u64) -> Result<Vec<Row>, InputError> {
    if n > all.len() {
        return Err(InputError::call(
            "--rows",
            format_args!("found {n}, expected at most the {} of --data", all.len()),
        ));
    }
    let mut order: Vec<usize> = (0..all.len()).collect();
    let mut uniforms = Uniforms::new(!seed);
    for i in 0..n {
        let j = i + ((uniforms.unit() * (all.len() - i) as f64) as usize).min(all.len() - i - 1);
        order.swap(i, j);
    }
    Ok(order[..n].iter().map(|&index| all[index]).collect())
}

/// By the rule, which is the search of `opd tune`: the point of the unit cube, and after how many rows to stop.
fn searched(
    method: Method,
    ground: &Ground<'_>,
    rows: &[Row],
    plan: &Plan,
) -> Result<([f64; 6], Option<usize>), InputError> {
    if method == Method::Theorem {
        return Ok(([0.0; 6], None));
    }
    let refused = |e| {
        let problem = format_args!("found {}, expected more, of which a fifth is held out: {e}", rows.len());
        InputError::call("--rows", problem)
    };
    let whole = Batch::new(ground.shape, ground.features, ground.discount, rows).map_err(refused)?;
    let splits = plan.split(rows);
    let judges = Plan::judges(&splits, &whole).map_err(refused)?;
    let mut learn = |points: &[[f64; 6]], some: &[Row], stops: usize| {
        let run = |point: &[f64; 6]| Some(method.run(ground, (some, rows.len()), *point, stops)?.learnt);
        points.iter().map(run).collect()
    };
    let mut found = baselines::search(plan, (&splits, &judges), &mut learn).map_err(refused)?;
    baselines::last_round(plan, (&splits, &judges), (rows, &Evaluator::new(whole, 1.0)), learn, &mut found);
    Ok((found.ranking[0].candidate, found.ranking[0].stop))
}

/// What a run gives and the seconds that it takes: of the fastest, where several fit in a hundredth of a second.
fn timed<R>(run: impl Fn() -> R) -> (R, f64) {
    let once = || {
        let start = Instant::now();
        (run(), start.elapsed().as_secs_f64())
    };
    let (ran, mut least) = once();
    let mut total = least;
    while total + least < 0.01 {
        let seconds = once().1;
        least = least.min(seconds);
        total += seconds;
    }
    (ran, least)
}

fn summary(method: Method, sizes: &[usize], runs: &[Run]) -> Summary {
    let of = |n: usize| runs.iter().filter(move |run| run.method == method.name() && run.n == n);
    let at: Vec<At> = sizes
        .iter()
        .filter(|n| of(**n).next().is_some())
        .map(|&n| {
            let count = of(n).count() as f64;
            let values: Option<Vec<f64>> = of(n).map(|run| run.normalised).collect();
            let over = |of: fn(&[f64]) -> f64| values.as_deref().map(of);
            At {
                n,
                mean: over(|values| values.iter().sum::<f64>() / values.len() as f64),
                least: over(|values| values.iter().copied().fold(f64::INFINITY, f64::min)),
                most: over(|values| values.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
                seconds: of(n).map(|run| run.seconds).fold(f64::INFINITY, f64::min),
                passes: of(n).map(|run| run.passes as f64).sum::<f64>() / count,
                bytes: of(n).map(|run| run.bytes as f64).sum::<f64>() / count,
            }
        })
        .collect();
    let fitted = |least: f64, y: fn(&At) -> f64| exponent(least, at.iter().map(|at| (at.n, y(at))));
    Summary {
        method: method.name(),
        printed: method.printed(),
        suboptimality_exponent: fitted(NONE, |at| at.mean.unwrap_or(0.0)),
        seconds_exponent: fitted(0.0, |at| at.seconds),
        visits_exponent: fitted(0.0, |at| at.n as f64 * at.passes),
        bytes_exponent: fitted(0.0, |at| at.bytes),
        at,
    }
}

/// A suboptimality that is printed as 0.000 has no slope.
const NONE: f64 = 5e-4;

/// The slope of log y over log n by least squares; `None` for fewer than two sizes, or where a y is not above the least.
fn exponent(least: f64, points: impl Iterator<Item = (usize, f64)>) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.map(|(n, y)| (libm::log(n as f64), libm::log(y.max(0.0)))).collect();
    let (count, floor) = (logs.len() as f64, libm::log(least));
    let mean = |part: fn(&(f64, f64)) -> f64| logs.iter().map(part).sum::<f64>() / count;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
    let slope = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / spread;
    (spread > 0.0 && logs.iter().all(|(_, y)| *y > floor)).then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two seeds at 100 rows, one at 10,000; another method's run in between.
    #[test]
    fn summaries_are_of_the_methods_own_runs() {
        let (method, other) = (Method::Theorem, Method::Atac);
        let run = |method: Method, n, normalised, seconds, passes, bytes| Run {
            instance: String::new(),
            method: method.name(),
            n,
            seed: 0,
            suboptimality: 0.0,
            normalised: Some(normalised),
            seconds,
            passes,
            bytes,
        };
        let runs = [
            run(method, 100, 0.5, 2.0, 1, 10),
            run(other, 100, 7.0, 0.1, 50, 1000),
            run(method, 100, 0.25, 1.0, 4, 30),
            run(method, 10_000, 0.0375, 10.0, 1, 20),
        ];
        let found = summary(method, &[100, 1000, 10_000], &runs);
        let At { n, mean, least, most, seconds, passes, bytes } = found.at[0];
        assert_eq!(
            (n, mean, least, most, seconds, passes, bytes),
            (100, Some(0.375), Some(0.25), Some(0.5), 1.0, 2.5, 20.0)
        );
        assert_eq!((found.at.len(), found.at[1].n), (2, 10_000));
        // From 0.375 to 0.0375 and from 1 to 10 seconds where n grows a hundredfold.
        let near = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?}");
        near(found.suboptimality_exponent, -0.5);
        near(found.seconds_exponent, 0.5);
        near(found.visits_exponent, (1e4_f64 / 250.0).log10() / 2.0);
    }
}
