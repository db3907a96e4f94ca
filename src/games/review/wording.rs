//! Judgements and reasons as text.

use super::scored_line::SHOWN_PLIES;
use super::{Deed, Effect, Judgement, Reason, Reviewed};
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::Game;
use chuhe_board::score::{Score, is_decided, is_evaluation, mate_moves};
use chuhe_board::words::{Key, Language};
use chuhe_board::{Kind, Piece, Side};
use std::fmt::Display;

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
            Reason::LosesByRule(ruling) => language.say(Key::LosesByRules, &[("ruling", &ruling.cause(language))]),
            Reason::MissesWinByRule(ruling) => {
                language.say(Key::MissesWinByRules, &[("ruling", &ruling.cause(language))])
            }
            Reason::Loses { lost, taken } if taken.is_empty() => {
                language.say(Key::LosesPieces, &[("lost", &pieces(language, side, lost))])
            }
            Reason::Loses { lost, taken } => {
                let (lost, taken) = exchanged(language, (side, lost), (!side, taken));
                language.say(Key::LosesPiecesFor, &[("lost", &lost), ("taken", &taken)])
            }
            Reason::MissesWin { won, given } if given.is_empty() => {
                language.say(Key::MissesPieces, &[("won", &pieces(language, !side, won))])
            }
            Reason::MissesWin { won, given } => {
                let (won, given) = exchanged(language, (!side, won), (side, given));
                language.say(Key::MissesPiecesFor, &[("won", &won), ("given", &given)])
            }
            Reason::AllowsThreat(1) => language.word(Key::AllowsMateThreat).to_owned(),
            Reason::MissesThreat(1) => language.word(Key::MissesMateThreat).to_owned(),
            Reason::AllowsThreat(n) => language.say(Key::AllowsThreat, &[("moves", &moves(n))]),
            Reason::MissesThreat(n) => language.say(Key::MissesThreat, &[("moves", &moves(n))]),
            Reason::AllowsDraw(ruling) => language.say(Key::AllowsDraw, &[("ruling", &ruling.cause(language))]),
            Reason::MissesDraw(ruling) => language.say(Key::MissesDraw, &[("ruling", &ruling.cause(language))]),
            Reason::LosesEnding => language.word(Key::LosesEnding).to_owned(),
            Reason::MissesEnding => language.word(Key::MissesEnding).to_owned(),
            Reason::Lets(deeds) => language.say(Key::LetsDo, &[("deeds", &all(language, deeds, ""))]),
            Reason::MissesDeeds(deeds) => language.say(Key::MissesDoing, &[("deeds", &all(language, deeds, " to"))]),
            Reason::Both(first, second) => {
                let [first, second] = [first, second].map(|reason| reason.say(language, side));
                language.say(Key::TwoReasons, &[("first", &first), ("second", &second)])
            }
            Reason::LimitsPiece(piece) => {
                language.say(Key::LimitsPiece, &[("piece", &piece.noun_with_owner(language))])
            }
            Reason::FreesPiece(piece) => language.say(Key::FreesPiece, &[("piece", &piece.noun_with_owner(language))]),
            Reason::Position => language.word(Key::WorsensPosition).to_owned(),
        }
    }
}

impl Deed {
    /// Returns the deed as a clause that follows a verb such as `lets`: `Black's rook attack a horse`.
    pub fn say(&self, language: Language) -> String {
        self.clause(language, &self.piece.noun_with_owner(language), "")
    }

    /// Returns the deed as a clause with this subject, and `to` before the verb in English.
    fn clause(&self, language: Language, subject: &str, to: &str) -> String {
        let to = if language == Language::English { to } else { "" };
        let side = self.piece.side();
        let (king, equal) = (Some(&Kind::King), [self.piece.kind()]);
        let key = match self.effect {
            Effect::Forks if self.targets.first() == king => Key::DeedForksKing,
            Effect::Forks => Key::DeedForks,
            Effect::DrivesAway => Key::DeedDrivesAway,
            Effect::Threatens => Key::DeedThreatens,
            Effect::Takes => Key::DeedTakes,
            Effect::Trades if self.targets[..] == equal => Key::DeedExchanges,
            Effect::Trades => Key::DeedTrades,
            Effect::Uncovers => Key::DeedUncovers,
            Effect::Pins => Key::DeedPins,
            Effect::Blocks => Key::DeedBlocks,
            Effect::Cuts => Key::DeedCuts,
            Effect::ShutsIn => Key::DeedShutsIn,
            Effect::Protects => Key::DeedProtects,
            Effect::Checks => Key::DeedChecks,
            Effect::UncoversCheck => Key::DeedUncoversCheck,
            Effect::Crosses => Key::DeedCrosses,
            Effect::Aims => Key::DeedAims,
            Effect::Frees => Key::DeedFrees,
        };
        let owner = if self.effect == Effect::Protects { side } else { !side };
        // In Chinese, 将军 names the king.
        let is_named =
            |kind: &Kind| !(key == Key::DeedForksKing && language == Language::Chinese && *kind == Kind::King);
        let targets: Vec<Kind> = self.targets.iter().copied().filter(is_named).collect();
        let targets = pieces(language, owner, &targets);
        let own = pieces(language, side, &[self.piece.kind()]);
        let (noun, side) = (self.piece.noun(language), format!("{}{to}", side.title(language)));
        let subject = format!("{subject}{to}");
        let values: [(&str, &dyn Display); 5] =
            [("piece", &subject), ("targets", &targets), ("own", &own), ("noun", &noun), ("side", &side)];
        language.say(key, &values)
    }
}

/// Formats deeds as a list. A piece that moves twice is named once.
fn all(language: Language, deeds: &[Deed], to: &str) -> String {
    let clause = |(index, deed): (usize, &Deed)| {
        let is_same = index > 0 && deeds[index - 1].mv.to == deed.mv.from && deed.effect != Effect::Trades;
        let (subject, to) = if is_same { (String::new(), "") } else { (deed.piece.noun_with_owner(language), to) };
        deed.clause(language, &subject, to).trim_start().to_owned()
    };
    let mut said: Vec<String> = deeds.iter().enumerate().map(clause).collect();
    if let [first, second] = &said[..]
        && first.ends_with(second.as_str())
    {
        said.pop();
    }
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

/// Returns the first moves of a line from the game's position, in the given notation.
pub fn names(game: &Game, line: &[chuhe_board::Move], form: Form) -> Vec<String> {
    let mut position = game.position().clone();
    let name = |&mv| {
        let name = notation::write(&position, mv, form);
        position.make(mv);
        name
    };
    line.iter().take(SHOWN_PLIES).map(name).collect()
}

/// Returns a list of pieces: `a rook and two pawns`, 车、两个兵.
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

/// Returns the pieces that each side loses in an exchange; in Chinese, a single piece exchanged for several
/// has a number: 双马换一炮.
fn exchanged(language: Language, one: (Side, &[Kind]), other: (Side, &[Kind])) -> (String, String) {
    let text = |(owner, kinds): (Side, &[Kind]), count: usize| {
        let number = if language == Language::Chinese && kinds.len() == 1 && count > 1 { "一" } else { "" };
        format!("{number}{}", pieces(language, owner, kinds))
    };
    (text(one, other.1.len()), text(other, one.1.len()))
}

fn group(language: Language, owner: Side, kind: Kind, count: usize) -> String {
    const ENGLISH: [&str; 6] = ["no", "a", "two", "three", "four", "five"];
    const CHINESE: [&str; 6] = ["", "", "双", "三个", "四个", "五个"];
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
        Language::Chinese => {
            let number = if kind == Kind::Pawn && count == 2 { "两个" } else { CHINESE[count.min(5)] };
            format!("{number}{}", Piece::new(owner, kind).character())
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn deed(effect: Effect, mv: &str, kind: Kind, targets: &[Kind]) -> Deed {
        let piece = Piece::new(Side::Black, kind);
        Deed { effect, mv: mv.parse().expect("a move"), piece, targets: targets.to_vec() }
    }

    fn both(reason: &Reason) -> [String; 2] {
        [Language::English, Language::Chinese].map(|language| reason.say(language, Side::Red))
    }

    #[test]
    fn a_piece_that_moves_twice_is_named_once() {
        let [blocks, takes] = [
            deed(Effect::Blocks, "b9b6", Kind::Rook, &[Kind::Horse]),
            deed(Effect::Takes, "b6b5", Kind::Rook, &[Kind::Pawn]),
        ];
        let said = both(&Reason::MissesDeeds(vec![blocks.clone(), takes]));
        assert_eq!(said[0], "it misses the chance for Black's rook to block a horse and take a pawn");
        assert_eq!(said[1], "错过黑车蹩住马腿、吃兵的机会");
        let takes = deed(Effect::Takes, "a3a4", Kind::Rook, &[Kind::Pawn]);
        let said = both(&Reason::Lets(vec![blocks, takes]));
        assert_eq!(said[0], "it lets Black's rook block a horse and Black's rook take a pawn");
    }

    #[test]
    fn exchanges_and_forks_are_named() {
        let said = |effect, kind, targets: &[Kind]| both(&Reason::Lets(vec![deed(effect, "b9b6", kind, targets)]));
        let exchange = said(Effect::Trades, Kind::Cannon, &[Kind::Cannon]);
        assert_eq!(exchange, ["it lets Black exchange cannons", "让黑方兑炮"].map(str::to_owned));
        let trade = said(Effect::Trades, Kind::Horse, &[Kind::Cannon]);
        assert_eq!(trade, ["it lets Black trade a horse for a cannon", "让黑方以马换炮"].map(str::to_owned));
        let fork = said(Effect::Forks, Kind::Horse, &[Kind::King, Kind::Rook, Kind::Pawn]);
        assert_eq!(
            fork,
            ["it lets Black's horse fork the king, a rook and a pawn", "让黑马将军兼捉车、兵"].map(str::to_owned)
        );
        let protects = said(Effect::Protects, Kind::Rook, &[Kind::Horse]);
        assert_eq!(protects, ["it lets Black's rook protect a horse", "让黑车保马"].map(str::to_owned));
        let cuts = said(Effect::Cuts, Kind::Rook, &[Kind::Elephant; 2]);
        assert_eq!(cuts, ["it lets Black's rook separate the elephants", "让黑车塞住象眼"].map(str::to_owned));
    }

    #[test]
    fn several_pieces_are_counted_as_players_say() {
        let loses = |lost: &[Kind], taken: &[Kind]| {
            both(&Reason::Loses { lost: lost.to_vec(), taken: taken.to_vec() })[1].clone()
        };
        assert_eq!(loses(&[Kind::Horse; 2], &[Kind::Cannon]), "以双马换一炮，得不偿失");
        assert_eq!(loses(&[Kind::Horse], &[Kind::Cannon]), "以马换炮，得不偿失");
        assert_eq!(loses(&[Kind::Pawn; 3], &[]), "丢三个兵");
        assert_eq!(loses(&[Kind::Pawn; 2], &[]), "丢两个兵");
    }

    #[test]
    fn two_reasons_are_one_sentence() {
        let first = Reason::MissesWin { won: vec![Kind::Rook], given: vec![Kind::Horse] };
        let second = Reason::AllowsThreat(2);
        let said = both(&Reason::Both(Box::new(first), Box::new(second)));
        let start = "it misses a chance to win a rook for a horse, and it lets the opponent threaten mate in ";
        assert!(said[0].starts_with(start), "{}", said[0]);
        assert!(said[1].starts_with("错失以马换车的机会，且让对方形成"), "{}", said[1]);
    }
}
