//! `opd tune --data D --search N`: rates that learn, by a seeded search that is scored on held-out rows.

mod page;
mod report;
mod truth;

use crate::baselines::{self, Batch, Candidate, Found, Plan, Scored, Split};
use crate::data::{InputError, OutputFile, Problem, Reading, Row, RowSpec, Setting, expect_apart, with_reading};
use crate::fast::aligned::Aligned;
use crate::paper::covariance::Exponent;
use crate::program::Verdict;
use crate::program::args::TuneArgs;
use crate::program::budget::{Need, within};
use crate::program::rows::reading_of;
use crate::program::show::{Show, columns, complain};
use crate::program::source;
use report::report;
use std::path::Path;

/// How many points the learning curve has.
const POINTS: usize = 24;

/// The problem's part of a search.
struct Ground<'a> {
    problem: &'a Problem<f64>,
    features: Aligned,
    discount: f64,
}

impl Ground<'_> {
    fn learn(&self, rates: &Candidate, rows: &[Row], points: usize) -> Option<baselines::Learnt> {
        baselines::run(self.problem.shape, &self.features, self.discount, rows, rates, points).ok()
    }
}

pub fn search(args: &TuneArgs, show: &Show) -> Result<Verdict, InputError> {
    let (Some(candidates), Some(data)) = (args.search, &args.data) else {
        return Err(InputError::call("--search", "without --data, expected both"));
    };
    if args.setting == Setting::Average || args.c == Exponent::Half {
        let problem = "given with --setting average or --c 1/2, expected the discounted setting and c = 1";
        return Err(InputError::call("--search", problem));
    }
    expect_apart(
        &[("--mdp", args.source.mdp.as_deref()), ("--data", Some(data))],
        &[("--html", args.html.as_deref())],
    )?;
    let problem = source::problem::<f64>(&args.source)?;
    let ground =
        Ground { problem: &problem, features: Aligned::from(&problem.features[..]), discount: *problem.discount()? };
    let rows = all_rows(data, &reading_of(&args.reading, args.seed, &problem), &problem)?;
    let plan = Plan { candidates, splits: args.splits, seed: args.seed };
    affordable(args, &problem, rows.len(), &plan)?;
    let refused = |e| InputError::call(data.display(), e);
    let batch = Batch::new(problem.shape, &problem.features, ground.discount, &rows).map_err(refused)?;
    let splits = plan.split(&rows);
    let judges = Plan::judges(&splits, &batch).map_err(refused)?;
    let runs = plan.candidates + plan.finalists() * (plan.splits - 1);
    let bar = show.progress_of(runs as u64, "runs");
    let rates = |point: &[f64; 6]| candidate(args, &ground, point, rows.len());
    let learn = |point: &[f64; 6], split: &Split| Some(ground.learn(&rates(point), &split.learn, 0)?.policy);
    let found = baselines::search(&plan, (&splits, &judges), learn, || bar.inc(1)).map_err(refused)?;
    let ranking = found.ranking.into_iter();
    let ranking = ranking.map(|s| Scored { candidate: rates(&s.candidate), estimates: s.estimates }).collect();
    let found = Found { ranking, finalists: found.finalists };
    bar.finish_and_clear();
    let search = report(args, &ground, &rows, (&splits, &judges), &found)?;
    if let Some(file) = &args.html {
        OutputFile::finish_all(vec![OutputFile::holding(file, page::search_page(&search).as_bytes())?])?;
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
    // Both parts of every split need some.
    if rows.len() < 100 {
        return Err(InputError::file(data, format_args!("found {} rows, expected at least 100 to search", rows.len())));
    }
    Ok(rows)
}

/// A run costs about 10 operations per row and component of the features of two states, an estimate two eliminations.
fn affordable(args: &TuneArgs, problem: &Problem<f64>, rows: usize, plan: &Plan) -> Result<(), InputError> {
    let [states, actions, dim] = [problem.shape.states, problem.shape.actions, problem.shape.dim].map(|n| n as f64);
    let run = 10.0 * rows as f64 * actions * dim;
    let estimate = 2.0 * dim.powi(3) + states * (actions + dim) * dim;
    let finals = plan.finalists() as f64;
    let runs = plan.candidates as f64 + plan.splits as f64 * finals;
    let curve = (POINTS * plan.splits) as f64 * estimate;
    let bytes = 120.0 * rows as f64 * (1.0 + plan.splits as f64);
    let needs = [Need::operations(runs * (run + estimate) + curve), Need::bytes(bytes)];
    within(args.budget, "this search", &needs)
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
