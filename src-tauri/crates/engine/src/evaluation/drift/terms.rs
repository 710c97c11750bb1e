//! The gap of terms: sentences of one document that share a term are nearer than those that share none.

use super::day::day;
use super::material::WithTerms;
use crate::evaluation::texts::dot;
use lexforge_domain::drift::DocumentTerms;

/// The pairs of sentences of a document; `vector` gives a sentence's vector.
pub(super) fn terms_of<'v>(
    of: &WithTerms,
    vector: impl Fn(&str) -> Option<&'v [f32]>,
) -> DocumentTerms {
    let mut found = DocumentTerms {
        key: of.key.clone(),
        at: of.at.clone(),
        ..DocumentTerms::default()
    };
    let placed: Vec<_> = of
        .sentences
        .iter()
        .filter_map(|(text, terms)| Some((vector(text)?, terms)))
        .collect();
    for (i, (one, terms)) in placed.iter().enumerate() {
        for (other, others) in &placed[i + 1..] {
            let cosine = dot(one, other);
            if terms.is_disjoint(others) {
                found.other += cosine;
                found.other_pairs += 1;
            } else {
                found.shared += cosine;
                found.shared_pairs += 1;
            }
        }
    }
    found
}

/// The gap of the documents that came after a day, and of those before; `None` where there are no such pairs.
pub(super) fn gaps(all: &[&DocumentTerms], since: f64) -> [Option<f64>; 2] {
    let (recent, before): (Vec<&DocumentTerms>, Vec<&DocumentTerms>) =
        all.iter().copied().partition(|d| day(&d.at) > since);
    [gap(&recent), gap(&before)]
}

fn gap(of: &[&DocumentTerms]) -> Option<f64> {
    let sum = |each: fn(&DocumentTerms) -> f64| of.iter().map(|d| each(d)).sum::<f64>();
    let (shared, others) = (
        sum(|d| f64::from(d.shared_pairs)),
        sum(|d| f64::from(d.other_pairs)),
    );
    let known = shared > 0.0 && others > 0.0;
    known.then(|| sum(|d| d.shared) / shared - sum(|d| d.other) / others)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use lexforge_domain::TermId;

    #[test]
    fn sentences_that_share_a_term_are_compared_with_those_that_share_none() {
        let vectors: [(&str, [f32; 2]); 3] =
            [("a", [1.0, 0.0]), ("b", [0.8, 0.6]), ("c", [0.0, 1.0])];
        let of = |terms: [&[i64]; 3]| WithTerms {
            key: "document 1".to_owned(),
            at: "2026-03-02T12:00:00Z".to_owned(),
            sentences: vectors
                .iter()
                .zip(terms)
                .map(|((text, _), terms)| {
                    (
                        (*text).to_owned(),
                        terms.iter().copied().map(TermId).collect(),
                    )
                })
                .collect(),
        };
        let vector = |text: &str| {
            let found = vectors.iter().find(|(t, _)| *t == text)?;
            Some(&found.1[..])
        };
        let found = terms_of(&of([&[1, 2], &[2], &[3]]), vector);
        assert_eq!((found.shared_pairs, found.other_pairs), (1, 2));
        let [recent, before] = gaps(&[&found], day("2026-03-01T12:00:00Z"));
        assert!((recent.unwrap() - (0.8 - 0.3)).abs() < 1e-6 && before.is_none());
        let none = terms_of(&of([&[1], &[2], &[3]]), vector);
        assert_eq!(gaps(&[&none], 0.0), [None, None]);
    }
}
