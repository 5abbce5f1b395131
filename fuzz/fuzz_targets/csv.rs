//! CSV data: every row that comes out is within the ranges of the specification.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::{CsvRows, RowSpec, Rows, Setting};
use std::path::Path;

fn read(bytes: &[u8], setting: Setting) {
    let spec = RowSpec { setting, states: 5, actions: 3 };
    let Ok(mut rows) = CsvRows::new(Path::new("fuzz.csv"), spec, bytes) else { return };
    while let Ok(Some(row)) = rows.next_row() {
        assert!(row.x0 < 5 && row.x < 5 && row.x_next < 5 && row.a < 3);
        assert!((0.0..=1.0).contains(&row.r) && (0.0..1.0).contains(&row.u));
    }
}

// A reader's automaton takes longer to build than these inputs to read: no more than one, where a column decides.
fuzz_target!(|bytes: &[u8]| {
    let average = bytes.contains(&b'u');
    if average {
        read(bytes, Setting::Average);
    }
    if !average || bytes.windows(2).any(|pair| pair == b"x0") {
        read(bytes, Setting::Discounted);
    }
});
