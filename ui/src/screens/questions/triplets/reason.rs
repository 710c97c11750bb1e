//! Names of shifts, and the reason why a draft is no triplet, in words.

use crate::i18n::{Lang, lang, tag, tf};
use crate::reasons::{LEFT_OUT, NO_TRIPLET};
use lexforge_domain::api::ShiftType;

/// A reason in words. What is wrong with the sentence that should say the same is named as that.
pub fn reason(why: &str) -> String {
    if NO_TRIPLET.contains(&why) {
        return tag("no_triplet", why);
    }
    if LEFT_OUT.contains(&why) {
        return tag("left_out", why);
    }
    match why.strip_prefix("positive_") {
        Some(rest) => tf("triplets.in_positive", &[("why", &reason(rest))]),
        None => tag("rejection", why),
    }
}

/// The name of a shift in the reader's language; an own shift without a name keeps its tag.
pub fn shift_name(shifts: &[ShiftType], tag: &str) -> String {
    let shift = shifts.iter().find(|shift| shift.tag == tag);
    let name = shift.map(|shift| match lang() {
        Lang::En => shift.en.clone(),
        Lang::Zh => shift.zh.clone(),
    });
    name.unwrap_or_else(|| tag.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_says_which_sentence_it_is_about() {
        crate::i18n::speak(Lang::En);
        assert_eq!(reason("no_rewording"), "no other words for it");
        assert_eq!(reason("fragment"), "no complete sentence");
        assert_eq!(
            reason("positive_number_changed"),
            "in other words: number changed"
        );
        assert_eq!(reason("judge_unreadable"), "judgement cannot be read");
    }

    #[test]
    fn a_shift_has_its_name_and_an_unknown_one_its_tag() {
        crate::i18n::speak(Lang::En);
        let shift = ShiftType {
            tag: "temporal.time_limit".to_owned(),
            en: "another time limit".to_owned(),
            zh: "期限不同".to_owned(),
            what: String::new(),
            edits: Vec::new(),
        };
        let all = [shift];
        assert_eq!(
            shift_name(&all, "temporal.time_limit"),
            "another time limit"
        );
        assert_eq!(shift_name(&all, "own.one"), "own.one");
    }
}
