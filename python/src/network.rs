//! Networks: evaluation of many positions, network inputs, and files.

use crate::arrays::{KingBuckets, ONE_BUCKET, board_of, features_of, positions_of, shape};
use crate::errors::{NetworkError, os_error};
use chuhe::board::Position;
use chuhe::bytes::{MAX_FILE, read_file, replace_file};
use chuhe::eval::nnue::{self, embedded};
use chuhe::eval::{Evaluator, Nnue};
use chuhe::train::model::Model;
use numpy::{PyArray1, PyArray3, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// An efficiently updatable network (NNUE): inputs → `hidden` units for each side, clipped to 0–1 and squared
/// → one score.
///
/// `Network.embedded()` is the built-in network, `Network.load(path)` reads a file, `Network.from_weights(…)`
/// creates one from arrays.
#[pyclass(module = "chuhe", frozen, eq)]
#[derive(PartialEq)]
pub struct Network(pub Arc<nnue::Network>);

#[pymethods]
impl Network {
    /// Returns the built-in network. Raises `NetworkError` if the package was built without one.
    #[staticmethod]
    fn embedded() -> PyResult<Network> {
        embedded().map(Network).ok_or_else(|| NetworkError::new_err("this build carries no network"))
    }

    /// Reads a `.net` file. Raises `OSError` or `NetworkError`.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Network> {
        let bytes = read_file(&path, MAX_FILE).map_err(|error| os_error(&error, &path))?;
        let network = nnue::Network::decode(&bytes);
        let network = network.map_err(|error| NetworkError::new_err(format!("{}: {error}", path.display())))?;
        Ok(Network(Arc::new(network)))
    }

    /// Creates a network from floating-point weights, which are rounded to the integers used by the engine.
    ///
    /// - `input_weights`: float32, (inputs, hidden); 689 inputs per bucket; `hidden` is a multiple of
    ///   32; weights are within ±1.98
    /// - `input_bias`: float32, (hidden,)
    /// - `output_weights`: float32, (sets, 2 · hidden), the units of the side to move first; 1 set, or 8 with
    ///   `outputs="rooks"`
    /// - `output_bias`: float32, (sets,)
    /// - `scale`: centipawns for an output of 1, rounded to an integer, 1 to 65535
    ///
    /// `mirroring`, the buckets and `outputs` determine the inputs and outputs of a position; see `features`. The
    /// network has no threats. Raises `NetworkError` if shapes do not match or numbers could overflow.
    #[staticmethod]
    #[pyo3(signature = (input_weights, input_bias, output_weights, output_bias, *, scale, mirroring = "king", king_buckets = ONE_BUCKET,
                        attack_buckets = false, outputs = "one"))]
    #[expect(clippy::too_many_arguments)]
    fn from_weights(
        input_weights: PyReadonlyArray2<f32>,
        input_bias: PyReadonlyArray1<f32>,
        output_weights: PyReadonlyArray2<f32>,
        output_bias: PyReadonlyArray1<f32>,
        scale: f32,
        mirroring: &str,
        king_buckets: KingBuckets,
        attack_buckets: bool,
        outputs: &str,
    ) -> PyResult<Network> {
        let hidden = input_bias.shape()[0];
        let shape = shape(hidden, mirroring, king_buckets, attack_buckets, outputs)?;
        let sets = shape.outputs.count();
        let found = (input_weights.shape(), output_weights.shape(), output_bias.shape());
        let wanted = ([shape.inputs(), hidden], [sets, 2 * hidden], [sets]);
        if found != (&wanted.0, &wanted.1, &wanted.2) {
            return Err(NetworkError::new_err(format!("arrays of the shapes {found:?} instead of {wanted:?}")));
        }
        let arrays = [input_weights.as_array().into_dyn(), input_bias.as_array().into_dyn()];
        let outputs = [output_weights.as_array().into_dyn(), output_bias.as_array().into_dyn()];
        let parameters: Vec<f32> = arrays.iter().chain(&outputs).flat_map(|array| array.iter().copied()).collect();
        let model = Model { shape, scale, parameters };
        let fits = |number: &f32| number.is_finite() && number.abs() <= i16::MAX as f32;
        if !model.parameters.iter().all(fits) {
            return Err(NetworkError::new_err("a weight that is not a number, or too large"));
        }
        let network = model.quantised().map_err(|error| NetworkError::new_err(error.to_string()))?;
        Ok(Network(Arc::new(network)))
    }

    /// Writes a `.net` file; an existing file is replaced once the new one is complete. Raises `OSError`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        replace_file(&path, &self.0.encode()).map_err(|error| os_error(&error, &path))
    }

    /// Number of hidden units per side.
    #[getter]
    fn hidden(&self) -> usize {
        self.0.shape().hidden
    }

    /// Number of inputs per side, except threats.
    #[getter]
    fn inputs(&self) -> usize {
        self.0.shape().inputs()
    }

    /// Centipawns for an output of 1.
    #[getter]
    fn scale(&self) -> i32 {
        self.0.scale()
    }

    /// Fingerprint of the network, eight hexadecimal digits.
    #[getter]
    fn name(&self) -> String {
        self.0.name()
    }

    /// Returns the static evaluation of positions: int32, (N,), in centipawns from the point of view of the
    /// side to move.
    ///
    /// `positions` is an iterable of `Position`, `Game` or FEN. Releases the GIL while it works.
    fn evaluate<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let positions = positions_of(positions)?;
        let scores: Vec<i32> = py.detach(|| {
            let mut evaluator = Nnue::new(Arc::clone(&self.0));
            let score = |position: &Position| {
                evaluator.reset(position);
                evaluator.score(position)
            };
            positions.iter().map(score).collect()
        });
        Ok(PyArray1::from_vec(py, scores))
    }

    /// Returns the active inputs, except threats: int16, (N, 2, 32), the side to move first, padded with −1.
    ///
    /// `positions` is an iterable of `Position`, `Game` or FEN.
    fn features<'py>(&self, py: Python<'py>, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray3<i16>>> {
        let boards: Vec<_> =
            positions_of(positions)?.iter().map(|position| (board_of(position), position.side())).collect();
        features_of(py, self.0.shape(), &boards)
    }

    fn __repr__(&self) -> String {
        format!("<Network {}: {} inputs, 2 x {} hidden units>", self.0.name(), self.inputs(), self.hidden())
    }
}
