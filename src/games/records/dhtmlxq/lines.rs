//! Lines of a DhtmlXQ game: determines the parents of all lines, and adds their moves and comments to the
//! tree.

use super::names::{Orientation, moves};
use super::tags::Tag;
use crate::records::html;
use crate::records::lookahead::count_lookahead;
use crate::records::start::{Start, is_move};
use crate::records::{Full, Location, NodeId, Problem, Record, RecordFault};
use chuhe_board::notation::NoSuchMove;
use chuhe_board::{Move, Position, Undo};
use std::collections::HashMap;

/// Maximum number of variations. The limit is necessary because the search for the move of a comment follows
/// the chain of parent lines.
pub(in crate::records) const MAX_BRANCHES: usize = 5_000;

/// A line as specified by its tag.
struct ReadBranch<'t> {
    digits: &'t str,
    /// Number of its line of text.
    text_line: usize,
    /// Index of the line from which it branches off.
    parent: usize,
    /// First ply, from 1.
    ply: usize,
    /// Nodes of the readable moves.
    nodes: Vec<NodeId>,
    variations: Vec<usize>,
}

/// Returns the node after the given ply of a line; the node may belong to one of the line's ancestors. For a
/// ply after the last move, returns the last node, since remarks on the result often have such a number.
fn node_at(branches: &[ReadBranch], mut branch: usize, ply: usize) -> Option<NodeId> {
    while ply < branches[branch].ply && branch > 0 {
        branch = branches[branch].parent;
    }
    let ReadBranch { nodes, ply: first, .. } = &branches[branch];
    if ply == 0 { Some(NodeId::ROOT) } else { nodes.get(ply.checked_sub(*first)?).or(nodes.last()).copied() }
}

pub(super) fn read_lines(
    record: &mut Record,
    start: &mut Start,
    view: Orientation,
    tags: &[Tag],
) -> Result<(), RecordFault> {
    let mut faults: Vec<RecordFault> = Vec::new();
    let (branches, names) = gather_branches(tags, &mut faults);
    let first = branches.iter().find(|branch| !branch.digits.is_empty()).map(|branch| branch.text_line);
    let branches = play_branches(record, start, view, branches, &mut faults);
    if let Some(text_line) = first.filter(|_| record.tree.is_empty() && faults.is_empty()) {
        faults.push(RecordFault::at_line(text_line, Problem::NoMoves));
    }
    for Tag { name, value, line } in tags {
        let Some(place) = name.strip_prefix("comment") else { continue };
        let (own, ply) = place.split_once('_').unwrap_or(("0", place));
        let node = names.get(own).zip(ply.parse().ok()).and_then(|(own, ply)| node_at(&branches, *own, ply));
        let text = with_commands(&html::text(value).replace("||", "\n"));
        match node.or((ply == "0").then_some(NodeId::ROOT)) {
            Some(node) => record.tree.add_comment(node, text.trim()),
            None => {
                // The text is kept although its move is missing.
                record.tree.add_comment(NodeId::ROOT, text.trim());
                faults.push(RecordFault::at_line(*line, named(name, "is for a move that does not exist")));
            }
        }
    }
    let first = faults.into_iter().min_by_key(|fault| match fault.location {
        Location::Line(line) | Location::Byte(line) => line,
    });
    first.map_or(Ok(()), Err)
}

/// Restores the brackets of commands such as `[%clk 0:01:02]`, which the writer makes full-width.
fn with_commands(text: &str) -> String {
    let mut parts = text.split("［%");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('］') {
            Some((command, rest)) => plain += &format!("[%{command}]{rest}"),
            None => plain += &format!("［%{part}"),
        }
    }
    plain
}

fn named(name: &str, what: &str) -> Problem {
    Problem::Form(format!("{} {what}", name.chars().take(40).collect::<String>()))
}

/// Returns the lines of a game, the main line first if there is one, and their indices by name.
fn gather_branches<'t>(
    tags: &[Tag<'t>],
    faults: &mut Vec<RecordFault>,
) -> (Vec<ReadBranch<'t>>, HashMap<&'t str, usize>) {
    let (mut branches, mut names): (Vec<ReadBranch>, HashMap<&str, usize>) = Default::default();
    let branch = |tag: &Tag<'t>, parent, ply| {
        let (digits, text_line) = (tag.value, tag.line);
        ReadBranch { digits, text_line, parent, ply, nodes: Vec::new(), variations: Vec::new() }
    };
    if let Some(main) = tags.iter().find(|tag| tag.name == "movelist") {
        names.insert("0", 0);
        branches.push(branch(main, 0, 1));
    }
    // A line has a higher number than its parent, but may precede it in a script.
    let mut variations: Vec<(usize, [&str; 3], &Tag)> = tags.iter().filter_map(variation).collect();
    variations.sort_by_key(|(own, ..)| *own);
    for (_, [parent, ply, own], tag) in variations {
        let ply = ply.parse().unwrap_or(0);
        let Some(&parent) = names.get(parent).filter(|_| ply > 0) else {
            faults.push(RecordFault::at_line(tag.line, named(tag.name, "branches from a line that does not exist")));
            continue;
        };
        if branches.len() >= MAX_BRANCHES {
            faults.push(RecordFault::at_line(tag.line, Problem::TooMuch("the number of variations")));
            break;
        }
        // A line that branches off at or before its parent's first move actually belongs to the parent's
        // parent.
        let mut parent: usize = parent;
        while parent > 0 && ply <= branches[parent].ply {
            parent = branches[parent].parent;
        }
        let index = branches.len();
        names.insert(own, index);
        branches[parent].variations.push(index);
        branches.push(branch(tag, parent, ply));
    }
    (branches, names)
}

/// Returns the number of a variation, and the parts of its name: `move_0_2_1`, or `0_2_1` in a script.
fn variation<'a, 't>(tag: &'a Tag<'t>) -> Option<(usize, [&'t str; 3], &'a Tag<'t>)> {
    let is_part = tag.name.starts_with(|first: char| first.is_ascii_digit());
    let name = if is_part { tag.name } else { tag.name.strip_prefix("move_")? };
    let mut parts = name.split('_');
    let [Some(parent), Some(ply), Some(own), None] = std::array::from_fn(|_| parts.next()) else { return None };
    Some((own.parse().unwrap_or(usize::MAX), [parent, ply, own], tag))
}

/// Plays all lines; each move is played once.
fn play_branches<'t>(
    record: &mut Record,
    start: &mut Start,
    view: Orientation,
    mut branches: Vec<ReadBranch<'t>>,
    faults: &mut Vec<RecordFault>,
) -> Vec<ReadBranch<'t>> {
    let mut board = PlayedLine { position: record.start.clone(), path: Vec::new(), view };
    let mut todo = if branches.is_empty() { Vec::new() } else { vec![0] };
    while let Some(index) = todo.pop() {
        let branch = &mut branches[index];
        board.back_to(branch.ply - 1);
        if let Err(problem) = board.play(record, start, branch) {
            faults.push(RecordFault::at_line(branch.text_line, problem));
        }
        // Later branches come first, so that no part of the line is replayed; branches at the same ply keep
        // their order.
        let mut variations = std::mem::take(&mut branches[index].variations);
        variations.reverse();
        variations.sort_by_key(|variation| branches[*variation].ply);
        for variation in variations {
            let ReadBranch { ply, text_line, .. } = branches[variation];
            if ply <= board.path.len() + 1 {
                todo.push(variation);
            } else {
                faults.push(RecordFault::at_line(
                    text_line,
                    Problem::Form("a variation branches from a line that does not exist".into()),
                ));
            }
        }
    }
    branches
}

/// Board after the moves of a line and its ancestors.
struct PlayedLine {
    position: Position,
    path: Vec<(NodeId, Move, Undo)>,
    view: Orientation,
}

impl PlayedLine {
    fn back_to(&mut self, plies: usize) {
        while self.path.len() > plies
            && let Some((_, mv, undo)) = self.path.pop()
        {
            count_lookahead(1);
            self.position.unmake(mv, undo);
        }
    }

    /// Plays the moves of a line.
    fn play(&mut self, record: &mut Record, start: &mut Start, branch: &mut ReadBranch) -> Result<(), Problem> {
        let digits: Vec<u8> = branch.digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        for chunk in moves(&digits) {
            count_lookahead(1);
            let illegal = || Problem::Move(String::from_utf8_lossy(chunk).into_owned(), NoSuchMove::Illegal);
            let mv = match chunk {
                [a, b, c, d] => {
                    let (from, to) = (self.view.square(*a, *b), self.view.square(*c, *d));
                    from.zip(to).map(|(from, to)| Move::new(from, to))
                }
                _ => return Err(Problem::Cut("a move")),
            };
            let mv = mv.ok_or_else(illegal)?;
            if record.tree.is_empty() {
                start.turn_to_the_mover(record, Some(mv));
                self.position.clone_from(&record.start);
            }
            if !start.can_move || !is_move(&self.position, mv) {
                return Err(illegal());
            }
            let last = self.path.last().map_or(NodeId::ROOT, |(id, ..)| *id);
            let id = record.tree.add(last, mv).map_err(|Full| Problem::TooMuch("the number of moves"))?;
            branch.nodes.push(id);
            self.path.push((id, mv, self.position.make(mv)));
        }
        Ok(())
    }
}
