//! `chuhe endings show` and `list`: statistics of whole endings.

use crate::cli::{Done, Failure};
use crate::output::{Align, Table, json, width};
use crate::translation::translate;
use chuhe_board::rules::Outcome;
use chuhe_board::{Position, Side};
use chuhe_engine::endings::file::TableFault;
use chuhe_engine::endings::{Content, Folder, Index, Material, PERPETUAL};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Describes an ending: counts of positions, share of wins, longest wins and mutual zugzwangs
#[derive(Args)]
pub(super) struct Show {
    /// Name of the ending
    name: Material,

    /// Folder of the tables
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

/// An ending as JSON. Counts include mirror images separately; distances are in plies, for wins of the
/// stronger side, which is Red, with Red to move.
#[derive(Serialize)]
struct JsonEnding {
    name: String,
    legal_red: u64,
    won_red: u64,
    lost_red: u64,
    legal_black: u64,
    won_black: u64,
    lost_black: u64,
    longest_capture: u16,
    longest_capture_fen: Option<String>,
    longest_mate: u16,
    longest_mate_fen: Option<String>,
    /// Wins of the stronger side that need more plies to the next capture than the natural limit allows.
    beyond_limit: u64,
    /// Wins of either side, with either side to move, in which the losing side can only give perpetual check;
    /// such wins have no distance.
    by_perpetual_check: u64,
    undecided: u64,
    /// Positions that are drawn with Red to move and lost with Black to move.
    mutual_zugzwangs: u64,
    verified: Option<String>,
}

impl Show {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let folder = Folder::new(self.dir);
        let ending = read(self.name, &folder)?;
        if self.json {
            return Ok(json::write_line(out, &ending)?);
        }
        let share = |part: u64, all: u64| format!("{:.2} %", 100.0 * part as f64 / all.max(1) as f64);
        let mut table = Table::new([
            ("to move", Align::Left),
            ("legal", Align::Right),
            ("won", Align::Right),
            ("drawn", Align::Right),
            ("lost", Align::Right),
        ]);
        let rows = [
            ("Red", ending.legal_red, ending.won_red, ending.lost_red),
            ("Black", ending.legal_black, ending.won_black, ending.lost_black),
        ];
        for (side, legal, won, lost) in rows {
            let part = |count: u64| format!("{count} ({})", share(count, legal));
            table.row([translate(side), legal.to_string(), part(won), part(legal - won - lost), part(lost)]);
        }
        writeln!(out, "{}", ending.name)?;
        write!(out, "{}", table.titled(translate).fitted(width()))?;
        let at = |fen: &Option<String>| fen.clone().unwrap_or_default();
        let mut lines = vec![
            format!("longest win: mate in {} plies: {}", ending.longest_mate, at(&ending.longest_mate_fen)),
            format!(
                "longest distance to a capture or mate: {} plies, {}",
                ending.longest_capture,
                at(&ending.longest_capture_fen)
            ),
        ];
        let counts = [
            (ending.beyond_limit, "wins beyond the natural limit"),
            (ending.by_perpetual_check, "decided by perpetual check"),
            (ending.undecided, "not decided by the table"),
        ];
        lines.extend(counts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{name}: {count}")));
        lines.push(format!("mutual zugzwangs: {}", ending.mutual_zugzwangs));
        lines.push(match &ending.verified {
            // Earlier versions added the word `forwards` to the name of the verifier.
            Some(verifier) => format!("verified by {}", verifier.trim_end_matches(" forwards")),
            None => "not verified".to_owned(),
        });
        for line in lines {
            writeln!(out, "{}", translate(&line))?;
        }
        Ok(())
    }
}

fn read(material: Material, folder: &Folder) -> Result<JsonEnding, TableFault> {
    let index = Index::new(material);
    let wins = folder.open(material, Content::Wins)?;
    let red = [wins.outcomes(Side::Red)?, wins.outcomes(Side::Black)?];
    let is_legal = |number: usize, side| Position::of_pieces(index.pieces(number), side).is_some();
    let zugzwangs = (0..index.size())
        .filter(|&number| red[0][number] == Outcome::Draw && red[1][number] == Outcome::Loss)
        .filter(|&number| is_legal(number, Side::Red) && is_legal(number, Side::Black))
        .map(|number| if index.is_twin(number) { 1 } else { 2 });
    // The maximum in a header also covers Red's losses, so the longest win is computed here.
    let longest = |content| -> Result<(u16, Option<String>), TableFault> {
        let (mut longest, mut fen) = (0, None);
        for (number, plies) in folder.open(material, content)?.distances(Side::Red)?.into_iter().enumerate() {
            if (longest + 1..PERPETUAL).contains(&plies)
                && red[0][number] == Outcome::Win
                && let Some(position) = Position::of_pieces(index.pieces(number), Side::Red)
            {
                (longest, fen) = (plies, Some(position.to_string()));
            }
        }
        Ok((longest, fen))
    };
    let (longest_capture, longest_capture_fen) = longest(Content::Capture)?;
    let (longest_mate, longest_mate_fen) = longest(Content::Mate)?;
    let (header, counts) = (wins.header(), wins.header().counts);
    Ok(JsonEnding {
        name: material.to_string(),
        legal_red: counts.legal[0],
        won_red: counts.won[0],
        lost_red: counts.lost[0],
        legal_black: counts.legal[1],
        won_black: counts.won[1],
        lost_black: counts.lost[1],
        longest_capture,
        longest_capture_fen,
        longest_mate,
        longest_mate_fen,
        beyond_limit: counts.cursed[0],
        by_perpetual_check: counts.perpetual[0] + counts.perpetual[1],
        undecided: counts.undecided[0] + counts.undecided[1],
        mutual_zugzwangs: zugzwangs.sum(),
        verified: header.verified.clone(),
    })
}

/// Lists the tables in a folder.
pub(super) fn list(folder: &Folder, out: &mut dyn Write) -> Done {
    let endings = folder.list()?;
    if endings.is_empty() {
        return Err(Failure::at(folder.path().display(), "no tables found"));
    }
    let right = ["won", "capture", "mate", "bytes"].map(|name| (name, Align::Right));
    let columns = [("ending", Align::Left)].into_iter().chain(right).chain([("verified", Align::Left)]);
    let mut table = Table::new(columns);
    for material in endings {
        let opened = Content::ALL.map(|content| folder.open(material, content));
        let [wins, captures, mates] = opened;
        let (wins, captures, mates) = (wins?, captures?, mates?);
        let counts = wins.header().counts;
        table.row([
            material.to_string(),
            format!("{:.2} %", 100.0 * counts.won[0] as f64 / counts.legal[0].max(1) as f64),
            captures.header().longest[0].0.to_string(),
            mates.header().longest[0].0.to_string(),
            (wins.length() + captures.length() + mates.length()).to_string(),
            wins.header().verified.clone().unwrap_or_else(|| translate("no")),
        ]);
    }
    write!(out, "{}", table.titled(translate).fitted(width()))?;
    Ok(())
}
