//! One game: two players at the board, and a referee beside it.

use super::claim::{Claim, Thought};
use super::client::Client;
use super::dialect::{Answer, Clock, Clocks};
use super::ending::Ending;
use super::fault::{Exit, Fault, NoAnswer};
use super::openings::Opening;
use super::played::{FaultOf, Played, Spoken};
use super::player::{Limit, Player};
use super::transcript::Transcript;
use chuhe_board::rules::{Game, Terms, Verdict, judge};
use chuhe_board::{Move, Side};
use chuhe_games::records::GameResult;
use std::sync::atomic::AtomicBool;

/// How games are refereed.
#[derive(Clone, PartialEq, Debug)]
pub struct Refereeing {
    /// The rules of repetition and of the natural end.
    pub terms: Terms,
    /// A game that is longer is drawn, plies from its opening on.
    pub longest: u32,
    /// When both players' scores end the game as won.
    pub win: Option<Agreement>,
    /// When a player's own score ends the game as lost.
    pub resign: Option<Agreement>,
    /// When both players' scores end the game as drawn.
    pub draw: Option<Agreement>,
}

/// Scores that stay beyond a bound for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Moves in a row of each player who is asked.
    pub moves: u32,
    /// Each player's own points: at least this for a win, at most this for a draw, at most its negative for a loss.
    pub score: i32,
    /// Not before each side has made this many moves.
    pub after: u32,
}

/// A player's seat: who sits there, and the running program if there is one.
#[derive(Debug)]
pub struct Seat<'p> {
    /// Who.
    pub player: &'p Player,
    /// Its program.
    pub client: Option<Client>,
}

impl Seat<'_> {
    /// Starts the program if none is running, and tells it that a game begins.
    fn prepare(&mut self, log: &mut Transcript, stop: &AtomicBool) -> Result<(), NoAnswer> {
        if self.player.restart {
            self.leave();
        }
        if let Some(client) = &mut self.client {
            match client.new_game(self.player, log, stop) {
                Ok(()) => return Ok(()),
                // It failed between two games: start it again.
                Err(NoAnswer::Fault(_)) => self.client = None,
                Err(other) => return Err(other),
            }
        }
        let mut client = Client::start(self.player, log, stop)?;
        client.new_game(self.player, log, stop)?;
        self.client = Some(client);
        Ok(())
    }

    /// Ends the program, politely.
    pub fn leave(&mut self) {
        if let Some(client) = self.client.take() {
            client.end();
        }
    }

    fn client(&mut self) -> Result<&mut Client, NoAnswer> {
        self.client.as_mut().ok_or_else(|| Fault::Crash(Exit::Unknown("it is not running".to_string())).into())
    }
}

/// What a game is, before it is played.
#[derive(Clone, Copy, Debug)]
pub struct Task<'o> {
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// Where it begins.
    pub opening: &'o Opening,
}

/// Why a game has no end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unplayed {
    /// The match was stopped meanwhile.
    Stopped,
    /// The system has no process, thread or memory left: one line.
    Exhausted(String),
}

/// Plays a game. `seats` are Red's and Black's.
///
/// # Errors
/// The match was stopped, or the system is exhausted.
pub fn play(
    task: Task,
    seats: [&mut Seat; 2],
    refereeing: &Refereeing,
    log: &mut Transcript,
    stop: &AtomicBool,
) -> Result<Played, Unplayed> {
    let [red, black] = seats;
    let names = [red.player.name.clone(), black.player.name.clone()];
    let limits = [red.player.limit, black.player.limit];
    let mut table = Table {
        game: Game::new(task.opening.start.clone()),
        clocks: Clocks(limits.map(full_clock)),
        limits,
        claims: Vec::new(),
        thoughts: Vec::new(),
        offer: false,
    };
    task.opening.moves.iter().for_each(|mv| table.game.make(*mv));
    let mut seats = [red, black];
    let end = table.play_to_the_end(&mut seats, refereeing, log, stop)?;
    let [red, black] = names;
    log.remark("match", &format!("{} {}: {}", end.result.text(), end.ending, end.detail));
    let fault = end
        .fault
        .map(|side| FaultOf { player: if side == Side::Red { red.clone() } else { black.clone() }, kind: end.ending });
    Ok(Played {
        game: task.number,
        red,
        black,
        fen: task.opening.start.to_string(),
        opening_plies: task.opening.moves.len(),
        moves: table.game.plies().iter().filter_map(|ply| ply.mv).map(|mv| mv.to_string()).collect(),
        thoughts: table.thoughts,
        result: end.result,
        reason: end.ending,
        detail: end.detail,
        fault,
        date: super::date::today(),
    })
}

/// A game while it is played.
struct Table {
    game: Game,
    clocks: Clocks,
    limits: [Limit; 2],
    /// The mover's own claim, for each move after the opening.
    claims: Vec<Option<Claim>>,
    thoughts: Vec<Spoken>,
    /// Whether the last move came with an offer of a draw.
    offer: bool,
}

/// How a game ended.
struct End {
    result: GameResult,
    ending: Ending,
    detail: String,
    /// Whose fault it is.
    fault: Option<Side>,
}

impl Table {
    fn play_to_the_end(
        &mut self,
        seats: &mut [&mut Seat; 2],
        refereeing: &Refereeing,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<End, Unplayed> {
        for side in Side::ALL {
            let seat = &mut seats[side.index()];
            if let Err(failed) = seat.prepare(log, stop) {
                seat.client = None;
                return Ok(End::fault(side, &seat.player.name, &failed.fault()?.at_start()));
            }
        }
        loop {
            if let Some(end) = self.natural_end(refereeing) {
                return Ok(end);
            }
            let side = self.game.position().side();
            let seat = &mut *seats[side.index()];
            let player = seat.player;
            let offered = std::mem::take(&mut self.offer);
            let answer =
                seat.client().and_then(|client| client.think(player, &self.game, &self.clocks, offered, log, stop));
            let (answer, thought) = match answer {
                Ok(answer) => answer,
                Err(failed) => {
                    let fault = failed.fault()?;
                    let usable = matches!(fault, Fault::Late(_) | Fault::Illegal(_) | Fault::Garbage(_));
                    if !(usable && seat.client.as_ref().is_some_and(Client::is_in_step)) {
                        seat.client = None;
                    }
                    return Ok(End::fault(side, &player.name, &fault));
                }
            };
            match answer {
                Answer::Resigns => {
                    let detail = format!("{} resigns", player.name);
                    return Ok(End::because(GameResult::win_of(!side), Ending::Resignation, detail));
                }
                Answer::Move { mv, draw } => {
                    self.play_move(mv, thought);
                    if draw && offered {
                        let detail = format!("{} accepts a draw", player.name);
                        return Ok(End::because(GameResult::Draw, Ending::Agreement, detail));
                    }
                    if draw {
                        log.remark(&player.name, "offers a draw");
                    }
                    self.offer = draw;
                }
            }
        }
    }

    fn play_move(&mut self, mv: Move, thought: Thought) {
        let side = self.game.position().side();
        if let (Some(clock), limit) = (&mut self.clocks.0[side.index()], self.limits[side.index()]) {
            clock.left = clock.left.saturating_sub(thought.time) + clock.increment;
            clock.moves = clock.moves.map(|moves| moves - 1);
            if let (Some(0), Limit::Clock { moves, base, .. }) = (clock.moves, limit) {
                clock.left += base;
                clock.moves = moves;
            }
        }
        self.claims.push(thought.score);
        self.thoughts.push(thought.into());
        self.game.make(mv);
    }

    /// The end that the referee sees: by rule, by the players' scores, by length.
    fn natural_end(&self, refereeing: &Refereeing) -> Option<End> {
        let side = self.game.position().side();
        if let Verdict::Over(outcome, reason) = judge(&self.game, refereeing.terms) {
            return Some(End::because(GameResult::of(outcome, side), reason.into(), String::new()));
        }
        // Scores in a repetition are about the repetition: that is the referee's business.
        if self.game.occurrences().next().is_none() {
            let winner = refereeing.win.and_then(|agreement| self.agreed_winner(agreement));
            let winner = winner.or_else(|| refereeing.resign.and_then(|agreement| self.lone_winner(agreement)));
            if let Some(winner) = winner {
                return Some(End::because(GameResult::win_of(winner), Ending::AdjudicatedWin, String::new()));
            }
            if refereeing.draw.is_some_and(|agreement| self.agreed_draw(agreement)) {
                return Some(End::because(GameResult::Draw, Ending::AdjudicatedDraw, String::new()));
            }
        }
        let longest = refereeing.longest as usize;
        (self.thoughts.len() >= longest)
            .then(|| End::because(GameResult::Draw, Ending::Length, format!("{longest} plies without a decision")))
    }

    /// The last claims of both sides, the latest first, if the game is old enough to have them and both sides gave scores.
    fn last_claims(&self, agreement: Agreement) -> Option<Vec<i32>> {
        let count = agreement.moves as usize * 2;
        if count == 0 || self.claims.len() < count.max(agreement.after as usize * 2) {
            return None;
        }
        self.claims.iter().rev().take(count).map(|claim| claim.map(Claim::points)).collect()
    }

    /// Both sides' scores say that the same side wins.
    fn agreed_winner(&self, agreement: Agreement) -> Option<Side> {
        let claims = self.last_claims(agreement)?;
        // Each as the side sees it that has just moved.
        let seen = || claims.iter().enumerate().map(|(back, points)| if back % 2 == 0 { *points } else { -points });
        let mover = !self.game.position().side();
        if seen().all(|points| points >= agreement.score) {
            Some(mover)
        } else if seen().all(|points| points <= -agreement.score) {
            Some(!mover)
        } else {
            None
        }
    }

    /// The enemy of the side that has just moved, if that side's own scores say that it loses.
    fn lone_winner(&self, agreement: Agreement) -> Option<Side> {
        let count = agreement.moves as usize;
        let own = || self.claims.iter().rev().step_by(2).take(count);
        let lost = |claim: &Option<Claim>| claim.is_some_and(|claim| claim.points() <= -agreement.score);
        let old_enough = self.claims.len() >= agreement.after as usize * 2;
        (count > 0 && old_enough && own().len() == count && own().all(lost)).then(|| self.game.position().side())
    }

    fn agreed_draw(&self, agreement: Agreement) -> bool {
        self.last_claims(agreement).is_some_and(|claims| claims.iter().all(|points| points.abs() <= agreement.score))
    }
}

impl End {
    fn because(result: GameResult, ending: Ending, detail: String) -> End {
        End { result, ending, detail, fault: None }
    }

    fn fault(side: Side, name: &str, fault: &Fault) -> End {
        End {
            result: GameResult::win_of(!side),
            ending: fault.ending(),
            detail: format!("{name} {fault}"),
            fault: Some(side),
        }
    }
}

impl NoAnswer {
    /// The player's fault, if it is one.
    fn fault(self) -> Result<Fault, Unplayed> {
        match self {
            NoAnswer::Fault(fault) => Ok(fault),
            NoAnswer::Stopped => Err(Unplayed::Stopped),
            NoAnswer::Exhausted(reason) => Err(Unplayed::Exhausted(reason)),
        }
    }
}

fn full_clock(limit: Limit) -> Option<Clock> {
    match limit {
        Limit::Clock { moves, base, increment } => Some(Clock { left: base, increment, moves }),
        Limit::MoveTime(_) | Limit::Nodes(_) | Limit::Depth(_) => None,
    }
}
