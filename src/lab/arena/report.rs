//! Standings of a match as text: a short form for a progress bar, and tables for the end of the match.

use super::end_reason::GameEndReason;
use super::standings::{Encounter, PlayerStanding, Standings};
use super::statistics::{Elo, Results, Verdict};
use crate::output::{Align, Table};
use std::fmt::Write as _;

impl Standings {
    /// Returns the standings for a progress bar: one line, or a table if there are more than two players.
    pub fn brief(&self) -> String {
        if self.names.len() > 2 {
            return format!("\n{}", self.ranking());
        }
        let score = &self.encounters[0];
        let mut text = format!(
            "{} +{} ={} -{}  Elo {}",
            self.names[0],
            score.games.wins(),
            score.games.draws(),
            score.games.losses(),
            score.elo()
        );
        if let Some(sprt) = &self.sprt {
            let (low, high) = sprt.bounds();
            let _ = write!(text, "  LLR {:.2} ({low:.2}, {high:.2})", sprt.llr(&score.pairs));
        }
        let faults = self.faults();
        if faults > 0 {
            let _ = write!(text, "  faults {faults}");
        }
        text
    }

    /// Returns a table of all players, sorted by points.
    fn ranking(&self) -> Table {
        let columns = [
            ("player", Align::Left),
            ("games", Align::Right),
            ("+", Align::Right),
            ("=", Align::Right),
            ("-", Align::Right),
            ("points", Align::Right),
            ("Elo", Align::Right),
            ("faults", Align::Right),
        ];
        let mut table = Table::new(columns);
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let share = |standing: &PlayerStanding| {
            (standing.games.wins() as f64 + standing.games.draws() as f64 / 2.0) / standing.games.total().max(1) as f64
        };
        order.sort_by(|one, other| share(&self.players[*other]).total_cmp(&share(&self.players[*one])));
        for player in order {
            let standing = &self.players[player];
            let games = &standing.games;
            let points = games.wins() as f64 + games.draws() as f64 / 2.0;
            table.row([
                self.names[player].clone(),
                games.total().to_string(),
                games.wins().to_string(),
                games.draws().to_string(),
                games.losses().to_string(),
                format!("{points:.1}"),
                Elo::of(games).to_string(),
                standing.faults.values().sum::<u64>().to_string(),
            ]);
        }
        table
    }

    /// Returns the full report; tables wrap at `width` terminal columns. `say` translates sentences and
    /// headings.
    pub fn report(&self, width: Option<usize>, say: impl Fn(&str) -> String + Copy) -> String {
        let total = self.games();
        let table = |table: Table| format!("\n{}", table.titled(say).fitted(width));
        let mut text = say(&format!("{total} of {} games", self.schedule.games())) + "\n";
        if self.names.len() > 2 {
            text += &table(self.ranking());
        }
        for ((first, second), score) in self.schedule.encounters().iter().zip(&self.encounters) {
            let report = self.encounter_report(*first, *second, score);
            text.push('\n');
            text.extend(report.lines().map(|line| say(line) + "\n"));
        }
        if total > 0 {
            text += &table(self.reasons_table().with_names(say));
            text += &(say(&format!("{:.1} plies per game", self.plies as f64 / total as f64)) + "\n");
        }
        text += &table(self.effort_table());
        if self.players.iter().any(|player| !player.faults.is_empty()) {
            text += &table(self.faults_table());
        }
        text
    }

    fn encounter_report(&self, first: usize, second: usize, score: &Encounter) -> String {
        let mut text = String::new();
        let (games, pairs) = (&score.games, &score.pairs);
        let _ = writeln!(
            text,
            "{} - {}: +{} ={} -{}, draws {:.1} %",
            self.names[first],
            self.names[second],
            games.wins(),
            games.draws(),
            games.losses(),
            100.0 * games.draw_rate()
        );
        let elo = score.elo();
        let _ = writeln!(text, "Elo {elo} (95 %), superiority {:.1} %", 100.0 * elo.superiority);
        if pairs.total() > 0 {
            let counts = pairs.counts();
            let _ = writeln!(
                text,
                "pairs of games by points 0, 1/2, 1, 3/2, 2: {counts:?}; games without pairing: Elo {}",
                Elo::of(games)
            );
        }
        if let Some(sprt) = &self.sprt {
            let (low, high) = sprt.bounds();
            let verdict = match sprt.verdict(pairs) {
                Verdict::AcceptH0 => "H0 accepted: no improvement",
                Verdict::AcceptH1 => "H1 accepted: an improvement",
                Verdict::GoOn => "not decided",
            };
            let _ = writeln!(text, "{sprt}: LLR {:.2} ({low:.2}, {high:.2}), {verdict}", sprt.llr(pairs));
        }
        text
    }

    fn reasons_table(&self) -> Table {
        let names = [("end of the game", Align::Left), ("games", Align::Right), ("Red wins", Align::Right)];
        let mut table = Table::new(names.into_iter().chain([("draw", Align::Right), ("Black wins", Align::Right)]));
        let mut rows: Vec<_> =
            self.reasons.iter().map(|(reason, counts)| (reason, counts, counts.iter().sum::<u64>())).collect();
        rows.sort_by_key(|(_, _, sum)| std::cmp::Reverse(*sum));
        let mut all = [0; 3];
        for (reason, counts, sum) in rows {
            table.row([reason.to_string(), sum.to_string()].into_iter().chain(counts.map(|count| count.to_string())));
            (0..3).for_each(|column| all[column] += counts[column]);
        }
        let sum = all.iter().sum::<u64>();
        table.row(["all".to_string(), sum.to_string()].into_iter().chain(all.map(|count| count.to_string())));
        table
    }

    fn effort_table(&self) -> Table {
        let columns = [
            ("player", Align::Left),
            ("moves", Align::Right),
            ("ms/move", Align::Right),
            ("slowest ms", Align::Right),
            ("mean depth", Align::Right),
            ("nodes/move", Align::Right),
            ("knodes/s", Align::Right),
            ("time s", Align::Right),
        ];
        let mut table = Table::new(columns);
        for (name, standing) in self.names.iter().zip(&self.players) {
            let moves = standing.moves.max(1) as f64;
            table.row([
                name.clone(),
                standing.moves.to_string(),
                format!("{:.1}", standing.microseconds as f64 / 1e3 / moves),
                format!("{:.0}", standing.slowest_microseconds as f64 / 1e3),
                format!("{:.1}", standing.mean_depth()),
                format!("{:.0}", standing.nodes as f64 / moves),
                format!("{:.0}", standing.speed() / 1e3),
                format!("{:.1}", standing.microseconds as f64 / 1e6),
            ]);
        }
        table
    }

    fn faults_table(&self) -> Table {
        let columns =
            [("faults", Align::Left)].into_iter().chain(GameEndReason::FAULTS.map(|kind| (kind.name(), Align::Right)));
        let mut table = Table::new(columns);
        for (name, standing) in self.names.iter().zip(&self.players) {
            let counts = GameEndReason::FAULTS.map(|kind| standing.faults.get(&kind).copied().unwrap_or(0).to_string());
            table.row([name.clone()].into_iter().chain(counts));
        }
        table
    }
}
