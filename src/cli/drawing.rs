//! How boards are drawn on this terminal.

use crate::picture::Style;
use clap::Args;
use std::io::IsTerminal;

/// Flattened into every subcommand that draws a board.
#[derive(Args)]
pub struct DrawingArgs {
    /// Draw with letters instead of Chinese characters
    #[arg(long)]
    ascii: bool,
}

impl DrawingArgs {
    /// Colour on a terminal that knows it, unless `NO_COLOR` is set.
    pub fn style(&self) -> Style {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        // Windows consoles of old show the codes as they are; the newer ones say who they are.
        let knows_colour = match std::env::var_os("TERM") {
            Some(name) => name != "dumb",
            None => cfg!(windows) && (set("WT_SESSION") || set("ANSICON") || set("ConEmuANSI")),
        };
        Style { letters: self.ascii, colour: std::io::stdout().is_terminal() && knows_colour && !set("NO_COLOR") }
    }
}
