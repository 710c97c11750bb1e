//! The units that are kept whole when single documents are split: the article, the recital, or else the smallest
//! section that is not a large part of its document. Each unit has the name that the document gives it.

use crate::SentenceNode;
use crate::reference::components;
use lexforge_domain::DocumentId;
use std::collections::{HashMap, HashSet};

/// A section is cut into its subsections while it holds more than this share of its document.
const LARGE: f64 = 0.04;
/// Sentences outside every section are taken in runs of this many.
const RUN: usize = 10;

/// The units of some sentences.
pub(super) struct Units {
    /// The unit of each sentence.
    pub(super) of: Vec<usize>,
    /// What each unit is called within its document.
    pub(super) names: Vec<String>,
    /// Most of them are articles or recitals.
    pub(super) articles: bool,
}

/// A unit's document, its path, and which run it is of those without a path.
type Key<'a> = (DocumentId, &'a [String], usize);

pub(super) fn sections(sentences: &[SentenceNode]) -> Units {
    let paths: Vec<Vec<String>> = sentences.iter().map(|s| components(&s.section)).collect();
    let mut sizes: HashMap<(DocumentId, &[String]), usize> = HashMap::new();
    let mut documents: HashMap<DocumentId, usize> = HashMap::new();
    for (sentence, path) in sentences.iter().zip(&paths) {
        *documents.entry(sentence.document).or_default() += 1;
        for depth in 1..=path.len() {
            *sizes
                .entry((sentence.document, &path[..depth]))
                .or_default() += 1;
        }
    }
    let mut runs: HashMap<DocumentId, usize> = HashMap::new();
    let keys: Vec<Key<'_>> = sentences
        .iter()
        .zip(&paths)
        .map(|(sentence, path)| {
            let document = sentence.document;
            if path.is_empty() {
                let seen = runs.entry(document).or_default();
                *seen += 1;
                return (document, &path[..], (*seen - 1) / RUN);
            }
            let depth = numbered(path).unwrap_or_else(|| {
                let large = (LARGE * documents[&document] as f64).max(RUN as f64);
                let fits = |depth: &usize| sizes[&(document, &path[..*depth])] as f64 <= large;
                (1..=path.len()).find(fits).unwrap_or(path.len())
            });
            (document, &path[..depth], 0)
        })
        .collect();
    let of = number(keys.iter());
    let mut firsts: Vec<usize> = Vec::new();
    for (row, &unit) in of.iter().enumerate() {
        if unit == firsts.len() {
            firsts.push(row);
        }
    }
    let articles = firsts
        .iter()
        .filter(|row| numbered(keys[**row].1).is_some())
        .count();
    let names = names(sentences, &keys, &firsts);
    Units {
        articles: 2 * articles >= firsts.len(),
        of,
        names,
    }
}

/// The depth at which a path names its article or recital.
pub(super) fn numbered(path: &[String]) -> Option<usize> {
    let article = path
        .iter()
        .position(|label| is_article(label))
        .map(|at| at + 1);
    article.or_else(|| {
        path.windows(2)
            .position(|two| is_recital(&two[0], &two[1]))
            .map(|at| at + 2)
    })
}

fn is_article(label: &str) -> bool {
    label.starts_with("article ")
        || label.starts_with("rule ")
        || (label.starts_with('第') && label.ends_with('条'))
}

fn is_recital(above: &str, label: &str) -> bool {
    above == "recitals" && !label.is_empty() && label.chars().all(|c| c.is_ascii_digit())
}

/// The name of each unit, by the row of its first sentence. An article is named by its label alone, unless two articles
/// of one document have the same label. Any other section is named by its whole path.
fn names(sentences: &[SentenceNode], keys: &[Key<'_>], firsts: &[usize]) -> Vec<String> {
    let whole = |row: usize| {
        let (_, path, run) = keys[row];
        if path.is_empty() {
            return format!(
                "sentences {} to {} outside sections",
                run * RUN + 1,
                (run + 1) * RUN
            );
        }
        let labels = sentences[row]
            .section
            .split('›')
            .map(str::trim)
            .filter(|label| !components(label).is_empty());
        labels.take(path.len()).collect::<Vec<_>>().join(" › ")
    };
    let short = |row: usize| {
        let path = keys[row].1;
        let last = path.last().map(String::as_str).unwrap_or_default();
        match path {
            [.., above, label] if is_recital(above, label) => format!("Recital {label}"),
            _ if is_article(last) => {
                let whole = whole(row);
                whole.rsplit(" › ").next().unwrap_or(&whole).to_owned()
            }
            _ => whole(row),
        }
    };
    let shorts: Vec<String> = firsts.iter().map(|row| short(*row)).collect();
    let mut seen = HashSet::new();
    let mut twice = HashSet::new();
    for (row, name) in firsts.iter().zip(&shorts) {
        let key = (sentences[*row].document, name.as_str());
        if !seen.insert(key) {
            twice.insert(key);
        }
    }
    let name = |(row, name): (&usize, &String)| {
        if twice.contains(&(sentences[*row].document, name.as_str())) {
            whole(*row)
        } else {
            name.clone()
        }
    };
    firsts.iter().zip(&shorts).map(name).collect()
}

/// Numbers values by first occurrence.
pub(super) fn number<T: std::hash::Hash + Eq>(values: impl Iterator<Item = T>) -> Vec<usize> {
    let mut seen = HashMap::new();
    values
        .map(|v| {
            let next = seen.len();
            *seen.entry(v).or_insert(next)
        })
        .collect()
}
