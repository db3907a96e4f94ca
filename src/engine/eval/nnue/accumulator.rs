//! The accumulator: hidden units of both perspectives, updated lazily.
//!
//! For a move, only its changes are recorded. When a score is requested, the changes since the last computed
//! units are applied, one perspective at a time. If a move changes the mirroring or the bucket of a perspective,
//! its changes cannot be applied. The units are then refreshed: they are computed from the last
//! position with the same mirroring and bucket by adding and removing the pieces that differ. Threats are added
//! for each score (`threat_units`).

use super::features::{Mirroring, Perspective, attackers, input};
use super::network::Network;
use super::simd::{Block, SimdLevel, add, moved, remove, taken};
use super::threat_units::ThreatUnits;
use chuhe_board::{Bitboard, Kind, Move, Piece, Position, Side, Square};
use std::sync::Arc;

/// Initial capacity in plies.
const USUAL_PLIES: usize = 32;

/// Inputs changed by a move.
#[derive(Clone, Copy, Debug)]
struct Change {
    piece: Piece,
    from: Square,
    to: Square,
    captured: Option<Piece>,
}

/// One ply of the current line.
#[derive(Clone, Copy, Debug)]
struct Ply {
    /// Move that led to this ply; `None` at the root.
    change: Option<Change>,
    /// Mirror weight of each side.
    mirror_weights: [i64; 2],
    /// Perspective of each side.
    views: [Perspective; 2],
    /// `true` for each side whose units are up to date.
    known: [bool; 2],
    /// `true` if the sums of the threats' weights are up to date.
    threats_known: bool,
}

/// The last position with a given mirroring and bucket in one perspective, and its units.
#[derive(Clone, Debug)]
struct CachedPosition {
    pieces: [Bitboard; 14],
    units: Vec<Block>,
}

/// Hidden units of both sides along a line of moves.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    network: Arc<Network>,
    level: SimdLevel,
    plies: Vec<Ply>,
    /// Hidden units by ply, side and unit.
    units: Vec<Block>,
    /// Cached positions by side and view.
    cache: [Vec<CachedPosition>; 2],
    /// `None` if the network has no threats.
    threat_units: Option<Box<ThreatUnits>>,
}

impl Accumulator {
    pub(crate) fn new(network: Arc<Network>, level: SimdLevel) -> Accumulator {
        let fresh = CachedPosition { pieces: [Bitboard::EMPTY; 14], units: network.bias().to_vec() };
        let views = vec![fresh; 2 * network.shape().bucket_count()];
        let units = vec![Block::ZERO; USUAL_PLIES * 2 * network.width()];
        let plies = Vec::with_capacity(USUAL_PLIES);
        let threat_units = (network.threat_width() > 0).then(|| Box::new(ThreatUnits::new(&network, USUAL_PLIES)));
        let cache = [views.clone(), views];
        Accumulator { network, level, plies, units, cache, threat_units }
    }

    pub(crate) fn network(&self) -> &Network {
        &self.network
    }

    pub(crate) fn level(&self) -> SimdLevel {
        self.level
    }

    /// Starts a new line.
    pub(crate) fn reset(&mut self, position: &Position) {
        let shape = self.network.shape();
        let mirror_weights = Side::ALL.map(|side| shape.mirror_weight_of(side, position));
        let views = Side::ALL.map(|side| shape.view_of(side, position));
        self.plies.clear();
        self.plies.push(Ply { change: None, mirror_weights, views, known: [false; 2], threats_known: false });
    }

    /// Records a move about to be made in `before`.
    pub(crate) fn push(&mut self, before: &Position, mv: Move) {
        let (Some(piece), Some(&last)) = (before.piece_on(mv.from), self.plies.last()) else {
            debug_assert!(false, "a move from an empty square, or no position");
            return;
        };
        let captured = before.piece_on(mv.to);
        let shape = self.network.shape();
        let change = Some(Change { piece, from: mv.from, to: mv.to, captured });
        let mut ply = Ply { change, known: [false; 2], threats_known: false, ..last };
        // If only kings and attackers determine a side's view, most moves leave the views unchanged.
        let takes_attacker =
            || captured.is_some_and(|captured| matches!(captured.kind(), Kind::Rook | Kind::Horse | Kind::Cannon));
        let changes_views = shape.mirroring == Mirroring::Wings
            || piece.kind() == Kind::King
            || (shape.attack_buckets && takes_attacker());
        let sides: &[Side] = if changes_views { &Side::ALL } else { &[] };
        for &side in sides {
            let mirror_weight = &mut ply.mirror_weights[side.index()];
            *mirror_weight += shape.mirror_weight(side, piece, mv.to) - shape.mirror_weight(side, piece, mv.from);
            if let Some(captured) = captured {
                *mirror_weight -= shape.mirror_weight(side, captured, mv.to);
            }
            let king = if before.king(side) == mv.from { mv.to } else { before.king(side) };
            ply.views[side.index()] =
                shape.view(side, king, *mirror_weight, attackers(before, side, Bitboard::of(mv.to)));
        }
        self.plies.push(ply);
        let needed = self.plies.len() * 2 * self.network.width();
        if self.units.len() < needed {
            self.units.resize(2 * needed, Block::ZERO);
            if let Some(threat_units) = &mut self.threat_units {
                threat_units.reserve(2 * self.plies.len());
            }
        }
    }

    /// Reverts the last move.
    pub(crate) fn take_back(&mut self) {
        self.plies.pop();
    }

    /// Brings the units of both perspectives up to date with the position.
    pub(crate) fn update(&mut self, position: &Position) {
        let last = self.plies.len() - 1;
        for side in Side::ALL {
            if !self.plies[last].known[side.index()] {
                match self.last_known(side, last) {
                    Some(known) => (known + 1..=last).for_each(|ply| self.apply(side, ply)),
                    None => self.refresh(side, last, position),
                }
            }
        }
        let Some(threat_units) = &mut self.threat_units else { return };
        if !self.plies[last].threats_known {
            let mirrored = self.plies[last].views.map(|view| view.mirrored);
            let known = last_known_threats(&self.plies);
            threat_units.update(&self.network, self.level, (position, last), mirrored, known);
            self.plies[last].threats_known = true;
        }
        let both = &self.units[2 * last * self.network.width()..];
        threat_units.connect(&self.network, self.level, last, both);
    }

    /// Returns the units of a side's perspective, after [`Self::update`]: those connected to the threats, and
    /// the others.
    pub(crate) fn units(&self, side: Side) -> [&[Block]; 2] {
        let width = self.network.width();
        let units = &self.units[(2 * (self.plies.len() - 1) + side.index()) * width..][..width];
        match &self.threat_units {
            Some(threat_units) => [threat_units.units(side), &units[self.network.threat_width()..]],
            None => [&[], units],
        }
    }

    /// Returns the last ply whose units are up to date, if mirroring and bucket have not changed since then.
    fn last_known(&self, side: Side, last: usize) -> Option<usize> {
        let view = self.plies[last].views[side.index()];
        let plies = self.plies[..last].iter().rev().take_while(|ply| ply.views[side.index()] == view);
        let back = plies.enumerate().find(|(_, ply)| ply.known[side.index()]);
        back.map(|(back, _)| last - 1 - back)
    }

    /// Computes the units of a ply from the units of the previous ply.
    fn apply(&mut self, side: Side, ply: usize) {
        let width = self.network.width();
        let Ply { change, views, .. } = self.plies[ply];
        let Some(Change { piece, from, to, captured }) = change else { return };
        let row = |piece, square| self.network.row(input(side, views[side.index()], piece, square));
        let (before, after) = self.units.split_at_mut(2 * ply * width);
        let before = &before[(2 * (ply - 1) + side.index()) * width..][..width];
        let after = &mut after[side.index() * width..][..width];
        match captured {
            None => moved(self.level, after, before, row(piece, to), row(piece, from)),
            Some(captured) => taken(self.level, after, before, row(piece, to), row(piece, from), row(captured, to)),
        }
        self.plies[ply].known[side.index()] = true;
    }

    /// Computes the units of the last ply from the last position with the same mirroring and bucket.
    fn refresh(&mut self, side: Side, last: usize, position: &Position) {
        let width = self.network.width();
        let view = self.plies[last].views[side.index()];
        let CachedPosition { pieces, units } = &mut self.cache[side.index()][view.index()];
        for piece in Piece::ALL {
            let now = position.pieces(piece.side(), piece.kind());
            let before = std::mem::replace(&mut pieces[piece.index()], now);
            for square in before & !now {
                remove(self.level, units, self.network.row(input(side, view, piece, square)));
            }
            for square in now & !before {
                add(self.level, units, self.network.row(input(side, view, piece, square)));
            }
        }
        self.units[(2 * last + side.index()) * width..][..width].copy_from_slice(units);
        self.plies[last].known[side.index()] = true;
    }
}

/// Returns the last ply before the current one whose sums of the threats' weights are up to date, if the
/// mirroring has not changed since then, and the squares that have changed. Without such a ply, all squares have
/// changed.
fn last_known_threats(plies: &[Ply]) -> (Option<usize>, Bitboard) {
    let mirrored = |ply: &Ply| ply.views.map(|view| view.mirrored);
    let mut changed = Bitboard::EMPTY;
    for (before, pair) in plies.array_windows().enumerate().rev() {
        let [ply, next] = pair;
        if mirrored(ply) != mirrored(next) {
            break;
        }
        if let Some(Change { from, to, .. }) = next.change {
            changed = changed.with(from).with(to);
        }
        if ply.threats_known {
            return (Some(before), changed);
        }
    }
    (None, Bitboard::ALL)
}
