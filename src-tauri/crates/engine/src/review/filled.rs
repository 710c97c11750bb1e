//! A sample check of triplets that were made because there were few triplets of their kind of change (shift). Some of
//! them come first in the review, and the share that reviewers accept is shown.

use lexforge_augment::REWRITTEN;
use lexforge_domain::TripletId;
use lexforge_domain::api::{SampleStanding, TripletRow};
use lexforge_domain::term::ReviewStatus;
use lexforge_store::Reader;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Triplets of the sample.
const SAMPLE: usize = 10;

/// Triplets that were made for thin shifts, by lot and in turn from each shift. The same triplets give the same sample.
pub(super) fn sample(rows: &[TripletRow]) -> Vec<TripletId> {
    let mut of: BTreeMap<&str, Vec<([u8; 32], TripletId)>> = BTreeMap::new();
    for row in rows {
        let triplet = &row.triplet;
        if triplet.origin.positive.iter().any(|how| how == REWRITTEN) {
            let texts = format!("{}\n{}", triplet.source, triplet.negative);
            let lot = Sha256::digest(texts.as_bytes()).into();
            of.entry(&triplet.shift).or_default().push((lot, row.id));
        }
    }
    of.values_mut().for_each(|shift| shift.sort_unstable());
    let longest = of.values().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(|i| of.values().filter_map(move |s| s.get(i)).map(|(_, id)| *id))
        .take(SAMPLE)
        .collect()
}

/// How far reviewers are with the sample; `None` without one.
pub(super) fn standing(
    r: &Reader,
    sample: &[TripletId],
) -> lexforge_store::Result<Option<SampleStanding>> {
    if sample.is_empty() {
        return Ok(None);
    }
    let mut standing = SampleStanding {
        drawn: sample.len() as u64,
        ..SampleStanding::default()
    };
    for id in sample {
        match r.triplet(*id, true)?.status {
            ReviewStatus::Accepted => {
                standing.decided += 1;
                standing.accepted += 1;
            }
            ReviewStatus::Rejected => standing.decided += 1,
            _ => {}
        }
    }
    Ok(Some(standing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::api::{NewTriplet, TripletMaker, TripletOrigin};
    use lexforge_domain::qca::Split;
    use lexforge_domain::text::Language;

    fn row(id: i64, shift: &str, how: &str) -> TripletRow {
        TripletRow {
            id: TripletId(id),
            triplet: NewTriplet {
                sentence: None,
                language: Language::En,
                source: format!("source {id}"),
                positive: String::new(),
                negative: String::new(),
                shift: shift.to_owned(),
                origin: TripletOrigin {
                    by: TripletMaker::Offline,
                    negative: String::new(),
                    removed: String::new(),
                    added: String::new(),
                    positive: vec![how.to_owned()],
                    note: String::new(),
                },
                margin: None,
                split: Split::Train,
                group: id,
                cluster: id,
                reason: None,
            },
            status: ReviewStatus::Unreviewed,
            corrected: false,
            document: None,
            document_title: String::new(),
            page: None,
        }
    }

    #[test]
    fn the_sample_is_of_filled_triplets_alone_and_of_every_shift() {
        let mut rows: Vec<TripletRow> = (0..40).map(|i| row(i, "thin", REWRITTEN)).collect();
        rows.extend((40..60).map(|i| row(i, "usual", "passive")));
        rows.push(row(60, "thinner", REWRITTEN));
        let drawn = sample(&rows);
        assert_eq!(drawn.len(), SAMPLE);
        assert!(drawn.contains(&TripletId(60)));
        assert!(drawn.iter().all(|id| id.0 < 40 || id.0 == 60), "{drawn:?}");
        rows.reverse();
        assert_eq!(sample(&rows), drawn);
        assert_eq!(sample(&rows[1..21]), Vec::new());
    }
}
