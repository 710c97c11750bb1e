//! Tests of `encoders`.

use super::*;
use crate::Engine;
use crate::models::ahead_label;
use lexforge_domain::protocol::TextReading;

fn two(of_second: u64) -> MarkedEmbeddings {
    MarkedEmbeddings {
        embeddings: Embeddings {
            ids: vec![1, 2],
            dim: 2,
            vectors: vec![1.0, 0.0, 0.0, 1.0],
        },
        marks: vec![mark_of("one"), of_second],
        reading: String::new(),
    }
}

#[test]
fn what_two_programs_put_twice_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let store = &engine.workspace().store;
    let label = ahead_label();
    for of_second in [mark_of("another text"), mark_of("two")] {
        let put = store.write("tester", |w| {
            w.put_marked_embeddings(&label, &two(of_second), false)
        });
        put.unwrap();
    }
    let sentences = [(1, "one"), (2, "two")].map(|(id, text)| Marked {
        id,
        mark: mark_of(text),
        text: text.to_owned(),
    });
    let read = ResidentReady {
        protocol_version: 0,
        dim: 2,
        reading: TextReading::default(),
        content: String::new(),
    };
    let base = BaseModel::named(None);
    let wanted = |handed_back| Wanted {
        label: &label,
        base: &base,
        adapter: None,
        read: &read,
        together: 1,
        handed_back,
    };
    let corpus = Corpus::of(engine.workspace());
    let (all, made, removed) = corpus
        .completed(&wanted(false), &sentences, &Silent)
        .unwrap();
    assert_eq!((made, removed), (0, 2));
    assert_eq!(all.embeddings.ids, [1, 2]);
    let kept = store.read(|r| r.marks_of(&label)).unwrap();
    assert_eq!(kept, [(1, mark_of("one")), (2, mark_of("two"))]);
    let again = |handed_back| {
        corpus
            .completed(&wanted(handed_back), &sentences, &Silent)
            .unwrap()
    };
    assert_eq!(again(true).0.embeddings, two(0).embeddings);
    assert!(again(false).0.embeddings.ids.is_empty());
    assert_eq!(again(false).2, 0);
}

#[test]
fn whoever_ends_the_work_in_the_middle_of_a_part_hears_what_is_kept() {
    let said = parts_are_kept(cancelled("Nothing was changed."));
    assert_eq!(said.code, Code::Cancelled);
    assert!(said.hint.contains("so far are kept"), "{}", said.hint);
    let other = Failure::new(Code::WorkerMissing, "message", "hint");
    assert_eq!(parts_are_kept(other).hint, "hint");
}
