//! Tablebase probing.

use super::file::{Table, TableFault};
use super::{Content, Folder, Index, Material, PERPETUAL, inside};
use chuhe_board::rules::Outcome;
use chuhe_board::{Kind, Move, Position, Side};
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// Value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// Win, draw or loss, ignoring the natural limit.
    pub outcome: Outcome,
    /// Plies to the next capture or mate; `None` for draws and for wins by perpetual check.
    pub capture: Option<u16>,
    /// Plies to mate; `None` for draws, and if perpetual check may end the game earlier.
    pub mate: Option<u16>,
    /// Plies until the losing side must give perpetual check or lose in another way; `None` if the line ends
    /// with mate or a capture.
    pub perpetual: Option<u16>,
    /// `true` if no repetition rule can change the outcome; `false` for draws in which both sides have
    /// attackers, since a perpetual chase may decide them.
    pub is_certain: bool,
}

impl ProbeResult {
    const MATED: ProbeResult =
        ProbeResult { outcome: Outcome::Loss, capture: Some(0), mate: Some(0), perpetual: None, is_certain: true };

    /// Returns the value, for the mover, of a move that leads to a position with this value.
    fn before(self, captures: bool) -> ProbeResult {
        let later = |plies: Option<u16>| plies.map(|plies| plies + 1);
        ProbeResult {
            outcome: !self.outcome,
            capture: if captures { self.capture.or(self.perpetual).map(|_| 1) } else { later(self.capture) },
            mate: later(self.mate),
            perpetual: later(self.perpetual).filter(|_| !captures),
            is_certain: self.is_certain,
        }
    }
}

/// Maximum number of unpacked blocks in the cache.
const KEPT_BLOCKS: usize = 512;

/// Tables of one or more folders, opened on first use, and the embedded tables.
#[derive(Debug)]
pub struct Tables {
    folders: Vec<Folder>,
    most_pieces: u32,
    most_attackers: u32,
    open: Mutex<TableCache>,
    kept: Mutex<BlockCache>,
    hits: AtomicU64,
}

/// Tables requested so far; `None` for missing tables.
type TableCache = HashMap<(Material, Content), Option<Arc<Opened>>>;

#[derive(Debug)]
struct Opened {
    table: Table,
    index: Index,
}

/// Cache of unpacked blocks. The block that was read first is discarded first.
#[derive(Debug, Default)]
struct BlockCache {
    blocks: HashMap<(Material, Content, usize), Arc<Vec<u8>>>,
    order: VecDeque<(Material, Content, usize)>,
}

/// Uses only the embedded tables.
impl Default for Tables {
    fn default() -> Tables {
        Tables::with(Vec::new(), Vec::new())
    }
}

/// Rank of a move among the moves in a position; the best move has the lowest rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Outcome for the mover: [`WINS`], [`DRAWS`] or [`LOSES`].
    class: u8,
    /// Plies to a capture or mate, or [`PERPETUAL`] plus the plies to a perpetual check; if the mover loses,
    /// minus the plies to mate.
    distance: i32,
    /// `true` if the move gives check although the mover wins by the opponent's perpetual check.
    checks: bool,
}

const WINS: u8 = 0;
const DRAWS: u8 = 1;
const LOSES: u8 = 2;

/// Returns the sort key of a move's value, lower for better moves.
fn order(answer: Option<ProbeResult>) -> (u8, i32) {
    let Some(ProbeResult { outcome, capture, mate, perpetual, .. }) = answer else { return (2, 0) };
    match outcome {
        Outcome::Win => {
            let without_mate = || PERPETUAL + perpetual.or(capture).unwrap_or_default();
            (0, i32::from(mate.unwrap_or_else(without_mate)))
        }
        Outcome::Draw => (1, 0),
        Outcome::Loss => (3, -i32::from(mate.unwrap_or_default())),
    }
}

impl Tables {
    /// Opens the tables of these folders; if several folders contain an ending, the first one is used.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read.
    pub fn new(folders: Vec<Folder>) -> Result<Tables, TableFault> {
        let mut endings = Vec::new();
        for folder in &folders {
            endings.extend(folder.list()?);
        }
        Ok(Tables::with(folders, endings))
    }

    fn with(folders: Vec<Folder>, mut endings: Vec<Material>) -> Tables {
        endings.extend(inside::endings());
        let most = |count: fn(&Material) -> u32| endings.iter().map(count).max().unwrap_or_default();
        Tables {
            folders,
            most_pieces: most(Material::pieces),
            most_attackers: most(|ending| Side::ALL.map(|side| ending.attackers(side)).iter().sum()),
            open: Mutex::default(),
            kept: Mutex::default(),
            hits: AtomicU64::new(0),
        }
    }

    /// Opens the tables of folders whose paths are separated by `;`.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read.
    pub fn of_path(path: &Path) -> Result<Tables, TableFault> {
        let path = path.to_string_lossy();
        let names = path.split(';').map(str::trim).filter(|name| !name.is_empty());
        Tables::new(names.map(Folder::new).collect())
    }

    /// Returns the maximum number of pieces, including kings, of a position in the tables.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Returns `true` if a position has few enough pieces to be in a table. The search tests this at every
    /// node, but probes the tables much less often.
    #[inline]
    pub(crate) fn may_know(&self, position: &Position) -> bool {
        let attackers = |side| (position.major_pieces(side) | position.pieces(side, Kind::Pawn)).count();
        position.occupancy().all().count() <= self.most_pieces
            && attackers(Side::Red) + attackers(Side::Black) <= self.most_attackers
    }

    /// Returns the number of successful probes since the last reset.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// Resets the number of successful probes for a new search.
    pub(crate) fn forget_hits(&self) {
        self.hits.store(0, Relaxed);
    }

    /// Returns the best moves: the wins with the shortest distance to a capture or mate; without a win, all
    /// draws; otherwise the losses with the longest known distance to mate. Returns `None` if the position or
    /// a successor is not in the tables, or if a perpetual chase could change the result.
    ///
    /// # Errors
    /// Returns an error if a table is damaged or cannot be read.
    pub fn best_moves(&self, position: &Position) -> Result<Option<Vec<Move>>, TableFault> {
        if !self.may_know(position) {
            return Ok(None);
        }
        let mut ranked = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            let takes = after.make(mv).captured.is_some();
            let Some(answer) = self.answer(&after)? else { return Ok(None) };
            let rank = match answer.outcome {
                Outcome::Loss if takes => Rank { class: WINS, distance: 0, checks: false },
                Outcome::Loss => {
                    let perpetual = answer.perpetual.map(|plies| PERPETUAL + plies);
                    // Perpetual check loses only if the opponent does not give perpetual check as well.
                    let checks = perpetual.is_some() && after.in_check();
                    let distance = i32::from(perpetual.or(answer.capture).unwrap_or_default());
                    Rank { class: WINS, distance, checks }
                }
                Outcome::Draw => Rank { class: DRAWS, distance: 0, checks: false },
                Outcome::Win => {
                    Rank { class: LOSES, distance: -i32::from(answer.mate.unwrap_or_default()), checks: false }
                }
            };
            ranked.push((rank, mv));
        }
        let best = ranked.iter().map(|(rank, _)| *rank).min();
        // Unless there is a certain win, a perpetual chase may decide positions that are draws in the tables.
        if Material::of(position).both_attack() && best.is_none_or(|rank| rank.class != WINS) {
            return Ok(None);
        }
        Ok(Some(ranked.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, mv)| mv).collect()))
    }

    /// Returns the value of a position; `None` if there is no table of its ending.
    ///
    /// # Errors
    /// Returns an error if a table is damaged or cannot be read.
    pub fn answer(&self, position: &Position) -> Result<Option<ProbeResult>, TableFault> {
        let Some(outcome) = self.outcome(position)? else { return Ok(None) };
        if outcome == Outcome::Draw {
            let is_certain = !Material::of(position).both_attack();
            return Ok(Some(ProbeResult { outcome, capture: None, mate: None, perpetual: None, is_certain }));
        }
        if !position.has_moves() {
            return Ok(Some(ProbeResult::MATED));
        }
        let distance = |content| self.value(position, content).map(|found| found.map(|(_, value)| value));
        let (capture, mate) = (distance(Content::Capture)?, distance(Content::Mate)?);
        let within = |plies: Option<u16>| plies.filter(|plies| *plies < PERPETUAL);
        let perpetual = capture.and_then(|plies| plies.checked_sub(PERPETUAL));
        Ok(Some(ProbeResult { outcome, capture: within(capture), mate: within(mate), perpetual, is_certain: true }))
    }

    /// Returns every legal move with its value for the side to move, if known, best first: wins by distance
    /// to mate, then wins in which perpetual check may end the game; draws; unknown values; losses by distance
    /// to mate, longest first, then those without it.
    ///
    /// # Errors
    /// Returns an error if a table is damaged or cannot be read.
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, Option<ProbeResult>)>, TableFault> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            let takes = after.make(mv).captured.is_some();
            moves.push((mv, self.answer(&after)?.map(|answer| answer.before(takes))));
        }
        moves.sort_by_key(|(_, answer)| order(*answer));
        Ok(moves)
    }

    /// Returns the outcome; `None` if there is no table of the ending.
    ///
    /// # Errors
    /// Returns an error if a table is damaged or cannot be read.
    pub fn outcome(&self, position: &Position) -> Result<Option<Outcome>, TableFault> {
        let Some((opened, value)) = self.value(position, Content::Wins)? else {
            let outcome = inside::outcome(position);
            self.hits.fetch_add(u64::from(outcome.is_some()), Relaxed);
            return Ok(outcome);
        };
        self.hits.fetch_add(1, Relaxed);
        let (_, flipped) = Material::of(position).normal();
        let side = if flipped { !position.side() } else { position.side() };
        Ok(Some(opened.table.outcome(side, value)))
    }

    /// Returns the outcome under a natural limit of `limit` plies, including the plies already played without
    /// a capture: a win or a loss that takes longer is a draw. Returns `None` if it is unknown; draws in
    /// which both sides have attackers are also unknown, since a perpetual chase may decide them.
    ///
    /// # Errors
    /// Returns an error if a table is damaged or cannot be read.
    pub fn outcome_within(&self, position: &Position, limit: u16) -> Result<Option<Outcome>, TableFault> {
        let Some(outcome) = self.outcome(position)? else { return Ok(None) };
        if outcome == Outcome::Draw {
            return Ok((!Material::of(position).both_attack()).then_some(outcome));
        }
        let left = limit.saturating_sub(position.quiet_plies());
        let (material, _) = Material::of(position).normal();
        let longest = match self.opened(material, Content::Wins)? {
            Some(opened) => opened.table.header().longest.iter().map(|(plies, _)| *plies).max(),
            None => inside::longest(material),
        };
        if longest.is_none_or(|longest| longest <= left) {
            return Ok(Some(outcome));
        }
        let plies = self.value(position, Content::Capture)?.map(|(_, plies)| plies);
        Ok(plies.map(|plies| if plies <= left || plies >= PERPETUAL { outcome } else { Outcome::Draw }))
    }

    fn value(&self, position: &Position, content: Content) -> Result<Option<(Arc<Opened>, u16)>, TableFault> {
        let (material, flipped) = Material::of(position).normal();
        let Some(opened) = self.opened(material, content)? else { return Ok(None) };
        let number = opened.index.number(flipped, |side, kind| position.pieces(side, kind));
        let side = if flipped { !position.side() } else { position.side() };
        let (block, place) = opened.table.place(side, number);
        let bytes = self.block(&opened.table, block)?;
        let value = opened.table.value(&bytes, place);
        Ok(Some((opened, value)))
    }

    fn opened(&self, material: Material, content: Content) -> Result<Option<Arc<Opened>>, TableFault> {
        if self.folders.is_empty() {
            return Ok(None);
        }
        let mut open = lock(&self.open);
        if let Some(known) = open.get(&(material, content)) {
            return Ok(known.clone());
        }
        let folder = self.folders.iter().find(|folder| folder.file(material, content).is_file());
        let opened = match folder {
            Some(folder) => {
                let table = folder.open(material, content)?;
                Some(Arc::new(Opened { table, index: Index::new(material) }))
            }
            None => None,
        };
        open.insert((material, content), opened.clone());
        Ok(opened)
    }

    fn block(&self, table: &Table, number: usize) -> Result<Arc<Vec<u8>>, TableFault> {
        let key = (table.header().material, table.header().content, number);
        if let Some(block) = lock(&self.kept).blocks.get(&key) {
            return Ok(block.clone());
        }
        let block = Arc::new(table.block(number)?);
        let mut kept = lock(&self.kept);
        if kept.blocks.insert(key, block.clone()).is_none() {
            kept.order.push_back(key);
        }
        if kept.order.len() > KEPT_BLOCKS
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.blocks.remove(&oldest);
        }
        Ok(block)
    }
}

/// Locks a mutex, ignoring poisoning: no update leaves the data in an intermediate state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_comes_before_a_win_by_perpetual_check() {
        let win = |capture, mate, perpetual| {
            Some(ProbeResult { outcome: Outcome::Win, capture, mate, perpetual, is_certain: true })
        };
        let loss = |mate| win(None, mate, None).map(|win| ProbeResult { outcome: Outcome::Loss, ..win });
        let best_first = [
            win(None, Some(1), None),
            win(Some(3), Some(31), None),
            win(Some(3), None, None),
            win(None, None, Some(5)),
            win(None, None, None).map(|win| ProbeResult { outcome: Outcome::Draw, ..win }),
            None,
            loss(Some(8)),
            loss(Some(2)),
            loss(None),
        ];
        assert!(best_first.is_sorted_by_key(|answer| order(*answer)));
    }
}
