//! The output of both algorithms: π_J with J uniform on 1 … T, held as the one d-vector Σ_{i<J} θ_i.

use crate::error::{Error, Result, expect_len};
use crate::paper::average_reward::algorithm as average;
use crate::paper::discounted::algorithm as discounted;

/// Watches a run of either algorithm and keeps π_J as it passes. J comes from the caller: `sampler::Uniforms::output_index`
/// draws it, and J = T is the last policy. A probability is then [`crate::linear::softmax::policy_row`].
#[derive(Debug)]
pub struct OutputPolicy<'b, T> {
    index: usize,
    theta_sum: &'b mut [T],
    /// The length of the θ that passed at t = J.
    passed: Option<usize>,
}

impl<'b, T: Clone> OutputPolicy<'b, T> {
    /// Keeps π_J, J = `index` ≥ 1, in the caller's d numbers.
    pub fn new(index: usize, theta_sum: &'b mut [T]) -> Result<Self> {
        if index == 0 {
            return Err(Error::OutOfRange { what: "J", index, expected: "1 <= J <= T" });
        }
        Ok(Self { index, theta_sum, passed: None })
    }

    /// Σ_{i<J} θ_i; `Err` if the run has not come to t = J, or if its d is not the length of the caller's slice.
    pub fn theta_sum(&self) -> Result<&[T]> {
        let dim = self.passed.ok_or(Error::OutOfRange { what: "J", index: self.index, expected: "1 <= J <= T" })?;
        expect_len("output policy", dim, self.theta_sum.len())?;
        Ok(self.theta_sum)
    }

    fn pass(&mut self, t: usize, theta_sum: &[T]) {
        if t == self.index {
            self.passed = Some(theta_sum.len());
            if theta_sum.len() == self.theta_sum.len() {
                self.theta_sum.clone_from_slice(theta_sum);
            }
        }
    }
}

impl<T: Clone> discounted::Observer<T> for OutputPolicy<'_, T> {
    fn begin_outer(&mut self, t: usize, _theta: &[T], _beta: &[T], _weighted_beta: &[T], theta_sum: &[T]) {
        self.pass(t, theta_sum);
    }
}

impl<T: Clone> average::Observer<T> for OutputPolicy<'_, T> {
    fn begin_outer(&mut self, t: usize, _theta: &[T], _rho: &T, _beta: &[T], _weighted_beta: &[T], theta_sum: &[T]) {
        self.pass(t, theta_sum);
    }
}
