//! The states that were met since the last change of a policy, numbered as they came: a hash table of a fixed room.

use crate::error::Result;

pub(super) struct Slots<'f> {
    /// By a hash of x, linearly probed: x and 1 + its slot, 0 where there is none. Half of it stays empty.
    index: Vec<(usize, u32)>,
    /// By slot: its place in the index; φ(x, ·).
    places: Vec<usize>,
    features: Vec<&'f [f64]>,
    capacity: usize,
}

impl<'f> Slots<'f> {
    /// Room for `capacity` states.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            index: vec![(0, 0); (2 * capacity).next_power_of_two()],
            places: Vec::with_capacity(capacity),
            features: Vec::with_capacity(capacity),
            capacity,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn has_room(&self, count: usize) -> bool {
        self.len() + count <= self.capacity
    }

    pub(super) fn clear(&mut self) {
        for place in &self.places {
            self.index[*place] = (0, 0);
        }
        self.places.clear();
        self.features.clear();
    }

    /// The slot of x. A state not met before gets one, with the features that `visit` finds.
    #[inline]
    pub(super) fn slot(&mut self, x: usize, visit: impl FnOnce() -> Result<&'f [f64]>) -> Result<usize> {
        let mask = self.index.len() - 1;
        // Fibonacci hashing: the high bits of a product with 2⁶⁴/golden ratio.
        let mut at = ((x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            match self.index[at] {
                (_, 0) => break,
                (state, slot) if state == x => return Ok(slot as usize - 1),
                _ => at = (at + 1) & mask,
            }
        }
        let features = visit()?;
        Ok(self.insert(x, at, features))
    }

    #[inline(never)]
    fn insert(&mut self, x: usize, at: usize, features: &'f [f64]) -> usize {
        self.features.push(features);
        self.places.push(at);
        self.index[at] = (x, self.places.len() as u32);
        self.places.len() - 1
    }

    /// φ(x, ·) at a slot.
    #[inline]
    pub(super) fn features(&self, slot: usize) -> &'f [f64] {
        self.features[slot]
    }

    /// φ(x, ·) at the slots from `first` on.
    pub(super) fn features_from(&self, first: usize) -> &[&'f [f64]] {
        &self.features[first..]
    }
}
