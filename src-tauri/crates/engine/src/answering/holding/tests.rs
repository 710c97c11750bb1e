use super::*;
use crate::answering::made::sentence;

#[test]
fn what_holds_what_is_asked_for_comes_first_and_stands_alone() {
    use Holds::{AsRecital, AsRule, Nothing};
    let order = |held: [Holds; 3]| in_order(vec![4, 7, 2], &held);
    assert_eq!(order([AsRule, Nothing, AsRule]), [4, 2]);
    assert_eq!(order([AsRule, Nothing, Nothing]), [4]);
    assert_eq!(order([Nothing, AsRule, Nothing]), [7, 4, 2]);
    assert_eq!(order([Nothing; 3]), [4, 7, 2]);
    assert_eq!(order([AsRecital, AsRule, Nothing]), [7, 4]);
    assert_eq!(order([AsRecital, Nothing, Nothing]), [4]);
    assert_eq!(order([Nothing, AsRecital, AsRule]), [2, 7, 4]);
}

#[test]
fn what_cannot_tell_a_figure_answers_no_question_for_it() {
    let told = |question, text| {
        let wanted = Wanted::of(question);
        wanted.is_none_or(|wanted| wanted.may_be_told_in(question, text))
    };
    for (question, text, so) in [
        (
            "How long is a log kept?",
            "A log is kept by its master.",
            false,
        ),
        ("How long is a log kept?", "It is kept for 5 years.", true),
        (
            "How long is a log kept?",
            "It is kept until the vessel is sold.",
            true,
        ),
        // In which case it is kept is not how long.
        (
            "How long is a log kept?",
            "It is kept when a vessel was damaged.",
            false,
        ),
        ("How often is a log read?", "It is read once a year.", true),
        (
            "How much is paid for a log?",
            "A log has a red cover.",
            false,
        ),
        (
            "How much is paid for a log?",
            "A log is free of charge.",
            true,
        ),
        (
            "How many pilots has a port?",
            "A port is open for 12 hours.",
            false,
        ),
        (
            "How many pilots has a port?",
            "A port has two pilots.",
            true,
        ),
        (
            "How many jobs has a pilot?",
            "A pilot has three tasks.",
            true,
        ),
        (
            "How many pilots has a port?",
            "A port has more than one of its pilots at sea.",
            false,
        ),
        (
            "How many pilots has a port?",
            "A port of Category 3 has pilots.",
            false,
        ),
        (
            "How much is paid for a log?",
            "A log of Class 2 is paid for on 1 March 2020.",
            false,
        ),
        ("When is a log needed?", "A log is needed in fog.", true),
        (
            "When is a log needed?",
            "No log is needed on a barge.",
            false,
        ),
        // Beside it stands a duty, but for something else.
        (
            "When is a log of a berth required?",
            "A list tells on which barge no log of a berth is required. The office shall publish such lists.",
            false,
        ),
        (
            "When is a log of a berth required?",
            "Each office shall: (a) file the requirement for a log of a berth;",
            false,
        ),
        (
            "When is a log of a berth required?",
            "Each master shall: (a) keep a log of a berth where it is red;",
            true,
        ),
        (
            "When is it necessary to tell a pilot?",
            "Pilots are paid. Where there is fog, a master shall notify a pilot.",
            true,
        ),
        (
            "When is it necessary to tell a pilot?",
            "Where there is fog, a master shall ring a bell.",
            false,
        ),
        (
            "When must a log be filed?",
            "A log is filed with the port.",
            false,
        ),
        (
            "When must a log be filed?",
            "A log is filed within 5 days.",
            true,
        ),
        (
            "When must a log be filed?",
            "A log is filed if a vessel sinks.",
            true,
        ),
        // The case in which something is done anyway is no answer to when or how often that is.
        (
            "When must a log be filed?",
            "A log is filed with the port, when appropriate.",
            false,
        ),
        (
            "When must a master file a log?",
            "4.When filing a log, a master shall sign it.",
            false,
        ),
        (
            "When must a log be filed?",
            "A master shall ask the warden, where designated, when filing a log.",
            false,
        ),
        (
            "How often must a master check a log?",
            "4.When checking a log, a master shall sign it.",
            false,
        ),
        (
            "How often must a master check a log?",
            "A log is checked when leaving a port.",
            true,
        ),
        // Nor is a deadline.
        (
            "How often must a log be checked?",
            "A log must be checked within 30 days after the day of the first voyage.",
            false,
        ),
        (
            "How often must a log be checked?",
            "A log must be checked within 12 months of the last check.",
            true,
        ),
        // A limit is not paid.
        (
            "How much do we pay for a log?",
            "A log lists cargo under 500 euros.",
            false,
        ),
        (
            "How much do we pay for a log?",
            "The fee for a log is 5 euros.",
            true,
        ),
        // Nor is "once a year" a length.
        (
            "How many hours of training must a pilot attend?",
            "A pilot attends training once a year.",
            false,
        ),
        (
            "How many hours of training must a pilot attend?",
            "A pilot attends two days of training once a year.",
            true,
        ),
        ("Who keeps a log?", "A log has a red cover.", true),
    ] {
        assert_eq!(told(question, text), so, "{question}: {text}");
    }
}

#[test]
fn a_figure_of_something_else_answers_no_question_for_it() {
    let told = |question: &str, texts: &[&str]| {
        let of = |text: &&str| sentence(SentenceKind::Rule, text);
        let sentences: Vec<Sentence> = texts.iter().map(of).collect();
        Wanted::of(question).is_none_or(|wanted| wanted.is_told_of_it(question, &sentences))
    };
    for (question, texts, so) in [
        (
            "How long is a log of a berth kept?",
            ["A log of a berth is kept for 5 years.", "A fee is due."].as_slice(),
            true,
        ),
        // The sentence with the figure goes on about it.
        (
            "How long is a log of a berth kept?",
            &[
                "A master keeps a log of a berth.",
                "It is kept for 5 years.",
            ],
            true,
        ),
        (
            "How long is a log of a berth kept?",
            &["A log of a berth is kept.", "Lamps burn for 5 hours."],
            false,
        ),
        // Something else is done with it.
        (
            "How long must a log be kept?",
            &["A log must be shown within 5 days."],
            false,
        ),
        (
            "How long must a log be stored?",
            &["A log must be retained for 5 days."],
            true,
        ),
        (
            "How long can a fee be postponed?",
            &["The office may extend a fee by 5 days."],
            true,
        ),
        // This sentence introduces what the question asks for.
        (
            "What is the maximum fine for a late log of a berth?",
            &[
                "A fine of up to 5 euros is due for:",
                "• a late log of a berth;",
            ],
            true,
        ),
        // Led in.
        (
            "How long is a log of a berth kept?",
            &["A log of a berth is kept:", "for 5 years, where it is red;"],
            true,
        ),
        ("Who keeps a log?", &["Lamps burn for 5 hours."], true),
    ] {
        assert_eq!(told(question, texts), so, "{question}: {texts:?}");
    }
}

#[test]
fn what_is_measured_is_named_by_the_clause_or_above_it() {
    for (thing, texts, so) in [
        (
            "leave",
            ["Leave of masters", "A master gets 5 days."].as_slice(),
            true,
        ),
        ("leave", &["Night work", "A master gets 5 days."], false),
        ("vacation", &["A master gets 5 days of annual leave."], true),
        ("vacation", &["A master gets 5 days for a report."], false),
    ] {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(speak_of(thing, &texts), so, "{thing}: {texts:?}");
    }
}

#[test]
fn a_question_wants_a_figure_or_a_permission() {
    let holds = |question, text| Wanted::of(question).map(|wanted| wanted.is_in(text));
    let rule = "A master shall report within 10 days.";
    assert_eq!(holds("How long has a master to report?", rule), Some(true));
    assert_eq!(
        holds("How long has a master to report?", "He reports."),
        Some(false)
    );
    assert_eq!(holds("May a master report late?", rule), Some(true));
    assert_eq!(
        holds("May a master report late?", "A log is a book."),
        Some(false)
    );
    assert_eq!(holds("Who reports?", rule), None);
}

#[test]
fn clauses_without_the_figure_are_left_out_behind_one_that_tells_it() {
    for (question, so) in [
        ("停泊费要交多少", true),
        ("泊位凭证要保存几年？", true),
        ("泊位凭证由谁保存？", false),
        // What else is asked for may stand in a clause without a figure.
        ("泊位凭证由谁保存，保存几年？", false),
        ("泊位凭证和日志要保存几年？", false),
        // Its first part asks nothing.
        ("泊位凭证丢了，几天内要补办？", true),
    ] {
        assert_eq!(asks_only_for_a_figure(question), so, "{question}");
    }
    for (tells, left) in [
        ([true, false, true], vec![4, 9]),
        ([true, true, true], vec![4, 7, 9]),
        ([false, true, true], vec![7, 9]),
        ([false, false, false], vec![4, 7, 9]),
    ] {
        assert_eq!(those_that_tell(vec![4, 7, 9], &tells), left, "{tells:?}");
    }
    assert!(those_that_tell(Vec::new(), &[]).is_empty());
}
