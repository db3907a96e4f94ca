//! Checkpoint files of networks in training: the weights in floating point and, to resume a run, the complete
//! state of the optimizer.
//!
//! ```text
//! bytes    content, little endian
//! 8        "CHUHEFLT"
//! 2        version, 4; version 3 has no threats, version 2 no attack buckets and no shared weights either
//! 2        hidden units
//! 1        mirroring: 0 by the side's own king, 1 by the wings
//! 6        king buckets
//! 1        1 if there are attack buckets, otherwise 0; absent in version 2
//! 1        hidden units connected to the threats, divided by 32; absent in versions 2 and 3
//! 1        output buckets: 0 one, 1 by the balance of rooks
//! 4        scale, centipawns
//! 8        steps so far; 0: no moments follow
//! 4        E: epochs so far
//! 12 · E   per epoch: training loss, loss on held-out samples, result weight
//! 4 · N    parameters
//! 8 · N    after the first step: means of the gradients, and of their squares
//! 12 · S   after the first step, with several buckets: shared weights, and the two means of their gradients
//! 8        FNV-1a of all preceding bytes
//! ```

use super::model::Model;
use super::trainer::{Epoch, Trainer};
use chuhe_engine::bytes::{Fields, fnv};
use chuhe_engine::eval::nnue::features::{self, Shape};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"CHUHEFLT";
const VERSION: u16 = 4;
/// First version with attack buckets and shared weights.
const WITH_ATTACK_BUCKETS: u16 = 3;
/// First version with threats.
const WITH_THREATS: u16 = 4;
/// Oldest version that can be read.
const OLDEST_VERSION: u16 = 2;

/// Reason why bytes are not a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BadCheckpoint {
    /// Wrong signature.
    #[error("not a training checkpoint")]
    OtherFile,
    /// Unsupported version.
    #[error("checkpoint version {0} is not supported")]
    Version(u16),
    /// The content does not match the checksum.
    #[error("damaged: wrong checksum")]
    Checksum,
    /// Unknown mirroring.
    #[error("unknown mirroring")]
    Mirroring,
    /// Unknown attack buckets.
    #[error("unknown attack buckets")]
    AttackBuckets,
    /// Unknown output buckets.
    #[error("unknown output buckets")]
    Outputs,
    /// Hidden units that are not a positive multiple of 32, more of them connected to the threats than there
    /// are, or more than six sets of input weights.
    #[error("unsupported size of the network")]
    Size,
    /// Truncated file.
    #[error("truncated")]
    CutOff,
    /// Extra bytes follow the content.
    #[error("the file is too long")]
    TooLong,
}

impl Trainer {
    /// Returns the bytes of a file, either with moments, to resume the run, or without, as the start of
    /// another run.
    pub fn encode(&self, with_moments: bool) -> Vec<u8> {
        let Model { shape, scale, parameters } = &self.model;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((shape.hidden as u16).to_le_bytes());
        bytes.push(shape.mirroring as u8);
        bytes.extend(shape.king_buckets);
        bytes.push(shape.attack_buckets.into());
        bytes.push((shape.threat_units / 32) as u8);
        bytes.push(shape.outputs as u8);
        bytes.extend(scale.to_le_bytes());
        let steps = if with_moments { self.steps as u64 } else { 0 };
        bytes.extend(steps.to_le_bytes());
        bytes.extend((self.history.len() as u32).to_le_bytes());
        for epoch in &self.history {
            for number in [epoch.training, epoch.held_out, epoch.result_weight] {
                bytes.extend(number.to_le_bytes());
            }
        }
        let state = self.moments.iter().chain(&self.shared).filter(|_| steps > 0);
        for list in [parameters].into_iter().chain(state) {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        let sum = fnv(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Parses the output of [`Self::encode`].
    pub fn decode(bytes: &[u8]) -> Result<Trainer, BadCheckpoint> {
        use BadCheckpoint::*;
        let mut fields = Fields::new(bytes);
        if fields.take() != Some(MAGIC) {
            return Err(OtherFile);
        }
        let version = fields.u16().ok_or(CutOff)?;
        if !(OLDEST_VERSION..=VERSION).contains(&version) {
            return Err(Version(version));
        }
        let (body, sum) = bytes.split_last_chunk().ok_or(CutOff)?;
        if fnv(body) != u64::from_le_bytes(*sum) {
            return Err(Checksum);
        }
        let hidden = fields.u16().ok_or(CutOff)?.into();
        let [mirroring] = fields.take().ok_or(CutOff)?;
        let mirroring = features::Mirroring::from_number(mirroring).ok_or(Mirroring)?;
        let king_buckets = fields.take().ok_or(CutOff)?;
        let mut byte_since = |first| if version < first { Ok([0]) } else { fields.take().ok_or(CutOff) };
        let [attack_buckets] = byte_since(WITH_ATTACK_BUCKETS)?;
        if attack_buckets > 1 {
            return Err(AttackBuckets);
        }
        let [threat_blocks] = byte_since(WITH_THREATS)?;
        let [outputs] = fields.take().ok_or(CutOff)?;
        let outputs = features::Outputs::from_number(outputs).ok_or(Outputs)?;
        let (attack_buckets, threat_units) = (attack_buckets == 1, 32 * usize::from(threat_blocks));
        let shape = Shape { hidden, mirroring, king_buckets, attack_buckets, threat_units, outputs };
        if hidden == 0 || !hidden.is_multiple_of(32) || threat_units > hidden || shape.king_bucket_count() > 6 {
            return Err(Size);
        }
        let scale = fields.f32().ok_or(CutOff)?;
        let steps = fields.u64().ok_or(CutOff)? as usize;
        let epochs = fields.u32().ok_or(CutOff)? as usize;
        let mut floats = |count: usize| -> Result<Vec<f32>, BadCheckpoint> {
            let list = fields.list(count).ok_or(CutOff)?;
            Ok(list.iter().copied().map(f32::from_le_bytes).collect())
        };
        let history = floats(epochs.saturating_mul(3))?;
        let history = history.as_chunks().0.iter().map(|&[training, held_out, result_weight]| Epoch {
            training,
            held_out,
            result_weight,
        });
        let history = history.collect();
        let mut model = Model { shape, scale, parameters: Vec::new() };
        model.parameters = floats(model.output_bias().end)?;
        let mut trainer = Trainer { history, steps, ..Trainer::new(model) };
        if steps > 0 {
            let shared = if version < WITH_ATTACK_BUCKETS { &mut [][..] } else { &mut trainer.shared };
            for list in trainer.moments.iter_mut().chain(shared) {
                *list = floats(list.len())?;
            }
        }
        if fields.rest().len() != 8 { Err(TooLong) } else { Ok(trainer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::crew::Crew;
    use crate::train::samples::{Sample, Samples};
    use crate::train::trainer::Schedule;
    use chuhe_board::Position;
    use chuhe_engine::eval::nnue::embedded;
    use chuhe_engine::eval::nnue::features::{Mirroring, Outputs};

    fn trained() -> Trainer {
        let shape =
            Shape { attack_buckets: true, threat_units: 32, ..Shape::new(32, Mirroring::Wings, Outputs::Rooks) };
        let mut samples = Samples::default();
        samples.add(0, 0, Sample::new(&Position::start(), 30, 2));
        let mut trainer = Trainer::new(Model::new(shape, 300.0, 1));
        trainer.epoch(&samples, &Schedule::default(), &Crew::new(1).expect("a thread"), |_, _| true);
        trainer
    }

    #[test]
    fn a_run_goes_on_from_its_file() {
        let trainer = trained();
        assert_eq!(Trainer::decode(&trainer.encode(true)), Ok(trainer));
    }

    #[test]
    fn files_of_older_versions_are_read() {
        let mut trainer = trained();
        let threats = trainer.model.threats();
        trainer.model.parameters.drain(threats);
        trainer.model.shape.threat_units = 0;
        trainer.model.parameters.drain(..3 * trainer.shared[0].len());
        trainer.model.shape.attack_buckets = false;
        let trainer = Trainer::new(trainer.model);
        for (version, missing) in [(3, 20..21), (2, 19..21)] {
            let mut old = trainer.encode(false);
            old.truncate(old.len() - 8);
            old[8..10].copy_from_slice(&u16::to_le_bytes(version));
            assert!(old.drain(missing).all(|byte| byte == 0));
            let sum = fnv(&old);
            old.extend(sum.to_le_bytes());
            assert_eq!(Trainer::decode(&old).as_ref(), Ok(&trainer));
        }
    }

    #[test]
    fn a_network_of_an_unsupported_size_is_refused() {
        let with_size = |hidden: u16, king_bucket: u8, threat_blocks: u8| {
            let mut bytes = trained().encode(false);
            bytes.truncate(bytes.len() - 8);
            bytes[10..12].copy_from_slice(&hidden.to_le_bytes());
            bytes[13] = king_bucket;
            bytes[20] = threat_blocks;
            let sum = fnv(&bytes);
            bytes.extend(sum.to_le_bytes());
            Trainer::decode(&bytes).map(|_| ())
        };
        assert_eq!(with_size(32, 0, 1), Ok(()));
        for (hidden, king_bucket, threat_blocks) in [(0, 0, 0), (33, 0, 1), (48, 0, 1), (32, 6, 1), (32, 0, 2)] {
            let refused = with_size(hidden, king_bucket, threat_blocks);
            assert_eq!(refused, Err(BadCheckpoint::Size), "{hidden} {king_bucket} {threat_blocks}");
        }
    }

    #[test]
    fn the_start_of_another_run_has_no_moments() {
        let trainer = trained();
        let bytes = trainer.encode(false);
        let start = Trainer::decode(&bytes).expect("what was written");
        assert_eq!((start.model, start.steps), (trainer.model, 0));
        assert!(start.moments[0].iter().all(|number| *number == 0.0));
    }

    #[test]
    fn the_file_beside_the_network_that_plays_is_the_same_network() {
        let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/chuhe.float"))
            .expect("a file of the repository");
        let trainer = Trainer::decode(&bytes).expect("a checkpoint of the current version");
        let plays = embedded().expect("the program has a network");
        assert_eq!(trainer.model.quantised().map(|network| network.hash()), Ok(plays.hash()));
    }

    #[test]
    fn damage_is_named() {
        let bytes = trained().encode(true);
        assert!(Trainer::decode(b"").is_err() && Trainer::decode(&[0; 200]).is_err());
        for cut in [0, 7, 9, 20, 60, 1000, bytes.len() - 1] {
            assert!(Trainer::decode(&bytes[..cut]).is_err());
        }
        let mut changed = bytes.clone();
        changed[1000] ^= 4;
        assert_eq!(Trainer::decode(&changed), Err(BadCheckpoint::Checksum));
    }
}
