//! Questions to begin with.

use super::Answering;
use crate::workspace::Result;
use lexforge_domain::api::TermFilter;
use lexforge_domain::text::Language;

/// How many are offered.
const OFFERED: usize = 3;

impl Answering<'_> {
    /// Questions that the documents can answer, to show as examples. They ask for the meaning of defined terms that
    /// many sentences use. If no terms were found in the documents yet, they ask for what the first definitions
    /// define. Where nothing is defined, there are no examples, because a heading is not a question.
    pub fn example_questions(&self) -> Result<Vec<String>> {
        let mut terms = self
            .workspace
            .store
            .read(|r| r.terms(&TermFilter::default()))?
            .rows;
        terms.retain(|t| t.definition.is_some() && t.merged_into.is_none());
        terms.sort_by(|a, b| b.mentions.cmp(&a.mentions).then(a.id.cmp(&b.id)));
        let mut questions: Vec<String> = terms
            .iter()
            .take(OFFERED)
            .map(|term| meaning_of(&term.text, term.language))
            .collect();
        if questions.is_empty() {
            for (term, language) in &self.clauses()?.defined {
                let question = meaning_of(term, *language);
                if !questions.contains(&question) {
                    questions.push(question);
                }
            }
        }
        questions.truncate(OFFERED);
        Ok(questions)
    }

    /// A question in the language in which the documents are asked; only its language matters.
    pub(super) fn usual_question(&self) -> Result<String> {
        if let Some(first) = self.example_questions()?.into_iter().next() {
            return Ok(first);
        }
        let clauses = self.clauses()?;
        Ok(match clauses.documents.first().map(|d| d.language) {
            Some(Language::Zh) => meaning_of("本规定", Language::Zh),
            _ => String::new(),
        })
    }
}

/// The question that asks for the meaning of a term.
fn meaning_of(term: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("什么是{term}？"),
        _ => format!("What does “{term}” mean?"),
    }
}
