//! Tests of `premise`.

use super::*;
use crate::answering::made;
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, SentenceId};

fn citation(quote: &str, language: Language) -> Citation {
    Citation {
        document: DocumentId(1),
        title: String::new(),
        language,
        page: 1,
        section: String::new(),
        boxes: Vec::new(),
        quote: quote.to_owned(),
        sentence: SentenceId(1),
        external_id: None,
        superseded_by: None,
        out_of_force: None,
    }
}

#[test]
fn a_false_premise_is_told_and_a_true_one_is_not() {
    let english = [citation(
        "The controller shall notify the personal data breach to the supervisory authority within 72 hours.",
        Language::En,
    )];
    let chinese = [citation(
        "商业银行应当在每季度结束后15日内向监管机构报告重大风险。",
        Language::Zh,
    )];
    for (question, citations, told) in [
        (
            "Since the controller need not notify the personal data breach to the supervisory authority, what is recorded?",
            &english,
            true,
        ),
        (
            "Given that the controller shall not notify the personal data breach to the authority, who does?",
            &english,
            true,
        ),
        (
            "Why need the controller not notify the personal data breach to the supervisory authority?",
            &english,
            true,
        ),
        (
            "Given that the controller shall notify the personal data breach within 48 hours, who does so?",
            &english,
            true,
        ),
        (
            "When does the 48-hour period for notifying the supervisory authority of a breach begin?",
            &english,
            true,
        ),
        (
            "既然商业银行应当在每季度结束后10日内向监管机构报告重大风险，由谁报告？",
            &chinese,
            true,
        ),
        ("为什么商业银行不得向监管机构报告重大风险？", &chinese, true),
        ("商业银行不得向监管机构报告重大风险，对吗？", &chinese, true),
        (
            "商业银行应当向监管机构报告重大风险，对吗？",
            &chinese,
            false,
        ),
        (
            "商业银行向监管机构报告重大风险30日的期限可以延长吗？",
            &chinese,
            true,
        ),
        (
            "商业银行向监管机构报告重大风险三十日的期限可以延长吗？",
            &chinese,
            true,
        ),
        (
            "商业银行向监管机构报告重大风险十五日的期限可以延长吗？",
            &chinese,
            false,
        ),
        (
            "Since the controller shall notify the personal data breach to the supervisory authority, how soon?",
            &english,
            false,
        ),
        (
            "Why must the controller notify the personal data breach to the supervisory authority?",
            &english,
            false,
        ),
        (
            "When does the 72-hour period for notifying the supervisory authority of a breach begin?",
            &english,
            false,
        ),
        (
            "Since the bank pays a fee, who notifies the breach?",
            &english,
            false,
        ),
        (
            "A controller need not notify the personal data breach to the supervisory authority, right?",
            &english,
            true,
        ),
        (
            "A controller shall notify the personal data breach to the supervisory authority, right?",
            &english,
            false,
        ),
        (
            "Who may extend the five hours for notifying the supervisory authority of a breach?",
            &english,
            true,
        ),
        // In another unit of time: three days are 72 hours, and ten are not.
        (
            "Since we have 10 days to notify the supervisory authority of a personal data breach, who does so?",
            &english,
            true,
        ),
        (
            "We have ten days to notify the supervisory authority of a personal data breach, right?",
            &english,
            true,
        ),
        (
            "Who may extend the 10-day period for notifying the supervisory authority of a breach?",
            &english,
            true,
        ),
        (
            "Since we have three days to notify the supervisory authority of a personal data breach, who does so?",
            &english,
            false,
        ),
        // How long something is kept is another matter.
        (
            "Since a breach that was notified to the supervisory authority is kept for 5 years, who does so?",
            &english,
            false,
        ),
        // And so is how often it is done.
        (
            "Since breaches are notified to the supervisory authority every 12 months, who does so?",
            &english,
            false,
        ),
        (
            "既然商业银行有两个月时间向监管机构报告重大风险，由谁报告？",
            &chinese,
            true,
        ),
        // How it is meant is nothing that a rule must have.
        (
            "Since the controller need not report any breach to the authority at all, what is recorded?",
            &english,
            true,
        ),
        // In everyday words.
        (
            "Since the controller need not tell the authority of a personal data breach, what is recorded?",
            &english,
            true,
        ),
        (
            "When does the 30-day period for paying the fee of the register begin?",
            &english,
            false,
        ),
        (
            "为什么商业银行应当向监管机构报告重大风险？",
            &chinese,
            false,
        ),
        (
            "既然商业银行不需要向监管机构报告重大风险，那么由谁检查？",
            &chinese,
            true,
        ),
        ("商业银行不用向监管机构报告重大风险吧？", &chinese, true),
        // The rule demands something else at that time.
        (
            "既然商业银行在每季度结束后不用公布利润，那么由谁检查？",
            &chinese,
            false,
        ),
    ] {
        let found = contradicted(question, citations);
        assert_eq!(found.is_some(), told, "{question}: {found:?}");
    }
}

#[test]
fn what_another_clause_frees_from_is_no_false_premise() {
    let rule = citation("商业银行应当向监管机构报告重大风险。", Language::Zh);
    let freed = citation("村镇银行免于向监管机构报告重大风险。", Language::Zh);
    let question = "村镇银行不用向监管机构报告重大风险吧？";
    let both = [rule.clone(), freed];
    assert_eq!(contradicted(question, &both), None);
    assert!(contradicted(question, &[rule]).is_some());
    for (sentence, freed) in [
        ("村镇银行免于报告。", true),
        ("银行应当报告，以避免损失。", false),
        ("银行应当报告经理的任免。", false),
        ("银行应当报告免职的经理，小型银行免报告。", true),
    ] {
        assert_eq!(frees(sentence), freed, "{sentence}");
    }
}

#[test]
fn what_a_rule_denies_in_any_case_is_not_to_be_assumed() {
    let question = "Since the guide imposes duties on pilots, which are they?";
    for (rule, told) in [
        ("The guide does not impose duties on pilots.", true),
        ("The guide imposes duties on pilots.", false),
        (
            "The guide does not impose duties on pilots unless a port says so.",
            false,
        ),
        ("Pilots who do not impose duties read the guide.", false),
        ("The guide does not name the duties of a master.", false),
    ] {
        let found = contradicted(question, &[citation(rule, Language::En)]);
        assert_eq!(found.is_some(), told, "{rule}: {found:?}");
    }
}

#[test]
fn an_assumption_is_looked_for() {
    let of = |question, language| assumption(question, language).map(|part| part.asked);
    let question = "Since the guide imposes duties on pilots, which are they?";
    let assumed = Some("the guide imposes duties on pilots".to_owned());
    assert_eq!(of(question, Language::En), assumed);
    assert_eq!(of(question, Language::Zh), None);
    assert_eq!(of("Since it pays, who?", Language::En), None);
    // In Chinese only what need not be done.
    let question = "既然停泊船舶不需要登记，那么由谁检查？";
    let assumed = Some("停泊船舶 登记".to_owned());
    assert_eq!(of(question, Language::Zh), assumed);
    let question = "既然停泊船舶需要登记，那么由谁检查？";
    assert_eq!(of(question, Language::Zh), None);
    assert_eq!(of("Who pays?", Language::En), None);
    let said = "The guide imposes duties on pilots, doesn't it?";
    let assumed = Some("The guide imposes duties on pilots".to_owned());
    assert_eq!(of(said, Language::En), assumed);
}

#[test]
fn what_contradicts_an_assumption_answers_without_a_certificate() {
    let said = made::answer(&["The guide does not impose duties on pilots."], 0.7);
    for (valid, reason) in [(true, Some(CertificateGap::FalsePremise)), (false, None)] {
        let mut answer = made::answer(&[], 0.2);
        answer.certificate.valid = valid;
        answered_by(said.statements[0].clone(), &mut answer);
        assert!(answer.found && answer.answer == said.answer);
        let certificate = answer.certificate;
        assert_eq!((certificate.valid, certificate.reason), (false, reason));
    }
}

#[test]
fn a_figure_that_another_clause_has_is_no_false_one() {
    let two = [
        citation("The bank shall report losses within 10 days.", Language::En),
        citation("The bank shall report gains within 20 days.", Language::En),
    ];
    let question = "When does the 20-day period for reporting gains of the bank begin?";
    assert_eq!(contradicted(question, &two), None);
    let other = "When does the 30-day period for reporting losses of the bank begin?";
    assert_eq!(contradicted(other, &two).map(|p| p.citation), Some(0));
}

#[test]
fn the_point_of_a_decimal_ends_no_sentence() {
    assert_eq!(
        sentences("It holds 4.5 % of it. It pays EUR 2.50; nothing else."),
        [
            "It holds 4.5 % of it.",
            "It pays EUR 2.50;",
            "nothing else."
        ]
    );
    assert_eq!(sentences(""), [""; 0]);
    let cited = [citation(
        "The institution shall hold liquid assets of at least 4.5 % of its deposits.",
        Language::En,
    )];
    let told = |question: &str| contradicted(question, &cited).is_some();
    assert!(told(
        "Given that the institution shall hold liquid assets of at least 5 % of its deposits, who reviews it?"
    ));
    assert!(!told(
        "Given that the institution shall hold liquid assets of at least 4.5 % of its deposits, who reviews it?"
    ));
}

#[test]
fn only_a_figure_of_time_is_another_time() {
    for (figure, time) in [
        ("10 day", true),
        ("5 working day", true),
        ("两个月", true),
        ("5 %", false),
        ("12 character", false),
    ] {
        assert_eq!(is_time(figure), time, "{figure}");
    }
}
