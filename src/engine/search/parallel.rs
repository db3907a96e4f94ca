//! One search on all threads (Lazy SMP). Each thread searches the same root with its own histories; they
//! share results through the transposition table. When the search ends, the threads vote on the move.

use super::control::{Control, StopAtPanic};
use super::limits::Limits;
use super::memory::Memory;
use super::report::{Bound, Conclusion, Event, Report};
use super::settings::Settings;
use super::shared::Shared;
use super::vote::{Voter, elect};
use super::worker::Worker;
use crate::eval::Evaluator;
use crate::machine;
use chuhe_board::rules::{Game, Verdict, judge};
use chuhe_board::{Position, Setup};
use std::time::Duration;

/// Searches a position on all threads until a limit is reached or [`Control::stop`] is called. Reports every
/// line to `listener`.
///
/// # Panics
/// Panics if a thread panics, after all threads have stopped.
pub fn search<E: Evaluator>(
    game: &Game,
    limits: &Limits,
    settings: &Settings,
    evaluator: &E,
    memory: &mut Memory,
    control: &Control,
    listener: &mut (dyn FnMut(Event) + Send),
) -> Conclusion {
    let continues = memory.expected.take().is_some_and(|before| before.leads_to(game.position()));
    let clock = memory.delays.begin(limits.time, settings.overhead, settings.ponder, limits.ponder, continues);
    let verdict = if settings.params.on.rules { judge(game, settings.terms) } else { Verdict::Open };
    let begun_anew = if verdict == Verdict::Open { None } else { beginning_here(game) };
    let game = begun_anew.as_ref().unwrap_or(game);
    memory.used = true;
    let Memory { hash_table, threads, delays, expected, .. } = memory;
    hash_table.grow_older();
    let shared = Shared::new(settings, hash_table, control, clock, limits.nodes, threads.count());
    let (first, others, pool) = threads.split();
    let mut main = Worker::new(0, &shared, game, limits, evaluator.clone(), first, Some(listener));
    // Without a legal move there is nothing to search.
    let helpers = if main.root_moves.is_empty() { 0 } else { others.len() };
    let mut votes: Vec<Option<Voter>> = (0..helpers).map(|_| None).collect();
    let jobs = others.iter_mut().zip(&mut votes).enumerate().map(|(index, (histories, vote))| {
        let (evaluator, shared) = (evaluator.clone(), &shared);
        move || {
            // With many more threads than cores, the search may end before this thread starts.
            if !control.is_stopped() {
                let _stop = StopAtPanic(control);
                let mut helper = Worker::new(index + 1, shared, game, limits, evaluator, histories, None);
                helper.deepen(limits, 1);
                *vote = voter(&helper);
            }
        }
    });
    pool.run_beside(jobs, || {
        let _stop = StopAtPanic(control);
        if !main.prove_mate(limits, settings.multipv) {
            main.deepen(limits, settings.multipv);
        }
        while control.must_wait(limits) {
            machine::sleep(Duration::from_millis(1));
        }
        control.stop();
    });

    let voters: Vec<Voter> = voter(&main).into_iter().chain(votes.into_iter().flatten()).collect();
    let lines = lines(&main, &voters, settings.multipv);
    let best = lines.first().and_then(|line| line.pv.first().copied());
    let ponder = lines.first().and_then(|line| line.pv.get(1).copied());
    let nodes = shared.nodes_of_others(0) + main.nodes;
    delays.end(limits.time, &shared.clock);
    *expected = best.map(|mv| {
        let mut after = game.position().clone();
        after.make(mv);
        after
    });
    Conclusion { verdict, best, ponder, lines, chosen: None, nodes, time: shared.clock.elapsed() }
}

/// Returns the lines to report: the lines of the main thread or, if only one line was requested, the elected
/// line.
fn lines<E: Evaluator>(main: &Worker<E>, voters: &[Voter], multipv: usize) -> Vec<Report> {
    let mut lines: Vec<Report> = (0..main.root_moves.len().min(multipv.max(1)))
        .filter_map(|index| main.line(index, main.completed_depth.max(1), Bound::Exact))
        .collect();
    if multipv <= 1
        && let (Some(winner), Some(line)) = (elect(voters), lines.first_mut())
    {
        // A mate is valid at any depth, so a mate found by a thread with a shallower search is reported with
        // the greatest depth reached.
        line.depth = line.depth.max(winner.depth as u32);
        (line.score, line.pv) = main.complete_line(winner.score, &winner.pv);
    }
    lines
}

/// Returns the vote of a thread that has completed an iteration.
fn voter<E: Evaluator>(worker: &Worker<E>) -> Option<Voter> {
    let root = worker.root_moves.first().filter(|_| worker.completed_depth > 0)?;
    Some(Voter { depth: worker.completed_depth, score: root.score, pv: root.pv.clone() })
}

/// Returns a game that begins with the current position, as if a capture had just been made. Returns `None`
/// if the position cannot be set up because the kings face each other, which occurs only in collections of
/// perft counts.
fn beginning_here(game: &Game) -> Option<Game> {
    let setup = Setup { quiet_plies: 0, ..game.position().setup() };
    Position::new(&setup).ok().map(Game::new)
}

#[cfg(test)]
mod tests {
    use super::super::key::hash_key;
    use super::*;
    use crate::eval::Handcrafted;
    use chuhe_board::Move;
    use chuhe_board::rules::{Outcome, Reason};
    use chuhe_board::score::{DRAW, Score, is_decided, mate_in};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn settings(multipv: usize) -> Settings {
        Settings { multipv, ..Settings::default() }
    }

    fn memory(threads: usize) -> Memory {
        Memory::new(1, threads).expect("1 MB can be had")
    }

    fn run(game: &Game, limits: &Limits, memory: &mut Memory, listener: &mut (dyn FnMut(Event) + Send)) -> Conclusion {
        search(game, limits, &settings(1), &Handcrafted::default(), memory, &Control::default(), listener)
    }

    fn game(text: &str) -> Game {
        Game::read(text).expect("a game")
    }

    /// Black, who is a rook down, is to move and can reach the starting position of this game for the third
    /// time, which draws.
    const REPEATS: &str = "4k4/9/9/9/9/9/9/9/R8/3K5 w moves a1a2 e9e8 a2a1 e8e9 a1a2 e9e8 a2a1";

    #[test]
    fn a_draw_by_repetition_is_not_stored_for_other_ways_to_the_position() {
        let repeats = game(REPEATS);
        let mut memory = memory(1);
        let drawn = run(&repeats, &Limits::depth(6), &mut memory, &mut |_| {});
        assert_eq!((drawn.best, drawn.lines[0].score), ("e8e9".parse().ok(), DRAW));
        let entry = memory.hash_table.probe(hash_key(&repeats), 0).expect("the move is stored");
        assert_eq!((entry.best, entry.bound), (drawn.best, None), "the value is not stored");
        // The same position is searched without its history, with the same table.
        let fresh = Game::new(repeats.position().clone());
        let lost = run(&fresh, &Limits::depth(6), &mut memory, &mut |_| {});
        assert!(lost.lines[0].score < -300, "{lost:?}");
        let entry = memory.hash_table.probe(hash_key(&fresh), 0).expect("an entry");
        assert!(entry.bound.is_some() && entry.score < -300, "{entry:?}");
    }

    #[test]
    fn the_value_of_some_root_moves_is_not_stored_as_the_value_of_all() {
        // Red's rook can capture Black's.
        let position = game("3k5/9/9/9/r3R4/9/9/9/9/5K3 w");
        let take = "e5a5".parse().expect("a move");
        let others = position.position().legal_moves().into_iter().filter(|&mv| mv != take).collect();
        for limits in [Limits { only: others, ..Limits::depth(5) }, Limits { banned: vec![take], ..Limits::depth(5) }] {
            let mut memory = memory(1);
            let restricted = run(&position, &limits, &mut memory, &mut |_| {});
            assert!(restricted.best.is_some_and(|best| best != take));
            let stored = memory.hash_table.probe(hash_key(&position), 0);
            assert_eq!(stored, None, "{restricted:?}");
        }
        let mut memory = memory(1);
        let free = run(&position, &Limits::depth(5), &mut memory, &mut |_| {});
        assert_eq!(free.best, Some(take));
        assert!(memory.hash_table.probe(hash_key(&position), 0).is_some());
    }

    #[test]
    fn a_root_that_is_over_by_the_rules_is_searched_as_if_the_game_began_there() {
        let over = |text: &str| run(&game(text), &Limits::depth(4), &mut memory(1), &mut |_| {});
        let limit = over("3k5/9/9/9/9/9/9/4R4/4R4/5K3 w - - 130 90");
        assert_eq!(limit.verdict, Verdict::Over(Outcome::Draw, Reason::NaturalLimit));
        assert_eq!(limit.lines[0].score, mate_in(1), "{limit:?}");
        let repeated = over(&format!("{REPEATS} e8e9"));
        assert_eq!(repeated.verdict, Verdict::Over(Outcome::Draw, Reason::Repetition));
        assert!(repeated.lines[0].score > 300, "{repeated:?}");
        assert_eq!(over("3k5/9/9/9/9/9/9/4R4/4R4/5K3 w").verdict, Verdict::Open);
    }

    #[test]
    fn two_offences_that_are_harmless_in_turn_are_no_win() {
        // Black's rook can give perpetual check or chase the cannon; it alternates between the two.
        for text in ["3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b", "3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b moves g1g0 e0e1"] {
            let found = run(&game(text), &Limits::nodes(30_000), &mut memory(1), &mut |_| {});
            assert!(!is_decided(found.lines[0].score) && found.nodes == 30_000, "{text}: {found:?}");
        }
    }

    #[test]
    fn a_node_limit_returns_no_move_before_the_ponder_hit() {
        for threads in [1, 2] {
            let limits = Limits { ponder: true, ..Limits::nodes(500) };
            let control = Control::default();
            control.start(true);
            // The opponent moves when the limit has long been exceeded.
            let mut listener = |event| match event {
                Event::Line(line) if line.nodes > 5_000 => control.ponder_hit(),
                _ => {}
            };
            let (start, evaluator) = (Game::new(Position::start()), Handcrafted::default());
            let found =
                search(&start, &limits, &settings(1), &evaluator, &mut memory(threads), &control, &mut listener);
            assert!(!control.is_pondering() && found.best.is_some(), "{threads} threads: {} nodes", found.nodes);
        }
    }

    #[test]
    fn a_mate_in_one_is_told_in_a_few_lines() {
        let mate = game("3k5/9/9/9/9/9/9/4R4/4R4/5K3 w");
        for threads in [1, 2] {
            let mut lines = 0;
            let found = run(&mate, &Limits::nodes(1_000_000), &mut memory(threads), &mut |_| lines += 1);
            assert_eq!(found.lines[0].score, mate_in(1));
            assert!(lines <= 5, "{lines} lines on {threads} threads");
        }
    }

    /// An evaluator that panics after some positions.
    #[derive(Clone)]
    struct Fragile(Arc<AtomicUsize>);

    impl Evaluator for Fragile {
        fn reset(&mut self, _: &Position) {}
        fn made(&mut self, _: &Position, _: Move) {}
        fn unmade(&mut self) {}
        fn score(&mut self, _: &Position) -> Score {
            assert!(self.0.fetch_add(1, Relaxed) < 5_000, "the evaluator panics, as intended");
            0
        }
    }

    #[test]
    fn a_panic_of_any_thread_ends_the_search_and_reaches_the_caller() {
        for threads in [1, 3] {
            let mut memory = memory(threads);
            let evaluator = Fragile(Arc::default());
            let start = Game::new(Position::start());
            let endless = Limits::default();
            let (settings, control) = (settings(1), Control::default());
            let searched = catch_unwind(AssertUnwindSafe(|| {
                search(&start, &endless, &settings, &evaluator, &mut memory, &control, &mut |_| {})
            }));
            assert!(searched.is_err(), "{threads} threads");
            let after = run(&start, &Limits::depth(3), &mut memory, &mut |_| {});
            assert!(after.best.is_some(), "the memory can be used again");
        }
    }
}
