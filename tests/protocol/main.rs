//! Tests of the protocols with the real program: rules of the session, transcripts of GUIs, and random input.
//!
//! The tests do not measure time; a test that fails by timeout has waited for a minute.

mod gui;
#[cfg(target_os = "linux")]
mod memory;
mod noise;
mod opening;
#[path = "../program/run.rs"]
mod run;
mod talk;
mod transcripts;
