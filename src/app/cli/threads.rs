//! Number of threads on the command line.

use super::value::BadValue;

/// Maximum number of threads.
const MAX: usize = 256;

/// Parses a number of threads; 0 means all cores.
pub(super) fn read(text: &str) -> Result<usize, BadValue> {
    match text.parse() {
        Ok(0) => Ok(std::thread::available_parallelism().map_or(1, usize::from).min(MAX)),
        Ok(threads @ 1..=MAX) => Ok(threads),
        _ => Err(BadValue::Threads(MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_or_left_to_the_machine() {
        assert_eq!((read("1"), read("256")), (Ok(1), Ok(256)));
        assert!(read("0").is_ok_and(|threads| threads > 0));
        for bad in ["257", "100000", "-1", "many", ""] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
