//! Names of the tags that Chuhe itself reads or writes. PGN files and libraries preserve all other tags too.

use chuhe_board::words::{Key, Language};

/// Remark on the result.
pub const ANNOTATION: &str = "Annotation";
/// Author of the comments.
pub const ANNOTATOR: &str = "Annotator";
/// Author of the record.
pub const AUTHOR: &str = "Author";
/// Black's player.
pub const BLACK: &str = "Black";
/// Black's rating.
pub const BLACK_ELO: &str = "BlackElo";
/// Person or engine that played Black in a game on the program's board.
pub const BLACK_SEAT: &str = "BlackSeat";
/// Black's team.
pub const BLACK_TEAM: &str = "BlackTeam";
/// Time used by Black.
pub const BLACK_TIME: &str = "BlackTime";
/// Black's time control, if Red's is different.
pub const BLACK_TIME_CONTROL: &str = "BlackTimeControl";
/// Date as year, month and day.
pub const DATE: &str = "Date";
/// Code of the opening.
pub const ECCO: &str = "ECCO";
/// Tags edited in the library, which are kept when the page stores the running game again.
pub const EDITED_TAGS: &str = "EditedTags";
/// Tournament or occasion.
pub const EVENT: &str = "Event";
/// Starting position, unless it is the initial position.
pub const FEN: &str = "FEN";
/// Notation of the moves.
pub const FORMAT: &str = "Format";
/// Chess variant.
pub const GAME: &str = "Game";
/// Identifier of a game played on the page.
pub const GAME_ID: &str = "GameId";
/// Group of the tournament.
pub const GROUP: &str = "Group";
/// Name of the opening.
pub const OPENING: &str = "Opening";
/// Number of plies.
pub const PLY_COUNT: &str = "PlyCount";
/// Red's player.
pub const RED: &str = "Red";
/// Red's rating.
pub const RED_ELO: &str = "RedElo";
/// Person or engine that played Red in a game on the program's board.
pub const RED_SEAT: &str = "RedSeat";
/// Red's team.
pub const RED_TEAM: &str = "RedTeam";
/// Time used by Red.
pub const RED_TIME: &str = "RedTime";
/// Red's time control, if Black's is different.
pub const RED_TIME_CONTROL: &str = "RedTimeControl";
/// Result of the game.
pub const RESULT: &str = "Result";
/// Round of the tournament.
pub const ROUND: &str = "Round";
/// Place of the game.
pub const SITE: &str = "Site";
/// Book or collection.
pub const SOURCE: &str = "Source";
/// Number of the board in the round.
pub const TABLE: &str = "Table";
/// Reason for the end of the game.
pub const TERMINATION: &str = "Termination";
/// Time control of both players.
pub const TIME_CONTROL: &str = "TimeControl";
/// Title of the record.
pub const TITLE: &str = "Title";
/// Name of the opening's variation.
pub const VARIATION: &str = "Variation";

/// Returns the name of a tag in messages, or the tag itself if it has no other name.
pub fn title(tag: &str, language: Language) -> &str {
    let key = match tag {
        TITLE => Key::TagTitle,
        EVENT => Key::TagEvent,
        DATE => Key::TagDate,
        SITE => Key::TagSite,
        RED => Key::TagRed,
        BLACK => Key::TagBlack,
        RED_TEAM => Key::TagRedTeam,
        BLACK_TEAM => Key::TagBlackTeam,
        TIME_CONTROL => Key::TagTimeControl,
        RED_TIME => Key::TagRedTime,
        BLACK_TIME => Key::TagBlackTime,
        ANNOTATOR => Key::TagAnnotator,
        AUTHOR => Key::TagAuthor,
        _ => return tag,
    };
    language.word(key)
}

/// Tags of the players, Red's first.
pub const PLAYERS: [&str; 2] = [RED, BLACK];
/// Tags that identify the players of a game on the program's board, Red's first. The value is `human`, the
/// level of Chuhe, or the name of another engine.
pub const SEATS: [&str; 2] = [RED_SEAT, BLACK_SEAT];
