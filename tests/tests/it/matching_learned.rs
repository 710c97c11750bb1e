//! Match learns from what was decided about other policies.

use lexforge_tests::product::Product;
use serde_json::{Value, json};

const RULES: [&str; 4] = [
    "Data are deleted in time.",
    "Staff are trained.",
    "Keys are kept safe.",
    "Fees are told beforehand.",
];
/// Policies that are decided about. Their names are none of versions of one document.
const NAMES: [&str; 8] = [
    "harbour", "meadow", "lantern", "copper", "walnut", "ribbon", "thistle", "quarry",
];
const DECIDED: i64 = NAMES.len() as i64;

/// A policy that covers the first rule and the second one or not, in words that neither has.
fn policy(covers: [bool; 2]) -> [&'static str; 3] {
    let said = |covers: bool, yes, no| if covers { yes } else { no };
    [
        "This policy is about the office and its people.",
        said(
            covers[0],
            "Records are shredded after a year.",
            "Doors are painted after a year.",
        ),
        said(
            covers[1],
            "Workshops are held for our people.",
            "Lunches are held for our people.",
        ),
    ]
}

fn import(lexforge: &Product, name: &str, texts: &[&str]) {
    let line = |(n, text): (usize, &&str)| {
        let line = json!({"id": format!("{name}-{n}"), "text": text});
        format!("{line}\n")
    };
    let lines: String = texts.iter().enumerate().map(line).collect();
    let file = lexforge.file(&format!("{name}.jsonl"), lines.as_bytes());
    lexforge.json(&["import".into(), "a.lexforge".into(), file]);
}

/// The rules (document 1) matched with policies, in their order.
fn matched(lexforge: &Product, policies: &[i64]) -> Vec<Value> {
    let policies: Vec<String> = policies.iter().map(ToString::to_string).collect();
    let mut words = vec![
        "match",
        "a.lexforge",
        "--words",
        "--rules",
        "1",
        "--policies",
    ];
    words.extend(policies.iter().map(String::as_str));
    let rows = lexforge.lines(&words);
    assert_eq!(rows.len(), RULES.len());
    rows
}

#[test]
fn what_was_decided_about_other_policies_decides_about_the_next() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge, "rules", &RULES);
    for (number, name) in (1..).zip(NAMES) {
        let covers = [number % 2 == 1, number % 3 != 0];
        let texts = policy(covers);
        import(&lexforge, name, &texts);
        let rows = matched(&lexforge, &[number + 1]);
        for (rule, row) in rows.iter().enumerate() {
            // What was decided about other policies is not carried over to this one.
            assert_eq!(row["status"], "unreviewed", "{row:#}");
            let id = row["rule"]["id"].to_string();
            let listed = row["policies"].as_array().unwrap();
            let named = listed
                .iter()
                .find(|p| p["text"] == texts[(rule + 1).min(2)]);
            let named = named.map(|p| p["id"].to_string()).unwrap_or_default();
            let mut words = vec!["match", "decide", "a.lexforge", "--rule", &id, "--verdict"];
            if covers.get(rule).copied().unwrap_or_default() {
                words.extend(["covered", "--policy", &named]);
            } else {
                words.push("not_covered");
            }
            lexforge.lines(&words);
        }
    }
    import(&lexforge, "orchard", &policy([true, false]));
    let rows = matched(&lexforge, &[DECIDED + 2]);
    let learned = |row: &Value| {
        let learned = &row["learned"];
        (learned["decisions"].clone(), learned["pooled"].clone())
    };
    let [first, second, third] = [&rows[0], &rows[1], &rows[2]];
    assert_eq!(learned(first), (json!(DECIDED), json!(false)), "{first:#}");
    assert_eq!(first["verdict"], "covered", "{first:#}");
    assert!(first["probability"].as_f64().unwrap() > 0.5, "{first:#}");
    assert_eq!(first["policies"][0]["text"], policy([true, false])[1]);
    assert_eq!(learned(second), (json!(DECIDED), json!(false)));
    assert_eq!(second["verdict"], "not_covered", "{second:#}");
    // Nothing was ever named for the third: it is weighed by the decisions about all rules.
    assert_eq!(learned(third), (json!(DECIDED), json!(true)), "{third:#}");
    assert_eq!(third["learned"]["of_all"], json!(4 * DECIDED));
    // The papers say of each rule what its probability rests on.
    let own = format!("learned from {DECIDED} decisions about this rule in other policies");
    let pooled = format!(
        "weighed by {} decisions about all rules in other policies, {DECIDED} of them about this one",
        4 * DECIDED
    );
    for name in ["learned.csv", "learned.docx", "learned.html"] {
        lexforge.json(&["match", "export", "a.lexforge", "--out", name]);
        let bytes = std::fs::read(lexforge.path(name)).unwrap();
        let paper = String::from_utf8_lossy(&bytes);
        for rests in [&own, &pooled] {
            assert!(paper.contains(rests.as_str()), "{name}: {rests}");
        }
    }
    // Without what was decided about it itself: the first policy learns from the seven others alone.
    let again = matched(&lexforge, &[2]);
    assert_eq!(learned(&again[0]).0, json!(DECIDED - 1));
    assert_eq!(again[0]["learned"]["of_all"], json!(4 * (DECIDED - 1)));
    // Two decisions say that one of two policies does not cover the third rule. No decision says this about both
    // policies together. A statement that covers the first rule still covers it when another policy is added.
    let both = matched(&lexforge, &[2, 3]);
    assert_eq!(both[2]["status"], "unreviewed", "{:#}", both[2]);
    assert_ne!(both[0]["status"], "unreviewed", "{:#}", both[0]);
    assert_eq!(both[0]["decision"]["verdict"], "covered");
}
