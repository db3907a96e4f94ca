//! An analysis as text: a table of lines during and after the search, followed by the move and the meaning of
//! the score.

use crate::output::{Align, Table};
use crate::translation::translate_to;
use chuhe_board::notation::{self, Form};
use chuhe_board::score::{RULE_WIN, Score, is_decided, mate_moves};
use chuhe_board::words::{Key, Language};
use chuhe_board::{Move, Position};
use chuhe_engine::search::{Conclusion, Report};
use std::fmt::Display;
use unicode_width::UnicodeWidthStr;

/// Formats analysis results of a position.
pub(crate) struct Reporter<'p> {
    pub position: &'p Position,
    /// Notation of moves; coordinates by default.
    pub notation: Option<Form>,
    pub language: Language,
}

impl Reporter<'_> {
    /// Formats a line of an iteration for a log.
    pub(crate) fn line(&self, line: &Report) -> String {
        let Report { multipv, depth, seldepth, nodes, .. } = line;
        let moves = self.moves(&line.pv);
        let score = short(line.score);
        translate_to(
            self.language,
            &format!("{multipv}. depth {depth}/{seldepth}  score {score}  nodes {nodes}  {moves}"),
        )
    }

    /// Formats the lines as a table of at most `width` columns; omits moves that do not fit.
    pub(crate) fn table(&self, lines: &[Report], width: Option<usize>) -> String {
        let title = |key: Key| self.language.word(key);
        let mut table = Table::new([
            ("", Align::Right),
            (title(Key::ColumnScoreOfLine), Align::Right),
            (title(Key::ColumnDepth), Align::Right),
            (title(Key::ColumnLine), Align::Left),
        ]);
        // The other columns take at most 24 terminal columns.
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(24).max(8));
        for (number, line) in lines.iter().enumerate() {
            let depth = format!("{}/{}", line.depth, line.seldepth);
            let score = translate_to(self.language, &pawns(line.score));
            table.row([(number + 1).to_string(), score, depth, cut(&self.moves(&line.pv), room)]);
        }
        table.to_string()
    }

    /// Formats the conclusion of an analysis.
    pub(crate) fn conclusion(&self, conclusion: &Conclusion, width: Option<usize>) -> String {
        let language = self.language;
        let (Some(best), Some(first)) = (conclusion.best, conclusion.lines.first()) else {
            return language
                .sentence(&language.say(Key::HasLost, &[("side", &self.position.side().title(self.language))]))
                + "\n";
        };
        let mut text = self.table(&conclusion.lines, width);
        let score = match is_decided(first.score) {
            true => self.meaning(first.score),
            false if language == Language::Chinese => {
                format!("{}（{}）", pawns(first.score), self.meaning(first.score))
            }
            false => format!("{} ({})", pawns(first.score), self.meaning(first.score)),
        };
        let seconds = conclusion.time.as_secs_f64();
        let speed = conclusion.nodes as f64 / seconds.max(0.001);
        let speed = match language {
            Language::Chinese => format!("{:.1} 万", speed / 1e4),
            Language::English if speed < 1e6 => format!("{:.0} k", speed / 1e3),
            Language::English => format!("{:.2} M", speed / 1e6),
        };
        let numbers: [(&str, &dyn Display); 5] = [
            ("depth", &first.depth),
            ("seldepth", &first.seldepth),
            ("nodes", &conclusion.nodes),
            ("speed", &speed),
            ("seconds", &format!("{seconds:.2}")),
        ];
        for line in [
            String::new(),
            language.say(Key::BestMove, &[("move", &self.moves(&[best]))]),
            language.say(Key::Score, &[("score", &score)]),
            language.say(Key::Effort, &numbers),
        ] {
            text += &line;
            text.push('\n');
        }
        text
    }

    /// Returns the meaning of a score. The thresholds are expected scores of 55, 65, 78 and 90 %.
    fn meaning(&self, score: Score) -> String {
        let (side, language) = (self.position.side(), self.language);
        let (winner, loser) = if score > 0 { (side, !side) } else { (!side, side) };
        if let Some(moves) = mate_moves(score) {
            let moves = language.count(moves.unsigned_abs());
            return language.say(Key::WinnerMates, &[("winner", &winner.title(self.language)), ("moves", &moves)]);
        }
        if is_decided(score) {
            return language.say(
                Key::WinnerByRule,
                &[("winner", &winner.title(self.language)), ("loser", &loser.title(self.language))],
            );
        }
        let key = match score.abs() {
            0..60 => Key::Equal,
            60..186 => Key::SlightlyBetter,
            186..380 => Key::Better,
            380..660 => Key::MuchBetter,
            _ => Key::Winning,
        };
        language.say(key, &[("side", &winner.title(self.language))])
    }

    /// Formats consecutive moves from the position.
    pub(crate) fn moves(&self, moves: &[Move]) -> String {
        let mut position = self.position.clone();
        let texts = moves.iter().map(|&mv| {
            let text = self.notation.map_or_else(|| mv.to_string(), |form| notation::write(&position, mv, form));
            position.make(mv);
            text
        });
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// Formats a score in centipawns, or in moves to mate.
fn short(score: Score) -> String {
    match mate_moves(score) {
        Some(moves) => format!("mate {moves}"),
        None => format!("{score:+}"),
    }
}

/// Formats a score in pawns from the mover's point of view: `+0.44`, `mate 3`, `rule 5` for a win by the
/// repetition rules within five plies.
pub(crate) fn pawns(score: Score) -> String {
    match mate_moves(score) {
        Some(moves) => format!("mate {moves}"),
        None if is_decided(score) => format!("rule {}", (RULE_WIN - score.abs()) * score.signum()),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

/// Truncates a list of moves to as many complete moves as fit, followed by an ellipsis.
fn cut(moves: &str, room: usize) -> String {
    if moves.width() <= room {
        return moves.to_owned();
    }
    let mut text = String::new();
    for mv in moves.split(' ') {
        if text.width() + mv.width() + 2 > room {
            break;
        }
        text += mv;
        text.push(' ');
    }
    text + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::score::{mate_in, mated_in, rule_win_in};

    fn meaning(fen: &str, score: Score) -> String {
        let position: Position = fen.parse().expect("a position");
        Reporter { position: &position, notation: None, language: Language::English }.meaning(score)
    }

    #[test]
    fn a_score_is_said_for_a_side() {
        let (red, black) = ("3k5/9/9/9/9/9/9/4R4/9/4K4 w", "3k5/9/9/9/9/9/9/4R4/9/4K4 b");
        assert_eq!(meaning(red, 100), "Red is slightly better");
        assert_eq!(meaning(black, 100), "Black is slightly better");
        assert_eq!(meaning(black, -1000), "Red is winning");
        assert_eq!(meaning(red, -20), "the position is about equal");
        assert_eq!(meaning(red, mate_in(5)), "Red mates in 3");
        assert_eq!(meaning(red, mated_in(4)), "Black mates in 2");
        assert_eq!(meaning(black, rule_win_in(7)), "Black wins by the rules of repetition, unless Red varies");
    }

    #[test]
    fn scores_are_short_in_a_table() {
        let written = [44, -105, mate_in(1), mated_in(2), rule_win_in(5), -rule_win_in(5)].map(pawns);
        assert_eq!(written, ["+0.44", "-1.05", "mate 1", "mate -1", "rule 5", "rule -5"]);
    }

    #[test]
    fn moves_that_find_no_room_are_left_out_whole() {
        assert_eq!(cut("h2e2 h9g7", 9), "h2e2 h9g7");
        assert_eq!(cut("h2e2 h9g7 h0g2", 12), "h2e2 h9g7 …");
        assert_eq!(cut("炮二平五 马８进７", 12), "炮二平五 …");
    }
}
