//! A regulation of our own in both languages, written for these tests.

use super::{Line, line};
use lexforge_domain::text::SentenceKind;

const ENGLISH: &[(&str, &[&str])] = &[
    (
        "Licensing",
        &[
            "A payment institution shall hold a licence before it offers a payment account to the public.",
            "The licensing authority shall decide on a complete application within 90 days of its receipt.",
            "Where the application is incomplete, the licensing authority shall inform the applicant within 15 days.",
            "The applicant shall submit a business plan that covers at least three years.",
            "The licensing authority may refuse an application if the governing body of the applicant lacks experience.",
            "If the licence is refused, the licensing authority shall state its reasons in writing.",
            "A payment institution must not transfer its licence to another person.",
            "An electronic money institution may apply for an extension of its licence before the licence expires.",
            "The initial capital of a payment institution is at least EUR 125,000.",
            "The licence fee amounts to 2 % of the initial capital of the applicant.",
        ],
    ),
    (
        "Safeguarding of client funds",
        &[
            "A payment institution shall keep client funds in a safeguarding account with a licensed bank.",
            "The safeguarding bank shall confirm the balance of each safeguarding account within 5 business days.",
            "Client funds must not be used to pay the operating costs of the payment institution.",
            "The payment institution may invest client funds in secure and liquid assets approved by the supervisor.",
            "Where the safeguarding account shows a shortfall, the payment institution shall restore the balance without delay.",
            "The compliance officer shall reconcile the safeguarding account at least once a week.",
            "‘Client funds’ means money that a payment institution receives from a payer for the execution of a payment order.",
            "‘Safeguarding account’ means a segregated account with a bank that holds money of the clients only.",
            "If the safeguarding bank fails to pay, the supervisor may appoint an administrator for the client funds.",
            "The external auditor shall report every breach of the safeguarding rules to the supervisor within 10 days.",
        ],
    ),
    (
        "Risk management",
        &[
            "The board of directors shall approve the risk management policy at least annually.",
            "The risk manager shall report material losses to the board of directors within 2 business days.",
            "The internal auditor must review the outsourcing register before the end of each financial year.",
            "A payment institution shall maintain own funds of not less than 8 % of its payment volume.",
            "Where own funds fall below the minimum, the payment institution shall submit a recovery plan within 30 days.",
            "The risk management policy should describe the methods by which operational risk is measured.",
            "The supervisor may require a payment institution to hold additional own funds if its controls are insufficient.",
            "The board of directors shall not delegate the approval of the recovery plan to a committee.",
            "A stress test shall be carried out every two years on the basis of at least four scenarios.",
            "‘Own funds’ means paid-up capital and disclosed reserves less intangible assets of the payment institution.",
            "‘Operational risk’ means the risk of loss that results from inadequate processes, people or systems.",
        ],
    ),
    (
        "Outsourcing",
        &[
            "A payment institution shall notify the supervisor before it outsources an important function.",
            "The service provider shall grant the internal auditor access to its premises and records.",
            "An outsourcing contract must provide for termination with a notice period of at most six months.",
            "The payment institution remains responsible for each function that it outsources to a service provider.",
            "The service provider may use a subcontractor only if the payment institution has agreed in writing.",
            "If the service provider breaches the outsourcing contract, the payment institution shall inform the supervisor immediately.",
            "A service provider outside the country shall not process personal data of clients without their consent.",
            "The outsourcing register shall list the name of every subcontractor and the date of the contract.",
            "‘Outsourcing’ means an arrangement under which another party performs a function for the payment institution.",
            "‘Subcontractor’ means a party to which a service provider passes on a part of an outsourced function.",
        ],
    ),
    (
        "Complaints and refunds",
        &[
            "The payment institution shall answer a complaint within 15 business days of its receipt.",
            "Where a payment was not authorised by the payer, the payment institution shall refund the amount by the next business day.",
            "The payer shall report an unauthorised payment not later than 13 months after the debit date.",
            "The payer bears losses of up to EUR 50 that result from the use of a stolen card.",
            "The ombudsman may examine a complaint if the payer received no answer from the payment institution.",
            "The payee must not charge a fee for the use of a payment card.",
            "A merchant shall display the exchange rate before the payer confirms the payment order.",
            "If the payee disputes the refund, the ombudsman shall hear both parties before the decision.",
            "The complaints officer shall keep the complaints register for five years after the final answer.",
            "The payment institution must not close an account because the payer has made a complaint.",
        ],
    ),
    (
        "Supervision and reporting",
        &[
            "The payment institution shall file the quarterly report within 20 business days of the end of the quarter.",
            "The supervisor may inspect the premises of a payment institution at any time.",
            "The supervisor shall publish every sanction on its website within 7 days.",
            "Where an inspection shows serious deficiencies, the supervisor may suspend the licence for up to six months.",
            "The managing director shall sign the annual report before it is sent to the supervisor.",
            "The external auditor must not provide consulting services to the payment institution that it audits.",
            "An agent shall wear an identity card that shows the name of the payment institution.",
            "A branch in another country should report to the managing director at least monthly.",
            "The administrative fine is at most 10 % of the annual turnover of the payment institution.",
            "If the annual report is late, the supervisor shall impose a daily penalty of EUR 500.",
            "The whistleblower shall not be dismissed because of a report to the supervisor.",
        ],
    ),
    (
        "Money laundering",
        &[
            "The compliance officer shall report a suspicious transaction to the financial intelligence unit without delay.",
            "The payment institution shall verify the identity of a client before it opens a payment account.",
            "Where a client is a politically exposed person, senior management must approve the business relationship.",
            "The financial intelligence unit may freeze a transaction for up to 72 hours.",
            "The payment institution must keep the identification documents for eight years after the end of the business relationship.",
            "An agent must not accept cash above EUR 1,000 from a client that has not been identified.",
            "The training officer shall train every new employee within three months of the start of employment.",
            "‘Beneficial owner’ means the natural person who ultimately owns or controls more than 25 % of a client.",
            "‘Suspicious transaction’ means a transaction that has no apparent economic purpose or departs from the usual pattern.",
            "If the beneficial owner cannot be identified, the payment institution shall not carry out the transaction.",
        ],
    ),
];

const CHINESE: &[(&str, &[&str])] = &[
    (
        "账户管理",
        &[
            "支付机构应当在开立支付账户之前核实客户的身份信息。",
            "客户身份信息发生变更的，支付机构应当在十个工作日内更新客户资料。",
            "支付机构不得为身份不明的客户开立支付账户或者提供交易服务。",
            "客户可以随时向支付机构申请注销本人名下的支付账户。",
            "开户银行应当自收到账户资料之日起五日内完成账户备案。",
            "支付账户余额低于最低限额的，支付机构可以暂停账户的付款功能。",
            "本办法所称支付账户，是指支付机构为客户开立的用于记录预付资金余额的电子簿记。",
            "本办法所称客户备付金，是指支付机构为办理客户委托的支付业务而实际收到的预收待付货币资金。",
        ],
    ),
    (
        "备付金管理",
        &[
            "支付机构应当将客户备付金全额存入备付金专用存款账户。",
            "备付金银行应当每日核对备付金专用存款账户的余额。",
            "支付机构不得挪用客户备付金支付日常经营费用。",
            "备付金银行发现账户余额短缺的，备付金银行应当立即通知支付机构和监督管理部门。",
            "监督管理部门可以要求支付机构提高风险准备金的计提比例。",
            "风险准备金的计提比例不得低于备付金利息收入的百分之十。",
            "支付机构解散的，清算组应当自成立之日起三十日内制定客户权益保障方案。",
            "会计师事务所应当于每年四月底前向监督管理部门提交备付金审计报告。",
        ],
    ),
    (
        "风险控制",
        &[
            "董事会应当每年至少审议一次全面风险管理政策。",
            "风险管理部门应当在三个工作日内向董事会报告重大风险事件。",
            "内部审计部门可以直接查阅外包服务商的业务记录。",
            "支付机构的实缴资本不得低于人民币5000万元。",
            "单一股东的持股比例超过百分之十的，支付机构应当事前报监督管理部门批准。",
            "高级管理人员不得在同类支付机构兼任职务。",
            "外包服务商未经支付机构书面同意，不得将外包业务转包给第三方。",
            "支付机构发生系统中断的，技术部门应当在两小时内启动应急预案。",
            "本办法所称操作风险，是指由不完善的内部程序、员工、系统或者外部事件所造成损失的风险。",
            "本办法所称流动性风险，是指支付机构无法以合理成本及时获得充足资金以偿付到期债务的风险。",
        ],
    ),
    (
        "投诉处理",
        &[
            "支付机构应当自受理投诉之日起十五日内作出处理决定。",
            "客户对处理决定有异议的，客户可以向行业协会申请调解。",
            "行业协会应当在二十个工作日内完成纠纷调解。",
            "特约商户不得向持卡人收取刷卡手续费。",
            "未经授权的交易造成客户损失的，支付机构应当先行赔付客户的实际损失。",
            "持卡人应当在发现银行卡丢失后立即向发卡银行挂失。",
            "发卡银行可以对长期未使用的银行卡采取限制措施。",
            "投诉档案应当至少保存五年，涉及诉讼的应当保存至诉讼终结。",
        ],
    ),
    (
        "监督检查",
        &[
            "监督管理部门应当每两年对支付机构开展一次全面现场检查。",
            "检查人员不得少于二人，并应当出示检查通知书和执法证件。",
            "支付机构拒绝检查的，监督管理部门可以处十万元以上五十万元以下罚款。",
            "支付机构应当于每季度结束后二十日内报送业务统计报表。",
            "监督管理部门应当在七日内公开行政处罚决定。",
            "被处罚人对处罚决定不服的，被处罚人可以在六十日内申请行政复议。",
            "任何单位和个人不得干预检查人员依法履行职责。",
            "分支机构应当按月向总部报送风险监测报告。",
            "支付机构的年度报告应当经会计师事务所审计，并由法定代表人签字。",
        ],
    ),
    (
        "反洗钱",
        &[
            "支付机构应当在发现可疑交易后五个工作日内向反洗钱监测中心报告。",
            "反洗钱监测中心可以要求支付机构补充提供交易记录。",
            "客户身份资料应当自业务关系结束之日起至少保存五年。",
            "支付机构的工作人员不得向客户泄露可疑交易报告的内容。",
            "客户为外国政要的，支付机构应当经高级管理人员批准后建立业务关系。",
            "代理商不得为未经身份核实的客户办理一万元以上的现金业务。",
            "合规部门应当每年对全体员工开展反洗钱培训。",
        ],
    ),
];

pub(super) fn english() -> Vec<Line> {
    lines(ENGLISH)
}

pub(super) fn chinese() -> Vec<Line> {
    lines(CHINESE)
}

fn lines(sections: &[(&str, &[&str])]) -> Vec<Line> {
    sections
        .iter()
        .flat_map(|(heading, all)| {
            all.iter()
                .map(|text| line(text, heading, None, SentenceKind::Rule))
        })
        .collect()
}
