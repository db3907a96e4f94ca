//! Fitting the evaluation to recorded games.
//!
//! [`load`] reads games on the threads of a [`crew`] into [`samples`]. [`linear`] fits the weights of the
//! hand-written evaluation. A network is trained as a floating-point [`model`] by a [`trainer`], which
//! follows the [`gradient`] step by step and saves its state as a [`checkpoint`].

mod adam;
pub mod checkpoint;
pub mod crew;
pub mod gradient;
pub mod labels;
pub mod linear;
pub mod load;
pub mod model;
pub mod samples;
pub mod trainer;
