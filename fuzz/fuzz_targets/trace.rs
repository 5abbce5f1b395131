//! Traces: a trace that can be read equals itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::{TraceReader, compare_traces};
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let file = Path::new("fuzz.jsonl");
    if let Ok(outcome) = compare_traces(&mut TraceReader::new(file, bytes), &mut TraceReader::new(file, bytes), 0.0) {
        assert!(outcome.is_ok(), "{outcome:?}");
    }
});
