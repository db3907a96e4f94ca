//! ICCS, the Internet Chinese Chess Server's notation: both squares, `H2-E2`.

use crate::Move;
use alloc::{format, string::String};

/// `H2-E2`. Reading it is [`Move`]'s own business.
pub fn write_iccs(mv: Move) -> String {
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
