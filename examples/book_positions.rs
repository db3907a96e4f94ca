//! Lists the positions that ElephantEye's BOOK.DAT knows, which itself holds only their keys, by walking from the start.
//!
//! ```text
//! cargo run --release --example book_positions -- BOOK.DAT > positions.epd
//! ```
//!
//! A position is met if one move, any, leads to it from another one, or a move of the book and any reply: a book made from games often knows
//! the winner's moves alone. With `wide` behind the file, any two moves. As keys have 32 bits, some are met by chance in foreign positions;
//! how many, is told on standard error by as many keys that stand for nothing.
//!
//! With keys behind the file (`1c892a06`), only positions that have one of them are listed, and they are looked for farther: behind a move of
//! the book and up to three more, any.

use chuhe::board::{Move, Piece, Position, Side, Square};
use std::collections::{HashMap, HashSet};

/// The keys of a position and of its mirror image.
type Keys = [u32; 2];

/// The cipher RC4 with a key of zeros makes three numbers for the side to move, then for each piece on each of 16 × 16 squares; the book uses
/// the third.
fn numbers() -> (u32, Vec<u32>) {
    let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
    let mut other = 0u8;
    for at in 0..256 {
        other = other.wrapping_add(state[at]);
        state.swap(at, usize::from(other));
    }
    let (mut x, mut y) = (0u8, 0u8);
    let mut byte = || {
        x = x.wrapping_add(1);
        y = y.wrapping_add(state[usize::from(x)]);
        state.swap(usize::from(x), usize::from(y));
        state[usize::from(state[usize::from(x)].wrapping_add(state[usize::from(y)]))]
    };
    let mut third = || {
        let bytes: [u8; 12] = std::array::from_fn(|_| byte());
        u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]])
    };
    (third(), (0..14 * 256).map(|_| third()).collect())
}

struct Walk {
    turn: u32,
    pieces: Vec<u32>,
    /// The moves of each key, both squares as numbers.
    book: HashMap<u32, Vec<u16>>,
    /// As many keys that stand for nothing, the positions in which they were met, and how many positions were looked at.
    nothing: HashSet<u32>,
    by_chance: HashSet<u64>,
    looked_at: usize,
    met: HashMap<u64, Position>,
    todo: Vec<Position>,
    /// Positions between two of the book whose moves were looked at.
    between: HashSet<u64>,
}

impl Walk {
    fn of(&self, piece: Piece, square: Square) -> Keys {
        let number = |square: Square| {
            let at = (12 - square.rank().index()) * 16 + square.file().index() + 3;
            self.pieces[piece.index() * 256 + at]
        };
        [number(square), number(square.mirrored())]
    }

    fn keys(&self, position: &Position) -> Keys {
        let turn = if position.side() == Side::Black { self.turn } else { 0 };
        let placed = Square::ALL.into_iter().filter_map(|square| Some((position.piece_on(square)?, square)));
        placed.fold([turn; 2], |keys, (piece, square)| exchange(keys, self.of(piece, square)))
    }

    fn after(&self, position: &Position, keys: Keys, mv: Move) -> Keys {
        let mut keys = exchange(keys, [self.turn; 2]);
        if let Some(piece) = position.piece_on(mv.from) {
            keys = exchange(exchange(keys, self.of(piece, mv.from)), self.of(piece, mv.to));
        }
        position.piece_on(mv.to).map_or(keys, |victim| exchange(keys, self.of(victim, mv.to)))
    }

    /// Whether the book has a move for one of two keys, the second of which is that of the mirror image.
    fn has(&self, keys: Keys, mv: Move) -> bool {
        let number = |square: Square| ((12 - square.rank().index()) * 16 + square.file().index() + 3) as u16;
        let images = [mv, mv.mirrored()].map(|mv| number(mv.from) | number(mv.to) << 8);
        keys.iter().zip(images).any(|(key, mv)| self.book.get(key).is_some_and(|moves| moves.contains(&mv)))
    }

    fn meet(&mut self, position: &Position) {
        if self.met.insert(position.key(), position.clone()).is_none() {
            self.todo.push(position.clone());
        }
    }

    /// Looks at what lies one move behind a position, and two if `goes_on` says so of the first.
    fn expand(&mut self, position: &mut Position, keys: Keys, goes_on: &dyn Fn(&Walk, Keys, Move) -> bool) {
        for mv in position.legal_moves() {
            let found = self.after(position, keys, mv);
            let name = u64::from(found[0]) << 32 | u64::from(found[1]);
            self.looked_at += 1;
            if found.iter().any(|key| self.nothing.contains(key)) {
                self.by_chance.insert(name);
            }
            let is_known = found.iter().any(|key| self.book.contains_key(key));
            let is_between = goes_on(self, keys, mv) && self.between.insert(name);
            if is_known || is_between {
                let undo = position.make(mv);
                if is_known {
                    self.meet(position);
                }
                if is_between {
                    self.expand(position, found, &|_, _, _| false);
                }
                position.unmake(mv, undo);
            }
        }
    }

    /// Looks for keys up to so many moves behind a position.
    fn look_for(&mut self, wanted: &[u32], position: &mut Position, keys: Keys, plies: u8) {
        for mv in position.legal_moves() {
            let found = self.after(position, keys, mv);
            let name = u64::from(found[0]) << 32 | u64::from(found[1]);
            let is_wanted = found.iter().any(|key| wanted.contains(key));
            let is_due = plies > 1 && self.between.insert(name ^ u64::from(plies));
            if is_wanted || is_due {
                let undo = position.make(mv);
                if is_wanted {
                    self.meet(position);
                }
                if is_due {
                    self.look_for(wanted, position, found, plies - 1);
                }
                position.unmake(mv, undo);
            }
        }
    }
}

fn copy((key, position): (&u64, &Position)) -> (u64, Position) {
    (*key, position.clone())
}

fn exchange(keys: Keys, with: Keys) -> Keys {
    [keys[0] ^ with[0], keys[1] ^ with[1]]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: book_positions BOOK.DAT [wide | KEY…]")?;
    let words: Vec<String> = arguments.collect();
    let is_wide = words.first().is_some_and(|word| word == "wide");
    let keys = words.iter().filter(|word| *word != "wide").map(|word| u32::from_str_radix(word, 16));
    let wanted: Vec<u32> = keys.collect::<Result<_, _>>()?;
    let mut book: HashMap<u32, Vec<u16>> = HashMap::new();
    for record in std::fs::read(path)?.chunks_exact(8) {
        let key = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
        book.entry(key).or_default().push(u16::from_le_bytes([record[4], record[5]]));
    }
    let (turn, pieces) = numbers();
    let nothing = book.keys().map(|key| key ^ 0x5A5A_5A5A).filter(|key| !book.contains_key(key)).collect();
    let (met, todo) = (HashMap::new(), Vec::new());
    let (by_chance, between) = (HashSet::new(), HashSet::new());
    let mut walk = Walk { turn, pieces, book, nothing, by_chance, looked_at: 0, met, todo, between };
    walk.meet(&Position::start());
    while let Some(mut position) = walk.todo.pop() {
        let keys = walk.keys(&position);
        walk.expand(&mut position, keys, &|walk, keys, mv| is_wide || walk.has(keys, mv));
    }
    if !wanted.is_empty() {
        let known = walk.met.clone();
        walk.between.clear();
        walk.met =
            known.iter().filter(|(_, at)| walk.keys(at).iter().any(|key| wanted.contains(key))).map(copy).collect();
        for mut position in known.into_values() {
            let keys = walk.keys(&position);
            for mv in position.legal_moves() {
                if walk.has(keys, mv) {
                    let found = walk.after(&position, keys, mv);
                    let undo = position.make(mv);
                    walk.look_for(&wanted, &mut position, found, 3);
                    position.unmake(mv, undo);
                }
            }
        }
    }
    let mut lines: Vec<String> = walk.met.values().map(Position::to_string).collect();
    lines.sort();
    lines.iter().for_each(|line| println!("{line}"));
    eprintln!(
        "{} positions met, {} looked at; {} keys that stand for nothing were met in {} positions",
        lines.len(),
        walk.looked_at,
        walk.nothing.len(),
        walk.by_chance.len()
    );
    Ok(())
}
