//! Stands for checks that pass: what they would refuse is a panic here, which Kani would find. (An `Error` has some fifty fields, and CBMC copies each at
//! every `?`: that was half of all its steps.)

use crate::error::Result;
use crate::number::Field;

/// Stands for `expect_len`.
pub fn is_len(_what: &'static str, expected: usize, found: usize) -> Result<()> {
    assert!(expected == found);
    Ok(())
}

/// Stands for `take`.
pub fn split<'a, T>(scratch: &mut &'a mut [T], n: usize) -> Result<&'a mut [T]> {
    let (front, rest) = core::mem::take(scratch).split_at_mut(n);
    *scratch = rest;
    Ok(front)
}

/// Stands for `finite`.
pub fn number<T: Field>(_what: &'static str, x: T) -> Result<T> {
    assert!(x.is_valid());
    Ok(x)
}

/// Stands for `all_finite`.
pub fn numbers<T: Field>(_what: &'static str, a: &[T]) -> Result<()> {
    let mut i = 0;
    while i < a.len() {
        assert!(a[i].is_valid());
        i += 1;
    }
    Ok(())
}
