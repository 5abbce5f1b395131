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
