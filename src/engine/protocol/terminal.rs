//! Replies for users at a terminal: help, the board, and the evaluation.

use super::options;
use crate::eval::handcrafted;
use crate::picture::{Picture, Style};
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_board::score::Score;

/// Maximum line length, so that terminals do not break words.
const WIDTH: usize = 80;
/// Column of the explanations.
const INDENT: usize = 33;

const COMMANDS: [(&str, &str); 10] = [
    ("ucci, uci", "selects the protocol of the replies"),
    ("position startpos [moves h2e2]", "sets the position; position fen FEN [moves …]"),
    ("go depth 10", "searches; go movetime 1000, go nodes 100000, go infinite"),
    ("stop", "ends the search"),
    ("d", "shows the board"),
    ("eval", "evaluates the position without a search"),
    ("go perft 4", "counts the leaves of the game tree"),
    ("bench", "runs the fixed search"),
    ("setoption hashsize 256", "sets an option; setoption name Hash value 256"),
    ("quit", ""),
];

/// Returns the reply to `help`.
pub(crate) fn help() -> String {
    let commands = COMMANDS.iter().map(|(name, purpose)| entry(name, purpose));
    let options = options::described().map(|(names, purpose)| entry(&names, &purpose));
    let lines: Vec<String> = commands.chain(["\nOptions:".to_owned()]).chain(options).collect();
    lines.join("\n")
}

/// Returns the reply to `d`: the board with its FEN and key.
pub(crate) fn board(game: &Game) -> String {
    let position = game.position();
    let last_move = game.plies().last().and_then(|ply| ply.mv);
    let board = Picture::new(position).with_last_move(last_move).text(Style { letters: true, ..Style::default() });
    format!("{}\nFen: {position}\nKey: {:016x}", board.trim_end(), position.key())
}

/// Returns the reply to `eval`: the terms of the hand-written evaluation, and the score of the active
/// evaluation.
pub(crate) fn evaluation(position: &Position, score: Score) -> String {
    format!("{}{} to move: {score:+} centipawns", handcrafted::table(position), position.side().name())
}

/// Formats a name and its explanation, using as many lines as needed.
fn entry(name: &str, purpose: &str) -> String {
    let (mut text, mut column) = (name.to_owned(), name.chars().count());
    for word in purpose.split_whitespace() {
        let length = word.chars().count();
        let blanks = match column {
            column if column < INDENT => INDENT - column,
            column if column == INDENT || column + 1 + length <= WIDTH => 1,
            _ => {
                text.push('\n');
                column = 0;
                INDENT
            }
        };
        text.extend(std::iter::repeat_n(' ', blanks));
        text += word;
        column += blanks + length;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_a_terminal_and_no_word_is_lost() {
        let help = help();
        assert!(help.lines().all(|line| line.chars().count() <= WIDTH && !line.ends_with(' ')), "{help}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        for (names, purpose) in options::described() {
            assert!(words(&help).windows(words(&purpose).len()).any(|found| found == words(&purpose)), "{names}");
        }
    }
}
