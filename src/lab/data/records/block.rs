//! Blocks: consecutive games in one entropy code.

use super::coder::{Bit, Coder, Decoder, Encoder, Number, Tree};
use super::game::{GameFault, MAX_PLIES, Ply, TrainingRecord};
use super::header::{CHECKSUM, MAX_GAMES};
use super::opinion::{Opinion, ScoreHistory};
use super::policy::Policy;
use crate::data::end::RecordedEnd;
use chuhe_board::rules::Outcome;
use chuhe_board::{Piece, Position, Setup, Side, Square};
use chuhe_engine::bytes::{Fields, crc32};

/// Length of a block's header in bytes: the number of games, 0, and the length of the code.
pub(super) const BLOCK_HEAD: usize = 8;
/// Upper bound on the length of a block's code, in bytes.
const MAX_CODE: usize = MAX_GAMES * MAX_PLIES * 64;
/// Upper bound on the length of a block in bytes.
pub(super) const MAX_BLOCK: usize = BLOCK_HEAD + MAX_CODE + CHECKSUM;
/// Symbol of an empty square; the symbol of a piece is its index.
const EMPTY: u8 = 14;
const RESULTS: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];

/// Encodes games as a block.
///
/// # Errors
/// Returns an error if a game has an illegal move, no moves or too many moves.
pub(super) fn encode(games: &[TrainingRecord]) -> Result<Vec<u8>, GameFault> {
    let (mut coder, mut model) = (Encoder::default(), SymbolModel::default());
    for game in games {
        model.game(&mut coder, Some(game))?;
    }
    let code = coder.finish();
    let mut bytes = Vec::with_capacity(BLOCK_HEAD + code.len() + CHECKSUM);
    bytes.extend((games.len() as u16).to_le_bytes());
    bytes.extend([0; 2]);
    bytes.extend((code.len() as u32).to_le_bytes());
    bytes.extend(code);
    bytes.extend(crc32(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Returns the number of bytes after the header of a block.
///
/// # Errors
/// Returns an error if the header is invalid.
pub(super) fn length(head: [u8; BLOCK_HEAD]) -> Result<usize, GameFault> {
    let mut fields = Fields::new(&head);
    let (Some(games), Some(0), Some(length)) = (fields.u16(), fields.u16(), fields.u32()) else {
        return Err(GameFault::BlockChecksum);
    };
    let is_block =
        (1..=MAX_GAMES).contains(&usize::from(games)) && length as usize <= MAX_CODE && length.is_multiple_of(4);
    if is_block { Ok(length as usize + CHECKSUM) } else { Err(GameFault::BlockChecksum) }
}

/// Returns `true` if `bytes` begin with a complete block.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let head = bytes.first_chunk().copied();
    let length = head.and_then(|head| length(head).ok()).map(|rest| BLOCK_HEAD + rest);
    let block = length.and_then(|length| bytes.get(..length)?.split_last_chunk::<CHECKSUM>());
    block.is_some_and(|(body, sum)| u32::from_le_bytes(*sum) == crc32(body))
}

/// Decodes the games in a complete block.
///
/// # Errors
/// Returns an error if the checksum is wrong or the code is invalid.
pub(super) fn decode(bytes: &[u8]) -> Result<Vec<TrainingRecord>, GameFault> {
    let (body, sum) = bytes.split_at(bytes.len().saturating_sub(CHECKSUM));
    if body.len() < BLOCK_HEAD || Fields::new(sum).u32() != Some(crc32(body)) {
        return Err(GameFault::BlockChecksum);
    }
    let (mut coder, mut model) = (Decoder::new(&body[BLOCK_HEAD..]), SymbolModel::default());
    let count = Fields::new(body).u16().unwrap_or(0);
    (0..count).map(|_| model.game(&mut coder, None)).collect()
}

/// Adaptive probabilities of all symbols in a block, reset at its start.
struct SymbolModel {
    /// Flags of a game: random ending, played out, Black begins.
    flags: [Bit; 3],
    /// Pieces by square, separately for ordinary games and random endings.
    squares: Vec<[Tree<16>; 2]>,
    quiet_plies: Number,
    random_plies: Tree<256>,
    ends: Tree<256>,
    /// Results by end.
    results: Vec<Tree<4>>,
    lengths: Number,
    opinion: Opinion,
    policy: Policy,
}

impl Default for SymbolModel {
    fn default() -> SymbolModel {
        SymbolModel {
            flags: Default::default(),
            squares: vec![Default::default(); 90],
            quiet_plies: Number::default(),
            random_plies: Tree::default(),
            ends: Tree::default(),
            results: vec![Tree::default(); 256],
            lengths: Number::default(),
            opinion: Opinion::default(),
            policy: Policy::default(),
        }
    }
}

impl SymbolModel {
    /// Encodes or decodes a game; `given` is `None` when decoding.
    fn game(&mut self, coder: &mut impl Coder, given: Option<&TrainingRecord>) -> Result<TrainingRecord, GameFault> {
        let starts_in_endgame = self.flags[0].code(coder, given.is_some_and(|game| game.starts_in_endgame))?;
        let played_out = self.flags[1].code(coder, given.is_some_and(|game| game.played_out))?;
        let start = self.start(coder, given.map(|game| &game.start), starts_in_endgame)?;
        let random_plies = self.random_plies.code(coder, given.map_or(0, |game| game.random_plies))?;
        let number = self.ends.code(coder, given.map_or(0, |game| game.end.number()))?;
        let end = RecordedEnd::of_number(number).ok_or(GameFault::UnknownEnd)?;
        let known = given.and_then(|game| RESULTS.iter().position(|result| *result == game.result));
        let result = self.results[usize::from(number)].code(coder, known.unwrap_or(0) as u8)?;
        let result = *RESULTS.get(usize::from(result)).ok_or(GameFault::UnknownEnd)?;
        let count = self.lengths.code(coder, given.map_or(0, |game| game.plies.len() as i32))?;
        let count =
            usize::try_from(count).ok().filter(|count| (1..=MAX_PLIES).contains(count)).ok_or(GameFault::Code)?;
        let (mut position, mut history, mut past) = (start.clone(), ScoreHistory::BEGIN, Vec::new());
        let mut plies = Vec::with_capacity(count);
        for number in 0..count {
            let ply = given.map(|game| game.plies[number]);
            let score = self.opinion.code(coder, &mut history, ply.map_or(0, |ply| ply.score))?;
            let mv = self.policy.code(coder, &position, &mut past, ply.map(|ply| ply.mv))?;
            plies.push(Ply { mv, score });
            position.make(mv);
        }
        Ok(TrainingRecord { start, random_plies, starts_in_endgame, played_out, plies, result, end })
    }

    fn start(
        &mut self,
        coder: &mut impl Coder,
        given: Option<&Position>,
        starts_in_endgame: bool,
    ) -> Result<Position, GameFault> {
        let is_black = self.flags[2].code(coder, given.is_some_and(|start| start.side() == Side::Black))?;
        let quiet_plies = self.quiet_plies.code(coder, given.map_or(0, |start| start.quiet_plies().into()))?;
        let quiet_plies = u16::try_from(quiet_plies).map_err(|_| GameFault::Code)?;
        let side = if is_black { Side::Black } else { Side::Red };
        let mut setup = Setup { side, quiet_plies, ..Setup::empty() };
        for square in Square::ALL {
            let piece = given.and_then(|start| start.piece_on(square)).map_or(EMPTY, |piece| piece.index() as u8);
            let tree = &mut self.squares[square.index()][usize::from(starts_in_endgame)];
            setup.board[square.index()] = Piece::ALL.get(usize::from(tree.code(coder, piece)?)).copied();
        }
        Position::new(&setup).map_err(GameFault::of_start)
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::records;
    use super::*;
    use chuhe_engine::bytes::fnv;

    #[test]
    fn games_come_out_as_they_went_in() {
        for count in [1, 2, 40] {
            let games = records(count as u64, count);
            let block = encode(&games).expect("legal games");
            assert_eq!(decode(&block), Ok(games));
            let head = block[..BLOCK_HEAD].try_into().expect("a head");
            assert_eq!(length(head), Ok(block.len() - BLOCK_HEAD));
        }
    }

    #[test]
    fn scores_of_any_size_come_out_as_they_went_in() {
        let extremes =
            [i16::MIN, i16::MAX, 0, 1, -1, 20_000, -20_001, 29_998, -29_997, 29_996, i16::MIN, i16::MIN, 0, 0];
        let mut game = records(2, 1).remove(0);
        for (number, ply) in game.plies.iter_mut().enumerate() {
            ply.score = extremes[number % extremes.len()];
        }
        let games = vec![game];
        assert_eq!(decode(&encode(&games).expect("legal games")), Ok(games));
    }

    #[test]
    fn an_illegal_move_is_not_written() {
        let mut game = records(3, 1).remove(0);
        game.plies[0].mv = "e0e9".parse().expect("a move");
        assert_eq!(encode(&[game]), Err(GameFault::Move(1)));
    }

    /// Existing files must remain readable, so the encoding must not change. It depends on the features, the
    /// move order and the probabilities.
    #[test]
    fn the_code_of_known_games_never_changes() {
        let block = encode(&records(11, 20)).expect("legal games");
        assert_eq!((block.len(), fnv(&block)), (6716, 17_522_489_020_502_031_545));
    }
}
