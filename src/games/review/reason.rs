//! Reasons for bad moves, derived from the refutation and the better line: mates, rules, endings, captures,
//! and the effects of the moves of both lines.

use super::deed::{Deed, place};
use super::effect::reached;
use super::judgement::Judgement;
use super::material::{Balance, Difference};
use super::scored_line::ScoredLine;
use chuhe_board::rules::{Game, Outcome, Ruling, Terms, Verdict, rule};
use chuhe_board::score::{DRAW, Score, is_decided, is_evaluation, is_mate, mate_moves};
use chuhe_board::{Kind, Move, Piece, Position, Side, Square};
use chuhe_engine::mates::shortest;

/// Reason why a move was bad, as a code with its arguments; `wording` formats it as a sentence.
#[derive(Clone, Debug)]
pub enum Reason {
    /// The opponent mates in this number of moves.
    AllowsMate(u32),
    /// There was a mate in this number of moves.
    MissesMate(u32),
    /// The move, or the line after it, repeats the position and loses by the rules.
    LosesByRule(Box<Ruling>),
    /// The opponent's repetition would have lost by the rules.
    MissesWinByRule(Box<Ruling>),
    /// The refuting line loses these pieces and gains the others.
    Loses {
        /// Lost pieces, the most valuable first; even exchanges are omitted.
        lost: Vec<Kind>,
        /// Pieces captured in return.
        taken: Vec<Kind>,
    },
    /// The better line would have won these pieces.
    MissesWin {
        /// Captured pieces, the most valuable first; even exchanges are omitted.
        won: Vec<Kind>,
        /// Pieces lost in return.
        given: Vec<Kind>,
    },
    /// The opponent's reply threatens mate by checks in this number of moves.
    AllowsThreat(u32),
    /// The better move would have threatened mate by checks in this number of moves.
    MissesThreat(u32),
    /// The line leads to a draw by the rules.
    AllowsDraw(Box<Ruling>),
    /// The better line would have drawn by the rules.
    MissesDraw(Box<Ruling>),
    /// The ending is lost according to a tablebase.
    LosesEnding,
    /// The ending was won according to a tablebase.
    MissesEnding,
    /// The opponent's next moves have these effects.
    Lets(Vec<Deed>),
    /// The moves of the better line would have had these effects.
    MissesDeeds(Vec<Deed>),
    /// Material that does not explain the loss by itself, and another reason.
    Both(Box<Reason>, Box<Reason>),
    /// This piece of the mover reaches fewer squares in the line that was played.
    LimitsPiece(Piece),
    /// This piece of the opponent reaches more squares in the line that was played.
    FreesPiece(Piece),
    /// None of these: the lines contain no effect.
    Position,
}

/// Maximum length of a threatened mate in moves, and maximum number of nodes of the search for it.
const MAX_THREAT: usize = 3;
const THREAT_NODES: u64 = 20_000;
/// Minimum weight of a deed that is named in addition to lost material.
const CLEAR: i32 = 75;
/// Minimum weight of a deed that is named for a move that is not a blunder.
const WEAK: i32 = 20;
/// Maximum number of plies after which the activity of pieces is compared.
const COMPARED_PLIES: usize = 6;
/// Minimum number of squares by which a more active piece reaches more.
const ACTIVE: i32 = 4;

impl Reason {
    /// Returns the reason why `played` is worse than `best`; both lines begin in the game's position.
    pub(crate) fn of(game: &Game, best: &ScoredLine, played: &ScoredLine, terms: Terms) -> Reason {
        let moves = |score: Score| mate_moves(score).map_or(0, i32::unsigned_abs);
        if is_mate(played.score) && played.score < 0 {
            return Reason::AllowsMate(moves(played.score));
        }
        if is_decided(played.score)
            && played.score < 0
            && let Some(reason) = end_by_rule(game, &played.moves, terms)
        {
            return Reason::LosesByRule(reason);
        }
        if is_mate(best.score) && best.score > 0 {
            return Reason::MissesMate(moves(best.score));
        }
        if is_decided(best.score)
            && best.score > 0
            && let Some(reason) = end_by_rule(game, &best.moves, terms)
        {
            return Reason::MissesWinByRule(reason);
        }
        let is_by_table = |score: Score| !is_evaluation(score) && !is_decided(score);
        if is_by_table(played.score) && played.score < 0 {
            return Reason::LosesEnding;
        }
        if is_by_table(best.score) && best.score > 0 {
            return Reason::MissesEnding;
        }
        let found = Difference::find(game.position(), best, played);
        let explains = found.as_ref().is_some_and(|found| found.explains(best.score - played.score));
        let is_near = found.as_ref().is_some_and(|found| found.is_near);
        let material = found.and_then(Reason::by_material);
        if let Some(material) = &material
            && explains
            && is_near
        {
            return material.clone();
        }
        let forced = Reason::by_draw(game, best, played, terms).or_else(|| Reason::by_threat(game, best, played));
        match (material, forced) {
            (Some(material), Some(forced)) if is_near => Reason::Both(Box::new(material), Box::new(forced)),
            (_, Some(forced)) => forced,
            (Some(material), None) if explains => material,
            (Some(material), None) => match Reason::by_deeds(game, best, played, Some(&material)) {
                Reason::Position => material,
                other => Reason::Both(Box::new(material), Box::new(other)),
            },
            (None, None) => Reason::by_deeds(game, best, played, None),
        }
    }

    /// Returns the greater part of a difference in material: the loss of only the played line, or the gain of
    /// only the better line. A line is described by itself, with everything that it loses and wins, unless the
    /// other line loses or wins a part of it. Returns `None` if the played line loses nothing by itself, and
    /// the better one wins nothing.
    pub(super) fn by_material(difference: Difference) -> Option<Reason> {
        let is_loss = difference.is_loss();
        let Difference { played, best, alone: [loses, wins], has_common_loss, has_common_win, .. } = difference;
        if loses.gain() < 0 && (is_loss || wins.gain() <= 0 && !has_common_loss) {
            let Balance { lost, taken } = if has_common_loss { played } else { loses };
            return Some(Reason::Loses { lost, taken });
        }
        let won = if !is_loss && (has_common_win || wins.gain() <= 0) { best } else { wins };
        (won.gain() > 0).then_some(Reason::MissesWin { won: won.taken, given: won.lost })
    }

    /// Returns a reason if one of the lines ends in a draw by repetition or another rule.
    fn by_draw(game: &Game, best: &ScoredLine, played: &ScoredLine, terms: Terms) -> Option<Reason> {
        let draw = |found: &ScoredLine| {
            let ruling = (found.score == DRAW).then(|| end_by_rule(game, &found.moves, terms))??;
            matches!(ruling.verdict, Verdict::Over(Outcome::Draw, _)).then_some(ruling)
        };
        draw(played).map(Reason::AllowsDraw).or_else(|| draw(best).map(Reason::MissesDraw))
    }

    /// Returns a threat of mate that only one of the lines contains.
    fn by_threat(game: &Game, best: &ScoredLine, played: &ScoredLine) -> Option<Reason> {
        let threat = |line: &ScoredLine, plies: usize| threat(game, line.moves.get(..plies)?);
        let allowed = threat(played, 2).filter(|_| threat(best, 2).is_none());
        let missed = || threat(best, 1).filter(|_| threat(played, 1).is_none());
        allowed.map(Reason::AllowsThreat).or_else(|| missed().map(Reason::MissesThreat))
    }

    /// Returns the most important effects of the opponent's next moves, or those of the better line if they
    /// are more important. `material` is another reason, whose captures are not named again.
    fn by_deeds(game: &Game, best: &ScoredLine, played: &ScoredLine, material: Option<&Reason>) -> Reason {
        let deeds = |line: &ScoredLine, first: usize, other: &[Move]| {
            let mut deeds = Deed::of_line(game.position(), &line.moves, first, other);
            let is_named = match material {
                Some(Reason::Loses { .. }) => first == 1,
                Some(_) => first == 0,
                None => false,
            };
            deeds.retain(|(_, deed)| !is_named || !deed.effect.is_capture());
            Deed::keep_greatest(deeds)
        };
        let is_blunder = Judgement::of(best.score, played.score) == Some(Judgement::Blunder);
        let ((allows, allowed), (misses, missed)) = (deeds(played, 1, &best.moves), deeds(best, 0, &played.moves));
        let least = if material.is_some() {
            CLEAR
        } else if is_blunder {
            1
        } else {
            WEAK
        };
        match allows.max(misses) {
            weight if weight >= least && allows < misses => Reason::MissesDeeds(missed),
            weight if weight >= least => Reason::Lets(allowed),
            _ if material.is_some() => Reason::Position,
            _ => {
                let plies = best.moves.len().min(played.moves.len()).min(COMPARED_PLIES) / 2 * 2;
                match Reason::by_activity(game.position(), &best.moves[..plies], &played.moves[..plies], ACTIVE) {
                    Reason::Position if is_blunder => Reason::by_moves_of_one_line(game.position(), best, played),
                    other => other,
                }
            }
        }
    }

    /// Returns the most important effects of moves that only one of the lines contains, without comparing
    /// effects; if there are none, the greatest difference in activity.
    fn by_moves_of_one_line(start: &Position, best: &ScoredLine, played: &ScoredLine) -> Reason {
        let deeds = |line: &ScoredLine, first: usize, other: &ScoredLine| {
            let mut deeds = Deed::of_line(start, &line.moves, first, &[]);
            deeds.retain(|(_, deed)| other.moves.iter().all(|mv| mv.to != deed.mv.to));
            Deed::keep_greatest(deeds)
        };
        match (deeds(played, 1, best), deeds(best, 0, played)) {
            ((0, _), (0, _)) => {
                let [best, played] = [best, played].map(|line| &line.moves[..line.moves.len().min(COMPARED_PLIES)]);
                Reason::by_activity(start, best, played, 1)
            }
            ((allows, allowed), (misses, _)) if allows >= misses => Reason::Lets(allowed),
            (_, (_, missed)) => Reason::MissesDeeds(missed),
        }
    }

    /// Returns the rook, cannon or horse with the greatest difference in activity after the two lines, at
    /// least `least` squares.
    fn by_activity(start: &Position, best: &[Move], played: &[Move], least: i32) -> Reason {
        let [better, worse] = [best, played].map(|line| {
            let mut position = start.clone();
            for &mv in line {
                position.make(mv);
            }
            position
        });
        let mover = start.side();
        let difference = |square: Square| {
            let piece = start.piece_on(square)?;
            let [in_better, in_worse] = [(&better, best), (&worse, played)].map(|(position, line)| {
                place(line, square).map(|square| reached(position, piece.side(), piece.kind(), square))
            });
            let gain = in_better? - in_worse?;
            Some((if piece.side() == mover { gain } else { -gain }, piece))
        };
        let pieces = start.major_pieces(Side::Red) | start.major_pieces(Side::Black);
        match pieces.into_iter().filter_map(difference).max_by_key(|(gain, _)| *gain) {
            Some((gain, _)) if gain < least => Reason::Position,
            Some((_, piece)) if piece.side() == mover => Reason::LimitsPiece(piece),
            Some((_, piece)) => Reason::FreesPiece(piece),
            None => Reason::Position,
        }
    }
}

/// Returns the ruling that ends the game at the end of a line or earlier.
fn end_by_rule(game: &Game, line: &[Move], terms: Terms) -> Option<Box<Ruling>> {
    let mut game = game.clone();
    line.iter().find_map(|&mv| {
        game.make(mv);
        // Like the search, this function judges a repetition at the second occurrence.
        let ruling = rule(&game, terms.with_folds(2));
        (ruling.verdict != Verdict::Open).then(|| Box::new(ruling))
    })
}

/// Returns the number of moves in which the last mover of a line would mate by checks if the other side
/// passed.
fn threat(game: &Game, line: &[Move]) -> Option<u32> {
    let mut position = game.position().clone();
    for &mv in line {
        position.make(mv);
    }
    if position.in_check() {
        return None;
    }
    position.make_null();
    let mate = shortest(&position, MAX_THREAT, THREAT_NODES)?;
    Some(mate.line.len().div_ceil(2) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Effect;
    use chuhe_board::Side;
    use chuhe_board::score::TABLEBASE_WIN;
    use chuhe_board::words::Language;

    fn line(score: Score, text: &str) -> ScoredLine {
        let moves = text.split(' ').map(|mv| mv.parse().expect("a move")).collect();
        ScoredLine { score, moves }
    }

    #[test]
    fn a_threat_of_mate_is_named_by_whoever_makes_it() {
        let reason = |fen: &str, best: &str, played: &str| {
            Reason::by_threat(&Game::from_fen(fen).expect("a position"), &line(300, best), &line(0, played))
        };
        let missed = reason("3k5/4P4/9/8p/9/9/P8/9/9/RN3K3 w", "a0a1 i6i5", "f0f1 i6i5");
        assert!(matches!(missed, Some(Reason::MissesThreat(1))), "{missed:?}");
        let allowed = reason("3k5/4P3r/9/8p/9/9/P8/9/9/RN3K3 b", "i8e8 a0a1", "i6i5 a0a1");
        assert!(matches!(allowed, Some(Reason::AllowsThreat(1))), "{allowed:?}");
        let neither = reason("3k5/4P4/9/8p/9/9/P8/9/9/RN3K3 w", "a0a1 i6i5", "a0a2 i6i5");
        assert!(neither.is_none(), "{neither:?}");
    }

    #[test]
    fn endings_of_tables_are_named() {
        let game = Game::from_fen("3k5/4a4/9/9/9/9/9/9/9/N3K4 w").expect("a position");
        let reason = |best: Score, played: Score| {
            Reason::of(&game, &line(best, "a0b2"), &line(played, "a0c1"), Terms::default())
        };
        assert!(matches!(reason(TABLEBASE_WIN - 3, 0), Reason::MissesEnding));
        assert!(matches!(reason(0, -TABLEBASE_WIN + 4), Reason::LosesEnding));
    }

    #[test]
    fn the_greater_deed_is_named() {
        // Red's pawn opens the rank for an attack on the horse, or another one could have crossed the river.
        let game = Game::from_fen("3k5/9/9/4P3r/9/P8/2N6/9/9/4K4 w").expect("a position");
        let reason = |best: &str, played: &str| Reason::by_deeds(&game, &line(0, best), &line(-100, played), None);
        let lets = reason("a4a5 i6i8", "e6e7 i6c6");
        assert!(matches!(&lets, Reason::Lets(deeds) if deeds[0].effect == Effect::Threatens), "{lets:?}");
        let misses = reason("a4a5 i6i8", "e6e7 i6i5");
        assert!(matches!(&misses, Reason::MissesDeeds(deeds) if deeds[0].effect == Effect::Crosses), "{misses:?}");
        // A reply that is possible after both moves is not a reason.
        let same = reason("a4a5 i6i8", "e0e1 i6e6");
        assert!(matches!(&same, Reason::MissesDeeds(_)), "{same:?}");
    }

    #[test]
    fn a_rook_that_is_less_active_is_named() {
        let game = Game::from_fen("3k5/9/9/9/9/9/9/9/N8/R3K4 w").expect("a position");
        let reason = |better: &str, worse: &str| {
            Reason::by_activity(game.position(), &line(0, better).moves, &line(0, worse).moves, ACTIVE)
        };
        assert!(matches!(reason("a0b0 d9d8", "e0f0 d9d8"), Reason::LimitsPiece(Piece::RedRook)));
        assert!(matches!(reason("e0f0 d9d8", "a0b0 d9d8"), Reason::Position));
    }

    #[test]
    fn a_draw_by_repetition_is_named() {
        let game = Game::read("3k5/9/9/9/9/9/9/9/9/R3K4 w moves e0e1 d9d8 e1e0 d8d9").expect("a game");
        let (best, played) = (line(DRAW, "e0e1 d9d8"), line(-300, "a0a1 d9d8"));
        let reason = Reason::of(&game, &best, &played, Terms::default());
        assert!(matches!(reason, Reason::MissesDraw(_)), "{reason:?}");
        let reason = Reason::of(&game, &line(300, "a0a1 d9d8"), &line(DRAW, "e0e1 d9d8"), Terms::default());
        assert!(matches!(reason, Reason::AllowsDraw(_)), "{reason:?}");
        let said = reason.say(Language::Chinese, Side::Red);
        assert_eq!(said, "导致和棋：局面重复，双方都没有违例");
    }

    #[test]
    fn a_fork_names_what_it_takes_a_move_later() {
        let game = Game::from_fen("3k5/9/9/9/9/9/1n6P/9/9/R3K4 w").expect("a position");
        let (best, played) = (line(700, "a0a1 d9d8"), line(-400, "i3i4 b3c1 e0e1 c1a0"));
        let reason = Reason::of(&game, &best, &played, Terms::default());
        assert!(
            matches!(&reason, Reason::Loses { lost, taken } if lost[..] == [Kind::Rook] && taken.is_empty()),
            "{reason:?}"
        );
    }
}
