//! The page of Table 1, measured.

use super::methods::Printed;
use super::table::{over_seeds, power, printed, why_none};
use super::{At, RULE, Summary, Table};
use crate::program::html::figure::{Axis, Figure, Line, Scale, figures};
use crate::program::html::page::{Cell, classed, escape, facts, formula, page, wide};

pub fn table1_page(tables: &[Table], seeds: usize) -> String {
    let mut body = format!("<p>{seeds} seeds; {}.</p>\n", escape(RULE));
    for table in tables {
        body += &format!("<h2>{}: {}</h2>\n", escape(&table.instance), escape(&table.shows));
        body += &facts(&[
            (
                "returns",
                format!("optimal {:.6}, behaviour {:.6}, uniform {:.6}", table.optimal, table.behavior, table.uniform),
            ),
            ("coverage C_{φ,1}", table.coverage.map_or_else(|| "infinite".to_owned(), |ratio| format!("{ratio:.4}"))),
        ]);
        let below = "suboptimality, uniform policy 1";
        let value = curves(table, "Suboptimality of the last policy: mean and range over the seeds", below, |at| {
            Some((at.mean?, at.least.zip(at.most)))
        });
        let time = curves(table, "Time of a run, fastest seed", "seconds", |at| Some((at.seconds, None)));
        let memory =
            curves(table, "What a run holds at once, features and rows aside", "bytes", |at| Some((at.bytes, None)));
        match why_none(table) {
            None => body += &figures(&[value, time, memory]),
            Some(why) => {
                body += &format!("<p>No normalised suboptimality: {}.</p>\n", escape(why));
                body += &figures(&[time, memory]);
            }
        }
        body += &measured(table);
    }
    body += "<h2>Print's table, and what is run</h2>\n";
    let mut rows = printed(tables).into_iter();
    let head = rows.next().unwrap_or_default();
    // The last column is a sentence.
    let class = |column: usize| if column < Printed::COLUMNS.len() + 1 { "word" } else { "" };
    let cells = |row: Vec<String>| row.iter().enumerate().map(|(column, text)| (powers(text), class(column))).collect();
    body += &classed(
        "wide",
        &head.iter().map(String::as_str).collect::<Vec<_>>(),
        &rows.map(cells).collect::<Vec<Vec<Cell>>>(),
    );
    page("Table 1, measured", &body)
}

fn curves(table: &Table, title: &str, y: &str, of: impl Fn(&At) -> Option<(f64, Option<(f64, f64)>)>) -> String {
    let line = |summary: &'_ Summary| {
        let points = summary.at.iter().filter_map(|at| Some((at.n as f64, of(at)?.0))).collect();
        let band = summary.at.iter().filter_map(|at| of(at)?.1).collect();
        (summary.method, points, band)
    };
    let lines = table.summaries.iter().map(line).map(|(name, points, band)| Line { name, points, band }).collect();
    let scale = if y == "seconds" || y == "bytes" { Scale::Log } else { Scale::FromZero };
    Figure { title, x: Axis { name: "rows n", scale: Scale::Log }, y: Axis { name: y, scale }, lines }.html()
}

/// Whatever follows `^` is above, for `n^(7/5)` as for `n^-0.43`.
fn powers(text: &str) -> String {
    let Some((base, exponent)) = text.split_once('^') else { return escape(text) };
    formula(&format!("{base}^{{{}}}", exponent.trim_matches(['(', ')']).replace('-', "−")))
}

fn measured(table: &Table) -> String {
    let head = [
        "method",
        "partial coverage (print)",
        "samples (print)",
        "time (print)",
        "suboptimality, largest n",
        "fitted",
        "seconds",
        "fitted",
        "passes",
        "n·passes, fitted",
        "bytes",
        "fitted",
    ];
    let number = |text: String| -> Cell { (powers(&text), "word") };
    let row = |summary: &Summary| -> Vec<Cell> {
        let mut cells: Vec<Cell> = vec![(escape(summary.method), "word")];
        cells.extend(summary.printed.cells()[..3].iter().map(|text| (powers(text), "word")));
        let Some(last) = summary.at.last() else {
            cells.push(("no run".to_owned(), ""));
            cells.resize(head.len(), (String::new(), ""));
            return cells;
        };
        cells.extend([
            number(over_seeds(last)),
            number(power(summary.suboptimality_exponent)),
            number(format!("{:.1e}", last.seconds)),
            number(power(summary.seconds_exponent)),
            number(format!("{:.0}", last.passes)),
            number(power(summary.visits_exponent)),
            number(format!("{:.0}", last.bytes)),
            number(power(summary.bytes_exponent)),
        ]);
        cells
    };
    wide(&head, &table.summaries.iter().map(row).collect::<Vec<_>>())
}
