//! Random rational linear MDPs, and random points to evaluate statements at.

use offline_primal_dual::conformance::Setting;
use offline_primal_dual::instances::Owned;
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::number::rational::Rational64;
use offline_primal_dual::paper::mdp::Shape;
use offline_primal_dual::statements::Case;

pub fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

pub fn exact(x: Rational64) -> Q {
    q(x.numerator(), x.denominator())
}

/// Small numbers from a seed.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, n: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    pub fn small(&mut self) -> Q {
        q(self.below(13) as i64 - 6, self.below(4) as i64 + 1)
    }

    pub fn vector(&mut self, n: usize) -> Vec<Q> {
        let mut numbers: Vec<Q> = (0..n).map(|_| self.small()).collect();
        // Not 0, for which a quotient of quadratic forms means nothing.
        if numbers.iter().all(Field::is_zero) {
            numbers[0] = Q::one();
        }
        numbers
    }

    /// A distribution, sometimes with zeros.
    pub fn distribution(&mut self, n: usize) -> Vec<Q> {
        let weights: Vec<i64> = (0..n).map(|_| self.below(5) as i64).collect();
        match weights.iter().sum::<i64>() {
            0 => vec![q(1, n as i64); n],
            total => weights.into_iter().map(|w| q(w, total)).collect(),
        }
    }

    pub fn rows(&mut self, count: usize, width: usize) -> Vec<Q> {
        (0..count).flat_map(|_| self.distribution(width)).collect()
    }
}

/// φ(x,a) on the simplex, Ψ's rows distributions, ω ∈ [0,1]^d, then a shear S: Φ' = ΦS, Ψ' = S⁻¹Ψ, ω' = S⁻¹ω, so that
/// nothing keeps its sign.
pub fn random_model(draw: &mut Draw) -> Option<Owned<Q>> {
    let (states, actions) = (1 + draw.below(6) as usize, 1 + draw.below(4) as usize);
    let dim = (1 + draw.below(5) as usize).min(states * actions);
    let shape = Shape::new(states, actions, dim).unwrap();
    let mut features = draw.rows(shape.pairs(), dim);
    let mut psi = transpose(dim, states, &draw.rows(dim, states));
    let mut omega: Vec<Q> = (0..dim).map(|_| q(draw.below(5) as i64, 4)).collect();
    for _ in 0..dim {
        let (i, j, s) = (draw.below(dim as u64) as usize, draw.below(dim as u64) as usize, draw.small());
        if i != j {
            for row in features.chunks_exact_mut(dim) {
                row[j] = row[j].clone() + s.clone() * &row[i];
            }
            for row in psi.chunks_exact_mut(dim).chain([&mut omega[..]]) {
                row[i] = row[i].clone() - s.clone() * &row[j];
            }
        }
    }
    let discount = q(draw.below(10) as i64, 10);
    let (initial, behavior) = (draw.distribution(states), draw.rows(states, actions));
    let model = Owned { shape, features, omega, psi, initial, discount, behavior, root: None };
    // Full rank is not guaranteed; the few draws without it are no linear MDPs of Definition 2.1.
    let mut scratch = vec![Q::zero(); shape.scratch()];
    model.linear_mdp().unwrap().validate(&mut scratch).ok().map(|()| model)
}

fn transpose(rows: usize, columns: usize, m: &[Q]) -> Vec<Q> {
    (0..columns).flat_map(|j| (0..rows).map(move |i| m[i * columns + j].clone())).collect()
}

/// One state, actions with φ = (1, 1/10) and (9/10, 1/10), ω = (1/2, 0): ‖ϱ‖ = 10, and Lemma C.3's shift is far out (errata 12, 13).
pub fn flat_rewards() -> Owned<Q> {
    let tenths = |numbers: &[i64]| numbers.iter().map(|n| q(*n, 10)).collect::<Vec<Q>>();
    Owned {
        shape: Shape::new(1, 2, 2).unwrap(),
        features: tenths(&[10, 1, 9, 1]),
        omega: tenths(&[5, 0]),
        psi: tenths(&[0, 100]),
        initial: tenths(&[10]),
        discount: q(1, 2),
        behavior: tenths(&[5, 5]),
        root: None,
    }
}

/// The case at random points, policies, iterates and against a random comparator.
pub fn with_points(mut case: Case, draw: &mut Draw) -> Case {
    let shape = case.model.shape;
    case.policy = draw.rows(shape.states, shape.actions);
    (case.theta, case.beta) = (draw.vector(shape.dim), draw.vector(shape.dim));
    (case.v, case.mu) = (draw.vector(shape.states), draw.vector(shape.pairs()));
    case.rho = q(draw.below(9) as i64, 8);
    let outer = 1 + draw.below(3) as usize;
    case.iterates.thetas = draw.vector(outer * shape.dim);
    case.iterates.betas = draw.vector(outer * shape.dim);
    case.iterates.policies = draw.rows(outer * shape.states, shape.actions);
    case.iterates.rhos = (0..outer).map(|_| q(draw.below(9) as i64, 8)).collect();
    // In the average-reward setting a random comparator need not be unichain; then the optimal policy stays.
    let star = draw.rows(shape.states, shape.actions);
    let found = case.compare_with(star);
    assert!(found.is_ok() || case.setting == Setting::Average);
    case
}
