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

/// Every command that reads or writes rows, at ROWS of them; the first five write what the others read.
const CALLS: [&str; 16] = [
    "sample --instance chain --rows ROWS --out rows.csv",
    "sample --instance chain --rows ROWS --out rows.npz",
    "run --instance chain --data rows.csv --inner 100 --outer OUTER --policy-out p.json",
    "run --instance chain --data rows.csv --inner 1000 --outer FEWER --trace a.jsonl",
    "run --instance chain --data rows.csv --inner 1000 --outer FEWER --trace b.jsonl",
    "run --instance chain --data rows.npz --inner 100 --outer OUTER",
    "run --instance chain --data rows.csv --inner 100 --outer OUTER --html r.html",
    "run --instance chain --inner 100 --outer OUTER",
    "run --instance chain --data rows.csv --c 1/2 --lambda empirical --inner 100 --outer OUTER",
    "run --instance chain --data rows.csv --inner 100 --outer OUTER --shuffle",
    "certify --instance chain --data rows.csv --inner LONG --outer 100 --out c.json",
    "evaluate --instance chain --policy p.json --data rows.csv",
    "restrict --instance chain --out q.json --data rows.csv --data-out s.csv",
    "compare a.jsonl b.jsonl",
    "table1 --instance chain --data rows.csv --rows 1000 --seeds 1 --candidates 2",
    "tune --instance chain --data rows.csv --search 2 --splits 1 --budget 1000",
];

/// A table of the peaks at ten million rows: `cargo test --release --test cli -- --ignored --nocapture ten_million`. All but the
/// commands that say in their help that they hold the rows stay below 64 MB.
#[test]
#[ignore = "writes and reads files of 200 MB"]
fn ten_million_rows_in_constant_memory() {
    let place = Place::new();
    let rows: usize = std::env::var("OPD_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(10_000_000);
    let mut large = Vec::new();
    println!("| command | peak, MB | seconds |\n|---|---|---|");
    for call in CALLS {
        let call = [("ROWS", rows), ("OUTER", rows / 100), ("FEWER", rows / 1000), ("LONG", rows / 100)]
            .iter()
            .fold(call.to_owned(), |call, (word, count)| call.replace(word, &count.to_string()));
        let start = std::time::Instant::now();
        let peak = peak_memory(&place, &call);
        println!("| `{call}` | {:.1} | {:.0} |", peak as f64 / 1e6, start.elapsed().as_secs_f64());
        let holds_rows = ["--shuffle", "table1", "--search"].iter().any(|word| call.contains(word));
        if peak > 64 << 20 && !holds_rows {
            large.push(call);
        }
    }
    assert!(large.is_empty(), "{large:?}");
}
