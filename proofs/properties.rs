//! What is claimed, as functions that answer whether it holds for one input. Kani asks them for every input of a domain
//! (`proofs/*.rs`), quickcheck and the exhaustive grids for many (`tests/properties.rs`).

use super::library::error::Result;
use super::library::instances::Instance;
use super::library::linear::projection::{project_ball, project_unit_interval};
use super::library::linear::softmax::{inverse_cdf, softmax};
use super::library::linear::vector::{apply, apply_transposed, dot};
use super::library::number::rational::Rational8;
use super::library::number::{Field, Real};
use super::library::paper::covariance::covariance;
use super::library::paper::lines::AsCorrected;
use super::library::paper::mdp::ones_coefficients;
use super::library::paper::samples::{FeatureMap, Sample};
use super::library::paper::{average_reward, discounted};
use super::scalars::Fixed;

/// |Πx − Πy| ≤ |x − y| in exact arithmetic, without a subtraction: Πx and Πy are the same, or both lie between x and y in the
/// order of x and y. Rounding is monotone, so the same holds of the rounded distances.
pub fn unit_interval_nested<T: Field>(x: T, y: T) -> bool {
    match (project_unit_interval(x.clone()), project_unit_interval(y.clone())) {
        (Ok(p), Ok(q)) => p == q || (x <= p && p <= q && q <= y) || (x >= p && p >= q && q >= y),
        _ => !(x.is_valid() && y.is_valid()),
    }
}

/// |Πx − Πy| ≤ |x − y|, as computed.
pub fn unit_interval_non_expansive<T: Field>(x: T, y: T) -> bool {
    match (project_unit_interval(x.clone()), project_unit_interval(y.clone())) {
        (Ok(p), Ok(q)) => (p - q).abs() <= (x - y).abs(),
        _ => !(x.is_valid() && y.is_valid()),
    }
}

/// Πx ∈ [0, 1], Πx = x there, ΠΠx = Πx; refused exactly where x is not finite.
pub fn unit_interval_idempotent(x: f64) -> bool {
    match project_unit_interval(x) {
        Ok(p) => {
            let inside = |v: f64| (0.0..=1.0).contains(&v);
            x.is_finite()
                && inside(p)
                && (!inside(x) || p.to_bits() == x.to_bits())
                && project_unit_interval(p) == Ok(p)
        }
        Err(_) => !x.is_finite(),
    }
}

/// ‖Πy − Πz‖ ≤ ‖y − z‖ in any dimension, in three steps: with ‖y‖ = k, ‖z‖ = l, p = ‖Πy‖ = min(k, D), q = min(l, D) and
/// cosine c, ‖Πy − Πz‖² = (p−q)² + 2pq(1−c) and ‖y − z‖² = (k−l)² + 2kl(1−c), so (p−q)² ≤ (k−l)² and pq ≤ kl suffice.
pub fn ball_gram_steps(k: u8, l: u8, radius: u8) -> bool {
    let (p, q) = (k.min(radius), l.min(radius));
    let (near, far) = (p.abs_diff(q), k.abs_diff(l));
    let square = |x: u8| u16::from(x) * u16::from(x);
    let product = |x: u8, y: u8| u16::from(x) * u16::from(y);
    near <= far && square(near) <= square(far) && product(p, q) <= product(k, l)
}

/// The same as one inequality, with cosine n/m: m(p² + q²) − 2npq ≤ m(k² + l²) − 2nkl.
pub fn ball_gram_non_expansive(k: u8, l: u8, radius: u8, n: i8, m: u8) -> bool {
    let distance = |a: u8, b: u8| {
        let (a, b) = (i32::from(a), i32::from(b));
        i32::from(m) * (a * a + b * b) - 2 * i32::from(n) * a * b
    };
    distance(k.min(radius), l.min(radius)) <= distance(k, l)
}

/// A point of the fixed-point plane, from two raw coordinates.
pub fn fixed_point(y: [i8; 2]) -> [Fixed; 2] {
    y.map(|raw| Fixed::from_raw(raw.into()))
}

/// Raw x² + y², exactly.
pub fn raw_norm_squared(y: &[Fixed]) -> i32 {
    y.iter().map(|c| c.raw() * c.raw()).sum()
}

fn fixed_projection(y: [i8; 2], radius: Fixed) -> Option<[Fixed; 2]> {
    let mut point = fixed_point(y);
    project_ball(&mut point, &radius).ok().map(|()| point)
}

/// How far beyond D² the exact squared norm of the fixed-point projection can be, in raw units: it rounds ‖y‖ down by almost
/// one unit of the last place, so points just outside the ball pass for points on it.
pub fn fixed_ball_slack(radius: Fixed) -> i32 {
    // (D + 1)² − 1 for the rounded root, and less than 16 for each of two squares rounded down before it.
    2 * radius.raw() + 2 * 16
}

/// Π at the fixed-point scalar lands in the ball, up to [`fixed_ball_slack`].
pub fn fixed_ball_lands(y: [i8; 2], radius: Fixed) -> bool {
    let limit = radius.raw() * radius.raw() + fixed_ball_slack(radius);
    fixed_projection(y, radius).is_some_and(|p| raw_norm_squared(&p) <= limit)
}

/// ΠΠy = Πy at the fixed-point scalar.
pub fn fixed_ball_idempotent(y: [i8; 2], radius: Fixed) -> bool {
    fixed_projection(y, radius).is_some_and(|p| {
        let mut again = p;
        project_ball(&mut again, &radius).is_ok() && again == p
    })
}

/// ‖Πy − Πz‖² ≤ ‖y − z‖² + slack at the fixed-point scalar, in raw units; the slack is the excess of one pair.
pub fn fixed_ball_excess(y: [i8; 2], z: [i8; 2], radius: Fixed) -> Option<i32> {
    let (p, q) = (fixed_projection(y, radius)?, fixed_projection(z, radius)?);
    let distance = |a: [Fixed; 2], b: [Fixed; 2]| raw_norm_squared(&[a[0] - b[0], a[1] - b[1]]);
    Some(distance(p, q) - distance(fixed_point(y), fixed_point(z)))
}

/// What a projection may do to a point of any ball around 0: shrink each coordinate, keep its sign, invent no NaN.
pub fn shrinks<T: Field>(before: &[T], after: &[T]) -> bool {
    before.len() == after.len()
        && before.iter().zip(after).all(|(y, z)| {
            let zero = T::zero();
            let kept = if *y >= zero { *z >= zero && z <= y } else { *z <= zero && z >= y };
            z.is_valid() && kept
        })
}

/// The mean of in-ball points, as `outer_step` takes it (Σ from 0 in order, times 1/K), has raw squared norm at most D².
pub fn mean_within<const K: usize>(points: [[i8; 2]; K], radius: Fixed) -> bool {
    let mut sum = [Fixed::zero(); 2];
    for point in points {
        let point = fixed_point(point);
        sum = [sum[0] + point[0], sum[1] + point[1]];
    }
    let share = Fixed::one() / Fixed::from_int(i64::try_from(K).unwrap_or(i64::MAX));
    raw_norm_squared(&sum.map(|s| s * share)) <= radius.raw() * radius.raw()
}

/// Room for a state of either algorithm with up to 2 actions and d = 2.
const STATE: usize = 8 * 2 + 4 * 2;

/// Whether the first step of Algorithm 1 from (θ, β), an inner one where K > 1 and the outer one where K = 1, leaves both `inside`
/// their balls; `None` if the parameters, the start or the step is refused.
pub fn discounted_step_lands<T: Real>(
    parameters: &discounted::algorithm::Parameters<T>,
    features: &impl FeatureMap<T>,
    (theta, beta): (&[T], &[T]),
    sample: &Sample<T>,
    inside: impl Fn(&[T], &T) -> bool,
) -> Option<bool> {
    use discounted::algorithm::{Algorithm, State};
    let mut buffer = room::<T, STATE>();
    let algorithm = Algorithm::new(features, None, parameters).ok()?;
    let mut state = State::new(features.actions(), features.dim(), &mut buffer).ok()?;
    algorithm.start_at(&mut state, theta, beta).ok()?;
    if parameters.inner > 1 {
        algorithm.begin_outer(&mut AsCorrected, &mut state, &mut ()).ok()?;
        algorithm.inner_step(&mut AsCorrected, &mut state, sample, &mut ()).ok()?;
    } else {
        algorithm.run(&mut state, 1, [sample.clone()], &mut ()).ok()?;
    }
    Some(inside(state.theta(), &parameters.radius_theta) && inside(state.beta(), &parameters.radius_beta))
}

/// Looks at θ and ρ after an inner step of Algorithm 2.
struct AfterInner<F>(F);

impl<T, F: FnMut(&[T], &T)> average_reward::algorithm::Observer<T> for AfterInner<F> {
    fn inner_step(&mut self, step: &average_reward::algorithm::InnerStep<T>) {
        self.0(step.theta_next, step.rho_next);
    }
}

/// Whether an inner and an outer step of Algorithm 2 (K = 1) leave θ and β `inside` their balls and ρ in [0, 1] each time.
pub fn average_reward_steps_land<T: Real>(
    parameters: &average_reward::algorithm::Parameters<T>,
    features: &impl FeatureMap<T>,
    (theta, rho, beta): (&[T], T, &[T]),
    [first, last]: &[Sample<T>; 2],
    inside: impl Fn(&[T], &T) -> bool,
) -> Option<bool> {
    use average_reward::algorithm::{Algorithm, State};
    let mut buffer = room::<T, STATE>();
    let algorithm = Algorithm::new(features, None, parameters).ok()?;
    let mut state = State::new(features.actions(), features.dim(), &mut buffer).ok()?;
    let landed = |state: &State<T>| {
        inside(state.theta(), &parameters.radius_theta)
            && inside(state.beta(), &parameters.radius_beta)
            && *state.rho() >= T::zero()
            && *state.rho() <= T::one()
    };
    algorithm.start_at(&mut state, theta, rho, beta).ok()?;
    let mut inner = false;
    let mut after_inner = AfterInner(|theta: &[T], rho: &T| {
        inner = inside(theta, &parameters.radius_theta) && *rho >= T::zero() && *rho <= T::one();
    });
    algorithm.run(&mut state, 1, [first.clone(), last.clone()], &mut after_inner).ok()?;
    Some(inner && landed(&state))
}

/// Softmax of finite logits: every probability in [0, 1], none NaN, and one of them at least 1/|A| (up to its rounding).
pub fn softmax_is_policy<T: Real>(logits: &[T], policy: &mut [T]) -> bool {
    policy.clone_from_slice(logits);
    if logits.is_empty() || logits.iter().any(|z| !z.is_valid()) {
        return softmax(policy).is_err();
    }
    let unit = |p: &T| *p >= T::zero() && *p <= T::one();
    softmax(policy).is_ok() && policy.iter().all(unit) && policy.iter().any(|p| *p > T::zero())
}

/// What the proofs assume of `exp` on x ≤ 0: in [0, 1], and 1 at 0.
pub fn exp_is_fit<T: Real>(x: &T) -> bool {
    let e = x.exp();
    *x > T::zero() || (e >= T::zero() && e <= T::one() && (!x.is_zero() || e == T::one()))
}

/// The draw is an action, of positive probability if any has; refused exactly for u outside [0, 1) and an empty or
/// invalid policy.
pub fn draw_is_possible<T: Field>(policy: &[T], u: &T) -> bool {
    let acceptable = !policy.is_empty()
        && policy.iter().all(|p| p.is_valid() && *p >= T::zero())
        && *u >= T::zero()
        && *u < T::one();
    match inverse_cdf(policy, u) {
        Ok(a) => a < policy.len() && (!acceptable || policy[a] > T::zero() || policy.iter().all(Field::is_zero)),
        Err(_) => !acceptable,
    }
}

/// The exact value of an operation on two 8-bit rationals, as numerator and denominator, before it has to fit.
type Wide = (i32, i32);

/// Whether `result` is `exact` in lowest terms, or the error and `exact` fits no 8-bit rational.
fn is_exactly(result: Result<Rational8>, (n, d): Wide) -> bool {
    match result {
        Ok(value) => {
            let (p, q) = (i32::from(value.numerator()), i32::from(value.denominator()));
            q > 0 && euclid(p, q) == 1 && p * d == n * q
        }
        Err(_) => d == 0 || !fits(n, d),
    }
}

/// Whether n/d has lowest terms of at most 127.
fn fits(n: i32, d: i32) -> bool {
    let divisor = euclid(n, d);
    n.unsigned_abs() / divisor <= 127 && d.unsigned_abs() / divisor <= 127
}

/// The greatest common divisor, by Euclid; not the library's.
fn euclid(n: i32, d: i32) -> u32 {
    let (mut divisor, mut rest) = (d.unsigned_abs(), n.unsigned_abs());
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    divisor
}

fn parts(x: Rational8) -> Wide {
    (x.numerator().into(), x.denominator().into())
}

/// One of the four operations of [`Rational8`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    Div,
}

fn operate(operation: Operation, x: Rational8, y: Rational8) -> (Result<Rational8>, Wide) {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    match operation {
        Operation::Add => (x.checked_add(y), (a * d + c * b, b * d)),
        Operation::Sub => (x.checked_sub(y), (a * d - c * b, b * d)),
        Operation::Mul => (x.checked_mul(y), (a * c, b * d)),
        Operation::Div => (x.checked_div(y), (a * d, b * c)),
    }
}

/// The result is exact and normalised, or an error where the exact value does not fit.
pub fn rational_is_exact(operation: Operation, x: Rational8, y: Rational8) -> bool {
    let (result, exact) = operate(operation, x, y);
    is_exactly(result, exact)
}

/// What Kani can afford of it: no operation panics or wraps, and what comes out is in range with a positive denominator, or
/// the error. That it is exact and normalised, `tests/properties.rs` checks by enumeration.
pub fn rational_is_in_range(operation: Operation, x: Rational8, y: Rational8) -> bool {
    rational_in_range(operate(operation, x, y).0)
}

/// In range with a positive denominator, or an error.
pub fn rational_in_range(result: Result<Rational8>) -> bool {
    result.is_err() || result.is_ok_and(|x| x.denominator() > 0 && x.numerator() > i8::MIN && x.is_valid())
}

/// A row that was accepted has its states and actions below their bounds, its reward in [0, 1] and its draw in [0, 1).
pub fn row_in_range(row: &Sample<f64>, states: usize, actions: usize) -> bool {
    let states_are_known = row.x0 < states && row.x < states && row.x_next < states;
    states_are_known && row.a < actions && (0.0..=1.0).contains(&row.r) && (0.0..1.0).contains(&row.u)
}

/// n/d is normalised and has that value, or is refused: for d = 0, or where lowest terms do not fit.
pub fn rational_new_is_exact(n: i8, d: i8) -> bool {
    match Rational8::new(n, d) {
        Ok(x) => {
            let (p, q) = parts(x);
            d != 0 && q > 0 && euclid(p, q) == 1 && p * i32::from(d) == i32::from(n) * q
        }
        // Only −128 has no counterpart of the other sign.
        Err(_) => d == 0 || n == i8::MIN || d == i8::MIN,
    }
}

/// The order of rationals is that of the numbers they stand for.
pub fn rational_order_is_exact(x: Rational8, y: Rational8) -> bool {
    let product = |m: i8, n: i8| i16::from(m) * i16::from(n);
    let order = product(x.numerator(), y.denominator()).cmp(&product(y.numerator(), x.denominator()));
    x.partial_cmp(&y) == Some(order)
}

/// Equality is equality of numbers, because lowest terms are unique.
pub fn rational_equality_is_exact(x: Rational8, y: Rational8) -> bool {
    let ((a, b), (c, d)) = (parts(x), parts(y));
    (x == y) == (a * d == c * b)
}

/// INVALID absorbs: every operation with it is an error, and it neither equals nor orders.
pub fn rational_invalid_absorbs(operation: Operation, x: Rational8) -> bool {
    let invalid = Rational8::INVALID;
    operate(operation, x, invalid).0.is_err()
        && operate(operation, invalid, x).0.is_err()
        && invalid.partial_cmp(&x).is_none()
        && invalid != x
}

/// Numbers in a harness's own memory.
fn room<T: Field, const N: usize>() -> [T; N] {
    core::array::from_fn(|_| T::zero())
}

/// ⟨a, b⟩ as one sum from the first term to the last. (These three loop by hand: Kani pays for every step of an iterator.)
pub fn plain_inner<T: Field>(a: &[T], b: &[T]) -> T {
    assert!(a.len() == b.len());
    let (mut sum, mut i) = (T::zero(), 0);
    while i < a.len() {
        sum += a[i].clone() * &b[i];
        i += 1;
    }
    sum
}

/// y ← M x, entry by entry.
pub fn plain_multiply<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    assert!(matrix.len() == x.len() * y.len());
    let mut i = 0;
    while i < y.len() {
        let (mut sum, mut j) = (T::zero(), 0);
        while j < x.len() {
            sum += matrix[i * x.len() + j].clone() * &x[j];
            j += 1;
        }
        y[i] = sum;
        i += 1;
    }
}

/// y ← Mᵀ x, entry by entry.
pub fn plain_multiply_transposed<T: Field>(matrix: &[T], x: &[T], y: &mut [T]) {
    assert!(matrix.len() == x.len() * y.len());
    let mut j = 0;
    while j < y.len() {
        let (mut sum, mut i) = (T::zero(), 0);
        while i < x.len() {
            sum += matrix[i * y.len() + j].clone() * &x[i];
            i += 1;
        }
        y[j] = sum;
        j += 1;
    }
}

/// In exact arithmetic, the library's order of summation makes no difference: the product of a matrix of up to 4 rows with x, and the inner
/// product of its first row with x, are the plain ones.
pub fn products_are_plain<T: Field>(matrix: &[T], x: &[T]) -> bool {
    let (mut y, mut plain) = (room::<T, 4>(), room::<T, 4>());
    let rows = matrix.len() / x.len();
    plain_multiply(matrix, x, &mut plain[..rows]);
    let first = &matrix[..x.len()];
    apply(matrix, x, &mut y[..rows]).is_ok() && y[..rows] == plain[..rows] && dot(first, x) == Ok(plain_inner(first, x))
}

/// The same of the transposed matrix, of up to 4 columns.
pub fn transposed_products_are_plain<T: Field>(matrix: &[T], x: &[T]) -> bool {
    let (mut y, mut plain) = (room::<T, 4>(), room::<T, 4>());
    let columns = matrix.len() / x.len();
    plain_multiply_transposed(matrix, x, &mut plain[..columns]);
    apply_transposed(matrix, x, &mut y[..columns]).is_ok() && y[..columns] == plain[..columns]
}

/// Most numbers of an instance and of scratch that the lemmas below need.
const MODEL: usize = 26;
const SCRATCH: usize = 96;

/// Lemma 4.1 and 4.2 on one instance, at T = 1, for one π_t and π*: G_T minus the suboptimality, and G_T minus the sum of
/// the three regrets. Both have to be 0 whatever θ_t and β_t are. Λ^c is the instance's Λ^{1/2} where it has one, else Λ.
pub fn discounted_residuals<T: Field>(
    instance: &Instance,
    (policy, comparator): (&[T], &[T]),
    theta: &[T],
    beta: &[T],
) -> Result<[T; 2]> {
    use discounted::duality_gap::{
        Comparators, Iterates, average_suboptimality, beta_star, dynamic_duality_gap, occupancy_of, theta_stars,
    };
    use discounted::lagrangian::Saddle;
    use discounted::regret::{beta_regret, policy_regret, theta_regret};
    let (mut model, mut scratch) = (room::<T, MODEL>(), room::<T, SCRATCH>());
    let view = instance.write(&mut model)?;
    let (mdp, mut scratch) = (view.linear_mdp()?, &mut scratch[..]);
    let power = match view.root {
        Some(root) => root,
        None => covariance(&mdp, occupancy_of(&mdp, view.behavior, &mut scratch)?, &mut scratch)?,
    };
    let saddle = Saddle::new(mdp, power)?;
    let iterates = Iterates::new(&mdp, theta, beta, policy)?;
    let beta = beta_star(&saddle, comparator, &mut scratch)?;
    let thetas = theta_stars(&mdp, &iterates, &mut scratch)?;
    let stars = Comparators { policy: comparator, beta, thetas };
    let gap = dynamic_duality_gap(&saddle, &iterates, &stars, scratch)?;
    let suboptimality = average_suboptimality(&mdp, comparator, &iterates, scratch)?;
    let regret = theta_regret(&saddle, &iterates, &stars, scratch)?
        + beta_regret(&saddle, &iterates, &stars, scratch)?
        + policy_regret(&mdp, &iterates, comparator, scratch)?;
    Ok([gap.clone() - suboptimality, gap - regret])
}

/// Lemma C.3 and C.4, the same for the average-reward setting: four regrets.
pub fn average_reward_residuals<T: Field>(
    instance: &Instance,
    (policy, comparator): (&[T], &[T]),
    rho: T,
    theta: &[T],
    beta: &[T],
) -> Result<[T; 2]> {
    use average_reward::duality_gap::{
        Comparators, Iterates, average_suboptimality, beta_star, dynamic_duality_gap, occupancy_of, rho_theta_stars,
    };
    use average_reward::lagrangian::Saddle;
    use average_reward::regret::{beta_regret, policy_regret, rho_regret, theta_regret};
    let (mut model, mut scratch, rhos) = (room::<T, MODEL>(), room::<T, SCRATCH>(), [rho]);
    let view = instance.write(&mut model)?;
    let (mdp, mut scratch) = (view.linear_mdp()?, &mut scratch[..]);
    let varrho = ones_coefficients(&mdp, &mut scratch)?;
    let power = match view.root {
        Some(root) => root,
        None => covariance(&mdp, occupancy_of(&mdp, view.behavior, &mut scratch)?, &mut scratch)?,
    };
    let saddle = Saddle::new(mdp, varrho, power)?;
    let iterates = Iterates::new(&mdp, &rhos, theta, beta, policy)?;
    let beta = beta_star(&saddle, comparator, &mut scratch)?;
    let (rhos, thetas) = rho_theta_stars(&saddle, &iterates, &mut scratch)?;
    let stars = Comparators { policy: comparator, beta, rhos, thetas };
    let gap = dynamic_duality_gap(&saddle, &iterates, &stars, scratch)?;
    let suboptimality = average_suboptimality(&mdp, comparator, &iterates, scratch)?;
    let regret = theta_regret(&saddle, &iterates, &stars, scratch)?
        + rho_regret(&saddle, &iterates, &stars, scratch)?
        + beta_regret(&saddle, &iterates, &stars, scratch)?
        + policy_regret(&mdp, &iterates, comparator, scratch)?;
    Ok([gap.clone() - suboptimality, gap - regret])
}
