//! What an answer was made with, so that it can be traced.

use super::figures::short_hash;
use crate::format;
use crate::i18n::{t, tf};
use leptos::prelude::*;
use lexforge_domain::api::{Answer, AnswerIndex, SearchMode};

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
        format!("{how} ({})", index.encoder)
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
pub fn Provenance(
    /// The answer.
    answer: Answer,
) -> impl IntoView {
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
            <span title=answer.index.tokeniser.clone()>{t("answering.searched")} " " {searched(&answer.index)}</span>
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
