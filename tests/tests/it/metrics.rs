//! Figures of files of predictions on the command line: what is counted, what is said beside it, and what is refused.

use lexforge_tests::product::{Product, refused};
use serde_json::{Value, json};

const ANSWERS: &[u8] = "{\"prediction\":\"The controller shall notify the authority.\",\"reference\":\"The controller shall notify the authority.\"}
{\"prediction\":\"\",\"references\":[\"Personal data shall be processed lawfully.\"]}
{\"prediction\":\"商业银行资本充足率不得低于百分之八。\",\"reference\":\"商业银行资本充足率不得低于百分之八。\",\"language\":\"zh\"}
".as_bytes();

#[test]
fn written_answers_have_their_figures_under_the_promised_names() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    lexforge.file("answers.jsonl", ANSWERS);
    let found = lexforge.json(&["metrics", "qa", "answers.jsonl", "--items"]);
    assert_eq!(found["n"], 3);
    for name in ["bleu", "chrf", "rouge1", "rouge2", "rougeL", "meteor"] {
        assert!(
            found[name].as_f64().is_some_and(|value| value > 0.0),
            "{name}: {found:#}"
        );
    }
    assert_eq!(
        found["bleu_signature"],
        "nrefs:1|case:mixed|eff:no|tok:13a+zh|smooth:exp|version:2.4.3"
    );
    let items = found["items"].as_array().unwrap();
    assert_eq!(
        items[0]["rougeL"],
        json!({"precision": 1.0, "recall": 1.0, "f1": 1.0})
    );
    assert_eq!(
        (&items[1]["bleu"], &items[1]["line"]),
        (&json!(0.0), &json!(2))
    );
    assert!(items[2]["bleu"].as_f64().unwrap() > 99.99);
    assert!(
        found["notes"][0].as_str().unwrap().contains("line 2"),
        "{found:#}"
    );
    let without = lexforge.json(&["metrics", "qa", "answers.jsonl"]);
    assert_eq!(without["items"], Value::Null);

    lexforge.file(
        "broken.jsonl",
        b"{\"prediction\":\"a\",\"reference\":\"b\"}\n{\"prediction\":\"a\"}\n",
    );
    let message = refused(
        &lexforge.run(&["metrics", "qa", "broken.jsonl", "--json"]),
        "invalid_request",
    );
    assert!(message.contains("Line 2"), "{message}");
}

#[test]
fn classes_and_scores_have_their_figures_under_the_promised_names() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let classes = [("a", "a"), ("a", "b"), ("b", "b"), ("c", "c")]
        .map(|(gold, predicted)| json!({"gold": gold, "predicted": predicted}).to_string())
        .join("\n");
    lexforge.file("classes.jsonl", classes.as_bytes());
    let found = lexforge.json(&[
        "metrics",
        "classification",
        "classes.jsonl",
        "--against",
        "classes.jsonl",
    ]);
    assert_eq!((&found["n"], &found["accuracy"]), (&json!(4), &json!(0.75)));
    assert!(
        (found["macro"]["f1"].as_f64().unwrap() - 7.0 / 9.0).abs() < 1e-12,
        "{found:#}"
    );
    let one = &found["against"][0];
    assert_eq!(
        (&one["p_holm"], &one["unit"]),
        (&json!(1.0), &json!("item"))
    );
    assert!(one["test"].is_string() && one["against"].is_string());

    lexforge.file(
        "scores.jsonl",
        b"{\"gold\":1,\"score\":0.1}\n{\"gold\":2,\"score\":0.3}\n{\"gold\":3,\"score\":0.2}\n",
    );
    let found = lexforge.json(&["metrics", "similarity", "scores.jsonl"]);
    assert_eq!(found["n"], 3);
    let spearman = found["spearman"].as_f64().unwrap();
    assert!((spearman - 0.5).abs() < 1e-12, "{spearman}");
    lexforge.file("nan.jsonl", b"{\"gold\":1,\"score\":NaN}\n");
    let message = refused(
        &lexforge.run(&["metrics", "similarity", "nan.jsonl", "--json"]),
        "invalid_request",
    );
    assert!(message.contains("NaN"), "{message}");
}
