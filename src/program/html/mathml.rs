//! Formulas in plain Unicode, as MathML: `_` and `^` with what stands below and above, groups in braces, `{…}/{…}` a fraction, `\\{` a brace.

use super::page::escape;
use crate::statements::Statement;

/// Names of functions, set upright; those of the second list have what stands below under them.
const NAMES: [&str; 5] = ["softmax", "log", "Tr", "Var", "sp"];
const WITH_LIMITS: [&str; 4] = ["max", "min", "sup", "lim"];

const BRACKETS: &str = "()[]⟨⟩";
const SIGNS: &str = "=≤≥⪯<>+−-±·×,;:.*'∝∼∈⇔→∘∇∂∞⋄†…";

/// With the metrics of a font for mathematics scripts stand where they belong; browsers do not look for one by themselves.
pub const STYLE: &str = "math { font-family: 'Latin Modern Math', 'STIX Two Math', 'Cambria Math', 'DejaVu Math TeX Gyre', math; font-size: 1.08em; }
.formula { margin: .5rem 0; padding: .2rem 0 .2rem 2.4rem; text-indent: -1.2rem; overflow: auto hidden; overflow-wrap: normal; } .formula math { margin: .2em 0; }
@media (max-width: 40rem) { .formula { padding-left: 1.2rem; } .formula math { font-size: 1em; } .formula math:has(mfrac) { font-size: .88em; } }
";

/// A line may break before these, and at a space, if not within ⟨ and ⟩ or after an operator.
const RELATIONS: [&str; 6] = ["=", "≤", "≥", "∝", "+", "−"];

/// What a statement says: its formulas, then the gloss.
pub fn said(statement: &Statement) -> String {
    let gloss = statement.gloss();
    let mut html: String =
        gloss.formulas.iter().map(|line| format!("<p class=\"formula\">{}</p>\n", display(line))).collect();
    html += "<p>";
    for (i, part) in gloss.words.split('$').enumerate() {
        let set = |formula| format!("<math>{}</math>", Letters { rest: formula }.row(None));
        html += &if i % 2 == 1 { set(part) } else { escape(part) };
    }
    html + "</p>\n"
}

/// A formula of its own line or lines, with few words between: every piece that stays on one line is a formula.
pub fn display(text: &str) -> String {
    let (mut html, mut piece, mut angles) = (String::new(), String::new(), 0);
    let close = |piece: &mut String| match std::mem::take(piece) {
        piece if piece.is_empty() => piece,
        piece => format!("<math displaystyle=\"true\"><mrow>{piece}</mrow></math> "),
    };
    for token in tokens(text) {
        let sign = RELATIONS.contains(&token);
        let name = NAMES.contains(&token) || WITH_LIMITS.contains(&token);
        if !name && is_word(token.trim_matches(',')) {
            html += &close(&mut piece);
            html += &format!("{token} ");
            continue;
        }
        if sign && angles == 0 {
            html += &close(&mut piece);
            piece = format!("<mo lspace=\"0\" rspace=\"0.25em\">{token}</mo>");
            continue;
        }
        if sign {
            piece += &format!("<mo>{token}</mo>");
            continue;
        }
        if !piece.is_empty() && !piece.ends_with("</mo>") {
            piece += "<mspace width=\"0.2em\"/>";
        }
        for (i, factor) in factors(token).iter().enumerate() {
            if i > 0 && angles == 0 {
                html += close(&mut piece).trim_end();
                html += "<wbr>";
            }
            piece += &Letters { rest: factor }.row(None);
        }
        angles += token.matches('⟨').count();
        angles -= angles.min(token.matches('⟩').count());
        if angles == 0 && !is_operator(token) {
            html += &close(&mut piece);
        }
    }
    html += &close(&mut piece);
    html.trim_end().to_owned()
}

/// Whether what follows belongs to it: a sum, a maximum, an expectation.
fn is_operator(token: &str) -> bool {
    let name = token.split(['_', '^', '²']).next().unwrap_or("");
    NAMES.contains(&name)
        || WITH_LIMITS.contains(&name)
        || ["Σ", "𝔼", "∇"].contains(&name)
        || token.ends_with(['(', '['])
}

/// The factors of a product that is written without a space: it may be broken after a bracket and its scripts, outside all others.
fn factors(token: &str) -> Vec<&str> {
    let (mut depth, mut parts, mut start, mut closed) = (0, Vec::new(), 0, false);
    let mut script = false;
    for (at, c) in token.char_indices() {
        let of_script = script || raised(c).is_some() || lowered(c).is_some() || matches!(c, '_' | '^');
        if depth == 0 && closed && !of_script {
            closed = false;
            if c.is_alphabetic() || "([⟨".contains(c) {
                parts.push(&token[start..at]);
                start = at;
            }
        }
        script = matches!(c, '_' | '^') && depth == 0;
        depth += i32::from("([⟨{".contains(c)) - i32::from(")]⟩}".contains(c));
        closed |= depth == 0 && ")]⟩".contains(c);
    }
    if depth != 0 {
        return vec![token];
    }
    parts.push(&token[start..]);
    parts
}

/// What spaces part, but for those in braces.
fn tokens(text: &str) -> Vec<&str> {
    let (mut depth, mut parts, mut start) = (0, Vec::new(), 0);
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ' ' && depth == 0 {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A formula, with the words around it: lines may break where the text has a space.
pub fn math(text: &str) -> String {
    if let Some((formula, power)) = text.split_once(" [") {
        return format!("{} <span class=\"number\">{}</span>", math(formula), math(&format!("[{power}")));
    }
    let parts = tokens(text);
    let set = |(i, part): (usize, &&str)| {
        // A sign by itself: the spaces around it are its room.
        if part.chars().count() == 1 && part.chars().all(|c| SIGNS.contains(c)) {
            return format!("<math><mo lspace=\"0\" rspace=\"0\">{}</mo></math>", escape(part));
        }
        // The article, not an action.
        let article = *part == "a" && parts.get(i + 1).is_some_and(|next| is_word(next));
        // The θ-regret: its hyphen is no minus.
        if let Some((sign, word)) = part.split_once('-').filter(|(sign, word)| !is_word(sign) && is_word(word)) {
            return format!("<math>{}</math>-{word}", Letters { rest: sign }.row(None));
        }
        let letters = part.trim_matches([',', ':', ';', '.', '(', ')', '\'', '"']);
        let word = letters.strip_suffix("'s").unwrap_or(letters);
        // Print's number of a statement.
        let is_label = |word: &str| word.len() > 2 && word.as_bytes()[1] == b'.' && word.is_ascii();
        let word = if word.len() < letters.len() && !is_label(word) {
            word.trim_start_matches(|c: char| c.is_ascii_uppercase())
        } else {
            word
        };
        // Algorithm 1's.
        let counted = letters.len() > word.len() && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if article || counted || is_word(word) || is_label(word) {
            return escape(part);
        }
        format!("<math>{}</math>", Letters { rest: part }.row(None))
    };
    parts.iter().enumerate().map(set).collect::<Vec<_>>().join(" ")
}

fn is_word(text: &str) -> bool {
    let lower = |text: &str| text.len() > 1 && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let title = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase()) && text.len() > 2 && lower(&text[1..]);
    lower(text) || text.split('-').all(|part| lower(part) || title(part)) || ["LP", "MDP", "RL"].contains(&text)
}

struct Letters<'a> {
    rest: &'a str,
}

impl<'a> Letters<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn while_is(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        self.rest = rest;
        run.to_owned()
    }

    /// A name or a word of three letters or more, or else one letter: Pv and TD are products.
    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let run = &self.rest[..end];
        let long = run.len() > 2 && run[1..].bytes().all(|b| b.is_ascii_lowercase());
        let whole = long || NAMES.contains(&run) || WITH_LIMITS.contains(&run);
        let (word, rest) = self.rest.split_at(if whole { end } else { 1 });
        self.rest = rest;
        word
    }

    /// Everything up to `end`, which is taken too.
    fn row(&mut self, end: Option<char>) -> String {
        let mut out = String::from("<mrow>");
        while let Some(c) = self.peek() {
            if Some(c) == end {
                self.next();
                break;
            }
            // A sign has its own room.
            if c == ' ' && (out.ends_with("</mo>") || self.rest[1..].starts_with(|c| SIGNS.contains(c))) {
                self.next();
                continue;
            }
            let base = self.atom();
            out += &self.scripts(base);
        }
        out + "</mrow>"
    }

    /// One sign, number, name or group.
    fn atom(&mut self) -> String {
        let Some(c) = self.peek() else { return String::new() };
        if c.is_ascii_digit() {
            return format!("<mn>{}</mn>", self.while_is(|c| c.is_ascii_digit() || c == '.').trim_end_matches('.'));
        }
        if c.is_ascii_alphabetic() {
            let base = match self.word() {
                name if WITH_LIMITS.contains(&name) => {
                    format!("<mo form=\"prefix\" movablelimits=\"true\">{name}</mo>")
                }
                name if name.len() == 1 || NAMES.contains(&name) => format!("<mi>{name}</mi>"),
                word => format!("<mtext>{word}</mtext>"),
            };
            return self.accented(base);
        }
        self.next();
        match c {
            _ if c.is_whitespace() => "<mspace width=\"0.28em\"/>".into(),
            '√' => {
                let under = self.atom();
                format!("<msqrt>{}</msqrt>", self.scripts(under))
            }
            '{' => self.group(),
            // A brace that is written, not one that groups.
            '\\' => format!("<mo stretchy=\"false\">{}</mo>", self.next().map(String::from).unwrap_or_default()),
            'Σ' => "<mo>∑</mo>".into(),
            'ĥ' => "<mover accent=\"true\"><mi>h</mi><mo>^</mo></mover>".into(),
            _ if c.is_alphabetic() || "𝟙𝟏".contains(c) => self.accented(format!("<mi>{c}</mi>")),
            '|' | '‖' | '/' => format!("<mo stretchy=\"false\" lspace=\"0.05em\" rspace=\"0.05em\">{c}</mo>"),
            // A browser would stretch them beyond what they enclose.
            _ if BRACKETS.contains(c) => format!("<mo stretchy=\"false\">{c}</mo>"),
            _ if SIGNS.contains(c) => format!("<mo>{}</mo>", escape(&c.to_string())),
            _ => format!("<mtext>{}</mtext>", escape(&c.to_string())),
        }
    }

    /// What is in braces, and what it is divided by.
    fn group(&mut self) -> String {
        let above = self.row(Some('}'));
        match self.rest.strip_prefix("/{") {
            Some(rest) => {
                self.rest = rest;
                format!("<mfrac>{above}{}</mfrac>", self.row(Some('}')))
            }
            None => above,
        }
    }

    /// A tilde or a hat, which Unicode sets after its letter, or a prime, which is raised as it is.
    fn accented(&mut self, base: String) -> String {
        let accent = match self.peek() {
            Some('\'' | '′') => {
                self.next();
                return format!("<mrow>{base}<mo lspace=\"0\" rspace=\"0\">′</mo></mrow>");
            }
            Some('\u{303}') => "~",
            Some('\u{302}') => "^",
            Some('\u{304}') => "¯",
            _ => return base,
        };
        self.next();
        format!("<mover accent=\"true\">{base}<mo>{accent}</mo></mover>")
    }

    /// What stands below and above it.
    fn scripts(&mut self, base: String) -> String {
        let (mut below, mut above) = (String::new(), String::new());
        while let Some(c) = self.peek() {
            if c == '_' && below.is_empty() {
                self.next();
                below = self.script();
            } else if c == '^' {
                self.next();
                above += &self.script();
            } else if let Some(c) = raised(c) {
                self.next();
                above += &sign(c);
            } else if let Some(c) = lowered(c) {
                self.next();
                below += &sign(c);
            } else {
                break;
            }
        }
        // Under a sum or a maximum, where the style has room for it.
        let [sub, sup, both] = if base.contains("∑") || base.contains("movablelimits") {
            ["munder", "mover", "munderover"]
        } else {
            ["msub", "msup", "msubsup"]
        };
        match (below.is_empty(), above.is_empty()) {
            (true, true) => base,
            (false, true) => format!("<{sub}>{base}<mrow>{below}</mrow></{sub}>"),
            (true, false) => format!("<{sup}>{base}<mrow>{above}</mrow></{sup}>"),
            (false, false) => format!("<{both}>{base}<mrow>{below}</mrow><mrow>{above}</mrow></{both}>"),
        }
    }

    fn script(&mut self) -> String {
        if self.peek() == Some('{') {
            self.next();
            return self.row(Some('}'));
        }
        self.atom()
    }
}

fn sign(c: char) -> String {
    if c.is_ascii_digit() { format!("<mn>{c}</mn>") } else { format!("<mo>{c}</mo>") }
}

fn raised(c: char) -> Option<char> {
    let plain = "0123456789−+⊤*".chars();
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀ*".chars().zip(plain).find_map(|(raised, plain)| (raised == c).then_some(plain))
}

fn lowered(c: char) -> Option<char> {
    "₀₁₂₃₄₅₆₇₈₉".chars().zip("0123456789".chars()).find_map(|(lowered, plain)| (lowered == c).then_some(plain))
}

#[cfg(test)]
mod tests {
    use super::{display, math, said};
    use crate::statements::{checks, statements};

    #[test]
    fn formulas_are_set() {
        let set = |text: &str| math(text).replace("<math><mrow>", "").replace("</mrow></math>", "");
        // Words, whatever is around them; a sign among words has no room of its own.
        assert_eq!(math("Offline Primal-Dual RL"), "Offline Primal-Dual RL");
        assert_eq!(math("Algorithm 1's box"), "Algorithm 1's box");
        assert_eq!(math("row \"Ours\": one"), "row &quot;Ours&quot;: one");
        assert_eq!(set("x = y").matches("<math><mo lspace=\"0\" rspace=\"0\">=</mo></math>").count(), 1);
        assert_eq!(set("q^π"), "<msup><mi>q</mi><mrow><mi>π</mi></mrow></msup>");
        assert_eq!(set("G_β²"), "<msubsup><mi>G</mi><mrow><mi>β</mi></mrow><mrow><mn>2</mn></mrow></msubsup>");
        let tilde = "<mover accent=\"true\"><mi>g</mi><mo>~</mo></mover>";
        assert_eq!(set("g̃<1"), format!("{tilde}<mo>&lt;</mo><mn>1</mn>"));
        assert_eq!(set("Λ^{c−1}"), "<msup><mi>Λ</mi><mrow><mrow><mi>c</mi><mo>−</mo><mn>1</mn></mrow></mrow></msup>");
        assert_eq!(set("ν₀"), "<msub><mi>ν</mi><mrow><mn>0</mn></mrow></msub>");
        assert_eq!(math("x for all"), "<math><mrow><mi>x</mi></mrow></math> for all");
        assert_eq!(math("Bellman's, the policy's"), "Bellman's, the policy's");
        assert_eq!(math("Lemma C.5's"), "Lemma C.5's");
        assert_eq!(set("π-regret"), "<mi>π</mi>-regret");
        assert_eq!(math("a run"), "a run");
        assert_eq!(math("of [c = 1]").split(' ').nth(1), Some("<span"));
        assert_eq!(set("⟨x"), "<mo stretchy=\"false\">⟨</mo><mi>x</mi>");
        assert_eq!(set("‖x"), "<mo stretchy=\"false\" lspace=\"0.05em\" rspace=\"0.05em\">‖</mo><mi>x</mi>");
        let prime = "<mrow><mi>X</mi><mo lspace=\"0\" rspace=\"0\">′</mo></mrow>";
        assert_eq!(set("X'_t"), format!("<msub>{prime}<mrow><mi>t</mi></mrow></msub>"));
        assert_eq!(set("v*"), "<msup><mi>v</mi><mrow><mo>*</mo></mrow></msup>");
        assert_eq!(set("Pv"), "<mi>P</mi><mi>v</mi>");
        assert_eq!(math("Thm"), "Thm");
        assert_eq!(set("(Thm=x"), "<mo stretchy=\"false\">(</mo><mtext>Thm</mtext><mo>=</mo><mi>x</mi>");
        assert_eq!(set("√2"), "<msqrt><mn>2</mn></msqrt>");
        assert_eq!(set("{1}/{T}"), "<mfrac><mrow><mn>1</mn></mrow><mrow><mi>T</mi></mrow></mfrac>");
        assert_eq!(set("Σ_t"), "<munder><mo>∑</mo><mrow><mi>t</mi></mrow></munder>");
        assert_eq!(set("\\{1"), "<mo stretchy=\"false\">{</mo><mn>1</mn>");
        assert!(set("log(x").starts_with("<mi>log</mi>"));
        assert_eq!(set("☃"), "<mtext>☃</mtext>");
        // A hyphen between capitals is a minus; a sign within braces has its own room.
        assert_eq!(set("A-B"), "<mi>A</mi><mo>-</mo><mi>B</mi>");
        assert_eq!(set("{a + b}"), "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>");
    }

    /// Lines break before relations and words, not within ⟨ and ⟩.
    #[test]
    fn a_displayed_formula_may_be_broken() {
        let pieces = |text| display(text).matches("<math").count();
        assert_eq!(pieces("x = y + z"), 3);
        assert_eq!(pieces("⟨x, y − z⟩"), 1);
        assert_eq!(pieces("⟨x, y⟩ − z"), 2);
        assert_eq!(pieces("x, y"), 2);
        assert!(display("maximise x over y").contains("</math> over <math"));
        assert!(!display("log |A|").starts_with("log"));
        let spaces = |text| display(text).matches("<mspace").count();
        assert_eq!([spaces("x y"), spaces("x = y"), spaces("⟨x, y − z⟩"), spaces("Σ_t x")], [0, 0, 1, 1]);
        // At a space, but not after a sum; and between factors, but not within brackets, and not before a script.
        assert_eq!(
            [pieces("x y"), pieces("Σ_t x"), pieces("𝔼[x]ᵀΛ^{−c}𝔼[y]"), pieces("f(x)^2(y)g_t"), pieces("(f(x)g(y))")],
            [2, 1, 2, 3, 1]
        );
    }

    /// Every tag is closed in order.
    fn expect_well_formed(html: &str) {
        let mut open = Vec::new();
        for tag in html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or("")) {
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{html}");
            } else if !tag.ends_with('/') && tag != "wbr" {
                open.push(tag.split(' ').next().unwrap_or(""));
            }
        }
        assert!(open.is_empty(), "{html}");
    }

    #[test]
    fn every_formula_of_the_register_is_well_formed() {
        for check in checks() {
            expect_well_formed(&math(check.compares));
        }
        for statement in statements() {
            expect_well_formed(&math(statement.title));
            expect_well_formed(&said(statement));
        }
    }

    /// In a displayed formula every sign is known, every brace has its fellow, and words are between formulas.
    #[test]
    fn every_displayed_formula_is_typeset() {
        for statement in statements() {
            for formula in statement.gloss().formulas {
                let html = display(formula);
                expect_well_formed(&html);
                assert!(!html.contains("<mtext>"), "{}, {formula}: a sign or a word is not known", statement.id);
                let count = |c| formula.matches(c).count();
                assert_eq!(
                    [count('{'), count('('), count('['), count('⟨')],
                    [count('}'), count(')'), count(']'), count('⟩')],
                    "{formula}"
                );
            }
        }
    }
}
