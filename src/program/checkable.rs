//! A certificate that the verified checker reads (`docs/certificates.md`): the model, the policies, the claims, and witnesses in the
//! place of solving.

use crate::Result as Checked;
use crate::data::{InputError, Problem, Setting};
use crate::linear::vector::dot;
use crate::number::Field;
use crate::number::exact::BigRational as Q;
use crate::paper::mdp::{Mdp, policy_average, state_value};
use crate::paper::{average_reward, mdp};
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
pub fn checkable(setting: Setting, problem: &Problem<Q>, kept: &[Kept]) -> Result<String, InputError> {
    let refused = |e| InputError::refused(&problem.name, e);
    let model = SolvedModel::new(setting, problem, "a certificate")?;
    let size = problem.shape.states.saturating_pow(3).saturating_mul(kept.len());
    let witness = |policy: Vec<Q>| -> Checked<Witness> {
        if size <= EXACT { exact_witness(&model, policy) } else { approximate_witness(&model, policy) }
    };
    let best = optimal_witness(witness(model.optimal.clone()).map_err(refused)?, &model).map_err(refused)?;
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
    let mut scratch = vec![Q::zero(); model.mdp.shape().scratch()];
    let tabular = model.tabular()?;
    let (gain, value) = value_of(model.setting, &tabular, &policy, &mut scratch)?;
    Ok(Witness { policy, gain, value, slack: Q::zero() })
}

/// v^π in doubles, as the dyadic rationals they are; the slack is their residual, exactly.
fn approximate_witness(model: &SolvedModel<'_, Q>, policy: Vec<Q>) -> Checked<Witness> {
    let doubles = |numbers: &[Q]| numbers.iter().map(Q::to_f64).collect::<Vec<f64>>();
    let shape = model.mdp.shape();
    let (reward, transition, initial) =
        (doubles(&model.reward), doubles(&model.transition), doubles(model.mdp.initial()));
    let discount = model.mdp.discount().to_f64();
    let tabular = Mdp::unvalidated(shape.states, shape.actions, &reward, &transition, &initial, &discount)?;
    let mut scratch = vec![0.0; shape.scratch()];
    let (gain, value) = value_of(model.setting, &tabular, &doubles(&policy), &mut scratch)?;
    let value = value.into_iter().map(Q::from_f64).collect::<Checked<Vec<Q>>>()?;
    let gain = gain.map(Q::from_f64).transpose()?;
    let mut witness = Witness { policy, gain, value, slack: Q::zero() };
    let q = action_values(model, &witness)?;
    let mut scratch = vec![Q::zero(); shape.states];
    let backup = policy_average(shape.actions, &witness.policy, &q, &mut &mut scratch[..])?;
    let residuals = backup.iter().zip(&witness.value).map(|(backup, v)| (backup.clone() - v).abs());
    witness.slack = residuals.fold(Q::zero(), |largest, residual| if residual > largest { residual } else { largest });
    Ok(witness)
}

/// The same with a slack that also covers q ≤ v + g, which no policy beats.
fn optimal_witness(mut witness: Witness, model: &SolvedModel<'_, Q>) -> Checked<Witness> {
    let q = action_values(model, &witness)?;
    for (row, v) in q.chunks(model.mdp.shape().actions).zip(&witness.value) {
        for q in row {
            let excess = q.clone() - v;
            if excess > witness.slack {
                witness.slack = excess;
            }
        }
    }
    Ok(witness)
}

/// r + γPv − g, γ being 1 in the average-reward setting and g 0 in the other.
fn action_values(model: &SolvedModel<'_, Q>, witness: &Witness) -> Checked<Vec<Q>> {
    let rows = model.transition.chunks(model.mdp.shape().states).zip(&model.reward);
    rows.map(|(next, reward)| {
        let onward = dot(next, &witness.value)?;
        Ok(match &witness.gain {
            None => onward * model.mdp.discount() + reward,
            Some(gain) => onward + reward - gain,
        })
    })
    .collect()
}

/// v^π, and the gain in the average-reward setting.
fn value_of<T: Field>(
    setting: Setting,
    tabular: &Mdp<T>,
    policy: &[T],
    scratch: &mut [T],
) -> Checked<(Option<T>, Vec<T>)> {
    match setting {
        Setting::Discounted => Ok((None, state_value(tabular, policy, &mut &mut *scratch)?.to_vec())),
        Setting::Average => {
            let (gain, v) = average_reward::values::state_value(tabular, policy, &mut &mut *scratch)?;
            Ok((Some(gain), v.to_vec()))
        }
    }
}

fn return_of(model: &SolvedModel<'_, Q>, witness: &Witness) -> Checked<Q> {
    match &witness.gain {
        Some(gain) => Ok(gain.clone()),
        None => mdp::normalised_return(&model.tabular()?, &witness.value),
    }
}

/// Item 6 of the format: what the witnesses show of the optimum and of the average suboptimality.
fn claims(
    model: &SolvedModel<'_, Q>,
    best: &Witness,
    played: &[(usize, Witness)],
    count: usize,
) -> Checked<[String; 2]> {
    let times = |n: usize| Q::from_int(i64::try_from(n).unwrap_or(i64::MAX));
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
