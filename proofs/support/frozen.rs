//! Lemmas 4.1, 4.2, C.3 and C.4 on models whose comparators β*, θ*, ν* (and ρ*) stand here as numbers, so that (with the returns) no equation is left
//! to solve and both sides are affine in (θ_t, ρ_t) and in β_t, with known coefficients. `tests/properties.rs` checks that the
//! numbers are what the library computes.

use super::super::library::error::Result;
use super::super::library::number::Field;
use super::super::library::paper::mdp::{LinearMdp, Shape};
use super::super::library::paper::{average_reward, discounted};

/// Two states, two actions, two features.
#[derive(Debug)]
pub struct Frozen<T> {
    pub features: [T; 8],
    pub omega: [T; 2],
    pub psi: [T; 4],
    pub initial: [T; 2],
    pub discount: T,
    /// ϱ: every φ(x, a) has sum 1.
    pub varrho: [T; 2],
    /// Λ^c.
    pub power: [T; 4],
    /// π_t.
    pub policy: [T; 4],
    /// π*.
    pub comparator: [T; 4],
    pub beta_star: [T; 2],
    pub theta_star: [T; 2],
    /// Average reward only.
    pub rho_star: [T; 1],
    /// ν^{π*}.
    pub nu_star: [T; 2],
    pub suboptimality: T,
}

/// A denominator and numerators.
pub type Over<const N: usize> = (i64, [i64; N]);

/// What the models have in common.
pub const OMEGA: Over<2> = (3, [1, 3]);
pub const INITIAL: Over<2> = (3, [1, 2]);
pub const DISCOUNT: Over<1> = (3, [2]);
pub const VARRHO: Over<2> = (1, [1, 1]);
pub const POWER: Over<4> = (15, [5, 2, 2, 3]);

/// What distinguishes the models, and what follows from it.
#[derive(Debug)]
pub struct Case {
    pub average: bool,
    pub features: Over<8>,
    pub psi: Over<4>,
    pub policy: Over<4>,
    pub comparator: Over<4>,
    pub beta_star: Over<2>,
    pub theta_star: Over<2>,
    pub rho_star: Over<1>,
    pub nu_star: Over<2>,
    pub suboptimality: Over<1>,
}

pub const CASES: [Case; 4] = [
    Case {
        average: false,
        features: (1, [1, 0, 0, 1, 0, 1, 1, 0]),
        psi: (3, [0, 2, 3, 1]),
        policy: (15, [5, 10, 9, 6]),
        comparator: (1, [0, 1, 1, 0]),
        beta_star: (11, [-30, 75]),
        theta_star: (131, [239, 329]),
        rho_star: (1, [0]),
        nu_star: (9, [5, 4]),
        suboptimality: (393, [98]),
    },
    Case {
        average: false,
        features: (15, [15, 0, 0, 15, 5, 10, 9, 6]),
        psi: (5, [5, 1, 0, 4]),
        policy: (3, [2, 1, 3, 0]),
        comparator: (1, [0, 1, 1, 0]),
        beta_star: (583, [-740, 2785]),
        theta_star: (37, [57, 87]),
        rho_star: (1, [0]),
        nu_star: (53, [19, 34]),
        suboptimality: (1961, [380]),
    },
    Case {
        average: true,
        features: (1, [1, 0, 0, 1, 0, 1, 1, 0]),
        psi: (3, [0, 2, 3, 1]),
        policy: (15, [3, 12, 5, 10]),
        comparator: (1, [0, 1, 1, 0]),
        beta_star: (11, [-30, 75]),
        theta_star: (31, [0, 30]),
        rho_star: (93, [61]),
        nu_star: (3, [2, 1]),
        suboptimality: (93, [32]),
    },
    Case {
        average: true,
        features: (15, [15, 0, 0, 15, 5, 10, 9, 6]),
        psi: (3, [0, 2, 3, 1]),
        policy: (3, [2, 1, 3, 0]),
        comparator: (1, [0, 1, 1, 0]),
        beta_star: (77, [-135, 420]),
        theta_star: (11, [0, 6]),
        rho_star: (33, [23]),
        nu_star: (7, [4, 3]),
        suboptimality: (77, [16]),
    },
];

/// The case at any scalar.
pub fn thaw<T: Field + Copy>(case: &Case) -> Frozen<T> {
    let ([discount], [suboptimality]) = (row(DISCOUNT), row(case.suboptimality));
    Frozen {
        features: row(case.features),
        omega: row(OMEGA),
        psi: row(case.psi),
        initial: row(INITIAL),
        discount,
        varrho: row(VARRHO),
        power: row(POWER),
        policy: row(case.policy),
        comparator: row(case.comparator),
        beta_star: row(case.beta_star),
        theta_star: row(case.theta_star),
        rho_star: row(case.rho_star),
        nu_star: row(case.nu_star),
        suboptimality,
    }
}

fn row<T: Field + Copy, const N: usize>((over, numerators): Over<N>) -> [T; N] {
    let (mut row, mut i) = ([T::zero(); N], 0);
    while i < N {
        row[i] = T::ratio(numerators[i], over);
        i += 1;
    }
    row
}

impl<T: Field> Frozen<T> {
    /// The linear MDP.
    pub fn mdp(&self) -> Result<LinearMdp<'_, T>> {
        LinearMdp::unvalidated(
            Shape::new(2, 2, 2)?,
            &self.features,
            &self.omega,
            &self.psi,
            &self.initial,
            &self.discount,
        )
    }

    /// Lemma 4.1 and 4.2 at T = 1: G_T minus the suboptimality, and G_T minus the sum of the regrets.
    pub fn discounted_residuals(&self, theta: &[T], beta: &[T], scratch: &mut [T]) -> Result<[T; 2]> {
        use discounted::duality_gap::{Comparators, Iterates, average_suboptimality, dynamic_duality_gap};
        use discounted::regret::{beta_regret, policy_regret, theta_regret};
        let mdp = self.mdp()?;
        let saddle = discounted::lagrangian::Saddle::new(mdp, &self.power)?;
        let iterates = Iterates::new(&mdp, theta, beta, &self.policy)?;
        let stars = Comparators { policy: &self.comparator, beta: &self.beta_star, thetas: &self.theta_star };
        let gap = dynamic_duality_gap(&saddle, &iterates, &stars, scratch)?;
        let regret = theta_regret(&saddle, &iterates, &stars, scratch)?
            + beta_regret(&saddle, &iterates, &stars, scratch)?
            + policy_regret(&mdp, &iterates, &self.comparator, scratch)?;
        let suboptimality = average_suboptimality(&mdp, &self.comparator, &iterates, scratch)?;
        Ok([gap.clone() - suboptimality, gap - regret])
    }

    /// Lemma C.3 and C.4, the same in the average-reward setting.
    pub fn average_residuals(&self, rho: T, theta: &[T], beta: &[T], scratch: &mut [T]) -> Result<[T; 2]> {
        use average_reward::duality_gap::{Comparators, Iterates, average_suboptimality, dynamic_duality_gap};
        use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
        let (mdp, rhos) = (self.mdp()?, [rho]);
        let saddle = average_reward::lagrangian::Saddle::new(mdp, &self.varrho, &self.power)?;
        let iterates = Iterates::new(&mdp, &rhos, theta, beta, &self.policy)?;
        let stars = Comparators {
            policy: &self.comparator,
            beta: &self.beta_star,
            rhos: &self.rho_star,
            thetas: &self.theta_star,
        };
        let gap = dynamic_duality_gap(&saddle, &iterates, &stars, scratch)?;
        let regret = theta_regret(&saddle, &iterates, &stars, scratch)?
            + rho_regret(&saddle, &iterates, &stars, scratch)?
            + beta_regret(&saddle, &iterates, &stars, scratch)?
            + policy_regret(&mdp, &iterates, &self.comparator, scratch)?;
        let suboptimality = average_suboptimality(&mdp, &self.comparator, &iterates, scratch)?;
        Ok([gap.clone() - suboptimality, gap - regret])
    }
}
