//! Lemmas 4.1, 4.2, C.3 and C.4 at T = 2 on models whose comparators β*, θ* (and ρ*) and state occupancies ν^π stand here as numbers, so that no equation is
//! left to solve and both sides are affine in (θ_t, ρ_t) and in β_t, with known coefficients. `tests/properties.rs` checks that the
//! numbers are what the library computes. All denominators are odd, so that they have inverses modulo powers of 2.

use super::super::library::error::Result;
use super::super::library::number::Field;
use super::super::library::paper::mdp::{LinearMdp, Shape};
use super::super::library::paper::{average_reward, discounted};

/// Two states, two actions, two features, two iterations.
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
    /// π_1 and π_2.
    pub policies: [T; 8],
    /// π*.
    pub comparator: [T; 4],
    pub beta_star: [T; 2],
    pub theta_stars: [T; 4],
    /// Average reward only.
    pub rho_stars: [T; 2],
    /// ν^{π_1} and ν^{π_2}.
    pub nus: [T; 4],
    /// ν^{π*}.
    pub nu_star: [T; 2],
}

/// What a lemma says that G_T is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lemma {
    /// 4.1 and C.3.
    Suboptimality,
    /// 4.2 and C.4.
    Regrets,
}

/// A denominator and numerators.
pub type Over<const N: usize> = (i64, [i64; N]);

/// What the models have in common.
pub fn omega() -> Over<2> {
    (3, [1, 3])
}

pub fn initial() -> Over<2> {
    (3, [1, 2])
}

pub fn discount() -> Over<1> {
    (3, [2])
}

pub fn varrho() -> Over<2> {
    (1, [1, 1])
}

pub fn comparator() -> Over<4> {
    (1, [0, 1, 1, 0])
}

/// Which matrix Λ^c is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Power {
    /// Λ of [`behavior`]: c = 1.
    Covariance,
    /// Its root: c = 1/2.
    Root,
    /// A symmetric matrix, which is all that the lemmas ask for.
    Symmetric,
}

/// A behavior policy whose Λ has a rational root on the first model.
pub fn behavior() -> Over<4> {
    (25, [16, 9, 9, 16])
}

impl Power {
    pub fn matrix(self) -> Over<4> {
        match self {
            Self::Covariance => (25, [16, 0, 0, 9]),
            Self::Root => (5, [4, 0, 0, 3]),
            Self::Symmetric => (15, [5, 2, 2, 3]),
        }
    }
}

/// What distinguishes the models, and what follows from it.
#[derive(Debug)]
pub struct Case {
    pub average: bool,
    pub power: Power,
    pub features: Over<8>,
    pub psi: Over<4>,
    pub policies: Over<8>,
    pub beta_star: Over<2>,
    pub theta_stars: Over<4>,
    pub rho_stars: Over<2>,
    pub nus: Over<4>,
    pub nu_star: Over<2>,
}

/// Features that are indicators, and mixed ones.
fn indicators() -> Over<8> {
    (1, [1, 0, 0, 1, 0, 1, 1, 0])
}

fn mixed() -> Over<8> {
    (15, [15, 0, 0, 15, 5, 10, 9, 6])
}

fn psi() -> Over<4> {
    (3, [0, 2, 3, 1])
}

fn first(average: bool, power: Power, beta_star: Over<2>) -> Case {
    let (features, psi) = (indicators(), psi());
    if average {
        Case {
            average,
            power,
            features,
            psi,
            policies: (15, [3, 12, 5, 10, 3, 12, 9, 6]),
            beta_star,
            theta_stars: (403, [0, 390, 0, 310]),
            rho_stars: (1209, [793, 961]),
            nus: (403, [130, 273, 186, 217]),
            nu_star: (3, [2, 1]),
        }
    } else {
        Case {
            average,
            power,
            features,
            psi,
            policies: (15, [5, 10, 9, 6, 5, 10, 0, 15]),
            beta_star,
            theta_stars: (2489, [4541, 6251, 2489, 4847]),
            rho_stars: (1, [0, 0]),
            nus: (2489, [969, 1520, 393, 2096]),
            nu_star: (9, [5, 4]),
        }
    }
}

/// How many cases there are.
pub const CASES: usize = 6;

/// Case `index`. (A function: a constant is bytes to Kani, out of which it has to pick numbers.)
pub fn case(index: usize) -> Case {
    match index {
        0 => first(false, Power::Covariance, (9, [0, 25])),
        1 => first(false, Power::Root, (3, [0, 5])),
        2 => Case {
            average: false,
            power: Power::Symmetric,
            features: mixed(),
            psi: (5, [5, 1, 0, 4]),
            policies: (3, [2, 1, 3, 0, 0, 3, 0, 3]),
            beta_star: (583, [-740, 2785]),
            theta_stars: (3663, [5643, 8613, 7363, 9213]),
            rho_stars: (1, [0, 0]),
            nus: (10_989, [5643, 5346, 4699, 6290]),
            nu_star: (53, [19, 34]),
        },
        3 => first(true, Power::Covariance, (9, [0, 25])),
        4 => first(true, Power::Root, (3, [0, 5])),
        _ => Case {
            average: true,
            power: Power::Symmetric,
            features: mixed(),
            psi: psi(),
            policies: (3, [2, 1, 3, 0, 0, 3, 0, 3]),
            beta_star: (77, [-135, 420]),
            theta_stars: (99, [0, 54, 0, 110]),
            rho_stars: (99, [69, 77]),
            nus: (99, [36, 63, 44, 55]),
            nu_star: (7, [4, 3]),
        },
    }
}

/// The case at any scalar.
pub fn thaw<T: Field + Copy>(case: &Case) -> Frozen<T> {
    let [discount] = row(discount());
    Frozen {
        features: row(case.features),
        omega: row(omega()),
        psi: row(case.psi),
        initial: row(initial()),
        discount,
        varrho: row(varrho()),
        power: row(case.power.matrix()),
        policies: row(case.policies),
        comparator: row(comparator()),
        beta_star: row(case.beta_star),
        theta_stars: row(case.theta_stars),
        rho_stars: row(case.rho_stars),
        nus: row(case.nus),
        nu_star: row(case.nu_star),
    }
}

pub fn row<T: Field + Copy, const N: usize>((over, numerators): Over<N>) -> [T; N] {
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

    /// π(a|x) ν^π(x) of the three policies, by ν^π as stated.
    pub fn occupancy(&self, policy: &[T]) -> [T; 4] {
        let nu = if policy == self.comparator {
            [&self.nu_star[0], &self.nu_star[1]]
        } else if *policy == self.policies[..4] {
            [&self.nus[0], &self.nus[1]]
        } else {
            assert!(*policy == self.policies[4..]);
            [&self.nus[2], &self.nus[3]]
        };
        let at = |pair: usize| policy[pair].clone() * nu[pair / 2];
        [at(0), at(1), at(2), at(3)]
    }

    /// Both sides of Lemma 4.1 or 4.2 at T = 2: G_T and the suboptimality, or G_T and the sum of the regrets.
    pub fn discounted_sides(&self, which: Lemma, theta: &[T], beta: &[T], scratch: &mut [T]) -> Result<[T; 2]> {
        use discounted::duality_gap::{Comparators, Iterates, average_suboptimality, dynamic_duality_gap};
        use discounted::regret::{beta_regret, policy_regret, theta_regret};
        let mdp = self.mdp()?;
        let saddle = discounted::lagrangian::Saddle::new(mdp, &self.power)?;
        let iterates = Iterates::new(&mdp, theta, beta, &self.policies)?;
        let stars = Comparators { policy: &self.comparator, beta: &self.beta_star, thetas: &self.theta_stars };
        let gap = dynamic_duality_gap(&saddle, &iterates, &stars, scratch)?;
        let other = match which {
            Lemma::Suboptimality => average_suboptimality(&mdp, &self.comparator, &iterates, scratch)?,
            Lemma::Regrets => {
                theta_regret(&saddle, &iterates, &stars, scratch)?
                    + beta_regret(&saddle, &iterates, &stars, scratch)?
                    + policy_regret(&mdp, &iterates, &self.comparator, scratch)?
            }
        };
        Ok([gap, other])
    }

    /// Both sides of Lemma C.3 or C.4, the same in the average-reward setting.
    pub fn average_sides(&self, which: Lemma, rhos: &[T], theta: &[T], beta: &[T], s: &mut [T]) -> Result<[T; 2]> {
        use average_reward::duality_gap::{Comparators, Iterates, average_suboptimality, dynamic_duality_gap};
        use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
        let mdp = self.mdp()?;
        let saddle = average_reward::lagrangian::Saddle::new(mdp, &self.varrho, &self.power)?;
        let iterates = Iterates::new(&mdp, rhos, theta, beta, &self.policies)?;
        let stars = Comparators {
            policy: &self.comparator,
            beta: &self.beta_star,
            rhos: &self.rho_stars,
            thetas: &self.theta_stars,
        };
        let gap = dynamic_duality_gap(&saddle, &iterates, &stars, s)?;
        let other = match which {
            Lemma::Suboptimality => average_suboptimality(&mdp, &self.comparator, &iterates, s)?,
            Lemma::Regrets => {
                theta_regret(&saddle, &iterates, &stars, s)?
                    + rho_regret(&saddle, &iterates, &stars, s)?
                    + beta_regret(&saddle, &iterates, &stars, s)?
                    + policy_regret(&mdp, &iterates, &self.comparator, s)?
            }
        };
        Ok([gap, other])
    }
}
