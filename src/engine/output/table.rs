//! Rows in aligned columns. Chinese characters count as two columns wide.

use std::fmt;

use unicode_width::UnicodeWidthStr;

/// Alignment of a column: text on the left, numbers on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Aligns cells on the left.
    Left,
    /// Aligns cells on the right.
    Right,
}

/// A table: named columns, then rows. `Display` formats it as text in aligned columns.
///
/// ```
/// use chuhe_engine::output::{Align, Table};
///
/// let mut table = Table::new([("move", Align::Left), ("nodes", Align::Right)]);
/// table.row(["炮二平五", "1,204"]);
/// table.row(["h2e2", "96"]);
/// assert_eq!(table.to_string(), "\
/// move      nodes
/// ────────  ─────
/// 炮二平五  1,204
/// h2e2         96
/// ");
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table without rows from its columns' headings and alignments.
    pub fn new<Name: Into<String>>(columns: impl IntoIterator<Item = (Name, Align)>) -> Self {
        let columns = columns.into_iter().map(|(name, align)| (name.into(), align)).collect();
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row at the bottom. A short row is filled up with empty cells; a row with more cells than
    /// headings is a bug. Control characters are replaced, since they could manipulate the terminal.
    pub fn row<Cell: Into<String>>(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut row: Vec<String> = cells.into_iter().map(|cell| plain(cell.into())).collect();
        debug_assert!(row.len() <= self.columns.len(), "more cells than columns: {row:?}");
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// Returns the table with changed headings, for example translated ones.
    pub fn titled(mut self, change: impl Fn(&str) -> String) -> Table {
        self.columns.iter_mut().for_each(|(name, _)| *name = change(name));
        self
    }

    /// Returns the table with changed row names, which are the cells in the first column.
    pub fn with_names(mut self, change: impl Fn(&str) -> String) -> Table {
        self.rows.iter_mut().filter_map(|row| row.first_mut()).for_each(|name| *name = change(name));
        self
    }

    /// Returns the rows in aligned columns, without headings.
    pub fn rows(&self) -> String {
        let names = vec![String::new(); self.columns.len()];
        let widths = widths(&names, &self.rows);
        self.rows.iter().map(|row| self.padded(row, &widths).join("  ").trim_end().to_owned() + "\n").collect()
    }

    /// Returns the table in at most `width` terminal columns, if a width is given. Columns that do not fit
    /// follow in further tables, each of which repeats the first column. A table with only two columns may
    /// still be wider.
    ///
    /// ```
    /// use chuhe_engine::output::{Align, Table};
    ///
    /// let mut table = Table::new([("term", Align::Left), ("red", Align::Right), ("black", Align::Right)]);
    /// table.row(["rook", "1000", "500"]);
    /// assert_eq!(table.fitted(Some(12)), "\
    /// term   red
    /// ────  ────
    /// rook  1000
    ///
    /// term  black
    /// ────  ─────
    /// rook    500
    /// ");
    /// ```
    pub fn fitted(&self, width: Option<usize>) -> String {
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let widths = widths(&names, &self.rows);
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        let lines: Vec<Vec<String>> =
            [&names, &rule].into_iter().chain(&self.rows).map(|row| self.padded(row, &widths)).collect();
        let mut tables = Vec::new();
        let mut next = 1.min(widths.len());
        loop {
            let (first, mut room) =
                (next, width.unwrap_or(usize::MAX).saturating_sub(widths.first().copied().unwrap_or(0)));
            while next < widths.len() && (next == first || widths[next] + 2 <= room) {
                room = room.saturating_sub(widths[next] + 2);
                next += 1;
            }
            let line = |line: &Vec<String>| {
                let cells: Vec<&str> = line.iter().take(1).chain(&line[first..next]).map(String::as_str).collect();
                cells.join("  ").trim_end().to_owned() + "\n"
            };
            tables.push(lines.iter().map(line).collect::<String>());
            if next == widths.len() {
                return tables.join("\n");
            }
        }
    }

    fn padded(&self, row: &[String], widths: &[usize]) -> Vec<String> {
        let cells = row.iter().zip(&self.columns).zip(widths);
        cells.map(|((cell, (_, align)), width)| pad(cell, *width, *align)).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.fitted(None))
    }
}

/// Replaces characters that [control a terminal](steers), so that names from other programs cannot clear the
/// screen, move the cursor or reverse a line.
///
/// ```
/// assert_eq!(chuhe_engine::output::plain("Engine\x1b[2J".to_owned()), "Engine\u{FFFD}[2J");
/// ```
pub fn plain(text: String) -> String {
    match text.contains(steers) {
        true => text.replace(steers, "\u{FFFD}"),
        false => text,
    }
}

/// Returns `true` if a character controls the output instead of printing: a control character, a line or
/// paragraph separator, or one of Unicode's invisible format characters (category Cf), some of which reorder
/// text.
///
/// ```
/// assert!(chuhe_engine::output::steers('\u{202E}') && !chuhe_engine::output::steers('馬'));
/// ```
pub fn steers(character: char) -> bool {
    let is_format = matches!(
        u32::from(character),
        0xAD | 0x600..=0x605
            | 0x61C
            | 0x6DD
            | 0x70F
            | 0x890..=0x891
            | 0x8E2
            | 0x180E
            | 0x200B..=0x200F
            | 0x2028..=0x202E
            | 0x2060..=0x206F
            | 0xFEFF
            | 0xFFF9..=0xFFFB
            | 0x110BD
            | 0x110CD
            | 0x13430..=0x1343F
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0001..=0xE007F
    );
    character.is_control() || is_format
}

/// Returns the width of each column in terminal columns.
fn widths(names: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| row[column].width());
        cells.chain([names[column].width()]).max().unwrap_or(0)
    };
    (0..names.len()).map(widest).collect()
}

/// Pads `text` with spaces to `width` terminal columns. The formatter's own padding counts characters, but a
/// Chinese character is two columns wide.
pub fn pad(text: &str, width: usize, align: Align) -> String {
    let spaces = " ".repeat(width.saturating_sub(text.width()));
    match align {
        Align::Left => format!("{text}{spaces}"),
        Align::Right => format!("{spaces}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_that_steers_gets_into_a_cell() {
        let mut table = Table::new([("engine", Align::Left)]);
        table.row(["A\x1b[31m\r\nB\u{202E}C\u{2066}D\u{200B}E\u{2028}F"]);
        assert!(!table.to_string().replace('\n', "").contains(steers));
        assert_eq!(table.to_string().lines().count(), 3);
    }

    #[test]
    fn a_wide_table_is_folded_and_loses_nothing() {
        let mut table = Table::new(["algorithm", "depth", "nodes", "time"].map(|name| (name, Align::Right)));
        table.row(["negamax", "4", "1,234,567", "80.1"]);
        for width in 1..60 {
            let text = table.fitted(Some(width));
            for cell in ["depth", "nodes", "time", "4", "1,234,567", "80.1"] {
                assert!(text.contains(cell), "{cell} at {width}:\n{text}");
            }
            let widest = text.lines().map(UnicodeWidthStr::width).max();
            assert!(widest <= Some(width.max(20)), "{width}:\n{text}");
        }
        assert_eq!(table.fitted(Some(60)), table.to_string());
    }

    #[test]
    fn a_table_without_rows_is_its_heading() {
        let table = Table::new([("name", Align::Left), ("Elo", Align::Right)]);
        assert_eq!(table.to_string(), "name  Elo\n────  ───\n");
    }

    #[test]
    fn a_short_row_ends_in_empty_cells() {
        let mut table = Table::new([("a", Align::Left), ("b", Align::Left)]);
        table.row(["x"]);
        assert_eq!(table.to_string(), "a  b\n─  ─\nx\n");
    }

    #[test]
    fn chinese_characters_are_two_columns_wide() {
        assert_eq!(pad("将", 4, Align::Right), "  将");
        assert_eq!(pad("将军", 3, Align::Left), "将军");
    }
}
