//! Clauses, which are what a search finds. A clause is one numbered paragraph together with its heading and the items
//! of its list. A text is never cut into pieces of a fixed number of characters.

use super::Answering;
use super::short_names::named;
use crate::workspace::Result;
use lexforge_domain::api::{DocumentRow, Pair};
use lexforge_domain::document::{DocumentFormat, Sentence};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_ingest::definitions;
use lexforge_store::{ClauseMap, Reader, words};
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The version of the rules that divide texts into clauses, weigh the clauses and choose what is quoted. Raise it
/// whenever these rules change: what was measured under other rules is then no longer used.
pub(super) const DIVIDED_BY: u32 = 19;
/// The version of the rules that divide texts into clauses, alone. Vectors of clauses stay valid as long as these rules
/// do not change.
pub(super) const CUT_BY: u32 = 17;
/// If more sentences than this follow each other under one heading, they are not one clause. Then each sentence is a
/// clause of its own, together with the list items that it introduces.
const MOST_SENTENCES: usize = 16;
/// A longer run of sentences is not a clause either, in characters.
const MOST_CHARACTERS: usize = 2_400;
/// The most defined terms that are kept.
const DEFINED: usize = 3;

/// The section path with which the sections of recitals begin.
pub(super) const RECITALS: &str = "Recitals › ";
/// Signs before the items of a list.
const SIGNS: [char; 6] = ['•', '−', '▪', '■', '●', '‣'];

/// What stands before the number of a sentence that is meant by its number.
const OWN: char = '#';

word_lists! {
    /// How the headings begin under which no rule stands, in lower case.
    BESIDE: Vec<Word> = "beside_the_rules.txt";
}

/// All clauses of the corpus.
pub(super) struct Clauses {
    /// Hash of the corpus that they are of.
    pub corpus: String,
    /// A number that grows with each new link between versions, and each time somebody sets how long a document is in
    /// force. If it has grown, these clauses are out of date, even if no document was added.
    pub links: i64,
    /// The sentences of each clause.
    pub map: ClauseMap,
    /// The document of each clause, by its place in `documents`.
    pub document: Vec<u32>,
    /// Clauses that are a heading with nothing under it.
    pub bare_headings: HashSet<u32>,
    /// Clauses that are beside the rules: recitals, replies to a consultation, lists of references.
    pub beside: HashSet<u32>,
    /// The headings, each once in each document.
    pub headings: Vec<String>,
    /// The names that Chinese acts define, each once.
    pub named: BTreeSet<String>,
    /// The first terms that sentences define, each with its language.
    pub defined: Vec<(String, Language)>,
    pub documents: Vec<DocumentRow>,
    /// Passages by the id that the corpus file gave them. `None` where several files call different passages so.
    pub by_external_id: HashMap<String, Option<SentenceId>>,
}

/// The clauses of the corpus as it was last.
#[derive(Default)]
struct Kept(Mutex<Option<Arc<Clauses>>>);

impl Answering<'_> {
    /// The clauses, put together again when documents came in or versions were linked since.
    pub(super) fn clauses(&self) -> Result<Arc<Clauses>> {
        let store = &self.workspace.store;
        let (corpus, links) = store.read(|r| Ok((r.corpus_hash()?, counted_links(r)?)))?;
        let memo = self.workspace.memo::<Kept>();
        let mut kept = memo.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_newest = |c: &&Arc<Clauses>| c.corpus == corpus && c.links == links;
        if let Some(clauses) = kept.as_ref().filter(is_newest) {
            return Ok(Arc::clone(clauses));
        }
        let mut clauses = Clauses {
            corpus,
            links,
            map: ClauseMap::default(),
            document: Vec::new(),
            bare_headings: HashSet::new(),
            beside: HashSet::new(),
            headings: Vec::new(),
            named: BTreeSet::new(),
            defined: Vec::new(),
            documents: Vec::new(),
            by_external_id: HashMap::new(),
        };
        store.read(|r| {
            // Another program may have brought in a document since the hash was read.
            clauses.corpus = r.corpus_hash()?;
            clauses.links = counted_links(r)?;
            clauses.documents = r.documents()?;
            for place in 0..clauses.documents.len() {
                let document = &clauses.documents[place];
                let sentences = r.sentences(Some(document.id))?;
                let runs = runs(document.format, &sentences);
                clauses.map.add(&named(document), &runs);
                clauses.document.resize(clauses.map.len(), place as u32);
                let headings = sentences
                    .iter()
                    .filter(|s| s.kind == SentenceKind::Heading)
                    .filter_map(|s| {
                        let clause = clauses.map.clause(s.id)?;
                        let alone = clauses.map.sentences(clause) == Some((s.id, s.id));
                        alone.then_some(clause)
                    });
                clauses.bare_headings.extend(headings);
                let texts: BTreeSet<&str> = sentences
                    .iter()
                    .filter(|s| s.kind == SentenceKind::Heading)
                    .map(|s| s.text.as_str())
                    .collect();
                clauses
                    .headings
                    .extend(texts.into_iter().map(str::to_owned));
                let beside = sentences
                    .iter()
                    .filter(|s| s.kind != SentenceKind::Heading && beside_the_rules(&s.section))
                    .filter_map(|s| clauses.map.clause(s.id));
                clauses.beside.extend(beside);
                let wanted = DEFINED.saturating_sub(clauses.defined.len());
                let defined = defined_terms(&sentences, document.language).take(wanted);
                clauses.defined.extend(defined);
                if document.language == Language::Zh {
                    // Only sentences that define something contain one of these characters.
                    let defining = sentences.iter().filter(|s| s.text.contains(['称', '指']));
                    let defined = defining.flat_map(|s| definitions::find(&s.text, Language::Zh));
                    clauses.named.extend(defined.map(|d| d.term));
                }
                for sentence in &sentences {
                    clauses.call_by_id(r, sentence)?;
                }
            }
            Ok(())
        })?;
        let clauses = Arc::new(clauses);
        *kept = Some(Arc::clone(&clauses));
        Ok(clauses)
    }
}

impl Clauses {
    /// Keeps the id that a corpus file gave a passage.
    fn call_by_id(&mut self, r: &Reader, passage: &Sentence) -> lexforge_store::Result<()> {
        let Some(external) = &passage.external_id else {
            return Ok(());
        };
        let meant = match self.by_external_id.get(external) {
            None => Some(passage.id),
            Some(None) => None,
            Some(Some(other)) => meant_by_both(&r.sentence(*other)?, passage, &self.documents),
        };
        self.by_external_id.insert(external.clone(), meant);
        Ok(())
    }

    /// The document of a clause.
    pub(crate) fn document_of(&self, clause: u32) -> Option<&DocumentRow> {
        let place = self.document.get(clause as usize)?;
        self.documents.get(*place as usize)
    }

    /// The words of the title that a clause stands under.
    pub fn title_words(&self, clause: u32) -> Vec<String> {
        let document = self.document_of(clause);
        document.map_or_else(Vec::new, |document| words(&named(document)))
    }

    /// A document by its id.
    pub fn row(&self, id: DocumentId) -> Option<&DocumentRow> {
        self.documents.iter().find(|d| d.id == id)
    }

    /// The sentence that has this passage id. Some sentences got an id from a corpus file. For the others, the id is
    /// the number of the sentence, either alone or as [`own_id`] writes it.
    pub(crate) fn sentence_of(&self, passage: &str) -> Option<SentenceId> {
        if let Some(known) = self.by_external_id.get(passage) {
            return *known;
        }
        let number = passage.strip_prefix(OWN).unwrap_or(passage);
        let id = SentenceId(number.parse().ok()?);
        self.map.clause(id).map(|_| id)
    }

    /// Whether several corpus files call different passages so.
    pub(super) fn is_shared(&self, passage: &str) -> bool {
        matches!(self.by_external_id.get(passage), Some(None))
    }

    /// The clauses that answer a labelled question. Passages that no longer exist are left out.
    pub(super) fn answering(&self, pair: &Pair) -> Vec<u32> {
        let passages = pair.passage_ids.iter();
        passages
            .filter_map(|id| self.map.clause(self.sentence_of(id)?))
            .collect()
    }
}

/// Decides which passage an id means if two corpus files use the same id. If one file is a later version of the other,
/// it is the passage of the later file. If both passages have the same text, it is the first one. Otherwise nobody can
/// say which one is meant, and the result is `None`.
fn meant_by_both(
    one: &Sentence,
    other: &Sentence,
    documents: &[DocumentRow],
) -> Option<SentenceId> {
    if follows(documents, other.document, one.document) {
        Some(other.id)
    } else if follows(documents, one.document, other.document) || one.text == other.text {
        Some(one.id)
    } else {
        None
    }
}

/// A number that changes with every link between versions, and whenever it is set how long a document is in force.
fn counted_links(reader: &Reader) -> lexforge_store::Result<i64> {
    Ok(reader.newest_succession()? + reader.newest_validity()?)
}

/// Whether a document is a later version of another one.
fn follows(documents: &[DocumentRow], later: DocumentId, earlier: DocumentId) -> bool {
    let before = |id: DocumentId| documents.iter().find(|d| d.id == id)?.predecessor;
    std::iter::successors(before(later), |id| before(*id))
        .take(documents.len())
        .any(|id| id == earlier)
}

/// The id of a sentence that got no id from a corpus file. It is not only a number. Corpus files often number their
/// passages, so after the import of such a file the number could mean one of its passages.
pub(super) fn own_id(sentence: SentenceId) -> String {
    format!("{OWN}{sentence}")
}

fn begins_footnote(sentence: &Sentence) -> bool {
    sentence.kind != SentenceKind::Footnote
        || sentence
            .text
            .starts_with(|c: char| c.is_numeric() || matches!(c, '(' | '*' | '['))
}

/// The terms that sentences of a document define in the form of legal acts, where rules stand, in reading order.
fn defined_terms(
    sentences: &[Sentence],
    language: Language,
) -> impl Iterator<Item = (String, Language)> {
    let defining = sentences
        .iter()
        .filter(|s| s.kind == SentenceKind::Definition && !beside_the_rules(&s.section));
    defining
        .flat_map(move |s| definitions::find(&s.text, language))
        .filter(|d| d.kind.is_legal())
        .map(move |d| (d.term, language))
}

/// Whether what stands in a section explains or lists, and is no rule.
pub(crate) fn beside_the_rules(section: &str) -> bool {
    section
        .to_lowercase()
        .split(" › ")
        // A rule may say how references to something are read.
        .filter(|heading| !heading.starts_with("references to "))
        .any(|heading| BESIDE.iter().any(|begin| heading.starts_with(begin)))
}

/// First and last sentence of each clause of a document, in reading order. Entries of a table of contents are in none.
fn runs(format: DocumentFormat, sentences: &[Sentence]) -> Vec<(SentenceId, SentenceId)> {
    if format == DocumentFormat::Jsonl {
        return sentences.iter().map(|s| (s.id, s.id)).collect();
    }
    let mut runs = Vec::new();
    // Headings wait for the clause that they stand over.
    let mut headings: Option<SentenceId> = None;
    let mut body: Vec<&Sentence> = Vec::new();
    let mut key = String::new();
    let mut close = |headings: &mut Option<SentenceId>, body: &mut Vec<&Sentence>| {
        divided(headings.take(), body, &mut runs);
        body.clear();
    };
    for (at, sentence) in sentences.iter().enumerate() {
        if is_contents(sentence) {
            close(&mut headings, &mut body);
            continue;
        }
        if sentence.kind == SentenceKind::Heading {
            if !body.is_empty() {
                close(&mut headings, &mut body);
            }
            headings.get_or_insert(sentence.id);
            continue;
        }
        let last = body.iter().rfind(|s| s.kind != SentenceKind::Footnote);
        // Footnotes at the end of a page interrupt what goes on after it.
        let next = match sentence.kind {
            SentenceKind::Footnote => sentences[at..]
                .iter()
                .find(|s| s.kind != SentenceKind::Footnote)
                .filter(|s| s.kind != SentenceKind::Heading && !is_contents(s)),
            _ => Some(sentence),
        };
        let place = match last {
            Some(last) => next.and_then(|next| goes_on(next, &key, last)),
            // A footnote begins with its mark. A sentence after a footnote without a mark continues the footnote.
            None => (!body.is_empty() && sentence.section == key && !begins_footnote(sentence))
                .then_some(key.as_str()),
        };
        if let Some(place) = place.map(str::to_owned) {
            key = place;
        } else {
            if !body.is_empty() {
                close(&mut headings, &mut body);
            }
            key.clone_from(&sentence.section);
        }
        body.push(sentence);
    }
    close(&mut headings, &mut body);
    runs
}

/// The place (section) of the clause, if the next sentence belongs to it; `None` where another clause begins. `last` is
/// the last sentence so far. A sentence belongs to the clause in three cases: it is in the same place, it is an item
/// below that place, or it is an item that `last` introduces. The next recital and the next definition are also items
/// of a list, but that list is the whole article. So each of them begins its own clause.
fn goes_on<'p>(next: &'p Sentence, place: &'p str, last: &Sentence) -> Option<&'p str> {
    if next.section == place {
        return Some(place);
    }
    if !next.is_item() || next.section.starts_with(RECITALS) {
        return None;
    }
    let below = |rest: &str| place.is_empty() || rest.starts_with(" › ");
    if next.section.strip_prefix(place).is_some_and(below) {
        return Some(place);
    }
    // The section of a paragraph without a number is that of the item before it; the section of its own items is not.
    let parent = next
        .section
        .rsplit_once(" › ")
        .map_or("", |(above, _)| above);
    leads_in(last).then_some(parent)
}

/// A run of sentences of one place as one clause, or, where it is too long, as several.
fn divided(
    heading: Option<SentenceId>,
    body: &[&Sentence],
    runs: &mut Vec<(SentenceId, SentenceId)>,
) {
    let (Some(first), Some(last)) = (body.first(), body.last()) else {
        // A heading without text below it is a clause of its own.
        if let Some(id) = heading {
            runs.push((id, id));
        }
        return;
    };
    let from = heading.unwrap_or(first.id);
    let length: usize = body.iter().map(|s| s.text.chars().count()).sum();
    if body.len() <= MOST_SENTENCES && length <= MOST_CHARACTERS {
        runs.push((from, last.id));
        return;
    }
    let mut start = from;
    // An item stays together with the introduction of its list, unless the list is too long.
    for group in body.chunk_by(|before, next| is_one_list(before, next)) {
        let parts = if group.len() > MOST_SENTENCES {
            1
        } else {
            group.len()
        };
        for part in group.chunks(parts) {
            let (Some(one), Some(other)) = (part.first(), part.last()) else {
                continue;
            };
            runs.push((start.min(one.id), other.id));
            start = SentenceId(i64::MAX);
        }
    }
}

/// Whether a sentence is in the same list as the sentence before it. If not, it is read together with the sentence that
/// introduces its own list, and not with the sentence before it.
fn is_one_list(before: &Sentence, next: &Sentence) -> bool {
    let above = |s: &Sentence| {
        s.section
            .rsplit_once(" › ")
            .map(|(above, _)| above.to_owned())
    };
    let of_another_item = before.section != next.section
        && above(before) == above(next)
        && !is_listed(before)
        && !leads_in(before);
    next.kind == SentenceKind::Footnote || (is_listed(next) && !of_another_item)
}

/// Whether a sentence is in a place of its own label: "Article 5 › (a)".
pub(super) fn is_labelled(sentence: &Sentence) -> bool {
    let last = sentence.section.rsplit(" › ").next();
    last.is_some_and(|last| last.starts_with(['(', '（']))
}

/// Whether a question has the label of a sentence: "What does Article 5(b) say?"
pub(super) fn is_named(sentence: &Sentence, question: &str) -> bool {
    let label = sentence.section.rsplit(" › ").next().unwrap_or_default();
    is_labelled(sentence) && question.contains(label)
}

/// A sentence after which a list begins.
pub(super) fn leads_in(sentence: &Sentence) -> bool {
    sentence.text.trim_end().ends_with([':', '：', '—', '-'])
}

/// Whether a sentence is an item of a list. An item is recognised by the sentence that introduces it, or by the sign
/// before it.
pub(super) fn is_listed(sentence: &Sentence) -> bool {
    sentence.is_item() || sentence.text.starts_with(SIGNS)
}

fn is_contents(sentence: &Sentence) -> bool {
    let top = sentence.section.split(" › ").next();
    top.is_some_and(lexforge_ingest::is_contents)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
