//! The border between Python and the library: arrays in, arrays and JSON out. Everything that Python's users see is in
//! `offline_primal_dual/*.py`; everything that computes is in `offline_primal_dual::program::api`.

mod problem;
mod rows;
mod run;

use offline_primal_dual::conformance::{Precision, Tolerance};
use offline_primal_dual::data::{InputError, Setting};
use offline_primal_dual::number::interrupt;
use offline_primal_dual::paper::covariance::Exponent;
use offline_primal_dual::program::api;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// The program's one line, as Python's error.
fn refused(error: InputError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn setting(name: &str) -> PyResult<Setting> {
    [Setting::Discounted, Setting::Average]
        .into_iter()
        .find(|setting| setting.name() == name)
        .ok_or_else(|| PyValueError::new_err(format!("setting: found {name:?}, expected 'discounted' or 'average'")))
}

fn exponent(name: &str) -> PyResult<Exponent> {
    name.parse().map_err(|_| PyValueError::new_err(format!("c: found {name:?}, expected 1 or '1/2'")))
}

/// Does `work` with the interpreter's lock released. The lock is taken back between operations for signals: what their handlers raise stops the work.
fn attended<V: Send>(py: Python<'_>, work: impl FnOnce() -> Result<V, InputError> + Send) -> PyResult<V> {
    py.detach(|| {
        let raised = Rc::new(RefCell::new(None));
        let keep = Rc::clone(&raised);
        let signalled = move || {
            let error = Python::attach(|py| py.check_signals().err());
            error.map(|error| keep.replace(Some(error))).is_some()
        };
        match (interrupt::unless(signalled, work), raised.take()) {
            (_, Some(raised)) => Err(raised),
            (Some(done), None) => done.map_err(refused),
            (None, None) => Err(refused(InputError::call("computation", "stopped"))),
        }
    })
}

/// What `opd oracle` answers to a line.
#[pyfunction]
fn oracle(py: Python<'_>, request: String, budget: f64) -> PyResult<String> {
    attended(py, || api::oracle(&request, budget))
}

/// The conformance kit's problems, one JSON line each.
#[pyfunction]
#[pyo3(signature = (fresh=None))]
fn vectors(fresh: Option<(u64, usize)>) -> PyResult<Vec<String>> {
    api::vectors(fresh).map_err(refused)
}

/// Whether results agree, a text and a JSON object about it.
#[pyfunction]
fn judge(
    py: Python<'_>,
    results: String,
    precision: &str,
    factor: f64,
    own_draws: bool,
) -> PyResult<(bool, String, String)> {
    let named = Precision::ALL.iter().find(|(_, name)| *name == precision);
    let Some((precision, _)) = named else {
        return Err(PyValueError::new_err(format!("precision: found {precision:?}, expected f64, f32, tf32 or bf16")));
    };
    let tolerance = Tolerance { factor, precision: *precision, own_draws, fields: Vec::new() };
    let judged = py.detach(|| api::judge(&results, &tolerance)).map_err(refused)?;
    Ok((judged.passed, judged.text, judged.json))
}

/// The border.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::problem::Problem;
    #[pymodule_export]
    use super::run::{certify, policy, run, sample, search};
    #[pymodule_export]
    use super::{judge, oracle, vectors};
}
