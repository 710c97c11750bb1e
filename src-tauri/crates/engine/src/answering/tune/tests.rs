//! Tests of `tune`.

use super::*;

fn item(id: usize, clauses: &[u32]) -> RetrievalItem {
    RetrievalItem {
        id: id.to_string(),
        question: format!("question {id}"),
        clauses: clauses.to_vec(),
        by_words: Vec::new(),
        teacher: Vec::new(),
    }
}

#[test]
fn whole_documents_are_held_out() {
    // Ten documents of ten clauses; each question is about one of them, every tenth about two.
    let document: Vec<u32> = (0..100).map(|clause| clause / 10).collect();
    let items: Vec<RetrievalItem> = (0..200)
        .map(|i| match i % 10 {
            0 => item(i as usize, &[i % 100, (i + 17) % 100]),
            _ => item(i as usize, &[i % 100]),
        })
        .collect();
    let of = |item: &RetrievalItem| {
        let clauses = item.clauses.iter();
        clauses.map(|c| document[*c as usize]).collect::<Vec<_>>()
    };
    let HeldOut {
        train,
        dev,
        documents,
    } = held_out(items.clone(), &document, 1);
    assert!(!dev.is_empty() && dev.len() < 60, "{}", dev.len());
    assert_eq!(train.len() + dev.len(), 200);
    let learnt: Vec<u32> = train.iter().flat_map(of).collect();
    let first_of_dev = dev.iter().filter(|d| d.clauses.len() == 1);
    assert!(first_of_dev.flat_map(of).all(|d| !learnt.contains(&d)));
    assert!(
        dev.iter()
            .all(|d| of(d).iter().any(|d| documents.contains(d)))
    );
    assert_eq!(held_out(items.clone(), &document, 1).dev, dev);
    let one = vec![0; 100];
    let HeldOut {
        train,
        dev,
        documents,
    } = held_out(items, &one, 1);
    assert!(documents.is_empty(), "questions of it are learnt from");
    assert_eq!(
        (train.len(), dev.len()),
        (190, 10),
        "single questions of one document"
    );
}
