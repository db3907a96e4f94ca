//! What the tables say of a position.

use super::file::{Fault, Table};
use super::{Content, Folder, Index, Material, PERPETUAL, inside};
use chuhe_board::rules::Outcome;
use chuhe_board::{Kind, Move, Position, Side};
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Win, draw or loss, without the natural limit.
    pub outcome: Outcome,
    /// Plies to the next capture or mate, unless it is a draw or perpetual check decides.
    pub capture: Option<u16>,
    /// Plies to mate, unless it is a draw or perpetual check may decide on the way.
    pub mate: Option<u16>,
    /// Plies until the loser can only check forever, or lose otherwise; none if a mate or capture is at the end.
    pub perpetual: Option<u16>,
    /// Whether no rule of repetition can change it: not so for draws in which both sides attack, which perpetual chase may decide.
    pub is_certain: bool,
}

impl Answer {
    const MATED: Answer =
        Answer { outcome: Outcome::Loss, capture: Some(0), mate: Some(0), perpetual: None, is_certain: true };

    /// What a position is worth before a move that leads to one of this worth.
    fn before(self, captures: bool) -> Answer {
        let later = |plies: Option<u16>| plies.map(|plies| plies + 1);
        Answer {
            outcome: !self.outcome,
            capture: if captures { self.capture.or(self.perpetual).map(|_| 1) } else { later(self.capture) },
            mate: later(self.mate),
            perpetual: later(self.perpetual).filter(|_| !captures),
            is_certain: self.is_certain,
        }
    }
}

/// Unpacked blocks that are kept, in all.
const KEPT_BLOCKS: usize = 512;

/// The tables of some folders, opened when they are first asked, and those that the program carries.
#[derive(Debug)]
pub struct Tables {
    folders: Vec<Folder>,
    most_pieces: u32,
    most_attackers: u32,
    open: Mutex<Known>,
    kept: Mutex<Kept>,
    hits: AtomicU64,
}

/// Tables that were asked for; `None` where there is none.
type Known = HashMap<(Material, Content), Option<Arc<Opened>>>;

#[derive(Debug)]
struct Opened {
    table: Table,
    index: Index,
}

/// The unpacked blocks that were asked for last, the oldest first.
#[derive(Debug, Default)]
struct Kept {
    blocks: HashMap<(Material, Content, usize), Arc<Vec<u8>>>,
    order: VecDeque<(Material, Content, usize)>,
}

/// Those that the program carries.
impl Default for Tables {
    fn default() -> Tables {
        Tables::with(Vec::new(), Vec::new())
    }
}

impl Tables {
    /// The tables of these folders; an ending that several have is taken from the first.
    ///
    /// # Errors
    /// A folder can't be read.
    pub fn new(folders: Vec<Folder>) -> Result<Tables, Fault> {
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

    /// The tables of folders whose paths have `;` between them.
    ///
    /// # Errors
    /// A folder can't be read.
    pub fn of_path(path: &Path) -> Result<Tables, Fault> {
        let path = path.to_string_lossy();
        let names = path.split(';').map(str::trim).filter(|name| !name.is_empty());
        Tables::new(names.map(Folder::new).collect())
    }

    /// No position with more pieces, the kings among them, is known.
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// Whether a position has so few pieces that a table may know it. A search asks this at every node, and the tables themselves seldom.
    #[inline]
    pub fn may_know(&self, position: &Position) -> bool {
        let attackers = |side| (position.major_pieces(side) | position.pieces(side, Kind::Pawn)).count();
        position.occupancy().all().count() <= self.most_pieces
            && attackers(Side::Red) + attackers(Side::Black) <= self.most_attackers
    }

    /// How often they have known who wins, since this was last forgotten.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// Counts from 0 again, for a new search.
    pub fn forget_hits(&self) {
        self.hits.store(0, Relaxed);
    }

    /// The moves that keep what a position is worth; of winning ones those to the nearest capture or mate, of losing ones those to the farthest
    /// mate, as far as that is known. `None` where the position or what a move leads to is not known.
    ///
    /// # Errors
    /// A table is damaged or can't be read.
    pub fn best_moves(&self, position: &Position) -> Result<Option<Vec<Move>>, Fault> {
        if !self.may_know(position) {
            return Ok(None);
        }
        let mut ranked = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            let takes = after.make(mv).captured.is_some();
            let Some(answer) = self.answer(&after)? else { return Ok(None) };
            let rank = match answer.outcome {
                Outcome::Loss if takes => (0, 0, false),
                Outcome::Loss => {
                    let perpetual = answer.perpetual.map(|plies| PERPETUAL + plies);
                    // Who checks forever loses only if the other does not.
                    let checks = perpetual.is_some() && after.in_check();
                    (0, i32::from(perpetual.or(answer.capture).unwrap_or_default()), checks)
                }
                Outcome::Draw => (1, 0, false),
                Outcome::Win => (2, -i32::from(answer.mate.unwrap_or_default()), false),
            };
            ranked.push((rank, mv));
        }
        let best = ranked.iter().map(|(rank, _)| *rank).min();
        // Without a sure win, perpetual chase may decide what the tables call a draw.
        if Material::of(position).both_attack() && best.is_none_or(|(rank, ..)| rank > 0) {
            return Ok(None);
        }
        Ok(Some(ranked.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, mv)| mv).collect()))
    }

    /// All that is known of a position; `None` if there is no table of its ending.
    ///
    /// # Errors
    /// A table is damaged or can't be read.
    pub fn answer(&self, position: &Position) -> Result<Option<Answer>, Fault> {
        let Some(outcome) = self.outcome(position)? else { return Ok(None) };
        if outcome == Outcome::Draw {
            let is_certain = !Material::of(position).both_attack();
            return Ok(Some(Answer { outcome, capture: None, mate: None, perpetual: None, is_certain }));
        }
        if !position.has_moves() {
            return Ok(Some(Answer::MATED));
        }
        let distance = |content| self.value(position, content).map(|found| found.map(|(_, value)| value));
        let (capture, mate) = (distance(Content::Capture)?, distance(Content::Mate)?);
        let within = |plies: Option<u16>| plies.filter(|plies| *plies < PERPETUAL);
        let perpetual = capture.and_then(|plies| plies.checked_sub(PERPETUAL));
        Ok(Some(Answer { outcome, capture: within(capture), mate: within(mate), perpetual, is_certain: true }))
    }

    /// Every legal move with its worth to the mover as far as it is known, the best first: wins by the distance to mate, then draws, what is
    /// not known, and losses, the longest first.
    ///
    /// # Errors
    /// A table is damaged or can't be read.
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, Option<Answer>)>, Fault> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            let takes = after.make(mv).captured.is_some();
            moves.push((mv, self.answer(&after)?.map(|answer| answer.before(takes))));
        }
        moves.sort_by_key(|(_, answer)| match answer {
            Some(Answer { outcome: Outcome::Win, mate, .. }) => (0, i32::from(mate.unwrap_or_default())),
            Some(Answer { outcome: Outcome::Draw, .. }) => (1, 0),
            None => (2, 0),
            Some(Answer { outcome: Outcome::Loss, mate, .. }) => (3, -i32::from(mate.unwrap_or_default())),
        });
        Ok(moves)
    }

    /// Who wins; `None` if there is no table of the ending.
    ///
    /// # Errors
    /// A table is damaged or can't be read.
    pub fn outcome(&self, position: &Position) -> Result<Option<Outcome>, Fault> {
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

    /// Who wins before so many plies have passed without a capture, those that have passed already counted; `None` if it is not known. A draw in
    /// which both sides have attackers is not known either: perpetual chase may decide it.
    ///
    /// # Errors
    /// A table is damaged or can't be read.
    pub fn outcome_within(&self, position: &Position, limit: u16) -> Result<Option<Outcome>, Fault> {
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

    fn value(&self, position: &Position, content: Content) -> Result<Option<(Arc<Opened>, u16)>, Fault> {
        let (material, flipped) = Material::of(position).normal();
        let Some(opened) = self.opened(material, content)? else { return Ok(None) };
        let number = opened.index.number(flipped, |side, kind| position.pieces(side, kind));
        let side = if flipped { !position.side() } else { position.side() };
        let (block, place) = opened.table.place(side, number);
        let bytes = self.block(&opened.table, block)?;
        let value = opened.table.value(&bytes, place);
        Ok(Some((opened, value)))
    }

    fn opened(&self, material: Material, content: Content) -> Result<Option<Arc<Opened>>, Fault> {
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

    fn block(&self, table: &Table, number: usize) -> Result<Arc<Vec<u8>>, Fault> {
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

/// What a panic in another thread left behind is whole: nothing is changed in two steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
