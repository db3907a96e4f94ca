//! `chuhe man`: manual pages.

use super::help::Notes;
use super::{Done, Failure};
use crate::translation::translate;
use clap::{Args, Command};
use clap_mangen::Man as Page;
use std::io::Write;

/// Prints the manual page of the program or of one subcommand
#[derive(Args)]
#[command(after_help = "Examples:\n  chuhe man | man -l -\n  chuhe man perft > chuhe-perft.1")]
pub(super) struct Man {
    /// Subcommand; without it, the page of the program
    subcommand: Option<String>,
}

impl Man {
    pub(super) fn run(self, mut grammar: Command, out: &mut dyn Write) -> Done {
        grammar.build();
        let command = match &self.subcommand {
            None => grammar,
            Some(name) => {
                let found = grammar.find_subcommand(name).cloned();
                found.ok_or_else(|| Failure::Input(format!("unknown subcommand {name:?}")))?
            }
        };
        let notes = Notes::of(&command);
        let has_subcommands = command.get_subcommands().next().is_some();
        let has_version = command.get_version().is_some();
        let page = Page::new(command);
        let mut text = Vec::new();
        page.render_title(&mut text)?;
        // Words are not hyphenated, so that options and examples can be copied.
        writeln!(text, ".nh\n.ad l")?;
        page.render_name_section(&mut text)?;
        page.render_synopsis_section(&mut text)?;
        page.render_description_section(&mut text)?;
        page.render_options_section(&mut text)?;
        if has_subcommands {
            page.render_subcommands_section(&mut text)?;
        }
        write!(text, "{}", section("NOTES", &notes.text))?;
        let examples = notes.examples.split_once('\n').map_or("", |(_, commands)| commands);
        write!(text, "{}", section("EXAMPLES", examples))?;
        if has_version {
            page.render_version_section(&mut text)?;
        }
        Ok(out.write_all(with_headings(&String::from_utf8_lossy(&text)).as_bytes())?)
    }
}

/// Translates the headings of the sections.
fn with_headings(page: &str) -> String {
    let line = |line: &str| match line.strip_prefix(".SH ") {
        Some(heading) => format!(".SH {}\n", translate(heading)),
        None => format!("{line}\n"),
    };
    page.lines().map(line).collect()
}

/// Returns a section with unwrapped lines; empty if the text is empty.
fn section(heading: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut page = format!(".SH {heading}\n.nf\n");
    for line in text.lines() {
        // Hyphens and quotes must be typeable, and no line may be interpreted as a roff request.
        let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq").replace('"', "\\(dq");
        page += &format!("\\&{line}\n");
    }
    page + ".fi\n"
}
