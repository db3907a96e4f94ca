//! Judges a game: mate, stalemate, natural limit, or repetition and the side at fault.
//!
//! ```text
//! cargo run --example judge
//! cargo run --example judge -- "startpos moves h2e2 h9g7"
//! ```

use chuhe::rules::{Game, RuleSet, rule};
use std::error::Error;

/// A rook gives perpetual check until the position has occurred three times.
const PERPETUAL_CHECK: &str = "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w moves e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or(PERPETUAL_CHECK.to_owned());
    let game = Game::read(&text)?;
    for rules in RuleSet::ALL {
        println!("{rules}: {}", rule(&game, rules.terms()));
    }
    Ok(())
}
