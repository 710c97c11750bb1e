//! Systems under attack: each test question as it is, and as an attacker would put it.

use super::BenchRequest;
use super::asked::{Questions, language_of};
use super::systems::{asks, each_alone};
use super::table::{Line, under_each_scorer};
use crate::evaluation::Evaluations;
use crate::evaluation::scorers::{EMBEDDING, RESAMPLES};
use crate::training::{FrozenItem, Training, similar_terms};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_augment::attacked;
use lexforge_domain::api::{Attack, AttackRow, AttackTable};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::endpoint::AskPlan;
use lexforge_domain::metrics::Comparison;
use lexforge_domain::statistics::PairedComparison;
use lexforge_domain::text::Language;
use lexforge_domain::{Code, DatasetId, Failure, QcaId, RunId};
use lexforge_evaluate::ScoredItem;
use lexforge_evaluate::gate::AttackChange;
use lexforge_evaluate::statistics::{PairedSeries, compare_all_within, holm};
use std::collections::HashMap;

/// The share of the resamples on either side of the bounds that the bench shows, which are two-sided at 95 %.
const SHOWN: f64 = 0.025;

/// A question in one of its forms.
struct Put {
    /// The index in the snapshot's test part.
    of: usize,
    /// The attack; `None` = the questions are unchanged.
    attack: Option<Attack>,
    /// The language of the unchanged question.
    language: Language,
    item: FrozenItem,
}

impl Evaluations<'_> {
    /// Measures every system on the test questions of a snapshot, unchanged and under each attack that can change them.
    /// A system that cannot be measured is listed with the reason, and the other systems are measured nevertheless.
    ///
    /// # Errors
    /// When there is no snapshot, no attack can change any of its test questions, a name belongs to no system, or the
    /// caller cancelled.
    pub(crate) fn bench_attacked(
        &self,
        request: &BenchRequest,
        watcher: &dyn Watcher,
    ) -> Result<AttackTable> {
        self.attacked_within(request, SHOWN, watcher)
    }

    /// As [`Evaluations::bench_attacked`], with bounds that leave out the share `tail` on either side.
    fn attacked_within(
        &self,
        request: &BenchRequest,
        tail: f64,
        watcher: &dyn Watcher,
    ) -> Result<AttackTable> {
        let dataset = self.snapshot(request.dataset)?;
        let items = Training::of(self.workspace).test_items(&dataset)?;
        let put = put(&items);
        if put.is_empty() {
            return Err(Failure::new(
                Code::TooLittleData,
                "No attack can change any test question of the snapshot.",
                "Import more documents, then build graph, questions and snapshot again.",
            ));
        }
        let (systems, mut missing) = self.systems(Some(&dataset), &request.systems)?;
        each_alone(&systems)?;
        let corpus = self.bench_corpus()?;
        let asked: Vec<FrozenItem> = put.iter().map(|one| one.item.clone()).collect();
        let languages: Vec<Language> = put.iter().map(|one| one.language).collect();
        let questions = Questions::InLanguages(&asked, &languages);
        let measured = self.all_measured(
            &systems,
            questions,
            (&corpus, &request.agreed),
            &mut missing,
            watcher,
        )?;
        let unit = dataset.clusters_by().tag();
        let mut rows = Vec::new();
        for (system, answers) in &measured {
            for line in under_each_scorer(system, answers) {
                rows.extend(rows_of(&line, &put, unit, tail)?);
            }
        }
        let p_values: Vec<f64> = rows.iter().map(|r| r.accuracy.comparison.p_value).collect();
        for (row, corrected) in rows.iter_mut().zip(holm(&p_values)) {
            row.accuracy.p_holm = corrected;
        }
        let mut notes = notes();
        notes.extend(self.trained_elsewhere(&dataset, &items, &measured)?);
        let count = |attack| put.iter().filter(|one| one.attack == Some(attack)).count();
        Ok(AttackTable {
            dataset: dataset.hash.clone(),
            unit: unit.to_owned(),
            n: items.len(),
            attacked: Attack::ALL.map(|attack| (attack, count(attack))).to_vec(),
            rows,
            missing,
            notes,
        })
    }
}

impl Evaluations<'_> {
    /// The prompts that would be sent to the endpoints among these systems: one plan for each endpoint. This function
    /// itself sends nothing.
    ///
    /// # Errors
    /// When there is no snapshot, or a name belongs to no system.
    pub(crate) fn plan_attack_asking(&self, request: &BenchRequest) -> Result<Vec<AskPlan>> {
        if !asks(&request.systems) {
            return Ok(Vec::new());
        }
        let (dataset, items, languages) = self.attacked_questions(request)?;
        let (systems, _) = self.systems(Some(&dataset), &request.systems)?;
        self.asking_plans(&systems, Questions::InLanguages(&items, &languages))
    }

    /// The questions that a bench under attack asks, each with its language, and their snapshot.
    pub(super) fn attacked_questions(
        &self,
        request: &BenchRequest,
    ) -> Result<(Dataset, Vec<FrozenItem>, Vec<Language>)> {
        let dataset = self.snapshot(request.dataset)?;
        let put = put(&Training::of(self.workspace).test_items(&dataset)?);
        let asked = put.into_iter().map(|one| (one.item, one.language));
        let (items, languages) = asked.unzip();
        Ok((dataset, items, languages))
    }

    /// How the accuracy of a run under a scorer changes under each attack that keeps the meaning. Empty if no attack
    /// can change any question. The bounds are one-sided at `level`, as the gate's other bounds are.
    pub(in crate::evaluation) fn under_attack(
        &self,
        run: RunId,
        dataset: DatasetId,
        scorer: &str,
        level: f64,
        watcher: &dyn Watcher,
    ) -> Result<Option<Vec<AttackChange>>> {
        let request = BenchRequest {
            dataset: Some(dataset),
            systems: vec![format!("run {run}")],
            ..BenchRequest::default()
        };
        let table = match self.attacked_within(&request, 1.0 - level, watcher) {
            Err(failure) if failure.code == Code::TooLittleData => return Ok(None),
            table => table?,
        };
        if let Some(missing) = table.missing.into_iter().next() {
            return Err(missing.failure);
        }
        let changes: Vec<AttackChange> = table
            .rows
            .into_iter()
            .filter(|row| row.keeps_the_sense && row.scorer == scorer)
            .map(|row| AttackChange {
                attack: row.attack.tag().to_owned(),
                change: row.accuracy.comparison.difference,
            })
            .collect();
        Ok((!changes.is_empty()).then_some(changes))
    }
}

/// Every question that an attack can change, as it is and in every form, numbered from 1.
fn put(items: &[FrozenItem]) -> Vec<Put> {
    let terms = similar_terms(items.iter());
    let mut all: Vec<Put> = Vec::new();
    for (of, item) in items.iter().enumerate() {
        let draft = &item.question.draft;
        let language = language_of(item);
        let mut with = |attack: Option<Attack>, changed| {
            let mut item = item.clone();
            item.question.draft = changed;
            item.question.id = QcaId(all.len() as i64 + 1);
            all.push(Put {
                of,
                attack,
                language,
                item,
            });
        };
        let forms = Attack::ALL.map(|attack| {
            attacked(attack, draft, language, &terms, DEFAULT_SEED).map(|form| (attack, form))
        });
        if forms.iter().any(Option::is_some) {
            with(None, draft.clone());
        }
        for (attack, form) in forms.into_iter().flatten() {
            with(Some(attack), form);
        }
    }
    all
}

fn rows_of(line: &Line<'_>, put: &[Put], unit: &str, tail: f64) -> Result<Vec<AttackRow>> {
    let scored: HashMap<i64, &ScoredItem> =
        line.items.iter().map(|item| (item.id.0, item)).collect();
    let form = |one: &Put| scored.get(&one.item.question.id.0).copied();
    let as_it_is: HashMap<usize, &ScoredItem> = put
        .iter()
        .filter(|one| one.attack.is_none())
        .filter_map(|one| Some((one.of, form(one)?)))
        .collect();
    let mut rows = Vec::new();
    for attack in Attack::ALL {
        let pairs: Vec<(&ScoredItem, &ScoredItem)> = put
            .iter()
            .filter(|one| one.attack == Some(attack))
            .filter_map(|one| Some((*as_it_is.get(&one.of)?, form(one)?)))
            .collect();
        let right = |item: &ScoredItem| Some(f64::from(u8::from(item.is_right())));
        let Some(accuracy) = compared((line.system, "accuracy"), &pairs, (unit, tail), right)?
        else {
            continue;
        };
        let cosines = line.scorer == EMBEDDING && line.system != "bm25";
        let gap = match cosines {
            true => compared(
                (line.system, "choice_cosine_gap"),
                &pairs,
                (unit, tail),
                ScoredItem::gap,
            )?,
            false => None,
        };
        rows.push(AttackRow {
            system: line.system.to_owned(),
            scorer: line.scorer.to_owned(),
            attack,
            keeps_the_sense: attack.keeps_the_sense(),
            n: pairs.len(),
            accuracy,
            gap: gap.map(|gap: PairedComparison| -> Comparison { gap.comparison }),
        });
    }
    Ok(rows)
}

/// A measure of the same questions unchanged and under attack; `None` if no question has it in both forms.
fn compared(
    (system, measure): (&str, &str),
    pairs: &[(&ScoredItem, &ScoredItem)],
    (unit, tail): (&str, f64),
    of: impl Fn(&ScoredItem) -> Option<f64>,
) -> Result<Option<PairedComparison>> {
    let (mut before, mut after, mut clusters) = (Vec::new(), Vec::new(), Vec::new());
    let mut numbers: HashMap<i64, usize> = HashMap::new();
    for (as_it_is, attacked) in pairs {
        if let (Some(one), Some(other)) = (of(as_it_is), of(attacked)) {
            let next = numbers.len();
            clusters.push(*numbers.entry(as_it_is.cluster).or_insert(next));
            before.push(one);
            after.push(other);
        }
    }
    if before.is_empty() {
        return Ok(None);
    }
    let series = PairedSeries {
        measure: measure.to_owned(),
        against: system.to_owned(),
        before,
        after,
    };
    let found = compare_all_within(&[series], &clusters, unit, RESAMPLES, DEFAULT_SEED, tail);
    Ok(found.map_err(Failure::from)?.into_iter().next())
}

fn notes() -> Vec<String> {
    vec![
        "An attack that keeps the sense should change nothing; one that does not puts a wrong choice beside the right one that differs from it in one thing."
            .to_owned(),
        "Before is the accuracy on the same questions as they are: the questions that an attack can change are not all, and differ from attack to attack."
            .to_owned(),
        "The changes are made by word lists, without a language model.".to_owned(),
    ]
}
