//! Rows that belong to terms: definitions, other names, confusable pairs.

use crate::common::{fill, new_term};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_store::verify::verify;
use lexforge_store::{ConfusablePair, NewDefinition, NewTerm, Workspace};

#[test]
fn definitions_names_and_confusable_pairs_go_with_their_terms() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(folder.path().join("w.lexforge")).unwrap();
    let filled = fill(&workspace);
    let document = workspace
        .read(|r| r.sentence(filled.sentences[1]))
        .unwrap()
        .document;
    let define = |text: &str, at: usize| NewDefinition {
        sentence: filled.sentences[at],
        document,
        text: text.into(),
    };
    let mut own = new_term("own funds", 9.0);
    own.definitions = vec![
        define("the sum of core capital", 1),
        define("The sum of “core capital”.", 2),
        define("a loan", 0),
    ];
    own.candidate.names = vec!["OF".to_owned()];
    own.candidate.class = "measure".to_owned();
    let extract = |terms: &[NewTerm]| {
        workspace
            .write("tester", |w| {
                w.replace_terms(terms, &[], ReviewPolicy::UnreviewedAutomatic)
            })
            .unwrap()
    };
    let ids = extract(&[own.clone(), new_term("core capital", 1.0)]);
    let read = || {
        workspace
            .read(|r| {
                Ok((
                    r.definitions_of(ids[0])?,
                    r.names_of(ids[0])?,
                    r.term(ids[0])?.class,
                    r.confusables(0)?,
                ))
            })
            .unwrap()
    };
    let (mut definitions, names, class, _) = read();
    assert!(lexforge_text::wording::mark_differing(&mut definitions));
    let shown: Vec<_> = definitions
        .iter()
        .map(|d| (d.text.as_str(), d.page, d.boxes.len(), d.differs))
        .collect();
    assert_eq!(
        shown,
        [
            ("a loan", 1, 1, false),
            ("the sum of core capital", 1, 1, true),
            ("The sum of “core capital”.", 2, 1, true)
        ]
    );
    assert_eq!(
        (names, class),
        (vec!["OF".to_owned()], "measure".to_owned())
    );
    let (a, b) = (ids[0].min(ids[1]), ids[0].max(ids[1]));
    let pair = ConfusablePair {
        a,
        b,
        cosine: Some(0.5),
        spelling: 0.25,
        score: 0.75,
        place: 1,
    };
    workspace
        .write("tester", |w| w.replace_confusables(&[pair]))
        .unwrap();
    assert_eq!(
        workspace.read(|r| r.confusables_of(ids[1], 5)).unwrap(),
        [pair]
    );
    assert_eq!(
        workspace.read(|r| r.confusable(ids[1], ids[0])).unwrap(),
        Some(pair)
    );
    assert_eq!(pair.other(a), b);
    assert!(workspace.read(verify).unwrap().ok);
    // If a term is removed, its rows in other tables are removed as well.
    extract(&[new_term("core capital", 1.0)]);
    assert_eq!(
        workspace
            .read(|r| Ok((r.confusables(0)?, r.term_names()?)))
            .unwrap(),
        (vec![], vec![])
    );
    assert!(workspace.read(verify).unwrap().ok);
}
