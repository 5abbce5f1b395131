//! Both sides of the checks that `opd audit` shows, on the model of [`reference`] at c = 1. Where two sides agree, both may be wrong alike, and
//! a wrong bound may still be a bound: so their numbers are computed here once more.
//!
//! The points of a check are free. These are the register's: entry i of one is ±p/(q + i), with − for i = 1, 4, …

use super::reference::{
    A, BEHAVIOR, GAMMA, INITIAL, Iterate, MODEL, Matrix, OMEGA, PHI, PSI, Point, Policy, S, Setup, VARRHO, arrival,
    average_feature, best, coverage, dot, inverse, lambda, largest, length, mean_feature, moment, moments, number,
    regrets, reward, right_side, rows, run, softmax, times, values, visits, worth,
};
use crate::opd::Place;
use crate::{PROBLEM, json, said};
use serde_json::Value;

const THETA: Point = [3.0 / 7.0, -3.0 / 8.0];
const BETA: Point = [2.0 / 5.0, -1.0 / 3.0];
const V: [f64; S] = [5.0 / 11.0, -5.0 / 12.0, 5.0 / 13.0];
const MU: Policy = [[7.0 / 13.0, -7.0 / 14.0], [7.0 / 15.0, 7.0 / 16.0], [-7.0 / 17.0, 7.0 / 18.0]];
const RHO: f64 = 2.0 / 7.0;
const UNIFORM: Policy = [[0.5; A]; S];

/// θ_t, β_t, ρ_t and π_t of "any iterates": π_B, and half of it with half of the uniform policy.
fn iterates() -> [Iterate; 2] {
    let half = BEHAVIOR.map(|row| row.map(|p| 0.5 * (p + 0.5)));
    [
        Iterate { theta: [1.0 / 3.0, -0.25], beta: [0.5, -1.0 / 3.0], rho: 1.0 / 3.0, policy: BEHAVIOR },
        Iterate { theta: [-2.0 / 3.0, 0.5], beta: [0.75, -0.6], rho: 0.75, policy: half },
    ]
}

fn plus<const N: usize>(a: [f64; N], scale: f64, b: [f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] + scale * b[i])
}

fn square(a: Point) -> f64 {
    dot(a, a)
}

/// Σ_x ψ(x)v(x).
fn psi_times(v: [f64; S]) -> Point {
    std::array::from_fn(|i| (0..S).map(|x| PSI[x][i] * v[x]).sum())
}

/// ⟨ν, w⟩ for numbers per state.
fn over_states(nu: &[f64; S], w: impl Fn(usize) -> f64) -> f64 {
    (0..S).map(|x| nu[x] * w(x)).sum()
}

/// v_{θ,π}.
fn v_theta(theta: Point, policy: &Policy) -> [f64; S] {
    std::array::from_fn(|x| dot(average_feature(policy, x), theta))
}

/// The components where two vectors are furthest apart, the first of these.
fn furthest(a: &[f64], b: &[f64]) -> (f64, f64) {
    let pairs = || a.iter().copied().zip(b.iter().copied());
    let most = pairs().map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    pairs().find(|(a, b)| (a - b).abs() >= most - 1e-12).unwrap()
}

/// A setting, with what its functions share.
struct Setting {
    average: bool,
    gamma: f64,
    lambda: Matrix,
    star: Policy,
    nu_star: [f64; S],
    beta_star: Point,
}

impl Setting {
    fn new(average: bool) -> Self {
        let (star, lambda) = (best(average), lambda(average));
        let nu_star = visits(average, &star);
        let beta_star = times(inverse(lambda), mean_feature(&nu_star, &star));
        Self { average, gamma: if average { 1.0 } else { GAMMA }, lambda, star, nu_star, beta_star }
    }

    /// ω − ρϱ + γΨv − θ, without ρϱ in the discounted setting.
    fn residual(&self, v: [f64; S], theta: Point, rho: f64) -> Point {
        let rho = if self.average { rho } else { 0.0 };
        plus(plus(plus(OMEGA, -rho, VARRHO), self.gamma, psi_times(v)), -1.0, theta)
    }

    /// (1−γ)⟨ν₀, v⟩, or ρ.
    fn start(&self, v: [f64; S], rho: f64) -> f64 {
        if self.average { rho } else { (1.0 - GAMMA) * over_states(&INITIAL, |x| v[x]) }
    }

    fn g_beta(&self, policy: &Policy, theta: Point, rho: f64) -> Point {
        times(self.lambda, self.residual(v_theta(theta, policy), theta, rho))
    }

    fn nu_beta(&self, beta: Point) -> [f64; S] {
        let lifted = times(self.lambda, beta);
        std::array::from_fn(|x| self.gamma * dot(PSI[x], lifted) + (1.0 - self.gamma) * INITIAL[x])
    }

    fn g_theta(&self, policy: &Policy, beta: Point) -> Point {
        plus(mean_feature(&self.nu_beta(beta), policy), -1.0, times(self.lambda, beta))
    }

    fn g_rho(&self, beta: Point) -> f64 {
        1.0 - dot(VARRHO, times(self.lambda, beta))
    }

    /// f(β, π; ρ, θ).
    fn f(&self, beta: Point, policy: &Policy, theta: Point, rho: f64) -> f64 {
        self.start(v_theta(theta, policy), rho) + dot(beta, self.g_beta(policy, theta, rho))
    }

    /// ⟨μ, Φθ − Ev⟩.
    fn excess(mu: &Policy, v: [f64; S], theta: Point) -> f64 {
        (0..S).map(|x| (0..A).map(|a| mu[x][a] * (dot(PHI[x][a], theta) - v[x])).sum::<f64>()).sum()
    }

    /// The Lagrangian at the register's points, at this λ.
    fn lagrangian(&self, lambda: Point) -> f64 {
        self.start(V, RHO) + dot(lambda, self.residual(V, THETA, RHO)) + Self::excess(&MU, V, THETA)
    }

    /// v^π, in the average setting with ⟨ν^π, v^π⟩ = 0.
    fn values(&self, policy: &Policy) -> [f64; S] {
        let v = values(self.average, policy);
        let mean = if self.average { over_states(&visits(true, policy), |x| v[x]) } else { 0.0 };
        v.map(|v| v - mean)
    }

    fn gain(&self, policy: &Policy) -> f64 {
        if self.average { worth(true, policy) } else { 0.0 }
    }

    /// θ^π = ω − ρ^πϱ + γΨv^π.
    fn theta(&self, policy: &Policy) -> Point {
        self.residual(self.values(policy), [0.0; 2], self.gain(policy))
    }

    /// q^π, one row after the other.
    fn q(&self, policy: &Policy) -> Vec<f64> {
        let theta = self.theta(policy);
        PHI.iter().flatten().map(|phi| dot(*phi, theta)).collect()
    }

    /// E over X⁰, X, A, X' of numbers.
    fn mean<const N: usize>(&self, mut f: impl FnMut(usize, usize, usize, usize) -> [f64; N]) -> [f64; N] {
        let (nu, mut sum) = (visits(self.average, &BEHAVIOR), [0.0; N]);
        for start in 0..if self.average { 1 } else { S } {
            let chance = if self.average { 1.0 } else { INITIAL[start] };
            for x in 0..S {
                for a in 0..A {
                    for next in 0..S {
                        let p = chance * nu[x] * BEHAVIOR[x][a] * arrival(x, a, next);
                        sum = plus(sum, p, f(start, x, a, next));
                    }
                }
            }
        }
        sum
    }

    /// g̃_β at θ, for the reward that is given.
    fn estimate_beta(&self, theta: Point, rho: f64, r: f64, (x, a, next): (usize, usize, usize)) -> Point {
        let rho = if self.average { rho } else { 0.0 };
        let v = v_theta(theta, &BEHAVIOR);
        PHI[x][a].map(|phi| phi * (r - rho + self.gamma * v[next] - dot(PHI[x][a], theta)))
    }

    /// The β-regret at K = 1, T = 2 and ζ = 1/4 with the uniform policy, from θ, ρ and β; and the largest ‖β₁‖², ‖β₂‖², ‖β*‖².
    fn beta_path(&self) -> (f64, f64) {
        let (v, g_beta) = (v_theta(THETA, &UNIFORM), self.g_beta(&UNIFORM, THETA, RHO));
        let rho = if self.average { RHO } else { 0.0 };
        let mut largest = square(BETA).max(square(self.beta_star));
        self.mean(|_, x, a, next| {
            let error = reward(x, a) - rho + self.gamma * v[next] - dot(PHI[x][a], THETA);
            largest = largest.max(square(plus(BETA, 0.25 * error, PHI[x][a])));
            [0.0]
        });
        let ahead = plus(self.beta_star, -1.0, BETA);
        (dot(ahead, g_beta) + dot(plus(ahead, -0.25, g_beta), g_beta), largest)
    }

    /// ⟨π* − π, Φθ⟩ over ν*.
    fn advantage(&self, policy: &Policy, theta: Point) -> f64 {
        over_states(&self.nu_star, |x| v_theta(theta, &self.star)[x] - v_theta(theta, policy)[x])
    }

    /// E‖⟨φ, y⟩‖² of the optimal policy over that of the data.
    fn quotient(&self, y: Point) -> f64 {
        let m = moment(&self.nu_star, &self.star);
        dot(y, times(m, y)) / dot(y, times(self.lambda, y))
    }
}

/// One step of mean descent, η = 1/4.
fn stepped(from: Point, gradient: Point) -> Point {
    plus(from, -0.25, gradient)
}

/// What Lemmas B.2 and C.5 compare.
const BETA_REGRET: &str =
    "𝔼 Σ_t ⟨β* − β_t, g_{β,t}⟩ ≤ its bound, over every data sequence, K = 1, T = 2, π₂ = π₁ (α = 0)";

/// What a check should show: its statement, what it compares, both sides.
type Row = (&'static str, &'static str, f64, f64);

/// What is not a number by itself is left to its check: true or false.
struct Audit(Vec<Value>);

impl Audit {
    fn of(place: &Place, call: &str) -> Self {
        Self(json(place, call).as_array().unwrap().clone())
    }

    fn row(&self, statement: &str, compares: &str) -> &Value {
        let wanted = |row: &&Value| {
            row["statement"] == statement && row["compares"].as_str().unwrap().trim_end_matches(" [c = 1]") == compares
        };
        self.0.iter().find(wanted).unwrap_or_else(|| panic!("{statement}: {compares} is not there"))
    }

    /// The sides, the residual, and the verdict that follows from them.
    fn shows(&self, rows: &[Row], tolerance: f64) {
        for &(statement, compares, left, right) in rows {
            let row = self.row(statement, compares);
            for (key, expected) in [("lhs", left), ("rhs", right)] {
                let found = number(&row[key]);
                let near = (found - expected).abs() <= tolerance * (1e-6 + expected.abs());
                assert!(near, "{statement}, {compares}, {key}: found {found}, expected {expected}");
            }
            let slack = 1e-9 * (1.0 + left.abs());
            let holds = left <= right + slack && (compares.contains('≤') || right <= left + slack);
            let verdict = match (holds, statement.starts_with("Erratum")) {
                (true, false) => "holds",
                (true, true) => "erratum-not-shown",
                (false, false) => "fails",
                (false, true) => "erratum",
            };
            assert_eq!(row["status"], verdict, "{row}");
            let residual = if holds { 0.0 } else { (number(&row["lhs"]) - number(&row["rhs"])).abs() };
            assert!((number(&row["residual"]) - residual).abs() <= 1e-12 * (1.0 + residual), "{row}");
        }
    }
}

fn audited() -> Audit {
    let place = Place::new();
    place.write("m.json", MODEL.as_bytes());
    Audit::of(&place, "audit --mdp m.json --json")
}

/// What agrees to the last bits, but for what this file's doubles lose.
const EXACT: f64 = 1e-8;
/// ‖Λ‖ is known from above, to 2⁻²⁰.
const NORM: f64 = 4e-6;
/// C^† is known from above, to 2⁻¹⁰.
const BRACKET: f64 = 2e-3;

#[test]
fn of_sections_2_and_3() {
    let (of, audit) = (Setting::new(false), audited());
    let (own, optimal) = (worth(false, &BEHAVIOR), worth(false, &of.star));
    let (v, q, theta) = (of.values(&BEHAVIOR), of.q(&BEHAVIOR), of.theta(&BEHAVIOR));
    let nu = visits(false, &BEHAVIOR);
    let psi = plus(plus(PSI[0], 1.0, PSI[1]), 1.0, PSI[2]);
    let radius = length(OMEGA) + length(psi) / (1.0 - GAMMA);
    let both = of.lagrangian(BETA);
    let positive = MU.map(|row| row.map(f64::abs));
    let (v_star, theta_star) = (of.values(&of.star), of.theta(&of.star));
    let below = of.start(v_star, 0.0) + Setting::excess(&positive, v_star, theta_star);
    let mu_star: Policy = std::array::from_fn(|x| of.star[x].map(|p| p * of.nu_star[x]));
    let lambda_star = mean_feature(&of.nu_star, &of.star);
    let above = of.start(V, 0.0) + dot(lambda_star, of.residual(V, THETA, 0.0)) + Setting::excess(&mu_star, V, THETA);
    let (slope, lifted) = (of.residual(V, THETA, 0.0), times(of.lambda, THETA));
    let missing = plus(mean_feature(&[1.0; S], &MU), -1.0, BETA);
    let same = |statement, compares, side| (statement, compares, side, side);
    audit.shows(
        &[
            same("S2.return", "(1−γ)⟨ν₀, v^π⟩ = ⟨r, μ^π⟩", own),
            same("S2.q", "q^π by its own system = r + γPv^π", q[0]),
            same("S2.v", "v^π = Σ_a π(a|x) q^π(x,a)", v[0]),
            same("S2.nu", "ν^π = Eᵀμ^π", nu[0]),
            ("(2)", "⟨r, μ⟩ at μ^π ≤ at the optimal policy's μ", own, optimal),
            same("(2)", "π from μ: π∘Eᵀμ^π = μ^π", nu[0] * BEHAVIOR[0][0]),
            same("(3)", "Φθ^π = q^π", q[0]),
            same("(3)", "Φ(ω + γΨv^π) = q^π", q[0]),
            ("(3)", "‖θ^π‖ ≤ D_ω + D_ψ/(1−γ), D_ψ = ‖Σ|ψ|‖", length(theta), radius),
            // No entry of ψ is negative here.
            ("Erratum 3", "‖θ^π‖ ≤ D_ω + D_ψ/(1−γ), D_ψ = ‖Σψ‖ as printed", length(theta), radius),
            same("(2), (4)", "⟨r, μ^π⟩ = ⟨ω, Φᵀμ^π⟩", own),
            // Where the optimal policy goes there is no slack.
            same("(5)", "0 ≤ min (Ev − Φθ) at v*, θ*", 0.0),
            ("(4), (5)", "primal at μ^π ≤ dual at v* (weak duality)", own, optimal),
            same("(4), (5)", "dual at v* − primal at μ^π = ρ* − ρ(π)", optimal - own),
            same("(4), (5)", "primal optimum = dual optimum", optimal),
            same("(6)", "both forms of the Lagrangian", both),
            same(
                "(4), (6)",
                "L at θ + h − L at θ = ⟨Φᵀμ − λ, h⟩, the constraint of (4), at any point",
                dot(missing, BETA),
            ),
            same(
                "(5), (6)",
                "L at λ + h − L at λ = ⟨ω + γΨv − θ, h⟩, the constraint of (5), at any point",
                dot(slope, THETA),
            ),
            same("S2.saddle", "L(v*, θ*, λ*, μ*) = ρ*", optimal),
            ("S2.saddle", "L(v*, θ*, λ, μ) ≤ L(v*, θ*, λ*, μ*) for μ ≥ 0", below, optimal),
            ("S2.saddle", "L(v*, θ*, λ*, μ*) ≤ L(v, θ, λ*, μ*)", optimal, above),
            same("S3.cov", "Tr Λ = 𝔼‖φ‖² (c = 1); Λ^{1/2}Λ^{1/2} = Λ (c = 1/2)", of.lambda[0][0] + of.lambda[1][1]),
            same("S3.cov", "Λ^cΛ^{−c}y = y at y = Λ^c x", lifted[0]),
            same("S3.grad-lambda", "Λ⁻¹Λ(ω + γΨv − θ) = ω + γΨv − θ", slope[0]),
            same("S3.grad-lambda", "L at λ + h − L at λ = ⟨∇_λ L, h⟩, through (11) at c = 1", dot(slope, lifted)),
            same("S3.grad-lambda", "𝔼 Λ⁻¹φ(R + γv(X') − ⟨θ, φ⟩) = ∇_λ L", slope[0]),
            same("S3.grad-lambda, (9)", "𝔼 φ(R + γv(X') − ⟨θ, φ⟩) = ∇_β L at c = 1", times(of.lambda, slope)[0]),
            same("(7)", "v(x) from the features of x alone = Eᵀ(π∘Φθ)(x)", v_theta(THETA, &BEHAVIOR)[0]),
            same("(8), S4.unbiased-mu", "𝔼 μ_{t,k} = μ_{β,π}", BEHAVIOR[0][0] * of.nu_beta(BETA)[0]),
            same("(9), B.unbiased-beta", "𝔼 g̃_β = ∇_β f", of.g_beta(&BEHAVIOR, THETA, 0.0)[0]),
            same("(10), S4.unbiased-theta", "𝔼 g̃_θ = ∇_θ f, the proof's form", of.g_theta(&BEHAVIOR, BETA)[0]),
            same("(10)", "𝔼 g̃_θ = ∇_θ f, as printed: unbiased too", of.g_theta(&BEHAVIOR, BETA)[0]),
            same("Alg 1", "rows used = KT", 20.0),
        ],
        EXACT,
    );
    the_cost_is_counted(&audit);
}

/// Each of six rows takes the mean of the features of two states, at the least; then twice as many rows, and |A|dn to spare.
fn the_cost_is_counted(audit: &Audit) {
    let counted =
        audit.row("S3.cost", "operations of Algorithm 1, counted as it runs at c = 1, K = 3, T = 2 ≤ 160|A|dn");
    let once = number(&counted["lhs"]);
    assert!(once > 6.0 * 4.0 * (A * 2) as f64 && number(&counted["rhs"]) == 160.0 * 4.0 * 6.0, "{counted}");
    let linear = audit.row("S3.cost, Tab 1", "operations for 2T iterations ≤ twice those for T, and T more: O(n)");
    assert!(number(&linear["lhs"]) > 1.9 * once && number(&linear["rhs"]) == 2.0 * once + 12.0, "{linear}");
}

/// Elsewhere: the best action of state 0 is not its first one, so that it alone has no slack; and the data never take the best action.
#[test]
fn of_other_models() {
    let place = Place::new();
    let always_first = PROBLEM.replace("[[0.5, 0.5], [\"1/4\", \"3/4\"]]", "[[1, 0], [1, 0]]");
    place.write("p.json", always_first.as_bytes());
    let audit = Audit::of(&place, "audit --mdp p.json --json");
    audit.shows(&[("(5)", "0 ≤ min (Ev − Φθ) at v*, θ*", 0.0, 0.0)], EXACT);
    let row = audit.row("Erratum 11", ENTROPY);
    assert_eq!(["lhs", "residual", "status"].map(|key| &row[key]), ["∞", "∞", "erratum"]);
    assert!((number(&row["rhs"]) - 2.0_f64.ln()).abs() < 1e-12);
}

/// What erratum 11's first line compares.
const ENTROPY: &str = "H(π*‖π₁) ≤ log|A|, Lemma B.3's last line, at π₁ = π_B (enclosed)";

/// (D_θD_φD_β)⁴ with D_φ = 1.
fn order(theta2: f64, beta2: f64) -> f64 {
    (theta2 * beta2).powi(2)
}

/// The bound for K and T at α = 1/3, η = 1/4, ζ = 1/5, ξ = 1/6 with log|A| = 1: that of [`right_side`], which has log 2.
fn bound_with_log_one(average: bool, inner: usize, outer: usize) -> f64 {
    let (alpha, eta, zeta, xi) = (1.0 / 3.0, 0.25, 0.2, 1.0 / 6.0);
    let (radius_theta, radius_beta) = (length(THETA), length(BETA));
    let setup = Setup { average, half: false, inner, outer, alpha, eta, zeta, xi, radius_theta, radius_beta };
    right_side(&setup, outer) + (1.0 - 2.0_f64.ln()) / (alpha * outer as f64)
}

/// Four (κA² + B²)²/κ with κA² = 1 at the right κ and B = 1: the rows for ε = 1.
fn rows_needed(kappa: f64, right: f64) -> f64 {
    4.0 * (kappa / right + 1.0).powi(2) / kappa
}

fn trace(of: &Setting) -> f64 {
    of.lambda[0][0] + of.lambda[1][1]
}

fn span(q: &[f64]) -> f64 {
    q.iter().copied().fold(f64::MIN, f64::max) - q.iter().copied().fold(f64::MAX, f64::min)
}

/// D_q: the largest over the deterministic policies.
fn largest_span(of: &Setting) -> f64 {
    let all = (0..1 << S).map(|code: usize| -> Policy {
        std::array::from_fn(|x| if code >> x & 1 == 0 { [1.0, 0.0] } else { [0.0, 1.0] })
    });
    all.map(|policy| span(&of.q(&policy))).fold(0.0, f64::max)
}

#[test]
fn of_the_rates_of_both_settings() {
    let (theta2, beta2) = (square(THETA), square(BETA));
    let same = |statement, compares, side| (statement, compares, side, side);
    audited().shows(
        &[
            same("Thm A.1", "α²T D_φ²D_θ² = 2 log|A|, at log|A| = 1", 2.0),
            same("Thm A.1", "η²K G_θ² = 4D_θ²", 4.0 * theta2),
            same("Thm A.1", "ζ²T G_β² = 4D_β²", 4.0 * beta2),
            same("Thm C.1", "α²T D_φ²D_θ² = 2 log|A|, at log|A| = 1", 2.0),
            same("Thm C.1", "η²K G_θ² = 4D_θ²", 4.0 * theta2),
            same("Thm C.1", "ζ²T G_β² = 4D_β²", 4.0 * beta2),
            same("Thm C.1", "ξ²K G_ρ² = 1", 1.0),
        ],
        NORM,
    );
}

#[test]
fn of_the_orders_of_both_settings() {
    let audit = audited();
    let (theta2, beta2) = (square(THETA), square(BETA));
    let (disc, avg) = (Setting::new(false), Setting::new(true));
    let (c_one, c_one_average) = (coverage(false, &disc.star)[1], coverage(true, &avg.star)[1]);
    let [g_theta, g_beta, _] = moments(false, false, (length(THETA), length(BETA)));
    let [h_theta, _, h_rho] = moments(true, false, (length(THETA), length(BETA)));
    // D_φD_θ from above, by (D_φ² + D_θ²)/2.
    let h_beta = (1.0 + 1.0 + theta2).powi(2) * trace(&avg);
    let kappa = 2.0 * theta2 * g_theta / (2.0 * beta2 * g_beta + theta2);
    let by_k = h_rho + 4.0 * theta2 * h_theta;
    let kappa_average = by_k / (4.0 * beta2 * h_beta + 2.0 * theta2);
    // C.1's terms have the same G_β² in place of `right_side`'s.
    let with_log_one = bound_with_log_one(true, 5, 7);
    let exchanged = 0.5 * 0.2 * (h_beta - moments(true, false, (length(THETA), length(BETA)))[1]);
    let q = avg.q(&BEHAVIOR);
    let most = largest_span(&avg);
    let psi = plus(plus(PSI[0], 1.0, PSI[1]), 1.0, PSI[2]);
    let theta = avg.theta(&BEHAVIOR);
    let shifted = plus(theta, -q.iter().copied().fold(f64::MAX, f64::min), VARRHO);
    let same = |statement, compares, side| (statement, compares, side, side);
    audit.shows(
        &[
            same("Thm 3.2, Tab 1", "Thm 3.2's order of n_{ε/2} = 2⁴ times that of n_ε", 16.0 * order(theta2, beta2)),
            same("Thm 5.3, Tab 1", "Thm 5.3's order of n_{ε/2} = 2⁴ times that of n_ε", 16.0 * order(theta2, beta2)),
            same(
                "Cor 3.3",
                "order of n_ε = Thm 3.2's at D_φ = 1, D_θ² = d/(1−γ)², D_β² = C_{φ,c}",
                order(2.0 / (1.0 - GAMMA).powi(2), c_one),
            ),
            ("Asm 5.1", "‖q^π‖_sp ≤ D_q = max over deterministic policies", span(&q), most),
            same("S5.bias", "‖q + 𝟏‖_sp = ‖q‖_sp", span(&q)),
            same("S5.bias", "shifting v by 1 shifts q by 1", q[0] + 1.0),
            ("C.theta-span", "(‖q^π‖_sp/2D_φ)² ≤ ‖θ^π‖²", 0.25 * span(&q).powi(2), square(theta)),
            ("C.theta-span", "(‖q^π‖_sp/2D_φ)² ≤ ‖θ*‖², Lemma C.3's shift", 0.25 * span(&q).powi(2), square(shifted)),
            (
                "Cor C.2",
                "‖θ*‖ ≤ D_ω + ‖ϱ‖ + D_ψD_q (enclosed)",
                length(shifted),
                length(OMEGA) + length(VARRHO) + length(psi) * most,
            ),
            (
                "Erratum 12",
                "‖θ*‖ ≤ D_ω + 1 + D_ψD_q, Cor C.2 as printed",
                length(shifted),
                length(OMEGA) + 1.0 + length(psi) * most,
            ),
            ("Erratum 13", "‖θ*‖² ≤ ‖θ^π‖²: Lemma C.3's shifted θ* stays in the ball", square(shifted), square(theta)),
            same(
                "Cor C.2",
                "order of n_ε = Thm 5.3's at D_φ = 1, D_θ² = dD_q², D_β² = C_{φ,c}",
                order(2.0 * most * most, c_one_average),
            ),
            ("Erratum 4", "C_{φ,c} ≤ D_β implies ‖β*‖ ≤ D_β: ‖β*‖² ≤ C² with D_β = C", c_one, c_one * c_one),
        ],
        EXACT,
    );
    let (size, size_average) = (largest(disc.lambda), largest(avg.lambda));
    let order_average = order(theta2, beta2) * trace(&avg) * size_average;
    audit.shows(
        &[
            (
                "Thm 3.2",
                "order of n_ε: Thm A.1's ≤ Thm 3.2's, at ε = log|A| = 1",
                order(theta2, beta2) * trace(&disc) * size,
                order(theta2, beta2),
            ),
            ("Thm 5.3", "order of n_ε: Thm C.1's ≤ Thm 5.3's, at ε = log|A| = 1", order_average, order(theta2, beta2)),
            ("Rem A.2", "Tr(Λ^{2c−1}) ‖Λ‖^{2c−1} ≤ D_φ^{8c−4}d^{2−2c}", trace(&disc) * size, 1.0),
            same("Thm A.1", "K/T·(2D_β²G_β² + D_θ²D_φ²log|A|) = 2D_θ²G_θ²", 2.0 * theta2 * g_theta),
            same(
                "Thm A.1, Lemma B.1, Lemma B.2, Lemma B.3",
                "T·(the six terms) = sum of the lemmas' bounds",
                7.0 * bound_with_log_one(false, 5, 7),
            ),
            (
                "Erratum 15",
                "n at Thm A.1's printed K/T ≤ n at its reciprocal, log|A| = 1",
                rows_needed(1.0 / kappa, kappa),
                rows_needed(kappa, kappa),
            ),
            same("Thm C.1", "K/T·(4D_β²G_β² + 2D_θ²D_φ²log|A|) = G_ρ² + 4D_θ²G_θ²", by_k),
            same(
                "Thm C.1, Lemma C.4, Lemma C.5, Lemma C.6, Lemma C.7",
                "the eight terms = the lemmas' bounds over T, K, K, and Lemma B.3's",
                with_log_one + exchanged,
            ),
            (
                "Erratum 15",
                "n at Thm C.1's printed K/T ≤ n at its reciprocal, log|A| = 1",
                rows_needed(1.0 / kappa_average, kappa_average),
                rows_needed(kappa_average, kappa_average),
            ),
            (
                "Erratum 16",
                "order of n_ε ≤ the printed one, with ‖Λ‖^{2(2c−1)}",
                order_average,
                order_average * size_average,
            ),
        ],
        NORM,
    );
}

#[test]
fn of_section_4_and_appendix_b() {
    let (of, audit) = (Setting::new(false), audited());
    let (own, optimal) = (worth(false, &BEHAVIOR), worth(false, &of.star));
    let (g_beta, g_theta) = (of.g_beta(&BEHAVIOR, THETA, 0.0), of.g_theta(&BEHAVIOR, BETA));
    let (f, both) = (of.f(BETA, &BEHAVIOR, THETA, 0.0), of.lagrangian(times(of.lambda, BETA)));
    let step = |x: usize| of.nu_beta(BETA)[x] - MU[x].iter().sum::<f64>();
    let [lost, ..] = regrets(false, false, &of.star, &iterates());
    let path: f64 = iterates().iter().map(|i| dot(plus(i.theta, -1.0, i.beta), of.g_theta(&i.policy, i.beta))).sum();
    let moved = plus(THETA, 1.0, [1.0; 2]);
    let largest_q = PHI.iter().flatten().map(|phi| dot(*phi, THETA).powi(2)).fold(0.0, f64::max);
    let same = |statement, compares, side| (statement, compares, side, side);
    audit.shows(
        &[
            same("(6), (11)", "(1−γ)⟨ν₀, v⟩ + ⟨β, Λ^c(ω + γΨv − θ)⟩ + ⟨μ, Φθ − Ev⟩ = the Lagrangian at λ = Λ^cβ", both),
            same("(11), (12)", "both forms of the Lagrangian in β", both),
            same("(13)", "Eᵀμ_{β,π} = ν_β", of.nu_beta(BETA)[0]),
            same("(12), (14)", "f = L at μ_{β,π}, whatever v", f),
            same("(14), (15)", "⟨β, Λ^cω⟩ + ⟨θ, g_θ⟩ = f through ν_β", f),
            same("(14), (15)", "f through ν_β = f through ω + γΨv − θ", f),
            same("Lemma 4.2", "f at θ + h − f at θ = ⟨g_θ, h⟩", dot(g_theta, BETA)),
            same("Lemma 4.2", "f at β + h − f at β = ⟨g_β, h⟩", dot(g_beta, THETA)),
            same("(6)", "L at μ + h − L at μ = ⟨∂L/∂μ, h⟩", Setting::excess(&BEHAVIOR, V, THETA)),
            same("(12)", "L at v + h − L at v = ⟨∂L/∂v, h⟩", over_states(&INITIAL, step)),
            same("(16), Lemma 4.1", "duality gap of any iterates = average suboptimality", lost),
            same("Lemma 4.2", "duality gap of any iterates = sum of the regrets", lost),
            same("Lemma 4.1", "f(β*,π*;θ) = ρ(π*)", optimal),
            same("Lemma 4.1", "f(β,π;θ^π) = ρ(π)", own),
            same("(21)", "f(β*,π*;θ) − f(β,π;θ*) = its three differences", optimal - of.f(BETA, &BEHAVIOR, moved, 0.0)),
            same("(22)", "Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩ = Σ_t ℜ_t/K, K = 2, on a path", path),
            ("Lemma B.3", "‖Φθ‖²_∞ ≤ D_φ²‖θ‖²", largest_q, square(THETA)),
            (
                "Erratum 14",
                "the π-part of (21) = the π-regret for any β*: at 2β*",
                {
                    let twice = plus(of.beta_star, 1.0, of.beta_star);
                    of.f(twice, &of.star, THETA, 0.0) - of.f(twice, &BEHAVIOR, THETA, 0.0)
                },
                of.advantage(&BEHAVIOR, THETA),
            ),
        ],
        EXACT,
    );
    let [first, second] = iterates().map(|i| i.theta);
    let regret = of.advantage(&UNIFORM, first) + of.advantage(&softmax(0.75, first), second);
    let bound = 2.0_f64.ln() / 0.75 + 0.75 * square(second);
    let compares = "Σ_t Σ_x ν*(x)⟨π* − π_t, Φθ_t⟩ ≤ its bound, on a path, T = 2, α = 3/4 (enclosed)";
    audit.shows(&[("Lemma B.3", compares, regret, bound)], EXACT);
    the_second_moments(&of, &audit);
    expected_over_every_sequence(&of, &audit);
}

fn the_second_moments(of: &Setting, audit: &Audit) {
    let [g_theta, g_beta, _] = moments(false, false, (length(THETA), length(BETA)));
    let gradient = |beta: Point, (start, x, a, next): (usize, usize, usize, usize)| -> Point {
        let [at_start, at_next] = [start, next].map(|state| average_feature(&BEHAVIOR, state));
        let w = dot(PHI[x][a], beta);
        plus(plus(at_start.map(|f| (1.0 - GAMMA) * f), GAMMA * w, at_next), -w, PHI[x][a])
    };
    let size_theta = |beta| of.mean(|start, x, a, next| [square(gradient(beta, (start, x, a, next)))])[0];
    let size_beta =
        |theta| of.mean(|_, x, a, next| [square(of.estimate_beta(theta, 0.0, reward(x, a), (x, a, next)))])[0];
    let trace = of.lambda[0][0] + of.lambda[1][1];
    let along = [[10.0, 0.0], [0.0, 10.0]].map(size_theta);
    let least = OMEGA.map(|x| -x);
    let g_beta_at_omega = moments(false, false, (length(OMEGA), 1.0))[1];
    audit.shows(
        &[
            ("Thm A.1, (19), Lemma B.1", "𝔼‖g̃_θ‖² ≤ G_θ²", size_theta(BETA), g_theta),
            ("Thm A.1, (20), Lemma B.2", "𝔼‖g̃_β‖² ≤ G_β² with Tr(Λ^{2c−1})", size_beta(THETA), g_beta),
            (
                "Erratum 1",
                "𝔼‖g̃_θ‖² ≤ G_θ² with g̃_θ as (10) prints it, β along a coordinate axis",
                along[0].max(along[1]),
                moments(false, false, (1.0, 10.0))[0],
            ),
            ("Erratum 2", "𝔼‖g̃_β‖² ≤ G_β² as (20) prints it, θ = −ω", size_beta(least), g_beta_at_omega / trace),
        ],
        NORM,
    );
    let right = of.g_beta(&BEHAVIOR, THETA, 0.0);
    let without = of.mean(|_, x, a, next| of.estimate_beta(THETA, 0.0, 0.0, (x, a, next)));
    let (without, with) = furthest(&without, &right);
    audit.shows(
        &[
            ("Erratum 7", "𝔼 g̃_β = ∇_β f as Algorithm 1's box has it, without Λ^{c−1}", right[0], right[0]),
            ("Erratum 7", "𝔼 g̃_β = ∇_β f without R, which the box's W lacks", without, with),
        ],
        EXACT,
    );
}

/// K = 2, T = 1, η = 1/4: the first iterate is θ, the second one step from it; β₁ = β; π₁ is uniform. D_θ and D_β just hold what there is.
fn expected_over_every_sequence(of: &Setting, audit: &Audit) {
    let (g_theta, theta_star) = (of.g_theta(&UNIFORM, BETA), of.theta(&UNIFORM));
    let second = stepped(THETA, g_theta);
    let mut theta2 = square(THETA).max(square(theta_star));
    of.mean(|start, x, a, next| {
        let [at_start, at_next] = [start, next].map(|state| average_feature(&UNIFORM, state));
        let w = dot(PHI[x][a], BETA);
        let gradient = plus(plus(at_start.map(|f| (1.0 - GAMMA) * f), GAMMA * w, at_next), -w, PHI[x][a]);
        theta2 = theta2.max(square(stepped(THETA, gradient)));
        [0.0]
    });
    let beta2 = square(BETA).max(square(of.beta_star));
    let [bound_theta, ..] = moments(false, false, (theta2.sqrt(), beta2.sqrt()));
    let (beta_regret, beta2) = of.beta_path();
    let beta_bound = 8.0 * beta2 + moments(false, false, (length(THETA), beta2.sqrt()))[1] / 4.0;
    let mean = plus(THETA, 0.5, plus(second, -1.0, THETA));
    audit.shows(
        &[
            (
                "Lemma B.1",
                "𝔼 Σ_t ⟨θ_t − θ*_t, g_{θ,t}⟩ ≤ its bound, over every data sequence, K = 2, T = 1",
                dot(plus(mean, -1.0, theta_star), g_theta),
                4.0 * theta2 + bound_theta / 8.0,
            ),
            ("Lemma B.2", BETA_REGRET, beta_regret, beta_bound),
        ],
        NORM,
    );
}

#[test]
fn of_what_print_says_wrongly() {
    let (of, audit) = (Setting::new(false), audited());
    // Ten terms: twice 1/(1−γ).
    let (mut now, mut sum) = (INITIAL, [0.0; S]);
    for _ in 0..10 {
        sum = plus(sum, 1.0 - GAMMA, now);
        let arriving = |y| over_states(&now, |x| (0..A).map(|a| BEHAVIOR[x][a] * arrival(x, a, y)).sum());
        now = std::array::from_fn(arriving);
    }
    let collected = over_states(&sum, |x| (0..A).map(|a| BEHAVIOR[x][a] * reward(x, a)).sum());
    let (v, q) = (of.values(&BEHAVIOR), of.q(&BEHAVIOR));
    let undiscounted = plus(OMEGA, 1.0, psi_times(v));
    let q_printed: Vec<f64> = PHI.iter().flatten().map(|phi| dot(*phi, undiscounted)).collect();
    let (q_printed, q) = furthest(&q_printed, &q);
    let lifted = times(of.lambda, BETA);
    let spread = |gamma: f64| -> Vec<f64> {
        let nu = |x: usize| (1.0 - GAMMA) * INITIAL[x] + gamma * dot(PSI[x], lifted);
        (0..S).flat_map(|x| BEHAVIOR[x].map(|p| p * nu(x))).collect()
    };
    let (mu_printed, mu) = furthest(&spread(1.0), &spread(GAMMA));
    let lambda_star = mean_feature(&of.nu_star, &of.star);
    let flow: [f64; S] = std::array::from_fn(|y| (1.0 - GAMMA) * INITIAL[y] + dot(PSI[y], lambda_star));
    let (flow, nu) = furthest(&flow, &of.nu_star);
    let taken = |x: usize| (0..A).map(|a| of.star[x][a] / BEHAVIOR[x][a]).sum::<f64>();
    let entropy = over_states(&of.nu_star, |x| taken(x).ln());
    // π mixed with the policy that takes action x modulo 2; φ' with π(·|X⁰).
    let mixed: Policy = std::array::from_fn(|x| [0, 1].map(|a| 0.5 * (BEHAVIOR[x][a] + f64::from(a == x % 2))));
    let printed = of.mean(|start, x, a, next| {
        let at_next: Point = std::array::from_fn(|i| (0..A).map(|b| mixed[start][b] * PHI[next][b][i]).sum());
        let w = dot(PHI[x][a], BETA);
        plus(plus(average_feature(&mixed, start).map(|f| (1.0 - GAMMA) * f), GAMMA * w, at_next), -w, PHI[x][a])
    });
    let (theta_printed, theta) = furthest(&printed, &of.g_theta(&mixed, BETA));
    let inverse = inverse(of.lambda);
    let squared = square(times(inverse, times(inverse, lambda_star)));
    let [half, one, ..] = coverage(false, &of.star);
    let chosen = softmax(0.75, THETA)[0];
    let unscaled = softmax(1.0, THETA)[0];
    audit.shows(
        &[
            ("Erratum 8", "(1−γ)Σ_{t<n} 𝔼 r(X_t,A_t) ≤ ρ(π), without γ^t", collected, worth(false, &BEHAVIOR)),
            ("Erratum 8", "(1−γ)Σ_{t<n} Σ_x P(X_t = x) ≤ Σ_x ν^π(x), without γ^t", 2.0, 1.0),
            ("Erratum 8", "Φ(ω + Ψv^π) = q^π, (3) without γ", q_printed, q),
            ("Erratum 8", "𝔼 μ_{t,k} = μ_{β,π}, the first line without γ", mu_printed, mu),
            ("Erratum 8", "(1−γ)ν₀ + Pᵀμ* = ν^{π*}, proof of Lemma 4.1 without γ", flow, nu),
            ("Erratum 11", ENTROPY, entropy, 2.0_f64.ln()),
            // The data's policy is uniform in the first state.
            ("Erratum 11", "softmax(αq) = π₁e^{αq}/Z, Lemma D.2's π₂, at π₁ = π_B", chosen[0], chosen[0]),
            ("Erratum 12", "𝔼 g̃_θ = ∇_θ f with π(·|x⁰) for π(·|x') in φ'_{t,k}", theta_printed, theta),
            ("Erratum 12", "C_{φ,2}, one of Def E.1's two as printed = C_{φ,1/2}, one of Def 3.1's", squared, half),
            ("Erratum 6", "C_{φ,1/2} ≤ C_{φ,1}, as printed", half, one),
            (
                "Erratum 6",
                "d C_{φ,1/2}² ≤ C_{φ,1}²: the tighter bound of c = 1/2, by Cor 3.3's order",
                2.0 * half * half,
                one * one,
            ),
            ("Erratum 9", "softmax(ΣΦθ), as the text has it = softmax(αΣΦθ)", unscaled[0], chosen[0]),
        ],
        EXACT,
    );
}

#[test]
fn of_appendices_d_and_e() {
    let (of, audit) = (Setting::new(false), audited());
    let eta = 3.0 / 8.0;
    let second = plus(THETA, eta, BETA);
    let star = BETA.map(|x| -x);
    let regret = dot(plus(star, -1.0, THETA), BETA) + dot(plus(star, -1.0, second), THETA);
    let bound = square(plus(THETA, 1.0, BETA)) / (2.0 * eta) + eta * square(THETA).max(square(BETA));
    // Within ±4; all of μ is less than 1.
    let alpha = 0.75;
    let q = MU[0].map(|x| 4.0 * x);
    let mean_power = q.map(|q| (alpha * q).exp()).iter().sum::<f64>() / 2.0;
    let hoeffding = alpha * alpha * q[0].abs().max(q[1].abs()).powi(2) / 2.0;
    let place = of.star[0].iter().position(|p| *p == 1.0).unwrap();
    let entropy = mean_power.ln() + 2.0_f64.ln() - alpha * q[place];
    let mean = 0.5 * (q[0] + q[1]);
    // Φθ around its middle: ±b, and then ∓b.
    let b = 0.5 * (dot(PHI[0][0], THETA) - dot(PHI[0][1], THETA));
    let next = softmax(alpha, THETA)[0];
    let left = b * (next[0] - next[1]);
    let same = |statement, compares, side| (statement, compares, side, side);
    audit.shows(
        &[
            same("Lemma D.1", "‖y + ηĥ − y*‖² = its expansion", square(second)),
            ("Lemma D.1", "‖Πy − y*‖² ≤ ‖y − y*‖² for y* in the ball", square([0.6, 1.3]), square([1.5, 2.5])),
            same("Lemma D.1", "Σ_k ⟨y* − y_k, ĥ_k⟩ = its telescoped sum, n = 2, on a path without projection", regret),
            ("Lemma D.1", "Σ_k ⟨y* − y_k, ĥ_k⟩ ≤ ‖y₁ − y*‖²/2η + ηnG²/2, G² = max ‖ĥ_k‖², on that path", regret, bound),
            same("Lemma D.2", "D(π*‖π_{t+1}) = its expansion (enclosed to 2⁻⁸⁰)", entropy),
            (
                "Lemma D.2",
                "log Σπe^{αq} − α⟨π,q⟩ ≤ α²‖q‖²_∞/2 (Hoeffding, enclosed)",
                mean_power.ln() - alpha * mean,
                hoeffding,
            ),
            (
                "Lemma D.2",
                "α⟨π* − π, q⟩ ≤ D(π*‖π) − D(π*‖π') + α²‖q‖²_∞/2 (enclosed)",
                alpha * (q[place] - mean),
                2.0_f64.ln() - entropy + hoeffding,
            ),
            (
                "Lemma D.2",
                "Σ_t⟨π* − π_t, q_t⟩ ≤ D(π*‖π₁)/α + (α/2)Σ_t‖q_t‖²_∞, T = 2, q₂ = −q₁ (enclosed)",
                left,
                alpha * b * b,
            ),
            (
                "Erratum 12",
                "Lemma D.2's last display, without the sum over t: T = 2, q₂ = −q₁",
                left,
                0.5 * alpha * b * b,
            ),
        ],
        EXACT,
    );
    let [half, one, diamond, dagger] = coverage(false, &of.star);
    let error = |theta: Point| plus(theta, -1.0, plus(OMEGA, GAMMA, psi_times(v_theta(theta, &BEHAVIOR))));
    let errors = [THETA, BETA].map(|theta| of.quotient(error(theta)));
    audit.shows(
        &[
            ("(17), S6.chain", "C_{φ,1/2} ≤ C^⋄ (Jensen)", half, diamond),
            same("(17), S6.chain", "C_{φ,1/2} = C^⋄ − Var(Λ^{−1/2}φ)", half),
            ("S6.chain", "C_{φ,1/2} ≤ D_φ² C_{φ,1}", half, one),
            same("Def 3.1", "C_{φ,c} = zᵀ(Λ^cΛ^c)⁻¹z at z = Φᵀμ*", one),
            same("Def 3.1", "zᵀ(Λ^cΛ^c)⁻¹z = ‖β*‖² at z = Φᵀμ*, Λ^cβ* = z", one),
            same("S6.chain", "C_{sφ,1} = C_{φ,1}/s², at s = 3", one / 9.0),
            same("Def E.1, (31), Prop E.3", "𝔼*[φᵀΛ⁻¹φ] = Tr(MΛ⁻¹)", diamond),
            same("(30)", "𝔼*[Tr(φφᵀΛ⁻¹)] = 𝔼*[φᵀΛ⁻¹φ]", diamond),
            same("Prop E.2", "C_{φ,1/2} = 𝔼*[φᵀΛ⁻¹φ] − Var(Λ^{−1/2}φ)", half),
            same("Prop E.2", "C_{φ,1} = 𝔼*[φᵀΛ⁻²φ] − Var(Λ⁻¹φ)", one),
            same("(35), (36)", "‖f − 𝒯f‖²_{μ*}/‖f − 𝒯f‖²_{μ_B} = the quotient at θ − 𝒯θ in feature space", errors[0]),
            same("Prop E.4, (36), (37)", "θ − 𝒯θ = y at the θ found for a given y: equality for Θ = ℝ^d", BETA[0]),
            same("(37), (38)", "𝔼*⟨φ,y⟩²/𝔼_B⟨φ,y⟩² = yᵀMy/yᵀΛy", of.quotient(BETA)),
        ],
        EXACT,
    );
    audit.shows(
        &[
            ("(18)", "yᵀMy/yᵀΛy ≤ C^†, from above, at y = θ", of.quotient(THETA), dagger),
            ("S6.chain", "C_{φ,1/2} ≤ C^†, so ≤ dC^†: M ⪯ τΛ only for τ ≥ C_{φ,1/2}", half, dagger),
            ("Def E.1, Prop E.4", "C_{𝓕,π} over two θ ≤ C^†, from above", errors[0].max(errors[1]), dagger),
        ],
        BRACKET,
    );
}

#[test]
fn of_section_5_and_appendix_c() {
    let (of, audit) = (Setting::new(true), audited());
    let (own, optimal) = (worth(true, &BEHAVIOR), worth(true, &of.star));
    let (g_beta, g_theta, g_rho) = (of.g_beta(&BEHAVIOR, THETA, RHO), of.g_theta(&BEHAVIOR, BETA), of.g_rho(BETA));
    let (first, both) = (of.lagrangian(BETA), of.lagrangian(times(of.lambda, BETA)));
    let f = of.f(BETA, &BEHAVIOR, THETA, RHO);
    let [lost, ..] = regrets(true, false, &of.star, &iterates());
    let step = (1.0 - dot(PHI[0][0], BETA)) / 16.0;
    let moved = of.f(of.beta_star, &of.star, THETA, RHO) - of.f(BETA, &BEHAVIOR, plus(THETA, 1.0, BETA), RHO + 1.0);
    let same = |statement, compares, side| (statement, compares, side, side);
    audit.shows(
        &[
            same("S5.gain", "⟨μ^π, r⟩ = ρ^π from Bellman's equations", own),
            ("(23)", "⟨r, μ⟩ at μ^π ≤ at the optimal policy's μ", own, optimal),
            same("(23)", "⟨r, μ⟩ at the optimal policy's μ = ρ*", optimal),
            same("(23)", "both forms of the Lagrangian in λ", first),
            ("Erratum 10", "both forms of the Lagrangian in λ, the second as printed", first, first - dot(BETA, OMEGA)),
            same("(23)", "ρ + ⟨β, Λ^c(ω + Ψv − θ − ρϱ)⟩ + ⟨μ, Φθ − Ev⟩ = the Lagrangian at λ = Λ^cβ", both),
            same("(23)", "both forms of the Lagrangian in β", both),
            same("(23)", "f(β,π;ρ,θ): the Lagrangian at μ_{β,π} = the short form", f),
            same("(23)", "f through ∇_θ f = f through ν_β", f),
            same("(23)", "f through ν_β = the short form", f),
            same("(23)", "f at θ + h − f at θ = ⟨g_θ, h⟩", dot(g_theta, BETA)),
            same("(23)", "f at β + h − f at β = ⟨g_β, h⟩", dot(g_beta, THETA)),
            same("(23)", "f at ρ + 1 − f at ρ = g_ρ", g_rho),
            same("Lemma C.5", "𝔼 g̃_β = g_β", g_beta[0]),
            same("Lemma C.6", "𝔼 g̃_ρ = g_ρ", g_rho),
            same("Lemma C.7", "𝔼 g̃_θ = g_θ, over A' ∼ π too", g_theta[0]),
            same("(27), Lemma C.3", "duality gap of any iterates = average suboptimality", lost),
            same("Lemma C.4", "duality gap of any iterates = sum of the regrets", lost),
            same("Lemma C.4", "f(β*,π*;ρ,θ) − f(β,π;ρ*,θ*) = its two differences", moved),
            same("Alg 2", "rows used = T(K+1)", 24.0),
            // From ρ = 1/2 two steps of ξ = 1/16, always at the first features.
            same("Alg 2", "ρ_2^{(1)} = ρ_1, the average, as θ_2^{(1)} = θ_1", 0.5 - step / 2.0),
        ],
        EXACT,
    );
    let size = |rho| of.mean(|_, x, a, next| [square(of.estimate_beta(THETA, rho, reward(x, a), (x, a, next)))])[0];
    let sharp = dot(BETA, times(of.lambda, BETA));
    let [size_rho] = of.mean(|_, x, a, _| [(1.0 - dot(PHI[x][a], BETA)).powi(2)]);
    let [size_theta] = of.mean(|_, x, a, next| {
        let part = |b: usize| square(plus(PHI[next][b], -1.0, PHI[x][a]).map(|f| f * dot(PHI[x][a], BETA)));
        [(0..A).map(|b| BEHAVIOR[next][b] * part(b)).sum()]
    });
    let bound = (2.0 + square(THETA)).powi(2) * (of.lambda[0][0] + of.lambda[1][1]);
    audit.shows(
        &[
            ("Thm C.1, (24), Lemma C.5", "𝔼‖g̃_β‖² ≤ G_β²", size(RHO), bound),
            ("Thm C.1, (25), Lemma C.6", "𝔼 g̃_ρ² ≤ 2(1 + ‖β‖²_{Λ^{2c−1}})", size_rho, 2.0 * (1.0 + sharp)),
            ("Thm C.1, (26), Lemma C.7", "𝔼‖g̃_θ‖² ≤ 4D_φ²‖β‖²_{Λ^{2c−1}}", size_theta, 4.0 * sharp),
            ("Erratum 18", "𝔼‖g̃_β‖² = Lemma C.5's display, without ρ", size(RHO), size(0.0)),
        ],
        EXACT,
    );
    average_expected_over_every_sequence(&of, &audit);
}

/// As in the discounted setting, with ρ₀ = 2/7 and ξ = 1/4 besides; A' is drawn too.
fn average_expected_over_every_sequence(of: &Setting, audit: &Audit) {
    let (g_theta, g_rho) = (of.g_theta(&UNIFORM, BETA), of.g_rho(BETA));
    let (theta_star, rho_star) = (of.theta(&UNIFORM), worth(true, &UNIFORM));
    let mut theta2 = square(THETA).max(square(theta_star));
    let [rho_2] = of.mean(|_, x, a, next| {
        let w = dot(PHI[x][a], BETA);
        for phi_next in PHI[next] {
            let gradient = plus(phi_next, -1.0, PHI[x][a]).map(|f| f * w);
            theta2 = theta2.max(square(stepped(THETA, gradient)));
        }
        [(RHO - 0.25 * (1.0 - w)).clamp(0.0, 1.0)]
    });
    let beta2 = square(BETA).max(square(of.beta_star));
    let [bound_theta, _, bound_rho] = moments(true, false, (theta2.sqrt(), beta2.sqrt()));
    let bound_beta = (2.0 + theta2).powi(2) * (of.lambda[0][0] + of.lambda[1][1]);
    let (path_regret, path_beta2) = of.beta_path();
    let path_bound = 8.0 * path_beta2 + (2.0 + square(THETA)).powi(2) * (of.lambda[0][0] + of.lambda[1][1]) / 4.0;
    let (theta, rho) = (plus(THETA, 0.5, plus(stepped(THETA, g_theta), -1.0, THETA)), 0.5 * (RHO + rho_2));
    let beta_regret = dot(plus(of.beta_star, -1.0, BETA), of.g_beta(&UNIFORM, theta, rho));
    let rho_regret = 2.0 * (rho - rho_star) * g_rho;
    let theta_regret = 2.0 * dot(plus(theta, -1.0, theta_star), g_theta);
    let gap = beta_regret + of.advantage(&UNIFORM, theta) + 0.5 * (theta_regret + rho_regret);
    let bounds = [8.0 * beta2 + bound_beta / 8.0, 2.0 + bound_rho / 4.0, 8.0 * theta2 + bound_theta / 4.0];
    let policy = 4.0 * 2.0_f64.ln() + theta2 / 8.0;
    audit.shows(
        &[
            ("Lemma C.5, (28)", BETA_REGRET, path_regret, path_bound),
            (
                "Lemma C.6",
                "𝔼 Σ_i (ρ^{(i)} − ρ*)g_ρ ≤ its bound, over every data sequence, K = 2, T = 1",
                rho_regret,
                bounds[1],
            ),
            (
                "Lemma C.7, (29)",
                "𝔼 Σ_i ⟨θ^{(i)} − θ*, g_θ⟩ ≤ its bound, over every data sequence, K = 2, T = 1",
                theta_regret,
                bounds[2],
            ),
            (
                "(27), Lemma C.4",
                "𝔼 𝒢_T ≤ its bound, over every data sequence, K = 2, T = 1 (enclosed)",
                gap,
                bounds[0] + policy + 0.5 * (bounds[1] + bounds[2]),
            ),
            ("(27), Lemma C.4", "𝔼 𝒢_T = the mean of the regrets, over every data sequence, K = 2, T = 1", gap, gap),
        ],
        NORM,
    );
}

/// K = 5, T = 4, every rate 1/8, the rows of seed 0, and as radii the least powers of 2 that hold every θ^π and β*.
#[test]
fn of_a_run() {
    let place = Place::new();
    place.write("m.json", MODEL.as_bytes());
    let audit = Audit::of(&place, "audit --mdp m.json --json");
    let psi = square(plus(plus(PSI[0], 1.0, PSI[1]), 1.0, PSI[2]));
    let power_of_2 = |square: f64| (square.sqrt().log2().ceil()).exp2();
    for average in [false, true] {
        let of = Setting::new(average);
        let name = if average { "average" } else { "discounted" };
        said(&place, &format!("sample --mdp m.json --setting {name} --rows 24 --seed 0 --out d.csv"));
        let theta2 = if average {
            let span = number(&audit.row("Asm 5.1", "‖q^π‖_sp ≤ D_q = max over deterministic policies")["rhs"]);
            3.0 * (square(OMEGA) + square(VARRHO) + psi * span * span)
        } else {
            2.0 * (square(OMEGA) + psi / (1.0 - GAMMA).powi(2))
        };
        let (radius_theta, radius_beta) = (power_of_2(theta2), power_of_2(square(of.beta_star)));
        let (alpha, eta, zeta, xi) = (0.125, 0.125, 0.125, 0.125);
        let setup = Setup { average, half: false, inner: 5, outer: 4, alpha, eta, zeta, xi, radius_theta, radius_beta };
        let data = rows(&std::fs::read_to_string(place.path("d.csv")).unwrap());
        let [lost, ..] = regrets(average, false, &of.star, &run(&setup, &data).0);
        let [gap, sum] = if average { ["Lemma C.3", "Lemma C.4"] } else { ["(16), Lemma 4.1", "Lemma 4.2"] };
        audit.shows(
            &[
                (gap, "duality gap of a run = average suboptimality", lost, lost),
                (sum, "duality gap of a run = sum of the regrets", lost, lost),
            ],
            NORM,
        );
    }
}
