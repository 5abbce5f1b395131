//! Slices of any length, matched or not, in the public functions of the core: `Ok` or `Err`, never a panic or a read out of
//! bounds. The scalar is [`Abstract`], so the answer holds for every scalar and for whatever the slices contain.

use super::properties::{
    feature_table_checks_lengths, linear_mdp_checks_lengths, solvers_check_lengths, table_functions_check_lengths,
    vector_functions_check_lengths,
};
use super::scalars::{Fixed, operators};
use crate::mdp::Shape;
use crate::scalar::{Field, Real};
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Any scalar at all: a number is nothing but a place in memory, and every comparison and test of validity may come out either
/// way at every call.
#[derive(Clone, Copy, Debug)]
struct Abstract(u8);

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
        Self(0)
    }

    fn one() -> Self {
        Self(0)
    }

    fn from_int(_n: i64) -> Self {
        Self(0)
    }

    fn is_valid(&self) -> bool {
        kani::any()
    }

    fn rounding(_operations: usize) -> Self {
        Self(0)
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

/// Every function of `vector` checks its lengths.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(10)]
fn vector_lengths() {
    let (a, b, mut y) = ([Abstract(0); 4], [Abstract(0); 4], [Abstract(0); 4]);
    let (m, n, k) = (up_to(4), up_to(4), up_to(4));
    assert!(vector_functions_check_lengths(&a[..m], &b[..n], &mut y[..k], kani::any()));
    kani::cover!(m == 4 && n == 2 && k == 2, "a matrix and its vectors");
    kani::cover!(m == 0, "an empty slice");
}

/// Every function of `solve` checks its lengths.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(6)]
fn solver_lengths() {
    let (mut a, mut b) = ([Abstract(0); 5], [Abstract(0); 5]);
    let (n, rows, columns) = (up_to(2), up_to(5), up_to(5));
    assert!(solvers_check_lengths(n, &mut a[..rows], &mut b[..columns]));
    kani::cover!(n == 2 && rows == 4 && columns == 4, "an inverse");
    kani::cover!(n == 0, "no dimension");
}

/// Functions on X×A and policies check their lengths. The contents are 0, since policies assert what they sum to.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(11)]
fn table_lengths() {
    let (f, g, mut out) = ([Fixed::zero(); 4], [Fixed::zero(); 4], [Fixed::zero(); 4]);
    let (actions, m, n, k) = (up_to(2), up_to(4), up_to(4), up_to(4));
    assert!(table_functions_check_lengths(actions, &f[..m], &g[..n], &mut out[..k]));
    kani::cover!(actions == 2 && m == 4 && n == 4 && k == 2, "two states, two actions");
}

/// A linear MDP is built exactly where every length matches its shape, and its functions check theirs.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(10)]
fn linear_mdp_lengths() {
    let numbers = [Abstract(0); 9];
    let mut out = [Abstract(0); 9];
    let shape = Shape { states: up_to(2), actions: up_to(2), dim: up_to(2) };
    let (features, omega, psi, initial) = (up_to(9), up_to(3), up_to(5), up_to(3));
    let parts = [&numbers[..features], &numbers[..omega], &numbers[..psi], &numbers[..initial]];
    assert!(linear_mdp_checks_lengths(shape, parts, &numbers[..up_to(5)], &mut out[..up_to(9)]));
    kani::cover!(features == 8 && omega == 2 && psi == 4 && initial == 2 && shape.states == 2, "the largest shape");
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
