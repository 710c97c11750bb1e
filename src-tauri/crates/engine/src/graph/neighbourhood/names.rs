//! Short names for documents and clauses: `GDPR`, `19(1)`.

use lexforge_domain::DocumentId;
use lexforge_domain::api::DocumentRow;
use lexforge_text::is_wide;
use std::collections::HashMap;

/// Scalar values of a short name in letters.
const LONGEST: usize = 18;
/// Scalar values of a short name in ideographs, each as wide as two letters.
const LONGEST_WIDE: usize = 11;
/// Most scalar values of a clause.
const LONGEST_CLAUSE: usize = 16;

/// Short names of documents; of several that would have the same, the later ones carry their number.
pub(super) fn of_documents(documents: &[DocumentRow]) -> HashMap<DocumentId, String> {
    let mut taken: HashMap<String, u32> = HashMap::new();
    let mut names = HashMap::with_capacity(documents.len());
    for document in documents {
        let name = short(if document.title.trim().is_empty() {
            &document.file
        } else {
            &document.title
        });
        let uses = taken.entry(name.clone()).or_default();
        *uses += 1;
        names.insert(
            document.id,
            if *uses == 1 {
                name
            } else {
                format!("{name} #{uses}")
            },
        );
    }
    names
}

/// A title in short: the abbreviation or the name that it gives in brackets, its number, else its first words.
fn short(title: &str) -> String {
    let title = title.trim();
    if let Some(name) = title.split(['(', '（']).skip(1).find_map(in_brackets) {
        return name;
    }
    if let Some(name) = numbered(title) {
        return name;
    }
    if title.chars().any(is_wide) {
        let bare = title
            .split(['《', '》'])
            .map(str::trim)
            .find(|part| !part.is_empty())
            .unwrap_or(title);
        let bare = bare
            .strip_prefix("中华人民共和国")
            .filter(|rest| !rest.is_empty())
            .unwrap_or(bare);
        return cut(bare, LONGEST_WIDE);
    }
    let mut words = String::new();
    for word in title.split_whitespace() {
        if !words.is_empty() && words.chars().count() + 1 + word.chars().count() > LONGEST {
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    let kept = cut(&words, LONGEST);
    // Cut between words it is shorter than the title, and says so.
    if kept.chars().count() < title.chars().count() && !kept.ends_with('…') {
        format!("{kept}…")
    } else {
        kept
    }
}

/// The abbreviation that is in brackets, or that the initials of the name there make: `DORA`, `GDPR`.
fn in_brackets(rest: &str) -> Option<String> {
    let inside = rest.split([')', '）']).next()?.trim();
    let words: Vec<&str> = inside.split_whitespace().collect();
    let is_capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    match words.as_slice() {
        [one]
            if (3..=8).contains(&one.chars().count())
                && one.chars().all(|c| c.is_ascii_uppercase()) =>
        {
            Some((*one).to_owned())
        }
        words if words.iter().copied().filter(is_capital).count() >= 3 && inside.is_ascii() => {
            Some(
                words
                    .iter()
                    .copied()
                    .filter(is_capital)
                    .filter_map(|w| w.chars().next())
                    .collect(),
            )
        }
        _ => None,
    }
}

/// The number of an act: `2016/679`, `575/2013`.
fn numbered(title: &str) -> Option<String> {
    let act = ["Regulation", "Directive", "Decision"]
        .iter()
        .any(|kind| title.starts_with(kind));
    let is_number = |word: &str| {
        let parts: Vec<&str> = word.split('/').collect();
        matches!(parts.as_slice(), [a, b, ..] if [a, b].iter().all(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_digit())))
    };
    let word = title
        .split_whitespace()
        .map(|word| word.trim_end_matches([',', ';', ':']))
        .find(|word| is_number(word));
    word.filter(|_| act).map(str::to_owned)
}

/// A section path's clause: from its innermost article on. `Chapter II › Article 5 › 2 › (a)` is `5(2)(a)`.
pub(super) fn clause(path: &str) -> String {
    let labels: Vec<&str> = path
        .split(" › ")
        .map(str::trim)
        .filter(|label| !label.is_empty())
        .collect();
    let Some(from) = labels.iter().rposition(|label| article(label).is_some()) else {
        // A heading that is too long says less than the page, which is shown without it.
        let short = labels
            .last()
            .filter(|label| label.chars().count() <= LONGEST_CLAUSE);
        return short.map(|label| (*label).to_owned()).unwrap_or_default();
    };
    let mut clause = article(labels[from]).unwrap_or_default().to_owned();
    for label in &labels[from + 1..] {
        let wide = label.chars().any(is_wide);
        let bracketed = label.starts_with(['(', '（']);
        clause.push_str(&if wide || bracketed {
            (*label).to_owned()
        } else {
            format!("({label})")
        });
    }
    cut(&clause, LONGEST_CLAUSE)
}

/// The number of an article, rule or section: `5` of `Article 5`, `第五条` of itself.
fn article(label: &str) -> Option<&str> {
    if label.starts_with('第') && label.contains('条') {
        return Some(label);
    }
    let (kind, number) = label.split_once(' ')?;
    let is_kind =
        ["article", "rule", "section", "art.", "§"].contains(&kind.to_lowercase().as_str());
    let first = number.split_whitespace().next()?;
    (is_kind && first.chars().any(|c| c.is_ascii_digit())).then_some(first)
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_in_short() {
        for (title, expected) in [
            (
                "Regulation (EU) 2016/679 of the European Parliament (General Data Protection Regulation)",
                "GDPR",
            ),
            ("Digital operational resilience act (DORA)", "DORA"),
            (
                "Regulation (EU) No 575/2013 of the European Parliament",
                "575/2013",
            ),
            ("Directive 2014/65/EU, on markets", "2014/65/EU"),
            ("中华人民共和国保险法", "保险法"),
            ("《商业银行法》", "商业银行法"),
            ("企业集团财务公司管理办法", "企业集团财务公司管理…"),
            ("Outsourcing policy", "Outsourcing policy"),
            (
                "Model Regulation on the Management of Outsourcing Risk",
                "Model Regulation…",
            ),
            ("Supercalifragilisticexpialidocious", "Supercalifragilis…"),
            ("", ""),
        ] {
            assert_eq!(short(title), expected, "{title}");
        }
    }

    #[test]
    fn a_path_in_short() {
        for (path, expected) in [
            ("Chapter II › Article 5 › 2 › (a)", "5(2)(a)"),
            ("第二章 › 第八条 › （二）", "第八条（二）"),
            ("Part 6 › Rule 11.2.1", "11.2.1"),
            ("Annex I", "Annex I"),
            ("General provisions and final remarks", ""),
            ("General provisions", ""),
            ("Scope", "Scope"),
            ("", ""),
        ] {
            assert_eq!(clause(path), expected, "{path}");
        }
    }
}
