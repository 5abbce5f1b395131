//! `opd coverage`: the coverage ratios of Definition E.1 on an instance.

use crate::data::{InputError, Problem, Setting};
use crate::number::exact::BigRational;
use crate::paper::covariance::{Exponent, second_moment};
use crate::paper::coverage::{coverage_ratio, dagger_ratio, dagger_ratio_bracket, diamond_ratio};
use crate::program::Verdict;
use crate::program::args::CoverageArgs;
use crate::program::model::SolvedModel;
use crate::program::show::{Show, columns, eye};
use crate::program::source;
use crate::{Error, Result as Checked};
use serde_json::json;

/// A ratio with its name.
pub struct Ratio {
    pub key: &'static str,
    pub name: &'static str,
    pub value: Value,
}

/// What a ratio is known to be.
pub enum Value {
    Exact(BigRational),
    /// The ends of an exact bracket, where the value is not rational in general.
    Between(BigRational, BigRational),
    /// π* needs a feature that the data never see.
    Infinite,
}

impl Value {
    /// Exactly what the library found, infinite where Λ is singular and has no solution.
    fn of(found: Checked<BigRational>) -> Checked<Self> {
        match found {
            Err(Error::NotInRange { .. }) => Ok(Self::Infinite),
            found => found.map(Self::Exact),
        }
    }

    /// For the eye.
    pub fn shown(&self) -> String {
        match self {
            Self::Exact(value) => eye(value),
            Self::Between(low, high) => format!("in [{:.12}, {:.12}]", low.to_f64(), high.to_f64()),
            Self::Infinite => "infinite".to_owned(),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Self::Exact(value) => json!(value.to_string()),
            Self::Between(low, high) => json!({ "at_least": low.to_string(), "at_most": high.to_string() }),
            Self::Infinite => json!("infinite"),
        }
    }
}

pub fn coverage(args: &CoverageArgs, show: &Show) -> Result<Verdict, InputError> {
    let problem = source::problem::<BigRational>(&args.source)?;
    let ratios = of_problem(&problem)?;
    if show.json {
        show.value(&object(&ratios))?;
    } else {
        show.text(&table(&ratios, show))?;
    }
    Ok(Verdict::Good)
}

/// The ratios as JSON has them.
pub fn object(ratios: &[Ratio]) -> serde_json::Map<String, serde_json::Value> {
    ratios.iter().map(|ratio| (ratio.key.to_owned(), ratio.value.json())).collect()
}

pub fn table(ratios: &[Ratio], show: &Show) -> String {
    let line = |ratio: &Ratio| vec![show.bold(ratio.name), ratio.value.shown()];
    columns(&ratios.iter().map(line).collect::<Vec<_>>())
}

pub fn of_problem(problem: &Problem<BigRational>) -> Result<Vec<Ratio>, InputError> {
    problem.behavior("coverage ratios")?;
    let mut model = SolvedModel::new(Setting::Discounted, problem, "coverage ratios")?;
    ratios(&mut model).map_err(|e| model.not_covered(&problem.name, e))
}

/// Λ may be singular. An error where the data do not cover π*: no β has Λ^cβ = Φᵀμ*. C^⋄ and C^† ask for more, every φ that π* sees, and
/// are infinite where only Φᵀμ* is covered.
fn ratios(model: &mut SolvedModel<'_, BigRational>) -> Checked<Vec<Ratio>> {
    let (mdp, mut scratch) = (&model.mdp, &mut model.scratch[..]);
    let (mu, lambda, dim) = (&model.mu_star, &model.lambda, mdp.shape().dim);
    let m = second_moment(dim, mdp.features(), mu, &mut scratch)?;
    // 2^-40 of the value: what the eye can tell and more.
    let dagger = match dagger_ratio_bracket(dim, m, lambda, 40, scratch) {
        Err(Error::NotInRange { .. }) => Value::Infinite,
        bracket => bracket.map(|(low, high)| Value::Between(low, high))?,
    };
    let c_half = Value::Exact(coverage_ratio(Exponent::Half, mdp, mu, lambda, scratch)?);
    let c_one = Value::Exact(coverage_ratio(Exponent::One, mdp, mu, lambda, scratch)?);
    Ok(vec![
        Ratio { key: "c_half", name: "C_{φ,1/2}", value: c_half },
        Ratio { key: "c_one", name: "C_{φ,1}", value: c_one },
        Ratio { key: "diamond", name: "C^⋄", value: Value::of(diamond_ratio(mdp, mu, lambda, scratch))? },
        Ratio { key: "dagger", name: "C^† = C_{F,π}", value: dagger },
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
