//! Files of the page, embedded in the program. No path is ever derived from a browser's request.

use chuhe_engine::picture::strokes::JSON as STROKES;
use std::sync::LazyLock;

/// An embedded file of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct File {
    /// Path relative to the page's address, such as `index.html`.
    pub name: &'static str,
    /// Content.
    pub bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal from $path:literal,)*) => {
        &[File { name: "strokes.json", bytes: STROKES.as_bytes() }, $(File { name: $name, bytes: include_bytes!($path) },)*]
    };
}

/// Path in the URL, and source file. A test compares the list with the folder.
const FILES: &[File] = files! {
    "app.js" from "page/app.js",
    "board.js" from "page/board.js",
    "desk.js" from "page/desk.js",
    "dom.js" from "page/dom.js",
    "edit.js" from "page/edit.js",
    "engines.js" from "page/engines.js",
    "files.js" from "page/files.js",
    "game.js" from "page/game.js",
    "gif.js" from "page/gif.js",
    "grid.js" from "page/grid.js",
    "icon.svg" from "page/icon.svg",
    "index.html" from "page/index.html",
    "keeping.js" from "page/keeping.js",
    "keys.js" from "page/keys.js",
    "known_moves.js" from "page/known_moves.js",
    "learn.js" from "page/learn.js",
    "library.js" from "page/library.js",
    "lines.js" from "page/lines.js",
    "link.js" from "page/link.js",
    "manage.js" from "page/manage.js",
    "match.js" from "page/match.js",
    "mate.js" from "page/mate.js",
    "moves.js" from "page/moves.js",
    "options.js" from "page/options.js",
    "panels.css" from "page/panels.css",
    "pieces.js" from "page/pieces.js",
    "play.js" from "page/play.js",
    "position.js" from "page/position.js",
    "puzzles.js" from "page/puzzles.js",
    "referee.js" from "page/referee.js",
    "responses.js" from "page/responses.js",
    "review.js" from "page/review.js",
    "score.js" from "page/score.js",
    "seats.js" from "page/seats.js",
    "settings.js" from "page/settings.js",
    "share.js" from "page/share.js",
    "sound.js" from "page/sound.js",
    "store.js" from "page/store.js",
    "style.css" from "page/style.css",
    "table.js" from "page/table.js",
    "texts.js" from "page/texts.js",
    "texts_of_games.js" from "page/texts_of_games.js",
    "tree.js" from "page/tree.js",
    "words.js" from "page/words.js",
};

/// Files as served: scripts and style sheets without their comments, which make up a sixth of their size.
static SERVED: LazyLock<Vec<File>> = LazyLock::new(|| FILES.iter().copied().map(File::without_comments).collect());

/// Returns all files of the page.
pub fn files() -> &'static [File] {
    &SERVED
}

/// Returns the file at a path; `/` is the page itself.
pub(super) fn find(path: &str) -> Option<&'static File> {
    let name = match path.strip_prefix('/')? {
        "" => "index.html",
        name => name,
    };
    files().iter().find(|file| file.name == name)
}

impl File {
    fn without_comments(self) -> File {
        match std::str::from_utf8(self.bytes) {
            Ok(text) if self.name.ends_with(".js") || self.name.ends_with(".css") => {
                File { bytes: without_comments(text).into_bytes().leak(), ..self }
            }
            _ => self,
        }
    }

    /// Returns the media type.
    pub fn media_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map_or("", |(_, suffix)| suffix) {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" | "mjs" => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "ico" => "image/x-icon",
            "wasm" => "application/wasm",
            _ => "text/plain; charset=utf-8",
        }
    }
}

/// Removes comments that fill whole lines.
fn without_comments(text: &str) -> String {
    let mut is_inside = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let was_inside = is_inside;
        // A JSDoc type cast may precede code on the same line, so only comments that fill the line are
        // removed.
        let begins = line.starts_with("/*") && line.find("*/").is_none_or(|end| end + 2 == line.len());
        is_inside = (is_inside || begins) && !line.ends_with("*/");
        !(was_inside || begins || line.starts_with("//"))
    };
    text.lines().filter(is_code).flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_list_has_every_file_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/web/page");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        for name in &names {
            assert!(find(&format!("/{name}")).is_some(), "{name} is not in the list");
        }
    }

    #[test]
    fn comments_are_not_served_and_code_is() {
        let text = "// One.\n/** Two. */\nlet a = 1; // three\n/**\n * Four.\n */\n/** @type {any} */ (b).c();\n  /* five\n  */\nd();\n";
        assert_eq!(without_comments(text), "let a = 1; // three\n/** @type {any} */ (b).c();\nd();\n");
        for (served, file) in files().iter().zip(FILES) {
            let [served, source] = [served, file].map(|file| String::from_utf8_lossy(file.bytes));
            let is_comment = |line: &&str| ["//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark));
            let code =
                |text: &str| text.lines().filter(|line| !is_comment(line)).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(code(&served), code(&source), "{}", file.name);
        }
    }

    #[test]
    fn paths_are_names_and_nothing_else() {
        assert_eq!(find("/"), find("/index.html"));
        assert!(find("/").is_some());
        for path in ["", "index.html", "/..", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/index.html/", "//index.html"] {
            assert_eq!(find(path), None, "{path}");
        }
    }
}
