//! Where the rows of a run come from: a file, or the model.

use crate::data::{InputError, Problem, Reading, Row, RowSpec, Rows, counted, with_reading};
use crate::paper::covariance::Exponent;
use crate::program::agreement::{Agreement, Checked};
use crate::program::args::{Plan, ReadingArgs};
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::program::passes::{self, Again};
use crate::sampler::Sampler;
use std::path::{Path, PathBuf};

/// Where the rows of a run come from.
pub enum RowSource {
    File(PathBuf, Reading, Use),
    /// Drawn from the model, without end.
    Drawn(Box<Sampler>),
}

impl RowSource {
    pub fn of(plan: &Plan, problem: &Problem<f64>, model: Option<&SolvedModel<'_, f64>>) -> Result<Self, InputError> {
        match (&plan.data, model) {
            (Some(file), _) => Ok(Self::File(file.clone(), reading(plan, problem), Use::of(plan))),
            (None, Some(model)) => model.sampler(plan.seed).map(|sampler| Self::Drawn(Box::new(sampler))),
            (None, None) => Err(InputError::call("--data", "not given, expected it because the problem has no model")),
        }
    }

    /// Hands the rows to `consume`, with a name for complaints, and holds them against a model on the way. What was taken otherwise than it
    /// stands comes back as notes.
    pub fn open<R>(
        self,
        job: &Job,
        agreement: Option<&mut Agreement<'_>>,
        consume: impl FnOnce(&str, &mut dyn Rows) -> Result<R, InputError>,
    ) -> Result<(R, Vec<String>), InputError> {
        let spec = RowSpec { setting: job.setting, states: job.shape.states, actions: job.shape.actions };
        let (file, reading, used) = match self {
            Self::File(file, reading, used) => (file, reading, used),
            Self::Drawn(sampler) => {
                return consume("rows drawn from the model", &mut DrawnRows(*sampler)).map(|r| (r, Vec::new()));
            }
        };
        with_reading(&file, spec, &reading, |rows| {
            let name = file.display().to_string();
            let mut again;
            let rows: &mut dyn Rows = match used {
                Use::Once => rows,
                Use::Again { epochs, shuffle } => {
                    again = Again::new(rows, epochs, shuffle)?;
                    &mut again
                }
            };
            let outcome = match agreement {
                Some(agreement) => consume(&name, &mut Checked { rows: &mut *rows, agreement })?,
                None => consume(&name, rows)?,
            };
            let mut notes: Vec<String> = rows.notes().into_iter().map(|note| format!("{name}: {note}")).collect();
            match rows.unused()? {
                0 => {}
                n => notes.push(format!("{name}: {} after those that were used", counted(n, "row"))),
            }
            Ok((outcome, notes))
        })
    }
}

/// How often, and in which order.
#[derive(Clone, Copy)]
pub enum Use {
    Once,
    Again { epochs: usize, shuffle: Option<u64> },
}

impl Use {
    pub fn of(plan: &Plan) -> Self {
        let shuffle = plan.shuffle.then_some(plan.seed);
        if plan.epochs == 1 && shuffle.is_none() { Self::Once } else { Self::Again { epochs: plan.epochs, shuffle } }
    }
}

/// Passes over the data file for what the plan leaves to it: K and T, Λ̂.
pub fn look_ahead(plan: &mut Plan, problem: &Problem<f64>) -> Result<(), InputError> {
    let spec = RowSpec { setting: plan.setting, states: problem.shape.states, actions: problem.shape.actions };
    let reading = reading(plan, problem);
    if let Some(file) = plan.data.as_deref().filter(|_| plan.inner.is_none() || plan.outer.is_none()) {
        let rows = passes::count(file, spec, &reading)?;
        if rows == 0 {
            return Err(InputError::file(file, "found no rows, expected some"));
        }
        plan.found.rows = Some(rows.saturating_mul(plan.epochs as u64));
    }
    let Some(source) = &plan.lambda else { return Ok(()) };
    if plan.c != Exponent::Half {
        return Err(InputError::call("--lambda", "given, expected it only with --c 1/2"));
    }
    plan.found.lambda = Some(match (source == Path::new("empirical"), &plan.data) {
        (true, Some(file)) => passes::covariance(file, spec, &reading, problem)?,
        (true, None) => return Err(InputError::call("--lambda empirical", "no data, expected --data")),
        (false, _) => passes::read_covariance(source, problem.shape.dim)?,
    });
    Ok(())
}

/// How the plan says that the data file is to be read.
fn reading(plan: &Plan, problem: &Problem<f64>) -> Reading {
    reading_of(&plan.reading, plan.seed, problem)
}

/// The same for any call with these flags.
pub fn reading_of(args: &ReadingArgs, seed: u64, problem: &Problem<f64>) -> Reading {
    Reading {
        columns: args.column.clone(),
        reward_range: args.range(),
        absorbing: args.absorbing,
        initial: problem.initial("x0").ok().map(<[f64]>::to_vec),
        seed,
    }
}

impl ReadingArgs {
    /// LO and HI.
    pub fn range(&self) -> Option<(f64, f64)> {
        range_of(self.reward_range.as_deref())
    }
}

/// Two numbers as a pair.
pub fn range_of(numbers: Option<&[f64]>) -> Option<(f64, f64)> {
    match numbers {
        Some([low, high]) => Some((*low, *high)),
        _ => None,
    }
}

struct DrawnRows(Sampler);

impl Rows for DrawnRows {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        Ok(self.0.next())
    }

    fn drawn(&self) -> bool {
        true
    }
}
