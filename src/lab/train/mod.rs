//! Fitting the evaluation to recorded games.
//!
//! [`load`] reads games on the threads of a [`crew`], and [`samples`] is what all fits learn from. [`linear`] fits the numbers of the hand-written evaluation. A network
//! is trained as a [`model`] in floating point, by the slopes of [`gradient`], step by step in a [`trainer`], kept between days as a
//! [`checkpoint`].

pub mod checkpoint;
pub mod crew;
pub mod gradient;
pub mod labels;
pub mod linear;
pub mod load;
pub mod model;
pub mod samples;
pub mod trainer;
