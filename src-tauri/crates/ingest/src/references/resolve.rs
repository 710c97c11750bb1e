//! From a reference to the clause that it names: an index over the labels of all clauses, by instrument.

use super::counting::{decremented, range};
use super::labels::{components, key};
use super::names::Names;
use super::stages::{Stage, numbered_through, stages};
use lexforge_domain::reference::{CrossReference, ReferenceScope};
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

/// A reference may name a clause but no instrument. Then the clause is looked for in the instrument that contains the
/// reference, and in at most this number of others.
const HOMES: usize = 4;
/// How often an instrument must be cited to be one of these others.
const HOME_CITED: usize = 2;

/// The act that clauses belong to: a document, or the passages of a corpus file with one title.
#[derive(Clone, Debug, Default)]
pub struct Instrument {
    /// All its names: title, number, file name.
    pub names: Vec<String>,
}

/// A clause of the corpus: a sentence or a passage, in reading order within its instrument.
#[derive(Clone, Copy, Debug)]
pub struct Clause<'a> {
    /// Index of its instrument.
    pub instrument: u32,
    /// Path of its section.
    pub section: &'a str,
    pub text: &'a str,
    /// It is a heading. It represents its section only if no other clause does.
    pub heading: bool,
    /// Whether it is part of a table of contents or a footnote, to which nothing refers.
    pub aside: bool,
}

/// How badly a clause fits the labels that are looked for; a lower rank fits better. The four values are compared in
/// this order: whether the clause is outside the main text, whether it is a heading, whether it is deeper than these
/// labels, and where in the path the labels begin.
type Rank = (bool, bool, bool, usize);

/// Knows every clause of a corpus by its labels.
#[derive(Debug)]
pub struct Resolver {
    /// The instrument and the path of every clause.
    places: Vec<(u32, u32)>,
    paths: Vec<Vec<String>>,
    index: HashMap<u64, (Rank, u32)>,
    /// First clause of every instrument.
    first: Vec<Option<u32>>,
    names: Names,
    /// Of every instrument those in which it means its references without an instrument, after itself.
    homes: Vec<Vec<u32>>,
}

impl Resolver {
    /// Reads a corpus: its acts, its clauses, and the references in each clause (one list for each clause, from
    /// [`super::find`]). Time and memory are linear in the number of clauses.
    pub fn new(
        instruments: &[Instrument],
        clauses: &[Clause],
        references: &[Vec<CrossReference>],
    ) -> Self {
        let given: Vec<Vec<String>> = instruments.iter().map(|i| i.names.clone()).collect();
        let mut resolver = Self {
            places: Vec::with_capacity(clauses.len()),
            paths: Vec::new(),
            index: HashMap::new(),
            first: vec![None; instruments.len()],
            names: Names::learn(&given, clauses.iter().map(|c| (c.instrument, c.text))),
            homes: Vec::new(),
        };
        let mut known: HashMap<(u32, &str), (u32, bool)> = HashMap::new();
        for (row, clause) in (0u32..).zip(clauses) {
            let next = u32::try_from(resolver.paths.len()).unwrap_or(u32::MAX);
            let held = known
                .entry((clause.instrument, clause.section))
                .or_insert((next, true));
            let path = held.0;
            let new = path == next;
            if new {
                resolver.paths.push(components(clause.section));
            }
            resolver.places.push((clause.instrument, path));
            if clause.aside {
                continue;
            }
            // A path's later clauses add nothing, but that a sentence is better than its heading.
            if new || (held.1 && !clause.heading) {
                held.1 = clause.heading;
                resolver.register(clause, path, row);
            }
            if let Some(first @ None) = resolver.first.get_mut(clause.instrument as usize) {
                *first = Some(row);
            }
        }
        resolver.settle(references);
        resolver.find_homes(instruments.len(), references);
        resolver
    }

    /// The clauses that a reference in clause `from` names, in order: none if the corpus does not contain them, several
    /// for a range. A clause may refer to itself ("paragraph (2) of this Rule 3.6.2").
    pub fn resolve(&self, reference: &CrossReference, from: usize) -> Vec<usize> {
        let Some(&(own, path)) = self.places.get(from) else {
            return Vec::new();
        };
        let path = self.paths.get(path as usize).map_or(&[][..], Vec::as_slice);
        let found: Vec<u32> = match reference.scope {
            ReferenceScope::Previous => self
                .previous(reference, own, path, from)
                .into_iter()
                .collect(),
            ReferenceScope::Near | ReferenceScope::Whole => self.clauses(reference, own, path),
        };
        found.into_iter().map(|row| row as usize).collect()
    }

    /// The index of the act that a reference in clause `from` names. If the reference names no act, it is the act of
    /// the clause itself. `None` if the corpus does not contain the act.
    pub fn instrument(&self, reference: &CrossReference, from: usize) -> Option<u32> {
        match &reference.instrument {
            Some(name) => self.names.find(name),
            None => self.places.get(from).map(|p| p.0),
        }
    }

    fn register(&mut self, clause: &Clause, path: u32, row: u32) {
        let Some(path) = self.paths.get(path as usize) else {
            return;
        };
        let named = |c: &str| c.contains(' ') || c.starts_with(['第', '附', '제']);
        for start in 0..path.len() {
            // A reference may leave out the first labels of a clause: "Article 6(1)" for "Chapter II › Article 6 › 1".
            // If only "2" or "a" is left, the reference is accepted only in an act whose numbers are unique, because
            // they continue through all of its chapters.
            let label = &path[start];
            let counted = start > 0
                && numbered_through(&path[start - 1])
                && label.starts_with(|c: char| c.is_ascii_digit());
            if start > 0 && !named(label) && !label.contains('.') && !counted {
                continue;
            }
            let beside = path[..start].iter().any(|c| {
                ["annex", "appendix", "schedule", "guidance"]
                    .iter()
                    .any(|w| c.starts_with(w))
            });
            for end in start + 1..=path.len() {
                let rank = (beside, clause.heading, end < path.len(), start);
                note(
                    &mut self.index,
                    hash(clause.instrument, start == 0, &path[start..end]),
                    rank,
                    row,
                );
                if start > 0 {
                    continue;
                }
                note(
                    &mut self.index,
                    hash(clause.instrument, false, &path[start..end]),
                    rank,
                    row,
                );
            }
            // `rule 3.2.1` is also cited by its number alone.
            if let Some((_, bare)) = label.split_once(' ').filter(|(_, b)| b.contains('.')) {
                let mut alias = path[start..].to_vec();
                alias[0] = bare.to_owned();
                for end in 1..=alias.len() {
                    let rank = (beside, clause.heading, end < alias.len(), start);
                    note(
                        &mut self.index,
                        hash(clause.instrument, false, &alias[..end]),
                        rank,
                        row,
                    );
                }
            }
        }
    }

    fn get(&self, instrument: u32, top: bool, labels: &[String]) -> Option<u32> {
        self.index.get(&hash(instrument, top, labels)).map(|e| e.1)
    }

    fn clauses(&self, reference: &CrossReference, own: u32, path: &[String]) -> Vec<u32> {
        let labels: Vec<String> = reference.labels.iter().map(|l| key(l)).collect();
        let named = reference.instrument.as_deref();
        let instrument = named.and_then(|n| self.names.find(n));
        // "the Act" is the one that the document speaks of most.
        let vague = named.is_some_and(|n| n.starts_with("the "));
        if named.is_some() && instrument.is_none() && !vague {
            return Vec::new();
        }
        if labels.is_empty() {
            return instrument
                .and_then(|i| self.first.get(i as usize).copied().flatten())
                .into_iter()
                .collect();
        }
        let own_first = !vague && named.is_none();
        if own_first && let Some((row, _)) = self.outwards(&labels, own, path) {
            return self.through(reference, own, row, Some(path));
        }
        let homes = self.homes.get(own as usize).map_or(&[][..], Vec::as_slice);
        let wide: Vec<u32> = match instrument {
            Some(instrument) => vec![instrument],
            None => own_first
                .then_some(own)
                .into_iter()
                .chain(homes.iter().copied())
                .collect(),
        };
        // A part that the document itself does not have by that name is rather another's part than its own chapter.
        let by_stage = labels[0].starts_with("part ");
        let stages = stages(&labels);
        let mut tries: Vec<(u32, Stage)> = Vec::new();
        if by_stage {
            tries.extend(
                stages
                    .iter()
                    .flat_map(|&stage| wide.iter().map(move |&i| (i, stage))),
            );
        } else {
            tries.extend(
                wide.iter()
                    .flat_map(|&i| stages.iter().map(move |&stage| (i, stage))),
            );
        }
        tries
            .into_iter()
            .find_map(|(i, stage)| {
                self.within(i, &labels, stage)
                    .map(|row| self.through(reference, i, row, None))
            })
            .unwrap_or_default()
    }

    /// Labels sought from the place of the reference outwards; gives way from the right.
    fn outwards(&self, labels: &[String], own: u32, path: &[String]) -> Option<(u32, usize)> {
        (1..=labels.len()).rev().find_map(|depth| {
            (1..=path.len()).rev().find_map(|outer| {
                let labels = [&path[..outer], &labels[..depth]].concat();
                self.get(own, true, &labels).map(|row| (row, depth))
            })
        })
    }

    /// Looks for labels in a whole act. A reference may be more detailed than the clauses of the act. So if nothing is
    /// found, the last label is dropped, and the search is repeated.
    fn within(&self, instrument: u32, labels: &[String], stage: Stage) -> Option<u32> {
        let bare = |labels: &[String]| {
            let mut labels = labels.to_vec();
            if let Some((_, number)) = labels[0].split_once(' ') {
                labels[0] = number.to_owned();
            }
            labels
        };
        (1..=labels.len()).rev().find_map(|depth| {
            let labels = &labels[..depth];
            match stage {
                Stage::AsWritten => self.get(instrument, false, labels).or_else(|| {
                    // 款 is no level of the sections: 第八条第二款第三项 is item 3 of 第八条.
                    let without: Vec<String> = labels
                        .iter()
                        .filter(|l| !l.ends_with('款'))
                        .cloned()
                        .collect();
                    (without.len() < labels.len() && !without.is_empty())
                        .then(|| self.get(instrument, false, &without))
                        .flatten()
                }),
                Stage::Paragraph => {
                    let mut labels = labels.to_vec();
                    labels[0] = format!("paragraph {}", labels[0]);
                    self.get(instrument, false, &labels)
                }
                Stage::Bare => self.get(instrument, false, &bare(labels)),
                Stage::Top => self.get(instrument, true, &bare(labels)),
            }
        })
    }

    /// The clauses from `first` to the end of the range.
    fn through(
        &self,
        reference: &CrossReference,
        instrument: u32,
        first: u32,
        path: Option<&[String]>,
    ) -> Vec<u32> {
        let mut rows = vec![first];
        let Some(last) = &reference.through else {
            return rows;
        };
        let labels: Vec<String> = reference.labels.iter().map(|l| key(l)).collect();
        let last: Vec<String> = last.iter().map(|l| key(l)).collect();
        for between in range(&labels, &last) {
            let row = match path {
                Some(path) => self
                    .outwards(&between, instrument, path)
                    .filter(|r| r.1 == between.len())
                    .map(|r| r.0),
                None => stages(&between)
                    .iter()
                    .find_map(|&stage| self.within(instrument, &between, stage)),
            };
            rows.extend(row);
        }
        let mut seen = HashSet::new();
        rows.retain(|row| seen.insert(*row));
        rows
    }

    /// The clause before the one that refers, on the level that the reference names.
    fn previous(
        &self,
        reference: &CrossReference,
        own: u32,
        path: &[String],
        from: usize,
    ) -> Option<u32> {
        let level = reference.labels.first().map_or("", String::as_str);
        let at = match level {
            "article" | "section" | "rule" | "chapter" => path
                .iter()
                .rposition(|c| c.starts_with(level))
                .or(path.iter().rposition(|c| c.contains('.'))),
            "条" => path.iter().rposition(|c| c.ends_with('条')),
            _ => path.len().checked_sub(1),
        };
        let stepped = at.and_then(|at| {
            let mut before = path[..=at].to_vec();
            let label = before.last_mut()?;
            *label = decremented(label)?;
            self.get(own, true, &before)
        });
        let beside = || {
            // Paragraphs without numbers: the sentence before, within the same clause.
            let before = from.checked_sub(1)?;
            (self.places.get(before) == self.places.get(from))
                .then(|| u32::try_from(before).ok())
                .flatten()
        };
        match level {
            "款" => beside().or(stepped),
            "article" | "section" | "rule" | "chapter" | "条" => stepped,
            _ => stepped.or_else(beside),
        }
    }

    /// Short names that nothing explains go to the instrument whose clauses bear the numbers.
    fn settle(&mut self, references: &[Vec<CrossReference>]) {
        let mut cited: HashMap<String, HashSet<String>> = HashMap::new();
        for reference in references.iter().flatten() {
            let (Some(name), Some(label)) = (&reference.instrument, reference.labels.first())
            else {
                continue;
            };
            if name.len() <= 10
                && name.bytes().all(|b| b.is_ascii_uppercase())
                && self.names.find(name).is_none()
            {
                cited.entry(name.clone()).or_default().insert(key(label));
            }
        }
        let mut names = std::mem::take(&mut self.names);
        let instruments = u32::try_from(self.first.len()).unwrap_or(0);
        names.settle(instruments, &cited, |instrument, label| {
            let labels = [label.to_owned()];
            stages(&labels)
                .iter()
                .any(|&stage| self.within(instrument, &labels, stage).is_some())
        });
        self.names = names;
    }

    /// The other instruments that each instrument cites most.
    fn find_homes(&mut self, instruments: usize, references: &[Vec<CrossReference>]) {
        let mut counts: Vec<HashMap<u32, usize>> = vec![HashMap::new(); instruments];
        for (of_clause, &(own, _)) in references.iter().zip(&self.places) {
            for name in of_clause.iter().filter_map(|r| r.instrument.as_deref()) {
                if let Some(other) = self.names.find(name).filter(|&other| other != own)
                    && let Some(counts) = counts.get_mut(own as usize)
                {
                    *counts.entry(other).or_default() += 1;
                }
            }
        }
        self.homes = counts
            .into_iter()
            .map(|counts| {
                let mut order: Vec<(usize, u32)> = counts
                    .into_iter()
                    .map(|(i, n)| (n, i))
                    .filter(|(n, _)| *n >= HOME_CITED)
                    .collect();
                order.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
                order.into_iter().take(HOMES).map(|(_, i)| i).collect()
            })
            .collect();
    }
}

fn hash(instrument: u32, top: bool, labels: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (instrument, top).hash(&mut hasher);
    for label in labels {
        label.hash(&mut hasher);
    }
    hasher.finish()
}

/// Keeps the best clause for a key, the first of equals.
fn note(index: &mut HashMap<u64, (Rank, u32)>, key: u64, rank: Rank, row: u32) {
    index
        .entry(key)
        .and_modify(|held| {
            if rank < held.0 {
                *held = (rank, row);
            }
        })
        .or_insert((rank, row));
}
