//! `chuhe endings make`: prints a plan and generates missing tables, smaller endings first.

use crate::cli::value::BadValue;
use crate::cli::{Done, Failure, interrupt, threads};
use crate::output::{Align, Progress, Table, width};
use crate::translation::translate;
use chuhe_engine::endings::make::{make, needs};
use chuhe_engine::endings::{Content, Folder, Material};
use chuhe_engine::output::steers;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Positions per second and thread on a machine of 2020, including writing; used only for the plan.
const A_SECOND: u64 = 1_500_000;
/// Compressed bytes per thousand positions, for all three files; used only for the plan.
const PACKED: u64 = 180;
const GB: u64 = 1 << 30;

/// Generates tablebases of endings, and of the smaller endings reached by captures
///
/// First prints the missing tables, the resources needed and the estimated time. Existing tables are kept, so
/// the same command continues a run that was stopped. A file gets its final name when it is complete. Ctrl-C
/// ends the run after the current table; pressed again, at once.
#[derive(Args)]
pub(super) struct Make {
    /// Names such as RP-AAEE; `all`: one attacker with any guards on both sides, and two against any guards
    #[arg(required = true, value_parser = read_names)]
    names: Vec<Names>,

    /// Folder of the tables
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Threads; 0 = all cores
    #[arg(long, value_name = "N", default_value = "0", value_parser = threads::read)]
    threads: usize,

    /// Maximum memory to use, in GB
    #[arg(long, value_name = "GB", default_value_t = 4.0, value_parser = read_memory)]
    memory: f64,

    /// Only print the plan
    #[arg(long)]
    plan: bool,

    /// Print a script for Slurm instead: one job per table, each after the tables that it needs
    #[arg(long, conflicts_with = "plan")]
    jobs: bool,
}

/// Endings selected by one name.
type Names = std::sync::Arc<[Material]>;

fn read_names(text: &str) -> Result<Names, BadValue> {
    if text == "all" {
        let all = Material::against_guards(1, [2, 2]).into_iter().chain(Material::against_guards(2, [0, 0]));
        return Ok(all.collect());
    }
    let material: Material = text.parse()?;
    Ok([material].into())
}

fn read_memory(text: &str) -> Result<f64, BadValue> {
    match text.parse() {
        Ok(memory) if memory > 0.0 && memory < 1e6 => Ok(memory),
        _ => Err(BadValue::Memory),
    }
}

impl Make {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let folder = Folder::new(&self.out);
        let missing = self.missing(&folder)?;
        if self.jobs {
            return self.print_jobs(&missing, out);
        }
        self.print_plan(&missing, out)?;
        if self.plan {
            return Ok(());
        }
        std::fs::create_dir_all(&self.out).map_err(|error| Failure::file(&self.out, &error))?;
        let stop = interrupt::flag();
        let total = missing.iter().map(|material| needs(*material).positions).sum();
        let bar = Progress::new(total, "positions");
        for material in missing {
            if stop.load(Relaxed) {
                return Err(Failure::Run("stopped; the same command continues with the missing tables".into()));
            }
            bar.note(material.to_string());
            let start = Instant::now();
            make(material, &folder, self.threads)?;
            let (positions, seconds) = (needs(material).positions, start.elapsed().as_secs_f64());
            let mut bytes = 0;
            for content in Content::ALL {
                bytes += folder.open(material, content)?.length();
            }
            let rate = positions as f64 / seconds.max(1e-9) / 1e6;
            bar.aside(|| {
                let line = format!("{material}: {positions} positions, {seconds:.1} s, {rate:.1} M/s, {bytes} bytes");
                writeln!(out, "{}", translate(&line))
            })?;
            bar.advance(positions);
        }
        Ok(())
    }

    /// Returns the requested endings that are missing, in order: each after the endings that it requires.
    fn missing(&self, folder: &Folder) -> Result<Vec<Material>, Failure> {
        let mut family = Vec::new();
        for material in self.names.iter().flat_map(|names| names.iter()) {
            for member in material.family() {
                if !family.contains(&member) {
                    family.push(member);
                }
            }
        }
        let mut missing = Vec::new();
        for material in family {
            if folder.has(material) {
                // Existing tables are opened now, so that damage is reported at once and not after hours.
                Content::ALL.iter().try_for_each(|content| folder.open(material, *content).map(|_| ()))?;
            } else {
                let needed = needs(material).memory;
                if needed as f64 > self.memory * GB as f64 {
                    let (needed, allowed) = (gigabytes(needed), self.memory);
                    return Err(Failure::Input(format!(
                        "{material} needs {needed} GB of memory; --memory allows {allowed}"
                    )));
                }
                missing.push(material);
            }
        }
        Ok(missing)
    }

    fn print_plan(&self, missing: &[Material], out: &mut dyn Write) -> Done {
        if missing.is_empty() {
            writeln!(out, "{}", translate("all tables exist"))?;
            return Ok(());
        }
        let columns = [("ending", Align::Left), ("positions", Align::Right), ("memory, GB", Align::Right)];
        let mut table = Table::new(columns);
        let mut sum = 0;
        for material in missing {
            let needed = needs(*material);
            sum += needed.positions;
            table.row([material.to_string(), needed.positions.to_string(), gigabytes(needed.memory)]);
        }
        write!(out, "{}", table.titled(translate).fitted(width()))?;
        let seconds = sum / A_SECOND / self.threads as u64 + 1;
        let megabytes = sum * PACKED / 1000 / 1_000_000 + 1;
        let count = missing.len();
        let plan = format!("{count} endings, {sum} positions: about {seconds} s and {megabytes} MB on disk");
        writeln!(out, "{}", translate(&plan))?;
        Ok(out.flush()?)
    }

    fn print_jobs(&self, missing: &[Material], out: &mut dyn Write) -> Done {
        let folder = self.out.to_str().filter(|folder| !folder.contains(steers));
        let folder = folder.ok_or_else(|| Failure::at("--out", "a script cannot contain this path"))?;
        let folder = shell_quoted(folder);
        writeln!(out, "#!/bin/sh\nset -e\nmkdir -p {folder}")?;
        let job = |material: &Material| format!("job_{}", material.to_string().replace('-', "_"));
        for material in missing {
            let before = material.captures().into_iter().filter(|sub| missing.contains(sub));
            let before: String = before.map(|sub| format!(":${}", job(&sub))).collect();
            let dependency = if before.is_empty() { String::new() } else { format!(" --dependency=afterok{before}") };
            let memory = needs(*material).memory / GB + 1;
            let (job, threads) = (job(material), self.threads);
            let command = format!("chuhe endings make {material} --out {folder} --threads {threads} --memory {memory}");
            writeln!(
                out,
                "{job}=$(sbatch --parsable{dependency} --cpus-per-task={threads} --mem={memory}G \
                 --job-name={material} --wrap={})",
                shell_quoted(&command),
            )?;
        }
        Ok(())
    }
}

/// Quotes a word for a POSIX shell.
fn shell_quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Formats gigabytes with one decimal, rounded up.
fn gigabytes(bytes: u64) -> String {
    format!("{:.1}", (bytes as f64 / GB as f64 * 10.0).ceil() / 10.0)
}
