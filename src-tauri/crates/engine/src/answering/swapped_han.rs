//! Recognises answers that rest on words which the user did not type. Everyday words of a question are replaced by the
//! words that rules use. An answer is doubtful if the best clause contains these words and hardly anything else of the
//! question. For example, 电信诈骗 in a question about accomplices is replaced by 电信网络诈骗. Then any clause on 电信网络诈骗 would
//! look like an answer.

use super::Answering;
use super::clauses::Clauses;
use super::find::Found;
use super::share::share;
use crate::workspace::Result;
use lexforge_domain::api::AnswerNote;
use lexforge_store::ClauseRanking;
use lexforge_text::{asked, everyday_han};

/// The best clause must contain this share of the typed words that occur in any clause; rare words weigh more.
/// Measured in a prototype on 43 answers to questions in which words were replaced, judged by one reader. Of the
/// twelve wrong answers, ten have a share of .20 or less. Of the 31 right answers, six have such a share, and four of
/// these six belong to questions with fewer than [`FEWEST`] such words.
const OF_WHAT_WAS_TYPED: f64 = 0.2;
/// With fewer such words it is not known what else the question says.
const FEWEST: usize = 3;

impl Answering<'_> {
    /// If words of a question were replaced and the best clause contains hardly any of the words that were typed, the
    /// clauses count as being about something else.
    pub(super) fn doubt_what_was_swapped(
        &self,
        question: &str,
        read: &[AnswerNote],
        clauses: &Clauses,
        found: &mut Found,
    ) -> Result<()> {
        let best = found.hits.first().map(|hit| hit.0);
        let Some((best, own)) = best.zip(typed(question, read)) else {
            return Ok(());
        };
        let subject = self.subject(&own, clauses)?;
        let store = &self.workspace.store;
        let ranking =
            store.read(|r| r.rank_clauses(&subject, &clauses.map, |_| true, usize::MAX))?;
        let features = std::mem::take(&mut found.features);
        found.features = features.or_about_another(lacks_what_was_typed(&ranking, best));
        Ok(())
    }
}

/// The question without the words that replaced everyday words. `None` if no word was replaced, or if nothing else
/// remains of the question.
fn typed(question: &str, read: &[AnswerNote]) -> Option<String> {
    let mut own = question.to_owned();
    for note in read {
        if let AnswerNote::ReadAs { typed, read } = note
            && everyday_han::is_everyday(typed)
        {
            own = own.replace(read.as_str(), " ");
        }
    }
    let only_asks = asked::subject(&own) == own && asked::has_word_that_asks(&own);
    (own != question && !only_asks).then_some(own)
}

/// Whether a clause has too little of the words of a search that some clause has.
fn lacks_what_was_typed(ranking: &ClauseRanking, clause: u32) -> bool {
    let stands = |at: usize| {
        let mut hits = ranking.hits.iter();
        hits.any(|hit| hit.words.get(at) == Some(&true))
    };
    let weighed = ranking.words.iter().enumerate();
    let weights: Vec<f64> = weighed
        .map(|(at, weight)| if stands(at) { *weight } else { 0.0 })
        .collect();
    let known = weights.iter().filter(|weight| **weight > 0.0).count();
    let hit = ranking.hits.iter().find(|hit| hit.clause == clause);
    let has = hit.map_or(0.0, |hit| share(&weights, &hit.words));
    known >= FEWEST && has < OF_WHAT_WAS_TYPED
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_store::ClauseHit;

    #[test]
    fn what_was_typed_is_the_rest_of_a_question() {
        let note = |typed: &str, read: &str| AnswerNote::ReadAs {
            typed: typed.to_owned(),
            read: read.to_owned(),
        };
        for (question, notes, expected) in [
            (
                "保险公司要缴停泊费吗？",
                vec![note("险企", "保险公司")],
                Some(" 要缴停泊费吗？"),
            ),
            // A slip was put right; nothing was read otherwise; nothing else is asked.
            ("停泊费由谁缴纳？", vec![note("停博费", "停泊费")], None),
            ("保险公司要缴停泊费吗？", vec![], None),
            ("什么是保险公司", vec![note("险企", "保险公司")], None),
        ] {
            assert_eq!(typed(question, &notes).as_deref(), expected, "{question}");
        }
    }

    #[test]
    fn the_best_clause_has_some_of_what_was_typed() {
        let hit = |clause: u32, words: &[bool]| ClauseHit {
            clause,
            score: 1.0,
            words: words.to_vec(),
            pairs: Vec::new(),
        };
        // What clause 7 has of four words, and what another clause has of them.
        for (of_best, elsewhere, expected) in [
            ([false; 4], [true; 4], true),
            ([true, false, false, false], [true; 4], false),
            // Words that stand nowhere do not count, and two are too few.
            ([false; 4], [true, true, false, false], false),
            ([false; 4], [true, true, true, false], true),
        ] {
            let ranking = ClauseRanking {
                words: vec![2.0; 4],
                pairs: Vec::new(),
                hits: vec![hit(7, &of_best), hit(9, &elsewhere)],
                ideal: 1.0,
            };
            let lacks = lacks_what_was_typed(&ranking, 7);
            assert_eq!(lacks, expected, "{of_best:?} {elsewhere:?}");
            let none = ClauseRanking::default();
            assert!(!lacks_what_was_typed(&none, 7));
        }
    }
}
