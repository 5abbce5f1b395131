//! A pass: a loop over numbers, eight lanes at a time, compiled for each vector unit and for each remainder of d by eight, and
//! chosen when it runs.
//!
//! The lanes are `pulp`'s, because a compiler that is left to find them finds others. A remainder known to the compiler is a few
//! instructions without a loop, so that d = 20 costs what 20 numbers cost. Everything that a pass calls has to be inlined into it.

use pulp::{Simd, f64x8};

/// A unit, by whose operations eight numbers are added, multiplied, … at a time.
pub(super) trait Unit: Simd<f64s = f64x8> {}

impl<S: Simd<f64s = f64x8>> Unit for S {}

/// A loop over vectors of R^d.
pub(super) trait Pass {
    /// What it returns.
    type Output;

    /// Runs it, where d mod 8 is `R`. Implementations are `inline(always)`.
    fn run<S: Unit, const R: usize>(self, unit: S) -> Self::Output;
}

/// Runs a pass over vectors of R^d, `dim` being d, on the widest registers that the machine has.
pub(super) fn run<P: Pass>(dim: usize, pass: P) -> P::Output {
    dispatch(ByRemainder { dim, pass })
}

/// Runs a pass all of whose vectors are whole lines: there is one remainder, 0, to compile.
pub(super) fn run_lines<P: Pass>(pass: P) -> P::Output {
    dispatch(pass)
}

fn dispatch<P: Pass>(pass: P) -> P::Output {
    #[cfg(target_arch = "x86_64")]
    {
        use pulp::x86::{V3, V3_512b, V4};
        if let Some(unit) = V4::try_new() {
            return unit.vectorize(
                #[inline(always)]
                || pass.run::<_, 0>(unit),
            );
        }
        if let Some(unit) = V3::try_new() {
            return unit.vectorize(
                #[inline(always)]
                || pass.run::<_, 0>(V3_512b(unit)),
            );
        }
    }
    pass.run::<_, 0>(pulp::Scalar512b)
}

/// A pass that is still to be told d mod 8.
struct ByRemainder<P> {
    dim: usize,
    pass: P,
}

impl<P: Pass> Pass for ByRemainder<P> {
    type Output = P::Output;

    #[inline(always)]
    fn run<S: Unit, const R: usize>(self, unit: S) -> P::Output {
        match self.dim % 8 {
            0 => self.pass.run::<_, 0>(unit),
            1 => self.pass.run::<_, 1>(unit),
            2 => self.pass.run::<_, 2>(unit),
            3 => self.pass.run::<_, 3>(unit),
            4 => self.pass.run::<_, 4>(unit),
            5 => self.pass.run::<_, 5>(unit),
            6 => self.pass.run::<_, 6>(unit),
            _ => self.pass.run::<_, 7>(unit),
        }
    }
}
