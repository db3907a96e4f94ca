//! Totals of several reviewed games, player by player: for a coach.

use super::report::JUDGEMENTS;
use super::{Judgement, Report};
use chuhe_board::Side;

/// How a player did in several games.
#[derive(Clone, PartialEq, Debug)]
pub struct Total {
    /// The player; a side, where no game tells its player.
    pub player: String,
    /// The games with a move of the player's.
    pub games: usize,
    /// The mean accuracy of these games, 0 to 100.
    pub accuracy: f64,
    /// Inaccuracies, mistakes and blunders.
    pub counts: [usize; 3],
    /// The moves that lost the most, at most three, the worst first.
    pub worst: Vec<Moment>,
}

/// A move that was judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// The number of the game.
    pub game: usize,
    /// The ply of the game, from 1.
    pub ply: usize,
    /// The move with its number and its sign: `12. C2=5??`.
    pub mv: String,
    /// The expected points that it gave away, 0 to 1.
    pub loss: f64,
}

/// More moments are not told of anyone.
const WORST: usize = 3;

/// The totals of reviewed games, which come with their numbers: who played the most games first, then by name.
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
