//! Memory of the hash table: it is committed before the engine reports that it is ready.

use super::gui::Gui;

/// Returns the number of pages committed during a first search, which slow it down.
fn faults_of_a_search(gui: &mut Gui) -> u64 {
    gui.send("isready");
    gui.until("readyok");
    let before = gui.page_faults();
    gui.send("position startpos\ngo nodes 60000");
    gui.until("bestmove");
    gui.page_faults() - before
}

#[test]
fn after_readyok_no_page_of_the_hash_is_new() {
    for megabytes in [64, 256, 1024] {
        let mut gui = Gui::uci();
        // A search also commits memory for stacks, lines and the evaluator.
        let least = faults_of_a_search(&mut gui);
        gui.send(&format!("setoption name Hash value {megabytes}"));
        let faults = faults_of_a_search(&mut gui);
        assert!(faults < least + 100, "{faults} with {megabytes} MB, {least} with 1 MB");
        gui.send("ucinewgame");
        let faults = faults_of_a_search(&mut gui);
        assert!(faults < least + 100, "{faults} after a new game with {megabytes} MB, {least} with 1 MB");
    }
}
