//! The problem file: features and discount, and as much of the model as is known.

use super::error::{InputError, title};
use super::json::Piece;
use super::normalise::advice;
use super::npz_problem;
use super::number::Number;
use super::output::OutputFile;
use super::problem_file::ProblemFile;
use crate::Error;
use crate::instances::Instance;
use crate::linear::vector::inner;
use crate::number::exact::BigRational;
use crate::paper::mdp::{LinearMdp, Shape, valid_distributions};
use crate::routes::Structure;
use std::path::{Path, PathBuf};

const KEYS: [&str; 7] = ["name", "discount", "initial", "features", "omega", "psi", "behavior"];

/// So many products are the most that a model's check, or that of its features' rank, may take: minutes.
const PRODUCTS: f64 = 1e11;

/// A problem file's contents. Only `features` is always there; commands ask for the rest and name what is missing.
#[derive(Debug, Clone)]
pub struct Problem<T> {
    pub(super) file: PathBuf,
    /// `name`, or the file's own name.
    pub name: String,
    /// |X|, |A|, d, from the nesting of `features`.
    pub shape: Shape,
    /// Φ: |X||A| rows of d.
    pub features: Vec<T>,
    pub(super) discount: Option<T>,
    pub(super) initial: Option<Vec<T>>,
    pub(super) omega: Option<Vec<T>>,
    pub(super) psi: Option<Vec<T>>,
    pub(super) behavior: Option<Vec<T>>,
    pub(super) root: Option<Vec<T>>,
}

impl<T: Number> Problem<T> {
    /// Reads and checks a problem file: NPZ where it is a zip archive, else JSON.
    pub fn read(file: &Path) -> Result<Self, InputError> {
        ProblemFile::open(file)?.problem()
    }

    /// A problem file's text; `file` is what complaints name.
    pub fn parse(file: &Path, text: &str) -> Result<Self, InputError> {
        let problem = Self::parse_unchecked(file, text)?;
        problem.check()?;
        Ok(problem)
    }

    pub(super) fn parse_unchecked(file: &Path, text: &str) -> Result<Self, InputError> {
        let top = Piece::top(file, text)?;
        let members = top.members()?;
        if let Some((key, _)) = members.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
            return Err(top.unknown_key(key, &KEYS));
        }
        let member =
            |key: &'static str| members.iter().find(|(name, _)| name == key).map(|(_, raw)| top.member(key, raw));
        let Some(features) = member("features") else {
            return Err(top.wrong("no key `features`, expected it to hold [state][action][component]"));
        };
        let (shape, features) = read_features(&features)?;
        let Shape { states, actions, dim } = shape;
        let vector = |key: &'static str, length: usize, what: &str| {
            member(key).map(|piece| flat(&piece, length, what)).transpose()
        };
        let matrix = |key: &'static str, width: usize, what: &str| {
            member(key).map(|piece| nested(&piece, states, width, what)).transpose()
        };
        Ok(Self {
            file: file.to_owned(),
            name: title(&member("name").map_or_else(|| Ok(stem(file)), |piece| piece.text())?),
            discount: member("discount").map(|piece| piece.number()).transpose()?,
            initial: vector("initial", states, "one per state of `features`")?,
            omega: vector("omega", dim, "one per component of `features`")?,
            psi: matrix("psi", dim, "one per component of `features`")?,
            behavior: matrix("behavior", actions, "one per action of `features`")?,
            root: None,
            shape,
            features,
        })
    }

    /// An embedded instance, which has everything.
    pub fn of_instance(instance: &Instance) -> Result<Self, InputError> {
        let owned = instance.to_owned().map_err(|e| InputError::call(instance.name(), e))?;
        Ok(Self {
            file: PathBuf::from(instance.name()),
            name: instance.name().to_owned(),
            shape: owned.shape,
            features: owned.features,
            discount: Some(owned.discount),
            initial: Some(owned.initial),
            omega: Some(owned.omega),
            psi: Some(owned.psi),
            behavior: Some(owned.behavior),
            root: owned.root,
        })
    }

    /// The same problem in another scalar.
    pub fn map<U: Number>(&self, convert: impl Fn(&T) -> U) -> Problem<U> {
        let all = |numbers: &Vec<T>| numbers.iter().map(&convert).collect::<Vec<U>>();
        Problem {
            file: self.file.clone(),
            name: self.name.clone(),
            shape: self.shape,
            features: all(&self.features),
            discount: self.discount.as_ref().map(&convert),
            initial: self.initial.as_ref().map(all),
            omega: self.omega.as_ref().map(all),
            psi: self.psi.as_ref().map(all),
            behavior: self.behavior.as_ref().map(all),
            root: self.root.as_ref().map(all),
        }
    }

    /// γ, ν₀ and π_B are what they must be; what they are is said where not.
    pub fn check(&self) -> Result<(), InputError> {
        if let Some(discount) = &self.discount
            && !(*discount >= T::zero() && *discount < T::one())
        {
            return Err(self.wrong(" discount", format_args!("found {discount}, expected 0 <= discount < 1")));
        }
        self.check_distributions("initial", self.shape.states, self.initial.as_deref())?;
        self.check_distributions("behavior", self.shape.actions, self.behavior.as_deref())
    }

    fn check_distributions(&self, key: &'static str, width: usize, rows: Option<&[T]>) -> Result<(), InputError> {
        let Some(rows) = rows else { return Ok(()) };
        let single = rows.len() == width;
        match valid_distributions(key, width, rows) {
            Ok(()) => Ok(()),
            Err(Error::NotNormalised { row, .. }) => {
                let mut total = T::zero();
                for p in &rows[row * width..(row + 1) * width] {
                    total = total + p;
                }
                let place = if single && key == "initial" { format!(" {key}") } else { format!(" {key}[{row}]") };
                let advice = advice(&rows[row * width..(row + 1) * width]);
                Err(self.wrong(&place, format_args!("found sum {total}, expected probabilities that sum to 1{advice}")))
            }
            Err(Error::OutOfRange { index, .. }) => {
                let mut place = format!(" {key}");
                if key != "initial" {
                    place += &format!("[{}]", index / width);
                }
                place += &format!("[{}]", index % width);
                Err(self.wrong(&place, format_args!("found {}, expected a probability >= 0", rows[index])))
            }
            Err(other) => Err(self.wrong(&format!(" {key}"), other)),
        }
    }

    fn wrong(&self, place: &str, problem: impl core::fmt::Display) -> InputError {
        InputError::at(&self.file, place, problem)
    }

    fn needed<'a, V: ?Sized>(&self, key: &str, value: Option<&'a V>, what_for: &str) -> Result<&'a V, InputError> {
        value.ok_or_else(|| self.wrong(" top level", format_args!("no key `{key}`, expected it for {what_for}")))
    }

    /// γ.
    pub fn discount(&self) -> Result<&T, InputError> {
        self.needed("discount", self.discount.as_ref(), "the discounted setting")
    }

    /// π_B(a|x).
    pub fn behavior(&self, what_for: &str) -> Result<&[T], InputError> {
        self.needed("behavior", self.behavior.as_deref(), what_for)
    }

    /// ν₀.
    pub fn initial(&self, what_for: &str) -> Result<&[T], InputError> {
        self.needed("initial", self.initial.as_deref(), what_for)
    }

    /// ω.
    pub fn omega(&self, what_for: &str) -> Result<&[T], InputError> {
        self.needed("omega", self.omega.as_deref(), what_for)
    }

    /// Ψᵀ: row x is ψ(x).
    pub fn psi(&self, what_for: &str) -> Result<&[T], InputError> {
        self.needed("psi", self.psi.as_deref(), what_for)
    }

    /// Λ^{1/2}, where an embedded instance knows it exactly.
    #[must_use]
    pub fn root(&self) -> Option<&[T]> {
        self.root.as_deref()
    }

    /// Whether the file holds the whole model, so that values can be computed.
    #[must_use]
    pub fn has_model(&self) -> bool {
        self.discount.is_some() && self.initial.is_some() && self.omega.is_some() && self.psi.is_some()
    }

    /// The model of Definition 2.1, validated: r = Φω ∈ [0, 1], rows of ΦΨ distributions, Φ of full rank.
    pub fn model(&self, what_for: &str) -> Result<LinearMdp<'_, T>, InputError> {
        let discount = self.needed("discount", self.discount.as_ref(), what_for)?;
        let initial = self.needed("initial", self.initial.as_deref(), what_for)?;
        let omega = self.needed("omega", self.omega.as_deref(), what_for)?;
        let psi = self.needed("psi", self.psi.as_deref(), what_for)?;
        let mdp = LinearMdp::unvalidated(self.shape, &self.features, omega, psi, initial, discount)
            .map_err(|e| self.wrong(" top level", e))?;
        self.check_model(&mdp)?;
        Ok(mdp)
    }

    /// p(·|x, a) by the index of the pair.
    fn transition_row(&self, psi: &[T], pair: usize) -> Vec<T> {
        let dim = self.shape.dim;
        psi.chunks(dim).map(|psi| inner(&self.features[pair * dim..][..dim], psi)).collect()
    }

    fn check_model(&self, mdp: &LinearMdp<'_, T>) -> Result<(), InputError> {
        let structure = Structure::new(*mdp);
        let products = structure.validation_cost();
        if products > PRODUCTS {
            let expected = "expected features and psi without negative entries, which need no such check";
            let problem = format!("⟨φ, psi[x]⟩ >= 0 takes {products:.1e} products to check, {expected}");
            return Err(self.wrong(" model", problem));
        }
        let products = structure.rank_cost();
        if products > PRODUCTS {
            let expected = "expected at most 1e11, or for every component a row of features that has no other, which tells at a glance";
            let problem = format!("that features has rank d takes {products:.1e} products to check, {expected}");
            return Err(self.wrong(" model", problem));
        }
        let Err(error) = structure.validate() else { return Ok(()) };
        let pair = |index: usize| format!("[{}][{}]", index / self.shape.actions, index % self.shape.actions);
        let (place, problem) = match error {
            Error::OutOfRange { what: "reward", index, expected } => {
                let row = &self.features[index * self.shape.dim..][..self.shape.dim];
                let reward = inner(row, mdp.omega());
                (
                    format!(" features{}", pair(index)),
                    format!(
                        "reward ⟨φ, omega⟩ is {reward}, expected {expected}: write (r − LO)/(HI − LO) for each reward r, LO and HI \
                     being the least and the largest; rows in the old units go with --reward-range LO HI"
                    ),
                )
            }
            Error::OutOfRange { what: "transition", index, expected } => {
                let (row, next) = (index / self.shape.states, index % self.shape.states);
                let place = format!(" features{}", pair(row));
                (place, format!("transition probability ⟨φ, psi[{next}]⟩ is negative, expected {expected}"))
            }
            Error::NotNormalised { what: "transition", row } => (
                format!(" features{}", pair(row)),
                format!(
                    "transition probabilities ⟨φ, psi[x]⟩ do not sum to 1, expected a distribution over states{}",
                    advice(&self.transition_row(mdp.psi(), row))
                ),
            ),
            other => (" model".to_owned(), other.to_string()),
        };
        Err(self.wrong(&place, problem))
    }
}

impl Problem<BigRational> {
    /// The problem file in the format that its name's extension says, not yet under its name.
    pub fn write(&self, target: &Path) -> Result<OutputFile, InputError> {
        if target.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
            npz_problem::write(self, target)
        } else {
            OutputFile::holding(target, self.to_json().as_bytes())
        }
    }

    /// The problem file that reads back as this problem.
    #[must_use]
    pub fn to_json(&self) -> String {
        let Shape { actions, dim, .. } = self.shape;
        let mut members = vec![format!("  \"name\": {}", serde_json::Value::from(self.name.as_str()))];
        if let Some(discount) = &self.discount {
            members.push(format!("  \"discount\": \"{discount}\""));
        }
        let states: Vec<String> =
            self.features.chunks(actions * dim).map(|state| format!("    {}", rows_json(state, dim))).collect();
        members.push(format!("  \"features\": [\n{}\n  ]", states.join(",\n")));
        for (key, numbers) in [("initial", &self.initial), ("omega", &self.omega)] {
            members.extend(numbers.iter().map(|numbers| format!("  \"{key}\": {}", row_json(numbers))));
        }
        for (key, numbers, width) in [("psi", &self.psi, dim), ("behavior", &self.behavior, actions)] {
            members.extend(numbers.iter().map(|numbers| format!("  \"{key}\": {}", rows_json(numbers, width))));
        }
        format!("{{\n{}\n}}\n", members.join(",\n"))
    }
}

fn row_json(numbers: &[BigRational]) -> String {
    let texts: Vec<String> = numbers.iter().map(|number| format!("\"{number}\"")).collect();
    format!("[{}]", texts.join(", "))
}

fn rows_json(numbers: &[BigRational], width: usize) -> String {
    let rows: Vec<String> = numbers.chunks(width).map(row_json).collect();
    format!("[{}]", rows.join(", "))
}

pub(super) fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// [S][A][d], the first row setting the lengths that the others must have.
fn read_features<T: Number>(features: &Piece<'_>) -> Result<(Shape, Vec<T>), InputError> {
    let states = features.elements()?;
    let Some(first) = states.first() else {
        return Err(features.wrong("found no states, expected at least 1"));
    };
    let first = features.element(0, first);
    let actions = first.elements()?;
    let Some(first_row) = actions.first() else {
        return Err(first.wrong("found no actions, expected at least 1"));
    };
    let dim = first.element(0, first_row).elements()?.len();
    let shape = Shape::new(states.len(), actions.len(), dim)
        .map_err(|_| first.element(0, first_row).wrong("found no components, expected at least 1"))?;
    let mut numbers = Vec::new();
    for (x, raw) in states.into_iter().enumerate() {
        let state = features.element(x, raw);
        let rows = state.elements_counted(shape.actions, "as many actions as `features[0]`")?;
        for (a, raw) in rows.into_iter().enumerate() {
            state.element(a, raw).numbers(dim, "as many components as `features[0][0]`", &mut numbers)?;
        }
    }
    Ok((shape, numbers))
}

fn flat<T: Number>(piece: &Piece<'_>, length: usize, what: &str) -> Result<Vec<T>, InputError> {
    let mut numbers = Vec::new();
    piece.numbers(length, what, &mut numbers)?;
    Ok(numbers)
}

fn nested<T: Number>(piece: &Piece<'_>, rows: usize, width: usize, what: &str) -> Result<Vec<T>, InputError> {
    let mut numbers = Vec::new();
    for (index, raw) in piece.elements_counted(rows, "one per state of `features`")?.into_iter().enumerate() {
        piece.element(index, raw).numbers(width, what, &mut numbers)?;
    }
    Ok(numbers)
}
