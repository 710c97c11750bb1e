//! Tests of `says_nothing`.

use super::*;
use lexforge_domain::{DocumentId, SentenceId};

fn sentence(kind: SentenceKind, text: &str) -> Sentence {
    Sentence::alone(SentenceId(1), DocumentId(1), kind, text)
}

#[test]
fn a_title_is_no_statement() {
    for title in [
        "a. Remote Access Policy",
        "(iv) Removable Media/Cloud Storage Policy",
        "Review of Accounts and Permissions",
        "2.1 Risk Acceptance Criteria",
        "• Disaster Recovery Plan (DRP)",
    ] {
        assert!(is_title(title, Language::En), "{title}");
    }
    for statement in [
        // A sentence, a demand in capital letters, a figure, words of a sentence.
        "a. Remote Access Is Logged.",
        "a. Encrypt Removable Media",
        "LOCK ALL DOORS",
        "Visitors Prohibited in the Vault",
        "Access Rights Reviewed Quarterly",
        "a. Dispose of Paper Records",
        "NO VISITORS IN THE VAULT",
        "Password Length 12 Characters",
        "a. Remote access through the gateway",
        "Staff in the Vault carry Badges",
        // An opening of a list, and a name alone.
        "a. Duties of the Board:",
        "a. Purpose",
    ] {
        assert!(!is_title(statement, Language::En), "{statement}");
    }
    for title in ["（三） 《信息安全管理办法》", "二、《信息安全管理办法》"]
    {
        assert!(is_title(title, Language::Zh), "{title}");
    }
    assert!(!is_title("按《信息安全管理办法》执行", Language::Zh));
}

#[test]
fn what_a_word_means_is_no_statement_and_a_short_name_is() {
    use SentenceKind::{Definition, Heading, ListItem, Rule, TableCell};
    let of = |sentence: &Sentence| kind(sentence, None, false, Language::En);
    let mut item = sentence(ListItem, "i. Review: the comparison of rights with duties.");
    assert_eq!(of(&item), ListItem);
    item.complete = Some(
        "In this policy, the following definitions apply: Review: the comparison of rights with duties."
            .to_owned(),
    );
    assert_eq!(of(&item), Definition);
    // Who must do something must do it wherever it stands.
    assert_eq!(kind(&item, None, true, Language::En), ListItem);
    let mut placed = sentence(Rule, "A review is the comparison of rights with duties.");
    assert_eq!(of(&placed), Rule);
    for section in ["Access › 2. Definitions", "Definitions › a › iv"] {
        placed.section = section.to_owned();
        assert_eq!(of(&placed), Definition);
    }
    let means = sentence(Definition, "“Review” means the comparison of rights.");
    assert_eq!(of(&means), Definition);
    let short = "The firm asks the data protection officer (the “DPO”).";
    assert_eq!(of(&sentence(Definition, short)), Rule);
    for said in [
        "Clients are told by electronic means (the “e-notices”).",
        "A gate is opened by means of a code.",
        "The manager refers to the register before each loan.",
    ] {
        assert_eq!(of(&sentence(Definition, said)), Rule, "{said}");
    }
    let refers = sentence(Definition, "“Review” refers to a comparison of rights.");
    assert_eq!(of(&refers), Definition);
    // An item that an opening makes a whole sentence is no title, and a row of a table is none either.
    let mut part = sentence(ListItem, "a. Date of Entry");
    assert_eq!(of(&part), Heading);
    part.complete = Some("The register contains the Date of Entry".to_owned());
    assert_eq!(of(&part), ListItem);
    assert_eq!(of(&sentence(TableCell, "Remote Access Policy")), TableCell);
}

#[test]
fn the_name_of_a_control_in_a_list_of_controls_is_a_statement() {
    use SentenceKind::{Heading, ListItem};
    let name = "a. Annual Penetration Testing";
    let other = Some("b. Multi-Factor Authentication");
    for (section, text, next, expected) in [
        ("Access › Technical Controls", name, other, ListItem),
        ("Security Controls › Network", name, other, ListItem),
        ("Technical Controls", name, None, ListItem),
        ("Technical Controls › a", name, other, ListItem),
        ("Security Controls › References › a", name, other, Heading),
        // Each item has the same number, and the ninth letter is no Roman one.
        ("Technical Controls", name, Some("a. Code Review"), ListItem),
        (
            "Technical Controls",
            "(h) Annual Penetration Testing",
            Some("(i) Code Review"),
            ListItem,
        ),
        // Something stands under it.
        (
            "Technical Controls",
            name,
            Some("i. A firm from outside tests the network."),
            Heading,
        ),
        (
            "Technical Controls",
            name,
            Some("A firm from outside tests the network."),
            Heading,
        ),
        // A list of other documents, and a part of a policy.
        ("Security Controls › References", name, other, Heading),
        ("Access › Policy", name, other, Heading),
        ("Access › Document Control", name, other, Heading),
    ] {
        let mut item = sentence(ListItem, text);
        item.section = section.to_owned();
        let next = next.map(|next| {
            let mut one = sentence(ListItem, next);
            one.section = section.to_owned();
            one
        });
        let found = kind(&item, next.as_ref(), false, Language::En);
        assert_eq!(found, expected, "{section}: {text}, {next:?}");
    }
    let mut item = sentence(ListItem, "（一）《访问控制办法》");
    item.section = "技术控制措施".to_owned();
    assert_eq!(kind(&item, None, false, Language::Zh), ListItem);
    item.section = "相关文件".to_owned();
    assert_eq!(kind(&item, None, false, Language::Zh), Heading);
}
