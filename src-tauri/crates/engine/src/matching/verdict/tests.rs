//! Tests of `verdict`.

use super::*;
use crate::matching::pick::picked;
use crate::matching::sides::Sides;
use crate::matching::weigh::Likeness;
use lexforge_domain::api::WhyNotReason;
use lexforge_domain::text::SentenceKind;
use lexforge_store::words;

/// One statement beside a rule, by words alone, among others that are about something else.
fn beside(rule: &str, statement: &str) -> Beside {
    let others = [
        "Visitors sign in at the reception and wear a badge.",
        "The canteen opens at eleven and closes at two.",
        "Expenses are refunded at the end of the quarter.",
    ];
    let (rule, statement) = (picked(rule), picked(statement));
    let mut texts = vec![statement.compared.clone()];
    texts.extend(others.map(|text| picked(text).compared));
    let sides = Sides::new(std::slice::from_ref(&rule.compared), &texts);
    let likeness = Likeness::of(&sides, &sides.scores(0), 0, 0);
    Beside::of(&rule, &statement, likeness)
}

fn check(rule: &str, statement: &str, expected: MatchVerdict) {
    let beside = beside(rule, statement);
    let (found, _) = verdict(std::slice::from_ref(&beside), beside.probability);
    assert_eq!(found, expected, "{beside:?}");
}

#[test]
fn a_rule_is_covered_contradicted_or_not() {
    let rule = "The bank shall report a major incident to the supervisor within 72 hours.";
    check(
        rule,
        "The bank reports each major incident to the supervisor within 72 hours.",
        MatchVerdict::Covered,
    );
    check(
        rule,
        "The bank reports each major incident to the supervisor within 10 days.",
        MatchVerdict::Contradicted,
    );
    check(
        rule,
        "The bank may report a major incident to the supervisor within 72 hours.",
        MatchVerdict::Contradicted,
    );
    check(
        rule,
        "The bank reports each major incident to the supervisor.",
        MatchVerdict::Partly,
    );
    check(
        rule,
        "Staff wash the cups after use.",
        MatchVerdict::NotCovered,
    );
}

#[test]
fn a_rule_that_is_turned_round_is_not_covered() {
    for (rule, statement, expected) in [
        (
            "The bank shall inform each customer before the tariff changes.",
            "The bank informs each customer after the tariff changes.",
            MatchVerdict::Contradicted,
        ),
        (
            "The bank shall inform each customer before the tariff changes.",
            "The bank informs each customer before the tariff changes.",
            MatchVerdict::Covered,
        ),
        (
            "All customer records shall be kept in the archive.",
            "Some customer records are kept in the archive.",
            MatchVerdict::Contradicted,
        ),
        (
            "The bank shall notify the supervisor unless the amount is small.",
            "The bank notifies the supervisor if the amount is small.",
            MatchVerdict::Contradicted,
        ),
    ] {
        check(rule, statement, expected);
    }
}

#[test]
fn what_bears_on_a_rule_says_something_of_it() {
    let rule = "The firm shall send its plan of conduct to the supervisor.";
    let lead_in = "The plan of conduct is outlined below:";
    check(rule, lead_in, MatchVerdict::NotCovered);
    let likeness = Likeness {
        words: 0.9,
        covered: 0.4,
        ..Likeness::default()
    };
    let cups = picked("Staff wash the cups after use.");
    let beside = Beside::of(&picked(rule), &cups, likeness);
    let found = verdict(std::slice::from_ref(&beside), beside.probability);
    assert_eq!(found, (MatchVerdict::NotCovered, None), "{beside:?}");
}

#[test]
fn a_title_and_the_meaning_of_a_word_cover_no_rule() {
    let rule = picked("The firm shall have a remote access policy.");
    let verdict_of = |text: &str, kind: SentenceKind| {
        let statement = Picked {
            kind,
            ..picked(text)
        };
        // Words and meaning are as near as they can be.
        let likeness = Likeness {
            words: 0.9,
            covered: 0.9,
            covering: 0.9,
            meaning: Some(0.9),
            ..Likeness::default()
        };
        let beside = Beside::of(&rule, &statement, likeness);
        let (found, by) = verdict(std::slice::from_ref(&beside), 0.0);
        (found, by, beside.why_not(&rule, &statement).reason)
    };
    let said = "The firm has a remote access policy.";
    let (found, by, _) = verdict_of(said, SentenceKind::Rule);
    assert_eq!((found, by), (MatchVerdict::Covered, Some(0)));
    for (text, kind, expected) in [
        (
            "a. Remote Access Policy",
            SentenceKind::Heading,
            WhyNotReason::Title,
        ),
        (
            "Remote access policy: what the firm says of remote access.",
            SentenceKind::Definition,
            WhyNotReason::BindsNobody,
        ),
    ] {
        let found = verdict_of(text, kind);
        assert_eq!(found, (MatchVerdict::NotCovered, None, expected), "{text}");
    }
}

#[test]
fn what_a_document_is_for_covers_only_a_rule_that_demands_one() {
    let said = "This policy defines requirements for the oversight of carriers.";
    let verdict_of = |rule: &str| {
        let likeness = Likeness {
            words: 0.9,
            covered: 0.9,
            covering: 0.9,
            meaning: Some(0.9),
            ..Likeness::default()
        };
        let (rule, said) = (picked(rule), picked(said));
        let beside = Beside::of(&rule, &said, likeness);
        let (found, _) = verdict(std::slice::from_ref(&beside), 0.0);
        (found, beside.why_not(&rule, &said).reason)
    };
    let rule = "The firm shall review the oversight of carriers each year.";
    let expected = (MatchVerdict::NotCovered, WhyNotReason::OfADocument);
    assert_eq!(verdict_of(rule), expected);
    let (found, _) = verdict_of("The firm shall establish a policy on the oversight of carriers.");
    assert_ne!(found, MatchVerdict::NotCovered);
}

#[test]
fn other_words_of_a_near_meaning_touch_a_rule_and_no_item() {
    let said = picked("Staff lock their screens.");
    for (item, expected) in [
        ("", MatchVerdict::Partly),
        ("secure workstations.", MatchVerdict::NotCovered),
    ] {
        let mut rule = picked("Personnel shall: secure workstations.");
        rule.compared.item = item.to_owned();
        let likeness = Likeness {
            meaning: Some(0.73),
            ..Likeness::default()
        };
        let beside = Beside::of(&rule, &said, likeness);
        let (found, _) = verdict(std::slice::from_ref(&beside), 0.0);
        assert_eq!(found, expected, "{item}");
    }
}

#[test]
fn the_name_of_a_control_covers_a_part_at_most() {
    let rule = picked("The firm shall do annual penetration testing.");
    for (text, expected) in [
        ("a. Annual Penetration Testing", MatchVerdict::Partly),
        (
            "The firm does annual penetration testing.",
            MatchVerdict::Covered,
        ),
    ] {
        let likeness = Likeness {
            words: 0.9,
            covered: 0.9,
            covering: 0.9,
            meaning: Some(0.9),
            ..Likeness::default()
        };
        let beside = Beside::of(&rule, &picked(text), likeness);
        let (found, _) = verdict(std::slice::from_ref(&beside), 0.0);
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_figure_in_words_is_a_figure() {
    assert!(has_figure("within 3 days") && has_figure("within Three days"));
    assert!(has_figure("within seventy-two hours"));
    assert!(!has_figure("One of the officers reports it."));
    let rule = "The bank shall report a major incident to the supervisor within 72 hours.";
    let said = "The bank reports each major incident to the supervisor";
    assert!(!beside(rule, &format!("{said} within three days.")).lacks());
    assert!(beside(rule, &format!("{said}.")).lacks());
}

#[test]
fn a_shorter_time_before_something_does_not_cover_the_rule() {
    let rule = "The bank shall inform each customer 30 days before the change of its tariff.";
    check(
        rule,
        "The bank informs each customer 10 days before the change of its tariff.",
        MatchVerdict::Contradicted,
    );
}

#[test]
fn only_limits_are_limits() {
    assert_eq!(limit_figures("within 72 hours."), "72 hours");
    assert_eq!(limit_figures("Article 5 applies."), "");
}

#[test]
fn the_words_of_the_heading_alone_cover_no_part_of_a_rule() {
    let mut rule = picked("The harbour shall lock lent tools at night.");
    let statement = picked("The harbour keeps a list of lent tools.");
    let likeness = |meaning: f64| Likeness {
        words: 0.5,
        covered: 0.6,
        covering: 0.6,
        meaning: Some(meaning),
        ..Likeness::default()
    };
    let verdict_of = |rule: &Picked, meaning: f64| {
        let beside = Beside::of(rule, &statement, likeness(meaning));
        let why = beside.why_not(rule, &statement).reason;
        (verdict(&[beside], 0.0).0, why)
    };
    assert_eq!(verdict_of(&rule, 0.7).0, MatchVerdict::Partly);
    // Beside other rules about lent tools.
    rule.own_words = words("lock night").into_iter().collect();
    let apart = (MatchVerdict::NotCovered, WhyNotReason::AnotherRule);
    assert_eq!(verdict_of(&rule, 0.7), apart);
    // Very near by meaning, it may hold a part in other words.
    assert_eq!(verdict_of(&rule, 0.9).0, MatchVerdict::Partly);
    // A name alone is near by its heading.
    let name = picked("a. Lent tools");
    let beside = Beside::of(&rule, &name, likeness(0.9));
    assert_eq!(verdict(&[beside], 0.0).0, MatchVerdict::NotCovered);
}
