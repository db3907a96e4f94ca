//! `chuhe match`: games between engines, and what they prove.

use super::input::read_text;
use super::{Done, Failure, interrupt};
use crate::arena::contest::{Contest, Finish, News, Trouble};
use crate::arena::date;
use crate::arena::openings;
use crate::arena::play::{Agreement, Refereeing};
use crate::arena::player::Player;
use crate::arena::statistics::Sprt;
use crate::notation::Form;
use crate::output::Progress;
use crate::rules::RuleSet;
use clap::{Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Plays games between engines and reports who is stronger
#[derive(Args, Default)]
#[command(after_help = "\
A player is KEY=VALUE,…:
  cmd=PROGRAM ARGUMENTS   `self` is this program; quotes keep spaces; \\, is a comma
  name=NAME               in tables and records
  protocol=P              auto (tries ucci, then uci), ucci, uci, uci-variant (ranks 1-10)
  tc=[MOVES/]TIME[+INC]   a clock in seconds: 2+0.02 (the default), 40/60, 1:30+0.5
  movetime=S nodes=N depth=N   instead of a clock
  margin=MS               how late an answer may be (50)
  hash=MB threads=N option.NAME=VALUE dir=FOLDER
  restart=true            a fresh process for each game
  patience=S              after so long a silence it hangs (60)
  unit=s                  UCCI times in seconds

The folder of --out holds games.pgn, games.jsonl, summary.json, elo.svg and, for games with a fault, logs/. Ctrl-C keeps \
what is played, --resume goes on. A TOML file of --config has the same names: games = 200, [each] tc = \"2+0.02\", \
[[engine]] cmd = \"self\".

Examples:
  chuhe match --engine cmd=self,name=new --engine cmd=./chuhe-old,name=old \\
      --each tc=2+0.02,hash=16 --sprt elo0=0,elo1=5 --concurrency 2
  chuhe match --engine cmd=self --games 40 --out runs/eleeye \\
      --engine cmd=/opt/eleeye/eleeye,option.usebook=false
  chuhe match --engine cmd=self,nodes=10000 \\
      --engine cmd=fairy-stockfish,protocol=uci-variant,depth=6")]
pub struct Match {
    /// A player; two or more of them
    #[arg(long = "engine", value_name = "KEY=VALUE,…")]
    engines: Vec<String>,

    /// What holds for every player that does not say otherwise
    #[arg(long, value_name = "KEY=VALUE,…")]
    each: Vec<String>,

    /// Take everything that the command line leaves open from a TOML file
    #[arg(long, value_name = "TOML")]
    config: Option<PathBuf>,

    /// Games of each two players, rounded up to pairs [default: 100, with --sprt 40000]
    #[arg(long, value_name = "N")]
    games: Option<u32>,

    /// The first player meets each other one, instead of all against all
    #[arg(long)]
    gauntlet: bool,

    /// Stop as soon as it is sure that the first player is not better by ELO0, or better by ELO1
    #[arg(long, value_name = "elo0=0,elo1=5,alpha=0.05,beta=0.05")]
    sprt: Option<String>,

    /// Positions to begin with, each with both colours: a FEN or EPD a line, or PGN [default: a thousand that are built in]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// In which order they are played [default: file]
    #[arg(long, value_enum)]
    order: Option<Order>,

    /// The seed of --order random [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Of a PGN opening, only so many plies
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,

    /// The referee's rule set: asian, chinese, league, computer, simple, draw [default: asian]
    #[arg(long, value_name = "NAME")]
    rules: Option<RuleSet>,

    /// At which occurrence of a position the referee decides [default: the rule set's own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    fold: Option<u32>,

    /// End a game that both players' scores call won
    #[arg(long, value_name = "moves=4,score=2000,after=0")]
    adjudicate_win: Option<String>,

    /// End a game that both players' scores call drawn
    #[arg(long, value_name = "moves=10,score=20,after=40")]
    adjudicate_draw: Option<String>,

    /// A longer game is drawn [default: 500]
    #[arg(long, value_name = "PLIES")]
    longest: Option<u32>,

    /// Games at once [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<u32>,

    /// The folder of results [default: match- and the time]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Go on with the match in the folder
    #[arg(long)]
    resume: bool,

    /// The tag Event of the records
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,

    /// How the records write moves: iccs, wxf, chinese [default: iccs]
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,

    /// Keep what was said in every game, not in faulty ones alone
    #[arg(long)]
    transcripts: bool,

    /// Print the summary as JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The order of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Order {
    /// As in the file
    File,
    /// Shuffled by --seed
    Random,
}

impl Match {
    pub(super) fn run(mut self, out: &mut dyn Write) -> Done {
        if let Some(path) = self.config.take() {
            let base = read_config(&path)?;
            self = self.over(base);
        }
        let json = self.json;
        let contest = self.contest()?;
        let stop = interrupt::flag();
        let mut say = std::io::stderr();
        for line in contest.try_players(stop).map_err(Failure::Input)? {
            writeln!(say, "{line}")?;
        }
        let _ = writeln!(say, "results in {}", contest.folder.display());
        let mut watch = Watch::default();
        let run = contest.run(stop, |news| watch.hear(&news));
        drop(watch);
        let (finish, standings) = run.map_err(|trouble| match trouble {
            Trouble::Refused(reason) => Failure::Input(reason),
            Trouble::BrokenOff(reason) => {
                let _ = writeln!(say, "chuhe: {reason}");
                Failure::Check
            }
        })?;
        if json {
            writeln!(out, "{}", standings.summary())?;
        } else {
            write!(out, "{}", standings.report())?;
        }
        if finish == Finish::Stopped {
            let _ = writeln!(say, "stopped; --resume --out {} goes on", contest.folder.display());
        }
        if standings.games() > 0 && standings.faults() == standings.games() {
            let _ = writeln!(say, "chuhe: every game ended by a fault; see {}/logs", contest.folder.display());
            return Err(Failure::Check);
        }
        Ok(())
    }

    /// What is said here, and for the rest what is said in `base`.
    fn over(self, base: Match) -> Match {
        Match {
            engines: if self.engines.is_empty() { base.engines } else { self.engines },
            each: base.each.into_iter().chain(self.each).collect(),
            config: None,
            games: self.games.or(base.games),
            gauntlet: self.gauntlet || base.gauntlet,
            sprt: self.sprt.or(base.sprt),
            openings: self.openings.or(base.openings),
            order: self.order.or(base.order),
            seed: self.seed.or(base.seed),
            opening_plies: self.opening_plies.or(base.opening_plies),
            rules: self.rules.or(base.rules),
            fold: self.fold.or(base.fold),
            adjudicate_win: self.adjudicate_win.or(base.adjudicate_win),
            adjudicate_draw: self.adjudicate_draw.or(base.adjudicate_draw),
            longest: self.longest.or(base.longest),
            concurrency: self.concurrency.or(base.concurrency),
            out: self.out.or(base.out),
            resume: self.resume || base.resume,
            event: self.event.or(base.event),
            notation: self.notation.or(base.notation),
            transcripts: self.transcripts || base.transcripts,
            json: self.json || base.json,
        }
    }

    fn contest(self) -> Result<Contest, Failure> {
        let players: Result<Vec<Player>, String> =
            self.engines.iter().map(|own| Player::read(&self.each, own)).collect();
        let mut players = players.map_err(Failure::Input)?;
        if players.len() < 2 {
            return Err(Failure::Input("a match has two players or more: --engine A --engine B".to_string()));
        }
        give_different_names(&mut players);
        let sprt = self.sprt.as_deref().map(read_sprt).transpose()?;
        if sprt.is_some() && players.len() > 2 {
            return Err(Failure::at("--sprt", "the test is between two players"));
        }
        let mut openings = match &self.openings {
            Some(path) => openings::read(path, self.opening_plies.unwrap_or(usize::MAX)).map_err(Failure::Input)?,
            None => openings::usual(),
        };
        if self.order == Some(Order::Random) {
            openings::shuffle(&mut openings, self.seed.unwrap_or(1));
        }
        let mut terms = self.rules.unwrap_or_default().terms();
        if let Some(fold) = self.fold {
            terms = terms.with_folds(fold as usize);
        }
        let win = Agreement { moves: 4, score: 2000, after: 0 };
        let draw = Agreement { moves: 10, score: 20, after: 40 };
        let refereeing = Refereeing {
            terms,
            longest: self.longest.unwrap_or(500).max(1),
            win: self.adjudicate_win.map(|text| read_agreement("--adjudicate-win", &text, win)).transpose()?,
            draw: self.adjudicate_draw.map(|text| read_agreement("--adjudicate-draw", &text, draw)).transpose()?,
        };
        Ok(Contest {
            players,
            gauntlet: self.gauntlet,
            games: self.games.unwrap_or(if sprt.is_some() { 40_000 } else { 100 }),
            openings,
            refereeing,
            concurrency: self.concurrency.unwrap_or(1),
            sprt,
            folder: self.out.unwrap_or_else(|| PathBuf::from(format!("match-{}", date::stamp()))),
            event: self.event.unwrap_or_else(|| "Chuhe match".to_string()),
            form: self.notation.unwrap_or_default(),
            transcripts: self.transcripts,
            resume: self.resume,
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

/// A TOML file with the names of the command line; `[each]`, `[[engine]]` and tests are tables.
fn read_config(path: &Path) -> Result<Match, Failure> {
    let text = read_text(path)?;
    let file: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        Failure::at(format!("{}:{line}", path.display()), error.message())
    })?;
    let bad =
        |key: &str, value: &toml::Value| Failure::at(path.display(), format!("{key} = {value}: not what {key} may be"));
    let mut settings = Match::default();
    for (key, value) in &file {
        let text = || settings_of(value).ok_or_else(|| bad(key, value));
        let yes = || value.as_bool().ok_or_else(|| bad(key, value));
        let number = || value.as_integer().and_then(|number| u32::try_from(number).ok()).ok_or_else(|| bad(key, value));
        match key.replace('_', "-").as_str() {
            "engine" => {
                let engines = value.as_array().ok_or_else(|| bad(key, value))?;
                let engines = engines.iter().map(|engine| settings_of(engine).ok_or_else(|| bad(key, engine)));
                settings.engines = engines.collect::<Result<_, _>>()?;
            }
            "each" => settings.each = vec![text()?],
            "games" => settings.games = Some(number()?),
            "gauntlet" => settings.gauntlet = yes()?,
            "sprt" => settings.sprt = Some(text()?),
            "openings" => settings.openings = Some(text()?.into()),
            "order" => settings.order = Some(Order::from_str(&text()?, true).map_err(|_| bad(key, value))?),
            "seed" => settings.seed = Some(u64::from(number()?)),
            "opening-plies" => settings.opening_plies = Some(number()? as usize),
            "rules" => settings.rules = Some(text()?.parse().map_err(|reason| Failure::at(path.display(), reason))?),
            "fold" => settings.fold = Some(number()?),
            "adjudicate-win" => settings.adjudicate_win = Some(text()?),
            "adjudicate-draw" => settings.adjudicate_draw = Some(text()?),
            "longest" => settings.longest = Some(number()?),
            "concurrency" => settings.concurrency = Some(number()?),
            "out" => settings.out = Some(text()?.into()),
            "event" => settings.event = Some(text()?),
            "notation" => {
                settings.notation = Some(text()?.parse().map_err(|reason: String| Failure::at(path.display(), reason))?)
            }
            "transcripts" => settings.transcripts = yes()?,
            "json" => settings.json = yes()?,
            _ => return Err(Failure::at(path.display(), format!("there is no setting {key:?}"))),
        }
    }
    Ok(settings)
}

/// A table as `key=value,…`; an inner table as `outer.key=value`; other values as they stand.
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

/// Shows how far the match has come: a bar on a terminal, else a line now and then.
#[derive(Default)]
struct Watch {
    bar: Option<Progress>,
    last_line: Option<Instant>,
    planned: u64,
}

impl Watch {
    fn hear(&mut self, news: &News) {
        match news {
            News::Begins { found, planned } => {
                let bar = Progress::new(*planned, "games");
                bar.advance(*found);
                self.bar = Some(bar);
                self.planned = *planned;
            }
            News::Game(game, standings) => {
                let Some(bar) = &self.bar else { return };
                bar.advance(1);
                bar.note(standings.brief());
                let terminal = std::io::stderr().is_terminal();
                let fault = game.fault.as_ref().map(|_| format!("game {}: {}", game.game, game.detail));
                let due = self.last_line.is_none_or(|last| last.elapsed() > Duration::from_secs(30));
                let line = (due && !terminal)
                    .then(|| format!("{} of {} games: {}", standings.games(), self.planned, standings.brief()));
                if line.is_some() {
                    self.last_line = Some(Instant::now());
                }
                for line in fault.into_iter().chain(line) {
                    // A closed standard error stops nothing.
                    bar.aside(|| drop(writeln!(std::io::stderr(), "{line}")));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_the_same_as_the_command_line() {
        let folder = std::env::temp_dir().join(format!("chuhe-config-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("match.toml");
        let text = "games = 6\nrules = \"simple\"\nsprt = { elo0 = -5, elo1 = 5 }\nlongest = 90\n[each]\nnodes = 500\noption.Style = \"a,b\"\n\
                    [[engine]]\ncmd = \"self\"\n[[engine]]\ncmd = \"./x y\"\nname = \"x\"\ntc = \"1+0.1\"\n";
        std::fs::write(&path, text).unwrap();
        let own = Match { games: Some(8), ..Match::default() };
        let contest = own.over(read_config(&path).unwrap_or_default()).contest().unwrap_or_else(|_| panic!("{text}"));
        assert_eq!((contest.games, contest.refereeing.longest), (8, 90));
        assert_eq!(contest.players[0].description(), "chuhe: self (auto), 500 nodes, Style = a,b");
        assert_eq!(contest.players[1].description(), "x: ./x y (auto), 1+0.1, Style = a,b");
        assert_eq!(contest.sprt.unwrap().to_string(), "SPRT [-5.0, 5.0], alpha 0.05, beta 0.05");
        std::fs::write(&path, "games = 6\ngame = 7\n").unwrap();
        assert!(matches!(read_config(&path), Err(Failure::Input(reason)) if reason.contains("\"game\"")));
        std::fs::write(&path, "games = 6\nrules = \n").unwrap();
        assert!(matches!(read_config(&path), Err(Failure::Input(reason)) if reason.contains("toml:2")));
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn names_differ() {
        let mut players: Vec<Player> = (0..3).map(|_| Player::read(&[], "cmd=self").unwrap()).collect();
        give_different_names(&mut players);
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["chuhe", "chuhe-2", "chuhe-3"]);
    }
}
