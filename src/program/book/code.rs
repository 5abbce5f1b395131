//! Rust and Coq as HTML, with comments, words of the language and strings told apart.

use crate::program::html::escape;

const RUST: &[&str] = &[
    "as", "const", "else", "enum", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "mut", "pub", "ref",
    "return", "self", "Self", "struct", "trait", "type", "use", "where", "while", "true", "false",
];

const COQ: &[&str] = &[
    "Definition",
    "Theorem",
    "Prop",
    "forall",
    "exists",
    "fun",
    "let",
    "in",
    "match",
    "with",
    "end",
    "if",
    "then",
    "else",
];

/// Rust source.
pub fn rust(text: &str) -> String {
    let mut html = String::new();
    for line in text.lines() {
        let (code, rest) = line.split_at(line.find("//").unwrap_or(line.len()));
        html += &format!("{}{}\n", highlighted(code, RUST), comment(rest));
    }
    html
}

/// Coq's, whose comments are blocks, and nest.
pub fn coq(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("(*") {
        html += &highlighted(&rest[..start], COQ);
        let (block, after) = rest[start..].split_at(block(&rest[start..]));
        html += &comment(block);
        rest = after;
    }
    html + &highlighted(rest, COQ) + "\n"
}

/// Where the comment that a text starts with ends.
fn block(text: &str) -> usize {
    let mut depth = 0_usize;
    let marks = text.char_indices().map(|(at, _)| (at, &text[at..]));
    for (at, rest) in marks {
        depth += usize::from(rest.starts_with("(*"));
        if rest.starts_with("*)") {
            depth -= 1;
            if depth == 0 {
                return at + 2;
            }
        }
    }
    text.len()
}

fn comment(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<i>{}</i>", escape(text)) }
}

fn highlighted(code: &str, words: &[&str]) -> String {
    let mut html = String::new();
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(c) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if c == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else {
            c.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        html += &if words.contains(&token) {
            format!("<b>{token}</b>")
        } else if c == '"' {
            format!("<s>{}</s>", escape(token))
        } else {
            escape(token)
        };
        rest = after;
    }
    html
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_comments_and_strings_are_told_apart() {
        assert_eq!(super::rust("let x = \"a<b\"; // why"), "<b>let</b> x = <s>&quot;a&lt;b&quot;</s>; <i>// why</i>\n");
        assert_eq!(super::coq("Theorem t : forall x, p."), "<b>Theorem</b> t : <b>forall</b> x, p.\n");
        let nested = super::coq("(* if\n (* a *) then *) if x");
        assert_eq!(nested, "<i>(* if\n (* a *) then *)</i> <b>if</b> x\n");
    }
}
