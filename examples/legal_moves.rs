//! Lists the legal moves of a position, in coordinates, WXF and Chinese notation.
//!
//! ```text
//! cargo run --example legal_moves
//! cargo run --example legal_moves -- "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w"
//! ```

use chuhe::board::{FenError, Position, STARTPOS};
use chuhe::notation::{Form, write};
use chuhe::picture::{Picture, Style};

fn main() -> Result<(), FenError> {
    let fen = std::env::args().nth(1).unwrap_or(STARTPOS.to_owned());
    // Parsing rejects an impossible FEN with every reason.
    let position: Position = fen.parse()?;
    print!("{}", Picture::new(&position).text(Style::default()));
    for mv in position.legal_moves() {
        println!("{mv}  {}  {}", write(&position, mv, Form::Wxf), write(&position, mv, Form::Chinese));
    }
    Ok(())
}
