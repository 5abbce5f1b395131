//! Lemmas 4.1 and 4.2: on a concrete model the residuals are 0 for all θ_t in 8-bit integers and every β_t in {0, 1}². They are affine
//! in β_t, so this decides every β_t.
//!
//! The scalar is Z/2⁶⁴, where nothing is needed but wrapping sums and products. Fractions with odd denominators live there too: 1/3
//! is the number whose triple is 1. What is shown of a residual, as a fraction with an odd denominator, is that 2⁶⁴ divides its
//! numerator. With |θ| ≤ 2⁷ the numerators stay below 2⁵⁰ (the common denominators of `frozen.rs` below 2³⁰), so they are 0.

use super::frozen::{CASES, Case, DISCOUNT, Frozen, INITIAL, OMEGA, Over, POWER, VARRHO};
use super::scalars::operators;
use crate::scalar::Field;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number modulo 2⁶⁴.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Residue(u64);

operators!(Residue, Add add = plus, Sub sub = minus, Mul mul = times, Div div = over);

impl Residue {
    fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    fn times(self, other: Self) -> Self {
        Self(self.0.wrapping_mul(other.0))
    }

    /// T = 1 is all the library divides by here.
    fn over(self, other: Self) -> Self {
        assert!(other.0 == 1);
        self
    }

    const fn of(n: i64) -> Self {
        Self(n.cast_unsigned())
    }

    /// n/d for an odd d: Newton's iteration doubles the right bits of 1/d, of which d itself has three.
    const fn ratio(n: i64, d: i64) -> Self {
        let d = d.cast_unsigned();
        assert!(d % 2 == 1);
        let (mut inverse, mut step) = (d, 0);
        while step < 5 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(d.wrapping_mul(inverse)));
            step += 1;
        }
        Self(n.cast_unsigned().wrapping_mul(inverse))
    }
}

impl Neg for Residue {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Field for Residue {
    fn zero() -> Self {
        Self(0)
    }

    fn one() -> Self {
        Self(1)
    }

    fn from_int(n: i64) -> Self {
        Self::of(n)
    }

    fn is_valid(&self) -> bool {
        true
    }

    fn rounding(_operations: usize) -> Self {
        Self(0)
    }
}

const fn row<const N: usize>((over, numerators): Over<N>) -> [Residue; N] {
    let (mut row, mut i) = ([Residue(0); N], 0);
    while i < N {
        row[i] = Residue::ratio(numerators[i], over);
        i += 1;
    }
    row
}

/// The case in Z/2⁶⁴, before the program runs: to the solver these are constants.
const fn residues(case: &Case) -> Frozen<Residue> {
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

const DISCOUNTED: Frozen<Residue> = residues(&CASES[0]);

fn any_number() -> Residue {
    let n: i8 = kani::any();
    kani::cover!(n == i8::MIN, "the least number");
    Residue::of(n.into())
}

/// 0 or 1.
fn any_corner() -> [Residue; 2] {
    let bits: [bool; 2] = kani::any();
    [Residue(bits[0].into()), Residue(bits[1].into())]
}

fn discounted(case: &Frozen<Residue>) {
    let (theta, beta) = ([any_number(), any_number()], any_corner());
    assert!(case.discounted_residuals(&theta, &beta, &mut [Residue(0); 32]) == Ok([Residue(0); 2]));
}

/// Lemmas 4.1 and 4.2 for all 8-bit θ_t and every β_t: features that are unit vectors.
#[kani::proof]
#[kani::solver(cadical)]
#[kani::unwind(10)]
fn lemmas_4_1_and_4_2_on_unit_features() {
    discounted(&DISCOUNTED);
}
