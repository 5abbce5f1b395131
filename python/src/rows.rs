//! Rows from Python: columns that are borrowed for a whole run, or batches from an iterator.

use crate::refused;
use numpy::PyReadonlyArray1;
use offline_primal_dual::data::{ArrayRows, Columns, InputError, Row, RowSpec, Rows};
use pyo3::prelude::*;
use pyo3::types::PyIterator;

/// Contiguous columns, `None` for those that the setting does not have.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Arrays<'py> {
    x0: Option<PyReadonlyArray1<'py, i64>>,
    x: Option<PyReadonlyArray1<'py, i64>>,
    a: Option<PyReadonlyArray1<'py, i64>>,
    r: Option<PyReadonlyArray1<'py, f64>>,
    x_next: Option<PyReadonlyArray1<'py, i64>>,
    u: Option<PyReadonlyArray1<'py, f64>>,
}

impl Arrays<'_> {
    pub fn columns(&self) -> PyResult<Columns<'_>> {
        fn slice<'a, T: numpy::Element>(array: Option<&'a PyReadonlyArray1<'_, T>>) -> PyResult<Option<&'a [T]>> {
            Ok(array.map(PyReadonlyArray1::as_slice).transpose()?)
        }
        Ok(Columns {
            x0: slice(self.x0.as_ref())?,
            x: slice(self.x.as_ref())?,
            a: slice(self.a.as_ref())?,
            r: slice(self.r.as_ref())?,
            x_next: slice(self.x_next.as_ref())?,
            u: slice(self.u.as_ref())?,
        })
    }
}

/// Batch after batch of columns; what Python raises is kept.
pub struct Batches {
    pub iterator: Py<PyIterator>,
    pub spec: RowSpec,
    pub raised: Option<PyErr>,
    batch: Vec<Row>,
    at: usize,
    before: usize,
}

impl Batches {
    pub fn new(iterator: Py<PyIterator>, spec: RowSpec) -> Self {
        Self { iterator, spec, raised: None, batch: Vec::new(), at: 0, before: 0 }
    }

    /// The next batch that has rows; false at the end.
    fn advance(&mut self) -> Result<bool, InputError> {
        self.before += self.batch.len();
        self.at = 0;
        self.batch.clear();
        let more = Python::attach(|py| -> PyResult<bool> {
            while self.batch.is_empty() {
                let Some(next) = self.iterator.bind(py).clone().next().transpose()? else { return Ok(false) };
                let arrays: Arrays<'_> = next.extract()?;
                let mut rows = ArrayRows::new(arrays.columns()?, self.spec, self.before).map_err(refused)?;
                rows.fill(&mut self.batch, usize::MAX).map_err(refused)?;
            }
            Ok(true)
        });
        more.map_err(|raised| {
            self.batch.clear();
            self.raised = Some(raised);
            InputError::call("rows", "the iterator failed")
        })
    }
}

impl Rows for Batches {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        if self.at == self.batch.len() && !self.advance()? {
            return Ok(None);
        }
        self.at += 1;
        Ok(self.batch.get(self.at - 1).copied())
    }
}
