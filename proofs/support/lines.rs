//! Lines of the boxes that compute anything, so that what holds of a box with these holds whatever its lines compute; and that look at what they are given.

use super::ring::Ring;
use crate::error::{Error, Result};
use crate::linear::vector::take;
use crate::paper::{average_reward, discounted, lines};

/// d, and |A|.
pub const DIM: usize = 2;
pub const ACTIONS: usize = 2;

/// Places of θ and of β.
pub const THETA: usize = 0;
pub const BETA: usize = 1;

/// A vector of R^d.
pub type Point = [Ring; DIM];

fn point(x: &[Ring]) -> Point {
    assert!(x.len() == DIM);
    [x[0], x[1]]
}

/// Σ + x.
pub fn plus(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// y + s·x.
pub fn moved(y: Point, s: Ring, x: Point) -> Point {
    [y[0] + x[0] * s, y[1] + x[1] * s]
}

/// Any result of a line that computes numbers, or its refusal.
fn any_row<'s>(scratch: &mut &'s mut [Ring], n: usize) -> Result<&'s mut [Ring]> {
    let row = take(scratch, n)?;
    let mut i = 0;
    while i < n {
        row[i] = Ring::any();
        i += 1;
    }
    done(row)
}

fn done<V>(value: V) -> Result<V> {
    if kani::any() { Ok(value) } else { Err(Error::NotFinite { what: "line", index: Error::SCALAR }) }
}

/// What the box says that its lines are given, and what the last of them gave.
#[derive(Debug)]
pub struct AnyLines {
    pub alpha: Ring,
    /// Σ_{i<t} θ_i: π_t is made of it.
    pub policy_sum: Point,
    /// φ(X, A) of the sample of the inner step and of the last, and which of them it is the turn of; and what the next inner product is with.
    pub phi: [Point; 2],
    pub sample: usize,
    pub factor: Point,
    /// The last inner product and policy, and the last gradients and Πs: of θ, of β, of ρ.
    pub product: Ring,
    pub policy: Point,
    pub mean: Point,
    pub gradient: [Point; 2],
    pub gradient_rho: Ring,
    pub given: [(Point, Ring); 2],
    pub projected: [Point; 2],
    pub given_rho: Ring,
    pub projected_rho: Ring,
    /// What was averaged, over how many, and the average.
    pub summed: (Point, usize),
    pub average: Point,
    pub summed_rho: (Ring, usize),
    pub average_rho: Ring,
    pub weighted_beta: Point,
}

impl AnyLines {
    pub fn new(alpha: Ring, policy_sum: Point, factor: Point, phi: [Point; 2]) -> Self {
        let (zero, none) = (Ring(0), [Ring(0); DIM]);
        Self {
            alpha,
            policy_sum,
            phi,
            sample: 0,
            factor,
            product: zero,
            policy: none,
            mean: none,
            gradient: [none; 2],
            gradient_rho: zero,
            given: [(none, zero); 2],
            projected: [none; 2],
            given_rho: zero,
            projected_rho: zero,
            summed: (none, 0),
            average: none,
            summed_rho: (zero, 0),
            average_rho: zero,
            weighted_beta: none,
        }
    }

    fn is_phi(&self, phi: &[Ring]) -> bool {
        point(phi) == self.phi[self.sample]
    }

    fn project(&mut self, which: usize, unprojected: &[Ring], radius: Ring, out: &mut [Ring]) -> Result<()> {
        self.given[which] = (point(unprojected), radius);
        self.projected[which] = Ring::any_row();
        out.copy_from_slice(&self.projected[which]);
        done(())
    }
}

impl lines::Lines<Ring> for AnyLines {
    fn weighted_beta(&mut self, _weight: Option<&[Ring]>, _beta: &[Ring], out: &mut [Ring]) {
        self.weighted_beta = Ring::any_row();
        self.factor = self.weighted_beta;
        out.copy_from_slice(&self.weighted_beta);
    }

    fn policy<'s>(
        &mut self,
        alpha: &Ring,
        features: &[Ring],
        sum: &[Ring],
        scratch: &mut &'s mut [Ring],
    ) -> Result<&'s mut [Ring]> {
        assert!(*alpha == self.alpha && features.len() == ACTIONS * DIM && point(sum) == self.policy_sum);
        let policy = any_row(scratch, ACTIONS)?;
        self.policy = [policy[0], policy[1]];
        Ok(policy)
    }

    fn product(&mut self, phi: &[Ring], x: &[Ring]) -> Result<Ring> {
        assert!(self.is_phi(phi) && point(x) == self.factor);
        self.product = Ring::any();
        done(self.product)
    }

    fn project_theta(&mut self, unprojected: &[Ring], radius: &Ring, theta: &mut [Ring]) -> Result<()> {
        self.project(THETA, unprojected, *radius, theta)
    }

    fn average(&mut self, sum: &[Ring], count: usize, theta: &mut [Ring]) {
        self.summed = (point(sum), count);
        self.sample = 1;
        self.average = Ring::any_row();
        // From here on, inner products are with θ_t.
        self.factor = self.average;
        theta.copy_from_slice(&self.average);
    }

    fn value(&mut self, _features: &[Ring], policy: &[Ring], theta: &[Ring], _scratch: &mut [Ring]) -> Result<Ring> {
        assert!(point(policy) == self.policy && point(theta) == self.average);
        done(Ring::any())
    }

    fn beta_gradient<'s>(
        &mut self,
        _weight: Option<&[Ring]>,
        phi: &[Ring],
        _td_error: &Ring,
        scratch: &mut &'s mut [Ring],
    ) -> Result<&'s mut [Ring]> {
        assert!(self.is_phi(phi));
        let gradient = any_row(scratch, DIM)?;
        self.gradient[BETA] = point(gradient);
        Ok(gradient)
    }

    fn project_beta(&mut self, unprojected: &[Ring], radius: &Ring, beta: &mut [Ring]) -> Result<()> {
        self.project(BETA, unprojected, *radius, beta)
    }
}

impl discounted::algorithm::Lines<Ring> for AnyLines {
    fn occupancy<'s>(
        &mut self,
        _discount: &Ring,
        [_start, next]: [&[Ring]; 2],
        w: &Ring,
        scratch: &mut &'s mut [Ring],
    ) -> Result<[&'s [Ring]; 2]> {
        assert!(point(next) == self.policy && *w == self.product);
        Ok([any_row(scratch, ACTIONS)?, any_row(scratch, ACTIONS)?])
    }

    fn mean_feature<'s>(
        &mut self,
        _features: [&[Ring]; 2],
        _mu: [&[Ring]; 2],
        dim: usize,
        scratch: &mut &'s mut [Ring],
    ) -> Result<&'s [Ring]> {
        let mean = any_row(scratch, dim)?;
        self.mean = point(mean);
        Ok(mean)
    }

    fn theta_gradient<'s>(
        &mut self,
        mean: &[Ring],
        phi: &[Ring],
        w: &Ring,
        scratch: &mut &'s mut [Ring],
    ) -> Result<&'s [Ring]> {
        assert!(point(mean) == self.mean && self.is_phi(phi) && *w == self.product);
        let gradient = any_row(scratch, DIM)?;
        self.gradient[THETA] = point(gradient);
        Ok(gradient)
    }

    fn td_error(&mut self, _discount: &Ring, _reward: &Ring, _value_next: &Ring, prediction: &Ring) -> Result<Ring> {
        assert!(*prediction == self.product);
        done(Ring::any())
    }
}

impl average_reward::algorithm::Lines<Ring> for AnyLines {
    fn draw(&mut self, policy: &[Ring], _u: &Ring) -> Result<usize> {
        assert!(point(policy) == self.policy);
        done(kani::any())
    }

    fn rho_gradient(&mut self, w: &Ring) -> Result<Ring> {
        assert!(*w == self.product);
        self.gradient_rho = Ring::any();
        done(self.gradient_rho)
    }

    fn theta_gradient<'s>(
        &mut self,
        phi: &[Ring],
        _next: &[Ring],
        w: &Ring,
        scratch: &mut &'s mut [Ring],
    ) -> Result<&'s [Ring]> {
        assert!(self.is_phi(phi) && *w == self.product);
        let gradient = any_row(scratch, DIM)?;
        self.gradient[THETA] = point(gradient);
        Ok(gradient)
    }

    fn project_rho(&mut self, unprojected: &Ring) -> Result<Ring> {
        self.given_rho = *unprojected;
        self.projected_rho = Ring::any();
        done(self.projected_rho)
    }

    fn average_rho(&mut self, sum: &Ring, count: usize, rho: &mut Ring) {
        self.summed_rho = (*sum, count);
        self.average_rho = Ring::any();
        *rho = self.average_rho;
    }

    fn td_error(&mut self, _reward: &Ring, _value_next: &Ring, prediction: &Ring, rho: &Ring) -> Result<Ring> {
        assert!(*prediction == self.product && *rho == self.average_rho);
        done(Ring::any())
    }
}
