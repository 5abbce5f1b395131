//! What computations take, of the order of operations and bytes, before they start. Fitted to measured times: an operation is about a
//! nanosecond of one core.

use crate::number::Field;
use crate::routes::Structure;

/// Policy iteration rarely takes more rounds.
const ROUNDS: f64 = 20.0;

/// What one policy's system and the passes over the rows take. `bits` is how long the entries of the system are; a solution of n unknowns
/// is then n·bits long, in doubles one word.
fn evaluation<T: Field>(structure: &Structure<'_, T>, exact: bool, bits: f64) -> f64 {
    let (n, dim) = (structure.unknowns() as f64, structure.shape().dim as f64);
    let (phi, psi) = (structure.phi().stored() as f64, structure.psi().stored() as f64);
    let building = phi + psi * n.min(dim);
    if !exact {
        return building + n * n * n;
    }
    let words = 1.0 + n * bits / 64.0;
    200.0 * building + n * n * n * (bits / 8.0) + (phi + psi + 8.0 * n) * (300.0 + 3.0 * words * words)
}

/// Whether T is the big rational.
pub fn is_exact<T>() -> bool {
    size_of::<T>() > size_of::<f64>()
}

/// How long the entries of a deterministic policy's system are, in bits: those of a table of small fractions.
const SHORT: f64 = 16.0;

/// How long those of a softmax policy's are: quotients of doubles.
const LONG: f64 = 120.0;

/// Evaluating one policy in doubles.
pub fn evaluating(structure: &Structure<'_, f64>) -> f64 {
    evaluation(structure, false, 0.0)
}

/// Solving a model: policy iteration, μ_B, Λ.
pub fn solving<T: Field>(structure: &Structure<'_, T>, exact: bool) -> f64 {
    ROUNDS * evaluation(structure, exact, SHORT) + moments(structure, exact)
}

/// Λ: nothing to speak of where it is diagonal.
fn moments<T: Field>(structure: &Structure<'_, T>, exact: bool) -> f64 {
    let (phi, dim) = (structure.phi().stored() as f64, structure.shape().dim as f64);
    if structure.phi().single_entries() {
        return 0.0;
    }
    let words = if exact { 300.0 + structure.unknowns() as f64 * SHORT } else { 1.0 };
    phi * dim * words
}

/// The exact ratios of coverage: solves and definiteness tests on d unknowns, where Λ is not diagonal.
pub fn ratios<T: Field>(structure: &Structure<'_, T>) -> f64 {
    if structure.phi().single_entries() { 0.0 } else { 1.5e4 * (structure.shape().dim as f64).powf(4.5) }
}

/// An exact certificate of T iterates: two systems each, and sums of T fractions with different denominators.
pub fn certifying<T: Field>(structure: &Structure<'_, T>, outer: usize) -> f64 {
    let (outer, n) = (outer as f64, structure.unknowns() as f64);
    let words = outer * n * LONG / 64.0;
    3.0 * outer * evaluation(structure, true, LONG) + 50.0 * words * words
}

/// Enclosures of T policies' returns: a system in doubles and a pass in intervals each.
pub fn enclosing(structure: &Structure<'_, f64>, outer: usize) -> f64 {
    let stored = (structure.phi().stored() + structure.psi().stored()) as f64;
    outer as f64 * (evaluating(structure) + 30.0 * stored)
}

/// An audit: every statement by its defining functions, on vectors of |X||A| and matrices of d², a system of d unknowns for every pair
/// where Λ is not diagonal, one of |X||A| for q^π, and the estimators, which sum over actions, on every sample that can be drawn.
pub fn auditing<T: Field>(structure: &Structure<'_, T>) -> f64 {
    let (pairs, dim) = (structure.shape().pairs() as f64, structure.shape().dim as f64);
    let sample = SAMPLE * (dim + 3.0 + structure.shape().actions as f64);
    2e3 * pairs * pairs * dim + 36.0 * pairs.powi(3) + 0.1 * pairs * ratios(structure) + sample * samples(structure)
}

/// What a component or an action of an estimate takes, by all the checks that go through the samples.
const SAMPLE: f64 = 2e4;

/// The bytes of a list of the samples, and of the system for q^π.
pub fn listing<T: Field>(structure: &Structure<'_, T>) -> f64 {
    200.0 * samples(structure) + 300.0 * (structure.shape().pairs() as f64).powi(2)
}

/// How many (X⁰, X, A, X') can be drawn, at most.
fn samples<T: Field>(structure: &Structure<'_, T>) -> f64 {
    let states = structure.shape().states;
    // To how many states each component of Ψ leads.
    let mut arrivals = vec![0_usize; structure.shape().dim];
    for x in 0..states {
        structure.psi().for_each(x, |j, entry| arrivals[j] += usize::from(!entry.is_zero()));
    }
    let mut nexts = 0.0;
    for pair in 0..structure.shape().pairs() {
        let mut next = 0;
        structure.phi().for_each(pair, |j, entry| next += if entry.is_zero() { 0 } else { arrivals[j] });
        nexts += next.min(states) as f64;
    }
    let starts = structure.mdp().initial().iter().filter(|chance| !chance.is_zero()).count();
    starts as f64 * nexts
}

/// The bytes of a model's numbers as intervals.
pub fn widening(structure: &Structure<'_, f64>) -> f64 {
    let mdp = structure.mdp();
    16.0 * (mdp.features().len() + mdp.psi().len()) as f64
}

/// The bytes that solving a model takes beside the model: the system, Λ, and a few vectors.
pub fn room<T: Field>(structure: &Structure<'_, T>, exact: bool) -> f64 {
    let (n, dim) = (structure.unknowns() as f64, structure.shape().dim as f64);
    let words = if exact { 6.0 + n * SHORT / 64.0 } else { 1.0 };
    let lambda = if structure.phi().single_entries() { dim } else { 2.0 * dim * dim };
    let vectors = words * (lambda + 20.0 * structure.shape().pairs() as f64);
    8.0 * (3.0 * n * n + vectors) + 16.0 * structure.phi().stored() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Problem;
    use crate::number::exact::BigRational;

    /// What any way to solve a model takes at least, and what ours takes at most: a factor of a few hundred apart.
    #[test]
    fn estimates_are_of_the_order_of_the_work() {
        for instance in crate::instances::all() {
            let [exact, doubles] = [true, false];
            let problem = Problem::<BigRational>::of_instance(instance).unwrap();
            let structure = Structure::new(problem.model("a test").unwrap());
            let shape = structure.shape();
            let [n, pairs, dim] = [structure.unknowns(), shape.pairs(), shape.dim].map(|n| n as f64);
            let elimination = n.powi(3) / 3.0;
            let table = pairs * dim;
            let fast = solving(&structure, doubles);
            assert!(
                (elimination..=300.0 * (elimination + table + dim * dim * n)).contains(&fast),
                "{}",
                instance.name()
            );
            assert!(solving(&structure, exact) > 20.0 * fast);
            // The system, and Λ where it is no diagonal.
            let lambda = if structure.phi().single_entries() { dim } else { dim * dim };
            let least = 8.0 * (n * n + lambda + pairs);
            assert!((least..=100.0 * least).contains(&room(&structure, doubles)), "{}", instance.name());
            assert!(room(&structure, exact) > room(&structure, doubles));
            let one = certifying(&structure, 1);
            assert!(one > solving(&structure, doubles) / ROUNDS && certifying(&structure, 10) >= 10.0 * one);
            assert!(auditing(&structure) > pairs.powi(3) && listing(&structure) > 0.0);
            assert!(is_exact::<BigRational>() && !is_exact::<f64>());
            // Every sample that can be drawn, one by one; where ΦΨ cancels, there are fewer.
            let mdp = structure.mdp();
            let mut all = 0.0;
            for pair in 0..shape.pairs() {
                let phi = &mdp.features()[pair * shape.dim..][..shape.dim];
                let next = |x: usize| crate::linear::vector::inner(phi, &mdp.psi()[x * shape.dim..][..shape.dim]);
                all += (0..shape.states).filter(|x| !next(*x).is_zero()).count() as f64;
            }
            all *= mdp.initial().iter().filter(|chance| !chance.is_zero()).count() as f64;
            let most = pairs * (shape.states * shape.states) as f64;
            assert!((all..=most).contains(&samples(&structure)), "{}: {all}", instance.name());
            if structure.phi().single_entries() {
                assert_eq!(samples(&structure), all, "{}", instance.name());
            }
        }
    }
}
