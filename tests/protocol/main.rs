//! Tests of the protocols with the real program: rules of the session, transcripts of GUIs, and random input.
//!
//! The tests do not measure time; a test that fails by timeout has waited for a minute.

#[path = "../program/calls.rs"]
#[allow(dead_code)]
mod calls;
mod gui;
#[cfg(target_os = "linux")]
mod memory;
mod noise;
mod opening;
mod talk;
mod transcripts;
