//! `--budget X`: what a request may cost. X multiplies the default budgets, and a refusal says which X would admit the request.

use crate::data::InputError;

/// What one request may take: about a minute of one core, and 4 GB.
const OPERATIONS: f64 = 6e10;
const BYTES: f64 = 4e9;

const BYTE: &str = "bytes";

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
        Self { needed, allowed: BYTES, unit: BYTE }
    }
}

/// Refuses what exceeds the budget, with the X that admits all of it.
pub fn within(budget: f64, what: &str, needs: &[Need]) -> Result<(), InputError> {
    let ratio = |need: &Need| need.needed / need.allowed;
    let worst = needs.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    // A need that is not a number is refused.
    let fits = |need: &&Need| ratio(need) <= budget;
    let Some(worst) = worst.filter(|need| !fits(need)) else { return there_is_room(what, needs) };
    let Need { needed, allowed, unit } = worst;
    // Two digits, rounded up: the factor that is named is enough.
    let digits = 10_f64.powf(ratio(worst).log10().floor() - 1.0);
    let factor = (ratio(worst) / digits).ceil() * digits * (1.0 + 1e-12);
    let allowed = if budget > 0.0 { format!("{:.1e}", budget * allowed) } else { "none".to_owned() };
    // As a person would write it, unless that is long.
    let factor = format!("{factor:.1e}");
    let plain = factor.parse::<f64>().map_or_else(|_| factor.clone(), |number| number.to_string());
    let factor = if plain.len() <= 8 { plain } else { factor };
    let problem =
        format!("{what} would take about {needed:.1e} {unit}, {allowed} are allowed: --budget {factor} admits it");
    Err(InputError::call("--budget", problem))
}

/// Whether the memory that is asked for can be had, where the system says so beforehand, as under a limit: tried, up to what is allowed by
/// default, and given back untouched.
fn there_is_room(what: &str, needs: &[Need]) -> Result<(), InputError> {
    for need in needs.iter().filter(|need| need.unit == BYTE) {
        let mut room = Vec::<u8>::new();
        if room.try_reserve_exact(need.needed.clamp(0.0, BYTES) as usize).is_err() {
            let problem =
                format!("would take about {:.1e} bytes, expected less than the memory that is left", need.needed);
            return Err(InputError::call(what, problem));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor that is named admits the need, is rounded up to two digits, and belongs to the worst of the needs.
    #[test]
    fn the_factor_that_is_named_is_enough() {
        let refused = |needs: &[Need]| within(1.0, "this", needs).err().map(|e| e.to_string());
        let said = refused(&[Need::operations(1234.0 * OPERATIONS), Need::bytes(2.0 * BYTES)]);
        let expected = "this would take about 7.4e13 operations, 6.0e10 are allowed: --budget 1300 admits it";
        assert!(said.as_ref().is_some_and(|said| said.ends_with(expected)), "{said:?}");
        assert!(refused(&[Need::bytes(f64::NAN)]).is_some());
        for ratio in [1.0001, 1.5, 9.99, 10.0, 77.7, 1e-3, 5e12] {
            let needs = || [Need::operations(0.5 * ratio * OPERATIONS), Need::bytes(ratio * BYTES)];
            let Err(why) = within(0.9 * ratio.min(1.0), "this", &needs()) else { panic!("{ratio} is admitted") };
            let factor: f64 =
                why.to_string().split("--budget ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
            assert!(within(factor, "this", &needs()).is_ok() && factor <= 1.1 * ratio, "{ratio}: {factor}");
            assert!(within(0.999 * ratio, "this", &needs()).is_err());
        }
    }
}
