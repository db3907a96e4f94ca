//! ICCS, the notation of the Internet Chinese Chess Server: both squares, `H2-E2`.

use crate::Move;
use alloc::{format, string::String};

/// Writes `H2-E2`. [`Move`] itself parses this form.
pub(crate) fn write_iccs(mv: Move) -> String {
    format!("{}-{}", mv.from, mv.to).to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_go_there_and_back() {
        let mv: Move = "h2e2".parse().unwrap();
        assert_eq!(write_iccs(mv), "H2-E2");
        assert_eq!(write_iccs(mv).parse(), Ok(mv));
    }
}
