//! `chuhe completions`: completion scripts for shells.

use super::Done;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write;

/// Prints a completion script for a shell
#[derive(Args)]
#[command(after_help = "Example:\n  chuhe completions bash > ~/.local/share/bash-completion/completions/chuhe")]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self, mut grammar: Command, out: &mut dyn Write) -> Done {
        // The script is written to memory first, because the generator panics on write errors.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut grammar, "chuhe", &mut script);
        Ok(out.write_all(&script)?)
    }
}
