//! Commands of real GUIs, verbatim; `docs/clients.md` describes the GUIs.

use crate::gui::{Gui, count};
use chuhe::rules::Game;

const BOARD: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// A game as sent by UCCI referees: the position after the last capture, and the subsequent moves.
struct Referee {
    game: Game,
    since: String,
    moves: String,
}

impl Referee {
    fn new(fen: &str) -> Referee {
        Referee { game: Game::from_fen(fen).expect("a position"), since: fen.to_owned(), moves: String::new() }
    }

    fn play(&mut self, mv: &str) {
        self.game.play_text([mv]).unwrap_or_else(|error| panic!("{error} after {} {}", self.since, self.moves));
        self.moves += &format!(" {mv}");
        if self.game.position().quiet_plies() == 0 {
            self.since = self.game.position().to_string();
            self.moves.clear();
        }
    }
}

#[test]
fn the_league_simulator_plays_a_game() {
    let mut sides = [Gui::start(&[]), Gui::start(&[])];
    for gui in &mut sides {
        gui.send("ucci");
        assert_eq!(count(&gui.until("ucciok"), "option usemillisec "), 1);
        gui.send("setoption promotion false\nsetoption ponder false\nsetoption newgame\nsetoption usemillisec true");
        gui.send("setoption hashsize 4\nsetoption usebook false");
    }
    // The referee's opening positions end with a comment, to which it adds counters.
    let opening = format!("{BOARD} w - - 0 8    ;B55.comment - - 0 1");
    let mut referee = Referee::new(&opening);
    for ply in 0..16 {
        if !referee.game.position().has_moves() {
            break;
        }
        let gui = &mut sides[ply % 2];
        let moves = if referee.moves.is_empty() { String::new() } else { format!(" moves{}", referee.moves) };
        gui.send(&format!("position fen {}{moves}", referee.since));
        if ply == 7 {
            let banned = referee.game.position().legal_moves()[0];
            gui.send(&format!("banmoves {banned}"));
        }
        let offer = if ply == 5 { "draw " } else { "" };
        gui.send(&format!("go {offer}time 1500 increment 10 opptime 1400 oppincrement 10"));
        if ply == 3 {
            gui.send("stop");
        }
        let line = gui.best_move(&referee.since, &referee.moves);
        if ply == 4 {
            // The referee's timeout expired while the reply was in transit.
            gui.send("stop");
        }
        assert!(!line.contains("resign"), "{line}");
        referee.play(line.split(' ').nth(1).expect("a move"));
    }
    for mut gui in sides {
        assert_eq!(gui.said(), [""; 0]);
        gui.send("quit");
        assert_eq!(gui.end(), ["bye"]);
    }
}

#[test]
fn uci2wb_speaks_ucci() {
    let mut gui = Gui::start(&[]);
    gui.send("ucci");
    let options = gui.until("ucciok");
    assert!(options.iter().all(|line| line.len() < 2048));
    gui.send("isready");
    gui.until("readyok");
    gui.send("setoption newgame\nsetoption threads 4\nsetoption ponder 0\nsetoption hashsize 16");
    gui.send(&format!("position fen {START} moves h2e2\ngo time 3000 opptime 3000 movestogo 40"));
    gui.best_move(START, "h2e2");
    // The referee restarts from a position after a pawn move, with no move after `moves`. It mixes time,
    // movetime and depth.
    let pawn = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/2P6/P3P1P1P/1C5C1/9/RNBAKABNR b - - 0 1";
    gui.send(&format!("position fen {pawn} moves\ngo time 289995 opptime 280000 movetime 50 depth 8"));
    gui.best_move(pawn, "");
    gui.send(&format!("position fen {pawn} moves h9g7\ngo time 3000 opptime 3000 oppincrement 20 increment 20"));
    gui.best_move(pawn, "h9g7");
    gui.send(&format!("position fen {pawn} moves h9g7 h0g2 b9c7\ngo ponder time 2000 opptime 3000 movestogo 38"));
    assert_eq!(count(&gui.said(), "bestmove"), 0);
    gui.send("ponderhit draw");
    gui.best_move(pawn, "h9g7 h0g2 b9c7");
    gui.send("setoption multipv 3\ngo infinite searchmoves h0g2 b0c2");
    gui.until("info depth 3 seldepth");
    gui.send("stop");
    gui.until("bestmove");
    gui.send("quit");
    assert_eq!(gui.end().last().map(String::as_str), Some("bye"));
}

#[test]
fn uci2wb_speaks_cyclone() {
    let mut gui = Gui::greeted("uci");
    gui.send("setoption name Hash value 16\nsetoption name Ponder value false\nisready\nucinewgame");
    gui.until("readyok");
    for (moves, go) in [
        ("", "go btime 3000 wtime 3000 movestogo 40"),
        ("h2e2 h9g7", "go btime 3000 wtime 3000 binc 10 winc 10"),
        ("h2e2 h9g7 h0g2", "go movetime 30"),
        ("h2e2 h9g7 h0g2 b9c7", "go depth 3"),
    ] {
        gui.send(&format!("fen {BOARD} r moves {moves}\n{go}"));
        gui.best_move(START, moves);
    }
    gui.send("startpos moves h2e2\ngo infinite\nisready");
    gui.until("readyok");
    gui.send("stop");
    gui.best_move(START, "h2e2");
    gui.send(&format!("fen {BOARD} r moves h2e2\ngo ponder btime 2000 wtime 2000 movestogo 40\nponderhit"));
    gui.best_move(START, "h2e2");
    gui.send("quit");
    assert_eq!(count(&gui.end(), "bye"), 0);
}

#[test]
fn xiangqi_tui_speaks_both() {
    for hello in ["uci", "ucci"] {
        let mut gui = Gui::greeted(hello);
        gui.send("setoption name Threads value 4\nsetoption name Hash value 64\nsetoption name Repetition Rule value AsianRule");
        gui.send("setoption name Draw Rule value None\nsetoption name Skill Level value 20\nisready");
        gui.until("readyok");
        for go in ["go movetime 50", "go nodes 400", "go depth 3"] {
            gui.send("stop");
            gui.send(&format!("setoption name MultiPV value 2\nposition fen {BOARD} w\n{go}"));
            // A `bestmove` in reply to the idle `stop` would be mistaken for the result.
            let lines = gui.until("bestmove");
            assert!(lines.iter().any(|line| line.contains(" multipv 2 ") && line.contains(" nps ")), "{lines:#?}");
            assert_eq!(count(&lines, "bestmove"), 1);
        }
        gui.send(&format!("stop\nposition fen {BOARD} b\ngo infinite"));
        gui.until("info depth 2 ");
        gui.send("stop");
        gui.best_move(&format!("{BOARD} b"), "");
    }
}

#[test]
fn public_xiangqi_sends_every_option_back() {
    for (hello, ok) in [("uci", "uciok"), ("ucci", "ucciok")] {
        let mut gui = Gui::start(&[]);
        gui.send(hello);
        let lines = gui.until(ok);
        assert!(lines.contains(&ok.to_owned()));
        for line in lines.iter().filter(|line| line.starts_with("option ") && line.contains(" default ")) {
            let (name, rest) = line.split_once(" type ").expect("a type");
            let default = rest.split(" default ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a default");
            match hello {
                "uci" => gui.send(&format!("setoption {} value {default}", &name["option ".len()..])),
                _ => gui.send(&format!("setoption {} {default}", &name["option ".len()..])),
            }
        }
        gui.send(if hello == "uci" {
            "setoption name Threads value 1\nsetoption name Hash value 16"
        } else {
            "setoption Threads 8\nsetoption Hash 16"
        });
        assert!(gui.said().iter().all(|line| line.contains("more threads than cores")));
        gui.send(&format!("stop\nposition fen {BOARD} w - - 0 1 moves h2e2 h9g7\ngo movetime 100"));
        let lines = gui.until("bestmove");
        assert!(lines.iter().any(|line| line.contains("nps")), "{lines:#?}");
        let words: Vec<&str> = lines.last().expect("a line").split(' ').collect();
        assert!(words[1].len() == 4 && (words.len() == 2 || words.len() == 4), "{words:?}");
        gui.send(&format!("position fen {BOARD} w - - 0 1 moves h2e2\ngo infinite"));
        gui.until("info depth 2 ");
        gui.send("stop");
        gui.best_move(START, "h2e2");
    }
}

#[test]
fn vin_xiang_qi_says_hello_twice() {
    let mut gui = Gui::start(&[]);
    gui.send("uci\nucci");
    gui.until("uciok");
    gui.until("ucciok");
    gui.send(&format!("position fen {BOARD} w\nbanmoves h2e2 b2e2\ngo movetime 100 depth 5"));
    let mut lines = gui.until("bestmove");
    gui.send(&format!("position fen {BOARD} w\ngo depth 4"));
    lines.extend(gui.until("bestmove"));
    gui.send(&format!("position fen {BOARD} w\ngo ponder movetime 60 depth 4\nponderhit"));
    lines.extend(gui.until("bestmove"));
    gui.send(&format!("position fen {BOARD} w\ngo ponder movetime 5000 depth 90\nstop"));
    lines.extend(gui.until("bestmove"));
    for line in &lines {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            // The GUI parses the second word after the move as the ponder move.
            "bestmove" => assert!(words.len() == 2 || words.len() == 4 && words[2] == "ponder", "{line}"),
            // The GUI fails on duplicate words.
            _ => ["depth", "score", "time", "nodes", "nps", "pv"]
                .iter()
                .for_each(|key| assert!(words.iter().filter(|word| *word == key).count() <= 1, "{line}")),
        }
    }
    let bans = lines.iter().find(|line| line.starts_with("bestmove")).expect("a move");
    assert!(!bans.starts_with("bestmove h2e2") && !bans.starts_with("bestmove b2e2"));
}

#[test]
fn fairyground_misspells_the_clock_of_the_enemy() {
    let mut gui = Gui::greeted("ucci");
    gui.send("uccinewgame\nsetoption hashsize 16\nsetoption multipv 1\nisready");
    assert_eq!(gui.until("readyok"), ["readyok"]);
    gui.send("position startpos moves h2e2 h9g7\ngo time 1000 increment 10 oppotime 1000 oppoincrement 10");
    gui.best_move(START, "h2e2 h9g7");
    gui.send("position startpos moves h2e2\ngo depth 4 movetime 100 nodes 100000");
    gui.best_move(START, "h2e2");
    // In UCI, Fairyground expects a multi-variant program.
    let mut gui = Gui::start(&["--protocol", "uci-variant"]);
    gui.send("uci");
    gui.until("uciok");
    gui.send("setoption name UCI_Variant value xiangqi\nsetoption name Hash value 16\nucinewgame\nisready");
    assert_eq!(gui.until("readyok"), ["readyok"]);
    gui.send("position startpos moves h3e3 h10g8\ngo wtime 1000 btime 1000 winc 10 binc 10");
    gui.until("bestmove");
}

#[test]
fn hosts_on_telephones_give_time_for_one_move() {
    let mut gui = Gui::greeted("ucci");
    gui.send("setoption usemillisec true\nsetoption hashsize 16\nsetoption pruning large\nsetoption knowledge large");
    gui.send("setoption usebook true\nsetoption bookfiles /sdcard/book.dat");
    gui.send("position fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1\ngo time 200");
    gui.best_move(START, "");
    gui.send("quit");
    assert_eq!(gui.end(), ["bye"]);
}

#[test]
fn ggchess_counts_in_seconds() {
    let mut gui = Gui::greeted("ucci");
    gui.send("setoption usemillisec false\nsetoption usebook off\nsetoption hashsize 16");
    gui.send(&format!("position fen {START}\ngo time 1 increment 0"));
    gui.best_move(START, "");
    gui.send(&format!("setoption usemillisec on\nposition fen {START}\ngo time 1000 increment 0"));
    gui.best_move(START, "");
}

#[test]
fn the_wizard_sends_options_that_nobody_offered() {
    let mut gui = Gui::greeted("ucci");
    gui.send(
        "setoption usemillisec true\nsetoption ponder false\nsetoption usebook true\nsetoption bookfiles BOOK.DAT",
    );
    gui.send("setoption hashsize 0\nsetoption threads 0\nsetoption idle none\nsetoption pruning large\nsetoption knowledge large");
    gui.send("setoption randomness none\nsetoption style normal\nsetoption promotion false\nsetoption newgame");
    let said = gui.said();
    assert!(said.len() == 1 && said[0].starts_with("info message bookfiles: BOOK.DAT: "), "{said:?}");
    gui.send(&format!("position fen {START} moves h2e2 h9g7\ngo time 1000 increment 0"));
    gui.best_move(START, "h2e2 h9g7");
    gui.send(&format!("position fen {START} moves h2e2 h9g7 h0g2 i9h9\ngo ponder time 900 increment 0\nponderhit"));
    gui.best_move(START, "h2e2 h9g7 h0g2 i9h9");
}
