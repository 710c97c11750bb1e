//! Finds out whom a rule binds: a public body, somebody else, or nobody that it names. About half of the rules of an
//! act bind the bodies that make and supervise rules. A firm's policy cannot cover these rules.
//!
//! The subject of the main clause decides. If the subject is no actor, the actor after "by" decides ("shall be kept by
//! the bank"). If there is none, the headings decide. The names are in lists (`data/`). If a name is in no list, the
//! rule is treated as one that binds the firm, so that no rule is overlooked.

use crate::chinese;
use crate::english;
use crate::whom::{Addressee, Surroundings};
use lexforge_domain::text::Language;

/// Whom a rule binds.
pub fn addressee(rule: &str, language: Language, around: &Surroundings<'_>) -> Addressee {
    match language {
        Language::En | Language::Other => english::addressee::of(rule, around),
        Language::Zh => chinese::addressee::of(rule),
        Language::Ko => Addressee::Nobody,
    }
}

/// Whether a sentence names a board that is a public body. In a document with such a sentence "the Board" is that one.
pub fn names_public_board(sentence: &str) -> bool {
    english::addressee::names_public_board(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rule: &str, language: Language, around: &Surroundings<'_>, expected: Addressee) {
        assert_eq!(addressee(rule, language, around), expected, "{rule}");
    }

    #[test]
    fn the_subject_says_whom_an_english_rule_binds() {
        let alone = Surroundings::default();
        for rule in [
            "2. Each Member State shall name an authority for outsourcing.",
            "Member States and competent authorities shall share what they know.",
            "(a) The lead supervisory authority shall decide within a month.",
            "Where a bank has lost its licence, the competent authority concerned shall publish it.",
            "To that end, the Commission shall adopt rules on fees.",
            "In such cases the competent authority shall ask the bank.",
            "The members of each supervisory authority shall keep secrets.",
            "The supervisory authority or, as the case may be, the authority of the branch shall answer.",
            "Those implementing acts shall be adopted within a year.",
            "The register shall be kept by the competent authority.",
            "Supervisors should review the plan of a bank.",
            "The Union shall protect depositors.",
        ] {
            check(rule, Language::En, &alone, Addressee::Public);
        }
        for rule in [
            "The bank shall notify the competent authority of each breach.",
            "Where the competent authority so asks, the bank shall send its plan.",
            "The controller and the supervisory authority shall agree on a date.",
            "The board of directors shall approve the policy.",
            "The chair of the audit committee shall be independent of the bank.",
            "Certification bodies shall inform the authority.",
            "Any firm involved shall be liable.",
            "Employees must not share passwords.",
        ] {
            check(rule, Language::En, &alone, Addressee::Other);
        }
        for rule in [
            "Each credit union shall hold capital.",
            "Personal data shall be deleted after five years.",
            "The plan shall be approved by the management of the bank.",
            "Access is reviewed each month.",
            "The Board shall approve the policy.",
        ] {
            let found = addressee(rule, Language::En, &alone);
            assert_ne!(found, Addressee::Public, "{rule}");
        }
    }

    #[test]
    fn what_stands_around_a_rule_counts() {
        let board = Surroundings {
            public_board: true,
            ..Surroundings::default()
        };
        assert!(names_public_board("A Lending Resolution Board is set up."));
        assert!(!names_public_board("The board of directors meets."));
        check(
            "The Board shall meet twice a year.",
            Language::En,
            &board,
            Addressee::Public,
        );
        check(
            "The management board shall meet twice a year.",
            Language::En,
            &board,
            Addressee::Other,
        );
        for (before, expected) in [
            (Some(Addressee::Public), Addressee::Public),
            (Some(Addressee::Other), Addressee::Other),
            (None, Addressee::Nobody),
        ] {
            let around = Surroundings {
                before,
                ..Surroundings::default()
            };
            check("It shall give reasons.", Language::En, &around, expected);
            let expected = match before {
                Some(Addressee::Public) => Addressee::Public,
                _ => Addressee::Nobody,
            };
            let rule = "Those reasons shall be in writing.";
            check(rule, Language::En, &around, expected);
        }
        for (heading, expected) in [
            ("Independent supervisory authorities", Addressee::Public),
            ("Tasks of the competent authority", Addressee::Public),
            ("Administrative fines", Addressee::Public),
            ("Notification to the competent authority", Addressee::Nobody),
            ("Outsourcing", Addressee::Nobody),
        ] {
            let around = Surroundings {
                headings: &[heading],
                ..Surroundings::default()
            };
            let rule = "The notice shall have reasons.";
            check(rule, Language::En, &around, expected);
            // A named actor counts before the heading.
            let rule = "The bank shall answer in writing.";
            check(rule, Language::En, &around, Addressee::Other);
        }
    }

    #[test]
    fn the_subject_says_whom_a_chinese_rule_binds() {
        let alone = Surroundings::default();
        for rule in [
            "国务院银行业监督管理机构应当自收到申请之日起六个月内作出决定。",
            "第九条 中国人民银行应当公布利率。",
            "国家金融监督管理总局及其派出机构应当对银行进行检查。",
            "监管机构收到报告后，应当及时处理。",
            "银行违反本办法的，国务院银行业监督管理机构应当责令改正。",
        ] {
            check(rule, Language::Zh, &alone, Addressee::Public);
        }
        for rule in [
            "商业银行应当向国务院银行业监督管理机构报告。",
            "经国务院银行业监督管理机构批准，商业银行可以设立分支机构，并应当公告。",
            "商业银行董事会应当设立风险管理委员会。",
            "商业银行和监管机构应当互相通报。",
        ] {
            check(rule, Language::Zh, &alone, Addressee::Other);
        }
        check("数据应当加密。", Language::Zh, &alone, Addressee::Nobody);
    }
}
