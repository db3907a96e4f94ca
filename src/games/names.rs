//! Names of players: a normalised form for spellings that differ only in script or spaces, and aliases for
//! other spellings.

use chuhe_engine::output::steers;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

/// Converts a name to simplified characters and lower case, and trims it.
pub(crate) fn fold(name: &str) -> String {
    simplet2s::convert(name.trim()).to_lowercase()
}

/// Returns the form in which players' names are compared: simplified characters, half-width lower-case
/// letters, no spaces next to Chinese characters, and single spaces elsewhere.
///
/// ```
/// use chuhe_games::names::comparable_name;
///
/// assert_eq!(comparable_name("胡　榮　華"), comparable_name("胡荣华"));
/// assert_eq!(comparable_name("Ｌｉｕ  DaHua"), "liu dahua");
/// ```
pub fn comparable_name(name: &str) -> String {
    let name: String =
        name.chars().map(half_width).filter(|letter| letter.is_whitespace() || !steers(*letter)).collect();
    let mut joined = String::new();
    for word in fold(&name).split_whitespace() {
        let meets_chinese =
            joined.chars().next_back().is_some_and(is_chinese) || word.chars().next().is_some_and(is_chinese);
        if !joined.is_empty() && !meets_chinese {
            joined.push(' ');
        }
        joined += word;
    }
    joined
}

/// Converts a full-width character to half width.
pub(crate) fn half_width(letter: char) -> char {
    match u32::from(letter) {
        0x3000 => ' ',
        code @ 0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(letter),
        _ => letter,
    }
}

/// Returns `true` if a name is empty or contains only question marks and spaces.
#[cfg(feature = "library")]
pub(crate) fn is_unknown(name: &str) -> bool {
    name.chars().all(|letter| letter.is_whitespace() || matches!(letter, '?' | '？'))
}

fn is_chinese(letter: char) -> bool {
    matches!(u32::from(letter), 0x2E80..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Alternative spellings of players' names. In an alias file, each line is `NAME = SPELLING; SPELLING`; lines
/// that begin with `#` are comments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Aliases {
    /// Player names, by the comparable form of each spelling.
    names: HashMap<String, String>,
    /// Spellings by name, for writing.
    spellings: BTreeMap<String, Vec<String>>,
}

/// Reason why an alias file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AliasError {
    /// Number of a line that lacks `=`, or has nothing on one side of it.
    #[error("line {0}: NAME = SPELLING; SPELLING is expected")]
    Line(usize),
    /// Number of a line, a spelling in it, and the player to whom an earlier line assigns the spelling.
    #[error("line {0}: {1:?} is already a spelling of {2:?}")]
    Taken(usize, String, String),
}

impl Aliases {
    /// Parses the text of an alias file.
    ///
    /// # Errors
    /// Returns an error if a line is malformed, or if two players have the same spelling.
    pub fn read(text: &str) -> Result<Aliases, AliasError> {
        let mut aliases = Aliases::default();
        for (line, number) in text.trim_start_matches('\u{FEFF}').lines().map(str::trim).zip(1..) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, spellings) = line.split_once('=').ok_or(AliasError::Line(number))?;
            let spellings: Vec<&str> = spellings.split(';').map(str::trim).filter(|text| !text.is_empty()).collect();
            if name.trim().is_empty() || spellings.is_empty() {
                return Err(AliasError::Line(number));
            }
            for spelling in spellings {
                if let Some(other) = aliases.add(name.trim(), spelling) {
                    return Err(AliasError::Taken(number, spelling.to_owned(), other));
                }
            }
        }
        Ok(aliases)
    }

    /// Adds a spelling of a player's name. If another player already has the spelling, returns that player's
    /// name instead.
    fn add(&mut self, name: &str, spelling: &str) -> Option<String> {
        for text in [name, spelling] {
            match self.names.get(&comparable_name(text)).filter(|known| comparable_name(known) != comparable_name(name))
            {
                Some(other) => return Some(other.clone()),
                None => drop(self.names.insert(comparable_name(text), name.to_owned())),
            }
        }
        let spellings = self.spellings.entry(name.to_owned()).or_default();
        if !spellings.iter().any(|known| known == spelling) {
            spellings.push(spelling.to_owned());
        }
        None
    }

    /// Returns each name with its other spellings.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.spellings.iter().map(|(name, spellings)| (name.as_str(), spellings.as_slice()))
    }

    /// Returns the name to display for a spelling.
    pub fn name<'n>(&'n self, spelling: &'n str) -> &'n str {
        self.names.get(&comparable_name(spelling)).map_or(spelling, String::as_str)
    }

    /// Returns the comparison key of a spelling, which is the same for all spellings of a player.
    pub fn key(&self, spelling: &str) -> String {
        let key = comparable_name(spelling);
        self.names.get(&key).map_or(key, |name| comparable_name(name))
    }

    /// Returns `true` if `spelling` belongs to the player `wanted` or contains that name.
    pub fn is_part(&self, wanted: &str, spelling: &str) -> bool {
        self.key(spelling).contains(&self.key(wanted)) || fold(spelling).contains(&fold(wanted))
    }

    /// Proposes aliases for names that may belong to the same player: names that are equal after removal of a
    /// place or team before the name, or of bracketed text after it. Each proposal is a name with its other
    /// spellings. Among spellings that compare as equal, the one with the most games is proposed. Names that
    /// already compare as equal are not proposed, nor are names of several players, as in consultation games.
    ///
    /// `names` are the names with their numbers of games.
    pub fn suggest<'n>(&self, names: impl IntoIterator<Item = (&'n str, u64)>) -> Vec<Suggestion> {
        let names: Vec<(&str, u64)> = names.into_iter().collect();
        let keys: BTreeSet<String> = names.iter().map(|(name, _)| comparable_name(name)).collect();
        let known: BTreeSet<&str> = keys.iter().map(|key| bare(key)).collect();
        let mut all: BTreeMap<String, Spellings> = BTreeMap::new();
        for (name, games) in names.into_iter().filter(|(name, _)| !is_several(bare(&comparable_name(name)), &known)) {
            all.entry(self.key(name)).or_default().add(self.name(name), games);
        }
        let mut groups: BTreeMap<String, Vec<&Spellings>> = BTreeMap::new();
        for (key, spellings) in &all {
            groups.entry(without_team(key, &all)).or_default().push(spellings);
        }
        let groups = groups.into_iter().filter(|(_, names)| names.len() > 1);
        let proposal = |(core, names): (String, Vec<&Spellings>)| {
            let name = all.get(&core).map_or(core, |spellings| spellings.usual().to_owned());
            let usual = names.iter().map(|spellings| spellings.usual());
            let spellings = usual.filter(|other| *other != name).map(str::to_owned).collect();
            Suggestion { name, spellings, games: names.iter().map(|spellings| spellings.games()).sum() }
        };
        groups.map(proposal).collect()
    }
}

/// Proposed aliases of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// Name to keep.
    pub name: String,
    /// Other spellings.
    pub spellings: Vec<String>,
    /// Number of games with all spellings.
    pub games: u64,
}

/// Spellings that compare as equal, with their numbers of games.
#[derive(Debug, Default)]
pub(crate) struct Spellings(Vec<(String, u64)>);

impl Spellings {
    /// Adds games under a spelling.
    pub(crate) fn add(&mut self, spelling: &str, games: u64) {
        match self.0.iter_mut().find(|(known, _)| known == spelling) {
            Some((_, count)) => *count += games,
            None => self.0.push((spelling.to_owned(), games)),
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.0.iter().map(|(_, games)| games).sum()
    }

    /// Returns a spelling without a place or bracketed text, if there is one; among several, the one with the
    /// most games.
    pub(crate) fn usual(&self) -> &str {
        let order = |(name, games): &&(String, u64)| {
            let key = comparable_name(name);
            (bare(&key) == key, *games, Reverse(name.clone()))
        };
        self.0.iter().max_by_key(order).map_or("", |(name, _)| name.as_str())
    }
}

impl fmt::Display for Aliases {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        for (name, spellings) in &self.spellings {
            writeln!(out, "{name} = {}", spellings.join("; "))?;
        }
        Ok(())
    }
}

/// Names of places and teams that precede players' names in Chinese records.
const PLACES: &str = "北京 天津 上海 重庆 河北 河南 山西 山东 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 湖北 湖南 广东 广西 海南 四川 贵州 \
    云南 陕西 甘肃 青海 宁夏 新疆 内蒙古 西藏 香港 澳门 台湾 台北 中国 火车头 煤矿 越南 马来西亚 新加坡";

/// Words that may occur between a place and a name.
const TEAMS: [&str; 4] = ["代表队", "象棋队", "队", "省"];

/// Removes the bracketed text after a comparable name, and a listed place and team before it.
pub(crate) fn bare(key: &str) -> &str {
    let before_bracket = key.split(['(', '（', '[']).next().unwrap_or(key).trim_end();
    let key = if before_bracket.is_empty() { key } else { before_bracket };
    let rest = PLACES
        .split_whitespace()
        .find_map(|place| key.strip_prefix(place))
        .map(|rest| TEAMS.iter().find_map(|team| rest.strip_prefix(team)).unwrap_or(rest).trim_start());
    rest.filter(|rest| is_name(rest)).unwrap_or(key)
}

/// Returns `true` if a text contains at least two Chinese characters, as every name does; a single character
/// may be the end of a team's name.
fn is_name(text: &str) -> bool {
    text.chars().filter(|letter| is_chinese(*letter)).count() >= 2
}

/// Removes the place and team before a name, and the bracketed text after it. A place that is not in the list
/// is recognised if the rest of the name also occurs by itself.
fn without_team(key: &str, all: &BTreeMap<String, Spellings>) -> String {
    let name = bare(key);
    // A place has at least two characters. Shorter places are tried first, since they leave more of the name.
    let mut rests = name.char_indices().skip(2).map(|(at, _)| &name[at..]);
    let has_place = !key.starts_with(name);
    let rest = rests.find(|rest| !has_place && is_name(rest) && all.contains_key(*rest));
    rest.unwrap_or(name).to_owned()
}

/// Separators between the names of players who play together.
const BETWEEN: [char; 7] = ['+', '&', '/', '、', ',', ';', '|'];

/// Returns `true` if a bare name contains a separator between Chinese names, or consists of at least two
/// names in `known`.
fn is_several(name: &str, known: &BTreeSet<&str>) -> bool {
    if name.split(BETWEEN).filter(|part| is_name(part)).count() > 1 {
        return true;
    }
    let is_known =
        |text: &str| is_name(text) && known.contains(text) && !PLACES.split_whitespace().any(|place| place == text);
    let mut halves = name.char_indices().skip(2).map(|(at, _)| name.split_at(at));
    halves.any(|(first, rest)| is_known(first) && (is_known(rest) || is_several(rest, known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditional_and_simplified_names_are_one() {
        assert_eq!(fold(" 胡榮華 "), fold("胡荣华"));
        assert_eq!(fold("LIU DaHua"), "liu dahua");
        assert_ne!(fold("許銀川"), fold("呂欽"));
        assert_eq!(comparable_name("許　銀川\u{200B}"), comparable_name("许银川"));
        assert_ne!(comparable_name("Hu Ronghua"), comparable_name("Huronghua"));
    }

    #[test]
    fn aliases_are_read_written_and_applied() {
        let text = "# players\n胡荣华 = 上海胡榮華; Hu Ronghua\n";
        let aliases = Aliases::read(text).expect("aliases");
        for spelling in ["上海胡荣华", "hu ronghua", "胡　荣华"] {
            assert_eq!((aliases.name(spelling), aliases.key(spelling)), ("胡荣华", "胡荣华".to_owned()), "{spelling}");
        }
        assert_eq!(aliases.name("许银川"), "许银川");
        assert_eq!(aliases.to_string(), "胡荣华 = 上海胡榮華; Hu Ronghua\n");
        assert!(aliases.is_part("Hu Ronghua", "上海胡荣华") && aliases.is_part("荣", "上海胡榮華"));
        assert_eq!(Aliases::read("a\n"), Err(AliasError::Line(1)));
        let taken = Aliases::read("a = b\nc = B\n").expect_err("b has two names");
        assert_eq!(taken, AliasError::Taken(2, "B".to_owned(), "a".to_owned()));
    }

    #[test]
    fn names_behind_places_and_before_brackets_are_proposed() {
        let names = [
            "胡荣华",
            "上海 胡榮華",
            "南方棋院胡荣华",
            "广东许银川",
            "許銀川",
            "吕钦",
            "吕钦(广东)",
            "赵国荣",
            "李荣华",
        ];
        let once = || names.map(|name| (name, 1));
        let said = said(&Aliases::default().suggest(once()));
        assert_eq!(said, ["吕钦 = 吕钦(广东)", "胡荣华 = 上海 胡榮華; 南方棋院胡荣华", "許銀川 = 广东许银川"]);
        // With these aliases, there is nothing left to propose.
        let aliases = Aliases::read(&(said.join("\n") + "\n")).expect("aliases");
        assert_eq!(aliases.suggest(once()), []);
    }

    fn said(proposed: &[Suggestion]) -> Vec<String> {
        let line = |found: &Suggestion| format!("{} = {}", found.name, found.spellings.join("; "));
        proposed.iter().map(line).collect()
    }

    #[test]
    fn names_of_several_players_are_not_proposed() {
        let names = [
            "许银川",
            "吕钦许银川",
            "王琳娜 許銀川",
            "許銀川+伍霞",
            "广东许银川",
            "广东吕钦许银川",
            "徐健秒／許銀川",
            "广东吕钦",
            "王琳娜",
            "上海",
            "上海许银川",
            "Xu (Y/Z)",
            "Xu",
        ];
        let said = said(&Aliases::default().suggest(names.map(|name| (name, 1))));
        assert_eq!(said, ["Xu = Xu (Y/Z)", "许银川 = 上海许银川; 广东许银川"]);
    }

    #[test]
    fn the_spelling_with_the_most_games_is_kept() {
        let names = [("李小紅", 1), ("李小红", 2), ("河北李小红", 9), ("河北 李小紅", 10)];
        let proposed = Aliases::default().suggest(names);
        assert_eq!(said(&proposed), ["李小红 = 河北 李小紅"]);
        assert_eq!(proposed[0].games, 22);
    }
}
