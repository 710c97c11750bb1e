use super::collector::{BEYOND, MOST, MOST_UNREAD};
use super::*;
use encoding_rs::{GB18030, UTF_16LE};
use lexforge_domain::glossary::GlossaryDefinition;
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;

fn read_text(text: &str, format: GlossaryFormat) -> Glossary {
    read(text.as_bytes(), format, false).unwrap()
}

/// What an entry says, in a line.
fn line(entry: &GlossaryEntry) -> String {
    let definitions: Vec<String> = entry
        .definitions
        .iter()
        .map(|d| format!("{} <{}>", d.text, d.source))
        .collect();
    let lists = [
        &entry.names,
        &definitions,
        &entry.sources,
        &entry.related,
        &entry.broader,
    ]
    .map(|l| l.join("; "));
    let [names, definitions, sources, related, broader] = lists;
    let status = entry.status.map_or("", ReviewStatus::tag);
    let (language, class) = (entry.language.tag(), &entry.class);
    format!(
        "{language} {} | {names} | {definitions} | {sources} | {class} | {status} | {related} | {broader}",
        entry.term
    )
}

fn lines(glossary: &Glossary) -> Vec<String> {
    glossary
        .entries
        .iter()
        .map(|(_, entry)| line(entry))
        .collect()
}

fn unread(glossary: &Glossary) -> Vec<(&str, u64)> {
    glossary
        .unread
        .iter()
        .map(|(name, times)| (name.as_str(), *times))
        .collect()
}

/// What every format must bring back as it was.
fn sample() -> Vec<GlossaryEntry> {
    let definition = |text: &str, source: &str| GlossaryDefinition {
        text: text.to_owned(),
        source: source.to_owned(),
    };
    vec![
        GlossaryEntry {
            names: vec![
                "lender".to_owned(),
                "bank; large".to_owned(),
                "a \"quoted\" | barred name".to_owned(),
            ],
            definitions: vec![
                definition(
                    "an undertaking that takes deposits & grants credits",
                    "Example Act, Article 4(1), p. 3",
                ),
                definition("what <b>another</b> act says\\", ""),
            ],
            sources: vec!["List of 2024".to_owned()],
            class: "actor".to_owned(),
            status: Some(ReviewStatus::Accepted),
            related: vec!["payment institution".to_owned()],
            ..GlossaryEntry::new("credit institution", Language::En)
        },
        GlossaryEntry {
            status: Some(ReviewStatus::Rejected),
            related: vec!["credit institution".to_owned()],
            ..GlossaryEntry::new("payment institution", Language::En)
        },
        GlossaryEntry {
            names: vec!["CAR".to_owned(), "资本比率".to_owned()],
            definitions: vec![definition(
                "商业银行持有的资本与风险加权资产之间的比率。",
                "示例办法第三条",
            )],
            class: "ratio".to_owned(),
            ..GlossaryEntry::new("资本充足率", Language::Zh)
        },
        GlossaryEntry::new("=cmd(1)", Language::En),
        GlossaryEntry {
            names: vec!["x;=1+1".to_owned(), "-net".to_owned()],
            definitions: vec![definition("what; =1+1 is; -2", "'=quoted")],
            ..GlossaryEntry::new("sum;@total", Language::En)
        },
        GlossaryEntry::new("자기자본비율", Language::Ko),
        GlossaryEntry::new("établissement de crédit", Language::Other),
    ]
}

#[test]
fn what_is_written_is_read_again() {
    for format in GlossaryFormat::ALL {
        let bytes = write(&sample(), format, "Sample & Sons").unwrap();
        let back = read(&bytes, format, true).unwrap();
        let expected: Vec<String> = sample().iter().map(line).collect();
        assert_eq!(lines(&back), expected, "{format:?}");
        assert_eq!(
            (back.read, back.refused, unread(&back).as_slice()),
            (7, 0, &[][..]),
            "{format:?}: {back:?}"
        );
        // Written again it is the same file.
        let entries: Vec<GlossaryEntry> =
            back.entries.into_iter().map(|(_, entry)| entry).collect();
        assert_eq!(
            write(&entries, format, "Sample & Sons").unwrap(),
            bytes,
            "{format:?}"
        );
    }
}

#[test]
fn spreadsheets_are_read_as_people_write_them() {
    let check = |text: &str, expected: &[&str], left: &[(&str, u64)]| {
        let found = read_text(text, GlossaryFormat::Csv);
        assert_eq!(
            (lines(&found).as_slice(), unread(&found).as_slice()),
            (
                expected
                    .iter()
                    .map(|l| (*l).to_owned())
                    .collect::<Vec<_>>()
                    .as_slice(),
                left
            ),
            "{text}"
        );
    };
    // Excel in Europe: a byte order mark, semicolons, quoted lines, a column of its author's own, blank lines.
    check(
        "\u{FEFF}Term;Synonyms;Definition;Source;Owner\r\nown funds;capital | regulatory capital;\"the sum of\r\nTier 1 \
         and Tier 2\";CRR, Article 4;Legal\r\n;;;;\r\nexposure;;;;\r\n",
        &[
            "en own funds | capital; regulatory capital | the sum of Tier 1 and Tier 2 <CRR, Article 4> |  |  |  |  | ",
            "en exposure |  |  |  |  |  |  | ",
        ],
        &[("Owner", 1)],
    );
    // A list in two languages, one entry each; what is said without a language goes to the entry of its script.
    check(
        "English,中文,Definition\ncredit risk,信用风险,the risk that a debtor does not pay\nmargin,,\n,保证金,\n",
        &[
            "en credit risk |  | the risk that a debtor does not pay <> |  |  |  |  | ",
            "zh 信用风险 |  |  |  |  |  |  | ",
            "en margin |  |  |  |  |  |  | ",
            "zh 保证金 |  |  |  |  |  |  | ",
        ],
        &[],
    );
    check(
        "Term (EN)\tTerm (ZH)\tDefinition EN\tDefinition ZH\thedge\nhaircut\t折扣\tless\t减\tx\n",
        &[
            "en haircut |  | less <> |  |  |  |  | ",
            "zh 折扣 |  | 减 <> |  |  |  |  | ",
        ],
        &[("hedge", 1)],
    );
    check(
        "sep=;\nterm;status\nnetting;approved\n",
        &["en netting |  |  |  |  | accepted |  | "],
        &[],
    );
    check(
        "术语,简称,定义,来源,类别\n商业银行,银行；行,依法设立的企业法人,示例法第二条,机构\n",
        &["zh 商业银行 | 银行; 行 | 依法设立的企业法人 <示例法第二条> |  | 机构 |  |  | "],
        &[],
    );
    check(
        "term,language\ncrédit,fr\nnetting,en-GB\n",
        &["en netting |  |  |  |  |  |  | "],
        &[("language fr", 1)],
    );
    // In the encodings that Chinese spreadsheets are saved in.
    let chinese =
        "术语,定义\n商业银行,依照本法和有关规定设立的吸收公众存款、发放贷款的企业法人。\n";
    let mut wide: Vec<u8> = vec![0xFF, 0xFE];
    wide.extend(chinese.encode_utf16().flat_map(u16::to_le_bytes));
    for (bytes, name) in [
        (GB18030.encode(chinese).0.into_owned(), "gb18030"),
        (wide, UTF_16LE.name()),
    ] {
        let found = read(&bytes, GlossaryFormat::Csv, false).unwrap();
        assert_eq!(found.entries[0].1.term, "商业银行");
        assert!(found.warnings[0].contains(name), "{:?}", found.warnings);
    }
}

#[test]
fn entries_that_cannot_be_taken_are_listed_with_their_place() {
    let long = "a".repeat(201);
    let text = format!(
        "term,definition\nown funds,x\n,without\n1250,number\n{long},long\n\"multi\nline\",fine\nlast,\n"
    );
    let found = read_text(&text, GlossaryFormat::Csv);
    let places: Vec<(u64, &str)> = found
        .rejected
        .iter()
        .map(|r| (r.entry, r.reason.as_str()))
        .collect();
    let reasons = [
        (3, "it names no term"),
        (4, "a term has at least one letter"),
        (5, "the term is longer than 200 characters"),
    ];
    assert_eq!(places, reasons);
    assert_eq!((found.read, found.refused, found.entries.len()), (6, 3, 3));
    assert_eq!(
        found.entries.iter().map(|e| e.0).collect::<Vec<_>>(),
        [2, 6, 8]
    );
    let many = format!("term\n{}", "12\n".repeat(5_000));
    let found = read_text(&many, GlossaryFormat::Csv);
    assert_eq!((found.refused, found.rejected.len()), (5_000, 1_000));
    // Letters that nobody sees, and marks that turn the order around.
    let found = read_text(
        "term\n\u{202E}own\u{200B} \u{7}funds\n",
        GlossaryFormat::Csv,
    );
    assert_eq!(found.entries[0].1.term, "own funds");
}

/// As a term bank gives it out: martif of 2008 with a document type, concepts in many languages.
const MARTIF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en"><martifHeader><fileDesc><sourceDesc><p>x</p></sourceDesc></fileDesc></martifHeader>
<text><body>
<termEntry id="100"><descripGrp><descrip type="subjectField">FINANCE</descrip></descripGrp>
  <langSet xml:lang="de"><tig><term>Kreditinstitut</term></tig></langSet>
  <langSet xml:lang="en"><descripGrp><descrip type="definition">undertaking that takes <hi type="bold">deposits</hi> &amp; lends</descrip>
    <admin type="source">Example Regulation, Article 4</admin></descripGrp>
    <tig><term>CI</term><termNote type="termType">abbreviation</termNote></tig>
    <ntig><termGrp><term>credit institution</term><termNote type="termType">fullForm</termNote></termGrp>
      <descrip type="reliabilityCode">3</descrip><admin type="source">A list</admin></ntig>
    <tig><term>bank of old</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></tig></langSet>
  <langSet xml:lang="zh"><tig><term>信贷机构</term></tig></langSet>
</termEntry>
<termEntry id="101"><descrip type="relatedConcept" target="100"/>
  <langSet xml:lang="en"><tig><term>payment institution</term></tig></langSet></termEntry>
<termEntry id="102"><langSet xml:lang="en"></langSet></termEntry>
</body></text></martif>"#;

/// Style DCT of 2019: data categories as elements of modules.
const DCT: &str = r#"<?xml version='1.0'?>
<tbx style="dct" type="TBX-Basic" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2" xmlns:min="http://www.tbxinfo.net/ns/min"
 xmlns:basic="http://www.tbxinfo.net/ns/basic"><tbxHeader/><text><body>
<conceptEntry id="c1"><min:subjectField>banking</min:subjectField>
 <langSec xml:lang="en-US"><descripGrp><basic:definition>money set aside</basic:definition><basic:source>Handbook</basic:source></descripGrp>
  <termSec><term>reserve</term><min:administrativeStatus>preferredTerm-admn-sts</min:administrativeStatus>
   <min:partOfSpeech>noun</min:partOfSpeech></termSec>
  <termSec><term>provision</term></termSec></langSec></conceptEntry>
<conceptEntry id="c2"><basic:crossReference target="c1">a reserve</basic:crossReference>
 <langSec xml:lang="en"><termSec><term>buffer</term></termSec></langSec></conceptEntry>
</body></text></tbx>"#;

#[test]
fn term_banks_are_read() {
    let found = read_text(MARTIF, GlossaryFormat::Tbx);
    assert_eq!(
        lines(&found),
        [
            "en credit institution | CI; bank of old | undertaking that takes deposits & lends <Example Regulation, Article 4> | A list | finance |  |  | ",
            "zh 信贷机构 |  |  |  | finance |  |  | ",
            "en payment institution |  |  |  |  |  | credit institution | ",
        ]
    );
    assert_eq!(unread(&found), [("language de", 1), ("reliabilityCode", 1)]);
    assert_eq!(
        (found.rejected[0].entry, found.rejected[0].reason.as_str()),
        (17, "a section of a language has no term")
    );
    let found = read_text(DCT, GlossaryFormat::Tbx);
    assert_eq!(
        lines(&found),
        [
            "en reserve | provision | money set aside <Handbook> |  | banking | accepted |  | ",
            "en buffer |  |  |  |  |  | a reserve | "
        ]
    );
    assert_eq!(unread(&found), [("partOfSpeech", 1)]);
}

/// As a thesaurus is published: labels in many languages, notes as resources, labels as resources, schemes.
const THESAURUS: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@base <http://example.org/thesaurus/> .
<scheme> a skos:ConceptScheme ; dct:title "Thesaurus"@en .
<1> a skos:Concept ; skos:inScheme <scheme> ; skos:notation "1" ;
  skos:prefLabel "monetary policy"@en, "货币政策"@zh, "politique monétaire"@fr ;
  skos:altLabel "money policy"@en , "金融政策"@zh ; skos:hiddenLabel "monetery policy"@en ;
  skos:definition "what a central bank does"@en , [ rdf:value "央行调控货币供应的政策"@zh ; dct:source "词典" ] ;
  skos:related <2> ; skos:narrower <3> .
<2> a skos:Concept ; xl:prefLabel [ xl:literalForm "fiscal policy"@en ] ; xl:altLabel <l2> ; skos:broader <1> .
<l2> xl:literalForm """budget "policy"\u0021"""@en-GB .
<3> a skos:Concept .
"#;

#[test]
fn thesauri_are_read() {
    let found = read_text(THESAURUS, GlossaryFormat::Skos);
    assert_eq!(
        lines(&found),
        [
            "en monetary policy | money policy | what a central bank does <> |  |  |  | fiscal policy | ",
            "zh 货币政策 | 金融政策 | 央行调控货币供应的政策 <词典> |  |  |  |  | ",
            "en fiscal policy |  |  |  |  |  |  | monetary policy",
        ]
    );
    assert_eq!(
        unread(&found),
        [("hiddenLabel", 1), ("language fr", 1), ("notation", 1)]
    );
    assert_eq!(
        found.rejected[0].reason,
        "the concept has no preferred label"
    );
    // A broken statement costs itself.
    let broken = format!(
        "{THESAURUS}\n<4> skos:prefLabel \"own funds\"@en ; ; oops .\n<5> skos:prefLabel \"netting\"@en .\n"
    );
    let found = read_text(&broken, GlossaryFormat::Skos);
    assert!(
        found
            .rejected
            .iter()
            .any(|r| r.reason.starts_with("the statement is no Turtle")),
        "{:?}",
        found.rejected
    );
    assert!(
        found
            .entries
            .iter()
            .any(|(_, e)| e.term == "monetary policy")
    );
}

#[test]
fn json_is_read_in_the_shapes_that_people_write() {
    let text = r#"{"title": "x", "terms": [
        {"term": "netting", "lang": "en", "synonyms": ["set-off"], "definition": "d", "source": "s", "owner": 3},
        "close-out", 7, {"definition": "no term"}, {"term": "x", "definitions": [{"text": "a", "source": "b"}, "c"], "note": null}]}"#;
    let found = read_text(text, GlossaryFormat::Json);
    assert_eq!(
        lines(&found),
        [
            "en netting | set-off | d <s> |  |  |  |  | ",
            "en close-out |  |  |  |  |  |  | ",
            "en x |  | a <b>; c <> |  |  |  |  | "
        ]
    );
    assert_eq!(unread(&found), [("owner", 1), ("title", 1)]);
    let places: Vec<u64> = found.rejected.iter().map(|r| r.entry).collect();
    assert_eq!((found.read, places), (5, vec![3, 4]));
    assert_eq!(lines(&read_text("[]", GlossaryFormat::Json)), [""; 0]);
}

#[test]
fn hostile_and_foreign_files_are_refused() {
    use GlossaryFormat::{Csv, Json, Skos, Tbx};
    let laughs = r#"<?xml version="1.0"?><!DOCTYPE tbx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><tbx><text><body>
        <conceptEntry><langSec xml:lang="en"><termSec><term>&b;</term></termSec></langSec></conceptEntry></body></text></tbx>"#;
    let outside =
        r#"<!DOCTYPE tbx [<!ENTITY x SYSTEM "file:///etc/hostname">]><tbx><term>&x;</term></tbx>"#;
    let deep = format!("<tbx>{}", "<a>".repeat(100_000));
    let nested = format!("[{}", "[".repeat(100_000));
    let cases: [(&str, GlossaryFormat, &str); 13] = [
        (laughs, Tbx, "document type"),
        (outside, Tbx, "document type"),
        (&deep, Tbx, "nests"),
        ("<html><body/></html>", Tbx, "another kind"),
        ("term,definition\na,b", Tbx, "no XML"),
        ("<tbx><text>", Tbx, "cut off"),
        ("name of nothing\n1,2", Csv, "no column"),
        ("{\"a\": 1}", Json, "no array"),
        ("[{\"term\": \"a\"}", Json, "no JSON"),
        (&nested, Json, "no JSON"),
        ("\"terms\"", Json, "no JSON"),
        ("<a> <b> <c> .", Skos, "no concept"),
        ("term,definition\na,b", Skos, "no Turtle"),
    ];
    for (text, format, why) in cases {
        let taken = read(text.as_bytes(), format, false).map(|found| lines(&found));
        let said = taken.expect_err(text).to_string();
        assert!(said.contains(why), "{format:?}: {said}");
    }
    for format in GlossaryFormat::ALL {
        assert!(matches!(
            read(b" \n", format, false),
            Err(IngestError::Empty)
        ));
        assert!(matches!(
            read(&[0x7F, 0x00, 0x45, 0x01, 0x00], format, false),
            Err(IngestError::Unsupported(_))
        ));
    }
    // A document type that names a file and declares nothing is passed over, and the file is not read.
    let named = "<!DOCTYPE martif SYSTEM \"file:///etc/passwd\"><martif><text><body><termEntry><langSet xml:lang=\"en\"><tig>\
                 <term>netting&unknown;</term></tig></langSet></termEntry></body></text></martif>";
    assert_eq!(
        lines(&read_text(named, Tbx)),
        ["en netting |  |  |  |  |  |  | "]
    );
}

#[test]
fn one_concept_with_very_many_labels_is_cut_and_the_rest_counted() {
    let mut text = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n".to_owned();
    for n in 0..60_000 {
        text.push_str(&format!(
            "<1> skos:prefLabel \"banque {n}\"@fr ; skos:altLabel \"lender {n}\"@en .\n"
        ));
    }
    text.push_str("<1> skos:prefLabel \"the bank\"@en .\n<2> skos:prefLabel \"fund\"@en ; skos:related <1> .\n");
    let glossary = read_text(&text, GlossaryFormat::Skos);
    let beyond = glossary.unread.get(BEYOND).copied().unwrap_or_default();
    assert!(beyond >= 2 * (60_000 - 10 * MOST as u64), "{beyond}");
    assert!(
        glossary.unread.len() <= MOST_UNREAD + 1,
        "{}",
        glossary.unread.len()
    );
    assert_eq!(glossary.entries.len(), 1, "{:?}", lines(&glossary));
}
