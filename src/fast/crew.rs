//! Blocks of samples on their way: filled, computed here or by threads, used in the order of the samples.
//!
//! Block j goes to thread j mod N and is awaited from there, so nothing depends on which thread is faster, and neither does any bit.

use crate::error::Result;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// What a block computes of its samples, of nothing else.
pub(super) trait Compute {
    fn compute(&mut self);
}

/// A thread's two ends: blocks to compute, blocks computed.
type Worker<B> = (Sender<B>, Receiver<B>);

/// The blocks that are free, and the threads; without threads, the caller computes.
pub(super) struct Crew<B> {
    free: Vec<B>,
    workers: Vec<Worker<B>>,
}

impl<B: Compute> Crew<B> {
    /// No threads: one block will do.
    pub(super) fn alone(block: B) -> Self {
        Self { free: vec![block], workers: Vec::new() }
    }

    /// `threads` threads, with two blocks each: one that is computed, one that waits.
    pub(super) fn new<'scope>(scope: &'scope Scope<'scope, '_>, threads: usize, block: impl Fn() -> B) -> Self
    where
        B: Send + 'scope,
    {
        let work = |_| {
            let ((to_worker, blocks), (done, from_worker)) = (channel::<B>(), channel());
            scope.spawn(move || {
                for mut block in blocks {
                    block.compute();
                    // The caller has stopped at an error.
                    if done.send(block).is_err() {
                        break;
                    }
                }
            });
            (to_worker, from_worker)
        };
        Self { free: (0..2 * threads).map(|_| block()).collect(), workers: (0..threads).map(work).collect() }
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
        if self.workers.is_empty() {
            let block = self.free.first_mut().expect("one block will do");
            while left > 0 {
                let loaded = load(block, left);
                block.compute();
                used(block)?;
                left -= loaded?;
            }
            return Ok(());
        }
        loop {
            while left > 0
                && loaded.is_ok()
                && let Some(mut block) = self.free.pop()
            {
                match load(&mut block, left) {
                    Ok(count) => left -= count,
                    Err(problem) => loaded = Err(problem),
                }
                self.send(sent, block);
                sent += 1;
            }
            if received == sent {
                return loaded;
            }
            let block = self.receive(received);
            received += 1;
            used(&block)?;
            self.free.push(block);
        }
    }

    fn send(&self, j: usize, block: B) {
        self.workers[j % self.workers.len()].0.send(block).expect("a thread that works while it is asked");
    }

    fn receive(&self, j: usize) -> B {
        self.workers[j % self.workers.len()].1.recv().expect("a thread that answers")
    }
}
