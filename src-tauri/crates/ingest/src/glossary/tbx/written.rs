//! Writes terms as TBX-Basic in the style DCA.

use crate::glossary::collector::tag_of;
use lexforge_domain::glossary::GlossaryEntry;
use lexforge_domain::term::ReviewStatus;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Text as it is in XML. Characters that XML cannot hold become spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

pub(in crate::glossary) fn write(entries: &[GlossaryEntry], title: &str) -> String {
    let ids: HashMap<(&str, &str), usize> = entries
        .iter()
        .enumerate()
        .map(|(i, e)| ((tag_of(e.language), e.term.as_str()), i + 1))
        .collect();
    let main = entries.first().map_or("en", |e| tag_of(e.language));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tbx type=\"TBX-Basic\" style=\"dca\" xml:lang=\"{main}\" \
         xmlns=\"urn:iso:std:iso:30042:ed-2\">\n  <tbxHeader>\n    <fileDesc>\n      <sourceDesc>\n        <p>{}</p>\n      \
         </sourceDesc>\n    </fileDesc>\n  </tbxHeader>\n  <text>\n    <body>\n",
        escaped(title)
    );
    // Writing to a string does not fail.
    for (i, e) in entries.iter().enumerate() {
        let language = tag_of(e.language);
        let _ = writeln!(out, "      <conceptEntry id=\"c{}\">", i + 1);
        if !e.class.is_empty() {
            let _ = writeln!(
                out,
                "        <descrip type=\"subjectField\">{}</descrip>",
                escaped(&e.class)
            );
        }
        for name in e.related.iter().chain(&e.broader) {
            let target = ids
                .get(&(language, name.as_str()))
                .map(|id| format!(" target=\"c{id}\""))
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "        <ref type=\"crossReference\"{target}>{}</ref>",
                escaped(name)
            );
        }
        let _ = writeln!(out, "        <langSec xml:lang=\"{language}\">");
        for d in &e.definitions {
            let _ = writeln!(out, "          <descripGrp>");
            let _ = writeln!(
                out,
                "            <descrip type=\"definition\">{}</descrip>",
                escaped(&d.text)
            );
            if !d.source.is_empty() {
                let _ = writeln!(
                    out,
                    "            <admin type=\"source\">{}</admin>",
                    escaped(&d.source)
                );
            }
            let _ = writeln!(out, "          </descripGrp>");
        }
        let status = match e.status {
            Some(ReviewStatus::Accepted) => Some("preferredTerm-admn-sts"),
            Some(ReviewStatus::Rejected) => Some("deprecatedTerm-admn-sts"),
            Some(_) => Some("admittedTerm-admn-sts"),
            None => None,
        };
        let names = std::iter::once((&e.term, status, None))
            .chain(e.names.iter().map(|n| (n, None, Some("variant"))));
        for (place, (name, status, kind)) in names.enumerate() {
            let _ = writeln!(
                out,
                "          <termSec>\n            <term>{}</term>",
                escaped(name)
            );
            if let Some(status) = status {
                let _ = writeln!(
                    out,
                    "            <termNote type=\"administrativeStatus\">{status}</termNote>"
                );
            }
            if let Some(kind) = kind {
                let _ = writeln!(
                    out,
                    "            <termNote type=\"termType\">{kind}</termNote>"
                );
            }
            for source in e.sources.iter().filter(|_| place == 0) {
                let _ = writeln!(
                    out,
                    "            <admin type=\"source\">{}</admin>",
                    escaped(source)
                );
            }
            let _ = writeln!(out, "          </termSec>");
        }
        let _ = writeln!(out, "        </langSec>\n      </conceptEntry>");
    }
    out.push_str("    </body>\n  </text>\n</tbx>\n");
    out
}
