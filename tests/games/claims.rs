//! Recomputes the claims of remarks from their lines, with code of its own.

use chuhe_board::rules::{Game, Outcome, RuleSet, Verdict, rule};
use chuhe_board::{Kind, Move, Piece, Position, Side, Square, exchange_value};
use chuhe_engine::mates::shortest;
use chuhe_games::review::{Deed, Effect, Reason, Reviewed};

/// Number of plies of a line in a report.
const SHOWN: usize = 10;

/// A line with its positions, and its captures by ply with the victim and its square at the start.
struct Line {
    moves: Vec<Move>,
    positions: Vec<Position>,
    taken: Vec<(usize, Piece, Square)>,
}

impl Line {
    fn new(start: &Position, moves: &[Move]) -> Line {
        let mut line = Line { moves: moves.to_vec(), positions: vec![start.clone()], taken: Vec::new() };
        for (ply, mv) in moves.iter().enumerate() {
            let mut position = line.positions[ply].clone();
            if let Some(victim) = position.piece_on(mv.to) {
                line.taken.push((ply, victim, line.origin(ply, mv.to)));
            }
            position.make(*mv);
            line.positions.push(position);
        }
        line
    }

    /// Returns the square at the start of the piece that is on a square after `plies` plies.
    fn origin(&self, plies: usize, square: Square) -> Square {
        self.moves[..plies].iter().rev().fold(square, |at, mv| if mv.to == at { mv.from } else { at })
    }

    /// Returns the kinds that a side loses, with those that can be captured after the last move.
    fn victims(&self, side: Side) -> Vec<Kind> {
        let last = &self.positions[self.moves.len()];
        let hanging = last.legal_moves().into_iter().filter_map(|mv| last.piece_on(mv.to));
        let taken = self.taken.iter().map(|(_, victim, _)| *victim);
        taken.chain(hanging).filter(|piece| piece.side() == side).map(Piece::kind).collect()
    }

    /// Returns the value of the most valuable piece that can be captured after `plies` plies where the last
    /// move captured one.
    fn recapture(&self, plies: usize) -> i32 {
        let plies = plies.min(self.moves.len());
        let Some(last) = self.moves[..plies].last() else { return 0 };
        let (before, after) = (&self.positions[plies - 1], &self.positions[plies]);
        let is_possible = before.piece_on(last.to).is_some() && after.legal_moves().iter().any(|mv| mv.to == last.to);
        let value = after.piece_on(last.to).map_or(0, |piece| exchange_value(piece.kind()));
        if is_possible { value } else { 0 }
    }

    /// Returns the value of the pieces that a side wins minus those that it loses, after a number of plies.
    fn gain(&self, side: Side, plies: usize) -> i32 {
        let value = |piece: Piece| exchange_value(piece.kind()) * if piece.side() == side { -1 } else { 1 };
        self.taken.iter().filter(|(ply, ..)| *ply < plies).map(|(_, victim, _)| value(*victim)).sum()
    }
}

/// Returns `true` if `all` contains every kind of `some`, as often.
fn contains(mut all: Vec<Kind>, some: &[Kind]) -> bool {
    some.iter().all(|kind| all.iter().position(|one| one == kind).map(|place| all.remove(place)).is_some())
}

fn expect(condition: bool, text: &str) -> Result<(), String> {
    if condition { Ok(()) } else { Err(text.to_owned()) }
}

/// Returns the number of moves of a mate by checks that the last mover threatens after `plies` plies.
fn threat(line: &Line, plies: usize) -> Option<usize> {
    let mut position = line.positions.get(plies)?.clone();
    if position.in_check() {
        return None;
    }
    position.make_null();
    shortest(&position, 3, 200_000).map(|mate| mate.line.len().div_ceil(2))
}

/// Checks the reason of a reviewed move; `game` is the game before it.
pub(crate) fn check(game: &Game, reviewed: &Reviewed) -> Result<(), String> {
    let [best, played] = [&reviewed.best, &reviewed.played].map(|line| Line::new(game.position(), &line.moves));
    check_reason(game, reviewed, reviewed.reason.as_ref().expect("a reason"), &best, &played)
}

fn check_reason(game: &Game, reviewed: &Reviewed, reason: &Reason, best: &Line, played: &Line) -> Result<(), String> {
    let side = reviewed.side;
    let is_drawn = |line: &Line| {
        let mut game = game.clone();
        line.moves.iter().any(|mv| {
            game.make(*mv);
            let ruling = rule(&game, RuleSet::Asian.terms().with_folds(2));
            matches!(ruling.verdict, Verdict::Over(Outcome::Draw, _))
        })
    };
    // The last capture of a line may be answered by another one.
    let differs = || {
        let difference = |plies: usize| {
            best.gain(side, plies) - played.gain(side, plies) + best.recapture(plies) + played.recapture(plies)
        };
        expect((1..SHOWN + 6).any(|plies| difference(plies) >= 100), "both lines have the same material")
    };
    match reason {
        Reason::Loses { lost, taken } => {
            expect(contains(played.victims(side), lost), "the line does not lose these pieces")?;
            expect(contains(played.victims(!side), taken), "the line does not take these pieces")?;
            differs()
        }
        Reason::MissesWin { won, given } => {
            expect(contains(best.victims(!side), won), "the line does not win these pieces")?;
            expect(contains(best.victims(side), given), "the line does not give these pieces")?;
            differs()
        }
        Reason::AllowsDraw(_) => expect(is_drawn(played), "no draw"),
        Reason::MissesDraw(_) => expect(is_drawn(best), "no draw"),
        Reason::AllowsThreat(n) => {
            expect(threat(played, 2) == Some(*n as usize), "no threat")?;
            expect(threat(best, 2).is_none(), "the other line has a threat too")
        }
        Reason::MissesThreat(n) => {
            expect(threat(best, 1) == Some(*n as usize), "no threat")?;
            expect(threat(played, 1).is_none(), "the other line has a threat too")
        }
        Reason::Lets(deeds) => deeds.iter().try_for_each(|deed| check_deed(deed, !side, played, best)),
        Reason::MissesDeeds(deeds) => deeds.iter().try_for_each(|deed| check_deed(deed, side, best, played)),
        Reason::Both(first, second) => {
            check_reason(game, reviewed, first, best, played)?;
            check_reason(game, reviewed, second, best, played)
        }
        _ => Ok(()),
    }
}

/// Checks that a deed of `side` is in `line`, and that it has the effect that its name promises.
fn check_deed(deed: &Deed, side: Side, line: &Line, other: &Line) -> Result<(), String> {
    let is_here = |ply: &usize| line.positions[*ply].side() == side && line.moves[*ply] == deed.mv;
    let plies: Vec<usize> = (0..line.moves.len()).filter(is_here).collect();
    let found = plies.iter().map(|&ply| check_effect(deed, ply, line, other)).reduce(Result::or);
    found
        .unwrap_or_else(|| Err("the line does not contain the move".to_owned()))
        .map_err(|text| format!("{deed:?}: {text}"))
}

fn check_effect(deed: &Deed, ply: usize, line: &Line, other: &Line) -> Result<(), String> {
    let (before, after) = (&line.positions[ply], &line.positions[ply + 1]);
    let (mv, piece) = (deed.mv, before.piece_on(deed.mv.from).ok_or("no piece")?);
    let (side, enemy) = (piece.side(), !piece.side());
    let squares = |owner: Side, kind: Kind| -> Vec<Square> { after.pieces(owner, kind).into_iter().collect() };
    // Pseudo-legal captures.
    let attackers = |target: Square| -> Vec<Square> { after.attackers(side, target).into_iter().collect() };
    let is_captured = |square: Square| {
        let origin = line.origin(ply, square);
        other.taken.iter().any(|(at, victim, from)| *at <= ply && *from == origin && victim.side() == enemy)
    };
    expect(deed.effect == Effect::Trades || piece == deed.piece, "another piece moves")?;
    for &kind in &deed.targets {
        let owner = if deed.effect == Effect::Protects { side } else { enemy };
        let taken = before.piece_on(mv.to).map(Piece::kind) == Some(kind);
        expect(taken || !squares(owner, kind).is_empty(), "no such target")?;
    }
    let attacked_by = |kind: Kind, by: fn(Square, Move) -> bool| {
        squares(enemy, kind).into_iter().any(|target| attackers(target).into_iter().any(|from| by(from, mv)))
    };
    match deed.effect {
        Effect::Takes => {
            let victim = before.piece_on(mv.to).map(Piece::kind);
            expect(victim == deed.targets.first().copied(), "no capture")?;
            expect(!is_captured(mv.to), "the other line captures the piece as early")
        }
        Effect::Forks | Effect::Threatens | Effect::DrivesAway => {
            let own = |kind: &Kind| attacked_by(*kind, |from, mv| from == mv.to);
            expect(deed.targets.iter().all(own), "no attack by the moved piece")
        }
        Effect::Uncovers => {
            let another = |kind: &Kind| attacked_by(*kind, |from, mv| from != mv.to);
            expect(deed.targets.iter().all(another), "no attack by another piece")
        }
        Effect::Checks => expect(after.checkers().has(mv.to), "no check"),
        Effect::UncoversCheck => expect(after.in_check() && !after.checkers().has(mv.to), "no discovered check"),
        Effect::Crosses => expect(piece.kind() == Kind::Pawn && side.has_crossed(mv.to), "no crossing"),
        Effect::Aims => {
            let aimed = |kind: &Kind| squares(enemy, *kind).into_iter().any(|to| sees(after, mv.to, to));
            expect(deed.targets.iter().all(aimed), "not in its line")
        }
        _ => Ok(()),
    }
}

/// Returns `true` if the piece on a square attacks another one, or would do so with one piece less between.
fn sees(position: &Position, from: Square, to: Square) -> bool {
    let kind = position.piece_on(from).map(Piece::kind);
    let [(file, rank), (other_file, other_rank)] =
        [from, to].map(|square| (square.file().index() as i32, square.rank().index() as i32));
    let is_line = file == other_file || rank == other_rank;
    let steps = (other_file - file).abs().max((other_rank - rank).abs());
    let between = (1..steps)
        .filter_map(|step| from.offset((other_file - file).signum() * step, (other_rank - rank).signum() * step))
        .filter(|square| position.piece_on(*square).is_some())
        .count();
    match kind {
        Some(Kind::Rook) => is_line && between <= 1,
        Some(Kind::Cannon) => is_line && between <= 2,
        _ => position.attackers(!position.side(), to).has(from),
    }
}
