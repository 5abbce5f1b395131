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
    #[inline]
    pub(super) fn number(&self) -> Option<usize> {
        self.number.load(Ordering::Acquire).checked_sub(1)
    }

    /// Fills an empty one. `drawing`: the steps use u.
    pub(super) fn pack(&self, j: usize, samples: &[Sample<f64>], drawing: bool) {
        let small = samples.iter().all(|s| (s.x0 | s.x | s.a | s.x_next) >> 16 == 0 && s.r.is_finite());
        let each = if small { 1 + usize::from(drawing) } else { WHOLE };
        for (n, sample) in samples.iter().enumerate() {
            let put = |i: usize, word: u64| self.words[n * each + i].store(word, Ordering::Relaxed);
            let (x0, x, a, x_next) = (sample.x0 as u64, sample.x as u64, sample.a as u64, sample.x_next as u64);
            if small {
                put(0, x0 | x << 16 | a << 32 | x_next << 48);
            } else {
                put(0, x0);
                put(1, x);
                put(2, a);
                put(3, x_next);
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
        for n in 0..len / each {
            let get = |i: usize| self.words[n * each + i].load(Ordering::Relaxed);
            let u = if each > 1 { f64::from_bits(get(each - 1)) } else { 0.0 };
            samples.push(if each < WHOLE {
                let place = |i: usize| (get(0) >> (16 * i) & 0xffff) as usize;
                Sample { x0: place(0), x: place(1), a: place(2), r: 0.0, x_next: place(3), u }
            } else {
                let place = |i: usize| get(i) as usize;
                Sample { x0: place(0), x: place(1), a: place(2), r: f64::from_bits(get(4)), x_next: place(3), u }
            });
        }
        self.number.store(0, Ordering::Release);
    }
}
