//! Pieces of a Rust or Coq file: a function with its comments, a claim, a definition with what is said above it.

/// A piece of a file.
pub struct Excerpt {
    /// From the checkout's root.
    pub file: String,
    /// Its first line, from 1.
    pub line: usize,
    pub text: String,
}

/// The word that a text starts with.
pub fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'').unwrap_or(text.len());
    &text[..end]
}

/// A function or type with its comments and attributes; a method where its type is named.
pub fn function(file: &str, text: &str, of: Option<&str>, name: &str) -> Option<Excerpt> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = |line: &str, public: &str| {
        let Some(rest) = line.trim_start().strip_prefix(public) else { return false };
        let rest = rest.trim_start_matches("const ");
        let kinds = ["fn ", "struct ", "enum ", "trait "];
        kinds.iter().any(|kind| rest.strip_prefix(kind).is_some_and(|rest| word(rest) == name))
    };
    let names = |line: &str, kind: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == kind);
    let block = |kind| lines.iter().position(|line| line.starts_with("impl") && names(line, kind));
    let from = of.map_or(Some(0), block)?;
    let find = |public| lines[from..].iter().position(|line| starts(line, public));
    let at = from + find("pub ").or_else(|| find(""))?;
    let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
    let above = lines[..at].iter().rev().take_while(|line| {
        let line = line.trim_start();
        line.starts_with("///") || line.starts_with("#[")
    });
    let first = at - above.count();
    let close = format!("{indent}}}");
    let ends =
        |line: &str| line == close || (line.starts_with(indent) && line.ends_with(';') && line.contains("struct "));
    let last = (at..lines.len()).find(|&i| ends(lines[i]))?;
    let body: Vec<&str> = lines[first..=last].iter().map(|line| line.strip_prefix(indent).unwrap_or(line)).collect();
    Some(Excerpt { file: file.to_owned(), line: first + 1, text: body.join("\n") })
}

/// From the line that starts it to the blank line or the proof after it.
pub fn claim(file: &str, text: &str, starts: impl Fn(&str) -> bool) -> Option<Excerpt> {
    let line = text.lines().position(starts)?;
    let body: Vec<&str> = text.lines().skip(line).take_while(|line| !line.trim().is_empty()).collect();
    let end = body.iter().position(|line| line.trim_start().starts_with("Proof")).unwrap_or(body.len());
    Some(Excerpt { file: file.to_owned(), line: line + 1, text: body[..end].join("\n") })
}

/// The definitions that a claim names, each from the comment that is above it, or above its neighbours, on.
pub fn definitions(file: &str, text: &str, claim: &str) -> Vec<Excerpt> {
    let named = |name: &str| claim.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    let of = |line: usize, starts: &str| {
        starts.strip_prefix("Definition ").filter(|rest| named(word(rest)))?;
        let above = text.lines().take(line).collect::<Vec<_>>();
        let first = above.iter().rposition(|line| line.starts_with("(**"))?;
        let own = text.lines().skip(line).take_while(|line| !line.is_empty());
        let whole: Vec<&str> = above[first..].iter().copied().chain(own).collect();
        Some(Excerpt { file: file.to_owned(), line: first + 1, text: whole.join("\n") })
    };
    text.lines().enumerate().filter_map(|(line, starts)| of(line, starts)).collect()
}

#[cfg(test)]
mod tests {
    use super::{definitions, function};

    const RUST: &str = "struct A;\nimpl A {\n    pub fn run() {\n        a();\n    }\n}\n\nstruct B;\n\nimpl<T> B<T> {\n    /// B's.\n    pub fn run() {\n        b();\n    }\n}\n";

    /// A method is that of its type.
    #[test]
    fn a_method_is_its_types() {
        let found = function("f.rs", RUST, Some("B"), "run").map(|found| (found.line, found.text));
        assert_eq!(found, Some((11, "/// B's.\npub fn run() {\n    b();\n}".to_owned())));
        assert_eq!(function("f.rs", RUST, None, "run").map(|found| found.line), Some(3));
        assert!(function("f.rs", RUST, Some("C"), "run").is_none());
    }

    #[test]
    fn a_definition_has_its_comment() {
        let coq = "(** No. *)\nDefinition no := 0.\n\n(** Why. *)\nDefinition first := 1.\n\nDefinition yes :=\n  first.\n\nDefinition more := 2.\n";
        let found = definitions("f.v", coq, "~ yes -> yes'");
        let found: Vec<_> = found.iter().map(|found| (found.line, found.text.as_str())).collect();
        assert_eq!(found, [(4, "(** Why. *)\nDefinition first := 1.\n\nDefinition yes :=\n  first.")]);
    }
}
