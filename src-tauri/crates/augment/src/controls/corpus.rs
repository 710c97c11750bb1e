//! Anchors from plain regulations, with the simplest terms, neighbours and similar terms that will do.

use crate::anchor::{Anchor, AnchorTerm, Neighbour};
use crate::grammar::grammar;
use crate::usage::Usage;
use crate::words::{content, is_stop};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_domain::{SentenceId, TermId};
use lexforge_text::is_han;
use lexforge_text::likeness::jaccard_of_sets;
use lexforge_text::words;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A sentence of a regulation.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) heading: String,
    /// Its section, as `1.2.1 › (a)`, or empty.
    pub(super) section: String,
    /// Title of its document, or empty.
    pub(super) title: String,
    pub(super) lead_in: Option<String>,
    pub(super) kind: SentenceKind,
}

/// A term, by its place among the terms, and the byte ranges of its mentions in a line.
type Mentioned = (usize, Vec<(usize, usize)>);

/// A regulation made ready for the writer.
pub(super) struct Corpus {
    pub(super) language: Language,
    pub(super) lines: Vec<Line>,
    usage: Usage,
    terms: Vec<String>,
    /// The terms that each line mentions, by their place in `terms`, and where.
    mentioned: Vec<Vec<Mentioned>>,
    /// The ten most similar terms of each term.
    similar: Vec<Vec<(usize, f32)>>,
    vectors: Vec<HashMap<String, f64>>,
    by_word: HashMap<String, Vec<(usize, f64)>>,
}

impl Corpus {
    pub(super) fn new(language: Language, lines: Vec<Line>) -> Self {
        let terms = if language == Language::Zh {
            chinese_terms(&lines)
        } else {
            english_terms(&lines)
        };
        let bags: Vec<HashSet<String>> = lines.iter().map(|l| content(&l.text)).collect();
        let mut df: HashMap<String, f64> = HashMap::new();
        for bag in &bags {
            for word in bag {
                *df.entry(word.clone()).or_default() += 1.0;
            }
        }
        let n = bags.len() as f64;
        let vectors: Vec<HashMap<String, f64>> = bags
            .iter()
            .map(|bag| {
                unit(
                    bag.iter()
                        .map(|w| (w.clone(), (n / df[w]).ln() + 0.1))
                        .collect(),
                )
            })
            .collect();
        let mut by_word: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        for (index, vector) in vectors.iter().enumerate() {
            for (word, weight) in vector {
                by_word
                    .entry(word.clone())
                    .or_default()
                    .push((index, *weight));
            }
        }
        let finder = grammar(language).unwrap();
        let mentioned = lines
            .iter()
            .map(|line| {
                let places = terms
                    .iter()
                    .map(|term| finder.mentions(&line.text, term))
                    .enumerate();
                places.filter(|(_, found)| !found.is_empty()).collect()
            })
            .collect();
        let pieces: Vec<HashSet<String>> = terms.iter().map(|t| pairs(t)).collect();
        let similar = (0..terms.len()).map(|id| similar(&pieces, id)).collect();
        let usage = Usage::of(
            lines
                .iter()
                .flat_map(|l| [Some(l.text.as_str()), l.lead_in.as_deref()])
                .flatten(),
        );
        Self {
            language,
            lines,
            usage,
            terms,
            mentioned,
            similar,
            vectors,
            by_word,
        }
    }

    /// The anchor of one line, with eight neighbours and ten similar terms for each of its terms.
    pub(super) fn anchor(&self, index: usize) -> Anchor<'_> {
        let line = &self.lines[index];
        let mut anchor = Anchor::new(
            SentenceId(index as i64 + 1),
            &line.text,
            self.language,
            line.kind,
        );
        anchor.heading = &line.heading;
        anchor.section = &line.section;
        anchor.document_title = &line.title;
        anchor.lead_in = line.lead_in.as_deref();
        anchor.usage = Some(&self.usage);
        let mut cosines = vec![0.0f64; self.lines.len()];
        for (word, weight) in &self.vectors[index] {
            for (other, theirs) in &self.by_word[word] {
                cosines[*other] += weight * theirs;
            }
        }
        let mut near: Vec<(f64, usize)> = cosines
            .into_iter()
            .enumerate()
            .filter(|(other, cosine)| *other != index && *cosine > 0.05)
            .map(|(other, cosine)| (cosine, other))
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        anchor.neighbours = near
            .iter()
            .take(8)
            .map(|(cosine, other)| Neighbour {
                id: SentenceId(*other as i64 + 1),
                text: &self.lines[*other].text,
                lead_in: self.lines[*other].lead_in.as_deref(),
                cosine: *cosine as f32,
            })
            .collect();
        let around = (1..=20).flat_map(|far| [index.checked_sub(far), index.checked_add(far)]);
        anchor.nearby = around
            .filter_map(|other| Some((other?, self.lines.get(other?)?)))
            .take(16)
            .map(|(other, line)| Neighbour {
                id: SentenceId(other as i64 + 1),
                text: &line.text,
                lead_in: line.lead_in.as_deref(),
                cosine: 0.0,
            })
            .collect();
        if line.lead_in.is_some() {
            let far = (1..=200).flat_map(|far| [index.checked_sub(far), index.checked_add(far)]);
            let other = far.filter_map(|other| Some((other?, self.lines.get(other?)?)));
            let items = other
                .filter(|(_, l)| l.lead_in.is_some() && l.lead_in != line.lead_in)
                .take(24);
            let known: Vec<SentenceId> = anchor.nearby.iter().map(|n| n.id).collect();
            anchor.nearby.extend(
                items
                    .map(|(other, line)| Neighbour {
                        id: SentenceId(other as i64 + 1),
                        text: &line.text,
                        lead_in: line.lead_in.as_deref(),
                        cosine: 0.0,
                    })
                    .filter(|n| !known.contains(&n.id)),
            );
        }
        let near = (1..=8)
            .flat_map(|far| [index.checked_sub(far), index.checked_add(far)])
            .flatten();
        let neighbours = anchor.neighbours.iter().map(|n| n.id.0 as usize - 1);
        let local: BTreeSet<usize> = near
            .chain(neighbours)
            .filter_map(|at| self.mentioned.get(at))
            .flatten()
            .map(|(id, _)| *id)
            .collect();
        for id in local {
            let term = self.terms[id].as_str();
            anchor.local_terms.push((TermId(id as i64 + 1), term));
        }
        for (id, places) in &self.mentioned[index] {
            for (start, end) in places {
                anchor.terms.push(AnchorTerm {
                    id: TermId(*id as i64 + 1),
                    text: &self.terms[*id],
                    start: line.text[..*start].chars().count() as u32,
                    end: line.text[..*end].chars().count() as u32,
                    definition: None,
                });
                let similar = anchor
                    .similar_terms
                    .entry(TermId(*id as i64 + 1))
                    .or_default();
                if similar.is_empty() {
                    *similar = self.similar(*id);
                    for other in similar.clone() {
                        let theirs = self.similar(other.0.0 as usize - 1);
                        anchor.similar_terms.entry(other.0).or_insert(theirs);
                    }
                }
            }
        }
        anchor
    }

    fn similar(&self, id: usize) -> Vec<(TermId, &str, f32)> {
        self.similar[id]
            .iter()
            .map(|(other, how)| (TermId(*other as i64 + 1), self.terms[*other].as_str(), *how))
            .collect()
    }
}

/// The ten terms that share most pieces with one term.
fn similar(pieces: &[HashSet<String>], id: usize) -> Vec<(usize, f32)> {
    let own = &pieces[id];
    let mut all: Vec<(usize, f32)> = pieces
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != id)
        .map(|(other, theirs)| (other, jaccard_of_sets(own, theirs) as f32))
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.retain(|t| t.1 > 0.15);
    all.truncate(10);
    all
}

pub(super) fn pairs(text: &str) -> HashSet<String> {
    let chars: Vec<char> = text.to_lowercase().chars().collect();
    chars
        .windows(if text.chars().any(is_han) { 1 } else { 3 })
        .map(|w| w.iter().collect())
        .collect()
}

pub(super) fn unit(mut vector: HashMap<String, f64>) -> HashMap<String, f64> {
    let norm = vector.values().map(|v| v * v).sum::<f64>().sqrt();
    vector.values_mut().for_each(|v| *v /= norm.max(1e-12));
    vector
}

pub(super) fn dot(a: &HashMap<String, f64>, b: &HashMap<String, f64>) -> f64 {
    a.iter().filter_map(|(k, v)| b.get(k).map(|w| v * w)).sum()
}

/// Runs of one to three content words after a determiner that come back.
fn english_terms(lines: &[Line]) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines {
        let tokens: Vec<&str> = line.text.split(' ').collect();
        for (at, token) in tokens.iter().enumerate() {
            if ![
                "the", "a", "an", "any", "each", "The", "A", "An", "of", "to",
            ]
            .contains(token)
            {
                continue;
            }
            let mut run = Vec::new();
            for word in tokens.iter().skip(at + 1).take(3) {
                let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
                if bare.len() < 3
                    || is_stop(&bare.to_lowercase())
                    || !bare.chars().all(char::is_alphabetic)
                {
                    break;
                }
                run.push(bare);
                *counts.entry(run.join(" ")).or_default() += 1;
                if bare != *word {
                    break;
                }
            }
        }
    }
    let kept = |(term, count): (&String, &usize)| {
        let words = term.split(' ').count();
        let last = term.rsplit(' ').next().unwrap_or("");
        let verbal = last.ends_with("ed")
            || last.ends_with("ing")
            || last.ends_with("ly")
            || last.ends_with("able");
        (*count >= if words == 1 { 8 } else { 3 } && !verbal).then(|| term.clone())
    };
    counts.iter().filter_map(kept).collect()
}

/// Runs of characters between function words and punctuation that occur repeatedly.
fn chinese_terms(lines: &[Line]) -> Vec<String> {
    const BETWEEN: &[char] = &[
        '的', '和', '或', '者', '对', '在', '应', '当', '不', '得', '可', '以', '向', '由', '为',
        '与', '及', '其', '从', '将', '自', '被', '是', '按', '照', '依', '于', '经', '并', '等',
        '至', '给', '所', '未', '就', '而', '使',
    ];
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines {
        for run in line
            .text
            .split(|c: char| !is_han(c) || BETWEEN.contains(&c))
        {
            if (3..=10).contains(&run.chars().count()) {
                *counts.entry(run.to_owned()).or_default() += 1;
            }
        }
    }
    counts
        .into_iter()
        .filter(|(_, c)| *c >= 2)
        .map(|(t, _)| t)
        .collect()
}

/// Sentences of a paragraph, cut where a stop meets a capital; good enough for a corpus of rules.
pub(super) fn sentences(paragraph: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = 0;
    let chars: Vec<(usize, char)> = paragraph.char_indices().collect();
    for (i, (at, c)) in chars.iter().enumerate() {
        let ends = *c == '。'
            || *c == '.'
                && chars.get(i + 1).is_some_and(|n| n.1 == ' ')
                && chars.get(i + 2).is_some_and(|n| n.1.is_uppercase())
                && words(&paragraph[start..*at]).len() > 3;
        if ends {
            found.push(paragraph[start..at + c.len_utf8()].trim().to_owned());
            start = at + c.len_utf8();
        }
    }
    found.push(paragraph[start..].trim().to_owned());
    found.retain(|s| !s.is_empty());
    found
}
