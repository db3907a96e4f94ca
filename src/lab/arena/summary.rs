//! Standings of a match for programs: `summary.json`, and the Elo curve as SVG.

use super::standings::Standings;
use super::statistics::{Elo, GameCounts, MAX_ELO, Results, Verdict};
use crate::output::{Plot, Series};
use serde_json::{Value, json};

impl Standings {
    /// Returns all statistics as JSON. Fields may be added but are never renamed.
    pub fn summary(&self) -> Value {
        let count = |games: &GameCounts| json!({ "games": games.total(), "wins": games.wins(), "draws": games.draws(), "losses": games.losses() });
        // At 0 and 100 %, the difference and one end of the interval are unbounded.
        let finite = |value: f64| (value.abs() < MAX_ELO).then_some(value);
        let of_elo = |elo: Elo| json!({ "elo": finite(elo.difference), "low": finite(elo.low), "high": finite(elo.high), "superiority": elo.superiority });
        let encounters = self.schedule.encounters().iter().zip(&self.encounters).map(|((first, second), score)| {
            let mut value = json!({
                "first": self.names[*first], "second": self.names[*second], "score": count(&score.games),
                "pairs": score.pairs.counts(), "draw_rate": score.games.draw_rate(),
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
        let players = self.names.iter().zip(&self.players).map(|(name, standing)| {
            let mut value = serde_json::to_value(standing).unwrap_or_default();
            value["name"] = json!(name);
            value["score"] = count(&standing.games);
            value["as_red"] = count(&standing.as_red);
            value["mean_depth"] = json!(standing.mean_depth());
            value["nps"] = json!(standing.speed());
            value
        });
        let reasons = self.reasons.iter().map(|(reason, counts)| {
            (reason.to_string(), json!({ "red": counts[0], "draw": counts[1], "black": counts[2] }))
        });
        json!({
            "warnings": self.warnings, "games": self.games(), "planned": self.schedule.games(), "plies": self.plies,
            "encounters": encounters.collect::<Vec<_>>(),
            "players": players.collect::<Vec<_>>(),
            "reasons": reasons.collect::<serde_json::Map<_, _>>(),
        })
    }

    /// Returns an SVG plot of the Elo difference in the first encounter against the number of games, with its
    /// confidence interval.
    pub fn plot(&self) -> String {
        // The intervals of the first games are so wide that they would flatten the rest of the plot.
        let skip = self.elo_history.len().min(12).saturating_sub(1);
        let step = (self.elo_history.len() / 800).max(1);
        let last = self.elo_history.len().saturating_sub(1);
        let shown = self.elo_history.iter().enumerate().skip(skip).filter(|(at, _)| at % step == 0 || *at == last);
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
