#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;

/// `issuer | jurisdiction | identifier | date | effective | version`, with a dash for what is left open.
fn table(about: &DocumentMetadata) -> String {
    [
        &about.issuer,
        &about.jurisdiction,
        &about.identifier,
        &about.date,
        &about.effective,
        &about.version,
    ]
    .map(|v| v.as_deref().unwrap_or("-"))
    .join(" | ")
}

#[track_caller]
fn check(language: Language, title: &str, first: &str, last: &str, expected: &str) {
    let ends = Ends {
        title: title.to_owned(),
        first: lines(first),
        running: Vec::new(),
        last: last.to_owned(),
    };
    assert_eq!(table(&about(&ends, language)), expected, "{title}");
}

#[test]
fn acts_of_the_european_union() {
    let parliament = "I\n(Legislative acts)\nREGULATION (EU) 2031/123 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL\nof 3 May 2031\non \
                      something and amending Regulation (EU) No 575/2013\nHaving regard to Directive 2013/36/EU";
    check(
        Language::En,
        "REGULATION",
        parliament,
        "This Regulation shall enter into force.\nIt shall apply from\n1 January 2033.",
        "European Parliament and Council of the European Union | EU | Regulation (EU) 2031/123 | 2031-05-03 | 2033-01-01 | -",
    );
    check(
        Language::En,
        "x",
        "Commission Delegated Regulation (EU) 2031/77\nof 9 July 2031\nsupplementing Directive 2014/65/EU",
        "",
        "European Commission | EU | Commission Delegated Regulation (EU) 2031/77 | 2031-07-09 | - | -",
    );
    check(
        Language::En,
        "x",
        "DIRECTIVE 2031/36/EU OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL\nof 26 June 2031",
        "",
        "European Parliament and Council of the European Union | EU | Directive 2031/36/EU | 2031-06-26 | - | -",
    );
    // A sentence about an act is not that act.
    check(
        Language::En,
        "Note",
        "Directive 2013/36/EU requires banks to report.\nRegulation (EU) 2016/679 applies.",
        "",
        "- | - | - | - | - | -",
    );
}

#[test]
fn guidelines_handbooks_and_statutes() {
    for (title, first, expected) in [
        (
            "Guidelines on things",
            "EBA/GL/2031/07\n4 March 2031\nFinal report\nGuidelines on things",
            "European Banking Authority | EU | EBA/GL/2031/07 | 2031-03-04 | - | -",
        ),
        (
            "Credit",
            "Comptroller’s Handbook\nCredit\nVersion 1.0, June 2028\nVersion 2.1, September 3, 2031",
            "Office of the Comptroller of the Currency | US | - | 2031-09-03 | - | Version 2.1",
        ),
        (
            "Model risk",
            "SR 31-7\nApril 4, 2031\nModel risk",
            "Board of Governors of the Federal Reserve System | US | SR 31-7 | 2031-04-04 | - | -",
        ),
        (
            "PART 26",
            "12 CFR Part 1099\nTruth in saving",
            "- | US | 12 CFR Part 1099 | - | - | -",
        ),
        (
            "The Rules 2031",
            "STATUTORY INSTRUMENTS\n2031 No. 419\nThe Rules 2031\nMade - - - - 2nd March 2031\nComing into force - - 1st April 2031",
            "- | UK | S.I. 2031/419 | 2031-03-02 | 2031-04-01 | -",
        ),
        (
            "Act",
            "Data Act 2031\n2031 CHAPTER 12",
            "- | UK | 2031 c. 12 | - | - | -",
        ),
        (
            "Risk principles",
            "Basel Committee on\nBanking Supervision\nRisk principles\nJanuary 2031",
            "- | - | - | 2031-01 | - | -",
        ),
        (
            "Notice",
            "Monetary Authority of Singapore\nNotice on cyber hygiene\n6 August 2031",
            "Monetary Authority of Singapore | SG | - | 2031-08-06 | - | -",
        ),
        // A firm's own policy: version and date, no authority.
        (
            "Outsourcing policy",
            "Outsourcing policy\nVersion 3.2\nEffective date: 1 May 2031\nApproved on 2 April by the board.",
            "- | - | - | - | 2031-05-01 | Version 3.2",
        ),
        // Dates and names within sentences say nothing of the document.
        (
            "Memo",
            "On 6 February 2031 the European Banking Authority and the OCC met in London.\nSEC stands for section.",
            "- | - | - | - | - | -",
        ),
    ] {
        check(Language::En, title, first, "", expected);
    }
}

#[test]
fn chinese_and_korean_acts() {
    for (title, first, last, expected) in [
        (
            "贷款办法",
            "贷款办法\n（2031年1月30日国家金融监督管理总局令2031年第1号\n公布 自2031年7月1日起施行）\n第一章 总则\n第一条 根据2020年5月1日的规定。",
            "",
            "国家金融监督管理总局 | CN | 国家金融监督管理总局令2031年第1号 | 2031-01-30 | 2031-07-01 | -",
        ),
        (
            "清算办法",
            "清算办法\n(2031年4月22日 中国人民银行 国家金融监督管理总局\n令〔2031〕第2号,自2031年11月1日起施行。)\n第一章 总 则",
            "",
            "中国人民银行、国家金融监督管理总局 | CN | 中国人民银行、国家金融监督管理总局令〔2031〕第2号 | 2031-04-22 | 2031-11-01 | -",
        ),
        (
            "中华人民共和国某某法",
            "中华人民共和国某某法\n(1995年6月30日第八届全国人民代表大会常务委员会第十四次会议通过 根据2002年10月28日第九届全国人民代表大会常务委员会第三十次会议《关于修改〈某某法〉的决定》第一次修正 2009年2月28日第十一届全国人民代表大会常务委员会第七次会议修订)\n目 录",
            "第九条 本法自2009年10月1日起施行。",
            "全国人民代表大会常务委员会 | CN | - | 1995-06-30 | 2009-10-01 | 2009年修订",
        ),
        (
            "某条例",
            "某条例\n(2000年3月15日国务院令第282号发布)\n第一条 为了。",
            "第二十七条 本条例自发布之日起施行。",
            "国务院 | CN | 国务院令第282号 | 2000-03-15 | 2000-03-15 | -",
        ),
        (
            "评估办法",
            "评估办法\n银保监规〔2022〕19号\n第一章 总 则",
            "",
            "中国银行保险监督管理委员会 | CN | 银保监规〔2022〕19号 | 2022 | - | -",
        ),
        (
            "管理办法（征求意见稿）",
            "管理办法（征求意见稿）\n第一条 为了规范。依照国务院令第1号。",
            "",
            "- | - | - | - | - | 征求意见稿",
        ),
    ] {
        check(Language::Zh, title, first, last, expected);
    }
    check(
        Language::Ko,
        "은행법",
        "은행법\n[시행 2023. 1. 5.] [법률 제18990호, 2022. 10. 18., 일부개정]",
        "",
        "- | KR | 법률 제18990호 | 2022-10-18 | 2023-01-05 | 일부개정",
    );
}
