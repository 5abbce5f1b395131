//! f64 against exact: the result of each function lies within a bound of the exact one, and the bound is derived.
//!
//! [`Bounded`] is a scalar that does what `f64` does and carries, beside each value, a bound on its distance from the
//! exact result: |fl(a ∘ b) − a ∘ b| ≤ u|fl(a ∘ b)| for each operation, plus what the operands' bounds contribute
//! (running error analysis; Higham, *Accuracy and Stability*, 3.3). The library's own generic code, run at this scalar,
//! therefore derives its own rounding bound; the exact run at the same (dyadic) inputs then has to respect it.
#![cfg(feature = "cli")]

use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use offline_primal_dual::instances;
use offline_primal_dual::linear::vector::{apply, axpy, dot, norm_squared};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::elimination::Eliminate;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::average_reward::{lagrangian as avg, values};
use offline_primal_dual::paper::covariance::{apply_inverse, covariance, trace, weighted_norm_squared};
use offline_primal_dual::paper::coverage::{diamond_ratio_trace, rayleigh_quotient};
use offline_primal_dual::paper::discounted::duality_gap::{beta_star, occupancy_of, return_of};
use offline_primal_dual::paper::discounted::estimators as est;
use offline_primal_dual::paper::discounted::lagrangian::*;
use offline_primal_dual::paper::mdp::*;

/// A double and a bound on its error.
#[derive(Clone, Copy, Debug)]
struct Bounded {
    value: f64,
    error: f64,
}

const U: f64 = f64::EPSILON / 2.0;

/// A sum of non-negative bounds, rounded up.
fn up(x: f64) -> f64 {
    x.next_up()
}

impl Bounded {
    /// `value` as computed in f64 from operands whose errors contribute at most `carried`.
    fn rounded(value: f64, carried: f64) -> Self {
        // Below the normal range the relative model fails by at most the least positive double.
        let own = up(up(U * value.abs()) + f64::from_bits(1));
        Self { value, error: up(carried + own) }
    }
}

macro_rules! operator {
    ($operator:ident $method:ident |$a:ident, $b:ident| $value:expr, $carried:expr) => {
        impl $operator for Bounded {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                Self::rounded($value, $carried)
            }
        }
        impl<'a> $operator<&'a Bounded> for Bounded {
            type Output = Self;
            fn $method(self, other: &'a Self) -> Self {
                self.$method(*other)
            }
        }
    };
}

operator!(Add add |a, b| a.value + b.value, up(a.error + b.error));
operator!(Sub sub |a, b| a.value - b.value, up(a.error + b.error));
operator!(Mul mul |a, b| a.value * b.value, {
    let cross = up(up(a.value.abs() * b.error) + up(b.value.abs() * a.error));
    up(cross + up(a.error * b.error))
});
operator!(Div div |a, b| a.value / b.value, {
    // |a/b − α/β| ≤ (e_a + |a/b| e_b) / (|b| − e_b); a bound that reaches zero leaves no bound at all.
    let quotient = up((a.value / b.value).abs());
    let divisor = (b.value.abs() - b.error).next_down();
    if divisor > 0.0 { up(up(a.error + up(quotient * b.error)) / divisor) } else { f64::INFINITY }
});

impl Neg for Bounded {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, error: self.error }
    }
}

impl AddAssign for Bounded {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Bounded {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl PartialEq for Bounded {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl PartialOrd for Bounded {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl Field for Bounded {
    fn zero() -> Self {
        Self { value: 0.0, error: 0.0 }
    }
    fn one() -> Self {
        Self { value: 1.0, error: 0.0 }
    }
    fn from_int(n: i64) -> Self {
        Self { value: f64::from_int(n), error: 0.0 }
    }
    fn is_valid(&self) -> bool {
        self.value.is_finite()
    }
    fn rounding(operations: usize) -> Self {
        Self { value: f64::rounding(operations), error: 0.0 }
    }
}

impl Eliminate for Bounded {
    fn better_pivot(&self, other: &Self) -> bool {
        self.value.better_pivot(&other.value)
    }
    fn eliminate(&mut self, pivot: &Self, left: &Self, top: &Self, _previous: &Self) {
        *self -= *left / pivot * top;
    }
}

/// One model and one point, at any scalar.
struct Inputs<T> {
    shape: Shape,
    features: Vec<T>,
    omega: Vec<T>,
    psi: Vec<T>,
    initial: Vec<T>,
    discount: T,
    policy: Vec<T>,
    power: Vec<T>,
    varrho: Vec<T>,
    v: Vec<T>,
    mu: Vec<T>,
    theta: Vec<T>,
    beta: Vec<T>,
}

impl<T: Field> Inputs<T> {
    /// Every number of `other` through `convert`.
    fn convert<S: Field>(other: &Inputs<S>, convert: impl Fn(&S) -> T) -> Self {
        let all = |numbers: &[S]| numbers.iter().map(&convert).collect::<Vec<T>>();
        Self {
            shape: other.shape,
            features: all(&other.features),
            omega: all(&other.omega),
            psi: all(&other.psi),
            initial: all(&other.initial),
            discount: convert(&other.discount),
            policy: all(&other.policy),
            power: all(&other.power),
            varrho: all(&other.varrho),
            v: all(&other.v),
            mu: all(&other.mu),
            theta: all(&other.theta),
            beta: all(&other.beta),
        }
    }

    fn mdp(&self) -> LinearMdp<'_, T> {
        // The doubles nearest to thirds do not sum to 1 exactly.
        LinearMdp::unvalidated(self.shape, &self.features, &self.omega, &self.psi, &self.initial, &self.discount)
            .unwrap()
    }

    fn saddle(&self) -> Saddle<'_, T> {
        Saddle::new(self.mdp(), &self.power).unwrap()
    }

    fn average(&self) -> avg::Saddle<'_, T> {
        avg::Saddle::new(self.mdp(), &self.varrho, &self.power).unwrap()
    }

    fn scratch(&self) -> Vec<T> {
        vec![T::zero(); self.shape.scratch()]
    }

    /// A function of the tabular model.
    fn with_tabular<V>(&self, f: impl FnOnce(&Mdp<T>) -> V) -> V {
        f(&self.mdp().tabulate(&mut &mut self.scratch()[..]).unwrap())
    }
}

fn zeros<T: Field>(n: usize) -> Vec<T> {
    vec![T::zero(); n]
}

/// Runs each quantity at f64, at [`Bounded`] and exactly; compares; counts.
macro_rules! check_each {
    ($inputs:ident: $($name:literal |$m:ident, $s:ident| $body:expr;)*) => {{
        let mut count = 0;
        $({
            fn quantity<T: Field>($m: &Inputs<T>) -> Vec<T> {
                let mut scratch = $m.scratch();
                let $s = &mut &mut scratch[..];
                let _ = &$s;
                $body
            }
            let floating = quantity(&$inputs);
            let bounded = quantity(&Inputs::convert(&$inputs, |x| Bounded { value: *x, error: 0.0 }));
            let exact = quantity(&Inputs::convert(&$inputs, |x| BigRational::from_f64(*x).unwrap()));
            compare($name, &floating, &bounded, &exact);
            count += 1;
        })*
        count
    }};
}

fn compare(name: &str, floating: &[f64], bounded: &[Bounded], exact: &[BigRational]) {
    for (i, ((f, b), x)) in floating.iter().zip(bounded).zip(exact).enumerate() {
        assert_eq!(f.to_bits(), b.value.to_bits(), "{name}[{i}]: the bound is for another computation");
        assert!(b.error.is_finite(), "{name}[{i}]: no bound");
        let distance = (BigRational::from_f64(*f).unwrap() - x).abs();
        assert!(
            distance <= BigRational::from_f64(b.error).unwrap(),
            "{name}[{i}]: {f} is off by more than {}",
            b.error
        );
        // A bound that explains nothing would be no check: it has to be small beside what it bounds.
        assert!(b.error <= 1e-9 * (1.0 + f.abs()), "{name}[{i}]: the derived bound {} is useless", b.error);
    }
}

fn check(inputs: &Inputs<f64>) -> usize {
    check_each! { inputs:
        "dot" |m, s| vec![dot(&m.theta, &m.beta).unwrap()];
        "norm_squared" |m, s| vec![norm_squared(&m.theta).unwrap()];
        "axpy" |m, s| {
            let mut out = zeros(m.shape.dim);
            axpy(&m.discount, &m.theta, &mut out).unwrap();
            out
        };
        "apply" |m, s| {
            let mut out = zeros(m.shape.dim);
            apply(&m.power, &m.theta, &mut out).unwrap();
            out
        };
        "reward" |m, s| m.mdp().reward(s).unwrap().to_vec();
        "transition" |m, s| m.mdp().transition(s).unwrap().to_vec();
        "state_value" |m, s| m.with_tabular(|t| state_value(t, &m.policy, s).unwrap().to_vec());
        "action_value" |m, s| m.with_tabular(|t| action_value(t, &m.v, s).unwrap().to_vec());
        "action_value_direct" |m, s|
            m.with_tabular(|t| action_value_direct(t, &m.policy, s).unwrap().to_vec());
        "normalised_return" |m, s| vec![m.with_tabular(|t| normalised_return(t, &m.v).unwrap())];
        "state_occupancy" |m, s|
            m.with_tabular(|t| state_occupancy(t, &m.policy, s).unwrap().to_vec());
        "occupancy" |m, s| occupancy_of(&m.mdp(), &m.policy, s).unwrap().to_vec();
        "flow_residual" |m, s|
            m.with_tabular(|t| flow_residual(t, &m.mu, s).unwrap().to_vec());
        "return_of" |m, s| vec![return_of(&m.mdp(), &m.policy, s).unwrap()];
        "theta_of_value" |m, s| theta_of_value(&m.mdp(), &m.v, s).unwrap().to_vec();
        "theta_of_policy" |m, s| theta_of_policy(&m.mdp(), &m.policy, s).unwrap().to_vec();
        "primal_objective" |m, s| vec![primal_objective(&m.mdp(), &m.beta).unwrap()];
        "primal_flow_residual" |m, s|
            primal_flow_residual(&m.mdp(), &m.beta, &m.mu, s).unwrap().to_vec();
        "primal_feature_residual" |m, s|
            primal_feature_residual(&m.mdp(), &m.beta, &m.mu, s).unwrap().to_vec();
        "dual_objective" |m, s| vec![dual_objective(&m.mdp(), &m.v).unwrap()];
        "dual_feature_residual" |m, s|
            dual_feature_residual(&m.mdp(), &m.v, &m.theta, s).unwrap().to_vec();
        "dual_slack" |m, s| dual_slack(&m.mdp(), &m.v, &m.theta, s).unwrap().to_vec();
        "covariance" |m, s| covariance(&m.mdp(), &m.mu, s).unwrap().to_vec();
        "apply_inverse" |m, s| apply_inverse(m.shape.dim, &m.power, &m.theta, s).unwrap().to_vec();
        "trace" |m, s| vec![trace(m.shape.dim, &m.power).unwrap()];
        "weighted_norm_squared" |m, s|
            vec![weighted_norm_squared(m.shape.dim, &m.power, &m.beta, s).unwrap()];
        "lagrangian" |m, s| vec![lagrangian(&m.mdp(), &m.v, &m.theta, &m.beta, &m.mu, s).unwrap()];
        "lagrangian_regrouped" |m, s|
            vec![lagrangian_regrouped(&m.mdp(), &m.v, &m.theta, &m.beta, &m.mu, s).unwrap()];
        "mu_beta" |m, s| mu_beta(&m.saddle(), &m.beta, &m.policy, s).unwrap().to_vec();
        "v_theta" |m, s| v_theta(&m.mdp(), &m.theta, &m.policy, s).unwrap().to_vec();
        "f_theta" |m, s| vec![f_theta(&m.saddle(), &m.beta, &m.policy, &m.theta, s).unwrap()];
        "f_nu" |m, s| vec![f_nu(&m.saddle(), &m.beta, &m.policy, &m.theta, s).unwrap()];
        "f_beta" |m, s| vec![f_beta(&m.saddle(), &m.beta, &m.policy, &m.theta, s).unwrap()];
        "theta_gradient" |m, s|
            theta_gradient(&m.saddle(), &m.beta, &m.policy, s).unwrap().to_vec();
        "beta_gradient" |m, s|
            beta_gradient(&m.saddle(), &m.policy, &m.theta, s).unwrap().to_vec();
        "v_gradient" |m, s| v_gradient(&m.saddle(), &m.beta, &m.mu, s).unwrap().to_vec();
        "beta_star" |m, s| beta_star(&m.saddle(), &m.policy, s).unwrap().to_vec();
        "rayleigh_quotient" |m, s|
            vec![rayleigh_quotient(m.shape.dim, &m.power, &m.power, &m.theta, s).unwrap()];
        "diamond_ratio_trace" |m, s|
            vec![diamond_ratio_trace(m.shape.dim, &m.power, &m.power, s).unwrap()];
        "td_error" |m, s|
            vec![est::td_error(&m.discount, &m.v[0], &m.v[0], &m.theta, &m.beta).unwrap()];
        "average f_theta" |m, s|
            vec![avg::f_theta(&m.average(), &m.beta, &m.policy, &m.v[0], &m.theta, s).unwrap()];
        "average f_nu" |m, s|
            vec![avg::f_nu(&m.average(), &m.beta, &m.policy, &m.v[0], &m.theta, s).unwrap()];
        "average rho_gradient" |m, s| vec![avg::rho_gradient(&m.average(), &m.beta, s).unwrap()];
        "average beta_gradient" |m, s|
            avg::beta_gradient(&m.average(), &m.policy, &m.v[0], &m.theta, s).unwrap().to_vec();
        "average theta_gradient" |m, s|
            avg::theta_gradient(&m.average(), &m.beta, &m.policy, s).unwrap().to_vec();
        "average action_value" |m, s|
            m.with_tabular(|t| values::action_value(t, &m.discount, &m.v, s).unwrap().to_vec());
    }
}

/// A point with nothing special about it: thirds and sevenths are no doubles.
fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((seed * 5 + i * 3) % 17) as f64 / 7.0 - 1.0 / 3.0).collect()
}

#[test]
fn every_function_stays_within_its_derived_bound_on_every_instance() {
    // The bounds have ‖Λ^{−1}‖ in them.
    for instance in instances::all().iter().filter(|instance| instance.name() != "half-seen") {
        let model = instance.to_owned::<f64>().unwrap();
        let shape = model.shape;
        let mut scratch = vec![0.0; shape.scratch()];
        let scratch = &mut &mut scratch[..];
        let mu = occupancy_of(&model.linear_mdp().unwrap(), &model.behavior, scratch).unwrap();
        let power = covariance(&model.linear_mdp().unwrap(), mu, scratch).unwrap().to_vec();
        let inputs = Inputs {
            shape,
            policy: model.behavior.clone(),
            power,
            varrho: numbers(shape.dim, 3),
            v: numbers(shape.states, 1),
            mu: numbers(shape.pairs(), 2),
            theta: numbers(shape.dim, 4),
            beta: numbers(shape.dim, 6),
            features: model.features,
            omega: model.omega,
            psi: model.psi,
            initial: model.initial,
            discount: model.discount,
        };
        let count = check(&inputs);
        println!("{}: {count} functions within their derived bounds", instance.name());
        assert_eq!(count, 46);
    }
}
