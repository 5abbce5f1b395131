//! What the walk is made of, in numbers that know their error: products with Λ^{c−1}, iterates in their balls, averages, the policy.

use super::near::{Format, Near, Sum, dot, gamma, rounding_between, total};

/// Mb, and what bounds the error of ⟨a, Mb⟩ whichever product comes first.
#[derive(Debug, Clone)]
pub(crate) struct Image<P> {
    /// Mb.
    pub point: Vec<Near<P>>,
    /// Σ_j |M_ij|⁺|b_j|⁺; `None` where M is the identity.
    majorant: Option<Vec<f64>>,
}

impl<P: Format> Image<P> {
    pub fn new(matrix: Option<&[Near<P>]>, b: &[Near<P>]) -> Self {
        let Some(matrix) = matrix else { return Self { point: b.to_vec(), majorant: None } };
        let rows = || matrix.chunks(b.len().max(1));
        let size = |row: &[Near<P>]| row.iter().zip(b).map(|(m, y)| m.size() * y.size()).sum();
        Self { point: rows().map(|row| dot(row, b)).collect(), majorant: Some(rows().map(size).collect()) }
    }

    /// ⟨a, Mb⟩: inherited errors + γ_{m+n} Σ|a||M||b|, of which Mb has the part of its own sums already.
    pub fn dot(&self, a: &[Near<P>]) -> Near<P> {
        let plain = dot(a, &self.point);
        let Some(majorant) = &self.majorant else { return plain };
        let size: f64 = a.iter().zip(majorant).map(|(x, m)| x.size() * m).sum();
        let either =
            gamma(2 * a.len(), P::ACCUMULATE) + rounding_between::<P>() + 2.0 * P::FACTOR + P::FACTOR * P::FACTOR;
        Near::new(plain.value, plain.error + either * size)
    }
}

/// A point of a ball, with a bound on its Euclidean error.
#[derive(Debug, Clone)]
pub(crate) struct Iterate<P> {
    pub point: Vec<Near<P>>,
    pub spread: f64,
}

impl<P: Format> Iterate<P> {
    /// A point that everybody has.
    pub fn exactly(point: &[f64]) -> Self {
        Self { point: point.iter().map(|x| Near::exactly(*x)).collect(), spread: 0.0 }
    }

    /// An input.
    pub fn input(point: &[f64]) -> Self {
        let point: Vec<Near<P>> = point.iter().map(|x| Near::input(*x)).collect();
        let spread = norm(point.iter().map(|x| x.error));
        Self { point, spread }
    }

    /// Π onto the ball of radius D. It does not expand Euclidean distances, so the spread carries over, whichever way ‖y‖ > D is decided;
    /// where everybody is outside, it shrinks by D/‖y‖ (Dunkl and Williams: ‖x/‖x‖ − y/‖y‖‖ ≤ 2‖x − y‖/(‖x‖ + ‖y‖)). To it come the roundings
    /// of ‖y‖, D/‖y‖ and the product, d + 4 of them. Where nobody can be outside the ball, nothing happens.
    pub fn project(&mut self, radius: Near<P>) {
        let length = norm(self.point.iter().map(|x| x.value));
        let factors = 2.0 * P::FACTOR + P::FACTOR * P::FACTOR + 4.0 * P::STORE * (1.0 + 4.0 * P::STORE);
        let slack = gamma(self.point.len() + 4, P::ACCUMULATE)
            + if P::STORE > P::ACCUMULATE || P::FACTOR > 0.0 { factors } else { 0.0 };
        let least = (length - 2.0 * self.spread) * (1.0 - slack);
        let greatest = (length + 2.0 * self.spread) * (1.0 + slack);
        if greatest < radius.value - 2.0 * radius.error {
            return;
        }
        let radius_most = radius.size();
        let shrink = if least > radius_most { radius_most / least } else { 1.0 };
        let spread = shrink * self.spread + slack * radius_most * (1.0 + slack) + 2.0 * radius.error + P::TINY;
        // No two points of a ball are further apart than its diameter.
        let most = 2.0 * radius_most * (1.0 + slack);
        self.spread = if spread < most { spread } else { most };
        if length > radius.value {
            for x in &mut self.point {
                x.value *= radius.value / length;
            }
        }
        for x in &mut self.point {
            x.error = self.spread;
        }
    }

    /// One gradient step, before Π: x ± rate·g, with the Euclidean norm of the new errors added to the spread.
    pub fn moved(&self, gradient: &[Near<P>], rate: Near<P>, sign: f64) -> Self {
        let step = |(x, g): (&Near<P>, &Near<P>)| if sign < 0.0 { *x - *g * rate } else { *x + *g * rate };
        let point: Vec<Near<P>> = self.point.iter().zip(gradient).map(step).collect();
        let added = norm(point.iter().zip(&self.point).map(|(new, old)| new.error - old.error));
        // The differences lose what rounding took from errors that nearly cancel.
        let cancelled: f64 = self.point.iter().map(|old| 2.0 * f64::EPSILON * old.error).sum();
        Self { point, spread: self.spread + added + cancelled }
    }
}

/// The average of iterates, term by term as they come: Σ/K, whose spreads average too; to them comes the rounding of K additions, of
/// 1/K and of the product.
#[derive(Debug, Clone)]
pub(crate) struct Average<P> {
    sums: Vec<Sum<P>>,
    spreads: f64,
    count: usize,
}

impl<P: Format> Average<P> {
    pub fn new(dim: usize) -> Self {
        Self { sums: vec![Sum::new(); dim], spreads: 0.0, count: 0 }
    }

    pub fn add(&mut self, iterate: &Iterate<P>) {
        for (sum, x) in self.sums.iter_mut().zip(&iterate.point) {
            sum.add(*x);
        }
        self.spreads += iterate.spread;
        self.count += 1;
    }

    pub fn mean(&self) -> Iterate<P> {
        let count = self.count as f64;
        let rounding =
            |sum: &Sum<P>| (gamma(self.count + 2, P::ACCUMULATE) + 4.0 * P::STORE) * sum.size / count + 2.0 * P::TINY;
        let spread = self.spreads / count + norm(self.sums.iter().map(rounding));
        let mean = |sum: &Sum<P>| {
            let error = sum.inherited / count + rounding(sum);
            Near::new(sum.value * (1.0 / count), if error < spread { error } else { spread })
        };
        Iterate { point: self.sums.iter().map(mean).collect(), spread }
    }
}

pub(crate) fn norm(numbers: impl Iterator<Item = f64>) -> f64 {
    libm::sqrt(numbers.map(|x| x * x).sum())
}

/// π(·|x), the softmax of the logits. A probability is a number of [0, 1], so no bound exceeds 1.
pub(crate) fn softmax<P: Format>(logits: &[Near<P>]) -> Vec<Near<P>> {
    let Some(first) = logits.first() else { return Vec::new() };
    let greatest = logits.iter().fold(*first, |greatest, z| greatest.max(*z));
    let weights: Vec<Near<P>> = logits.iter().map(|z| (*z - greatest).exp()).collect();
    let sum = total(weights.iter().copied());
    weights.into_iter().map(|weight| (weight / sum).within(0.5)).collect()
}

/// The actions that the first cumulative probability above u may belong to: the first and the last of them. Where `reaching`, which is
/// wrong, u itself will do.
///
/// Equal probabilities of a power of two of actions are exact for everybody.
pub(crate) fn draw<P: Format>(policy: &[Near<P>], u: Near<P>, reaching: bool) -> (usize, usize) {
    let is_enough = |cumulative: f64| cumulative > u.value || (reaching && cumulative == u.value);
    let last = policy.len().saturating_sub(1);
    let is_exact = policy.len().is_power_of_two() && policy.iter().all(|p| p.value * policy.len() as f64 == 1.0);
    let mut sum = Sum::<P>::new();
    let (mut least, mut most) = (None, None);
    for (a, p) in policy.iter().enumerate() {
        sum.add(*p);
        let cumulative = sum.total();
        let slack = 2.0 * u.error + if is_exact { 0.0 } else { 2.0 * cumulative.error };
        if least.is_none() && is_enough(cumulative.value + slack) {
            least = Some(a);
        }
        if most.is_none() && is_enough(cumulative.value - slack) {
            most = Some(a);
        }
    }
    (least.unwrap_or(last), most.unwrap_or(last))
}

#[cfg(all(test, feature = "exact"))]
mod tests {
    use super::super::near::F64;
    use super::*;
    use crate::number::Field as _;
    use crate::number::exact::BigRational;

    /// The bound on ⟨x, My⟩ holds whichever product comes first, and however either is summed.
    #[test]
    fn a_bilinear_form_may_be_computed_either_way() {
        let mut seed = 1_u64;
        let mut draw = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let near = |numbers: &[f64]| numbers.iter().map(|x| Near::<F64>::exactly(*x)).collect::<Vec<_>>();
        let big = |x: f64| BigRational::from_f64(x).unwrap();
        let mut apart = 0;
        for n in (1..30).cycle().take(300) {
            let [x, y] = [0, 1].map(|_| (0..n).map(|_| draw()).collect::<Vec<_>>());
            let matrix: Vec<f64> = (0..n * n).map(|_| draw()).collect();
            let bound = Image::new(Some(&near(&matrix)), &near(&y)).dot(&near(&x));
            let column = |j: usize| (0..n).rev().fold(0.0, |sum: f64, i| matrix[i * n + j].mul_add(x[i], sum));
            let other = (0..n).fold(0.0, |sum, j| sum + column(j) * y[j]);
            let mut exact = BigRational::zero();
            for i in 0..n * n {
                exact += big(x[i / n]) * big(matrix[i]) * big(y[i % n]);
            }
            for value in [bound.value, other] {
                assert!((big(value) - &exact).abs() <= big(bound.error), "n = {n}");
            }
            apart += usize::from(other != bound.value);
        }
        assert!(apart > 200, "{apart}");
    }

    /// u within the error of a cumulative probability: either action, unless the probabilities are the same for everybody.
    #[test]
    fn draws_that_rounding_decides_are_undecided() {
        let policy = [0.25, 0.5, 0.25].map(|p| Near::<F64>::new(p, 1e-9));
        let near = 1e-9;
        for (u, drawn) in [
            (0.2, (0, 0)),
            (0.25 - near, (0, 1)),
            (0.25, (0, 1)),
            (0.25 + near, (0, 1)),
            (0.26, (1, 1)),
            (0.75 - near, (1, 2)),
            (0.8, (2, 2)),
        ] {
            assert_eq!(draw(&policy, Near::exactly(u), false), drawn, "{u}");
        }
        assert_eq!(draw(&policy, Near::new(0.2, 0.1), false), (0, 1));
        let halves = [Near::<F64>::new(0.5, 1e-9); 2];
        assert_eq!([false, true].map(|reaching| draw(&halves, Near::exactly(0.5), reaching)), [(1, 1), (0, 0)]);
    }
}
