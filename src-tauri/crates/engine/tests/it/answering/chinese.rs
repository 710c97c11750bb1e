//! Questions in Chinese, as people ask them.

use super::{Corpus, ask};
use lexforge_domain::api::AnswerNote;
use lexforge_engine::Engine;

const DUES: &str = "第一条 本办法所称小型渔业船舶，是指长度不满十二米、从事捕捞的船舶。

第二条 船舶停泊的，应当在抵港之日起十日内向港务管理机构缴纳停泊费；除本办法第五条规定的情形外，停泊费不得减免。

第三条 港务管理机构应当设立船舶登记簿。船舶登记簿应当载明下列事项：

（一）船舶的名称；

（二）船舶所有人；

（三）停泊的日期。

第四条 船舶所有人对申报材料的真实性承担最终责任。

第五条 小型渔业船舶停泊的，免缴停泊费。

第六条 拒绝缴纳停泊费的船舶，不得离港。
";
const TRAINING: &str = "第一条 引航员上岗前应当接受六个月的培训。

第二条 引航员培训由引航机构组织，每年开展一次。

第三条 引航员考试不合格的，可以补考一次。
";

fn engine() -> (Corpus, Engine) {
    let corpus = Corpus::of(&[
        ("港口船舶缴费管理办法.txt", DUES),
        ("引航员培训管理暂行办法.txt", TRAINING),
    ]);
    let engine = corpus.engine();
    (corpus, engine)
}

/// What an answer says first, and how many statements it has.
fn first(engine: &Engine, question: &str) -> (String, usize) {
    let answer = ask(engine, question);
    assert!(answer.found, "{question}: {answer:#?}");
    let text = answer.statements.first().map(|s| s.text.clone());
    (text.unwrap_or_default(), answer.statements.len())
}

#[test]
fn a_question_in_everyday_words_finds_its_article() {
    let (_corpus, engine) = engine();
    for (question, said) in [
        ("停泊费什么时候交？", "十日内"),
        ("材料的真实性由谁负最终责任？", "船舶所有人"),
        // An act by some of its characters, its article in digits.
        ("《培训办法》第3条讲什么？", "补考一次"),
        ("缴费办法第六条怎么说？", "不得离港"),
        // A thing by some of its characters.
        ("小渔船舶是指什么？", "不满十二米"),
        ("《缴费办法》里的小型渔业船舶怎么界定？", "不满十二米"),
    ] {
        let (text, _) = first(&engine, question);
        assert!(text.contains(said), "{question}: {text}");
    }
}

#[test]
fn an_article_is_told_with_the_one_that_excepts_from_it() {
    let (_corpus, engine) = engine();
    let answer = ask(&engine, "停泊费应当在多少日内缴纳，可以减免吗？");
    let said: Vec<&str> = answer.statements.iter().map(|s| s.text.as_str()).collect();
    assert!(answer.found && said.len() >= 2, "{answer:#?}");
    assert!(said[0].contains("不得减免"), "{said:?}");
    assert!(said[1].contains("免缴停泊费"), "{said:?}");
}

#[test]
fn a_list_is_whole() {
    let (_corpus, engine) = engine();
    let (text, _) = first(&engine, "船舶登记簿要写明哪些内容？");
    for item in ["（一）", "（二）", "（三）"] {
        assert!(text.contains(item), "{text}");
    }
}

#[test]
fn what_stands_nowhere_is_named_and_refused() {
    let (_corpus, engine) = engine();
    let answer = ask(&engine, "食堂几点开门？");
    assert!(!answer.found, "{answer:#?}");
    let named = answer.notes.iter().any(|note| {
        matches!(note, AnswerNote::StandNowhere { words } if words.iter().any(|w| w.contains("食堂")))
    });
    assert!(named, "{:?}", answer.notes);
}

#[test]
fn a_figure_that_nobody_tells_is_not_answered_by_a_clause_without_one() {
    let (_corpus, engine) = engine();
    for question in [
        "引航员考试补考的费用是多少元？",
        "引航员考试合格要多少分？",
        "船舶登记簿要保存几年？",
    ] {
        let answer = ask(&engine, question);
        assert!(!answer.found, "{question}: {answer:#?}");
    }
    for (question, said) in [
        ("引航员培训多久开展一次？", "每年"),
        ("小型渔业船舶停泊要缴多少停泊费？", "免缴"),
    ] {
        let (text, _) = first(&engine, question);
        assert!(text.contains(said), "{question}: {text}");
    }
}

#[test]
fn a_question_that_goes_on_is_not_answered() {
    let (_corpus, engine) = engine();
    for (question, found) in [
        ("那船舶所有人呢？", false),
        ("船舶所有人对什么承担责任？", true),
    ] {
        let answer = ask(&engine, question);
        assert_eq!(answer.found, found, "{question}: {answer:#?}");
    }
}

#[test]
fn a_wrong_figure_of_a_question_is_told() {
    let (_corpus, engine) = engine();
    for (question, told) in [
        ("引航员上岗前接受三个月的培训期限可以延长吗？", true),
        ("引航员上岗前接受六个月的培训期限可以延长吗？", false),
    ] {
        let answer = ask(&engine, question);
        assert!(answer.found, "{question}: {answer:#?}");
        assert_eq!(answer.premise.is_some(), told, "{question}: {answer:#?}");
    }
}

#[test]
fn a_question_in_other_characters_is_read_in_those_of_the_documents() {
    let (_corpus, engine) = engine();
    // Traditional ones, and one that only sounds right.
    for (question, said, read) in [
        ("停泊費什麼時候交？", "十日内", "停泊费什么时候交？"),
        ("引航员培熏由谁组织？", "引航机构", "培训"),
    ] {
        let answer = ask(&engine, question);
        let (text, _) = first(&engine, question);
        assert!(text.contains(said), "{question}: {text}");
        let is_said = answer.notes.iter().any(|note| match note {
            AnswerNote::OtherScript { read: as_what } => as_what == read,
            AnswerNote::ReadAs { read: as_what, .. } => as_what.contains(read),
            _ => false,
        });
        assert!(is_said, "{question}: {:?}", answer.notes);
        assert_eq!(answer.question, question);
    }
}

const BERTHS: &str = "第一条 渔船的停泊费为每日五元。

第二条 驳船的停泊费为每日九元。

第三条 停泊费由船长缴纳。

第四条 泊位凭证遗失的，应当在五日内补办。
";

#[test]
fn everyday_words_find_those_of_rules() {
    let corpus = Corpus::of(&[("泊位办法.txt", BERTHS)]);
    let (text, _) = first(&corpus.engine(), "泊位凭证丢了几天内补办？");
    assert!(text.contains("五日"), "{text}");
}

#[test]
fn a_longer_everyday_word_is_read_as_that_of_rules_and_it_is_said() {
    let text = "第一条 保险公司应当缴纳保证金。\n\n第二条 保险企业由港务办公室登记。\n";
    let corpus = Corpus::of(&[("保险公司办法.txt", text)]);
    let engine = corpus.engine();
    for (question, expected) in [
        ("险企应当缴纳保证金吗？", Some("保险公司")),
        ("“险企”应当缴纳保证金吗？", None),
        ("保险企业由谁登记？", None),
    ] {
        let answer = ask(&engine, question);
        let read = answer.notes.iter().find_map(|note| match note {
            AnswerNote::ReadAs { read, .. } => Some(read.as_str()),
            _ => None,
        });
        assert_eq!(read, expected, "{question}: {:?}", answer.notes);
        assert_eq!(answer.question, question);
    }
}

#[test]
fn each_part_of_a_question_is_answered() {
    let corpus = Corpus::of(&[("泊位办法.txt", BERTHS)]);
    let engine = corpus.engine();
    for (question, said) in [
        ("渔船的停泊费和驳船的停泊费有什么不同？", ["五元", "九元"]),
        (
            "停泊费由谁缴纳？泊位凭证遗失的，几天内补办？",
            ["船长", "五日"],
        ),
    ] {
        let answer = ask(&engine, question);
        assert_eq!(answer.parts.len(), 2, "{question}: {answer:#?}");
        for (part, said) in answer.parts.iter().zip(said) {
            let first = part.statements.first().map(|at| &answer.statements[*at]);
            let is_said = first.is_some_and(|s| s.text.contains(said));
            assert!(is_said, "{question}: {answer:#?}");
        }
    }
}
