//! Records in the format parsed by workers: tags, an empty line, moves with `{+0.42/4 0.002s, n=569, sd=4}`,
//! an empty line.
//!
//! Red is called White. Moves are in coordinate notation with ranks 0–9 (`h2e2`). Scores are in pawns (100
//! points) from the mover's point of view, or `+M4` and `-M4` for mates.

use super::arguments::Arguments;
use super::lines;
use crate::arena::date;
use crate::arena::end_reason::GameEndReason;
use crate::arena::played::{Played, Spoken};
use std::fmt::Write as _;

/// Maximum length of a line of moves, in characters.
const WIDTH: usize = 80;

/// Returns a game as text that can be appended to a file.
pub(super) fn write(game: &Played, arguments: &Arguments) -> String {
    let limit = |name: &str| {
        let player = arguments.players.iter().find(|player| player.name == name);
        player.map_or("?".to_string(), |player| player.limit.to_string())
    };
    let (red, black) = (limit(&game.red), limit(&game.black));
    let mut tags = vec![
        ("Event", arguments.event.clone()),
        ("Site", "?".to_string()),
        ("Date", game.date.clone()),
        ("Round", game.game.div_ceil(arguments.games).to_string()),
        ("White", game.red.clone()),
        ("Black", game.black.clone()),
        ("Result", game.result.text().to_string()),
        ("SetUp", "1".to_string()),
        ("FEN", game.fen.clone()),
        ("Variant", "xiangqi".to_string()),
    ];
    if red == black {
        tags.push(("TimeControl", red));
    } else {
        tags.extend([("WhiteTimeControl", red), ("BlackTimeControl", black)]);
    }
    tags.extend([
        ("GameEndTime", date::moment()),
        ("PlyCount", game.moves.len().to_string()),
        ("Termination", termination(game.reason).to_string()),
    ]);
    let mut text = String::new();
    for (name, value) in tags {
        let _ = writeln!(text, "[{name} \"{}\"]", value.replace(['"', '\\'], "'"));
    }
    text.push('\n');
    text += &wrapped(&moves(game));
    text.push('\n');
    text
}

/// Returns the words of the moves and the result.
fn moves(game: &Played) -> Vec<String> {
    let black_begins = game.fen.split_whitespace().nth(1) == Some("b");
    let last = game.moves.len().wrapping_sub(1);
    let mut words = Vec::new();
    for (at, (mv, spoken)) in game.moves_with_thoughts().enumerate() {
        let half_moves = at + usize::from(black_begins);
        match (half_moves % 2, at) {
            (0, _) => words.push(format!("{}.", half_moves / 2 + 1)),
            (_, 0) => words.push(format!("{}...", half_moves / 2 + 1)),
            _ => {}
        }
        words.push(mv.to_string());
        let mut comment = spoken.map_or("book".to_string(), comment);
        if at == last {
            let _ = write!(comment, ", {}", lines::reason(game));
        }
        let braced = format!("{{{comment}}}");
        words.extend(braced.split(' ').map(str::to_string));
    }
    words.push(game.result.text().to_string());
    words
}

/// Returns the comment of a move: `+0.42/4 0.002s, n=569, sd=4`.
fn comment(spoken: &Spoken) -> String {
    let mut text = format!(
        "{}/{} {:.3}s, n={}, sd={}",
        score(spoken.score.as_deref()),
        spoken.depth.unwrap_or(0),
        spoken.microseconds as f64 / 1e6,
        spoken.nodes.unwrap_or(0),
        spoken.seldepth.or(spoken.depth).unwrap_or(0)
    );
    if let Some(words) = &spoken.comment {
        let plain: String = words.chars().filter(|c| (' '..='~').contains(c) && !"{}\"".contains(*c)).collect();
        let _ = write!(text, ", line=\"info string pgncomment {}\"", plain.trim_end());
    }
    text
}

/// Converts a score from `+42` to `+0.42`. Mates and unknown forms are unchanged; a missing score becomes 0.
fn score(text: Option<&str>) -> String {
    match text {
        Some(mate) if mate.contains('M') => {
            if mate.starts_with('-') {
                mate.to_string()
            } else {
                format!("+{mate}")
            }
        }
        Some(points) => match points.parse::<i32>() {
            Ok(points) => format!("{:+.2}", f64::from(points) / 100.0),
            Err(_) => points.to_string(),
        },
        None => "+0.00".to_string(),
    }
}

/// Returns the value of `Termination`; a worker counts some of these words.
fn termination(reason: GameEndReason) -> &'static str {
    match reason {
        GameEndReason::NoStart | GameEndReason::Crash => "abandoned",
        GameEndReason::Hang | GameEndReason::Flood => "stalled",
        GameEndReason::Garbage | GameEndReason::IllegalMove => "illegal move",
        GameEndReason::Time => "time forfeit",
        GameEndReason::AdjudicatedWin | GameEndReason::AdjudicatedDraw | GameEndReason::Length => "adjudication",
        _ => "normal",
    }
}

/// Wraps words into lines.
fn wrapped(words: &[String]) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for word in words {
        if length > 0 && length + 1 + word.len() > WIDTH {
            text.push('\n');
            length = 0;
        }
        if length > 0 {
            text.push(' ');
            length += 1;
        }
        text += word;
        length += word.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::fastchess::lines::tests::game;
    use crate::arena::player::split_words;
    use chuhe_games::records::GameResult;

    #[test]
    fn a_game_is_written_as_workers_read_it() {
        let line = "-engine cmd=a name=A-dev nodes=600 -engine cmd=b name=B-base tc=1.5+0.02 -games 2";
        let arguments = Arguments::read(&split_words(line).unwrap()).unwrap();
        let mut game = game(GameResult::BlackWins, GameEndReason::Crash);
        game.thoughts[0].comment = Some("t=\"0.5\" {a} \u{e9}".to_string());
        let text = write(&game, &arguments);
        let text: Vec<&str> = text.lines().filter(|line| !line.starts_with("[GameEndTime")).collect();
        let expected = r#"[Event "Chuhe match"]
[Site "?"]
[Date "2026.11.22"]
[Round "2"]
[White "A-dev"]
[Black "B-base"]
[Result "0-1"]
[SetUp "1"]
[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"]
[Variant "xiangqi"]
[WhiteTimeControl "600 nodes"]
[BlackTimeControl "1.5+0.02"]
[PlyCount "3"]
[Termination "abandoned"]

1. h2e2 {book} h9g7 {+0.42/4 0.002s, n=569, sd=4, line="info string pgncomment
t=0.5 a"} 2. h0g2 {-M3/4 0.002s, n=7, sd=4, White disconnects} 0-1
"#;
        assert_eq!(text, expected.trim_end().lines().chain([""]).collect::<Vec<_>>());
    }

    #[test]
    fn scores_are_pawns_or_moves_to_mate() {
        let shown = [Some("+35"), Some("-7"), Some("+0"), Some("M4"), Some("-M1"), Some("?"), None].map(score);
        assert_eq!(shown, ["+0.35", "-0.07", "+0.00", "+M4", "-M1", "?", "+0.00"]);
    }
}
