//! Rights as rules, and statements that deny what a rule says, on the command line.

use lexforge_tests::product::Product;
use lexforge_tests::rules::{MATCH, row_of};
use serde_json::Value;

/// A made-up act on passengers.
const ACT: &str = "Article 1\nDuties\n\n\
    1. The line shall answer each letter of a passenger.\n\n\
    2. The line shall keep a list of the passengers on board.\n\n\
    3. The line may cancel a voyage only if a storm is announced.\n\n\
    4. The line may sell empty cabins.\n\n\
    5. The line shall, where feasible, not later than 72 hours after the voyage report each delay of the voyage to the port.\n\n\
    6. It shall be as easy to return a ticket as to buy a ticket.\n\n\
    7. The line shall ensure that the pilot does not receive any instructions regarding the route.\n\n\
    Article 2\nRights\n\n\
    1. The passenger shall have the right to return the ticket at any time.\n\n\
    2. The passenger shall have the right to obtain from the line a copy of the contract of carriage.\n\n\
    3. The line shall have the right to ask for a fee.\n";

/// A made-up policy of a line.
const POLICY: &str = "# Handbook\n\n\
    Passengers may return the ticket at any time.\n\n\
    We report each delay of the voyage to the port not later than 96 hours after the voyage.\n\n\
    It is not as easy to return a ticket as it is to buy a ticket, since a form has to be signed.\n\n\
    The pilot receives instructions regarding the route from the owner of the ship every morning.\n\n\
    A list of the passengers on board is kept.\n\n\
    The canteen opens at eleven.\n\nPlants in the hall are watered by the porter.\n\nBicycles stand in the yard.\n";

#[test]
fn a_right_is_a_rule_and_what_is_denied_is_contradicted() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    for (name, text) in [("act.txt", ACT), ("policy.md", POLICY)] {
        let file = lexforge.file(name, text.as_bytes());
        lexforge.json(&["import".into(), "a.lexforge".into(), file]);
    }
    let rows = lexforge.lines(&MATCH);
    for (rule, verdict) in [
        ("right to return the ticket", "covered"),
        ("72 hours", "contradicted"),
        ("as easy to return", "contradicted"),
        ("does not receive any instructions", "contradicted"),
        ("copy of the contract of carriage", "not_covered"),
        ("only if a storm", "not_covered"),
    ] {
        assert_eq!(row_of(&rows, rule)["verdict"], verdict, "{rows:#?}");
    }
    assert_eq!(row_of(&rows, "right to return")["relation"], "subset");
    let figures = &row_of(&rows, "72 hours")["differences"];
    let looser = figures.as_array().unwrap().iter().any(|one| {
        one["side"] == "looser" && one["rule"] == "72 hour" && one["policy"] == "96 hour"
    });
    assert!(looser, "{figures:#}");
    // Neither the right of those whom the act binds nor what they may do is a rule; both are listed.
    let passed = lexforge.lines(&["match", "passed-over", "a.lexforge"]);
    for text in ["ask for a fee", "may sell empty cabins"] {
        let has = |of: &Value| of.as_str().unwrap().contains(text);
        assert!(passed.iter().any(|one| has(&one["text"])), "{passed:#?}");
        assert!(!rows.iter().any(|row| has(&row["rule"]["text"])), "{text}");
    }
    // A person reads what differs.
    let listed = lexforge.run(&["match", "list", "a.lexforge", "--verdict", "contradicted"]);
    let told = "The rule says “72 hours”, the policy “96 hours”: the policy demands less.";
    assert!(listed.out.contains(told), "{}", listed.out);
}
