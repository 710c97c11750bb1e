//! Decisions, what they come to, and what follows from that for lists and for what is extracted again.

use crate::common::{claimed, draft, fill, new_term, review};
use lexforge_domain::api::{AugmentReport, QuestionFilter, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::qca::Split;
use lexforge_domain::review::{Choice, Edit, Role, Subject, SubjectKind};
use lexforge_domain::term::{FoundBy, ReviewStatus};
use lexforge_domain::{ActId, PersonId, QcaId, TermId};
use lexforge_store::verify::verify;
use lexforge_store::{NewAct, Workspace};
use tempfile::TempDir;

fn workspace() -> (TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    (folder, workspace)
}

fn person(workspace: &Workspace, name: &str) -> PersonId {
    workspace
        .write("tester", |w| w.put_person(None, name, Role::default(), 1))
        .unwrap()
        .id
}

fn decide(
    workspace: &Workspace,
    person: PersonId,
    subjects: &[Subject],
    choice: Choice,
    edit: Edit,
) -> ActId {
    workspace
        .write("tester", |w| {
            w.decide(&NewAct {
                person,
                subjects,
                choice,
                edit: &edit,
                reason: "",
                adjudicates: false,
            })
        })
        .unwrap()
}

#[test]
fn a_person_is_one_row_by_name() {
    let (_folder, workspace) = workspace();
    let put = |role, share| {
        workspace
            .write("tester", |w| w.put_person(None, "Reviewer 1", role, share))
            .unwrap()
    };
    let first = put(Role::Operator, 1);
    let head = workspace.read(|r| r.audit_head()).unwrap();
    assert_eq!(put(Role::Operator, 1), first);
    assert_eq!(
        workspace.read(|r| r.audit_head()).unwrap(),
        head,
        "nothing changed, so nothing is recorded"
    );
    let later = put(Role::DomainExpert, 3);
    assert_eq!(
        (later.id, later.uid.clone(), later.share),
        (first.id, first.uid, 3)
    );
    assert_eq!(later.uid.len(), 32);
    assert_eq!(workspace.read(|r| r.people()).unwrap(), vec![later]);
}

#[test]
fn lists_show_what_the_reviewers_settled() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let [funds, money] = filled.terms[..] else {
        panic!("two terms")
    };
    let one = person(&workspace, "Reviewer 1");
    let edit = Edit {
        text: Some("Own Funds".to_owned()),
        class: Some("capital".to_owned()),
        ..Edit::default()
    };
    decide(
        &workspace,
        one,
        &[Subject::term(funds)],
        Choice::Accept,
        edit,
    );
    let merge = Edit {
        into: Some(funds),
        ..Edit::default()
    };
    let merged = decide(
        &workspace,
        one,
        &[Subject::term(money)],
        Choice::Merge,
        merge,
    );
    let list = |filter: TermFilter| {
        let found = workspace.read(|r| r.terms(&filter)).unwrap();
        assert_eq!(found.rows.len() as u64, found.total);
        found.rows
    };
    let status = |status| TermFilter {
        status: Some(status),
        ..TermFilter::default()
    };
    let term = &list(status(ReviewStatus::Accepted))[0];
    assert_eq!(
        (
            term.text.as_str(),
            term.class.as_str(),
            term.normal.as_str()
        ),
        ("Own Funds", "capital", "own funds")
    );
    assert_eq!(
        list(status(ReviewStatus::Merged))[0].merged_into,
        Some(funds)
    );
    assert!(list(status(ReviewStatus::Unreviewed)).is_empty());
    let class = |class: &str| TermFilter {
        class: Some(class.to_owned()),
        ..TermFilter::default()
    };
    assert_eq!(
        (
            list(class("capital")).len(),
            list(class("")).len(),
            list(class("actor")).len()
        ),
        (1, 1, 0)
    );
    let query = |query: &str| TermFilter {
        query: Some(query.to_owned()),
        ..TermFilter::default()
    };
    assert_eq!(list(query("Own F")).len(), 1);
    assert_eq!(
        workspace
            .read(|r| r.texts_before_review())
            .unwrap()
            .get(&funds)
            .unwrap(),
        "own funds"
    );

    workspace
        .write("tester", |w| w.undo_act(one, merged))
        .unwrap();
    let rows = list(status(ReviewStatus::Unreviewed));
    assert_eq!((rows[0].id, rows[0].merged_into), (money, None));
    assert!(workspace.read(verify).unwrap().ok);
}

#[test]
fn a_question_shows_what_the_reviewers_made_of_it() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let one = person(&workspace, "Reviewer 1");
    let choices = vec!["at least 8 percent".to_owned(), "9 percent".to_owned()];
    let edit = Edit {
        text: Some("How much?".to_owned()),
        choices: Some(choices.clone()),
        ..Edit::default()
    };
    decide(
        &workspace,
        one,
        &[Subject::question(filled.questions[0])],
        Choice::Accept,
        edit,
    );
    let question = workspace
        .read(|r| r.question(filled.questions[0]))
        .unwrap()
        .question;
    assert_eq!(
        (question.draft.question.as_str(), question.draft.choices),
        ("How much?", choices)
    );
    assert_eq!(question.status, ReviewStatus::Accepted);
    // The questions are written again in another way: one with a decision stays, the other is removed.
    let again = [(
        draft("Another question?", filled.sentences[1]),
        Split::Train,
    )];
    workspace
        .write("tester", |w| {
            w.replace_questions(&again, &AugmentReport::default())
        })
        .unwrap();
    let rows = workspace
        .read(|r| r.questions(&QuestionFilter::default()))
        .unwrap()
        .rows;
    let ids: Vec<_> = rows.iter().map(|r| r.question.id).collect();
    assert!(
        ids.contains(&filled.questions[0]) && !ids.contains(&filled.questions[1]),
        "{ids:?}"
    );
}

#[test]
fn an_extraction_takes_no_reviewed_term_away() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let one = person(&workspace, "Reviewer 1");
    decide(
        &workspace,
        one,
        &[Subject::term(filled.terms[0])],
        Choice::Reject,
        Edit::default(),
    );
    let mut imported = new_term("glossary word", 1.0);
    imported.candidate.found = FoundBy::Glossary;
    let replace = |terms: &[_]| {
        workspace
            .write("tester", |w| {
                w.replace_terms(terms, &[], ReviewPolicy::UnreviewedAutomatic)
            })
            .unwrap()
    };
    let glossary = replace(&[imported])[0];
    let new = replace(&[
        new_term("core capital", 1.0),
        new_term("Glossary Word", 4.0),
    ]);
    let terms = workspace
        .read(|r| r.terms(&TermFilter::default()))
        .unwrap()
        .rows;
    let mut found: Vec<(TermId, FoundBy, ReviewStatus)> =
        terms.iter().map(|t| (t.id, t.found, t.status)).collect();
    found.sort_unstable();
    let unreviewed = ReviewStatus::Unreviewed;
    assert_eq!(
        found,
        [
            (filled.terms[0], FoundBy::Phrase, ReviewStatus::Rejected),
            (glossary, FoundBy::Glossary, unreviewed),
            (new[0], FoundBy::Phrase, unreviewed)
        ]
    );
    assert_eq!(new[1], glossary);
    let kept = workspace.read(|r| r.kept_terms()).unwrap();
    assert_eq!(
        kept.iter()
            .map(|t| t.candidate.normal.as_str())
            .collect::<Vec<_>>(),
        ["own funds", "glossary word"]
    );
}

#[test]
fn what_a_person_said_last_counts_and_skips_come_after() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let (one, two) = (
        person(&workspace, "Reviewer 1"),
        person(&workspace, "Reviewer 2"),
    );
    let subject = Subject::term(filled.terms[0]);
    let own = |person| {
        let all = workspace
            .read(|r| r.own_choices(person, SubjectKind::Term))
            .unwrap();
        let single = workspace.read(|r| r.own_choice(person, subject)).unwrap();
        assert_eq!(all.iter().find(|c| c.subject == subject).copied(), single);
        single.map(|c| c.choice)
    };
    assert_eq!(own(one), None);
    let accepted = decide(&workspace, one, &[subject], Choice::Accept, Edit::default());
    decide(&workspace, one, &[subject], Choice::Skip, Edit::default());
    assert_eq!((own(one), own(two)), (Some(Choice::Accept), None));
    let touched = |act| {
        workspace
            .read(|r| r.touched_since(one, SubjectKind::Term, act))
            .unwrap()
    };
    let newest = workspace.read(|r| r.newest_act()).unwrap();
    assert!(touched(newest).is_empty());
    workspace
        .write("tester", |w| w.undo_act(one, accepted))
        .unwrap();
    assert_eq!(touched(newest), [subject]);
    assert_eq!(own(one), Some(Choice::Skip));
    let last = workspace.read(|r| r.last_act_of(one)).unwrap().unwrap();
    assert_eq!(
        (last.choice, last.items, last.subject),
        (Choice::Skip, 1, subject)
    );
}

#[test]
fn the_same_decisions_merged_again_change_nothing() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    review(&workspace, &filled);
    let two = workspace
        .read(|r| r.person_named("Reviewer 2"))
        .unwrap()
        .unwrap()
        .id;
    let before = workspace.read(|r| r.audit_head()).unwrap();
    let packet = "ab".repeat(32);
    let merge = |decision| {
        workspace
            .write("tester", |w| w.merge_decisions(two, &packet, &[decision]))
            .unwrap()
    };
    let again = merge(claimed(filled.questions[0]));
    assert_eq!((again.merged, again.known, again.conflicts), (0, 1, 0));
    assert_eq!(workspace.read(|r| r.audit_head()).unwrap(), before);
    let mut taken_back = claimed(filled.questions[0]);
    taken_back.undone = true;
    assert_eq!(merge(taken_back.clone()).undone, 1);
    assert_eq!(merge(taken_back).undone, 0);
    let verdict = workspace
        .read(|r| r.verdict(Subject::question(filled.questions[0])))
        .unwrap();
    assert_eq!(
        (verdict.status, verdict.reviewers),
        (ReviewStatus::Accepted, 1)
    );
    assert!(workspace.read(verify).unwrap().ok);
}

/// What versions before let in: a decision of a time that no clock has reached.
#[test]
fn a_person_with_a_decision_of_the_far_future_goes_on_working() {
    for ahead in ["2090-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
        let (_folder, workspace) = workspace();
        let filled = fill(&workspace);
        let one = person(&workspace, "Reviewer 1");
        let item = Subject::question(filled.questions[0]);
        let mut claimed = claimed(filled.questions[0]);
        claimed.made = ahead.to_owned();
        let packet = "ab".repeat(32);
        workspace
            .write("tester", |w| w.merge_decisions(one, &packet, &[claimed]))
            .unwrap();
        let status = || workspace.read(|r| r.verdict(item)).unwrap().status;
        assert_eq!(status(), ReviewStatus::Rejected);
        let act = decide(&workspace, one, &[item], Choice::Accept, Edit::default());
        assert_eq!(
            status(),
            ReviewStatus::Accepted,
            "what is decided now counts"
        );
        let other = decide(
            &workspace,
            one,
            &[Subject::term(filled.terms[0])],
            Choice::Reject,
            Edit::default(),
        );
        let made = |act| workspace.read(|r| r.act(act)).unwrap().made;
        assert!(
            made(act) < made(other) && made(other).as_str() < "2090",
            "{} {}",
            made(act),
            made(other)
        );
        workspace
            .write("tester", |w| w.undo_act(one, other))
            .unwrap();
        workspace.write("tester", |w| w.undo_act(one, act)).unwrap();
        assert_eq!(status(), ReviewStatus::Rejected);
        assert!(workspace.read(verify).unwrap().ok);
    }
}

/// The chain covers a note like the rest of its question. Older rows of the chain do not cover the note, so it changes
/// nothing for them. The question stays the same question.
#[test]
fn a_note_stays_on_its_question() {
    let (_folder, workspace) = workspace();
    let filled = fill(&workspace);
    let id = filled.questions[1];
    let newest = || {
        let rows = workspace.read(|r| r.audit_rows(0, None)).unwrap();
        let row = rows.into_iter().find(|row| row.subject == "questions");
        row.unwrap().sequence
    };
    let noted = |note| {
        let written = workspace.write("Reviewer 1", |w| w.note_question(id, note));
        assert!(workspace.read(verify).unwrap().ok);
        written
    };
    let shown = || workspace.read(|r| r.question(id)).unwrap().note;
    let before = newest();
    noted(Some("see Article 12")).unwrap();
    assert!(newest() > before);
    assert_eq!(shown().as_deref(), Some("see Article 12"));
    let written = workspace.read(|r| r.written_question(id)).unwrap();
    assert_eq!(written.note, None, "it is not the writer's");

    // The same draft is the same question, and one with a note stays where it is not written again.
    let same = draft("What must a broker not do?", filled.sentences[2]);
    for questions in [vec![(same, Split::Test)], Vec::new()] {
        let report = AugmentReport::default();
        workspace
            .write("tester", |w| w.replace_questions(&questions, &report))
            .unwrap();
        assert_eq!(shown().as_deref(), Some("see Article 12"));
        assert!(workspace.read(verify).unwrap().ok);
    }
    noted(None).unwrap();
    assert_eq!(shown(), None);
    assert!(
        workspace
            .write("Reviewer 1", |w| w.note_question(QcaId(99), None))
            .is_err()
    );
}
