//! Merges the folders of a match that was played in parts.

use super::error::Error;
use super::journal::{Journal, JournalHeader};
use super::played::Played;
use super::schedule::Schedule;
use super::standings::Standings;
use super::statistics::Sprt;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A merged match.
#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    head: JournalHeader,
    /// Games in the order of the plan.
    games: Vec<Played>,
}

impl Merged {
    /// Reads the folders.
    ///
    /// # Errors
    /// Returns an error if a folder contains no match or a different one, or if two folders contain different
    /// games with the same number.
    pub fn read(folders: &[PathBuf]) -> Result<Merged, Error> {
        let mut whole: Option<(JournalHeader, &Path)> = None;
        let mut games: BTreeMap<u32, (Played, &Path)> = BTreeMap::new();
        for folder in folders {
            let (head, part) = Journal::read(folder)?;
            if head.plan.players.is_empty() {
                return Err(Error::NoPlan(folder.clone()));
            }
            match &mut whole {
                None => whole = Some((head, folder)),
                Some((first, of)) => {
                    let folders = || [of.to_path_buf(), folder.clone()];
                    let same = first.is_of_the_same_match(&head);
                    same.map_err(|difference| Error::DifferentMatches { folders: folders(), difference })?;
                    first.plan.games = first.plan.games.max(head.plan.games);
                }
            }
            for game in part {
                match games.get(&game.game) {
                    Some((known, _)) if *known == game => {}
                    Some((_, of)) => {
                        let folders = [of.to_path_buf(), folder.clone()];
                        return Err(Error::DifferentGames { folders, game: game.game });
                    }
                    None => drop(games.insert(game.game, (game, folder))),
                }
            }
        }
        let (mut head, _) = whole.ok_or(Error::NoFolder)?;
        // A resumed match may have played more games than its first plan.
        let plan = &mut head.plan;
        let encounters = Schedule::new(plan.players.len(), plan.gauntlet, plan.games, plan.openings).encounters().len();
        let played = games.last_key_value().map_or(0, |(&number, _)| number);
        plan.games = plan.games.max(played.div_ceil(encounters.max(1) as u32));
        Ok(Merged { head, games: games.into_values().map(|(game, _)| game).collect() })
    }

    /// Returns the standings of all games.
    pub fn standings(&self, sprt: Option<Sprt>) -> Standings {
        let plan = &self.head.plan;
        let schedule = Schedule::new(plan.players.len(), plan.gauntlet, plan.games, plan.openings);
        let mut standings = Standings::new(plan.names(), schedule, sprt);
        self.games.iter().for_each(|game| standings.add(game));
        standings
    }

    /// Writes a folder as if the match had been played in one run.
    ///
    /// # Errors
    /// Returns an error if the folder already contains a match or cannot be written.
    pub fn write(&self, folder: &Path, standings: &Standings) -> Result<(), Error> {
        let (mut journal, _) = Journal::open(folder, &self.head, false)?;
        let mut written = Ok(());
        for game in &self.games {
            written = written.and_then(|()| journal.add(game, None));
        }
        let written = written.and_then(|()| journal.write_standings(standings));
        written.map_err(|error| Error::file(folder, error))
    }
}
