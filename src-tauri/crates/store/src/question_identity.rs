//! The fields by which a question is recognised when it is written again.

use crate::error::Result;
use crate::row::to_json;
use lexforge_domain::qca::{ChoiceOrigin, QcaDraft, QcaLevel, QuestionSource, QuestionType};
use lexforge_domain::{QcaId, SentenceId, TermId};
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The fields that identify a question. A draft that equals a stored question in all of them is the same question, and
/// keeps its id, decisions and verdict. Add a new field of a draft here only if drafts that differ in it are different
/// questions. The fingerprint of a question is the hash of this value as JSON. So do not change the names or the order
/// of the fields. After a field was added, no stored question is recognised any more.
#[derive(Serialize)]
pub(crate) struct Identity<'d> {
    level: QcaLevel,
    r#type: QuestionType,
    question: &'d str,
    choices: &'d [String],
    answer: usize,
    origins: &'d [ChoiceOrigin],
    rephrased: Option<&'d str>,
    anchor_sentence: SentenceId,
    anchor_term: Option<TermId>,
    source: QuestionSource,
}

impl<'d> Identity<'d> {
    /// The identity of a draft.
    pub fn of(draft: &'d QcaDraft) -> Self {
        Self {
            level: draft.level,
            r#type: draft.question_type,
            question: &draft.question,
            choices: &draft.choices,
            answer: draft.answer,
            origins: &draft.origins,
            rephrased: draft.rephrased.as_deref(),
            anchor_sentence: draft.anchor_sentence,
            anchor_term: draft.anchor_term,
            source: draft.source,
        }
    }

    /// SHA-256 of its content.
    pub fn fingerprint(&self) -> Result<[u8; 32]> {
        hash(self)
    }

    /// SHA-256 of the question together with an id that the question brings along.
    pub(crate) fn fingerprint_under(&self, id: QcaId) -> Result<[u8; 32]> {
        hash(&(id, self))
    }
}

fn hash(of: &impl Serialize) -> Result<[u8; 32]> {
    Ok(Sha256::digest(to_json("qca", of)?.as_bytes()).into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Workspaces keep these hashes: every version has to recognise a question.
    #[test]
    fn a_question_is_recognised_by_what_it_always_was() {
        let draft = QcaDraft {
            question: "谁 must act?".to_owned(),
            choices: vec!["a \"bank\"".to_owned(), "b".to_owned()],
            answer: 1,
            origins: vec![ChoiceOrigin::Term { term: TermId(4) }, ChoiceOrigin::Anchor],
            rephrased: Some("A bank must act.".to_owned()),
            anchor_term: Some(TermId(3)),
            ..QcaDraft::new(
                QcaLevel::Token,
                QuestionType::Term,
                SentenceId(7),
                QuestionSource::Llm,
            )
        };
        let json = "{\"level\":\"token\",\"type\":\"term\",\"question\":\"谁 must act?\",\
             \"choices\":[\"a \\\"bank\\\"\",\"b\"],\"answer\":1,\
             \"origins\":[{\"kind\":\"term\",\"term\":4},{\"kind\":\"anchor\"}],\
             \"rephrased\":\"A bank must act.\",\"anchor_sentence\":7,\"anchor_term\":3,\"source\":\"llm\"}";
        let identity = Identity::of(&draft);
        assert_eq!(to_json("qca", &identity).unwrap(), json);
        let of = |text: &str| -> [u8; 32] { Sha256::digest(text.as_bytes()).into() };
        assert_eq!(identity.fingerprint().unwrap(), of(json));
        let under = identity.fingerprint_under(QcaId(5)).unwrap();
        assert_eq!(under, of(&format!("[5,{json}]")));
    }
}
