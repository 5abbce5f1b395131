//! Probabilities that were rounded: what they may have been, and `--normalise`.

use super::number::Number;
use super::problem::Problem;

/// The largest denominator that somebody may have meant.
const LONGEST: i64 = 1000;

/// A sum off from 1 by more than this is no rounding: one hundredth. In doubles 0.33 three times is off by a little more.
fn is_near_one<T: Number>(sum: &T) -> bool {
    (sum.clone() - T::one()).abs() <= T::ratio(1, 100) + T::rounding(64)
}

fn sum<'a, T: Number + 'a>(numbers: impl Iterator<Item = &'a T>) -> T {
    numbers.fold(T::zero(), |sum, x| sum + x)
}

/// What to do about probabilities whose sum is near 1 and not 1, for the end of a complaint; else nothing.
pub fn advice<T: Number>(row: &[T]) -> String {
    let total = sum(row.iter());
    if !is_near_one(&total) {
        let may_be_meant = (total - T::one()).abs() <= T::ratio(1, 10);
        let limit = "; --normalise divides by the sum where that is off by 1/100 at most";
        return if may_be_meant { limit.to_owned() } else { String::new() };
    }
    let double = |x: &T| f64::parse(&x.to_string()).unwrap_or(f64::NAN);
    // What the sum is off by, and no less than the last digit of a double.
    let slack = (2.0 * double(&(total - T::one()).abs())).max(4e-16);
    let fractions: Vec<(i64, i64)> = row.iter().map(|x| simplest(double(x) - slack, double(x) + slack, 32)).collect();
    let meant: Vec<T> = fractions.iter().map(|(p, q)| T::ratio(*p, *q)).collect();
    let changed = row
        .iter()
        .zip(&meant)
        .position(|(x, y)| x != y)
        .filter(|_| fractions.iter().all(|(_, q)| *q <= LONGEST) && sum(meant.iter()) == T::one());
    let normalise = "--normalise divides by the sum";
    match changed {
        Some(at) => {
            let ((p, q), x) = (fractions[at], double(&row[at]));
            format!("; did you mean \"{p}/{q}\" for {x}? {normalise}")
        }
        None => format!("; {normalise}"),
    }
}

/// The fraction of least denominator between `low` and `high` (Stern and Brocot), in at most `depth` steps.
fn simplest(low: f64, high: f64, depth: u32) -> (i64, i64) {
    let whole = low.ceil();
    if low <= 0.0 || depth == 0 {
        return (0, 1);
    }
    if whole <= high {
        return (whole as i64, 1);
    }
    let floor = low.floor();
    let (p, q) = simplest(1.0 / (high - floor), 1.0 / (low - floor), depth - 1);
    ((floor as i64).saturating_mul(p).saturating_add(q), p)
}

impl<T: Number> Problem<T> {
    /// Divides every distribution that sums to 1 only nearly by its sum: `initial`, the rows of `behavior`, and, where all features are
    /// distributions (as one-hot ones are), those and the columns of `psi`, which make the rows of ΦΨ. Says what was changed.
    pub fn normalise(&mut self) -> Vec<String> {
        let (actions, dim, mut notes) = (self.shape.actions, self.shape.dim, Vec::new());
        let mut changed = |what: &str, count: usize| {
            if count > 0 {
                notes.push(format!("{what}: {count} divided by their sum"));
            }
        };
        if let Some(initial) = &mut self.initial {
            changed("initial", usize::from(divide(initial)));
        }
        if let Some(behavior) = &mut self.behavior {
            changed(
                "rows of behavior",
                behavior.chunks_mut(actions).filter_map(|row| divide(row).then_some(())).count(),
            );
        }
        let is_distribution = |row: &[T]| row.iter().all(|x| *x >= T::zero()) && is_near_one(&sum(row.iter()));
        if !self.features.chunks(dim).all(is_distribution) {
            return notes;
        }
        changed("rows of features", self.features.chunks_mut(dim).filter_map(|row| divide(row).then_some(())).count());
        if let Some(psi) = &mut self.psi {
            let mut columns = 0;
            for j in 0..dim {
                let total = sum(psi.iter().skip(j).step_by(dim));
                if total != T::one() && is_near_one(&total) {
                    psi.iter_mut().skip(j).step_by(dim).for_each(|x| *x = x.clone() / &total);
                    columns += 1;
                }
            }
            changed("components of psi", columns);
        }
        notes
    }
}

/// Whether the row was divided by its sum.
fn divide<T: Number>(row: &mut [T]) -> bool {
    let total = sum(row.iter());
    let off = total != T::one() && is_near_one(&total);
    if off {
        for x in row.iter_mut() {
            *x = x.clone() / &total;
        }
    }
    off
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::exact::BigRational;

    #[test]
    fn rounded_fractions_are_recognised() {
        let advice =
            |texts: &[&str]| advice(&texts.iter().map(|text| BigRational::parse(text).unwrap()).collect::<Vec<_>>());
        assert_eq!(
            advice(&["0.333", "0.333", "0.333"]),
            "; did you mean \"1/3\" for 0.333? --normalise divides by the sum"
        );
        let sixths = advice(&["0.16666666666666666", "0.8333333333333333"]);
        assert_eq!(sixths, "; did you mean \"1/6\" for 0.16666666666666666? --normalise divides by the sum");
        assert_eq!(advice(&["0.5", "0.25"]), "");
        let limit = "; --normalise divides by the sum where that is off by 1/100 at most";
        assert_eq!((advice(&["0.3", "0.6"]).as_str(), advice(&["0.3", "0.3", "0.389"]).as_str()), (limit, limit));
        assert!(advice(&["0.33", "0.33", "0.33"]).ends_with("--normalise divides by the sum"));
        assert!(super::advice(&[0.33, 0.33, 0.33]).ends_with("--normalise divides by the sum"));
        assert_eq!(advice(&["0.1415926", "0.2718281", "0.5865792"]), "; --normalise divides by the sum");
    }

    /// The least denominator of all fractions between the two numbers, tried one by one.
    #[test]
    fn the_simplest_fraction_is_the_first_that_fits() {
        let mut x = 0.1234_f64;
        for step in 0..2000 {
            x = (x * 997.0 + 0.371).fract();
            let low = 2.0 * x + 1e-3;
            let high = low + libm::pow(10.0, -f64::from(step % 6));
            let fits = |q: &i64| (low * *q as f64).ceil() <= high * *q as f64;
            let (p, q) = simplest(low, high, 32);
            assert_eq!(Some(q), (1..=q).find(fits), "{low} {high}");
            assert!((low..=high).contains(&(p as f64 / q as f64)), "{p}/{q} for {low} {high}");
        }
        assert_eq!([simplest(-1.5, 0.1, 32), simplest(0.0, 3.0, 32), simplest(1.0, 1.0, 32)], [(0, 1), (0, 1), (1, 1)]);
    }
}
