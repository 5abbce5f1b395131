//! Named instances, embedded as small exact rationals and instantiable at any scalar.
//!
//! Each is a model of Definition 2.1 with a behaviour policy; where Λ has a rational square root it is given, so that
//! c = 1/2 can be checked exactly. The tables are integers over one common denominator.

use crate::error::{Error, Result};
use crate::linear::vector::{all_finite, take};
use crate::number::Field;
use crate::paper::mdp::{LinearMdp, Shape};

/// Numbers over a common denominator.
#[derive(Debug, Clone, Copy)]
struct Table {
    denominator: i64,
    numerators: &'static [i64],
}

const fn over(denominator: i64, numerators: &'static [i64]) -> Table {
    Table { denominator, numerators }
}

impl Table {
    fn write<T: Field>(&self, out: &mut [T]) {
        for (entry, &n) in out.iter_mut().zip(self.numerators) {
            *entry = T::ratio(n, self.denominator);
        }
    }
}

/// How an instance's model is given.
#[derive(Debug, Clone, Copy)]
enum Model {
    /// φ(x, a) is the unit vector of (x, a), so ω = r and Ψ = P.
    Tabular {
        /// |X||A|.
        reward: Table,
        /// |X||A| rows of |X|.
        transition: Table,
    },
    Linear {
        /// |X||A| rows of d.
        features: Table,
        /// d.
        omega: Table,
        /// |X| rows of d.
        psi: Table,
    },
}

/// A named model with its behaviour policy.
#[derive(Debug)]
pub struct Instance {
    name: &'static str,
    description: &'static str,
    shape: Shape,
    model: Model,
    initial: Table,
    discount: (i64, i64),
    behavior: Table,
    root: Option<Table>,
    average: bool,
}

/// Every embedded instance; the first is the default.
#[must_use]
pub fn all() -> &'static [Instance] {
    &INSTANCES
}

/// The instance of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Instance> {
    INSTANCES.iter().find(|instance| instance.name == name)
}

impl Instance {
    /// What `by_name` finds it under.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One line.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.description
    }

    /// |X|, |A|, d.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether it also serves the average-reward setting: every policy unichain, and 1 in the span of Φ.
    #[must_use]
    pub fn is_average_reward(&self) -> bool {
        self.average
    }

    /// Whether Λ^{1/2} is rational and given. Where the instance also serves the average-reward setting, ν₀ is then
    /// stationary for the behaviour policy, so the root is that of both settings' Λ.
    #[must_use]
    pub fn has_root(&self) -> bool {
        self.root.is_some()
    }

    /// How many numbers [`Instance::write`] writes.
    #[must_use]
    pub const fn len(&self) -> usize {
        let Shape { states, dim, .. } = self.shape;
        let pairs = self.shape.pairs();
        let root = if self.root.is_some() { dim * dim } else { 0 };
        pairs * dim + dim + states * dim + states + 1 + pairs + root
    }

    /// Never: an instance has at least one state.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the instance into the first [`Instance::len`] elements of `buffer` and borrows it from there.
    pub fn write<'a, T: Field>(&self, mut buffer: &'a mut [T]) -> Result<View<'a, T>> {
        let Shape { states, dim, .. } = self.shape;
        let pairs = self.shape.pairs();
        let features = take(&mut buffer, pairs * dim)?;
        let omega = take(&mut buffer, dim)?;
        let psi = take(&mut buffer, states * dim)?;
        match self.model {
            Model::Linear { features: f, omega: o, psi: p } => {
                f.write(features);
                o.write(omega);
                p.write(psi);
            }
            Model::Tabular { reward, transition } => {
                reward.write(omega);
                for pair in 0..pairs {
                    features[pair * dim..(pair + 1) * dim].fill(T::zero());
                    features[pair * dim + pair] = T::one();
                    for x in 0..states {
                        psi[x * dim + pair] =
                            T::ratio(transition.numerators[pair * states + x], transition.denominator);
                    }
                }
            }
        }
        let initial = take(&mut buffer, states)?;
        self.initial.write(initial);
        let discount = take(&mut buffer, 1)?;
        discount[0] = T::ratio(self.discount.0, self.discount.1);
        let behavior = take(&mut buffer, pairs)?;
        self.behavior.write(behavior);
        let root = match &self.root {
            None => None,
            Some(table) => {
                let root = take(&mut buffer, dim * dim)?;
                table.write(root);
                Some(&*root)
            }
        };
        let view = View { shape: self.shape, features, omega, psi, initial, discount: &discount[0], behavior, root };
        view.fits()?;
        Ok(view)
    }

    /// The instance in buffers of its own.
    #[cfg(feature = "std")]
    pub fn to_owned<T: Field>(&self) -> Result<Owned<T>> {
        let mut buffer = vec![T::zero(); self.len()];
        let view = self.write(&mut buffer)?;
        Ok(Owned {
            shape: view.shape,
            features: view.features.to_vec(),
            omega: view.omega.to_vec(),
            psi: view.psi.to_vec(),
            initial: view.initial.to_vec(),
            discount: view.discount.clone(),
            behavior: view.behavior.to_vec(),
            root: view.root.map(<[T]>::to_vec),
        })
    }
}

/// An instance at a scalar, in a caller's buffer.
#[derive(Debug, Clone, Copy)]
pub struct View<'a, T> {
    /// |X|, |A|, d.
    pub shape: Shape,
    /// Φ.
    pub features: &'a [T],
    /// ω.
    pub omega: &'a [T],
    /// Row x is ψ(x).
    pub psi: &'a [T],
    /// ν₀.
    pub initial: &'a [T],
    /// γ.
    pub discount: &'a T,
    /// π_B.
    pub behavior: &'a [T],
    /// Λ^{1/2}, where it is rational.
    pub root: Option<&'a [T]>,
}

impl<'a, T: Field> View<'a, T> {
    /// The model.
    pub fn linear_mdp(&self) -> Result<LinearMdp<'a, T>> {
        LinearMdp::new(self.shape, self.features, self.omega, self.psi, self.initial, self.discount)
    }

    /// Every number fits the scalar: an 8-bit rational is too small for some.
    fn fits(&self) -> Result<()> {
        all_finite("features", self.features)?;
        all_finite("omega", self.omega)?;
        all_finite("psi", self.psi)?;
        all_finite("initial", self.initial)?;
        all_finite("behavior", self.behavior)?;
        all_finite("square root of Λ", self.root.unwrap_or(&[]))?;
        if self.discount.is_valid() { Ok(()) } else { Err(Error::NotFinite { what: "discount", index: Error::SCALAR }) }
    }
}

/// An instance at a scalar, in buffers of its own.
#[cfg(feature = "std")]
#[derive(Debug, Clone)]
pub struct Owned<T> {
    /// |X|, |A|, d.
    pub shape: Shape,
    /// Φ.
    pub features: std::vec::Vec<T>,
    /// ω.
    pub omega: std::vec::Vec<T>,
    /// Row x is ψ(x).
    pub psi: std::vec::Vec<T>,
    /// ν₀.
    pub initial: std::vec::Vec<T>,
    /// γ.
    pub discount: T,
    /// π_B.
    pub behavior: std::vec::Vec<T>,
    /// Λ^{1/2}, where it is rational.
    pub root: Option<std::vec::Vec<T>>,
}

#[cfg(feature = "std")]
impl<T: Field> Owned<T> {
    /// The model.
    pub fn linear_mdp(&self) -> Result<LinearMdp<'_, T>> {
        LinearMdp::new(self.shape, &self.features, &self.omega, &self.psi, &self.initial, &self.discount)
    }
}

/// |X|, |A|, d.
const fn shape(states: usize, actions: usize, dim: usize) -> Shape {
    Shape { states, actions, dim }
}

/// ν₀ is stationary for π_B, so μ_B = (16, 4, 4, 1)/25 at every γ and in the average-reward setting alike, and its
/// entries are squares.
const TWO_STATE: Instance = Instance {
    name: "two-state",
    description: "2 states, 2 actions, tabular; Λ has a rational root; both settings; against print in erratum 5",
    shape: shape(2, 2, 4),
    model: Model::Tabular { reward: over(4, &[1, 0, 4, 2]), transition: over(8, &[7, 1, 4, 4, 6, 2, 8, 0]) },
    initial: over(5, &[4, 1]),
    discount: (9, 10),
    behavior: over(5, &[4, 1, 4, 1]),
    root: Some(over(5, &[4, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1])),
    average: true,
};

/// Features divided by √μ_B.
const WHITENED: Instance = Instance {
    name: "whitened",
    description: "two-state with features scaled by 1/√μ_B, so that Λ = I and c plays no part; both settings",
    shape: shape(2, 2, 4),
    model: Model::Linear {
        features: over(4, &[5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 10, 0, 0, 0, 0, 20]),
        omega: over(10, &[2, 0, 4, 1]),
        psi: over(20, &[14, 4, 6, 4, 2, 4, 2, 0]),
    },
    initial: over(5, &[4, 1]),
    discount: (9, 10),
    behavior: over(5, &[4, 1, 4, 1]),
    root: Some(over(1, &[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])),
    average: true,
};

/// State-actions fall into two classes, of mass 16/25 and 9/25; their unit vectors are rotated by the 3-4-5 angle.
const ROTATED: Instance = Instance {
    name: "rotated",
    description: "2 states, 2 actions in 2 classes, features rotated: Λ and its rational root are full; both settings",
    shape: shape(2, 2, 2),
    model: Model::Linear {
        features: over(5, &[3, 4, -4, 3, -4, 3, -4, 3]),
        omega: over(20, &[-9, 13]),
        psi: over(120, &[-1, 132, -23, 36]),
    },
    initial: over(5, &[4, 1]),
    discount: (3, 4),
    behavior: over(5, &[4, 1, 4, 1]),
    root: Some(over(125, &[84, 12, 12, 91])),
    average: true,
};

const CHAIN: Instance = Instance {
    name: "chain",
    description: "5 states in a row, left or right, tabular; the reward is at the far end",
    shape: shape(5, 2, 10),
    model: Model::Tabular {
        reward: over(10, &[1, 0, 0, 0, 0, 0, 0, 0, 0, 10]),
        transition: over(
            4,
            &[
                4, 0, 0, 0, 0, 1, 3, 0, 0, 0, // from 0
                3, 1, 0, 0, 0, 0, 1, 3, 0, 0, // from 1
                0, 3, 1, 0, 0, 0, 0, 1, 3, 0, // from 2
                0, 0, 3, 1, 0, 0, 0, 0, 1, 3, // from 3
                0, 0, 0, 3, 1, 0, 0, 0, 0, 4, // from 4
            ],
        ),
    },
    initial: over(1, &[1, 0, 0, 0, 0]),
    discount: (9, 10),
    behavior: over(2, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    root: None,
    average: false,
};

const LOW_RANK: Instance = Instance {
    name: "low-rank",
    description: "4 states, 2 actions, 3 features: mixtures of three transition laws",
    shape: shape(4, 2, 3),
    model: Model::Linear {
        features: over(4, &[4, 0, 0, 0, 4, 0, 2, 2, 0, 0, 2, 2, 1, 2, 1, 0, 0, 4, 2, 0, 2, 1, 1, 2]),
        omega: over(2, &[0, 1, 2]),
        psi: over(4, &[2, 0, 1, 1, 2, 0, 1, 1, 1, 0, 1, 2]),
    },
    initial: over(2, &[1, 1, 0, 0]),
    discount: (4, 5),
    behavior: over(4, &[2, 2, 1, 3, 3, 1, 2, 2]),
    root: None,
    average: false,
};

const PARTIAL_COVERAGE: Instance = Instance {
    name: "partial-coverage",
    description: "3 states, 2 actions, 3 features: the data miss (1,1) and (2,1), which the optimal policy does not need",
    shape: shape(3, 2, 3),
    model: Model::Linear {
        features: over(2, &[2, 0, 0, 0, 2, 0, 0, 1, 1, 1, 1, 0, 0, 0, 2, 1, 0, 1]),
        omega: over(2, &[0, 1, 2]),
        psi: over(4, &[2, 0, 1, 2, 2, 1, 0, 2, 2]),
    },
    initial: over(1, &[1, 0, 0]),
    discount: (3, 4),
    behavior: over(2, &[1, 1, 2, 0, 2, 0]),
    root: None,
    average: false,
};

/// π_B is the optimal policy, and its ν₀ is stationary: μ_B = μ* = (0, 16, 0, 9)/25, so Λ is singular and the proof's Λ^cβ* = Φᵀμ*
/// has a solution all the same.
const HALF_SEEN: Instance = Instance {
    name: "half-seen",
    description: "2 states, 2 actions, tabular: the data miss half of the pairs, so Λ is singular, but none that π* needs; both settings",
    shape: shape(2, 2, 4),
    model: Model::Tabular { reward: over(4, &[0, 2, 1, 4]), transition: over(32, &[32, 0, 23, 9, 24, 8, 16, 16]) },
    initial: over(25, &[16, 9]),
    discount: (1, 2),
    behavior: over(1, &[0, 1, 0, 1]),
    root: Some(over(5, &[0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3])),
    average: true,
};

const ERGODIC: Instance = Instance {
    name: "ergodic",
    description: "3 states, 2 actions, 3 features, every transition possible: for the average-reward setting",
    shape: shape(3, 2, 3),
    model: Model::Linear {
        features: over(4, &[4, 0, 0, 1, 3, 0, 0, 4, 0, 0, 2, 2, 0, 0, 4, 2, 0, 2]),
        omega: over(10, &[1, 5, 9]),
        psi: over(8, &[4, 2, 1, 3, 4, 3, 1, 2, 4]),
    },
    initial: over(3, &[1, 1, 1]),
    discount: (9, 10),
    behavior: over(4, &[1, 3, 2, 2, 3, 1]),
    root: None,
    average: true,
};

/// φ(a) = (1, ±1/10, ±1/10, ±1/10) with the signs of a Hadamard matrix, taken uniformly: Λ is diagonal and
/// φᵀΛ⁻¹φ = d = 4 for every action.
const NEARLY_COLLINEAR: Instance = Instance {
    name: "nearly-collinear",
    description: "1 state, 4 actions, γ = 0, 4 nearly collinear features: against print in errata 1 and 2",
    shape: shape(1, 4, 4),
    model: Model::Linear {
        features: over(10, &[10, 1, 1, 1, 10, -1, 1, -1, 10, 1, -1, -1, 10, -1, -1, 1]),
        omega: over(1, &[1, 0, 0, 0]),
        psi: over(1, &[1, 0, 0, 0]),
    },
    initial: over(1, &[1]),
    discount: (0, 1),
    behavior: over(4, &[1, 1, 1, 1]),
    root: Some(over(10, &[10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])),
    average: true,
};

/// Two absorbing states with φ = (1, ±5/12), ψ = (1/2, ±6/5). In Σ_x ψ(x) = (1, 0) the second component cancels, so
/// print's D_θ = D_ω + D_ψ/(1−γ) = 13/10 + 10, while θ^π = 10 ω has norm 13.
const CANCELLING: Instance = Instance {
    name: "cancelling-psi",
    description: "2 absorbing states, 1 action, signed ψ that cancels in its sum: against print in erratum 3",
    shape: shape(2, 1, 2),
    model: Model::Linear {
        features: over(12, &[12, 5, 12, -5]),
        omega: over(10, &[5, 12]),
        psi: over(10, &[5, 12, 5, -12]),
    },
    initial: over(2, &[1, 1]),
    discount: (9, 10),
    behavior: over(1, &[1, 1]),
    root: Some(over(12, &[12, 0, 0, 5])),
    average: false,
};

/// Tabular features times 4 with μ_B uniform on two actions: C_{φ,1} = 1/4 < ‖β*‖ = 1/2, and C_{φ,1/2} = 2 > C_{φ,1}.
const RESCALED: Instance = Instance {
    name: "rescaled",
    description: "1 state, 2 actions, tabular features times 4: against print in errata 4 and 6",
    shape: shape(1, 2, 2),
    model: Model::Linear { features: over(1, &[4, 0, 0, 4]), omega: over(4, &[1, 0]), psi: over(4, &[1, 1]) },
    initial: over(1, &[1]),
    discount: (1, 2),
    behavior: over(2, &[1, 1]),
    root: None,
    average: true,
};

static INSTANCES: [Instance; 11] = [
    TWO_STATE,
    WHITENED,
    ROTATED,
    CHAIN,
    LOW_RANK,
    PARTIAL_COVERAGE,
    HALF_SEEN,
    ERGODIC,
    NEARLY_COLLINEAR,
    CANCELLING,
    RESCALED,
];
