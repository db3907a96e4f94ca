//! Times on the command line: `3s`, `500ms`, `1.5m`.

use super::value::BadValue;
use std::time::Duration;

/// Parses a time; a bare number is in seconds.
pub(super) fn read(text: &str) -> Result<Duration, BadValue> {
    read_in("s", text)
}

/// Parses a time; a bare number is in the default unit `usual`.
pub(super) fn read_in(usual: &str, text: &str) -> Result<Duration, BadValue> {
    let text = text.trim();
    let digits = text.find(|character: char| character.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds_a_unit = match if unit.is_empty() { usual } else { unit } {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(BadValue::TimeUnit(unit.to_owned())),
    };
    let seconds = number.trim().parse::<f64>().map_err(|_| BadValue::Time(text.to_owned()))?;
    Duration::try_from_secs_f64(seconds * seconds_a_unit).map_err(|_| BadValue::TimeRange(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(read("3s"), Ok(Duration::from_secs(3)));
        assert_eq!(read("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(read("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(read("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(
            [read_in("m", "10"), read_in("m", "10s")],
            [Ok(Duration::from_secs(600)), Ok(Duration::from_secs(10))]
        );
        for bad in ["", "s", "3 weeks", "-1s", "1e300h"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
