//! How a function's result is written: component by component, into room taken from the caller's scratch.

use crate::error::{Result, expect_len};
use crate::linear::vector::{all_finite, take};
use crate::number::Field;

/// The vector (f(0), …, f(n−1)).
pub(crate) fn vector<'s, T: Field>(
    what: &'static str,
    n: usize,
    scratch: &mut &'s mut [T],
    f: impl FnMut(usize) -> T,
) -> Result<&'s mut [T]> {
    fill(what, take(scratch, n)?, f)
}

/// The same in room that was taken before: a result outlives the temporaries it is made of, so it is taken first.
pub(crate) fn fill<'s, T: Field>(
    what: &'static str,
    out: &'s mut [T],
    mut f: impl FnMut(usize) -> T,
) -> Result<&'s mut [T]> {
    for (i, component) in out.iter_mut().enumerate() {
        *component = f(i);
    }
    finite_vector(what, out)
}

/// The n components that `f` computes; what else it took from the scratch is given back.
pub(crate) fn keep<'s, T: Clone>(
    n: usize,
    scratch: &mut &'s mut [T],
    f: impl for<'r> FnOnce(&mut &'r mut [T]) -> Result<&'r mut [T]>,
) -> Result<&'s mut [T]> {
    let out = take(scratch, n)?;
    let result = f(&mut &mut **scratch)?;
    expect_len("result", n, result.len())?;
    out.clone_from_slice(result);
    Ok(out)
}

/// A result, if all its components are numbers.
pub(crate) fn finite_vector<'s, T: Field>(what: &'static str, out: &'s mut [T]) -> Result<&'s mut [T]> {
    all_finite(what, out)?;
    Ok(out)
}

/// A copy.
pub(crate) fn copy<'s, T: Clone>(a: &[T], scratch: &mut &'s mut [T]) -> Result<&'s mut [T]> {
    let out = take(scratch, a.len())?;
    out.clone_from_slice(a);
    Ok(out)
}

/// The entry of the identity matrix of n columns, stored by rows.
pub(crate) fn identity<T: Field>(n: usize, index: usize) -> T {
    if index / n == index % n { T::one() } else { T::zero() }
}
