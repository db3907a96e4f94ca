//! What a puzzle is about. Each theme is a condition on the moves of the solution, with cases in `positions/themes.epd`; what is not certain is
//! not named.

use chuhe_board::words::Language;
use chuhe_board::{Bitboard, Kind, Move, Occupancy, Position, Side, Square, attackers_of_king, exchange_value};
use chuhe_engine::mates::Pattern;

/// What the solver can reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aim {
    /// The enemy is mated or has no move left.
    Mate,
    /// The enemy loses pieces, or is lost for other reasons.
    Win,
    /// All other moves lose.
    Defence,
}

/// What a puzzle is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theme {
    /// What can be reached; every puzzle has one aim.
    Aim(Aim),
    /// The classical pattern of the mate.
    Pattern(Pattern),
    /// A piece attacks two at once (捉双).
    Fork,
    /// A piece that may not leave its place does not take, or is taken (牵制).
    Pin,
    /// A piece moves away, and the one behind it attacks (闪击).
    Discovery,
    /// A piece is left to be taken (弃子).
    Sacrifice,
    /// Both sides together have at most four rooks, cannons and horses (残局).
    Ending,
}

/// Less than this, in centipawns of a rook of 1000, is no piece to speak of.
const PIECE: i32 = 300;
/// Rooks, cannons and horses of both sides in an ending.
const FEW: u32 = 4;

impl Theme {
    /// A mate.
    pub const MATE: Theme = Theme::Aim(Aim::Mate);
    /// A win without a mate in sight.
    pub const WIN: Theme = Theme::Aim(Aim::Win);
    /// The only defence.
    pub const DEFENCE: Theme = Theme::Aim(Aim::Defence);

    /// All of them: the aims first, the patterns last.
    pub fn all() -> impl Iterator<Item = Theme> {
        use Theme::{Discovery, Ending, Fork, Pin, Sacrifice};
        let others = [Theme::MATE, Theme::WIN, Theme::DEFENCE, Fork, Pin, Discovery, Sacrifice, Ending];
        others.into_iter().chain(Pattern::ALL.map(Theme::Pattern))
    }

    /// Its name in files and messages: of a pattern the Chinese one.
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

    /// The theme with this name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::all().find(|theme| theme.name() == name)
    }

    /// Its name for people.
    pub const fn title(self, language: Language) -> &'static str {
        let (english, chinese) = match self {
            Theme::MATE => ("checkmate", "杀法"),
            Theme::WIN => ("winning advantage", "得势得子"),
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

/// What a solution is about: its aim, and every theme that one of the solver's moves shows.
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

/// Whether a move shows a theme.
type Condition = fn(&Turn) -> bool;

/// A move of the solver.
struct Turn {
    before: Position,
    after: Position,
    mv: Move,
    /// The solver's next move.
    next: Option<Move>,
}

impl Turn {
    fn enemy(&self) -> Side {
        self.after.side()
    }

    /// What a piece on a square counts.
    fn value(&self, square: Square) -> i32 {
        self.after.piece_on(square).map_or(0, |piece| exchange_value(piece.kind()))
    }

    /// The moved piece threatens two pieces, or the king and a piece, cannot be taken itself, and goes on to take one, if the solution goes on.
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

    /// An enemy piece could take the moved piece if it were not bound, and no other one can; or the solver then takes a piece that is bound.
    fn is_pin(&self) -> bool {
        let takers = self.after.attackers(self.enemy(), self.mv.to) & !self.after.pieces(self.enemy(), Kind::King);
        let holds = takers.into_iter().any(|taker| self.is_bound(taker)) && !self.can_be_taken();
        let takes = self.next.is_some_and(|next| self.value(next.to) >= PIECE && self.is_bound(next.to));
        holds || takes
    }

    /// Whether an enemy piece shields its king: without it there would be another check.
    fn is_bound(&self, square: Square) -> bool {
        if square == self.after.king(self.enemy()) {
            return false;
        }
        let mut without = *self.after.occupancy();
        without.toggle(square);
        (self.checkers(&without) & !self.after.checkers()).has_any()
    }

    /// The solver's pieces that would attack the enemy's king on a board with these occupied squares.
    fn checkers(&self, occupancy: &Occupancy) -> Bitboard {
        let side = !self.enemy();
        attackers_of_king(self.after.king(self.enemy()), occupancy, side, |kind| self.after.pieces(side, kind))
    }

    /// A piece that did not move attacks because the moved piece has left its square: the king, or what it takes next.
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

    /// The enemy may take the moved piece and gains a piece by it.
    fn is_sacrifice(&self) -> bool {
        self.before.exchange(self.mv) <= -PIECE && self.can_be_taken()
    }
}
