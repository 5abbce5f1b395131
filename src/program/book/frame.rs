//! The frame of the book: one file, nothing from outside, light and dark, for a screen, a phone, a keyboard and a printer.

use crate::program::html::mathml;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --soft: #f4f4f6; --line: #d0d0d6; --good: #0b6b2c; --bad: #b3261e; --note: #7a4f00; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --paper: #16171a; --soft: #202226; --line: #3a3b40; --good: #6dd58c; --bad: #ff8a80; --note: #ffc46b; --link: #a8c7fa; }
}
* { box-sizing: border-box; } html { scroll-padding-top: 5rem; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
#main:focus { outline: none; } .lead { font-size: 1.08rem; }
.result { border-left: 4px solid var(--bad); background: var(--soft); padding: .2rem 1rem; margin: 1rem 0; } .result h2 { border: 0; margin: .5rem 0 0; font-size: 1.15rem; } .result p { margin: .5rem 0; }
.reading summary { font-size: 1.05rem; } .reading dl { display: grid; grid-template-columns: minmax(9rem, 17rem) 1fr; gap: .35rem 1rem; margin: .5rem 0; } .reading dd { margin: 0; } .reading .tags span { display: inline-block; margin: .1rem .2rem .1rem 0; } .reading ol { margin: .3rem 0 .8rem; }
nav ul { list-style: none; padding: 0; } nav li { margin: .45rem 0; } nav small { display: block; overflow-wrap: normal; } nav h2 { margin-top: 1.2rem; font-size: 1.15rem; } h2 small { font-weight: 400; margin-right: .4rem; }
.whole { overflow-wrap: anywhere; } pre + p { margin-bottom: .2rem; }
a { color: var(--link); } h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; border-bottom: 2px solid var(--line); } h3 { margin: 0; font-size: 1.1rem; }
article { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin: 1rem 0; }
article:target { outline: 3px solid var(--link); }
pre { background: var(--soft); padding: .7rem; overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; border-radius: .3rem; overflow-wrap: normal; }
pre i { color: var(--good); font-style: normal; } pre b { color: var(--link); font-weight: 600; } pre s { color: var(--note); text-decoration: none; }
.bar { position: sticky; top: 0; background: var(--paper); padding: .5rem 0; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .5rem; z-index: 1; }
.bar input, .bar select { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: .3rem .5rem; min-width: 0; }
.bar input { flex: 1 1 12rem; } .bar select { flex: 0 1 11rem; } .bar span { align-self: center; } ::placeholder { color: var(--ink); opacity: .8; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; } .skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
.number, .digits { white-space: nowrap; }
.checks { table-layout: fixed; } .checks td { overflow-x: auto; }
.checks col { width: 15%; } .checks col:nth-child(1), .checks col:nth-child(6) { width: 10%; } .checks col:nth-child(2) { width: 37%; } .checks col:nth-child(5) { width: 13%; }
.tags { font-size: .85rem; } .tags span { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .5rem; margin-right: .3rem; white-space: nowrap; }
.plain { color: var(--ink); } .good { color: var(--good); } .bad { color: var(--bad); font-weight: 700; } .note { color: var(--note); }
summary { cursor: pointer; padding: .2rem 0; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); }
td { overflow-wrap: break-word; } .sides { table-layout: fixed; } .sides th { width: 23%; } .sides th:nth-child(1) { width: 38%; } .sides th:nth-child(4) { width: 16%; } @media (max-width: 50rem) { .sides { font-size: .85em; } }
.graph { width: 100%; min-width: 56rem; height: auto; display: block; } .graph text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.graph path { fill: none; stroke: var(--ink); opacity: .65; marker-end: url(#arrow); } .graph marker path { fill: var(--ink); stroke: none; opacity: 1; marker-end: none; }
.graph rect { fill: var(--soft); stroke: currentColor; stroke-width: 1.5; } .graph .note { stroke-dasharray: 5 3; }
th { white-space: nowrap; } sub, sup { font-size: .72em; line-height: 0; }
.model { width: auto; } .model td { border: 0; vertical-align: baseline; } .model td span { display: inline-block; min-width: 4.5em; } .changed td:first-child { box-shadow: inset 3px 0 var(--link); padding-left: .5rem; }
.model input, button { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: .15rem .4rem; }
[hidden] { display: none !important; }
@media (max-width: 40rem) { .reading dl { display: block; } .reading dd { margin: .1rem 0 .6rem .8rem; } html { scroll-padding-top: 8.5rem; } td, th { display: block; border: 0; padding: .1rem 0; } tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; } thead, colgroup { display: none; } .checks, .checks tbody { display: block; } .number { white-space: normal; }
  td[data-name]::before { content: attr(data-name) ' '; font-size: .8em; opacity: .8; } }
@media print { .bar, .keys, .skip { display: none; } h2, h3, .tags { break-after: avoid; } tr, .formula { break-inside: avoid; } .formula, .scroll, pre { overflow: visible; } pre { white-space: pre-wrap; }
  .graph { min-width: 0; } details::details-content { content-visibility: visible; display: block; block-size: auto; } * { print-color-adjust: exact; } }
";

/// Every status and grade that the filter knows: its tag, and what it is called.
const KINDS: [(&str, &str); 12] = [
    ("", "every status"),
    ("coq", "proved for all (Coq)"),
    ("kani", "code verified (Kani)"),
    ("exhaustive", "exhaustive: every model of a family"),
    ("enumerated", "enumerated: every sample or policy"),
    ("sampled", "sampled: random models only"),
    ("refuted", "false as printed (Coq)"),
    ("erratum", "print errs"),
    ("theorem-false", "print errs: a theorem is false"),
    ("proof-step", "print errs: a step of a proof fails"),
    ("formula", "print errs: a formula"),
    ("slip", "print errs: a slip"),
];

/// The field of the search, the filter, and how many statements they leave.
pub fn controls() -> String {
    let options: String = KINDS.iter().map(|(tag, name)| format!("<option value=\"{tag}\">{name}</option>")).collect();
    format!(
        "<search class=\"bar\"><input id=\"find\" type=\"search\" placeholder=\"Search: theorem 3.2, erratum 4, softmax (key /)\" aria-label=\"Search\">\
<select id=\"kind\" aria-label=\"Filter by status\">{options}</select><span id=\"count\" role=\"status\"></span></search>\n"
    )
}

/// A page: its title and what stands before the content, which begins, for who skips to it, at `main`.
pub fn frame(title: &str, before: &str, body: &str, script: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
         <header>\n<h1>{title}</h1>\n{before}</header>\n<main id=\"main\" tabindex=\"-1\">\n{body}\n</main>\n\
         <footer><p><small>Written by opd {}.</small></p></footer>\n<script>{script}</script>\n</body>\n</html>\n",
        mathml::STYLE,
        env!("CARGO_PKG_VERSION")
    )
}
