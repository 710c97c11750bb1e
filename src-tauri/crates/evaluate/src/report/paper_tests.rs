#![allow(clippy::unwrap_used)]

use super::sample::{general, sample};
use super::tests::assert_well_formed;
use super::{card_html, comparison_html, decision_html, in_language};
use crate::gate::{Evidence, Paired, characteristic, decide};
use lexforge_domain::api::{
    Attack, AttackRow, AttackTable, BenchJudge, BenchMissing, BenchRow, BenchTable,
    BertScoreFigures, ComparisonPaper, ConfusedPair, DecisionPaper, Deployment, DeploymentAction,
    ExpertAgreement, GateOverride, JudgedFigures, JudgedPair, ModelCard, ModelKind, PaperHead,
    PaperLanguage, WrittenFigures,
};
use lexforge_domain::gate::{GateDecision, GatePolicy, GateSeeds, ItemOutcome};
use lexforge_domain::metrics::{Comparison, GroupMetrics, Interval};
use lexforge_domain::protocol::{Objective, RerankObjective, Taught};
use lexforge_domain::statistics::{ByItem, PairedComparison, Power};
use lexforge_domain::{Code, DatasetId, Failure, QcaId, RunId};
use std::collections::BTreeMap;

pub(super) fn head() -> PaperHead {
    PaperHead {
        workspace: "Outsourcing & exposures".to_owned(),
        created: "2026-03-05T14:20:31Z".to_owned(),
        version: "0.1.0".to_owned(),
        audit_head: "headheadhead".to_owned(),
    }
}

/// The page, kept in the folder that LEXFORGE_REPORT_SAMPLES names, for a look in a browser.
pub(super) fn kept(name: &str, page: String) -> String {
    if let Some(folder) = std::env::var_os("LEXFORGE_REPORT_SAMPLES") {
        let path = std::path::Path::new(&folder).join(format!("{name}.html"));
        std::fs::write(path, &page).unwrap();
    }
    assert!(assert_well_formed(&page) > 50);
    for forbidden in [
        "<script", "http://", "https://", "url(", "src=", "NaN", "Some(",
    ] {
        assert!(!page.contains(forbidden), "{name}: {forbidden}");
    }
    said_in_chinese(name, &page);
    page
}

/// Names that are in the samples, and words of the field that Chinese papers have in Latin letters.
const LATIN: &str = "all base bertscore bleu chrf example meteor rouge cos dense dropout exposures holm idf infonce json key large lexforge lora lsa macro mcnemar minilm \
    mib min outsourcing pdf query rules sha sft tfidf utc value";

/// Texts in the samples that other people wrote. They are not translated.
const OTHERS: [&str; 5] = [
    "Its adapter is <gone>.",
    "Train again.",
    "Figures of two scorers say nothing about each other.",
    "All test questions come from two documents of one authority.",
    "sentence stage (InfoNCE)",
];

/// Checks the page in Chinese: it has the same figures, and no English except names.
fn said_in_chinese(name: &str, page: &str) {
    let chinese = in_language(page.to_owned(), PaperLanguage::Chinese);
    if let Some(folder) = std::env::var_os("LEXFORGE_REPORT_SAMPLES") {
        let path = std::path::Path::new(&folder).join(format!("{name}-zh.html"));
        std::fs::write(path, &chinese).unwrap();
    }
    assert_eq!(assert_well_formed(page), assert_well_formed(&chinese));
    assert_eq!(figures(page), figures(&chinese), "{name}");
    let english = english(&chinese);
    assert!(english.is_empty(), "{name}: {english:#?}");
}

/// The words of a page without its markup, style and code.
fn texts(page: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let (_, body) = page.split_once("<body>").unwrap();
    let mut rest = body;
    while let Some((text, after)) = rest.split_once('<') {
        let text = text.trim().replace("&#39;", "'").replace("&amp;", "&");
        let text = text.replace("&lt;", "<").replace("&gt;", ">");
        texts.push(text);
        let (tag, after) = after.split_once('>').unwrap();
        rest = match tag {
            "code" => after.split_once("</code>").unwrap().1,
            "span class=\"law\"" | "span class=\"law\" lang=\"zh\"" | "span class=\"own\"" => {
                after.split_once("</span>").unwrap().1
            }
            _ => after,
        };
    }
    texts.retain(|text| !text.is_empty());
    texts
}

fn figures(page: &str) -> Vec<String> {
    let mut figures: Vec<String> = texts(page)
        .iter()
        .flat_map(|text| {
            text.split(|c: char| !c.is_ascii_digit() && c != '.')
                .map(|figure| figure.trim_matches('.').to_owned())
                .collect::<Vec<_>>()
        })
        .filter(|figure| !figure.is_empty())
        .collect();
    figures.sort();
    figures
}

fn english(page: &str) -> Vec<String> {
    let names: Vec<&str> = LATIN.split_whitespace().collect();
    let is_english = |text: &String| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let mut words =
            words.filter(|word| word.len() > 2 && !word.contains(|c: char| c.is_ascii_digit()));
        words.any(|word| !names.contains(&word.to_lowercase().as_str()))
    };
    let own = |text: &String| !OTHERS.iter().any(|other| text.ends_with(other));
    let texts = texts(page).into_iter().filter(own);
    texts.filter(is_english).collect()
}

fn compared(value: f64, half: f64, p_holm: f64) -> PairedComparison {
    PairedComparison {
        comparison: Comparison {
            measure: "accuracy".to_owned(),
            before: 0.5,
            after: 0.5 + value,
            difference: Interval {
                value,
                low: value - half,
                high: value + half,
            },
            p_value: p_holm / 3.0,
            p_holm: None,
            test: "cluster permutation".to_owned(),
            unit: "anchor".to_owned(),
            against: "base all-MiniLM-L6-v2".to_owned(),
            resamples: 2000,
        },
        p_holm,
        n: 301,
        clusters: 61,
        by_item: ByItem::default(),
    }
}

fn of_class(n: usize) -> GroupMetrics {
    GroupMetrics {
        accuracy: 0.5,
        ci95: [0.4, 0.6],
        n,
        clusters: n / 5,
        ..GroupMetrics::default()
    }
}

pub(super) fn bench() -> BenchTable {
    let sample = sample(61, -0.02, 0.16);
    let row = |system: &str, against: Option<PairedComparison>| BenchRow {
        system: system.to_owned(),
        runs: None,
        by_run: if system == "lsa" {
            vec![0.71, 0.64]
        } else {
            Vec::new()
        },
        scorer: "embedding".to_owned(),
        figures: sample.view.evaluation.after.clone(),
        too_long: 2,
        against,
        by_class: [("法规", 200), ("<制度>", 101)]
            .map(|(class, n)| (class.to_owned(), of_class(n)))
            .into(),
        confused: vec![ConfusedPair {
            gold: "监事会".to_owned(),
            predicted: "董事会".to_owned(),
            n: 3,
            at: Vec::new(),
        }],
        general: None,
        written: None,
    };
    let judged = JudgedFigures {
        n: 290,
        mean: 3.42,
        ci95: Some([3.1, 3.7]),
        marks: ["correct", "complete", "grounded", "restrained", "plain"]
            .map(|mark| (mark.to_owned(), 3.42))
            .into(),
        empty: 4,
        unreadable: 11,
        ..JudgedFigures::default()
    };
    let mut moved = compared(1.2, 0.5, 0.003);
    moved.comparison.measure = "chrf".to_owned();
    let mut writer = row("run 4", Some(compared(0.12, 0.05, 0.003)));
    writer.written = Some(WrittenFigures {
        n: 301,
        empty: 4,
        bleu: 12.34,
        shorter_bleu: Some([31.2, 22.1, 16.4]),
        rouge1: Some(0.35),
        rouge2: None,
        rouge_l: 0.31,
        meteor: 0.28,
        chrf: 30.5,
        bertscore: Some(BertScoreFigures {
            signature: "model:minilm|hash:0".to_owned(),
            ..BertScoreFigures::default()
        }),
        against: vec![moved],
        judged: Some(judged),
    });
    BenchTable {
        dataset: "snapshot-hash".to_owned(),
        unit: "anchor".to_owned(),
        n: 301,
        clusters: 61,
        baseline: Some("base all-MiniLM-L6-v2".to_owned()),
        systems: vec![
            row("base all-MiniLM-L6-v2", None),
            writer,
            row("tfidf", Some(compared(-0.2, 0.05, 0.003))),
            // Its own p-value is below .05; corrected it is not.
            row("lsa", Some(compared(0.06, 0.05, 0.09))),
        ],
        missing: vec![BenchMissing {
            system: "run 5".to_owned(),
            failure: Failure::new(Code::StepMissing, "Its adapter is <gone>.", "Train again."),
        }],
        power: Some(Power {
            power: 0.8,
            smallest_difference: 0.062,
            discordant: 0.1,
            more_clusters: BTreeMap::from([("1".to_owned(), 2_400), ("2".to_owned(), 600)]),
            ..Power::default()
        }),
        notes: vec!["Figures of two scorers say nothing about each other.".to_owned()],
        judge: Some(BenchJudge {
            model: "m".to_owned(),
            host: "h.example".to_owned(),
            pairs: vec![JudgedPair {
                system: "run 4".to_owned(),
                against: "base all-MiniLM-L6-v2".to_owned(),
                n: 120,
                better: 70,
                worse: 30,
                neither: 20,
                lead: 0.333,
                ci95: Some([0.2, 0.45]),
                contradicted: 25,
                unreadable: 7,
                unanswered: 0,
            }],
            verdicts: Some(ExpertAgreement {
                n: 40,
                agreed: 31,
                unclear: 3,
                not_shown: 2,
            }),
            ..BenchJudge::default()
        }),
    }
}

pub(super) fn attacked() -> AttackTable {
    let row = |system: &str, attack: Attack| AttackRow {
        system: system.to_owned(),
        scorer: "embedding".to_owned(),
        attack,
        keeps_the_sense: attack.keeps_the_sense(),
        n: 120,
        accuracy: compared(-0.08, 0.03, 0.01),
        gap: None,
    };
    AttackTable {
        dataset: "snapshot-hash".to_owned(),
        unit: "anchor".to_owned(),
        n: 301,
        attacked: vec![(Attack::Typo, 120), (Attack::Negation, 120)],
        rows: vec![
            row("run 4", Attack::Typo),
            row("run 4", Attack::Negation),
            row("tfidf", Attack::Typo),
        ],
        missing: Vec::new(),
        notes: vec!["The changes are made by word lists, without a language model.".to_owned()],
    }
}

/// The gate's own decision on `anchors` clusters of four questions; in one of `worse` clusters the candidate loses one.
pub(super) fn decision(anchors: i64, worse: i64) -> GateDecision {
    let items = |candidate: bool| -> Vec<ItemOutcome> {
        (0..anchors * 4)
            .map(|id| {
                let lost = candidate && id % 4 == 0 && (id / 4) % worse == 0;
                let wrong = lost || id % 5 == 0;
                let answer = (id % 4) as usize;
                ItemOutcome {
                    id: QcaId(id),
                    cluster: id / 4,
                    answer,
                    chosen: Some(if wrong { (answer + 1) % 4 } else { answer }),
                    gap: Some(0.2),
                }
            })
            .collect()
    };
    let (policy, paired) = (
        GatePolicy::default(),
        Paired::new(&items(false), &items(true)).unwrap(),
    );
    let decided = decide(&paired, &policy, &Evidence::default());
    GateDecision {
        run: RunId(4),
        verdict: decided.verdict,
        reasons: decided.reasons,
        against: "base all-MiniLM-L6-v2".to_owned(),
        against_run: None,
        dataset: DatasetId(3),
        dataset_hash: "snapshot-hash".to_owned(),
        adapter: "adapter-hash".to_owned(),
        scorer: "embedding".to_owned(),
        unit: "anchor".to_owned(),
        questions: paired.questions() as u32,
        anchors: paired.anchors() as u32,
        needed: decided.needed,
        figures: decided.figures,
        characteristic: characteristic(&paired, &policy, 200, 7),
        seeds: Some(GateSeeds {
            runs: vec![RunId(4), RunId(5)],
            accuracy: vec![0.71, 0.64],
        }),
        general: Some(general()),
        policy,
    }
}

#[test]
fn a_comparison_says_first_who_is_better_and_counts_only_what_survives_the_correction() {
    let page = kept(
        "comparison",
        comparison_html(&ComparisonPaper {
            head: head(),
            systems: bench(),
            attack: Some(attacked()),
        }),
    );
    for words in [
        "Better than the baseline: run 4 (embedding).",
        "Worse: tfidf (embedding).",
        "cannot tell: lsa (embedding).",
        "seeds .640 to .710",
        "4 systems side by side",
        "Its adapter is &lt;gone&gt;.",
        "6.2 points",
        "lang=\"zh\">监事会",
        "<code>snapshot-hash</code>",
        "<code>headheadhead</code>",
        "misspelt words",
        "the opposite as a choice",
        "Contradicted",
        "<b>3.42</b>",
        "model:minilm|hash:0",
        "agrees with people in 31 of 40 cases",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let mut alone = bench();
    alone.systems.truncate(1);
    let alone = ComparisonPaper {
        head: head(),
        systems: alone,
        attack: None,
    };
    assert!(comparison_html(&alone).contains("Not compared."));
}

#[test]
fn a_decision_shows_its_reasons_and_how_often_the_rule_is_right() {
    let page = |decision| {
        let head = head();
        decision_html(&DecisionPaper { head, decision })
    };
    let stopped = decision(400, 2);
    let verdict = stopped.verdict;
    let few = page(decision(10, 3));
    let page = kept("decision", page(stopped));
    assert!(page.contains("<strong>Stop.</strong>"), "{verdict:?}");
    for words in [
        "an equal model",
        "2 runs of this recipe, each with a seed of its own, have accuracies from .640 to .710.",
        "worse by 3 points",
        "1,600 test questions",
        "<code>adapter-hash</code>",
        "The rule",
        "pairs.csv",
        "<dd>.812</dd><dt>Rank correlation after</dt><dd>.801</dd><dt>Difference</dt><dd>−.011</dd><dt>At worst</dt><dd>−.019</dd>",
        "<code>pairs-hash</code></dd></dl><p class=\"note\">At worst and at best: one-sided bounds of the difference at level .950, by resampling of the pairs",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(few.contains("<strong>Undecided.</strong>"));
}

#[test]
fn a_card_says_what_is_known_of_a_model_and_what_is_not() {
    let sample = sample(61, -0.02, 0.16);
    let active = Deployment {
        id: 1,
        made: "2026-03-06T09:00:00Z".to_owned(),
        action: DeploymentAction::Override,
        kind: ModelKind::Encoder,
        run: Some(RunId(4)),
        adapter: None,
        base: None,
        overridden: Some(GateOverride {
            by: "the head of compliance".to_owned(),
            reason: "needed for the <inspection>".to_owned(),
            accepts: true,
        }),
        decision: None,
        back: None,
    };
    let bare = ModelCard {
        head: head(),
        run: sample.run.clone(),
        job: sample.job.clone(),
        result: Some(sample.result.clone()),
        device: String::new(),
        documents: BTreeMap::new(),
        dataset: None,
        evaluation: None,
        decision: None,
        active: None,
        attack: None,
        exports: Vec::new(),
    };
    let whole = ModelCard {
        documents: sample.view.hashes.documents.clone(),
        dataset: Some(sample.view.dataset.clone()),
        evaluation: Some(sample.view.clone()),
        decision: Some(decision(400, 2)),
        active: Some(active),
        attack: Some(attacked()),
        ..bare.clone()
    };
    let page = kept("card", card_html(&whole));
    for words in [
        "<strong>Active against the gate.</strong>",
        "needed for the &lt;inspection&gt;",
        "unreviewed (automatic)",
        "nobody has looked at them",
        "not known: no question was decided by two reviewers",
        "misspelt words",
        &sample.view.hashes.dataset,
        &sample.view.hashes.documents["outsourcing-rules.pdf"],
    ] {
        assert!(page.contains(words), "{words}");
    }
    // Only what was measured of this model.
    assert!(!page.contains(">tfidf<"));
    // A model that could not be measured under attack is not passed over.
    let mut unmeasured = attacked();
    unmeasured.rows.clear();
    unmeasured.missing = bench().missing;
    let page = card_html(&ModelCard {
        attack: Some(unmeasured),
        ..bare.clone()
    });
    assert!(page.contains("Its adapter is &lt;gone&gt;."));
    // The card shows attacks that the model was trained on, and nothing if there were none.
    let under = "Learnt under attack, too";
    assert!(!page.contains(under));
    let mut learnt = bare.clone();
    learnt.job.lineage.attacks = BTreeMap::from([("near_term".to_owned(), 1_204)]);
    let page = card_html(&learnt);
    assert!(page.contains(under) && page.contains("near term 1,204"));
    learnt.job.lineage.taught = Some(Taught {
        labelled: 2_900,
        headings: 300,
        terms: 12,
        ..Taught::default()
    });
    let page = card_html(&learnt);
    assert!(page.contains("2,900 labelled questions and 312 without a label"));
    // A cross-encoder makes no vectors.
    let mut crossed = bare.clone();
    crossed.job.settings.stages.truncate(1);
    crossed.job.settings.stages[0].objective = Objective::Rerank(RerankObjective::default());
    let page = kept("card-cross", card_html(&crossed));
    assert!(page.contains("a cross-encoder: it reads") && !page.contains("it makes vectors"));
    let page = kept("card-bare", card_html(&bare));
    for words in [
        "Not decided.",
        "This model was not measured.",
        "was not measured under attack",
        "not in this workspace",
    ] {
        assert!(page.contains(words), "{words}");
    }
}
