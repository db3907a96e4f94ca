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
pub const TEMPO: i32 = 14;

const fn w(full: i32, empty: i32) -> Tapered {
    Tapered::new(full, empty)
}

/// By term.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; TERMS] = [
    // MATERIAL
    w(0, 0), w(120, 120), w(120, 110), w(430, 500), w(1000, 1120), w(510, 480), w(80, 100),
    // PLACEMENT
    // king, rank 0 first
    w(10, 10), w(0, 0), w(0, 0), w(10, 5), w(25, 15),
    w(0, 0), w(0, 0), w(0, 0), w(-25, 5), w(-15, 10),
    w(0, 0), w(0, 0), w(0, 0), w(-50, 0), w(-45, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // advisor, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(12, 12),
    w(0, 0), w(0, 0), w(0, 0), w(-8, -8), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // elephant, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-18, -9), w(0, 0), w(0, 0), w(0, 0), w(18, 9),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(-6, -3), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // horse, rank 0 first
    w(-40, -20), w(-25, -13), w(-20, -10), w(-15, -8), w(-30, -15),
    w(-25, -13), w(-15, -8), w(0, 0), w(5, 2), w(-60, -30),
    w(-15, -8), w(0, 0), w(20, 10), w(10, 5), w(10, 5),
    w(-5, -3), w(10, 5), w(20, 10), w(25, 12), w(20, 10),
    w(0, 0), w(20, 10), w(25, 12), w(35, 17), w(40, 20),
    w(5, 2), w(40, 20), w(40, 20), w(45, 22), w(50, 25),
    w(5, 2), w(45, 22), w(50, 25), w(60, 30), w(50, 25),
    w(5, 2), w(40, 20), w(55, 27), w(55, 27), w(55, 27),
    w(0, 0), w(25, 12), w(65, 32), w(50, 25), w(20, 10),
    w(-15, -8), w(5, 2), w(15, 7), w(15, 7), w(5, 2),
    // rook, rank 0 first
    w(-40, -20), w(-5, -3), w(-10, -5), w(15, 7), w(-10, -5),
    w(-20, -10), w(0, 0), w(0, 0), w(20, 10), w(-10, -5),
    w(-15, -8), w(5, 2), w(5, 2), w(20, 10), w(5, 2),
    w(-5, -3), w(10, 5), w(5, 2), w(25, 12), w(15, 7),
    w(0, 0), w(20, 10), w(15, 7), w(30, 15), w(30, 15),
    w(5, 2), w(20, 10), w(15, 7), w(30, 15), w(30, 15),
    w(5, 2), w(20, 10), w(20, 10), w(40, 20), w(40, 20),
    w(0, 0), w(15, 7), w(15, 7), w(35, 17), w(45, 22),
    w(10, 5), w(25, 12), w(25, 12), w(55, 27), w(60, 30),
    w(5, 2), w(15, 7), w(15, 7), w(40, 20), w(30, 15),
    // cannon, rank 0 first
    w(0, 0), w(0, 0), w(5, 0), w(10, 5), w(5, 10),
    w(0, 0), w(5, 0), w(10, 0), w(10, 5), w(10, 10),
    w(5, 0), w(5, 0), w(20, 0), w(15, 5), w(35, 10),
    w(0, 0), w(0, 0), w(10, 0), w(5, 5), w(20, 10),
    w(0, 0), w(0, 0), w(5, 0), w(5, 5), w(20, 10),
    w(0, 0), w(0, 0), w(0, 0), w(5, 5), w(20, 10),
    w(5, 0), w(5, 0), w(5, 0), w(5, 5), w(20, 10),
    w(5, 0), w(5, 0), w(0, 0), w(-10, 5), w(-10, 10),
    w(15, 0), w(10, 0), w(0, 0), w(-20, 5), w(-30, 10),
    w(30, 0), w(25, 0), w(5, 0), w(-25, 5), w(-40, 10),
    // pawn, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(10, 10),
    w(5, 5), w(0, 0), w(25, 25), w(0, 0), w(25, 25),
    w(40, 40), w(60, 60), w(70, 70), w(75, 75), w(80, 80),
    w(60, 60), w(85, 85), w(95, 95), w(110, 110), w(115, 115),
    w(65, 65), w(95, 95), w(120, 120), w(145, 145), w(150, 150),
    w(65, 65), w(95, 95), w(125, 125), w(160, 160), w(165, 165),
    w(10, 3), w(20, 6), w(30, 10), w(45, 15), w(50, 16),
    // ROOK_MOBILITY
    w(-50, -40), w(-42, -34), w(-34, -28), w(-26, -22), w(-18, -16), w(-10, -10), w(-2, -4), w(6, 2), w(14, 8),
    w(22, 14), w(25, 20), w(28, 26), w(31, 32), w(34, 38), w(37, 44), w(40, 50), w(43, 56), w(46, 62),
    // CANNON_MOBILITY
    w(-20, -20), w(-16, -16), w(-12, -12), w(-8, -8), w(-4, -4), w(0, 0), w(4, 4), w(8, 8), w(12, 12),
    w(14, 16), w(16, 20), w(18, 24), w(20, 28), w(22, 32), w(24, 36), w(26, 40), w(28, 44), w(30, 48),
    // HORSE_MOBILITY
    w(-60, -60), w(-30, -35), w(-12, -15), w(0, 0), w(10, 10), w(18, 18), w(24, 26), w(30, 34), w(36, 40),
    // GUARDS
    w(-60, -30), w(-35, -15), w(-10, 0), w(-25, -10), w(0, 5), w(15, 10), w(0, 5), w(20, 15), w(45, 10),
    // MISSING_ADVISORS_AGAINST_ROOKS
    w(-22, -25),
    // MISSING_ELEPHANTS_AGAINST_CANNONS
    w(-14, -8),
    // PALACE_PRESSURE
    w(0, 0), w(-2, -2), w(-5, -5), w(-9, -8), w(-13, -12), w(-18, -17), w(-24, -22), w(-31, -28), w(-38, -35),
    w(-46, -42), w(-55, -50), w(-64, -58), w(-74, -67), w(-85, -76), w(-96, -86), w(-108, -97),
    // PRESSURE_WITHOUT_ADVISORS
    w(-2, -2),
    // INVADERS
    w(0, 0), w(0, 0), w(8, 5), w(20, 12), w(35, 22), w(50, 32), w(60, 40), w(70, 45),
    // HOLLOW_CANNON
    w(0, 0), w(30, 30), w(40, 40), w(60, 50), w(75, 60), w(85, 65), w(90, 70), w(95, 70), w(95, 70),
    w(95, 70),
    // CENTRE_CANNON
    w(14, 6),
    // CANNON_PINS_A_CENTRE_HORSE
    w(40, 25),
    // BOTTOM_CANNON
    w(25, 12),
    // ROOK_PINS
    w(18, 15),
    // CROSSED_PAWNS
    w(0, 0), w(10, 20), w(20, 35), w(28, 45), w(30, 50), w(30, 50), w(0, 0), w(8, 12), w(16, 22),
    w(20, 30), w(22, 34), w(22, 34), w(0, 0), w(2, 4), w(8, 8), w(12, 12), w(14, 14), w(14, 14),
    // HAND_IN_HAND
    w(14, 22),
    // PAWN_BEFORE_OWN_HORSE
    w(-10, -4),
    // HORSE_BEFORE_OWN_PAWN
    w(-2, 0),
    // LOOSE_ROOK
    w(40, 40),
    // LOOSE_CANNON
    w(22, 25),
    // LOOSE_HORSE
    w(22, 25),
    // LOOSE_PAWN
    w(8, 14),
    // LOOSE_GUARD
    w(10, 16),
    // PAWN_ATTACKS_A_PIECE
    w(30, 30),
    // MINOR_ATTACKS_A_ROOK
    w(35, 35),
    // PROTECTED_PIECES
    w(6, 8),
];
