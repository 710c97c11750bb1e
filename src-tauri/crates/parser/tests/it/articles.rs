//! Where the paragraphs of a Chinese article stand that come among and after its items.

use lexforge_ingest::ParseOptions;
use lexforge_parser::read;

/// The path of the section of each text.
fn paths(pages: &[&[&str]], texts: &[&str]) -> Vec<String> {
    let pages: Vec<String> = pages.iter().map(|lines| lines.join("\n")).collect();
    let whole = pages.join("\u{C}").into_bytes();
    let document = read::read("made.txt", whole, &ParseOptions::default(), &mut |_, _| {}).unwrap();
    let path = |text: &&str| {
        let sentence = document.sentences.iter().find(|s| s.text == *text);
        let section = sentence.and_then(|s| s.section);
        section.map_or_else(String::new, |at| document.sections[at].path.clone())
    };
    texts.iter().map(path).collect()
}

#[test]
fn after_its_items_an_article_goes_on() {
    let first = [
        "　　第一条 银行应当每年向监管机构报告下列事项，并保存有关记录：",
        "　　（一）贷款。",
        "　　（二）对本行全部客户和本行全部分支机构的影响均属重大的其他一切",
        "事项。",
        "　　前款所列事项由董事会决定。",
        "　　第二条 报告包括下列内容：",
        "　　（一）由董事会批准并由监事会审查过的本年度全部损失的具体情形和",
        "原因。",
    ];
    let second = ["　　董事会对前款内容负责。"];
    let texts = [
        "（一）贷款。",
        "前款所列事项由董事会决定。",
        "董事会对前款内容负责。",
    ];
    assert_eq!(
        paths(&[&first, &second], &texts),
        ["第一条 › （一）", "第一条", "第二条"]
    );
}

#[test]
fn a_paragraph_between_two_items_belongs_to_the_first() {
    let lines = [
        "　　第一条 本行的资本由下列各项组成，其数额由董事会按照规定计算：",
        "　　（一）股本。",
        "　　1.普通股。",
        "　　2.优先股。",
        "　　股本按照票面金额计算。",
        "　　（二）其他资本。",
        "　　第二条 银行应当报告。",
    ];
    let texts = ["股本按照票面金额计算。", "（二）其他资本。"];
    let expected = ["第一条 › （一）", "第一条 › （二）"];
    assert_eq!(paths(&[&lines], &texts), expected);
}
