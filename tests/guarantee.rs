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
    assert_eq!(average::complexity(&c, &half), Ok(q(810_000 * 77 * 48, 1)));
    assert_eq!(errata::theorem_c1_complexity(&c, &half), Ok(q(810_000 * 7 * 121 * 48, 1)));
    // D_φ⁸ = 256 at c = 1, in print D_φ¹⁰ = 1024; D_φ⁴ d at c = 1/2.
    let by_dimension = [average::simplified_complexity, errata::theorem_5_3_complexity]
        .map(|order| [Exponent::One, Exponent::Half].map(|e| order(e, 8, &c, &half).unwrap()));
    let at_half = q(81 * 625 * 16 * 8 * 48, 1);
    assert_eq!(by_dimension[0], [q(81 * 625 * 256 * 48, 1), at_half.clone()]);
    assert_eq!(by_dimension[1], [q(81 * 625 * 1024 * 48, 1), at_half]);
    let corollary = |e| average::corollary_complexity(e, 8, &q(2, 1), &q(3, 1), &q(5, 1), &half);
    assert_eq!(corollary(Exponent::One), Ok(q(64 * 16 * 25 * 3 * 16, 1)));
    assert_eq!(corollary(Exponent::Half), Ok(q(512 * 16 * 25 * 3 * 16, 1)));
}

/// Numbers for constants: reproducible, nothing more.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as i64 % n as i64
    }

    /// 10^k·n for a k in −3 … 3 and an n in 1 … 9.
    fn of_any_size(&mut self) -> BigRational {
        let (k, n) = (self.below(7), 1 + self.below(9));
        q(n * 10_i64.pow(k as u32), 1000)
    }
}

/// At the best rates the bound is A/√T + B/√K, hence n = KT = 16A²B²/ε⁴ at the best K/T. With A² and B² as the sums of the squares of
/// their parts, read off the eight terms themselves, A²B² is between 256 and 760 times D_θ⁴D_φ⁴D_β⁴ Tr ‖Λ‖ wherever D_θD_φ ≥ 1,
/// D_β²‖Λ‖ ≥ 1 and log|A| ≤ D_β² Tr: A² is 4D_β²Tr(1 + 2D_θD_φ)² + 2D_θ²D_φ² log|A|, between 16 and 38 times D_β²Tr D_θ²D_φ², and B² is
/// 2(1 + D_β²‖Λ‖) + 16D_θ²D_φ²D_β²‖Λ‖, between 16 and 20 times D_θ²D_φ²D_β²‖Λ‖. Theorem A.1's six terms likewise, between 144 and 912: A²
/// is 12D_β²Tr(1 + (1+γ²)D_θ²D_φ²) + 2D_θ²D_φ² log|A|, 12 to 38 times; B² is 12D_θ²D_φ²((1−γ)² + (1+γ²)D_β²‖Λ‖), 12 to 24 times.
#[test]
fn orders_are_those_of_the_bounds() {
    let (mut numbers, one) = (Numbers(17), q(1, 1));
    let (mut cases, mut printed_outside) = (0, 0);
    while cases < 300 {
        let [phi, theta] = [numbers.of_any_size(), numbers.of_any_size()];
        let [beta_squared, trace, norm] = [numbers.of_any_size(), numbers.of_any_size(), numbers.of_any_size()];
        let (log_actions, square) = (q(1 + numbers.below(40), 10), |x: &BigRational| x.clone() * x);
        let phi_theta = phi.clone() * &theta;
        let small = beta_squared.clone() * &norm < one || beta_squared.clone() * &trace < log_actions;
        if phi_theta < one || small {
            continue;
        }
        cases += 1;
        let (phi_squared, theta_squared, log) = (square(&phi), square(&theta), log_actions.clone());
        let c = average::Constants { log_actions, phi_squared, theta_squared, phi_theta, beta_squared, trace, norm };
        let rates = average::Rates { alpha: q(1, 3), eta: q(1, 5), zeta: q(1, 7), xi: q(1, 11) };
        // Of each pair of terms the product does not depend on the rate: 4ab = (a least + b least)².
        let t = average::bound_terms(&c, &rates, 6, 10).unwrap();
        let pair = |i: usize, j: usize| q(4, 1) * &t[i] * &t[j];
        let product = (pair(0, 4) + pair(1, 5)) * (pair(2, 6) + pair(3, 7)) * q(60, 1);
        let within = |order: BigRational, low: i64, high: i64, product: &BigRational| {
            let ratio = product.clone() * &log / order;
            (q(low, 1) <= ratio && ratio <= q(high, 1), ratio.to_f64())
        };
        let found = within(average::complexity(&c, &one).unwrap(), 256, 760, &product);
        assert!(found.0, "{} for {c:?}", found.1);
        printed_outside += usize::from(!within(errata::theorem_c1_complexity(&c, &one).unwrap(), 256, 760, &product).0);

        let average::Constants { log_actions, phi_squared, theta_squared, beta_squared, trace, norm, .. } = c;
        let discount = q(numbers.below(10), 10);
        let c = discounted::Constants { discount, log_actions, phi_squared, theta_squared, beta_squared, trace, norm };
        let rates = discounted::Rates { alpha: q(1, 3), eta: q(1, 5), zeta: q(1, 7) };
        let t = discounted::bound_terms(&c, &rates, 6, 10).unwrap();
        let pair = |i: usize, j: usize| q(4, 1) * &t[i] * &t[j];
        let product = (pair(0, 3) + pair(1, 4)) * pair(2, 5) * q(60, 1);
        let found = within(discounted::complexity(&c, &one).unwrap(), 144, 912, &product);
        assert!(found.0, "{} for {c:?}", found.1);
    }
    assert!(printed_outside > 100, "print's order is off by ‖Λ‖, far from 1 in most cases: {printed_outside}");
}

/// For ε at constants of many sizes: the six (eight) terms at the tuning's own K, T and rates add up to at most ε, and at half the T, or
/// half the K, they do not.
#[test]
fn tunings_for_epsilon_are_tied_to_the_terms() {
    let mut numbers = Numbers(18);
    let (mut cases, mut refused) = (0, 0);
    while cases < 400 {
        let mut next = || numbers.of_any_size().to_f64();
        let (phi, theta, beta_squared, trace, norm) = (next(), next(), next(), next(), next());
        let (phi_squared, theta_squared, log_actions) = (phi * phi, theta * theta, next());
        let epsilon = next().min(1.0);
        let discount = numbers.below(10) as f64 / 10.0;
        let a = average::Constants {
            log_actions,
            phi_squared,
            theta_squared,
            phi_theta: phi * theta,
            beta_squared,
            trace,
            norm,
        };
        let c = discounted::Constants { discount, log_actions, phi_squared, theta_squared, beta_squared, trace, norm };
        let (Ok(tuned), Ok(average_tuned)) =
            (discounted::Tuning::for_epsilon(&c, epsilon), average::Tuning::for_epsilon(&a, epsilon))
        else {
            refused += 1; // more than 2⁵³ iterations
            continue;
        };
        cases += 1;
        let sum = |terms: &[f64]| terms.iter().sum::<f64>();
        let (k, t) = (tuned.inner, tuned.outer);
        let reached = sum(&discounted::bound_terms(&c, &tuned.rates, k, t).unwrap());
        assert!(reached <= epsilon * (1.0 + 1e-12), "{reached} above {epsilon}: {c:?}");
        assert_eq!(tuned.samples(), k.saturating_mul(t));
        let at = |k, t| sum(&discounted::bound_terms(&c, &discounted::rates(&c, k, t).unwrap(), k, t).unwrap());
        halves_fail(epsilon, (k, t), at);

        let (k, t) = (average_tuned.inner, average_tuned.outer);
        let reached = sum(&average::bound_terms(&a, &average_tuned.rates, k, t).unwrap());
        assert!(reached <= epsilon * (1.0 + 1e-12), "{reached} above {epsilon}: {a:?}");
        assert_eq!(average_tuned.samples(), (k + 1).saturating_mul(t));
        let at = |k, t| sum(&average::bound_terms(&a, &average::rates(&a, k, t).unwrap(), k, t).unwrap());
        halves_fail(epsilon, (k, t), at);
    }
    assert!(refused < 100, "{refused} refused");
}

/// Unless rounding up to so small a K or T explains it.
fn halves_fail(epsilon: f64, (k, t): (usize, usize), at: impl Fn(usize, usize) -> f64) {
    if k >= 16 && t >= 16 {
        assert!(at(k, t / 2) > epsilon, "half the T would do: K = {k}, T = {t}, ε = {epsilon}");
        assert!(at(k / 2, t) > epsilon, "half the K would do: K = {k}, T = {t}, ε = {epsilon}");
    }
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
