//! Theorems 3.2, A.1, 5.3 and C.1: the formulas at numbers worked out by hand, and the tuning they promise.
#![cfg(feature = "exact")]

use offline_primal_dual::errata;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::average_reward::guarantee as average;
use offline_primal_dual::paper::covariance::Exponent;
use offline_primal_dual::paper::discounted::guarantee as discounted;

fn q(n: i64, d: i64) -> BigRational {
    BigRational::ratio(n, d)
}

/// γ = 1/2, log|A| = 3, D_φ = 2, D_θ = 3, D_β = 5, Tr = 7, ‖Λ‖ = 11 (as if c = 1).
fn constants<T: Field>() -> discounted::Constants<T> {
    discounted::Constants {
        discount: T::ratio(1, 2),
        log_actions: T::from_int(3),
        phi_squared: T::from_int(4),
        theta_squared: T::from_int(9),
        beta_squared: T::from_int(25),
        trace: T::from_int(7),
        norm: T::from_int(11),
    }
}

fn average_constants<T: Field>() -> average::Constants<T> {
    average::Constants {
        log_actions: T::from_int(3),
        phi_squared: T::from_int(4),
        theta_squared: T::from_int(9),
        phi_theta: T::from_int(6),
        beta_squared: T::from_int(25),
        trace: T::from_int(7),
        norm: T::from_int(11),
    }
}

/// G_θ² = 12(1/4 + (5/4)·275) = 4128; G_β² = 3(1 + 45)·7 = 966, in print at c = 1 3·46·4 = 552, at c = 1/2 138.
#[test]
fn second_moments_of_theorem_a1() {
    let c = constants::<BigRational>();
    assert_eq!(discounted::second_moment_bound_theta(&c), q(4128, 1));
    assert_eq!(discounted::second_moment_bound_beta(&c), q(966, 1));
    assert_eq!(errata::equation_20(Exponent::One, &c), q(552, 1));
    assert_eq!(errata::equation_20(Exponent::Half, &c), q(138, 1));
    let blind = c.clone().without_covariance(Exponent::Half, 8);
    assert_eq!((blind.trace, blind.norm), (q(8, 1), q(1, 1)));
    let blind = c.without_covariance(Exponent::One, 8);
    assert_eq!((blind.trace, blind.norm), (q(4, 1), q(4, 1)));
    assert_eq!(discounted::trace_norm_bound(Exponent::One, 8, &q(4, 1)), q(16, 1));
    assert_eq!(discounted::trace_norm_bound(Exponent::Half, 8, &q(4, 1)), q(8, 1));
}

/// G_β² = 7·13² = 1183, G_ρ² = 2·276 = 552, G_θ² = 4·4·275 = 4400.
#[test]
fn second_moments_of_theorem_c1() {
    let c = average_constants::<BigRational>();
    assert_eq!(average::second_moment_bound_beta(&c), q(1183, 1));
    assert_eq!(average::second_moment_bound_rho(&c), q(552, 1));
    assert_eq!(average::second_moment_bound_theta(&c), q(4400, 1));
    assert_eq!(average::theta_bound(&q(2, 1), &q(3, 1), &q(5, 1), &q(7, 1)), Ok(q(40, 1)));
}

/// At K = 4, T = 9: α² = 6/324, η² = 36/(4·4128), ζ² = 100/(9·966); K/T = 2·9·4128/(2·25·966 + 108).
#[test]
fn rates_and_ratio_of_theorem_a1() {
    let c = constants::<BigRational>();
    let squares = discounted::squared_rates(&c, 4, 9).unwrap();
    assert_eq!((squares.alpha, squares.eta, squares.zeta), (q(1, 54), q(36, 16512), q(100, 8694)));
    let ratio = discounted::inner_per_outer(&c).unwrap();
    assert_eq!(ratio, q(74304, 48408));
    assert_eq!(errata::theorem_a1_inner_per_outer(&c).unwrap() * ratio, q(1, 1));
    let rates = discounted::Rates { alpha: q(1, 10), eta: q(1, 100), zeta: q(1, 1000) };
    let terms = discounted::bound_terms(&c, &rates, 4, 9).unwrap();
    assert_eq!(terms, [q(50_000, 9), q(10, 3), q(450, 1), q(966, 2000), q(18, 10), q(4128, 200)]);
}

/// ξ² = 1/(4·552); K/T = (552 + 36·4400)/(100·1183 + 216).
#[test]
fn rates_and_ratio_of_theorem_c1() {
    let c = average_constants::<BigRational>();
    let squares = average::squared_rates(&c, 4, 9).unwrap();
    assert_eq!((squares.alpha, squares.eta), (q(1, 54), q(36, 17600)));
    assert_eq!((squares.zeta, squares.xi), (q(100, 10647), q(1, 2208)));
    let ratio = average::inner_per_outer(&c).unwrap();
    assert_eq!(ratio, q(158_952, 118_516));
    assert_eq!(errata::theorem_c1_inner_per_outer(&c).unwrap() * ratio, q(1, 1));
    let rates = average::Rates { alpha: q(1, 10), eta: q(1, 100), zeta: q(1, 1000), xi: q(1, 8) };
    let terms = average::bound_terms(&c, &rates, 4, 9).unwrap();
    let (beta, theta) = (q(1183, 2000), q(22, 1));
    assert_eq!(terms, [q(50_000, 9), q(10, 3), q(1, 1), q(450, 1), beta, q(18, 10), q(552, 16), theta]);
}

#[test]
fn complexities() {
    let c = constants::<BigRational>();
    let half = q(1, 2);
    // 81·16·625·77·3·16, then with 4·4 for the covariance (D_φ⁸), then with d (D_φ⁴).
    assert_eq!(discounted::complexity(&c, &half), Ok(q(810_000 * 77 * 48, 1)));
    assert_eq!(discounted::simplified_complexity(Exponent::One, 8, &c, &half), Ok(q(810_000 * 16 * 48, 1)));
    assert_eq!(discounted::simplified_complexity(Exponent::Half, 8, &c, &half), Ok(q(810_000 * 8 * 48, 1)));
    let corollary = |e| discounted::corollary_complexity(e, 8, &half, &q(3, 1), &q(5, 1), &half);
    assert_eq!(corollary(Exponent::One), Ok(q(64 * 25 * 3 * 256, 1)));
    assert_eq!(corollary(Exponent::Half), Ok(q(512 * 25 * 3 * 256, 1)));
    let c = average_constants::<BigRational>();
    assert_eq!(average::complexity(&c, &half), Ok(q(810_000 * 7 * 121 * 48, 1)));
    // D_φ¹⁰ = 1024 at c = 1; D_φ⁴ d at c = 1/2.
    assert_eq!(average::simplified_complexity(Exponent::One, 8, &c, &half), Ok(q(81 * 625 * 1024 * 48, 1)));
    assert_eq!(average::simplified_complexity(Exponent::Half, 8, &c, &half), Ok(q(81 * 625 * 16 * 8 * 48, 1)));
    let corollary = |e| average::corollary_complexity(e, 8, &q(2, 1), &q(3, 1), &q(5, 1), &half);
    assert_eq!(corollary(Exponent::One), Ok(q(64 * 16 * 25 * 3 * 16, 1)));
    assert_eq!(corollary(Exponent::Half), Ok(q(512 * 16 * 25 * 3 * 16, 1)));
}

/// The theorem's rates minimise the bound: moving any one of them either way raises it.
#[test]
fn the_rates_are_the_best_ones() {
    let c = constants::<f64>();
    let best = discounted::rates(&c, 40, 30).unwrap();
    let at = |r: &discounted::Rates<f64>| discounted::bound(&c, r, 40, 30).unwrap();
    for factor in [0.9, 1.1] {
        assert!(at(&best) < at(&discounted::Rates { alpha: best.alpha * factor, ..best.clone() }));
        assert!(at(&best) < at(&discounted::Rates { eta: best.eta * factor, ..best.clone() }));
        assert!(at(&best) < at(&discounted::Rates { zeta: best.zeta * factor, ..best.clone() }));
    }
    let c = average_constants::<f64>();
    let best = average::rates(&c, 40, 30).unwrap();
    let at = |r: &average::Rates<f64>| average::bound(&c, r, 40, 30).unwrap();
    for factor in [0.9, 1.1] {
        assert!(at(&best) < at(&average::Rates { alpha: best.alpha * factor, ..best.clone() }));
        assert!(at(&best) < at(&average::Rates { eta: best.eta * factor, ..best.clone() }));
        assert!(at(&best) < at(&average::Rates { zeta: best.zeta * factor, ..best.clone() }));
        assert!(at(&best) < at(&average::Rates { xi: best.xi * factor, ..best.clone() }));
    }
}

/// A Λ of small norm separates K/T from its reciprocal: with n fixed, ours is close to the best split, print's is far.
#[test]
fn print_inverts_the_ratio_of_inner_to_outer_iterations() {
    let c = discounted::Constants { trace: 1.0, norm: 0.01, beta_squared: 1.0, ..constants::<f64>() };
    let rows = 1_000_000;
    let at = |outer: usize| discounted::Tuning::new(&c, rows / outer, outer).unwrap().bound;
    let best = (1..100_000).map(at).fold(f64::INFINITY, f64::min);
    let split = |ratio: f64| at((rows as f64 / ratio).sqrt().round() as usize);
    let ours = split(discounted::inner_per_outer(&c).unwrap());
    let printed = split(errata::theorem_a1_inner_per_outer(&c).unwrap());
    // The bound goes as n^{−1/4}: 1.07 times the samples is a bound 1.07^{1/4} < 1.02 times larger.
    assert!(ours <= 1.02 * best, "{ours} against {best}");
    assert!(printed > 1.5 * best, "{printed} against {best}");

    let c = average::Constants { trace: 1.0, norm: 0.01, beta_squared: 1.0, ..average_constants::<f64>() };
    let at = |outer: usize| average::Tuning::new(&c, rows / outer - 1, outer).unwrap().bound;
    let best = (1..100_000).map(at).fold(f64::INFINITY, f64::min);
    let split = |ratio: f64| at(((rows as f64 / ratio).sqrt().round() as usize).min(rows / 2));
    assert!(split(average::inner_per_outer(&c).unwrap()) <= 1.02 * best);
    assert!(split(errata::theorem_c1_inner_per_outer(&c).unwrap()) > 1.5 * best);
}

/// K and T are rounded up by less than 1 each, T perhaps once more, and the bound goes as 1/√K and 1/√T; 2⁻⁴⁰ for the roundings.
fn closeness(inner: usize, outer: usize) -> f64 {
    1.0 - 1.0 / inner as f64 - 1.0 / outer as f64 - 2f64.powi(-40)
}

#[test]
fn tunings_keep_their_promises() {
    let c = constants::<f64>();
    for epsilon in [10.0, 1.0, 0.1] {
        let tuning = discounted::Tuning::for_epsilon(&c, epsilon).unwrap();
        assert!(
            tuning.bound <= epsilon && tuning.bound > epsilon * closeness(tuning.inner, tuning.outer),
            "{tuning:?}"
        );
        assert_eq!(tuning.samples(), tuning.inner * tuning.outer);
    }
    let rows = 123_456;
    let tuning = discounted::Tuning::for_rows(&c, rows).unwrap();
    assert!(tuning.samples() <= rows && tuning.samples() + tuning.outer > rows, "{tuning:?}");
    assert_eq!(discounted::Tuning::for_rows(&c, 1).map(|t| (t.inner, t.outer)), Ok((1, 1)));
    assert!(discounted::Tuning::for_rows(&c, 0).is_err());
    assert!(discounted::Tuning::for_epsilon(&c, 0.0).is_err());
    assert!(discounted::Tuning::for_epsilon(&c, f64::NAN).is_err());
    assert!(discounted::Tuning::for_epsilon(&c, 1e-12).is_err(), "more than 2^53 iterations");

    let c = average_constants::<f64>();
    for epsilon in [10.0, 1.0, 0.1] {
        let tuning = average::Tuning::for_epsilon(&c, epsilon).unwrap();
        assert!(
            tuning.bound <= epsilon && tuning.bound > epsilon * closeness(tuning.inner, tuning.outer),
            "{tuning:?}"
        );
        assert_eq!(tuning.samples(), (tuning.inner + 1) * tuning.outer);
    }
    let tuning = average::Tuning::for_rows(&c, rows).unwrap();
    assert!(tuning.samples() <= rows && tuning.samples() + tuning.outer > rows, "{tuning:?}");
    assert_eq!(average::Tuning::for_rows(&c, 2).map(|t| (t.inner, t.outer)), Ok((1, 1)));
    assert!(average::Tuning::for_rows(&c, 1).is_err(), "Algorithm 2 needs two rows");
}

/// T is the nearest to √(n/(K/T)), with T blocks of 1 + K rows for Algorithm 2, and K takes what rows are left.
#[test]
fn rows_are_split_at_the_nearest_outer_count() {
    let (c, a) = (constants::<f64>(), average_constants::<f64>());
    let (ratio, average_ratio) = (discounted::inner_per_outer(&c).unwrap(), average::inner_per_outer(&a).unwrap());
    for rows in (10..1000).step_by(7) {
        let tuning = discounted::Tuning::for_rows(&c, rows).unwrap();
        assert!((tuning.outer as f64 - (rows as f64 / ratio).sqrt()).abs() <= 0.5, "{rows}: {tuning:?}");
        assert_eq!(tuning.inner, rows / tuning.outer);
        let tuning = average::Tuning::for_rows(&a, rows).unwrap();
        assert!((tuning.outer as f64 - (rows as f64 / average_ratio).sqrt()).abs() <= 0.5, "{rows}: {tuning:?}");
        assert_eq!(tuning.inner, rows / tuning.outer - 1);
    }
    // So small a ‖Λ‖ asks for more outer iterations than the rows allow.
    let a = average::Constants { norm: 1e-9, theta_squared: 1e-3, ..a };
    assert!(average::inner_per_outer(&a).unwrap() < 1e-2);
    for rows in 2..20 {
        let tuning = average::Tuning::for_rows(&a, rows).unwrap();
        assert_eq!((tuning.inner, tuning.outer), (rows / (rows / 2) - 1, rows / 2));
    }
}

/// The tuning for ε has the least T, and where rounding leaves the bound just above ε, one more. Constants with K/T = 1, so that
/// nothing but the root is rounded: 2·3(1 + 3/2) = 2·3·2 + 3.
#[test]
fn the_tuning_for_epsilon_is_the_smallest() {
    let c = discounted::Constants {
        discount: 0.0,
        log_actions: 3.0,
        phi_squared: 1.0,
        theta_squared: 1.0,
        beta_squared: 1.0,
        trace: 1.0,
        norm: 1.5,
    };
    assert_eq!(discounted::inner_per_outer(&c), Ok(1.0));
    smallest(
        |outer| discounted::Tuning::for_outer(&c, outer).unwrap().bound,
        |epsilon| discounted::Tuning::for_epsilon(&c, epsilon).map(|t| (t.outer, t.bound)).unwrap(),
    );
    // 2·(1 + 3) + 4·4·3 = 4·9 + 2·10.
    let c = average::Constants {
        log_actions: 10.0,
        phi_squared: 1.0,
        theta_squared: 1.0,
        phi_theta: 1.0,
        beta_squared: 1.0,
        trace: 1.0,
        norm: 3.0,
    };
    assert_eq!(average::inner_per_outer(&c), Ok(1.0));
    smallest(
        |outer| average::Tuning::for_outer(&c, outer).unwrap().bound,
        |epsilon| average::Tuning::for_epsilon(&c, epsilon).map(|t| (t.outer, t.bound)).unwrap(),
    );
}

fn smallest(bound: impl Fn(usize) -> f64, tuning: impl Fn(f64) -> (usize, f64)) {
    let mut corrected = 0;
    for outer in 2..400 {
        let reached = bound(outer);
        for epsilon in [reached, reached.next_down()] {
            let (found, bound) = tuning(epsilon);
            assert!(bound <= epsilon, "T = {outer}: {bound} > {epsilon}");
            assert!(found == outer || found == outer + 1, "{found} for {outer}");
            corrected += usize::from(found == outer + 1);
        }
        assert_eq!(tuning(reached * (1.0 + 1e-9)).0, outer, "no more than needed");
    }
    assert!(corrected >= 398, "just below the bound that T reaches, T is not enough");
}

/// A zero denominator is named, not divided by.
#[test]
fn zero_denominators_are_refused_as_such() {
    let zero = |result: offline_primal_dual::Result<BigRational>| {
        matches!(result, Err(offline_primal_dual::Error::OutOfRange { expected: "a positive denominator", .. }))
    };
    assert!(zero(discounted::complexity(&constants(), &q(0, 1))));
    assert!(zero(average::complexity(&average_constants(), &q(0, 1))));
}
