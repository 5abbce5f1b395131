//! Enclosures: rigorous intervals for returns, the optimum and the ratios of coverage at O(|X||A|d) a policy.
//!
//! Doubles guess, intervals prove. Whatever v̂ is, v^π − v̂ = (I − γP_π)⁻¹(r_π + γP_πv̂ − v̂), so with ‖P_π‖_∞ ≤ 1 + δ
//! |v^π − v̂| ≤ ‖r_π + γP_πv̂ − v̂‖_∞ / (1 − γ(1 + δ)), and only the residual has to be computed carefully: in intervals rounded outward
//! ([`Outward`]), as Φ(ω + γΨv̂) − v̂, without P. The optimality residual max_a (r + γPv̂) − v̂ bounds |v* − v̂| likewise, because the
//! maximum is no farther apart than its arguments. For average rewards ρ^π lies between the least and the greatest entry
//! of r_π + P_πv̂ − v̂, which ν^π averages to ρ^π, and ρ* between those of the optimality residual.
//!
//! The model's numbers are taken as known to one rounding ([`Outward::near`]): what is proved holds for what the file says, whether it
//! says 1/3 or 0.333. δ is measured, so rows that sum to 1 up to rounding will do.

use super::{Structure, Symmetric};
use crate::error::{Error, Result, expect_len};
use crate::linear::vector::inner;
use crate::number::Field;
use crate::number::outward::Outward;
use crate::paper::mdp::{LinearMdp, Shape};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// A model whose numbers are intervals.
#[derive(Debug)]
pub struct Widened {
    shape: Shape,
    features: Vec<Outward>,
    omega: Vec<Outward>,
    psi: Vec<Outward>,
    initial: Vec<Outward>,
    discount: Outward,
}

impl Widened {
    /// What rounds to this model.
    #[must_use]
    pub fn of(mdp: &LinearMdp<f64>) -> Self {
        let near = |numbers: &[f64]| numbers.iter().map(|x| Outward::near(*x)).collect::<Vec<_>>();
        Self {
            shape: mdp.shape(),
            features: near(mdp.features()),
            omega: near(mdp.omega()),
            psi: near(mdp.psi()),
            initial: near(mdp.initial()),
            discount: Outward::near(*mdp.discount()),
        }
    }

    fn mdp(&self) -> Result<LinearMdp<'_, Outward>> {
        let Self { shape, features, omega, psi, initial, discount } = self;
        LinearMdp::unvalidated(*shape, features, omega, psi, initial, discount)
    }
}

/// A model, its doubles and its intervals.
#[derive(Debug)]
pub struct Enclosure<'a> {
    doubles: &'a Structure<'a, f64>,
    wide: Structure<'a, Outward>,
    /// ϱ, in the average-reward setting.
    varrho: Option<&'a [f64]>,
    /// γ(1 + δ) at most; 1 in the average-reward setting.
    contraction: f64,
}

/// μ^π: doubles, and how far from it they are at most, in sum.
#[derive(Debug, Clone)]
pub struct Occupancy {
    mu: Vec<f64>,
    radius: f64,
}

impl<'a> Enclosure<'a> {
    /// `varrho` says that the setting is that of average rewards. [`Error::OutOfRange`] where γ(1 + δ) < 1 cannot be shown.
    pub fn new(doubles: &'a Structure<'a, f64>, widened: &'a Widened, varrho: Option<&'a [f64]>) -> Result<Self> {
        let wide = Structure::new(widened.mdp()?);
        let (shape, given) = (doubles.shape(), wide.shape());
        expect_len("states", shape.states, given.states)?;
        expect_len("actions", shape.actions, given.actions)?;
        expect_len("components", shape.dim, given.dim)?;
        if let Some(varrho) = varrho {
            expect_len("ϱ", shape.dim, varrho.len())?;
        }
        let mut enclosure = Self { doubles, wide, varrho, contraction: 1.0 };
        if varrho.is_none() {
            let norm = enclosure.largest_row_sum();
            enclosure.contraction = (widened.discount * Outward::point(norm)).upper;
            if enclosure.contraction >= 1.0 || enclosure.contraction.is_nan() {
                let expected = "gamma (1 + delta) < 1, delta being what a row of |P| sums to above 1";
                return Err(Error::OutOfRange { what: "discount", index: Error::SCALAR, expected });
            }
        }
        Ok(enclosure)
    }

    /// At least ‖P‖_∞: a row's absolute sum is at most ⟨|φ|, Σ_y |ψ(y)|⟩, and equal to it where nothing is negative; elsewhere a model
    /// that was validated has been summed product by product before, and is again.
    fn largest_row_sum(&self) -> f64 {
        let (states, dim) = (self.wide.shape().states, self.wide.shape().dim);
        let numbers = self.wide.mdp().features().iter().chain(self.wide.mdp().psi());
        if numbers.into_iter().any(|entry| entry.lower < 0.0) {
            let psi = |x: usize| &self.wide.mdp().psi()[x * dim..(x + 1) * dim];
            let sum = |pair: usize| {
                (0..states).fold(Outward::zero(), |sum, x| sum + self.wide.phi().dot(pair, psi(x)).abs()).upper
            };
            let larger = |most: f64, sum: f64| if sum > most || sum.is_nan() { sum } else { most };
            return (0..self.wide.phi().len()).map(sum).fold(0.0, larger);
        }
        let mut total = vec![Outward::zero(); self.wide.shape().dim];
        for x in 0..self.wide.psi().len() {
            self.wide.psi().for_each(x, |j, psi| total[j] += psi.abs());
        }
        let mut largest = 0.0_f64;
        for pair in 0..self.wide.phi().len() {
            let mut sum = Outward::zero();
            self.wide.phi().for_each(pair, |j, phi| sum += phi.abs() * total[j]);
            largest = if sum.upper > largest || sum.upper.is_nan() { sum.upper } else { largest };
        }
        largest
    }

    /// π(·|x) divided by its sum, in intervals.
    fn normalised(&self, policy: &[f64]) -> Result<Vec<Outward>> {
        expect_len("policy", self.doubles.shape().pairs(), policy.len())?;
        let mut all = Vec::with_capacity(policy.len());
        for row in policy.chunks_exact(self.doubles.shape().actions) {
            let total = row.iter().fold(Outward::zero(), |sum, p| sum + Outward::point(*p));
            all.extend(row.iter().map(|p| Outward::point(*p) / total));
        }
        crate::linear::vector::all_finite("policy", &all).map(|()| all)
    }

    /// r + γPv̂ of every pair, without P.
    fn action_values(&self, v: &[f64]) -> Vec<Outward> {
        let points: Vec<Outward> = v.iter().map(|v| Outward::point(*v)).collect();
        if self.varrho.is_none() {
            return self.wide.linear_function(&self.wide.theta_of_value(&points));
        }
        let backup = self.wide.psi_times(&points).into_iter().zip(self.wide.mdp().omega());
        let theta: Vec<Outward> = backup.map(|(psi_v, omega)| psi_v + omega).collect();
        self.wide.linear_function(&theta)
    }

    /// The return, or gain, that v̂ with this backup encloses.
    fn enclosed(&self, v: &[f64], backup: impl Iterator<Item = Outward>) -> Result<Outward> {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for (backup, v) in backup.zip(v) {
            let residual = backup - Outward::point(*v);
            if !residual.is_valid() {
                return Err(Error::NotFinite { what: "residual", index: Error::SCALAR });
            }
            (least, greatest) = (least.min(residual.lower), greatest.max(residual.upper));
        }
        if self.varrho.is_some() {
            return Ok(Outward { lower: least, upper: greatest });
        }
        let rest = Outward::one() - self.wide.mdp().discount();
        let mass = self.wide.mdp().initial().iter().fold(Outward::zero(), |sum, p| sum + p.abs());
        let size = Outward::point(least).magnitude().max(greatest.abs());
        let radius = Outward::point(size) * mass * rest / (Outward::one() - Outward::point(self.contraction));
        let points: Vec<Outward> = v.iter().map(|v| Outward::point(*v)).collect();
        Ok((inner(self.wide.mdp().initial(), &points) * rest).widened(radius.magnitude()))
    }

    /// ρ(π), or the gain ρ^π, of the policy with these probabilities divided by their sums.
    pub fn return_of(&self, policy: &[f64]) -> Result<Outward> {
        let exact = self.normalised(policy)?;
        let v = match self.varrho {
            None => self.doubles.state_value(policy)?,
            Some(varrho) => self.doubles.gain_of_policy(varrho, policy)?.v,
        };
        let q = self.action_values(&v);
        let actions = self.doubles.shape().actions;
        let backup = exact.chunks_exact(actions).zip(q.chunks_exact(actions)).map(|(policy, q)| inner(policy, q));
        self.enclosed(&v, backup)
    }

    /// ρ*, from v̂ = v^π in doubles for a π that should be optimal.
    pub fn optimum(&self, policy: &[f64]) -> Result<Outward> {
        let v = match self.varrho {
            None => self.doubles.state_value(policy)?,
            Some(varrho) => self.doubles.gain_of_policy(varrho, policy)?.v,
        };
        let q = self.action_values(&v);
        let best = |row: &[Outward]| row[1..].iter().fold(row[0], |best, q| best.max(*q));
        self.enclosed(&v, q.chunks_exact(self.doubles.shape().actions).map(best))
    }

    /// μ^π in the discounted setting: whatever ν̂ is, ‖ν^π − ν̂‖₁ ≤ ‖(1−γ)ν₀ + γP_πᵀν̂ − ν̂‖₁ / (1 − γ(1 + δ)), the residual being
    /// (1−γ)ν₀ + γΨᵀ(Φ_πᵀν̂) − ν̂. π is known to one rounding, as the model is. The average-reward setting has no such bound: [`Error::OutOfRange`].
    pub fn occupancy(&self, policy: &[f64]) -> Result<Occupancy> {
        if self.varrho.is_some() {
            let expected = "the discounted setting, to bound an occupancy measure by its residual";
            return Err(Error::OutOfRange { what: "setting", index: Error::SCALAR, expected });
        }
        expect_len("policy", self.doubles.shape().pairs(), policy.len())?;
        let exact: Vec<Outward> = policy.iter().map(|p| Outward::near(*p)).collect();
        let actions = self.doubles.shape().actions;
        let reached = self.reached(policy);
        // What is never reached is 0 in truth; what is reached stays above 0, whatever rounding did.
        let least = |(nu, reached): (f64, &bool)| if *reached { nu.max(f64::MIN_POSITIVE) } else { 0.0 };
        let nu: Vec<f64> = self.doubles.state_occupancy(policy)?.into_iter().zip(&reached).map(least).collect();
        let mu = super::compose(actions, policy, &nu)?;
        let radius = self.distance(&exact, &nu, &mu);
        crate::linear::vector::finite("radius", radius).map(|radius| Occupancy { mu, radius })
    }

    /// How far μ̂ is from μ^π in sum, at most, ν̂ being a guess of ν^π: Σ|μ̂ − πν| ≤ Σ|μ̂ − πν̂| + Σ|ν̂ − ν|.
    fn distance(&self, policy: &[Outward], nu: &[f64], mu: &[f64]) -> f64 {
        let nu: Vec<Outward> = nu.iter().map(|nu| Outward::point(*nu)).collect();
        let arriving = self.wide.arriving(&self.wide.mean_feature(policy, &nu));
        let residual = total(arriving.iter().zip(&nu).map(|(arriving, nu)| (*arriving - *nu).abs()));
        let far = residual / (Outward::one() - Outward::point(self.contraction));
        let actions = self.doubles.shape().actions;
        let moved = policy.iter().zip(mu).enumerate();
        let moved = moved.map(|(pair, (p, mu))| (*p * nu[pair / actions] - Outward::point(*mu)).abs());
        (total(moved) + far).upper
    }

    /// The states that π may reach: from x to the features of its actions, from a feature to the states whose ψ has it.
    fn reached(&self, policy: &[f64]) -> Vec<bool> {
        let Shape { states, actions, dim } = self.doubles.shape();
        let mut reached: Vec<bool> = self.doubles.mdp().initial().iter().map(|p| *p != 0.0).collect();
        let mut queue: Vec<usize> = (0..states).filter(|x| reached[*x]).collect();
        let mut seen = vec![false; dim];
        while let Some(x) = queue.pop() {
            for pair in (x * actions..(x + 1) * actions).filter(|pair| policy[*pair] != 0.0) {
                let mut fresh = Vec::new();
                self.doubles.phi().for_each(pair, |j, phi| {
                    if *phi != 0.0 && !std::mem::replace(&mut seen[j], true) {
                        fresh.push(j);
                    }
                });
                for j in fresh {
                    let arrivals = self.doubles.mdp().psi().iter().skip(j).step_by(dim);
                    for (y, _) in arrivals.enumerate().filter(|(_, psi)| **psi != 0.0) {
                        if !std::mem::replace(&mut reached[y], true) {
                            queue.push(y);
                        }
                    }
                }
            }
        }
        reached
    }

    /// Φᵀμ and Σμφφᵀ in intervals: those of the doubles, exactly, and what the radius adds to an entry that any pair sees.
    fn moments(&self, occupancy: &Occupancy) -> Result<(Vec<Outward>, Symmetric<Outward>)> {
        expect_len("occupancy", self.wide.shape().pairs(), occupancy.mu.len())?;
        let mu: Vec<Outward> = occupancy.mu.iter().map(|mu| Outward::point(*mu)).collect();
        let size = self.wide.mdp().features().iter().fold(0.0_f64, |most, phi| most.max(phi.magnitude()));
        let first = (Outward::point(occupancy.radius) * Outward::point(size)).upper;
        let second = (Outward::point(first) * Outward::point(size)).upper;
        let mut mean = vec![Outward::zero(); self.wide.shape().dim];
        for (pair, mu) in mu.iter().enumerate() {
            self.wide.phi().add_to(pair, mu, &mut mean);
        }
        // A pair has μ̂ = 0 where it is never taken or its state never reached, so an entry of 0 is 0 in truth.
        let widen = |entry: &Outward, radius: f64| if entry.is_zero() { *entry } else { entry.widened(radius) };
        let moment = self.wide.second_moment(&mu)?.try_map(|entry| Ok(widen(entry, second)))?;
        Ok((mean.iter().map(|entry| widen(entry, first)).collect(), moment))
    }
}

/// The ratios of Definition E.1 in intervals.
#[derive(Debug, Clone, Copy)]
pub struct Ratios {
    /// C_{φ,1/2}.
    pub half: Outward,
    /// C_{φ,1}.
    pub one: Outward,
    /// C^⋄.
    pub diamond: Outward,
    /// C^†.
    pub dagger: Outward,
}

impl Enclosure<'_> {
    /// The ratios of π* against π_B. [`Error::NotInRange`] where π* needs a feature that the data certainly never see;
    /// [`Error::NearSingular`] where Λ cannot be told from a singular matrix.
    pub fn ratios(&self, optimal: &Occupancy, behavior: &Occupancy) -> Result<Ratios> {
        let ((mean, m), (_, lambda)) = (self.moments(optimal)?, self.moments(behavior)?);
        match (&m, &lambda) {
            (Symmetric::Diagonal(m), Symmetric::Diagonal(_)) => {
                let (y, shares) = (lambda.inverse_times(&mean)?, lambda.inverse_times(m)?);
                Ok(Ratios {
                    half: inner(&mean, &y),
                    one: y.iter().fold(Outward::zero(), |sum, y| sum + *y * *y),
                    diamond: shares.iter().fold(Outward::zero(), |sum, share| sum + *share),
                    dagger: shares.iter().fold(Outward::zero(), |most, share| most.max(*share)),
                })
            }
            _ => dense_ratios(lambda.dim(), &mean, &m.to_rows(), &lambda.to_rows()),
        }
    }
}

/// The ratios where Λ ⪰ sI is shown, s being half its smallest eigenvalue in doubles. What doubles say of Λ⁻¹z, of Λ⁻¹ and of the
/// largest eigenvalue is a guess; what is proved holds whatever they say.
fn dense_ratios(dim: usize, z: &[Outward], m: &[Outward], lambda: &[Outward]) -> Result<Ratios> {
    let doubles = |rows: &[Outward]| DMatrix::from_row_iterator(dim, dim, rows.iter().map(|entry| entry.middle()));
    let (l, middle) = (doubles(lambda), doubles(m));
    let smallest = SymmetricEigen::new(l.clone()).eigenvalues.min();
    let near_singular = Error::NearSingular { smallest_eigenvalue: smallest, expected_at_least: f64::MIN_POSITIVE };
    let floor = 0.5 * smallest;
    if !(floor > 0.0 && certainly_definite(dim, beyond(lambda, 1.0, |i| unit(dim, i, floor)))) {
        return Err(near_singular);
    }
    let factor = l.cholesky().ok_or(near_singular)?;
    let y = factor.solve(&DVector::from_iterator(dim, z.iter().map(|z| z.middle())));
    let (half, norm) = forms(z, lambda, y.as_slice(), floor);
    // The largest eigenvalue of Λ^{-1/2}MΛ^{-1/2} and its vector.
    let root = factor.l();
    let whitened = root.solve_lower_triangular(&middle).ok_or(near_singular)?;
    let whitened = root.solve_lower_triangular(&whitened.transpose()).ok_or(near_singular)?;
    let eigen = SymmetricEigen::new((&whitened + whitened.transpose()) * 0.5);
    let (best, guess) = eigen.eigenvalues.argmax();
    let vector = root.transpose().solve_upper_triangular(&eigen.eigenvectors.column(best)).ok_or(near_singular)?;
    let diamond = trace(m, lambda, factor.inverse().as_slice(), floor);
    let dagger = largest(m, lambda, vector.as_slice(), guess).ok_or(near_singular)?;
    Ok(Ratios { half, one: norm * norm, diamond, dagger })
}

/// ⟨z, Λ⁻¹z⟩ and ‖Λ⁻¹z‖ for Λ ⪰ sI, from any ŷ: with r = z − Λŷ, ⟨z, Λ⁻¹z⟩ = 2⟨z, ŷ⟩ − ⟨ŷ, Λŷ⟩ + ⟨r, Λ⁻¹r⟩ and
/// 0 ≤ ⟨r, Λ⁻¹r⟩ ≤ ‖r‖²/s; ‖Λ⁻¹z − ŷ‖ ≤ ‖r‖/s.
fn forms(z: &[Outward], lambda: &[Outward], y: &[f64], s: f64) -> (Outward, Outward) {
    let (y, s) = (points(y), Outward::point(s));
    let image = times(lambda, &y);
    let missing = sum_of_squares(z.iter().zip(&image).map(|(z, image)| *z - *image));
    let most = Outward { lower: 0.0, upper: (missing / s).upper };
    let half = inner(z, &y) * Outward::point(2.0) - inner(&y, &image) + most;
    let norm = sum_of_squares(y.into_iter()).root().widened((missing.root() / s).upper);
    (half, if norm.lower < 0.0 { Outward { lower: 0.0, ..norm } } else { norm })
}

/// Tr(MΛ⁻¹) for Λ ⪰ sI, from any Y, by columns: with R = I − ΛY it is Tr(MY) + Tr(MΛ⁻¹R), and |Tr(MΛ⁻¹R)| ≤ ‖M‖_F ‖R‖_F/s.
fn trace(m: &[Outward], lambda: &[Outward], y: &[f64], s: f64) -> Outward {
    let y = points(y);
    let dim = m.len().isqrt();
    let rest = y.chunks_exact(dim).enumerate().flat_map(|(j, column)| {
        times(lambda, column).into_iter().enumerate().map(move |(i, entry)| unit(dim, i * dim + j, 1.0) - entry)
    });
    let slack = sum_of_squares(m.iter().copied()).root() * sum_of_squares(rest).root() / Outward::point(s);
    inner(m, &y).widened(slack.upper)
}

/// The largest eigenvalue of Λ^{-1/2}MΛ^{-1/2} for a definite Λ: at least the Rayleigh quotient of any vector, and at most τ where τΛ − M is
/// shown to be definite. None where that fails for twice the guess.
fn largest(m: &[Outward], lambda: &[Outward], vector: &[f64], guess: f64) -> Option<Outward> {
    let vector = points(vector);
    let form = |rows: &[Outward]| inner(&vector, &times(rows, &vector));
    let lower = (form(m) / form(lambda)).lower;
    let tests = (4..13).rev().map(|digits| guess * (1.0 + libm::pow(10.0, -f64::from(digits))));
    let mut tests = tests.chain([2.0 * guess]);
    let upper = tests.find(|tau| certainly_definite(vector.len(), beyond(lambda, *tau, |i| m[i])))?;
    Some(Outward { lower: lower.max(0.0), upper })
}

/// τΛ less a matrix, by rows.
fn beyond(lambda: &[Outward], tau: f64, less: impl Fn(usize) -> Outward) -> Vec<Outward> {
    lambda.iter().enumerate().map(|(i, entry)| *entry * Outward::point(tau) - less(i)).collect()
}

/// Entry i, by rows, of x times the unit matrix.
fn unit(dim: usize, i: usize, x: f64) -> Outward {
    Outward::point(if i.is_multiple_of(dim + 1) { x } else { 0.0 })
}

fn points(x: &[f64]) -> Vec<Outward> {
    x.iter().map(|x| Outward::point(*x)).collect()
}

fn times(rows: &[Outward], x: &[Outward]) -> Vec<Outward> {
    rows.chunks_exact(x.len()).map(|row| inner(row, x)).collect()
}

fn total(x: impl Iterator<Item = Outward>) -> Outward {
    x.fold(Outward::zero(), |sum, x| sum + x)
}

fn sum_of_squares(x: impl Iterator<Item = Outward>) -> Outward {
    total(x.map(|x| x.abs() * x.abs()))
}

/// Whether every symmetric matrix with these entries is positive definite: all pivots of LDLᵀ, in intervals, are.
fn certainly_definite(dim: usize, mut a: Vec<Outward>) -> bool {
    for k in 0..dim {
        let pivot = a[k * dim + k];
        if !(pivot.is_valid() && pivot.lower > 0.0) {
            return false;
        }
        let top: Vec<Outward> = a[k * dim..(k + 1) * dim].to_vec();
        for i in k + 1..dim {
            let factor = top[i] / pivot;
            for j in k + 1..dim {
                a[i * dim + j] -= factor * top[j];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests;
