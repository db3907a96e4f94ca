//! Writes games as DhtmlXQ.

use super::names::TEXTS;
use crate::records::sheet::Sheet;
use crate::records::xqf::SET;
use crate::records::{GameResult, NodeId, Record, Tree};
use chuhe_board::{Move, Piece, STARTPOS, Side, Square};
use html_escape::encode_text;
use std::fmt::Write as _;

/// Returns the game as text. The format does not support glyphs.
pub fn write(record: &Record) -> String {
    write_sheet(&record.into())
}

/// Writes a record or a diagram.
pub(in crate::records) fn write_sheet(sheet: &Sheet) -> String {
    let mut text = "[DhtmlXQ]\n".to_string();
    let mut tag = |name: &str, value: &str| {
        let _ = writeln!(text, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
    };
    // Brackets would end the tag, and text resembling HTML would be parsed as HTML.
    let plain = |value: &str| -> String {
        let clean = value.trim().replace(['\n', '\r'], "||").replace('[', "［").replace(']', "］");
        let clean = encode_text(&clean);
        clean.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    };
    for (name, ours) in TEXTS {
        let value = sheet.tag(ours);
        if !value.is_empty() {
            tag(name, &plain(value));
        }
    }
    let fen = sheet.setup.to_string();
    if sheet.setup.side == Side::Black && sheet.tree.is_empty() {
        // Without a move, only a FEN contains the side to move.
        tag("fen", &fen);
    } else if fen != STARTPOS {
        tag("binit", &binit(sheet));
    }
    let result = match sheet.result {
        GameResult::Unknown => "未知",
        GameResult::RedWins => "红胜",
        GameResult::BlackWins => "黑胜",
        GameResult::Draw => "和棋",
    };
    tag("result", result);
    let tree = sheet.tree;
    let lines = lines(tree);
    for (own, line) in lines.iter().enumerate() {
        let moves: String = line.nodes.iter().filter_map(|id| tree.mv(*id)).map(digits).collect();
        match own {
            0 => tag("movelist", &moves),
            own => tag(&format!("move_{}_{}_{own}", line.parent, line.ply), &moves),
        }
    }
    if !tree.comment(NodeId::ROOT).is_empty() {
        tag("comment0", &plain(tree.comment(NodeId::ROOT)));
    }
    for (own, line) in lines.iter().enumerate() {
        for (ply, id) in (line.ply..).zip(&line.nodes).filter(|(_, id)| !tree.comment(**id).is_empty()) {
            let name = if own == 0 { format!("comment{ply}") } else { format!("comment{own}_{ply}") };
            tag(&name, &plain(tree.comment(*id)));
        }
    }
    text += "[/DhtmlXQ]\n";
    text
}

/// A line of a tree: the line from which it branches off, the ply, and its nodes.
struct Branch {
    parent: usize,
    ply: usize,
    nodes: Vec<NodeId>,
}

/// Returns all lines, the main line first, in an order that preserves the order of a move's variations.
fn lines(tree: &Tree) -> Vec<Branch> {
    let follow = |first: Option<NodeId>| std::iter::successors(first, |id| tree.next(*id)).collect::<Vec<_>>();
    let mut lines = vec![Branch { parent: 0, ply: 1, nodes: follow(tree.next(NodeId::ROOT)) }];
    let mut parent = 0;
    while parent < lines.len() {
        let (first_ply, nodes) = (lines[parent].ply, lines[parent].nodes.clone());
        // Variations to a line's first move belong to its parent line.
        let skipped = usize::from(parent > 0);
        for (offset, id) in nodes.iter().enumerate().skip(skipped) {
            for variation in std::iter::successors(tree.sibling(*id), |id| tree.sibling(*id)) {
                lines.push(Branch { parent, ply: first_ply + offset, nodes: follow(Some(variation)) });
            }
        }
        parent += 1;
    }
    lines
}

fn digits(mv: Move) -> String {
    let name = |square: Square| format!("{}{}", square.file().index(), 9 - square.rank().index());
    name(mv.from) + &name(mv.to)
}

fn binit(sheet: &Sheet) -> String {
    let mut left: Vec<(Piece, Square)> = sheet.pieces().collect();
    let sides = [Side::Red, Side::Black];
    let wanted = sides.into_iter().flat_map(|side| SET.map(|kind| Piece::new(side, kind)));
    let places = wanted.map(|wanted| {
        let found = left.iter().position(|(piece, _)| *piece == wanted).map(|index| left.remove(index).1);
        found.map_or("99".to_string(), |square| format!("{}{}", square.file().index(), 9 - square.rank().index()))
    });
    places.collect()
}
