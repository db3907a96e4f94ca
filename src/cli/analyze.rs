//! `chuhe analyze`: searches positions and explains them.

use super::drawing::DrawingArgs;
use super::game::GameArgs;
use super::input::read_epd;
use super::{Done, Failure, duration, interrupt, threads};
use crate::board::{Move, Position};
use crate::engine::{Engine, Options};
use crate::notation::{self, Form};
use crate::output::{Progress, json};
use crate::picture::Picture;
use crate::rules::{Game, RuleSet};
use crate::score::{Score, mate_moves};
use crate::search::{Conclusion, Event, Limits, Report};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Searches positions and shows the best lines, the score and the move
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe analyze
  chuhe analyze --fen \"4k4/9/4b4/9/9/9/9/4R4/9/4K4 w\" --depth 12 --multipv 3
  chuhe analyze --file positions/mates.epd --time 1s --json")]
pub struct Analyze {
    #[command(flatten)]
    game: GameArgs,

    /// Many positions: an EPD file, or `-` for standard input
    #[arg(long, value_name = "EPD", conflicts_with_all = ["fen", "moves", "svg"])]
    file: Option<PathBuf>,

    /// Search to this depth, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..128), conflicts_with_all = ["nodes", "time"])]
    depth: Option<u32>,

    /// Search this many nodes
    #[arg(long, conflicts_with = "time")]
    nodes: Option<u64>,

    /// Search this long: 3s, 500ms [default: 3s, or 1s each for many positions]
    #[arg(long, value_parser = duration::read)]
    time: Option<Duration>,

    /// How many best lines are shown
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=128))]
    multipv: u16,

    /// Searching threads; 0 = all cores
    #[arg(long, default_value = "1", value_parser = threads::read)]
    threads: usize,

    /// Hash table, in MB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,

    /// The rules of repetition
    #[arg(long, default_value_t = RuleSet::default())]
    rules: RuleSet,

    /// How moves are written in text: iccs, wxf or chinese [default: coordinates, h2e2]
    #[arg(long, value_name = "FORM")]
    notation: Option<Form>,

    /// One line of JSON for each position, moves as coordinates
    #[arg(long)]
    json: bool,

    /// Also write the board with an arrow for the best move to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    drawing: DrawingArgs,
}

/// A position's analysis as scripts read it.
#[derive(Serialize)]
struct Analysis {
    fen: String,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time_ms: u64,
    nps: u64,
    lines: Vec<JsonLine>,
    bestmove: Option<String>,
}

#[derive(Serialize)]
struct JsonLine {
    multipv: usize,
    score: JsonScore,
    pv: Vec<String>,
}

/// From the mover's view; `mate` in moves, negative when being mated.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum JsonScore {
    Cp(Score),
    Mate(i32),
}

impl Analysis {
    fn of(position: &Position, conclusion: &Conclusion) -> Analysis {
        let first = conclusion.lines.first();
        let time_ms = conclusion.time.as_millis() as u64;
        Analysis {
            fen: position.to_string(),
            depth: first.map_or(0, |line| line.depth),
            seldepth: first.map_or(0, |line| line.seldepth),
            nodes: conclusion.nodes,
            time_ms,
            nps: conclusion.nodes * 1000 / time_ms.max(1),
            lines: conclusion.lines.iter().map(JsonLine::of).collect(),
            bestmove: conclusion.best.map(|mv| mv.to_string()),
        }
    }
}

impl JsonLine {
    fn of(line: &Report) -> JsonLine {
        JsonLine {
            multipv: line.multipv,
            score: mate_moves(line.score).map_or(JsonScore::Cp(line.score), JsonScore::Mate),
            pv: line.pv.iter().map(ToString::to_string).collect(),
        }
    }
}

impl Analyze {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let mut engine = Engine::new(Options {
            hash_mb: self.hash as usize,
            threads: self.threads,
            multipv: usize::from(self.multipv),
            move_overhead: 0,
            rules: self.rules,
            ..Options::default()
        })
        .map_err(|message| Failure::at("--hash", message))?;
        match &self.file {
            Some(path) => self.many(&mut engine, path, out),
            None => self.one(&mut engine, self.game.read()?, out),
        }
    }

    fn limits(&self, default: Duration) -> Limits {
        match (self.depth, self.nodes) {
            (Some(depth), _) => Limits::depth(depth),
            (_, Some(nodes)) => Limits::nodes(nodes),
            _ => Limits::fixed(self.time.unwrap_or(default)),
        }
    }

    fn one(&self, engine: &mut Engine, game: Game, out: &mut dyn Write) -> Done {
        let position = game.position().clone();
        let last = game.plies().last().and_then(|ply| ply.mv);
        if !self.json {
            write!(out, "{}", Picture::new(&position).with_last_move(last).text(self.drawing.style()))?;
            writeln!(out)?;
        }
        engine.set_game(game);
        let mut told = Ok(());
        let conclusion = engine.think_until(interrupt::flag(), self.limits(Duration::from_secs(3)), |event| {
            if let (false, Event::Line(line)) = (self.json, event)
                && told.is_ok()
            {
                told = writeln!(out, "{}", self.describe(&position, line)).and_then(|()| out.flush());
            }
        });
        told?;
        if let Some(path) = &self.svg {
            let picture = Picture::new(&position).with_last_move(last).with_arrow(conclusion.best);
            std::fs::write(path, picture.svg()).map_err(|error| Failure::file(path, &error))?;
        }
        if self.json {
            json::write_line(out, &Analysis::of(&position, &conclusion))?;
        } else {
            match conclusion.best {
                Some(best) => writeln!(out, "\nbest move {}", self.moves(&position, &[best]))?,
                None => writeln!(out, "no legal move: {} has lost", position.side().name())?,
            }
        }
        Ok(())
    }

    fn many(&self, engine: &mut Engine, path: &std::path::Path, out: &mut dyn Write) -> Done {
        let mut games = Vec::new();
        for line in read_epd(path)? {
            games.push(Game::read(&line.fen).map_err(|error| Failure::at(&line.place, error))?);
        }
        let bar = Progress::new(games.len() as u64, "positions");
        let stop = interrupt::flag();
        for game in games {
            let position = game.position().clone();
            engine.new_game();
            engine.set_game(game);
            let conclusion = engine.think_until(stop, self.limits(Duration::from_secs(1)), |_| {});
            bar.aside(|| match self.json {
                true => json::write_line(out, &Analysis::of(&position, &conclusion)),
                false => {
                    let best = conclusion.best.map_or("none".to_owned(), |mv| self.moves(&position, &[mv]));
                    let line = conclusion.lines.first().map(|line| self.describe(&position, line)).unwrap_or_default();
                    writeln!(out, "{position}  bestmove {best}  {line}")
                }
            })?;
            out.flush()?;
            bar.advance(1);
            if stop.load(Relaxed) {
                break;
            }
        }
        Ok(())
    }

    /// A line for people.
    fn describe(&self, position: &Position, line: &Report) -> String {
        let score = match mate_moves(line.score) {
            Some(moves) => format!("mate {moves}"),
            None => format!("{:+}", line.score),
        };
        let Report { multipv, depth, seldepth, nodes, .. } = line;
        let moves = self.moves(position, &line.pv);
        format!("{multipv}. depth {depth}/{seldepth}  score {score}  nodes {nodes}  {moves}")
    }

    /// Moves one after another from a position.
    fn moves(&self, position: &Position, moves: &[Move]) -> String {
        let mut position = position.clone();
        let texts = moves.iter().map(|&mv| {
            let text = self.notation.map_or_else(|| mv.to_string(), |form| notation::write(&position, mv, form));
            position.make(mv);
            text
        });
        texts.collect::<Vec<_>>().join(" ")
    }
}
