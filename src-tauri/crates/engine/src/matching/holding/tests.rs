use super::*;

#[track_caller]
fn check(rule: &str, statement: &str, expected: bool) {
    let likeness = Likeness {
        covered: 0.7,
        ..Likeness::default()
    };
    assert_eq!(
        holds(rule, statement, &likeness),
        expected,
        "{rule} | {statement}: {:?}",
        turns_on(rule)
    );
}

#[test]
fn what_covers_has_the_verb_and_the_object() {
    check(
        "The bank shall report a major incident to the supervisor.",
        "The bank reports each major incident to the supervisor.",
        true,
    );
    check(
        "To reach its goals, the office should have legal personality.",
        "The company will measure whether it has reached all goals.",
        false,
    );
    check(
        "Those measures shall be reviewed and updated where necessary.",
        "The firm must review incident procedures once a year, and update them as required.",
        false,
    );
    check(
        "Access rights shall be reviewed each month.",
        "Each month the team reviews access rights.",
        true,
    );
    check(
        "The officer shall have the following tasks: to train the staff.",
        "The officer must train staff.",
        true,
    );
    check(
        "The officer shall have the following tasks: to train the staff.",
        "The officer has the following tasks: he answers questions of staff.",
        false,
    );
    check(
        "The firm shall review and, where appropriate, update the policy at planned intervals.",
        "The firm reviews its policy at planned intervals and updates it.",
        true,
    );
    check(
        "The firm shall review and, where appropriate, update the policy at planned intervals.",
        "The firm reviews and updates, where appropriate, the register at planned intervals.",
        false,
    );
    // A control that states a fact.
    check("Access is reviewed.", "Access is reviewed each year.", true);
    let little = Likeness {
        covered: 0.3,
        ..Likeness::default()
    };
    assert!(!holds(
        "Access is reviewed.",
        "Access is reviewed.",
        &little
    ));
}

#[test]
fn what_forbids_and_what_allows_stand_in_the_main_clause() {
    assert!(denies("The firm shall not share data."));
    assert!(!denies("The notice shall not be required for small firms."));
    assert!(allows("Details may be shared with partners."));
    assert!(!allows("We answer incidents, which may take a day."));
    assert!(!allows("We share nothing."));
    // What can come to pass is not allowed.
    assert!(!allows("Details may need to be shared with partners."));
    assert!(allows("An incident may occur, and staff may report it."));
}

#[test]
fn what_leads_a_list_in_is_not_what_its_item_says() {
    let rule =
        "The record shall contain the following information: the purposes of the processing.";
    let log = "The log shall contain the following information: the tool that was used.";
    assert!(!touches(rule, "(b) the purposes of the processing;", log));
    assert!(touches(
        rule,
        "(b) the purposes of the processing;",
        "Purposes are listed."
    ));
    assert!(touches(rule, "", log));
    // The opening names the incident, too.
    let rule = "The plan for an incident shall include: recovery from the incident.";
    let item = "(c) recovery from the incident.";
    let notice = "The notice must include: a description of the incident.";
    assert!(!touches(rule, item, notice));
    assert!(touches(rule, item, "Recovery is tested each year."));
    assert!(!touches(rule, "", "Staff wash the cups."));
}

#[test]
fn what_is_left_out_is_told_as_the_rule_writes_it() {
    let rule = "The controller shall notify the breach to the Supervisory Authority.";
    assert_eq!(
        left_out(rule, "The controller notifies breaches."),
        ["Supervisory", "Authority"]
    );
    assert_eq!(shared(rule, "A breach."), ["breach"]);
}

#[test]
fn a_sum_is_one_word_with_its_currency() {
    for sum in ["EUR 20,000", "10 000 000 EUR", "CHF 1.500.000", "USD 500"] {
        let rule = format!("Cash above {sum} shall be held in a vault.");
        assert_eq!(left_out(&rule, "Cash is held in a vault."), ["above", sum]);
        assert_eq!(shared(&rule, &format!("A fee of {sum}.")), [sum]);
        assert!(shared(&rule, "A fee of EUR 7,000 or 45 000 CHF.").is_empty());
        assert_eq!(
            left_out(&rule, "Cash above EUR 7,000 is held in a vault."),
            [sum]
        );
    }
}

#[test]
fn what_chinese_texts_share_is_told_by_words_and_not_by_clauses() {
    let rule = "第二条 船舶进港前，船长应当向港务局报告货物的数量。";
    let near = "第十二条 船长每日应当记录货物。";
    assert_eq!(shared(rule, near), ["船长", "货物"]);
    assert!(shared(rule, "引航员应当着装整齐。").is_empty());
}

#[test]
fn an_office_is_no_officer() {
    let rule = "The head office shall keep the records of each officer.";
    let officer = "The data protection officers answer questions.";
    assert_eq!(shared(rule, officer), ["officer"]);
    let place = "The head offices are closed.";
    assert_eq!(shared(rule, place), ["head", "office"]);
    assert!(shared("The office is open.", officer).is_empty());
    // The verb and its noun stay one word.
    assert_eq!(shared("Keep a record.", "It was recorded."), ["record"]);
}
