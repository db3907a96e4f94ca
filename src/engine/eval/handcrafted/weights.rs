//! The weights of the hand-written evaluation and their meanings, in centipawns: (full board, empty board).

use super::Tapered;
use std::ops::Range;

/// A named range of terms.
#[derive(Clone, Debug)]
pub struct WeightGroup {
    /// Name.
    pub name: &'static str,
    /// Description.
    pub meaning: &'static str,
    /// Terms of the group.
    pub terms: Range<usize>,
}

/// `layout!`: assigns consecutive terms to the groups and defines a constant for the first term of each.
macro_rules! layout {
    (@constants $at:expr;) => {
        /// Number of terms.
        pub const TERMS: usize = $at;
    };
    (@constants $at:expr; $name:ident $meaning:literal $length:expr, $($rest:tt)*) => {
        #[doc = $meaning]
        pub const $name: usize = $at;
        layout!(@constants $at + $length; $($rest)*);
    };
    ($($name:ident $meaning:literal $length:expr,)*) => {
        layout!(@constants 0; $($name $meaning $length,)*);
        /// All groups, in order.
        pub const GROUPS: &[WeightGroup] =
            &[$(WeightGroup { name: stringify!($name), meaning: $meaning, terms: $name..$name + $length }),*];
    };
}

layout! {
    MATERIAL "Value of a piece by kind: king, advisor, elephant, horse, rook, cannon, pawn." 7,
    PLACEMENT "Value of a square: by kind, rank from the piece's own back rank, and file from the nearer edge (a or i first)." 350,
    PLACEMENT_WITHOUT_ADVISORS "Value of a square for a horse, rook, cannon or pawn, per missing enemy advisor." 200,
    PLACEMENT_WITHOUT_ELEPHANTS "The same per missing enemy elephant." 200,
    ROOK_MOBILITY "Number of squares a rook reaches, excluding those attacked by enemy pawns." 18,
    CANNON_MOBILITY "Number of squares a cannon reaches." 18,
    HORSE_MOBILITY "Number of squares a horse reaches." 9,
    GUARDS "Remaining advisors and elephants: 3 x advisors + elephants." 9,
    MISSING_ADVISORS_AGAINST_ROOKS "Missing advisors times enemy rooks." 1,
    MISSING_ELEPHANTS_AGAINST_CANNONS "Missing elephants times enemy cannons." 1,
    PALACE_PRESSURE "Enemy attacks on the friendly palace, weighted 3 for a rook, 2 for a horse, 1 for a cannon or pawn, halved." 16,
    PRESSURE_WITHOUT_ADVISORS "Palace pressure times the missing advisors." 1,
    INVADERS "Rooks, cannons, horses and pawns beyond the river." 8,
    HOLLOW_CANNON "A cannon on the enemy king's file with no piece between them, by distance." 10,
    CENTRE_CANNON "A cannon on the enemy king's file behind two pieces: for each enemy piece among them, which is pinned." 1,
    CANNON_PINS_A_CENTRE_HORSE "A piece pinned by a centre cannon that is a horse in the palace." 1,
    BOTTOM_CANNON "A cannon on the enemy's back rank with at most two pieces between it and the king at home." 1,
    ROOK_PINS "An enemy piece pinned to its king by a rook." 1,
    CROSSED_PAWNS "Pawns beyond the river, 6 x enemy advisors + pawns." 18,
    HAND_IN_HAND "Two crossed pawns side by side." 1,
    PAWN_BEFORE_OWN_HORSE "A pawn at home in front of a friendly horse, which it blocks." 1,
    HORSE_BEFORE_OWN_PAWN "A horse directly in front of a friendly pawn at home." 1,
    LOOSE_ROOK "An attacked, unprotected rook: for the attacker." 1,
    LOOSE_CANNON "An attacked, unprotected cannon: for the attacker." 1,
    LOOSE_HORSE "An attacked, unprotected horse: for the attacker." 1,
    LOOSE_PAWN "An attacked, unprotected pawn: for the attacker." 1,
    LOOSE_GUARD "An attacked, unprotected advisor or elephant: for the attacker." 1,
    ATTACKS "A piece attacked by rooks, cannons, horses or pawns: 14 x attacker + 2 x victim from king to pawn, + 1 if protected." 56,
    PROTECTED_PIECES "A protected horse or cannon." 1,
    CHECKS "Squares from which rooks, cannons or horses could give check without being captured: 4 x kind + squares." 12,
}

/// Tempo: value of the right to move.
pub const TEMPO: i32 = 10;

const fn w(full: i32, empty: i32) -> Tapered {
    Tapered::new(full, empty)
}

/// Weights by term.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; TERMS] = [
    // MATERIAL
    w(0, 0), w(113, 40), w(20, 34), w(345, 253), w(1000, 598), w(410, 228), w(56, 72),
    // PLACEMENT
    // king, rank 0 first
    w(4, 4), w(0, 0), w(0, 0), w(61, -15), w(82, -20),
    w(0, 0), w(0, 0), w(0, 0), w(-44, 12), w(3, 4),
    w(0, 0), w(0, 0), w(0, 0), w(-144, 32), w(-135, 32),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // advisor, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(22, -17), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(57, -7),
    w(0, 0), w(0, 0), w(0, 0), w(-22, 18), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // elephant, rank 0 first
    w(0, 0), w(0, 0), w(-5, -11), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-49, -4), w(0, 0), w(0, 0), w(0, 0), w(30, -11),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(-49, 12), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // horse, rank 0 first
    w(-14, -74), w(-36, 14), w(12, -33), w(-12, 18), w(-118, -76),
    w(-13, -73), w(-97, 46), w(-14, -5), w(-3, 39), w(-6, -4),
    w(6, 1), w(-6, 25), w(19, 22), w(55, 24), w(61, 6),
    w(-16, 41), w(-46, 36), w(3, 38), w(34, 11), w(61, 38),
    w(38, 1), w(33, 22), w(116, 13), w(56, 25), w(55, 18),
    w(6, 10), w(-21, 28), w(-7, 38), w(71, 19), w(61, 2),
    w(-15, 11), w(100, 3), w(36, 9), w(111, 1), w(18, 10),
    w(25, 16), w(-20, 13), w(32, 17), w(91, 3), w(111, 33),
    w(-58, -11), w(5, -3), w(186, -24), w(51, 6), w(-19, 40),
    w(-105, 77), w(-100, 46), w(-97, 37), w(-2, -30), w(12, -27),
    // rook, rank 0 first
    w(4, -3), w(45, 16), w(24, 33), w(68, 30), w(12, -27),
    w(14, 28), w(37, 22), w(45, 20), w(53, 24), w(5, 8),
    w(24, 47), w(47, 28), w(55, 33), w(87, 30), w(32, 43),
    w(22, 60), w(61, 40), w(77, 40), w(78, 35), w(103, 24),
    w(30, 48), w(63, 33), w(83, 38), w(94, 21), w(73, 24),
    w(7, 30), w(25, 23), w(29, 26), w(55, 18), w(44, 19),
    w(24, 33), w(46, 33), w(60, 36), w(79, 21), w(54, 38),
    w(-24, 49), w(3, 43), w(6, 42), w(38, 67), w(69, 11),
    w(1, 47), w(69, 11), w(52, 37), w(73, 37), w(72, 50),
    w(3, -2), w(10, 49), w(35, 55), w(116, 22), w(-5, -8),
    // cannon, rank 0 first
    w(21, 14), w(33, 6), w(50, -19), w(113, -27), w(183, -45),
    w(45, 13), w(37, 19), w(71, 11), w(64, 11), w(76, 21),
    w(59, 8), w(33, 18), w(63, 4), w(57, 33), w(84, 26),
    w(17, 24), w(29, 10), w(59, 4), w(71, -1), w(71, -6),
    w(30, 29), w(32, 18), w(32, 23), w(31, 31), w(56, 29),
    w(20, 24), w(-19, 27), w(-31, 14), w(-3, 27), w(40, 13),
    w(13, 30), w(-12, 39), w(-2, 26), w(4, 26), w(15, 30),
    w(19, 9), w(-22, 7), w(-49, 33), w(6, -3), w(-62, 20),
    w(24, 38), w(-15, 22), w(-21, 30), w(-32, 32), w(-128, 20),
    w(49, 35), w(-21, 33), w(-20, 17), w(-147, 18), w(35, -14),
    // pawn, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-13, -3), w(0, 0), w(-5, -7), w(0, 0), w(15, 32),
    w(-6, -1), w(0, 0), w(25, -2), w(0, 0), w(13, 42),
    w(-45, 46), w(18, 13), w(19, 31), w(38, 58), w(41, 55),
    w(-35, 31), w(4, 35), w(28, 52), w(75, 35), w(80, 42),
    w(-24, 11), w(-7, 46), w(73, 33), w(96, 77), w(155, 61),
    w(-69, 113), w(26, 83), w(105, 48), w(292, 16), w(285, 72),
    w(-57, 59), w(-36, 38), w(-7, -9), w(106, 25), w(-29, 57),
    // PLACEMENT_WITHOUT_ADVISORS
    w(33, 30), w(-38, -11), w(3, -28), w(-29, -13), w(-33, 18),
    w(18, 46), w(-40, 9), w(-31, 15), w(-31, 2), w(-58, -1),
    w(-25, 9), w(-13, 24), w(-41, 21), w(25, -11), w(-40, 0),
    w(-36, 34), w(-26, 20), w(-5, 19), w(-5, 0), w(-25, 7),
    w(29, -6), w(-17, 15), w(-49, 23), w(-19, 25), w(25, 15),
    w(-48, 26), w(50, 16), w(42, 22), w(21, 20), w(23, 17),
    w(56, 18), w(7, 20), w(21, 10), w(-3, 30), w(1, 37),
    w(25, 19), w(65, 17), w(69, 11), w(49, 4), w(20, 23),
    w(-45, 54), w(80, -2), w(26, 28), w(57, 20), w(62, 20),
    w(18, 4), w(-47, 17), w(129, 5), w(48, 8), w(30, 32),
    w(-20, -26), w(-4, 4), w(-39, 4), w(-21, -12), w(-16, 4),
    w(-18, -22), w(-14, 8), w(-87, 41), w(-34, 5), w(9, 22),
    w(-22, 10), w(27, -17), w(-18, 13), w(3, 4), w(-2, 1),
    w(13, -14), w(44, -27), w(-48, 20), w(11, -4), w(51, -31),
    w(2, -13), w(9, -2), w(-9, 3), w(11, -4), w(62, -23),
    w(25, -21), w(19, -14), w(-28, 13), w(18, -5), w(5, 3),
    w(13, -14), w(32, -28), w(-12, 13), w(-3, 18), w(23, -3),
    w(10, 8), w(26, -2), w(-33, 34), w(33, -6), w(74, 16),
    w(69, -40), w(13, 2), w(-7, 6), w(29, -6), w(71, -25),
    w(-3, 14), w(40, -20), w(-22, 15), w(8, 6), w(65, 43),
    w(-110, -24), w(-92, -15), w(-149, -18), w(-68, -13), w(-75, -5),
    w(-65, -29), w(1, -41), w(-45, -33), w(-36, -30), w(-16, -50),
    w(-63, -23), w(-21, -29), w(-13, -31), w(-43, -26), w(0, -53),
    w(-21, -32), w(-35, -30), w(-21, -36), w(-43, -15), w(-36, -11),
    w(-62, -31), w(-66, -22), w(-96, -37), w(-55, -28), w(-95, -20),
    w(-66, -22), w(-85, -15), w(-62, -24), w(-73, -4), w(-103, 2),
    w(-87, -4), w(-19, -12), w(-71, -5), w(-53, -2), w(-79, -8),
    w(-52, -41), w(-27, -33), w(-92, -10), w(-71, -2), w(-43, 14),
    w(-45, -18), w(-15, -15), w(-75, -20), w(-54, -16), w(-2, 4),
    w(-109, -27), w(-80, -18), w(-44, -34), w(-16, -5), w(-92, -17),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-14, 38), w(0, 0), w(2, 15), w(0, 0), w(4, 3),
    w(-25, 46), w(0, 0), w(8, 12), w(0, 0), w(13, 32),
    w(-119, 52), w(-61, 34), w(-75, 39), w(-1, 26), w(-67, 58),
    w(-72, 42), w(-33, 38), w(-42, 37), w(50, 29), w(30, 29),
    w(-59, 43), w(-34, 31), w(51, 23), w(170, -1), w(294, 13),
    w(-21, -27), w(-3, -13), w(84, -6), w(76, 16), w(136, -23),
    w(-127, -31), w(-86, -31), w(-61, -34), w(-7, -63), w(-25, -73),
    // PLACEMENT_WITHOUT_ELEPHANTS
    w(-78, 19), w(3, 15), w(-2, 9), w(27, 6), w(-48, -17),
    w(9, 1), w(8, 30), w(4, 12), w(26, -28), w(39, -46),
    w(4, 31), w(-17, 8), w(12, 27), w(35, 10), w(-5, 30),
    w(-7, 11), w(101, -13), w(29, 7), w(25, 23), w(18, 10),
    w(61, -1), w(30, 9), w(36, 6), w(53, 7), w(55, 6),
    w(28, 28), w(16, 20), w(46, 15), w(41, 16), w(69, 12),
    w(20, 19), w(-5, 21), w(58, 15), w(47, 19), w(37, 23),
    w(37, 31), w(67, 21), w(52, 32), w(83, 21), w(49, -3),
    w(39, 11), w(101, 22), w(-16, 31), w(30, 18), w(2, -6),
    w(-18, -4), w(114, 21), w(47, 16), w(76, 68), w(53, 23),
    w(28, 27), w(21, 21), w(35, -2), w(53, -4), w(-12, 21),
    w(47, 11), w(47, 6), w(28, 14), w(63, -2), w(67, -2),
    w(28, 35), w(31, 29), w(44, 18), w(33, 19), w(48, 12),
    w(48, 17), w(55, 14), w(96, -10), w(55, 14), w(64, 15),
    w(35, 31), w(41, 23), w(53, 11), w(65, 19), w(75, 9),
    w(48, 34), w(61, 21), w(46, 33), w(57, 29), w(49, 37),
    w(38, 32), w(40, 31), w(43, 19), w(32, 22), w(24, 35),
    w(69, 15), w(80, 13), w(85, 8), w(81, 8), w(42, 23),
    w(52, 16), w(49, 12), w(36, 18), w(12, 24), w(43, 33),
    w(44, 36), w(91, -6), w(26, 20), w(-47, 58), w(43, 28),
    w(43, -3), w(-40, 14), w(7, 24), w(-1, 8), w(37, 9),
    w(-4, 14), w(6, 2), w(-12, 2), w(5, 14), w(35, -7),
    w(9, 11), w(14, 0), w(-9, 4), w(21, -8), w(2, 12),
    w(27, 8), w(43, 1), w(12, 12), w(34, 3), w(36, 1),
    w(32, -7), w(36, -10), w(60, -23), w(1, 4), w(30, -6),
    w(-4, 11), w(4, 12), w(12, 25), w(-37, 15), w(11, 4),
    w(11, 0), w(-13, 5), w(12, 1), w(-41, 9), w(-10, 0),
    w(-3, 21), w(2, 26), w(39, -2), w(-89, 41), w(-7, -5),
    w(-3, -11), w(25, -6), w(9, -12), w(-9, 7), w(-55, 27),
    w(38, -13), w(24, -6), w(-41, 17), w(-8, -14), w(-35, 4),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-3, 20), w(0, 0), w(-15, 30), w(0, 0), w(-10, 14),
    w(-2, 17), w(0, 0), w(-22, 45), w(0, 0), w(-27, 34),
    w(-9, 15), w(-15, 41), w(-8, 34), w(-11, 28), w(7, 21),
    w(-14, 37), w(-33, 40), w(29, 13), w(19, 19), w(33, 14),
    w(-9, 47), w(86, 10), w(73, 14), w(73, 14), w(51, -3),
    w(-36, -1), w(-22, 1), w(38, 4), w(0, 13), w(-1, 13),
    w(3, 13), w(12, 5), w(-4, 21), w(-132, 23), w(-42, 9),
    // ROOK_MOBILITY
    w(39, 21), w(41, -27), w(37, -11), w(45, 17), w(60, 40), w(67, 54), w(67, 63), w(73, 66), w(69, 79),
    w(77, 79), w(76, 86), w(78, 88), w(86, 78), w(85, 84), w(95, 77), w(106, 76), w(107, 67), w(113, 64),
    // CANNON_MOBILITY
    w(-49, 39), w(13, 51), w(24, 36), w(31, 41), w(31, 37), w(34, 33), w(40, 34), w(34, 42), w(40, 39),
    w(42, 39), w(45, 37), w(50, 35), w(55, 31), w(58, 28), w(62, 26), w(61, 23), w(72, 22), w(128, 0),
    // HORSE_MOBILITY
    w(-2, -51), w(10, 14), w(17, 27), w(27, 37), w(34, 30), w(42, 34), w(46, 29), w(57, 26), w(53, 19),
    // GUARDS
    w(9, -15), w(-71, -6), w(-60, 17), w(-27, 7), w(-7, -8), w(-18, -2), w(46, 12), w(35, 10), w(26, -2),
    // MISSING_ADVISORS_AGAINST_ROOKS
    w(-70, 4),
    // MISSING_ELEPHANTS_AGAINST_CANNONS
    w(-35, -9),
    // PALACE_PRESSURE
    w(-12, 4), w(1, 9), w(-4, 2), w(4, -5), w(-5, 1), w(7, -27), w(1, 0), w(6, -25), w(-44, -26),
    w(-14, 22), w(-14, -129), w(-63, -37), w(-68, -64), w(-16, 2), w(-36, -31), w(-48, -43),
    // PRESSURE_WITHOUT_ADVISORS
    w(-1, 1),
    // INVADERS
    w(-62, -5), w(-28, -43), w(16, -61), w(37, -9), w(45, 79), w(107, 137), w(128, 234), w(13, 16),
    // HOLLOW_CANNON
    w(0, 0), w(16, -15), w(56, -6), w(95, -6), w(139, -16), w(218, -35), w(176, -24), w(138, -19), w(211, -22),
    w(180, 15),
    // CENTRE_CANNON
    w(12, 13),
    // CANNON_PINS_A_CENTRE_HORSE
    w(115, 45),
    // BOTTOM_CANNON
    w(44, 9),
    // ROOK_PINS
    w(26, 15),
    // CROSSED_PAWNS
    w(-31, -26), w(164, -12), w(-15, 61), w(-102, 33), w(18, 50), w(13, 22), w(-18, 2), w(47, -12), w(72, 8),
    w(14, 23), w(28, 93), w(9, 12), w(-32, 26), w(-6, -4), w(-7, -4), w(10, 12), w(-12, -38), w(21, 20),
    // HAND_IN_HAND
    w(49, -36),
    // PAWN_BEFORE_OWN_HORSE
    w(-13, -23),
    // HORSE_BEFORE_OWN_PAWN
    w(7, 14),
    // LOOSE_ROOK
    w(24, -37),
    // LOOSE_CANNON
    w(34, 11),
    // LOOSE_HORSE
    w(12, 47),
    // LOOSE_PAWN
    w(-4, 27),
    // LOOSE_GUARD
    w(16, -2),
    // ATTACKS
    w(0, 0), w(0, 0), w(26, 28), w(-5, -5), w(3, 23), w(1, -7), w(34, 4), w(27, 20), w(-17, 16), w(14, -19), w(24, 36), w(23, 26), w(1, 13), w(-9, 27),
    w(0, 0), w(0, 0), w(27, 25), w(17, -12), w(19, 23), w(10, 19), w(33, -18), w(21, 64), w(25, 56), w(51, 81), w(-30, -17), w(21, 16), w(3, 16), w(-6, 22),
    w(0, 0), w(0, 0), w(43, 21), w(0, -3), w(16, 17), w(9, 0), w(0, -34), w(39, 20), w(-4, 7), w(16, -7), w(13, -11), w(43, 11), w(8, 15), w(-8, 18),
    w(0, 0), w(0, 0), w(46, 13), w(10, 3), w(21, 17), w(46, -2), w(61, -6), w(116, 63), w(3, 64), w(39, 23), w(30, 27), w(62, 74), w(-9, 46), w(-13, 57),
    // PROTECTED_PIECES
    w(10, 2),
    // CHECKS
    w(-71, 24), w(14, -2), w(137, -59), w(67, 30),
    w(-28, 3), w(15, 5), w(19, -5), w(41, -18),
    w(-82, 8), w(42, -6), w(97, -8), w(6, 7),
];
