//! `explore check`: recomputes all values.

use super::store::StoreArgs;
use crate::cli::{Done, Failure};
use crate::translation::{language, translate};
use chuhe_board::words::Key;
use clap::Args;
use std::io::Write;

/// Maximum number of faults to print.
const SHOWN: usize = 20;

#[derive(Args)]
pub(super) struct Check {
    #[command(flatten)]
    store: StoreArgs,
}

impl Check {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let language = language();
        let checked = self.store.or_fail(self.store.open()?.check())?;
        let (positions, faults) = (checked.positions, checked.faults.len());
        if faults == 0 {
            return Ok(writeln!(out, "{}", language.say(Key::ExploredSound, &[("positions", &positions)]))?);
        }
        let counts: [(&str, &dyn std::fmt::Display); 2] = [("positions", &positions), ("faults", &faults)];
        writeln!(out, "{}", language.say(Key::ExploredFaulty, &counts))?;
        checked.faults.iter().take(SHOWN).try_for_each(|fault| writeln!(out, "  {}", translate(&fault.to_string())))?;
        Err(Failure::Check)
    }
}
