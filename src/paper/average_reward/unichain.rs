//! Assumption 5.1: one recurrent class for every policy, and D_q measured.
//!
//! Both are statements about all stationary policies, and deterministic ones decide both:
//! * If a randomised policy has two recurrent classes, so does every deterministic one that picks from its support.
//! * With the other states' actions fixed, ρ and v − v(x₀) are, by Cramer's rule, quotients of affine functions of
//!   π(·|x) with a denominator that has no zero among unichain policies. So is each q(x,a) − q(y,b): along a segment
//!   of policies it is monotone, and ‖q^π‖_sp is greatest at a deterministic policy.

use super::values::{action_value, relative_value, span_seminorm, stochastic_transition};
use crate::error::{Error, Result, expect_some};
use crate::linear::solve::rank;
use crate::number::Field;
use crate::paper::components::{identity, vector};
use crate::paper::mdp::{Mdp, deterministic_policy};

/// The number of recurrent classes of P_π: the dimension of ker(I − P_π), as each class contributes the function
/// x ↦ P(absorbed in the class | start at x), and these are a basis of the harmonic functions.
pub fn recurrent_classes<T: Field>(mdp: &Mdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<usize> {
    let n = mdp.states();
    let p = stochastic_transition(mdp, policy, &mut scratch)?;
    let matrix = vector("I − P_π", n * n, &mut scratch, |i| identity::<T>(n, i) - &p[i])?;
    Ok(n - rank(n, matrix)?)
}

/// Section 5: ρ^π is independent of the start state, for one policy: it has one recurrent class.
pub fn validate_unichain_policy<T: Field>(mdp: &Mdp<T>, policy: &[T], scratch: &mut [T]) -> Result<()> {
    match recurrent_classes(mdp, policy, scratch)? {
        1 => Ok(()),
        _ => Err(Error::NotUnichain { policy: None }),
    }
}

/// Asm 5.1, for it: ρ^π is independent of the start state (Section 5), for every policy; the error names the first deterministic policy
/// that breaks it. |A|^|X| ranks: for small models.
pub fn validate_unichain<T: Field>(mdp: &Mdp<T>, scratch: &mut [T]) -> Result<()> {
    for code in 0..deterministic_policies(mdp.states(), mdp.actions())? {
        let mut rest = &mut *scratch;
        let policy = decode_policy(mdp.states(), mdp.actions(), code, &mut rest)?;
        if recurrent_classes(mdp, policy, rest)? != 1 {
            return Err(Error::NotUnichain { policy: Some(code) });
        }
    }
    Ok(())
}

/// Asm 5.1, `ass:boundedQ`: ‖q^π‖_sp for one policy.
pub fn policy_span<T: Field>(mdp: &Mdp<T>, policy: &[T], mut scratch: &mut [T]) -> Result<T> {
    let (gain, v) = relative_value(mdp, policy, &mut scratch)?;
    span_seminorm(action_value(mdp, &gain, v, &mut scratch)?)
}

/// Asm 5.1, `ass:boundedQ`: the least D_q, max_π ‖q^π‖_sp over all stationary policies, from the deterministic ones.
/// |A|^|X| solves: for small models.
///
/// # Deviation
/// Section 5 prints ‖q^π‖_sp < D_q, Appendix C ‖q^π‖_sp ≤ D_q; this is the least D_q of the second.
pub fn span_bound<T: Field>(mdp: &Mdp<T>, scratch: &mut [T]) -> Result<T> {
    let mut bound = T::zero();
    for code in 0..deterministic_policies(mdp.states(), mdp.actions())? {
        let mut rest = &mut *scratch;
        let policy = decode_policy(mdp.states(), mdp.actions(), code, &mut rest)?;
        let span = policy_span(mdp, policy, rest).map_err(|error| match error {
            Error::NotUnichain { .. } => Error::NotUnichain { policy: Some(code) },
            other => other,
        })?;
        if span > bound {
            bound = span;
        }
    }
    Ok(bound)
}

/// |A|^|X|, the number of deterministic policies.
pub fn deterministic_policies(states: usize, actions: usize) -> Result<usize> {
    u32::try_from(states).ok().and_then(|states| actions.checked_pow(states)).ok_or(Error::OutOfRange {
        what: "number of deterministic policies",
        index: Error::SCALAR,
        expected: "|A|^|X| that fits a machine word",
    })
}

/// Deterministic policy number `code`: state x takes digit x of `code` in base |A|, state 0 the lowest.
pub fn decode_policy<'s, T: Field>(
    states: usize,
    actions: usize,
    code: usize,
    scratch: &mut &'s mut [T],
) -> Result<&'s mut [T]> {
    expect_some("actions", actions)?;
    let count = deterministic_policies(states, actions)?;
    if code >= count {
        return Err(Error::Index { what: "policy code", index: code, below: count });
    }
    // x < |X| and |A|^|X| fits, so the power fits.
    let digit = |x: usize| code / (0..x).fold(1, |power, _| power * actions) % actions;
    deterministic_policy(states, actions, digit, scratch)
}
