//! Data of any size in the same memory.

use crate::opd::{Place, peak_memory};
use crate::said;

/// Peak memory of `opd run` on a file of so many rows.
fn peak_of_run(place: &Place, rows: usize, extension: &str) -> u64 {
    said(place, &format!("sample --instance chain --rows {rows} --out rows.{extension}"));
    peak_memory(place, &format!("run --instance chain --data rows.{extension} --inner 100 --outer {}", rows / 100))
}

/// Ten times the rows, 5 MB more of them, do not take a megabyte more.
#[test]
fn memory_does_not_grow_with_the_data() {
    let place = Place::new();
    let (small, large) = (peak_of_run(&place, 40_000, "csv"), peak_of_run(&place, 400_000, "csv"));
    assert!(large < small + (1 << 20), "{small} bytes, then {large}");
}

/// The same at ten million rows: `cargo test --release --test cli -- --ignored --nocapture ten_million`.
#[test]
#[ignore = "writes and reads files of 200 MB"]
fn ten_million_rows_in_constant_memory() {
    let place = Place::new();
    for extension in ["csv", "npz"] {
        let [small, large] = [100_000, 10_000_000].map(|rows| peak_of_run(&place, rows, extension));
        println!("{extension}: peak {} KiB at 10^5 rows, {} KiB at 10^7", small >> 10, large >> 10);
        assert!(large < small + (1 << 20), "{extension}: {small} bytes, then {large}");
    }
}
