//! Commands in PGN comments: `[%eval 0.35,12]`, `[%clk 0:01:02.5]`, `[%emt 0:00:03]`.

use std::ops::Range;

/// Returns the range of a command in a comment, and the range of its text.
fn find(comment: &str, name: &str) -> Option<(Range<usize>, Range<usize>)> {
    let opening = format!("[%{name}");
    let mut from = 0;
    while let Some(found) = comment[from..].find(&opening) {
        let (start, text) = (from + found, from + found + opening.len());
        let end = text + comment[text..].find(']')?;
        if comment[text..].starts_with(char::is_whitespace) {
            return Some((start..end + 1, text..end));
        }
        from = text;
    }
    None
}

/// Returns the text of a command, or `None` if the comment does not contain it.
pub fn get<'c>(comment: &'c str, name: &str) -> Option<&'c str> {
    find(comment, name).map(|(_, text)| comment[text].trim())
}

/// Returns the comment with a command set to a value, replaced in place or inserted at the beginning; `None`
/// removes the command.
pub fn set(comment: &str, name: &str, text: Option<&str>) -> String {
    let (before, after) = match find(comment, name) {
        Some((all, _)) => (comment[..all.start].trim_end(), comment[all.end..].trim_start()),
        None => ("", comment),
    };
    let command = text.map(|text| format!("[%{name} {text}]"));
    let parts = [Some(before), command.as_deref(), Some(after)];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Parses a time such as `1:02:03.5` and returns it in seconds.
pub fn read_time(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return None };
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let seconds: f64 = seconds.parse().ok().filter(|seconds: &f64| (0.0..60.0).contains(seconds))?;
    (minutes < 60).then_some(f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + seconds)
}

/// Formats seconds, 0 or more, as `1:02:03.5`, with millisecond precision.
pub fn write_time(seconds: f64) -> String {
    let milliseconds = (seconds * 1000.0).round() as u64;
    let (whole, rest) = (milliseconds / 1000, milliseconds % 1000);
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}").trim_end_matches('0').to_owned() };
    format!("{}:{:02}:{:02}{fraction}", whole / 3600, whole / 60 % 60, whole % 60)
}
