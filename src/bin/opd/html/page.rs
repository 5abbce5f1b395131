//! The frame of a report: one file, no script, no outside resource, light and dark, readable on a phone.

use std::fmt::Write as _;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --line: #d8d8dc; --good: #137333; --bad: #b3261e; --note: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --paper: #16171a; --line: #3a3b40; --good: #6dd58c; --bad: #ff8a80; --note: #ffc46b; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; color: var(--ink); background: var(--paper);
       font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
th { overflow-wrap: normal; }
td { font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 700; } .note { color: var(--note); }
figure { margin: 1rem 0; } figcaption { font-weight: 600; } svg { max-width: 100%; height: auto; display: block; }
.legend span { margin-right: 1rem; white-space: nowrap; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .3em; }
@media (max-width: 48rem) {
  .wide thead { display: none; }
  .wide tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .wide td { display: block; border: 0; padding: .1rem 0; }
  .wide td::before { content: attr(data-name) ' '; font-size: .8em; opacity: .7; }
}
";

/// Text for HTML.
pub fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
        out
    })
}

/// A whole page around a body.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n\
         <p><small>Written by opd {}.</small></p>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// A table of two columns: a name and what it is.
pub fn facts(rows: &[(&str, String)]) -> String {
    let mut html = String::from("<table>\n");
    for (name, value) in rows {
        let _ = writeln!(html, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(name), escape(value));
    }
    html + "</table>\n"
}

/// A cell and its class, which may be empty.
pub type Cell = (String, &'static str);

/// A wide table, whose rows become cards on a narrow screen.
pub fn wide(head: &[&str], rows: &[Vec<Cell>]) -> String {
    let mut html = String::from("<table class=\"wide\">\n<thead><tr>");
    for name in head {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escape(name));
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        html += "<tr>";
        for ((cell, class), name) in row.iter().zip(head) {
            let _ = write!(html, "<td data-name=\"{}\" class=\"{class}\">{}</td>", escape(name), escape(cell));
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table>\n"
}
