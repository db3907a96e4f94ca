//! Line plots as SVG: one file without scripts, with identical bytes for identical input.

mod axis;

pub use axis::Scale;

use axis::Axis;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// A plot of one or more lines over a common x axis.
///
/// The name of a single line is shown below the title. The names of several lines are shown in a legend on
/// the right, in the order of their ends, highest first. Points that cannot be drawn (not finite, or not
/// above 0 on a log axis) are omitted.
///
/// ```
/// use chuhe_lab::output::{Plot, Scale, Series};
///
/// let plot = Plot {
///     title: "Nodes against depth".into(),
///     x_label: "depth, plies".into(),
///     y_label: "nodes".into(),
///     y_scale: Scale::Log,
///     series: vec![
///         Series::new("minimax", [(1.0, 44.0), (2.0, 1_920.0), (3.0, 79_666.0)]),
///         Series::new("minimal tree", [(1.0, 44.0), (2.0, 87.0), (3.0, 1_979.0)]).dashed(),
///     ],
///     ..Plot::default()
/// };
/// assert!(plot.svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Label of the x axis, with its unit.
    pub x_label: String,
    /// Label of the y axis, with its unit.
    pub y_label: String,
    /// Scale of the y axis.
    pub y_scale: Scale,
    /// Fixed range of the y axis; `None` fits the data. Lines are clipped at the frame.
    pub y_range: Option<(f64, f64)>,
    /// Lines, drawn in this order.
    pub series: Vec<Series>,
}

/// One line of a plot.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    band: Vec<(f64, f64, f64)>,
    dashed: bool,
}

impl Series {
    /// Creates a line through `points` (x, y), in the given order.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().collect();
        Series { name: name.into(), points, band: Vec::new(), dashed: false }
    }

    /// Shades the interval around the line: (x, low, high) with x rising.
    pub fn with_band(mut self, band: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        self.band = band.into_iter().collect();
        self
    }

    /// Draws the line dashed and grey, for a bound or a theoretical value.
    pub fn dashed(mut self) -> Self {
        self.dashed = true;
        self
    }
}

/// Okabe and Ito's colours for colour-blind readers, without yellow, which is hard to see on white, followed
/// by three darker colours.
const COLOURS: [&str; 10] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b", "#3d5a2a", "#222222"];
const GREY: &str = "#777777";
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 500.0;
/// Width of a column of 12-pixel text, rounded up.
const TEXT_COLUMN: f64 = 7.2;

impl Plot {
    /// Returns the plot as an SVG document.
    pub fn svg(&self) -> String {
        let lines = self.drawable();
        let frame = self.frame(&lines);
        let mut out = String::new();
        let Frame { left, right, top, bottom, .. } = frame;
        // Markers at the edge of the frame may extend beyond it, unless lines are clipped there.
        let aside = 5.0;
        let above = if self.y_range.is_some() { 0.0 } else { aside };
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="'DejaVu Sans', Verdana, 'Noto Sans CJK SC', sans-serif" font-size="12" fill="#333333">
<title>{title}</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<clipPath id="frame"><rect x="{clip_left:.1}" y="{clip_top:.1}" width="{clip_width:.1}" height="{clip_height:.1}"/></clipPath>
<text x="{left:.1}" y="30" font-size="17" font-weight="bold" fill="#111111">{title}</text>
"##,
            title = escape(&self.title),
            clip_left = left - aside,
            clip_top = top - above,
            clip_width = right - left + 2.0 * aside,
            clip_height = bottom - top + 2.0 * above,
        );
        frame.draw_grid(&mut out);
        self.draw_axis_labels(&mut out, &frame);
        let _ = writeln!(out, r#"<g clip-path="url(#frame)" fill="none" stroke-linejoin="round">"#);
        for line in &lines {
            frame.draw_band(&mut out, line);
        }
        for line in &lines {
            frame.draw_line(&mut out, line);
        }
        out += "</g>\n";
        draw_legend(&mut out, &frame, lines);
        out += "</svg>\n";
        out
    }

    /// Returns the axes, and the margins for their labels and the legend.
    fn frame(&self, lines: &[Curve]) -> Frame {
        let xs = lines.iter().flat_map(|line| line.points.iter().map(|point| point.0));
        let x_axis = Axis::along(xs, Scale::Linear, false);
        let y_axis = match self.y_range {
            Some((low, high)) => Axis::along([low, high], self.y_scale, false),
            None => {
                let points = lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
                let bands = lines.iter().flat_map(|line| line.band.iter().flat_map(|&(_, low, high)| [low, high]));
                Axis::along(points.chain(bands), self.y_scale, true)
            }
        };

        let legend_width = match lines.len() {
            0 | 1 => 0.0,
            _ => 42.0 + TEXT_COLUMN * lines.iter().map(|line| line.name.width()).max().unwrap_or(0) as f64,
        };
        let y_labels = y_axis.ticks.iter().map(|tick| tick.label.width()).max().unwrap_or(0);
        Frame {
            left: 52.0 + TEXT_COLUMN * y_labels as f64,
            right: WIDTH - 30.0 - legend_width,
            top: if lines.len() == 1 && !lines[0].name.is_empty() { 68.0 } else { 50.0 },
            bottom: HEIGHT - 58.0,
            x_axis,
            y_axis,
        }
    }

    /// Returns the lines with their colours and the points that are within the axes.
    fn drawable(&self) -> Vec<Curve<'_>> {
        let shows = |y: f64| y.is_finite() && (self.y_scale == Scale::Linear || y > 0.0);
        let mut colours = (0..).map(colour);
        let lines = self.series.iter().map(|series| {
            let points = series.points.iter().copied().filter(|&(x, y)| x.is_finite() && shows(y));
            let band = series.band.iter().copied();
            let band = band.filter(|&(x, low, high)| x.is_finite() && shows(low) && shows(high));
            let colour = if series.dashed { None } else { colours.next() };
            let colour = colour.unwrap_or_else(|| GREY.to_owned());
            Curve { name: &series.name, points: points.collect(), band: band.collect(), dashed: series.dashed, colour }
        });
        lines.collect()
    }

    fn draw_axis_labels(&self, out: &mut String, frame: &Frame) {
        let (x, y) = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        let _ = write!(
            out,
            r#"<text x="{x:.1}" y="{below:.1}" font-size="13" text-anchor="middle">{x_label}</text>
<text transform="translate(24 {y:.1}) rotate(-90)" font-size="13" text-anchor="middle">{y_label}</text>
"#,
            below = HEIGHT - 16.0,
            x_label = escape(&self.x_label),
            y_label = escape(&self.y_label),
        );
    }
}

struct Curve<'a> {
    name: &'a str,
    points: Vec<(f64, f64)>,
    band: Vec<(f64, f64, f64)>,
    dashed: bool,
    colour: String,
}

/// Returns the colour of a line: one of [`COLOURS`] or, for later lines, a hue far from the previous one, so
/// that all lines in a legend can be distinguished.
fn colour(number: usize) -> String {
    match COLOURS.get(number) {
        Some(colour) => (*colour).to_owned(),
        None => {
            // With the golden angle, hues never repeat.
            let hue = (number as f64 * 137.508).rem_euclid(360.0);
            format!("hsl({hue:.0} 65% {}%)", if number.is_multiple_of(2) { 32 } else { 55 })
        }
    }
}

impl Curve<'_> {
    fn dashes(&self) -> &'static str {
        if self.dashed { r#" stroke-dasharray="6 4""# } else { "" }
    }
}

/// Rectangle of the lines in pixels, with the axes along its sides.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x_axis: Axis,
    y_axis: Axis,
}

impl Frame {
    fn x(&self, value: f64) -> f64 {
        self.left + self.x_axis.share(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.y_axis.share(value) * (self.bottom - self.top)
    }

    fn draw_grid(&self, out: &mut String) {
        let Frame { left, right, top, bottom, .. } = self;
        for tick in &self.y_axis.ticks {
            let y = self.y(tick.value);
            let colour = match (tick.label.is_empty(), tick.value == 0.0) {
                (true, _) => "#f1f1f1",
                (false, false) => "#dddddd",
                (false, true) => "#888888",
            };
            let _ = writeln!(out, r#"<path d="M{left:.1} {y:.1}H{right:.1}" stroke="{colour}"/>"#);
            if !tick.label.is_empty() {
                let (x, y) = (left - 8.0, y + 4.0);
                let _ = writeln!(out, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="end">{}</text>"#, tick.label);
            }
        }
        for tick in &self.x_axis.ticks {
            let x = self.x(tick.value);
            let _ = writeln!(out, r##"<path d="M{x:.1} {bottom:.1}v5" stroke="#555555"/>"##);
            let y = bottom + 19.0;
            let _ = writeln!(out, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle">{}</text>"#, tick.label);
        }
        let _ =
            writeln!(out, r##"<path d="M{left:.1} {top:.1}V{bottom:.1}H{right:.1}" fill="none" stroke="#555555"/>"##);
    }

    fn draw_band(&self, out: &mut String, line: &Curve) {
        if line.band.is_empty() {
            return;
        }
        let there = line.band.iter().map(|&(x, _, high)| (x, high));
        let back = line.band.iter().rev().map(|&(x, low, _)| (x, low));
        let path = self.path(there.chain(back));
        let _ = writeln!(out, r#"<path d="{path}Z" fill="{}" fill-opacity="0.17"/>"#, line.colour);
    }

    fn draw_line(&self, out: &mut String, line: &Curve) {
        let (colour, dashes) = (&line.colour, line.dashes());
        let path = self.path(line.points.iter().copied());
        if !path.is_empty() {
            let _ = writeln!(out, r#"<path d="{path}" stroke="{colour}" stroke-width="2"{dashes}/>"#);
        }
        // The points of short lines have markers; otherwise a single point would be invisible.
        if line.points.len() <= 30 && !line.dashed {
            for &(x, y) in &line.points {
                let (x, y) = (self.x(x), self.y(y));
                let _ = writeln!(out, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.2" fill="{colour}"/>"#);
            }
        }
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (x, y) in points {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.1} {:.1}", self.x(x), self.y(y));
        }
        path
    }
}

fn draw_legend(out: &mut String, frame: &Frame, mut lines: Vec<Curve>) {
    if let [line] = &lines[..] {
        let x = frame.left;
        let _ =
            writeln!(out, r##"<text x="{x:.1}" y="50" font-size="13" fill="#666666">{}</text>"##, escape(line.name));
        return;
    }
    // The legend is sorted by the ends of the lines. The sort is stable, so lines with equal ends keep their
    // order.
    let end = |line: &Curve| line.points.last().map_or(f64::NEG_INFINITY, |point| point.1);
    lines.sort_by(|one, other| end(other).total_cmp(&end(one)));
    for (row, line) in lines.iter().enumerate() {
        let (x, y) = (frame.right + 16.0, frame.top + 8.0 + 20.0 * row as f64);
        let (colour, dashes) = (&line.colour, line.dashes());
        let _ = writeln!(out, r#"<path d="M{x:.1} {y:.1}h22" stroke="{colour}" stroke-width="3"{dashes}/>"#);
        let (x, y) = (x + 29.0, y + 4.0);
        let _ = writeln!(out, r#"<text x="{x:.1}" y="{y:.1}">{}</text>"#, escape(line.name));
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_not_a_number_reaches_the_file() {
        let awkward = [
            vec![],
            vec![(3.0, 5.0)],
            vec![(1.0, f64::NAN), (2.0, f64::INFINITY), (f64::NAN, 1.0)],
            vec![(1.0, 0.0), (2.0, -5.0), (3.0, 7.0)],
        ];
        for points in awkward {
            for y_scale in [Scale::Linear, Scale::Log] {
                let series = Series::new("awkward", points.clone()).with_band([(1.0, f64::NAN, 2.0)]);
                let svg = Plot { y_scale, series: vec![series], ..Plot::default() }.svg();
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
        assert!(Plot::default().svg().ends_with("</svg>\n"));
    }

    #[test]
    fn names_are_escaped() {
        let svg = Plot { title: "null move <R = 2> & more".into(), ..Plot::default() }.svg();
        assert!(svg.contains("null move &lt;R = 2&gt; &amp; more"));
    }

    #[test]
    fn the_legend_lists_lines_in_the_order_of_their_ends() {
        let series = vec![Series::new("low", [(1.0, 9.0), (2.0, 1.0)]), Series::new("high", [(1.0, 2.0), (2.0, 8.0)])];
        let svg = Plot { series, ..Plot::default() }.svg();
        assert!(svg.find(">high<") < svg.find(">low<"));
    }

    #[test]
    fn no_colour_comes_twice_in_a_legend() {
        let colours: std::collections::HashSet<String> = (0..100).map(colour).collect();
        assert_eq!(colours.len(), 100);
    }
}
