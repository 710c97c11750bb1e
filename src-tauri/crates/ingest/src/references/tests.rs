use super::*;
use lexforge_domain::reference::ReferenceScope;

/// Written as `instrument|label/label>through`, with `~` for a near and `<` for a previous clause.
fn shown(text: &str, language: Language) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    find(text, language)
        .iter()
        .map(|r| {
            assert_eq!(chars[r.start..r.end].iter().collect::<String>(), r.text);
            let scope = match r.scope {
                ReferenceScope::Whole => "",
                ReferenceScope::Near => "~",
                ReferenceScope::Previous => "<",
            };
            let instrument = r
                .instrument
                .as_ref()
                .map_or(String::new(), |i| format!("{i}|"));
            let through = r
                .through
                .as_ref()
                .map_or(String::new(), |t| format!(">{}", t.join("/")));
            format!("{scope}{instrument}{}{through}", r.labels.join("/"))
        })
        .collect()
}

#[test]
fn english_references_as_written() {
    let check =
        |text: &str, expected: &[&str]| assert_eq!(shown(text, Language::En), expected, "{text}");
    check("Pursuant to Article 6(1), the bank", &["article 6/1"]);
    check(
        "in point (f) of Article 6(1) or Article 9",
        &["article 6/1/f", "article 9"],
    );
    check(
        "referred to in Articles 13, 14 and 15 to 22",
        &["article 13", "article 14", "article 15>article 22"],
    );
    check("see paragraph 2 of Article 8.", &["article 8/2"]);
    check(
        "The fees in paragraphs 1 and 3 and point (b) of paragraph 4",
        &["~1", "~3", "~4/b"],
    );
    check("as set out in points (a) and (c)", &["~a", "~c"]);
    check("under Rule 11.2.1(2)(a)", &["rule 11.2.1/2/a"]);
    check(
        "Article 4 of Regulation (EU) No 575/2013",
        &["Regulation (EU) No 575/2013|article 4"],
    );
    check(
        "Article 16 TFEU and Section 5 of the Companies Act 2006",
        &["TFEU|article 16", "Companies Act 2006|section 5"],
    );
    check("Article 5 of this Regulation applies", &["article 5"]);
    check(
        "Article 5 of that Directive and Directive 2013/36/EU",
        &["that instrument|article 5", "Directive 2013/36/EU|"],
    );
    check(
        "the outsourcing rules in GEN 3.3.31 and 3.3.32 and PRU 6.8.",
        &["GEN|3.3.31", "GEN|3.3.32", "PRU|6.8"],
    );
    check(
        "see COBS Rules 17.1 to 17.6, and Rule MIR 2.10",
        &["COBS|rule 17.1>rule 17.6", "MIR|rule 2.10"],
    );
    check(
        "under Rule 9.1.1(3) or (4) and section 94(a) to (d)",
        &["rule 9.1.1/3", "rule 9.1.1/4", "section 94/a>section 94/d"],
    );
    check(
        "Chapter 4 of Part 3 of the Insolvency Regulations",
        &["Insolvency Regulations|part 3/chapter 4"],
    );
    check(
        "Under sections 239 and 240 of FSMR, we may",
        &["FSMR|section 239", "FSMR|section 240"],
    );
    check(
        "Annex I to this Regulation, Schedule 3 and Part A of Annex II",
        &["annex i", "schedule 3", "annex ii/part a"],
    );
    check(
        "as § 21.11(b) and 12 U.S.C. § 1813(q) require",
        &["section 21.11/b", "12 U.S.C.|section 1813/q"],
    );
    check(
        "12 CFR Part 225 and 12 C.F.R. 1026.3",
        &["12 CFR|part 225", "12 C.F.R.|section 1026.3"],
    );
    check(
        "Article 6(1), point (a), and the preceding paragraph",
        &["article 6/1/a", "<paragraph"],
    );
    check(
        "Subject to Rule \u{200e}1.1.2 and APP 4",
        &["rule 1.1.2", "appendix 4"],
    );
    check("the second subparagraph of Article 5(2)", &["article 5/2"]);
    check(
        "Rule 5 and 20 days, the Rules 2015, Part 7% and the article 5/2",
        &["rule 5"],
    );
    check(
        "in accordance with 4.7.1(2) and GEN 5.2.3",
        &["4.7.1/2", "GEN|5.2.3"],
    );
    check(
        "GEN 5.2.3 outlines the rules; see Market Rules (MIR) Rule 13A.6.1",
        &["GEN|5.2.3", "MIR|rule 13a.6.1"],
    );
    check("Law No. (4) of 2013 applies.", &["Law No. (4) of 2013|"]);
    check("Rule 7.2.1 Disclosure", &[]);
    check("Section 4.5 sets out the requirements.", &["section 4.5"]);
    check("He scored many points and took part in every section.", &[]);
}

#[test]
fn chinese_references_as_written() {
    let check =
        |text: &str, expected: &[&str]| assert_eq!(shown(text, Language::Zh), expected, "{text}");
    check(
        "依照本法第八条第二款第三项和第九条的规定",
        &["第八条/第二款/三", "第九条"],
    );
    check(
        "《中华人民共和国公司法》第十条、第十一条",
        &[
            "中华人民共和国公司法|第十条",
            "中华人民共和国公司法|第十一条",
        ],
    );
    check("根据商业银行法第四十条", &["商业银行法|第四十条"]);
    check("本办法第三章和第五条至第八条", &["第三章", "第五条>第八条"]);
    check(
        "前款规定的机构，应当符合本条第二款的规定。",
        &["<款", "~第二款"],
    );
    check(
        "违反前条规定的，依照《商业银行法》处理。",
        &["<条", "商业银行法|"],
    );
    check(
        "第十二条第（一）、（二）项",
        &["第十二条/一", "第十二条/二"],
    );
    check("第十二条 银行应当报告", &[]);
    check("目前款项已经到账，共计三项。", &[]);
}

#[test]
fn korean_references_as_written() {
    assert_eq!(
        shown("「은행법」 제3조제1항 및 제5조의2에 따라", Language::Ko),
        ["은행법|제3조/제1항", "제5조의2"]
    );
    assert_eq!(
        shown("제1조(목적) 이 법은 제2항에 따른다.", Language::Ko),
        ["~제2항"]
    );
}

/// Rows of (instrument, section, text); `expected` are (row that refers, rows referred to).
fn resolved(
    names: &[&str],
    rows: &[(u32, &str, &str)],
    language: Language,
) -> Vec<(usize, Vec<usize>)> {
    let instruments: Vec<Instrument> = names
        .iter()
        .map(|n| Instrument {
            names: vec![(*n).to_owned()],
        })
        .collect();
    let clauses: Vec<Clause> = rows
        .iter()
        .map(|&(instrument, section, text)| Clause {
            instrument,
            section,
            text,
            heading: text.len() < 16,
            aside: false,
        })
        .collect();
    let references: Vec<_> = rows.iter().map(|r| find(r.2, language)).collect();
    let resolver = Resolver::new(&instruments, &clauses, &references);
    let mut out = Vec::new();
    for (row, of_row) in references.iter().enumerate() {
        let found: Vec<usize> = of_row
            .iter()
            .flat_map(|r| resolver.resolve(r, row))
            .collect();
        if !found.is_empty() {
            out.push((row, found));
        }
    }
    out
}

#[test]
fn references_lead_to_clauses_of_the_same_document() {
    let rows = [
        (0, "Chapter I › Article 6", "Lawfulness"),
        (
            0,
            "Chapter I › Article 6 › 1",
            "Processing shall be lawful only if one of the following applies:",
        ),
        (
            0,
            "Chapter I › Article 6 › 1 › (a)",
            "the person has given consent to the processing of the data;",
        ),
        (
            0,
            "Chapter I › Article 6 › 2",
            "Point (a) of paragraph 1 does not apply to authorities.",
        ),
        (
            0,
            "Chapter II › Article 7",
            "Where processing rests on Article 6(1)(a), consent must be shown.",
        ),
        (
            0,
            "Chapter II › Article 7",
            "Article 6 and Article 99 apply to controllers of the institution too.",
        ),
        (
            0,
            "Chapter II › Article 8 › 1",
            "Articles 6 to 7 apply to what Chapter I says of the controller.",
        ),
        (
            0,
            "Chapter II › Article 8 › 2",
            "The preceding paragraph applies to the processor as well.",
        ),
    ];
    assert_eq!(
        resolved(&["Act"], &rows, Language::En),
        [
            (3, vec![2]),
            (4, vec![2]),
            (5, vec![1]),
            (6, vec![1, 4, 1]),
            (7, vec![6])
        ]
    );
    let rows = [
        (
            0,
            "第二章 › 第八条",
            "银行应当依照本法第九条的规定向监督管理机构报告其资本充足情况。",
        ),
        (
            0,
            "第二章 › 第九条",
            "资本充足率不得低于百分之八，核心资本充足率不得低于百分之四。",
        ),
        (
            0,
            "第二章 › 第九条",
            "前款规定的比例，依照第八条第二款计算，并符合第二章的规定。",
        ),
        (
            0,
            "第二章 › 第十条",
            "违反前条规定的，由监督管理机构责令改正，并处以罚款。",
        ),
    ];
    assert_eq!(
        resolved(&["银行法"], &rows, Language::Zh),
        [(0, vec![1]), (2, vec![1, 0, 0]), (3, vec![1])]
    );
}

#[test]
fn references_lead_to_other_documents() {
    let rows = [
        (
            0,
            "Part 2.Chapter 4.15A.",
            "The Regulator has the powers that section 16 sets out for it.",
        ),
        (
            0,
            "Part 2.Chapter 4.16.(2)",
            "Without limiting it, the Regulator may ask for records at any time.",
        ),
        (
            1,
            "1.1.1",
            "This Rulebook (“GEN”) is made under section 15A of the Market Regulations 2015 (“MR”).",
        ),
        (
            1,
            "3.3.31.(1)",
            "An Authorised Person must keep what Rule 3.3.32 and section 16(2) of MR ask for.",
        ),
        (
            1,
            "3.3.32",
            "Records are kept for six years from the day on which they are made.",
        ),
        (
            2,
            "5)",
            "Under section 16(2), and as GEN 3.3.31 to 3.3.32 say, records are kept (see paragraph 6 below).",
        ),
        (
            2,
            "6)",
            "The Companies Act 2006 applies, and so do Sections 15A and 16 of the Market Regulations.",
        ),
    ];
    assert_eq!(
        resolved(
            &["MARKET REGULATIONS 2015", "Rules", "Guidance on records"],
            &rows,
            Language::En
        ),
        [
            (0, vec![1]),
            (2, vec![0]),
            (3, vec![4, 1]),
            (5, vec![1, 3, 4, 6]),
            (6, vec![0, 1])
        ]
    );
}
