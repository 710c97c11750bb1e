//! Encoders that were tuned in a workspace, among the methods of matching.

use crate::matching::linked_set;
use crate::triplets::corpus;
use lexforge_tests::product::{program, refused};

#[test]
fn an_encoder_that_was_adapted_and_then_compared_is_a_method_under_the_name_of_its_recipe() {
    let Some(lexforge) = corpus() else {
        return;
    };
    if program("LEXFORGE_WORKER", "lexforge-worker").is_none() {
        return;
    }
    lexforge.json(&["triplets", "make", "a.lexforge", "--offline"]);
    let train = |words: &[&str]| {
        let first = ["train", "a.lexforge", "--max-steps", "2", "--json"];
        let done = lexforge.run(&[&first[..], words].concat());
        assert_eq!(done.code, 0, "{}", done.err);
    };
    let compare = ["--task", "triplets", "--triplet-loss", "multiple-negatives"];
    train(&["--task", "adapt"]);
    train(&[&compare[..], &["--start-from", "1"]].concat());
    linked_set(&lexforge);
    let bench = ["match", "--benchmark", "set", "--tuned", "a.lexforge"];
    let methods = |more: &[&str]| -> Vec<(String, serde_json::Value)> {
        let rows = lexforge.lines(&[&bench[..], more].concat());
        let named = |row: serde_json::Value| (row["method"].as_str().unwrap().to_owned(), row);
        rows.into_iter().map(named).collect()
    };
    let of = |all: &[(String, serde_json::Value)], name: &str| -> serde_json::Value {
        let found = all.iter().find(|(method, _)| method == name);
        let names: Vec<&String> = all.iter().map(|(method, _)| method).collect();
        found
            .unwrap_or_else(|| panic!("{name} in {names:?}"))
            .1
            .clone()
    };
    let (adapted, both) = (
        "MLM (run 1 on all-MiniLM-L6-v2)",
        "MLM + MNR (run 2 on all-MiniLM-L6-v2)",
    );
    let all = methods(&[]);
    of(&all, adapted);
    let tuned = of(&all, both);
    let untuned = of(&all, "all-MiniLM-L6-v2");
    // Its vectors are others than those of the base, with which it is compared.
    assert_ne!(tuned["s1"]["value"], untuned["s1"]["value"]);
    let against = tuned["against"].to_string();
    assert!(against.contains("all-MiniLM-L6-v2"), "{tuned:#}");
    // Only the named runs, and no other number.
    let one = methods(&["--run", "2"]);
    of(&one, both);
    assert!(one.iter().all(|(method, _)| method != adapted));
    let wrong = lexforge.run(&[&bench[..], &["--run", "9", "--json"]].concat());
    assert!(refused(&wrong, "invalid_request").contains("Run 9"));
}
