//! One edge: both sides in their sentences, the reasons for the link, the people who marked it, and the questions about
//! it.

use crate::corpus::Corpus;
use crate::graph::Graph;
use crate::review::Review;
use crate::workspace::Result;
use lexforge_domain::api::{EdgeDetail, EdgeEnd, EdgeReason, NodeRef, Passage};
use lexforge_domain::document::Sentence;
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::review::Subject;
use lexforge_domain::text::Language;
use lexforge_domain::{QcaId, SentenceId, TermId};
use lexforge_ingest::references::find;
use lexforge_store::Reader;
use std::collections::HashSet;

type Stored<T> = lexforge_store::Result<T>;

impl Graph<'_> {
    /// Two nodes and everything that links them.
    ///
    /// # Errors
    /// When one of the nodes is gone, or the workspace cannot be read.
    pub fn graph_edge(&self, one: NodeRef, other: NodeRef) -> Result<EdgeDetail> {
        match (one, other) {
            (NodeRef::Term { id: a }, NodeRef::Term { id: b }) => self.between_terms(a, b),
            (NodeRef::Term { id }, NodeRef::Sentence { id: sentence })
            | (NodeRef::Sentence { id: sentence }, NodeRef::Term { id }) => {
                self.mention(id, sentence)
            }
            (NodeRef::Sentence { id: a }, NodeRef::Sentence { id: b }) => {
                self.between_sentences(a, b)
            }
        }
    }

    fn between_terms(&self, a: TermId, b: TermId) -> Result<EdgeDetail> {
        let (one, other, reasons, questions) = self.workspace.store.read(|r| {
            let mut reasons = Vec::new();
            if let Some(cosine) = r.similarity(a, b)? {
                reasons.push(EdgeReason {
                    kind: EdgeKind::SimilarEntity,
                    strength: Some(cosine),
                });
            }
            let (first, second) = (r.term(a)?.class, r.term(b)?.class);
            if !first.is_empty() && first == second {
                reasons.push(EdgeReason {
                    kind: EdgeKind::SameType,
                    strength: None,
                });
            }
            Ok((
                term_end(r, a, None)?,
                term_end(r, b, None)?,
                reasons,
                r.questions_between_terms(a, b)?,
            ))
        })?;
        self.detail(one, other, reasons, Some(Subject::pair(a, b)), &questions)
    }

    fn mention(&self, term: TermId, sentence: SentenceId) -> Result<EdgeDetail> {
        let (one, other, questions) = self.workspace.store.read(|r| {
            let marks = places(r, sentence, |t| t == term)?;
            let end = passage(r, sentence, marks)?;
            let end = EdgeEnd {
                node: NodeRef::sentence(sentence),
                term: None,
                documents: 0,
                passage: Some(end),
            };
            Ok((
                term_end(r, term, Some(sentence))?,
                end,
                r.questions_for(sentence, term)?,
            ))
        })?;
        let reasons = vec![EdgeReason {
            kind: EdgeKind::SharedEntity,
            strength: None,
        }];
        self.detail(one, other, reasons, Some(Subject::term(term)), &questions)
    }

    fn between_sentences(&self, a: SentenceId, b: SentenceId) -> Result<EdgeDetail> {
        let (mut reasons, mut passages, questions) = self.workspace.store.read(|r| {
            let mut reasons = Vec::new();
            let near = r.candidates_of(a)?.into_iter().find(|c| c.candidate == b);
            let near = near.or(r.candidates_of(b)?.into_iter().find(|c| c.candidate == a));
            reasons.extend(near.map(|c| EdgeReason {
                kind: EdgeKind::SimilarEntity,
                strength: Some(c.cosine),
            }));
            let terms = |s| -> Stored<HashSet<TermId>> {
                Ok(r.mentions_in_sentence(s)?
                    .into_iter()
                    .map(|m| m.term)
                    .collect())
            };
            let shared: HashSet<TermId> = terms(a)?.intersection(&terms(b)?).copied().collect();
            if !shared.is_empty() {
                reasons.push(EdgeReason {
                    kind: EdgeKind::SharedEntity,
                    strength: None,
                });
            }
            let stored = EdgeKind::ORDER.into_iter();
            for kind in stored.filter(|kind| kind.about().stored) {
                let edge = r
                    .edges_of(a, kind)?
                    .into_iter()
                    .find(|e| e.a == b || e.b == b);
                let strength = |weight| kind.about().weighted.then_some(weight);
                reasons.extend(edge.map(|e| EdgeReason {
                    kind,
                    strength: strength(e.weight),
                }));
            }
            let one = passage(r, a, places(r, a, |t| shared.contains(&t))?)?;
            let other = passage(r, b, places(r, b, |t| shared.contains(&t))?)?;
            let top = |s: &Sentence| s.section.split(" › ").next().unwrap_or_default().to_owned();
            let same = one.sentence.document == other.sentence.document
                && top(&one.sentence) == top(&other.sentence);
            if same && !one.sentence.section.is_empty() {
                reasons.push(EdgeReason {
                    kind: EdgeKind::SameType,
                    strength: None,
                });
            }
            Ok((reasons, [one, other], r.questions_between_sentences(a, b)?))
        })?;
        if reasons
            .iter()
            .any(|reason| reason.kind == EdgeKind::Reference)
        {
            let [one, other] = &mut passages;
            let forth = self.words_of_reference(one, b)?;
            let back = self.words_of_reference(other, a)?;
            // The two are linked by the reference, so only the reference is marked.
            if !forth.is_empty() || !back.is_empty() {
                (one.marks, other.marks) = (forth, back);
            }
        }
        reasons.dedup_by_key(|reason| reason.kind);
        let end = |passage: Passage| EdgeEnd {
            node: NodeRef::sentence(passage.sentence.id),
            term: None,
            documents: 0,
            passage: Some(passage),
        };
        let [one, other] = passages;
        let subject = questions.first().map(|id| Subject::question(*id));
        self.detail(end(one), end(other), reasons, subject, &questions)
    }

    /// The words of a sentence that refer to another sentence's clause.
    fn words_of_reference(&self, from: &Passage, to: SentenceId) -> Result<Vec<(u32, u32)>> {
        let index = Corpus::of(self.workspace).reference_index()?;
        let found = find(&from.sentence.text, from.language).into_iter();
        let to_it =
            found.filter(|reference| index.resolve(reference, from.sentence.id).contains(&to));
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Ok(apart(
            to_it
                .map(|reference| (place(reference.start), place(reference.end)))
                .collect(),
        ))
    }

    fn detail(
        &self,
        one: EdgeEnd,
        other: EdgeEnd,
        reasons: Vec<EdgeReason>,
        subject: Option<Subject>,
        questions: &[QcaId],
    ) -> Result<EdgeDetail> {
        let (settled, marked, blind) = match subject {
            Some(subject) => Review::of(self.workspace).review_standing(subject)?,
            None => (None, Vec::new(), false),
        };
        Ok(EdgeDetail {
            one,
            other,
            reasons,
            subject,
            settled,
            marked,
            blind,
            questions: questions.len() as u64,
            question: questions.first().copied(),
        })
    }
}

/// A term with a sentence that mentions it: its definition if that is not `but`, or else the first one.
fn term_end(r: &Reader, id: TermId, but: Option<SentenceId>) -> Stored<EdgeEnd> {
    let term = r.term(id)?;
    let defining = term.definition_sentence.filter(|s| Some(*s) != but);
    let defining = match defining {
        Some(sentence) => Some((sentence, places(r, sentence, |t| t == id)?))
            .filter(|(_, marks)| !marks.is_empty()),
        None => None,
    };
    let found = match defining {
        Some(found) => Some(found),
        None => {
            let first = r
                .sentences_with(id, 2)?
                .into_iter()
                .find(|s| Some(*s) != but);
            first
                .map(|sentence| {
                    Ok::<_, lexforge_store::StoreError>((
                        sentence,
                        places(r, sentence, |t| t == id)?,
                    ))
                })
                .transpose()?
        }
    };
    let passage = found
        .map(|(sentence, marks)| passage(r, sentence, marks))
        .transpose()?;
    Ok(EdgeEnd {
        node: NodeRef::term(id),
        term: Some(term),
        documents: r.documents_with(id)?,
        passage,
    })
}

fn passage(r: &Reader, sentence: SentenceId, marks: Vec<(u32, u32)>) -> Stored<Passage> {
    let sentence = r.sentence(sentence)?;
    let document = r.document(sentence.document)?;
    let language: Language = document.language;
    Ok(Passage {
        sentence,
        document_title: document.title,
        language,
        marks,
    })
}

/// The places of some terms in a sentence.
fn places(
    r: &Reader,
    sentence: SentenceId,
    wanted: impl Fn(TermId) -> bool,
) -> Stored<Vec<(u32, u32)>> {
    let mentions = r.mentions_in_sentence(sentence)?.into_iter();
    Ok(apart(
        mentions
            .filter(|m| wanted(m.term))
            .map(|m| (m.start, m.end))
            .collect(),
    ))
}

/// Stretches in order; those that overlap or touch become one.
fn apart(mut stretches: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    stretches.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::with_capacity(stretches.len());
    for (from, to) in stretches {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_marks_are_one() {
        assert_eq!(
            apart(vec![(4, 9), (0, 3), (5, 7), (9, 11), (20, 21)]),
            [(0, 3), (4, 11), (20, 21)]
        );
        assert_eq!(apart(Vec::new()), []);
    }
}
