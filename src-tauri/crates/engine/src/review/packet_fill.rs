//! Filling a colleague's own workspace with what a packet holds.

use super::packet_file::{Near, Packet, PacketDocument, PacketSentence};
use super::settings::{ITEMS, ORIGIN, chosen};
use lexforge_domain::api::PacketOrigin;
use lexforge_domain::document::{
    DocumentFormat, DocumentMetadata, EngineCounts, ParsedDocument, ParsedPage, ParsedSection,
    ParsedSentence,
};
use lexforge_domain::qca::ChoiceOrigin;
use lexforge_domain::term::{Mention, Term};
use lexforge_domain::{DocumentId, SentenceId};
use lexforge_store::{ConfusablePair, Material, NewDefinition, Writer};
use std::collections::{BTreeMap, HashMap};

/// Setting that holds the mark of the workspace that wrote the packet.
pub(super) const ORIGIN_UID: &str = "review.packet_workspace";

/// Fills a new workspace with what a packet holds.
pub(super) fn fill(w: &mut Writer, hash: &str, packet: &Packet) -> lexforge_store::Result<()> {
    let local = insert_documents(w, hash, packet)?;
    w.insert_material(&material(packet, &local))?;
    let person = match w.person_of_uid(&packet.person.uid)? {
        Some(person) => person,
        None => w.put_person(
            Some(&packet.person.uid),
            &packet.person.name,
            packet.person.role,
            1,
        )?,
    };
    let origin = PacketOrigin {
        packet: hash.to_owned(),
        workspace: packet.workspace.name.clone(),
        person: person.name.clone(),
    };
    w.set_setting(ORIGIN, &serde_json::json!(origin).to_string())?;
    w.set_setting(ORIGIN_UID, &packet.workspace.uid)?;
    w.set_setting(ITEMS, &serde_json::json!(packet.items).to_string())?;
    w.set_setting(&chosen(), &person.id.to_string())
}

/// The ids that documents and sentences of a packet have in the workspace.
struct Local {
    documents: HashMap<DocumentId, DocumentId>,
    sentences: HashMap<SentenceId, SentenceId>,
}

impl Local {
    fn document(&self, id: DocumentId) -> Option<DocumentId> {
        self.documents.get(&id).copied()
    }

    fn sentence(&self, id: SentenceId) -> Option<SentenceId> {
        self.sentences.get(&id).copied()
    }
}

/// Stores the documents of a packet.
fn insert_documents(w: &mut Writer, hash: &str, packet: &Packet) -> lexforge_store::Result<Local> {
    let mut sentences: HashMap<SentenceId, SentenceId> = HashMap::new();
    let mut documents: HashMap<DocumentId, DocumentId> = HashMap::new();
    let mut by_document: HashMap<DocumentId, Vec<&PacketSentence>> = HashMap::new();
    for sentence in &packet.sentences {
        by_document
            .entry(sentence.document)
            .or_default()
            .push(sentence);
    }
    for document in &packet.documents {
        let mut of_document = by_document.remove(&document.id).unwrap_or_default();
        of_document.sort_by_key(|s| s.id);
        let parsed = parsed(document, &of_document);
        let bytes = format!(
            "{hash} {}\n{}",
            document.id,
            parsed
                .pages
                .iter()
                .map(|p| p.text.as_str())
                .collect::<String>()
        );
        let id = w.insert_document(&parsed, &document.file, bytes.as_bytes())?;
        documents.insert(document.id, id);
        for (given, stored) in of_document.iter().zip(w.sentences(Some(id))?) {
            sentences.insert(given.id, stored.id);
        }
    }
    Ok(Local {
        documents,
        sentences,
    })
}

/// What a packet says of its sentences, with the ids of the workspace.
fn material(packet: &Packet, local: &Local) -> Material {
    let mut material = Material::default();
    for term in &packet.terms {
        let place = term.definition_sentence.and_then(|s| local.sentence(s));
        let document = term.definition_document.and_then(|d| local.document(d));
        material.terms.push(Term {
            definition_sentence: place,
            definition_document: document,
            ..term.clone()
        });
    }
    for mention in &packet.mentions {
        if let Some(sentence) = local.sentence(mention.sentence) {
            material.mentions.push(Mention {
                sentence,
                ..*mention
            });
        }
    }
    let document_of: HashMap<SentenceId, DocumentId> = packet
        .sentences
        .iter()
        .map(|s| (s.id, s.document))
        .collect();
    for meaning in &packet.definitions {
        let document = document_of.get(&meaning.sentence);
        let document = document.and_then(|d| local.document(*d));
        if let (Some(sentence), Some(document)) = (local.sentence(meaning.sentence), document) {
            material.definitions.push((
                meaning.term,
                NewDefinition {
                    sentence,
                    document,
                    text: meaning.text.clone(),
                },
            ));
        }
    }
    material.names.clone_from(&packet.names);
    let near = |n: &Near| ConfusablePair {
        a: n.a,
        b: n.b,
        cosine: n.cosine.filter(|c| c.is_finite()),
        spelling: n.spelling,
        score: n.score,
        place: n.place,
    };
    material.near = packet.near.iter().map(near).collect();
    for question in &packet.questions {
        let mut question = question.clone();
        let draft = &mut question.draft;
        draft.anchor_sentence = local
            .sentence(draft.anchor_sentence)
            .unwrap_or(draft.anchor_sentence);
        for origin in &mut draft.origins {
            if let ChoiceOrigin::Neighbour { sentence } | ChoiceOrigin::Edit { sentence, .. } =
                origin
            {
                // Sentences that did not come along are named by no sentence of this workspace.
                *sentence = local.sentence(*sentence).unwrap_or(SentenceId(0));
            }
        }
        material.questions.push(question);
    }
    material
}

/// A document of the sentences that came along, page by page, without images.
fn parsed(document: &PacketDocument, sentences: &[&PacketSentence]) -> ParsedDocument {
    let mut sections: Vec<ParsedSection> = Vec::new();
    let mut pages: BTreeMap<u32, String> = BTreeMap::new();
    let mut section_of: HashMap<&str, usize> = HashMap::new();
    for s in sentences {
        if !s.section.is_empty() && !section_of.contains_key(s.section.as_str()) {
            section_of.insert(&s.section, sections.len());
            sections.push(ParsedSection {
                parent: None,
                level: 0,
                label: s.section.clone(),
                title: String::new(),
                path: s.section.clone(),
                page: s.page,
            });
        }
        let text = pages.entry(s.page).or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&s.text);
    }
    // Where each page begins in the document's text, whose pages are joined by a form feed.
    let mut starts: HashMap<u32, usize> = HashMap::new();
    let mut at = 0;
    for (page, text) in &pages {
        starts.insert(*page, at);
        at += text.chars().count() + 1;
    }
    let mut parsed_sentences = Vec::with_capacity(sentences.len());
    for s in sentences {
        let start = starts.get(&s.page).copied().unwrap_or_default();
        let end = start + s.text.chars().count();
        starts.insert(s.page, end + 1);
        parsed_sentences.push(ParsedSentence {
            text: s.text.clone(),
            complete: s.complete.clone(),
            page: s.page,
            section: section_of.get(s.section.as_str()).copied(),
            kind: s.kind,
            regions: Vec::new(),
            start,
            end,
            external_id: None,
        });
    }
    ParsedDocument {
        title: document.title.clone(),
        format: DocumentFormat::Text,
        language: document.language,
        metadata: DocumentMetadata::default(),
        pages: pages
            .into_iter()
            .map(|(number, text)| ParsedPage::plain(number, text))
            .collect(),
        sections,
        sentences: parsed_sentences,
        engines: EngineCounts::default(),
        tables: Vec::new(),
        reader_agreement: None,
        scanned_pages: 0,
        warnings: Vec::new(),
    }
}
