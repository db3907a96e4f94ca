//! Tests of the position database; compares the stored values with the values of an independent program.

mod plain;

use chuhe_board::random::SplitMix64;
use chuhe_board::rules::{Game, Outcome, RuleSet, judge_repetition};
use chuhe_board::{Move, Piece, Position, Square};
use chuhe_engine::book::ScoredMove;
use chuhe_games::explore::{
    Added, Analysis, Checked, Choice, Costs, Edge, Error, Place, Selection, Store, update_values,
};
use plain::{Plain, PlainGraph, PlainMove};
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn any_move(place: usize) -> Move {
    Move::new(Square::ALL[place], Square::ALL[place + 1])
}

fn scored(moves: &[PlainMove]) -> Vec<ScoredMove> {
    let entry =
        |(place, mv): (usize, &PlainMove)| ScoredMove { mv: any_move(place), score: mv.own.map(|score| score as i16) };
    moves.iter().enumerate().map(entry).collect()
}

/// Returns a random graph in which the sides alternate and most scores are small, so that many values are
/// equal.
fn random_graph(random: &mut SplitMix64) -> PlainGraph {
    const SCORES: [i32; 12] = [-300, -50, -20, -20, 0, 0, 10, 30, 30, 60, 300, 29_990];
    let count = 2 + random.below(22) as usize;
    let density = 1 + random.below(3);
    let mut graph: PlainGraph = Vec::new();
    for at in 0..count {
        let mut moves = Vec::new();
        for _ in 0..random.below(3) {
            let own = (random.below(8) > 0).then(|| SCORES[random.below(12) as usize]);
            moves.push(PlainMove { own, child: None, repeats: false, checks: false });
        }
        for _ in 0..random.below(density + 2) {
            let child = random.below(count as u64) as usize;
            if child % 2 != at % 2 && moves.iter().all(|mv: &PlainMove| mv.child != Some(child)) {
                let own = Some(SCORES[random.below(11) as usize]);
                moves.push(PlainMove { own, child: Some(child), repeats: true, checks: random.below(3) > 0 });
            }
        }
        graph.push(moves);
    }
    graph
}

fn check_offender(graph: &PlainGraph, cycle: &[(usize, usize)]) -> Option<usize> {
    let checks = |side: usize| cycle.iter().skip(side).step_by(2).all(|(at, place)| graph[*at][*place].checks);
    match [checks(0), checks(1)] {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

/// Compares the values, costs and barred moves in a database with the results of the independent program;
/// returns the numbers of barred moves and of draws.
fn assert_equal(database: &Connection, graph: &PlainGraph, order: &[u64], seed: u64) -> (usize, usize) {
    let plain = Plain::solve(graph, order, &|cycle| check_offender(graph, cycle));
    let mut states = database.prepare_cached("SELECT value, cost FROM positions WHERE key = ?1").unwrap();
    for (at, key) in order.iter().enumerate() {
        let state: (i32, u32) = states.query_row([*key as i64], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(state, (plain.values[at], plain.costs[at]), "graph {seed}, {at}: {graph:#?}");
    }
    let mut bars = database.prepare_cached("SELECT parent, place FROM edges WHERE barred").unwrap();
    let index = |key: i64| order.iter().position(|known| *known == key as u64).unwrap();
    let bars = bars.query_map([], |row| Ok((index(row.get(0)?), row.get::<_, u8>(1)?.into()))).unwrap();
    assert_eq!(bars.collect::<rusqlite::Result<BTreeSet<(usize, usize)>>>().unwrap(), plain.barred, "graph {seed}");
    (plain.barred.len(), plain.values.iter().filter(|value| **value == 0).count())
}

/// Adds a position to a database, with the moves from and to positions in the database. Returns the keys of
/// its predecessors.
fn insert(database: &Connection, graph: &PlainGraph, order: &[u64], at: usize) -> Vec<u64> {
    let sql = "INSERT INTO positions VALUES (?1, x'', ?2, 0, 0, 0, 1, NULL, 1, 0, 0)";
    let moves = ScoredMove::write(&scored(&graph[at]));
    database.prepare_cached(sql).unwrap().execute((order[at] as i64, moves)).unwrap();
    let sql = "INSERT OR IGNORE INTO edges SELECT ?1, ?2, ?3, ?4, 0
        WHERE (SELECT count(*) FROM positions WHERE key IN (?1, ?3)) = 2";
    let mut link = database.prepare_cached(sql).unwrap();
    let mut before = Vec::new();
    for (parent, moves) in graph.iter().enumerate() {
        for (place, mv) in moves.iter().enumerate().filter(|(_, mv)| mv.child == Some(at) || parent == at) {
            let Some(child) = mv.child else { continue };
            let linked = link.execute((order[parent] as i64, place as i64, order[child] as i64, mv.repeats)).unwrap();
            if linked > 0 && child == at {
                before.push(order[parent]);
            }
        }
    }
    before
}

#[test]
fn values_of_a_thousand_random_graphs_are_those_of_a_plain_program() {
    let file = Temporary::new("graphs");
    drop(Store::open_to_add(&file.0, None, None).unwrap());
    let mut database = Connection::open(&file.0).unwrap();
    database.execute("INSERT INTO engines VALUES (1, 'plain')", []).unwrap();
    let (mut bars, mut draws) = (0, 0);
    for seed in 0..1000 {
        let mut random = SplitMix64::new(seed);
        let mut graph = random_graph(&mut random);
        let count = graph.len();
        let order: Vec<u64> = (0..count).map(|_| random.next()).collect();
        let (known, keys) = (graph.clone(), order.clone());
        let judge = |cycle: &[Edge]| {
            let index = |key: u64| keys.iter().position(|known| *known == key).unwrap();
            let cycle: Vec<_> = cycle.iter().map(|edge| (index(edge.parent), usize::from(edge.index))).collect();
            Ok(check_offender(&known, &cycle))
        };
        // The transaction is rolled back, so that each graph begins with an empty database.
        let begun = database.transaction().unwrap();
        let update_values =
            |changed: Vec<u64>| update_values(&begun, Box::new(judge), Costs { margin: 60 }, changed).unwrap();
        // Positions are added in random order, a few at a time.
        let mut waiting: Vec<usize> = (0..count).collect();
        while !waiting.is_empty() {
            let mut changed = Vec::new();
            for _ in 0..1 + random.below(3) {
                if waiting.is_empty() {
                    break;
                }
                let at = waiting.swap_remove(random.below(waiting.len() as u64) as usize);
                changed.push(order[at]);
                changed.extend(insert(&begun, &graph, &order, at));
            }
            update_values(changed);
        }
        bars += assert_equal(&begun, &graph, &order, seed).0;
        // Then some positions are analysed again.
        for _ in 0..4 {
            let at = random.below(count as u64) as usize;
            for mv in graph[at].iter_mut().filter(|mv| mv.own.is_some()) {
                mv.own = Some([-40, 0, 25, 70][random.below(4) as usize]);
            }
            let moves = ScoredMove::write(&scored(&graph[at]));
            begun.execute("UPDATE positions SET moves = ?2 WHERE key = ?1", (order[at] as i64, moves)).unwrap();
            update_values(vec![order[at]]);
            let (barred, drawn) = assert_equal(&begun, &graph, &order, seed);
            (bars, draws) = (bars + barred, draws + drawn);
        }
    }
    assert!(bars > 100 && draws > 1000, "{bars} barred moves, {draws} draws");
}

/// A file that is deleted at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("chuhe-{}-{name}.explore.db", std::process::id()));
        let file = Temporary(path);
        file.delete();
        file
    }

    fn delete(&self) {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = self.0.clone().into_os_string();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.delete();
    }
}

/// Returns a new database with default settings and the initial position as its root.
fn from_the_start(name: &str) -> (Temporary, Store) {
    let file = Temporary::new(name);
    let mut store = Store::open_to_add(&file.0, None, None).unwrap();
    store.add_roots(&[Position::start()]).unwrap();
    (file, store)
}

/// Returns the positions on a line with repetitions, and positions near them.
fn ending(fen: &str, line: &str, count: usize) -> Vec<Place> {
    let mut position: Position = fen.parse().unwrap();
    let mut places = vec![Place::of(&position)];
    let mut seen = BTreeSet::from([places[0].key]);
    for mv in line.split(' ') {
        position.try_make(mv.parse().unwrap()).unwrap();
        let place = Place::of(&position);
        if seen.insert(place.key) {
            places.push(place);
        }
    }
    let mut next = 0;
    while places.len() < count {
        let place = places[next].clone();
        next += 1;
        for mv in place.moves() {
            let after = place.after(mv);
            if places.len() < count && seen.insert(after.key) {
                places.push(after);
            }
        }
    }
    places
}

fn ending_offender(places: &[Place], cycle: &[(usize, usize)]) -> Option<usize> {
    let start = &places[cycle[0].0].position;
    let mut game = Game::new(start.clone());
    loop {
        for (at, place) in cycle {
            let mv = places[*at].moves()[*place];
            let is_mirrored = game.position().setup().board != places[*at].position.setup().board;
            game.make(if is_mirrored { mv.mirrored() } else { mv });
        }
        if game.position().setup().board == start.setup().board {
            break;
        }
    }
    match judge_repetition(&game, RuleSet::Asian, game.plies().len()).0 {
        Outcome::Draw => None,
        Outcome::Loss => Some(0),
        Outcome::Win => Some(1),
    }
}

#[test]
fn endings_full_of_checks_and_chases_have_the_values_of_the_plain_program() {
    let mut bars = 0;
    let endings = [
        ("3k5/9/9/p8/9/9/P8/9/9/4RK3 w", "e0e1 d9d8 e1d1 d8e8 d1e1 e8d8"),
        ("3k5/9/9/p8/9/9/P8/9/9/4RK3 w", "f0f1 d9d8 e0d0 d8e8 d0e0 e8d8"),
        ("5k3/9/9/8p/2n6/9/8P/9/9/3RK4 w", "d0d1 f9f8 d1c1 c5d7 c1d1 d7c5"),
        ("3aka3/4n4/9/9/9/9/9/2C6/6r2/3AK4 b", "g1g0 e0e1 g0g1 e1e0 g1c1 c2g2 c1g1 g2c2"),
    ];
    // With only the positions of the line (`count` 0), the repetition is the only draw.
    for (seed, count) in [0, 0, 0, 0, 90, 90, 90, 90].into_iter().enumerate() {
        let (fen, line) = endings[seed % endings.len()];
        let mut random = SplitMix64::new(seed as u64);
        let places = ending(fen, line, count);
        let keys: Vec<u64> = places.iter().map(|place| place.key).collect();
        let mut graph: PlainGraph = Vec::new();
        for place in &places {
            // Most positions can only be drawn by repetition.
            let own = |random: &mut SplitMix64| [-200, -40, -40, -5][random.below(4) as usize];
            let moves = place.moves().into_iter().map(|mv| {
                let child = keys.iter().position(|key| *key == place.after(mv).key);
                PlainMove { own: Some(own(&mut random)), child, repeats: place.is_reversible(mv), checks: false }
            });
            graph.push(moves.collect());
        }
        let file = Temporary::new(&format!("ending{seed}"));
        let mut store = Store::open_to_add(&file.0, None, None).unwrap();
        let mut waiting: Vec<usize> = (0..places.len()).collect();
        while !waiting.is_empty() {
            let mut batch = Vec::new();
            while batch.len() < 1 + random.below(4) as usize && !waiting.is_empty() {
                let at = waiting.swap_remove(random.below(waiting.len() as u64) as usize);
                let scores =
                    places[at].moves().into_iter().zip(&graph[at]).map(|(mv, plain)| (mv, plain.own.unwrap() as i16));
                // Half of the analyses are of the mirror image.
                let turned = random.below(2) == 1;
                let position = if turned { places[at].position.mirrored() } else { places[at].position.clone() };
                let scores = scores.map(|(mv, score)| (if turned { mv.mirrored() } else { mv }, score)).collect();
                batch.push(Analysis { position, scores, engine: "plain".into(), nodes: 1, depth: 1 });
            }
            assert_eq!(store.add(&batch).unwrap().new, batch.len());
        }
        let plain = Plain::solve(&graph, &keys, &|cycle| ending_offender(&places, cycle));
        for (at, place) in places.iter().enumerate() {
            let view = store.view(&place.position).unwrap().unwrap();
            assert_eq!(view.value.score, plain.values[at], "{}", place.position);
        }
        bars += plain.barred.len();
        assert_eq!(store.check().unwrap(), Checked { positions: places.len() as u64, faults: Vec::new() });
    }
    assert!(bars > 0, "no repetition was at fault");
}

/// Returns an analysis that scores every move by the squares of the pieces after it.
fn analysis(position: &Position, nodes: u64) -> Analysis {
    let place = Place::of(position);
    let worth = |piece: Piece, square: Square| {
        let file = square.file().index().min(8 - square.file().index());
        let number = (piece.index() * 90 + square.rank().index() * 9 + file) as u64;
        let value = SplitMix64::new(number).below(41) as i16 - 20;
        if piece.side() == position.side() { value } else { -value }
    };
    let on = |square: Square| place.position.piece_on(square).map(|piece| (piece, square));
    let total: i16 = Square::ALL.into_iter().filter_map(on).map(|(piece, square)| worth(piece, square)).sum();
    let score = |mv: Move| {
        let moved = on(mv.from).map_or(0, |(piece, from)| worth(piece, mv.to) - worth(piece, from));
        total + moved - on(mv.to).map_or(0, |(captured, to)| worth(captured, to))
    };
    let scores = place.moves().into_iter().map(|mv| (mv, score(mv))).collect();
    Analysis { position: place.position, scores, engine: "squares".into(), nodes, depth: 1 }
}

const LEASE: Duration = Duration::from_secs(600);

const ONE: Selection = Selection { roots: &[], count: 1, plies: 60, choice: Choice::Critical };

#[test]
fn leaves_are_taken_in_the_order_of_their_costs_and_only_once() {
    let file = Temporary::new("order");
    let mut store = Store::open_to_add(&file.0, None, Some(30)).unwrap();
    let mut other = Store::open_to_add(&file.0, None, None).unwrap();
    store.add_roots(&[Position::start()]).unwrap();
    let database = rusqlite::Connection::open(&file.0).unwrap();
    for round in 0..300 {
        let expected = store.leaves(Selection { count: 3, ..ONE }).unwrap();
        if round > 0 {
            // The cost stored at the root is the cost of its cheapest leaf.
            let sql = "SELECT cost FROM positions JOIN roots USING (key)";
            let stored = database.query_row(sql, [], |row| row.get(0)).unwrap();
            assert_eq!(expected[0].cost, Some(stored));
        }
        assert!(expected.windows(2).all(|two| two[0].cost <= two[1].cost));
        let one = store.lease(ONE, LEASE).unwrap();
        assert_eq!(one[0], expected[0]);
        // Another worker receives the next position while the first is leased.
        if let Some(two) = other.lease(ONE, LEASE).unwrap().first() {
            assert_ne!(two.position, one[0].position);
            other.add(&[analysis(&two.position, 10)]).unwrap();
        }
        store.add(&[analysis(&one[0].position, 10)]).unwrap();
    }
    assert_eq!((store.count().unwrap(), store.analyses().unwrap()), (599, 599));
    assert_eq!(store.check().unwrap().faults, []);
    // A wider margin changes the costs of all positions.
    let store = Store::open_to_add(&file.0, None, Some(90)).unwrap();
    let next = other.lease(ONE, LEASE).unwrap();
    other.add(&[analysis(&next[0].position, 10)]).unwrap();
    assert_eq!((other.margin().unwrap(), store.check().unwrap().faults), (90, vec![]));
    assert!(Store::open_to_add(&file.0, Some(RuleSet::Draw), None).is_err());
}

/// Returns the processor time of this thread, which does not depend on the load; on systems without it, the
/// elapsed time.
fn clock() -> Duration {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|spent| spent.split(' ').next()?.parse().ok());
    spent.map_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap(), Duration::from_nanos)
}

#[test]
fn a_large_database_is_sound() {
    // With CHUHE_POSITIONS=1000000 and --nocapture, this prints the speeds given in docs/16-explore.md.
    let count = std::env::var("CHUHE_POSITIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000);
    let (file, mut store) = from_the_start("large");
    let (mut taking, mut adding, mut added, mut sample) = (Duration::ZERO, Duration::ZERO, 0, Vec::new());
    while added < count {
        let start = clock();
        let leaves = store.lease(Selection { count: 500, ..ONE }, LEASE).unwrap();
        taking += clock() - start;
        sample.push(leaves[0].position.clone());
        let analyses: Vec<Analysis> = leaves.iter().map(|leaf| analysis(&leaf.position, 10)).collect();
        let start = clock();
        added += store.add(&analyses).unwrap().new as u64;
        adding += clock() - start;
    }
    drop(store);
    let store = Store::open(&file.0).unwrap();
    let mut times: Vec<Duration> = Vec::new();
    for position in &sample {
        let start = Instant::now();
        assert!(store.view(position).unwrap().is_some_and(|view| !view.moves.is_empty()));
        times.push(start.elapsed());
    }
    times.sort();
    let speed = |time: Duration| added as f64 / time.as_secs_f64();
    let bytes = std::fs::metadata(&file.0).unwrap().len();
    eprintln!(
        "{added} positions, {} bytes each; {:.0}/s taken, {:.0}/s added",
        bytes / added,
        speed(taking),
        speed(adding)
    );
    eprintln!("{} shown, median {:?}, longest {:?}", times.len(), times[times.len() / 2], times[times.len() - 1]);
    let start = clock();
    assert_eq!(store.check().unwrap(), Checked { positions: added, faults: Vec::new() });
    eprintln!("checked in {:?}", clock() - start);
}

#[test]
fn a_lease_that_expires_is_given_to_another_worker() {
    let (_file, mut store) = from_the_start("lease");
    assert_eq!(store.lease(ONE, Duration::ZERO).unwrap().len(), 1);
    let again = store.lease(ONE, LEASE).unwrap();
    assert_eq!(again.len(), 1);
    assert!(store.lease(ONE, LEASE).unwrap().is_empty() && store.has_leases().unwrap());
    store.release(&again).unwrap();
    assert_eq!(store.lease(ONE, LEASE).unwrap(), again);
}

#[test]
fn a_worker_whose_lease_has_expired_does_not_end_the_lease_of_another_worker() {
    let (file, mut store) = from_the_start("expired");
    let expired = store.lease(ONE, Duration::ZERO).unwrap();
    // The second worker runs in this process, and later in another one.
    let mut other = Store::open_to_add(&file.0, None, None).unwrap();
    assert_eq!(other.lease(ONE, LEASE).unwrap(), expired);
    store.release(&expired).unwrap();
    assert!(store.has_leases().unwrap() && store.lease(ONE, LEASE).unwrap().is_empty());
    other.release(&expired).unwrap();
    let own = store.lease(ONE, LEASE).unwrap();
    assert_eq!(own, expired);
    Connection::open(&file.0).unwrap().execute("UPDATE leases SET process = 'another machine 1'", []).unwrap();
    store.release(&own).unwrap();
    assert!(store.has_leases().unwrap());
}

#[test]
fn a_failed_transaction_changes_no_lease() {
    let (file, mut store) = from_the_start("failed");
    let leaves = store.lease(ONE, LEASE).unwrap();
    let other = Connection::open(&file.0).unwrap();
    other.execute_batch("ALTER TABLE leases RENAME TO hidden").unwrap();
    assert!(store.release(&leaves).is_err());
    other.execute_batch("ALTER TABLE hidden RENAME TO leases").unwrap();
    let good = analysis(&leaves[0].position, 1);
    let without_scores = Analysis { scores: Vec::new(), nodes: 2, ..good.clone() };
    assert!(store.add(&[good, without_scores]).is_err());
    store.release(&leaves).unwrap();
    assert!(!store.has_leases().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_lease_of_a_process_that_has_ended_is_given_to_another_worker_at_once() {
    let (file, mut store) = from_the_start("ended");
    let first = store.lease(ONE, LEASE).unwrap();
    // The lease of a running process and the lease of a process on another machine remain.
    let other = Connection::open(&file.0).unwrap();
    let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
    let number = format!("replace(process, ' {}', ' {}')", std::process::id(), child.id());
    for owner in ["process".to_owned(), number, "'another machine 1'".to_owned()] {
        other.execute(&format!("UPDATE leases SET process = {owner}"), []).unwrap();
        assert_eq!(store.lease(ONE, LEASE).unwrap(), [], "{owner}");
    }
    other.execute("DELETE FROM leases", []).unwrap();
    assert_eq!(store.lease(ONE, LEASE).unwrap(), first);
    other
        .execute(
            "UPDATE leases SET process = replace(process, ?1, ?2)",
            (format!(" {}", std::process::id()), format!(" {}", child.id())),
        )
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(store.lease(ONE, LEASE).unwrap(), first);
}

#[test]
fn a_better_analysis_replaces_a_worse_one_and_never_the_other_way() {
    let (_file, mut store) = from_the_start("better");
    let start = Position::start();
    let with = |nodes: u64, scores: &[(&str, i16)]| {
        let scores = scores.iter().map(|(mv, score)| (mv.parse().unwrap(), *score)).collect();
        Analysis { nodes, scores, ..analysis(&start, nodes) }
    };
    store.add(&[with(100, &[("h2e2", 30), ("c3c4", 20), ("a0a1", 10)])]).unwrap();
    let value = |store: &Store| store.view(&start).unwrap().unwrap().value.score;
    assert_eq!(value(&store), 30);
    assert_eq!(store.add(&[with(50, &[("h2e2", 90)])]).unwrap(), Added { known: 1, ..Added::default() });
    assert_eq!(value(&store), 30);
    // Moves that the better analysis does not score were not among its best moves, so their scores are capped
    // by its scores.
    assert_eq!(store.add(&[with(200, &[("c3c4", 15)])]).unwrap(), Added { better: 1, ..Added::default() });
    let view = store.view(&start).unwrap().unwrap();
    assert_eq!((view.value.score, view.nodes), (15, 200));
    let own = |mv: &str| view.moves.iter().find(|entry| entry.mv == mv.parse().unwrap()).and_then(|entry| entry.own);
    assert_eq!([own("c3c4"), own("h2e2"), own("i0i1"), own("h0g2")], [Some(15), Some(15), Some(10), None]);
    assert!(matches!(store.add(&[with(900, &[])]), Err(Error::NoScore(_))));
    assert_eq!(store.check().unwrap().faults, []);
}

#[test]
fn a_check_finds_every_kind_of_damage() {
    for damage in [
        "UPDATE positions SET value = value + 1 WHERE key = (SELECT key FROM positions LIMIT 1 OFFSET 7)",
        "UPDATE positions SET cost = 0 WHERE key = (SELECT key FROM positions LIMIT 1 OFFSET 8)",
        "UPDATE positions SET plies = 77 WHERE key = (SELECT key FROM positions LIMIT 1 OFFSET 9)",
        "UPDATE positions SET below = below + 1 WHERE key = (SELECT key FROM positions LIMIT 1 OFFSET 3)",
        "UPDATE positions SET board = x'00' WHERE key = (SELECT key FROM positions LIMIT 1 OFFSET 4)",
        "UPDATE positions SET moves = substr(moves, 5) WHERE key = (SELECT key FROM positions LIMIT 1 OFFSET 4)",
        "DELETE FROM edges WHERE parent = (SELECT parent FROM edges LIMIT 1)",
        "UPDATE edges SET barred = 1 WHERE parent = (SELECT parent FROM edges LIMIT 1)",
    ] {
        let (file, mut store) = from_the_start("damage");
        for _ in 0..30 {
            let leaf = store.lease(ONE, LEASE).unwrap().remove(0);
            store.add(&[analysis(&leaf.position, 10)]).unwrap();
        }
        assert_eq!(store.check().unwrap().faults, []);
        let other = Connection::open(&file.0).unwrap();
        assert!(other.execute(damage, []).unwrap() > 0, "{damage}");
        let found = store.check();
        assert!(found.as_ref().is_ok_and(|checked| !checked.faults.is_empty()), "{damage}: {found:?}");
    }
}

#[test]
fn files_of_other_programs_are_refused() {
    let file = Temporary::new("foreign");
    assert!(matches!(Store::open(&file.0), Err(Error::Missing)));
    std::fs::write(&file.0, "").unwrap();
    assert!(matches!(Store::open(&file.0), Err(Error::Empty)));
    std::fs::write(&file.0, "not a database, but long enough to be read as one").unwrap();
    assert!(Store::open(&file.0).unwrap_err().to_string().contains("not a position database"));
    file.delete();
    Connection::open(&file.0).unwrap().execute_batch("CREATE TABLE people (name TEXT)").unwrap();
    assert!(matches!(Store::open(&file.0), Err(Error::Foreign)));
    assert!(matches!(Store::open_to_add(&file.0, None, None), Err(Error::Foreign)));
}
