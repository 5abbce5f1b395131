//! Independent work on several threads: whole runs, groups of runs, estimates. What comes out does not depend on how many threads there are.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What `work` makes of each item, in their order, on `threads` threads, the caller's among them; 0 and 1 mean none but the caller's. The error is
/// that of the first item that has one, as where they are taken one by one; items after it may have been worked on, and none is begun any more.
pub fn each<I: Send, R: Send, E: Send>(
    threads: usize,
    items: impl Iterator<Item = I> + Send,
    work: impl Fn(I) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let most = items.size_hint().1.unwrap_or(threads);
    let waiting = Mutex::new(Some(items.enumerate()));
    let waiting = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let next = || waiting().as_mut().and_then(Iterator::next);
    let take_turns = || {
        let mut done = Vec::new();
        while let Some((index, item)) = next() {
            let result = work(item);
            if result.is_err() {
                *waiting() = None;
            }
            done.push((index, result));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        // Where the system has no more threads, fewer do the work.
        let spawned = (1..threads.min(most)).map_while(|_| thread::Builder::new().spawn_scoped(scope, take_turns).ok());
        let others: Vec<_> = spawned.collect();
        let mut done = take_turns();
        done.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))));
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::each;
    use std::collections::HashSet;
    use std::sync::{Barrier, Mutex};
    use std::thread;

    /// Later items are done sooner. The barrier is passed only if three items are under way at once.
    #[test]
    fn answers_come_in_the_order_of_the_items() {
        let (barrier, seen) = (Barrier::new(3), Mutex::new(HashSet::new()));
        let work = |item: u64| {
            if item < 3 {
                barrier.wait();
            }
            thread::sleep(std::time::Duration::from_millis(2 * (12 - item)));
            seen.lock().unwrap().insert(thread::current().id());
            Ok::<_, ()>(item * item)
        };
        assert_eq!(each(3, 0..12, work), Ok((0..12).map(|item| item * item).collect()));
        let seen = seen.into_inner().unwrap();
        assert!(seen.len() == 3 && seen.contains(&thread::current().id()), "{seen:?}");
        assert_eq!(each(0, 0..0, |item: u64| Ok::<_, ()>(item)), Ok(vec![]));
    }

    /// The error of item 4 is there long before that of item 3, and nothing is begun after it but what was under way.
    #[test]
    fn the_first_error_is_that_of_the_first_item() {
        for threads in 1..4 {
            let begun = Mutex::new(Vec::new());
            let work = |item: u64| {
                begun.lock().unwrap().push(item);
                if item == 3 {
                    thread::sleep(std::time::Duration::from_millis(40));
                }
                if item < 3 { Ok(item) } else { Err(item) }
            };
            assert_eq!(each(threads, 0..1000, work), Err(3), "{threads} threads");
            let begun = begun.into_inner().unwrap();
            assert!(begun.len() < 3 + 2 * threads, "{threads} threads: {begun:?}");
        }
    }
}
