//! Capabilities of the terminal.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// Returns `true` if results may be coloured: standard output is a terminal with colours, and `NO_COLOR` is
/// unset or empty (<https://no-color.org>).
pub(crate) fn colour() -> bool {
    std::io::stdout().is_terminal() && colour_in(|name| std::env::var_os(name))
}

fn colour_in<Value: AsRef<OsStr>>(variable: impl Fn(&str) -> Option<Value>) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.as_ref().is_empty());
    // Older Windows consoles print the codes literally; environment variables identify newer consoles.
    let knows_colour = match variable("TERM") {
        Some(name) => name.as_ref() != "dumb",
        None => cfg!(windows) && ["WT_SESSION", "ANSICON", "ConEmuANSI"].into_iter().any(is_set),
    };
    knows_colour && !is_set("NO_COLOR")
}

/// Returns the width of the terminal on standard output, or `COLUMNS` if it is not a terminal; `None` if
/// unlimited.
pub(crate) fn width() -> Option<usize> {
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) => Some(usize::from(width.0)),
        None => std::env::var("COLUMNS").ok()?.parse().ok(),
    }
}

/// Returns the width of standard error; `None` if it is not a terminal.
pub(crate) fn error_width() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_needs_a_terminal_that_knows_it_and_no_veto() {
        let colour = |term: &'static str, veto: &'static str| {
            colour_in(|name| match name {
                "TERM" => Some(term),
                "NO_COLOR" => Some(veto),
                _ => None,
            })
        };
        assert!(colour("xterm", ""));
        assert!(!colour("xterm", "1"));
        assert!(!colour("dumb", ""));
    }
}
