//! Conversion of settings to a match: players, openings, referee and test, with defaults.

use super::{Order, Settings};
use crate::cli::{self, Failure, encoding};
use chuhe_lab::arena::date;
use chuhe_lab::arena::match_run::MatchSettings;
use chuhe_lab::arena::openings::{self, Opening};
use chuhe_lab::arena::play::{Agreement, Refereeing};
use chuhe_lab::arena::player::{Limit, Player, PlayerSettings};
use chuhe_lab::arena::schedule::Part;
use chuhe_lab::arena::statistics::Sprt;
use std::path::{Path, PathBuf};

impl Settings {
    /// Returns the sequential test that ends the match, if any.
    pub(crate) fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let test = self.sprt.map(|bounds| Sprt::new(bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta));
        test.transpose().map_err(|error| Failure::at("--sprt", error))
    }

    /// Returns the match, with a message about each omitted opening.
    pub(crate) fn match_settings(
        self,
        part: Option<Part>,
        resume: bool,
    ) -> Result<(MatchSettings, Vec<String>), Failure> {
        let (players, sprt) = (self.players()?, self.sprt()?);
        if sprt.is_some() && players.len() > 2 {
            return Err(Failure::at("--sprt", "the test needs exactly two players"));
        }
        if sprt.is_some() && part.is_some() {
            return Err(Failure::at("--sprt", "the test needs all parts: use it with --merge"));
        }
        // Larger values are typing errors.
        for (flag, number, range) in [
            ("--games", self.games, 1..=100_000_000),
            ("--concurrency", self.concurrency, 1..=1024),
            ("--fold", self.fold, 2..=100_000),
            ("--longest", self.longest, 1..=100_000),
        ] {
            if number.is_some_and(|number| !range.contains(&number)) {
                return Err(Failure::at(flag, format!("must be a number from {} to {}", range.start(), range.end())));
            }
        }
        let (openings, faults) = self.openings()?;
        let settings = MatchSettings {
            players,
            gauntlet: self.gauntlet,
            games: self.games.unwrap_or(if sprt.is_some() { 40_000 } else { 100 }),
            openings,
            refereeing: self.refereeing(),
            part,
            concurrency: self.concurrency.unwrap_or(1),
            sprt,
            folder: self.out.unwrap_or_else(|| PathBuf::from(format!("match-{}", date::stamp()))),
            event: self.event.unwrap_or_else(|| "Chuhe match".to_string()),
            form: self.notation.unwrap_or_default(),
            transcripts: self.transcripts,
            pin: self.pin,
            resume,
        };
        Ok((settings, faults))
    }

    fn players(&self) -> Result<Vec<Player>, Failure> {
        let read = |each: &[PlayerSettings], own| {
            Player::read(each, own).map_err(|reason| Failure::at(format!("--engine {own}"), reason))
        };
        let mut players = self.engine.iter().map(|own| read(&self.each, own)).collect::<Result<Vec<_>, _>>()?;
        if players.len() < 2 {
            return Err(Failure::Input("a match needs at least two players: --engine A --engine B".to_string()));
        }
        if let Some(book) = &self.book {
            // The players' own options follow, and take precedence.
            let each = [vec![book_options(book)?], self.each.clone()].concat();
            for (player, own) in players.iter_mut().zip(&self.engine).filter(|(player, _)| player.is_self()) {
                *player = read(&each, own)?;
            }
            if !players.iter().any(Player::is_self) {
                return Err(Failure::at("--book", "no player has cmd=self"));
            }
        }
        give_different_names(&mut players);
        Ok(players)
    }

    /// Returns the openings in playing order, and a message about each invalid one.
    fn openings(&self) -> Result<(Vec<Opening>, Vec<String>), Failure> {
        let (mut openings, errors) = match &self.openings {
            Some(path) => {
                let plies = self.opening_plies.unwrap_or(usize::MAX);
                let terms = self.refereeing().terms;
                let is_open = |opening: &Opening| opening.is_open(terms);
                openings::read_sound(path, plies, encoding::named(), is_open).map_err(Failure::input)?
            }
            None => (openings::built_in(), Vec::new()),
        };
        if self.order == Some(Order::Random) {
            openings::shuffle(&mut openings, self.seed.unwrap_or(1));
        }
        Ok((openings, errors.iter().map(ToString::to_string).collect()))
    }

    fn refereeing(&self) -> Refereeing {
        let terms = self.rules.unwrap_or_default().terms();
        Refereeing {
            terms: self.fold.map_or(terms, |fold| terms.with_folds(fold as usize)),
            longest: self.longest.unwrap_or(500),
            win: self.adjudicate_win.map(|claims| claims.or(Agreement { moves: 4, score: 2000, after: 0 })),
            draw: self.adjudicate_draw.map(|claims| claims.or(Agreement { moves: 10, score: 20, after: 40 })),
            resign: None,
        }
    }
}

/// Returns a warning if games of the match will be repeated, and ends a sequential test before them: repeated games
/// contain no information, but would count.
pub(crate) fn limit_repetitions(settings: &mut MatchSettings) -> Option<String> {
    let has_fixed_effort = |player: &Player| matches!(player.limit, Limit::Nodes(_) | Limit::Depth(_));
    let distinct = u32::try_from(2 * settings.openings.len()).unwrap_or(u32::MAX);
    if settings.games <= distinct || !settings.players.iter().all(has_fixed_effort) {
        return None;
    }
    if settings.sprt.is_none() {
        return Some(format!(
            "players limited by nodes or depth may repeat their games after {distinct} games of a pairing"
        ));
    }
    settings.games = distinct;
    Some(format!(
        "the test ends after {distinct} games: then every opening has been played, and players limited by nodes or depth would repeat their games (`chuhe openings` finds more)"
    ))
}

/// Returns the options for a book, which is opened to report errors before the first game. Its path is made
/// absolute, since a player may run in a different working directory.
fn book_options(book: &Path) -> Result<PlayerSettings, Failure> {
    cli::book::open(book)?;
    let path = std::path::absolute(book).map_err(|error| Failure::file(book, &error))?;
    let Some(path) = path.to_str().filter(|path| !path.contains(';')) else {
        return Err(Failure::at("--book", "the path contains `;` or is not Unicode"));
    };
    let options = [("option.usebook", "true"), ("option.bookfiles", path)];
    Ok(PlayerSettings(options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()))
}

/// Makes names unique: the second `chuhe` becomes `chuhe-2`.
fn give_different_names(players: &mut [Player]) {
    for index in 1..players.len() {
        let (before, rest) = players.split_at_mut(index);
        let own = rest[0].name.clone();
        let mut number = 2;
        while before.iter().any(|player| player.name == rest[0].name) {
            rest[0].name = format!("{own}-{number}");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::r#match::values::{Bounds, Claims};
    use chuhe_board::notation::Form;
    use chuhe_board::rules::RuleSet;
    use clap::Args;

    fn settings() -> Settings {
        Settings { engine: vec!["cmd=self".parse().unwrap(); 2], ..Settings::default() }
    }

    #[test]
    fn a_number_out_of_range_is_named_by_its_option() {
        for (settings, flag) in [
            (Settings { games: Some(0), ..settings() }, "--games: "),
            (Settings { concurrency: Some(5000), ..settings() }, "--concurrency: "),
            (Settings { fold: Some(1), ..settings() }, "--fold: "),
            (Settings { longest: Some(0), ..settings() }, "--longest: "),
        ] {
            let Err(Failure::Input(reason)) = settings.match_settings(None, false) else { panic!("{flag}") };
            assert!(reason.starts_with(flag), "{flag}{reason}");
        }
    }

    #[test]
    fn a_test_ends_before_games_are_repeated() {
        let limited = |limit: &str, sprt| {
            let engine = vec![format!("cmd=self,{limit}").parse().expect("a player"); 2];
            let settings = Settings { engine, games: Some(5000), sprt, ..Settings::default() };
            let mut settings = settings.match_settings(None, false).expect("settings").0;
            let warning = limit_repetitions(&mut settings);
            (settings.games, warning.is_some())
        };
        assert_eq!(limited("nodes=1000", Some(Bounds::default())), (2000, true));
        assert_eq!(limited("nodes=1000", None), (5000, true));
        assert_eq!(limited("tc=1", Some(Bounds::default())), (5000, false));
    }

    #[test]
    fn the_help_tells_the_defaults() {
        let claims = Some(Claims::default());
        let claimed = Settings { adjudicate_win: claims, adjudicate_draw: claims, ..settings() };
        let tested = Settings { sprt: Some(Bounds::default()), ..settings() }.match_settings(None, false).unwrap().0;
        let usual = claimed.match_settings(None, false).unwrap().0;
        let agreed = |Agreement { moves, score, after }| format!("<moves={moves},score={score},after={after}>");
        let Bounds { elo0, elo1, alpha, beta } = Bounds::default();
        let help = Settings::augment_args(clap::Command::new("match")).render_help().to_string();
        for words in [
            format!("[default: {}, with --sprt {}]", usual.games, tested.games),
            format!("<elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}>"),
            "--adjudicate-win ".to_owned() + &usual.refereeing.win.map_or_else(String::new, agreed),
            "--adjudicate-draw ".to_owned() + &usual.refereeing.draw.map_or_else(String::new, agreed),
            format!("a game is drawn [default: {}]", usual.refereeing.longest),
            format!("Number of concurrent games [default: {}]", usual.concurrency),
            format!("chinese [default: {:?}]", Form::default()).to_lowercase(),
            format!("[default: {}]", RuleSet::default()),
        ] {
            assert!(help.contains(&words), "{words} in {help}");
        }
    }

    #[test]
    fn names_differ() {
        let mut players: Vec<Player> = (0..3).map(|_| "cmd=self".parse().unwrap()).collect();
        give_different_names(&mut players);
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["chuhe", "chuhe-2", "chuhe-3"]);
    }
}
