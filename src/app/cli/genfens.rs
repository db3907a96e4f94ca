//! `chuhe genfens`: random balanced starting positions, as requested by OpenBench workers.

use super::input::read_epd;
use super::output::shown;
use super::{Done, Failure};
use crate::output::print_message;
use chuhe_board::random::SplitMix64;
use chuhe_board::{Position, Setup};
use chuhe_engine::eval::nnue;
use chuhe_lab::data::records::Header;
use chuhe_lab::data::selfplay::searcher;
use clap::Args;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

/// Nodes per move of the search that checks the balance of a position.
const NODES: u32 = 2_500;

/// Prints random balanced starting positions: `genfens N seed S book None`
#[derive(Args)]
#[command(after_help = "\
The seed determines the positions. They are 4 to 10 random moves from the initial position, or from positions of the book: a \
FEN or EPD per line.

Examples:
  chuhe genfens 4 seed 1 book None
  chuhe genfens 4 seed 1 book openings.epd
  chuhe \"genfens 4 seed 1 book None\" quit        as OpenBench calls it")]
pub(super) struct Genfens {
    /// Number of positions
    count: u64,

    /// seed S, book None or a FILE; other words are ignored
    #[arg(value_name = "seed S book FILE", allow_hyphen_values = true, trailing_var_arg = true)]
    words: Vec<String>,
}

/// Splits a command that is passed as a single argument, and drops the other arguments: OpenBench runs `chuhe
/// "genfens …" "quit"`.
pub(super) fn unpack(arguments: Vec<OsString>) -> Vec<OsString> {
    let words = |argument: &OsString| {
        let text = argument.to_str().filter(|text| text.trim_start().starts_with("genfens "))?;
        Some(text.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    };
    match arguments.iter().skip(1).find_map(words) {
        Some(words) => arguments.into_iter().take(1).chain(words).collect(),
        None => arguments,
    }
}

impl Genfens {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let after = |name: &str| self.words.iter().skip_while(|word| *word != name).nth(1);
        let seed = match after("seed") {
            None => 0,
            Some(text) => text
                .parse::<i128>()
                .map(|seed| seed as u64)
                .map_err(|_| Failure::at("seed", format!("{text:?} is not a number")))?,
        };
        let book = match after("book") {
            Some(path) if !path.eq_ignore_ascii_case("none") => read_book(Path::new(path))?,
            _ => Vec::new(),
        };
        write_starts(self.count, seed, &book, out)
    }
}

fn write_starts(count: u64, seed: u64, book: &[Position], out: &mut dyn Write) -> Done {
    let header = Header { endings: 0, ..Header::with_defaults(seed, NODES) };
    let mut searcher = searcher(nnue::embedded().as_ref(), 4, header.terms)?;
    let mut random = SplitMix64::new(seed);
    for _ in 0..count {
        let start = header.start(&mut searcher, book, &mut random);
        let start =
            start.ok_or_else(|| Failure::at("book", "none of its positions leads to a balanced starting position"))?;
        // The counters of a game that begins here.
        let setup = Setup { quiet_plies: 0, move_number: 1, ..start.position.setup() };
        let position = Position::new(&setup).unwrap_or(start.position);
        writeln!(out, "info string genfens {position}")?;
        out.flush()?;
    }
    Ok(())
}

/// Returns the positions in a book that have legal moves.
pub(super) fn read_book(path: &Path) -> Result<Vec<Position>, Failure> {
    let lines = read_epd(path)?;
    let positions = lines.iter().map(|line| Ok(line.game()?.position().clone()));
    let mut positions = positions.collect::<Result<Vec<Position>, Failure>>()?;
    let all = positions.len();
    positions.retain(Position::has_moves);
    let over = all - positions.len();
    if over > 0 {
        print_message(format!("chuhe: {}: {over} of {all} positions have no legal move and are left out", shown(path)));
    }
    if positions.is_empty() { Err(Failure::at(shown(path), "no openings found")) } else { Ok(positions) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(arguments: &[&str]) -> String {
        let unpacked = unpack(arguments.iter().map(OsString::from).collect());
        unpacked.iter().map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_openbench_asks_is_understood() {
        assert_eq!(unpacked(&["x", "genfens 4 seed 7 book None ", "quit"]), "x|genfens|4|seed|7|book|None");
        assert_eq!(
            unpacked(&["x", "setoption name A value b", "genfens 1 seed 2 book B", "quit"]),
            "x|genfens|1|seed|2|book|B"
        );
        assert_eq!(unpacked(&["x", "bench", "3"]), "x|bench|3");
        assert_eq!(unpacked(&["x", "genfens", "4"]), "x|genfens|4");
    }
}
