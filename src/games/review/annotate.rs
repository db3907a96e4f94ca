//! A review as a record: comments, glyphs and the better lines as variations, for PGN and every other format
//! that supports them.

use super::Report;
use super::wording;
use crate::records::{Full, NodeId, Record};
use chuhe_board::words::Key;

/// Maximum length in plies of a better line that is added as a variation.
const MAX_MOVES: usize = 8;

impl Report<'_> {
    /// Adds the review to a copy of the record whose main line was reviewed. Existing content is kept.
    ///
    /// # Errors
    /// Returns an error if the record has no room for more moves.
    pub fn annotated(&self, record: &Record) -> Result<Record, Full> {
        let mut record = record.clone();
        let line: Vec<NodeId> = record.tree.main_line().collect();
        let annotated = self.each(|reviewed, game| -> Result<(), Full> {
            let node = line[reviewed.ply - 1];
            let parent = if reviewed.ply == 1 { NodeId::ROOT } else { line[reviewed.ply - 2] };
            let score = wording::score(self.language, reviewed.side, reviewed.played.score);
            let mut comment = score;
            if reviewed.is_only_good_move {
                comment = format!("{comment}; {}", self.language.word(Key::OnlyMove));
            }
            if self.leaves_explored() == Some(reviewed.ply) {
                comment = format!("{comment}; {}", self.language.word(Key::LeavesExplored));
            }
            if let Some(judgement) = reviewed.judgement {
                record.tree.add_glyph(node, judgement.glyph());
                comment = format!("{comment}. {}", reviewed.say(game, self.language, self.form));
                let mut last = parent;
                for &mv in reviewed.best.moves.iter().take(MAX_MOVES) {
                    last = record.tree.child(last, mv).map_or_else(|| record.tree.add(last, mv), Ok)?;
                }
            }
            record.tree.add_comment(node, &comment);
            Ok(())
        });
        annotated.into_iter().collect::<Result<(), Full>>()?;
        Ok(record)
    }
}
