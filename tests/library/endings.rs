//! Tablebases: generated tables are correct, and damage is detected.
//!
//! `CHUHE_TRIES=1000 cargo test --release --test library endings` sets the number of random trials, and makes
//! the engine search 10,000 nodes per move.

use chuhe::board::{Move, Position, Side};
use chuhe::endings::file::{Facts, Table, write};
use chuhe::endings::make::make;
use chuhe::endings::verify::{Refuted, verify};
use chuhe::endings::{Content, Folder, Index, Material, Tables};
use chuhe::engine::{Options, Searcher};
use chuhe::random::SplitMix64;
use chuhe::rules::{Game, Outcome, RuleSet, Verdict, judge};
use chuhe::score::{EVALUATION_LIMIT, is_decided, is_evaluation};
use chuhe::search::Limits;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Returns the number of random trials: `usual`, or the value of the environment variable.
fn tries(usual: usize) -> usize {
    std::env::var("CHUHE_TRIES").ok().and_then(|tries| tries.parse().ok()).unwrap_or(usual)
}

/// A temporary folder.
struct Made(PathBuf);

impl Made {
    /// Generates the tables of an ending and of all endings reachable by captures.
    fn of(name: &str) -> Made {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), FOLDERS.fetch_add(1, Relaxed));
        let path = std::env::temp_dir().join(format!("chuhe-endings-{process}-{number}"));
        fs::create_dir_all(&path).expect("a folder");
        let made = Made(path);
        for member in material(name).family() {
            make(member, &made.folder(), 2).expect("a table");
        }
        made
    }

    fn folder(&self) -> Folder {
        Folder::new(&self.0)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn material(name: &str) -> Material {
    name.parse().expect(name)
}

#[test]
fn what_is_made_passes_the_verifier() {
    for name in ["H-A", "CA-A", "PP-", "R-P", "R-H"] {
        let made = Made::of(name);
        for member in material(name).family() {
            verify(member, &made.folder(), 2).unwrap_or_else(|refuted| panic!("{refuted}"));
        }
    }
}

#[test]
fn a_number_of_threads_changes_no_byte() {
    let (one, other) = (Made::of("H-A"), Made::of("CA-"));
    make(material("H-A"), &other.folder(), 1).expect_err("the smaller ones are missing");
    make(material("H-"), &other.folder(), 1).expect("made");
    make(material("H-A"), &other.folder(), 3).expect("made");
    for content in Content::ALL {
        let bytes = |made: &Made| fs::read(made.folder().file(material("H-A"), content)).expect("a table");
        assert!(bytes(&one) == bytes(&other), "{content:?}");
    }
}

#[test]
fn known_endings_are_known() {
    let made = Made::of("CA-A");
    let tables = Tables::new(vec![made.folder()]).expect("the folder");
    let ask = |fen: &str| {
        let position: Position = fen.parse().expect("a FEN");
        let flipped = position.flipped();
        let answer = tables.answer(&position).expect("sound tables");
        assert_eq!(answer, tables.answer(&flipped).expect("sound tables"), "{fen}, colours swapped");
        assert_eq!(answer, tables.answer(&position.mirrored()).expect("sound tables"), "{fen}, mirrored");
        answer
    };
    // This is a textbook win, in which the cannon behind its advisor drives the other advisor off the king's
    // file.
    let won = ask("3k5/4a4/9/9/9/9/9/9/4A4/C3K4 w").expect("a table");
    assert_eq!(won.outcome, Outcome::Win);
    assert!(won.mate > won.capture);
    assert_eq!(
        ask("4k4/9/9/9/9/9/9/9/4A4/3K5 w").map(|answer| answer.outcome),
        Some(Outcome::Draw),
        "no attacker is left"
    );
    let inside = ask("4k4/9/9/9/9/9/9/9/4R4/3K5 b").expect("the program contains this table");
    assert_eq!((inside.outcome, inside.mate), (Outcome::Loss, None), "the winner is known, but not the distance");
    assert_eq!(ask("4k4/9/9/9/9/9/9/9/3RR4/3K5 b"), None, "there is no table of RR-");
}

#[test]
fn the_tables_inside_say_what_new_ones_say() {
    let inside = Tables::default();
    for name in ["PP-A", "CA-E", "H-AE"] {
        let made = Made::of(name);
        let tables = Tables::new(vec![made.folder()]).expect("the folder");
        for member in material(name).family() {
            let index = Index::new(member);
            for (number, side) in (0..index.size()).flat_map(|number| Side::ALL.map(|side| (number, side))) {
                let Some(position) = Position::of_pieces(index.pieces(number), side) else { continue };
                let answers = [&inside, &tables].map(|tables| tables.outcome(&position).expect("sound tables"));
                assert_eq!(answers[0], answers[1], "{position}");
            }
        }
    }
}

#[test]
fn a_single_changed_value_is_found() {
    let made = Made::of("H-");
    let (ending, folder, mut random) = (material("H-"), made.folder(), SplitMix64::new(1));
    let index = Index::new(ending);
    let legal = |random: &mut SplitMix64| loop {
        let (side, number) = (Side::ALL[random.below(2) as usize], random.below(index.size() as u64) as usize);
        if Position::of_pieces(index.pieces(number), side).is_some() {
            return (side, number);
        }
    };
    for _ in 0..tries(60) {
        let content = Content::ALL[random.below(3) as usize];
        let path = folder.file(ending, content);
        let (sound, table) = (fs::read(&path).expect("a table"), Table::open(&path).expect("a table"));
        let values = Side::ALL.map(|side| table.distances(side).expect("values"));
        let wins = folder.open(ending, Content::Wins).expect("a table");
        // The distance of a draw is meaningless.
        let (side, number) = loop {
            let (side, number) = legal(&mut random);
            if content == Content::Wins || wins.outcomes(side).expect("values")[number] != Outcome::Draw {
                break (side, number);
            }
        };
        let header = table.header();
        let (counts, longest) = (header.counts, header.longest);
        let facts = Facts { material: ending, content, bits: header.bits, counts, longest };
        let value = |at: Side, place: usize| {
            let value = values[at.index()][place];
            Some(if (at, place) == (side, number) { value ^ 1 } else { value })
        };
        write(&path, &facts, 1, value).expect("written");
        let refuted = verify(ending, &folder, 2);
        assert!(matches!(refuted, Err(Refuted::Value(..))), "{content:?} {side:?} {number}: {refuted:?}");
        fs::write(&path, sound).expect("mended");
    }
    verify(ending, &folder, 2).expect("all mended");
}

#[test]
fn a_changed_or_cut_file_is_found() {
    let made = Made::of("R-");
    let (ending, folder, mut random) = (material("R-"), made.folder(), SplitMix64::new(2));
    for _ in 0..tries(60) {
        for cut in [false, true] {
            let path = folder.file(ending, Content::ALL[random.below(3) as usize]);
            let sound = fs::read(&path).expect("a table");
            let at = random.below(sound.len() as u64) as usize;
            let mut damaged = sound.clone();
            if cut {
                damaged.truncate(at)
            } else {
                damaged[at] ^= 1 << random.below(8)
            }
            fs::write(&path, damaged).expect("damaged");
            let refuted = verify(ending, &folder, 1).expect_err("damaged").to_string();
            assert!(refuted.lines().count() == 1, "{refuted}");
            fs::write(&path, sound).expect("mended");
        }
    }
}

#[test]
fn other_files_and_missing_tables_are_errors() {
    let made = Made::of("H-A");
    let folder = made.folder();
    fs::remove_file(folder.file(material("H-"), Content::Mate)).expect("removed");
    let missing = verify(material("H-A"), &folder, 1).expect_err("a smaller table is missing").to_string();
    assert!(missing.ends_with("there is no table of H-; run chuhe endings make H-"), "{missing}");
    let path = folder.file(material("H-"), Content::Mate);
    for bytes in
        [&b""[..], b"a game of chess", &[0; 4096], &fs::read(folder.file(material("H-A"), Content::Mate)).expect("it")]
    {
        fs::write(&path, bytes).expect("written");
        let position: Position = "3k5/9/9/9/9/9/9/9/9/N3K4 w".parse().expect("a FEN");
        let error =
            Tables::new(vec![folder.clone()]).expect("the folder").answer(&position).expect_err("no table").to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// Plays a game between the engine, which uses the tables, and an opponent that also uses them.
fn played_out(made: &Made, start: &Position, engine: Side, random: &mut SplitMix64) -> (Outcome, Game) {
    let options = Options { hash_mb: 1, table_path: Some(made.0.clone()), ..Options::default() };
    let mut searcher = Searcher::new(options).expect("1 MB");
    let tables = Tables::new(vec![made.folder()]).expect("the folder");
    let mut game = Game::new(start.clone());
    loop {
        if let Verdict::Over(outcome, _) = judge(&game, RuleSet::Asian) {
            return (if game.position().side() == Side::Red { outcome } else { !outcome }, game);
        }
        let mv = if game.position().side() == engine {
            let nodes = if tries(0) > 0 { 10_000 } else { 200 };
            searcher.think(&game, &Limits::nodes(nodes), |_| {}).best.expect("the game goes on")
        } else {
            let best = tables.best_moves(game.position()).expect("sound tables").expect("known");
            best[random.below(best.len() as u64) as usize]
        };
        game.make(mv);
    }
}

#[test]
fn the_engine_wins_what_is_won_and_holds_what_is_drawn() {
    let (mut random, share) = (SplitMix64::new(3), tries(30) / 3);
    for name in ["H-AE", "PP-A", "PP-E"] {
        let made = Made::of(name);
        let tables = Tables::new(vec![made.folder()]).expect("the folder");
        let index = Index::new(material(name));
        let (mut won, mut held) = (0, 0);
        while won + held < share {
            let number = random.below(index.size() as u64) as usize;
            let Some(start) = Position::of_pieces(index.pieces(number), Side::Red) else { continue };
            match tables.outcome(&start).expect("sound tables") {
                Some(Outcome::Win) if won < share.div_ceil(2) => {
                    let (outcome, game) = played_out(&made, &start, Side::Red, &mut random);
                    assert_eq!(outcome, Outcome::Win, "{start}: {} plies", game.plies().len());
                    won += 1;
                }
                Some(Outcome::Draw) if held < share / 2 => {
                    assert_eq!(played_out(&made, &start, Side::Black, &mut random).0, Outcome::Draw, "{start}");
                    held += 1;
                }
                _ => {}
            }
        }
    }
}

#[test]
fn whatever_lies_in_a_folder_is_told_in_one_sentence() {
    let made = Made::of("H-A");
    let folder = made.folder();
    let family = material("H-A").family();
    let files: Vec<PathBuf> =
        family.iter().flat_map(|member| Content::ALL.map(|content| folder.file(*member, content))).collect();
    let sound: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).expect("a table")).collect();
    let mut random = SplitMix64::new(5);
    let mut below = |count: usize| random.below(count as u64) as usize;
    let (mut refused, all) = (0, tries(200));
    for _ in 0..all {
        let (at, other) = (below(files.len()), below(files.len()));
        let mut bytes = sound[at].clone();
        match below(6) {
            0 => {
                for _ in 0..=below(8) {
                    let place = below(bytes.len());
                    bytes[place] = below(256) as u8;
                }
            }
            1 => bytes.truncate(below(bytes.len())),
            2 => bytes = sound[other].clone(),
            3 => bytes = (0..below(5000)).map(|_| below(256) as u8).collect(),
            4 => bytes.extend(sound[other].iter()),
            _ => bytes.clear(),
        }
        let is_missing = below(8) == 0;
        if is_missing { fs::remove_file(&files[at]) } else { fs::write(&files[at], &bytes) }.expect("changed");
        fs::write(made.0.join(["R-.wins", "A-A.mate", "notes.txt", ".wins"][below(4)]), &bytes).expect("another file");
        let mut said = Vec::new();
        match Tables::new(vec![folder.clone()]) {
            Ok(tables) => {
                for fen in ["3k5/4a4/9/9/9/9/9/9/9/N3K4 w", "3k5/9/9/9/9/9/9/9/9/N3K4 b", "3k5/9/9/9/9/9/9/9/9/R3K4 b"]
                {
                    let position: Position = fen.parse().expect("a FEN");
                    said.extend(tables.answer(&position).err().map(|fault| fault.to_string()));
                    said.extend(tables.best_moves(&position).err().map(|fault| fault.to_string()));
                }
            }
            Err(fault) => said.push(fault.to_string()),
        }
        for member in &family {
            said.extend(verify(*member, &folder, 1).err().map(|refuted| refuted.to_string()));
        }
        refused += usize::from(!said.is_empty());
        assert!(said.iter().all(|sentence| sentence.lines().count() == 1), "{said:?}");
        fs::write(&files[at], &sound[at]).expect("mended");
        for name in ["R-.wins", "A-A.mate", "notes.txt", ".wins"] {
            let _ = fs::remove_file(made.0.join(name));
        }
        // Arbitrary names of endings must not cause a panic either.
        let name: String =
            (0..below(10)).map(|_| ['R', 'h', 'C', 'p', 'A', 'e', '-', 'x', '兵', '\n'][below(10)]).collect();
        if let Err(error) = name.parse::<Material>() {
            assert_eq!(error.to_string().lines().count(), 1, "{name:?}");
        }
    }
    assert!(refused * 2 > all, "{refused} of {all}");
    family.iter().for_each(|member| verify(*member, &folder, 1).expect("all mended"));
}

#[test]
fn who_can_only_check_forever_loses() {
    let made = Made::of("R-H");
    let tables = Tables::new(vec![made.folder()]).expect("the folder");
    let (index, mut random) = (Index::new(material("R-H")), SplitMix64::new(4));
    let answer = |position: &Position| tables.answer(position).expect("sound tables").expect("known");
    let mut found = 0;
    while found < 20 {
        let number = random.below(index.size() as u64) as usize;
        let side = Side::ALL[random.below(2) as usize];
        let Some(start) = Position::of_pieces(index.pieces(number), side) else { continue };
        let worth = answer(&start);
        let Some(plies) = worth.perpetual else { continue };
        assert_eq!((worth.capture, worth.mate), (None, None), "{start}");
        found += 1;
        let winner = if worth.outcome == Outcome::Win { side } else { !side };
        let mut game = Game::new(start.clone());
        let outcome = loop {
            if let Verdict::Over(outcome, _) = judge(&game, RuleSet::Asian) {
                break if game.position().side() == winner { outcome } else { !outcome };
            }
            let wins = game.position().side() == winner;
            let moves = match wins {
                true => tables.best_moves(game.position()).expect("sound tables").expect("known"),
                // The losing side prolongs the game as long as the rule on perpetual check allows.
                false => {
                    let holds = |mv: &Move| {
                        let mut after = game.position().clone();
                        after.make(*mv);
                        answer(&after).perpetual.is_some()
                    };
                    let all = game.position().legal_moves();
                    let holding: Vec<Move> = all.iter().copied().filter(holds).collect();
                    if holding.is_empty() { all.into_iter().collect() } else { holding }
                }
            };
            // The winner plays the first best move instead of a random one, since every best move must make
            // progress.
            game.make(moves[if wins { 0 } else { random.below(moves.len() as u64) as usize }]);
        };
        assert_eq!(outcome, Outcome::Win, "{start}, perpetual check within {plies}");
    }
}

#[test]
fn a_known_ending_is_told_as_known() {
    let mut searcher = Searcher::new(Options { hash_mb: 1, ..Options::default() }).expect("1 MB");
    let mut score = |fen: &str| {
        let game = Game::from_fen(fen).expect("a FEN");
        searcher.think(&game, &Limits::depth(3), |_| {}).lines[0].score
    };
    assert_eq!(score("3ak1b2/4a4/4b4/9/9/9/9/9/9/R3K4 w"), 0, "a rook does not win against four guards");
    let won = score("4k1b2/4a4/4b4/9/9/9/9/9/9/R3K4 w");
    assert!(won > EVALUATION_LIMIT && !is_decided(won), "a rook wins against three guards: {won}");
    assert!(score("4k1b2/4a4/4b4/9/9/9/9/9/9/R3K4 b") < -EVALUATION_LIMIT, "for the side to move");
    let late = score("4k1b2/4a4/4b4/9/9/9/9/9/9/R3K4 w - - 110 90");
    assert!(is_evaluation(late), "too near the natural limit to be sure: {late}");
}
