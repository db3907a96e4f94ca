//! The state of a game and the effects of moves.

use super::fields::Ruled;
use super::names::MoveNames;
use super::refusal::Refusal;
use super::response::{GameState, OpeningEntry, PlyEntry, Response, VerdictEntry, WarningEntry};
use super::ruling::{RulingEntry, ended, result, squares};
use super::trees::MAX_TREE_PLIES;
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::{Game, Outcome, Reason, Ruling, Warning, counted_plies, rule, warnings};
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Piece, Position, Side};
use chuhe_games::openings::Opening;

/// Returns the state of a game after its last move.
pub(super) fn look(ruled: &Ruled, language: Language) -> Box<GameState> {
    let Ruled { game, terms, .. } = ruled;
    let position = game.position();
    let ruling = rule(game, *terms);
    let form = ruled.form(language);
    let warned = warnings(game, *terms);
    let warned = warned.iter().map(|warning| (warning.mv.to_string(), warn(warning, position, form, language)));
    Box::new(GameState {
        fen: position.to_string(),
        side: position.side().name(),
        check: position.in_check(),
        checkers: squares(position.checkers()),
        legal: position.legal_moves().iter().map(Move::to_string).collect(),
        last: last(game),
        ply: game.plies().len(),
        move_number: position.move_number(),
        verdict: verdict(&ruling, language),
        opening: Opening::of_game(game)
            .map(|opening| OpeningEntry { code: opening.code, name: opening.name(language) }),
        occurrences: ruling.occurrences,
        quiet: counted_plies(game, *terms),
        natural_limit: terms.natural_limit,
        warnings: warned.collect(),
    })
}

/// Returns the last move, if there is one.
fn last(game: &Game) -> Option<PlyEntry> {
    let mv = game.plies().last()?.mv?;
    let mut before = game.clone();
    before.unmake();
    Some(play(&mut before, mv))
}

/// Makes a legal move and describes it.
fn play(game: &mut Game, mv: Move) -> PlyEntry {
    let before = game.position();
    let (names, side) = (MoveNames::of(before, mv), before.side().name());
    let piece = before.piece_on(mv.from).map_or(' ', Piece::letter);
    let capture = before.piece_on(mv.to).map(Piece::letter);
    game.make(mv);
    let (check, fen) = (game.position().in_check(), game.position().to_string());
    PlyEntry { mv: mv.to_string(), names, side, piece, capture, check, fen }
}

/// Describes each move in a line.
pub(super) fn line(mut game: Game, line: &[String]) -> Result<Response, Refusal> {
    if line.len() > MAX_TREE_PLIES {
        return Err(Refusal::TooLong(MAX_TREE_PLIES));
    }
    let start = game.position().to_string();
    let mut plies = Vec::with_capacity(line.len());
    for (index, text) in line.iter().enumerate() {
        let read = notation::read(game.position(), text);
        let mv = read.map_err(|_| Refusal::illegal(index + 1, text))?;
        plies.push(play(&mut game, mv));
    }
    Ok(Response::Plies { start, plies })
}

/// Returns the ruling on a game, with the names of the moves in the cycle.
pub(super) fn judge(ruled: &Ruled, language: Language) -> Response {
    let ruling = rule(&ruled.game, ruled.terms);
    let text = language.sentence(&ruling.say(language));
    Response::Ruling { ruling: Box::new(RulingEntry::new(&ruling, language).named(&ruled.game)), text }
}

/// Parses a move.
pub(super) fn read(game: &Game, text: &str) -> Result<Response, Refusal> {
    let read = notation::read(game.position(), text);
    let mv = read.map_err(|why| Refusal::NoSuchMove(text.chars().take(20).collect(), why))?;
    Ok(Response::Read { mv: mv.to_string(), names: MoveNames::of(game.position(), mv) })
}

/// Returns the state of the game by the rules.
pub(super) fn verdict(ruling: &Ruling, language: Language) -> VerdictEntry {
    let (outcome, reason) = ended(ruling.verdict);
    let winner = match outcome {
        Some(Outcome::Win) => Some(ruling.side),
        Some(Outcome::Loss) => Some(!ruling.side),
        _ => None,
    };
    VerdictEntry {
        result: result(outcome),
        winner: winner.map(Side::name),
        code: reason.map(Reason::name),
        offender: reason.and_then(Reason::offender).map(Side::name),
        ended_at: ruling.ended_at,
        text: language.sentence(&ruling.say(language)),
    }
}

fn warn(warning: &Warning, position: &Position, form: Form, language: Language) -> WarningEntry {
    let (outcome, reason) = ended(warning.ruling.verdict);
    let (name, ruling) = (notation::write(position, warning.mv, form), warning.ruling.say(language));
    let key = match warning.returns_left {
        0 => Key::MoveEndsGame,
        1 => Key::OnceMoreEndsGame,
        _ => Key::ReturnsEndGame,
    };
    let clause = language.say(key, &[("move", &name), ("count", &warning.returns_left)]);
    let gap = if language == Language::Chinese { "" } else { " " };
    WarningEntry {
        code: reason.map(Reason::name),
        // The ruling is from the opponent's point of view.
        result: result(outcome.map(|outcome| !outcome)),
        returns_left: warning.returns_left,
        text: format!("{}{gap}{}", language.sentence(&clause), language.sentence(&ruling)),
    }
}
