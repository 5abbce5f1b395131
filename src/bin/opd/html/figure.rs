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
const INK: RGBColor = RGBColor(128, 128, 128);

/// A chart of lines over t with a legend beneath, or a sentence where there is nothing to draw.
pub fn lines(title: &str, lines: &[Line<'_>]) -> String {
    let drawn = bounds(lines).and_then(|range| draw(lines, range).ok());
    let picture = drawn.unwrap_or_else(|| "<p>Nothing to draw.</p>".to_owned());
    let legend: String = lines
        .iter()
        .zip(COLORS.iter().cycle())
        .map(|(line, c)| {
            let RGBColor(r, g, b) = c;
            format!("<span><i style=\"background:rgb({r},{g},{b})\"></i>{}</span> ", super::page::escape(line.name))
        })
        .collect();
    let title = super::page::escape(title);
    format!("<figure><figcaption>{title}</figcaption>{picture}<div class=\"legend\">{legend}</div></figure>\n")
}

/// The least box around every finite point, made wider where it has no width.
fn bounds(lines: &[Line<'_>]) -> Option<[f64; 4]> {
    let points = || lines.iter().flat_map(|line| &line.points).filter(|(x, y)| x.is_finite() && y.is_finite());
    points().next()?;
    let least = |f: fn(&(f64, f64)) -> f64| points().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: fn(&(f64, f64)) -> f64| points().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (mut x0, mut x1, mut y0, mut y1) = (least(|p| p.0), most(|p| p.0), least(|p| p.1), most(|p| p.1));
    if x1 <= x0 {
        (x0, x1) = (x0 - 0.5, x1 + 0.5);
    }
    let margin = if y1 > y0 { 0.05 * (y1 - y0) } else { 0.5 * y1.abs().max(1.0) };
    (y0, y1) = (y0.min(0.0), y1 + margin);
    Some([x0, x1, y0, y1])
}

type Drawn = Result<String, Box<dyn std::error::Error>>;

fn draw(lines: &[Line<'_>], [x0, x1, y0, y1]: [f64; 4]) -> Drawn {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (640, 320)).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(84)
            .build_cartesian_2d(x0..x1, y0..y1)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(INK)
            .label_style(("sans-serif", 17).into_font().color(&INK))
            .y_label_formatter(&|y| format!("{y:.3}"))
            .x_label_formatter(&|x| format!("{x:.0}"))
            .draw()?;
        for (line, color) in lines.iter().zip(COLORS.iter().cycle()) {
            let finite = line.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite());
            chart.draw_series(LineSeries::new(finite, color.stroke_width(2)))?;
        }
        root.present()?;
    }
    Ok(svg)
}
