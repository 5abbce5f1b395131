//! Blocks of samples: loaded by the caller, computed here or by threads, used in the order of the samples.
//!
//! Who computed a block uses it, too: when its turn comes, it goes on with the few vectors that the steps move, where the block before left
//! them. Gradients stay in the cache where they were written; to hand them over costs more than threads save. Blocks are used in
//! one order, so no bit depends on who computed them.

use super::policies::Policies;
use super::steps::Fixed;
use crate::error::Result;
use crate::paper::samples::Sample;
use std::collections::VecDeque;
use std::mem::swap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::Scope;

/// Blocks per thread: one may be computed while others wait for their turn.
const BLOCKS: usize = 3;

/// Samples, and what is computed of them.
pub(super) trait Block<'f> {
    /// What the steps move.
    type Moved;

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
        let turn = shared.turn.load(Ordering::Acquire);
        let Some(at) = self.computed.iter().position(|(j, _)| *j == turn) else { return false };
        let (_, block) = self.computed.swap_remove(at);
        let mut moved = shared.moved();
        let (moved, ended) = &mut *moved;
        if ended.is_ok() {
            *ended = block.step(moved);
            shared.failed.store(ended.is_err(), Ordering::Relaxed);
        }
        shared.turn.store(turn + 1, Ordering::Release);
        self.free.push(block);
        true
    }

    /// Computes samples that wait, if there are some and a block is free.
    fn compute_waiting(&mut self, shared: &Shared<B::Moved>) -> bool {
        let some = shared.waiting.load(Ordering::Acquire) > 0 && !self.free.is_empty();
        let Some((j, mut samples)) = some.then(|| shared.pop()).flatten() else { return false };
        let mut block = self.free.pop().expect("a free block, as it was seen");
        swap(block.samples(), &mut samples);
        shared.queue().free.push(samples);
        self.compute(shared, j, block);
        true
    }

    fn compute(&mut self, shared: &Shared<B::Moved>, j: usize, mut block: B) {
        block.compute(&shared.fixed.read().unwrap_or_else(PoisonError::into_inner), &mut self.policies);
        self.computed.push((j, block));
    }
}

/// Samples that wait to be computed, each with its place in the order, and room for others.
struct Queue {
    waiting: VecDeque<(usize, Vec<Sample<f64>>)>,
    free: Vec<Vec<Sample<f64>>>,
}

/// What the threads share. Who only looks takes no lock.
struct Shared<M> {
    queue: Mutex<Queue>,
    /// How many wait, or waited a moment ago.
    waiting: AtomicUsize,
    fixed: RwLock<Fixed>,
    /// What the steps move, and how they ended. The turn is the number of the block that is to be used next.
    moved: Mutex<(M, Result<()>)>,
    turn: AtomicUsize,
    failed: AtomicBool,
    /// Set when a thread goes, the caller's or, in a panic, another.
    closed: AtomicBool,
}

impl<M> Shared<M> {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn moved(&self) -> MutexGuard<'_, (M, Result<()>)> {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for samples that another thread computes.
    fn room(&self) -> Option<Vec<Sample<f64>>> {
        self.queue().free.pop()
    }

    fn push(&self, j: usize, samples: Vec<Sample<f64>>) {
        let mut queue = self.queue();
        queue.waiting.push_back((j, samples));
        self.waiting.store(queue.waiting.len(), Ordering::Release);
    }

    fn pop(&self) -> Option<(usize, Vec<Sample<f64>>)> {
        let mut queue = self.queue();
        let samples = queue.waiting.pop_front();
        self.waiting.store(queue.waiting.len(), Ordering::Release);
        samples
    }

    /// Lets the others have what is fixed and moved, or takes it back.
    fn exchange(&self, fixed: &mut Fixed, moved: &mut M) -> Result<()> {
        swap(&mut *self.fixed.write().unwrap_or_else(PoisonError::into_inner), fixed);
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
    threads: Option<Closing<B::Moved>>,
}

impl<'f, B: Block<'f>> Crew<'f, B> {
    /// No threads: one block will do.
    pub(super) fn alone(block: B, policies: Policies<'f>) -> Self {
        Self { part: Part { policies, free: vec![block], computed: Vec::new() }, threads: None }
    }

    /// `threads` threads, the caller's among them. `fixed` and `moved` are of the right shape, no more.
    pub(super) fn new<'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        block: impl Fn() -> B,
        policies: impl Fn() -> Policies<'f>,
        (fixed, moved): (Fixed, B::Moved),
    ) -> Self
    where
        B: Send + 'scope,
        B::Moved: Send + 'scope,
        'f: 'scope,
    {
        let queue = Queue { waiting: VecDeque::new(), free: vec![Vec::new(); BLOCKS * (threads - 1)] };
        let shared = Arc::new(Shared {
            queue: Mutex::new(queue),
            waiting: AtomicUsize::new(0),
            fixed: RwLock::new(fixed),
            moved: Mutex::new((moved, Ok(()))),
            turn: AtomicUsize::new(0),
            failed: AtomicBool::new(false),
            closed: AtomicBool::new(false),
        });
        let blocks = || (0..BLOCKS).map(|_| block()).collect();
        let part = || Part { policies: policies(), free: blocks(), computed: Vec::new() };
        for _ in 1..threads {
            let (closing, mut part) = (Closing(Arc::clone(&shared)), part());
            let work = move || {
                let (shared, mut looks) = (&closing.0, 0);
                while !shared.closed.load(Ordering::Acquire) {
                    looks = if part.step(shared) || part.compute_waiting(shared) { 0 } else { looks + 1 };
                    pause(looks);
                }
            };
            scope.spawn(work);
        }
        Self { part: part(), threads: Some(Closing(shared)) }
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
        if let Some(Closing(shared)) = &self.threads {
            shared.exchange(fixed, moved)?;
            let loaded = share(shared, part, count, load);
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
    part: &mut Part<'f, B>,
    count: usize,
    mut load: impl FnMut(&mut Vec<Sample<f64>>, usize) -> Result<usize>,
) -> Result<()> {
    let (mut left, mut loaded, mut looks) = (count, Ok(()), 0);
    let mut fresh = Vec::new();
    let mut sent = shared.turn.load(Ordering::Acquire);
    loop {
        let more = left > 0 && loaded.is_ok() && !shared.failed.load(Ordering::Relaxed);
        let mut load = |samples: &mut Vec<Sample<f64>>| match load(samples, left) {
            Ok(count) => left -= count,
            Err(problem) => loaded = Err(problem),
        };
        let advanced = if part.step(shared) {
            true
        } else if more && let Some(mut samples) = shared.room() {
            // Lines that another core has are written sooner in one go than sample by sample.
            load(&mut fresh);
            samples.clone_from(&fresh);
            shared.push(sent, samples);
            sent += 1;
            true
        } else if more && let Some(mut block) = part.free.pop() {
            load(block.samples());
            part.compute(shared, sent, block);
            sent += 1;
            true
        } else {
            !more && part.compute_waiting(shared)
        };
        if !more && shared.turn.load(Ordering::Acquire) == sent {
            return loaded;
        }
        looks = if advanced { 0 } else { looks + 1 };
        assert!(advanced || !shared.closed.load(Ordering::Acquire), "a thread is gone");
        pause(looks);
    }
}
