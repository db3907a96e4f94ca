//! Results for scripts: one JSON object per line, so that a growing file can be read.

use chuhe_engine::output::steers;
use std::io::{self, Write};

use serde::Serialize;

/// Writes `value` as one line with a single write, so that a reader of the file never sees a partial line
/// between two calls.
///
/// Characters that control a terminal are escaped. Fields have the order of their declaration. A number that
/// is not finite becomes `null`.
///
/// # Errors
/// Returns the error of `out`, or an error if JSON cannot represent the value (a map whose keys are not
/// strings); in that case, nothing is written.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Row { algorithm: &'static str, nodes: u64 }
///
/// let mut out = Vec::new();
/// chuhe_lab::output::json::write_line(&mut out, &Row { algorithm: "minimax", nodes: 79_666 })?;
/// assert_eq!(out, b"{\"algorithm\":\"minimax\",\"nodes\":79666}\n");
/// # std::io::Result::Ok(())
/// ```
pub fn write_line(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    if line.contains(steers) {
        line = line.chars().map(escaped).collect();
    }
    line.push('\n');
    out.write_all(line.as_bytes())
}

/// Returns a character, escaped for JSON if it would control a terminal.
fn escaped(character: char) -> String {
    match steers(character) {
        true => character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
        false => character.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn a_number_that_is_not_finite_is_null() {
        let mut out = Vec::new();
        write_line(&mut out, &[1.5, f64::NAN, f64::INFINITY]).expect("writing to memory cannot fail");
        assert_eq!(out, b"[1.5,null,null]\n");
    }

    #[test]
    fn a_value_that_json_cannot_hold_writes_nothing() {
        let mut out = Vec::new();
        let keyed_by_list = HashMap::from([(vec![1], "one")]);
        assert!(write_line(&mut out, &keyed_by_list).is_err());
        assert!(out.is_empty());
    }
}
