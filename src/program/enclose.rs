//! A run's worth in rigorous intervals, where exact arithmetic would take too long.

use crate::Result as Checked;
use crate::data::InputError;
use crate::number::Field as _;
use crate::number::exact::BigRational;
use crate::number::outward::Outward;
use crate::program::coverage::{enclosed_ratios, within_ends};
use crate::program::model::SolvedModel;
use crate::program::recorder::Kept;
use crate::program::show::{Show, columns};
use crate::routes::{Enclosure, Widened};
use serde_json::{Value, json};

/// What is proved of a run.
pub struct Enclosed {
    /// ρ*.
    pub optimum: Outward,
    /// ρ* − ρ(π_t), for every t.
    pub each: Vec<Outward>,
    /// Their mean.
    pub mean: Outward,
    /// C^†, or why it is not enclosed.
    pub dagger: Result<Outward, String>,
    /// Why the certificate is not exact.
    pub why: String,
}

/// Encloses the optimum, every iterate's suboptimality and C^†.
pub fn enclose(
    model: &SolvedModel<'_, f64>,
    behavior: &[f64],
    kept: &[Kept],
    why: &InputError,
) -> Result<Enclosed, InputError> {
    let found = bounds(model, kept).map_err(|e| InputError::refused("certificate", e))?;
    let (optimum, each, mean) = found;
    let dagger = enclosed_ratios(model, behavior).map(|ratios| ratios.dagger).map_err(|e| e.to_string());
    Ok(Enclosed { optimum, each, mean, dagger, why: why.to_string() })
}

fn bounds(model: &SolvedModel<'_, f64>, kept: &[Kept]) -> Checked<(Outward, Vec<Outward>, Outward)> {
    let widened = Widened::of(&model.mdp);
    let enclosure = Enclosure::new(&model.structure, &widened, model.ones())?;
    let optimum = enclosure.optimum(&model.optimal)?;
    let mut each: Vec<Outward> = Vec::with_capacity(kept.len());
    for (t, iteration) in kept.iter().enumerate() {
        let loss = match t.checked_sub(1).filter(|before| kept[*before].policy == iteration.policy) {
            Some(before) => each[before],
            None => optimum - enclosure.return_of(&iteration.policy)?,
        };
        each.push(loss);
    }
    let total = each.iter().fold(Outward::zero(), |sum, loss| sum + *loss);
    let mean = total / Outward::point(kept.len() as f64);
    Ok((optimum, each, mean))
}

/// The ends as the fractions they are.
fn ends(interval: Outward) -> Value {
    let fraction = |x: f64| BigRational::from_f64(x).map_or(Value::Null, |x| x.to_string().into());
    json!({ "at_least": fraction(interval.lower), "at_most": fraction(interval.upper) })
}

impl Enclosed {
    /// One object, as a certificate.
    pub fn json(&self) -> Value {
        json!({
            "method": "enclosure",
            "optimum": ends(self.optimum),
            "suboptimality": ends(self.mean),
            "suboptimality_of_each": self.each.iter().map(|loss| ends(*loss)).collect::<Vec<_>>(),
            "dagger": self.dagger.as_ref().map_or_else(|why| json!({ "not_enclosed": why }), |found| ends(*found)),
            "not_exact": self.why,
        })
    }

    /// The same for the eye.
    pub fn table(&self, show: &Show) -> String {
        let shown = |interval: Outward| within_ends(interval.lower, interval.upper);
        let mut rows =
            vec![vec![show.bold("optimum"), shown(self.optimum)], vec![show.bold("suboptimality"), shown(self.mean)]];
        if let [first, .., last] = &self.each[..] {
            rows.push(vec![show.bold("of the first policy"), shown(*first)]);
            rows.push(vec![show.bold("of the last policy"), shown(*last)]);
        }
        let dagger = self.dagger.as_ref().map_or_else(|why| format!("not enclosed: {why}"), |found| shown(*found));
        rows.push(vec![show.bold("C^†"), dagger]);
        format!("{}rigorous intervals, as {}\n", columns(&rows), self.why)
    }
}
