//! Where a run stands after an outer iteration, so that it can go on later with the same bits.

use crate::data::InputError;
use crate::data::json::Piece;
use crate::program::job::Job;
use serde_json::{Value, json};
use std::path::Path;

const KEYS: [&str; 10] =
    ["run", "t", "theta", "beta", "theta_sum", "rho", "output_theta_sum", "value_sum", "largest_theta", "rows"];

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
    pub largest_theta: f64,
}

/// What a run is, so that a checkpoint of another one is refused: every number that its bits depend on, but the rows.
fn identity(job: &Job) -> Value {
    let rates = &job.rates;
    json!({
        "setting": job.setting.name(), "c": job.c.name(), "inner": rates.inner, "outer": rates.outer,
        "alpha": rates.alpha, "eta": rates.eta, "zeta": rates.zeta, "xi": rates.xi,
        "radius_theta": job.radius_theta, "radius_beta": job.radius_beta, "seed": job.seed,
        "states": job.shape.states, "actions": job.shape.actions, "dim": job.shape.dim,
        // Rows again, in another order, or with another Λ.
        "outside": job.outside,
    })
}

impl Checkpoint {
    pub fn to_json(&self, job: &Job) -> String {
        let object = json!({
            "run": identity(job), "t": self.t, "theta": self.theta, "beta": self.beta, "theta_sum": self.theta_sum, "rho": self.rho,
            "output_theta_sum": self.output_theta_sum, "value_sum": self.value_sum, "largest_theta": self.largest_theta,
        });
        format!("{object}\n")
    }

    /// Reads the checkpoint of this very run.
    pub fn read(file: &Path, job: &Job) -> Result<Self, InputError> {
        let text =
            std::fs::read_to_string(file).map_err(|e| InputError::file(file, format_args!("cannot read: {e}")))?;
        let top = Piece::top(file, &text)?;
        let members = top.members()?;
        if let Some((key, _)) = members.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
            return Err(top.unknown_key(key, &KEYS));
        }
        let member = |key: &'static str| {
            let found = members.iter().find(|(name, _)| name == key).map(|(_, raw)| top.member(key, raw));
            found.ok_or_else(|| top.wrong(format_args!("no key `{key}`, expected it in a checkpoint")))
        };
        let expected = identity(job);
        let run = member("run")?;
        let found = run.members()?;
        for (key, raw) in &found {
            let known = expected.get(key).map(Value::to_string);
            if known.as_deref() != Some(raw.get()) {
                let mine = known.unwrap_or_else(|| "no such number".to_owned());
                let problem = format!("found {key} {}, expected {mine} as in this call", crate::data::shown(raw.get()));
                return Err(InputError::at(file, " run", problem));
            }
        }
        let missing =
            expected.as_object().and_then(|all| all.keys().find(|key| found.iter().all(|(name, _)| name != *key)));
        if let Some(key) = missing {
            return Err(run.wrong(format_args!("no key `{key}`, expected it in a checkpoint")));
        }
        let vector = |key: &'static str| {
            let mut numbers = Vec::new();
            member(key)?.numbers(job.shape.dim, "one per component", &mut numbers)?;
            Ok::<_, InputError>(numbers)
        };
        let t = member("t")?.count()? as usize;
        if t == 0 || t >= job.rates.outer {
            return Err(InputError::at(
                file,
                " t",
                format_args!("found {t}, expected 1 to {} as T is {}", job.rates.outer - 1, job.rates.outer),
            ));
        }
        let output = if t >= job.chosen { vector("output_theta_sum")? } else { Vec::new() };
        Ok(Self {
            t,
            theta: vector("theta")?,
            beta: vector("beta")?,
            theta_sum: vector("theta_sum")?,
            rho: member("rho")?.number()?,
            output_theta_sum: output,
            value_sum: member("value_sum")?.number()?,
            largest_theta: member("largest_theta")?.number()?,
        })
    }
}
