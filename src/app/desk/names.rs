//! Moves in all three notations.

use chuhe_board::notation::{Form, write};
use chuhe_board::{Move, Position};
use serde::Serialize;

/// A move in the notations used by players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub(crate) struct MoveNames {
    pub iccs: String,
    pub wxf: String,
    pub chinese: String,
}

impl MoveNames {
    /// Returns the names of a legal move.
    pub(crate) fn of(position: &Position, mv: Move) -> MoveNames {
        let [iccs, wxf, chinese] = Form::ALL.map(|form| write(position, mv, form));
        MoveNames { iccs, wxf, chinese }
    }
}

/// Moves of a line in the notations used by players.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct LineNames {
    iccs: Vec<String>,
    wxf: Vec<String>,
    chinese: Vec<String>,
}

impl LineNames {
    /// Returns the names of consecutive moves.
    pub(crate) fn of(position: &Position, line: &[Move]) -> LineNames {
        let (mut position, mut names) = (position.clone(), LineNames::default());
        for &mv in line {
            let MoveNames { iccs, wxf, chinese } = MoveNames::of(&position, mv);
            names.iccs.push(iccs);
            names.wxf.push(wxf);
            names.chinese.push(chinese);
            position.make(mv);
        }
        names
    }
}
