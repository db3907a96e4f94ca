//! The settings of a match, once for the command line and for the TOML file.

use super::super::Failure;
use super::super::input::read_text;
use crate::arena::contest::Contest;
use crate::arena::date;
use crate::arena::openings;
use crate::arena::play::{Agreement, Refereeing};
use crate::arena::player::Player;
use crate::arena::schedule::Part;
use crate::arena::statistics::Sprt;
use crate::notation::Form;
use crate::rules::RuleSet;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Deserializer, Serialize};
use std::path::{Path, PathBuf};

/// The settings of a match. In a TOML file names may be written with `-` or `_`, players as tables.
#[derive(Args, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// A player; give at least two
    #[arg(long, value_name = "KEY=VALUE,…")]
    #[serde(deserialize_with = "players")]
    engine: Vec<String>,

    /// Settings for all players that don't override them
    #[arg(long, value_name = "KEY=VALUE,…")]
    #[serde(deserialize_with = "players")]
    each: Vec<String>,

    /// Games per pairing, rounded up to pairs [default: 100, with --sprt 40000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    games: Option<u32>,

    /// The first player plays each of the others, instead of a round-robin
    #[arg(long)]
    gauntlet: bool,

    /// Sequential test: stop when one hypothesis is accepted: the first player is better by ELO0, or by ELO1
    #[arg(long, value_name = "elo0=0,elo1=5,alpha=0.05,beta=0.05")]
    #[serde(deserialize_with = "numbers")]
    sprt: Option<String>,

    /// Starting positions, each played with both colours: a FEN or EPD per line, or game records [default: a thousand built-in ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// The order of the openings [default: file]
    #[arg(long, value_enum)]
    order: Option<Order>,

    /// The seed of --order random [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Plies of a game record to use as the opening
    #[arg(long, value_name = "N")]
    #[serde(alias = "opening_plies")]
    opening_plies: Option<usize>,

    /// The referee's rule set: asian, chinese, league, computer, simple, draw [default: asian]
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,

    /// The occurrence of a position at which the referee decides [default: the rule set's own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    fold: Option<u32>,

    /// Adjudicate a win by both players' scores
    #[arg(long, value_name = "moves=4,score=2000,after=0")]
    #[serde(alias = "adjudicate_win", deserialize_with = "numbers")]
    adjudicate_win: Option<String>,

    /// Adjudicate a draw by both players' scores
    #[arg(long, value_name = "moves=10,score=20,after=40")]
    #[serde(alias = "adjudicate_draw", deserialize_with = "numbers")]
    adjudicate_draw: Option<String>,

    /// Plies after which a game is drawn [default: 500]
    #[arg(long, value_name = "PLIES")]
    longest: Option<u32>,

    /// Games at once [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_AT_ONCE))]
    concurrency: Option<u32>,

    /// Output folder [default: match- and the time]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,

    /// The Event tag of the records
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// Move notation of the records: iccs, wxf, chinese [default: iccs]
    #[arg(long, value_name = "FORM")]
    notation: Option<String>,

    /// Keep the communication of every game, not only of those with faults
    #[arg(long)]
    transcripts: bool,

    /// Print the summary as JSON instead of tables
    #[arg(long)]
    pub json: bool,
}

/// More games are a typing error.
const MOST_GAMES: i64 = 100_000_000;
/// So are more games at once.
const MOST_AT_ONCE: i64 = 1024;

/// The order of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    /// As in the file
    File,
    /// Shuffled by --seed
    Random,
}

impl Settings {
    /// Reads a TOML file with the names of the command line; `[each]`, `[[engine]]` and tests may be tables.
    pub fn read(path: &Path) -> Result<Settings, Failure> {
        let text = read_text(path)?;
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            Failure::at(format!("{}:{line}", path.display()), error.message())
        })
    }

    /// These settings, completed by those of `base`. The settings of each player are joined.
    pub fn over(self, base: Settings) -> Result<Settings, Failure> {
        let impossible = |error: &dyn std::fmt::Display| Failure::at("--config", error);
        let table = |settings: &Settings| toml::Table::try_from(settings).map_err(|error| impossible(&error));
        let each: Vec<String> = base.each.iter().chain(&self.each).cloned().collect();
        let mut merged = table(&base)?;
        let is_said = |value: &toml::Value| {
            *value != toml::Value::Boolean(false) && value.as_array().is_none_or(|list| !list.is_empty())
        };
        merged.extend(table(&self)?.into_iter().filter(|(_, value)| is_said(value)));
        let merged: Settings = merged.try_into().map_err(|error: toml::de::Error| impossible(&error))?;
        Ok(Settings { each, ..merged })
    }

    /// The test that ends the match.
    pub fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        self.sprt.as_deref().map(read_sprt).transpose()
    }

    /// The match itself.
    pub fn contest(self, part: Option<Part>, resume: bool) -> Result<Contest, Failure> {
        let players: Result<Vec<Player>, String> =
            self.engine.iter().map(|own| Player::read(&self.each, own)).collect();
        let mut players = players.map_err(Failure::Input)?;
        if players.len() < 2 {
            return Err(Failure::Input("a match has two players or more: --engine A --engine B".to_string()));
        }
        give_different_names(&mut players);
        let sprt = self.sprt()?;
        if sprt.is_some() && players.len() > 2 {
            return Err(Failure::at("--sprt", "the test is between two players"));
        }
        if sprt.is_some() && part.is_some() {
            return Err(Failure::at("--sprt", "a part can't decide it: give it to --merge"));
        }
        for (flag, number, most) in
            [("--games", self.games, MOST_GAMES), ("--concurrency", self.concurrency, MOST_AT_ONCE)]
        {
            if number.is_some_and(|number| !(1..=most).contains(&number.into())) {
                return Err(Failure::at(flag, format!("a number from 1 to {most}")));
            }
        }
        let mut openings = match &self.openings {
            Some(path) => openings::read(path, self.opening_plies.unwrap_or(usize::MAX)).map_err(Failure::Input)?,
            None => openings::usual(),
        };
        if self.order == Some(Order::Random) {
            openings::shuffle(&mut openings, self.seed.unwrap_or(1));
        }
        let rules = self.rules.map(|name| name.parse::<RuleSet>()).transpose();
        let rules = rules.map_err(|reason| Failure::at("--rules", reason))?;
        let mut terms = rules.unwrap_or_default().terms();
        if let Some(fold) = self.fold {
            terms = terms.with_folds(fold.max(2) as usize);
        }
        let form = self.notation.map(|name| name.parse::<Form>()).transpose();
        let form = form.map_err(|reason| Failure::at("--notation", reason))?;
        let win = Agreement { moves: 4, score: 2000, after: 0 };
        let draw = Agreement { moves: 10, score: 20, after: 40 };
        let refereeing = Refereeing {
            terms,
            longest: self.longest.unwrap_or(500).max(1),
            win: self.adjudicate_win.map(|text| read_agreement("--adjudicate-win", &text, win)).transpose()?,
            draw: self.adjudicate_draw.map(|text| read_agreement("--adjudicate-draw", &text, draw)).transpose()?,
            resign: None,
        };
        Ok(Contest {
            players,
            gauntlet: self.gauntlet,
            games: self.games.unwrap_or(if sprt.is_some() { 40_000 } else { 100 }),
            openings,
            refereeing,
            part,
            concurrency: self.concurrency.unwrap_or(1),
            sprt,
            folder: self.out.unwrap_or_else(|| PathBuf::from(format!("match-{}", date::stamp()))),
            event: self.event.unwrap_or_else(|| "Chuhe match".to_string()),
            form: form.unwrap_or_default(),
            transcripts: self.transcripts,
            resume,
        })
    }
}

/// The second `chuhe` becomes `chuhe-2`.
fn give_different_names(players: &mut [Player]) {
    for index in 1..players.len() {
        let (before, rest) = players.split_at_mut(index);
        let own = rest[0].name.clone();
        let mut number = 2;
        while before.iter().any(|player| player.name == rest[0].name) {
            rest[0].name = format!("{own}-{number}");
            number += 1;
        }
    }
}

/// Reads `a=1,b=2` into places by name.
fn read_numbers(flag: &str, text: &str, places: &mut [(&str, &mut f64)]) -> Result<(), Failure> {
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let names: Vec<&str> = places.iter().map(|(name, _)| *name).collect();
        let bad = || Failure::at(flag, format!("{part:?} is not NAME=NUMBER with a name of {}", names.join(", ")));
        let (name, value) = part.split_once('=').ok_or_else(bad)?;
        let value: f64 = value.trim().parse().map_err(|_| bad())?;
        match places.iter_mut().find(|(known, _)| *known == name.trim()) {
            Some((_, place)) => **place = value,
            None => return Err(bad()),
        }
    }
    Ok(())
}

fn read_sprt(text: &str) -> Result<Sprt, Failure> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
    let places = &mut [("elo0", &mut elo0), ("elo1", &mut elo1), ("alpha", &mut alpha), ("beta", &mut beta)];
    read_numbers("--sprt", text, places)?;
    Sprt::new(elo0, elo1, alpha, beta).map_err(|error| Failure::at("--sprt", error))
}

fn read_agreement(flag: &str, text: &str, usual: Agreement) -> Result<Agreement, Failure> {
    let (mut moves, mut score, mut after) = (f64::from(usual.moves), f64::from(usual.score), f64::from(usual.after));
    read_numbers(flag, text, &mut [("moves", &mut moves), ("score", &mut score), ("after", &mut after)])?;
    if !(moves >= 1.0 && score >= 0.0 && after >= 0.0) {
        return Err(Failure::at(flag, "moves is at least 1, score and after at least 0"));
    }
    Ok(Agreement { moves: moves as u32, score: score as i32, after: after as u32 })
}

/// Reads players: one or a list, each a text or a table.
fn players<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<String>, D::Error> {
    let list = match toml::Value::deserialize(source)? {
        toml::Value::Array(list) => list,
        one => vec![one],
    };
    list.iter()
        .map(|player| settings_of(player).ok_or_else(|| serde::de::Error::custom("a player is a table or a text")))
        .collect()
}

/// Reads `elo0=0,elo1=5` or a table of the same.
fn numbers<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    let value = toml::Value::deserialize(source)?;
    settings_of(&value)
        .map(Some)
        .ok_or_else(|| serde::de::Error::custom("a table of numbers, or a text such as a=1,b=2"))
}

/// A table as `key=value,…`; an inner table as `outer.key=value`; other values unchanged.
fn settings_of(value: &toml::Value) -> Option<String> {
    let plain = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Some(value.to_string()),
        _ => None,
    };
    let toml::Value::Table(table) = value else { return plain(value) };
    let mut parts = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => {
                for (name, value) in inner {
                    parts.push(format!("{key}.{name}={}", plain(value)?.replace(',', "\\,")));
                }
            }
            value => parts.push(format!("{key}={}", plain(value)?.replace(',', "\\,"))),
        }
    }
    Some(parts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("chuhe-{name}-{}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn a_file_says_the_same_as_the_command_line() {
        let text = "games = 6\nrules = \"simple\"\nsprt = { elo0 = -5, elo1 = 5 }\nlongest = 90\norder = \"random\"\n\
                    adjudicate_win = \"moves=2\"\n[each]\nnodes = 500\noption.Style = \"a,b\"\n\
                    [[engine]]\ncmd = \"self\"\n[[engine]]\ncmd = \"./x y\"\nname = \"x\"\ntc = \"1+0.1\"\n";
        let path = file("settings", text);
        let own = Settings { games: Some(8), each: vec!["hash=4".into()], ..Settings::default() };
        let settings = own.over(Settings::read(&path).unwrap()).unwrap();
        let contest = settings.contest(None, false).unwrap();
        assert_eq!((contest.games, contest.refereeing.longest), (8, 90));
        assert_eq!(contest.refereeing.win.map(|win| win.moves), Some(2));
        assert_eq!(contest.players[0].description(), "chuhe: self (auto), 500 nodes, hash 4, Style = a,b");
        assert_eq!(contest.players[1].description(), "x: ./x y (auto), 1+0.1, hash 4, Style = a,b");
        assert_eq!(contest.sprt.unwrap().to_string(), "SPRT [-5.0, 5.0], alpha 0.05, beta 0.05");
        assert_ne!(contest.openings, openings::usual());
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn a_mistake_in_a_file_is_named_with_its_line() {
        for (text, words) in [
            ("games = 6\ngame = 7\n", ":2: unknown field `game`"),
            ("games = 6\nrules = \n", ":2: "),
            ("games = \"six\"\n", ":1: invalid type"),
            ("order = \"sideways\"\n", ":1: unknown variant"),
            ("\n[[engine]]\ncmd = [1]\n", "a player is a table or a text"),
        ] {
            let path = file("mistake", text);
            let Err(Failure::Input(reason)) = Settings::read(&path) else { panic!("{text}") };
            assert!(reason.contains(words), "{text}: {reason}");
            let _ = std::fs::remove_file(path);
        }
        let path = file("none", "games = 0\nengine = [\"cmd=self\", \"cmd=self\"]");
        let refused = Settings::read(&path).unwrap().contest(None, false);
        assert!(matches!(refused, Err(Failure::Input(reason)) if reason.contains("--games")));
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn names_differ() {
        let mut players: Vec<Player> = (0..3).map(|_| Player::read(&[], "cmd=self").unwrap()).collect();
        give_different_names(&mut players);
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["chuhe", "chuhe-2", "chuhe-3"]);
    }
}
