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
    PLACEMENT_WITHOUT_ADVISORS "What the place of a horse, rook, cannon or pawn adds for each advisor that the enemy misses." 200,
    PLACEMENT_WITHOUT_ELEPHANTS "The same for each missing elephant." 200,
    TOGETHER "Numbers of two kinds of one side, multiplied: 6 x the one + the other, from advisor to pawn." 36,
    AGAINST "The same of a kind and a later kind of the enemy." 36,
    PIECES_LEFT "A horse, rook, cannon or pawn by all pieces on the board: 9 x kind + pieces / 4." 36,
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
pub const TEMPO: i32 = 10;

const fn w(full: i32, empty: i32) -> Tapered {
    Tapered::new(full, empty)
}

/// By term.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; TERMS] = [
    // MATERIAL
    w(0, 0), w(115, 58), w(111, 48), w(363, 305), w(1000, 729), w(441, 268), w(59, 81),
    // PLACEMENT
    // king, rank 0 first
    w(6, 6), w(0, 0), w(0, 0), w(53, -12), w(92, -19),
    w(0, 0), w(0, 0), w(0, 0), w(-46, 8), w(14, 2),
    w(0, 0), w(0, 0), w(0, 0), w(-124, 24), w(-139, 33),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // advisor, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(12, -14), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(51, -9),
    w(0, 0), w(0, 0), w(0, 0), w(-29, 4), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // elephant, rank 0 first
    w(0, 0), w(0, 0), w(17, -10), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-22, -11), w(0, 0), w(0, 0), w(0, 0), w(53, -14),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(-23, 4), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // horse, rank 0 first
    w(-42, -46), w(-45, -1), w(-4, -60), w(7, -6), w(-74, -83),
    w(-26, -65), w(-64, -17), w(-30, -21), w(-21, 12), w(0, -63),
    w(-8, -10), w(-36, 8), w(1, -1), w(49, 2), w(48, -4),
    w(-44, 33), w(-51, 6), w(-17, 18), w(12, -1), w(38, -2),
    w(-3, -19), w(14, 11), w(82, -7), w(35, 14), w(31, -1),
    w(-1, 13), w(-25, 25), w(20, 39), w(63, 18), w(62, 13),
    w(-8, 11), w(133, -12), w(25, 16), w(113, 10), w(-14, 49),
    w(37, 40), w(-9, 28), w(28, 41), w(155, 14), w(161, 17),
    w(-47, 1), w(36, 13), w(109, 11), w(97, 11), w(38, 77),
    w(-98, 33), w(-63, 40), w(-35, 58), w(38, 28), w(15, 17),
    // rook, rank 0 first
    w(-22, -42), w(24, -25), w(-8, -25), w(51, -18), w(-48, -36),
    w(-10, 6), w(13, -7), w(9, -24), w(26, -7), w(-31, 5),
    w(-3, 15), w(23, -14), w(34, -7), w(62, -4), w(23, -16),
    w(-3, 33), w(40, 12), w(37, 29), w(63, 3), w(77, -15),
    w(19, 16), w(45, 6), w(61, 3), w(79, -6), w(56, -13),
    w(4, 16), w(15, 7), w(33, 17), w(49, 3), w(18, 29),
    w(4, 19), w(25, 20), w(44, 15), w(58, 3), w(22, 26),
    w(-20, 43), w(11, 34), w(7, 34), w(53, 25), w(54, 26),
    w(21, -8), w(63, -7), w(53, -1), w(59, -7), w(27, 56),
    w(14, -19), w(10, 21), w(-10, 34), w(24, 10), w(10, 58),
    // cannon, rank 0 first
    w(8, -22), w(4, -24), w(19, -43), w(112, -44), w(100, -56),
    w(25, 1), w(19, 6), w(52, -12), w(51, 2), w(71, -28),
    w(41, -14), w(16, 12), w(47, -21), w(40, 10), w(78, 0),
    w(-10, 7), w(29, -7), w(25, -20), w(27, -11), w(46, -23),
    w(21, 8), w(19, -7), w(20, -11), w(11, -1), w(44, -16),
    w(14, 9), w(-20, 25), w(-34, 25), w(-24, 24), w(42, -2),
    w(8, 14), w(-28, 38), w(-10, 14), w(-13, 19), w(15, 5),
    w(-9, 26), w(-29, 15), w(-54, 43), w(-7, 2), w(-41, 14),
    w(2, 20), w(-29, 20), w(-18, 2), w(-45, 26), w(-93, 45),
    w(44, -13), w(-29, 8), w(-52, 11), w(-158, 12), w(-57, -35),
    // pawn, rank 0 first
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(-23, 21), w(0, 0), w(-7, -12), w(0, 0), w(19, 14),
    w(-23, 17), w(0, 0), w(17, 5), w(0, 0), w(-4, 51),
    w(-43, 65), w(23, 57), w(25, 67), w(14, 102), w(44, 84),
    w(-19, 67), w(-11, 84), w(32, 86), w(83, 71), w(119, 66),
    w(40, 43), w(65, 70), w(112, 64), w(201, 105), w(284, 84),
    w(-40, 90), w(81, 74), w(167, 62), w(293, 52), w(269, 64),
    w(-34, 10), w(3, -2), w(-19, -18), w(4, -73), w(-56, -52),
    // PLACEMENT_WITHOUT_ADVISORS
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // PLACEMENT_WITHOUT_ELEPHANTS
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // TOGETHER
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // AGAINST
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // PIECES_LEFT
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // ROOK_MOBILITY
    w(-21, -25), w(11, -46), w(-1, -50), w(9, -16), w(26, -13), w(36, -5), w(33, 19), w(42, 20), w(39, 44),
    w(47, 36), w(46, 39), w(46, 45), w(54, 36), w(50, 39), w(66, 26), w(78, 28), w(77, 12), w(86, 11),
    // CANNON_MOBILITY
    w(-75, 6), w(-14, 13), w(-5, 10), w(3, 9), w(5, 9), w(6, 13), w(14, 10), w(9, 20), w(18, 13),
    w(21, 16), w(21, 18), w(31, 12), w(36, 2), w(33, 11), w(25, 4), w(34, -2), w(56, -5), w(83, -20),
    // HORSE_MOBILITY
    w(-32, -89), w(-19, -15), w(-11, 9), w(6, 19), w(19, 13), w(30, 22), w(34, 21), w(53, 18), w(56, 14),
    // GUARDS
    w(-15, -13), w(-81, -1), w(-10, 10), w(-63, 6), w(6, -14), w(25, -10), w(1, 9), w(17, 4), w(51, 3),
    // MISSING_ADVISORS_AGAINST_ROOKS
    w(-22, -15),
    // MISSING_ELEPHANTS_AGAINST_CANNONS
    w(-11, 4),
    // PALACE_PRESSURE
    w(-11, -9), w(0, 1), w(-13, 8), w(-4, 3), w(3, -4), w(8, -30), w(1, 12), w(3, 5), w(-31, -66),
    w(-9, 41), w(-40, -98), w(-63, -52), w(-87, -71), w(-71, -50), w(-60, -54), w(-70, -63),
    // PRESSURE_WITHOUT_ADVISORS
    w(-4, 0),
    // INVADERS
    w(-34, 2), w(-12, -33), w(22, -57), w(30, -18), w(26, 59), w(36, 138), w(54, 122), w(33, 26),
    // HOLLOW_CANNON
    w(0, 0), w(-16, -8), w(24, -2), w(89, -6), w(135, -19), w(200, -34), w(179, -20), w(150, -14), w(117, -4),
    w(101, 32),
    // CENTRE_CANNON
    w(13, 10),
    // CANNON_PINS_A_CENTRE_HORSE
    w(98, 83),
    // BOTTOM_CANNON
    w(54, 24),
    // ROOK_PINS
    w(23, 9),
    // CROSSED_PAWNS
    w(-77, -30), w(144, -12), w(-2, 65), w(1, 22), w(22, 51), w(19, 32), w(-19, 12), w(20, -3), w(64, 18),
    w(-10, 22), w(21, 48), w(14, 22), w(-15, 39), w(-1, -1), w(-14, -16), w(48, -39), w(-22, -2), w(13, 15),
    // HAND_IN_HAND
    w(67, -33),
    // PAWN_BEFORE_OWN_HORSE
    w(-9, -21),
    // HORSE_BEFORE_OWN_PAWN
    w(18, 28),
    // LOOSE_ROOK
    w(6, -27),
    // LOOSE_CANNON
    w(46, 27),
    // LOOSE_HORSE
    w(36, 37),
    // LOOSE_PAWN
    w(5, 33),
    // LOOSE_GUARD
    w(39, 17),
    // PAWN_ATTACKS_A_PIECE
    w(73, 31),
    // MINOR_ATTACKS_A_ROOK
    w(34, 12),
    // PROTECTED_PIECES
    w(5, -2),
];
