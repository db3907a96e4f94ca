//! `chuhe fastchess`: matches with fastchess's command line, as called by OpenBench workers.

use super::{Done, Failure, interrupt};
use chuhe_lab::arena::fastchess::{Arguments, VERSION, run};
use clap::Args;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

/// Plays a match with the command line of fastchess, for OpenBench workers
#[derive(Args)]
#[command(after_help = "\
A program whose own name begins with `fastchess` does the same without the subcommand. Flags: -engine (twice) and -each with \
cmd, dir, name, proto, tc, st, nodes, depth, timemargin, restart, option.NAME; -rounds, -games 1|2, -concurrency, -openings file \
format order start plies, -srand, -resign and -draw, -pgnout file, -event, -rules. `-version` prints the version.

Examples:
  chuhe fastchess -rounds 8 -games 2 -concurrency 2 \\
      -engine cmd=self name=a nodes=1000 -engine cmd=self name=b nodes=2000 \\
      -openings file=openings.epd format=epd order=random start=1 \\
      -srand 7 -pgnout file=games.pgn
  chuhe fastchess -version")]
pub(super) struct Fastchess {
    /// Flags with their values
    #[arg(value_name = "-FLAG VALUE…", allow_hyphen_values = true, trailing_var_arg = true)]
    words: Vec<String>,
}

/// Inserts the subcommand's name if the program's own name implies it.
pub(super) fn unpack(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let stem = arguments.first().and_then(|own| Path::new(own).file_stem()).unwrap_or_default();
    if stem.to_string_lossy().starts_with("fastchess") {
        arguments.insert(1, "fastchess".into());
    }
    arguments
}

impl Fastchess {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        if let [word] = &self.words[..]
            && ["--version", "-version", "version", "-v"].contains(&word.as_str())
        {
            return Ok(writeln!(out, "{VERSION}")?);
        }
        let arguments = Arguments::read(&self.words).map_err(Failure::input)?;
        run(&arguments, interrupt::flag(), out).map_err(Failure::input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_name_stands_for_the_subcommand() {
        let words = |own: &str| unpack(vec![own.into(), "-rounds".into()]).len();
        assert_eq!(words("./fastchess-ob"), 3);
        assert_eq!(words("/x/fastchess.exe"), 3);
        assert_eq!(words("chuhe"), 2);
    }
}
