//! The page of a search for rates.

use super::Search;
use crate::program::html::drawn::REWARD;
use crate::program::html::figure::{Axis, Figure, Line, Scale, figures};
use crate::program::html::page::{Cell, command, escape, formula, page, told, wide};

pub fn search_page(search: &Search) -> String {
    let rows = search.rows().into_iter().map(|(name, value)| match name {
        "best" => (name, formula(&value)),
        "run it" => (name, command(&value)),
        _ => (name, escape(&value)),
    });
    let mut body = told(rows);
    body += &figures(&[learning_curve(search), scores(search)]);
    body += &format!("<h2>The candidates</h2>\n{ORDER}");
    let head = ["K", "α", "η", "ζ", "D_β", "splits", "estimate", "standard error", "mean weight"];
    let row = |scored: &super::Line| -> Vec<Cell> {
        let rates = &scored.rates;
        let mut cells = vec![(rates.inner.to_string(), "number")];
        for x in [rates.alpha, rates.eta, rates.zeta, rates.radius_beta] {
            cells.push((format!("{x:.3e}"), "number"));
        }
        cells.push((if scored.whole { scored.splits.to_string() } else { "1/4".to_owned() }, "number"));
        for x in [scored.estimate, scored.error, scored.mass] {
            cells.push((x.map_or_else(|| "none: diverged".to_owned(), |x| format!("{x:.5}")), "number"));
        }
        cells
    };
    body += &wide(&head, &search.candidates.iter().map(row).collect::<Vec<_>>());
    page(&format!("Search for rates on {}", search.name), &body)
}

/// The order of the candidates, which no column of theirs is.
const ORDER: &str = "<p>They stand in this order:</p>\n<ol>\n\
<li>The one that is proposed: of the policies that were learnt from all rows, all rows score it best.</li>\n\
<li>Those that were run on every split.</li>\n\
<li>Those that were run on the first split alone.</li>\n\
<li>Those that were run on a quarter of it, 1/4 in the column of the splits.</li>\n\
</ol>\n<p>Each group from 2 on begins with the greatest estimate less its standard error, and ends with those whose mean weight is above 1.1 or below 0: their estimates are not to be trusted.</p>\n";

/// What the best candidate's policy is worth while it learns, over the splits, beside the policies that need no learning.
fn learning_curve(search: &Search) -> String {
    let curve = &search.curve;
    let points = curve.iter().map(|point| (point.rows as f64, point.mean)).collect();
    let band = curve.iter().map(|point| (point.least, point.most)).collect();
    let ends = [curve.first(), curve.last()];
    let flat = |value: f64| ends.iter().flatten().map(|point| (point.rows as f64, value)).collect::<Vec<_>>();
    let mut lines = vec![Line { name: "best candidate, estimated; band: the splits", points, band }];
    lines.push(Line::new("behaviour: mean reward of the rows", flat(search.behavior)));
    lines.extend(search.uniform.map(|value| Line::new("uniform policy, estimated", flat(value))));
    lines
        .extend(search.truth.as_ref().map(|truth| Line::new("optimal, from the model: not used", flat(truth.optimal))));
    let (x, y) = (Axis { name: "rows used", scale: Scale::Fitted }, Axis { name: REWARD, scale: Scale::FromZero });
    Figure { title: "Learning curve of the best candidate, on rows that were held out", x, y, lines }.html()
}

/// Every candidate's estimate, in the order of the table.
fn scores(search: &Search) -> String {
    let known = || search.candidates.iter().filter_map(|c| Some((c, c.estimate?, c.error?))).zip(1_u32..);
    let points = known().map(|((_, value, _), rank)| (f64::from(rank), value)).collect();
    let band = known().map(|((_, value, error), _)| (value - 2.0 * error, value + 2.0 * error)).collect();
    let mut lines = vec![Line { name: "estimate ± 2 standard errors", points, band }];
    let truth: Vec<(f64, f64)> = known().filter_map(|((c, ..), rank)| Some((f64::from(rank), c.truth?))).collect();
    if !truth.is_empty() {
        lines.push(Line::new("return by the model: not used", truth));
    }
    let (x, y) = (
        Axis { name: "place of the candidate in the table", scale: Scale::Fitted },
        Axis { name: REWARD, scale: Scale::FromZero },
    );
    Figure { title: "What the held-out rows say of each candidate", x, y, lines }.html()
}
