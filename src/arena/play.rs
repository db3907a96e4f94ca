//! One game: two players at the board, a referee beside it, and a record of what happened.

use super::client::{Answer, Claim, Client, Clock, Clocks, Fault, NoAnswer, Thought};
use super::openings::Opening;
use super::player::{Limit, Player};
use super::transcript::Transcript;
use crate::board::{Move, Side};
use crate::rules::{Game, Outcome, Terms, Verdict, judge};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How games are refereed.
#[derive(Clone, PartialEq, Debug)]
pub struct Refereeing {
    /// The rules of repetition and of the natural end.
    pub terms: Terms,
    /// A game that is longer is drawn, plies from its opening on.
    pub longest: u32,
    /// When both players know who wins.
    pub win: Option<Agreement>,
    /// When both players know that nobody does.
    pub draw: Option<Agreement>,
}

/// Both players' scores agree for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Moves of each side in a row.
    pub moves: u32,
    /// Each player's own points: at least so much for a win, at most so much for a draw.
    pub score: i32,
    /// Not before so many moves of each side.
    pub after: u32,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The number of the game in the match, from 1.
    pub game: u32,
    /// Red's name.
    pub red: String,
    /// Black's name.
    pub black: String,
    /// FEN of the opening's first position.
    pub fen: String,
    /// How many of the moves belong to the opening.
    pub opening_plies: usize,
    /// All moves, `h2e2`.
    pub moves: Vec<String>,
    /// What the player said and took, for each move after the opening.
    pub thoughts: Vec<Spoken>,
    /// How it ended.
    pub result: GameResult,
    /// Why, in a few words that a table can count.
    pub reason: String,
    /// Everything more there is to say of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Who failed, if the game ended so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultOf>,
    /// When it ended, `2026.11.21`.
    pub date: String,
}

/// Who failed, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultOf {
    /// The player's name.
    pub player: String,
    /// One of [`FAULTS`].
    pub kind: String,
}

/// The kinds of faults, as records and tables name them.
pub const FAULTS: [&str; 7] = ["no start", "crash", "hang", "time", "flood", "garbage", "illegal move"];

/// What a player said of a move, and what the move cost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Spoken {
    /// From the mover's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Microseconds.
    pub us: u64,
}

impl From<Thought> for Spoken {
    fn from(thought: Thought) -> Spoken {
        let Thought { score, depth, nodes, time } = thought;
        Spoken { score: score.map(|score| score.to_string()), depth, nodes, us: time.as_micros() as u64 }
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`
    #[serde(rename = "1-0")]
    RedWins,
    /// `0-1`
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// As records write it.
    pub fn text(self) -> &'static str {
        match self {
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    fn win_of(side: Side) -> GameResult {
        if side == Side::Red { GameResult::RedWins } else { GameResult::BlackWins }
    }
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
                Err(NoAnswer::Stopped) => return Err(NoAnswer::Stopped),
                // It failed between two games: a fresh one shall play.
                Err(NoAnswer::Fault(_)) => self.client = None,
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
        self.client.as_mut().ok_or_else(|| Fault::Crash("it is not running".to_string()).into())
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

/// Plays a game; `None` if the match was stopped meanwhile. `seats` are Red's and Black's.
pub fn play(
    task: Task,
    seats: [&mut Seat; 2],
    refereeing: &Refereeing,
    log: &mut Transcript,
    stop: &AtomicBool,
) -> Option<Played> {
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
    let fault = end.fault.map(|(side, kind)| FaultOf { player: names[side.index()].clone(), kind: kind.to_string() });
    let [red, black] = names;
    log.remark("match", &format!("{} {}: {}", end.result.text(), end.reason, end.detail));
    Some(Played {
        game: task.number,
        red,
        black,
        fen: task.opening.start.to_string(),
        opening_plies: task.opening.moves.len(),
        moves: table.game.plies().iter().filter_map(|ply| ply.mv).map(|mv| mv.to_string()).collect(),
        thoughts: table.thoughts,
        result: end.result,
        reason: end.reason,
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
    reason: String,
    detail: String,
    fault: Option<(Side, &'static str)>,
}

impl Table {
    fn play_to_the_end(
        &mut self,
        seats: &mut [&mut Seat; 2],
        refereeing: &Refereeing,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Option<End> {
        for side in Side::ALL {
            let seat = &mut seats[side.index()];
            match seat.prepare(log, stop) {
                Ok(()) => {}
                Err(NoAnswer::Stopped) => return None,
                Err(NoAnswer::Fault(fault)) => {
                    seat.client = None;
                    let fault = match fault {
                        Fault::NoStart(_) => fault,
                        other => Fault::NoStart(other.to_string()),
                    };
                    return Some(End::fault(side, &seat.player.name, &fault));
                }
            }
        }
        loop {
            if let Some(end) = self.natural_end(refereeing) {
                return Some(end);
            }
            let side = self.game.position().side();
            let seat = &mut *seats[side.index()];
            let player = seat.player;
            let offered = std::mem::take(&mut self.offer);
            let answer =
                seat.client().and_then(|client| client.think(player, &self.game, &self.clocks, offered, log, stop));
            let (answer, thought) = match answer {
                Ok(answer) => answer,
                Err(NoAnswer::Stopped) => return None,
                Err(NoAnswer::Fault(fault)) => {
                    let usable = matches!(fault, Fault::Late(_) | Fault::Illegal(_) | Fault::Garbage(_));
                    if !(usable && seat.client.as_ref().is_some_and(Client::is_in_step)) {
                        seat.client = None;
                    }
                    return Some(End::fault(side, &player.name, &fault));
                }
            };
            match answer {
                Answer::Resigns => {
                    let detail = format!("{} resigns", player.name);
                    return Some(End::because(GameResult::win_of(!side), "resignation", detail));
                }
                Answer::Move { mv, draw } => {
                    self.play_move(mv, thought);
                    if draw && offered {
                        let detail = format!("{} accepts a draw", player.name);
                        return Some(End::because(GameResult::Draw, "agreement", detail));
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

    /// The end that the referee sees: by rule, by agreement of the scores, by length.
    fn natural_end(&self, refereeing: &Refereeing) -> Option<End> {
        let side = self.game.position().side();
        if let Verdict::Over(outcome, reason) = judge(&self.game, refereeing.terms) {
            let result = match outcome {
                Outcome::Win => GameResult::win_of(side),
                Outcome::Loss => GameResult::win_of(!side),
                Outcome::Draw => GameResult::Draw,
            };
            return Some(End::because(result, &reason_in_words(&format!("{reason:?}")), String::new()));
        }
        // Scores in a repetition are about the repetition: that is the referee's business.
        if self.game.occurrences().next().is_none() {
            if let Some(winner) = refereeing.win.and_then(|agreement| self.agreed_winner(agreement)) {
                return Some(End::because(GameResult::win_of(winner), "adjudicated win", String::new()));
            }
            if refereeing.draw.is_some_and(|agreement| self.agreed_draw(agreement)) {
                return Some(End::because(GameResult::Draw, "adjudicated draw", String::new()));
            }
        }
        let longest = refereeing.longest as usize;
        (self.thoughts.len() >= longest)
            .then(|| End::because(GameResult::Draw, "length", format!("{longest} plies without a decision")))
    }

    /// The last claims of both sides, the latest first, if the game is old enough to have them.
    fn last_claims(&self, agreement: Agreement) -> Option<impl Iterator<Item = i32> + '_> {
        let count = agreement.moves as usize * 2;
        if count == 0 || self.claims.len() < count.max(agreement.after as usize * 2) {
            return None;
        }
        let last = &self.claims[self.claims.len() - count..];
        last.iter().all(Option::is_some).then(|| last.iter().rev().flatten().map(|claim| claim.points()))
    }

    fn agreed_winner(&self, agreement: Agreement) -> Option<Side> {
        // Each as the side sees it that has just moved.
        let mover = !self.game.position().side();
        let seen = || {
            Some(
                self.last_claims(agreement)?
                    .enumerate()
                    .map(|(back, points)| if back % 2 == 0 { points } else { -points }),
            )
        };
        if seen()?.all(|points| points >= agreement.score) {
            Some(mover)
        } else if seen()?.all(|points| points <= -agreement.score) {
            Some(!mover)
        } else {
            None
        }
    }

    fn agreed_draw(&self, agreement: Agreement) -> bool {
        self.last_claims(agreement).is_some_and(|mut claims| claims.all(|points| points.abs() <= agreement.score))
    }
}

impl End {
    fn because(result: GameResult, reason: &str, detail: String) -> End {
        End { result, reason: reason.to_string(), detail, fault: None }
    }

    fn fault(side: Side, name: &str, fault: &Fault) -> End {
        let kind = match fault {
            Fault::NoStart(_) => FAULTS[0],
            Fault::Crash(_) => FAULTS[1],
            Fault::Hang => FAULTS[2],
            Fault::Late(_) => FAULTS[3],
            Fault::Flood => FAULTS[4],
            Fault::Garbage(_) => FAULTS[5],
            Fault::Illegal(_) => FAULTS[6],
        };
        End {
            result: GameResult::win_of(!side),
            reason: kind.to_string(),
            detail: format!("{name} {fault}"),
            fault: Some((side, kind)),
        }
    }
}

fn full_clock(limit: Limit) -> Option<Clock> {
    match limit {
        Limit::Clock { moves, base, increment } => Some(Clock { left: base, increment, moves }),
        Limit::MoveTime(_) | Limit::Nodes(_) | Limit::Depth(_) => None,
    }
}

/// `PerpetualCheck(Red)` → `perpetual check`.
fn reason_in_words(name: &str) -> String {
    let mut words = String::new();
    for character in name.chars().take_while(|character| character.is_alphanumeric()) {
        if character.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    words
}

/// The time that a player spent on a game.
pub fn time_of(played: &Played, name: &str) -> Duration {
    played.of_player(name).map(|spoken| Duration::from_micros(spoken.us)).sum()
}

impl Played {
    /// What one of the players said, move by move.
    pub fn of_player<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Spoken> {
        let black_begins = self.fen.split_whitespace().nth(1) == Some("b");
        let first_is_black = (self.opening_plies % 2 == 1) != black_begins;
        let is_black = self.black == name;
        let skipped = usize::from(is_black != first_is_black);
        self.thoughts.iter().skip(skipped).step_by(2)
    }
}
