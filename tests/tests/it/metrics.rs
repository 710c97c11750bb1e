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

#[test]
fn answers_are_compared_token_by_token_where_an_encoder_is_named() {
    let Some(lexforge) = Product::with_decoder() else {
        return;
    };
    lexforge.file("answers.jsonl", ANSWERS);
    // Any model of this machine will do; the decoder that comes with the product is always there.
    let of = |more: &[&str]| {
        let mut words = vec!["metrics", "qa", "answers.jsonl", "--items"];
        words.extend(["--bertscore", "lexforge-demo"]);
        words.extend(more);
        lexforge.json(&words)
    };
    let found = of(&["--against", "answers.jsonl"]);
    let score = &found["bertscore"];
    let items = found["items"].as_array().unwrap();
    let f1 = |line: usize| items[line]["bertscore"]["f1"].as_f64().unwrap();
    assert!((f1(0) - 1.0).abs() < 1e-5 && f1(1) == 0.0, "{found:#}");
    assert!((score["f1"].as_f64().unwrap() - (f1(0) + f1(1) + f1(2)) / 3.0).abs() < 1e-9);
    assert_eq!((&score["empty"], &score["cut"]), (&json!(1), &json!(0)));
    let signature = score["signature"].as_str().unwrap();
    assert!(
        signature.starts_with("model:lexforge-demo|hash:")
            && signature.ends_with("|idf:no|rescale:no|as:bert-score-0.3.13"),
        "{signature}"
    );
    let against = found["against"].as_array().unwrap();
    assert!(
        against.iter().any(|one| one["measure"] == "bertscore"),
        "{against:?}"
    );
    let first = of(&["--layer", "1", "--idf"]);
    let first = first["bertscore"]["signature"].as_str().unwrap().to_owned();
    assert!(
        first.contains("|layer:1/") && first.contains("|idf:yes|"),
        "{first}"
    );

    // Without an encoder these figures are missing, and the message says what cannot be done.
    let without = lexforge.json(&["metrics", "qa", "answers.jsonl"]);
    assert_eq!(without["bertscore"], Value::Null);
    let words = ["metrics", "qa", "answers.jsonl", "--json", "--bertscore"];
    let refuse = |more: &[&str], code: &str| {
        let words: Vec<&str> = words.iter().chain(more).copied().collect();
        refused(&lexforge.run(&words), code)
    };
    let message = refuse(&["lexforge-demo", "--layer", "99"], "invalid_request");
    assert!(message.contains("99 is none of them"), "{message}");
    refuse(&["nowhere"], "model_missing");
    let one: Vec<&[u8]> = ANSWERS.splitn(2, |byte| *byte == b'\n').collect();
    lexforge.file("answers.jsonl", one[0]);
    let message = refuse(&["lexforge-demo", "--idf"], "too_little_data");
    assert!(message.contains("one right answer"), "{message}");
}
