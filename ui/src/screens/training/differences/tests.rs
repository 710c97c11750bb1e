//! Tests of `differences`.

use super::*;
use lexforge_domain::{DatasetId, RunId};
use serde_json::json;

/// A run with these stages, rank and evaluation.
fn run(id: i64, stages: &[&str], rank: usize, measured: Option<(&str, &str, usize)>) -> RunDetail {
    let stage = |name: &&str| {
        json!({ "objective": { "kind": name, "loss": "candidates", "form": "both" }, "epochs": 1, "batch_size": 16,
                "learning_rate": 1e-5, "warmup_steps": 1, "weight_decay": 0.0, "max_grad_norm": 1.0 })
    };
    let group = |n: usize| {
        json!({ "accuracy": 0.5, "precision": 0.5, "recall": 0.5, "f1": 0.5, "ci95": [0.4, 0.6], "n": n, "clusters": n,
                "choice_cosine_gap": 0.0, "gap_ci95": [0.0, 0.0], "by_type": {}, "by_level": {} })
    };
    let space = json!({ "mean_pairwise_cosine": 0.0, "isoscore": 0.0, "n": 0 });
    let parts = json!({ "sentence": 1, "token": 1, "anchors": 1 });
    let evaluation = measured.map(|(scorer, dataset, n)| {
            json!({ "run": id, "created": "", "report": "", "hashes": { "documents": {}, "corpus": "", "dataset": dataset,
                "base": "", "adapter": "", "audit_head": "" },
                "dataset": { "id": 1, "hash": dataset, "created": "", "policy": "unreviewed_automatic", "train": parts,
                    "dev": parts, "test": parts, "split_unit": "section",
                    "leak_check": { "compared": 0, "removed": 0, "leaks": [] }, "corpus_hash": "", "seed": 1 },
                "evaluation": { "scorer": scorer, "base": "b", "before": group(n), "after": group(n), "comparisons": [],
                    "shortcuts": [], "tfidf": null, "train_curve": [], "dev_curve": [], "space_before": space,
                    "space_after": space, "improved": [], "worsened": [], "improved_total": 0, "worsened_total": 0,
                    "limits": [] } })
        });
    let detail = json!({
        "run": { "id": RunId(id), "state": "finished", "recipe": "quick look · sft", "base": "b", "dataset": DatasetId(1),
            "stage": "", "step": 1, "of": 1, "started": "", "best": null, "adapter": null, "loss": null, "eta_s": null,
            "failure": null, "evaluated": measured.is_some() },
        "settings": { "lora": { "r": rank, "alpha": 32.0, "dropout": 0.0, "targets": ["q_proj"] },
            "stages": stages.iter().map(stage).collect::<Vec<_>>(), "max_length": 512, "seed": 1, "threads": 0 },
        "device": "cpu", "result": null, "evaluation": evaluation,
    });
    serde_json::from_value(detail).unwrap()
}

#[test]
fn only_what_was_set_differently_differs() {
    crate::i18n::speak(crate::i18n::Lang::En);
    let all = settings(
        &run(1, &["sft"], 8, None),
        &run(2, &["sft", "token"], 16, None),
    );
    let differing: Vec<&Setting> = all.iter().filter(|s| s.differs()).collect();
    let rank = differing
        .iter()
        .find(|s| s.name == tag("figure", "rank"))
        .unwrap();
    assert_eq!(
        (rank.a.as_deref(), rank.b.as_deref()),
        (Some("8"), Some("16"))
    );
    let terms = tag("stage_name", "token");
    assert!(
        differing
            .iter()
            .any(|s| s.name.starts_with(&terms) && s.a.is_none()),
        "the stage of one run alone"
    );
    let answers = tag("stage_name", "sft");
    assert!(
        !differing
            .iter()
            .any(|s| s.name.starts_with(&format!("{answers} ·"))),
        "{differing:?}"
    );
    // Both stages have the same rate, so it is shown once.
    assert_eq!(
        all.iter()
            .filter(|s| s.name.ends_with(&tag("figure", "rate")))
            .count(),
        1,
        "{all:?}"
    );
}

#[test]
fn figures_are_compared_only_on_the_same_questions_and_scorer() {
    let measured = |scorer, dataset, n| run(2, &["sft"], 8, Some((scorer, dataset, n)));
    let a = run(1, &["sft"], 8, Some(("likelihood", "aa", 40)));
    assert_eq!(comparable(&a, &measured("likelihood", "aa", 40)), Ok(()));
    assert_eq!(
        comparable(&a, &measured("likelihood", "bb", 40)),
        Err(Apart::OtherSnapshot)
    );
    assert_eq!(
        comparable(&a, &measured("likelihood", "aa", 30)),
        Err(Apart::OtherQuestions(40, 30))
    );
    assert!(matches!(
        comparable(&a, &measured("embedding", "aa", 40)),
        Err(Apart::OtherScorer(..))
    ));
    assert_eq!(
        comparable(&a, &run(2, &["sft"], 8, None)),
        Err(Apart::NotEvaluated(2))
    );
}
