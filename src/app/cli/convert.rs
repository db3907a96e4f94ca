//! `chuhe convert`: converts game records between formats.

use super::gather::{Gathered, GatheredItem, Gathering};
use super::output::{OutputArgs, keep};
use super::{Done, Failure, interrupt};
use crate::desk::say_losses;
use crate::output::{Progress, plain, print_message};
use crate::translation::language;
use chuhe_board::notation::Form;
use chuhe_board::words::{Key, Language};
use chuhe_engine::bytes::{NewFile, write_new_file};
use chuhe_games::openings::Opening;
use chuhe_games::records::cbl::Library;
use chuhe_games::records::{Diagram, Format, MAX_WHOLE, Record, Unreadable, Written, tags};
use clap::{Args, ValueEnum};
use encoding_rs::GB18030;
use std::collections::{HashMap, HashSet};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Converts game records to another format
#[derive(Args)]
#[command(after_help = "\
Formats:
  pgn        tags, variations, comments, glyphs; moves in the notation of --notation
  xqf        象棋演播室 (XQStudio), version 1.0; one game per file
  cbr, cbl   象棋桥 (CCBridge): cbr is one record, cbl a library
  cbf        象棋桥's XML: main line and comments; one game per file
  dhtmlxq    东萍 (dpxq.com) and the UBB code of forums
  wxf        PlayOK, and programs of the 1990s: the main line
  position   `position startpos moves h2e2 …`: the main line, one game per line
  moves      a plain list of moves: the main line

The format of a file is detected from its content. Folders are searched for such files. Training records of `chuhe datagen` can be \
read too, each move with its score as a comment.

Examples:
  chuhe convert game.xqf --to pgn --notation chinese
  chuhe convert games/ library.cbl --to pgn --out all.pgn
  chuhe convert all.pgn --to xqf --out xqf/
  chuhe convert all.pgn --to pgn --name-openings --out named.pgn
  pbpaste | chuhe convert - --to pgn

A damaged game is written as far as it can be read, and the error is reported; --drop-broken omits such games. A file that contains \
no games is reported and skipped. In both cases the exit status is 1.")]
pub(super) struct Convert {
    /// Files, folders, or `-` for standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_name = "FORMAT")]
    to: Format,

    /// Only game number N, counting from 1, of each file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,

    /// Output: a file, or a folder for formats with one game per file [default: standard output]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// Move notation for pgn and moves: iccs, wxf, chinese
    #[arg(long, value_name = "FORM", default_value = "iccs")]
    notation: Form,

    /// Encoding of the output; --encoding sets the encoding of the input
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Encoding::Utf8)]
    out_encoding: Encoding,

    /// Leave out damaged games
    #[arg(long)]
    drop_broken: bool,

    /// Name the openings: set the tags ECCO, Opening and Variation from the moves
    #[arg(long)]
    name_openings: bool,
}

/// Maximum number of reported losses: truncated fields, omitted glyphs and omitted pieces.
const MAX_SHORTENED: usize = 20;

/// A record or a diagram to convert.
#[derive(Clone, Copy)]
pub(super) enum Source<'r> {
    Game(&'r Record),
    Diagram(&'r Diagram),
}

impl Source<'_> {
    fn write(self, format: Format, form: Form) -> Result<Written, Unreadable> {
        match self {
            Source::Game(record) => format.write(record, form),
            Source::Diagram(diagram) => format.write_diagram(diagram, form),
        }
    }

    fn title(&self) -> &str {
        match self {
            Source::Game(record) => record.tag(tags::TITLE),
            Source::Diagram(diagram) => diagram.tag(tags::TITLE),
        }
        .unwrap_or_default()
    }
}

/// Text encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Encoding {
    /// UTF-8
    #[value(name = "utf-8")]
    Utf8,
    /// GB18030, for old programs
    Gb18030,
}

impl Convert {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let mut games = Gathering::of(&self.inputs, language())?;
        games.set(self.drop_broken, self.game.map(|number| number as usize));
        let files = games.files();
        // No progress bar is shown if the games themselves are printed on the terminal.
        let bar = (self.out.is_some() || !io::stdout().is_terminal()).then(|| Progress::endless("games"));
        let writing = Writing {
            to: self.to,
            notation: self.notation,
            encoding: self.out_encoding,
            out: self.out.as_deref(),
            output: self.output,
            inputs: &self.inputs,
            language: language(),
        };
        let mut target = Target::new(writing, out)?;
        target.keep(games.unread());
        while let Some(found) = games.next_item() {
            match found {
                GatheredItem::Game(game) => {
                    let Gathered { file, number, mut record, .. } = *game;
                    if self.name_openings {
                        name_opening(&mut record);
                    }
                    target.add(Source::Game(&record), &file, number)?;
                }
                GatheredItem::Diagram(file, number, diagram) => target.add(Source::Diagram(&diagram), &file, number)?,
            }
            bar.iter().for_each(|bar| bar.advance(1));
        }
        drop(bar);
        let shortened = target.end()?;
        print_shortened(&shortened, language());
        games.print_count(files);
        games.end()
    }
}

/// Reports the truncated fields, and the games whose glyphs or pieces were omitted.
pub(super) fn print_shortened(shortened: &[String], language: Language) {
    shortened.iter().take(MAX_SHORTENED).for_each(|line| print_message(plain(line.clone())));
    if shortened.len() > MAX_SHORTENED {
        let more = shortened.len() - MAX_SHORTENED;
        print_message(language.say(Key::AndMore, &[("count", &more)]));
    }
}

/// Format and destination of the output.
pub(super) struct Writing<'c> {
    pub to: Format,
    /// Move notation for pgn and moves.
    pub notation: Form,
    pub encoding: Encoding,
    /// Output file, or a folder for formats with one game per file; `None` for standard output.
    pub out: Option<&'c Path>,
    pub output: OutputArgs,
    /// Files and folders that are read, which an output file must not replace.
    pub inputs: &'c [PathBuf],
    pub language: Language,
}

impl Writing<'_> {
    /// Encodes text for the file.
    fn encode(&self, bytes: Vec<u8>) -> Vec<u8> {
        match (self.encoding, String::from_utf8(bytes)) {
            // XML names its encoding.
            (Encoding::Gb18030, Ok(text)) if self.to == Format::Cbf => {
                GB18030.encode(&text.replacen("encoding=\"UTF-8\"", "encoding=\"GB18030\"", 1)).0.into_owned()
            }
            (Encoding::Gb18030, Ok(text)) if self.to.is_text() => GB18030.encode(&text).0.into_owned(),
            (_, Ok(text)) => text.into_bytes(),
            (_, Err(binary)) => binary.into_bytes(),
        }
    }
}

/// Sets the tags of the opening. If no position has a name, as in an endgame, the tags are unchanged.
fn name_opening(game: &mut Record) {
    if let Some(opening) = Opening::of(&game.start, &game.moves()) {
        let [name, variation] = opening.tags();
        game.set_tag(tags::ECCO, opening.code);
        game.set_tag(tags::OPENING, name);
        game.set_tag(tags::VARIATION, variation);
    }
}

/// Destination of the games.
pub(super) struct Target<'c> {
    writing: Writing<'c>,
    destination: Destination<'c>,
    written: usize,
    /// Current size of the file in bytes.
    size: u64,
    /// Truncated fields, and games whose glyphs or pieces were omitted; one line each.
    shortened: Vec<String>,
}

enum Destination<'c> {
    /// Standard output. In a format with one game per file, also the first game, which is written if no
    /// second game follows.
    Stream(Box<dyn Write + 'c>, Vec<u8>),
    /// A file, with a temporary name until it is complete.
    File(BufWriter<NewFile>, PathBuf),
    /// One file per game.
    Folder {
        path: PathBuf,
        /// Number of files per name.
        copies: HashMap<String, u32>,
        /// Names of written files and of inputs, in lower case, since some file systems ignore case.
        written: HashSet<String>,
    },
    /// A library, written at the end.
    Library(Library, Option<PathBuf>, Box<dyn Write + 'c>),
}

impl<'c> Target<'c> {
    /// Creates a file or a folder, if there is an output path. `screen` filters what a terminal receives; binary
    /// formats, and text read by programs, must be written unchanged, so they bypass it.
    ///
    /// # Errors
    /// Returns an error if the output exists or cannot be written, or a binary format would be written to a terminal.
    pub(super) fn new(writing: Writing<'c>, screen: &'c mut dyn Write) -> Result<Target<'c>, Failure> {
        let format = writing.to;
        let is_terminal = io::stdout().is_terminal();
        if writing.out.is_none() && !format.is_text() && is_terminal {
            return Err(Failure::Input(format!("{} cannot be written to a terminal: use --out", format.name())));
        }
        let out: Box<dyn Write + 'c> = if is_terminal { Box::new(screen) } else { Box::new(io::stdout()) };
        let destination = match writing.out {
            path if format == Format::Cbl => {
                writing.output.check(path, writing.inputs)?;
                Destination::Library(Library::default(), path.map(Path::to_owned), out)
            }
            None => Destination::Stream(out, Vec::new()),
            Some(path) => {
                let has_suffix = path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case(format.suffix()));
                if path.is_dir() || format.is_single() && !has_suffix {
                    if path.exists() && !path.is_dir() {
                        let reason = writing.language.say(Key::FolderNeeded, &[("format", &format.name())]);
                        return Err(Failure::at(path.display(), reason));
                    }
                    std::fs::create_dir_all(path).map_err(|error| Failure::file(path, &error))?;
                    interrupt::install_handler();
                    Destination::Folder { path: path.to_owned(), copies: HashMap::new(), written: HashSet::new() }
                } else {
                    OutputArgs::refuse_inputs(path, writing.inputs)?;
                    Destination::File(BufWriter::new(writing.output.new_file(path)?), path.to_owned())
                }
            }
        };
        Ok(Target { writing, destination, written: 0, size: 0, shortened: Vec::new() })
    }

    /// Prevents the given files, which are yet to be read, from being overwritten.
    fn keep(&mut self, files: &[PathBuf]) {
        let Destination::Folder { path, written, .. } = &mut self.destination else { return };
        let Ok(folder) = path.canonicalize() else { return };
        let paths = files.iter().filter_map(|file| file.canonicalize().ok());
        let names = paths.filter(|file| file.parent() == Some(folder.as_path()));
        written.extend(names.filter_map(|file| Some(file.file_name()?.to_string_lossy().to_lowercase())));
    }

    /// Adds game `number` of a file.
    pub(super) fn add(&mut self, game: Source, file: &Path, number: usize) -> Done {
        self.written += 1;
        let is_second = self.written > 1 && self.writing.to.is_single();
        if is_second && !matches!(self.destination, Destination::Folder { .. }) {
            let format = self.writing.to;
            let language = self.writing.language;
            return Err(Failure::Input(language.say(Key::OneGameAFile, &[("format", &format.name())])));
        }
        let written =
            game.write(self.writing.to, self.writing.notation).map_err(|error| Failure::at(file.display(), error))?;
        self.note_losses(&written, file, number);
        let bytes = self.writing.encode(written.bytes);
        self.size += bytes.len() as u64;
        if self.size > self.most() {
            return Err(self.too_large());
        }
        match &mut self.destination {
            Destination::Stream(_, only) if self.writing.to.is_single() => *only = bytes,
            Destination::Stream(out, _) => out.write_all(&bytes)?,
            Destination::File(out, path) => out.write_all(&bytes).map_err(|error| Failure::file(path, &error))?,
            Destination::Folder { path: folder, copies, written } => {
                let stem = file.file_stem().map_or("game".into(), |stem| stem.to_string_lossy().replace('-', "_"));
                let stem = if file == Path::new("-") { "game".into() } else { stem };
                let number = if number == 1 { String::new() } else { format!("-{number}") };
                // Files in different folders may have the same name.
                let copy = copies.entry(format!("{stem}{number}")).or_insert(0);
                let mut names = std::iter::from_fn(|| {
                    *copy += 1;
                    let copy = if *copy == 1 { String::new() } else { format!("~{copy}") };
                    Some(format!("{stem}{number}{copy}.{}", self.writing.to.suffix()))
                });
                if self.writing.output.is_forced() {
                    // Only files of earlier runs are overwritten.
                    let name = names.find(|name| written.insert(name.to_lowercase()));
                    name.map_or(Ok(()), |name| self.writing.output.write(&folder.join(name), &bytes))?;
                } else {
                    write_new_file(folder, names, &bytes).map_err(|error| Failure::file(folder, &error))?;
                }
            }
            Destination::Library(games, ..) => {
                games.add(bytes, game.title()).map_err(|error| Failure::Input(error.to_string()))?;
            }
        }
        Ok(())
    }

    /// Returns the maximum size of the output file in bytes; readers reject larger files.
    fn most(&self) -> u64 {
        match self.destination {
            Destination::Stream(..) | Destination::File(..) => self.writing.to.most().unwrap_or(u64::MAX),
            Destination::Folder { .. } | Destination::Library(..) => u64::MAX,
        }
    }

    fn too_large(&self) -> Failure {
        let (language, format) = (self.writing.language, self.writing.to);
        Failure::Input(language.say(Key::FormatTooLarge, &[("format", &format), ("most", &(MAX_WHOLE >> 20))]))
    }

    fn note_losses(&mut self, written: &Written, file: &Path, number: usize) {
        let (language, name) = (self.writing.language, file.display());
        let losses = say_losses(self.writing.to, written, language).into_iter();
        let of_game = |text| language.say(Key::OfGame, &[("file", &name), ("number", &number), ("text", &text)]);
        self.shortened.extend(losses.map(of_game));
    }

    /// Finishes the file; returns the lines for [`print_shortened`].
    pub(super) fn end(self) -> Result<Vec<String>, Failure> {
        match self.destination {
            Destination::Stream(mut out, only) => {
                out.write_all(&only)?;
                out.flush()?;
            }
            // If there is no game, an existing file is not replaced.
            Destination::File(..) if self.written == 0 => {}
            Destination::File(out, path) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error);
                keep(file.map_err(|error| Failure::file(&path, &error))?, &path)?;
            }
            Destination::Library(..) if self.written == 0 => {}
            Destination::Folder { .. } => {}
            Destination::Library(games, path, mut out) => {
                let name =
                    path.as_ref().and_then(|path| path.file_stem()).map_or("Chuhe".into(), |s| s.to_string_lossy());
                let bytes = games.write(&name);
                match &path {
                    None => out.write_all(&bytes)?,
                    Some(path) => self.writing.output.write(path, &bytes)?,
                }
            }
        }
        Ok(self.shortened)
    }
}
