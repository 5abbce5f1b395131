//! Definition 2.1, `def:linMDP`: linear MDPs, and (3): linear action values.

use super::{Mdp, Shape, valid_discount, valid_distribution, valid_distributions, valid_reward};
use crate::error::{Error, Result, expect_len, expect_table};
use crate::linear::solve::{rank, solve_named};
use crate::linear::vector::{add_rank_one, add_scaled, all_finite, finite, inner, multiply_transposed, take};
use crate::number::{Field, Real};
use crate::paper::components::{copy, fill, finite_vector, vector};

/// Def 2.1, `def:linMDP`: r(x, a) = ⟨φ(x,a), ω⟩ and p(x'|x, a) = ⟨φ(x,a), ψ(x')⟩. Borrowed.
#[derive(Debug)]
pub struct LinearMdp<'a, T> {
    shape: Shape,
    features: &'a [T],
    omega: &'a [T],
    psi: &'a [T],
    initial: &'a [T],
    discount: &'a T,
}

impl<T> Clone for LinearMdp<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LinearMdp<'_, T> {}

impl<'a, T: Field> LinearMdp<'a, T> {
    /// `features` is Φ (|X||A| rows of d), `omega` is ω (d), `psi` has row ψ(x) for every x (so it is Ψᵀ, |X| rows
    /// of d), `initial` is ν₀ and `discount` is γ. Checked to be an MDP: γ ∈ [0, 1), ν₀ and the rows of ΦΨ distributions,
    /// Φω ∈ [0, 1]. That Φ has full column rank takes an elimination: [`LinearMdp::validate`].
    pub fn new(
        shape: Shape,
        features: &'a [T],
        omega: &'a [T],
        psi: &'a [T],
        initial: &'a [T],
        discount: &'a T,
    ) -> Result<Self> {
        let mdp = Self::unvalidated(shape, features, omega, psi, initial, discount)?;
        mdp.valid_start()?;
        mdp.valid_model()?;
        Ok(mdp)
    }

    /// [`LinearMdp::new`] with the lengths checked and nothing else: for the average-reward setting, which reads neither γ nor
    /// ν₀, and for what is no MDP.
    pub fn unvalidated(
        shape: Shape,
        features: &'a [T],
        omega: &'a [T],
        psi: &'a [T],
        initial: &'a [T],
        discount: &'a T,
    ) -> Result<Self> {
        let shape = Shape::new(shape.states, shape.actions, shape.dim)?;
        expect_table("features", shape.pairs(), shape.dim, features.len())?;
        expect_len("omega", shape.dim, omega.len())?;
        expect_table("psi", shape.states, shape.dim, psi.len())?;
        expect_len("initial", shape.states, initial.len())?;
        Ok(Self { shape, features, omega, psi, initial, discount })
    }

    /// |X|, |A|, d.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Φ.
    #[must_use]
    pub fn features(&self) -> &'a [T] {
        self.features
    }

    /// φ(x, a); `None` beyond |X| or |A|.
    #[must_use]
    pub fn feature(&self, x: usize, a: usize) -> Option<&'a [T]> {
        (x < self.shape.states && a < self.shape.actions).then(|| self.phi(self.shape.pair(x, a)))
    }

    /// φ(x, a) by the index of the pair.
    fn phi(&self, pair: usize) -> &'a [T] {
        &self.features[pair * self.shape.dim..][..self.shape.dim]
    }

    /// ψ(x).
    fn psi_of(&self, x: usize) -> &'a [T] {
        &self.psi[x * self.shape.dim..][..self.shape.dim]
    }

    /// ω.
    #[must_use]
    pub fn omega(&self) -> &'a [T] {
        self.omega
    }

    /// Ψᵀ: row x is ψ(x).
    #[must_use]
    pub fn psi(&self) -> &'a [T] {
        self.psi
    }

    /// ν₀.
    #[must_use]
    pub fn initial(&self) -> &'a [T] {
        self.initial
    }

    /// γ.
    #[must_use]
    pub fn discount(&self) -> &'a T {
        self.discount
    }

    /// r = Φω.
    pub fn reward<'s>(&self, scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        vector("reward", self.shape.pairs(), scratch, |pair| inner(self.phi(pair), self.omega))
    }

    /// P = ΦΨ.
    pub fn transition<'s>(&self, scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        let states = self.shape.states;
        vector("transition", self.shape.pairs() * states, scratch, |i| {
            inner(self.phi(i / states), self.psi_of(i % states))
        })
    }

    /// The tabular MDP (ΦΨ, Φω), in the caller's scratch.
    pub fn tabulate<'b, 's: 'b>(&self, scratch: &mut &'s mut [T]) -> Result<Mdp<'b, T>>
    where
        'a: 'b,
    {
        let reward = self.reward(scratch)?;
        let transition = self.transition(scratch)?;
        Mdp::unvalidated(self.shape.states, self.shape.actions, reward, transition, self.initial, self.discount)
    }

    /// Def 2.1, validated; the first violated condition is named: γ ∈ [0, 1), ν₀ and the rows of ΦΨ distributions,
    /// Φω ∈ [0, 1], Φ of full column rank.
    pub fn validate(&self, scratch: &mut [T]) -> Result<()> {
        self.valid_start()?;
        self.validate_undiscounted(scratch)
    }

    /// [`LinearMdp::validate`] without the conditions on γ and ν₀, and with Assumption 5.2 added when the average-reward
    /// setting asks for it through [`ones_coefficients`].
    pub fn validate_undiscounted(&self, mut scratch: &mut [T]) -> Result<()> {
        self.valid_model()?;
        let dim = self.shape.dim;
        match rank(dim, copy(self.features, &mut scratch)?)? {
            found if found < dim => Err(Error::RankDeficient { rank: found, dim }),
            _ => Ok(()),
        }
    }

    /// γ ∈ [0, 1), and ν₀ is a distribution.
    fn valid_start(&self) -> Result<()> {
        valid_discount(self.discount)?;
        valid_distributions("initial", self.shape.states, self.initial)
    }

    /// Φω ∈ [0, 1], and the rows of ΦΨ are distributions.
    fn valid_model(&self) -> Result<()> {
        for (what, numbers) in [("features", self.features), ("omega", self.omega), ("psi", self.psi)] {
            all_finite(what, numbers)?;
        }
        let mut features = self.features.chunks_exact(self.shape.dim).enumerate();
        features.clone().try_for_each(|(pair, phi)| valid_reward(pair, &inner(phi, self.omega)))?;
        features.try_for_each(|(pair, phi)| {
            valid_distribution("transition", pair, self.shape.states, |x| inner(phi, self.psi_of(x)))
        })
    }

    /// Φᵀμ.
    pub fn mean_feature<'s>(&self, mu: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        expect_len("mu", self.shape.pairs(), mu.len())?;
        let out = take(scratch, self.shape.dim)?;
        multiply_transposed(self.features, mu, out);
        finite_vector("Φᵀμ", out)
    }

    /// Φθ.
    pub fn linear_function<'s>(&self, theta: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        expect_len("theta", self.shape.dim, theta.len())?;
        vector("Φθ", self.shape.pairs(), scratch, |pair| inner(self.phi(pair), theta))
    }

    /// Ψv = Σ_x ψ(x) v(x).
    pub fn psi_times<'s>(&self, v: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        expect_len("v", self.shape.states, v.len())?;
        let out = take(scratch, self.shape.dim)?;
        multiply_transposed(self.psi, v, out);
        finite_vector("Ψv", out)
    }

    /// Ψᵀλ: ⟨ψ(x), λ⟩ for every x.
    pub fn psi_transposed_times<'s>(&self, lambda: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
        expect_len("lambda", self.shape.dim, lambda.len())?;
        vector("Ψᵀλ", self.shape.states, scratch, |x| inner(self.psi_of(x), lambda))
    }
}

/// (3), `eq:linear-q`: θ^π = ω + γΨv^π, so that q^π = Φθ^π.
///
/// # Deviation
/// Print omits γ here; erratum 8.
pub fn theta_of_value<'s, T: Field>(mdp: &LinearMdp<T>, v: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let out = take(scratch, mdp.shape.dim)?;
    let psi_v = mdp.psi_times(v, &mut &mut **scratch)?;
    fill("θ^π", out, |j| psi_v[j].clone() * mdp.discount + &mdp.omega[j])
}

/// Asm 5.2, `ass:Phi`: the ϱ with ⟨φ(x,a), ϱ⟩ = 1 for all (x, a), from the normal equations ΦᵀΦϱ = Φᵀ1, verified.
pub fn ones_coefficients<'s, T: Field>(mdp: &LinearMdp<T>, scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let dim = mdp.shape.dim;
    all_finite("features", mdp.features)?;
    let varrho = vector("ϱ", dim, scratch, |_| T::zero())?;
    let gram = vector("ΦᵀΦ", dim * dim, &mut &mut **scratch, |_| T::zero())?;
    for phi in mdp.features.chunks_exact(dim) {
        add_rank_one(&T::one(), phi, gram);
        add_scaled(&T::one(), phi, varrho);
    }
    solve_named("ΦᵀΦ", dim, gram, varrho)?;
    // The normal equations square the condition number; in exact arithmetic the slack is zero.
    let slack = T::rounding(1 << 20);
    for phi in mdp.features.chunks_exact(dim) {
        if (inner(phi, varrho) - T::one()).abs() > slack {
            return Err(Error::OnesNotInSpan);
        }
    }
    Ok(varrho)
}

/// Definition 2.1's D_φ², D_ω² and both readings of D_ψ², measured from a model. Squares, so that exact scalars
/// need no root.
#[derive(Debug, Clone, PartialEq)]
pub struct SquaredBounds<T> {
    /// max ‖φ(x,a)‖².
    pub phi: T,
    /// ‖ω‖².
    pub omega: T,
    /// ‖Σ_x ψ(x)‖², as print has it.
    pub psi_printed: T,
    /// ‖Σ_x |ψ(x)|‖², which makes D_θ a bound (erratum 3).
    pub psi: T,
}

/// Def 2.1, its norm bounds: the least constants a model satisfies.
pub fn squared_bounds<T: Field>(mdp: &LinearMdp<T>, mut scratch: &mut [T]) -> Result<SquaredBounds<T>> {
    let dim = mdp.shape.dim;
    let mut phi = T::zero();
    for row in mdp.features.chunks_exact(dim) {
        let size = finite("‖φ‖²", inner(row, row))?;
        if size > phi {
            phi = size;
        }
    }
    let column = |j: usize| mdp.psi.iter().skip(j).step_by(dim);
    let signed = vector("Σψ", dim, &mut scratch, |j| column(j).fold(T::zero(), |sum, psi| sum + psi))?;
    let absolute = vector("Σ|ψ|", dim, &mut scratch, |j| column(j).fold(T::zero(), |sum, psi| sum + psi.abs()))?;
    Ok(SquaredBounds {
        phi,
        omega: finite("‖ω‖²", inner(mdp.omega, mdp.omega))?,
        psi_printed: finite("‖Σψ‖²", inner(signed, signed))?,
        psi: finite("‖Σ|ψ|‖²", inner(absolute, absolute))?,
    })
}

/// (3), the bound below it: D_θ = D_ω + D_ψ/(1−γ), for whichever D_ψ is passed. With D_ψ ≥ ‖Σ_x |ψ(x)|‖ it bounds ‖θ^π‖ for every
/// policy; print's D_ψ ≥ ‖Σ_x ψ(x)‖ does not (erratum 3).
pub fn theta_bound<T: Real>(omega_bound: &T, psi_bound: &T, discount: &T) -> Result<T> {
    valid_discount(discount)?;
    finite("D_θ", psi_bound.clone() / (T::one() - discount) + omega_bound)
}
