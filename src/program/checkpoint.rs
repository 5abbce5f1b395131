//! The file that says where a run stands after an outer iteration, so that it can go on later with the same bits.

use crate::data::json::Piece;
use crate::data::{InputError, read_text};
use crate::program::job::{Checkpoint, Job};
use serde_json::{Value, json};
use std::path::Path;

const KEYS: [&str; 8] = ["run", "t", "theta", "beta", "theta_sum", "rho", "output_theta_sum", "value_sum"];

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

/// The file.
pub fn to_json(at: &Checkpoint, job: &Job) -> String {
    let object = json!({
        "run": identity(job), "t": at.t, "theta": at.theta, "beta": at.beta, "theta_sum": at.theta_sum, "rho": at.rho,
        "output_theta_sum": at.output_theta_sum, "value_sum": at.value_sum,
    });
    format!("{object}\n")
}

/// Reads the checkpoint of this very run.
pub fn read(file: &Path, job: &Job) -> Result<Checkpoint, InputError> {
    let text = read_text(file)?;
    let top = Piece::top(file, &text)?;
    let members = top.members()?;
    if let Some((key, _)) = members.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        return Err(top.unknown_key(key, &KEYS));
    }
    let member = |key: &'static str| {
        let found = members.iter().find(|(name, _)| name == key).map(|(_, raw)| top.member(key, raw));
        found.ok_or_else(|| top.wrong(format_args!("no key `{key}`, expected it in a checkpoint")))
    };
    expect_run(file, &member("run")?, job)?;
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
    Ok(Checkpoint {
        t,
        theta: vector("theta")?,
        beta: vector("beta")?,
        theta_sum: vector("theta_sum")?,
        rho: member("rho")?.number()?,
        output_theta_sum: output,
        value_sum: member("value_sum")?.number()?,
    })
}

/// `Err` for the checkpoint of another run.
fn expect_run(file: &Path, run: &Piece<'_>, job: &Job) -> Result<(), InputError> {
    let expected = identity(job);
    // What was asked for comes before what follows from it.
    let rank = |key: &str| ["setting", "c", "states", "actions", "dim"].iter().position(|first| *first == key);
    let mut found = run.members()?;
    found.sort_by_key(|(key, _)| rank(key).unwrap_or(usize::MAX));
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
    missing.map_or(Ok(()), |key| Err(run.wrong(format_args!("no key `{key}`, expected it in a checkpoint"))))
}
