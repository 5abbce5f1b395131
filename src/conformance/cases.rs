//! The cases: a fixed set with the corners, and any number of fresh ones from a seed.
//!
//! Made of [`Uniforms`] by sums and products that do not round, so the same on every machine.

use super::case::Case;
use crate::error::{Error, Result};
use crate::paper::Setting;
use crate::paper::samples::Sample;
use crate::sampler::Uniforms;

/// A corner: its name, which settings have it, whether it is large, and what it is for.
#[derive(Debug, Clone, Copy)]
pub struct Corner {
    /// The name.
    pub name: &'static str,
    /// The only setting that has it; `None`: both have.
    pub only: Option<Setting>,
    /// Whether it is large.
    pub large: bool,
    /// Whether the golden files have its intermediates and its wrong variants. Large ones and twins come without.
    pub whole: bool,
    /// What it is for.
    pub what: &'static str,
}

/// The corners. A corner's place seeds it: new ones go last.
pub const CORNERS: [Corner; 34] = {
    const fn both(name: &'static str, what: &'static str) -> Corner {
        Corner { name, only: None, large: false, whole: true, what }
    }
    const fn large(name: &'static str, what: &'static str) -> Corner {
        Corner { name, only: None, large: true, whole: false, what }
    }
    const fn only(setting: Setting, name: &'static str, what: &'static str) -> Corner {
        Corner { name, only: Some(setting), large: false, whole: true, what }
    }
    // What a port that is limited to c = 1, or to a start at 0, is otherwise spared: small, and without the rest.
    const fn twin(only: Option<Setting>, name: &'static str, what: &'static str) -> Corner {
        Corner { name, only, large: false, whole: false, what }
    }
    [
        both("plain", "c = 1, start at 0"),
        both("half", "c = 1/2"),
        both("inner-one", "K = 1"),
        both("outer-one", "T = 1"),
        both("one-action", "|A| = 1: the policy is constant, results are rational"),
        both("one-feature", "d = 1, c = 1/2"),
        only(Setting::Discounted, "discount-zero", "γ = 0"),
        both("projections", "every iterate is projected"),
        both("ties", "actions with equal features: equal logits at every step"),
        both("large-logits", "logits in the thousands: exp overflows unless the greatest is subtracted"),
        both("reward-zero", "every reward is 0"),
        both("reward-one", "every reward is 1"),
        both("partial-coverage", "one state and one action are never in the data"),
        both("uniform", "α = 0: the policy stays uniform, results are rational"),
        both("lanes", "d = 19, c = 1/2: more features than running sums"),
        both("medium", "|X| = 10, |A| = 4, d = 8, c = 1/2"),
        large("features-33", "d = 33, c = 1/2, projections: a product or a norm that stops early shows"),
        large("features-257", "d = 257, c = 1: a product that stops early shows"),
        large("actions-40", "|A| = 40"),
        large("outer-100", "T = 100, iterates that leave small balls by little"),
        only(
            Setting::Average,
            "draw-edges",
            "u on the ends of the intervals of actions: A' is the first action whose cumulative probability exceeds u",
        ),
        twin(None, "c1-inner-one", "K = 1, c = 1"),
        twin(None, "zero-inner-one", "K = 1, c = 1, start at 0"),
        twin(None, "zero-outer-one", "T = 1, c = 1, start at 0"),
        twin(None, "zero-one-action", "|A| = 1, c = 1, start at 0"),
        twin(None, "zero-one-feature", "d = 1, c = 1, start at 0"),
        twin(Some(Setting::Discounted), "zero-discount-zero", "γ = 0, c = 1, start at 0"),
        twin(None, "zero-projections", "every iterate that moves is projected, c = 1, start at 0"),
        twin(None, "zero-large-logits", "logits in the thousands, c = 1, start at 0"),
        twin(None, "zero-features-33", "d = 33, projections, c = 1, start at 0"),
        twin(None, "zero-outer-12", "T = 12, iterates that leave small balls by little, c = 1, start at 0"),
        twin(Some(Setting::Average), "zero-draw-edges", "u on the ends of the intervals of actions, c = 1, start at 0"),
        twin(
            Some(Setting::Average),
            "zero-rho",
            "w far from 1 on both sides, so that ρ moves all over [0, 1], c = 1, start at 0",
        ),
        twin(None, "zero-half", "c = 1/2, start at 0"),
    ]
};

/// The corner that a twin is a small one of.
fn twin_of(name: &str) -> Option<&str> {
    name.strip_prefix("c1-").or_else(|| name.strip_prefix("zero-"))
}

/// The fixed cases of a setting.
#[must_use]
pub fn fixed(setting: Setting) -> Vec<Case> {
    let here = CORNERS.iter().filter(|corner| corner.only.is_none_or(|only| only == setting));
    here.map(|corner| make_corner(setting, corner.name)).collect()
}

/// What an implementation can do, or what a problem should be: every part that is given must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wish {
    /// |X|.
    pub states: Option<usize>,
    /// |A|.
    pub actions: Option<usize>,
    /// d.
    pub dim: Option<usize>,
    /// K.
    pub inner: Option<usize>,
    /// T.
    pub outer: Option<usize>,
    /// The setting.
    pub setting: Option<Setting>,
    /// Whether c = 1/2.
    pub half: Option<bool>,
    /// θ₀ = 0, β₁ = 0, ρ₀ = 0.
    pub zero_start: bool,
}

impl Wish {
    /// Whether a case is what is wished for.
    #[must_use]
    pub fn admits(&self, case: &Case) -> bool {
        let is = |wish: Option<usize>, n: usize| wish.is_none_or(|wish| wish == n);
        let is_zero = case.rho_start == 0.0 && case.theta_start.iter().chain(&case.beta_start).all(|x| *x == 0.0);
        is(self.states, case.states)
            && is(self.actions, case.actions)
            && is(self.dim, case.dim)
            && is(self.inner, case.inner)
            && is(self.outer, case.outer)
            && self.setting.is_none_or(|setting| setting == case.setting)
            && self.half.is_none_or(|half| half == case.weight.is_some())
            && (!self.zero_start || is_zero)
    }

    /// The end of an id: nothing, or like `/S10-A4-d16-K50-T200-average-c1-zero`.
    fn suffix(&self) -> String {
        let sizes = [("S", self.states), ("A", self.actions), ("d", self.dim), ("K", self.inner), ("T", self.outer)];
        let mut parts: Vec<String> = sizes.iter().filter_map(|(key, n)| Some(format!("{key}{}", (*n)?))).collect();
        parts.extend(self.setting.map(|setting| setting.name().into()));
        parts.extend(self.half.map(|half| if half { "half" } else { "c1" }.into()));
        parts.extend(self.zero_start.then(|| "zero".into()));
        if parts.is_empty() { String::new() } else { format!("/{}", parts.join("-")) }
    }

    fn of_suffix(suffix: &str) -> Option<Self> {
        let mut wish = Self::default();
        for part in suffix.split('-') {
            match part {
                "discounted" => wish.setting = Some(Setting::Discounted),
                "average" => wish.setting = Some(Setting::Average),
                "half" | "c1" => wish.half = Some(part == "half"),
                "zero" => wish.zero_start = true,
                _ => {
                    let (key, n) = part.split_at_checked(1)?;
                    let n = Some(n.parse().ok().filter(|n| *n > 0)?);
                    match key {
                        "S" => wish.states = n,
                        "A" => wish.actions = n,
                        "d" => wish.dim = n,
                        "K" => wish.inner = n,
                        "T" => wish.outer = n,
                        _ => return None,
                    }
                }
            }
        }
        (wish.suffix().strip_prefix('/') == Some(suffix)).then_some(wish)
    }
}

/// The families of fresh cases. An id is a problem for good, so what changes is a family of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `random/…`: moderate everywhere. `opd vectors gen` printed these up to 0.2.0; results of them are checked for good.
    Moderate,
    /// `fresh/…`: the same, but a quarter with small balls, and a quarter with large logits.
    Fresh,
}

impl Kind {
    const ALL: [(Self, &'static str); 2] = [(Self::Moderate, "random"), (Self::Fresh, "fresh")];

    fn name(self) -> &'static str {
        if self == Self::Moderate { "random" } else { "fresh" }
    }
}

/// A family of fresh cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Family {
    kind: Kind,
    seed: u64,
    count: usize,
    wish: Wish,
}

impl Family {
    fn id(&self, index: usize) -> String {
        format!("{}/{}/{index}-of-{}{}", self.kind.name(), self.seed, self.count, self.wish.suffix())
    }

    /// The family and the index of an id.
    fn of_id(id: &str) -> Option<(Self, usize)> {
        let (kind, rest) = id.split_once('/')?;
        let (kind, _) = Kind::ALL.into_iter().find(|(_, name)| *name == kind)?;
        let (seed, rest) = rest.split_once('/')?;
        let (rest, wish) = match rest.split_once('/') {
            Some((rest, suffix)) => (rest, Wish::of_suffix(suffix)?),
            None => (rest, Wish::default()),
        };
        let (index, count) = rest.split_once("-of-")?;
        let (seed, index, count) = (seed.parse().ok()?, index.parse().ok()?, count.parse().ok()?);
        let family = Self { kind, seed, count, wish };
        // An id that is written otherwise, say with leading zeros, is another id.
        (index < count && family.id(index) == id).then_some((family, index))
    }
}

/// Fresh cases: alternating settings, c and sizes from the seed. Of every eight, the third and fourth have balls that iterates leave, the
/// last two logits in the thousands. One at a time: a count costs nothing.
pub fn fresh(seed: u64, count: usize) -> impl Iterator<Item = Case> {
    let family = Family { kind: Kind::Fresh, seed, count, wish: Wish::default() };
    (0..count).map(move |index| make_fresh(&family, index))
}

/// [`fresh`] as wished; `Err` where a case would have more than [`LARGEST`] numbers.
pub fn fresh_like(seed: u64, count: usize, wish: Wish) -> Result<impl Iterator<Item = Case>> {
    like(Family { kind: Kind::Fresh, seed, count, wish })
}

/// [`fresh`] without small balls and large logits: long runs of these amplify rounding errors little.
pub fn random(seed: u64, count: usize) -> impl Iterator<Item = Case> {
    let family = Family { kind: Kind::Moderate, seed, count, wish: Wish::default() };
    (0..count).map(move |index| make_fresh(&family, index))
}

/// [`random`] as wished; `Err` where a case would have more than [`LARGEST`] numbers.
pub fn random_like(seed: u64, count: usize, wish: Wish) -> Result<impl Iterator<Item = Case>> {
    like(Family { kind: Kind::Moderate, seed, count, wish })
}

fn like(family: Family) -> Result<impl Iterator<Item = Case>> {
    if largest(&family.wish) >= LARGEST {
        return Err(Error::OutOfRange {
            what: "size of a case",
            index: Error::SCALAR,
            expected: "at most 2^28 numbers",
        });
    }
    Ok((0..family.count).map(move |index| make_fresh(&family, index)))
}

/// How many numbers the largest of such cases has, for a budget: features, Λ^{c−1}, starts and rows.
#[must_use]
pub fn largest(wish: &Wish) -> f64 {
    let [s, a, d, k, t] = [(wish.states, 8), (wish.actions, 5), (wish.dim, 12), (wish.inner, 8), (wish.outer, 6)]
        .map(|(n, most)| n.unwrap_or(most) as f64);
    let weight = if wish.half == Some(false) { 0.0 } else { d * d };
    s * a * d + weight + 2.0 * d + 6.0 * t * (k + 1.0)
}

/// [`largest`] of the case that an id stands for; 0 for the fixed ones.
#[must_use]
pub fn largest_of_id(id: &str) -> f64 {
    Family::of_id(id).map_or(0.0, |(family, _)| largest(&family.wish))
}

/// Makes a case again from its id: `discounted/ties`, or `random/SEED/INDEX-of-COUNT`, with what was wished for at the end.
/// How many operations it takes, at most, to make such a case: BBᵀ, where there is one, and a few per number.
#[must_use]
pub fn making(wish: &Wish) -> f64 {
    let dim = wish.dim.unwrap_or(12) as f64;
    10.0 * largest(wish) + if wish.half == Some(false) { 0.0 } else { dim * dim * dim }
}

/// What was wished for in the id of a fresh case, for a budget: the case may be larger than any result of it.
#[must_use]
pub fn wish_of_id(id: &str) -> Option<Wish> {
    Family::of_id(id).map(|(family, _)| family.wish)
}

/// Makes a case again from its id: `discounted/ties`, or `fresh/SEED/INDEX-of-COUNT`, with what was wished for at the end.
#[must_use]
pub fn by_id(id: &str) -> Option<Case> {
    if let Some((family, index)) = Family::of_id(id) {
        return (largest(&family.wish) < LARGEST).then(|| make_fresh(&family, index));
    }
    let (setting, name) = id.split_once('/')?;
    let setting = Setting::ALL.into_iter().find(|known| known.name() == setting)?;
    let corner = CORNERS.iter().find(|corner| corner.name == name)?;
    corner.only.is_none_or(|only| only == setting).then(|| make_corner(setting, corner.name))
}

fn corner_of(id: &str) -> Option<&'static Corner> {
    let (_, name) = id.split_once('/')?;
    CORNERS.iter().find(|corner| corner.name == name)
}

/// Whether an id is that of a large corner.
#[must_use]
pub fn is_large(id: &str) -> bool {
    corner_of(id).is_some_and(|corner| corner.large)
}

/// Whether the golden files have a case's intermediates and wrong variants.
#[must_use]
pub fn is_whole(id: &str) -> bool {
    corner_of(id).is_some_and(|corner| corner.whole)
}

/// What cases that belong together have in common: the setting of corners; seed, count and wishes of fresh ones.
#[must_use]
pub fn group(id: &str) -> String {
    match Family::of_id(id) {
        Some((family, _)) => family.id(0),
        None => id.split('/').next().unwrap_or_default().into(),
    }
}

/// Numbers of a case that an id may ask for: 2 GB of them.
pub const LARGEST: f64 = 268_435_456.0;

/// The ids that belong together with `id`: the corners of its setting that are wished for, or its seed's cases. Lazy: a count in an id costs nothing.
pub fn companions(id: &str, wish: &Wish) -> impl Iterator<Item = String> {
    let fresh = Family::of_id(id).map(|(family, _)| (0..family.count).map(move |index| family.id(index)));
    let corners = Setting::ALL.into_iter().filter(|setting| id.split('/').next() == Some(setting.name()));
    let corners = corners.flat_map(fixed).filter(|case| wish.admits(case)).map(|case| case.id);
    corners.collect::<Vec<String>>().into_iter().chain(fresh.into_iter().flatten())
}

/// Random numbers with few bits.
struct Draws(Uniforms);

impl Draws {
    /// A whole number below n.
    fn below(&mut self, n: usize) -> usize {
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small counts
        let index = (self.0.unit() * n as f64) as usize;
        index.min(n.saturating_sub(1))
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
        theta_start: vec![0.0; dim],
        rho_start: if setting == Setting::Average { 0.5 } else { 0.0 },
        beta_start: vec![0.0; dim],
        samples: Vec::new(),
    };
    case.samples = draws.samples(&case);
    #[allow(clippy::cast_precision_loss)] // small dimensions
    let within = 1.0 / libm::exp2(libm::ceil(libm::log2(dim as f64)));
    case.theta_start = draws.many(dim, 16.0).iter().map(|x| x * within * case.radius_theta).collect();
    case.beta_start = draws.many(dim, 16.0).iter().map(|x| x * within * case.radius_beta).collect();
    case
}

fn make_fresh(family: &Family, index: usize) -> Case {
    let Family { seed, wish, .. } = family;
    // One stream per case, so that a case does not depend on how many there are; and drawn before the wish is heard.
    let mut draws = Draws(Uniforms::new(seed ^ ((index as u64).wrapping_add(1) << 32)));
    let mut size = Size(
        1 + draws.below(8),
        1 + draws.below(5),
        1 + draws.below(12),
        1 + draws.below(8),
        1 + draws.below(6),
        draws.below(2) == 0,
    );
    let strain = if family.kind == Kind::Fresh { Strain::of(index) } else { None };
    let Size(states, actions, dim, inner, outer, half) = &mut size;
    if strain.is_some() {
        // In a single iteration, or where all features are one, nothing comes far.
        for n in [&mut *states, &mut *actions, &mut *inner, &mut *outer] {
            *n = (*n).max(4);
        }
    }
    for (n, wish) in
        [(states, wish.states), (actions, wish.actions), (dim, wish.dim), (inner, wish.inner), (outer, wish.outer)]
    {
        *n = wish.unwrap_or(*n);
    }
    *half = wish.half.unwrap_or(*half);
    let setting = wish.setting.unwrap_or(Setting::ALL[index % 2]);
    let mut case = make(family.id(index), setting, &size, 1_048_576.0, &mut draws);
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
    if strain.is_some() {
        // Not by the smallest of steps.
        (case.eta, case.zeta) = (0.25 + case.eta / 2.0, 0.25 + case.zeta / 2.0);
    }
    match strain {
        Some(Strain::SmallBalls) => leave_balls(&mut case),
        Some(Strain::LargeLogits) => case.alpha = 262_144.0 * (1.0 + case.alpha),
        None => {}
    }
    if wish.zero_start {
        start_at_zero(&mut case);
    }
    case
}

/// What moderate problems never do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strain {
    /// Iterates leave their balls.
    SmallBalls,
    /// exp overflows, unless the greatest logit is subtracted.
    LargeLogits,
}

impl Strain {
    /// Settings alternate, so these go by twos.
    fn of(index: usize) -> Option<Self> {
        match index / 2 % 4 {
            1 => Some(Self::SmallBalls),
            3 => Some(Self::LargeLogits),
            _ => None,
        }
    }
}

/// Balls and starts 16 times smaller, steps 16 times larger.
fn leave_balls(case: &mut Case) {
    (case.radius_theta, case.radius_beta) = (case.radius_theta / 16.0, case.radius_beta / 16.0);
    (case.eta, case.zeta) = (case.eta * 16.0, case.zeta * 16.0);
    case.theta_start.iter_mut().chain(&mut case.beta_start).for_each(|x| *x /= 16.0);
}

fn start_at_zero(case: &mut Case) {
    case.theta_start.fill(0.0);
    case.beta_start.fill(0.0);
    case.rho_start = 0.0;
}

fn make_corner(setting: Setting, name: &str) -> Case {
    let size = match name {
        "inner-one" => Size(3, 2, 3, 1, 4, true),
        "outer-one" => Size(3, 2, 3, 4, 1, true),
        "one-action" => Size(3, 1, 2, 2, 3, true),
        "one-feature" => Size(3, 2, 1, 3, 3, true),
        "lanes" => Size(4, 3, 19, 3, 3, true),
        "medium" => Size(10, 4, 8, 5, 3, true),
        "half" | "discount-zero" | "large-logits" | "projections" => Size(3, 3, 3, 3, 3, true),
        "uniform" => Size(3, 2, 2, 2, 3, true),
        "features-33" => Size(2, 2, 33, 3, 2, true),
        "features-257" => Size(1, 2, 257, 2, 2, false),
        "actions-40" => Size(2, 40, 3, 3, 3, true),
        "outer-100" => Size(3, 2, 2, 2, 100, true),
        "draw-edges" => Size(3, 4, 2, 4, 3, true),
        "c1-inner-one" | "zero-inner-one" => Size(2, 2, 2, 1, 2, false),
        "zero-outer-one" => Size(2, 2, 2, 3, 1, false),
        "zero-one-action" => Size(2, 1, 2, 2, 2, false),
        "zero-one-feature" => Size(2, 2, 1, 2, 3, false),
        "zero-discount-zero" | "zero-projections" => Size(2, 2, 2, 3, 3, false),
        "zero-large-logits" => Size(2, 3, 2, 2, 4, false),
        "zero-rho" => Size(2, 2, 2, 4, 4, false),
        "zero-features-33" => Size(1, 2, 33, 3, 3, false),
        "zero-outer-12" => Size(2, 2, 2, 2, 12, false),
        "zero-draw-edges" => Size(2, 4, 2, 3, 3, false),
        "zero-half" => Size(2, 2, 3, 3, 3, true),
        _ => Size(3, 3, 3, 3, 3, false),
    };
    let place = CORNERS.iter().position(|corner| corner.name == name).unwrap_or(0) as u64;
    let mut draws = Draws(Uniforms::new(place));
    let id = [setting.name(), name].join("/");
    let kind = twin_of(name).unwrap_or(name);
    let steps = if matches!(kind, "one-action" | "uniform") { 4.0 } else { 64.0 };
    let mut case = make(id, setting, &size, steps, &mut draws);
    shape(&mut case, kind);
    if name.starts_with("zero-") {
        start_at_zero(&mut case);
    }
    if name == "zero-large-logits" {
        // It takes some iterations to come away from 0.
        case.alpha *= 4.0;
    }
    case
}

/// What makes the corner a corner.
fn shape(case: &mut Case, name: &str) {
    let (actions, dim) = (case.actions, case.dim);
    match name {
        "plain" => start_at_zero(case),
        "one-action" | "uniform" => {
            // Balls that no iterate leaves, and rates with few bits: the exact results stay short.
            (case.alpha, case.radius_theta, case.radius_beta) = (0.0, 16.0, 16.0);
            let entry = |index| if index / dim == index % dim { 1.5 } else { 0.5 };
            case.weight = case.weight.take().map(|_| (0..dim * dim).map(entry).collect());
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
        // π(·|X') is 1/4 exactly, for everybody, and so are its sums.
        "draw-edges" => {
            (case.alpha, case.rho_start) = (0.0, 1.0);
            for (row, sample) in case.samples.iter_mut().enumerate() {
                sample.u = [0.25, 0.5, 0.0, 0.75][row % 4];
            }
        }
        "features-257" => case.features.iter_mut().for_each(|x| *x /= 16.0),
        // Rates at which iterates leave their balls: a norm that stops early shows.
        "features-33" => {
            (case.eta, case.zeta, case.radius_theta, case.radius_beta) = (8.0, 8.0, 0.25, 0.5);
            case.features.iter_mut().for_each(|x| *x /= 8.0);
        }
        // Small balls and small steps: iterates leave them by little, so that whether ‖y‖ or ‖y‖² is compared with the radius shows.
        "outer-12" => {
            (case.alpha, case.eta, case.zeta) = (0.125, 0.125, 0.25);
            (case.radius_theta, case.radius_beta) = (0.015_625, 0.5);
        }
        "outer-100" => {
            (case.alpha, case.eta, case.zeta) = (0.125, 0.0625, 0.0625);
            (case.radius_theta, case.radius_beta) = (0.0625, 0.125);
            for x in case.theta_start.iter_mut().chain(&mut case.beta_start) {
                *x *= 0.0625;
            }
        }
        "rho" => (case.zeta, case.radius_beta, case.xi) = (16.0, 16.0, 0.125),
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
