//! The board as SVG, without fonts or other external resources.

use super::{Board, Picture, Pieces, caption, strokes};
use chuhe_board::words::Language;
use chuhe_board::{File, Kind, Move, Piece, Position, Rank, Side, Square};
use std::fmt::Write;

/// Distance between two lines, in the picture's units.
const STEP: i32 = 60;
/// Margin left of file a and above rank 9.
const MARGIN: i32 = 66;
/// Radius of a piece.
const RADIUS: i32 = 26;
/// Width of the picture.
pub const WIDTH: i32 = 8 * STEP + 2 * MARGIN;
/// Height of the board without the caption.
pub const BOARD_HEIGHT: i32 = 9 * STEP + 2 * MARGIN;
const HEIGHT: i32 = BOARD_HEIGHT + 44;

const WOOD: &str = "#f0d9ae";
const LINE: &str = "#6b4423";
const RED: &str = "#b3241c";
const BLACK: &str = "#1d1a17";
const GOLD: &str = "#d08a00";
const ARROW: &str = "#1f7a4d";

const GRADIENTS: &str = "\
<defs>\
<radialGradient id='red' cx='.4' cy='.35' r='.8'><stop offset='0' stop-color='#fff8e6'/><stop offset='1' stop-color='#e9c48d'/></radialGradient>\
<radialGradient id='black' cx='.4' cy='.35' r='.8'><stop offset='0' stop-color='#fbf3e0'/><stop offset='1' stop-color='#dcb882'/></radialGradient>\
</defs>\n";

/// Numbers of Red's files, starting with file a on Red's left.
pub(super) const RED_FILES: [char; 9] = ['九', '八', '七', '六', '五', '四', '三', '二', '一'];

/// Returns the coordinates of a square.
pub fn centre(square: Square) -> (i32, i32) {
    (MARGIN + STEP * square.file().index() as i32, MARGIN + STEP * (9 - square.rank().index() as i32))
}

impl Picture<'_> {
    /// Returns the picture as an SVG document with a caption. In English, files have letters and ranks have
    /// numbers. In Chinese, each side's files are numbered from its right, as in books: 一 to 九 below the
    /// board for Red, 1 to 9 above it for Black.
    pub fn svg(&self, pieces: Pieces, language: Language) -> String {
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' height='{HEIGHT}'>\n\
             <title>{}</title>\n{GRADIENTS}",
            self.board.fen()
        );
        self.draw(&mut svg, pieces, language).expect("a string can always be written to");
        svg + "</svg>\n"
    }

    fn draw(&self, svg: &mut String, pieces: Pieces, language: Language) -> std::fmt::Result {
        draw_board(svg, pieces)?;
        draw_labels(svg, language)?;
        if let Some(mv) = self.last_move {
            draw_corners(svg, mv.from)?;
        }
        for square in Square::ALL {
            draw_piece(svg, self.board, square, pieces)?;
        }
        if let Some(mv) = self.last_move {
            draw_corners(svg, mv.to)?;
        }
        if let Some(mv) = self.arrow {
            draw_arrow(svg, mv)?;
        }
        let colour = if self.board.side() == Side::Red { RED } else { BLACK };
        let y = BOARD_HEIGHT + 14;
        let lines = caption::lines(self, language);
        let said = &lines[..lines.len() - 1]; // without the FEN, which is the title
        writeln!(svg, "<circle cx='{MARGIN}' cy='{y}' r='8' fill='{colour}' stroke='{LINE}'/>")?;
        let x = MARGIN + 18;
        writeln!(
            svg,
            "<text x='{x}' y='{y}' dy='.35em' font-family='sans-serif' font-size='16' fill='{LINE}'>{}</text>",
            said.join(if language == Language::Chinese { "；" } else { "; " })
        )
    }
}

/// Returns definitions for pages with many boards: an invisible SVG with the empty board as `#board-empty`,
/// and each piece, centred on the origin, as `#piece-` and its letter, for `<use>`. Boards are 612 units wide
/// and 672 high; square a9 is at (66, 66), and the lines are 60 apart.
pub fn definitions(pieces: Pieces) -> String {
    let mut svg = format!(
        "<svg class='definitions' width='0' height='0' aria-hidden='true'>{GRADIENTS}<defs><g id='board-empty'>\n"
    );
    let mut draw = || {
        draw_board(&mut svg, pieces)?;
        for piece in Piece::ALL {
            write!(svg, "</g><g id='piece-{}'>", piece.letter())?;
            draw_piece_at(&mut svg, piece, (0, 0), pieces)?;
        }
        std::fmt::Result::Ok(())
    };
    draw().expect("a string can always be written to");
    svg + "</g></defs></svg>"
}

fn draw_board(svg: &mut String, pieces: Pieces) -> std::fmt::Result {
    let (left, right, top, bottom) = (MARGIN, MARGIN + 8 * STEP, MARGIN, MARGIN + 9 * STEP);
    writeln!(svg, "<rect width='{WIDTH}' height='{HEIGHT}' rx='10' fill='{WOOD}'/>")?;
    writeln!(svg, "<g stroke='{LINE}' stroke-width='1.5' stroke-linecap='square' fill='none'>")?;
    writeln!(
        svg,
        "<rect x='{}' y='{}' width='{}' height='{}' stroke-width='4'/>",
        left - 7,
        top - 7,
        8 * STEP + 14,
        9 * STEP + 14
    )?;
    let mut lines = String::new();
    for rank in 0..10 {
        write!(lines, "M{left} {}H{right}", top + STEP * rank)?;
    }
    for file in 0..9 {
        let x = left + STEP * file;
        if file == 0 || file == 8 {
            write!(lines, "M{x} {top}V{bottom}")?;
        } else {
            write!(lines, "M{x} {top}v{}M{x} {bottom}v{}", 4 * STEP, -4 * STEP)?;
        }
    }
    for y in [top, top + 7 * STEP] {
        let (x, side) = (left + 3 * STEP, 2 * STEP);
        write!(lines, "M{x} {y}l{side} {side}m0 {}l{} {side}", -side, -side)?;
    }
    writeln!(svg, "<path d='{lines}'/>")?;
    writeln!(svg, "<path d='{}'/>\n</g>", stars()?)?;
    let y = top + 4 * STEP + STEP / 2;
    for (bank, middle) in pieces.river().into_iter().zip([left + 2 * STEP, left + 6 * STEP]) {
        for (character, x) in bank.into_iter().zip([middle - 32, middle + 32]) {
            let strokes = strokes::character(character).unwrap_or_default();
            draw_strokes(svg, strokes, (x, y), 0.34, LINE)?;
        }
    }
    Ok(())
}

/// Draws strokes of the 100 × 100 grid around a point, scaled down.
fn draw_strokes(svg: &mut String, strokes: &str, (x, y): (i32, i32), scale: f64, colour: &str) -> std::fmt::Result {
    writeln!(
        svg,
        "<path transform='translate({:.1} {:.1}) scale({scale})' d='{strokes}' fill='none' stroke='{colour}' \
         stroke-width='{}' stroke-linecap='round' stroke-linejoin='round'/>",
        f64::from(x) - 50.0 * scale,
        f64::from(y) - 50.0 * scale,
        strokes::STROKE_WIDTH
    )
}

/// Returns the corner marks around the initial squares of cannons and pawns.
fn stars() -> Result<String, std::fmt::Error> {
    let mut path = String::new();
    let start = Position::start();
    for side in Side::ALL {
        for square in start.pieces(side, Kind::Cannon) | start.pieces(side, Kind::Pawn) {
            let (x, y) = centre(square);
            for (to_x, to_y) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let outside = (to_x < 0 && square.file() == File::A) || (to_x > 0 && square.file() == File::I);
                if !outside {
                    write!(path, "M{} {}v{}h{}", x + 5 * to_x, y + 15 * to_y, -10 * to_y, 10 * to_x)?;
                }
            }
        }
    }
    Ok(path)
}

fn draw_labels(svg: &mut String, language: Language) -> std::fmt::Result {
    writeln!(svg, "<g font-family='sans-serif' font-size='15' fill='{LINE}' text-anchor='middle'>")?;
    for file in File::ALL {
        let x = centre(Square::new(file, Rank::R0)).0;
        let below = match language {
            Language::English => char::from(b'a' + file as u8),
            Language::Chinese => RED_FILES[file.index()],
        };
        writeln!(svg, "<text x='{x}' y='{}' dy='.35em'>{below}</text>", MARGIN + 9 * STEP + 48)?;
        writeln!(svg, "<text x='{x}' y='{}' dy='.35em'>{}</text>", MARGIN - 48, file.index() + 1)?;
    }
    for rank in Rank::ALL.into_iter().filter(|_| language == Language::English) {
        let y = centre(Square::new(File::A, rank)).1;
        writeln!(svg, "<text x='{}' y='{y}' dy='.35em'>{}</text>", MARGIN - 48, rank.index())?;
    }
    writeln!(svg, "</g>")
}

fn draw_piece(svg: &mut String, board: Board, square: Square, pieces: Pieces) -> std::fmt::Result {
    let Some(piece) = board.piece_on(square) else { return Ok(()) };
    let (x, y) = centre(square);
    if board.is_checked(square) {
        writeln!(svg, "<circle cx='{x}' cy='{y}' r='{}' fill='#e2574c' opacity='.55'/>", RADIUS + 7)?;
    }
    draw_piece_at(svg, piece, (x, y), pieces)
}

/// Draws a piece at a point.
fn draw_piece_at(svg: &mut String, piece: Piece, (x, y): (i32, i32), pieces: Pieces) -> std::fmt::Result {
    let colour = if piece.side() == Side::Red { RED } else { BLACK };
    let name = piece.side().name();
    writeln!(svg, "<circle cx='{}' cy='{}' r='{RADIUS}' fill='#000' opacity='.22'/>", x + 2, y + 3)?;
    writeln!(svg, "<circle cx='{x}' cy='{y}' r='{RADIUS}' fill='url(#{name})' stroke='{LINE}' stroke-width='1.2'/>")?;
    // Red's pieces have two rings and Black's have one, so that the sides can be distinguished without
    // colour.
    let rings: &[(f64, f64)] = if piece.side() == Side::Red { &[(23.7, 0.9), (21.7, 0.9)] } else { &[(23.0, 1.6)] };
    for (radius, width) in rings {
        writeln!(svg, "<circle cx='{x}' cy='{y}' r='{radius}' fill='none' stroke='{colour}' stroke-width='{width}'/>")?;
    }
    let strokes = match pieces {
        Pieces::Pictograms => strokes::pictogram(piece.kind()),
        _ => strokes::character(pieces.face(piece)).unwrap_or_default(),
    };
    draw_strokes(svg, strokes, (x, y), 0.31, colour)
}

/// Draws the four corner marks around a square.
fn draw_corners(svg: &mut String, square: Square) -> std::fmt::Result {
    let (x, y) = centre(square);
    let mut path = String::new();
    for (to_x, to_y) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        let reach = RADIUS + 2;
        write!(path, "M{} {}v{}h{}", x + reach * to_x, y + (reach - 11) * to_y, 11 * to_y, -11 * to_x)?;
    }
    writeln!(svg, "<path d='{path}' fill='none' stroke='{GOLD}' stroke-width='3.5' stroke-linecap='round'/>")
}

/// Draws an arrow from the centre of a square to just before the centre of another.
fn draw_arrow(svg: &mut String, mv: Move) -> std::fmt::Result {
    let ((x, y), (to_x, to_y)) = (centre(mv.from), centre(mv.to));
    let (along, up) = (f64::from(to_x - x), f64::from(to_y - y));
    let length = along.hypot(up);
    let turn = up.atan2(along).to_degrees();
    let (neck, tip) = (length - 28.0, length - 8.0);
    writeln!(
        svg,
        "<path transform='translate({x} {y}) rotate({turn:.2})' d='M12 -5H{neck:.1}V-14L{tip:.1} 0L{neck:.1} 14V5H12Z' \
         fill='{ARROW}' opacity='.75'/>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_and_mark_is_drawn() {
        let position = Position::start();
        let plain = Picture::new(&position).svg(Pieces::Traditional, Language::English);
        assert_eq!(plain.matches("url(#red)").count(), 16);
        assert_eq!(plain.matches("url(#black)").count(), 16);
        assert!(!plain.contains(GOLD) && !plain.contains(ARROW));
        let mv = "h2e2".parse().ok();
        let marked =
            Picture::new(&position).with_last_move(mv).with_arrow(mv).svg(Pieces::Traditional, Language::English);
        assert_eq!(marked.matches(GOLD).count(), 2);
        assert_eq!(marked.matches(ARROW).count(), 1);
        assert!(plain.starts_with("<svg xmlns") && plain.ends_with("</svg>\n"));
        assert!(!plain.contains("href"), "no external resources");
        assert!(plain.is_ascii(), "no character that needs a font");
    }

    #[test]
    fn a_chinese_picture_has_the_files_and_the_caption_of_a_book() {
        let mut position = Position::start();
        let mv: Move = "h2e2".parse().expect("a move");
        position.make(mv);
        let svg = Picture::new(&position).with_last_move(Some(mv)).svg(Pieces::Simplified, Language::Chinese);
        let texts = svg.split("<text ").skip(1).filter_map(|text| text.split_once('>')?.1.split_once('<'));
        let texts: Vec<&str> = texts.map(|(text, _)| text).collect();
        let files = ["九", "1", "八", "2", "七", "3", "六", "4", "五", "5", "四", "6", "三", "7", "二", "8", "一", "9"];
        assert_eq!(texts[..18], files);
        assert!(texts.len() == 19 && texts[18].contains("黑方") && texts[18].contains("炮二平五"), "{texts:?}");
    }
}
