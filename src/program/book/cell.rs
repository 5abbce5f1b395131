//! `try.html`: a table of a finite MDP to edit, and every check of the register on it, recomputed in the page by `wasm/`.

use super::{anchor, frame};
use crate::data::InputError;
use crate::instances::{self, Owned};
use crate::number::exact::BigRational as Q;
use crate::program::audit::{side, word};
use crate::program::html::mathml::math;
use crate::program::html::{escape, formula};
use crate::statements::{Finding, Status, evaluate_model, statements};
use std::path::Path;

/// What the page starts from.
const INSTANCE: &str = "two-state";

const WORDS: &str = "<p><a href=\"index.html\">The reading edition</a></p>\n<p>A model of two states and two actions. Edit any number, as a fraction or a decimal; the last \
probability of each distribution is what is left of 1. Every check of the register is then computed anew, in this page, by the library itself in exact rational arithmetic: \
both sides are the fractions, not roundings of them. Features are the unit vectors, so every table is a linear MDP, and c = 1, since the root of Λ is rarely rational. \
Among the checks is a run of each algorithm, K = 5 and T = 4, certified. A row whose numbers your edit changed has a bar at its left.</p>\n\
<noscript><p class=\"bad\">This page computes, and needs its script to be allowed.</p></noscript>\n";

pub fn page(file: &Path) -> Result<String, InputError> {
    let wasm = std::fs::read(file).map_err(|e| InputError::file(file, format!("cannot read: {e}")))?;
    if !wasm.starts_with(b"\0asm") {
        return Err(InputError::file(file, "not WebAssembly, expected the file that wasm/build.sh makes"));
    }
    let known = instances::by_name(INSTANCE).and_then(|instance| instance.to_owned().ok());
    let known = known.ok_or_else(|| InputError::call("--wasm", "the page's instance is gone"))?;
    let model = Owned { root: None, ..known };
    let body = format!(
        "{}<p id=\"told\" role=\"status\">Loading.</p>\n<table class=\"checks\"><colgroup><col><col><col><col><col><col></colgroup><thead><tr><th scope=\"col\">statement</th><th scope=\"col\">compared</th><th scope=\"col\">left</th><th scope=\"col\">right</th><th scope=\"col\">residual</th><th scope=\"col\">verdict</th></tr></thead>\n\
         <tbody id=\"rows\">\n{}</tbody></table>\n<script type=\"application/wasm\" id=\"wasm\">{}</script>\n",
        form(&model),
        evaluate_model(&model).iter().map(row).collect::<String>(),
        base64(&wasm)
    );
    let script = format!("const words = {{ {} }};\n{}", STATUSES.map(called).join(", "), include_str!("cell.js"));
    Ok(frame::frame("Try it: every identity on a model of yours", WORDS, &body, &script))
}

const STATUSES: [Status; 6] =
    [Status::Holds, Status::Fails, Status::Erratum, Status::ErratumNotShown, Status::NotApplicable, Status::Undecided];

/// A status as the script knows it: its word, its class.
fn called(status: Status) -> String {
    format!("'{}': ['{}', '{}']", status.word(), word(status), super::class(status))
}

/// The inputs in the order in which `wasm/` reads them, the left out entries in the order in which it writes them.
fn form(model: &Owned<Q>) -> String {
    let (states, actions) = (model.shape.states, model.shape.actions);
    let input = |name: &str, value: &Q| {
        let name = escape(name);
        format!(
            "<td><label><span>{}</span> <input value=\"{value}\" size=\"8\" maxlength=\"40\" autocomplete=\"off\" spellcheck=\"false\"></label></td>",
            formula(&name)
        )
    };
    let last =
        |name: &str, value: &Q| format!("<td><span>{}</span> <output>{value}</output></td>", formula(&escape(name)));
    let distribution = |row: &[Q], name: &dyn Fn(usize) -> String| {
        let (end, rest) =
            row.split_last().map_or((String::new(), row), |(end, rest)| (last(&name(rest.len()), end), rest));
        rest.iter().enumerate().map(|(i, p)| input(&name(i), p)).collect::<String>() + &end
    };
    let mut html = format!(
        "<form id=\"model\" data-shape=\"{states} {actions}\">\n<table class=\"model\">\n<tr>{}",
        input("γ", &model.discount)
    );
    html += &distribution(&model.initial, &|x| format!("ν₀({x})"));
    html += "</tr>\n";
    let dim = model.shape.dim;
    for pair in 0..dim {
        let (x, a) = (pair / actions, pair % actions);
        let row: Vec<Q> = model.psi.chunks(dim).map(|psi| psi[pair].clone()).collect();
        html += &format!("<tr>{}", distribution(&row, &|next| format!("p({next}|{x},{a})")));
        html += &format!("{}</tr>\n", input(&format!("r({x},{a})"), &model.omega[pair]));
    }
    for (x, row) in model.behavior.chunks(actions).enumerate() {
        html += &format!("<tr>{}</tr>\n", distribution(row, &|a| format!("π_B({a}|{x})")));
    }
    html + "</table>\n<p><button type=\"reset\">Start again</button></p>\n</form>\n"
}

fn row(found: &Finding) -> String {
    let named = |id: &str| match statements().find(|statement| statement.id == id) {
        Some(_) => format!("<a href=\"index.html#{}\">{}</a>", anchor(id), escape(id)),
        None => escape(id),
    };
    let ids: Vec<String> = found.statement.split(", ").map(named).collect();
    let [lhs, rhs, residual] = [&found.lhs, &found.rhs, &found.residual].map(|part| escape(&side(part)));
    format!(
        "<tr data-key=\"{}\t{}\"><td>{}</td><td>{}</td><td data-name=\"left\">{lhs}</td><td data-name=\"right\">{rhs}</td><td data-name=\"residual\">{residual}</td><td class=\"{}\">{}</td></tr>\n",
        escape(&found.statement),
        escape(&found.compares),
        ids.join(", "),
        math(&found.compares),
        super::class(found.status),
        word(found.status)
    )
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let byte = |i: usize| u32::from(part.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for sign in 0..4 {
            let index = bits >> (18 - 6 * sign) & 63;
            text.push(if sign <= part.len() { SIGNS[index as usize] as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    /// RFC 4648, section 10.
    #[test]
    fn base_64() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }
}
