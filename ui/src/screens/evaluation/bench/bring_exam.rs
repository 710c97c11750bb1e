//! Imports an exam in steps: the file is read, the page shows what was understood, and the user confirms the import.

use super::measurable::{BENCH, Measurable};
use crate::backend::{call, commands};
use crate::components::dialog::{Foot, Titled};
use crate::components::field::Field;
use crate::components::icon::{Icon, Sign};
use crate::components::note::{Note, Tone};
use crate::components::task_progress::Cancellable;
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::said::{Told, said};
use crate::screens::evaluation::ended::Ended;
use crate::state::{App, use_app};
use leptos::prelude::*;
use lexforge_domain::api::{BenchOn, ExamLook, ExamReport, ExamRow, Outcome, Task};
use lexforge_domain::exam::ExamKind;

/// The kind of job that looks at a file.
const LOOKING: &str = "look_at_exam";
/// The kind of job that imports it.
const IMPORTING: &str = "import_exam";
/// Subjects that are listed; the rest is counted.
const SUBJECTS: usize = 100;

/// The button that begins, and how far the job is.
#[component]
pub fn BringExam() -> impl IntoView {
    let app = use_app();
    let task = Memo::new(move |_| app.busy(LOOKING).or_else(|| app.busy(IMPORTING)));
    let working = Memo::new(move |_| task.with(Option::is_some));
    let taken = move || app.busy(BENCH).is_some() || app.waits.has(&t("wait.begin"));
    move || {
        if working.get() {
            view! { <Cancellable task name="exam"/> }.into_any()
        } else {
            view! {
                <button class="btn" id="import-exam" title=t("bench_exam.import_tip") disabled=taken on:click=move |_| look(app)>
                    <Sign icon=Icon::Plus small=true/>
                    {t("bench_exam.import")}
                </button>
            }
            .into_any()
        }
    }
}

/// The form once a file was looked at. It stands outside of the part that can be folded, which would hide it.
#[component]
pub fn ExamForm(
    /// What can be measured.
    measurable: Measurable,
) -> impl IntoView {
    let app = use_app();
    let looked = Memo::new(move |_| match ended(app, LOOKING)? {
        (id, Outcome::ExamLook(look)) => Some((id, *look)),
        _ => None,
    });
    // What was imported is what is measured on next.
    Effect::new(move |_| {
        if let Some((id, Outcome::Exam(report))) = ended(app, IMPORTING) {
            put_away(app, id);
            app.evaluation.on.set(Some(on(&report.exam)));
        }
    });
    move || {
        let form = looked.get();
        form.map(|(id, look)| view! { <Form measurable id look/> })
    }
}

/// How looking and importing ended, where nothing came of it.
#[component]
pub fn ExamEnded() -> impl IntoView {
    view! {
        <Ended kind=LOOKING stopped=t("bench_exam.stopped")/>
        <Ended kind=IMPORTING stopped=t("bench_exam.stopped")/>
    }
}

/// Looks at a file that the user names.
fn look(app: App) {
    let begun = async move {
        let extensions = ["csv", "tsv", "jsonl", "json"].map(str::to_owned).to_vec();
        let picked = call(commands::PickOpen { extensions });
        let Some(file) = picked.await? else {
            return Ok(None);
        };
        call(commands::LookAtExam { file }).await.map(Some)
    };
    app.attempt_once(t("wait.begin"), begun, |_| ());
}

/// What the newest job of a kind came to, if it began in this workspace and was not dealt with.
fn ended(app: App, kind: &str) -> Option<(u64, Outcome)> {
    let elsewhere = app.elsewhere.get();
    let (id, outcome) = app.tasks.with(|tasks| newest(tasks, kind, elsewhere))?;
    let dealt_with = app.seen.with(|seen| seen.contains(&id));
    (!dealt_with).then_some((id, outcome))
}

fn newest(tasks: &[Task], kind: &str, elsewhere: u64) -> Option<(u64, Outcome)> {
    let mut here = tasks.iter().rev().filter(|task| task.id > elsewhere);
    let task = here.find(|task| task.kind == kind)?;
    let outcome = task.outcome.as_deref().filter(|_| task.done)?;
    Some((task.id, outcome.clone()))
}

fn put_away(app: App, id: u64) {
    app.seen.update(|seen| seen.push(id));
}

/// An exam as what is measured on.
fn on(exam: &ExamRow) -> BenchOn {
    let name = exam.name.clone();
    match exam.kind {
        ExamKind::Terms => BenchOn::Terms { set: Some(name) },
        _ => BenchOn::Exam { name },
    }
}

/// What was understood of a file, and whether it is imported.
#[component]
fn Form(
    measurable: Measurable,
    /// The job that looked at it.
    id: u64,
    look: ExamLook,
) -> impl IntoView {
    let app = use_app();
    let ExamLook { file, found } = look;
    let name = RwSignal::new(found.exam.name.clone());
    let hash = found.exam.hash.clone();
    let exam = found.exam.clone();
    let hint = Memo::new(move |_| {
        let exams = measurable.choices.value.get();
        let exams = exams.map(|choices| choices.exams).unwrap_or_default();
        name.with(|name| named(&exams, name, &exam))
    });
    let close = move |()| put_away(app, id);
    let import = move |_| {
        let asked = commands::ImportExam {
            file: file.clone(),
            name: name.get_untracked(),
            hash: hash.clone(),
        };
        app.attempt_once(t("wait.begin"), call(asked), move |_| put_away(app, id));
    };
    let hinted = move || match hint.get() {
        Named::Free | Named::Empty => None,
        Named::Same => {
            Some(view! { <Note tone=Tone::Info>{t("bench_exam.there")}</Note> }.into_any())
        }
        Named::Taken => {
            Some(view! { <Note tone=Tone::Warn>{t("bench_exam.taken")}</Note> }.into_any())
        }
    };
    let refuses = move || matches!(hint.get(), Named::Empty | Named::Taken);
    view! {
        <Titled title=t("bench_exam.title") close id="exam-form" wide=true>
            <p class="t-small t-mute">{t("bench_exam.text")}</p>
            <Field id="exam-name" label=t("bench_exam.name")>
                <input
                    class="input"
                    id="exam-name"
                    maxlength="200"
                    autocomplete="off"
                    value=name.get_untracked()
                    on:input:target=move |event| name.set(event.target().value())
                />
            </Field>
            <div role="status" id="exam-named">{hinted}</div>
            <Understood found/>
            <Foot cancel=close id="exam-leave">
                <button class="btn primary" id="exam-keep" disabled=refuses on:click=import>{t("bench_exam.keep")}</button>
            </Foot>
        </Titled>
    }
}

/// How the name of an exam stands to those that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Free,
    /// There is none.
    Empty,
    /// The very same exam has it.
    Same,
    /// Another exam has it.
    Taken,
}

fn named(exams: &[ExamRow], name: &str, exam: &ExamRow) -> Named {
    let name = name.trim();
    if name.is_empty() {
        return Named::Empty;
    }
    match exams.iter().find(|there| there.name == name) {
        None => Named::Free,
        Some(there) if there.hash == exam.hash && there.kind == exam.kind => Named::Same,
        Some(_) => Named::Taken,
    }
}

/// What importing would keep, and every line that it would leave out.
#[component]
fn Understood(found: ExamReport) -> impl IntoView {
    let facts = facts(&found)
        .into_iter()
        .map(|text| view! { <li class="t-small">{text}</li> })
        .collect_view();
    let subjects = subjects(&found.exam);
    let subjects = (!subjects.is_empty()).then(|| {
        let title = match found.exam.kind {
            ExamKind::Classes => t("bench_exam.classes"),
            _ => t("bench_exam.subjects"),
        };
        let rows = subjects
            .into_iter()
            .map(|text| view! { <span class="badge line">{text}</span> })
            .collect_view();
        view! {
            <h3>{title}</h3>
            <div class="row g-1 wrap" id="exam-subjects">{rows}</div>
        }
    });
    let refused = refused(&found);
    let refused = (!refused.is_empty()).then(|| {
        let n = format::count(found.left_out);
        let rows = refused
            .into_iter()
            .map(|text| view! { <li class="t-small">{text}</li> })
            .collect_view();
        view! {
            <h3>{tf("bench_exam.left_out", &[("n", &n)])}</h3>
            <ul class="list rejected" id="exam-left-out" tabindex="0">{rows}</ul>
        }
    });
    let warnings = found
        .warnings
        .into_iter()
        .map(|text| view! { <Note tone=Tone::Info><Told text/></Note> })
        .collect_view();
    view! {
        <ul class="list" id="exam-facts">{facts}</ul>
        {subjects}
        {warnings}
        {refused}
    }
}

/// What the exam is, a line for each.
fn facts(found: &ExamReport) -> Vec<String> {
    let (n, read) = (
        format::count(found.exam.questions),
        format::count(found.read),
    );
    let counted = [("n", n.as_str()), ("read", read.as_str())];
    let mut facts = vec![match found.exam.kind {
        ExamKind::Questions => tf("bench_exam.questions", &counted),
        ExamKind::Terms => tf("bench_exam.terms", &counted),
        ExamKind::Pairs => tf("bench_exam.pairs", &counted),
        ExamKind::Similarity => tf("bench_exam.similarity", &counted),
        ExamKind::Classes => tf("bench_exam.texts", &counted),
    }];
    if found.exam.kind == ExamKind::Questions {
        let n = format::count(found.exam.several);
        facts.push(tf("bench_exam.several", &[("n", &n)]));
    }
    let languages = found.languages.iter().map(|(language, n)| {
        let name = tag("language", language.tag());
        let n = format::count(*n);
        tf("bench_exam.one_of", &[("name", &name), ("n", &n)])
    });
    let languages: Vec<String> = languages.collect();
    let languages = languages.join(&t("bench_exam.between"));
    facts.push(tf("bench_exam.language", &[("languages", &languages)]));
    facts
}

/// The subjects or classes with their counts, by name.
fn subjects(exam: &ExamRow) -> Vec<String> {
    let listed = exam.subjects.iter().take(SUBJECTS);
    let mut rows: Vec<String> = listed
        .map(|(name, n)| {
            let n = format::count(*n);
            let none = t("bench_exam.no_subject");
            let name = if name.is_empty() { &none } else { name };
            tf("bench_exam.one_of", &[("name", name), ("n", &n)])
        })
        .collect();
    rows.extend(more(exam.subjects.len().saturating_sub(SUBJECTS) as u64));
    rows
}

/// The lines that are left out, each with its number and the reason; those beyond the listed ones are counted.
fn refused(found: &ExamReport) -> Vec<String> {
    let mut rows: Vec<String> = found
        .rejected
        .iter()
        .map(|row| {
            let (line, why) = (row.line.to_string(), said(&row.reason));
            tf("bench_exam.line", &[("line", &line), ("why", &why)])
        })
        .collect();
    let listed = found.rejected.len() as u64;
    rows.extend(more(found.left_out.saturating_sub(listed)));
    rows
}

/// How many are not listed.
fn more(n: u64) -> Option<String> {
    (n > 0).then(|| tf("bench_exam.more", &[("n", &format::count(n))]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};
    use lexforge_domain::api::RejectedQuestion;
    use lexforge_domain::text::Language;
    use std::collections::BTreeMap;

    fn found() -> ExamReport {
        ExamReport {
            exam: ExamRow {
                name: "harbour".to_owned(),
                kind: ExamKind::Questions,
                questions: 3,
                several: 1,
                subjects: BTreeMap::from([("bread".to_owned(), 1), ("ferries".to_owned(), 2)]),
                hash: "abc".to_owned(),
                files: vec!["harbour.csv".to_owned()],
                made: String::new(),
            },
            languages: BTreeMap::from([(Language::En, 2), (Language::Zh, 1)]),
            unchanged: false,
            read: 1_005,
            left_out: 1_002,
            rejected: vec![RejectedQuestion {
                file: "harbour.csv".to_owned(),
                line: 5,
                reason: "It has no right answer.".to_owned(),
            }],
            warnings: Vec::new(),
        }
    }

    #[test]
    fn the_form_says_what_was_understood() {
        speak(Lang::En);
        let found = found();
        assert_eq!(
            facts(&found),
            [
                "Questions: 3, of 1,005 that the file holds.",
                "With several right answers: 1.",
                "Language: English 2, Chinese 1.",
            ]
        );
        assert_eq!(subjects(&found.exam), ["bread 1", "ferries 2"]);
        // A line that is left out and not listed is counted, never dropped.
        assert_eq!(
            refused(&found),
            ["Line 5: It has no right answer.", "and 1,001 more"]
        );
    }

    #[test]
    fn many_subjects_are_counted() {
        speak(Lang::En);
        let mut exam = found().exam;
        exam.subjects = (0..=SUBJECTS).map(|n| (format!("{n:03}"), 1)).collect();
        let rows = subjects(&exam);
        assert_eq!(rows.len(), SUBJECTS + 1);
        assert_eq!(rows.last().map(String::as_str), Some("and 1 more"));
        exam.subjects = BTreeMap::from([(String::new(), 4)]);
        assert_eq!(subjects(&exam), ["without a subject 4"]);
    }

    #[test]
    fn a_name_that_another_exam_has_is_told() {
        let exam = found().exam;
        let other = ExamRow {
            name: "house".to_owned(),
            hash: "def".to_owned(),
            ..exam.clone()
        };
        let there = [exam.clone(), other];
        for (name, expected) in [
            ("new", Named::Free),
            (" ", Named::Empty),
            (" harbour ", Named::Same),
            ("house", Named::Taken),
        ] {
            assert_eq!(named(&there, name, &exam), expected, "{name}");
        }
    }

    #[test]
    fn only_what_was_found_in_this_workspace_is_shown() {
        let look = ExamLook {
            file: "/a/harbour.csv".to_owned(),
            found: found(),
        };
        let done = |id| Task {
            done: true,
            outcome: Some(Box::new(Outcome::ExamLook(Box::new(look.clone())))),
            ..Task::begun(id, LOOKING, "")
        };
        let of = |tasks: &[Task], elsewhere| newest(tasks, LOOKING, elsewhere).map(|(id, _)| id);
        assert_eq!(of(&[done(1), done(2)], 0), Some(2));
        assert_eq!(of(&[done(1), done(2)], 2), None);
        // While a newer file is looked at, what was found in the one before is not shown.
        assert_eq!(of(&[done(1), Task::begun(2, LOOKING, "")], 0), None);
    }
}
