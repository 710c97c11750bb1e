//! The kinds of prompts that the test bench tries.

use super::super::{Writing, trial_answers};
use super::{Reader, no_prompt, unread};
use crate::terms::{Terms, sources};
use crate::workspace::{DEFAULT_SEED, Result};
use lexforge_augment::extract::{LlmExtractor, TermPrompter};
use lexforge_augment::{
    Anchor, AnswerPrompter, GivenClause, JudgePrompter, OfflineWriter, Planned, PromptWriter,
    QuestionWriter, SkipReason, read_answer, read_judgement, schemas, validate,
};
use lexforge_domain::SentenceId;
use lexforge_domain::api::{PromptKind, QuestionFilter, TrialParsed, TurnedDown};
use lexforge_domain::document::Sentence;
use lexforge_domain::extract::TermExtractor;
use lexforge_domain::qca::{QcaDraft, QcaLevel};
use lexforge_domain::text::Language;
use lexforge_ingest::terms;
use std::collections::HashMap;

impl Writing<'_> {
    pub(super) fn try_terms<T>(
        &self,
        sentence: &Sentence,
        language: Language,
        prompter: TermPrompter,
        f: &mut dyn FnMut(&Planned, Reader<'_>) -> Result<T>,
    ) -> Result<T> {
        let schema = schemas::joined(
            &Terms::of(self.workspace).term_schemas()?,
            &["general".to_owned()],
            language,
        );
        let one = std::slice::from_ref(sentence);
        let sources = sources(one);
        let planned = prompter
            .open(&sources, &schema, &|_| None, &mut 0)
            .into_iter()
            .next();
        let planned = planned
            .ok_or_else(|| no_prompt("it is a heading, a table cell, or too short or long"))?;
        f(&planned, &|answer| {
            if let Err(why) = prompter.proposed(answer, 1) {
                return (
                    None,
                    Some(TurnedDown {
                        reason: why.tag().to_owned(),
                        message: why.to_string(),
                    }),
                );
            }
            let answers = |_: &_| Some(answer.clone());
            let schemas = HashMap::from([(language, schema.clone())]);
            let mut extractor = LlmExtractor::new(prompter.clone(), schemas, &answers, terms::key);
            let found = extractor.extract(&sources, &[], language);
            let rejected = found
                .rejected
                .into_iter()
                .map(|r| (r.text, r.reason))
                .collect();
            let terms = found.terms.into_iter().map(|t| (t.class, t.text)).collect();
            (Some(TrialParsed::Terms { terms, rejected }), None)
        })
    }

    pub(super) fn try_question<T>(
        &self,
        kind: PromptKind,
        sentence: SentenceId,
        writer: &PromptWriter,
        f: &mut dyn FnMut(&Planned, Reader<'_>) -> Result<T>,
    ) -> Result<T> {
        self.with_anchors(&writer.extent, |anchors| {
            let anchor = anchors
                .place_of(sentence)
                .and_then(|place| anchors.at(place));
            let (anchor, _) =
                anchor.ok_or_else(|| no_prompt("it states no rule that can be asked about"))?;
            match kind {
                PromptKind::Judge => {
                    let draft = self.question_about(sentence, &anchor)?;
                    judged(writer, &anchor, &draft, f)
                }
                PromptKind::AnswerMarks | PromptKind::AnswerPair => {
                    let draft = self.question_about(sentence, &anchor)?;
                    let planned = trial_answers::planned(kind, writer, &anchor, &draft);
                    let planned =
                        planned.ok_or_else(|| no_prompt("its question has one choice"))?;
                    f(
                        &planned,
                        &|answer| match trial_answers::read(kind, answer) {
                            Ok(parsed) => (Some(parsed), None),
                            Err(why) => unread(why),
                        },
                    )
                }
                PromptKind::Answer => {
                    let draft = self.question_about(sentence, &anchor)?;
                    answered(writer, sentence, &anchor, &draft, f)
                }
                _ => asked(kind, writer, &anchor, f),
            }
        })
    }

    /// A question about a sentence: the workspace's, else one of the offline generator.
    pub(super) fn question_about(
        &self,
        sentence: SentenceId,
        anchor: &Anchor<'_>,
    ) -> Result<QcaDraft> {
        let rows = self
            .workspace
            .store
            .read(|r| r.questions(&QuestionFilter::default()))?
            .rows;
        let own = rows
            .into_iter()
            .map(|row| row.question.draft)
            .find(|draft| draft.anchor_sentence == sentence);
        if let Some(draft) = own {
            return Ok(draft);
        }
        let mut offline = OfflineWriter::new(DEFAULT_SEED);
        let drafts = offline
            .sentence_questions(anchor)
            .or_else(|_| offline.token_questions(anchor));
        let draft = drafts.ok().and_then(|drafts| drafts.into_iter().next());
        draft.ok_or_else(|| no_prompt(&SkipReason::NothingPassed.to_string()))
    }
}

/// A question that a model writes about a rule.
fn asked<T>(
    kind: PromptKind,
    writer: &PromptWriter,
    anchor: &Anchor<'_>,
    f: &mut dyn FnMut(&Planned, Reader<'_>) -> Result<T>,
) -> Result<T> {
    let first = match kind {
        PromptKind::MeaningQca => writer
            .first_meaning(anchor)
            .ok_or_else(|| no_prompt("no other act defines its term differently"))?,
        PromptKind::TokenQca => writer.first(anchor, QcaLevel::Token),
        _ => writer.first(anchor, QcaLevel::Sentence),
    };
    let (planned, reading) = first.map_err(|why| no_prompt(&why.to_string()))?;
    let turned_down = |reason: &str, message: String| TurnedDown {
        reason: reason.to_owned(),
        message,
    };
    f(&planned, &|answer| match reading(answer) {
        Ok(draft) => {
            let down = validate(&draft, anchor).err();
            let down = down.map(|why| turned_down(why.tag(), why.to_string()));
            (Some(TrialParsed::Question { draft }), down)
        }
        Err(why) => (None, Some(turned_down(why.tag(), why.to_string()))),
    })
}

/// What a judge says of a question.
fn judged<T>(
    writer: &PromptWriter,
    anchor: &Anchor<'_>,
    draft: &QcaDraft,
    f: &mut dyn FnMut(&Planned, Reader<'_>) -> Result<T>,
) -> Result<T> {
    let judge = JudgePrompter {
        identity: writer.identity.clone(),
        model: writer.model.clone(),
        max_tokens: writer.max_tokens,
        reasks: 0,
        wordings: writer.wordings.clone(),
    };
    f(
        &judge.first(anchor, draft),
        &|answer| match read_judgement(answer) {
            Ok(j) => (
                Some(TrialParsed::Judgement {
                    score: j.score,
                    reason: j.reason,
                }),
                None,
            ),
            Err(why) => unread(why),
        },
    )
}

/// The answer to a question, of the one clause that it is about.
fn answered<T>(
    writer: &PromptWriter,
    sentence: SentenceId,
    anchor: &Anchor<'_>,
    draft: &QcaDraft,
    f: &mut dyn FnMut(&Planned, Reader<'_>) -> Result<T>,
) -> Result<T> {
    let prompter = AnswerPrompter {
        identity: writer.identity.clone(),
        model: writer.model.clone(),
        max_tokens: writer.max_tokens,
        wordings: writer.wordings.clone(),
    };
    let clause = GivenClause {
        place: anchor.heading.to_owned(),
        text: anchor.text.to_owned(),
        sentences: vec![sentence],
    };
    let planned = prompter.planned(&draft.question, &[clause], anchor.language);
    f(&planned, &|answer| match read_answer(answer) {
        Ok(read) => {
            let said = read.statements.into_iter().map(|s| s.text);
            let statements = said.collect();
            (Some(TrialParsed::Statements { statements }), None)
        }
        Err(why) => unread(why),
    })
}
