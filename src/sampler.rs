//! Data sets drawn from a model, from a seed, the same on every machine (std).

use crate::error::{Result, expect_len, expect_some};
use crate::linear::vector::inner;
use crate::number::Field;
use crate::paper::average_reward::values::occupancy as stationary_occupancy;
use crate::paper::mdp::{Mdp, Shape, occupancy, valid_distributions, validate_policy};
use crate::paper::samples::Sample;
use crate::routes::Structure;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// Where every random number comes from, for the records of a run.
pub const GENERATOR: &str =
    "ChaCha8, key = seed as 8 little-endian bytes and 24 zero bytes, uniform = (next_u64 >> 11) / 2^53";

/// A stream of uniform numbers, from any generator of `rand`'s; [`Uniforms::new`] is the portable one of [`GENERATOR`].
#[derive(Debug, Clone)]
pub struct Uniforms<G = ChaCha8Rng>(pub G);

impl Uniforms {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }
}

impl<G: Rng> Uniforms<G> {
    /// The next number: a multiple of 2⁻⁵³ in [0, 1).
    pub fn unit(&mut self) -> f64 {
        #[allow(clippy::cast_precision_loss)] // 53 bits fit
        let numerator = (self.0.next_u64() >> 11) as f64;
        numerator / 9_007_199_254_740_992.0
    }

    /// J uniform on 1 … T, for the output policy π_J: 1 + ⌊uT⌋, off from uniform by at most T·2⁻⁵³.
    pub fn output_index(&mut self, outer: usize) -> Result<usize> {
        expect_some("outer", outer)?;
        // Below T, rounded as it is: u ≤ 1 − 2⁻⁵³, so uT is at least half of T's last place below T.
        Ok((self.unit() * outer as f64) as usize + 1)
    }
}

/// A distribution as its cumulative sums.
#[derive(Debug, Clone)]
struct Cumulative(Vec<f64>);

impl Cumulative {
    fn new(probabilities: impl IntoIterator<Item = f64>) -> Self {
        let add = |sum: &mut f64, p: f64| {
            *sum += p;
            Some(*sum)
        };
        Self(probabilities.into_iter().scan(0.0, add).collect())
    }

    fn of(probabilities: &[f64]) -> Self {
        Self::new(probabilities.iter().copied())
    }

    /// The first index whose cumulative probability exceeds u; where rounding leaves the total at or below u, the first
    /// index that reaches the total.
    fn draw(&self, u: f64) -> usize {
        let (sums, n) = (&self.0, self.0.len());
        let first = first_beyond(n, |i| sums[i] > u);
        if first < n { first } else { first_beyond(n, |i| sums[i] >= sums[n - 1]) }
    }
}

/// An occupancy as it was solved, where that is a distribution as far as [`valid_distributions`] looks; else divided by its sum, what is below
/// 0 by rounding being 0. For γ near 1 a solve in doubles is off by 1/(1−γ) roundings, the check allows for those of one addition each.
/// What is off by more than 10⁻⁶ is left for the check to refuse.
pub(crate) fn as_distribution<T: Field>(mu: Vec<T>) -> Vec<T> {
    if valid_distributions("mu_B", mu.len(), &mu).is_ok() {
        return mu;
    }
    let (zero, off) = (T::zero(), T::ratio(1, 1_000_000));
    let clamped = |p: &T| if *p < zero && p.abs() <= off { T::zero() } else { p.clone() };
    let total = mu.iter().fold(T::zero(), |sum, p| sum + clamped(p));
    if (total.clone() - T::one()).abs() > off { mu } else { mu.iter().map(|p| clamped(p) / &total).collect() }
}

/// An endless stream of observations, from any generator of `rand`'s ([`Sampler::with_generator`]).
#[derive(Debug, Clone)]
pub struct Sampler<G = ChaCha8Rng> {
    actions: usize,
    uniforms: Uniforms<G>,
    initial: Cumulative,
    next: Next,
    reward: Vec<f64>,
    source: Source,
}

/// Where X' comes from.
#[derive(Debug, Clone)]
enum Next {
    /// From p(·|x, a), which is written down.
    Table(Vec<Cumulative>),
    /// From ⟨φ(x,a), ψ(·)⟩: Σ_{y ≤ x'} p(y|x, a) = ⟨φ(x,a), Σ_{y ≤ x'} ψ(y)⟩, found by halving.
    Features { dim: usize, features: Vec<f64>, cumulative: Vec<f64> },
}

/// Up to this many numbers P is written down.
const TABLE: usize = 1 << 22;

impl Next {
    fn of(model: &Structure<'_, f64>) -> Self {
        let entries = model.shape().pairs().saturating_mul(model.shape().states);
        if entries <= TABLE { Self::table(model) } else { Self::features(model) }
    }

    fn table(model: &Structure<'_, f64>) -> Self {
        let Shape { states, dim, .. } = model.shape();
        let psi = |x: usize| &model.mdp().psi()[x * dim..(x + 1) * dim];
        let row = |pair| Cumulative::new((0..states).map(|x| model.phi().dot(pair, psi(x))));
        Self::Table((0..model.shape().pairs()).map(row).collect())
    }

    fn features(model: &Structure<'_, f64>) -> Self {
        let (dim, mut cumulative) = (model.shape().dim, model.mdp().psi().to_vec());
        for i in dim..cumulative.len() {
            cumulative[i] += cumulative[i - dim];
        }
        Self::Features { dim, features: model.mdp().features().to_vec(), cumulative }
    }

    fn draw(&self, pair: usize, u: f64) -> usize {
        match self {
            Self::Table(rows) => rows[pair].draw(u),
            Self::Features { dim, features, cumulative } => {
                let phi = &features[pair * dim..(pair + 1) * dim];
                let states = cumulative.len() / dim;
                let up_to = |x: usize| inner(phi, &cumulative[x * dim..(x + 1) * dim]);
                let first = first_beyond(states, |x| up_to(x) > u);
                if first < states { first } else { first_beyond(states, |x| up_to(x) >= up_to(states - 1)) }
            }
        }
    }
}

/// The first x below n where a property holds that holds from there on; n where there is none.
fn first_beyond(n: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// Where (X, A) comes from.
#[derive(Debug, Clone)]
enum Source {
    /// Independently from μ_B.
    Independent(Cumulative),
    /// From one walk under π_B, now in this state.
    Trajectory(Vec<Cumulative>, usize),
}

impl Sampler {
    /// Section 3's data: X⁰ ~ ν₀, (X, A) ~ μ_B, the discounted occupancy of the behaviour policy, X' ~ p(·|X, A), R = r(X, A),
    /// all rows independent.
    pub fn discounted(mdp: &Mdp<f64>, behavior: &[f64], seed: u64) -> Result<Self> {
        mdp.validate()?;
        validate_policy(mdp.states(), mdp.actions(), behavior)?;
        let mu = occupancy(mdp, behavior, &mut &mut room(mdp)[..])?.to_vec();
        Self::independent(mdp, &as_distribution(mu), seed)
    }

    /// Appendix C's data: (X, A) ~ μ_B, the stationary occupancy of the behaviour policy. `mdp` may have any γ.
    pub fn stationary(mdp: &Mdp<f64>, behavior: &[f64], seed: u64) -> Result<Self> {
        mdp.validate()?;
        validate_policy(mdp.states(), mdp.actions(), behavior)?;
        let mu = stationary_occupancy(mdp, behavior, &mut &mut room(mdp)[..])?.to_vec();
        Self::independent(mdp, &as_distribution(mu), seed)
    }

    /// Independent rows with (X, A) ~ `mu`, any distribution on X×A.
    pub fn independent(mdp: &Mdp<f64>, mu: &[f64], seed: u64) -> Result<Self> {
        expect_len("mu_B", mdp.pairs(), mu.len())?;
        valid_distributions("mu_B", mdp.pairs(), mu)?;
        Self::new(mdp, Source::Independent(Cumulative::of(mu)), seed)
    }

    /// The same for a linear MDP that was validated, without writing down P where that is long.
    pub fn of_structure(model: &Structure<'_, f64>, mu: &[f64], seed: u64) -> Result<Self> {
        expect_len("mu_B", model.shape().pairs(), mu.len())?;
        valid_distributions("mu_B", mu.len(), mu)?;
        Ok(Self {
            actions: model.shape().actions,
            uniforms: Uniforms::new(seed),
            initial: Cumulative::of(model.mdp().initial()),
            next: Next::of(model),
            reward: model.reward(),
            source: Source::Independent(Cumulative::of(mu)),
        })
    }

    /// **Outside the theory**: the rows are the steps of one walk under π_B from X_1 ~ ν₀, so they are not independent and
    /// (X, A) does not have the law μ_B that the theorems ask for. X⁰ is drawn afresh for every row.
    pub fn trajectory(mdp: &Mdp<f64>, behavior: &[f64], seed: u64) -> Result<Self> {
        validate_policy(mdp.states(), mdp.actions(), behavior)?;
        let policies = behavior.chunks_exact(mdp.actions()).map(Cumulative::of).collect();
        let mut sampler = Self::new(mdp, Source::Trajectory(policies, 0), seed)?;
        let start = sampler.initial.draw(sampler.uniforms.unit());
        if let Source::Trajectory(_, state) = &mut sampler.source {
            *state = start;
        }
        Ok(sampler)
    }

    fn new(mdp: &Mdp<f64>, source: Source, seed: u64) -> Result<Self> {
        mdp.validate()?;
        Ok(Self {
            actions: mdp.actions(),
            uniforms: Uniforms::new(seed),
            initial: Cumulative::of(mdp.initial()),
            next: Next::Table(mdp.transition().chunks_exact(mdp.states()).map(Cumulative::of).collect()),
            reward: mdp.reward().to_vec(),
            source,
        })
    }

    /// The same law, with the numbers of another generator.
    #[must_use]
    pub fn with_generator<G: Rng>(self, generator: G) -> Sampler<G> {
        let Self { actions, uniforms: _, initial, next, reward, source } = self;
        Sampler { actions, uniforms: Uniforms(generator), initial, next, reward, source }
    }
}

fn room(mdp: &Mdp<f64>) -> Vec<f64> {
    vec![0.0; Shape { states: mdp.states(), actions: mdp.actions(), dim: 1 }.scratch()]
}

impl<G: Rng> Iterator for Sampler<G> {
    type Item = Sample<f64>;

    /// Four uniforms per row, in this order: X⁰, (X, A) (on a trajectory: A), X', u.
    fn next(&mut self) -> Option<Sample<f64>> {
        let x0 = self.initial.draw(self.uniforms.unit());
        let draw = self.uniforms.unit();
        let pair = match &self.source {
            Source::Independent(mu) => mu.draw(draw),
            Source::Trajectory(policies, x) => x * self.actions + policies[*x].draw(draw),
        };
        let x_next = self.next.draw(pair, self.uniforms.unit());
        if let Source::Trajectory(_, x) = &mut self.source {
            *x = x_next;
        }
        let (x, a) = (pair / self.actions, pair % self.actions);
        Some(Sample { x0, x, a, r: self.reward[pair], x_next, u: self.uniforms.unit() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a model of eighths, where both ways have the same sums: at every sixteenth, and at the sums' own places; all mass before the last
    /// state, so that the end of the row is not the end of the mass.
    #[test]
    fn draws_by_features_are_draws_by_the_table() {
        let shape = Shape { states: 4, actions: 1, dim: 2 };
        let (features, omega, initial, discount) =
            ([1.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.25, 0.75], [0.0; 2], [0.25; 4], 0.5);
        let psi = [0.5, 0.125, 0.0, 0.5, 0.5, 0.375, 0.0, 0.0];
        let mdp =
            crate::paper::mdp::LinearMdp::unvalidated(shape, &features, &omega, &psi, &initial, &discount).unwrap();
        let model = Structure::new(mdp);
        let (table, halved) = (Next::table(&model), Next::features(&model));
        let mut drawn = [0; 4];
        for pair in 0..4 {
            let p = |x: usize| features[2 * pair] * psi[2 * x] + features[2 * pair + 1] * psi[2 * x + 1];
            for sixteenth in 0..=64 {
                let u = f64::from(sixteenth) / 64.0;
                // Plainly; at u = 1, which only rounding could make of the sums, the last state with mass.
                let mut sum = 0.0;
                let reached = (0..4).find(|x| {
                    sum += p(*x);
                    sum > u
                });
                let expected = reached.unwrap_or(2);
                assert_eq!((table.draw(pair, u), halved.draw(pair, u)), (expected, expected), "{pair} {u}");
                drawn[expected] += 1;
            }
        }
        assert!(drawn[..3].iter().all(|count| *count > 20) && drawn[3] == 0, "{drawn:?}");
        assert!(matches!(Next::of(&model), Next::Table(_)));
    }

    /// Ten tenths sum to less than 1: a u beyond the sum is the last index that has mass, not one after it.
    #[test]
    fn what_rounding_leaves_is_the_last_that_has_mass() {
        let mut tenths = vec![0.1; 10];
        tenths.extend([0.0, 0.0]);
        let sums = Cumulative::of(&tenths);
        assert_eq!((sums.draw(1.0), sums.draw(0.05), sums.draw(0.95)), (9, 0, 9));
    }

    /// The greatest u, for T of every size: J ≤ T.
    #[test]
    fn an_output_index_is_at_most_t() {
        struct Ones;
        impl rand::TryRng for Ones {
            type Error = core::convert::Infallible;
            fn try_next_u32(&mut self) -> core::result::Result<u32, Self::Error> {
                Ok(u32::MAX)
            }
            fn try_next_u64(&mut self) -> core::result::Result<u64, Self::Error> {
                Ok(u64::MAX)
            }
            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> core::result::Result<(), Self::Error> {
                bytes.fill(0xff);
                Ok(())
            }
        }
        let greatest = |outer| Uniforms(Ones).output_index(outer).unwrap();
        for bits in 0..64 {
            for near in [-3, -2, -1, 0, 1, 2, 3] {
                if let Some(outer) = (1_usize << bits).checked_add_signed(near).filter(|outer| *outer > 0) {
                    let found = greatest(outer);
                    assert!(found <= outer && (outer > 1 << 53 || found == outer), "{found} of {outer}");
                }
            }
        }
        assert!(greatest(usize::MAX) < usize::MAX);
    }
}
