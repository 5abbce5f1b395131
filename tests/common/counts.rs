//! `docs/tables/counts.md`: how often each statement came out true, and on what. Each test owns the rows of its kind and fails when they are not
//! what it counted; `UPDATE_COUNTS=1 cargo test` writes them. The reading edition quotes the table.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

const HEAD: &str = "# How often each statement was checked, and on what

Written by `UPDATE_COUNTS=1 cargo test --test exhaustive_discounted --test exhaustive_average --test statements`; `cargo test` fails when a number is not what it counts.
*Exhaustive*: every model, comparator and policy of the family, for all real iterates (an identity that is affine in an iterate, and holds on an affine basis, holds everywhere). *Families*: every so many-th model
of the same families. *Random*: 1,000 random rational linear MDPs with up to 6 states, 4 actions and 5 features, at random points. All in exact arithmetic; what fails anywhere fails the test.

| statement | how | times | on |
|---|---|---|---|
";

/// Rows of one kind, `(statement, count)`, on what `on` says.
pub fn hold(how: &str, on: &str, rows: &[(&str, u64)]) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tables/counts.md");
    let end = format!(" | {on} |");
    let ours: Vec<String> = rows.iter().map(|(id, count)| format!("| {id} | {how} | {count}{end}")).collect();
    let stored = fs::read_to_string(&file).unwrap_or_default();
    let (mine, others): (Vec<&str>, Vec<&str>) = stored
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| statement"))
        .partition(|line| line.ends_with(&end));
    if std::env::var_os("UPDATE_COUNTS").is_some() {
        let mut all: Vec<&str> = others.into_iter().chain(ours.iter().map(String::as_str)).collect();
        all.sort_unstable();
        fs::write(&file, format!("{HEAD}{}\n", all.join("\n"))).unwrap();
        return;
    }
    let mut sorted: Vec<&str> = ours.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    assert_eq!(mine, sorted, "docs/tables/counts.md is not what was counted: see its first lines");
}
