//! Lists the positions in ElephantEye's BOOK.DAT. The book stores only keys, so the program searches for
//! matching positions, starting from the initial position.
//!
//! ```text
//! cargo run --release --example book_positions -- BOOK.DAT > positions.epd
//! cargo run --release --example book_positions -- BOOK.DAT 3 > positions.epd
//! ```
//!
//! The number is the maximum distance between two positions of the book in plies (1 to 3, default 2). The
//! moves in between need not be in the book, since a book made from games lacks the loser's moves and rarely
//! played moves.
//!
//! Keys have 32 bits, so some positions that are not in the book match by chance. To estimate their number,
//! the list also contains the matches of an equal number of control keys, which are the keys of the book
//! changed by [`CONTROL`]. `tests/foreign_records.py --book` checks both in the same way.

use chuhe::board::Position;
use chuhe::book::{Book, eleeye_change, eleeye_keys};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Changes a key of the book into a control key.
const CONTROL: u32 = 0x5A5A_5A5A;

struct Walk {
    book: Book,
    /// Keys of the book, and control keys.
    wanted: HashSet<u32>,
    met: HashMap<u64, Position>,
    /// Positions whose successors have not been searched.
    todo: Vec<Position>,
    /// Visited positions that are not in the book, by remaining distance and key.
    between: HashSet<(u8, u64)>,
    looked_at: usize,
}

impl Walk {
    /// Records a position with a wanted key. The search continues from this position if the book contains a
    /// legal move for it.
    fn meet(&mut self, position: &Position) {
        let is_known = self.book.moves(position).is_ok_and(|moves| !moves.is_empty());
        if self.met.insert(position.key(), position.clone()).is_none() && is_known {
            self.todo.push(position.clone());
        }
    }

    fn look_behind(&mut self, position: &mut Position, keys: [u32; 2], plies: u8) {
        for mv in position.legal_moves() {
            let change = eleeye_change(position, mv);
            let keys = [keys[0] ^ change[0], keys[1] ^ change[1]];
            // The book stores the smaller key of a position and its mirror image.
            let (smaller, larger) = (keys[0].min(keys[1]), keys[0].max(keys[1]));
            let is_wanted = self.wanted.contains(&smaller);
            let goes_on = plies > 1 && self.between.insert((plies, u64::from(larger) << 32 | u64::from(smaller)));
            self.looked_at += 1;
            if is_wanted || goes_on {
                let undo = position.make(mv);
                if is_wanted {
                    self.meet(position);
                }
                if goes_on {
                    self.look_behind(position, keys, plies - 1);
                }
                position.unmake(mv, undo);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const USAGE: &str = "usage: book_positions BOOK.DAT [PLIES]";
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or(USAGE)?;
    let plies = arguments.next().map_or(Ok(2), |word| word.parse())?;
    if !(1..=3).contains(&plies) {
        return Err(USAGE.into());
    }
    let records = std::fs::read(&path)?;
    let keys = records.chunks_exact(8).map(|record| u32::from_le_bytes([record[0], record[1], record[2], record[3]]));
    let wanted = keys.flat_map(|key| [key, key ^ CONTROL]).collect();
    let (met, todo, between) = (HashMap::new(), Vec::new(), HashSet::new());
    let mut walk = Walk { book: Book::open(Path::new(&path))?, wanted, met, todo, between, looked_at: 0 };
    walk.meet(&Position::start());
    while let Some(mut position) = walk.todo.pop() {
        let keys = eleeye_keys(&position);
        walk.look_behind(&mut position, keys, plies);
    }
    let mut lines: Vec<String> = walk.met.values().map(Position::to_string).collect();
    lines.sort();
    lines.iter().for_each(|line| println!("{line}"));
    eprintln!("{} positions with a wanted key, of {} examined", lines.len(), walk.looked_at);
    Ok(())
}
