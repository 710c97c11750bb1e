//! Notes that a reader of an answer should know.

use super::chip::Chip;
use super::words_only::WordsOnly;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tag, tf, tn, tnf};
use crate::route::Route;
use crate::said::said;
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{Answer, AnswerNote, ModelGap, Premise, RerankGap, VectorStep};

/// A note in words.
pub fn words(note: &AnswerNote) -> String {
    match note {
        AnswerNote::OtherLanguage {
            question,
            documents,
        } => tf(
            "answering.note_language",
            &[
                ("question", &tag("language", question.tag())),
                ("documents", &tag("language", documents.tag())),
            ],
        ),
        AnswerNote::WordsOnly => t("answering.note_words_only"),
        AnswerNote::WithoutVectors { sentences, .. } => {
            tn("answering.note_without_vectors", *sentences)
        }
        AnswerNote::NotReranked { run, gap } => {
            let run = run.to_string();
            let n = [("n", run.as_str())];
            match gap {
                RerankGap::NotMeasured => tf("answering.note_rerank_not_measured", &n),
                RerankGap::OtherSearch => tf("answering.note_rerank_other_search", &n),
                RerankGap::NotBetter => tf("answering.note_rerank_not_better", &n),
                RerankGap::Gone => tf("answering.note_rerank_gone", &n),
            }
        }
        AnswerNote::QuestionCut { words } => tf(
            "answering.note_cut",
            &[("n", &format::count(*words as u64))],
        ),
        AnswerNote::ReadWith { question } => {
            tf("answering.note_read_with", &[("question", question)])
        }
        AnswerNote::OtherScript { read } => tf("answering.note_other_script", &[("read", read)]),
        AnswerNote::ReadAs { typed, read } => tf(
            "answering.note_read_as",
            &[("typed", typed), ("read", read)],
        ),
        AnswerNote::StandNowhere { words } => {
            tf("answering.note_nowhere", &[("words", &format::list(words))])
        }
        AnswerNote::OlderVersionsLeftOut { documents } => {
            tn("answering.note_older", *documents as u64)
        }
        AnswerNote::NotYetInForce { documents } => tn("answering.note_later", *documents as u64),
        AnswerNote::OutOfForceLeftOut { documents } => {
            tn("answering.note_out_of_force", *documents as u64)
        }
        AnswerNote::OnlyOutOfForce { documents } => {
            tn("answering.note_only_out_of_force", *documents as u64)
        }
        AnswerNote::PartOutOfForce { part, documents } => tnf(
            "answering.note_part_out_of_force",
            *documents as u64,
            &[("part", part)],
        ),
        AnswerNote::ClausesInstead { gap } => instead(gap),
        AnswerNote::StatementsUnreadable { statements } => {
            tn("answering.note_statements", u64::from(*statements))
        }
        AnswerNote::NotActivated { run } => {
            tf("answering.note_not_active", &[("n", &run.to_string())])
        }
        AnswerNote::AgainstTheGate {
            run, by, reason, ..
        } => tf(
            "answering.note_against_gate",
            &[("n", &run.to_string()), ("by", by), ("reason", reason)],
        ),
    }
}

/// Why the clauses themselves stand where a model was to write.
fn instead(gap: &ModelGap) -> String {
    match gap {
        ModelGap::Unreadable { .. } => t("answering.note_unreadable"),
        ModelGap::Silent => t("answering.note_silent"),
        ModelGap::NothingHolds => t("answering.note_nothing_holds"),
        ModelGap::Failed { failure } => {
            tf("answering.note_failed", &[("why", &said(&failure.message))])
        }
    }
}

/// Whether a note says that no document in force answers the question or a part of it. Such a note is also shown before
/// the answer, as a warning.
fn is_warning(note: &AnswerNote) -> bool {
    matches!(
        note,
        AnswerNote::OnlyOutOfForce { .. } | AnswerNote::PartOutOfForce { .. }
    )
}

/// Whether a note says what the question was taken for: a reader has to know that before the answer.
fn is_reading(note: &AnswerNote) -> bool {
    matches!(
        note,
        AnswerNote::ReadWith { .. } | AnswerNote::OtherScript { .. } | AnswerNote::ReadAs { .. }
    )
}

/// The step that makes the vectors which the search lacked, if it lacked some.
fn made_by(notes: &[AnswerNote]) -> Option<VectorStep> {
    notes.iter().find_map(|note| match note {
        AnswerNote::WordsOnly => Some(VectorStep::Vectors),
        AnswerNote::WithoutVectors { made_by, .. } => Some(*made_by),
        _ => None,
    })
}

/// How the question was understood, if it was not taken literally.
#[component]
pub fn Taken(answer: Answer) -> impl IntoView {
    let notes: Vec<_> = answer
        .notes
        .iter()
        .filter(|note| is_reading(note))
        .map(|note| view! { <p>{words(note)}</p> })
        .collect();
    (!notes.is_empty()).then(|| view! { <div class="ask-taken" id="answer-taken">{notes}</div> })
}

/// Says before the answer that no document in force gives it.
#[component]
pub fn NotInForce(answer: Answer) -> impl IntoView {
    let warnings: Vec<_> = answer
        .notes
        .iter()
        .filter(|note| is_warning(note))
        .map(words)
        .map(|warning| view! { <Note tone=Tone::Warn>{warning}</Note> })
        .collect();
    (!warnings.is_empty()).then(|| view! { <div id="not-in-force">{warnings}</div> })
}

/// The other notes of an answer, and which of its citations are of an older version.
#[component]
pub fn Notes(answer: Answer) -> impl IntoView {
    let app = use_app();
    let notes = answer
        .notes
        .iter()
        .filter(|note| !is_reading(note) && !is_warning(note))
        .map(|note| view! { <p>{words(note)}</p> })
        .collect_view();
    let vectors = made_by(&answer.notes).map(|step| match step {
        VectorStep::Vectors => view! { <WordsOnly question=answer.question.clone()/> }.into_any(),
        VectorStep::Graph => view! {
            <p>
                {t("answering.vectors_by_graph")}" "
                <button class="link" id="to-graph" on:click=move |_| app.go(Route::Graph)>{t("answering.to_graph")}</button>
            </p>
        }
        .into_any(),
    });
    let older = answer
        .citations
        .iter()
        .enumerate()
        .filter_map(|(at, citation)| Some((at + 1, citation.title.clone(), citation.superseded_by?)))
        .map(|(number, title, newer)| {
            let text = tf(
                "answering.note_superseded",
                &[("n", &number.to_string()), ("title", &title)],
            );
            view! {
                <p class="c-warn" data-superseded=number.to_string()>
                    {text}" "
                    <button class="link" on:click=move |_| app.open_sentence(newer, 1, None)>{t("answering.open_newer")}</button>
                </p>
            }
        })
        .collect_view();
    let is_other = |note: &AnswerNote| !is_reading(note) && !is_warning(note);
    let any = answer.notes.iter().any(is_other)
        || answer.citations.iter().any(|c| c.superseded_by.is_some());
    any.then(|| view! { <div class="ask-notes" id="answer-notes">{older}{notes}{vectors}</div> })
}

/// The question takes something for granted which a cited clause contradicts.
#[component]
pub fn Contradicted(
    /// What.
    premise: Premise,
    answer: Answer,
) -> impl IntoView {
    let at = premise.citation;
    let chip = answer
        .citations
        .get(at)
        .cloned()
        .map(|citation| view! { " "<Chip at citation/> });
    view! {
        <div id="premise">
            <Note tone=Tone::Warn>
                {tf("answering.premise", &[("assumed", &premise.assumed)])}
                {chip}
            </Note>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_vectors(made_by: VectorStep) -> AnswerNote {
        AnswerNote::WithoutVectors {
            sentences: 4,
            made_by,
        }
    }

    #[test]
    fn what_makes_missing_vectors_is_offered() {
        let cut = AnswerNote::QuestionCut { words: 9 };
        for (notes, step) in [
            (vec![], None),
            (vec![cut.clone()], None),
            (vec![cut, AnswerNote::WordsOnly], Some(VectorStep::Vectors)),
            (
                vec![without_vectors(VectorStep::Vectors)],
                Some(VectorStep::Vectors),
            ),
            (
                vec![without_vectors(VectorStep::Graph)],
                Some(VectorStep::Graph),
            ),
        ] {
            assert_eq!(made_by(&notes), step, "{notes:?}");
        }
        crate::i18n::speak(crate::i18n::Lang::En);
        let told = words(&without_vectors(VectorStep::Graph));
        assert!(told.starts_with("4 sentences "), "{told}");
    }

    #[test]
    fn that_no_document_in_force_answers_stands_before_the_answer() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let only = AnswerNote::OnlyOutOfForce { documents: 2 };
        let left_out = AnswerNote::OutOfForceLeftOut { documents: 1 };
        assert!(is_warning(&only) && !is_warning(&left_out));
        assert!(!is_reading(&only) && !is_reading(&left_out));
        assert!(words(&only).contains("2 documents"), "{}", words(&only));
        assert!(words(&left_out).starts_with("1 document "));
        let of_part = AnswerNote::PartOutOfForce {
            part: "who signs".to_owned(),
            documents: 1,
        };
        assert!(is_warning(&of_part) && !is_reading(&of_part));
        assert!(
            words(&of_part)
                .contains("this part: “who signs”. What is said to it is from 1 document ")
        );
    }

    #[test]
    fn what_a_question_was_taken_for_is_told_apart() {
        let typed = |text: &str| text.to_owned();
        for (note, before) in [
            (
                AnswerNote::ReadAs {
                    typed: typed("breech"),
                    read: typed("breach"),
                },
                true,
            ),
            (
                AnswerNote::ReadWith {
                    question: typed("Who reports?"),
                },
                true,
            ),
            (
                AnswerNote::OtherScript {
                    read: typed("报告"),
                },
                true,
            ),
            (AnswerNote::WordsOnly, false),
            (without_vectors(VectorStep::Vectors), false),
            (
                AnswerNote::StandNowhere {
                    words: vec![typed("capital")],
                },
                false,
            ),
        ] {
            assert_eq!(is_reading(&note), before, "{note:?}");
        }
    }
}
