//! Web and mail addresses in running text: they are no language, so no word is taken from them.

use std::ops::Range;

/// Last parts of host names that are told from the end of a sentence without a scheme before them.
const TOP_LEVEL: &[&str] = &[
    "com", "org", "net", "gov", "edu", "int", "info", "eu", "cn", "hk", "uk", "us", "de", "fr",
    "it", "es", "nl", "be", "ch", "at", "jp", "kr", "sg", "ie", "lu", "io",
];

/// The parts of a text that are not web or mail addresses, in order. If a line end breaks an address, only those of its
/// pieces that still look like an address are left out.
pub fn outside_addresses(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for address in addresses(text) {
        parts.push(&text[from..address.start]);
        from = address.end;
    }
    parts.push(&text[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Where addresses stand.
pub fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    if !text.contains(['.', '@']) {
        return found;
    }
    for run in runs(text) {
        let written = &text[run.clone()];
        // What follows an address after one blank and has a path's marks is the rest of it.
        let goes_on = found.last().is_some_and(|last| {
            let between = &text[last.end..run.start];
            let broken = text[last.clone()].ends_with(['/', '-', '_', '.', '?', '&', '=']);
            between == " " && (broken && has_path(written) || written.contains(['=', '&', '_']))
        });
        if goes_on && let Some(last) = found.last_mut() {
            last.end = run.end;
        } else if is_address(written) {
            found.push(run);
        }
    }
    found
}

/// Runs of the characters that an address is made of, without the marks that end a sentence.
fn runs(text: &str) -> impl Iterator<Item = Range<usize>> {
    let part = |c: char| {
        c.is_ascii_graphic()
            && !matches!(
                c,
                '<' | '>' | '(' | ')' | '"' | '\'' | '[' | ']' | '{' | '}'
            )
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(part)?;
        let end = text[start..]
            .find(|c| !part(c))
            .map_or(text.len(), |n| start + n);
        at = end;
        let kept = text[start..end].trim_end_matches([',', ';', ':', '.', '!']);
        Some(start..start + kept.len())
    })
}

fn has_path(run: &str) -> bool {
    run.contains(['/', '.', '?', '=', '&', '_'])
}

fn is_address(run: &str) -> bool {
    let lower = run.to_ascii_lowercase();
    if lower.contains("://") || lower.starts_with("www.") {
        return true;
    }
    let host = |name: &str| {
        let labels: Vec<&str> = name.split('.').collect();
        labels.len() > 1
            && labels.iter().all(|label| {
                label.len() > 1 && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            })
    };
    if let Some((user, name)) = lower.split_once('@') {
        return !user.is_empty() && host(name);
    }
    let name = lower.split(['/', '?', ':']).next().unwrap_or_default();
    host(name)
        && name.chars().any(|c| c.is_ascii_alphabetic())
        && name
            .rsplit('.')
            .next()
            .is_some_and(|last| TOP_LEVEL.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_without_addresses() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(outside_addresses(text), expected, "{text:?}");
        };
        check("No address. None.", &["No address. None."]);
        check("see https://example.org/a?b=c.", &["see ", "."]);
        check("to office@example.org, or", &["to ", ", or"]);
        check("(www.example.org/Pages/index.html)", &["(", ")"]);
        check(
            "网址：http://www.example.cn/cn/view.html。",
            &["网址：", "。"],
        );
        check("at example.gov/rules today", &["at ", " today"]);
        check(
            "https://www.example.org/rules/ manual/section8-1.pdf ends",
            &[" ends"],
        );
        check("www.example.cn/view?id=1 &itemId=2", &[]);
        check(
            "e.g. Tier 1, i.e. capital/funds",
            &["e.g. Tier 1, i.e. capital/funds"],
        );
        check("Article 5.2 and 8.5 %", &["Article 5.2 and 8.5 %"]);
    }
}
