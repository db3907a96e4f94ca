//! Time of an external engine for a move.

use crate::desk::{ClockText, LimitText};
use chuhe_board::Side;
use chuhe_board::rules::Game;
use chuhe_lab::arena::dialect::{Clock, Clocks};
use chuhe_lab::arena::player::{Limit, Player};
use std::time::Duration;

/// Maximum duration of a search without a clock, the same as for Chuhe itself.
pub(super) const MAX_TIME: Duration = Duration::from_secs(300);
/// Time per move without a clock, unless the request or the engine has its own limit.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// Maximum time on a clock in milliseconds.
const MAX_CLOCK: u64 = 86_400_000;

/// Time for a move.
pub(super) struct PlayTime {
    /// The player with its limit for this move.
    pub player: Player,
    pub clocks: Clocks,
    /// Time after which the engine is stopped.
    pub most: Duration,
    /// Number of nodes after which the engine is stopped.
    pub nodes: Option<u64>,
}

impl PlayTime {
    /// Returns the time for a move: by the clocks, by the limit of the request, or else by that of the
    /// player.
    pub(super) fn new(player: &Player, game: &Game, clock: Option<&ClockText>, limit: Option<&LimitText>) -> PlayTime {
        let mut time = PlayTime { player: player.clone(), clocks: Clocks::default(), most: MAX_TIME, nodes: None };
        let limit = match (clock, limit, player.limit) {
            (Some(clock), ..) => {
                time.set_clocks(clock, game.position().side());
                return time;
            }
            (None, Some(&LimitText { time_ms, nodes, depth }), _) => {
                time.nodes = nodes;
                time.most = time_ms.map_or(MAX_TIME, Duration::from_millis).min(MAX_TIME);
                let counted = depth.map(|depth| Limit::Depth(depth.max(1))).or(nodes.map(Limit::Nodes));
                counted.unwrap_or(Limit::MoveTime(time.most))
            }
            (None, None, Limit::Clock { .. }) => Limit::MoveTime(MOVE_TIME),
            (None, None, limit) => limit,
        };
        time.player.limit = limit;
        // The engine enforces this time itself, so it is stopped only after an additional timeout.
        if let Limit::MoveTime(own) = limit {
            time.most = own + player.patience;
        }
        time
    }

    fn set_clocks(&mut self, clock: &ClockText, side: Side) {
        let own = |left: u64| {
            let [left, increment] = [left, clock.inc_ms].map(|ms| Duration::from_millis(ms.min(MAX_CLOCK)));
            Some(Clock { left, increment, moves: clock.moves.map(|moves| moves.max(1)) })
        };
        self.player.limit = Limit::Clock { moves: None, base: MOVE_TIME, increment: Duration::ZERO };
        self.clocks = Clocks([own(clock.red_ms), own(clock.black_ms)]);
        let left = if side == Side::Red { clock.red_ms } else { clock.black_ms };
        self.most = Duration::from_millis(left.min(MAX_CLOCK));
    }
}
