//! Clauses by how near their vectors are to that of a question.

use lexforge_domain::SentenceId;
use lexforge_store::ClauseMap;

/// Clauses with their cosines, the nearest first.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Near {
    /// By the sentence that is nearest to the question.
    pub sentences: Vec<(u32, f64)>,
    /// By the mean of the cosine of the whole clause and that of its nearest part; by the nearest sentence as long as
    /// clauses have no vectors of their own.
    ///
    /// Measured on ObliQA's 2,788 development questions with the untuned MiniLM: of the passages that answer, .723 are
    /// among the first ten by the mean, .695 by the whole passage and .676 by its nearest sentence.
    pub clauses: Vec<(u32, f64)>,
}

/// What is known of a clause.
#[derive(Clone, Copy)]
struct Known {
    sentence: f32,
    whole: f32,
    part: f32,
}

impl Near {
    /// `ids` are the sentences of `cosines`. `of_clauses` has the cosines of clauses, each with the clause's first
    /// sentence, and whether it is that of the whole clause or of a part of its only sentence.
    pub(super) fn of(
        ids: &[i64],
        cosines: &[f32],
        of_clauses: &[((SentenceId, bool), f32)],
        map: &ClauseMap,
        wanted: impl Fn(u32) -> bool,
    ) -> Self {
        let nothing = f32::NEG_INFINITY;
        let unknown = Known {
            sentence: nothing,
            whole: nothing,
            part: nothing,
        };
        let mut all = vec![unknown; map.len()];
        let place = |sentence| map.clause(sentence).map(|clause| clause as usize);
        for (id, cosine) in ids.iter().zip(cosines) {
            let clause = place(SentenceId(*id));
            if let Some(known) = clause.and_then(|clause| all.get_mut(clause)) {
                known.sentence = known.sentence.max(*cosine);
            }
        }
        for ((sentence, is_whole), cosine) in of_clauses {
            let Some(known) = place(*sentence).and_then(|clause| all.get_mut(clause)) else {
                continue;
            };
            let best = match is_whole {
                true => &mut known.whole,
                false => &mut known.part,
            };
            *best = best.max(*cosine);
        }
        let sorted = |cosine: fn(&Known) -> f32| {
            let mut near: Vec<(u32, f64)> = (0..)
                .zip(&all)
                .filter(|(clause, known)| known.sentence.is_finite() && wanted(*clause))
                .map(|(clause, known)| (clause, f64::from(cosine(known))))
                .collect();
            near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            near
        };
        let sentences = sorted(|known| known.sentence);
        let clauses = match of_clauses {
            [] => sentences.clone(),
            _ => sorted(Known::mean),
        };
        Self { sentences, clauses }
    }
}

impl Known {
    /// The mean of the whole clause and its nearest part. The only sentence of a clause is the whole clause.
    fn mean(&self) -> f32 {
        let other = self.whole.max(self.part);
        match other.is_finite() {
            true => f32::midpoint(self.sentence, other),
            false => self.sentence,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clause of two sentences, one of one sentence, and a long passage.
    fn map() -> ClauseMap {
        let mut map = ClauseMap::default();
        let id = SentenceId;
        map.add("", &[(id(1), id(2)), (id(3), id(3)), (id(4), id(4))]);
        map
    }

    #[test]
    fn a_clause_is_as_near_as_its_whole_and_its_nearest_part() {
        let (ids, cosines) = ([1, 2, 3, 4], [0.25, 0.75, 0.5, 0.375]);
        let by_sentence = vec![(0, 0.75), (1, 0.5), (2, 0.375)];
        let (whole, part) = ((SentenceId(1), true), (SentenceId(4), false));
        for (of_clauses, expected) in [
            (vec![], by_sentence.clone()),
            (
                vec![(whole, 0.125), (part, 0.25), (part, 0.875)],
                vec![(2, 0.625), (1, 0.5), (0, 0.4375)],
            ),
        ] {
            let near = Near::of(&ids, &cosines, &of_clauses, &map(), |_| true);
            assert_eq!(near.clauses, expected);
            assert_eq!(near.sentences, by_sentence);
        }
        let near = Near::of(&ids, &cosines, &[(part, 0.5)], &map(), |clause| clause > 0);
        assert_eq!(near.clauses, [(1, 0.5), (2, 0.4375)]);
    }

    #[test]
    fn a_clause_without_a_vector_is_not_near() {
        let near = Near::of(
            &[3],
            &[0.5],
            &[((SentenceId(1), true), 0.9)],
            &map(),
            |_| true,
        );
        assert_eq!(near.clauses, [(1, 0.5)]);
    }
}
