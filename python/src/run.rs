//! Runs and certificates, with the interpreter's lock released; the lock is taken back between blocks of rows, for signals and progress.

use crate::problem::Problem;
use crate::rows::{Arrays, Batches};
use crate::{attended, exponent, setting};
use numpy::{IntoPyArray, PyReadonlyArray1};
use offline_primal_dual::data::{ArrayRows, Columns, InputError, RowSpec, Setting};
use offline_primal_dual::number::interrupt::interrupted;
use offline_primal_dual::program::api::{self, Data, RunPlan, SearchPlan, Tick, Wanted};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often signals and progress are looked after.
const PAUSE: Duration = Duration::from_millis(50);

/// What a run is made of, as Python has it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Plan {
    setting: String,
    c: String,
    inner: usize,
    outer: usize,
    alpha: Option<f64>,
    eta: Option<f64>,
    zeta: Option<f64>,
    xi: Option<f64>,
    radius_theta: Option<f64>,
    radius_beta: Option<f64>,
    seed: u64,
    budget: f64,
}

impl Plan {
    fn read(&self) -> PyResult<RunPlan> {
        Ok(RunPlan {
            setting: setting(&self.setting)?,
            c: exponent(&self.c)?,
            inner: self.inner,
            outer: self.outer,
            alpha: self.alpha,
            eta: self.eta,
            zeta: self.zeta,
            xi: self.xi,
            radius_theta: self.radius_theta,
            radius_beta: self.radius_beta,
            seed: self.seed,
            budget: self.budget,
        })
    }
}

/// Where rows come from, as Python has it.
#[derive(FromPyObject)]
pub enum Source<'py> {
    Batches(Bound<'py, PyIterator>),
    Arrays(Arrays<'py>),
    File(PathBuf),
}

/// The same, without the interpreter.
enum Opened<'a> {
    Model,
    File(PathBuf),
    Columns(Columns<'a>),
    Batches(Batches),
}

/// Looks after signals and progress; keeps what Python raised.
struct Attendant {
    progress: Option<Py<PyAny>>,
    pending: usize,
    last: Instant,
    raised: Option<PyErr>,
}

impl Attendant {
    fn new(progress: Option<Py<PyAny>>) -> Self {
        Self { progress, pending: 0, last: Instant::now(), raised: None }
    }

    fn tick(&mut self, rows: usize) -> Result<(), InputError> {
        self.pending += rows;
        if self.last.elapsed() < PAUSE {
            return Ok(());
        }
        self.attend().map_err(|raised| {
            self.raised = Some(raised);
            InputError::call("run", "stopped")
        })
    }

    fn attend(&mut self) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = self.progress.as_ref().filter(|_| self.pending > 0) {
                progress.call1(py, (self.pending,))?;
            }
            Ok::<_, PyErr>(())
        })?;
        self.pending = 0;
        self.last = Instant::now();
        Ok(())
    }
}

/// Does `work` with the source opened and the lock released. What Python raised meanwhile comes before what the library then said.
fn released<V: Send>(
    py: Python<'_>,
    problem: &Problem,
    setting: Setting,
    source: Option<Source<'_>>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(Data<'_>, &mut Tick<'_>) -> Result<V, InputError> + Send,
) -> PyResult<V> {
    let shape = problem.doubles.shape;
    let spec = RowSpec { setting, states: shape.states, actions: shape.actions };
    let arrays;
    let mut opened = match source {
        None => Opened::Model,
        Some(Source::File(file)) => Opened::File(file),
        Some(Source::Batches(iterator)) => Opened::Batches(Batches::new(iterator.unbind(), spec)),
        Some(Source::Arrays(found)) => {
            arrays = found;
            Opened::Columns(arrays.columns()?)
        }
    };
    let mut attendant = Attendant::new(progress);
    let done = attended(py, || {
        let mut tick = |rows| attendant.tick(rows);
        match &mut opened {
            Opened::Model => work(Data::Model, &mut tick),
            Opened::File(file) => work(Data::File(std::mem::take(file)), &mut tick),
            Opened::Columns(columns) => work(Data::Rows(&mut ArrayRows::new(*columns, spec, 0)?), &mut tick),
            Opened::Batches(batches) => work(Data::Rows(batches), &mut tick),
        }
    });
    let raised = match &mut opened {
        Opened::Batches(batches) => batches.raised.take(),
        _ => None,
    };
    if let Some(raised) = attendant.raised.take().or(raised) {
        return Err(raised);
    }
    let done = done?;
    attendant.attend()?;
    Ok(done)
}

/// `opd run`: report, policies and whatever of the trace and the page was wanted.
#[pyfunction]
pub fn run<'py>(
    py: Python<'py>,
    problem: &Problem,
    plan: Plan,
    source: Option<Source<'py>>,
    wanted: (bool, bool, bool),
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let plan = plan.read()?;
    let (outer, inner, html) = wanted;
    let done = released(py, problem, plan.setting, source, progress, |data, tick| {
        let exact: &api::Exactly<'_> = &|| problem.exact();
        api::run(&problem.doubles, html.then_some(exact), &plan, data, Wanted { outer, inner }, tick)
    })?;
    let result = PyDict::new(py);
    result.set_item("report", done.report)?;
    result.set_item("last_policy", done.last_policy.into_pyarray(py))?;
    result.set_item("output_policy", done.output_policy.into_pyarray(py))?;
    result.set_item("output_theta_sum", done.output_theta_sum.into_pyarray(py))?;
    result.set_item("html", done.html)?;
    if let Some(outer) = done.outer {
        result.set_item("theta", outer.theta.into_pyarray(py))?;
        result.set_item("beta", outer.beta.into_pyarray(py))?;
        result.set_item("theta_sum", outer.theta_sum.into_pyarray(py))?;
        result.set_item("rho", outer.rho.into_pyarray(py))?;
    }
    if let Some(inner) = done.inner {
        result.set_item("inner_gradient", inner.gradient.into_pyarray(py))?;
        result.set_item("inner_theta", inner.theta.into_pyarray(py))?;
        result.set_item("inner_rho", inner.rho.into_pyarray(py))?;
    }
    Ok(result)
}

/// A certificate, the text for `opd check`, the page; notes on the data, and where the data contradict the model.
type Certified = (String, Option<String>, Option<String>, Vec<String>, Vec<String>);

/// `opd certify`.
#[pyfunction]
pub fn certify<'py>(
    py: Python<'py>,
    problem: &Problem,
    plan: Plan,
    source: Option<Source<'py>>,
    html: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Certified> {
    let plan = plan.read()?;
    let done = released(py, problem, plan.setting, source, progress, |data, tick| {
        api::certify(&problem.doubles, &|| problem.exact(), &plan, data, html, tick)
    })?;
    Ok((done.certificate, done.checkable, done.html, done.notes, done.contradictions))
}

/// `opd tune --search`: candidates, splits and seed; the radii; what `--json` prints, and the page.
#[pyfunction]
pub fn search<'py>(
    py: Python<'py>,
    problem: &Problem,
    counts: (usize, usize, u64),
    radii: (Option<f64>, Option<f64>),
    budget: f64,
    source: Option<Source<'py>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let (candidates, splits, seed) = counts;
    let plan = SearchPlan { candidates, splits, seed, radii, budget };
    released(py, problem, Setting::Discounted, source, progress, |data, tick| {
        api::search(&problem.doubles, &plan, data, tick)
    })
}

/// `opd sample`: columns.
#[pyfunction]
pub fn sample<'py>(
    py: Python<'py>,
    problem: &Problem,
    setting_name: &str,
    rows: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let setting = setting(setting_name)?;
    let mut indices = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let mut numbers = [Vec::new(), Vec::new()];
    attended(py, || -> Result<(), InputError> {
        for row in api::sampler(&problem.doubles, setting, seed)?.take(rows).take_while(|_| !interrupted()) {
            for (column, index) in indices.iter_mut().zip([row.x0, row.x, row.a, row.x_next]) {
                column.push(i64::try_from(index).unwrap_or(i64::MAX));
            }
            for (column, number) in numbers.iter_mut().zip([row.r, row.u]) {
                column.push(number);
            }
        }
        Ok(())
    })?;
    let ([x0, x, a, x_next], [r, u]) = (indices, numbers);
    let result = PyDict::new(py);
    if setting == Setting::Discounted {
        result.set_item("x0", x0.into_pyarray(py))?;
    }
    for (name, column) in [("x", x), ("a", a)] {
        result.set_item(name, column.into_pyarray(py))?;
    }
    result.set_item("r", r.into_pyarray(py))?;
    result.set_item("x_next", x_next.into_pyarray(py))?;
    if setting == Setting::Average {
        result.set_item("u", u.into_pyarray(py))?;
    }
    Ok(result)
}

/// π(·|x) for every row of `actions` features.
#[pyfunction]
pub fn policy<'py>(
    py: Python<'py>,
    actions: usize,
    alpha: f64,
    features: PyReadonlyArray1<'py, f64>,
    theta_sum: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, numpy::PyArray1<f64>>> {
    let policy = api::policy(actions, alpha, features.as_slice()?, theta_sum.as_slice()?).map_err(crate::refused)?;
    Ok(policy.into_pyarray(py))
}
