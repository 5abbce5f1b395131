//! A = N − γΣφ(x,a)φ_π(x')ᵀ, LSTDQ's matrix for one policy, factored.
//!
//! With U the columns u(x') = Σφ of the rows that lead to x', and V the columns φ_π(x'), A = N − γUVᵀ. Where N is diagonal and fewer states than
//! components were seen as next ones, Ax = b is a system in those: Mv = VᵀN⁻¹b with M = I − γVᵀN⁻¹U, then x = N⁻¹(b + γUv).

use super::lstdq::Evaluator;
use super::normal::SINGULAR;
use crate::error::{Result, expect_len};
use nalgebra::{DMatrix, DVector, Dyn, LU};

pub(super) struct System<'e, 'a> {
    rows: &'e Evaluator<'a>,
    policy: &'e [f64],
    /// Of A, or of M.
    factors: LU<f64, Dyn, Dyn>,
    /// N's diagonal where the factors are of M.
    by_states: Option<&'e DVector<f64>>,
}

impl<'e, 'a> System<'e, 'a> {
    /// The policy is a table of |X| rows of |A|.
    pub(super) fn new(rows: &'e Evaluator<'a>, policy: &'e [f64]) -> Result<Self> {
        expect_len("policy", rows.batch().shape.pairs(), policy.len())?;
        let by_states = rows.by_states();
        let matrix = match by_states {
            Some(diagonal) if diagonal.iter().any(|n| *n <= 0.0) => return Err(SINGULAR),
            Some(diagonal) => among_states(rows, diagonal, policy),
            None => among_components(rows, policy),
        };
        Ok(Self { rows, policy, factors: matrix.lu(), by_states })
    }

    /// A⁻¹b.
    pub(super) fn solve(&self, b: &DVector<f64>) -> Result<DVector<f64>> {
        let Some(diagonal) = self.by_states else { return finite(self.factors.solve(b)) };
        let start = b.component_div(diagonal);
        let arrivals = self.rows.arrivals();
        let value = |(next, _): &(usize, _)| self.rows.batch().policy_value(self.policy, *next, start.as_slice());
        let v = finite(self.factors.solve(&DVector::from_iterator(arrivals.len(), arrivals.iter().map(value))))?;
        let mut sum = b.clone();
        for ((_, u), v) in arrivals.iter().zip(v.iter()) {
            for (i, u) in u {
                sum[*i] += self.rows.batch().discount * v * u;
            }
        }
        finite(Some(sum.component_div(diagonal)))
    }

    /// A⁻ᵀg.
    pub(super) fn solve_transposed(&self, g: &DVector<f64>) -> Result<DVector<f64>> {
        let Some(diagonal) = self.by_states else { return finite(transposed(&self.factors, g)) };
        let start = g.component_div(diagonal);
        let arrivals = self.rows.arrivals();
        let flow = |(_, u): &(_, Vec<(usize, f64)>)| u.iter().map(|(i, u)| u * start[*i]).sum();
        let flows = DVector::from_iterator(arrivals.len(), arrivals.iter().map(flow));
        let s = finite(transposed(&self.factors, &flows))?;
        let mut sum = g.clone();
        for ((next, _), s) in arrivals.iter().zip(s.iter()) {
            let batch = self.rows.batch();
            batch.add_policy_feature(self.policy, *next, batch.discount * s, sum.as_mut_slice());
        }
        finite(Some(sum.component_div(diagonal)))
    }
}

/// A.
fn among_components(rows: &Evaluator<'_>, policy: &[f64]) -> DMatrix<f64> {
    let (batch, mut a) = (rows.batch(), rows.normal().full());
    let mut mean = vec![0.0; batch.shape.dim];
    for (next, u) in rows.arrivals() {
        mean.fill(0.0);
        batch.add_policy_feature(policy, *next, -batch.discount, &mut mean);
        for (j, phi) in mean.iter().enumerate().filter(|(_, phi)| **phi != 0.0) {
            let mut column = a.column_mut(j);
            for (i, u) in u {
                column[*i] += u * phi;
            }
        }
    }
    a
}

/// M.
fn among_states(rows: &Evaluator<'_>, diagonal: &DVector<f64>, policy: &[f64]) -> DMatrix<f64> {
    let (batch, arrivals) = (rows.batch(), rows.arrivals());
    let mut m = DMatrix::identity(arrivals.len(), arrivals.len());
    // N⁻¹u of one next state at a time.
    let mut column = vec![0.0; batch.shape.dim];
    for (j, (_, u)) in arrivals.iter().enumerate() {
        for (i, u) in u {
            column[*i] = u / diagonal[*i];
        }
        for (i, (next, _)) in arrivals.iter().enumerate() {
            m[(i, j)] -= batch.discount * batch.policy_value(policy, *next, &column);
        }
        for (i, _) in u {
            column[*i] = 0.0;
        }
    }
    m
}

/// The solution of Fᵀx = b from the factors PF = LU.
fn transposed(factors: &LU<f64, Dyn, Dyn>, b: &DVector<f64>) -> Option<DVector<f64>> {
    let mut x = factors.l().tr_solve_lower_triangular(&factors.u().tr_solve_upper_triangular(b)?)?;
    factors.p().inv_permute_rows(&mut x);
    Some(x)
}

fn finite(x: Option<DVector<f64>>) -> Result<DVector<f64>> {
    x.filter(|x| x.iter().all(|x| x.is_finite())).ok_or(SINGULAR)
}
