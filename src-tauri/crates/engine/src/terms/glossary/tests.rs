use super::*;
use crate::Engine;
use crate::Silent;
use crate::review::fixture::{Fixture, plain};
use lexforge_domain::api::NewDecision;
use lexforge_domain::review::{Choice, Edit, Subject};
use lexforge_domain::term::FoundBy;

/// A workspace with decisions of every kind, and a glossary brought into it.
fn reviewed(folder: &Path) -> Fixture {
    let fixture = Fixture::of(6);
    let (term, engine) = (|i| fixture.term(i), &fixture.engine);
    engine
        .review()
        .decide(&plain(term(0), Choice::Accept))
        .unwrap();
    engine
        .review()
        .decide(&plain(term(1), Choice::Reject))
        .unwrap();
    let into = Edit {
        into: Some(fixture.terms[0]),
        ..Edit::default()
    };
    engine
        .review()
        .decide(&NewDecision {
            edit: into,
            ..plain(term(2), Choice::Merge)
        })
        .unwrap();
    let pair = Subject::pair(fixture.terms[3], fixture.terms[4]);
    engine
        .review()
        .decide(&plain(pair, Choice::Confusable))
        .unwrap();
    let file = folder.join("brought.csv");
    let text = "term;language;synonyms;definition;source;class;related\n\
                holder;en;record 3 | keeper;\"who; holds\";Example Act, Article 2;actor;duty 3\n\
                Duty 3;en;;what 3 is;;duty;\n12;en;;;;;\n持有人;zh;;持有记录的人;;;\n";
    std::fs::write(&file, text).unwrap();
    let report = engine
        .terms()
        .import_glossary(&file, GlossaryFormat::Csv)
        .unwrap();
    assert_eq!(
        (
            report.read,
            report.added,
            report.joined,
            report.known,
            report.refused
        ),
        (4, 2, 1, 0, 1),
        "{report:?}"
    );
    // Each of the six sentences contains "holder", and one of them contains "record 3".
    assert_eq!((report.synonyms, report.mentions), (2, 7), "{report:?}");
    fixture
}

fn terms(engine: &Engine) -> Vec<Term> {
    engine
        .workspace()
        .store
        .read(|r| r.terms(&TermFilter::default()))
        .unwrap()
        .rows
}

#[test]
fn what_is_brought_is_found_at_once_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = reviewed(folder.path());
    let named =
        |engine: &Engine, text: &str| terms(engine).into_iter().find(|t| t.text == text).unwrap();
    let check = |engine: &Engine| {
        let holder = named(engine, "holder");
        assert_eq!(
            (holder.found, holder.mentions, holder.class.as_str()),
            (FoundBy::Glossary, 7, "actor")
        );
        assert_eq!(
            (holder.status, holder.definition.as_deref()),
            (ReviewStatus::Unreviewed, Some("who; holds"))
        );
        let names = engine
            .workspace()
            .store
            .read(|r| r.names_of(holder.id))
            .unwrap();
        assert_eq!(names, ["keeper", "record 3"]);
    };
    check(&fixture.engine);
    // A known term keeps the way it was found, and gets the definition and class that it lacked.
    let joined = named(&fixture.engine, "duty 3");
    assert_eq!(
        (
            joined.found,
            joined.class.as_str(),
            joined.definition.as_deref()
        ),
        (FoundBy::Phrase, "duty", Some("what 3 is"))
    );
    let rows = fixture.engine.workspace().audit_rows(1, None).unwrap();
    assert_eq!(rows[0].action, "glossary.import");
    assert!(
        rows[0].reason.contains("brought.csv (csv, SHA-256 "),
        "{}",
        rows[0].reason
    );
    fixture.engine.terms().extract_terms(&Silent).unwrap();
    check(&fixture.engine);
    assert!(terms(&fixture.engine).iter().any(|t| t.text == "持有人"));
    assert!(
        fixture
            .engine
            .workspace()
            .audit_verify()
            .unwrap()
            .first_break
            .is_none()
    );
}

#[test]
fn a_file_that_was_written_here_changes_nothing_here_and_brings_the_same_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = reviewed(folder.path());
    let all = [
        ReviewStatus::Accepted,
        ReviewStatus::Unreviewed,
        ReviewStatus::Conflict,
    ];
    for format in GlossaryFormat::ALL {
        let file = folder.path().join(format!("out.{}", format.tag()));
        let made = fixture
            .engine
            .terms()
            .write_glossary(&file, format, &all)
            .unwrap();
        // Of eight terms one is rejected and one a name of another.
        assert_eq!(
            (made.terms, made.synonyms, made.relations),
            (6, 3, 3),
            "{format:?}"
        );
        let before = fixture
            .engine
            .workspace()
            .store
            .read(|r| r.audit_head())
            .unwrap();
        let again = fixture
            .engine
            .terms()
            .import_glossary(&file, format)
            .unwrap();
        assert_eq!(
            (again.read, again.known, again.added, again.joined),
            (6, 6, 0, 0),
            "{format:?}: {again:?}"
        );
        assert_eq!(
            fixture
                .engine
                .workspace()
                .store
                .read(|r| r.audit_head())
                .unwrap(),
            before,
            "{format:?}"
        );

        let empty =
            Engine::create(&folder.path().join(format!("{}.lexforge", format.tag()))).unwrap();
        let there = empty.terms().import_glossary(&file, format).unwrap();
        assert_eq!(
            (there.added, there.refused),
            (6, 0),
            "{format:?}: {there:?}"
        );
        let content = |engine: &Engine| {
            let out = folder.path().join("compared.json");
            engine
                .terms()
                .write_glossary(&out, GlossaryFormat::Json, &all)
                .unwrap();
            let mut entries: Vec<GlossaryEntry> =
                serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap();
            entries.iter_mut().for_each(|entry| entry.status = None);
            entries
        };
        assert_eq!(content(&empty), content(&fixture.engine), "{format:?}");
        assert_eq!(
            empty.terms().import_glossary(&file, format).unwrap().known,
            6,
            "{format:?}"
        );
        assert!(
            empty
                .workspace()
                .audit_verify()
                .unwrap()
                .first_break
                .is_none(),
            "{format:?}"
        );
    }
    // A file may hold a term twice; the second time it says nothing new.
    let twice = folder.path().join("twice.json");
    std::fs::write(
        &twice,
        r#"["netting", "Netting", {"term": "nettings", "definition": "x"}]"#,
    )
    .unwrap();
    let report = fixture
        .engine
        .terms()
        .import_glossary(&twice, GlossaryFormat::Json)
        .unwrap();
    assert_eq!(
        (report.added, report.known, report.joined),
        (1, 1, 1),
        "{report:?}"
    );
}

#[test]
fn files_that_are_no_glossary_bring_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::of(2);
    let before = fixture
        .engine
        .workspace()
        .store
        .read(|r| r.audit_head())
        .unwrap();
    let file = folder.path().join("terms.txt");
    for (bytes, format, code) in [
        (
            &b"a,b\n1,2\n"[..],
            GlossaryFormat::Csv,
            Code::GlossaryInvalid,
        ),
        (b"term\nx", GlossaryFormat::Tbx, Code::GlossaryInvalid),
        (
            b"<!DOCTYPE tbx [<!ENTITY a 'b'>]><tbx/>",
            GlossaryFormat::Tbx,
            Code::GlossaryInvalid,
        ),
        (b"", GlossaryFormat::Json, Code::Empty),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let failure = fixture
            .engine
            .terms()
            .import_glossary(&file, format)
            .unwrap_err();
        assert_eq!(failure.code, code, "{failure}");
        assert!(!failure.hint.is_empty());
    }
    // Of a file that is too large nothing is read.
    std::fs::File::create(&file)
        .unwrap()
        .set_len(glossary::LARGEST + 1)
        .unwrap();
    assert_eq!(
        fixture
            .engine
            .terms()
            .import_glossary(&file, GlossaryFormat::Csv)
            .unwrap_err()
            .code,
        Code::TooLarge
    );
    let gone = folder.path().join("gone.csv");
    assert_eq!(
        fixture
            .engine
            .terms()
            .import_glossary(&gone, GlossaryFormat::Csv)
            .unwrap_err()
            .code,
        Code::FileUnreadable
    );
    assert_eq!(
        fixture
            .engine
            .workspace()
            .store
            .read(|r| r.audit_head())
            .unwrap(),
        before
    );
}
