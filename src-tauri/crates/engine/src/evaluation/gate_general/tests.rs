//! Tests of `gate_general`.

use super::*;
use crate::Engine;
use crate::workspace::Silent;
use lexforge_domain::api::GateAgainst;
use std::collections::BTreeMap;

fn hashes(base: &str, adapter: &str) -> Hashes {
    Hashes {
        documents: BTreeMap::new(),
        corpus: String::new(),
        dataset: String::new(),
        base: base.to_owned(),
        adapter: adapter.to_owned(),
        audit_head: String::new(),
    }
}

fn kept(base: &str, adapter: &str, sha256: &str, after: f64) -> Kept {
    Kept {
        base: base.to_owned(),
        adapter: adapter.to_owned(),
        measured: GeneralMeasured {
            file: "pairs.csv".to_owned(),
            sha256: sha256.to_owned(),
            pairs: 30,
            before: 0.8,
            after,
            bounds: None,
        },
        changes: Some(vec![after - 0.82, after - 0.8, after - 0.78]),
        units: 30,
    }
}

#[test]
fn what_was_measured_without_bounds_is_measured_again() {
    let old = r#"[{"base":"b","adapter":"one","measured":{"file":"pairs.csv","sha256":"s","pairs":30,"before":0.8,"after":0.7}}]"#;
    let known: Vec<Kept> = serde_json::from_str(old).unwrap();
    let set = GeneralSet {
        path: "/pairs.csv".to_owned(),
        sha256: "s".to_owned(),
        pairs: 30,
    };
    assert_eq!(found(known.clone(), &hashes("b", "one"), &set), None);
    let all = together(known, kept("b", "one", "s", 0.7));
    assert_eq!(all.len(), 1);
    assert!(found(all, &hashes("b", "one"), &set).is_some());
    // Too few groups, and an earlier version did not keep how many.
    let few = |units| Kept {
        changes: Some(Vec::new()),
        units,
        ..kept("b", "one", "s", 0.7)
    };
    assert_eq!(found(vec![few(0)], &hashes("b", "one"), &set), None);
    let few = found(vec![few(3)], &hashes("b", "one"), &set).unwrap();
    assert_eq!(
        General::of(few.measured, &[], 3, 0.95).measured.bounds,
        None
    );
}

#[test]
fn bounds_go_by_the_level_of_the_rule() {
    let bounds = |level| {
        let kept = kept("b", "one", "s", 0.7);
        let of = General::of(
            kept.measured,
            &kept.changes.unwrap_or_default(),
            kept.units,
            level,
        );
        assert!((of.change.change.value + 0.1).abs() < 1e-9);
        let bounds = of.measured.bounds.unwrap();
        assert_eq!(bounds.level, level);
        [bounds.low, bounds.high]
    };
    let ([low, high], [lower, higher]) = (bounds(0.75), bounds(0.95));
    assert!((low + 0.11).abs() < 1e-9 && (high + 0.09).abs() < 1e-9);
    assert!(lower < low && high < higher);
}

#[test]
fn pairs_that_share_a_sentence_are_drawn_together() {
    let texts = ["a", "b", "c", "d", "b", "e", "f", "f"];
    assert_eq!(units_of(&texts), [0, 1, 0, 3]);
}

/// The run has no files in this workspace, and the file that was chosen is gone, too.
#[test]
fn what_was_measured_counts_without_the_files_and_nothing_else_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let evaluation = engine.evaluation();
    let request = GateRequest {
        run: RunId(1),
        against: GateAgainst::Active,
        policy: None,
        general: Vec::new(),
    };
    let of = |adapter: &str, measures| {
        let of = hashes("b", adapter);
        let found = evaluation.general_of(&request, &of, 0.95, measures, &Silent);
        found.map(|found| found.map(|of| of.measured.after))
    };
    // No file was chosen.
    assert_eq!(of("one", Measures::All).unwrap(), None);
    let set = GeneralSet {
        path: folder.path().join("gone.csv").display().to_string(),
        sha256: "s".to_owned(),
        pairs: 30,
    };
    let workspace = engine.workspace();
    workspace
        .set_setting(SET, &serde_json::json!(set).to_string())
        .unwrap();
    let all = serde_json::json!([kept("b", "one", "s", 0.7)]).to_string();
    workspace.set_setting(MEASURED, &all).unwrap();
    for measures in [Measures::All, Measures::Given, Measures::Nothing] {
        assert_eq!(of("one", measures).unwrap(), Some(0.7), "{measures:?}");
    }
    for measures in [Measures::Given, Measures::Nothing] {
        assert_eq!(of("two", measures).unwrap(), None, "{measures:?}");
    }
    assert!(of("two", Measures::All).is_err(), "the file is gone");
}

#[test]
fn a_file_of_any_size_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.csv");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len((16 << 20) + 1).unwrap();
    let engine = Engine::create(&folder.path().join("w.lexforge")).unwrap();
    let refused = engine.evaluation().keep_gate_general(&path).err().unwrap();
    assert_eq!(refused.code, Code::TooLarge);
}

#[test]
fn figures_hold_for_one_adapter_and_for_the_file_as_it_was_chosen() {
    let mut all = Vec::new();
    for new in [
        kept("b", "one", "old", 0.7),
        kept("b", "one", "new", 0.6),
        kept("b", "two", "new", 0.5),
        // Measured again.
        kept("b", "one", "new", 0.65),
    ] {
        all = together(all, new);
    }
    assert_eq!(all.len(), 3);
    let of = |base: &str, adapter: &str, sha256: &str| {
        let set = GeneralSet {
            path: "/pairs.csv".to_owned(),
            sha256: sha256.to_owned(),
            pairs: 30,
        };
        found(all.clone(), &hashes(base, adapter), &set).map(|of| of.measured.after)
    };
    assert_eq!(of("b", "one", "old"), Some(0.7));
    assert_eq!(of("b", "one", "new"), Some(0.65));
    assert_eq!(of("b", "two", "new"), Some(0.5));
    for (base, adapter, sha256) in [("c", "one", "new"), ("b", "two", "old")] {
        assert_eq!(of(base, adapter, sha256), None);
    }
}
