//! Generation of openings: random moves from the initial position, or the opening moves of games, accepted if
//! a player scores the position as balanced.

use super::claim::Claim;
use super::client::{Client, Session};
use super::dialect::Clocks;
use super::error::Error;
use super::fault::NoAnswer;
use super::openings::Opening;
use super::player::{Limit, Player};
use super::transcript::Transcript;
use chuhe_board::random::{GOLDEN_RATIO, SplitMix64};
use chuhe_board::rules::{Game, RuleSet, Verdict, judge};
use chuhe_board::share_out;
use chuhe_board::{Move, Position, Setup};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stack size of a thread that waits for an engine, in bytes.
const STACK: usize = 1 << 20;

/// Number of candidates evaluated together. The result depends only on their order, not on the speed of the
/// threads.
const BATCH: u64 = 256;

/// Number of consecutive batches without an opening after which the search ends: the random moves or the games
/// lead to no other positions, or the player accepts none.
const IDLE: u32 = 20;

/// Requested openings.
#[derive(Clone, Debug)]
pub struct OpeningRequest {
    /// Number of openings.
    pub count: usize,
    /// Minimum and maximum number of plies from the initial position.
    pub plies: RangeInclusive<u32>,
    /// Seed.
    pub seed: u64,
    /// Games whose opening moves are used in turn; random moves if empty.
    pub games: Vec<Opening>,
    /// Maximum absolute score reported by the player.
    pub within: i32,
    /// Player that evaluates the positions; its limit is in nodes or depth.
    pub judge: Player,
    /// Number of concurrent instances of the player.
    pub concurrency: u32,
}

/// Result of a search for openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEnd {
    /// All requested openings were found.
    Complete,
    /// Fewer openings were found: many candidates in succession led to no new position or were not accepted.
    Exhausted,
    /// The search was stopped.
    Stopped,
}

/// A balanced opening.
#[derive(Clone, PartialEq, Debug)]
pub struct Balanced {
    /// Position in which the players begin.
    pub position: Position,
    /// Moves that led to the position.
    pub moves: Vec<Move>,
    /// Score reported by the player, from the mover's point of view.
    pub score: i32,
}

/// Finds openings; `found` receives each opening with the number of candidates so far. The result is
/// reproducible if the player's scores are.
///
/// # Errors
/// Returns an error if the player fails.
pub fn find(
    request: &OpeningRequest,
    stop: &AtomicBool,
    mut found: impl FnMut(&Balanced, u64),
) -> Result<SearchEnd, Error> {
    let quick = with_less_effort(&request.judge);
    let mut judges = Vec::new();
    for _ in 0..request.concurrency.max(1) {
        let mut log = Transcript::default();
        match Client::start(&mut Session { player: &request.judge, log: &mut log, stop }) {
            Ok(client) => judges.push(client),
            Err(failed) => return ended(failed, &request.judge),
        }
    }
    let (mut seen, mut count, mut candidates, mut idle) = (HashSet::new(), 0, 0, 0);
    while count < request.count && idle < IDLE && !stop.load(Ordering::Relaxed) {
        let batch: Vec<(Game, Vec<Move>)> = (candidates..candidates + BATCH)
            .filter_map(|number| candidate(request, number))
            .filter(|(game, _)| {
                let position = game.position();
                seen.insert(position.key().min(position.mirrored().key()))
            })
            .collect();
        let before = count;
        let weighed = share_out("openings", STACK, &mut judges, &batch, |client, (game, _)| {
            weigh(client, [&quick, &request.judge], game, request.within, stop)
        });
        let weighed = weighed.map_err(|error| Error::Positions { positions: request.concurrency, error })?;
        for ((game, moves), score) in batch.iter().zip(weighed) {
            match score {
                Some(Ok(Some(score))) if count < request.count => {
                    let setup = Setup { quiet_plies: 0, move_number: 1, ..game.position().setup() };
                    let Ok(position) = Position::new(&setup) else { continue };
                    count += 1;
                    found(&Balanced { position, moves: moves.clone(), score }, candidates + BATCH);
                }
                Some(Ok(_)) | None => {}
                Some(Err(failed)) => return ended(failed, &request.judge),
            }
        }
        idle = if count == before { idle + 1 } else { 0 };
        candidates += BATCH;
    }
    judges.into_iter().for_each(Client::end);
    Ok(match count {
        count if count >= request.count => SearchEnd::Complete,
        _ if idle >= IDLE => SearchEnd::Exhausted,
        _ => SearchEnd::Stopped,
    })
}

/// Returns the player with a reduced limit, for a first estimate.
fn with_less_effort(player: &Player) -> Player {
    let limit = match player.limit {
        Limit::Nodes(nodes) => Limit::Nodes((nodes / 40).max(100)),
        Limit::Depth(depth) => Limit::Depth((depth / 2).max(1)),
        other => other,
    };
    Player { limit, ..player.clone() }
}

/// Converts a failed request to the result of the search for openings.
fn ended(failed: NoAnswer, judge: &Player) -> Result<SearchEnd, Error> {
    match failed {
        NoAnswer::Stopped => Ok(SearchEnd::Stopped),
        NoAnswer::Exhausted(reason) => Err(Error::Exhausted(format!("{}: {reason}", judge.name))),
        NoAnswer::Fault(fault) => Err(Error::Player { player: judge.name.clone(), fault }),
    }
}

/// Returns a candidate: random legal moves, or the opening moves of a game; `None` if the game is over or too
/// short, or if the side to move is in check, which leaves few moves.
fn candidate(request: &OpeningRequest, number: u64) -> Option<(Game, Vec<Move>)> {
    let mut random = SplitMix64::new(request.seed ^ number.wrapping_mul(GOLDEN_RATIO));
    let plies = request.plies.start() + random.below(u64::from(request.plies.end() - request.plies.start()) + 1) as u32;
    let known = (!request.games.is_empty()).then(|| &request.games[(number % request.games.len() as u64) as usize]);
    let mut game = Game::new(known.map_or_else(Position::start, |known| known.start.clone()));
    for ply in 0..plies as usize {
        let legal = game.position().legal_moves();
        let mv = match known {
            Some(known) => *known.moves.get(ply)?,
            None => *legal.get(random.below(legal.len().max(1) as u64) as usize)?,
        };
        game.make(mv);
    }
    let open = judge(&game, RuleSet::Asian) == Verdict::Open && !game.position().in_check();
    let moves = game.plies().iter().filter_map(|ply| ply.mv).collect();
    open.then_some((game, moves))
}

/// Returns the player's score if it is small. A short search with a wider bound comes first, since one side
/// is losing in most random games.
fn weigh(
    client: &mut Client,
    [quick, thorough]: [&Player; 2],
    game: &Game,
    within: i32,
    stop: &AtomicBool,
) -> Result<Option<i32>, NoAnswer> {
    let mut log = Transcript::default();
    let mut score = 0;
    for (player, within) in [(quick, within * 3), (thorough, within)] {
        // The player's hash table must not contain results for other positions.
        let mut session = Session { player, log: &mut log, stop };
        client.new_game(&mut session)?;
        let (_, thought) = client.request_move(game, &Clocks::default(), false, &mut session)?;
        match thought.score.map(Claim::points) {
            Some(points) if points.abs() <= within => score = points,
            _ => return Ok(None),
        }
    }
    Ok(Some(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_games() {
        let judge = "cmd=self,nodes=1".parse::<Player>().unwrap();
        let request =
            OpeningRequest { count: 1, plies: 3..=6, seed: 7, games: Vec::new(), within: 50, judge, concurrency: 1 };
        for number in 0..50 {
            let (one, two) = (candidate(&request, number), candidate(&request, number));
            assert_eq!(one.is_some(), two.is_some());
            if let (Some((game, moves)), Some((_, same))) = (one, two) {
                assert_eq!(moves, same);
                assert!((3..=6).contains(&moves.len()));
                assert_eq!(game.plies().len(), moves.len());
            }
        }
    }

    #[test]
    fn candidates_are_the_first_moves_of_games_in_turn() {
        let moves = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect();
        let game = |text: &str| Opening { start: Position::start(), moves: moves(text) };
        let games = vec![game("h2e2 h9g7 h0g2 i9h9"), game("c3c4"), game("b0c2 b9c7 h2e2 h9g7")];
        let judge = "cmd=self,nodes=1".parse::<Player>().unwrap();
        let request = OpeningRequest { count: 1, plies: 2..=4, seed: 7, games, within: 50, judge, concurrency: 1 };
        let mut lengths = HashSet::new();
        for number in 0..60 {
            match candidate(&request, number) {
                // The game is too short for this candidate.
                None => assert_eq!(number % 3, 1),
                Some((_, moves)) => {
                    assert!(request.games[(number % 3) as usize].moves.starts_with(&moves));
                    lengths.insert(moves.len());
                }
            }
        }
        assert_eq!(lengths.len(), 3);
    }
}
