//! A certificate that the verified checker reads (`docs/certificates.md`): the model, the policies, the claims, and witnesses in the
//! place of solving.

use crate::Result as Checked;
use crate::data::{InputError, Problem, Setting};
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::program::model::SolvedModel;
use crate::program::recorder::Kept;

/// Up to this T·|X|³ the witnesses are exact solutions; beyond, solutions in doubles with the exact size of their residual.
const EXACT: usize = 100_000;

/// A value function of a policy, and by how much it may miss Bellman's equation.
struct Witness {
    policy: Vec<Q>,
    gain: Option<Q>,
    value: Vec<Q>,
    slack: Q,
}

/// The certificate of a run's policies, as text.
pub fn checkable(setting: Setting, problem: &Problem<Q>, kept: &[Kept], budget: f64) -> Result<String, InputError> {
    let refused = |e| InputError::refused(&problem.name, e);
    let model = SolvedModel::within_budget(setting, problem, "a certificate", budget)?;
    let size = problem.shape.states.saturating_pow(3).saturating_mul(kept.len());
    let doubles = problem.map(Q::to_f64);
    let approximate = SolvedModel::within_budget(setting, &doubles, "a certificate", budget)?;
    let witness = |policy: Vec<Q>| -> Checked<Witness> {
        if size <= EXACT { exact_witness(&model, policy) } else { approximate_witness(&model, &approximate, policy) }
    };
    let best = optimal_witness(witness(model.optimal.clone()).map_err(refused)?, &model);
    let mut played: Vec<(usize, Witness)> = Vec::new();
    for iteration in kept {
        let policy = crate::program::certificate::normalised_policy(problem.shape.actions, &iteration.policy)
            .map_err(refused)?;
        match played.last_mut().filter(|(_, last)| last.policy == policy) {
            Some((times, _)) => *times += 1,
            None => played.push((1, witness(policy).map_err(refused)?)),
        }
    }
    text(&model, problem, &best, &played, kept.len()).map_err(refused)
}

fn exact_witness(model: &SolvedModel<'_, Q>, policy: Vec<Q>) -> Checked<Witness> {
    let (gain, value) = model.state_value(&policy)?;
    Ok(Witness { policy, gain, value, slack: Q::zero() })
}

/// v^π in doubles, as the dyadic rationals they are; the slack is their residual, exactly.
fn approximate_witness(
    model: &SolvedModel<'_, Q>,
    approximate: &SolvedModel<'_, f64>,
    policy: Vec<Q>,
) -> Checked<Witness> {
    let (gain, value) = approximate.state_value(&policy.iter().map(Q::to_f64).collect::<Vec<f64>>())?;
    let value = value.into_iter().map(Q::from_f64).collect::<Checked<Vec<Q>>>()?;
    let gain = gain.map(Q::from_f64).transpose()?;
    let mut witness = Witness { policy, gain, value, slack: Q::zero() };
    let q = model.action_values(witness.gain.as_ref(), &witness.value);
    let backup = model.structure.policy_average(&witness.policy, &q);
    let residuals = backup.iter().zip(&witness.value).map(|(backup, v)| (backup.clone() - v).abs());
    witness.slack = residuals.fold(Q::zero(), |largest, residual| if residual > largest { residual } else { largest });
    Ok(witness)
}

/// The same with a slack that also covers q ≤ v + g, which no policy beats.
fn optimal_witness(mut witness: Witness, model: &SolvedModel<'_, Q>) -> Witness {
    let q = model.action_values(witness.gain.as_ref(), &witness.value);
    for (row, v) in q.chunks(model.mdp.shape().actions).zip(&witness.value) {
        for q in row {
            let excess = q.clone() - v;
            if excess > witness.slack {
                witness.slack = excess;
            }
        }
    }
    witness
}

fn return_of(model: &SolvedModel<'_, Q>, witness: &Witness) -> Checked<Q> {
    match &witness.gain {
        Some(gain) => Ok(gain.clone()),
        None => model.structure.normalised_return(&witness.value),
    }
}

/// Item 6 of the format: what the witnesses show of the optimum and of the average suboptimality.
fn claims(
    model: &SolvedModel<'_, Q>,
    best: &Witness,
    played: &[(usize, Witness)],
    count: usize,
) -> Checked<[String; 2]> {
    let times = |n: usize| Q::from_count(n);
    let (mut mean, mut slack) = (Q::zero(), Q::zero());
    for (k, witness) in played {
        mean += return_of(model, witness)? * times(*k);
        slack += witness.slack.clone() * times(*k);
    }
    let (mean, slack, optimum) = (mean / times(count), slack / times(count), return_of(model, best)?);
    let loss = optimum.clone() - &mean;
    if best.slack.is_zero() && slack.is_zero() {
        return Ok([format!("exact {optimum}"), format!("exact {loss}")]);
    }
    let (low, high) = (optimum.clone() - &best.slack, optimum + &best.slack);
    let wide = best.slack.clone() + slack;
    let (least, most) = (loss.clone() - &wide, loss + &wide);
    let least = if least < Q::zero() { Q::zero() } else { least };
    Ok([format!("enclosure {low} {high}"), format!("enclosure {least} {most}")])
}

fn text(
    model: &SolvedModel<'_, Q>,
    problem: &Problem<Q>,
    best: &Witness,
    played: &[(usize, Witness)],
    count: usize,
) -> Checked<String> {
    let (mdp, shape) = (&model.mdp, problem.shape);
    let [optimum, loss] = claims(model, best, played, count)?;
    let name: String = problem.name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
    let name = if name.is_empty() { "model".to_owned() } else { name };
    let mut out = format!("opd-certificate 1\nname {name}\nsetting {}\n", model.setting.name());
    out += &format!("optimum {optimum}\nsuboptimality {loss}\niterations {count}\n");
    out += &format!("states {}\nactions {}\ndimension {}\n", shape.states, shape.actions, shape.dim);
    if model.setting == Setting::Discounted {
        out += &format!("discount {}\ninitial {}\n", mdp.discount(), row(mdp.initial()));
    }
    out += &format!(
        "features\n{}omega {}\npsi\n{}",
        rows(mdp.features(), shape.dim),
        row(mdp.omega()),
        rows(mdp.psi(), shape.dim)
    );
    out += &format!("best\n{}policies {}\n", witness(best, shape.actions), played.len());
    for (times, one) in played {
        out += &format!("times {times}\n{}", witness(one, shape.actions));
    }
    Ok(out + "end\n")
}

fn witness(witness: &Witness, actions: usize) -> String {
    let gain = witness.gain.as_ref().map_or_else(String::new, |gain| format!("gain {gain}\n"));
    format!("policy\n{}{gain}value {}\nslack {}\n", rows(&witness.policy, actions), row(&witness.value), witness.slack)
}

fn row(numbers: &[Q]) -> String {
    numbers.iter().map(Q::to_string).collect::<Vec<_>>().join(" ")
}

fn rows(numbers: &[Q], width: usize) -> String {
    numbers.chunks(width).map(|numbers| row(numbers) + "\n").collect()
}
