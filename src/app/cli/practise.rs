//! `chuhe practise`: mistakes of games and puzzles as exercises.

use super::drawing::DrawingArgs;
use super::gather::Gathering;
use super::input::{Placed, read_epd, typed_line};
use super::language::NotationArgs;
use super::rules::RulesArgs;
use super::{Done, Failure};
use crate::output::Progress;
use chuhe_board::Side;
use chuhe_board::notation;
use chuhe_board::rules::Game;
use chuhe_board::words::Key;
use chuhe_engine::picture::Picture;
use chuhe_engine::search::Limits;
use chuhe_engine::{Engine, Options};
use chuhe_games::review::{Analyst, Found, Judgement, Thoroughness, examine, names};
use clap::Args;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

/// Turns mistakes of games into exercises, or asks for the best moves of a file of positions; a search checks
/// the answers
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe practise game.pgn --side red
  chuhe practise --file positions/mates.epd

Answer with a move in any notation, or: hint, show, skip, quit. A move is right if it loses less than an inaccuracy, so every good
move is accepted, not only the engine's.")]
pub struct Practise {
    /// Files of games, in any format that `chuhe convert` reads, or folders of them; their mistakes and
    /// blunders become exercises
    #[arg(value_name = "GAMES", required_unless_present = "file")]
    games: Vec<PathBuf>,

    /// Use the positions of an EPD file instead
    #[arg(long, value_name = "EPD", conflicts_with = "games")]
    file: Option<PathBuf>,

    /// Only this side's mistakes
    #[arg(long, value_name = "SIDE", value_parser = super::review::side)]
    side: Option<Side>,

    /// Nodes per position
    #[arg(long, default_value_t = Thoroughness::default().nodes, value_parser = clap::value_parser!(u64).range(1_000..))]
    nodes: u64,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    language: NotationArgs,

    #[command(flatten)]
    drawing: DrawingArgs,
}

/// A position with a move to find.
struct Question {
    game: Game,
    /// The move played instead, if the position comes from a game.
    played: Option<chuhe_board::Move>,
}

/// Outcome of an exercise.
enum Answer {
    Right,
    Wrong,
    Left,
}

impl Practise {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let options = self.rules.with(Options::default());
        let mut engine = Engine::new(options)?;
        let (questions, readable) = match &self.file {
            Some(path) => {
                let read = |placed: Placed| {
                    let game = Game::from_fen(&placed.line.fen).map_err(|error| Failure::at(&placed.place, error))?;
                    Ok(Question { game, played: None })
                };
                (read_epd(path)?.into_iter().map(read).collect::<Result<Vec<_>, Failure>>()?, Ok(()))
            }
            None => self.find(&mut engine)?,
        };
        let language = self.language.language();
        if questions.is_empty() {
            writeln!(out, "{}", language.sentence(language.word(Key::NothingToPractise)))?;
            return readable;
        }
        let (mut right, mut asked) = (0, 0);
        for (index, question) in questions.iter().enumerate() {
            let place: [(&str, &dyn Display); 2] = [("number", &(index + 1)), ("count", &questions.len())];
            writeln!(out, "\n{}", language.say(Key::QuestionOf, &place))?;
            let answer = self.ask(question, &mut engine, out)?;
            if matches!(answer, Answer::Left) {
                break;
            }
            asked += 1;
            right += usize::from(matches!(answer, Answer::Right));
        }
        writeln!(out, "\n{}", language.sentence(&language.say(Key::RightOf, &[("right", &right), ("asked", &asked)])))?;
        readable
    }

    /// Returns the mistakes and blunders of the games, and whether all games could be read.
    fn find(&self, engine: &mut Engine) -> Result<(Vec<Question>, Done), Failure> {
        let mut questions = Vec::new();
        let mut games = Gathering::of(&self.games, self.language.language())?;
        let mut is_empty = true;
        let progress = Progress::endless("positions");
        for record in games.by_ref().map(|game| game.record) {
            is_empty = false;
            let mut game = Game::new(record.start.clone());
            let thoroughness = Thoroughness { nodes: self.nodes, ..Thoroughness::default() };
            let terms = self.rules.terms();
            let review =
                examine(&game, &record.moves(), terms, thoroughness, 0, &mut Asked(engine), |_| progress.advance(1))?;
            for reviewed in review.moves {
                let wanted = self.side.is_none_or(|side| side == reviewed.side);
                if wanted && reviewed.judgement >= Some(Judgement::Mistake) {
                    questions.push(Question { game: game.clone(), played: Some(reviewed.mv) });
                }
                game.make(reviewed.mv);
            }
        }
        drop(progress);
        match games.end() {
            // Without any game there are no mistakes to report.
            Err(failure) if is_empty => Err(failure),
            readable => Ok((questions, readable)),
        }
    }

    fn ask(&self, question: &Question, engine: &mut Engine, out: &mut dyn Write) -> Result<Answer, Failure> {
        let language = self.language.language();
        let say = |key: Key, arguments: &[(&str, &dyn Display)]| language.sentence(&language.say(key, arguments));
        let game = &question.game;
        let flipped = game.position().side() == Side::Black;
        write!(out, "{}", Picture::new(game.position()).flipped(flipped).text(self.drawing.style(language)))?;
        let side = language.word(if flipped { Key::Black } else { Key::Red });
        match question.played {
            Some(mv) => {
                let name = notation::write(game.position(), mv, self.language.form());
                writeln!(out, "{}", say(Key::FindBetterThan, &[("side", &side), ("move", &name)]))?;
            }
            None => writeln!(out, "{}", say(Key::FindBest, &[("side", &side)]))?,
        }
        let best = search(engine, game, self.nodes)?;
        let line = names(game, &best.moves, self.language.form());
        let known = engine.tables().say(game.position(), language).map_or(String::new(), |known| known + "\n");
        let mut first = true;
        loop {
            write!(out, "> ")?;
            out.flush()?;
            let Some(text) = typed_line() else { return Ok(Answer::Left) };
            match text.trim().to_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "退出" => return Ok(Answer::Left),
                "skip" | "跳过" => return Ok(Answer::Wrong),
                "show" | "答案" => {
                    write!(out, "{}\n{known}", say(Key::BestMove, &[("move", &line.join(" "))]))?;
                    return Ok(Answer::Wrong);
                }
                "hint" | "提示" => {
                    let from = best.moves.first().map_or(String::new(), |mv| mv.from.to_string());
                    writeln!(out, "{}", say(Key::HintFrom, &[("square", &from)]))?;
                    first = false;
                }
                text => match notation::read(game.position(), text) {
                    Err(error) => writeln!(out, "{text:?} {error}.")?,
                    Ok(mv) => {
                        let mut after = game.clone();
                        after.make(mv);
                        let reply = match Found::of_end(&after, self.rules.terms()) {
                            Some(end) => end,
                            None => search(engine, &after, self.nodes)?,
                        };
                        if best.moves.first() == Some(&mv) || Judgement::of(best.score, reply.after(mv).score).is_none()
                        {
                            write!(out, "{}\n{known}", say(Key::RightAnswer, &[("line", &line.join(" "))]))?;
                            return Ok(if first { Answer::Right } else { Answer::Wrong });
                        }
                        writeln!(out, "{}", language.sentence(language.word(Key::WrongAnswer)))?;
                        first = false;
                    }
                },
            }
        }
    }
}

/// The engine as required by reviews.
struct Asked<'e>(&'e mut Engine);

impl Analyst for Asked<'_> {
    type Error = Failure;

    fn lines(&mut self, game: &Game, nodes: u64, _count: usize) -> Result<Vec<Found>, Failure> {
        search(self.0, game, nodes).map(|found| vec![found])
    }
}

/// Returns the best line of a game that is not over.
fn search(engine: &mut Engine, game: &Game, nodes: u64) -> Result<Found, Failure> {
    engine.set_game(game.clone());
    let best = engine.think(Limits::nodes(nodes), |_| {})?.lines.into_iter().next();
    best.map(|line| Found { score: line.score, moves: line.pv })
        .ok_or_else(|| Failure::Input("the engine found no move".to_owned()))
}
