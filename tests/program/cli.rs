//! Guarantees for scripts that call `chuhe`.

use crate::calls::{Folder, chuhe, chuhe_reading, command, done, errors, text, text_of};
#[cfg(target_os = "linux")]
use crate::calls::{chuhe_in, chuhe_under, signal, wait_until};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Returns standard output of a successful call without messages on standard error.
fn output(arguments: &[&str]) -> String {
    let output = chuhe(arguments);
    assert_eq!(errors(&output), "", "{arguments:?}");
    text_of(output)
}

/// Returns standard error of a call that fails with status 2: a single line, with nothing on standard output.
fn complaint(arguments: &[&str]) -> String {
    let output = chuhe(arguments);
    let complaint = errors(&output);
    assert_eq!((output.status.code(), text(&output)), (Some(2), ""), "{arguments:?}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint.trim_end().to_owned()
}

#[test]
fn perft_ends_with_the_count_and_the_rate() {
    let lines = output(&["perft", "3"]);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], "Nodes searched: 79666");
    assert!(lines[1].contains("M nodes/s"), "{}", lines[1]);
    assert!(output(&["perft", "0"]).starts_with("Nodes searched: 1\n"));
    assert!(output(&["perft", "3", "--walk"]).starts_with("Nodes searched: 79666\n"));
    assert!(output(&["perft", "3", "--threads", "0"]).starts_with("Nodes searched: 79666\n"));
}

#[test]
fn perft_divides_by_move() {
    let divided = output(&["perft", "2", "--moves", "h2e2 h9g7", "--divide"]);
    let counts =
        divided.lines().take_while(|line| !line.is_empty()).map(|line| line.split_once(": ").expect("move: count"));
    let counts: Vec<(String, u64)> =
        counts.map(|(mv, count)| (mv.to_owned(), count.parse().expect("a count"))).collect();
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    assert!(counts.iter().any(|(mv, _)| mv == "e2e6"));
    assert!(divided.contains(&format!("Nodes searched: {all}\n")), "{divided}");
}

#[test]
fn perft_checks_a_file() {
    let checked = output(&["perft", "--file", "positions/perft.epd", "--max-depth", "2"]);
    assert_eq!(checked, "81 positions, all counts agree\n");
}

#[test]
fn perft_names_the_first_difference() {
    let lines =
        "\u{feff}# a comment\r\n4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 ;D1 1\r\n3k5/9/9/9/9/9/9/9/9/4K4 b ;D1 2 ;D2 4\r\n";
    let output = chuhe_reading(&mut command(&["perft", "--file", "-"]), lines);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output), "standard input:3: depth 1: counted 1, expected 2\n3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1\n");
}

#[test]
fn bad_input_is_named_by_place() {
    let mut fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C4xC/9/RNBAKABNR";
    let column = complaint(&["show", "--fen", fen]);
    assert_eq!(column, "chuhe: --fen: rank 2, column 4: 'x' is neither a piece nor a digit from 1 to 9");
    fen = "4k4/9/9/9/9/9/9/9/9/4K4";
    assert_eq!(complaint(&["show", "--fen", fen]), "chuhe: --fen: the kings face each other");
    let moves = complaint(&["show", "--moves", "h2e2 h9h8"]);
    assert_eq!(moves, "chuhe: --moves: ply 2 (\"h9h8\") is not legal there");
    assert!(complaint(&["perft", "--file", "no such file.epd"]).starts_with("chuhe: no such file.epd: "));
    assert!(complaint(&["show", "--svg", "no such folder/board.svg"]).starts_with("chuhe: no such folder/board.svg: "));
    assert!(complaint(&["show", "--log", "no such folder/log"]).starts_with("chuhe: no such folder/log: "));
}

/// Returns standard output of a successful call that reads the given text from standard input.
fn output_of(arguments: &[&str], input: &str) -> String {
    text_of(chuhe_reading(&mut command(arguments), input))
}

#[test]
fn moves_behind_a_fen_are_played() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let played = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";
    for fen in [&format!("{start} - - 0 1 moves h2e2"), "startpos moves h2e2"] {
        for command in ["show", "eval", "judge"] {
            assert_eq!(output(&[command, "--fen", fen]), output(&[command, "--moves", "h2e2"]), "{command}");
        }
        assert!(output(&["perft", "1", "--fen", fen]).starts_with("Nodes searched: 45\n"));
        assert!(output(&["show", "--fen", fen, "--moves", "h9g7"]).contains(" rnbakab1r/9/1c4nc1/"));
    }
    let epd = format!("{start} moves h2e2 ;D1 45 ;D2 1564\nstartpos moves h2e2");
    for arguments in [&["analyze"][..], &["compare", "--only", "pvs"]] {
        let lines = output_of(&[arguments, &["--file", "-", "--depth", "1", "--json"]].concat(), &epd);
        assert_eq!(lines.matches(played).count(), 2, "{lines}");
    }
    assert_eq!(output_of(&["perft", "--file", "-"], &epd), "2 positions, all counts agree\n");
    assert_eq!(output_of(&["judge", "--file", "-"], &epd).lines().count(), 2);
    let fault = complaint(&["show", "--fen", &format!("{start} moves h2e2 h2e2")]);
    assert_eq!(fault, "chuhe: --fen: ply 2 (\"h2e2\") is not legal there");
}

#[test]
fn a_position_needs_no_flag_and_no_quotes() {
    let fen = "3k5/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1";
    let words: Vec<&str> = fen.split(' ').collect();
    for command in ["show", "eval", "judge"] {
        let with_flag = output(&[command, "--fen", fen]);
        assert_eq!(output(&[command, fen]), with_flag, "{command}");
        assert_eq!(output(&[&[command], &words[..]].concat()), with_flag, "{command}");
    }
    assert_eq!(output(&["show", "startpos", "moves", "h2e2"]), output(&["show", "--moves", "h2e2"]));
    assert!(output(&[&["perft", "1"], &words[..]].concat()).starts_with("Nodes searched: 18\n"));
    assert!(complaint(&["show", "startpos", "--fen", fen]).contains("cannot be used with"));
}

#[test]
fn moves_are_taken_in_any_notation() {
    let drawn = output(&["show", "--moves", "h2e2 h9g7"]);
    for moves in ["炮二平五 马８进７", "砲二平五 馬8進7", "C2=5 H8+7", "H2-E2 H9-G7", "1. h2e2 h9g7"] {
        assert_eq!(output(&["show", "--moves", moves]), drawn, "{moves}");
    }
    let unreadable = complaint(&["show", "--moves", "hello"]);
    assert_eq!(unreadable, "chuhe: --moves: ply 1 (\"hello\") can't be read: it is not a move in a known notation");
    let strange = complaint(&["show", "h2e2 h9g7"]);
    assert!(strange.ends_with("it looks like a list of moves: use --moves"), "{strange}");
    let western = complaint(&["show", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w"]);
    assert!(western.contains("Western chess"), "{western}");
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_are_no_input() {
    let folder = Folder::new("pipe");
    let pipe = folder.file("a pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    for place in ["/dev/zero", &pipe] {
        for arguments in [
            &["judge", "--pgn", place][..],
            &["judge", "--file", place],
            &["perft", "--file", place],
            &["analyze", "--file", place],
            &["analyze", "--net", place],
            &["compare", "--file", place],
            &["net", "info", place],
            &["tune", "--inspect", place],
            &["match", "--config", place],
            &["match", "--openings", place, "--engine", "cmd=self", "--engine", "cmd=self,name=b"],
        ] {
            let fault = complaint(arguments);
            assert!(fault.contains("not a regular file"), "{arguments:?}: {fault}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_exit_status_2() {
    for arguments in [&["perft", "2"][..], &["show"], &["judge", "--json"], &["eval"], &["--help"], &["man"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        let output = done(command(arguments).stdout(full));
        let fault = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {fault}");
        assert!(fault.starts_with("chuhe: cannot write the results: "), "{fault}");
    }
    let fault = complaint(&["compare", "--depth", "1", "--only", "pvs", "--csv", "/dev/full"]);
    assert!(fault.starts_with("chuhe: /dev/full: "), "{fault}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_midway_is_exit_status_2_and_one_line() {
    let folder = Folder::new("a full disk");
    std::fs::write(folder.join("two.pgn"), "1. h2e2 h9g7 1-0\n\n1. c3c4 1-0\n").expect("a file");
    let records = "datagen --nodes 50 --hash 1 --threads 1 --seed 9 --games 60 --out records";
    text_of(chuhe_in(&folder, &records.split(' ').collect::<Vec<_>>()));
    // A limit on file sizes simulates a full disk.
    for (blocks, words) in [
        (4, "datagen --nodes 10 --hash 1 --games 100 --out data"),
        (4, "review two.pgn --nodes 1000 --hash 1 --html pages"),
        (4, "train records/9-000.games --epochs 1 --out net"),
        (16, "match --engine cmd=self,name=a --engine cmd=self,name=b --each nodes=10,hash=1 --games 40 --out match"),
    ] {
        let done = chuhe_under(&format!("ulimit -f {blocks}"), &folder, words);
        let fault = errors(&done);
        assert_eq!(done.status.code(), Some(2), "{words}: {fault}");
        let lines: Vec<&str> = fault.lines().filter(|line| line.starts_with("chuhe: ")).collect();
        assert!(matches!(lines[..], [line] if line.contains("File too large")), "{fault}");
    }
}

#[test]
fn an_analysis_ends_with_the_move_and_what_the_score_means() {
    let end = output(&["analyze", "3k5/9/4R4/9/9/9/9/4R4/9/5K3 w", "--depth", "5"]);
    assert!(end.contains("\nBest move: ") && end.contains("\nScore:     Red mates in "), "{end}");
    assert_eq!(end.matches("depth").count(), 2, "one table: {end}");
    let level = output(&["analyze", "--depth", "3", "--multipv", "3", "--notation", "wxf", "--handcrafted"]);
    assert!(level.contains("(Red is ") || level.contains("about equal)"), "{level}");
    assert!(level.lines().any(|line| line.starts_with("3  ")), "{level}");
    let verbose = output(&["analyze", "--depth", "3", "--verbose"]);
    assert!(verbose.lines().filter(|line| line.starts_with("1. depth ")).count() >= 3, "{verbose}");
    let chinese = output(&["analyze", "--depth", "2", "--language", "zh", "--notation", "chinese"]);
    assert!(chinese.contains("最佳着法："), "{chinese}");
    let lost = output(&["analyze", "3k5/9/9/9/9/9/9/3R5/4R4/5K3 b", "--depth", "2"]);
    assert!(lost.contains("No legal move: Black has lost."), "{lost}");
    let rounds = "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9";
    let over = output(&["analyze", "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w", "--moves", rounds, "--depth", "3"]);
    assert!(over.contains("The game is over: Red's rook gives check with every move"), "{over}");
    assert!(over.contains("Best move: "), "{over}");
    let fault = complaint(&["analyze", "--depth", "1", "--svg", "no such folder/board.svg"]);
    assert!(fault.starts_with("chuhe: no such folder/board.svg: "), "{fault}");
}

#[test]
fn tasks_of_a_file_are_counted() {
    let mates = "3k5/9/4R4/9/9/9/9/4R4/9/5K3 w ; bm e7d7 ; dm 1\n\
                 3k5/9/4R4/9/9/9/9/4R4/9/5K3 w ; dm 9\n\
                 startpos ; bm a0a1\nstartpos\n";
    let text = output_of(&["analyze", "--file", "-", "--depth", "4"], mates);
    assert!(text.ends_with("2 of 3 solved\n"), "{text}");
    let json = output_of(&["analyze", "--file", "-", "--depth", "4", "--json"], mates);
    let solved: Vec<bool> = json.lines().map(|line| line.contains("\"solved\":true")).collect();
    assert_eq!(solved, [true, true, false, false], "{json}");
}

#[test]
fn positions_on_standard_input_are_answered_as_they_come_and_bad_ones_too() {
    let arguments = ["analyze", "--file", "-", "--depth", "2", "--json"];
    let mut child = command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("chuhe runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut ask = |line: &str| {
        writeln!(input, "{line}").expect("chuhe listens");
        answers.next().expect("an answer").expect("text")
    };
    let start = ask("startpos");
    for field in ["\"bestmove\":\"", "\"ponder\":\"", "\"wdl\":[", "\"chinese\":[\"", "\"over\":null"] {
        assert!(start.contains(field), "{field} in {start}");
    }
    assert!(ask("9/9 w").starts_with("{\"error\":\"standard input:2: "));
    assert!(ask("startpos ; bm a0a9").starts_with("{\"error\":\"standard input:3: bm: "));
    let mated = ask("3k5/4P4/4P4/9/9/9/9/9/9/3RK4 b");
    assert!(
        mated.contains("\"lines\":[],\"bestmove\":null,\"ponder\":null,\"solved\":null,\"over\":\"mate\""),
        "{mated}"
    );
    let stalemated = ask("3k5/9/3P5/9/9/9/9/9/4R4/4K4 b");
    assert!(stalemated.contains("\"over\":\"stalemate\""), "{stalemated}");
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "some could not be read");
}

#[test]
fn what_is_wrong_is_said_in_the_language_of_the_user() {
    let cases: [(&[&str], &str); 14] = [
        (&["show", "9/9/9/9/9/9/9/9/9/4K4 w", "--ply", "0"], "局面：黑方没有将（帅）"),
        (&["show", "startpos", "--moves", "h2e2 h2e2"], "--moves：第 2 着：此处不能走“h2e2”"),
        (&["show", "startpos", "--moves", "hello"], "--moves：第 1 着“hello”不是可识别的着法"),
        (&["show", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"], "看来是国际象棋的 FEN，横竖各 8 格"),
        (&["show", "missing.pgn"], "missing.pgn：没有这个文件或文件夹"),
        (&["analyze", "--depth", "many"], "“--depth <着数>”的值“many”无效：不是整数"),
        (&["analyze", "--depth", "0"], "“--depth <着数>”的值“0”无效：应为 1 至 127"),
        (&["analyze", "--time", "3 weeks"], "没有“weeks”这个时间单位，请用 ms、s、m 或 h"),
        (&["analyze", "--dept", "3"], "没有“--dept”这个选项；是不是“--depth”？"),
        (&["analyse", "--nodes", "1", "--depth", "1"], "不能与"),
        (&["anlyze"], "没有“anlyze”这个命令；是不是"),
        (&["convert", "game.pgn"], "缺少必需的参数：--to <格式>"),
        (&["endings"], "“chuhe endings”后面缺少命令，可选："),
        (&["match", "--engine", "cmd=self"], "对战至少需要两个引擎"),
    ];
    for (arguments, said) in cases {
        for place in [0, arguments.len()] {
            let with_option = [&arguments[..place], &["--language", "zh"], &arguments[place..]].concat();
            let output = done(&mut command(&with_option));
            assert!(errors(&output).contains(said), "{with_option:?}: {}", errors(&output));
        }
        let output = done(command(arguments).env("LC_ALL", "zh_CN.UTF-8"));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors(&output).contains(said), "{}", errors(&output));
        let output = done(command(arguments).env("LC_ALL", "zh_CN.UTF-8").args(["--language", "en"]));
        let is_chinese = |letter: char| ('\u{2E80}'..'\u{FFF0}').contains(&letter);
        assert!(!errors(&output).contains(is_chinese), "{}", errors(&output));
    }
}

#[test]
fn results_are_in_the_language_of_the_user() {
    let cases: [(&[&str], &[&str]); 9] = [
        (&["eval"], &["红中局", "子力 ", "棋子位置", "红方走棋：+10 分，手写评估"]),
        (&["moves", "h2e2"], &["着序  着法", "中文记法"]),
        (&["perft", "2"], &["节点数：1920", "百万节点"]),
        (&["show", "--moves", "h2e2 h9g7 h0g2"], &["黑方走棋（第 2 回合），前一着：马二进三"]),
        (&["analyze", "--depth", "1"], &["评分", "变化", "最佳着法：", "万节点"]),
        (&["net", "info"], &["隐藏单元", "每方 "]),
        (&["endings", "--help"], &["用法：chuhe endings [选项] <命令>", "命令：\n  make", "示例：\n  chuhe"]),
        (&["mate", "3k5/4P4/9/9/9/9/9/9/9/R3K4", "w"], &["红方一步"]),
        (&["mate", "2bak4/9/9/9/9/9/9/9/9/3K2R1R w - - 116 90"], &["没有找到自然限着以内的杀法"]),
    ];
    for (arguments, parts) in cases {
        let text = text_of(done(command(arguments).args(["--language", "zh"]).env("COLUMNS", "300")));
        for part in parts {
            assert!(text.contains(part), "{arguments:?}: {part} in {text}");
        }
    }
}

#[test]
fn the_referee_says_when_it_will_judge() {
    let fen = "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w";
    let rounds = "e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9";
    let judge = |rules: &str, language: &str| {
        let judged = output(&["judge", fen, "--moves", rounds, "--rules", rules, "--language", language]);
        judged.lines().next().expect("a line").to_owned()
    };
    let league = "The game goes on: third occurrence of this position; the league rules judge at the fourth.";
    assert_eq!(judge("league", "en"), league);
    assert_eq!(judge("draw", "en"), "Every repetition is a draw.");
    assert_eq!(judge("asian", "zh"), "红车长将，黑方没有长将，黑方胜。");
    let record = output(&["judge", fen, "--moves", rounds, "--json"]);
    assert!(record.contains("\"code\":\"perpetual_check\",\"offender\":\"red\",\"occurrences\":3"), "{record}");
}

#[test]
fn tables_and_examples_fit_the_terminal() {
    let columns = |columns: &str, arguments: &[&str]| text_of(done(command(arguments).env("COLUMNS", columns)));
    for width in [60, 80] {
        let fits = |arguments: &[&str]| {
            let text = columns(&width.to_string(), arguments);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(widest <= width, "{arguments:?} at {width}:\n{text}");
        };
        fits(&["eval"]);
        fits(&["compare", "--depth", "2"]);
        let help = columns(&width.to_string(), &["compare", "--help"]);
        // An example that is broken over two lines can still be pasted into a shell.
        let gap = if width == 60 { "\\\n      " } else { "" };
        let example = format!("  chuhe compare --only search,search+without=null_move {gap}--depth 10\n");
        assert!(help.contains(&example), "{help}");
    }
}

/// Returns `true` if a running program has installed a handler for SIGINT, as it does when its search begins.
#[cfg(target_os = "linux")]
pub(crate) fn catches_signals(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("it runs");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).expect("a mask") & 0b10 != 0)
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_an_analysis_with_what_it_has_found() {
    use std::io::Read;
    let folder = Folder::new("interrupted");
    let file = &*folder.file("two positions.epd");
    std::fs::write(file, "startpos\nstartpos moves h2e2\n").expect("a file");
    for (arguments, name, lines, end) in [
        (&["--time", "1h"][..], "INT", 2, "\nBest move: "),
        (&["--time", "1h", "--json"], "TERM", 1, "\"bestmove\":\""),
        (&["--time", "1h", "--file", file], "INT", 1, "  bestmove "),
        (&["--time", "1h", "--file", file, "--json"], "TERM", 1, "\"bestmove\":\""),
    ] {
        let mut command = command(&["analyze"]);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("chuhe runs");
        wait_until("it begins", || catches_signals(child.id()));
        signal(&child, name);
        let mut said = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{arguments:?}: {said}");
        assert!(said.contains(end) && said.lines().count() >= lines, "{arguments:?}: {said}");
        assert!(lines > 1 || said.lines().count() == 1, "{arguments:?}: {said}");
    }
}

#[test]
fn bad_usage_is_one_line() {
    let threads = ["perft", "3", "--threads", "100000"];
    assert!(complaint(&threads).contains("--threads <N>': use a number from 0 to 256"), "{}", complaint(&threads));
    for arguments in [&["perft"][..], &["perft", "x"], &["perft", "99"], &["frobnicate"], &["show", "--colour"]] {
        let line = complaint(arguments);
        assert!(line.starts_with("chuhe: ") && line.len() > 20, "{line}");
    }
}

#[test]
fn files_without_a_game_and_limits_of_nothing_are_refused() {
    let folder = Folder::new("nothing");
    let path = &*folder.file("nothing.pgn");
    std::fs::write(path, "\n").expect("a file");
    let tags = &*folder.file("tags.pgn");
    std::fs::write(tags, "[Red \"A\"]\n\n*\n").expect("a file");
    for (arguments, fault) in [
        (&["puzzles", "list", path][..], "no positions found"),
        (&["review", tags], "the games have no moves to review"),
        (&["show", "missing"], "missing: neither an existing file nor a FEN"),
        (&["eval", "missing"], "missing: neither an existing file nor a FEN"),
        (&["mate", "missing"], "missing: neither an existing file nor a FEN"),
        (&["judge", "--pgn", path], "no games found"),
        (&["judge", "--file", path], "no positions found"),
        (&["analyze", "--file", path], "no positions found"),
        (&["practise", "--file", path], "no positions found"),
        (&["analyze", "--nodes", "0"], "--nodes <NODES>"),
        (&["play", "--clock", "0"], "the clock must allow time for the first move"),
    ] {
        let complaint = complaint(arguments);
        assert!(complaint.contains(fault), "{arguments:?}: {complaint}");
    }
    let practise = chuhe(&["practise", path]);
    assert_eq!((practise.status.code(), text(&practise)), (Some(1), ""));
    assert!(errors(&practise).contains("no game was found"), "{}", errors(&practise));
}

/// A player's name that reverses the line or moves the cursor could make the output misleading.
#[test]
fn names_of_a_record_give_the_terminal_no_orders() {
    let folder = Folder::new("names");
    let file = &*folder.file("names.pgn");
    let game = "[Red \"a\u{202E}b\x1b[2J\"]\n[Black \"\u{2066}c\"]\n\n1. h2e2 h9g7 *\n\n";
    std::fs::write(file, game.to_owned() + &game.replace("h9g7", "b9c7")).expect("a file");
    let review = output(&["review", file, "--nodes", "1000"]);
    assert!(review.contains("1. a\u{FFFD}b\u{FFFD}[2J – \u{FFFD}c\n"), "{review}");
    assert!(!review.contains(['\u{202E}', '\x1b', '\u{2066}']), "{review}");
}

#[test]
fn boards_without_a_terminal_have_no_colour() {
    let board = output(&["show", "--moves", "h2e2"]);
    assert!(board.contains("楚　河") && board.contains("[炮]") && !board.contains('\x1b'));
    assert!(output(&["show", "--ascii"]).is_ascii());
}

#[test]
fn the_built_in_book_has_a_name() {
    assert_eq!(output(&["book", "show", "own"]), output(&["book", "show"]));
}

#[test]
fn a_picture_goes_to_a_path_with_spaces() {
    let folder = Folder::new("a folder 楚河");
    let path = folder.file("the board.svg");
    output(&["show", "--svg", &path]);
    assert!(std::fs::read_to_string(path).expect("the picture").starts_with("<svg"));
}

#[test]
fn the_log_goes_to_its_file() {
    let folder = Folder::new("log");
    output(&["show", "--log", &folder.file("chuhe.log")]);
    assert!(folder.join("chuhe.log").exists());
    let bad = done(command(&["show"]).env("CHUHE_LOG", "a=b=c"));
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in [&["perft", "3", "--divide"][..], &["show"], &["completions", "bash"], &["man"], &["--help"]] {
        let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("chuhe runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), errors(&output)), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn commands_are_found_by_both_spellings() {
    for [one, other] in [["analyze", "analyse"], ["practise", "practice"]] {
        assert_eq!(output(&[other, "--help"]), output(&[one, "--help"]), "{other}");
    }
}

#[test]
fn version_completions_and_manual_are_printed() {
    assert_eq!(output(&["--version"]), format!("chuhe {}\n", env!("CARGO_PKG_VERSION")));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(output(&["completions", shell]).contains("perft"), "{shell}");
    }
    assert!(output(&["man"]).contains(".TH chuhe 1"));
    let page = output(&["man", "show"]);
    assert!(page.contains("\n.nh\n") && page.contains("\n.SH EXAMPLES\n.nf\n\\&  chuhe show\n"), "{page}");
    assert!(output(&["man", "perft"]).contains("divide"));
    assert!(output(&["--help"]).contains("Examples:"));
}

/// Creates a folder with a PGN file of two games in Chinese, and the same games as CBL.
fn records(name: &str) -> Folder {
    let folder = Folder::new(name);
    let text = "[Red \"甲\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n\n[Red \"乙\"]\n\n1. 兵七进一 *\n";
    std::fs::write(folder.join("two.pgn"), text).expect("a file");
    text_of(chuhe(&["convert", &folder.file("two.pgn"), "--to", "cbl", "--out", &folder.file("two.cbl")]));
    folder
}

#[test]
fn a_record_stands_for_its_game_wherever_a_position_may_stand() {
    let folder = records("positions of records");
    for file in ["two.pgn", "two.cbl"] {
        let path = &*folder.file(file);
        for command in ["show", "eval", "judge"] {
            let moves = "h2e2 h9g7 h0g2 i9h9";
            assert_eq!(output(&[command, path]), output(&[command, "--moves", moves]), "{command} {file}");
            assert_eq!(output(&[command, path, "--ply", "2"]), output(&[command, "--moves", "h2e2 h9g7"]));
            assert_eq!(output(&[command, path, "--ply", "0"]), output(&[command]));
            assert_eq!(output(&[command, path, "--game", "2"]), output(&[command, "--moves", "c3c4"]));
        }
        assert!(complaint(&["show", path, "--ply", "5"]).ends_with("--ply: the game has only 4 plies"));
        assert!(complaint(&["show", path, "--game", "3"]).ends_with("the file has no game with this number"));
        // The two games have five and two positions.
        let lines = output(&["analyze", "--file", path, "--depth", "1", "--json"]);
        assert_eq!(lines.lines().count(), 7, "{lines}");
    }
    assert!(complaint(&["show", "no such game.xqf"]).starts_with("chuhe: no such game.xqf: "));
}

#[test]
fn one_game_of_a_file_is_converted() {
    let folder = records("one game of two");
    let path = &*folder.file("two.pgn");
    let converted = |more: &[&str]| chuhe(&[&["convert", path, "--to", "position"], more].concat());
    let all = text(&converted(&[])).to_owned();
    let second = converted(&["--game", "2"]);
    assert_eq!(
        (second.status.code(), text(&second)),
        (Some(0), all.lines().nth(1).map(|line| format!("{line}\n")).as_deref().unwrap_or_default())
    );
    let third = converted(&["--game", "3"]);
    assert_eq!(third.status.code(), Some(2));
    assert!(errors(&third).trim_end().ends_with("--game: there is no game 3; the files contain 2"), "{third:?}");
}

#[test]
fn nothing_is_printed_of_two_games_where_a_file_holds_one() {
    let folder = records("two games for one file");
    let path = &*folder.file("two.pgn");
    assert!(complaint_behind(&["convert", path, "--to", "xqf"]).ends_with("there are more: use --out FOLDER"));
    assert!(complaint(&["review", path, "--game", "3"]).ends_with("--game: there is no game 3; the files contain 2"));
}

/// Returns the last line of standard error of a call that fails with status 2 and prints nothing.
fn complaint_behind(arguments: &[&str]) -> String {
    let output = chuhe(arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    errors(&output).trim_end().to_owned()
}

#[test]
fn openings_come_from_records_of_any_format() {
    let folder = records("openings of records");
    let path = &*folder.file("two.cbl");
    let engine = "cmd=self,depth=1,hash=1";
    let arguments =
        ["openings", "--from", path, "--plies", "1-3", "--within", "300", "--count", "4", "--engine", engine];
    let made = output(&arguments);
    assert!(made.starts_with("# 1-3 plies of games, ") && made.lines().count() == 5, "{made}");
    assert!(made.contains("c0 \"h2e2\"") && made.contains("c0 \"c3c4\""), "{made}");
    let out = &*folder.file("match");
    let players = ["--engine", "cmd=self", "--engine", "cmd=self,name=b", "--each", "depth=1,hash=1"];
    let book = ["--openings", path, "--opening-plies", "2", "--games", "2", "--longest", "6", "--out", out];
    text_of(chuhe(&[&["match"], &book[..], &players].concat()));
    let games = std::fs::read_to_string(folder.join("match/games.pgn")).expect("games");
    assert_eq!(games.matches("H2-E2 {book").count().max(games.matches("1. H2-E2").count()), 2, "{games}");
}
