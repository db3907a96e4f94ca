//! Fuzz targets. Each function reads untrusted bytes as the program does, and panics if a parser violates its
//! contract.
//!
//! `tests/fuzz/run.sh` runs the targets in libFuzzer, guided by code coverage. The test below does not
//! require libFuzzer: it reads the seeds, and a few hundred damaged copies of each.
//!
//! ```
//! chuhe_fuzz::target("fen").unwrap()(b"4k4/9/9/9/9/9/9/9/9/4K4 w");
//! ```

mod binary;
mod text;

/// A function that parses untrusted bytes.
pub type Target = fn(&[u8]);

/// All targets by name; `seeds` has a folder for each.
pub const TARGETS: &[(&str, Target)] = &[
    ("fen", text::fen),
    ("moves", text::moves),
    ("uci", text::uci),
    ("ucci", text::ucci),
    ("request", text::request),
    ("pgn", text::records),
    ("xqf", text::records),
    ("cbr", text::records),
    ("cbl", text::records),
    ("cbf", text::records),
    ("dhtmlxq", text::records),
    ("wxf", text::records),
    ("position", text::records),
    ("list", text::records),
    ("network", binary::network),
    ("table", binary::table),
    ("book", binary::book),
    ("training", binary::training),
];

/// Returns the target with this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|(other, _)| *other == name).map(|(_, target)| *target)
}

#[cfg(test)]
mod tests {
    use super::TARGETS;
    use chuhe::random::SplitMix64;
    use std::fs;
    use std::path::Path;

    /// Number of damaged copies per seed.
    const COPIES: u64 = 300;

    /// Bytes with a special meaning for many parsers.
    const MEANINGFUL: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, b'\n', b'"', b'9'];

    fn number(random: &mut SplitMix64, below: usize) -> usize {
        (random.next() % below.max(1) as u64) as usize
    }

    /// Changes, removes, repeats or cuts off a few bytes.
    fn damage(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
        for _ in 0..=number(random, 4) {
            let at = number(random, bytes.len());
            let end = bytes.len().min(at + 1 + number(random, 8));
            match number(random, 5) {
                0 if !bytes.is_empty() => bytes[at] ^= 1 << number(random, 8),
                1 if !bytes.is_empty() => bytes[at] = MEANINGFUL[number(random, MEANINGFUL.len())],
                2 => drop(bytes.drain(at..end)),
                3 => {
                    let piece = bytes[at..end].to_vec();
                    let to = number(random, bytes.len());
                    bytes.splice(to..to, piece);
                }
                _ => bytes.truncate(at),
            }
        }
    }

    #[test]
    fn seeds_and_damaged_seeds_are_read() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
        for (name, target) in TARGETS {
            let mut files: Vec<_> =
                fs::read_dir(seeds.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert!(!files.is_empty(), "no seeds for {name}");
            files.sort();
            for file in files {
                let seed = fs::read(&file).unwrap();
                target(&seed);
                let mut random = SplitMix64::new(seed.len() as u64);
                let copies = if seed.len() > 10_000 { COPIES / 10 } else { COPIES };
                for _ in 0..copies {
                    let mut bytes = seed.clone();
                    damage(&mut bytes, &mut random);
                    target(&bytes);
                }
            }
        }
    }
}
