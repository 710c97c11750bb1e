//! `S_sen`: the sentences that are candidates of each other.

use super::bounds::{NO_CEILING, calibrated, quantile};
use crate::approximate::nearest_approximately;
use crate::choice::{Shape, chosen, looked_for};
use crate::counting::intersects;
use crate::neighbours::{Neighbour, Wanted, nearest_in_groups, nearest_wanted, renewed};
use crate::threads::in_chunks;
use crate::{Matrix, SentenceNode, is_anchor};
use foldhash::{HashMap, HashMapExt};
use lexforge_domain::graph::{BoundScale, GraphSettings, Recall};
use lexforge_text::fold::letters;
use std::collections::BTreeSet;
use std::hash::Hash;

/// Calibration goes no lower: below this cosine two sentences have nothing to do with each other.
const SENTENCE_FLOOR: f32 = 0.30;

/// Share of all pairs up to which pairs are compared group by group: small products are slower than large ones.
const WORTH_GROUPING: f64 = 0.3;

/// Sentence-level candidates.
pub(crate) struct RelatedSentences {
    /// For each sentence its candidates, nearest first.
    pub of: Vec<Vec<Neighbour>>,
    /// For each sentence its nearest related ones; the candidates were chosen from these.
    pub near: Vec<Vec<Neighbour>>,
    /// The chosen ones among the nearest, as bits.
    pub chosen: Vec<u64>,
    /// The threshold in use.
    pub threshold: f32,
    /// Sentences that were compared with all others.
    pub compared: usize,
    /// Recall, where the join was approximate.
    pub recall: Option<Recall>,
}

/// What is known of sentences from an earlier build, by their rows of now.
pub(crate) struct KnownSentence {
    /// Its nearest sentences; none of them is gone or has changed.
    pub near: Vec<Neighbour>,
    /// The chosen ones among the nearest, as bits.
    pub chosen: u64,
}

/// The sentences of an earlier build, as rows of now.
pub(crate) struct KnownSentences {
    /// For each row what is known; `None` if it is new, has changed, or has lost a neighbour.
    pub of: Vec<Option<KnownSentence>>,
    /// Which rows are new or have changed.
    pub new: Vec<bool>,
}

/// The sentences that can be anchors and candidates, with the data that decides which of them may be candidates of each
/// other.
pub(crate) struct Anchors<'a> {
    pub rows: Vec<usize>,
    /// Their vectors, of unit length.
    pub unit: Matrix,
    /// Sentences of the same words have the same number.
    pub texts: Vec<u32>,
    groups: Vec<u32>,
    typed: Vec<bool>,
    sections: Vec<u32>,
    entities_of: &'a [Vec<u32>],
}

impl<'a> Anchors<'a> {
    /// `words` as [`anchor_words`] gives them.
    pub(crate) fn new(
        sentences: &[SentenceNode],
        words: &[Option<String>],
        vectors: &Matrix,
        entities_of: &'a [Vec<u32>],
    ) -> Self {
        let rows: Vec<usize> = (0..sentences.len().min(vectors.rows))
            .filter(|&row| words[row].is_some() && vectors.row(row).iter().any(|v| *v != 0.0))
            .collect();
        let unit = vectors.selected_unit(&rows);
        let section = |row: usize| (sentences[row].document, sentences[row].section.as_str());
        Self {
            unit,
            texts: numbered(rows.iter().map(|&row| words[row].as_deref())),
            groups: numbered(rows.iter().map(|&row| sentences[row].group.as_str())),
            typed: rows
                .iter()
                .map(|&row| !sentences[row].group.is_empty())
                .collect(),
            sections: numbered(rows.iter().map(|&row| section(row))),
            rows,
            entities_of,
        }
    }

    /// Groups of sentences that can be related: the anchors of each type, and the anchors that mention each entity.
    /// `None` if it costs about as much to compare within these groups as to compare all sentences, for example because
    /// one term is in every sentence.
    pub(crate) fn groups(&self) -> Option<Vec<Vec<u32>>> {
        let mut by_type: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut by_entity: HashMap<u32, Vec<u32>> = HashMap::new();
        for (place, &row) in self.rows.iter().enumerate() {
            if self.typed[place] {
                by_type
                    .entry(self.groups[place])
                    .or_default()
                    .push(place as u32);
            }
            for &entity in &self.entities_of[row] {
                by_entity.entry(entity).or_default().push(place as u32);
            }
        }
        let mut groups: Vec<Vec<u32>> = by_type
            .into_values()
            .chain(by_entity.into_values())
            .filter(|rows| rows.len() > 1)
            .collect();
        // The largest first, so that no worker is left with one at the end.
        groups.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        let pairs: f64 = groups.iter().map(|rows| (rows.len() as f64).powi(2)).sum();
        (pairs < WORTH_GROUPING * (self.rows.len() as f64).powi(2)).then_some(groups)
    }

    /// `edge_sen` between two anchors that do not say the same.
    pub(crate) fn related(&self, i: usize, j: usize) -> bool {
        self.texts[i] != self.texts[j]
            && ((self.typed[i] && self.groups[i] == self.groups[j])
                || intersects(
                    &self.entities_of[self.rows[i]],
                    &self.entities_of[self.rows[j]],
                ))
    }
}

/// No sentence candidate has a lower cosine, whatever the calibration.
fn sentence_floor(settings: &GraphSettings) -> f32 {
    match settings.scale {
        BoundScale::Cosine => settings.sentence_threshold.min(SENTENCE_FLOOR),
        BoundScale::Quantile => SENTENCE_FLOOR,
    }
}

/// The sentence threshold as a cosine. `best` are the nearest-neighbour cosines of the anchors that have a neighbour.
pub(crate) fn sentence_bound(best: Vec<f32>, anchors: usize, settings: &GraphSettings) -> f32 {
    let floor = sentence_floor(settings);
    match settings.scale {
        BoundScale::Cosine => calibrated(
            best,
            anchors,
            settings.sentence_threshold,
            settings.calibrate_share,
            floor,
        ),
        BoundScale::Quantile => quantile(best, settings.sentence_threshold)
            .unwrap_or(floor)
            .max(floor),
    }
}

/// `S_sen`: for each anchor the nearest anchors that share an entity or the type with it and have `cos ≥ θ_sen`.
/// Sentences with the same words are never candidates of each other. Among the candidates of another sentence, they
/// take only one place together.
pub(crate) fn sentences(
    sentences: &[SentenceNode],
    anchors: &Anchors<'_>,
    settings: &GraphSettings,
    threshold: Option<f32>,
    known: Option<KnownSentences>,
) -> RelatedSentences {
    let wanted = Wanted {
        keep: looked_for(settings.max_candidates),
        floor: sentence_floor(settings),
        ceiling: NO_CEILING,
        keys: &anchors.texts,
        admissible: |i: usize, j: usize| anchors.related(i, j),
    };
    let approximate = anchors.rows.len() > settings.approximate_over;
    let mut place_of = vec![u32::MAX; sentences.len()];
    anchors
        .rows
        .iter()
        .enumerate()
        .for_each(|(place, &row)| place_of[row] = place as u32);
    let (mut recall, mut compared, mut chosen_before) = (None, anchors.rows.len(), None);
    let near = match known {
        Some(mut known) => {
            let (mut kept, mut bits) = (Vec::new(), Vec::new());
            for &row in &anchors.rows {
                let of_row = known.of[row].take();
                bits.push(of_row.as_ref().map(|k| k.chosen));
                kept.push(of_row.and_then(|k| {
                    let place = |n: Neighbour| {
                        let row = place_of[n.row as usize];
                        (row != u32::MAX).then_some(Neighbour { row, ..n })
                    };
                    k.near.into_iter().map(place).collect::<Option<Vec<_>>>()
                }));
            }
            let new: Vec<bool> = anchors.rows.iter().map(|&row| known.new[row]).collect();
            compared = kept.iter().filter(|k| k.is_none()).count();
            let near = renewed(&anchors.unit, kept.clone(), &new, &wanted);
            // As long as a list stays the same, the choice from it stays the same.
            for ((bits, before), now) in bits.iter_mut().zip(&kept).zip(&near) {
                *bits = bits.filter(|_| before.as_ref() == Some(now));
            }
            chosen_before = Some(bits);
            near
        }
        None if approximate => {
            let (near, measured) = nearest_approximately(&anchors.unit, &wanted);
            recall = Some(measured);
            near
        }
        None => match anchors.groups() {
            Some(groups) => nearest_in_groups(&anchors.unit, &groups, &wanted),
            None => nearest_wanted(&anchors.unit, &wanted),
        },
    };
    let threshold = threshold.unwrap_or_else(|| {
        let best = near
            .iter()
            .filter_map(|l| l.first().map(|n| n.cosine))
            .collect();
        sentence_bound(best, anchors.rows.len(), settings)
    });
    let bits = choose(
        sentences,
        anchors,
        &near,
        threshold,
        settings,
        chosen_before,
    );
    let mut related = RelatedSentences {
        of: vec![Vec::new(); sentences.len()],
        near: vec![Vec::new(); sentences.len()],
        chosen: vec![0; sentences.len()],
        threshold,
        compared,
        recall,
    };
    for ((list, bits), &row) in near.into_iter().zip(bits).zip(&anchors.rows) {
        let list: Vec<Neighbour> = list
            .into_iter()
            .map(|n| Neighbour {
                row: anchors.rows[n.row as usize] as u32,
                ..n
            })
            .collect();
        related.of[row] = list
            .iter()
            .enumerate()
            .filter(|(p, _)| bits >> p & 1 == 1)
            .map(|(_, n)| *n)
            .collect();
        related.near[row] = list;
        related.chosen[row] = bits;
    }
    related
}

/// Which of each anchor's nearest are its candidates, as bits. `before` has the bits that are still valid.
fn choose(
    sentences: &[SentenceNode],
    anchors: &Anchors<'_>,
    near: &[Vec<Neighbour>],
    threshold: f32,
    settings: &GraphSettings,
    before: Option<Vec<Option<u64>>>,
) -> Vec<u64> {
    let mut bits: Vec<Option<u64>> = before.unwrap_or_else(|| vec![None; near.len()]);
    let open: Vec<usize> = (0..near.len()).filter(|&i| bits[i].is_none()).collect();
    let reach = |i: usize| {
        let list: &[Neighbour] = &near[i];
        &list[..list.partition_point(|n| n.cosine >= threshold)]
    };
    let involved: BTreeSet<u32> = open.iter().flat_map(|&i| reach(i)).map(|n| n.row).collect();
    let involved: Vec<u32> = involved.into_iter().collect();
    let made = in_chunks(&involved, |i| {
        Shape::of(&sentences[anchors.rows[*i as usize]].text)
    });
    let mut shapes: Vec<Option<&Shape>> = vec![None; near.len()];
    involved
        .iter()
        .zip(&made)
        .for_each(|(i, shape)| shapes[*i as usize] = Some(shape));
    let alike = |a: u32, b: u32| match (shapes[a as usize], shapes[b as usize]) {
        (Some(a), Some(b)) => a.nearly_equals(b),
        _ => false,
    };
    let section = |i: u32| anchors.sections[i as usize];
    let most = settings.max_candidates;
    let found = in_chunks(&open, |&i| {
        chosen(
            reach(i),
            most,
            settings.max_per_section.max(1),
            section,
            alike,
        )
    });
    open.iter()
        .zip(found)
        .for_each(|(&i, found)| bits[i] = Some(found));
    bits.into_iter().map(Option::unwrap_or_default).collect()
}

/// The folded words of each sentence that can be an anchor: sentences that say the same have the same.
pub(crate) fn anchor_words(sentences: &[SentenceNode]) -> Vec<Option<String>> {
    in_chunks(sentences, |s| {
        is_anchor(s.kind, &s.text).then(|| letters(&s.text))
    })
}

/// Numbers values by first occurrence.
fn numbered<T: Eq + Hash>(values: impl Iterator<Item = T>) -> Vec<u32> {
    let mut seen: HashMap<T, u32> = HashMap::new();
    values
        .map(|v| {
            let next = seen.len() as u32;
            *seen.entry(v).or_insert(next)
        })
        .collect()
}
