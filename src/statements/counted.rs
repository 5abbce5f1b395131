//! A double that counts the operations it takes part in, and Algorithm 1 run over it.

use super::case::{Case, Power};
use super::run::samples;
use crate::error::Result;
use crate::number::exact::BigRational as Q;
use crate::number::{Field, Real};
use crate::paper::discounted::algorithm::{Algorithm, Parameters, State};
use crate::paper::samples::{FeatureTable, Sample};
use core::cell::Cell;
use core::cmp::Ordering;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::thread_local;
use std::vec;
use std::vec::Vec;

thread_local! {
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
}

fn one_more<T>(result: T) -> T {
    OPERATIONS.with(|count| count.set(count.get() + 1));
    result
}

#[derive(Debug, Clone, Copy, Default)]
struct Counted(f64);

macro_rules! operators {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Counted {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                one_more(Self($operator::$method(self.0, other.0)))
            }
        }
        impl $operator<&Self> for Counted {
            type Output = Self;
            fn $method(self, other: &Self) -> Self {
                $operator::$method(self, *other)
            }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        one_more(Self(-self.0))
    }
}

impl AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Counted {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        one_more(self.0 == other.0)
    }
}

impl PartialOrd for Counted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        one_more(self.0.partial_cmp(&other.0))
    }
}

impl crate::number::elimination::Eliminate for Counted {}

impl Field for Counted {
    fn zero() -> Self {
        Self(0.0)
    }

    fn one() -> Self {
        Self(1.0)
    }

    fn from_int(n: i64) -> Self {
        Self(f64::from_int(n))
    }

    /// Not counted: that results are finite is this library's question, not the algorithm's.
    fn is_valid(&self) -> bool {
        self.0.is_finite()
    }

    fn rounding(operations: usize) -> Self {
        Self(f64::rounding(operations))
    }
}

impl Real for Counted {
    fn sqrt(&self) -> Self {
        one_more(Self(Real::sqrt(&self.0)))
    }

    fn exp(&self) -> Self {
        one_more(Self(Real::exp(&self.0)))
    }

    fn ln(&self) -> Self {
        one_more(Self(Real::ln(&self.0)))
    }
}

/// How many operations Algorithm 1 takes for K and T.
pub fn operations(case: &Case, power: &Power, inner: usize, outer: usize) -> Result<u64> {
    let shape = case.model.shape;
    let counted = |numbers: &[Q]| numbers.iter().map(|x| Counted(Q::to_f64(x))).collect::<Vec<Counted>>();
    let (features, weight) = (counted(&case.model.features), power.weight.as_deref().map(counted));
    let table = FeatureTable::new(shape.actions, shape.dim, &features)?;
    let [discount, rate, radius] = [case.discount().to_f64(), 0.125, 4.0].map(Counted);
    let (alpha, eta, zeta, radius_theta, radius_beta) = (rate, rate, rate, radius, radius);
    let parameters = Parameters { discount, alpha, eta, zeta, radius_theta, radius_beta, inner };
    let mut buffer = vec![Counted(0.0); State::<Counted>::buffer_len(shape.actions, shape.dim)];
    let mut state = State::new(shape.actions, shape.dim, &mut buffer)?;
    let algorithm = Algorithm::new(&table, weight.as_deref(), &parameters)?;
    let counted = |Sample { x0, x, a, r, x_next, u }| Sample { x0, x, a, r: Counted(r), x_next, u: Counted(u) };
    let rows: Vec<Sample<Counted>> = samples(case)?.take(inner * outer).map(counted).collect();
    OPERATIONS.with(|count| count.set(0));
    algorithm.run(&mut state, outer, rows, &mut ())?;
    Ok(OPERATIONS.with(Cell::get))
}

#[cfg(test)]
mod tests {
    use super::{Counted, OPERATIONS};
    use crate::number::{Field as _, Real as _};
    use core::cell::Cell;

    /// Every operation counts once, however it is written, and gives what doubles give.
    #[test]
    fn every_operation_counts_once() {
        let (six, two) = (Counted(6.0), Counted(2.0));
        let assigned = |by: fn(&mut Counted, Counted)| {
            let mut number = six;
            by(&mut number, two);
            number
        };
        let truth = |holds: bool| Counted(f64::from(u8::from(holds)));
        let operations: [(&dyn Fn() -> Counted, f64); 13] = [
            (&|| six + two, 8.0),
            (&|| six - two, 4.0),
            (&|| six * two, 12.0),
            (&|| six / two, 3.0),
            (&|| -six, -6.0),
            (&|| assigned(|number, other| *number += other), 8.0),
            (&|| assigned(|number, other| *number -= other), 4.0),
            (&|| truth(six == two), 0.0),
            (&|| truth(two == Counted(2.0)), 1.0),
            (&|| truth(six > two), 1.0),
            (&|| Counted(4.0).sqrt(), 2.0),
            (&|| Counted(0.0).exp(), 1.0),
            (&|| Counted(1.0).ln(), 0.0),
        ];
        for (i, (operation, result)) in operations.iter().enumerate() {
            let before = OPERATIONS.with(Cell::get);
            assert_eq!((operation().0, OPERATIONS.with(Cell::get) - before), (*result, 1), "operation {i}");
        }
        let before = OPERATIONS.with(Cell::get);
        assert!(six.is_valid() && !Counted(f64::NAN).is_valid());
        assert_eq!(OPERATIONS.with(Cell::get), before);
    }
}
