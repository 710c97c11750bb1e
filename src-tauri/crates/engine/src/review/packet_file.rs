//! Packets and answers as files. Each is one JSON document whose body is identified by the SHA-256 of its bytes. Other
//! people write these files, so they are read within limits, and every part is checked against the others.

use crate::workspace::{Result, file_failure, io_failure};
use lexforge_domain::document::DocumentFormat;
use lexforge_domain::qca::Qca;
use lexforge_domain::review::{Choice, Edit, Role, Subject};
use lexforge_domain::term::{Mention, Term};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{Code, DocumentId, Failure, QcaId, SentenceId, TermId};
use lexforge_files::Aside;
use lexforge_store::PacketHeld;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The format of packets.
pub(super) const PACKET: &str = "lexforge-review-packet";
/// The format of answers.
pub(super) const ANSWER: &str = "lexforge-review-answer";
/// The version of both that this program writes and reads.
const VERSION: u32 = 1;
/// Largest file that is read.
const LARGEST: u64 = 256 << 20;

/// The workspace that wrote a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Origin {
    pub(super) uid: String,
    pub(super) name: String,
}

/// Whom a packet is for, and who answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reviewer {
    pub(super) uid: String,
    pub(super) name: String,
    pub(super) role: Role,
}

/// A document that has sentences in a packet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PacketDocument {
    pub(super) id: DocumentId,
    pub(super) file: String,
    pub(super) title: String,
    pub(super) format: DocumentFormat,
    pub(super) language: Language,
}

/// A sentence that the colleague reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PacketSentence {
    pub(super) id: SentenceId,
    pub(super) document: DocumentId,
    pub(super) page: u32,
    pub(super) section: String,
    pub(super) kind: SentenceKind,
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) complete: Option<String>,
}

/// Two terms that could be taken for each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Near {
    pub(super) a: TermId,
    pub(super) b: TermId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cosine: Option<f32>,
    pub(super) spelling: f32,
    pub(super) score: f32,
    pub(super) place: u32,
}

/// The meaning that a sentence gives to a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Meaning {
    pub(super) term: TermId,
    pub(super) sentence: SentenceId,
    pub(super) text: String,
}

/// The content of a packet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Packet {
    pub(super) workspace: Origin,
    pub(super) person: Reviewer,
    pub(super) made: String,
    pub(super) items: Vec<Subject>,
    pub(super) documents: Vec<PacketDocument>,
    pub(super) sentences: Vec<PacketSentence>,
    pub(super) terms: Vec<Term>,
    pub(super) mentions: Vec<Mention>,
    pub(super) definitions: Vec<Meaning>,
    pub(super) names: Vec<(TermId, String)>,
    pub(super) near: Vec<Near>,
    pub(super) questions: Vec<Qca>,
}

/// A decision in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answered {
    pub(super) uid: String,
    pub(super) subject: Subject,
    pub(super) choice: Choice,
    #[serde(default, skip_serializing_if = "Edit::is_empty")]
    pub(super) edit: Edit,
    #[serde(default)]
    pub(super) reason: String,
    pub(super) made: String,
    #[serde(default)]
    pub(super) undone: bool,
}

/// The content of an answer file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) workspace: String,
    pub(super) packet: String,
    pub(super) person: Reviewer,
    pub(super) made: String,
    pub(super) decisions: Vec<Answered>,
}

/// A body as its bytes and their SHA-256.
pub(super) fn encode(body: &impl Serialize) -> Result<(Vec<u8>, String)> {
    let bytes = serde_json::to_vec(body).map_err(|e| {
        Failure::new(
            Code::Internal,
            format!("The packet cannot be written: {e}."),
            "Report this message.",
        )
    })?;
    let hash = hex::encode(Sha256::digest(&bytes));
    Ok((bytes, hash))
}

/// Writes a packet or an answer. The file gets its name only when it is complete. An existing file is replaced only if
/// both files are answers.
pub(super) fn write(path: &Path, format: &str, bytes: &[u8], hash: &str) -> Result<()> {
    refuse_taken(path, format)?;
    let mut file = format!("{}{hash}\",\"body\":", head(format, VERSION)).into_bytes();
    file.extend_from_slice(bytes);
    file.extend_from_slice(b"}\n");
    match format {
        ANSWER => Aside::write_whole(path, &file),
        _ => Aside::write_new(path, &file),
    }
    .map_err(file_failure)
}

/// Refuses a path where something exists. An answer may replace an earlier answer, because it contains the earlier
/// decisions, too. A packet is never replaced, because it may not have been sent yet.
pub(super) fn refuse_taken(path: &Path, format: &str) -> Result<()> {
    let Ok(there) = std::fs::symlink_metadata(path) else {
        return Ok(());
    };
    if format == ANSWER && there.is_file() {
        let file = std::fs::File::open(path).map_err(|e| io_failure(&e, path))?;
        let wanted = head_of(format);
        let mut begin = Vec::new();
        file.take(wanted.len() as u64)
            .read_to_end(&mut begin)
            .map_err(|e| io_failure(&e, path))?;
        if begin == wanted.as_bytes() {
            return Ok(());
        }
    }
    Err(io_failure(&ErrorKind::AlreadyExists.into(), path))
}

/// Reads a file of this format, and checks that its body is the one that its hash names.
pub(super) fn read<T: DeserializeOwned>(path: &Path, format: &str) -> Result<(String, T)> {
    let invalid = |why: String| damaged(why).in_file(path.display().to_string());
    // A pipe would be waited for, and a device has no end. (The user named this file; a link to one is followed.)
    if std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return Err(invalid("it is no regular file".to_owned()));
    }
    let file = std::fs::File::open(path).map_err(|e| io_failure(&e, path))?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| io_failure(&e, path))?;
    if bytes.len() as u64 > LARGEST {
        return Err(invalid(format!("it is larger than {} MiB", LARGEST >> 20)));
    }
    let rest = match bytes.strip_prefix(head(format, VERSION).as_bytes()) {
        Some(rest) => rest,
        None if bytes.starts_with(head_of(format).as_bytes()) => {
            return Err(invalid(
                "it was written by a newer version of this program".to_owned(),
            ));
        }
        None => return Err(invalid(format!("it is no {}", format.replace('-', " ")))),
    };
    let parts = rest.split_at_checked(64).and_then(|(hash, rest)| {
        let body = rest
            .strip_prefix(b"\",\"body\":")?
            .trim_ascii_end()
            .strip_suffix(b"}")?;
        Some((std::str::from_utf8(hash).ok()?, body))
    });
    let Some((hash, body)) = parts else {
        return Err(invalid("its beginning is damaged".to_owned()));
    };
    if hex::encode(Sha256::digest(body)) != hash {
        return Err(invalid(
            "it was changed after it was written: its content is not what its hash says".to_owned(),
        ));
    }
    // Nesting beyond what serde_json allows is an error, not a stack that overflows.
    let value = serde_json::from_slice(body)
        .map_err(|e| invalid(format!("its content cannot be read ({e})")))?;
    Ok((hash.to_owned(), value))
}

/// The failure of a packet or an answer that is not to be believed.
pub(super) fn damaged(why: impl std::fmt::Display) -> Failure {
    Failure::new(
        Code::PacketInvalid,
        format!("The packet cannot be taken: {why}."),
        "Ask the colleague to send the file again as the program wrote it; nothing was changed here.",
    )
}

fn head_of(format: &str) -> String {
    format!("{{\"format\":\"{format}\",\"version\":")
}

fn head(format: &str, version: u32) -> String {
    format!("{}{version},\"sha256\":\"", head_of(format))
}

/// Whether a mark has the form of one.
pub(super) fn is_uid(uid: &str) -> bool {
    uid.len() == 32
        && uid
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

impl Packet {
    /// The items that a colleague with this packet can decide about.
    pub(super) fn held(&self) -> PacketHeld {
        let pairs = self.near.iter().map(|n| Subject::pair(n.a, n.b));
        PacketHeld {
            subjects: self.items.iter().copied().chain(pairs).collect(),
            terms: self.terms.iter().map(|t| t.id).collect(),
        }
    }

    /// Refuses a packet whose parts do not fit together.
    pub(super) fn check(&self) -> Result<()> {
        let whole = |good: bool, what: &str| if good { Ok(()) } else { Err(damaged(what)) };
        whole(
            is_uid(&self.workspace.uid) && is_uid(&self.person.uid),
            "a mark of it is none",
        )?;
        super::names::checked_name(&self.person.name)
            .map_err(|_| damaged("the name of its person is none"))?;
        let documents: HashSet<DocumentId> = self.documents.iter().map(|d| d.id).collect();
        let sentences: HashMap<SentenceId, usize> = self
            .sentences
            .iter()
            .map(|s| (s.id, s.text.chars().count()))
            .collect();
        let terms: HashSet<TermId> = self.terms.iter().map(|t| t.id).collect();
        let names: HashSet<(Language, &str)> = self
            .terms
            .iter()
            .map(|t| (t.language, t.normal.as_str()))
            .collect();
        let questions: HashSet<QcaId> = self.questions.iter().map(|q| q.id).collect();
        let once = documents.len() == self.documents.len()
            && sentences.len() == self.sentences.len()
            && terms.len() == self.terms.len()
            && names.len() == self.terms.len()
            && questions.len() == self.questions.len();
        whole(once, "something in it stands there twice")?;
        whole(
            terms.iter().all(|t| t.0 > 0) && questions.iter().all(|q| q.0 > 0),
            "a number in it is none",
        )?;
        whole(
            self.sentences
                .iter()
                .all(|s| documents.contains(&s.document)),
            "a sentence of it has no document",
        )?;
        let placed = |m: &Mention| {
            let length = sentences.get(&m.sentence).copied().unwrap_or_default();
            terms.contains(&m.term) && m.start < m.end && m.end as usize <= length
        };
        whole(
            self.mentions.iter().all(placed),
            "a mention in it has no place",
        )?;
        let defined = |t: &Term| {
            t.definition_sentence
                .is_none_or(|s| sentences.contains_key(&s))
        };
        whole(
            self.terms.iter().all(defined),
            "a definition in it has no sentence",
        )?;
        let meant = |m: &Meaning| terms.contains(&m.term) && sentences.contains_key(&m.sentence);
        whole(
            self.definitions.iter().all(meant),
            "a definition in it has no place",
        )?;
        whole(
            self.names.iter().all(|(term, _)| terms.contains(term)),
            "a name in it has no term",
        )?;
        let two = |n: &Near| n.a < n.b && terms.contains(&n.a) && terms.contains(&n.b);
        whole(self.near.iter().all(two), "a pair in it has no terms")?;
        let sound = |q: &Qca| {
            let d = &q.draft;
            sentences.contains_key(&d.anchor_sentence)
                && d.answer < d.choices.len()
                && d.choices.len() <= 20
        };
        whole(
            self.questions.iter().all(sound),
            "a question in it is not whole",
        )?;
        let held = |subject: &Subject| match *subject {
            Subject::Term { id } => terms.contains(&id),
            Subject::Pair { a, b } => a < b && terms.contains(&a) && terms.contains(&b),
            Subject::Question { id } => questions.contains(&id),
            Subject::Triplet { .. } | Subject::Similarity { .. } => false,
        };
        whole(self.items.iter().all(held), "an item of it is not in it")
    }
}
