//! Systems that count words and learn no language: TF-IDF, LSA, BM25.

use crate::models::LSA_DIM;
use crate::training::FrozenItem;
use crate::workspace::DEFAULT_SEED;
use lexforge_domain::protocol::ScoreLine;
use lexforge_evaluate::bm25::Bm25;
use lexforge_graph::lsa;
use lexforge_graph::tfidf::TfIdf;

/// How words are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Cosine of words weighted by how rare they are in the corpus.
    TfIdf,
    /// Cosine on the main directions of the corpus' runs of characters.
    Lsa,
    /// BM25 of the choice for the question.
    Bm25,
}

impl Method {
    pub(super) const ALL: [Self; 3] = [Self::TfIdf, Self::Lsa, Self::Bm25];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::TfIdf => "tfidf",
            Self::Lsa => "lsa",
            Self::Bm25 => "bm25",
        }
    }
}

/// The name under which the pace of a method is kept. It goes by the number of sentences that the method is fitted to.
pub(super) fn pace(method: Method, corpus: usize) -> String {
    format!("{} of {corpus} sentences", method.name())
}

/// How near each choice is to its question; fitted to the sentences of the corpus.
pub(super) fn lines(method: Method, items: &[FrozenItem], corpus: &[String]) -> Vec<ScoreLine> {
    let texts: Vec<&str> = corpus.iter().map(String::as_str).collect();
    match method {
        Method::TfIdf => {
            let model = TfIdf::fit(&texts);
            each(items, |question, choices| {
                let cosines = model.cosines(question, choices);
                cosines.into_iter().map(f64::from).collect()
            })
        }
        Method::Bm25 => {
            let model = Bm25::fit(texts.iter().copied());
            each(items, |question, choices| {
                choices.iter().map(|c| model.score(question, c)).collect()
            })
        }
        Method::Lsa => {
            let (basis, _) = lsa::fitted(&texts, LSA_DIM, DEFAULT_SEED);
            each(items, |question, choices| {
                let mut all = vec![question];
                all.extend(choices);
                let vectors = basis.vectors(&all);
                let dot = |i: usize| {
                    let both = vectors.row(0).iter().zip(vectors.row(i));
                    both.map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
                };
                (1..all.len()).map(dot).collect()
            })
        }
    }
}

fn each(items: &[FrozenItem], score: impl Fn(&str, &[&str]) -> Vec<f64>) -> Vec<ScoreLine> {
    items
        .iter()
        .map(|item| {
            let draft = &item.question.draft;
            let choices: Vec<&str> = draft.choices.iter().map(String::as_str).collect();
            ScoreLine {
                id: item.question.id.0,
                cosine: score(&draft.question, &choices),
                ..ScoreLine::default()
            }
        })
        .collect()
}
