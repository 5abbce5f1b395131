//! nalgebra as an independent second opinion: the same equations, written once more as matrix expressions.
//!
//! Every comparison is |ours − theirs| ≤ tolerance with a derived tolerance: both sides evaluate the same expression of at
//! most N = 4·|X||A|·(|X|+d) rounded operations on numbers of size at most M, so each is within γ_N·M of the exact value,
//! γ_N = N·u/(1−N·u), and for a solve the bound is multiplied by the condition number of its matrix (from nalgebra's SVD).
#![cfg(feature = "cli")]

use approx::assert_abs_diff_eq;
use nalgebra::{DMatrix, DVector};
use offline_primal_dual::instances::{self, Owned};
use offline_primal_dual::number::Field;
use offline_primal_dual::paper::average_reward::{lagrangian as avg, values};
use offline_primal_dual::paper::covariance::{Exponent, Spectrum, covariance};
use offline_primal_dual::paper::coverage::{coverage_ratio, diamond_ratio};
use offline_primal_dual::paper::discounted::duality_gap::{beta_star, occupancy_of};
use offline_primal_dual::paper::discounted::lagrangian::*;
use offline_primal_dual::paper::mdp::*;

/// The paper's matrices, as nalgebra has them.
struct Matrices {
    phi: DMatrix<f64>,
    psi: DMatrix<f64>,
    e: DMatrix<f64>,
    p: DMatrix<f64>,
    r: DVector<f64>,
    omega: DVector<f64>,
    nu0: DVector<f64>,
    gamma: f64,
    pi: DVector<f64>,
    lambda: DMatrix<f64>,
}

impl Matrices {
    fn new(model: &Owned<f64>, mu_b: &[f64]) -> Self {
        let Shape { states, actions, dim } = model.shape;
        let phi = DMatrix::from_row_slice(states * actions, dim, &model.features);
        let psi = DMatrix::from_row_slice(states, dim, &model.psi).transpose();
        let omega = DVector::from_row_slice(&model.omega);
        Self {
            e: DMatrix::from_fn(states * actions, states, |row, x| f64::from(u8::from(row / actions == x))),
            p: &phi * &psi,
            r: &phi * &omega,
            lambda: phi.transpose() * DMatrix::from_diagonal(&DVector::from_row_slice(mu_b)) * &phi,
            phi,
            psi,
            omega,
            nu0: DVector::from_row_slice(&model.initial),
            gamma: model.discount,
            pi: DVector::from_row_slice(&model.behavior),
        }
    }

    /// π ∘ v: (x,a) ↦ π(a|x) v(x).
    fn compose(&self, v: &DVector<f64>) -> DVector<f64> {
        self.pi.component_mul(&(&self.e * v))
    }

    /// P_π = Eᵀ diag(π) P.
    fn p_pi(&self) -> DMatrix<f64> {
        self.e.transpose() * DMatrix::from_diagonal(&self.pi) * &self.p
    }
}

fn condition(m: &DMatrix<f64>) -> f64 {
    let s = m.clone().svd(false, false).singular_values;
    s.max() / s.min()
}

struct Check<'a> {
    instance: &'a str,
    /// γ_N·M.
    unit: f64,
}

impl Check<'_> {
    fn vector(&self, what: &str, ours: &[f64], theirs: &DVector<f64>, condition: f64) {
        assert_eq!(ours.len(), theirs.len());
        for (i, (a, b)) in ours.iter().zip(theirs.iter()).enumerate() {
            println!("{} {what}[{i}]: {a:e} {b:e}", self.instance);
            assert_abs_diff_eq!(*a, *b, epsilon = self.unit * condition);
        }
    }

    fn scalar(&self, what: &str, ours: f64, theirs: f64, condition: f64) {
        self.vector(what, &[ours], &DVector::from_element(1, theirs), condition);
    }
}

fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((seed * 5 + i * 3) % 17) as f64 / 17.0 - 0.5).collect()
}

fn largest(m: &[f64]) -> f64 {
    m.iter().fold(1.0, |a, b| f64::max(a, b.abs()))
}

fn discounted(check: &Check, model: &Owned<f64>, m: &Matrices, mu_b: &[f64]) {
    let (mdp, shape, s) = (model.linear_mdp().unwrap(), model.shape, &mut vec![0.0; model.shape.scratch()][..]);
    let (policy, id) = (&model.behavior, DMatrix::identity(shape.states, shape.states));
    let system = &id - m.p_pi() * m.gamma;
    let kappa = condition(&system);
    let r_pi = m.e.transpose() * m.pi.component_mul(&m.r);
    let v = system.clone().lu().solve(&r_pi).unwrap();
    let nu = system.transpose().lu().solve(&(&m.nu0 * (1.0 - m.gamma))).unwrap();
    let mu = m.compose(&nu);
    let theta = &m.omega + &m.psi * &v * m.gamma;
    let mut table = vec![0.0; shape.scratch()];
    let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
    check.vector("v", state_value(&tabular, policy, &mut &mut s[..]).unwrap(), &v, kappa);
    check.vector("mu", mu_b, &mu, kappa);
    check.vector("theta", theta_of_policy(&mdp, policy, &mut &mut s[..]).unwrap(), &theta, kappa);
    check.scalar("return", normalised_return(&tabular, v.as_slice()).unwrap(), (1.0 - m.gamma) * m.nu0.dot(&v), kappa);
    check.scalar("return by mu", expected_reward(tabular.reward(), mu_b).unwrap(), m.r.dot(&mu), kappa);

    let power = covariance(&mdp, mu_b, &mut &mut s[..]).unwrap().to_vec();
    check.vector("Λ", &power, &DVector::from_column_slice(m.lambda.as_slice()), 1.0);
    let saddle = Saddle::new(mdp, &power).unwrap();
    let [v, mu, theta, beta] = [(shape.states, 1), (shape.pairs(), 2), (shape.dim, 3), (shape.dim, 4)]
        .map(|(n, k)| DVector::from_vec(numbers(n, k)));
    let (vs, mus, ths, bs) = (v.as_slice(), mu.as_slice(), theta.as_slice(), beta.as_slice());
    let lambda = &m.lambda * &beta;
    let bellman = &m.omega + &m.psi * &v * m.gamma - &theta;
    let value = (1.0 - m.gamma) * m.nu0.dot(&v) + lambda.dot(&bellman) + mu.dot(&(&m.phi * &theta - &m.e * &v));
    check.scalar("(11)", lagrangian_beta(&saddle, bs, mus, vs, ths, s).unwrap(), value, 1.0);
    let nu_b = &m.nu0 * (1.0 - m.gamma) + m.psi.transpose() * &lambda * m.gamma;
    let chosen = m.compose(&nu_b);
    check.vector("(13)", mu_beta(&saddle, bs, policy, &mut &mut s[..]).unwrap(), &chosen, 1.0);
    let g_theta = m.phi.transpose() * &chosen - &lambda;
    let f = lambda.dot(&m.omega) + theta.dot(&g_theta);
    check.scalar("(14)", f_theta(&saddle, bs, policy, ths, s).unwrap(), f, 1.0);
    check.scalar("(15)", f_beta(&saddle, bs, policy, ths, s).unwrap(), f, 1.0);
    check.vector("g_θ", theta_gradient(&saddle, bs, policy, &mut &mut s[..]).unwrap(), &g_theta, 1.0);
    let v_theta = m.e.transpose() * m.pi.component_mul(&(&m.phi * &theta));
    let g_beta = &m.lambda * (&m.omega + &m.psi * &v_theta * m.gamma - &theta);
    check.vector("g_β", beta_gradient(&saddle, policy, ths, &mut &mut s[..]).unwrap(), &g_beta, 1.0);
}

fn ratios(check: &Check, model: &Owned<f64>, m: &Matrices, mu_b: &[f64]) {
    let (mdp, shape, s) = (model.linear_mdp().unwrap(), model.shape, &mut vec![0.0; model.shape.scratch()][..]);
    let power = covariance(&mdp, mu_b, &mut &mut s[..]).unwrap().to_vec();
    // The pseudo-inverse is the inverse where there is one. Singular values below 2⁻⁴⁰ are zeros: none of the instances has one there.
    let inverse = m.lambda.clone().pseudo_inverse(2f64.powi(-40)).unwrap();
    let kappa = m.lambda.norm() * inverse.norm();
    let mean = m.phi.transpose() * DVector::from_row_slice(mu_b);
    let star = &inverse * &mean;
    let size = inverse.norm() * inverse.norm();
    let saddle = Saddle::new(mdp, &power).unwrap();
    let ours = beta_star(&saddle, &model.behavior, &mut &mut s[..]).unwrap().to_vec();
    check.vector("β*", &ours, &star, kappa * inverse.norm());
    let one = coverage_ratio(Exponent::One, &mdp, mu_b, &power, s).unwrap();
    check.scalar("C_{φ,1}", one, star.norm_squared(), kappa * size);
    let half = coverage_ratio(Exponent::Half, &mdp, mu_b, &power, s).unwrap();
    check.scalar("C_{φ,1/2}", half, mean.dot(&star), kappa * size);
    let diamond = (m.phi.clone() * &inverse).component_mul(&m.phi).column_sum().dot(&DVector::from_row_slice(mu_b));
    check.scalar("C^⋄", diamond_ratio(&mdp, mu_b, &power, s).unwrap(), diamond, kappa * size);
    // Λ^{1/2}Λ^{1/2} = Λ and Λ^{−1/2}Λ^{1/2} = I, through our own powers.
    let Ok(spectrum) = Spectrum::new(shape.dim, &power) else {
        assert_eq!(check.instance, "half-seen");
        return;
    };
    let root = DMatrix::from_row_slice(shape.dim, shape.dim, &spectrum.power_c(Exponent::Half));
    let weight = DMatrix::from_row_slice(shape.dim, shape.dim, &spectrum.weight(Exponent::Half).unwrap());
    check.vector("root²", (&root * &root).as_slice(), &DVector::from_column_slice(m.lambda.as_slice()), 1.0);
    let identity = DMatrix::<f64>::identity(shape.dim, shape.dim);
    check.vector("weight·root", (&weight * &root).as_slice(), &DVector::from_column_slice(identity.as_slice()), kappa);
}

fn average_reward(check: &Check, model: &Owned<f64>, m: &Matrices, mu_b: &[f64]) {
    let (mdp, shape, s) = (model.linear_mdp().unwrap(), model.shape, &mut vec![0.0; model.shape.scratch()][..]);
    let n = shape.states;
    let ones = DVector::from_element(n, 1.0);
    // ν = Pᵀν with ⟨ν, 1⟩ = 1 is (I − Pᵀ + 11ᵀ)ν = 1.
    let system = DMatrix::identity(n, n) - m.p_pi().transpose() + &ones * ones.transpose();
    let kappa = condition(&system);
    let nu = system.lu().solve(&ones).unwrap();
    let mut table = vec![0.0; shape.scratch()];
    let tabular = mdp.tabulate(&mut &mut table[..]).unwrap();
    let ours = values::state_occupancy(&tabular, &model.behavior, &mut &mut s[..]).unwrap().to_vec();
    check.vector("ν", &ours, &nu, kappa);
    let gain = m.r.dot(&m.compose(&nu));
    check.scalar("gain", values::gain(&tabular, &model.behavior, s).unwrap(), gain, kappa);
    // The bias is the deviation matrix applied to r_π: (I − P + 1νᵀ)⁻¹ (r_π − ρ1), which has ⟨ν, v⟩ = 0.
    let r_pi = m.e.transpose() * m.pi.component_mul(&m.r);
    let fundamental = DMatrix::identity(n, n) - m.p_pi() + &ones * nu.transpose();
    let kappa = kappa * condition(&fundamental);
    let bias = fundamental.lu().solve(&(r_pi - &ones * gain)).unwrap();
    check.vector("bias", values::state_value(&tabular, &model.behavior, &mut &mut s[..]).unwrap().1, &bias, kappa);
    let varrho = ones_coefficients(&mdp, &mut &mut s[..]).unwrap().to_vec();
    let power = covariance(&mdp, mu_b, &mut &mut s[..]).unwrap().to_vec();
    let saddle = avg::Saddle::new(mdp, &varrho, &power).unwrap();
    let (theta, beta) = (DVector::from_vec(numbers(shape.dim, 3)), DVector::from_vec(numbers(shape.dim, 4)));
    let v_theta = m.e.transpose() * m.pi.component_mul(&(&m.phi * &theta));
    let rho = 0.375;
    let bracket = &m.omega + &m.psi * &v_theta - &theta - DVector::from_row_slice(&varrho) * rho;
    let f = rho + beta.dot(&(&m.lambda * &bracket));
    let ours = avg::f_theta(&saddle, beta.as_slice(), &model.behavior, &rho, theta.as_slice(), s).unwrap();
    check.scalar("average f", ours, f, 1.0);
}

#[test]
fn nalgebra_agrees_on_every_instance() {
    let mut averaged = 0;
    for instance in instances::all() {
        let model = instance.to_owned::<f64>().unwrap();
        let shape = model.shape;
        let s = &mut vec![0.0; shape.scratch()][..];
        let mu_b = occupancy_of(&model.linear_mdp().unwrap(), &model.behavior, &mut &mut s[..]).unwrap().to_vec();
        let m = Matrices::new(&model, &mu_b);
        let operations = 4 * shape.pairs() * (shape.states + shape.dim);
        // The largest products that meet in one sum: two model entries, a value below 1/(1−γ) and a point below 1.
        let size = largest(&model.features).powi(3) * largest(&model.psi) * largest(&model.omega) / (1.0 - m.gamma);
        let check =
            Check { instance: instance.name(), unit: f64::rounding(operations) * size * (shape.pairs() as f64) };
        discounted(&check, &model, &m, &mu_b);
        ratios(&check, &model, &m, &mu_b);
        if instance.is_average_reward() {
            average_reward(&check, &model, &m, &mu_b);
            averaged += 1;
        }
    }
    assert!(averaged >= 1, "no instance for the average-reward setting");
}
