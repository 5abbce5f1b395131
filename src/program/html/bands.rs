//! What several seeds gave: the bands of their returns, and every run.

use super::page::{Cell, formula, wide};
use crate::program::bands::{Band, Line, Seeds};
use crate::program::show::fixed;

/// How many runs are listed.
const RUNS_SHOWN: usize = 64;

/// Returns over the seeds, and the runs.
pub fn over_seeds(seeds: &Seeds) -> String {
    let of = |name: &str, band: &Band| -> Vec<Cell> {
        let deviation = band.deviation.map_or_else(|| "one seed has none".to_owned(), |x| fixed(x, 6));
        let [mean, least, most] = [band.mean, band.least, band.most].map(|x| fixed(x, 6));
        let numbers = [mean, least, most, deviation].map(|text| (text, "number"));
        std::iter::once((formula(name), "")).chain(numbers).collect()
    };
    let mut rows = vec![of("π_J", &seeds.output), of("last policy", &seeds.last)];
    rows.extend(seeds.mixture.as_ref().map(|band| of("mixture of π_1 … π_T", band)));
    let head = ["return, reward per step", "mean", "least", "greatest", "standard deviation of a run"];
    let mut html = format!("<h2 id=\"seeds\">Over {} seeds</h2>\n{}", seeds.count, wide(&head, &rows));
    html += &format!("<p>A seed has drawn {}. What else is on this page is of the first seed.</p>\n", seeds.differ);
    let run = |line: &Line| -> Vec<Cell> {
        let numbers = [Some(line.output), Some(line.last), line.mixture].into_iter().flatten().map(|x| fixed(x, 6));
        let cells = [line.seed.to_string(), line.output_index.to_string()].into_iter().chain(numbers);
        cells.map(|text| (text, "number")).collect()
    };
    let head = ["seed", "J", "return of π_J", "return of the last policy", "return of the mixture"];
    let head = &head[..if seeds.mixture.is_some() { 5 } else { 4 }];
    let table = wide(head, &seeds.runs.iter().take(RUNS_SHOWN).map(run).collect::<Vec<_>>());
    let hidden = seeds.count.saturating_sub(RUNS_SHOWN);
    let more = if hidden > 0 { format!("<p>… and {hidden} more seeds.</p>\n") } else { String::new() };
    html + &format!("<details><summary>Every seed</summary>\n{table}{more}</details>\n")
}
