//! Which sentences of a document are requirements, and which are statements of a policy.

use super::demands::{Duties, is_of_the_act};
use super::says_nothing;
use super::sides::Text;
use super::whom::Whom;
use lexforge_augment::{Force, force};
use lexforge_domain::api::{DocumentRow, MatchAddressee, MatchSetAside, MatchText};
use lexforge_domain::document::{DocumentFormat, Sentence};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{DocumentId, SectionId, SentenceId};
use lexforge_ingest::{addressed, is_contents};
use lexforge_store::{Reader, Result};
use std::collections::{HashMap, HashSet};

/// If less than this share of a document's sentences contains an obligation, the document seems to state its demands as
/// facts ("access is reviewed"). Frameworks of controls do this. Then all statements of the document are taken as
/// requirements.
const STATES_FACTS: f64 = 0.05;
/// A statement has at least this many words, or characters in a script without blanks.
const FEWEST_WORDS: usize = 3;
/// A longer text is no sentence but a whole document on one line.
const MOST_CHARACTERS: usize = 20_000;

/// A sentence that takes part.
#[derive(Clone, Debug)]
pub(super) struct Picked {
    /// The text that is shown for it.
    pub shown: MatchText,
    /// What is compared.
    pub compared: Text,
    /// How the sentence binds those whom it addresses.
    pub force: Option<Force>,
    /// Whether it obliges somebody, where it is a rule: by a duty, by the right of somebody else, or by "may only".
    pub demands: bool,
    /// Whom it binds, where it is a rule.
    pub binds: MatchAddressee,
    /// Whether it equals a text of the rules word for word, with many others in a row, and so is a copy.
    pub repeats: bool,
    /// The stems of its own words, if it is a rule under a heading: hardly another rule under it has them.
    pub own_words: HashSet<String>,
    /// Its kind in its document. Of a statement, `Heading` and `Definition` mean that it says nothing of what is done.
    pub kind: SentenceKind,
    pub language: Language,
}

/// The texts that were chosen, and those that were not.
#[derive(Default)]
pub(super) struct Side {
    pub picked: Vec<Picked>,
    /// Sentences that oblige nobody, where rules were picked.
    pub passed_over: Vec<MatchText>,
    /// Rules that bind no firm.
    pub set_aside: MatchSetAside,
    /// Sentences that speak to a language model.
    pub to_a_model: usize,
}

impl Side {
    /// The sentences that were picked.
    pub fn ids(&self) -> Vec<SentenceId> {
        self.picked.iter().map(|p| p.shown.id).collect()
    }

    /// Takes what was picked of another document.
    pub fn add(&mut self, other: Self) {
        self.picked.extend(other.picked);
        self.passed_over.extend(other.passed_over);
        self.set_aside.recitals += other.set_aside.recitals;
        self.set_aside.public += other.set_aside.public;
        self.to_a_model += other.to_a_model;
    }
}

/// The requirements of a document: those that may bind a firm, or `everyone`'s.
pub(super) fn requirements(
    reader: &Reader<'_>,
    document: &DocumentRow,
    everyone: bool,
) -> Result<Side> {
    let mut side = read(reader, document, true)?;
    if document.format == DocumentFormat::Jsonl {
        return Ok(side);
    }
    let binds = |p: &Picked| {
        p.demands && p.kind != SentenceKind::Definition && !is_of_the_act(&p.shown.text)
    };
    let binding = side.picked.iter().filter(|p| binds(p)).count();
    if binding as f64 >= STATES_FACTS * side.picked.len() as f64 {
        let (binding, others) = side.picked.into_iter().partition(binds);
        side.picked = binding;
        side.passed_over = others.into_iter().map(|one: Picked| one.shown).collect();
    }
    if !everyone {
        let of = |side: &Side, whom: MatchAddressee| {
            side.picked.iter().filter(|p| p.binds == whom).count()
        };
        side.set_aside = MatchSetAside {
            recitals: of(&side, MatchAddressee::Recital),
            public: of(&side, MatchAddressee::Public),
        };
        side.picked
            .retain(|p| matches!(p.binds, MatchAddressee::Firm | MatchAddressee::Nobody));
    }
    Ok(side)
}

/// The statements of a document: its sentences, the items of its lists together with the words that introduce them, and
/// the rows of its tables.
pub(super) fn statements(reader: &Reader<'_>, document: &DocumentRow) -> Result<Side> {
    read(reader, document, false)
}

/// The statements of a document; if they are `rules`, the people that each of them binds are found, too.
fn read(reader: &Reader<'_>, document: &DocumentRow, rules: bool) -> Result<Side> {
    let sections: HashMap<SectionId, (String, Option<SectionId>)> = reader
        .sections(document.id)?
        .into_iter()
        .map(|s| (s.id, (s.title, s.parent)))
        .collect();
    let sentences = reader.sentences(Some(document.id))?;
    let mut whom = rules.then(|| Whom::of(&sentences, document.language));
    let mut duties = rules.then(|| Duties::of(&sentences, document.language));
    let mut side = Side::default();
    for (at, sentence) in sentences.iter().enumerate() {
        if !takes_part(sentence, sentences.get(at + 1)) {
            continue;
        }
        if addressed::to_a_model(&sentence.text) {
            side.to_a_model += 1;
            continue;
        }
        let text = sentence.complete.as_ref().unwrap_or(&sentence.text);
        let force = force(text, document.language).map(|(force, _)| force);
        let demands = duties
            .as_mut()
            .is_some_and(|duties| duties.demands(text, force));
        let binds = match whom.as_mut() {
            Some(whom) => {
                let above = headings(&sections, sentence.section_id);
                whom.binds(text, &sentence.section, &above, demands)
            }
            None => MatchAddressee::Nobody,
        };
        side.picked.push(Picked {
            shown: MatchText {
                id: sentence.id,
                document: document.id,
                page: sentence.page,
                text: text.clone(),
                section: sentence.section.clone(),
                external_id: sentence.external_id.clone(),
            },
            compared: Text {
                title: heading(&sections, sentence.section_id),
                text: text.clone(),
                item: if sentence.is_item() {
                    sentence.text.clone()
                } else {
                    String::new()
                },
            },
            force,
            demands,
            binds,
            repeats: false,
            own_words: HashSet::new(),
            kind: match (rules, document.format) {
                (true, _) => sentence.kind,
                // Who made the file chose its rows as statements.
                (false, DocumentFormat::Jsonl) => SentenceKind::Rule,
                (false, _) => {
                    let next = sentences.get(at + 1);
                    says_nothing::kind(sentence, next, force.is_some(), document.language)
                }
            },
            language: document.language,
        });
    }
    Ok(side)
}

/// The nearest heading over a sentence.
fn heading(
    sections: &HashMap<SectionId, (String, Option<SectionId>)>,
    section: Option<SectionId>,
) -> String {
    let above = headings(sections, section);
    above.first().copied().unwrap_or_default().to_owned()
}

/// The headings over a sentence, the nearest first.
fn headings(
    sections: &HashMap<SectionId, (String, Option<SectionId>)>,
    section: Option<SectionId>,
) -> Vec<&str> {
    let above = std::iter::successors(section, |id| sections.get(id)?.1);
    // No chain is longer than there are sections, whatever the file says.
    above
        .take(sections.len())
        .filter_map(|id| sections.get(&id).map(|(title, _)| title.trim()))
        .filter(|title| !title.is_empty())
        .collect()
}

fn takes_part(sentence: &Sentence, next: Option<&Sentence>) -> bool {
    if sentence.kind == SentenceKind::Heading
        || sentence
            .section
            .split(" › ")
            .next()
            .is_some_and(is_contents)
    {
        return false;
    }
    // A sentence that introduces a list adds nothing to its items, which are made complete sentences.
    let text = sentence.text.trim_end();
    let leads_in = text.ends_with([':', '：', '—']) && next.is_some_and(|next| next.is_item());
    // The names of a table's columns stand in each row that reads alone.
    let of_table = |one: &Sentence| one.kind == SentenceKind::TableCell;
    let names = of_table(sentence)
        && sentence.complete.is_none()
        && sentence.text.contains('\t')
        && next.is_some_and(|next| of_table(next) && next.complete.is_some());
    let size: usize = lexforge_text::words(&sentence.text).len();
    !leads_in && !names && size >= FEWEST_WORDS && sentence.text.chars().count() <= MOST_CHARACTERS
}

/// The documents with these ids, in the order of the ids. If an id has no document, this id is the error.
pub(super) fn named<'d>(
    documents: &'d [DocumentRow],
    ids: &[DocumentId],
) -> std::result::Result<Vec<&'d DocumentRow>, DocumentId> {
    ids.iter()
        .map(|id| documents.iter().find(|d| d.id == *id).ok_or(*id))
        .collect()
}

/// An English rule or statement as tests have it.
#[cfg(test)]
pub(super) fn picked(text: &str) -> Picked {
    Picked {
        shown: MatchText {
            id: SentenceId(1),
            document: DocumentId(1),
            page: 1,
            text: text.to_owned(),
            section: String::new(),
            external_id: None,
        },
        compared: Text {
            title: String::new(),
            text: text.to_owned(),
            item: String::new(),
        },
        force: force(text, Language::En).map(|(f, _)| f),
        demands: true,
        binds: MatchAddressee::Nobody,
        repeats: false,
        own_words: HashSet::new(),
        kind: SentenceKind::Rule,
        language: Language::En,
    }
}
