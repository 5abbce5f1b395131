//! The states that were met since the last change of a policy, numbered as they came: a hash table of a fixed room.

use crate::paper::samples::{FeatureMap, features_of};

pub(super) struct Slots<'f> {
    /// By a hash of x, linearly probed: x and 1 + its slot, 0 where there is none. Half of it stays empty.
    index: Vec<(usize, u32)>,
    /// By slot: x and its place in the index; φ(x, ·) of those that were found.
    states: Vec<(usize, usize)>,
    features: Vec<&'f [f64]>,
    len: usize,
}

impl<'f> Slots<'f> {
    /// Room for `capacity` states.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            index: vec![(0, 0); (2 * capacity).next_power_of_two()],
            // One more, to write to when no state is new.
            states: vec![(0, 0); capacity + 1],
            features: Vec::with_capacity(capacity),
            len: 0,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn has_room(&self, count: usize) -> bool {
        self.len + count < self.states.len()
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    fn truncate(&mut self, len: usize) {
        for (_, place) in &self.states[len..self.len] {
            self.index[*place] = (0, 0);
        }
        self.features.truncate(len);
        self.len = len;
    }

    /// The slot of x. A state not met before gets one. Whether it is one no processor can foretell, so what a new state needs is
    /// written for every state, without a branch.
    #[inline(always)]
    pub(super) fn slot(&mut self, x: usize) -> usize {
        let mask = self.index.len() - 1;
        // Fibonacci hashing: the high bits of a product with 2⁶⁴/golden ratio.
        let mut at = ((x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        let found = loop {
            let (state, slot) = self.index[at];
            #[allow(clippy::needless_bitwise_bool)] // one branch, not two
            if (slot == 0) | (state == x) {
                break slot as usize;
            }
            at = (at + 1) & mask;
        };
        let slot = if found == 0 { self.len } else { found - 1 };
        self.index[at] = (x, slot as u32 + 1);
        self.states[self.len] = (x, at);
        self.len += usize::from(found == 0);
        slot
    }

    /// Finds the features of the states that came since it last did. A state that has none is forgotten, with those that came after it.
    pub(super) fn find<F: FeatureMap<f64>>(&mut self, features: &'f F) {
        for (x, _) in &self.states[self.features.len()..self.len] {
            match features_of(features, "x", *x, 0) {
                Ok(found) => self.features.push(found),
                Err(_) => return self.truncate(self.features.len()),
            }
        }
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

    /// One state alone.
    pub(super) fn only(&mut self, features: &'f [f64]) {
        self.clear();
        self.slot(0);
        self.features.push(features);
    }
}
