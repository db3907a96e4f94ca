//! `chuhe convert`: converts game records between formats.

use super::language::LanguageArgs;
use super::{Done, Failure};
use crate::bytes::{open_file, replace_file};
use crate::data::pgn::game;
use crate::data::records::{Damage, MAGIC, Reader};
use crate::desk::say_fault;
use crate::notation::Form;
use crate::output::Progress;
use crate::records::{Fault, Format, Games, Problem, Record, SUFFIXES, cbr};
use crate::words::{Key, Language};
use clap::{Args, ValueEnum};
use encoding_rs::GB18030;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Converts game records to another format
#[derive(Args)]
#[command(after_help = "\
Formats:
  pgn        tags, variations, comments, glyphs; moves as --notation says
  xqf        象棋演播室 (XQStudio), version 1.0; one game a file
  cbr, cbl   象棋桥 (CCBridge): a record, a library of many
  cbf        象棋桥's XML: main line and comments; one game a file
  dhtmlxq    东萍 (dpxq.com) and the UBB code of forums
  wxf        PlayOK, and programs of the 1990s: the main line
  position   `position startpos moves h2e2 …`: the main line, one game a line
  moves      a plain list of moves: the main line
The format of a file is detected from its content. Folders are searched for such files. Training records of `chuhe datagen` can be \
read too, each move with its score as a comment.

Examples:
  chuhe convert game.xqf --to pgn --notation chinese
  chuhe convert games/ library.cbl --to pgn --out all.pgn
  chuhe convert all.pgn --to xqf --out xqf/
  pbpaste | chuhe convert - --to pgn

A game with a fault is left out and reported, and the status is 1; --keep-broken writes it as far as it could be read.")]
pub struct Convert {
    /// Files, folders, or `-` for standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// The format to write
    #[arg(long, value_name = "FORMAT")]
    to: Format,

    /// Only game number N, from 1, of each file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,

    /// Output: a file, or a folder for formats with one game per file [default: standard output]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// Move notation for pgn and moves: iccs, wxf, chinese
    #[arg(long, value_name = "FORM", default_value = "iccs")]
    notation: Form,

    /// Text encoding
    #[arg(long, value_enum, default_value_t = Encoding::Utf8)]
    encoding: Encoding,

    /// Write damaged games as far as they could be read
    #[arg(long)]
    keep_broken: bool,

    #[command(flatten)]
    language: LanguageArgs,
}

/// How text is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Encoding {
    /// UTF-8
    #[value(name = "utf-8")]
    Utf8,
    /// GB18030, for old programs
    Gb18030,
}

/// So many faults are shown; of the others there is only the number.
const SHOWN: usize = 20;

impl Convert {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        if self.out.is_none() && !self.to.is_text() && io::stdout().is_terminal() {
            return Err(Failure::Input(format!("{} is not for terminals: give --out", self.to.name())));
        }
        let mut files = Vec::new();
        for input in &self.inputs {
            find_files(input, &mut files).map_err(|error| Failure::file(input, &error))?;
        }
        let bar = Progress::endless("games");
        let mut target = Target::new(&self, out)?;
        let language = self.language.language();
        let mut tally = Tally { language, ..Tally::default() };
        for file in &files {
            let games = games_of(file).map_err(|error| Failure::file(file, &error))?;
            let mut of_file = 0;
            for (number, game) in (1..).zip(games) {
                if self.game.is_some_and(|wanted| wanted != number) {
                    continue;
                }
                let game = match game {
                    Ok(game) => Some(game),
                    Err(mut fault) => {
                        let rest = fault.game.take().filter(|game| self.keep_broken && !game.tree.is_empty());
                        tally.fault(file, &fault);
                        rest.map(|game| *game)
                    }
                };
                if let Some(game) = game {
                    of_file += 1;
                    target.add(&game, file, of_file)?;
                    tally.games += 1;
                    bar.advance(1);
                }
            }
        }
        drop(bar);
        target.end()?;
        tally.tell(files.len(), &mut io::stderr());
        if tally.faults > 0 || tally.games == 0 { Err(Failure::Check) } else { Ok(()) }
    }

    /// A game as bytes of the format; libraries are written as a whole.
    fn write(&self, game: &Record) -> Vec<u8> {
        let bytes = self.to.write(game, self.notation);
        match (self.encoding, String::from_utf8(bytes)) {
            (Encoding::Gb18030, Ok(text)) if self.to.is_text() => GB18030.encode(&text).0.into_owned(),
            (_, Ok(text)) => text.into_bytes(),
            (_, Err(binary)) => binary.into_bytes(),
        }
    }
}

/// The games of a file, or of standard input for `-`.
pub(super) fn open(path: &Path) -> io::Result<Games> {
    if path == Path::new("-") { Games::new(BufReader::new(io::stdin())) } else { Games::open(path) }
}

/// The games of a file of any kind that is read; training records are games too.
fn games_of(path: &Path) -> io::Result<Box<dyn Iterator<Item = Result<Record, Fault>>>> {
    if path != Path::new("-") {
        let mut file = BufReader::new(open_file(path)?);
        if file.fill_buf()?.starts_with(&MAGIC) {
            let fault = |damage: Damage| Fault::at_byte(damage.at as usize, Problem::Form(damage.fault.to_string()));
            let records = Reader::new(file).map_err(io::Error::other)?;
            return Ok(Box::new(records.map(move |record| record.map(|record| game(&record)).map_err(fault))));
        }
    }
    Ok(Box::new(open(path)?))
}

/// A file itself; of a folder all files with a known suffix, in order, those of folders inside too.
fn find_files(input: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !input.is_dir() {
        files.push(input.to_path_buf());
        return Ok(());
    }
    let mut entries = std::fs::read_dir(input)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for entry in entries {
        let suffix = entry.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase());
        // A link may lead back up.
        let is_folder = entry.is_dir() && !entry.is_symlink();
        if is_folder || suffix.is_some_and(|suffix| SUFFIXES.contains(&suffix.as_str())) {
            find_files(&entry, files)?;
        }
    }
    Ok(())
}

/// What was read, and what could not be.
#[derive(Default)]
struct Tally {
    language: Language,
    games: usize,
    faults: usize,
    shown: Vec<String>,
}

impl Tally {
    fn fault(&mut self, file: &Path, fault: &Fault) {
        self.faults += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(format!("{}: {}", file.display(), say_fault(fault, self.language)));
        }
    }

    fn tell(&self, files: usize, say: &mut dyn Write) {
        let language = self.language;
        let count = |number: usize, one: Key, many: Key| match number {
            1 => language.word(one).to_owned(),
            number => language.say(many, &[("count", &number.to_string())]),
        };
        let games = |number: usize| count(number, Key::OneGame, Key::ManyGames);
        let files = count(files, Key::OneFile, Key::ManyFiles);
        let _ =
            writeln!(say, "{}", language.say(Key::GamesFromFiles, &[("games", &games(self.games)), ("files", &files)]));
        if self.faults > 0 {
            let _ = writeln!(say, "{}", language.say(Key::NotReadable, &[("games", &games(self.faults))]));
            self.shown.iter().for_each(|line| drop(writeln!(say, "  {line}")));
            if self.faults > self.shown.len() {
                let more = (self.faults - self.shown.len()).to_string();
                let _ = writeln!(say, "  {}", language.say(Key::AndMore, &[("count", &more)]));
            }
        }
    }
}

/// Where games are written.
struct Target<'c> {
    convert: &'c Convert,
    place: Place<'c>,
    written: usize,
}

enum Place<'c> {
    /// Standard output, and the game of a format with one game a file: it is written when there was no second one.
    Stream(&'c mut dyn Write, Vec<u8>),
    /// A file, under another name until it is whole.
    File(BufWriter<File>, PathBuf),
    /// A file for each game.
    Folder(PathBuf),
    /// A library, written at the end.
    Library(Vec<Record>, Option<PathBuf>, &'c mut dyn Write),
}

impl<'c> Target<'c> {
    fn new(convert: &'c Convert, out: &'c mut dyn Write) -> Result<Target<'c>, Failure> {
        let place = match &convert.out {
            path if convert.to == Format::Cbl => Place::Library(Vec::new(), path.clone(), out),
            None => Place::Stream(out, Vec::new()),
            Some(path) => {
                let has_suffix =
                    path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case(convert.to.suffix()));
                if path.is_dir() || convert.to.is_single() && !has_suffix {
                    std::fs::create_dir_all(path).map_err(|error| Failure::file(path, &error))?;
                    Place::Folder(path.clone())
                } else {
                    // A link is followed, and what is no regular file, such as a device, is written to as it is.
                    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                    let written = if path.exists() && !path.is_file() { path.clone() } else { fresh(&path) };
                    let file = File::create(written).map_err(|error| Failure::file(&path, &error))?;
                    Place::File(BufWriter::new(file), path)
                }
            }
        };
        Ok(Target { convert, place, written: 0 })
    }

    /// Adds a game that was the `number`th of a file.
    fn add(&mut self, game: &Record, file: &Path, number: usize) -> Done {
        self.written += 1;
        let is_second = self.written > 1 && self.convert.to.is_single();
        if is_second && !matches!(self.place, Place::Folder(_)) {
            if let Place::File(_, path) = &self.place {
                let _ = std::fs::remove_file(fresh(path));
            }
            let format = self.convert.to;
            let language = self.convert.language.language();
            return Err(Failure::Input(language.say(Key::OneGameAFile, &[("format", format.name())])));
        }
        match &mut self.place {
            Place::Stream(_, only) if self.convert.to.is_single() => *only = self.convert.write(game),
            Place::Stream(out, _) => out.write_all(&self.convert.write(game))?,
            Place::File(out, path) => {
                out.write_all(&self.convert.write(game)).map_err(|error| Failure::file(path, &error))?;
            }
            Place::Folder(folder) => {
                let stem = file.file_stem().map_or("game".into(), |stem| stem.to_string_lossy().replace('-', "_"));
                let stem = if file == Path::new("-") { "game".into() } else { stem };
                let number = if number == 1 { String::new() } else { format!("-{number}") };
                let mut path = folder.join(format!("{stem}{number}.{}", self.convert.to.suffix()));
                // Files of other folders may have the same name.
                let mut copy = 1;
                while path.exists() {
                    copy += 1;
                    path = folder.join(format!("{stem}{number}~{copy}.{}", self.convert.to.suffix()));
                }
                std::fs::write(&path, self.convert.write(game)).map_err(|error| Failure::file(&path, &error))?;
            }
            Place::Library(games, ..) => games.push(game.clone()),
        }
        Ok(())
    }

    fn end(self) -> Done {
        match self.place {
            Place::Stream(out, only) => {
                out.write_all(&only)?;
                out.flush()?;
            }
            // Without a single game, the old file stays.
            Place::File(_, path) if self.written == 0 => drop(std::fs::remove_file(fresh(&path))),
            Place::File(mut out, path) => {
                let rename =
                    || if path.exists() && !path.is_file() { Ok(()) } else { std::fs::rename(fresh(&path), &path) };
                out.flush().and_then(|()| rename()).map_err(|error| Failure::file(&path, &error))?;
            }
            Place::Library(games, ..) if games.is_empty() => {}
            Place::Folder(_) => {}
            Place::Library(games, path, out) => {
                let name =
                    path.as_ref().and_then(|path| path.file_stem()).map_or("Chuhe".into(), |s| s.to_string_lossy());
                let bytes = cbr::write_library(&name, &games);
                match &path {
                    None => out.write_all(&bytes)?,
                    Some(path) => {
                        replace_file(path, &bytes).map_err(|error| Failure::file(path, &error))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The name of a file that is being written.
fn fresh(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}
