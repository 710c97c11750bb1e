//! How much of a question is in none of the clauses, and how much may be missing.

use super::super::share::share;
use lexforge_store::{ClauseHit, ClauseRanking};
use lexforge_text::{asked, is_unspaced};

/// If more than this share of a question's words occur in no clause, the question is about something else. For example,
/// for "the salary of the chair" there are documents that speak of chairs but not of salaries. None of ObliQA's 2,788
/// development questions, which all have an answer, exceeds this share.
const MOST_ABSENT: f64 = 0.33;
/// If there are fewer clauses than this, words of a question are often missing in all of them, even if the clauses are
/// about the question. For example, twenty clauses contain only few of the words in which people ask about them.
const MANY_CLAUSES: f64 = 2_000.0;
/// The tolerated share of absent words grows by this much each time the number of clauses falls to 1/e (37 %).
///
/// Measured on ObliQA's development questions, with only the twenty passages around the right one: for 74 % of the
/// questions, more than a third of the words are in none of these passages. With this figure, 65 % absent words are
/// tolerated for twenty passages, and 17 % of the questions exceed that. With twenty passages of another rulebook, 86
/// % of the questions exceed it.
const MORE_ABSENT: f64 = 0.07;
/// One of the best clauses must contain at least this share of the words of a short question, where rare words weigh
/// more. Measured on 157 answers to everyday questions of up to sixteen words (ConditionalQA, search by words alone);
/// for some of the questions, the page that answers them had been left out. Of the 48 answers below this bound, 11 were
/// right, and 26 were to questions whose page had been left out. Of the other 109 answers, 42 were right, and 34 were
/// to such questions.
const LEAST_COVERED: f64 = 0.5;

/// The different words of a question, in their order.
pub(super) struct Asked {
    pub words: Vec<String>,
    /// Which words say only how the question is meant, or are pairs of characters; many such pairs belong to no word.
    pub helping: Vec<bool>,
}

impl Asked {
    pub fn of(subject: &str) -> Self {
        let mut asked = Self {
            words: Vec::new(),
            helping: Vec::new(),
        };
        let parts = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’');
        for written in subject.split(parts) {
            let helps = asked::helps_to_ask(written) || written.chars().any(is_unspaced);
            for word in lexforge_store::words(written) {
                if !asked.words.contains(&word) {
                    asked.words.push(word);
                    asked.helping.push(helps);
                }
            }
        }
        asked
    }
}

/// The share of a question's words that occur in none of the found clauses; rare words weigh more. Words that only help
/// to ask ("what", "which") do not count.
pub(super) fn absent(asked: &Asked, words: &ClauseRanking) -> f64 {
    // Where words were left out as too common it is not known which is which.
    if asked.words.len() != words.words.len() {
        return 0.0;
    }
    let nowhere: Vec<bool> = (asked.helping.iter().enumerate())
        .map(|(word, helps)| {
            let has = |hit: &ClauseHit| hit.words.get(word).is_some_and(|has| *has);
            !helps && !words.hits.iter().any(has)
        })
        .collect();
    share(&words.words, &nowhere)
}

/// The largest share of a question's words that may be missing in all clauses, for this number of clauses.
pub(super) fn most_absent(clauses: usize) -> f64 {
    let fewer = MANY_CLAUSES / clauses.max(1) as f64;
    MOST_ABSENT + MORE_ABSENT * fewer.ln().max(0.0)
}

/// The share of a short question's words that a clause must contain, for this number of clauses. It falls by as much as
/// [`most_absent`] rises.
pub(super) fn least_covered(clauses: usize) -> f64 {
    LEAST_COVERED - (most_absent(clauses) - MOST_ABSENT)
}
