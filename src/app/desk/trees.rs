//! Games with variations in messages: a flat list of nodes, since JSON limits nesting.

use super::names::MoveNames;
use super::refusal::Refusal;
use chuhe_board::notation;
use chuhe_board::{FenError, Impossible, Move, Position, Setup};
use chuhe_games::records::{Cursor, Diagram, GameResult, NodeId, Record, Step, Tree};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Maximum number of plies of a game in a message.
pub(super) const MAX_TREE_PLIES: usize = 1_000;
/// Upper bound on the number of moves in a tree in a message.
pub(super) const MAX_NODES: usize = 500_000;
/// Maximum number of moves in a tree that includes names; for larger trees, the request `line` returns the
/// names.
const MAX_NAMED: usize = 20_000;

/// A game with variations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct TreeText {
    /// `startpos` or a FEN.
    #[serde(default = "startpos")]
    pub start: String,
    /// Names and values: `Red`, `Black`, `Event`, …
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[serde(default = "unknown")]
    pub result: String,
    /// Comment before the first move.
    #[serde(default)]
    pub comment: String,
    /// Moves, numbered from 1.
    #[serde(default)]
    pub nodes: Vec<NodeText>,
}

/// A move of a game or of a variation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct NodeText {
    /// Number of the previous node; 0 is the root.
    pub parent: usize,
    /// Move in any notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Move in all notations, unless the tree is very large; only in responses.
    #[serde(default, skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub names: Option<MoveNames>,
    /// Comment.
    #[serde(default)]
    pub comment: String,
    /// Numeric annotation glyphs as in PGN, at most four.
    #[serde(default)]
    pub glyphs: Vec<u8>,
}

fn startpos() -> String {
    "startpos".to_owned()
}

fn unknown() -> String {
    GameResult::Unknown.text().to_owned()
}

impl TreeText {
    /// Converts a game from a file.
    pub(crate) fn of(record: &Record) -> TreeText {
        TreeText::of_parts(&record.tree, &record.start, record.start.to_string(), &record.tags, record.result)
    }

    /// Converts a diagram.
    pub(crate) fn of_diagram(diagram: &Diagram) -> TreeText {
        // A diagram without a position has no moves, so any position can be used.
        let position = diagram.position().unwrap_or_else(Position::start);
        TreeText::of_parts(&diagram.tree, &position, diagram.setup.to_string(), &diagram.tags, diagram.result)
    }

    fn of_parts(
        tree: &Tree,
        position: &Position,
        start: String,
        tags: &[(String, String)],
        result: GameResult,
    ) -> TreeText {
        let mut cursor = Cursor::new(tree, position);
        // Nodes are listed in PGN order, which differs from the order of their identifiers.
        let mut nodes = Vec::with_capacity(tree.len());
        let mut places = HashMap::from([(NodeId::ROOT, 0)]);
        for step in tree.steps() {
            let Step::Move(id) = step else { continue };
            let (Some(mv), Some(parent)) = (tree.mv(id), tree.parent(id)) else { continue };
            places.insert(id, nodes.len() + 1);
            nodes.push(NodeText {
                parent: places.get(&parent).copied().unwrap_or_default(),
                mv: mv.to_string(),
                names: (tree.len() <= MAX_NAMED).then(|| MoveNames::of(cursor.before(id), mv)),
                comment: tree.comment(id).to_owned(),
                glyphs: tree.glyphs(id).collect(),
            });
        }
        TreeText {
            start,
            tags: tags.to_vec(),
            result: result.text().to_owned(),
            comment: tree.comment(NodeId::ROOT).to_owned(),
            nodes,
        }
    }

    /// Converts the game to a record.
    pub(super) fn record(&self) -> Result<Record, Refusal> {
        let start: Position = match self.start.as_str() {
            "startpos" => Position::start(),
            fen => fen.parse().map_err(Refusal::Fen)?,
        };
        self.record_from(start)
    }

    /// Converts the game to a diagram; `reasons` are the reasons why its position is illegal.
    pub(super) fn diagram(&self, reasons: Vec<Impossible>) -> Result<Diagram, Refusal> {
        let setup: Setup = self.start.parse().map_err(|bad| Refusal::Fen(FenError::Text(bad)))?;
        let position = Position::of_diagram(&setup).or(self.nodes.is_empty().then(Position::start));
        let position = position.ok_or_else(|| Refusal::Fen(FenError::Impossible(reasons.clone())))?;
        let Record { tags, tree, result, .. } = self.record_from(position)?;
        Ok(Diagram { tags, setup, reasons, tree, result })
    }

    fn record_from(&self, start: Position) -> Result<Record, Refusal> {
        let moves = self.moves(&start)?;
        let mut record = Record::new(start);
        let result = GameResult::from_mark(&self.result);
        record.result = result.ok_or_else(|| Refusal::bad("result: 1-0, 0-1, 1/2-1/2 or *"))?;
        for (name, value) in &self.tags {
            if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
                return Err(Refusal::bad(format!("tags: {name:?} is not a valid tag name")));
            }
            record.set_tag(name, value);
        }
        record.tree.set_comment(NodeId::ROOT, &self.comment);
        let mut ids = vec![NodeId::ROOT];
        for (node, mv) in self.nodes.iter().zip(moves) {
            let id = record.tree.add(ids[node.parent], mv).map_err(|_| Refusal::TooLong(MAX_NODES))?;
            record.tree.set_comment(id, &node.comment);
            node.glyphs.iter().for_each(|&glyph| record.tree.add_glyph(id, glyph));
            ids.push(id);
        }
        Ok(record)
    }

    /// Returns the moves of all nodes. Checks that each move is legal in its position and that each parent
    /// precedes its children.
    fn moves(&self, start: &Position) -> Result<Vec<Move>, Refusal> {
        if self.nodes.len() > MAX_NODES {
            return Err(Refusal::TooLong(MAX_NODES));
        }
        let mut children = vec![Vec::new(); self.nodes.len() + 1];
        let mut depths = vec![0];
        for (index, node) in self.nodes.iter().enumerate() {
            if node.parent > index {
                return Err(Refusal::bad(format!("node {}: its parent must come before it", index + 1)));
            }
            depths.push(depths[node.parent] + 1);
            if depths[index + 1] > MAX_TREE_PLIES {
                return Err(Refusal::TooLong(MAX_TREE_PLIES));
            }
            children[node.parent].push(index + 1);
        }
        // This is an iterative depth-first traversal: a move is made when its node is visited, and undone
        // after all its children.
        let mut moves = vec![None; self.nodes.len()];
        let (mut position, mut made, mut todo) = (start.clone(), Vec::new(), vec![0]);
        while let Some(number) = todo.pop() {
            let depth: usize = depths[number];
            while made.len() >= depth.max(1) {
                if let Some((mv, undo)) = made.pop() {
                    position.unmake(mv, undo);
                }
            }
            if let Some(index) = number.checked_sub(1) {
                let text = &self.nodes[index].mv;
                let mv = notation::read(&position, text).map_err(|_| Refusal::illegal(number, text))?;
                moves[index] = Some(mv);
                made.push((mv, position.make(mv)));
            }
            todo.extend(children[number].iter().rev());
        }
        // Every node has been visited, since its ancestors lead to the root.
        Ok(moves.into_iter().flatten().collect())
    }
}
