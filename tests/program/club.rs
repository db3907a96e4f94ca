//! A library like a club's: several spellings of a name, consultation games, exercises, and games without
//! tags.

use crate::calls::{Folder, chuhe_in, chuhe_reading, command, errors, text, text_of};
use serde_json::Value;
use std::fs;

/// Returns a game as PGN.
fn game(tags: &[(&str, &str)], moves: &str) -> String {
    let tags: String = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("[Game \"Chinese Chess\"]\n{tags}\n{moves}\n\n")
}

/// Creates a library of games in a folder.
fn library(folder: &Folder, games: &[String]) {
    fs::write(folder.join("games.pgn"), games.concat()).expect("a file");
    text_of(chuhe_in(folder, &["games", "add", "games.pgn", "--to", "a.games.db"]));
}

const EXERCISE: (&str, &str) = ("FEN", "3k5/9/9/9/9/9/9/9/4R4/4K4 w");

#[test]
fn games_without_a_name_are_the_last_row_and_no_player() {
    let folder = Folder::new("club-stats");
    library(
        &folder,
        &[
            game(&[EXERCISE], "e1e5 d9d8 1-0"),
            game(&[("Event", "?"), EXERCISE], "e1e7 d9d8 1-0"),
            game(&[EXERCISE], "e1e6 d9d8 1-0"),
            game(&[("Red", "胡榮華"), ("Black", "吕钦"), ("Event", "五羊杯"), ("Date", "1990")], "h2e2 h9g7 1-0"),
            game(&[("Red", "胡荣华"), ("Date", "1991")], "h2e2 b9c7 1-0"),
            game(&[("Red", "胡荣华"), ("Date", "1991")], "h2e2 h7e7 1-0"),
        ],
    );
    let rows = |by: &str, language: &str| -> Vec<String> {
        let said = text_of(chuhe_in(&folder, &["games", "stats", "a.games.db", "--by", by, "--language", language]));
        said.lines().skip(2).map(str::to_owned).collect()
    };
    for (by, language, unknown) in
        [("event", "zh", "（未知）"), ("year", "en", "(unknown)"), ("opening", "en", "(unknown)")]
    {
        let rows = rows(by, language);
        let places: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].contains(unknown)).collect();
        assert_eq!(places, [rows.len() - 2], "{by}: {rows:?}");
    }
    let players = rows("player", "en").split_off(1);
    assert!(players.len() == 2 && players[0].starts_with("胡荣华") && players[1].starts_with("吕钦"), "{players:?}");
    // Rows beyond the limit are counted, and the games without a year remain.
    let said = text_of(chuhe_in(
        &folder,
        &["games", "stats", "a.games.db", "--by", "year", "--limit", "1", "--language", "en"],
    ));
    assert!(said.contains("(unknown)") && said.contains("rows: 2; the first 1 are shown"), "{said}");
}

#[test]
fn a_player_is_listed_once_beside_a_move_in_the_usual_spelling() {
    let folder = Folder::new("club-players");
    let names = ["趙國榮", "黑龍江赵国荣", "赵国荣", "中國趙國榮", "赵国荣", "王天一"];
    let replies = ["h9g7", "b9c7", "h7e7", "b7e7", "c6c5", "g6g5"];
    let games: Vec<String> =
        names.iter().zip(replies).map(|(name, reply)| game(&[("Red", name)], &format!("h2e2 {reply} *"))).collect();
    library(&folder, &games);
    let said = text_of(chuhe_in(&folder, &["games", "moves", "a.games.db", "--json"]));
    let found: Value = serde_json::from_str(&said).expect("one move");
    assert_eq!(found["players"], serde_json::json!(["赵国荣", "王天一"]), "{found}");
}

#[test]
fn each_spelling_is_confirmed_by_itself_and_no_pair_is_proposed() {
    let folder = Folder::new("club-aliases");
    let names =
        ["许银川", "许银川", "广东许银川", "許銀川", "深圳许银川", "吕钦许银川", "吕钦", "上海胡荣华", "胡荣华"];
    let games: Vec<String> = names.iter().map(|name| game(&[("Red", name)], "h2e2 *")).collect();
    fs::write(folder.join("games.pgn"), games.concat()).expect("a file");
    let propose = ["games", "aliases", "games.pgn", "--language", "en"];
    let said = text_of(chuhe_in(&folder, &propose));
    assert_eq!(said, "胡荣华 = 上海胡荣华\n许银川 = 广东许银川; 深圳许银川\n");
    let of = |more: &[&str]| text_of(chuhe_in(&folder, &[&propose[..], more].concat()));
    assert_eq!(of(&["--player", "胡榮華"]), "胡荣华 = 上海胡荣华\n");
    assert_eq!((of(&["--min-games", "5"]).lines().count(), of(&["--min-games", "6"]).as_str()), (1, ""));
    // The first spelling of 许银川 is rejected, the second is confirmed.
    let ask = [&propose[..], &["--alias", "players.txt", "--player", "许银川"]].concat();
    text_of(chuhe_reading(command(&ask).current_dir(&*folder), "no\nyes\n"));
    assert_eq!(fs::read_to_string(folder.join("players.txt")).expect("the file"), "许银川 = 深圳许银川\n");
}

#[test]
fn a_duplicate_is_named_by_its_number_in_the_file() {
    let folder = Folder::new("club-duplicates");
    library(&folder, &[game(&[], "h2e2 h9g7 *")]);
    fs::write(folder.join("more.pgn"), game(&[], "b2e2 h9g7 *") + &game(&[], "h2e2 h9g7 *")).expect("a file");
    let done = chuhe_in(&folder, &["games", "add", "more.pgn", "--to", "a.games.db", "--language", "zh"]);
    assert!(errors(&done).contains("more.pgn，第 2 局：棋谱库第 1 局已有同样的着法"), "{done:?}");
}

#[test]
fn games_of_a_library_are_written_in_the_notation_of_the_language() {
    let folder = Folder::new("club-notation");
    library(&folder, &[game(&[], "h2e2 h9g7 *")]);
    let said = |task: &[&str], language: &str| {
        text_of(chuhe_in(&folder, &[&["games"][..], task, &["--language", language]].concat()))
    };
    for task in [&["show", "a.games.db", "1"][..], &["find", "a.games.db", "--to", "pgn"]] {
        assert!(said(task, "zh").contains("炮二平五 马８进７"), "{task:?}");
        assert!(said(task, "en").contains("H2-E2 H9-G7"), "{task:?}");
        assert!(said(&[task, &["--notation", "iccs"]].concat(), "zh").contains("H2-E2 H9-G7"), "{task:?}");
    }
}

#[test]
fn what_a_format_cannot_hold_is_reported_in_the_language_of_the_interface() {
    let folder = Folder::new("club-losses");
    let event = "全国象棋个人锦标赛暨第十一届全国智力运动会选拔赛第三阶段比赛".repeat(2);
    let lesson = game(&[("Event", &event)], "1. h2e2! {good} h9g7?? 2. h0g2 *");
    fs::write(folder.join("lesson.pgn"), lesson).expect("a file");
    for format in ["xqf", "cbr", "cbl", "cbf", "dhtmlxq"] {
        let out = format!("out.{format}");
        let convert = ["convert", "lesson.pgn", "--to", format, "--out", &out, "--language", "zh"];
        let done = chuhe_in(&folder, &convert);
        let said = errors(&done);
        assert!(said.contains(&format!("{format} 不能保存")) && said.contains("略去 2 着的符号"), "{said}");
        assert!(!["xqf", "cbr"].contains(&format) || said.contains("赛事名称过长"), "{said}");
    }
    let done = chuhe_in(&folder, &["convert", "lesson.pgn", "--to", "pgn", "--language", "zh"]);
    assert!(text(&done).contains("H2-E2 !") && !errors(&done).contains("符号"), "{done:?}");
}

#[test]
fn a_chinese_picture_has_the_files_of_a_book() {
    let folder = Folder::new("club-picture");
    for arguments in [
        &["show", "--moves", "炮二平五", "--svg", "show.svg"][..],
        &["analyze", "--moves", "炮二平五", "--depth", "1", "--handcrafted", "--svg", "analyze.svg"],
    ] {
        text_of(chuhe_in(&folder, &[arguments, &["--language", "zh"]].concat()));
        let svg = fs::read_to_string(folder.join(arguments[arguments.len() - 1])).expect("a picture");
        assert!(svg.contains(">九<") && svg.contains("炮二平五") && !svg.contains("Black"), "{arguments:?}");
    }
}

#[test]
fn every_list_of_rules_has_the_names_of_the_rulings() {
    use chuhe::rules::RuleSet;
    use chuhe::words::Language;
    let help =
        |arguments: &[&str]| text_of(crate::calls::chuhe(&[arguments, &["--help", "--language", "zh"]].concat()));
    let helps =
        ["judge", "analyze", "match", "explore"].map(|command| (command, help(&[command]).replace(['\n', ' '], "")));
    let page = include_str!("../../src/app/web/page/texts.js");
    for rules in RuleSet::ALL {
        let title = rules.title(Language::Chinese);
        for (command, help) in &helps {
            assert!(help.contains(&format!("{rules}：{title}")), "{command}: {title}");
        }
        assert!(page.contains(&format!("rules_{rules}: [\"{title}")), "{title}");
    }
}
