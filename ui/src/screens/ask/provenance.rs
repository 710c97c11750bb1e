//! What an answer was made with, so that it can be traced.

use super::figures::short_hash;
use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::{Answer, AnswerIndex, SearchMode};
use lexforge_domain::protocol::Pooling;

/// The model's name without how it reads, which is in brackets behind it and begins with the pooling.
pub fn model(encoder: &str) -> &str {
    const POOLINGS: [Pooling; 6] = [
        Pooling::Mean,
        Pooling::Cls,
        Pooling::Last,
        Pooling::Max,
        Pooling::MeanSqrt,
        Pooling::WeightedMean,
    ];
    match encoder.rsplit_once(" (") {
        Some((name, reads)) => {
            let first = reads.split([',', ')']).next();
            let is_pooling = POOLINGS.iter().any(|one| first == Some(one.tag()));
            if is_pooling { name } else { encoder }
        }
        None => encoder,
    }
}

/// What only a person who looks closer needs: how words were cut, and the whole name of the encoder.
fn details(index: &AnswerIndex) -> String {
    let parts = [index.tokeniser.as_str(), index.encoder.as_str()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}

/// How the clauses were searched, in words.
fn searched(index: &AnswerIndex) -> String {
    let how = match index.mode {
        SearchMode::Lexical => t("answering.by_words"),
        SearchMode::Dense => t("answering.by_vectors"),
        SearchMode::Hybrid => t("answering.by_both"),
    };
    let how = if index.encoder.is_empty() || index.mode == SearchMode::Lexical {
        how
    } else {
        format!("{how} ({})", model(&index.encoder))
    };
    let how = match &index.ranker {
        Some(ranker) => {
            let order = tf(
                "answering.ranked",
                &[("n", &format::count(ranker.questions))],
            );
            format!("{how}, {order}")
        }
        None => how,
    };
    match &index.rerank {
        Some(rerank) => {
            let (run, percent) = (rerank.run.to_string(), rerank.percent.to_string());
            let order = tf("answering.reranked", &[("n", &run), ("percent", &percent)]);
            format!("{how}, {order}")
        }
        None => how,
    }
}

/// Who put the answer together, in words.
fn made_by(model: &str) -> String {
    if model == "extractive" {
        t("answering.extractive")
    } else {
        tf("answering.made_by", &[("model", model)])
    }
}

/// The line under an answer.
#[component]
pub fn Provenance(answer: Answer) -> impl IntoView {
    let hash = |name: String, hash: String| {
        view! { <span>{name} " " <span class="mono" title=hash.clone()>{short_hash(&hash)}</span></span> }
    };
    let entry = answer
        .audit_entry
        .map(|n| view! { <span>{t("answering.audit_entry")} " " {format::count(n)}</span> });
    let written = answer.written.clone().map(|written| {
        let (statements, struck) = (written.statements.to_string(), written.struck.to_string());
        let figures = [
            ("model", written.model.as_str()),
            ("host", written.host.as_str()),
            ("statements", statements.as_str()),
            ("struck", struck.as_str()),
        ];
        view! { <span id="written-by">{tf("answering.written", &figures)}</span> }
    });
    view! {
        <div class="prov" id="provenance">
            <span>{made_by(&answer.model)}</span>
            {written}
            {answer.adapter.clone().map(|adapter| hash(t("answering.adapter"), adapter))}
            <span title=details(&answer.index)>{t("answering.searched")} " " {searched(&answer.index)}</span>
            {(!answer.corpus_hash.is_empty()).then(|| hash(t("answering.corpus"), answer.corpus_hash.clone()))}
            {entry}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::RunId;
    use lexforge_domain::api::{RankerName, RerankName};

    #[test]
    fn what_put_the_answer_together_is_named() {
        crate::i18n::speak(crate::i18n::Lang::En);
        assert!(made_by("extractive").contains("the clauses themselves"));
        assert!(made_by("Qwen3-8B").contains("Qwen3-8B"));
    }

    #[test]
    fn how_an_encoder_reads_stands_in_the_details_alone() {
        for (encoder, name) in [
            ("all-MiniLM-L6-v2 (mean)", "all-MiniLM-L6-v2"),
            (
                "base + adapter 0a1b (cls, 512 tokens, prompts) 9f3c",
                "base + adapter 0a1b",
            ),
            ("base (weightedmean, 256 tokens) 9f3c", "base"),
            ("char-ngram LSA (256, en zh)", "char-ngram LSA (256, en zh)"),
            ("bge-small", "bge-small"),
            ("", ""),
        ] {
            assert_eq!(model(encoder), name, "{encoder}");
        }
        let index = AnswerIndex {
            tokeniser: "words 3".to_owned(),
            encoder: "all-MiniLM-L6-v2 (mean)".to_owned(),
            ..AnswerIndex::default()
        };
        assert_eq!(details(&index), "words 3 · all-MiniLM-L6-v2 (mean)");
    }

    #[test]
    fn an_encoder_is_named_where_vectors_were_searched() {
        crate::i18n::speak(crate::i18n::Lang::En);
        let index = |mode| AnswerIndex {
            mode,
            clauses: 0,
            tokeniser: String::new(),
            encoder: "bge-small".to_owned(),
            ranker: None,
            rerank: None,
        };
        assert!(searched(&index(SearchMode::Hybrid)).contains("bge-small"));
        assert!(!searched(&index(SearchMode::Lexical)).contains("bge-small"));
        let ranked = AnswerIndex {
            ranker: Some(RankerName {
                id: 1,
                questions: 142,
            }),
            ..index(SearchMode::Hybrid)
        };
        assert!(searched(&ranked).contains("142"));
        let reranked = AnswerIndex {
            rerank: Some(RerankName {
                run: RunId(17),
                adapter: String::new(),
                percent: 75,
                first: 50,
            }),
            ..ranked
        };
        let said = searched(&reranked);
        assert!(
            said.contains("142") && said.contains("run 17 (75"),
            "{said}"
        );
    }
}
