//! Problem files as NPZ: the keys of the JSON file, one array each. Features may be dense, one-hot or sparse.

use super::error::{InputError, title};
use super::npy::shown_shape;
use super::npz::{Archive, ArchiveWriter, Array, Bytes};
use super::number::Number;
use super::output::OutputFile;
use super::problem::{Problem, stem};
use crate::number::Field;
use crate::number::exact::BigRational;
use crate::paper::mdp::Shape;
use std::path::Path;

/// What an archive may hold: a matrix `m` is one array, or the three of a sparse matrix in CSR form and its shape.
const ARRAYS: [&str; 15] = [
    "name",
    "discount",
    "initial",
    "features",
    "omega",
    "psi",
    "behavior",
    "features_data",
    "features_indices",
    "features_indptr",
    "features_shape",
    "psi_data",
    "psi_indices",
    "psi_indptr",
    "psi_shape",
];

/// Below this share of non-zeros a matrix is written in CSR form.
const SPARSE: usize = 4;

/// A matrix of as many dimensions as `names` has, dense or sparse.
fn matrix<T: Number>(archive: &mut Archive<'_>, key: &str, names: &str) -> Result<Option<Array<T>>, InputError> {
    let dimensions = names.split(", ").count();
    let sparse = ["data", "indices", "indptr", "shape"].map(|part| format!("{key}_{part}"));
    let given = sparse.iter().filter(|part| archive.has(part)).count();
    if given == 0 {
        return match archive.numbers(key)? {
            Some(array) if array.shape.len() != dimensions => {
                Err(archive.wrong(key, format_args!("found shape {}, expected ({names})", shown_shape(&array.shape))))
            }
            array => Ok(array),
        };
    }
    if archive.has(key) || given < 4 {
        return Err(archive.wrong(
            key,
            format_args!("found {given} of the arrays {}, expected either these four or `{key}`", sparse.join(", ")),
        ));
    }
    let shape = archive.indices(&sparse[3], u64::MAX)?.map_or_else(Vec::new, |array| array.elements);
    let shape: Vec<u64> = shape.into_iter().map(|n| n as u64).collect();
    let ([.., width], true) = (&shape[..], shape.len() == dimensions) else {
        return Err(archive.wrong(&sparse[3], format_args!("found {shape:?}, expected ({names})")));
    };
    let total = archive.count::<T>(&sparse[3], &shape)?;
    let (width, rows) = (*width as usize, total.checked_div(*width).unwrap_or(0) as usize);
    let data = archive.numbers::<T>(&sparse[0])?.map_or_else(Vec::new, |array| array.elements);
    let indices = archive.indices(&sparse[1], width as u64)?.map_or_else(Vec::new, |array| array.elements);
    let indptr = archive.indices(&sparse[2], data.len() as u64 + 1)?.map_or_else(Vec::new, |array| array.elements);
    let ascending = indptr.first() == Some(&0) && indptr.is_sorted() && indptr.last() == Some(&data.len());
    if indices.len() != data.len() || indptr.len() != rows + 1 || !ascending {
        let (n, m) = (data.len(), indptr.len());
        let problem = format!(
            "found {m} row starts for {rows} rows and {} indices for {n} numbers, \
             expected one start per row from 0 on, then the number of numbers, and an index for every number",
            indices.len()
        );
        return Err(archive.wrong(&sparse[2], problem));
    }
    let mut elements = archive.zeros::<T>(key, total)?;
    for row in 0..rows {
        for at in indptr[row]..indptr[row + 1] {
            let element = &mut elements[row * width + indices[at]];
            if !element.is_zero() {
                return Err(archive.wrong(
                    &format!("{}[{at}]", sparse[1]),
                    format_args!("found column {} twice in row {row}, expected once", indices[at]),
                ));
            }
            *element = data[at].clone();
        }
    }
    Ok(Some(Array { shape, elements }))
}

/// φ(x, a) is the unit vector that `features[x][a]` names; d is the length of what else has components, or just enough.
fn one_hot<T: Number>(archive: &mut Archive<'_>, dim: Option<u64>) -> Result<Array<T>, InputError> {
    let array = archive.indices("features", dim.unwrap_or(u64::MAX))?;
    let Some(Array { mut shape, elements: components }) = array else {
        return Err(archive.wrong("features", "not there"));
    };
    // One more than the largest.
    let dim = dim.unwrap_or_else(|| components.iter().max().map_or(1, |last| (*last as u64).saturating_add(1)));
    shape.push(dim);
    let count = archive.count::<T>("features", &shape)?;
    let mut elements = archive.zeros::<T>("features", count)?;
    for (row, component) in components.iter().enumerate() {
        elements[row * dim as usize + component] = T::one();
    }
    Ok(Array { shape, elements })
}

/// Reads and checks an archive.
pub fn read<T: Number>(file: &Path, bytes: &Bytes) -> Result<Problem<T>, InputError> {
    let archive = &mut Archive::open(file, bytes, &ARRAYS)?;
    let psi = matrix(archive, "psi", "states, components")?;
    let omega = archive.numbers("omega")?;
    let components = omega.as_ref().map(|omega: &Array<T>| omega.elements.len() as u64);
    let is_one_hot = archive.header("features")?.is_some_and(|h| h.shape.len() == 2 && h.element.is_integer());
    let features = if is_one_hot {
        Some(one_hot(archive, components.or(psi.as_ref().and_then(|psi| psi.shape.last().copied())))?)
    } else {
        matrix(archive, "features", "states, actions, components")?
    };
    let Some(features) = features else {
        return Err(InputError::file(
            file,
            "no array `features`, expected it with shape (states, actions, components)",
        ));
    };
    let shape = shape_of(archive, &features.shape)?;
    let (states, actions, dim) = (shape.states as u64, shape.actions as u64, shape.dim as u64);
    let (initial, behavior) = (archive.numbers("initial")?, archive.numbers("behavior")?);
    let discount = archive.numbers("discount")?;
    Ok(Problem {
        file: file.to_owned(),
        name: title(&archive.text("name")?.unwrap_or_else(|| stem(file))),
        shape,
        discount: sized(archive, "discount", discount, &[])?.and_then(|discount| discount.into_iter().next()),
        initial: sized(archive, "initial", initial, &[states])?,
        omega: sized(archive, "omega", omega, &[dim])?,
        psi: sized(archive, "psi", psi, &[states, dim])?,
        behavior: sized(archive, "behavior", behavior, &[states, actions])?,
        features: features.elements,
        root: None,
    })
}

fn shape_of(archive: &Archive<'_>, shape: &[u64]) -> Result<Shape, InputError> {
    let sizes: Vec<usize> = shape.iter().filter_map(|n| usize::try_from(*n).ok()).collect();
    let [states, actions, dim] = sizes[..] else {
        return Err(archive.wrong(
            "features",
            format_args!("found shape {}, expected (states, actions, components)", shown_shape(shape)),
        ));
    };
    Shape::new(states, actions, dim).map_err(|e| archive.wrong("features", e))
}

/// The elements of an array that must have that shape; one number may also be an array of one.
fn sized<T>(
    archive: &Archive<'_>,
    key: &str,
    array: Option<Array<T>>,
    shape: &[u64],
) -> Result<Option<Vec<T>>, InputError> {
    match array {
        Some(array) if array.shape != shape && !(shape.is_empty() && array.shape == [1]) => {
            let (found, expected) = (shown_shape(&array.shape), shown_shape(shape));
            Err(archive.wrong(key, format_args!("found shape {found}, expected {expected} as `features` has it")))
        }
        array => Ok(array.map(|array| array.elements)),
    }
}

/// Writes a problem. An array is of doubles where each reads back as the number it stands for, else of text; features are one-hot or
/// sparse where that is what they are.
pub fn write(problem: &Problem<BigRational>, target: &Path) -> Result<OutputFile, InputError> {
    let Shape { states, actions, dim } = problem.shape;
    let (s, a, d) = (states as u64, actions as u64, dim as u64);
    let mut archive = ArchiveWriter::create(target)?;
    archive.texts("name", &[], std::slice::from_ref(&problem.name))?;
    if let Some(discount) = &problem.discount {
        exact(&mut archive, "discount", &[], std::slice::from_ref(discount))?;
    }
    // One-hot features leave it to `omega` or `psi` to say how many components there are.
    let sized = problem.omega.is_some() || problem.psi.is_some();
    match units(dim, &problem.features).filter(|_| sized) {
        Some(components) => archive.integers("features", &[s, a], components.into_iter())?,
        None => write_matrix(&mut archive, "features", &[s, a, d], &problem.features)?,
    }
    for (key, numbers, shape) in [("initial", &problem.initial, [s]), ("omega", &problem.omega, [d])] {
        numbers.iter().try_for_each(|numbers| exact(&mut archive, key, &shape, numbers))?;
    }
    problem.psi.iter().try_for_each(|psi| write_matrix(&mut archive, "psi", &[s, d], psi))?;
    problem.behavior.iter().try_for_each(|behavior| exact(&mut archive, "behavior", &[s, a], behavior))?;
    archive.finish()
}

/// Which component each row is the unit vector of, where all are.
fn units(dim: usize, rows: &[BigRational]) -> Option<Vec<usize>> {
    let unit = |row: &[BigRational]| {
        let one = row.iter().position(|x| !x.is_zero())?;
        (row[one] == BigRational::one() && row[one + 1..].iter().all(Field::is_zero)).then_some(one)
    };
    rows.chunks(dim).map(unit).collect()
}

fn write_matrix(
    archive: &mut ArchiveWriter,
    key: &str,
    shape: &[u64],
    numbers: &[BigRational],
) -> Result<(), InputError> {
    let filled = numbers.iter().filter(|x| !x.is_zero()).count();
    let width = shape.last().map_or(1, |width| *width as usize);
    if filled.saturating_mul(SPARSE) > numbers.len() {
        return exact(archive, key, shape, numbers);
    }
    let (mut data, mut indices, mut indptr) = (Vec::with_capacity(filled), Vec::with_capacity(filled), vec![0]);
    for row in numbers.chunks(width) {
        for (column, number) in row.iter().enumerate().filter(|(_, number)| !number.is_zero()) {
            data.push(number.clone());
            indices.push(column);
        }
        indptr.push(data.len());
    }
    exact(archive, &format!("{key}_data"), &[data.len() as u64], &data)?;
    archive.integers(&format!("{key}_indices"), &[indices.len() as u64], indices.into_iter())?;
    archive.integers(&format!("{key}_indptr"), &[indptr.len() as u64], indptr.into_iter())?;
    archive.integers(&format!("{key}_shape"), &[shape.len() as u64], shape.iter().map(|n| *n as usize))
}

fn exact(archive: &mut ArchiveWriter, key: &str, shape: &[u64], numbers: &[BigRational]) -> Result<(), InputError> {
    if numbers.iter().all(|x| BigRational::from_double(x.to_f64()).as_ref() == Some(x)) {
        return archive.doubles(key, shape, numbers.iter().map(BigRational::to_f64));
    }
    let texts: Vec<String> = numbers.iter().map(BigRational::to_string).collect();
    archive.texts(key, shape, &texts)
}
