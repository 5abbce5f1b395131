//! Reports in a real browser: headless Chromium at the width of a phone. Skipped, loudly, where there is none.
#![cfg(feature = "cli")]

mod opd;

use opd::{Place, opd};
use std::process::Command;

/// Measures the page after it is laid out; appended to a copy, as reports themselves have no script.
const PROBE: &str = "<script>addEventListener('load', () => { const root = document.documentElement;
 parent.postMessage([innerWidth, root.scrollWidth, document.querySelectorAll('figure svg polyline').length].join(' '), '*'); });</script>";

/// Chromium's window cannot be narrower than 500 pixels; a frame can.
const FRAME: &str = "<!doctype html><link rel=\"icon\" href=\"data:,\"><script>
 addEventListener('message', (e) => { document.documentElement.dataset.probe = e.data; });</script>
 <iframe src=\"probed.html\" style=\"width: 390px; height: 844px; border: 0\"></iframe>";

fn browser() -> Option<&'static str> {
    let works = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works)
}

#[test]
fn reports_fit_a_phone() {
    let Some(browser) = browser() else {
        eprintln!("SKIPPED: no Chromium here, so the reports were not looked at in a browser");
        return;
    };
    let place = Place::new();
    for (name, arguments, lines) in [
        ("audit", "audit --instance two-state --html audit.html", 0),
        ("run", "run --instance chain --inner 10 --outer 30 --html run.html", 5),
        ("certify", "certify --instance chain --inner 5 --outer 6 --html certify.html", 8),
        ("average", "certify --setting average --instance ergodic --inner 5 --outer 4 --html average.html", 9),
    ] {
        let output = opd(&place, arguments);
        assert_eq!(output.code, Some(0), "{arguments}: {}{}", output.stdout, output.stderr);
        assert!(place.names().contains(&format!("{name}.html")), "{arguments}: no report");
        let report = std::fs::read_to_string(place.path(&format!("{name}.html"))).unwrap();
        for outside in ["http:", "https:", "<script", "@import"] {
            assert!(!report.replace("http://www.w3.org/2000/svg", "").contains(outside), "{name}: {outside}");
        }
        place.write("probed.html", report.replace("</body>", &format!("{PROBE}</body>")).as_bytes());
        place.write("frame.html", FRAME.as_bytes());
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=800,900"])
            .args(["--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", place.path("profile").display()))
            .arg(format!("file://{}", place.path("frame.html").display()))
            .output()
            .unwrap();
        let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!log.contains("CONSOLE"), "{name}: {log}");
        let probe = dom.split_once("data-probe=\"").unwrap_or_else(|| panic!("{name}: not laid out: {log}")).1;
        let numbers: Vec<u32> = probe.split('"').next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
        assert_eq!(numbers[0], 390, "{name}: the window");
        assert!(numbers[1] <= 390, "{name}: scrolls sideways, {} wide", numbers[1]);
        assert!(numbers[2] >= lines, "{name}: {} lines drawn, expected {lines}", numbers[2]);
    }
}
