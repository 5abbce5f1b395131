//! `opd tune`: the theorem's parameters, from a model or from a few numbers.

use crate::data::{InputError, Setting};
use crate::paper::covariance::Exponent;
use crate::program::Verdict;
use crate::program::args::TuneArgs;
use crate::program::model::SolvedModel;
use crate::program::promise::Promise;
use crate::program::search::search;
use crate::program::show::{Show, columns};
use crate::program::source;
use crate::program::theorem::{Goal, Rates, Theorem};
use serde_json::{Value, json};

pub fn tune(args: &TuneArgs, show: &Show) -> Result<Verdict, InputError> {
    if args.search.is_some() {
        return search(args, show);
    }
    let numbers = [args.feature_bound, args.discount].iter().any(Option::is_some) || args.actions.is_some();
    if numbers {
        let theorem = from_numbers(args)?;
        let rates = rates(args, &theorem)?;
        // Whether C_{φ,c} ≤ D_β² and ‖θ^π‖ ≤ D_θ is for the caller to say.
        let bound = theorem.bound(&rates, rates.outer);
        let promise = bound.map_or_else(|| Promise::NoBound("a rate is 0 that must not be".to_owned()), Promise::Bound);
        return tuned(&theorem, &rates, &promise, show);
    }
    let problem = source::problem::<f64>(&args.source)?;
    problem.behavior("tuning")?;
    let model = SolvedModel::within_budget(args.setting, &problem, "tuning", args.budget)?;
    let theorem = Theorem::of_model(args.c, (args.radius_theta, args.radius_beta), &problem, &model)?;
    let rates = rates(args, &theorem)?;
    let promise = Promise::at(&theorem, &rates, Some(&model));
    tuned(&theorem, &rates, &promise, show)
}

fn rates(args: &TuneArgs, theorem: &Theorem) -> Result<Rates, InputError> {
    let goal = match (args.samples, args.outer, args.epsilon) {
        (Some(rows), _, _) => Goal::Samples(rows),
        (_, Some(outer), _) => Goal::Outer(outer),
        (_, _, Some(epsilon)) => Goal::Epsilon(epsilon),
        _ => return Err(InputError::call("--outer, --samples or --epsilon", "none given, expected one of them")),
    };
    theorem.rates_for(goal).map_err(|e| InputError::call("--outer, --samples or --epsilon", theorem.none(e)))
}

fn needed<V: Copy>(flag: &str, value: Option<V>) -> Result<V, InputError> {
    value.ok_or_else(|| InputError::call(flag, "not given, expected it when there is no model"))
}

fn from_numbers(args: &TuneArgs) -> Result<Theorem, InputError> {
    let bound = needed("--feature-bound", args.feature_bound)?;
    let discount = match args.setting {
        Setting::Discounted => needed("--discount", args.discount)?,
        Setting::Average => 0.0,
    };
    if discount >= 1.0 {
        return Err(InputError::call("--discount", format_args!("found {discount}, expected 0 <= discount < 1")));
    }
    Ok(Theorem {
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

fn tuned(theorem: &Theorem, rates: &Rates, promise: &Promise, show: &Show) -> Result<Verdict, InputError> {
    if show.json {
        show.value(&object(theorem, rates, promise))?;
    } else {
        let mut rows = theorem.rows(rates);
        rows.push(("bound on the mean suboptimality", promise.to_string()));
        let within = theorem.rows_within_one_percent();
        rows.extend(within.map(|n| ("rounding adds at most 1 % up to n", n.to_string())));
        let rows = rows.into_iter().map(|(name, value)| vec![show.bold(name), value]);
        show.text(&columns(&rows.collect::<Vec<_>>()))?;
    }
    Ok(Verdict::Good)
}

/// The parameters as JSON has them.
pub fn object(theorem: &Theorem, rates: &Rates, promise: &Promise) -> Value {
    let moments = theorem.second_moments();
    let (bound, no_bound) = match promise {
        Promise::Bound(bound) => (Some(bound), None),
        Promise::NoBound(why) => (None, Some(why)),
    };
    json!({
        "setting": theorem.setting.name(), "c": theorem.c.name(), "inner": rates.inner, "outer": rates.outer,
        "rows": rates.samples(), "alpha": rates.alpha, "eta": rates.eta, "zeta": rates.zeta, "xi": rates.xi,
        "radius_theta": theorem.radius_theta, "radius_beta": theorem.radius_beta,
        "g_theta_squared": moments.theta, "g_beta_squared": moments.beta, "g_rho_squared": moments.rho,
        "bound": bound, "no_bound": no_bound, "vacuous": promise.is_vacuous(), "rounding_term": theorem.rounding_term(rates),
        "rows_within_one_percent": theorem.rows_within_one_percent(),
    })
}
