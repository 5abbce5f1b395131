//! Reports in a real browser: headless Chromium at the width of a phone, light and dark. Skipped, loudly, where there is none.
#![cfg(feature = "cli")]

mod opd;

use opd::{Place, opd};
use std::process::Command;

/// Measures the page after it is laid out; appended to a copy, as reports themselves have no script. Per figure, how far its
/// drawing reaches beyond its frame. What is drawn in grey are axes.
const PROBE: &str = "<script>addEventListener('load', () => {
 const root = document.documentElement, style = getComputedStyle(document.body);
 const light = (color) => color.match(/[0-9]+/g).slice(0, 3).reduce((sum, x) => sum + Number(x), 0);
 const beyond = Array.from(document.querySelectorAll('figure svg'), (svg) => { const box = svg.getBBox(), frame = svg.viewBox.baseVal;
  return Math.ceil(Math.max(-box.x, -box.y, box.x + box.width - frame.width, box.y + box.height - frame.height)); });
 parent.postMessage([innerWidth, root.scrollWidth, document.querySelectorAll('figure svg polyline:not([stroke=\"#808080\"])').length,
  light(style.color), light(style.backgroundColor), Math.max(...beyond)].join(' '), '*'); });</script>";

/// Chromium's window cannot be narrower than 500 pixels; a frame can.
const FRAME: &str = "<!doctype html><link rel=\"icon\" href=\"data:,\"><script>
 addEventListener('message', (e) => { document.documentElement.dataset.probe = e.data; });</script>
 <iframe src=\"probed.html\" style=\"width: 390px; height: 844px; border: 0\"></iframe>";

fn browser() -> Option<&'static str> {
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works)
}

/// What the probe finds on a page, in a scheme of colours; the console must stay empty.
fn probe(browser: &str, place: &Place, report: &str, dark: bool) -> Vec<i64> {
    place.write("probed.html", report.replace("</body>", &format!("{PROBE}</body>")).as_bytes());
    place.write("frame.html", FRAME.as_bytes());
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=800,900"])
        .args(["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"])
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .arg(format!("--user-data-dir={}", place.path("profile").display()))
        .arg(format!("file://{}", place.path("frame.html").display()))
        .output()
        .unwrap();
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!log.contains("CONSOLE"), "{log}");
    let probe = dom.split_once("data-probe=\"").unwrap_or_else(|| panic!("not laid out: {log}")).1;
    probe.split('"').next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect()
}

#[test]
fn reports_fit_a_phone_by_day_and_by_night() {
    let Some(browser) = browser() else {
        eprintln!("!!! SKIPPED: no Chromium here, so the reports were not looked at in a browser");
        return;
    };
    let place = Place::new();
    for (name, arguments, lines, words) in [
        (
            "audit",
            "audit --instance two-state --html audit.html",
            25,
            "C<sub>φ,1/2</sub>|G<sub>θ</sub>²|K, T, n|Theorem A.1's|Theorem C.1's|ρ-regret|Erratum 7|<details|D<sub>ψ</sub>/(1−γ)",
        ),
        (
            "run",
            "run --instance chain --inner 10 --outer 200 --html run.html",
            13,
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
    ] {
        let output = opd(&place, arguments);
        assert_eq!(output.code, Some(0), "{arguments}: {}{}", output.stdout, output.stderr);
        assert!(place.names().contains(&format!("{name}.html")), "{arguments}: no report");
        let report = std::fs::read_to_string(place.path(&format!("{name}.html"))).unwrap();
        for outside in ["http:", "https:", "<script", "@import"] {
            assert!(!report.replace("http://www.w3.org/2000/svg", "").contains(outside), "{name}: {outside}");
        }
        for word in words.split('|') {
            assert!(report.contains(word), "{name}: {word} is not there");
        }
        for dark in [false, true] {
            let found = probe(browser, &place, &report, dark);
            let &[window, width, drawn, ink, paper, beyond] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!(window, 390, "{name}: the window");
            assert!(width <= 390, "{name}: scrolls sideways, {width} wide");
            assert_eq!(drawn, lines, "{name}: lines drawn");
            assert!(beyond <= 0, "{name}: a figure is cut off by {beyond}");
            // Sums of red, green and blue, 765 at most: dark on light by day, light on dark by night.
            let contrast = if dark { ink - paper } else { paper - ink };
            assert!(contrast > 500, "{name}, dark {dark}: ink {ink} on paper {paper}");
        }
    }
}
