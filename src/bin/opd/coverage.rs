//! `opd coverage`: the coverage ratios of Definition E.1 on an instance.

use crate::Verdict;
use crate::args::CoverageArgs;
use crate::model::SolvedModel;
use crate::show::{Show, columns, eye};
use crate::source;
use offline_primal_dual::Result as Checked;
use offline_primal_dual::data::{InputError, Problem, Setting};
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::covariance::{Exponent, second_moment};
use offline_primal_dual::paper::coverage::{coverage_ratio, dagger_ratio, dagger_ratio_bracket, diamond_ratio};
use serde_json::json;

/// A ratio with its name: exact, or the upper end of an exact bracket.
pub struct Ratio {
    pub key: &'static str,
    pub name: &'static str,
    pub value: BigRational,
    /// The lower end, where the value is not rational in general.
    pub at_least: Option<BigRational>,
}

pub fn coverage(args: &CoverageArgs, show: &Show) -> Result<Verdict, InputError> {
    let problem = source::problem::<BigRational>(&args.source)?;
    let ratios = of_problem(&problem)?;
    if show.json {
        let mut object = serde_json::Map::new();
        for ratio in &ratios {
            let value = match &ratio.at_least {
                None => json!(ratio.value.to_string()),
                Some(low) => json!({ "at_least": low.to_string(), "at_most": ratio.value.to_string() }),
            };
            object.insert(ratio.key.to_owned(), value);
        }
        show.value(&object)?;
    } else {
        show.text(&table(&ratios, show))?;
    }
    Ok(Verdict::Good)
}

pub fn table(ratios: &[Ratio], show: &Show) -> String {
    let line = |ratio: &Ratio| match &ratio.at_least {
        None => vec![show.bold(ratio.name), eye(&ratio.value)],
        Some(low) => vec![show.bold(ratio.name), format!("in [{:.12}, {:.12}]", low.to_f64(), ratio.value.to_f64())],
    };
    columns(&ratios.iter().map(line).collect::<Vec<_>>())
}

pub fn of_problem(problem: &Problem<BigRational>) -> Result<Vec<Ratio>, InputError> {
    problem.behavior("coverage ratios")?;
    let mut model = SolvedModel::new(Setting::Discounted, problem, "coverage ratios")?;
    ratios(&mut model).map_err(|e| InputError::call(&problem.name, e))
}

fn ratios(model: &mut SolvedModel<'_, BigRational>) -> Checked<Vec<Ratio>> {
    let (mdp, mut scratch) = (&model.mdp, &mut model.scratch[..]);
    let (mu, lambda, dim) = (&model.mu_star, &model.lambda, mdp.shape().dim);
    let m = second_moment(dim, mdp.features(), mu, &mut scratch)?;
    // 2^-40 of the value: what the eye can tell and more.
    let (low, high) = dagger_ratio_bracket(dim, m, lambda, 40, scratch)?;
    let exact = |key, name, value| Ratio { key, name, value, at_least: None };
    Ok(vec![
        exact("c_half", "C_{φ,1/2}", coverage_ratio(Exponent::Half, mdp, mu, lambda, scratch)?),
        exact("c_one", "C_{φ,1}", coverage_ratio(Exponent::One, mdp, mu, lambda, scratch)?),
        exact("diamond", "C^⋄", diamond_ratio(mdp, mu, lambda, scratch)?),
        Ratio { key: "dagger", name: "C^† = C_{F,π}", value: high, at_least: Some(low) },
    ])
}

/// The same in doubles, of a model that a run was evaluated on and that has a behaviour policy.
pub fn of_model(model: &mut SolvedModel<'_, f64>) -> Checked<Vec<(&'static str, f64)>> {
    let (mdp, mut scratch) = (&model.mdp, &mut model.scratch[..]);
    let (mu, lambda, dim) = (&model.mu_star, &model.lambda, mdp.shape().dim);
    let m = second_moment(dim, mdp.features(), mu, &mut scratch)?;
    Ok(vec![
        ("C_{φ,1/2}", coverage_ratio(Exponent::Half, mdp, mu, lambda, scratch)?),
        ("C_{φ,1}", coverage_ratio(Exponent::One, mdp, mu, lambda, scratch)?),
        ("C^⋄", diamond_ratio(mdp, mu, lambda, scratch)?),
        ("C^† = C_{F,π}", dagger_ratio(dim, m, lambda)?),
    ])
}
