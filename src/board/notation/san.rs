//! Notation of XBoard and cutechess: a piece and its target, as in `Che2` and `Rxe9+`; and coordinates with
//! ranks from 0 or from 1.

use super::{NoSuchMove, Ranks};
use crate::{Kind, Move, Position, Square};

/// Splits a square at the end of a string from the preceding part.
fn square_behind(text: &str, ranks: Ranks) -> Option<(&str, Square)> {
    let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let rank: i32 = text[text.len() - digits..].parse().ok().filter(|_| digits <= 2)?;
    let before = &text[..text.len() - digits];
    let file = before.bytes().last().filter(|file| (b'a'..=b'i').contains(file))?;
    let rank = if ranks == Ranks::FromOne { rank - 1 } else { rank };
    Some((&before[..before.len() - 1], Square::at(i32::from(file - b'a'), rank)?))
}

/// Splits the text before the target into the piece and the disambiguation; a pawn may have no letter.
fn piece_and_hint(text: &str) -> Option<(Kind, &str)> {
    let kind = match text.chars().next() {
        Some('K') => Kind::King,
        Some('A') => Kind::Advisor,
        Some('B' | 'E') => Kind::Elephant,
        Some('N' | 'H') => Kind::Horse,
        Some('R') => Kind::Rook,
        Some('C') => Kind::Cannon,
        Some('P') => Kind::Pawn,
        Some(letter) if letter.is_ascii_uppercase() => return None,
        _ => return Some((Kind::Pawn, text)),
    };
    Some((kind, &text[1..]))
}

/// Parses a disambiguation: the index of a file, of a rank, or of both; `None` for any other text.
fn read_hint(hint: &str, ranks: Ranks) -> Option<(Option<usize>, Option<usize>)> {
    let digits = hint.trim_start_matches(|c: char| ('a'..='i').contains(&c));
    let file = hint.bytes().next().filter(|file| file.is_ascii_lowercase()).map(|file| usize::from(file - b'a'));
    let rank = match digits {
        "" => None,
        digits => Some(digits.parse::<usize>().ok()?.checked_sub(usize::from(ranks == Ranks::FromOne))?),
    };
    (hint.len() - digits.len() <= 1).then_some((file, rank))
}

/// Parses a legal move; `None` if the text is not in this notation.
pub(super) fn read(position: &Position, text: &str, ranks: Ranks) -> Option<Result<Move, NoSuchMove>> {
    let text = text.trim_end_matches(['+', '#']);
    if !text.is_ascii() {
        return None;
    }
    let (before, to) = square_behind(text, ranks)?;
    if let Some(("", from)) = square_behind(before, ranks) {
        let mv = Move::new(from, to);
        return Some(if position.is_legal(mv) { Ok(mv) } else { Err(NoSuchMove::Illegal) });
    }
    let before = before.trim_end_matches(['x', '-']);
    let (kind, hint) = piece_and_hint(before)?;
    let (file, rank) = read_hint(hint, ranks)?;
    let fits = |from: &Square| {
        file.is_none_or(|file| from.file().index() == file) && rank.is_none_or(|rank| from.rank().index() == rank)
    };
    let mut found = None;
    for from in position.pieces(position.side(), kind).into_iter().filter(fits) {
        let mv = Move::new(from, to);
        if position.is_legal(mv) {
            if found.is_some() {
                return Some(Err(NoSuchMove::Ambiguous));
            }
            found = Some(mv);
        }
    }
    Some(found.ok_or(NoSuchMove::Illegal))
}
