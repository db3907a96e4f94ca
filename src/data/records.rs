//! Games as training records: whole games, four bytes a ply, a checksum each. `docs/7-training.md` has the layout as a table.
//!
//! A file is a [`Header`] and then game after game. It only grows at its end, so whatever stops a writer, the games before are whole;
//! [`Reader`] hands them out, each checked and replayed, and says where and why it had to stop.

use super::adjudication::Adjudication;
use crate::board::{Move, Piece, Position, Setup, Side, Square};
use crate::rules::{Game, Offence, Outcome, Reason, RuleSet, Terms, Verdict, judge};
use crate::score::Score;
use std::fmt;
use std::io::{self, Read};

const MAGIC: [u8; 4] = *b"XQDG";
const VERSION: u16 = 1;
/// Bytes of a file's head.
pub const HEADER_SIZE: usize = 64;
/// Bytes of a game before its plies.
const GAME_HEAD: usize = 36;
const CHECKSUM: usize = 4;
/// The longest game, in plies.
pub const MOST_PLIES: usize = 1000;
/// Bytes of the longest game.
pub const LONGEST_GAME: u64 = (GAME_HEAD + 4 * MOST_PLIES + CHECKSUM) as u64;

/// How the games of a file were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Decides every game of the file, together with the number of the file and of the game.
    pub seed: u64,
    /// The number of the file in its run.
    pub file: u16,
    /// The signature of the engine: what it counts in a small bench.
    pub engine: u32,
    /// The hash of the network that evaluated; 0 is the hand-written evaluation.
    pub network: u64,
    /// Nodes after which a move's search begins no new iteration.
    pub nodes: u32,
    /// Nodes that a move's search never exceeds.
    pub most_nodes: u32,
    /// The rules of the games.
    pub terms: Terms,
    /// Random plies at the start of a game: least and most.
    pub random_plies: [u8; 2],
    /// A start is dropped if its score lies beyond this.
    pub opening_score: i16,
    /// How many games of 100 begin with a random ending.
    pub endings: u8,
    /// How many games of 100 are played out, without adjudication.
    pub played_out: u8,
    /// How the others are ended by their scores.
    pub adjudication: Adjudication,
}

impl Header {
    /// The bytes at the start of a file.
    pub fn encode(&self) -> [u8; HEADER_SIZE] {
        let Adjudication {
            win_score,
            win_plies,
            resign_score,
            resign_moves,
            draw_score,
            draw_plies,
            draw_from,
            draw_quiet,
        } = self.adjudication;
        let rules = RuleSet::ALL.into_iter().position(|rules| rules == self.terms.rules).unwrap_or_default();
        let mut bytes = Vec::with_capacity(HEADER_SIZE);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.file.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.engine.to_le_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.most_nodes.to_le_bytes());
        bytes.extend(self.network.to_le_bytes());
        bytes.extend([rules as u8, self.terms.folds as u8]);
        bytes.extend(self.terms.natural_limit.to_le_bytes());
        bytes.extend(self.terms.free_checks.to_le_bytes());
        bytes.extend(self.random_plies);
        bytes.extend(self.opening_score.to_le_bytes());
        bytes.extend([self.endings, self.played_out]);
        bytes.extend(win_score.to_le_bytes());
        bytes.extend([win_plies, resign_moves]);
        bytes.extend(resign_score.to_le_bytes());
        bytes.extend(draw_score.to_le_bytes());
        bytes.extend([draw_plies, draw_quiet]);
        bytes.extend(draw_from.to_le_bytes());
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes.try_into().unwrap_or_else(|_| unreachable!("the fields of a header are 64 bytes"))
    }

    /// What the bytes at the start of a file say; a message if they are not a header of this version.
    pub fn decode(bytes: &[u8; HEADER_SIZE]) -> Result<Header, String> {
        let mut fields = Fields(bytes);
        if fields.take() != MAGIC {
            return Err("not a file of training records".to_owned());
        }
        let version = fields.u16();
        if version != VERSION {
            return Err(format!("training records of version {version}, which this program can't read"));
        }
        if u32::from_le_bytes(Fields(&bytes[HEADER_SIZE - CHECKSUM..]).take())
            != checksum(&bytes[..HEADER_SIZE - CHECKSUM])
        {
            return Err("the head of the file is damaged".to_owned());
        }
        let file = fields.u16();
        let (seed, engine, nodes, most_nodes, network) =
            (fields.u64(), fields.u32(), fields.u32(), fields.u32(), fields.u64());
        let [rules, folds] = fields.take();
        let rules = RuleSet::ALL.get(usize::from(rules)).copied().ok_or("unknown rules in the head of the file")?;
        let terms =
            Terms { rules, folds: usize::from(folds).max(2), natural_limit: fields.u16(), free_checks: fields.u16() };
        let random_plies = fields.take();
        let opening_score = fields.i16();
        let [endings, played_out] = fields.take();
        let win_score = fields.i16();
        let [win_plies, resign_moves] = fields.take();
        let (resign_score, draw_score) = (fields.i16(), fields.i16());
        let [draw_plies, draw_quiet] = fields.take();
        let draw_from = fields.u16();
        let adjudication = Adjudication {
            win_score,
            win_plies,
            resign_score,
            resign_moves,
            draw_score,
            draw_plies,
            draw_from,
            draw_quiet,
        };
        Ok(Header {
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
            played_out,
            adjudication,
        })
    }
}

/// Little-endian fields, one after the other; past the end they are 0.
struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((taken, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *taken
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}

/// Why a game of the records ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rules.
    Referee(Reason),
    /// A side was winning for long enough.
    WonByScore,
    /// The game was level for long enough.
    DrawnByScore,
    /// The loser's position was hopeless.
    Resigned,
    /// It had [`MOST_PLIES`]: a draw.
    TooLong,
}

/// Every end by its number in the records; gaps are left where a new reason may belong.
const ENDS: [(u8, End); 17] = [
    (1, End::Referee(Reason::Mate)),
    (2, End::Referee(Reason::Stalemate)),
    (3, End::Referee(Reason::NaturalLimit)),
    (4, End::Referee(Reason::NoAttackers)),
    (8, End::Referee(Reason::Repetition)),
    (9, End::Referee(Reason::PerpetualCheck(Side::Red))),
    (10, End::Referee(Reason::PerpetualCheck(Side::Black))),
    (11, End::Referee(Reason::PerpetualChase(Side::Red))),
    (12, End::Referee(Reason::PerpetualChase(Side::Black))),
    (13, End::Referee(Reason::PerpetualAttack(Side::Red))),
    (14, End::Referee(Reason::PerpetualAttack(Side::Black))),
    (15, End::Referee(Reason::MutualOffence(Offence::Check))),
    (16, End::Referee(Reason::MutualOffence(Offence::Attack))),
    (32, End::WonByScore),
    (33, End::DrawnByScore),
    (34, End::Resigned),
    (35, End::TooLong),
];

impl End {
    fn number(self) -> u8 {
        ENDS.into_iter().find(|(_, end)| *end == self).map_or(0, |(number, _)| number)
    }

    fn of_number(number: u8) -> Option<End> {
        ENDS.into_iter().find(|(known, _)| *known == number).map(|(_, end)| end)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let by = |offence: &str, side: &Side| format!("{offence} by {}", side.name());
        f.write_str(&match self {
            End::Referee(Reason::Mate) => "mate".to_owned(),
            End::Referee(Reason::Stalemate) => "stalemate".to_owned(),
            End::Referee(Reason::NaturalLimit) => "natural limit".to_owned(),
            End::Referee(Reason::NoAttackers) => "no attackers left".to_owned(),
            End::Referee(Reason::Repetition) => "repetition".to_owned(),
            End::Referee(Reason::PerpetualCheck(side)) => by("perpetual check", side),
            End::Referee(Reason::PerpetualChase(side)) => by("perpetual chase", side),
            End::Referee(Reason::PerpetualAttack(side)) => by("perpetual attack", side),
            End::Referee(Reason::MutualOffence(Offence::Check)) => "perpetual check by both".to_owned(),
            End::Referee(Reason::MutualOffence(_)) => "perpetual attack by both".to_owned(),
            End::WonByScore => "won by score".to_owned(),
            End::DrawnByScore => "drawn by score".to_owned(),
            End::Resigned => "resigned".to_owned(),
            End::TooLong => "too long".to_owned(),
        })
    }
}

/// A move and what its player thought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move that was played.
    pub mv: Move,
    /// The score of the search, from the mover's view.
    pub score: i16,
}

/// A whole game.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The position after the random opening. Its move number is 1: that is not kept.
    pub start: Position,
    /// Random plies before it.
    pub random_plies: u8,
    /// The start is a random ending.
    pub ending: bool,
    /// The game was not ended by its scores, whatever they were.
    pub played_out: bool,
    /// At least one.
    pub plies: Vec<Ply>,
    /// For Red.
    pub result: Outcome,
    /// Why it ended.
    pub end: End,
}

/// A position of a game, for training.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// The move that was played.
    pub mv: Move,
    /// What the search said, from the mover's view.
    pub score: Score,
    /// How the game ended for the mover.
    pub result: Outcome,
    /// Plies since the start of the record.
    pub ply: usize,
}

impl Sample {
    /// Whether the move takes something.
    pub fn is_capture(&self) -> bool {
        self.position.piece_on(self.mv.to).is_some()
    }
}

impl Record {
    /// The game in bytes, with its checksum.
    pub fn encode(&self) -> Vec<u8> {
        debug_assert!((1..=MOST_PLIES).contains(&self.plies.len()));
        let mut bytes = Vec::with_capacity(GAME_HEAD + 4 * self.plies.len() + CHECKSUM);
        let (mut squares, mut pieces) = (0u128, 0u128);
        for (number, square) in self.start.occupancy().all().into_iter().enumerate() {
            squares |= 1 << square.index();
            pieces |= self.start.piece_on(square).map_or(0, |piece| piece.index() as u128) << (4 * number);
        }
        bytes.extend(&squares.to_le_bytes()[..12]);
        bytes.extend(pieces.to_le_bytes());
        let result = match self.result {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        };
        let state =
            self.start.side().index() as u8 | result << 1 | u8::from(self.ending) << 3 | u8::from(self.played_out) << 4;
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
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a game whose checksum is right: the start must be possible, every move legal and every flag true.
    fn decode(bytes: &[u8]) -> Result<Record, Fault> {
        let mut fields = Fields(bytes);
        let mut wide = [0; 16];
        wide[..12].copy_from_slice(&fields.take::<12>());
        let squares = u128::from_le_bytes(wide);
        let mut pieces = u128::from_le_bytes(fields.take());
        let [state, end, quiet_plies, random_plies] = fields.take();
        let side = if state & 1 == 0 { Side::Red } else { Side::Black };
        let mut setup = Setup { side, quiet_plies: u16::from(quiet_plies), ..Setup::empty() };
        for square in Square::ALL.into_iter().filter(|square| squares >> square.index() & 1 != 0) {
            setup.board[square.index()] = Piece::ALL.get((pieces & 15) as usize).copied();
            pieces >>= 4;
        }
        let impossible = |reasons: Vec<_>| Fault::Start(reasons.first().map(ToString::to_string).unwrap_or_default());
        let start = Position::new(&setup).map_err(impossible)?;
        let result = [Outcome::Loss, Outcome::Draw, Outcome::Win].get(usize::from(state >> 1 & 3)).copied();
        let (Some(result), Some(end)) = (result, End::of_number(end)) else { return Err(Fault::UnknownEnd) };
        let count = fields.u16();
        fields.u16();
        let mut position = start.clone();
        let mut plies = Vec::with_capacity(usize::from(count));
        for number in 1..=usize::from(count) {
            let (packed, score) = (fields.u16(), fields.i16());
            let square = |shift: u16| Square::ALL.get(usize::from(packed >> shift & 127)).copied();
            let mv = square(0).zip(square(7)).map(|(from, to)| Move::new(from, to));
            let Some(mv) = mv.filter(|&mv| position.is_legal(mv) && pack(&position, mv) == packed) else {
                return Err(Fault::Move(number));
            };
            plies.push(Ply { mv, score });
            position.make(mv);
        }
        let (ending, played_out) = (state & 8 != 0, state & 16 != 0);
        Ok(Record { start, random_plies, ending, played_out, plies, result, end })
    }

    /// The positions of the game, in order.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        let mut position = self.start.clone();
        self.plies.iter().enumerate().map(move |(number, ply)| {
            let before = position.clone();
            position.make(ply.mv);
            let result = if before.side() == Side::Red { self.result } else { !self.result };
            Sample { position: before, mv: ply.mv, score: ply.score.into(), result, ply: number }
        })
    }

    /// Judges the game as it was played: it must go on until its last ply, and end there as the record says. A message if not.
    pub fn check(&self, terms: Terms) -> Result<(), String> {
        let mut game = Game::new(self.start.clone());
        for (number, ply) in self.plies.iter().enumerate() {
            if let Verdict::Over(_, reason) = judge(&game, terms) {
                return Err(format!("it was over after ply {number} by {}", End::Referee(reason)));
            }
            game.make(ply.mv);
        }
        let judged = match judge(&game, terms) {
            Verdict::Open => None,
            Verdict::Over(outcome, reason) if game.position().side() == Side::Red => Some((outcome, reason)),
            Verdict::Over(outcome, reason) => Some((!outcome, reason)),
        };
        match (judged, self.end) {
            (Some((outcome, reason)), End::Referee(recorded)) if (outcome, reason) == (self.result, recorded) => Ok(()),
            (None, End::Referee(recorded)) => Err(format!("it did not end by {}", End::Referee(recorded))),
            (Some((outcome, reason)), _) => {
                Err(format!("it ended by {}, {outcome:?} for Red, not as recorded", End::Referee(reason)))
            }
            (None, End::DrawnByScore | End::TooLong) if self.result != Outcome::Draw => {
                Err(format!("it ended as {}, and no draw", self.end))
            }
            (None, _) => Ok(()),
        }
    }
}

/// A move with what can be seen of it: in check, capture.
fn pack(position: &Position, mv: Move) -> u16 {
    let capture = position.piece_on(mv.to).is_some();
    mv.from as u16 | (mv.to as u16) << 7 | u16::from(position.in_check()) << 14 | u16::from(capture) << 15
}

/// Why a file could not be read on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The file ends before the game: its writer was stopped.
    Unfinished,
    /// Bytes have changed, or are no game.
    Checksum,
    /// The start is impossible: why.
    Start(String),
    /// This move, from 1, is illegal or its flags are wrong.
    Move(usize),
    /// The result or its reason is unknown.
    UnknownEnd,
    /// The system could not read the file.
    System(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Unfinished => f.write_str("an unfinished game"),
            Fault::Checksum => f.write_str("a game whose checksum is wrong"),
            Fault::Start(reason) => write!(f, "an impossible start: {reason}"),
            Fault::Move(number) => write!(f, "an illegal move, number {number}"),
            Fault::UnknownEnd => f.write_str("an unknown result"),
            Fault::System(error) => f.write_str(error),
        }
    }
}

/// Where and why reading stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The number of the game, from 1.
    pub game: u64,
    /// Its first byte in the file.
    pub at: u64,
    /// Bytes from there to the end of the file, which were skipped.
    pub skipped: u64,
    /// What is wrong.
    pub fault: Fault,
}

impl Damage {
    /// Whether it can be what a stopped writer left behind: no more than one game.
    pub fn is_tail(&self) -> bool {
        self.skipped <= LONGEST_GAME && !matches!(self.fault, Fault::System(_))
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Damage { game, at, skipped, fault } = self;
        write!(f, "game {game} at byte {at} is {fault}; {skipped} bytes skipped")
    }
}

/// Hands out the games of a file in order, and at last, if there is any, the damage that ends it.
pub struct Reader<R> {
    source: R,
    header: Header,
    /// Bytes of whole games and the head.
    whole: u64,
    games: u64,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the head; give it a buffered source. A message if the head is short or wrong.
    pub fn new(mut source: R) -> Result<Reader<R>, String> {
        let mut bytes = [0; HEADER_SIZE];
        let read = fill(&mut source, &mut bytes).map_err(|error| error.to_string())?;
        if read < HEADER_SIZE {
            return Err(format!("not a file of training records: it has only {read} bytes"));
        }
        let header = Header::decode(&bytes)?;
        Ok(Reader { source, header, whole: HEADER_SIZE as u64, games: 0, ended: false })
    }

    /// How the games were played.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The length of the file up to the last whole game that was read.
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// The next game and how many bytes it took; none at the end of the file, or the fault and how many bytes were read.
    fn read_game(&mut self) -> Result<Option<(Record, u64)>, (Fault, u64)> {
        let mut bytes = vec![0; GAME_HEAD];
        let system = |error: io::Error| (Fault::System(error.to_string()), 0);
        let read = fill(&mut self.source, &mut bytes).map_err(system)?;
        if read == 0 {
            return Ok(None);
        }
        if read < GAME_HEAD {
            return Err((Fault::Unfinished, read as u64));
        }
        let count = usize::from(Fields(&bytes[GAME_HEAD - 4..]).u16());
        if !(1..=MOST_PLIES).contains(&count) {
            return Err((Fault::Checksum, read as u64));
        }
        bytes.resize(GAME_HEAD + 4 * count + CHECKSUM, 0);
        let rest = fill(&mut self.source, &mut bytes[GAME_HEAD..]).map_err(system)?;
        let size = (GAME_HEAD + rest) as u64;
        if size < bytes.len() as u64 {
            return Err((Fault::Unfinished, size));
        }
        let (game, sum) = bytes.split_at(bytes.len() - CHECKSUM);
        if Fields(sum).u32() != checksum(game) {
            return Err((Fault::Checksum, size));
        }
        Record::decode(game).map(|record| Some((record, size))).map_err(|fault| (fault, size))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, Damage>;

    fn next(&mut self) -> Option<Result<Record, Damage>> {
        if self.ended {
            return None;
        }
        match self.read_game() {
            Ok(Some((record, size))) => {
                self.whole += size;
                self.games += 1;
                Some(Ok(record))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err((fault, read)) => {
                self.ended = true;
                let rest = io::copy(&mut self.source, &mut io::sink()).unwrap_or(0);
                Some(Err(Damage { game: self.games + 1, at: self.whole, skipped: read + rest, fault }))
            }
        }
    }
}

/// Reads until the buffer is full or the source ends; how much was read.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

static CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest & 1 == 0 { rest >> 1 } else { rest >> 1 ^ 0xEDB8_8320 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// CRC-32 as in zip and PNG.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum: u32, &byte| sum >> 8 ^ CRC_TABLE[usize::from(sum as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    fn header() -> Header {
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

    /// Random moves with random scores, up to a mate or so many plies.
    fn random_record(random: &mut SplitMix64, most: u64) -> Record {
        let start = Position::start();
        let mut game = Game::new(start.clone());
        let mut plies = Vec::new();
        let most = 1 + random.below(most);
        let mut ended = (Outcome::Draw, End::DrawnByScore);
        while (plies.len() as u64) < most {
            let moves = game.position().legal_moves();
            let mv = moves[random.below(moves.len() as u64) as usize];
            plies.push(Ply { mv, score: random.below(60_001) as i16 });
            game.make(mv);
            if let Verdict::Over(outcome, reason) = judge(&game, RuleSet::Chinese) {
                let result = if game.position().side() == Side::Red { outcome } else { !outcome };
                ended = (result, End::Referee(reason));
                break;
            }
        }
        let (random_plies, ending) = (random.below(11) as u8, random.below(2) == 1);
        Record { start, random_plies, ending, played_out: !ending, plies, result: ended.0, end: ended.1 }
    }

    fn file(records: &[Record]) -> Vec<u8> {
        let games = records.iter().flat_map(Record::encode);
        header().encode().into_iter().chain(games).collect()
    }

    fn read(bytes: &[u8]) -> (Vec<Record>, Option<Damage>) {
        let mut records = Vec::new();
        for item in Reader::new(bytes).expect("the head is whole") {
            match item {
                Ok(record) => records.push(record),
                Err(damage) => return (records, Some(damage)),
            }
        }
        (records, None)
    }

    fn records(seed: u64, count: usize) -> Vec<Record> {
        let mut random = SplitMix64::new(seed);
        (0..count).map(|_| random_record(&mut random, 300)).collect()
    }

    /// The check value of the catalogue of CRCs for CRC-32/ISO-HDLC.
    #[test]
    fn the_checksum_is_the_one_of_zip() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn games_come_out_as_they_went_in() {
        let records = records(1, 50);
        let bytes = file(&records);
        assert_eq!(read(&bytes), (records.clone(), None));
        assert_eq!(Reader::new(&bytes[..]).expect("a head").header(), &header());
        let plies: usize = records.iter().map(|record| record.plies.len()).sum();
        assert_eq!(bytes.len(), HEADER_SIZE + 40 * records.len() + 4 * plies);
        assert!(records.iter().all(|record| record.check(header().terms) == Ok(())));
    }

    #[test]
    fn every_end_has_its_number() {
        for (number, end) in ENDS {
            assert_eq!((end.number(), End::of_number(number)), (number, Some(end)));
            let record = Record { end, ..records(2, 1).remove(0) };
            assert_eq!(read(&file(std::slice::from_ref(&record))), (vec![record], None));
        }
        assert_eq!(End::of_number(0), None);
    }

    /// The numbers of the rule sets in files follow [`RuleSet::ALL`]: new ones come last.
    #[test]
    fn rule_sets_keep_their_numbers() {
        let names = RuleSet::ALL.map(RuleSet::name);
        assert_eq!(names, ["asian", "chinese", "league", "computer", "simple", "draw"]);
    }

    #[test]
    fn samples_carry_the_result_of_their_mover() {
        let record = Record { result: Outcome::Win, end: End::Resigned, ..records(3, 1).remove(0) };
        let samples: Vec<Sample> = record.samples().collect();
        assert_eq!(samples.len(), record.plies.len());
        assert_eq!(samples[0].position, record.start);
        for (number, (sample, ply)) in samples.iter().zip(&record.plies).enumerate() {
            assert_eq!((sample.mv, sample.score, sample.ply), (ply.mv, Score::from(ply.score), number));
            let wins = sample.position.side() == Side::Red;
            assert_eq!(sample.result, if wins { Outcome::Win } else { Outcome::Loss });
        }
    }

    #[test]
    fn wherever_a_file_is_cut_the_games_before_are_read() {
        let records = records(4, 3);
        let bytes = file(&records);
        let mut ends = vec![HEADER_SIZE];
        for record in &records {
            ends.push(ends[ends.len() - 1] + record.encode().len());
        }
        for cut in HEADER_SIZE..bytes.len() {
            let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
            let (read, damage) = read(&bytes[..cut]);
            assert_eq!(read, records[..whole]);
            match damage {
                None => assert!(ends.contains(&cut)),
                Some(damage) => {
                    let expected = (ends[whole] as u64, (cut - ends[whole]) as u64, Fault::Unfinished);
                    assert_eq!((damage.at, damage.skipped, damage.fault.clone()), expected);
                    assert!(damage.is_tail());
                }
            }
        }
        assert!((0..HEADER_SIZE).all(|cut| Reader::new(&bytes[..cut]).is_err()));
    }

    #[test]
    fn a_changed_bit_is_always_found() {
        let records = records(5, 4);
        let bytes = file(&records);
        let mut random = SplitMix64::new(6);
        for _ in 0..2_000 {
            let bit = random.below(8 * bytes.len() as u64);
            let mut changed = bytes.clone();
            changed[bit as usize / 8] ^= 1 << (bit % 8);
            if (bit as usize) < 8 * HEADER_SIZE {
                assert!(Reader::new(&changed[..]).is_err());
                continue;
            }
            let (read, damage) = read(&changed);
            assert!(read.len() < records.len() && read == records[..read.len()]);
            assert!(damage.is_some_and(|damage| damage.skipped > 0));
        }
    }

    #[test]
    fn garbage_is_refused_whatever_its_checksum() {
        let mut random = SplitMix64::new(7);
        let good = records(8, 1).remove(0).encode();
        for _ in 0..2_000 {
            let mut game = good[..good.len() - CHECKSUM].to_vec();
            let at = random.below(game.len() as u64) as usize;
            game[at] ^= 1 + random.below(255) as u8;
            let sum = checksum(&game).to_le_bytes();
            let bytes: Vec<u8> = header().encode().into_iter().chain(game).chain(sum).collect();
            // What is read is a game that can be written again; most changes make an illegal one.
            let (records, _) = read(&bytes);
            assert!(records.iter().all(|record| read(&file(std::slice::from_ref(record))).0[0] == *record));
        }
        let mut tail = file(&[]);
        tail.extend([0; 500]);
        let damage = read(&tail).1.expect("zeros are no game");
        assert!(damage.is_tail() && damage.fault == Fault::Checksum && damage.skipped == 500);
    }

    #[test]
    fn a_wrong_end_is_noticed() {
        let terms = header().terms;
        let record = Record { end: End::Referee(Reason::Mate), ..records(9, 1).remove(0) };
        let record = Record { plies: record.plies[..1].to_vec(), ..record };
        assert_eq!(record.check(terms), Err("it did not end by mate".to_owned()));
        let record = Record { end: End::DrawnByScore, result: Outcome::Win, ..record };
        assert!(record.check(terms).is_err());
        let mut game = Game::from_fen("4k4/9/9/9/9/9/9/9/R8/1R1K5 w").expect("a position");
        let start = game.position().clone();
        let moves = ["a1a8", "e9f9", "b0b9"];
        game.play_text(moves).expect("a mate");
        let plies: Vec<Ply> = moves.iter().map(|mv| Ply { mv: mv.parse().expect("a move"), score: 0 }).collect();
        let record = Record { start, plies, result: Outcome::Win, end: End::Resigned, ..record };
        assert!(record.check(terms).is_err());
        assert_eq!(Record { end: End::Referee(Reason::Mate), ..record }.check(terms), Ok(()));
    }
}
