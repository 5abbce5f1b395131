//! The samplers: the bytes of a seed, and the laws they claim, checked against the exact occupancies.
#![cfg(feature = "std")]

use offline_primal_dual::paper::average_reward::values::occupancy as stationary_occupancy;
use offline_primal_dual::paper::mdp::{Mdp, occupancy};
use offline_primal_dual::paper::samples::Sample;
use offline_primal_dual::sampler::{Sampler, Uniforms};

const REWARD: [f64; 4] = [0.0, 0.25, 0.5, 1.0];
const TRANSITION: [f64; 8] = [0.75, 0.25, 0.25, 0.75, 0.5, 0.5, 0.0, 1.0];
const INITIAL: [f64; 2] = [0.75, 0.25];
const BEHAVIOR: [f64; 4] = [0.5, 0.5, 0.75, 0.25];
const ROWS: usize = 200_000;

fn mdp() -> Mdp<'static, f64> {
    Mdp::new(2, 2, &REWARD, &TRANSITION, &INITIAL, &0.5).unwrap()
}

/// Hoeffding: over n independent draws a frequency is off by more than √(ln(2/δ)/2n) with probability below δ. Here δ = 10⁻⁹
/// and the seed is fixed, so a failure means a wrong law.
fn assert_frequency(what: &str, hits: impl Fn(&Sample<f64>) -> bool, data: &[Sample<f64>], expected: f64) {
    let found = data.iter().filter(|s| hits(s)).count() as f64 / data.len() as f64;
    let slack = ((2e9f64).ln() / (2.0 * data.len() as f64)).sqrt();
    assert!((found - expected).abs() <= slack, "{what}: {found} against {expected}");
}

fn assert_law(data: &[Sample<f64>], mu: &[f64]) {
    for pair in 0..4 {
        let (x, a) = (pair / 2, pair % 2);
        assert_frequency("(x, a)", |s| (s.x, s.a) == (x, a), data, mu[pair]);
        let here: Vec<_> = data.iter().filter(|s| (s.x, s.a) == (x, a)).copied().collect();
        assert_frequency("x_next", |s| s.x_next == 0, &here, TRANSITION[2 * pair]);
        assert_frequency("x0 beside (x, a)", |s| s.x0 == 0, &here, 0.75);
        assert!(here.iter().all(|s| s.r == REWARD[pair]));
    }
    assert_frequency("u", |s| s.u < 0.375, data, 0.375);
    assert!(data.iter().all(|s| (0.0..1.0).contains(&s.u)));
}

#[test]
fn independent_rows_have_the_occupancy_as_their_law() {
    let mut scratch = [0.0; 200];
    let mu = occupancy(&mdp(), &BEHAVIOR, &mut &mut scratch[..]).unwrap().to_vec();
    let data: Vec<_> = Sampler::discounted(&mdp(), &BEHAVIOR, 1).unwrap().take(ROWS).collect();
    assert_law(&data, &mu);
    let stationary = stationary_occupancy(&mdp(), &BEHAVIOR, &mut &mut scratch[..]).unwrap().to_vec();
    assert!((stationary[0] - mu[0]).abs() > 0.05, "the two laws are far enough apart to tell");
    let data: Vec<_> = Sampler::stationary(&mdp(), &BEHAVIOR, 2).unwrap().take(ROWS).collect();
    assert_law(&data, &stationary);
}

/// Any generator of `rand`'s will do: the law is the sampler's, the numbers are the generator's.
#[test]
fn rows_may_come_from_any_generator() {
    use rand::SeedableRng as _;
    let of = |seed| Sampler::discounted(&mdp(), &BEHAVIOR, seed).unwrap();
    let rows = |sampler: Sampler| sampler.take(100).collect::<Vec<_>>();
    assert_eq!(rows(of(1).with_generator(Uniforms::new(2).0)), rows(of(2)), "nothing is left of the first seed");
    let mut scratch = [0.0; 200];
    let mu = occupancy(&mdp(), &BEHAVIOR, &mut &mut scratch[..]).unwrap().to_vec();
    let other = rand::rngs::ChaCha20Rng::seed_from_u64(5);
    let data: Vec<_> = of(1).with_generator(other).take(ROWS).collect();
    assert_law(&data, &mu);
}

#[test]
fn a_trajectory_is_one_walk() {
    let data: Vec<_> = Sampler::trajectory(&mdp(), &BEHAVIOR, 3).unwrap().take(1000).collect();
    assert!(data.windows(2).all(|w| w[0].x_next == w[1].x));
    let independent: Vec<_> = Sampler::discounted(&mdp(), &BEHAVIOR, 3).unwrap().take(1000).collect();
    assert!(!independent.windows(2).all(|w| w[0].x_next == w[1].x));
}

/// The first uniforms of seed 0: ChaCha8 with a zero key, whose first words are published test vectors.
#[test]
fn the_bytes_of_a_seed_never_change() {
    // 3e00ef2f 895f40d6 … is the key stream of ChaCha8 for the all-zero key and nonce; next_u64 reads two words, low first.
    let mut stream = Uniforms::new(0);
    let word = u64::from_le_bytes([0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6]);
    assert_eq!(stream.unit(), (word >> 11) as f64 / (1u64 << 53) as f64);
    let [a, b, c] =
        [4, 4, 5].map(|seed| Sampler::discounted(&mdp(), &BEHAVIOR, seed).unwrap().take(50).collect::<Vec<_>>());
    assert_eq!(a, b);
    assert_ne!(a, c);
}

#[test]
fn the_output_index_covers_one_to_t() {
    let mut uniforms = Uniforms::new(9);
    let mut seen = [0; 7];
    for _ in 0..70_000 {
        seen[uniforms.output_index(7).unwrap() - 1] += 1;
    }
    // Hoeffding as above, n = 70,000: 0.0125.
    assert!(seen.iter().all(|&n| (f64::from(n) / 70_000.0 - 1.0 / 7.0).abs() <= 0.0125), "{seen:?}");
    assert!(uniforms.output_index(0).is_err());
}

#[test]
fn wrong_models_are_refused() {
    assert!(Sampler::discounted(&mdp(), &[0.5, 0.6, 0.5, 0.5], 0).is_err());
    assert!(Sampler::trajectory(&mdp(), &BEHAVIOR[..3], 0).is_err());
    assert!(Sampler::independent(&mdp(), &[0.5, 0.5, 0.5, -0.5], 0).is_err());
    let broken = Mdp::unvalidated(2, 2, &REWARD, &[0.5; 8], &[0.5, f64::NAN], &0.5).unwrap();
    assert!(Sampler::discounted(&broken, &BEHAVIOR, 0).is_err());
    assert!(Sampler::independent(&broken, &[0.25; 4], 0).is_err());
}
