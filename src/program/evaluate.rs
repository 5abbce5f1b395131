//! `opd evaluate`: what a policy of a run is worth, on a model or by data alone.

use crate::baselines::{Batch, Evaluator};
use crate::data::{InputError, PolicyFile, PolicyTable, Problem, Row, RowSpec, Setting, counted, with_reading};
use crate::linear::softmax::policy_table;
use crate::number::Field;
use crate::number::exact::BigRational;
use crate::number::outward::Outward;
use crate::paper::mdp::Shape;
use crate::program::Verdict;
use crate::program::args::{EvaluateArgs, Which};
use crate::program::budget::{Need, within};
use crate::program::certificate::normalised_policy;
use crate::program::cost;
use crate::program::coverage::within_ends;
use crate::program::model::SolvedModel;
use crate::program::report::what_is_a_return;
use crate::program::rows::reading_of;
use crate::program::show::{Show, columns, eye};
use crate::program::source::Origin;
use crate::routes::{Enclosure, Widened};
use serde_json::json;

pub fn evaluate(args: &EvaluateArgs, show: &Show) -> Result<Verdict, InputError> {
    let origin = Origin::of(&args.source)?;
    let problem = origin.problem::<f64>()?;
    let file = PolicyFile::read(&args.policy)?;
    let Some(setting) = Setting::by_name(&file.setting) else {
        let problem = format!("found setting {}, expected discounted or average", file.setting);
        return Err(InputError::file(&args.policy, problem));
    };
    let policies = policies(args, &problem, &file)?;
    if !problem.has_model() && args.data.is_none() {
        return Err(InputError::call("--data", "not given, expected it because the problem has no model"));
    }
    if args.data.is_some() && setting == Setting::Average {
        return Err(InputError::call("--data", "given, expected none: estimates are for the discounted setting"));
    }
    let found = Evaluated {
        discounted: setting == Setting::Discounted,
        on_model: if problem.has_model() {
            Some(on_model(args, setting, (&problem, &origin), &policies)?)
        } else {
            None
        },
        by_data: if args.data.is_some() { Some(by_data(args, &problem, &policies)?) } else { None },
    };
    if show.json {
        show.value(&found.object(args))?;
    } else {
        show.text(&found.table(args, &file.name, show))?;
    }
    Ok(Verdict::Good)
}

/// The policies of the file that were asked for, as tables.
fn policies(args: &EvaluateArgs, problem: &Problem<f64>, file: &PolicyFile) -> Result<Vec<Vec<f64>>, InputError> {
    let (wrong, dim) = (|problem: String| InputError::file(&args.policy, problem), problem.shape.dim);
    let softmax = |sum: &[f64]| {
        if sum.len() != dim {
            return Err(wrong(format!("found {} components, expected {dim} as `features` has", sum.len())));
        }
        let mut policy = vec![0.0; problem.shape.pairs()];
        policy_table(problem.shape.actions, &file.alpha, &problem.features, sum, &mut policy)
            .map_err(|e| wrong(e.to_string()))?;
        Ok(policy)
    };
    // Whichever is asked for, a file that contradicts itself is not believed.
    let output = policy(args, problem, "output", (&file.output, file.output_table.as_ref()), softmax)?;
    let last = policy(args, problem, "last", (&file.last, file.last_table.as_ref()), softmax)?;
    let none = |keys: &str, which: &str| wrong(format!("found no {keys}, expected one for --which {which}"));
    match args.which {
        Which::Output => Ok(vec![output.ok_or_else(|| none("`output_theta_sum` and no `output_table`", "output"))?]),
        Which::Last => Ok(vec![last.ok_or_else(|| none("`last_theta_sum` and no `last_table`", "last"))?]),
        Which::Mixture if file.mixture.is_empty() => {
            Err(wrong("found no `mixture_theta_sums`, expected them for --which mixture".to_owned()))
        }
        Which::Mixture => file.mixture.chunks(file.output.len().max(1)).map(softmax).collect(),
    }
}

/// One policy of the file: that of its sum, which its table must be, or else that of its table.
fn policy(
    args: &EvaluateArgs,
    problem: &Problem<f64>,
    key: &str,
    (sum, table): (&[f64], Option<&PolicyTable>),
    softmax: impl Fn(&[f64]) -> Result<Vec<f64>, InputError>,
) -> Result<Option<Vec<f64>>, InputError> {
    let wrong =
        |place: String, problem: String| InputError::at(&args.policy, format_args!(" {key}_table{place}"), problem);
    let policy = (!sum.is_empty()).then(|| softmax(sum)).transpose()?;
    let Some(table) = table else { return Ok(policy) };
    let Shape { states, actions, .. } = problem.shape;
    let (rows, width) = (table.numbers.len() / table.actions, table.actions);
    if (rows, width) != (states, actions) {
        let problem =
            format!("found {rows} states of {width} actions, expected {states} of {actions} as `features` has");
        return Err(wrong(String::new(), problem));
    }
    let Some(policy) = policy else { return Ok(Some(table.policy())) };
    match table.first_difference(&policy) {
        None => Ok(Some(policy)),
        Some(at) => {
            let (found, expected) = (table.numbers[at], policy[at]);
            let problem = format!("found {found}, expected {expected} as `{key}_theta_sum` gives");
            Err(wrong(format!("[{}][{}]", at / actions, at % actions), problem))
        }
    }
}

/// What was found.
struct Evaluated {
    discounted: bool,
    on_model: Option<OnModel>,
    by_data: Option<ByData>,
}

/// A return in the data's own units, where --reward-range says which.
fn in_units(args: &EvaluateArgs, value: f64) -> Option<f64> {
    args.reading.range().map(|(low, high)| low + (high - low) * value)
}

impl Evaluated {
    fn object(&self, args: &EvaluateArgs) -> serde_json::Value {
        json!({
            "policy": which(args.which),
            "model": self.on_model.as_ref().map(|found| json!({
                "method": if matches!(found.known, Known::Exact(_)) { "exact" } else { "enclosure" },
                "return": found.known.json(),
                "optimal": found.optimal, "uniform": found.uniform, "return_in_units": in_units(args, found.known.value()),
            })),
            "data": self.by_data.as_ref().map(|found| json!({
                "method": "off-policy estimate (LSTDQ), no guarantee", "return": found.value, "rows": found.rows, "ridge": RIDGE,
                "mass": found.mass, "return_in_units": in_units(args, found.value),
            })),
        })
    }

    fn table(&self, args: &EvaluateArgs, name: &str, show: &Show) -> String {
        let mut rows = vec![vec![show.bold("policy"), format!("{} of a run on {name}", which(args.which))]];
        rows.push(vec![show.bold("returns"), what_is_a_return(self.discounted).to_owned()]);
        if let Some(found) = &self.on_model {
            rows.push(vec![show.bold("return"), found.known.shown()]);
            rows.push(vec![show.bold("optimal return"), format!("{:.9}", found.optimal)]);
            rows.push(vec![show.bold("return of the uniform policy"), format!("{:.9}", found.uniform)]);
            let own = in_units(args, found.known.value());
            rows.extend(own.map(|value| vec![show.bold("return in the data's units"), format!("{value:.9}")]));
        }
        if let Some(ByData { value, rows: count, mass }) = self.by_data {
            let what = format!(
                "{value:.6} by LSTDQ on {} with ridge {RIDGE}: an estimate, no guarantee",
                counted(count, "row")
            );
            rows.push(vec![show.bold("off-policy estimate"), what]);
            if mass < COVERED {
                let warning = format!("the rows' weights add up to {mass:.2} of 1: they do not cover the policy");
                rows.push(vec![show.red("coverage"), warning]);
            }
            let own = in_units(args, value);
            rows.extend(own.map(|value| vec![show.bold("estimate in the data's units"), format!("{value:.6}")]));
        }
        columns(&rows)
    }
}

fn which(which: Which) -> &'static str {
    match which {
        Which::Output => "π_J",
        Which::Last => "the last policy",
        Which::Mixture => "the mixture of π_1 … π_T",
    }
}

/// What a return is known to be.
enum Known {
    Exact(BigRational),
    /// Rigorous ends.
    Between(f64, f64),
}

impl Known {
    /// In the middle.
    fn value(&self) -> f64 {
        match self {
            Self::Exact(value) => value.to_f64(),
            Self::Between(low, high) => f64::midpoint(*low, *high),
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Exact(value) => format!("{} (exact)", eye(value)),
            Self::Between(low, high) => format!("{} (rigorous interval)", within_ends(*low, *high)),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Self::Exact(value) => json!(value.to_string()),
            Self::Between(low, high) => json!({ "at_least": low, "at_most": high }),
        }
    }
}

struct OnModel {
    known: Known,
    optimal: f64,
    uniform: f64,
}

/// The mean return: in rationals where that fits the budget, the probabilities divided by their exact sum; else enclosed.
fn on_model(
    args: &EvaluateArgs,
    setting: Setting,
    (problem, origin): (&Problem<f64>, &Origin),
    policies: &[Vec<f64>],
) -> Result<OnModel, InputError> {
    let refused = |e| InputError::call("value of the policy", e);
    let model = SolvedModel::within_budget(setting, problem, "the value of a policy", args.budget.max(1.0))?;
    let uniform = vec![1.0 / problem.shape.actions as f64; problem.shape.pairs()];
    let (optimal, uniform) = (model.best, model.value(&uniform).map_err(refused)?);
    let operations = cost::solving(&model.structure, true) + cost::certifying(&model.structure, policies.len());
    let needs = [Need::operations(operations), Need::bytes(cost::room(&model.structure, true))];
    let known = if within(args.budget, "an exact value", &needs).is_err() {
        within(args.budget.max(1.0), "intervals", &[Need::bytes(cost::widening(&model.structure))])?;
        let mean = enclosed(&model, policies).map_err(refused)?;
        Known::Between(mean.lower, mean.upper)
    } else {
        let exact = origin.problem::<BigRational>()?;
        let model = SolvedModel::within_budget(setting, &exact, "the value of a policy", args.budget)?;
        let mut total = BigRational::zero();
        for policy in policies {
            let policy = normalised_policy(problem.shape.actions, policy).map_err(refused)?;
            total += model.value(&policy).map_err(refused)?;
        }
        Known::Exact(total / BigRational::from_int(policies.len() as i64))
    };
    Ok(OnModel { known, optimal, uniform })
}

fn enclosed(model: &SolvedModel<'_, f64>, policies: &[Vec<f64>]) -> crate::Result<Outward> {
    let widened = Widened::of(&model.mdp);
    let enclosure = Enclosure::new(&model.structure, &widened, model.ones())?;
    let mut total = Outward::zero();
    for policy in policies {
        total += enclosure.return_of(policy)?;
    }
    Ok(total / Outward::point(policies.len() as f64))
}

/// What no row has seen is worth nothing, as if so many rows had said so.
const RIDGE: f64 = 1.0;

/// Less of the rows' weights than this, and the estimate is not to be believed.
const COVERED: f64 = 0.9;

struct ByData {
    value: f64,
    rows: usize,
    mass: f64,
}

/// LSTDQ's mean over the policies ([`Evaluator`]).
fn by_data(args: &EvaluateArgs, problem: &Problem<f64>, policies: &[Vec<f64>]) -> Result<ByData, InputError> {
    let spec = RowSpec { setting: Setting::Discounted, states: problem.shape.states, actions: problem.shape.actions };
    let reading = reading_of(&args.reading, args.seed, problem);
    let Some(file) = &args.data else { return Err(InputError::call("--data", "not given")) };
    let rows: Vec<Row> = with_reading(file, spec, &reading, |rows| {
        let mut all = Vec::new();
        while let Some(row) = rows.next_row()? {
            all.push(row);
        }
        Ok::<_, InputError>(all)
    })?;
    if rows.is_empty() {
        return Err(InputError::file(file, "found no rows, expected some"));
    }
    let wrong = |e| InputError::call("off-policy estimate", e);
    let batch = Batch::new(problem.shape, &problem.features, *problem.discount()?, &rows).map_err(wrong)?;
    let evaluator = Evaluator::new(batch, RIDGE);
    let (mut value, mut mass) = (0.0, 0.0);
    for policy in policies {
        let found = evaluator.estimate(policy).map_err(wrong)?;
        value += found.value / policies.len() as f64;
        mass += found.mass / policies.len() as f64;
    }
    Ok(ByData { value, rows: rows.len(), mass })
}
