//! A catalogue of translations: entries, and the search for the entry of a message.
//!
//! An entry is one or more lines `en TEXT`, which are joined by spaces, and one or more lines `zh TEXT`,
//! which remain lines. Lines that begin with `#` are comments. `{name}` matches any text, which is translated
//! in turn and replaces the placeholder of the same name in the Chinese text:
//!
//! ```
//! use chuhe::translation::catalogue::Catalogue;
//!
//! let catalogue = Catalogue::parse("\
//! en {file} has only {count} games
//! zh {file}只有{count}局
//! ");
//! assert_eq!(catalogue.translate("a.pgn has only 3 games").as_deref(), Some("a.pgn只有3局"));
//! assert_eq!(catalogue.translate("a.pgn is empty"), None);
//! ```

use chuhe_board::words::{Key, Language};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::sync::OnceLock;

/// Maximum number of colons and semicolons in a message that is split at them; each one doubles the work.
const MAX_GAPS: usize = 8;

/// Files of the catalogue; without the feature `cli`, only the errors.
const FILES: &[&str] = &[
    #[cfg(feature = "cli")]
    include_str!("chinese/analysis.txt"),
    #[cfg(feature = "cli")]
    include_str!("chinese/clap.txt"),
    #[cfg(feature = "cli")]
    include_str!("chinese/endings.txt"),
    include_str!("chinese/errors.txt"),
    #[cfg(feature = "cli")]
    include_str!("chinese/files.txt"),
    #[cfg(feature = "cli")]
    include_str!("chinese/laboratory.txt"),
    #[cfg(feature = "cli")]
    include_str!("chinese/play.txt"),
    #[cfg(feature = "cli")]
    include_str!("chinese/training.txt"),
];

/// Sentences of the table of `chuhe_board::words` that errors contain.
const KEYS: [Key; 14] = [
    Key::FenEmpty,
    Key::FenRanks,
    Key::FenFiles,
    Key::FenCharacter,
    Key::FenSide,
    Key::KingMissing,
    Key::TooManyPieces,
    Key::PieceMisplaced,
    Key::KingsFacing,
    Key::LeftInCheck,
    Key::Red,
    Key::Black,
    Key::RedPiece,
    Key::BlackPiece,
];

/// Translations of English messages.
pub struct Catalogue {
    /// Messages without placeholders, and messages that are looked up verbatim.
    exact: HashMap<String, String>,
    /// Messages with placeholders; messages with more fixed letters come first.
    patterns: Vec<Pattern>,
}

/// An English message with placeholders, and its translation.
struct Pattern {
    /// Text before, between and after the placeholders.
    literals: Vec<String>,
    /// Names of the placeholders.
    names: Vec<String>,
    chinese: String,
}

impl Catalogue {
    /// Returns the built-in catalogue.
    pub fn chinese() -> &'static Catalogue {
        static CHINESE: OnceLock<Catalogue> = OnceLock::new();
        CHINESE.get_or_init(|| Catalogue::of(Catalogue::texts()))
    }

    /// Parses the entries in a file.
    pub fn parse(text: &str) -> Catalogue {
        Catalogue::of(entries(text))
    }

    fn of(entries: Vec<(String, String)>) -> Catalogue {
        let mut patterns: Vec<Pattern> =
            entries.iter().filter_map(|(english, chinese)| Pattern::of(english, chinese)).collect();
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.literals.iter().map(String::len).sum::<usize>()));
        Catalogue { exact: entries.into_iter().collect(), patterns }
    }

    /// Returns the pairs of English and Chinese messages in the built-in catalogue.
    pub fn texts() -> Vec<(String, String)> {
        let of_board =
            KEYS.map(|key| [Language::English, Language::Chinese].map(|language| language.word(key).to_owned()));
        entries(&FILES.join("\n")).into_iter().chain(of_board.map(Into::into)).collect()
    }

    /// Returns the translation of a message exactly as it is written in the catalogue; runs of spaces and
    /// line breaks count as one space.
    pub fn exact(&self, english: &str) -> Option<&str> {
        self.exact.get(&spaced(english)).map(String::as_str)
    }

    /// Returns the translation of a one-line message; `None` if there is none.
    pub fn translate(&self, message: &str) -> Option<String> {
        if let Some(chinese) = self.exact(message) {
            return Some(chinese.to_owned());
        }
        let pattern = self.patterns.iter().find_map(|pattern| {
            let captures = pattern.captures(message)?;
            self.is_whole(pattern, &captures).then_some((pattern, captures))
        });
        if let Some((pattern, captures)) = pattern {
            return Some(pattern.fill(&captures.map(|capture| self.argument(capture))));
        }
        of_system(message).or_else(|| self.parts(message, ": ", "：")).or_else(|| self.parts(message, "; ", "；"))
    }

    /// Returns `true` if the strings at the first and the last placeholder do not extend over a colon that
    /// separates clauses: for `line 3: damaged`, the last must not match `3: damaged`, and for `a.pgn: 3 in
    /// it`, the first must not match `a.pgn: 3`.
    fn is_whole(&self, pattern: &Pattern, captures: &Captures) -> bool {
        let (Some(first), Some(last)) = (captures.0.first(), captures.0.last()) else { return true };
        let before = &pattern.literals[pattern.names.len() - 1];
        let is_clause = [": ", ", ", "; ", " ("].iter().any(|mark| before.ends_with(mark));
        let is_part = |text: &str| !text.contains(": ") || self.exact(text).is_some();
        (is_clause || is_part(last)) && (!pattern.literals[0].is_empty() || is_part(first))
    }

    /// Translates a message that consists of two parts, if the second part has a translation or is already
    /// Chinese.
    fn parts(&self, message: &str, gap: &str, chinese_gap: &str) -> Option<String> {
        if message.matches(": ").count() + message.matches("; ").count() > MAX_GAPS {
            return None;
        }
        message.match_indices(gap).find_map(|(at, _)| {
            let (first, second) = (&message[..at], &message[at + gap.len()..]);
            let translated = self.translate(second).or_else(|| is_chinese(second).then(|| second.to_owned()))?;
            Some(format!("{}{chinese_gap}{translated}", self.argument(first)))
        })
    }

    /// Returns an argument of a message: translated if it is a message itself, in Chinese quotation marks if
    /// it is quoted.
    fn argument(&self, text: &str) -> String {
        self.translate(text)
            .or_else(|| quoted(text, "'"))
            .or_else(|| quoted(text, "\""))
            .or_else(|| listed(text))
            .unwrap_or_else(|| text.to_owned())
    }
}

/// Replaces the commas in a list of names by Chinese ones; `None` if the text is not such a list.
fn listed(text: &str) -> Option<String> {
    let is_name = |part: &str| part.starts_with(|letter: char| letter.is_ascii_alphabetic()) && !part.contains(' ');
    (text.contains(", ") && text.split(", ").all(is_name)).then(|| text.replace(", ", "、"))
}

/// Converts a quoted string, or several separated by commas, to Chinese quotation marks.
fn quoted(text: &str, mark: &str) -> Option<String> {
    let inner = text.strip_prefix(mark)?.strip_suffix(mark)?;
    Some(format!("“{}”", inner.replace(&format!("{mark}, {mark}"), "”、“")))
}

impl Pattern {
    /// Returns a pattern; `None` if it has no placeholders, or no letters outside them.
    fn of(english: &str, chinese: &str) -> Option<Pattern> {
        let mut parts = english.split('{');
        let mut literals = vec![parts.next()?.to_owned()];
        let mut names = Vec::new();
        for part in parts {
            let (name, literal) = part.split_once('}')?;
            names.push(name.to_owned());
            literals.push(literal.to_owned());
        }
        let has_letters = literals.iter().any(|literal| literal.contains(char::is_alphabetic));
        (!names.is_empty() && has_letters).then(|| Pattern { literals, names, chinese: chinese.to_owned() })
    }

    /// Returns the strings at the placeholders if the message matches.
    fn captures<'m>(&self, message: &'m str) -> Option<Captures<'m>> {
        let mut rest = message.strip_prefix(self.literals[0].as_str())?;
        let mut captures = Vec::with_capacity(self.names.len());
        for (index, literal) in self.literals[1..].iter().enumerate() {
            // The last literal is the end of the message.
            let at = if index + 1 == self.names.len() {
                rest.len()
                    .checked_sub(literal.len())
                    .filter(|at| rest.is_char_boundary(*at) && rest[*at..] == **literal)?
            } else {
                rest.find(literal.as_str())?
            };
            captures.push(&rest[..at]);
            rest = &rest[at + literal.len()..];
        }
        Some(Captures(captures))
    }

    /// Returns the translation with these arguments.
    fn fill(&self, arguments: &[String]) -> String {
        let mut filled = String::new();
        let mut rest = self.chinese.as_str();
        while let Some((before, name, after)) = rest
            .split_once('{')
            .and_then(|(before, rest)| rest.split_once('}').map(|(name, after)| (before, name, after)))
        {
            filled += before;
            if let Some(index) = self.names.iter().position(|known| known == name) {
                filled += &arguments[index];
            }
            rest = after;
        }
        filled + rest
    }
}

/// Strings at the placeholders of a pattern.
struct Captures<'m>(Vec<&'m str>);

impl Captures<'_> {
    fn map(&self, change: impl Fn(&str) -> String) -> Vec<String> {
        self.0.iter().map(|text| change(text)).collect()
    }
}

/// Returns the pairs of English and Chinese messages in a file.
pub fn entries(text: &str) -> Vec<(String, String)> {
    let mut entries: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match (line.split_once(' '), entries.last_mut()) {
            (Some(("en", english)), Some((known, chinese))) if chinese.is_empty() => known.push(english),
            (Some(("en", english)), _) => entries.push((vec![english], Vec::new())),
            (Some(("zh", text)), Some((_, chinese))) => chinese.push(text),
            _ => {}
        }
    }
    entries.into_iter().map(|(english, chinese)| (spaced(&english.join(" ")), chinese.join("\n"))).collect()
}

/// Replaces runs of white space by one space.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns `true` if a string contains Chinese characters or punctuation.
pub fn is_chinese(text: &str) -> bool {
    text.contains(|letter: char| ('\u{2E80}'..'\u{FFF0}').contains(&letter))
}

/// Translates an error of the operating system, which Rust prints as `TEXT (os error CODE)`.
fn of_system(message: &str) -> Option<String> {
    let (text, code) = message.strip_suffix(')')?.rsplit_once(" (os error ")?;
    // If a file name precedes the error, `Catalogue::parts` splits the message at the colon instead.
    let code: i32 = code.parse().ok().filter(|_| !text.contains(": "))?;
    let known = match std::io::Error::from_raw_os_error(code).kind() {
        ErrorKind::NotFound => "没有这个文件或文件夹",
        ErrorKind::PermissionDenied => "没有权限",
        ErrorKind::AlreadyExists => "文件已存在",
        ErrorKind::IsADirectory => "这是文件夹，不是文件",
        ErrorKind::NotADirectory => "路径中有一部分不是文件夹",
        ErrorKind::DirectoryNotEmpty => "文件夹不是空的",
        ErrorKind::ReadOnlyFilesystem => "文件系统只读",
        ErrorKind::StorageFull => "磁盘空间已满",
        ErrorKind::QuotaExceeded => "超出磁盘配额",
        ErrorKind::FileTooLarge => "文件过大",
        ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => "文件正被其他程序使用",
        ErrorKind::InvalidFilename => "文件名无效",
        ErrorKind::InvalidInput => "参数无效",
        ErrorKind::AddrInUse => "端口已被占用",
        ErrorKind::AddrNotAvailable => "地址不可用",
        ErrorKind::ConnectionRefused => "连接被拒绝",
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => "连接已中断",
        ErrorKind::BrokenPipe => "管道已关闭",
        ErrorKind::TimedOut => "超时",
        ErrorKind::OutOfMemory => "内存不足",
        ErrorKind::Unsupported => "系统不支持此操作",
        _ => return Some(format!("系统错误（代码 {code}）")),
    };
    Some(known.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_translated_and_quoted() {
        let catalogue =
            Catalogue::parse("en unknown name {name}\nzh 没有名为{name}的项\nen standard input\nzh 标准输入\n");
        let said = |message| catalogue.translate(message).unwrap_or_default();
        assert_eq!(said("unknown name \"x\""), "没有名为“x”的项");
        assert_eq!(said("standard input: unknown name standard input"), "标准输入：没有名为标准输入的项");
        assert_eq!(said("a.pgn: 已是中文"), "a.pgn：已是中文");
        assert_eq!(said("unknown name 'x', 'y'"), "没有名为“x”、“y”的项");
        assert_eq!(said("unknown name uci, list-all"), "没有名为uci、list-all的项");
        assert_eq!(said("unknown name [0, 1], C2=5, H8+7"), "没有名为[0, 1], C2=5, H8+7的项");
        assert_eq!(catalogue.translate("a.pgn: still English"), None);
        let catalogue = Catalogue::parse("en line {line}\nzh 第{line}行\nen damaged\nzh 已损坏\n");
        assert_eq!(catalogue.translate("line 3: damaged").as_deref(), Some("第3行：已损坏"));
        let catalogue = Catalogue::parse("en {count} in {file}\nzh {file}中有{count}个\n");
        assert_eq!(catalogue.translate("a.pgn: 3 in b.pgn").as_deref(), Some("a.pgn：b.pgn中有3个"));
    }

    #[test]
    fn an_argument_with_many_colons_is_not_split() {
        let catalogue = Catalogue::parse("en unknown name {name} in {file}\nzh {file}中没有名为{name}的项\n");
        let argument = ["q"; 60].join(": ");
        let translated = catalogue.translate(&format!("unknown name {argument} in a.pgn"));
        assert_eq!(translated, Some(format!("a.pgn中没有名为{argument}的项")));
    }

    #[test]
    fn the_pattern_with_more_letters_wins() {
        let catalogue = Catalogue::parse("en {a} of {b}\nzh {b}中的{a}\nen {a} of {b} games\nzh {b}局中的{a}局\n");
        assert_eq!(catalogue.translate("2 of 3 games").as_deref(), Some("3局中的2局"));
    }

    #[test]
    fn errors_of_the_system_are_translated_by_their_kind() {
        let missing = std::fs::read_dir("/no such folder").expect_err("nothing").to_string();
        assert_eq!(Catalogue::chinese().translate(&missing).as_deref(), Some("没有这个文件或文件夹"));
        assert_eq!(of_system("strange (os error 9999)").as_deref(), Some("系统错误（代码 9999）"));
        assert_eq!(of_system("strange (os error)"), None);
    }

    #[test]
    fn every_entry_is_complete_and_unique() {
        let mut seen = HashMap::new();
        for (english, chinese) in Catalogue::texts() {
            assert!(
                !is_chinese(&english) || english.contains(['象', '炮', '屏', '东', '楚', '车', '王', '胡']),
                "{english}"
            );
            assert!(!chinese.is_empty(), "{english}: no translation");
            let names = |text: &str| {
                let mut names: Vec<String> =
                    text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect();
                names.sort();
                names.dedup();
                names
            };
            for name in names(&chinese) {
                assert!(names(&english).contains(&name), "{english}: {name}");
            }
            assert!(seen.insert(english.clone(), chinese).is_none(), "{english}: twice");
        }
        assert!(seen.len() > 400);
    }
}
