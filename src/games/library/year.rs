//! The year in a date.

/// Returns the year of a date such as `1955.5`, `1953年9月4日` or `20130904`: the first four digits from 1500 to
/// 2100.
pub(super) fn year(date: &str) -> Option<i64> {
    let digits: Vec<u8> = date.bytes().collect();
    let years = digits.windows(4).filter(|four| four.iter().all(u8::is_ascii_digit));
    let years = years.filter_map(|four| std::str::from_utf8(four).ok()?.parse().ok());
    years.into_iter().find(|year| (1500..=2100).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_every_kind_have_a_year() {
        for (date, expected) in [
            ("1955.5", Some(1955)),
            ("1953年9月4日", Some(1953)),
            ("20130904", Some(2013)),
            ("2001-05-02", Some(2001)),
            ("5.1999", Some(1999)),
            ("????.??.??", None),
            ("", None),
        ] {
            assert_eq!(year(date), expected, "{date}");
        }
    }
}
