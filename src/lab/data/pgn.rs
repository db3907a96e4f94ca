//! Conversion between PGN games and training records; the comment after each move contains the score, as in
//! `{+0.42/4 0.1s}`.

use super::end::RecordedEnd;
use super::records::{MAX_PLIES, Ply, TrainingRecord};
use chuhe_board::Side;
use chuhe_board::score::{Score, mate_in, mated_in};
use chuhe_games::records::{self, GameResult};

/// Placeholder for a missing score; larger than every score kept by the default filter.
pub(crate) const NO_SCORE: i16 = i16::MAX;

/// Converts the main line of a game to a record. Returns `None` if it is useless for training: its result is
/// unknown, or no move has a score.
pub(crate) fn record(game: &records::Record) -> Option<TrainingRecord> {
    let result = game.result.outcome_for_red()?;
    let ply = |id| Some(Ply { mv: game.tree.mv(id)?, score: score(game.tree.comment(id)).unwrap_or(NO_SCORE) });
    let plies: Vec<Ply> = game.tree.main_line().take(MAX_PLIES).filter_map(ply).collect();
    let start = game.start.clone();
    let is_scored = plies.iter().any(|ply| ply.score != NO_SCORE);
    is_scored.then_some(TrainingRecord {
        start,
        random_plies: 0,
        starts_in_endgame: false,
        played_out: false,
        plies,
        result,
        end: RecordedEnd::Elsewhere,
    })
}

/// Converts a record to a game for a file. `record` restores moves, scores and result; the conditions of play
/// and the reason for the end are lost.
pub fn game(record: &TrainingRecord) -> records::Record {
    // All scores are in pawns, including mates, so that they are restored exactly.
    let comment = |score: i16| match score {
        NO_SCORE => String::new(),
        score => format!("{:+.2}", f64::from(score) / 100.0),
    };
    let line = record.plies.iter().map(|ply| (ply.mv, comment(ply.score)));
    let mut game = records::Record::of_line(record.start.clone(), line);
    game.result = GameResult::of(record.result, Side::Red);
    game
}

/// Parses the score at the beginning of a comment, from the mover's point of view: pawns with a decimal point
/// (`+0.42/4`), centipawns without one (`+42/4`), or moves to mate (`-M3/4`).
fn score(comment: &str) -> Option<i16> {
    let text = comment.split(['/', ' ', ',']).next()?;
    let (sign, number) = match text.strip_prefix('-') {
        Some(number) => (-1, number),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let score = if let Some(moves) = number.strip_prefix(['M', '#']) {
        let plies = moves.parse::<usize>().ok()?.min(100) * 2;
        // The winner's last move ends the game; the loser makes as many moves as the winner.
        return i16::try_from(if sign > 0 { mate_in(plies.saturating_sub(1)) } else { mated_in(plies) }).ok();
    } else if !number.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    } else if number.contains('.') {
        (number.parse::<f64>().ok()?.clamp(0.0, 300.0) * 100.0).round() as Score
    } else {
        number.parse::<Score>().ok()?.min(30_000)
    };
    i16::try_from(sign * score).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::notation::Form;
    use chuhe_board::rules::Outcome;

    #[test]
    fn scores_are_read_as_programs_write_them() {
        let mate = mate_in(5) as i16;
        for (comment, expected) in [
            ("+0.42/4 0.002s, n=569, sd=4", Some(42)),
            ("-1.5/12", Some(-150)),
            ("+35/12 0.1s", Some(35)),
            ("-7/9", Some(-7)),
            ("0.00/1 0s", Some(0)),
            ("+M3/7", Some(mate)),
            ("-M3/7 White disconnects", Some(mated_in(6) as i16)),
            ("-M0", Some(mated_in(0) as i16)),
            ("+M9223372036854775808", Some(mate_in(199) as i16)),
            ("#3", Some(mate)),
            ("book", None),
            ("", None),
            ("+", None),
            ("inf", None),
            ("good move", None),
        ] {
            assert_eq!(score(comment), expected, "{comment}");
        }
    }

    #[test]
    fn a_game_becomes_a_record() {
        let text = "[White \"a\"]\n[Variant \"xiangqi\"]\n[Result \"0-1\"]\n\n1. h2e2 {book} h9g7 {+0.42/4 0.1s, n=569} \
                    2. h0g2 {-0.30/4} (2. c3c4 {+9.00/1}) 0-1\n";
        let games = records::pgn::read(text).expect("a game");
        let record = record(&games[0]).expect("a record");
        assert_eq!(record.plies.iter().map(|ply| ply.score).collect::<Vec<_>>(), [NO_SCORE, 42, -30]);
        assert_eq!((record.result, record.end), (Outcome::Loss, RecordedEnd::Elsewhere));
        assert_eq!(record.plies[2].mv.to_string(), "h0g2");
    }

    #[test]
    fn a_record_comes_back_from_its_game() {
        let fen = "3k5/9/9/9/9/9/9/9/4R4/R3K4 w - - 3 1";
        let moves = ["a0a1", "d9d8", "a1a2", "d8d9"].map(|mv| mv.parse().expect("a move"));
        let scores = [mate_in(5) as i16, -mate_in(4) as i16, NO_SCORE, -7];
        let plies = moves.into_iter().zip(scores).map(|(mv, score)| Ply { mv, score }).collect();
        let start = fen.parse().expect("a position");
        let (result, end) = (Outcome::Loss, RecordedEnd::Elsewhere);
        let original =
            TrainingRecord { start, random_plies: 0, starts_in_endgame: false, played_out: false, plies, result, end };
        let text = records::pgn::write(&game(&original), Form::Iccs);
        assert_eq!(record(&records::pgn::read(&text).expect("a game")[0]), Some(original), "{text}");
    }

    #[test]
    fn games_without_scores_or_results_teach_nothing() {
        for text in ["1. h2e2 {+0.1/3} *\n", "1. h2e2 {book} h9g7 1-0\n", "1. h2e2 1-0\n"] {
            assert_eq!(record(&records::pgn::read(text).expect("a game")[0]), None, "{text}");
        }
    }
}
