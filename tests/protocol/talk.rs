//! Rules of the session, one by one, as listed in `docs/6-protocol.md`.

use crate::gui::{Gui, count};
use chuhe::random::SplitMix64;
use chuhe::rules::Game;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// Black is in check and has no move.
const MATED: &str = "3k5/4P4/4P4/9/9/9/9/9/9/3RK4 b";
/// Black is not in check and has no move.
const STALEMATED: &str = "3k5/9/3P5/9/9/9/9/9/4R4/4K4 b";

// ---- before and during the handshake ----

#[test]
fn before_the_handshake_words_that_are_no_command_are_ignored() {
    let mut gui = Gui::start(&[]);
    gui.send("xyzzy\nsetoption name No Such Option value 3\n\nUCCI");
    let lines = gui.until("ucciok");
    assert!(lines[0].starts_with("id name Chuhe"), "{lines:#?}");
    assert_eq!(count(&lines, "id "), 5);
    assert_eq!(count(&lines, "option ") + 6, lines.len(), "{lines:#?}");
}

#[test]
fn before_the_handshake_commands_are_served_as_in_uci() {
    let mut gui = Gui::start(&[]);
    gui.send("isready");
    assert_eq!(gui.until("readyok"), ["readyok"]);
    gui.send("position startpos moves h2e2\ngo depth 3");
    let line = gui.best_move("startpos", "h2e2");
    assert!(line.starts_with("bestmove "), "{line}");
    // In UCI, an idle `stop` receives no reply; a handshake may still follow.
    gui.send("d\nstop\nstop");
    assert_eq!(count(&gui.said(), "nobestmove"), 0);
    gui.send("ucci\nstop");
    gui.until("nobestmove");
}

#[test]
fn the_latest_handshake_decides_what_is_said() {
    let mut gui = Gui::start(&[]);
    gui.send("uci\nucci\ngo depth 1");
    assert!(gui.until("uciok").iter().all(|line| !line.starts_with("option usemillisec")));
    let lines = gui.until("bestmove");
    assert!(lines.contains(&"ucciok".to_owned()) && !lines.concat().contains("score cp"), "{lines:#?}");
    gui.send("uci\ngo depth 1");
    assert!(gui.until("bestmove").concat().contains("score cp"));
}

#[test]
fn options_are_offered_in_both_forms() {
    let mut gui = Gui::start(&[]);
    gui.send("ucci");
    let ucci = gui.until("ucciok");
    for line in [
        "option usemillisec type check default true",
        "option batch type check default false",
        "option newgame type button",
    ] {
        assert!(ucci.contains(&line.to_owned()), "{line}: {ucci:#?}");
    }
    for start in [
        "option hashsize type spin default 64 min 0 max ",
        "option threads type spin default 1 min 0 max ",
        "option multipv type spin default 1 min 1 ",
    ] {
        assert_eq!(count(&ucci, start), 1, "{start}: {ucci:#?}");
    }
    assert_eq!(
        count(
            &ucci,
            "option randomness type combo default none var none var tiny var small var medium var large var huge"
        ),
        1
    );
    assert_eq!(count(&ucci, "option repetition type combo default asianrule var asianrule var "), 1);
    gui.send("uci");
    let uci = gui.until("uciok");
    for start in [
        "option name Hash type spin default 64 min 0 max ",
        "option name Threads type spin default 1 min 0 max ",
        "option name MultiPV type spin default 1 min 1 max ",
    ] {
        assert_eq!(count(&uci, start), 1, "{start}: {uci:#?}");
    }
    // uci2wb drops the default of a choice, and XBoard uses the first word.
    for line in ucci.iter().filter(|line| line.contains(" type combo ")) {
        let (_, words) = line.split_once(" var ").expect("words");
        let default = line.split(' ').skip_while(|word| *word != "default").nth(1).expect("a default");
        assert!(words.starts_with(default), "{line}");
    }
    for name in ["Ponder", "Move Overhead", "Repetition Rule", "Clear Hash"] {
        assert_eq!(count(&uci, &format!("option name {name} type ")), 1, "{name}: {uci:#?}");
    }
    assert!(!uci.concat().contains("UCI_Variant"));
}

#[test]
fn a_protocol_named_on_the_command_line_needs_no_handshake() {
    let mut gui = Gui::start(&["--protocol", "ucci"]);
    gui.send("go depth 1");
    assert!(!gui.until("bestmove").concat().contains("cp"));
    let mut gui = Gui::start(&["--protocol", "uci"]);
    gui.send("go depth 1");
    assert!(gui.until("bestmove").concat().contains("score cp"));
}

#[test]
fn a_protocol_named_on_the_command_line_is_binding() {
    for (protocol, other) in [("uci", "ucci"), ("ucci", "uci"), ("uci-variant", "ucci")] {
        let mut gui = Gui::start(&["--protocol", protocol]);
        gui.send(other);
        assert_eq!(gui.said(), [""; 0], "{other} with --protocol {protocol}");
        gui.send("position startpos\ngo depth 1");
        let lines = gui.until("bestmove");
        assert_eq!(lines.concat().contains("score cp"), protocol != "ucci", "{lines:#?}");
    }
}

#[test]
fn ranks_begin_with_one_in_the_dialect_of_many_variants() {
    let mut gui = Gui::start(&["--protocol", "uci-variant"]);
    gui.send("uci");
    assert_eq!(count(&gui.until("uciok"), "option name UCI_Variant type combo default xiangqi var xiangqi"), 1);
    gui.send(
        "setoption name UCI_Variant value xiangqi\nposition startpos moves h3e3 h10g8\ngo depth 2 searchmoves b1c3",
    );
    assert!(gui.until("bestmove").pop().expect("a line").starts_with("bestmove b1c3 ponder "));
    assert_eq!(gui.said(), [""; 0]);
    gui.send("position startpos moves h2e2");
    assert_eq!(count(&gui.said(), "info string position: move 1"), 1);
}

#[test]
fn the_mark_of_utf_8_hides_no_handshake() {
    let mut gui = Gui::start(&[]);
    gui.send("\u{feff}ucci");
    gui.until("ucciok");
}

// ---- ready, unknown and invalid commands ----

#[test]
fn ready_is_answered_idle_and_thinking() {
    let mut gui = Gui::ucci();
    gui.send("isready");
    gui.until("readyok");
    gui.send("go infinite\nisready");
    assert_eq!(count(&gui.until("readyok"), "bestmove"), 0);
    gui.send("stop");
    gui.best_move(START, "");
}

#[test]
fn what_is_unknown_is_not_answered() {
    let mut gui = Gui::ucci();
    gui.send("xyzzy\nsetoption style normal\nsetoption name Skill Level value 20\nsetoption promotion false\nsetoption\nregister later\n\u{7f}");
    assert_eq!(gui.said(), [""; 0]);
}

#[test]
fn in_debug_mode_it_says_what_it_ignored() {
    for on in ["debug on", "setoption debug true"] {
        let mut gui = Gui::ucci();
        gui.send(&format!("{on}\nxyzzy"));
        assert_eq!(gui.said(), ["info message ignored command \"xyzzy\""]);
    }
}

#[test]
fn a_bad_value_is_named_in_one_line_and_changes_nothing() {
    let mut gui = Gui::uci();
    let moves = "h2e2 h9g7";
    gui.send(&format!("position startpos moves {moves}"));
    let fen = gui.fen();
    for (line, what) in [
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9 w", "10 ranks"),
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/8/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "rank 4"),
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAXABNR w", "'X'"),
        ("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR x", "'x'"),
        ("position fen 4k4/9/9/9/9/9/9/9/9/4K4 w", "face each other"),
        ("position fen 9/9/9/9/9/9/9/9/9/4K4 w", "no king"),
        ("position fen", "empty"),
        ("position", "fen or startpos"),
        ("position startpos moves h2e2 h9g7 a0a9", "move 3 (\"a0a9\")"),
        ("position startpos moves h2e2 fen 4k4/9/9/9/9/9/9/9/9/3K5 w", "move 2 (\"fen\")"),
        ("position startpos moves zzzz", "move 1 (\"zzzz\")"),
        ("fen 9/9 w", "10 ranks"),
        ("banmoves h2h9 e1e2", "banmoves: move 1"),
        ("setoption name Hash value many", "Hash"),
        ("setoption name Hash value -1", "Hash"),
        ("setoption Threads 100000", "Threads"),
        ("setoption name MultiPV value 0", "MultiPV"),
        ("setoption Ponder perhaps", "Ponder"),
        ("setoption repetition house", "repetition"),
        ("setoption usennue maybe", "usennue"),
        ("setoption name EvalFile value /no such/Net.net", "/no such/Net.net: "),
        #[cfg(unix)]
        ("setoption name EvalFile value /dev/zero", "/dev/zero: not a regular file"),
        ("debug maybe", "debug"),
        ("bench x", "bench"),
        ("go perft 1000", "perft"),
        ("go perft", "perft needs a number"),
        ("go perft x", "perft needs a number, not \"x\""),
    ] {
        gui.send(line);
        let said = gui.said();
        assert_eq!((said.len(), count(&said, "info string ")), (1, 1), "{line}: {said:#?}");
        assert!(said[0].contains(what), "{line}: {said:#?}");
        assert_eq!(gui.fen(), fen, "{line}");
    }
}

#[test]
fn after_a_refused_position_there_is_no_move_until_a_valid_one_arrives() {
    for (mut gui, none) in [(Gui::ucci(), "nobestmove"), (Gui::uci(), "bestmove (none)")] {
        for refused in ["position startpos moves h2e2 a0a9", "position fen 9/9 w", "position"] {
            gui.send(&format!("position startpos moves h2e2\n{refused}\ngo depth 3"));
            let lines = gui.until(none);
            assert_eq!(count(&lines, "info depth"), 0, "{refused}: {lines:#?}");
            gui.send("go infinite\nisready");
            assert!(gui.until("readyok").iter().all(|line| !line.contains("bestmove")));
            gui.send("stop");
            gui.until(none);
        }
        gui.send("position startpos moves h2e2\ngo depth 1");
        gui.best_move(START, "h2e2");
    }
}

#[test]
fn go_with_a_bad_number_holds_to_the_rest() {
    let mut gui = Gui::ucci();
    gui.send("go depth x nodes 50");
    let lines = gui.until("bestmove");
    assert_eq!(
        lines.iter().filter(|line| line.contains("go: depth needs a number, not \"x\"")).count(),
        1,
        "{lines:#?}"
    );
    gui.send("go movetime\nstop");
    gui.best_move(START, "");
}

#[test]
fn long_lines_and_noise_do_not_disturb() {
    let mut gui = Gui::ucci();
    gui.send_bytes(&[vec![b'x'; 1 << 20], b"\n".to_vec()].concat());
    gui.send_bytes(b"\0\x01\xFF\xFE\x80position\0 \xC3\x28\n\r\n\n \t \r\n");
    assert_eq!(gui.said(), [""; 0]);
    gui.send_bytes(&[vec![b'y'; 5 << 20], b"\n".to_vec()].concat());
    assert_eq!(count(&gui.said(), "info message a line longer than "), 1);
    // A megabyte of moves is a game of 200,000 plies.
    let shuffle = "b0a2 b9a7 a2b0 a7b9 ".repeat(50_000);
    gui.send(&format!("position startpos moves {shuffle}"));
    assert_eq!(gui.said(), [""; 0]);
    gui.send("go depth 1");
    gui.best_move(START, "");
    gui.send(&format!("position startpos moves {}", "x".repeat(1 << 20)));
    let said = gui.said();
    assert!(said.len() == 1 && said[0].len() < 300, "{said:#?}");
}

#[test]
fn lines_may_end_as_on_windows() {
    let mut gui = Gui::start(&[]);
    gui.send_bytes(b"ucci\r\n");
    gui.until("ucciok");
    gui.send_bytes(b"position startpos moves h2e2\r\ngo depth 1\r\n");
    gui.best_move(START, "h2e2");
}

// ---- searching ----

#[test]
fn an_endless_search_answers_only_when_stopped() {
    for (go, position) in [
        ("go infinite", "startpos"),
        ("go depth infinite", "startpos"),
        ("go infinite depth 1", "startpos"),
        ("go", "startpos"),
        ("go infinite", "fen 3k5/9/9/9/9/9/9/9/9/4KR3 w"),
    ] {
        let mut gui = Gui::ucci();
        gui.send(&format!("position {position}\n{go}"));
        gui.until("info depth 1 ");
        assert_eq!(count(&gui.said(), "bestmove"), 0, "{go}");
        gui.send("stop");
        gui.best_move(position.trim_start_matches("fen "), "");
        assert_eq!(count(&gui.said(), "bestmove"), 0, "{go}");
    }
    let mut gui = Gui::ucci();
    gui.send(&format!("position fen {MATED}\ngo infinite"));
    assert_eq!(count(&gui.said(), "nobestmove"), 0);
    gui.send("stop");
    gui.until("nobestmove");
}

#[test]
fn another_command_ends_an_endless_search() {
    let mut gui = Gui::ucci();
    gui.send("go infinite\nposition startpos moves h2e2\ngo depth 2");
    gui.best_move(START, "");
    gui.best_move(START, "h2e2");
    gui.send("go infinite\nsetoption multipv 2\ngo depth 1");
    gui.best_move(START, "h2e2");
    assert_eq!(count(&gui.until("bestmove"), "info depth 1 "), 2);
}

#[test]
fn other_commands_wait_for_the_end_of_a_limited_search() {
    let mut gui = Gui::ucci();
    gui.send("go depth 5\nposition startpos moves h2e2\nsetoption multipv 2\ngo depth 3\nisready");
    assert!(gui.best_move(START, "").starts_with("bestmove"));
    gui.best_move(START, "h2e2");
}

#[test]
fn stop_is_for_the_last_go_that_was_sent() {
    let mut gui = Gui::ucci();
    gui.send("go infinite\nposition startpos moves h2e2\ngo infinite\nstop");
    gui.best_move(START, "");
    gui.best_move(START, "h2e2");
    assert_eq!(count(&gui.said(), "bestmove"), 0);
    // Preceding searches also end.
    gui.send("go depth 90\ngo depth 91\ngo perft 30\nposition startpos\ngo depth 92\nstop");
    gui.best_move(START, "h2e2");
    gui.best_move(START, "h2e2");
    gui.best_move(START, "");
}

#[test]
fn idle_stop_is_answered_in_ucci_only() {
    let mut gui = Gui::ucci();
    gui.send("stop\nstop");
    assert_eq!(gui.said(), ["nobestmove", "nobestmove"]);
    let mut gui = Gui::uci();
    gui.send("stop\nstop");
    assert_eq!(gui.said(), [""; 0]);
}

#[test]
fn a_stop_that_crossed_the_answer_is_swallowed() {
    let mut gui = Gui::ucci();
    gui.send("position startpos\ngo depth 1");
    gui.best_move(START, "");
    gui.send("stop\nposition startpos moves h2e2 h9g7\ngo depth 1");
    gui.best_move(START, "h2e2 h9g7");
    assert_eq!(gui.said().iter().filter(|line| line.contains("bestmove")).count(), 0);
    // Only the first `stop` is late, and only if no other command has arrived in between.
    gui.send("go depth 1");
    gui.until("bestmove");
    gui.send("stop\nstop");
    assert_eq!(gui.said(), ["nobestmove"]);
    gui.send("go depth 1");
    gui.until("bestmove");
    gui.send("setoption debug false\nstop");
    assert_eq!(gui.said(), ["nobestmove"]);
}

#[test]
fn the_clock_of_a_ponder_search_waits_for_the_hit() {
    // In the example in the protocol, the expected move is played.
    let moves = "b0c2 b9c7";
    let mut gui = Gui::ucci();
    gui.send(&format!("setoption ponder true\nposition fen {START} moves {moves}\ngo ponder time 1000 increment 0"));
    gui.until("info depth 3 ");
    assert_eq!(count(&gui.said(), "bestmove"), 0);
    gui.send("ponderhit");
    gui.best_move(START, moves);
    // A different move is played, so the reply is discarded.
    gui.send(&format!("position fen {START} moves {moves}\ngo ponder time 1000 increment 0\nstop"));
    gui.best_move(START, moves);
    gui.send(&format!("position fen {START} moves b0c2 h9g7\ngo time 1000 increment 0"));
    gui.best_move(START, "b0c2 h9g7");
    gui.send("ponderhit");
    assert_eq!(gui.said(), [""; 0]);
}

#[test]
fn a_ponder_search_that_is_done_still_waits() {
    let mut gui = Gui::uci();
    gui.send("position startpos moves h2e2\ngo ponder depth 2");
    gui.until("info depth 2 ");
    assert_eq!(count(&gui.said(), "bestmove"), 0);
    gui.send("ponderhit");
    gui.best_move(START, "h2e2");
    gui.send("go ponder movetime 1 depth 3");
    assert_eq!(count(&gui.said(), "bestmove"), 0);
    gui.send("stop");
    gui.best_move(START, "h2e2");
}

#[test]
fn batch_mode_reads_a_script_to_its_end() {
    let mut gui = Gui::ucci();
    gui.send("setoption batch on\nposition startpos\ngo depth 6\nstop\nisready\nposition startpos moves h2e2\ngo depth 3\nquit");
    gui.hang_up();
    gui.best_move(START, "");
    assert_eq!(gui.until("readyok"), ["readyok"]);
    gui.best_move(START, "h2e2");
    assert_eq!(gui.end(), ["bye"]);
}

#[test]
fn batch_mode_ends_with_its_script() {
    let mut gui = Gui::ucci();
    gui.send("setoption batch true\nposition startpos\ngo depth 4");
    gui.hang_up();
    gui.best_move(START, "");
    assert_eq!(gui.end(), ["bye"]);
}

#[test]
fn batch_mode_refuses_a_search_without_end() {
    let mut gui = Gui::ucci();
    gui.send("setoption batch on\ngo infinite\ngo ponder time 100 increment 0\ngo");
    let said = gui.said();
    assert_eq!((said.len(), count(&said, "info message go: ")), (3, 3), "{said:#?}");
    gui.send("go depth 1");
    gui.best_move(START, "");
}

#[test]
fn a_search_for_a_mate_alone_ends_with_the_input_and_for_later_commands() {
    let mut gui = Gui::ucci();
    gui.send("position startpos\ngo mate 2\nposition startpos moves h2e2\ngo depth 1");
    gui.best_move(START, "");
    gui.best_move(START, "h2e2");
    gui.send("go mate 2");
    gui.hang_up();
    assert_eq!(gui.end().last().map(String::as_str), Some("bye"));
    let mut gui = Gui::ucci();
    gui.send("setoption batch on\nposition startpos\ngo mate 2\ngo depth 1\nquit");
    gui.best_move(START, "");
    assert_eq!(gui.end(), ["bye"]);
}

#[test]
fn depth_zero_is_the_static_score() {
    let mut gui = Gui::ucci();
    gui.send("position startpos\ngo depth 0");
    let lines = gui.until("nobestmove");
    assert!(lines.len() == 2 && lines[0].starts_with("info depth 0 score "), "{lines:#?}");
    assert!(lines[0].rsplit(' ').next().is_some_and(|score| score.parse::<i32>().is_ok()), "{lines:#?}");
    let mut gui = Gui::uci();
    gui.send("go depth 0");
    let lines = gui.until("bestmove (none)");
    assert!(lines.len() == 2 && lines[0].starts_with("info depth 0 score cp "), "{lines:#?}");
}

#[test]
fn without_a_move_there_is_no_best_move() {
    for fen in [MATED, STALEMATED] {
        for go in ["go depth 5", "go time 1000 increment 0", "go movetime 10", "go depth 0"] {
            let mut gui = Gui::ucci();
            gui.send(&format!("setoption threads 3\nisready\nposition fen {fen}\n{go}"));
            gui.until("readyok");
            assert_eq!(gui.until("nobestmove"), ["info depth 0 score -30000", "nobestmove"], "{fen} {go}");
            gui.send(&format!("uci\nposition fen {fen}\n{go}"));
            gui.until("uciok");
            assert_eq!(gui.until("bestmove"), ["info depth 0 score mate 0", "bestmove (none)"], "{fen} {go}");
            // A failing thread prints to standard error, which the league simulator treats as engine output.
            gui.send("quit");
            gui.end();
        }
    }
}

#[test]
fn banned_moves_are_not_played() {
    let fen = "3k5/9/9/9/9/9/9/9/4K4/7p1 w";
    let mut gui = Gui::ucci();
    // The king has three legal moves.
    gui.send(&format!("position fen {fen}\nbanmoves e1e0 e1e2"));
    gui.send("go depth 3");
    assert!(gui.best_move(fen, "").starts_with("bestmove e1f1"));
    gui.send("banmoves e1e0 e1e2 e1f1\ngo depth 3");
    gui.best_move(fen, "");
    // A later list replaces an earlier one, and a position clears it.
    gui.send("banmoves e1f1 e1e2\ngo depth 2");
    assert!(gui.best_move(fen, "").starts_with("bestmove e1e0"));
    gui.send(&format!("position fen {fen}\nbanmoves\ngo depth 2 searchmoves e1f1"));
    assert!(gui.best_move(fen, "").starts_with("bestmove e1f1"));
}

#[test]
fn only_the_moves_of_searchmoves_are_searched() {
    let mut gui = Gui::uci();
    gui.send("setoption name MultiPV value 5\nposition startpos\ngo searchmoves a0a1 i0i1 depth 2");
    let lines = gui.until("bestmove");
    assert!(
        lines
            .iter()
            .all(|line| line.contains(" pv a0a1") || line.contains(" pv i0i1") || line.starts_with("bestmove "))
    );
    assert_eq!(count(&lines, "info depth 2 "), 2);
    gui.send("go searchmoves h2h8 h2e2 depth 1");
    let lines = gui.until("bestmove");
    assert_eq!(count(&lines, "info string go: searchmoves: move 1 "), 1);
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove h2e2")), "{lines:?}");
}

/// Any other move would be a wrong reply, and a search of all moves would not end before `stop`.
#[test]
fn searchmoves_without_a_legal_move_are_answered_at_once() {
    let mut gui = Gui::uci();
    gui.send("position startpos\ngo searchmoves h2h8 zz");
    let lines = gui.until("bestmove");
    assert_eq!(count(&lines, "info string go: searchmoves: move 1 "), 1, "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"));
    assert_eq!(count(&lines, "info depth"), 0, "{lines:?}");
    let mut gui = Gui::ucci();
    gui.send("position startpos\ngo infinite searchmoves h2h8\nisready");
    assert_eq!(count(&gui.until("readyok"), "nobestmove"), 0);
    gui.send("stop");
    gui.until("nobestmove");
}

#[test]
fn limits_of_every_kind_end_a_search() {
    for go in [
        "go depth 3",
        "go nodes 500",
        "go movetime 20",
        "go time 0",
        "go time 0 increment 0",
        "go time 100",
        "go time 1000 movestogo 30",
        "go time 500 increment 10 opptime 500 oppincrement 10",
        "go draw time 500 increment 0",
        "go time 289995 opptime 280000 movetime 50 depth 8",
        "go time 300000 opptime 300000 depth 2",
        "go wtime 500 btime 500",
        "go wtime 0 btime 0",
        "go wtime -50 btime 10",
        "go btime 60000",
        "go opptime 60000",
        "go winc 10 binc 10",
        "go increment 0",
        "go movestogo 20",
        "go wtime 500 btime 500 winc 10 binc 10 movestogo 5",
        "go depth 99 movetime 20 nodes 100000000000000000000000",
        "go mate 1 depth 3",
        "go time 20 nonsense 5 oppotime 7",
        "go nodes 0",
    ] {
        let mut gui = Gui::ucci();
        gui.send(&format!("position startpos\n{go}"));
        gui.best_move(START, "");
        assert_eq!(gui.said(), [""; 0], "{go}");
    }
}

#[test]
fn seconds_are_used_when_asked_for() {
    let mut gui = Gui::ucci();
    // Waits until the options are set, since this time would be charged to the clock.
    gui.said();
    gui.send("setoption usemillisec false\nsetoption usemillisec off\ndebug on\ngo time 1 increment 0");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("left: 1s")), "{lines:#?}");
}

// ---- output during a search ----

#[test]
fn every_line_has_its_words_in_order() {
    let orders: [(Gui, &[&str]); 2] = [
        (Gui::ucci(), &["info", "depth", "seldepth", "score", "time", "nodes", "nps", "hashfull", "tbhits", "pv"]),
        (
            Gui::uci(),
            &["info", "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"],
        ),
    ];
    for (mut gui, order) in orders {
        gui.send("position startpos moves h2e2\ngo depth 7");
        let lines = gui.until("bestmove");
        let mut seen = 0;
        for line in lines.iter().filter(|line| line.starts_with("info depth ")) {
            let words: Vec<&str> = line.split(' ').filter(|word| order.contains(word)).collect();
            assert_eq!(words, order, "{line}");
            assert!(line.split_once(" pv ").is_some_and(|(_, pv)| !pv.trim().is_empty()), "{line}");
            seen += 1;
        }
        assert!(seen >= 7, "{lines:#?}");
    }
}

#[test]
fn the_last_line_speaks_of_the_move_that_is_played() {
    for go in ["go time 0 increment 0", "go nodes 5000", "go movetime 30", "go depth 6"] {
        for mut gui in [Gui::ucci(), Gui::uci()] {
            gui.send(&format!("setoption threads 2\nposition startpos moves h2e2\n{go}"));
            let lines = gui.until("bestmove");
            let [.., line, answer] = lines.as_slice() else { panic!("{go}: {lines:#?}") };
            let best = answer.split(' ').nth(1).expect("a move");
            assert!(line.contains(" score ") && line.contains(&format!(" pv {best}")), "{go}: {lines:#?}");
        }
    }
}

#[test]
fn an_analysis_with_limits_is_at_full_strength_at_every_level() {
    for mut gui in [Gui::ucci(), Gui::uci()] {
        gui.send("setoption name Level value 3\nsetoption level 3\nposition startpos\ngo infinite nodes 30000");
        gui.until("info depth 6");
        gui.send("stop");
        gui.until("bestmove");
    }
}

/// Clients attach the score of the last line to the move.
#[test]
fn at_limited_levels_too_the_last_line_speaks_of_the_move_that_is_played() {
    let (mut random, mut others) = (SplitMix64::new(64), 0);
    for mut gui in [Gui::ucci(), Gui::uci()] {
        for level in 1..=9 {
            let mut game = Game::from_fen(START).expect("a position");
            let moves: Vec<String> = (0..6)
                .map(|_| {
                    let mv = *random.pick(&game.position().legal_moves()).expect("a move");
                    game.make(mv);
                    mv.to_string()
                })
                .collect();
            gui.send(&format!("setoption name Level value {level}\nsetoption level {level}"));
            gui.send(&format!("position startpos moves {}\ngo nodes 2000", moves.join(" ")));
            let lines = gui.until("bestmove");
            let [.., line, answer] = lines.as_slice() else { panic!("level {level}: {lines:#?}") };
            let best = answer.split(' ').nth(1).expect("a move");
            assert!(line.contains(" score ") && line.contains(&format!(" pv {best}")), "level {level}: {lines:#?}");
            let searched = lines.iter().rev().filter(|line| line.contains(" pv ")).nth(1);
            others += usize::from(searched.is_some_and(|line| !line.contains(&format!(" pv {best}"))));
        }
    }
    assert!(others > 0, "every level chose the best move");
}

#[test]
fn several_lines_are_numbered() {
    for mut gui in [Gui::ucci(), Gui::uci()] {
        gui.send("setoption multipv 3\nposition startpos\ngo depth 3");
        let lines = gui.until("bestmove");
        for number in 1..=3 {
            let word = format!(" multipv {number} score ");
            assert!(lines.iter().any(|line| line.starts_with("info depth 3 ") && line.contains(&word)), "{lines:#?}");
        }
    }
}

#[test]
fn no_two_of_several_lines_begin_with_the_same_move() {
    let mut random = SplitMix64::new(21);
    let mut heard = 0;
    for mut gui in [Gui::ucci(), Gui::uci()] {
        let enough = heard + 5_000;
        while heard < enough {
            let several = 2 + random.below(4) as usize;
            let mut game = Game::from_fen(START).expect("a position");
            let mut moves = String::new();
            for _ in 0..random.below(40) {
                let legal = game.position().legal_moves();
                let mv = legal[random.below(legal.len() as u64) as usize];
                game.make(mv);
                moves += &format!(" {mv}");
                if !game.position().has_moves() {
                    break;
                }
            }
            if !game.position().has_moves() {
                continue;
            }
            gui.send(&format!("setoption multipv {several}\nposition fen {START} moves{moves}\ngo nodes 3000"));
            let lines = gui.until("bestmove");
            // A GUI shows the latest line for each number.
            let mut shown: Vec<String> = Vec::new();
            for line in lines.iter().filter(|line| line.contains(" pv ")) {
                let after =
                    |word: &str| line.split(word).nth(1).and_then(|rest| rest.split(' ').next()).expect("a word");
                let number: usize = after(" multipv ").parse().expect("a number");
                assert!(!line.contains("bound"), "{line}");
                // Lines of an iteration are sent together, best first, and replace the previous ones.
                assert!(number == 1 || number == shown.len() + 1, "{lines:#?}");
                shown.truncate(number - 1);
                assert!(!shown.iter().any(|mv| mv == after(" pv ")), "{lines:#?}");
                shown.push(after(" pv ").to_owned());
                heard += 1;
            }
        }
    }
}

#[test]
fn mates_are_numbers_in_ucci_and_moves_in_uci() {
    let fen = "3k5/9/9/9/9/9/9/9/4R4/R3K4 w";
    let mut gui = Gui::ucci();
    gui.send(&format!("position fen {fen}\ngo depth 4"));
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score 29999 ")), "{lines:#?}");
    gui.send(&format!("uci\nposition fen {fen}\ngo depth 4"));
    gui.until("uciok");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:#?}");
}

// ---- other commands ----

#[test]
fn the_hash_table_can_be_asked() {
    let mut gui = Gui::ucci();
    gui.send("position startpos moves h2e2\ngo depth 4");
    gui.until("bestmove");
    gui.send("probe startpos moves h2e2");
    let said = gui.said();
    assert!(said.len() == 1 && said[0].starts_with("pophash bestmove ") && said[0].contains("bound "), "{said:#?}");
    gui.send(&format!("setoption newgame\nprobe fen {START} moves h2e2\nprobe startpos moves a0a0"));
    let said = gui.said();
    assert_eq!((said.len(), &*said[0], &*said[2]), (3, "pophash", "pophash"), "{said:#?}");
    gui.send("probe");
    let said = gui.said();
    assert_eq!(said, ["info message probe: expected fen or startpos, not \"nothing\"", "pophash"]);
    gui.send("go infinite\nprobe startpos");
    gui.until("pophash");
    gui.send("stop");
    gui.until("bestmove");
}

#[test]
fn a_draw_is_agreed_to_when_worse() {
    let fen = "4k4/9/9/9/9/9/4R4/9/9/2BAKAB2 b";
    let mut gui = Gui::ucci();
    gui.send(&format!("position fen {fen}\ngo draw depth 3"));
    assert!(gui.best_move(fen, "").ends_with(" draw"));
    gui.send(&format!("position fen {fen}\ngo depth 3"));
    assert!(!gui.best_move(fen, "").ends_with(" draw"));
    gui.send(&format!("position fen {fen}\ngo ponder depth 3\nponderhit draw"));
    assert!(gui.best_move(fen, "").ends_with(" draw"));
    gui.send("position startpos\ngo draw depth 3");
    assert!(!gui.best_move(START, "").ends_with(" draw"));
    gui.send(&format!("uci\nposition fen {fen}\ngo draw depth 3"));
    gui.until("uciok");
    assert!(!gui.best_move(fen, "").ends_with(" draw"));
}

#[test]
fn a_hopeless_game_is_given_up_only_if_wished() {
    let fen = "4k4/9/9/9/9/9/4R4/9/9/2BAKAB2 b";
    let mut gui = Gui::ucci();
    let mut last_of_three = |option: &str| {
        gui.send(option);
        let (mut game, mut moves, mut answer) =
            (Game::from_fen(fen).expect("a position"), String::new(), String::new());
        for _ in 0..3 {
            gui.send(&format!("position fen {fen} moves{moves}\ngo depth 2"));
            answer = gui.best_move(fen, &moves);
            let best = answer.split(' ').nth(1).expect("a move").to_owned();
            game.play_text([best.as_str()]).expect("a legal move");
            let reply = game.position().legal_moves()[0];
            game.make(reply);
            moves += &format!(" {best} {reply}");
        }
        answer
    };
    assert!(!last_of_three("setoption resign 0").contains("resign"));
    assert!(last_of_three("setoption resign 500").ends_with(" resign"));
    // Three searches of one position are no game.
    for _ in 0..3 {
        gui.send(&format!("position fen {fen}\ngo depth 2"));
        assert!(!gui.best_move(fen, "").contains("resign"));
    }
}

#[test]
fn a_new_game_searches_the_same_again() {
    let mut gui = Gui::uci();
    let nodes = |gui: &mut Gui| -> Vec<String> {
        gui.send("ucinewgame\nposition startpos\ngo depth 6");
        let lines = gui.until("bestmove");
        lines.iter().filter_map(|line| line.split(" nodes ").nth(1)?.split(' ').next().map(str::to_owned)).collect()
    };
    assert_eq!(nodes(&mut gui), nodes(&mut gui));
}

#[test]
fn the_board_the_evaluation_and_the_counts_are_shown() {
    let mut gui = Gui::uci();
    gui.send("position startpos moves h2e2");
    assert!(gui.fen().starts_with("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b"));
    gui.send("eval");
    gui.until("black to move: ");
    gui.send("position startpos\ngo perft 2");
    let lines = gui.until("Nodes searched: 1920");
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 45);
    gui.send("bench 1\nposition startpos\ngo depth 1");
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" nodes ") && line.ends_with(" nps")), "{lines:#?}");
}

#[test]
fn an_option_applies_to_the_evaluation_at_once() {
    let mut gui = Gui::uci();
    let eval = |gui: &mut Gui| {
        gui.send("eval");
        gui.until("red to move: ").pop()
    };
    gui.send("position startpos");
    let by_network = eval(&mut gui);
    gui.send("setoption name UseNNUE value false");
    let by_hand = eval(&mut gui);
    gui.send("go depth 1");
    gui.until("bestmove");
    assert_eq!(by_hand, eval(&mut gui));
    assert_ne!(by_hand, by_network);
}

#[test]
fn counting_is_ended_by_stop() {
    let mut gui = Gui::uci();
    gui.send("go perft 9\nisready");
    gui.until("readyok");
    gui.send("stop\nposition startpos\ngo depth 1");
    let lines = gui.until("bestmove");
    assert_eq!(count(&lines, "the count was stopped"), 1, "{lines:#?}");
}

#[test]
fn a_game_that_is_over_is_named_and_searched_all_the_same() {
    let mut gui = Gui::ucci();
    gui.send("position fen 4k4/4a4/9/9/9/9/9/9/4A4/4K4 w\ngo depth 3");
    let lines = gui.until("bestmove");
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("info message the game is over: ")).count(),
        1,
        "{lines:#?}"
    );
    let limit = "2bak4/4a4/4b4/9/9/2R6/9/4B4/4A4/3AK1B2 w - - 130 90";
    gui.send(&format!("position fen {limit}\ngo depth 5"));
    let lines = gui.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("the game is over: ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("info depth") && !line.contains(" score 0 ")), "{lines:#?}");
}

#[test]
fn win_draw_and_loss_are_shown_when_asked_for() {
    let mut gui = Gui::uci();
    gui.send("position startpos\ngo depth 2");
    assert!(!gui.until("bestmove").concat().contains(" wdl "));
    gui.send("setoption name UCI_ShowWDL value true\ngo depth 2");
    for line in gui.until("bestmove").iter().filter(|line| line.contains(" score ")) {
        let numbers = line.split(" wdl ").nth(1).unwrap_or_else(|| panic!("no wdl in {line}"));
        let sum: u32 = numbers.split(' ').take(3).map(|word| word.parse::<u32>().expect("a number")).sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

#[test]
fn more_threads_than_cores_is_said_once() {
    let mut gui = Gui::uci();
    gui.send("setoption name Threads value 200\nsetoption name Threads value 201\nsetoption name Threads value 1");
    let said = gui.said();
    assert_eq!(said.iter().filter(|line| line.contains("more threads than cores")).count(), 1, "{said:#?}");
}

#[test]
fn thousands_of_waiting_commands_do_not_delay_the_answer() {
    let mut gui = Gui::ucci();
    let mut text = "go nodes 30000\n".to_owned();
    (0..100_000).for_each(|_| text += "position startpos moves h2e2\n");
    gui.send(&text);
    gui.until("bestmove");
    gui.send("isready");
    gui.until("readyok");
}

#[test]
fn what_cannot_be_had_is_one_line_and_everything_stays_as_it_was() {
    let mut gui = Gui::uci();
    gui.send("setoption name Hash value 1048576\nsetoption name EvalFile value /no/such.net");
    let said = gui.said();
    assert_eq!(said.iter().filter(|line| line.contains("/no/such.net")).count(), 1, "{said:#?}");
    gui.send("position startpos\ngo depth 3");
    gui.best_move("startpos", "");
}

// ---- end of the session ----

#[test]
fn quit_ends_a_search_and_what_was_asked_is_answered_first() {
    for go in
        ["go infinite", "go time 1000000 increment 0", "go ponder time 1000 increment 0", "go perft 9", "bench 30"]
    {
        let mut gui = Gui::ucci();
        gui.send(&format!("{go}\nisready\nquit"));
        let lines = gui.end();
        assert_eq!(lines.last().map(String::as_str), Some("bye"), "{go}");
        let is_search = !matches!(go, "go perft 9" | "bench 30");
        assert_eq!((count(&lines, "readyok"), count(&lines, "bestmove")), (1, usize::from(is_search)), "{go}");
    }
    let mut gui = Gui::uci();
    gui.send("go infinite\nposition startpos moves h2e2\ngo infinite\nquit");
    let lines = gui.end();
    assert_eq!((count(&lines, "bestmove"), count(&lines, "bye")), (2, 0), "{lines:#?}");
}

#[test]
fn a_whole_talk_may_be_sent_at_once() {
    for (text, expected) in [
        ("uci\nisready\nquit\n", vec!["uciok", "readyok"]),
        ("ucci\nisready\nquit\n", vec!["ucciok", "readyok", "bye"]),
        ("uci\nsetoption name Hash value 100\nisready\nucinewgame\nisready\n", vec!["uciok", "readyok", "readyok"]),
        ("position startpos\ngo depth 4\n", vec!["bestmove"]),
        ("position startpos\ngo depth 4\nquit\n", vec!["bestmove"]),
        ("go infinite\n", vec!["bestmove"]),
        ("go ponder movetime 10\n", vec!["bestmove"]),
        ("go depth 4\nucinewgame\ngo nodes 5000\nisready\nd\n", vec!["bestmove", "readyok", "Key: ", "bestmove"]),
        ("go perft 2\n", vec!["Nodes searched: 1920"]),
        ("ucci\nsetoption batch on\ngo depth 4\nisready\nquit\n", vec!["ucciok", "bestmove", "readyok", "bye"]),
    ] {
        let mut gui = Gui::start(&[]);
        gui.send_bytes(text.as_bytes());
        gui.hang_up();
        let lines = gui.end();
        let answers = ["uciok", "ucciok", "readyok", "bestmove", "Key: ", "Nodes searched: ", "bye"];
        let said: Vec<&String> =
            lines.iter().filter(|line| answers.iter().any(|answer| line.starts_with(answer))).collect();
        let is_same =
            said.len() == expected.len() && said.iter().zip(&expected).all(|(line, start)| line.starts_with(start));
        assert!(is_same, "{text:?}: {said:?}");
    }
}

#[cfg(unix)]
#[test]
fn signals_are_quit() {
    for (go, sign) in [("go infinite", "INT"), ("go perft 9", "TERM"), ("setoption batch on\ngo time 1000000", "TERM")]
    {
        let mut gui = Gui::ucci();
        gui.send(&format!("isready\n{go}"));
        gui.until("readyok");
        gui.signal(sign);
        assert_eq!(gui.end().last().map(String::as_str), Some("bye"), "{go}");
    }
    let mut gui = Gui::uci();
    gui.send("go infinite");
    gui.until("info depth");
    gui.signal("INT");
    let lines = gui.end();
    assert_eq!((count(&lines, "bestmove"), count(&lines, "bye")), (0, 0), "{lines:#?}");
}

#[test]
fn the_end_of_the_input_is_quit() {
    let mut gui = Gui::ucci();
    gui.send("go infinite");
    gui.hang_up();
    assert_eq!(gui.end().last().map(String::as_str), Some("bye"));
    let mut gui = Gui::start(&[]);
    gui.hang_up();
    assert_eq!(gui.end(), [""; 0]);
    // The last line may lack a line ending.
    let mut gui = Gui::start(&[]);
    gui.send_bytes(b"ucci\nquit");
    gui.hang_up();
    assert_eq!(gui.end().last().map(String::as_str), Some("bye"));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut gui = Gui::ucci();
    gui.send("go infinite");
    gui.stop_listening();
}
