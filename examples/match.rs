//! Plays a match between two settings of the engine with alternating colours, and counts the results.
//!
//! ```text
//! cargo run --release --example match
//! ```
//!
//! `chuhe match` does the same with any engines, on many threads, with clocks, openings, Elo and SPRT.

use chuhe::board::Side;
use chuhe::engine::{Engine, Options};
use chuhe::rules::{Game, Outcome, RuleSet, Verdict, judge, rule};
use chuhe::search::Limits;
use std::error::Error;

/// Openings, each played once with each colour.
const OPENINGS: [&str; 2] = ["startpos moves h2e2 h9g7", "startpos moves c3c4 h7e7"];

fn main() -> Result<(), Box<dyn Error>> {
    let new_player = || Engine::new(Options { hash_mb: 16, ..Options::default() });
    let mut players = [(new_player()?, 2_000), (new_player()?, 500)];
    let (mut wins, mut draws, mut losses) = (0, 0, 0);

    for opening in OPENINGS {
        for colours in [[0, 1], [1, 0]] {
            let mut game = Game::read(opening)?;
            let winner = play(&mut game, &mut players, colours)?;
            let red = players[colours[0]].1;
            println!("Red ({red} nodes): {}, {} plies", rule(&game, RuleSet::Asian.terms()), game.plies().len());
            match winner.map(|side| colours[side.index()]) {
                Some(0) => wins += 1,
                Some(_) => losses += 1,
                None => draws += 1,
            }
        }
    }
    println!("2000 nodes against 500: +{wins} ={draws} -{losses}");
    Ok(())
}

/// Plays a game and returns the winner. `colours` contains the indices of the players of Red and Black.
fn play(
    game: &mut Game,
    players: &mut [(Engine, u64); 2],
    colours: [usize; 2],
) -> Result<Option<Side>, Box<dyn Error>> {
    loop {
        let side = game.position().side();
        match judge(game, RuleSet::Asian) {
            Verdict::Open => {}
            // The outcome is from the point of view of the side to move.
            Verdict::Over(Outcome::Win, _) => return Ok(Some(side)),
            Verdict::Over(Outcome::Loss, _) => return Ok(Some(!side)),
            Verdict::Over(Outcome::Draw, _) => return Ok(None),
        }
        let (player, nodes) = &mut players[colours[side.index()]];
        player.set_game(game.clone());
        let found = player.think(Limits::nodes(*nodes), |_| {})?;
        game.make(found.best.ok_or("no move, although the game is not over")?);
    }
}
