//! Compares the figures with those of the reference tools sacrebleu, rouge-score, nltk and trec_eval, which were
//! recorded on real data.
#![allow(clippy::unwrap_used)] // A record that cannot be read has failed the test.

use lexforge_domain::text::Language;
use lexforge_evaluate::ranking::{Outcome, Relevant, read_run};
use lexforge_evaluate::text_metrics::{Answer, Counting, measure};
use serde_json::Value;
use std::path::Path;

/// How far a figure may be from the recorded one.
const NEAR: f64 = 1e-4;

/// Of each answer of our own: BLEU, BLEU-1, chrF, F1 of ROUGE-1, recall of ROUGE-2, F1 of ROUGE-L, METEOR.
const OURS: [[f64; 7]; 3] = [
    [
        13.259061490238889,
        56.24999999999999,
        47.06529408015509,
        0.5,
        0.3333333333333333,
        0.4444444444444445,
        0.6233062330623306,
    ],
    [
        54.91735690350101,
        76.40512797684259,
        59.783300888754674,
        0.8627450980392156,
        0.6923076923076923,
        0.8627450980392156,
        0.8214937939146314,
    ],
    [
        3.520477365831487,
        4.9787068367863965,
        8.037643326188288,
        0.2857142857142857,
        0.0,
        0.2857142857142857,
        0.13513513513513511,
    ],
];

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[track_caller]
fn near(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (found - expected).abs() <= NEAR,
        "{what}: found {found}, recorded {expected}"
    );
}

#[test]
fn answers_are_measured_as_the_reference_tools_do() {
    let Some(path) = lexforge_needs::data("metrics-oracle/text_metrics_oracle.json") else {
        return;
    };
    let oracle = json(&path);
    let recorded = oracle["sentence"].as_array().unwrap();
    let answers: Vec<Answer> = recorded
        .iter()
        .map(|one| Answer {
            prediction: one["hyp"].as_str().unwrap(),
            references: vec![one["ref"].as_str().unwrap()],
            language: None,
        })
        .collect();
    let over_stems = Counting {
        stems: true,
        ..Counting::default()
    };
    let (plain, stemmed) = (
        measure(&answers, Counting::default()),
        measure(&answers, over_stems),
    );
    for (i, one) in recorded.iter().enumerate() {
        let (item, stems) = (&plain.items[i], &stemmed.items[i]);
        let chinese = one["lang"] == "zh";
        let what = |measure: &str| format!("{measure} of {}", answers[i].prediction);
        let language = if chinese { Language::Zh } else { Language::En };
        assert_eq!(item.language, language, "{}", what("language"));
        let bleu = if chinese {
            "sacrebleu_sentence_bleu_zh_exp"
        } else {
            "sacrebleu_sentence_bleu_13a_exp"
        };
        near(item.bleu[3], &one[bleu], &what("BLEU"));
        near(item.chrf, &one["chrf"], &what("chrF"));
        let overlaps = |name: &str, found: &[lexforge_evaluate::text_metrics::Overlap; 3]| {
            for (of, kind) in found.iter().zip(["rouge1", "rouge2", "rougeL"]) {
                for (figure, place) in [of.precision, of.recall, of.f1].into_iter().zip(0..) {
                    near(figure, &one[name][kind][place as usize], &what(kind));
                }
            }
        };
        if chinese {
            overlaps("rouge_char", &item.rouge);
        } else {
            overlaps("rouge", &item.rouge);
            overlaps("rouge_stemmed", &stems.rouge);
            let recorded = &one["meteor_exact_plus_porter_stem_no_wordnet"];
            near(item.meteor, recorded, &what("METEOR"));
        }
    }
    let corpus = &oracle["corpus_first_five_en"];
    let five = measure(&answers[..5], Counting::default());
    near(five.bleu[3], &corpus["bleu"], "BLEU of the corpus");
    near(five.chrf, &corpus["chrf"], "chrF of the corpus");
    assert_eq!(five.signature, corpus["bleu_signature"].as_str().unwrap());
    for (n, precision) in five.precisions.iter().enumerate() {
        near(*precision, &corpus["bleu_precisions"][n], "precision");
    }
    let chinese: Vec<Answer> = answers
        .iter()
        .zip(recorded)
        .filter(|(_, one)| one["lang"] == "zh")
        .map(|(answer, _)| answer.clone())
        .collect();
    let chinese = measure(&chinese, Counting::default());
    near(
        chinese.bleu[3],
        &corpus["zh_bleu"],
        "BLEU of the Chinese corpus",
    );
}

#[test]
fn rankings_are_measured_as_trec_eval_does() {
    let Some(folder) = lexforge_needs::data("metrics-oracle/ir") else {
        return;
    };
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let relevant = Relevant::read(&text("dev50.qrels")).unwrap();
    let run = read_run(&text("dev50_bm25.trec")).unwrap();
    let recorded = json(&folder.join("expected_pytrec_eval.json"));
    let queries = recorded["per_query"].as_object().unwrap();
    assert_eq!(queries.len(), 50);
    for (query, recorded) in queries {
        let judged = relevant.of(query).unwrap();
        let found = Outcome::of(&run[query], &judged.gains);
        near(found.recall, &recorded["recall_10"], query);
        near(found.precision, &recorded["map_cut_10"], query);
        near(found.ndcg, &recorded["ndcg_cut_10"], query);
        near(found.reciprocal, &recorded["recip_rank"], query);
    }
}

#[test]
fn answers_of_our_own_are_measured_as_the_reference_tools_do() {
    // The expected values (`OURS`) were computed with sacrebleu 2.4.3, rouge-score 0.1.2 and nltk 3.9.1 on the same
    // texts. The texts have several right answers, punctuation marks, inflected words and repeated words.
    let answers = [
        Answer {
            prediction: "Firms are reporting losses, of EUR 1,000.50, to the authority; firms report.",
            references: vec![
                "A firm reports each loss above EUR 1,000.50 to its authority.",
                "Firms must report losses to the authority within 2 days.",
            ],
            language: Some(Language::En),
        },
        Answer {
            prediction: "银行应当在10日内报告LCR低于100%的情况。",
            references: vec!["银行须在10个工作日内，报告LCR低于100%的情况。"],
            language: Some(Language::Zh),
        },
        Answer {
            prediction: "Yes.",
            references: vec!["Yes, where the board has agreed."],
            language: Some(Language::En),
        },
    ];
    let found = measure(&answers, Counting::default());
    for (item, recorded) in found.items.iter().zip(OURS) {
        let [rouge1, rouge2, rouge_l] = item.rouge;
        let figures = [
            item.bleu[3],
            item.bleu[0],
            item.chrf,
            rouge1.f1,
            rouge2.recall,
            rouge_l.f1,
            item.meteor,
        ];
        for (found, recorded) in figures.into_iter().zip(recorded) {
            assert!((found - recorded).abs() < 1e-9, "{figures:?}");
        }
    }
}
