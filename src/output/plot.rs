//! Line plots as SVG: one file, no script, the same bytes for the same numbers.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

/// A plot of one or more lines over a common x axis.
///
/// With one line, its name stands under the title. With several, a legend on the right names them in the order in
/// which they end, highest first. Points that cannot be drawn (not finite, or not above 0 on a log axis) are left out.
///
/// ```
/// use chuhe::output::{Plot, Scale, Series};
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
    /// What the plot shows.
    pub title: String,
    /// What runs from left to right, with its unit.
    pub x_label: String,
    /// What runs from bottom to top, with its unit.
    pub y_label: String,
    /// How y values become heights.
    pub y_scale: Scale,
    /// The lowest and highest y shown, where the data should not decide; lines are cut off at the frame.
    pub y_range: Option<(f64, f64)>,
    /// The lines, drawn in this order.
    pub series: Vec<Series>,
}

/// How values become distances along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal ratios; only values above 0.
    Log,
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
    /// A line through `points` (x, y), in the order given.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let points = points.into_iter().collect();
        Series { name: name.into(), points, band: Vec::new(), dashed: false }
    }

    /// Shades the interval around the line: (x, low, high) with x rising.
    pub fn with_band(mut self, band: impl IntoIterator<Item = (f64, f64, f64)>) -> Self {
        self.band = band.into_iter().collect();
        self
    }

    /// Draws the line dashed and grey: a bound or a theory, not a measurement.
    pub fn dashed(mut self) -> Self {
        self.dashed = true;
        self
    }
}

/// Okabe and Ito's colours that stay apart for colour-blind readers, without the yellow that white swallows, then three
/// darker ones.
const COLOURS: [&str; 10] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#8c564b", "#3d5a2a", "#222222"];
const GREY: &str = "#777777";
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 500.0;
/// The width that a column of 12-pixel text takes, on the generous side.
const TEXT_COLUMN: f64 = 7.2;

impl Plot {
    /// The plot as an SVG document.
    pub fn svg(&self) -> String {
        let lines = self.drawable();
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
        let frame = Frame {
            left: 52.0 + TEXT_COLUMN * y_labels as f64,
            right: WIDTH - 30.0 - legend_width,
            top: if lines.len() == 1 && !lines[0].name.is_empty() { 68.0 } else { 50.0 },
            bottom: HEIGHT - 58.0,
            x_axis,
            y_axis,
        };

        let mut out = String::new();
        let Frame { left, right, top, bottom, .. } = frame;
        // A mark on the edge of the frame keeps its outer half, unless lines are to be cut off there.
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

    /// The lines with only those points that have a place on the axes, and their colours.
    fn drawable(&self) -> Vec<Line<'_>> {
        let shows = |y: f64| y.is_finite() && (self.y_scale == Scale::Linear || y > 0.0);
        let mut colours = COLOURS.iter().cycle();
        let lines = self.series.iter().map(|series| {
            let points = series.points.iter().copied().filter(|&(x, y)| x.is_finite() && shows(y));
            let band = series.band.iter().copied();
            let band = band.filter(|&(x, low, high)| x.is_finite() && shows(low) && shows(high));
            let colour = if series.dashed { GREY } else { colours.next().unwrap_or(&GREY) };
            Line { name: &series.name, points: points.collect(), band: band.collect(), dashed: series.dashed, colour }
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

struct Line<'a> {
    name: &'a str,
    points: Vec<(f64, f64)>,
    band: Vec<(f64, f64, f64)>,
    dashed: bool,
    colour: &'static str,
}

impl Line<'_> {
    fn dashes(&self) -> &'static str {
        if self.dashed { r#" stroke-dasharray="6 4""# } else { "" }
    }
}

/// The rectangle that the lines are drawn in, in pixels, and what its sides mean.
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

    fn draw_band(&self, out: &mut String, line: &Line) {
        if line.band.is_empty() {
            return;
        }
        let there = line.band.iter().map(|&(x, _, high)| (x, high));
        let back = line.band.iter().rev().map(|&(x, low, _)| (x, low));
        let path = self.path(there.chain(back));
        let _ = writeln!(out, r#"<path d="{path}Z" fill="{}" fill-opacity="0.17"/>"#, line.colour);
    }

    fn draw_line(&self, out: &mut String, line: &Line) {
        let (colour, dashes) = (line.colour, line.dashes());
        let path = self.path(line.points.iter().copied());
        if !path.is_empty() {
            let _ = writeln!(out, r#"<path d="{path}" stroke="{colour}" stroke-width="2"{dashes}/>"#);
        }
        // Few points are measurements of their own, and worth a mark; a single one would not show otherwise.
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

fn draw_legend(out: &mut String, frame: &Frame, mut lines: Vec<Line>) {
    if let [line] = &lines[..] {
        let x = frame.left;
        let _ =
            writeln!(out, r##"<text x="{x:.1}" y="50" font-size="13" fill="#666666">{}</text>"##, escape(line.name));
        return;
    }
    // In the order in which the eye meets the lines' ends; the sort is stable, so equal ends keep the given order.
    let end = |line: &Line| line.points.last().map_or(f64::NEG_INFINITY, |point| point.1);
    lines.sort_by(|one, other| end(other).total_cmp(&end(one)));
    for (row, line) in lines.iter().enumerate() {
        let (x, y) = (frame.right + 16.0, frame.top + 8.0 + 20.0 * row as f64);
        let (colour, dashes) = (line.colour, line.dashes());
        let _ = writeln!(out, r#"<path d="M{x:.1} {y:.1}h22" stroke="{colour}" stroke-width="3"{dashes}/>"#);
        let (x, y) = (x + 29.0, y + 4.0);
        let _ = writeln!(out, r#"<text x="{x:.1}" y="{y:.1}">{}</text>"#, escape(line.name));
    }
}

/// The values that an axis spans, and where it is marked.
struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    ticks: Vec<Tick>,
}

/// A mark on an axis. One without a label is a fine line between two others.
struct Tick {
    value: f64,
    label: String,
}

impl Axis {
    /// The axis that shows all `values`; `rounded` outwards to round numbers, or exactly as far as they reach.
    fn along(values: impl IntoIterator<Item = f64>, scale: Scale, rounded: bool) -> Axis {
        let values: Vec<f64> = values.into_iter().collect();
        let mut low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let mut high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.is_empty() {
            (low, high) = (1.0, 10.0);
        }
        match scale {
            Scale::Linear => {
                if low == high {
                    (low, high) = (low - 1.0, high + 1.0);
                }
                let whole = values.iter().all(|value| value.fract() == 0.0);
                let mut step = round_step((high - low) / 7.0);
                if whole {
                    step = step.max(1.0);
                }
                if rounded {
                    (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
                }
                Axis { low, high, scale, ticks: linear_ticks(low, high, step) }
            }
            Scale::Log => {
                if rounded {
                    (low, high) = (round_below(low), 1.0 / round_below(1.0 / high));
                }
                if low == high {
                    (low, high) = (low / 10.0, high * 10.0);
                }
                Axis { low, high, scale, ticks: log_ticks(low, high) }
            }
        }
    }

    /// Where `value` lies: 0 at the low end, 1 at the high end.
    fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
        }
    }
}

/// The least of 1, 2 and 5 times a power of ten that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|round| *round >= step).unwrap_or(10.0 * power)
}

/// The greatest of 1, 2 and 5 times a power of ten that is at most `value`, give or take what rounding does.
fn round_below(value: f64) -> f64 {
    let power = 10f64.powf((value.log10() + 1e-9).floor());
    let digits = [5.0, 2.0, 1.0].into_iter();
    digits.map(|digit| digit * power).find(|round| *round <= value * (1.0 + 1e-9)).unwrap_or(power)
}

fn linear_ticks(low: f64, high: f64, step: f64) -> Vec<Tick> {
    let slack = 1e-6;
    let first = (low / step - slack).ceil() as i64;
    let last = (high / step + slack).floor() as i64;
    (first..=last).map(|tick| tick as f64 * step).map(|value| Tick { value, label: short(value) }).collect()
}

/// Labels at powers of ten, thinned where there are many; at 2 and 5 too where there are few; fine lines between.
fn log_ticks(low: f64, high: f64) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let decades = last - first;
    let labelled = |power: i32, digit: i32| match digit {
        1 => power.rem_euclid((decades + 8) / 9) == 0,
        2 | 5 => decades <= 3,
        _ => false,
    };
    let mut ticks = Vec::new();
    for power in first..=last {
        for digit in 1..10 {
            let value = f64::from(digit) * 10f64.powi(power);
            let inside = (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(&value);
            if inside && (digit == 1 || decades <= 7) {
                let label = if labelled(power, digit) { short(value) } else { String::new() };
                ticks.push(Tick { value, label });
            }
        }
    }
    ticks
}

/// A number for an axis: 0.05, 400, 2,500, 20k, 1.5M.
fn short(value: f64) -> String {
    let magnitude = value.abs();
    let (unit, suffix) = match magnitude {
        1e12.. => (1e12, "T"),
        1e9.. => (1e9, "G"),
        1e6.. => (1e6, "M"),
        1e4.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    // Six digits after the point hide what adding steps of 0.1 does, and keep every round tick.
    let digits = format!("{:.6}", magnitude / unit);
    let mut digits = digits.trim_end_matches('0').trim_end_matches('.').to_owned();
    if suffix.is_empty() && magnitude >= 1000.0 {
        digits.insert(1, ',');
    }
    let sign = if value < 0.0 && digits != "0" { "−" } else { "" };
    format!("{sign}{digits}{suffix}")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        let axis = Axis::along([-13.0, 41.0], Scale::Linear, true);
        assert_eq!(labels(&axis), ["−20", "−10", "0", "10", "20", "30", "40", "50"]);
        let axis = Axis::along([0.0, 0.31], Scale::Linear, true);
        assert_eq!(labels(&axis), ["0", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.35"]);
    }

    #[test]
    fn whole_numbers_are_not_marked_at_halves() {
        let axis = Axis::along([1.0, 2.0, 3.0, 4.0], Scale::Linear, false);
        assert_eq!(labels(&axis), ["1", "2", "3", "4"]);
    }

    #[test]
    fn log_ticks_are_powers_of_ten() {
        let axis = Axis::along([44.0, 3_500_000.0], Scale::Log, true);
        assert_eq!((axis.low, axis.high), (20.0, 5_000_000.0));
        assert_eq!(labels(&axis), ["100", "1,000", "10k", "100k", "1M"]);
        assert!((axis.share(10_000.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_short_log_axis_is_marked_at_two_and_five_too() {
        let axis = Axis::along([30.0, 180.0], Scale::Log, true);
        assert_eq!(labels(&axis), ["20", "50", "100", "200"]);
    }

    #[test]
    fn a_long_log_axis_is_not_crowded() {
        let axis = Axis::along([1.0, 1e15], Scale::Log, true);
        assert_eq!(labels(&axis).len(), 8);
    }

    #[test]
    fn numbers_are_short() {
        let written = [0.05, 400.0, -2_500.0, 20_000.0, 1_500_000.0, 2e9, 0.1 + 0.2, -0.0].map(short);
        assert_eq!(written, ["0.05", "400", "−2,500", "20k", "1.5M", "2G", "0.3", "0"]);
    }

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
}
