//! The columns of a data file that are already in memory.

use super::error::InputError;
use super::row::{Column, Row, RowSpec, in_range, set_index, set_number};
use super::rows::Rows;

/// The columns, borrowed; those that the setting does not have are left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct Columns<'a> {
    /// X⁰.
    pub x0: Option<&'a [i64]>,
    /// X.
    pub x: Option<&'a [i64]>,
    /// A.
    pub a: Option<&'a [i64]>,
    /// R.
    pub r: Option<&'a [f64]>,
    /// X'.
    pub x_next: Option<&'a [i64]>,
    /// The draw behind A'.
    pub u: Option<&'a [f64]>,
}

/// A column's cells.
#[derive(Debug, Clone, Copy)]
enum Cells<'a> {
    /// Each below the number beside them.
    Indices(&'a [i64], usize),
    Numbers(&'a [f64]),
}

/// Rows of borrowed columns, each checked as it is read.
#[derive(Debug)]
pub struct ArrayRows<'a> {
    spec: RowSpec,
    columns: [(Column, Cells<'a>); 5],
    length: usize,
    at: usize,
    /// How many rows came before, for complaints.
    before: usize,
}

impl<'a> ArrayRows<'a> {
    /// The columns of the setting, as long as each other.
    pub fn new(columns: Columns<'a>, spec: RowSpec, before: usize) -> Result<Self, InputError> {
        let wanted = spec.setting.columns();
        let mut chosen = wanted.map(|column| (column, Cells::Numbers(&[])));
        let mut length = None;
        for (column, cells) in &mut chosen {
            let below = spec.below(*column).unwrap_or_default();
            let indices = |cells: Option<&'a [i64]>| cells.map(|cells| (Cells::Indices(cells, below), cells.len()));
            let numbers = |cells: Option<&'a [f64]>| cells.map(|cells| (Cells::Numbers(cells), cells.len()));
            let found = match column {
                Column::X0 => indices(columns.x0),
                Column::X => indices(columns.x),
                Column::A => indices(columns.a),
                Column::XNext => indices(columns.x_next),
                Column::R => numbers(columns.r),
                Column::U => numbers(columns.u),
            };
            let (name, setting) = (column.name(), spec.setting.name());
            let Some((found, count)) = found else {
                let expected = format!("not given, expected it in the {setting} setting");
                return Err(InputError::call(format_args!("rows: column {name}"), expected));
            };
            let expected = *length.get_or_insert(count);
            if count != expected {
                let problem = format!("found {count} cells, expected {expected}, as many as {}", wanted[0].name());
                return Err(InputError::call(format_args!("rows: column {name}"), problem));
            }
            *cells = found;
        }
        Ok(Self { spec, columns: chosen, length: length.unwrap_or_default(), at: 0, before })
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    #[inline]
    fn row(&self, at: usize) -> Result<Row, InputError> {
        let mut row = Row::default();
        for &(column, cells) in &self.columns {
            match cells {
                Cells::Indices(cells, below) => match usize::try_from(cells[at]) {
                    Ok(index) if index < below => set_index(&mut row, column, index),
                    _ => return Err(self.refused(column, at, &cells[at].to_string())),
                },
                Cells::Numbers(cells) if in_range(column, cells[at]) => set_number(&mut row, column, cells[at]),
                Cells::Numbers(cells) => return Err(self.refused(column, at, &cells[at].to_string())),
            }
        }
        Ok(row)
    }

    #[cold]
    fn refused(&self, column: Column, at: usize, found: &str) -> InputError {
        let place = format!("rows: {}[{}]", column.name(), self.before + at);
        InputError::call(place, format_args!("found {found}, expected {}", self.spec.expected(column, None)))
    }
}

impl Rows for ArrayRows<'_> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        if self.at == self.length {
            return Ok(None);
        }
        self.at += 1;
        self.row(self.at - 1).map(Some)
    }

    fn unused(&mut self) -> Result<u64, InputError> {
        Ok((self.length - self.at) as u64)
    }

    fn fill(&mut self, block: &mut Vec<Row>, limit: usize) -> Result<(), InputError> {
        block.clear();
        let end = self.length.min(self.at.saturating_add(limit));
        for at in self.at..end {
            block.push(self.row(at)?);
        }
        self.at = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Setting;

    const SPEC: RowSpec = RowSpec { setting: Setting::Discounted, states: 2, actions: 2 };

    fn columns<'a>(x: &'a [i64], r: &'a [f64]) -> Columns<'a> {
        Columns { x0: Some(x), x: Some(x), a: Some(x), r: Some(r), x_next: Some(x), u: None }
    }

    #[test]
    fn columns_become_rows() {
        let mut rows = ArrayRows::new(columns(&[0, 1], &[0.5, 1.0]), SPEC, 0).unwrap();
        let second = Row { x0: 1, x: 1, a: 1, r: 1.0, x_next: 1, u: 0.0 };
        let mut block = Vec::new();
        rows.fill(&mut block, 10).unwrap();
        assert_eq!((block.len(), &block[1]), (2, &second));
        rows.fill(&mut block, 10).unwrap();
        assert!(block.is_empty());
        let mut rows = ArrayRows::new(columns(&[0, 1], &[0.5, 1.0]), SPEC, 0).unwrap();
        assert_eq!((rows.len(), rows.is_empty(), rows.unused().unwrap()), (2, false, 2));
        let each: Vec<Row> = std::iter::from_fn(|| rows.next_row().unwrap()).collect();
        assert_eq!((each.len(), &each[1], rows.unused().unwrap()), (2, &second, 0));
        assert!(ArrayRows::new(columns(&[], &[]), SPEC, 0).unwrap().is_empty());
    }

    #[test]
    fn what_a_column_must_not_hold_is_named() {
        let refused = |x: &[i64], r: &[f64]| {
            let mut rows = ArrayRows::new(columns(x, r), SPEC, 7)?;
            rows.fill(&mut Vec::new(), 10)
        };
        let told = |x: &[i64], r: &[f64]| refused(x, r).unwrap_err().to_string();
        assert_eq!(told(&[0, 2], &[0.0; 2]), "rows: x0[8]: found 2, expected an integer from 0 to 1");
        assert_eq!(told(&[-1], &[0.0]), "rows: x0[7]: found -1, expected an integer from 0 to 1");
        assert_eq!(told(&[0], &[f64::NAN]), "rows: r[7]: found NaN, expected a number in [0, 1]");
        assert_eq!(told(&[0], &[0.0; 2]), "rows: column r: found 2 cells, expected 1, as many as x0");
        let none = ArrayRows::new(Columns::default(), SPEC, 0).err().unwrap().to_string();
        assert_eq!(none, "rows: column x0: not given, expected it in the discounted setting");
    }
}
