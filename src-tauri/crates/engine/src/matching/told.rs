//! What papers about matched rules say, in sentences that a reader who was not there understands.

use super::about::{About, counting, severity_of};
use super::decide::{STALE, UNREVIEWED};
use super::told_learned::learning;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{
    DifferenceSide, DocumentRow, MatchChannel, MatchDecision, MatchDifference, MatchRelation,
    MatchRow, MatchText, MatchVerdict, Severity,
};
use lexforge_text::plural::plural;
use std::collections::HashSet;
use std::fmt::Write as _;

/// How bad a gap is, in words.
pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::None => "none",
        Severity::Low => "low",
        Severity::Medium => "medium",
        Severity::High => "high",
    }
}

/// How what the rule demands relates to what the policy says.
pub(super) fn relation(relation: MatchRelation) -> &'static str {
    match relation {
        MatchRelation::Equal => "Both demand the same.",
        MatchRelation::Subset => "The policy demands all that the rule does, and more.",
        MatchRelation::Superset => "The rule demands all that the policy does, and more.",
        MatchRelation::Intersects => "Each demands something that the other does not.",
    }
}

/// A difference of a policy from a rule as a sentence.
pub fn difference(difference: &MatchDifference) -> String {
    let (rule, policy) = (counted(&difference.rule), counted(&difference.policy));
    if policy.is_empty() {
        return format!("The policy says nothing of “{rule}”.");
    }
    if rule.is_empty() {
        return format!("The policy says “{policy}”, the rule does not.");
    }
    let both = format!("The rule says “{rule}”, the policy “{policy}”");
    let side = match difference.side {
        DifferenceSide::Weaker | DifferenceSide::Looser => "the policy demands less",
        DifferenceSide::Stricter => "the policy demands more",
        DifferenceSide::Contrary => "the policy says the contrary",
        DifferenceSide::Silent | DifferenceSide::Other => return format!("{both}."),
    };
    format!("{both}: {side}.")
}

/// A figure as it is shown: "7 day" becomes "7 days", because compared figures have their unit in the singular.
pub(super) fn counted(text: &str) -> String {
    let units = ["minute", "hour", "day", "week", "month", "quarter", "year"];
    let several = text.split_once(' ').filter(|(number, unit)| {
        let several = number.parse::<f64>().is_ok_and(|n| n != 1.0);
        several && units.iter().any(|known| unit.ends_with(known))
    });
    match several {
        Some((number, unit)) => format!("{number} {}", plural(unit)),
        None => text.to_owned(),
    }
}

/// What differs between a rule and the statements that count. A person who chose other statements was not told these.
pub(super) fn differences(row: &MatchRow) -> Vec<&MatchDifference> {
    let counts = counting(row);
    let compared = row.policies.iter().find(|policy| policy.covers);
    let counts_still = compared.is_some_and(|found| {
        counts
            .policies
            .iter()
            .any(|own| own.id == found.statement.id)
    });
    match counts_still {
        true => row.differences.iter().collect(),
        false => Vec::new(),
    }
}

/// What can bring a statement among the candidates, in words.
fn channel(channel: MatchChannel) -> &'static str {
    match channel {
        MatchChannel::Words => "words",
        MatchChannel::Meaning => "meaning",
        MatchChannel::Graph => "graph",
        MatchChannel::Terms => "accepted terms",
    }
}

/// How a statement was found: "words, graph (2 edges), accepted terms (exit plan)". Empty if a person linked it or the
/// matching did not record it.
pub(super) fn found_by(row: &MatchRow, statement: &MatchText) -> String {
    let known = row.policies.iter().find(|p| p.statement.id == statement.id);
    let Some(found) = known else {
        return String::new();
    };
    let told = found.found_by.iter().map(|by| {
        let more = match by {
            MatchChannel::Graph => found.edges.map(|n| match n {
                1 => "1 edge".to_owned(),
                n => format!("{n} edges"),
            }),
            MatchChannel::Terms => Some(found.terms.join("; ")).filter(|names| !names.is_empty()),
            MatchChannel::Words | MatchChannel::Meaning => None,
        };
        let name = channel(*by);
        more.map_or_else(|| name.to_owned(), |more| format!("{name} ({more})"))
    });
    told.collect::<Vec<_>>().join(", ")
}

/// A time as a reader has it: the day and the minute.
pub(super) fn when(time: &str) -> String {
    match (time.get(..10), time.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        _ => time.to_owned(),
    }
}

/// The status of a rule as papers have it.
pub(super) fn standing(status: &str) -> &str {
    match status {
        STALE => "re-opened",
        other => other,
    }
}

/// The decisions about a rule, with the people and the actions; empty if nobody decided.
pub(super) fn decided(row: &MatchRow) -> Vec<String> {
    let Some(decision) = &row.decision else {
        return Vec::new();
    };
    let MatchDecision {
        actor, owner, note, ..
    } = decision;
    let on = when(&decision.made);
    let mut all = vec![if row.status == STALE {
        format!("{actor} decided on {on}, and a text has changed since: look at it again.")
    } else if decision.undecided {
        format!("{actor} looked at it on {on} and left the verdict open.")
    } else if decision.accepted {
        format!("{actor} accepted it on {on}.")
    } else {
        format!("{actor} corrected it on {on}.")
    }];
    if !note.is_empty() {
        all.push(format!("Note: {note}"));
    }
    match (owner.as_str(), decision.due.as_deref()) {
        ("", None) => {}
        ("", Some(due)) => all.push(format!("Due by {due}.")),
        (owner, None) => all.push(format!("To be done by {owner}.")),
        (owner, Some(due)) => all.push(format!("To be done by {owner}, at the latest on {due}.")),
    }
    all
}

/// A document with what an auditor asks of it: version, date and owner where it says them, its file and its hash.
fn imprint(document: &DocumentRow) -> String {
    let about = &document.metadata;
    let version = about.version.as_ref().map(|v| {
        // "2.1" says nothing without its word; "Version 2.1" does.
        let bare = v.starts_with(|c: char| c.is_ascii_digit());
        if bare {
            format!("version {v}")
        } else {
            v.clone()
        }
    });
    let owner = about.owner.as_ref().map(|owner| format!("kept by {owner}"));
    let told = [
        about
            .identifier
            .clone()
            .filter(|id| !document.title.contains(id.as_str())),
        version,
        about.date.clone(),
        owner,
        Some(document.file.clone()),
        Some(format!("SHA-256 {}", document.sha256)),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    format!("{} ({})", document.title, told.join(", "))
}

impl About {
    /// The place of a text in words.
    pub(super) fn place(&self, text: &MatchText) -> String {
        let mut place = self.short(text.document).to_owned();
        if !text.section.trim().is_empty() {
            let _ = write!(place, ", {}", text.section);
        }
        let _ = write!(place, ", page {}", text.page);
        if let Some(out) = self.out_of_force(text.document) {
            let _ = write!(place, " ({out})");
        }
        place
    }

    /// The lines at the top of every paper: what was matched, how, when, and what a reader must know.
    pub(super) fn opening(&self) -> Vec<String> {
        let report = &self.report;
        let mut all = vec![
            self.counts(),
            format!("Compared by {}.", report.method),
            format!("Matched on {}.", when(&report.made)),
        ];
        let besides = [MatchChannel::Graph, MatchChannel::Terms];
        if report.channels.iter().any(|found| besides.contains(found)) {
            let names: Vec<&str> = report.channels.iter().map(|c| channel(*c)).collect();
            all.push(format!("Candidates were found by: {}.", names.join(", ")));
        }
        let of_status = |status: &str| {
            report
                .rows
                .iter()
                .filter(|row| row.status == status)
                .count()
        };
        let (rows, open, stale) = (report.rows.len(), of_status(UNREVIEWED), of_status(STALE));
        all.push(match open {
            0 => "A person has decided about each of these rules.".to_owned(),
            _ if open == rows => "No person has decided about any of these rules: each verdict is that of the program alone."
                .to_owned(),
            _ => format!("No person has decided about {open} of the {rows} rules: their verdicts are those of the program alone."),
        });
        if stale > 0 {
            all.push(format!(
                "Re-opened, because a text has changed since the decision: {stale} of the {rows} rules. Their verdicts are again those of the program alone."
            ));
        }
        let newer = self.with_newer().join("; ");
        if !newer.is_empty() {
            all.push(format!(
                "A newer version is here and was not matched: {newer}. Match again before you rely on this."
            ));
        }
        all.extend(self.not_in_force());
        if report.passed_over > 0 {
            let n = report.passed_over;
            all.push(format!(
                "Sentences of the rules that oblige nobody were passed over: {n}."
            ));
        }
        all.extend(report.learning.as_ref().map(learning));
        all.extend(report.warnings.iter().cloned());
        all
    }

    /// The names of matched documents that have a newer version in the workspace.
    fn with_newer(&self) -> Vec<String> {
        let request = &self.report.request;
        let replaced: HashSet<DocumentId> = self
            .documents
            .values()
            .filter_map(|d| d.predecessor)
            .collect();
        let matched = request.rules.iter().chain(&request.policies);
        matched
            .filter(|id| replaced.contains(*id))
            .map(|id| format!("“{}”", self.short(*id)))
            .collect()
    }

    /// Every document that takes part, with its hash.
    pub(super) fn named(&self) -> Vec<String> {
        let request = &self.report.request;
        let of = |role: &str, ids: &[DocumentId]| -> Vec<String> {
            ids.iter()
                .filter_map(|id| self.documents.get(id))
                .map(|d| format!("{role}: {}", imprint(d)))
                .collect()
        };
        let mut all = of("Rules", &request.rules);
        all.extend(of("Policies", &request.policies));
        all
    }

    /// How many rules have each verdict, and how many were decided.
    pub(super) fn counts(&self) -> String {
        let rows = &self.report.rows;
        let mut text = match rows.len() {
            1 => "1 rule".to_owned(),
            n => format!("{n} rules"),
        };
        for verdict in MatchVerdict::ALL {
            let n = rows
                .iter()
                .filter(|r| counting(r).verdict == verdict)
                .count();
            let _ = write!(text, "; {n} {}", verdict.words());
        }
        for status in ["accepted", "corrected", STALE, UNREVIEWED] {
            let n = rows.iter().filter(|r| r.status == status).count();
            let _ = write!(text, "; {n} {}", standing(status));
        }
        let aside = &self.report.set_aside;
        if aside.recitals + aside.public > 0 {
            let recitals = aside.recitals;
            let _ = match aside.public {
                1 => write!(
                    text,
                    "; set aside: {recitals} in recitals and explanations, 1 rule that binds public bodies"
                ),
                public => write!(
                    text,
                    "; set aside: {recitals} in recitals and explanations, {public} rules that bind public bodies"
                ),
            };
        }
        text
    }

    /// The rules of a verdict, the worst gaps first, those of one kind as they are in their documents.
    pub(super) fn of(&self, verdict: MatchVerdict) -> Vec<&MatchRow> {
        let rows = self.report.rows.iter();
        let mut own: Vec<&MatchRow> = rows
            .filter(|row| counting(row).verdict == verdict)
            .collect();
        own.sort_by_key(|row| std::cmp::Reverse(severity_of(row, verdict)));
        own
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
