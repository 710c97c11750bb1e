//! Glossaries: importing terms from a file, and exporting them as one.
//!
//! If a term of the file is known already, the file's fields are added to it and replace nothing. A review state in the
//! file is shown as a claim and decides nothing. Two terms are the same if they have the same language and the same
//! normal form. So importing a file that this workspace exported changes nothing.

mod facts;
mod known;

use super::Terms;
use crate::corpus::Corpus;
use crate::review::Review;
use crate::workspace::{Result, file_failure, file_size, io_failure, refuse_workspace, stem};
use facts::{first_definition, new_facts, new_names};
use lexforge_domain::api::{GlossaryExport, GlossaryFormat, GlossaryReport, TermFilter};
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::glossary::GlossaryEntry;
use lexforge_domain::term::{ReviewStatus, Term};
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure, SentenceId, TermId};
use lexforge_files::{Aside, name_of};
use lexforge_ingest::error::IngestError;
use lexforge_ingest::mentions::MentionFinder;
use lexforge_ingest::{glossary, terms};
use lexforge_store::GlossaryTerm;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

impl Terms<'_> {
    /// Imports a glossary. New terms are added as unreviewed, with their mentions in the corpus. Known terms get the
    /// facts that the file adds.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than 100 MiB, or is not in this format ([`Code::GlossaryInvalid`]); or
    /// the workspace cannot be written. In each case nothing is imported.
    pub fn import_glossary(&self, path: &Path, format: GlossaryFormat) -> Result<GlossaryReport> {
        let size = file_size(path)?;
        if size > glossary::LARGEST {
            let why = format!(
                "the file has {} MiB; glossaries of up to 100 MiB are read",
                size >> 20
            );
            return Err(invalid(IngestError::TooLarge(why), path, format));
        }
        let bytes = std::fs::read(path).map_err(|e| io_failure(&e, path))?;
        let sha256 = hex::encode(Sha256::digest(&bytes));
        let others = self
            .workspace
            .store
            .read(|r| Ok(r.documents()?.iter().any(|d| d.language == Language::Other)))?;
        let read =
            glossary::read(&bytes, format, others).map_err(|error| invalid(error, path, format))?;
        drop(bytes);
        let mut report = GlossaryReport {
            read: read.read,
            refused: read.refused,
            rejected: read.rejected,
            unread: read.unread.into_iter().collect(),
            warnings: read.warnings,
            sha256: sha256.clone(),
            ..GlossaryReport::default()
        };
        let changes = self.compared(read.entries, &mut report)?;
        if changes.is_empty() {
            return Ok(report);
        }
        let mentions = self.mentions_of_new(&changes)?;
        report.mentions = mentions.len() as u64;
        let name = name_of(path);
        let reason = format!(
            "{name} ({}, SHA-256 {sha256}): {} entries, {} terms added, {} joined, {} refused",
            format.tag(),
            report.read,
            report.added,
            report.joined,
            report.refused
        );
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.because(reason)
                .import_glossary(&sha256, &changes, &mentions)
        })?;
        Ok(report)
    }

    /// Writes all terms that were not rejected as a glossary, and returns their number. A file at the path is replaced.
    ///
    /// # Errors
    /// When the file or the workspace cannot be written.
    pub fn export_glossary(&self, path: &Path, format: GlossaryFormat) -> Result<u64> {
        let all = [
            ReviewStatus::Accepted,
            ReviewStatus::Unreviewed,
            ReviewStatus::Conflict,
        ];
        Ok(self.write_glossary(path, format, &all)?.terms)
    }

    /// Writes the terms with one of these states as a glossary. Terms that reviewers merged become one entry with
    /// several names.
    ///
    /// # Errors
    /// When the file or the workspace cannot be written.
    pub fn write_glossary(
        &self,
        path: &Path,
        format: GlossaryFormat,
        statuses: &[ReviewStatus],
    ) -> Result<GlossaryExport> {
        let known = self.known_entries()?;
        let standing = Review::of(self.workspace)
            .joined_terms(ReviewPolicy::UnreviewedAutomatic)?
            .standing;
        let stands = |term: &Term| standing.get(&term.id).is_none_or(|stand| *stand == term.id);
        let mut entries: Vec<GlossaryEntry> = known
            .into_values()
            .filter(|known| statuses.contains(&known.term.status) && stands(&known.term))
            .filter(|known| known.term.status != ReviewStatus::Merged)
            .map(|known| known.entry)
            .collect();
        entries.sort_by(|a, b| {
            (a.language, a.term.to_lowercase(), &a.term).cmp(&(
                b.language,
                b.term.to_lowercase(),
                &b.term,
            ))
        });
        // A relation leads to a term of the same file.
        let written: HashSet<(Language, String)> = entries
            .iter()
            .map(|e| (e.language, e.term.clone()))
            .collect();
        for entry in &mut entries {
            let language = entry.language;
            entry
                .related
                .retain(|name| written.contains(&(language, name.clone())));
            entry
                .broader
                .retain(|name| written.contains(&(language, name.clone())));
        }
        let title = format!("Terms of {}", stem(self.workspace.path()));
        let bytes = glossary::write(&entries, format, &title)
            .map_err(|error| invalid(error, path, format))?;
        let sha256 = hex::encode(Sha256::digest(&bytes));
        refuse_workspace(path, Some(self.workspace.path()))?;
        write_whole(path, &bytes)?;
        let count = |of: fn(&GlossaryEntry) -> usize| entries.iter().map(|e| of(e) as u64).sum();
        let export = GlossaryExport {
            terms: entries.len() as u64,
            synonyms: count(|e| e.names.len()),
            relations: count(|e| e.related.len() + e.broader.len()),
            sha256,
        };
        let reason = format!(
            "{} terms, {}, SHA-256 {}",
            export.terms,
            format.tag(),
            export.sha256
        );
        self.workspace.store.write(&self.workspace.actor, |w| {
            w.note("glossary.export", "terms", Some(&reason))
        })?;
        Ok(export)
    }

    /// The changes after which the workspace contains everything that these entries say.
    fn compared(
        &self,
        entries: Vec<(u64, GlossaryEntry)>,
        report: &mut GlossaryReport,
    ) -> Result<Vec<GlossaryTerm>> {
        let known = self.known_entries()?;
        let mut place: HashMap<(Language, String), usize> = HashMap::new();
        let mut changes: Vec<(GlossaryTerm, GlossaryEntry)> = Vec::new();
        for (_, entry) in entries {
            let key = (entry.language, terms::key(&entry.term, entry.language));
            if let Some(&at) = place.get(&key) {
                let (change, so_far) = &mut changes[at];
                let (names, facts) = (
                    new_names(so_far, &entry),
                    new_facts(so_far, &entry, &change.facts),
                );
                if names.is_empty() && facts.is_empty() {
                    report.known += 1;
                } else {
                    report.joined += 1;
                    report.synonyms += names.len() as u64;
                    change.names.extend(names);
                    change.facts.extend(facts);
                    change.definition = change
                        .definition
                        .take()
                        .or_else(|| first_definition(&entry));
                    so_far.join(entry);
                }
                continue;
            }
            let nothing = Vec::new();
            let (id, mut so_far, facts) = match known.get(&key) {
                Some(known) => (Some(known.term.id), known.entry.clone(), &known.facts),
                None => (
                    None,
                    GlossaryEntry::new(entry.term.clone(), entry.language),
                    &nothing,
                ),
            };
            let change = GlossaryTerm {
                id,
                language: entry.language,
                normal: key.1.clone(),
                text: entry.term.clone(),
                class: entry.class.clone(),
                definition: first_definition(&entry),
                names: new_names(&so_far, &entry),
                facts: new_facts(&so_far, &entry, facts),
            };
            match id {
                Some(_) if change.names.is_empty() && change.facts.is_empty() => {
                    report.known += 1;
                    continue;
                }
                Some(_) => report.joined += 1,
                None => report.added += 1,
            }
            report.synonyms += change.names.len() as u64;
            so_far.join(entry);
            place.insert(key, changes.len());
            changes.push((change, so_far));
        }
        Ok(changes.into_iter().map(|(change, _)| change).collect())
    }

    /// Where the corpus mentions the new terms and names. A name that is itself a term is not looked for.
    fn mentions_of_new(
        &self,
        changes: &[GlossaryTerm],
    ) -> Result<Vec<(usize, SentenceId, u32, u32)>> {
        let all = self
            .workspace
            .store
            .read(|r| r.terms(&TermFilter::default()))?
            .rows;
        let mut own: HashSet<(Language, &str)> = all
            .iter()
            .map(|t| (t.language, t.normal.as_str()))
            .collect();
        own.extend(changes.iter().map(|c| (c.language, c.normal.as_str())));
        let mut keyed: BTreeMap<Language, Vec<(TermId, &str)>> = BTreeMap::new();
        for (index, change) in changes.iter().enumerate() {
            // The finder works on ids; places in the list serve until the store has given real ones.
            let id = TermId(index as i64);
            let of = keyed.entry(change.language).or_default();
            if change.id.is_none() {
                of.push((id, change.text.as_str()));
            }
            let free = |name: &&String| {
                !own.contains(&(change.language, terms::key(name, change.language).as_str()))
            };
            of.extend(
                change
                    .names
                    .iter()
                    .filter(free)
                    .map(|name| (id, name.as_str())),
            );
        }
        let mut mentions = Vec::new();
        for (language, sentences) in Corpus::of(self.workspace).sentences_by_language()? {
            let Some(keyed) = keyed.get(&language).filter(|keyed| !keyed.is_empty()) else {
                continue;
            };
            let finder = MentionFinder::new(keyed, language);
            for sentence in &sentences {
                let found = finder.find(&sentence.text).into_iter();
                mentions.extend(
                    found.map(|(term, start, end)| (term.0 as usize, sentence.id, start, end)),
                );
            }
        }
        Ok(mentions)
    }
}

/// Written aside and renamed: a full disk leaves what stood there.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    Aside::write_whole(path, bytes).map_err(file_failure)
}

fn invalid(error: IngestError, path: &Path, format: GlossaryFormat) -> Failure {
    let code = match &error {
        IngestError::TooLarge(_) => Code::TooLarge,
        IngestError::Empty => Code::Empty,
        _ => Code::GlossaryInvalid,
    };
    let hint = match code {
        Code::TooLarge => "Split the file into parts and import them one after the other.",
        Code::Empty => "Save the glossary again and choose that file.",
        _ => match format {
            GlossaryFormat::Csv => {
                "Save the table as CSV with a first line that names the columns: term, language, definition …"
            }
            GlossaryFormat::Tbx => {
                "Export the glossary again as TBX, or choose the format that it is in."
            }
            GlossaryFormat::Skos => {
                "Export the thesaurus as SKOS in Turtle, or choose the format that it is in."
            }
            GlossaryFormat::Json => {
                "Write an array of objects with a \"term\" each, or choose the format that it is in."
            }
        },
    };
    Failure::new(code, Failure::from(error).message, hint).in_file(path.display().to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
