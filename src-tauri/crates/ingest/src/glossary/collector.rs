//! Checks and stores what the readers of all formats find.

use crate::terms;
use lexforge_domain::api::RejectedEntry;
use lexforge_domain::glossary::{GlossaryDefinition, GlossaryEntry};
use lexforge_domain::term::ReviewStatus;
use lexforge_domain::text::Language;
use lexforge_text::fold::{is_invisible, spaced};
use lexforge_text::language::detect;
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// Most entries that are taken of one file, and concepts that it may hold.
pub(super) const MOST_ENTRIES: usize = 500_000;

/// Longest term and other name, in characters.
const LONGEST_TERM: usize = 200;

/// Longest definition and source.
const LONGEST_TEXT: usize = 20_000;

/// Longest name of a class.
const LONGEST_CLASS: usize = 80;

/// Most other names, definitions, sources and relations of one entry, each.
pub(super) const MOST: usize = 200;

/// What values beyond these are counted as.
pub(super) const BEYOND: &str = "values beyond the limits of an entry";

/// Rejected entries that are listed; the rest is counted.
const LISTED: usize = 1_000;

/// Names of fields without a place that are told apart.
pub(super) const MOST_UNREAD: usize = 100;

/// The content of a file of terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glossary {
    /// The entries that can be taken, by their place in the file: line or number, from 1.
    pub entries: Vec<(u64, GlossaryEntry)>,
    /// Entries read, those that cannot be taken included.
    pub read: u64,
    /// Entries that cannot be taken.
    pub refused: u64,
    /// The first thousand of them.
    pub rejected: Vec<RejectedEntry>,
    /// Fields that have no place here, with how often they held something.
    pub unread: BTreeMap<String, u64>,
    /// Notes on how the file was read.
    pub warnings: Vec<String>,
}

/// An entry as a file says it, before it is looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) term: String,
    /// Tag or name of the language; `None` = not said.
    pub(super) language: Option<String>,
    pub(super) names: Vec<String>,
    pub(super) definitions: Vec<(String, String)>,
    pub(super) sources: Vec<String>,
    pub(super) class: String,
    pub(super) status: Option<ReviewStatus>,
    pub(super) related: Vec<String>,
    pub(super) broader: Vec<String>,
}

/// Takes what the readers find.
pub(super) struct Collector {
    pub(super) glossary: Glossary,
    /// Whether languages without a tag of their own are taken.
    pub(super) other: bool,
}

impl Collector {
    /// Takes an entry, or says why not.
    pub(super) fn take(&mut self, place: u64, draft: Draft) {
        self.glossary.read += 1;
        let term = clean(&draft.term);
        let reason = if term.is_empty() {
            Some("it names no term".to_owned())
        } else if !term.chars().any(char::is_alphabetic) {
            Some("a term has at least one letter".to_owned())
        } else if term.chars().count() > LONGEST_TERM {
            Some(format!("the term is longer than {LONGEST_TERM} characters"))
        } else if self.glossary.entries.len() >= MOST_ENTRIES {
            Some("the file has more than 500,000 entries; split it".to_owned())
        } else {
            None
        };
        if let Some(reason) = reason {
            return self.refuse(place, &draft.term, reason);
        }
        let language = match draft
            .language
            .as_deref()
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
        {
            None => detect(&term),
            Some(tag) => match language_of(tag) {
                Some(language) => language,
                None if self.other => Language::Other,
                None => return self.unread(&format!("language {}", shortened(tag, 20)), 1),
            },
        };
        let normal = terms::key(&term, language);
        let mut entry = GlossaryEntry::new(term, language);
        let is_name = |name: &String| !name.is_empty() && name.chars().count() <= LONGEST_TERM;
        let mut beyond = 0;
        let mut list = |values: Vec<String>| {
            let mut kept: Vec<String> = Vec::new();
            for value in values.iter().map(|v| clean(v)).filter(|v| !v.is_empty()) {
                if !is_name(&value) || kept.len() == MOST {
                    beyond += 1;
                } else if !kept.contains(&value) {
                    kept.push(value);
                }
            }
            kept
        };
        entry.names = list(draft.names);
        entry.names.retain(|name| *name != entry.term);
        entry.related = list(draft.related);
        entry.broader = list(draft.broader);
        for relations in [&mut entry.related, &mut entry.broader] {
            relations.retain(|name| terms::key(name, language) != normal);
        }
        for (text, source) in draft.definitions {
            let (text, source) = (clean(&text), clean(&source));
            if text.is_empty() {
                push(&mut entry.sources, source);
            } else if text.chars().count() > LONGEST_TEXT || entry.definitions.len() == MOST {
                beyond += 1;
            } else {
                let definition = GlossaryDefinition { text, source };
                if !entry.definitions.contains(&definition) {
                    entry.definitions.push(definition);
                }
            }
        }
        for source in draft.sources {
            push(&mut entry.sources, clean(&source));
        }
        let class = clean(&draft.class).to_lowercase();
        if class.chars().count() <= LONGEST_CLASS {
            entry.class = class;
        } else {
            beyond += 1;
        }
        entry.status = draft.status;
        self.unread(BEYOND, beyond);
        self.glossary.entries.push((place, entry));
    }

    /// Lists an entry that cannot be taken.
    pub(super) fn reject(&mut self, place: u64, text: &str, reason: impl Into<String>) {
        self.glossary.read += 1;
        self.refuse(place, text, reason.into());
    }

    fn refuse(&mut self, place: u64, text: &str, reason: String) {
        self.glossary.refused += 1;
        if self.glossary.rejected.len() < LISTED {
            let text = shortened(&clean(text), 60);
            self.glossary.rejected.push(RejectedEntry {
                entry: place,
                text,
                reason,
            });
        }
    }

    /// Counts a field that has no place here.
    pub(super) fn unread(&mut self, what: &str, times: u64) {
        if times == 0 {
            return;
        }
        let unread = &mut self.glossary.unread;
        let name = shortened(what.trim(), 60);
        let name = if unread.len() < MOST_UNREAD || unread.contains_key(&name) {
            name
        } else {
            "others".to_owned()
        };
        *unread.entry(name).or_default() += times;
    }
}

fn push(sources: &mut Vec<String>, source: String) {
    let fits = !source.is_empty() && source.chars().count() <= LONGEST_TEXT && sources.len() < MOST;
    if fits && !sources.contains(&source) {
        sources.push(source);
    }
}

/// A text in one line, composed (NFC), without characters that nobody sees or that turn the order of others around.
pub(super) fn clean(text: &str) -> String {
    // The two joiners are part of how Persian and Indic words are spelt.
    let unseen = |c: &char| is_invisible(*c) && !matches!(c, '\u{200c}' | '\u{200d}');
    let seen: String = text
        .nfc()
        .filter(|c| !unseen(c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    spaced(&seen)
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most).chain(['…']).collect()
}

/// The language of a tag (`en`, `en-GB`, `zh_CN`, `zho`) or of a name ("English", "中文"). `None` for a language that
/// the product has no name for.
pub(super) fn language_of(tag: &str) -> Option<Language> {
    let tag = tag.trim().to_lowercase();
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    Some(match primary {
        "en" | "eng" | "english" | "英文" | "英语" | "英語" | "영어" => Language::En,
        "zh" | "zho" | "chi" | "cmn" | "chinese" | "中文" | "汉语" | "漢語" | "简体中文"
        | "中国語" | "중국어" => Language::Zh,
        "ko" | "kor" | "korean" | "韩文" | "韩语" | "한국어" => Language::Ko,
        "und" | "other" => Language::Other,
        _ => return None,
    })
}

/// The tag under which a language is written.
pub(super) fn tag_of(language: Language) -> &'static str {
    match language {
        Language::Other => "und",
        known => known.tag(),
    }
}

/// The status that a word of a glossary claims.
pub(super) fn status_of(word: &str) -> Option<ReviewStatus> {
    match word.trim().to_lowercase().as_str() {
        "accepted"
        | "approved"
        | "preferred"
        | "preferredterm-admn-sts"
        | "standardizedterm-admn-sts"
        | "stable"
        | "preferredterm" => Some(ReviewStatus::Accepted),
        "rejected"
        | "deprecated"
        | "deprecatedterm-admn-sts"
        | "supersededterm-admn-sts"
        | "archaic"
        | "deprecatedterm"
        | "supersededterm" => Some(ReviewStatus::Rejected),
        "conflict" => Some(ReviewStatus::Conflict),
        "unreviewed" => Some(ReviewStatus::Unreviewed),
        _ => None,
    }
}
