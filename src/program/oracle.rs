//! `opd oracle`: exact answers for tests in other languages, one JSON line per request.

use crate::data::number::Number as _;
use crate::data::{InputError, Problem, Setting, complaint, next_line, shown};
use crate::number::Field as _;
use crate::number::exact::BigRational;
use crate::paper::covariance::Exponent;
use crate::paper::mdp::{Shape, validate_policy};
use crate::program::Verdict;
use crate::program::args::OracleArgs;
use crate::program::budget::{Need, within};
use crate::program::certificate::{Iterates, certify_iterates};
use crate::program::coverage::guess;
use crate::program::model::SolvedModel;
use crate::program::show::Show;
use crate::program::source;
use crate::routes::{Spectrum, Symmetric, coverage_ratio, dagger_bracket, diamond_ratio};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::path::Path;

/// What a line asks for. Numbers are strings `"p/q"`, decimals or JSON numbers, read exactly.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request<'a> {
    /// Copied into the answer, see [`id`].
    #[serde(borrow, default, rename = "id")]
    _id: Option<&'a RawValue>,
    /// A problem file's contents, or …
    #[serde(borrow, default)]
    model: Option<&'a RawValue>,
    /// … the name of an embedded instance.
    #[serde(default)]
    instance: Option<String>,
    #[serde(default)]
    setting: Option<String>,
    #[serde(default)]
    c: Option<String>,
    /// π, one row per state; an optimal policy where there is none.
    #[serde(borrow, default)]
    policy: Option<Vec<Vec<&'a RawValue>>>,
    /// For `gap` and `regrets`: θ_t, β_t, π_t and, in the average-reward setting, ρ_t.
    #[serde(borrow, default)]
    thetas: Vec<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    betas: Vec<Vec<&'a RawValue>>,
    #[serde(borrow, default)]
    policies: Vec<Vec<Vec<&'a RawValue>>>,
    #[serde(borrow, default)]
    rhos: Vec<&'a RawValue>,
    ask: Vec<String>,
}

const QUESTIONS: &str = "value, occupancy, theta, gap, regrets, coverage, optimal";

type Answer<T> = Result<T, String>;

/// A line of the answer: the request's id as it was written, and what was asked for.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    answers: Map<String, Value>,
}

pub fn oracle(args: &OracleArgs, show: &Show) -> Result<Verdict, InputError> {
    let mut verdict = Verdict::Good;
    let (mut input, mut line) = (std::io::stdin().lock(), Vec::new());
    for number in 1_u64.. {
        let read = next_line(&mut input, &mut line);
        let text = match read.map_err(|e| InputError::call("standard input", format_args!("cannot read: {e}")))? {
            Some(false) => break,
            Some(true) => std::str::from_utf8(&line).map_err(|_| "not UTF-8, expected JSON".to_owned()),
            None => Err("found a line above 64 MiB, expected a request".to_owned()),
        };
        if text.as_ref().is_ok_and(|text| text.trim().is_empty()) {
            continue;
        }
        let id = text.as_ref().ok().and_then(|text| id(text));
        let answers = text.and_then(|text| answer(text, args.budget)).unwrap_or_else(|error| {
            verdict = Verdict::Bad;
            Map::from_iter([("error".to_owned(), complaint(&error).into()), ("line".to_owned(), number.into())])
        });
        show.value(&Line { id, answers })?;
        if show.is_closed() {
            break;
        }
    }
    Ok(verdict)
}

/// The id, whatever else is wrong with a request; one that is half a character is left out, as no reader would take the answer.
fn id(text: &str) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct Id<'a> {
        #[serde(borrow, default)]
        id: Option<&'a RawValue>,
    }
    let id = serde_json::from_str::<Id>(object(text)?).ok()?.id;
    id.filter(|id| !id.get().contains("\\u") || serde_json::from_str::<Value>(id.get()).is_ok())
}

/// A list of the values in their order would be taken for the object.
fn object(text: &str) -> Option<&str> {
    Some(text).filter(|text| text.trim_start().starts_with('{'))
}

/// What a request asks for.
pub fn answer(text: &str, budget: f64) -> Answer<Map<String, Value>> {
    let text =
        object(text).ok_or_else(|| format!("not a request: found {}, expected an object {{…}}", shown(text.trim())))?;
    let request: Request = serde_json::from_str(text).map_err(|e| format!("not a request: {e}"))?;
    let name = request.setting.as_deref().unwrap_or("discounted");
    let Some(setting) = Setting::by_name(name) else {
        return Err(format!("setting: found {}, expected discounted or average", shown(name)));
    };
    let problem = match (request.model, &request.instance) {
        (Some(model), None) => Problem::parse(Path::new("model"), model.get()),
        (None, Some(name)) => source::instance(name).and_then(Problem::of_instance),
        _ => return Err("found neither or both of model and instance, expected one".to_owned()),
    };
    let problem: Problem<BigRational> = problem.map_err(|e| e.to_string())?;
    within(budget, "this request", &[Need::operations(cost(&problem.shape, &request))]).map_err(told)?;
    let model = SolvedModel::within_budget(setting, &problem, "an oracle", budget).map_err(|e| e.to_string())?;
    let policy = match &request.policy {
        None => model.optimal.clone(),
        Some(rows) => table("policy", rows, problem.shape.states, problem.shape.actions)?,
    };
    validate_policy(problem.shape.states, problem.shape.actions, &policy).map_err(|e| format!("policy: {e}"))?;
    let mut object = Map::new();
    for question in &request.ask {
        let answer = match question.as_str() {
            "value" => value(&model, &policy)?,
            "occupancy" => rows(&model.occupancy(&policy).map_err(told)?, problem.shape.actions),
            "theta" => vector(&model.theta(&policy).map_err(told)?),
            "optimal" => rows(&model.optimal.clone(), problem.shape.actions),
            "coverage" => coverage(&model, &policy)?,
            "gap" => certificate(&model, &problem, &request, &policy, &["gap", "suboptimality"])?,
            "regrets" => {
                let names = ["regret_theta", "regret_beta", "regret_pi", "regret_rho"];
                certificate(&model, &problem, &request, &policy, &names)?
            }
            other => return Err(format!("ask: found {}, expected {QUESTIONS}", shown(other))),
        };
        object.insert(question.clone(), answer);
    }
    Ok(object)
}

/// Of the order of how many operations a request takes, fitted to measured times: policy iteration and a few eliminations, whose numbers
/// grow by a word per unknown; the eliminations behind the ratios of coverage; an evaluation per iterate.
fn cost(shape: &Shape, request: &Request<'_>) -> f64 {
    let [states, pairs, dim, iterates] =
        [shape.states, shape.pairs(), shape.dim, request.thetas.len()].map(|n| n as f64);
    let ratios = if request.ask.iter().any(|question| question == "coverage") { 1.5e5 * dim.powf(4.5) } else { 0.0 };
    (5e4 + 5e3 * iterates) * states * pairs * dim + ratios
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn number(x: &BigRational) -> Value {
    json!({ "exact": x.to_string(), "f64": x.to_f64(), "bits": format!("{:016x}", x.to_f64().to_bits()) })
}

fn vector(numbers: &[BigRational]) -> Value {
    Value::Array(numbers.iter().map(number).collect())
}

fn rows(numbers: &[BigRational], width: usize) -> Value {
    Value::Array(numbers.chunks(width).map(vector).collect())
}

fn read(raw: &RawValue) -> Answer<BigRational> {
    let text = raw.get();
    let parsed = match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inside) => BigRational::parse(inside),
        None => BigRational::parse(text),
    };
    parsed.map_err(|expected| format!("found {}, expected {expected}", shown(text)))
}

fn row(raw: &[&RawValue]) -> Answer<Vec<BigRational>> {
    raw.iter().map(|raw| read(raw)).collect()
}

/// Rows of a width, and as many as there should be; a ragged one is named.
fn table(what: &str, raw: &[Vec<&RawValue>], height: usize, width: usize) -> Answer<Vec<BigRational>> {
    if raw.len() != height {
        return Err(format!("{what}: found {} rows, expected {height}", raw.len()));
    }
    let mut all = Vec::with_capacity(raw.len().saturating_mul(width));
    for (index, raw) in raw.iter().enumerate() {
        if raw.len() != width {
            return Err(format!("{what}[{index}]: found {} numbers, expected {width}", raw.len()));
        }
        all.extend(row(raw).map_err(|e| format!("{what}[{index}]: {e}"))?);
    }
    Ok(all)
}

/// ρ(π), and v^π and q^π.
fn value(model: &SolvedModel<'_, BigRational>, policy: &[BigRational]) -> Answer<Value> {
    let outcome = model.value(policy).map_err(told)?;
    let (gain, v) = model.state_value(policy).map_err(told)?;
    let q = model.action_values(gain.as_ref(), &v);
    Ok(json!({ "return": number(&outcome), "v": vector(&v), "q": rows(&q, model.mdp.shape().actions) }))
}

/// The ratios of Definition E.1 for the policy, against the behaviour policy.
fn coverage(model: &SolvedModel<'_, BigRational>, policy: &[BigRational]) -> Answer<Value> {
    let Some(lambda) = &model.lambda else {
        return Err("model: no key `behavior`, expected it for coverage".to_owned());
    };
    let mu = model.occupancy(policy).map_err(told)?;
    let mean = model.structure.phi().combination(&mu);
    let m = model.structure.second_moment(&mu).map_err(told)?;
    let half = coverage_ratio(Exponent::Half, &mean, lambda).map_err(told)?;
    let one = coverage_ratio(Exponent::One, &mean, lambda).map_err(told)?;
    let diamond = diamond_ratio(&m, lambda).map_err(told)?;
    let (low, high) = dagger_bracket(&m, lambda, guess(&m, lambda)).map_err(told)?;
    Ok(json!({
        "c_half": number(&half), "c_one": number(&one), "diamond": number(&diamond),
        "dagger": { "at_least": number(&low), "at_most": number(&high) },
    }))
}

/// Parts of the certificate of the given iterates against the given policy.
fn certificate(
    model: &SolvedModel<'_, BigRational>,
    problem: &Problem<BigRational>,
    request: &Request<'_>,
    policy: &[BigRational],
    names: &[&str],
) -> Answer<Value> {
    let power = power(model, problem, request.c.as_deref())?;
    let Shape { states, actions, dim } = problem.shape;
    // Every list of iterates is as long as the list of θ_t.
    let count = request.thetas.len();
    let of_iterate =
        |(t, policy): (usize, &Vec<Vec<&RawValue>>)| table(&format!("policies[{t}]"), policy, states, actions);
    let policies: Answer<Vec<_>> = request.policies.iter().enumerate().map(of_iterate).collect();
    let iterates = Iterates {
        thetas: table("thetas", &request.thetas, count, dim)?,
        betas: table("betas", &request.betas, count, dim)?,
        policies: policies?.concat(),
        rhos: match model.setting {
            Setting::Discounted => vec![BigRational::zero(); count],
            Setting::Average => row(&request.rhos).map_err(|e| format!("rhos: {e}"))?,
        },
    };
    if iterates.rhos.len() != count {
        return Err(format!("rhos: found {}, expected {count}, as many as thetas", iterates.rhos.len()));
    }
    if request.policies.len() != count {
        return Err(format!("policies: found {}, expected {count}, as many as thetas", request.policies.len()));
    }
    for policy in iterates.policies.chunks(problem.shape.pairs()) {
        validate_policy(problem.shape.states, problem.shape.actions, policy).map_err(|e| format!("policies: {e}"))?;
    }
    // The lemmas hold for every comparator.
    let certificate = certify_iterates(model, &power, &iterates, policy).map_err(told)?;
    let parts = [
        ("gap", Some(certificate.gap)),
        ("suboptimality", Some(certificate.suboptimality)),
        ("regret_theta", Some(certificate.regret_theta)),
        ("regret_beta", Some(certificate.regret_beta)),
        ("regret_pi", Some(certificate.regret_pi)),
        ("regret_rho", certificate.regret_rho),
    ];
    let wanted = parts.iter().filter(|(name, _)| names.contains(name));
    Ok(Value::Object(wanted.filter_map(|(name, x)| Some(((*name).to_owned(), number(x.as_ref()?)))).collect()))
}

/// Λ^c: exact at c = 1; at c = 1/2 the instance's rational root, or else the doubles that a run would use.
fn power(
    model: &SolvedModel<'_, BigRational>,
    problem: &Problem<BigRational>,
    c: Option<&str>,
) -> Answer<Symmetric<BigRational>> {
    let Some(lambda) = &model.lambda else {
        return Err("model: no key `behavior`, expected it for gap and regrets".to_owned());
    };
    let c = c.map_or(Ok(Exponent::One), |c| {
        c.parse().map_err(|_| format!("c: found {}, expected \"1\" or \"1/2\"", shown(c)))
    })?;
    match c {
        Exponent::One => Ok(lambda.clone()),
        Exponent::Half => {
            if let Some(root) = problem.root() {
                return Ok(Symmetric::of_rows(problem.shape.dim, root.to_vec()));
            }
            let doubles = lambda.try_map(|x| Ok(x.to_f64())).map_err(told)?;
            let spectrum = Spectrum::for_exponent(Exponent::Half, &doubles).map_err(told)?;
            spectrum.power_c(Exponent::Half).try_map(|x| BigRational::from_f64(*x)).map_err(told)
        }
    }
}
