//! The references of a corpus file, each with the passages that it names.

use super::{Clause, Instrument, Resolver, find};
use crate::corpus::Passage;
use crate::encoding::utf8;
use crate::error::IngestError;
use lexforge_text::language;

use lexforge_domain::reference::CrossReference;
use lexforge_domain::text::Language;
use serde::Serialize;
use std::collections::HashMap;

/// A reference in a passage of a corpus file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PassageReference {
    /// The passage that refers, by the id that the file gave it.
    pub id: String,
    /// The reference, in scalar values of the passage's text as the file has it.
    #[serde(flatten)]
    pub reference: CrossReference,
    /// The clause that it refers to, in words.
    pub target: String,
    /// Whether it refers to a clause of the same act.
    pub internal: bool,
    /// The first passage that it names; `None` where the file does not hold it.
    pub target_id: Option<String>,
    /// All passages that it refers to; several for a range.
    pub target_ids: Vec<String>,
}

/// The references of a corpus file, passage by passage. A passage's title names its act, and its section the place in
/// the act. A passage without text can only be a target. Lines that are not passages are left out and counted in the
/// second value.
///
/// # Errors
/// When the file is not UTF-8, or no line is a passage.
pub fn in_corpus(
    bytes: &[u8],
    language: Option<Language>,
) -> Result<(Vec<PassageReference>, usize), IngestError> {
    let (mut passages, mut bad) = (Vec::new(), 0);
    let text = utf8(bytes)?;
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        match serde_json::from_str::<Passage>(line) {
            Ok(passage) => passages.push(passage),
            Err(_) => bad += 1,
        }
    }
    if passages.is_empty() {
        return Err(IngestError::Corpus(
            "no passage: no line of the corpus file can be used".to_owned(),
        ));
    }
    let language = language.unwrap_or_else(|| language::detect(text));
    let mut instruments: Vec<Instrument> = Vec::new();
    let mut by_title: HashMap<&str, u32> = HashMap::new();
    let mut clauses = Vec::with_capacity(passages.len());
    for passage in &passages {
        let title = passage.title.as_deref().unwrap_or_default().trim();
        let next = u32::try_from(instruments.len()).unwrap_or(u32::MAX);
        let instrument = *by_title.entry(title).or_insert(next);
        if instrument == next {
            instruments.push(Instrument {
                names: vec![title.to_owned()],
            });
        }
        let section = passage.section.as_deref().unwrap_or_default();
        clauses.push(Clause {
            instrument,
            section,
            text: &passage.text,
            heading: false,
            aside: false,
        });
    }
    let references: Vec<Vec<CrossReference>> =
        passages.iter().map(|p| find(&p.text, language)).collect();
    let resolver = Resolver::new(&instruments, &clauses, &references);
    let own: Vec<u32> = clauses.iter().map(|c| c.instrument).collect();
    let resolved: Vec<Vec<(Vec<usize>, bool)>> = references
        .iter()
        .enumerate()
        .map(|(row, found)| {
            found
                .iter()
                .map(|r| {
                    let targets = resolver.resolve(r, row);
                    let internal = match targets.first() {
                        Some(&target) => own.get(target) == own.get(row),
                        None => r.instrument.is_none(),
                    };
                    (targets, internal)
                })
                .collect()
        })
        .collect();
    let ids: Vec<String> = passages.into_iter().map(|p| p.id.into_text()).collect();
    let mut out = Vec::new();
    for ((found, resolved), id) in references.into_iter().zip(resolved).zip(&ids) {
        for (reference, (targets, internal)) in found.into_iter().zip(resolved) {
            let target_ids: Vec<String> = targets
                .into_iter()
                .filter_map(|row| ids.get(row).cloned())
                .collect();
            out.push(PassageReference {
                id: id.clone(),
                target: reference.target(),
                internal,
                target_id: target_ids.first().cloned(),
                target_ids,
                reference,
            });
        }
    }
    Ok((out, bad))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_file_refers_within_itself() {
        let text = concat!(
            "{\"id\":1,\"title\":\"AB Rulebook\",\"section\":\"1.1.1\",\"text\":\"A Person must comply with Rule 1.1.2 and CD 2.1.\"}\n",
            "no passage\n",
            "{\"id\":\"b\",\"title\":\"AB Rulebook\",\"section\":\"1.1.2\",\"text\":\"\"}\n",
            "{\"id\":\"c\",\"title\":\"CD Rulebook\",\"section\":\"2.1\",\"text\":\"See Rule 9.9 and Directive 2013/36/EU.\"}\n",
        );
        let (found, bad) = in_corpus(text.as_bytes(), None).unwrap();
        let rows: Vec<(&str, &str, bool, Option<&str>)> = found
            .iter()
            .map(|f| {
                (
                    f.id.as_str(),
                    f.target.as_str(),
                    f.internal,
                    f.target_id.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                ("1", "rule 1.1.2", true, Some("b")),
                ("1", "CD 2.1", false, Some("c")),
                ("c", "rule 9.9", true, None),
                ("c", "Directive 2013/36/EU", false, None)
            ]
        );
        assert_eq!(bad, 1);
        assert!(in_corpus(b"nothing", None).is_err());
    }
}
