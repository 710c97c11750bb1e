use super::super::force::{Force, force};
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

#[test]
fn a_longer_time_before_something_is_stricter() {
    let looser = [(Binding::Number, Side::Looser)];
    let stricter = [(Binding::Number, Side::Stricter)];
    let other = [(Binding::Number, Side::Other)];
    let rule = "The bank shall inform its customers 30 days before the change.";
    for (statement, expected) in [
        (
            "Customers are informed 10 days before the change.",
            &looser[..],
        ),
        ("Customers are informed 60 days in advance.", &stricter),
        (
            "Customers are informed two months prior to a change.",
            &stricter,
        ),
        (
            "Customers get 14 days' written notice of a change.",
            &looser,
        ),
        ("Customers are informed 30 days in advance.", &[]),
        ("Customers are informed 5 days after the change.", &other),
    ] {
        check(rule, statement, Language::En, expected);
    }
    for rule in [
        "Each customer shall be informed 30 days in advance.",
        "Customers shall be informed no later than 30 days before the change.",
        "Customers shall be given a notice of 30 days.",
        "Customers shall be informed 30 (thirty) calendar days before the change.",
    ] {
        let statement = "Customers are informed ten days before a change.";
        let found = held(rule, statement, Language::En);
        assert!(
            !found.is_empty() && found.iter().all(|h| h.side == Side::Looser),
            "{rule}: {found:?}"
        );
    }
    // A time within which something is done, or that is looked at, stays what it was.
    let limit = "The bank shall report within 30 days before the end of the year.";
    let statement = "It is reported within 10 days before the end of the year.";
    check(limit, statement, Language::En, &stricter);
    let window = "The turnover in the 12 months before the merger shall be stated within 5 days.";
    let statement = "The turnover in the 6 months before the merger is stated within 5 days.";
    assert!(
        held(window, statement, Language::En)
            .iter()
            .all(|h| h.side != Side::Looser)
    );
}

#[test]
fn a_longer_time_before_something_is_stricter_in_chinese() {
    let looser = [(Binding::Number, Side::Looser)];
    let stricter = [(Binding::Number, Side::Stricter)];
    for (rule, statement, expected) in [
        (
            "银行应当提前30日通知客户。",
            "本行提前10日通知客户。",
            &looser,
        ),
        (
            "银行应当提前30日通知客户。",
            "本行提前60日通知客户。",
            &stricter,
        ),
        (
            "应当在贷款到期前三十日通知借款人。",
            "贷款到期前七日通知借款人。",
            &looser,
        ),
        (
            "应当于会议召开10日前通知股东。",
            "会议召开5日前通知股东。",
            &looser,
        ),
        (
            "内部审计部门应当至少提前30日通知。",
            "提前60日通知。",
            &stricter,
        ),
        // A day of a month is a deadline: the earlier one is stricter.
        (
            "应当于每月15日前报送报表。",
            "每月10日前报送报表。",
            &stricter,
        ),
        (
            "应当于次月10日前报送报表。",
            "次月15日前报送报表。",
            &looser,
        ),
        (
            "应当在贷款到期前30日内通知。",
            "贷款到期前60日内通知。",
            &looser,
        ),
    ] {
        check(rule, statement, Language::Zh, expected);
    }
    // 国内 and 境内 set no limit.
    let rule = "国内分行的担保期限为5年。";
    check(
        rule,
        "担保期限为10年。",
        Language::Zh,
        &[(Binding::Number, Side::Other)],
    );
}

#[test]
fn a_figure_from_which_a_duty_begins_is_looser_where_it_is_greater() {
    let sides = |rule: &str, statement: &str, language| -> Vec<Side> {
        let found = held(rule, statement, language);
        let figures = found.iter().filter(|h| h.kind == Binding::Number);
        figures.map(|h| h.side).collect()
    };
    for rule in [
        "Transactions above EUR 10,000 shall be reported.",
        "A transaction of EUR 10,000 or more must be reported.",
        "The bank shall report each transaction above EUR 10,000.",
        "The bank shall report transactions of more than EUR 10,000.",
        "If the amount exceeds EUR 10,000, the bank shall report the transaction.",
        "The bank shall report a transaction where its amount exceeds EUR 10,000.",
        "Staff shall not accept gifts above EUR 10,000.",
        "Gifts exceeding EUR 10,000 shall not be accepted.",
    ] {
        let higher = "It is done for amounts above EUR 15,000.";
        assert_eq!(sides(rule, higher, Language::En), [Side::Looser], "{rule}");
        let lower = "It is done for amounts above EUR 5,000.";
        assert_eq!(sides(rule, lower, Language::En), [Side::Stricter], "{rule}");
    }
    for rule in [
        "The bank shall hold capital above 8 %.",
        "The ratio shall exceed 8 %.",
        "A buffer of at least 8 % shall be maintained.",
        "More than 8 % of the members shall be independent.",
        "The bank shall keep a ratio of more than 8 %.",
    ] {
        let lower = "It is above 6 %.";
        assert_eq!(sides(rule, lower, Language::En), [Side::Looser], "{rule}");
    }
    let rule = "A person who holds 10 % or more of the shares shall notify the authority.";
    let higher = "Holders of 15 % or more notify it.";
    assert_eq!(sides(rule, higher, Language::En), [Side::Other]);
    for (rule, looser) in [
        (
            "交易金额超过五万元的应当报告。",
            "交易金额超过10万元的应当报告。",
        ),
        ("五万元以上的交易应当报告。", "十万元以上的交易应当报告。"),
        (
            "交易金额超过五万元时，银行应当报告。",
            "交易金额超过十万元时，本行报告。",
        ),
        ("应当报告超过五万元的交易。", "应当报告超过十万元的交易。"),
        (
            "员工不得收受超过100元的礼品。",
            "员工不收受超过200元的礼品。",
        ),
        (
            "授信余额不得超过资本净额的百分之十。",
            "授信余额不超过资本净额的15%。",
        ),
        ("应当持有不低于1亿元的资本。", "持有不低于5000万元的资本。"),
        ("注册资本不得低于1亿元。", "注册资本为5000万元。"),
    ] {
        assert_eq!(sides(rule, looser, Language::Zh), [Side::Looser], "{rule}");
    }
}

#[test]
fn a_longer_time_between_two_reviews_is_looser() {
    let looser = [(Binding::Number, Side::Looser)];
    let stricter = [(Binding::Number, Side::Stricter)];
    let rule = "Each account shall be reviewed at least every two years.";
    check(
        rule,
        "Accounts are reviewed every 36 months.",
        Language::En,
        &looser,
    );
    check(
        rule,
        "Accounts are reviewed every 18 months.",
        Language::En,
        &stricter,
    );
    let rule = "Each account shall be reviewed at least once every 12 months.";
    check(
        rule,
        "Accounts are reviewed every 24 months.",
        Language::En,
        &looser,
    );
    let rule = "The committee shall meet at least four times a year.";
    check(
        rule,
        "The committee meets twice a year.",
        Language::En,
        &looser,
    );
    check(rule, "The committee meets quarterly.", Language::En, &[]);
    check(
        rule,
        "The committee meets at least three times a year.",
        Language::En,
        &looser,
    );
    check(
        "董事会应当每年至少召开四次会议。",
        "董事会每半年召开一次会议。",
        Language::Zh,
        &looser,
    );
    check(
        "董事会应当每年至少召开四次会议。",
        "董事会每季度召开一次会议。",
        Language::Zh,
        &[],
    );
    check(
        "董事会应当每年至少召开四次会议。",
        "董事会每年召开两次会议。",
        Language::Zh,
        &looser,
    );
    let rule = "应当至少每两年开展一次审计。";
    check(rule, "每三年开展一次审计。", Language::Zh, &looser);
}

#[test]
fn what_is_counted_is_weighed_where_it_has_a_bound() {
    let looser = [(Binding::Number, Side::Looser)];
    let rule = "Passwords shall have at least 12 characters.";
    check(
        rule,
        "Passwords have at least 8 characters.",
        Language::En,
        &looser,
    );
    check(rule, "Passwords have twelve characters.", Language::En, &[]);
    let rule = "At least three employees shall be present.";
    check(
        rule,
        "At least two employees are present.",
        Language::En,
        &looser,
    );
    let rule = "The bank shall use a Tier 1 instrument.";
    check(
        rule,
        "The bank uses a Tier 2 instrument.",
        Language::En,
        &[],
    );
}
