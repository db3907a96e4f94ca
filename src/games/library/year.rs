//! The year in a date.

use crate::names::half_width;

/// Returns the year of a date such as `1955.5`, `1953年9月4日`, 一九九四年 or `20130904`: the first four digits from
/// 1500 to 2100, of any width or in Chinese.
pub(super) fn year(date: &str) -> Option<i64> {
    let digits: Vec<Option<i64>> = date.chars().map(digit).collect();
    let years = digits.windows(4).filter_map(|four| four.iter().try_fold(0, |year, digit| Some(10 * year + (*digit)?)));
    years.into_iter().find(|year| (1500..=2100).contains(year))
}

fn digit(letter: char) -> Option<i64> {
    let chinese = || "〇一二三四五六七八九".chars().zip(0..).find(|(digit, _)| *digit == letter);
    let zero = matches!(letter, '零' | '○').then_some(0);
    half_width(letter).to_digit(10).map(i64::from).or(zero).or_else(|| Some(chinese()?.1))
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
            ("１９９４年", Some(1994)),
            ("一九九四年五月十二日", Some(1994)),
            ("二○○四年、二〇〇五年", Some(2004)),
            ("????.??.??", None),
            ("", None),
        ] {
            assert_eq!(year(date), expected, "{date}");
        }
    }
}
