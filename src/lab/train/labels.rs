//! Training labels for the positions in a game, derived from its search scores.

use super::samples::sigmoid;
use crate::data::filter::Filter;
use crate::data::records::{RecordedPosition, TrainingRecord};
use chuhe_board::score::{EVALUATION_LIMIT, Score};
use chuhe_engine::eval::endings::{IN_FULL, undamped, winnable_share};

/// Computation of labels, and selection of positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LabelSettings {
    /// Filter for suitable positions.
    pub filter: Filter,
    /// Number of plies without a capture at or above which positions are excluded.
    pub quiet_plies_limit: u16,
    /// Removes the search's damping for plies without a capture from the scores, because the engine applies
    /// it again in play.
    pub undamped: bool,
    /// Weight of the scores of the mover's next moves relative to the position's own score, 0–1.
    pub look_ahead: f32,
}

impl Default for LabelSettings {
    fn default() -> LabelSettings {
        LabelSettings { filter: Filter::default(), quiet_plies_limit: u16::MAX, undamped: false, look_ahead: 0.0 }
    }
}

/// Number of the mover's next moves to include.
const NEXT: usize = 6;
/// Factor of the weight per next move.
const FADE: f32 = 0.8;
/// Scale of the logistic curve used for averaging, in centipawns. Averaging expected points keeps a mate
/// found later from counting more than a won game.
const SCALE: f32 = 400.0;

impl LabelSettings {
    /// Returns the suitable positions in a game, each with its label in centipawns from the mover's point of
    /// view.
    pub fn of<'r>(&self, record: &'r TrainingRecord) -> impl Iterator<Item = (RecordedPosition, Score)> + use<'r> {
        let settings = *self;
        let scores: Vec<Score> = record.samples().map(|sample| settings.own_score(&sample)).collect();
        record.samples().filter(move |sample| settings.keeps(sample)).map(move |sample| {
            let label = settings.look_ahead_score(&scores[sample.ply..]);
            (sample, label)
        })
    }

    /// Returns `true` if a position is used. Positions in which the leading side can hardly win are
    /// excluded: their score is already scaled down, and in play the engine would scale it again.
    fn keeps(&self, sample: &RecordedPosition) -> bool {
        let position = &sample.position;
        let ahead = if sample.score > 0 { position.side() } else { !position.side() };
        self.filter.keeps(sample)
            && position.quiet_plies() < self.quiet_plies_limit
            && winnable_share(position, ahead) == IN_FULL
    }

    fn own_score(&self, sample: &RecordedPosition) -> Score {
        let score = sample.score.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT);
        if self.undamped && score == sample.score { undamped(score, sample.position.quiet_plies()) } else { score }
    }

    /// Returns the label of the first of these plies; every second ply has the same mover.
    fn look_ahead_score(&self, scores: &[Score]) -> Score {
        let own = scores[0];
        let (mut sum, mut weights, mut weight) = (0.0, 0.0, 1.0);
        for &next in scores.iter().skip(2).step_by(2).take(NEXT) {
            sum += weight * sigmoid(next as f32 / SCALE);
            weights += weight;
            weight *= FADE;
        }
        if self.look_ahead == 0.0 || weights == 0.0 {
            return own;
        }
        let forecast = (1.0 - self.look_ahead) * sigmoid(own as f32 / SCALE) + self.look_ahead * sum / weights;
        let score = SCALE * (forecast / (1.0 - forecast).max(1e-6)).ln();
        (score.round() as Score).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::end::RecordedEnd;
    use crate::data::records::Ply;
    use chuhe_board::Position;
    use chuhe_board::rules::Outcome;

    /// Returns a game in which rooks move back and forth, with these scores.
    fn record(fen: &str, moves: [&str; 4], scores: &[i16]) -> TrainingRecord {
        let start: Position = fen.parse().expect("a position");
        let moves = moves.map(|mv| mv.parse().expect("a move"));
        let plies = moves.into_iter().cycle().zip(scores).map(|(mv, &score)| Ply { mv, score }).collect();
        let (result, end) = (Outcome::Draw, RecordedEnd::TooLong);
        TrainingRecord { start, random_plies: 4, starts_in_endgame: false, played_out: true, plies, result, end }
    }

    const ROOKS: [&str; 4] = ["a0a1", "a9a8", "a1a0", "a8a9"];

    fn labels(settings: LabelSettings, record: &TrainingRecord) -> Vec<(usize, Score)> {
        settings.of(record).map(|(sample, label)| (sample.ply, label)).collect()
    }

    #[test]
    fn a_label_is_the_score_as_it_is_by_default() {
        let record = record(chuhe_board::STARTPOS, ROOKS, &[7; 12]);
        assert_eq!(labels(LabelSettings::default(), &record), [(8, 7), (9, 7), (10, 7), (11, 7)]);
    }

    #[test]
    fn damping_is_taken_out_and_long_quiet_play_left_out() {
        let record = record(chuhe_board::STARTPOS, ROOKS, &[100; 60]);
        let with = LabelSettings { undamped: true, quiet_plies_limit: 50, ..LabelSettings::default() };
        let labels = labels(with, &record);
        assert_eq!((labels.len(), labels[0], labels[41]), (42, (8, 103), (49, 124)));
    }

    #[test]
    fn later_scores_of_the_same_mover_count() {
        let mut scores = [0; 24];
        (10..24).step_by(2).for_each(|ply| scores[ply] = 400);
        let with = LabelSettings { look_ahead: 0.5, ..LabelSettings::default() };
        let labels = labels(with, &record(chuhe_board::STARTPOS, ROOKS, &scores));
        assert_eq!((labels[1], labels[15]), ((9, 0), (23, 0)));
        assert!(labels[0].0 == 8 && (180..200).contains(&labels[0].1), "{:?}", labels[0]);
        assert_eq!(labels[14], (22, 400));
    }

    #[test]
    fn known_drawn_endings_are_left_out() {
        let moves = ["a0a1", "e9f9", "a1a0", "f9e9"];
        // A rook cannot win against four guards. Against three guards it can, but the other side cannot win.
        for (ending, fit) in [("2bak4/4a4/4b4/9/9/9/9/9/9/R3K4 w", 0), ("3ak4/4a4/4b4/9/9/9/9/9/9/R3K4 w", 4)] {
            let scores: [i16; 12] = std::array::from_fn(|ply| if ply % 2 == 0 { 50 } else { -50 });
            assert_eq!(labels(LabelSettings::default(), &record(ending, moves, &scores)).len(), fit);
        }
    }
}
