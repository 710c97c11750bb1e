//! Review packets. A part of the queue goes as one file to a colleague who has no access to the workspace. The
//! colleague's decisions come back in another file, which [`super::merge`] reads.

use super::Review;
use super::identity::person_of;
use super::packet_file::{
    ANSWER, Answer, Answered, Meaning, Near, Origin, PACKET, Packet, PacketDocument,
    PacketSentence, Reviewer, damaged, encode, read, refuse_taken, write,
};
use super::packet_fill::{ORIGIN_UID, fill};
use super::settings::{origin, plan};
use crate::workspace::{OpenWorkspace, Result, now, refuse_workspace, stem, workspace_uid};
use lexforge_domain::api::{PacketReport, PacketRequest};
use lexforge_domain::review::{Decision, Person, Subject, SubjectKind};
use lexforge_domain::term::{Mention, Term};
use lexforge_domain::{Code, DocumentId, Failure, SentenceId, TermId};
use lexforge_store::{ConfusablePair, Reader, StoreError};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// So many mentions of a term go into a packet with its item.
const CONTEXTS: u64 = 20;
/// Confusable terms that go with a term.
const CONFUSABLES: u64 = 12;

impl Review<'_> {
    /// Writes a share of the queue into one file for a colleague, who becomes a person of the workspace.
    ///
    /// # Errors
    /// When the colleague has nothing left to review, something exists at `path` already, or the file cannot be
    /// written.
    pub fn write_packet(&self, request: &PacketRequest, path: &Path) -> Result<PacketReport> {
        stays_here(request.filter.kind)?;
        self.may_write(path, PACKET)?;
        let me = self.me()?;
        let (person, workspace) = self.workspace.store.write(&me.name, |w| {
            let person = person_of(w, &request.person, request.role, 1, request.like)?;
            Ok((person, workspace_uid(w)?))
        })?;
        let mut items = self.open_items(&request.filter, &person)?;
        if request.most > 0 {
            items.truncate(usize::try_from(request.most).unwrap_or(usize::MAX));
        }
        if items.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                format!("Nothing is left that {} could review.", person.name),
                "Choose a wider filter, or find terms or write questions first.",
            ));
        }
        let origin = Origin {
            uid: workspace,
            name: stem(self.workspace.path()),
        };
        let packet = self
            .workspace
            .store
            .read(|r| gather(r, origin, &person, items))?;
        let (bytes, hash) = encode(&packet)?;
        self.workspace.store.write(&me.name, |w| {
            w.insert_packet(
                &hash,
                person.id,
                packet.items.len() as u64,
                Some(&packet.held()),
            )
        })?;
        write(path, PACKET, &bytes, &hash)?;
        Ok(PacketReport {
            packet: hash,
            items: packet.items.len() as u64,
            sentences: packet.sentences.len() as u64,
            person: person.name,
        })
    }

    /// Writes the decisions made in a workspace that was made from a packet into a file, to be sent back.
    ///
    /// # Errors
    /// When the workspace was not made from a packet, something other than an answer exists at `path`, or the file
    /// cannot be written.
    pub fn write_answer(&self, path: &Path) -> Result<PacketReport> {
        self.may_write(path, ANSWER)?;
        let me = self.me()?;
        let (origin, workspace, decisions) = self.workspace.store.read(|r| {
            Ok((
                origin(r)?,
                r.setting(ORIGIN_UID)?,
                r.decisions_by_person(me.id)?,
            ))
        })?;
        let (Some(origin), Some(workspace)) = (origin, workspace) else {
            return Err(Failure::invalid(
                "This workspace was not made from a review packet, so that there is nobody to answer.",
                "Decisions that are made here count here already.",
            ));
        };
        let answered = |d: Decision| Answered {
            uid: d.uid,
            subject: d.subject,
            choice: d.choice,
            edit: d.edit,
            reason: d.reason,
            made: d.made,
            undone: d.undone,
        };
        let answer = Answer {
            workspace,
            packet: origin.packet.clone(),
            person: Reviewer {
                uid: me.uid,
                name: me.name.clone(),
                role: me.role,
            },
            made: now(),
            decisions: decisions.into_iter().map(answered).collect(),
        };
        let items: BTreeSet<Subject> = answer
            .decisions
            .iter()
            .filter(|d| !d.undone)
            .map(|d| d.subject)
            .collect();
        let (bytes, hash) = encode(&answer)?;
        self.workspace.store.write(&me.name, |w| {
            w.note("packet.answer", &format!("answer {hash}"), None)
        })?;
        write(path, ANSWER, &bytes, &hash)?;
        Ok(PacketReport {
            packet: origin.packet,
            items: items.len() as u64,
            sentences: 0,
            person: me.name,
        })
    }

    /// Refuses a place where something else stands, before anything is kept in the workspace.
    fn may_write(&self, path: &Path, format: &str) -> Result<()> {
        refuse_workspace(path, Some(self.workspace.path()))?;
        refuse_taken(path, format)
    }
}

/// Make a new workspace from a packet. It has the packet's sentences, terms and questions, but no page images. Its
/// queue holds only the packet's items.
///
/// # Errors
/// When the packet was changed or does not fit together, or something exists where the workspace is to be made.
pub(crate) fn open_packet(packet: &Path, workspace: &Path) -> Result<OpenWorkspace> {
    let (hash, packet): (String, Packet) = read(packet, PACKET)?;
    packet.check()?;
    let opened = OpenWorkspace::create(workspace)?;
    let filled = opened
        .store
        .write(&packet.person.name, |w| fill(w, &hash, &packet));
    if let Err(error) = filled {
        drop(opened);
        // The file was made a moment ago and is empty.
        let _ = std::fs::remove_file(workspace);
        return Err(match error.cause() {
            StoreError::Sqlite(e) => damaged(e),
            _ => error.into(),
        });
    }
    Ok(opened)
}

/// Refuses a packet of items that a packet does not hold.
fn stays_here(kind: SubjectKind) -> Result<()> {
    if !matches!(kind, SubjectKind::Triplet | SubjectKind::Similarity) {
        return Ok(());
    }
    Err(Failure::invalid(
        "Triplets and pairs of sentences do not travel in review packets.",
        "Let colleagues decide about them in this workspace, each under their own name.",
    ))
}

/// Everything that a colleague needs to decide these items.
fn gather(
    r: &Reader,
    workspace: Origin,
    person: &Person,
    items: Vec<Subject>,
) -> lexforge_store::Result<Packet> {
    let blind = plan(r)?.blind;
    let mut gathered = Gathered {
        blind,
        ..Gathered::default()
    };
    for &item in &items {
        match item {
            Subject::Term { id } => gathered.term_with_likes(r, id)?,
            Subject::Pair { a, b } => {
                gathered.term_with_likes(r, a)?;
                gathered.term_with_likes(r, b)?;
            }
            Subject::Question { id } => {
                let row = if blind {
                    r.written_question(id)?
                } else {
                    r.question(id)?
                };
                gathered
                    .sentences
                    .insert(row.question.draft.anchor_sentence);
                gathered.questions.push(row.question);
            }
            // Refused before anything was gathered.
            Subject::Triplet { .. } | Subject::Similarity { .. } => {}
        }
    }
    let mut sentences = Vec::with_capacity(gathered.sentences.len());
    let mut documents: BTreeMap<DocumentId, PacketDocument> = BTreeMap::new();
    for &id in &gathered.sentences {
        let s = r.sentence(id)?;
        if !documents.contains_key(&s.document) {
            let d = r.document(s.document)?;
            let (file, title) = (d.file, d.title);
            documents.insert(
                d.id,
                PacketDocument {
                    id: d.id,
                    file,
                    title,
                    format: d.format,
                    language: d.language,
                },
            );
        }
        sentences.push(PacketSentence {
            id,
            document: s.document,
            page: s.page,
            section: s.section,
            kind: s.kind,
            text: s.text,
            complete: s.complete,
        });
    }
    let near = |p: &ConfusablePair| Near {
        a: p.a,
        b: p.b,
        cosine: p.cosine,
        spelling: p.spelling,
        score: p.score,
        place: p.place,
    };
    Ok(Packet {
        workspace,
        person: Reviewer {
            uid: person.uid.clone(),
            name: person.name.clone(),
            role: person.role,
        },
        made: now(),
        items,
        documents: documents.into_values().collect(),
        sentences,
        terms: gathered.terms.into_values().collect(),
        mentions: gathered.mentions,
        definitions: gathered.definitions,
        names: gathered.names,
        near: gathered.near.values().map(near).collect(),
        questions: gathered.questions,
    })
}

/// The material gathered for a packet.
#[derive(Default)]
struct Gathered {
    blind: bool,
    terms: BTreeMap<TermId, Term>,
    /// How many mentions of each term are in.
    shown: HashMap<TermId, u64>,
    mentions: Vec<Mention>,
    sentences: BTreeSet<SentenceId>,
    definitions: Vec<Meaning>,
    names: Vec<(TermId, String)>,
    near: BTreeMap<(TermId, TermId), ConfusablePair>,
    questions: Vec<lexforge_domain::qca::Qca>,
}

impl Gathered {
    /// A term with its contexts, and the similar terms with one context each.
    fn term_with_likes(&mut self, r: &Reader, id: TermId) -> lexforge_store::Result<()> {
        self.term(r, id, CONTEXTS)?;
        for pair in r.confusables_of(id, CONFUSABLES)? {
            self.term(r, pair.other(id), 1)?;
            self.near.insert((pair.a, pair.b), pair);
        }
        Ok(())
    }

    fn term(&mut self, r: &Reader, id: TermId, contexts: u64) -> lexforge_store::Result<()> {
        if let std::collections::btree_map::Entry::Vacant(entry) = self.terms.entry(id) {
            let term = if self.blind {
                r.extracted_term(id)?
            } else {
                r.term(id)?
            };
            self.sentences.extend(term.definition_sentence);
            for definition in r.definitions_of(id)? {
                self.sentences.insert(definition.sentence);
                self.definitions.push(Meaning {
                    term: id,
                    sentence: definition.sentence,
                    text: definition.text,
                });
            }
            self.names
                .extend(r.names_of(id)?.into_iter().map(|name| (id, name)));
            entry.insert(term);
        }
        let shown = self.shown.entry(id).or_default();
        if *shown < contexts {
            let skip = usize::try_from(*shown).unwrap_or(usize::MAX);
            for mention in r.mentions_of(id, contexts)?.into_iter().skip(skip) {
                self.sentences.insert(mention.sentence);
                self.mentions.push(mention);
            }
            *shown = contexts;
        }
        Ok(())
    }
}
