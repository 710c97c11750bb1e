//! Items of a list of which one is enough: "shall be lawful only if at least one of the following applies".
//!
//! A firm that does one of them keeps the rule. So where a statement covers one, the others are gaps that weigh little.

use super::pick::Picked;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{MatchRow, MatchVerdict, Severity};
use std::collections::HashMap;

/// What introduces such a list.
const ONE_OF: [&str; 3] = [
    "one of the following",
    "either of the following",
    "any of the following",
];
/// Words before them that name cases. A duty that exists "where one of the following applies" exists in each of them.
const CASES: [&str; 5] = ["where", "if", "when", "whenever", "in"];
/// Chinese words behind a list of cases in one of which alone something may be done.
const ONLY_HAN: [&str; 2] = ["之一的，方可", "之一的，方能"];

/// Lowers the severity of what is not covered where another item of the same list is covered at least in part. Returns
/// the number of these rules.
pub(super) fn lower(rows: &mut [MatchRow], rules: &[Picked]) -> usize {
    let mut lists: HashMap<(DocumentId, &str), Vec<usize>> = HashMap::new();
    for (place, rule) in rules.iter().enumerate() {
        if let Some((introduction, _)) = rule.compared.introduced()
            && offers_a_choice(introduction)
        {
            let list = (rule.shown.document, introduction);
            lists.entry(list).or_default().push(place);
        }
    }
    let is_done =
        |row: &MatchRow| matches!(row.verdict, MatchVerdict::Covered | MatchVerdict::Partly);
    let mut lowered = 0;
    for list in lists.into_values() {
        if !list.iter().any(|place| is_done(&rows[*place])) {
            continue;
        }
        for place in list {
            let row = &mut rows[place];
            if row.verdict == MatchVerdict::NotCovered {
                row.severity = Severity::Low;
                lowered += 1;
            }
        }
    }
    lowered
}

/// Whether one item of the list that this introduces is enough.
fn offers_a_choice(introduction: &str) -> bool {
    if ONLY_HAN.iter().any(|words| introduction.contains(words)) {
        return true;
    }
    let lower = introduction.to_lowercase();
    let Some(at) = ONE_OF.iter().find_map(|words| lower.rfind(words)) else {
        return false;
    };
    let before = lower[..at]
        .trim_end()
        .trim_end_matches("at least")
        .trim_end();
    let last = before.rsplit(' ').next().unwrap_or_default();
    let sentence = before.rsplit(". ").next().unwrap_or_default();
    !CASES.contains(&last) || sentence.contains(" only ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_item_is_enough_where_a_choice_is_offered() {
        for (introduction, expected) in [
            (
                "Cargo shall be lawful only if and to the extent that at least one of the following applies: ",
                true,
            ),
            ("The master shall use one of the following signals: ", true),
            (
                "A voyage shall take place only on one of the following conditions: ",
                true,
            ),
            // The duty exists in each of these cases.
            (
                "The line shall refund the fare where one of the following grounds applies: ",
                false,
            ),
            ("The master shall use the following signals: ", false),
            ("有下列情形之一的，船长应当返航：", false),
            ("符合下列条件之一的，方可夜航：", true),
        ] {
            assert_eq!(offers_a_choice(introduction), expected, "{introduction}");
        }
    }
}
