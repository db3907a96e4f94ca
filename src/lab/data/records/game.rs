//! A game as a training record: its starting position, each move with its score, and its end.

use super::header::CHECKSUM;
use crate::data::end::RecordedEnd;
use chuhe_board::rules::{Game, Outcome, Terms, Verdict, judge};
use chuhe_board::score::Score;
use chuhe_board::{Impossible, Move, Piece, Position, Setup, Side, Square};
use chuhe_engine::bytes::{Fields, crc32};
use thiserror::Error;

/// Length of a game's header in bytes.
pub(super) const GAME_HEAD: usize = 36;
/// Maximum length of a game in plies.
pub const MAX_PLIES: usize = 1000;
/// Maximum length of a game in bytes.
pub(super) const MAX_GAME_BYTES: u64 = (GAME_HEAD + 4 * MAX_PLIES + CHECKSUM) as u64;

/// A move and its search score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Move.
    pub mv: Move,
    /// Score of the search, from the mover's point of view.
    pub score: i16,
}

/// A game.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingRecord {
    /// Position after the random opening. Its move number is not stored and is always 1.
    pub start: Position,
    /// Number of random plies before the starting position.
    pub random_plies: u8,
    /// `true` if the starting position is a random ending.
    pub starts_in_endgame: bool,
    /// `true` if adjudication by scores was disabled.
    pub played_out: bool,
    /// Moves; at least one.
    pub plies: Vec<Ply>,
    /// Result for Red.
    pub result: Outcome,
    /// Reason for the end.
    pub end: RecordedEnd,
}

/// A position in a game, for training.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedPosition {
    /// Position.
    pub position: Position,
    /// Move played.
    pub mv: Move,
    /// Score of the search, from the mover's point of view.
    pub score: Score,
    /// Result of the game for the mover.
    pub result: Outcome,
    /// Number of plies since the starting position of the record.
    pub ply: usize,
}

impl RecordedPosition {
    /// Returns `true` if the move is a capture.
    pub(crate) fn is_capture(&self) -> bool {
        self.position.piece_on(self.mv.to).is_some()
    }
}

impl TrainingRecord {
    /// Returns the game as bytes with its checksum.
    pub fn encode(&self) -> Vec<u8> {
        debug_assert!((1..=MAX_PLIES).contains(&self.plies.len()));
        let mut bytes = Vec::with_capacity(GAME_HEAD + 4 * self.plies.len() + CHECKSUM);
        let (mut squares, mut pieces) = (0u128, 0u128);
        for (number, square) in self.start.occupancy().all().into_iter().enumerate() {
            squares |= 1 << square.index();
            pieces |= self.start.piece_on(square).map_or(0, |piece| piece.index() as u128) << (4 * number);
        }
        bytes.extend(&squares.to_le_bytes()[..12]);
        bytes.extend(pieces.to_le_bytes());
        let (starts_in_endgame, played_out) = (u8::from(self.starts_in_endgame), u8::from(self.played_out));
        let result = self.result.half_points();
        let state = self.start.side().index() as u8 | result << 1 | starts_in_endgame << 3 | played_out << 4;
        let quiet_plies = self.start.quiet_plies().min(255) as u8;
        bytes.extend([state, self.end.number(), quiet_plies, self.random_plies]);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        bytes.extend([0; 2]);
        let mut position = self.start.clone();
        for ply in &self.plies {
            bytes.extend(pack(&position, ply.mv).to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
            position.make(ply.mv);
        }
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes a game whose checksum is correct. The starting position and all moves must be legal, and all
    /// flags correct.
    pub(super) fn decode(bytes: &[u8]) -> Result<TrainingRecord, GameFault> {
        let mut fields = Fields::new(bytes);
        let cut = || GameFault::Unfinished;
        let mut wide = [0; 16];
        wide[..12].copy_from_slice(&fields.take::<12>().ok_or_else(cut)?);
        let squares = u128::from_le_bytes(wide);
        let mut pieces = u128::from_le_bytes(fields.take().ok_or_else(cut)?);
        let [state, end, quiet_plies, random_plies] = fields.take().ok_or_else(cut)?;
        let side = if state & 1 == 0 { Side::Red } else { Side::Black };
        let mut setup = Setup { side, quiet_plies: u16::from(quiet_plies), ..Setup::empty() };
        for square in Square::ALL.into_iter().filter(|square| squares >> square.index() & 1 != 0) {
            setup.board[square.index()] = Piece::ALL.get((pieces & 15) as usize).copied();
            pieces >>= 4;
        }
        let start = Position::new(&setup).map_err(GameFault::of_start)?;
        let result = [Outcome::Loss, Outcome::Draw, Outcome::Win].get(usize::from(state >> 1 & 3)).copied();
        let (Some(result), Some(end)) = (result, RecordedEnd::of_number(end)) else {
            return Err(GameFault::UnknownEnd);
        };
        let (count, _) = fields.u16().zip(fields.u16()).ok_or_else(cut)?;
        let mut position = start.clone();
        let mut plies = Vec::with_capacity(usize::from(count));
        for number in 1..=usize::from(count) {
            let (packed, score) = fields.u16().zip(fields.i16()).ok_or_else(cut)?;
            let square = |shift: u16| Square::ALL.get(usize::from(packed >> shift & 127)).copied();
            let mv = square(0).zip(square(7)).map(|(from, to)| Move::new(from, to));
            let Some(mv) = mv.filter(|&mv| position.is_legal(mv) && pack(&position, mv) == packed) else {
                return Err(GameFault::Move(number));
            };
            plies.push(Ply { mv, score });
            position.make(mv);
        }
        let (starts_in_endgame, played_out) = (state & 8 != 0, state & 16 != 0);
        Ok(TrainingRecord { start, random_plies, starts_in_endgame, played_out, plies, result, end })
    }

    /// Returns the positions of the game, in order.
    pub fn samples(&self) -> impl Iterator<Item = RecordedPosition> + '_ {
        let mut position = self.start.clone();
        self.plies.iter().enumerate().map(move |(number, ply)| {
            let before = position.clone();
            position.make(ply.mv);
            let result = self.result.seen_from(before.side());
            RecordedPosition { position: before, mv: ply.mv, score: ply.score.into(), result, ply: number }
        })
    }

    /// Replays the game with the referee; returns an error unless the game ends at its last ply, as recorded.
    pub fn check(&self, terms: Terms) -> Result<(), WrongEnd> {
        let mut game = Game::new(self.start.clone());
        for (number, ply) in self.plies.iter().enumerate() {
            if let Verdict::Over(_, reason) = judge(&game, terms) {
                return Err(WrongEnd::Early(number, RecordedEnd::Referee(reason)));
            }
            game.make(ply.mv);
        }
        let judged = match judge(&game, terms) {
            Verdict::Open => None,
            Verdict::Over(outcome, reason) => Some((outcome.seen_from(game.position().side()), reason)),
        };
        match (judged, self.end) {
            (Some((outcome, reason)), RecordedEnd::Referee(recorded))
                if (outcome, reason) == (self.result, recorded) =>
            {
                Ok(())
            }
            (None, RecordedEnd::Referee(recorded)) => Err(WrongEnd::Open(RecordedEnd::Referee(recorded))),
            (Some((outcome, reason)), _) => Err(WrongEnd::Different(RecordedEnd::Referee(reason), outcome)),
            (None, RecordedEnd::DrawnByScore | RecordedEnd::TooLong) if self.result != Outcome::Draw => {
                Err(WrongEnd::NotDrawn(self.end))
            }
            (None, _) => Ok(()),
        }
    }
}

/// Packs a move with flags for check and capture.
fn pack(position: &Position, mv: Move) -> u16 {
    let capture = position.piece_on(mv.to).is_some();
    mv.from as u16 | (mv.to as u16) << 7 | u16::from(position.in_check()) << 14 | u16::from(capture) << 15
}

/// Difference between the recorded end of a game and the referee's verdict.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WrongEnd {
    /// The game was over after this ply, before its last ply.
    #[error("it was over after ply {0} by {1}")]
    Early(usize, RecordedEnd),
    /// The game was not over at its last ply, although it was recorded to end by the rules.
    #[error("it did not end by {0}")]
    Open(RecordedEnd),
    /// The game ended by the rules, with this result for Red, but was recorded differently.
    #[error("it ended by {0}, {1:?} for Red, not as recorded")]
    Different(RecordedEnd, Outcome),
    /// The reason implies a draw, but a different result was recorded.
    #[error("it ended as {0}, but not as a draw")]
    NotDrawn(RecordedEnd),
}

/// Reason why the bytes in a file are not a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameFault {
    /// The file ends within the game, because its writer was stopped.
    #[error("an unfinished game")]
    Unfinished,
    /// The file ends within the block, because its writer was stopped.
    #[error("in an unfinished block")]
    UnfinishedBlock,
    /// The bytes are damaged or not a game.
    #[error("a game whose checksum is wrong")]
    Checksum,
    /// The bytes are damaged or not a block.
    #[error("in a block whose checksum is wrong")]
    BlockChecksum,
    /// The code of a block is invalid.
    #[error("in a block that cannot be decoded")]
    Code,
    /// The starting position is illegal; contains the reason.
    #[error("illegal starting position: {0}")]
    Start(String),
    /// Number of a move, from 1, that is illegal or has wrong flags.
    #[error("an illegal move, number {0}")]
    Move(usize),
    /// Unknown result or reason.
    #[error("an unknown result")]
    UnknownEnd,
    /// The system could not read the file.
    #[error("{0}")]
    System(String),
}

impl GameFault {
    /// Returns the fault for an impossible starting position, with its first reason.
    pub(super) fn of_start(reasons: Vec<Impossible>) -> GameFault {
        GameFault::Start(reasons.first().map(ToString::to_string).unwrap_or_default())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use chuhe_board::random::SplitMix64;
    use chuhe_board::rules::{Reason, RuleSet};

    /// Returns random moves with random scores, up to a mate or `most` plies.
    fn random_record(random: &mut SplitMix64, most: u64) -> TrainingRecord {
        let start = Position::start();
        let mut game = Game::new(start.clone());
        let mut plies = Vec::new();
        let most = 1 + random.below(most);
        let mut ended = (Outcome::Draw, RecordedEnd::DrawnByScore);
        while (plies.len() as u64) < most {
            let moves = game.position().legal_moves();
            let mv = moves[random.below(moves.len() as u64) as usize];
            plies.push(Ply { mv, score: random.below(60_001) as i16 });
            game.make(mv);
            if let Verdict::Over(outcome, reason) = judge(&game, RuleSet::Chinese) {
                let result = outcome.seen_from(game.position().side());
                ended = (result, RecordedEnd::Referee(reason));
                break;
            }
        }
        let (random_plies, starts_in_endgame) = (random.below(11) as u8, random.below(2) == 1);
        TrainingRecord {
            start,
            random_plies,
            starts_in_endgame,
            played_out: !starts_in_endgame,
            plies,
            result: ended.0,
            end: ended.1,
        }
    }

    /// Returns random games.
    pub(crate) fn records(seed: u64, count: usize) -> Vec<TrainingRecord> {
        let mut random = SplitMix64::new(seed);
        (0..count).map(|_| random_record(&mut random, 300)).collect()
    }

    #[test]
    fn samples_carry_the_result_of_their_mover() {
        let record = TrainingRecord { result: Outcome::Win, end: RecordedEnd::Resigned, ..records(3, 1).remove(0) };
        let samples: Vec<RecordedPosition> = record.samples().collect();
        assert_eq!(samples.len(), record.plies.len());
        assert_eq!(samples[0].position, record.start);
        for (number, (sample, ply)) in samples.iter().zip(&record.plies).enumerate() {
            assert_eq!((sample.mv, sample.score, sample.ply), (ply.mv, Score::from(ply.score), number));
            let wins = sample.position.side() == Side::Red;
            assert_eq!(sample.result, if wins { Outcome::Win } else { Outcome::Loss });
        }
    }

    #[test]
    fn a_wrong_end_is_noticed() {
        let terms = RuleSet::Chinese.terms();
        let record = TrainingRecord { end: RecordedEnd::Referee(Reason::Mate), ..records(9, 1).remove(0) };
        let record = TrainingRecord { plies: record.plies[..1].to_vec(), ..record };
        assert_eq!(record.check(terms), Err(WrongEnd::Open(RecordedEnd::Referee(Reason::Mate))));
        let record = TrainingRecord { end: RecordedEnd::DrawnByScore, result: Outcome::Win, ..record };
        assert!(record.check(terms).is_err());
        let mut game = Game::from_fen("4k4/9/9/9/9/9/9/9/R8/1R1K5 w").expect("a position");
        let start = game.position().clone();
        let moves = ["a1a8", "e9f9", "b0b9"];
        game.play_text(moves).expect("a mate");
        let plies: Vec<Ply> = moves.iter().map(|mv| Ply { mv: mv.parse().expect("a move"), score: 0 }).collect();
        let record = TrainingRecord { start, plies, result: Outcome::Win, end: RecordedEnd::Resigned, ..record };
        assert!(record.check(terms).is_err());
        assert_eq!(TrainingRecord { end: RecordedEnd::Referee(Reason::Mate), ..record }.check(terms), Ok(()));
    }
}
