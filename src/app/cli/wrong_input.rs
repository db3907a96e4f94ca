//! Hints for input that is not a position.

use chuhe_board::Position;
use chuhe_board::notation;
use std::path::Path;

/// Returns the apparent format of a file; `None` if it could be a list of positions.
pub(super) fn file(bytes: &[u8]) -> Option<&'static str> {
    const HEADS: [(&[u8], &str); 8] = [
        (b"XQ", "an XQF record"),
        (b"CCBridge", "a CCBridge record or library"),
        (b"SQLite format 3\0", "an SQLite database, such as an opening book"),
        (b"[DhtmlXQ", "a DhtmlXQ record"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"{", "JSON"),
        (b"<", "HTML or XML"),
    ];
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if let Some((_, kind)) = HEADS.iter().find(|(head, _)| text.starts_with(head)) {
        return Some(kind);
    }
    let quoted = text.iter().take_while(|byte| **byte != b'\n').any(|byte| *byte == b'"');
    match text.first() {
        Some(b'[') if quoted => Some("PGN"),
        _ if bytes.contains(&0) => Some("a binary file"),
        _ => None,
    }
}

/// Returns the apparent kind of a string that is not a FEN.
pub(super) fn text(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let board = text.split_whitespace().next()?;
    let is_move = |text: &str| notation::read(&Position::start(), text) != Err(notation::NoSuchMove::Unreadable);
    let is_western = |rank: &str| {
        let files = rank.chars().map(|letter| if letter.is_alphabetic() { Some(1) } else { letter.to_digit(10) });
        files.sum::<Option<u32>>() == Some(8)
    };
    match () {
        () if board.contains("://") => Some("a web address"),
        () if Path::new(text).is_file() => Some("the name of a file"),
        () if Path::new(text).is_dir() => Some("the name of a folder"),
        () if is_move(board) => Some("a list of moves: use --moves"),
        () if board.split('/').count() == 8 && board.split('/').all(is_western) => {
            Some("a FEN of Western chess, with 8 ranks and files")
        }
        () => file(text.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_known_by_their_looks() {
        for (given, kind) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a FEN of Western chess"),
            ("h2e2 h9g7", "a list of moves"),
            ("炮二平五", "a list of moves"),
            ("C2=5 H8+7", "a list of moves"),
            ("[Game \"Chinese Chess\"]", "PGN"),
            ("[DhtmlXQ][DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]", "a DhtmlXQ record"),
            ("https://www.chessdb.cn/query/", "a web address"),
            ("Cargo.toml", "the name of a file"),
            ("src", "the name of a folder"),
            ("{\"fen\":1}", "JSON"),
        ] {
            let seen = text(given).unwrap_or_default();
            assert!(seen.starts_with(kind), "{given}: {seen}");
        }
        for given in ["", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P w", "hello", "Xiangqi"] {
            assert_eq!(text(given), None, "{given}");
        }
    }

    #[test]
    fn files_of_positions_are_none_of_these() {
        for fine in ["", "# a comment\nstartpos\n", "\u{feff}4k4/9/9/9/9/9/9/9/9/3K5 w ;D1 1"] {
            assert_eq!(file(fine.as_bytes()), None, "{fine}");
        }
        assert_eq!(file(b"XQ\x12\0\0"), Some("an XQF record"));
        assert_eq!(file(b"4k4\0"), Some("a binary file"));
    }
}
