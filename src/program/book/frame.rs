//! The frame of the book: one file, nothing from outside, light and dark, for a screen, a phone, a keyboard and a printer.

use crate::program::html::mathml;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fff; --soft: #f4f4f6; --line: #d0d0d6; --good: #0b6b2c; --bad: #b3261e; --note: #7a4f00; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --paper: #16171a; --soft: #202226; --line: #3a3b40; --good: #6dd58c; --bad: #ff8a80; --note: #ffc46b; --link: #a8c7fa; }
}
* { box-sizing: border-box; } html { scroll-padding-top: 5rem; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); } h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; border-bottom: 2px solid var(--line); } h3 { margin: 0; font-size: 1.1rem; }
article { border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; margin: 1rem 0; }
article:target { outline: 3px solid var(--link); }
pre { background: var(--soft); padding: .7rem; overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; border-radius: .3rem; overflow-wrap: normal; }
pre i { color: var(--good); font-style: normal; } pre b { color: var(--link); font-weight: 600; } pre s { color: var(--note); text-decoration: none; }
.bar { position: sticky; top: 0; background: var(--paper); padding: .5rem 0; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .5rem; z-index: 1; }
.bar input, .bar select { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: .3rem .5rem; min-width: 0; }
.bar input { flex: 1 1 12rem; } ::placeholder { color: var(--ink); opacity: .8; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; } .skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
.number { white-space: nowrap; }
.checks { table-layout: fixed; } .checks td { overflow-x: auto; }
.checks col { width: 15%; } .checks col:nth-child(1), .checks col:nth-child(6) { width: 10%; } .checks col:nth-child(2) { width: 37%; } .checks col:nth-child(5) { width: 13%; }
.tags { font-size: .85rem; } .tags span { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .5rem; margin-right: .3rem; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 700; } .note { color: var(--note); }
summary { cursor: pointer; padding: .2rem 0; } .scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); }
.graph text { font: 12px system-ui, sans-serif; fill: var(--ink); } .graph path { fill: none; stroke: var(--ink); opacity: .3; } .graph rect { fill: var(--soft); stroke: currentColor; }
th { white-space: nowrap; } sub, sup { font-size: .72em; line-height: 0; }
.model { width: auto; } .model td { border: 0; vertical-align: baseline; } .model td span { display: inline-block; min-width: 4.5em; } .changed td:first-child { box-shadow: inset 3px 0 var(--link); padding-left: .5rem; }
.model input, button { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: .15rem .4rem; }
[hidden] { display: none !important; }
@media (max-width: 40rem) { html { scroll-padding-top: 8.5rem; } td, th { display: block; border: 0; padding: .1rem 0; } tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; } thead, colgroup { display: none; } .checks, .checks tbody { display: block; } .number { white-space: normal; }
  td[data-name]::before { content: attr(data-name) ' '; font-size: .8em; opacity: .8; } }
@media print { .bar { display: none; } h2, h3, .tags { break-after: avoid; } tr, .formula { break-inside: avoid; } .formula, .scroll, pre { overflow: visible; } pre { white-space: pre-wrap; } .graph { width: 100%; height: auto; } }
";

/// Filter and search, links to what a filter hides or a fold holds, and the keys: / (search; Enter goes to what was found), j and k (next and
/// previous statement, from the one that has the focus), e (open or close everything).
pub const SCRIPT: &str = "
const find = document.getElementById('find'), kind = document.getElementById('kind'), count = document.getElementById('count');
const all = [...document.querySelectorAll('article')];
function show() {
  const words = find.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const a of all) {
    const text = a.dataset.text, tags = a.dataset.tags.split(' ');
    a.hidden = !(words.every(w => text.includes(w)) && (kind.value === '' || tags.includes(kind.value)));
  }
  count.textContent = all.filter(a => !a.hidden).length + ' of ' + all.length + ' statements';
}
find.addEventListener('input', show); kind.addEventListener('change', show); show();
function open() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1))), article = place?.closest('article');
  if (!article) return;
  if (article.hidden) { find.value = kind.value = ''; show(); }
  if (place.tagName === 'DETAILS') place.open = true;
  place.scrollIntoView();
}
addEventListener('hashchange', open); open();
function go(article) { if (article) { article.scrollIntoView(); article.focus({ preventScroll: true }); } }
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const seen = all.filter(a => !a.hidden);
  if (e.target === find || e.target === kind) {
    if (e.key === 'Escape') e.target.blur();
    if (e.key === 'Enter' && e.target === find) go(seen[0]);
    return;
  }
  if (e.key === '/') { e.preventDefault(); find.focus(); }
  if (e.key === 'e') { const all = !document.querySelector('details[open]'); document.querySelectorAll('details').forEach(d => { d.open = all; }); }
  if (e.key === 'j' || e.key === 'k') {
    const at = seen.indexOf(document.activeElement.closest('article')), top = a => a.getBoundingClientRect().top;
    const below = seen.findIndex(a => top(a) > 0), next = at >= 0 ? at + 1 : below, last = at >= 0 ? at - 1 : (below < 0 ? seen.length : below) - 1;
    go(seen[e.key === 'j' ? next : last]);
  }
});
";

/// Where the content begins, for who skips to it.
pub const MAIN: &str = "<main id=\"main\" tabindex=\"-1\">\n";

pub const CONTROLS: &str = "<div class=\"bar\"><input id=\"find\" type=\"search\" placeholder=\"Search: a number, a word, a function (key /)\" aria-label=\"Search\">\
<select id=\"kind\" aria-label=\"Filter by status\"><option value=\"\">every status</option><option value=\"coq\">proved for all (Coq)</option><option value=\"kani\">code verified (Kani)</option>\
<option value=\"exhaustive\">exhaustive: every model of a family</option><option value=\"enumerated\">enumerated: every sample or policy</option><option value=\"sampled\">sampled: random models only</option>\
<option value=\"refuted\">false as printed (Coq)</option><option value=\"erratum\">print errs</option></select><span id=\"count\" role=\"status\"></span></div>\n";

pub fn frame(title: &str, body: &str, script: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<h1>{title}</h1>\n{body}\n</main>\n\
         <p><small>Written by opd {}.</small></p>\n<script>{script}</script>\n</body>\n</html>\n",
        mathml::STYLE,
        env!("CARGO_PKG_VERSION")
    )
}
