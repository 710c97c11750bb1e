//! Matched rules as a page for an auditor.

use super::about::{About, counting, severity_of};
use super::told::{decided, difference, differences, found_by, relation, severity, standing};
use super::told_learned::rests_on;
use crate::workspace::escaped;
use lexforge_domain::api::{MatchRow, MatchVerdict};
use std::fmt::Write as _;

/// How the page begins.
const BEGIN: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
    <title>Rules and policies</title><style>body{font:14px/1.5 sans-serif;max-width:76em;margin:2em auto;padding:0 1em}\
    table{border-collapse:collapse;width:100%}td,th{border:1px solid #bbb;padding:.4em;text-align:left;vertical-align:top}\
    thead{display:table-header-group}tr{break-inside:avoid}.law{font-family:serif}small{color:#444}p.near{margin:.3em 0}\
    code{word-break:break-all}</style></head><body><h1>Rules and the policies that cover them</h1>";
/// The head of its table.
const HEAD: &str = "<table><thead><tr><th>Verdict</th><th>Rule</th><th>Policy</th><th>What differs</th><th>Decision</th></tr></thead><tbody>";

impl About {
    /// A page for an auditor.
    pub(super) fn page(&self) -> String {
        let mut out = String::from(BEGIN);
        for line in self.opening() {
            out.push_str("<p>");
            escaped(&mut out, &line);
            out.push_str("</p>");
        }
        out.push_str("<ul>");
        for line in self.named() {
            out.push_str("<li>");
            escaped(&mut out, &line);
            out.push_str("</li>");
        }
        out.push_str("</ul><p>Head of the audit chain: <code>");
        escaped(&mut out, &self.head);
        out.push_str("</code></p>");
        out.push_str(HEAD);
        for row in &self.report.rows {
            self.put_row(&mut out, row);
        }
        out.push_str("</tbody></table></body></html>\n");
        out
    }

    fn put_row(&self, out: &mut String, row: &MatchRow) {
        let counts = counting(row);
        let _ = write!(out, "<tr><td>{}", counts.verdict.words());
        if counts.verdict != MatchVerdict::Covered {
            let _ = write!(
                out,
                "<br><small>severity: {}</small>",
                severity(severity_of(row, counts.verdict))
            );
        }
        let percent = 100.0 * row.probability;
        let _ = write!(out, "<br><small>{percent:.0} %</small>");
        small(out, &rests_on(row));
        out.push_str("</td><td class=\"law\">");
        escaped(out, &row.rule.text);
        small(out, &self.place(&row.rule));
        out.push_str("</td><td class=\"law\">");
        for policy in &counts.policies {
            escaped(out, &policy.text);
            small(out, &self.place(policy));
            let by = found_by(row, policy);
            if !by.is_empty() {
                small(out, &format!("Found by: {by}."));
            }
            out.push_str("<br>");
        }
        if counts.verdict == MatchVerdict::NotCovered && !row.nearest.is_empty() {
            out.push_str("<small>The nearest statements, and why none covers it:</small>");
            for near in &row.nearest {
                out.push_str("<p class=\"near\">");
                escaped(out, &near.policy.text);
                small(
                    out,
                    &format!("{}. {}", self.place(&near.policy), near.why_not.text),
                );
                out.push_str("</p>");
            }
        }
        out.push_str("</td><td>");
        if let Some(found) = counts.relation.filter(|_| !counts.policies.is_empty()) {
            escaped(out, relation(found));
            out.push_str("<br>");
        }
        for one in differences(row) {
            escaped(out, &difference(one));
            out.push_str("<br>");
        }
        out.push_str("</td><td>");
        escaped(out, standing(&row.status));
        for line in decided(row) {
            out.push_str("<br>");
            escaped(out, &line);
        }
        out.push_str("</td></tr>");
    }
}

fn small(out: &mut String, text: &str) {
    out.push_str("<br><small>");
    escaped(out, text);
    out.push_str("</small>");
}
