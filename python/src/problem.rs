//! A problem in doubles and, on demand, in rationals.

use crate::{attended, exponent, refused, setting};
use numpy::{PyArray1, PyReadonlyArray1};
use offline_primal_dual::data::number::Number;
use offline_primal_dual::data::{InputError, Parts, Problem as Held, shown};
use offline_primal_dual::instances;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::mdp::Shape;
use offline_primal_dual::program::api;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The parts of a problem but its features: discount, initial, omega, psi, behavior.
type Rest<V, S> = (Option<S>, Option<V>, Option<V>, Option<V>, Option<V>);

/// A problem, checked.
#[pyclass(frozen, module = "offline_primal_dual._core")]
pub struct Problem {
    pub doubles: Held<f64>,
    exact: OnceLock<Held<BigRational>>,
    /// Where the rationals are read from, should they be asked for.
    file: Option<PathBuf>,
}

impl Problem {
    /// The same in rationals: a file's own, else every double as the decimal that it prints as.
    pub fn exact(&self) -> Result<&Held<BigRational>, InputError> {
        if let Some(exact) = self.exact.get() {
            return Ok(exact);
        }
        let exact = match &self.file {
            Some(file) => Held::read(file)?,
            None => self.doubles.map(|x| decimal(*x)),
        };
        exact.check()?;
        Ok(self.exact.get_or_init(|| exact))
    }

    fn of_exact(exact: Held<BigRational>) -> Self {
        Self { doubles: exact.map(BigRational::to_f64), exact: OnceLock::from(exact), file: None }
    }
}

/// The shortest decimal that reads back as the double; every finite double has one.
fn decimal(x: f64) -> BigRational {
    BigRational::parse(&format!("{x:e}")).unwrap_or(BigRational::INVALID)
}

fn shape((states, actions, dim): (usize, usize, usize)) -> PyResult<Shape> {
    Shape::new(states, actions, dim).map_err(|e| PyValueError::new_err(format!("features: {e}")))
}

/// Numbers as text: the distinct ones, and where each of them stands. A table of features has few distinct numbers and many cells.
type Texts<'py> = (Vec<String>, PyReadonlyArray1<'py, i64>);

fn numbers(key: &str, (distinct, places): Texts<'_>) -> PyResult<Vec<BigRational>> {
    let wrong = |text: &str, expected: &str| {
        PyValueError::new_err(format!("{key}: found {}, expected {expected}", shown(text)))
    };
    let read = |text: &String| BigRational::parse(text).map_err(|expected| wrong(text, expected));
    let read: Vec<BigRational> = distinct.iter().map(read).collect::<PyResult<_>>()?;
    let at = |place: &i64| usize::try_from(*place).ok().and_then(|place| read.get(place)).cloned();
    let all: Option<Vec<BigRational>> = places.as_slice()?.iter().map(at).collect();
    all.ok_or_else(|| wrong("a place", "one of the distinct numbers"))
}

#[pymethods]
impl Problem {
    /// From doubles.
    #[staticmethod]
    fn of_doubles(
        name: String,
        sizes: (usize, usize, usize),
        features: PyReadonlyArray1<'_, f64>,
        rest: Rest<PyReadonlyArray1<'_, f64>, f64>,
    ) -> PyResult<Self> {
        let all = |array: Option<PyReadonlyArray1<'_, f64>>| {
            array.map(|array| Ok::<_, PyErr>(array.as_slice()?.to_vec())).transpose()
        };
        let (discount, initial, omega, psi, behavior) = rest;
        let parts = Parts {
            name,
            shape: shape(sizes)?,
            features: features.as_slice()?.to_vec(),
            discount,
            initial: all(initial)?,
            omega: all(omega)?,
            psi: all(psi)?,
            behavior: all(behavior)?,
        };
        Ok(Self { doubles: Held::of_parts(parts).map_err(refused)?, exact: OnceLock::new(), file: None })
    }

    /// From numbers as text.
    #[staticmethod]
    fn of_texts(
        name: String,
        sizes: (usize, usize, usize),
        features: Texts<'_>,
        rest: Rest<Texts<'_>, Texts<'_>>,
    ) -> PyResult<Self> {
        let all = |key: &str, texts: Option<Texts<'_>>| texts.map(|texts| numbers(key, texts)).transpose();
        let (discount, initial, omega, psi, behavior) = rest;
        let discount = all("discount", discount)?;
        let parts = Parts {
            name,
            shape: shape(sizes)?,
            features: numbers("features", features)?,
            discount: discount.and_then(|mut numbers| numbers.pop()),
            initial: all("initial", initial)?,
            omega: all("omega", omega)?,
            psi: all("psi", psi)?,
            behavior: all("behavior", behavior)?,
        };
        Held::of_parts(parts).map(Self::of_exact).map_err(refused)
    }

    /// From a problem file.
    #[staticmethod]
    fn of_file(file: PathBuf) -> PyResult<Self> {
        let doubles = Held::read(&file).map_err(refused)?;
        Ok(Self { doubles, exact: OnceLock::new(), file: Some(file) })
    }

    /// An embedded instance.
    #[staticmethod]
    fn of_instance(name: &str) -> PyResult<Self> {
        let exact = OnceLock::from(api::instance(name).map_err(refused)?);
        Ok(Self { doubles: api::instance(name).map_err(refused)?, exact, file: None })
    }

    /// The embedded instances: name and description.
    #[staticmethod]
    fn instances() -> Vec<(&'static str, &'static str)> {
        instances::all().iter().map(|instance| (instance.name(), instance.description())).collect()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.doubles.name
    }

    /// |X|, |A|, d.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let Shape { states, actions, dim } = self.doubles.shape;
        (states, actions, dim)
    }

    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.doubles.features)
    }

    #[getter]
    fn has_model(&self) -> bool {
        self.doubles.has_model()
    }

    /// Refuses what is no model: rewards outside [0, 1], rows that are no distributions, features of too low a rank.
    fn validate(&self) -> PyResult<()> {
        self.doubles.model("validation").map(|_| ()).map_err(refused)
    }

    /// The problem file that reads back as this problem.
    fn to_json(&self) -> PyResult<String> {
        Ok(self.exact().map_err(refused)?.to_json())
    }

    /// What `opd coverage --json` prints.
    fn coverage(&self, py: Python<'_>, budget: f64) -> PyResult<String> {
        attended(py, || api::coverage(&self.doubles, &|| self.exact(), budget))
    }

    /// What `opd audit --json` prints, and the page.
    fn audit(&self, py: Python<'_>, html: bool, budget: f64) -> PyResult<(String, Option<String>)> {
        attended(py, || api::audit(self.exact()?, html, budget))
    }

    /// What `opd tune --json` prints; one of `outer`, `samples` and `epsilon` is given.
    fn tune(
        &self,
        py: Python<'_>,
        names: (String, String),
        goal: (Option<usize>, Option<usize>, Option<f64>),
        radii: (Option<f64>, Option<f64>),
        budget: f64,
    ) -> PyResult<String> {
        let (setting, c) = (setting(&names.0)?, exponent(&names.1)?);
        let goal = match goal {
            (Some(outer), None, None) => api::Goal::Outer(outer),
            (None, Some(rows), None) => api::Goal::Samples(rows),
            (None, None, Some(epsilon)) => api::Goal::Epsilon(epsilon),
            _ => return Err(PyValueError::new_err("outer, samples, epsilon: expected one of them")),
        };
        attended(py, || api::tune(&self.doubles, setting, c, goal, radii, budget))
    }
}
