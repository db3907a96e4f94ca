//! `chuhe match`: plays games between engines and computes statistics.

mod settings;
mod values;

use self::settings::Settings;
use super::{Done, Failure, interrupt};
use crate::output::{self, Progress, print_message};
use crate::translation::translate;
use chuhe_lab::arena::match_run::{Finish, MatchError, MatchEvent, MatchSettings, try_players};
use chuhe_lab::arena::merge::Merged;
use chuhe_lab::arena::schedule::Part;
use chuhe_lab::arena::standings::Standings;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// Identifiers of the options that `--merge` would ignore.
const PLAYED_ONLY: [&str; 22] = [
    "engine",
    "each",
    "games",
    "gauntlet",
    "openings",
    "order",
    "seed",
    "opening_plies",
    "book",
    "rules",
    "fold",
    "adjudicate_win",
    "adjudicate_draw",
    "longest",
    "concurrency",
    "event",
    "notation",
    "transcripts",
    "pin",
    "config",
    "resume",
    "part",
];

/// Plays matches between engines and reports which is stronger
#[derive(Args)]
#[command(after_help = "\
A player is KEY=VALUE,…:
  cmd=PROGRAM ARGUMENTS   `self` is this program; quotes protect spaces; \\, is a comma
  name=NAME               in tables and records
  protocol=P              auto (tries ucci, then uci), auto-uci, ucci, uci, uci-variant (ranks 1-10)
  tc=[MOVES/]TIME[+INC]   a clock in seconds: 2+0.02 (the default), 40/60, 1:30+0.5
  movetime=S nodes=N depth=N   instead of a clock
  margin=MS               tolerance for late replies, in ms (50)
  hash=MB threads=N option.NAME=VALUE dir=FOLDER
  restart=true            a new process for each game
  ponder=true             ponders on its opponent's time; needs a clock
  patience=S              timeout in seconds, except for moves on a clock (60)
  unit=s                  UCCI times in seconds
  pawn=POINTS             value of a pawn in its scores, for `chuhe serve` (100)

The folder of --out contains games.pgn, games.jsonl, summary.json, elo.svg and, for games with a fault, logs/. Ctrl-C keeps \
the games played so far; use --resume to continue. A TOML file of --config has the same names: games = 200, [each] tc = \"2+0.02\", \
[[engine]] cmd = \"self\".

Examples:
  chuhe match --engine cmd=self,name=new --engine cmd=./chuhe-old,name=old \\
      --each tc=2+0.02,hash=16 --sprt elo0=0,elo1=5 --concurrency 2
  chuhe match --engine cmd=self --games 40 --out runs/eleeye \\
      --engine cmd=/opt/eleeye/eleeye,option.usebook=false
  chuhe match --config match.toml --part 2/8 --out parts/2
  chuhe match --merge parts/1 parts/2 --sprt elo0=0,elo1=5
  chuhe match --engine cmd=self,nodes=10000 \\
      --engine cmd=fairy-stockfish,protocol=uci-variant,depth=6")]
pub(super) struct Match {
    #[command(flatten)]
    settings: Settings,

    /// Read settings from a TOML file; options on the command line override it
    #[arg(long, value_name = "TOML")]
    config: Option<PathBuf>,

    /// Continue the match in the folder
    #[arg(long)]
    resume: bool,

    /// Play only the I-th of N parts of the games, so that N machines share a match; --merge merges the
    /// folders
    #[arg(long, value_name = "I/N")]
    part: Option<Part>,

    /// Merge the folders of a match that was played in parts, instead of playing. With --out, write a folder
    /// of the whole match
    #[arg(long, value_name = "FOLDER", num_args = 1.., conflicts_with_all = PLAYED_ONLY)]
    merge: Vec<PathBuf>,
}

impl Match {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        if !self.merge.is_empty() {
            return merge(&self.merge, &self.settings, out);
        }
        let settings = match &self.config {
            Some(path) => self.settings.completed_by(Settings::read(path)?),
            None => self.settings,
        };
        let json = settings.json;
        let (mut settings, mut warnings) = settings.match_settings(self.part, self.resume)?;
        let is_sound = warnings.is_empty();
        warnings.extend(settings::limit_repetitions(&mut settings));
        play(settings, warnings, json, out)?;
        // The exit status shows whether openings were omitted.
        if is_sound { Ok(()) } else { Err(Failure::Check) }
    }
}

fn play(mut settings: MatchSettings, mut warnings: Vec<String>, json: bool, out: &mut dyn Write) -> Done {
    let stop = interrupt::flag();
    for player in try_players(&mut settings.players, stop).map_err(Failure::input)? {
        print_message(format!("{}: {}", player.name, player.identity));
        warnings.extend(player.warnings.iter().map(|warning| format!("{}: {warning}", player.name)));
    }
    for warning in &warnings {
        print_message(format!("warning: {warning}"));
    }
    print_message(format!("results in {}", settings.folder.display()));
    let mut progress = MatchProgress::default();
    let run = settings.run(warnings, stop, |event| progress.on_event(&event));
    drop(progress);
    let (finish, standings) = run.map_err(|error| match error {
        MatchError::Refused(_) | MatchError::Files(_) => Failure::input(error),
        MatchError::BrokenOff(_) => {
            print_message(format!("chuhe: {error}"));
            Failure::Check
        }
    })?;
    show(&standings, json, out)?;
    if finish == Finish::Stopped {
        print_message(format!("stopped; use --resume --out {} to continue", settings.folder.display()));
    }
    if standings.games() > 0 && standings.faults() == standings.games() {
        print_message(format!("chuhe: every game ended because of a fault; see {}/logs", settings.folder.display()));
        return Err(Failure::Check);
    }
    Ok(())
}

fn merge(folders: &[PathBuf], settings: &Settings, out: &mut dyn Write) -> Done {
    let sprt = settings.sprt()?;
    let merged = Merged::read(folders).map_err(|reason| Failure::at("--merge", reason))?;
    let standings = merged.standings(sprt);
    if let Some(folder) = &settings.out {
        merged.write(folder, &standings).map_err(|reason| Failure::at("--out", reason))?;
    }
    show(&standings, settings.json, out)
}

fn show(standings: &Standings, json: bool, out: &mut dyn Write) -> Done {
    if json {
        writeln!(out, "{}", standings.summary())?;
    } else {
        write!(out, "{}", standings.report(output::width(), |text| output::fitted(&translate(text))))?;
    }
    Ok(())
}

/// Number of games between two log lines; a line is also printed after half a minute.
const BETWEEN_LINES: u64 = 10;

/// Progress display of a match.
#[derive(Default)]
struct MatchProgress {
    bar: Option<Progress>,
    planned: u64,
}

impl MatchProgress {
    fn on_event(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::Begins { found, planned } => {
                let bar = Progress::new(*planned, "games");
                bar.advance(*found);
                (self.bar, self.planned) = (Some(bar), *planned);
            }
            MatchEvent::Game(game, standings) => {
                let Some(bar) = &self.bar else { return };
                bar.advance(1);
                bar.note(standings.brief());
                if game.fault.is_some() {
                    bar.aside(|| print_message(format!("game {}: {}", game.game, game.detail)));
                }
                let line = || format!("{} of {} games: {}", standings.games(), self.planned, standings.brief());
                bar.print_instead(standings.games().is_multiple_of(BETWEEN_LINES), line);
            }
            MatchEvent::NotStarted(reason) => {
                if let Some(bar) = &self.bar {
                    bar.aside(|| print_message(format!("{reason}; trying again")));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_lab::arena::player::PlayerSettings;

    #[test]
    fn a_merge_ignores_no_option() {
        let command = Match::augment_args(clap::Command::new("match"));
        let merge = command.get_arguments().find(|arg| arg.get_id() == "merge").expect("the option");
        let conflicts = command.get_arg_conflicts_with(merge);
        let is_refused = |arg: &&clap::Arg| conflicts.iter().any(|other| other.get_id() == arg.get_id());
        let others = command.get_arguments().filter(|arg| !is_refused(arg)).map(|arg| arg.get_id().as_str());
        assert_eq!(others.collect::<Vec<_>>(), ["sprt", "out", "json", "merge"]);
    }

    #[test]
    fn the_help_describes_every_setting_of_players() {
        let command = Match::augment_args(clap::Command::new("match"));
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for key in PlayerSettings::keys() {
            assert!(help.split_whitespace().any(|word| word.starts_with(&format!("{key}="))), "{key}");
        }
    }
}
