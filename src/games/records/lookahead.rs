//! Counts the lookahead of parsers. A test limits its total cost, because a parser that repeatedly scans the
//! same text would take hours for a large file.

/// `find!(text, pattern)`: `text.find(pattern)`, counted. All text parsers use it for lookahead.
macro_rules! find {
    ($text:expr, $pattern:expr) => {{
        let text: &str = $text;
        let place = text.find($pattern);
        $crate::records::lookahead::count_lookahead(place.unwrap_or(text.len()));
        place
    }};
}
pub(super) use find;

/// Counts scanned bytes or moves; does nothing outside tests.
#[inline]
pub(super) fn count_lookahead(_count: usize) {
    #[cfg(test)]
    tests::LOOKAHEAD.with(|count| count.set(count.get() + _count));
}

#[cfg(test)]
mod tests {
    use crate::records::{Record, RecordFault, RecordReader, cbf, cbl, cbr, xqf};
    use chuhe_board::STARTPOS;
    use std::cell::Cell;
    use std::io::Cursor;

    thread_local! {
        pub static LOOKAHEAD: Cell<usize> = const { Cell::new(0) };
    }

    /// Returns the cost of reading a file.
    fn cost(bytes: Vec<u8>) -> usize {
        LOOKAHEAD.set(0);
        let _: Vec<Result<Record, RecordFault>> = RecordReader::new(Cursor::new(bytes)).expect("readable").collect();
        LOOKAHEAD.get()
    }

    /// Function that creates a file with the given number of elements.
    type Growing = Box<dyn Fn(usize) -> Vec<u8>>;

    /// Returns a function that creates a file of repeated `element`s between `before` and `after`.
    fn repeated(before: &str, element: &str, after: &str) -> Growing {
        let [before, element, after] = [before, element, after].map(str::to_owned);
        Box::new(move |count| (before.clone() + &element.repeat(count) + &after).into_bytes())
    }

    #[test]
    fn no_reader_takes_more_than_twice_as_long_for_twice_as_much() {
        let cbf = |element: &str| {
            let whole = cbf::write(&Record::default());
            let (before, after) = whole.split_once(" <MoveList>").expect("a list of moves");
            repeated(&format!("{before} <MoveList>{element}"), element, after)
        };
        let shuffle = "1. h2e2 h9g7 2. e2h2 g7h9 ";
        let chain = |count: usize| {
            let line = |number| format!("[DhtmlXQ_move_{number}_{}_{}]7747[/DhtmlXQ_x]", number + 2, number + 1);
            let lines: String = (0..count / 20).map(line).collect();
            let main = "7747796747776779".repeat(count / 40);
            format!("[DhtmlXQ_movelist]{main}[/DhtmlXQ_movelist]{lines}").into_bytes()
        };
        let deep = |count: usize| {
            let main = "7747796747776779".repeat(count / 4);
            let ply = count / 4 * 4 - 1;
            let line = |number| format!("[DhtmlXQ_move_0_{ply}_{number}]6364[/DhtmlXQ_move_0_{ply}_{number}]");
            let lines: String = (1..=count / 2).map(line).collect();
            format!("[DhtmlXQ_movelist]{main}[/DhtmlXQ_movelist]{lines}").into_bytes()
        };
        let files: Vec<(&str, Growing)> = vec![
            ("pgn comments", repeated("1. h2e2 ", "{abc} ", "*")),
            ("pgn comments of a variation", repeated("1. h2e2 (", "{abc} ", "1. c3c4) *")),
            ("pgn comments of brackets", repeated("1. h2e2 ", "(abc) ", "*")),
            ("pgn variations", repeated("1. h2e2 ", "(1. c3c4) ", "*")),
            ("pgn open variations", repeated("1. h2e2 ", "(1. c3c4 ", "*")),
            ("pgn brackets", repeated("1. h2e2 ", "(", ")")),
            ("pgn tags of a line", repeated("", "[A \"b\"] ", "1. h2e2 *")),
            ("pgn events of a line", repeated("", "[Event \"b\"] ", "1. h2e2 *")),
            ("pgn quotes of a tag", repeated("[A \"", "\"  ", "\"]\n1. h2e2 *")),
            ("pgn games of a line", repeated("", "1. h2e2 h9g7 * ", "")),
            ("pgn games with ranks from 1", repeated("", "1. h3e3 h10g8 * ", "")),
            ("pgn moves", repeated("", shuffle, "*")),
            ("pgn moves side by side", repeated("", "h2e2h9g7e2h2g7h9", "")),
            ("pgn lines", repeated("1. h2e2\n", "; abc\n", "*")),
            ("pgn games", repeated("", "[Event \"b\"]\n\n1. h2e2 *\n\n", "")),
            ("pgn numbers", repeated("1. h2e2 ", "1. ", "*")),
            ("pgn glyphs", repeated("1. h2e2 ", "$1 ", "*")),
            ("dhtmlxq tags without an end", repeated("", "[DhtmlXQ_binit]", "")),
            ("dhtmlxq tags without an end, in lines", repeated("", "[DhtmlXQ_other]x\n", "")),
            ("dhtmlxq tags with another's end", repeated("", "[DhtmlXQ_a]x[/DhtmlXQ_b]", "")),
            ("dhtmlxq marks", repeated("", "[dhtmlxq", "]")),
            ("dhtmlxq begins", repeated(&"[DhtmlXQ_a]x".repeat(500), "[DhtmlXQ]", "")),
            ("dhtmlxq comments", repeated("", "[DhtmlXQ_comment0]x[/DhtmlXQ_comment0]", "")),
            ("dhtmlxq games", repeated("", "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "")),
            ("dhtmlxq brackets", repeated("[DhtmlXQ_a]", "[", "")),
            ("dhtmlxq lines of lines", Box::new(chain)),
            ("dhtmlxq lines far from the start", Box::new(deep)),
            ("cbf comments", cbf("<Move value=\"00-00\"><![CDATA[x]]></Move>")),
            ("cbf moves", cbf("<Move value=\"77-47\"/><Move value=\"79-67\"/>")),
            ("cbf data", cbf("<Move value=\"00-00\"><![CDATA[x]]><![CDATA[x]]>x</Move>")),
            ("cbf tags", cbf("<Red>x</Red><Other><A/></Other>")),
            ("cbf attributes", cbf("<Move value=\"00-00\" other=\"x\" end=\"0\"/>")),
            ("wxf blocks", repeated("FORMAT WXF\n", "A{}", &(" ".repeat(4000) + "\n"))),
            ("wxf comments", repeated("FORMAT WXF\nSTART{\n1. h2e2 ", "{abc} ", "\n}END\n")),
            ("wxf lines of comments", repeated("FORMAT WXF\nSTART{\n1. h2e2\n", "# abc\n", "}END\n")),
            ("wxf moves", repeated("FORMAT WXF\nSTART{\n", shuffle, "\n}END\n")),
            ("wxf games", repeated("", "FORMAT WXF\nRED x\nSTART{\n1. h2e2\n}END\n", "")),
            ("wxf pieces", repeated("FORMAT WXF\nSETUP{", "Ke0 ", "kd9}\nSTART{\n}END\n")),
            ("moves", repeated(&format!("{STARTPOS}\n"), shuffle, "*")),
            ("positions", repeated("", "startpos moves h2e2 ; x\n", "")),
            ("moves of a position", repeated("position startpos moves", " h2e2 h9g7 e2h2 g7h9", "\n")),
            ("xqf", Box::new(|count| [xqf::write(&Record::default()), vec![24; count * 8]].concat())),
            ("cbr", Box::new(|count| cbr::write(&Record::default()).repeat(count / 10))),
            ("cbr begins", Box::new(|count| cbr::MAGIC.repeat(count))),
            (
                "cbl",
                Box::new(|count| cbl::write_library("x", &vec![Record::default(); count / 10]).expect("not too large")),
            ),
            ("cbl headings", Box::new(|count| [cbr::LIBRARY, &vec![0; 90_000], &cbr::MAGIC.repeat(count)].concat())),
        ];
        let slow = files.into_iter().filter_map(|(name, file)| {
            let [once, twice] = [1000, 2000].map(|count| cost(file(count)));
            (twice > 2 * once + once / 10 + 5000).then(|| format!("{name}: {once}, for twice as much {twice}"))
        });
        assert_eq!(slow.collect::<Vec<_>>(), [""; 0]);
    }
}
