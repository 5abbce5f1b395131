//! Appendix D. Lemma D.1 path by path in exact arithmetic; Lemma D.2 over intervals that provably contain the numbers.
#![cfg(feature = "exact")]

use offline_primal_dual::Error;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::number::interval::Interval;
use offline_primal_dual::number::{Field, Real};
use offline_primal_dual::paper::online_learning::{gradient_descent as gd, mirror_descent as md};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

fn point(n: i64, d: i64) -> Interval {
    Interval::point(&q(n, d))
}

/// Every word of length `n` over the indices of an alphabet.
fn words(letters: usize, n: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..letters.pow(u32::try_from(n).unwrap()))
        .map(move |code| (0..n).map(|k| code / letters.pow(u32::try_from(k).unwrap()) % letters).collect())
}

/// One path of projected ascent on the line through 0 and a rational unit vector, so that every norm is rational. Checks
/// each step and the telescoped sum, and says whether some step was projected.
fn check_path(direction: &[Q], start: &Q, eta: &Q, letters: &[Q], word: &[usize], y_star: &[Q]) -> bool {
    let radius = q(1, 1);
    let along = |s: &Q| -> Vec<Q> { direction.iter().map(|u| u.clone() * s).collect() };
    let (mut y, mut position) = (along(start), start.clone());
    let (mut iterates, mut gradients, mut projected) = (y.clone(), Vec::new(), false);
    let mut greatest = q(0, 1);
    for &letter in word {
        let h = along(&letters[letter]);
        let mut next = gd::unprojected_step(&y, eta, &h, &mut &mut y.clone()[..]).unwrap().to_vec();
        let before = gd::distance_squared(&next, y_star).unwrap();
        let right = gd::one_step_right(&y, eta, &h, y_star).unwrap();
        assert_eq!(before, right, "the square of the unprojected step, expanded");
        position = letters[letter].clone() * eta + &position;
        gd::project_with_norm(&mut next, &position.abs(), &radius).unwrap();
        let outside = position.abs() > radius;
        if outside {
            position = if position > q(0, 1) { q(1, 1) } else { q(-1, 1) };
        }
        assert_eq!(next, along(&position), "the projection, by the route of the line");
        let left = gd::distance_squared(&next, y_star).unwrap();
        assert!(left <= right, "one step");
        assert!(!outside || left < right, "a projected step strictly gains");
        projected |= outside;
        let square = letters[letter].clone() * &letters[letter];
        greatest = if square > greatest { square } else { greatest };
        y = next;
        iterates.extend_from_slice(&y);
        gradients.extend(h);
    }
    let regret = gd::path_regret(&iterates, &gradients, y_star).unwrap();
    let telescoped = gd::telescoped_right(&iterates, &gradients, eta, y_star).unwrap();
    assert!(regret <= telescoped, "telescoped sum");
    assert_eq!(regret == telescoped, !projected, "equality exactly on paths that stay inside");
    let distance = gd::distance_squared(&iterates[..y_star.len()], y_star).unwrap();
    let bound = gd::gradient_descent_bound(&distance, eta, word.len(), &greatest).unwrap();
    assert!(telescoped <= bound, "the lemma's bound with G² = max ‖ĥ‖²");
    projected
}

/// Lemma D.1 on every sequence of up to four gradients from five, in R and on a 3-4-5 line of R² with comparators off it.
#[test]
fn gradient_descent_path_by_path() {
    let letters = [q(-2, 1), q(-1, 3), q(0, 1), q(1, 2), q(3, 1)];
    let line = [vec![q(1, 1)], vec![q(3, 5), q(4, 5)]];
    let stars = [
        vec![vec![q(-1, 1)], vec![q(1, 3)], vec![q(1, 1)]],
        vec![vec![q(3, 5), q(-4, 5)], vec![q(0, 1), q(1, 2)], vec![q(3, 5), q(4, 5)]],
    ];
    let (mut paths, mut projected) = (0, 0);
    for (direction, stars) in line.iter().zip(&stars) {
        for y_star in stars {
            for start in [q(-1, 1), q(0, 1), q(1, 2)] {
                for eta in [q(1, 4), q(1, 1)] {
                    for n in 0..=4 {
                        for word in words(letters.len(), n) {
                            projected += usize::from(check_path(direction, &start, &eta, &letters, &word, y_star));
                            paths += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(paths, 2 * 3 * 3 * 2 * (1 + 5 + 25 + 125 + 625));
    assert!(projected > paths / 4 && projected < paths, "{projected} of {paths} paths are projected");
}

/// A path of projected ascent in the unit disc of R². Coordinates are exact until a projection takes an irrational norm, and
/// provably enclosed from then on.
#[derive(Clone)]
struct PlanePath {
    iterates: Vec<Interval>,
    gradients: Vec<Interval>,
    /// max ‖ĥ‖² so far.
    greatest: Interval,
    projected: bool,
}

impl PlanePath {
    fn new(start: [Q; 2]) -> Self {
        let iterates = start.iter().map(Interval::point).collect();
        Self { iterates, gradients: Vec::new(), greatest: Interval::zero(), projected: false }
    }

    /// One step, checked: the expansion of the square, and what the projection does to it.
    fn step(&self, eta: &Interval, h: &[Interval; 2], y_star: &[Interval; 2]) -> Self {
        let mut path = self.clone();
        let y = &self.iterates[self.iterates.len() - 2..];
        let mut next =
            gd::unprojected_step(y, eta, h, &mut &mut [Interval::zero(), Interval::zero()][..]).unwrap().to_vec();
        let origin = [Interval::zero(), Interval::zero()];
        let norm = gd::distance_squared(&next, &origin).unwrap().sqrt();
        let before = gd::distance_squared(&next, y_star).unwrap();
        let right = gd::one_step_right(y, eta, h, y_star).unwrap();
        assert!(before.agrees_to(&right, 80), "the square of the unprojected step, expanded: {before:?} {right:?}");
        if norm > Interval::one() {
            next = next.into_iter().map(|x| x / &norm).collect();
            let left = gd::distance_squared(&next, y_star).unwrap();
            assert!(right.proves_above(&left), "a projected step strictly gains: {left:?} {right:?}");
            path.projected = true;
        } else {
            // Otherwise Π is the identity, and the two sides of the one-step inequality are equal, as above.
            assert!(norm <= Interval::one(), "on which side of the circle? {norm:?}");
        }
        let size = gd::distance_squared(h, &origin).unwrap();
        path.greatest = if size > path.greatest { size } else { path.greatest };
        path.iterates.extend(next);
        path.gradients.extend_from_slice(h);
        path
    }

    /// The telescoped sum, an equality as long as nothing was projected and strict from then on, and the lemma's bound.
    fn check(&self, eta: &Interval, y_star: &[Interval; 2]) {
        let regret = gd::path_regret(&self.iterates, &self.gradients, y_star).unwrap();
        let telescoped = gd::telescoped_right(&self.iterates, &self.gradients, eta, y_star).unwrap();
        if self.projected {
            assert!(telescoped.proves_above(&regret), "telescoped sum: {regret:?} {telescoped:?}");
        } else {
            assert_eq!(regret, telescoped, "nothing was projected");
        }
        let distance = gd::distance_squared(&self.iterates[..2], y_star).unwrap();
        let bound = gd::gradient_descent_bound(&distance, eta, self.gradients.len() / 2, &self.greatest).unwrap();
        assert!(telescoped.proves_at_most(&bound), "the lemma's bound with G² = max ‖ĥ‖²");
    }
}

/// Lemma D.1 in the plane, along every sequence of up to four gradients from five, none of them along one line: from the
/// centre, from inside and from the circle, towards y* inside and on the circle. Each comparison is proven; none is left open.
#[test]
fn gradient_descent_along_paths_in_the_plane() {
    let letters = [[2, 0], [-1, 1], [1, -3], [1, 2], [-3, -1]].map(|h| h.map(|n| point(n, 2)));
    let starts = [[q(0, 1), q(0, 1)], [q(1, 2), q(-1, 3)], [q(3, 5), q(4, 5)]];
    let stars = [[point(3, 5), point(-4, 5)], [point(-1, 3), point(1, 2)], [point(0, 1), point(1, 1)]];
    let (mut paths, mut projected) = (0, 0);
    for y_star in &stars {
        for eta in [point(1, 4), point(1, 1)] {
            let mut layer: Vec<PlanePath> = starts.iter().cloned().map(PlanePath::new).collect();
            for _ in 1..=4 {
                let steps = layer.iter().flat_map(|path| letters.iter().map(|h| path.step(&eta, h, y_star)));
                layer = steps.collect();
                for path in &layer {
                    path.check(&eta, y_star);
                    projected += usize::from(path.projected);
                }
                paths += layer.len();
            }
        }
    }
    assert_eq!(paths, 3 * 2 * 3 * (5 + 25 + 125 + 625));
    println!("Lemma D.1 proved on {paths} paths in the plane, {projected} of them projected");
    assert_eq!(projected, 9693, "paths with a projection, as first counted");
}

/// Π is non-expansive towards every point of the ball: a grid of the plane against a grid of the disc. Where the norm is
/// rational the projection is exact; elsewhere √ is enclosed.
#[test]
fn projection_is_non_expansive() {
    let radius = Interval::one();
    let (mut exact, mut enclosed) = (0, 0);
    let norms = |i: i64, j: i64| (0..=40).find(|n| n * n == i * i + j * j);
    for (i, j) in (-12..=12).flat_map(|i| (-12..=12).map(move |j| (i, j))) {
        if i * i + j * j <= 25 {
            continue;
        }
        let u = [q(i, 5), q(j, 5)];
        for (k, l) in (-5..=5i64).flat_map(|k| (-5..=5i64).map(move |l| (k, l))).filter(|(k, l)| k * k + l * l <= 25) {
            let star = [q(k, 5), q(l, 5)];
            let unprojected = gd::distance_squared(&u, &star).unwrap();
            if let Some(norm) = norms(i, j) {
                let mut y = u.clone();
                gd::project_with_norm(&mut y, &q(norm, 5), &q(1, 1)).unwrap();
                assert_eq!(gd::distance_squared(&y, &[q(0, 1), q(0, 1)]).unwrap(), q(1, 1));
                assert!(gd::distance_squared(&y, &star).unwrap() <= unprojected);
                exact += 1;
            } else {
                let u = u.clone().map(|x| Interval::point(&x));
                let norm = gd::distance_squared(&u, &[Interval::zero(), Interval::zero()]).unwrap().sqrt();
                let y = u.map(|x| x * &radius / &norm);
                let star = star.map(|x| Interval::point(&x));
                let left = gd::distance_squared(&y, &star).unwrap();
                assert!(left.proves_at_most(&Interval::point(&unprojected)), "{i} {j} {k} {l}");
                enclosed += 1;
            }
        }
    }
    // 544 points outside the disc, 52 of them of rational norm, against 81 points inside.
    assert_eq!((exact, enclosed), (52 * 81, 492 * 81));
    let mut y = [q(3, 1), q(4, 1)];
    assert!(gd::project_with_norm(&mut y, &q(6, 1), &q(1, 1)).is_err(), "a wrong norm is refused");
    assert!(gd::project_with_norm(&mut y, &q(-5, 1), &q(1, 1)).is_err());
    assert!(gd::project_with_norm(&mut y, &q(5, 1), &q(0, 1)).is_err());
}

#[test]
fn gradient_descent_refuses_wrong_shapes_and_rates() {
    let (one, two) = ([q(1, 1)], [q(1, 1), q(2, 1)]);
    assert!(gd::unprojected_step(&one, &one[0], &two, &mut &mut two.clone()[..]).is_err());
    assert!(gd::distance_squared(&one, &two).is_err());
    assert!(gd::instantaneous_regret(&one, &two, &one).is_err());
    assert!(gd::instantaneous_regret(&one, &one, &two).is_err());
    assert!(gd::path_regret(&one, &one, &[]).is_err());
    assert!(gd::path_regret(&one, &one, &two).is_err());
    assert!(gd::path_regret(&[q(1, 1), q(1, 1), q(1, 1)], &one, &one).is_err());
    assert!(gd::telescoped_right(&one, &one, &one[0], &one).is_err(), "y_{{n+1}} is missing");
    for rate in [q(0, 1), q(-1, 1), Q::INVALID] {
        assert!(gd::telescoped_right(&two, &one, &rate, &one).is_err());
        assert!(gd::gradient_descent_bound(&one[0], &rate, 1, &one[0]).is_err());
    }
}

/// e, log 2 and √2 to thirty digits, and exact where the value is rational.
#[test]
fn enclosures_are_tight_and_contain_the_constants() {
    let constants = [
        (Interval::one().exp(), "2.718281828459045235360287471352"),
        (point(2, 1).ln(), "0.693147180559945309417232121458"),
        (point(2, 1).sqrt(), "1.414213562373095048801688724209"),
    ];
    for (value, digits) in constants {
        let below: Q = digits.parse().unwrap();
        let above = below.clone() + format!("1e-{}", digits.len() - 2).parse::<Q>().unwrap();
        assert!(value.lower >= below && value.upper <= above, "{digits}: {value:?}");
        assert!(value.lower < value.upper && value.agrees_to(&value, 90));
    }
    assert_eq!(Interval::zero().exp(), Interval::one());
    assert_eq!(Interval::one().ln(), Interval::zero());
    assert_eq!(point(9, 4).sqrt(), point(3, 2));
    assert!(point(3, 7).ln().exp().agrees_to(&point(3, 7), 90));
    for bad in [Interval::zero().ln(), point(-1, 1).ln(), point(-1, 1).sqrt(), Interval::one() / Interval::zero()] {
        assert!(!bad.is_valid());
    }
}

/// All distributions over `actions` with denominators 4.
fn grid(actions: usize) -> Vec<Vec<Interval>> {
    words(5, actions)
        .filter(|word| word.iter().sum::<usize>() == 4)
        .map(|word| word.iter().map(|&n| point(i64::try_from(n).unwrap(), 4)).collect())
        .collect()
}

/// Room for a step.
fn room(actions: usize) -> Vec<Interval> {
    vec![Interval::zero(); 2 * actions]
}

fn positive(policy: &[Interval]) -> bool {
    policy.iter().all(|p| *p > Interval::zero())
}

/// Lemma D.2, one step: the KL identity to 80 bits, the Hoeffding step proven, for every π_t, π* and q of a grid.
#[test]
fn mirror_step_identity_and_hoeffding() {
    let all_values = [point(1, 3), point(-1, 1), point(0, 1), point(2, 1)];
    let (mut identities, mut steps, mut tight) = (0, 0, 0);
    for actions in [2, 3] {
        // Three actions have enough cases without 1/3.
        let values = &all_values[actions - 2..];
        for alpha in [point(1, 8), point(1, 1)] {
            for policy in grid(actions).into_iter().filter(|p| positive(p)) {
                for word in words(values.len(), actions) {
                    let q: Vec<_> = word.iter().map(|&v| values[v].clone()).collect();
                    let next = md::mirror_step(&alpha, &policy, &q, &mut &mut room(actions)[..]).unwrap().to_vec();
                    let total = next.iter().fold(Interval::zero(), |sum, p| sum + p);
                    assert!(total.agrees_to(&Interval::one(), 80) && positive(&next));
                    let left = md::hoeffding_left(&alpha, &policy, &q).unwrap();
                    let right = md::hoeffding_right(&alpha, &q).unwrap();
                    assert!(left.proves_at_most(&right), "Hoeffding: {left:?} {right:?}");
                    tight += usize::from(left == right);
                    steps += 1;
                    for star in grid(actions) {
                        let after = md::relative_entropy(&star, &next).unwrap();
                        let expanded = md::entropy_step_right(&alpha, &star, &policy, &q).unwrap();
                        assert!(after.agrees_to(&expanded, 80), "KL identity: {after:?} {expanded:?}");
                        identities += 1;
                    }
                }
            }
        }
    }
    assert_eq!(steps, 2 * (3 * 16 + 3 * 27));
    assert_eq!(identities, 2 * (3 * 16 * 5 + 3 * 27 * 15));
    assert_eq!(tight, 2 * (3 + 3), "equality at q = 0");
}

/// Lemma D.2 on every sequence of three q's from four in one state, shifted by 0 to 3 letters in the other: the telescoped
/// sum at each state and the lemma's bound over ν*, both proven.
#[test]
fn mirror_descent_on_every_sequence() {
    let rows = [[1, -1], [-1, 1], [1, 0], [0, 0]];
    let nu = [point(1, 4), point(3, 4)];
    let stars = [[1, 0, 0, 1], [0, 1, 0, 1], [2, 2, 1, 3]];
    let mut paths = 0;
    for alpha in [point(1, 4), point(1, 1)] {
        for star in stars {
            let scale = star[0] + star[1];
            let star = star.map(|n| point(n, if star[2] + star[3] == 4 { 4 } else { scale }));
            for (word, shift) in words(4, 3).flat_map(|word| (0..4).map(move |shift| (word.clone(), shift))) {
                let first: Vec<_> = (0..4).map(|_| point(1, 2)).collect();
                let (mut policy, mut regret) = (first.clone(), Interval::zero());
                let mut per_state = [Interval::zero(), Interval::zero()];
                let mut qs = [Vec::new(), Vec::new()];
                for &letter in &word {
                    let pair = [rows[letter], rows[(letter + shift) % 4]];
                    let q: Vec<_> = pair.iter().flatten().map(|&n| point(n, 1)).collect();
                    regret += md::mirror_regret(2, &nu, &star, &policy, &q).unwrap();
                    let before = policy.clone();
                    for x in 0..2 {
                        let row = 2 * x..2 * x + 2;
                        per_state[x] +=
                            md::advantage(&star[row.clone()], &before[row.clone()], &q[row.clone()]).unwrap();
                        qs[x].extend_from_slice(&q[row.clone()]);
                        let mut room = room(2);
                        let step = md::mirror_step(&alpha, &before[row.clone()], &q[row.clone()], &mut &mut room[..]);
                        policy[row].clone_from_slice(step.unwrap());
                    }
                }
                for x in 0..2 {
                    let row = 2 * x..2 * x + 2;
                    let bound = md::telescoped_right(&alpha, &star[row.clone()], &first[row], &qs[x]).unwrap();
                    assert!(per_state[x].proves_at_most(&bound), "{word:?}");
                }
                let entropy = md::conditional_entropy(2, &nu, &star, &first).unwrap();
                let bound = md::mirror_descent_bound(&entropy, &alpha, 3, &Interval::one()).unwrap();
                assert!(regret.proves_at_most(&bound), "{word:?}");
                // Erratum 11: H(π*‖uniform) ≤ log |A|, with equality for a deterministic π*.
                let log_two = point(2, 1).ln();
                let deterministic = star.iter().all(|p| p.is_zero() || *p == Interval::one());
                let holds = if deterministic { entropy.agrees_to(&log_two, 80) } else { log_two > entropy };
                assert!(holds, "{entropy:?}");
                paths += 1;
            }
        }
    }
    assert_eq!(paths, 2 * 3 * 256);
}

/// Erratum 12: π* = π₁ uniform, q₁ = (1, −1) = −q₂, α = 1. The regret is tanh 1 > 1/2, print's right side without the sum
/// over t; with the sum it is 1.
#[test]
fn printed_telescoped_sum_fails_for_two_steps() {
    let (alpha, uniform) = (Interval::one(), [point(1, 2), point(1, 2)]);
    let (q1, q2) = ([point(1, 1), point(-1, 1)], [point(-1, 1), point(1, 1)]);
    let second = md::mirror_step(&alpha, &uniform, &q1, &mut &mut room(2)[..]).unwrap().to_vec();
    let regret = md::advantage(&uniform, &uniform, &q1).unwrap() + md::advantage(&uniform, &second, &q2).unwrap();
    let e2 = point(2, 1).exp();
    assert!(regret.agrees_to(&((e2.clone() - Interval::one()) / (e2 + Interval::one())), 80), "tanh 1");
    let printed = offline_primal_dual::errata::lemma_d2_last_display(&alpha, &uniform, &uniform, &q2).unwrap();
    assert_eq!(printed, point(1, 2));
    assert!(regret.proves_above(&printed));
    let corrected = md::telescoped_right(&alpha, &uniform, &uniform, &[q1, q2].concat()).unwrap();
    assert_eq!(corrected, Interval::one());
    assert!(regret.proves_at_most(&corrected));
}

/// The same functions over f64 lie within the rounding of a dozen operations of the enclosures: each libm call is within
/// one unit in the last place, every other operation within half of one, on numbers below 4.
#[test]
fn floating_point_agrees_with_the_enclosures() {
    let slack = 32.0 * 4.0 * f64::EPSILON;
    let near = |value: f64, exact: &Interval| {
        let inside = value >= exact.lower.to_f64() - slack && value <= exact.upper.to_f64() + slack;
        assert!(inside, "{value} {exact:?}");
    };
    for word in words(4, 3) {
        let parts = word.iter().map(|&w| [-1, 0, 1, 2][w]).collect::<Vec<i64>>();
        let policy = [[1, 4], [1, 4], [2, 4]];
        let exact = policy.map(|[n, d]| point(n, d));
        let float = policy.map(|[n, d]| f64::ratio(n, d));
        let q_exact: Vec<_> = parts.iter().map(|&n| point(n, 2)).collect();
        let q_float: Vec<_> = parts.iter().map(|&n| f64::ratio(n, 2)).collect();
        let next_exact = md::mirror_step(&Interval::one(), &exact, &q_exact, &mut &mut room(3)[..]).unwrap().to_vec();
        let next_float = md::mirror_step(&1.0, &float, &q_float, &mut &mut float.repeat(2)[..]).unwrap().to_vec();
        for (value, enclosure) in next_float.iter().zip(&next_exact) {
            near(*value, enclosure);
        }
        near(md::relative_entropy(&next_float, &float).unwrap(), &md::relative_entropy(&next_exact, &exact).unwrap());
        near(
            md::hoeffding_left(&1.0, &float, &q_float).unwrap(),
            &md::hoeffding_left(&Interval::one(), &exact, &q_exact).unwrap(),
        );
    }
}

#[test]
fn mirror_descent_refuses_wrong_shapes_and_supports() {
    let half = [0.5, 0.5];
    let unsupported = md::relative_entropy(&half, &[1.0, 0.0]);
    assert!(matches!(unsupported, Err(Error::OutOfRange { index: 1, .. })), "q = 0 < p, named before it is divided by");
    assert_eq!(md::relative_entropy(&[1.0, 0.0], &[1.0, 0.0]), Ok(0.0), "0 log 0 = 0");
    assert!(md::relative_entropy(&half, &[1.0]).is_err());
    assert!(md::conditional_entropy(0, &[1.0], &half, &half).is_err());
    assert!(md::conditional_entropy(2, &[1.0], &half, &[1.0]).is_err());
    assert!(md::conditional_entropy(2, &half, &half, &half).is_err());
    let room = || [0.0; 4];
    assert!(md::mirror_step(&1.0, &half, &half, &mut &mut room()[..]).is_ok());
    assert!(md::mirror_step(&1.0, &half, &[1.0], &mut &mut room()[..]).is_err());
    assert!(md::mirror_step(&1.0, &half, &half, &mut &mut room()[1..]).is_err(), "no room");
    assert!(md::mirror_step(&1.0, &[], &[], &mut &mut room()[..]).is_err());
    assert!(md::mirror_step(&1.0, &[0.0, 0.0], &half, &mut &mut room()[..]).is_err());
    assert!(md::mirror_step(&f64::NAN, &half, &half, &mut &mut room()[..]).is_err());
    assert!(md::log_mean_exponential(&1.0, &half, &[1.0]).is_err());
    assert!(md::log_mean_exponential(&1.0, &half, &[f64::INFINITY, 0.0]).is_err());
    assert!(md::hoeffding_left(&1.0, &half, &[1.0]).is_err());
    assert!(md::hoeffding_right(&1.0, &[f64::INFINITY]).is_err());
    assert!(md::hoeffding_right(&1.0, &[f64::NAN]).is_err(), "a NaN compares with nothing and must not slip through");
    assert!(md::advantage(&half, &half, &[1.0]).is_err());
    assert!(md::mirror_regret(2, &[1.0], &half, &half, &[1.0]).is_err());
    assert!(md::mirror_regret(0, &[1.0], &half, &half, &half).is_err());
    assert!(md::telescoped_right(&1.0, &half, &half, &[1.0]).is_err());
    assert!(md::telescoped_right(&0.0, &half, &half, &half).is_err());
    assert!(md::mirror_descent_bound(&1.0, &-1.0, 1, &1.0).is_err());
    let large = md::log_mean_exponential(&1.0, &half, &[1e3, 1e3]).unwrap();
    assert_eq!(large.to_bits(), 1e3f64.to_bits(), "the largest exponent is taken out, so nothing overflows");
}
