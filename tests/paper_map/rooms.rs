//! Who uses whom, as `docs/design.md` draws it: read off the paths `crate::…` of the code.

use super::{files, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Module → modules that it uses, below `dir`, whose paths start with `prefix`.
fn uses(dir: &str, prefix: &str) -> BTreeMap<String, BTreeSet<String>> {
    let top = root().join(dir);
    let module = |path: &std::path::Path| {
        let name = path.strip_prefix(&top).unwrap().iter().next().unwrap().to_str().unwrap();
        name.trim_end_matches(".rs").to_owned()
    };
    let sources: Vec<_> = files(dir, ".rs").into_iter().filter(|path| !path.ends_with("tests.rs")).collect();
    let known: BTreeSet<String> = sources.iter().map(|path| module(path)).collect();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in &sources {
        let (user, text) = (module(path), fs::read_to_string(path).unwrap());
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let names = code.split(prefix).skip(1).flat_map(|rest| {
            let group = rest.strip_prefix('{').and_then(|rest| rest.split('}').next());
            group.unwrap_or(rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()).split(',')
        });
        let names = names.filter_map(|name| name.trim().split(':').next());
        let used = names.filter(|name| *name != user && known.contains(*name)).map(str::to_owned);
        found.entry(user.clone()).or_default().extend(used);
    }
    found
}

/// What is left when the modules that use nothing that is left are taken away again and again.
fn circles(mut uses: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let left: BTreeSet<String> = uses.keys().cloned().collect();
        let before = uses.len();
        uses.retain(|_, used| used.iter().any(|name| left.contains(name)));
        if uses.len() == before {
            return uses;
        }
    }
}

#[test]
fn no_module_of_the_program_uses_itself_in_a_circle() {
    let mut uses = uses("src/program", "crate::program::");
    // The one file that knows every command.
    uses.remove("mod");
    assert!(uses.len() > 35 && uses["run"].contains("engine") && uses["api"].contains("audit"), "{uses:?}");
    assert_eq!(circles(uses), BTreeMap::new());
}

#[test]
fn rooms_use_each_other_as_drawn() {
    let design = fs::read_to_string(root().join("docs/design.md")).unwrap();
    let drawn: BTreeMap<String, BTreeSet<String>> = design
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(" uses "))
        .map(|(room, used)| (room.trim().to_owned(), used.split_whitespace().map(str::to_owned).collect()))
        .collect();
    let mut uses = uses("src", "crate::");
    for everybodys in ["lib", "bin", "error"] {
        uses.remove(everybodys);
        for used in uses.values_mut() {
            used.remove(everybodys);
        }
    }
    uses.retain(|_, used| !used.is_empty());
    assert_eq!(uses, drawn);
    assert_eq!(circles(uses), BTreeMap::new());
}
