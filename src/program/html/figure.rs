//! Line charts as SVG, drawn by `plotters`.

use super::page::{escape, formula};
use plotters::coord::ranged1d::{BoldPoints, DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// Figures side by side, where there is room.
pub fn figures(parts: &[String]) -> String {
    format!("<div class=\"figures\">\n{}</div>\n", parts.concat())
}

/// A chart: lines over a common axis, a legend beneath.
pub struct Figure<'a> {
    pub title: &'a str,
    pub x: Axis<'a>,
    pub y: Axis<'a>,
    pub lines: Vec<Line<'a>>,
}

/// What an axis says and how it is measured.
#[derive(Clone, Copy)]
pub struct Axis<'a> {
    /// What is measured, with its unit; plain text, since pictures have no markup.
    pub name: &'a str,
    pub scale: Scale,
}

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

/// A named line, and a band around it where one was measured.
pub struct Line<'a> {
    pub name: &'a str,
    pub points: Vec<(f64, f64)>,
    /// The least and the largest at each point of the line; empty where there is no band.
    pub band: Vec<(f64, f64)>,
}

impl<'a> Line<'a> {
    pub fn new(name: &'a str, points: Vec<(f64, f64)>) -> Self {
        Self { name, points, band: Vec::new() }
    }
}

/// Readable on white and on black.
const COLORS: [RGBColor; 8] = [
    RGBColor(31, 119, 210),
    RGBColor(217, 95, 2),
    RGBColor(27, 158, 119),
    RGBColor(190, 80, 190),
    RGBColor(150, 120, 0),
    RGBColor(110, 110, 230),
    RGBColor(200, 60, 90),
    RGBColor(90, 140, 150),
];
/// Lines are told apart by their dashes, too: lengths of strokes and gaps, of each color its own.
const DASHES: [&[u32]; 8] = [&[], &[9, 4], &[2, 3], &[11, 3, 2, 3], &[16, 4], &[5, 3], &[9, 3, 2, 3, 2, 3], &[4, 7]];
/// Small enough that the labels are still letters where a phone shrinks it to 350 pixels.
const SIZE: (u32, u32) = (460, 310);
const INK: RGBColor = RGBColor(128, 128, 128);
const LETTERS: u32 = 19;
/// At most how wide a digit of a label is, and what is left of it: the axis' title.
const DIGIT: f64 = 10.8;
const TITLE: f64 = 46.0;
/// The least room left of the y axis, for figures of a page to have theirs in one place.
const LEFT: u32 = 98;
/// By factors of ten a range below this is so narrow that 1, 2 and 5 do not divide it.
const NARROW: f64 = 0.7;

/// A chart of lines, from zero on.
pub fn lines<'a>(title: &'a str, x: &'a str, y: &'a str, lines: Vec<Line<'a>>) -> String {
    let axis = |name, scale| Axis { name, scale };
    Figure { title, x: axis(x, Scale::Fitted), y: axis(y, Scale::FromZero), lines }.html()
}

impl Scale {
    fn of(self, x: f64) -> f64 {
        if self == Self::Log { libm::log10(x) } else { x }
    }

    /// The ends of an axis that shows these numbers, wider where they have no width.
    fn ends(self, numbers: impl Iterator<Item = f64>, margin: f64) -> Option<(f64, f64)> {
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
    fn ticks(self, (low, high): (f64, f64), most: usize, mut own: Vec<f64>) -> Vec<f64> {
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
    fn label(self, x: f64, (low, high): (f64, f64)) -> String {
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

impl Figure<'_> {
    /// The picture with its title and legend, or a sentence where there is nothing to draw.
    pub fn html(&self) -> String {
        let picture = self.draw().unwrap_or_else(|| "<p>Nothing to draw.</p>".to_owned());
        let looks = COLORS.iter().zip(DASHES).cycle();
        let legend: String =
            self.lines.iter().zip(looks).map(|(line, (c, dash))| legend(line.name, *c, dash)).collect();
        let title = formula(self.title);
        format!("<figure><figcaption>{title}</figcaption>{picture}<div class=\"legend\">{legend}</div></figure>\n")
    }

    /// A point where it is drawn; `None` where it cannot be.
    fn place(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some((self.x.scale.of(x), self.y.scale.of(y))).filter(|(x, y)| x.is_finite() && y.is_finite())
    }

    /// Where the lines have points, along x.
    fn measured(&self) -> Vec<f64> {
        let points = self.lines.iter().flat_map(|line| &line.points);
        points.filter_map(|(x, y)| self.place(*x, *y)).map(|(x, _)| x).collect()
    }

    fn draw(&self) -> Option<String> {
        let points = || self.lines.iter().flat_map(|line| &line.points).filter_map(|(x, y)| self.place(*x, *y));
        let bands = self.lines.iter().flat_map(|line| &line.band).flat_map(|(low, high)| [*low, *high]);
        let (x0, x1) = self.x.scale.ends(points().map(|p| p.0), 0.0)?;
        let (y0, y1) = self.y.scale.ends(points().map(|p| p.1).chain(bands.map(|y| self.y.scale.of(y))), 0.05)?;
        self.svg([x0, x1, y0, y1]).ok().map(|svg| self.told(&svg))
    }

    /// The drawing with what it is, for who does not see it, and with its dashes.
    fn told(&self, svg: &str) -> String {
        let names: Vec<&str> = self.lines.iter().map(|line| line.name).collect();
        let label = format!("{}: {} over {}; {}", self.title, self.y.name, self.x.name, names.join(", "));
        let mut svg = svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escape(&label)), 1);
        for (RGBColor(r, g, b), dash) in COLORS.iter().zip(DASHES).filter(|(_, dash)| !dash.is_empty()) {
            let stroke = format!("stroke=\"#{r:02X}{g:02X}{b:02X}\" stroke-width=\"2\"");
            let lengths: Vec<String> = dash.iter().map(u32::to_string).collect();
            svg = svg.replace(&stroke, &format!("{stroke} stroke-dasharray=\"{}\"", lengths.join(" ")));
        }
        svg
    }

    fn svg(&self, [x0, x1, y0, y1]: [f64; 4]) -> Result<String, Box<dyn std::error::Error>> {
        let (of_x, of_y) =
            (self.x.scale.ticks((x0, x1), 5, self.measured()), self.y.scale.ticks((y0, y1), 6, Vec::new()));
        let longest = of_y.iter().map(|y| self.y.scale.label(*y, (y0, y1)).len()).max().unwrap_or(0);
        let left = (TITLE + DIGIT * longest as f64) as u32;
        let mut svg = String::new();
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(10)
            .margin_right(42) // half of the last label
            .x_label_area_size(56)
            .y_label_area_size(left.max(LEFT))
            .build_cartesian_2d(Ticked::new(x0..x1, of_x), Ticked::new(y0..y1, of_y))?;
        let style = || ("sans-serif", LETTERS).into_font().color(&INK);
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(INK)
            .label_style(style())
            .axis_desc_style(style())
            .x_desc(self.x.name)
            .y_desc(self.y.name)
            .x_label_formatter(&|x| self.x.scale.label(*x, (x0, x1)))
            .y_label_formatter(&|y| self.y.scale.label(*y, (y0, y1)))
            .draw()?;
        for (line, color) in self.lines.iter().zip(COLORS.iter().cycle()) {
            let over = |end: fn(&(f64, f64)) -> f64| {
                let ends = line.points.iter().zip(&line.band).map(move |(point, band)| (point.0, end(band)));
                ends.filter_map(|(x, y)| self.place(x, y)).collect::<Vec<_>>()
            };
            let (mut outline, highs) = (over(|band| band.0), over(|band| band.1));
            outline.extend(highs.into_iter().rev());
            if !outline.is_empty() {
                chart.draw_series(std::iter::once(Polygon::new(outline, color.mix(0.2).filled())))?;
            }
            let drawn: Vec<(f64, f64)> = line.points.iter().filter_map(|(x, y)| self.place(*x, *y)).collect();
            if let [alone] = drawn[..] {
                chart.draw_series(std::iter::once(Circle::new(alone, 3, color.filled())))?;
            }
            chart.draw_series(LineSeries::new(drawn, color.stroke_width(2)))?;
        }
        root.present()?;
        drop(chart);
        drop(root);
        Ok(svg)
    }
}

/// An axis that has its labels where it is told.
struct Ticked {
    axis: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Ticked {
    fn new(ends: Range<f64>, ticks: Vec<f64>) -> Self {
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

/// A stroke as the line has it, and the name.
fn legend(name: &str, RGBColor(r, g, b): RGBColor, dash: &[u32]) -> String {
    let color = format!("rgb({r},{g},{b})");
    let (mut at, mut stops) = (0, Vec::new());
    for (i, length) in dash.iter().enumerate() {
        let ink = if i % 2 == 0 { &color } else { "transparent" };
        stops.push(format!("{ink} {at}px {}px", at + length));
        at += length;
    }
    let look = if dash.is_empty() { color } else { format!("repeating-linear-gradient(90deg,{})", stops.join(",")) };
    format!("<span><i style=\"background:{look}\"></i>{}</span> ", formula(name))
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
}
