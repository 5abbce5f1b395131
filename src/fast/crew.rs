//! Blocks of samples on their way: filled, computed here or by threads, used in the order of the samples.
//!
//! Whoever is free computes the oldest block that waits, the caller too while the block that it needs next is not ready. Blocks are used in
//! one order, so no bit depends on who computed them.

use crate::error::Result;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;

/// How often a thread looks before it sleeps: some tens of microseconds, about what waking one costs.
const LOOKS: usize = 2_000;

/// What a block computes of its samples, of nothing else.
pub(super) trait Compute {
    fn compute(&mut self);
}

/// A block and its place in the order of the samples.
type Numbered<B> = (usize, B);

/// Blocks that nobody computes yet, and whether no more will come.
type Queue<B> = (VecDeque<Numbered<B>>, bool);

struct Waiting<B> {
    queue: Mutex<Queue<B>>,
    changed: Condvar,
    /// How many there are, or were a moment ago: who only looks takes no lock.
    count: AtomicUsize,
}

impl<B> Waiting<B> {
    fn new() -> Self {
        Self { queue: Mutex::new((VecDeque::new(), false)), changed: Condvar::new(), count: AtomicUsize::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<B>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, block: Numbered<B>) {
        let mut queue = self.lock();
        queue.0.push_back(block);
        self.count.store(queue.0.len(), Ordering::Release);
        drop(queue);
        self.changed.notify_one();
    }

    fn pop(&self, mut queue: MutexGuard<'_, Queue<B>>) -> Option<Numbered<B>> {
        let block = queue.0.pop_front();
        self.count.store(queue.0.len(), Ordering::Release);
        block
    }

    /// The oldest block, as soon as there is one; none once there will be none.
    fn wait(&self) -> Option<Numbered<B>> {
        for _ in 0..LOOKS {
            if self.count.load(Ordering::Acquire) > 0
                && let Some(block) = self.pop(self.lock())
            {
                return Some(block);
            }
            std::hint::spin_loop();
        }
        let queue = self.changed.wait_while(self.lock(), |(blocks, closed)| blocks.is_empty() && !*closed);
        self.pop(queue.unwrap_or_else(PoisonError::into_inner))
    }
}

/// The blocks that are free, and the threads; without threads, the caller computes.
pub(super) struct Crew<B> {
    free: Vec<B>,
    threads: Option<Threads<B>>,
}

struct Threads<B> {
    waiting: Arc<Waiting<B>>,
    computed: Receiver<Numbered<B>>,
    /// Computed before their turn.
    early: Vec<Numbered<B>>,
}

impl<B: Compute> Crew<B> {
    /// No threads: one block will do.
    pub(super) fn alone(block: B) -> Self {
        Self { free: vec![block], threads: None }
    }

    /// `threads` threads, the caller's among them, with a block each, and one block that is used.
    pub(super) fn new<'scope>(scope: &'scope Scope<'scope, '_>, threads: usize, block: impl Fn() -> B) -> Self
    where
        B: Send + 'scope,
    {
        let (waiting, (done, computed)) = (Arc::new(Waiting::new()), channel());
        for _ in 1..threads {
            let (waiting, done) = (Arc::clone(&waiting), done.clone());
            let work = move || {
                while let Some((j, mut block)) = Waiting::<B>::wait(&waiting) {
                    block.compute();
                    // The caller has stopped at an error.
                    if done.send((j, block)).is_err() {
                        break;
                    }
                }
            };
            scope.spawn(work);
        }
        let free = (0..=threads).map(|_| block()).collect();
        Self { free, threads: Some(Threads { waiting, computed, early: Vec::new() }) }
    }

    /// `count` samples, block by block: `load` fills a block with at most as many as it is told and says how many; `used` uses it. What
    /// `load` complains of is said after the blocks before it were used.
    pub(super) fn run(
        &mut self,
        count: usize,
        mut load: impl FnMut(&mut B, usize) -> Result<usize>,
        mut used: impl FnMut(&B) -> Result<()>,
    ) -> Result<()> {
        let (mut left, mut sent, mut received, mut loaded) = (count, 0, 0, Ok(()));
        let Some(threads) = &mut self.threads else {
            let block = self.free.first_mut().expect("one block will do");
            while left > 0 {
                let loaded = load(block, left);
                block.compute();
                used(block)?;
                left -= loaded?;
            }
            return Ok(());
        };
        loop {
            while left > 0
                && loaded.is_ok()
                && let Some(mut block) = self.free.pop()
            {
                match load(&mut block, left) {
                    Ok(count) => left -= count,
                    Err(problem) => loaded = Err(problem),
                }
                threads.waiting.push((sent, block));
                sent += 1;
            }
            if received == sent {
                return loaded;
            }
            let block = threads.obtain(received);
            received += 1;
            used(&block)?;
            self.free.push(block);
        }
    }
}

impl<B: Compute> Threads<B> {
    /// Block j, computed. Meanwhile the caller computes what waits.
    fn obtain(&mut self, j: usize) -> B {
        loop {
            self.early.extend(self.computed.try_iter());
            if let Some(at) = self.early.iter().position(|(number, _)| *number == j) {
                return self.early.swap_remove(at).1;
            }
            if let Some((number, mut block)) = self.waiting.pop(self.waiting.lock()) {
                block.compute();
                self.early.push((number, block));
                continue;
            }
            let next = (0..LOOKS).find_map(|_| {
                std::hint::spin_loop();
                self.computed.try_recv().ok()
            });
            self.early.push(next.unwrap_or_else(|| self.computed.recv().expect("a thread that answers")));
        }
    }
}

impl<B> Drop for Threads<B> {
    fn drop(&mut self) {
        self.waiting.lock().1 = true;
        self.waiting.changed.notify_all();
    }
}
