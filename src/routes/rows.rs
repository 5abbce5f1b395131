//! A matrix by rows that stores what is not zero, where that is little.

use crate::number::Field;
use std::borrow::Cow;

/// A matrix by rows: as it was given, or its non-zero entries alone where at most a quarter of it is not zero.
#[derive(Debug, Clone)]
pub struct Rows<'a, T: Clone> {
    width: usize,
    kind: Kind<'a, T>,
}

#[derive(Debug, Clone)]
enum Kind<'a, T: Clone> {
    Dense(Cow<'a, [T]>),
    /// Row i is `entries[start[i]..start[i + 1]]`, by columns.
    Sparse {
        start: Vec<usize>,
        entries: Vec<(usize, T)>,
    },
}

/// A zero is skipped where zeros are most of the matrix.
const SPARSE: usize = 4;

impl<'a, T: Field> Rows<'a, T> {
    /// Rows of `width` numbers; what is left over is no row, and without a width there are none.
    #[must_use]
    pub fn new(width: usize, numbers: &'a [T]) -> Self {
        let whole = numbers.len().checked_div(width).unwrap_or(0) * width;
        let numbers = &numbers[..whole];
        let filled = numbers.iter().filter(|entry| !entry.is_zero()).count();
        if filled.saturating_mul(SPARSE) > numbers.len() {
            return Self { width, kind: Kind::Dense(Cow::Borrowed(numbers)) };
        }
        let (mut start, mut entries) = (vec![0], Vec::with_capacity(filled));
        for row in numbers.chunks_exact(width.max(1)) {
            entries.extend(row.iter().cloned().enumerate().filter(|(_, entry)| !entry.is_zero()));
            start.push(entries.len());
        }
        Self { width, kind: Kind::Sparse { start, entries } }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::Dense(numbers) => numbers.len() / self.width.max(1),
            Kind::Sparse { start, .. } => start.len() - 1,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many entries are stored.
    #[must_use]
    pub fn stored(&self) -> usize {
        match &self.kind {
            Kind::Dense(numbers) => numbers.len(),
            Kind::Sparse { entries, .. } => entries.len(),
        }
    }

    /// Whether every row has at most one entry that is not zero.
    #[must_use]
    pub fn single_entries(&self) -> bool {
        match &self.kind {
            Kind::Dense(_) => self.width == 1,
            Kind::Sparse { start, .. } => start.windows(2).all(|ends| ends[1] - ends[0] <= 1),
        }
    }

    /// Every stored entry of row i, with its column.
    pub(crate) fn for_each(&self, i: usize, mut f: impl FnMut(usize, &T)) {
        match &self.kind {
            Kind::Dense(numbers) => {
                for (j, entry) in numbers[i * self.width..(i + 1) * self.width].iter().enumerate() {
                    f(j, entry);
                }
            }
            Kind::Sparse { start, entries } => {
                for (j, entry) in &entries[start[i]..start[i + 1]] {
                    f(*j, entry);
                }
            }
        }
    }

    /// ⟨row i, x⟩.
    pub(crate) fn dot(&self, i: usize, x: &[T]) -> T {
        match &self.kind {
            Kind::Dense(numbers) => crate::linear::vector::inner(&numbers[i * self.width..(i + 1) * self.width], x),
            Kind::Sparse { start, entries } => {
                entries[start[i]..start[i + 1]].iter().fold(T::zero(), |sum, (j, entry)| sum + x[*j].clone() * entry)
            }
        }
    }

    /// y ← y + s·row i.
    pub(crate) fn add_to(&self, i: usize, s: &T, y: &mut [T]) {
        if !s.is_zero() {
            self.for_each(i, |j, entry| y[j] += entry.clone() * s);
        }
    }

    /// Σᵢ xᵢ rowᵢ.
    pub(crate) fn combination(&self, x: &[T]) -> Vec<T> {
        let mut sum = vec![T::zero(); self.width];
        for (i, weight) in x.iter().enumerate() {
            self.add_to(i, weight, &mut sum);
        }
        sum
    }

    /// The columns as rows.
    #[must_use]
    pub fn transposed(&self) -> Rows<'a, T> {
        let height = self.len();
        if let Kind::Dense(numbers) = &self.kind {
            let flipped = (0..numbers.len()).map(|i| numbers[i % height * self.width + i / height].clone()).collect();
            return Rows { width: height, kind: Kind::Dense(Cow::Owned(flipped)) };
        }
        let mut columns: Vec<Vec<(usize, T)>> = vec![Vec::new(); self.width];
        for i in 0..height {
            self.for_each(i, |j, entry| columns[j].push((i, entry.clone())));
        }
        let mut start = vec![0];
        start.extend(columns.iter().scan(0, |end, column| {
            *end += column.len();
            Some(*end)
        }));
        Rows { width: height, kind: Kind::Sparse { start, entries: columns.into_iter().flatten().collect() } }
    }
}
