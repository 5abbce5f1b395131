//! Stopping a long computation from outside.
//!
//! Whoever starts one leaves a question on its thread ([`unless`]), which is asked again and again while it computes. Exact numbers ask as they are
//! computed, linear systems as they are begun; once the answer is yes they are invalid, everything made of them ends soon with an error, and the
//! result is thrown away. Without `std` nobody can ask.

#[cfg(feature = "std")]
pub use asked::{interrupted, interrupted_now, unless};

/// Never.
#[cfg(not(feature = "std"))]
pub(crate) fn interrupted() -> bool {
    false
}

/// Never.
#[cfg(not(feature = "std"))]
pub(crate) use interrupted as interrupted_now;

#[cfg(feature = "std")]
mod asked {
    use core::cell::{Cell, RefCell};
    use std::boxed::Box;
    use std::thread_local;
    use std::time::{Duration, Instant};

    /// The clock is looked at once in so many operations; those on very long numbers take milliseconds.
    const OPERATIONS: u32 = 256;

    /// The question is asked no more often.
    const PAUSE: Duration = Duration::from_millis(50);

    /// No question has been left.
    const NOBODY: u32 = u32::MAX;

    struct Asked {
        question: Box<dyn FnMut() -> bool>,
        last: Instant,
        stop: bool,
    }

    thread_local! {
        /// How many operations until the clock is looked at; [`NOBODY`] where there is no question.
        static LEFT: Cell<u32> = const { Cell::new(NOBODY) };
        static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
    }

    /// Puts things back as they were, also where the work panics.
    struct Before(Option<Asked>, u32);

    impl Drop for Before {
        fn drop(&mut self) {
            ASKED.set(self.0.take());
            LEFT.set(self.1);
        }
    }

    /// What `work` gives, unless `stop` said yes meanwhile.
    pub fn unless<V>(stop: impl FnMut() -> bool + 'static, work: impl FnOnce() -> V) -> Option<V> {
        let asked = Asked { question: Box::new(stop), last: Instant::now(), stop: false };
        let _before = Before(ASKED.replace(Some(asked)), LEFT.replace(OPERATIONS));
        let result = work();
        let stopped = ASKED.with_borrow(|asked| asked.as_ref().is_some_and(|asked| asked.stop));
        (!stopped).then_some(result)
    }

    /// Whether to stop; costs next to nothing.
    #[must_use]
    pub fn interrupted() -> bool {
        match LEFT.get() {
            NOBODY => false,
            0 => ask(),
            left => {
                LEFT.set(left - 1);
                false
            }
        }
    }

    /// The same before work that is long by itself: the clock is looked at.
    #[must_use]
    pub fn interrupted_now() -> bool {
        LEFT.get() != NOBODY && ask()
    }

    fn ask() -> bool {
        // Taken out while it is asked, because answering may itself compute.
        let Some(mut asked) = ASKED.take() else { return false };
        if !asked.stop && asked.last.elapsed() >= PAUSE {
            LEFT.set(NOBODY);
            asked.stop = (asked.question)();
            asked.last = Instant::now();
        }
        let stop = asked.stop;
        LEFT.set(if stop { 0 } else { OPERATIONS });
        ASKED.set(Some(asked));
        stop
    }
}
