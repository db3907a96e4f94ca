//! Training of a network: starting or resuming, epochs, and the files written after each epoch.

use super::{Choice, Mirror, Train};
use crate::cli::input::read_bytes;
use crate::cli::output::{shown, write_own};
use crate::cli::{Done, Failure, interrupt};
use crate::output::{Align, Plot, Progress, Series, pad};
use crate::translation::translate;
use chuhe_engine::eval::Network;
use chuhe_engine::eval::nnue::features::{Mirroring, Outputs, Shape};
use chuhe_lab::train::crew::Crew;
use chuhe_lab::train::load::Loaded;
use chuhe_lab::train::model::{Model, quantisation_error};
use chuhe_lab::train::samples::scale_of_scores;
use chuhe_lab::train::trainer::{Epoch, Schedule, Trainer};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Number of hidden units of a new network.
const DEFAULT_HIDDEN: u16 = 128;

/// Checks that the number of units connected to the threats does not exceed that of hidden units.
fn check_threat_units(threat_units: usize, hidden: usize) -> Result<(), Failure> {
    if threat_units <= hidden {
        return Ok(());
    }
    Err(Failure::at("--threat-units", format!("at most the {hidden} hidden units")))
}

impl Train {
    /// Returns the run to continue, or the network to start from.
    pub(super) fn load_start(&self) -> Result<Option<Trainer>, Failure> {
        let path = match &self.from {
            Some(from) => from.clone(),
            None if self.resume => self.path("checkpoint"),
            None => {
                let hidden = self.hidden.unwrap_or(DEFAULT_HIDDEN);
                check_threat_units(self.threat_units.unwrap_or(0).into(), hidden.into())?;
                return Ok(None);
            }
        };
        let bytes = read_bytes(&path)?;
        let trainer = Trainer::decode(&bytes).map_err(|error| Failure::at(path.display(), error))?;
        let known = &trainer.model;
        let hidden = self.hidden.map_or(known.shape.hidden, usize::from);
        let outputs = self.outputs.map_or(known.shape.outputs, Choice::outputs);
        let king_buckets = self.king_buckets.map_or(known.shape.king_buckets, |sets| sets.0);
        let attack_buckets = self.attack_buckets || known.shape.attack_buckets;
        let Shape { hidden: units, outputs: sets, mirroring, .. } = known.shape;
        let (sets, buckets, threats) = (sets.count(), known.shape.bucket_count(), known.shape.threat_units);
        let form = format!("{units} hidden units, {sets} outputs, {buckets} buckets, {threats} units with threats");
        // Neither can be changed without training from the beginning.
        if self.mirroring.is_some_and(|mirror| mirror.mirroring() != mirroring) {
            let name = format!("{mirroring:?}").to_lowercase();
            return Err(Failure::at(path.display(), format!("its mirroring is {name}: --mirroring cannot change it")));
        }
        if self.scale.is_some_and(|scale| f32::from(scale) != known.scale) {
            return Err(Failure::at(path.display(), format!("its scale is {}: --scale cannot change it", known.scale)));
        }
        let threat_units = self.threat_units.map_or(known.shape.threat_units, usize::from);
        let shape = Shape { hidden, mirroring, king_buckets, attack_buckets, threat_units, outputs };
        check_threat_units(threat_units, hidden)?;
        if self.resume {
            let same = shape == known.shape;
            let said = format!("it has {form}: a run must continue with its own architecture");
            return if same { Ok(Some(trainer)) } else { Err(Failure::at(path.display(), said)) };
        }
        let widened = known.widened(shape, self.seed);
        widened.map(Trainer::new).map(Some).ok_or_else(|| {
            Failure::at(
                path.display(),
                format!("it has {form}: --hidden, --outputs, buckets and --threat-units can only add to it"),
            )
        })
    }

    pub(super) fn new_trainer(&self, loaded: &Loaded) -> Trainer {
        let mirroring = self.mirroring.map_or(Mirroring::King, Mirror::mirroring);
        let outputs = self.outputs.map_or(Outputs::One, Choice::outputs);
        let mut shape = Shape::new(self.hidden.unwrap_or(DEFAULT_HIDDEN).into(), mirroring, outputs);
        shape.king_buckets = self.king_buckets.map_or(shape.king_buckets, |sets| sets.0);
        let fitting = || (scale_of_scores(&loaded.samples.training) as f32).round().clamp(10.0, 10_000.0);
        shape.attack_buckets = self.attack_buckets;
        shape.threat_units = self.threat_units.map_or(0, usize::from);
        Trainer::new(Model::new(shape, self.scale.map_or_else(fitting, f32::from), self.seed))
    }

    fn schedule(&self) -> Schedule {
        let defaults = Schedule::default();
        let result_weight = match self.result_weight[..] {
            [first, last] => [first, last],
            [always] => [always; 2],
            _ => defaults.result_weight,
        };
        Schedule {
            epochs: self.epochs.map_or(defaults.epochs, usize::from),
            batch: self.batch.map_or(defaults.batch, |batch| batch as usize),
            rate: self.rate.unwrap_or(defaults.rate),
            last_rate: self.last_rate,
            warm_up: self.warm_up,
            decay: self.decay,
            result_weight,
            seed: self.seed,
        }
    }

    pub(super) fn train(&self, mut trainer: Trainer, loaded: &Loaded, crew: &Crew, out: &mut dyn Write) -> Done {
        let schedule = self.schedule();
        let shape = &trainer.model.shape;
        let about = format!(
            "{} inputs, {} hidden units, {} with threats, {} outputs, {} numbers; scale {}",
            shape.inputs(),
            shape.hidden,
            shape.threat_units,
            shape.outputs.count(),
            trainer.model.parameters.len(),
            trainer.model.scale
        );
        writeln!(out, "{}", translate(&about))?;
        let tested = if loaded.samples.held_out.is_empty() { "after" } else { "held out" };
        let heads = [("epoch", 5), ("learning", 8), (tested, 8), ("positions/s", 11)];
        let heads = heads.map(|(name, width)| pad(&translate(name), width, Align::Right));
        writeln!(out, "{}", heads.join("  "))?;
        while trainer.history.len() < schedule.epochs {
            let Some((Epoch { training, held_out, .. }, speed)) = next_epoch(&mut trainer, loaded, &schedule, crew)
            else {
                let stopped = match trainer.history.len() {
                    0 => "stopped in the first epoch; nothing was saved".to_owned(),
                    epochs => format!("stopped after epoch {epochs}; use --resume to continue"),
                };
                writeln!(out, "{}", translate(&stopped))?;
                return Ok(());
            };
            let number = trainer.history.len();
            let is_finite = training.is_finite() && held_out.is_finite();
            // A closed pipe must not discard the epoch.
            if is_finite {
                self.write_files(&trainer)?;
            }
            writeln!(out, "{number:>5}  {training:>8.6}  {held_out:>8.6}  {speed:>11.0}")?;
            if !is_finite {
                let said = "too large: the losses are not finite; the last complete epoch was kept";
                return Err(Failure::at("--rate or --decay", said));
            }
            out.flush()?;
        }
        write_own(&self.path("float"), &trainer.encode(false))?;
        let network = self.write_files(&trainer)?;
        let test = loaded.samples.test();
        let (mean, most) = quantisation_error(&trainer.model, &network, &test[..test.len().min(10_000)]);
        let error = format!("quantised scores differ by {mean:.2} centipawns on average, {most:.0} at most");
        let written = format!("{}: network {}", shown(&self.path("net")), network.name());
        writeln!(out, "{}\n{}", translate(&error), translate(&written))?;
        Ok(())
    }

    /// Writes the checkpoint, the network and the plot.
    fn write_files(&self, trainer: &Trainer) -> Result<Arc<Network>, Failure> {
        let path = self.path("net");
        let network = trainer.model.quantised().map_err(|error| Failure::at(path.display(), error))?;
        // A network that cannot play does not replace the last checkpoint.
        write_own(&self.path("checkpoint"), &trainer.encode(true))?;
        write_own(&path, &network.encode())?;
        write_own(&self.path("svg"), plot(&trainer.history).svg().as_bytes())?;
        Ok(Arc::new(network))
    }

    pub(super) fn path(&self, ending: &str) -> PathBuf {
        let mut path = self.out.clone().expect("--out is required without --linear").into_os_string();
        path.push(".");
        path.push(ending);
        path.into()
    }
}

/// Trains for one epoch and shows the progress. Returns the epoch and the positions per second, or `None`
/// after Ctrl-C.
fn next_epoch(trainer: &mut Trainer, loaded: &Loaded, schedule: &Schedule, crew: &Crew) -> Option<(Epoch, f64)> {
    let number = trainer.history.len() + 1;
    let bar = Progress::new(loaded.samples.training.len() as u64, "positions");
    let (start, mut done, mut smooth) = (Instant::now(), 0, None);
    let speed = |done: usize| done as f64 / start.elapsed().as_secs_f64().max(1e-9);
    let epoch = trainer.epoch(&loaded.samples, schedule, crew, |positions, loss| {
        done += positions;
        let before = *smooth.get_or_insert(loss);
        smooth = Some(before + (loss - before) / 20.0);
        bar.advance(positions as u64);
        let (epochs, speed) = (schedule.epochs, speed(done));
        bar.note(format!("epoch {number} of {epochs}, loss {before:.5}, {speed:.0} positions/s"));
        !interrupt::flag().load(Relaxed)
    });
    Some((epoch?, speed(done)))
}

fn plot(history: &[Epoch]) -> Plot {
    let line = |name, loss: fn(&Epoch) -> f32| {
        Series::new(name, history.iter().enumerate().map(|(index, epoch)| (index as f64 + 1.0, f64::from(loss(epoch)))))
    };
    Plot {
        title: "Loss while training".into(),
        x_label: "epoch".into(),
        y_label: "mean squared error".into(),
        series: vec![line("learning", |epoch| epoch.training), line("held out", |epoch| epoch.held_out)],
        ..Plot::default()
    }
}
