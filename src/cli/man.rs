//! `chuhe man`: manual pages.

use super::{Done, Failure};
use clap::{Args, Command};
use clap_mangen::Man as Page;
use std::io::Write;

/// Prints a manual page, of the whole program or of one subcommand
#[derive(Args)]
#[command(after_help = "Examples:\n  chuhe man | man -l -\n  chuhe man perft > chuhe-perft.1")]
pub struct Man {
    /// The subcommand; without it, the page of the program
    subcommand: Option<String>,
}

impl Man {
    pub(super) fn run(self, mut grammar: Command, out: &mut dyn Write) -> Done {
        grammar.build();
        let command = match &self.subcommand {
            None => grammar,
            Some(name) => {
                let found = grammar.find_subcommand(name).cloned();
                found.ok_or_else(|| Failure::Input(format!("there is no subcommand called {name:?}")))?
            }
        };
        Ok(Page::new(command).render(&mut &mut *out)?)
    }
}
