//! How an axis of a figure is measured, and where its labels are.

use plotters::coord::ranged1d::{BoldPoints, DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use std::ops::Range;

/// How an axis is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// From zero, or from below it.
    FromZero,
    /// As far as the lines reach.
    Fitted,
    /// By factors of ten; what is not positive is left out.
    Log,
}

/// By factors of ten a range below this is so narrow that 1, 2 and 5 do not divide it.
const NARROW: f64 = 0.7;

impl Scale {
    pub fn of(self, x: f64) -> f64 {
        if self == Self::Log { libm::log10(x) } else { x }
    }

    /// The ends of an axis that shows these numbers, wider where they have no width.
    pub fn ends(self, numbers: impl Iterator<Item = f64>, margin: f64) -> Option<(f64, f64)> {
        let finite = numbers.filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        let room = if high > low { margin * (high - low) } else { 0.5 * high.abs().max(1.0) };
        match self {
            _ if low > high => None,
            Self::FromZero => Some((low.min(0.0), high + room)),
            Self::Fitted if margin == 0.0 && high > low => Some((low, high)),
            Self::Fitted | Self::Log => Some((low - room, high + room)),
        }
    }

    /// Where an axis between these ends has its labels, `most` at most: on a logarithmic one at its `own` numbers, where these are few and apart,
    /// else at 1, 2 and 5 times powers of ten, at powers of ten, of a hundred and so on, or, on a narrow one, at round numbers; on another where
    /// plotters finds round numbers.
    pub fn ticks(self, (low, high): (f64, f64), most: usize, mut own: Vec<f64>) -> Vec<f64> {
        let round = |low: f64, high: f64| RangedCoordf64::from(low..high).key_points(BoldPoints(most));
        if self != Self::Log {
            return round(low, high);
        }
        own.sort_by(f64::total_cmp);
        own.dedup();
        let powers = low.floor() as i32..=high.ceil() as i32;
        let times = |step: i32, digits: &[f64]| -> Vec<f64> {
            let every = powers.clone().filter(|power| power.rem_euclid(step) == 0);
            let all = every.flat_map(|p| digits.iter().map(move |d| f64::from(p) + libm::log10(*d)));
            all.filter(|x| (low..=high).contains(x)).collect()
        };
        let apart = |ticks: &[f64]| ticks.windows(2).all(|two| two[1] - two[0] > (high - low) / (2 * most) as f64);
        let fits = |ticks: &Vec<f64>| (2..=most).contains(&ticks.len()) && apart(ticks);
        let (small, large) = (libm::exp10(low), libm::exp10(high));
        let even = || round(small, large).into_iter().map(libm::log10).filter(|x| x.is_finite()).collect();
        let by_powers = std::iter::once(times(1, &[1.0, 2.0, 5.0])).chain((1..=400).map(|step| times(step, &[1.0])));
        std::iter::once(own).chain(by_powers).find(fits).unwrap_or_else(even)
    }

    /// A number of the axis as a label, with as many digits as tell the ticks of an axis of these ends apart.
    pub fn label(self, x: f64, (low, high): (f64, f64)) -> String {
        if self == Self::Log && high - low < NARROW {
            return Self::Fitted.label(libm::exp10(x), (libm::exp10(low), libm::exp10(high)));
        }
        let (x, width) = (if self == Self::Log { libm::exp10(x) } else { x }, high - low);
        let short = |text: String| text.trim_end_matches('0').trim_end_matches('.').to_owned();
        let digits = |least: f64| if self == Self::Log { 0 } else { least.ceil().clamp(0.0, 9.0) as usize };
        // Of six ticks two are a tenth of the width apart, or more.
        let decimals = digits(1.0 - libm::log10(width));
        match x.abs() {
            // What the ticks' arithmetic leaves of zero; a line that flat is a flat line.
            0.0..1e-12 if self != Self::Log => "0".to_owned(),
            0.001..0.1 => short(format!("{x:.*}", decimals.max(4))),
            0.1..100.0 => short(format!("{x:.*}", decimals.max(3))),
            100.0..1e5 if decimals == 0 => format!("{x:.0}"),
            100.0..1e5 => short(format!("{x:.decimals$}")),
            size if size <= 1.1 * width => format!("{x:.0e}"),
            size => format!("{x:.*e}", digits(1.0 + libm::log10(size / width))),
        }
    }
}

/// An axis that has its labels where it is told.
pub struct Ticked {
    axis: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ticked {
    pub fn new(ends: Range<f64>, ticks: Vec<f64>) -> Self {
        Self { axis: ends.into(), ticks }
    }
}

impl Ranged for Ticked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.axis.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.axis.range()
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;
    use std::collections::BTreeSet;

    /// Six ticks from `from` on, `step` apart.
    fn labels(from: f64, step: f64) -> Vec<String> {
        (0..6).map(|i| Scale::Fitted.label(from + f64::from(i) * step, (0.0, 6.0 * step))).collect()
    }

    #[test]
    fn ticks_are_told_apart() {
        assert_eq!(labels(0.0, 0.2)[1..4], ["0.2", "0.4", "0.6"]);
        assert_eq!(labels(0.5154, 0.0002)[..3], ["0.5154", "0.5156", "0.5158"]);
        assert_eq!(labels(0.0, 1e-4)[1..3], ["1e-4", "2e-4"]);
        for from in [0.0, 2e-4, 0.0123, 0.5154, 7.0, 431.0, 2e5, -0.5] {
            // Ten digits are the most that a label has.
            for step in [1e-5, 2e-4, 0.005, 0.1, 2.0, 5000.0].into_iter().filter(|step| from < 1e8 * step) {
                let labels = labels(from, step);
                assert_eq!(labels.iter().collect::<BTreeSet<_>>().len(), 6, "{from}, {step}: {labels:?}");
            }
        }
    }

    /// Round numbers, two at least, whatever the range: bytes from 316 to 708, a factor of 1.0004, forty powers of ten.
    #[test]
    fn a_logarithmic_axis_has_round_labels() {
        for (low, high) in [(316.0, 708.0), (1259.2, 1259.7), (1e-30, 1e10), (3.0, 4e5), (0.02, 0.03), (1.0, 10.0)] {
            let ends = (libm::log10(low), libm::log10(high));
            let ticks = Scale::Log.ticks(ends, 6, Vec::new());
            let labels: BTreeSet<String> = ticks.iter().map(|x| Scale::Log.label(*x, ends)).collect();
            assert!(labels.len() > 1 && labels.len() == ticks.len(), "{low}, {high}: {labels:?}");
            for (x, label) in ticks.iter().zip(ticks.iter().map(|x| Scale::Log.label(*x, ends))) {
                let (value, said) = (libm::exp10(*x), label.parse::<f64>().unwrap());
                assert!((value / said - 1.0).abs() < 1e-6, "{value} is labelled {label}");
            }
        }
    }

    /// From 0, or from below it; as far as its numbers reach, with room where they have no width; nowhere where there are none.
    #[test]
    fn an_axis_ends_where_its_numbers_do() {
        for (scale, numbers, margin, expected) in [
            (Scale::FromZero, &[1.0, 3.0][..], 0.25, Some((0.0, 3.5))),
            (Scale::FromZero, &[-1.0, 3.0], 0.25, Some((-1.0, 4.0))),
            (Scale::FromZero, &[4.0], 0.25, Some((0.0, 6.0))),
            (Scale::Fitted, &[3.0, f64::NAN, 1.0, f64::INFINITY], 0.0, Some((1.0, 3.0))),
            (Scale::Fitted, &[1.0, 3.0], 0.25, Some((0.5, 3.5))),
            (Scale::Fitted, &[4.0], 0.0, Some((2.0, 6.0))),
            (Scale::Fitted, &[-0.5], 0.0, Some((-1.0, 0.0))),
            (Scale::Log, &[f64::NEG_INFINITY, 1.0, 3.0], 0.25, Some((0.5, 3.5))),
            (Scale::Log, &[f64::NAN], 0.0, None),
        ] {
            assert_eq!(scale.ends(numbers.iter().copied(), margin), expected, "{numbers:?}");
        }
    }

    /// Its own numbers where they are few and apart; else 1, 2 and 5 times powers of ten, or powers of ten, every one or every so many.
    #[test]
    fn a_logarithmic_axis_may_have_labels_of_its_own() {
        let ticks = |ends, most, own: &[f64]| Scale::Log.ticks(ends, most, own.to_vec());
        assert_eq!(ticks((2.0, 4.0), 5, &[4.0, 3.5, 2.0, 3.5]), [2.0, 3.5, 4.0]);
        for own in [&[2.0, 2.1, 4.0][..], &[2.0, 2.4, 2.8, 3.2, 3.6, 4.0], &[3.0]] {
            assert_eq!(ticks((2.0, 4.0), 5, own), [2.0, 3.0, 4.0], "{own:?}");
        }
        let twos_and_fives = [20.0, 50.0, 100.0, 200.0, 500.0].map(libm::log10);
        assert_eq!(ticks((1.2, 2.8), 6, &[]), twos_and_fives);
        assert_eq!(ticks((-10.0, 10.0), 6, &[]), [-8.0, -4.0, 0.0, 4.0, 8.0]);
    }
}
