//! One game: two players and a referee.

use super::claim::{Claim, Thought};
use super::client::{Client, Session};
use super::dialect::{Answer, Clock, Clocks};
use super::end_reason::GameEndReason;
use super::fault::{EngineFault, Exit, NoAnswer};
use super::openings::Opening;
use super::played::{FaultOf, Played, Spoken};
use super::player::{Limit, Player};
use super::transcript::Transcript;
use chuhe_board::rules::{Game, RuleSet, Terms, Verdict, judge};
use chuhe_board::{Move, Side};
use chuhe_games::records::GameResult;
use std::sync::atomic::AtomicBool;

/// Rules for refereeing games.
#[derive(Clone, PartialEq, Debug)]
pub struct Refereeing {
    /// Rules for repetitions and for the end of a game.
    pub terms: Terms,
    /// Number of plies after the opening at which a game is drawn.
    pub longest: u32,
    /// Adjudication of a win based on both players' scores.
    pub win: Option<Agreement>,
    /// Adjudication of a loss based on the losing player's own scores.
    pub resign: Option<Agreement>,
    /// Adjudication of a draw based on both players' scores.
    pub draw: Option<Agreement>,
}

/// Condition on consecutive scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Number of consecutive moves required of each player involved.
    pub moves: u32,
    /// Threshold: for a win, the winner's score and the loser's negated score must be at least this; for a
    /// draw, both absolute scores at most this.
    pub score: i32,
    /// Minimum number of moves by each side before adjudication.
    pub after: u32,
}

impl Refereeing {
    /// Returns the rules as stored in `games.jsonl`, one or two lines. A match is resumed only with the same
    /// text, so the text must not change.
    pub(super) fn description(&self) -> Vec<String> {
        let Refereeing { terms, longest, win, draw, resign } = self;
        let Terms { rules, natural_limit, free_checks, .. } = terms;
        let rules = match rules {
            RuleSet::Asian => "Asian",
            RuleSet::Chinese => "Chinese",
            RuleSet::League => "League",
            RuleSet::Computer => "Computer",
            RuleSet::Simple => "Simple",
            RuleSet::Draw => "Draw",
        };
        let numbers = format!("natural_limit: {natural_limit}, free_checks: {free_checks}");
        let terms = format!("Terms {{ rules: {rules}, folds: {}, {numbers} }}", terms.folds());
        let text = |agreement: &Agreement| {
            let Agreement { moves, score, after } = agreement;
            format!("Agreement {{ moves: {moves}, score: {score}, after: {after} }}")
        };
        let optional = |agreement: &Option<Agreement>| {
            agreement.as_ref().map_or("None".to_owned(), |agreement| format!("Some({})", text(agreement)))
        };
        let mut lines = vec![format!("{terms}, longest {longest}, win {}, draw {}", optional(win), optional(draw))];
        lines.extend(resign.as_ref().map(|resign| format!("resign {}", text(resign))));
        lines
    }
}

/// A player with its running program, if any.
#[derive(Debug)]
pub struct Contestant<'p> {
    /// Player.
    pub player: &'p Player,
    /// Running program.
    pub client: Option<Client>,
}

impl Contestant<'_> {
    /// Starts the program if necessary and announces a new game.
    fn prepare(&mut self, log: &mut Transcript, stop: &AtomicBool) -> Result<(), NoAnswer> {
        if self.player.restart {
            self.leave();
        }
        let mut session = Session { player: self.player, log, stop };
        if let Some(client) = &mut self.client {
            match client.new_game(&mut session) {
                Ok(()) => return Ok(()),
                // The program failed between two games, so it is restarted.
                Err(NoAnswer::Fault(_)) => self.client = None,
                Err(other) => return Err(other),
            }
        }
        let mut client = Client::start(&mut session)?;
        client.new_game(&mut session)?;
        self.client = Some(client);
        Ok(())
    }

    /// Prepares the program for a game; ends a program that has failed.
    fn begin_game(&mut self, log: &mut Transcript, stop: &AtomicBool) -> Result<(), Unplayed> {
        let Err(failed) = self.prepare(log, stop) else { return Ok(()) };
        self.client = None;
        let fault = failed.fault()?.at_start();
        Err(Unplayed::NotStarted(self.player.name.clone(), fault.to_string()))
    }

    /// Ends the program after a fault, unless its replies are still synchronised with the requests.
    fn end_unless_usable_after(&mut self, fault: &EngineFault) {
        let may_go_on = matches!(fault, EngineFault::Late(_) | EngineFault::Illegal(_) | EngineFault::Garbage(_));
        if !(may_go_on && self.client.as_ref().is_some_and(Client::is_in_step)) {
            self.client = None;
        }
    }

    /// Ends the program with `quit`.
    pub(crate) fn leave(&mut self) {
        if let Some(client) = self.client.take() {
            client.end();
        }
    }

    /// Starts pondering if the player ponders.
    fn ponder(&mut self, game: &Game, expected: Move, terms: Terms, clocks: &Clocks, session: &mut Session) {
        if self.player.ponder
            && let Some(client) = &mut self.client
        {
            client.ponder(game, expected, terms, clocks, session);
        }
    }

    fn client(&mut self) -> Result<&mut Client, NoAnswer> {
        self.client.as_mut().ok_or_else(|| EngineFault::Crash(Exit::Unknown("it is not running".to_string())).into())
    }
}

/// A game to play.
#[derive(Clone, Copy, Debug)]
pub struct GameSetup<'o> {
    /// Number of the game in the match, from 1.
    pub number: u32,
    /// Opening.
    pub opening: &'o Opening,
}

/// Reason why a game was not finished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unplayed {
    /// The match was stopped.
    Stopped,
    /// The system has no process, thread or memory left; contains a one-line message.
    Exhausted(String),
    /// A player's program does not start; contains the player's name and the reason.
    NotStarted(String, String),
}

/// Plays a game. `contestants` contains the players of Red and Black.
///
/// # Errors
/// Returns an error if the match was stopped, a player does not start, or the system is exhausted.
pub fn play(
    setup: GameSetup,
    contestants: [&mut Contestant; 2],
    refereeing: &Refereeing,
    log: &mut Transcript,
    stop: &AtomicBool,
) -> Result<Played, Unplayed> {
    let [red, black] = contestants;
    let names = [red.player.name.clone(), black.player.name.clone()];
    let limits = [red.player.limit, black.player.limit];
    let mut running = RunningGame {
        game: setup.opening.game(),
        clocks: Clocks(limits.map(full_clock)),
        limits,
        claims: Vec::new(),
        thoughts: Vec::new(),
        offer: false,
        expected: None,
    };
    let mut contestants = [red, black];
    let end = running.play_to_the_end(&mut contestants, refereeing, log, stop)?;
    let [red, black] = names;
    log.remark("match", &format!("{} {}: {}", end.result.text(), end.reason, end.detail));
    let fault = end
        .fault
        .map(|side| FaultOf { player: if side == Side::Red { red.clone() } else { black.clone() }, kind: end.reason });
    Ok(Played {
        game: setup.number,
        red,
        black,
        fen: setup.opening.start.to_string(),
        opening_plies: setup.opening.moves.len(),
        moves: running.game.plies().iter().filter_map(|ply| ply.mv).map(|mv| mv.to_string()).collect(),
        thoughts: running.thoughts,
        result: end.result,
        reason: end.reason,
        detail: end.detail,
        fault,
        date: super::date::today(),
    })
}

/// A game in progress.
struct RunningGame {
    game: Game,
    clocks: Clocks,
    limits: [Limit; 2],
    /// The movers' scores, one for each move after the opening.
    claims: Vec<Option<Claim>>,
    thoughts: Vec<Spoken>,
    /// `true` if the last move came with a draw offer.
    offer: bool,
    /// Reply expected by the last mover.
    expected: Option<Move>,
}

/// End of a game.
struct GameEnd {
    result: GameResult,
    reason: GameEndReason,
    detail: String,
    /// Side at fault.
    fault: Option<Side>,
}

impl RunningGame {
    fn play_to_the_end(
        &mut self,
        contestants: &mut [&mut Contestant; 2],
        refereeing: &Refereeing,
        log: &mut Transcript,
        stop: &AtomicBool,
    ) -> Result<GameEnd, Unplayed> {
        for contestant in &mut *contestants {
            contestant.begin_game(log, stop)?;
        }
        loop {
            if let Some(end) = self.natural_end(refereeing) {
                return Ok(end);
            }
            let side = self.game.position().side();
            if let Some(expected) = self.expected.take() {
                let opponent = &mut *contestants[(!side).index()];
                let mut session = Session { player: opponent.player, log, stop };
                opponent.ponder(&self.game, expected, refereeing.terms, &self.clocks, &mut session);
            }
            let contestant = &mut *contestants[side.index()];
            let player = contestant.player;
            let offered = std::mem::take(&mut self.offer);
            let mut session = Session { player, log, stop };
            let answer = contestant
                .client()
                .and_then(|client| client.request_move(&self.game, &self.clocks, offered, &mut session));
            let (answer, thought) = match answer {
                Ok(answer) => answer,
                Err(failed) => {
                    let fault = failed.fault()?;
                    contestant.end_unless_usable_after(&fault);
                    return Ok(GameEnd::fault(side, &player.name, &fault));
                }
            };
            match answer {
                Answer::Resigns => {
                    let detail = format!("{} resigns", player.name);
                    return Ok(GameEnd::because(GameResult::win_of(!side), GameEndReason::Resignation, detail));
                }
                Answer::Move { mv, draw, expected } => {
                    self.play_move(mv, thought);
                    self.expected = expected;
                    if draw && offered {
                        let detail = format!("{} accepts a draw", player.name);
                        return Ok(GameEnd::because(GameResult::Draw, GameEndReason::Agreement, detail));
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

    /// Returns the end of the game as determined by the referee: by the rules, by the players' scores, or by
    /// length.
    fn natural_end(&self, refereeing: &Refereeing) -> Option<GameEnd> {
        let side = self.game.position().side();
        if let Verdict::Over(outcome, reason) = judge(&self.game, refereeing.terms) {
            return Some(GameEnd::because(GameResult::of(outcome, side), reason.into(), String::new()));
        }
        // Scores during a repetition reflect the repetition, on which the referee rules.
        if self.game.occurrences().next().is_none() {
            let winner = refereeing.win.and_then(|agreement| self.agreed_winner(agreement));
            let winner = winner.or_else(|| refereeing.resign.and_then(|agreement| self.lone_winner(agreement)));
            if let Some(winner) = winner {
                return Some(GameEnd::because(
                    GameResult::win_of(winner),
                    GameEndReason::AdjudicatedWin,
                    String::new(),
                ));
            }
            if refereeing.draw.is_some_and(|agreement| self.agreed_draw(agreement)) {
                return Some(GameEnd::because(GameResult::Draw, GameEndReason::AdjudicatedDraw, String::new()));
            }
        }
        let longest = refereeing.longest as usize;
        (self.thoughts.len() >= longest).then(|| {
            GameEnd::because(GameResult::Draw, GameEndReason::Length, format!("{longest} plies without a decision"))
        })
    }

    /// Returns the last scores of both sides, latest first; `None` if the game is too short or a score is
    /// missing.
    fn last_claims(&self, agreement: Agreement) -> Option<Vec<i32>> {
        let count = agreement.moves as usize * 2;
        if count == 0 || self.claims.len() < count.max(agreement.after as usize * 2) {
            return None;
        }
        self.claims.iter().rev().take(count).map(|claim| claim.map(Claim::points)).collect()
    }

    /// Returns the winner on which both sides' scores agree.
    fn agreed_winner(&self, agreement: Agreement) -> Option<Side> {
        let claims = self.last_claims(agreement)?;
        // Scores are from the point of view of the side that has just moved.
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

    /// Returns the opponent of the side that has just moved, if that side's own scores indicate a loss.
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

impl GameEnd {
    fn because(result: GameResult, reason: GameEndReason, detail: String) -> GameEnd {
        GameEnd { result, reason, detail, fault: None }
    }

    fn fault(side: Side, name: &str, fault: &EngineFault) -> GameEnd {
        GameEnd {
            result: GameResult::win_of(!side),
            reason: fault.end_reason(),
            detail: format!("{name} {fault}"),
            fault: Some(side),
        }
    }
}

impl NoAnswer {
    /// Returns the player's fault, or an error if the player is not at fault.
    fn fault(self) -> Result<EngineFault, Unplayed> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches in existing folders are resumed only with the same text.
    #[test]
    fn the_stored_description_of_the_rules_never_changes() {
        let agreement = |moves, score, after| Some(Agreement { moves, score, after });
        let plain = Refereeing { terms: RuleSet::Asian.terms(), longest: 500, win: None, resign: None, draw: None };
        let asian = "Terms { rules: Asian, folds: 3, natural_limit: 120, free_checks: 10 }";
        assert_eq!(plain.description(), [format!("{asian}, longest 500, win None, draw None")]);
        let (win, draw, resign) = (agreement(4, 2000, 0), agreement(10, 20, 40), agreement(3, 600, 1));
        let all = Refereeing { terms: RuleSet::League.terms(), longest: 300, win, resign, draw };
        let league = "Terms { rules: League, folds: 4, natural_limit: 100, free_checks: 0 }";
        let win = "Some(Agreement { moves: 4, score: 2000, after: 0 })";
        let draw = "Some(Agreement { moves: 10, score: 20, after: 40 })";
        let lines = [
            format!("{league}, longest 300, win {win}, draw {draw}"),
            "resign Agreement { moves: 3, score: 600, after: 1 }".to_owned(),
        ];
        assert_eq!(all.description(), lines);
    }
}
