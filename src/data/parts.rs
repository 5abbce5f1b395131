//! A problem that is already in memory.

use super::error::InputError;
use super::number::Number;
use super::problem::Problem;
use crate::paper::mdp::Shape;
use std::path::PathBuf;

/// What a problem is made of.
#[derive(Debug, Clone)]
pub struct Parts<T> {
    /// What complaints name.
    pub name: String,
    /// |X|, |A|, d.
    pub shape: Shape,
    /// Φ: |X||A| rows of d.
    pub features: Vec<T>,
    /// γ.
    pub discount: Option<T>,
    /// ν₀.
    pub initial: Option<Vec<T>>,
    /// ω.
    pub omega: Option<Vec<T>>,
    /// ψ, row by row.
    pub psi: Option<Vec<T>>,
    /// π_B(a|x), row by row.
    pub behavior: Option<Vec<T>>,
}

impl<T: Number> Problem<T> {
    /// Checks what a file's reader would.
    pub fn of_parts(parts: Parts<T>) -> Result<Self, InputError> {
        let Parts { name, shape, features, discount, initial, omega, psi, behavior } = parts;
        let file = PathBuf::from(&name);
        let problem = Self { file, name, shape, features, discount, initial, omega, psi, behavior, root: None };
        let Shape { states, actions, dim } = shape;
        for (key, numbers, rows, width) in [
            ("features", Some(&problem.features), states.saturating_mul(actions), dim),
            ("initial", problem.initial.as_ref(), 1, states),
            ("omega", problem.omega.as_ref(), 1, dim),
            ("psi", problem.psi.as_ref(), states, dim),
            ("behavior", problem.behavior.as_ref(), states, actions),
        ] {
            let Some(numbers) = numbers else { continue };
            let (found, expected) = (numbers.len(), rows.saturating_mul(width));
            let at = |said: String| InputError::at(&problem.file, format_args!(" {key}"), said);
            if found != expected {
                let from = format!("{states} states, {actions} actions and {dim} components of `features`");
                return Err(at(format!("found {found} numbers, expected {expected}, from {from}")));
            }
            if let Some(index) = numbers.iter().position(|x| !x.is_valid()) {
                return Err(at(format!("number {index} is not finite, expected it to be")));
            }
        }
        problem.check()?;
        Ok(problem)
    }
}
