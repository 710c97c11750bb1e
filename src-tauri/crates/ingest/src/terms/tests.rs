//! Term candidates of small corpora.

use super::*;

fn extract(texts: &[&str], language: Language) -> Vec<TermCandidate> {
    let sentences: Vec<(SentenceKind, &str)> =
        texts.iter().map(|t| (SentenceKind::Rule, *t)).collect();
    found_in(&sentences, language, 0)
}

fn found_in(
    sentences: &[(SentenceKind, &str)],
    language: Language,
    limit: usize,
) -> Vec<TermCandidate> {
    let defined = crate::definitions::find_all(sentences.iter().copied(), language);
    candidates(sentences, &defined, language, limit)
}

fn by_normal<'a>(found: &'a [TermCandidate], normal: &str) -> Option<&'a TermCandidate> {
    found.iter().find(|c| c.normal == normal)
}

const ENGLISH: [&str; 9] = [
    "‘supervisory authority’ means an independent public authority established by a Member State;",
    "The lead supervisory authority shall inform the supervisory authorities concerned.",
    "Each supervisory authority shall cooperate with the lead supervisory authority.",
    "The competent supervisory authority may consult the lead supervisory authority pursuant to Article 60.",
    "A supervisory authority and the competent supervisory authority must act without delay.",
    "The institution shall report liquidity risk to the supervisory authority by 30 June 2024.",
    "Rules on anti-money laundering (AML) apply; AML officers report liquidity risk.",
    "Having regard to the AML rules, liquidity risk is managed by the institution.",
    "Where liquidity risk arises, each institution informs the supervisory authority immediately.",
];

#[test]
fn english_terms_come_with_their_near_terms() {
    let found = extract(&ENGLISH, Language::En);
    let defined = by_normal(&found, "supervisory authority");
    assert_eq!(defined.map(|c| c.found), Some(FoundBy::Defined));
    assert!(
        defined
            .and_then(|c| c.definition.as_deref())
            .is_some_and(|d| d.starts_with("an independent public authority"))
    );
    for term in [
        "lead supervisory authority",
        "competent supervisory authority",
        "liquidity risk",
    ] {
        assert!(
            by_normal(&found, term).is_some(),
            "{term} is missing from {:?}",
            found.iter().map(|c| &c.text).collect::<Vec<_>>()
        );
    }
    let short = by_normal(&found, "aml");
    assert_eq!(
        short.map(|c| (c.found, c.text.as_str(), c.count)),
        Some((FoundBy::Abbreviation, "AML", 3))
    );
    assert_eq!(
        short.and_then(|c| c.definition.as_deref()),
        Some("anti-money laundering")
    );
    for junk in [
        "shall", "article", "regard", "june", "delay", "rule", "pursuant",
    ] {
        assert!(by_normal(&found, junk).is_none(), "{junk}");
    }
    assert!(found.windows(2).all(|w| w[0].score >= w[1].score));
}

#[test]
fn a_limit_keeps_defined_terms_and_abbreviations() {
    let sentences: Vec<(SentenceKind, &str)> =
        ENGLISH.iter().map(|t| (SentenceKind::Rule, *t)).collect();
    let found = found_in(&sentences, Language::En, 2);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|c| c.found != FoundBy::Phrase));
}

#[test]
fn headings_and_table_cells_do_not_count() {
    let sentences = vec![(SentenceKind::Heading, "Liquidity risk"); 9];
    assert!(found_in(&sentences, Language::En, 0).is_empty());
}

#[test]
fn chinese_terms() {
    let found = extract(
        &[
            "本办法所称流动性风险，是指商业银行无法及时获得充足资金的风险。",
            "商业银行应当加强流动性风险管理，提高资本充足率。",
            "商业银行的资本充足率不得低于百分之八。",
            "商业银行应当披露资本充足率和流动性风险。",
            "商业银行计算资本充足率，应当扣除商誉。",
        ],
        Language::Zh,
    );
    assert_eq!(
        by_normal(&found, "流动性风险").map(|c| c.found),
        Some(FoundBy::Defined)
    );
    for term in ["商业银行", "资本充足率"] {
        assert!(
            by_normal(&found, term).is_some(),
            "{term} is missing from {:?}",
            found.iter().map(|c| &c.text).collect::<Vec<_>>()
        );
    }
    assert!(by_normal(&found, "应当").is_none());
}

#[test]
fn pieces_of_chinese_names_and_what_owners_have_are_no_terms() {
    let texts = [
        "第二支柱资本应当充足，第二支柱资本由董事会批准，董事会审查第二支柱资本和质押物品。",
        "典当行拒绝赔偿或者给付当金的，说明理由。",
        "典当行承担赔偿或者给付当金的责任，限制民事行为能力人除外。",
        "典当行免除赔偿或者给付当金的义务，限制民事行为能力人提供质押物品。",
        "典当行延期赔偿或者给付当金的，限制民事行为能力人可以投诉。",
        "典当行应当告知限制民事行为能力人，并登记质押物品。",
        "典当有限责任公司质押物品应当登记。",
        "典当有限责任公司质押物品应当保管，监事会检查典当有限责任公司质押物品。",
        "质押物品应当保险。",
        "质押物品由典当行保管，对质押物品进行鉴定。",
        "主管部门对典当行实施非现场监管，非现场监管每季度进行。",
        "主管部门应当加强非现场监管，并公布非现场监管的结果。",
    ];
    let found = extract(&texts, Language::Zh);
    let all: Vec<&str> = found.iter().map(|c| c.text.as_str()).collect();
    assert!(all.contains(&"质押物品"), "{all:?}");
    for junk in [
        "支柱资本",
        "给付当金",
        "能力人",
        "典当有限责任公司质押物品",
        "现场监管",
    ] {
        assert!(!all.contains(&junk), "{junk} is in {all:?}");
    }
}

/// Sentences that use each phrase in three ways, as a rule does.
fn used(phrases: &[(&str, &str)]) -> Vec<String> {
    phrases
        .iter()
        .flat_map(|(subject, phrase)| {
            [
                format!("{subject}应当{phrase}，并在五日内记录。"),
                format!("{subject}可以{phrase}。"),
                format!("需要{phrase}的，{subject}应当说明。"),
                format!("未{phrase}的，由主管部门责令改正。"),
            ]
        })
        .collect()
}

#[test]
fn chinese_clauses_are_no_terms() {
    let clauses = used(&[
        ("典当行", "提示出质人"),
        ("仓储公司", "移交货物"),
        ("鉴定机构", "采取有效措施"),
        ("拍卖行", "区别情形"),
        ("典当行", "告知当事人"),
    ]);
    let names = [
        "典当行与出质人签订典当合同，典当合同载明鉴定费用。",
        "对典当合同有争议的，按照典当合同处理。",
        "鉴定机构的鉴定费用由出质人承担。",
        "鉴定费用不得超过典当金额的百分之五。",
        "出质人支付鉴定费用后，典当合同生效。",
        "质押物品由仓储公司保管，该质押物品不得转让。",
        "仓储公司对质押物品办理登记，并对质押物品定期清点。",
        "出质人取回质押物品的，应当归还典当金额。",
        "详见www.example.cn/cn/view，或者发送邮件至office@example.cn。",
        "网址为www.example.cn/cn/view。",
        "见www.example.cn/cn/view和www.example.cn/cn/list。",
        "依照《典当行监督管理办法》和《典当行监督管理办法》第五条处理。",
        "依照《典当行监督管理办法》报送。",
    ];
    let texts: Vec<&str> = clauses.iter().map(String::as_str).chain(names).collect();
    let found = extract(&texts, Language::Zh);
    let all: Vec<&str> = found.iter().map(|c| c.text.as_str()).collect();
    for term in ["典当合同", "鉴定费用", "质押物品"] {
        assert!(all.contains(&term), "{term} is missing from {all:?}");
    }
    for junk in [
        "提示出质人",
        "移交货物",
        "采取有效措施",
        "区别情形",
        "告知当事人",
        "有效措施",
        "情形",
        "cn",
        "view",
        "www",
        "监督管理办法",
        "典当行监督管理办法",
    ] {
        assert!(!all.contains(&junk), "{junk} is in {all:?}");
    }
}

#[test]
fn english_clauses_and_addresses_are_no_terms() {
    let found = extract(
        &[
            "The trustee shall process collateral deeds and must process collateral deeds within a month.",
            "To process collateral deeds, the trustee keeps a pledge ledger.",
            "The pledge ledger holds collateral deeds; each pledge ledger is audited.",
            "See www.example.org/pledges/ledger-pages/list.html for the pledge ledger.",
            "See https://example.org/pledges/ledger-pages and office@example.org.",
            "External factors matter; external factors and staffing levels are reviewed.",
            "The staffing levels of the trustee depend on external factors.",
            "A liquidity buffer is held; the liquidity buffer covers outflows.",
            "The trustee reports the liquidity buffer and its liquidity buffer limits.",
        ],
        Language::En,
    );
    for term in ["pledge ledger", "liquidity buffer", "collateral deed"] {
        assert!(
            by_normal(&found, term).is_some(),
            "{term} is missing from {:?}",
            found.iter().map(|c| &c.text).collect::<Vec<_>>()
        );
    }
    for junk in [
        "process collateral deed",
        "external factor",
        "staffing level",
        "ledger page",
        "list",
        "www",
        "example",
        "html",
    ] {
        assert!(by_normal(&found, junk).is_none(), "{junk}");
    }
}

#[test]
fn korean_terms() {
    let found = extract(
        &[
            "“금융회사”란 은행을 말한다.",
            "금융회사는 신용위험을 관리하여야 한다.",
            "신용위험은 금융회사의 위험이다.",
            "신용위험의 측정",
            "신용위험과 시장위험",
        ],
        Language::Ko,
    );
    assert_eq!(
        by_normal(&found, "금융회사").map(|c| c.found),
        Some(FoundBy::Defined)
    );
    assert!(by_normal(&found, "신용위험").is_some());
}
