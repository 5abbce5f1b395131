//! Appendix E and Section 6, exactly: every embedded instance, every deterministic comparator and the uniform one.
#![cfg(all(feature = "std", feature = "exact"))]

use offline_primal_dual::instances::{self, Owned};
use offline_primal_dual::linear::solve::{Definiteness, definiteness, rank};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::paper::covariance::{Exponent, Spectrum, covariance};
use offline_primal_dual::paper::coverage::*;
use offline_primal_dual::paper::mdp::*;

/// Comparators that see one feature vector only: one state and one action (4 + 2), the chain's 16 policies that stay at
/// the left end where they start, and the 2 that stay in one class of `rotated`.
const ONE_FEATURE: usize = 4 + 2 + 16 + 2;

const BOTH: [Exponent; 2] = [Exponent::One, Exponent::Half];

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

fn zeros(n: usize) -> Vec<Q> {
    vec![q(0, 1); n]
}

/// An instance, a comparator and everything Appendix E derives from them.
struct Case {
    name: &'static str,
    instance: Owned<Q>,
    policy: Vec<Q>,
    mu_star: Vec<Q>,
    mu_b: Vec<Q>,
    /// E*[φφᵀ].
    m: Vec<Q>,
    lambda: Vec<Q>,
    scratch: Vec<Q>,
}

impl Case {
    fn new(name: &'static str, instance: Owned<Q>, policy: Vec<Q>) -> Self {
        let shape = instance.shape;
        let (mut scratch, mut table) = (zeros(shape.scratch()), zeros(shape.scratch()));
        let linear = instance.linear_mdp().unwrap();
        let mdp = linear.tabulate(&mut &mut table[..]).unwrap();
        let mu_star = occupancy(&mdp, &policy, &mut &mut scratch[..]).unwrap().to_vec();
        let mu_b = occupancy(&mdp, &instance.behavior, &mut &mut scratch[..]).unwrap().to_vec();
        let m = covariance(&linear, &mu_star, &mut &mut zeros(shape.dim * shape.dim)[..]).unwrap().to_vec();
        let lambda = covariance(&linear, &mu_b, &mut &mut zeros(shape.dim * shape.dim)[..]).unwrap().to_vec();
        Self { name, instance, policy, mu_star, mu_b, m, lambda, scratch }
    }

    fn dim(&self) -> usize {
        self.instance.shape.dim
    }

    fn ratio(&mut self, c: Exponent) -> Q {
        let mdp = self.instance.linear_mdp().unwrap();
        coverage_ratio(c, &mdp, &self.mu_star, &self.lambda, &mut self.scratch).unwrap()
    }

    fn diamond(&mut self) -> Q {
        let mdp = self.instance.linear_mdp().unwrap();
        diamond_ratio(&mdp, &self.mu_star, &self.lambda, &mut self.scratch).unwrap()
    }

    fn dagger_is(&mut self, tau: &Q) -> bool {
        dagger_ratio_equals(self.dim(), &self.m, &self.lambda, tau, &mut self.scratch).unwrap()
    }

    fn dagger_at_most(&mut self, tau: &Q) -> bool {
        dagger_ratio_at_most(self.dim(), &self.m, &self.lambda, tau, &mut self.scratch).unwrap()
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // What follows is about Λ^{−c}; singular Λ has tests of its own.
    for instance in instances::all().iter().filter(|instance| instance.name() != "half-seen") {
        let Shape { states, actions, .. } = instance.shape();
        let digit = |code: usize, x: usize| code / actions.pow(u32::try_from(x).unwrap()) % actions;
        let mut room = zeros(states * actions);
        for code in 0..=actions.pow(u32::try_from(states).unwrap()) {
            let room = &mut &mut room[..];
            let policy = if code < actions.pow(u32::try_from(states).unwrap()) {
                deterministic_policy(states, actions, |x| digit(code, x), room).unwrap()
            } else {
                uniform_policy(states, actions, room).unwrap()
            };
            cases.push(Case::new(instance.name(), instance.to_owned().unwrap(), policy.to_vec()));
        }
    }
    cases
}

fn case(name: &'static str, actions: &[usize]) -> Case {
    let instance = instances::by_name(name).unwrap().to_owned().unwrap();
    let (Shape { states, actions: count, .. }, mut room) = (instance.shape, zeros(instance.shape.pairs()));
    let policy = deterministic_policy(states, count, |x| actions[x], &mut &mut room[..]).unwrap();
    Case::new(name, instance, policy.to_vec())
}

/// Prop E.2: C_{φ,c} = E*[φᵀΛ^{−2c}φ] − Var*[Λ^{−c}φ] for both c, so C_{φ,1/2} ≤ C^⋄, with equality without variance.
#[test]
fn variance_identity() {
    let (mut checked, mut equalities) = (0, 0);
    for mut case in cases() {
        for c in BOTH {
            let ratio = case.ratio(c);
            let mdp = case.instance.linear_mdp().unwrap();
            let moment = second_moment_ratio(c, &mdp, &case.mu_star, &case.lambda, &mut case.scratch).unwrap();
            let variance = feature_variance(c, &mdp, &case.mu_star, &case.lambda, &mut case.scratch).unwrap();
            assert_eq!(ratio, moment.clone() - &variance, "{} {c:?}", case.name);
            assert!(variance >= q(0, 1));
            assert_eq!(ratio == moment, variance.is_zero());
            equalities += usize::from(variance.is_zero());
            checked += 1;
        }
        let trace = diamond_ratio_trace(case.dim(), &case.m, &case.lambda, &mut case.scratch).unwrap();
        assert_eq!(case.diamond(), trace, "{}", case.name);
    }
    // 2·(5 + 5 + 5 + 33 + 17 + 9 + 9 + 5 + 2 + 3).
    assert_eq!(checked, 186);
    assert_eq!(equalities, 2 * ONE_FEATURE);
}

/// ‖β*‖² = C_{φ,c} for β* = Λ^{−c}Φᵀμ*, with the given root at c = 1/2: what erratum 4 rests on.
#[test]
fn ratio_is_the_squared_norm_of_beta_star() {
    let mut roots = 0;
    for mut case in cases() {
        let dim = case.dim();
        let powers = [(Exponent::One, Some(case.lambda.clone())), (Exponent::Half, case.instance.root.clone())];
        for (c, power) in powers {
            let Some(mut power) = power else { continue };
            let mut beta = case
                .instance
                .linear_mdp()
                .unwrap()
                .mean_feature(&case.mu_star, &mut &mut zeros(dim)[..])
                .unwrap()
                .to_vec();
            offline_primal_dual::linear::solve::solve(dim, &mut power, &mut beta).unwrap();
            let norm = offline_primal_dual::linear::vector::norm_squared(&beta).unwrap();
            assert_eq!(case.ratio(c), norm, "{}", case.name);
            roots += usize::from(c == Exponent::Half);
        }
    }
    assert_eq!(roots, 3 * 5 + 5 + 2);
}

/// Prop E.3: C^† ≤ C^⋄ ≤ d C^†, both equalities hit; the bracket is proven at both ends and shrinks as it says.
#[test]
fn dagger_and_diamond() {
    let (mut left, mut right) = (0, 0);
    for mut case in cases() {
        let (dim, diamond) = (case.dim(), case.diamond());
        let share = diamond.clone() / q(i64::try_from(dim).unwrap(), 1);
        assert!(case.dagger_at_most(&diamond), "{}: C^† ≤ C^⋄", case.name);
        assert!(!case.dagger_at_most(&share) || case.dagger_is(&share), "{}: C^⋄ ≤ d C^†", case.name);
        left += usize::from(case.dagger_is(&diamond));
        right += usize::from(case.dagger_is(&share));
        let (lower, upper) = dagger_ratio_bracket(dim, &case.m, &case.lambda, 30, &mut case.scratch).unwrap();
        assert!(case.dagger_at_most(&upper));
        assert!(!case.dagger_at_most(&lower) || case.dagger_is(&lower));
        let width = upper - &lower;
        assert!(width.is_zero() || width * q(1 << 30, 1) == diamond - share, "{}", case.name);
    }
    // One feature vector makes M of rank one: C^† = C^⋄. μ* = μ_B makes it Λ: C^⋄ = d C^†.
    assert_eq!(left, ONE_FEATURE, "equality on the left");
    assert_eq!(right, 3 + 2, "equality on the right: uniform where π_B is uniform, and where there is one action");
}

/// Prop E.4: over Θ = R^d the Bellman errors are all of R^d; the ratio on X×A is the Rayleigh quotient of θ − 𝒯θ.
#[test]
fn bellman_ratio_is_at_most_dagger_and_reaches_it() {
    let mut reached = 0;
    for mut case in cases() {
        let dim = case.dim();
        let mdp = case.instance.linear_mdp().unwrap();
        let mut grid = Vec::new();
        for i in 0..2 * dim {
            // y = e_i, then y = e_i + 2e_{i+1}.
            let mut y = zeros(dim);
            y[i % dim] = q(1, 1);
            if i >= dim {
                y[(i + 1) % dim] += q(2, 1);
            }
            let theta = theta_of_bellman_error(&mdp, &case.policy, &y, &mut &mut case.scratch[..]).unwrap().to_vec();
            let back = bellman_error(&mdp, &case.policy, &theta, &mut &mut case.scratch[..]).unwrap().to_vec();
            assert_eq!(back, y, "{}: θ ↦ θ − 𝒯θ is onto", case.name);
            let f = mdp.linear_function(&theta, &mut &mut zeros(case.mu_b.len())[..]).unwrap().to_vec();
            let on_pairs =
                bellman_error_ratio(&mdp, &case.policy, &f, &case.mu_star, &case.mu_b, &mut case.scratch).unwrap();
            let quotient = rayleigh_quotient(dim, &case.m, &case.lambda, &y, &mut case.scratch).unwrap();
            assert_eq!(on_pairs, Some(quotient.clone()), "{}", case.name);
            let one = bellman_coverage_ratio(&mdp, &case.policy, &theta, &case.m, &case.lambda, &mut case.scratch);
            assert_eq!(one, Ok(quotient));
            grid.extend_from_slice(&theta);
        }
        let over_grid =
            bellman_coverage_ratio(&mdp, &case.policy, &grid, &case.m, &case.lambda, &mut case.scratch).unwrap();
        let (m, lambda) = (&case.m, &case.lambda);
        assert!(dagger_ratio_at_most(dim, m, lambda, &over_grid, &mut case.scratch).is_ok());
        let beaten = !case.dagger_at_most(&over_grid);
        assert!(beaten || case.dagger_is(&over_grid), "{}: C_F > C^†", case.name);
        reached += usize::from(!beaten);
    }
    // In tabular features the unit vectors are the eigenvectors, so every such case is an equality.
    assert!(reached >= 5 + 5 + 33, "equality reached in {reached} cases");
}

/// 𝒯's fixed point is θ^π; a Θ of fixed points has no ratio.
#[test]
fn fixed_points_are_left_out() {
    let mut case = case("low-rank", &[1, 1, 1, 0]);
    let mdp = case.instance.linear_mdp().unwrap();
    let theta = theta_of_bellman_error(&mdp, &case.policy, &zeros(3), &mut &mut case.scratch[..]).unwrap().to_vec();
    let image = bellman_operator(&mdp, &case.policy, &theta, &mut &mut case.scratch[..]).unwrap().to_vec();
    assert_eq!(theta, image);
    let ratio = bellman_coverage_ratio(&mdp, &case.policy, &theta, &case.m, &case.lambda, &mut case.scratch);
    assert!(ratio.is_err());
    let f = mdp.linear_function(&theta, &mut &mut zeros(8)[..]).unwrap().to_vec();
    let none = bellman_error_ratio(&mdp, &case.policy, &f, &case.mu_star, &case.mu_b, &mut case.scratch);
    assert_eq!(none, Ok(None));
}

/// Section 6: the tabular forms are the general ones, and 1 + χ² is C_{φ,1/2}.
#[test]
fn tabular_forms() {
    let mut checked = 0;
    for mut case in cases() {
        if !["two-state", "chain"].contains(&case.name) {
            continue;
        }
        let (star, behavior) = (case.mu_star.clone(), case.mu_b.clone());
        for c in BOTH {
            assert_eq!(case.ratio(c), tabular_coverage_ratio(c, &star, &behavior).unwrap());
        }
        assert_eq!(case.diamond(), tabular_diamond_ratio(&star, &behavior).unwrap());
        assert!(case.dagger_is(&tabular_dagger_ratio(&star, &behavior).unwrap()));
        let one_plus = chi_squared(&star, &behavior).unwrap() + q(1, 1);
        assert_eq!(one_plus, case.ratio(Exponent::Half));
        // Erratum 5: equal to the printed C_{φ,1} nowhere here, since μ_B < 1 wherever μ* > 0.
        assert!(one_plus < case.ratio(Exponent::One));
        // μ*² ≤ μ* termwise, so C_{φ,1/2} ≤ C^⋄ as print says.
        assert!(case.ratio(Exponent::Half) <= case.diamond());
        checked += 1;
    }
    assert_eq!(checked, 5 + 33);
    let ([one, zero], half) = ([q(1, 1), q(0, 1)], q(1, 2));
    assert_eq!(tabular_diamond_ratio(&[one.clone(), zero.clone()], &[one.clone(), zero.clone()]), Ok(one.clone()));
    let outside = [&[half.clone(), half][..], &[one, zero][..]];
    for c in BOTH {
        assert!(tabular_coverage_ratio(c, outside[0], outside[1]).is_err());
    }
    assert!(tabular_diamond_ratio(outside[0], outside[1]).is_err());
    assert!(tabular_dagger_ratio(outside[0], outside[1]).is_err());
    assert!(chi_squared(outside[0], outside[1]).is_err());
}

/// "Non-comparable with C^⋄ in general": C_{φ,1} falls on either side of it.
#[test]
fn ratio_one_and_diamond_are_not_comparable() {
    let sides = |star: [Q; 2], behavior: [Q; 2]| {
        let ratio = tabular_coverage_ratio(Exponent::One, &star, &behavior).unwrap();
        (ratio, tabular_diamond_ratio(&star, &behavior).unwrap())
    };
    assert_eq!(sides([q(1, 1), q(0, 1)], [q(1, 2), q(1, 2)]), (q(4, 1), q(2, 1)));
    assert_eq!(sides([q(1, 8), q(7, 8)], [q(1, 4), q(3, 4)]), (q(29, 18), q(30, 18)));
}

/// Erratum 6: features s·φ; the law of rescaling, the counterexample, and the inequality as it should stand.
#[test]
fn rescaling() {
    let mut print_fails = 0;
    for mut case in cases() {
        let (half, one) = (case.ratio(Exponent::Half), case.ratio(Exponent::One));
        let mdp = case.instance.linear_mdp().unwrap();
        let bounds = squared_bounds(&mdp, &mut case.scratch).unwrap();
        let repaired = half_ratio_bound(&bounds.phi, &one).unwrap();
        assert!(half <= repaired, "{}", case.name);
        print_fails += usize::from(half > one);
        if bounds.phi <= q(1, 1) {
            assert!(half <= one, "{}: print is right for D_φ ≤ 1", case.name);
        }
        for scale in [q(1, 2), q(3, 1)] {
            let mut scaled = case.instance.clone();
            for entry in &mut scaled.features {
                *entry = entry.clone() * &scale;
            }
            for entry in scaled.omega.iter_mut().chain(&mut scaled.psi) {
                *entry = entry.clone() / &scale;
            }
            let mut scaled = Case::new(case.name, scaled, case.policy.clone());
            assert_eq!(scaled.mu_star, case.mu_star, "the model is the same");
            for (c, ratio) in [(Exponent::Half, &half), (Exponent::One, &one)] {
                assert_eq!(scaled.ratio(c), rescaled_coverage_ratio(c, &scale, ratio).unwrap());
            }
            assert_eq!(scaled.diamond(), case.diamond());
        }
    }
    assert!(print_fails > 0, "no counterexample to print");
    let single = [q(3, 1)];
    let (one, third, zero) = ([q(1, 1)], [q(1, 3)], q(0, 1));
    let shape = Shape::new(1, 1, 1).unwrap();
    let mdp = LinearMdp::new(shape, &single, &third, &third, &one, &zero).unwrap();
    let [c_one, c_half] = BOTH.map(|c| coverage_ratio(c, &mdp, &one, &[q(9, 1)], &mut zeros(64)).unwrap());
    assert_eq!(c_half, half_ratio_bound(&q(9, 1), &c_one).unwrap(), "one feature: equality");
    let mut rescaled = case("rescaled", &[0]);
    assert_eq!(rescaled.ratio(Exponent::One), q(1, 4));
    assert_eq!(rescaled.ratio(Exponent::Half), q(2, 1));
    let refused = rescaled_coverage_ratio(Exponent::One, &q(0, 1), &q(1, 1));
    assert!(matches!(refused, Err(offline_primal_dual::Error::Singular { .. })), "named before it is divided by");
}

/// The f64 eigenvalue lies in the exact bracket, widened by the backward error of the Cholesky reduction,
/// 4d²·ε·κ(Λ)·C^⋄ (Golub and Van Loan, Section 8.7: ε‖M‖‖Λ⁻¹‖ up to a low-degree polynomial of d).
#[test]
fn floating_point_dagger_is_near_the_exact_one() {
    for mut case in cases() {
        let dim = case.dim();
        let round = |v: &[Q]| v.iter().map(Q::to_f64).collect::<Vec<_>>();
        let (m, lambda) = (round(&case.m), round(&case.lambda));
        let value = dagger_ratio(dim, &m, &lambda).unwrap();
        let spectrum = Spectrum::new(dim, &lambda).unwrap();
        let (lower, upper) = dagger_ratio_bracket(dim, &case.m, &case.lambda, 60, &mut case.scratch).unwrap();
        let degree = f64::from(4 * u32::try_from(dim * dim).unwrap());
        let slack = degree * f64::EPSILON * spectrum.norm() / spectrum.smallest() * case.diamond().to_f64();
        assert!(value >= lower.to_f64() - slack && value <= upper.to_f64() + slack, "{} {value}", case.name);
    }
    assert!(dagger_ratio(2, &[1.0; 4], &[1.0; 4]).is_err(), "Λ is singular");
    assert!(dagger_ratio(1, &[f64::NAN], &[1.0]).is_err());
}

/// Every symmetric 3×3 matrix over {−1, 0, 1, 2}: the test agrees with Sylvester's criterion on all principal minors.
#[test]
fn definiteness_is_sylvesters() {
    let (mut definite, mut semidefinite, mut indefinite) = (0, 0, 0);
    for code in 0..4usize.pow(6) {
        let e = |i: u32| i64::try_from(code / 4usize.pow(i) % 4).unwrap() - 1;
        let [a, b, c, d, f, g] = [0, 1, 2, 3, 4, 5].map(e);
        let matrix = [a, d, f, d, b, g, f, g, c].map(|n| q(n, 3));
        let determinant = a * (b * c - g * g) - d * (d * c - g * f) + f * (d * g - b * f);
        let pairs = [a * b - d * d, a * c - f * f, b * c - g * g];
        let mut work = matrix.clone();
        let expected = if a > 0 && pairs[0] > 0 && determinant > 0 {
            definite += 1;
            Definiteness::Definite
        } else if [a, b, c, determinant].iter().chain(&pairs).all(|&minor| minor >= 0) {
            semidefinite += 1;
            Definiteness::Semidefinite { rank: rank(3, &mut matrix.clone()).unwrap() }
        } else {
            indefinite += 1;
            Definiteness::Indefinite
        };
        assert_eq!(definiteness(3, &mut work), Ok(expected), "{matrix:?}");
    }
    assert_eq!([definite, semidefinite, indefinite], [96, 121, 3879]);
}

/// A generalised eigenproblem with a known rational answer: its value certified, its neighbours refused.
#[test]
fn certificate_accepts_the_value_and_nothing_else() {
    let (m, lambda) = ([q(2, 1), q(1, 1), q(1, 1), q(2, 1)], [q(2, 1), q(0, 1), q(0, 1), q(2, 1)]);
    let scratch = &mut zeros(64);
    assert_eq!(dagger_ratio_equals(2, &m, &lambda, &q(3, 2), scratch), Ok(true));
    for (tau, at_most) in [(q(1499, 1000), false), (q(1501, 1000), true), (q(1, 2), false), (q(-1, 1), false)] {
        assert_eq!(dagger_ratio_equals(2, &m, &lambda, &tau, scratch), Ok(false));
        assert_eq!(dagger_ratio_at_most(2, &m, &lambda, &tau, scratch), Ok(at_most));
    }
    assert_eq!(dagger_ratio_bracket(2, &m, &lambda, 3, scratch), Ok((q(3, 2), q(3, 2))), "found by halving");
    let singular = [q(1, 1), q(1, 1), q(1, 1), q(1, 1)];
    assert_eq!(dagger_ratio_at_most(2, &m, &singular, &q(1000, 1), scratch), Ok(false), "M sees what Λ does not");
    assert!(dagger_ratio_bracket(2, &m, &singular, 3, scratch).is_err());
    let indefinite = [q(1, 1), q(2, 1), q(2, 1), q(1, 1)];
    assert!(dagger_ratio_equals(2, &m, &indefinite, &q(1, 1), scratch).is_err());
    assert!(dagger_ratio_at_most(2, &m, &lambda[..3], &q(1, 1), scratch).is_err());
    assert!(rayleigh_quotient(2, &m, &lambda, &[q(0, 1), q(0, 1)], scratch).is_err());
}

/// A singular Λ that M does not see past: on the span of (3, 4)/5 the ratio is 7/2, at every τ told from its neighbours; and Λ of rank 2 in
/// three dimensions, the rotated diag(2, 2) against the rotated M above, 3/2.
#[test]
fn a_singular_covariance_has_its_dagger_ratio_on_what_it_sees() {
    let scratch = &mut zeros(128);
    let line = |scale: i64| [9, 12, 12, 16].map(|n| q(n * scale, 25)).to_vec();
    // Columns (3, 4, 0)/5 and (0, 0, 1): U diag U' of a 2 by 2 matrix.
    let lifted = |a: i64, b: i64, c: i64| {
        let u = [[q(3, 5), q(4, 5), q(0, 1)], [q(0, 1), q(0, 1), q(1, 1)]];
        let core = [[q(a, 1), q(b, 1)], [q(b, 1), q(c, 1)]];
        let entry = |i: usize, j: usize| {
            (0..4).fold(q(0, 1), |sum, k| sum + u[k / 2][i].clone() * &core[k / 2][k % 2] * &u[k % 2][j])
        };
        (0..9).map(|k| entry(k / 3, k % 3)).collect::<Vec<_>>()
    };
    let cases = [(2, line(7), line(2), q(7, 2)), (3, lifted(2, 1, 2), lifted(2, 0, 2), q(3, 2))];
    for (dim, m, lambda, ratio) in cases {
        assert_eq!(dagger_ratio_equals(dim, &m, &lambda, &ratio, scratch), Ok(true));
        for (step, at_most) in [(q(-1, 1000), false), (q(1, 1000), true)] {
            let tau = ratio.clone() + step;
            assert_eq!(dagger_ratio_equals(dim, &m, &lambda, &tau, scratch), Ok(false));
            assert_eq!(dagger_ratio_at_most(dim, &m, &lambda, &tau, scratch), Ok(at_most));
        }
        let (low, high) = dagger_ratio_bracket(dim, &m, &lambda, 20, scratch).unwrap();
        assert!(low <= ratio && ratio <= high && high - low < q(1, 1000));
    }
}

/// Zero rows are left out of the spectrum and put back as zeros; any other null space is for c = 1 alone.
#[test]
fn spectra_of_singular_covariances() {
    let lambda = [4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25];
    assert!(Spectrum::new(3, &lambda).is_err());
    let half = Spectrum::for_exponent(Exponent::Half, 3, &lambda).unwrap();
    assert_eq!(half.power_c(Exponent::Half), [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
    assert_eq!(half.weight(Exponent::Half).unwrap(), [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    assert_eq!((half.trace_2c_minus_1(Exponent::Half), half.norm_2c_minus_1(Exponent::Half)), (2.0, 1.0), "the rank");
    // (3, 4)(3, 4)'/25 of rank 1, without a zero row.
    let line = [0.36, 0.48, 0.48, 0.64];
    assert!(Spectrum::for_exponent(Exponent::Half, 2, &line).is_err());
    let one = Spectrum::for_exponent(Exponent::One, 2, &line).unwrap();
    // Two eigenvalues, each within a few roundings.
    assert!((one.trace_2c_minus_1(Exponent::One) - 1.0).abs() < 1e-15 && (one.norm() - 1.0).abs() < 1e-15);
    assert!(Spectrum::for_exponent(Exponent::One, 2, &[1.0, 2.0, 2.0, 1.0]).is_err(), "indefinite");
    assert!(Spectrum::for_exponent(Exponent::One, 2, &[0.0; 4]).is_err());
}
