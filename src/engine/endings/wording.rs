//! Tablebase results as sentences.

use super::{ProbeResult, Tables};
use chuhe_board::Position;
use chuhe_board::rules::{NATURAL_LIMIT, Outcome};
use chuhe_board::words::{Key, Language};

impl ProbeResult {
    /// Returns the value of a position as a clause: `tablebase: Red wins, mate in 19, the next capture or
    /// mate within 15`, in moves of the winner.
    pub fn say(&self, position: &Position, language: Language) -> String {
        let winner = match self.outcome {
            Outcome::Draw if self.is_certain => return language.word(Key::EndingDrawn).to_owned(),
            Outcome::Draw => return language.word(Key::EndingNotDecided).to_owned(),
            Outcome::Win => position.side(),
            Outcome::Loss => !position.side(),
        };
        let mut said = language.say(Key::EndingWon, &[("winner", &winner.title(language))]);
        let mut add = |key: Key, plies: Option<u16>| {
            let Some(plies) = plies.filter(|plies| *plies > 0) else { return };
            let moves = language.count(u32::from(plies.div_ceil(2)));
            said += &match key {
                Key::EndingPerpetual => language.say(key, &[("moves", &moves), ("loser", &(!winner).title(language))]),
                _ => language.say(key, &[("moves", &moves)]),
            };
        };
        add(Key::EndingPerpetual, self.perpetual);
        add(Key::EndingMate, self.mate);
        add(Key::EndingCapture, self.capture);
        if self.capture.is_some_and(|plies| plies.saturating_add(position.quiet_plies()) > NATURAL_LIMIT) {
            said += language.word(Key::EndingTooLate);
        }
        said
    }
}

impl Tables {
    /// Returns the value of a position as a sentence, or the error of a table that cannot be read; `None` if
    /// there is no table.
    pub fn say(&self, position: &Position, language: Language) -> Option<String> {
        if position.occupancy().all().count() > self.most_pieces() {
            return None;
        }
        match self.answer(position) {
            Ok(answer) => Some(language.sentence(&answer?.say(position, language))),
            Err(fault) => Some(fault.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_said_for_the_winner_in_moves() {
        let said =
            |answer: ProbeResult, fen: &str, language: Language| answer.say(&fen.parse().expect("a FEN"), language);
        let won =
            ProbeResult { outcome: Outcome::Win, capture: Some(29), mate: Some(37), perpetual: None, is_certain: true };
        let lost = ProbeResult { outcome: Outcome::Loss, mate: Some(36), capture: None, ..won };
        let fen = "3k5/4a4/9/9/9/9/9/9/9/N3K4 w - - 0 1";
        let (red, black) = (won, ProbeResult { outcome: Outcome::Loss, ..won });
        assert_eq!(
            said(red, fen, Language::English),
            "tablebase: Red wins, mate in 19, the next capture or mate within 15"
        );
        assert_eq!(said(black, fen, Language::Chinese), "残局库：黑方胜，十九步成杀，十五步内吃子或成杀");
        assert_eq!(said(lost, fen, Language::English), "tablebase: Black wins, mate in 18");
        let late = "3k5/4a4/9/9/9/9/9/9/9/N3K4 w - - 100 90";
        assert!(said(won, late, Language::English).ends_with("a draw by rule"));
        let drawn = ProbeResult { outcome: Outcome::Draw, capture: None, mate: None, ..won };
        assert_eq!(said(drawn, fen, Language::Chinese), "残局库：和棋");
        let open = ProbeResult { is_certain: false, ..drawn };
        assert!(said(open, fen, Language::English).contains("unless"));
        let checks = ProbeResult { perpetual: Some(5), capture: None, mate: None, ..won };
        assert_eq!(
            said(checks, fen, Language::English),
            "tablebase: Red wins, within 3 moves Black has only perpetual check left"
        );
    }
}
