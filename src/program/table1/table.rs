//! Table 1, measured, as text.

use super::{NOT_RUN, Summary, Table};
use crate::program::show::{Show, columns};

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
        let mut head: Vec<String> = ["", "print:", "", "", "measured:"].map(str::to_owned).to_vec();
        let mut rows = vec![head.clone()];
        head = ["method", "partial coverage", "samples", "time"].map(str::to_owned).to_vec();
        let sizes = table.summaries.iter().map(|summary| &summary.at).max_by_key(|at| at.len());
        head.extend(sizes.into_iter().flatten().map(|at| format!("n = {}", at.n)));
        head.extend(["fitted", "seconds", "fitted", "passes", "bytes"].map(str::to_owned));
        rows.push(head);
        rows.extend(table.summaries.iter().map(line));
        out += &columns(&rows);
        out.push('\n');
    }
    out += "n = …: normalised suboptimality (optimal 0, uniform policy 1) of the last policy, mean over the seeds [least, most]\n";
    out += "seconds: at the largest n, the fastest seed; passes: how often the rows are gone over where print counts n for each time\n";
    for (name, why) in NOT_RUN {
        out += &format!("{name}: not run: {why}\n");
    }
    out
}

fn line(summary: &Summary) -> Vec<String> {
    let name = if summary.tabular { format!("{} (tabular)", summary.method) } else { summary.method.to_owned() };
    let mut cells = vec![name, summary.printed_partial_coverage.to_owned()];
    cells.extend([summary.printed_samples, summary.printed_time].map(str::to_owned));
    if summary.at.is_empty() {
        cells.push("no run: the theorem's rates need coverage that is not there".to_owned());
        return cells;
    }
    cells.extend(summary.at.iter().map(|at| format!("{:.3} [{:.3}, {:.3}]", at.mean, at.least, at.most)));
    cells.push(power(summary.suboptimality_exponent));
    cells.push(summary.at.last().map_or_else(String::new, |at| format!("{:.1e}", at.seconds)));
    cells.push(power(summary.seconds_exponent));
    cells.extend([summary.passes.to_string(), summary.bytes.to_string()]);
    cells
}
