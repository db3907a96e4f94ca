//! Drawing options for boards on a terminal and in pictures.

use crate::output;
use chuhe_board::words::Language;
use chuhe_engine::picture::{Pieces, Style};
use clap::Args;

/// Options for every subcommand that draws a board.
#[derive(Args)]
pub(super) struct DrawingArgs {
    /// Draw letters instead of Chinese characters
    #[arg(long)]
    ascii: bool,

    /// Style of the pieces: traditional or simplified characters, or pictograms (in text: letters)
    #[arg(long, value_name = "SET", default_value_t = Pieces::Traditional)]
    pieces: Pieces,
}

impl DrawingArgs {
    /// Returns the style of text. It has colours if the terminal supports them and `NO_COLOR` is not set.
    pub(super) fn style(&self, language: Language) -> Style {
        Style { letters: self.ascii, pieces: self.pieces, colour: output::colour(), language }
    }

    /// Returns the style of the pieces.
    pub(super) fn pieces(&self) -> Pieces {
        self.pieces
    }
}
