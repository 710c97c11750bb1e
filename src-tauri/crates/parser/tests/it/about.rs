//! The facts that real documents state about themselves, compared with those that a person read on their pages.

use crate::read_once::parse;

/// File | issuer | jurisdiction | identifier | date | effective | version. A `-` means that the document does not state
/// it, or states it in a form that a program cannot read with certainty.
const EXPECTED: &str = "
pdf-core-en/EBA_GL_IRRBB_CSRBB.pdf|European Banking Authority|EU|EBA/GL/2022/14|2022-10-20|-|-
pdf-core-en/EBA_GL_stress_testing.pdf|European Banking Authority|EU|EBA/GL/2018/04|2018-07-19|-|-
pdf-core-en/ECB_TRIM_guide.pdf|European Central Bank|EU|-|2017-02|-|-
pdf-core-en/FDIC_RMS_manual_8-1_BSA_AML.pdf|Federal Deposit Insurance Corporation|US|-|-|-|-
pdf-core-en/FFIEC_AIO_booklet_slides.pdf|Federal Financial Institutions Examination Council|US|-|2022-08-30|-|-
pdf-core-en/GDPR.pdf|European Parliament and Council of the European Union|EU|Regulation (EU) 2016/679|2016-04-27|2018-05-25|-
pdf-core-en/OCC_bank_supervision_process.pdf|Office of the Comptroller of the Currency|US|-|2019-09|-|Version 1.1
pdf-core-en/OCC_community_bank_supervision.pdf|Office of the Comptroller of the Currency|US|-|2019-09-30|-|Version 1.1
pdf-zh-nfra/中华人民共和国保险法.pdf|全国人民代表大会常务委员会|CN|-|1995-06-30|2009-10-01|2015年修正
pdf-zh-nfra/中华人民共和国信托法.pdf|全国人民代表大会常务委员会|CN|中华人民共和国主席令第五十号|2001-04-28|2001-10-01|-
pdf-zh-nfra/中华人民共和国外资保险公司管理条例.pdf|中华人民共和国国务院|CN|中华人民共和国国务院令第336号|2001-12-12|2002-02-01|2019年修订
pdf-zh-nfra/中华人民共和国银行业监督管理法.pdf|全国人民代表大会常务委员会|CN|-|2003-12-27|2004-02-01|2006年修正
pdf-zh-nfra/人身保险产品信息披露管理办法.pdf|中国银行保险监督管理委员会|CN|中国银行保险监督管理委员会令2022年第8号|2022-11-11|2023-06-30|-
pdf-zh-nfra/企业集团财务公司管理办法.pdf|中国银行保险监督管理委员会|CN|中国银行保险监督管理委员会令2022年第6号|2022-10-13|2022-11-13|-
pdf-zh-nfra/保险保障基金管理办法.pdf|中国银行保险监督管理委员会、中华人民共和国财政部、中国人民银行|CN|中国银行保险监督管理委员会、中华人民共和国财政部、中国人民银行令2022年第7号|2022-10-26|2022-12-12|-
pdf-zh-nfra/保险销售行为管理办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2023年第2号|2023-09-20|2024-03-01|-
pdf-zh-nfra/储蓄管理条例.pdf|国务院|CN|国务院令第107号|1992-12-11|1993-03-01|2011年修订
pdf-zh-nfra/农业保险条例.pdf|国务院|CN|国务院令第629号|2012-11-12|2013-03-01|2016年修订
pdf-zh-nfra/商业银行资本管理办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2023年第4号|2023-10-26|2024-01-01|-
pdf-zh-nfra/固定资产贷款管理办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2024年第1号|2024-01-30|2024-07-01|-
pdf-zh-nfra/国家金融监督管理总局信访工作办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2025年第2号|2025-04-30|2025-06-01|-
pdf-zh-nfra/国家金融监督管理总局行政处罚办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2025年第3号|2025-04-30|2025-07-01|-
pdf-zh-nfra/国有重点金融机构监事会暂行条例.pdf|国务院|CN|国务院令第282号|2000-03-15|2000-03-15|-
pdf-zh-nfra/小额贷款公司监督管理暂行办法.pdf|国家金融监督管理总局|CN|金规〔2024〕26号|2024|-|-
pdf-zh-nfra/汽车金融公司管理办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2023年第1号|2023-07-10|2023-08-11|-
pdf-zh-nfra/流动资金贷款管理办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2024年第2号|2024-01-30|2024-07-01|-
pdf-zh-nfra/理财公司内部控制管理办法.pdf|中国银行保险监督管理委员会|CN|中国银行保险监督管理委员会令2022年第4号|2022-08-22|2022-08-22|-
pdf-zh-nfra/融资担保公司监督管理条例.pdf|国务院|CN|国务院令第683号|2017-08-02|2017-10-01|-
pdf-zh-nfra/货币经纪公司管理办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2025年第6号|2025-06-19|2025-08-01|-
pdf-zh-nfra/金融机构产品适当性管理办法.pdf|国家金融监督管理总局|CN|国家金融监督管理总局令2025年第7号|2025-07-11|2026-02-01|-
pdf-zh-nfra/金融机构撤销条例.pdf|国务院|CN|国务院令第324号|2001-11-23|2001-12-15|-
pdf-zh-nfra/金融资产管理公司条例.pdf|国务院|CN|国务院令第297号|2000-11-10|2000-11-10|-
pdf-zh-nfra/银行保险机构公司治理监管评估办法.pdf|中国银行保险监督管理委员会|CN|银保监规〔2022〕19号|2022|-|-
pdf-zh-nfra/银行保险机构消费者权益保护管理办法.pdf|中国银行保险监督管理委员会|CN|中国银行保险监督管理委员会令2022年第9号|2022-12-26|2023-03-01|-
pdf-zh-nfra/银行保险监督统计管理办法.pdf|中国银行保险监督管理委员会|CN|中国银行保险监督管理委员会令2022年第10号|2022-12-25|2023-02-01|-
pdf-zh-nfra/银行卡清算机构管理办法.pdf|中国人民银行、国家金融监督管理总局|CN|中国人民银行、国家金融监督管理总局令〔2025〕第2号|2025-04-22|2025-11-01|-
";

pub(crate) fn real_documents_say_who_issued_them_and_when() {
    let Some(data) = lexforge_needs::data("") else {
        return;
    };
    let rows: Vec<Vec<&str>> = EXPECTED
        .lines()
        .filter(|l| !l.is_empty())
        .map(|l| l.split('|').collect())
        .collect();
    let (mut right, mut open, mut wrong) = (0, Vec::new(), Vec::new());
    for row in rows {
        let document = parse(&data.join(row[0]));
        let m = &document.metadata;
        let found = [
            &m.issuer,
            &m.jurisdiction,
            &m.identifier,
            &m.date,
            &m.effective,
            &m.version,
        ];
        for (found, expected) in found.iter().zip(&row[1..]) {
            let found = found.as_deref().unwrap_or("-");
            match found {
                _ if found == *expected => right += usize::from(found != "-"),
                "-" => open.push(format!("{}: {expected}", row[0])),
                _ => wrong.push(format!("{}: {found} instead of {expected}", row[0])),
            }
        }
    }
    eprintln!("{right} right, {} left open: {open:#?}", open.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(open.is_empty(), "{open:#?}");
}
