//! Lines of the boxes whose estimates are any numbers, at the fixed-point scalar; what projects, averages and adds up is the paper's.

use super::scalars::Fixed;
use crate::error::Result;
use crate::linear::vector::take;
use crate::paper::{average_reward, discounted, lines};

/// d, and |A|.
pub const DIM: usize = 2;
pub const ACTIONS: usize = 2;

/// Any of the numbers of `bits` bits.
pub fn any_fixed(bits: u32) -> Fixed {
    let (raw, half) = (kani::any(), 1 << (bits - 1));
    // Budget: so many bits; estimates have 8, [−8, 8).
    kani::assume(raw >= -half && raw < half);
    Fixed::from_raw(raw)
}

fn any_row<'s>(scratch: &mut &'s mut [Fixed]) -> Result<&'s mut [Fixed]> {
    let row = take(scratch, 2)?;
    (row[0], row[1]) = (any_fixed(8), any_fixed(8));
    Ok(row)
}

/// Policies, products, gradients and temporal differences are any.
#[derive(Debug)]
pub struct AnyGradients;

impl lines::Lines<Fixed> for AnyGradients {
    fn policy<'s>(
        &mut self,
        _alpha: &Fixed,
        _features: &[Fixed],
        _sum: &[Fixed],
        scratch: &mut &'s mut [Fixed],
    ) -> Result<&'s mut [Fixed]> {
        any_row(scratch)
    }

    fn product(&mut self, _phi: &[Fixed], _x: &[Fixed]) -> Result<Fixed> {
        Ok(any_fixed(8))
    }

    fn value(&mut self, _features: &[Fixed], _policy: &[Fixed], _theta: &[Fixed], _s: &mut [Fixed]) -> Result<Fixed> {
        Ok(any_fixed(8))
    }

    fn beta_gradient<'s>(
        &mut self,
        _weight: Option<&[Fixed]>,
        _phi: &[Fixed],
        _td_error: &Fixed,
        scratch: &mut &'s mut [Fixed],
    ) -> Result<&'s mut [Fixed]> {
        any_row(scratch)
    }
}

impl discounted::algorithm::Lines<Fixed> for AnyGradients {
    fn occupancy<'s>(
        &mut self,
        _discount: &Fixed,
        _policies: [&[Fixed]; 2],
        _w: &Fixed,
        scratch: &mut &'s mut [Fixed],
    ) -> Result<[&'s [Fixed]; 2]> {
        Ok([any_row(scratch)?, any_row(scratch)?])
    }

    fn mean_feature<'s>(
        &mut self,
        _features: [&[Fixed]; 2],
        _mu: [&[Fixed]; 2],
        _dim: usize,
        scratch: &mut &'s mut [Fixed],
    ) -> Result<&'s [Fixed]> {
        Ok(any_row(scratch)?)
    }

    fn theta_gradient<'s>(
        &mut self,
        _mean: &[Fixed],
        _phi: &[Fixed],
        _w: &Fixed,
        scratch: &mut &'s mut [Fixed],
    ) -> Result<&'s [Fixed]> {
        Ok(any_row(scratch)?)
    }

    fn td_error(&mut self, _discount: &Fixed, _reward: &Fixed, _value: &Fixed, _prediction: &Fixed) -> Result<Fixed> {
        Ok(any_fixed(8))
    }
}

impl average_reward::algorithm::Lines<Fixed> for AnyGradients {
    fn draw(&mut self, _policy: &[Fixed], _u: &Fixed) -> Result<usize> {
        Ok(usize::from(kani::any::<bool>()))
    }

    fn rho_gradient(&mut self, _w: &Fixed) -> Result<Fixed> {
        Ok(any_fixed(8))
    }

    fn theta_gradient<'s>(
        &mut self,
        _phi: &[Fixed],
        _next: &[Fixed],
        _w: &Fixed,
        scratch: &mut &'s mut [Fixed],
    ) -> Result<&'s [Fixed]> {
        Ok(any_row(scratch)?)
    }

    fn td_error(&mut self, _reward: &Fixed, _value: &Fixed, _prediction: &Fixed, _rho: &Fixed) -> Result<Fixed> {
        Ok(any_fixed(8))
    }
}
