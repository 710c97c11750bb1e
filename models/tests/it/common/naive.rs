//! The losses of the stages, computed without saving any work: every text by itself (or padded to the longest), logits
//! for every token, and libtorch's own graph. The product must compute the same number and the same gradient with less
//! work.
#![allow(dead_code, clippy::unwrap_used)] // Included by a test and by a benchmark; each uses its own part.

use lexforge_models::adapters::lora::Pass;
use lexforge_models::architectures::decoder::{Attention, Decoder};
use lexforge_models::architectures::packing::Packed;
use lexforge_models::decoding::language::{Exchange, LanguageModel};
use lexforge_models::losses::infonce::Comparison;
use lexforge_models::losses::token_loss::TokenItem;
use tch::{Device, Kind, Tensor};

/// Vectors of a text that is computed by itself: `[tokens, hidden]`.
fn hidden(decoder: &dyn Decoder, ids: &[u32], attention: Attention) -> Tensor {
    let packed = Packed::of(&[ids], decoder.device()).unwrap();
    decoder.hidden(&packed, attention, Pass::Train).unwrap()
}

/// Logits of a text that is read by itself: `[tokens, vocabulary]`.
pub fn logits_of(model: &LanguageModel, ids: &[u32]) -> Tensor {
    let decoder = model.decoder.as_ref();
    let packed = Packed::of(&[ids], decoder.device()).unwrap();
    let hidden = decoder.hidden(&packed, Attention::Causal, Pass::Infer);
    decoder.logits(&hidden.unwrap()).unwrap()
}

/// Log-probabilities of the token after each of a text's: `[tokens, vocabulary]`.
fn logs(decoder: &dyn Decoder, ids: &[u32]) -> Tensor {
    let logits = decoder
        .logits(&hidden(decoder, ids, Attention::Causal))
        .unwrap();
    logits.to_kind(Kind::Float).log_softmax(-1, Kind::Float)
}

/// `Σ log p` of some tokens of a text, from its log-probabilities.
fn spoken(logs: &Tensor, ids: &[u32], tokens: std::ops::Range<usize>) -> Tensor {
    let places: Vec<i64> = tokens.clone().map(|token| token as i64 - 1).collect();
    let wanted: Vec<i64> = ids[tokens].iter().map(|&id| i64::from(id)).collect();
    let rows = logs.index_select(0, &Tensor::from_slice(&places));
    rows.gather(1, &Tensor::from_slice(&wanted).unsqueeze(1), false)
        .sum(Kind::Float)
}

/// The mean negative log-likelihood of answers, every text by itself.
pub fn answers(decoder: &dyn Decoder, items: &[Exchange]) -> Tensor {
    let of = |item: &Exchange| {
        let tokens = item.answer.max(1)..item.ids.len();
        let length = tokens.len() as f64;
        -spoken(&logs(decoder, &item.ids), &item.ids, tokens) / length
    };
    Tensor::stack(&items.iter().map(of).collect::<Vec<_>>(), 0).mean(Kind::Float)
}

/// The mean negative log-likelihood of answers, with all texts padded to the longest. (Tokens before the padding do not
/// see it.)
pub fn padded_answers(decoder: &dyn Decoder, items: &[Exchange]) -> Tensor {
    let longest = items.iter().map(|item| item.ids.len()).max().unwrap();
    let padded: Vec<Vec<u32>> = items
        .iter()
        .map(|item| {
            item.ids
                .iter()
                .copied()
                .chain(std::iter::repeat(0))
                .take(longest)
                .collect()
        })
        .collect();
    let texts: Vec<&[u32]> = padded.iter().map(Vec::as_slice).collect();
    let packed = Packed::of(&texts, decoder.device()).unwrap();
    let all = decoder
        .hidden(&packed, Attention::Causal, Pass::Train)
        .unwrap();
    let logs = decoder
        .logits(&all)
        .unwrap()
        .to_kind(Kind::Float)
        .log_softmax(-1, Kind::Float);
    let of = |(row, item): (usize, &Exchange)| {
        let tokens = item.answer.max(1)..item.ids.len();
        let length = tokens.len() as f64;
        let own = logs.narrow(0, (row * longest) as i64, longest as i64);
        -spoken(&own, &item.ids, tokens) / length
    };
    Tensor::stack(&items.iter().enumerate().map(of).collect::<Vec<_>>(), 0).mean(Kind::Float)
}

/// The token stage's `candidates` loss, question and each sentence by itself.
pub fn candidates(decoder: &dyn Decoder, items: &[TokenItem]) -> Tensor {
    let of = |item: &TokenItem| {
        let right = logs(decoder, &item.ids);
        let sentence = item.answer.max(1)..item.ids.len();
        let length = sentence.len() as f64;
        let positive = -spoken(&right, &item.ids, sentence) / length;
        let mut scores = vec![spoken(&right, &item.ids, item.scored.clone())];
        let mut penalties = Vec::new();
        for wrong in &item.wrong {
            let own = logs(decoder, &wrong.ids);
            scores.push(spoken(&own, &wrong.ids, wrong.scored.clone()));
            let p: Tensor = spoken(&own, &wrong.ids, wrong.divergence..wrong.divergence + 1).exp();
            penalties.push(-(-p).log1p());
        }
        let contest = -Tensor::stack(&scores, 0).log_softmax(0, Kind::Float).get(0);
        positive + contest + Tensor::stack(&penalties, 0).mean(Kind::Float)
    };
    Tensor::stack(&items.iter().map(of).collect::<Vec<_>>(), 0).mean(Kind::Float)
}

/// The sentence stage's loss over mean-pooled vectors, every text of every item by itself, also where items share one.
pub fn comparison(
    decoder: &dyn Decoder,
    comparison: &Comparison,
    texts: &[&[u32]],
    temperature: f64,
) -> Tensor {
    let vector = |row: &i64| {
        let text = texts[comparison.texts[*row as usize]];
        let mean = hidden(decoder, text, Attention::Bidirectional)
            .to_kind(Kind::Float)
            .mean_dim(0, false, Kind::Float);
        &mean / mean.norm()
    };
    let width = comparison.texts.len();
    let losses = comparison
        .questions
        .iter()
        .zip(&comparison.answers)
        .zip(comparison.in_sum.chunks(width))
        .map(|((question, answer), inside)| {
            let question = vector(question);
            let score = |row: i64| (&question * vector(&row)).sum(Kind::Float) / temperature;
            let all: Vec<Tensor> = (0..width as i64)
                .filter(|&row| inside[row as usize])
                .map(score)
                .collect();
            Tensor::stack(&all, 0).logsumexp(0, false) - score(*answer)
        });
    Tensor::stack(&losses.collect::<Vec<_>>(), 0).mean(Kind::Float)
}

/// `Σ log p` of answers after one prompt. For each answer, prompt and answer are computed together. `texts` are these
/// texts, `first` is the first token that is scored.
pub fn answer_logs(decoder: &dyn Decoder, texts: &[&[u32]], first: usize) -> Vec<f64> {
    let _no_grad = tch::no_grad_guard();
    texts
        .iter()
        .map(|&ids| {
            let packed = Packed::of(&[ids], Device::Cpu).unwrap();
            let all = decoder
                .hidden(&packed, Attention::Causal, Pass::Infer)
                .unwrap();
            let logs = decoder
                .logits(&all)
                .unwrap()
                .to_kind(Kind::Float)
                .log_softmax(-1, Kind::Float);
            spoken(&logs, ids, first..ids.len()).double_value(&[])
        })
        .collect()
}
