//! Judgements and reasons as text.

use super::{Deed, Effect, Judgement, Reason, Reviewed};
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::Game;
use chuhe_board::score::{Score, is_decided, is_evaluation, mate_moves};
use chuhe_board::words::{Key, Language};
use chuhe_board::{Kind, Piece, Side};

impl Judgement {
    /// Returns the name of the judgement: `blunder`, 败着.
    pub fn say(self, language: Language) -> &'static str {
        language.word(match self {
            Judgement::Inaccuracy => Key::Inaccuracy,
            Judgement::Mistake => Key::Mistake,
            Judgement::Blunder => Key::Blunder,
        })
    }

    /// Returns the plural, also used as a heading: `blunders`, 败着.
    pub(super) fn plural(self) -> Key {
        match self {
            Judgement::Inaccuracy => Key::Inaccuracies,
            Judgement::Mistake => Key::Mistakes,
            Judgement::Blunder => Key::Blunders,
        }
    }
}

impl Reason {
    /// Returns the reason as a clause: `loses a rook for a pawn`.
    pub fn say(&self, language: Language, side: Side) -> String {
        let moves = |moves: &u32| language.count(*moves);
        match self {
            Reason::AllowsMate(n) => language.say(Key::AllowsMate, &[("moves", &moves(n))]),
            Reason::MissesMate(n) => language.say(Key::MissesMate, &[("moves", &moves(n))]),
            Reason::LosesByRule(ruling) => language.say(Key::LosesByRules, &[("ruling", &ruling.say(language))]),
            Reason::MissesWinByRule(ruling) => {
                language.say(Key::MissesWinByRules, &[("ruling", &ruling.say(language))])
            }
            Reason::Loses { lost, taken } if taken.is_empty() => {
                language.say(Key::LosesPieces, &[("lost", &pieces(language, side, lost))])
            }
            Reason::Loses { lost, taken } => {
                let (lost, taken) = (pieces(language, side, lost), pieces(language, !side, taken));
                language.say(Key::LosesPiecesFor, &[("lost", &lost), ("taken", &taken)])
            }
            Reason::MissesWin(won) => language.say(Key::MissesPieces, &[("won", &pieces(language, !side, won))]),
            Reason::AllowsThreat(n) => language.say(Key::AllowsThreat, &[("moves", &moves(n))]),
            Reason::MissesThreat(n) => language.say(Key::MissesThreat, &[("moves", &moves(n))]),
            Reason::AllowsDraw(ruling) => language.say(Key::AllowsDraw, &[("ruling", &ruling.say(language))]),
            Reason::MissesDraw(ruling) => language.say(Key::MissesDraw, &[("ruling", &ruling.say(language))]),
            Reason::LosesEnding => language.word(Key::LosesEnding).to_owned(),
            Reason::MissesEnding => language.word(Key::MissesEnding).to_owned(),
            Reason::Lets(deeds) => language.say(Key::LetsDo, &[("deeds", &all(language, deeds))]),
            Reason::MissesDeeds(deeds) => language.say(Key::MissesDoing, &[("deeds", &all(language, deeds))]),
            Reason::Position => language.word(Key::WorsensPosition).to_owned(),
        }
    }
}

impl Deed {
    /// Returns the deed as a clause that follows a verb such as `lets`: `Black's rook attack a horse`.
    pub fn say(&self, language: Language) -> String {
        let key = match self.effect {
            Effect::Forks => Key::DeedForks,
            Effect::DrivesAway => Key::DeedDrivesAway,
            Effect::Threatens => Key::DeedThreatens,
            Effect::Takes => Key::DeedTakes,
            Effect::Uncovers => Key::DeedUncovers,
            Effect::Pins => Key::DeedPins,
            Effect::Blocks => Key::DeedBlocks,
            Effect::Checks => Key::DeedChecks,
            Effect::Activates => Key::DeedActivates,
            Effect::Crosses => Key::DeedCrosses,
            Effect::AimsAt => Key::DeedAimsAt,
            Effect::Defends => Key::DeedDefends,
            Effect::Regroups => Key::DeedRegroups,
        };
        let (piece, targets) = (self.piece.owned(language), pieces(language, !self.piece.side(), &self.targets));
        language.say(key, &[("piece", &piece), ("targets", &targets)])
    }
}

/// Formats deeds as a list.
fn all(language: Language, deeds: &[Deed]) -> String {
    let said: Vec<String> = deeds.iter().map(|deed| deed.say(language)).collect();
    said.join(if language == Language::Chinese { "、" } else { " and " })
}

impl Reviewed {
    /// Returns the reason why the move is bad, with the better line and the refutation: `Blunder: it loses a
    /// rook. Better: … Continuation: …`. Returns an empty string for a move without a judgement. `game` is
    /// the game before the move.
    pub fn say(&self, game: &Game, language: Language, form: Form) -> String {
        let (Some(judgement), Some(reason)) = (self.judgement, &self.reason) else { return String::new() };
        let head = language.say(
            Key::JudgedBecause,
            &[("judgement", &judgement.say(language)), ("reason", &reason.say(language, self.side))],
        );
        let better = names(game, &self.best.moves, form);
        let mut said = language.sentence(&head);
        if !better.is_empty() {
            let better = language.say(Key::BetterWas, &[("line", &better.join(" "))]);
            said = format!("{said}{}{}", gap(language), language.sentence(&better));
        }
        let refutation = names(game, &self.played.moves, form);
        if refutation.len() > 1 {
            let follows = language.say(Key::NowFollows, &[("line", &refutation[1..].join(" "))]);
            said = format!("{said}{}{}", gap(language), language.sentence(&follows));
        }
        said
    }
}

/// Returns the separator between two sentences.
fn gap(language: Language) -> &'static str {
    if language == Language::Chinese { "" } else { " " }
}

/// Maximum length of a printed line in plies; later moves are unreliable.
const MAX_PLIES: usize = 8;

/// Returns the first moves of a line from the game's position, in the given notation.
pub fn names(game: &Game, line: &[chuhe_board::Move], form: Form) -> Vec<String> {
    let mut position = game.position().clone();
    let name = |&mv| {
        let name = notation::write(&position, mv, form);
        position.make(mv);
        name
    };
    line.iter().take(MAX_PLIES).map(name).collect()
}

/// Returns a list of pieces: `a rook and two pawns`, 车、二兵.
fn pieces(language: Language, owner: Side, kinds: &[Kind]) -> String {
    let mut groups: Vec<(Kind, usize)> = Vec::new();
    for &kind in kinds {
        match groups.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => groups.push((kind, 1)),
        }
    }
    let said: Vec<String> = groups.iter().map(|&(kind, count)| group(language, owner, kind, count)).collect();
    match (language, &said[..]) {
        (Language::English, [first @ .., last]) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (Language::English, _) => said.join(", "),
        (Language::Chinese, _) => said.join("、"),
    }
}

fn group(language: Language, owner: Side, kind: Kind, count: usize) -> String {
    const ENGLISH: [&str; 6] = ["no", "a", "two", "three", "four", "five"];
    const CHINESE: [&str; 6] = ["", "", "双", "三", "四", "五"];
    match language {
        Language::English => {
            let article = if kind == Kind::King {
                "the"
            } else if count == 1 && kind.name().starts_with(['a', 'e']) {
                "an"
            } else {
                ENGLISH[count.min(5)]
            };
            format!("{article} {}{}", kind.name(), if count > 1 { "s" } else { "" })
        }
        Language::Chinese => format!("{}{}", CHINESE[count.min(5)], Piece::new(owner, kind).character()),
    }
}

/// Returns a score in pawns from Red's point of view: `+0.42`, `mate in 3`; a win by the rules is never
/// called a mate.
pub fn score(language: Language, side: Side, score: Score) -> String {
    let red = if side == Side::Red { score } else { -score };
    match mate_moves(score) {
        Some(moves) => {
            let winner = if red > 0 { Key::Red } else { Key::Black };
            language.say(
                Key::WinnerMates,
                &[("winner", &language.word(winner)), ("moves", &language.count(moves.unsigned_abs()))],
            )
        }
        None if is_decided(score) => {
            let (winner, loser) = if red > 0 { (Key::Red, Key::Black) } else { (Key::Black, Key::Red) };
            language.say(Key::WinnerByRule, &[("winner", &language.word(winner)), ("loser", &language.word(loser))])
        }
        None if !is_evaluation(score) => {
            let winner = if red > 0 { Side::Red } else { Side::Black };
            language.say(Key::EndingWon, &[("winner", &winner.title(language))])
        }
        None => format!("{:+.2}", f64::from(red) / 100.0),
    }
}
