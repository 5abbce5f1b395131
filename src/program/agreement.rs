//! Do the rows contradict the model? Rewards, transitions, and how often each state and action is seen.

use crate::data::{InputError, Problem, Row, Rows};
use crate::linear::vector::inner;
use crate::program::model::SolvedModel;

/// A reward that is further from ⟨φ, ω⟩, or from another one, is another reward: what six printed digits leave open.
const REWARD: f64 = 1e-6;

/// A probability below this is 0 up to the rounding of an inner product.
const IMPOSSIBLE: f64 = 1e-12;

/// The level of each test: how likely it is at most to speak against rows that are what the theory assumes.
const LEVEL: f64 = 1e-6;

/// What the rows have shown so far.
pub struct Agreement<'p> {
    problem: &'p Problem<f64>,
    psi: &'p [f64],
    rewards: Vec<f64>,
    paid: Vec<Paid>,
    /// The law of x0, where the file has it, and of (x, a), where the model has a behaviour policy.
    initial: Option<&'p [f64]>,
    mu_b: Vec<f64>,
    rows: u64,
    starts: Vec<u64>,
    pairs: Vec<u64>,
    /// How many rows, and the first as a sentence.
    wrong_rewards: (u64, String),
    impossible: (u64, String),
}

/// The rewards that were seen of a pair.
#[derive(Clone)]
struct Paid {
    least: f64,
    most: f64,
    sum: f64,
}

impl Paid {
    const NONE: Self = Self { least: f64::INFINITY, most: f64::NEG_INFINITY, sum: 0.0 };

    fn see(&mut self, reward: f64) {
        (self.least, self.most) = (self.least.min(reward), self.most.max(reward));
        self.sum += reward;
    }

    fn vary(&self) -> bool {
        self.most - self.least > REWARD
    }

    /// How unlikely n draws from [0, 1] with mean r are to be like this: e^{−z} bounds the probability of each of three events. By Chernoff's
    /// bound the mean is off above, or below, with z = n·kl(mean, r). And all are the same c ≠ r with z = (n−1)·ln(1/p), p being the most that
    /// P(R = c) can be: r/c where c is above r, (1−r)/(1−c) where it is below, and Σ_c P(R = c)ⁿ ≤ max_c P(R = c)ⁿ⁻¹.
    fn surprise(&self, n: u64, r: f64) -> f64 {
        let mean = self.sum / n as f64;
        if n == 0 || (mean - r).abs() <= REWARD {
            return 0.0;
        }
        let off = n as f64 * relative_entropy(mean, r);
        if self.vary() {
            return off;
        }
        let likeliest = if mean > r { r / mean } else { (1.0 - r) / (1.0 - mean) };
        off.max(-(n as f64 - 1.0) * libm::log(likeliest.max(0.0)))
    }
}

impl<'p> Agreement<'p> {
    /// For rows that are said to be from this problem; `None` where it has no model to hold them against.
    pub fn with(problem: &'p Problem<f64>, model: Option<&SolvedModel<'_, f64>>) -> Option<Self> {
        let (psi, omega) = (problem.psi("").ok()?, problem.omega("").ok()?);
        let rewards: Vec<f64> = problem.features.chunks(problem.shape.dim).map(|phi| inner(phi, omega)).collect();
        let mu_b = model.map_or_else(Vec::new, |model| model.mu_b.clone());
        let (starts, pairs) = (vec![0; problem.shape.states], vec![0; problem.shape.pairs()]);
        let paid = vec![Paid::NONE; problem.shape.pairs()];
        let (initial, none) = (problem.initial("").ok(), (0, String::new()));
        let (wrong_rewards, impossible) = (none.clone(), none);
        Some(Self { problem, psi, rewards, paid, initial, mu_b, rows: 0, starts, pairs, wrong_rewards, impossible })
    }

    /// What of these rows the model forbids, one sentence each; nothing where there is no model.
    pub fn of_rows(problem: &'p Problem<f64>, rows: &[Row]) -> Vec<String> {
        let Some(mut agreement) = Self::with(problem, None) else { return Vec::new() };
        for row in rows {
            agreement.see(row);
        }
        agreement.contradictions(true)
    }

    fn see(&mut self, row: &Row) {
        self.rows += 1;
        let (shape, n) = (self.problem.shape, self.rows);
        let pair = shape.pair(row.x, row.a);
        self.pairs[pair] += 1;
        self.paid[pair].see(row.r);
        self.starts[row.x0] += 1;
        let expected = self.rewards[pair];
        if (row.r - expected).abs() > REWARD {
            let (found, x, a) = (row.r, row.x, row.a);
            count(&mut self.wrong_rewards, || {
                format!("row {n}: {found} at (x, a) = ({x}, {a}), where the model pays {expected}")
            });
        }
        let phi = &self.problem.features[pair * shape.dim..][..shape.dim];
        if inner(phi, &self.psi[row.x_next * shape.dim..][..shape.dim]) < IMPOSSIBLE {
            let (x, a, next) = (row.x, row.a, row.x_next);
            count(&mut self.impossible, || format!("row {n}: from (x, a) = ({x}, {a}) to {next}"));
        }
    }

    /// What the model forbids and the rows have, one sentence each.
    pub fn contradictions(&self, discounted: bool) -> Vec<String> {
        let mut found = Vec::new();
        let n = self.rows;
        found.extend(self.of_rewards());
        if let (k @ 1.., first) = &self.impossible {
            found.push(format!("{k} of {n} transitions have probability 0 (first: {first})"));
        }
        found.extend(
            unlikely(&self.pairs, &self.mu_b, n).map(|(at, why)| format!("{} in {why} under μ_B", self.pair(at))),
        );
        if let Some(initial) = self.initial.filter(|_| discounted) {
            found.extend(
                unlikely(&self.starts, initial, n).map(|(at, why)| format!("x0 = {at} in {why} under `initial`")),
            );
        }
        found
    }

    fn pair(&self, at: usize) -> String {
        let actions = self.problem.shape.actions;
        format!("(x, a) = ({}, {})", at / actions, at % actions)
    }

    /// Where rewards are drawn: the first pair that was paid differently at different times.
    pub fn drawn_rewards(&self) -> Option<String> {
        let at = self.paid.iter().position(Paid::vary)?;
        Some(format!("rewards vary within a pair, as at {}", self.pair(at)))
    }

    /// Rewards that are a function of the pair are the model's, row by row; where they are drawn, it is their means that are.
    fn of_rewards(&self) -> Option<String> {
        let (n, (wrong, first)) = (self.rows, &self.wrong_rewards);
        if *wrong == 0 {
            return None;
        }
        if self.drawn_rewards().is_none() {
            return Some(format!(
                "{wrong} of {n} rewards differ from the model's by more than {REWARD:e} (first: {first})"
            ));
        }
        let surprise = |pair: usize| self.paid[pair].surprise(self.pairs[pair], self.rewards[pair]);
        let pairs = (0..self.pairs.len()).map(|pair| (pair, surprise(pair)));
        let (at, worst) = pairs.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let threshold = libm::log(3.0 * self.pairs.len() as f64 / LEVEL);
        let (seen, mean, expected) = (self.pairs[at], self.paid[at].sum / self.pairs[at] as f64, self.rewards[at]);
        let test = format!("Chernoff's test over all pairs at level {LEVEL:e}, {} > {threshold:.1}", shown(worst));
        (worst > threshold).then(|| {
            format!(
                "the mean of {seen} rewards at {} is {mean}, where the model pays {expected}: {test}",
                self.pair(at)
            )
        })
    }
}

/// For the eye.
fn shown(z: f64) -> String {
    if z.is_infinite() { "∞".to_owned() } else { format!("{z:.1}") }
}

fn count((count, first): &mut (u64, String), sentence: impl FnOnce() -> String) {
    if *count == 0 {
        *first = sentence();
    }
    *count += 1;
}

/// The cell whose frequency is least likely, if that is too unlikely: by Chernoff's bound a cell of probability p has
/// P(n·kl(p̂, p) ≥ z) ≤ 2e^{−z}, so that z > ln(2m/δ) happens for any of m cells with probability δ at most.
fn unlikely(counts: &[u64], law: &[f64], n: u64) -> Option<(usize, String)> {
    let total = n as f64;
    let z = |(count, p): (&u64, &f64)| total * relative_entropy(*count as f64 / total, *p);
    let (at, worst) = counts.iter().zip(law).map(z).enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let threshold = libm::log(2.0 * counts.len() as f64 / LEVEL);
    let sentence = || {
        let (seen, p) = (counts[at], law[at]);
        format!(
            "{seen} of {n} rows, expected {:.1}: Chernoff's test over all cells at level {LEVEL:e}, {} > {threshold:.1},",
            p * total,
            shown(worst)
        )
    };
    (n > 0 && worst > threshold).then(|| (at, sentence()))
}

/// kl(q, p) = q ln(q/p) + (1−q) ln((1−q)/(1−p)).
fn relative_entropy(q: f64, p: f64) -> f64 {
    let p = p.clamp(0.0, 1.0);
    let term = |q: f64, p: f64| if q > 0.0 { q * libm::log(q / p) } else { 0.0 };
    term(q, p) + term(1.0 - q, 1.0 - p)
}

/// Rows that are held against a model as they pass.
pub struct Checked<'r, 'p> {
    pub rows: &'r mut dyn Rows,
    pub agreement: &'r mut Agreement<'p>,
}

impl Rows for Checked<'_, '_> {
    fn next_row(&mut self) -> Result<Option<Row>, InputError> {
        let row = self.rows.next_row()?;
        if let Some(row) = &row {
            self.agreement.see(row);
        }
        Ok(row)
    }

    fn finish(&mut self) -> Result<(), InputError> {
        self.rows.finish()
    }

    fn unused(&mut self) -> Result<u64, InputError> {
        self.rows.unused()
    }

    fn drawn(&self) -> bool {
        self.rows.drawn()
    }

    fn notes(&self) -> Vec<String> {
        self.rows.notes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 100 kl(0.6, 0.5), and 99 ln(1/(5/6)) where all are 0.6; nothing can be below a mean of 1 or above one of 0.
    #[test]
    fn means_of_rewards_are_judged() {
        let paid = |rewards: &[f64]| {
            let mut paid = Paid::NONE;
            for reward in rewards {
                paid.see(*reward);
            }
            paid
        };
        let half: Vec<f64> = (0..100).map(|i| if i < 60 { 1.0 } else { 0.0 }).collect();
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
        near(paid(&half).surprise(100, 0.5), 100.0 * (0.6 * libm::log(1.2) + 0.4 * libm::log(0.8)));
        near(paid(&[0.6; 100]).surprise(100, 0.5), 99.0 * libm::log(1.2));
        near(paid(&[0.4; 100]).surprise(100, 0.5), 99.0 * libm::log(1.2));
        near(paid(&half).surprise(100, 0.6), 0.0);
        near(Paid::NONE.surprise(0, 0.6), 0.0);
        for (rewards, r) in [([0.0, 1.0], 1.0), ([0.0, 1.0], 0.0), ([0.5, 0.5], 0.0)] {
            assert_eq!(paid(&rewards).surprise(2, r), f64::INFINITY);
        }
    }

    #[test]
    fn frequencies_are_judged_at_their_level() {
        assert_eq!(unlikely(&[500, 500], &[0.5, 0.5], 1000), None);
        assert_eq!(unlikely(&[560, 440], &[0.5, 0.5], 1000), None, "3.8 standard deviations happen");
        assert!(unlikely(&[600, 400], &[0.5, 0.5], 1000).is_some(), "6.3 do not");
        assert!(unlikely(&[999, 1], &[1.0, 0.0], 1000).is_some());
        assert_eq!(unlikely(&[1000, 0], &[1.0, 0.0], 1000), None);
        // By hand: 1000 (0.7 ln 1.4 + 0.3 ln 0.6), 1000 (0.001 ln 0.004 + 0.999 ln 1.332), ln(2·3/10⁻⁶).
        let law = [0.5, 0.25, 0.25];
        let said = |words: &str| format!("{words}: Chernoff's test over all cells at level 1e-6,");
        for (counts, at, told) in [
            ([700, 150, 150], 0, said("700 of 1000 rows, expected 500.0") + " 82.3 > 15.6,"),
            ([500, 499, 1], 2, said("1 of 1000 rows, expected 250.0") + " 280.9 > 15.6,"),
        ] {
            assert_eq!(unlikely(&counts, &law, 1000), Some((at, told)));
        }
    }
}
