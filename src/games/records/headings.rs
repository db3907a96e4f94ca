//! Game sheets, as exported by XQStudio or typed by users: header lines such as `红方: 甲`, and remarks between
//! the moves.

use super::record::GameResult;
use super::tags;
use chuhe_board::notation::Evidence;

/// Headings, and their tags.
const KEYS: [(&str, &str); 66] = [
    ("标题", tags::TITLE),
    ("標題", tags::TITLE),
    ("题目", tags::TITLE),
    ("題目", tags::TITLE),
    ("名称", tags::TITLE),
    ("名稱", tags::TITLE),
    ("title", tags::TITLE),
    ("赛事", tags::EVENT),
    ("賽事", tags::EVENT),
    ("比赛", tags::EVENT),
    ("比賽", tags::EVENT),
    ("比赛名称", tags::EVENT),
    ("比賽名稱", tags::EVENT),
    ("赛会", tags::EVENT),
    ("event", tags::EVENT),
    ("轮次", tags::ROUND),
    ("輪次", tags::ROUND),
    ("round", tags::ROUND),
    ("组别", tags::GROUP),
    ("組別", tags::GROUP),
    ("台次", tags::TABLE),
    ("日期", tags::DATE),
    ("时间", tags::DATE),
    ("時間", tags::DATE),
    ("比赛日期", tags::DATE),
    ("比赛时间", tags::DATE),
    ("比賽日期", tags::DATE),
    ("date", tags::DATE),
    ("地点", tags::SITE),
    ("地點", tags::SITE),
    ("比赛地点", tags::SITE),
    ("比賽地點", tags::SITE),
    ("place", tags::SITE),
    ("site", tags::SITE),
    ("用时", tags::TIME_CONTROL),
    ("时限", tags::TIME_CONTROL),
    ("时间规则", tags::TIME_CONTROL),
    ("红方", tags::RED),
    ("紅方", tags::RED),
    ("红", tags::RED),
    ("紅", tags::RED),
    ("先手", tags::RED),
    ("red", tags::RED),
    ("黑方", tags::BLACK),
    ("黑", tags::BLACK),
    ("后手", tags::BLACK),
    ("後手", tags::BLACK),
    ("black", tags::BLACK),
    ("红方单位", tags::RED_TEAM),
    ("红方团体", tags::RED_TEAM),
    ("黑方单位", tags::BLACK_TEAM),
    ("黑方团体", tags::BLACK_TEAM),
    ("红方用时", tags::RED_TIME),
    ("黑方用时", tags::BLACK_TIME),
    ("结果", tags::RESULT),
    ("結果", tags::RESULT),
    ("比赛结果", tags::RESULT),
    ("比賽結果", tags::RESULT),
    ("棋局结果", tags::RESULT),
    ("result", tags::RESULT),
    ("评注", tags::ANNOTATOR),
    ("评论", tags::ANNOTATOR),
    ("讲评", tags::ANNOTATOR),
    ("作者", tags::AUTHOR),
    ("开局", tags::OPENING),
    ("布局", tags::OPENING),
];

/// Returns the headings of a line with their tags; there may be several, as in `红方：甲 黑方：乙`. Returns an empty
/// list if the line begins with other text.
pub(super) fn headings(line: &str) -> Vec<(&'static str, &str)> {
    let mut found: Vec<(&'static str, usize, usize)> = Vec::new();
    for (colon, character) in line.char_indices().filter(|(_, character)| matches!(character, ':' | '：')) {
        // The key is the text before the colon. It may contain spaces between its characters, unless it
        // follows another heading.
        let from = found.last().map_or(0, |(_, _, value)| *value);
        let before = &line[from..colon];
        let key = if found.is_empty() { Some((0, before)) } else { last_word(before) };
        let Some((at, key)) = key else { continue };
        if let Some(tag) = tag(key) {
            found.push((tag, from + at, colon + character.len_utf8()));
        } else if found.is_empty() {
            return Vec::new();
        }
    }
    let ends = found.iter().skip(1).map(|(_, key, _)| *key).chain([line.len()]);
    let values = found.iter().zip(ends);
    let plain = |value: &'_ str| value.trim().trim_end_matches([',', '，', ';', '；']).len();
    values
        .map(|((tag, _, value), end)| (*tag, line[*value..end].trim_start()))
        .map(|(tag, value)| (tag, &value[..plain(value)]))
        .collect()
}

/// Returns the last word of a string and its offset.
fn last_word(text: &str) -> Option<(usize, &str)> {
    let text = text.trim_end();
    let gap = text
        .char_indices()
        .rev()
        .find(|(_, character)| character.is_whitespace() || matches!(character, ',' | '，' | ';' | '；'))?;
    let at = gap.0 + gap.1.len_utf8();
    Some((at, &text[at..]))
}

fn tag(key: &str) -> Option<&'static str> {
    if key.len() > 40 {
        return None;
    }
    let key: String = key.chars().filter(|character| !character.is_whitespace()).collect();
    let key = key.to_ascii_lowercase();
    KEYS.iter().find(|(known, _)| *known == key).map(|(_, tag)| *tag)
}

/// Returns `true` if a line with headings begins another game. A heading that only gives a result may also
/// follow the moves.
pub(super) fn begin_a_game(headings: &[(&str, &str)]) -> bool {
    headings.iter().any(|(tag, _)| *tag != tags::RESULT)
}

/// Headings that occur once per game.
pub(super) const NAMES: [&str; 2] = [tags::TITLE, tags::RED];

/// Returns `true` if one of the headings in [`NAMES`] repeats a tag that the game already has.
pub(super) fn repeat<'t>(headings: &[(&'t str, &str)], has: impl Fn(&'t str) -> bool) -> bool {
    headings.iter().any(|(tag, _)| NAMES.contains(tag) && has(tag))
}

/// Characters that occur in moves, move numbers and results.
const OF_MOVES: &str =
    "一二三四五六七八九十帅帥将將仕士相象像马馬傌㐷车車俥伡炮砲包軳兵卒前中后後进進退平第回合红紅黑胜勝负負和棋先";

/// Returns `true` if a line between moves is a remark: Chinese prose that does not begin with a number or a
/// move, or a sentence in Latin letters.
pub(super) fn is_remark(line: &str) -> bool {
    let line = line.trim();
    let Some(first) = line.split(is_gap).find(|word| !word.is_empty()) else { return false };
    // A bracket that is opened or closed on another line belongs to a comment of several lines.
    let count = |wanted: [char; 2]| line.matches(wanted).count();
    let is_open = line.contains(['{', '}']) || count(['(', '（']) != count([')', '）']);
    if !is_open && begins_with_a_year(line) {
        return !line.split(is_gap).any(is_move);
    }
    if !line.starts_with(char::is_alphabetic)
        || is_open
        || begins_with_a_move(line)
        || GameResult::from_word(first).is_some()
    {
        return false;
    }
    let is_prose_character =
        |character: char| character.is_alphabetic() && !character.is_ascii() && !is_wide_alphanumeric(character);
    if line.chars().any(|character| is_prose_character(character) && !OF_MOVES.contains(character)) {
        return !is_numbered(first);
    }
    // A sentence in Latin letters has several words, none of which is a move.
    let words = line.split(is_gap).filter(|word| !word.is_empty());
    line.is_ascii()
        && words.clone().count() > 2
        && !words.clone().any(is_move)
        && words.clone().any(|word| word.len() > 3)
}

/// Returns `true` if a line begins with a year or a date, as titles do.
pub(super) fn begins_with_a_year(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4 && line[4..].starts_with(['年', '-', '/'])
}

/// Returns `true` if a line begins with a move, optionally after its number.
pub(super) fn begins_with_a_move(line: &str) -> bool {
    let mut words = line.split(is_gap).filter(|word| !word.is_empty());
    let Some(first) = words.next().and_then(without_remark) else { return false };
    let is_digit = |character: char| character.is_ascii_digit() || is_wide_alphanumeric(character);
    let rest = first.strip_prefix('第').unwrap_or(first).trim_start_matches(is_digit);
    let rest = rest.strip_prefix("回合").unwrap_or(rest).trim_start_matches(['.', '．', '…', ':', '：']);
    let is_number = rest.len() < first.len();
    if rest.is_empty() {
        is_number && words.next().and_then(without_remark).is_some_and(is_move)
    } else {
        is_move(rest)
    }
}

/// Returns `true` if a word in a line of moves is Chinese prose.
pub(super) fn is_prose(word: &str) -> bool {
    let is_strange =
        |character: char| character.is_alphabetic() && !character.is_ascii() && !OF_MOVES.contains(character);
    word.starts_with(|first: char| is_strange(first) && !is_wide_alphanumeric(first))
}

/// Returns a word up to a bracket, since a remark may follow a move without a space.
fn without_remark(word: &str) -> Option<&str> {
    word.split(['(', '（', '【', '{']).next()
}

fn is_gap(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '，' | '、' | '；' | ';' | '。')
}

fn is_wide_alphanumeric(character: char) -> bool {
    ('０'..='９').contains(&character) || ('Ａ'..='Ｚ').contains(&character) || ('ａ'..='ｚ').contains(&character)
}

/// Returns `true` for `第１回合`, with or without a move after it.
fn is_numbered(word: &str) -> bool {
    word.starts_with('第') && word.contains("回合")
}

/// Returns `true` if a word has the form of a move in some notation.
fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?', '！', '？', '+', '#']);
    if word.is_ascii() {
        let bytes = word.as_bytes();
        let is_wxf = matches!(bytes, [_, _, b'+' | b'-' | b'=' | b'.', b'1'..=b'9']);
        return is_wxf || Evidence::of(word).is_move();
    }
    // The word is a move of four characters, or several moves without spaces. The third character is the
    // direction, the fourth the target.
    let characters: Vec<char> = word.chars().take(8).collect();
    let is_way = |character: Option<&char>| character.is_some_and(|way| "进進退平".contains(*way));
    match characters.len() {
        4 => is_way(characters.get(2)),
        5 => is_way(characters.get(3)),
        8.. => is_way(characters.get(2)) && is_way(characters.get(6)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_tags() {
        for (line, expected) in [
            ("标题: 测试", vec![("Title", "测试")]),
            ("红方：甲  黑方：乙", vec![("Red", "甲"), ("Black", "乙")]),
            ("红　方: 甲 (1:0)", vec![("Red", "甲 (1:0)")]),
            ("结果: 红方胜", vec![("Result", "红方胜")]),
            ("Red: A B, Black: C", vec![("Red", "A B"), ("Black", "C")]),
            ("赛事:", vec![("Event", "")]),
            ("评语：红优", vec![]),
            ("1. 炮二平五 马8进7", vec![]),
            ("[Event \"a: b\"]", vec![]),
        ] {
            assert_eq!(headings(line), expected, "{line}");
        }
    }

    #[test]
    fn remarks_are_told_from_moves() {
        for line in [
            "红方正马，稳健。",
            "马二进三后，红方占优",
            "第三届杯赛 甲 先胜 乙",
            "Red develops the horse.",
            "此时黑方认输",
            "1999年全国象棋个人赛 许银川 先胜 吕钦",
            "2001-03-05 许银川",
        ] {
            assert!(is_remark(line), "{line}");
        }
        for line in [
            "炮二平五 马8进7",
            "马二进三 稳健",
            "炮二平五（好棋）",
            "兵三进一【正着】 卒3进1",
            "马2进3（如改走马8进7，红优）",
            "2炮二平五 好棋",
            "12. 当头炮",
            "10 炮二平五",
            "1-0 红方胜定",
            "1. 炮二平五 当头炮",
            "第１回合 炮二平五",
            "第１回合炮二平五 马8进7",
            "马8进",
            "红胜",
            "bogus",
            "C2=5 H8+7 H2+3 R9=8",
            "h2e2 and so on h9g7",
            "（红方）",
            "----",
            "* text",
            "",
        ] {
            assert!(!is_remark(line), "{line}");
        }
    }
}
