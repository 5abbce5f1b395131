//! NPZ data: every row that comes out is within the ranges of the specification.
#![no_main]

use libfuzzer_sys::fuzz_target;
use offline_primal_dual::data::{InputError, RowSpec, Setting, with_archive};
use std::io::Cursor;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    for setting in [Setting::Discounted, Setting::Average] {
        let spec = RowSpec { setting, states: 5, actions: 3 };
        let sources = std::array::from_fn(|_| Cursor::new(bytes));
        let _ = with_archive(Path::new("fuzz.npz"), spec, sources, |rows| {
            while let Some(row) = rows.next_row()? {
                assert!(row.x0 < 5 && row.x < 5 && row.x_next < 5 && row.a < 3);
                assert!((0.0..=1.0).contains(&row.r) && (0.0..1.0).contains(&row.u));
            }
            Ok::<(), InputError>(())
        });
    }
});
