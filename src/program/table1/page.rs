//! The page of Table 1, measured.

use super::table::power;
use super::{At, RULE, Summary, Table};
use crate::program::html::figure::{Axis, Figure, Line, Scale, figures};
use crate::program::html::page::{Cell, escape, facts, formula, page, wide};

pub fn table1_page(tables: &[Table], seeds: usize, not_run: &[(&str, &str)]) -> String {
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
            (at.mean, Some((at.least, at.most)))
        });
        let time = curves(table, "Time of a run, fastest seed", "seconds", |at| (at.seconds, None));
        body += &figures(&[value, time]);
        body += &measured(table);
    }
    body += "<h2>Not run</h2>\n";
    body += &facts(&not_run.iter().map(|(name, why)| (*name, (*why).to_owned())).collect::<Vec<_>>());
    page("Table 1, measured", &body)
}

fn curves(table: &Table, title: &str, y: &str, of: impl Fn(&At) -> (f64, Option<(f64, f64)>)) -> String {
    let line = |summary: &'_ Summary| {
        let points = summary.at.iter().map(|at| (at.n as f64, of(at).0)).collect();
        let band = summary.at.iter().filter_map(|at| of(at).1).collect();
        (summary.method, points, band)
    };
    let lines = table.summaries.iter().map(line).map(|(name, points, band)| Line { name, points, band }).collect();
    let scale = if y == "seconds" { Scale::Log } else { Scale::FromZero };
    Figure { title, x: Axis { name: "rows n", scale: Scale::Log }, y: Axis { name: y, scale }, lines }.html()
}

fn measured(table: &Table) -> String {
    let head = [
        "method",
        "partial coverage (print)",
        "samples (print)",
        "time (print)",
        "suboptimality at the largest n",
        "fitted",
        "seconds",
        "fitted",
        "passes",
        "bytes",
    ];
    let row =
        |summary: &Summary| -> Vec<Cell> {
            let last = summary.at.last();
            let number = |text: String| -> Cell { (escape(&text), "number") };
            vec![
                (escape(summary.method), ""),
                (escape(summary.printed_partial_coverage), ""),
                (formula(&summary.printed_samples.replace("^-", "^−").replace("−5", "{−5}").replace("−4", "{−4}")), ""),
                (escape(summary.printed_time), ""),
                number(last.map_or_else(
                    || "no run".to_owned(),
                    |at| format!("{:.3} [{:.3}, {:.3}]", at.mean, at.least, at.most),
                )),
                number(power(summary.suboptimality_exponent)),
                number(last.map_or_else(String::new, |at| format!("{:.1e}", at.seconds))),
                number(power(summary.seconds_exponent)),
                number(summary.passes.to_string()),
                number(summary.bytes.to_string()),
            ]
        };
    wide(&head, &table.summaries.iter().map(row).collect::<Vec<_>>())
}
