//! The binary: hands the command line to the library.
use chuhe::board::*;
fn main() {
    let d: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let t = std::time::Instant::now();
    let n = perft::perft(&mut Position::start(), d);
    println!("{n} {:?}", t.elapsed());
    let t = std::time::Instant::now();
    if d <= 4 {
        println!("{} {:?}", perft::perft_walking(&mut Position::start(), d), t.elapsed());
    }
}
