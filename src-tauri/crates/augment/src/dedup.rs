//! Near-duplicate questions over a whole set.

use crate::reasons::Rejection;
use crate::words::normal;
use lexforge_domain::SentenceId;
use lexforge_domain::qca::{QcaDraft, QcaLevel, QuestionSource};
use lexforge_text::likeness::{jaccard, shingles};
use std::collections::{HashMap, HashSet};

/// Share of common character shingles from which two questions are the same (docs/methods.md, "Questions").
const SAME: f32 = 0.8;

/// Remembers the questions of a set, and rejects questions that were asked before.
///
/// Two drafts of one level are the same if question and answer together have a Jaccard index of at least 0.8 over
/// character shingles. If a question asks for a term, the drafts must also have the same answer. Not all pairs are
/// compared, so that a set of many thousands stays fast. In any fixed order of shingles, two sets with such an index
/// share one of their first `n − ⌈0.8 n⌉ + 1` shingles (prefix filter). So only questions that share one of these are
/// compared, and no pair is missed.
///
/// If a model is asked about each pair of a rule and a neighbour, it writes several questions about one rule. These
/// questions and answers are similar on purpose, and differ in the wrong choices. So two of them are the same only if
/// their wrong choices are alike, too. Questions about two different rules are compared like all others.
#[derive(Clone, Debug, Default)]
pub struct Deduplicator {
    seen: Vec<Seen>,
    by_shingle: HashMap<(String, u64), Vec<usize>>,
    questions: HashMap<(bool, String), Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Seen {
    /// Question and answer.
    shingles: Vec<u64>,
    /// The rule, where a model set it against a neighbour.
    paired: Option<SentenceId>,
    /// The wrong choices of such a question.
    wrong: Vec<u64>,
}

impl Seen {
    fn of(draft: &QcaDraft) -> Self {
        let answer = draft.choices.get(draft.answer).map_or("", String::as_str);
        let paired = draft.level == QcaLevel::Sentence && draft.source == QuestionSource::Llm;
        let mut wrong = Vec::new();
        if paired {
            let choices = draft.choices.iter().enumerate();
            for (_, choice) in choices.filter(|(i, _)| *i != draft.answer) {
                wrong.extend(shingles(choice));
            }
            wrong.sort_unstable();
            wrong.dedup();
        }
        Self {
            // Use the original texts: `normal` puts blanks between ideographs, so that Chinese questions would be
            // compared by single characters.
            shingles: shingles(&format!("{} {answer}", draft.question)),
            paired: paired.then_some(draft.anchor_sentence),
            wrong,
        }
    }

    /// Whether two questions set one rule against different wrong choices.
    fn sets_against_others(&self, other: &Self) -> bool {
        self.paired.is_some()
            && self.paired == other.paired
            && jaccard(&self.wrong, &other.wrong) < SAME
    }
}

impl Deduplicator {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Remembers the draft, or rejects it.
    ///
    /// # Errors
    /// [`Rejection::DuplicateQuestion`] if nearly the same question was admitted before.
    pub fn admit(&mut self, draft: &QcaDraft) -> Result<(), Rejection> {
        let level = draft.level == QcaLevel::Token;
        let answer = draft.choices.get(draft.answer).map_or("", String::as_str);
        let one = Seen::of(draft);
        let question = (level, normal(&draft.question));
        // Two gaps in one sentence ask for two terms, though the questions differ in two words only.
        let realm = if level { normal(answer) } else { String::new() };
        // The order of the hashes is as good as any for the filter: it spreads the common ones.
        let prefix = one.shingles.len() - (4 * one.shingles.len()).div_ceil(5) + 1;
        let keys: Vec<(String, u64)> = one
            .shingles
            .iter()
            .take(prefix)
            .map(|s| (realm.clone(), *s))
            .collect();
        if self.has(&one, &question, &keys) {
            return Err(Rejection::DuplicateQuestion);
        }
        let at = self.seen.len();
        for key in keys {
            self.by_shingle.entry(key).or_default().push(at);
        }
        self.questions.entry(question).or_default().push(at);
        self.seen.push(one);
        Ok(())
    }

    /// Whether a question was admitted before. If two questions have the same words, the second one is rejected even if
    /// their answers differ, because one question cannot have two right answers.
    fn has(&self, one: &Seen, question: &(bool, String), keys: &[(String, u64)]) -> bool {
        let same_words = self.questions.get(question).into_iter().flatten();
        let near: HashSet<usize> = keys
            .iter()
            .filter_map(|key| self.by_shingle.get(key))
            .flatten()
            .copied()
            .collect();
        let near = near.into_iter().filter_map(|at| self.seen.get(at));
        let alike = near.filter(|other| jaccard(&one.shingles, &other.shingles) >= SAME);
        same_words
            .filter_map(|at| self.seen.get(*at))
            .chain(alike)
            .any(|other| !one.sets_against_others(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::qca::{ChoiceOrigin, QuestionType};

    fn draft(question: &str, answer: &str) -> QcaDraft {
        QcaDraft {
            question: question.to_owned(),
            choices: vec![answer.to_owned()],
            origins: vec![ChoiceOrigin::Anchor],
            ..QcaDraft::new(
                QcaLevel::Sentence,
                QuestionType::Obligation,
                SentenceId(1),
                QuestionSource::Offline,
            )
        }
    }

    #[test]
    fn near_duplicates_are_turned_down() {
        let mut set = Deduplicator::new();
        let answer = "The controller shall notify the authority within 72 hours.";
        assert_eq!(
            set.admit(&draft(
                "What must the controller do about a breach?",
                answer
            )),
            Ok(())
        );
        let check = |set: &mut Deduplicator, q: &str, a: &str, expected| {
            assert_eq!(set.admit(&draft(q, a)), expected, "{q}")
        };
        let same = Err(Rejection::DuplicateQuestion);
        check(
            &mut set,
            "What must the controller do about a breach?",
            "Something else altogether is said here.",
            same,
        );
        check(
            &mut set,
            "What must the controllers do about a breach?",
            answer,
            same,
        );
        check(
            &mut set,
            "Who appoints the auditor of the bank?",
            "The board appoints the auditor.",
            Ok(()),
        );
    }

    /// A question about a rule, set against what another rule says.
    fn pair(anchor: i64, question: &str, answer: &str, other: &str) -> QcaDraft {
        let mut draft = draft(question, answer);
        draft.anchor_sentence = SentenceId(anchor);
        draft.source = QuestionSource::Llm;
        let hard = format!("{} {other}", answer.replace("72 hours", "a week"));
        draft.choices.extend([other.to_owned(), hard]);
        draft
    }

    #[test]
    fn pairs_of_one_rule_are_told_apart_by_their_wrong_choices() {
        let question = "What must the controller do about a breach?";
        let answer = "The controller shall notify the authority within 72 hours.";
        let other = "The auditor must keep its working papers for seven years.";
        let third = "A lighthouse keeper may close the tower to visitors after a storm.";
        let same = Err(Rejection::DuplicateQuestion);
        let reworded = question.replace("must the controller", "must the controllers");
        for (draft, expected, what) in [
            (
                pair(1, question, answer, third),
                Ok(()),
                "another neighbour",
            ),
            (
                pair(1, &reworded, answer, third),
                Ok(()),
                "reworded, another neighbour",
            ),
            (pair(1, question, answer, other), same, "all the same"),
            (
                pair(1, &reworded, answer, &other.replace("its", "all")),
                same,
                "reworded, much the same neighbour",
            ),
            (
                pair(2, question, answer, third),
                same,
                "another rule asked in the same words",
            ),
            (
                QcaDraft {
                    source: QuestionSource::Offline,
                    ..pair(1, question, answer, third)
                },
                same,
                "no model asked about pairs",
            ),
        ] {
            let mut set = Deduplicator::new();
            assert_eq!(set.admit(&pair(1, question, answer, other)), Ok(()));
            assert_eq!(set.admit(&draft), expected, "{what}");
        }
        // Both are remembered: what repeats the second is rejected as well.
        let mut set = Deduplicator::new();
        for neighbour in [other, third] {
            let one = pair(1, question, answer, neighbour);
            assert_eq!(set.admit(&one), Ok(()));
            assert_eq!(set.admit(&one), same);
        }
    }

    #[test]
    fn chinese_questions_are_compared_by_pairs_of_characters() {
        let mut set = Deduplicator::new();
        let answer = "应当在三十日内向国务院银行业监督管理机构报告。";
        let first = "商业银行变更持有资本总额百分之五以上的股东应当怎么做？";
        assert_eq!(set.admit(&draft(first, answer)), Ok(()));
        // The same characters in another order have every character in common, but few pairs.
        let turned: String = answer.trim_end_matches('。').chars().rev().collect();
        let backwards: String = first.trim_end_matches('？').chars().rev().collect();
        assert_eq!(set.admit(&draft(&backwards, &turned)), Ok(()));
        assert_eq!(
            set.admit(&draft(
                "商业银行变更持有资本总额百分之五以上的股东，应当怎么做？",
                answer
            )),
            Err(Rejection::DuplicateQuestion)
        );
    }

    #[test]
    fn the_filter_finds_what_a_full_comparison_finds() {
        let base = "what must a licensed payment institution do before it outsources an important function to a provider";
        for cut in 0..base.len() / 2 {
            let mut set = Deduplicator::new();
            assert_eq!(set.admit(&draft(base, "It informs the regulator.")), Ok(()));
            let other = &base[cut..];
            let expected = jaccard(
                &shingles(&format!("{base} it informs the regulator")),
                &shingles(&format!("{other} it informs the regulator")),
            ) >= SAME;
            assert_eq!(
                set.admit(&draft(other, "It informs the regulator."))
                    .is_err(),
                expected || cut == 0,
                "{other}"
            );
        }
    }
}
