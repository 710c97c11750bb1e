use super::*;

#[test]
fn several_questions_in_one_are_told_apart() {
    for (question, expected) in [
        (
            "Who must report a wreck, and within how long?",
            ["Who must report a wreck", "within how long"].as_slice(),
        ),
        (
            "Who must report a wreck, and within how many working days?",
            &["Who must report a wreck", "within how many working days"],
        ),
        (
            "When must the log be filed and how long can it be put off?",
            &["When must the log be filed", "how long can it be put off"],
        ),
        (
            "What must a master record? And for pilots?",
            &["What must a master record", "for pilots"],
        ),
        (
            "Who signs the log and who audits the harbour office?",
            &["Who signs the log", "who audits the harbour office"],
        ),
        (
            "Is a pilot needed at night and may the master refuse a pilot?",
            &[
                "Is a pilot needed at night",
                "may the master refuse a pilot",
            ],
        ),
        (
            "What is a berth and what is a mooring?",
            &["What is a berth", "what is a mooring"],
        ),
        // In lower case the first sign is two bytes shorter, and each of the last two is one byte longer.
        (
            "Who signs the log \u{212a}가 and when is \u{130}\u{130} due?",
            &["Who signs the log \u{212a}가", "when is \u{130}\u{130} due"],
        ),
        // One question.
        ("Is a pilot needed? By whom?", &[]),
        ("When and where must the log be filed?", &[]),
        ("Who decides on dues and how they are paid?", &[]),
        ("Who keeps what is found and how is it kept?", &[]),
        ("Must a master who steers and who sleeps sign the log?", &[]),
        ("Does the master, who signs the log, pay dues?", &[]),
        ("Which logs must be kept and may be sold?", &[]),
        ("Since the master pays, who signs and when is it due?", &[]),
        ("When a vessel leaves, what must the master record?", &[]),
        ("May I report it and have it stopped?", &[]),
        ("Who pays dues?", &[]),
        ("船长何时报告？由谁批准？", &[]),
        ("", &[]),
    ] {
        let said: Vec<String> = of(question).into_iter().map(|part| part.said).collect();
        assert_eq!(said, expected, "{question}");
    }
}

#[test]
fn a_part_is_looked_for_with_the_words_that_it_needs() {
    let parts = of("Who must report a wreck, and within how long?");
    assert_eq!(parts[1].asked, "within how long must report a wreck");
    assert_eq!(parts[1].wanted, Some(Beside::Time));
    assert!(parts[0].wanted.is_none() && parts[1].adds.is_empty());
    let parts = of("What must a master record? And for pilots?");
    assert_eq!(parts[1].asked, "for pilots must a master record");
    assert_eq!((parts[1].adds.as_str(), parts[1].wanted), ("pilots", None));
}

#[test]
fn what_is_compared_stands_side_by_side() {
    for (question, expected) in [
        (
            "What is the difference between a berth and the mooring?",
            Some(["berth", "mooring"]),
        ),
        (
            "How do berths and moorings differ?",
            Some(["berths", "moorings"]),
        ),
        (
            "How does a pilot differ from a harbour master under the Act?",
            Some(["pilot", "harbour master"]),
        ),
        ("Berth vs. mooring", Some(["Berth", "mooring"])),
        (
            "What is the difference between phase one and phase two permits?",
            Some(["phase one permits", "phase two permits"]),
        ),
        ("How do dues and fees and fines differ?", None),
        ("How do pilots report?", None),
        (
            "Is there a difference between dues in ports and in bays?",
            None,
        ),
        ("Is there a difference in dues?", None),
    ] {
        let found = compared(question);
        let found = found.as_ref().map(|[a, b]| [a.as_str(), b.as_str()]);
        assert_eq!(found, expected, "{question}");
    }
    let parts = of("How do berths and moorings differ?");
    assert_eq!(parts[0].asked, "What is berths?");
    assert_eq!(parts[1].adds, "moorings");
}

#[test]
fn a_question_goes_on_from_the_one_before() {
    let before = "What must a master record?";
    let on = |question| continued(before, question).map(|part| part.asked);
    let pilots = Some("for pilots must a master record".to_owned());
    assert_eq!(on("And for pilots?"), pilots);
    assert_eq!(on("for pilots?"), pilots);
    assert_eq!(
        on("How long is it kept?"),
        Some("How long is it kept must a master record".to_owned())
    );
    for question in [
        "Who audits the harbour office?",
        "And who audits the harbour office?",
        "Is it allowed to moor two tugs at night?",
    ] {
        assert_eq!(on(question), None, "{question}");
    }
    assert_eq!(continued("", "And for pilots?"), None);
}
