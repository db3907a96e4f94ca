//! `chuhe show`: draws the board.

use super::Done;
use super::drawing::DrawingArgs;
use super::game::{GameArgs, GameOrDiagram};
use super::output::OutputArgs;
use crate::output::print_message;
use crate::translation::language;
use chuhe_board::FenError;
use chuhe_board::words::Key;
use chuhe_engine::picture::Picture;
use chuhe_games::openings::Opening;
use chuhe_games::records::{Diagram, NodeId};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

/// Draws the board: pieces, coordinates, the side to move, the last move and the name of the opening
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe show
  chuhe show 4k4/9/9/9/9/9/9/4R4/9/3K5 b
  chuhe show --moves \"炮二平五 马８进７\" --pieces simplified
  chuhe show game.xqf --ply 20
  chuhe show --moves \"h2e2 h9g7\" --svg opening.svg")]
pub(super) struct Show {
    #[command(flatten)]
    game: GameArgs,

    #[command(flatten)]
    drawing: DrawingArgs,

    /// Also write the picture to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,
}

impl Show {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        self.output.check(&self.svg, &self.game.files(&None))?;
        let game = match self.game.read_shown()? {
            GameOrDiagram::Game(game) => *game,
            GameOrDiagram::Diagram(diagram) => return self.show_diagram(&diagram, out),
        };
        let last = game.plies().last().and_then(|ply| ply.mv);
        let picture = Picture::new(game.position()).with_last_move(last);
        if let Some(path) = &self.svg {
            self.output.write(path, picture.svg(self.drawing.pieces(), language()).as_bytes())?;
        }
        let language = language();
        write!(out, "{}", picture.text(self.drawing.style(language)))?;
        if let Some(opening) = Opening::of_game(&game) {
            writeln!(out, "  {}", opening.say(language))?;
        }
        Ok(())
    }

    /// Shows a diagram with its text and the reasons why no game can reach it.
    fn show_diagram(&self, diagram: &Diagram, out: &mut dyn Write) -> Done {
        let picture = Picture::of_diagram(&diagram.setup);
        if let Some(path) = &self.svg {
            self.output.write(path, picture.svg(self.drawing.pieces(), language()).as_bytes())?;
        }
        let language = language();
        write!(out, "{}", picture.text(self.drawing.style(language)))?;
        let text = diagram.tree.comment(NodeId::ROOT);
        if !text.is_empty() {
            writeln!(out, "\n{text}")?;
        }
        let why = FenError::Impossible(diagram.reasons.clone()).say(language);
        print_message(language.sentence(&language.say(Key::CannotBePlayed, &[("why", &why)])));
        Ok(())
    }
}
