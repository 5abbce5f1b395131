//! Every kind of page in a real browser: headless Chromium, at the widths of a desk and of a phone, light and dark. Skipped, loudly, where there
//! is none. `OPD_SCREENSHOTS=DIR` keeps pictures, for the eye; `OPD_WASM=FILE` is the reading edition's cell (`wasm/check.sh`).
#![cfg(feature = "cli")]

mod browser;
mod opd;

use browser::Keyboard;
use offline_primal_dual::statements::{Statement, statements};
use opd::{Place, opd};
use serde_json::Value;
use std::fs::read_to_string;
use std::process::Command;

/// Looks at a page after it is laid out and, if it computes, has computed; appended to a copy. Per figure, how far its drawing reaches beyond its frame, and whether both
/// axes have a title; how many formulas need a scroll of their own; what has no landmark, no name or no scope. What is drawn in grey are axes. The least contrast of a text with what is behind it is WCAG's ratio.
const PROBE: &str = "<script>addEventListener('load', async () => {
 while (document.getElementById('told')?.textContent === 'Loading.') await new Promise((done) => setTimeout(done, 10));
 const rgb = (color) => { const n = color.match(/[0-9.]+/g).map(Number); return [n[0], n[1], n[2], n.length > 3 ? n[3] : 1]; };
 const over = (top, under, opacity) => [0, 1, 2].map((i) => under[i] + (top[i] - under[i]) * top[3] * opacity).concat(1);
 const luminance = (color) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => { const c = color[i] / 255;
  return sum + weight * (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4)); }, 0);
 const paper = rgb(getComputedStyle(document.documentElement).backgroundColor)[3] ? rgb(getComputedStyle(document.documentElement).backgroundColor) : rgb(getComputedStyle(document.body).backgroundColor);
 const behind = (element) => { const parents = []; for (let e = element; e; e = e.parentElement) parents.unshift(e);
  return parents.reduce((under, e) => over(rgb(getComputedStyle(e).backgroundColor), under, 1), paper); };
 const opacity = (element) => { let all = 1; for (let e = element; e; e = e.parentElement) all *= getComputedStyle(e).opacity; return all; };
 document.querySelectorAll('details').forEach((d) => { d.open = true; });
 let least = 21, worst = '';
 const look = (element, style, text) => { const under = behind(element);
  const ink = over(rgb(element instanceof SVGElement ? style.fill : style.color), under, opacity(element) * (style === getComputedStyle(element) ? 1 : style.opacity));
  const [a, b] = [luminance(ink), luminance(under)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
  if (ratio < least) { least = ratio; worst = text.trim().slice(0, 40); } };
 const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
 while (walk.nextNode()) { const element = walk.currentNode.parentElement, text = walk.currentNode.data;
  if (text.trim() && element.getClientRects().length && !['SCRIPT', 'STYLE'].includes(element.tagName)) look(element, getComputedStyle(element), text); }
 for (const element of document.querySelectorAll('td')) { const style = getComputedStyle(element, '::before');
  if (style.content !== 'none' && style.content !== 'normal') look(element, style, 'before: ' + style.content); }
 const figures = Array.from(document.querySelectorAll('figure svg'), (svg) => { const box = svg.getBBox(), frame = svg.viewBox.baseVal;
  const words = Array.from(svg.querySelectorAll('text')).filter((text) => /[a-zA-Zα-ω]{2}|^[A-Z]/.test(text.textContent));
  const turned = words.filter((text) => text.hasAttribute('transform')).length;
  return { beyond: Math.ceil(Math.max(-box.x, -box.y, box.x + box.width - frame.width, box.y + box.height - frame.height)), titled: turned === 1 && words.length === 2 }; });
 const cut = Array.from(document.querySelectorAll('.formula')).filter((f) => f.scrollWidth > f.clientWidth + 1).length;
 const unnamed = Array.from(document.body.children).filter((e) => !['HEADER', 'MAIN', 'FOOTER', 'SCRIPT'].includes(e.tagName) && e.className !== 'skip').map((e) => e.tagName)
  .concat(Array.from(document.querySelectorAll('th:not([scope]), figure svg:not([role=\"img\"][aria-label])'), (e) => e.tagName));
 parent.postMessage({ window: innerWidth, cut, unnamed, width: document.documentElement.scrollWidth, dark: matchMedia('(prefers-color-scheme: dark)').matches, least, worst, figures,
  lines: document.querySelectorAll('figure svg polyline:not([stroke=\"#808080\"])').length }, '*'); });</script>";

/// Every page twice in one window, in frames, which may be narrower than a window may.
fn frames(pages: &[String], widths: &[u32]) -> String {
    let mut html = String::from(
        "<!doctype html><link rel=\"icon\" href=\"data:,\"><body><script>const seen = {};
 addEventListener('message', (e) => { const frame = [...document.querySelectorAll('iframe')].find((f) => f.contentWindow === e.source);
 seen[frame.name] = e.data; document.documentElement.dataset.probe = JSON.stringify(seen); });</script>",
    );
    for page in pages {
        for width in widths {
            html += &format!(
                "<iframe name=\"{page} {width}\" src=\"probed-{page}.html\" style=\"width: {width}px; height: 844px; border: 0\"></iframe>"
            );
        }
    }
    html
}

fn browser() -> Option<&'static str> {
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works);
    if found.is_none() {
        eprintln!("!!! SKIPPED: no Chromium here, so the pages were not looked at in a browser");
    }
    found
}

fn chromium(browser: &str, place: &Place, file: &str, dark: bool) -> Command {
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-sync"])
        .args(["--disable-background-networking", "--disable-component-update", "--enable-logging=stderr"])
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .arg(format!("--user-data-dir={}", place.path(if dark { "night" } else { "day" }).display()))
        .arg(format!("file://{}", place.path(file).display()));
    command
}

/// What the probes left in `data-probe` of a page; the console must stay empty.
fn probed(browser: &str, place: &Place, file: &str, dark: bool) -> Value {
    let mut command = chromium(browser, place, file, dark);
    let output =
        command.args(["--window-size=1400,900", "--virtual-time-budget=20000", "--dump-dom"]).output().unwrap();
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!log.contains("CONSOLE"), "{log}");
    let probe = dom.split_once("data-probe=\"").unwrap_or_else(|| panic!("not laid out: {log}")).1;
    let mut text = probe.split('"').next().unwrap().to_owned();
    for (entity, plain) in [("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{a0}"), ("&amp;", "&")] {
        text = text.replace(entity, plain);
    }
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// Pictures of a page at every width and in both schemes, where they are asked for.
fn keep_pictures(browser: &str, place: &Place, name: &str) {
    let Ok(folder) = std::env::var("OPD_SCREENSHOTS") else { return };
    std::fs::create_dir_all(&folder).unwrap();
    for (width, dark) in [(1280, false), (1280, true), (390, false), (390, true)] {
        let frame = format!(
            "<!doctype html><style>body {{ margin: 0 }}</style><iframe src=\"{name}.html\" style=\"width: {width}px; height: 1600px; border: 0\"></iframe>"
        );
        place.write("picture.html", frame.as_bytes());
        let picture = format!("{folder}/{name}-{width}-{}.png", if dark { "dark" } else { "light" });
        let mut command = chromium(browser, place, "picture.html", dark);
        command.args([&format!("--window-size={},1600", width.max(500)), "--virtual-time-budget=5000"]);
        assert!(command.arg(format!("--screenshot={picture}")).output().unwrap().status.success(), "{picture}");
    }
}

/// Every kind of page: its name, the call that writes it, the lines of its figures, words that it must have.
const PAGES: [(&str, &str, u64, &str); 7] = [
    (
        "audit",
        "audit --instance two-state --html audit.html",
        25,
        "C<sub>φ,1/2</sub>|G<sub>θ</sub>²|K, T, n|Theorem A.1's|Theorem C.1's|ρ-regret|Erratum 7|<details|<math>|<mfrac>|What a policy earns",
    ),
    (
        "run",
        "run --instance chain --inner 10 --outer 200 --seeds 2 --html run.html",
        14,
        "θ-regret|radius D<sub>θ</sub>|up to t of this run|C<sup>⋄</sup>|Policy π<sub>J</sub>|by the rows that were read|return of the uniform policy|outer iteration t",
    ),
    (
        "certify",
        "certify --instance chain --inner 5 --outer 6 --html certify.html",
        12,
        "θ-regret|β-regret|π-regret|up to t of this run|C<sup>⋄</sup>|Policy π<sub>J</sub>",
    ),
    (
        "average",
        "certify --setting average --instance ergodic --inner 5 --outer 4 --html average.html",
        13,
        "ρ-regret|up to t of this run",
    ),
    ("search", "tune --instance chain --data d.csv --search 2 --html search.html", 6, "LSTDQ"),
    ("table1", "table1 --instance two-state --rows 500 --seeds 2 --html table1.html", 24, "Table 1"),
    ("index", "book --out . --source ROOT", 0, "<math>|<mfrac>|What a policy earns|id=\"graph\""),
];

#[test]
fn every_kind_of_page_is_fit_to_be_read_at_a_desk_and_on_a_phone_by_day_and_by_night() {
    let Some(browser) = browser() else { return };
    let place = Place::new();
    assert_eq!(opd(&place, "sample --instance chain --rows 2000 --out d.csv").code, Some(0));
    for (name, arguments, _, words) in PAGES {
        let output = opd(&place, &arguments.replace("ROOT", env!("CARGO_MANIFEST_DIR")));
        assert_eq!(output.code, Some(0), "{arguments}: {}{}", output.stdout, output.stderr);
        let page = read_to_string(place.path(&format!("{name}.html"))).unwrap_or_else(|e| panic!("{arguments}: {e}"));
        for outside in ["http:", "https:", "<script", "@import"] {
            let own = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(outside) || (name == "index" && outside == "<script"), "{name}: {outside}");
        }
        for word in words.split('|') {
            assert!(page.contains(word), "{name}: {word} is not there");
        }
        place.write(&format!("probed-{name}.html"), page.replace("</body>", &format!("{PROBE}</body>")).as_bytes());
        keep_pictures(browser, &place, name);
    }
    let names = PAGES.map(|(name, ..)| name.to_owned());
    place.write("frame.html", frames(&names, &[1280, 390]).as_bytes());
    let look = |dark| {
        let seen = probed(browser, &place, "frame.html", dark);
        for (name, _, lines, _) in PAGES {
            readable(&seen, name, lines, dark);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| look(false));
        look(true);
    });
}

/// At both widths: no sideways scroll, the figures' lines there and uncut, axes with titles, every text with WCAG's AA contrast.
fn readable(seen: &Value, name: &str, lines: u64, dark: bool) {
    for width in [1280, 390] {
        let (page, what) = (&seen[format!("{name} {width}")], format!("{name}, {width} pixels, dark {dark}"));
        assert_eq!((&page["window"], &page["dark"]), (&width.into(), &dark.into()), "{what}: {page}");
        assert!(page["width"].as_u64().unwrap() <= width, "{what}: scrolls sideways, {} wide", page["width"]);
        assert_eq!(page["lines"], lines, "{what}: lines drawn");
        assert_eq!(page["unnamed"], serde_json::json!([]), "{what}: outside every landmark, or without a name");
        // Nearly all break; some fraction may be wider than a phone.
        assert!(
            page["cut"].as_u64().unwrap() <= if width < 500 { 2 } else { 0 },
            "{what}: {} formulas cut",
            page["cut"]
        );
        assert!(page["least"].as_f64().unwrap() >= 4.5, "{what}: contrast {} of {}", page["least"], page["worst"]);
        for figure in page["figures"].as_array().unwrap() {
            assert!(figure["beyond"].as_i64().unwrap() <= 0, "{what}: a figure is cut off by {}", figure["beyond"]);
            assert_eq!(figure["titled"], true, "{what}: an axis without a title");
        }
    }
}

/// What has the focus: its tag, its place among all that Tab may reach, and whether a reader sees that it has it: an outline, and its first line
/// neither outside the window nor under the bar.
const FOCUS: &str = "(() => { const e = document.activeElement, style = getComputedStyle(e), box = e.getClientRects()[0];
 const stops = [...document.querySelectorAll('a[href], input, select, button, summary, [tabindex=\"0\"]')].filter((s) => s.checkVisibility());
 const bar = document.querySelector('.bar'), over = bar && !bar.contains(e) ? bar.getBoundingClientRect() : { top: 0, bottom: 0 };
 return { id: e.id, tag: e.tagName, place: stops.indexOf(e), of: stops.length, seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
  && (box.top >= over.bottom - 1 || box.bottom <= over.top || box.height > innerHeight - over.bottom) && box.top < innerHeight && box.bottom > 0 && box.right > 0 && box.left < innerWidth }; })()";

/// The first sixty stops of Tab: every link, field and fold once, in the page's order, each to be seen. The others come in the same order, since
/// nothing has a place of its own.
fn walk_by_tab(keys: &mut Keyboard) {
    assert_eq!(keys.seen("document.querySelectorAll('[tabindex]:not([tabindex=\"0\"], [tabindex=\"-1\"])').length"), 0);
    for place in 0..60 {
        keys.press("Tab");
        let focus = keys.seen(FOCUS);
        assert_eq!(focus["place"], place, "Tab {place} went elsewhere: {focus}");
        assert_eq!(focus["seen"], true, "the focus is not to be seen: {focus}");
    }
}

/// The book by a reader who has no mouse.
#[test]
fn the_book_is_read_with_the_keyboard_alone() {
    let Some(browser) = browser() else { return };
    let place = Place::new();
    let output = opd(&place, &format!("book --out . --source {}", env!("CARGO_MANIFEST_DIR")));
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let mut keys = Keyboard::new(browser, &place.path("profile"), &place.path("index.html"));
    walk_by_tab(&mut keys);
    let focused = "document.activeElement.id";
    // Search, and from the field to what was found; its first fold opens under Enter.
    keys.press("/");
    assert_eq!(keys.seen(focused), "find");
    keys.write("lemma c.4");
    assert_eq!(keys.seen("count.textContent"), "1 of 85 statements");
    keys.press("Enter");
    assert_eq!(keys.seen(focused), "sLemma-C.4");
    keys.press("Tab");
    keys.press("Tab");
    assert_eq!(keys.seen("document.activeElement.tagName"), "SUMMARY");
    keys.press("Enter");
    assert_eq!(keys.seen("document.activeElement.parentElement.open"), true);
    // A link to what the search hides shows it.
    keys.seen("location.hash = '#sThm-3.2'");
    assert_eq!(keys.seen("(async () => { await new Promise(requestAnimationFrame); const at = document.getElementById('sThm-3.2'); return !at.hidden && at.getBoundingClientRect().top < 200; })()"), true);
    assert_eq!(keys.seen("[find.value, count.textContent]"), serde_json::json!(["", "85 of 85 statements"]));
    // The filter, by its arrow keys: every status, and each leaves some statements and not all.
    keys.press("/");
    keys.press("Tab");
    for _ in 1..keys.seen("kind.options.length").as_u64().unwrap() {
        keys.press("ArrowDown");
        let left = keys.seen("all.filter((a) => !a.hidden).length").as_u64().unwrap();
        assert!(0 < left && left < 85, "{}: {left}", keys.seen("kind.value"));
    }
    // j and k go through what is left, and back.
    keys.press("Escape");
    keys.seen("scrollTo(0, 0)");
    let mut met = Vec::new();
    for key in ["j", "j", "j", "k", "k"] {
        keys.press(key);
        met.push(keys.seen(focused));
    }
    let shown = keys.seen("all.filter((a) => !a.hidden).slice(0, 3).map((a) => a.id)");
    assert_eq!(met, [0, 1, 2, 1, 0].map(|i: usize| shown[i].clone()));
    // e closes the fold that is open, then opens every one.
    for all in [false, true] {
        keys.press("e");
        assert_eq!(keys.seen("[...document.querySelectorAll('details')].every((d) => d.open)"), all);
        assert_eq!(keys.seen("[...document.querySelectorAll('details')].some((d) => d.open)"), all);
    }
}

/// What a search for a text leaves.
fn found(keys: &mut Keyboard, text: &str) -> Vec<String> {
    keys.seen(&format!("find.value = {text:?}; find.dispatchEvent(new Event('input'))"));
    serde_json::from_value(keys.seen("all.filter((a) => !a.hidden).map((a) => a.id)")).unwrap()
}

/// By what print, the code, Coq, Kani and the errata call it; and where there is nothing, the page says so and has no empty heading.
#[test]
fn the_book_is_searched_by_what_the_paper_calls_things() {
    let Some(browser) = browser() else { return };
    let place = Place::new();
    let output = opd(&place, &format!("book --out . --source {}", env!("CARGO_MANIFEST_DIR")));
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let mut keys = Keyboard::new(browser, &place.path("profile"), &place.path("index.html"));
    for (text, only) in [
        ("Theorem 3.2", "sThm-3.2"),
        ("definition 3.1", "sDef-3.1"),
        ("assumption 5.1", "sAsm-5.1"),
        ("proposition E.3", "sProp-E.3"),
        ("equation 8", "s8"),
        ("eq. (8)", "s8"),
        ("lemma_B_1_regret", "sLemma-B.1"),
    ] {
        let found = found(&mut keys, text);
        assert!(found.iter().any(|id| id == only) && found.len() < 8, "{text}: {found:?}");
    }
    assert!(found(&mut keys, "softmax").contains(&"sAlg-1".to_owned()));
    let of = |wanted: fn(&Statement) -> bool| statements().filter(|statement| wanted(statement)).count();
    for (text, count) in [
        ("section 4", of(|statement| statement.section == "4")),
        ("appendix C", of(|statement| statement.section == "C")),
        ("erratum 1", of(|statement| statement.errata.contains(&1))),
        ("coq", of(|statement| !statement.coq.is_empty())),
        ("kani", of(|statement| !statement.kani.is_empty())),
        ("theorem_3_2_refuted", of(|statement| statement.refuted.contains(&"theorem_3_2_refuted"))),
        ("", statements().count()),
    ] {
        assert_eq!(found(&mut keys, text).len(), count, "{text}");
    }
    let seen = "[...document.querySelectorAll('h2, #none')].filter((e) => e.checkVisibility()).map((e) => e.id)";
    let all = keys.seen(seen).as_array().unwrap().len();
    assert!(all > 12, "{all}");
    found(&mut keys, "no such thing");
    assert_eq!(keys.seen(seen), serde_json::json!(["none"]));
    // A link into what is hidden shows it again, and a fold that holds it is opened.
    keys.seen("document.querySelector('.reading').open = false; document.querySelector('#axioms').closest('details').open = false; location.hash = '#axioms'");
    assert_eq!(keys.seen("(async () => { await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame); return document.getElementById('axioms').checkVisibility(); })()"), true);
}

/// On paper closed folds are open and colors are printed, in the book and in a report.
#[test]
fn nothing_is_folded_away_on_paper() {
    let Some(browser) = browser() else { return };
    let place = Place::new();
    for call in [
        &format!("book --out . --source {}", env!("CARGO_MANIFEST_DIR")),
        "audit --instance two-state --html audit.html",
    ] {
        assert_eq!(opd(&place, call).code, Some(0), "{call}");
    }
    let mut keys = Keyboard::new(browser, &place.path("profile"), &place.path("index.html"));
    let shut = "[...document.querySelectorAll('details')].filter((d) => { d.open = false; const inside = d.children[1]; return !inside.checkVisibility() || inside.getBoundingClientRect().height === 0; }).length";
    for page in ["index.html", "audit.html"] {
        keys.go(&format!("file://{}", place.path(page).display()));
        assert!(keys.seen(shut).as_u64().unwrap() > 5, "{page}: folds are open on a screen");
        keys.print();
        assert_eq!(keys.seen(shut), 0, "{page}: closed on paper");
        assert_eq!(
            keys.seen("getComputedStyle(document.querySelector('summary')).printColorAdjust"),
            "exact",
            "{page}"
        );
        keys.screen();
    }
}

/// Edits the cell's table and notes what it says: after loading, with p(0|0,0) = 3/4, with γ = 2.
const READER: &str = "<script>{
 const rows = () => [...document.getElementById('rows').rows].map((row) => [...row.dataset.key.split('\\t'), ...[2, 3, 4].map((i) => row.cells[i].dataset.exact), row.dataset.status]);
 const edited = async (i, value) => { const field = document.querySelectorAll('#model input')[i], said = told.textContent; field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true })); while (told.textContent === said) await new Promise((done) => setTimeout(done, 10)); };
 (async () => { while (!told.textContent.includes('checks:')) await new Promise((done) => setTimeout(done, 10));
  const first = rows(); await edited(2, '3/4'); const second = rows(), changed = document.querySelectorAll('.changed').length;
  const last = document.querySelectorAll('#model output')[1].textContent; await edited(0, '2');
  document.documentElement.dataset.probe = JSON.stringify({ first, second, changed, last, wrong: told.textContent }); })(); }</script>";

/// Rows of the cell's table, but for what counts the operations of a run: debug assertions count, and the cell has none.
fn compared(rows: &Value) -> Vec<&Value> {
    let counts = |row: &&Value| row[0].as_str().unwrap().starts_with("S3.cost");
    rows.as_array().unwrap().iter().filter(|row| !counts(row)).collect()
}

/// The audit of a problem file as rows of the cell's table.
fn audited(place: &Place, file: &str) -> Value {
    let output = opd(place, &format!("audit --mdp {file} --json"));
    let findings: Vec<Value> = serde_json::from_str(&output.stdout).unwrap();
    let keys = ["statement", "compares", "lhs", "rhs", "residual", "status"];
    findings.iter().map(|found| keys.map(|key| found[key].clone()).to_vec()).map(Value::from).collect()
}

/// The page computes what the program computes, to the last digit, before and after an edit; and says what it cannot read.
#[test]
fn the_cell_recomputes_every_identity_exactly() {
    let Ok(wasm) = std::env::var("OPD_WASM") else {
        eprintln!("!!! SKIPPED: no OPD_WASM=FILE, so the reading edition's cell was not tried (wasm/check.sh)");
        return;
    };
    let Some(browser) = browser() else { return };
    let place = Place::new();
    let output = opd(&place, &format!("book --out . --source {} --wasm {wasm}", env!("CARGO_MANIFEST_DIR")));
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let page = read_to_string(place.path("try.html")).unwrap();
    let book = read_to_string(place.path("index.html")).unwrap();
    let links = page.match_indices("index.html#").map(|(at, link)| page[at + link.len()..].split('"').next().unwrap());
    for link in links {
        assert!(book.contains(&format!("id=\"{link}\"")), "a link to #{link} leads nowhere");
    }
    place.write("read.html", page.replace("</body>", &format!("{READER}</body>")).as_bytes());
    let seen = probed(browser, &place, "read.html", false);
    let problem = opd(&place, "instances two-state").stdout;
    place.write("before.json", problem.as_bytes());
    place.write("after.json", problem.replacen("7/8", "3/4", 1).replacen("1/8", "1/4", 1).as_bytes());
    for (part, file) in [("first", "before.json"), ("second", "after.json")] {
        let audit = audited(&place, file);
        assert!(compared(&audit).len() > 180);
        assert_eq!(compared(&seen[part]), compared(&audit), "{part}");
    }
    assert!(seen["changed"].as_u64().unwrap() > 20, "{}", seen["changed"]);
    assert_eq!((&seen["last"], &seen["wrong"]), (&"1/4".into(), &"γ: found 2, expected 0 to 1".into()));
    by_keys(browser, &place);
    let looked = page.replace("</body>", &format!("{PROBE}</body>"));
    place.write("probed-try.html", looked.as_bytes());
    keep_pictures(browser, &place, "try");
    place.write("frame.html", frames(&["try".to_owned()], &[1280, 390]).as_bytes());
    for dark in [false, true] {
        readable(&probed(browser, &place, "frame.html", dark), "try", 0, dark);
    }
}

/// The cell under the keyboard alone: Tab to p(0|0,0), a new number over the old one, and the last probability of the row follows.
fn by_keys(browser: &str, place: &Place) {
    let mut keys = Keyboard::new(browser, &place.path("keys"), &place.path("try.html"));
    while !keys.seen("told.textContent").as_str().unwrap().contains("checks:") {}
    while keys.seen("document.activeElement === numbers[2]") != true {
        keys.press("Tab");
        assert_eq!(keys.seen(FOCUS)["seen"], true, "{}", keys.seen(FOCUS));
    }
    let said = keys.seen("told.textContent");
    keys.write("3/4"); // what Tab reaches is selected
    while keys.seen("told.textContent") == said || keys.seen("lasts[1].textContent") != "1/4" {}
    assert_eq!(keys.seen("numbers[2].value"), "3/4");
}
