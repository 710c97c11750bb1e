//! Descriptions in running text, form by form.

use crate::definitions::find as all;
use lexforge_domain::term::DefinitionKind;
use lexforge_domain::text::Language;

fn check(text: &str, expected: &[(&str, &str)]) {
    let found = all(text, Language::En);
    let pairs: Vec<(&str, &str)> = found
        .iter()
        .map(|d| (d.term.as_str(), d.definition.as_str()))
        .collect();
    assert_eq!(pairs, expected, "{text:?}");
    for one in &found {
        let span: String = text
            .chars()
            .skip(one.start)
            .take(one.end - one.start)
            .collect();
        assert!(
            span.contains(&one.term) && span.contains(&one.definition),
            "{span:?}"
        );
    }
}

#[test]
fn the_name_comes_last() {
    check(
        "Ropes that hold up a mast are called stays.",
        &[("stays", "Ropes that hold up a mast")],
    );
    check(
        "When the tide neither rises nor falls, it is called slack water.",
        &[("slack water", "When the tide neither rises nor falls")],
    );
    check("It is called a keel by most sailors in this port.", &[]);
    check("The Old Harbour is often called the Basin.", &[]);
}

#[test]
fn a_name_within_a_sentence() {
    check(
        "The deck has scuppers, which are openings that let water run off.",
        &[("scuppers", "openings that let water run off")],
    );
    check(
        "They steer by dead reckoning — that is, the estimate of a position from speed and time.",
        &[(
            "dead reckoning",
            "the estimate of a position from speed and time",
        )],
    );
    check(
        "He carried a sextant, an instrument that measures angles.",
        &[("sextant", "an instrument that measures angles")],
    );
    check("They saw a pilot, a buoy that swung, and a light.", &[]);
}

#[test]
fn verbs_that_explain() {
    check(
        "Demurrage refers to the charge for a ship kept too long in port.",
        &[("Demurrage", "the charge for a ship kept too long in port.")],
    );
    check(
        "A collision occurs when two ships touch each other at sea.",
        &[("collision", "two ships touch each other at sea")],
    );
    check("Sailors refer to this wind as a gale of the north.", &[]);
}

#[test]
fn a_relative_clause_defines() {
    check(
        "The mark stands above the draught, which is defined as the depth of a hull in the water.",
        &[("draught", "the depth of a hull in the water")],
    );
}

#[test]
fn duties_define_nothing_and_legal_forms_are_surer() {
    check(
        "A master shall keep a log, which is a record that shows each day.",
        &[],
    );
    let kinds: Vec<DefinitionKind> = all(
        "‘Log’ means a record of a voyage. A tiller is a bar that turns a rudder.",
        Language::En,
    )
    .iter()
    .map(|d| d.kind)
    .collect();
    assert_eq!(kinds, [DefinitionKind::Legal, DefinitionKind::Descriptive]);
}

#[test]
fn an_apposition_between_dashes_or_in_brackets() {
    check(
        "A ship loses some of its freeboard — the distance between the deck and the water.",
        &[],
    );
    check(
        "The port asks for wharfage — the charge that a ship pays to lie at a quay — each day.",
        &[("wharfage", "the charge that a ship pays to lie at a quay")],
    );
    check(
        "The owners complained of primage (the fee that a master received for his care) in vain.",
        &[("primage", "the fee that a master received for his care")],
    );
    // After a comma an article or a plural says too little: what follows goes on with the sentence or with a list.
    check(
        "Show, if different, the name of the person to whom it is owed.",
        &[],
    );
    check(
        "They keep sound systems, processes that work and good staff.",
        &[],
    );
    check(
        "After the gale, the harbour master said that all was well.",
        &[],
    );
}

#[test]
fn something_that_and_what_it_means() {
    check(
        "Flotsam is something that floats after a wreck at sea.",
        &[("Flotsam", "something that floats after a wreck at sea")],
    );
    check(
        "They got off the bank by kedging, which means hauling a ship forward by her anchor.",
        &[("kedging", "hauling a ship forward by her anchor")],
    );
    check(
        "The wind was falling, which means that the boats came home late.",
        &[],
    );
}

#[test]
fn what_an_act_is_known_for() {
    check(
        "Parliament passed the Harbour Dues Act of 1871, which abolished all tolls on the river.",
        &[(
            "Harbour Dues Act of 1871",
            "abolished all tolls on the river",
        )],
    );
    check(
        "They read the Act, which abolished all tolls on the river.",
        &[],
    );
    check(
        "The Harbour Dues Act of 1871 requires masters to keep a record of each voyage.",
        &[],
    );
}

#[test]
fn a_duty_counts_where_the_name_stands() {
    check(
        "Standing charges, which are costs that remain in port, must be shown each year.",
        &[(
            "Standing charges",
            "costs that remain in port, must be shown each year",
        )],
    );
    check(
        "A master must show standing charges, which are costs that remain in port.",
        &[],
    );
}

#[test]
fn what_is_often_so_or_stands_after_a_pronoun_defines_nothing() {
    for text in [
        "Crews often consist of people who come from the same village.",
        "One thing will surprise you: the rules of the northern ports in winter.",
        "Its mast is a spar for its sail — that is, the sail hangs on that spar.",
        "The pilot wrote: The rights of a port that lies on the river are old.",
    ] {
        check(text, &[]);
    }
}
