//! The protocols, tried on the real program: rules of the talk, transcripts of GUIs in the field, and noise.
//!
//! No test measures time: one that fails by time has waited a minute.

mod gui;
#[cfg(target_os = "linux")]
mod memory;
mod noise;
mod opening;
mod talk;
mod transcripts;
