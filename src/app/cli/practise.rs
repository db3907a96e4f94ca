//! `chuhe practise`: mistakes from games, and puzzles, as exercises.

use super::alias::{PlayerArgs, PlayerFilter};
use super::drawing::DrawingArgs;
use super::gather::Gathering;
use super::input::{Placed, read_epd, typed_line};
use super::language::NotationArgs;
use super::rules::RulesArgs;
use super::{Done, Failure};
use crate::output::{Progress, fitted};
use crate::translation::language;
use chuhe_board::notation;
use chuhe_board::rules::Game;
use chuhe_board::words::Key;
use chuhe_board::{Move, Side};
use chuhe_engine::picture::Picture;
use chuhe_engine::search::Limits;
use chuhe_engine::{Engine, Options};
use chuhe_games::review::{Analyst, Judgement, ScoredLine, Thoroughness, examine, names};
use clap::Args;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Creates exercises from the mistakes in games, or asks for the best move in each position of a file; a
/// search checks the answers
#[derive(Args)]
#[command(
    visible_alias = "practice",
    after_help = "Examples:
  chuhe practise game.pgn --side red
  chuhe practise my-games/ --player 王天一
  chuhe practise --file positions/mates.epd

Answer with a move in any notation, or: hint, show, skip, quit. A move is right if it loses less than an inaccuracy, so every good
move is accepted, not only the engine's."
)]
pub(super) struct Practise {
    /// Game files, in any format that `chuhe convert` reads, or folders of such files; their mistakes and
    /// blunders become exercises
    #[arg(value_name = "GAMES", required_unless_present = "file")]
    games: Vec<PathBuf>,

    /// Use the positions in an EPD file instead
    #[arg(long, value_name = "EPD", conflicts_with = "games")]
    file: Option<PathBuf>,

    /// Only this side's mistakes
    #[arg(long, value_name = "SIDE", value_parser = super::review::side)]
    side: Option<Side>,

    /// Nodes per position
    #[arg(long, default_value_t = Thoroughness::default().nodes, value_parser = clap::value_parser!(u64).range(1_000..))]
    nodes: u64,

    #[command(flatten)]
    player: PlayerArgs,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    notation: NotationArgs,

    #[command(flatten)]
    drawing: DrawingArgs,
}

/// Maximum number of exercises waiting for an answer; the analysis pauses when it is reached.
const MAX_WAITING: usize = 100;

/// A position with a move to find.
struct Question {
    game: Game,
    /// The move played instead, if the position comes from a game.
    played: Option<Move>,
}

/// Outcome of an exercise.
enum Answer {
    Right,
    Wrong,
    Quit,
}

impl Practise {
    pub(super) fn run(self, out: &mut dyn Write) -> Done {
        let mut engine = Engine::new(self.rules.with(Options::default()))?;
        match &self.file {
            Some(path) => {
                let read = |placed: Placed| Ok(Question { game: placed.game()?, played: None });
                let questions = read_epd(path)?.into_iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
                // After mate or stalemate there is no move to find.
                let questions = questions.into_iter().filter(|question| question.game.position().has_moves());
                let questions: Vec<Question> = questions.collect();
                let count = Some(questions.len());
                match self.ask_all(questions.into_iter(), count, &mut engine, out)? {
                    0 => self.print_nothing(out),
                    _ => Ok(()),
                }
            }
            None => self.ask_of_games(&mut engine, out),
        }
    }

    /// Presents the mistakes made in games, starting with the first game, while another thread analyses the
    /// following games.
    fn ask_of_games(&self, engine: &mut Engine, out: &mut dyn Write) -> Done {
        let filter = self.player.read()?;
        let (quits, waiting) = (AtomicBool::new(false), Mutex::new(Some(Progress::endless("positions"))));
        std::thread::scope(|scope| {
            let (send, found) = sync_channel(MAX_WAITING);
            let (asked, all_asked) = channel::<()>();
            let find = || self.find(&filter, &quits, &waiting, send, all_asked);
            let finder = std::thread::Builder::new().name("practise".into());
            let finder = finder.spawn_scoped(scope, find).map_err(|error| Failure::at("no thread", error))?;
            let questions = std::iter::from_fn(|| {
                let next = found.try_recv().or_else(|_| {
                    lock(&waiting).get_or_insert_with(|| Progress::endless("positions"));
                    found.recv()
                });
                *lock(&waiting) = None;
                next.ok()
            });
            let shown = self.ask_all(questions, None, engine, out);
            quits.store(true, Relaxed);
            drop((found, asked));
            let readable = finder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            if shown? == 0 {
                self.print_nothing(out)?;
            }
            readable
        })
    }

    fn print_nothing(&self, out: &mut dyn Write) -> Done {
        let language = language();
        Ok(writeln!(out, "{}", language.sentence(language.word(Key::NothingToPractise)))?)
    }

    /// Presents the exercises one after another and returns the number of exercises shown; `count` is their
    /// total number, if known.
    fn ask_all(
        &self,
        questions: impl Iterator<Item = Question>,
        count: Option<usize>,
        engine: &mut Engine,
        out: &mut dyn Write,
    ) -> Result<usize, Failure> {
        let language = language();
        let (mut right, mut asked, mut shown) = (0, 0, 0);
        for question in questions {
            shown += 1;
            let place = match count {
                Some(count) => language.say(Key::QuestionOf, &[("number", &shown), ("count", &count)]),
                None => language.say(Key::QuestionNumber, &[("number", &shown)]),
            };
            writeln!(out, "\n{place}")?;
            let answer = self.ask(&question, engine, out)?;
            if matches!(answer, Answer::Quit) {
                break;
            }
            asked += 1;
            right += usize::from(matches!(answer, Answer::Right));
        }
        if shown > 0 {
            let said = language.say(Key::RightOf, &[("right", &right), ("asked", &asked)]);
            writeln!(out, "\n{}", language.sentence(&said))?;
        }
        Ok(shown)
    }

    /// Finds the mistakes and blunders in the games, and sends them as exercises. An outer error ends the
    /// search for exercises at once. The inner error reports unreadable games, after the last exercise.
    fn find(
        &self,
        filter: &PlayerFilter,
        quits: &AtomicBool,
        waiting: &Mutex<Option<Progress>>,
        send: SyncSender<Question>,
        all_asked: Receiver<()>,
    ) -> Result<Done, Failure> {
        let mut games = Gathering::of(&self.games, language())?;
        games.leave_out_duplicates();
        let mut searcher = InterruptibleAnalyst { engine: Engine::new(self.rules.with(Options::default()))?, quits };
        let thoroughness = Thoroughness { nodes: self.nodes, ..Thoroughness::default() };
        let advance = |_| lock(waiting).iter().for_each(|bar| bar.advance(1));
        let (mut is_empty, mut is_found) = (true, false);
        'games: for record in games.by_ref().map(|game| game.record) {
            is_empty = false;
            let is_wanted = |side: Side| self.side.is_none_or(|wanted| wanted == side) && filter.has(&record, side);
            if !Side::ALL.into_iter().any(is_wanted) {
                continue;
            }
            is_found = true;
            let mut game = Game::new(record.start.clone());
            let examined =
                examine(&game, &record.moves(), self.rules.terms(), thoroughness, 0..0, &mut searcher, advance);
            let review = match examined {
                Ok(review) => review,
                Err(Stop::Asked) => break,
                Err(Stop::Failed(failure)) => return Err(failure),
            };
            for reviewed in review.moves {
                if is_wanted(reviewed.side) && reviewed.judgement >= Some(Judgement::Mistake) {
                    let question = Question { game: game.clone(), played: Some(reviewed.mv) };
                    if send.send(question).is_err() {
                        break 'games;
                    }
                }
                game.make(reviewed.mv);
            }
        }
        drop(send);
        // Nothing is printed between an exercise and its answer.
        let _ = all_asked.recv();
        match games.end() {
            // Without games, the error replaces the message that no mistakes were found.
            Err(failure) if is_empty => Err(failure),
            Ok(()) if !is_found && filter.is_given() => {
                Err(Failure::at("--player", "no player in the games has this name"))
            }
            readable => Ok(readable),
        }
    }

    /// Presents an exercise until it is solved or given up.
    fn ask(&self, question: &Question, engine: &mut Engine, out: &mut dyn Write) -> Result<Answer, Failure> {
        let language = language();
        let game = &question.game;
        self.present(question, out)?;
        let best = search(engine, game, self.nodes)?;
        let line = names(game, &best.moves, self.notation.form()).join(" ");
        let tablebase = engine.tables().say(game.position(), language).map_or(String::new(), |said| said + "\n");
        let mut is_first_try = true;
        loop {
            write!(out, "> ")?;
            out.flush()?;
            let Some(text) = typed_line() else { return Ok(Answer::Quit) };
            match text.trim().to_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "退出" => return Ok(Answer::Quit),
                "skip" | "跳过" => return Ok(Answer::Wrong),
                "show" | "答案" => {
                    write!(out, "{}\n{tablebase}", sentence(Key::BestMove, &[("move", &line)]))?;
                    return Ok(Answer::Wrong);
                }
                "hint" | "提示" => {
                    let from = best.moves.first().map(|mv| mv.from);
                    if let Some((from, piece)) = from.and_then(|from| Some((from, game.position().piece_on(from)?))) {
                        let (noun, square) = (piece.noun(language), from.spoken(piece.side(), language));
                        writeln!(out, "{}", sentence(Key::HintFrom, &[("piece", &noun), ("square", &square)]))?;
                    }
                    is_first_try = false;
                }
                text => match notation::read(game.position(), text) {
                    Err(error) => writeln!(out, "{}", fitted(&language.sentence(&error.say(text, language))))?,
                    Ok(mv) if self.is_right(mv, game, &best, engine)? => {
                        write!(out, "{}\n{tablebase}", sentence(Key::RightAnswer, &[("line", &line)]))?;
                        return Ok(if is_first_try { Answer::Right } else { Answer::Wrong });
                    }
                    Ok(_) => {
                        writeln!(out, "{}", language.sentence(language.word(Key::WrongAnswer)))?;
                        is_first_try = false;
                    }
                },
            }
        }
    }

    /// Prints the board and the question.
    fn present(&self, question: &Question, out: &mut dyn Write) -> Done {
        let (language, position) = (language(), question.game.position());
        let flipped = position.side() == Side::Black;
        write!(out, "{}", Picture::new(position).flipped(flipped).text(self.drawing.style(language)))?;
        let side = language.word(if flipped { Key::Black } else { Key::Red });
        let said = match question.played {
            Some(mv) => {
                let name = notation::write(position, mv, self.notation.form());
                sentence(Key::FindBetterThan, &[("side", &side), ("move", &name)])
            }
            None => sentence(Key::FindBest, &[("side", &side)]),
        };
        Ok(writeln!(out, "{said}")?)
    }

    /// Returns `true` if a move is the best one or is not judged a mistake.
    fn is_right(&self, mv: Move, game: &Game, best: &ScoredLine, engine: &mut Engine) -> Result<bool, Failure> {
        if best.moves.first() == Some(&mv) {
            return Ok(true);
        }
        let mut after = game.clone();
        after.make(mv);
        let reply = match ScoredLine::of_end(&after, self.rules.terms()) {
            Some(end) => end,
            None => search(engine, &after, self.nodes)?,
        };
        Ok(Judgement::of(best.score, reply.after(mv).score).is_none())
    }
}

/// Returns a sentence in the user's language, wrapped to the terminal.
fn sentence(key: Key, arguments: &[(&str, &dyn Display)]) -> String {
    let language = language();
    fitted(&language.sentence(&language.say(key, arguments)))
}

/// Locks the progress bar, which is shown while the user waits for the next exercise.
fn lock<'b>(waiting: &'b Mutex<Option<Progress>>) -> MutexGuard<'b, Option<Progress>> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reason why an analysis did not finish.
enum Stop {
    Asked,
    Failed(Failure),
}

/// An engine for reviews that stops searching when the user quits.
struct InterruptibleAnalyst<'q> {
    engine: Engine,
    quits: &'q AtomicBool,
}

impl Analyst for InterruptibleAnalyst<'_> {
    type Error = Stop;

    /// Returns only the best line: only `Reviewed::is_only_good_move` needs a second one, and it is not
    /// shown.
    fn lines(&mut self, game: &Game, nodes: u64, _count: usize) -> Result<Vec<ScoredLine>, Stop> {
        self.engine.set_game(game.clone());
        let found = self.engine.think_until(self.quits, Limits::nodes(nodes), |_| {});
        if self.quits.load(Relaxed) {
            return Err(Stop::Asked);
        }
        let best = found.map_err(|error| Stop::Failed(error.into()))?.lines.into_iter().next();
        let best = best
            .map(|line| ScoredLine { score: line.score, moves: line.pv })
            .ok_or_else(no_move)
            .map_err(Stop::Failed)?;
        Ok(vec![best])
    }
}

fn no_move() -> Failure {
    Failure::Run("the engine found no move".to_owned())
}

/// Returns the best line of a game that is not over.
fn search(engine: &mut Engine, game: &Game, nodes: u64) -> Result<ScoredLine, Failure> {
    engine.set_game(game.clone());
    let best = engine.think(Limits::nodes(nodes), |_| {})?.lines.into_iter().next();
    best.map(|line| ScoredLine { score: line.score, moves: line.pv }).ok_or_else(no_move)
}
