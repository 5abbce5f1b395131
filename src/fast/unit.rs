//! A pass: a loop over numbers, eight lanes at a time, compiled for each vector unit and chosen when it runs.
//!
//! The lanes are `pulp`'s, because a compiler that is left to find them finds others. Everything that a pass calls has to be inlined
//! into it.

use pulp::{Simd, f64x8};

/// A unit, by whose operations eight numbers are added, multiplied, … at a time.
pub(super) trait Unit: Simd<f64s = f64x8> {}

impl<S: Simd<f64s = f64x8>> Unit for S {}

/// A loop over vectors of R^d.
pub(super) trait Pass {
    /// What it returns.
    type Output;

    /// Runs it. Implementations are `inline(always)`.
    fn run<S: Unit>(self, unit: S) -> Self::Output;
}

/// Runs a pass on the widest registers that the machine has.
pub(super) fn run<P: Pass>(pass: P) -> P::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use pulp::x86::{V3, V3_512b, V4};
        if let Some(unit) = V4::try_new() {
            return unit.vectorize(
                #[inline(always)]
                || pass.run(unit),
            );
        }
        if let Some(unit) = V3::try_new() {
            return unit.vectorize(
                #[inline(always)]
                || pass.run(V3_512b(unit)),
            );
        }
    }
    pass.run(pulp::Scalar512b)
}

/// `$body` with `$R` known to the compiler: what is left of d when whole lines are taken off. A rest is then a few instructions without a
/// loop, and only what handles it is compiled eight times.
macro_rules! by_rest {
    ($rest:expr, $R:ident => $body:expr) => {
        by_rest!($rest, $R => $body, 0 1 2 3 4 5 6)
    };
    ($rest:expr, $R:ident => $body:expr, $($r:literal)*) => {
        match $rest {
            $($r => {
                const $R: usize = $r;
                $body
            })*
            _ => {
                const $R: usize = 7;
                $body
            }
        }
    };
}
pub(super) use by_rest;
