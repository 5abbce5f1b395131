//! docs/errata.md, item by item: an exact counterexample to what is printed, and an exact check of what should stand.
//!
//! The test of item n is called `erratum_n_…`; docs/errata.md says where in the paper each one is.

// Dimensions and counts here have one digit.
#![allow(clippy::cast_possible_wrap, clippy::cast_precision_loss, clippy::cast_possible_truncation)]

mod support;

use offline_primal_dual::errata as printed;
use offline_primal_dual::instances::by_name;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::paper::average_reward;
use offline_primal_dual::paper::covariance::{Exponent, apply_inverse, trace};
use offline_primal_dual::paper::discounted::duality_gap::{beta_star, occupancy_of};
use offline_primal_dual::paper::discounted::estimators as est;
use offline_primal_dual::paper::discounted::lagrangian::{
    Saddle, beta_gradient, f_theta, mu_beta, nu_beta, theta_gradient, theta_of_policy,
};
use offline_primal_dual::paper::mdp::{Shape, action_value, squared_bounds, state_marginal, state_value};
use support::{Model, Outcome, dot, expectation, ratios, times, zeros};

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

fn discounted(name: &str) -> Model<Q> {
    Model::of_instance(by_name(name).unwrap(), false)
}

fn average(name: &str) -> Model<Q> {
    Model::of_instance(by_name(name).unwrap(), true)
}

fn square(x: &[Q]) -> Q {
    dot(x, x)
}

fn uniform(model: &Model<Q>) -> Vec<Q> {
    vec![q(1, model.shape.actions as i64); model.shape.pairs()]
}

/// The policy that takes action a everywhere.
fn always(model: &Model<Q>, a: usize) -> Vec<Q> {
    (0..model.shape.pairs()).map(|i| if i % model.shape.actions == a { q(1, 1) } else { q(0, 1) }).collect()
}

fn second_moment(outcomes: &[Outcome<Q>], mut f: impl FnMut(&Outcome<Q>) -> Vec<Q>) -> Q {
    expectation(outcomes, 1, |o| vec![square(&f(o))]).remove(0)
}

/// g̃_θ of one observation: the proof's form, or print's.
fn theta_estimate(model: &Model<Q>, c: Exponent, policy: &[Q], beta: &[Q], o: &Outcome<Q>, printed: bool) -> Vec<Q> {
    let (weight, mut out, mut scratch) = (model.weight(c), zeros(model.shape.dim), model.scratch());
    let visit = model.visit(policy, o);
    if printed {
        let weight = weight.as_deref();
        printed::equation_10(&model.discount, &visit, weight, beta, &mut out, &mut scratch).unwrap();
    } else {
        let weighted = times(weight.as_deref(), beta);
        est::theta_gradient_estimate(&model.discount, &visit, &weighted, &mut out, &mut scratch).unwrap();
    }
    out
}

/// g̃_β of one observation.
fn beta_estimate(model: &Model<Q>, c: Exponent, policy: &[Q], theta: &[Q], o: &Outcome<Q>) -> Vec<Q> {
    let visit = model.visit(policy, o);
    let value = est::value_estimate(visit.next, visit.policy_next, theta, &mut model.scratch()).unwrap();
    let delta = est::td_error(&model.discount, &model.reward(o), &value, visit.phi, theta).unwrap();
    let mut out = zeros(model.shape.dim);
    est::beta_gradient_estimate(model.weight(c).as_deref(), visit.phi, &delta, &mut out).unwrap();
    out
}

/// Φᵀμ^π.
fn mean_feature(model: &Model<Q>, policy: &[Q]) -> Vec<Q> {
    let mu = occupancy_of(&model.mdp(), policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    model.mdp().mean_feature(&mu, &mut &mut zeros(model.shape.dim)[..]).unwrap().to_vec()
}

/// C_{φ,c} = ‖Λ^{−c}Φᵀμ‖², without a root: ⟨λ, Λ⁻¹λ⟩ at c = 1/2, ‖Λ⁻¹λ‖² at c = 1.
fn coverage(model: &Model<Q>, c: Exponent, policy: &[Q]) -> Q {
    let lambda = mean_feature(model, policy);
    let mut scratch = model.scratch();
    let solved = apply_inverse(model.shape.dim, &model.covariance(), &lambda, &mut &mut scratch[..]).unwrap();
    match c {
        Exponent::Half => dot(&lambda, solved),
        Exponent::One => square(solved),
    }
}

/// 3D_φ²((1−γ)² + (1+γ²)D_β²‖Λ‖^{2c−1}) at c = 1/2, where the last factor is 1: (19).
fn g_theta_squared_half(model: &Model<Q>, d_phi_squared: &Q, d_beta_squared: &Q) -> Q {
    let gamma = &model.discount;
    let inner = (q(1, 1) - gamma) * (q(1, 1) - gamma) + (q(1, 1) + gamma.clone() * gamma) * d_beta_squared;
    q(3, 1) * d_phi_squared * inner
}

/// 3(1 + (1+γ²)D_φ²D_θ²), the factor of Tr(Λ^{2c−1}) in Lemma B.2 and of D_φ^{2(2c−1)} in (20).
fn g_beta_factor(model: &Model<Q>, d_phi_squared: &Q, d_theta_squared: &Q) -> Q {
    let gamma = &model.discount;
    q(3, 1) * (q(1, 1) + (q(1, 1) + gamma.clone() * gamma) * d_phi_squared * d_theta_squared)
}

/// (10) at c = 1/2: β = (−2, 0, 0, 0), γ = 0. Second moment 21 against G_θ² = 309/20; the proof's form has 228/25.
#[test]
fn erratum_1_printed_theta_estimator_exceeds_its_second_moment_bound() {
    let model = discounted("nearly-collinear");
    let (policy, outcomes, beta) = (uniform(&model), model.outcomes(), ratios(1, &[-2, 0, 0, 0]));
    let d_phi_squared = squared_bounds(&model.mdp(), &mut model.scratch()).unwrap().phi;
    let bound = g_theta_squared_half(&model, &d_phi_squared, &square(&beta));
    let moment =
        |printed| second_moment(&outcomes, |o| theta_estimate(&model, Exponent::Half, &policy, &beta, o, printed));
    assert_eq!((moment(true), moment(false), bound.clone()), (q(21, 1), q(228, 25), q(309, 20)));
    assert!(moment(true) > bound && moment(false) <= bound);

    // Both forms have the gradient as their mean.
    let power = model.power(Exponent::Half);
    let saddle = Saddle::new(model.mdp(), &power).unwrap();
    let gradient = theta_gradient(&saddle, &beta, &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    for printed in [true, false] {
        let estimate = |o: &Outcome<Q>| theta_estimate(&model, Exponent::Half, &policy, &beta, o, printed);
        assert_eq!(expectation(&outcomes, 4, estimate), gradient);
    }

    // What print's form does obey costs a factor d: 3D_φ²((1−γ)² + (d+γ²)D_β²), since E φᵀΛ⁻¹φ = d.
    let gamma_squared = model.discount.clone() * &model.discount;
    let repaired = q(3, 1) * &d_phi_squared * (q(1, 1) + (q(4, 1) + gamma_squared) * square(&beta));
    assert!(moment(true) <= repaired);
}

/// (20) at c = 1/2: θ = −ω, γ = 0. Second moment 16 against print's 609/100; with Tr(Λ⁰) = d = 4 it is 609/25.
#[test]
fn erratum_2_printed_g_beta_loses_the_trace() {
    let model = discounted("nearly-collinear");
    let (policy, outcomes) = (uniform(&model), model.outcomes());
    let theta: Vec<Q> = model.omega.iter().map(|w| -w.clone()).collect();
    // θ^π = ω for every π, so the theorem's hypothesis holds at D_θ = ‖ω‖ = ‖θ‖ = 1.
    let theta_pi = theta_of_policy(&model.mdp(), &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    assert_eq!(theta_pi, model.omega);
    let d_phi_squared = squared_bounds(&model.mdp(), &mut model.scratch()).unwrap().phi;
    let moment = second_moment(&outcomes, |o| beta_estimate(&model, Exponent::Half, &policy, &theta, o));
    let printed = g_beta_factor(&model, &d_phi_squared, &square(&theta));
    assert_eq!((moment.clone(), printed.clone()), (q(16, 1), q(609, 100)));
    assert!(moment > printed);
    assert!(moment <= printed.clone() * &q(4, 1), "Lemma B.2's own Tr(Λ^0) = d");

    // At c = 1 print's D_φ² is above Tr(Λ) = E‖φ‖², so (20) is weaker than Lemma B.2, and true.
    let moment = second_moment(&outcomes, |o| beta_estimate(&model, Exponent::One, &policy, &theta, o));
    assert!(trace(4, &model.covariance()).unwrap() <= d_phi_squared);
    assert!(moment <= printed * &d_phi_squared);
}

/// Below (3): θ^π = (5, 12), ‖θ^π‖ = 13, against D_ω + D_ψ/(1−γ) = 13/10 + 10; with ‖Σ|ψ|‖ = 13/5 the bound is 273/10.
#[test]
fn erratum_3_signed_psi_breaks_the_bound_on_theta() {
    let model = discounted("cancelling-psi");
    // Both states are absorbing and there is one action: v^π = (10, 0).
    let theta = theta_of_policy(&model.mdp(), &uniform(&model), &mut &mut model.scratch()[..]).unwrap().to_vec();
    assert_eq!(theta, ratios::<Q>(1, &[5, 12]));
    let bounds = squared_bounds(&model.mdp(), &mut model.scratch()).unwrap();
    let (d_omega, printed, repaired) = (q(13, 10), q(1, 1), q(13, 5));
    assert_eq!(bounds.omega, d_omega.clone() * &d_omega);
    assert_eq!(bounds.psi_printed, printed.clone() * &printed);
    assert_eq!(bounds.psi, repaired.clone() * &repaired);
    let bound = |d_psi: Q| d_omega.clone() + d_psi / (q(1, 1) - &model.discount);
    assert_eq!((bound(printed.clone()), bound(repaired.clone())), (q(113, 10), q(273, 10)));
    assert!(q(13, 1) > bound(printed) && q(13, 1) <= bound(repaired));
}

/// C_{φ,1} = 1/4 meets print's condition C ≤ D_β at D_β = 1/4, and yet ‖β*‖ = 1/2.
#[test]
fn erratum_4_coverage_bounds_the_square_of_beta() {
    let model = discounted("rescaled");
    let policy = always(&model, 0);
    let power = model.power(Exponent::One);
    let beta =
        beta_star(&Saddle::new(model.mdp(), &power).unwrap(), &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let c = coverage(&model, Exponent::One, &policy);
    assert_eq!(square(&beta), c, "‖β*‖² = C");
    let d_beta = q(1, 4);
    assert!(c <= d_beta, "print's condition");
    assert!(square(&beta) > d_beta.clone() * &d_beta, "β* outside the ball");
    let d_beta = q(1, 2);
    assert!(c <= d_beta.clone() * &d_beta && square(&beta) <= d_beta.clone() * &d_beta, "the condition C ≤ D_β²");

    // Cor 3.3 and C.2: with D_β² = C the theorem's D_β⁴ is the corollary's C²; with print's D_β = C it is C⁴.
    let (c, d_beta) = (q(4, 1), q(2, 1));
    let fourth = |x: &Q| x.clone() * x * x * x;
    assert_eq!(fourth(&d_beta), c.clone() * &c);
    assert!(fourth(&c) > c.clone() * &c);
}

/// μ_B = (16, 4, 4, 1)/25 and μ* of a policy: 1 + χ² is C_{φ,1/2}, not C_{φ,1}.
#[test]
fn erratum_5_chi_square_belongs_to_c_one_half() {
    let model = discounted("two-state");
    for policy in [always(&model, 0), always(&model, 1), uniform(&model)] {
        let mu = occupancy_of(&model.mdp(), &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
        let mut one_plus_chi_square = q(1, 1);
        for (p, b) in mu.iter().zip(&model.mu_b) {
            one_plus_chi_square += (p.clone() - b) * (p.clone() - b) / b;
        }
        assert_eq!(one_plus_chi_square, coverage(&model, Exponent::Half, &policy));
        assert_ne!(one_plus_chi_square, coverage(&model, Exponent::One, &policy));
    }
}

/// Features times 4: C_{φ,1/2} = 2 stays what it was, C_{φ,1} = 1/4 is divided by 16.
#[test]
fn erratum_6_c_one_half_is_not_always_the_smaller() {
    let model = discounted("rescaled");
    let policy = always(&model, 0);
    assert_eq!(coverage(&model, Exponent::Half, &policy), q(2, 1));
    assert_eq!(coverage(&model, Exponent::One, &policy), q(1, 4));
    // With D_φ ≤ 1 all is well: Λ ≤ I, so Λ⁻² ≥ Λ⁻¹.
    let model = discounted("two-state");
    for policy in [always(&model, 0), always(&model, 1), uniform(&model)] {
        assert!(coverage(&model, Exponent::Half, &policy) <= coverage(&model, Exponent::One, &policy));
    }
}

/// One state, γ = 0, two actions with unit features, so D_φ = 1, and μ_B = (9/10, 1/10).
fn mostly_the_first() -> Model<Q> {
    let (features, psi, omega) = (ratios(1, &[1, 0, 0, 1]), ratios(1, &[1, 1]), ratios(1, &[1, 0]));
    let (shape, initial, mu_b) = (Shape::new(1, 2, 2).unwrap(), vec![q(1, 1)], ratios(10, &[9, 1]));
    Model { shape, features, omega, psi, initial, discount: q(0, 1), mu_b, root: None }.checked()
}

/// Cor 3.3 is of order d^{4−2c}C_{φ,c}², and d·C_{φ,1/2}² = 200/81 is above C_{φ,1}² = 10000/6561 although C_{φ,1/2} is below C_{φ,1}.
#[test]
fn erratum_6_c_one_half_gives_not_always_the_tighter_bound() {
    use offline_primal_dual::paper::discounted::guarantee::corollary_complexity;
    let model = mostly_the_first();
    let policy = always(&model, 0);
    let [half, one] = [Exponent::Half, Exponent::One].map(|c| coverage(&model, c, &policy));
    assert_eq!((half.clone(), one.clone()), (q(10, 9), q(100, 81)));
    let order = |c, coverage: &Q| corollary_complexity(c, 2, &model.discount, &q(1, 1), coverage, &q(1, 1)).unwrap();
    // d² = 4 is common to both.
    assert_eq!([order(Exponent::Half, &half), order(Exponent::One, &one)], [q(800, 81), q(40_000, 6561)]);
    assert!(order(Exponent::Half, &half) > order(Exponent::One, &one));
}

/// The box of Algorithm 1 at c = 1/2: without Λ^{c−1} the estimator's mean is Λ^{1/2} g_β; and it reads an R that W lacks.
#[test]
fn erratum_7_algorithm_box_drops_the_weight_and_the_reward() {
    let model = discounted("rotated");
    let (policy, theta, outcomes) = (uniform(&model), ratios(3, &[1, -2]), model.outcomes());
    let power = model.power(Exponent::Half);
    let saddle = Saddle::new(model.mdp(), &power).unwrap();
    let gradient = beta_gradient(&saddle, &policy, &theta, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let boxed = expectation(&outcomes, 2, |o| beta_estimate(&model, Exponent::One, &policy, &theta, o));
    assert_ne!(boxed, gradient);
    assert_eq!(boxed, times(Some(&power), &gradient), "the box estimates Λ^{{1/2}} g_β");
    let mean = expectation(&outcomes, 2, |o| beta_estimate(&model, Exponent::Half, &policy, &theta, o));
    assert_eq!(mean, gradient);

    // Two models that differ in their rewards only give the same (X⁰, X, A, X') and different g̃_β.
    let mut other = model.clone();
    other.omega = zeros(2);
    let (o, p) = (&outcomes[0], &other.outcomes()[0]);
    assert_eq!((o.x0, o.x, o.a, o.x_next), (p.x0, p.x, p.a, p.x_next));
    assert_ne!(
        beta_estimate(&model, Exponent::Half, &policy, &theta, o),
        beta_estimate(&other, Exponent::Half, &policy, &theta, p)
    );
}

/// γ is missing in five places; each printed formula is evaluated and differs, each corrected one agrees.
#[test]
fn erratum_8_missing_discounts() {
    let model = discounted("two-state");
    let (policy, pairs, states) = (always(&model, 0), model.shape.pairs(), model.shape.states);
    let (mdp, mut table) = (model.mdp(), model.scratch());
    let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
    let mu = occupancy_of(&mdp, &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let nu = state_marginal(2, &mu, &mut &mut zeros(states)[..]).unwrap().to_vec();
    let v = state_value(&tabular, &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let one_minus_gamma = q(1, 1) - &model.discount;

    // ρ and ν^π: print's series (no γ^t) have terms ≥ 0, and ten of them already exceed the limit they should have.
    let (mut state, mut discount) = (model.initial.clone(), q(1, 1));
    let (mut printed, mut discounted_sum) = (zeros::<Q>(states), zeros::<Q>(states));
    let terms = 40;
    for _ in 0..terms {
        for x in 0..states {
            printed[x] += one_minus_gamma.clone() * &state[x];
            discounted_sum[x] += one_minus_gamma.clone() * &state[x] * &discount;
        }
        let next =
            |y: usize| (0..states).fold(q(0, 1), |sum, x| sum + state[x].clone() * &tabular.next(x, 0).unwrap()[y]);
        state = (0..states).map(next).collect();
        discount = discount * &model.discount;
    }
    assert!((0..states).all(|x| printed[x] > nu[x]), "Σ_t without γ^t passes ν^π");
    let printed_return = (0..states).fold(q(0, 1), |sum, x| sum + printed[x].clone() * &tabular.reward()[x * 2]);
    assert!(printed_return > dot(&mu, tabular.reward()), "and the return with it");
    // The remainder after n terms is (1−γ)Σ_{t≥n} γ^t = γ^n in all.
    let rest = nu.iter().zip(&discounted_sum).fold(q(0, 1), |sum, (n, d)| sum + n - d);
    assert_eq!(rest, discount);

    // (3): q^π = Φ(ω + γΨv^π).
    let value = action_value(&tabular, &v, &mut &mut zeros(pairs)[..]).unwrap().to_vec();
    let psi_v = mdp.psi_times(&v, &mut &mut zeros(pairs)[..]).unwrap().to_vec();
    for (gamma, agrees) in [(q(1, 1), false), (model.discount.clone(), true)] {
        let theta: Vec<Q> = model.omega.iter().zip(&psi_v).map(|(w, p)| w.clone() + gamma.clone() * p).collect();
        let image = mdp.linear_function(&theta, &mut &mut zeros(pairs)[..]).unwrap().to_vec();
        assert_eq!(image == value, agrees, "γ in (3)");
    }

    // First line of E μ_{t,k}: π(a|x)((1−γ)P{X⁰=x} + γ E[𝟙{X'=x}⟨φ, Λ^{c−1}β⟩]), at c = 1.
    let beta: Vec<Q> = ratios(3, &[1, -1, 2, 4]);
    let power = model.power(Exponent::One);
    let saddle = Saddle::new(mdp, &power).unwrap();
    let mu = mu_beta(&saddle, &beta, &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    for (gamma, agrees) in [(q(1, 1), false), (model.discount.clone(), true)] {
        let mean = expectation(&model.outcomes(), pairs, |o| {
            let w = dot(mdp.feature(o.x, o.a).unwrap(), &beta);
            let mut row = zeros(pairs);
            row[o.x0 * 2] += one_minus_gamma.clone();
            row[o.x_next * 2] += gamma.clone() * &w;
            row
        });
        assert_eq!(mean == mu, agrees, "γ in E μ");
    }

    // ν_{β*}, proof of Lemma 4.1: (1−γ)ν₀ + γΣP(s|s',a')μ*(s',a') = ν^{π*}.
    let beta = beta_star(&saddle, &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let nu_star = nu_beta(&saddle, &beta, &mut &mut model.scratch()[..]).unwrap().to_vec();
    assert_eq!(nu_star, nu);
    let mu = occupancy_of(&mdp, &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    for (gamma, agrees) in [(q(1, 1), false), (model.discount.clone(), true)] {
        let flow =
            |x: usize| (0..pairs).fold(q(0, 1), |sum, i| sum + tabular.next(i / 2, i % 2).unwrap()[x].clone() * &mu[i]);
        let nu_printed: Vec<Q> =
            (0..states).map(|x| one_minus_gamma.clone() * &model.initial[x] + gamma.clone() * &flow(x)).collect();
        assert_eq!(nu_printed == nu, agrees, "γ in ν_β*");
    }
}

/// Algorithm 2 at β₁ = 0, ρ₀ = 1/2, ξ = 1/4, K = 2: every inner step lowers ρ by 1/4. ρ_2^{(1)} could be the average
/// ρ_1 = 3/8, the last iterate 0 or ρ₀ again; the three differ, and the library takes ρ_{t−1}, as θ_t^{(1)} = θ_{t−1}.
#[test]
fn erratum_9_first_inner_rho_is_the_last_average() {
    use average_reward::algorithm::{Algorithm, Observer, Parameters, State};
    use offline_primal_dual::paper::samples::{FeatureTable, Sample};
    struct FirstRho(Vec<f64>);
    impl Observer<f64> for FirstRho {
        fn begin_outer(&mut self, _: usize, _: &[f64], rho: &f64, _: &[f64], _: &[f64], _: &[f64]) {
            self.0.push(*rho);
        }
    }
    let features = FeatureTable::new(1, 1, &[1.0]).unwrap();
    let parameters =
        Parameters { alpha: 1.0, eta: 0.0, zeta: 0.0, xi: 0.25, radius_theta: 1.0, radius_beta: 1.0, inner: 2 };
    let mut buffer = vec![0.0; State::<f64>::buffer_len(1, 1)];
    let mut state = State::new(1, 1, &mut buffer).unwrap();
    let algorithm = Algorithm::new(&features, None, &parameters).unwrap();
    algorithm.start_at(&mut state, &[0.0], 0.5, &[0.0]).unwrap();
    let mut first = FirstRho(Vec::new());
    algorithm.run(&mut state, 2, [Sample::default(); 6], &mut first).unwrap();
    assert_eq!(first.0, [0.5, 0.375], "ρ₀, then ρ_1 = (1/2 + 1/4)/2");

    // The text before Algorithm 2 has softmax(Σ Φθ) without α.
    let policy = |alpha: f64| {
        let mut row = [0.0; 2];
        offline_primal_dual::linear::softmax::policy_row(&alpha, &[1.0, 0.0], &[1.0], &mut row).unwrap();
        row
    };
    assert!(policy(0.5)[0] < 0.63 && policy(1.0)[0] > 0.73, "e^α/(e^α + 1) at α = 1/2 and α = 1");
}

/// Appendix C: print's second form of the Lagrangian lacks ⟨λ, ω⟩; and Φ[π∘…] of Lemma C.7 has no meaning unless d = |X||A|.
#[test]
fn erratum_10_average_lagrangian_drops_the_objective() {
    use average_reward::lagrangian::{lagrangian, lagrangian_regrouped};
    let model = average("rotated");
    let (mdp, varrho, mut scratch) = (model.mdp(), model.varrho(), model.scratch());
    let (rho, v, mu): (Q, Vec<Q>, Vec<Q>) = (q(2, 5), ratios(3, &[1, -4]), ratios(7, &[1, 2, 3, 1]));
    let (theta, lambda): (Vec<Q>, Vec<Q>) = (ratios(2, &[1, -3]), ratios(5, &[2, 1]));
    let first = lagrangian(&mdp, &varrho, &rho, &v, &theta, &lambda, &mu, &mut scratch).unwrap();
    let second = lagrangian_regrouped(&mdp, &varrho, &rho, &v, &theta, &lambda, &mu, &mut scratch).unwrap();
    let printed =
        printed::average_lagrangian_regrouped(&mdp, &varrho, &rho, &v, &theta, &lambda, &mu, &mut scratch).unwrap();
    assert_eq!(first, second);
    assert_eq!(first.clone() - &printed, dot(&lambda, &model.omega));
    assert_ne!(first, printed);

    let mut image = zeros(4);
    assert!(offline_primal_dual::linear::vector::apply(&model.features, &mu, &mut image).is_err(), "Φμ");
    let mut image = zeros(2);
    assert!(offline_primal_dual::linear::vector::apply_transposed(&model.features, &mu, &mut image).is_ok(), "Φᵀμ");
}

/// π₁ = (3/4, 1/4): H(π*‖π₁) = log 4 > log 2 for the π* that takes the second action, and with θ₁ = 0 Lemma D.2's
/// π₂ ∝ π₁e^{αq₁} is π₁ while the algorithm's softmax(αΦθ₁) is uniform. With π₁ uniform both agree.
#[test]
fn erratum_11_the_first_policy_must_be_uniform() {
    let (skewed, uniform) = (ratios::<Q>(4, &[3, 1]), ratios::<Q>(2, &[1, 1]));
    // The logarithm is increasing: D(π*‖π₁) = log(1/π₁(a)) for a deterministic π*.
    assert!(q(1, 1) / &skewed[1] > q(2, 1));
    assert!(uniform.iter().all(|p| q(1, 1) / p <= q(2, 1)));
    let mut softmax = [0.0; 2];
    offline_primal_dual::linear::softmax::policy_row(&1.0, &[1.0, -1.0], &[0.0], &mut softmax).unwrap();
    let softmax: Vec<Q> = softmax.iter().map(|p| Q::from_f64(*p).unwrap()).collect();
    assert_ne!(softmax, skewed);
    assert_eq!(softmax, uniform);
}

/// Lemma D.2's last display, T = 2, α = 1, q₁ = (1, −1), q₂ = −q₁, π* = π₁ uniform: the left side is tanh 1, print's right
/// side is 1/2, and with the sum over t it is 1.
#[test]
fn erratum_12_mirror_descent_display_loses_the_sum() {
    // tanh 1 = (e² − 1)/(e² + 1) is increasing in e, and e > Σ_{k≤4} 1/k!.
    let e = q(1, 1) + q(1, 1) + q(1, 2) + q(1, 6) + q(1, 24);
    let e_squared = e.clone() * &e;
    let tanh_at_least = (e_squared.clone() - q(1, 1)) / (e_squared + q(1, 1));
    let entropy_term = q(0, 1);
    let hoeffding = |norm_squared: i64| q(norm_squared, 2);
    assert!(tanh_at_least > entropy_term.clone() + hoeffding(1), "print: one term");
    // tanh < 1 everywhere.
    assert!(q(1, 1) <= entropy_term + hoeffding(1) + hoeffding(1), "with Σ_t");
}

/// Proof of Lemma B.1: φ'_{t,k} averages φ(x', ·) under π(·|x'), not under π(·|x⁰).
#[test]
fn erratum_12_next_feature_uses_the_next_states_policy() {
    let model = discounted("two-state");
    let policy: Vec<Q> = ratios(3, &[1, 2, 3, 0]);
    let beta: Vec<Q> = ratios(2, &[1, 3, -1, 2]);
    let power = model.power(Exponent::One);
    let saddle = Saddle::new(model.mdp(), &power).unwrap();
    let gradient = theta_gradient(&saddle, &beta, &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let mean = |at_start: bool| {
        expectation(&model.outcomes(), 4, |o| {
            let mut visit = model.visit(&policy, o);
            if at_start {
                visit.policy_next = visit.policy_start;
            }
            let mut out = zeros(4);
            est::theta_gradient_estimate(&model.discount, &visit, &beta, &mut out, &mut model.scratch()).unwrap();
            out
        })
    };
    assert_ne!(mean(true), gradient);
    assert_eq!(mean(false), gradient);
}

/// γ = 1 is not a discount: I − P_π is singular, and the library refuses it.
#[test]
fn erratum_12_discount_one_is_excluded() {
    use offline_primal_dual::Error;
    let mut model = discounted("two-state");
    let policy = uniform(&model);
    model.discount = q(1, 1);
    let (mdp, mut table) = (model.mdp(), model.scratch());
    assert!(matches!(mdp.validate(&mut model.scratch()), Err(Error::OutOfRange { what: "discount", .. })));
    let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
    let solved = state_value(&tabular, &policy, &mut &mut model.scratch()[..]).map(|_| ());
    assert!(matches!(solved, Err(Error::Singular { .. })));
}

/// Def E.1 recalls Def 3.1 with c = 2, and C_{φ,2} is neither of Def 3.1's two ratios. Section 6's C_{φ,1/2} ≤ C^⋄ is about the other.
#[test]
fn erratum_12_exponents_are_one_half_and_one() {
    let model = discounted("two-state");
    let policy = uniform(&model);
    let mu = occupancy_of(&model.mdp(), &policy, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let ratio = |p: &Q, b: &Q| p.clone() / b;
    let sum = |f: &dyn Fn(&Q, &Q) -> Q| mu.iter().zip(&model.mu_b).fold(q(0, 1), |s, (p, b)| s + f(p, b));
    let diamond = sum(&|p, b| ratio(p, b));
    let c_two = sum(&|p, b| ratio(p, b) * ratio(p, b) / b / b);
    let [half, one] = [Exponent::Half, Exponent::One].map(|c| coverage(&model, c, &policy));
    assert!(c_two != half && c_two != one);
    assert!(half <= diamond && c_two > diamond);
}

/// One state, actions with φ = (1, 1/10) and (9/10, 1/10), ω = (1/2, 0): ϱ = ψ = (0, 10), D_q = 1/20. Every policy has
/// θ^π = ω among its solutions, of norm 1/2; Lemma C.3's shift gives θ* = (1/2, −9/2).
fn flat_rewards() -> Model<Q> {
    let (features, omega, psi) = (ratios(10, &[10, 1, 9, 1]), ratios(2, &[1, 0]), ratios(1, &[0, 10]));
    let shape = Shape::new(1, 2, 2).unwrap();
    let (initial, mu_b) = (vec![q(1, 1)], ratios(2, &[1, 1]));
    Model { shape, features, omega, psi, initial, discount: q(1, 2), mu_b, root: None }.checked()
}

/// ρ^π and Lemma C.3's shifted θ*.
fn shifted_comparator(model: &Model<Q>, policy: &[Q]) -> (Q, Vec<Q>) {
    let (varrho, mdp, mut scratch) = (model.varrho(), model.mdp(), model.scratch());
    let (rho, theta) =
        average_reward::lagrangian::theta_of_policy(&mdp, &varrho, policy, &mut &mut scratch[..]).unwrap();
    let shifted =
        average_reward::values::shifted_theta(&mdp, &varrho, theta, &mut &mut model.scratch()[..]).unwrap().to_vec();
    (rho, shifted)
}

/// Cor C.2: D_ω + 1 + D_ψD_q = 2 is below ‖θ*‖ = √(41/2); with ‖ϱ‖ for the 1 it is 11.
#[test]
fn erratum_12_theta_bound_of_corollary_c2() {
    let model = flat_rewards();
    let (mdp, mut table) = (model.mdp(), model.scratch());
    let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
    let span = average_reward::unichain::span_bound(&tabular, &mut model.scratch()).unwrap();
    let bounds = squared_bounds(&mdp, &mut model.scratch()).unwrap();
    let (d_omega, d_psi) = (q(1, 2), q(10, 1));
    assert_eq!((span.clone(), bounds.omega, bounds.psi), (q(1, 20), q(1, 4), q(100, 1)));
    let varrho = model.varrho();
    assert_eq!(varrho, ratios::<Q>(1, &[0, 10]), "ϱ = Σ_x ψ(x), since ΦΨ1 = 1 and Φ has full rank");
    let (_, theta) = shifted_comparator(&model, &always(&model, 0));
    assert_eq!(theta, ratios::<Q>(2, &[1, -9]));
    let bound = |middle: Q| d_omega.clone() + middle + d_psi.clone() * &span;
    let within = |bound: Q| square(&theta) <= bound.clone() * &bound;
    assert!(!within(bound(q(1, 1))));
    assert!(within(bound(q(10, 1))));
}

/// Theorem C.1 assumes θ^π ∈ B(D_θ), here with D_θ = 1/2, and then compares with Lemma C.3's θ*_t, which lies outside. The
/// lemma holds for every shift, in particular for the θ^π inside the ball.
#[test]
fn erratum_13_shifted_comparator_leaves_the_ball() {
    use average_reward::duality_gap::{Comparators, Iterates, average_suboptimality, beta_star, dynamic_duality_gap};
    let model = flat_rewards();
    let (mdp, varrho, power) = (model.mdp(), model.varrho(), model.power(Exponent::One));
    let saddle = average_reward::lagrangian::Saddle::new(mdp, &varrho, &power).unwrap();
    let (policy, comparator) = (always(&model, 1), always(&model, 0));
    let (rho, shifted) = shifted_comparator(&model, &policy);
    let inside = model.omega.clone();
    let d_theta_squared = q(1, 4);
    assert!(square(&inside) <= d_theta_squared && square(&shifted) > d_theta_squared);

    let (rhos, thetas, betas) = (vec![q(1, 3)], ratios(5, &[1, -2]), ratios(7, &[3, 1]));
    let iterates = Iterates::new(&mdp, &rhos, &thetas, &betas, &policy).unwrap();
    let beta = beta_star(&saddle, &comparator, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let suboptimality = average_suboptimality(&mdp, &comparator, &iterates, &mut model.scratch()).unwrap();
    assert_eq!(suboptimality, q(1, 20));
    for theta_star in [&shifted, &inside] {
        let rhos = [rho.clone()];
        let comparators = Comparators { policy: &comparator, beta: &beta, rhos: &rhos, thetas: theta_star };
        let gap = dynamic_duality_gap(&saddle, &iterates, &comparators, &mut model.scratch()).unwrap();
        assert_eq!(gap, suboptimality);
    }
}

/// "For any choice of comparators", before Lemma 4.2: at β = 2β* the first difference of (21) is ⟨ν_β, v_{θ,π*} − v_{θ,π}⟩, and
/// ν_β is not ν^{π*}.
#[test]
fn erratum_14_decomposition_needs_its_own_beta() {
    let model = discounted("two-state");
    let (policy, comparator, theta) = (always(&model, 1), always(&model, 0), ratios(3, &[2, -1, 0, 4]));
    let power = model.power(Exponent::One);
    let saddle = Saddle::new(model.mdp(), &power).unwrap();
    let mu = occupancy_of(&model.mdp(), &comparator, &mut &mut model.scratch()[..]).unwrap().to_vec();
    let nu_star = state_marginal(2, &mu, &mut &mut zeros(2)[..]).unwrap().to_vec();
    let beta = beta_star(&saddle, &comparator, &mut &mut model.scratch()[..]).unwrap().to_vec();
    for (factor, printed_agrees) in [(1, true), (2, false)] {
        let beta: Vec<Q> = beta.iter().map(|b| b.clone() * q(factor, 1)).collect();
        let f = |policy: &[Q]| f_theta(&saddle, &beta, policy, &theta, &mut model.scratch()).unwrap();
        let difference = f(&comparator) - f(&policy);
        let nu = nu_beta(&saddle, &beta, &mut &mut model.scratch()[..]).unwrap().to_vec();
        // The comparator takes action 0, the policy action 1; Φθ = θ here.
        let regret =
            |nu: &[Q]| (0..2).fold(q(0, 1), |s, x| s + nu[x].clone() * (theta[2 * x].clone() - &theta[2 * x + 1]));
        assert_eq!(regret(&nu), difference);
        assert_eq!(regret(&nu_star) == difference, printed_agrees);
    }
}

/// Thm A.1's K/T, at |A| = 1 (no α term), γ = 0, c = 1/2, D_φ = D_θ = D_β = 1: the tuned bound is A/√T + B/√K with A² = 4G_β² = 24d and
/// B² = 4G_θ² = 24. Print's K = T·A²/B² needs (A²+B²)⁴/(A²B²ε⁴) samples, K = T·B²/A² needs 16A²B²/ε⁴, which is the
/// stated order; the quotient is ((d+1)²/4d)² and grows without bound.
#[test]
fn erratum_15_ratio_of_inner_to_outer_iterations_is_inverted() {
    // T = k², K = k²·ratio with square ratios, so that √T and √K are rational; ε is the bound reached.
    let samples_times_epsilon_fourth = |a: i64, b: i64, root_ratio: Q| {
        let root_t = q(5, 1);
        let root_k = root_t.clone() * &root_ratio;
        let epsilon = q(a, 1) / &root_t + q(b, 1) / &root_k;
        let n = root_t.clone() * &root_t * &root_k * &root_k;
        n * &epsilon * &epsilon * &epsilon * &epsilon
    };
    let mut last = q(0, 1);
    for root_d in [1, 2, 4, 8] {
        // In units of √24: A = √d, B = 1.
        let (a, b) = (root_d, 1);
        let printed = samples_times_epsilon_fourth(a, b, q(a, b));
        let balanced = samples_times_epsilon_fourth(a, b, q(b, a));
        assert_eq!(balanced, q(16 * a * a * b * b, 1), "the stated order");
        let d = a * a;
        assert_eq!(printed.clone() / &balanced, q((d + 1) * (d + 1), 4 * d) * q((d + 1) * (d + 1), 4 * d));
        assert!(printed.clone() / &balanced > last);
        last = printed / &balanced;
        // No other ratio is better than the balanced one.
        for (n, m) in [(1, 3), (1, 2), (2, 3), (3, 2), (2, 1), (5, 1)] {
            assert!(samples_times_epsilon_fourth(a, b, q(n, m)) >= balanced);
        }
    }
}

/// Thm C.1's n_ε at c = 1, one feature φ = s: D_φ = s, D_θ = D_β = 1/s, Λ = s². With erratum 15's A² = 4D_β²G_β² + 2D_θ²D_φ² log|A| and
/// B² = G_ρ² + 4D_θ²G_θ², A²B² = (36 + 2 log|A|)·20 does not depend on s, as it should not under a rescaling; with ‖Λ‖^{2c−1} neither does the
/// order, log|A|; print's ‖Λ‖^{2(2c−1)} makes it s² log|A|, which goes to 0 with s.
#[test]
fn erratum_16_norm_of_lambda_is_squared_once_too_often() {
    // What log|A| is multiplied with.
    let order = |s: &Q, power: usize| {
        let (d_phi, d_theta, d_beta) = (s.clone(), q(1, 1) / s, q(1, 1) / s);
        let lambda = s.clone() * s;
        let fourth = |x: &Q| x.clone() * x * x * x;
        let base = fourth(&d_phi) * fourth(&d_theta) * fourth(&d_beta) * &lambda;
        (0..power).fold(base, |product, _| product * &lambda)
    };
    // A² without its log|A|, what log|A| is multiplied with in it, and B².
    let needed = |s: &Q| {
        let (d_phi, d_theta, d_beta) = (s.clone(), q(1, 1) / s, q(1, 1) / s);
        let lambda = s.clone() * s;
        let weighted = d_beta.clone() * &d_beta * &lambda;
        let one_plus = q(1, 1) + q(2, 1) * &d_theta * &d_phi;
        let g_beta = lambda * &one_plus * &one_plus;
        let (g_rho, g_theta) = (q(2, 1) * (q(1, 1) + &weighted), q(4, 1) * &d_phi * &d_phi * &weighted);
        let policy = q(2, 1) * &d_theta * &d_theta * &d_phi * &d_phi;
        (q(4, 1) * &d_beta * &d_beta * g_beta, policy, g_rho + q(4, 1) * &d_theta * &d_theta * g_theta)
    };
    for s in [q(10, 1), q(1, 1), q(1, 10), q(1, 1000)] {
        assert_eq!(needed(&s), (q(36, 1), q(2, 1), q(20, 1)));
        assert_eq!(order(&s, 1), q(1, 1));
        assert_eq!(order(&s, 2), s.clone() * &s);
    }
}

/// Appendix C's v^π as a limit of partial sums: on the two-cycle with rewards 1 and 0 they are 1/2, 0, 1/2, 0, …. Their
/// averages converge, and Bellman's equations have a solution.
#[test]
fn erratum_17_relative_values_of_a_periodic_chain_are_no_limit() {
    use offline_primal_dual::paper::mdp::Mdp;
    let (reward, transition, initial, discount) =
        (ratios::<Q>(1, &[1, 0]), ratios::<Q>(1, &[0, 1, 1, 0]), ratios::<Q>(1, &[1, 0]), q(0, 1));
    let mdp = Mdp::new(2, 1, &reward, &transition, &initial, &discount).unwrap();
    let policy = ratios::<Q>(1, &[1, 1]);
    let mut scratch = zeros(200);
    let (rho, v) = average_reward::values::state_value(&mdp, &policy, &mut &mut scratch[..]).unwrap();
    let v = v.to_vec();
    assert_eq!((rho.clone(), v.clone()), (q(1, 2), ratios(4, &[1, -1])));
    let (mut partial, mut sum, mut x) = (Vec::new(), q(0, 1), 0);
    for _ in 0..20 {
        sum += reward[x].clone() - &rho;
        partial.push(sum.clone());
        x = 1 - x;
    }
    assert!(partial.chunks_exact(2).all(|pair| pair == [q(1, 2), q(0, 1)]));
    let mean = partial.into_iter().fold(q(0, 1), |s, p| s + p) / &q(20, 1);
    assert_eq!(mean, v[0], "the Cesàro mean, over whole periods");
}

/// Lemma C.5's displays: E‖g̃_β‖² as printed, without ρ, or with |δ| for δ², is another number; the bound holds with ρ ∈ [0, 1].
#[test]
fn erratum_18_second_moment_of_the_average_beta_estimator() {
    let model = average("two-state");
    let (policy, outcomes, rho) = (uniform(&model), model.outcomes(), q(1, 1));
    // ‖θ‖ = 1/2 = D_θ, D_φ = 1, Tr Λ = 1 at c = 1.
    let theta: Vec<Q> = ratios(10, &[3, -4, 0, 0]);
    let delta = |o: &Outcome<Q>, rho: &Q| {
        let visit = model.visit(&policy, o);
        let value = est::value_estimate(visit.next, visit.policy_next, &theta, &mut model.scratch()).unwrap();
        average_reward::estimators::td_error(&model.reward(o), &value, visit.phi, &theta, rho).unwrap()
    };
    let mean = |f: &dyn Fn(&Outcome<Q>) -> Q| expectation(&outcomes, 1, |o| vec![f(o)]).remove(0);
    let moment = second_moment(&outcomes, |o| {
        let mut out = zeros(4);
        let phi = model.visit(&policy, o).phi;
        average_reward::estimators::beta_gradient_estimate(None, phi, &delta(o, &rho), &mut out).unwrap();
        out
    });
    let without_rho = mean(&|o| delta(o, &q(0, 1)) * delta(o, &q(0, 1)));
    let first_power = mean(&|o| delta(o, &rho).abs());
    assert!(moment != without_rho && moment != first_power);
    assert_eq!(moment, mean(&|o| delta(o, &rho) * delta(o, &rho)));
    let bound = (q(1, 1) + q(2, 1) * q(1, 2)) * (q(1, 1) + q(2, 1) * q(1, 2));
    assert!(moment <= bound);
}

/// "v* satisfies v*(x) = max_a q*(x,a)", of an optimal π*: state 0 is left at once for state 1 under both actions, with rewards 0 and 1; state 1
/// stays, with reward 1/2. Every policy has the gain 1/2; with the first action in state 0, v*(0) = −1/2 and q*(0, ·) = (−1/2, 1/2).
#[test]
fn erratum_25_an_optimal_policys_values_need_not_be_the_greatest() {
    use average_reward::optimal::{optimal_policy, optimality_residual};
    use average_reward::values::{action_value as relative_action_value, state_value as relative_state_value};
    use offline_primal_dual::paper::mdp::Mdp;
    let (reward, transition) = (ratios::<Q>(2, &[0, 2, 1, 1]), ratios::<Q>(1, &[0, 1, 0, 1, 0, 1, 0, 1]));
    let (initial, discount, mut scratch) = (ratios::<Q>(1, &[1, 0]), q(0, 1), zeros(400));
    let mdp = Mdp::new(2, 2, &reward, &transition, &initial, &discount).unwrap();
    let (best, ..) = optimal_policy(&mdp, &mut &mut scratch[..]).unwrap();
    assert_eq!(best, q(1, 2));
    for (first, value, bellman) in [(0, q(-1, 2), false), (1, q(1, 2), true)] {
        let policy: Vec<Q> = ratios(1, &[1 - first, first, 1, 0]);
        let (rho, v) = relative_state_value(&mdp, &policy, &mut &mut scratch[..]).unwrap();
        let v = v.to_vec();
        assert_eq!((rho.clone(), &v), (best.clone(), &vec![value, q(0, 1)]), "gain-optimal");
        let mut room = zeros(400);
        let action_values = relative_action_value(&mdp, &rho, &v, &mut &mut room[..]).unwrap().to_vec();
        assert_eq!(action_values, ratios::<Q>(2, &[-1, 1, 0, 0]));
        let largest = |row: &[Q]| row.iter().fold(row[0].clone(), |most, x| if *x > most { x.clone() } else { most });
        let greatest: Vec<Q> = action_values.chunks(2).map(largest).collect();
        assert_eq!(v == greatest, bellman);
        // The library's residual says the same; its own π* solves the equation.
        let residual = optimality_residual(&mdp, &rho, &v, &mut &mut room[..]).unwrap();
        assert_eq!(residual.iter().all(Field::is_zero), bellman);
    }
}

/// Lemma C.5's E[g̃_β | F_{t−1}, θ_t] = g_β: one inner loop, K = 2, from θ = 0 and ρ = 1/2. Given θ_t = 0, ρ_t is 7/16 or 9/16; the left side is
/// g_β at their mean, and g_β at neither.
#[test]
fn erratum_26_the_gradient_in_beta_is_not_determined_by_theta() {
    use average_reward::estimators::{
        beta_gradient_estimate, rho_gradient_estimate, td_error, theta_gradient_estimate,
    };
    use std::collections::BTreeMap;
    let (features, psi, omega) = (ratios(1, &[1, 0, 0, 1]), ratios(2, &[1, 1, 1, 1]), ratios(1, &[1, 0]));
    let (shape, initial, mu_b) = (Shape::new(2, 1, 2).unwrap(), ratios(1, &[1, 0]), ratios(2, &[1, 1]));
    let model = Model { shape, features, omega, psi, initial, discount: q(0, 1), mu_b, root: None }.checked();
    let (beta, policy, rate, start) = (ratios::<Q>(2, &[1, 3]), uniform(&model), q(1, 4), q(1, 2));

    // P(ρ_t, θ_t = 0), from the one row that the averages depend on.
    let mut at_zero: BTreeMap<String, (Q, Q)> = BTreeMap::new();
    for o in model.outcomes() {
        let visit = model.visit(&policy, &o);
        let mut gradient = zeros(2);
        theta_gradient_estimate(visit.phi, visit.next, &beta, &mut gradient).unwrap();
        let rho_2 = start.clone() - rho_gradient_estimate(visit.phi, &beta).unwrap() * &rate;
        assert!(rho_2 >= q(0, 1) && rho_2 <= q(1, 1), "no projection");
        if gradient.iter().all(Field::is_zero) {
            let rho = (start.clone() + rho_2) / &q(2, 1);
            at_zero.entry(rho.to_string()).or_insert((rho, q(0, 1))).1 += o.probability;
        }
    }
    let (rhos, chances): (Vec<Q>, Vec<Q>) = at_zero.into_values().unzip();
    assert_eq!((&rhos, &chances), (&ratios(16, &[7, 9]), &ratios(4, &[1, 1])));

    // E[g̃_β | θ_t = 0, ρ_t], against g_β at ρ_t.
    let (varrho, power, theta) = (model.varrho(), model.power(Exponent::One), zeros::<Q>(2));
    let saddle = average_reward::lagrangian::Saddle::new(model.mdp(), &varrho, &power).unwrap();
    let mut given_theta = zeros::<Q>(2);
    let mut gradients = Vec::new();
    for rho in &rhos {
        let given_both = expectation(&model.outcomes(), 2, |o| {
            let visit = model.visit(&policy, o);
            let error = td_error(&model.reward(o), &q(0, 1), visit.phi, &theta, rho).unwrap();
            let mut out = zeros(2);
            beta_gradient_estimate(None, visit.phi, &error, &mut out).unwrap();
            out
        });
        let mut room = model.scratch();
        let gradient =
            average_reward::lagrangian::beta_gradient(&saddle, &policy, rho, &theta, &mut &mut room[..]).unwrap();
        assert_eq!(given_both, gradient, "given ρ_t, too");
        for (sum, x) in given_theta.iter_mut().zip(given_both) {
            *sum += x / &q(2, 1);
        }
        gradients.push(gradient.to_vec());
    }
    assert_eq!(given_theta, ratios::<Q>(4, &[1, -1]));
    assert_eq!(gradients, [ratios(32, &[9, -7]), ratios(32, &[7, -9])]);
    assert!(gradients.iter().all(|gradient| *gradient != given_theta));
}
