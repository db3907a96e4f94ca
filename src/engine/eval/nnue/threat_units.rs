//! Sums of the threats' weights along a line of moves. Those of a position are updated from an earlier position
//! of the line.

use super::network::Network;
use super::simd::{Block, Rows, SimdLevel, add_and_remove, sum};
use super::threats::{Attacked, MAX_THREATS, ThreatIndices};
use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Piece, Position, Side};

/// Threats by their index in the perspectives of Red and of Black.
type Threats = ArrayVec<[u16; 2], MAX_THREATS>;

/// A position whose sums are known.
#[derive(Clone, Debug)]
struct EvaluatedPosition {
    board: [Option<Piece>; 90],
    attacked: Attacked,
}

/// Hidden units connected to the threats, in both perspectives.
#[derive(Clone, Debug)]
pub(super) struct ThreatUnits {
    /// An empty board, then the positions by ply.
    line: Vec<EvaluatedPosition>,
    /// Sums of the threats' weights by position in `line`, side and unit.
    sums: Vec<Block>,
    added: Threats,
    removed: Threats,
    /// By side: the units that are connected to the threats, after the last update.
    units: [Vec<Block>; 2],
}

impl ThreatUnits {
    pub(super) fn new(network: &Network, plies: usize) -> ThreatUnits {
        let zeros = vec![Block::ZERO; network.threat_width()];
        let mut threat_units = ThreatUnits {
            line: vec![EvaluatedPosition { board: [None; 90], attacked: Attacked::NONE }],
            sums: zeros.repeat(2),
            added: Threats::new(),
            removed: Threats::new(),
            units: [zeros.clone(), zeros],
        };
        threat_units.reserve(plies);
        threat_units
    }

    /// Makes room for lines of this many plies.
    pub(super) fn reserve(&mut self, plies: usize) {
        let per_position = self.sums.len() / self.line.len();
        self.line.resize(plies + 1, self.line[0].clone());
        self.sums.resize((plies + 1) * per_position, Block::ZERO);
    }

    /// Computes the sums of a position. They are updated from those of the earlier ply `known`, after which only
    /// the `changed` squares have changed; without one, from the empty board.
    pub(super) fn update(
        &mut self,
        network: &Network,
        level: SimdLevel,
        (position, ply): (&Position, usize),
        mirrored: [bool; 2],
        (known, changed): (Option<usize>, Bitboard),
    ) {
        let (from, to) = (known.map_or(0, |ply| ply + 1), ply + 1);
        let (before, after) = self.line.split_at_mut(to);
        before[from].advance(
            position,
            changed,
            ThreatIndices::of(mirrored),
            &mut self.added,
            &mut self.removed,
            &mut after[0],
        );
        let width = network.threat_width();
        let (before, after) = self.sums.split_at_mut(2 * width * to);
        let sums = before[2 * width * from..].chunks_exact(width).zip(after.chunks_exact_mut(width)).take(2);
        for (side, (before, after)) in sums.enumerate() {
            let rows = Rows { all: network.threats(), added: &self.added, removed: &self.removed, side };
            add_and_remove(level, after, before, rows);
        }
    }

    /// Computes the connected units of a ply whose sums are known, given the sums of the other inputs' weights:
    /// Red's hidden units, then Black's.
    pub(super) fn connect(&mut self, network: &Network, level: SimdLevel, ply: usize, without_threats: &[Block]) {
        let width = network.threat_width();
        let sums = self.sums[2 * width * (ply + 1)..].chunks_exact(width);
        let without_threats = without_threats.chunks_exact(network.width());
        for ((units, sums), without_threats) in self.units.iter_mut().zip(sums).zip(without_threats) {
            sum(level, units, sums, &without_threats[..width]);
        }
    }

    /// Returns the units of a side's perspective that are connected to the threats, after [`Self::connect`].
    pub(super) fn units(&self, side: Side) -> &[Block] {
        &self.units[side.index()]
    }
}

impl EvaluatedPosition {
    /// Computes a later position, and the added and removed threats.
    #[inline]
    fn advance(
        &self,
        position: &Position,
        changed: Bitboard,
        indices: &ThreatIndices,
        added: &mut Threats,
        removed: &mut Threats,
        after: &mut EvaluatedPosition,
    ) {
        let pieces = |piece: Piece| position.pieces(piece.side(), piece.kind());
        after.board = *position.board();
        after.attacked = self.attacked;
        after.attacked.update(position.occupancy(), pieces, changed);
        added.clear();
        removed.clear();
        for (attacker, (before, now)) in self.attacked.0.iter().zip(&after.attacked.0).enumerate() {
            let (before, now) = (before.squares, now.squares);
            let same = before & now & !changed;
            for (squares, board, threats) in [(before, &self.board, &mut *removed), (now, &after.board, &mut *added)] {
                for square in squares & !same {
                    let Some(victim) = board[square.index()] else { continue };
                    threats.push(indices.get(attacker, victim, square));
                }
            }
        }
    }
}
