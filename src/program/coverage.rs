//! `opd coverage`: the coverage ratios of Definition E.1 on an instance, exactly where that fits the budget, else in rigorous intervals.

use crate::data::{InputError, Problem, Setting};
use crate::number::exact::BigRational;
use crate::number::outward::Outward;
use crate::paper::covariance::Exponent;
use crate::paper::coverage::dagger_ratio;
use crate::program::Verdict;
use crate::program::args::CoverageArgs;
use crate::program::budget::{Need, within};
use crate::program::cost;
use crate::program::model::SolvedModel;
use crate::program::show::{Show, columns, eye};
use crate::program::source::Origin;
use crate::routes::{Enclosure, Ratios, Structure, Symmetric, Widened, coverage_ratio, dagger_bracket, diamond_ratio};
use crate::{Error, Result as Checked};
use serde_json::json;
use std::borrow::Borrow;

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
            Self::Between(low, high) if low == high => eye(low),
            Self::Between(low, high) => within_ends(low.to_f64(), high.to_f64()),
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
    let origin = Origin::of(&args.source)?;
    let (ratios, refused) = found(&origin.problem()?, || origin.problem::<BigRational>(), args.budget)?;
    if show.json {
        show.value(&object(&ratios, refused.is_none()))?;
    } else {
        let how = refused.map_or_else(String::new, |why| format!("rigorous intervals, as {why}\n"));
        show.text(&(table(&ratios, show) + &how))?;
    }
    Ok(Verdict::Good)
}

/// The ratios: exact within the budget, else in intervals, with the reason.
pub fn found<P: Borrow<Problem<BigRational>>>(
    doubles: &Problem<f64>,
    exact: impl FnOnce() -> Result<P, InputError>,
    budget: f64,
) -> Result<(Vec<Ratio>, Option<InputError>), InputError> {
    doubles.behavior("coverage ratios")?;
    let structure = Structure::new(doubles.model("coverage ratios")?);
    let needed = cost::solving(&structure, true) + cost::ratios(&structure);
    let needs = [Need::operations(needed), Need::bytes(cost::room(&structure, true))];
    match within(budget, "exact ratios", &needs) {
        Ok(()) => Ok((of_problem(exact()?.borrow(), budget)?, None)),
        Err(why) => Ok((enclosed(doubles)?, Some(why))),
    }
}

/// An interval for the eye, its ends rounded outward.
pub fn within_ends(low: f64, high: f64) -> String {
    format!("in [{:.12}, {:.12}]", low - 5e-13, high + 5e-13)
}

/// The ratios as JSON has them.
pub fn object(ratios: &[Ratio], exact: bool) -> serde_json::Map<String, serde_json::Value> {
    let method = ("method".to_owned(), if exact { "exact" } else { "enclosure" }.into());
    ratios.iter().map(|ratio| (ratio.key.to_owned(), ratio.value.json())).chain([method]).collect()
}

pub fn table(ratios: &[Ratio], show: &Show) -> String {
    let line = |ratio: &Ratio| vec![show.bold(ratio.name), ratio.value.shown()];
    columns(&ratios.iter().map(line).collect::<Vec<_>>())
}

/// The exact ratios, whatever they cost up to the budget.
pub fn of_problem(problem: &Problem<BigRational>, budget: f64) -> Result<Vec<Ratio>, InputError> {
    problem.behavior("coverage ratios")?;
    let model = SolvedModel::within_budget(Setting::Discounted, problem, "coverage ratios", budget)?;
    within(budget, "exact ratios", &[Need::operations(cost::ratios(&model.structure))])?;
    ratios(&model).map_err(|e| model.not_covered(&problem.name, e))
}

const NAMES: [(&str, &str); 4] =
    [("c_half", "C_{φ,1/2}"), ("c_one", "C_{φ,1}"), ("diamond", "C^⋄"), ("dagger", "C^† = C_{F,π}")];

fn named(values: [Value; 4]) -> Vec<Ratio> {
    NAMES.into_iter().zip(values).map(|((key, name), value)| Ratio { key, name, value }).collect()
}

/// Λ may be singular. An error where the data do not cover π*: no β has Λ^cβ = Φᵀμ*. C^⋄ and C^† ask for more, every φ that π* sees, and
/// are infinite where only Φᵀμ* is covered.
fn ratios(model: &SolvedModel<'_, BigRational>) -> Checked<Vec<Ratio>> {
    let lambda = model.lambda.as_ref().ok_or(Error::Empty { what: "behavior" })?;
    let m = model.structure.second_moment(&model.mu_star)?;
    let dagger = match dagger_bracket(&m, lambda, guess(&m, lambda)) {
        Err(Error::NotInRange { .. }) => Value::Infinite,
        bracket => bracket.map(|(low, high)| Value::Between(low, high))?,
    };
    Ok(named([
        Value::Exact(coverage_ratio(Exponent::Half, &model.mean_star, lambda)?),
        Value::Exact(coverage_ratio(Exponent::One, &model.mean_star, lambda)?),
        Value::of(diamond_ratio(&m, lambda))?,
        dagger,
    ]))
}

/// C^† in doubles, where they find one: 2^-41 below and above it is what the eye can tell and more.
pub fn guess(m: &Symmetric<BigRational>, lambda: &Symmetric<BigRational>) -> Option<BigRational> {
    if matches!(lambda, Symmetric::Diagonal(_)) {
        return None;
    }
    let doubles =
        |matrix: &Symmetric<BigRational>| matrix.to_rows().iter().map(BigRational::to_f64).collect::<Vec<_>>();
    let found = dagger_ratio(lambda.dim(), &doubles(m), &doubles(lambda)).ok()?;
    BigRational::from_f64(found).ok()
}

/// The ratios in intervals.
fn enclosed(problem: &Problem<f64>) -> Result<Vec<Ratio>, InputError> {
    let model = SolvedModel::new(Setting::Discounted, problem, "coverage ratios")?;
    within(1.0, "intervals", &[Need::bytes(cost::widening(&model.structure))])?;
    let found = enclosed_ratios(&model, problem.behavior("coverage ratios")?);
    let Ratios { half, one, diamond, dagger } = found.map_err(|e| model.not_covered(&problem.name, e))?;
    let between = |ratio: Outward| -> Checked<Value> {
        Ok(Value::Between(BigRational::from_f64(ratio.lower)?, BigRational::from_f64(ratio.upper)?))
    };
    let values = [half, one, diamond, dagger].map(between).into_iter().collect::<Checked<Vec<_>>>();
    let values: Vec<Value> = values.map_err(|e| InputError::refused(&problem.name, e))?;
    Ok(NAMES.into_iter().zip(values).map(|((key, name), value)| Ratio { key, name, value }).collect())
}

/// The ratios of the model's optimal policy against the behaviour policy, in intervals.
pub fn enclosed_ratios(model: &SolvedModel<'_, f64>, behavior: &[f64]) -> Checked<Ratios> {
    let widened = Widened::of(&model.mdp);
    let enclosure = Enclosure::new(&model.structure, &widened, model.ones())?;
    enclosure.ratios(&enclosure.occupancy(&model.optimal)?, &enclosure.occupancy(behavior)?)
}

/// The same in doubles, of a model that a run was evaluated on and that has a behaviour policy.
pub fn of_model(model: &SolvedModel<'_, f64>) -> Checked<Vec<(&'static str, f64)>> {
    let lambda = model.lambda.as_ref().ok_or(Error::Empty { what: "behavior" })?;
    let m = model.structure.second_moment(&model.mu_star)?;
    let dagger = match (&m, lambda) {
        (Symmetric::Diagonal(_), Symmetric::Diagonal(_)) => dagger_bracket(&m, lambda, None)?.0,
        _ => dagger_ratio(lambda.dim(), &m.to_rows(), &lambda.to_rows())?,
    };
    Ok(vec![
        ("C_{φ,1/2}", coverage_ratio(Exponent::Half, &model.mean_star, lambda)?),
        ("C_{φ,1}", coverage_ratio(Exponent::One, &model.mean_star, lambda)?),
        ("C^⋄", diamond_ratio(&m, lambda)?),
        ("C^† = C_{F,π}", dagger),
    ])
}
