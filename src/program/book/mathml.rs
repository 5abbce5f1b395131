//! The register's formulas, plain Unicode with `_` and `^`, as MathML.

use crate::program::html::escape;

/// A formula, with the words around it: lines may break where the text has a space.
pub fn math(text: &str) -> String {
    if let Some((formula, power)) = text.split_once(" [") {
        return format!("{} <span class=\"number\">{}</span>", math(formula), math(&format!("[{power}")));
    }
    let (mut depth, mut parts, mut start) = (0, Vec::new(), 0);
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ' ' && depth == 0 {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    let set = |(i, part): (usize, &&str)| {
        // The article, not an action.
        let article = *part == "a" && parts.get(i + 1).is_some_and(|next| is_word(next));
        // The θ-regret: its hyphen is no minus.
        if let Some((sign, word)) = part.split_once('-').filter(|(sign, word)| !is_word(sign) && is_word(word)) {
            return format!("<math>{}</math>-{word}", Letters { rest: sign }.row(None));
        }
        let letters = part.trim_matches([',', ':', ';', '.', '(', ')']);
        let word = letters.strip_suffix("'s").unwrap_or(letters);
        let word =
            if word.len() < letters.len() { word.trim_start_matches(|c: char| c.is_ascii_uppercase()) } else { word };
        if article || is_word(word) {
            return escape(part);
        }
        format!("<math>{}</math>", Letters { rest: part }.row(None))
    };
    parts.iter().enumerate().map(set).collect::<Vec<_>>().join(" ")
}

fn is_word(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}

struct Letters<'a> {
    rest: &'a str,
}

impl Letters<'_> {
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

    fn word(&mut self) -> String {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        let lower = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase());
        let is_word =
            lower(word) || (word.len() > 2 && lower(&word[1..])) || word.bytes().all(|b| b.is_ascii_uppercase());
        let (word, rest) = self.rest.split_at(if is_word { end } else { 1 });
        self.rest = rest;
        word.to_owned()
    }

    /// Everything up to `end`, which is taken too.
    fn row(&mut self, end: Option<char>) -> String {
        let mut out = String::from("<mrow>");
        while let Some(c) = self.peek() {
            if Some(c) == end {
                self.next();
                break;
            }
            let base = self.atom();
            out += &self.scripts(base);
        }
        out + "</mrow>"
    }

    /// One sign, number or word.
    fn atom(&mut self) -> String {
        let Some(c) = self.peek() else { return String::new() };
        if c.is_ascii_digit() {
            return format!("<mn>{}</mn>", self.while_is(|c| c.is_ascii_digit() || c == '.').trim_end_matches('.'));
        }
        if c.is_ascii_alphabetic() {
            // Pv is a product, and so is every word of mixed letters; "for", "Thm" and "LP" are words.
            let word = self.word();
            let base = if word.len() == 1 { format!("<mi>{word}</mi>") } else { format!("<mtext>{word}</mtext>") };
            return self.accented(base);
        }
        self.next();
        if c.is_whitespace() {
            return "<mspace width=\"0.28em\"/>".into();
        }
        if c == '√' {
            let under = self.atom();
            let under = self.scripts(under);
            return format!("<msqrt>{under}</msqrt>");
        }
        if c == '{' {
            return self.row(Some('}'));
        }
        let sign = escape(&c.to_string());
        let base = match c {
            _ if c.is_alphabetic() => format!("<mi>{sign}</mi>"),
            // A browser would stretch them beyond what they enclose.
            '(' | ')' | '[' | ']' | '|' | '‖' | '⟨' | '⟩' => format!("<mo stretchy=\"false\">{sign}</mo>"),
            _ => format!("<mo>{sign}</mo>"),
        };
        self.accented(base)
    }

    /// A tilde or a hat, which Unicode sets after its letter.
    fn accented(&mut self, base: String) -> String {
        let accent = match self.peek() {
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
        match (below.is_empty(), above.is_empty()) {
            (true, true) => base,
            (false, true) => format!("<msub>{base}<mrow>{below}</mrow></msub>"),
            (true, false) => format!("<msup>{base}<mrow>{above}</mrow></msup>"),
            (false, false) => format!("<msubsup>{base}<mrow>{below}</mrow><mrow>{above}</mrow></msubsup>"),
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
    use super::math;

    #[test]
    fn formulas_are_set() {
        let set = |text: &str| math(text).replace("<math><mrow>", "").replace("</mrow></math>", "");
        assert_eq!(set("q^π"), "<msup><mi>q</mi><mrow><mi>π</mi></mrow></msup>");
        assert_eq!(set("G_β²"), "<msubsup><mi>G</mi><mrow><mi>β</mi></mrow><mrow><mn>2</mn></mrow></msubsup>");
        let tilde = "<mover accent=\"true\"><mi>g</mi><mo>~</mo></mover>";
        assert_eq!(set("g̃<1/2"), format!("{tilde}<mo>&lt;</mo><mn>1</mn><mo>/</mo><mn>2</mn>"));
        assert_eq!(set("Λ^{c−1}"), "<msup><mi>Λ</mi><mrow><mrow><mi>c</mi><mo>−</mo><mn>1</mn></mrow></mrow></msup>");
        assert_eq!(set("ν₀"), "<msub><mi>ν</mi><mrow><mn>0</mn></mrow></msub>");
        assert_eq!(math("x for all"), "<math><mrow><mi>x</mi></mrow></math> for all");
        assert_eq!(math("Bellman's, the policy's"), "Bellman's, the policy's");
        assert_eq!(set("π-regret"), "<mi>π</mi>-regret");
        assert_eq!(math("a run"), "a run");
        assert_eq!(math("of [c = 1]").split(' ').nth(1), Some("<span"));
        assert_eq!(set("‖x"), "<mo stretchy=\"false\">‖</mo><mi>x</mi>");
        assert_eq!(set("X'"), "<mi>X</mi><mo>'</mo>");
        assert_eq!(set("v*"), "<msup><mi>v</mi><mrow><mo>*</mo></mrow></msup>");
        assert_eq!(set("Pv"), "<mi>P</mi><mi>v</mi>");
        assert_eq!(set("Thm"), "<mtext>Thm</mtext>");
        assert_eq!(set("√2"), "<msqrt><mn>2</mn></msqrt>");
    }

    /// Whatever the register says, every tag is closed in order.
    #[test]
    fn every_formula_of_the_register_is_well_formed() {
        for check in crate::statements::checks() {
            let (html, mut open) = (math(check.compares), Vec::new());
            for tag in html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or("")) {
                if let Some(name) = tag.strip_prefix('/') {
                    assert_eq!(open.pop(), Some(name), "{}: {html}", check.name);
                } else if !tag.ends_with('/') {
                    open.push(tag.split(' ').next().unwrap_or(""));
                }
            }
            assert!(open.is_empty(), "{}: {html}", check.name);
        }
    }
}
