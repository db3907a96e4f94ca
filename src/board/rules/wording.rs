//! Rulings as text: every reason is a key with arguments, formatted in the reader's language.

use super::attack::CaptureValue;
use super::{Attack, CyclePly, Deed, Offence, Outcome, Reason, RuleSet, Ruling, Terms, Verdict};
use crate::words::{Key, Language};
use crate::{Kind, Piece, Side};
use alloc::{borrow::ToOwned, string::String};
use core::fmt::{self, Display};

/// Returns the owner and the kind, such as `Red's rook` or 红车, or only the owner if `kind` is `None`.
fn noun_with_owner(language: Language, owner: Side, kind: Option<Kind>) -> String {
    kind.map_or_else(|| owner.title(language).to_owned(), |kind| Piece::new(owner, kind).noun_with_owner(language))
}

impl RuleSet {
    /// Returns the name used in sentences: `Asian`, 亚洲规则.
    pub const fn title(self, language: Language) -> &'static str {
        match (language, self) {
            (Language::English, RuleSet::Asian) => "Asian",
            (Language::English, RuleSet::Chinese) => "Chinese",
            (Language::English, _) => self.name(),
            (Language::Chinese, RuleSet::Asian) => "亚洲规则",
            (Language::Chinese, RuleSet::Chinese) => "中国规则",
            (Language::Chinese, RuleSet::League) => "联赛规则",
            (Language::Chinese, RuleSet::Computer) => "电脑规则",
            (Language::Chinese, RuleSet::Simple) => "简化规则",
            (Language::Chinese, RuleSet::Draw) => "判和规则",
        }
    }
}

impl Ruling {
    /// Returns the ruling as a clause without a full stop.
    pub fn say(&self, language: Language) -> String {
        let Verdict::Over(outcome, reason) = self.verdict else { return self.say_open(language) };
        let reason_said = self.say_reason(language, reason);
        // The sentence "every repetition is a draw" is a complete explanation.
        if self.draws_by_rule_set(reason) {
            return reason_said;
        }
        let wins =
            |winner: Side| language.say(Key::Wins, &[("reason", &reason_said), ("side", &winner.title(language))]);
        match outcome {
            Outcome::Win => wins(self.side),
            Outcome::Loss => wins(!self.side),
            Outcome::Draw => language.say(Key::Draws, &[("reason", &reason_said)]),
        }
    }

    /// Returns the reason for the ruling as a clause, without the result.
    pub fn cause(&self, language: Language) -> String {
        match self.verdict {
            Verdict::Over(_, reason) => self.say_reason(language, reason),
            Verdict::Open => self.say_open(language),
        }
    }

    fn say_open(&self, language: Language) -> String {
        if self.occurrences < 2 {
            return language.word(Key::GoesOn).to_owned();
        }
        let (occurrence, judged) = (language.ordinal(self.occurrences), language.ordinal(self.terms.folds()));
        let rules = self.terms.rules.title(language);
        language.say(Key::GoesOnRepeated, &[("occurrence", &occurrence), ("rules", &rules), ("judged", &judged)])
    }

    fn draws_by_rule_set(&self, reason: Reason) -> bool {
        reason == Reason::Repetition && self.terms.rules == RuleSet::Draw
    }

    fn say_reason(&self, language: Language, reason: Reason) -> String {
        let cycle = self.cycle.as_ref();
        let (offender, other) = match reason.offender() {
            // All kinds of attacks count in a perpetual attack, so no single piece is named.
            Some(offender) if matches!(reason, Reason::PerpetualAttack(_)) => {
                (noun_with_owner(language, offender, None), !offender)
            }
            Some(offender) => (noun_with_owner(language, offender, cycle.and_then(|cycle| cycle.culprit)), !offender),
            None => (String::new(), self.side),
        };
        let other = other.title(language);
        let both: [(&str, &dyn Display); 2] = [("offender", &offender), ("other", &other)];
        match reason {
            Reason::Mate => language.word(Key::Mated).to_owned(),
            Reason::Stalemate => language.say(Key::LeavesNoMove, &[("side", &self.side.title(language))]),
            Reason::NaturalLimit => {
                let Terms { natural_limit: plies, free_checks: checks, .. } = self.terms;
                match checks {
                    0 => language.say(Key::NoCapture, &[("plies", &plies)]),
                    _ => language.say(Key::NoCaptureFewChecks, &[("plies", &plies), ("checks", &checks)]),
                }
            }
            Reason::NoAttackers => language.word(Key::NoAttackers).to_owned(),
            Reason::PerpetualCheck(_) => language.say(Key::ChecksAlways, &both),
            Reason::PerpetualChase(_) => match cycle.and_then(|cycle| cycle.victim) {
                Some((victim, _)) => {
                    let key =
                        if cycle.is_some_and(|cycle| cycle.is_tied) { Key::ChasesTied } else { Key::ChasesAlways };
                    language.say(key, &[both[0], both[1], ("victim", &victim.noun(language))])
                }
                None => language.say(Key::ChasesSamePiece, &both),
            },
            Reason::PerpetualAttack(_) => language.say(Key::AttacksAlways, &both),
            Reason::MutualOffence(Offence::Check) => language.word(Key::BothCheck).to_owned(),
            Reason::MutualOffence(_) => language.word(Key::BothAttack).to_owned(),
            Reason::Repetition if self.draws_by_rule_set(reason) => language.word(Key::EveryRepetitionDraws).to_owned(),
            Reason::Repetition => language.word(Key::NobodyOffends).to_owned(),
        }
    }
}

impl CyclePly {
    /// Returns the moved piece: `Red's rook`, 红车.
    pub fn mover(&self, language: Language) -> String {
        self.piece.noun_with_owner(language)
    }
}

impl Attack {
    /// Returns the attack as a clause: `rook c1 chases the horse c5, which is unprotected`.
    pub fn say(&self, language: Language) -> String {
        let (chaser, victim) = (self.chaser.noun(language), self.victim.noun(language));
        let verb = match self.value {
            CaptureValue::Exchange => Key::OffersExchange,
            CaptureValue::Protected | CaptureValue::Bound => Key::Attacks,
            _ => Key::Chases,
        };
        let from = self.from.spoken(self.chaser.side(), language);
        let at = self.at.spoken(self.victim.side(), language);
        let places: [(&str, &dyn Display); 4] =
            [("chaser", &chaser), ("from", &from), ("victim", &victim), ("at", &at)];
        let mut said = language.say(verb, &places);
        if self.is_undermining {
            said += language.word(Key::NoGainBefore);
        } else if self.is_discovered {
            said += language.word(Key::Uncovered);
        }
        said + &match self.value {
            CaptureValue::Stronger if self.is_protected => language.say(Key::WorthMore, &[("chaser", &chaser)]),
            CaptureValue::Stronger | CaptureValue::Unprotected => language.word(Key::Unprotected).to_owned(),
            CaptureValue::FalseRoot => language.word(Key::FalseRoot).to_owned(),
            CaptureValue::Helpless => language.word(Key::Helpless).to_owned(),
            CaptureValue::Exchange => language.word(Key::CanTakeToo).to_owned(),
            CaptureValue::Protected => language.word(Key::Protected).to_owned(),
            CaptureValue::Bound => language.word(Key::CouldNotTake).to_owned(),
        }
    }
}

impl Deed {
    /// Returns the effect as a clause: `chase: rook c1 chases the horse c5, which is unprotected`.
    pub fn say(&self, language: Language) -> String {
        let attack = |key: Key, attack: &Attack| language.say(key, &[("attack", &attack.say(language))]);
        match self {
            Deed::Check => language.word(Key::DeedCheck).to_owned(),
            Deed::Kill => language.word(Key::DeedKill).to_owned(),
            Deed::Chase(chase) => attack(Key::DeedChase, chase),
            Deed::Exchange(exchange) => attack(Key::DeedExchange, exchange),
            Deed::Follow(idle) | Deed::Bound(idle) => attack(Key::DeedIdleAttack, idle),
            Deed::Standing(standing) => {
                let victim = standing.victim.noun(language);
                let at = standing.at.spoken(standing.victim.side(), language);
                language.say(Key::DeedStanding, &[("victim", &victim), ("at", &at)])
            }
            Deed::Block(piece, at) => {
                let at = at.spoken(piece.side(), language);
                language.say(Key::DeedBlock, &[("piece", &piece.noun(language)), ("at", &at)])
            }
            Deed::Idle => language.word(Key::DeedIdle).to_owned(),
        }
    }
}

/// Formats the ruling in English.
impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.say(Language::English))
    }
}

/// Formats the effect in English.
impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.say(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Terms, rule};

    fn ruled(fen: &str, moves: &str, terms: impl Into<Terms>) -> Ruling {
        let mut game = Game::from_fen(fen).expect("a position");
        game.play_text(moves.split(' ').filter(|text| !text.is_empty())).expect("legal moves");
        rule(&game, terms)
    }

    const CHECKS: &str = "3k5/9/9/p8/9/9/P8/9/4R4/5K3 w";
    const ROUND: &str = "e1d1 d9e9 d1e1 e9d9";

    #[test]
    fn a_repetition_that_is_not_judged_yet_is_told() {
        let twice = format!("{ROUND} {ROUND}");
        let said = ruled(CHECKS, &twice, RuleSet::League).to_string();
        assert_eq!(said, "the game goes on: third occurrence of this position; the league rules judge at the fourth");
        assert_eq!(ruled(CHECKS, "", RuleSet::League).to_string(), "the game goes on");
        let asian = ruled(CHECKS, ROUND, RuleSet::Asian);
        assert!(asian.to_string().ends_with("; the Asian rules judge at the third"), "{asian}");
        let chinese = asian.say(Language::Chinese);
        assert_eq!(chinese, "对局继续：此局面第 2 次出现，亚洲规则在第 3 次出现时裁决");
    }

    #[test]
    fn a_rule_set_of_draws_says_so_once() {
        let said = ruled(CHECKS, &format!("{ROUND} {ROUND}"), RuleSet::Draw).to_string();
        assert_eq!(said, "every repetition is a draw");
    }

    #[test]
    fn pieces_are_named_by_their_files_in_chinese() {
        let moves = "d1c1 c5d7 c1d1 d7c5 d1c1 c5d7 c1d1 d7c5";
        let ruling = ruled("5k3/9/9/8p/2n6/9/8P/9/3R5/4K4 w", moves, RuleSet::Asian);
        let deed = ruling.cycle.expect("a cycle").plies[0].deeds[0];
        assert_eq!(deed.say(Language::Chinese), "捉：七路车捉３路马，无根");
        assert_eq!(deed.say(Language::English), "chase: rook c1 chases the horse c5, which is unprotected");
    }

    #[test]
    fn offences_are_said_in_both_languages() {
        let ruling = ruled(CHECKS, &format!("{ROUND} {ROUND}"), RuleSet::Asian);
        assert_eq!(ruling.to_string(), "Red's rook gives check with every move, but Black does not. Black wins");
        assert_eq!(ruling.say(Language::Chinese), "红车长将，黑方没有长将，黑方胜");
    }
}
