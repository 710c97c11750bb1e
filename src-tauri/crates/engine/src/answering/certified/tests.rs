use super::*;
use crate::models::lsa_label;
use lexforge_domain::api::RerankName;

fn writer(run: i64, identity: &str) -> CertifiedWriter {
    CertifiedWriter {
        way: AnswerWay::Adapter {
            run: Some(lexforge_domain::RunId(run)),
        },
        model: format!("run-{run}"),
        identity: identity.to_owned(),
    }
}

fn kept(encoder: &str, corpus: &str, writer: Option<CertifiedWriter>) -> Kept {
    Kept {
        index: AnswerIndex {
            encoder: encoder.to_owned(),
            ..AnswerIndex::default()
        },
        corpus: corpus.to_owned(),
        vectors: Some(9),
        threshold: 0.4,
        weights: None,
        certificate: Certificate {
            valid: true,
            reason: None,
            n: 142,
            needed: 0,
            writer,
            ..gap(CertificateGap::NotMeasured, ALPHA, CONFIDENCE)
        },
        language: Some(Language::En),
        labels: None,
    }
}

#[test]
fn without_its_labels_a_measurement_sets_no_threshold() {
    let mut other = kept("e", "c", None);
    other.certificate = not_here(other.certificate, CertificateGap::LabelsChanged);
    let index = AnswerIndex {
        encoder: "e".to_owned(),
        ..AnswerIndex::default()
    };
    let holds = Holds {
        index: &index,
        corpus: "c",
        vectors: 9,
        writer: None,
        language: Language::En,
    };
    for (measured, threshold, reason) in [
        (
            vec![other.clone()],
            SHIPPED_THRESHOLD,
            Some(CertificateGap::LabelsChanged),
        ),
        // One that stands counts, whichever is the newer one.
        (vec![other.clone(), kept("e", "c", None)], 0.4, None),
        (vec![kept("e", "c", None), other], 0.4, None),
    ] {
        let found = chosen(&measured, &holds);
        assert!((found.threshold - threshold).abs() < f64::EPSILON);
        assert_eq!(found.certificate.reason, reason);
    }
}

#[test]
fn what_was_measured_on_words_alone_is_told_from_what_was_not() {
    let words = kept("", "now", None);
    let of = |one: &Kept, shipped| holds_without(std::slice::from_ref(one), "now", shipped);
    let is = |one: &Kept| of(one, Shipped::MiniLm);
    assert!(is(&words));
    assert!(!is(&kept("e", "now", None)) && !is(&kept("", "before", None)));
    let mut other = words.clone();
    other.certificate.valid = false;
    assert!(!is(&other));
    // Measured on some of its vectors, and on some documents that are in force.
    let some = kept(&Shipped::MiniLm.label(), "now -3", None);
    assert!(is(&some) && !of(&some, Shipped::Multilingual));
    let mut chinese = words;
    chinese.language = Some(Language::Zh);
    assert!(!is(&chinese) && of(&chinese, Shipped::Multilingual));
    chinese.index.encoder = lsa_label(&[Language::Zh]);
    assert!(of(&chinese, Shipped::Multilingual));
}

#[test]
fn each_way_has_its_certificate_and_any_change_makes_it_void() {
    let tuned = writer(3, "base and adapter");
    let other = writer(3, "base and another adapter");
    let both = [kept("e", "c", Some(tuned.clone())), kept("e", "c", None)];
    let index = |encoder: &str| AnswerIndex {
        encoder: encoder.to_owned(),
        ..AnswerIndex::default()
    };
    for (measured, encoder, corpus, by, language, expected) in [
        (&both[..], "e", "c", Some(&tuned), Language::En, None),
        (&both, "e", "c", None, Language::En, None),
        (
            &both,
            "e",
            "c",
            Some(&other),
            Language::En,
            Some(CertificateGap::WriterChanged),
        ),
        (
            &both,
            "e",
            "d",
            Some(&tuned),
            Language::En,
            Some(CertificateGap::CorpusChanged),
        ),
        (
            &both,
            "f",
            "c",
            Some(&tuned),
            Language::En,
            Some(CertificateGap::EncoderChanged),
        ),
        (
            &both,
            "f",
            "c",
            None,
            Language::En,
            Some(CertificateGap::EncoderChanged),
        ),
        (
            &both,
            "e",
            "c",
            None,
            Language::Zh,
            Some(CertificateGap::NotMeasured),
        ),
        (
            &both[..1],
            "e",
            "c",
            None,
            Language::En,
            Some(CertificateGap::WriterChanged),
        ),
        (
            &both[1..],
            "e",
            "c",
            Some(&tuned),
            Language::En,
            Some(CertificateGap::WriterChanged),
        ),
        (
            &[],
            "e",
            "c",
            None,
            Language::En,
            Some(CertificateGap::NotMeasured),
        ),
    ] {
        let index = index(encoder);
        let holds = Holds {
            index: &index,
            corpus,
            vectors: 9,
            writer: by,
            language,
        };
        let found = chosen(measured, &holds).certificate;
        assert_eq!((found.valid, found.reason), (expected.is_none(), expected));
    }
}

#[test]
fn another_cross_encoder_or_weight_makes_it_void() {
    let rerank = |adapter: &str, percent| RerankName {
        run: lexforge_domain::RunId(7),
        adapter: adapter.to_owned(),
        percent,
        first: 50,
    };
    let index = |rerank: Option<RerankName>| AnswerIndex {
        rerank,
        ..kept("e", "c", None).index
    };
    let measured = [Kept {
        index: index(Some(rerank("a", 50))),
        ..kept("e", "c", None)
    }];
    for (now, holds) in [
        (Some(rerank("a", 50)), true),
        (Some(rerank("a", 75)), false),
        (Some(rerank("b", 50)), false),
        (None, false),
    ] {
        let index = index(now);
        let found = chosen(
            &measured,
            &Holds {
                index: &index,
                corpus: "c",
                vectors: 9,
                writer: None,
                language: Language::En,
            },
        );
        let reason = (!holds).then_some(CertificateGap::IndexChanged);
        assert_eq!(
            (found.certificate.valid, found.certificate.reason),
            (holds, reason)
        );
    }
}

#[test]
fn the_threshold_of_the_clauses_counts_for_an_answer_that_a_model_words() {
    let tuned = writer(3, "base and adapter");
    let measured = [kept("e", "c", None)];
    let index = measured[0].index.clone();
    let mut holds = Holds {
        index: &index,
        corpus: "c",
        vectors: 9,
        writer: Some(&tuned),
        language: Language::En,
    };
    assert!((chosen(&measured, &holds).threshold - 0.4).abs() < f64::EPSILON);
    holds.corpus = "d";
    assert!((chosen(&measured, &holds).threshold - SHIPPED_THRESHOLD).abs() < f64::EPSILON);
}

#[test]
fn other_rules_for_clauses_make_it_void() {
    let measured = [kept("e", "c", None)];
    let index = AnswerIndex {
        clauses: 1,
        ..kept("e", "c", None).index
    };
    let holds = Holds {
        index: &index,
        corpus: "c",
        vectors: 9,
        writer: None,
        language: Language::En,
    };
    let found = chosen(&measured, &holds).certificate;
    assert_eq!(
        (found.valid, found.reason),
        (false, Some(CertificateGap::IndexChanged))
    );
}

#[test]
fn a_newer_measurement_with_too_many_wrong_takes_an_earlier_promise_back() {
    use CertificateGap::{TooFewLabels, TooManyWrong};
    let valid = kept("e", "c", None);
    let index = valid.index.clone();
    let holds = Holds {
        index: &index,
        corpus: "c",
        vectors: 9,
        writer: None,
        language: Language::En,
    };
    let newer = |reason, alpha, confidence| {
        let mut newer = valid.clone();
        newer.certificate = gap(reason, alpha, confidence);
        newer
    };
    for (first, reason) in [
        (newer(TooFewLabels, 0.05, 0.95), None),
        (newer(TooManyWrong, 0.05, 0.95), Some(TooManyWrong)),
        (newer(TooManyWrong, 0.1, 0.9), Some(TooManyWrong)),
        // A stricter promise was not borne out: that says nothing of the earlier one.
        (newer(TooManyWrong, 0.01, 0.95), None),
        (newer(TooManyWrong, 0.05, 0.99), None),
    ] {
        let found = chosen(&[first.clone(), valid.clone()], &holds).certificate;
        assert_eq!((found.valid, found.reason), (reason.is_none(), reason));
        // Measured before, it takes nothing back.
        let found = chosen(&[valid.clone(), first], &holds).certificate;
        assert!(found.valid);
    }
}

#[test]
fn new_vectors_of_the_same_encoder_make_it_void() {
    let measured = kept("e", "c", None);
    let mut earlier = measured.clone();
    earlier.vectors = None;
    for (kept, vectors, reason) in [
        (&measured, 9, None),
        (&measured, 12, Some(CertificateGap::IndexChanged)),
        (&earlier, 9, Some(CertificateGap::IndexChanged)),
    ] {
        let holds = Holds {
            index: &kept.index,
            corpus: "c",
            vectors,
            writer: None,
            language: Language::En,
        };
        let found = chosen(std::slice::from_ref(kept), &holds).certificate;
        assert_eq!((found.valid, found.reason), (reason.is_none(), reason));
    }
}
