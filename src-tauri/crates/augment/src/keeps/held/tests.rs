use super::*;

#[track_caller]
fn check(rule: &str, statement: &str, language: Language, expected: &[(Binding, Side)]) {
    let found = held(rule, statement, language);
    let sides: Vec<(Binding, Side)> = found.iter().map(|h| (h.kind, h.side)).collect();
    assert_eq!(sides, expected, "{statement}: {found:?}");
}

#[test]
fn one_day_of_work_is_a_figure() {
    let rule = "The incident shall be recorded within one business day.";
    let looser = [(Binding::Number, Side::Looser)];
    let said = "We record incidents within two business days.";
    check(rule, said, Language::En, &looser);
    let said = "We record incidents within one working day.";
    check(rule, said, Language::En, &[]);
    let said = "We record the incident, one business after another.";
    let rule = "The firm shall record the incident.";
    check(rule, said, Language::En, &[]);
}

#[test]
fn a_weaker_word_is_looser() {
    let rule = "The bank shall review access rights.";
    let looser = [(Binding::Modal, Side::Looser)];
    check(
        rule,
        "The team may review access rights.",
        Language::En,
        &looser,
    );
    check(
        rule,
        "The team should review access rights.",
        Language::En,
        &looser,
    );
    check(rule, "Access rights are reviewed.", Language::En, &[]);
    check(
        rule,
        "The team must review access rights.",
        Language::En,
        &[],
    );
    let forbids = "Staff must not share passwords.";
    check(forbids, "Staff may share passwords.", Language::En, &looser);
    check(forbids, "Staff never share passwords.", Language::En, &[]);
    check(
        "银行应当复核权限。",
        "本行可以复核权限。",
        Language::Zh,
        &looser,
    );
    assert_eq!(
        force("It may be kept.", Language::En).map(|f| f.0),
        Some(Force::May)
    );
    assert_eq!(force("It is kept.", Language::En), None);
}

#[test]
fn a_weaker_word_about_another_action_is_no_difference() {
    let rule = "The file shall contain the recovery plan and the result of its latest test.";
    let looser = [(Binding::Modal, Side::Looser)];
    for statement in [
        "The recovery plan may be tested with the provider.",
        "The recovery plan should be tested.",
    ] {
        check(rule, statement, Language::En, &[]);
    }
    for statement in [
        "The file may contain the recovery plan.",
        "The plan may be tested, and the file may contain its result.",
    ] {
        check(rule, statement, Language::En, &looser);
    }
    let forbids = "Staff must not publish the result of a test.";
    check(forbids, "Staff may test the plan.", Language::En, &[]);
    check(
        forbids,
        "Staff may publish the result.",
        Language::En,
        &looser,
    );
}

#[test]
fn a_longer_limit_and_a_shorter_keeping_are_looser() {
    let looser = [(Binding::Number, Side::Looser)];
    let stricter = [(Binding::Number, Side::Stricter)];
    let limit = "The bank shall report the incident within 72 hours.";
    check(
        limit,
        "Incidents are reported within 5 days.",
        Language::En,
        &looser,
    );
    check(
        limit,
        "Incidents are reported within 24 hours.",
        Language::En,
        &stricter,
    );
    check(
        limit,
        "Incidents are reported within three days.",
        Language::En,
        &[],
    );
    check(
        limit,
        "Incidents are reported without delay.",
        Language::En,
        &[],
    );
    let keeping = "Records shall be retained for five years.";
    check(
        keeping,
        "Records are retained for 2 years.",
        Language::En,
        &looser,
    );
    check(
        keeping,
        "Records are retained for ten years.",
        Language::En,
        &stricter,
    );
    let least = "The bank shall hold at least 8 % of its exposures.";
    check(
        least,
        "We hold at least 6 % of our exposures.",
        Language::En,
        &looser,
    );
    check(
        "应当在二十四小时内报告。",
        "应当在三日内报告。",
        Language::Zh,
        &looser,
    );
}

#[test]
fn how_often_is_weighed_in_words_and_figures() {
    let looser = [(Binding::Number, Side::Looser)];
    let rule = "The plan shall be tested annually.";
    check(
        rule,
        "The plan is tested every two years.",
        Language::En,
        &looser,
    );
    check(rule, "The plan is tested once a year.", Language::En, &[]);
    let quarter = [(Binding::Number, Side::Stricter)];
    check(
        rule,
        "The plan is tested quarterly.",
        Language::En,
        &quarter,
    );
    check(
        "Access is reviewed every six months.",
        "Access is reviewed annually.",
        Language::En,
        &looser,
    );
}
