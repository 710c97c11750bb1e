//! A model's card: what an adapter was trained on, how good it is, whether it may go live, and what is not known about
//! it.

use super::attacked;
use super::decision;
use super::input::Training;
use super::markup::{Column, Page, columns, escape, foreign, key_values, mono, own, table};
use super::names::{scorer_within, unit_words};
use super::numbers::{count, figure, moment};
use super::paper::{hashes, header, missing, sentences, verdict};
use super::results;
use super::training;
use lexforge_domain::api::{ExportRow, ModelCard};
use lexforge_domain::dataset::{Dataset, ReviewPolicy, SplitCounts};
use lexforge_domain::protocol::Tune;

/// The page of a model.
pub fn card_html(card: &ModelCard) -> String {
    let mut page = Page::default();
    let (paper, run) = (&card.head, &card.run);
    let kind = if card.job.settings.reranks().is_some() {
        "a cross-encoder: it reads a question and a clause together and scores how well the clause answers. It writes nothing"
    } else if run.is_of_encoder() {
        "an encoder: it makes vectors of texts, by which questions, terms and rules are compared. It writes nothing"
    } else {
        "a decoder: it chooses and writes answers"
    };
    let what = match card.job.settings.tune {
        Tune::Lora => "A LoRA adapter for",
        Tune::All => "What tuning added to all weights of",
    };
    header(
        &mut page,
        paper,
        "Model card",
        &format!("{}, adapter of run {}", run.base, run.id),
        &format!(
            "{what} {}, {kind}. Trained by the recipe <b>{}</b>.",
            foreign(&run.base),
            foreign(&run.recipe)
        ),
    );
    may_go_live(&mut page, card);
    data(&mut page, card);
    match &card.evaluation {
        Some(view) => {
            results::results(&mut page, view);
            results::changes(&mut page, view);
            results::shortcuts(&mut page, &view.evaluation);
        }
        None => page.section(
            "results",
            "Before and after",
            "<p>This model was not measured.</p>",
        ),
    }
    match &card.attack {
        Some(under_attack) => {
            let name = format!("run {}", run.id);
            attacked::sections(&mut page, under_attack, Some(&name));
            missing(&mut page, &under_attack.missing);
        }
        None => page.section(
            "attack",
            "Under attack",
            "<p>It was not measured under attack.</p>",
        ),
    }
    if let Some(decided) = &card.decision {
        decision::sections(&mut page, "What the gate says", decided);
    }
    let trained = Training {
        run,
        job: Some(&card.job),
        result: card.result.as_ref(),
        device: &card.device,
    };
    page.section("training", "Training", &training::facts(&trained));
    exports(&mut page, &card.exports);
    sentences(
        &mut page,
        "limits",
        "What nobody knows about this model",
        &limits(card),
    );
    hashes(&mut page, paper, &named(card));
    page.finish(&format!("{} · model of run {}", paper.workspace, run.id))
}

fn may_go_live(page: &mut Page, card: &ModelCard) {
    match &card.decision {
        Some(decided) => {
            let (class, word, says) = decision::words(decided.verdict);
            verdict(
                page,
                class,
                word,
                &format!(
                    "{says} Compared with {} under the {} scorer by: {}.",
                    foreign(&decided.against),
                    scorer_within(&decided.scorer),
                    escape(&decision::decided_by(&decided.policy))
                ),
            );
        }
        None => verdict(
            page,
            "flagged",
            "Not decided.",
            "The gate was not asked about this model, or cannot be: its answers to test questions are not there.",
        ),
    }
    if let Some(active) = &card.active {
        decision::overridden(page, active);
        page.head(&format!(
            "<p class=\"lead\">Active since {}.</p>",
            escape(&moment(&active.made))
        ));
    }
}

/// What it was trained on, who looked at it, and how far they agreed.
fn data(page: &mut Page, card: &ModelCard) {
    let mut rows: Vec<(&str, String)> = Vec::new();
    let part = |c: &SplitCounts| {
        format!(
            "{} about sentences, {} about terms, of {} rules",
            count(c.sentence.into()),
            count(c.token.into()),
            count(c.anchors.into())
        )
    };
    if let Some(dataset) = &card.dataset {
        rows.extend([
            (
                "Snapshot",
                format!("{} of {}", dataset.id, escape(&moment(&dataset.created))),
            ),
            ("Review", escape(dataset.policy.label())),
            ("Trained on", part(&dataset.train)),
            ("Chosen on", part(&dataset.dev)),
            ("Tested on", part(&dataset.test)),
            ("Test clusters", test_clusters(dataset)),
            (
                "Leak check",
                format!(
                    "{} left out, {} remain",
                    count(dataset.leak_check.removed),
                    count(dataset.leak_check.leaks.len() as u64)
                ),
            ),
            ("Agreement of reviewers", agreement(dataset)),
        ]);
    }
    let mut body = if rows.is_empty() {
        "<p>The snapshot that this run was trained on is not in this workspace.</p>".to_owned()
    } else {
        key_values(&rows)
    };
    let documents: Vec<Vec<String>> = card
        .documents
        .iter()
        .map(|(file, hash)| vec![own(file), mono(hash)])
        .collect();
    let columns = [Column::Words("Document"), Column::Words("SHA-256")];
    if !documents.is_empty() {
        body.push_str("<h3>Documents</h3>");
        body.push_str(&table("The documents behind it.", &columns, &documents));
    }
    page.section("data", "What it was trained on", &body);
}

fn test_clusters(dataset: &Dataset) -> String {
    let (one, several) = unit_words(dataset.clusters_by().tag());
    dataset.clusters.get("test").map_or_else(String::new, |c| {
        format!(
            "{} {}, {} questions in the middle one",
            count(c.clusters.into()),
            if c.clusters == 1 { one } else { several },
            c.median
        )
    })
}

fn agreement(dataset: &Dataset) -> String {
    let found = dataset.review.agreement.as_ref();
    match found.and_then(|row| Some((row, row.alpha.value?))) {
        Some((row, alpha)) => format!("α {} over {} questions", figure(alpha), count(row.items)),
        None => "not known: no question was decided by two reviewers".to_owned(),
    }
}

fn exports(page: &mut Page, exports: &[ExportRow]) {
    let rows: Vec<Vec<String>> = exports
        .iter()
        .map(|export| {
            vec![
                escape(export.result.format.tag()),
                escape(&moment(&export.created)),
                if export.result.parity.is_some() {
                    "<span class=\"badge ok\">answers as the run does</span>".to_owned()
                } else {
                    "a copy of the adapter".to_owned()
                },
                export
                    .result
                    .files
                    .iter()
                    .map(|file| format!("{} {}", escape(&file.name), mono(file.sha256.as_ref())))
                    .collect::<Vec<_>>()
                    .join("<br>"),
            ]
        })
        .collect();
    let columns = columns![Words "Form", Words "Made", Words "Checked", Words "Files"];
    if !rows.is_empty() {
        page.section(
            "exports",
            "Taken elsewhere",
            &table("What was made of it for other programs.", &columns, &rows),
        );
    }
}

fn limits(card: &ModelCard) -> Vec<String> {
    let mut said: Vec<String> = card
        .evaluation
        .as_ref()
        .map(|view| view.evaluation.limits.clone())
        .unwrap_or_default();
    if card
        .dataset
        .as_ref()
        .is_some_and(|d| d.policy == ReviewPolicy::UnreviewedAutomatic)
    {
        said.push("Whether its questions are right: nobody has looked at them.".to_owned());
    }
    if card.evaluation.is_none() {
        said.push("How good it is: it was not measured.".to_owned());
    }
    said.push(
        "How it does on documents that are not listed here, and on questions that people ask in their own words."
            .to_owned(),
    );
    said.push(
        "Whether an answer is safe to act on: a person has to read the page that it cites."
            .to_owned(),
    );
    said
}

fn named(card: &ModelCard) -> Vec<(String, String)> {
    let mut named = Vec::new();
    let mut add = |name: &str, hash: &str| named.push((name.to_owned(), hash.to_owned()));
    let hashes = card.evaluation.as_ref().map(|view| &view.hashes);
    match (hashes, &card.dataset) {
        (Some(h), _) => {
            add("Corpus", &h.corpus);
            add("Dataset snapshot", &h.dataset);
            add("Base model (configuration and index)", &h.base);
        }
        (None, Some(dataset)) => {
            add("Corpus", &dataset.corpus_hash);
            add("Dataset snapshot", &dataset.hash);
        }
        (None, None) => {}
    }
    if card.evaluation.is_none() {
        add(
            "Base model (configuration and index)",
            &card.job.model.sha256,
        );
    }
    if let Some(result) = &card.result {
        add("Adapter weights", result.adapter_sha256.as_ref());
    }
    named
}
