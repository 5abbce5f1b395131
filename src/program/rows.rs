//! Where the rows of a run come from: a file, or the model.

use crate::data::{InputError, Problem, Reading, Row, RowSpec, Rows, with_reading};
use crate::program::agreement::{Agreement, Checked};
use crate::program::args::{Plan, ReadingArgs};
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::sampler::Sampler;
use std::path::PathBuf;

/// Where the rows of a run come from.
pub enum RowSource {
    File(PathBuf, Reading),
    /// Drawn from the model, without end.
    Drawn(Box<Sampler>),
}

impl RowSource {
    pub fn of(plan: &Plan, problem: &Problem<f64>, model: Option<&SolvedModel<'_, f64>>) -> Result<Self, InputError> {
        match (&plan.data, model) {
            (Some(file), _) => Ok(Self::File(file.clone(), reading(plan, problem))),
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
        let (file, reading) = match self {
            Self::File(file, reading) => (file, reading),
            Self::Drawn(sampler) => {
                return consume("rows drawn from the model", &mut DrawnRows(*sampler)).map(|r| (r, Vec::new()));
            }
        };
        with_reading(&file, spec, &reading, |rows| {
            let name = file.display().to_string();
            let outcome = match agreement {
                Some(agreement) => consume(&name, &mut Checked { rows: &mut *rows, agreement })?,
                None => consume(&name, rows)?,
            };
            let mut notes: Vec<String> = rows.notes().into_iter().map(|note| format!("{name}: {note}")).collect();
            match rows.unused()? {
                0 => {}
                n => notes.push(format!("{name}: {n} rows after those that were used")),
            }
            Ok((outcome, notes))
        })
    }
}

/// How the plan says that the data file is to be read.
pub fn reading(plan: &Plan, problem: &Problem<f64>) -> Reading {
    Reading {
        columns: plan.reading.column.clone(),
        reward_range: plan.reading.range(),
        absorbing: plan.reading.absorbing,
        initial: problem.initial("x0").ok().map(<[f64]>::to_vec),
        seed: plan.seed,
    }
}

impl ReadingArgs {
    /// LO and HI.
    pub fn range(&self) -> Option<(f64, f64)> {
        match self.reward_range.as_deref() {
            Some([low, high]) => Some((*low, *high)),
            _ => None,
        }
    }
}

struct DrawnRows(Sampler);

impl Rows for DrawnRows {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        Ok(self.0.next())
    }
}
