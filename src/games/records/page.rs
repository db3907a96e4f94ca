//! Pages and posts: records of several kinds in HTML or among other text, in order of appearance.

use super::fault::{Location, RecordFault};
use super::format::Format;
use super::lines::split_fen;
use super::record::Record;
use super::text::Lines;
use super::{cbf, dhtmlxq, headings, html, lines, pgn, wxf};
use std::io::Cursor;
use std::ops::Range;

/// Returns `true` if `head` begins like HTML, or contains DhtmlXQ among other text.
pub(super) fn begins(head: &str, format: Format) -> bool {
    let text = head.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let lower = text.to_ascii_lowercase();
    let may_hold_others = matches!(format, Format::Pgn | Format::Moves | Format::DhtmlXq);
    let is_coded = || lower.contains(";dhtmlxq") || lower.contains("%5bdhtmlxq");
    html::begins(text) || may_hold_others && (is_coded() || dhtmlxq::begins(&lower))
}

/// Returns the games on a page, and the format of the first one. `format` is the format detected from the
/// beginning of the page.
pub(super) fn games(text: String, format: Format) -> (Format, std::vec::IntoIter<Result<Record, RecordFault>>) {
    let text = html::brackets(text);
    let mut games = Vec::new();
    // Start of the unread text, and the number of lines before it.
    let (mut end, mut lines) = (0, 0);
    let count = |range: Range<usize>| text[range].bytes().filter(|byte| *byte == b'\n').count();
    for (place, kind) in blocks(&text) {
        words(&text[end..place.start], lines, &mut games);
        lines += count(end..place.start);
        let block = &text[place.clone()];
        match kind {
            Format::Cbf => games.push((kind, moved(cbf::read(block), lines))),
            _ => games.extend(dhtmlxq::DhtmlxqGames::new(block.to_owned()).map(|game| (kind, moved(game, lines)))),
        }
        lines += count(place.clone());
        end = place.end;
    }
    words(&text[end..], lines, &mut games);
    let format = games.first().map_or(format, |(format, _)| *format);
    (format, games.into_iter().map(|(_, game)| game).collect::<Vec<_>>().into_iter())
}

/// Adds the number of preceding lines to the location of a game's error.
fn moved(game: Result<Record, RecordFault>, lines: usize) -> Result<Record, RecordFault> {
    game.map_err(|fault| match fault.location {
        Location::Line(line) => RecordFault { location: Location::Line(line + lines), ..fault },
        Location::Byte(_) => fault,
    })
}

/// Returns the ranges and formats of the delimited records on a page.
fn blocks(text: &str) -> Vec<(Range<usize>, Format)> {
    let lower = text.to_ascii_lowercase();
    let root = cbf::ROOT.to_ascii_lowercase();
    let close = format!("</{}>", &root[1..]);
    let mut blocks: Vec<(Range<usize>, Format)> = Vec::new();
    let next_xml = |at: usize| lower[at..].find(&root).map_or(lower.len(), |begin| at + begin);
    let (mut xml, mut mark) = (next_xml(0), dhtmlxq::next_mark(&lower, 0));
    loop {
        match &mark {
            Some(range) if range.start < xml => {
                // Delimiters separated only by text belong to the same record.
                let range = range.clone();
                mark = dhtmlxq::next_mark(&lower, range.end);
                match blocks.last_mut() {
                    Some((last, Format::DhtmlXq)) if !has_records(&text[last.end..range.start]) => last.end = range.end,
                    _ => blocks.push((range, Format::DhtmlXq)),
                }
            }
            _ if xml < lower.len() => {
                let end = lower[xml..].find(&close).map_or(lower.len(), |end| xml + end + close.len());
                blocks.push((xml..end, Format::Cbf));
                xml = next_xml(end);
                if mark.as_ref().is_some_and(|mark| mark.start < end) {
                    mark = dhtmlxq::next_mark(&lower, end);
                }
            }
            _ => return blocks,
        }
    }
}

/// Returns `true` if the page contains the beginning of a record.
fn has_records(html: &str) -> bool {
    html::text(html).lines().any(|line| beginning(line).is_some())
}

/// Adds the games in the text of a page: PGN, WXF, lists of moves, and positions.
fn words(html: &str, before: usize, games: &mut Vec<(Format, Result<Record, RecordFault>)>) {
    let text = html::text(html);
    // If the conversion preserved the number of lines, line numbers are exact; otherwise they refer to the
    // start of the text.
    let is_plain = text.lines().count() == html.lines().count();
    let (mut block, mut begin, mut kind) = (String::new(), 0, None);
    // Forums add notes and links in brackets, such as the time of the last edit.
    let is_note = |line: &str| line.starts_with('[') && line.ends_with(']') && !line.contains('"');
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !is_note(line.trim())) {
        let next = beginning(line);
        let ends = match (kind, next) {
            (Some(Format::Wxf), next) => next == Some(Format::Wxf),
            (Some(Format::Position), _) => true,
            (_, Some(Format::Wxf | Format::Position)) => true,
            (None, next) => next.is_some(),
            (Some(_), _) => false,
        };
        if ends {
            read(&block, kind, before + if is_plain { begin } else { 0 }, games);
            block.clear();
            (begin, kind) = (number, next);
        }
        if kind.is_some() {
            block += line;
            block.push('\n');
        }
    }
    read(&block, kind, before + if is_plain { begin } else { 0 }, games);
}

/// Returns the format of a record that begins with this line, if any.
fn beginning(line: &str) -> Option<Format> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    if wxf::begins_with(line) {
        return Some(Format::Wxf);
    }
    if pgn::begins_with_tag(line) || !headings::headings(line).is_empty() || headings::begins_with_a_move(line) {
        return Some(Format::Pgn);
    }
    let is_position = line.starts_with("position ")
        || split_fen(line).is_some_and(|(_, rest)| rest.trim().is_empty() || rest.trim_start().starts_with("moves"));
    is_position.then_some(Format::Position)
}

fn read(block: &str, kind: Option<Format>, lines: usize, games: &mut Vec<(Format, Result<Record, RecordFault>)>) {
    let Some(kind) = kind else { return };
    let input = || Cursor::new(block.to_owned().into_bytes());
    match kind {
        Format::Wxf => games.extend(wxf::WxfGames::new(block.to_owned()).map(|game| (kind, moved(game, lines)))),
        Format::Position => {
            games.extend(lines::Positions::new(Lines::new(input())).map(|game| (kind, moved(game, lines))));
        }
        // Other text on the page is skipped.
        _ => games.extend(pgn::PgnGames::new(input()).filter(is_game).map(|game| (kind, moved(game, lines)))),
    }
}

/// Returns `true` if at least part of a game was read.
fn is_game(game: &Result<Record, RecordFault>) -> bool {
    match game {
        Ok(_) => true,
        Err(fault) => {
            fault.diagram.is_some()
                || fault.game.as_ref().is_some_and(|game| !game.tags.is_empty() || !game.tree.is_empty())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::RecordReader;

    fn games(text: &str) -> Vec<Result<Record, RecordFault>> {
        RecordReader::new(Cursor::new(text.as_bytes().to_vec())).unwrap().collect()
    }

    fn moves(text: &str) -> Vec<usize> {
        games(text)
            .into_iter()
            .map(|game| game.unwrap_or_else(|fault| panic!("{text}: {fault}")).moves().len())
            .collect()
    }

    const DHTMLXQ: &str =
        "[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title]\n[DhtmlXQ_movelist]77477242[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";
    const PGN: &str = "[Event \"a\"]\n[Red \"b\"]\n\n1. C2=5 H8+7 2. H2+3 1-0\n";
    const WXF: &str = "FORMAT  WXF\nRED     anna ; 1200 ;;\nSTART{\n 1. P3+1 c8.7   2. E7+5 c2.5 }END\n";

    #[test]
    fn paragraphs_hold_pgn() {
        for page in [
            "<html><body><p>A game:</p><p>[Event &quot;a&quot;]<br>[Red \"b\"]</p><p>1. 炮二平五 马8进7<br/>2. 马二进三 1-0</p><p>Thanks.</p></body></html>",
            "<div>[Event \"a\"]</div><div>[Red \"b\"]</div><div>1. C2=5 H8+7 2. H2+3 1-0</div>",
            "<pre>[Event \"a\"]\n[Red \"b\"]\n\n1. C2=5 H8+7 2. H2+3 1-0</pre>",
            "<p>红方：b</p><p>1. 炮二平五 马8进7</p><p>2. 马二进三</p>",
            "<p>1. 炮二平五 马8进7</p><div><font>[此贴子已经被作者于2013-11-17 13:50:05编辑过]</font></div><p>2. 马二进三</p>",
            "<title>x</title><script>var a = \"[Event \\\"z\\\"]\";</script><p>1. 炮二平五 马8进7 2. 马二进三</p>",
        ] {
            assert_eq!(moves(page), [3], "{page}");
        }
    }

    #[test]
    fn records_of_several_kinds_keep_their_order() {
        let cbf = cbf::write(&pgn::read(PGN).unwrap()[0]);
        let cbf = cbf.split_once("?>\n").unwrap().1;
        for page in [
            format!("<html><p>one</p>{DHTMLXQ}<hr><pre>{PGN}</pre><p>two</p>{cbf}<pre>{WXF}</pre></html>"),
            format!("words\n{DHTMLXQ}\n{PGN}\nmore\n{cbf}\n{WXF}"),
        ] {
            assert_eq!(moves(&page), [2, 3, 3, 4], "{page}");
        }
        assert_eq!(moves(&format!("{PGN}\n{DHTMLXQ}\n{WXF}")), [3, 2, 4]);
        assert_eq!(moves(&format!("<p>4k4/9/9/9/9/9/9/9/4R4/3K5 b</p>{DHTMLXQ}")), [0, 2]);
    }

    #[test]
    fn faults_name_the_line_of_the_page() {
        let page = format!("<html>\n\n{}</html>", DHTMLXQ.replace("7747", "7748"));
        let fault = games(&page).remove(0).unwrap_err();
        assert_eq!(fault.location, Location::Line(5), "{fault}");
        assert!(games("<html><p>nothing here</p></html>").is_empty());
    }
}
