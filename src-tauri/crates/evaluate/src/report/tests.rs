#![allow(clippy::unwrap_used)]

use super::markup::escape;
use super::sample::{Sample, sample};
use super::{Model, ReportInput, html, verdict_in_words};
use lexforge_domain::dataset::{ClusterKind, ReviewPolicy};
use lexforge_domain::metrics::{Comparison, Interval, ScorerRow, StageCurve};

/// Every element is closed in order; returns how many there are.
pub(super) fn assert_well_formed(page: &str) -> usize {
    const VOID: [&str; 3] = ["meta", "br", "!doctype"];
    let (mut open, mut elements) = (Vec::new(), 0);
    let body = page
        .split_once("<style>")
        .map(|(head, rest)| head.to_owned() + rest.split_once("</style>").unwrap().1);
    let body = body.unwrap_or_else(|| page.to_owned());
    let mut rest = body.as_str();
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').unwrap();
        rest = after;
        let name = tag
            .trim_start_matches('/')
            .split(|c: char| c.is_whitespace() || c == '/')
            .next()
            .unwrap();
        elements += 1;
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(
                open.pop().as_deref(),
                Some(closed),
                "near {}",
                rest.chars().take(60).collect::<String>()
            );
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    elements
}

/// The page, kept in the folder that LEXFORGE_REPORT_SAMPLES names, for a look in a browser.
fn page(name: &str, input: &ReportInput) -> String {
    let page = html(input);
    if let Some(folder) = std::env::var_os("LEXFORGE_REPORT_SAMPLES") {
        std::fs::write(
            std::path::Path::new(&folder).join(format!("{name}.html")),
            &page,
        )
        .unwrap();
    }
    page
}

#[test]
fn pages_are_well_formed_self_contained_and_escape_what_documents_say() {
    let better = sample(61, -0.02, 0.16);
    let few = sample(9, 0.02, 0.03);
    let worse = sample(61, 0.16, 0.02);
    let mut bare = sample(0, 0.0, 0.0);
    bare.view.evaluation.comparisons.clear();
    bare.view.evaluation.shortcuts.clear();
    bare.view.evaluation.train_curve.clear();
    let pages = [
        page("better", &better.evaluated()),
        page("undecided", &few.evaluated()),
        page("worse", &worse.evaluated()),
        page("prepared", &better.prepared()),
        page("bare", &bare.evaluated()),
        page("empty", &ReportInput::default()),
    ];
    for page in &pages {
        assert!(assert_well_formed(page) > 50);
        for forbidden in [
            "<script", "http://", "https://", "url(", "@import", "src=", "NaN", "onload", "Some(",
        ] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
    }
    assert!(pages[0].contains("&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(pages[0].contains("Outsourcing &amp; exposures"));
}

#[test]
fn the_verdict_is_said_as_plainly_whether_better_worse_or_undecided() {
    let check = |clusters, before, after, expected: &str| {
        let sample = sample(clusters, before, after);
        let page = html(&sample.evaluated());
        assert!(page.contains(expected), "{expected}");
        for other in [
            "<strong>Better.</strong>",
            "<strong>Worse.</strong>",
            "<strong>Undecided.</strong>",
        ] {
            assert_eq!(page.contains(other), other == expected, "{other}");
        }
    };
    check(61, -0.02, 0.16, "<strong>Better.</strong>");
    check(61, 0.16, 0.02, "<strong>Worse.</strong>");
    check(9, 0.02, 0.03, "<strong>Undecided.</strong>");
}

/// The verdict of a sample as plain text. The page says the same, with the first word of a sentence set apart.
fn verdict_lines(sample: &Sample) -> Vec<String> {
    let said = verdict_in_words(&sample.view);
    let lines: Vec<String> = [said.main]
        .into_iter()
        .chain(said.gap)
        .chain(said.cautions)
        .collect();
    let page = html(&sample.evaluated()).replace('\u{a0}', " ");
    let page = page.replace("<strong>", "").replace("</strong>", "");
    for line in &lines {
        assert!(page.contains(&format!(">{}</p>", escape(line))), "{line}");
    }
    lines
}

#[test]
fn the_verdict_as_plain_text_says_what_the_page_says() {
    let mut sample = sample(9, 0.0, 0.1);
    let e = &mut sample.view.evaluation;
    (e.after.n, e.after.clusters, e.after.accuracy) = (1044, 9, 0.4);
    e.tfidf.as_mut().unwrap().accuracy = 0.778;
    let set =
        |c: &mut Comparison, [before, after]: [f64; 2], difference: Interval, p_value: f64| {
            c.against = "base <b>".to_owned();
            (c.before, c.after, c.difference, c.p_value) = (before, after, difference, p_value);
            // As an earlier version wrote it.
            c.p_holm = None;
        };
    for c in &mut e.comparisons {
        let change = |value: f64, low: f64, high: f64| Interval { value, low, high };
        match c.measure.as_str() {
            "accuracy" => set(c, [0.3, 0.4], change(0.1, 0.02, 0.18), 0.0004),
            _ => set(c, [0.06, 0.05], change(-0.01, -0.04, 0.02), 0.2),
        }
    }
    let flagged = "Flagged. Part of these questions can be answered without reading them: most central choice .447, where \
                   guessing scores .250. The accuracies are therefore not a measure of understanding, and this snapshot \
                   cannot support a deployment.";
    let counting = "Not above counting words. TF-IDF scores .778, the tuned model .400.";
    let few = "Few clusters. The questions come from only 9 anchors: the intervals are narrower than they should be.";
    assert_eq!(
        verdict_lines(&sample),
        [
            "Better. The tuned model answers better than before on 1,044 held-out questions from 9 anchors: accuracy .400 \
             against .300 of the base <b> (+.100 [+.020, +.180], p < .001).",
            "Whether it tells right and wrong choices apart more clearly is undecided: cosine gap of the choices .050 \
             against .060 (−.010 [−.040, +.020], p .200).",
            flagged,
            counting,
            few,
        ]
    );

    let e = &mut sample.view.evaluation;
    e.comparisons.retain(|c| c.measure == "accuracy");
    (e.comparisons[0].p_value, e.comparisons[0].p_holm) = (0.03, Some(0.09));
    e.after.clusters = 61;
    e.tfidf = None;
    for row in &mut e.shortcuts {
        row.flagged = false;
    }
    assert_eq!(
        verdict_lines(&sample),
        [
            "Undecided. The answers on 1,044 held-out questions from 61 anchors cannot tell the tuned model from the one \
             before: accuracy .400 against .300 of the base <b> (+.100 [+.020, +.180], corrected p .090). The interval of the \
             change leaves out zero, but the test does not confirm it."
        ]
    );

    // What a test of this size can decide: .08 · 2.80 / 1.96.
    let decides = "a difference of about <b>11.4 points</b> or more in accuracy";
    assert!(html(&sample.evaluated()).contains(decides));

    sample.view.evaluation.comparisons.clear();
    assert!(!html(&sample.evaluated()).contains("What this test can decide"));
    assert_eq!(
        verdict_lines(&sample),
        ["Not compared. There was nothing to compare the tuned model with."]
    );
}

#[test]
fn what_an_auditor_looks_for_is_on_the_page() {
    let sample = sample(61, -0.02, 0.16);
    let page = html(&sample.evaluated());
    let hashes = &sample.view.hashes;
    for hash in [
        &hashes.corpus,
        &hashes.dataset,
        &hashes.base,
        &hashes.adapter,
        &hashes.audit_head,
    ] {
        assert!(page.contains(&format!("<code>{hash}</code>")), "{hash}");
    }
    for words in [
        "unreviewed (automatic)",
        "offline generator",
        "not for real advice",
        "Shortcut controls",
        ">flagged</span>",
        "cluster permutation",
        "What these figures cannot show",
        "none remains",
        "lang=\"zh\"",
        "outsourcing-policy-2021.pdf: not imported",
        "role=\"img\"",
        "Show as table",
        "Terms told apart, pairwise accuracy",
        "<b>.791</b>",
        "<b>.165</b>",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let without = html(&sample.prepared());
    assert!(
        without.contains("all-MiniLM-L6-v2 is English only")
            && without.contains("language_unsupported")
    );
    assert!(without.contains(&sample.documents[2].sha256) && !without.contains("Before and after"));
}

#[test]
fn clusters_are_shown_with_their_sizes_and_those_of_the_old_kind_are_called_so() {
    let mut sample = sample(30, 0.0, 0.1);
    let page = html(&sample.evaluated());
    for words in [
        "Article 37, outsourcing-rules.pdf",
        "7 sentences, since nearly the same",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("Old clusters") && page.contains("Cosine gap of the choices"));
    let dataset = &mut sample.view.dataset;
    (dataset.cluster_kind, dataset.split_unit) = (ClusterKind::Joined, "section".to_owned());
    assert!(html(&sample.evaluated()).contains("Old clusters"));
}

#[test]
fn what_came_in_after_the_graph_is_said_to_be_in_none_of_its_figures() {
    let mut sample = sample(30, 0.0, 0.1);
    let told = "came in after the sentence graph was made";
    assert!(!html(&sample.evaluated()).contains(told));
    sample.graph.sentences -= 188;
    let page = html(&sample.evaluated());
    assert!(page.contains(&format!("Of the 2,900 sentences 188 {told}")));
}

#[test]
fn a_leak_that_remains_is_not_passed_over() {
    let mut sample = sample(30, 0.0, 0.1);
    sample.view.dataset.leak_check.leaks = serde_json::from_str(
        r#"[{"train":1,"held_out":2,"split":"test","jaccard":0.9,"role":"anchor"}]"#,
    )
    .unwrap();
    assert!(html(&sample.evaluated()).contains("1 leak found"));
}

#[test]
fn a_decoder_beside_an_encoder_has_sections_of_its_own_with_every_scorer_and_a_curve_a_stage() {
    let (encoder, mut decoder) = (sample(61, -0.02, 0.16), sample(61, 0.0, 0.01));
    let e = &mut decoder.view.evaluation;
    (e.scorer, e.base, e.too_long) = ("likelihood".to_owned(), "lexforge-demo".to_owned(), 2);
    let comparison = e.comparisons[0].clone();
    e.scorers = ["per_byte", "pmi", "generation", "embedding"]
        .map(|scorer| ScorerRow {
            scorer: scorer.to_owned(),
            before: e.before.clone(),
            after: e.after.clone(),
            comparison: comparison.clone(),
            unparseable_before: 31,
            unparseable_after: 17,
        })
        .to_vec();
    let stage = |name: &str, from: usize, to: usize| StageCurve {
        name: name.to_owned(),
        train: e.train_curve[from..to].to_vec(),
        dev: Vec::new(),
    };
    e.stages = vec![
        stage("sft", 0, 100),
        stage("sentence", 100, 200),
        stage("token", 200, 300),
    ];
    let training = decoder.evaluated().training;
    let both = ReportInput {
        decoder: Some(Model {
            training,
            evaluation: Some(&decoder.view),
        }),
        ..encoder.evaluated()
    };
    let page = page("both", &both);
    assert_well_formed(&page);
    for words in [
        "id=\"decoder-results\"",
        "Before and after · lexforge-demo",
        "Likelihood <span class=\"badge ok\">primary</span>",
        "31 → 17",
        "Stage SFT",
        "Stage token",
        "2 questions are longer than the model's context",
        "an encoder and a decoder",
        "lexforge-demo · likelihood scorer",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let ids: Vec<&str> = page
        .split("<section id=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let unique: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), unique.len(), "{ids:?}");
    // A report about one model names none in its headings.
    assert!(!html(&encoder.evaluated()).contains("Before and after ·"));
}

#[test]
fn what_reviewers_accepted_is_not_called_unchecked() {
    let mut run = sample(61, -0.02, 0.16);
    for policy in ReviewPolicy::ALL {
        run.view.dataset.policy = policy;
        run.terms.policy = policy;
        for page in [html(&run.evaluated()), html(&run.prepared())] {
            assert_eq!(
                page.contains("No person has checked"),
                policy == ReviewPolicy::UnreviewedAutomatic,
                "{policy:?}"
            );
        }
        assert_eq!(
            html(&run.prepared()).contains("no person has checked them"),
            policy == ReviewPolicy::UnreviewedAutomatic,
            "{policy:?}"
        );
    }
}
