//! The routes that cost what a model's structure allows: they allocate, and refuse what `paper/` refuses.

use crate::harness::*;
use offline_primal_dual::Error;
use offline_primal_dual::paper::covariance::Exponent::{Half, One};
use offline_primal_dual::paper::mdp::{LinearMdp, Shape};
use offline_primal_dual::routes::*;

const LAMBDA: [f64; 4] = [2.0, 0.5, 0.5, 1.0];

fn dense(rows: &[f64]) -> Symmetric<f64> {
    Symmetric::Dense { dim: 2, rows: rows.to_vec() }
}

/// Four components and three states: the other side of every system.
fn wide(call: impl Fn(&Structure<f64>)) {
    let features: Vec<f64> = (0..6).flat_map(|pair| (0..4).map(move |j| f64::from(u8::from(pair % 4 == j)))).collect();
    let psi = [0.5, 0.25, 0.25, 1.0, 0.25, 0.5, 0.25, 0.0, 0.25, 0.25, 0.5, 0.0];
    let shape = Shape { states: 3, actions: 2, dim: 4 };
    let omega = [1.0, 0.25, 0.5, 0.0];
    call(&Structure::new(LinearMdp::new(shape, &features, &omega, &psi, &INITIAL, &0.5).unwrap()));
}

fn both(call: impl Fn(&Structure<f64>)) {
    call(&Structure::new(linear()));
    wide(call);
}

#[test]
pub fn the_discounted_setting_refuses() {
    both(|model| {
        let policy = || [input(&POLICY)];
        refuses_with_room("theta_of_policy", policy(), |[p]| model.theta_of_policy(p).map(done));
        refuses_with_room("state_value", policy(), |[p]| model.state_value(p).map(done));
        refuses_with_room("feature_occupancy", policy(), |[p]| model.feature_occupancy(p).map(done));
        refuses_with_room("state_occupancy", policy(), |[p]| model.state_occupancy(p).map(done));
        refuses_with_room("normalised_return", [plain(3)], |[v]| model.normalised_return(v).map(done));
        assert!(model.optimal_policy().is_ok() && model.validate().is_ok());
        assert!(model.phi().transposed().len() == model.shape().dim && model.unknowns() <= 3);
    });
    refuses_with_room("compose", [input(&POLICY), plain(3)], |[p, nu]| compose(2, p, nu).map(done));
    // Rows without a width, and what is left over.
    for (width, numbers) in
        [(0, &[0.0, 0.0, 0.0, 0.0, 1.0][..]), (2, &[0.0, 0.0, 1.0]), (2, &[1.0, 2.0, 3.0]), (3, &[])]
    {
        let rows = Rows::new(width, numbers);
        assert_eq!(rows.len(), numbers.len().checked_div(width).unwrap_or(0), "{width}");
        assert!(rows.transposed().stored() <= numbers.len());
    }
}

#[test]
pub fn the_average_reward_setting_refuses() {
    both(|model| {
        let ones = model.ones_coefficients().unwrap();
        let varrho = || input(&ones);
        refuses_with_room("gain_of_policy", [varrho(), input(&POLICY)], |[ones, p]| {
            model.gain_of_policy(ones, p).map(done)
        });
        refuses_with_room("optimal_unichain_policy", [varrho()], |[ones]| {
            model.optimal_unichain_policy(ones).map(done)
        });
        let theta = input(&vec![0.5; model.shape().dim]);
        refuses_with_room("shifted_theta", [varrho(), theta], |[ones, theta]| {
            model.shifted_theta(ones, theta).map(done)
        });
    });
}

#[test]
pub fn matrices_and_ratios_refuse() {
    both(|model| {
        refuses_with_room("second_moment", [plain(6)], |[mu]| model.second_moment(mu).map(done));
    });
    let lambda = || input(&LAMBDA);
    refuses_with_room("times", [lambda(), plain(2)], |[l, x]| dense(l).times(x).map(done));
    refuses_with_room("inverse_times", [lambda(), plain(2)], |[l, x]| dense(l).inverse_times(x).map(done));
    let diagonal = |d: &[f64]| Symmetric::Diagonal(d.to_vec());
    refuses_with_room("times", [plain(2), plain(2)], |[d, x]| diagonal(d).times(x).map(done));
    refuses_with_room("inverse_times", [plain(2), plain(2)], |[d, x]| {
        d.iter().all(|d| d.is_finite()).then_some(()).ok_or(Error::NotFinite { what: "d", index: 0 })?;
        diagonal(d).inverse_times(x).map(done)
    });
    for c in [One, Half] {
        refuses_with_room("coverage_ratio", [plain(2), lambda()], |[mean, l]| {
            coverage_ratio(c, mean, &dense(l)).map(done)
        });
        refuses_with_room("for_exponent", [lambda()], |[l]| Spectrum::for_exponent(c, &dense(l)).map(done));
    }
    refuses_with_room("diamond_ratio", [lambda(), lambda()], |[m, l]| diamond_ratio(&dense(m), &dense(l)).map(done));
    refuses_with_room("dagger_bracket", [lambda(), lambda()], |[m, l]| {
        dagger_bracket(&dense(m), &dense(l), None).map(done)
    });
    // Dimensions that nothing backs, and two that differ.
    let hollow = Symmetric::Dense { dim: 1 << 40, rows: vec![1.0] };
    let (empty, line, plane) = (diagonal(&[]), diagonal(&[1.0]), dense(&LAMBDA));
    for (m, l) in
        [(&hollow, &hollow), (&plane, &hollow), (&hollow, &line), (&line, &plane), (&plane, &line), (&empty, &empty)]
    {
        assert!(diamond_ratio(m, l).is_err() && dagger_bracket(m, l, Some(1.0)).is_err(), "{m:?} {l:?}");
    }
    for matrix in [&hollow, &empty] {
        assert!(matrix.times(&[1.0]).is_err() && matrix.inverse_times(&[1.0]).is_err());
        assert!(coverage_ratio(One, &[1.0], matrix).is_err() && Spectrum::for_exponent(Half, matrix).is_err());
    }
    assert!(matches!(Symmetric::of_rows(usize::MAX, vec![1.0]), Symmetric::Diagonal(_)));
}

#[test]
pub fn certificates_refuse() {
    let model = Structure::new(linear());
    let power = dense(&POWER);
    for varrho in [None, Some(&VARRHO[..])] {
        refuses_with_room("Comparator::new(", [input(&POLICY), input(&POWER)], |[p, power]| {
            Comparator::new(&model, &dense(power), varrho, p).map(done)
        });
        let comparator = Comparator::new(&model, &power, varrho, &POLICY).unwrap();
        let args = [plain(2), plain(2), input(&POLICY), Scalar(0.25)];
        refuses_with_room("parts", args, |[theta, beta, policy, rho]| {
            comparator.parts(&Iterate { theta, beta, policy, rho: &rho[0] }).map(done)
        });
        let args = [plain(2), plain(2), input(&POLICY), Scalar(0.25)];
        refuses_with_room("certify", args, |[theta, beta, policy, rho]| {
            comparator.certify(&[Iterate { theta, beta, policy, rho: &rho[0] }]).map(done)
        });
        assert!(comparator.certify(&[]).is_err());
    }
    refuses_with_room("Comparator::new", [input(&VARRHO)], |[ones]| {
        Comparator::new(&model, &power, Some(ones), &POLICY).map(done)
    });
}

#[test]
pub fn enclosures_refuse() {
    let (model, widened) = (Structure::new(linear()), Widened::of(&linear()));
    for varrho in [None, Some(&VARRHO[..])] {
        let enclosure = Enclosure::new(&model, &widened, varrho).unwrap();
        refuses_with_room("return_of", [input(&POLICY)], |[p]| enclosure.return_of(p).map(done));
        refuses_with_room("optimum", [input(&POLICY)], |[p]| enclosure.optimum(p).map(done));
    }
    let enclosure = Enclosure::new(&model, &widened, None).unwrap();
    refuses_with_room("occupancy", [input(&POLICY)], |[p]| enclosure.occupancy(p).map(done));
    assert!(Enclosure::new(&model, &widened, Some(&[1.0])).is_err());
    let seen = enclosure.occupancy(&POLICY).unwrap();
    assert!(enclosure.ratios(&seen, &seen).is_ok());
    wide(|other| {
        assert!(Enclosure::new(other, &widened, None).is_err());
    });
    // An occupancy measure of another model.
    let shape = Shape { states: 1, actions: 1, dim: 1 };
    let small = LinearMdp::new(shape, &[1.0], &[1.0], &[1.0], &[1.0], &0.5).unwrap();
    let (small_model, small_widened) = (Structure::new(small), Widened::of(&small));
    let small = Enclosure::new(&small_model, &small_widened, None).unwrap();
    assert!(small.ratios(&seen, &seen).is_err() && enclosure.ratios(&seen, &small.occupancy(&[1.0]).unwrap()).is_err());
}
