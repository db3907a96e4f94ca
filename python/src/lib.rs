//! Chuhe for Python: the native part of the package `chuhe`. Each file contains the classes of one topic;
//! `chuhe/__init__.py` exports them.

mod annotations;
mod arguments;
mod arrays;
mod books;
mod calls;
mod datasets;
mod endings;
mod engine;
mod errors;
mod game;
mod library;
mod limits;
mod mates;
mod moves;
mod network;
mod nodes;
mod notation;
mod packing;
mod pieces;
mod position;
mod records;
mod results;
mod review;
mod rules;
mod score;
mod session;
mod shared;
mod signals;

use pyo3::prelude::*;

#[pymodule]
mod _chuhe {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{
        arrays::{boards, features},
        books::Book,
        datasets::{PlayedGames, generate_games, load_samples},
        endings::Tables,
        engine::Engine,
        game::Game,
        library::Library,
        mates::{mate_pattern, shortest_mate, solve_mate},
        moves::Move,
        network::Network,
        nodes::Node,
        packing::PlayedGamesWriter,
        pieces::Piece,
        position::Position,
        records::{Record, Records, parse_records, read_records},
        review::Review,
        rules::{Rules, Ruling, SampledCycles, sample_cycles},
        score::Score,
    };

    #[pymodule_init]
    fn init(module: &Bound<PyModule>) -> PyResult<()> {
        // Loads the API of numpy. At a later first use, Ctrl-C would make it panic.
        module.py().import("numpy")?;
        numpy::PyArray1::<u8>::from_vec(module.py(), Vec::new());
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
