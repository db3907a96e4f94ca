//! `chuhe judge`: the referee's ruling on a game, with its reasons.

use super::game::{GAME_OPTIONS, GameArgs};
use super::input::read_epd;
use super::output::print_unread;
use super::rules::RuleSetParser;
use super::{Done, Failure, encoding};
use crate::desk::{RulingEntry, say_fault};
use crate::output::{Align, Table, fitted, json::write_line};
use crate::translation::language;
use chuhe_board::notation::{self, Form};
use chuhe_board::rules::{Cycles, Game, RuleSet, Ruling, Terms, rule};
use chuhe_board::words::{Key, Language};
use chuhe_games::records::{Record, RecordReader};
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Judges a game by the rules with reasons: mate, natural limit, or repetition, with the effect of each of
/// its plies
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe judge --moves \"h2e2 h9g7\"
  chuhe judge 5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w \\
      --moves \"d1c1 c5d7 c1d1 d7c5 d1c1 c5d7 c1d1 d7c5\"
  chuhe judge --rules league --fold 3 --json --moves \"h2e2 h9g7\"
  chuhe judge --pgn games.pgn
  chuhe judge --sample 1000 --seed 7 | chuhe judge --file - --json

The result is for the side to move after the last move.")]
pub(super) struct Judge {
    #[command(flatten)]
    game: GameArgs,

    /// Judge many games instead, one per line, and print one result per line: `FEN moves h2e2 h9g7`; `-` is
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = GAME_OPTIONS)]
    file: Option<PathBuf>,

    /// Judge the games in a PGN file instead, such as a file from `chuhe match`, or in any other record
    #[arg(long, value_name = "FILE", conflicts_with_all = GAME_OPTIONS, conflicts_with = "file")]
    pgn: Option<PathBuf>,

    /// Print this many random games that end in repetitions instead, to compare referees; read them with
    /// --file
    #[arg(long, value_name = "N", conflicts_with_all = GAME_OPTIONS, conflicts_with_all = ["file", "pgn", "json"])]
    sample: Option<usize>,

    /// Seed for --sample
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    seed: u64,

    /// Repetition rules
    #[arg(long, value_name = "NAME", default_value_t = RuleSet::default(), value_parser = RuleSetParser)]
    rules: RuleSet,

    /// Occurrence of a position at which a repetition is judged [default: set by the rules, 3 or 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    fold: Option<u16>,

    /// Counted plies without a capture after which the game is drawn [default: set by the rules, 120 or 100]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(1..))]
    limit: Option<u16>,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Judge {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let terms = self.terms();
        if let Some(count) = self.sample {
            return sample(count, self.seed, terms, out);
        }
        if let Some(path) = &self.file {
            return self.judge_many(path, terms, out);
        }
        if let Some(path) = &self.pgn {
            return self.judge_records(path, terms, out);
        }
        let game = self.game.read()?;
        self.print(&game, terms, out)
    }

    /// Prints one result per game, next to the result recorded in the file.
    fn judge_records(&self, path: &Path, terms: Terms, out: &mut dyn Write) -> Done {
        let records = RecordReader::open_in(path, encoding::named()).map_err(|error| Failure::file(path, &error))?;
        let (mut number, mut faults) = (0, 0);
        for record in records {
            number += 1;
            let fault = match record {
                Err(fault) => say_fault(&fault, language()),
                Ok(record) => match record.game() {
                    Err(illegal) => illegal.to_string(),
                    Ok(game) => {
                        self.print_claimed(number, &record, &game, terms, out)?;
                        continue;
                    }
                },
            };
            faults += 1;
            print_unread(format!("{}: {fault}", path.display()), self.json, out)?;
        }
        match (number, faults) {
            (0, _) => Err(Failure::at(path.display(), "no games found")),
            (_, 0) => Ok(()),
            _ => Err(Failure::Check),
        }
    }

    fn print_claimed(
        &self,
        number: usize,
        record: &Record,
        game: &Game,
        terms: Terms,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (ruling, early) = first_end(rule(game, terms), game, terms);
        if self.json {
            let ruling = RulingEntry::new(&ruling, Language::English);
            return write_line(out, &Claimed { game: number, claimed: record.result.to_string(), ruling });
        }
        let end = early.map_or(String::new(), |end| format!(" {end}"));
        writeln!(out, "{}", fitted(&format!("{number} ({}): {}{end}", record.result, sentence(&ruling))))
    }

    fn judge_many(&self, path: &Path, terms: Terms, out: &mut dyn Write) -> Done {
        let mut faults = 0;
        for placed in read_epd(path)? {
            match placed.game() {
                Ok(game) => {
                    let (ruling, early) = first_end(rule(&game, terms), &game, terms);
                    if self.json {
                        write_line(out, &RulingEntry::new(&ruling, Language::English))?;
                        continue;
                    }
                    let early = early.map_or(String::new(), |end| format!(" {end}"));
                    writeln!(out, "{}{early}", sentence(&ruling))?;
                }
                // An unreadable line does not affect the other lines.
                Err(Failure::Input(error)) => {
                    faults += 1;
                    print_unread(error, self.json, out)?;
                }
                Err(other) => return Err(other),
            }
        }
        if faults > 0 { Err(Failure::Check) } else { Ok(()) }
    }

    fn terms(&self) -> Terms {
        let terms = self.rules.terms();
        let terms = self.fold.map_or(terms, |folds| terms.with_folds(usize::from(folds)));
        self.limit.map_or(terms, |plies| terms.with_natural_limit(plies))
    }

    fn print(&self, game: &Game, terms: Terms, mut out: &mut dyn Write) -> Result<(), Failure> {
        let (ruling, early) = first_end(rule(game, terms), game, terms);
        if self.json {
            return Ok(write_line(&mut out, &RulingEntry::new(&ruling, Language::English))?);
        }
        writeln!(out, "{}", fitted(&sentence(&ruling)))?;
        if let Some(end) = early {
            writeln!(out, "{}", fitted(&end))?;
        }
        if let Some(cycle) = &ruling.cycle {
            let language = language();
            let (rules, folds) = (terms.rules.title(language), terms.folds());
            let head = language.sentence(&language.say(Key::CycleHead, &[("rules", &rules), ("folds", &folds)]));
            writeln!(out, "\n{}", fitted(&head))?;
            let mut table = Table::new([(); 4].map(|()| ("", Align::Left)));
            for ply in &cycle.plies {
                let deeds: Vec<String> = ply.deeds.iter().map(|deed| deed.say(language)).collect();
                let (mv, gap) = match language {
                    Language::English => (ply.mv.to_string(), "; "),
                    Language::Chinese => {
                        let mut before = game.clone();
                        before.take_back_to(ply.number - 1);
                        (notation::write(before.position(), ply.mv, Form::Chinese), "；")
                    }
                };
                table.row([format!("{:5}.", ply.number), ply.mover(language), mv, deeds.join(gap)]);
            }
            write!(out, "{}", table.rows())?;
        }
        Ok(())
    }
}

/// Replaces a ruling by the one at the end of the game by the rules, with a note, if moves were played
/// after that end.
fn first_end(ruling: Ruling, game: &Game, terms: Terms) -> (Ruling, Option<String>) {
    let (language, plies) = (language(), game.plies().len());
    let clause = match ruling.ended_at {
        Some(0) => language.word(Key::OverBeforeFirst).to_owned(),
        Some(ended) if ended < plies => language.say(Key::OverAfter, &[("ended", &ended), ("plies", &plies)]),
        _ => return (ruling, None),
    };
    let mut first = game.clone();
    first.take_back_to(ruling.ended_at.unwrap_or_default());
    (rule(&first, terms), Some(language.sentence(&clause)))
}

fn sentence(ruling: &Ruling) -> String {
    let language = language();
    language.sentence(&ruling.say(language))
}

/// Prints random games in which a position occurs often enough to be judged by the rules.
fn sample(count: usize, seed: u64, terms: Terms, out: &mut dyn Write) -> Done {
    for cycle in Cycles::new(seed).take(count) {
        write!(out, "{} moves", cycle.start)?;
        for mv in std::iter::repeat_n(&cycle.moves, terms.folds() - 1).flatten() {
            write!(out, " {mv}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// JSON output for a game in a file.
#[derive(Serialize)]
struct Claimed {
    /// Number of the game in the file, from 1.
    game: usize,
    claimed: String,
    #[serde(flatten)]
    ruling: RulingEntry,
}
