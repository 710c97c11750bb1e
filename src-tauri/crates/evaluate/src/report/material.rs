//! What the figures rest on: documents, terms, graph, questions, snapshot.

use super::input::ReportInput;
use super::markup::{Page, columns, escape, foreign, key_values, law, mono, table};
use super::numbers::{bytes, count, counted, duration, moment, percent};
use lexforge_domain::api::{AugmentReport, DocumentRow, QuestionRow};
use lexforge_domain::dataset::Dataset;
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::qca::Split;
use lexforge_domain::term::Term;
use std::collections::BTreeMap;

pub(super) fn documents(page: &mut Page, input: &ReportInput) {
    let rows: Vec<Vec<String>> = input
        .documents
        .iter()
        .map(|d| {
            vec![
                format!(
                    "{}<br><span class=\"muted\">{}</span>",
                    foreign(&d.title),
                    foreign(&d.file)
                ),
                escape(language_name(d)),
                count(u64::from(d.pages)),
                count(u64::from(d.sentences)),
                count(u64::from(d.scanned_pages)),
                d.reader_agreement.map_or("–".to_owned(), percent),
                bytes(d.bytes),
            ]
        })
        .collect();
    let columns = columns![
        Words "Document", Words "Language", Figures "Pages", Figures "Sentences",
        Figures "Scanned", Figures "Readers agree", Figures "Size",
    ];
    let mut body = table("Documents of the workspace.", &columns, &rows);
    body.push_str(
        "<p class=\"note\">Readers agree: share of the characters on which two independent readers of the PDF agree; – where \
         only one read it. Scanned: pages without a text layer, of which nothing was used unless they went through \
         character recognition.</p>",
    );
    body.push_str(&warnings(input));
    page.section("documents", "Documents", &body);
}

fn language_name(d: &DocumentRow) -> &'static str {
    match d.language.tag() {
        "en" => "English",
        "zh" => "Chinese",
        "ko" => "Korean",
        _ => "other",
    }
}

/// Warnings by document and code (the first with its words), then the files that were not imported.
fn warnings(input: &ReportInput) -> String {
    let mut items = String::new();
    for d in input.documents {
        let mut by_code: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for w in &d.warnings {
            by_code.entry(&w.code).or_default().push(w);
        }
        for (code, warnings) in by_code {
            let pages: Vec<String> = warnings
                .iter()
                .filter_map(|w| w.page)
                .take(12)
                .map(|p| p.to_string())
                .collect();
            let place = match (pages.len(), warnings.len()) {
                (0, _) => String::new(),
                (1, 1) => format!(", page {}", pages[0]),
                (shown, all) if shown < all => {
                    format!(", pages {} … ({all} in all)", pages.join(", "))
                }
                _ => format!(", pages {}", pages.join(", ")),
            };
            let message = warnings.first().map_or("", |w| w.message.as_str());
            items.push_str(&format!(
                "<li>{}{place}: {} {}</li>",
                foreign(&d.file),
                foreign(message),
                mono(code)
            ));
        }
    }
    for failure in input.failed {
        items.push_str(&format!(
            "<li>{}: not imported. {} {} {}</li>",
            foreign(failure.file.as_deref().unwrap_or("a file")),
            foreign(&failure.message),
            foreign(&failure.hint),
            mono(&failure.code.tag())
        ));
    }
    if items.is_empty() {
        String::new()
    } else {
        format!("<h3>Warnings</h3><ul class=\"plain\">{items}</ul>")
    }
}

pub(super) fn terms(page: &mut Page, input: &ReportInput) {
    let Some(terms) = input.terms else { return };
    let mut body = format!(
        "<p>{}, of which the documents define {}; {}. Policy: {}.</p>",
        counted(terms.terms, "term", "terms"),
        count(terms.defined),
        counted(terms.mentions, "mention", "mentions"),
        escape(terms.policy.label())
    );
    if !input.term_sample.is_empty() {
        let rows: Vec<Vec<String>> = input.term_sample.iter().map(term_row).collect();
        let columns = columns![
            Words "Term", Words "Found as", Figures "Mentions", Words "Definition in the document",
        ];
        let caption = format!("{} of {} terms.", rows.len(), count(terms.terms));
        body.push_str(&table(&caption, &columns, &rows));
    }
    page.section("terms", "Terms", &body);
}

fn term_row(t: &Term) -> Vec<String> {
    let definition = t
        .definition
        .as_deref()
        .map_or("–".to_owned(), |d| law(&shortened(d, 220)));
    vec![
        law(&t.text),
        escape(t.found.tag()),
        count(u64::from(t.mentions)),
        definition,
    ]
}

/// The first `limit` characters, with an ellipsis if something was cut.
fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((cut, _)) => format!("{}…", text[..cut].trim_end()),
        None => text.to_owned(),
    }
}

pub(super) fn graph(page: &mut Page, input: &ReportInput) {
    let Some(g) = input.graph else { return };
    let rows = EdgeKind::ALL.iter().map(|&kind| {
        let about = kind.about();
        vec![
            about.name.to_owned(),
            about.means.to_owned(),
            count(g.edges.of(kind)),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let columns = columns![Words "Edge", Words "Means", Figures "Pairs"];
    let facts = key_values(&[
        ("Sentences", count(g.sentences)),
        ("Terms", count(g.entities)),
        ("Encoder of the vectors", escape(&g.encoder)),
        (
            "Sentences count as similar from",
            format!(
                "cosine {}",
                super::numbers::figure(f64::from(g.sentence_threshold))
            ),
        ),
        ("Sentences with similar ones", count(g.anchors_sentence)),
        ("Term mentions with similar terms", count(g.anchors_token)),
        ("Sentences without any edge", count(g.isolated)),
        (
            "Time of comparing · peak memory",
            format!(
                "{} · {} MiB",
                duration(g.seconds),
                count(g.peak_memory_mb.round() as u64)
            ),
        ),
    ]);
    page.section(
        "graph",
        "Sentence graph",
        &(table("Edges by kind.", &columns, &rows) + &facts),
    );
}

pub(super) fn questions(page: &mut Page, input: &ReportInput) {
    let Some(q) = input.questions else { return };
    let mut body = format!("<p>Written by: {}.</p>", escape(&q.source));
    body.push_str(&levels(q));
    body.push_str(&reasons(
        "Drafts rejected",
        "Every draft is checked; these were not used.",
        &q.rejected,
    ));
    body.push_str(&reasons(
        "Sentences passed over",
        "No question could be drafted on them.",
        &q.skipped,
    ));
    if !input.question_sample.is_empty() {
        let cards: String = input.question_sample.iter().map(sample).collect();
        body.push_str(&format!(
            "<h3>Examples</h3><ol class=\"items examples\">{cards}</ol>"
        ));
    }
    page.section("questions", "Questions", &body);
}

fn levels(q: &AugmentReport) -> String {
    let rows: Vec<Vec<String>> = q
        .questions
        .iter()
        .map(|(level, splits)| {
            let mut row = vec![escape(level)];
            row.extend(Split::ALL.map(|s| count(splits.get(s.tag()).copied().unwrap_or(0))));
            row.push(format!("<b>{}</b>", count(splits.values().sum())));
            row
        })
        .collect();
    let columns = columns![
        Words "Level", Figures "Train", Figures "Dev", Figures "Test", Figures "All",
    ];
    table("Questions accepted, by level and part.", &columns, &rows)
}

fn reasons(title: &str, meaning: &str, counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let total: u64 = counts.iter().map(|(_, n)| **n).sum();
    let items: String = counts
        .iter()
        .map(|(tag, n)| {
            format!(
                "<li><b>{}</b> {}</li>",
                count(**n),
                escape(&tag.replace('_', " "))
            )
        })
        .collect();
    format!(
        "<h3>{title} <span class=\"muted\">{}. {meaning}</span></h3><ul class=\"counts\">{items}</ul>",
        count(total)
    )
}

fn sample(row: &QuestionRow) -> String {
    let draft = &row.question.draft;
    let choices: String = draft
        .choices
        .iter()
        .enumerate()
        .map(|(i, text)| {
            let right = i == draft.answer;
            let (class, mark) = if right {
                (" class=\"right\"", "<span class=\"badge ok\">right</span>")
            } else {
                ("", "")
            };
            format!(
                "<li{class}><span class=\"marks\">{mark}</span>{}</li>",
                law(text)
            )
        })
        .collect();
    let section = if row.section.is_empty() {
        String::new()
    } else {
        format!(", {}", foreign(&row.section))
    };
    format!(
        "<li><p class=\"place\">{what} · {split} · {title}, page {page}{section}</p>\
         <p class=\"question\">{question}</p><ul class=\"choices\">{choices}</ul></li>",
        what = super::changed::title(row.question.id, draft.level, draft.question_type),
        split = row.question.split.tag(),
        title = foreign(&row.document_title),
        page = row.page,
        question = law(&draft.question),
    )
}

pub(super) fn dataset(page: &mut Page, input: &ReportInput) {
    let Some(d) = input.snapshot() else {
        page.section("dataset", "Snapshot", "<p>No snapshot was frozen.</p>");
        return;
    };
    let rows = [("Train", &d.train), ("Dev", &d.dev), ("Test", &d.test)].map(|(name, c)| {
        vec![
            name.to_owned(),
            count(u64::from(c.sentence)),
            count(u64::from(c.token)),
            count(u64::from(c.anchors)),
        ]
    });
    let columns = columns![
        Words "Part", Figures "Sentence level", Figures "Term level", Figures "Anchor rules",
    ];
    let leak = &d.leak_check;
    let leaks = if leak.leaks.is_empty() {
        format!(
            "{} compared, {} left out, none remains",
            counted(leak.compared, "text", "texts"),
            counted(leak.removed, "question", "questions")
        )
    } else {
        format!(
            "<span class=\"badge worse\">{} found</span> among {}: these figures cannot be trusted",
            counted(leak.leaks.len() as u64, "leak", "leaks"),
            counted(leak.compared, "text", "texts")
        )
    };
    let facts = key_values(&[
        (
            "Snapshot",
            format!("{} · frozen {}", d.id, escape(&moment(&d.created))),
        ),
        ("Content hash", mono(&d.hash)),
        ("Policy", escape(d.policy.label())),
        (
            "Split by",
            format!(
                "{}{}; near-duplicates in one part",
                escape(&d.split_unit),
                d.shares.map_or(String::new(), |shares| {
                    format!(", train : dev : test = {shares} of the questions")
                })
            ),
        ),
        ("Leak check", leaks),
        (
            "Set aside",
            counted(d.set_aside, "sentence", "sentences")
                + ", since nearly the same stands in another part",
        ),
        ("Seed", d.seed.to_string()),
    ]);
    let body =
        table("Questions and anchor rules by part.", &columns, &rows) + &clusters(d) + &facts;
    page.section("dataset", "Snapshot", &body);
}

/// What the intervals count: the clusters of each part.
fn clusters(d: &Dataset) -> String {
    if let Some(old) = d.of_the_old_kind() {
        return format!("<p class=\"caution\"><strong>Old clusters.</strong> {old}</p>");
    }
    if d.clusters.is_empty() {
        return String::new();
    }
    let row = |(name, split): (&str, Split)| {
        let c = d.clusters.get(split.tag())?;
        let largest = format!(
            "{} <span class=\"muted\">{}</span>",
            count(u64::from(c.largest)),
            foreign(&c.largest_name)
        );
        Some(vec![
            name.to_owned(),
            count(u64::from(c.clusters)),
            format!("{}", c.median),
            largest,
        ])
    };
    let parts = [
        ("Train", Split::Train),
        ("Dev", Split::Dev),
        ("Test", Split::Test),
    ];
    let rows: Vec<Vec<String>> = parts.into_iter().filter_map(row).collect();
    let columns = columns![
        Words "Part", Figures "Clusters", Figures "Questions of the middle one",
        Words "Questions of the largest",
    ];
    let (_, several) = d.clusters_by().words();
    table(
        &format!("Clusters, which intervals and tests count: {several}."),
        &columns,
        &rows,
    )
}
