//! An answer as text for another program: question, statements, and where each stands.

use super::figures::place_of;
use super::not_found::{said as no_answer, said_of_part, why};
use super::notes::words;
use super::refers::said_place;
use super::since;
use crate::clipboard;
use crate::format;
use crate::i18n::{t, tf, tn};
use crate::state::App;
use crate::toast::Toast;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{Answer, AnswerChange, AnswerNote, Statement};
use lexforge_domain::{Code, Failure};

/// Puts an answer into the clipboard.
pub fn copy(app: App, answer: Answer) {
    let changes = untrack(|| app.ask.changes(answer.id));
    spawn_local(async move {
        if clipboard::put(&as_it_is_now(&answer, &changes)).await {
            app.toast.set(Some(Toast {
                text: t("answering.copied"),
                undo: None,
            }));
        } else {
            let problem = Failure::new(
                Code::Internal,
                t("answering.copy_failed"),
                t("answering.copy_failed_hint"),
            );
            app.failure.set(Some(problem));
        }
    });
}

/// The answer as text, below what happened since it was given.
fn as_it_is_now(answer: &Answer, changes: &[AnswerChange]) -> String {
    let since = changes.iter().map(since::words);
    since.chain([text(answer)]).collect::<Vec<_>>().join("\n\n")
}

/// The answer as text. Unsupported statements are left out, and so are the clauses that only they cite.
fn text(answer: &Answer) -> String {
    let mut parts = vec![answer.question.clone()];
    // Whoever gets the text sees what the question was taken for, and which of its words no document has.
    let read = answer.notes.iter().filter(|note| {
        matches!(
            note,
            AnswerNote::ReadAs { .. }
                | AnswerNote::OtherScript { .. }
                | AnswerNote::ReadWith { .. }
                | AnswerNote::StandNowhere { .. }
                | AnswerNote::OnlyOutOfForce { .. }
                | AnswerNote::PartOutOfForce { .. }
        )
    });
    parts.extend(read.map(words));
    let kept = || answer.statements.iter().filter(|s| s.kept);
    if answer.found {
        if answer.parts.is_empty() {
            parts.push(kept().map(line).collect::<Vec<_>>().join("\n"));
        }
        for part in &answer.shown_parts() {
            let said = part.statements.iter();
            let of_part = said.filter_map(|at| answer.statements.get(*at).filter(|s| s.kept));
            let mut lines: Vec<String> = of_part.map(line).collect();
            if lines.is_empty() {
                lines.push(said_of_part(part));
            }
            parts.push(format!("{}\n{}", part.question, lines.join("\n")));
        }
    } else {
        parts.push(format::sentences(&[no_answer(answer), why(answer)]));
    }
    let mut cited: Vec<usize> = kept().flat_map(|s| s.citations.iter().copied()).collect();
    cited.extend(answer.premise.iter().map(|premise| premise.citation));
    cited.sort_unstable();
    cited.dedup();
    let sources: Vec<String> = cited
        .into_iter()
        .filter_map(|at| {
            let citation = answer.citations.get(at)?;
            let place = place_of(citation);
            Some(format!("[{}] {place}: “{}”", at + 1, citation.quote))
        })
        .collect();
    if !sources.is_empty() {
        parts.push(sources.join("\n"));
    }
    if !answer.refers.is_empty() {
        let lines = answer.refers.iter().map(|referred| {
            let (from, text) = (referred.from + 1, &referred.text);
            format!("[{from}] {text}: {}", said_place(referred))
        });
        let lines: Vec<String> = std::iter::once(t("answering.refers"))
            .chain(lines)
            .collect();
        parts.push(lines.join("\n"));
    }
    parts.push(tf(
        "answering.copied_from",
        &[
            ("documents", &tn("count.documents", answer.documents)),
            ("day", &answer.as_of),
        ],
    ));
    parts.join("\n\n")
}

/// A statement with the numbers of what it cites.
fn line(statement: &Statement) -> String {
    let numbers: Vec<String> = statement
        .citations
        .iter()
        .map(|at| format!("[{}]", at + 1))
        .collect();
    format!("{} {}", statement.text, numbers.join(" "))
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::sample::answer;
    use super::*;
    use lexforge_domain::api::{AnswerPart, Citation, DocumentChange, OutOfForce, Referred};

    #[test]
    fn an_answer_is_copied_with_its_places() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let copied = text(&answer());
        assert!(
            copied
                .starts_with("When must a breach be notified?\n\nNotify within 72 hours. [1]\n\n"),
            "{copied}"
        );
        assert!(
            copied.contains("[1] GDPR · Article 33 › 1, page 52: “not later than 72 hours”"),
            "{copied}"
        );
        assert!(!copied.contains("in English"), "{copied}");
        assert!(!copied.contains("[2]"), "{copied}");
    }

    #[test]
    fn what_the_cited_clauses_refer_to_is_copied() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut of_articles = answer();
        let place = Citation {
            section: "Article 55".to_owned(),
            page: 67,
            ..of_articles.citations[0].clone()
        };
        let one = |text: &str, place| Referred {
            from: 0,
            text: text.to_owned(),
            instrument: None,
            place,
        };
        of_articles.refers = vec![
            one("Article 55", Some(place)),
            one("Directive 2002/58/EC", None),
        ];
        let copied = text(&of_articles);
        let told = "The cited clauses refer to\n[1] Article 55: GDPR · Article 55, page 67\n\
            [1] Directive 2002/58/EC: not in these documents";
        assert!(copied.contains(told), "{copied}");
    }

    #[test]
    fn the_parts_of_a_question_are_copied_with_what_is_said_to_each() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let part = |question: &str, statements: &[usize]| AnswerPart {
            question: question.to_owned(),
            statements: statements.to_vec(),
            unsure: false,
        };
        let mut both = answer();
        both.parts = vec![part("Within how long", &[0]), part("in which form", &[])];
        let copied = text(&both);
        for said in [
            "Within how long\nNotify within 72 hours. [1]\n",
            "in which form\nNot found in the documents.\n",
        ] {
            assert!(copied.contains(said), "{copied}");
        }
        both.parts[1].unsure = true;
        let copied = text(&both);
        let told = "in which form\nNot sure: one of the nearest clauses may answer.\n";
        assert!(copied.contains(told), "{copied}");
        // What is said to both is read once.
        both.parts[1] = part("in which form", &[0]);
        let told = "Within how long · in which form\nNotify within 72 hours. [1]\n";
        let copied = text(&both);
        assert!(copied.contains(told), "{copied}");
        assert_eq!(copied.matches("Notify within 72 hours. [1]").count(), 1);
    }

    #[test]
    fn what_the_question_was_taken_for_is_copied() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut slip = answer();
        slip.notes.push(AnswerNote::ReadAs {
            typed: "breech".to_owned(),
            read: "breach".to_owned(),
        });
        let copied = text(&slip);
        let told = "“breech” stands in no document and was read as “breach”.";
        assert!(copied.contains(told), "{copied}");
        slip.notes = vec![AnswerNote::StandNowhere {
            words: vec!["crane".to_owned()],
        }];
        let copied = text(&slip);
        let told = "These words of the question stand in no document: crane.";
        assert!(copied.contains(told), "{copied}");
    }

    #[test]
    fn that_a_document_is_not_in_force_is_copied() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut repealed = answer();
        repealed.notes = vec![AnswerNote::OnlyOutOfForce { documents: 1 }];
        let since = "2024-01-01".to_owned();
        repealed.citations[0].out_of_force = Some(OutOfForce::Repealed { since });
        let copied = text(&repealed);
        for said in [
            "No document that is in force on that day answers this.",
            "page 52 · repealed from 2024-01-01: “not later than 72 hours”",
        ] {
            assert!(copied.contains(said), "{copied}");
        }
        repealed.notes = vec![AnswerNote::PartOutOfForce {
            part: "who notifies".to_owned(),
            documents: 1,
        }];
        let copied = text(&repealed);
        let told = "No document that is in force on that day answers this part: “who notifies”.";
        assert!(copied.contains(told), "{copied}");
    }

    #[test]
    fn what_happened_since_is_copied_before_the_answer() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let answer = answer();
        let change = AnswerChange {
            document: answer.citations[0].document,
            title: "GDPR".to_owned(),
            citations: vec![0],
            change: DocumentChange::Removed,
        };
        let copied = as_it_is_now(&answer, &[change]);
        let told = "Since this answer was given: [1] “GDPR” is no longer in the workspace.\n\n";
        assert_eq!(copied, format!("{told}{}", text(&answer)));
        assert_eq!(as_it_is_now(&answer, &[]), text(&answer));
    }

    #[test]
    fn a_refusal_is_copied_with_its_figures() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let mut none = answer();
        none.found = false;
        none.statements.clear();
        none.probability = 0.31;
        let copied = text(&none);
        assert!(
            copied.contains(".31") && !copied.contains("[1]"),
            "{copied}"
        );
    }
}
