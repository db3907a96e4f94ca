//! Header of a record file: the conditions under which its games were played.

use crate::data::adjudication::Adjudication;
use chuhe_board::rules::{RuleSet, Terms};
use chuhe_engine::bytes::{Fields, crc32};
use thiserror::Error;

/// Signature of a record file.
pub const MAGIC: [u8; 4] = *b"XQDG";
/// Maximum number of games per block.
pub(super) const MAX_GAMES: usize = 256;
/// Length of a checksum of the header, of a block or of a game, in bytes.
pub(super) const CHECKSUM: usize = 4;
/// Length of the header in bytes.
pub const HEADER_SIZE: usize = 64;
/// Flag added to the percentage of played-out games if tablebases end the other games.
const BY_TABLES: u8 = 1 << 7;
/// Number of games per block times nodes per move. A game has about 100 moves, so a block takes about 40
/// million nodes, or about a minute on one core.
const BLOCK_EFFORT: usize = 400_000;

/// Encoding of the games in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Single games with four bytes per ply, the encoding of older versions.
    Plain,
    /// Blocks with an entropy code.
    Coded,
}

impl Encoding {
    /// Returns the version of files with this encoding.
    const fn version(self) -> u16 {
        match self {
            Encoding::Plain => 1,
            Encoding::Coded => 2,
        }
    }
}

/// Conditions under which the games in a file were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Seed of the run. Together with the numbers of file and game, it determines every game.
    pub seed: u64,
    /// Number of the file in its run.
    pub file: u16,
    /// Signature of the engine: the node count of a small bench.
    pub engine: u32,
    /// Hash of the network; 0 for the hand-written evaluation.
    pub network: u64,
    /// Nodes per move after which no new iteration starts.
    pub nodes: u32,
    /// Maximum number of nodes per move.
    pub most_nodes: u32,
    /// Rules of the games.
    pub terms: Terms,
    /// Minimum and maximum number of random plies at the start of a game.
    pub random_plies: [u8; 2],
    /// Maximum absolute score of a starting position.
    pub opening_score: i16,
    /// Percentage of games that begin with a random ending.
    pub endings: u8,
    /// Percentage of games that are played out, without adjudication.
    pub played_out: u8,
    /// Adjudication of the other games.
    pub adjudication: Adjudication,
}

/// Reason why the beginning of a file is not a usable header.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HeaderError {
    /// The file has a different signature.
    #[error("not a file of training records")]
    Foreign,
    /// The file has only this many bytes.
    #[error("not a file of training records: it has only {0} bytes")]
    Short(usize),
    /// Unsupported version.
    #[error("record version {0} is not supported")]
    Version(u16),
    /// Wrong checksum.
    #[error("the header of the file is damaged")]
    Checksum,
    /// Unknown number of a rule set.
    #[error("unknown rules in the header of the file")]
    Rules,
    /// The system could not read the file.
    #[error("{0}")]
    System(String),
}

impl Header {
    /// Returns the bytes of the header for a file with this encoding.
    pub fn encode(&self, encoding: Encoding) -> [u8; HEADER_SIZE] {
        let Adjudication {
            win_score,
            win_plies,
            resign_score,
            resign_moves,
            draw_score,
            draw_plies,
            draw_from,
            draw_quiet,
            tables,
        } = self.adjudication;
        let rules = RuleSet::ALL.into_iter().position(|rules| rules == self.terms.rules);
        let rules = rules.expect("every rule set is listed");
        debug_assert!(self.terms.folds() <= usize::from(u8::MAX), "{} folds", self.terms.folds());
        let mut bytes = Vec::with_capacity(HEADER_SIZE);
        bytes.extend(MAGIC);
        bytes.extend(encoding.version().to_le_bytes());
        bytes.extend(self.file.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.engine.to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.most_nodes.to_le_bytes());
        bytes.extend(self.network.to_le_bytes());
        bytes.extend([rules as u8, self.terms.folds() as u8]);
        bytes.extend(self.terms.natural_limit.to_le_bytes());
        bytes.extend(self.terms.free_checks.to_le_bytes());
        bytes.extend(self.random_plies);
        bytes.extend(self.opening_score.to_le_bytes());
        bytes.extend([self.endings, self.played_out | if tables { BY_TABLES } else { 0 }]);
        bytes.extend(win_score.to_le_bytes());
        bytes.extend([win_plies, resign_moves]);
        bytes.extend(resign_score.to_le_bytes());
        bytes.extend(draw_score.to_le_bytes());
        bytes.extend([draw_plies, draw_quiet]);
        bytes.extend(draw_from.to_le_bytes());
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes.try_into().unwrap_or_else(|_| unreachable!("the fields of a header are 64 bytes"))
    }

    /// Returns the maximum number of games per block. A killed run loses at most one block per file, so
    /// blocks are smaller if searches are longer.
    pub(crate) fn games_per_block(&self) -> usize {
        (BLOCK_EFFORT / self.nodes.max(1) as usize).clamp(8, MAX_GAMES)
    }

    /// Parses the bytes of a header. Returns an error if they are not the header of a supported version.
    pub(crate) fn decode(bytes: &[u8; HEADER_SIZE]) -> Result<(Header, Encoding), HeaderError> {
        let mut fields = Fields::new(bytes);
        if fields.take() != Some(MAGIC) {
            return Err(HeaderError::Foreign);
        }
        let version = fields.u16().ok_or(HeaderError::Foreign)?;
        let known = [Encoding::Plain, Encoding::Coded].into_iter().find(|encoding| encoding.version() == version);
        let encoding = known.ok_or(HeaderError::Version(version))?;
        let (body, sum) = bytes.split_at(HEADER_SIZE - CHECKSUM);
        if Fields::new(sum).u32() != Some(crc32(body)) {
            return Err(HeaderError::Checksum);
        }
        let header = Header::read(&mut fields).ok_or(HeaderError::Rules)?;
        Ok((header, encoding))
    }

    /// Reads the fields after the version; `None` if the rules are unknown.
    fn read(fields: &mut Fields) -> Option<Header> {
        let file = fields.u16()?;
        let (seed, engine, nodes, most_nodes, network) =
            (fields.u64()?, fields.u32()?, fields.u32()?, fields.u32()?, fields.u64()?);
        let [rules, folds] = fields.take()?;
        let rules = RuleSet::ALL.get(usize::from(rules)).copied()?;
        let terms = rules
            .terms()
            .with_folds(usize::from(folds))
            .with_natural_limit(fields.u16()?)
            .with_free_checks(fields.u16()?);
        let random_plies = fields.take()?;
        let opening_score = fields.i16()?;
        let [endings, played_out] = fields.take()?;
        let win_score = fields.i16()?;
        let [win_plies, resign_moves] = fields.take()?;
        let (resign_score, draw_score) = (fields.i16()?, fields.i16()?);
        let [draw_plies, draw_quiet] = fields.take()?;
        let draw_from = fields.u16()?;
        let adjudication = Adjudication {
            win_score,
            win_plies,
            resign_score,
            resign_moves,
            draw_score,
            draw_plies,
            draw_from,
            draw_quiet,
            tables: played_out & BY_TABLES != 0,
        };
        Some(Header {
            seed,
            file,
            engine,
            network,
            nodes,
            most_nodes,
            terms,
            random_plies,
            opening_score,
            endings,
            played_out: played_out & !BY_TABLES,
            adjudication,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a header in which every field differs from the default.
    pub(crate) fn header() -> Header {
        Header {
            seed: 0x0123_4567_89AB_CDEF,
            file: 3,
            engine: 4321,
            network: 99,
            nodes: 1500,
            most_nodes: 12_000,
            terms: RuleSet::Chinese.terms(),
            random_plies: [4, 10],
            opening_score: 300,
            endings: 10,
            played_out: 5,
            adjudication: Adjudication::default(),
        }
    }

    #[test]
    fn a_header_comes_out_as_it_went_in() {
        for encoding in [Encoding::Plain, Encoding::Coded] {
            assert_eq!(Header::decode(&header().encode(encoding)), Ok((header(), encoding)));
        }
    }

    /// The numbers of the rule sets in files follow [`RuleSet::ALL`], so new rule sets must be added at the
    /// end.
    #[test]
    fn rule_sets_keep_their_numbers() {
        let names = RuleSet::ALL.map(RuleSet::name);
        assert_eq!(names, ["asian", "chinese", "league", "computer", "simple", "draw"]);
    }
}
