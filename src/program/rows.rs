//! Where the rows of a run come from: a file, or the model.

use crate::data::{InputError, Row, RowSpec, Rows, with_rows};
use crate::program::args::Plan;
use crate::program::job::Job;
use crate::program::model::SolvedModel;
use crate::sampler::Sampler;
use std::path::PathBuf;

/// Where the rows of a run come from.
pub enum RowSource {
    File(PathBuf),
    /// Drawn from the model, without end.
    Drawn(Box<Sampler>),
}

impl RowSource {
    pub fn of(plan: &Plan, model: Option<&SolvedModel<'_, f64>>) -> Result<Self, InputError> {
        match (&plan.data, model) {
            (Some(file), _) => Ok(Self::File(file.clone())),
            (None, Some(model)) => model.sampler(plan.seed).map(|sampler| Self::Drawn(Box::new(sampler))),
            (None, None) => Err(InputError::call("--data", "not given, expected it because the problem has no model")),
        }
    }

    /// Hands the rows to `consume`, with a name for complaints.
    pub fn open<R>(
        self,
        job: &Job,
        consume: impl FnOnce(&str, &mut dyn Rows) -> Result<R, InputError>,
    ) -> Result<R, InputError> {
        let spec = RowSpec { setting: job.setting, states: job.shape.states, actions: job.shape.actions };
        match self {
            Self::File(file) => with_rows(&file, spec, |rows| consume(&file.display().to_string(), rows)),
            Self::Drawn(sampler) => consume("rows drawn from the model", &mut DrawnRows(*sampler)),
        }
    }
}

struct DrawnRows(Sampler);

impl Rows for DrawnRows {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        Ok(self.0.next())
    }
}
