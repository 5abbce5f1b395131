//! The README's worked example, run as it stands.
#![cfg(feature = "cli")]

use std::fs::{self, File};
use std::process::{Command, Stdio};

/// The lines of the fenced block that starts with `first`.
fn block(readme: &str, first: &str) -> Vec<String> {
    let start = readme.find(&format!("```sh\n{first}")).expect("the worked example is gone");
    readme[start..].lines().skip(1).take_while(|line| !line.starts_with("```")).map(str::to_string).collect()
}

#[test]
fn the_worked_example_works() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let lines = block(&readme, "opd instances");
    assert_eq!(lines.len(), 5);
    let dir = std::env::temp_dir().join(format!("opd-readme-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let mut output = String::new();
    for line in &lines {
        // The one shell feature the block uses.
        let (command, redirect) = line.split_once(" > ").map_or((line.as_str(), None), |(c, file)| (c, Some(file)));
        let mut words = command.split(' ');
        assert_eq!(words.next(), Some("opd"));
        let out = redirect.map_or(Stdio::piped(), |file| File::create(dir.join(file)).unwrap().into());
        let run = Command::new(env!("CARGO_BIN_EXE_opd")).args(words).current_dir(&dir).stdout(out).output().unwrap();
        assert!(run.status.success(), "{line}\n{}", String::from_utf8_lossy(&run.stderr));
        output += &String::from_utf8_lossy(&run.stdout);
    }
    assert!(output.contains("equal: gap = suboptimality = sum of the regrets, exactly"), "{output}");
    let report = fs::read_to_string(dir.join("report.html")).unwrap();
    assert!(report.contains("<svg"), "the report has no figure");
    fs::remove_dir_all(&dir).unwrap();
}

/// What the first screen says that the program prints: lines of the table, and the last one.
#[test]
fn the_first_screen_is_what_is_printed() {
    let readme = text("README.md");
    let (ending, rest) = readme.split_once("The first ends with `").unwrap().1.split_once('`').unwrap();
    let lines = rest.split("```").nth(1).unwrap().lines().skip(1);
    let run = Command::new(env!("CARGO_BIN_EXE_opd")).output().unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    let folded = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let printed: Vec<String> = printed.lines().map(folded).collect();
    assert_eq!(printed.last().map(String::as_str), Some(ending));
    let mut shown = 0;
    for line in lines.map(folded) {
        assert!(printed.contains(&line), "not printed: {line}");
        shown += 1;
    }
    assert!(shown >= 5, "{shown} lines");
}

/// The calls that the text names in passing work too: those on an embedded instance, which need no file of the reader's.
#[test]
fn calls_in_the_text_work() {
    let readme = text("README.md");
    let calls: Vec<&str> =
        readme.split('`').filter(|code| code.starts_with("opd ") && code.contains("--instance ")).collect();
    assert!(calls.len() >= 2, "{calls:?}");
    for call in calls {
        let run = Command::new(env!("CARGO_BIN_EXE_opd")).args(call.split(' ').skip(1)).output().unwrap();
        assert!(run.status.success(), "{call}: {}", String::from_utf8_lossy(&run.stderr));
    }
}

fn text(file: &str) -> String {
    fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap_or_else(|e| panic!("{file}: {e}"))
}

/// One version, wherever it is written.
#[test]
fn versions_are_in_step() {
    let version = env!("CARGO_PKG_VERSION");
    for file in ["python/Cargo.toml", "python/pyproject.toml", "wasm/Cargo.toml"] {
        assert!(text(file).contains(&format!("\nversion = \"{version}\"\n")), "{file}: not version {version}");
    }
    assert!(text("CITATION.cff").contains(&format!("\nversion: {version}\n")), "CITATION.cff: not version {version}");
    let (minor, _) = version.rsplit_once('.').unwrap();
    for file in ["README.md", "docs/oracle.md"] {
        let asked = format!("offline-primal-dual = {{ version = \"{minor}\"");
        assert!(text(file).contains(&asked), "{file}: no `{asked}`");
    }
    assert!(text("CHANGELOG.md").contains(&format!("\n## [{version}]")), "CHANGELOG.md: nothing about {version}");
}

/// Every link of a page to a file of the repository leads somewhere.
#[test]
fn links_between_pages_resolve() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["docs", "docs/tables"].map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let docs = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "python/README.md"].map(|file| root.join(file));
    let pages = docs.filter(|file| file.extension().is_some_and(|ext| ext == "md")).chain(top);
    let mut links = 0;
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', '#', ' ']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            assert!(page.parent().unwrap().join(target).exists(), "{}: no {target}", page.display());
        }
    }
    assert!(links > 30, "{links}");
}
