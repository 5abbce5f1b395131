//! Small linear MDPs, by hand and drawn at random, in exact arithmetic.

use offline_primal_dual::linear::solve::inverse;
use offline_primal_dual::linear::vector::{apply, dot};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::average_reward::unichain::{decode_policy, deterministic_policies, validate_unichain};
use offline_primal_dual::paper::average_reward::values::{action_value, occupancy, state_value};
use offline_primal_dual::paper::mdp::{LinearMdp, Mdp, Shape, ones_coefficients};

pub type Q = BigRational;

pub fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

pub fn zeros(n: usize) -> Vec<Q> {
    vec![Q::zero(); n]
}

/// Draws small integers; the tests' only source of variety.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % n).unwrap()
    }

    /// Any rational, of either sign.
    pub fn number(&mut self) -> Q {
        q(self.below(9) - 4, self.below(3) + 1)
    }

    pub fn vector(&mut self, n: usize) -> Vec<Q> {
        (0..n).map(|_| self.number()).collect()
    }

    /// Rows of weights low…low+2, normalised.
    pub fn distributions(&mut self, rows: usize, width: usize, low: i64) -> Vec<Q> {
        let mut out = Vec::new();
        for _ in 0..rows {
            let mut weights: Vec<i64> = (0..width).map(|_| low + self.below(3)).collect();
            if weights.iter().all(|w| *w == 0) {
                weights[0] = 1;
            }
            let total = weights.iter().sum();
            out.extend(weights.iter().map(|w| q(*w, total)));
        }
        out
    }

    /// A symmetric positive definite matrix.
    pub fn power(&mut self, n: usize) -> Vec<Q> {
        let root = self.vector(n * n);
        let mut out = zeros(n * n);
        for i in 0..n {
            for j in 0..n {
                out[i * n + j] = dot(&root[i * n..(i + 1) * n], &root[j * n..(j + 1) * n]).unwrap();
            }
            out[i * n + i] = out[i * n + i].clone() + Q::one();
        }
        out
    }
}

pub struct Model {
    pub shape: Shape,
    pub features: Vec<Q>,
    pub omega: Vec<Q>,
    pub psi: Vec<Q>,
    pub reward: Vec<Q>,
    pub transition: Vec<Q>,
    pub varrho: Vec<Q>,
    pub unused: Vec<Q>,
    pub gamma: Q,
}

impl Model {
    /// `None` where the data is no linear MDP.
    pub fn new(shape: Shape, features: Vec<Q>, omega: Vec<Q>, psi: Vec<Q>) -> Option<Self> {
        // γ and ν₀ that no average-reward function may read: any use of them makes a result invalid.
        let unused = vec![q(1, 0); shape.states];
        let mut model = Self {
            reward: zeros(shape.pairs()),
            transition: zeros(shape.pairs() * shape.states),
            varrho: zeros(shape.dim),
            gamma: q(1, 0),
            shape,
            features,
            omega,
            psi,
            unused,
        };
        let mut scratch = model.scratch();
        model.linear().validate_undiscounted(&mut scratch).ok()?;
        let reward = model.linear().reward(&mut &mut scratch[..]).unwrap().to_vec();
        let transition = model.linear().transition(&mut &mut scratch[..]).unwrap().to_vec();
        let varrho = ones_coefficients(&model.linear(), &mut &mut scratch[..]).unwrap().to_vec();
        (model.reward, model.transition, model.varrho) = (reward, transition, varrho);
        Some(model)
    }

    pub fn tabular(states: usize, actions: usize, reward: Vec<Q>, transition: &[Q]) -> Self {
        let pairs = states * actions;
        let identity = (0..pairs * pairs).map(|i| if i / pairs == i % pairs { q(1, 1) } else { q(0, 1) }).collect();
        let psi = (0..states * pairs).map(|i| transition[i % pairs * states + i / pairs].clone()).collect();
        Self::new(Shape::new(states, actions, pairs).unwrap(), identity, reward, psi).unwrap()
    }

    /// d latent modes: φ(x,a) is a distribution over them, each leads to a distribution over states; then a change of
    /// basis, so that features are signed and ϱ is not 1. `low` = 1 makes every transition possible.
    pub fn random(draw: &mut Draw, shape: Shape, low: i64) -> Option<Self> {
        let Shape { states, dim, .. } = shape;
        let modes = draw.distributions(shape.pairs(), dim, 0);
        let arrivals = draw.distributions(dim, states, low);
        let rewards: Vec<Q> = (0..dim).map(|_| q(draw.below(5), 4)).collect();
        let basis = draw.power(dim);
        let mut inverted = zeros(dim * dim);
        inverse(dim, &mut basis.clone(), &mut inverted).unwrap();
        // φ' = Bφ, ω' = B⁻¹ω, ψ' = B⁻¹ψ with B symmetric.
        let through =
            |matrix: &[Q], rows: &[Q]| -> Vec<Q> { rows.chunks(dim).flat_map(|row| image(matrix, row)).collect() };
        let psi: Vec<Q> = (0..states * dim).map(|i| arrivals[i % dim * states + i / dim].clone()).collect();
        Self::new(shape, through(&basis, &modes), through(&inverted, &rewards), through(&inverted, &psi))
    }

    pub fn linear(&self) -> LinearMdp<'_, Q> {
        LinearMdp::unvalidated(self.shape, &self.features, &self.omega, &self.psi, &self.unused, &self.gamma).unwrap()
    }

    pub fn mdp(&self) -> Mdp<'_, Q> {
        let Shape { states, actions, .. } = self.shape;
        Mdp::unvalidated(states, actions, &self.reward, &self.transition, &self.unused, &self.gamma).unwrap()
    }

    pub fn scratch(&self) -> Vec<Q> {
        zeros(self.shape.scratch())
    }

    pub fn random_policy(&self, draw: &mut Draw) -> Vec<Q> {
        draw.distributions(self.shape.states, self.shape.actions, 0)
    }

    pub fn occupancy(&self, policy: &[Q]) -> Vec<Q> {
        occupancy(&self.mdp(), policy, &mut &mut self.scratch()[..]).unwrap().to_vec()
    }

    /// (ρ^π, v^π, q^π).
    pub fn values(&self, policy: &[Q]) -> (Q, Vec<Q>, Vec<Q>) {
        let mut scratch = self.scratch();
        let scratch = &mut &mut scratch[..];
        let (gain, v) = state_value(&self.mdp(), policy, scratch).unwrap();
        let action = action_value(&self.mdp(), &gain, v, scratch).unwrap();
        (gain, v.to_vec(), action.to_vec())
    }

    pub fn deterministic(&self) -> impl Iterator<Item = Vec<Q>> + '_ {
        (0..deterministic_policies(self.shape.states, self.shape.actions).unwrap()).map(|code| {
            let Shape { states, actions, .. } = self.shape;
            decode_policy(states, actions, code, &mut &mut zeros(self.shape.pairs())[..]).unwrap().to_vec()
        })
    }
}

pub fn image(matrix: &[Q], x: &[Q]) -> Vec<Q> {
    let mut out = zeros(matrix.len() / x.len());
    apply(matrix, x, &mut out).unwrap();
    out
}

pub fn repeat(rows: &[Q], times: usize) -> Vec<Q> {
    (0..times).flat_map(|_| rows.to_vec()).collect()
}

pub fn all_zero(values: &[Q]) -> bool {
    values.iter().all(Q::is_zero)
}

/// r in state x is `rewards[x]`; action a leads from x to `next[x][a]`.
pub fn deterministic_model(rewards: &[i64], next: &[[usize; 2]]) -> Model {
    let n = next.len();
    let mut transition = zeros(n * 2 * n);
    for (x, row) in next.iter().enumerate() {
        for (a, y) in row.iter().enumerate() {
            transition[(2 * x + a) * n + y] = q(1, 1);
        }
    }
    let reward = rewards.iter().flat_map(|r| [q(*r, 1), q(*r, 1)]).collect();
    Model::tabular(n, 2, reward, &transition)
}

/// Two states that stay with probability 1 − p and leave with p, by action.
pub fn two_state() -> Model {
    let transition = [q(1, 2), q(1, 2), q(3, 4), q(1, 4), q(1, 3), q(2, 3), q(2, 3), q(1, 3)];
    Model::tabular(2, 2, vec![q(1, 1), q(1, 2), q(0, 1), q(1, 4)], &transition)
}

/// Linear MDPs in which every policy is unichain, half of them with transitions that are impossible.
pub fn models(count: usize) -> Vec<Model> {
    let mut draw = Draw(2);
    let mut found = vec![two_state()];
    // The smallest and the most lopsided shapes, for the scratch formula too.
    for (states, actions, dim) in [(1, 1, 1), (5, 1, 1), (1, 4, 2), (4, 1, 3)] {
        let shape = Shape::new(states, actions, dim).unwrap();
        while !found.last().is_some_and(|m| m.shape == shape) {
            found.extend(Model::random(&mut draw, shape, 1));
        }
    }
    while found.len() < count {
        let low = i64::from(found.len() % 2 == 0);
        let pick = |draw: &mut Draw, from: i64, n: u64| usize::try_from(from + draw.below(n)).unwrap();
        let shape = Shape::new(pick(&mut draw, 2, 3), pick(&mut draw, 2, 2), pick(&mut draw, 2, 3)).unwrap();
        found.extend(
            Model::random(&mut draw, shape, low).filter(|m| validate_unichain(&m.mdp(), &mut m.scratch()).is_ok()),
        );
    }
    found
}
