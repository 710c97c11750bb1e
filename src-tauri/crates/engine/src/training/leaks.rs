//! The leak check of a snapshot (docs/methods.md, "Questions"): training must not see anything that dev or test asks
//! about, and no near duplicate of it either.
//!
//! For each question the check compares three kinds of text: the text of the anchor; the choices of a sentence
//! question, including generated distractors; and the sentences that wrong choices were made from, even if a choice no
//! longer resembles its sentence. Anchors in two versions of one document count as leaks even if their texts differ. If
//! whole documents were split, all anchors of the versions count. If sections were split, only anchors in sections with
//! the same path count.

use lexforge_domain::api::DocumentRow;
use lexforge_domain::dataset::{Leak, LeakReport};
use lexforge_domain::document::Sentence;
use lexforge_domain::qca::{ChoiceOrigin, Qca, QcaLevel, Split};
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_graph::leak;
use std::collections::{HashMap, HashSet};

/// Role of a leak by document version.
const VERSION: &str = "version";

/// The material from which questions were made.
pub(crate) struct Material<'a> {
    sentences: HashMap<SentenceId, &'a Sentence>,
    /// The oldest version that is here, of each document.
    family: HashMap<DocumentId, DocumentId>,
    /// Whole documents were split, not sections.
    by_document: bool,
}

impl<'a> Material<'a> {
    /// The sentences of a workspace and how its documents follow each other; `unit` = what was split.
    pub(crate) fn new(sentences: &'a [Sentence], documents: &[DocumentRow], unit: &str) -> Self {
        let before: HashMap<DocumentId, DocumentId> = documents
            .iter()
            .filter_map(|d| Some((d.id, d.predecessor?)))
            .collect();
        let oldest = |document: DocumentId| {
            let (mut at, mut met) = (document, HashSet::from([document]));
            while let Some(older) = before.get(&at).filter(|older| met.insert(**older)) {
                at = *older;
            }
            at
        };
        Self {
            sentences: sentences.iter().map(|s| (s.id, s)).collect(),
            family: documents.iter().map(|d| (d.id, oldest(d.id))).collect(),
            by_document: unit == "document",
        }
    }

    pub(crate) fn text(&self, id: SentenceId) -> Option<&'a str> {
        self.sentences.get(&id).map(|s| s.text.as_str())
    }

    /// The two values by which versions of a rule are recognised. The first value consists of the oldest version of the
    /// sentence's document, and the section (empty if whole documents were split). Two sentences with the same first
    /// value are versions of one rule. The second value is the sentence's own document. `None` if the sentence or its
    /// document is unknown, or if sections were split and the sentence has no section.
    fn version(&self, id: SentenceId) -> Option<((DocumentId, &'a str), DocumentId)> {
        let sentence = self.sentences.get(&id)?;
        let section = if self.by_document {
            ""
        } else {
            sentence.section.as_str()
        };
        let family = *self.family.get(&sentence.document)?;
        (self.by_document || !section.is_empty()).then_some(((family, section), sentence.document))
    }
}

/// Drops training and development questions that leak into a later part; says how many.
pub(crate) fn without_leaks(
    questions: Vec<Qca>,
    material: &Material<'_>,
) -> (Vec<Qca>, LeakReport) {
    let mut kept = questions;
    let before = kept.len();
    let mut report = check(&kept, material);
    // One pass suffices, since dropping a question can only take texts away; the second check proves it.
    if !report.leaks.is_empty() {
        let leaking: HashSet<i64> = report.leaks.iter().map(|l| l.train.0).collect();
        kept = kept
            .into_iter()
            .enumerate()
            .filter(|(i, _)| !leaking.contains(&(*i as i64)))
            .map(|(_, q)| q)
            .collect();
        let compared = report.compared;
        report = check(&kept, material);
        report.compared = compared;
    }
    report.removed = (before - kept.len()) as u64;
    (kept, report)
}

/// Compares the texts that training uses with the texts that dev and test ask about, and dev with test. Questions are
/// identified by their index in the list.
pub(crate) fn check(questions: &[Qca], material: &Material<'_>) -> LeakReport {
    let mut parts: [Vec<(SentenceId, &str, &str)>; 3] = Default::default();
    for (i, question) in questions.iter().enumerate() {
        let at = SentenceId(i as i64);
        let draft = &question.draft;
        let part = &mut parts[question.split as usize];
        part.extend(
            material
                .text(draft.anchor_sentence)
                .map(|text| (at, text, "anchor")),
        );
        if draft.level == QcaLevel::Sentence {
            // Terms recur in every part by their nature; whole sentences must not.
            let role = |i: usize| {
                if i == draft.answer {
                    "anchor"
                } else {
                    "distractor"
                }
            };
            part.extend(
                draft
                    .choices
                    .iter()
                    .enumerate()
                    .map(|(i, choice)| (at, choice.as_str(), role(i))),
            );
        }
        let borrowed: HashSet<SentenceId> = draft
            .origins
            .iter()
            .filter_map(ChoiceOrigin::borrowed_from)
            .collect();
        let borrowed = borrowed
            .into_iter()
            .filter(|id| *id != draft.anchor_sentence);
        part.extend(borrowed.filter_map(|id| Some((at, material.text(id)?, "candidate"))));
    }
    let held = |split: Split| {
        parts[split as usize]
            .iter()
            .map(move |(at, text, role)| (*at, split, *text, *role))
    };
    let mut report = leak::check(
        &parts[Split::Train as usize],
        &held(Split::Dev)
            .chain(held(Split::Test))
            .collect::<Vec<_>>(),
    );
    let between = leak::check(
        &parts[Split::Dev as usize],
        &held(Split::Test).collect::<Vec<_>>(),
    );
    report.leaks.extend(between.leaks);
    report.leaks.extend(versions(questions, material));
    report
}

/// Anchors in versions of one document that are in different parts; for each question the first of a later part.
fn versions(questions: &[Qca], material: &Material<'_>) -> Vec<Leak> {
    type Placed = (usize, DocumentId, Split);
    let mut of: HashMap<(DocumentId, &str), Vec<Placed>> = HashMap::new();
    for (i, question) in questions.iter().enumerate() {
        if let Some((family, document)) = material.version(question.draft.anchor_sentence) {
            of.entry(family)
                .or_default()
                .push((i, document, question.split));
        }
    }
    let mut leaks = Vec::new();
    for same in of.into_values() {
        for (i, document, split) in &same {
            let later = same
                .iter()
                .find(|(_, other, part)| other != document && part > split);
            leaks.extend(later.map(|(held, _, part)| Leak {
                train: SentenceId(*i as i64),
                held_out: SentenceId(*held as i64),
                split: *part,
                jaccard: 0.0,
                role: VERSION.to_owned(),
            }));
        }
    }
    leaks.sort_by_key(|l| (l.train, l.held_out));
    leaks
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::QcaId;
    use lexforge_domain::qca::{QcaDraft, QuestionSource, QuestionType};
    use lexforge_domain::text::SentenceKind;

    fn sentence(id: i64, document: i64, section: &str, text: &str) -> Sentence {
        let (place, document) = (SentenceId(id), DocumentId(document));
        Sentence {
            position: id as u32,
            section: section.to_owned(),
            ..Sentence::alone(place, document, SentenceKind::Rule, text)
        }
    }

    fn document(id: i64, predecessor: Option<i64>) -> DocumentRow {
        serde_json::from_value(serde_json::json!({
            "id": id, "file": "a.txt", "title": "A", "format": "text", "language": "en", "pages": 1, "sentences": 1,
            "scanned_pages": 0, "engines": {"hayro": 0, "pdf-extract": 0, "ocr": 0}, "reader_agreement": null,
            "warnings": [], "sha256": "", "bytes": 1, "imported": "", "predecessor": predecessor
        }))
        .unwrap()
    }

    /// A sentence question about an anchor, with one wrong choice of its own words.
    fn question(
        id: i64,
        anchor: &Sentence,
        wrong: &str,
        origin: ChoiceOrigin,
        split: Split,
    ) -> Qca {
        let draft = QcaDraft {
            question: format!("Question {id}?"),
            choices: vec![anchor.text.clone(), wrong.to_owned()],
            origins: vec![ChoiceOrigin::Anchor, origin],
            ..QcaDraft::new(
                QcaLevel::Sentence,
                QuestionType::Obligation,
                anchor.id,
                QuestionSource::Llm,
            )
        };
        Qca::unreviewed(QcaId(id), draft, split)
    }

    const BANK: &str = "The bank shall report its large exposures to the authority every quarter.";
    const NEAR: &str = "The bank shall report its large exposures to the authority each quarter.";
    const FUND: &str =
        "A fund manager must publish the value of each unit before noon on trading days.";
    const PORT: &str = "Harbour masters keep a log of every vessel that enters or leaves at night.";
    const TOLL: &str = "Nobody collects a toll from ambulances on their way to a hospital.";
    const SEED: &str =
        "Seed merchants label each bag with the year in which its content was harvested.";

    fn own(anchor: &Sentence) -> ChoiceOrigin {
        ChoiceOrigin::Edit {
            edit: "modal".to_owned(),
            sentence: anchor.id,
        }
    }

    /// Two questions, one in training and one in a later part, and which roles leak between them.
    fn check_plant(
        train: &Qca,
        held: &Qca,
        sentences: &[Sentence],
        documents: &[DocumentRow],
        unit: &str,
    ) -> Vec<String> {
        let material = Material::new(sentences, documents, unit);
        let mut roles: Vec<String> = check(&[train.clone(), held.clone()], &material)
            .leaks
            .into_iter()
            .map(|l| l.role)
            .collect();
        roles.dedup();
        // Questions that leak are removed from training. Then nothing leaks.
        let (kept, report) = without_leaks(vec![train.clone(), held.clone()], &material);
        assert!(report.leaks.is_empty());
        assert_eq!(report.removed, u64::from(!roles.is_empty()));
        assert_eq!(kept.last().map(|q| q.id), Some(held.id));
        roles
    }

    /// Every kind of leak is planted by itself: with the check for it taken away, its line fails.
    #[test]
    fn a_plant_of_each_kind_is_caught() {
        for split in [Split::Dev, Split::Test] {
            let base = |a: &str, b: &str| {
                vec![
                    sentence(1, 1, "Article 1", a),
                    sentence(2, 2, "Article 7", b),
                ]
            };
            let apart = [document(1, None), document(2, None)];
            let plain = |s: &[Sentence]| {
                (
                    question(1, &s[0], PORT, own(&s[0]), Split::Train),
                    question(2, &s[1], TOLL, own(&s[1]), split),
                )
            };
            // Without a planted leak, none is found.
            let s = base(BANK, FUND);
            let (train, held) = plain(&s);
            assert_eq!(
                check_plant(&train, &held, &s, &apart, "document"),
                Vec::<String>::new()
            );
            // Both questions have the same anchor. A choice of one question is reworded, so only the anchors can show
            // the leak.
            let s = base(BANK, BANK);
            let (mut train, held) = plain(&s);
            train.draft.choices[0] = SEED.to_owned();
            let mut reworded = held.clone();
            reworded.draft.choices[0] =
                "Exposures are told, four times in a year, by whoever lends.".to_owned();
            assert_eq!(
                check_plant(&train, &reworded, &s, &apart, "document"),
                ["anchor"]
            );
            // Nearly the same.
            let s = base(BANK, NEAR);
            let (mut train, mut held) = plain(&s);
            train.draft.choices[0] = SEED.to_owned();
            held.draft.choices[0] =
                "Exposures are told, four times in a year, by whoever lends.".to_owned();
            assert_eq!(
                check_plant(&train, &held, &s, &apart, "document"),
                ["anchor"]
            );
            // A distractor that was generated for training is what the later part asks about.
            let s = base(BANK, FUND);
            let (mut train, held) = plain(&s);
            train.draft.choices[1] = FUND.to_owned();
            assert_eq!(
                check_plant(&train, &held, &s, &apart, "document"),
                ["distractor"]
            );
            // The same with the roles exchanged.
            let (train, mut held) = plain(&s);
            held.draft.choices[1] = BANK.replace("every", "each");
            assert_eq!(
                check_plant(&train, &held, &s, &apart, "document"),
                ["distractor"]
            );
            // A candidate: the training question borrows from the sentence of the later part, in words of its own.
            let (mut train, held) = plain(&s);
            train.draft.origins[1] = ChoiceOrigin::Neighbour { sentence: s[1].id };
            assert_eq!(
                check_plant(&train, &held, &s, &apart, "document"),
                ["candidate"]
            );
            let (mut train, held) = plain(&s);
            train.draft.origins[1] = ChoiceOrigin::Edit {
                edit: "borrowed".to_owned(),
                sentence: s[1].id,
            };
            assert_eq!(
                check_plant(&train, &held, &s, &apart, "document"),
                ["candidate"]
            );
            // A later version of the document, rewritten so much that no text shows it.
            let versions = [document(1, None), document(2, Some(1))];
            let (train, held) = plain(&s);
            assert_eq!(
                check_plant(&train, &held, &s, &versions, "document"),
                ["version"]
            );
            // Where sections were split, the article of the same path is the version, and another is not.
            assert_eq!(
                check_plant(&train, &held, &s, &versions, "section"),
                Vec::<String>::new()
            );
            let mut same = s.clone();
            same[1].section = "Article 1".to_owned();
            assert_eq!(
                check_plant(&train, &held, &same, &versions, "section"),
                ["version"]
            );
        }
    }

    #[test]
    fn development_does_not_leak_into_test_and_a_circle_of_versions_ends() {
        let s = [sentence(1, 1, "", BANK), sentence(2, 2, "", NEAR)];
        let dev = question(1, &s[0], PORT, own(&s[0]), Split::Dev);
        let test = question(2, &s[1], TOLL, own(&s[1]), Split::Test);
        let circle = [document(1, Some(2)), document(2, Some(1))];
        let (kept, report) = without_leaks(vec![dev, test], &Material::new(&s, &circle, "section"));
        assert_eq!((kept.len(), report.removed, kept[0].id), (1, 1, QcaId(2)));
    }

    #[test]
    fn one_document_s_own_parts_are_no_versions_of_each_other() {
        let s = [
            sentence(1, 1, "Article 1", BANK),
            sentence(2, 1, "Article 1", FUND),
        ];
        let train = question(1, &s[0], PORT, own(&s[0]), Split::Train);
        let test = question(2, &s[1], TOLL, own(&s[1]), Split::Test);
        let later = [document(1, None), document(3, Some(1))];
        assert_eq!(
            check_plant(&train, &test, &s, &later, "section"),
            Vec::<String>::new()
        );
    }
}
