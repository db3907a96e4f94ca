//! Dependencies between source files, derived from the paths in them.

use std::collections::{BTreeMap, BTreeSet};

/// A module as its path below the crate: `["board", "fen"]`; the crate itself is empty.
type Module = Vec<String>;

/// Modules and paths of a file.
#[derive(Default)]
struct File {
    /// Children declared by `mod name;`.
    children: BTreeSet<String>,
    /// Imported names, which children can also use: name → path. A re-export by itself does not count as
    /// a use.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths used in the file itself.
    used: Vec<Vec<String>>,
}

/// Returns the files that each file uses, from `(path below the crate, code without comments)`. Skips test
/// modules, and re-exports (`pub use`, `pub(crate) use`). The use of a re-exported name counts as a use of
/// the file that defines it.
pub(crate) fn uses(sources: &[(String, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let files: BTreeMap<Module, (&String, File)> =
        sources.iter().map(|(path, code)| (module(path), (path, read(&module(path), code)))).collect();
    let mut uses = BTreeMap::new();
    for (path, file) in files.values() {
        let mut used: BTreeSet<String> = file.used.iter().filter_map(|path| definer(&files, path)).collect();
        used.remove(*path);
        uses.insert((*path).clone(), used);
    }
    uses
}

/// Returns the files that use each other directly or indirectly: one list per cycle.
pub(crate) fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<&String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|file| (file, reached_from(uses, file))).collect();
    let mut circles: Vec<Vec<&String>> = Vec::new();
    for file in uses.keys().filter(|file| reached[file].contains(file)) {
        if !circles.iter().flatten().any(|known| *known == file) {
            circles.push(
                uses.keys().filter(|other| reached[file].contains(other) && reached[other].contains(file)).collect(),
            );
        }
    }
    circles
}

fn reached_from<'u>(uses: &'u BTreeMap<String, BTreeSet<String>>, file: &'u String) -> BTreeSet<&'u String> {
    let (mut reached, mut left) = (BTreeSet::new(), vec![file]);
    while let Some(file) = left.pop() {
        left.extend(uses.get(file).into_iter().flatten().filter(|used| reached.insert(*used)));
    }
    reached
}

/// Returns the module of a file: `rules/game.rs` is `rules::game`, `rules/mod.rs` is `rules`, `lib.rs` is the
/// crate.
fn module(path: &str) -> Module {
    if path == "lib.rs" {
        return Module::new();
    }
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// Returns the file that defines `path`, following imported names to their definitions.
fn definer(files: &BTreeMap<Module, (&String, File)>, path: &[String]) -> Option<String> {
    let mut path = path.to_vec();
    for _ in 0..10 {
        let length = (0..=path.len()).rev().find(|length| files.contains_key(&path[..*length]))?;
        let (name, file) = &files[&path[..length]];
        match path.get(length).and_then(|next| file.imports.get(next)) {
            Some(origin) => path = origin.iter().chain(&path[length + 1..]).cloned().collect(),
            None => return Some((*name).clone()),
        }
    }
    panic!("{path:?} has a circular import")
}

fn read(own: &Module, code: &str) -> File {
    let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let children: BTreeSet<String> = code
        .lines()
        .filter_map(|line| {
            line.trim().strip_suffix(';')?.rsplit_once("mod ").filter(|(before, _)| is_visibility(before))
        })
        .map(|(_, name)| name.to_owned())
        .collect();
    let mut file = File { children, ..File::default() };
    for statement in code.split_inclusive(';') {
        let (before, import) = match statement.rfind("use ") {
            Some(place) if is_import(statement, place) => statement.split_at(place),
            _ => (statement, ""),
        };
        let is_reexport =
            ["pub", "pub(crate)", "pub(super)"].iter().any(|visible| before.trim_end().ends_with(visible));
        for path in paths_in(before) {
            file.used.extend(absolute(own, &file.children, &path));
        }
        // In a nested module, `super::*` refers to the file itself.
        if before.ends_with(' ') && import.ends_with("super::*;") {
            continue;
        }
        for (name, path) in expand(import.trim_start_matches("use ").trim_end_matches(';').trim()) {
            let Some(path) = absolute(own, &file.children, &path) else { continue };
            if !is_reexport {
                file.used.push(path.clone());
            }
            file.imports.insert(name, path);
        }
    }
    file
}

fn is_visibility(text: &str) -> bool {
    matches!(text.trim(), "" | "pub" | "pub(super)" | "pub(crate)")
}

/// Returns `true` if the word at `place` begins an import: it is the first on its line, apart from `pub`.
fn is_import(statement: &str, place: usize) -> bool {
    let line = statement[..place].rsplit('\n').next().unwrap_or_default();
    is_visibility(line)
}

/// Returns all paths with at least two names in a piece of code.
fn paths_in(code: &str) -> Vec<Vec<String>> {
    let words = code.split(|end: char| !end.is_alphanumeric() && end != '_' && end != ':');
    let paths = words.filter(|word| word.contains("::")).map(|word| word.trim_matches(':').split("::"));
    paths.map(|names| names.map(str::to_owned).collect()).collect()
}

/// Returns the path below the crate, if it begins in this crate.
fn absolute(own: &Module, children: &BTreeSet<String>, path: &[String]) -> Option<Vec<String>> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    let rest = &path[ups..];
    let base: &[String] = match path.first()?.as_str() {
        "super" => &own[..own.len().checked_sub(ups)?],
        "crate" => return Some(path[1..].to_vec()),
        "self" => return Some(own.iter().chain(&path[1..]).cloned().collect()),
        first if children.contains(first) => own,
        _ => return None,
    };
    Some(base.iter().chain(rest).cloned().collect())
}

/// Expands `a::{b, c::d as e}` to names with their paths: `b` → `a::b`, `e` → `a::c::d`.
fn expand(import: &str) -> Vec<(String, Vec<String>)> {
    let Some((before, inside)) = import.split_once('{') else {
        let (path, name) = import.split_once(" as ").unwrap_or((import, import));
        let path: Vec<String> =
            path.split("::").map(|name| name.trim().to_owned()).filter(|name| name != "self").collect();
        return path
            .last()
            .map(|last| if name == import { last.clone() } else { name.trim().to_owned() })
            .map(|name| (name, path))
            .into_iter()
            .collect();
    };
    let inside = inside.trim_end().trim_end_matches('}');
    let mut depth = 0;
    let parts = inside.split(|sign| {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        sign == ',' && depth == 0
    });
    parts
        .filter(|part| !part.trim().is_empty())
        .flat_map(|part| expand(&format!("{}{}", before.trim(), part.trim())))
        .collect()
}
