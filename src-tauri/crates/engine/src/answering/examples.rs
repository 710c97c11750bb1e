//! Questions to begin with.

use super::Answering;
use crate::workspace::Result;
use lexforge_domain::api::TermFilter;
use lexforge_domain::text::Language;

/// How many are offered.
const OFFERED: usize = 3;

impl Answering<'_> {
    /// Questions that the documents answer: what defined terms mean that many sentences use, else what stands in the first
    /// sections.
    ///
    /// # Errors
    /// When the workspace cannot be read.
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
            .map(|term| match term.language {
                Language::Zh => format!("什么是{}？", term.text),
                _ => format!("What does “{}” mean?", term.text),
            })
            .collect();
        if questions.len() < OFFERED {
            let clauses = self.clauses()?;
            for document in &clauses.documents {
                let sections = self.workspace.store.read(|r| r.sections(document.id))?;
                let titled = sections
                    .iter()
                    .filter(|s| !s.label.is_empty() && s.title.chars().count() > 6);
                for section in titled.take(OFFERED - questions.len().min(OFFERED)) {
                    questions.push(match document.language {
                        Language::Zh => format!("关于{}有哪些规定？", section.title),
                        _ => format!("What is said about “{}”?", section.title),
                    });
                }
                if questions.len() >= OFFERED {
                    break;
                }
            }
        }
        questions.truncate(OFFERED);
        Ok(questions)
    }
}
