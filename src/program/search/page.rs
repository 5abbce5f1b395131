//! The page of a search for rates.

use super::Search;
use crate::program::html::figure::{Axis, Figure, Line, Scale, figures};
use crate::program::html::page::{Cell, facts, page, wide};

pub fn search_page(search: &Search) -> String {
    let mut body = facts(&search.rows());
    body += &figures(&[learning_curve(search), scores(search)]);
    body += &format!("<h2>The candidates</h2>\n<p>{ORDER}</p>\n");
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
const ORDER: &str = "First the one that is proposed: of the policies that all rows give, its scores best by all rows. The others by what the held-out rows say: those \
    that were run on every split, those on the first one, and those on a quarter of it (1/4); among these by estimate less standard error, and at the end where the mean \
    weight is above 1.1 or below 0.";

const RETURN: &str = "normalised return";

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
    let (x, y) = (Axis { name: "rows used", scale: Scale::Fitted }, Axis { name: RETURN, scale: Scale::FromZero });
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
        Axis { name: RETURN, scale: Scale::FromZero },
    );
    Figure { title: "What the held-out rows say of each candidate", x, y, lines }.html()
}
