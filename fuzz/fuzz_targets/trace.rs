//! Traces: one that can be read equals itself, and of two, before and after a NUL, either order finds the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::{Divergence, InputError, TraceReader, compare_traces};
use std::path::Path;

fn compare(first: &[u8], second: &[u8], tolerance: f64) -> Result<Result<u64, Divergence>, InputError> {
    let file = Path::new("fuzz.jsonl");
    compare_traces(&mut TraceReader::new(file, first), &mut TraceReader::new(file, second), tolerance)
}

fuzz_target!(|bytes: &[u8]| {
    let (first, second) = match bytes.iter().position(|byte| *byte == 0) {
        Some(end) => (&bytes[..end], &bytes[end + 1..]),
        None => (bytes, bytes),
    };
    match compare(first, first, 0.0) {
        Ok(outcome) => assert!(outcome.is_ok(), "{outcome:?}"),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
    for tolerance in [0.0, 0.5] {
        if let (Ok(one), Ok(other)) = (compare(first, second, tolerance), compare(second, first, tolerance)) {
            assert_eq!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
        }
    }
});
