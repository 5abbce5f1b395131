//! Blocks of samples: loaded by the caller, computed here or by threads, used in the order of the samples.
//!
//! Who computed a block uses it, too: when its turn comes, it goes on with the few vectors that the steps move, where the block before left
//! them. Gradients stay in the cache where they were written; to hand them over costs more than threads save. Blocks are used in
//! one order, so no bit depends on who computed them.

use super::parcel::Parcel;
use super::policies::Policies;
use super::steps::Fixed;
use crate::error::Result;
use crate::paper::samples::Sample;
use std::mem::swap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::{Builder, Scope};

/// Blocks per thread: one may be computed while others wait for their turn.
const BLOCKS: usize = 3;

/// No more threads than this are begun, whatever a caller asks for.
const MOST: usize = 1024;

/// Samples that are worth a block of their own.
const LEAST: usize = 24;

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

/// On cache lines of its own, and of the neighbour's that comes with it: who looks at one thing does not slow down who writes another.
#[repr(align(128))]
struct Apart<V>(V);

/// What the threads share. Who only looks takes no lock.
struct Shared<M> {
    /// The next block of each thread but the caller's, while it computes another.
    parcels: Vec<Apart<Parcel>>,
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

/// The caller's part, the other threads', and how many they are; without threads, the caller computes.
pub(super) struct Crew<'f, B: Block<'f>> {
    part: Part<'f, B>,
    threads: Option<(Closing<B::Moved>, usize)>,
}

impl<'f, B: Block<'f>> Crew<'f, B> {
    /// No threads: one block will do.
    pub(super) fn alone((block, policies): (B, Policies<'f>)) -> Self {
        Self { part: Part { policies, free: vec![block], computed: Vec::new() }, threads: None }
    }

    /// `threads` threads, the caller's among them, or as many as the system has. Blocks have at most `len` samples; `fixed` and `moved` are of the right shape, no more. Each thread makes its own blocks and policies,
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
            parcels: (1..threads.min(MOST)).map(|_| Apart(Parcel::new(len))).collect(),
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
        let spawn = |thread: usize| {
            let shared = Arc::clone(&shared);
            let work = move || {
                let closing = Closing(shared);
                let (shared, mut part, mut looks) = (&closing.0, part(), 0);
                while !shared.closed.load(Ordering::Acquire) {
                    let advanced = part.step(shared) || part.compute_parcel(shared, &shared.parcels[thread].0);
                    looks = if advanced { 0 } else { looks + 1 };
                    pause(looks);
                }
            };
            Builder::new().spawn_scoped(scope, work).ok()
        };
        let others = (0..shared.parcels.len()).map_while(spawn).count();
        Self { part: part(), threads: Some((Closing(shared), others)) }
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
        if let Some((Closing(shared), others)) = &self.threads {
            shared.exchange(fixed, moved)?;
            let loaded = share((shared, *others), part, count, load);
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
    (shared, others): (&Shared<B::Moved>, usize),
    part: &mut Part<'f, B>,
    count: usize,
    mut load: impl FnMut(&mut Vec<Sample<f64>>, usize) -> Result<usize>,
) -> Result<()> {
    let (mut left, mut loaded, mut looks, threads) = (count, Ok(()), 0, others + 1);
    let mut fresh = Vec::new();
    let mut sent = shared.turn.0.load(Ordering::Acquire);
    loop {
        let more = left > 0 && loaded.is_ok() && !shared.failed.load(Ordering::Relaxed);
        // Towards the end blocks become smaller, so that no thread has much to do when the others are done.
        let most = (left / (2 * threads)).max(LEAST).min(left);
        let mut load = |samples: &mut Vec<Sample<f64>>| match load(samples, most) {
            Ok(count) => left -= count,
            Err(problem) => loaded = Err(problem),
        };
        let mut parcels = shared.parcels[..others].iter().map(|Apart(parcel)| parcel);
        let advanced = if part.step(shared) {
            true
        } else if more && let Some(parcel) = parcels.find(|parcel| parcel.number().is_none()) {
            // Lines that another core has are written sooner in one go than sample by sample.
            load(&mut fresh);
            parcel.pack(sent, &fresh, B::DRAWING);
            sent += 1;
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
