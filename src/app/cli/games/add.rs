//! `chuhe games add`: one thread reads files, another writes batches to the library.

use super::library::failed;
use crate::cli::Done;
use crate::cli::gather::Gathering;
use crate::cli::output::shown;
use crate::output::{Progress, print_message};
use crate::translation::language;
use chuhe_board::words::Key;
use chuhe_games::library::{BATCH, Error, Library};
use chuhe_games::records::{Record, Unreadable};
use chuhe_lab::arena::schedule::Part;
use clap::Args;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Maximum number of reported duplicates; the others are only counted.
const SHOWN: usize = 20;

#[derive(Args)]
pub(super) struct Add {
    /// Game files in any format that `chuhe convert` reads, folders of such files, and other libraries
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// The library; it is created if it does not exist
    #[arg(long, value_name = "LIBRARY")]
    to: PathBuf,

    /// Add only the K-th of N parts of the files, so that N machines share the work; merge their libraries
    /// afterwards with another `add`
    #[arg(long, value_name = "K/N")]
    part: Option<Part>,
}

/// Games to be added, each with its file and its number there.
type Batch = Vec<((PathBuf, usize), Record)>;

/// Result of the writing thread.
#[derive(Default)]
struct Written {
    games: usize,
    duplicates: usize,
    /// Duplicates whose result was stored, whose comments were stored, and whose comments differ from the library's.
    results: usize,
    annotated: usize,
    different: usize,
    /// Files and numbers of duplicate games, each with the number of the same game in the library.
    shown: Vec<((PathBuf, usize), i64)>,
    /// The same for duplicates whose result contradicts the library's.
    contradictions: Vec<((PathBuf, usize), i64)>,
    /// The same for longer versions that replaced shorter ones, and for versions that were both kept.
    replaced: Vec<((PathBuf, usize), i64)>,
    versions: Vec<((PathBuf, usize), i64)>,
    /// Files and numbers of the games that the library cannot store, with the reasons.
    refused: Vec<((PathBuf, usize), Unreadable)>,
}

impl Add {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let mut games = Gathering::of(&self.paths, language)?;
        games.set(true, None);
        if let Some(part) = self.part {
            games.keep_part(part);
        }
        let files = games.files();
        let mut library = Library::open_to_add(&self.to).map_err(|error| failed(&self.to, error))?;
        let bar = Progress::endless("games");
        let written = std::thread::scope(|scope| {
            let (send, receive) = sync_channel(1);
            let writer = scope.spawn(|| write(&mut library, receive, &bar));
            read(&mut games, send);
            writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        drop(bar);
        let written = written.map_err(|error| failed(&self.to, error))?;
        for ((file, number), reason) in &written.refused {
            games.refuse(file, *number, &reason.to_string());
        }
        games.print_count(files);
        let lists = [
            (Key::SameMoves, &written.shown, written.duplicates),
            (Key::OtherResult, &written.contradictions, written.contradictions.len()),
            (Key::ReplacedVersion, &written.replaced, written.replaced.len()),
            (Key::OtherVersion, &written.versions, written.versions.len()),
        ];
        for (key, games, count) in lists {
            for ((file, number), id) in games.iter().take(SHOWN) {
                let same: [(&str, &dyn Display); 3] = [("file", &shown(file)), ("number", number), ("id", id)];
                print_message(format!("  {}", language.say(key, &same)));
            }
            if count > SHOWN {
                print_message(format!("  {}", language.say(Key::AndMore, &[("count", &(count - SHOWN))])));
            }
        }
        for (key, count) in [
            (Key::ResultsAdded, written.results),
            (Key::CommentsAdded, written.annotated),
            (Key::CommentsDiffer, written.different),
        ] {
            if count > 0 {
                print_message(format!("  {}", language.say(key, &[("count", &count)])));
            }
        }
        let total = library.count().map_err(|error| failed(&self.to, error))?;
        let (added, duplicates, to) = (written.games - written.replaced.len(), written.duplicates, shown(&self.to));
        let counts: [(&str, &dyn Display); 4] =
            [("added", &added), ("duplicates", &duplicates), ("library", &to), ("total", &total)];
        writeln!(out, "{}", language.say(Key::AddedGames, &counts))?;
        games.end()
    }
}

/// Sends games in batches until there are no more or the writer has failed; in the latter case the writer
/// reports the error.
fn read(games: &mut Gathering, send: SyncSender<Batch>) {
    let mut batch = Vec::new();
    for game in games {
        batch.push(((game.file.to_path_buf(), game.number), game.record));
        if batch.len() == BATCH && send.send(std::mem::take(&mut batch)).is_err() {
            return;
        }
    }
    drop(send.send(batch));
}

/// Adds batches as they arrive.
fn write(library: &mut Library, receive: Receiver<Batch>, bar: &Progress) -> Result<Written, Error> {
    let mut written = Written::default();
    for batch in receive {
        let (places, games): (Vec<(PathBuf, usize)>, Vec<Record>) = batch.into_iter().unzip();
        let added = library.add(&games)?;
        written.refused.extend(added.refused.into_iter().map(|(place, reason)| (places[place].clone(), reason)));
        let located = |(place, id): (usize, i64)| (places[place].clone(), id);
        written.contradictions.extend(added.contradictions.into_iter().map(located));
        written.replaced.extend(added.replaced.into_iter().map(located));
        written.versions.extend(added.versions.into_iter().map(located));
        written.games += added.games;
        written.duplicates += added.duplicates.len();
        written.results += added.results;
        written.annotated += added.annotated;
        written.different += added.different;
        let room = SHOWN.saturating_sub(written.shown.len());
        written.shown.extend(added.duplicates.into_iter().take(room).map(located));
        bar.advance(games.len() as u64);
    }
    Ok(written)
}
