//! Classical names of mating positions (杀法). Uncertain patterns are not named.

use chuhe_board::named;
use chuhe_board::words::Language;
use chuhe_board::{Bitboard, Kind, Move, Occupancy, Piece, Position, Setup, Side, Square};

named! {
    /// A classical mating pattern.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    #[allow(missing_docs)]
    pub enum Pattern {
        HorseCannon = ("cannon behind the horse", "马后炮"),
        DoubleCannons = ("double cannons", "重炮"),
        HeavenAndEarthCannons = ("heaven and earth cannons", "天地炮"),
        IronBolt = ("iron bolt", "铁门栓"),
        CarvingTheHeart = ("carving out the heart", "大刀剜心"),
        SmotheredPalace = ("smothered palace", "闷宫"),
        HorseAtTheTrough = ("horse at the trough", "卧槽马"),
        HorseAtTheCorner = ("horse at the palace corner", "挂角马"),
        AnglingHorse = ("angling horse", "钓鱼马"),
        DoubleRooks = ("double rooks", "双车错"),
        Smothered = ("smothered mate", "闷杀"),
        FacingKings = ("facing kings", "白脸将"),
        Stalemate = ("stalemate", "困毙"),
    }

    /// Returns the names in English and Chinese.
    fn names -> (&'static str, &'static str)
}

impl Pattern {
    /// Returns the name.
    pub const fn name(self, language: Language) -> &'static str {
        let (english, chinese) = self.names();
        match language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    /// Returns the mating pattern after a legal move that leaves the other side without moves.
    ///
    /// ```
    /// use chuhe_board::Position;
    /// use chuhe_engine::mates::Pattern;
    ///
    /// let position: Position = "5k3/9/5N3/9/C8/9/9/9/9/4K4 w".parse().unwrap();
    /// assert_eq!(Pattern::of(&position, "a5f5".parse().unwrap()), Some(Pattern::HorseCannon));
    /// ```
    pub fn of(before: &Position, mv: Move) -> Option<Pattern> {
        // The position is viewed from the attacking side, so that the mated king is always on top.
        let (before, mv) =
            if before.side() == Side::Red { (before.clone(), mv) } else { (before.flipped(), mv.flipped()) };
        let mut after = before.clone();
        after.make(mv);
        if after.has_moves() {
            return None;
        }
        let mate = Mate { takes: before.piece_on(mv.to), to: mv.to, king: after.king(Side::Black), after };
        Pattern::ALL.into_iter().find(|pattern| mate.is(*pattern))
    }
}

/// A position in which Black is mated or stalemated.
struct Mate {
    after: Position,
    /// Square of the mated king.
    king: Square,
    /// Target of the last move, and the captured piece.
    to: Square,
    takes: Option<Piece>,
}

impl Mate {
    fn is(&self, pattern: Pattern) -> bool {
        match pattern {
            // The cannon checks over a friendly horse two squares from the king. The horse controls the
            // squares beside the king.
            Pattern::HorseCannon => self.checker_is(Kind::Cannon, |cannon| {
                self.screen(cannon).is_some_and(|screen| {
                    self.red(screen) == Some(Kind::Horse) && Occupancy::between(screen, self.king).count() == 1
                })
            }),
            // One cannon serves as the screen for the other.
            Pattern::DoubleCannons => self.checker_is(Kind::Cannon, |cannon| {
                self.screen(cannon).is_some_and(|screen| self.red(screen) == Some(Kind::Cannon))
            }),
            // One cannon controls the middle file, the other the last rank, and both are necessary for the
            // mate.
            Pattern::HeavenAndEarthCannons => {
                let cannons = self.after.pieces(Side::Red, Kind::Cannon);
                let holds = |set: Bitboard| (cannons & set).into_iter().any(|cannon| self.needs(cannon));
                let (file, rank) = (Bitboard::of_file(self.king.file()), Bitboard::of_rank(self.king.rank()));
                self.king == Square::E9 && self.mates_with(&[Kind::Rook, Kind::Pawn]) && holds(file) && holds(rank)
            }
            // A cannon on the middle file pins two pieces in front of the king, and a rook or pawn mates
            // beside the king on the last rank.
            Pattern::IronBolt => {
                let bolts = |cannon: Square| {
                    let between = Occupancy::between(cannon, self.king) & self.after.occupancy().all();
                    between.count() == 2
                        && (between & !self.after.of_side(Side::Black)).is_empty()
                        && self.needs(cannon)
                };
                let middle = Bitboard::of_file(Square::E9.file()) & self.after.pieces(Side::Red, Kind::Cannon);
                self.king == Square::E9
                    && self.mates_with(&[Kind::Rook, Kind::Pawn])
                    && self.after.checkers().into_iter().all(|at| at == Square::D9 || at == Square::F9)
                    && middle.into_iter().any(bolts)
            }
            // The rook captures the advisor in the middle of the palace.
            Pattern::CarvingTheHeart => {
                self.to == Square::E8
                    && self.takes == Some(Piece::new(Side::Black, Kind::Advisor))
                    && self.checker_is(Kind::Rook, |rook| rook == Square::E8)
            }
            // A cannon checks over an advisor, and the king's own pieces occupy all squares beside it that
            // are not on the line of the check.
            Pattern::SmotheredPalace => self.checker_is(Kind::Cannon, |cannon| {
                let line = Occupancy::between(cannon, self.king);
                let free = self.beside_king() & !self.after.of_side(Side::Black);
                let off_the_line = free.into_iter().all(|square| self.is_on_line(cannon, square));
                off_the_line && (line & self.after.pieces(Side::Black, Kind::Advisor)).has_any()
            }),
            Pattern::HorseAtTheTrough => {
                self.king == Square::E9
                    && self.checker_is(Kind::Horse, |horse| [Square::C8, Square::G8].contains(&horse))
            }
            Pattern::HorseAtTheCorner => {
                self.king == Square::E9
                    && self.checker_is(Kind::Horse, |horse| [Square::D7, Square::F7].contains(&horse))
            }
            // A horse on c7 or g7 controls the king's squares, and a rook or pawn mates.
            Pattern::AnglingHorse => {
                let angles = |at: Square| self.red(at) == Some(Kind::Horse) && self.needs(at);
                self.mates_with(&[Kind::Rook, Kind::Pawn]) && [Square::C7, Square::G7].into_iter().any(angles)
            }
            // Two rooks on adjacent lines: one checks, the other controls the king's squares.
            Pattern::DoubleRooks => self.checker_is(Kind::Rook, |rook| {
                let others = self.after.pieces(Side::Red, Kind::Rook) & !Bitboard::of(rook);
                let along_rank = rook.rank() == self.king.rank();
                others.into_iter().any(|other| {
                    let apart = if along_rank {
                        other.rank().index().abs_diff(rook.rank().index())
                    } else {
                        other.file().index().abs_diff(rook.file().index())
                    };
                    apart == 1 && self.needs(other) && !self.beside_king().has(rook)
                })
            }),
            // The king's own pieces occupy all squares beside it.
            Pattern::Smothered => {
                self.after.in_check() && (self.beside_king() & !self.after.of_side(Side::Black)).is_empty()
            }
            // The king could escape if the other king did not face it.
            Pattern::FacingKings => self.after.in_check() && self.escapes_without_the_other_king(),
            Pattern::Stalemate => !self.after.in_check(),
        }
    }

    fn red(&self, at: Square) -> Option<Kind> {
        self.after.piece_on(at).filter(|piece| piece.side() == Side::Red).map(Piece::kind)
    }

    /// Returns `true` if exactly one piece gives check, it is of this kind, and its square satisfies the
    /// condition.
    fn checker_is(&self, kind: Kind, wanted: impl Fn(Square) -> bool) -> bool {
        let checkers = self.after.checkers();
        !checkers.several() && checkers.first().is_some_and(|at| self.red(at) == Some(kind) && wanted(at))
    }

    /// Returns `true` if exactly one piece gives check, and it is of one of these kinds.
    fn mates_with(&self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|&kind| self.checker_is(kind, |_| true))
    }

    /// Returns the screen of a cannon that gives check.
    fn screen(&self, cannon: Square) -> Option<Square> {
        (Occupancy::between(cannon, self.king) & self.after.occupancy().all()).first()
    }

    /// Returns the palace squares beside the king.
    fn beside_king(&self) -> Bitboard {
        self.after.occupancy().targets(Side::Black, Kind::King, self.king)
    }

    /// Returns `true` if a square lies on the line through the king and a piece that gives check along it.
    fn is_on_line(&self, from: Square, square: Square) -> bool {
        if from.rank() == self.king.rank() { square.rank() == from.rank() } else { square.file() == from.file() }
    }

    /// Returns `true` if Black would have a legal move if this piece were removed.
    fn needs(&self, at: Square) -> bool {
        self.has_moves_after(|setup| setup.board[at.index()] = None)
    }

    fn escapes_without_the_other_king(&self) -> bool {
        // Red's king is placed on another square of its back rank, where it does not face the other king.
        let away = [Square::D0, Square::F0].into_iter().find(|at| at.file() != self.king.file());
        let own = self.after.king(Side::Red);
        let steps = self.beside_king() & !self.after.of_side(Side::Black);
        steps.into_iter().any(|to| {
            let faces = to.file() == own.file()
                && (Occupancy::between(to, own) & self.after.occupancy().all() & !Bitboard::of(self.king)).is_empty();
            faces
                && away.into_iter().chain([Square::E0]).filter(|at| at.file() != to.file()).any(|corner| {
                    self.after.piece_on(corner).is_none()
                        && self.is_legal_after(Move::new(self.king, to), |setup| {
                            setup.board[corner.index()] = setup.board[own.index()].take();
                        })
                })
        })
    }

    fn has_moves_after(&self, change: impl FnOnce(&mut Setup)) -> bool {
        self.changed(change).is_some_and(|position| position.has_moves())
    }

    fn is_legal_after(&self, mv: Move, change: impl FnOnce(&mut Setup)) -> bool {
        self.changed(change).is_some_and(|position| position.is_legal(mv))
    }

    /// Returns the position after a change, if it is legal.
    fn changed(&self, change: impl FnOnce(&mut Setup)) -> Option<Position> {
        let mut setup = self.after.setup();
        change(&mut setup);
        Position::new(&setup).ok()
    }
}
