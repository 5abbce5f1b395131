//! Algorithm 2: where its second inner loop starts.

use super::case::Case;
use super::compared::{Compared, equal};
use crate::error::Result;
use crate::number::exact::BigRational as Q;
use crate::paper::average_reward::algorithm::{Algorithm, Observer, OuterStep, Parameters, State};
use crate::paper::samples::{FeatureTable, Sample};
use std::vec;
use std::vec::Vec;

/// Where the second inner loop's ρ starts.
pub struct SecondStart {
    /// ρ_2^{(1)} as the algorithm takes it.
    pub taken: Q,
    /// ρ_1, the average over the first inner loop.
    pub average: Q,
}

#[derive(Default)]
struct Rhos {
    starts: Vec<f64>,
    averages: Vec<f64>,
}

impl Observer<f64> for Rhos {
    fn begin_outer(&mut self, _: usize, _: &[f64], rho: &f64, _: &[f64], _: &[f64], _: &[f64]) {
        self.starts.push(*rho);
    }

    fn outer_step(&mut self, step: &OuterStep<f64>) {
        self.averages.push(*step.rho);
    }
}

/// Two iterations of Algorithm 2, K = 2, at the first state and action of the instance, from ρ₀ = 1/2 and β₁ = the case's β, halved until
/// it is in the ball.
pub fn second_start(case: &Case) -> Result<SecondStart> {
    let shape = case.model.shape;
    let doubles = |numbers: &[Q]| numbers.iter().map(Q::to_f64).collect::<Vec<f64>>();
    let (features, mut beta) = (doubles(&case.model.features), doubles(&case.beta));
    while beta.iter().map(|x| x * x).sum::<f64>() > 16.0 {
        for x in &mut beta {
            *x /= 2.0;
        }
    }
    let table = FeatureTable::new(shape.actions, shape.dim, &features)?;
    let parameters =
        Parameters { alpha: 1.0, eta: 0.25, zeta: 0.25, xi: 0.0625, radius_theta: 8.0, radius_beta: 8.0, inner: 2 };
    let mut buffer = vec![0.0; State::<f64>::buffer_len(shape.actions, shape.dim)];
    let mut state = State::new(shape.actions, shape.dim, &mut buffer)?;
    let algorithm = Algorithm::new(&table, None, &parameters)?;
    algorithm.start_at(&mut state, &vec![0.0; shape.dim], 0.5, &beta)?;
    let mut rhos = Rhos::default();
    algorithm.run(&mut state, 2, [Sample::default(); 6], &mut rhos)?;
    let [taken, average] = [rhos.starts[1], rhos.averages[0]].map(Q::from_f64);
    Ok(SecondStart { taken: taken?, average: average? })
}

pub fn second_inner_loop(case: &Case, _: &mut [Q]) -> Result<Compared> {
    let rho = second_start(case)?;
    Ok(equal(rho.taken, rho.average))
}

#[cfg(test)]
mod tests {
    use super::{Case, Q, second_start};
    use crate::instances;
    use crate::number::Field as _;
    use crate::paper::Setting;
    use std::vec::Vec;

    /// ρ_1 is the mean of 1/2 and 1/2 − (1 − w)/16, where w = ⟨φ(0, 0), β⟩ is β's first component: halved as long as ‖β‖ is above 4.
    #[test]
    fn the_average_is_taken_after_halving() {
        let model = instances::by_name("two-state").unwrap().to_owned().unwrap();
        let mut case: Case = Case::new(Setting::Average, model).unwrap();
        for (beta, w) in [([4, 0, 0, 0], 4.0), ([4, 0, 1, 0], 2.0), ([0, 0, 0, -5], 0.0), ([10, 0, 0, 0], 2.5)] {
            case.beta = beta.iter().map(|n| Q::from_int(*n)).collect::<Vec<_>>();
            let start = second_start(&case).unwrap();
            let average = 0.5 - (1.0 - w) / 32.0;
            assert_eq!([start.taken.to_f64(), start.average.to_f64()], [average, average], "{beta:?}");
        }
    }
}
