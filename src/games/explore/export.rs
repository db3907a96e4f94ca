//! Exports: positions with book moves, and a tree of moves.

use super::error::Error;
use super::place::Place;
use super::store::Store;
use super::value::Value;
use crate::records::{NodeId, Record};
use chuhe_board::score::is_evaluation;
use chuhe_board::{Move, Position, Side};
use chuhe_engine::book::{BookMove, weigh};
use std::collections::BTreeSet;

/// Limits of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Maximum length of a line, in plies.
    pub plies: u32,
    /// Maximum loss of a move in centipawns, compared with the best move.
    pub margin: u32,
    /// The only side to which `margin` applies; the other side plays all explored moves.
    pub side: Option<Side>,
    /// Maximum number of moves in a tree, at most [`MAX_NODES`](crate::records::MAX_NODES), or of positions
    /// in a book.
    pub moves: usize,
}

impl Store {
    /// Returns the analysed positions with their moves as book moves: all positions, or only positions within
    /// `extent` of a given position. A move that loses half a pawn or more has no weight.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn book(&self, within: Option<(&Position, Extent)>) -> Result<Vec<(Position, Vec<BookMove>)>, Error> {
        let mut positions = Vec::new();
        match within {
            None => self.each(|analysis, _, _| -> Result<(), Error> {
                positions.push(analysis.position);
                Ok(())
            })??,
            Some((start, extent)) => positions = self.within(start, extent)?,
        }
        let moves_of = |position: Position| {
            let view = self.view(&position)?.ok_or(Error::Damaged(Place::of(&position).key))?;
            let moves = view.moves.iter().filter(|entry| !entry.barred);
            let scored = moves.filter_map(|entry| Some((entry.mv, i64::from(entry.value?.score))));
            let moves = weigh(&scored.collect::<Vec<_>>());
            Ok((position, moves))
        };
        positions.into_iter().map(moves_of).collect()
    }

    /// Returns the analysed positions reached by good moves from a position, the nearest first.
    fn within(&self, start: &Position, extent: Extent) -> Result<Vec<Position>, Error> {
        let (mut found, mut next) = (Vec::new(), 0);
        let mut seen = BTreeSet::from([Place::of(start).key]);
        if self.view(start)?.is_some() {
            found.push((start.clone(), 0));
        }
        'all: while let Some((position, plies)) = found.get(next).cloned() {
            next += 1;
            let moves = if plies < extent.plies { self.good_moves(&position, extent)? } else { Vec::new() };
            for (mv, _, _) in moves.into_iter().filter(|(_, _, below)| *below > 0) {
                let mut after = position.clone();
                after.make(mv);
                if found.len() >= extent.moves {
                    break 'all;
                }
                if seen.insert(Place::of(&after).key) {
                    found.push((after, plies + 1));
                }
            }
        }
        found.truncate(extent.moves);
        Ok(found.into_iter().map(|(position, _)| position).collect())
    }

    /// Returns the moves within `extent` from a position as a record with variations. The comment of each
    /// move contains its value from the mover's point of view and the number of positions below it. The
    /// record ends at the maximum number of moves.
    ///
    /// # Errors
    /// Returns an error if the database is damaged.
    pub fn tree(&self, position: &Position, extent: Extent) -> Result<Record, Error> {
        let mut record = Record::new(position.clone());
        // The traversal is breadth-first, so that a truncated tree lacks only its deepest moves.
        let mut open = std::collections::VecDeque::from([(NodeId::ROOT, position.clone(), 0)]);
        while let Some((parent, position, plies)) = open.pop_front() {
            if plies == extent.plies {
                continue;
            }
            for (mv, value, below) in self.good_moves(&position, extent)? {
                if record.tree.len() >= extent.moves {
                    return Ok(record);
                }
                // A full tree has reached the maximum as well.
                let Ok(id) = record.tree.add(parent, mv) else { return Ok(record) };
                record.tree.set_comment(id, &comment(value, below));
                let mut after = position.clone();
                after.make(mv);
                // A position that occurred earlier on the line is not continued, since the tree would be
                // infinite.
                if below > 0 && !occurred(&record, id, &after) {
                    open.push_back((id, after, plies + 1));
                }
            }
        }
        Ok(record)
    }

    /// Returns the moves within the margin or, for the side to which it does not apply, the explored moves.
    fn good_moves(&self, position: &Position, extent: Extent) -> Result<Vec<(Move, Value, u64)>, Error> {
        let Some(view) = self.view(position)? else { return Ok(Vec::new()) };
        let moves = view.moves.iter().filter(|entry| !entry.barred);
        let moves = moves.filter_map(|entry| Some((entry.mv, entry.value?, entry.below)));
        let is_free = extent.side.is_some_and(|side| side != position.side());
        let is_good = |(_, value, below): &(Move, Value, u64)| match is_free {
            true => *below > 0,
            false => value.score >= view.value.score - extent.margin as i32,
        };
        Ok(moves.filter(is_good).collect())
    }
}

fn comment(value: Value, below: u64) -> String {
    match value.score {
        score if is_evaluation(score) => format!("{:+.2}/{} {below}", f64::from(score) / 100.0, value.plies),
        score => format!("{score:+}/{} {below}", value.plies),
    }
}

/// Returns `true` if the position `after` a node's move occurred earlier on the line to the node.
fn occurred(record: &Record, id: NodeId, after: &Position) -> bool {
    let mut position = record.start.clone();
    let mut line = record.tree.line_to(id);
    line.pop();
    line.into_iter().any(|mv| {
        let is_same = position.key() == after.key();
        position.make(mv);
        is_same
    }) || position.key() == after.key()
}
