//! Table 1, measured, as text.

use super::methods::Printed;
use super::{At, NOT_RUN, Summary, Table};
use crate::program::report::UNIFORM_IS_OPTIMAL;
use crate::program::show::{Show, columns, fixed};

/// A fitted exponent for the eye.
pub fn power(exponent: Option<f64>) -> String {
    exponent.map_or_else(|| "-".to_owned(), |e| format!("n^{e:.2}"))
}

pub fn text(tables: &[Table], show: &Show) -> String {
    let mut out = String::new();
    for table in tables {
        let coverage = table.coverage.map_or_else(|| "infinite".to_owned(), |ratio| format!("{ratio:.4}"));
        let Table { optimal, behavior, uniform, .. } = table;
        out += &format!("{}: {}\n", show.bold(&table.instance), table.shows);
        out += &format!(
            "returns: optimal {optimal:.6}, behaviour {behavior:.6}, uniform {uniform:.6}; coverage C_{{φ,1}} {coverage}\n"
        );
        let mut head = texts(["method", "coverage", "samples", "time"]);
        let sizes = table.summaries.iter().map(|summary| &summary.at).max_by_key(|at| at.len());
        head.extend(sizes.into_iter().flatten().map(|at| format!("n = {}", at.n)));
        head.extend(texts(["fitted", "seconds", "fitted", "passes", "n·passes", "bytes", "fitted"]));
        let mut rows = vec![texts(["", "print:", "", "", "measured:"]), head];
        rows.extend(table.summaries.iter().map(line));
        out += &columns(&rows);
        out += &why_none(table).map_or_else(String::new, |why| format!("–: {why}\n"));
        out.push('\n');
    }
    out += &show.bold("print's other columns");
    out.push('\n');
    out += &columns(&printed(tables));
    out += LEGEND;
    out
}

const LEGEND: &str = "
n = …: normalised suboptimality (optimal 0, uniform policy 1) of the last policy, mean over the seeds [least, most]; coverage: whether partial coverage is enough
seconds: of a run on the largest n, the search for its parameters not counted, the fastest seed
passes: how often the rows are gone over, where print counts n for each time; sums over the rows make all but ours go over them once
bytes: the numbers that a run holds at once, counted, on the largest n; features and rows aside
";

/// What print says of every method, and which are not run.
pub fn printed(tables: &[Table]) -> Vec<Vec<String>> {
    let row = |method: &str, printed: &Printed, here: &str| {
        let mut row = vec![method.to_owned()];
        row.extend(texts(printed.cells()));
        row.push(here.to_owned());
        row
    };
    let mut head = vec!["method".to_owned()];
    head.extend(texts(Printed::COLUMNS));
    head.push("here".to_owned());
    let run = tables.first().into_iter().flat_map(|table| &table.summaries);
    let mut rows = vec![head];
    rows.extend(run.map(|summary| row(summary.method, &summary.printed, "run")));
    rows.extend(NOT_RUN.iter().map(|one| row(one.method, &one.printed, &format!("not run: {}", one.why))));
    rows
}

fn texts<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// Why a table has no normalised suboptimality, where it has none.
pub fn why_none(table: &Table) -> Option<&'static str> {
    let none = |at: &At| at.mean.is_none();
    table.summaries.iter().flat_map(|summary| &summary.at).any(none).then_some(UNIFORM_IS_OPTIMAL)
}

/// The mean over the seeds, and their range.
pub fn over_seeds(at: &At) -> String {
    match [at.mean, at.least, at.most].map(|x| x.map(|x| fixed(x, 3))) {
        [Some(mean), Some(least), Some(most)] => format!("{mean} [{least}, {most}]"),
        _ => "–".to_owned(),
    }
}

fn line(summary: &Summary) -> Vec<String> {
    let Printed { partial_coverage, samples, time, .. } = summary.printed;
    let mut cells = texts([summary.method, partial_coverage, samples, time]);
    let Some(last) = summary.at.last() else {
        cells.push("no run: the theorem's rates need coverage that is not there".to_owned());
        return cells;
    };
    cells.extend(summary.at.iter().map(over_seeds));
    cells.extend([
        power(summary.suboptimality_exponent),
        format!("{:.1e}", last.seconds),
        power(summary.seconds_exponent),
        format!("{:.0}", last.passes),
        power(summary.visits_exponent),
        format!("{:.0}", last.bytes),
        power(summary.bytes_exponent),
    ]);
    cells
}
