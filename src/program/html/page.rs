//! The frame of a report: one file, no script, no outside resource, light and dark, readable on a phone.

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
th, td.word { overflow-wrap: normal; } .fixed { table-layout: fixed; } .fixed th, .fixed td { overflow-wrap: break-word; }
.audit th { width: 17%; } .audit th:nth-child(1) { width: 11%; } .audit th:nth-child(2) { width: 33%; } .audit th:nth-child(n+5) { width: 11%; }
code, .flag { overflow-wrap: break-word; } .flag { display: inline-block; max-width: 100%; }
.digits { white-space: nowrap; } td { font-variant-numeric: tabular-nums; } td.said { padding-top: 1.2rem; } .said p { margin: .3rem 0; }
a { color: inherit; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 700; } .note { color: var(--note); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 28rem), 1fr)); gap: 0 2rem; align-items: end; }
figure { margin: 1rem 0; break-inside: avoid; } h2, h3, figcaption { break-after: avoid; } figcaption { font-weight: 600; } svg { max-width: 100%; height: auto; display: block; } svg text { fill: var(--ink); }
sub, sup { font-size: .72em; line-height: 0; }
.legend span { margin-right: 1rem; display: inline-block; }
summary { cursor: pointer; padding: .2rem 0; }
.legend i { display: inline-block; width: 2em; height: 3px; vertical-align: middle; margin-right: .4em; }
@media print { * { print-color-adjust: exact; } tr { break-inside: avoid; } details::details-content { content-visibility: visible; display: block; block-size: auto; } }
@media (max-width: 48rem) {
  .wide thead { display: none; } .wide, .wide tbody { display: block; }
  .wide tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .wide td { display: block; border: 0; padding: .1rem 0; }
  .wide td.number, .wide td.word { display: inline-block; margin-right: .9rem; }
  .wide td[data-name]::before { content: attr(data-name) ' '; font-size: .8em; font-weight: 400; color: var(--ink); opacity: .8; }
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

/// A number for a cell: a fraction that is long may be broken after its stroke; of a rounded one the numbers of digits stay together.
pub fn number(text: &str) -> String {
    let html = escape(text);
    match html.split_once(" (") {
        _ if text.len() <= 12 => html,
        Some((rounded, digits)) => {
            format!("<span class=\"digits\">{rounded}</span> <span class=\"digits\">({digits}</span>")
        }
        None => html.replace('/', "/<wbr>"),
    }
}

/// A command: lines break between its words, and between a flag and its value only where both do not fit into one.
pub fn command(text: &str) -> String {
    let mut parts = text.split(" -");
    let mut html = format!("<code>{}", escape(parts.next().unwrap_or_default()));
    for part in parts {
        html += &format!(" <span class=\"flag\">-{}</span>", escape(part));
    }
    html + "</code>"
}

/// A formula for HTML: what follows `_` or `^`, in braces or not, is set below or above.
pub fn formula(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['_', '^']) {
        let (tag, after) = (if rest[at..].starts_with('_') { "sub" } else { "sup" }, &rest[at + 1..]);
        out += &escape(&rest[..at]);
        let (script, end) = script(after);
        if script.is_empty() {
            out += &escape(&rest[at..=at]);
        } else {
            out += &format!("<{tag}>{}</{tag}>", formula(script));
        }
        rest = &after[end..];
    }
    out + &escape(rest)
}

/// What `_` or `^` speaks of (a group in braces, a word of Latin letters, or one sign), and where it ends.
fn script(text: &str) -> (&str, usize) {
    if text.starts_with('{') {
        let mut depth = 0;
        for (at, c) in text.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 {
                return (&text[1..at], at + 1);
            }
        }
    }
    let word = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
    let end = if word > 0 { word } else { text.chars().next().map_or(0, char::len_utf8) };
    (&text[..end], end)
}

/// A whole page around a body.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{title}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{body}\n</main>\n\
         <footer><p><small>Written by opd {}.</small></p></footer>\n</body>\n</html>\n",
        super::mathml::STYLE,
        env!("CARGO_PKG_VERSION")
    )
}

/// A table of two columns: a name and what it is, in plain text.
pub fn facts(rows: &[(&str, String)]) -> String {
    told(rows.iter().map(|(name, value)| (*name, escape(value))))
}

/// The same of values that are HTML already.
pub fn told<'a>(rows: impl Iterator<Item = (&'a str, String)>) -> String {
    let row = |(name, value)| format!("<tr><th scope=\"row\">{}</th><td>{value}</td></tr>\n", formula(name));
    format!("<table class=\"facts\">\n{}</table>\n", rows.map(row).collect::<String>())
}

/// A cell, already HTML, and its class, which may be empty.
pub type Cell = (String, &'static str);

/// Beyond so many columns a table has no room for equal ones.
const EQUAL: usize = 8;

/// A wide table, whose rows become cards on a narrow screen. A row of one cell is as wide as the table.
pub fn wide(head: &[&str], rows: &[Vec<Cell>]) -> String {
    classed(if head.len() <= EQUAL { "wide fixed" } else { "wide" }, head, rows)
}

/// The same with a class for the widths of its columns.
pub fn classed(class: &str, head: &[&str], rows: &[Vec<Cell>]) -> String {
    let mut html = format!("<table class=\"{class}\">\n<thead><tr>");
    for name in head {
        html += &format!("<th scope=\"col\">{}</th>", formula(name));
    }
    html += "</tr></thead>\n<tbody>\n";
    for row in rows {
        html += "<tr>";
        if let [(cell, class)] = &row[..] {
            html += &format!("<td colspan=\"{}\" class=\"{class}\">{cell}</td></tr>\n", head.len());
            continue;
        }
        for ((cell, class), name) in row.iter().zip(head) {
            html += &format!("<td data-name=\"{}\" class=\"{class}\">{}</td>", escape(&name.replace('_', "")), cell);
        }
        html += "</tr>\n";
    }
    html + "</tbody>\n</table>\n"
}

#[cfg(test)]
mod tests {
    use super::{command, formula, number};

    #[test]
    fn numbers_and_commands_break_where_they_may() {
        assert_eq!([number("94/245"), number("1234567/891011")], ["94/245", "1234567/<wbr>891011"]);
        assert_eq!(
            number("≈ 0.5 (21/22 digits)"),
            "<span class=\"digits\">≈ 0.5</span> <span class=\"digits\">(21/22 digits)</span>"
        );
        let flag = |text: &str| format!("<span class=\"flag\">{text}</span>");
        assert_eq!(
            command("opd run --eta 1e-3 -q"),
            format!("<code>opd run {} {}</code>", flag("--eta 1e-3"), flag("-q"))
        );
    }

    #[test]
    fn formulas_are_set() {
        assert_eq!(formula("E‖g̃_β‖² ≤ G_β²"), "E‖g̃<sub>β</sub>‖² ≤ G<sub>β</sub>²");
        assert_eq!(formula("Λ^{c−1}φ"), "Λ<sup>c−1</sup>φ");
        assert_eq!(formula("‖β‖²_{Λ^{2c−1}} < 1"), "‖β‖²<sub>Λ<sup>2c−1</sup></sub> &lt; 1");
        assert_eq!(formula("‖q^π‖_sp, v_t(X')"), "‖q<sup>π</sup>‖<sub>sp</sub>, v<sub>t</sub>(X')");
        assert_eq!(formula("open_{brace"), "open<sub>{</sub>brace");
        assert_eq!(formula("ends in ^"), "ends in ^");
    }
}
