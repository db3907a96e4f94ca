//! `chuhe fastchess` as run and parsed by OpenBench workers.

use crate::calls::{Folder, command, done, errors, text, text_of};
use crate::players::player;
use std::path::Path;
use std::process::Output;

/// Returns the words of `-engine` for a player with a given character.
fn engine(character: &str, limit: &str) -> Vec<String> {
    let settings = player(character, "");
    let (command, _) = settings.strip_prefix("cmd=").unwrap().split_once(",name=").unwrap();
    let (program, arguments) = command.split_once(' ').unwrap();
    let words =
        [format!("cmd={program}"), format!("args={arguments}"), "proto=uci".into(), format!("name={character}")];
    ["-engine".to_string()].into_iter().chain(words).chain(limit.split(' ').map(str::to_string)).collect()
}

fn fastchess(words: &[String]) -> Output {
    done(command(&["fastchess"]).args(words))
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_string).collect()
}

/// Plays two games and returns the lines of standard output and the records.
fn play(character: &str, limit: &str, more: &str) -> (Vec<String>, String) {
    let folder = Folder::new(character);
    let records = folder.join("games.pgn");
    let flags = format!("-recover -variant standard -testEnv -concurrency 1 -rounds 1 -games 2 {more}");
    let pgnout = ["-pgnout".into(), format!("file={}", records.display()), "seldepth=true".into(), "nodes=true".into()];
    let comments = ["match_line=^info string pgncomment .*".to_string()];
    let all = [
        words(flags.trim()),
        engine(character, limit),
        engine("good", "tc=inf nodes=1"),
        pgnout.to_vec(),
        comments.to_vec(),
    ];
    let text = text_of(fastchess(&all.concat()));
    assert!(text.is_ascii() && text.lines().all(|line| !line.trim().is_empty()), "{text}");
    let lines = text.lines().filter(|line| line.contains("Finished game")).map(str::to_string).collect();
    (lines, read(&records))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn each_fault_has_the_words_that_a_worker_looks_for() {
    for (character, limit, word, termination) in [
        ("crash", "tc=inf nodes=1", "disconnects", "abandoned"),
        ("flood", "tc=inf nodes=1", "connection stalls", "stalled"),
        ("illegal", "tc=inf nodes=1", "makes an illegal move", "illegal move"),
        ("garbage", "tc=inf nodes=1", "makes an illegal move", "illegal move"),
        ("late", "st=0.10 timemargin=20", "loses on time", "time forfeit"),
        ("resigning", "tc=inf nodes=1", "resigns", "normal"),
    ] {
        let (lines, records) = play(character, limit, "");
        let possessive = if word.starts_with("connection") { "'s" } else { "" };
        let expected = [
            format!("Finished game 1 ({character} vs good): 0-1 {{White{possessive} {word}}}"),
            format!("Finished game 2 (good vs {character}): 1-0 {{Black{possessive} {word}}}"),
        ];
        assert_eq!(lines, expected);
        assert_eq!(records.matches(&format!("[Termination \"{termination}\"]")).count(), 2, "{records}");
    }
}

#[test]
fn a_loser_by_its_own_scores_resigns_although_the_other_is_silent() {
    let (lines, _) = play("pessimist", "tc=inf nodes=1", "-resign movecount=3 score=2500");
    assert_eq!(lines[0], "Finished game 1 (pessimist vs good): 0-1 {Black wins by adjudication}");
    let (lines, _) =
        play("optimist", "tc=inf nodes=1", "-resign movecount=3 score=2500 -draw movenumber=9 movecount=2 score=3000");
    assert_eq!(lines[0], "Finished game 1 (optimist vs good): 1/2-1/2 {Draw by adjudication}");
}

#[test]
fn records_read_as_a_worker_reads_them() {
    let (_, records) = play("noise", "tc=inf nodes=1", "-draw movenumber=9 movecount=2 score=3000");
    // Each record consists of tags, an empty line, moves and an empty line.
    let parts: Vec<&str> = records.trim_end().split("\n\n").collect();
    assert_eq!(parts.len(), 4, "{records}");
    for game in parts.chunks(2) {
        assert!(game[0].lines().all(|tag| tag.starts_with('[') && tag.ends_with("\"]")));
        assert!(game[0].contains("[Variant \"xiangqi\"]") && game[0].contains("[FEN \""));
        let text = game[1].replace('\n', " ");
        assert!(game[1].lines().all(|line| line.len() <= 80) && text.ends_with(" 1/2-1/2"), "{text}");
        let comments: Vec<&str> = text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
        assert!(comments.len() >= 18);
        for comment in &comments[..comments.len() - 1] {
            let words: Vec<&str> = comment.split(' ').collect();
            assert!(words[0] == "+0.10/3" && words[1].ends_with("s,") && words[2] == "n=1234,", "{comment}");
            assert_eq!(words[3], "sd=3");
        }
        assert!(comments.last().unwrap().ends_with(", Draw by adjudication"));
    }
    assert!(chuhe::records::pgn::read(&records).is_ok_and(|games| games.len() == 2));
}

#[test]
fn single_games_have_openings_of_their_own() {
    let folder = Folder::new("single");
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lab/embedded/openings.epd");
    let fens = |start: u32, order: &str, games: &str| -> Vec<String> {
        let records = folder.join(format!("{start}-{order}.pgn"));
        let openings = format!("-openings file={} format=epd order={order} start={start} -srand 5", book.display());
        let flags = words(&format!("{games} {openings} -pgnout file={}", records.display()));
        let all = [flags, engine("resigning", "nodes=1"), engine("good", "nodes=1")].concat();
        let output = text_of(fastchess(&all));
        let has_pairs = !output.contains("Ptnml(0-2): [0, 0, 0, 0, 0]");
        assert_eq!(has_pairs, games.ends_with("-games 2"), "{output}");
        let tags = read(&records);
        tags.lines().filter(|line| line.starts_with("[FEN")).map(str::to_string).collect()
    };
    let single = fens(1, "sequential", "-rounds 4 -games 1");
    assert!(single.len() == 4 && single.windows(2).all(|pair| pair[0] != pair[1]));
    let pairs = fens(2, "sequential", "-rounds 2 -games 2");
    assert_eq!([&pairs[0], &pairs[1], &pairs[2], &pairs[3]], [&single[1], &single[1], &single[2], &single[2]]);
    // The shuffled order depends only on the seed; `start` selects the place in this order at which the match
    // begins.
    let shuffled = fens(1, "random", "-rounds 4 -games 1");
    assert_eq!(fens(3, "random", "-rounds 2 -games 1"), shuffled[2..]);
    assert_ne!(shuffled, single);
}

#[test]
fn an_engine_that_ends_at_a_foreign_handshake_is_asked_again() {
    let (lines, _) = play("ucci-only", "tc=inf nodes=1", "-draw movenumber=3 movecount=1 score=3000");
    assert_eq!(lines[0], "Finished game 1 (ucci-only vs good): 1/2-1/2 {Draw by adjudication}");
}

#[test]
fn an_option_that_is_not_offered_is_named() {
    let engines = ["a option.Nonsense=1", "b"].map(|name| {
        let program = format!("cmd={}", env!("CARGO_BIN_EXE_chuhe"));
        [vec!["-engine".to_string(), program], words(&format!("proto=uci tc=inf nodes=50 name={name}"))].concat()
    });
    let output = fastchess(&[words("-rounds 1 -games 2"), engines.concat()].concat());
    let text = text(&output);
    let warnings: Vec<&str> = text.lines().filter(|line| line.starts_with("Warning; ")).collect();
    assert_eq!(warnings, ["Warning; a: it offers no option Nonsense"], "{text}");
}

#[test]
fn the_version_is_one_that_servers_accept() {
    for word in ["--version", "-version", "version", "-v"] {
        let text = text_of(fastchess(&[word.to_string()]));
        let number = text.split(' ').find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap();
        let parts: Vec<u32> = number.split('.').map(|part| part.parse().unwrap()).collect();
        assert!(parts >= vec![1, 8, 1], "{text}");
    }
}

#[test]
fn what_cannot_be_played_is_one_line() {
    let players = [engine("good", "nodes=1"), engine("noise", "nodes=1")].concat();
    for (flags, word) in [
        ("-tb /tables", "tablebases"),
        ("-variant fischerandom", "fischerandom"),
        ("-openings file=/nowhere.epd order=random", "/nowhere.epd"),
        ("-pgnout file=/nowhere/games.pgn", "/nowhere/games.pgn"),
    ] {
        let output = fastchess(&[words(flags), players.clone()].concat());
        let errors = errors(&output);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{errors}");
        assert!(errors.contains(word) && errors.lines().count() == 1, "{errors}");
    }
}
