//! What rounding adds to the theorems' bounds is what Coq's definitions say: `proofs/coq/Rounding1.v`, `FloatAlgorithm2.v` and what they use are
//! read, evaluated in doubles at random sizes, and held against `fast::rounding`. Neither can drift alone, with or without Coq here.
#![cfg(feature = "std")]

use offline_primal_dual::fast::rounding::{Sizes, average_rounding_term, rounding_term};
use offline_primal_dual::sampler::Uniforms;
use std::collections::{BTreeMap, HashMap};

/// By name: the parameters, and the tokens of the body.
type Definitions = HashMap<String, (Vec<String>, Vec<String>)>;
type Numbers = BTreeMap<String, f64>;

fn source() -> String {
    let files = ["Rounding1.v", "FloatAlgorithm2.v", "Perturbed1.v", "Perturbed2.v", "Algorithm1.v", "Algorithm2.v"];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs/coq");
    let text: String = files.iter().filter_map(|file| std::fs::read_to_string(folder.join(file)).ok()).collect();
    // Comments are not nested there.
    text.split("(*")
        .enumerate()
        .map(|(i, part)| if i == 0 { part } else { part.split_once("*)").map_or("", |p| p.1) })
        .collect()
}

fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut word, chars) = (String::new(), text.replace("%R", " ").replace(":=", " ≔ "));
    for c in chars.chars() {
        if c != '²' && (c.is_alphanumeric() || c == '_' || c == '.') {
            word.push(c);
            continue;
        }
        found.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        found.extend((!c.is_whitespace()).then(|| c.to_string()));
    }
    found.extend((!word.is_empty()).then_some(word));
    found
}

fn definitions(source: &str) -> Definitions {
    let mut all = Definitions::new();
    for part in source.split("Definition ").skip(1) {
        let Some((head, rest)) = part.split_once(":=") else { continue };
        // A sentence ends with a full stop before a line's end.
        let body = rest.split(".\n").next().unwrap_or_default();
        let head = tokens(head);
        let groups = head[1..].split(|token| token == "(").skip(1);
        let names = groups.flat_map(|group| group.iter().take_while(|token| *token != ":").cloned());
        let body = tokens(body.split(". ").next().unwrap_or_default());
        all.entry(head[0].clone()).or_insert((names.collect(), body));
    }
    all
}

struct Reader<'a> {
    all: &'a Definitions,
    numbers: Numbers,
    tokens: &'a [String],
}

impl Reader<'_> {
    fn next_is(&self, word: &str) -> bool {
        self.tokens.first().is_some_and(|token| token == word)
    }

    fn take(&mut self) -> String {
        let (first, rest) = self.tokens.split_first().expect("the end of a definition");
        self.tokens = rest;
        first.clone()
    }

    fn expect(&mut self, word: &str) {
        assert_eq!(self.take(), word);
    }

    fn sum(&mut self) -> f64 {
        if self.next_is("let") {
            self.take();
            let name = self.take();
            self.expect("≔");
            let value = self.sum();
            self.expect("in");
            self.numbers.insert(name, value);
            return self.sum();
        }
        if self.next_is("if") {
            self.tokens = &self.tokens[2..]; // if Nat.eqb
            let (left, right) = (self.argument(), self.argument());
            self.expect("then");
            let yes = self.sum();
            self.expect("else");
            let no = self.sum();
            return if left == right { yes } else { no };
        }
        let mut value = self.product();
        loop {
            match self.tokens.first().map(String::as_str) {
                Some("+") => {
                    value += {
                        self.take();
                        self.product()
                    }
                }
                Some("-") => {
                    value -= {
                        self.take();
                        self.product()
                    }
                }
                _ => return value,
            }
        }
    }

    fn product(&mut self) -> f64 {
        let mut value = self.power();
        loop {
            match self.tokens.first().map(String::as_str) {
                Some("*") => {
                    value *= {
                        self.take();
                        self.power()
                    }
                }
                Some("/") => {
                    value /= {
                        self.take();
                        self.power()
                    }
                }
                _ => return value,
            }
        }
    }

    fn power(&mut self) -> f64 {
        let mut value = self.factor();
        while self.next_is("²") {
            self.take();
            value *= value;
        }
        value
    }

    /// A number, an inverse, or a name with what it is applied to.
    fn factor(&mut self) -> f64 {
        if self.next_is("/") {
            self.take();
            return 1.0 / self.factor();
        }
        if !self.tokens.first().is_some_and(|token| token.starts_with(char::is_alphabetic)) {
            return self.argument();
        }
        let name = self.take();
        let mut arguments = Vec::new();
        while self
            .tokens
            .first()
            .is_some_and(|token| token == "(" || token != "²" && token.starts_with(char::is_alphanumeric))
            && !["then", "else", "in"].contains(&self.tokens[0].as_str())
        {
            arguments.push(self.argument());
        }
        self.named(&name, &arguments)
    }

    fn argument(&mut self) -> f64 {
        let token = self.take();
        if token == "(" {
            let value = self.sum();
            self.expect(")");
            return value;
        }
        token.parse().unwrap_or_else(|_| self.named(&token, &[]))
    }

    fn named(&self, name: &str, arguments: &[f64]) -> f64 {
        match (name, arguments) {
            ("INR", [n]) => *n,
            ("chunks", [n]) => (n / 8.0).ceil(),
            ("sqrt", [x]) => x.sqrt(),
            // The run, its errors and its MDP: whose fields are numbers here.
            ("r" | "e" | "M", _) => f64::NAN,
            _ => self.numbers.get(name).copied().unwrap_or_else(|| self.defined(name, arguments)),
        }
    }

    fn defined(&self, name: &str, arguments: &[f64]) -> f64 {
        let (parameters, body) = self.all.get(name).unwrap_or_else(|| panic!("no definition of {name}"));
        let mut numbers = self.numbers.clone();
        numbers.extend(parameters.iter().cloned().zip(arguments.iter().copied()));
        let mut reader = Reader { all: self.all, numbers, tokens: body };
        let value = reader.sum();
        assert!(reader.tokens.is_empty(), "{name}: {:?}", reader.tokens);
        value
    }
}

/// The numbers with the errors of a record filled in, as its definition lists them.
fn with_errors(all: &Definitions, numbers: &Numbers, source: &str, definition: &str, record: &str) -> Numbers {
    let fields = source.split(&format!("Record {record} := ")).nth(1).unwrap().split('{').nth(1).unwrap();
    let fields = fields.split('}').next().unwrap().split(';').map(|field| field.split(':').next().unwrap().trim());
    let mut reader = Reader { all, numbers: numbers.clone(), tokens: &all[definition].1[1..] };
    let values: Vec<f64> = std::iter::from_fn(|| (!reader.tokens.is_empty()).then(|| reader.argument())).collect();
    let mut numbers = numbers.clone();
    numbers.extend(fields.map(str::to_owned).zip(values));
    numbers
}

#[test]
fn rounding_terms_are_coqs() {
    let source = source();
    let all = definitions(&source);
    let mut uniforms = Uniforms::new(5);
    let (mut inside, mut outside) = ([0; 2], [0; 2]);
    for _ in 0..1000 {
        let mut between = |low: f64, high: f64| low * (high / low).powf(uniforms.unit());
        let sizes = Sizes {
            dim: between(1.0, 300.0) as usize,
            actions: between(1.0, 60.0) as usize,
            inner: between(1.0, 1e4) as usize,
            outer: between(1.0, 1e6) as usize,
            alpha: between(1e-6, 1e6),
            eta: between(1e-9, 1e4),
            zeta: between(1e-9, 1e4),
            radius_theta: between(1e-3, 1e3),
            radius_beta: between(1e-3, 1e3),
            feature_bound: between(1e-2, 1e2),
            weight_norm: between(1.0, 100.0),
            weight_error: between(1e-17, 1e-3),
            norm: between(1e-3, 10.0),
            trace: between(1e-3, 1e2),
        };
        let (discount, xi) = (between(0.01, 0.99), between(1e-9, 1e4));
        let [d, a, k, t] = [sizes.dim, sizes.actions, sizes.inner, sizes.outer].map(|n| n as f64);
        let eps = f64::EPSILON;
        // Coq's names, and the notations of its sections.
        let numbers: Numbers = [
            ("ε", eps),
            ("s_d", d),
            ("s_A", a),
            ("A", a),
            ("s_K", k),
            ("K", k),
            ("k", k),
            ("s_T", t),
            ("T", t),
            ("s_α", sizes.alpha),
            ("α", sizes.alpha),
            ("s_ζ", sizes.zeta),
            ("ζ", sizes.zeta),
            ("s_η", sizes.eta),
            ("η", sizes.eta),
            ("s_Dθ", sizes.radius_theta),
            ("Dθ", sizes.radius_theta),
            ("s_Dβ", sizes.radius_beta),
            ("s_Dφ", sizes.feature_bound),
            ("Dφ", sizes.feature_bound),
            ("ν", sizes.weight_norm),
            ("eΛ", sizes.weight_error),
            ("s_exp", 8.0 * eps),
            ("ξ", xi),
            ("λ", sizes.norm),
            ("Tr", sizes.trace),
            ("γ", discount),
            ("eA", (8.0 * a + 9.0) * eps),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .chain([("Dβ".to_owned(), sizes.radius_beta)])
        .collect();
        let terms = [
            (rounding_term(&sizes, discount), "rounding_errors", "errors", "perturbation_A_1", ["e_θ", "e_β"]),
            (average_rounding_term(&sizes, xi), "rounding_errors2", "errors2", "perturbation_C_1", ["e_θ2", "e_β2"]),
        ];
        for (setting, (found, errors, record, perturbation, [theta, beta])) in terms.into_iter().enumerate() {
            let at = |name: &str| Reader { all: &all, numbers: numbers.clone(), tokens: &[] }.named(name, &[]);
            let fits = at("e_l") <= 0.125
                && at(theta) + 2.0 * at("e_avg") <= sizes.radius_theta / 1024.0
                && at(beta) <= sizes.radius_beta / 1024.0;
            assert_eq!(found.is_ok(), fits, "{sizes:?}");
            let Ok(found) = found else {
                outside[setting] += 1;
                continue;
            };
            inside[setting] += 1;
            let numbers = with_errors(&all, &numbers, &source, errors, record);
            let defined = Reader { all: &all, numbers, tokens: &[] }.defined(perturbation, &[]);
            assert!((found / defined - 1.0).abs() < 1e-11, "{found} for {defined}: {sizes:?}, {discount}, {xi}");
        }
    }
    assert!(inside.iter().chain(&outside).all(|count| *count > 80), "{inside:?} {outside:?}");
}
