use super::*;

#[test]
fn words_for_whoever_is_meant_are_about_nothing() {
    for (word, helps) in [
        ("him", true),
        ("itself", true),
        ("Your", true),
        ("hull", false),
    ] {
        assert_eq!(helps_to_ask(word), helps, "{word}");
    }
}

#[test]
fn the_words_that_ask_are_left_out() {
    for (question, expected) in [
        (
            "货币经纪公司的注册资本最低限额是多少？",
            "货币经纪公司的注册资本最低限额",
        ),
        ("什么是保险合同？", "保险合同"),
        (
            "保险合同成立后，投保人能否解除合同？",
            "保险合同成立后，投保人 解除合同",
        ),
        ("船长最晚几天内要向哪个部门报告？", "船长 内要向 报告"),
        ("停泊费由谁缴，能不能分期？", "停泊费 分期"),
        ("船长应当报告相应损失吗？", "船长 报告相应损失"),
        ("船舶登记簿应载明哪些内容？", "船舶登记簿 载明"),
        ("一个港口有引航公司吗？", "港口有引航公司"),
        ("停泊费到底交不交？", "停泊费 交"),
        ("停泊费一般多久交完？", "停泊费 交完"),
        ("船长自己能换泊位吗？", "船长 能换泊位"),
        ("停泊费的千分之几？", "停泊费"),
        ("什么算大型船舶？", "大型船舶"),
        ("既然停泊要缴费，那么谁来收？", "停泊要缴费"),
        ("船长停泊以后，要谁同意换泊位？", "船长停泊 同意换泊位"),
        ("船舶停泊一个月要缴费吗？", "船舶停泊一个月要缴费"),
        ("How long is it kept?", "is it kept?"),
        ("Why don't we have to pay?", "Why we must pay?"),
        ("What’s due if we haven’t paid?", "due if we paid?"),
        ("Can't?", "Can't?"),
        ("May we just pay the fee?", "May we pay the fee?"),
        ("Who of the US tells us?", "Who of the US tells"),
        ("Who signs off a plan?", "Who signoff a plan?"),
        ("Sign off", "Sign off"),
        ("How much time is there?", "is there?"),
        ("And how long, in months?", "And how long, in months?"),
        ("Is it true that a pilot is needed?", "a pilot is needed?"),
        ("When is a fee due, and to whom?", "When is a fee due,"),
        ("Who pays a fee, and when?", "Who pays a fee,"),
        ("Do we have to pay?", "Do we must pay?"),
        ("And by whom?", "And by whom?"),
        ("To whom must it be paid?", "must it be paid?"),
        ("A pilot is needed, right?", "A pilot is needed"),
        ("I was told that a pilot is needed?", "a pilot is needed?"),
        ("什么？", "什么？"),
    ] {
        assert_eq!(subject(question), expected);
    }
}

#[test]
fn what_a_question_is_about_stands_first() {
    for (subject, expected) in [
        ("渔船的停泊费", Some("渔船")),
        ("三条船的停泊费", None),
        ("渔船停泊费", None),
        // A body by its name, and what is none: a kind alone, a number of them, one that something is done to.
        ("引航公司停泊费", Some("引航公司")),
        ("引航 公司停泊费", Some("引航 公司")),
        ("公司停泊费", None),
        // A part of a body is no kind of body; the body of which it is one is.
        ("省分公司停泊费", None),
        ("省分公司的停泊费", None),
        ("引航公司分支机构停泊费", Some("引航公司")),
        ("引航公司分公司的停泊费", Some("引航公司")),
        ("三家引航公司停泊费", None),
        ("船长向引航公司报告", None),
        ("渔船，驳船的停泊费", None),
        ("the fee", None),
    ] {
        assert_eq!(topic(subject), expected, "{subject}");
    }
}

#[test]
fn a_question_that_goes_on_points_back() {
    for (question, back) in [
        ("And what if it is late?", true),
        ("What about vessels?", true),
        ("Who pays for this?", true),
        ("那船长呢？", true),
        ("那逾期的呢？", true),
        ("那些船舶应当缴费？", false),
        ("那船长几天内要报告呢？", false),
        ("What is late?", false),
        ("Who audits the harbour office?", false),
    ] {
        assert_eq!(points_back(question), back, "{question}");
    }
}

#[test]
fn a_term_by_itself_is_looked_up() {
    for (text, expected) in [
        ("main berth", Some("main berth")),
        ("the “Main Berth”", Some("Main Berth")),
        ("犹豫期", Some("犹豫期")),
        ("Who pays?", None),
        ("how long is it kept", None),
        ("a vessel that is moored at night", None),
        ("犹豫期有多久", None),
        ("", None),
    ] {
        assert_eq!(looked_up(text), expected, "{text}");
    }
}

#[test]
fn a_question_for_a_meaning_names_its_term() {
    for (question, expected) in [
        ("What does personal data mean?", Some("personal data")),
        ("What does “Personal Data” mean?", Some("Personal Data")),
        ("How is a controller defined?", Some("controller")),
        ("what is meant by profiling", Some("profiling")),
        ("什么是保险合同？", Some("保险合同")),
        ("受托人是指什么？", Some("受托人")),
        ("What does the controller have to do?", None),
        ("What does mean?", None),
        ("What is profiling?", Some("profiling")),
        ("What is a berth under the Harbour Act?", Some("berth")),
        (
            "What are assets under management?",
            Some("assets under management"),
        ),
        ("What does HDA stand for?", Some("HDA")),
        ("受益人是什么意思？", Some("受益人")),
        ("保险利益的定义", Some("保险利益")),
        ("保险利益是什么？", Some("保险利益")),
        ("如何计息？", None),
        ("什么叫引航？", Some("引航")),
        ("什么样的船算“无主”船舶？", Some("无主”船舶")),
        ("怎样计算停泊费？", None),
        ("什么算大型船舶？", Some("大型船舶")),
        ("什么样才算大型船舶？", Some("大型船舶")),
        ("啥叫引航？", Some("引航")),
        ("《缴费办法》里的船舶所有人是指谁？", Some("船舶所有人")),
        ("本办法所称“大型船舶”怎么界定？", Some("大型船舶")),
    ] {
        assert_eq!(meaning_of(question), expected, "{question}");
    }
}
