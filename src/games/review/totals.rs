//! Totals of several reviewed games by player, for coaches.

use super::report::JUDGEMENTS;
use super::{Judgement, Report};
use crate::names::Aliases;
use chuhe_board::Side;
use chuhe_engine::output::plain;

/// Totals of a player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Total {
    /// Name of the player, or of a side if the games do not name the player.
    pub player: String,
    /// Number of games with at least one move of the player.
    pub games: usize,
    /// Mean accuracy of these games, 0 to 100.
    pub accuracy: f64,
    /// Number of games and mean accuracy, with Red and with Black.
    pub colours: [(usize, f64); 2],
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

/// Returns the totals of reviewed games, which are given with their numbers. The totals are sorted by the
/// number of games and then by name.
pub fn totals(games: &[(usize, Report)], aliases: &Aliases) -> Vec<Total> {
    let mut totals: Vec<(String, Total)> = Vec::new();
    for (number, report) in games {
        let moments = report.each(|reviewed, game| {
            let judgement: Judgement = reviewed.judgement?;
            let mv = report.numbered(reviewed, game) + judgement.sign();
            Some((reviewed.side, Moment { game: *number, ply: reviewed.ply, mv, loss: reviewed.loss }))
        });
        for side in Side::ALL {
            let Some(accuracy) = report.review.accuracy[side.index()] else { continue };
            let name = report.players[side.index()];
            let player = match name.trim() {
                "" => format!("{} ({number})", report.player(side)),
                _ => plain(aliases.name(name).to_owned()),
            };
            let key = if name.trim().is_empty() { player.clone() } else { aliases.key(name) };
            let place = totals.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                totals.push((key, Total { player, ..Total::default() }));
                totals.len() - 1
            });
            let total = &mut totals[place].1;
            total.accuracy = (total.accuracy * total.games as f64 + accuracy) / (total.games + 1) as f64;
            total.games += 1;
            let (games, mean) = &mut total.colours[side.index()];
            *mean = (*mean * *games as f64 + accuracy) / (*games + 1) as f64;
            *games += 1;
            for (sum, judgement) in total.counts.iter_mut().zip(JUDGEMENTS) {
                *sum += report.review.count(side, judgement);
            }
            let own = moments.iter().flatten().filter(|(mover, _)| *mover == side);
            total.worst.extend(own.map(|(_, moment)| moment.clone()));
            total.worst.sort_by(|one, two| two.loss.total_cmp(&one.loss));
            total.worst.truncate(WORST);
        }
    }
    let mut totals: Vec<Total> = totals.into_iter().map(|(_, total)| total).collect();
    totals.sort_by(|one, two| (two.games, &one.player).cmp(&(one.games, &two.player)));
    totals
}
