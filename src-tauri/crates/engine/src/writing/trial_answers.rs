//! Tries the prompts by which a judge marks answers. Here the choices of a question about the sentence take the place
//! of answers.

use lexforge_augment::endpoint::PromptKey;
use lexforge_augment::endpoint::object::Unparseable;
use lexforge_augment::rubric::{Asked, MARKS, RubricPrompter, read_better, read_marks};
use lexforge_augment::{Anchor, AnswerText, Planned, PromptWriter};
use lexforge_domain::api::{PromptKind, TrialParsed};
use lexforge_domain::qca::QcaDraft;

/// The prompt about the right choice, or about it and a wrong one; `None` where the question has too few.
pub(super) fn planned(
    kind: PromptKind,
    writer: &PromptWriter,
    anchor: &Anchor<'_>,
    draft: &QcaDraft,
) -> Option<Planned> {
    let prompter = RubricPrompter {
        identity: writer.identity.clone(),
        model: writer.model.clone(),
        max_tokens: writer.max_tokens,
        reasks: 0,
        wordings: writer.wordings.clone(),
    };
    let asked = Asked {
        sentences: &[anchor.id],
        rule: anchor.text,
        language: anchor.language,
        question: &draft.question,
    };
    let right = draft.choices.get(draft.answer)?;
    let nothing = |_: &PromptKey| -> Option<AnswerText> { None };
    match kind {
        PromptKind::AnswerPair => {
            let mut others = draft.choices.iter().enumerate();
            let (_, other) = others.find(|(i, _)| *i != draft.answer)?;
            prompter
                .better(asked, [right, other], &nothing, &mut |_| ())
                .open()
        }
        _ => prompter.marks(asked, right, &nothing, &mut |_| ()).open(),
    }
}

/// The content of a reply, line by line.
pub(super) fn read(kind: PromptKind, answer: &AnswerText) -> Result<TrialParsed, Unparseable> {
    let statements = match kind {
        PromptKind::AnswerPair => vec![read_better(answer)?.tag().to_owned()],
        _ => {
            let marks = read_marks(answer)?;
            let named = MARKS.iter().zip(marks.all());
            let mut lines: Vec<String> = named
                .map(|(name, mark)| format!("{name}: {mark}"))
                .collect();
            lines.push(marks.reason);
            lines
        }
    };
    Ok(TrialParsed::Statements { statements })
}
