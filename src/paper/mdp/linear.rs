//! Definition 2.1, `def:linMDP`: linear MDPs, and (3): linear action values.

use super::{Mdp, Shape, valid_discount, valid_distributions, valid_rewards};
use crate::error::{Error, Result, expect_len, expect_table};
use crate::linear::solve::{rank, solve_named};
use crate::linear::vector::{add_rank_one, add_scaled, all_finite, finite, inner, multiply_transposed, take};
use crate::number::{Field, Real};

/// Def 2.1, `def:linMDP`: r(x, a) = ⟨φ(x,a), ω⟩ and p(x'|x, a) = ⟨φ(x,a), ψ(x')⟩. Borrowed; shapes are checked, contents are
/// not: see [`LinearMdp::validate`].
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
    /// of d), `initial` is ν₀ and `discount` is γ; the average-reward setting reads neither of the last two.
    pub fn new(
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

    /// φ(x, a).
    #[must_use]
    pub fn feature(&self, x: usize, a: usize) -> &'a [T] {
        let row = self.shape.pair(x, a) * self.shape.dim;
        &self.features[row..row + self.shape.dim]
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
    pub fn reward(&self, out: &mut [T]) -> Result<()> {
        expect_len("reward", self.shape.pairs(), out.len())?;
        for (row, entry) in self.features.chunks_exact(self.shape.dim).zip(out.iter_mut()) {
            *entry = inner(row, self.omega);
        }
        all_finite("reward", out)
    }

    /// P = ΦΨ.
    pub fn transition(&self, out: &mut [T]) -> Result<()> {
        let Shape { states, dim, .. } = self.shape;
        expect_table("transition", self.shape.pairs(), states, out.len())?;
        for (phi, row) in self.features.chunks_exact(dim).zip(out.chunks_exact_mut(states)) {
            for (psi, entry) in self.psi.chunks_exact(dim).zip(row) {
                *entry = inner(phi, psi);
            }
        }
        all_finite("transition", out)
    }

    /// The tabular MDP (ΦΨ, Φω), written into the caller's buffers.
    pub fn tabulate<'b>(&self, reward: &'b mut [T], transition: &'b mut [T]) -> Result<Mdp<'b, T>>
    where
        'a: 'b,
    {
        self.reward(reward)?;
        self.transition(transition)?;
        Mdp::new(self.shape.states, self.shape.actions, reward, transition, self.initial, self.discount)
    }

    /// Def 2.1, validated; the first violated condition is named: γ ∈ [0, 1), ν₀ and the rows of ΦΨ distributions,
    /// Φω ∈ [0, 1], Φ of full column rank.
    pub fn validate(&self, scratch: &mut [T]) -> Result<()> {
        valid_discount(self.discount)?;
        valid_distributions("initial", self.shape.states, self.initial)?;
        self.validate_undiscounted(scratch)
    }

    /// [`LinearMdp::validate`] without the conditions on γ and ν₀, and with Assumption 5.2 added when the average-reward
    /// setting asks for it through [`ones_coefficients`].
    pub fn validate_undiscounted(&self, mut scratch: &mut [T]) -> Result<()> {
        for (what, numbers) in [("features", self.features), ("omega", self.omega), ("psi", self.psi)] {
            all_finite(what, numbers)?;
        }
        let Shape { states, dim, .. } = self.shape;
        {
            let mut room = &mut *scratch;
            let reward = take(&mut room, self.shape.pairs())?;
            self.reward(reward)?;
            valid_rewards(reward)?;
            let transition = take(&mut room, self.shape.pairs() * states)?;
            self.transition(transition)?;
            valid_distributions("transition", states, transition)?;
        }
        let copy = take(&mut scratch, self.features.len())?;
        copy.clone_from_slice(self.features);
        match rank(dim, copy)? {
            found if found < dim => Err(Error::RankDeficient { rank: found, dim }),
            _ => Ok(()),
        }
    }

    /// Φᵀμ.
    pub fn mean_feature(&self, mu: &[T], out: &mut [T]) -> Result<()> {
        expect_len("mu", self.shape.pairs(), mu.len())?;
        expect_len("Φᵀμ", self.shape.dim, out.len())?;
        multiply_transposed(self.features, mu, out);
        all_finite("Φᵀμ", out)
    }

    /// Φθ.
    pub fn linear_function(&self, theta: &[T], out: &mut [T]) -> Result<()> {
        expect_len("theta", self.shape.dim, theta.len())?;
        expect_len("Φθ", self.shape.pairs(), out.len())?;
        for (row, entry) in self.features.chunks_exact(self.shape.dim).zip(out.iter_mut()) {
            *entry = inner(row, theta);
        }
        all_finite("Φθ", out)
    }

    /// Ψv = Σ_x ψ(x) v(x).
    pub fn psi_times(&self, v: &[T], out: &mut [T]) -> Result<()> {
        expect_len("v", self.shape.states, v.len())?;
        expect_len("Ψv", self.shape.dim, out.len())?;
        multiply_transposed(self.psi, v, out);
        all_finite("Ψv", out)
    }

    /// Ψᵀλ: ⟨ψ(x), λ⟩ for every x.
    pub fn psi_transposed_times(&self, lambda: &[T], out: &mut [T]) -> Result<()> {
        expect_len("lambda", self.shape.dim, lambda.len())?;
        expect_len("Ψᵀλ", self.shape.states, out.len())?;
        for (row, entry) in self.psi.chunks_exact(self.shape.dim).zip(out.iter_mut()) {
            *entry = inner(row, lambda);
        }
        all_finite("Ψᵀλ", out)
    }
}

/// (3), `eq:linear-q`: θ^π = ω + γΨv^π, so that q^π = Φθ^π.
///
/// # Deviation
/// Print omits γ here; erratum 8.
pub fn theta_of_value<T: Field>(mdp: &LinearMdp<T>, v: &[T], out: &mut [T]) -> Result<()> {
    mdp.psi_times(v, out)?;
    for (entry, omega) in out.iter_mut().zip(mdp.omega) {
        *entry = entry.clone() * mdp.discount + omega;
    }
    all_finite("θ^π", out)
}

/// Asm 5.2, `ass:Phi`: the ϱ with ⟨φ(x,a), ϱ⟩ = 1 for all (x, a), from the normal equations ΦᵀΦϱ = Φᵀ1, verified.
pub fn ones_coefficients<T: Field>(mdp: &LinearMdp<T>, out: &mut [T], mut scratch: &mut [T]) -> Result<()> {
    let dim = mdp.shape.dim;
    expect_len("ϱ", dim, out.len())?;
    all_finite("features", mdp.features)?;
    let gram = take(&mut scratch, dim * dim)?;
    gram.fill(T::zero());
    out.fill(T::zero());
    for phi in mdp.features.chunks_exact(dim) {
        add_rank_one(&T::one(), phi, gram);
        add_scaled(&T::one(), phi, out);
    }
    solve_named("ΦᵀΦ", dim, gram, out)?;
    // The normal equations square the condition number; in exact arithmetic the slack is zero.
    let slack = T::rounding(1 << 20);
    for phi in mdp.features.chunks_exact(dim) {
        if (inner(phi, out) - T::one()).abs() > slack {
            return Err(Error::OnesNotInSpan);
        }
    }
    Ok(())
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
    let signed = take(&mut scratch, dim)?;
    let absolute = take(&mut scratch, dim)?;
    signed.fill(T::zero());
    absolute.fill(T::zero());
    for row in mdp.psi.chunks_exact(dim) {
        for j in 0..dim {
            signed[j] = signed[j].clone() + &row[j];
            absolute[j] += row[j].abs();
        }
    }
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
