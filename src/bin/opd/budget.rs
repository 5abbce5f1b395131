//! `--budget X`: what a request may cost. X multiplies the default budgets, and a refusal says which X would admit the request.

use offline_primal_dual::data::InputError;

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

/// Refuses what exceeds the budget.
pub fn within(budget: f64, what: &str, needs: &[Need]) -> Result<(), InputError> {
    for Need { needed, allowed, unit } in needs {
        // Written so that a need that is not a number is refused.
        if !(*needed <= budget * allowed) {
            let factor = needed / allowed;
            // Two digits, rounded up: the factor that is named is enough.
            let digits = 10_f64.powf(factor.log10().floor() - 1.0);
            let factor = (factor / digits).ceil() * digits;
            let problem = format!(
                "{what} would take about {needed:.1e} {unit}, {:.1e} are allowed: --budget {factor:.2e} admits it",
                budget * allowed
            );
            return Err(InputError::call("--budget", problem));
        }
    }
    Ok(())
}
