//! `opd tune`: the theorem's parameters, from a model or from a few numbers.

use crate::Verdict;
use crate::args::TuneArgs;
use crate::show::{Show, columns};
use crate::source;
use crate::study::Study;
use crate::tuning::{self, Facts, Tuned};
use offline_primal_dual::data::{InputError, Problem, Setting};
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::covariance::{Exponent, Spectrum};
use serde_json::json;

pub fn tune(args: &TuneArgs, show: &Show) -> Result<Verdict, InputError> {
    let numbers = [args.feature_bound, args.discount].iter().any(Option::is_some) || args.actions.is_some();
    let facts = if numbers { from_numbers(args)? } else { from_model(args)? };
    let tuned = match (args.samples, args.outer) {
        (Some(rows), _) => facts.for_rows(rows),
        (None, Some(outer)) => facts.for_outer(outer),
        (None, None) => return Err(InputError::call("--outer or --samples", "neither given, expected one of them")),
    };
    let tuned = tuned.map_err(|e| InputError::call("the theorem's parameters", e))?;
    show_tuned(&facts, &tuned, show)?;
    Ok(Verdict::Good)
}

fn needed<V: Copy>(flag: &str, value: Option<V>) -> Result<V, InputError> {
    value.ok_or_else(|| InputError::call(flag, "not given, expected it when there is no model"))
}

fn from_numbers(args: &TuneArgs) -> Result<Facts, InputError> {
    let bound = needed("--feature-bound", args.feature_bound)?;
    let discount = match args.setting {
        Setting::Discounted => needed("--discount", args.discount)?,
        Setting::Average => 0.0,
    };
    if discount >= 1.0 {
        return Err(InputError::call("--discount", format_args!("found {discount}, expected 0 <= discount < 1")));
    }
    Ok(Facts {
        setting: args.setting,
        c: args.c,
        actions: needed("--actions", args.actions)?,
        dim: match args.c {
            Exponent::Half => needed("--dim", args.dim)?,
            Exponent::One => args.dim.unwrap_or(1),
        },
        discount,
        phi_squared: bound * bound,
        radius_theta: needed("--radius-theta", args.radius_theta)?,
        radius_beta: needed("--radius-beta", args.radius_beta)?,
        covariance: None,
    })
}

/// A theorem's parameters for T iterations at c = 1, each with its name.
pub fn of_problem(
    setting: Setting,
    problem: &Problem<BigRational>,
    outer: usize,
) -> Result<Vec<(&'static str, String)>, InputError> {
    let problem = problem.map(BigRational::to_f64);
    let facts = of_model(setting, Exponent::One, (None, None), &problem)?;
    let tuned = facts.for_outer(outer).map_err(|e| InputError::call("the theorem's parameters", e))?;
    Ok(rows(&facts, &tuned))
}

fn from_model(args: &TuneArgs) -> Result<Facts, InputError> {
    let problem = source::problem::<f64>(&args.source)?;
    of_model(args.setting, args.c, (args.radius_theta, args.radius_beta), &problem)
}

fn of_model(
    setting: Setting,
    c: Exponent,
    (radius_theta, radius_beta): (Option<f64>, Option<f64>),
    problem: &Problem<f64>,
) -> Result<Facts, InputError> {
    problem.behavior("tuning")?;
    let mut study = Study::new(setting, problem, "tuning")?;
    let spectrum = Spectrum::new(problem.shape.dim, &study.lambda).map_err(|e| InputError::call(&problem.name, e))?;
    Ok(Facts {
        setting,
        c,
        actions: problem.shape.actions,
        dim: problem.shape.dim,
        discount: if setting == Setting::Discounted { *problem.discount()? } else { 0.0 },
        phi_squared: study.bounds.phi,
        radius_theta: radius_theta.map_or_else(|| tuning::radius_theta(&mut study), Ok)?,
        radius_beta: radius_beta.map_or_else(|| tuning::radius_beta(c, &mut study), Ok)?,
        covariance: Some(Facts::covariance_of(c, &spectrum)),
    })
}

/// n: what a run with these parameters reads.
fn samples(facts: &Facts, tuned: &Tuned) -> usize {
    match facts.setting {
        Setting::Discounted => tuned.inner.saturating_mul(tuned.outer),
        Setting::Average => tuned.inner.saturating_add(1).saturating_mul(tuned.outer),
    }
}

fn show_tuned(facts: &Facts, tuned: &Tuned, show: &Show) -> Result<(), InputError> {
    if show.json {
        let moments = facts.second_moments();
        return show.value(&json!({
            "setting": facts.setting.name(), "c": crate::run::exponent(facts.c), "inner": tuned.inner,
            "outer": tuned.outer, "rows": samples(facts, tuned), "alpha": tuned.alpha, "eta": tuned.eta,
            "zeta": tuned.zeta, "xi": tuned.xi, "radius_theta": facts.radius_theta, "radius_beta": facts.radius_beta,
            "g_theta_squared": moments.theta, "g_beta_squared": moments.beta, "g_rho_squared": moments.rho,
            "bound": tuned.bound,
        }));
    }
    let lines: Vec<_> = rows(facts, tuned).into_iter().map(|(name, value)| vec![show.bold(name), value]).collect();
    show.text(&columns(&lines))
}

/// The parameters, each with its name.
pub fn rows(facts: &Facts, tuned: &Tuned) -> Vec<(&'static str, String)> {
    let moments = facts.second_moments();
    let mut rows = vec![
        ("K, T, n", format!("{}, {}, {}", tuned.inner, tuned.outer, samples(facts, tuned))),
        ("α", number(tuned.alpha)),
        ("η", number(tuned.eta)),
        ("ζ", number(tuned.zeta)),
    ];
    rows.extend(tuned.xi.map(|xi| ("ξ", number(xi))));
    rows.push(("D_φ", number(libm::sqrt(facts.phi_squared))));
    rows.push(("D_θ, D_β", format!("{}, {}", number(facts.radius_theta), number(facts.radius_beta))));
    rows.push(("G_θ², G_β²", format!("{}, {}", number(moments.theta), number(moments.beta))));
    rows.extend(moments.rho.map(|rho| ("G_ρ²", number(rho))));
    rows.extend(tuned.bound.map(|bound| ("bound on the mean suboptimality", number(bound))));
    rows
}

/// Six digits, with an exponent where zeros would hide them.
fn number(x: f64) -> String {
    if x == 0.0 || (0.01..1e6).contains(&x.abs()) { format!("{x:.6}") } else { format!("{x:.6e}") }
}
