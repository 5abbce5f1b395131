//! `opd certify`: a run, and in exact arithmetic what it was worth.

use crate::Verdict;
use crate::args::CertifyArgs;
use crate::engine::execute;
use crate::prepare::{Prepared, RowSource, prepare};
use crate::recorder::{Kept, Recorder};
use crate::show::{Show, columns, eye};
use crate::source;
use crate::study::Study;
use offline_primal_dual::Result as Checked;
use offline_primal_dual::data::{Certificate, InputError, OutputFile, Problem, Setting, expect_apart};
use offline_primal_dual::number::Field;
use offline_primal_dual::number::exact::BigRational;
use offline_primal_dual::paper::{average_reward, discounted};

pub fn certify(args: &CertifyArgs, show: &Show) -> Result<Verdict, InputError> {
    let inputs = [("--mdp", args.source.mdp.as_deref()), ("--data", args.plan.data.as_deref())];
    expect_apart(&inputs, &[("--out", args.out.as_deref()), ("--html", args.html.as_deref())])?;
    let exact = source::problem::<BigRational>(&args.source)?;
    exact.behavior("a certificate")?;
    let problem = exact.map(BigRational::to_f64);
    let Prepared { job, study, power, chosen, promise, .. } = prepare(&args.plan, &problem)?;
    let Some(power) = power else {
        return Err(InputError::call(&exact.name, "no model, expected one for a certificate"));
    };
    let rows = RowSource::of(&args.plan, study.as_ref())?;
    let mut recorder = Recorder::new(&job, chosen);
    recorder.study = study;
    recorder.evaluate = args.html.is_some();
    recorder.keep = true;
    let bar = show.progress(job.rows_needed().unwrap_or(0));
    rows.open(&job, |source, rows| execute(&job, source, rows, &mut recorder, &bar))?;
    let certificate = certificate(job.setting, &exact, &power, &recorder.kept)?;
    let json = serde_json::to_string(&certificate).map_err(|e| InputError::call("certificate", e))?;
    let mut files = Vec::new();
    if let Some(file) = &args.out {
        files.push(OutputFile::holding(file, format!("{json}\n").as_bytes())?);
    }
    if let Some(file) = &args.html {
        let parts = decomposition(job.setting, &exact, &power, &recorder.kept)?;
        let page = crate::html::certificate_page(&exact, &job, &certificate, &parts, promise.as_ref(), &recorder);
        files.push(OutputFile::holding(file, page.as_bytes())?);
    }
    OutputFile::finish_all(files)?;
    if show.json {
        show.text(&format!("{json}\n"))?;
    } else {
        show.text(&table(&certificate, show))?;
    }
    Ok(if certificate.equal { Verdict::Good } else { Verdict::Bad })
}

/// The certificate of the kept iterates: doubles are the rationals they are.
pub fn certificate(
    setting: Setting,
    problem: &Problem<BigRational>,
    power: &[f64],
    kept: &[Kept],
) -> Result<Certificate, InputError> {
    let mut study = Study::new(setting, problem, "a certificate")?;
    let iterates = Iterates::of(problem.shape.actions, kept);
    let power = iterates.and_then(|iterates| Ok((iterates, exact(power)?)));
    let certified = power.and_then(|(iterates, power)| certify_iterates(&mut study, &power, &iterates));
    certified.map_err(|e| InputError::refused(&problem.name, e))
}

/// Averages over the iterations up to t, for figures.
pub struct Decomposition {
    pub t: usize,
    pub total: f64,
    pub theta: f64,
    pub beta: f64,
    pub pi: f64,
    /// In the average-reward setting.
    pub rho: Option<f64>,
}

/// Every iteration's own certificate, averaged up to each t.
pub fn decomposition(
    setting: Setting,
    problem: &Problem<BigRational>,
    power: &[f64],
    kept: &[Kept],
) -> Result<Vec<Decomposition>, InputError> {
    let mut sums = [0.0; 5];
    let mut averages = Vec::with_capacity(kept.len());
    for iteration in kept {
        let one = certificate(setting, problem, power, std::slice::from_ref(iteration))?;
        let rho = one.regret_rho.as_ref().map_or(0.0, BigRational::to_f64);
        let parts = [&one.suboptimality, &one.regret_theta, &one.regret_beta, &one.regret_pi].map(BigRational::to_f64);
        for (sum, part) in sums.iter_mut().zip(parts.into_iter().chain([rho])) {
            *sum += part;
        }
        #[allow(clippy::cast_precision_loss)] // iteration counts are far below 2^53
        let [total, theta, beta, pi, rho] = sums.map(|sum| sum / iteration.t as f64);
        let rho = one.regret_rho.as_ref().map(|_| rho);
        averages.push(Decomposition { t: iteration.t, total, theta, beta, pi, rho });
    }
    Ok(averages)
}

/// A run's iterates as rationals.
pub struct Iterates {
    pub thetas: Vec<BigRational>,
    pub rhos: Vec<BigRational>,
    pub betas: Vec<BigRational>,
    pub policies: Vec<BigRational>,
}

/// The certificate of iterates against the study's policy `optimal`; `power` is Λ^c.
pub fn certify_iterates(
    study: &mut Study<'_, BigRational>,
    power: &[BigRational],
    iterates: &Iterates,
) -> Checked<Certificate> {
    match study.setting {
        Setting::Discounted => certify_discounted(study, power, iterates),
        Setting::Average => certify_average(study, power, iterates),
    }
}

fn exact(numbers: &[f64]) -> Checked<Vec<BigRational>> {
    numbers.iter().map(|x| BigRational::from_f64(*x)).collect()
}

impl Iterates {
    fn of(actions: usize, kept: &[Kept]) -> Checked<Self> {
        let (mut thetas, mut rhos, mut betas, mut policies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for iteration in kept {
            thetas.extend(exact(&iteration.theta)?);
            betas.extend(exact(&iteration.beta)?);
            rhos.push(BigRational::from_f64(iteration.rho)?);
            for row in iteration.policy.chunks(actions) {
                policies.extend(normalised(row)?);
            }
        }
        Ok(Self { thetas, rhos, betas, policies })
    }
}

/// π_t(·|x): the run's probabilities divided by their exact sum, which rounding leaves near 1.
fn normalised(row: &[f64]) -> Checked<Vec<BigRational>> {
    let row = exact(row)?;
    let total = row.iter().fold(BigRational::zero(), |sum, p| sum + p);
    Ok(row.into_iter().map(|p| p / &total).collect())
}

fn certify_discounted(
    study: &mut Study<'_, BigRational>,
    power: &[BigRational],
    iterates: &Iterates,
) -> Checked<Certificate> {
    use discounted::duality_gap::{
        Comparators, Iterates as View, average_suboptimality, beta_star, dynamic_duality_gap, theta_stars,
    };
    use discounted::regret::{beta_regret, policy_regret, theta_regret};
    let (mdp, policy) = (study.mdp, &study.optimal);
    let saddle = discounted::lagrangian::Saddle::new(mdp, power)?;
    let view = View::new(&mdp, &iterates.thetas, &iterates.betas, &iterates.policies)?;
    let mut scratch = vec![BigRational::zero(); view.scratch()];
    let mut scratch = &mut scratch[..];
    let beta = beta_star(&saddle, policy, &mut scratch)?;
    let thetas = theta_stars(&mdp, &view, &mut scratch)?;
    let comparators = Comparators { policy, beta, thetas };
    Ok(Certificate::new(
        dynamic_duality_gap(&saddle, &view, &comparators, scratch)?,
        average_suboptimality(&mdp, policy, &view, scratch)?,
        theta_regret(&saddle, &view, &comparators, scratch)?,
        beta_regret(&saddle, &view, &comparators, scratch)?,
        policy_regret(&mdp, &view, policy, scratch)?,
        None,
        policy.chunks(mdp.shape().actions),
    ))
}

fn certify_average(
    study: &mut Study<'_, BigRational>,
    power: &[BigRational],
    iterates: &Iterates,
) -> Checked<Certificate> {
    use average_reward::duality_gap::{
        Comparators, Iterates as View, average_suboptimality, beta_star, dynamic_duality_gap, rho_theta_stars,
    };
    use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
    let (mdp, policy) = (study.mdp, &study.optimal);
    let saddle = average_reward::lagrangian::Saddle::new(mdp, &study.varrho, power)?;
    let view = View::new(&mdp, &iterates.rhos, &iterates.thetas, &iterates.betas, &iterates.policies)?;
    let mut scratch = vec![BigRational::zero(); view.scratch()];
    let mut scratch = &mut scratch[..];
    let beta = beta_star(&saddle, policy, &mut scratch)?;
    let (rhos, thetas) = rho_theta_stars(&saddle, &view, &mut scratch)?;
    let comparators = Comparators { policy, beta, rhos, thetas };
    Ok(Certificate::new(
        dynamic_duality_gap(&saddle, &view, &comparators, scratch)?,
        average_suboptimality(&mdp, policy, &view, scratch)?,
        theta_regret(&saddle, &view, &comparators, scratch)?,
        beta_regret(&saddle, &view, &comparators, scratch)?,
        policy_regret(&mdp, &view, policy, scratch)?,
        Some(rho_regret(&saddle, &view, &comparators, scratch)?),
        policy.chunks(mdp.shape().actions),
    ))
}

fn table(certificate: &Certificate, show: &Show) -> String {
    // Whole where it fits beside its name.
    let room = show.width().saturating_sub("suboptimality  ".len());
    let fraction = |x: &BigRational| {
        let whole = x.to_string();
        if whole.len() <= room { whole } else { eye(x) }
    };
    let mut rows = vec![
        vec![show.bold("duality gap"), fraction(&certificate.gap)],
        vec![show.bold("suboptimality"), fraction(&certificate.suboptimality)],
        vec![show.bold("θ-regret"), fraction(&certificate.regret_theta)],
        vec![show.bold("β-regret"), fraction(&certificate.regret_beta)],
        vec![show.bold("π-regret"), fraction(&certificate.regret_pi)],
    ];
    if let Some(rho) = &certificate.regret_rho {
        rows.push(vec![show.bold("ρ-regret"), fraction(rho)]);
    }
    let verdict = if certificate.equal {
        show.green("equal: gap = suboptimality = sum of the regrets, exactly")
    } else {
        show.red("NOT equal")
    };
    format!("{}{verdict}\n", columns(&rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven probabilities of 1/7 as doubles do not sum to 1; their exact quotients do.
    #[test]
    fn policies_are_normalised_exactly() {
        let row = [1.0 / 7.0; 7];
        let sum = |row: &[BigRational]| row.iter().fold(BigRational::zero(), |sum, p| sum + p);
        assert!(sum(&exact(&row).unwrap()) != BigRational::one());
        assert!(sum(&normalised(&row).unwrap()) == BigRational::one());
    }
}
