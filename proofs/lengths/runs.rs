//! Algorithms 1 and 2: buffers, weights and starts of wrong lengths, states of another shape, samples beyond the features.

use super::super::library::error::Result;
use super::super::library::number::Real;
use super::super::library::paper::average_reward::algorithm as second;
use super::super::library::paper::discounted::algorithm as first;
use super::super::library::paper::lines::AsCorrected;
use super::super::library::paper::output::OutputPolicy;
use super::super::library::paper::samples::{FeatureTable, Sample};
use super::{Calls, done};

/// More than a state of either algorithm needs with 3 actions and 3 features.
const BUFFER: usize = 40;

fn first_rates<T: Copy>(n: T) -> first::Parameters<T> {
    first::Parameters { discount: n, alpha: n, eta: n, zeta: n, radius_theta: n, radius_beta: n, inner: 2 }
}

fn second_rates<T: Copy>(n: T, inner: usize) -> second::Parameters<T> {
    second::Parameters { alpha: n, eta: n, zeta: n, xi: n, radius_theta: n, radius_beta: n, inner }
}

/// Algorithm 1 before its first step, and what watches it.
pub fn first_start<T: Real + Copy>(calls: &Calls<T>, features: &FeatureTable<T>, shape: [usize; 3]) -> bool {
    let ([_, actions, dim], n) = (shape, calls.number);
    let rates = first_rates(n);
    let Ok(algorithm) = first::Algorithm::new(features, None, &rates) else { return false };
    calls.scratch([], |[], s| first::State::new(actions, dim, s).map(done))
        && calls.exact([dim * dim], |[w]| first::Algorithm::new(features, Some(w), &rates).map(done))
        && calls.exact([dim, dim], |[theta, beta]| {
            algorithm.start_at(&mut first::State::new(actions, dim, &mut [n; BUFFER])?, theta, beta)
        })
        && calls.exact([actions, dim], |[a, d]| {
            algorithm.begin_outer(
                &mut AsCorrected,
                &mut first::State::new(a.len(), d.len(), &mut [n; BUFFER])?,
                &mut (),
            )
        })
        && calls.lengths(
            |length| length == dim,
            |out| {
                let mut output = OutputPolicy::new(1, out)?;
                algorithm.begin_outer(
                    &mut AsCorrected,
                    &mut first::State::new(actions, dim, &mut [n; BUFFER])?,
                    &mut output,
                )?;
                output.theta_sum().map(done)
            },
        )
}

/// Algorithm 1 with K = 2.
pub fn first_algorithm<T: Real + Copy>(n: T, features: &FeatureTable<T>, shape: [usize; 3]) -> bool {
    let ([states, actions, dim], rates) = (shape, first_rates(n));
    let Ok(algorithm) = first::Algorithm::new(features, None, &rates) else { return false };
    samples(n, states, actions, true, |sample| {
        let mut buffer = [n; BUFFER];
        algorithm.run(&mut first::State::new(actions, dim, &mut buffer)?, 1, [sample; 2], &mut ())
    })
}

/// Algorithm 2 before its first step, and what watches it; a K whose successor is no number.
pub fn second_start<T: Real + Copy>(calls: &Calls<T>, features: &FeatureTable<T>, shape: [usize; 3]) -> bool {
    let ([_, actions, dim], n) = (shape, calls.number);
    let (rates, endless) = (second_rates(n, 1), second_rates(n, usize::MAX));
    let Ok(algorithm) = second::Algorithm::new(features, None, &rates) else { return false };
    let Ok(waiting) = second::Algorithm::new(features, None, &endless) else { return false };
    let origin = Sample { x0: 0, x: 0, a: 0, r: n, x_next: 0, u: n };
    calls.scratch([], |[], s| second::State::new(actions, dim, s).map(done))
        && calls.exact([dim * dim], |[w]| second::Algorithm::new(features, Some(w), &rates).map(done))
        && calls.exact([dim, dim], |[theta, beta]| {
            algorithm.start_at(&mut second::State::new(actions, dim, &mut [n; BUFFER])?, theta, n, beta)
        })
        && calls.exact([actions, dim], |[a, d]| {
            algorithm.begin_outer(
                &mut AsCorrected,
                &mut second::State::new(a.len(), d.len(), &mut [n; BUFFER])?,
                &mut (),
            )
        })
        && second::State::new(actions, dim, &mut [n; BUFFER])
            .and_then(|mut state| waiting.inner_step(&mut AsCorrected, &mut state, &origin, &mut ()))
            .is_err()
        && calls.lengths(
            |length| length == dim,
            |out| {
                let mut output = OutputPolicy::new(1, out)?;
                algorithm.begin_outer(
                    &mut AsCorrected,
                    &mut second::State::new(actions, dim, &mut [n; BUFFER])?,
                    &mut output,
                )?;
                output.theta_sum().map(done)
            },
        )
}

/// Algorithm 2 with K = 1.
pub fn second_algorithm<T: Real + Copy>(n: T, features: &FeatureTable<T>, shape: [usize; 3]) -> bool {
    let ([states, actions, dim], rates) = (shape, second_rates(n, 1));
    let Ok(algorithm) = second::Algorithm::new(features, None, &rates) else { return false };
    samples(n, states, actions, false, |sample| {
        let mut buffer = [n; BUFFER];
        algorithm.run(&mut second::State::new(actions, dim, &mut buffer)?, 1, [sample; 2], &mut ())
    })
}

/// Whether `run` is refused exactly where a state or an action is beyond the features; `starts`: X⁰ is read.
fn samples<T: Copy>(n: T, states: usize, actions: usize, starts: bool, run: impl Fn(Sample<T>) -> Result<()>) -> bool {
    [0, states - 1, states, usize::MAX].into_iter().all(|beyond| {
        let origin = Sample { x0: 0, x: 0, a: 0, r: n, x_next: 0, u: n };
        run(Sample { x: beyond, ..origin }).is_ok() == (beyond < states)
            && run(Sample { x_next: beyond, ..origin }).is_ok() == (beyond < states)
            && run(Sample { a: beyond, ..origin }).is_ok() == (beyond < actions)
            && run(Sample { x0: beyond, ..origin }).is_ok() == (beyond < states || !starts)
    })
}
