//! `chuhe judge`: the referee's verdict on a game, with its reasons.

use super::game::GameArgs;
use super::input::read_epd;
use super::{Done, Failure};
use crate::board::{Bitboard, Piece, Square};
use crate::output::json::write_line;
use crate::records::pgn;
use crate::rules::{Attack, Cycle, CyclePly, Cycles, Deed, Game, Outcome, RuleSet, Ruling, Terms, Verdict, rule};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Says how a game stands by the rules, and why: mate, natural limit, repetition with what every ply of it does
#[derive(Args)]
#[command(after_help = "\
Examples:
  chuhe judge --moves \"h2e2 h9g7\"
  chuhe judge --fen \"5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w\" --moves \"d1c1 c5d7 c1d1 d7c5 d1c1 c5d7 c1d1 d7c5\"
  chuhe judge --rules league --fold 3 --json --moves \"h2e2 h9g7\"
  chuhe judge --pgn games.pgn
  chuhe judge --sample 1000 --seed 7 | chuhe judge --file - --json

The result is for the side to move after the last move. Rule sets: asian, chinese, league, computer, simple, draw.")]
pub struct Judge {
    #[command(flatten)]
    game: GameArgs,

    /// Judge many games instead, one a line, and print one result a line: `FEN moves h2e2 h9g7`; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    file: Option<PathBuf>,

    /// Judge the games of a PGN file instead, such as the match runner writes
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves", "file"])]
    pgn: Option<PathBuf>,

    /// Print that many random games that end in repetitions instead, for comparing referees; read back with --file
    #[arg(long, value_name = "N", conflicts_with_all = ["fen", "moves", "file", "pgn", "json"])]
    sample: Option<usize>,

    /// With --sample: the seed
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    seed: u64,

    /// The rule set
    #[arg(long, value_name = "NAME", default_value_t = RuleSet::default())]
    rules: RuleSet,

    /// At which occurrence of a position its repetition is judged [default: the rule set's own, 3 or 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    fold: Option<u16>,

    /// After how many counted plies without a capture the game is drawn [default: the rule set's own, 120 or 100]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u16).range(1..))]
    limit: Option<u16>,

    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Judge {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let terms = self.terms();
        if let Some(count) = self.sample {
            return sample(count, self.seed, terms, out);
        }
        if let Some(path) = &self.file {
            return self.judge_many(path, terms, out);
        }
        if let Some(path) = &self.pgn {
            return self.judge_records(path, terms, out);
        }
        let game = self.game.read()?;
        self.print(&game, terms, out)
    }

    /// One result a game, beside the result that the file claims.
    fn judge_records(&self, path: &Path, terms: Terms, mut out: &mut dyn Write) -> Done {
        let text = std::fs::read(path).map_err(|error| Failure::file(path, &error))?;
        let records = pgn::read(&String::from_utf8_lossy(&text)).map_err(|error| Failure::at(path.display(), error))?;
        for (index, record) in records.iter().enumerate() {
            let mut game = Game::new(record.start.clone());
            record.moves().into_iter().for_each(|mv| game.make(mv));
            let ruling = rule(&game, terms);
            let number = index + 1;
            if self.json {
                let claim = Claim { game: number, claimed: record.result.to_string() };
                write_line(&mut out, &RulingRecord { claim: Some(claim), ..RulingRecord::new(&ruling, terms) })?;
            } else {
                write!(out, "{number} ({}): {}", record.result, sentence(&ruling.to_string()))?;
                writeln!(out, "{}", early_end(&ruling, &game).map_or(String::new(), |end| format!(" {end}")))?;
            }
        }
        Ok(())
    }

    fn judge_many(&self, path: &Path, terms: Terms, mut out: &mut dyn Write) -> Done {
        for line in read_epd(path)? {
            let game = Game::read(&line.fen).map_err(|error| Failure::at(&line.place, error))?;
            let ruling = rule(&game, terms);
            if self.json {
                write_line(&mut out, &RulingRecord::new(&ruling, terms))?;
            } else {
                writeln!(out, "{}", sentence(&ruling.to_string()))?;
            }
        }
        Ok(())
    }

    fn terms(&self) -> Terms {
        let terms = self.rules.terms();
        let terms = self.fold.map_or(terms, |folds| terms.with_folds(usize::from(folds)));
        self.limit.map_or(terms, |plies| terms.with_natural_limit(plies))
    }

    fn print(&self, game: &Game, terms: Terms, mut out: &mut dyn Write) -> Result<(), Failure> {
        let ruling = rule(game, terms);
        if self.json {
            return Ok(write_line(&mut out, &RulingRecord::new(&ruling, terms))?);
        }
        writeln!(out, "{}", sentence(&ruling.to_string()))?;
        if let Some(end) = early_end(&ruling, game) {
            writeln!(out, "{end}")?;
        }
        if let Some(cycle) = &ruling.cycle {
            writeln!(out, "\nRules {}, judged at occurrence {}. The plies between:", terms.rules, terms.folds)?;
            for ply in &cycle.plies {
                let deeds: Vec<String> = ply.deeds.iter().map(Deed::to_string).collect();
                let mover = format!("{} {}", ply.side.name(), ply.piece.kind().name());
                writeln!(out, "{:5}. {mover:<14} {}  {}", ply.number, ply.mv, deeds.join("; "))?;
            }
        }
        Ok(())
    }
}

/// Prints random games in which a position occurs as often as the terms ask for.
fn sample(count: usize, seed: u64, terms: Terms, out: &mut dyn Write) -> Done {
    for cycle in Cycles::new(seed).take(count) {
        write!(out, "{} moves", cycle.start)?;
        for mv in std::iter::repeat_n(&cycle.moves, terms.folds - 1).flatten() {
            write!(out, " {mv}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Says so if a game was over before its last move.
fn early_end(ruling: &Ruling, game: &Game) -> Option<String> {
    let plies = game.plies().len();
    match ruling.ended_at? {
        0 => Some("It was over before the first move.".into()),
        ended_at if ended_at < plies => {
            Some(format!("The game was over after ply {ended_at} of {plies}; the rest was played on."))
        }
        _ => None,
    }
}

/// A clause as a sentence: it begins with a capital already or gets one, and ends with a full stop.
fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("{}{}.", first.map_or(String::new(), String::from), letters.as_str())
}

/// What `--json` prints.
#[derive(Serialize)]
struct RulingRecord {
    #[serde(flatten)]
    claim: Option<Claim>,
    result: &'static str,
    ended_at: Option<usize>,
    side: &'static str,
    reason: String,
    cycle: Option<CycleRecord>,
    rules: &'static str,
    fold: usize,
}

/// What a file of games says of one of them.
#[derive(Serialize)]
struct Claim {
    /// Which game of the file, from 1.
    game: usize,
    claimed: String,
}

#[derive(Serialize)]
struct CycleRecord {
    first_ply: usize,
    length: usize,
    victim: Option<PieceRecord>,
    plies: Vec<PlyRecord>,
}

#[derive(Serialize)]
struct PlyRecord {
    ply: usize,
    side: &'static str,
    piece: &'static str,
    r#move: String,
    deeds: Vec<DeedRecord>,
    aims: Vec<String>,
    attacks: Vec<String>,
}

#[derive(Serialize)]
struct DeedRecord {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    attacker: Option<PieceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    victim: Option<PieceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    protected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    discovered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undermining: Option<bool>,
    text: String,
}

#[derive(Serialize)]
struct PieceRecord {
    piece: &'static str,
    square: String,
}

impl RulingRecord {
    fn new(ruling: &Ruling, terms: Terms) -> RulingRecord {
        let result = match ruling.verdict {
            Verdict::Open => "open",
            Verdict::Over(Outcome::Win, _) => "win",
            Verdict::Over(Outcome::Loss, _) => "loss",
            Verdict::Over(Outcome::Draw, _) => "draw",
        };
        RulingRecord {
            claim: None,
            result,
            ended_at: ruling.ended_at,
            side: ruling.side.name(),
            reason: ruling.to_string(),
            cycle: ruling.cycle.as_ref().map(CycleRecord::new),
            rules: terms.rules.name(),
            fold: terms.folds,
        }
    }
}

impl CycleRecord {
    fn new(cycle: &Cycle) -> CycleRecord {
        CycleRecord {
            first_ply: cycle.plies.first().map_or(0, |ply| ply.number),
            length: cycle.plies.len(),
            victim: cycle.victim.map(|(piece, square)| PieceRecord::new(piece, square)),
            plies: cycle.plies.iter().map(PlyRecord::new).collect(),
        }
    }
}

impl PlyRecord {
    fn new(ply: &CyclePly) -> PlyRecord {
        let squares = |set: Bitboard| set.into_iter().map(|at| at.to_string()).collect();
        PlyRecord {
            ply: ply.number,
            side: ply.side.name(),
            piece: ply.piece.kind().name(),
            r#move: ply.mv.to_string(),
            deeds: ply.deeds.iter().map(DeedRecord::new).collect(),
            aims: squares(ply.aims),
            attacks: squares(ply.attacks),
        }
    }
}

impl DeedRecord {
    fn new(deed: &Deed) -> DeedRecord {
        let text = deed.to_string();
        let kind = deed.name();
        match *deed {
            Deed::Chase(attack)
            | Deed::Exchange(attack)
            | Deed::Follow(attack)
            | Deed::Standing(attack)
            | Deed::Bound(attack) => {
                let Attack { chaser, from, victim, at, worth, protected, discovered, undermining } = attack;
                DeedRecord {
                    kind,
                    attacker: Some(PieceRecord::new(chaser, from)),
                    victim: Some(PieceRecord::new(victim, at)),
                    worth: Some(worth.name()),
                    protected: Some(protected),
                    discovered: Some(discovered),
                    undermining: Some(undermining),
                    text,
                }
            }
            Deed::Block(piece, square) => {
                DeedRecord { victim: Some(PieceRecord::new(piece, square)), ..DeedRecord::bare(kind, text) }
            }
            Deed::Check | Deed::Kill | Deed::Idle => DeedRecord::bare(kind, text),
        }
    }

    fn bare(kind: &'static str, text: String) -> DeedRecord {
        DeedRecord {
            kind,
            attacker: None,
            victim: None,
            worth: None,
            protected: None,
            discovered: None,
            undermining: None,
            text,
        }
    }
}

impl PieceRecord {
    fn new(piece: Piece, square: Square) -> PieceRecord {
        PieceRecord { piece: piece.kind().name(), square: square.to_string() }
    }
}
