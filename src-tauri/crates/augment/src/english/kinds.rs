//! Kinds of English terms, so that a wrong term could be meant and is no wider or narrower name of the right one.
//!
//! One file because the lists are read against each other: a head stands in one of them only.

use super::parse;
use crate::words::{self, contains_words};

/// Kinds of things by the head of their name; a head stands in one list only.
const KINDS: &[&[&str]] = &[
    // What is done to data, money or goods, in the abstract.
    &[
        "erasure",
        "transfer",
        "collection",
        "disclosure",
        "storage",
        "restriction",
        "rectification",
        "portability",
        "recording",
        "retention",
        "profiling",
        "pseudonymisation",
        "encryption",
        "anonymisation",
        "processing",
    ],
    // What an authority or a firm goes through.
    &[
        "certification",
        "accreditation",
        "authorisation",
        "approval",
        "registration",
        "notification",
        "licence",
        "license",
        "permit",
        "permission",
        "exemption",
        "derogation",
        "withdrawal",
        "revocation",
        "suspension",
        "recognition",
        "designation",
        "appointment",
        "consent",
        "accession",
        "waiver",
    ],
    // What is looked into and how.
    &[
        "monitoring",
        "supervision",
        "inspection",
        "investigation",
        "audit",
        "review",
        "assessment",
        "evaluation",
        "control",
        "verification",
        "examination",
        "testing",
        "test",
        "oversight",
        "surveillance",
    ],
    // Papers.
    &[
        "report",
        "notice",
        "statement",
        "agreement",
        "contract",
        "policy",
        "record",
        "register",
        "plan",
        "code",
        "decision",
        "rule",
        "certificate",
        "application",
        "complaint",
        "request",
        "declaration",
        "invoice",
        "receipt",
        "prospectus",
        "document",
        "letter",
        "opinion",
        "recommendation",
        "guideline",
        "warning",
        "reprimand",
        "order",
        "file",
        "log",
        "list",
        "form",
        "mandate",
        "schedule",
        "summary",
        "disclosure statement",
    ],
    // Ways of doing something.
    &[
        "measure",
        "safeguard",
        "mechanism",
        "procedure",
        "system",
        "arrangement",
        "method",
        "methodology",
        "process",
        "tool",
        "technique",
        "scheme",
        "framework",
        "model",
        "standard",
        "practice",
        "strategy",
        "programme",
    ],
    // Money that is owed or paid.
    &[
        "fine",
        "fee",
        "penalty",
        "cost",
        "charge",
        "price",
        "premium",
        "compensation",
        "commission",
        "damage",
        "remuneration",
        "expense",
        "interest rate",
        "sanction",
        "refund",
        "contribution",
        "levy",
        "tax",
        "payment",
    ],
    // What somebody owns.
    &[
        "fund",
        "asset",
        "money",
        "capital",
        "collateral",
        "liability",
        "deposit",
        "security",
        "share",
        "bond",
        "investment",
        "instrument",
        "account",
        "token",
        "reserve",
        "income",
        "revenue",
        "profit",
        "loan",
        "credit",
        "property",
        "stock",
        "cash",
        "liquidity",
        "debt",
        "exposure",
        "holding",
    ],
    // What somebody is entitled or bound to.
    &[
        "right",
        "freedom",
        "obligation",
        "duty",
        "responsibility",
        "principle",
        "requirement",
        "condition",
        "criterion",
        "criteria",
        "purpose",
        "interest",
        "task",
        "power",
        "competence",
        "objective",
        "ground",
        "basis",
        "liability of",
    ],
    // What something is like.
    &[
        "confidentiality",
        "integrity",
        "transparency",
        "accuracy",
        "availability",
        "accountability",
        "lawfulness",
        "fairness",
        "secrecy",
        "independence",
        "resilience",
        "impartiality",
        "proportionality",
        "expertise",
        "minimisation",
        "limitation",
        "soundness",
        "solvency",
        "suitability",
        "creditworthiness",
        "reliability",
        "quality",
    ],
    // What may happen.
    &[
        "risk",
        "breach",
        "infringement",
        "violation",
        "loss",
        "incident",
        "event",
        "default",
        "failure",
        "error",
        "conflict",
        "threat",
        "fraud",
        "abuse",
        "harm",
        "crisis",
        "shortfall",
        "deficiency",
    ],
    // Times.
    &["period", "date", "day", "month", "year", "term", "deadline", "quarter", "hour", "week"],
    // Places.
    &[
        "country",
        "territory",
        "branch",
        "establishment",
        "office",
        "place",
        "premise",
        "jurisdiction",
        "market",
        "venue",
        "platform",
        "facility",
        "site",
    ],
    // What is said about somebody.
    &[
        "data",
        "information",
        "detail",
        "name",
        "address",
        "identifier",
        "number",
        "identity",
        "status",
        "category",
        "classification",
        "rating",
        "score",
        "result",
        "finding",
        "evidence",
        "signature",
    ],
    // What is sold.
    &[
        "service",
        "product",
        "transaction",
        "activity",
        "business",
        "operation",
        "offer",
        "trade",
        "sale",
        "purchase",
        "insurance",
        "advice",
        "custody",
        "clearing",
        "settlement",
        "trading",
        "lending",
        "dealing",
        "brokerage",
        "outsourcing",
        "function",
        "instruction",
        "auction",
    ],
    // Bodies of law.
    &[
        "law",
        "legislation",
        "regulation",
        "directive",
        "act",
        "treaty",
        "convention",
        "charter",
        "constitution",
        "provision",
        "article",
        "jurisprudence",
    ],
    // Courts and what goes on there.
    &[
        "proceeding",
        "appeal",
        "claim",
        "lawsuit",
        "litigation",
        "remedy",
        "redress",
        "judgment",
        "hearing",
        "dispute",
        "arbitration",
        "mediation",
        "settlement of",
    ],
];

/// Names so wide that another thing of their kind may be one of theirs.
const WIDE: &[&str] = &[
    "processing",
    "activity",
    "operation",
    "measure",
    "information",
    "data",
    "service",
    "transaction",
    "document",
    "document",
    "law",
    "legislation",
    "provision",
    "requirement",
    "arrangement",
    "system",
    "process",
    "procedure",
    "payment",
    "asset",
    "instrument",
    "business",
    "product",
    "record",
    "event",
    "incident",
    "infringement",
    "violation",
    "condition",
    "control",
    "basis",
    "result",
    "place",
    "function",
    "loss",
    "property",
    "standard",
    "practice",
    "decision",
    "task",
    "sanction",
    "penalty",
    "detail",
    "category",
    "rule",
    "interest",
    "framework",
];
/// Names of those who act that are as wide.
const ANYBODY: &[&str] = &[
    "person",
    "body",
    "party",
    "organisation",
    "organization",
    "institution",
    "entity",
    "undertaking",
    "authority",
    "individual",
    "member",
    "user",
    "firm",
    "company",
    "group",
    "staff",
    "participant",
    "subject",
    "business",
    "enterprise",
    "association",
    "representative",
    "operator",
    "agency",
    "employee",
    "client",
    "customer",
    "bank",
];
/// Words before a name that do not tell one from another.
const LOOSE: &[&str] = &[
    "competent",
    "relevant",
    "public",
    "national",
    "appropriate",
    "applicable",
    "responsible",
    "concerned",
    "respective",
    "same",
    "own",
    "certain",
    "individual",
    "administrative",
    "other",
    "independent",
    "new",
    "existing",
    "such",
    "specific",
    "particular",
    "general",
    "personal",
    "main",
    "single",
    "joint",
    "involved",
    "affected",
    "additional",
    "further",
    "necessary",
    "suitable",
    "adequate",
    "central",
    "local",
    "foreign",
    "domestic",
    "common",
    "host",
    "lead",
    "judicial",
    "different",
    "various",
    "special",
    "direct",
    "indirect",
    "potential",
    "actual",
    "data",
    "information",
    "current",
    "private",
    "transparent",
    "fair",
    "automated",
    "final",
    "initial",
    "internal",
    "external",
];

/// Heads that say much the same of what stands before them.
const SAME_HEADS: &[&[&str]] = &[
    &["activity", "operation", "business"],
    &["process", "procedure", "policy"],
    &["measure", "safeguard", "guarantee", "control", "arrangement"],
    &["duty", "obligation", "responsibility", "task", "function"],
    &["risk", "threat"],
    &["report", "statement"],
    &["rule", "provision", "requirement"],
];

/// The head of a name in the singular, lower case: the last word before a preposition.
fn head(term: &str) -> String {
    let lower = term.to_lowercase();
    let tokens: Vec<&str> = lower.split([' ', '-']).filter(|t| !t.is_empty()).collect();
    let links = ["of", "for", "to", "by", "with", "in", "on", "from", "at", "under", "between", "against", "as"];
    let end = tokens.iter().skip(1).position(|t| links.contains(t)).map_or(tokens.len(), |p| p + 1);
    words::singular(tokens.get(end.wrapping_sub(1)).unwrap_or(&""))
}

fn kind(head: &str) -> Option<usize> {
    KINDS.iter().position(|k| k.contains(&head))
}

/// Whether the words before the head set a name apart from others with that head.
fn set_apart(term: &str) -> bool {
    // "Relevant Person": a name that the rules define.
    if term.contains(' ') && term.split(' ').all(|w| w.starts_with(char::is_uppercase)) {
        return true;
    }
    let lower = term.to_lowercase();
    let head = head(term);
    lower
        .split([' ', '-'])
        .any(|w| words::singular(w) != head && !LOOSE.contains(&w) && !words::is_stop(w) && w.len() > 1)
}

/// Whether one of two names may be a wider name of the other.
pub(super) fn may_include(a: &str, b: &str) -> bool {
    if contains_words(a, b) || contains_words(b, a) {
        return true;
    }
    let (one, other) = (head(a), head(b));
    if one == other {
        return !set_apart(a) || !set_apart(b);
    }
    // "processing activities" are "processing operations".
    let alike = SAME_HEADS.iter().any(|heads| heads.contains(&one.as_str()) && heads.contains(&other.as_str()));
    let rest = |term: &str| term.rsplit_once(' ').map(|(rest, _)| rest.to_lowercase());
    if alike && rest(a) == rest(b) {
        return true;
    }
    let wide = |head: &str, term: &str, list: &[&str]| list.contains(&head) && !set_apart(term);
    let agents = parse::is_agent(a) && parse::is_agent(b);
    let list = if agents { ANYBODY } else { WIDE };
    // "the processing of personal data" includes their transfer.
    let tail = |t: &str| t.split_once(" of ").map(|(_, tail)| tail.to_lowercase());
    let same_tail = tail(a).is_some() && tail(a) == tail(b);
    wide(&one, a, list)
        || wide(&other, b, list)
        || same_tail && (WIDE.contains(&one.as_str()) || WIDE.contains(&other.as_str()))
}

/// Whether one term could be taken for the other: two who act, or two things of one kind; and neither includes the other.
pub(super) fn of_one_kind(a: &str, b: &str) -> bool {
    if may_include(a, b) || parse::is_agent(a) != parse::is_agent(b) {
        return false;
    }
    if parse::is_agent(a) {
        return true;
    }
    let (one, other) = (head(a), head(b));
    one == other || kind(&one).is_some() && kind(&one) == kind(&other)
}

/// Whether a term is a noun phrase as far as its words tell: it neither begins with a verb nor ends with one.
pub(super) fn is_noun(term: &str) -> bool {
    let last = term.rsplit([' ', '-']).next().unwrap_or("").to_lowercase();
    let first = term.split(' ').next().unwrap_or("").to_lowercase();
    let many = term.contains(' ');
    let does = ["ise", "ize", "ify"].iter().any(|e| first.ends_with(e))
        && !["otherwise", "enterprise"].contains(&first.as_str());
    let verbal = [
        "holding",
        "carrying",
        "held",
        "controls",
        "control",
        "receiving",
        "providing",
        "acting",
        "using",
        "making",
        "payable",
        "concerned",
        "involved",
        "based",
        "conducting",
        "offering",
        "undertaking to",
    ];
    let opens = ["transfer", "controls", "control", "provide", "provides", "offer", "make", "hold", "holds", "appoint"];
    let verb = does || verbal.contains(&last.as_str()) || opens.contains(&first.as_str()) && !term.contains(" of ");
    let pointing = ["latest", "following", "same", "former", "latter"].contains(&last.as_str());
    !(many && verb || last.ends_with("ly") || pointing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_terms_could_be_meant() {
        let check = |a, b, expected| assert_eq!(of_one_kind(a, b), expected, "{a} / {b}");
        check("administrative fines", "criminal penalties", true);
        check("risk disclosure statement", "financial statement", true);
        check("compliance", "security measure", false);
        check("regulatory status", "user", false);
        check("controller", "processor", true);
        check("controller", "personal data", false);
        // A wider name of the same thing is not wrong.
        check("processing of personal data", "erasure of personal data", false);
        check("supervisory authority", "competent authority", false);
        check("the auditor", "the person", false);
        check("Payment Service Provider", "Third Party Provider", true);
    }

    #[test]
    fn what_has_a_verb_is_no_term() {
        let check = |term, expected| assert_eq!(is_noun(term), expected, "{term}");
        check("Authorised Person holding", false);
        check("controls Client Investments", false);
        check("Stored Value held", false);
        check("holding company", true);
        check("transfer of personal data", true);
    }
}
