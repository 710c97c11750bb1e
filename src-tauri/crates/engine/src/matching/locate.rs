//! Finds in the documents of this workspace the controls and statements that another person's mapping names. It finds
//! them by their ids, their words, the labels of sections, and headings.

use super::oscal_ids::{token, words_of, words_token};
use super::oscal_read::{Item, Resource};
use super::pick::Picked;
use lexforge_domain::DocumentId;
use lexforge_domain::api::{DocumentRow, MatchMissingWhy, MatchText};
use lexforge_text::fold::letters;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Between the parts of a section's path.
const BETWEEN: &str = " › ";
/// More sentences under one label are no statement of anything single.
const WIDEST: usize = 30;
/// A first word that is no longer is a label: "a)", "iii.", "5.1".
const LABEL: usize = 3;
/// The text between a control and the part of it that is meant: "ac-2_smt.a".
const STATEMENT: &str = "_smt";

/// The texts of one side of a matching, as they can be named.
#[derive(Default)]
pub(super) struct Places {
    texts: Vec<MatchText>,
    /// By the ids that this product's exports give: whole ids, and the part that depends only on the words.
    by_token: HashMap<String, Vec<usize>>,
    by_id: HashMap<String, Vec<usize>>,
    by_words: HashMap<String, Vec<usize>>,
    by_label: HashMap<String, Vec<usize>>,
    by_heading: HashMap<String, Vec<usize>>,
    /// What each document is called, and the hash of its file.
    documents: HashMap<DocumentId, (Vec<String>, String)>,
}

impl Places {
    /// The places of texts in these documents.
    pub fn of(picked: Vec<Picked>, documents: &[&DocumentRow]) -> Self {
        let mut places = Self::default();
        for document in documents {
            let file = document.file.rsplit_once('.').map_or("", |(stem, _)| stem);
            let names = [document.title.as_str(), &document.file, file].map(letters);
            let about = &document.metadata.identifier;
            let names = names.into_iter().chain(about.iter().map(|id| letters(id)));
            let named = (names.collect(), document.sha256.to_lowercase());
            places.documents.insert(document.id, named);
        }
        let mut by_section: BTreeMap<(DocumentId, String), Vec<usize>> = BTreeMap::new();
        for one in picked {
            let (number, text) = (places.texts.len(), one.shown);
            if let Some(id) = &text.external_id {
                places.by_id.entry(key(id)).or_default().push(number);
            }
            let named = places.by_token.entry(token(&text)).or_default();
            named.push(number);
            if text.external_id.is_none() {
                let named = places.by_token.entry(words_token(&text)).or_default();
                named.push(number);
            }
            let words = letters(&text.text);
            places.by_words.entry(words).or_default().push(number);
            if !text.section.is_empty() {
                let section = (text.document, text.section.clone());
                by_section.entry(section).or_default().push(number);
            }
            places.texts.push(text);
        }
        for ((_, section), numbers) in by_section {
            let parts: Vec<&str> = section.split(BETWEEN).collect();
            let headings: HashSet<String> = parts.iter().map(|part| letters(part)).collect();
            for heading in headings.into_iter().filter(|h| !h.is_empty()) {
                let known = places.by_heading.entry(heading).or_default();
                known.extend(&numbers);
            }
            for label in labels(&parts) {
                places.by_label.entry(label).or_default().extend(&numbers);
            }
        }
        places
    }

    /// The texts that an item of a mapping means.
    pub fn find(&self, item: &Item, from: &Resource) -> Result<Vec<&MatchText>, MatchMissingWhy> {
        let meant = self.meant(from);
        let (control, part) = match item.id.split_once(STATEMENT) {
            Some((control, part)) => (control, key(part)),
            None => (item.id.as_str(), String::new()),
        };
        let whole = format!("{}{part}", key(control));
        let words = || item.words.iter().map(|words| letters(words));
        let mut ways = vec![
            self.at(&self.by_token, &item.id, &meant),
            self.at(&self.by_id, &key(&item.id), &meant),
        ];
        let by_words = words_of(&item.id).into_iter();
        ways.extend(by_words.map(|words| self.at(&self.by_token, words, &meant)));
        ways.extend(words().map(|words| self.at(&self.by_words, &words, &meant)));
        ways.push(self.at(&self.by_label, &whole, &meant));
        if let Some((prefix, rest)) = behind_prefix(control) {
            let label = format!("{}{part}", key(rest));
            let mut found = self.at(&self.by_label, &label, &meant);
            // "PCI-6.3.1" is section 6.3.1 of a document that is called PCI.
            found.retain(|number| self.is_called(self.texts[*number].document, &letters(prefix)));
            ways.push(found);
        }
        if !part.is_empty() {
            // An item of a list without a section of its own begins with its label.
            let mut found = self.at(&self.by_label, &key(control), &meant);
            found.retain(|number| begins_with(&self.texts[*number].text, &part));
            ways.push(found);
        }
        // A label ("b", "5") comes before many headings, and identifies none.
        let headings = words().filter(|words| words.chars().count() > LABEL);
        ways.extend(headings.map(|words| self.at(&self.by_heading, &words, &meant)));
        let Some(numbers) = ways.into_iter().find(|numbers| !numbers.is_empty()) else {
            return Err(MatchMissingWhy::NotFound);
        };
        let texts: Vec<&MatchText> = numbers.iter().map(|number| &self.texts[*number]).collect();
        let documents: HashSet<DocumentId> = texts.iter().map(|text| text.document).collect();
        match (documents.len(), texts.len()) {
            (2.., _) => Err(MatchMissingWhy::SeveralDocuments),
            (_, n) if n > WIDEST => Err(MatchMissingWhy::TooWide),
            _ => Ok(texts),
        }
    }

    /// The documents that a catalogue is; none where it is not told.
    pub fn meant(&self, from: &Resource) -> HashSet<DocumentId> {
        // A hash identifies one file; several documents may have one name.
        let mut by_hash = self.documents.iter();
        if let Some((id, _)) = by_hash.find(|(_, (_, hash))| from.hashes.contains(hash)) {
            return HashSet::from([*id]);
        }
        let names: Vec<String> = from.names.iter().map(|name| letters(name)).collect();
        let is_it = |names_of: &[String]| {
            let mut names = names.iter().filter(|name| !name.is_empty());
            names.any(|name| names_of.contains(name))
        };
        let found = self.documents.iter();
        let found = found.filter(|(_, (names_of, _))| is_it(names_of));
        found.map(|(id, _)| *id).collect()
    }

    fn at(
        &self,
        places: &HashMap<String, Vec<usize>>,
        name: &str,
        meant: &HashSet<DocumentId>,
    ) -> Vec<usize> {
        let mut found = match name {
            "" => Vec::new(),
            name => places.get(name).cloned().unwrap_or_default(),
        };
        found.retain(|n| meant.is_empty() || meant.contains(&self.texts[*n].document));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn is_called(&self, document: DocumentId, word: &str) -> bool {
        let names = self.documents.get(&document);
        names.is_some_and(|(names, _)| {
            let mut words = names.iter().flat_map(|name| name.split(' '));
            words.any(|own| own == word)
        })
    }
}

/// An id as it is compared: letters and digits, and a full stop between two digits that something parts.
fn key(id: &str) -> String {
    let (mut out, mut gap) = (String::with_capacity(id.len()), false);
    for c in id.chars() {
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        if gap && c.is_ascii_digit() && out.ends_with(|last: char| last.is_ascii_digit()) {
            out.push('.');
        }
        gap = false;
        out.extend(c.to_lowercase());
    }
    out
}

/// The letters before the first digit of an id, and what follows: "PCI" and "6.3.1".
fn behind_prefix(id: &str) -> Option<(&str, &str)> {
    let digit = id.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = id.split_at(digit);
    let prefix = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    (!prefix.is_empty() && prefix.len() < before.len()).then_some((prefix, rest))
}

/// Whether a text begins with the label of an item: "(a) …", "a. …".
fn begins_with(text: &str, label: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_label = first.starts_with('(') || first.ends_with([')', '.']);
    is_label && key(first) == label
}

/// How the sections of a path can be named, each alone and with those above it.
fn labels(parts: &[&str]) -> HashSet<String> {
    let mut all = HashSet::new();
    for first in 0..parts.len() {
        let mut named = long_labels(parts[first]);
        all.extend(named.iter().map(|label| key(label)));
        for part in &parts[first + 1..] {
            let next = short_label(part);
            named = named
                .iter()
                .map(|label| format!("{label}.{next}"))
                .collect();
            all.extend(named.iter().map(|label| key(label)));
        }
    }
    all
}

/// The possible labels of a heading: "Article 5 Records", "Article 5", "5"; "AC-2 Accounts", "AC-2".
fn long_labels(part: &str) -> Vec<String> {
    let short = short_label(part);
    let mut labels = vec![part.to_owned()];
    let mut words = part.split_whitespace();
    if let (Some(first), Some(second)) = (words.next(), words.next())
        && has_digit(second)
        && !has_digit(first)
    {
        labels.push(format!("{first} {second}"));
    }
    if short != part {
        labels.push(short.to_owned());
    }
    labels
}

/// The number or the letter of a heading; all of it where it has neither.
fn short_label(part: &str) -> &str {
    let mut words = part.split_whitespace();
    let (first, second) = (words.next().unwrap_or(part), words.next());
    let second = second.filter(|second| has_digit(second) && !has_digit(first));
    match second {
        Some(second) => second,
        None if has_digit(first) || key(first).chars().count() <= LABEL => first,
        None => part,
    }
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;

    fn text(id: i64, document: i64, section: &str, text: &str) -> MatchText {
        MatchText {
            id: SentenceId(id),
            document: DocumentId(document),
            page: 1,
            text: text.to_owned(),
            section: section.to_owned(),
            external_id: (id == 9).then(|| "OPS-9".to_owned()),
        }
    }

    fn places() -> Places {
        let texts = [
            text(1, 1, "PCI standard › 6.3.1 Patches", "Patches are applied."),
            text(2, 1, "AC-2 Accounts", "Accounts are kept:"),
            text(3, 1, "AC-2 Accounts", "(a) by the owner."),
            text(4, 1, "AC-2 Accounts › b", "by the auditor."),
            text(5, 2, "Article 5 Records › 1", "Records are kept."),
            text(6, 1, "Article 5", "Firms act."),
            text(9, 2, "", "Operators act."),
        ];
        let mut places = Places::default();
        for (document, name) in [(1, "pci standard"), (2, "own policy")] {
            let named = (vec![name.to_owned()], format!("{document}{document}"));
            places.documents.insert(DocumentId(document), named);
        }
        for (number, one) in texts.into_iter().enumerate() {
            if let Some(id) = &one.external_id {
                places.by_id.entry(key(id)).or_default().push(number);
            }
            let parts: Vec<&str> = one.section.split(BETWEEN).collect();
            for label in labels(&parts) {
                places.by_label.entry(label).or_default().push(number);
            }
            let words = letters(&one.text);
            places.by_words.entry(words).or_default().push(number);
            for part in parts {
                let heading = places.by_heading.entry(letters(part)).or_default();
                heading.push(number);
            }
            places.texts.push(one);
        }
        places
    }

    fn found(id: &str, words: &[&str], names: &[&str]) -> Result<Vec<i64>, MatchMissingWhy> {
        let item = Item {
            id: id.to_owned(),
            words: words.iter().map(|w| (*w).to_owned()).collect(),
        };
        let from = Resource {
            names: names.iter().map(|n| (*n).to_owned()).collect(),
            hashes: Vec::new(),
        };
        let places = places();
        let texts = places.find(&item, &from)?;
        Ok(texts.iter().map(|text| text.id.0).collect())
    }

    #[test]
    fn a_control_is_found_by_its_id_its_label_its_words_and_its_heading() {
        for (id, words, expected) in [
            ("ops-9", None, vec![9]),
            ("PCI-6.3.1", None, vec![1]),
            ("ac-2", None, vec![2, 3, 4]),
            ("ac-2_smt", None, vec![2, 3, 4]),
            ("ac-2_smt.a", None, vec![3]),
            ("ac-2_smt.b", None, vec![4]),
            ("article-5.1", None, vec![5]),
            ("s_77", Some("Firms  act"), vec![6]),
            ("s_78", Some("6.3.1 Patches"), vec![1]),
        ] {
            assert_eq!(found(id, words.as_slice(), &[]), Ok(expected), "{id}");
        }
    }

    #[test]
    fn what_is_not_there_or_not_clear_is_told() {
        // A part of a control that is there is not the control.
        assert_eq!(
            found("ac-2_smt.c", &[], &[]),
            Err(MatchMissingWhy::NotFound)
        );
        // The label of a part is not the title of a section.
        assert_eq!(
            found("ac-2_smt.z", &["b"], &[]),
            Err(MatchMissingWhy::NotFound)
        );
        // No document is called ISO.
        assert_eq!(found("ISO-6.3.1", &[], &[]), Err(MatchMissingWhy::NotFound));
        assert_eq!(found("", &[], &[]), Err(MatchMissingWhy::NotFound));
        let several = found("article-5", &[], &[]);
        assert_eq!(several, Err(MatchMissingWhy::SeveralDocuments));
        assert_eq!(found("article-5", &[], &["Own policy"]), Ok(vec![5]));
    }

    #[test]
    fn ids_are_compared_without_what_parts_them() {
        for (id, expected) in [
            ("AC-2", "ac2"),
            ("6.3.1", "6.3.1"),
            ("Article 5 (1) a", "article5.1a"),
            ("第五条", "第五条"),
            ("--", ""),
        ] {
            assert_eq!(key(id), expected);
        }
    }
}
