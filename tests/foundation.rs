//! The linear algebra under everything: exact solves, ranks and the fixed summation order.

use offline_primal_dual::Error;
use offline_primal_dual::linear::solve::{Definiteness, definiteness, inverse, rank, solve};
use offline_primal_dual::linear::vector::{apply, dot};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::rational::{Rational8, Rational64};
use offline_primal_dual::paper::covariance::{Exponent, Spectrum, second_moment, verify_root};
use offline_primal_dual::paper::mdp::{LinearMdp, Mdp, Shape, extract_policy, ones_coefficients, valid_distributions};
use offline_primal_dual::paper::online_learning::mirror_descent::conditional_entropy;
use offline_primal_dual::routes::Structure;

fn q(n: i64, d: i64) -> Rational64 {
    Rational64::ratio(n, d)
}

/// The 4×4 Hilbert matrix: ill-conditioned, so only exact arithmetic gets its integer inverse.
#[test]
fn hilbert_inverse_is_exact() {
    let n = 4;
    let hilbert: Vec<_> = (0..16).map(|i| q(1, (i / 4 + i % 4 + 1) as i64)).collect();
    let mut out = vec![q(0, 1); 16];
    inverse(n, &mut hilbert.clone(), &mut out).unwrap();
    let known = [16, -120, 240, -140, -120, 1200, -2700, 1680, 240, -2700, 6480, -4200, -140, 1680, -4200, 2800];
    assert!(out.iter().zip(known).all(|(x, k)| *x == q(k, 1)), "{out:?}");
}

#[test]
fn pivots_are_searched_and_singular_systems_refused() {
    let mut a = [q(0, 1), q(1, 1), q(2, 1), q(0, 1)];
    let mut b = [q(3, 1), q(5, 1)];
    solve(2, &mut a, &mut b).unwrap();
    assert_eq!(b, [q(5, 2), q(3, 1)]);
    let mut a = [q(1, 2), q(1, 3), q(3, 2), q(1, 1)];
    assert_eq!(solve(2, &mut a, &mut [q(1, 1), q(1, 1)]), Err(Error::Singular { what: "matrix", rank: 1 }));
    let rows = [[1, 2, 3], [2, 4, 6], [0, 0, 1], [1, 2, 4]];
    let mut a: Vec<_> = rows.iter().flatten().map(|&n| q(n, 1)).collect();
    assert_eq!(rank(3, &mut a), Ok(2));
    let mut a: Vec<f64> = vec![0.1, 0.2, 0.3, 0.7, 1.4, 2.1];
    assert_eq!(rank(3, &mut a), Ok(1), "0.7/0.1 is not 7 in binary; the rank is one all the same");
}

/// Lane by lane, written out for ten terms.
#[test]
fn summation_order_is_the_documented_one() {
    let a: Vec<f64> = (0..10).map(|i| 1.0 / f64::from(3 * i + 1)).collect();
    let b: Vec<f64> = (0..10).map(|i| f64::from(i).sqrt() + 1e8).collect();
    let p: Vec<f64> = a.iter().zip(&b).map(|(x, y)| x * y).collect();
    let (l0, l1) = (p[0] + p[8], p[1] + p[9]);
    let expected = ((l0 + p[4]) + (p[2] + p[6])) + ((l1 + p[5]) + (p[3] + p[7]));
    assert_eq!(dot(&a, &b).unwrap().to_bits(), expected.to_bits());
    assert!(dot(&a, &b[..9]).is_err());
    assert!(dot(&[f64::NAN], &[1.0]).is_err());
}

/// The same rule, term i to lane i mod 8, for every length up to 40: lengths below, at and between multiples of eight take
/// different paths through the kernels, and so do one row and a block of four. 1/(3i+1) against √i + 10⁸ rounds differently in
/// almost every other order.
#[test]
fn every_length_has_the_documented_summation_order() {
    for n in 1..=40_usize {
        let a: Vec<f64> = (0..5 * n).map(|i| 1.0 / (3 * i + 1) as f64).collect();
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sqrt() + 1e8).collect();
        let expected: Vec<u64> = a.chunks(n).map(|row| in_lanes(row, &b).to_bits()).collect();
        let mut product = vec![0.0; 5];
        apply(&a, &b, &mut product).unwrap();
        assert_eq!(product.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected, "apply, {n} terms");
        for (row, expected) in a.chunks(n).zip(&expected) {
            assert_eq!(dot(row, &b).unwrap().to_bits(), *expected, "dot, {n} terms");
        }
    }
}

fn in_lanes(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        lanes[i % 8] += x * y;
    }
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| lanes[i] + lanes[i + 4]);
    (a + c) + (b + d)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Every pair of 8-bit rationals with small parts, against 128-bit cross-multiplication.
#[test]
fn fixed_width_rationals_are_exact_or_invalid() {
    let all: Vec<Rational8> = (-128..=127i64)
        .step_by(3)
        .flat_map(|n| [1, 2, 3, 5, 7, 64, 127].map(|d| Rational8::new(n as i8, d)))
        .filter_map(Result::ok)
        .collect();
    let parts = |x: Rational8| (i128::from(x.numerator()), i128::from(x.denominator()));
    for &x in &all {
        for &y in &all {
            let ((a, b), (c, d)) = (parts(x), parts(y));
            let cases = [(x + y, a * d + c * b, b * d), (x - y, a * d - c * b, b * d), (x * y, a * c, b * d)];
            for (got, num, den) in cases {
                assert!(got.is_normalised());
                if got.is_valid() {
                    let (n, m) = parts(got);
                    assert_eq!(n * den, num * m);
                } else {
                    let g = gcd(num.abs(), den);
                    assert!((num / g).abs() > 127 || den / g > 127, "{x} {y} {num}/{den} fits");
                }
            }
            assert_eq!(x < y, a * d < c * b);
        }
    }
    assert!(Rational8::one().checked_div(Rational8::zero()).is_err());
}

/// Lemma 4.2 takes Λ^c symmetric; a product in the wrong order would break that in the last bit.
#[test]
fn covariances_are_symmetric_to_the_bit() {
    let features: Vec<f64> = (0..60).map(|i| f64::from(i * i % 17) / 7.0 - 1.1).collect();
    let weights: Vec<f64> = (0..12).map(|i| 1.0 / f64::from(i + 3)).collect();
    let out =
        offline_primal_dual::paper::covariance::second_moment(5, &features, &weights, &mut &mut vec![0.0; 25][..])
            .unwrap()
            .to_vec();
    for i in 0..25 {
        assert_eq!(out[i].to_bits(), out[i % 5 * 5 + i / 5].to_bits());
    }
}

/// The same bits on every machine, also where nalgebra decomposes: Λ^{−1/2} and Λ^{1/2} of a fixed 24×24 matrix, as one FNV-1a hash of
/// their bits, taken on x86-64 Linux. A machine or a version of nalgebra that rounds elsewhere shows here.
#[test]
fn spectral_powers_have_the_recorded_bits() {
    let dim = 24;
    let features: Vec<f64> = (0..40 * dim).map(|i| f64::from((i * i * 7 + 3 * i) % 101) / 64.0 - 0.75).collect();
    let lambda = second_moment(24, &features, &[1.0 / 32.0; 40], &mut &mut vec![0.0; 24 * 24][..]).unwrap().to_vec();
    let spectrum = Spectrum::new(24, &lambda).unwrap();
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for x in spectrum.power(-0.5).iter().chain(&spectrum.power(0.5)) {
        for byte in x.to_bits().to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    assert_eq!(hash, 0xF2B4_00E5_0889_A090, "{hash:#018X}");
}

/// The larger pivot, not the first: 10⁻²⁰ is no pivot at all, and with 10⁻¹⁴ the first unknown would come out wrong in its third digit.
#[test]
fn floating_point_takes_the_larger_pivot() {
    for small in [1e-20, 1e-14] {
        let mut b = [1.0, 2.0];
        solve(2, &mut [small, 1.0, 1.0, 1.0], &mut b).unwrap();
        let exact = [1.0 / (1.0 - small), 2.0 - 1.0 / (1.0 - small)];
        assert!(b.iter().zip(exact).all(|(x, y)| (x - y).abs() < 1e-15), "{b:?} and {exact:?}");
    }
}

/// A sum may be off by the rounding of its terms, and by nothing that a reader could have meant.
#[test]
fn distributions_and_rewards_have_the_slack_of_rounding() {
    for (surplus, accepted) in [(4e-15, true), (1e-13, false), (-4e-15, true), (-1e-13, false)] {
        assert_eq!(valid_distributions("p", 2, &[0.5, 0.5 + surplus]).is_ok(), accepted, "{surplus}");
        let reward = [1.0_f64.max(1.0 + surplus)];
        let accepted = accepted || surplus < 0.0;
        assert_eq!(Mdp::new(1, 1, &reward, &[1.0], &[1.0], &0.5).is_ok(), accepted, "{surplus}");
    }
    assert!(valid_distributions("p", 2, &[1.0 + 4e-15, -4e-15]).is_ok());
    assert!(valid_distributions("p", 2, &[1.0 + 1e-13, -1e-13]).is_err());
}

/// Three features of which no combination is 1 everywhere; without the third one it is.
#[test]
fn the_constant_must_be_in_the_span() {
    let ones = |features: &[Rational64]| {
        let shape = Shape { states: 1, actions: features.len() / 2, dim: 2 };
        let (omega, psi, initial) = ([q(0, 1); 2], [q(1, 1); 2], [q(1, 1)]);
        let discount = q(1, 2);
        let mdp = LinearMdp::unvalidated(shape, features, &omega, &psi, &initial, &discount).unwrap();
        ones_coefficients(&mdp, &mut &mut [q(0, 1); 8][..]).map(|varrho| varrho.to_vec())
    };
    let rows = [q(1, 2), q(0, 1), q(0, 1), q(1, 3), q(1, 2), q(1, 3)];
    assert_eq!(ones(&rows[..4]), Ok(vec![q(2, 1), q(3, 1)]));
    assert_eq!(ones(&rows), Err(Error::OnesNotInSpan));
    // By the routes ϱ is Ψ1, which these features do not take to 1.
    let (shape, discount) = (Shape { states: 1, actions: 2, dim: 2 }, q(1, 2));
    for (psi, found) in
        [([q(2, 1), q(3, 1)], Ok(vec![q(2, 1), q(3, 1)])), ([q(2, 1), q(1, 1)], Err(Error::OnesNotInSpan))]
    {
        let (omega, initial) = ([q(0, 1); 2], [q(1, 1)]);
        let mdp = LinearMdp::unvalidated(shape, &rows[..4], &omega, &psi, &initial, &discount).unwrap();
        assert_eq!(Structure::new(mdp).ones_coefficients(), found);
    }
}

/// (2) leaves π open where μ is 0: uniform.
#[test]
fn unvisited_states_have_the_uniform_policy() {
    let mu = [q(1, 8), q(7, 8), q(0, 1), q(0, 1)];
    let mut room = [q(0, 1); 8];
    let policy = extract_policy(2, &mu, &mut &mut room[..]).unwrap();
    assert_eq!(policy, [q(1, 8), q(7, 8), q(1, 2), q(1, 2)]);
}

/// d·ε·‖Λ‖ = 4.4·10⁻¹⁶: below it an eigenvalue is rounding.
#[test]
fn the_spectrum_ends_where_rounding_begins() {
    for (least, regular) in [(3e-16, false), (6e-16, true)] {
        let lambda = [1.0, 0.0, 0.0, least];
        assert_eq!(Spectrum::new(2, &lambda).is_ok(), regular, "{least}");
        let one = Spectrum::for_exponent(Exponent::One, 2, &lambda).unwrap();
        assert_eq!(one.smallest(), if regular { least } else { 0.0 });
        assert_eq!(Spectrum::for_exponent(Exponent::Half, 2, &lambda).is_ok(), regular);
    }
}

/// R² = 1 has roots that are no powers of a covariance.
#[test]
fn a_root_is_symmetric() {
    let one = [q(1, 1), q(0, 1), q(0, 1), q(1, 1)];
    let crooked = [q(0, 1), q(2, 1), q(1, 2), q(0, 1)];
    assert_eq!(verify_root(2, &one, &one), Ok(()));
    assert_eq!(verify_root(2, &one, &crooked), Err(Error::NotARoot { row: 0, column: 1 }));
}

/// Where ν is 0 the policies may be as far apart as they like.
#[test]
fn unvisited_states_have_no_entropy() {
    let (policy, other) = ([1.0, 0.0, 0.5, 0.5], [0.0, 1.0, 0.25, 0.75]);
    let expected = 0.5 * f64::ln(2.0) + 0.5 * f64::ln(2.0 / 3.0);
    let found = conditional_entropy(2, &[0.0, 1.0], &policy, &other).unwrap();
    assert!((found - expected).abs() < 1e-15, "{found} and {expected}");
    assert!(conditional_entropy(2, &[0.5, 0.5], &policy, &other).is_err());
}

/// What overflows on the way is refused, not called indefinite.
#[test]
fn definiteness_that_overflows_is_refused() {
    assert!(matches!(definiteness(2, &mut [1e-200, 1e200, 1e200, 1.0]), Err(Error::NotFinite { .. })));
    assert_eq!(definiteness(2, &mut [1.0, 2.0, 2.0, 1.0]), Ok(Definiteness::Indefinite));
}

/// A count that fits is exact, one that does not is invalid and not some other number.
#[test]
fn counts_are_exact_or_invalid() {
    use offline_primal_dual::number::exact::BigRational;
    assert_eq!(Rational8::from_count(100), Rational8::from_int(100));
    assert!(!Rational8::from_count(300).is_valid() && !Rational8::from_count(usize::MAX).is_valid());
    assert!(!Rational64::from_count(usize::MAX).is_valid() && Rational64::from_count(1 << 62).is_valid());
    assert_eq!(f64::from_count(usize::MAX), 18_446_744_073_709_551_616.0);
    for n in [0, 1, 7, usize::MAX / 2, usize::MAX / 2 + 1, usize::MAX - 1, usize::MAX] {
        assert_eq!(BigRational::from_count(n).to_string(), n.to_string());
    }
}

#[test]
fn exponents_are_read_as_they_are_written() {
    for c in [Exponent::One, Exponent::Half] {
        assert_eq!((c.to_string().as_str(), c.to_string().parse()), (c.name(), Ok(c)));
    }
    for wrong in ["", "1/", "2", "0.5", " 1"] {
        assert_eq!(wrong.parse::<Exponent>(), Err(Error::Syntax { what: "c", expected: "1 or 1/2" }), "{wrong}");
    }
}

/// A model without states or actions has no rows; every reader says so.
#[cfg(feature = "cli")]
#[test]
fn rows_of_nothing_are_refused() {
    use offline_primal_dual::data::{ArrayRows, Columns, CsvRows, Reading, RowSpec, Rows as _, Setting};
    use std::error::Error as _;
    let spec = RowSpec { setting: Setting::Average, states: 0, actions: 0 };
    let reading = Reading { absorbing: Some(0), ..Reading::default() };
    assert!(reading.check(spec).unwrap_err().source().is_none());
    let (index, number) = (Some(&[0_i64][..]), Some(&[0.5][..]));
    let columns = Columns { x0: index, x: index, a: index, r: number, x_next: index, u: number };
    assert!(ArrayRows::new(columns, spec, 0).unwrap().next_row().is_err());
    let text = &b"x,a,r,x_next,u\n0,0,0.5,0,0.5\n"[..];
    assert!(CsvRows::new(std::path::Path::new("d.csv"), spec, text).unwrap().next_row().is_err());
    // What the library refused is behind the complaint.
    let cause = Error::Singular { what: "A", rank: 1 };
    let complaint = offline_primal_dual::data::InputError::refused("p.json", cause);
    assert_eq!(complaint.source().map(ToString::to_string), Some(cause.to_string()));
}
