//! The answers of a model to the test questions, stored question by question.

use super::asked::{Asked, Looks, Questions};
use super::asked_vectors::check_prompt;
use super::course::{Course, Open};
use super::systems::Prompt;
use crate::evaluation::Evaluations;
use crate::evaluation::scorers::{EMBEDDING, GENERATION, OF_DECODERS, Scoring};
use crate::evaluation::texts::{Texts, dot, scored};
use crate::models::BaseModel;
use crate::training::FrozenItem;
use crate::workspace::{Result, Watcher, cancelled};
use lexforge_domain::protocol::{ScoreLine, TextSide};
use lexforge_domain::{Code, Failure};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::Path;

/// Questions that are asked before what they gave is kept.
const KEPT_AT_ONCE: usize = 256;
/// Questions of the first part of a system whose pace is not known.
const FIRST: usize = 8;
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
    /// The scorers of the system; in a table it has a row for each.
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

/// What a system is asked, with the answers that are stored.
pub(super) struct Wanted {
    /// The very model that was looked at.
    base: BaseModel,
    items: Vec<FrozenItem>,
    /// It is asked as a decoder, for more than its vectors.
    decoder: bool,
    /// A decoder also answers without the choices.
    open: bool,
    /// The name under which its answers are stored.
    system: String,
    known: HashMap<String, ScoreLine>,
    /// The hash of what it is shown of each question.
    hashes: Vec<String>,
    /// The places of the questions without a stored answer.
    missing: Vec<usize>,
    /// The name under which its pace is kept.
    pace: String,
}

impl Wanted {
    /// Questions without a stored answer.
    pub(super) fn left(&self) -> Open {
        Open {
            pace: self.pace.clone(),
            n: self.missing.len() as u64,
            at_once: KEPT_AT_ONCE as u64,
        }
    }

    /// Questions with a stored answer.
    pub(super) fn kept(&self) -> usize {
        self.items.len() - self.missing.len()
    }
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
        course: &Course<'_>,
    ) -> Result<Answers> {
        let wanted = self.wanted(questions, base, adapter, prompt)?;
        self.given(wanted, adapter, prompt, course)
    }

    /// What a system is asked, and what of it has a stored answer.
    pub(super) fn wanted(
        &self,
        questions: Questions<'_>,
        base: &BaseModel,
        adapter: Option<&Path>,
        prompt: Prompt,
    ) -> Result<Wanted> {
        let documents = self.workspace.store.read(|r| r.documents())?;
        let documents = documents.into_iter().map(|d| (d.id, d.language));
        let looks = self.workspace.memo::<Looks>();
        let asked = looks.of(questions, base, documents.collect(), || {
            self.asked(questions, base)
        })?;
        let Asked {
            model,
            items,
            vectors_alone,
            open,
        } = &*asked;
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
        check_prompt(&base, model, prompt)?;
        let decoder = model.decoder && prompt == Prompt::None && !vectors_alone;
        let mut system = key(&base, adapter, prompt);
        // An adapter changes what a model answers, and hardly how fast.
        let mut pace = key(&base, None, prompt);
        if *vectors_alone && model.decoder {
            // The other results of a decoder are not wanted here.
            system.push_str(" vectors");
            pace.push_str(" vectors");
        }
        let with_open = format!("{system} open");
        if decoder && *open {
            system.clone_from(&with_open);
            pace.push_str(" open");
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
        let missing = (0..items.len()).filter(|&i| !known.contains_key(&hashes[i]));
        Ok(Wanted {
            missing: missing.collect(),
            base,
            items: items.clone(),
            decoder,
            open: *open,
            system,
            known,
            hashes,
            pace,
        })
    }

    fn given(
        &self,
        wanted: Wanted,
        adapter: Option<&Path>,
        prompt: Prompt,
        course: &Course<'_>,
    ) -> Result<Answers> {
        let Wanted {
            base,
            items,
            decoder,
            open,
            system,
            mut known,
            hashes,
            missing,
            pace,
        } = wanted;
        for part in parts(&missing, course.knows(&pace)) {
            if course.watcher().cancelled() {
                return Err(cancelled("What was asked so far is kept."));
            }
            let asked: Vec<FrozenItem> = part.iter().map(|&i| items[i].clone()).collect();
            let lines = course.part(&pace, part.len() as u64, |watcher| {
                if decoder {
                    let how = Scoring {
                        open,
                        ..Scoring::default()
                    };
                    let scores = self.score_choices(&base, adapter, how, &asked, watcher)?;
                    Ok(scores.into_lines())
                } else {
                    self.cosines(&base, adapter, prompt, &asked, watcher)
                }
            })?;
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
            self.workspace.store.write(&self.workspace.actor, |w| {
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

/// The questions in the parts in which they are asked. If nothing is known of the system's pace, the first part is
/// small: how long the rest takes is then known soon.
fn parts(missing: &[usize], knows: bool) -> impl Iterator<Item = &[usize]> {
    let first = match knows || missing.len() <= 2 * FIRST {
        true => 0,
        false => FIRST,
    };
    let (first, rest) = missing.split_at(first);
    let first = Some(first).filter(|first| !first.is_empty());
    first.into_iter().chain(rest.chunks(KEPT_AT_ONCE))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_of_unknown_pace_is_tried_on_a_few_questions_first() {
        let missing: Vec<usize> = (0..600).collect();
        let sizes = |n: usize, knows| {
            let parts = parts(&missing[..n], knows);
            parts.map(<[usize]>::len).collect::<Vec<_>>()
        };
        assert_eq!(sizes(600, true), [256, 256, 88]);
        assert_eq!(sizes(600, false), [FIRST, 256, 256, 80]);
        // Of a few questions none is worth loading the model twice.
        assert_eq!(sizes(2 * FIRST, false), [2 * FIRST]);
        assert!(sizes(0, false).is_empty());
        let all: Vec<usize> = parts(&missing, false).flatten().copied().collect();
        assert_eq!(all, missing);
    }
}
