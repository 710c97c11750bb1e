//! Noting something on a question, for whoever reads it next.

use super::Review;
use crate::workspace::Result;
use lexforge_domain::api::QuestionRow;
use lexforge_domain::{Code, Failure, QcaId};

/// Longest note, in scalar values.
const LONGEST: usize = 2_000;

impl Review<'_> {
    /// Sets the note on a question in the name of the present person. It replaces the present note, and an empty text
    /// removes the note. Returns the question with its note.
    ///
    /// # Errors
    /// When there is no such question, the text is too long or holds control characters, or the workspace cannot be
    /// written.
    pub fn note_question(&self, id: QcaId, text: &str) -> Result<QuestionRow> {
        let text = text.trim();
        if text.chars().count() > LONGEST || text.chars().any(|c| c.is_control() && c != '\n') {
            return Err(Failure::new(
                Code::InvalidRequest,
                format!("A note has at most {LONGEST} characters and no control characters."),
                "Shorten it.",
            ));
        }
        let me = self.me()?;
        let note = Some(text).filter(|text| !text.is_empty());
        Ok(self.workspace.store.write(&me.name, |w| {
            w.note_question(id, note)?;
            w.question(id)
        })?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::LONGEST;
    use crate::review::fixture::Fixture;
    use lexforge_domain::{Code, QcaId};

    #[test]
    fn a_note_stands_on_its_question_until_it_is_taken_away() {
        let fixture = Fixture::of(2);
        let review = fixture.engine.review();
        let (noted, other) = (fixture.questions[0], fixture.questions[1]);
        let note = |id| {
            let row = fixture.engine.workspace().store.read(|r| r.question(id));
            row.unwrap().note
        };
        review
            .note_question(noted, "  See Article 12.\nAsk Ann. ")
            .unwrap();
        assert_eq!(note(noted).as_deref(), Some("See Article 12.\nAsk Ann."));
        assert_eq!(note(other), None);
        let rows = fixture.engine.workspace().audit_rows(1, None).unwrap();
        assert_eq!(
            (rows[0].action.as_str(), rows[0].reason.clone()),
            ("question.note", format!("question {noted}"))
        );
        for text in ["x".repeat(LONGEST + 1), "a\u{1b}[2J".to_owned()] {
            let refused = review.note_question(noted, &text).unwrap_err();
            assert_eq!(refused.code, Code::InvalidRequest);
        }
        assert!(review.note_question(noted, &"条".repeat(LONGEST)).is_ok());
        assert!(review.note_question(QcaId(999), "nothing").is_err());
        review.note_question(noted, " ").unwrap();
        assert_eq!(note(noted), None);
    }
}
