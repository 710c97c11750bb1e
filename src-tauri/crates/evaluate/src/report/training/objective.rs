//! What the stages of a training learnt, in words.

use lexforge_domain::protocol::{Objective, Pooling, QuestionForm, TokenLossKind, TripletLoss};

pub(super) fn objective(objective: &Objective) -> Vec<(&'static str, String)> {
    match objective {
        Objective::Sft { form, replay } => {
            let form = match form {
                QuestionForm::Choices => "with choices",
                QuestionForm::Open => "without choices",
                QuestionForm::Both => "with and without choices",
            };
            vec![(
                "Loss",
                format!("likelihood of the answer, questions {form}, {replay} plain text"),
            )]
        }
        Objective::PlainText => vec![("Loss", "likelihood of the rules' text".to_owned())],
        Objective::MaskedNextToken { share } => {
            vec![(
                "Loss",
                format!("masked tokens ({share}) from the position before"),
            )]
        }
        Objective::MaskedWords(masked) => vec![(
            "Loss",
            format!("masked words ({}) from their own places", masked.share),
        )],
        Objective::Denoising(denoising) => vec![(
            "Loss",
            format!(
                "sentences restored from their vectors, words deleted with probability {}",
                denoising.share
            ),
        )],
        Objective::Retrieval(r) => {
            let mut rows = vec![
                (
                    "Loss",
                    "InfoNCE over questions and the clauses that answer them".to_owned(),
                ),
                (
                    "Negatives",
                    format!("the batch's and {} mined ones a question", r.negatives),
                ),
                ("Temperature", r.temperature.to_string()),
            ];
            rows.extend(r.distillation.map(|how| {
                let (share, list, temperature) = (how.share, how.list, how.temperature);
                let words =
                    format!("{share} of the loss, lists of {list}, temperature {temperature}");
                ("Ranking of the search", words)
            }));
            rows
        }
        Objective::Triplets(t) => vec![
            (
                "Loss",
                match t.loss {
                    TripletLoss::Triplet => "a rewording against what differs in meaning",
                    TripletLoss::MultipleNegatives => {
                        "a rewording against what differs in meaning, and against the batch's (masked)"
                    }
                    TripletLoss::MarginMse if t.of_cosines => {
                        "the margins of a teacher as differences of cosines, by squared error"
                    }
                    TripletLoss::MarginMse => "the margins of a teacher, by squared error",
                }
                .to_owned(),
            ),
            ("Temperature", t.temperature.to_string()),
        ],
        Objective::Rerank(r) => vec![
            (
                "Loss",
                "softmax over a question's passages, each read with it".to_owned(),
            ),
            ("Negatives", format!("{} of the question's own", r.negatives)),
        ],
        Objective::Sentence(s) => {
            let pooling = match s.pooling {
                Pooling::Mean => "mean over real tokens",
                Pooling::Cls => "first token",
                Pooling::Last => "last token",
                Pooling::Max => "largest of each number over tokens",
                Pooling::MeanSqrt => "sum over the root of the number of tokens",
                Pooling::WeightedMean => "mean over tokens weighted by their places",
            };
            let negatives = if s.in_batch {
                "own wrong choices and those of the batch (masked)"
            } else {
                "own wrong choices"
            };
            vec![
                ("Loss", format!("InfoNCE, τ {}", s.temperature)),
                ("Negatives", negatives.to_owned()),
                ("Pooling", pooling.to_owned()),
            ]
        }
        Objective::Token { loss } => {
            let loss = match loss {
                TokenLossKind::Candidates => {
                    "contest of the candidates, penalty at the divergence, likelihood"
                }
                TokenLossKind::Divergence => "penalty at the divergence, likelihood",
                TokenLossKind::Paper => "as published (Eq. 2)",
            };
            vec![("Loss", loss.to_owned())]
        }
        Objective::Joint {
            temperature,
            sentence,
            token,
            term_layer,
            ..
        } => {
            let layer = term_layer.map_or("the last".to_owned(), |n| n.to_string());
            vec![
                (
                    "Loss",
                    format!(
                        "InfoNCE, τ {temperature}, {sentence} sentence level + {token} token level"
                    ),
                ),
                ("Terms are read after layer", layer),
            ]
        }
        Objective::ContrastiveToken => vec![("Loss", "contrastive token learning".to_owned())],
        Objective::Gritlm(s) => vec![(
            "Loss",
            format!(
                "likelihood of the answer, and InfoNCE over mean vectors, τ {}, in one pass",
                s.temperature
            ),
        )],
    }
}
