//! The command line of `fastchess`, restricted to the flags that OpenBench workers use.

use super::error::{ArgumentError, COMMENT_LINES, FlagError};
use crate::arena::play::{Agreement, Refereeing};
use crate::arena::player::{Limit, Player, Protocol, read_clock, read_seconds, split_words};
use chuhe_board::rules::RuleSet;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Parsed command line.
#[derive(Clone, PartialEq, Debug)]
pub struct Arguments {
    /// The two players.
    pub players: Vec<Player>,
    /// Openings; `None` for the built-in openings.
    pub openings: Option<Book>,
    /// Seed for the order of the openings.
    pub seed: u64,
    /// Number of rounds, each with its own opening.
    pub rounds: u32,
    /// Games per round: 2 with reversed colours, or 1.
    pub games: u32,
    /// Number of concurrent games.
    pub concurrency: u32,
    /// Rules for refereeing.
    pub refereeing: Refereeing,
    /// File to which games are appended.
    pub records: Option<PathBuf>,
    /// Value of the tag `Event`.
    pub event: String,
}

/// An opening book.
#[derive(Clone, PartialEq, Debug)]
pub struct Book {
    /// Path.
    pub file: PathBuf,
    /// Shuffles the openings.
    pub is_random: bool,
    /// First opening after shuffling, from 1.
    pub start: u64,
    /// Number of plies of a PGN game that form the opening.
    pub plies: usize,
}

impl Arguments {
    /// Parses the flags and their values.
    ///
    /// # Errors
    /// Returns a one-line message about a flag that is unknown or unsupported or has an invalid value.
    pub fn read(words: &[String]) -> Result<Arguments, ArgumentError> {
        let refereeing =
            Refereeing { terms: RuleSet::default().terms(), longest: 500, win: None, resign: None, draw: None };
        let mut read = Arguments {
            players: Vec::new(),
            openings: None,
            seed: 1,
            rounds: 1,
            games: 2,
            concurrency: 1,
            refereeing,
            records: None,
            event: "Chuhe match".to_string(),
        };
        let (mut each, mut engines): (Vec<&String>, Vec<&[String]>) = (Vec::new(), Vec::new());
        let mut rest = words;
        while let [flag, after @ ..] = rest {
            let count = after.iter().position(|word| is_flag(word)).unwrap_or(after.len());
            let (values, next) = after.split_at(count);
            rest = next;
            match flag.as_str() {
                "-engine" => engines.push(values),
                "-each" => each.extend(values),
                _ => read.set(flag, values).map_err(|error| ArgumentError::Flag { flag: flag.clone(), error })?,
            }
        }
        for own in engines {
            let settings = each.iter().copied().chain(own);
            let named = |error| ArgumentError::Player { settings: own.join(" "), error };
            read.players.push(player(settings).map_err(named)?);
        }
        match &read.players[..] {
            [one, other] if one.name != other.name => Ok(read),
            [_, _] => Err(ArgumentError::SameName),
            players => Err(ArgumentError::Players(players.len())),
        }
    }

    fn set(&mut self, flag: &str, values: &[String]) -> Result<(), FlagError> {
        match flag {
            // The match always continues after a crash, openings are played with both colours unless
            // `-games 1` is given, and the test environment has no effect.
            "-recover" | "-repeat" | "-testEnv" => {}
            "-variant" => match one(values)? {
                "standard" | "xiangqi" => {}
                other => return Err(FlagError::Variant(other.to_owned())),
            },
            "-concurrency" => self.concurrency = number_in(one(values)?, 1, 1024)?,
            "-rounds" => self.rounds = number_in(one(values)?, 1, 10_000_000)?,
            "-games" => self.games = number_in(one(values)?, 1, 2)?,
            "-srand" => self.seed = number(one(values)?)?,
            "-event" => self.event = values.join(" "),
            "-resign" => {
                let (agreement, both) = adjudication(values)?;
                let place = if both { &mut self.refereeing.win } else { &mut self.refereeing.resign };
                *place = Some(agreement);
            }
            "-draw" => self.refereeing.draw = Some(adjudication(values)?.0),
            "-rules" => self.refereeing.terms = one(values)?.parse::<RuleSet>()?.terms(),
            "-openings" => self.openings = Some(book(values)?),
            "-pgnout" => self.records = Some(records(values)?),
            "-tb" | "-tbpieces" | "-tbignore50" | "-tbadjudicate" => return Err(FlagError::Tablebases),
            _ if is_flag(flag) => return Err(FlagError::Unknown),
            _ => return Err(FlagError::NoFlag),
        }
        Ok(())
    }

    /// Returns the seed for the order of the openings, if they are shuffled.
    pub(crate) fn shuffled_by(&self) -> Option<u64> {
        self.openings.as_ref().is_some_and(|book| book.is_random).then_some(self.seed)
    }
}

/// Returns `true` if a word is a flag, that is, begins with `-` and a letter.
fn is_flag(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_alphabetic()))
}

fn one(values: &[String]) -> Result<&str, FlagError> {
    match values {
        [value] => Ok(value),
        _ => Err(FlagError::Count(values.len())),
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, FlagError> {
    text.parse().map_err(|_| FlagError::Number(text.to_owned()))
}

fn number_in(text: &str, min: u32, max: u32) -> Result<u32, FlagError> {
    let number = number(text)?;
    let inside = (min..=max).contains(&number);
    if inside { Ok(number) } else { Err(FlagError::Range { text: text.to_owned(), min, max }) }
}

/// Splits `NAME=VALUE`.
fn parts(word: &str) -> Result<(&str, &str), FlagError> {
    word.split_once('=').ok_or_else(|| FlagError::NotAPair(word.to_owned()))
}

fn unknown(name: &str) -> FlagError {
    FlagError::UnknownSetting(name.to_owned())
}

/// Parses `movecount=3 score=400`; the second result is `true` if both players' scores must agree.
fn adjudication(values: &[String]) -> Result<(Agreement, bool), FlagError> {
    let (mut agreement, mut both) = (Agreement { moves: 1, score: 0, after: 0 }, false);
    for value in values {
        match parts(value)? {
            ("movecount", text) => agreement.moves = number_in(text, 1, 1000)?,
            ("movenumber", text) => agreement.after = number_in(text, 0, 100_000)?,
            ("score", text) => agreement.score = number_in(text, 0, 100_000)? as i32,
            ("twosided", text) => both = text == "true",
            (name, _) => return Err(unknown(name)),
        }
    }
    Ok((agreement, both))
}

fn book(values: &[String]) -> Result<Book, FlagError> {
    let mut book = Book { file: PathBuf::new(), is_random: false, start: 1, plies: usize::MAX };
    for value in values {
        match parts(value)? {
            ("file", path) => book.file = path.into(),
            // The file name determines the format.
            ("format", "epd" | "pgn") => {}
            ("order", "random") => book.is_random = true,
            ("order", "sequential") => book.is_random = false,
            ("start", text) => book.start = number::<u64>(text)?.max(1),
            ("plies", text) => book.plies = number(text)?,
            ("format", text) => return Err(FlagError::Unsupported("format", text.to_owned())),
            ("order", text) => return Err(FlagError::Unsupported("order", text.to_owned())),
            (name, _) => return Err(unknown(name)),
        }
    }
    if book.file.as_os_str().is_empty() { Err(FlagError::Missing("file=PATH")) } else { Ok(book) }
}

/// Parses `-pgnout`. Scores, times, nodes and depths are always written.
fn records(values: &[String]) -> Result<PathBuf, FlagError> {
    let mut path = PathBuf::new();
    for value in values {
        match parts(value)? {
            ("file", text) => path = text.into(),
            ("seldepth" | "nodes" | "nps" | "notation" | "append" | "min" | "timeleft" | "latency", _) => {}
            ("match_line", COMMENT_LINES) => {}
            ("match_line", text) => return Err(FlagError::CommentLines(text.to_owned())),
            (name, _) => return Err(unknown(name)),
        }
    }
    if path.as_os_str().is_empty() { Err(FlagError::Missing("file=PATH")) } else { Ok(path) }
}

/// Parses a player: `dir=Engines/ cmd=./NAME proto=uci tc=8.0+0.08 option.Hash=16 name=NAME-dev`.
fn player<'w>(words: impl Iterator<Item = &'w String>) -> Result<Player, FlagError> {
    let mut player = Player::new();
    player.protocol = Protocol::AutoUci;
    let (mut limit, mut folder) = (None, None);
    for word in words {
        match parts(word)? {
            ("cmd", text) => player.command = vec![text.to_string()],
            ("args", text) => player.command.extend(split_words(text).ok_or(FlagError::Quote)?),
            ("dir", text) => folder = Some(PathBuf::from(text)),
            ("name", text) => player.name = text.to_string(),
            // The protocol is detected from the engine, since workers always pass `uci`.
            ("proto", "uci") => {}
            ("proto", "ucci") => player.protocol = Protocol::Auto,
            ("proto", text) => return Err(FlagError::Unsupported("proto", text.to_owned())),
            ("tc", "inf" | "infinite") => {}
            ("tc", text) => limit = Some(read_clock(text)?),
            ("st", text) => limit = Some(Limit::MoveTime(read_seconds("st", text)?)),
            ("nodes", text) => limit = Some(Limit::Nodes(number(text)?)),
            ("depth" | "plies", text) => limit = Some(Limit::Depth(number(text)?)),
            ("timemargin", text) => player.margin = Duration::from_millis(number::<u32>(text)?.into()),
            ("restart", text) => player.restart = text == "on" || text == "true",
            (name, text) => match name.strip_prefix("option.") {
                Some(option) => player.options.push((option.to_string(), text.trim_matches('"').to_string())),
                None => return Err(unknown(name)),
            },
        }
    }
    player.limit = limit.ok_or(FlagError::NoLimit)?;
    let program = player.command.first_mut().ok_or(FlagError::Missing("cmd=PROGRAM"))?;
    if let Some(folder) = folder {
        // A path within the folder must be valid in any working directory of the engine.
        let path = folder.join(&program);
        if path.is_file() {
            *program = std::path::absolute(path)?.to_string_lossy().into_owned();
        }
        player.directory = Some(folder);
    }
    if player.name.is_empty() {
        player.name =
            PathBuf::from(&program).file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    }
    // Workers split the output into ASCII words.
    if player.name.is_empty() || !player.name.chars().all(|character| character.is_ascii_graphic()) {
        return Err(FlagError::Name(player.name));
    }
    Ok(player)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, String> {
        Arguments::read(&split_words(line).unwrap()).map_err(|error| error.to_string())
    }

    const ENGINES: &str = "-engine dir=arena/ cmd=./mod.rs proto=uci tc=inf nodes=500 option.Hash=8 name=X-dev \
                           -engine cmd=y st=0.50 timemargin=250 name=X-base";

    #[test]
    fn a_workers_command_line_is_read() {
        let read = read(&format!(
            "-recover -variant standard -testEnv -concurrency 2 -rounds 32 -games 2 -resign movecount=3 score=400 \
             -draw movenumber=40 movecount=8 score=10 {ENGINES} -openings file=Books/x.epd format=epd order=random start=17 -srand 9 \
             -pgnout file=PGNs/1.2.3.0.pgn seldepth=true nodes=true match_line='^info string pgncomment .*'"
        ));
        let read = read.unwrap();
        assert_eq!((read.concurrency, read.rounds, read.games, read.shuffled_by()), (2, 32, 2, Some(9)));
        assert_eq!(read.refereeing.resign, Some(Agreement { moves: 3, score: 400, after: 0 }));
        assert_eq!(read.refereeing.draw, Some(Agreement { moves: 8, score: 10, after: 40 }));
        assert_eq!(read.refereeing.win, None);
        let [dev, base] = &read.players[..] else { panic!() };
        assert_eq!((dev.limit, base.limit), (Limit::Nodes(500), Limit::MoveTime(Duration::from_millis(500))));
        assert!(PathBuf::from(&dev.command[0]).is_absolute() && dev.command[0].ends_with("mod.rs"));
        assert_eq!(dev.options, [("Hash".to_string(), "8".to_string())]);
        assert_eq!(base.margin, Duration::from_millis(250));
        assert_eq!(read.openings.unwrap().start, 17);
        assert_eq!(read.records.unwrap(), PathBuf::from("PGNs/1.2.3.0.pgn"));
    }

    #[test]
    fn clocks_with_increments_and_moves_are_read() {
        let limit = |tc: &str| {
            read(&format!("-each {tc} -engine cmd=a -engine cmd=b")).map(|read| read.players[0].limit.to_string())
        };
        assert_eq!(limit("tc=1.54+0.02"), Ok("1.54+0.02".to_string()));
        assert_eq!(limit("tc=40/10.00+0.10"), Ok("40/10+0.1".to_string()));
        assert_eq!(limit("tc=inf depth=7"), Ok("depth 7".to_string()));
        assert!(limit("tc=inf").unwrap_err().contains("a limit is missing"));
    }

    #[test]
    fn what_cannot_be_honoured_is_refused_with_its_flag() {
        for (line, word) in [
            ("-tb /tables", "-tb: Xiangqi has no Syzygy tablebases"),
            ("-variant fischerandom", "-variant: fischerandom"),
            ("-games 3", "-games: 3"),
            ("-rounds many", "-rounds: \"many\""),
            ("-sprt elo0=0", "-sprt: unknown flag"),
            ("stray", "stray: a flag was expected"),
            ("-pgnout file=x match_line=.*", "-pgnout: match_line"),
            ("-openings order=random", "-openings: file=PATH"),
            ("-openings file=x order=best", "-openings: order=best"),
            ("-engine cmd=z tc=1 name=third", "two players"),
        ] {
            let reason = read(&format!("{line} {ENGINES}")).unwrap_err();
            assert!(reason.contains(word), "{line}: {reason}");
        }
        assert!(read("-engine cmd=a tc=1 'name=a b' -engine cmd=b tc=1").unwrap_err().contains("spaces"));
        assert!(read("-engine cmd=a tc=1 name=x -engine cmd=b tc=1 name=x").unwrap_err().contains("same name"));
        assert!(read("-engine cmd=a tc=1 proto=xboard -engine cmd=b tc=1").unwrap_err().contains("xboard"));
    }
}
