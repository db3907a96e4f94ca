//! Signals to processes on Unix.

use std::process::{Child, Command};

/// Sends a signal to a program.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}
