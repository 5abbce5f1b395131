//! The cases: a fixed set with the corners, and any number of fresh ones from a seed.
//!
//! Made of [`Uniforms`] by sums and products that do not round, so the same on every machine.

use super::case::{Case, Setting};
use crate::paper::samples::Sample;
use crate::sampler::Uniforms;
use std::string::String;
use std::vec::Vec;

/// The corners, by name, with what each is for; those with `true` exist in the discounted setting only.
pub const CORNERS: [(&str, bool, &str); 16] = [
    ("plain", false, "c = 1, start at 0"),
    ("half", false, "c = 1/2"),
    ("inner-one", false, "K = 1"),
    ("outer-one", false, "T = 1"),
    ("one-action", false, "|A| = 1: the policy is constant, results are rational"),
    ("one-feature", false, "d = 1, c = 1/2"),
    ("discount-zero", true, "γ = 0"),
    ("projections", false, "every iterate is projected"),
    ("ties", false, "actions with equal features: equal logits at every step"),
    ("large-logits", false, "logits in the thousands: exp overflows unless the greatest is subtracted"),
    ("reward-zero", false, "every reward is 0"),
    ("reward-one", false, "every reward is 1"),
    ("partial-coverage", false, "one state and one action are never in the data"),
    ("uniform", false, "α = 0: the policy stays uniform, results are rational"),
    ("lanes", false, "d = 19, c = 1/2: more features than running sums"),
    ("medium", false, "|X| = 10, |A| = 4, d = 8, c = 1/2"),
];

/// The fixed cases of a setting.
#[must_use]
pub fn fixed(setting: Setting) -> Vec<Case> {
    let here = CORNERS.iter().filter(|(_, discounted_only, _)| !discounted_only || setting == Setting::Discounted);
    here.map(|(name, ..)| corner(setting, name)).collect()
}

/// Fresh cases: alternating settings, c and sizes from the seed.
#[must_use]
pub fn random(seed: u64, count: usize) -> Vec<Case> {
    (0..count).map(|index| fresh(seed, index, count)).collect()
}

/// Makes a case again from its id: `discounted/ties`, or `random/SEED/INDEX-of-COUNT`.
#[must_use]
pub fn by_id(id: &str) -> Option<Case> {
    if let Some((seed, index, count)) = random_id(id) {
        return Some(fresh(seed, index, count));
    }
    let (setting, name) = id.split_once('/')?;
    let setting = Setting::ALL.into_iter().find(|known| known.name() == setting)?;
    let &(name, discounted_only, _) = CORNERS.iter().find(|(known, ..)| *known == name)?;
    if discounted_only && setting == Setting::Average { None } else { Some(corner(setting, name)) }
}

/// Seed, index and count of a fresh case's id.
fn random_id(id: &str) -> Option<(u64, usize, usize)> {
    let (seed, rest) = id.strip_prefix("random/")?.split_once('/')?;
    let (index, count) = rest.split_once("-of-")?;
    let (seed, index, count) = (seed.parse().ok()?, index.parse().ok()?, count.parse().ok()?);
    if index < count { Some((seed, index, count)) } else { None }
}

/// The ids that belong together with `id`: its setting's corners, or its seed's cases. Lazy: a count in an id costs nothing.
pub fn companions(id: &str) -> impl Iterator<Item = String> {
    let fresh = random_id(id).map(|(seed, _, count)| (0..count).map(move |index| fresh_id(seed, index, count)));
    let corners = Setting::ALL.into_iter().filter(|setting| id.split('/').next() == Some(setting.name()));
    let corners: Vec<String> = corners.flat_map(fixed).map(|case| case.id).collect();
    corners.into_iter().chain(fresh.into_iter().flatten())
}

fn fresh_id(seed: u64, index: usize, count: usize) -> String {
    std::format!("random/{seed}/{index}-of-{count}")
}

/// Random numbers with few bits.
struct Draws(Uniforms);

impl Draws {
    /// A whole number below n.
    fn below(&mut self, n: usize) -> usize {
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small counts
        let index = (self.0.unit() * n as f64) as usize;
        index.min(n - 1)
    }

    /// A multiple of 1/steps in [−1, 1).
    fn signed(&mut self, steps: f64) -> f64 {
        libm::floor((2.0 * self.0.unit() - 1.0) * steps) / steps
    }

    fn many(&mut self, n: usize, steps: f64) -> Vec<f64> {
        (0..n).map(|_| self.signed(steps)).collect()
    }

    /// I/2 + BBᵀ/8 with B from the grid: symmetric and positive definite, so Λ^{−1/2} of some Λ.
    fn weight(&mut self, dim: usize) -> Vec<f64> {
        let b = self.many(dim * dim, 8.0);
        let entry = |i: usize, j: usize| {
            let product: f64 = (0..dim).map(|k| b[i * dim + k] * b[j * dim + k]).sum();
            product / 8.0 + if i == j { 0.5 } else { 0.0 }
        };
        (0..dim * dim).map(|index| entry(index / dim, index % dim)).collect()
    }

    fn samples(&mut self, case: &Case) -> Vec<Sample<f64>> {
        (0..case.outer * case.block())
            .map(|_| Sample {
                x0: self.below(case.states),
                x: self.below(case.states),
                a: self.below(case.actions),
                r: 0.5 * (self.signed(64.0) + 1.0),
                x_next: self.below(case.states),
                u: self.0.unit(),
            })
            .collect()
    }
}

/// |X|, |A|, d, K, T and whether c = 1/2.
struct Size(usize, usize, usize, usize, usize, bool);

/// A case with moderate parameters: everything moves, the projections are at work now and then.
fn make(id: String, setting: Setting, size: &Size, steps: f64, draws: &mut Draws) -> Case {
    let &Size(states, actions, dim, inner, outer, half) = size;
    let mut case = Case {
        id,
        setting,
        states,
        actions,
        dim,
        features: draws.many(states * actions * dim, steps),
        weight: half.then(|| draws.weight(dim)),
        discount: if setting == Setting::Discounted { 0.75 } else { 0.0 },
        alpha: 0.5,
        eta: 0.25,
        zeta: 0.5,
        xi: if setting == Setting::Average { 0.125 } else { 0.0 },
        radius_theta: 1.0,
        radius_beta: 2.0,
        inner,
        outer,
        theta_start: std::vec![0.0; dim],
        rho_start: if setting == Setting::Average { 0.5 } else { 0.0 },
        beta_start: std::vec![0.0; dim],
        samples: Vec::new(),
    };
    case.samples = draws.samples(&case);
    #[allow(clippy::cast_precision_loss)] // small dimensions
    let within = 1.0 / libm::exp2(libm::ceil(libm::log2(dim as f64)));
    case.theta_start = draws.many(dim, 16.0).iter().map(|x| x * within * case.radius_theta).collect();
    case.beta_start = draws.many(dim, 16.0).iter().map(|x| x * within * case.radius_beta).collect();
    case
}

fn fresh(seed: u64, index: usize, count: usize) -> Case {
    // One stream per case, so that a case does not depend on how many there are.
    let mut draws = Draws(Uniforms::new(seed ^ ((index as u64 + 1) << 32)));
    let size = Size(
        1 + draws.below(8),
        1 + draws.below(5),
        1 + draws.below(12),
        1 + draws.below(8),
        1 + draws.below(6),
        draws.below(2) == 0,
    );
    let setting = Setting::ALL[index % 2];
    let mut case = make(fresh_id(seed, index, count), setting, &size, 1_048_576.0, &mut draws);
    if setting == Setting::Discounted {
        case.discount = 0.5 * (1.0 + draws.signed(128.0));
    }
    case.alpha = 1.0 + draws.signed(64.0);
    // Features of norm about 1, as theory has them, and moderate rates: large ones amplify rounding errors from step to
    // step, and with them the tolerances.
    #[allow(clippy::cast_precision_loss)] // small dimensions
    let norm = libm::exp2(libm::ceil(libm::log2(case.dim as f64) / 2.0));
    case.features.iter_mut().for_each(|x| *x /= norm);
    case.eta = (1.0 + draws.signed(64.0)) / 4.0;
    case.zeta = (1.0 + draws.signed(64.0)) / 4.0;
    if setting == Setting::Average {
        case.xi = (1.0 + draws.signed(64.0)) / 4.0;
    }
    case
}

fn corner(setting: Setting, name: &str) -> Case {
    let size = match name {
        "inner-one" => Size(3, 2, 3, 1, 4, true),
        "outer-one" => Size(3, 2, 3, 4, 1, true),
        "one-action" => Size(3, 1, 2, 2, 3, true),
        "one-feature" => Size(3, 2, 1, 3, 3, true),
        "lanes" => Size(4, 3, 19, 3, 3, true),
        "medium" => Size(10, 4, 8, 5, 3, true),
        "half" | "discount-zero" | "large-logits" | "projections" => Size(3, 3, 3, 3, 3, true),
        "uniform" => Size(3, 2, 2, 2, 3, true),
        _ => Size(3, 3, 3, 3, 3, false),
    };
    let place = CORNERS.iter().position(|(known, ..)| *known == name).unwrap_or(0) as u64;
    let mut draws = Draws(Uniforms::new(place));
    let id = [setting.name(), name].join("/");
    let steps = if matches!(name, "one-action" | "uniform") { 4.0 } else { 64.0 };
    let mut case = make(id, setting, &size, steps, &mut draws);
    shape(&mut case, name);
    case
}

/// What makes the corner a corner.
fn shape(case: &mut Case, name: &str) {
    let (actions, dim) = (case.actions, case.dim);
    match name {
        "plain" => {
            case.theta_start.fill(0.0);
            case.beta_start.fill(0.0);
            case.rho_start = 0.0;
        }
        "one-action" | "uniform" => {
            // Balls that no iterate leaves, and rates with few bits: the exact results stay short.
            (case.alpha, case.radius_theta, case.radius_beta) = (0.0, 16.0, 16.0);
            case.weight =
                Some((0..dim * dim).map(|index| if index / dim == index % dim { 1.5 } else { 0.5 }).collect());
            (case.eta, case.zeta) = (0.25, 0.25);
        }
        "discount-zero" => case.discount = 0.0,
        "projections" => {
            (case.eta, case.zeta, case.radius_theta, case.radius_beta) = (64.0, 64.0, 0.25, 0.5);
            case.theta_start.fill(0.0);
            case.beta_start.fill(0.25);
            // A step from a state to itself may have a zero gradient in Algorithm 2; a large reward moves β.
            for sample in &mut case.samples {
                (sample.x_next, sample.r) = ((sample.x + 1) % case.states, 1.0);
            }
        }
        "ties" => {
            for state in case.features.chunks_mut(actions * dim) {
                let (first, rest) = state.split_at_mut(dim);
                rest[..dim].copy_from_slice(first);
            }
        }
        "large-logits" => case.alpha = 8192.0,
        "reward-zero" => case.samples.iter_mut().for_each(|sample| sample.r = 0.0),
        "reward-one" => case.samples.iter_mut().for_each(|sample| sample.r = 1.0),
        "partial-coverage" => {
            for sample in &mut case.samples {
                (sample.x, sample.a) = (sample.x % 2, sample.a % 2);
            }
        }
        _ => {}
    }
}
