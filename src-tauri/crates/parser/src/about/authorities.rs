//! Authorities that issue financial regulation, as their documents name them, and where what they issue applies.

/// An authority: its name, its abbreviation, its jurisdiction (empty if it has none).
pub struct Authority {
    pub name: &'static str,
    /// Abbreviation with which its documents begin.
    pub short: &'static str,
    /// The jurisdiction in which its acts apply.
    pub jurisdiction: &'static str,
}

const fn of(name: &'static str, short: &'static str, jurisdiction: &'static str) -> Authority {
    Authority {
        name,
        short,
        jurisdiction,
    }
}

/// Authorities whose documents are in English.
pub const ENGLISH: &[Authority] = &[
    of("European Banking Authority", "EBA", "EU"),
    of("European Securities and Markets Authority", "ESMA", "EU"),
    of(
        "European Insurance and Occupational Pensions Authority",
        "EIOPA",
        "EU",
    ),
    of("European Central Bank", "ECB", "EU"),
    of("European Systemic Risk Board", "ESRB", "EU"),
    of("Single Resolution Board", "SRB", "EU"),
    of("European Data Protection Board", "EDPB", "EU"),
    of("Office of the Comptroller of the Currency", "OCC", "US"),
    of("Federal Deposit Insurance Corporation", "FDIC", "US"),
    of(
        "Federal Financial Institutions Examination Council",
        "FFIEC",
        "US",
    ),
    of("Board of Governors of the Federal Reserve System", "", "US"),
    of("Consumer Financial Protection Bureau", "CFPB", "US"),
    of("Securities and Exchange Commission", "SEC", "US"),
    of("National Credit Union Administration", "NCUA", "US"),
    of("Financial Crimes Enforcement Network", "FinCEN", "US"),
    of("Commodity Futures Trading Commission", "CFTC", "US"),
    of("Prudential Regulation Authority", "PRA", "UK"),
    of("Financial Conduct Authority", "FCA", "UK"),
    of("Bank of England", "", "UK"),
    of("Basel Committee on Banking Supervision", "BCBS", ""),
    of("Financial Stability Board", "FSB", ""),
    of("Financial Action Task Force", "FATF", ""),
    of("Monetary Authority of Singapore", "MAS", "SG"),
    of("Hong Kong Monetary Authority", "HKMA", "HK"),
    of("Australian Prudential Regulation Authority", "APRA", "AU"),
    of(
        "Office of the Superintendent of Financial Institutions",
        "OSFI",
        "CA",
    ),
    of("Reserve Bank of India", "RBI", "IN"),
    of("Abu Dhabi Global Market", "ADGM", "AE"),
    of("Dubai Financial Services Authority", "DFSA", "AE"),
    of("Central Bank of Ireland", "", "IE"),
];

/// The authority of this name or abbreviation.
pub fn named(text: &str) -> Option<&'static Authority> {
    let text = text
        .trim()
        .trim_start_matches(['©', ' '])
        .trim_end_matches(['.', ',', ' ']);
    ENGLISH
        .iter()
        .find(|a| a.name.eq_ignore_ascii_case(text) || (!a.short.is_empty() && a.short == text))
}

/// The text before `〔2024〕26号` in the numbers of Chinese authorities.
pub(crate) const CHINESE_SERIES: &[(&str, &str)] = &[
    ("银保监", "中国银行保险监督管理委员会"),
    ("银监", "中国银行业监督管理委员会"),
    ("保监", "中国保险监督管理委员会"),
    ("证监", "中国证券监督管理委员会"),
    ("金规", "国家金融监督管理总局"),
    ("金发", "国家金融监督管理总局"),
    ("金办发", "国家金融监督管理总局"),
    ("银发", "中国人民银行"),
    ("银办发", "中国人民银行"),
    ("国办发", "国务院办公厅"),
    ("国发", "国务院"),
    ("财金", "财政部"),
    ("汇发", "国家外汇管理局"),
];
