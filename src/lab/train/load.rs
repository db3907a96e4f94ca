//! Loading of game files: reads, replays and filters the games, and splits them into training and test
//! samples.

use super::crew::Crew;
use super::labels::LabelSettings;
use super::samples::{Sample, Samples};
use crate::data::Error;
use crate::data::source::Source;
use chuhe_board::random::SplitMix64;
use std::path::{Path, PathBuf};

/// Content of the loaded files.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Samples for training.
    pub samples: Samples,
    /// Number of games read.
    pub games: u64,
    /// Number of positions read, suitable or not.
    pub positions: u64,
    /// Errors: a message for each file that is damaged or has no games. Games before the damage were read.
    pub damage: Vec<String>,
}

/// Reads game files in parallel and computes labels; one in `one_in` games is held out. The order of the
/// samples depends only on the order of the files. `progress` is called with the index of each completed
/// file.
///
/// # Errors
/// Returns an error if a file cannot be opened or its header is damaged.
pub fn load(
    files: &[PathBuf],
    labels: &LabelSettings,
    one_in: u64,
    crew: &Crew,
    progress: impl Fn(usize) + Sync,
) -> Result<Loaded, Error> {
    let parts = crew.map(files.iter().enumerate(), |(number, file)| {
        let part = load_file(file, labels, one_in);
        progress(number);
        part
    });
    let mut all = Loaded::default();
    for part in parts {
        let part = part?;
        all.samples.training.extend(part.samples.training);
        all.samples.held_out.extend(part.samples.held_out);
        all.games += part.games;
        all.positions += part.positions;
        all.damage.extend(part.damage);
    }
    Ok(all)
}

fn load_file(path: &Path, labels: &LabelSettings, one_in: u64) -> Result<Loaded, Error> {
    let source = Source::open(path)?;
    // Game numbers differ between files.
    let mut numbers = SplitMix64::new(source.number());
    let mut loaded = Loaded::default();
    for record in source {
        let record = match record {
            Ok(record) => record,
            Err(trouble) => {
                loaded.damage.push(format!("{}: {trouble}", path.display()));
                continue;
            }
        };
        let game = numbers.next();
        loaded.games += 1;
        loaded.positions += record.plies.len() as u64;
        for (sample, label) in labels.of(&record) {
            loaded.samples.add(game, one_in, Sample::new(&sample.position, label, sample.result.half_points()));
        }
    }
    if loaded.games == 0 && loaded.damage.is_empty() {
        loaded.damage.push(format!("{}: no game with scores", path.display()));
    }
    Ok(loaded)
}
