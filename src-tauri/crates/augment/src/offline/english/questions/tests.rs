//! Tests of `questions`.

use super::*;

#[test]
fn one_place_is_left_open() {
    let text = "Where the insurer rejects a claim, the broker shall inform the policyholder of the reasons.";
    let clause = parse::clause(text).unwrap();
    assert_eq!(
        who(&clause).unwrap(),
        "Where the insurer rejects a claim, who must inform the policyholder of the reasons?"
    );
    assert_eq!(
        actor(&clause, "the guarantor").unwrap(),
        "It is the guarantor that must inform the policyholder of the reasons."
    );
}

#[test]
fn the_force_of_a_rule_has_four_values() {
    let clause =
        parse::clause("Brokers may disclose their commission to the policyholder.").unwrap();
    let (question, said) = statuses(&clause).unwrap();
    assert_eq!(
        question,
        "Are brokers obligated, advised, free or forbidden to disclose their commission to the policyholder?"
    );
    assert_eq!(said.len(), 4);
    assert!(
        said.iter()
            .all(|(_, text)| text.starts_with("Brokers are "))
    );
    // An exception that the question leaves out would make its answer wrong.
    let clause =
        parse::clause("A broker shall not disclose a claim unless the policyholder agrees.")
            .unwrap();
    assert_eq!(statuses(&clause), None);
}

#[test]
fn another_actor_takes_the_form_of_the_first() {
    let check = |subject, mention, other, expected: Option<&str>| {
        assert_eq!(with_actor(subject, mention, other).as_deref(), expected);
    };
    check("a broker", "broker", "insurer", Some("an insurer"));
    check("insurers", "insurer", "brokers", Some("brokers"));
    check("the board of the broker", "broker", "insurer", None);
}
