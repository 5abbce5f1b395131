//! What several runs have in common: bands of their returns.

use crate::program::show::fixed;
use serde::Serialize;

/// What N seeds give.
#[derive(Debug, Serialize)]
pub struct Seeds {
    pub count: usize,
    /// What a seed has drawn.
    pub differ: &'static str,
    /// ρ(π_J), ρ(π_{T+1}) and (1/T) Σ_t ρ(π_t).
    pub output: Band,
    pub last: Band,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixture: Option<Band>,
    pub runs: Vec<Line>,
}

/// Where the returns of several runs lie.
#[derive(Debug, Serialize)]
pub struct Band {
    pub mean: f64,
    /// Of one run, by n − 1; none of one seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    pub least: f64,
    pub most: f64,
}

/// One run.
#[derive(Debug, Serialize)]
pub struct Line {
    pub seed: u64,
    pub output_index: usize,
    pub output: f64,
    pub last: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixture: Option<f64>,
}

impl Band {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let count = numbers.clone().count() as f64;
        let mean = numbers.clone().sum::<f64>() / count;
        let squares: f64 = numbers.clone().map(|x| (x - mean) * (x - mean)).sum();
        Self {
            mean,
            deviation: (count > 1.0).then(|| (squares / (count - 1.0)).sqrt()),
            least: numbers.clone().fold(f64::INFINITY, f64::min),
            most: numbers.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn text(&self) -> String {
        let deviation = self.deviation.map_or_else(String::new, |x| format!(", standard deviation {x:.6}"));
        let [mean, least, most] = [self.mean, self.least, self.most].map(|x| fixed(x, 6));
        format!("{mean}, from {least} to {most}{deviation}")
    }
}

impl Seeds {
    pub fn new(differ: &'static str, runs: Vec<Line>) -> Self {
        let mixture = runs.iter().all(|run| run.mixture.is_some());
        Self {
            count: runs.len(),
            differ,
            output: Band::of(runs.iter().map(|run| run.output)),
            last: Band::of(runs.iter().map(|run| run.last)),
            mixture: mixture.then(|| Band::of(runs.iter().filter_map(|run| run.mixture))),
            runs,
        }
    }

    /// Each band with its name.
    pub fn rows(&self) -> Vec<(String, String)> {
        let name = |what: &str| format!("{what}, mean of {} seeds", self.count);
        let mut rows = vec![(name("return of π_J"), self.output.text()), (name("last policy"), self.last.text())];
        rows.extend(self.mixture.as_ref().map(|band| (name("mixture"), band.text())));
        rows.push(("a seed has drawn".to_owned(), self.differ.to_owned()));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::Band;

    /// 1, 2, 6: squares 4 + 1 + 9 = 14, of two degrees of freedom.
    #[test]
    fn a_band_is_its_numbers() {
        let band = Band::of([1.0, 2.0, 6.0].into_iter());
        assert_eq!((band.mean, band.deviation, band.least, band.most), (3.0, Some(7.0_f64.sqrt()), 1.0, 6.0));
        assert_eq!(band.text(), "3.000000, from 1.000000 to 6.000000, standard deviation 2.645751");
        assert_eq!(Band::of([2.0].into_iter()).text(), "2.000000, from 2.000000 to 2.000000");
    }
}
