//! The answers of a model to the test questions, stored question by question.

use super::asked_vectors::{check_prompt, readable};
use super::systems::Prompt;
use crate::evaluation::Evaluations;
use crate::evaluation::scorers::{EMBEDDING, GENERATION, OF_DECODERS, Scoring};
use crate::evaluation::texts::{Texts, dot, scored};
use crate::models::BaseModel;
use crate::training::{FrozenItem, Training};
use crate::workspace::{Result, Watcher, cancelled};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::protocol::{InspectResult, ScoreLine, TextSide};
use lexforge_domain::qca::Split;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, Failure};
use lexforge_text::language::detect;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;

/// Questions that are asked before what they gave is kept.
const KEPT_AT_ONCE: usize = 256;
/// The number of the rules by which stored answers were made. If it changes, all systems are asked again.
const RULES: u32 = 2;

/// The kinds of answer that a system gives to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Cosines alone.
    Cosines,
    /// Likelihoods, words and cosines, as a decoder does that runs here.
    All,
    /// Only words, as from a model behind an endpoint.
    Words,
}

impl By {
    pub(super) fn scorers(self) -> &'static [&'static str] {
        match self {
            Self::Cosines => &[EMBEDDING],
            Self::All => &OF_DECODERS,
            Self::Words => &[GENERATION],
        }
    }

    /// It writes answers.
    pub(super) fn writes(self) -> bool {
        self != Self::Cosines
    }
}

/// The answers of a system.
pub(super) struct Answers {
    /// The questions that it can read.
    pub(super) items: Vec<FrozenItem>,
    /// Its answer to each question.
    pub(super) lines: Vec<ScoreLine>,
    /// The scorers with which the system stands in a table.
    pub(super) by: By,
    /// How many runs of one recipe these are, one after the other: each question stands here once for each.
    pub(super) runs: usize,
}

impl Answers {
    /// Puts what a further run gave behind what the others gave.
    pub(super) fn take_in(&mut self, further: Self) {
        self.items.extend(further.items);
        self.lines.extend(further.lines);
        self.runs += further.runs;
    }
}

/// The questions that systems are asked.
#[derive(Clone, Copy)]
pub(super) enum Questions<'a> {
    /// The test questions of a snapshot.
    OfSnapshot(&'a Dataset, &'a [FrozenItem]),
    /// Questions that are in no snapshot.
    Others(&'a [FrozenItem]),
    /// Questions that belong to no snapshot, with their languages. The languages are given because an attack can change
    /// a text so much that its language cannot be recognised.
    InLanguages(&'a [FrozenItem], &'a [Language]),
    /// Questions that are in no snapshot, for which a decoder, too, is asked for its vectors and nothing else.
    ByVectors(&'a [FrozenItem]),
}

impl<'a> Questions<'a> {
    /// All questions, even those that a system cannot read.
    pub(super) fn items(self) -> &'a [FrozenItem] {
        match self {
            Self::OfSnapshot(_, items)
            | Self::Others(items)
            | Self::InLanguages(items, _)
            | Self::ByVectors(items) => items,
        }
    }
}

/// The questions that a model gets.
struct Asked {
    model: InspectResult,
    /// The questions that it can read.
    items: Vec<FrozenItem>,
    vectors_alone: bool,
    /// A decoder also answers without the choices.
    open: bool,
}

impl Evaluations<'_> {
    /// The answers of a base model (with an adapter, if one is given) to the questions that it can read: the stored
    /// answers, and the others, which are asked now.
    pub(super) fn answers(
        &self,
        questions: Questions<'_>,
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
        watcher: &dyn Watcher,
    ) -> Result<Answers> {
        let dataset = match questions {
            Questions::OfSnapshot(dataset, _) => dataset,
            Questions::InLanguages(items, languages) => {
                let asked = asked_in(items, languages, false, base)?;
                return self.given(asked, base, adapter, prompt, watcher);
            }
            Questions::Others(items) | Questions::ByVectors(items) => {
                let languages: Vec<Language> = items.iter().map(language_of).collect();
                let vectors_alone = matches!(questions, Questions::ByVectors(_));
                let asked = asked_in(items, &languages, vectors_alone, base)?;
                return self.given(asked, base, adapter, prompt, watcher);
            }
        };
        let readable = Training::of(self.workspace).readable(dataset, base)?;
        let items: Vec<FrozenItem> = readable
            .items
            .into_iter()
            .filter(|item| item.question.split == Split::Test)
            .collect();
        let asked = Asked {
            model: readable.model,
            items,
            vectors_alone: false,
            open: true,
        };
        self.given(asked, base, adapter, prompt, watcher)
    }

    fn given(
        &self,
        asked: Asked,
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
        watcher: &dyn Watcher,
    ) -> Result<Answers> {
        let Asked {
            model,
            items,
            vectors_alone,
            open,
        } = asked;
        // The very model that was looked at.
        let base = BaseModel {
            sha256: model.sha256.clone(),
            ..base.clone()
        };
        if items.is_empty() {
            return Err(Failure::new(
                Code::LanguageUnsupported,
                format!("{} cannot read any of the test questions.", base.name),
                "Put a model on the bench that reads their language.",
            ));
        }
        check_prompt(&base, &model, prompt)?;
        let decoder = model.decoder && prompt == Prompt::None && !vectors_alone;
        let mut system = key(&base, adapter, prompt);
        if vectors_alone && model.decoder {
            // The other results of a decoder are not wanted here.
            system.push_str(" vectors");
        }
        let with_open = format!("{system} open");
        if decoder && open {
            system.clone_from(&with_open);
        }
        let store = &self.workspace.store;
        let mut kept = store.read(|r| r.bench_scores(&system))?;
        if decoder && !open {
            // An answer that was stored together with an open answer is the same.
            kept.extend(store.read(|r| r.bench_scores(&with_open))?);
        }
        let mut known: HashMap<String, ScoreLine> = HashMap::new();
        for (item, scores) in kept {
            // A line that another version stored in another form is asked again, and the older line stays.
            if let Ok(line) = serde_json::from_str(&scores) {
                known.insert(item, line);
            }
        }
        let hashes: Vec<String> = items.iter().map(shown).collect();
        let missing: Vec<usize> = (0..items.len())
            .filter(|&i| !known.contains_key(&hashes[i]))
            .collect();
        for part in missing.chunks(KEPT_AT_ONCE) {
            if watcher.cancelled() {
                return Err(cancelled("What was asked so far is kept."));
            }
            let asked: Vec<FrozenItem> = part.iter().map(|&i| items[i].clone()).collect();
            let lines = if decoder {
                let how = Scoring {
                    open,
                    ..Scoring::default()
                };
                self.score_choices(&base, adapter, how, &asked, watcher)?
                    .into_lines()
            } else {
                self.cosines(&base, adapter, prompt, &asked, watcher)?
            };
            let mut rows = Vec::with_capacity(part.len());
            for (&i, line) in part.iter().zip(lines) {
                let text = serde_json::json!(line).to_string();
                // As it will be read back, to the last bit.
                known.insert(
                    hashes[i].clone(),
                    serde_json::from_str(&text).unwrap_or(line),
                );
                rows.push((hashes[i].clone(), text));
            }
            store.write(&self.workspace.actor, |w| {
                w.put_bench_scores(&system, &rows)
            })?;
        }
        let lines = items.iter().zip(&hashes).filter_map(|(item, hash)| {
            let id = item.question.id.0;
            known.get(hash).map(|line| ScoreLine { id, ..line.clone() })
        });
        let lines = lines.collect();
        Ok(Answers {
            items,
            lines,
            by: if decoder { By::All } else { By::Cosines },
            runs: 1,
        })
    }

    fn cosines(
        &self,
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
        items: &[FrozenItem],
        watcher: &dyn Watcher,
    ) -> Result<Vec<ScoreLine>> {
        let (asked, choices) = (Texts::of_questions(items), Texts::of_choices(items));
        let asked_texts = asked
            .strs()
            .into_iter()
            .map(|text| (TextSide::Question, text));
        let choice_texts = choices
            .strs()
            .into_iter()
            .map(|text| (TextSide::Passage, text));
        let texts: Vec<(TextSide, &str)> = asked_texts.chain(choice_texts).collect();
        let (vectors, _) = self.vectors_of(&texts, base, adapter, prompt, watcher)?;
        let questions: Vec<usize> = (0..asked.strs().len()).collect();
        let others: Vec<usize> = (questions.len()..vectors.rows).collect();
        let (questions, others) = (vectors.select(&questions), vectors.select(&others));
        let score = |item: &FrozenItem| {
            let question = asked.row(&questions, &item.question.draft.question);
            scored(item, |choice| dot(question, choices.row(&others, choice)))
        };
        let scored = items.iter().map(score);
        Ok(scored
            .map(|item| ScoreLine {
                id: item.id.0,
                cosine: item.scores,
                ..ScoreLine::default()
            })
            .collect())
    }
}

/// The language in which a question is asked.
pub(super) fn language_of(item: &FrozenItem) -> Language {
    let draft = &item.question.draft;
    detect(&format!("{} {}", draft.question, draft.choices.join(" ")))
}

/// The questions that a base model reads, by the language of each.
fn asked_in(
    items: &[FrozenItem],
    languages: &[Language],
    vectors_alone: bool,
    base: &BaseModel,
) -> Result<Asked> {
    let questions = items
        .iter()
        .map(|item| item.question.draft.question.as_str());
    let texts: Vec<(Language, &str)> = languages.iter().copied().zip(questions).collect();
    let (model, read) = readable(base, &texts)?;
    let items = read.into_iter().map(|place| items[place].clone()).collect();
    Ok(Asked {
        model,
        items,
        vectors_alone,
        open: false,
    })
}

/// The key of a system: the hashes of its components.
pub(super) fn key(base: &BaseModel, adapter: Option<&Path>, prompt: Prompt) -> String {
    // An adapter's folder has the hash of its weights for its name.
    let adapter = adapter.and_then(Path::file_name);
    let adapter = adapter.map_or_else(|| "none".into(), |name| name.to_string_lossy());
    let prompt = match prompt {
        Prompt::None => "none",
        Prompt::Eol => "eol-last",
        Prompt::Echo => "echo-last",
    };
    format!("{RULES} {} {adapter} {prompt}", base.sha256)
}

/// The hash of what a system is shown of a question.
fn shown(item: &FrozenItem) -> String {
    let draft = &item.question.draft;
    let text = serde_json::json!([draft.question, draft.choices]).to_string();
    lexforge_domain::Sha256::of_digest(Sha256::digest(text)).to_string()
}
