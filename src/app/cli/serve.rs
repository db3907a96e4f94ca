//! `chuhe serve`: the board in the browser.

use super::engines::known_players;
use super::output::OutputArgs;
use super::tables::TablesArgs;
use super::{Done, Failure, encoding, interrupt, language, puzzles, threads};
use crate::desk::{DatabaseAccess, DeskSettings};
use crate::engine_list::EngineList;
use crate::output::print_message;
use crate::web::{PORT, Server, Settings, files};
use chuhe_engine::Options;
use chuhe_lab::arena::player::PlayerSettings;
use clap::Args;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Identifiers of the options that `--export` would ignore.
const NOT_EXPORTED: &[&str] = &[
    "port",
    "open",
    "threads",
    "hash",
    #[cfg(feature = "sqlite-books")]
    "games",
    #[cfg(feature = "sqlite-books")]
    "explored",
    #[cfg(feature = "sqlite-books")]
    "no_my_games",
    "puzzles",
    "book",
    "public_url",
    "endings",
    "engine",
    "no_engines_from_page",
];

/// Opens a board in the browser: play, analyse, review, solve puzzles, judge, edit, open and save games
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe serve
  chuhe serve --open
  chuhe serve --port 8000 --threads 4 --hash 1024
  chuhe serve --games my.games.db --open
  chuhe serve --explored my.explore.db --explored-add
  chuhe serve --engine cmd=./pikafish,name=Pikafish

The page comes from this program: nothing is downloaded, and only this machine can reach it. The printed address contains the secret
token of this run, which is required for access. Ctrl-C ends the server. --language also sets the language of the page, until its
user chooses one; by default it follows the browser. See docs/10-board.md.")]
pub(super) struct Serve {
    /// First port to try; if it is in use, the next free one. 0 = any
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Maximum number of threads per page; 0 = all cores
    #[arg(long, default_value = "0", value_parser = threads::read)]
    threads: usize,

    /// Maximum size of a page's hash table in MB; there are at most four tables
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// Open this library of games (`chuhe games add` fills one)
    #[cfg(feature = "sqlite-books")]
    #[arg(long, value_name = "LIBRARY")]
    games: Option<PathBuf>,

    /// Allow the page to add games to the library; it is created if it does not exist
    #[cfg(feature = "sqlite-books")]
    #[arg(long, requires = "games")]
    games_add: bool,

    /// Allow the page to add games, to remove games, to edit their tags and to merge names of players
    #[cfg(feature = "sqlite-books")]
    #[arg(long, requires = "games")]
    games_edit: bool,

    /// Show the moves of this position database (`chuhe explore` creates one); reviews use its lines
    #[cfg(feature = "sqlite-books")]
    #[arg(long, value_name = "DATABASE")]
    explored: Option<PathBuf>,

    /// Allow the page to store its analyses in the position database; it is created if it does not exist
    #[cfg(feature = "sqlite-books")]
    #[arg(long, requires = "explored")]
    explored_add: bool,

    /// Don't store the games played on the page
    #[cfg(feature = "sqlite-books")]
    #[arg(long)]
    no_my_games: bool,

    /// Puzzles instead of the built-in ones (`chuhe puzzles make` creates them)
    #[arg(long, value_name = "EPD")]
    puzzles: Option<PathBuf>,

    /// Opening book instead of the built-in one (`chuhe book build` creates one)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// URL of a hosted page, used in links to games so that other people can open them
    #[arg(long, value_name = "URL", value_parser = page_url)]
    public_url: Option<Arc<str>>,

    #[command(flatten)]
    tables: TablesArgs,

    /// Another engine for the board, in addition to the engines of `chuhe engines`
    #[arg(long, value_name = "KEY=VALUE,…")]
    engine: Vec<PlayerSettings>,

    /// Do not allow the page to add or remove engines of `chuhe engines`
    #[arg(long)]
    no_engines_from_page: bool,

    /// Write the page's files to a folder and exit
    #[arg(long, value_name = "FOLDER", conflicts_with_all = NOT_EXPORTED)]
    export: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,
}

/// Parses the URL of a page. Fragments are rejected, since links add their own.
fn page_url(text: &str) -> Result<Arc<str>, &'static str> {
    let is_url = text.starts_with("https://") || text.starts_with("http://");
    let is_plain = text.chars().all(|letter| letter.is_ascii_graphic() && letter != '#');
    if is_url && is_plain { Ok(text.into()) } else { Err("a URL such as https://example.org/chuhe/") }
}

impl Serve {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        if let Some(folder) = &self.export {
            return export(folder, self.output);
        }
        let options = self.tables.with(Options::default());
        options.tables().map_err(|error| Failure::at("--endings", error))?;
        let (library, endings) = (self.library()?, options.table_path);
        let engines = known_players(&self.engine)?;
        let engine_list = if self.no_engines_from_page { None } else { Some(EngineList::of_user()?) };
        let puzzles = self.puzzles.as_deref().map(puzzles::read).transpose()?.map(Into::into);
        self.book.as_deref().map(super::book::open).transpose()?;
        let desk = DeskSettings {
            threads: self.threads,
            hash_mb: self.hash as usize,
            library,
            own_games: self.own_games(),
            explored: self.explored()?,
            endings,
            puzzles,
            book: self.book.as_deref().map(Into::into),
            public_url: self.public_url.clone(),
            encoding: encoding::named(),
            language: language::given(&std::env::args_os().collect::<Vec<_>>()),
            ..DeskSettings::default()
        };
        let server = Server::bind(Settings { port: self.port, desk, engines, engine_list });
        let server = server.map_err(|error| Failure::at(format!("port {}", self.port), error))?;
        if server.port() != self.port && self.port != 0 {
            print_message(format!("Port {} is in use; using port {}.", self.port, server.port()));
        }
        let shutdown_handle = server.shutdown_handle();
        interrupt::on_interrupt(move || shutdown_handle.shut_down());
        let url = server.url();
        writeln!(out, "{url}")?;
        out.flush()?;
        print_message("Open this address in a browser. Press Ctrl-C to stop.");
        let redirect = if self.open { Some(RedirectFile::new(&url)?) } else { None };
        if let Some(Err(error)) = redirect.as_ref().map(|redirect| open::that_detached(&redirect.0)) {
            print_message(format!("No browser could be opened ({error}): open the address above."));
        }
        server.run().map_err(|error| Failure::at("the server", error))
    }
}

impl Serve {
    /// Returns the library after checking that it can be opened.
    #[cfg(feature = "sqlite-books")]
    fn library(&self) -> Result<Option<DatabaseAccess>, Failure> {
        use chuhe_games::library::Library;
        let Some(path) = &self.games else { return Ok(None) };
        let may_add = self.games_add || self.games_edit;
        let opened = if may_add { Library::open_to_add(path) } else { Library::open(path) };
        opened.map_err(|error| Failure::at(path.display(), error))?;
        Ok(Some(DatabaseAccess { path: path.as_path().into(), may_add, may_edit: self.games_edit }))
    }

    /// Returns the position database after checking that it can be opened.
    #[cfg(feature = "sqlite-books")]
    fn explored(&self) -> Result<Option<DatabaseAccess>, Failure> {
        use chuhe_games::explore::Store;
        let Some(path) = &self.explored else { return Ok(None) };
        let may_add = self.explored_add;
        let opened = if may_add { Store::open_to_add(path, None, None) } else { Store::open(path) };
        opened.map_err(|error| Failure::at(path.display(), error))?;
        Ok(Some(DatabaseAccess { path: path.as_path().into(), may_add, may_edit: false }))
    }

    /// Returns the library of the games played on the page, after creating it if necessary. If it cannot be
    /// created, the page is served without it.
    #[cfg(feature = "sqlite-books")]
    fn own_games(&self) -> Option<Arc<Path>> {
        use chuhe_games::library::Library;
        if self.no_my_games {
            return None;
        }
        let created = my_games().and_then(|path| match Library::open_to_add(&path) {
            Ok(_) => Ok(path),
            Err(error) => Err(Failure::at(path.display(), error)),
        });
        match created {
            Ok(path) => Some(path.into()),
            Err(Failure::Input(reason)) => {
                print_message(format!("Games played on the page are not stored: {reason}"));
                None
            }
            Err(_) => None,
        }
    }

    #[cfg(not(feature = "sqlite-books"))]
    fn own_games(&self) -> Option<Arc<Path>> {
        None
    }

    #[cfg(not(feature = "sqlite-books"))]
    fn explored(&self) -> Result<Option<DatabaseAccess>, Failure> {
        Ok(None)
    }

    #[cfg(not(feature = "sqlite-books"))]
    fn library(&self) -> Result<Option<DatabaseAccess>, Failure> {
        Ok(None)
    }
}

/// Returns the path of the library of the games played on the page, in a folder that only the user can read.
#[cfg(feature = "sqlite-books")]
fn my_games() -> Result<PathBuf, Failure> {
    use etcetera::BaseStrategy;
    let folders = etcetera::choose_base_strategy().map_err(|error| Failure::at("the user's folder", error))?;
    let folder = folders.data_dir().join("chuhe");
    let mut maker = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
    maker.recursive(true).create(&folder).map_err(|error| Failure::file(&folder, &error))?;
    Ok(folder.join("my.games.db"))
}

/// Writes the files of the page to a folder.
fn export(folder: &Path, output: OutputArgs) -> Done {
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    files().iter().try_for_each(|file| output.write(&folder.join(file.name), file.bytes))
}

/// A file, readable only by its user, that redirects to the page. The URL contains the secret token, and
/// command lines are visible to all users.
struct RedirectFile(PathBuf);

impl RedirectFile {
    fn new(url: &str) -> Result<RedirectFile, Failure> {
        let path = std::env::temp_dir().join(format!("chuhe-{:016x}.html", rand::random::<u64>()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let text = format!(
            "<!doctype html><meta charset=\"utf-8\"><title>Chuhe</title><meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0; url={url}\"><a href=\"{url}\">Chuhe</a>\n"
        );
        let written = options.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| Failure::file(&path, &error))?;
        Ok(RedirectFile(path))
    }
}

impl Drop for RedirectFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    #[test]
    fn an_export_ignores_no_option() {
        let command = Serve::augment_args(Command::new("serve"));
        let find = |id: &str| command.get_arguments().find(|arg| arg.get_id() == id);
        let conflicts = command.get_arg_conflicts_with(find("export").expect("the option"));
        let is_refused = |arg: &Arg| {
            let required = ["games_add", "games_edit", "explored_add"];
            // These require an option that is refused.
            required.contains(&arg.get_id().as_str()) || conflicts.iter().any(|other| other.get_id() == arg.get_id())
        };
        let ignored = command.get_arguments().filter(|arg| !is_refused(arg)).map(|arg| arg.get_id().as_str());
        assert_eq!(ignored.collect::<Vec<_>>(), ["export", "force"]);
    }
}
