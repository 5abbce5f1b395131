//! Lemma D.2, `lem:aux-mirror`: mirror descent with the relative entropy.
//!
//! The pieces are generic over [`Real`], so that the same code gives a number over `f64` and a proven enclosure over an
//! interval type. p, q and π(·|x) are distributions over the actions of one state unless a table is said.

use super::gradient_descent::valid_rate;
use crate::error::{Error, Result, expect_len, expect_rows, expect_some, expect_table};
use crate::linear::vector::{all_finite, finite, inner, take};
use crate::number::{Field, Real};
use crate::paper::components::{fill, vector};

/// Appendix D: the relative entropy D(p‖q) = Σ_a p(a) log(p(a)/q(a)), with 0 log 0 = 0. `Err` where q(a) = 0 < p(a).
pub fn relative_entropy<T: Real>(p: &[T], q: &[T]) -> Result<T> {
    expect_len("q", p.len(), q.len())?;
    let mut sum = T::zero();
    for (index, (p, q)) in p.iter().zip(q).enumerate() {
        if p.is_zero() {
            continue;
        }
        if q.is_zero() {
            return Err(Error::OutOfRange { what: "q", index, expected: "q > 0 wherever p > 0" });
        }
        sum += (p.clone() / q).ln() * p;
    }
    finite("D(p‖q)", sum)
}

/// Appendix D: the conditional entropy H(π‖π') = Σ_x ν^π(x) D(π(·|x)‖π'(·|x)), for tables π and π'.
pub fn conditional_entropy<T: Real>(actions: usize, nu: &[T], policy: &[T], other: &[T]) -> Result<T> {
    expect_some("actions", actions)?;
    expect_table("policy", nu.len(), actions, policy.len())?;
    expect_len("other policy", policy.len(), other.len())?;
    let mut sum = T::zero();
    for (weight, (p, q)) in nu.iter().zip(policy.chunks_exact(actions).zip(other.chunks_exact(actions))) {
        if !weight.is_zero() {
            sum += relative_entropy(p, q)? * weight;
        }
    }
    finite("H(π‖π')", sum)
}

/// The largest component; where two do not compare, either.
fn largest<T: Field>(values: &[T]) -> Result<&T> {
    all_finite("q", values)?;
    let mut largest = values.first().ok_or(Error::Empty { what: "actions" })?;
    for value in values {
        if value > largest {
            largest = value;
        }
    }
    Ok(largest)
}

/// Lemma D.2, the update: π_{t+1}(a) = π_t(a) e^{αq(a)} / Σ_b π_t(b) e^{αq(b)}, with the largest αq subtracted from every
/// exponent.
pub fn mirror_step<'s, T: Real>(alpha: &T, policy: &[T], q: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    expect_len("q", policy.len(), q.len())?;
    let shift = largest(q)?;
    let out = take(scratch, policy.len())?;
    let weights = vector("π e^{αq}", policy.len(), &mut &mut **scratch, |a| {
        ((q[a].clone() - shift) * alpha).exp() * &policy[a]
    })?;
    let total = weights.iter().fold(T::zero(), |sum, weight| sum + weight);
    if total.is_zero() {
        return Err(Error::NotNormalised { what: "policy", row: 0 });
    }
    fill("next policy", out, |a| weights[a].clone() / &total)
}

/// Lemma D.2: log Σ_a π(a) e^{αq(a)}.
pub fn log_mean_exponential<T: Real>(alpha: &T, policy: &[T], q: &[T]) -> Result<T> {
    expect_len("q", policy.len(), q.len())?;
    let shift = largest(q)?;
    let mut total = T::zero();
    for (p, q) in policy.iter().zip(q) {
        total += ((q.clone() - shift) * alpha).exp() * p;
    }
    finite("log Σ π e^{αq}", total.ln() + shift.clone() * alpha)
}

/// ⟨π* − π, q⟩.
pub fn advantage<T: Field>(star: &[T], policy: &[T], q: &[T]) -> Result<T> {
    expect_len("policy", star.len(), policy.len())?;
    expect_len("q", star.len(), q.len())?;
    let mut sum = T::zero();
    for ((s, p), q) in star.iter().zip(policy).zip(q) {
        sum += (s.clone() - p) * q;
    }
    finite("⟨π* − π, q⟩", sum)
}

/// Lemma D.2, the KL identity, right side: D(π*‖π_t) − α⟨π* − π_t, q⟩ + log Σπ_t e^{αq} − α⟨π_t, q⟩. The left side is
/// D(π*‖π_{t+1}).
pub fn entropy_step_right<T: Real>(alpha: &T, star: &[T], policy: &[T], q: &[T]) -> Result<T> {
    let before = relative_entropy(star, policy)?;
    let gain = advantage(star, policy, q)? * alpha;
    finite("KL step", before - gain + hoeffding_left(alpha, policy, q)?)
}

/// Lemma D.2, the Hoeffding step, left side: log Σ_a π(a) e^{αq(a)} − α⟨π, q⟩.
pub fn hoeffding_left<T: Real>(alpha: &T, policy: &[T], q: &[T]) -> Result<T> {
    let log_mean = log_mean_exponential(alpha, policy, q)?;
    finite("log-moment", log_mean - inner(policy, q) * alpha)
}

/// Lemma D.2, the Hoeffding step, right side: α²‖q‖²_∞/2.
pub fn hoeffding_right<T: Field>(alpha: &T, q: &[T]) -> Result<T> {
    all_finite("q", q)?;
    let mut size = T::zero();
    for value in q {
        let magnitude = value.abs();
        if magnitude > size {
            size = magnitude;
        }
    }
    let scaled = size * alpha;
    finite("α²‖q‖²/2", scaled.clone() * scaled * &T::ratio(1, 2))
}

/// Lemma D.2, the last display of its proof, right side, at one state: D(π*‖π₁)/α + (α/2) Σ_t ‖q_t(x,·)‖²_∞, with q_t the
/// rows of `qs`.
///
/// # Deviation
/// Print loses the sum over t; erratum 12, [`crate::errata::lemma_d2_last_display`].
pub fn telescoped_right<T: Real>(alpha: &T, star: &[T], first: &[T], qs: &[T]) -> Result<T> {
    valid_rate("alpha", alpha)?;
    let mut sum = relative_entropy(star, first)? / alpha;
    expect_rows("q", star.len(), qs.len())?;
    for q in qs.chunks_exact(star.len()) {
        sum += hoeffding_right(alpha, q)? / alpha;
    }
    finite("telescoped sum", sum)
}

/// Lemma D.2, left side of one t: Σ_x ν^{π*}(x)⟨π*(·|x) − π_t(·|x), q_t(x,·)⟩, for tables.
pub fn mirror_regret<T: Field>(actions: usize, nu: &[T], star: &[T], policy: &[T], q: &[T]) -> Result<T> {
    expect_some("actions", actions)?;
    for (what, table) in [("comparator", star), ("policy", policy), ("q", q)] {
        expect_table(what, nu.len(), actions, table.len())?;
    }
    let mut sum = T::zero();
    for (x, weight) in nu.iter().enumerate() {
        let row = x * actions..(x + 1) * actions;
        sum += advantage(&star[row.clone()], &policy[row.clone()], &q[row])? * weight;
    }
    finite("π-regret", sum)
}

/// Lemma D.2, Lemma B.3: the bound H(π*‖π₁)/α + αT D_q²/2; B.3 has it at D_q = D_φD_θ and H ≤ log|A|.
pub fn mirror_descent_bound<T: Field>(entropy: &T, alpha: &T, steps: usize, q_bound: &T) -> Result<T> {
    valid_rate("alpha", alpha)?;
    let count = T::from_count(steps);
    let steps = q_bound.clone() * q_bound * alpha * &count * T::ratio(1, 2);
    finite("bound of Lemma D.2", entropy.clone() / alpha + steps)
}
