//! The protocols, tried on the real program: rules of the talk, transcripts of GUIs in the field, and noise.
//!
//! No test measures time: one that fails by time has waited a minute.

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
