//! Memory of the hash table: it is committed before the engine reports that it is ready.

use super::gui::Gui;

/// Returns the number of pages committed during the first search after some lines; committing pages slows the
/// search down. It is the minimum of three attempts, since a system with little free memory takes pages away
/// from any program.
fn faults_of_a_search(gui: &mut Gui, lines: &str) -> u64 {
    let attempt = |_| {
        gui.send(lines);
        gui.send("isready");
        gui.until("readyok");
        let before = gui.page_faults();
        gui.send("position startpos\ngo nodes 60000");
        gui.until("bestmove");
        gui.page_faults() - before
    };
    (0..3).map(attempt).min().expect("three attempts")
}

#[test]
fn after_readyok_no_page_of_the_hash_is_new() {
    let mut gui = Gui::uci();
    for megabytes in [64, 256, 1024] {
        // A search also commits memory for stacks, lines and the evaluator.
        let least = faults_of_a_search(&mut gui, "setoption name Hash value 1");
        let size = format!("setoption name Hash value 1\nsetoption name Hash value {megabytes}");
        for lines in [size.as_str(), "ucinewgame"] {
            let faults = faults_of_a_search(&mut gui, lines);
            assert!(faults < least + 100, "{lines}: {faults} with {megabytes} MB, {least} with 1 MB");
        }
    }
}
