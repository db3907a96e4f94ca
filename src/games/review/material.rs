//! Material that only one of two lines loses or wins.

use super::scored_line::{SHOWN_PLIES, ScoredLine};
use chuhe_board::{Kind, Move, Position, Side, exchange_value};

/// Minimum exchange value of a rook, a cannon or a horse.
pub(super) const PIECE: i32 = 300;
/// Minimum gain of a capture or a threat, in centipawns (rook = 1000).
pub(super) const GAIN: i32 = 100;
/// Minimum difference to report, in centipawns (rook = 1000).
const NOTABLE: i32 = 110;
/// Numbers of plies after which two lines are compared, as soon as their captures have ended.
const HORIZONS: [usize; 6] = [1, 3, 5, 7, 9, 11];
/// Minimum number of plies of a better line whose captures are compared.
const MIN_PLIES: usize = 3;
/// Maximum number of plies after which a difference is accepted even if it exceeds the loss of the score, and
/// after which a pawn or a defender is accepted. Lines are less reliable towards their end.
const NEAR: usize = 4;
const RELIABLE: usize = 9;
/// Maximum ratio of any other difference and the loss, either way.
const PLAUSIBLE: f64 = 3.0;
/// Maximum difference in value of pieces whose exchange is even.
const EVEN: i32 = 30;

/// Returns the captures of the side to move that win material.
pub(super) fn winning_captures(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    let captures = moves.iter().filter(|mv| position.piece_on(mv.to).is_some());
    captures.filter(|mv| position.exchange_wins(**mv, GAIN)).copied().collect()
}

/// Pieces lost and captured by one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Balance {
    pub(super) lost: Vec<Kind>,
    pub(super) taken: Vec<Kind>,
}

impl Balance {
    /// Returns the pieces that the side to move in `now` has lost and captured when `after` is reached,
    /// ignoring even exchanges.
    pub(super) fn between(now: &Position, after: &Position) -> Balance {
        Balance::whole(now, after).net(EVEN)
    }

    fn whole(now: &Position, after: &Position) -> Balance {
        let side = now.side();
        Balance { lost: missing(now, after, side), taken: missing(now, after, !side) }
    }

    /// Removes exchanges of pieces whose values differ by at most `slack`.
    fn net(self, slack: i32) -> Balance {
        let (lost, taken) = without_common(self.lost, self.taken, slack);
        Balance { lost, taken }
    }

    /// Removes exchanges of a rook, a cannon or a horse for the same kind.
    fn without_exchanges(self) -> Balance {
        let split = |kinds: Vec<Kind>| kinds.into_iter().partition::<Vec<_>, _>(|&kind| exchange_value(kind) >= PIECE);
        let ((lost, mut small_lost), (taken, mut small_taken)) = (split(self.lost), split(self.taken));
        let (mut lost, mut taken) = without_common(lost, taken, 0);
        lost.append(&mut small_lost);
        taken.append(&mut small_taken);
        Balance { lost, taken }
    }

    /// Returns the value of the captured pieces minus that of the lost ones, in centipawns.
    pub(super) fn gain(&self) -> i32 {
        value(&self.taken) - value(&self.lost)
    }
}

/// Difference in material between the line that was played and the better line: pieces that only one of them
/// loses or captures.
pub(super) struct Difference {
    pub(super) played: Balance,
    pub(super) best: Balance,
    /// The balance of each line by itself, without even exchanges: the played line, then the better one.
    pub(super) alone: [Balance; 2],
    /// `true` if the better line also loses a piece that the played line loses by itself.
    pub(super) has_common_loss: bool,
    /// `true` if the played line also wins a piece that the better line wins by itself.
    pub(super) has_common_win: bool,
    /// `false` if the lines contain the difference only late, or if it differs much from the loss.
    pub(super) is_near: bool,
}

impl Difference {
    /// Returns the lasting difference that is closest to the loss of the score; `None` if the lines have
    /// equal material.
    pub(super) fn find(position: &Position, best: &ScoredLine, played: &ScoredLine) -> Option<Difference> {
        let loss = best.score - played.score;
        let better = if best.moves.len() < MIN_PLIES {
            vec![short(position, &best.moves)]
        } else {
            settled(position, &best.moves)
        };
        let worse = settled(position, &played.moves);
        let between = |plies| {
            let [(worse_at, worse), (better_at, better)] = [&worse, &better].map(|line| after(line, plies));
            (*worse_at.max(better_at), Difference::between(position, worse, better))
        };
        let found = HORIZONS.map(between);
        let values = found.each_ref().map(|(_, difference)| difference.value());
        // Material that is won back later does not explain a loss, nor does a distant difference that is much
        // greater than the loss, since the line then contains compensation.
        let end = best.moves.len().min(played.moves.len());
        let at_end = between(end).1.value();
        let lasts = |index: usize| {
            let is_kept = |later: i32| 2 * later >= values[index];
            values[index..].iter().all(|&later| is_kept(later)) && (HORIZONS[index] >= end || is_kept(at_end))
        };
        let fits = |index: usize| {
            let (plies, value) = (found[index].0, values[index]);
            let is_explained = 10 * value <= 17 * loss + 1000;
            plies <= NEAR || is_explained && (plies <= RELIABLE || value >= PIECE && plies <= SHOWN_PLIES + 1)
        };
        // Ratio of the difference and the loss, at least 1.
        let misfit = |index: usize| {
            let (value, loss) = (f64::from(values[index]), f64::from(loss.max(1)));
            (value / loss).max(loss / value)
        };
        // A report does not show how pawns and defenders are lost later.
        let is_shown = |index: usize| found[index].0 <= SHOWN_PLIES + 2 || values[index] >= PIECE;
        let is_plausible = |index: usize| is_shown(index) && misfit(index) <= PLAUSIBLE;
        // A pawn or a defender does not explain a loss of several pawns.
        let is_notable = |value: i32| value >= NOTABLE && (value >= PIECE || 3 * value >= loss);
        let lasting: Vec<usize> = (0..found.len()).filter(|&index| is_notable(values[index]) && lasts(index)).collect();
        let closest = |accepted: &dyn Fn(usize) -> bool| {
            let accepted = lasting.iter().copied().filter(|&index| accepted(index));
            accepted.min_by(|&one, &other| misfit(one).total_cmp(&misfit(other)))
        };
        let near = closest(&fits);
        let chosen = near.or_else(|| closest(&is_plausible))?;
        let difference = found.into_iter().nth(chosen).map(|(_, difference)| difference)?;
        Some(Difference { is_near: near.is_some(), ..difference })
    }

    /// Returns the difference between two positions. Even exchanges and common pieces are removed in both
    /// orders; the result that leaves less in one of the lines is preferred, so that the other line explains
    /// the difference. If that result names a piece that both lines lose or win, common pieces are removed
    /// first.
    fn between(now: &Position, played: &Position, best: &Position) -> Difference {
        let whole = [played, best].map(|after| Balance::whole(now, after));
        let apart = |[played, best]: [Balance; 2]| {
            let (lost, given) = without_common(played.lost, best.lost, 0);
            let (taken, won) = without_common(played.taken, best.taken, 0);
            [Balance { lost, taken }, Balance { lost: given, taken: won }]
        };
        let even = |lines: [Balance; 2]| lines.map(|line| line.net(EVEN));
        let net = whole.clone().map(|line| line.net(0));
        let [only_played, only_best] = apart(whole.clone().map(Balance::without_exchanges));
        let alone = even(whole.clone());
        let is_in = |kinds: &[Kind], all: &[Kind]| kinds.iter().any(|kind| all.contains(kind));
        let has_common_loss = is_in(&alone[0].lost, &whole[1].lost);
        let has_common_win = is_in(&alone[1].taken, &whole[0].taken);
        let found = [even(apart(net)), apart(alone.clone()), even([only_played.clone(), only_best.clone()])];
        let [first, second, common] = found.map(|[played, best]| Difference {
            played,
            best,
            alone: alone.clone(),
            has_common_loss,
            has_common_win,
            is_near: true,
        });
        let rest = |found: &Difference| found.played.gain().abs().min(found.best.gain().abs());
        let chosen = if rest(&second) < rest(&first) { second } else { first };
        let is_of_one_line = match chosen.is_loss() {
            true => without_common(chosen.played.lost.clone(), only_played.lost, 0).0.is_empty(),
            false => without_common(chosen.best.taken.clone(), only_best.taken, 0).0.is_empty(),
        };
        if is_of_one_line { chosen } else { common }
    }

    /// Returns `true` if the played line's loss is at least as large as the better line's gain.
    pub(super) fn is_loss(&self) -> bool {
        -self.played.gain() >= self.best.gain()
    }

    /// Returns the difference in centipawns; positive if the better line gains more.
    pub(super) fn value(&self) -> i32 {
        self.best.gain() - self.played.gain()
    }

    /// Returns `true` if the difference is at least half of the loss of the score.
    pub(super) fn explains(&self, loss: i32) -> bool {
        2 * self.value() >= loss
    }
}

/// Returns the last position of a line that is too short to be compared; the first position if the last one
/// has a winning capture or a check.
fn short(start: &Position, line: &[Move]) -> (usize, Position) {
    let mut position = start.clone();
    for &mv in line {
        position.make(mv);
    }
    let is_settled = !position.in_check() && winning_captures(&position).is_empty();
    (line.len(), if is_settled { position } else { start.clone() })
}

/// Returns the positions of a line in which captures have ended and no piece can be won, with their plies; if
/// there is none, the last position. Recaptures that the line does not contain are added at its end.
fn settled(start: &Position, line: &[Move]) -> Vec<(usize, Position)> {
    let (mut position, mut found, mut plies, mut target) = (start.clone(), Vec::new(), 0, None);
    loop {
        let captures = winning_captures(&position);
        let recapture = captures.iter().find(|mv| target == Some(mv.to));
        let next = line.get(plies).or(recapture).copied();
        let goes_on_taking = next.is_some_and(|next| position.piece_on(next.to).is_some());
        if !goes_on_taking && !position.in_check() && captures.iter().all(|mv| !position.exchange_wins(*mv, PIECE)) {
            found.push((plies, position.clone()));
        }
        let Some(next) = next else { break };
        target = goes_on_taking.then_some(next.to);
        position.make(next);
        plies += 1;
    }
    if found.is_empty() {
        found.push((plies, position));
    }
    found
}

/// Returns the first settled position after at least `plies` plies, or the last one.
fn after(settled: &[(usize, Position)], plies: usize) -> &(usize, Position) {
    let index = settled.iter().position(|(at, _)| *at >= plies).unwrap_or(settled.len() - 1);
    &settled[index]
}

/// Capturable kinds, the most valuable first.
const KINDS: [Kind; 6] = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Advisor, Kind::Elephant, Kind::Pawn];

fn value(kinds: &[Kind]) -> i32 {
    kinds.iter().map(|&kind| exchange_value(kind)).sum()
}

/// Returns the pieces lost by a side between two positions, the most valuable first.
fn missing(before: &Position, after: &Position, side: Side) -> Vec<Kind> {
    let count = |position: &Position, kind| position.pieces(side, kind).count() as usize;
    let lost = |kind| count(before, kind).saturating_sub(count(after, kind));
    KINDS.into_iter().flat_map(|kind| std::iter::repeat_n(kind, lost(kind))).collect()
}

/// Removes pairs of the same kind from two lists, then pairs of pieces whose values differ by at most
/// `slack`.
fn without_common(mut ours: Vec<Kind>, mut theirs: Vec<Kind>, slack: i32) -> (Vec<Kind>, Vec<Kind>) {
    let is_even = |one: Kind, other: Kind| (exchange_value(one) - exchange_value(other)).abs() <= slack;
    for is_exact in [true, false] {
        ours.retain(|&kind| {
            let place = theirs.iter().position(|&other| kind == other || !is_exact && is_even(kind, other));
            place.map(|place| theirs.remove(place)).is_none()
        });
    }
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
        Difference::find(&position, &line(best), &line(played)).and_then(Reason::by_material)
    }

    #[test]
    fn an_unfinished_exchange_is_finished() {
        // The line ends when Black's rook has captured a cannon, which is protected.
        let fen = "3k5/9/9/9/9/9/r8/9/C8/R3K4 w";
        let (best, played) = ((0, "e0e1 d9d8"), (-90, "e0f0 a3a1"));
        assert!(reason(fen, best, played).is_none());
    }

    #[test]
    fn material_that_is_won_back_is_no_reason() {
        // Black's pawn captures a pawn, and Red's rook captures it two moves later.
        let fen = "3k5/9/9/4n4/6p2/6P2/9/9/9/R3K4 w";
        let best = (50, "a0a4 d9d8 e0e1 d8d9 e1e0 d9d8 e0e1 d8d9 e1e0");
        let played = (-30, "a0a1 g5g4 a1g1 d9d8 g1g4 d8d9 e0e1 d9d8 e1e0 d8d9");
        let found = reason(fen, best, played);
        assert!(found.is_none(), "{found:?}");
    }
}
