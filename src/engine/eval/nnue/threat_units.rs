//! Sums of the threats' weights, updated from those of the last evaluated position.

use super::features::Perspective;
use super::network::Network;
use super::simd::{Block, SimdLevel, add, add_and_remove};
use super::threats::{Attacked, MAX_THREATS, ThreatIndices};
use arrayvec::ArrayVec;
use chuhe_board::{Bitboard, Piece, Position, Side};

/// Threats by their index in the perspectives of Red and of Black.
type Threats = ArrayVec<[u16; 2], MAX_THREATS>;

/// The last evaluated position with given mirrorings of both perspectives.
#[derive(Clone, Debug)]
struct LastPosition {
    board: [Option<Piece>; 90],
    pieces: [Bitboard; 14],
    attacked: Attacked,
    /// Sums of the threats' weights by side.
    units: [Vec<Block>; 2],
}

/// Hidden units connected to the threats, in both perspectives.
#[derive(Clone, Debug)]
pub(super) struct ThreatUnits {
    /// By the mirroring of Red and of Black.
    last: [[LastPosition; 2]; 2],
    added: Threats,
    removed: Threats,
    /// By side: the units that are connected to the threats, after the last update.
    units: [Vec<Block>; 2],
}

impl ThreatUnits {
    pub(super) fn new(network: &Network) -> ThreatUnits {
        let zeros = vec![Block::ZERO; network.threat_width()];
        let last = LastPosition {
            board: [None; 90],
            pieces: [Bitboard::EMPTY; 14],
            attacked: Attacked::NONE,
            units: [zeros.clone(), zeros.clone()],
        };
        let black = [last.clone(), last];
        ThreatUnits {
            last: [black.clone(), black],
            added: Threats::new(),
            removed: Threats::new(),
            units: [zeros.clone(), zeros],
        }
    }

    /// Computes the units of a position, given the perspectives of both sides, and the sums of the other inputs'
    /// weights: Red's hidden units, then Black's.
    pub(super) fn update(
        &mut self,
        network: &Network,
        level: SimdLevel,
        position: &Position,
        views: [Perspective; 2],
        without_threats: &[Block],
    ) {
        let mirrored = views.map(|view| view.mirrored);
        let ThreatUnits { last, added, removed, units } = self;
        let last = &mut last[usize::from(mirrored[0])][usize::from(mirrored[1])];
        last.replace(position, ThreatIndices::of(mirrored), added, removed);
        let without_threats = without_threats.chunks(network.width());
        for (side, (units, without_threats)) in units.iter_mut().zip(without_threats).enumerate() {
            add_and_remove(level, &mut last.units[side], network.threats(), added, removed, side);
            units.copy_from_slice(&without_threats[..network.threat_width()]);
            add(level, units, &last.units[side]);
        }
    }

    /// Returns the units of a side's perspective that are connected to the threats, after [`Self::update`].
    pub(super) fn units(&self, side: Side) -> &[Block] {
        &self.units[side.index()]
    }
}

impl LastPosition {
    /// Replaces the position and computes the added and removed threats.
    #[inline]
    fn replace(&mut self, position: &Position, indices: &ThreatIndices, added: &mut Threats, removed: &mut Threats) {
        let attacked = Attacked::of(position.occupancy(), |piece| position.pieces(piece.side(), piece.kind()));
        let mut changed = Bitboard::EMPTY;
        for (piece, before) in Piece::ALL.into_iter().zip(&mut self.pieces) {
            let now = position.pieces(piece.side(), piece.kind());
            changed |= *before ^ now;
            *before = now;
        }
        added.clear();
        removed.clear();
        for (attacker, (&before, &now)) in self.attacked.0.iter().zip(&attacked.0).enumerate() {
            let same = before & now & !changed;
            for (squares, board, threats) in
                [(before, &self.board, &mut *removed), (now, position.board(), &mut *added)]
            {
                for square in squares & !same {
                    let Some(victim) = board[square.index()] else { continue };
                    threats.push(indices.get(attacker, victim, square));
                }
            }
        }
        self.attacked = attacked;
        self.board = *position.board();
    }
}
