//! Commands of a player during a game.

use std::path::PathBuf;

/// A parsed line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Any other input: a move in some notation.
    Move(String),
    Hint,
    Undo,
    Draw,
    Resign,
    Analyze,
    Moves,
    Board,
    Flip,
    Level(String),
    Save(Option<PathBuf>),
    Help,
    Quit,
    /// Empty line.
    Nothing,
}

impl Command {
    /// Parses a line; commands are in English or Chinese, in upper or lower case.
    pub(super) fn read(line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_lowercase().as_str() {
            "" => Command::Nothing,
            "hint" | "提示" => Command::Hint,
            "undo" | "takeback" | "悔棋" => Command::Undo,
            "draw" | "求和" => Command::Draw,
            "resign" | "认输" => Command::Resign,
            "analyze" | "analyse" | "分析" => Command::Analyze,
            "moves" | "着法" => Command::Moves,
            "board" | "棋盘" => Command::Board,
            "flip" | "翻转" => Command::Flip,
            "level" | "等级" => Command::Level(rest.to_owned()),
            "save" | "保存" => Command::Save((!rest.is_empty()).then(|| rest.into())),
            "help" | "?" | "帮助" => Command::Help,
            "quit" | "exit" | "退出" => Command::Quit,
            _ => Command::Move(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_understood_in_both_languages_and_the_rest_is_a_move() {
        assert_eq!(Command::read(" HINT "), Command::Hint);
        assert_eq!(Command::read("悔棋"), Command::Undo);
        assert_eq!(Command::read("save my game.pgn"), Command::Save(Some("my game.pgn".into())));
        assert_eq!(Command::read("level 7"), Command::Level("7".to_owned()));
        assert_eq!(Command::read("炮二平五"), Command::Move("炮二平五".to_owned()));
        assert_eq!(Command::read("h2e2"), Command::Move("h2e2".to_owned()));
        assert_eq!(Command::read("  "), Command::Nothing);
    }
}
