//! Totals of several reviewed games by player, for coaches.

use super::report::JUDGEMENTS;
use super::{Judgement, Report};
use chuhe_board::Side;

/// Totals of a player.
#[derive(Clone, PartialEq, Debug)]
pub struct Total {
    /// Name of the player, or of a side if the games do not name the player.
    pub player: String,
    /// Number of games with at least one move of the player.
    pub games: usize,
    /// Mean accuracy of these games, 0 to 100.
    pub accuracy: f64,
    /// Inaccuracies, mistakes and blunders.
    pub counts: [usize; 3],
    /// Worst moves, at most three, the largest loss first.
    pub worst: Vec<Moment>,
}

/// A judged move.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// Number of the game.
    pub game: usize,
    /// Ply of the game, from 1.
    pub ply: usize,
    /// Move with its number and symbol: `12. C2=5??`.
    pub mv: String,
    /// Expected points lost, 0 to 1.
    pub loss: f64,
}

/// Maximum number of worst moves per player.
const WORST: usize = 3;

/// Returns the totals of reviewed games, given with their numbers, sorted by the number of games and then by
/// name.
pub fn totals(games: &[(usize, Report)]) -> Vec<Total> {
    let mut totals: Vec<Total> = Vec::new();
    for (number, report) in games {
        let moments = report.each(|reviewed, game| {
            let judgement: Judgement = reviewed.judgement?;
            let mv = report.numbered(reviewed, game) + judgement.sign();
            Some((reviewed.side, Moment { game: *number, ply: reviewed.ply, mv, loss: reviewed.loss }))
        });
        for side in Side::ALL {
            let Some(accuracy) = report.review.accuracy[side.index()] else { continue };
            let player = report.player(side);
            let place = totals.iter().position(|total| total.player == player).unwrap_or_else(|| {
                totals.push(Total { player, games: 0, accuracy: 0.0, counts: [0; 3], worst: Vec::new() });
                totals.len() - 1
            });
            let total = &mut totals[place];
            total.accuracy = (total.accuracy * total.games as f64 + accuracy) / (total.games + 1) as f64;
            total.games += 1;
            for (sum, judgement) in total.counts.iter_mut().zip(JUDGEMENTS) {
                *sum += report.review.count(side, judgement);
            }
            let own = moments.iter().flatten().filter(|(mover, _)| *mover == side);
            total.worst.extend(own.map(|(_, moment)| moment.clone()));
            total.worst.sort_by(|one, two| two.loss.total_cmp(&one.loss));
            total.worst.truncate(WORST);
        }
    }
    totals.sort_by(|one, two| (two.games, &one.player).cmp(&(one.games, &two.player)));
    totals
}
