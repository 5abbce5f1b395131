//! `docs/paper-map.md`: statement → function → test → proof, generated from the source and checked.
//!
//! A doc comment that starts with a statement's number cites it. This test fails when a statement has no function, when
//! a citation names no statement, and when the file is not what the source says. To rewrite the file:
//! `UPDATE_PAPER_MAP=1 cargo test --test paper_map`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Every numbered statement of the paper, in print's order.
const STATEMENTS: &[(&str, &str)] = &[
    ("S2.return", "ρ(π) in both vector forms"),
    ("S2.q", "the action value q^π"),
    ("S2.v", "the value v^π"),
    ("S2.nu", "the state occupancy ν^π"),
    ("S2.mu", "the occupancy measure μ^π"),
    ("(1)", "Bellman's equation and the flow constraint"),
    ("(2)", "the LP over occupancy measures, policy extraction"),
    ("Def 2.1", "linear MDP"),
    ("(3)", "q^π = Φθ^π and the bound D_θ"),
    ("(4)", "the primal LP in features"),
    ("(5)", "the dual LP in features"),
    ("(6)", "the Lagrangian, both forms"),
    ("S3.cov", "Λ and its powers"),
    ("(7)", "v_t"),
    ("(8)", "μ_{t,k}"),
    ("(9)", "g̃_β"),
    ("(10)", "g̃_θ"),
    ("Alg 1", "Offline Primal-Dual RL"),
    ("Def 3.1", "the generalised coverage ratio"),
    ("Thm 3.2", "sample complexity, discounted"),
    ("Cor 3.3", "the same under standard assumptions"),
    ("(11)", "the Lagrangian in β"),
    ("(12)", "the same, regrouped"),
    ("(13)", "μ_{β,π}"),
    ("(14)", "f(β,π;θ)"),
    ("(15)", "f in two further forms"),
    ("S4.unbiased-mu", "E μ_{t,k} = μ_{β,π}"),
    ("S4.unbiased-theta", "E g̃_θ = ∇_θ f"),
    ("(16)", "the dynamic duality gap"),
    ("Lemma 4.1", "gap = average suboptimality"),
    ("Lemma 4.2", "gap = θ-regret + β-regret + π-regret"),
    ("Thm A.1", "the six-term bound"),
    ("(19)", "G_θ²"),
    ("(20)", "G_β²"),
    ("Rem A.2", "Tr(Λ^{2c−1})‖Λ‖^{2c−1} ≤ D_φ^{8c−4}d^{2−2c}"),
    ("(21)", "the three-way telescoping"),
    ("Lemma B.1", "θ-regret and the second moment of g̃_θ"),
    ("B.unbiased-beta", "E g̃_β = ∇_β f"),
    ("Lemma B.2", "β-regret and the second moment of g̃_β"),
    ("Lemma B.3", "π-regret"),
    ("S5.gain", "the gain ρ^π"),
    ("S5.bias", "the bias q^π, v^π, span seminorm"),
    ("Asm 5.1", "bounded span"),
    ("Asm 5.2", "1 = Φϱ"),
    ("Thm 5.3", "sample complexity, average reward"),
    ("(23)", "the average-reward LP, Lagrangians, f and gradients"),
    ("Alg 2", "the average-reward method"),
    ("Thm C.1", "the eight-term bound"),
    ("(24)", "G_β²"),
    ("(25)", "G_ρ²"),
    ("(26)", "G_θ²"),
    ("Cor C.2", "the same under standard assumptions"),
    ("Lemma C.3", "gap = suboptimality"),
    ("Lemma C.4", "decomposition and bound"),
    ("Lemma C.5", "g̃_β: unbiased, second moment"),
    ("Lemma C.6", "g̃_ρ: unbiased, second moment"),
    ("Lemma C.7", "g̃_θ: unbiased, second moment"),
    ("Lemma D.1", "online stochastic gradient descent"),
    ("Lemma D.2", "mirror descent"),
    ("Def E.1", "four coverage ratios"),
    ("Prop E.2", "the variance identity"),
    ("Prop E.3", "C^† ≤ C^⋄ ≤ d C^†"),
    ("Prop E.4", "C_{F,π} ≤ C^†"),
    ("S6.tabular", "tabular forms, χ²"),
];

struct Item {
    module: String,
    name: String,
    cites: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below `dir` with the given ending, sorted.
fn files(dir: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(dir)];
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for path in entries.map(|e| e.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.to_str().unwrap().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The statements a doc comment's first line cites: what stands before its first colon, comma by comma.
fn citations(first_line: &str) -> Vec<String> {
    let head = first_line.split(": ").next().unwrap_or("");
    if head.len() == first_line.len() && !first_line.ends_with(':') {
        return Vec::new();
    }
    head.split(", ").flat_map(|part| part.split(" and ")).filter_map(citation).collect()
}

fn citation(part: &str) -> Option<String> {
    let part = part.trim().trim_start_matches("and ");
    if let Some(rest) = part.strip_prefix('(') {
        let number = rest.split(')').next()?;
        return number.chars().all(|c| c.is_ascii_digit()).then(|| format!("({number})"));
    }
    let words: Vec<&str> = part.split(' ').collect();
    let kinds = ["Def", "Lemma", "Thm", "Cor", "Alg", "Rem", "Prop", "Asm"];
    if kinds.contains(&words[0]) && words.len() > 1 {
        return Some(format!("{} {}", words[0], words[1].trim_end_matches("'s")));
    }
    let section = words[0].split('.').next()?;
    let tagged = words[0].contains('.') && (section == "B" || section.starts_with('S') && section.len() == 2);
    tagged.then(|| words[0].to_string())
}

/// The documented public items of a source file that cite something.
fn items(path: &Path) -> Vec<Item> {
    let text = fs::read_to_string(path).unwrap();
    let module = path.strip_prefix(root().join("src")).unwrap().with_extension("");
    let module = module.to_str().unwrap().replace(['/', '\\'], "::").replace("::mod", "");
    let mut doc: Option<String> = None;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            doc.get_or_insert_with(|| text.trim().to_string());
        } else if !line.starts_with("#[") {
            let first = doc.take().unwrap_or_default();
            let words: Vec<&str> = line.split([' ', '(', '<', '{']).collect();
            let kind = words.iter().position(|w| ["fn", "struct", "enum", "trait", "const"].contains(w));
            if let (true, Some(kind)) = (line.starts_with("pub "), kind) {
                let name = words.iter().skip(kind + 1).find(|w| !["fn", "const"].contains(*w)).unwrap();
                let cites = citations(&first);
                if !cites.is_empty() {
                    found.push(Item { module: module.clone(), name: (*name).trim_end_matches(':').to_string(), cites });
                }
            }
        }
    }
    found
}

/// Whether `name` stands in `text` as a word.
fn mentions(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with(word) && !text[at + name.len()..].starts_with(word))
}

/// Theorems whose names do not spell the statement's number.
const COQ_NAMES: &[(&str, &[&str])] = &[
    ("S2.return", &["section_2_return"]),
    ("S2.v", &["section_2_values", "section_2_selection"]),
    ("S2.nu", &["section_2_occupancies", "section_2_selection"]),
    ("(3)", &["section_2_theta_bound"]),
    ("S4.unbiased-mu", &["unbiased_mu"]),
    ("S4.unbiased-theta", &["unbiased_theta", "unbiased_theta_printed"]),
    ("B.unbiased-beta", &["unbiased_beta"]),
    ("S5.gain", &["section_5_gain"]),
    ("(23)", &["appendix_C_lagrangian", "appendix_C_f"]),
];

/// Whether a Coq theorem is about a statement: "Lemma 4.1" is `lemma_4_1…`, "(13)" is `equation_13` or `equation_12_13`.
fn proves(name: &str, id: &str) -> bool {
    if COQ_NAMES.iter().any(|(statement, names)| *statement == id && names.contains(&name)) {
        return true;
    }
    let number = id.trim_matches(['(', ')']);
    if let Some(numbers) = name.strip_prefix("equation_") {
        return id.starts_with('(') && numbers.split('_').any(|n| n == number);
    }
    let Some((kind, number)) = id.split_once(' ') else { return false };
    let kind = if kind == "Thm" { "theorem".to_string() } else { kind.to_lowercase() };
    let spelt = format!("{kind}_{}", number.replace('.', "_"));
    name.strip_prefix(&spelt).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn coq_theorems(id: &str, sources: &[String]) -> BTreeSet<String> {
    let names = sources.iter().flat_map(|s| s.lines()).filter_map(|line| line.trim_start().strip_prefix("Theorem "));
    names
        .map(|rest| rest.split([' ', ':', '(', '{']).next().unwrap_or("").to_string())
        .filter(|name| proves(name, id))
        .collect()
}

fn read_all(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|p| fs::read_to_string(p).unwrap()).collect()
}

/// A test file by its path below `tests/`, without the ending.
fn test_name(path: &Path) -> String {
    let relative = path.strip_prefix(root().join("tests")).unwrap().with_extension("");
    relative.to_str().unwrap().replace('\\', "/")
}

fn paper_map(items: &[Item]) -> String {
    let test_paths = files("tests", ".rs");
    let tests = read_all(&test_paths);
    let coq = read_all(&[root().join("proofs/coq/Main.v"), root().join("proofs/coq/MainD.v")]);
    let mut out = String::from(
        "# The paper in this code\n\nGenerated from the source: `UPDATE_PAPER_MAP=1 cargo test --test paper_map` rewrites this \
         file, and `cargo test` fails\nwhen it is stale, when a statement has no function, or when a citation names no \
         statement.\nTests: the files that call one of the functions. Coq: theorems in `proofs/coq/`, for every dimension.\n\n\
         | statement | what it says | functions | tests | Coq |\n|---|---|---|---|---|\n",
    );
    for (id, title) in STATEMENTS {
        let cited: Vec<&Item> = items.iter().filter(|i| i.cites.iter().any(|c| c == id)).collect();
        let functions: Vec<String> = cited.iter().map(|i| format!("`{}::{}`", i.module, i.name)).collect();
        let checked: Vec<String> = test_paths
            .iter()
            .zip(&tests)
            .filter(|(path, text)| !path.ends_with("paper_map.rs") && cited.iter().any(|i| mentions(text, &i.name)))
            .map(|(path, _)| test_name(path))
            .collect();
        let proofs: Vec<String> = coq_theorems(id, &coq).into_iter().map(|name| format!("`{name}`")).collect();
        let title = title.replace('|', "\\|");
        writeln!(out, "| {id} | {title} | {} | {} | {} |", functions.join(" "), checked.join(" "), proofs.join(" "))
            .unwrap();
    }
    out
}

#[test]
fn every_statement_has_a_function_and_a_test_and_the_map_says_so() {
    let items: Vec<Item> = files("src", ".rs").iter().flat_map(|path| items(path)).collect();
    for item in &items {
        for cite in &item.cites {
            let known = STATEMENTS.iter().any(|(id, _)| id == cite);
            assert!(known, "{}::{} cites {cite}, which is no statement", item.module, item.name);
        }
    }
    let map = paper_map(&items);
    for line in map.lines().filter(|l| l.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = line.split(" | ").collect();
        assert!(!cells[2].trim().is_empty(), "no function cites {}", cells[0]);
        assert!(!cells[3].trim().is_empty(), "no test calls a function of {}", cells[0]);
    }
    let path = root().join("docs/paper-map.md");
    if std::env::var_os("UPDATE_PAPER_MAP").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &map).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(stored == map, "docs/paper-map.md is stale: run UPDATE_PAPER_MAP=1 cargo test --test paper_map");
}

#[test]
fn citations_are_read_as_documented() {
    assert_eq!(citations("(9), `eq:def-tildegb`: g̃_β = …"), ["(9)"]);
    assert_eq!(citations("Def 3.1, `def:gcr`, and Def E.1, 1: C"), ["Def 3.1", "Def E.1"]);
    assert_eq!(citations("Lemma 4.1's comparators for β: x"), ["Lemma 4.1"]);
    assert_eq!(citations("Thm A.1, (19): G_θ²"), ["Thm A.1", "(19)"]);
    assert!(citations("(x, a) and a sentence. No citation").is_empty());
    assert!(citations("The rows (1) sum to one").is_empty());
}
