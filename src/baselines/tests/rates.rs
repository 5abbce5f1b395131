//! Estimates, rates and searches, written out once more.

use super::*;
use crate::fast::aligned::Aligned;
use crate::sampler::Uniforms;
use nalgebra::{DMatrix, DVector};

fn drawn(model: &Known, seed: u64, rows: usize) -> Vec<Sample<f64>> {
    model.ask(|mdp, _| Sampler::discounted(mdp, &model.behavior, seed).unwrap()).take(rows).collect()
}

/// LSTDQ row by row: no cells, no routes. Rewards that vary within a cell, so that their squares count.
#[test]
fn an_estimate_is_its_formulas_row_by_row() {
    for model in known() {
        let (mut rows, dim, gamma) = (drawn(&model, 11, 60), model.shape.dim, model.discount);
        rows.iter_mut().enumerate().for_each(|(index, row)| row.r += (index % 7) as f64 / 3.0);
        let batch = Batch::new(model.shape, &model.features, gamma, &rows).unwrap();
        let theta: Vec<f64> = (0..dim).map(|i| ((5 * i) % 7) as f64 / 3.0).collect();
        let policy = softmax(&batch, 0.9, &theta).unwrap();
        let estimate = Evaluator::new(batch, 0.75).estimate(&policy).unwrap();
        let actions = model.shape.actions;
        let phi = |x: usize, a: usize| DVector::from_column_slice(&model.features[(x * actions + a) * dim..][..dim]);
        let of = |x: usize| (0..actions).map(|a| phi(x, a) * policy[x * actions + a]).sum::<DVector<f64>>();
        let n = rows.len() as f64;
        let (mut a, mut b) = (DMatrix::from_diagonal_element(dim, dim, 0.75), DVector::zeros(dim));
        let mut start = DVector::zeros(dim);
        for row in &rows {
            a += phi(row.x, row.a) * (phi(row.x, row.a) - of(row.x_next) * gamma).transpose();
            b += phi(row.x, row.a) * row.r;
            start += of(row.x0) * ((1.0 - gamma) / n);
        }
        let theta = a.clone().lu().solve(&b).unwrap();
        let dual = a.transpose().lu().solve(&start).unwrap();
        let value = start.dot(&theta);
        let weight = |row: &Sample<f64>| n * dual.dot(&phi(row.x, row.a));
        let missed = |row: &Sample<f64>| row.r + gamma * of(row.x_next).dot(&theta) - phi(row.x, row.a).dot(&theta);
        let sum = |f: &dyn Fn(&Sample<f64>) -> f64| rows.iter().map(f).sum::<f64>();
        let mass = sum(&weight);
        let noise = sum(&|row| (weight(row) * missed(row)).powi(2))
            + sum(&|row| ((1.0 - gamma) * of(row.x0).dot(&theta) - value).powi(2));
        near(&estimate.theta, theta.as_slice(), 1e-10);
        let found = [estimate.value, estimate.error, estimate.mass, estimate.effective_rows];
        near(&found, &[value, noise.sqrt() / n, mass / n, mass * mass / sum(&|row| weight(row).powi(2))], 1e-9);
    }
}

/// A pair that no row has leaves a diagonal N without an inverse where there is no ridge.
#[test]
fn what_the_rows_never_see_is_singular() {
    let model = known().into_iter().find(|model| model.shape.dim == model.shape.pairs()).expect("a table");
    let rows: Vec<_> = drawn(&model, 1, 200).into_iter().filter(|row| row.a == 0).collect();
    let batch = Batch::new(model.shape, &model.features, model.discount, &rows).unwrap();
    let rows = Evaluator::new(batch, 0.0);
    assert!(rows.by_states().is_some());
    assert_eq!(rows.estimate(&uniform(rows.batch())), Err(normal::SINGULAR));
    assert_eq!(fqi_theta(&rows, 3), Err(normal::SINGULAR));
}

/// The room of a judge: five numbers a cell, starts, counts; N; the sum of rewards; for each next state itself and two numbers a component.
#[test]
fn numbers_are_counted() {
    let model = known().into_iter().find(|model| model.shape.dim == model.shape.pairs()).expect("a table");
    let rows = drawn(&model, 1, 300);
    let batch = Batch::new(model.shape, &model.features, model.discount, &rows).unwrap();
    let Shape { states, dim, .. } = model.shape;
    let mut full = batch.clone();
    full.phi = Features::Rows(&model.features, dim);
    let cells = batch.cells.len();
    let nexts: std::collections::BTreeSet<usize> = rows.iter().map(|row| row.x_next).collect();
    let kept = 5 * cells + states + dim;
    assert_eq!(batch.numbers(), kept);
    // One component for every cell that leads there.
    let arrivals = nexts.len() + 2 * cells;
    assert_eq!(Evaluator::new(batch, 1.0).numbers(), (kept + dim + dim + arrivals, nexts.len().pow(2)));
    let (kept_full, square) = Evaluator::new(full, 1.0).numbers();
    assert_eq!((kept_full >= kept + dim * dim + dim + arrivals, square), (true, dim * dim));
}

#[test]
fn rows_outside_the_model_are_refused() {
    let shape = Shape { states: 2, actions: 2, dim: 1 };
    let row = Sample { x0: 1, x: 1, a: 1, r: 0.5, x_next: 1, u: 0.0 };
    let wrong = [
        Sample { x0: 2, ..row },
        Sample { x: 2, ..row },
        Sample { x_next: 2, ..row },
        Sample { a: 2, ..row },
        Sample { r: f64::NAN, ..row },
    ];
    assert!(Batch::new(shape, &[1.0; 4], 0.5, &[row]).is_ok());
    for wrong in wrong {
        let refused = Batch::new(shape, &[1.0; 4], 0.5, &[row, wrong]).err();
        assert!(matches!(refused, Some(crate::Error::OutOfRange { what: "row", index: 1, .. })), "{refused:?}");
    }
}

/// The ends of the stated ranges and their geometric middle.
#[test]
fn candidates_are_the_stated_ranges() {
    let (shape, gamma, rows) = (Shape { states: 2, actions: 1, dim: 4 }, 0.75, 3000);
    // D_φ² = 9: the second feature.
    let features = [1.0, 0.0, 0.0, 1.0, 2.0, 2.0, 1.0, 0.0];
    let ends = |low: f64, high: f64| [low, (low * high).sqrt(), high];
    for place in 0..3 {
        let point = [[0.0; 6], [0.5; 6], [1.0; 6]][place];
        let Candidate { inner, alpha, eta, zeta, radius_theta, radius_beta } =
            Candidate::from_unit(point, shape, &features, gamma, rows);
        assert_eq!(inner, [2, 7, 30][place]);
        let outer = (rows / inner) as f64;
        let (tau, b) = (ends(1e-3, 1.0)[place] * 4.0, ends(0.3, 100.0)[place]);
        let found = [alpha * outer * tau, eta * b * 9.0 / tau, zeta * tau * 9.0 / b, radius_theta, radius_beta];
        let stated = [
            ends(1e3, 1e7)[place],
            ends(1e-4, 1.0)[place],
            ends(1e-2, 30.0)[place],
            tau * 2.0 / 3.0, // √d/D_φ
            b * 2.0 / 3.0,
        ];
        for (found, stated) in found.iter().zip(stated) {
            assert!((found / stated - 1.0).abs() < 1e-12, "{found} for {stated}");
        }
    }
    assert_eq!(Candidate::from_unit([1.0; 6], shape, &features, gamma, 5).inner, 5, "no more than there are rows");
}

/// What is on the way of a run is where a run on fewer rows ends; runs side by side are runs alone, those that diverge too.
#[test]
fn paths_are_shorter_runs_and_runs_side_by_side_are_alone() {
    let mut moved = 0;
    for model in known() {
        let rows = drawn(&model, 2, 400);
        let features = Aligned::from(&model.features[..]);
        let at = |point| Candidate::from_unit(point, model.shape, &model.features, model.discount, rows.len());
        let mut wild = at([0.5; 6]);
        wild.eta = 1e308;
        wild.radius_theta = 1e200;
        let candidates = [at([0.2; 6]), wild, at([0.6, 0.5, 0.5, 0.5, 0.9, 0.3])];
        let alone = |candidate: &Candidate, rows: &[Sample<f64>], points| {
            run(model.shape, &features, model.discount, rows, candidate, points)
        };
        // Twenty: groups of eight and some that are left over.
        let many: Vec<Candidate> = candidates.iter().copied().cycle().take(20).collect();
        let all = |threads, of: &[Candidate]| run_all(threads, model.shape, &features, model.discount, &rows, of, 3);
        let expected: Vec<_> = many.iter().map(|candidate| alone(candidate, &rows, 3)).collect();
        for (threads, count) in [(0, 20), (1, 20), (2, 20), (3, 20), (3, 11), (1, 3), (2, 1)] {
            assert_eq!(all(threads, &many[..count]), expected[..count], "{count} on {threads} threads");
        }
        for (candidate, expected) in candidates.iter().zip(expected) {
            let Ok(Learnt { policy, path }) = expected else { continue };
            let outer = rows.len() / candidate.inner;
            let stride = outer / 3;
            assert_eq!(path.len(), outer / stride);
            for (index, (used, on_the_way)) in path.iter().enumerate() {
                assert_eq!(*used, (index + 1) * stride * candidate.inner);
                assert_eq!(*on_the_way, alone(candidate, &rows[..*used], 0).unwrap().policy);
            }
            assert!(alone(candidate, &rows, 0).unwrap().path.is_empty());
            moved += usize::from(policy.iter().any(|p| *p != policy[0]));
        }
    }
    assert!(moved > 5, "nothing is learnt: {moved}");
}

#[test]
fn a_fifth_is_held_out() {
    let rows = drawn(&known()[0], 4, 10_000);
    let Split { learn, judge } = Split::new(&rows, 1);
    assert_eq!(learn.len() + judge.len(), 10_000);
    // Five standard deviations.
    assert!((1_800..2_200).contains(&judge.len()), "{}", judge.len());
    let split = Split { learn, judge };
    assert_eq!(split.until(None, 10_000).len(), split.learn.len());
    assert_eq!(split.until(Some(2_500), 10_000).len(), split.learn.len() / 4);
}

/// Counted by hand.
#[test]
fn plans_are_counted() {
    let plan = |candidates, splits| Plan { candidates, splits, seed: 0, threads: 1 };
    let counted = |plan: Plan| (plan.early(), plan.promoted(), plan.finalists(), plan.runs(), plan.last_runs());
    // 60 on a quarter, 15 of them on all, 60 near by, 15 finalists on two more splits; then 15, 30 and 3.
    assert_eq!(counted(plan(120, 3)), (60, 15, 15, 165, 48));
    assert_eq!(plan(120, 3).whole_runs(), 15.0 + 15.0 + 60.0 + 30.0);
    assert_eq!(counted(plan(10, 2)), (5, 2, 4, 16, 9));
    assert_eq!(plan(10, 2).whole_runs(), 1.25 + 2.0 + 5.0 + 4.0);
    assert_eq!(counted(plan(1, 0)), (1, 1, 1, 2, 2));
}

#[test]
fn credit_is_value_less_error_and_a_score_their_mean() {
    let estimate = |value, error, mass| Estimate { theta: Vec::new(), value, error, mass, effective_rows: 1.0 };
    assert_eq!(credit(&estimate(0.5, 0.125, 1.0)), 0.375);
    for mass in [-0.1, 1.2, f64::NAN] {
        assert_eq!(credit(&estimate(0.5, 0.125, mass)), f64::NEG_INFINITY);
    }
    let estimates = vec![Some(estimate(0.5, 0.125, 1.0)), Some(estimate(1.0, 0.5, 0.0))];
    let scored = Scored { candidate: (), policy: Vec::new(), whole: true, estimates, stop: None };
    assert_eq!(scored.score(), 0.4375);
}

/// Neighbours fill the box around their centre, and no more than the unit cube.
#[test]
fn neighbours_are_all_around() {
    let mut uniforms = Uniforms::new(1);
    let center = Scored { candidate: [0.4, 0.95], policy: vec![], whole: true, estimates: vec![], stop: None };
    let drawn: Vec<search::Neighbour<2>> = search::Neighbour::draw(4000, (0.2, 0.2), &mut uniforms);
    let all: Vec<[f64; 2]> = drawn[..1000].iter().map(|one| one.of(std::slice::from_ref(&center))).collect();
    let ends = |i: usize| all.iter().fold((1.0_f64, 0.0_f64), |(low, high), p| (low.min(p[i]), high.max(p[i])));
    let ((low, high), (second, most)) = (ends(0), ends(1));
    assert!((0.2..0.21).contains(&low) && (0.59..=0.6).contains(&high), "{low} {high}");
    assert!((0.75..0.76).contains(&second) && most == 1.0, "{second} {most}");
    let mean = all.iter().map(|p| p[0]).sum::<f64>() / 1000.0;
    assert!((mean - 0.4).abs() < 0.02, "{mean}");
    // u below 1/2 is the best; √u/2 of the others.
    let mut places = [0; 5];
    for one in &drawn {
        places[one.place.min(4)] += 1;
    }
    let expected = [2000.0, 828.0, 636.0, 536.0, 0.0];
    for (found, expected) in places.iter().zip(expected) {
        assert!((f64::from(*found) - expected).abs() < 130.0, "{places:?}");
    }
}

/// Candidates that are tried several at once are those that are tried one by one, although some change near whom the others are.
#[test]
fn candidates_tried_ahead_are_those_tried_one_by_one() {
    let neighbours = search::Neighbour::draw(60, (0.3, 0.1), &mut Uniforms::new(5));
    let scored = |candidate: &[f64; 2]| {
        let value = -(candidate[0] - 0.9).hypot(candidate[1] - 0.2);
        let estimate = Estimate { theta: Vec::new(), value, error: 0.0, mass: 1.0, effective_rows: 1.0 };
        Scored { candidate: *candidate, policy: vec![], whole: true, estimates: vec![Some(estimate)], stop: None }
    };
    let with = |threads| {
        let (mut ranking, mut count) = (vec![scored(&[0.1, 0.9])], 0);
        search::one_by_one(threads, &neighbours, &mut ranking, |points| {
            count += points.len();
            points.iter().map(scored).collect()
        });
        (ranking, count)
    };
    let (ranking, count) = with(1);
    assert_eq!((ranking.len(), count), (61, 60));
    for threads in [0, 2, 3, 8, 100] {
        let (found, tried) = with(threads);
        assert_eq!(found, ranking, "{threads} threads");
        assert!(threads == 0 || (61..60 * threads).contains(&tried), "{threads} threads: {tried} tried");
    }
}

/// Every candidate of the second half is drawn around one that was run before, from a neighbourhood that shrinks from 0.25 to 0.025.
#[test]
fn a_search_draws_ever_nearer_to_the_best() {
    let model = &known()[0];
    let rows = drawn(model, 3, 500);
    let plan = Plan { candidates: 80, splits: 1, seed: 9, threads: 1 };
    let whole = Batch::new(model.shape, &model.features, model.discount, &rows).unwrap();
    let splits = plan.split(&rows);
    let judges = Plan::judges(&splits, &whole).unwrap();
    let (best, even) = (model.optimal().0, uniform(&whole));
    let mut points: Vec<[f64; 3]> = Vec::new();
    let learn = |some: &[[f64; 3]], _: &[Sample<f64>], _| {
        points.extend(some);
        let learnt = |point: &[f64; 3]| {
            let mixed = best.iter().zip(&even).map(|(b, e)| point[0] * b + (1.0 - point[0]) * e);
            Some(Learnt { policy: mixed.collect(), path: Vec::new() })
        };
        some.iter().map(learnt).collect()
    };
    search(&plan, (&splits, &judges), learn).unwrap();
    assert_eq!(points.len(), 40 + 10 + 40);
    let distance = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let mut shares = Vec::new();
    for index in 0..40_u16 {
        let at = 50 + usize::from(index);
        let nearest = points[40..at].iter().map(|before| distance(before, &points[at])).fold(1.0, f64::min);
        shares.push(nearest / (0.25 * 0.1_f64.powf(f64::from(index) / 40.0)));
    }
    assert!(shares.iter().all(|share| *share <= 1.0 + 1e-12), "{shares:?}");
    // Of three coordinates the largest is mostly beyond half of the reach, where no other point is nearer by chance.
    for part in shares.chunks(10) {
        assert!(part.iter().any(|share| *share > 0.5), "{part:?}");
    }
}
