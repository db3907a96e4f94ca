//! The numbers of the hand-written evaluation, each with its meaning, in centipawns: (full board, empty board).

use super::Tapered;
use std::ops::Range;

/// A named run of terms.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub name: &'static str,
    /// What it stands for.
    pub meaning: &'static str,
    /// The terms that belong to it.
    pub terms: Range<usize>,
}

/// `layout!`: gives each group the terms that follow the group before, and a constant that names its first.
macro_rules! layout {
    (@constants $at:expr;) => {
        /// How many terms there are.
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
        pub const GROUPS: &[Group] =
            &[$(Group { name: stringify!($name), meaning: $meaning, terms: $name..$name + $length }),*];
    };
}

layout! {
    MATERIAL "What a piece counts by kind: king, advisor, elephant, horse, rook, cannon, pawn." 7,
    PLACEMENT "What a place adds: by kind, rank from the own edge and file from the nearer side (a or i first)." 350,
    ROOK_MOBILITY "A rook by the squares it reaches, those that enemy pawns attack not counted." 18,
    CANNON_MOBILITY "A cannon by the squares it reaches." 18,
    HORSE_MOBILITY "A horse by the squares it reaches." 9,
    GUARDS "Advisors and elephants left: 3 x advisors + elephants." 9,
    MISSING_ADVISORS_AGAINST_ROOKS "Missing advisors times enemy rooks." 1,
    MISSING_ELEPHANTS_AGAINST_CANNONS "Missing elephants times enemy cannons." 1,
    PALACE_PRESSURE "Enemy attacks on the own palace, weighed 3 for a rook, 2 for a horse, 1 for a cannon or pawn, halved." 16,
    PRESSURE_WITHOUT_ADVISORS "That pressure times the missing advisors." 1,
    INVADERS "Rooks, cannons, horses and pawns beyond the river." 8,
    HOLLOW_CANNON "A cannon on the enemy king's file with nothing between, by distance." 10,
    CENTRE_CANNON "A cannon on the enemy king's file behind two pieces: for each of them that is the enemy's and so bound." 1,
    CANNON_PINS_A_CENTRE_HORSE "One of these is a horse in the palace." 1,
    BOTTOM_CANNON "A cannon on the enemy's back rank with at most two pieces between it and the king at home." 1,
    ROOK_PINS "An enemy piece that a rook binds to the king." 1,
    CROSSED_PAWNS "Pawns beyond the river, 6 x enemy advisors + pawns." 18,
    HAND_IN_HAND "Two crossed pawns side by side." 1,
    PAWN_BEFORE_OWN_HORSE "A pawn at home that stands before a horse of its own side and holds it." 1,
    HORSE_BEFORE_OWN_PAWN "A horse right before a pawn of its own side at home." 1,
    LOOSE_ROOK "An attacked rook without protection: for the attacker." 1,
    LOOSE_CANNON "An attacked cannon without protection: for the attacker." 1,
    LOOSE_HORSE "An attacked horse without protection: for the attacker." 1,
    LOOSE_PAWN "An attacked pawn without protection: for the attacker." 1,
    LOOSE_GUARD "An attacked advisor or elephant without protection: for the attacker." 1,
    PAWN_ATTACKS_A_PIECE "A pawn attacks a horse or a cannon: for the attacker." 1,
    MINOR_ATTACKS_A_ROOK "A horse or a cannon attacks a rook: for the attacker." 1,
    PROTECTED_PIECES "A horse or cannon that is protected." 1,
}

/// What the right to move is worth.
pub const TEMPO: i32 = 12;

const fn w(full: i32, empty: i32) -> Tapered {
    Tapered::new(full, empty)
}

/// By term.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; TERMS] = [
    // MATERIAL
    w(0, 0), w(123, 86), w(128, 74), w(433, 422), w(1000, 1073), w(527, 391), w(77, 113),
    // PLACEMENT
    // king, rank 0 first
    w(9, 9), w(0, 0), w(0, 0), w(-1, -8), w(76, -19),
    w(0, 0), w(0, 0), w(0, 0), w(-49, 13), w(-17, 12),
    w(0, 0), w(0, 0), w(0, 0), w(-54, 17), w(-49, 18),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // advisor, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(-3, -20), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(46, -12),
    w(0, 0), w(0, 0), w(0, 0), w(-30, 7), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // elephant, rank 0 first
    w(0, 0), w(0, 0), w(14, -18), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-32, 2), w(0, 0), w(0, 0), w(0, 0), w(51, -18),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(-24, -1), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // horse, rank 0 first
    w(-37, -19), w(-42, -10), w(-22, -14), w(-10, -6), w(-30, -16),
    w(-29, -17), w(-14, -8), w(-8, -3), w(-9, -4), w(-58, -32),
    w(-6, -13), w(-7, -3), w(4, 4), w(16, 4), w(9, 3),
    w(-7, -2), w(6, 2), w(14, 1), w(23, -5), w(25, 5),
    w(1, 0), w(24, 7), w(32, 8), w(40, 10), w(37, 2),
    w(4, 1), w(34, 12), w(41, 25), w(56, 23), w(54, 26),
    w(5, 3), w(48, 26), w(45, 24), w(67, 31), w(43, 27),
    w(8, 7), w(38, 20), w(58, 40), w(58, 28), w(57, 29),
    w(-2, -2), w(29, 13), w(69, 35), w(52, 27), w(19, 5),
    w(-15, -8), w(4, 2), w(14, 8), w(15, 9), w(5, 2),
    // rook, rank 0 first
    w(-41, -24), w(3, -6), w(-16, -7), w(18, 6), w(-10, -5),
    w(-27, -8), w(-2, -2), w(-5, -3), w(5, 4), w(-14, -6),
    w(-16, -5), w(4, 0), w(9, 2), w(24, 11), w(3, 2),
    w(-5, -1), w(15, 7), w(10, 5), w(26, 7), w(18, 8),
    w(1, 0), w(21, 8), w(26, 7), w(31, 9), w(28, 10),
    w(5, 4), w(17, 7), w(24, 13), w(25, 11), w(29, 19),
    w(6, 4), w(16, 8), w(39, 17), w(33, 14), w(35, 20),
    w(1, 6), w(13, 11), w(16, 14), w(40, 20), w(47, 26),
    w(8, 3), w(37, 15), w(28, 15), w(49, 12), w(58, 32),
    w(5, 3), w(18, 11), w(16, 12), w(34, 11), w(31, 18),
    // cannon, rank 0 first
    w(-2, -3), w(-2, -3), w(8, -1), w(19, 8), w(2, 2),
    w(-4, 0), w(5, -1), w(16, -1), w(21, 8), w(20, 4),
    w(16, -3), w(5, 1), w(30, -4), w(17, 5), w(69, 16),
    w(-1, -2), w(11, -2), w(9, -6), w(11, -1), w(21, 1),
    w(-2, 0), w(5, -3), w(2, -2), w(3, 0), w(33, 2),
    w(-1, 0), w(-2, 0), w(-5, 1), w(-2, 5), w(37, 9),
    w(-1, 0), w(-10, -3), w(-2, -4), w(-4, 6), w(18, 7),
    w(5, 1), w(-3, -2), w(-10, -1), w(-11, 4), w(-10, 10),
    w(16, 1), w(-4, -1), w(-6, -5), w(-23, 3), w(-29, 11),
    w(43, 8), w(20, 1), w(3, 4), w(-34, 1), w(-40, 6),
    // pawn, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-5, 16), w(0, 0), w(-10, -10), w(0, 0), w(21, 11),
    w(-1, 8), w(0, 0), w(12, 21), w(0, 0), w(20, 33),
    w(29, 45), w(65, 63), w(73, 71), w(75, 79), w(80, 82),
    w(51, 57), w(75, 79), w(89, 95), w(107, 97), w(113, 101),
    w(63, 62), w(90, 94), w(109, 108), w(145, 152), w(146, 146),
    w(60, 66), w(91, 107), w(119, 111), w(155, 125), w(158, 152),
    w(9, 8), w(18, 9), w(27, 5), w(39, -9), w(45, 2),
    // ROOK_MOBILITY
    w(-49, -38), w(-38, -33), w(-41, -31), w(-28, -20), w(-10, -18), w(-1, -10), w(5, -1), w(13, 8), w(18, 20),
    w(28, 21), w(30, 28), w(30, 34), w(32, 37), w(32, 42), w(39, 42), w(45, 48), w(41, 36), w(47, 40),
    // CANNON_MOBILITY
    w(-21, -19), w(-16, -15), w(-12, -11), w(-4, -7), w(2, -2), w(4, 1), w(9, 5), w(9, 14), w(14, 10),
    w(19, 15), w(20, 22), w(27, 23), w(27, 14), w(23, 23), w(18, 20), w(23, 26), w(27, 31), w(31, 25),
    // HORSE_MOBILITY
    w(-57, -60), w(-30, -35), w(-25, -12), w(-1, 1), w(13, 7), w(23, 19), w(29, 15), w(42, 22), w(51, 10),
    // GUARDS
    w(-50, -11), w(-43, -19), w(-7, 9), w(-29, -8), w(-5, -1), w(18, -1), w(1, 12), w(16, 4), w(53, 5),
    // MISSING_ADVISORS_AGAINST_ROOKS
    w(-21, -36),
    // MISSING_ELEPHANTS_AGAINST_CANNONS
    w(-29, 22),
    // PALACE_PRESSURE
    w(18, -32), w(-1, 8), w(-19, 14), w(-12, 3), w(-4, -11), w(-21, -29), w(-21, -6), w(-24, -23), w(-46, -43),
    w(-38, -37), w(-55, -49), w(-62, -55), w(-71, -64), w(-80, -72), w(-91, -81), w(-102, -91),
    // PRESSURE_WITHOUT_ADVISORS
    w(-10, 2),
    // INVADERS
    w(-14, 15), w(-7, -22), w(13, -31), w(22, 15), w(41, 49), w(51, 40), w(57, 39), w(66, 42),
    // HOLLOW_CANNON
    w(0, 0), w(27, 25), w(35, 30), w(62, 39), w(83, 49), w(100, 54), w(88, 59), w(91, 61), w(90, 62),
    w(90, 66),
    // CENTRE_CANNON
    w(25, 7),
    // CANNON_PINS_A_CENTRE_HORSE
    w(43, 28),
    // BOTTOM_CANNON
    w(20, 19),
    // ROOK_PINS
    w(21, 21),
    // CROSSED_PAWNS
    w(-18, -39), w(24, 23), w(23, 46), w(27, 44), w(28, 47), w(28, 47), w(-4, 1), w(12, 15), w(21, 31),
    w(19, 28), w(21, 32), w(21, 32), w(2, 32), w(-1, 4), w(-1, -12), w(12, 6), w(13, 13), w(13, 13),
    // HAND_IN_HAND
    w(15, -1),
    // PAWN_BEFORE_OWN_HORSE
    w(-16, -11),
    // HORSE_BEFORE_OWN_PAWN
    w(2, 3),
    // LOOSE_ROOK
    w(23, 26),
    // LOOSE_CANNON
    w(42, 31),
    // LOOSE_HORSE
    w(33, 38),
    // LOOSE_PAWN
    w(17, 34),
    // LOOSE_GUARD
    w(34, 28),
    // PAWN_ATTACKS_A_PIECE
    w(35, 31),
    // MINOR_ATTACKS_A_ROOK
    w(32, 30),
    // PROTECTED_PIECES
    w(11, 9),
];
