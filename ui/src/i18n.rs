//! Strings from the locale files. Every string that the application says stands in both of them.

use leptos::prelude::{ArcRwSignal, GetUntracked, Set};
use lexforge_domain::shown::{turns_direction, visible};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A language of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// English.
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// The tag for `lang` attributes and preferences.
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// The language of a tag, English if it is unknown.
    pub fn from_tag(tag: &str) -> Self {
        if tag.starts_with("zh") {
            Self::Zh
        } else {
            Self::En
        }
    }

    pub fn other(self) -> Self {
        match self {
            Self::En => Self::Zh,
            Self::Zh => Self::En,
        }
    }

    fn strings(self) -> &'static Strings {
        static EN: OnceLock<Strings> = OnceLock::new();
        static ZH: OnceLock<Strings> = OnceLock::new();
        match self {
            Self::En => EN.get_or_init(|| parse(include_str!("../locales/en.json"))),
            Self::Zh => ZH.get_or_init(|| parse(include_str!("../locales/zh.json"))),
        }
    }
}

/// Key → text.
type Strings = BTreeMap<String, String>;

fn parse(json: &str) -> Strings {
    serde_json::from_str(json).unwrap_or_default()
}

thread_local! {
    /// The page has one thread. Tests have many, and no test could read a shared signal while another one sets it.
    static CURRENT: ArcRwSignal<Lang> = ArcRwSignal::new(Lang::En);
}

/// The language in use. The whole page is drawn again when it changes, so reading it need not be tracked.
pub fn current() -> ArcRwSignal<Lang> {
    CURRENT.with(ArcRwSignal::clone)
}

/// Changes the language in use.
pub fn speak(lang: Lang) {
    current().set(lang);
}

/// The language in use.
pub fn lang() -> Lang {
    current().get_untracked()
}

/// The text of a key; a key that is missing shows itself (a test forbids that).
pub fn t(key: &str) -> String {
    lang()
        .strings()
        .get(key)
        .cloned()
        .unwrap_or_else(|| key.to_owned())
}

/// The text of a key with `{name}` replaced by values.
pub fn tf(key: &str, values: &[(&str, &str)]) -> String {
    let mut text = t(key);
    for (name, value) in values {
        // A name that turns the direction of reading would turn our sentence around it too.
        let turned = value.chars().any(turns_direction);
        let value = if turned {
            visible(value)
        } else {
            (*value).into()
        };
        text = text.replace(&format!("{{{name}}}"), &value);
    }
    text
}

/// A counted thing: `key.one` or `key.other`, with `{n}` replaced by the grouped number.
pub fn tn(key: &str, n: u64) -> String {
    tnf(key, n, &[])
}

/// A counted thing as [`tn`] gives it, with further values.
pub fn tnf(key: &str, n: u64, values: &[(&str, &str)]) -> String {
    let form = if n == 1 { "one" } else { "other" };
    let counted = lexforge_domain::grouped::grouped(n);
    let mut all = vec![("n", counted.as_str())];
    all.extend_from_slice(values);
    tf(&format!("{key}.{form}"), &all)
}

/// The word for a value of one of the domain's enumerations: the text of `group.tag`, or the tag itself.
pub fn tag(group: &str, tag: &str) -> String {
    let key = format!("{group}.{tag}");
    lang()
        .strings()
        .get(&key)
        .cloned()
        .unwrap_or_else(|| tag.to_owned())
}

/// The text of a key in a language, if it has one.
pub fn text_in(lang: Lang, key: &str) -> Option<String> {
    lang.strings().get(key).cloned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::draft::Figure;
    use crate::review::bindings::Deed;
    use lexforge_domain::api::{
        Attack, CARD_SETTINGS, CARD_VALUES, DatasetFormat, KeptKind, LogLevel, Preferred, Preset,
        PromptKind, ScoreRefused, Standing, TaskMeasure, TripletMaker,
    };
    use lexforge_domain::document::RemovedWhy as Removed;
    use lexforge_domain::graph::EdgeKind;
    use lexforge_domain::protocol::{Precision, TokenLossKind};
    use lexforge_domain::qca::{QcaLevel, QuestionType, Split};
    use lexforge_domain::review::{Choice, Role};
    use lexforge_domain::term::{FoundBy, ReviewStatus};
    use lexforge_domain::text::SentenceKind;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("i18n.rs") {
                found.push(path);
            }
        }
    }

    /// The first string literal after each call of `function` in the page's sources.
    fn literals(function: &str) -> BTreeSet<String> {
        let mut files = Vec::new();
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut files,
        );
        let mut keys = BTreeSet::new();
        for file in files {
            let source = std::fs::read_to_string(&file).unwrap();
            for (at, _) in source.match_indices(&format!("{function}(")) {
                let before = source[..at].chars().next_back();
                if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.') {
                    continue;
                }
                let rest = source[at + function.len() + 1..].trim_start();
                if let Some(rest) = rest.strip_prefix('"') {
                    keys.insert(rest.split('"').next().unwrap().to_owned());
                }
            }
        }
        keys
    }

    fn tags() -> BTreeSet<String> {
        let mut keys = BTreeSet::from_iter(crate::screens::evaluation::keys());
        keys.extend(crate::screens::activity::told::keys());
        let mut add = |group: &str, tags: &[&str]| {
            keys.extend(tags.iter().map(|tag| format!("{group}.{tag}")))
        };
        add("kind", &SentenceKind::ALL.map(SentenceKind::tag));
        add("question_type", &QuestionType::ALL.map(QuestionType::tag));
        add("split", &Split::ALL.map(Split::tag));
        add("split_part", &Split::ALL.map(Split::tag));
        add("level", &[QcaLevel::Sentence.tag(), QcaLevel::Token.tag()]);
        add("found", &FoundBy::ALL.map(FoundBy::tag));
        add("status", &ReviewStatus::ALL.map(ReviewStatus::tag));
        add("role", &Role::ALL.map(Role::tag));
        add("did", &Choice::WORDS.map(Choice::tag));
        add("similarity_means", &crate::review::similarity_card::POINTS);
        add("maker", &TripletMaker::ALL.map(TripletMaker::tag));
        add("score_refused", &ScoreRefused::ALL.map(ScoreRefused::tag));
        let pair = [Choice::Same, Choice::Confusable, Choice::Unrelated];
        add("pair", &pair.map(Choice::tag));
        add("deed", &Deed::ALL.map(Deed::tag));
        add("attack", &Attack::ALL.map(Attack::tag));
        add("engine", &["hayro", "pdf-extract", "ocr", "plain"]);
        add("removed", &Removed::ALL.map(Removed::tag));
        let stages = "import terms embed graph questions freeze train evaluate report export answer match update verify";
        add("stage", &stages.split(' ').collect::<Vec<_>>());
        add("schemas", &["first_class"]);
        for group in ["prompt", "prompt_does"] {
            add(group, &PromptKind::ALL.map(PromptKind::tag));
        }
        add("preferred", &Preferred::ALL.map(Preferred::tag));
        for group in ["dataset_format", "dataset_format_is"] {
            add(group, &DatasetFormat::ALL.map(DatasetFormat::tag));
        }
        let words = "import prepare evaluate bench export questions graph terms confusables calibrate ask_batch ask \
             search_with train_ranker measure_curve measure_rerank install match sample sweep pack verify vectors \
             triplets import_triplets measure_triplets similarity bring \
             look_at_exam import_exam";
        add("task", &words.split(' ').collect::<Vec<_>>());
        for group in ["tried", "tried_as", "tried_takes"] {
            add(
                group,
                &crate::swept::Tried::ALL.map(crate::swept::Tried::tag),
            );
        }
        add(
            "export_format",
            &lexforge_domain::protocol::ExportFormat::ALL
                .map(lexforge_domain::protocol::ExportFormat::tag),
        );
        let parity = [
            "largest_difference",
            "mean_kl",
            "largest_kl",
            "agreement",
            "lowest_cosine",
            "quantized_base_kl",
        ];
        add("parity", &parity);
        add(
            "run_state",
            &[
                "queued",
                "starting",
                "running",
                "paused",
                "stopped",
                "died",
                "failed",
                "finished",
                "unknown",
                "unfollowed",
            ],
        );
        let stages = [
            "sft",
            "plain_text",
            "mntp",
            "mlm",
            "tsdae",
            "sentence",
            "token",
            "joint",
            "contrastive_token",
            "gritlm",
            "retrieval",
            "rerank",
            "triplets",
        ];
        add("run_stage", &stages);
        add("run_stage", &["embed"]);
        add("stage_name", &stages);
        add("stage_learns", &stages);
        for group in ["preset", "preset_does", "preset_for"] {
            add(group, &Preset::ALL.map(Preset::tag));
        }
        let typed = Figure::FIRST
            .into_iter()
            .chain(Figure::MORE)
            .map(Figure::tag)
            .collect::<Vec<_>>();
        add("figure", &typed);
        add("figure_means", &typed);
        add("figure_takes", &typed);
        for group in ["figure", "figure_means"] {
            add(group, &["all_weights", "precision", "checkpointing"]);
        }
        add("precision", &Precision::ALL.map(Precision::tag));
        add("kept_kind", &KeptKind::ALL.map(KeptKind::tag));
        add("card_standing", &Standing::ALL.map(Standing::tag));
        add("card_setting", &CARD_SETTINGS);
        add("card_value", &CARD_VALUES);
        for group in ["token_loss", "token_loss_means"] {
            add(group, &TokenLossKind::ALL.map(TokenLossKind::tag));
        }
        add("memory_part", &["weights", "adapter", "activations"]);
        add(
            "scorer",
            &["likelihood", "per_byte", "pmi", "generation", "embedding"],
        );
        for group in ["bound", "bound_means"] {
            add(group, &crate::screens::graph::calibration::bound_tags());
        }
        for group in ["degrees", "degrees_mean"] {
            add(group, &crate::screens::graph::census::degree_tags());
        }
        add(
            "policy",
            &[
                "unreviewed_automatic",
                "single_reviewer",
                "two_agree",
                "adjudicated",
            ],
        );
        add("node_class", &["anchor", "context", "other"]);
        add("type_origin", &["user_class", "top_section", "none"]);
        for group in ["edge_name", "edge_means", "edge_pair", "edge_measure"] {
            let kinds: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.tag()).collect();
            add(group, &kinds);
        }
        let words = "modal negation condition action actor number term splice borrowed";
        add("edit", &words.split(' ').collect::<Vec<_>>());
        add("measure", &lexforge_domain::metrics::MEASURES);
        add("measure", &TaskMeasure::ALL.map(TaskMeasure::tag));
        add(
            "unit",
            &["anchor", "article", "section", "document", "article_group"],
        );
        add(
            "shortcut",
            &[
                "choices_only",
                "choices_only_base",
                "choices_only_words",
                "choices_only_trigrams",
                "medoid",
                "longest_choice",
                "corpus_overlap",
            ],
        );
        add("language", &["en", "zh", "ko", "other"]);
        add(
            "format",
            &["pdf", "text", "jsonl", "markdown", "html", "docx"],
        );
        add(
            "skip",
            &[
                "unknown_format",
                "hidden",
                "same_path",
                "not_a_file",
                "unreadable",
                "too_deep",
                "own_report",
            ],
        );
        add(
            "storage_part",
            &[
                "workspace",
                "bundles",
                "adapters",
                "vectors",
                "others",
                "models",
            ],
        );
        let warnings = "scanned_page readers_differ second_reader_failed second_reader_kept \
             unmapped_characters unreadable_characters page_unreadable ocr_page ocr_failed \
             text_encoding corpus_line_invalid corpus_without_titles hidden_text outside_main_content tracked_changes \
             embedded_part picture_labels picture_text picture_unread text_doubtful front_matter";
        add("warning", &warnings.split(' ').collect::<Vec<_>>());
        let words = "bundle_invalid bundle_locked cancelled checkpoint_invalid corpus_line_invalid damaged disk_full \
             empty encrypted endpoint_unconfirmed export_differs file_unreadable glossary_invalid \
             invalid_request language_unsupported log_foreign loss_not_finite model_missing \
             model_unsupported name_alike not_a_pdf out_of_memory packet_foreign packet_invalid \
             packet_unrecorded parser_crashed password_required rank_lost read_only scanned_no_text \
             step_missing timed_out too_large too_little_data unsupported_format worker_died \
             worker_incompatible worker_missing workspace_busy workspace_moved";
        add("failure_hint", &words.split(' ').collect::<Vec<_>>());
        add("answer_form", &["schema", "object", "free"]);
        add("log_level", &LogLevel::ALL.map(LogLevel::tag));
        add("left_out", &crate::reasons::LEFT_OUT);
        add("rejection", &crate::reasons::TURNED_DOWN);
        add("no_triplet", &crate::reasons::NO_TRIPLET);
        keys.extend(codes().into_iter().map(|code| format!("failure.{code}")));
        keys.extend(written(include_str!("../index.html")));
        keys.extend(written(include_str!("../stopped.html")));
        keys
    }

    /// The keys of a page that the program does not draw: `{LOCALE KEY}`.
    fn written(page: &str) -> impl Iterator<Item = String> + use<'_> {
        let names = page
            .split('{')
            .skip(1)
            .filter_map(|part| part.split_once('}'));
        names
            .filter_map(|(name, _)| name.split_once(' '))
            .map(|(_, key)| key.to_owned())
    }

    /// The tags of all failure codes, from the source of their enumeration.
    fn codes() -> Vec<String> {
        let source = include_str!("../../src-tauri/crates/domain/src/failure.rs");
        let body = source
            .split("pub enum Code {")
            .nth(1)
            .unwrap()
            .split('}')
            .next()
            .unwrap();
        let names = body
            .lines()
            .map(str::trim)
            .filter(|line| !line.starts_with("//") && !line.is_empty());
        let code = |name: &str| {
            serde_json::from_str::<lexforge_domain::Code>(&format!("\"{name}\""))
                .unwrap()
                .tag()
        };
        names
            .map(|name| {
                let mut tag = String::new();
                for c in name.trim_end_matches(',').chars() {
                    if c.is_uppercase() && !tag.is_empty() {
                        tag.push('_');
                    }
                    tag.extend(c.to_lowercase());
                }
                code(&tag)
            })
            .collect()
    }

    #[test]
    fn both_locales_have_the_keys_that_the_page_uses_and_no_others() {
        let mut used = tags();
        used.extend(literals("t"));
        used.extend(literals("tf"));
        used.extend(
            literals("word")
                .into_iter()
                .filter(|key| key.starts_with("remedy.")),
        );
        for key in literals("tn").into_iter().chain(literals("tnf")) {
            used.insert(format!("{key}.one"));
            used.insert(format!("{key}.other"));
        }
        for lang in [Lang::En, Lang::Zh] {
            let there: BTreeSet<String> = lang.strings().keys().cloned().collect();
            let missing: Vec<_> = used.difference(&there).collect();
            let unused: Vec<_> = there.difference(&used).collect();
            assert!(missing.is_empty(), "{}: missing {missing:?}", lang.tag());
            assert!(unused.is_empty(), "{}: unused {unused:?}", lang.tag());
        }
    }

    #[test]
    fn both_locales_have_the_same_placeholders() {
        let names = |text: &str| -> BTreeSet<String> {
            text.split('{')
                .skip(1)
                .filter_map(|part| part.split_once('}'))
                .map(|(name, _)| name.to_owned())
                .collect()
        };
        for (key, en) in Lang::En.strings() {
            assert_eq!(names(en), names(&Lang::Zh.strings()[key]), "{key}");
        }
    }

    /// Without this, one test in some hundred runs failed by chance: it read the language while another test set it.
    #[test]
    fn what_one_thread_speaks_is_not_heard_by_another() {
        speak(Lang::En);
        let other = std::thread::spawn(|| speak(Lang::Zh));
        other.join().unwrap();
        assert_eq!(lang(), Lang::En);
    }

    #[test]
    fn a_count_has_its_form() {
        speak(Lang::En);
        assert_eq!(tn("count.pages", 1), "1 page");
        assert_eq!(tn("count.pages", 4218), "4,218 pages");
        let left_out = |n| tnf("packet.foreign", n, &[("items", "bank")]);
        assert!(left_out(1).starts_with("1 decision was") && left_out(1).ends_with("bank"));
        assert!(left_out(2).starts_with("2 decisions were"));
    }
}
