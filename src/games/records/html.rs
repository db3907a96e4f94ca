//! Extraction of text from HTML: tags, line breaks and entities.

use super::lookahead::count_lookahead;
use html_escape::decode_html_entities;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// Elements that begin or end a line.
const BLOCKS: [&str; 22] = [
    "address",
    "article",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "p",
    "pre",
    "section",
    "table",
    "tr",
    "ul",
];

/// Maximum length of an element's name. The longest name in common use is `blockquote`; a longer word after
/// `<` is text.
const MAX_NAME: usize = 12;

/// Maximum length of an entity that may encode a bracket, such as `&#x0000005B;`. The limit keeps the search
/// for its end short.
const MAX_ENTITY: usize = 12;

/// Elements whose content is not text.
const HIDDEN: [&str; 2] = ["script", "style"];

/// Returns the text in a piece of HTML. Keeps text that only resembles a tag, such as `a < b`.
pub(super) fn text(html: &str) -> Cow<'_, str> {
    if !html.contains(['<', '&']) {
        return Cow::Borrowed(html);
    }
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        count_lookahead(at + 1);
        text += &decode_html_entities(&rest[..at]);
        rest = &rest[at..];
        let Some((name, length)) = tag(rest) else {
            text.push('<');
            rest = &rest[1..];
            continue;
        };
        rest = &rest[length..];
        if BLOCKS.contains(&name.as_str()) {
            text.push('\n');
        } else if name == "td" || name == "th" {
            text.push(' ');
        } else if HIDDEN.contains(&name.as_str()) && !html[..html.len() - rest.len()].ends_with("/>") {
            rest = after_hidden_element(rest, &name);
        }
    }
    text += &decode_html_entities(rest);
    Cow::Owned(text.replace('\u{a0}', " "))
}

/// Returns the name of the tag at the beginning of `html`, without the slash of an end tag, and its length;
/// the name of a comment is empty.
fn tag(html: &str) -> Option<(String, usize)> {
    let inside = html.strip_prefix('<')?;
    if let Some(comment) = inside.strip_prefix("!--") {
        return Some((String::new(), comment.find("-->").map_or(html.len(), |end| end + "<!---->".len())));
    }
    let name = inside.strip_prefix(['/', '!', '?']).unwrap_or(inside);
    let length = name.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(name.len());
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic()) && length <= MAX_NAME;
    // A tag ends before the next one begins.
    let end = html[1..].find(['<', '>']).map(|end| end + 1).filter(|end| is_name && html[*end..].starts_with('>'))?;
    count_lookahead(end);
    Some((name[..length].to_ascii_lowercase(), end + 1))
}

/// Returns the text after the end of the hidden element `name`.
fn after_hidden_element<'t>(html: &'t str, name: &str) -> &'t str {
    let mut rest = html;
    while let Some(at) = rest.find("</") {
        count_lookahead(at);
        rest = &rest[at + 2..];
        if rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            return rest.find('>').map_or("", |end| &rest[end + 1..]);
        }
    }
    ""
}

/// Decodes brackets that are written as entities or percent-encoded.
pub(super) fn brackets(text: String) -> String {
    let lower = text.to_ascii_lowercase();
    let text =
        if lower.contains("%5bdhtmlxq") { percent_decode_str(&text).decode_utf8_lossy().into_owned() } else { text };
    if !lower.contains(";dhtmlxq") {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('&') {
        count_lookahead(at + 1);
        plain += &rest[..at];
        rest = &rest[at..];
        let end = rest.bytes().take(MAX_ENTITY).position(|byte| byte == b';').map_or(1, |end| end + 1);
        let entity = &rest[..end];
        match &*decode_html_entities(entity) {
            bracket @ ("[" | "]") => plain += bracket,
            _ => plain += entity,
        }
        rest = &rest[end..];
    }
    plain + rest
}

/// Returns `true` if `text` begins like an HTML page or fragment.
pub(super) fn begins(text: &str) -> bool {
    let is_markup = |name: &str| {
        BLOCKS.contains(&name)
            || [
                "html", "body", "head", "span", "td", "th", "script", "style", "title", "meta", "b", "a", "font",
                "doctype", "",
            ]
            .contains(&name)
    };
    text.starts_with('<') && tag(text).is_some_and(|(name, _)| is_markup(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_become_text() {
        for (html, expected) in [
            ("plain", "plain"),
            ("A<br/>B &lt;b&gt;&nbsp;C &amp; D", "A\nB <b> C & D"),
            ("<p>one</p><P class=\"x\">two</p>", "\none\n\ntwo\n"),
            ("a < b > c", "a < b > c"),
            ("x<script>if (a < b) { '[Event' }</SCRIPT>y", "xy"),
            ("<!-- <p> -->x<!-- open", "x"),
            ("<b>bold</b> &#x5B;&#93;", "bold []"),
            ("<3", "<3"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn brackets_are_found_in_every_code() {
        for coded in [
            "&#91;DhtmlXQ_a&#93;&lt;",
            "&lsqb;DhtmlXQ_a&rsqb;&lt;",
            "&#x5b;DhtmlXQ_a&#X5D;&lt;",
            "&lbrack;DhtmlXQ_a&rbrack;&lt;",
        ] {
            assert_eq!(brackets(coded.to_owned()), "[DhtmlXQ_a]&lt;", "{coded}");
        }
        assert_eq!(brackets("?a=%5BDhtmlXQ_title%5D%E6%A5%9A".to_owned()), "?a=[DhtmlXQ_title]楚");
        assert_eq!(brackets("&#91;x&#93;".to_owned()), "&#91;x&#93;");
    }
}
