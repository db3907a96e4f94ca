//! Calendar functions for records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Converts a number of days since 1 January 1970 to year, month and day.
fn civil(days: i64) -> (i64, i64, i64) {
    // In this calculation, years begin in March, so that the leap day comes last; 400 years have 146,097
    // days.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn seconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// Returns the current date in UTC, such as `2026.11.21`.
pub fn today() -> String {
    let (year, month, day) = civil(seconds().div_euclid(86_400));
    format!("{year:04}.{month:02}.{day:02}")
}

/// Returns the current time in UTC for folder names, such as `20261121-120301`.
pub fn stamp() -> String {
    let now = seconds();
    let (year, month, day) = civil(now.div_euclid(86_400));
    let second = now.rem_euclid(86_400);
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", second / 3600, second / 60 % 60, second % 60)
}

/// Returns the current time in UTC for the end of a game, such as `2026-11-21T12:03:01 +0000`.
pub(crate) fn moment() -> String {
    let now = seconds();
    let (year, month, day) = civil(now.div_euclid(86_400));
    let second = now.rem_euclid(86_400);
    let (hours, minutes) = (second / 3600, second / 60 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{:02} +0000", second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_778), (2026, 11, 21));
        assert_eq!(civil(-1), (1969, 12, 31));
    }
}
