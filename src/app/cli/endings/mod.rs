//! `chuhe endings`: generates, verifies, shows and probes tablebases.

mod make;
mod probe;
mod show;

use super::threads;
use super::{Done, Failure};
use crate::output::Progress;
use crate::translation::translate;
use chuhe_engine::endings::file::TableFault;
use chuhe_engine::endings::verify::{Refuted, VERIFIER, verify};
use chuhe_engine::endings::{Content, Folder, Material};
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::PathBuf;

/// Makes, verifies, shows and queries endgame tablebases
#[derive(Args)]
#[command(after_help = "\
A name consists of the pieces of the stronger side, a hyphen, and the pieces of the weaker side; kings are implied. R rook, H horse, C cannon, \
P pawn, A advisor, E elephant: RP-AAEE is 车兵对士象全. Each ending has three files: outcomes (.wins), plies to the next capture or mate \
(.capture), plies to mate (.mate).

Examples:
  chuhe endings make H-A PP-AA --out endings
  chuhe endings make all --out endings --threads 2 --memory 8
  chuhe endings verify --dir endings
  chuhe endings show R-AAEE --dir endings
  chuhe endings probe 3k5/4a4/9/9/9/9/9/9/9/N3K4 w --dir endings")]
pub(super) struct EndingsArgs {
    #[command(subcommand)]
    command: EndingsCommand,
}

#[derive(Subcommand)]
enum EndingsCommand {
    Make(make::Make),
    /// Checks every table value against the values after each legal move, and records success in the headers
    Verify {
        /// Endings to verify [default: all in the folder]
        names: Vec<Material>,

        /// Folder of the tables
        #[arg(long, value_name = "DIR")]
        dir: PathBuf,

        /// Threads; 0 = all cores
        #[arg(long, value_name = "N", default_value = "0", value_parser = threads::read)]
        threads: usize,
    },
    /// Lists the tables in a folder
    List {
        /// Folder of the tables
        #[arg(long, value_name = "DIR")]
        dir: PathBuf,
    },
    Show(show::Show),
    Probe(probe::Probe),
}

impl EndingsArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        match self.command {
            EndingsCommand::Make(make) => make.run(out),
            EndingsCommand::Verify { names, dir, threads } => verify_all(names, &Folder::new(dir), threads, out),
            EndingsCommand::List { dir } => show::list(&Folder::new(dir), out),
            EndingsCommand::Show(show) => show.run(out),
            EndingsCommand::Probe(probe) => probe.run(out),
        }
    }
}

/// Verifies all endings, even after a failure; returns an error if any of them failed.
fn verify_all(names: Vec<Material>, folder: &Folder, threads: usize, out: &mut dyn Write) -> Done {
    let mut names = if names.is_empty() { folder.list()? } else { names };
    names.sort_by_key(|material| material.family().len());
    if names.is_empty() {
        return Err(Failure::at(folder.path().display(), "no tables found"));
    }
    let mut all_true = true;
    let bar = Progress::new(names.len() as u64, "endings");
    for material in names {
        bar.note(material.to_string());
        let verified = verify(material, folder, threads).and_then(|()| Ok(certify(material, folder)?));
        match verified {
            Ok(()) => bar.aside(|| writeln!(out, "{}", translate(&format!("{material}: verified"))))?,
            Err(refuted) => {
                let place = if matches!(refuted, Refuted::Fault(_)) { format!("{material}: ") } else { String::new() };
                bar.aside(|| writeln!(out, "{}", translate(&format!("{place}{refuted}"))))?;
                all_true = false;
            }
        }
        bar.advance(1);
    }
    if all_true { Ok(()) } else { Err(Failure::Check) }
}

fn certify(material: Material, folder: &Folder) -> Result<(), TableFault> {
    for content in Content::ALL {
        let table = folder.open(material, content)?;
        if table.header().verified.as_deref() != Some(VERIFIER) {
            table.certify(VERIFIER)?;
        }
    }
    Ok(())
}
