//! What people said of answers to questions about the documents: with it a judge is compared.

use crate::workspace::Result;
use lexforge_augment::rubric::{Asked, Better};
use lexforge_domain::api::{Answer, AnswerVerdict, Preferred};
use lexforge_domain::text::Language;
use lexforge_domain::{AnswerId, SentenceId};
use lexforge_store::Workspace;
use std::collections::HashSet;

/// The answer of a person.
#[derive(Debug, PartialEq)]
pub(super) enum Said {
    /// The better one of two answers.
    Better([String; 2], Better),
    /// Whether an answer is right.
    Right(String, bool),
}

/// A person's judgement, with the clauses by which the answer is judged.
#[derive(Debug, PartialEq)]
pub(super) struct Expert {
    question: String,
    sentences: Vec<SentenceId>,
    rule: String,
    language: Language,
    pub(super) said: Said,
}

impl Expert {
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            sentences: &self.sentences,
            rule: &self.rule,
            language: self.language,
            question: &self.question,
        }
    }

    /// Whether there is something to show.
    pub(super) fn can_be_shown(&self) -> bool {
        let empty = |text: &String| text.trim().is_empty();
        !self.rule.is_empty()
            && match &self.said {
                Said::Better(both, _) => !both.iter().any(empty),
                Said::Right(text, _) => !empty(text),
            }
    }

    fn of(answers: &[&Answer], said: Said) -> Self {
        let mut seen = HashSet::new();
        let (mut sentences, mut clauses) = (Vec::new(), Vec::new());
        for place in answers.iter().flat_map(|answer| &answer.citations) {
            if seen.insert((place.sentence, place.quote.as_str())) {
                sentences.push(place.sentence);
                clauses.push(place.quote.as_str());
            }
        }
        sentences.dedup();
        let first = answers.iter().find_map(|answer| answer.citations.first());
        Self {
            question: answers
                .first()
                .map_or_else(String::new, |a| a.question.clone()),
            rule: clauses.join("\n"),
            language: first.map_or(Language::Other, |place| place.language),
            sentences,
            said,
        }
    }
}

/// All that people said, of each pair and each answer the newest.
pub(super) fn experts(store: &Workspace) -> Result<Vec<Expert>> {
    Ok(store.read(|r| {
        let mut found = Vec::new();
        let mut seen: HashSet<(AnswerId, AnswerId)> = HashSet::new();
        for one in r.preferences()? {
            let pair = (one.first.min(one.second), one.first.max(one.second));
            if !seen.insert(pair) {
                continue;
            }
            let (first, second) = (r.reply(one.first)?, r.reply(one.second)?);
            let better = match one.preferred {
                Preferred::First => Better::First,
                Preferred::Second => Better::Second,
                Preferred::Equal | Preferred::Neither => Better::Neither,
            };
            let texts = [first.answer.clone(), second.answer.clone()];
            found.push(Expert::of(&[&first, &second], Said::Better(texts, better)));
        }
        for row in r.replies()? {
            if let Some(verdict) = row.verdict {
                let answer = r.reply(row.id)?;
                let right = verdict == AnswerVerdict::Right;
                let said = Said::Right(answer.answer.clone(), right);
                found.push(Expert::of(&[&answer], said));
            }
        }
        Ok(found)
    })?)
}
