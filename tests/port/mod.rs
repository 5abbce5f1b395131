//! Both algorithms as somebody else would write them, in several right styles and with many mistakes.

use offline_primal_dual::conformance::{Case, Quantity, Setting, Step, Trace};

/// A way of computing the same.
#[allow(clippy::struct_excessive_bools)] // each is a choice of its own
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    pub reversed: bool,
    pub fused: bool,
    pub pairwise: bool,
    /// How many ulps exp is off.
    pub exp: i64,
    /// θ/K summed, instead of the sum divided.
    pub share_first: bool,
    /// y/‖y‖·D for y·(D/‖y‖).
    pub normalise_first: bool,
    /// (1−γ)(πφ) + (γw)(πφ) for sums over μφ.
    pub means_first: bool,
    /// (φᵀM)β for φᵀ(Mβ).
    pub transposed: bool,
    /// Σθ added up anew every time, from the last to the first.
    pub sum_anew: bool,
    /// (ζ·td)·φ for ζ·(td·φ), and td from the other end.
    pub other_products: bool,
    /// Every operation rounds to single precision.
    pub single: bool,
    /// A' from this stream instead of u.
    pub own_draws: Option<u64>,
}

/// Twelve right ones.
pub fn right() -> Vec<Style> {
    let plain = Style::default();
    let all = Style {
        reversed: true,
        fused: true,
        exp: 3,
        share_first: true,
        normalise_first: true,
        means_first: true,
        transposed: true,
        sum_anew: true,
        other_products: true,
        ..plain
    };
    vec![
        plain,
        Style { reversed: true, ..plain },
        Style { fused: true, ..plain },
        Style { pairwise: true, ..plain },
        Style { exp: 2, ..plain },
        Style { exp: -3, reversed: true, ..plain },
        Style { share_first: true, ..plain },
        Style { normalise_first: true, fused: true, ..plain },
        Style { means_first: true, ..plain },
        Style { transposed: true, pairwise: true, ..plain },
        Style { sum_anew: true, other_products: true, ..plain },
        all,
    ]
}

/// A port: a style, and the name of a mistake (`""`: none).
pub struct Port {
    pub style: Style,
    pub bug: &'static str,
}

type Fields = Vec<(Quantity, Vec<f64>)>;

impl Port {
    pub fn new(style: Style, bug: &'static str) -> Self {
        Self { style, bug }
    }

    fn is(&self, bug: &str) -> bool {
        self.bug == bug
    }

    fn r(&self, x: f64) -> f64 {
        if self.style.single { f64::from(x as f32) } else { x }
    }

    fn rs(&self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| self.r(*x)).collect()
    }

    fn sum(&self, terms: &[f64]) -> f64 {
        if self.style.pairwise && terms.len() > 2 {
            let (a, b) = terms.split_at(terms.len() / 2);
            return self.r(self.sum(a) + self.sum(b));
        }
        let add = |sum: f64, x: &f64| self.r(sum + x);
        if self.style.reversed { terms.iter().rev().fold(0.0, add) } else { terms.iter().fold(0.0, add) }
    }

    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        if self.style.fused && !self.style.single {
            let add = |sum: f64, (x, y): (&f64, &f64)| x.mul_add(*y, sum);
            return if self.style.reversed {
                a.iter().zip(b).rev().fold(0.0, add)
            } else {
                a.iter().zip(b).fold(0.0, add)
            };
        }
        self.sum(&a.iter().zip(b).map(|(x, y)| self.r(x * y)).collect::<Vec<_>>())
    }

    /// ⟨a, b⟩ that may stop early.
    fn short_dot(&self, bug: &str, a: &[f64], b: &[f64]) -> f64 {
        let n = if self.is(bug) { a.len().min(19) } else { a.len() };
        self.dot(&a[..n], &b[..n])
    }

    fn exp(&self, x: f64) -> f64 {
        if self.style.single {
            return f64::from((x as f32).exp());
        }
        let y = x.exp();
        // Down to 0, not below.
        if y == 0.0 || y == 1.0 { y } else { f64::from_bits((y.to_bits() as i64 + self.style.exp).max(0) as u64) }
    }

    fn policy(&self, phi: &[f64], dim: usize, alpha: f64, sum: &[f64], bug: &str) -> Vec<f64> {
        let alpha = if self.is("temperature") { 1.0 / alpha.max(1e-3) } else { alpha };
        let alpha = if self.is("alpha-squared") { alpha * alpha } else { alpha };
        let alpha = if self.is(bug) { 0.5 * alpha } else { alpha };
        let z: Vec<f64> = phi.chunks(dim).map(|phi| self.r(alpha * self.short_dot("logits-stop", phi, sum))).collect();
        let top = if self.is("no-max") { 0.0 } else { z.iter().copied().fold(f64::NEG_INFINITY, f64::max) };
        let e: Vec<f64> = z.iter().map(|z| self.exp(self.r(z - top))).collect();
        let total = self.sum(&e) + if self.is("epsilon") { 1e-8 } else { 0.0 };
        e.iter().map(|e| self.r(e / total)).collect()
    }

    fn project(&self, y: &[f64], radius: f64, bugs: [&str; 3]) -> Vec<f64> {
        let square = self.short_dot("norm-stops", y, y);
        let norm = self.r(square.sqrt());
        if self.is(bugs[0]) {
            return y.iter().map(|y| y.clamp(-radius, radius)).collect();
        }
        let outside = if self.is(bugs[1]) { square > radius } else { norm > radius };
        let norm = if self.is(bugs[2]) && outside { square } else { norm };
        if !outside {
            return y.to_vec();
        }
        let scale = |y: &f64| {
            if self.style.normalise_first {
                self.r(self.r(y / norm) * radius)
            } else {
                self.r(y * self.r(radius / norm))
            }
        };
        y.iter().map(scale).collect()
    }

    fn weigh(&self, weight: Option<&[f64]>, v: &[f64]) -> Vec<f64> {
        let d = v.len();
        let Some(m) = weight else { return v.to_vec() };
        (0..d)
            .map(
                |i| if self.is("diagonal") { self.r(m[i * d + i] * v[i]) } else { self.dot(&m[i * d..(i + 1) * d], v) },
            )
            .collect()
    }

    fn average(&self, points: &[Vec<f64>]) -> Vec<f64> {
        let skip = usize::from(self.is("first-not-averaged") && points.len() > 1);
        let mut points = points[skip..].to_vec();
        if self.is("last-twice") {
            points.push(points[points.len() - 1].clone());
        }
        let k = points.len() as f64 + if self.is("divided-by-k-plus-one") { 1.0 } else { 0.0 };
        let column = |i: usize| {
            let column = points.iter().map(|point| point[i]);
            if self.style.share_first {
                return self.sum(&column.map(|x| self.r(x / k)).collect::<Vec<_>>());
            }
            self.r(self.sum(&column.collect::<Vec<_>>()) / k)
        };
        (0..points[0].len()).map(column).collect()
    }

    /// A run, with every intermediate.
    #[allow(clippy::too_many_lines)] // as somebody else would write it, in one piece
    pub fn run(&self, case: &Case) -> Trace {
        let (d, actions, states) = (case.dim, case.actions, case.states);
        let features = self.rs(&case.features);
        let weight = case.weight.as_deref().map(|weight| self.rs(weight));
        let [alpha, eta, zeta, xi, gamma] =
            [case.alpha, case.eta, case.zeta, case.xi, case.discount].map(|x| self.r(x));
        let (radius_theta, radius_beta) = (self.r(case.radius_theta), self.r(case.radius_beta));
        let state = |x: usize| &features[x * actions * d..(x + 1) * actions * d];
        let phi_of = |x: usize, a: usize| {
            let a = if self.is("first-action") { 0 } else { a };
            let row = if self.is("transposed-index") { a * states + x } else { x * actions + a };
            features[row * d..(row + 1) * d].to_vec()
        };
        let (mut theta, mut beta, mut rho) =
            (self.rs(&case.theta_start), self.rs(&case.beta_start), self.r(case.rho_start));
        let (first_beta, mut thetas, mut sum) = (beta.clone(), Vec::<Vec<f64>>::new(), vec![0.0; d]);
        let mut stream = self.style.own_draws.unwrap_or(0);
        let mut trace = Trace::new();
        let is_average = case.setting == Setting::Average;
        for (t, block) in (1..).zip(case.samples.chunks(case.block())) {
            let mut block = block.to_vec();
            if self.is("last-row-first") {
                block.rotate_right(1);
            }
            let used_beta = if self.is("first-beta") { &first_beta } else { &beta };
            let weighted = self.weigh(weight.as_deref(), used_beta);
            let (mut iterates, mut rhos) = (Vec::new(), Vec::new());
            for (k, s) in (1..).zip(&block[..block.len() - 1]) {
                iterates.push(theta.clone());
                rhos.push(vec![rho]);
                let mut fields = Fields::new();
                let phi = phi_of(s.x, s.a);
                let w = match &weight {
                    Some(m) if self.style.transposed && !self.is("diagonal") => {
                        let column = |j: usize| (0..d).map(|i| m[i * d + j]).collect::<Vec<_>>();
                        self.dot(&(0..d).map(|j| self.dot(&column(j), &phi)).collect::<Vec<_>>(), used_beta)
                    }
                    _ => self.short_dot("w-stops", &phi, &weighted),
                };
                let w = if self.is("w-clipped") { w.max(0.0) } else { w };
                let live: Vec<f64> = sum.iter().zip(&theta).map(|(a, b)| a + b).collect();
                let seen = if self.is("policy-in-inner-loop") { &live } else { &sum };
                let x_next = if self.is("policy-at-x") { s.x } else { s.x_next };
                let next = self.policy(state(x_next), d, alpha, seen, "alpha-halved-at-next");
                fields.push((Quantity::Phi, phi.clone()));
                fields.push((Quantity::W, vec![w]));
                let gradient: Vec<f64>;
                if is_average {
                    #[allow(clippy::single_match_else)] // two ways to draw
                    let a_next = match self.style.own_draws {
                        None => self.draw(&next, self.r(s.u)),
                        Some(_) => {
                            stream =
                                stream.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                            self.draw(&next, (stream >> 11) as f64 / (1_u64 << 53) as f64)
                        }
                    };
                    let phi_next =
                        if self.is("phi-next-at-x") { phi_of(s.x, a_next) } else { phi_of(s.x_next, a_next) };
                    let sign = if self.is("plus-last-term") { -1.0 } else { 1.0 };
                    let one = if self.is("next-without-w") { 1.0 } else { w };
                    gradient = phi_next
                        .iter()
                        .zip(&phi)
                        .map(|(a, b)| self.r(self.r(one * a) - sign * self.r(w * b)))
                        .collect();
                    let gradient_rho = self.r(1.0 - w) * if self.is("rho-gradient-sign") { -1.0 } else { 1.0 };
                    let xi = if self.is("eta-for-xi") { eta } else { xi };
                    let sign = if self.is("rho-ascends") { -1.0 } else { 1.0 };
                    let moved = self.r(rho - sign * self.r(xi * gradient_rho));
                    rho = if self.is("rho-clamped-wide") { moved.clamp(-1.0, 1.0) } else { moved.clamp(0.0, 1.0) };
                    if self.is("rho-not-above-half") {
                        rho = rho.min(0.5);
                    }
                    fields.push((Quantity::PolicyNext, next));
                    fields.push((Quantity::ActionNext, vec![a_next as f64]));
                    fields.push((Quantity::PhiNext, phi_next));
                    fields.push((Quantity::GradientRho, vec![gradient_rho]));
                    fields.push((Quantity::UnprojectedRho, vec![moved]));
                    fields.push((Quantity::RhoNext, vec![rho]));
                } else {
                    let start = self.policy(state(s.x0), d, alpha, seen, "alpha-halved-at-start");
                    let (mut share, mut rest) = (self.r(1.0 - gamma), self.r(gamma * w));
                    if self.is("shares-swapped") {
                        (share, rest) = (gamma, self.r((1.0 - gamma) * w));
                    }
                    if self.is("next-without-w") {
                        rest = gamma;
                    }
                    if self.is("discount-squared") {
                        rest *= gamma;
                    }
                    let column = |x: usize, i: usize| state(x).chunks(d).map(|phi| phi[i]).collect::<Vec<_>>();
                    let mean_feature: Vec<f64> = (0..d)
                        .map(|i| {
                            let (a, b) = (column(s.x0, i), column(s.x_next, i));
                            if self.style.means_first {
                                return self
                                    .r(self.r(share * self.dot(&start, &a)) + self.r(rest * self.dot(&next, &b)));
                            }
                            let mu =
                                start.iter().map(|p| self.r(p * share)).chain(next.iter().map(|p| self.r(p * rest)));
                            self.dot(&mu.collect::<Vec<_>>(), &[a, b].concat())
                        })
                        .collect();
                    let sign = if self.is("plus-last-term") { -1.0 } else { 1.0 };
                    let other = state(s.x_next)[..d].to_vec();
                    let here = if self.is("last-term-at-next") { &other } else { &phi };
                    gradient = mean_feature.iter().zip(here).map(|(a, b)| self.r(a - sign * self.r(w * b))).collect();
                    fields.push((Quantity::PolicyStart, start));
                    fields.push((Quantity::PolicyNext, next));
                    fields.push((Quantity::MeanFeature, mean_feature));
                }
                let rate = match self.bug {
                    "theta-ascends" => -eta,
                    "eta-squared" => eta * eta,
                    "zeta-for-eta" => zeta,
                    "eta-over-root-k" => eta / (k as f64).sqrt(),
                    _ => eta,
                };
                let moved: Vec<f64> = theta.iter().zip(&gradient).map(|(x, g)| self.r(x - self.r(rate * g))).collect();
                let radius = if self.is("beta-radius-for-theta") { radius_beta } else { radius_theta };
                theta = self.project(&moved, radius, ["theta-cube", "theta-square", "theta-norm-twice"]);
                fields.push((Quantity::Gradient, gradient));
                fields.push((Quantity::Unprojected, moved));
                fields.push((Quantity::ThetaNext, theta.clone()));
                trace.push(Step { t, k: Some(k), fields });
            }
            if !is_average || self.is("one-more-rho") {
                rhos.push(vec![rho]);
            }
            if !is_average {
                iterates.push(theta.clone());
            }
            let last = theta.clone();
            theta = if self.is("last-theta") { theta } else { self.average(&iterates) };
            if is_average {
                rho = if self.is("last-rho") { rho } else { self.average(&rhos)[0] };
            }
            let s = block[block.len() - 1];
            let phi = phi_of(s.x, s.a);
            let next = self.policy(state(s.x_next), d, alpha, &sum, "alpha-halved-at-next");
            let values = |x: usize| state(x).chunks(d).map(|phi| self.dot(phi, &theta)).collect::<Vec<_>>();
            let value_next = match self.bug {
                "greedy-value" => values(s.x_next).into_iter().fold(f64::NEG_INFINITY, f64::max),
                "value-at-x" => self.dot(&next, &values(s.x)),
                "value-uniform" => self.dot(&vec![1.0 / actions as f64; actions], &values(s.x_next)),
                _ => self.dot(&next, &values(s.x_next)),
            };
            let reward = match self.bug {
                "no-reward" => 0.0,
                "reward-doubled" => 2.0 * s.r,
                "reward-centred" => s.r - 0.5,
                _ => self.r(s.r),
            };
            let sign = if self.is("plus-prediction") { -1.0 } else { 1.0 };
            let prediction = sign * self.short_dot("prediction-stops", &phi, &theta);
            let value = if is_average { self.r(value_next - rho) } else { self.r(gamma * value_next) };
            let td_error = if self.style.other_products {
                self.r(self.r(value - prediction) + reward)
            } else {
                self.r(self.r(reward + value) - prediction)
            };
            let td_error = if self.is("td-clipped") { td_error.clamp(-0.25, 0.25) } else { td_error };
            let mut weighted = self.weigh(weight.as_deref(), &phi);
            if self.is("weight-twice") {
                weighted = self.weigh(weight.as_deref(), &weighted);
            }
            let gradient: Vec<f64> = weighted.iter().map(|x| self.r(td_error * x)).collect();
            let rate = match self.bug {
                "beta-descends" => -zeta,
                "eta-for-zeta" => eta,
                "zeta-over-root-t" => zeta / (t as f64).sqrt(),
                _ => zeta,
            };
            let step = |(g, x): (&f64, &f64)| {
                if self.style.other_products { self.r(self.r(rate * td_error) * x) } else { self.r(rate * g) }
            };
            let moved: Vec<f64> =
                beta.iter().zip(gradient.iter().zip(&weighted)).map(|(b, pair)| self.r(b + step(pair))).collect();
            let radius = if self.is("theta-radius-for-beta") { radius_theta } else { radius_beta };
            beta = self.project(&moved, radius, ["beta-cube", "beta-square", "beta-norm-twice"]);
            thetas.push(if self.is("last-iterate-summed") { last.clone() } else { theta.clone() });
            if self.is("sum-forgets") && thetas.len() > 10 {
                thetas.remove(0);
            }
            let anew = |i: usize| thetas.iter().rev().fold(0.0, |sum, theta| self.r(sum + theta[i]));
            if self.style.sum_anew || self.is("sum-forgets") {
                sum = (0..d).map(anew).collect();
            } else {
                sum = sum.iter().zip(&thetas[thetas.len() - 1]).map(|(a, b)| self.r(a + b)).collect();
            }
            let mut fields = vec![(Quantity::Phi, phi), (Quantity::Theta, theta.clone())];
            fields.extend(is_average.then(|| (Quantity::Rho, vec![rho])));
            fields.extend([
                (Quantity::PolicyNext, next),
                (Quantity::ValueNext, vec![value_next]),
                (Quantity::TdError, vec![td_error]),
                (Quantity::Gradient, gradient),
                (Quantity::Unprojected, moved),
                (Quantity::BetaNext, beta.clone()),
                (Quantity::ThetaSum, sum.clone()),
            ]);
            trace.push(Step { t, k: None, fields });
            if self.is("starts-at-last-iterate") {
                theta = last;
            }
        }
        trace
    }

    fn draw(&self, policy: &[f64], u: f64) -> usize {
        if self.is("greedy-draw") {
            let best = policy.iter().copied().fold(0.0, f64::max);
            return policy.iter().position(|p| *p == best).unwrap();
        }
        let mut cumulative = 0.0;
        let found = policy.iter().position(|p| {
            cumulative = self.r(cumulative + p);
            if self.is("u-at-most") { u <= cumulative } else { cumulative > u }
        });
        let a = found.unwrap_or(policy.len() - 1);
        if self.is("draw-shifted") { (a + 1) % policy.len() } else { a }
    }
}
