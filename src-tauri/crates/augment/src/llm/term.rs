//! Questions whose choices are terms. The model writes the question and the rephrased sentence; the wrong terms come
//! from the graph (docs/methods.md, "Questions").

use super::plan::{AnswerText, Plan};
use crate::anchor::{Anchor, AnchorTerm};
use crate::clause::Grammar;
use crate::distractors::{self, WRONG, abbreviated, choose, outermost, wrong_terms};
use crate::endpoint::object::{self, Unparseable};
use crate::endpoint::{Prompt, Shape};
use crate::fence::fenced;
use crate::grammar::grammar;
use crate::reasons::SkipReason;
use crate::seed;
use crate::wording::{Why, Wording};
use lexforge_domain::api::PromptKind;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType};
use lexforge_domain::{SentenceId, TermId};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

/// Most terms of one anchor that are asked for, unless all are.
const MOST: usize = 2;
/// Wrong terms of a question that shows all similar ones.
const ALL_WRONG: usize = 7;

/// The plan of a question about a term of an anchor.
pub(super) struct TermPlan {
    anchor: SentenceId,
    term: TermId,
    text: String,
    /// The term as it is in the text.
    surface: String,
    wrong: Vec<(String, TermId)>,
    rng: ChaCha8Rng,
}

/// The plans for at most two terms of an anchor, or why there are none.
pub(super) fn plans(anchor: &Anchor<'_>, seed: u64) -> Result<Vec<TermPlan>, SkipReason> {
    let (mut plans, mut reason) = (Vec::new(), SkipReason::FewSimilarTerms);
    for tried in each(anchor, seed, false)? {
        match tried {
            Ok(plan) => plans.push(plan),
            Err(other) => reason = reason.max(other),
        }
    }
    if plans.is_empty() {
        Err(reason)
    } else {
        Ok(plans)
    }
}

/// For each term of an anchor, the plan of a question, or the reason why there is none. Without `all`, the function
/// stops after two plans. With `all`, it tries every term, and a question may have up to seven wrong terms. If at least
/// three of these are similar to the term itself, the others are not used.
pub(super) fn each(
    anchor: &Anchor<'_>,
    seed: u64,
    all: bool,
) -> Result<Vec<Result<TermPlan, SkipReason>>, SkipReason> {
    let grammar = grammar(anchor.language).ok_or(SkipReason::LanguageUnsupported)?;
    if !anchor.is_rule() {
        return Err(SkipReason::NotARule);
    }
    if anchor.terms.is_empty() {
        return Err(SkipReason::NoTerm);
    }
    let mut rng = seed::stream(seed, anchor.id.0, 4);
    let text = grammar.cleaned(anchor.text, anchor.lead_in, &mut rng)?;
    if crate::words::length(&text) > grammar.longest() {
        return Err(SkipReason::TooLong);
    }
    let mut terms = outermost(anchor);
    terms.shuffle(&mut rng);
    let (mut plans, mut made) = (Vec::new(), 0);
    for term in terms {
        let plan = if all {
            let mut rng = seed::of_pair(seed, anchor.id.0, term.id.0, 6);
            one(grammar, anchor, &text, term, true, &mut rng)
        } else {
            one(grammar, anchor, &text, term, false, &mut rng)
        };
        made += usize::from(plan.is_ok());
        plans.push(plan);
        if !all && made == MOST {
            break;
        }
    }
    Ok(plans)
}

fn one(
    grammar: &dyn Grammar,
    anchor: &Anchor<'_>,
    text: &str,
    term: &AnchorTerm<'_>,
    all: bool,
    rng: &mut ChaCha8Rng,
) -> Result<TermPlan, SkipReason> {
    let [mention] = grammar.mentions(text, term.text)[..] else {
        return Err(SkipReason::TermGivenAway);
    };
    let surface = text.get(mention.0..mention.1).unwrap_or_default();
    if abbreviated(text, term.text) {
        return Err(SkipReason::TermGivenAway);
    }
    let mut wrong = wrong_terms(grammar, anchor, text, term, mention, false);
    if wrong.len() < 2 || !wrong.iter().any(|w| w.near) {
        return Err(SkipReason::FewSimilarTerms);
    }
    let near = wrong.iter().filter(|w| w.near).count();
    let most = if all && near >= WRONG {
        wrong.retain(|w| w.near);
        ALL_WRONG
    } else {
        WRONG
    };
    choose(anchor, (term.id, surface), &mut wrong, most, rng);
    Ok(TermPlan {
        anchor: anchor.id,
        term: term.id,
        text: text.to_owned(),
        surface: surface.to_owned(),
        wrong: wrong.into_iter().map(|w| (w.text, w.id)).collect(),
        rng: rng.clone(),
    })
}

#[derive(Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Written {
    question: String,
    rephrased: String,
}

impl Plan for TermPlan {
    fn level(&self) -> QcaLevel {
        QcaLevel::Token
    }

    fn kind(&self) -> PromptKind {
        PromptKind::TokenQca
    }

    fn sentences(&self) -> Vec<SentenceId> {
        vec![self.anchor]
    }

    /// The wrong terms are not shown: the question is to be about the sentence and not against them.
    fn prompt(&self, words: &Wording, max_tokens: u32, again: Option<(usize, Why)>) -> Prompt {
        let (anchor, term) = (fenced("A", &self.text), fenced("T", &self.surface));
        words.prompt(
            &[("anchor", anchor.as_str()), ("term", term.as_str())],
            again,
            max_tokens,
            shape(),
        )
    }

    fn read(&self, answer: &AnswerText) -> Result<QcaDraft, Unparseable> {
        let written: Written = object::read(&answer.text, &answer.finish)?;
        let (question, rephrased) = (
            written.question.trim().to_owned(),
            written.rephrased.trim().to_owned(),
        );
        if question.is_empty() || rephrased.is_empty() {
            return Err(Unparseable::WrongContent);
        }
        let mut choices = vec![(self.surface.clone(), ChoiceOrigin::Anchor)];
        choices.extend(
            self.wrong
                .iter()
                .map(|(text, id)| (text.clone(), ChoiceOrigin::Term { term: *id })),
        );
        let draft = QcaDraft {
            question,
            rephrased: Some(rephrased),
            anchor_term: Some(self.term),
            ..QcaDraft::new(
                QcaLevel::Token,
                QuestionType::Term,
                self.anchor,
                QuestionSource::Llm,
            )
        };
        let rng = &mut self.rng.clone();
        Ok(distractors::with_choices(draft, choices, rng))
    }
}

fn shape() -> Shape {
    Shape {
        name: "term_question",
        schema: serde_json::json!({
            "type": "object",
            "properties": {"question": {"type": "string"}, "rephrased": {"type": "string"}},
            "required": ["question", "rephrased"],
            "additionalProperties": false,
        }),
    }
}
