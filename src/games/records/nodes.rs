//! Trees in binary files: a node, then its continuation, then its next variation.

use super::fault::{Problem, RecordFault};
use super::lookahead::count_lookahead;
use super::record::Record;
use super::start::{Start, is_move};
use super::tree::{Full, NodeId, Tree};
#[cfg(test)]
use chuhe_board::Position;
use chuhe_board::notation::NoSuchMove;
use chuhe_board::{Move, Square, Undo};

/// A node in a file.
pub(super) struct Node {
    /// Offset in the file, in bytes.
    pub at: usize,
    /// Squares of the move; `None` if one of them is not on the board.
    pub squares: Option<(Square, Square)>,
    pub comment: String,
    /// `true` if the next node is the child of this one.
    pub has_next: bool,
    /// `true` if an alternative to the move follows its continuation.
    pub has_variation: bool,
}

/// Reads the nodes after the root into a record. An illegal move is skipped together with its continuation,
/// and reported at the end; comments of skipped moves are added to the preceding move.
pub(super) fn read_tree(
    record: &mut Record,
    start: &mut Start,
    mut read: impl FnMut() -> Result<Node, RecordFault>,
) -> Result<(), RecordFault> {
    let mut position = record.start.clone();
    let mut path: Vec<(NodeId, Move, Undo)> = Vec::new();
    // The last move that was not skipped, and a flag that is `true` while the moves after it are skipped.
    let (mut parent, mut is_left_out, mut variations) = (NodeId::ROOT, !start.can_move, Vec::new());
    let mut bad = None;
    loop {
        let node = read()?;
        count_lookahead(1);
        if node.has_variation {
            variations.push((parent, is_left_out));
        }
        while path.last().is_some_and(|(id, ..)| *id != parent) {
            if let Some((_, mv, undo)) = path.pop() {
                count_lookahead(1);
                position.unmake(mv, undo);
            }
        }
        if record.tree.is_empty() && !is_left_out {
            start.turn_to_the_mover(record, node.squares.map(|(from, to)| Move::new(from, to)));
            position.clone_from(&record.start);
        }
        match node.squares.map(|(from, to)| Move::new(from, to)) {
            Some(mv) if !is_left_out && is_move(&position, mv) => {
                let added = record.tree.add(parent, mv);
                let id =
                    added.map_err(|Full| RecordFault::at_byte(node.at, Problem::TooMuch("the number of moves")))?;
                record.tree.set_comment(id, &node.comment);
                path.push((id, mv, position.make(mv)));
                parent = id;
            }
            other => {
                is_left_out = true;
                let text = other.map_or("?".to_string(), |mv| mv.to_string());
                if !node.comment.is_empty() {
                    record.tree.add_comment(parent, &format!("({text}) {}", node.comment));
                }
                bad.get_or_insert(RecordFault::at_byte(node.at, Problem::Move(text, NoSuchMove::Illegal)));
            }
        }
        if !node.has_next {
            let Some(next) = variations.pop() else { return bad.map_or(Ok(()), Err) };
            (parent, is_left_out) = next;
        }
    }
}

/// Calls `write` for each node, starting with the root; the two flags are `true` if a child or a variation,
/// respectively, follows.
pub(super) fn write_tree(tree: &Tree, mut write: impl FnMut(NodeId, bool, bool)) {
    let mut todo = vec![NodeId::ROOT];
    while let Some(id) = todo.pop() {
        let (child, sibling) = (tree.next(id), tree.sibling(id));
        write(id, child.is_some(), sibling.is_some());
        todo.extend(sibling);
        todo.extend(child);
    }
}

/// Reader for the bytes of a file. Each part is read with its name, so that the error for a truncated file
/// can mention the part.
pub(super) struct Bytes<'b> {
    pub bytes: &'b [u8],
    pub at: usize,
}

impl<'b> Bytes<'b> {
    /// Returns the next `count` bytes.
    pub(super) fn take(&mut self, count: usize, what: &'static str) -> Result<&'b [u8], RecordFault> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| RecordFault::at_byte(self.at, Problem::Cut(what)))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// Returns the next four bytes as a number.
    pub(super) fn number(&mut self, what: &'static str) -> Result<u32, RecordFault> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
}

/// Returns a game with all the data that these formats store: comments, a variation, tags, a result.
#[cfg(test)]
pub(super) fn sample() -> Record {
    let mv = |text: &str| text.parse::<Move>().expect("a move");
    let line = [("h2e2", "当头炮\n第二行"), ("h9g7", ""), ("h0g2", "good")];
    let mut record = Record::of_line(Position::start(), line.map(|(text, said)| (mv(text), said.to_owned())));
    let first = record.tree.next(NodeId::ROOT).expect("its first move");
    let other = record.tree.add(first, mv("b9c7")).expect("room");
    record.tree.set_comment(other, "另一着");
    record.tree.add(NodeId::ROOT, mv("c3c4")).expect("room");
    record.tree.set_comment(NodeId::ROOT, "before");
    for (name, value) in [("Title", "楚河"), ("Date", "2026-11-22"), ("Red", "甲")] {
        record.set_tag(name, value);
    }
    record.result = crate::records::GameResult::BlackWins;
    record
}
