//! Definition patterns case by case.

use super::*;
use lexforge_text::fold::joined;

fn check(language: Language, text: &str, expected: &[(&str, &str)]) {
    let found = find(text, language);
    let pairs: Vec<(&str, &str)> = found
        .iter()
        .map(|d| (d.term.as_str(), d.definition.as_str()))
        .collect();
    assert_eq!(pairs, expected, "{text:?}");
    for d in &found {
        let span: String = text.chars().skip(d.start).take(d.end - d.start).collect();
        assert!(
            joined(&span).contains(&d.definition),
            "{span:?} lacks the definition {:?}",
            d.definition
        );
        assert!(
            d.end <= text.chars().count()
                && span.contains(d.term.split_whitespace().next().unwrap_or_default())
        );
    }
}

#[test]
fn english_quoted_terms() {
    let en = |text: &str, expected: &[(&str, &str)]| check(Language::En, text, expected);
    en(
        "‘controller’ means the natural person who decides;",
        &[("controller", "the natural person who decides")],
    );
    en(
        "(7) 'own funds' means the sum of Tier 1 and Tier 2 capital;",
        &[("own funds", "the sum of Tier 1 and Tier 2 capital")],
    );
    en(
        "“board” generally also means the supervisory board.",
        &[("board", "the supervisory board.")],
    );
    en(
        "‘consent’ of the data subject means any freely given indication;",
        &[("consent", "any freely given indication")],
    );
    en(
        "\"Affiliate\", in relation to a bank, means a company under common control.",
        &[("Affiliate", "a company under common control.")],
    );
    en(
        "“Exposure” has the meaning given in Rule 4.1.2.",
        &[("Exposure", "the meaning given in Rule 4.1.2.")],
    );
    en(
        "For the purposes of Article 5, ‘outsourcing’ shall mean an arrangement of any form.",
        &[("outsourcing", "an arrangement of any form.")],
    );
    en(
        "‘investment firm’ or ‘firm’ means any legal person whose business is investment;",
        &[(
            "investment firm",
            "any legal person whose business is investment",
        )],
    );
    en(
        "The words “as soon as possible” were added. This means that banks must act.",
        &[],
    );
    en("He said “the bank has failed” and left.", &[]);
    // Function words are in every sentence; capitals are a name.
    en(
        "“The” means the article, and ‘such other’ means any of these.",
        &[],
    );
    en(
        "“IT” means information technology.",
        &[("IT", "information technology.")],
    );
    en("The means must specify who reviewed the restrictions.", &[]);
}

#[test]
fn english_definition_lists() {
    check(
        Language::En,
        "For the purposes of this Regulation:\n\n(1)\n\n‘bank’ means a credit institution that is authorised;\n\n(2)\n\n‘group’ means any of the following:\n\n(a)\n\na parent;\n\n(b)\n\nits subsidiaries;\n\n(3)\n\n‘branch’ means a place of business.",
        &[
            ("bank", "a credit institution that is authorised"),
            (
                "group",
                "any of the following: (a) a parent; (b) its subsidiaries",
            ),
            ("branch", "a place of business."),
        ],
    );
    check(
        Language::En,
        "(a) “asset” means a resource; (b) “claim” means a right, e.g. A. Smith’s right. It is not limited.",
        &[
            ("asset", "a resource"),
            ("claim", "a right, e.g. A. Smith’s right."),
        ],
    );
}

#[test]
fn english_terms_without_quotation_marks() {
    let en = |text: &str, expected: &[(&str, &str)]| check(Language::En, text, expected);
    en(
        "Authorised Person means a person who holds a licence.",
        &[("Authorised Person", "a person who holds a licence.")],
    );
    en(
        "In this Rule, client money means money held for a client.",
        &[("client money", "money held for a client.")],
    );
    en(
        "The term correspondent account refers to an account for a foreign bank.",
        &[("correspondent account", "an account for a foreign bank.")],
    );
    en(
        "Model risk is defined as the potential for adverse consequences.",
        &[("Model risk", "the potential for adverse consequences.")],
    );
    en(
        "Operational risk is the risk of loss resulting from failed processes.",
        &[(
            "Operational risk",
            "the risk of loss resulting from failed processes.",
        )],
    );
    en(
        "Return on equity is defined in Article 3.",
        &[("Return on equity", "defined in Article 3.")],
    );
    for no in [
        "This means a bank must act.",
        "Paragraph 2 refers to the authority.",
        "By means of a notice the bank is informed.",
        "Calls made by electronic means must be recorded.",
        "Requirements for backups are defined in the Backup Policy.",
        "Limits of recovery are defined in Table 3.",
        "The bank has the means of payment.",
        "It is the responsibility of the board to decide.",
        "The report is a summary of the findings that were made.",
    ] {
        en(no, &[]);
    }
}

#[test]
fn chinese_patterns() {
    let zh = |text: &str, expected: &[(&str, &str)]| check(Language::Zh, text, expected);
    zh(
        "第三条　本办法所称流动资金贷款，是指贷款人发放的本外币贷款。",
        &[("流动资金贷款", "贷款人发放的本外币贷款")],
    );
    zh(
        "本条例所称储蓄是指个人将人民币存入储蓄机构的活动。",
        &[("储蓄", "个人将人民币存入储蓄机构的活动")],
    );
    zh(
        "前款所称“关联企业”，包括母公司和子公司。",
        &[("关联企业", "包括母公司和子公司")],
    );
    zh(
        "本办法所称企业集团财务公司（以下简称财务公司），是指非银行金融机构。",
        &[
            ("企业集团财务公司", "非银行金融机构"),
            ("财务公司", "非银行金融机构"),
        ],
    );
    zh(
        "本办法下列用语的含义：（一）投保人，是指订立合同的人；（二）保险人是指保险公司。",
        &[("投保人", "订立合同的人"), ("保险人", "保险公司")],
    );
    zh(
        "本条例所称融资担保，是指提供担保的行为；所称融资担保公司，是指依法设立的公司。",
        &[
            ("融资担保", "提供担保的行为"),
            ("融资担保公司", "依法设立的公司"),
        ],
    );
    for no in [
        "本办法所称“以上”均含本数。",
        "银行应当指定专人负责。",
        "本办法所称经纪业务，不包括商品类业务。",
        "本办法所称经纪机构不包括外资机构。",
        "银行不得指使他人。",
    ] {
        zh(no, &[]);
    }
}

#[test]
fn korean_pattern() {
    check(
        Language::Ko,
        "“금융회사”란 은행법에 따른 은행을 말한다.",
        &[("금융회사", "은행법에 따른 은행")],
    );
}

#[test]
fn other_names_are_no_definitions_of_their_own() {
    let found = find(
        "‘central body’ or ‘CB’ means the body that holds the register of all depositaries.",
        Language::En,
    );
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].term.as_str(), found[0].aliases.as_slice()),
        ("central body", &["CB".to_owned()][..])
    );
    let found = find(
        "‘alpha’ and ‘beta’ mean the first and the second letter of the alphabet.",
        Language::En,
    );
    assert_eq!(
        found.iter().map(|f| f.term.as_str()).collect::<Vec<_>>(),
        ["alpha", "beta"]
    );
}

#[test]
fn short_names_in_brackets() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let found = find(text, Language::En);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|f| (f.term.as_str(), f.definition.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    };
    check(
        "This Act establishes the Union Agency for Deposits (the ‘Agency’) in the capital.",
        &[("Agency", "Union Agency for Deposits")],
    );
    check(
        "Fees follow the Deposit Fees Order 2031 (hereinafter “DFO”).",
        &[("DFO", "Deposit Fees Order 2031")],
    );
    check("He said it (the ‘usual’ way of things) twice.", &[]);
}

#[test]
fn glossaries() {
    let table = "Term\tMeaning\ndeposit\ta sum that is kept for somebody\ndepositor\tthe person who is owed a deposit\n";
    let terms: Vec<String> = find(table, Language::En)
        .into_iter()
        .map(|d| d.term)
        .collect();
    assert_eq!(terms, ["deposit", "depositor"]);
    let dashes = "Glossary\nDeposit – a sum that is kept for somebody\nDepositor – the person who is owed a deposit\nFee – the price of \
                  keeping a deposit\n\nText – with a dash that belongs to no glossary at all\n";
    let terms: Vec<String> = find(dashes, Language::En)
        .into_iter()
        .map(|d| d.term)
        .take(3)
        .collect();
    assert_eq!(terms, ["Deposit", "Depositor", "Fee"]);
    assert!(
        find(
            "Deposit – a sum that is kept\nFee – the price of it all\nText – of a list\n",
            Language::En
        )
        .is_empty()
    );
}

#[test]
fn entries_of_a_list_of_definitions_are_whole() {
    check(
        Language::En,
        "‘berth’ means a place where a ship lies.\n\nIt includes a place at anchor.\n\n(a)\n\nat a buoy;\n\n(b)\n\nin a roadstead.\n\n\
         ‘crew’ means all who work on board. Guests are not counted.\n\n‘cargo’ means goods that are carried.\n\nCharges and fees\n\n\
         The harbour master sets the fees.",
        &[
            (
                "berth",
                "a place where a ship lies. It includes a place at anchor. (a) at a buoy; (b) in a roadstead.",
            ),
            ("crew", "all who work on board. Guests are not counted."),
            ("cargo", "goods that are carried."),
        ],
    );
    // Signs of amendments, entries put in between, and the mark of a footnote on a line of its own.
    check(
        Language::En,
        "(1)\n\n‘pilot’ means a person licensed under the Act of the Harbour (\n\n2\n\n) and no other;\n\n▼M2\n\n(1a)\n\n\
         ‘buoy’ means a float that is moored;\n\n(2)\n\n‘wreck’ means a ship that has sunk.",
        &[
            (
                "pilot",
                "a person licensed under the Act of the Harbour ( 2 ) and no other",
            ),
            ("buoy", "a float that is moored"),
            ("wreck", "a ship that has sunk."),
        ],
    );
    // The entry between them ends the first one, too, though its form is not that of a definition.
    check(
        Language::En,
        "(1)\n\n‘quay’ means a wall at which ships lie;\n\n(2)\n\n‘draught’ as it is measured in port;\n\n\
         (3)\n\n‘tide’ means the rise and fall of the sea.",
        &[
            ("quay", "a wall at which ships lie"),
            ("tide", "the rise and fall of the sea."),
        ],
    );
}

#[test]
fn a_definition_that_goes_on_in_later_sentences_is_whole() {
    use SentenceKind::{Definition, Heading, ListItem, Rule};
    let sentences = [
        (Definition, "“Vessel” means any of the following:"),
        (ListItem, "(a) a ship;"),
        (ListItem, "(b) a barge."),
        (Rule, "It also includes a raft."),
        (Rule, "Vessels are registered."),
        (Definition, "“Master” means the person in command."),
        (Rule, "It is a title."),
        (Heading, "Duties"),
        (Rule, "It binds all."),
        (Definition, "Weak practice means a practice that"),
        (ListItem, "• departs from sound management."),
        (Rule, "Examiners report it."),
        (Definition, "(16) “seat” of a firm shall mean:"),
        (ListItem, "(a) the place of its board;"),
        (ListItem, "(b) the place of its main branch."),
        // No list follows, so that nothing says what it means.
        (Definition, "“Berth” means:"),
        (Rule, "Ships lie there."),
    ];
    let found = find_all(sentences, Language::En);
    let found: Vec<(usize, &str)> = found
        .iter()
        .filter(|d| d.definition.kind.is_legal())
        .map(|d| (d.source, d.definition.definition.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (
                0,
                "any of the following: (a) a ship; (b) a barge. It also includes a raft."
            ),
            (5, "the person in command. It is a title."),
            (9, "a practice that • departs from sound management."),
            (
                12,
                "mean: (a) the place of its board; (b) the place of its main branch."
            ),
        ]
    );
}

#[test]
fn terms_that_begin_with_reference_and_terms_in_subordinate_clauses() {
    check(
        Language::En,
        "‘reference rate’ means the rate that is published at noon.",
        &[("reference rate", "the rate that is published at noon.")],
    );
    check(
        Language::En,
        "References to a bank shall be construed as references to its branches.",
        &[],
    );
    check(
        Language::En,
        "The fee is the product of both, where base amount means the sum of all deposits.",
        &[("base amount", "the sum of all deposits.")],
    );
}

#[test]
fn a_definition_that_a_text_repeats_is_one() {
    let count = |text: &str| find(text, Language::En).len();
    assert_eq!(
        count(
            "‘Hull’ means the body of a ship without its masts, rigging and engines: (a) of wood;\n\n‘Hull’ means the body of a ship without its masts, rigging and engines: (a) (a) of wood; of wood;"
        ),
        1
    );
    // The beginning alone does not tell these apart.
    assert_eq!(
        count("‘Hull’ means any of: (a) wood;\n\n‘Hull’ means any of: (a) iron;"),
        2
    );
    // Nor does a long one: two parts of an act may define a term by different lists.
    assert_eq!(
        count(
            "‘Hull’ means the body of a ship without its masts, rigging and engines: (a) of wood;\n\n‘Hull’ means the body of a ship without its masts, rigging and engines: (a) of iron;"
        ),
        2
    );
}
