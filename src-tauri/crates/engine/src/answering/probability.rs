//! How likely it is that the best clause answers the question.

mod absent;

use super::share::share;
use crate::models::Shipped;
use absent::{Asked, absent, least_covered, most_absent};
use lexforge_evaluate::logistic::Logistic;
use lexforge_store::{ClauseHit, ClauseRanking};
use lexforge_text::asked;

/// Questions below this probability get no answer, unless another threshold was measured in the workspace. This value
/// was tried on the questions that are named at the weights below. If the documents hold an answer, 54 to 61 % of the
/// questions are answered, nine in ten of them with a right clause. If the rulebook is missing, 16 % are answered.
pub(super) const SHIPPED_THRESHOLD: f64 = 0.6;

/// How well the best clauses fit a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Features {
    /// The best score of words as a share of that of a clause with every word and every pair of words of the question.
    words: f64,
    /// The largest share of the question's words, weighed by how rare they are, in one of the first three clauses.
    covered: f64,
    /// The share of the question's pairs of words.
    pairs: f64,
    /// The difference between the first and the tenth score of words.
    words_fall: f64,
    /// Three figures: the best cosine; by how much the tenth fused score lies below the first; and by how much the
    /// tenth cosine lies below the first. `None` if no vectors are searched.
    vectors: Option<[f64; 3]>,
    /// Whether the question is about something that the documents do not treat, because too many of its words occur in
    /// no clause. Also true if the question refers back to something that was said before it.
    of_something_else: bool,
    /// The clauses that stand first.
    first: Vec<u32>,
    /// The best clauses have less than half of a short question.
    barely_covered: bool,
    /// The cosine of the clause that stands first; `None` if no vectors are searched.
    cosine_of_first: Option<f64>,
    /// By how much the second fused score lies below the first.
    lead: f64,
    /// The documents know the thing that the question ends with, and the first clause does not speak of it.
    lacks_the_thing: bool,
    /// The question asks only what a term means, which rights somebody has, or who has a role, and no clause says it.
    pub(super) lacks_what_is_asked: bool,
    /// A sentence says outright what is asked: who has the duty, from when the act applies, what a breach costs,
    /// which right somebody has.
    pub(super) outright: bool,
    /// Whether one of two things holds: the question asks what a term means and one of the found clauses defines the
    /// term, or the question names a clause and this clause was found.
    pub(super) certain: bool,
}

/// The probability of an answer if the clause defines the term whose meaning is asked for, or if the question names the
/// clause.
const CERTAIN: f64 = 0.95;

/// The probability of an answer is at least this if a sentence says outright what is asked.
const OUTRIGHT: f64 = 0.75;

/// The cosine from which a sentence says in other words what is asked.
const MEANS_THE_SAME: f64 = 0.6;
/// This bound for an encoder that gives high cosines to any two texts.
const MEANS_THE_SAME_HIGH: f64 = 0.95;
/// A question with more different words is not short: its many words describe the subject in several ways.
const SHORT: usize = 8;
/// The most that such a question gets.
const OF_SOMETHING_ELSE: f64 = 0.4;
/// The probability by vectors may be at least this and still too low for an answer. Then the question is answered on
/// two conditions: the words alone allow an answer, and one clause is clearly better than the others.
///
/// Measured in a prototype on 781 everyday questions of up to sixteen words (ConditionalQA, with MiniLM). With this
/// rule and the rule of [`FAR`] there are 458 answers, 380 of them from the right page; without the rules, 457 and 372.
/// If the right page is left out, 173 of the questions get an answer with the rules, and 176 without them.
const NEARLY: f64 = 0.55;
/// A clause leads if the second fused score lies at least this much below its own.
const LEADS: f64 = 0.05;
/// If the first clause has a lower cosine than this, it contains the words of the question but may mean something else.
/// So it must have a clearly better score than the other clauses.
const FAR: f64 = 0.5;
/// A clause stands out if the tenth fused score lies at least this much below the first.
const STANDS_OUT: f64 = 0.35;

/// The rank that the first is compared with.
const TEN: usize = 10;

/// By how much the tenth of a list lies below the first; where there are fewer, the last.
fn fall(scores: impl Iterator<Item = f64>) -> f64 {
    let ten: Vec<f64> = scores.take(TEN).collect();
    match (ten.first(), ten.last()) {
        (Some(first), Some(last)) => first - last,
        _ => 0.0,
    }
}

impl Features {
    /// The features of a question's rankings; `fused` is the ranking by words and vectors together.
    pub fn of(words: &ClauseRanking, near: Option<&[(u32, f64)]>, fused: &[(u32, f64)]) -> Self {
        let best = words.hits.first().map_or(0.0, |hit| hit.score);
        let first_three = || {
            fused
                .iter()
                .take(3)
                .filter_map(|(clause, _)| words.hits.iter().find(|hit| hit.clause == *clause))
        };
        let largest = |weights: &[f64], of: fn(&ClauseHit) -> &Vec<bool>| {
            first_three()
                .map(|hit| share(weights, of(hit)))
                .fold(0.0, f64::max)
        };
        let covered = largest(&words.words, |hit| &hit.words);
        Self {
            words: if words.ideal > 0.0 {
                best / words.ideal
            } else {
                0.0
            },
            covered,
            pairs: largest(&words.pairs, |hit| &hit.pairs),
            // With fewer than ten clauses there is no tenth score. Then this figure is the share of the question's
            // words that one of the first clauses contains. If this share is large, it is a good sign that only few
            // clauses were found.
            words_fall: if words.hits.len() < TEN {
                covered
            } else {
                fall(words.hits.iter().map(|hit| hit.score / best.max(1e-9)))
            },
            vectors: near.map(|near| {
                [
                    near.first().map_or(0.0, |n| n.1),
                    fall(fused.iter().map(|f| f.1)),
                    fall(near.iter().map(|n| n.1)),
                ]
            }),
            of_something_else: false,
            first: fused.iter().take(3).map(|one| one.0).collect(),
            barely_covered: false,
            cosine_of_first: near.zip(fused.first()).and_then(|(near, first)| {
                let found = near.iter().find(|one| one.0 == first.0);
                found.map(|one| one.1)
            }),
            lead: match fused {
                [first, second, ..] => first.1 - second.1,
                _ => 0.0,
            },
            lacks_the_thing: false,
            lacks_what_is_asked: false,
            outright: false,
            certain: false,
        }
    }

    /// Adds to these figures whether the question is about something else. This depends on how many words of its
    /// subject occur in none of the clauses. `clauses` is the number of clauses.
    pub fn asked_about(mut self, subject: &str, words: &ClauseRanking, clauses: usize) -> Self {
        let asked = Asked::of(subject);
        // With only one word, every clause that has it would fit completely.
        let own = asked.helping.iter().filter(|helps| !**helps).count();
        self.of_something_else = (own <= 1 && asked::points_back(subject))
            || absent(&asked, words) > most_absent(clauses);
        let all_known = asked.words.len() == words.words.len();
        self.barely_covered = all_known
            && (1..=SHORT).contains(&own)
            && self.covered_of(&asked, words) < least_covered(clauses);
        self.lacks_the_thing = all_known && self.lacks_last_pair(subject, &asked, words);
        self
    }

    /// Whether three things hold. The question ends with a thing that is named by an article and two words ("a tax
    /// return"). These two words occur side by side in some clause. And the first clause contains neither of them, so
    /// it is about another thing. The article is required because two words without one may not name a thing ("take
    /// place").
    fn lacks_last_pair(&self, subject: &str, asked: &Asked, words: &ClauseRanking) -> bool {
        let [.., one, other] = asked.helping.as_slice() else {
            return false;
        };
        let last = asked.words.len() - 1;
        let written = subject.split(|c: char| !c.is_alphanumeric());
        let written: Vec<&str> = written.filter(|word| !word.is_empty()).collect();
        let is_thing = match written.as_slice() {
            [.., article, _, _] => {
                matches!(article.to_lowercase().as_str(), "a" | "an" | "the")
            }
            _ => false,
        };
        // Where a word is repeated, the last pair of the ranking may be another one.
        let is_repeated = lexforge_store::words(subject).len() != asked.words.len();
        if *one || *other || !is_thing || is_repeated {
            return false;
        }
        let has = |hit: &ClauseHit, word: usize| hit.words.get(word).is_some_and(|has| *has);
        let is_known = words
            .hits
            .iter()
            .any(|hit| hit.pairs.last() == Some(&true) && has(hit, last - 1) && has(hit, last));
        let first = self.first.first();
        let first = words.hits.iter().find(|hit| Some(&hit.clause) == first);
        is_known && first.is_some_and(|hit| !has(hit, last - 1) && !has(hit, last))
    }

    /// The largest share of the question's words that one of the first clauses contains. Words that only help to ask
    /// ("whom") do not count, because a rule need not contain them to answer.
    fn covered_of(&self, asked: &Asked, words: &ClauseRanking) -> f64 {
        let weighed = words.words.iter().zip(&asked.helping);
        let weights: Vec<f64> = weighed
            .map(|(weight, helps)| if *helps { 0.0 } else { *weight })
            .collect();
        let of_first = words
            .hits
            .iter()
            .filter(|hit| self.first.contains(&hit.clause));
        of_first
            .map(|hit| share(&weights, &hit.words))
            .fold(0.0, f64::max)
    }

    /// These figures, where it is known (`another`) whether the question is about something else.
    pub(crate) fn or_about_another(mut self, another: bool) -> Self {
        self.of_something_else |= another;
        self
    }

    /// The features as a row for the regression.
    pub fn row(&self) -> Vec<f64> {
        let mut row = vec![self.words, self.covered, self.pairs, self.words_fall];
        row.extend(self.vectors.into_iter().flatten());
        row
    }

    /// No word of the question stands anywhere.
    pub(crate) fn nothing_in_common(&self) -> bool {
        self.words <= 0.0 && self.vectors.is_none_or(|v| v[0] <= 0.0)
    }

    /// The probability by weights that were fitted, or by those that come with the product.
    pub fn probability(&self, fitted: Option<&Logistic>, encoder: Option<Shipped>) -> f64 {
        if self.nothing_in_common() {
            return 0.0;
        }
        if self.certain {
            return CERTAIN;
        }
        let probability = self.of_the_ranking(fitted, encoder);
        if self.outright {
            probability.max(OUTRIGHT)
        } else if self.lacks_what_is_asked {
            probability.min(OF_SOMETHING_ELSE)
        } else {
            probability
        }
    }

    /// The probability by the figures of the ranking.
    fn of_the_ranking(&self, fitted: Option<&Logistic>, encoder: Option<Shipped>) -> f64 {
        let row = self.row();
        let fitted = fitted.filter(|f| f.weights.len() == row.len());
        let is_shipped = fitted.is_none();
        let probability = match fitted {
            Some(fitted) => fitted.probability(&row),
            None => {
                let with_vectors = match encoder.filter(|_| self.vectors.is_some()) {
                    Some(Shipped::MiniLm) => Some(&WITH_MINILM),
                    Some(Shipped::Multilingual) => Some(&WITH_MULTILINGUAL),
                    None => None,
                };
                let fitted = with_vectors.map_or_else(|| shipped(&BY_WORDS), shipped);
                fitted.probability(&row)
            }
        };
        let same = match encoder.is_some_and(Shipped::cosines_lie_high) {
            true => MEANS_THE_SAME_HIGH,
            false => MEANS_THE_SAME,
        };
        let means_the_same = self.vectors.is_some_and(|v| v[0] >= same);
        // Clauses in other words can only be found by vectors.
        let by_words_alone = self.vectors.is_none();
        let is_another = self.of_something_else || (self.barely_covered && by_words_alone);
        if (is_another && !means_the_same) || self.lacks_the_thing {
            probability.min(OF_SOMETHING_ELSE)
        } else if is_shipped && encoder == Some(Shipped::MiniLm) {
            self.by_both(probability)
        } else {
            probability
        }
    }

    /// The probability with MiniLM (`by_vectors`), corrected by the probability from words alone and by the cosine of
    /// the first clause.
    fn by_both(&self, by_vectors: f64) -> f64 {
        let (Some(cosine), Some([_, falls, _])) = (self.cosine_of_first, self.vectors) else {
            return by_vectors;
        };
        if cosine < FAR && falls < STANDS_OUT {
            return by_vectors.min(OF_SOMETHING_ELSE);
        }
        let nearly = (NEARLY..SHIPPED_THRESHOLD).contains(&by_vectors);
        let is_another = self.of_something_else || self.barely_covered;
        if nearly && self.lead >= LEADS && !is_another {
            let of_words = [self.words, self.covered, self.pairs, self.words_fall];
            let by_words = shipped(&BY_WORDS).probability(&of_words);
            if by_words >= SHIPPED_THRESHOLD {
                return SHIPPED_THRESHOLD;
            }
        }
        by_vectors
    }
}

/// Weights and constant.
type Fitted<const N: usize> = ([f64; N], f64);

fn shipped<const N: usize>(fitted: &Fitted<N>) -> Logistic {
    Logistic {
        weights: fitted.0.to_vec(),
        constant: fitted.1,
    }
}

/// Fitted on 5,832 cases: questions about 40 rulebooks (ObliQA's development questions and others over the same
/// passages). Each question is asked twice: with all rulebooks, and without the rulebooks that answer it. A case is
/// judged rightly if the probability is above one half with the answer there, and below one half without it. By words
/// alone this is so for 71 % of the cases.
const BY_WORDS: Fitted<4> = ([2.387, 1.342, 1.726, 3.532], -3.109);
/// The weights with the untuned MiniLM: 74 % of the cases are judged rightly.
const WITH_MINILM: Fitted<7> = ([-0.721, 1.353, 2.342, 1.21, 7.891, 4.207, 1.324], -7.879);
/// The weights with multilingual-e5-small. The four weights of the words are half of those in `BY_WORDS`. Of the three
/// figures of the vectors only the best cosine counts.
///
/// Fitted on 762 everyday questions about Chinese statutes (STARD). Each question is asked twice: once with all acts,
/// and once without the acts that answer it. The probability is on the right side of one half in 64 % of the cases (59
/// % by words alone). At `SHIPPED_THRESHOLD`, 19 % of the questions whose act is missing still get an answer (32 % by
/// words alone). The other questions get an answer as often as by words alone.
///
/// Checked on 45 questions about regulations that were not used for fitting: 20 % of those whose act is missing get an
/// answer (47 % by words alone), and 89 % of the others do (84 % by words alone).
const WITH_MULTILINGUAL: Fitted<7> = ([1.194, 0.671, 0.863, 1.766, 36.52, 0.0, 0.0], -34.887);

#[cfg(test)]
mod tests;
