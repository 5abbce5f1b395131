//! What `proofs/coq/ComputeSteps.v` computes, computed by the library: estimators, the Lagrangian's functions at a matrix that is
//! not symmetric, runs of both algorithms, the theorems' constants, C^† and C_{F,π}.

use super::exact::Exact;
use super::*;

/// Numbers by name.
pub struct Lines(pub Vec<(String, Q)>);

impl Lines {
    fn say(&mut self, name: &str, value: Q) {
        self.0.push((name.into(), value));
    }

    fn vector(&mut self, name: &str, suffix: &str, values: &[Q]) {
        for (k, value) in values.iter().enumerate() {
            self.say(&format!("{name}-{k}{suffix}"), value.clone());
        }
    }
}

// The inputs, as `ComputeSteps.v` spells them out.

/// A matrix that is not symmetric, for Λ^c and Λ^{c−1}.
fn stand_in(dim: usize) -> Vec<Q> {
    let entry =
        |i: usize, j: usize| Q::from_int(if i == j { 3 } else { 0 }) + Q::ratio(((i + 2 * j) % 5) as i64 - 2, 8);
    (0..dim * dim).map(|index| entry(index / dim, index % dim)).collect()
}

const SAMPLES: usize = 3;

/// Sample s, and the action A' that goes with it in the estimators.
fn sample_at(mdp: &LinearMdp<Q>, s: usize) -> (Sample<Q>, usize) {
    let Shape { states, actions, .. } = mdp.shape();
    let (x, a) = ((2 * s + 1) % states, s % actions);
    let r = dot(phi(mdp, x, a), mdp.omega()).unwrap();
    let u = Q::ratio(1 + 3 * s as i64, 8);
    (Sample { x0: s % states, x, a, r, x_next: 2 * s % states, u }, (s + 1) % actions)
}

fn phi<'m>(mdp: &'m LinearMdp<Q>, x: usize, a: usize) -> &'m [Q] {
    let Shape { actions, dim, .. } = mdp.shape();
    &mdp.features()[(x * actions + a) * dim..][..dim]
}

/// φ(x, ·), and π(·|x).
fn at<'m>(mdp: &'m LinearMdp<Q>, policy: &'m [Q], x: usize) -> (&'m [Q], &'m [Q]) {
    let Shape { actions, dim, .. } = mdp.shape();
    (&mdp.features()[x * actions * dim..][..actions * dim], &policy[x * actions..][..actions])
}

fn estimators(mdp: &LinearMdp<Q>, weight: Option<&[Q]>, suffix: &str, lines: &mut Lines) {
    use average_reward::estimators as average;
    use estimators_1::*;
    let shape = mdp.shape();
    let (dim, actions) = (shape.dim, shape.actions);
    let (theta, beta, policy, rho) = (run_theta(dim, 0), run_beta(dim, 0), run_policy(shape, 0), run_rho(0));
    let mut scratch = zeros(4 * shape.scratch());
    let mut weighted_beta = beta.clone();
    if let Some(weight) = weight {
        apply(weight, &beta, &mut weighted_beta).unwrap();
    }
    for s in 0..SAMPLES {
        let (w, a_next) = sample_at(mdp, s);
        let ((start, policy_start), (next, policy_next)) = (at(mdp, &policy, w.x0), at(mdp, &policy, w.x_next));
        let phi_w = phi(mdp, w.x, w.a);
        let visit = Visit { phi: phi_w, start, next, policy_start, policy_next };
        let gamma = mdp.discount();

        let value = value_estimate(next, policy_next, &theta, &mut scratch).unwrap();
        lines.say(&format!("estimator-v-{s}{suffix}"), value.clone());

        let (mut mu, mut at_start, mut at_next) = (zeros(shape.pairs()), zeros(actions), zeros(actions));
        let weight_of_phi = dot(phi_w, &weighted_beta).unwrap();
        occupancy_estimate(gamma, policy_start, policy_next, &weight_of_phi, &mut at_start, &mut at_next).unwrap();
        for a in 0..actions {
            mu[w.x0 * actions + a] += at_start[a].clone();
            mu[w.x_next * actions + a] += at_next[a].clone();
        }
        lines.vector(&format!("estimator-mu-{s}"), suffix, &mu);

        let mut out = zeros(dim);
        let delta = td_error(gamma, &w.r, &value, phi_w, &theta).unwrap();
        beta_gradient_estimate(weight, phi_w, &delta, &mut out).unwrap();
        lines.vector(&format!("estimator-beta-{s}"), suffix, &out);
        theta_gradient_estimate(gamma, &visit, &weighted_beta, &mut out, &mut scratch).unwrap();
        lines.vector(&format!("estimator-theta-{s}"), suffix, &out);
        offline_primal_dual::errata::equation_10(gamma, &visit, weight, &beta, &mut out, &mut scratch).unwrap();
        lines.vector(&format!("estimator-theta-printed-{s}"), suffix, &out);

        let gradient_rho = average::rho_gradient_estimate(phi_w, &weighted_beta).unwrap();
        lines.say(&format!("average-estimator-rho-{s}{suffix}"), gradient_rho);
        let delta = average::td_error(&w.r, &value, phi_w, &theta, &rho).unwrap();
        average::beta_gradient_estimate(weight, phi_w, &delta, &mut out).unwrap();
        lines.vector(&format!("average-estimator-beta-{s}"), suffix, &out);
        let phi_next = phi(mdp, w.x_next, a_next);
        average::theta_gradient_estimate(phi_w, phi_next, &weighted_beta, &mut out).unwrap();
        lines.vector(&format!("average-estimator-theta-{s}"), suffix, &out);
    }
}

fn at_stand_in(mdp: LinearMdp<Q>, lines: &mut Lines) {
    use average_reward::lagrangian as average;
    let shape = mdp.shape();
    let dim = shape.dim;
    let Run { thetas, betas, policies, comparator, v, mut scratch } = Run::new(shape);
    let (theta, beta, policy) = (&thetas[..dim], &betas[..dim], &policies[..shape.pairs()]);
    let (rho, varrho, power) = (run_rho(0), run_theta(dim, 1), stand_in(dim));
    let s = &mut scratch[..];

    let saddle = lagrangian::Saddle::new(mdp, &power).unwrap();
    let eq_11 = lagrangian::lagrangian_beta(&saddle, beta, &comparator, &v, theta, s).unwrap();
    lines.say("standin-equation-11", eq_11);
    let eq_12 = lagrangian::lagrangian_beta_regrouped(&saddle, beta, &comparator, &v, theta, s).unwrap();
    lines.say("standin-equation-12", eq_12);
    let mu = lagrangian::mu_beta(&saddle, beta, policy, &mut &mut s[..]).unwrap();
    lines.vector("standin-equation-13", "", mu);
    lines.say("standin-equation-15-left", lagrangian::f_nu(&saddle, beta, policy, theta, s).unwrap());
    lines.say("standin-equation-15-right", lagrangian::f_beta(&saddle, beta, policy, theta, s).unwrap());
    let gradient = lagrangian::theta_gradient(&saddle, beta, policy, &mut &mut s[..]).unwrap();
    lines.vector("standin-gradient-theta", "", gradient);
    let gradient = lagrangian::beta_gradient(&saddle, policy, theta, &mut &mut s[..]).unwrap();
    lines.vector("standin-gradient-beta", "", gradient);
    let star = duality_gap::beta_star(&saddle, &comparator, &mut &mut s[..]).unwrap();
    lines.vector("standin-beta-star", "", star);

    let saddle = average::Saddle::new(mdp, &varrho, &power).unwrap();
    lines.say("standin-average-f", average::f_beta(&saddle, beta, policy, &rho, theta, s).unwrap());
    lines.say("standin-average-f-long", average::f_lagrangian(&saddle, beta, policy, &rho, theta, s).unwrap());
    lines.say("standin-average-gradient-rho", average::rho_gradient(&saddle, beta, s).unwrap());
    let gradient = average::theta_gradient(&saddle, beta, policy, &mut &mut s[..]).unwrap();
    lines.vector("standin-average-gradient-theta", "", gradient);
    let gradient = average::beta_gradient(&saddle, policy, &rho, theta, &mut &mut s[..]).unwrap();
    lines.vector("standin-average-gradient-beta", "", gradient);
}

// Runs of the algorithms.

/// Writes down the iterates under Coq's names, which count t from 0; and how often Π moved a point.
struct Recorder<'r> {
    lines: &'r mut Lines,
    name: String,
    actions: usize,
    alpha: Exact,
    features: &'r [Exact],
    projected: usize,
}

impl Recorder<'_> {
    fn write(&mut self, what: &str, t: usize, values: &[Exact]) {
        let values: Vec<Q> = values.iter().map(|x| x.0.clone()).collect();
        self.lines.vector(&format!("{}-{what}-{}", self.name, t - 1), "", &values);
    }

    fn write_one(&mut self, what: &str, t: usize, value: &Exact) {
        self.lines.say(&format!("{}-{what}-{}", self.name, t - 1), value.0.clone());
    }

    fn write_policy(&mut self, t: usize, theta_sum: &[Exact]) {
        let mut table = vec![Exact::zero(); self.features.len() / theta_sum.len()];
        policy_table(self.actions, &self.alpha, self.features, theta_sum, &mut table).unwrap();
        self.write("policy", t, &table);
    }
}

impl algorithm_1::Observer<Exact> for Recorder<'_> {
    fn begin_outer(&mut self, t: usize, _: &[Exact], _: &[Exact], _: &[Exact], theta_sum: &[Exact]) {
        self.write_policy(t, theta_sum);
    }
    fn inner_step(&mut self, step: &algorithm_1::InnerStep<Exact>) {
        self.projected += usize::from(step.unprojected != step.theta_next);
        self.write(&format!("inner-{}", step.k), step.t, step.theta_next);
    }
    fn outer_step(&mut self, step: &algorithm_1::OuterStep<Exact>) {
        self.projected += usize::from(step.unprojected != step.beta_next);
        self.write("theta", step.t, step.theta);
        self.write("beta", step.t, step.beta_next);
        self.write("theta-sum", step.t, step.theta_sum);
    }
}

impl algorithm_2::Observer<Exact> for Recorder<'_> {
    fn begin_outer(&mut self, t: usize, _: &[Exact], _: &Exact, _: &[Exact], _: &[Exact], theta_sum: &[Exact]) {
        self.write_policy(t, theta_sum);
    }
    fn inner_step(&mut self, step: &algorithm_2::InnerStep<Exact>) {
        self.projected += usize::from(step.unprojected != step.theta_next);
        self.write_one(&format!("inner-rho-{}", step.i), step.t, step.rho_next);
        self.write(&format!("inner-{}", step.i), step.t, step.theta_next);
    }
    fn outer_step(&mut self, step: &algorithm_2::OuterStep<Exact>) {
        self.projected += usize::from(step.unprojected != step.beta_next);
        self.write_one("rho", step.t, step.rho);
        self.write("theta", step.t, step.theta);
        self.write("beta", step.t, step.beta_next);
        self.write("theta-sum", step.t, step.theta_sum);
    }
}

fn exact(numbers: &[Q]) -> Vec<Exact> {
    numbers.iter().cloned().map(Exact).collect()
}

/// T = 2 and three samples an iteration: s = 0, 1, 2, then 1, 2, 0. Returns how often Π moved a point.
fn runs(mdp: &LinearMdp<Q>, tag: &str, radius_theta: Q, radius_beta: Q, lines: &mut Lines) -> usize {
    let Shape { actions, dim, .. } = mdp.shape();
    let (features, weight) = (exact(mdp.features()), exact(&stand_in(dim)));
    let table = FeatureTable::new(actions, dim, &features).unwrap();
    let scaled = |numbers: Vec<Q>, by| numbers.into_iter().map(|x| Exact(x * Q::ratio(1, by))).collect::<Vec<_>>();
    let (theta, beta) = (scaled(run_theta(dim, 1), 8), scaled(run_beta(dim, 1), 16));
    let samples: Vec<Sample<Exact>> = [0, 1, 2, 1, 2, 0]
        .iter()
        .map(|s| {
            let (Sample { x0, x, a, r, x_next, u }, _) = sample_at(mdp, *s);
            Sample { x0, x, a, r: Exact(r), x_next, u: Exact(u) }
        })
        .collect();
    let ratio = |n, d| Exact(Q::ratio(n, d));
    let (alpha, eta, zeta, xi) = (ratio(5, 1), ratio(1, 4), ratio(1, 2), ratio(1, 3));
    let (radius_theta, radius_beta) = (Exact(radius_theta), Exact(radius_beta));
    let mut recorder = Recorder {
        lines,
        name: format!("{tag}-algorithm-1"),
        actions,
        alpha: alpha.clone(),
        features: &features,
        projected: 0,
    };

    let parameters = algorithm_1::Parameters {
        discount: Exact(mdp.discount().clone()),
        alpha: alpha.clone(),
        eta: eta.clone(),
        zeta: zeta.clone(),
        radius_theta: radius_theta.clone(),
        radius_beta: radius_beta.clone(),
        inner: 3,
    };
    let algorithm = algorithm_1::Algorithm::new(&table, Some(&weight), &parameters).unwrap();
    let mut buffer = vec![Exact::zero(); algorithm_1::State::<Exact>::buffer_len(actions, dim)];
    let mut state = algorithm_1::State::new(actions, dim, &mut buffer).unwrap();
    algorithm.start_at(&mut state, &theta, &beta).unwrap();
    algorithm.run(&mut state, 2, samples.iter().cloned(), &mut recorder).unwrap();

    recorder.name = format!("{tag}-algorithm-2");
    let parameters = algorithm_2::Parameters { alpha, eta, zeta, xi, radius_theta, radius_beta, inner: 2 };
    let algorithm = algorithm_2::Algorithm::new(&table, Some(&weight), &parameters).unwrap();
    let mut buffer = vec![Exact::zero(); algorithm_2::State::<Exact>::buffer_len(actions, dim)];
    let mut state = algorithm_2::State::new(actions, dim, &mut buffer).unwrap();
    algorithm.start_at(&mut state, &theta, ratio(1, 2), &beta).unwrap();
    algorithm.run(&mut state, 2, samples, &mut recorder).unwrap();
    recorder.projected
}

fn constants(mdp: &LinearMdp<Q>, lines: &mut Lines) {
    use average_reward::guarantee as average;
    use guarantee_1 as discounted;
    let Shape { actions, dim, .. } = mdp.shape();
    let (d_phi, d_theta, d_beta) = (Q::ratio(dim as i64, 3), Q::ratio(7, 5), Q::ratio(5, 4));
    let square = |x: &Q| x.clone() * x;
    let (log_actions, trace, norm) = (Q::ratio(actions as i64 + 1, 5), Q::ratio(7, 3), Q::ratio(3, 5));
    let (phi_squared, theta_squared, beta_squared) = (square(&d_phi), square(&d_theta), square(&d_beta));
    let (alpha, eta, zeta, xi) = (Q::ratio(1, 3), Q::ratio(1, 7), Q::ratio(2, 5), Q::ratio(1, 6));

    let c = average::Constants {
        log_actions: log_actions.clone(),
        phi_squared: phi_squared.clone(),
        theta_squared: theta_squared.clone(),
        phi_theta: d_phi * d_theta,
        beta_squared: beta_squared.clone(),
        trace: trace.clone(),
        norm: norm.clone(),
    };
    lines.say("average-G-theta", average::second_moment_bound_theta(&c));
    lines.say("average-G-beta", average::second_moment_bound_beta(&c));
    lines.say("average-G-rho", average::second_moment_bound_rho(&c));
    let squared = average::squared_rates(&c, 5, 7).unwrap();
    lines.vector("average-squared-rate", "", &[squared.alpha, squared.eta, squared.zeta, squared.xi]);
    let rates = average::Rates { alpha: alpha.clone(), eta: eta.clone(), zeta: zeta.clone(), xi };
    lines.vector("average-term", "", &average::bound_terms(&c, &rates, 5, 7).unwrap());

    let discount = mdp.discount().clone();
    let c = discounted::Constants { discount, log_actions, phi_squared, theta_squared, beta_squared, trace, norm };
    lines.say("G-theta", discounted::second_moment_bound_theta(&c));
    lines.say("G-beta", discounted::second_moment_bound_beta(&c));
    let squared = discounted::squared_rates(&c, 5, 7).unwrap();
    lines.vector("squared-rate", "", &[squared.alpha, squared.eta, squared.zeta]);
    let rates = discounted::Rates { alpha, eta, zeta };
    lines.vector("term", "", &discounted::bound_terms(&c, &rates, 5, 7).unwrap());
}

fn coverage(instance: &Owned<Q>, mdp: &LinearMdp<Q>, lines: &mut Lines) {
    let shape = mdp.shape();
    let dim = shape.dim;
    let Run { comparator, mut scratch, .. } = Run::new(shape);
    let s = &mut scratch[..];
    let mu_b = duality_gap::occupancy_of(mdp, &instance.behavior, &mut &mut s[..]).unwrap().to_vec();
    let mu = duality_gap::occupancy_of(mdp, &comparator, &mut &mut s[..]).unwrap().to_vec();
    let lambda = covariance(mdp, &mu_b, &mut &mut s[..]).unwrap().to_vec();
    let m = covariance(mdp, &mu, &mut &mut s[..]).unwrap().to_vec();

    let points = [run_theta(dim, 0), run_theta(dim, 1), run_beta(dim, 0)];
    let quotients = points.each_ref().map(|y| rayleigh_quotient(dim, &m, &lambda, y, s).unwrap());
    lines.vector("dagger-quotient", "", &quotients);
    let (lower, upper) = dagger_ratio_bracket(dim, &m, &lambda, 8, s).unwrap();
    lines.say("dagger-lower", lower);
    lines.say("dagger-upper", upper);
    let ratios = points.each_ref().map(|theta| {
        let f = mdp.linear_function(theta, &mut &mut s[..]).unwrap().to_vec();
        bellman_error_ratio(mdp, &comparator, &f, &mu, &mu_b, s).unwrap().unwrap_or(Q::zero())
    });
    lines.vector("bellman-quotient", "", &ratios);
    let largest = bellman_coverage_ratio(mdp, &comparator, &points.concat(), &m, &lambda, s).unwrap();
    lines.say("bellman-coverage", largest);
}

/// Everything, and how often Π moved a point of a run.
pub fn fractions(instance: &Owned<Q>, mdp: LinearMdp<Q>) -> (Vec<(String, Q)>, usize) {
    let dim = mdp.shape().dim;
    let lines = &mut Lines(Vec::new());
    estimators(&mdp, None, "", lines);
    estimators(&mdp, Some(&stand_in(dim)), "-standin", lines);
    at_stand_in(mdp, lines);
    assert_eq!(runs(&mdp, "inside", Q::from_int(4096), Q::from_int(4096), lines), 0, "Π is not at work in these");
    let projected = runs(&mdp, "outside", Q::ratio(7, 16), Q::ratio(3, 8), lines);
    constants(&mdp, lines);
    coverage(instance, &mdp, lines);
    let mut point = exact(&zeros(dim));
    (point[0], point[1]) = (Exact(Q::from_int(3)), Exact(Q::from_int(-4)));
    project_ball(&mut point, &Exact(Q::from_int(2))).unwrap();
    lines.vector("projection", "", &point.iter().map(|x| x.0.clone()).collect::<Vec<_>>());
    (std::mem::take(&mut lines.0), projected)
}
