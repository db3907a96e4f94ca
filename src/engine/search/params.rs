//! All tunable parameters of the search, each declared once as name = value, minimum, maximum, step; and a
//! switch for every technique.

/// A tunable parameter.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Parameter {
    pub name: &'static str,
    pub value: i32,
    pub least: i32,
    pub most: i32,
    /// Smallest change with a measurable effect, for tuners.
    pub step: i32,
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $least:literal, $most:literal, $step:literal;)*) => {
        /// Parameter values.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Numbers {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Numbers {
            fn default() -> Numbers {
                Numbers { $($name: $value),* }
            }
        }

        /// All parameters with their bounds, in order.
        pub const PARAMETERS: &[Parameter] = &[
            $(Parameter { name: stringify!($name), value: $value, least: $least, most: $most, step: $step }),*
        ];

        impl Numbers {
            /// Returns the parameters clamped to their bounds.
            pub fn in_range(&self) -> Numbers {
                Numbers { $($name: self.$name.clamp($least, $most)),* }
            }

            /// Sets a parameter by name; returns `false` if the name is unknown or the value out of bounds.
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
    /// Half the width of the first aspiration window, in centipawns.
    aspiration_window = 25, 8, 100, 4;
    /// Size of the aspiration window after a failure, in per cent of the previous size.
    aspiration_growth = 134, 110, 250, 10;
    /// Reverse futility pruning: margin per ply.
    reverse_futility_margin = 130, 30, 200, 8;
    /// Reverse futility pruning: maximum depth.
    reverse_futility_depth = 12, 3, 20, 1;
    /// Razoring: margin at depth 0.
    razoring_base = 252, 50, 600, 30;
    /// Razoring: margin per squared depth.
    razoring_slope = 181, 50, 400, 20;
    /// Null move: reduction at depth 0.
    null_move_base = 3, 2, 6, 1;
    /// Null move: depth per additional ply of reduction.
    null_move_divisor = 2, 2, 6, 1;
    /// Null move: evaluation above beta per additional ply of reduction.
    null_move_margin = 216, 80, 500, 20;
    /// Null move: minimum depth for verification.
    null_move_verified_from = 14, 6, 30, 1;
    /// ProbCut: margin above beta for the reduced search.
    probcut_margin = 186, 60, 400, 15;
    /// Late move pruning: number of moves at depth 0.
    late_move_base = 5, 1, 10, 1;
    /// Futility pruning: margin at depth 0.
    futility_base = 110, 20, 300, 12;
    /// Futility pruning: margin per ply.
    futility_slope = 100, 30, 250, 10;
    /// Futility pruning: history per centipawn.
    futility_history = 109, 20, 500, 10;
    /// Futility pruning of captures: margin at depth 0.
    capture_futility_base = 200, 0, 600, 20;
    /// Futility pruning of captures: margin per ply.
    capture_futility_slope = 180, 30, 400, 15;
    /// Pruning near the horizon: history per ply of depth.
    pruning_history = 8450, 3000, 30000, 600;
    /// Exchange pruning of quiet moves: maximum loss per squared depth.
    exchange_quiet = 21, 5, 80, 4;
    /// Exchange pruning of captures and checks: maximum loss per ply.
    exchange_capture = 112, 30, 300, 10;
    /// History pruning: negated minimum history per ply.
    history_pruning_margin = 2661, 500, 8000, 250;
    /// Singular extension: margin per ply, in sixteenths.
    singular_margin = 27, 4, 80, 4;
    /// Double extension: margin below the singular window.
    double_margin = 23, 5, 80, 4;
    /// Late move reduction: base, in hundredths of a ply.
    reduction_base = 64, 0, 200, 10;
    /// Late move reduction: divisor of ln(depth) · ln(number), in hundredths.
    reduction_divisor = 204, 120, 400, 12;
    /// Late move reduction: history score that decreases the reduction by one ply.
    reduction_history = 8780, 3000, 20000, 600;
    /// Late move reduction: increase at nodes where a fail-high is expected, in 1/1024 plies.
    reduction_cut = 1442, 0, 3000, 120;
    /// Late move reduction: decrease if the node was ever searched in an open window, in 1/1024 plies.
    reduction_was_pv = 1066, 0, 2500, 100;
    /// Late move reduction: decrease in an open window, in 1/1024 plies.
    reduction_pv = 457, 0, 2500, 100;
    /// Late move reduction: decrease for checks, in 1/1024 plies.
    reduction_check = 1084, 0, 2500, 100;
    /// Late move reduction: increase if the evaluation does not improve, in 1/1024 plies.
    reduction_worsening = 574, 0, 2000, 100;
    /// Late move reduction: increase if the hash move is a capture, in 1/1024 plies.
    reduction_hash_takes = 1107, 0, 2500, 120;
    /// Late move reduction: increase if several nodes of the next ply were cut off, in 1/1024 plies.
    reduction_cutoffs = 1110, 0, 2500, 120;
    /// Margin above the best score at which a re-search is one ply deeper.
    deeper_margin = 48, 10, 200, 8;
    /// Order of quiet moves: bonus for checks.
    check_bonus = 12000, 0, 30000, 1500;
    /// History: bonus for the move that caused a cutoff, per squared depth.
    history_bonus = 14, 0, 60, 3;
    /// History: bonus for the move that caused a cutoff, per ply.
    history_bonus_slope = 60, 0, 400, 20;
    /// History: maximum bonus.
    history_bonus_most = 1681, 400, 6000, 150;
    /// History: malus for the moves tried before a cutoff, per squared depth.
    history_malus = 14, 0, 60, 3;
    /// History: malus for the moves tried before a cutoff, per ply.
    history_malus_slope = 60, 0, 400, 20;
    /// History: maximum malus.
    history_malus_most = 1681, 400, 6000, 150;
    /// History: bonus for a move to which every reply failed low, per squared depth.
    reply_bonus = 9, 1, 200, 6;
    /// History: maximum bonus for a move to which every reply failed low.
    reply_bonus_most = 1200, 400, 6000, 150;
    /// History: bonus per centipawn of evaluation change, in sixteenths.
    swing_bonus = 19, 1, 800, 16;
    /// History: maximum bonus or malus for an evaluation change.
    swing_bonus_most = 1500, 400, 6000, 150;
    /// History: evaluation change in centipawns after a neutral move; positive because having the move is an
    /// advantage.
    swing_neutral = 17, 0, 80, 4;
    /// Quiescence: number of quiet evasions tried after an evasion that saves the king.
    evasions = 2, 1, 8, 1;
    /// Quiescence: margin below alpha within which captures are searched.
    quiescence_margin = 178, 40, 400, 15;
    /// Correction history: weight of each correction, in 1/128.
    correction_weight = 20, 5, 80, 3;
}

/// Depth limits of techniques, in plies. They are not tuned, since a ply is too coarse a step for SPSA.
pub(crate) mod depths {
    /// Maximum depth of razoring. At greater depth, quiet moves may still recover the deficit.
    pub(crate) const RAZORING_TO: i32 = 3;
    /// Minimum depth of null moves. Closer to the horizon, reverse futility pruning achieves almost the same
    /// without a search.
    pub(crate) const NULL_MOVE_FROM: i32 = 3;
    /// Minimum depth of ProbCut, at which the reduced search is deep enough to be reliable.
    pub(crate) const PROBCUT_FROM: i32 = 5;
    /// Reduction of ProbCut in plies, including the capture.
    pub(crate) const PROBCUT_REDUCTION: i32 = 4;
    /// Minimum depth of internal reductions.
    pub(crate) const INTERNAL_REDUCTION_FROM: i32 = 4;
    /// Maximum depth of late move pruning.
    pub(crate) const LATE_MOVE_PRUNING_TO: i32 = 20;
    /// Maximum reduced depth of futility pruning.
    pub(crate) const FUTILITY_TO: i32 = 10;
    /// Maximum reduced depth of futility pruning of captures.
    pub(crate) const CAPTURE_FUTILITY_TO: i32 = 6;
    /// Maximum reduced depth of history pruning.
    pub(crate) const HISTORY_PRUNING_TO: i32 = 4;
    /// Maximum depth of exchange pruning.
    pub(crate) const EXCHANGE_PRUNING_TO: i32 = 20;
    /// Minimum depth of singular extensions. At lower depths, a search to half the depth does not distinguish
    /// moves.
    pub(crate) const SINGULAR_FROM: i32 = 6;
    /// Maximum difference between the depth of a node and the depth of its hash entry, for ProbCut
    /// and singular searches.
    pub(crate) const ENTRY_SLACK: i32 = 3;
    /// Minimum depth of check extensions. Closer to the horizon, checks are so frequent that extending them
    /// enlarges the tree without benefit.
    pub(crate) const CHECK_EXTENSION_FROM: i32 = 8;
    /// Minimum depth of late move reductions.
    pub(crate) const REDUCTION_FROM: i32 = 2;
}

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        /// Switches of all techniques; all are on by default.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Switches {
            $($(#[$doc])* pub $name: bool,)*
        }

        impl Default for Switches {
            fn default() -> Switches {
                Switches { $($name: true),* }
            }
        }

        /// Names of all techniques.
        pub const TECHNIQUES: &[&str] = &[$(stringify!($name)),*];

        impl Switches {
            /// Returns the switches with every technique off; the search then returns the minimax value.
            pub fn none() -> Switches {
                Switches { $($name: false),* }
            }

            /// Sets a switch by name; returns `false` if the name is unknown.
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
    /// Aspiration windows.
    aspiration;
    /// Hash table.
    hash_table;
    /// Repetition, natural limit and dead positions within the tree.
    rules;
    /// Mate distance pruning.
    mate_distance;
    /// Tablebases.
    tablebases;
    /// Mate solver before the first iteration.
    mates;
    /// Quiescence search: captures and evasions beyond the horizon.
    quiescence;
    /// Safe quiet checks at the first ply of quiescence.
    quiet_checks;
    /// Evasion pruning: once a move saves the king, quiescence tries only the first quiet evasions and no
    /// losing captures.
    evasion_pruning;
    /// Corrections of the evaluation from searches of similar positions.
    correction_history;
    /// Razoring: quiescence for hopeless nodes near the horizon.
    razoring;
    /// Reverse futility pruning of nodes far above beta near the horizon.
    reverse_futility;
    /// Null move pruning.
    null_move;
    /// ProbCut: cutoffs by captures above beta at reduced depth.
    probcut;
    /// Reduction of nodes without a hash move.
    internal_reductions;
    /// Late move pruning near the horizon.
    late_move_pruning;
    /// Futility pruning of quiet moves that cannot reach alpha.
    futility;
    /// History pruning of quiet moves that consistently failed.
    history_pruning;
    /// Exchange pruning of moves that lose the exchange.
    exchange_pruning;
    /// Singular extensions and multi-cut.
    singular;
    /// Extension of checks that do not lose the exchange.
    check_extension;
    /// Late move reductions.
    late_move_reductions;
    /// Adjustment of the depth of a re-search by the result of the reduced search.
    deeper_repetition;
    /// Killer moves.
    killers;
    /// Quiet history, indexed by `[from][to]`.
    history;
    /// Bonus for moves to which every reply failed low.
    reply_history;
    /// Bonus for moves that cause cutoffs through the hash table.
    hash_history;
    /// Bonus or malus for quiet moves according to the change of evaluation.
    swing_history;
    /// Early ordering of checks among the quiet moves.
    checks_early;
    /// Capture history.
    capture_history;
    /// Continuation histories.
    continuation_history;
}

/// Parameters and switches of the search.
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
