//! The two intervals, of rationals and of doubles: every operation on every pair of small ones, by its definition on the ends.

use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::number::interval::Interval;
use offline_primal_dual::number::outward::Outward;
use offline_primal_dual::number::{Field, Real};
use std::cmp::Ordering;

const ENDS: [i64; 5] = [-3, -1, 0, 1, 2];

/// All (lower, upper).
fn pairs() -> impl Iterator<Item = (i64, i64)> {
    ENDS.into_iter().flat_map(|lower| ENDS.into_iter().map(move |upper| (lower, upper))).filter(|(l, u)| l <= u)
}

fn q(n: i64, d: i64) -> BigRational {
    BigRational::ratio(n, d)
}

fn exact((lower, upper): (i64, i64)) -> Interval {
    Interval { lower: q(lower, 1), upper: q(upper, 1) }
}

#[allow(clippy::cast_precision_loss)] // −3 … 2
fn doubles((lower, upper): (i64, i64)) -> Outward {
    Outward { lower: lower as f64, upper: upper as f64 }
}

/// The least and the greatest value on the ends of `a` and `b`; of a quotient as a fraction.
fn range(a: (i64, i64), b: (i64, i64), f: impl Fn(i64, i64) -> BigRational) -> (BigRational, BigRational) {
    let values = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
    let pick = |wanted: Ordering| {
        let better = |x: &BigRational, y: &BigRational| x.partial_cmp(y) == Some(wanted);
        values.iter().fold(&values[0], |best, value| if better(value, best) { value } else { best }).clone()
    };
    (pick(Ordering::Less), pick(Ordering::Greater))
}

/// Holds the range, and exceeds it by 2⁻⁴⁸ at most.
fn holds_tightly(found: Outward, (lower, upper): &(BigRational, BigRational)) -> bool {
    let exact = |x: f64| BigRational::from_f64(x).unwrap();
    let slack = q(1, 1 << 48);
    exact(found.lower) <= *lower
        && exact(found.lower) + &slack >= *lower
        && exact(found.upper) >= *upper
        && exact(found.upper) <= upper.clone() + &slack
}

#[test]
fn operations_are_those_of_the_ends() {
    for (a, b) in pairs().flat_map(|a| pairs().map(move |b| (a, b))) {
        let (x, y, u, v) = (exact(a), exact(b), doubles(a), doubles(b));
        let mut assigned = u;
        assigned -= v;
        assert_eq!((assigned.lower, assigned.upper), ((u - v).lower, (u - v).upper));
        for (found, near, defined) in [
            (x.clone() + &y, u + v, range(a, b, |x, y| q(x + y, 1))),
            (x.clone() - &y, u - v, range(a, b, |x, y| q(x - y, 1))),
            (x.clone() * &y, u * v, range(a, b, |x, y| q(x * y, 1))),
        ] {
            assert!((found.lower, found.upper) == defined, "{a:?} {b:?}: {defined:?}");
            assert!(holds_tightly(near, &defined), "{a:?} {b:?}: {near:?}");
        }
        let (found, near) = (x.clone() / &y, u / v);
        if b.0 <= 0 && b.1 >= 0 {
            assert!(!found.is_valid() && !near.is_valid(), "{a:?}/{b:?}");
        } else {
            let defined = range(a, b, q);
            assert!((found.lower, found.upper) == defined && holds_tightly(near, &defined), "{a:?}/{b:?}: {near:?}");
        }
        let same = a == b && a.0 == a.1;
        let order = match () {
            () if same => Some(Ordering::Equal),
            () if a.1 < b.0 => Some(Ordering::Less),
            () if a.0 > b.1 => Some(Ordering::Greater),
            () => None,
        };
        assert_eq!((x == y, u == v), (same, same), "{a:?} {b:?}");
        assert_eq!((x.partial_cmp(&y), u.partial_cmp(&v)), (order, order), "{a:?} {b:?}");
    }
    for a in pairs() {
        let lower = if a.0 <= 0 && a.1 >= 0 { 0 } else { a.0.abs().min(a.1.abs()) };
        let size = (lower, a.0.abs().max(a.1.abs()));
        let (x, u) = (exact(a).abs(), doubles(a).abs());
        assert!((x.lower, x.upper) == (q(size.0, 1), q(size.1, 1)), "{a:?}");
        assert_eq!((u.lower, u.upper), (doubles(size).lower, doubles(size).upper), "{a:?}");
        assert_eq!(doubles(a).magnitude(), doubles(size).upper);
    }
}

#[test]
fn what_is_invalid_stays_invalid() {
    let nothing = BigRational::from_int(1) / &BigRational::from_int(0);
    for half in [Interval { lower: nothing.clone(), upper: q(1, 1) }, Interval { lower: q(1, 1), upper: nothing }] {
        assert!(!half.is_valid());
        for whole in [exact((2, 2)), exact((-1, 2))] {
            assert!(!(half.clone() * &whole).is_valid() && !(whole * &half).is_valid());
        }
    }
    let nan = Outward { lower: f64::NAN, upper: 1.0 };
    assert!(nan.magnitude().is_nan() && !nan.max(Outward::one()).is_valid() && !Outward::one().max(nan).is_valid());
}

#[test]
fn doubles_keep_what_they_know() {
    let (unit, half) = (Outward { lower: 0.0, upper: 1.0 }, Outward { lower: 0.25, upper: 0.75 });
    assert_eq!((unit * half).lower.to_bits(), 0);
    assert_eq!(((unit * Outward::zero()).lower, (Outward::zero() * half).upper), (0.0, 0.0));
    assert_eq!(((unit * Outward::zero()).upper, (Outward::zero() * half).lower), (0.0, 0.0));
    assert_eq!((Outward { lower: 1.0, upper: 3.0 }).middle(), 2.0);
    assert_eq!(unit.root().lower, 0.0);
    assert!(Outward::point(4.0).root().lower > 1.99);
    // An integer below 2⁵³ is itself; what else rounds to a double may be beside it.
    assert!(Outward::near(7.0) == Outward::point(7.0));
    assert!(
        [0.5, 9_007_199_254_740_992.0, 1e300]
            .into_iter()
            .all(|x| Outward::near(x).lower < x && x < Outward::near(x).upper)
    );
    // n·u/(1 − n·u) at n·u = 1/8.
    assert_eq!(f64::rounding(1 << 50), 1.0 / 7.0);
}

#[test]
fn long_numbers_are_rounded_outward_and_short_ones_are_not() {
    let third = Interval::point(&q(1, 3));
    assert!((third.clone() + &Interval::zero()).lower == q(1, 3), "short");
    let long = (0..400).fold(q(1, 3), |x, _| x * &q(1, 3));
    let sum = Interval::point(&long) + &Interval::one();
    let (one, tiny) = (q(1, 1), (0..80).fold(q(1, 1), |x, _| x * &q(1, 2)));
    assert!(sum.lower < one.clone() + &long && sum.upper > one + &long && sum.upper - &sum.lower < tiny);
    assert!(Interval::rounding(1).lower > q(0, 1) && Interval::rounding(1).upper < tiny);
    assert!(Interval::rounding(6).lower == Interval::rounding(3).lower * &q(2, 1));
}

/// e^500 = 1.4·10²¹⁷; e^±2000 is computed, beyond it nothing or nearly nothing is said.
#[test]
fn exponentials_of_large_numbers() {
    let exp = |n: i64| Interval::from_int(n).exp();
    let ten = |n: usize| (0..n).fold(q(1, 1), |x, _| x * &q(10, 1));
    assert!(exp(500).lower > ten(217) && exp(500).upper < ten(217) * &q(2, 1));
    assert!(exp(2000).is_valid() && !exp(2001).is_valid());
    assert!(exp(-2000).lower > q(0, 1) && exp(-3000).lower == q(0, 1));
    assert!(exp(-3000).upper == (0..2885).fold(q(1, 1), |x, _| x * &q(1, 2)));
    assert!((Interval { lower: q(-3000, 1), upper: q(0, 1) }).exp().upper >= q(1, 1));
}

#[test]
fn systems_of_intervals_hold_their_solution() {
    let mut difference = exact((1, 2));
    difference -= exact((0, 1));
    assert!((difference.lower, difference.upper) == (q(0, 1), q(2, 1)));
    // 2x + y = 4, x + 3y = 7.
    let mut a = [2.0, 1.0, 1.0, 3.0].map(Outward::point);
    let mut b = [4.0, 7.0].map(Outward::point);
    offline_primal_dual::linear::solve::solve(2, &mut a, &mut b).unwrap();
    for (found, x) in b.into_iter().zip([1.0, 2.0]) {
        assert!(found.lower <= x && x <= found.upper && found.upper - found.lower < 1e-14, "{found:?}");
    }
}

#[test]
fn doubles_are_counted() {
    use offline_primal_dual::number::ulps;
    let counts = [
        (1.0, 1.0),
        (1.0, 1.0 + f64::EPSILON),
        (1.0, 1.0 - f64::EPSILON),
        (-0.0, 0.0),
        (-5e-324, 5e-324),
        (f64::NAN, 1.0),
    ];
    assert_eq!(counts.map(|(a, b)| ulps(a, b)), [0, 1, 2, 0, 2, u64::MAX]);
    assert_eq!((ulps(1.0, f64::NAN), ulps(-1.0, -1.0 - f64::EPSILON)), (u64::MAX, 1));
    let names = offline_primal_dual::paper::covariance::Exponent::Half.name();
    assert_eq!((names, offline_primal_dual::paper::covariance::Exponent::One.name()), ("1/2", "1"));
}
