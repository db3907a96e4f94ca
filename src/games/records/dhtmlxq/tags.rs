//! DhtmlXQ tags: in brackets, and as parts and variables of scripts.

use super::names::MARK;
use crate::records::lookahead::find;
use std::ops::Range;

/// A tag with its raw value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'t> {
    /// Name in lower case, without `DhtmlXQ_`: `movelist`, `move_0_2_1`.
    pub name: &'t str,
    pub value: &'t str,
    /// Line number in the text.
    pub line: usize,
}

/// The tags in a text, game by game.
#[derive(Debug)]
pub(super) struct Tags {
    text: String,
    /// The text in lower case, for the names of tags.
    lower: String,
    at: usize,
    line: usize,
}

/// Maximum length of the name of a bracketed tag, in bytes; a more distant bracket belongs to other text.
const MAX_TAG: usize = 60;
/// Maximum length of the name of a script part, in bytes: three numbers.
const MAX_PART: usize = 24;
/// Maximum length of the name of a script variable, in bytes.
const MAX_VARIABLE: usize = 30;

/// A tag delimiter in the text.
enum Mark<'t> {
    /// `[DhtmlXQ]`, `[DhtmlXQHTML]`: start of a game.
    Begin,
    /// An opening tag; contains its name.
    Open(&'t str),
    /// A part of a script, such as `[0_1_0]`; contains its name.
    ScriptPart(&'t str),
    /// A variable of a script with its value, such as `DhtmlXQ_movelist = '7747'`.
    Variable(&'t str, &'t str),
}

impl Tags {
    pub(crate) fn new(text: String) -> Tags {
        Tags { lower: text.to_ascii_lowercase(), text, at: 0, line: 1 }
    }

    /// Returns the tags of the next game; empty after the last game.
    pub(crate) fn next_game(&mut self) -> Vec<Tag<'_>> {
        let (text, lower) = (self.text.as_str(), self.lower.as_str());
        let (mut at, mut line) = (self.at, self.line);
        let mut tags: Vec<Tag> = Vec::new();
        let (mut seen, mut is_block) = (Vec::new(), false);
        let mut step = |at: &mut usize, to: usize| {
            line += text[*at..to].bytes().filter(|byte| *byte == b'\n').count();
            *at = to;
            line
        };
        while let Some((begin, length, mark)) = next_mark(lower, at) {
            let behind = begin + length;
            let (name, value, end) = match mark {
                // A game need not have moves.
                Mark::Begin if seen.contains(&"movelist") || is_block && !tags.is_empty() => break,
                Mark::Begin => {
                    is_block = true;
                    step(&mut at, behind);
                    continue;
                }
                Mark::Open(name) => {
                    let (value, end) = value(text, lower, behind, name);
                    (name, value, end)
                }
                Mark::ScriptPart(name) => {
                    let end = find!(&lower[behind..], '[').map_or(lower.len(), |end| behind + end);
                    (name, &text[behind..end], end)
                }
                Mark::Variable(name, value) => (name, value, behind),
            };
            let value = value.trim();
            let name = if ["move_0_1_0", "0_1_0"].contains(&name) { "movelist" } else { name };
            // The main line in a script replaces an empty one. A repeated main line does not begin another
            // game.
            let is_main = name == "movelist";
            let known = tags.iter().find(|tag| tag.name == name).map(|tag| tag.value);
            if is_main && (value.is_empty() || known == Some(value)) {
                step(&mut at, end);
                continue;
            }
            if ["binit", "movelist", "title"].contains(&name) {
                if seen.contains(&name) {
                    break;
                }
                seen.push(name);
            }
            let line = step(&mut at, behind);
            tags.push(Tag { name, value, line });
            step(&mut at, end);
        }
        if tags.is_empty() {
            at = text.len();
        }
        (self.at, self.line) = (at, line);
        tags
    }
}

/// Returns the value of a tag and its end offset. A value ends with the closing tag, or at the end of its
/// line if there is none.
fn value<'t>(text: &'t str, lower: &str, begin: usize, name: &str) -> (&'t str, usize) {
    let rest = &lower[begin..];
    let length = next_bracket(rest).unwrap_or(rest.len());
    let value = &text[begin..begin + length];
    let has_end = rest[length..].strip_prefix("[/dhtmlxq_").and_then(|end| end.strip_prefix(name));
    let value = match has_end.is_some_and(|behind| behind.starts_with(']')) {
        true => value,
        false => value.lines().next().unwrap_or_default(),
    };
    (value, begin + value.len())
}

/// Returns the offset of the next delimiter in brackets, including closing ones.
fn next_bracket(lower: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = find!(&lower[at..], '[') {
        at += found;
        let name = &lower[at + 1..];
        if name.strip_prefix('/').unwrap_or(name).starts_with(&MARK[1..]) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Returns the range of the next delimiter in lower-case text, including its value.
pub(in crate::records) fn next_span(lower: &str, at: usize) -> Option<Range<usize>> {
    let (begin, length, mark) = next_mark(lower, at)?;
    let end = match mark {
        Mark::Open(name) => value(lower, lower, begin + length, name).1,
        Mark::ScriptPart(_) => find!(&lower[begin + length..], '[').map_or(lower.len(), |end| begin + length + end),
        Mark::Begin | Mark::Variable(..) => begin + length,
    };
    // Includes the closing delimiter.
    let close =
        lower[end..].strip_prefix("[/").and_then(|rest| rest.bytes().take(MAX_TAG).position(|byte| byte == b']'));
    Some(begin..close.map_or(end, |close| end + close + "[/]".len()))
}

/// Returns the next delimiter, its offset and its length.
fn next_mark(lower: &str, mut at: usize) -> Option<(usize, usize, Mark<'_>)> {
    while let Some(found) = find!(&lower[at..], ['[', 'd']) {
        at += found;
        if let Some((length, mark)) = mark(&lower[at..]) {
            return Some((at, length, mark));
        }
        at += 1;
    }
    None
}

fn mark(lower: &str) -> Option<(usize, Mark<'_>)> {
    let Some(inside) = lower.strip_prefix('[') else { return variable(lower) };
    if let Some(rest) = inside.strip_prefix(&MARK[1..]) {
        let close = rest.bytes().take(MAX_TAG).position(|byte| byte == b']')?;
        let length = MARK.len() + close + 1;
        return Some((length, rest[..close].strip_prefix('_').map_or(Mark::Begin, Mark::Open)));
    }
    let close = inside.bytes().take(MAX_PART).position(|byte| byte == b']')?;
    let name = &inside[..close];
    let is_part = name.split('_').count() == 3
        && name.split('_').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    is_part.then_some((close + 2, Mark::ScriptPart(name)))
}

/// Parses `dhtmlxq_movelist = '7747'` without brackets in the value.
fn variable(lower: &str) -> Option<(usize, Mark<'_>)> {
    let rest = lower.strip_prefix("dhtmlxq_")?;
    let length = rest.bytes().take(MAX_VARIABLE).position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_')?;
    let (name, rest) = rest.split_at(length);
    let value = rest.trim_start().strip_prefix(['=', ':'])?.trim_start();
    let quote = value.chars().next().filter(|quote| ['\'', '"'].contains(quote))?;
    let value = &value[1..];
    let end = find!(value, [quote, '[', '\n']).filter(|end| value[*end..].starts_with(quote))?;
    let before = lower.len() - value.len();
    let is_digits = value[..end].bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then_some((before + end + 1, Mark::Variable(name, &value[..end])))
}
