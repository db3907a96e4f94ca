//! The board as text, four columns per file and two rows per rank, so that it is about square on a terminal.

use super::svg::RED_FILES;
use super::{Picture, Style, caption};
use chuhe_board::{File, Rank, Side, Square};
use unicode_width::UnicodeWidthChar;

/// Column of file a.
const LEFT: usize = 5;
const WIDTH: usize = LEFT + 4 * 8 + 4;

/// A cell of the canvas: a character, or the right half of a wide character.
#[derive(Clone, Copy)]
struct Cell {
    glyph: Option<char>,
    paint: Paint,
}

/// Content of a cell, which determines its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paint {
    Plain,
    Line,
    Label,
    /// Symbol of a side's piece.
    Face(Side, Wood),
    /// Wooden edge of a piece.
    Edge(Wood),
    /// The brackets that mark the last move.
    Mark,
}

/// State of a piece's disc.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wood {
    Pale,
    /// Piece that has just moved.
    Bright,
    /// King in check.
    Alarm,
}

impl Paint {
    /// Returns the terminal's colour code, from the 256-colour palette, whose colours are the same on dark
    /// and light backgrounds.
    fn code(self) -> String {
        let of = |wood: Wood| match wood {
            Wood::Pale => 223,
            Wood::Bright => 220,
            Wood::Alarm => 217,
        };
        match self {
            Paint::Plain => String::new(),
            Paint::Line => "\x1b[38;5;137m".to_owned(),
            Paint::Label => "\x1b[38;5;245m".to_owned(),
            Paint::Face(Side::Red, wood) => format!("\x1b[1;38;5;160;48;5;{}m", of(wood)),
            Paint::Face(Side::Black, wood) => format!("\x1b[1;38;5;16;48;5;{}m", of(wood)),
            Paint::Edge(wood) => format!("\x1b[38;5;{}m", of(wood)),
            Paint::Mark => "\x1b[1;38;5;220m".to_owned(),
        }
    }
}

struct Canvas {
    rows: Vec<[Cell; WIDTH]>,
    style: Style,
}

impl Canvas {
    fn row(&mut self) -> &mut [Cell; WIDTH] {
        self.rows.push([Cell { glyph: Some(' '), paint: Paint::Plain }; WIDTH]);
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    /// Returns the rows as lines without trailing spaces; colour codes occur only where the colour changes.
    fn into_text(self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let end = row.iter().rposition(|cell| cell.glyph != Some(' ')).map_or(0, |last| last + 1);
            let mut paint = Paint::Plain;
            for cell in &row[..end] {
                if self.style.colour && cell.paint != paint {
                    text += "\x1b[0m";
                    text += &cell.paint.code();
                    paint = cell.paint;
                }
                text.extend(cell.glyph);
            }
            text += if self.style.colour && paint != Paint::Plain { "\x1b[0m\n" } else { "\n" };
        }
        text
    }
}

/// Writes a word starting at a column; each Chinese character takes two columns.
fn write(row: &mut [Cell; WIDTH], column: usize, word: &str, paint: Paint) {
    let mut at = column;
    for character in word.chars() {
        row[at] = Cell { glyph: Some(character), paint };
        at += 1;
        if character.width() == Some(2) {
            row[at] = Cell { glyph: None, paint };
            at += 1;
        }
    }
}

/// Edge of the picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Top,
    Bottom,
}

fn column(file: File) -> usize {
    LEFT + 4 * file.index()
}

impl Picture<'_> {
    /// Returns the board as lines of text with coordinates and a caption; ends with a line break.
    pub fn text(&self, style: Style) -> String {
        let mut text = self.board(style) + "\n";
        for line in caption::lines(self, style.language) {
            text += &format!("  {line}\n");
        }
        text
    }

    /// Returns the board with coordinates but without a caption. It has at most 22 lines, so that it fits
    /// into a terminal with 24 lines.
    pub fn board(&self, style: Style) -> String {
        let mut canvas = Canvas { rows: Vec::new(), style };
        self.label_files(&mut canvas, Edge::Top);
        for rank in Rank::ALL.into_iter().rev() {
            self.draw_rank(&mut canvas, rank);
            if rank != Rank::R0 {
                self.draw_gap(&mut canvas, rank);
            }
        }
        self.label_files(&mut canvas, Edge::Bottom);
        canvas.into_text()
    }

    /// Writes the labels of the files: letters in the style with letters; otherwise the numbers of the side
    /// at this edge, counted from its right, and at the bottom also letters.
    fn label_files(&self, canvas: &mut Canvas, edge: Edge) {
        let side = if (edge == Edge::Top) == self.flipped { Side::Red } else { Side::Black };
        let drawn_at = |file: File| column(self.turned(Square::new(file, Rank::R0)).file());
        let letters = |canvas: &mut Canvas| {
            let row = canvas.row();
            for file in File::ALL {
                write(row, drawn_at(file), &char::from(b'a' + file as u8).to_string(), Paint::Label);
            }
        };
        let numbers = |canvas: &mut Canvas| {
            let row = canvas.row();
            for (file, (red, black)) in
                File::ALL.into_iter().zip(RED_FILES.into_iter().zip("１２３４５６７８９".chars()))
            {
                let number = if side == Side::Red { red } else { black };
                write(row, drawn_at(file), &number.to_string(), Paint::Label);
            }
        };
        match edge {
            _ if canvas.style.letters => letters(canvas),
            Edge::Top => numbers(canvas),
            Edge::Bottom => {
                numbers(canvas);
                letters(canvas);
            }
        }
    }

    fn draw_rank(&self, canvas: &mut Canvas, rank: Rank) {
        let style = canvas.style;
        let row = canvas.row();
        let named = self.turned(Square::new(File::A, rank)).rank();
        write(row, LEFT - 3, &named.index().to_string(), Paint::Label);
        let line = if style.letters { '-' } else { '─' };
        row[column(File::A)..column(File::I)].fill(Cell { glyph: Some(line), paint: Paint::Line });
        for file in File::ALL {
            let square = Square::new(file, rank);
            let point = if style.letters { '+' } else { crossing(square) };
            write(row, column(file), &point.to_string(), Paint::Line);
        }
        for file in File::ALL {
            self.draw_point(row, Square::new(file, rank), style);
        }
    }

    /// Draws the piece and the last-move marks that an unflipped board shows on the square `place`.
    fn draw_point(&self, row: &mut [Cell; WIDTH], place: Square, style: Style) {
        let (at, square) = (column(place.file()), self.turned(place));
        let moved = self.last_move.filter(|mv| [mv.from, mv.to].contains(&square));
        let Some(piece) = self.board.piece_on(square) else {
            if moved.is_some() {
                write(row, at - 1, "[", Paint::Mark);
                write(row, at + 1, "]", Paint::Mark);
            }
            return;
        };
        let in_check = self.board.is_checked(square);
        let wood = match moved {
            _ if in_check => Wood::Alarm,
            Some(_) => Wood::Bright,
            None => Wood::Pale,
        };
        let face = match style {
            Style { letters: true, .. } => piece.letter(),
            Style { colour: false, pieces, .. } => pieces.colourless_face(piece),
            Style { pieces, .. } => pieces.face(piece),
        };
        let width = face.width().unwrap_or(1);
        write(row, at, &face.to_string(), Paint::Face(piece.side(), wood));
        if moved.is_some() {
            write(row, at - 1, "[", if style.colour { Paint::Face(piece.side(), wood) } else { Paint::Mark });
            write(row, at + width, "]", if style.colour { Paint::Face(piece.side(), wood) } else { Paint::Mark });
        } else if style.colour && !style.letters {
            write(row, at - 1, "▐", Paint::Edge(wood));
            write(row, at + width, "▌", Paint::Edge(wood));
        }
    }

    /// Draws the row below a rank: lines, the palaces' diagonals or the river.
    fn draw_gap(&self, canvas: &mut Canvas, above: Rank) {
        let style = canvas.style;
        let letters = style.letters;
        let row = canvas.row();
        let line = if letters { "|" } else { "│" };
        let river = above == Rank::R5;
        for file in File::ALL {
            if !river || file == File::A || file == File::I {
                write(row, column(file), line, Paint::Line);
            }
        }
        if river {
            let banks = match style.letters {
                true => [(5, "Chu River".to_owned()), (18, "Han Border".to_owned())],
                false => {
                    let [chu, han] = style.pieces.river().map(|[first, second]| format!("{first}　{second}"));
                    [(6, chu), (21, han)]
                }
            };
            for (place, bank) in banks {
                write(row, LEFT + place, &bank, Paint::Label);
            }
        }
        let (down, up) = if letters { ("\\", "/") } else { ("╲", "╱") };
        let strokes = match above {
            Rank::R9 | Rank::R2 => [down, up],
            Rank::R8 | Rank::R1 => [up, down],
            _ => return,
        };
        for (file, stroke) in [File::D, File::E].into_iter().zip(strokes) {
            write(row, column(file) + 2, stroke, Paint::Line);
        }
    }
}

/// Returns the character that joins the lines at a point.
fn crossing(square: Square) -> char {
    let row = match square.rank() {
        Rank::R9 => "┌┬┐",
        Rank::R0 => "└┴┘",
        Rank::R5 => "├┴┤",
        Rank::R4 => "├┬┤",
        _ => "├┼┤",
    };
    let place = match square.file() {
        File::A => 0,
        File::I => 2,
        _ => 1,
    };
    row.chars().nth(place).unwrap_or('┼')
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_board::Position;
    use unicode_width::UnicodeWidthStr;

    const DRAWN: &str = concat!(
        "     a   b   c   d   e   f   g   h   i\n",
        "  9  +---+---+---k---+---+---+---+---+\n",
        "     |   |   |   | \\ | / |   |   |   |\n",
        "  8  +---+---+---+---a---+---+---+---+\n",
        "     |   |   |   | / | \\ |   |   |   |\n",
        "  7  +---+---+---+---+---+---+---+---+\n",
        "     |   |   |   |   |   |   |   |   |\n",
        "  6  +---+---+---+---+---+---+---+---+\n",
        "     |   |   |   |   |   |   |   |   |\n",
        "  5  +---+---+---+---+---+---+---+---+\n",
        "     |    Chu River    Han Border    |\n",
        "  4  +---+---+---+---+---+---+---+---+\n",
        "     |   |   |   |   |   |   |   |   |\n",
        "  3  +---+---+---+---+---+---+---+---+\n",
        "     |   |   |   |   |   |   |   |   |\n",
        "  2  +---+---+---+--[C]--+---+--[+]--+\n",
        "     |   |   |   | \\ | / |   |   |   |\n",
        "  1  +---+---+---+---+---+---+---+---+\n",
        "     |   |   |   | / | \\ |   |   |   |\n",
        "  0  +---+---+---+---K---+---+---+---+\n",
        "     a   b   c   d   e   f   g   h   i\n",
        "\n",
        "  Black to move (move 1), after Red's cannon h2e2\n",
        "  3k5/4a4/9/9/9/9/9/4C4/9/4K4 b - - 0 1\n",
    );

    fn drawn(fen: &str, last: &str, style: Style) -> String {
        let position: Position = fen.parse().expect("a possible position");
        Picture::new(&position).with_last_move(last.parse().ok()).text(style)
    }

    #[test]
    fn letters_draw_the_board_in_ascii() {
        let text = drawn("3k5/4a4/9/9/9/9/9/4C4/9/4K4 b", "h2e2", Style { letters: true, ..Style::default() });
        assert_eq!(text, DRAWN);
    }

    #[test]
    fn a_flipped_board_is_turned_by_half_a_turn() {
        let position: Position = "3k5/4a4/9/9/9/9/9/4C4/9/4K4 b".parse().expect("a possible position");
        let text = Picture::new(&position).flipped(true).text(Style { letters: true, ..Style::default() });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "     i   h   g   f   e   d   c   b   a");
        assert_eq!(lines[1], "  0  +---+---+---+---K---+---+---+---+");
        assert_eq!(lines[19], "  9  +---+---+---+---+---k---+---+---+");
        let chinese = Picture::new(&position).flipped(true).text(Style::default());
        assert!(chinese.lines().next().is_some_and(|line| line.trim().starts_with('一')), "{chinese}");
    }

    #[test]
    fn characters_keep_the_columns_of_letters() {
        for last in ["", "h2e2", "b0c2"] {
            let text = |letters| drawn(chuhe_board::STARTPOS, last, Style { letters, ..Style::default() });
            let (letters, characters) = (text(true), text(false));
            let rows = letters.lines().zip(characters.lines()).take(20).skip(1);
            for (with_letters, with_characters) in rows {
                let (narrow, wide) = (with_letters.width(), with_characters.width());
                // With Chinese characters, a row is one column wider if there is a piece on the last square,
                // at the right edge.
                assert!(wide == narrow || wide == narrow + 1, "{with_letters}\n{with_characters}");
            }
        }
    }

    #[test]
    fn colours_change_nothing_but_the_edges_of_pieces() {
        let plain = drawn(chuhe_board::STARTPOS, "h2e2", Style { letters: true, ..Style::default() });
        let coloured = drawn(chuhe_board::STARTPOS, "h2e2", Style { letters: true, colour: true, ..Style::default() });
        let mut without_codes = String::new();
        for (index, part) in coloured.split('\x1b').enumerate() {
            without_codes += if index == 0 { part } else { part.split_once('m').map_or("", |(_, text)| text) };
        }
        assert_eq!(without_codes, plain);
        assert_ne!(coloured, plain);
    }
}
