//! Questions for a penalty, a fine, or what follows from the breach of a rule.

use super::{Corpus, ask};
use lexforge_domain::api::Answer;

const HARBOUR: &str = "# Regulation on the harbour of the town

## Article 1

1. Each master shall keep a log of moorings.

2. A pilot shall hold a licence for the basin.

## Article 2

The owner of a barge shall report each wreck to the warden within three days.

## Article 3

1. An anchor shall be painted red by its owner.

2. The warden shall:

(a) spend the fines;

(b) count the breaches of Articles 1 and 2.

## Article 4

1. Fines are paid at the counter of the warden.

2. Infringements of the following provisions shall be subject to fines of up to 900 euros:

(a) the duties pursuant to Articles 1 to 2;

(b) orders of the warden.

## Article 5

Whoever hides a cargo of powder from the warden is fined.
";
const MOORING: &str = "第一条 船长应当登记停泊日期，并保存登记簿。

第二条 船舶所有人发现沉船的，应当在三日内报告港务管理机构。

第三条 锚链应当由船舶所有人涂成红色。

第四条 违反本办法第一条至第二条规定的，由港务管理机构责令改正，处五百元以上九百元以下罚款。

第五条 隐瞒火药的，由港务管理机构没收火药。
";

fn corpus() -> Corpus {
    Corpus::of(&[
        ("harbour.md", HARBOUR),
        ("港口船舶停泊管理办法.txt", MOORING),
    ])
}

fn told(answer: &Answer) -> Vec<&str> {
    answer.statements.iter().map(|s| s.text.as_str()).collect()
}

#[test]
fn a_sanction_is_told_by_the_article_that_refers_to_the_rule() {
    let corpus = corpus();
    let engine = corpus.engine();
    let (log, fined) = ("shall keep a log of moorings", "up to 900 euros");
    let of_han = ["第四条", "九百元以下罚款"];
    for (question, sanction, rule) in [
        (
            "What is the penalty for not keeping a log of moorings?",
            ["Infringements of the following", fined],
            log,
        ),
        (
            "How much is the fine for not keeping a log of moorings?",
            ["Articles 1 to 2", fined],
            log,
        ),
        (
            "What are the consequences of not keeping a log of moorings?",
            ["Infringements of the following", fined],
            log,
        ),
        ("船长未登记停泊日期有什么处罚？", of_han, "第一条"),
        ("船长不保存登记簿会被罚款吗？", of_han, "第一条"),
        (
            "船舶所有人发现沉船未报告港务管理机构，罚款多少？",
            of_han,
            "第二条",
        ),
    ] {
        let answer = ask(&engine, question);
        assert!(answer.found, "{question}: {answer:#?}");
        let told = told(&answer);
        for part in sanction {
            assert!(told[0].contains(part), "{question}: {told:?}");
        }
        assert!(told[1].contains(rule), "{question}: {told:?}");
        assert_eq!(told.len(), 2, "{question}: {told:?}");
    }
}

#[test]
fn a_sanction_is_told_by_the_clause_that_states_it() {
    let corpus = corpus();
    let engine = corpus.engine();
    for (question, said) in [
        (
            "What is the penalty for hiding a cargo of powder from the warden?",
            "Whoever hides",
        ),
        ("隐瞒火药有什么处罚？", "没收火药"),
        // Consequences need not be sanctions.
        ("锚链未涂成红色有什么后果？", "涂成红色"),
        // No sanction is asked for.
        ("Who shall keep a log of moorings?", "Each master"),
    ] {
        let answer = ask(&engine, question);
        assert!(answer.found, "{question}: {answer:#?}");
        let told = told(&answer);
        assert!(told[0].contains(said), "{question}: {told:?}");
    }
}

/// The rule alone says nothing of what follows from its breach.
#[test]
fn a_rule_without_a_sanction_is_no_answer() {
    let corpus = corpus();
    let engine = corpus.engine();
    for question in [
        "锚链未涂成红色有什么处罚？",
        "锚链未涂成红色会不会被罚款？",
        "隐瞒火药罚款多少？",
        "What is the penalty for the owner of an anchor?",
    ] {
        let answer = ask(&engine, question);
        assert!(!answer.found, "{question}: {answer:#?}");
        assert!(!answer.passages.is_empty(), "{question}: {answer:#?}");
    }
}
