//! Where a problem comes from: an embedded instance or a file.

use crate::data::number::Number;
use crate::data::{InputError, Problem, ProblemFile, did_you_mean, shown};
use crate::instances::{self, Instance};
use crate::number::exact::BigRational;
use crate::program::args::Source;
use crate::program::show::note;
use std::path::Path;

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

/// A problem that was asked for, opened once, however often it is read.
pub enum Origin {
    Instance(&'static Instance),
    File(ProblemFile),
    /// Of a file with --normalise: divided exactly, so that doubles are rounded from what fractions are.
    Normalised(Box<Problem<BigRational>>),
}

impl Origin {
    /// Opens what was asked for; the default instance when nothing was.
    pub fn of(source: &Source) -> Result<Self, InputError> {
        let Some(file) = &source.mdp else {
            let found = source.instance.as_deref().map(instance).transpose()?;
            return Ok(Self::Instance(found.unwrap_or(&instances::all()[0])));
        };
        let opened = ProblemFile::open(file)?;
        if !source.normalise {
            return Ok(Self::File(opened));
        }
        let (problem, changes) = opened.normalised()?;
        if !changes.is_empty() {
            note(&format!("{}: {}", file.display(), changes.join("; ")));
        }
        Ok(Self::Normalised(Box::new(problem)))
    }

    /// The same where there may be data: whose they are is said where it was not.
    pub fn of_data(source: &Source, has_data: bool) -> Result<Self, InputError> {
        let origin = Self::of(source)?;
        if let Self::Instance(instance) = &origin
            && has_data
            && source.instance.is_none()
        {
            let name = instance.name();
            note(&format!("no --mdp and no --instance: the rows are taken for the embedded `{name}`'s"));
        }
        Ok(origin)
    }

    /// The problem, in doubles or in fractions.
    pub fn problem<T: Number>(&self) -> Result<Problem<T>, InputError> {
        match self {
            Self::Instance(instance) => Problem::of_instance(instance),
            Self::File(file) => file.problem(),
            Self::Normalised(exact) => Ok(exact.map(T::nearest)),
        }
    }
}

/// The problem, for those who need it once.
pub fn problem<T: Number>(source: &Source) -> Result<Problem<T>, InputError> {
    Origin::of(source)?.problem()
}

/// The model, and the rows if there are any, as options for a shell.
pub fn options(source: &Source, data: Option<&Path>) -> Vec<String> {
    // By name, so that an option that is new has to be thought of here.
    let Source { instance, mdp, normalise } = source;
    let (mdp, data) = (mdp.as_deref().map(named), data.map(named));
    let words = [("--mdp", mdp), ("--instance", instance.clone()), ("--data", data)];
    let mut words: Vec<String> =
        words.into_iter().filter_map(|(flag, value)| Some(format!("{flag} {}", quoted(&value?)))).collect();
    words.extend(normalise.then(|| "--normalise".to_owned()));
    words
}

/// A file's name as a value: what begins with - would be an option. Standard input is `-`.
fn named(file: &Path) -> String {
    let name = file.display().to_string();
    if name.len() > 1 && name.starts_with('-') { format!("./{name}") } else { name }
}

/// A word as a POSIX shell takes it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./=:,@%+-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
