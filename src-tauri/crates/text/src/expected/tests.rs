use super::Expected::{Amount, Extent, List, Time};
use super::*;

#[test]
fn a_question_says_what_it_wants() {
    for (question, expected) in [
        ("How long must records be kept?", Some(Time)),
        ("Within what period must a breach be notified?", Some(Time)),
        ("How much time has a master to report?", Some(Time)),
        ("How quickly must a master report?", Some(Time)),
        ("What is the minimum capital of a bank?", Some(Amount)),
        ("What is the port's liquidity ratio minimum?", Some(Amount)),
        ("What is the deposit maximum for a berth?", Some(Amount)),
        ("What is the office to do at a minimum?", None),
        ("What is the harbour for at its maximum?", None),
        ("From what age may a pilot steer?", Some(Time)),
        ("What is the highest fee for a berth?", Some(Amount)),
        ("What information must the notice contain?", Some(List)),
        ("Which conditions apply to a transfer?", Some(List)),
        ("May a bank lend to its directors?", None),
        ("公司的注册资本最低限额是多少？", Some(Amount)),
        ("流动资金贷款的期限一般为多长？", Some(Time)),
        ("处罚决定书应包含哪些内容？", Some(List)),
        ("投保人能否解除合同？", None),
    ] {
        assert_eq!(of_question(question), expected, "{question}");
    }
}

#[test]
fn how_long_a_thing_is_asks_for_no_time() {
    for (question, expected) in [
        ("How long must passwords be?", Some(Extent)),
        ("How long do mooring ropes have to be?", Some(Extent)),
        ("How long must a passphrase be at least?", Some(Extent)),
        ("How long must a pilot's break be?", Some(Time)),
        ("How long must a password be kept?", Some(Time)),
    ] {
        assert_eq!(of_question(question), expected, "{question}");
    }
    assert_eq!(beside("How long must passwords be?"), Some(Beside::Extent));
    for (text, is_in) in [
        ("Passwords have at least twelve characters.", true),
        (
            "Codes of 12 or more alphanumeric characters are used.",
            true,
        ),
        ("The minimum length of a password is 12.", true),
        ("Ropes are 30 metres long.", true),
        ("Keys are 2048-bit keys.", true),
        ("Passwords are changed every six months.", false),
        ("The length of a shift is 12 hours.", false),
        ("Three managers know the password.", false),
    ] {
        assert_eq!(Extent.is_in(text), is_in, "{text}");
        assert_eq!(Beside::Extent.may_be_told_in(text), is_in, "{text}");
    }
}

#[test]
fn more_questions_want_a_time_or_an_amount() {
    for (question, expected) in [
        ("When is the berth report due?", Some(Beside::Time)),
        ("How long is the log kept?", Some(Beside::Time)),
        ("How often is the quay checked?", Some(Beside::Frequency)),
        (
            "How many times a year is the quay checked?",
            Some(Beside::Frequency),
        ),
        ("How many berths are there?", Some(Beside::Amount)),
        (
            "What is the civil penalty for late mooring?",
            Some(Beside::Amount),
        ),
        ("What penalty does a late tanker pay?", Some(Beside::Amount)),
        ("What is the tax rate in a port?", Some(Beside::Amount)),
        ("What fines are there?", None),
        ("What is the harbour master?", None),
        ("Which documents are due?", None),
        ("停泊费什么时候缴？", None),
    ] {
        assert_eq!(beside(question), expected, "{question}");
    }
    // A day and a year tell when, and no amount.
    for (text, time, often, amount) in [
        (
            "It is filed by June 30 of the next year.",
            true,
            false,
            false,
        ),
        ("It is filed on 1 March.", true, false, false),
        ("It is filed within 15 days.", true, true, true),
        ("The fire is reported immediately.", true, false, false),
        ("The quay is checked annually.", false, true, false),
        (
            "The quay is checked on an annual basis.",
            false,
            true,
            false,
        ),
        ("The quay is checked once a year.", false, true, false),
        (
            "The quay is checked three times in summer.",
            false,
            true,
            true,
        ),
        ("The quay is checked several times.", false, false, false),
        ("It is checked in every audit cycle.", false, true, false),
        ("Every master reads the annual report.", false, false, false),
        ("The dues were raised in 2002.", true, false, false),
        (
            "The dues are those of the Harbour Act of 2002.",
            false,
            false,
            false,
        ),
        ("The master of the port has 2002 keys.", false, false, true),
        ("Masters of Category 3 have keys.", false, false, false),
        ("The master may, in May, refuse.", false, false, false),
        ("The master may refuse.", false, false, false),
    ] {
        assert_eq!(Beside::Time.is_in(text), time, "{text}");
        assert_eq!(Beside::Frequency.is_in(text), often, "{text}");
        assert_eq!(Beside::Amount.is_in(text), amount, "{text}");
    }
}

#[test]
fn what_something_has_to_say_is_asked_for() {
    for (question, asks) in [
        ("What must the notice to the harbour master contain?", true),
        ("what shall the notice state at least", true),
        ("What must the harbour master do?", false),
        ("Which vessels does the notice include?", false),
    ] {
        assert_eq!(asks_what_is_in_it(question), asks, "{question}");
    }
}

#[test]
fn a_text_holds_what_is_wanted() {
    for (text, list, amount, time) in [
        (
            "The notice states: (a) the name; (b) the reason.",
            true,
            false,
            false,
        ),
        (
            "Under Article 5 of Regulation (EU) 2016/679 it is kept.",
            false,
            false,
            false,
        ),
        ("It is kept for one business day.", false, true, true),
        ("The one who keeps it is a master.", false, false, false),
        // The number of a paragraph, alone and behind another one.
        ("1. The office keeps it.", false, false, false),
        (
            "89.The office keeps it. 90. It is red.",
            false,
            false,
            false,
        ),
        ("1.5 euros are paid.", false, true, false),
        (
            "It is kept for at least 30 business days.",
            false,
            true,
            true,
        ),
        ("It is kept for twelve (12) months.", false, true, true),
        ("At least 8 % of the exposure is held.", false, true, false),
        ("第八条 包括：（一）名称；（二）理由。", true, false, false),
        ("第八条 期限不超过三年。", false, true, true),
        ("第九条 注册资本最低限额为10亿元。", false, true, false),
        ("依照本办法第十六条规定报告。", false, false, false),
        ("Dues are laid down in 31 CFR 103.57.", false, false, false),
        (
            "Dues are laid down in 12 U.S.C. 1818, and by the port.",
            false,
            false,
            false,
        ),
    ] {
        assert_eq!(List.is_in(text), list, "list: {text}");
        assert_eq!(Amount.is_in(text), amount, "amount: {text}");
        assert_eq!(Time.is_in(text), time, "time: {text}");
    }
    assert!(List.is_in_sentence("决定书应当载明下列内容："));
    assert!(!Time.is_in_sentence("决定书应当载明下列内容："));
}

#[test]
fn a_text_tells_the_figure_that_is_asked_for() {
    for (question, text, told) in [
        ("罚款最多多少？", "由同一港务机构统一处罚。", false),
        ("罚款最多多少？", "任何一个船长之一。", false),
        ("罚款最多多少？", "万能型船舶。", false),
        ("罚款最多多少？", "处五万元罚款。", true),
        ("罚款比例是多少？", "停泊费的百分之三。", true),
        ("罚款最多多少？", "本办法自2024年7月1日起施行。", false),
        ("靠港满几年？", "本办法自2024年7月1日起施行。", false),
        ("靠港满几年？", "连续靠港三年。", true),
        ("多久检查一次？", "每年检查。", true),
        ("多少天内报告？", "应当及时报告。", false),
        ("合格要多少分？", "每2年考一次。", false),
        ("合格要多少分？", "90分以上。", true),
        ("一天能考几次？", "一次性缴纳。", false),
        ("停泊费要多少钱？", "三十日内缴纳。", false),
        ("停泊费要多少钱？", "二十万元。", true),
        ("停泊费要多少钱？", "小型船舶免缴停泊费。", true),
        // A day, a time, and the number of a table or a kind are no sum.
        ("罚款最多多少？", "每年7月1日前缴纳罚款。", false),
        ("罚款最多多少？", "二〇二四年起缴纳罚款。", false),
        ("罚款最多多少？", "三十日内缴纳罚款。", false),
        ("罚款最多多少？", "罚款见附件2。", false),
        ("罚款最多多少？", "罚款见表1。", false),
        ("罚款最多多少？", "对第三类船舶处以罚款。", false),
        ("罚款最多多少？", "对三级船舶处以罚款。", false),
        ("罚款最多多少？", "对3级船舶处以罚款。", false),
        ("罚款最多多少？", "对A3船舶处以罚款。", false),
        ("罚款最多多少？", "对Tier 2船舶处以罚款。", false),
        ("罚款最多多少？", "依照第十六条处以罚款。", false),
        ("罚款最多多少？", "处停泊费三倍以下罚款。", true),
        ("罚款最多多少？", "处停泊费百分之二十的罚款。", true),
        ("罚款最多多少？", "罚款3000元，表1所列船舶除外。", true),
        ("罚款期限最长多少？", "罚款应当在三十日内缴纳。", true),
        ("停泊费是多少？", "代表3人每人缴50元。", true),
        // What belongs to a case is not what a rule sets, unless the case is asked for.
        ("停泊几天？", "停泊满十天的船舶应当登记。", false),
        ("停泊几天？", "在三日内再次停泊的，可以不登记。", false),
        ("停泊几天？", "停泊一年期以上的船舶应当登记。", false),
        ("停泊几天？", "停泊不得超过十天的期限。", true),
        ("停泊几天算滞留？", "停泊超过十天的船舶为滞留船舶。", true),
        ("停泊几天要登记？", "停泊满十天的船舶应当登记。", true),
        ("停泊几天内要登记？", "停泊满十天的船舶应当登记。", false),
        ("引航员最小多少岁？", "年满十八周岁的人可以领航。", true),
        ("罚款最多多少？", "停泊费超过五万元的，处以罚款。", false),
        (
            "引航员的工资一个月多少？",
            "引航员不超过60周岁，任期3年。",
            false,
        ),
        ("引航员的工资一个月多少？", "引航员每月领取5000元。", true),
        ("停泊费一个月多少？", "船员不少于3人。", false),
        ("消费者委员会有多少委员？", "委员不少于3人。", true),
        // So many of these, and not of those.
        ("考试要几名考官？", "考官三名。", true),
        ("考试要几名考官？", "考官考三次。", false),
        ("考试要几名考官？", "考试免费。", false),
        ("考试要多少位考官？", "考官不少于2人。", true),
        ("引航员分几级？", "引航员分为三级。", true),
        ("引航员分几级？", "引航员三年一考。", false),
        ("船舶有几种？", "船舶分为两类。", true),
        ("船舶有几种？", "船舶两艘。", false),
        ("登记要几份材料？", "材料一式三份。", true),
        ("登记要几份材料？", "材料三日内提交。", false),
        ("港口有几个泊位？", "港口设一个泊位。", true),
        ("港口有几个泊位？", "港口泊位不少于3座。", true),
        ("港口有几个泊位？", "港口泊位三年后启用。", false),
        ("港口有几个泊位？", "港口泊位费五万元。", false),
        ("港口有几个泊位？", "港口泊位见附表1。", false),
        (
            "一个港口能有几家引航公司？",
            "每个港口设立一家引航公司。",
            true,
        ),
        (
            "一个港口能有几家引航公司？",
            "引航公司一般由国家设立。",
            false,
        ),
        // Questions that can be answered without a figure.
        ("何时生效？", "自签字之日起生效。", true),
        ("几月几号生效？", "自签字之日起生效。", true),
        ("由谁缴纳？", "由船长缴纳。", true),
    ] {
        assert_eq!(is_told(question, text), told, "{question} {text}");
    }
}

#[test]
fn how_soon_is_told_without_a_figure() {
    for (question, text, soon) in [
        ("多久登记？", "船长应当及时登记。", true),
        ("多久登记？", "船长应当登记。", false),
        ("由谁登记？", "船长应当及时登记。", false),
        ("How long is it kept?", "及时", false),
    ] {
        assert_eq!(tells_how_soon(question, text), soon, "{question} {text}");
    }
}

#[test]
fn what_is_counted_is_named_behind_how_many() {
    for (question, expected) in [
        ("How many berths may a town have?", Some("berths")),
        ("Of how many pilots is the board made up?", Some("pilots")),
        ("How many days is a log kept?", None),
        ("How many times is a log read?", None),
        ("How much is paid?", None),
    ] {
        assert_eq!(counted(question).as_deref(), expected, "{question}");
    }
}

#[test]
fn what_is_measured_is_named_behind_its_unit() {
    for (question, expected) in [
        ("How many days of leave does a master get?", Some("leave")),
        (
            "How many working days of paid leave are there?",
            Some("leave"),
        ),
        (
            "How many years of experience must a pilot have?",
            Some("experience"),
        ),
        ("How many hours of rest per day has a pilot?", Some("rest")),
        ("How many days of notice must a master give?", None),
        ("How many days of the week is the port open?", None),
        ("How many days does a master get?", None),
        ("How many days of it must a master work?", None),
        ("How many pilots of the port are there?", None),
        ("How long is the leave of a master?", None),
        ("How many days of", None),
    ] {
        assert_eq!(measured(question).as_deref(), expected, "{question}");
    }
}

#[test]
fn a_day_of_the_calendar_is_no_number_of_months() {
    for (question, text, expected) in [
        ("停泊年报几月几号前交？", "每年4月30日前报送。", true),
        ("停泊年报几月几号前交？", "年度终了后4个月内报送。", false),
        ("停泊年报几月份交？", "于三月底前报送。", true),
        ("停泊年报什么时候交？", "每年4月30日前报送。", false),
    ] {
        assert_eq!(tells_the_day(question, text), expected, "{question} {text}");
    }
}
