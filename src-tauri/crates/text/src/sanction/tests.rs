use super::*;

#[test]
fn a_sanction_is_asked_for() {
    use Sanction::{Any, Consequence, Sum};
    for (question, expected) in [
        ("What is the penalty for not keeping a log?", Some(Any)),
        ("What's the penalty for a late report?", Some(Any)),
        (
            "Which sanctions apply if a master hides a wreck?",
            Some(Any),
        ),
        ("What civil penalties can be imposed?", Some(Any)),
        ("Are there any criminal penalties for a spill?", Some(Any)),
        ("Can a master be fined for a late report?", Some(Any)),
        ("How is a breach of Article 5 punished?", Some(Any)),
        ("Is a master fined if a report is late?", Some(Any)),
        ("How much is the fine for a spill?", Some(Sum)),
        ("How much can a master be fined for a spill?", Some(Sum)),
        ("What is the maximum administrative fine?", Some(Sum)),
        (
            "What are the consequences of failing to report?",
            Some(Consequence),
        ),
        (
            "Are there penalties or consequences for a late report?",
            Some(Consequence),
        ),
        (
            "What happens if a master fails to report?",
            Some(Consequence),
        ),
        ("What if a report is late?", Some(Consequence)),
        (
            "What will happen to a pilot who violates Article 5?",
            Some(Consequence),
        ),
        ("未按规定登记停泊日期，有什么处罚？", Some(Any)),
        ("未登记停泊日期的，会受到什么样的行政处罚？", Some(Any)),
        ("违反8条怎么罚？", Some(Any)),
        ("不缴停泊费会不会被罚款？", Some(Any)),
        ("不缴停泊费要交罚款吗？", Some(Any)),
        ("不缴停泊费的法律责任有哪些？", Some(Any)),
        ("不缴停泊费罚款多少？", Some(Sum)),
        ("不缴停泊费，罚款金额最高是多少？", Some(Sum)),
        ("不缴停泊费有什么后果？", Some(Consequence)),
        ("不缴停泊费会怎么样？", Some(Consequence)),
        ("未按规定登记停泊日期的怎么处理？", Some(Consequence)),
        // Something else is asked for.
        ("What is a fine?", None),
        ("What must a penalty notice contain?", None),
        ("Which sanctions lists are searched?", None),
        ("What happens if a master hides a wreck?", None),
        ("What happens to a vessel that is moored?", None),
        ("What if a master moors?", None),
        ("What happens if a customer brings no paper?", None),
        ("What happens if a pilot fails the exam?", None),
        ("What happens when a data breach is found?", None),
        ("What happens when a breach of security is found?", None),
        ("What happens if a master refuses to show a paper?", None),
        ("Who imposes fines?", None),
        ("How much time is there before a fine is due?", None),
        ("May a fined master moor?", None),
        ("May a master who was fined moor?", None),
        ("Is there a berth for a tanker?", None),
        (
            "How does a port define the breach of sanctioned goods?",
            None,
        ),
        ("行政处罚是什么？", None),
        ("行政处罚决定应当在多少日内作出？", None),
        ("罚款多少日内缴纳？", None),
        ("什么情况下不予处罚？", None),
        ("哪些行为会被罚款？", None),
        ("处罚有什么程序？", None),
        ("停泊费由谁缴？", None),
        ("发现沉船怎么处理？", None),
        ("发现虚假登记怎么处理？", None),
        ("停泊费逾期怎么处理？", None),
        ("船长拒绝登记怎么处理？", None),
        ("未按约定缴停泊费怎么处理？", None),
        ("邻船擅自停泊怎么办？", None),
        ("停泊费没有约定怎么办？", None),
        ("", None),
    ] {
        assert_eq!(asked_for(question), expected, "{question}");
    }
}

#[test]
fn a_text_tells_a_sanction_or_the_sum_that_is_asked_for() {
    let any = "What is the penalty for a late report?";
    let sum = "How much is the fine for a late report?";
    for (question, text, told) in [
        (any, "A master who is late is fined.", true),
        (any, "The licence may be revoked.", true),
        (any, "A late report is kept for 5 years.", false),
        (sum, "A master who is late pays a fine of 500 euros.", true),
        (sum, "A master who is late is fined.", false),
        (sum, "A late report costs 500 euros.", false),
        ("迟报有什么处罚？", "迟报的，责令改正。", true),
        ("迟报有什么处罚？", "迟报的，应当说明理由。", false),
        ("迟报罚款多少？", "迟报的，处五万元以下罚款。", true),
        (
            "迟报罚款多少？",
            "迟报的，处五百元以上九百元以下罚款。",
            true,
        ),
        ("迟报罚款多少？", "迟报的，处以罚款。", false),
    ] {
        let asked = asked_for(question);
        let found = asked.is_some_and(|sanction| sanction.may_be_told_in(question, text));
        assert_eq!(found, told, "{question} {text}");
    }
}

#[test]
fn a_breach_is_named() {
    for (question, named) in [
        ("What is the penalty for not keeping a log?", true),
        ("What is the fine for failing to report?", true),
        ("What is the penalty for a late report?", true),
        ("What is the penalty for a master who moors?", false),
        ("未登记停泊日期有什么处罚？", true),
        ("登记停泊日期有什么处罚？", false),
    ] {
        assert_eq!(is_of_a_breach(question), named, "{question}");
    }
    for (text, named) in [
        ("Infringements of the following rules are fined:", true),
        ("Whoever does not comply with Article 5 is fined.", true),
        ("Non-compliance with Article 5 is an offence.", true),
        ("违反本办法第五条规定的，处以罚款。", true),
        (
            "A fine under Article 5 is paid not later than in May.",
            false,
        ),
        ("依照第五条处以罚款的，应当在三十日内缴纳。", false),
    ] {
        assert_eq!(names_a_breach(text), named, "{text}");
    }
}

#[test]
fn what_is_left_of_a_question_says_which_rule_is_meant() {
    for (question, left) in [
        (
            "What is the penalty for failing to keep a log?",
            "What is the for to keep a log?",
        ),
        (
            "Which fines apply to a master who keeps no log?",
            "Which to a master who keeps no log?",
        ),
        ("违反规定停泊有什么处罚？", " 停泊有什么 ？"),
    ] {
        assert_eq!(without_it(question), left, "{question}");
    }
}
