//! Tests of `parse`.

use super::*;

#[test]
fn rules_are_taken_apart_and_put_together() {
    let check = |text: &str, lead: &str, subject: &str, modal: &str, duty| {
        let parts = clause(text).unwrap();
        assert_eq!(
            (
                parts.lead.as_str(),
                parts.subject.as_str(),
                parts.modal.as_str()
            ),
            (lead, subject, modal)
        );
        assert_eq!(parts.duty, duty);
        assert_eq!(
            render(&parts.lead, &parts.subject, &parts.modal, &parts.predicate),
            text
        );
    };
    check(
        "The processor shall notify the controller without undue delay.",
        "",
        "the processor",
        "shall",
        Duty::Must,
    );
    check(
        "Where the bank fails to pay, the authority may revoke its licence.",
        "Where the bank fails to pay,",
        "the authority",
        "may",
        Duty::May,
    );
    check(
        "In the case of a breach, the controller shall, where feasible, notify the authority.",
        "In the case of a breach,",
        "the controller",
        "shall",
        Duty::Must,
    );
    check(
        "Member States shall not restrict the free movement of data.",
        "",
        "Member States",
        "shall not",
        Duty::MustNot,
    );
}

#[test]
fn what_has_no_simple_subject_is_left_whole() {
    for text in [
        "It shall be accompanied by reasons.",
        "Any person who may be affected has a right to be heard.",
        "This Regulation protects fundamental rights of natural persons.",
        "No person may act as auditor of the bank.",
    ] {
        assert_eq!(clause(text), None, "{text}");
    }
}

#[test]
fn definitions() {
    let check = |text: &str, term: &str| assert_eq!(definition(text).unwrap().0, term);
    check(
        "‘processing’ means any operation which is performed on personal data.",
        "processing",
    );
    check(
        "The term “branch” refers to a place of business of a bank.",
        "branch",
    );
    assert_eq!(
        definition("Sanctions has the meaning given in section 258."),
        None
    );
}

#[test]
fn who_acts() {
    let check = |subject, expected| assert_eq!(is_agent(subject), expected, "{subject}");
    check("the controller", true);
    check("the supervisory authority of a Member State", true);
    check("an Authorised Person", true);
    check("the processing", false);
    check("the register", false);
    check("Relevant Persons", true);
}
