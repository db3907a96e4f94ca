//! Settings of a match, from options or from a TOML file with the same names. `match_settings.rs` converts
//! them to a match.
//!
//! A new setting requires a field in this file, with its range and default in the help, a line in
//! [`Settings::completed_by`], and its conversion in `match_settings.rs`. A name of two words also requires an
//! alias, since a file may contain `-` or `_`; a value that is not a number, a word or a switch also requires
//! a function in `values.rs` to deserialize it.

mod match_settings;

pub(super) use match_settings::limit_repetitions;

use super::values::{Bounds, Claims, name_of_file, numbers_of_file, read_numbers};
use crate::cli::Failure;
use crate::cli::input::read_text;
use crate::cli::rules::RuleSetParser;
use crate::players::players;
use chuhe_board::notation::Form;
use chuhe_board::rules::RuleSet;
use chuhe_lab::arena::player::PlayerSettings;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The settings of a match.
#[derive(Args, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    /// A player; give at least two
    #[arg(long, value_name = "KEY=VALUE,…")]
    #[serde(deserialize_with = "players")]
    engine: Vec<PlayerSettings>,

    /// Settings for all players that don't override them
    #[arg(long, value_name = "KEY=VALUE,…")]
    #[serde(deserialize_with = "players")]
    each: Vec<PlayerSettings>,

    /// Games per pairing, rounded up to pairs [default: 100, with --sprt 40000]
    #[arg(long, value_name = "N")]
    games: Option<u32>,

    /// Have the first player play against each of the others, instead of a round-robin
    #[arg(long)]
    gauntlet: bool,

    /// Sequential test: stop once either hypothesis is accepted, that the first player is stronger by ELO0
    /// or by ELO1
    #[arg(long, value_name = "elo0=0,elo1=5,alpha=0.05,beta=0.05", value_parser = read_numbers::<Bounds>)]
    #[serde(deserialize_with = "numbers_of_file")]
    sprt: Option<Bounds>,

    /// Starting positions, each played with both colours: a FEN or EPD per line, or game records [default: a
    /// thousand built-in ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Order of the openings [default: file]
    #[arg(long, value_enum)]
    order: Option<Order>,

    /// Seed for --order random [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Plies of a game record to use as the opening
    #[arg(long, value_name = "N")]
    #[serde(alias = "opening_plies")]
    opening_plies: Option<usize>,

    /// Opening book of the players with cmd=self, at every level
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Repetition rules of the referee [default: asian]
    #[arg(long, value_name = "NAME", value_parser = RuleSetParser)]
    #[serde(deserialize_with = "name_of_file")]
    rules: Option<RuleSet>,

    /// Occurrence of a position at which a repetition is judged [default: set by the rules, 3 or 4]
    #[arg(long, value_name = "N")]
    fold: Option<u32>,

    /// Adjudicate a win by both players' scores
    #[arg(long, value_name = "moves=4,score=2000,after=0", value_parser = read_numbers::<Claims>)]
    #[serde(alias = "adjudicate_win", deserialize_with = "numbers_of_file")]
    adjudicate_win: Option<Claims>,

    /// Adjudicate a draw by both players' scores
    #[arg(long, value_name = "moves=10,score=20,after=40", value_parser = read_numbers::<Claims>)]
    #[serde(alias = "adjudicate_draw", deserialize_with = "numbers_of_file")]
    adjudicate_draw: Option<Claims>,

    /// Number of plies after which a game is drawn [default: 500]
    #[arg(long, value_name = "PLIES")]
    longest: Option<u32>,

    /// Number of concurrent games [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<u32>,

    // This field and `json` are public because `--merge` reads them.
    /// Output folder [default: match- and the time]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,

    /// Event tag of the records [default: Chuhe match]
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// Move notation of the records: iccs, wxf, chinese [default: iccs]
    #[arg(long, value_name = "FORM")]
    #[serde(deserialize_with = "name_of_file")]
    notation: Option<Form>,

    /// Keep the transcript of every game, not only of games with faults
    #[arg(long)]
    transcripts: bool,

    /// Pin each concurrent game to its own cores: as many as a player has threads, or twice as many with
    /// ponder=true (Linux)
    #[arg(long)]
    pin: bool,

    /// Print the summary as JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

/// Order of the openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    /// In the order of the file
    File,
    /// Shuffled with --seed
    Random,
}

impl Settings {
    /// Reads a TOML file. Players (`[each]`, `[[engine]]`), bounds and claims may be tables or strings.
    pub(super) fn read(path: &Path) -> Result<Settings, Failure> {
        let text = read_text(path)?;
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| format!(":{}", text[..span.start].matches('\n').count() + 1));
            Failure::at(format!("{}{}", path.display(), line.unwrap_or_default()), error.message())
        })
    }

    /// Returns these settings, with missing ones taken from `base`. A switch set in `base` cannot be unset;
    /// `each` is merged, while `sprt` and the adjudications are replaced as a whole.
    pub(super) fn completed_by(self, base: Settings) -> Settings {
        Settings {
            engine: if self.engine.is_empty() { base.engine } else { self.engine },
            // The last value for a key takes precedence.
            each: [base.each, self.each].concat(),
            games: self.games.or(base.games),
            gauntlet: self.gauntlet || base.gauntlet,
            sprt: self.sprt.or(base.sprt),
            openings: self.openings.or(base.openings),
            order: self.order.or(base.order),
            seed: self.seed.or(base.seed),
            opening_plies: self.opening_plies.or(base.opening_plies),
            book: self.book.or(base.book),
            rules: self.rules.or(base.rules),
            fold: self.fold.or(base.fold),
            adjudicate_win: self.adjudicate_win.or(base.adjudicate_win),
            adjudicate_draw: self.adjudicate_draw.or(base.adjudicate_draw),
            longest: self.longest.or(base.longest),
            concurrency: self.concurrency.or(base.concurrency),
            out: self.out.or(base.out),
            event: self.event.or(base.event),
            notation: self.notation.or(base.notation),
            transcripts: self.transcripts || base.transcripts,
            pin: self.pin || base.pin,
            json: self.json || base.json,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn options_override_the_file_and_each_is_joined() {
        let text = "games = 6\nrules = \"simple\"\nsprt = { elo0 = -5, elo1 = 5 }\nlongest = 90\norder = \"random\"\n\
                    adjudicate_win = \"moves=2\"\n[each]\nnodes = 500\noption.Style = \"a,b\"\n\
                    [[engine]]\ncmd = \"self\"\n[[engine]]\ncmd = \"./x y\"\nname = \"x\"\ntc = \"1+0.1\"\n";
        let path = write_file("settings", text);
        let own = Settings { games: Some(8), each: vec!["hash=4".parse().unwrap()], ..Settings::default() };
        let settings = own.completed_by(Settings::read(&path).unwrap());
        let (settings, _) = settings.match_settings(None, false).unwrap();
        assert_eq!((settings.games, settings.refereeing.longest), (8, 90));
        assert_eq!(settings.refereeing.win.map(|win| win.moves), Some(2));
        assert_eq!(settings.players[0].description(), "chuhe: self (auto), 500 nodes, hash 4, Style = a,b");
        assert_eq!(settings.players[1].description(), "x: ./x y (auto), 1+0.1, hash 4, Style = a,b");
        assert_eq!(settings.sprt.unwrap().to_string(), "SPRT [-5.0, 5.0], alpha 0.05, beta 0.05");
        assert_ne!(settings.openings, chuhe_lab::arena::openings::built_in());
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn a_mistake_in_a_file_is_named_with_its_line() {
        for (text, words) in [
            ("games = 6\ngame = 7\n", ":2: unknown field `game`"),
            ("games = 6\nrules = \n", ":2: "),
            ("games = \"six\"\n", ":1: invalid type"),
            ("order = \"sideways\"\n", ":1: unknown variant"),
            ("\n[[engine]]\ncmd = [1]\n", "a player must be a table or a string"),
            ("engine = [\"cmd\"]\n", ":1: \"cmd\" is not KEY=VALUE"),
            ("\nrules = \"none\"\n", ":2: "),
            ("sprt = { elo2 = 5 }\n", ":1: unknown field `elo2`"),
            ("sprt = \"elo2=5\"\n", ":1: unknown field `elo2`"),
            ("adjudicate-win = { moves = 0 }\n", ":1: "),
        ] {
            let path = write_file("mistake", text);
            let Err(Failure::Input(reason)) = Settings::read(&path) else { panic!("{text}") };
            assert!(reason.contains(words), "{text}: {reason}");
            let _ = std::fs::remove_file(path);
        }
    }
}
