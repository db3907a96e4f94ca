//! Analyses a position and prints its best line.
//!
//! ```text
//! cargo run --release --example analyze
//! cargo run --release --example analyze -- "startpos moves h2e2 h9g7"
//! ```

use chuhe::engine::Engine;
use chuhe::rules::Game;
use chuhe::search::Limits;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or("startpos".to_owned());

    let mut engine = Engine::default();
    engine.set_game(Game::read(&text)?);
    let found = engine.think(Limits::nodes(200_000), |_| {})?;
    for line in &found.lines {
        let moves: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
        println!("depth {}, {:+} centipawns: {}", line.depth, line.score, moves.join(" "));
    }
    Ok(())
}
