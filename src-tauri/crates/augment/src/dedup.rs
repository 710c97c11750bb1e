//! Near-duplicate questions over a whole set.

use crate::reasons::Rejection;
use crate::words::normal;
use lexforge_domain::qca::{QcaDraft, QcaLevel};
use lexforge_text::likeness::{jaccard, shingles};
use std::collections::{HashMap, HashSet};

/// Share of common character shingles from which two questions are the same (METHODS §1.2).
const SAME: f32 = 0.8;

/// Remembers the questions of a set and turns down what was asked before.
///
/// Two drafts of one level (of one answer, where a term is asked for) are the same when question and answer together have a Jaccard index of at least 0.8
/// over character shingles. Only questions that share a shingle of their first are compared (prefix filter:
/// two sets of that likeness share one of their first `n − ⌈0.8 n⌉ + 1` in any one order), so a set of many
/// thousands stays fast; the comparison itself is exact.
#[derive(Clone, Debug, Default)]
pub struct Deduplicator {
    seen: Vec<Vec<u64>>,
    by_shingle: HashMap<(String, u64), Vec<usize>>,
    questions: HashSet<(bool, String)>,
}

impl Deduplicator {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the draft in mind, or turns it down.
    ///
    /// # Errors
    /// [`Rejection::DuplicateQuestion`] where much the same question was admitted before.
    pub fn admit(&mut self, draft: &QcaDraft) -> Result<(), Rejection> {
        let level = draft.level == QcaLevel::Token;
        let answer = draft.choices.get(draft.answer).map_or("", String::as_str);
        // Of the texts as they stand: `normal` puts blanks between ideographs, so that two questions in Chinese
        // would be compared by their single characters.
        let shingles = shingles(&format!("{} {answer}", draft.question));
        let question = normal(&draft.question);
        // Two gaps in one sentence ask for two terms, though the questions differ in two words only.
        let realm = if level { normal(answer) } else { String::new() };
        // The same words asked twice have two right answers, however different these are.
        if self.questions.contains(&(level, question.clone())) {
            return Err(Rejection::DuplicateQuestion);
        }
        // The order of the hashes is as good as any for the filter: it spreads the common ones.
        let prefix = shingles.len() - (4 * shingles.len()).div_ceil(5) + 1;
        let keys: Vec<(String, u64)> = shingles
            .iter()
            .take(prefix)
            .map(|s| (realm.clone(), *s))
            .collect();
        let near: HashSet<usize> = keys
            .iter()
            .filter_map(|k| self.by_shingle.get(k))
            .flatten()
            .copied()
            .collect();
        if near
            .into_iter()
            .filter_map(|i| self.seen.get(i))
            .any(|other| jaccard(&shingles, other) >= SAME)
        {
            return Err(Rejection::DuplicateQuestion);
        }
        for key in keys {
            self.by_shingle
                .entry(key)
                .or_default()
                .push(self.seen.len());
        }
        self.seen.push(shingles);
        self.questions.insert((level, question));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::qca::{ChoiceOrigin, QuestionSource, QuestionType};

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

    #[test]
    fn chinese_questions_are_compared_by_pairs_of_characters() {
        let mut set = Deduplicator::new();
        let answer = "应当在三十日内向国务院银行业监督管理机构报告。";
        let first = "商业银行变更持有资本总额百分之五以上的股东应当怎么做？";
        assert_eq!(set.admit(&draft(first, answer)), Ok(()));
        // The same characters in another order share every character and few pairs.
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
