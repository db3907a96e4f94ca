//! Saves a terminal game to a file.

use super::game::SessionGame;
use super::seat::{Seat, Seats};
use crate::cli::Failure;
use chuhe_board::Side;
use chuhe_board::notation::Form;
use chuhe_board::words::{Key, Language};
use chuhe_games::records::{Format, Record, cbl, tags};
use chuhe_lab::arena::date;
use std::path::Path;

/// Returns the game as the content of a file; the suffix of its name determines the format.
pub(super) fn bytes(
    path: &Path,
    game: &SessionGame,
    seats: &Seats,
    form: Form,
    language: Language,
) -> Result<Vec<u8>, Failure> {
    let mut first = game.history().clone();
    first.take_back_to(0);
    let moves = game.history().plies().iter().filter_map(|ply| ply.mv).map(|mv| (mv, String::new()));
    let mut record = Record::of_line(first.position().clone(), moves);
    for side in Side::ALL {
        let name = match &seats[side.index()] {
            Seat::Human => language.word(Key::Human).to_owned(),
            Seat::Computer(computer) => language.say(Key::EngineAtLevel, &[("level", &computer.level())]),
        };
        record.set_tag(tags::PLAYERS[side.index()], &name);
    }
    record.result = game.result();
    record.set_tag(tags::DATE, &date::today());
    Ok(match format_of(path, language)? {
        Format::Cbl => cbl::write_library(&path.file_stem().unwrap_or_default().to_string_lossy(), [&record])
            .map_err(|error| Failure::at(path.display(), error))?,
        format => format.write(&record, form).map_err(|error| Failure::at(path.display(), error))?.bytes,
    })
}

/// Returns the format for a file's suffix; `.txt` is a list of moves.
pub(super) fn format_of(path: &Path, language: Language) -> Result<Format, Failure> {
    let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let formats = [Format::Pgn, Format::Xqf, Format::Cbr, Format::Cbl, Format::Cbf, Format::Moves];
    let known = formats.into_iter().find(|format| format.suffix() == suffix);
    known.ok_or_else(|| {
        let suffixes = formats.map(Format::suffix).join(if language == Language::Chinese { "、" } else { ", " });
        Failure::at(path.display(), language.say(Key::NameTellsFormat, &[("suffixes", &suffixes)]))
    })
}
