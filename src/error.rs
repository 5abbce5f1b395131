//! What can be wrong with a caller's data, as one value type.

use core::fmt;

/// The result of every fallible function of this crate.
pub type Result<V> = core::result::Result<V, Error>;

/// Why a function refused its input, and where.
///
/// `what` names the argument as the paper does ("theta", "mu_B", "row of P").
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A slice has the wrong length.
    Length {
        /// The argument.
        what: &'static str,
        /// The length its shape asks for.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// The caller's scratch slice is too short.
    Scratch {
        /// How many more elements were asked for.
        needed: usize,
        /// How many were left.
        left: usize,
    },
    /// A value is NaN or infinite, or a fixed-width rational overflowed.
    NotFinite {
        /// The argument or result.
        what: &'static str,
        /// Its component, or [`Error::SCALAR`].
        index: usize,
    },
    /// An iterate of an algorithm is no longer finite.
    Diverged {
        /// The outer iteration, from 1.
        t: usize,
        /// The inner iteration, from 1 (0: the outer step).
        k: usize,
        /// The variable.
        what: &'static str,
    },
    /// A matrix that has to be inverted is singular.
    Singular {
        /// The matrix.
        what: &'static str,
        /// Its rank, as far as elimination came.
        rank: usize,
    },
    /// A right side is not in the range of a singular matrix.
    NotInRange {
        /// The matrix.
        what: &'static str,
    },
    /// Λ is singular to working precision.
    NearSingular {
        /// Its smallest eigenvalue, as computed.
        smallest_eigenvalue: f64,
        /// The least value that is accepted.
        expected_at_least: f64,
    },
    /// A component lies outside its range.
    OutOfRange {
        /// The argument.
        what: &'static str,
        /// Its component, or [`Error::SCALAR`].
        index: usize,
        /// The range, in words.
        expected: &'static str,
    },
    /// A row that must be a distribution does not sum to one.
    NotNormalised {
        /// The argument.
        what: &'static str,
        /// Its row.
        row: usize,
    },
    /// Φ has not full column rank.
    RankDeficient {
        /// The rank found.
        rank: usize,
        /// The rank needed: the feature dimension d.
        dim: usize,
    },
    /// 1 is not in the column span of Φ (Assumption 5.2).
    OnesNotInSpan,
    /// A policy has more than one recurrent class, so its gain depends on the start.
    NotUnichain {
        /// The action each state takes, as base-|A| digits, state 0 lowest; `None` for a randomised policy.
        policy: Option<usize>,
    },
    /// The supplied matrix is not a square root of Λ.
    NotARoot {
        /// Row of the first entry of root·root that differs from Λ.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// A state or action index is too large.
    Index {
        /// The argument.
        what: &'static str,
        /// Its value.
        index: usize,
        /// The first value that is too large.
        below: usize,
    },
    /// A text is not what it should be.
    Syntax {
        /// What it stands for.
        what: &'static str,
        /// What was expected, in words.
        expected: &'static str,
    },
    /// A sample names a state that has no features.
    UnknownState {
        /// Which of the sample's states.
        what: &'static str,
        /// Its index.
        state: usize,
        /// The sample, counted from 0.
        row: usize,
    },
    /// A count that must be positive is zero.
    Empty {
        /// The count.
        what: &'static str,
    },
}

impl Error {
    /// The `index` of a number that is no component of anything: "K/T: out of range", not `K/T[3]: …`. (An `Option` in its place would make
    /// every error a word longer.)
    pub const SCALAR: usize = usize::MAX;
}

/// `[index]`, or nothing.
struct Place(usize);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == Error::SCALAR { Ok(()) } else { write!(f, "[{}]", self.0) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Length { what, expected, found } => {
                write!(f, "{what}: expected {expected} numbers, found {found}")
            }
            Self::Scratch { needed, left } => {
                write!(f, "scratch: expected room for {needed} more numbers, found {left}")
            }
            Self::NotFinite { what, index } => {
                write!(f, "{what}{}: expected a finite number (NaN, infinity or overflow found)", Place(index))
            }
            Self::Diverged { t, k, what } => {
                write!(f, "{what} is not finite at t = {t}, k = {k}: expected finite iterates")
            }
            Self::Singular { what, rank } => {
                write!(f, "{what}: expected an invertible matrix, elimination stopped at rank {rank}")
            }
            Self::NotInRange { what } => {
                write!(f, "{what}: the right side is not in its range, expected data that cover it")
            }
            Self::NearSingular { smallest_eigenvalue, expected_at_least } => {
                write!(f, "Λ: smallest eigenvalue {smallest_eigenvalue:e}, expected at least {expected_at_least:e}")
            }
            Self::OutOfRange { what, index, expected } => {
                write!(f, "{what}{}: out of range, expected {expected}", Place(index))
            }
            Self::NotNormalised { what, row } => {
                write!(f, "{what}, row {row}: expected numbers that sum to 1")
            }
            Self::RankDeficient { rank, dim } => {
                write!(f, "features: rank {rank}, expected full column rank {dim}")
            }
            Self::OnesNotInSpan => write!(
                f,
                "features: the all-ones vector is not in their column span, expected it to be (Assumption 5.2)"
            ),
            Self::NotUnichain { policy: Some(code) } => write!(
                f,
                "deterministic policy number {code} has several recurrent classes, expected every policy to be unichain"
            ),
            Self::NotUnichain { policy: None } => {
                write!(f, "policy: several recurrent classes, expected a unichain policy")
            }
            Self::NotARoot { row, column } => write!(
                f,
                "square root of Λ: its square differs from Λ at row {row}, column {column}, expected equality"
            ),
            Self::Index { what, index, below } => {
                write!(f, "{what}: index {index}, expected less than {below}")
            }
            Self::Syntax { what, expected } => write!(f, "{what}: expected {expected}"),
            Self::UnknownState { what, state, row } => {
                write!(f, "sample {row}: {what} = {state}, expected a state that has features")
            }
            Self::Empty { what } => write!(f, "{what}: 0, expected at least 1"),
        }
    }
}

impl core::error::Error for Error {}

/// `Err` unless `found == expected`.
pub(crate) fn expect_len(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
}

/// `Err` unless there is at least one.
pub(crate) fn expect_some(what: &'static str, count: usize) -> Result<()> {
    if count > 0 { Ok(()) } else { Err(Error::Empty { what }) }
}

/// `Err` unless `found` numbers are whole rows of `width`.
pub(crate) fn expect_rows(what: &'static str, width: usize, found: usize) -> Result<()> {
    if width > 0 && found.is_multiple_of(width) { Ok(()) } else { Err(Error::Length { what, expected: width, found }) }
}

/// [`expect_len`] of rows·columns numbers; a product beyond `usize` is no slice's length.
pub(crate) fn expect_table(what: &'static str, rows: usize, columns: usize, found: usize) -> Result<()> {
    match rows.checked_mul(columns) {
        Some(expected) => expect_len(what, expected, found),
        None => Err(Error::Length { what, expected: usize::MAX, found }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number that stands alone has no index; a component has its own, the first one too.
    #[test]
    fn single_numbers_are_named_without_an_index() {
        let told = |index| {
            let out_of_range = Error::OutOfRange { what: "K/T", index, expected: "a finite number >= 0" };
            [Error::NotFinite { what: "K/T", index }, out_of_range].map(|error| format!("{error}"))
        };
        assert!(told(Error::SCALAR).iter().all(|told| told.starts_with("K/T: ")), "{:?}", told(Error::SCALAR));
        assert!(told(0).iter().all(|told| told.starts_with("K/T[0]: ")), "{:?}", told(0));
        let refused = crate::paper::lines::validate_rate("eta", &f64::NAN).map_err(|e| format!("{e}"));
        assert_eq!(refused, Err("eta: out of range, expected a finite number >= 0".into()));
    }
}
