//! What a rule has done: verbs, and others that could stand in their place and mean something else.

use super::edits::find_word;
use crate::clause::{Clause, Duty};

/// (verb, past participle, what could be done instead). Each takes its object right behind it, and what stands in its
/// place takes the same complements.
const VERBS: &[(&str, &str, &[&str])] = &[
    ("accept", "accepted", &["reject"]),
    ("address", "addressed", &["disclose", "increase"]),
    ("adopt", "adopted", &["review", "publish", "withdraw"]),
    ("allocate", "allocated", &["reduce", "publish"]),
    ("analyse", "analysed", &["disclose", "limit"]),
    ("apply", "applied", &["waive", "suspend"]),
    ("appoint", "appointed", &["dismiss", "consult", "supervise"]),
    ("approve", "approved", &["draft", "publish", "reject"]),
    ("arrange", "arranged", &["approve", "cancel"]),
    ("assess", "assessed", &["disclose", "limit", "record"]),
    ("authorise", "authorised", &["refuse", "supervise"]),
    ("calculate", "calculated", &["disclose", "reduce"]),
    ("carry out", "carried out", &["commission", "waive"]),
    ("certify", "certified", &["review", "revoke"]),
    ("check", "checked", &["record", "disclose"]),
    ("collect", "collected", &["disclose", "delete"]),
    ("commission", "commissioned", &[]),
    ("complete", "completed", &["approve", "suspend"]),
    ("comply with", "complied with", &["report on", "depart from"]),
    ("conclude", "concluded", &["terminate", "amend"]),
    ("conduct", "conducted", &["commission", "waive"]),
    ("confirm", "confirmed", &["review", "withdraw"]),
    ("consider", "considered", &["disregard"]),
    ("consult", "consulted", &["inform", "instruct"]),
    ("contain", "contained", &[]),
    ("cover", "covered", &[]),
    ("create", "created", &["review", "publish"]),
    ("define", "defined", &["review", "publish"]),
    ("designate", "designated", &["dismiss", "consult"]),
    ("detect", "detected", &["prevent", "report"]),
    ("determine", "determined", &["review", "publish"]),
    ("develop", "developed", &["approve", "publish"]),
    ("disclose", "disclosed", &["record", "delete", "verify"]),
    ("distribute", "distributed", &["approve", "withdraw"]),
    ("document", "documented", &["approve", "publish"]),
    ("draw up", "drawn up", &["approve", "publish"]),
    ("encourage", "encouraged", &["permit", "forbid"]),
    ("enforce", "enforced", &["suspend", "review"]),
    ("ensure that", "ensured that", &["certify that", "declare that"]),
    ("establish", "established", &["review", "approve", "publish"]),
    ("evaluate", "evaluated", &["disclose", "limit"]),
    ("exclude", "excluded", &["include"]),
    ("execute", "executed", &["cancel", "suspend"]),
    ("exercise", "exercised", &["delegate", "waive"]),
    ("grant", "granted", &["refuse", "revoke"]),
    ("hold", "held", &["transfer", "disclose"]),
    ("identify", "identified", &["limit", "disclose"]),
    ("implement", "implemented", &["review", "approve", "publish"]),
    ("impose", "imposed", &["waive", "lift"]),
    ("include", "included", &[]),
    ("inform", "informed", &["consult"]),
    ("investigate", "investigated", &["report", "record"]),
    ("issue", "issued", &["withdraw", "review"]),
    ("keep", "kept", &["publish", "destroy"]),
    ("lodge", "lodged", &["withdraw"]),
    ("maintain", "maintained", &["publish", "replace"]),
    ("manage", "managed", &["disclose", "transfer"]),
    ("measure", "measured", &["limit", "disclose"]),
    ("meet", "met", &["waive", "review"]),
    ("mitigate", "mitigated", &["measure", "disclose"]),
    ("monitor", "monitored", &["limit", "disclose"]),
    ("nominate", "nominated", &["dismiss", "consult"]),
    ("notify", "notified", &["consult"]),
    ("obtain", "obtained", &["request", "waive"]),
    ("operate", "operated", &["review", "suspend"]),
    ("outsource", "outsourced", &["suspend", "publish"]),
    ("pay", "paid", &["refund", "waive"]),
    ("perform", "performed", &["delegate", "suspend"]),
    ("prepare", "prepared", &["approve", "publish"]),
    ("prevent", "prevented", &["detect", "report"]),
    ("process", "processed", &["delete", "disclose"]),
    ("prohibit", "prohibited", &["permit"]),
    ("promote", "promoted", &["restrict", "monitor"]),
    ("protect", "protected", &["restrict"]),
    ("provide", "provided", &["withhold"]),
    ("publish", "published", &["approve", "withdraw"]),
    ("purchase", "purchased", &["sell", "pledge"]),
    ("receive", "received", &["request", "waive"]),
    ("record", "recorded", &["disclose", "delete"]),
    ("reduce", "reduced", &["record", "increase"]),
    ("refuse", "refused", &["accept"]),
    ("register", "registered", &["publish", "withdraw"]),
    ("reject", "rejected", &["accept"]),
    ("request", "requested", &["waive"]),
    ("require", "required", &["permit"]),
    ("retain", "retained", &["delete", "publish"]),
    ("return", "returned", &["destroy", "retain"]),
    ("review", "reviewed", &["approve", "publish", "replace"]),
    ("revoke", "revoked", &["extend", "grant"]),
    ("sell", "sold", &["purchase", "pledge"]),
    ("share", "shared", &["record", "delete"]),
    ("sign", "signed", &["review", "amend"]),
    ("specify", "specified", &["review", "publish"]),
    ("store", "stored", &["delete", "disclose"]),
    ("submit", "submitted", &["disclose", "withdraw"]),
    ("supervise", "supervised", &["appoint", "consult"]),
    ("suspend", "suspended", &["extend", "terminate"]),
    ("take into account", "taken into account", &["disregard"]),
    ("terminate", "terminated", &["extend", "suspend"]),
    ("test", "tested", &["document", "replace"]),
    ("train", "trained", &["supervise", "dismiss"]),
    ("undertake", "undertaken", &["commission", "waive"]),
    ("update", "updated", &["publish", "withdraw"]),
    ("use", "used", &["disclose", "replace"]),
    ("validate", "validated", &["record", "disclose"]),
    ("verify", "verified", &["record", "disclose"]),
    // Those that only stand in another's place.
    ("amend", "amended", &[]),
    ("cancel", "cancelled", &[]),
    ("certify that", "certified that", &[]),
    ("declare that", "declared that", &[]),
    ("delegate", "delegated", &[]),
    ("delete", "deleted", &[]),
    ("depart from", "departed from", &[]),
    ("destroy", "destroyed", &[]),
    ("dismiss", "dismissed", &[]),
    ("disregard", "disregarded", &[]),
    ("draft", "drafted", &[]),
    ("extend", "extended", &[]),
    ("forbid", "forbidden", &[]),
    ("increase", "increased", &[]),
    ("instruct", "instructed", &[]),
    ("lift", "lifted", &[]),
    ("limit", "limited", &[]),
    ("permit", "permitted", &[]),
    ("pledge", "pledged", &[]),
    ("refund", "refunded", &[]),
    ("replace", "replaced", &[]),
    ("report", "reported", &[]),
    ("report on", "reported on", &[]),
    ("restrict", "restricted", &[]),
    ("transfer", "transferred", &[]),
    ("waive", "waived", &[]),
    ("withdraw", "withdrawn", &[]),
    ("withhold", "withheld", &[]),
];
/// Words that cannot open an object: what stands there belongs to another use of the verb.
const NO_OBJECT: &[&str] = &[
    "to", "of", "on", "with", "in", "for", "by", "from", "at", "that", "whether", "as", "how", "into", "out", "up",
    "under", "over", "pursuant", "within", "without", "against", "what", "where", "when", "if", "it", "them", "him",
];
/// What shows that a verb has more than an object, which another one does not take.
const COMPLEMENTS: &[(&str, &[&str])] = &[
    ("appoint", &[" as "]),
    ("consider", &[" as ", " to be "]),
    ("designate", &[" as "]),
    ("cover", &[" by "]),
    ("grant", &[" access"]),
    ("inform", &[" of ", " that ", " about ", " on ", " whether ", " where ", " when "]),
    ("keep", &[" informed", " confidential", " separate", " up to date", " under ", " updated", " in ", " secret"]),
    ("maintain", &[" separate", " confidential"]),
    ("notify", &[" of ", " that ", " about ", " to ", " whether ", " where ", " when "]),
    ("prevent", &[" from "]),
    ("prohibit", &[" from "]),
    ("protect", &[" from ", " against "]),
    ("provide", &[" to ", " with ", " for ", " that "]),
];

fn of(verb: &str) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    VERBS.iter().find(|v| v.0 == verb)
}

/// Whether a word is one of the verbs, in its plain form.
pub(super) fn is_known(word: &str) -> bool {
    of(word).is_some()
}

/// A change of what is done: the predicate with another verb, the verb that went and the one that came.
pub(super) struct Swapped {
    pub(super) predicate: String,
    pub(super) removed: String,
    pub(super) added: String,
}

/// The predicate with another verb in the place of its first one, active ("keep records") or passive ("be kept"). Two
/// verbs joined by "and" are also offered as alternatives where the rule requires both.
pub(super) fn swapped(clause: &Clause) -> Vec<Swapped> {
    let text = clause.predicate.as_str();
    let passive = text.strip_prefix("be ");
    let rest = passive.unwrap_or(text);
    let adverb = rest.split(' ').next().filter(|w| w.ends_with("ly") || *w == "also").map_or(0, |w| w.len() + 1);
    let Some(rest) = rest.get(adverb..) else { return Vec::new() };
    let at = text.len() - rest.len();
    let form = |v: &(&'static str, &'static str, &[&str])| if passive.is_some() { v.1 } else { v.0 };
    let verb = VERBS
        .iter()
        .filter(|v| rest.strip_prefix(form(v)).is_some_and(|after| after.is_empty() || after.starts_with([' ', ','])));
    let Some(verb) = verb.max_by_key(|v| v.0.len()) else { return Vec::new() };
    let after = &rest[form(verb).len()..];
    let next = after.trim_start().split([' ', ',']).next().unwrap_or("");
    let linked = after.starts_with(" and ") || after.starts_with(" or ") || after.starts_with(", ");
    let complement = COMPLEMENTS.iter().any(|(v, more)| *v == verb.0 && more.iter().any(|m| after.contains(m)));
    let mut found = Vec::new();
    // "keep and, where necessary, update" has its object far away.
    if passive.is_none() && (NO_OBJECT.contains(&next) || next.is_empty() || after.starts_with(", ")) {
        return found;
    }
    if let Some(other) = after.strip_prefix(" and ").and_then(|a| a.split(' ').next())
        && VERBS.iter().any(|v| form(v) == other)
        && matches!(clause.duty, Duty::Must | Duty::Should)
    {
        found.push(Swapped {
            predicate: format!("{} or {}", &text[..at + form(verb).len()], &after[5..]),
            removed: format!("{} and {other}", form(verb)),
            added: format!("{} or {other}", form(verb)),
        });
    }
    if complement || linked && verb.2.is_empty() {
        return found;
    }
    for other in verb.2.iter().filter_map(|o| of(o)) {
        let new = form(other);
        if find_word(text, other.0).is_some() || find_word(text, other.1).is_some() {
            continue;
        }
        found.push(Swapped {
            predicate: format!("{}{new}{after}", &text[..at]),
            removed: form(verb).to_owned(),
            added: new.to_owned(),
        });
    }
    found
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn another_verb_takes_the_place_of_the_first() {
        let check = |text: &str, expected: &[&str]| {
            let found = swapped(&parse::clause(text).unwrap());
            assert_eq!(found.iter().map(|s| s.predicate.as_str()).collect::<Vec<_>>(), expected, "{text}");
        };
        check(
            "The broker shall keep the policy documents for two years.",
            &["publish the policy documents for two years", "destroy the policy documents for two years"],
        );
        check(
            "Each claim must be promptly assessed by the insurer.",
            &[
                "be promptly disclosed by the insurer",
                "be promptly limited by the insurer",
                "be promptly recorded by the insurer",
            ],
        );
        check("The insurer shall inform the broker of the claim.", &[]);
        check("The insurer shall inform the broker.", &["consult the broker"]);
        check(
            "The insurer must verify and record the claim.",
            &["verify or record the claim", "disclose and record the claim"],
        );
        check("The insurer must establish whether the claim is due.", &[]);
    }

    #[test]
    fn every_verb_that_stands_in_for_another_has_its_forms() {
        for (verb, _, others) in VERBS {
            assert!(others.iter().all(|o| of(o).is_some() && o != verb), "{verb}");
            assert_eq!(VERBS.iter().filter(|v| v.0 == *verb).count(), 1, "{verb}");
        }
    }
}
