//! Acts of the European Union: the heading of the act, its date below, and the day from which it applies.

use super::dates::{english, has_one_of, pattern};
use super::ends::Ends;
use lexforge_domain::document::DocumentMetadata;
use lexforge_text::fold::spaced;
use regex::Regex;
use std::sync::LazyLock;

/// Lines in which the heading of an act stands.
const HEADING: usize = 30;

static ACT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:corrigendum to )?((?:commission|council|european parliament and council) )?((?:delegated|implementing) )?(regulation|directive|decision) (?:\((EU|EC|EEC|Euratom|EU, Euratom)\) (no )?(\d{1,4}/\d{1,4})|(\d{2,4}/\d{1,4})/(EU|EC|EEC|CFSP))\b",
    )
});
static APPLIES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:It|This (?:Regulation|Decision|Directive)) shall (?:apply|be applicable) from (\d{1,2} \w+ \d{4})",
    )
});

/// The facts that a European act states about itself; empty if the document is no such act.
pub fn about(ends: &Ends) -> DocumentMetadata {
    let mut out = DocumentMetadata::default();
    let mut lines: Vec<&str> = ends
        .first
        .iter()
        .take(HEADING)
        .map(String::as_str)
        .take_while(|l| !l.starts_with("Having regard"))
        .collect();
    // A page of a web site may carry its heading as its title alone.
    lines.push(&ends.title);
    for (at, line) in lines.iter().enumerate() {
        if !has_one_of(line, ["regulation", "directive", "decision"]) {
            continue;
        }
        let Some(c) = ACT.captures(line) else {
            continue;
        };
        let all = c.get(0).map_or(0, |m| m.end());
        let rest = line[all..].trim_start();
        // A heading is in capitals, is alone on its line, or continues with its author or date. A sentence does none of
        // these.
        let heads = c[0]
            .chars()
            .filter(|c| c.is_alphabetic())
            .all(char::is_uppercase)
            || rest.is_empty()
            || rest.to_lowercase().starts_with("of ");
        if !heads {
            continue;
        }
        let kind = capital(&c[3]);
        let qualifier = c
            .get(2)
            .map(|q| format!("{} ", capital(q.as_str().trim())))
            .unwrap_or_default();
        let author = c
            .get(1)
            .map(|a| capital(a.as_str().trim()))
            .filter(|a| a == "Commission" || a == "Council");
        let prefix = author.as_ref().map(|a| format!("{a} ")).unwrap_or_default();
        out.identifier = Some(match (c.get(6), c.get(7)) {
            (Some(number), _) => {
                let no = if c.get(5).is_some() { "No " } else { "" };
                format!(
                    "{prefix}{qualifier}{kind} ({}) {no}{}",
                    &c[4],
                    number.as_str()
                )
            }
            (None, number) => format!(
                "{prefix}{qualifier}{kind} {}/{}",
                number.map_or("", |n| n.as_str()),
                &c[8]
            ),
        });
        let around = lines[at..(at + 4).min(lines.len())].join(" ");
        let lower = around.to_lowercase();
        out.issuer = match author.as_deref() {
            Some("Commission") => Some("European Commission"),
            Some("Council") => Some("Council of the European Union"),
            _ if lower.contains("of the european parliament and of the council") => {
                Some("European Parliament and Council of the European Union")
            }
            _ if lower.contains("of the european central bank") => Some("European Central Bank"),
            _ => None,
        }
        .map(str::to_owned);
        let below = lines[at + 1..]
            .iter()
            .take(3)
            .filter(|l| l.to_lowercase().starts_with("of "));
        out.date = std::iter::once(line)
            .chain(below)
            .find_map(|l| english(l))
            .map(|(date, _)| date)
            .filter(|d| d.len() == 10);
        out.jurisdiction = Some("EU".to_owned());
        let flat = spaced(&ends.last);
        out.effective = APPLIES
            .captures(&flat)
            .and_then(|c| english(&c[1]))
            .map(|(date, _)| date)
            .filter(|d| d.len() == 10);
        return out;
    }
    out
}

/// `REGULATION` as `Regulation`.
fn capital(word: &str) -> String {
    let lower = word.to_lowercase();
    let mut chars = lower.chars();
    chars
        .next()
        .map(|c| c.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
