//! The properties of `proofs/` without Kani: on exhaustive grids, and by quickcheck on wider ranges. A machine without Kani checks every one
//! of them here.

use offline_primal_dual as library;

#[path = "../proofs/data.rs"]
mod data;
#[path = "../proofs/lemmas.rs"]
mod lemmas;
#[path = "../proofs/lengths/mod.rs"]
mod lengths;
#[path = "../proofs/numbers.rs"]
mod numbers;
#[path = "../proofs/policy.rs"]
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // of small counts
mod policy;
#[path = "../proofs/projection.rs"]
mod projection;
#[path = "../proofs/steps.rs"]
mod steps;
#[path = "../proofs/support/mod.rs"]
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_precision_loss)]
// their ranges are stated
mod support;

use data::row_in_range;
use lemmas::*;
use library::data::{CsvRows, RowSpec, Rows, Setting};
use library::instances::{Instance, by_name};
use library::linear::projection::{project_ball, within_ball};
use library::number::Field;
use library::number::exact::BigRational;
use library::number::rational::{Rational8, Rational64};
use library::paper::covariance::covariance;
use library::paper::mdp::Shape;
use library::paper::samples::Sample;
use numbers::*;
use policy::*;
use projection::*;
use quickcheck::{QuickCheck, TestResult, Testable};
use std::path::Path;
use steps::*;
use support::form::Form;
use support::frozen;
use support::residue::Residue;
use support::scalars::{Fixed, Single};

fn check(property: impl Testable) {
    QuickCheck::new().tests(2_000).max_tests(20_000).quickcheck(property);
}

/// All pairs of 8-bit coordinates.
fn plane() -> impl Iterator<Item = [i8; 2]> {
    (i8::MIN..=i8::MAX).flat_map(|x| (i8::MIN..=i8::MAX).map(move |y| [x, y]))
}

/// The doubles at which something happens: zeros, ends of ranges, neighbours of 0 and 1, what is not finite.
fn edges() -> Vec<f64> {
    let positive = [
        0.0,
        f64::from_bits(1),
        f64::MIN_POSITIVE,
        0.5,
        1.0f64.next_down(),
        1.0,
        1.0f64.next_up(),
        2.0,
        1e300,
        f64::MAX,
        f64::INFINITY,
    ];
    positive.iter().flat_map(|&x| [x, -x]).chain([f64::NAN]).collect()
}

#[test]
fn unit_interval_projection() {
    for x in edges() {
        assert!(unit_interval_idempotent(x), "{x}");
        for y in edges() {
            assert!(unit_interval_nested(x, y) && unit_interval_non_expansive(x, y), "{x}, {y}");
        }
    }
    check(unit_interval_idempotent as fn(f64) -> bool);
    check(unit_interval_nested as fn(f64, f64) -> bool);
    check(unit_interval_non_expansive as fn(f64, f64) -> bool);
    check((|x, y| unit_interval_non_expansive(Single(x), Single(y))) as fn(f32, f32) -> bool);
}

#[test]
fn fixed_ball_projection() {
    for radius in [16, 32, 40, 100].map(Fixed::from_raw) {
        for y in plane() {
            assert!(fixed_ball_idempotent(y, radius), "{y:?}, {radius:?}");
        }
    }
}

/// The slack that Kani proves sufficient is reached, so no smaller one would do.
#[test]
fn fixed_ball_projection_lands() {
    for (radius, slack) in [(16, 42), (32, 74)] {
        let lands = |slack| plane().all(|y| fixed_ball_lands(y, Fixed::from_raw(radius), slack));
        assert!(lands(slack) && !lands(slack - 1), "{radius}");
    }
}

/// The slack that Kani proves sufficient on 6 bits is reached, so no smaller one would do; on 5 bits with half the radius it is 5.
#[test]
fn fixed_ball_projection_is_non_expansive() {
    for (side, radius, worst) in [(16i8, 8, 5), (32, 16, 7)] {
        let grid: Vec<_> = (-side..side).flat_map(|x| (-side..side).map(move |y| [x, y])).collect();
        let radius = Fixed::from_raw(radius);
        let excess = |y: &[i8; 2]| grid.iter().map(|z| fixed_ball_excess(*y, *z, radius).unwrap()).max().unwrap();
        assert_eq!(grid.iter().map(excess).max(), Some(worst));
    }
}

/// The slacks that Kani proves sufficient in space, and for the radius, are reached.
#[test]
fn fixed_ball_projection_in_space_and_by_radius() {
    let cube = |side: i8| {
        (-side..side).flat_map(move |x| (-side..side).flat_map(move |y| (-side..side).map(move |z| [x, y, z])))
    };
    let one = Fixed::from_raw(16);
    assert!(cube(16).all(|y| fixed_ball_lands(y, one, 59)) && !cube(16).all(|y| fixed_ball_lands(y, one, 58)));
    let quarter = Fixed::from_raw(4);
    let excess = |y: [i8; 3]| cube(8).map(|z| fixed_ball_excess(y, z, quarter).unwrap()).max().unwrap();
    assert_eq!(cube(8).map(excess).max(), Some(10));
    let radii = || (4..16).flat_map(|d| (4..16).map(move |e| [d, e]));
    let small = || plane().filter(|y| y.iter().all(|c| (-16..16).contains(c)));
    let follows = |slack| small().all(|y| radii().all(|radii| fixed_ball_follows_radius(y, radii, slack)));
    assert!(follows(3) && !follows(2));
}

#[test]
fn projection_shrinks() {
    fn shrunk<T: library::number::Real + Copy>(before: [T; 2], radius: T) -> TestResult {
        let mut after = before;
        match project_ball(&mut after, &radius) {
            Ok(()) => TestResult::from_bool(shrinks(&before, &after)),
            Err(_) => TestResult::discard(),
        }
    }
    for y in plane() {
        assert!(!shrunk(fixed_point(y), Fixed::from_raw(32)).is_failure(), "{y:?}");
    }
    check((|y, z, r| shrunk([Single(y), Single(z)], Single(r))) as fn(f32, f32, f32) -> TestResult);
    check((|y, z, r| shrunk([y, z], r)) as fn(f64, f64, f64) -> TestResult);
}

/// What the harnesses of f32 in one dimension take for granted: quotients and products are rounded to nearest, and √y² is |y| (which needs only one exponent, since
/// multiplying y by 2 multiplies y² by 4).
#[test]
fn quotients_and_norms_of_floats() {
    for bits in (1.0f32.to_bits()..2.0f32.to_bits()).step_by(7) {
        let y = f32::from_bits(bits);
        assert!(library::number::Real::sqrt(&(Single(y) * Single(y))) == Single(y), "{y}");
        for d in [1.0, y.next_down(), y / 3.0, 0.7 * y, 1e-15].into_iter().filter(|d| *d < y) {
            let (q, p) = (d / y, y * (d / y));
            let product = significand(q).0 * significand(y).0;
            let next = q.next_up().next_up();
            assert!(is_quotient(d, y, q, product) && is_product(y, q, p, product) && lands_at_edge(d, y, p), "{d}/{y}");
            assert!(
                !is_quotient(d, y, next, significand(next).0 * significand(y).0) && !is_product(y, q, 2.0 * p, product)
            );
            assert!(!is_product(y, q, p.next_up().next_up(), product) && !lands_at_edge(d, y, d * 0.94));
        }
    }
}

#[test]
fn averages_are_sums_over_counts() {
    for sum in i16::MIN..=i16::MAX {
        assert!((0..=4).all(|power| average_is_sum_over_count([sum, -1], power)), "{sum}");
    }
}

/// Every set of K ≤ 3 points of a quarter of the ball, and random ones for K = 4.
#[test]
fn means_stay_in_the_ball() {
    let radius = Fixed::from_raw(16);
    let inside = |p: &[i8; 2]| raw_norm_squared(&fixed_point(*p)) <= 256;
    let ball: Vec<_> = plane().filter(inside).collect();
    let quarter: Vec<_> = ball.iter().filter(|p| p[0] >= 0 && p[1] >= 0).collect();
    for a in &ball {
        for b in &ball {
            assert!(mean_within([*a, *b], radius), "{a:?}, {b:?}");
        }
    }
    for a in &quarter {
        for b in &quarter {
            for c in &quarter {
                assert!(mean_within([**a, **b, **c], radius), "{a:?}, {b:?}, {c:?}");
            }
        }
    }
    check(mean_of_four_within as fn(u16, u16, u16, u16) -> bool);
}

/// Points of the ball of radius 1, its square cut off at the corners.
fn mean_of_four_within(a: u16, b: u16, c: u16, d: u16) -> bool {
    let pick = |choice: u16| {
        let [x, y] = choice.to_le_bytes().map(|byte| (byte % 33).cast_signed() - 16);
        if x.unsigned_abs() + y.unsigned_abs() <= 16 { [x, y] } else { [x / 2, y / 2] }
    };
    mean_within([a, b, c, d].map(pick), Fixed::from_raw(16))
}

#[test]
fn softmax_gives_policies() {
    for logits in [vec![], vec![f64::NAN], vec![0.0, f64::INFINITY], vec![1e300, -1e300, 0.0], vec![-745.2, 0.0]] {
        assert!(softmax_is_policy(&logits, &mut vec![0.0; logits.len()]), "{logits:?}");
    }
    for y in plane() {
        assert!(softmax_is_policy(&fixed_point(y), &mut [Fixed::zero(); 2]), "{y:?}");
    }
    check((|a, b, c| softmax_is_policy(&[a, b, c], &mut [0.0; 3])) as fn(f64, f64, f64) -> bool);
    for y in plane() {
        assert!([-9, 0, 127].iter().all(|&z| fixed_softmax_sums([y[0], z, y[1]])), "{y:?}");
    }
    for x in edges() {
        assert!(x.is_nan() || exp_is_fit(&x), "{x}");
    }
    check((|x| x.is_nan() || exp_is_fit(&x)) as fn(f64) -> bool);
    check((|n| exp_is_fit(&(-f64::from(n).abs() / 1e6))) as fn(i32) -> bool);
}

#[test]
fn draws_are_actions() {
    let values = [0.0, 0.25, 0.5, 1.0, -1.0, f64::NAN];
    for u in edges().into_iter().chain([0.25, 0.75]) {
        assert!(draw_is_first_above(&[], &u));
        for a in values {
            assert!(draw_is_first_above(&[a], &u), "{a}; {u}");
            for b in values {
                for c in values {
                    assert!(draw_is_first_above(&[a, b, c], &u), "{a}, {b}, {c}; {u}");
                }
            }
        }
    }
    check((|policy, u| draw_is_first_above(&policy, &u)) as fn(Vec<f64>, f64) -> bool);
}

/// Every text of up to four bytes among those that numbers are made of, and some: what is read is normalised and, as text, read
/// back as itself; and the big rational agrees wherever the small one fits.
#[test]
fn rationals_are_read() {
    let alphabet = b"0137-+./eE x";
    let texts = (0..alphabet.len().pow(4)).map(|index| {
        let digit = |place: u32| alphabet[index / alphabet.len().pow(place) % alphabet.len()];
        let text: String = (0..4).map(|place| char::from(digit(place))).collect();
        text.trim_end().to_owned()
    });
    let mut read = 0;
    for text in texts.chain(["-125/64".into(), "1e-2".into(), "0e9999".into(), "-128".into(), "1e9999".into()]) {
        let big = text.parse::<BigRational>();
        if let Ok(value) = text.parse::<Rational8>() {
            assert!(rational_in_range(Ok(value)) && value.is_normalised(), "{text}");
            assert!(value.to_string().parse::<Rational8>() == Ok(value), "{text}");
            assert_eq!(big.unwrap().to_string(), value.to_string(), "{text}");
            read += 1;
        }
    }
    assert!(read > 500, "{read}");
}

/// Every row of five cells out of ten: what is accepted is in range, and it is as many as there should be.
#[test]
fn rows_are_read_or_refused() {
    let cells = ["0", "1", " 2 ", "3", "4", "-1", "0.5", "1.0", "nan", ""];
    let rows: String = (0..100_000_usize)
        .map(|index| [1, 10, 100, 1_000, 10_000].map(|place| cells[index / place % 10]).join(",") + "\n")
        .collect();
    // Of the ten, five are states (1.0 is 1), three actions, four rewards, and two draws.
    for (setting, header, expected) in [
        (Setting::Discounted, "x0,x,a,r,x_next\n", 5 * 5 * 3 * 4 * 5),
        (Setting::Discounted, "r,x_next,x,x0,a\n", 5 * 5 * 3 * 4 * 5),
        (Setting::Average, "u,x,a,r,x_next\n", 2 * 5 * 3 * 4 * 5),
    ] {
        let (spec, text) = (RowSpec { setting, states: 4, actions: 2 }, format!("{header}{rows}"));
        let mut reader = CsvRows::new(Path::new("data.csv"), spec, text.as_bytes()).unwrap();
        let read = std::iter::from_fn(|| reader.next_row().transpose());
        let accepted = read.flatten().inspect(|row| assert!(row_in_range(row, 4, 2), "{row:?}")).count();
        assert_eq!(accepted, expected, "{header}");
    }
}

const OPERATIONS: [Operation; 4] = [Operation::Add, Operation::Sub, Operation::Mul, Operation::Div];

/// Every rational of 8-bit parts.
fn rationals() -> Vec<Rational8> {
    let parts = || i8::MIN..=i8::MAX;
    let lowest = |n, d| Rational8::new(n, d).ok().filter(|x| (x.numerator(), x.denominator()) == (n, d));
    parts().flat_map(|n| parts().filter_map(move |d| lowest(n, d))).collect()
}

#[test]
fn eight_bit_rationals_are_built_exactly() {
    for n in i8::MIN..=i8::MAX {
        for d in i8::MIN..=i8::MAX {
            assert!(rational_new_is_exact(n, d), "{n}/{d}");
        }
    }
    for x in rationals() {
        assert!(OPERATIONS.iter().all(|&operation| rational_invalid_absorbs(operation, x)), "{x}");
    }
}

/// All x op y on two threads.
fn pairs_are_exact(x: &[Rational8], y: &[Rational8]) {
    let (left, right) = x.split_at(x.len() / 2);
    std::thread::scope(|scope| {
        for half in [left, right] {
            scope.spawn(|| half.iter().for_each(|x| y.iter().for_each(|y| pair_is_exact(*x, *y))));
        }
    });
}

/// Every x with every y of small parts or parts near the limit.
#[test]
fn eight_bit_rationals_are_exact() {
    let telling = |part: i8| part.unsigned_abs() <= 16 || part.unsigned_abs() >= 124;
    let all = rationals();
    let some: Vec<_> = all.iter().copied().filter(|y| telling(y.numerator()) && telling(y.denominator())).collect();
    pairs_are_exact(&all, &some);
}

/// The whole table, which is a proof: some minutes.
#[test]
#[ignore = "minutes; cargo test --test properties -- --ignored"]
fn all_pairs_of_eight_bit_rationals_are_exact() {
    let all = rationals();
    pairs_are_exact(&all, &all);
}

fn pair_is_exact(x: Rational8, y: Rational8) {
    assert!(rational_order_is_exact(x, y) && rational_equality_is_exact(x, y), "{x}, {y}");
    for operation in OPERATIONS {
        assert!(rational_is_exact(operation, x, y), "{x} {operation:?} {y}");
    }
}

/// Three instances, whether they serve the average-reward setting, a policy and a comparator.
fn cases<T: Field>() -> [(&'static Instance, bool, Vec<T>, Vec<T>); 3] {
    let numbers = |numerators: &[i64], denominator| numerators.iter().map(|&n| T::ratio(n, denominator)).collect();
    let instance = |name| by_name(name).unwrap();
    [
        (instance("rescaled"), true, numbers(&[1, 3], 4), numbers(&[1, 0], 1)),
        (instance("cancelling-psi"), false, numbers(&[1, 1], 1), numbers(&[1, 1], 1)),
        (instance("rotated"), true, numbers(&[1, 1, 2, 0], 2), numbers(&[0, 1, 1, 0], 1)),
    ]
}

fn lemmas_hold<T: Field>(values: [i16; 5]) -> bool {
    let [a, b, c, d, rho] = values.map(|n| T::from_int(n.into()));
    let (theta, beta) = ([a, b], [c, d]);
    cases::<T>().iter().all(|(instance, average, policy, comparator)| {
        let policies = (&policy[..], &comparator[..]);
        let first = discounted_residuals(instance, policies, &theta, &beta).unwrap();
        let second = average.then(|| average_reward_residuals(instance, policies, rho.clone(), &theta, &beta).unwrap());
        first.iter().chain(second.iter().flatten()).all(Field::is_zero)
    })
}

/// The residuals are of degree at most one in each of θ₁, θ₂, β₁, β₂ and ρ, so that if they vanish at the 32 points where each is 0
/// or 1, they vanish everywhere. Random points besides, for code that is not.
#[test]
fn lemmas_have_no_residual() {
    for corner in 0..32i16 {
        let corner = std::array::from_fn(|i| corner >> i & 1);
        assert!(lemmas_hold::<Rational64>(corner), "{corner:?}");
    }
    check((|a, b, c, d, rho| lemmas_hold::<BigRational>([a, b, c, d, rho])) as fn(i16, i16, i16, i16, i16) -> bool);
    assert!(lemmas_hold::<BigRational>([i16::MIN, i16::MAX, i16::MIN, 1, i16::MAX]));
}

/// The comparators and occupancies that `proofs/support/frozen.rs` states are those the library computes, Λ^c is that of the behavior policy; and with them both
/// sides of each lemma agree at the corners, hence everywhere: they are of degree at most one in each of the ten numbers.
#[test]
fn frozen_comparators_are_the_librarys() {
    for case in (0..frozen::CASES).map(frozen::case) {
        let thawed = frozen::thaw::<Rational64>(&case);
        let (mdp, zero) = (thawed.mdp().unwrap(), Rational64::zero());
        let (mut scratch, rhos, iterates) = ([zero; 400], [zero; 2], [zero; 4]);
        let mut room = &mut scratch[..];
        let behavior = frozen::row::<Rational64, 4>(frozen::behavior());
        let policies = [&thawed.policies[..4], &thawed.policies[4..], &thawed.comparator, &behavior];
        let (beta, theta, rho_stars, occupancies) = if case.average {
            use library::paper::average_reward::duality_gap::*;
            let saddle =
                library::paper::average_reward::lagrangian::Saddle::new(mdp, &thawed.varrho, &thawed.power).unwrap();
            let iterates = Iterates::new(&mdp, &rhos, &iterates, &iterates, &thawed.policies).unwrap();
            let beta = beta_star(&saddle, &thawed.comparator, &mut room).unwrap();
            let (rho_stars, theta) = rho_theta_stars(&saddle, &iterates, &mut room).unwrap();
            let occupancies = policies.map(|policy| occupancy_of(&mdp, policy, &mut room).unwrap());
            (beta, theta, [rho_stars[0], rho_stars[1]], occupancies)
        } else {
            use library::paper::discounted::duality_gap::*;
            let saddle = library::paper::discounted::lagrangian::Saddle::new(mdp, &thawed.power).unwrap();
            let iterates = Iterates::new(&mdp, &iterates, &iterates, &thawed.policies).unwrap();
            let beta = beta_star(&saddle, &thawed.comparator, &mut room).unwrap();
            let theta = theta_stars(&mdp, &iterates, &mut room).unwrap();
            let occupancies = policies.map(|policy| occupancy_of(&mdp, policy, &mut room).unwrap());
            (beta, theta, [zero; 2], occupancies)
        };
        assert_eq!((&*beta, &*theta), (&thawed.beta_star[..], &thawed.theta_stars[..]));
        assert_eq!(rho_stars, thawed.rho_stars);
        for (policy, mu) in policies.iter().zip(&occupancies).take(3) {
            assert_eq!(**mu, thawed.occupancy(policy));
        }
        let (covariance, power) = (covariance(&mdp, occupancies[3], &mut room).unwrap(), thawed.power);
        match case.power {
            frozen::Power::Covariance => assert_eq!(covariance, power),
            frozen::Power::Root => assert_eq!(covariance, power.map(|entry| entry * entry), "the root is diagonal"),
            frozen::Power::Symmetric => assert_eq!(power[1], power[2]),
        }
        for corner in 0..1024 {
            let bits: [_; 10] = std::array::from_fn(|i| Rational64::from_int(corner >> i & 1));
            let (thetas, betas, rhos) = (&bits[..4], &bits[4..8], &bits[8..]);
            for lemma in [frozen::Lemma::Suboptimality, frozen::Lemma::Regrets] {
                let sides = if case.average {
                    thawed.average_sides(lemma, rhos, thetas, betas, &mut scratch)
                } else {
                    thawed.discounted_sides(lemma, thetas, betas, &mut scratch)
                };
                assert!(sides.is_ok_and(|[gap, other]| gap == other), "{lemma:?}, corner {corner}");
            }
        }
    }
}

/// Sums, differences, products and quotients of forms are those of their values.
#[test]
fn forms_compute_with_values() {
    fn agrees((at, x, y): (u64, u64, u64), c: u64, [p, q]: [u64; 2]) -> bool {
        let value = |f: Form| f.at.wrapping_add(f.x.wrapping_mul(p)).wrapping_add(f.y.wrapping_mul(q));
        let (f, c) = (Form { at, x, y }, Form::constant(c | 1));
        value(f + c) == value(f).wrapping_add(c.at)
            && value(f - c - f) == c.at.wrapping_neg()
            && value(f * c) == value(f).wrapping_mul(c.at)
            && f * c == c * f
            && f / c * c == f
    }
    check((|f, c, p, q| agrees(f, c, [p, q])) as fn((u64, u64, u64), u64, u64, u64) -> bool);
}

/// Fractions of odd denominator compute modulo 2¹⁶ as they do among the rationals.
#[test]
fn residues_compute_with_fractions() {
    fn agrees((a, b): (i8, i8), (c, d): (i8, i8)) -> bool {
        let (b, d) = (i64::from(b | 1), i64::from(d | 1));
        let (x, y) = (Residue::ratio(a.into(), b), Residue::ratio(c.into(), d));
        let (a, c) = (i64::from(a), i64::from(c));
        x + y == Residue::ratio(a * d + c * b, b * d)
            && x - y == Residue::ratio(a * d - c * b, b * d)
            && x * y == Residue::ratio(a * c, b * d)
            && (c % 2 == 0 || x / y == Residue::ratio(a * d, b * c))
    }
    check((|x, y| agrees(x, y)) as fn((i8, i8), (i8, i8)) -> bool);
}

/// The library's products are the plain ones in exact arithmetic, whatever the lengths; Kani has those of the lemmas.
#[test]
fn products_are_plain_sums() {
    fn plain(numbers: Vec<i16>, columns: usize) -> bool {
        let numbers: Vec<_> = numbers.iter().map(|&n| BigRational::from_int(n.into())).collect();
        let columns = columns % 12 + 1;
        let rows = (numbers.len() / columns).min(5).saturating_sub(1);
        let (matrix, rest) = numbers.split_at(rows * columns);
        rows == 0
            || (rows <= 4 && products_are_plain(matrix, &rest[..columns]))
                && (columns > 4 || rest.len() < rows || transposed_products_are_plain(matrix, &rest[..rows]))
    }
    check(plain as fn(Vec<i16>, usize) -> bool);
}

/// Every list of `proofs/lengths`, on every shape up to (2, 2, 2).
#[test]
fn lengths_are_checked() {
    use lengths::{average, discounted, numbers, others, runs, section2};
    use library::paper::covariance::Exponent;
    use library::paper::mdp::{LinearMdp, Mdp};
    use library::paper::{average_reward::lagrangian as second, discounted::lagrangian as first};
    for index in 0..8 {
        let shape = Shape { states: index % 2 + 1, actions: index / 2 % 2 + 1, dim: index / 4 + 1 };
        let (Shape { states, actions, dim }, pairs) = (shape, shape.pairs());
        let calls = &lengths::Calls { number: 0.5, scratch: shape.scratch() };
        let n = [0.5; 8];
        let (features, power) = (&n[..pairs * dim], &n[..dim * dim]);
        let linear =
            LinearMdp::unvalidated(shape, features, &n[..dim], &n[..states * dim], &n[..states], &0.5).unwrap();
        let table = Mdp::unvalidated(states, actions, &n[..pairs], &n[..pairs * states], &n[..states], &0.5).unwrap();
        let (linear, table, sizes) = (&linear, &table, [states, actions, dim]);
        let rows = library::paper::samples::FeatureTable::new(actions, dim, features).unwrap();
        let one = &first::Saddle::new(*linear, power).unwrap();
        let two = &second::Saddle::new(*linear, &n[..dim], power).unwrap();
        let lists = [
            ("vectors", numbers::vectors(calls, index)),
            ("products", numbers::products(calls, states, dim)),
            ("systems", numbers::systems(calls, states) && numbers::systems(calls, 0)),
            ("ranks", numbers::ranks(calls, states) && numbers::ranks(calls, 0)),
            ("projections", numbers::projections(calls) && numbers::distributions(calls)),
            ("covariances", numbers::covariances(calls, dim)),
            ("policies", numbers::policies(calls, states, actions, dim)),
            ("tables", section2::tables(calls, states, actions) && section2::policies(calls, actions)),
            ("models", section2::models(calls, shape)),
            ("values", section2::values(calls, table) && section2::occupancies(calls, table)),
            ("chain", section2::chain(calls, table) && section2::direct(calls, table)),
            ("optimum", section2::optimum(calls, table) && average::optimum(calls, table)),
            ("linear", section2::linear(calls, linear) && section2::tabulation(calls, linear)),
            ("conditions", section2::conditions(calls, linear) && section2::bounds(calls, linear)),
            ("programs", section2::primal(calls, linear) && section2::dual(calls, linear)),
            ("discounted estimators", discounted::estimators(calls, actions, dim)),
            ("visits", discounted::visits(calls, actions, dim)),
            ("discounted Lagrangians", discounted::lagrangians(calls, one)),
            ("discounted gradients", discounted::gradients(calls, one)),
            ("discounted f", discounted::functions(calls, one) && discounted::tabulated(calls, linear)),
            ("discounted gaps", discounted::gaps(calls, one)),
            ("discounted regrets", discounted::regrets(calls, one) && discounted::advantage(calls, states, actions)),
            ("average-reward estimators", average::estimators(calls, dim)),
            ("average-reward values", average::tabular(calls, table) && average::values(calls, table)),
            ("unichain", average::policies(calls, table) && average::unichain(calls, table)),
            ("average-reward programs", average::primal(calls, linear) && average::dual(calls, linear)),
            ("average-reward Lagrangians", average::lagrangians(calls, two)),
            ("average-reward gradients", average::gradients(calls, two)),
            ("average-reward f", average::functions(calls, two)),
            ("average-reward gaps", average::gaps(calls, two)),
            ("average-reward regrets", average::regrets(calls, two)),
            ("coverage at c = 1", others::coverage(calls, linear, Exponent::One)),
            ("coverage at c = 1/2", others::coverage(calls, linear, Exponent::Half)),
            ("ratios", others::ratios(calls, dim)),
            ("tabular coverage", others::tabular(calls)),
            ("Bellman errors", others::bellman(calls, linear) && others::bellman_coverage(calls, linear)),
            ("Bellman errors inverted", others::bellman_inverse(calls, linear)),
            ("gradient descent", others::gradient_step(calls, dim) && others::gradient_path(calls, dim)),
            ("mirror steps", others::mirror_step(calls, actions) && others::mirror_path(calls, actions)),
            ("mirror descent", others::mirror_descent(calls, states, actions)),
            ("starts", runs::first_start(calls, &rows, sizes) && runs::second_start(calls, &rows, sizes)),
            ("Algorithm 1", runs::first_algorithm(0.5, &rows, sizes)),
            ("Algorithm 2", runs::second_algorithm(0.5, &rows, sizes)),
        ];
        for (list, holds) in lists {
            assert!(holds, "{list} at {shape:?}");
        }
    }
    for instance in library::instances::all() {
        assert!(others::instance(instance, &mut vec![0.5; instance.len()]), "{}", instance.name());
    }
}

#[test]
fn feature_tables_check_lengths() {
    let numbers = [0.5; 9];
    for index in 0..4 * 4 * 10 * 4 {
        let (actions, dim, length, x) = (index % 4, index / 4 % 4, index / 16 % 10, index / 160);
        assert!(lengths::numbers::feature_table(actions, dim, &numbers[..length], x), "{index}");
    }
    assert!(library::paper::samples::FeatureTable::<f64>::new(usize::MAX, 2, &[]).is_err());
}

/// A number of [−1, 1], from a byte.
fn small(byte: i8) -> f64 {
    f64::from(byte) / 128.0
}

/// One step of each kind in f64, from any point of the balls, with features, rewards and states from random bytes.
fn steps_land(bytes: Vec<i8>) -> TestResult {
    if bytes.len() < 24 {
        return TestResult::discard();
    }
    let at = |i: usize| small(bytes[i]);
    let rows: Vec<f64> = (0..8).map(at).collect();
    let features = library::paper::samples::FeatureTable::new(2, 2, &rows).unwrap();
    let sample = |i: usize| {
        let index = |j: usize| usize::from(bytes[i + j] > 0);
        Sample { x0: index(0), x: index(1), a: index(2), r: at(i).abs(), x_next: index(3), u: at(i).abs() / 2.0 }
    };
    let (theta, beta) = ([at(8), at(9)], [at(10) / 2.0, at(11) / 2.0]);
    let (alpha, eta, zeta, xi) = (1.0, 40.0, 40.0, 9.0);
    let (radius_theta, radius_beta) = (2.0, 1.0);
    let first = |inner| library::paper::discounted::algorithm::Parameters {
        discount: 0.5,
        alpha,
        eta,
        zeta,
        radius_theta,
        radius_beta,
        inner,
    };
    let second = library::paper::average_reward::algorithm::Parameters {
        alpha,
        eta,
        zeta,
        xi,
        radius_theta,
        radius_beta,
        inner: 1,
    };
    let (start, inside) = ((&theta[..], &beta[..]), |y: &[f64], radius: &f64| within_ball(y, radius));
    let samples = [sample(12), sample(16)];
    let landed = [
        discounted_start_is_inside(&first(1), &features, start, inside),
        discounted_start_is_inside(&first(1), &features, (&rows[..2], &[at(22) * 2.0, at(23) * 2.0]), inside),
        discounted_inner_step_frame(&first(2), &features, start, &samples[0], inside),
        discounted_outer_iteration_frame(&first(1), &features, start, &samples[1], inside),
        average_reward_start_is_inside(&second, &features, (&theta, at(20) * 2.0, &beta), inside),
        average_reward_iteration_frame(&second, &features, (&theta, at(20).abs(), &beta), &samples, inside),
    ];
    TestResult::from_bool(landed == [Some(true); 6])
}

#[test]
fn steps_stay_in_balls() {
    check(steps_land as fn(Vec<i8>) -> TestResult);
}

/// Dimensions whose products exceed `usize`, or come round to the length of what is passed, are errors like any others.
#[test]
fn absurd_dimensions_are_errors() {
    use library::linear::{projection, solve};
    use library::paper::{covariance, coverage, discounted, mdp, online_learning::mirror_descent};
    let mut scratch = [0.0; 8];
    // (2³²)² and 2·2⁶³ are 0 modulo 2⁶⁴.
    for n in [1 << 32, 1 << 63, usize::MAX] {
        let empty: &mut [f64] = &mut [];
        let square = [
            solve::solve(n, &mut [], empty).is_err(),
            solve::inverse(n, &mut [], empty).is_err(),
            solve::definiteness(n, empty).is_err(),
            covariance::second_moment(n, &[], &[], &mut &mut scratch[..]).is_err(),
            covariance::verify_root(n, &[], empty).is_err(),
            covariance::weight_of_power(covariance::Exponent::One, n, &[], &mut &mut scratch[..]).is_err(),
            covariance::apply_inverse(n, &[], empty, &mut &mut scratch[..]).is_err(),
            covariance::trace(n, empty).is_err(),
            covariance::weighted_norm_squared(n, &[], empty, &mut scratch).is_err(),
            covariance::Spectrum::new(n, empty).is_err(),
            coverage::rayleigh_quotient(n, &[], &[], empty, &mut scratch).is_err(),
            coverage::dagger_ratio_at_most(n, &[], empty, &1.0, &mut scratch).is_err(),
            coverage::diamond_ratio_trace(n, &[], empty, &mut scratch).is_err(),
            coverage::dagger_ratio(n, &[], empty).is_err(),
            mdp::Mdp::new(n, n, &[], &[], empty, &0.5).is_err(),
        ];
        assert_eq!(square, [true; 15], "{n}");
        let shape = Shape { states: n, actions: n, dim: n };
        assert!(mdp::LinearMdp::new(shape, &[], &[], &[], empty, &0.5).is_err(), "{n}");
        assert_eq!((shape.pairs(), shape.pair(n, n), shape.scratch()), (usize::MAX, usize::MAX, usize::MAX));
    }
    let two = [0.5, 0.5];
    for actions in [1 << 63, usize::MAX] {
        let table = [
            mdp::validate_policy::<f64>(2, actions, &[]).is_err(),
            mdp::policy_average(actions, &two, &two, &mut &mut scratch[..]).is_err(),
            mdp::state_marginal(actions, &two, &mut &mut scratch[..]).is_err(),
            mdp::compose(actions, &[], &two, &mut &mut scratch[..]).is_err(),
            mdp::uniform_policy::<f64>(2, actions, &mut &mut scratch[..]).is_err(),
            mdp::deterministic_policy::<f64>(2, actions, |_| 0, &mut &mut scratch[..]).is_err(),
            discounted::regret::policy_advantage(actions, &two, &[], &[], &[]).is_err(),
            mirror_descent::conditional_entropy(actions, &two, &[], &[]).is_err(),
            mirror_descent::mirror_regret(actions, &two, &[], &[], &[]).is_err(),
        ];
        assert_eq!(table, [true; 9], "{actions}");
        assert_eq!(mdp::valid_distributions::<f64>("nothing", actions, &[]), Ok(()), "no row is wrong");
        assert!(!projection::average_within_ball(&[3.0], actions, &1.0), "and no overflow");
        assert!(discounted::algorithm::State::<f64>::new(actions, 0, &mut []).is_err(), "{actions}");
    }
}
