//! Positions as arrays: pieces by square, and network inputs.

use crate::arguments::{PositionArgument, Whole, value_error};
use crate::calls::items;
use chuhe::board::{Kind, Piece, Position, Side, Square};
use chuhe::eval::nnue::features::{Mirroring, Outputs, Shape, input};
use numpy::ndarray::Array;
use numpy::{PyArray2, PyArray3, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Maximum number of pieces in a position, and therefore of active inputs.
const MAX_PIECES: usize = 32;
/// Padding in the rows of positions with fewer pieces.
const NO_INPUT: i16 = -1;
/// Value of an empty square.
const EMPTY: u8 = 14;

/// The set of input weights for each location of the king.
pub type KingBuckets = [Whole<u8>; 6];
/// The same set for all locations.
pub const ONE_BUCKET: KingBuckets = [Whole(0); 6];

/// Returns the network architecture described by these arguments.
pub fn shape(
    hidden: usize,
    mirroring: &str,
    king_buckets: KingBuckets,
    attack_buckets: bool,
    outputs: &str,
) -> PyResult<Shape> {
    let mirroring = match mirroring {
        "king" => Mirroring::King,
        "wings" => Mirroring::Wings,
        _ => return Err(value_error(format!("unknown mirroring {mirroring:?}; use king or wings"))),
    };
    let outputs = match outputs {
        "one" => Outputs::One,
        "rooks" => Outputs::Rooks,
        _ => return Err(value_error(format!("unknown choice of outputs {outputs:?}; use one or rooks"))),
    };
    let king_buckets = king_buckets.map(|bucket| bucket.0);
    if king_buckets.iter().any(|&bucket| bucket > 5) {
        return Err(value_error("king buckets are numbered from 0 to 5"));
    }
    Ok(Shape { king_buckets, attack_buckets, ..Shape::new(hidden, mirroring, outputs) })
}

/// Returns the positions of an iterable of `Position`, `Game` or FEN.
pub fn positions_of(given: &Bound<PyAny>) -> PyResult<Vec<Position>> {
    items(given)?.iter().map(|item| Ok(item.extract::<PositionArgument>()?.0)).collect()
}

/// Returns the index of the piece on each square: 0 to 13, or 14 if the square is empty.
pub fn board_of(position: &Position) -> [u8; 90] {
    Square::ALL.map(|square| position.piece_on(square).map_or(EMPTY, |piece| piece.index() as u8))
}

/// Fills a row with the active inputs of a board for the side to move and for the opponent, padded with −1.
fn inputs(shape: &Shape, board: &[u8; 90], mover: Side, row: &mut [i16]) -> Option<()> {
    let pieces =
        || Square::ALL.into_iter().filter_map(|at| Some((*Piece::ALL.get(usize::from(board[at.index()]))?, at)));
    for (side, row) in [mover, !mover].into_iter().zip(row.chunks_mut(MAX_PIECES)) {
        let (_, king) = pieces().find(|&(piece, _)| piece == Piece::new(side, Kind::King))?;
        let weight = pieces().map(|(piece, square)| shape.mirror_weight(side, piece, square)).sum();
        let has = |kinds: &[Kind]| pieces().any(|(piece, _)| piece.side() == side && kinds.contains(&piece.kind()));
        let attackers = [has(&[Kind::Rook]), has(&[Kind::Horse, Kind::Cannon])];
        let view = shape.view(side, king, weight, attackers);
        for (slot, (piece, square)) in row.iter_mut().zip(pieces()) {
            *slot = input(side, view, piece, square) as i16;
        }
    }
    Some(())
}

/// Returns the active inputs for boards as an array.
pub fn features_of<'py>(
    py: Python<'py>,
    shape: &Shape,
    boards: &[([u8; 90], Side)],
) -> PyResult<Bound<'py, PyArray3<i16>>> {
    let mut rows = vec![NO_INPUT; boards.len() * 2 * MAX_PIECES];
    py.detach(|| {
        let boards = boards.iter().zip(rows.chunks_mut(2 * MAX_PIECES));
        boards.map(|((board, mover), row)| inputs(shape, board, *mover, row)).collect::<Option<()>>()
    })
    .ok_or_else(|| value_error("a board without a king"))?;
    let array = Array::from_shape_vec((boards.len(), 2, MAX_PIECES), rows).map_err(value_error)?;
    Ok(PyArray3::from_owned_array(py, array))
}

/// Returns boards as an array: uint8, (N, 90), with the `Piece.index` of the piece on each square, or 14 if
/// the square is empty.
///
/// `positions` is an iterable of `Position`, `Game` or FEN.
#[pyfunction]
pub fn boards<'py>(py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let positions = positions_of(positions)?;
    let squares: Vec<u8> = positions.iter().flat_map(board_of).collect();
    let array = Array::from_shape_vec((positions.len(), 90), squares).map_err(value_error)?;
    Ok(PyArray2::from_owned_array(py, array))
}

/// Returns the active inputs of a network, except threats: int16, (N, 2, 32), the side to move first, padded
/// with −1.
///
/// `boards` is uint8, (N, 90), as returned by `chuhe.boards`; `turns` is bool, (N,), `True` if Red is to
/// move. `mirroring` is `"king"` (left and right are swapped if the side's king is on the right) or `"wings"`
/// (a position and its mirror image have the same inputs); `king_buckets` contains the king bucket for each
/// location of the side's king: the index is twice the rank (0 to 2 from the side's edge), plus 1 on the middle
/// file; with `attack_buckets`, each is divided into four by whether the side has rooks, and horses or cannons.
/// Each bucket has 689 inputs. Raises `ValueError` for arrays that do not represent positions.
#[pyfunction]
#[pyo3(signature = (boards, turns, *, mirroring = "king", king_buckets = ONE_BUCKET, attack_buckets = false))]
pub fn features<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<u8>,
    turns: PyReadonlyArray1<bool>,
    mirroring: &str,
    king_buckets: KingBuckets,
    attack_buckets: bool,
) -> PyResult<Bound<'py, PyArray3<i16>>> {
    let shape = shape(32, mirroring, king_buckets, attack_buckets, "one")?;
    let (boards, turns) = (boards.as_array(), turns.as_array());
    if boards.shape() != [turns.len(), 90] {
        return Err(value_error(format!("boards are {:?} and turns {:?}", boards.shape(), turns.shape())));
    }
    let board = |(row, &turn): (numpy::ndarray::ArrayView1<u8>, &bool)| {
        let mut board = [EMPTY; 90];
        board.iter_mut().zip(row).for_each(|(square, &piece)| *square = piece);
        let side = if turn { Side::Red } else { Side::Black };
        is_a_board(&board).then_some((board, side))
    };
    let boards: Option<Vec<_>> = boards.rows().into_iter().zip(turns).map(board).collect();
    features_of(py, &shape, &boards.ok_or_else(|| value_error("a board that is no position"))?)
}

/// Returns `true` if every piece is on a legal square and each side has one king; only such boards have
/// inputs.
fn is_a_board(board: &[u8; 90]) -> bool {
    let mut setup = chuhe::board::Setup::empty();
    for (slot, &number) in setup.board.iter_mut().zip(board) {
        match Piece::ALL.get(usize::from(number)) {
            piece if number <= EMPTY => *slot = piece.copied(),
            _ => return false,
        }
    }
    use chuhe::board::Impossible::{KingMissing, Misplaced, TooMany};
    !setup.impossibilities().iter().any(|fault| matches!(fault, KingMissing(_) | TooMany(..) | Misplaced(..)))
}
