//! Training data: games that the engine plays against itself, how they are kept, and what of them is fit for training.
//!
//! [`records`] is the form on disk, [`filter`] what a trainer leaves out, [`census`] a look at what there is. [`selfplay`] plays the games into the files of a [`run`],
//! from the starts of [`openings`], under the limits of [`adjudication`].

pub mod adjudication;
pub mod census;
pub mod end;
pub mod filter;
pub mod openings;
pub mod pgn;
pub mod records;
pub mod run;
pub mod selfplay;
pub mod source;
