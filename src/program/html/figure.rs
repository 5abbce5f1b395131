//! Line charts as SVG, drawn by `plotters`.

use super::page::{escape, formula};
pub use super::scale::Scale;
use super::scale::Ticked;
use plotters::prelude::*;

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
/// A chart of lines, from zero on.
pub fn lines<'a>(title: &'a str, x: &'a str, y: &'a str, lines: Vec<Line<'a>>) -> String {
    let axis = |name, scale| Axis { name, scale };
    Figure { title, x: axis(x, Scale::Fitted), y: axis(y, Scale::FromZero), lines }.html()
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
    use super::{Axis, Figure, Line, Scale};

    /// Labels of nine signs have their room between the title and the axis.
    #[test]
    fn long_labels_are_beside_the_title() {
        let axis = |name| Axis { name, scale: Scale::Fitted };
        let points = (0..9).map(|t| (f64::from(t), 0.515_884 + 1e-6 * f64::from(t))).collect();
        let figure = Figure { title: "", x: axis("t"), y: axis("reward"), lines: vec![Line::new("", points)] }.html();
        let at = |text: &str| text.split(" x=\"").nth(1).unwrap().split('"').next().unwrap().parse::<f64>().unwrap();
        let texts: Vec<&str> =
            figure.split("<text").skip(1).map(|text| text.split("</text>").next().unwrap()).collect();
        let (titles, labels): (Vec<&str>, Vec<&str>) = texts
            .iter()
            .filter(|text| !text.contains("\"middle\"") || text.contains("rotate"))
            .partition(|text| text.contains("rotate"));
        for label in &labels {
            let long = label.rsplit('>').next().unwrap().trim().len();
            assert!(at(label) - 9.8 * long as f64 > at(titles[0]) + 16.0, "{label} lies on the title");
        }
        let longest = labels.iter().map(|label| label.rsplit('>').next().unwrap().trim().len()).max();
        assert!(labels.len() > 2 && longest >= Some(8), "{labels:?}");
    }

    /// On a logarithmic axis the labels are the lines' own numbers; what has no place on an axis is left out.
    #[test]
    fn sizes_are_labelled_and_gaps_are_left_out() {
        let axis = |name, scale| Axis { name, scale };
        let points = vec![(100.0, 1.0), (300.0, f64::NAN), (1000.0, 2.0), (0.0, 3.0), (4000.0, 1.5)];
        let (x, y) = (axis("n", Scale::Log), axis("reward", Scale::FromZero));
        let figure = Figure { title: "", x, y, lines: vec![Line::new("", points)] };
        assert_eq!(figure.measured(), [100.0, 1000.0, 4000.0].map(libm::log10));
        let html = figure.html();
        for label in ["100", "1000", "4000"] {
            assert!(html.contains(&format!("\n{label}\n</text>")), "{label} in {html}");
        }
        assert!(!html.contains("\n300\n</text>"), "{html}");
        let drawn = html.split("<polyline").skip(1).find(|line| line.contains("stroke-width=\"2\"")).unwrap();
        let drawn = drawn.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(drawn.split_whitespace().count(), 3, "{drawn}");
    }
}
