//! temporary
use chuhe::engine::*;
use chuhe::search::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a.len() > 2 {
        let mut e = Engine::default();
        if a[2] != "startpos" {
            e.set_game(chuhe::rules::Game::from_fen(&a[2]).unwrap());
        }
        e.think(Limits::fixed(std::time::Duration::from_millis(a[1].parse().unwrap())), |ev| {
            if let Event::Line(r) = ev {
                println!("{} {} {} n{} {:?} {:?}", r.depth, r.seldepth, r.score, r.nodes, r.time, r.pv)
            }
        });
        return;
    }
    let d: u32 = a[1].parse().unwrap();
    let b = bench(d, |_, _| ());
    println!("{} nodes {} nps", b.nodes, b.speed());
}
