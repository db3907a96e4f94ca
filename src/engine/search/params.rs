//! Every number of the search that is tuned, once: name = value, least, most, step; and a switch for every technique.

/// A number that can be tuned.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Parameter {
    pub name: &'static str,
    pub value: i32,
    pub least: i32,
    pub most: i32,
    /// A change that can be felt, for tuners.
    pub step: i32,
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $least:literal, $most:literal, $step:literal;)*) => {
        /// The numbers.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Numbers {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Numbers {
            fn default() -> Numbers {
                Numbers { $($name: $value),* }
            }
        }

        /// All numbers with their bounds, in order.
        pub const PARAMETERS: &[Parameter] = &[
            $(Parameter { name: stringify!($name), value: $value, least: $least, most: $most, step: $step }),*
        ];

        impl Numbers {
            /// The same numbers, each within its bounds.
            pub fn in_range(&self) -> Numbers {
                Numbers { $($name: self.$name.clamp($least, $most)),* }
            }

            /// Sets a number by name; false if there is none of that name or the value is out of bounds.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($least..=$most).contains(&value) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

numbers! {
    /// Half the first window around the score of the iteration before, in centipawns.
    aspiration_window = 25, 8, 100, 4;
    /// Reverse futility: margin a ply.
    reverse_futility_margin = 130, 30, 200, 8;
    /// Reverse futility: deepest depth.
    reverse_futility_depth = 7, 3, 12, 1;
    /// Razoring: margin at depth 0.
    razoring_base = 252, 50, 600, 30;
    /// Razoring: margin for depth squared.
    razoring_slope = 181, 50, 400, 20;
    /// Null move: reduction at depth 0.
    null_move_base = 3, 2, 6, 1;
    /// Null move: depth that reduces by one more.
    null_move_divisor = 2, 2, 6, 1;
    /// Null move: how far the evaluation lies above beta for one ply more.
    null_move_margin = 216, 80, 500, 20;
    /// Null move: from this depth a search verifies it.
    null_move_verified_from = 12, 6, 30, 1;
    /// Probability cut: how far above beta the reduced search must come.
    probcut_margin = 186, 60, 400, 15;
    /// Late-move pruning: moves at depth 0.
    late_move_base = 5, 1, 10, 1;
    /// Futility: margin at depth 0.
    futility_base = 110, 20, 300, 12;
    /// Futility: margin a ply.
    futility_slope = 100, 30, 250, 10;
    /// Futility: history that is worth a centipawn.
    futility_history = 109, 20, 500, 10;
    /// Pruning near the horizon: history for one ply of depth.
    pruning_history = 8450, 3000, 30000, 600;
    /// Exchange pruning of quiet moves: loss for depth squared.
    exchange_quiet = 21, 5, 80, 4;
    /// Exchange pruning of captures: loss a ply.
    exchange_capture = 112, 30, 300, 10;
    /// History pruning: the least history a ply.
    history_pruning_margin = 2661, 500, 8000, 250;
    /// Singular extension: margin a ply, in sixteenths.
    singular_margin = 27, 4, 80, 4;
    /// Double extension: how far below the singular window.
    double_margin = 23, 5, 80, 4;
    /// Late-move reduction: base, in hundredths of a ply.
    reduction_base = 64, 0, 200, 10;
    /// Late-move reduction: divisor of ln(depth) · ln(number), in hundredths.
    reduction_divisor = 204, 120, 400, 12;
    /// Late-move reduction: history for one ply less.
    reduction_history = 8780, 3000, 20000, 600;
    /// Late-move reduction: more in expected fail-highs, in 1/1024 plies.
    reduction_cut = 1442, 0, 3000, 120;
    /// Late-move reduction: less where the node was searched in an open window, now or before.
    reduction_was_pv = 1066, 0, 2500, 100;
    /// Late-move reduction: less again in an open window.
    reduction_pv = 457, 0, 2500, 100;
    /// Late-move reduction: less for checks.
    reduction_check = 1084, 0, 2500, 100;
    /// Late-move reduction: more where the evaluation does not improve.
    reduction_worsening = 574, 0, 2000, 100;
    /// Late-move reduction: more where the hash move takes.
    reduction_hash_takes = 1107, 0, 2500, 120;
    /// Late-move reduction: more where several nodes of the next ply were cut already.
    reduction_cutoffs = 1110, 0, 2500, 120;
    /// A reduced search that comes so far above the best is repeated a ply deeper.
    deeper_margin = 48, 10, 200, 8;
    /// Order of quiet moves: bonus of a check.
    check_bonus = 12000, 0, 30000, 1500;
    /// History: bonus of the move that cut, for depth squared.
    history_bonus = 14, 0, 60, 3;
    /// History: bonus of the move that cut, for a ply.
    history_bonus_slope = 60, 0, 400, 20;
    /// History: the largest bonus.
    history_bonus_most = 1681, 400, 6000, 150;
    /// History: malus of the moves before it, for depth squared.
    history_malus = 14, 0, 60, 3;
    /// History: malus of the moves before it, for a ply.
    history_malus_slope = 60, 0, 400, 20;
    /// History: the largest malus.
    history_malus_most = 1681, 400, 6000, 150;
    /// History: bonus for depth squared of a move that every reply failed against.
    reply_bonus = 9, 1, 200, 6;
    /// History: the largest such bonus.
    reply_bonus_most = 1200, 400, 6000, 150;
    /// History: bonus for a centipawn that a move changed the evaluation by, in sixteenths.
    swing_bonus = 19, 1, 800, 16;
    /// History: the largest such bonus or malus.
    swing_bonus_most = 1500, 400, 6000, 150;
    /// History: centipawns that the right to move counts in two evaluations in a row, so that a neutral move gets nothing.
    swing_neutral = 17, 0, 80, 4;
    /// Quiescence: how many quiet answers to a check are tried after one that saves the king.
    evasions = 2, 1, 8, 1;
    /// Quiescence: how much a capture must promise below alpha.
    quiescence_margin = 178, 40, 400, 15;
    /// Correction history: weight of each correction, in 1/128.
    correction_weight = 20, 5, 80, 3;
}

/// Depths at which techniques begin or end, in plies. They are not tuned: a whole ply is too coarse a step for SPSA.
pub mod depths {
    /// The deepest node that is razored. Deeper, a quiet plan may still make up for what is missing.
    pub const RAZORING_TO: i32 = 3;
    /// The shallowest node that passes. Nearer the horizon reverse futility asks almost the same question without a search.
    pub const NULL_MOVE_FROM: i32 = 3;
    /// The shallowest node with a probability cut: its reduced search must still be one.
    pub const PROBCUT_FROM: i32 = 5;
    /// How many plies less a probability cut searches, the capture itself included.
    pub const PROBCUT_REDUCTION: i32 = 4;
    /// The shallowest node that is searched a ply less without a hash move.
    pub const INTERNAL_REDUCTION_FROM: i32 = 4;
    /// The deepest node where late quiet moves are left out.
    pub const LATE_MOVE_PRUNING_TO: i32 = 8;
    /// The largest LMR depth of a quiet move at which it may be futile.
    pub const FUTILITY_TO: i32 = 8;
    /// The largest LMR depth of a quiet move at which a bad history prunes it.
    pub const HISTORY_PRUNING_TO: i32 = 4;
    /// The deepest node where moves that lose the exchange are left out.
    pub const EXCHANGE_PRUNING_TO: i32 = 9;
    /// The shallowest node with singular extensions: half its depth must still tell moves apart.
    pub const SINGULAR_FROM: i32 = 6;
    /// How much shallower than its node a hash entry may be for a cut of the probability cut or for a singular search.
    pub const ENTRY_SLACK: i32 = 3;
    /// The shallowest node where safe checks are extended. Nearer the horizon there are so many that the tree grows more than it sees.
    pub const CHECK_EXTENSION_FROM: i32 = 8;
    /// The shallowest node with late-move reductions.
    pub const REDUCTION_FROM: i32 = 2;
}

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        /// A switch for every technique; all on by default.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Switches {
            $($(#[$doc])* pub $name: bool,)*
        }

        impl Default for Switches {
            fn default() -> Switches {
                Switches { $($name: true),* }
            }
        }

        /// The names of all techniques.
        pub const TECHNIQUES: &[&str] = &[$(stringify!($name)),*];

        impl Switches {
            /// Everything off: what is left returns minimax's value.
            pub fn none() -> Switches {
                Switches { $($name: false),* }
            }

            /// Switches a technique; false if there is none of that name.
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $(stringify!($name) => self.$name = on,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

switches! {
    /// Windows around the score of the iteration before.
    aspiration;
    /// The hash table.
    hash_table;
    /// Repetition, the natural limit and dead positions inside the tree.
    rules;
    /// Nothing better than the nearest mate is looked for.
    mate_distance;
    /// Endings that a table knows are not searched.
    tables;
    /// A solver looks for a mate before the first iteration.
    mates;
    /// Captures and evasions beyond the horizon.
    quiescence;
    /// Safe quiet checks at the first ply beyond the horizon.
    quiet_checks;
    /// Beyond the horizon only the first quiet evasions, and no losing captures, once one move saves the king.
    evasion_pruning;
    /// Evaluations corrected by what searches of like positions found.
    correction_history;
    /// Hopeless nodes near the horizon go to quiescence.
    razoring;
    /// Nodes far above beta near the horizon are cut.
    reverse_futility;
    /// Passing and still being above beta cuts.
    null_move;
    /// A good capture that stays above beta at a reduced depth cuts.
    probcut;
    /// Nodes without a hash move are searched a ply less.
    internal_reductions;
    /// Late quiet moves near the horizon are skipped.
    late_move_pruning;
    /// Quiet moves that can't reach alpha are skipped.
    futility;
    /// Quiet moves that always failed are skipped.
    history_pruning;
    /// Moves that lose the exchange are skipped.
    exchange_pruning;
    /// A hash move much better than all others is searched deeper, and cuts when others are good too.
    singular;
    /// Checks that do not lose the exchange are searched deeper.
    check_extension;
    /// Late moves are searched less deep first.
    late_move_reductions;
    /// How a reduced search ends decides how deep it is repeated.
    deeper_repetition;
    /// Moves that cut at the same ply come early.
    killers;
    /// Quiet moves in the order of `[from][to]`.
    history;
    /// A bonus for a move that every reply failed against, and for one that cuts by the hash table.
    reply_history;
    /// A bonus for quiet moves by what they changed the evaluation.
    swing_history;
    /// Checks come early among the quiet moves.
    checks_early;
    /// Captures ordered by what they did before.
    capture_history;
    /// Quiet moves ordered by what they did after the moves before.
    continuation_history;
}

/// The numbers and the switches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Params {
    pub numbers: Numbers,
    pub on: Switches,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_starts_within_its_bounds_and_can_be_set() {
        let mut numbers = Numbers::default();
        for parameter in PARAMETERS {
            assert!((parameter.least..=parameter.most).contains(&parameter.value), "{}", parameter.name);
            assert!(numbers.set(parameter.name, parameter.least));
            assert!(!numbers.set(parameter.name, parameter.most + 1));
        }
        assert!(!numbers.set("no such number", 1));
    }

    #[test]
    fn every_technique_can_be_switched() {
        let mut on = Switches::default();
        assert!(TECHNIQUES.iter().all(|name| on.set(name, false)));
        assert_eq!(on, Switches::none());
    }
}
