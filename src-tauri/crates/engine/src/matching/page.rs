//! Matched rules as a page for an auditor.

use super::export::{About, counting, words};
use crate::workspace::escaped;
use lexforge_domain::api::{MatchRelation, MatchText};
use std::fmt::Write as _;

impl About {
    /// A page for an auditor.
    pub(super) fn page(&self) -> String {
        let mut out = String::from(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Rules and policies</title><style>body{font:14px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;width:100%}td,th{border:1px solid #bbb;padding:.4em;text-align:left;vertical-align:top}q,.law{font-family:serif}code{word-break:break-all}</style></head><body><h1>Rules and the policies that cover them</h1><p>",
        );
        escaped(&mut out, &self.counts());
        out.push_str("</p><p>Compared by ");
        escaped(&mut out, &self.report.method);
        out.push_str(".</p><ul>");
        for line in self.named() {
            out.push_str("<li>");
            escaped(&mut out, &line);
            out.push_str("</li>");
        }
        out.push_str("</ul><p>Head of the audit chain: <code>");
        escaped(&mut out, &self.head);
        out.push_str("</code></p><table><thead><tr><th>Verdict</th><th>Rule</th><th>Policy</th><th>Differences</th><th>Decision</th></tr></thead><tbody>");
        for row in &self.report.rows {
            let counts = counting(row);
            out.push_str("<tr><td>");
            escaped(&mut out, words(counts.verdict));
            let _ = write!(
                out,
                "<br>{} {:.2}</td><td class=\"law\">",
                counts.relation.map_or("", MatchRelation::tag),
                row.probability
            );
            let place = |text: &MatchText| {
                format!(
                    "{} {} page {}",
                    self.title(text.document),
                    text.section,
                    text.page
                )
            };
            escaped(&mut out, &row.rule.text);
            out.push_str("<br><small>");
            escaped(&mut out, &place(&row.rule));
            out.push_str("</small></td><td class=\"law\">");
            for policy in &counts.policies {
                escaped(&mut out, &policy.text);
                out.push_str("<br><small>");
                escaped(&mut out, &place(policy));
                out.push_str("</small><br>");
            }
            for near in &row.nearest {
                out.push_str("<small>near: ");
                escaped(&mut out, &near.policy.text);
                out.push_str(" (");
                escaped(&mut out, &near.why_not.text);
                out.push_str(")</small><br>");
            }
            out.push_str("</td><td>");
            for difference in &row.differences {
                escaped(
                    &mut out,
                    &format!("{} | {}", difference.rule, difference.policy),
                );
                out.push_str("<br>");
            }
            out.push_str("</td><td>");
            escaped(&mut out, &row.status);
            if let Some(decision) = &row.decision {
                out.push_str("<br>");
                escaped(
                    &mut out,
                    &format!("{} {} {}", decision.actor, decision.made, decision.note),
                );
            }
            out.push_str("</td></tr>");
        }
        out.push_str("</tbody></table></body></html>\n");
        out
    }
}
