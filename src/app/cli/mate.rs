//! `chuhe mate`: proves mates, finds the shortest mate, tests whether its first move is unique, and names its
//! pattern.

use super::game::{GAME_OPTIONS, GameArgs};
use super::input::InputPositions;
use super::language::NotationArgs;
use super::{Done, Failure, interrupt};
use crate::output::{Progress, fitted, json};
use crate::translation::{language, translate};
use chuhe_board::rules::{Game, RuleSet, Verdict, rule};
use chuhe_board::words::Key;
use chuhe_engine::mates::Solver;
use chuhe_games::records::pgn;
use chuhe_games::review::solution::{MateResult, Solution};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// Proves a mate, or that none exists by checks alone
///
/// The attacker gives check at every move, or plays a few quiet moves that threaten mate. All replies of the
/// defender are tried.
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe mate 3k5/4P4/9/9/9/9/9/9/9/R3K4 w
  chuhe mate --quiet 0 --nodes 10000000 \"2bak4/9/9/9/9/9/9/9/9/3K2R1R w\"
  chuhe mate --file positions/mates.epd
  chuhe mate --pgn --notation wxf game.pgn --ply 60 > solution.pgn")]
pub(super) struct Mate {
    #[command(flatten)]
    game: GameArgs,

    /// Solve the positions in a file instead, one FEN per line, or all positions in a game record; `-` is
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = GAME_OPTIONS)]
    file: Option<PathBuf>,

    /// Maximum number of nodes per position
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    nodes: u64,

    /// Maximum number of quiet attacker moves per variation; 0 allows only checks
    #[arg(long, value_name = "N", default_value_t = 4)]
    quiet: u8,

    /// Memory of the solver in MB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    #[command(flatten)]
    notation: NotationArgs,

    /// Print one line of JSON per position
    #[arg(long)]
    json: bool,

    /// Print the solution as a game with variations that contains all replies of the defender
    #[arg(long, conflicts_with = "json")]
    pgn: bool,
}

impl Mate {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let mut solver = Solver::new(self.hash as usize).map_err(|error| Failure::at("--hash", error))?;
        match &self.file {
            Some(path) => self.solve_many(path, &mut solver, out),
            None => {
                let game = self.game.read()?;
                let ruling = rule(&game, RuleSet::default().terms());
                if ruling.verdict != Verdict::Open {
                    let language = language();
                    let text = language.say(Key::IsOver, &[("ruling", &ruling.say(language))]);
                    return Err(Failure::Input(text));
                }
                self.print(&self.solve(&game, &mut solver), out)
            }
        }
    }

    fn solve(&self, game: &Game, solver: &mut Solver) -> Solution {
        Solution::find(game, solver, self.nodes, self.quiet, &|| !interrupt::flag().load(Relaxed))
    }

    fn print(&self, solution: &Solution, mut out: &mut dyn Write) -> Done {
        if self.json {
            json::write_line(&mut out, &solution.json())?;
        } else if self.pgn {
            write!(out, "{}", pgn::write(&solution.record(language()), self.notation.form()))?;
        } else {
            write!(out, "{}", fitted(&solution.say(language(), self.notation.form())))?;
        }
        Ok(())
    }

    /// Solves the positions one after another, and prints a summary.
    fn solve_many(&self, path: &Path, solver: &mut Solver, out: &mut dyn Write) -> Done {
        let (questions, unit) = (InputPositions::open(path)?, "positions");
        let progress =
            questions.count.map_or_else(|| Progress::endless(unit), |count| Progress::new(count as u64, unit));
        let mut counts = [0; 3];
        for question in questions {
            if interrupt::flag().load(Relaxed) {
                break;
            }
            // The answer must not depend on earlier positions.
            solver.forget();
            let solution = self.solve(&question?.game(), solver);
            counts[match solution.found {
                MateResult::Mate(_) => 0,
                MateResult::NoMateByChecks => 1,
                MateResult::TooLate | MateResult::Unknown => 2,
            }] += 1;
            progress.advance(1);
            progress.aside(|| {
                if self.json || self.pgn {
                    return self.print(&solution, out);
                }
                writeln!(out, "{} ; {}", solution.fen(), translate(&solution.in_one_line()))?;
                Ok(())
            })?;
        }
        let [mates, none, unknown] = counts;
        if !self.json && !self.pgn {
            let counts = format!("{mates} mates, {none} proved to have none by checks, {unknown} unknown");
            writeln!(out, "{}", translate(&counts))?;
        }
        Ok(())
    }
}
