//! First position of a record: a playable position, or the board of a diagram.

use super::diagram::Diagram;
use super::fault::{Location, Problem, RecordFault};
use super::record::Record;
use chuhe_board::{FenError, Impossible, Kind, Move, Position, Setup};

/// First position of a record that is being read.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Position from which moves are read; meaningless unless `can_move` is set.
    pub position: Position,
    /// `true` if the board allows moves.
    pub can_move: bool,
    /// Board that no game can reach, with the reasons; `None` if the position is playable.
    unplayable: Option<(Setup, Vec<Impossible>)>,
    /// Location of the board in the file.
    location: Location,
}

impl From<Position> for Start {
    fn from(position: Position) -> Start {
        Start { position, can_move: true, unplayable: None, location: Location::Byte(0) }
    }
}

impl Start {
    /// Creates the first position from a board at `location` in the file. If the stored side to move is
    /// impossible, the other side is used.
    pub(crate) fn of_board(setup: &Setup, location: Location) -> Start {
        let turned = Setup { side: !setup.side, ..setup.clone() };
        match Position::new(setup).or_else(|reasons| Position::new(&turned).map_err(|_| reasons)) {
            Ok(position) => Start { location, ..position.into() },
            Err(reasons) => Start::unplayable(setup, reasons, location),
        }
    }

    /// Creates the first position from a FEN, whose side to move is not corrected.
    pub(crate) fn of_fen(fen: &str, location: Location) -> Result<Start, Problem> {
        let setup: Setup = fen.parse().map_err(|bad| Problem::Fen(FenError::Text(bad)))?;
        Ok(match Position::new(&setup) {
            Ok(position) => Start { location, ..position.into() },
            Err(reasons) => Start::unplayable(&setup, reasons, location),
        })
    }

    fn unplayable(setup: &Setup, reasons: Vec<Impossible>, location: Location) -> Start {
        let position = Position::of_diagram(setup);
        Start {
            can_move: position.is_some(),
            position: position.unwrap_or_else(Position::start),
            unplayable: Some((setup.clone(), reasons)),
            location,
        }
    }

    /// Sets the side to move according to the first move, since some programs do not store the side. Does
    /// nothing if the board allows no moves: `record.start` has another board in that case.
    pub(crate) fn turn_to_the_mover(&mut self, record: &mut Record, first: Option<Move>) {
        let first = first.filter(|_| self.can_move);
        let Some((first, piece)) = first.and_then(|first| Some((first, record.start.piece_on(first.from)?))) else {
            return;
        };
        let side = piece.side();
        if side == record.start.side() {
            return;
        }
        let setup = Setup { side, ..record.start.setup() };
        if let Ok(start) = Position::new(&setup) {
            record.start = start;
            self.unplayable = None;
        } else if let Some(start) = Position::of_diagram(&setup).filter(|start| is_move(start, first)) {
            record.start = start;
            self.unplayable = Some((setup.clone(), setup.impossibilities()));
        }
    }

    /// Returns `true` if the board is a diagram.
    pub(crate) fn is_diagram(&self) -> bool {
        self.unplayable.is_some()
    }

    /// Returns the record, or an error with its readable part. A diagram is always an error, whose reason is
    /// `fault` or, if there is none, the impossible board.
    pub(crate) fn finish(self, record: Record, fault: Option<RecordFault>) -> Result<Record, RecordFault> {
        match (self.unplayable, fault) {
            (None, None) => Ok(record),
            (None, Some(fault)) => Err(fault.with_game(record)),
            (Some((setup, reasons)), fault) => {
                let problem = Problem::Fen(FenError::Impossible(reasons.clone()));
                let fault =
                    fault.unwrap_or(RecordFault { location: self.location, problem, game: None, diagram: None });
                let Record { tags, tree, result, .. } = record;
                Err(RecordFault { diagram: Some(Box::new(Diagram { tags, setup, reasons, tree, result })), ..fault })
            }
        }
    }
}

/// Returns `true` if a record may contain a move: the move is legal and does not capture a king, which is
/// possible only in a diagram.
pub(super) fn is_move(position: &Position, mv: Move) -> bool {
    position.is_legal(mv) && position.piece_on(mv.to).is_none_or(|piece| piece.kind() != Kind::King)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::RecordReader;
    use chuhe_board::notation::NoSuchMove;
    use std::io::Cursor;

    #[test]
    fn a_bad_move_of_a_diagram_is_reported_with_its_place() {
        // The side to move gives check.
        let diagram = "4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1";
        for text in [
            format!("[FEN \"{diagram}\"]\n1. e1e2 e9f9\n2. a0a1 *\n"),
            format!("# moves\n\nposition fen {diagram} moves e1e2 e9f9 a0a1\n"),
        ] {
            let mut games = RecordReader::new(Cursor::new(text.clone().into_bytes())).expect("records");
            let fault = games.next().expect("a record").expect_err("a diagram");
            assert_eq!(
                (fault.location, &fault.problem),
                (Location::Line(3), &Problem::Move("a0a1".into(), NoSuchMove::Illegal))
            );
            assert_eq!(fault.diagram.expect("a diagram").tree.main_line().count(), 2, "{text}");
        }
    }

    #[test]
    fn a_board_without_a_king_stays_a_diagram_whatever_its_moves() {
        let board = "8979695949392919097717866646260600102030995060708012720323436383";
        for moves in ["1022", "7747"] {
            let text = format!(
                "[DhtmlXQ]\n[DhtmlXQ_binit]{board}[/DhtmlXQ_binit]\n[DhtmlXQ_movelist]{moves}[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n"
            );
            let mut games = RecordReader::new(Cursor::new(text.into_bytes())).expect("records");
            let fault = games.next().expect("a record").expect_err("a diagram");
            let diagram = fault.diagram.unwrap_or_else(|| panic!("{moves} is no diagram"));
            assert_eq!(diagram.setup.board.iter().flatten().count(), 31);
        }
    }

    #[test]
    fn a_position_that_becomes_a_diagram_keeps_its_location() {
        // The move shows that Red is to move, but Red already gives check.
        let text = "[DhtmlXQ]\n[DhtmlXQ_title]t[/DhtmlXQ_title]\n[DhtmlXQ_fen]4k4/9/9/9/9/9/9/9/9/3KR4 b[/DhtmlXQ_fen]\n[DhtmlXQ_movelist]4948[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";
        let mut games = RecordReader::new(Cursor::new(text.as_bytes().to_vec())).expect("records");
        let fault = games.next().expect("a record").expect_err("a diagram");
        assert_eq!(fault.location, Location::Line(3));
    }
}
