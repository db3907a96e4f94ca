//! Material that only one of two lines loses or wins.

use super::deed::winning_captures;
use super::scored_line::{SHOWN_PLIES, ScoredLine};
use chuhe_board::{Kind, Move, Position, Side, exchange_value};

/// Minimum difference to report, in centipawns (rook = 1000).
const NOTABLE: i32 = 110;
/// Numbers of plies after which two lines are compared, as soon as their captures have ended.
const HORIZONS: [usize; 5] = [1, 3, 5, 7, 9];
/// Minimum number of plies of a better line whose captures are compared.
const MIN_PLIES: usize = 3;
/// Number of the first horizons whose difference is accepted even if it exceeds the loss of the score.
const NEAR: usize = 2;

/// Pieces lost and captured by one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Balance {
    pub(super) lost: Vec<Kind>,
    pub(super) taken: Vec<Kind>,
}

impl Balance {
    /// Returns the balance between two positions for the side to move in the first one.
    fn between(now: &Position, after: &Position) -> Balance {
        let side = now.side();
        Balance { lost: missing(now, after, side), taken: missing(now, after, !side) }
    }

    /// Returns the balance without even exchanges.
    pub(super) fn net(&self) -> Balance {
        let (lost, taken) = without_common(self.lost.clone(), self.taken.clone());
        Balance { lost, taken }
    }

    /// Value of the captured pieces minus that of the lost ones, in centipawns.
    pub(super) fn gain(&self) -> i32 {
        value(&self.taken) - value(&self.lost)
    }
}

/// Difference in material between the line that was played and the better line.
pub(super) struct Difference {
    pub(super) played: Balance,
    pub(super) best: Balance,
}

impl Difference {
    /// Returns the lasting difference that is closest to the loss of the score; `None` if the lines have equal
    /// material.
    pub(super) fn find(position: &Position, best: &ScoredLine, played: &ScoredLine) -> Option<Difference> {
        let loss = best.score - played.score;
        let better = if best.moves.len() < MIN_PLIES {
            vec![short(position, &best.moves)]
        } else {
            settled(position, &best.moves)
        };
        let worse = settled(position, &played.moves);
        let found = HORIZONS.map(|plies| {
            let [best, played] = [&better, &worse].map(|line| Balance::between(position, after(line, plies)));
            Difference { played, best }
        });
        let values = found.each_ref().map(Difference::value);
        // Material that is won back a few moves later does not explain a loss, nor does a distant difference that
        // is much greater than the loss: there must be a compensation.
        let lasts = |index: usize| values[index..].iter().all(|later| 2 * later >= values[index]);
        let fits = |index: usize| index < NEAR || 10 * values[index] <= 17 * loss + 1000;
        let fit = (0..found.len()).filter(|&index| values[index] >= NOTABLE && lasts(index) && fits(index));
        // Ratio of the difference and the loss, at least 1.
        let misfit = |index: usize| {
            let (value, loss) = (f64::from(values[index]), f64::from(loss.max(1)));
            (value / loss).max(loss / value)
        };
        let chosen = fit.min_by(|&one, &other| misfit(one).total_cmp(&misfit(other)))?;
        found.into_iter().nth(chosen)
    }

    /// Value in centipawns, positive if the better line is better.
    pub(super) fn value(&self) -> i32 {
        self.best.gain() - self.played.gain()
    }

    /// Returns `true` if the difference is a considerable part of the loss of the score.
    pub(super) fn explains(&self, loss: i32) -> bool {
        5 * self.value() >= 2 * loss
    }
}

/// Returns the position after a line that is too short to be compared; the first one if pieces could be captured.
fn short(start: &Position, line: &[Move]) -> (usize, Position) {
    let mut position = start.clone();
    for &mv in line {
        position.make(mv);
    }
    let is_settled = !position.in_check() && winning_captures(&position).is_empty();
    (line.len(), if is_settled { position } else { start.clone() })
}

/// Returns the positions of a line in which captures have ended, with their plies; if there is none, the last
/// position. Recaptures that the line does not contain are added at its end.
fn settled(start: &Position, line: &[Move]) -> Vec<(usize, Position)> {
    let (mut position, mut found) = (start.clone(), Vec::new());
    let mut line: Vec<Move> = line.iter().copied().take(SHOWN_PLIES).collect();
    let mut plies = 0;
    while plies < line.len() {
        let mv = line[plies];
        let is_capture = position.piece_on(mv.to).is_some();
        position.make(mv);
        plies += 1;
        let captures = winning_captures(&position);
        if plies == line.len() && is_capture {
            line.extend(captures.iter().find(|recapture| recapture.to == mv.to));
        }
        let goes_on_taking = line.get(plies).is_some_and(|next| position.piece_on(next.to).is_some());
        let is_finished = is_capture && plies == line.len();
        if !goes_on_taking && !position.in_check() && (captures.is_empty() || is_finished) {
            found.push((plies, position.clone()));
        }
    }
    if found.is_empty() {
        found.push((plies, position));
    }
    found
}

/// Returns the first settled position after at least `plies` plies, or the last one.
fn after(settled: &[(usize, Position)], plies: usize) -> &Position {
    let index = settled.iter().position(|(at, _)| *at >= plies).unwrap_or(settled.len() - 1);
    &settled[index].1
}

/// Capturable kinds, the most valuable first.
const KINDS: [Kind; 6] = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Advisor, Kind::Elephant, Kind::Pawn];

pub(super) fn value(kinds: &[Kind]) -> i32 {
    kinds.iter().map(|&kind| exchange_value(kind)).sum()
}

/// Returns the pieces lost by a side between two positions, the most valuable first.
fn missing(before: &Position, after: &Position, side: Side) -> Vec<Kind> {
    let count = |position: &Position, kind| position.pieces(side, kind).count() as usize;
    let lost = |kind| count(before, kind).saturating_sub(count(after, kind));
    KINDS.into_iter().flat_map(|kind| std::iter::repeat_n(kind, lost(kind))).collect()
}

/// Removes the kinds that both lists contain, as often as both do.
pub(super) fn without_common(mut ours: Vec<Kind>, mut theirs: Vec<Kind>) -> (Vec<Kind>, Vec<Kind>) {
    ours.retain(|kind| match theirs.iter().position(|other| other == kind) {
        Some(place) => {
            theirs.remove(place);
            false
        }
        None => true,
    });
    (ours, theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Reason;

    fn reason(fen: &str, best: (i32, &str), played: (i32, &str)) -> Option<Reason> {
        let line = |(score, text): (i32, &str)| {
            let moves = text.split(' ').map(|mv| mv.parse().expect("a move")).collect();
            ScoredLine { score, moves }
        };
        let position: Position = fen.parse().expect("a position");
        Difference::find(&position, &line(best), &line(played)).map(|difference| Reason::by_material(&difference))
    }

    #[test]
    fn a_greater_later_loss_is_named_instead_of_a_pawn() {
        // Black's pawn takes a pawn at once and a cannon two moves later.
        let fen = "2b1ka3/4a3C/9/p3N4/6R1P/2r3c2/P3Pp3/4C4/4A4/3AK1c2 w";
        let best = (429, "g5c5 g4h4 e2h2 c4c5 e6c5 h4c4 e1d2 f3e3 c5a6");
        let played = (33, "g5f5 f3e3 f5f4 c4f4 e6f4 e3e2 f4e2 g4e4 e0f0");
        let found = reason(fen, best, played);
        assert!(
            matches!(&found, Some(Reason::Loses { lost, taken }) if lost[..] == [Kind::Cannon] && taken.is_empty()),
            "{found:?}"
        );
    }

    #[test]
    fn a_rook_that_is_lost_four_moves_later_is_named() {
        let fen = "2ba1kbn1/4ar2r/1cn4c1/p1p1p1p2/8p/2P6/P3P1P1P/2NCC1N2/9/1RBAKABR1 w";
        let best = (1025, "d2d8 h9i7 c2d4 i5i4 i3i4 h7g7 b0b6 i8g8 d8f8");
        let played = (535, "c2d4 h9i7 b0b6 b7a7 b6c6 f8f7 c4c5 a7a3 c5d5");
        let found = reason(fen, best, played);
        assert!(matches!(&found, Some(Reason::MissesWin { won, .. }) if won[0] == Kind::Rook), "{found:?}");
    }

    #[test]
    fn a_piece_that_is_lost_in_both_lines_is_no_reason() {
        // Red's cannon takes the horse in both lines; only in the better one Black's rook takes a cannon.
        let fen = "1N2kabC1/r8/3ab4/p3C4/8P/2Pc2p2/P3P4/4n4/4A4/R2AK1c2 b";
        let best = (-368, "e9d9 e6e2 a8h8 a0b0 h8h9 b9a7 g0i0 b0b9 d9d8");
        let played = (-607, "e7c9 e6e2 c9e7 a0b0 a8h8 h9i9 h8h0 b9a7 g0d0");
        let found = reason(fen, best, played);
        assert!(matches!(&found, Some(Reason::MissesWin { won, .. }) if won[..] == [Kind::Cannon]), "{found:?}");
    }

    #[test]
    fn a_loss_is_named_if_the_better_line_gives_something_else() {
        // The better line exchanges horses and loses two pawns; the other one loses a horse to a fork.
        let fen = "4kab2/4a4/9/pnNP2R2/2b6/2PN2B2/P6r1/3K1A3/9/2B2A3 w";
        let best = (452, "d4f5 b6c4 d2d1 c4e3 f5e3 h3e3 g4e2 e3a3 d1e1");
        let played = (225, "c0a2 h3d3 d2e2 d3d4 e2e1 g9e7 g4e2 d4d3 e1e0");
        let found = reason(fen, best, played);
        assert!(matches!(&found, Some(Reason::Loses { lost, .. }) if lost[..] == [Kind::Horse]), "{found:?}");
    }

    #[test]
    fn exchanged_pieces_are_not_named() {
        // The cannon can be taken by the rook for nothing; the cannon that takes it is taken in return.
        let fen = "2bak1b1r/4a4/4c3c/4r1p1p/p1R6/4C1P2/P1P1P3P/2N6/9/R1BAKAB2 b";
        let best = (680, "e6e4 d0e1 e4g4 c0e2 g4g2 c5h5 i7i3 h5h0 g2g3");
        let played = (166, "e7e4 e3e4 e6e4 d0e1 i9h9 c5c9 e4e6 c0e2 i7i3");
        let found = reason(fen, best, played);
        assert!(matches!(&found, Some(Reason::MissesWin { won, .. }) if won[0] == Kind::Cannon), "{found:?}");
    }

    #[test]
    fn an_unfinished_exchange_is_finished() {
        // The line ends when Black's rook has taken a cannon, which is protected.
        let fen = "3k5/9/9/9/9/9/r8/9/C8/R3K4 w";
        let (best, played) = ((0, "e0e1 d9d8"), (-90, "e0f0 a3a1"));
        assert!(reason(fen, best, played).is_none());
    }

    #[test]
    fn material_that_is_won_back_is_no_reason() {
        // Black's pawn takes a pawn, and Red's rook takes it back two moves later.
        let fen = "3k5/9/9/4n4/6p2/6P2/9/9/9/R3K4 w";
        let best = (50, "a0a4 d9d8 e0e1 d8d9 e1e0 d9d8 e0e1 d8d9 e1e0");
        let played = (-30, "a0a1 g5g4 a1g1 d9d8 g1g4 d8d9 e0e1 d9d8 e1e0 d8d9");
        let found = reason(fen, best, played);
        assert!(found.is_none(), "{found:?}");
    }
}
