//! Where a problem comes from: an embedded instance or a file.

use crate::data::number::Number;
use crate::data::{InputError, Problem, did_you_mean, shown};
use crate::instances::{self, Instance};
use crate::program::args::Source;
use crate::program::show::note;

/// The instance of that name, or a complaint with the nearest one.
pub fn instance(name: &str) -> Result<&'static Instance, InputError> {
    instances::by_name(name).ok_or_else(|| no_instance(name, &[]))
}

/// The complaint about a name that is no instance's, where `others` would have done too.
pub fn no_instance(name: &str, others: &[&'static str]) -> InputError {
    let names: Vec<&str> = others.iter().copied().chain(instances::all().iter().map(Instance::name)).collect();
    let (hint, list) = (did_you_mean(name, &names), names.join(", "));
    InputError::call("instance", format_args!("found {}, expected one of {list}{hint}", shown(name)))
}

/// The problem that was asked for; the default instance when none was.
pub fn problem<T: Number>(source: &Source) -> Result<Problem<T>, InputError> {
    match (&source.mdp, &source.instance) {
        (Some(file), _) if source.normalise => {
            let (problem, changes) = Problem::read_normalised(file)?;
            if !changes.is_empty() {
                note(&format!("{}: {}", file.display(), changes.join("; ")));
            }
            Ok(problem)
        }
        (Some(file), _) => Problem::read(file),
        (None, Some(name)) => Problem::of_instance(instance(name)?),
        (None, None) => Problem::of_instance(&instances::all()[0]),
    }
}
