//! The command line: one file per subcommand, and shared options.
//!
//! A new subcommand requires a file with a `clap::Args` struct that has `run(self, out) -> Done`, and one row
//! of `subcommands!`. It prints results with `writeln!(out, …)?` (never `println!`, which panics when a pipe
//! is closed), messages with `print_message`, and errors as a `Failure`. All output passes through a
//! `Screen`, so that names in files cannot control the terminal.

mod alias;
mod analyze;
mod bench;
mod book;
mod compare;
mod completions;
mod convert;
mod datagen;
mod drawing;
mod duration;
mod encoding;
mod endings;
#[cfg(feature = "serve")]
mod engines;
mod eval;
mod evaluation;
#[cfg(feature = "sqlite-books")]
mod explore;
mod failure;
mod fastchess;
mod game;
#[cfg(feature = "sqlite-books")]
mod games;
mod gather;
mod genfens;
mod help;
mod input;
mod interrupt;
mod judge;
mod language;
mod logging;
mod man;
mod r#match;
mod mate;
mod moves;
mod net;
mod openings;
mod output;
mod pack;
mod params;
mod perft;
mod play;
mod practise;
mod puzzles;
mod review;
mod rules;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod tables;
mod threads;
mod train;
mod tune;
mod value;
mod wrong_input;

pub(crate) use failure::{Done, Failure};

use crate::output::{Screen, colour, print_message, width};
use crate::translation;
use chuhe_board::words::Language;
use chuhe_engine::protocol::{self, Dialect};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Chuhe (楚河), a Xiangqi engine. Without a subcommand it runs UCCI or UCI on standard input and output.
#[derive(Parser)]
#[command(name = "chuhe", version, after_help = logging::HELP)]
struct Cli {
    /// Protocol to use without a subcommand
    #[arg(long, value_enum, default_value_t = Protocol::Auto)]
    protocol: Protocol,

    /// Log file, instead of standard error
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,

    /// Encoding of game records and texts to read: gb18030, big5, windows-1258, … [default: detected]
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true, value_parser = chuhe_games::records::encoding)]
    encoding: Option<&'static chuhe_games::records::Encoding>,

    // `language::of_arguments` reads it before clap does, since clap's help and errors depend on it.
    /// Language: en or zh [default: the locale's]
    #[arg(long, value_name = "LANGUAGE", global = true)]
    language: Option<Language>,

    #[command(subcommand)]
    command: Option<Command>,
}

/// Dialects of the protocol loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Protocol {
    /// Detected from the GUI's first line
    Auto,
    /// UCCI 3.0
    Ucci,
    /// UCI as used by Xiangqi programs, ranks 0-9
    Uci,
    /// UCI as used by multi-variant programs, ranks 1-10
    UciVariant,
}

impl Protocol {
    fn dialect(self) -> Option<Dialect> {
        match self {
            Protocol::Auto => None,
            Protocol::Ucci => Some(Dialect::Ucci),
            Protocol::Uci => Some(Dialect::Uci),
            Protocol::UciVariant => Some(Dialect::UciVariant),
        }
    }
}

/// Declares the subcommands: each is a struct with `run`.
macro_rules! subcommands {
    ($($(#[$condition:meta])? $name:ident($arguments:ty) $(with $more:expr)?,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$condition])? $name($arguments),)*
        }

        impl Command {
            fn run(self, out: &mut dyn Write) -> Done {
                match self {
                    $($(#[$condition])? Command::$name(arguments) => arguments.run($($more,)? out),)*
                }
            }
        }
    };
}

subcommands! {
    Analyze(analyze::Analyze),
    Show(show::Show),
    Eval(eval::Eval),
    Judge(judge::Judge),
    Mate(mate::Mate),
    Convert(convert::Convert),
    Book(book::BookArgs),
    Endings(endings::EndingsArgs),
    #[cfg(feature = "serve")]
    Engines(engines::Engines),
    #[cfg(feature = "sqlite-books")]
    Explore(Box<explore::ExploreArgs>),
    #[cfg(feature = "sqlite-books")]
    Games(games::GamesArgs),
    Moves(moves::Moves),
    Review(review::ReviewArgs),
    Play(play::Play),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    Practise(practise::Practise),
    Puzzles(puzzles::Puzzles),
    Perft(perft::Perft),
    Bench(bench::Bench),
    Compare(Box<compare::Compare>),
    Match(Box<r#match::Match>),
    Fastchess(fastchess::Fastchess),
    Openings(openings::Openings),
    Datagen(datagen::Datagen),
    Genfens(genfens::Genfens),
    Params(params::Params),
    Train(Box<train::Train>),
    Tune(Box<tune::Tune>),
    Net(net::Net),
    Completions(completions::Completions) with grammar(),
    Man(man::Man) with grammar(),
}

/// Parses the command line and runs it. Exit status: 0 success, 1 a check failed, 2 invalid usage or input.
pub fn run() -> ExitCode {
    interrupt::survive_file_limits();
    let arguments = genfens::unpack(fastchess::unpack(std::env::args_os().collect()));
    translation::choose(language::of_arguments(&arguments));
    let done = match read(arguments) {
        Ok(cli) => logging::start(cli.log.as_deref()).and_then(|()| cli.run()),
        Err(error) => failure::of_usage(&error),
    };
    failure::exit_code(done)
}

impl Cli {
    fn run(self) -> Done {
        self.encoding.into_iter().for_each(encoding::set);
        match self.command {
            Some(command) => {
                let mut out = Screen::new(std::io::stdout().lock(), colour());
                command.run(&mut out)?;
                Ok(out.flush()?)
            }
            None => {
                let (stdin, stdout) = (std::io::stdin(), std::io::stdout());
                if stdin.is_terminal() {
                    print_message(welcome());
                }
                protocol::run(stdin, Screen::new(stdout, false), self.protocol.dialect(), interrupt::on_interrupt)
                    .map_err(|error| match error.kind() {
                        ErrorKind::Other => Failure::Input(error.to_string()),
                        _ => error.into(),
                    })
            }
        }
    }
}

/// Returns the message for users who started the program by hand or with a double click.
fn welcome() -> String {
    let wait = &format!("Chuhe {} speaks UCCI and UCI: type help, or quit.", env!("CARGO_PKG_VERSION"));
    let board = "In a terminal, chuhe serve --open shows a board in the browser.";
    let all = "chuhe --help lists the subcommands.";
    if cfg!(feature = "serve") { [wait, board, all].join("\n") } else { [wait, all].join("\n") }
}

/// Parses a command line.
fn read(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    // If a nested subcommand is missing, the error lists the subcommands instead of printing the whole help.
    let grammar = grammar().mut_subcommands(|command| command.arg_required_else_help(false));
    Cli::from_arg_matches(
        &help::laid_out(grammar, translation::language(), width().unwrap_or(100)).try_get_matches_from(arguments)?,
    )
}

/// Returns the grammar of the whole command line, in the language of the program, for completions and manual
/// pages.
fn grammar() -> clap::Command {
    help::translated(Cli::command(), translation::language())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translation::catalogue;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn the_grammar_is_sound() {
        grammar().debug_assert();
    }

    #[test]
    fn every_subcommand_shows_an_example() {
        for subcommand in help::laid_out(grammar(), Language::English, 100).get_subcommands_mut() {
            let name = subcommand.get_name().to_owned();
            let help = subcommand.render_long_help().to_string();
            assert!(help.contains("Example") && help.contains(&format!("chuhe {name}")), "{help}");
        }
    }

    /// Calls `check` with the name and the short and long help of every command.
    fn every_help(language: Language, width: usize, check: &mut dyn FnMut(&str, &str)) {
        fn visit(command: &mut clap::Command, check: &mut dyn FnMut(&str, &str)) {
            let name = command.get_name().to_owned();
            for help in [command.render_help(), command.render_long_help()] {
                check(&name, &help.to_string());
            }
            command.get_subcommands_mut().for_each(|command| visit(command, check));
        }
        visit(&mut help::laid_out(help::translated(Cli::command(), language), language, width), check);
    }

    /// Removes quoted commands, usage, examples and option names from a help text.
    fn prose(help: &str) -> String {
        let text = help.split('`').step_by(2).collect::<Vec<_>>().join("\n");
        let is_grammar = |line: &&str| {
            ["用法：", "      -"].iter().any(|begin| line.starts_with(begin))
                || ["chuhe ", "cbr, cbl", "cmd="].iter().any(|known| line.contains(known))
        };
        text.lines().filter(|line| !is_grammar(line)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn no_english_sentence_is_left_in_chinese_help() {
        let mut sentences = 0;
        every_help(Language::Chinese, 100, &mut |name, help| {
            for line in prose(help).lines() {
                let is_chinese = catalogue::is_chinese(line);
                sentences += usize::from(is_chinese);
                let words: Vec<&str> = line.split(' ').collect();
                let is_word = |word: &str| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_lowercase());
                let english =
                    words.windows(2).find(|pair| pair.iter().all(|word| is_word(word.trim_matches([',', '.', ';']))));
                assert!(english.is_none(), "{name}: {line}");
                for heading in ["Usage", "Options", "Commands", "Arguments", "default:", "possible values", "Print "] {
                    assert!(!line.contains(heading), "{name}: {line}");
                }
            }
        });
        assert!(sentences > 1000, "{sentences}");
    }

    #[test]
    fn no_chinese_is_in_english_help() {
        // Names of programs, players, moves and openings.
        let names = [
            "象棋演播室",
            "象棋桥",
            "东萍",
            "楚河",
            "车兵对士象全",
            "屏风马",
            "炮二平五",
            "马８进７",
            "马8进7",
            "马二进三",
            "一兵平四",
            "胡荣华",
            "王天一",
            "许银川",
            "炮８平５",
        ];
        every_help(Language::English, 100, &mut |name, help| {
            let rest = names.iter().fold(help.replace(['\n', ' '], ""), |text, name| text.replace(name, ""));
            assert!(!catalogue::is_chinese(&rest), "{name}: {rest}");
        });
    }

    #[test]
    fn chinese_help_fits_the_terminal() {
        for width in [60, 80] {
            every_help(Language::Chinese, width, &mut |name, help| {
                let is_copied = |line: &str| {
                    line.contains("chuhe ") || line.starts_with("      ") && !line.starts_with("          ")
                };
                for line in help.lines().filter(|line| !is_copied(line) && catalogue::is_chinese(line)) {
                    assert!(line.width() <= width, "{name}: {} columns: {line}", line.width());
                }
            });
        }
    }

    /// Returns the examples in a command's help as words, without the parts after a pipe, a redirection or a
    /// gap of three spaces.
    fn examples(command: &clap::Command) -> Vec<Vec<String>> {
        let help = help::Notes::of(command).examples.replace("\\\n      ", "");
        let lines = help.lines().filter(|line| line.starts_with("  chuhe"));
        let commands = lines.flat_map(|line| line.split(" | ")).map(str::trim).filter(|part| part.starts_with("chuhe"));
        let command = |part: &str| {
            // A command substitution is replaced by an additional setting.
            let part = match (part.find("$("), part.find(')')) {
                (Some(from), Some(to)) => format!("{}nodes=1{}", &part[..from], &part[to + 1..]),
                _ => part.to_owned(),
            };
            let alone =
                [" > ", "   "].into_iter().fold(part.as_str(), |part, end| part.split(end).next().unwrap_or(part));
            chuhe_lab::arena::player::split_words(alone).expect("quotes in pairs")
        };
        commands.map(command).collect()
    }

    #[test]
    fn every_example_fits_a_terminal() {
        let grammar = grammar();
        for command in std::iter::once(&grammar).chain(grammar.get_subcommands()) {
            for line in help::Notes::of(command).examples.lines() {
                assert!(line.width() <= 80, "{}: {line}", command.get_name());
            }
        }
    }

    #[test]
    fn every_example_is_understood() {
        let grammar = grammar();
        let all: Vec<Vec<String>> =
            std::iter::once(&grammar).chain(grammar.get_subcommands()).flat_map(examples).collect();
        assert!(all.len() > 40, "{all:?}");
        for words in all {
            let arguments = genfens::unpack(words.iter().map(Into::into).collect());
            let read = read(arguments);
            assert!(read.is_ok(), "{words:?}: {}", read.err().map_or(String::new(), |error| error.to_string()));
            let value = |name| words.iter().skip_while(|word| *word != name).nth(1).cloned();
            let position = words.iter().skip_while(|word| word.matches('/').count() != 9);
            let game = game::GameArgs {
                position: position.take_while(|word| !word.starts_with("--")).cloned().collect(),
                fen: value("--fen"),
                moves: value("--moves").unwrap_or_default(),
                ..game::GameArgs::default()
            };
            assert!(game.read().is_ok(), "{words:?}: {:?}", game.read().err());
        }
    }
}
