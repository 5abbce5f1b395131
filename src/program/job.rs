//! A run with every parameter resolved: what the flags leave out is the theorem's.

use crate::data::{InputError, Problem, Setting, counted};
use crate::fast::aligned::Aligned;
use crate::linear::softmax::policy_table;
use crate::linear::vector::norm_squared;
use crate::paper::average_reward::algorithm::Parameters as Checked;
use crate::paper::covariance::Exponent;
use crate::paper::mdp::Shape;
use crate::program::args::Plan;
use crate::program::model::SolvedModel;
use crate::program::theorem::{Goal, Rates, Theorem, covariance_of, spectrum_of};
use crate::routes::{Spectrum, Symmetric};
use crate::sampler::Uniforms;

/// Who computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The fast engine, on this many threads.
    Fast(usize),
    /// The paper's box, as it stands.
    Plain,
    /// Both, held against each other bit by bit.
    Verify,
}

impl Engine {
    /// The same, where threads have whole runs to do.
    pub fn on_one_thread(self) -> Self {
        if let Self::Fast(_) = self { Self::Fast(1) } else { self }
    }
}

/// Everything a run needs but its rows.
pub struct Job {
    pub engine: Engine,
    pub setting: Setting,
    pub c: Exponent,
    pub shape: Shape,
    pub features: Aligned,
    pub discount: f64,
    /// Λ^{c−1}; `None` at c = 1.
    pub weight: Option<Vec<f64>>,
    pub rates: Rates,
    pub radius_theta: f64,
    pub radius_beta: f64,
    /// The theorem that these rates are from; `None` where the caller chose one of them.
    pub theorem: Option<Theorem>,
    /// Λ^c as the run sees it, where the problem has a model.
    pub power: Option<Symmetric<f64>>,
    pub seed: u64,
    /// Where the rows are from, for reports.
    pub data: String,
    /// J, drawn from the seed.
    pub chosen: usize,
    /// What of this run no theorem is about.
    pub outside: Vec<&'static str>,
    /// Where the run goes on from.
    pub resume: Option<Checkpoint>,
}

/// The iterates after outer iteration t, and what had been measured by then.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    pub t: usize,
    /// θ_t.
    pub theta: Vec<f64>,
    /// β_{t+1}.
    pub beta: Vec<f64>,
    /// Σ_{i≤t} θ_i.
    pub theta_sum: Vec<f64>,
    /// ρ_t.
    pub rho: f64,
    /// Σ_{i<J} θ_i, once J has passed; else empty.
    pub output_theta_sum: Vec<f64>,
    pub value_sum: f64,
}

impl Job {
    /// Resolves every parameter, and solves the model where there is one.
    pub fn new<'p>(plan: &Plan, problem: &'p Problem<f64>) -> Result<(Self, Option<SolvedModel<'p, f64>>), InputError> {
        if plan.setting == Setting::Discounted && plan.xi.is_some() {
            return Err(InputError::call("--xi", "given, expected it only with --setting average"));
        }
        let model = solve(plan, problem)?;
        let lambda = model.as_ref().and_then(|model| model.lambda.as_ref());
        let spectrum = match (&plan.found.lambda, lambda) {
            (Some(given), _) => Some(spectrum_of(plan.c, "Λ̂", &Symmetric::of_rows(problem.shape.dim, given.clone()))?),
            (None, Some(lambda)) => spectrum(problem, lambda, plan.c)?,
            (None, None) => None,
        };
        let theorem = Theorem {
            setting: plan.setting,
            c: plan.c,
            actions: problem.shape.actions,
            dim: problem.shape.dim,
            discount: if plan.setting == Setting::Discounted { *problem.discount()? } else { 0.0 },
            phi_squared: largest_feature(problem)?,
            radius_theta: match (plan.radius_theta, &model) {
                (Some(radius), _) => radius,
                (None, Some(model)) => model.radius_theta()?,
                (None, None) => return Err(missing("--radius-theta")),
            },
            radius_beta: match (plan.radius_beta, &model) {
                (Some(radius), _) => radius,
                (None, Some(model)) => model.radius_beta(plan.c)?,
                (None, None) => return Err(missing("--radius-beta")),
            },
            covariance: spectrum.as_ref().map(|s| covariance_of(plan.c, s)),
        };
        let power = match (plan.c, &spectrum) {
            (Exponent::Half, Some(spectrum)) => Some(spectrum.power_c(Exponent::Half)),
            (Exponent::Half, None) => None,
            (Exponent::One, _) => lambda.cloned(),
        };
        let weight = spectrum.and_then(|spectrum| spectrum.weight(plan.c)).map(|weight| weight.to_rows());
        let rates = rates(plan, &theorem)?;
        let outside = [
            (plan.found.lambda.is_some(), "Λ is not the model's but given or estimated from the data"),
            (plan.epochs > 1, "rows are used more than once"),
            (plan.shuffle, "rows are not used in their order"),
        ];
        let outside = outside.into_iter().filter_map(|(is, why)| is.then_some(why)).collect();
        let own = [plan.alpha, plan.eta, plan.zeta, plan.xi] != [None; 4];
        let data = match &plan.data {
            Some(file) => file.display().to_string(),
            None => format!("drawn from the model with seed {}", plan.seed),
        };
        let chosen = Self::output_index(plan.seed, rates.outer)?;
        let job = Self { weight, power, seed: plan.seed, data, chosen, outside, ..Self::at(problem, theorem, rates) };
        job.validate()?;
        let theorem = job.theorem.clone().filter(|_| !own);
        Ok((Self { theorem, ..job }, model))
    }

    /// J. Rows may be drawn from the seed's own stream; J comes from another, so that it is independent of them.
    pub fn output_index(seed: u64, outer: usize) -> Result<usize, InputError> {
        Uniforms::new(!seed).output_index(outer).map_err(|e| InputError::call("--outer", e))
    }

    /// A run at a theorem's rates, c = 1, that ends with its last policy.
    pub fn at(problem: &Problem<f64>, theorem: Theorem, rates: Rates) -> Self {
        Self {
            engine: Engine::Fast(1),
            setting: theorem.setting,
            c: theorem.c,
            shape: problem.shape,
            features: Aligned::from(&problem.features[..]),
            discount: theorem.discount,
            weight: None,
            radius_theta: theorem.radius_theta,
            radius_beta: theorem.radius_beta,
            power: None,
            seed: 0,
            data: "drawn from the model".to_owned(),
            chosen: rates.outer,
            outside: Vec::new(),
            resume: None,
            rates,
            theorem: Some(theorem),
        }
    }

    /// Outer iterations still to run.
    pub fn left(&self) -> usize {
        self.rates.outer - self.resume.as_ref().map_or(0, |from| from.t)
    }

    /// The policy ∝ exp(α⟨φ, Σθ⟩), as a table.
    pub fn policy(&self, theta_sum: &[f64]) -> Result<Vec<f64>, InputError> {
        let mut policy = vec![0.0; self.shape.pairs()];
        policy_table(self.shape.actions, &self.rates.alpha, &self.features, theta_sum, &mut policy)
            .map_err(|e| InputError::call("policy", e))?;
        Ok(policy)
    }

    fn validate(&self) -> Result<(), InputError> {
        let parameters = Checked {
            alpha: self.rates.alpha,
            eta: self.rates.eta,
            zeta: self.rates.zeta,
            xi: self.rates.xi.unwrap_or(0.0),
            radius_theta: self.radius_theta,
            radius_beta: self.radius_beta,
            inner: self.rates.inner,
        };
        parameters.validate().map_err(|e| InputError::call("parameters", e))
    }
}

/// The plan's K and T, and its rates, or the theorem's.
fn rates(plan: &Plan, theorem: &Theorem) -> Result<Rates, InputError> {
    let average = plan.setting == Setting::Average;
    let (inner, outer) = lengths(plan, theorem)?;
    let given = (plan.alpha, plan.eta, plan.zeta, plan.xi.or(if average { None } else { Some(0.0) }));
    if let (Some(alpha), Some(eta), Some(zeta), Some(xi)) = given {
        let xi = average.then_some(xi);
        return Ok(Rates { inner, outer, alpha, eta, zeta, xi });
    }
    let rates = theorem.rates(inner, outer).map_err(|e| {
        InputError::call("--alpha, --eta, --zeta, --xi", format_args!("not all given, and {}", theorem.none(e)))
    })?;
    Ok(Rates {
        alpha: plan.alpha.unwrap_or(rates.alpha),
        eta: plan.eta.unwrap_or(rates.eta),
        zeta: plan.zeta.unwrap_or(rates.zeta),
        xi: rates.xi.map(|xi| plan.xi.unwrap_or(xi)),
        ..rates
    })
}

/// K and T: the plan's, or as many as the rows allow; the theorem's for them where neither is given.
fn lengths(plan: &Plan, theorem: &Theorem) -> Result<(usize, usize), InputError> {
    let rows = match (plan.inner, plan.outer, plan.found.rows) {
        (Some(inner), Some(outer), _) => return Ok((inner, outer)),
        (_, _, None) => {
            let problem = "not both given, expected both, or --data, whose number of rows says the rest";
            return Err(InputError::call("--inner, --outer", problem));
        }
        (_, _, Some(rows)) => usize::try_from(rows).unwrap_or(usize::MAX),
    };
    // W_t is a row of its own in the average-reward setting.
    let own = usize::from(plan.setting == Setting::Average);
    let (inner, outer) = match (plan.inner, plan.outer) {
        (Some(inner), _) => (inner, rows / (inner + own)),
        (None, Some(outer)) => ((rows / outer).saturating_sub(own), outer),
        (None, None) => {
            let chosen = theorem.rates_for(Goal::Samples(rows));
            let chosen = chosen.map_err(|e| {
                InputError::call(
                    "--inner, --outer",
                    format_args!("not given, {}, and {}", counted(rows, "row"), theorem.none(e)),
                )
            })?;
            (chosen.inner, chosen.outer)
        }
    };
    if inner == 0 || outer == 0 {
        return Err(InputError::call(
            "--inner, --outer",
            format_args!("found {}, too few: expected those of one outer iteration at least", counted(rows, "row")),
        ));
    }
    Ok((inner, outer))
}

fn missing(flag: &str) -> InputError {
    InputError::call(flag, "not given, expected it because the problem has no model to measure it on")
}

/// The model, where there is one; a complaint where one is needed and missing.
fn solve<'p>(plan: &Plan, problem: &'p Problem<f64>) -> Result<Option<SolvedModel<'p, f64>>, InputError> {
    if plan.c == Exponent::Half && plan.found.lambda.is_none() {
        problem.behavior("c = 1/2")?;
        return SolvedModel::within_budget(plan.setting, problem, "c = 1/2", plan.budget).map(Some);
    }
    if plan.data.is_none() {
        problem.behavior("a run without --data")?;
        let what_for = "a run without --data";
        return SolvedModel::within_budget(plan.setting, problem, what_for, plan.budget).map(Some);
    }
    let needed = plan.radius_theta.is_none() || plan.radius_beta.is_none();
    if !problem.has_model() || !(needed || SolvedModel::fits(problem)) {
        return Ok(None);
    }
    match SolvedModel::within_budget(plan.setting, problem, "values", plan.budget) {
        // A model outside the theory, as one that is not unichain, stops only those who need it.
        Err(_) if !needed => problem.model("values").map(|_| None),
        outcome => outcome.map(Some),
    }
}

/// Λ's spectrum; at c = 1 a Λ without one is no obstacle, only unknown.
fn spectrum(problem: &Problem<f64>, lambda: &Symmetric<f64>, c: Exponent) -> Result<Option<Spectrum>, InputError> {
    match (spectrum_of(c, &problem.name, lambda), c) {
        (Err(_), Exponent::One) => Ok(None),
        (found, _) => found.map(Some),
    }
}

fn largest_feature(problem: &Problem<f64>) -> Result<f64, InputError> {
    let mut largest = 0.0_f64;
    for row in problem.features.chunks(problem.shape.dim) {
        largest = largest.max(norm_squared(row).map_err(|e| InputError::call(&problem.name, e))?);
    }
    Ok(largest)
}
