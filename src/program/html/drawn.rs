//! What the pages of a run, of a certificate and of an audit draw alike.

use super::figure::{Axis, Figure, Line, Scale, lines};
use super::page::{Cell, facts, wide};
use crate::data::Problem;
use crate::number::exact::BigRational;
use crate::program::certificate::Decomposition;
use crate::program::coverage;
use crate::program::job::Job;
use crate::program::recorder::Point;
use crate::program::theorem::{Rates, Theorem};

/// How many states' policies are shown.
const STATES_SHOWN: usize = 64;

/// Of a page that knows only the model's behaviour policy.
pub const COVERAGE: &str = "<h2 id=\"coverage\">Coverage of the optimal policy by the model's behaviour policy</h2>\n";

/// The axis of returns: (1−γ) times a discounted sum, or a mean in the long run.
pub const REWARD: &str = "reward per step";

/// The axis of the iterations.
const OVER_T: &str = "outer iteration t";

#[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
pub fn bound_and_measured(theorem: &Theorem, rates: &Rates, measured: impl Iterator<Item = (usize, f64)>) -> String {
    let measured: Vec<(usize, f64)> = measured.collect();
    let bound = measured.iter().map(|(t, _)| (*t as f64, theorem.bound(rates, *t).unwrap_or(f64::NAN))).collect();
    let trivial = measured.iter().map(|(t, _)| (*t as f64, 1.0)).collect();
    let measured = measured.iter().map(|(t, gap)| (*t as f64, *gap)).collect();
    let lines = vec![
        Line::new("measured", measured),
        Line::new("bound", bound),
        Line::new("1: a bound above it says nothing", trivial),
    ];
    let title = format!("Average suboptimality up to t of this run, and {}'s bound on its mean", theorem.name());
    let (x, y) = (Axis { name: OVER_T, scale: Scale::Fitted }, Axis { name: REWARD, scale: Scale::Log });
    Figure { title: &title, x, y, lines }.html()
}

/// The suboptimality of the mixture, alone: beside the regrets it would be a flat line. From zero, for what is learnt to be seen as the part that it is.
#[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
pub fn average_suboptimality(decomposition: &[Decomposition]) -> String {
    let points = decomposition.iter().map(|d| (d.t as f64, d.total)).collect();
    let (x, y) = (Axis { name: OVER_T, scale: Scale::Fitted }, Axis { name: REWARD, scale: Scale::FromZero });
    let lines = vec![Line::new("ρ(π*) − (1/t) Σ_{i≤t} ρ(π_i)", points)];
    Figure { title: "Suboptimality of the mixture of π_1 … π_t", x, y, lines }.html()
}

/// The regrets that add up to the suboptimality.
pub fn regrets(decomposition: &[Decomposition]) -> String {
    let over = |part: fn(&Decomposition) -> f64| -> Vec<(f64, f64)> {
        #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
        decomposition.iter().map(|d| (d.t as f64, part(d))).collect()
    };
    let mut parts = vec![
        Line::new("suboptimality", over(|d| d.total)),
        Line::new("θ-regret", over(|d| d.theta)),
        Line::new("β-regret", over(|d| d.beta)),
        Line::new("π-regret", over(|d| d.pi)),
    ];
    if decomposition.iter().any(|d| d.rho.is_some()) {
        parts.push(Line::new("ρ-regret", over(|d| d.rho.unwrap_or(0.0))));
    }
    lines(
        "Average suboptimality up to t and the regrets that add up to it (from exact fractions)",
        OVER_T,
        REWARD,
        parts,
    )
}

pub fn coverage_facts(problem: &Problem<BigRational>) -> String {
    match coverage::of_problem(problem, 1.0) {
        Err(error) => facts(&[("not computed", error.to_string())]),
        Ok(ratios) => facts(&ratios.iter().map(|ratio| (ratio.name, ratio.value.shown())).collect::<Vec<_>>()),
    }
}

fn over_t(points: &[Point], y: impl Fn(&Point) -> f64) -> Vec<(f64, f64)> {
    #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
    points.iter().map(|point| (point.t as f64, y(point))).collect()
}

/// Iterate norms against their radii.
pub fn norms(job: &Job, points: &[Point]) -> String {
    let theta = [
        Line::new("‖θ_t‖", over_t(points, |p| p.theta_norm)),
        Line::new("radius D_θ", over_t(points, |_| job.radius_theta)),
    ];
    let beta = [
        Line::new("‖β_t‖", over_t(points, |p| p.beta_norm)),
        Line::new("radius D_β", over_t(points, |_| job.radius_beta)),
    ];
    let (theta, beta) = (theta.into(), beta.into());
    lines("‖θ_t‖ over t", OVER_T, "length of θ", theta) + &lines("‖β_t‖ over t", OVER_T, "length of β", beta)
}

pub fn suboptimality(best: f64, uniform: f64, points: &[Point]) -> String {
    let lines = vec![
        Line::new("ρ(π*) − ρ(π_t)", over_t(points, |p| best - p.value)),
        Line::new("uniform policy", over_t(points, |_| best - uniform)),
    ];
    let (x, y) = (Axis { name: OVER_T, scale: Scale::Fitted }, Axis { name: REWARD, scale: Scale::FromZero });
    Figure { title: "Suboptimality of π_t over t", x, y, lines }.html()
}

pub fn policy_table(job: &Job, policy: &[f64]) -> String {
    let actions: Vec<String> = (0..job.shape.actions).map(|a| format!("a = {a}")).collect();
    let head: Vec<&str> = std::iter::once("state").chain(actions.iter().map(String::as_str)).collect();
    let row = |(x, row): (usize, &[f64])| -> Vec<Cell> {
        let cells = row.iter().map(|p| (format!("{p:.4}"), "number"));
        std::iter::once((format!("{x}"), "")).chain(cells).collect()
    };
    let states = policy.chunks(job.shape.actions).enumerate().take(STATES_SHOWN);
    let table = wide(&head, &states.map(row).collect::<Vec<_>>());
    let hidden = job.shape.states.saturating_sub(STATES_SHOWN);
    if hidden > 0 { format!("{table}<p>… and {hidden} more states.</p>\n") } else { table }
}
