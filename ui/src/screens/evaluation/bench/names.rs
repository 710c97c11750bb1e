//! The names of systems, and their descriptions.

use crate::i18n::{t, tf};
use lexforge_domain::endpoint::LOCAL;

/// A system in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    /// What it is.
    pub is: String,
}

/// A system of the engine in words; a name that means nothing here stays as it is.
pub fn named(system: &str) -> Named {
    let (name, is) = match system {
        "tfidf" => ("TF-IDF".to_owned(), t("systems.is_tfidf")),
        "lsa" => ("LSA".to_owned(), t("systems.is_lsa")),
        "bm25" => ("BM25".to_owned(), t("systems.is_bm25")),
        "base models" => (t("systems.base_models"), String::new()),
        _ => match system.split_once(' ') {
            Some(("base", model)) => (model.to_owned(), t("systems.is_base")),
            Some(("eol", model)) => (tf("systems.eol", &[("model", model)]), t("systems.is_eol")),
            Some(("echo", model)) => (
                tf("systems.echo", &[("model", model)]),
                t("systems.is_echo"),
            ),
            Some(("endpoint", name)) if name == LOCAL => (t("ask.local"), t("systems.is_endpoint")),
            Some(("endpoint", name)) => (name.to_owned(), t("systems.is_endpoint")),
            Some(("judge", name)) if name == LOCAL => (t("judging.judge"), t("ask.local")),
            Some(("judge", name)) => (t("judging.judge"), name.to_owned()),
            Some(("runs", n)) => {
                let n = n.replace('+', ", ");
                (tf("systems.runs", &[("n", &n)]), t("systems.is_runs"))
            }
            Some(("checkpoint", of)) => match of.split_once('/') {
                Some((n, checkpoint)) => {
                    let values = [("n", n), ("checkpoint", checkpoint)];
                    (
                        tf("systems.checkpoint", &values),
                        t("systems.is_checkpoint"),
                    )
                }
                None => (system.to_owned(), String::new()),
            },
            Some(("run", n)) => (tf("training.run_n", &[("n", n)]), t("systems.is_run")),
            _ => (system.to_owned(), String::new()),
        },
    };
    Named { name, is }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_system_has_a_name() {
        crate::i18n::speak(crate::i18n::Lang::En);
        for (system, name) in [
            ("tfidf", "TF-IDF"),
            ("base all-MiniLM-L6-v2", "all-MiniLM-L6-v2"),
            ("eol Qwen3-0.6B", "Qwen3-0.6B, PromptEOL"),
            ("echo Qwen3-0.6B", "Qwen3-0.6B, Echo"),
            ("run 3", "Run 3"),
            ("runs 3+4", "Runs 3, 4"),
            ("judge firm", "The judge"),
            (
                "checkpoint 3/stage-1-step-0000040",
                "Run 3, stage-1-step-0000040",
            ),
            ("endpoint firm", "firm"),
            ("something else", "something else"),
        ] {
            assert_eq!(named(system).name, name);
        }
        assert_ne!(named("base models").name, "models");
        assert!(named("something else").is.is_empty());
    }
}
