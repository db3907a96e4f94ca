//! `chuhe train --linear`: fits the weights of the hand-written evaluation.

use super::Train;
use crate::cli::Done;
use crate::output::Progress;
use crate::translation::translate;
use chuhe_lab::train::crew::Crew;
use chuhe_lab::train::linear;
use chuhe_lab::train::load::Loaded;
use std::io::Write;

impl Train {
    pub(super) fn fit_weights(&self, loaded: &Loaded, crew: &Crew, out: &mut dyn Write) -> Done {
        let defaults = linear::Options::default();
        let options = linear::Options {
            epochs: self.epochs.map_or(defaults.epochs, usize::from),
            batch: self.batch.map_or(defaults.batch, |batch| batch as usize),
            rate: self.rate.unwrap_or(defaults.rate),
            result_weight: self.result_weight.first().copied().unwrap_or(defaults.result_weight),
            prior: self.prior,
            seed: self.seed,
        };
        let bar = Progress::new(options.epochs as u64, "epochs");
        let fit = linear::fit(&loaded.samples.training, loaded.samples.test(), &options, crew, |_, loss| {
            bar.advance(1);
            bar.note(format!("loss {loss:.5}"));
        });
        drop(bar);
        let of = if loaded.samples.held_out.is_empty() { "the training games" } else { "held-out games" };
        let mut lines = vec![format!("cross entropy against the results of {of}:")];
        for (name, table) in [("before", &fit.before), ("after", &fit.after)] {
            lines.push(format!("  {name}: {:.5} at a scale of {:.0}", table.loss, table.scale));
        }
        lines.push(format!("  by the scores of the searches: {:.5}", fit.loss_of_scores));
        lines.push(format!("{} terms never occurred and are unchanged", fit.unseen));
        let source = linear::source(&fit.after.weights, fit.after.tempo);
        // A closed pipe must not discard the result.
        if let Some(path) = &self.out {
            self.output.write(path, source.as_bytes())?;
        }
        writeln!(out, "{}", translate(&lines.join("\n")))?;
        if self.out.is_none() {
            write!(out, "\n{source}")?;
        }
        Ok(())
    }
}
