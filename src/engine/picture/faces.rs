//! Symbols on the pieces. Each board has one style; without colour, all pieces have distinct symbols.

use chuhe_board::named;
use chuhe_board::{Kind, Piece, Side};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

named! {
    /// Style of the pieces.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Pieces {
        /// 帥仕相傌俥炮兵 and 將士象馬車砲卒, as on wooden pieces.
        #[default]
        Traditional = "traditional",
        /// 帅仕相马车炮兵 and 将士象马车砲卒.
        Simplified = "simplified",
        /// Pictograms, which require no knowledge of Chinese; letters in text pictures.
        Pictograms = "pictograms",
    }

    /// Returns the name of the style.
    pub fn name -> &'static str
}

impl Pieces {
    /// Returns the words on the two banks of the river.
    pub(super) const fn river(self) -> [[char; 2]; 2] {
        match self {
            Pieces::Simplified => [['楚', '河'], ['汉', '界']],
            _ => [['楚', '河'], ['漢', '界']],
        }
    }

    /// Returns the character on a piece; a letter in the pictogram style.
    pub(super) fn face(self, piece: Piece) -> char {
        const TRADITIONAL: [[char; 7]; 2] =
            [['帥', '仕', '相', '傌', '俥', '炮', '兵'], ['將', '士', '象', '馬', '車', '砲', '卒']];
        const SIMPLIFIED: [[char; 7]; 2] =
            [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '砲', '卒']];
        let (side, kind) = (piece.side().index(), piece.kind().index());
        match self {
            Pieces::Traditional => TRADITIONAL[side][kind],
            Pieces::Simplified => SIMPLIFIED[side][kind],
            Pieces::Pictograms => piece.letter(),
        }
    }

    /// Returns the character on a piece without colour. The simplified style then uses the rarer forms of
    /// Red's horse and rook.
    pub(super) fn colourless_face(self, piece: Piece) -> char {
        match (self, piece.side(), piece.kind()) {
            (Pieces::Simplified, Side::Red, Kind::Horse) => '㐷',
            (Pieces::Simplified, Side::Red, Kind::Rook) => '伡',
            _ => self.face(piece),
        }
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Error for a string that is not a style of pieces.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown style of pieces {0:?}; use one of {names}", names = Pieces::ALL.map(Pieces::name).join(", "))]
pub struct UnknownPieces(pub String);

/// Parses the name of a style.
impl FromStr for Pieces {
    type Err = UnknownPieces;

    fn from_str(text: &str) -> Result<Pieces, UnknownPieces> {
        let found = Pieces::ALL.into_iter().find(|pieces| pieces.name() == text);
        found.ok_or_else(|| UnknownPieces(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::strokes;

    #[test]
    fn the_fourteen_pieces_look_different_without_colour() {
        for pieces in Pieces::ALL {
            let faces: std::collections::HashSet<char> =
                Piece::ALL.into_iter().map(|piece| pieces.colourless_face(piece)).collect();
            assert_eq!(faces.len(), 14, "{pieces}");
        }
    }

    #[test]
    fn a_set_has_one_script() {
        for (pieces, other) in [(Pieces::Traditional, "帅将马车汉"), (Pieces::Simplified, "帥將馬傌車俥漢")]
        {
            let river = pieces.river().into_iter().flatten();
            let faces = Piece::ALL.into_iter().map(|piece| pieces.face(piece)).chain(river);
            faces.for_each(|face| assert!(!other.contains(face), "{face} among {pieces}"));
        }
    }

    #[test]
    fn every_character_of_a_picture_has_strokes() {
        for pieces in [Pieces::Traditional, Pieces::Simplified] {
            let river = pieces.river().into_iter().flatten();
            let faces = Piece::ALL.into_iter().map(|piece| pieces.face(piece)).chain(river);
            faces.for_each(|face| assert!(strokes::character(face).is_some(), "{face}"));
        }
    }
}
