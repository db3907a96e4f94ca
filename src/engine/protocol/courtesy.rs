//! Draw offers and resignation by the engine.

use super::reply::Courtesy;
use crate::search::Conclusion;
use crate::{is_dull, takes_draw};
use chuhe_board::Position;
use chuhe_board::rules::Game;
use chuhe_board::score::Score;

/// Optional draw offers and resignation. Both are off by default, since some GUIs cannot parse additional
/// words after the move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CourtesySettings {
    /// Deficit in centipawns at which the engine resigns after [`PATIENCE`] consecutive moves; 0 = never.
    pub resign: Score,
    /// Enables draw offers in quiet, level positions.
    pub offers: bool,
}

/// State for accepting draw offers and, if enabled, for offering draws and resigning.
#[derive(Clone, Debug, Default)]
pub(crate) struct CourtesyState {
    /// Number of consecutive hopeless moves.
    hopeless: u32,
    /// Position after the last move, from which the game continues.
    after: Option<Position>,
}

/// Consecutive moves with a hopeless score after which the engine resigns.
const PATIENCE: u32 = 3;
/// Minimum depth in plies of a search on which a draw offer is based.
const SURE: u32 = 8;

impl CourtesyState {
    /// Resets the state for a new game.
    pub(crate) fn new_game(&mut self) {
        *self = CourtesyState::default();
    }

    /// Returns the draw offer or resignation that accompanies a move; `offered` is `true` if the opponent
    /// offers a draw.
    pub(crate) fn answer(
        &mut self,
        settings: CourtesySettings,
        conclusion: &Conclusion,
        game: &Game,
        offered: bool,
    ) -> Courtesy {
        let (Some(line), Some(best)) = (conclusion.lines.first(), conclusion.best) else { return Courtesy::Nothing };
        let continues = self.after.as_ref().is_some_and(|after| after.leads_to(game.position()));
        if !continues {
            self.hopeless = 0;
        }
        let mut after = game.position().clone();
        after.make(best);
        self.after = Some(after);
        let hopeless = settings.resign > 0 && line.score <= -settings.resign;
        self.hopeless = if hopeless { self.hopeless + 1 } else { 0 };
        let offers = settings.offers && line.depth >= SURE && is_dull(game, line.score);
        if offers || offered && takes_draw(game, line.score) {
            Courtesy::Draw
        } else if self.hopeless >= PATIENCE {
            Courtesy::Resign
        } else {
            Courtesy::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::reply::report;
    use crate::search::{Bound, Report};

    fn conclusion(score: Score, depth: u32) -> Conclusion {
        let line = Report { depth, ..report(1, score, Bound::Exact, "h2e2") };
        Conclusion { best: "a0a1".parse().ok(), lines: vec![line], ..Conclusion::default() }
    }

    fn game(quiet_plies: u16) -> Game {
        Game::from_fen(&format!("3k5/9/9/9/9/9/9/9/9/R3K4 w - - {quiet_plies} 80")).expect("a position")
    }

    #[test]
    fn a_draw_is_agreed_to_when_worse_or_when_nothing_happens() {
        let answer = |score, quiet| {
            CourtesyState::default().answer(CourtesySettings::default(), &conclusion(score, 10), &game(quiet), true)
        };
        assert_eq!(answer(-150, 0), Courtesy::Draw);
        assert_eq!(answer(5, 60), Courtesy::Draw);
        assert_eq!(answer(5, 0), Courtesy::Nothing);
        assert_eq!(answer(150, 100), Courtesy::Nothing);
    }

    #[test]
    fn nothing_is_said_unasked_by_default() {
        let mut courtesy = CourtesyState::default();
        for score in [0, -29_990, -29_992, -29_994, -29_996] {
            let answer = courtesy.answer(CourtesySettings::default(), &conclusion(score, 20), &game(100), false);
            assert_eq!(answer, Courtesy::Nothing);
        }
    }

    #[test]
    fn a_draw_is_offered_only_if_wished_and_sure() {
        let settings = CourtesySettings { offers: true, ..CourtesySettings::default() };
        let answer =
            |depth, quiet| CourtesyState::default().answer(settings, &conclusion(3, depth), &game(quiet), false);
        assert_eq!(
            [answer(12, 60), answer(2, 60), answer(12, 6)],
            [Courtesy::Draw, Courtesy::Nothing, Courtesy::Nothing]
        );
    }

    #[test]
    fn a_game_is_given_up_after_three_hopeless_moves() {
        let settings = CourtesySettings { resign: 1500, ..CourtesySettings::default() };
        let mut courtesy = CourtesyState::default();
        let mut game = Game::from_fen("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 80").expect("a position");
        let mut answer = |score, game: &mut Game| {
            let best = game.position().legal_moves().into_iter().next();
            let answer = courtesy.answer(settings, &Conclusion { best, ..conclusion(score, 10) }, game, false);
            game.make(best.expect("a legal move"));
            let reply = game.position().legal_moves()[0];
            game.make(reply);
            answer
        };
        let mut answers = |scores: &[Score], game: &mut Game| -> Vec<bool> {
            scores.iter().map(|score| answer(*score, game) == Courtesy::Resign).collect()
        };
        assert_eq!(answers(&[-1600, -1700, -200, -1600, -1700], &mut game), [false; 5]);
        // The analysis of another position, or of the same one again, is not a move of the game.
        for _ in 0..4 {
            let mut other = Game::from_fen("4k4/9/9/9/9/9/9/9/9/R4K3 b - - 0 80").expect("a position");
            assert_eq!(answers(&[-1600], &mut other), [false]);
        }
        assert_eq!(answers(&[-1600, -1700, -1800], &mut game), [false, false, true]);
    }
}
