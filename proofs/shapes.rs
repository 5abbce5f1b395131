//! Slices of right and wrong lengths in public functions of the core: `Ok` or `Err`, never a panic or a read out of bounds. The
//! scalar is [`Abstract`], so the answer holds for every scalar and for whatever the slices contain.

use super::lengths::{feature_table_checks_lengths, models_refuse, vectors_refuse};
use super::scalars::{Fixed, operators};
use crate::mdp::Shape;
use crate::scalar::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Any scalar at all: a number is nothing, and every comparison and test of validity may come out either way at every call.
#[derive(Clone, Copy, Debug)]
struct Abstract;

operators!(Abstract, Add add = with, Sub sub = with, Mul mul = with, Div div = with);

impl Abstract {
    fn with(self, _other: Self) -> Self {
        self
    }
}

impl Neg for Abstract {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

impl PartialEq for Abstract {
    fn eq(&self, _other: &Self) -> bool {
        kani::any()
    }
}

impl PartialOrd for Abstract {
    fn partial_cmp(&self, _other: &Self) -> Option<Ordering> {
        match kani::any::<u8>() {
            0 => Some(Ordering::Less),
            1 => Some(Ordering::Equal),
            2 => Some(Ordering::Greater),
            _ => None,
        }
    }
}

impl Field for Abstract {
    fn zero() -> Self {
        Self
    }

    fn one() -> Self {
        Self
    }

    fn from_int(_n: i64) -> Self {
        Self
    }

    fn is_valid(&self) -> bool {
        kani::any()
    }

    fn rounding(_operations: usize) -> Self {
        Self
    }

    fn better_pivot(&self, _other: &Self) -> bool {
        kani::any()
    }
}

impl Real for Abstract {
    fn sqrt(&self) -> Self {
        *self
    }

    fn exp(&self) -> Self {
        *self
    }

    fn ln(&self) -> Self {
        *self
    }
}

fn up_to(bound: usize) -> usize {
    let n: usize = kani::any();
    // Budget: small shapes.
    kani::assume(n <= bound);
    n
}

/// The largest shape.
const SHAPE: Shape = Shape { states: 2, actions: 2, dim: 2 };

/// Inner product, sum, norms, finiteness, scratch: vectors of 3 numbers.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(10)]
fn vector_lengths() {
    let holds = vectors_refuse(Abstract, 3);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// Models, tabular and linear, at (2, 2, 2), and with no actions or features.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
fn model_lengths() {
    let holds = models_refuse(Abstract, SHAPE);
    assert!(holds);
    kani::cover!(holds, "the end is reached");
}

/// A table of features is built exactly where its length is a multiple of |A|d, and has exactly its states.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(10)]
fn feature_table_lengths() {
    let rows = [Fixed::zero(); 8];
    let length = up_to(8);
    let (actions, dim, x) = (up_to(3), up_to(3), kani::any());
    assert!(feature_table_checks_lengths(actions, dim, &rows[..length], x));
    kani::cover!(length == 8 && actions == 2 && dim == 2 && x == usize::MAX, "a state beyond any");
}
