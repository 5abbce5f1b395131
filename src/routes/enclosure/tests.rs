//! What is proved holds whatever the doubles guessed: poor guesses and wide numbers, against formulas written out in plain doubles.

use super::*;
use crate::instances;

/// A model of two states, one action and two components, whose rows of P sum to 9/8 at most and whose ν₀ sums to 3/4: nothing here is 1 by chance.
fn model() -> [Vec<f64>; 4] {
    let features = vec![1.0, 0.0, 0.5, 0.5];
    let psi = vec![0.5, 0.25, 0.625, 0.5];
    [features, vec![1.0, 0.5], psi, vec![0.5, 0.25]]
}

fn with<R>(
    [features, omega, psi, initial]: [Vec<f64>; 4],
    discount: f64,
    ask: impl FnOnce(Result<Enclosure<'_>>) -> R,
) -> R {
    let shape = Shape { states: 2, actions: 1, dim: 2 };
    let mdp = LinearMdp::unvalidated(shape, &features, &omega, &psi, &initial, &discount).unwrap();
    let (structure, widened) = (Structure::new(mdp), Widened::of(&mdp));
    ask(Enclosure::new(&structure, &widened, None))
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{found} for {expected}");
}

/// P = [[1/2, 5/8], [3/8, 9/16]], r = (1, 3/4).
#[test]
fn a_poor_value_is_enclosed_by_its_residual() {
    with(model(), 0.75, |enclosure| {
        let enclosure = enclosure.unwrap();
        near(enclosure.contraction, 0.75 * 1.125);
        let v = [3.0, 1.0];
        // r + γPv − v.
        let residual = [1.0 + 0.75 * (1.5 + 0.625) - 3.0, 0.75 + 0.75 * (1.125 + 0.5625) - 1.0];
        let size = residual[0].abs().max(residual[1].abs());
        let (middle, radius) = (0.25 * (0.5 * 3.0 + 0.25), size * 0.75 * 0.25 / (1.0 - 0.75 * 1.125));
        let found = enclosure.enclosed(&v, enclosure.action_values(&v).into_iter()).unwrap();
        near(found.lower, middle - radius);
        near(found.upper, middle + radius);
        // Where the least residual is the largest in size.
        let v = [9.0, 1.0];
        let low = 1.0 + 0.75 * (4.5 + 0.625) - 9.0;
        let found = enclosure.enclosed(&v, enclosure.action_values(&v).into_iter()).unwrap();
        near(found.upper - found.lower, 2.0 * low.abs() * 0.75 * 0.25 / (1.0 - 0.75 * 1.125));
        assert!(low < -3.0);
    });
}

/// ‖P‖_∞ by entries where some are negative, by sums elsewhere; what is no contraction, or no number, is refused.
#[test]
fn the_norm_is_the_largest_absolute_row_sum() {
    let [features, omega, psi, initial] = model();
    // P = [[1/2, −5/8], [1/8, −3/16]].
    let negative = vec![0.5, -0.25, -0.625, 0.25];
    with([features.clone(), omega.clone(), negative.clone(), initial.clone()], 0.5, |e| {
        near(e.unwrap().contraction, 0.5 * 1.125);
    });
    // The second row the larger, in both ways.
    let swapped = vec![0.5, 0.5, 1.0, 0.0];
    with([swapped.clone(), omega.clone(), negative.clone(), initial.clone()], 0.5, |e| {
        near(e.unwrap().contraction, 0.5 * 1.125);
    });
    with([swapped, omega.clone(), psi.clone(), initial.clone()], 0.5, |e| near(e.unwrap().contraction, 0.5 * 1.125));
    let refused = |model: [Vec<f64>; 4], discount: f64| {
        with(model, discount, |e| assert!(matches!(e, Err(Error::OutOfRange { what: "discount", .. })), "{e:?}"));
    };
    refused(model(), 0.9);
    refused([features.clone(), omega.clone(), negative, initial.clone()], 0.9);
    for wrong in [f64::NAN, f64::INFINITY] {
        refused([vec![1.0, 0.0, wrong, 0.5], omega.clone(), psi.clone(), initial.clone()], 0.5);
        refused([vec![wrong, 0.0, 0.5, 0.5], omega.clone(), vec![0.5, -0.25, 0.625, 0.5], initial.clone()], 0.5);
    }
}

#[test]
fn policies_are_divided_by_their_sums() {
    let shape = Shape { states: 1, actions: 2, dim: 2 };
    let (features, omega, psi, initial, discount) = ([1.0, 0.0, 0.0, 1.0], [1.0, 0.5], [1.0, 1.0], [1.0], 0.5);
    let mdp = LinearMdp::unvalidated(shape, &features, &omega, &psi, &initial, &discount).unwrap();
    let (structure, widened) = (Structure::new(mdp), Widened::of(&mdp));
    let enclosure = Enclosure::new(&structure, &widened, None).unwrap();
    let normalised = enclosure.normalised(&[3.0, 1.0]).unwrap();
    near(normalised[0].middle(), 0.75);
    near(normalised[1].middle(), 0.25);
}

/// ν̂ and μ̂ far off: the distance is the residual's bound, and what μ̂ is beside πν̂.
#[test]
fn a_poor_occupancy_is_as_far_as_its_residual_says() {
    with(model(), 0.75, |enclosure| {
        let enclosure = enclosure.unwrap();
        let (nu, mu, policy) = ([0.5, 0.25], [0.5, 0.5], [Outward::point(1.0); 2]);
        // (1−γ)ν₀ + γPᵀν̂ − ν̂.
        let arriving = [0.125 + 0.75 * (0.25 + 0.09375), 0.0625 + 0.75 * (0.3125 + 0.140_625)];
        let residual = (arriving[0] - 0.5).abs() + (arriving[1] - 0.25).abs();
        near(enclosure.distance(&policy, &nu, &mu), residual / (1.0 - 0.75 * 1.125) + 0.25);
    });
}

/// What the radius adds to an entry of Φᵀμ is its size times that of the features; to one of Λ, times that again. An entry that no pair
/// sees stays 0.
#[test]
fn moments_are_as_wide_as_the_radius_makes_them() {
    let [_, omega, psi, initial] = model();
    with([vec![4.0, 0.0, 2.0, 0.0], omega, psi.iter().map(|psi| psi / 8.0).collect(), initial], 0.5, |enclosure| {
        let occupancy = Occupancy { mu: vec![0.5, 0.25], radius: 0.125 };
        let (mean, moment) = enclosure.unwrap().moments(&occupancy).unwrap();
        near(mean[0].lower, 2.5 - 0.5);
        near(mean[0].upper, 2.5 + 0.5);
        let moment = moment.to_rows();
        near(moment[0].lower, 9.0 - 2.0);
        near(moment[0].upper, 9.0 + 2.0);
        assert!(mean[1].is_zero() && moment[1..].iter().all(Field::is_zero));
    });
}

/// The states that a policy reaches, by the powers of P_π, on every instance and deterministic policy.
#[test]
fn states_are_reached_as_by_the_transitions() {
    let mut missed = 0;
    for instance in instances::all() {
        let model = instance.to_owned::<f64>().unwrap();
        let Shape { states, actions, .. } = model.shape;
        for one in 0..states {
            // Starts in that state alone, then each action everywhere.
            let initial: Vec<f64> = (0..states).map(|x| f64::from(u8::from(x == one))).collect();
            let model = instances::Owned { initial, ..model.clone() };
            let mdp = model.linear_mdp().unwrap();
            let (structure, widened) = (Structure::new(mdp), Widened::of(&mdp));
            let Ok(enclosure) = Enclosure::new(&structure, &widened, None) else { continue };
            let mut scratch = vec![0.0; model.shape.scratch()];
            let p = mdp.transition(&mut &mut scratch[..]).unwrap().to_vec();
            for a in 0..actions {
                let policy: Vec<f64> = (0..states * actions).map(|i| f64::from(u8::from(i % actions == a))).collect();
                let mut reached: Vec<bool> = (0..states).map(|x| x == one).collect();
                for _ in 0..states {
                    for x in (0..states).filter(|x| reached[*x]).collect::<Vec<_>>() {
                        (0..states).for_each(|y| reached[y] |= p[(x * actions + a) * states + y] > 0.0);
                    }
                }
                missed += reached.iter().filter(|reached| !**reached).count();
                // Where entries are negative, features may lead where their sum does not.
                let found = enclosure.reached(&policy);
                if model.features.iter().chain(&model.psi).any(|entry| *entry < 0.0) {
                    assert!(reached.iter().zip(&found).all(|(reached, found)| *found || !reached));
                } else {
                    assert_eq!(found, reached);
                }
            }
        }
    }
    assert!(missed > 10, "everything is reached: {missed}");
    // Written out with its zeros: the second state is reached by the second component alone.
    let unit = vec![1.0, 0.0, 0.0, 1.0];
    with([unit.clone(), vec![0.0; 2], unit, vec![1.0, 0.0]], 0.5, |e| {
        assert_eq!(e.unwrap().reached(&[1.0; 2]), [true, false]);
    });
}

fn wide(rows: &[f64], radius: f64) -> Vec<Outward> {
    rows.iter().map(|x| Outward::point(*x).widened(radius)).collect()
}

/// Λ = [[2, 1], [1, 1]], Λ⁻¹ = [[1, −1], [−1, 2]], least eigenvalue 0.38 ≥ s = 1/4; z = (3, 1): Λ⁻¹z = (2, −1), ⟨z, Λ⁻¹z⟩ = 5.
#[test]
fn forms_hold_for_any_guess() {
    let (z, lambda) = (wide(&[3.0, 1.0], 0.0), wide(&[2.0, 1.0, 1.0, 1.0], 0.0));
    // r = z − Λŷ = (−1/2, 1/2), ‖r‖² = 1/2.
    let (half, norm) = forms(&z, &lambda, &[3.0, -2.5], 0.25);
    near(half.lower, 2.0 * 6.5 - 9.25);
    near(half.upper, 2.0 * 6.5 - 9.25 + 2.0);
    let far = libm::sqrt(0.5) / 0.25;
    near(norm.lower, libm::sqrt(15.25) - far);
    near(norm.upper, libm::sqrt(15.25) + far);
    assert!(half.lower <= 5.0 && 5.0 <= half.upper && norm.lower <= libm::sqrt(5.0) && libm::sqrt(5.0) <= norm.upper);
    // No length is negative.
    assert_eq!(forms(&z, &lambda, &[0.0, 0.0], 0.25).1.lower, 0.0);
}

/// M = [[2, 0], [0, 4]]: Tr(MΛ⁻¹) = 10. With Ŷ = [[1, −1], [−1, 3/2]] R = I − ΛŶ = [[0, 1/2], [0, 1/2]].
#[test]
fn a_trace_holds_for_any_guess() {
    let (m, lambda) = (wide(&[2.0, 0.0, 0.0, 4.0], 0.0), wide(&[2.0, 1.0, 1.0, 1.0], 0.0));
    let found = trace(&m, &lambda, &[1.0, -1.0, -1.0, 1.5], 0.25);
    let slack = libm::sqrt(20.0) * libm::sqrt(0.5) / 0.25;
    near(found.lower, 8.0 - slack);
    near(found.upper, 8.0 + slack);
    let found = trace(&m, &lambda, &[1.0, -1.0, -1.0, 2.0], 0.25);
    near(found.lower, 10.0);
    near(found.upper, 10.0);
    // By columns: M Y with an M and a Y that are not symmetric; R = I − ΛY = [[−1, −5], [−1, −2]] for Y = [[1, 2], [0, 1]].
    let found = trace(&wide(&[0.0, 1.0, 2.0, 3.0], 0.0), &lambda, &[1.0, 0.0, 2.0, 1.0], 1.0);
    near(found.middle(), 7.0);
    near(found.upper - found.middle(), libm::sqrt(14.0) * libm::sqrt(31.0));
}

/// M = diag(2, 4) against the same Λ: the largest eigenvalue of MΛ⁻¹ = [[2, −2], [−4, 8]] is 5 + √17.
#[test]
fn the_largest_ratio_holds_for_any_guess() {
    let (m, lambda) = (wide(&[2.0, 0.0, 0.0, 4.0], 0.0), wide(&[2.0, 1.0, 1.0, 1.0], 0.0));
    let truth = 5.0 + libm::sqrt(17.0);
    let found = largest(&m, &lambda, &[0.0, 1.0], truth).unwrap();
    // The Rayleigh quotient of e₂ is 4/1; of (1, −1), 6/1.
    near(found.lower, 4.0);
    assert!(truth <= found.upper && found.upper <= truth * (1.0 + 1.1e-11), "{found:?}");
    near(largest(&m, &lambda, &[1.0, -1.0], truth).unwrap().lower, 6.0);
    // Of e₁, 2/2.
    near(largest(&m, &lambda, &[1.0, 0.0], truth).unwrap().lower, 1.0);
    near(largest(&m, &lambda, &[1.0, -1.0], truth * (1.0 - 1e-5)).unwrap().upper, truth * (1.0 - 1e-5) * 1.0001);
    near(largest(&m, &lambda, &[1.0, -1.0], truth * 0.75).unwrap().upper, truth * 1.5);
    assert!(largest(&m, &lambda, &[1.0, -1.0], truth * 0.25).is_none());
    // No ratio is negative.
    assert_eq!(largest(&wide(&[-1.0, 0.0, 0.0, 4.0], 0.0), &lambda, &[1.0, 0.0], truth).unwrap().lower, 0.0);
}

/// Λ = [[1, 1/2], [1/2, 1]], eigenvalues 1/2 and 3/2, known to a radius: half of the least is shown where the radius leaves it, and
/// refused where it does not.
#[test]
fn ratios_are_refused_where_half_of_the_least_eigenvalue_is_not_left() {
    let ratios = |radius: f64| {
        let lambda = [1.0, 0.5, 0.5, 1.0]
            .iter()
            .enumerate()
            .map(|(i, x)| if i % 3 == 0 { Outward::point(*x).widened(radius) } else { Outward::point(*x) });
        dense_ratios(2, &wide(&[1.0, 0.0], 0.0), &wide(&[1.0, 0.0, 0.0, 0.0], 0.0), &lambda.collect::<Vec<_>>())
    };
    let Ratios { half, one, diamond, dagger } = ratios(0.0).unwrap();
    // Λ⁻¹e₁ = (4/3, −2/3).
    for (found, exact) in [(half, 4.0 / 3.0), (one, 20.0 / 9.0), (diamond, 4.0 / 3.0), (dagger, 4.0 / 3.0)] {
        assert!(
            found.lower <= exact && exact <= found.upper && found.upper - found.lower < 1e-10,
            "{found:?} for {exact}"
        );
    }
    let wide = ratios(0.2).unwrap();
    // At both entries 1.2, and at both 0.8.
    assert!(wide.half.lower <= 1.2 / 1.19 && 0.8 / 0.39 <= wide.half.upper, "{wide:?}");
    // At 0.26 τΛ − M could still be shown to be definite.
    assert!(matches!(ratios(0.26), Err(Error::NearSingular { .. })));
    let indefinite = Outward::point(2.0);
    let lambda = [Outward::one(), indefinite, indefinite, Outward::one()];
    assert!(dense_ratios(2, &[Outward::one(); 2], &[Outward::one(); 4], &lambda).is_err());
}

/// By Sylvester's minors in plain numbers, on every symmetric matrix with entries from −1 to 2 on and off the diagonal, and where they are
/// known to a radius, at every corner.
#[test]
fn definite_is_what_has_positive_minors() {
    let minors = |[a, b, c, d, e, f]: [f64; 6]| {
        let second = a * d - b * b;
        let third = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c);
        a > 0.0 && second > 0.0 && third > 0.0
    };
    let rows = |[a, b, c, d, e, f]: [Outward; 6]| vec![a, b, c, b, d, e, c, e, f];
    let mut seen = [0; 2];
    for code in 0..4096_usize {
        let entries: [f64; 6] = std::array::from_fn(|i| (code >> (2 * i) & 3) as f64 - 1.0);
        let shown = certainly_definite(3, rows(entries.map(Outward::point)));
        assert_eq!(shown, minors(entries), "{entries:?}");
        seen[usize::from(shown)] += 1;
        let shown = certainly_definite(3, rows(entries.map(|x| Outward::point(x).widened(0.05))));
        let corners = (0..64).all(|corner| {
            minors(std::array::from_fn(|i| entries[i] + if corner >> i & 1 == 0 { 0.05 } else { -0.05 }))
        });
        assert!(!shown || corners, "{entries:?}");
    }
    assert!(seen[1] > 20, "{seen:?}");
    assert!(!certainly_definite(1, vec![Outward::point(f64::NAN)]));
    assert!(!certainly_definite(1, vec![Outward { lower: 0.0, upper: 1.0 }]));
}
