//! `--budget X`: what a request may cost. X multiplies the default budgets, and a refusal says which X would admit the request.

use crate::data::InputError;

/// What one request may take: about a minute of one core, and 4 GB.
const OPERATIONS: f64 = 6e10;
const BYTES: f64 = 4e9;

/// What a request needs, of one kind.
pub struct Need {
    needed: f64,
    allowed: f64,
    unit: &'static str,
}

impl Need {
    pub fn operations(needed: f64) -> Self {
        Self { needed, allowed: OPERATIONS, unit: "operations" }
    }

    pub fn bytes(needed: f64) -> Self {
        Self { needed, allowed: BYTES, unit: "bytes" }
    }
}

/// Refuses what exceeds the budget, with the X that admits all of it.
pub fn within(budget: f64, what: &str, needs: &[Need]) -> Result<(), InputError> {
    let ratio = |need: &Need| need.needed / need.allowed;
    let worst = needs.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    // A need that is not a number is refused.
    let fits = |need: &&Need| ratio(need) <= budget;
    let Some(worst) = worst.filter(|need| !fits(need)) else { return Ok(()) };
    let Need { needed, allowed, unit } = worst;
    // Two digits, rounded up: the factor that is named is enough.
    let digits = 10_f64.powf(ratio(worst).log10().floor() - 1.0);
    let factor = (ratio(worst) / digits).ceil() * digits * (1.0 + 1e-12);
    let (needed, allowed) = (format!("{needed:.1e}"), format!("{:.1e}", budget * allowed));
    let problem =
        format!("{what} would take about {needed} {unit}, {allowed} are allowed: --budget {factor:.3e} admits it");
    Err(InputError::call("--budget", problem))
}
