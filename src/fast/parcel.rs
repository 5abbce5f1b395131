//! A block's samples on their way from the thread that reads them to another.
//!
//! A line that another core has read is dear to write again. So where all states and actions have 16 bits and no R is to be refused, a sample is one
//! word, with a second for u where the inner steps use it; R they do not use.

use crate::paper::samples::Sample;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The words of a sample that is sent whole.
const WHOLE: usize = 6;

/// Room for one block's samples.
pub(super) struct Parcel {
    /// Of the block, plus one; 0 where there is none, and the parcel is the caller's to fill.
    number: AtomicUsize,
    /// How many words, and how many of them are a sample.
    len: AtomicUsize,
    each: AtomicUsize,
    words: Vec<AtomicU64>,
}

impl Parcel {
    /// Room for so many samples.
    pub(super) fn new(samples: usize) -> Self {
        let word = AtomicUsize::default;
        Self {
            number: word(),
            len: word(),
            each: word(),
            words: (0..WHOLE * samples).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The block's number.
    pub(super) fn number(&self) -> Option<usize> {
        self.number.load(Ordering::Acquire).checked_sub(1)
    }

    /// Fills an empty one. `drawing`: the steps use u.
    pub(super) fn pack(&self, j: usize, samples: &[Sample<f64>], drawing: bool) {
        let small = samples.iter().all(|s| (s.x0 | s.x | s.a | s.x_next) >> 16 == 0 && s.r.is_finite());
        let each = if small { 1 + usize::from(drawing) } else { WHOLE };
        for (sample, words) in samples.iter().zip(self.words.chunks_exact(each)) {
            let places = [sample.x0, sample.x, sample.a, sample.x_next].map(|place| place as u64);
            let put = |i: usize, word: u64| words[i].store(word, Ordering::Relaxed);
            if small {
                put(0, places[0] | places[1] << 16 | places[2] << 32 | places[3] << 48);
            } else {
                (0..4).for_each(|i| put(i, places[i]));
                put(4, sample.r.to_bits());
            }
            if each > 1 {
                put(each - 1, sample.u.to_bits());
            }
        }
        self.len.store(each * samples.len(), Ordering::Relaxed);
        self.each.store(each, Ordering::Relaxed);
        self.number.store(j + 1, Ordering::Release);
    }

    /// Empties it.
    pub(super) fn unpack(&self, samples: &mut Vec<Sample<f64>>) {
        let (len, each) = (self.len.load(Ordering::Relaxed), self.each.load(Ordering::Relaxed));
        samples.clear();
        samples.extend(self.words[..len].chunks_exact(each).map(|words| {
            let get = |i: usize| words[i].load(Ordering::Relaxed);
            let u = if each > 1 { f64::from_bits(get(each - 1)) } else { 0.0 };
            let (places, r) = if each < WHOLE {
                ([0, 16, 32, 48].map(|shift| get(0) >> shift & 0xffff), 0.0)
            } else {
                ([0, 1, 2, 3].map(get), f64::from_bits(get(4)))
            };
            let [x0, x, a, x_next] = places.map(|place| place as usize);
            Sample { x0, x, a, r, x_next, u }
        }));
        self.number.store(0, Ordering::Release);
    }
}
