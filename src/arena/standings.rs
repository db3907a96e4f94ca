//! Where a match stands: points, Elo, how games ended, what each player spent and how often it failed.

use super::play::{FAULTS, GameResult, Played};
use super::schedule::{Fixture, Schedule};
use super::statistics::{Elo, Games, Outcome, Pairs, Sprt, Verdict};
use crate::output::{Align, Plot, Series, Table};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

/// The counts of a match, game by game.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    schedule: Schedule,
    sprt: Option<Sprt>,
    encounters: Vec<Encounter>,
    players: Vec<Tally>,
    reasons: BTreeMap<String, [u64; 3]>,
    plies: u64,
    /// (games, Elo) of the first encounter as games went by.
    course: Vec<(f64, Elo)>,
}

/// What two players did against each other, as the first of them sees it.
#[derive(Clone, Debug, Default)]
struct Encounter {
    games: Games,
    pairs: Pairs,
    /// Pairs of which one game is finished.
    halves: HashMap<u32, Outcome>,
}

impl Encounter {
    /// By pairs as soon as there are some, for they tell more.
    fn elo(&self) -> Elo {
        if self.pairs.total() > 0 { Elo::of(&self.pairs) } else { Elo::of(&self.games) }
    }
}

/// What one player did in all its games.
#[derive(Clone, Debug, Default, Serialize)]
struct Tally {
    #[serde(skip)]
    games: Games,
    #[serde(skip)]
    as_red: Games,
    moves: u64,
    us: u64,
    slowest_us: u64,
    nodes: u64,
    /// Time of the moves whose nodes are known.
    us_of_nodes: u64,
    depths: u64,
    depth_sum: u64,
    faults: BTreeMap<&'static str, u64>,
}

impl Standings {
    /// No game is played.
    pub fn new(names: Vec<String>, schedule: Schedule, sprt: Option<Sprt>) -> Standings {
        let encounters = vec![Encounter::default(); schedule.encounters().len()];
        let players = vec![Tally::default(); names.len()];
        Standings { names, schedule, sprt, encounters, players, reasons: BTreeMap::new(), plies: 0, course: Vec::new() }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &Played) {
        let Fixture { encounter, pair, exchanged, red, black, .. } = self.schedule.fixture(game.game);
        let (of_red, column) = match game.result {
            GameResult::RedWins => (Outcome::Win, 0),
            GameResult::Draw => (Outcome::Draw, 1),
            GameResult::BlackWins => (Outcome::Loss, 2),
        };
        self.reasons.entry(game.reason.clone()).or_default()[column] += 1;
        self.plies += (game.moves.len() - game.opening_plies.min(game.moves.len())) as u64;
        let of_first = if exchanged { of_red.reversed() } else { of_red };
        let score = &mut self.encounters[encounter];
        score.games.add(of_first);
        match score.halves.remove(&pair) {
            Some(other) => score.pairs.add(of_first, other),
            None => drop(score.halves.insert(pair, of_first)),
        }
        self.players[red].as_red.add(of_red);
        for (player, outcome) in [(red, of_red), (black, of_red.reversed())] {
            let tally = &mut self.players[player];
            tally.games.add(outcome);
            for spoken in game.of_player(&self.names[player]) {
                tally.moves += 1;
                tally.us += spoken.us;
                tally.slowest_us = tally.slowest_us.max(spoken.us);
                if let Some(nodes) = spoken.nodes {
                    tally.nodes += nodes;
                    tally.us_of_nodes += spoken.us;
                }
                if let Some(depth) = spoken.depth {
                    tally.depths += 1;
                    tally.depth_sum += u64::from(depth);
                }
            }
            if let Some(fault) = game.fault.as_ref().filter(|fault| fault.player == self.names[player])
                && let Some(kind) = FAULTS.into_iter().find(|kind| *kind == fault.kind)
            {
                *tally.faults.entry(kind).or_default() += 1;
            }
        }
        if encounter == 0 {
            let score = &self.encounters[0];
            self.course.push((score.games.total() as f64, score.elo()));
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.encounters.iter().map(|encounter| encounter.games.total()).sum()
    }

    /// How many of them ended by a fault of a player.
    pub fn faults(&self) -> u64 {
        self.players.iter().flat_map(|player| player.faults.values()).sum()
    }

    /// What the test says, if there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.sprt.map(|sprt| sprt.verdict(&self.encounters[0].pairs))
    }

    /// Where things stand, for a bar.
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

    /// All players by their points.
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
        let share = |tally: &Tally| {
            (tally.games.wins() as f64 + tally.games.draws() as f64 / 2.0) / tally.games.total().max(1) as f64
        };
        order.sort_by(|one, other| share(&self.players[*other]).total_cmp(&share(&self.players[*one])));
        for player in order {
            let tally = &self.players[player];
            let games = &tally.games;
            let points = games.wins() as f64 + games.draws() as f64 / 2.0;
            table.row([
                self.names[player].clone(),
                games.total().to_string(),
                games.wins().to_string(),
                games.draws().to_string(),
                games.losses().to_string(),
                format!("{points:.1}"),
                Elo::of(games).to_string(),
                tally.faults.values().sum::<u64>().to_string(),
            ]);
        }
        table
    }

    /// Everything, for people.
    pub fn report(&self) -> String {
        let mut text = String::new();
        let total = self.games();
        let _ = writeln!(text, "{total} of {} games", self.schedule.games());
        if self.names.len() > 2 {
            let _ = write!(text, "\n{}", self.ranking());
        }
        for ((first, second), score) in self.schedule.encounters().iter().zip(&self.encounters) {
            let _ = write!(text, "\n{}", self.encounter_report(*first, *second, score));
        }
        if total > 0 {
            let _ = write!(text, "\n{}", self.reasons_table());
            let _ = writeln!(text, "{:.1} plies a game", self.plies as f64 / total as f64);
        }
        let _ = write!(text, "\n{}", self.effort_table());
        if self.players.iter().any(|player| !player.faults.is_empty()) {
            let _ = write!(text, "\n{}", self.faults_table());
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
            let counts = super::statistics::Results::counts(pairs);
            let _ = writeln!(
                text,
                "pairs of games by points 0, 1/2, 1, 3/2, 2: {counts:?}; games alone: Elo {}",
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
            table.row([reason.clone(), sum.to_string()].into_iter().chain(counts.map(|count| count.to_string())));
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
            ("ms a move", Align::Right),
            ("slowest ms", Align::Right),
            ("mean depth", Align::Right),
            ("nodes a move", Align::Right),
            ("knodes/s", Align::Right),
            ("time s", Align::Right),
        ];
        let mut table = Table::new(columns);
        for (name, tally) in self.names.iter().zip(&self.players) {
            let moves = tally.moves.max(1) as f64;
            table.row([
                name.clone(),
                tally.moves.to_string(),
                format!("{:.1}", tally.us as f64 / 1e3 / moves),
                format!("{:.0}", tally.slowest_us as f64 / 1e3),
                format!("{:.1}", tally.mean_depth()),
                format!("{:.0}", tally.nodes as f64 / moves),
                format!("{:.0}", tally.speed() / 1e3),
                format!("{:.1}", tally.us as f64 / 1e6),
            ]);
        }
        table
    }

    fn faults_table(&self) -> Table {
        let columns = [("faults", Align::Left)].into_iter().chain(FAULTS.map(|kind| (kind, Align::Right)));
        let mut table = Table::new(columns);
        for (name, tally) in self.names.iter().zip(&self.players) {
            let counts = FAULTS.map(|kind| tally.faults.get(kind).copied().unwrap_or(0).to_string());
            table.row([name.clone()].into_iter().chain(counts));
        }
        table
    }

    /// Everything, for programs. Fields are added, never renamed.
    pub fn summary(&self) -> Value {
        let count = |games: &Games| json!({ "games": games.total(), "wins": games.wins(), "draws": games.draws(), "losses": games.losses() });
        let of_elo = |elo: Elo| json!({ "elo": elo.difference, "low": elo.low, "high": elo.high, "superiority": elo.superiority });
        let encounters = self.schedule.encounters().iter().zip(&self.encounters).map(|((first, second), score)| {
            let mut value = json!({
                "first": self.names[*first], "second": self.names[*second], "score": count(&score.games),
                "pairs": super::statistics::Results::counts(&score.pairs), "draw_rate": score.games.draw_rate(),
                "by_pairs": of_elo(Elo::of(&score.pairs)), "by_games": of_elo(Elo::of(&score.games)),
            });
            if let Some(sprt) = &self.sprt {
                let (low, high) = sprt.bounds();
                value["sprt"] = json!({
                    "test": sprt.to_string(), "llr": sprt.llr(&score.pairs), "low": low, "high": high,
                    "verdict": match sprt.verdict(&score.pairs) {
                        Verdict::AcceptH0 => "H0",
                        Verdict::AcceptH1 => "H1",
                        Verdict::GoOn => "open",
                    },
                });
            }
            value
        });
        let players = self.names.iter().zip(&self.players).map(|(name, tally)| {
            let mut value = serde_json::to_value(tally).unwrap_or_default();
            value["name"] = json!(name);
            value["score"] = count(&tally.games);
            value["as_red"] = count(&tally.as_red);
            value["mean_depth"] = json!(tally.mean_depth());
            value["nps"] = json!(tally.speed());
            value
        });
        let reasons = self.reasons.iter().map(|(reason, counts)| {
            (reason.clone(), json!({ "red": counts[0], "draw": counts[1], "black": counts[2] }))
        });
        json!({
            "games": self.games(), "planned": self.schedule.games(), "plies": self.plies,
            "encounters": encounters.collect::<Vec<_>>(),
            "players": players.collect::<Vec<_>>(),
            "reasons": reasons.collect::<serde_json::Map<_, _>>(),
        })
    }

    /// The Elo of the first encounter as games went by, with its interval.
    pub fn plot(&self) -> String {
        // The first games say nothing: their intervals would only squeeze the rest.
        let skip = self.course.len().min(12).saturating_sub(1);
        let step = (self.course.len() / 800).max(1);
        let last = self.course.len().saturating_sub(1);
        let shown = self.course.iter().enumerate().skip(skip).filter(|(at, _)| at % step == 0 || *at == last);
        let shown: Vec<(f64, Elo)> = shown.map(|(_, point)| *point).collect();
        let (first, second) = self.schedule.encounters()[0];
        let name = format!("{} against {}", self.names[first], self.names[second]);
        let line = Series::new(name, shown.iter().map(|(games, elo)| (*games, elo.difference)));
        let end = shown.last().map_or(1.0, |(games, _)| *games);
        let begin = shown.first().map_or(0.0, |(games, _)| *games);
        let mut series = vec![line.with_band(shown.iter().map(|(games, elo)| (*games, elo.low, elo.high)))];
        if let Some(sprt) = &self.sprt {
            let (elo0, elo1) = sprt.hypotheses();
            for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
                series.push(Series::new(format!("{name} = {elo}"), [(begin, elo), (end, elo)]).dashed());
            }
        }
        let spread =
            shown.iter().skip(shown.len() / 10).map(|(_, elo)| elo.high.abs().max(elo.low.abs())).fold(10.0, f64::max);
        Plot {
            title: "Elo difference with its 95 % interval".into(),
            x_label: "games".into(),
            y_label: "Elo".into(),
            y_range: Some((-spread.min(1200.0), spread.min(1200.0))),
            series,
            ..Plot::default()
        }
        .svg()
    }
}

impl Tally {
    fn mean_depth(&self) -> f64 {
        self.depth_sum as f64 / self.depths.max(1) as f64
    }

    /// Nodes per second.
    fn speed(&self) -> f64 {
        self.nodes as f64 * 1e6 / self.us_of_nodes.max(1) as f64
    }
}
