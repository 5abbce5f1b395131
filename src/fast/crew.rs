//! Blocks of samples: loaded by the caller, computed here or by threads, used in the order of the samples.
//!
//! Who computed a block uses it, too: when its turn comes, it goes on with the few vectors that the steps move, where the block before left
//! them. Gradients stay in the cache where they were written; to hand them over costs more than threads save. Blocks are used in
//! one order, so no bit depends on who computed them.

use super::policies::Policies;
use super::steps::Fixed;
use crate::error::Result;
use crate::paper::samples::Sample;
use std::mem::swap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Scope;

/// Blocks per thread: one may be computed while others wait for their turn.
const BLOCKS: usize = 3;

/// Parcels per thread: one more may come while one is computed.
const PARCELS: usize = 2;

/// Samples, and what is computed of them.
pub(super) trait Block<'f> {
    /// What the steps move.
    type Moved;

    /// Whether the steps use u.
    const DRAWING: bool;

    fn samples(&mut self) -> &mut Vec<Sample<f64>>;

    /// Everything that does not depend on what is moved.
    fn compute(&mut self, fixed: &Fixed, policies: &mut Policies<'f>);

    /// The steps, where nobody looks.
    fn step(&self, moved: &mut Self::Moved) -> Result<()>;
}

/// What a thread has: the policies that it remembers, and blocks that are free or wait for their turn.
struct Part<'f, B> {
    policies: Policies<'f>,
    free: Vec<B>,
    computed: Vec<(usize, B)>,
}

impl<'f, B: Block<'f>> Part<'f, B> {
    /// Uses a block whose turn has come.
    fn step(&mut self, shared: &Shared<B::Moved>) -> bool {
        let turn = shared.turn.0.load(Ordering::Acquire);
        let Some(at) = self.computed.iter().position(|(j, _)| *j == turn) else { return false };
        let (_, block) = self.computed.swap_remove(at);
        let mut moved = shared.moved();
        let (moved, ended) = &mut *moved;
        if ended.is_ok() {
            *ended = block.step(moved);
            shared.failed.store(ended.is_err(), Ordering::Relaxed);
        }
        shared.turn.0.store(turn + 1, Ordering::Release);
        self.free.push(block);
        true
    }

    /// Computes the samples of a parcel, if it is there and a block is free.
    fn compute_parcel(&mut self, shared: &Shared<B::Moved>, parcel: &Parcel) -> bool {
        let Some(j) = parcel.number() else { return false };
        let Some(mut block) = self.free.pop() else { return false };
        parcel.unpack(block.samples());
        self.compute(shared, j, block);
        true
    }

    fn compute(&mut self, shared: &Shared<B::Moved>, j: usize, mut block: B) {
        block.compute(&shared.fixed.0.read().unwrap_or_else(PoisonError::into_inner), &mut self.policies);
        self.computed.push((j, block));
    }
}

/// The words of a sample that is sent whole.
const WHOLE: usize = 6;

/// A block's samples on their way to another thread. What is dear is a line that another core has read, to be written again: so where all states
/// and actions have 16 bits and no R is to be refused, a sample is one word, and a second for u where the steps use it. R they do not use.
struct Parcel {
    /// Of the block, plus one; 0 where there is none, and the parcel is the caller's to fill.
    number: AtomicUsize,
    /// How many words, and how many of them are a sample.
    len: AtomicUsize,
    each: AtomicUsize,
    words: Vec<AtomicU64>,
}

impl Parcel {
    fn new(samples: usize) -> Self {
        let word = AtomicUsize::default;
        Self {
            number: word(),
            len: word(),
            each: word(),
            words: (0..WHOLE * samples).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The block's number.
    fn number(&self) -> Option<usize> {
        self.number.load(Ordering::Acquire).checked_sub(1)
    }

    fn pack(&self, j: usize, samples: &[Sample<f64>], drawing: bool) {
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

    fn unpack(&self, samples: &mut Vec<Sample<f64>>) {
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

/// On cache lines of its own, and of the neighbour's that comes with it: who looks at one thing does not slow down who writes another.
#[repr(align(128))]
struct Apart<V>(V);

/// What the threads share. Who only looks takes no lock.
struct Shared<M> {
    /// For each thread but the caller's, to be used in turns.
    parcels: Vec<[Apart<Parcel>; PARCELS]>,
    fixed: Apart<RwLock<Fixed>>,
    /// What the steps move, and how they ended. The turn is the number of the block that is to be used next.
    moved: Apart<Mutex<(M, Result<()>)>>,
    turn: Apart<AtomicUsize>,
    failed: AtomicBool,
    /// Set when a thread goes, the caller's or, in a panic, another.
    closed: AtomicBool,
}

impl<M> Shared<M> {
    fn moved(&self) -> MutexGuard<'_, (M, Result<()>)> {
        self.moved.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the others have what is fixed and moved, or takes it back.
    fn exchange(&self, fixed: &mut Fixed, moved: &mut M) -> Result<()> {
        swap(&mut *self.fixed.0.write().unwrap_or_else(PoisonError::into_inner), fixed);
        let mut ours = self.moved();
        swap(&mut ours.0, moved);
        std::mem::replace(&mut ours.1, Ok(()))
    }
}

/// Nobody waits for a thread that is gone.
struct Closing<M>(Arc<Shared<M>>);

impl<M> Drop for Closing<M> {
    fn drop(&mut self) {
        self.0.closed.store(true, Ordering::Release);
    }
}

/// After `looks` looks in vain: soon again; after a while others may need the core.
fn pause(looks: u32) {
    match looks {
        0..2_000 => std::hint::spin_loop(),
        2_000..4_000 => std::thread::yield_now(),
        _ => std::thread::sleep(std::time::Duration::from_micros(50)),
    }
}

/// The caller's part, and the other threads'; without threads, the caller computes.
pub(super) struct Crew<'f, B: Block<'f>> {
    part: Part<'f, B>,
    /// What is shared, and which parcel of each is next.
    threads: Option<(Closing<B::Moved>, Vec<usize>)>,
}

impl<'f, B: Block<'f>> Crew<'f, B> {
    /// No threads: one block will do.
    pub(super) fn alone((block, policies): (B, Policies<'f>)) -> Self {
        Self { part: Part { policies, free: vec![block], computed: Vec::new() }, threads: None }
    }

    /// `threads` threads, the caller's among them. Blocks have at most `len` samples; `fixed` and `moved` are of the right shape, no more. Each thread makes its own blocks and policies,
    /// so that no two write to one line.
    pub(super) fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        make: impl Fn() -> (B, Policies<'f>) + Copy + Send + 'scope,
        (len, fixed, moved): (usize, Fixed, B::Moved),
    ) -> Self
    where
        B::Moved: Send + 'scope,
    {
        let shared = Arc::new(Shared {
            parcels: (1..threads).map(|_| [(); PARCELS].map(|()| Apart(Parcel::new(len)))).collect(),
            fixed: Apart(RwLock::new(fixed)),
            moved: Apart(Mutex::new((moved, Ok(())))),
            turn: Apart(AtomicUsize::new(0)),
            failed: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        });
        let part = move || {
            let (block, policies) = make();
            let more = (1..BLOCKS).map(|_| make().0);
            Part { policies, free: [block].into_iter().chain(more).collect(), computed: Vec::new() }
        };
        for thread in 0..threads - 1 {
            let closing = Closing(Arc::clone(&shared));
            let work = move || {
                let (shared, mut part, mut looks, mut next) = (&closing.0, part(), 0, 0);
                while !shared.closed.load(Ordering::Acquire) {
                    let stepped = part.step(shared);
                    let computed = !stepped && part.compute_parcel(shared, &shared.parcels[thread][next].0);
                    next = (next + usize::from(computed)) % PARCELS;
                    looks = if stepped || computed { 0 } else { looks + 1 };
                    pause(looks);
                }
            };
            scope.spawn(work);
        }
        Self { part: part(), threads: Some((Closing(shared), vec![0; threads - 1])) }
    }

    /// `count` samples, block by block: `load` fills a block with at most as many as it is told and says how many; `used` uses it, if there are
    /// no threads, with the policies of its states. What `load` complains of is said after the blocks before it were used.
    pub(super) fn run(
        &mut self,
        (fixed, moved): (&mut Fixed, &mut B::Moved),
        count: usize,
        mut load: impl FnMut(&mut Vec<Sample<f64>>, usize) -> Result<usize>,
        mut used: impl FnMut(&B, &Policies<'f>, &mut B::Moved) -> Result<()>,
    ) -> Result<()> {
        let (part, mut left) = (&mut self.part, count);
        if let Some((Closing(shared), next)) = &mut self.threads {
            shared.exchange(fixed, moved)?;
            let loaded = share(shared, next, part, count, load);
            return shared.exchange(fixed, moved).and(loaded);
        }
        let block = part.free.first_mut().expect("one block will do");
        while left > 0 {
            let loaded = load(block.samples(), left);
            block.compute(fixed, &mut part.policies);
            used(block, &part.policies, moved)?;
            left -= loaded?;
        }
        Ok(())
    }
}

/// The caller's work among threads: to load, for the others while they have room and else for itself, and what the others do.
fn share<'f, B: Block<'f>>(
    shared: &Shared<B::Moved>,
    next: &mut [usize],
    part: &mut Part<'f, B>,
    count: usize,
    mut load: impl FnMut(&mut Vec<Sample<f64>>, usize) -> Result<usize>,
) -> Result<()> {
    let (mut left, mut loaded, mut looks) = (count, Ok(()), 0);
    let mut fresh = Vec::new();
    let mut sent = shared.turn.0.load(Ordering::Acquire);
    loop {
        let more = left > 0 && loaded.is_ok() && !shared.failed.load(Ordering::Relaxed);
        let mut load = |samples: &mut Vec<Sample<f64>>| match load(samples, left) {
            Ok(count) => left -= count,
            Err(problem) => loaded = Err(problem),
        };
        let mut empty = shared.parcels.iter().zip(&mut *next).map(|(parcels, next)| (&parcels[*next].0, next));
        let advanced = if part.step(shared) {
            true
        } else if more && let Some((parcel, next)) = empty.find(|(parcel, _)| parcel.number().is_none()) {
            // Lines that another core has are written sooner in one go than sample by sample.
            load(&mut fresh);
            parcel.pack(sent, &fresh, B::DRAWING);
            (*next, sent) = ((*next + 1) % PARCELS, sent + 1);
            true
        } else if more && let Some(mut block) = part.free.pop() {
            load(block.samples());
            part.compute(shared, sent, block);
            sent += 1;
            true
        } else {
            false
        };
        if !more && shared.turn.0.load(Ordering::Acquire) == sent {
            return loaded;
        }
        looks = if advanced { 0 } else { looks + 1 };
        assert!(advanced || !shared.closed.load(Ordering::Acquire), "a thread is gone");
        pause(looks);
    }
}
