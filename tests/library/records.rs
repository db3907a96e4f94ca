//! All record formats: random games survive a round trip, and damaged files neither panic nor exhaust memory.

use chuhe::board::Position;
use chuhe::notation::Form;
use chuhe::random::SplitMix64;
use chuhe::records::{
    Format, GameResult, NodeId, Record, RecordReader, Tree, cbf, cbl, cbr, dhtmlxq, lines, pgn, wxf, xqf,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Cursor;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// An allocator that records the current and the maximum allocation.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MAX: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MAX.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's guarantees are those required by the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Serialises tests, so that the measured memory belongs to a single test.
static ALONE: Mutex<()> = Mutex::new(());

/// Words for comments and tags; the last ones are keywords of record formats.
const WORDS: [&str; 24] = [
    "当头炮",
    "good",
    "(better: C2=5)",
    "楚河",
    "a [b] c",
    "100%",
    "兵七进一!",
    "–",
    "[DhtmlXQ_binit]",
    "[/DhtmlXQ_a]",
    "<ChineseChessRecord",
    "<html>",
    "]]>",
    "a &lt; b",
    "FORMAT WXF",
    "START{",
    "}END",
    "startpos",
    "[Event \"x\"]",
    "CCBridge Record",
    "XQ",
    "; 1-0",
    "# x",
    "% $1",
];

/// Returns a random game from the initial position or from a position in another game, with comments,
/// variations and glyphs.
fn random_game(random: &mut SplitMix64) -> Record {
    let mut start = Position::start();
    if random.below(3) == 0 {
        for _ in 0..random.below(60) {
            let Some(&mv) = random.pick(&start.legal_moves()) else { break };
            start.make(mv);
        }
        let mut setup = start.setup();
        (setup.quiet_plies, setup.move_number) = (0, 1);
        start = Position::new(&setup).unwrap();
    }
    if start.legal_moves().is_empty() {
        start = Position::start();
    }
    let mut record = Record::new(start);
    let results = [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
    record.result = results[random.below(4) as usize];
    for (tag, value) in
        [("Title", "楚河 1"), ("Event", "杯赛"), ("Date", "2026.11.22"), ("Red", "甲"), ("Black", "B \"b\"")]
    {
        if random.below(2) == 0 {
            record.set_tag(tag, value);
        } else if random.below(2) == 0 && ["Title", "Event"].contains(&tag) {
            record.set_tag(tag, WORDS[random.below(WORDS.len() as u64) as usize]);
        }
    }
    let length = 1 + random.below(80);
    grow(&mut record, NodeId::ROOT, length, random);
    // Variations are added at any node, more often at earlier nodes.
    for _ in 0..random.below(6) {
        let line: Vec<NodeId> = record.tree.main_line().collect();
        let mut from = if line.is_empty() { NodeId::ROOT } else { line[random.below(line.len() as u64) as usize] };
        if random.below(2) == 0 {
            from = record.tree.children(from).last().unwrap_or(from);
        }
        let length = 1 + random.below(8);
        grow(&mut record, from, length, random);
    }
    if random.below(3) == 0 {
        record.tree.set_comment(NodeId::ROOT, "总评");
    }
    record
}

/// Adds a line of random moves after a node.
fn grow(record: &mut Record, from: NodeId, length: u64, random: &mut SplitMix64) {
    let mut position = record.start.clone();
    for mv in record.tree.line_to(from) {
        position.make(mv);
    }
    let mut last = from;
    for _ in 0..length {
        let Some(&mv) = random.pick(&position.legal_moves()) else { break };
        if record.tree.child(last, mv).is_some() {
            break;
        }
        position.make(mv);
        last = record.tree.add(last, mv).unwrap();
        if random.below(5) == 0 {
            let words: Vec<&str> =
                (0..=random.below(3)).map(|_| WORDS[random.below(WORDS.len() as u64) as usize]).collect();
            record.tree.set_comment(last, &words.join(" "));
        }
        if random.below(10) == 0 {
            record.tree.add_glyph(last, 1 + random.below(20) as u8);
        }
    }
}

fn write(record: &Record, format: Format, form: Form) -> Vec<u8> {
    match format {
        Format::Pgn => pgn::write(record, form).into_bytes(),
        Format::Xqf => xqf::write(record),
        Format::Cbr => cbr::write(record),
        Format::Cbl => cbl::write_library("楚河", [record, record]).unwrap(),
        Format::Cbf => cbf::write(record).into_bytes(),
        Format::DhtmlXq => dhtmlxq::write(record).into_bytes(),
        Format::Wxf => wxf::write(record).into_bytes(),
        Format::Position => lines::write_position(record).into_bytes(),
        Format::Moves => lines::write_moves(record, form).into_bytes(),
    }
}

/// Returns the part of a game that a format can represent.
fn kept(record: &Record, format: Format) -> Record {
    let mut kept = record.clone();
    let main_line = |with_comments: bool| {
        let mut tree = Tree::new();
        let mut last = NodeId::ROOT;
        if with_comments {
            tree.set_comment(last, record.tree.comment(NodeId::ROOT));
        }
        for id in record.tree.main_line() {
            last = tree.add(last, record.tree.mv(id).unwrap()).unwrap();
            if with_comments {
                tree.set_comment(last, record.tree.comment(id));
            }
        }
        tree
    };
    match format {
        Format::Pgn => {}
        Format::Xqf | Format::Cbr | Format::Cbl | Format::DhtmlXq => kept.tree = without_glyphs(&record.tree),
        Format::Cbf => kept.tree = main_line(true),
        Format::Wxf => kept.tree = main_line(false),
        Format::Position | Format::Moves => {
            kept.tags.clear();
            kept.tree = main_line(false);
        }
    }
    if format == Format::Position {
        kept.result = GameResult::Unknown;
    }
    // Characters that would end a comment, a tag or a block are replaced by similar ones.
    let clean = |text: &str| match format {
        Format::DhtmlXq => text.replace('[', "［").replace(']', "］"),
        Format::Wxf => text.replace(['{', '}'], "|"),
        _ => text.to_owned(),
    };
    kept.tags.iter_mut().for_each(|(_, value)| *value = clean(value));
    let ids: Vec<NodeId> = kept
        .tree
        .steps()
        .filter_map(|step| match step {
            chuhe::records::Step::Move(id) => Some(id),
            _ => None,
        })
        .collect();
    for id in std::iter::once(NodeId::ROOT).chain(ids) {
        let comment = kept.tree.comment(id);
        let comment =
            if format == Format::Pgn { comment.replace('{', "｛").replace('}', "｝") } else { clean(comment) };
        kept.tree.set_comment(id, &comment);
    }
    kept.tags.sort();
    kept
}

fn without_glyphs(tree: &Tree) -> Tree {
    let mut plain = Tree::new();
    plain.set_comment(NodeId::ROOT, tree.comment(NodeId::ROOT));
    let mut todo = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((old, new)) = todo.pop() {
        for child in tree.children(old) {
            let id = plain.add(new, tree.mv(child).unwrap()).unwrap();
            plain.set_comment(id, tree.comment(child));
            todo.push((child, id));
        }
    }
    plain
}

fn read(bytes: Vec<u8>) -> Vec<Result<Record, chuhe::records::RecordFault>> {
    RecordReader::new(Cursor::new(bytes)).unwrap().collect()
}

#[test]
fn a_thousand_random_games_go_through_every_format() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut random = SplitMix64::new(19);
    for number in 0..1000 {
        let game = random_game(&mut random);
        for format in Format::ALL {
            let form = Form::ALL[number % 3];
            let bytes = write(&game, format, form);
            let expected = kept(&game, format);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let games = read(bytes);
            assert_eq!(games.len(), if format == Format::Cbl { 2 } else { 1 }, "{format}, game {number}\n{text}");
            for read in games {
                let mut read = read.unwrap_or_else(|fault| panic!("{format}, game {number}: {fault}\n{text}"));
                read.tags.sort();
                assert!(read == expected, "{format}, game {number}:\n{text}\n{}", pgn::write(&read, Form::Iccs));
            }
        }
    }
}

/// Corrupts a file: changes, removes, duplicates or inserts bytes, or makes a number very large.
fn mutate(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    for _ in 0..=random.below(4) {
        let length = bytes.len().max(1) as u64;
        let at = random.below(length) as usize;
        let end = (at + 1 + random.below(40) as usize).min(bytes.len());
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at.min(end)..end)),
            2 => {
                let piece = bytes[at.min(end)..end].to_vec();
                let to = random.below(length) as usize;
                bytes.splice(to..to, piece);
            }
            3 => bytes[at.min(end)..end].fill([0, 0xFF, b'(', b'{', b'[', b'9'][random.below(6) as usize]),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
}

/// The number of damaged files is CHUHE_MUTATIONS, or 4,000 by default. docs/records.md gives the command for
/// 100,000.
#[test]
fn damaged_files_neither_panic_nor_take_memory() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let count = std::env::var("CHUHE_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(4000);
    let mut random = SplitMix64::new(7);
    let samples: Vec<Record> = (0..40).map(|_| random_game(&mut random)).collect();
    let (mut slowest, mut games, mut faults) = (Duration::ZERO, 0usize, 0usize);
    for number in 0..count {
        let format = Format::ALL[number % Format::ALL.len()];
        let sample = &samples[random.below(samples.len() as u64) as usize];
        let mut bytes = write(sample, format, Form::ALL[number / 8 % 3]);
        mutate(&mut bytes, &mut random);
        let length = bytes.len();
        let before = NOW.load(Ordering::Relaxed);
        MAX.store(before, Ordering::Relaxed);
        let begun = Instant::now();
        // A damaged header may make a file unrecognisable.
        let Ok(reader) = RecordReader::new(Cursor::new(bytes)) else {
            faults += 1;
            continue;
        };
        for game in reader {
            match game {
                Ok(game) => {
                    games += 1;
                    assert!(game.tree.len() <= length, "{format}: more moves than bytes");
                }
                Err(_) => faults += 1,
            }
        }
        slowest = slowest.max(begun.elapsed());
        let most = MAX.load(Ordering::Relaxed).saturating_sub(before);
        assert!(most <= 10 * length + (50 << 20), "{format}: {most} bytes of memory for a file of {length}");
    }
    println!("{count} damaged files: {games} games, {faults} faults, the slowest took {slowest:?}");
    assert!(games > 0 && faults > 0);
}

#[test]
fn deep_and_wide_trees_need_no_deep_stack() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // A chain of 60,000 moves, each with a variation: recursion would overflow any stack.
    let mut record = Record::default();
    let (mut last, mut position) = (NodeId::ROOT, Position::start());
    for ply in 0..60_000 {
        let mv = ["h2e2", "h9g7", "e2h2", "g7h9"][ply % 4].parse().unwrap();
        let other = ["c3c4", "c6c5", "c3c4", "c6c5"][ply % 4].parse().unwrap();
        assert!(position.is_legal(mv) && position.is_legal(other));
        let next = record.tree.add(last, mv).unwrap();
        record.tree.add(last, other).unwrap();
        position.make(mv);
        last = next;
    }
    for format in [Format::Pgn, Format::Xqf, Format::Cbr] {
        let games = read(write(&record, format, Form::Iccs));
        assert!(games[0].as_ref().unwrap() == &record, "{format}");
    }
    // A line of 60,000 moves without spaces must not be scanned again at each move.
    for round in ["马八进七马8进7马七退八马7退8", "h2e2h9g7e2h2g7h9", "H8+7H8+7H7-8H7-8"] {
        let games = read(round.repeat(15_000).into_bytes());
        assert_eq!(games[0].as_ref().unwrap().tree.len(), 60_000, "{round}");
    }
    let brackets = format!("1. h2e2 {}", "(1. c3c4 (1. b2e2 ".repeat(100_000));
    assert!(read(brackets.into_bytes())[0].is_err());
}

#[test]
fn moves_beyond_the_most_are_a_fault_wherever_they_stand() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let shuffle = "h2e2 h9g7 e2h2 g7h9 ".repeat(125_001);
    for text in [shuffle.clone(), format!("c3c4 (h2e2 {}) *", &shuffle[5..]), format!("startpos moves {shuffle}")] {
        let games = read(text.into_bytes());
        let fault = games[0].as_ref().expect_err("a fault");
        assert!(fault.to_string().contains("the number of moves"), "{fault}");
        let game = fault.game.as_ref().expect("the game before it");
        assert_eq!(game.tree.len(), chuhe::records::MAX_NODES);
        let last = game.tree.children(NodeId::ROOT).last().expect("a move");
        let end = std::iter::successors(Some(last), |id| game.tree.next(*id)).last().expect("a move");
        assert_eq!(game.tree.comment(end), "");
    }
}
