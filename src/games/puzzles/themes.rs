//! Themes of puzzles. Each theme is a condition on the moves of the solution, with test cases in
//! `positions/themes.epd`; themes that cannot be recognised reliably are omitted.

use chuhe_board::words::Language;
use chuhe_board::{Bitboard, Kind, Move, Occupancy, Position, Side, Square, attackers_of_king, exchange_value};
use chuhe_engine::mates::Pattern;

/// Aim of the solver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aim {
    /// The opponent is mated or stalemated.
    Mate,
    /// The opponent loses material, or the position is won for other reasons.
    Win,
    /// All other moves lose.
    Defence,
}

/// Theme of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theme {
    /// Aim; every puzzle has exactly one.
    Aim(Aim),
    /// Classical mating pattern.
    Pattern(Pattern),
    /// A piece attacks two pieces simultaneously (捉双).
    Fork,
    /// A pinned piece cannot capture, or is captured (牵制).
    Pin,
    /// A piece moves away, and the piece behind it attacks (闪击).
    Discovery,
    /// A piece is offered (弃子).
    Sacrifice,
    /// Both sides together have at most four rooks, cannons and horses (残局).
    Ending,
}

/// Minimum value of a relevant piece, in centipawns (rook = 1000).
const PIECE: i32 = 300;
/// Maximum total number of rooks, cannons and horses in an ending.
const FEW: u32 = 4;

impl Theme {
    /// A mate.
    pub const MATE: Theme = Theme::Aim(Aim::Mate);
    /// A win without a forced mate.
    pub(crate) const WIN: Theme = Theme::Aim(Aim::Win);
    /// The only defence.
    pub(crate) const DEFENCE: Theme = Theme::Aim(Aim::Defence);

    /// Returns all themes: first the aims, last the patterns.
    pub fn all() -> impl Iterator<Item = Theme> {
        use Theme::{Discovery, Ending, Fork, Pin, Sacrifice};
        let others = [Theme::MATE, Theme::WIN, Theme::DEFENCE, Fork, Pin, Discovery, Sacrifice, Ending];
        others.into_iter().chain(Pattern::ALL.map(Theme::Pattern))
    }

    /// Returns the name used in files and messages; patterns have Chinese names.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::MATE => "mate",
            Theme::WIN => "win",
            Theme::DEFENCE => "defence",
            Theme::Fork => "fork",
            Theme::Pin => "pin",
            Theme::Discovery => "discovery",
            Theme::Sacrifice => "sacrifice",
            Theme::Ending => "ending",
            Theme::Pattern(pattern) => pattern.name(Language::Chinese),
        }
    }

    /// Returns the theme with this name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::all().find(|theme| theme.name() == name)
    }

    /// Returns the name for display.
    pub const fn title(self, language: Language) -> &'static str {
        let (english, chinese) = match self {
            Theme::MATE => ("checkmate", "杀法"),
            Theme::WIN => ("winning advantage", "谋子取势"),
            Theme::DEFENCE => ("only defence", "守和"),
            Theme::Fork => ("fork", "捉双"),
            Theme::Pin => ("pin", "牵制"),
            Theme::Discovery => ("discovered attack", "闪击"),
            Theme::Sacrifice => ("sacrifice", "弃子"),
            Theme::Ending => ("ending", "残局"),
            Theme::Pattern(pattern) => return pattern.name(language),
        };
        match language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}

/// Returns the themes of a solution: its aim, and every theme found in one of the solver's moves.
pub fn themes(start: &Position, line: &[Move], aim: Aim) -> Vec<Theme> {
    let mut found = vec![Theme::Aim(aim)];
    let mut position = start.clone();
    let mut turns = Vec::new();
    for (ply, &mv) in line.iter().enumerate() {
        let before = position.clone();
        position.make(mv);
        if ply % 2 == 0 {
            turns.push(Turn { before, after: position.clone(), mv, next: line.get(ply + 2).copied() });
        }
    }
    let conditions: [(Theme, Condition); 4] = [
        (Theme::Fork, Turn::is_fork),
        (Theme::Pin, Turn::is_pin),
        (Theme::Discovery, Turn::is_discovery),
        (Theme::Sacrifice, Turn::is_sacrifice),
    ];
    found.extend(conditions.iter().filter(|(_, holds)| turns.iter().any(holds)).map(|(theme, _)| *theme));
    let pieces = Side::ALL.map(|side| start.major_pieces(side).count());
    if pieces[0] + pieces[1] <= FEW {
        found.push(Theme::Ending);
    }
    if aim == Aim::Mate
        && let Some(last) = turns.last()
        && let Some(pattern) = Pattern::of(&last.before, last.mv)
    {
        found.push(Theme::Pattern(pattern));
    }
    found
}

/// Condition for a theme, tested for each move.
type Condition = fn(&Turn) -> bool;

/// A move of the solver.
struct Turn {
    before: Position,
    after: Position,
    mv: Move,
    /// Next move of the solver.
    next: Option<Move>,
}

impl Turn {
    fn enemy(&self) -> Side {
        self.after.side()
    }

    /// Returns the exchange value of the piece on a square.
    fn value(&self, square: Square) -> i32 {
        self.after.piece_on(square).map_or(0, |piece| exchange_value(piece.kind()))
    }

    /// Returns `true` if the moved piece, without being in danger itself, attacks two pieces or the king and
    /// a piece, and captures one of them with the solver's next move, if there is one.
    fn is_fork(&self) -> bool {
        let Some(piece) = self.after.piece_on(self.mv.to) else { return false };
        let attacked = self.after.occupancy().targets(piece.side(), piece.kind(), self.mv.to);
        let worth = |&square: &Square| {
            let outweighs = self.value(square) > exchange_value(piece.kind());
            self.value(square) >= PIECE && (outweighs || self.after.attackers(self.enemy(), square).is_empty())
        };
        let threatened: Bitboard = (attacked & self.after.of_side(self.enemy())).into_iter().filter(worth).collect();
        let takes = self.next.is_none_or(|next| next.from == self.mv.to && threatened.has(next.to));
        threatened.several() && takes && self.after.has_moves() && !self.can_be_taken()
    }

    fn can_be_taken(&self) -> bool {
        self.after.legal_moves().iter().any(|answer| answer.to == self.mv.to)
    }

    /// Returns `true` if only a pinned enemy piece could capture the moved piece, or if the solver's next
    /// move captures a pinned piece.
    fn is_pin(&self) -> bool {
        let takers = self.after.attackers(self.enemy(), self.mv.to) & !self.after.pieces(self.enemy(), Kind::King);
        let holds = takers.into_iter().any(|taker| self.is_bound(taker)) && !self.can_be_taken();
        let takes = self.next.is_some_and(|next| self.value(next.to) >= PIECE && self.is_bound(next.to));
        holds || takes
    }

    /// Returns `true` if the enemy piece on a square is pinned: without it, another piece would give check.
    fn is_bound(&self, square: Square) -> bool {
        if square == self.after.king(self.enemy()) {
            return false;
        }
        let mut without = *self.after.occupancy();
        without.toggle(square);
        (self.checkers(&without) & !self.after.checkers()).has_any()
    }

    /// Returns the solver's pieces that would attack the enemy king with these squares occupied.
    fn checkers(&self, occupancy: &Occupancy) -> Bitboard {
        let side = !self.enemy();
        attackers_of_king(self.after.king(self.enemy()), occupancy, side, |kind| self.after.pieces(side, kind))
    }

    /// Returns `true` if a piece that did not move attacks the king, or the piece captured next, because the
    /// moved piece has left its square.
    fn is_discovery(&self) -> bool {
        let mut left = *self.before.occupancy();
        left.toggle(self.mv.from);
        let others = self.after.checkers() & !Bitboard::of(self.mv.to);
        if (others & self.checkers(&left)).has_any() {
            return true;
        }
        let Some(next) = self.next.filter(|next| next.from != self.mv.to) else { return false };
        let Some(piece) = self.before.piece_on(next.from) else { return false };
        let reaches = |occupancy: &Occupancy| occupancy.targets(piece.side(), piece.kind(), next.from).has(next.to);
        let victim = self.after.piece_on(next.to).filter(|victim| victim.side() == self.enemy());
        victim.is_some_and(|victim| exchange_value(victim.kind()) >= PIECE)
            && self.before.piece_on(next.to) == victim
            && !reaches(self.before.occupancy())
            && reaches(&left)
            && reaches(self.after.occupancy())
    }

    /// Returns `true` if the opponent can gain material by capturing the moved piece.
    fn is_sacrifice(&self) -> bool {
        self.before.exchange(self.mv) <= -PIECE && self.can_be_taken()
    }
}
