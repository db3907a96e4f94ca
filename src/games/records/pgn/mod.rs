//! PGN as written by Xiangqi programs: `[Game "Chinese Chess"]` first, `Red` and `Black`, moves in any
//! notation, variations in `( )`.

mod games;
mod read;
mod tokens;
mod variations;
mod words;
mod write;

pub use games::PgnGames;
pub(super) use tokens::begins_with_tag;
pub(super) use variations::MAX_DEPTH;
pub(super) use words::{first_move, without_glyph, without_number};
pub use write::write;
pub(super) use write::write_sheet;

use super::{Record, RecordFault};

/// Parses all games in `text`.
///
/// # Errors
/// Returns the first error.
pub fn read(text: &str) -> Result<Vec<Record>, RecordFault> {
    PgnGames::new(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{GameResult, Location, NodeId, Tree};
    use chuhe_board::notation::Form;
    use chuhe_board::{Position, STARTPOS};

    fn record(fen: &str, moves: &[&str]) -> Record {
        let comment = |at: usize| if at.is_multiple_of(3) { format!("+{at}/5 0.1s (odd)") } else { String::new() };
        let line = moves.iter().enumerate().map(|(at, mv)| (mv.parse().unwrap(), comment(at)));
        let mut record = Record::of_line(fen.parse().unwrap(), line);
        record.tags =
            [("Red", "A \"b\" \\"), ("Black", "楚河"), ("Round", "1.2")].map(|(k, v)| (k.into(), v.into())).to_vec();
        record.result = GameResult::RedWins;
        record
    }

    fn add(tree: &mut Tree, parent: NodeId, mv: &str) -> NodeId {
        tree.add(parent, mv.parse().unwrap()).unwrap()
    }

    #[test]
    fn each_tag_is_written_once() {
        let mut twice = record(STARTPOS, &["h2e2"]);
        twice.tags =
            [("Event", "first"), ("Red", "A"), ("event", "second")].map(|(k, v)| (k.into(), v.into())).to_vec();
        let text = write(&twice, Form::Iccs);
        let games = read(&text).expect("a game");
        assert_eq!((games.len(), text.matches("second").count()), (1, 0), "{text}");
    }

    #[test]
    fn spaces_around_the_value_of_a_tag_are_removed() {
        let games = read("[Red \"许银川 \"]\n[Date \"\u{3000}1994 \"]\n\nh2e2 *").expect("a game");
        assert_eq!((games[0].tag("Red"), games[0].tag("Date")), (Some("许银川"), Some("1994")));
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        let mut first = record(STARTPOS, &["h2e2", "h9g7", "h0g2", "i9h9"]);
        let second = record(
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
            &["h9g7", "h0g2", "b9c7", "i0h0"],
        );
        first.tree.set_comment(NodeId::ROOT, "before");
        let opening = first.tree.next(NodeId::ROOT).unwrap();
        let reply = first.tree.next(opening).unwrap();
        first.tree.add_glyph(reply, 2);
        first.tree.add_glyph(reply, 14);
        let other = add(&mut first.tree, opening, "b9c7");
        let answer = add(&mut first.tree, other, "b0c2");
        first.tree.set_comment(answer, "deep");
        add(&mut first.tree, other, "h0g2");
        add(&mut first.tree, NodeId::ROOT, "c3c4");
        for form in Form::ALL {
            let text = write(&first, form) + &write(&second, form);
            assert!(text.starts_with("[Game \"Chinese Chess\"]\n"));
            let mut read = read(&text).unwrap();
            assert_eq!(read[0].tag("black"), Some("楚河"));
            for (game, original) in read.iter_mut().zip([&first, &second]) {
                game.tags.sort();
                let mut expected = original.clone();
                expected.tags.sort();
                assert_eq!(*game, expected, "{text}");
            }
        }
    }

    #[test]
    fn other_programs_files_are_read() {
        let text = "[Game \"Chinese Chess\"]\r\n[Red \"x\"]\r\n[Result \"1-0\"]\r\n\r\n 1. H2-E2 (a (b) c)  H9-G7 ; rest\r\n\
                    2.h0g2 $1 2... i9h9 $300\r\n1-0\r\n[Red \"y\"]\n\n1. h2e2 *\n\n[Red \"z\"]\n1. h2e2\n==========\n";
        let games = read(text).unwrap();
        assert_eq!(games.iter().map(|game| game.moves().len()).collect::<Vec<_>>(), [4, 1, 1]);
        let line: Vec<NodeId> = games[0].tree.main_line().collect();
        assert_eq!(games[0].tree.comment(line[0]), "a (b) c");
        assert_eq!(games[0].tree.comment(line[1]), "rest");
        assert_eq!(games[0].tree.glyphs(line[2]).collect::<Vec<_>>(), [1]);
        assert_eq!(games[0].tree.comment(line[3]), "$300");
    }

    #[test]
    fn brackets_hold_variations_or_else_comments() {
        let text = "1. 炮二平五! 马8进7 (1... 马２进３ 2. 马二进三?! (2. 马八进七 {b} 车１平２) 卒7进1) (马2进3 is solid) \
                    2. 马二进三 {c} *";
        let game = &read(text).unwrap()[0];
        let tree = &game.tree;
        let line: Vec<NodeId> = tree.main_line().collect();
        assert_eq!(line.len(), 3);
        assert_eq!(tree.glyphs(line[0]).collect::<Vec<_>>(), [1]);
        let replies: Vec<NodeId> = tree.children(line[0]).collect();
        assert_eq!(replies.len(), 3);
        let answers: Vec<NodeId> = tree.children(replies[1]).collect();
        assert_eq!(answers.len(), 2);
        assert_eq!(tree.comment(answers[1]), "b");
        assert_eq!(tree.children(answers[1]).count(), 1);
        assert_eq!(tree.comment(replies[2]), "is solid");
        assert_eq!(tree.comment(line[2]), "c");
    }

    #[test]
    fn a_variation_with_a_move_that_is_not_legal_is_kept_as_a_comment_and_told() {
        for (text, fault, variations) in [
            ("1. C2=5 H8+7 2. H2+3 (2. E9+8 R9=8) R9=8 *", "E9+8", 0),
            ("1. C2=5 H8+7 2. H2+3\n(2. H8+7 R9=8 3. R1=2 R8+9) R9=8 *", "R1=2", 1),
            ("1. C2=5 H8+7 2. H2+3 (2.E9+8) R9=8 *", "E9+8", 0),
            ("1. h3e3 h10g8 2. h1g3 (2. c1e3) i10h10 *", "c1e3", 0),
        ] {
            let told = PgnGames::new(format!("{text}\n\n1. h2e2 *").as_bytes()).collect::<Vec<_>>();
            let Err(error) = &told[0] else { panic!("{text}") };
            assert!(error.to_string().contains(fault), "{text}: {error}");
            let tree = &error.game.as_ref().expect("the game").tree;
            let line: Vec<NodeId> = tree.main_line().collect();
            assert_eq!((line.len(), tree.children(line[1]).count()), (4, 1 + variations), "{text}");
            assert!(told[1].is_ok() && told.len() == 2, "{text}");
        }
        // Words in brackets form a comment.
        for text in ["(E9+8 loses)", "(better 2. E9+8)", "(2 good moves)", "(see game 2. E9)", "(马2进3 马2进3)"] {
            assert_eq!(read(&format!("1. C2=5 H8+7 2. H2+3 {text} R9=8 *")).expect(text)[0].moves().len(), 4);
        }
    }

    #[test]
    fn moves_may_stand_side_by_side_without_spaces() {
        for text in [
            "1.炮二平五马８进７2.马二进三车９平８",
            "1.炮二平五马8进72.马二进三车9平8",
            "1炮二平五马8进72马二进三车9平8红胜",
            "9.炮二平五马8进710.马二进三车9平811.",
            "h2e2h9g7h0g2i9h9",
            "1.H2-E2H9-G72.H0-G2I9-H9",
            "1.C2=5H8+72.H2+3R9=8",
            "1. C2.5h8+7! 2. H2+3+ r9.8#",
            "炮二平五,马８进７，马二进三、车９平８",
            "第1回合 炮二平五 —— 马8进7 第２回合马二进三 ………… 车9平8",
        ] {
            let games = read(text).unwrap();
            let moves = games[0].moves();
            assert_eq!(moves.iter().map(ToString::to_string).collect::<String>(), "h2e2h9g7h0g2i9h9", "{text}");
            assert_eq!(games[0].result == GameResult::RedWins, text.ends_with("红胜"));
        }
    }

    #[test]
    fn numbers_may_look_like_pawns() {
        // 15.4 is a move and not a number. 2兵 is the second pawn if there is one, otherwise pawn move number
        // 2.
        let fen = "[FEN \"3k5/4P4/4P4/4P4/9/9/9/9/2p6/5K3 w\"]";
        for text in ["1.15.4 P3+1 2. 25.4", "1.15=4P3+12.25=4", "1一兵平四卒3进12兵平四", "1一兵平四卒3进1 2.2兵平四"]
        {
            let game = &read(&format!("{fen}\n{text}")).unwrap()[0];
            assert_eq!(game.moves(), ["e8f8", "c1c0", "e6f6"].map(|mv| mv.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, line, word) in [
            ("[Red \"x\"]\n\n1. h2e2 h2e2\n", 3, "legal"),
            ("[Red \"x\"]\n\n1. bogus\n", 3, "notation"),
            ("[Red x]\n", 1, "tag"),
            ("[FEN \"9/9\"]\n", 1, "10 ranks"),
            ("1. h2e2 {never\n closed", 1, "not closed"),
            ("1. h2e2 )\n", 1, "brackets"),
            ("1. h2e2 (1. c3c4\n", 2, "brackets"),
            ("1. h2e2 (a word\n", 1, "brackets"),
            (&format!("1. h2e2 {}\n", "(".repeat(10_000)), 1, "brackets"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.location, Location::Line(line), "{text}");
            assert!(error.to_string().contains(word), "{error}");
        }
    }

    #[test]
    fn games_around_a_broken_one_are_read() {
        let text = "[Event \"1\"]\n\n1. h2e2 *\n\n[Event \"2\"]\n\n1. h2e2 {open\n h9g7\n\n[Event \"3\"]\n\n1. h2e2 e4e5\n\n\
                    [Event \"4\"]\n[Event \"5\"]\n1. h2e2 *\n";
        let games: Vec<_> = PgnGames::new(text.as_bytes()).collect();
        let told: Vec<String> = games
            .iter()
            .map(|game| match game {
                Ok(game) => format!("{} {}", game.tag("Event").unwrap(), game.moves().len()),
                Err(fault) => format!("{} {}", fault.location, fault.game.as_ref().unwrap().moves().len()),
            })
            .collect();
        assert_eq!(told, ["1 1", "line 7 1", "line 12 1", "4 0", "5 1"]);
    }

    #[test]
    fn games_of_chess_programs_are_read_with_ranks_from_0_and_from_1() {
        let xboard =
            "[White \"a\"]\n[Variant \"xiangqi\"]\n[Result \"0-1\"]\n\n1. Che2 {+0.1/3} Hg7 2. Hg2 Rh9\n{mate} 0-1\n";
        let cutechess = "[White \"a\"]\n[Variant \"xiangqi\"]\n\n1. Che3 Ng8 2. Ng3 Rh10 1-0\n";
        let coordinates = "1. h3e3 h10g8 2. h1g3 i10h10 *\n";
        for text in [xboard, cutechess, coordinates] {
            let moves = read(text).unwrap()[0].moves();
            assert_eq!(moves.iter().map(ToString::to_string).collect::<String>(), "h2e2h9g7h0g2i9h9", "{text}");
        }
    }

    #[test]
    fn numbers_and_marks_of_any_width_are_read() {
        for text in [
            "１．炮二平五　马８进７　２．马二进三　车９平８　１－０",
            "1、炮二平五、马８进７；2、马二进三、车９平８。 红胜",
            "1、炮二平五，马８进７。2、马二进三，车９平８。红胜",
            "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n   黑负\n",
        ] {
            let games = read(text).unwrap();
            assert_eq!((games.len(), games[0].moves().len(), games[0].result), (1, 4, GameResult::RedWins), "{text}");
        }
    }

    #[test]
    fn words_behind_games_are_no_games() {
        let text = "[Red \"x\"]\n1. 炮二平五 *\n======\n欢迎访问象棋百科全书网\n[Red \"y\"] [Black \"z\"]\n1. 炮二平五 1-0\nthe end\n";
        let games = read(text).unwrap();
        assert_eq!(games.iter().map(|game| game.tag("Red").unwrap()).collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(games[1].tag("Black"), Some("z"));
    }

    #[test]
    fn games_without_a_result_are_separated_by_their_numbers() {
        let text = "第一局\n 1. 炮二平五 马２进３\n 2. 马二进三 炮８平６\n第二局\n 1. 炮二平五 炮２平５  2. 马二进三\n卒７进１\n\n1. c3c4 *";
        let games = read(text).unwrap();
        assert_eq!(games.iter().map(|game| game.moves().len()).collect::<Vec<_>>(), [4, 4, 1]);
        let one = "1. c3c4 g6g5 2. h2e2 (2. b2e2\n2... h9g7\n) h9g7\n3. h0g2 *";
        assert_eq!(read(one).unwrap().len(), 1);
    }

    #[test]
    fn lines_and_braces_of_comments_survive() {
        let mut game =
            Record::of_line(Position::start(), ["h2e2", "h9g7"].map(|mv| (mv.parse().unwrap(), String::new())));
        let first = game.tree.next(NodeId::ROOT).unwrap();
        game.tree.set_comment(NodeId::ROOT, "one\ntwo");
        game.tree.set_comment(first, "a {b}\n  c\td\n\n%e\n[Event \"x\"]\nf");
        let text = write(&game, Form::Iccs);
        let again = read(&text).unwrap().remove(0);
        assert_eq!(again.tree.comment(NodeId::ROOT), "one\ntwo");
        assert_eq!(again.tree.comment(first), "a ｛b｝\nc d %e [Event \"x\"]\nf");
        assert_eq!(again.moves(), game.moves());
        assert_eq!(write(&again, Form::Iccs), text);
    }

    #[test]
    fn variations_after_the_moves_are_recognised_by_their_numbers() {
        let text = "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n3. 车一平二 卒7进1\n\n变着一：\n2. 兵七进一 卒7进1\n3. 马八进七\n\
                    变着二\n２．．． 炮2平5 3. 车一平二\n变着三\n2. 马二进三 马2进3\n";
        let game = read(text).unwrap().remove(0);
        let line: Vec<NodeId> = game.tree.main_line().collect();
        assert_eq!(line.len(), 6);
        let seconds: Vec<NodeId> = game.tree.children(line[1]).collect();
        assert_eq!(seconds.len(), 2);
        let replies: Vec<usize> = seconds.iter().map(|&node| game.tree.children(node).count()).collect();
        assert_eq!(replies, [3, 1]);
        // Two columns, single moves with numbers of their own, and numbers of a game that began earlier.
        for text in [
            "1. 炮二平五\n1... 马8进7\n2. 马二进三\n2... 车9平8",
            "1. 炮二平五\n2. 马8进7\n3. 马二进三\n4. 车9平8",
            "11. 炮二平五 马8进7\n12. 马二进三 车9平8",
            "1. 炮二平五 马8进7\n1. 马二进三 车9平8",
            "2. 炮二平五 马8进7\n稳健。\n2. 马二进三 车9平8",
            "12. 炮二平五 马8进7\n2. 马二进三\n1\n车9平8",
        ] {
            assert_eq!(read(text).unwrap()[0].moves().len(), 4, "{text}");
        }
    }

    #[test]
    fn a_repeated_tag_begins_another_game() {
        let games = read(
            "[Game \"Chinese Chess\"]\n[Red \"a\"]\n[Result \"1-0\"]\n\n\
             [Game \"Chinese Chess\"]\n[Red \"b\"]\n[Result \"0-1\"]\n\n1. C2=5 0-1\n",
        )
        .unwrap();
        let read: Vec<_> = games.iter().map(|game| (game.tag("Red").unwrap(), game.result)).collect();
        assert_eq!(read, [("a", GameResult::RedWins), ("b", GameResult::BlackWins)]);
    }

    #[test]
    fn results_are_found_in_tags_and_after_the_moves() {
        for (text, result) in [
            ("[Result \"1-0\"]\n\n1. h2e2 *", GameResult::RedWins),
            ("结果: 红胜\n\n1. h2e2 h9g7 *", GameResult::RedWins),
            ("1. h2e2 h9g7 （黑胜）", GameResult::BlackWins),
            ("1. h2e2 h9g7\n（红先胜）\n======\n", GameResult::RedWins),
            ("1. h2e2 h9g7 (和棋) *", GameResult::Draw),
            ("1. h2e2 h9g7 红胜。", GameResult::RedWins),
            ("1. h2e2 h9g7\n和棋！", GameResult::Draw),
            ("1. h2e2 (红胜) h9g7 *", GameResult::Unknown),
        ] {
            let game = read(text).unwrap().remove(0);
            assert_eq!((game.result, game.moves().is_empty()), (result, false), "{text}");
        }
    }

    #[test]
    fn titles_and_remarks_are_distinguished_from_moves() {
        let text = "1999年全国象棋个人赛 许银川 先胜 吕钦\n1. 炮二平五（好棋） 马8进7\n兵三进一【正着】 卒3进1\n";
        let game = read(text).unwrap().remove(0);
        let line: Vec<NodeId> = game.tree.main_line().collect();
        assert_eq!(line.len(), 4);
        assert_eq!([line[0], line[2]].map(|node| game.tree.comment(node)), ["好棋", "正着"]);
        assert!(game.tree.comment(NodeId::ROOT).starts_with("1999年"));
        assert!(read("77477062").is_err());
    }
}
