//! The paper's definitions once more, in plain loops that share no code with the library: values and occupancies by iteration, the best
//! policy by trying all; the algorithms by `tests/straight`. Two features, so that Λ is inverted by hand.

use crate::straight::{Problem, algorithm_1, algorithm_2};
use offline_primal_dual::paper::average_reward::algorithm as average;
use offline_primal_dual::paper::discounted::algorithm as discounted;
use offline_primal_dual::paper::samples::Sample;
use serde_json::Value;

pub const S: usize = 3;
pub const A: usize = 2;
/// Iterations after which 0.8ⁿ, and what is left of a walk's start, is below rounding.
const LONG: usize = 600;

pub type Point = [f64; 2];
pub type Policy = [[f64; A]; S];
pub type Matrix = [Point; 2];

pub const MODEL: &str = r#"{"name":"numbers","discount":"4/5","initial":["1/2","1/3","1/6"],
 "features":[[[1,0],["1/2","1/2"]],[[0,1],["1/4","3/4"]],[["3/4","1/4"],["2/5","3/5"]]],
 "omega":[1,"1/4"],"psi":[["1/2","1/4"],["1/4","1/4"],["1/4","1/2"]],"behavior":[["1/2","1/2"],["1/3","2/3"],["1/4","3/4"]]}"#;

pub const GAMMA: f64 = 0.8;
pub const INITIAL: [f64; S] = [0.5, 1.0 / 3.0, 1.0 / 6.0];
pub const PHI: [[Point; A]; S] = [[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.25, 0.75]], [[0.75, 0.25], [0.4, 0.6]]];
pub const OMEGA: Point = [1.0, 0.25];
pub const PSI: [Point; S] = [[0.5, 0.25], [0.25, 0.25], [0.25, 0.5]];
pub const BEHAVIOR: Policy = [[0.5, 0.5], [1.0 / 3.0, 2.0 / 3.0], [0.25, 0.75]];
/// ⟨φ, ϱ⟩ = 1.
pub const VARRHO: Point = [1.0, 1.0];

pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}

pub fn times(m: Matrix, x: Point) -> Point {
    [dot(m[0], x), dot(m[1], x)]
}

pub fn inverse([[a, b], [c, d]]: Matrix) -> Matrix {
    let det = a * d - b * c;
    [[d / det, -b / det], [-c / det, a / det]]
}

/// The positive root of a positive 2×2 matrix: (M + √det·1)/√(tr + 2√det).
pub fn root([[a, b], [c, d]]: Matrix) -> Matrix {
    let s = (a * d - b * c).sqrt();
    let t = (a + d + 2.0 * s).sqrt();
    [[(a + s) / t, b / t], [c / t, (d + s) / t]]
}

/// The largest eigenvalue.
pub fn largest([[a, b], [c, d]]: Matrix) -> f64 {
    let (half, det) = (0.5 * (a + d), a * d - b * c);
    half + (half * half - det).sqrt()
}

pub fn reward(x: usize, a: usize) -> f64 {
    dot(PHI[x][a], OMEGA)
}

pub fn arrival(x: usize, a: usize, y: usize) -> f64 {
    dot(PHI[x][a], PSI[y])
}

/// ν^π, discounted or stationary.
pub fn visits(average: bool, policy: &Policy) -> [f64; S] {
    let mut nu = INITIAL;
    for _ in 0..LONG {
        let next: [f64; S] = std::array::from_fn(|y| {
            let mut arriving = 0.0;
            for x in 0..S {
                for a in 0..A {
                    arriving += nu[x] * policy[x][a] * arrival(x, a, y);
                }
            }
            if average { arriving } else { (1.0 - GAMMA) * INITIAL[y] + GAMMA * arriving }
        });
        nu = next;
    }
    nu
}

/// ρ(π) = Σ μ^π r.
pub fn worth(average: bool, policy: &Policy) -> f64 {
    let nu = visits(average, policy);
    (0..S).map(|x| (0..A).map(|a| nu[x] * policy[x][a] * reward(x, a)).sum::<f64>()).sum()
}

/// v^π; in the average setting relative values, up to a constant.
pub fn values(average: bool, policy: &Policy) -> [f64; S] {
    let (gain, gamma) = if average { (worth(true, policy), 1.0) } else { (0.0, GAMMA) };
    let mut v = [0.0; S];
    for _ in 0..LONG {
        v = std::array::from_fn(|x| {
            let onward = |a| (0..S).map(|y| arrival(x, a, y) * v[y]).sum::<f64>();
            (0..A).map(|a| policy[x][a] * (reward(x, a) - gain + gamma * onward(a))).sum()
        });
    }
    v
}

/// The best deterministic policy.
pub fn best(average: bool) -> Policy {
    let all = (0..1 << S).map(|code: usize| -> Policy {
        std::array::from_fn(|x| if code >> x & 1 == 0 { [1.0, 0.0] } else { [0.0, 1.0] })
    });
    all.max_by(|p, q| worth(average, p).total_cmp(&worth(average, q))).unwrap()
}

/// Φᵀμ for μ = ν∘π.
pub fn mean_feature(nu: &[f64; S], policy: &Policy) -> Point {
    let mut mean = [0.0; 2];
    for x in 0..S {
        for a in 0..A {
            for i in 0..2 {
                mean[i] += nu[x] * policy[x][a] * PHI[x][a][i];
            }
        }
    }
    mean
}

/// Σ μ φφᵀ.
pub fn moment(nu: &[f64; S], policy: &Policy) -> Matrix {
    let mut m = [[0.0; 2]; 2];
    for x in 0..S {
        for a in 0..A {
            for i in 0..2 {
                for j in 0..2 {
                    m[i][j] += nu[x] * policy[x][a] * PHI[x][a][i] * PHI[x][a][j];
                }
            }
        }
    }
    m
}

pub fn lambda(average: bool) -> Matrix {
    moment(&visits(average, &BEHAVIOR), &BEHAVIOR)
}

/// C_{φ,1/2}, C_{φ,1}, C^⋄ and C^† of a policy.
pub fn coverage(average: bool, policy: &Policy) -> [f64; 4] {
    let (nu, inv) = (visits(average, policy), inverse(lambda(average)));
    let (mean, m) = (mean_feature(&nu, policy), moment(&nu, policy));
    let beta = times(inv, mean);
    let product: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| inv[i][0] * m[0][j] + inv[i][1] * m[1][j]));
    [dot(mean, beta), dot(beta, beta), product[0][0] + product[1][1], largest(product)]
}

/// What an algorithm is run with.
pub struct Setup {
    pub average: bool,
    pub half: bool,
    pub inner: usize,
    pub outer: usize,
    pub alpha: f64,
    pub eta: f64,
    pub zeta: f64,
    pub xi: f64,
    pub radius_theta: f64,
    pub radius_beta: f64,
}

/// What an algorithm leaves of iteration t.
#[derive(Clone)]
pub struct Iterate {
    pub theta: Point,
    pub beta: Point,
    pub rho: f64,
    pub policy: Policy,
}

/// The end of a run: β_{T+1}, Σθ, π_{T+1}.
pub struct End {
    pub beta: Point,
    pub theta_sum: Point,
    pub policy: Policy,
}

pub type Row = Sample<f64>;

/// A data file by its header.
pub fn rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines
        .map(|line| {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let get = |name: &str| names.iter().position(|n| *n == name).map_or(0.0, |at| cells[at]);
            let index = |name: &str| format!("{}", get(name)).parse().unwrap();
            Row { x0: index("x0"), x: index("x"), a: index("a"), r: get("r"), x_next: index("x_next"), u: get("u") }
        })
        .collect()
}

pub fn softmax(alpha: f64, sum: Point) -> Policy {
    std::array::from_fn(|x| {
        let weights = PHI[x].map(|phi| (alpha * dot(phi, sum)).exp());
        weights.map(|w| w / weights.iter().sum::<f64>())
    })
}

/// Σ_a π(a|x) φ(x, a).
pub fn average_feature(policy: &Policy, x: usize) -> Point {
    std::array::from_fn(|i| (0..A).map(|a| policy[x][a] * PHI[x][a][i]).sum())
}

/// The run by the straight-line versions, with this file's Λ^{c−1} and policies.
pub fn run(setup: &Setup, rows: &[Row]) -> (Vec<Iterate>, End) {
    let Setup { alpha, eta, zeta, xi, radius_theta, radius_beta, inner, outer, .. } = *setup;
    let weight = inverse(root(lambda(setup.average))).concat();
    let weight = setup.half.then_some(&weight[..]);
    let problem = Problem { actions: A, dim: 2, features: PHI.concat().concat(), samples: rows.to_vec() };
    let steps = if setup.average {
        let parameters = average::Parameters { alpha, eta, zeta, xi, radius_theta, radius_beta, inner };
        algorithm_2(&problem, weight, &parameters, outer)
    } else {
        let parameters = discounted::Parameters { discount: GAMMA, alpha, eta, zeta, radius_theta, radius_beta, inner };
        algorithm_1(&problem, weight, &parameters, outer)
    };
    let point = |x: &[f64]| -> Point { [x[0], x[1]] };
    let (mut beta, mut sum, mut iterates) = ([0.0; 2], [0.0; 2], Vec::new());
    for after in &steps {
        iterates.push(Iterate { theta: point(&after.theta), beta, rho: after.rho, policy: softmax(alpha, sum) });
        (beta, sum) = (point(&after.beta), point(&after.sum));
    }
    (iterates, End { beta, theta_sum: sum, policy: softmax(alpha, sum) })
}

/// Suboptimality and the regrets of θ, β, π and ρ against a policy, averaged over the iterates (Lemmas 4.2 and C.4).
pub fn regrets(average: bool, half: bool, against: &Policy, iterates: &[Iterate]) -> [f64; 5] {
    let lambda = lambda(average);
    let power = if half { root(lambda) } else { lambda };
    let nu = visits(average, against);
    let beta_star = times(inverse(power), mean_feature(&nu, against));
    let mut sums = [0.0; 5];
    for Iterate { theta, beta, rho, policy } in iterates {
        let lifted = times(power, *beta);
        let psi_times = |v: [f64; S]| -> Point { std::array::from_fn(|i| (0..S).map(|x| PSI[x][i] * v[x]).sum()) };
        let v: [f64; S] = std::array::from_fn(|x| dot(average_feature(policy, x), *theta));
        let (gain, gamma) = if average { (worth(true, policy), 1.0) } else { (0.0, GAMMA) };
        let (onward, own) = (psi_times(v), psi_times(values(average, policy)));
        let theta_star: Point = std::array::from_fn(|i| OMEGA[i] - gain * VARRHO[i] + gamma * own[i]);
        let rho_here = if average { *rho } else { 0.0 };
        let residual: Point = std::array::from_fn(|i| OMEGA[i] - rho_here * VARRHO[i] + gamma * onward[i] - theta[i]);
        let g_beta = times(power, residual);
        let nu_beta: [f64; S] = std::array::from_fn(|x| {
            gamma * dot(PSI[x], lifted) + if average { 0.0 } else { (1.0 - GAMMA) * INITIAL[x] }
        });
        let mean = mean_feature(&nu_beta, policy);
        let g_theta: Point = std::array::from_fn(|i| mean[i] - lifted[i]);
        sums[0] += worth(average, against) - worth(average, policy);
        sums[1] += dot([theta[0] - theta_star[0], theta[1] - theta_star[1]], g_theta);
        sums[2] += dot([beta_star[0] - beta[0], beta_star[1] - beta[1]], g_beta);
        for x in 0..S {
            for a in 0..A {
                sums[3] += nu[x] * (against[x][a] - policy[x][a]) * dot(PHI[x][a], *theta);
            }
        }
        sums[4] += if average { (rho - gain) * (1.0 - dot(VARRHO, lifted)) } else { 0.0 };
    }
    sums.map(|sum| sum / iterates.len() as f64)
}

/// G_θ², G_β², G_ρ², K for T, and the bound, at the radii (Theorems A.1 and C.1).
pub struct Promised {
    pub moments: [f64; 3],
    pub inner: f64,
    /// α, η, ζ, ξ for K and T.
    pub rates: [f64; 4],
    pub bound: f64,
}

/// D_φ², Tr(Λ^{2c−1}), ‖Λ‖^{2c−1}.
fn constants(average: bool, half: bool) -> (f64, f64, f64) {
    let phi2 = PHI.iter().flatten().map(|phi| dot(*phi, *phi)).fold(0.0, f64::max);
    let l = lambda(average);
    let (trace, norm) = if half { (2.0, 1.0) } else { (l[0][0] + l[1][1], largest(l)) };
    (phi2, trace, norm)
}

/// G_θ², G_β², G_ρ².
pub fn moments(average: bool, half: bool, (d_theta, d_beta): (f64, f64)) -> [f64; 3] {
    let (phi2, trace, norm) = constants(average, half);
    let (t2, b2, grown) = (d_theta * d_theta, d_beta * d_beta, 1.0 + GAMMA * GAMMA);
    if average {
        [4.0 * phi2 * b2 * norm, trace * (1.0 + 2.0 * d_theta * phi2.sqrt()).powi(2), 2.0 * (1.0 + b2 * norm)]
    } else {
        [3.0 * phi2 * ((1.0 - GAMMA).powi(2) + grown * b2 * norm), 3.0 * (1.0 + grown * phi2 * t2) * trace, 0.0]
    }
}

/// The right side of the theorem for t iterations: six terms, or eight.
pub fn right_side(setup: &Setup, t: usize) -> f64 {
    let Setup { average, half, inner, alpha, eta, zeta, xi, radius_theta, radius_beta, .. } = *setup;
    let [g_theta, g_beta, g_rho] = moments(average, half, (radius_theta, radius_beta));
    let (phi2, log_a) = (constants(average, half).0, 2.0_f64.ln());
    let (t2, b2, t, k) = (radius_theta * radius_theta, radius_beta * radius_beta, t as f64, inner as f64);
    let start = 2.0 * b2 / (zeta * t) + log_a / (alpha * t) + 2.0 * t2 / (eta * k);
    let growth = zeta * g_beta / 2.0 + alpha * t2 * phi2 / 2.0 + eta * g_theta / 2.0;
    start + growth + if average { 1.0 / (2.0 * xi * k) + xi * g_rho / 2.0 } else { 0.0 }
}

pub fn promised(average: bool, half: bool, radii: (f64, f64), inner: Option<usize>, outer: usize) -> Promised {
    let [g_theta, g_beta, g_rho] = moments(average, half, radii);
    let (phi2, log_a) = (constants(average, half).0, 2.0_f64.ln());
    let (t2, b2, t) = (radii.0 * radii.0, radii.1 * radii.1, outer as f64);
    let ratio = if average {
        (g_rho + 4.0 * t2 * g_theta) / (4.0 * b2 * g_beta + 2.0 * t2 * phi2 * log_a)
    } else {
        2.0 * t2 * g_theta / (2.0 * b2 * g_beta + t2 * phi2 * log_a)
    };
    let inner = inner.unwrap_or((ratio * t).ceil() as usize);
    let k = inner as f64;
    let alpha = (2.0 * log_a / (phi2 * t2 * t)).sqrt();
    let (eta, zeta) = ((4.0 * t2 / (g_theta * k)).sqrt(), (4.0 * b2 / (g_beta * t)).sqrt());
    let xi = if average { (1.0 / (g_rho * k)).sqrt() } else { 0.0 };
    let (radius_theta, radius_beta) = radii;
    let setup = Setup { average, half, inner, outer, alpha, eta, zeta, xi, radius_theta, radius_beta };
    let bound = right_side(&setup, outer);
    Promised { moments: [g_theta, g_beta, g_rho], inner: k, rates: [alpha, eta, zeta, xi], bound }
}

/// J of a seed and T: ChaCha8 under the key ¬seed, its first 64 bits.
pub fn output_index(seed: u64, outer: usize) -> u64 {
    let key = !seed;
    let mut start = [0_u32; 16];
    start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    (start[4], start[5]) = (key as u32, (key >> 32) as u32);
    let mut s = start;
    for _ in 0..4 {
        let quarters = [
            [0, 4, 8, 12],
            [1, 5, 9, 13],
            [2, 6, 10, 14],
            [3, 7, 11, 15],
            [0, 5, 10, 15],
            [1, 6, 11, 12],
            [2, 7, 8, 13],
            [3, 4, 9, 14],
        ];
        for [a, b, c, d] in quarters {
            for (turn_d, turn_b) in [(16, 12), (8, 7)] {
                s[a] = s[a].wrapping_add(s[b]);
                s[d] = (s[d] ^ s[a]).rotate_left(turn_d);
                s[c] = s[c].wrapping_add(s[d]);
                s[b] = (s[b] ^ s[c]).rotate_left(turn_b);
            }
        }
    }
    let word = |i: usize| u64::from(s[i].wrapping_add(start[i]));
    let unit = ((word(0) | word(1) << 32) >> 11) as f64 / 9_007_199_254_740_992.0;
    1 + (unit * outer as f64) as u64
}

/// A JSON number, or `"p/q"`, or what the oracle prints.
pub fn number(value: &Value) -> f64 {
    if let Some(x) = value.as_f64() {
        return x;
    }
    if value["exact"].is_string() {
        let (exact, double) = (number(&value["exact"]), value["f64"].as_f64().unwrap());
        let bits = f64::from_bits(u64::from_str_radix(value["bits"].as_str().unwrap(), 16).unwrap());
        // The reader of this test may be off by the last bit.
        let same = |x: f64| (x - bits).abs() <= 5e-16 * bits.abs();
        assert!(same(exact) && same(double), "{value}");
        return exact;
    }
    let text = value.as_str().unwrap();
    let (n, d) = text.split_once('/').unwrap_or((text, "1"));
    // More digits than a double's exponent are cut from both.
    let surplus = n.len().max(d.len()).saturating_sub(300);
    let cut = |digits: &str| digits[..digits.len().saturating_sub(surplus)].parse::<f64>().unwrap_or(0.0);
    cut(n) / cut(d)
}
