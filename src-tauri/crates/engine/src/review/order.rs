//! The order of the review: the worth of a decision about each item.

use super::filled;
use super::settings::FIRST_IN_REVIEW;
use crate::models::is_counted;
use lexforge_domain::api::{QueueFilter, TripletFilter, TripletMaker};
use lexforge_domain::qca::{QuestionSource, Split};
use lexforge_domain::review::{Subject, SubjectKind};
use lexforge_domain::term::{FoundBy, ReviewStatus};
use lexforge_domain::text::Language;
use lexforge_domain::{QcaId, TermId, TripletId};
use lexforge_store::{QuestionRank, Reader, TermRank};
use std::collections::{HashMap, HashSet};

/// The value used if a term has no near other term.
const ALONE: f64 = 0.4;
/// Below this probability a term is offered to be rejected with the others like it.
const DOUBTFUL: f64 = 0.2;

/// Terms, the ones most worth a decision first. The worth grows with three things: the probability that the candidate
/// is a term, the score of the nearest term it could be confused with, and the logarithm of its mentions. Candidates
/// that are probably not terms come last; [`doubtful`] lists these first, so that they can be rejected together.
pub(super) fn terms(r: &Reader, filter: &QueueFilter) -> lexforge_store::Result<Vec<Subject>> {
    let ranks = r.term_ranks()?;
    let mentioned = filter
        .document
        .map(|document| r.terms_in(document))
        .transpose()?;
    let near = nearness(r, &ranks)?;
    let mut valued: Vec<(f64, TermId)> = probabilities(&ranks)
        .zip(&ranks)
        .filter(|(_, t)| fits(filter, t, mentioned.as_ref()))
        .map(|(p, t)| {
            let nearest = near.get(&t.id).copied().unwrap_or(0.0);
            (worth(p, nearest, t.mentions), t.id)
        })
        .collect();
    valued.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Ok(valued
        .into_iter()
        .map(|(_, id)| Subject::term(id))
        .collect())
}

/// Candidates that are probably not terms, the most doubtful first: proposed by counting or by a model, undecided, and
/// with a score among the lowest of their kind.
pub(super) fn doubtful(r: &Reader, filter: &QueueFilter) -> lexforge_store::Result<Vec<Subject>> {
    let ranks = r.term_ranks()?;
    let mentioned = filter
        .document
        .map(|document| r.terms_in(document))
        .transpose()?;
    let mut found: Vec<(f64, TermId)> = probabilities(&ranks)
        .zip(&ranks)
        .filter(|(p, t)| {
            *p < DOUBTFUL
                && t.status == ReviewStatus::Unreviewed
                && matches!(t.found, FoundBy::Phrase | FoundBy::Model)
                && fits(filter, t, mentioned.as_ref())
        })
        .map(|(p, t)| (p, t.id))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    Ok(found.into_iter().map(|(_, id)| Subject::term(id)).collect())
}

/// The worth of a decision about a candidate for a term. It grows with the probability that the candidate is a term,
/// with the score of the nearest other term, and with the number of mentions. The probability counts twice. If a
/// candidate is not a term, the time spent on it is lost, even if it is frequent and near another term.
fn worth(probability: f64, nearest: f64, mentions: u32) -> f64 {
    probability * probability * (ALONE + nearest) * f64::from(mentions).ln_1p()
}

/// For each term the score of the nearest other that is still a term.
fn nearness(r: &Reader, ranks: &[TermRank]) -> lexforge_store::Result<HashMap<TermId, f64>> {
    let gone: HashSet<TermId> = ranks.iter().filter(|t| is_gone(t)).map(|t| t.id).collect();
    let mut nearest: HashMap<TermId, f64> = HashMap::new();
    for pair in r.nearest_confusables()? {
        if gone.contains(&pair.a) || gone.contains(&pair.b) {
            continue;
        }
        for term in [pair.a, pair.b] {
            let known = nearest.entry(term).or_insert(0.0);
            *known = known.max(f64::from(pair.score));
        }
    }
    Ok(nearest)
}

/// Whether a term was rejected or is another name now.
fn is_gone(term: &TermRank) -> bool {
    matches!(term.status, ReviewStatus::Rejected | ReviewStatus::Merged)
}

/// Whether terms of two languages can be compared by their vectors. Vectors made by counting cannot be compared in this
/// way: they compare spellings, and pairs with a similar spelling are listed within their own language already.
pub(super) fn compares(r: &Reader) -> lexforge_store::Result<impl Fn(Language, Language) -> bool> {
    let parts = r.latest_graph()?.map(|g| g.stats.parts).unwrap_or_default();
    Ok(move |one: Language, other: Language| {
        parts.iter().any(|part| {
            !is_counted(&part.encoder)
                && part.languages.contains(&one)
                && part.languages.contains(&other)
        })
    })
}

fn fits(filter: &QueueFilter, term: &TermRank, mentioned: Option<&HashSet<TermId>>) -> bool {
    filter.class.as_ref().is_none_or(|c| *c == term.class)
        && filter.found.is_none_or(|f| f == term.found)
        && filter.language.is_none_or(|l| l == term.language)
        && mentioned.is_none_or(|m| m.contains(&term.id))
}

/// For each term, in order of its score, the probability that a reviewer accepts it. It depends on the method that
/// found the term, and on the term's rank among the scores of that method.
fn probabilities(ranks: &[TermRank]) -> impl Iterator<Item = f64> {
    let mut of: HashMap<FoundBy, (f64, f64)> = HashMap::new();
    for term in ranks {
        of.entry(term.found).or_default().1 += 1.0;
    }
    ranks.iter().map(move |term| {
        let (best, worst) = match term.found {
            FoundBy::Person => (0.99, 0.99),
            FoundBy::Glossary => (0.97, 0.97),
            FoundBy::Defined => (0.98, 0.9),
            FoundBy::Abbreviation => (0.95, 0.7),
            FoundBy::Model => (0.9, 0.5),
            FoundBy::Phrase => (0.9, 0.1),
        };
        let (before, all) = of.entry(term.found).or_default();
        let place = *before / (*all - 1.0).max(1.0);
        *before += 1.0;
        best + (worst - best) * place
    })
}

/// Pairs of similar terms. Pairs of nearer and more frequent terms come first, because confusing them would cost more.
/// Pairs with a rejected or merged term are left out, unless somebody decided about the pair.
pub(super) fn pairs(r: &Reader, filter: &QueueFilter) -> lexforge_store::Result<Vec<Subject>> {
    let ranks: HashMap<TermId, TermRank> = r.term_ranks()?.into_iter().map(|t| (t.id, t)).collect();
    let mentioned = filter
        .document
        .map(|document| r.terms_in(document))
        .transpose()?;
    let decided: HashSet<Subject> = r
        .verdicts(SubjectKind::Pair)?
        .into_iter()
        .map(|(subject, _)| subject)
        .collect();
    let compares = compares(r)?;
    let similar = r.similar_entities()?.into_iter().filter(|p| {
        let language = |id| ranks.get(&id).map(|t: &TermRank| t.language);
        matches!((language(p.a), language(p.b)), (Some(a), Some(b)) if compares(a, b))
    });
    let mut valued: Vec<(f64, Subject)> = Vec::new();
    let mut listed: HashSet<Subject> = HashSet::new();
    let found = r
        .confusables(0)?
        .into_iter()
        .map(|p| (Subject::pair(p.a, p.b), f64::from(p.score)));
    let near = found.chain(similar.map(|p| (Subject::pair(p.a, p.b), f64::from(p.cosine))));
    for (subject, cosine) in near.chain(decided.iter().map(|subject| (*subject, 0.0))) {
        let Subject::Pair { a, b } = subject else {
            continue;
        };
        let (Some(one), Some(other)) = (ranks.get(&a), ranks.get(&b)) else {
            continue;
        };
        let wanted =
            fits(filter, one, mentioned.as_ref()) || fits(filter, other, mentioned.as_ref());
        let open = !(is_gone(one) || is_gone(other)) || decided.contains(&subject);
        if wanted && open && listed.insert(subject) {
            valued.push((
                cosine * f64::from(one.mentions.min(other.mentions)).ln_1p(),
                subject,
            ));
        }
    }
    valued.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    Ok(valued.into_iter().map(|(_, subject)| subject).collect())
}

/// Questions in the order of review. First comes the sample: some of the questions that were written last, which a
/// person should look at first. Then come the questions on which figures are computed (test part, then dev part), and
/// then the others. Within a part, the questions that a model wrote come first.
pub(super) fn questions(r: &Reader, filter: &QueueFilter) -> lexforge_store::Result<Vec<Subject>> {
    let languages: HashMap<_, Language> = r
        .documents()?
        .into_iter()
        .map(|d| (d.id, d.language))
        .collect();
    let mut ranks = r.question_ranks()?;
    ranks.retain(|q| {
        filter.document.is_none_or(|d| d == q.document)
            && filter
                .language
                .is_none_or(|l| languages.get(&q.document) == Some(&l))
    });
    let sample: Vec<QcaId> = r.json_setting(FIRST_IN_REVIEW)?.unwrap_or_default();
    let place: HashMap<QcaId, usize> = sample.into_iter().zip(0..).collect();
    let value = |q: &QuestionRank| {
        (
            place.get(&q.id).copied().unwrap_or(usize::MAX),
            part(q.split),
            q.source == QuestionSource::Offline,
            q.id,
        )
    };
    ranks.sort_by_key(value);
    Ok(ranks.into_iter().map(|q| Subject::question(q.id)).collect())
}

/// Triplets in the order of review. First comes the sample of triplets that were made because there were few of their
/// kind of change (shift). Then come the triplets used for measuring, and then those used for training. Among the
/// triplets for training, those that a model wrote come first.
pub(super) fn triplets(r: &Reader, filter: &QueueFilter) -> lexforge_store::Result<Vec<Subject>> {
    let mut rows = r.triplets(&TripletFilter::default())?.rows;
    let sample = filled::sample(&rows);
    let place: HashMap<TripletId, usize> = sample.into_iter().zip(0..).collect();
    rows.retain(|row| {
        let language = row.triplet.language;
        filter.document.is_none_or(|d| row.document == Some(d))
            && filter.language.is_none_or(|wanted| wanted == language)
    });
    rows.sort_by_key(|row| {
        let offline = row.triplet.origin.by == TripletMaker::Offline;
        let first = place.get(&row.id).copied().unwrap_or(usize::MAX);
        (first, part(row.triplet.split), offline, row.id)
    });
    Ok(rows
        .into_iter()
        .map(|row| Subject::triplet(row.id))
        .collect())
}

/// Pairs of sentences in the order in which they were chosen; this order does not show how alike they are.
pub(super) fn similarity(r: &Reader, filter: &QueueFilter) -> lexforge_store::Result<Vec<Subject>> {
    let mut pairs = r.similarity_pairs()?;
    pairs.retain(|(_, pair)| {
        let places = [&pair.one_place, &pair.other_place];
        filter
            .document
            .is_none_or(|d| places.iter().any(|place| place.document == d))
            && filter
                .language
                .is_none_or(|language| language == pair.language)
    });
    Ok(pairs
        .into_iter()
        .map(|(id, _)| Subject::similarity(id))
        .collect())
}

/// The parts by which figures are taken come first.
fn part(split: Split) -> u8 {
    match split {
        Split::Test => 0,
        Split::Dev => 1,
        Split::Train => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(id: i64, found: FoundBy) -> TermRank {
        TermRank {
            id: TermId(id),
            found,
            score: 100.0 - id as f64,
            mentions: 10,
            language: Language::En,
            class: String::new(),
            status: ReviewStatus::Unreviewed,
        }
    }

    #[test]
    fn what_is_probably_a_term_and_near_another_comes_first() {
        let ranks: Vec<TermRank> = (0..101)
            .map(|i| rank(i, FoundBy::Phrase))
            .chain([rank(101, FoundBy::Defined)])
            .collect();
        let found: Vec<f64> = probabilities(&ranks).collect();
        for (place, expected) in [(0, 0.9), (50, 0.5), (100, 0.1), (101, 0.98)] {
            assert!((found[place] - expected).abs() < 1e-9, "{place}");
        }
        let order = [
            worth(0.9, 0.8, 10),
            worth(0.9, 0.2, 10),
            worth(0.9, 0.0, 10),
            worth(0.5, 0.8, 10),
            worth(0.1, 0.9, 1_000),
        ];
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
    }
}
