//! The cell of the reading edition: a table that a reader edited comes in, every check of the register goes out, both sides exact.
//!
//! A WebAssembly program of WASI, which speaks by standard input and output (the page has a dozen lines that supply them): so nothing is
//! exported by hand, and nothing is unsafe. Built by `wasm/build.sh`, embedded by `opd book --wasm`.
//!
//! In, words: |X|, |A|, γ; ν₀; for every (x, a) p(·|x, a) and r(x, a); for every x π_B(·|x). Of every distribution the last entry is left
//! out: it is what is missing to 1.
//!
//! Out: a line `last` with those entries, in the same order; then a line per check: statement, what is compared, left, right, residual,
//! status, with tabs between them. Or one line `error`, and what is wrong.

use offline_primal_dual::instances::Owned;
use offline_primal_dual::number::Field as _;
use offline_primal_dual::number::exact::BigRational as Q;
use offline_primal_dual::paper::mdp::Shape;
use offline_primal_dual::statements::{Side, evaluate_model};
use std::io::{Read as _, Write as _};

/// Larger tables would keep the page waiting.
const LARGEST: usize = 4;

/// A number with more characters would, too.
const LONGEST: usize = 40;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let answer = answer(&text).unwrap_or_else(|wrong| format!("error\t{wrong}\n"));
    std::io::stdout().write_all(answer.as_bytes())
}

fn answer(text: &str) -> Result<String, String> {
    let mut words = Words { rest: text.split_whitespace(), last: Vec::new() };
    let model = words.model()?;
    let last: Vec<String> = words.last.iter().map(ToString::to_string).collect();
    let mut answer = format!("last\t{}\n", last.join("\t"));
    for found in evaluate_model(&model) {
        let [lhs, rhs, residual] = [&found.lhs, &found.rhs, &found.residual].map(exactly);
        let (statement, compares, status) = (&found.statement, &found.compares, found.status.word());
        answer += &format!("{statement}\t{compares}\t{lhs}\t{rhs}\t{residual}\t{status}\n");
    }
    Ok(answer)
}

/// As `opd audit --json` writes it.
fn exactly(side: &Side) -> String {
    match side {
        Side::Exact(x) => x.to_string(),
        Side::Float(x) => format!("{x:?}"),
        Side::Text(text) => text.clone(),
    }
}

struct Words<'a> {
    rest: std::str::SplitWhitespace<'a>,
    /// The entries that were left out, as they are found.
    last: Vec<Q>,
}

impl<'a> Words<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.rest.next().ok_or_else(|| format!("{what}: nothing there, expected a number"))
    }

    fn count(&mut self, what: &str) -> Result<usize, String> {
        let found = self.next(what)?;
        let count = found.parse().ok().filter(|n| (1..=LARGEST).contains(n));
        count.ok_or_else(|| format!("{what}: found {found}, expected 1 to {LARGEST}"))
    }

    /// A number from 0 to 1.
    fn number(&mut self, what: &str) -> Result<Q, String> {
        let found = self.next(what)?;
        let number: Option<Q> = found.parse().ok().filter(|_| found.len() <= LONGEST && !found.contains(['e', 'E']));
        let number = number.ok_or_else(|| format!("{what}: found {found}, expected a number like 7/8 or 0.875"))?;
        let fits = number >= Q::zero() && number <= Q::one();
        if fits { Ok(number) } else { Err(format!("{what}: found {number}, expected 0 to 1")) }
    }

    fn distribution(&mut self, length: usize, what: &str) -> Result<Vec<Q>, String> {
        let mut row = (1..length).map(|_| self.number(what)).collect::<Result<Vec<Q>, String>>()?;
        let last = row.iter().fold(Q::one(), |rest, p| rest - p);
        if last < Q::zero() {
            return Err(format!("{what}: the sum is {}, expected at most 1", Q::one() - &last));
        }
        self.last.push(last.clone());
        row.push(last);
        Ok(row)
    }

    /// φ(x, a) is the unit vector of (x, a), so ω = r and row x' of Ψ is p(x'|·).
    fn model(&mut self) -> Result<Owned<Q>, String> {
        let (states, actions) = (self.count("the number of states")?, self.count("the number of actions")?);
        let discount = self.number("γ")?;
        if discount == Q::one() {
            return Err("γ: found 1, expected less".to_owned());
        }
        let initial = self.distribution(states, "ν₀")?;
        let dim = states * actions;
        let (mut omega, mut psi) = (Vec::new(), vec![Q::zero(); states * dim]);
        for pair in 0..dim {
            let (x, a) = (pair / actions, pair % actions);
            let row = self.distribution(states, &format!("p(·|{x},{a})"))?;
            for (next, p) in row.into_iter().enumerate() {
                psi[next * dim + pair] = p;
            }
            omega.push(self.number(&format!("r({x},{a})"))?);
        }
        let mut behavior = Vec::new();
        for x in 0..states {
            behavior.extend(self.distribution(actions, &format!("π_B(·|{x})"))?);
        }
        let features = (0..dim * dim).map(|i| if i / dim == i % dim { Q::one() } else { Q::zero() }).collect();
        let shape = Shape { states, actions, dim };
        Ok(Owned { shape, features, omega, psi, initial, discount, behavior, root: None })
    }
}
