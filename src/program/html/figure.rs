//! Line charts as SVG, drawn by `plotters`.

use plotters::prelude::*;

/// A named line.
pub struct Line<'a> {
    pub name: &'a str,
    pub points: Vec<(f64, f64)>,
}

/// Readable on white and on black.
const COLORS: [RGBColor; 5] = [
    RGBColor(31, 119, 210),
    RGBColor(217, 95, 2),
    RGBColor(27, 158, 119),
    RGBColor(190, 80, 190),
    RGBColor(150, 120, 0),
];
/// Small enough that the labels are still letters where a phone shrinks it.
const SIZE: (u32, u32) = (520, 280);
const INK: RGBColor = RGBColor(128, 128, 128);

/// How heights are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    Linear,
    /// By factors of ten.
    Log,
}

/// A chart of lines over t with a legend beneath, or a sentence where there is nothing to draw.
pub fn lines(title: &str, lines: &[Line<'_>]) -> String {
    figure(title, lines, Scale::Linear)
}

/// The same for positive numbers of different sizes; what is not positive is left out.
pub fn log_lines(title: &str, lines: &[Line<'_>]) -> String {
    let height = |&(x, y): &(f64, f64)| (x, libm::log10(y));
    let logarithms: Vec<Line<'_>> =
        lines.iter().map(|line| Line { name: line.name, points: line.points.iter().map(height).collect() }).collect();
    figure(title, &logarithms, Scale::Log)
}

fn figure(title: &str, lines: &[Line<'_>], scale: Scale) -> String {
    let drawn = bounds(lines, scale).and_then(|range| draw(lines, range, scale).ok());
    let picture = drawn.unwrap_or_else(|| "<p>Nothing to draw.</p>".to_owned());
    let legend: String = lines
        .iter()
        .zip(COLORS.iter().cycle())
        .map(|(line, c)| {
            let RGBColor(r, g, b) = c;
            format!("<span><i style=\"background:rgb({r},{g},{b})\"></i>{}</span> ", super::page::formula(line.name))
        })
        .collect();
    let title = super::page::formula(title);
    format!("<figure><figcaption>{title}</figcaption>{picture}<div class=\"legend\">{legend}</div></figure>\n")
}

/// The least box around every finite point, made wider where it has no width.
fn bounds(lines: &[Line<'_>], scale: Scale) -> Option<[f64; 4]> {
    let points = || lines.iter().flat_map(|line| &line.points).filter(|(x, y)| x.is_finite() && y.is_finite());
    points().next()?;
    let least = |f: fn(&(f64, f64)) -> f64| points().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: fn(&(f64, f64)) -> f64| points().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (mut x0, mut x1, mut y0, mut y1) = (least(|p| p.0), most(|p| p.0), least(|p| p.1), most(|p| p.1));
    if x1 <= x0 {
        (x0, x1) = (x0 - 0.5, x1 + 0.5);
    }
    let margin = if y1 > y0 { 0.05 * (y1 - y0) } else { 0.5 * y1.abs().max(1.0) };
    (y0, y1) = if scale == Scale::Log { (y0 - margin, y1 + margin) } else { (y0.min(0.0), y1 + margin) };
    Some([x0, x1, y0, y1])
}

/// A height as a label.
fn height(y: f64, scale: Scale) -> String {
    let y = if scale == Scale::Log { libm::exp10(y) } else { y };
    match y.abs() {
        // What the ticks' arithmetic leaves of zero; a line that flat is a flat line.
        0.0..1e-12 => "0".to_owned(),
        0.01..100.0 => format!("{y:.2}").trim_end_matches('0').trim_end_matches('.').to_owned(),
        100.0..1e5 => format!("{y:.0}"),
        _ => format!("{y:.0e}"),
    }
}

type Drawn = Result<String, Box<dyn std::error::Error>>;

fn draw(lines: &[Line<'_>], [x0, x1, y0, y1]: [f64; 4], scale: Scale) -> Drawn {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(8)
            .margin_right(28) // half of the last label
            .x_label_area_size(28)
            .y_label_area_size(64)
            .build_cartesian_2d(x0..x1, y0..y1)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(INK)
            .label_style(("sans-serif", 16).into_font().color(&INK))
            .x_labels(6)
            .y_labels(6)
            .y_label_formatter(&|y| height(*y, scale))
            .x_label_formatter(&|x| if x.fract() == 0.0 { format!("{x}") } else { String::new() })
            .draw()?;
        for (line, color) in lines.iter().zip(COLORS.iter().cycle()) {
            let finite = line.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite());
            chart.draw_series(LineSeries::new(finite, color.stroke_width(2)))?;
        }
        root.present()?;
    }
    Ok(svg)
}
