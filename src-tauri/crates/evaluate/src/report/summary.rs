//! The beginning of the report: what it is, the verdict, and what readers must know before they read any figure.

use super::input::ReportInput;
use super::markup::{Page, escape};
use super::names::{control_name, measure_name, scorer_within, unit_plain};
use super::numbers::{change, change_interval, count, counted, figure, moment, p_words};
use super::verdict::Verdict;
use lexforge_domain::api::EvaluationView;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::metrics::{Comparison, Evaluation, ShortcutRow};

/// The scorer of encoders.
const EMBEDDING: &str = "embedding";
/// With fewer clusters than this, a percentile interval is too narrow to be relied on.
const FEW_CLUSTERS: usize = 20;

/// The verdict on a model, as plain text.
pub struct VerdictWords {
    /// Better, worse or undecided, and by which figures.
    pub main: String,
    /// Whether right and wrong choices are told apart more clearly.
    pub gap: Option<String>,
    /// What weakens the verdict.
    pub cautions: Vec<String>,
}

/// The verdict as it stands at the head of the report, as plain text.
pub fn verdict_in_words(view: &EvaluationView) -> VerdictWords {
    let Some(main) = main_comparison(&view.evaluation) else {
        return VerdictWords {
            main: not_compared().plain(),
            gap: None,
            cautions: Vec::new(),
        };
    };
    let verdict = Verdict::of(main);
    VerdictWords {
        main: verdict_sentence(view, main, verdict).plain(),
        gap: gap_sentence(&view.evaluation, main, verdict).map(|said| said.plain()),
        cautions: cautions(view, main).iter().map(Said::plain).collect(),
    }
}

/// A sentence of the verdict: the word that it begins with, which may be empty, and the rest. Neither is markup.
struct Said {
    word: &'static str,
    text: String,
}

impl Said {
    fn markup(&self) -> String {
        let text = escape(&self.text);
        match self.word {
            "" => text,
            word => format!("<strong>{word}</strong> {text}"),
        }
    }

    /// For a terminal, where lines break as they come.
    fn plain(&self) -> String {
        let text = self.text.replace('\u{a0}', " ");
        match self.word {
            "" => text,
            word => format!("{word} {text}"),
        }
    }
}

pub(super) fn header(page: &mut Page, input: &ReportInput) {
    let by = if input.version.is_empty() {
        "Lexforge".to_owned()
    } else {
        format!("Lexforge {}", escape(input.version))
    };
    let when = if input.created.is_empty() {
        String::new()
    } else {
        format!(" · {}", escape(&moment(input.created)))
    };
    page.head(&format!(
        "<header><p class=\"kicker\">{by} report{when}</p><h1>{}</h1>{}</header>",
        escape(input.workspace),
        lead(input)
    ));
    page.head(&verdicts(input));
    page.head(&banner(input));
    page.head(&key_figures(input));
}

fn lead(input: &ReportInput) -> String {
    let documents = counted(input.documents.len() as u64, "document", "documents");
    let kind = |view: &EvaluationView| {
        if view.evaluation.scorer == EMBEDDING {
            "an encoder"
        } else {
            "a decoder"
        }
    };
    let kinds: Vec<&str> = input.evaluations().map(kind).collect();
    let text = match (input.documents.is_empty(), !kinds.is_empty()) {
        (true, _) => "The workspace has no document yet.".to_owned(),
        (false, true) => format!(
            "From {documents} Lexforge read the sentences and terms, linked them in a graph, wrote questions, tuned {} on one \
             part of them and measured it on another. This page shows each step, the figures before and after, and how \
             sure they are.",
            kinds.join(" and ")
        ),
        (false, false) => format!(
            "From {documents} Lexforge read the sentences and prepared what the sections below show. No model was trained \
             and measured; the page says why."
        ),
    };
    format!("<p class=\"lead\">{text}{}</p>", came_in_later(input))
}

/// Documents that came after the graph are in the table of documents, but in none of the figures that rest on the
/// graph.
fn came_in_later(input: &ReportInput) -> String {
    let all: u64 = input.documents.iter().map(|d| u64::from(d.sentences)).sum();
    let known = input.graph.map_or(all, |graph| graph.sentences);
    match all.saturating_sub(known) {
        0 => String::new(),
        later => format!(
            " Of the {} sentences {} came in after the sentence graph was made: they are in none of the figures on graph, \
             questions and training.",
            count(all),
            count(later)
        ),
    }
}

fn verdicts(input: &ReportInput) -> String {
    let views: Vec<&EvaluationView> = input.evaluations().collect();
    match views.as_slice() {
        [] => nothing_trained(input),
        [only] => verdict(only, None),
        several => several
            .iter()
            .map(|view| verdict(view, Some(&view.evaluation.base)))
            .collect(),
    }
}

/// The verdict on a model, named where there is another one.
fn verdict(view: &EvaluationView, name: Option<&str>) -> String {
    let evaluation = &view.evaluation;
    let Some(main) = main_comparison(evaluation) else {
        return format!(
            "<div class=\"verdict\"><p>{}</p></div>",
            not_compared().markup()
        );
    };
    let scorer = scorer_within(&evaluation.scorer);
    let of = name.map_or(String::new(), |n| {
        format!("<p class=\"kicker\">{} · {scorer} scorer</p>", escape(n))
    });
    let verdict = Verdict::of(main);
    // A gain on questions that can be guessed from their form is not shown in the colour of a good one.
    let flagged = evaluation.shortcuts.iter().any(|s| s.flagged);
    let ground = if flagged && verdict == Verdict::Better {
        "flagged"
    } else {
        verdict.word()
    };
    let mut out = format!(
        "<div class=\"verdict {ground}\">{of}<p>{}</p>",
        verdict_sentence(view, main, verdict).markup()
    );
    if let Some(said) = can_show(main) {
        out.push_str(&format!("<p>{said}</p>"));
    }
    if let Some(gap) = gap_sentence(evaluation, main, verdict) {
        out.push_str(&format!("<p>{}</p>", gap.markup()));
    }
    for caution in cautions(view, main) {
        out.push_str(&format!("<p class=\"caution\">{}</p>", caution.markup()));
    }
    out + "</div>"
}

/// The deviates of the normal distribution by which an interval of 95 % is as wide as it is, and by which four of five
/// differences are seen.
const DEVIATES: [f64; 2] = [1.96, 0.8416];

/// The smallest difference that a test of this size shows in four of five cases, as the width of the interval tells it.
/// Only for a measure in points; nothing if the interval has no width.
fn can_show(main: &Comparison) -> Option<String> {
    let half = (main.difference.high - main.difference.low) / 2.0;
    if main.measure != "accuracy" || half <= 0.0 {
        return None;
    }
    let [sure, seen] = DEVIATES;
    Some(format!(
        "What this test can decide: a difference of about <b>{:.1} points</b> or more in accuracy is shown in four of five cases, \
         by the width of the interval; a smaller one is mostly missed.",
        100.0 * half * (sure + seen) / sure
    ))
}

/// The comparison that the verdict goes by.
fn main_comparison(evaluation: &Evaluation) -> Option<&Comparison> {
    let comparisons = &evaluation.comparisons;
    comparisons
        .iter()
        .find(|c| c.measure == "accuracy")
        .or(comparisons.first())
}

fn not_compared() -> Said {
    Said {
        word: "Not compared.",
        text: "There was nothing to compare the tuned model with.".to_owned(),
    }
}

fn verdict_sentence(view: &EvaluationView, main: &Comparison, verdict: Verdict) -> Said {
    let evaluation = &view.evaluation;
    let on = format!(
        "on {} held-out questions from {}",
        count(evaluation.after.n as u64),
        counted_units(evaluation.after.clusters, &main.unit)
    );
    let figures = format!(
        "{} {} against {} of the {} ({} {}, {})",
        measure_name(&main.measure).to_lowercase(),
        figure(main.after),
        figure(main.before),
        main.against,
        change(main.difference.value),
        change_interval(main.difference.low, main.difference.high),
        p_told(main),
    );
    let (word, text) = match verdict {
        Verdict::Better => (
            "Better.",
            format!("The tuned model answers better than before {on}: {figures}."),
        ),
        Verdict::Worse => (
            "Worse.",
            format!(
                "The tuned model answers worse than before {on}: {figures}. It should not replace the base model."
            ),
        ),
        Verdict::Undecided => (
            "Undecided.",
            format!(
                "The answers {on} cannot tell the tuned model from the one before: {figures}. {}",
                undecided_because(main)
            ),
        ),
    };
    Said { word, text }
}

/// The p-value that decides, and whether it is corrected.
fn p_told(of: &Comparison) -> String {
    let p = p_words(of.p_decides());
    match of.p_holm {
        Some(_) => format!("corrected {p}"),
        None => p,
    }
}

fn undecided_because(main: &Comparison) -> &'static str {
    let spans_zero = main.difference.low <= 0.0 && main.difference.high >= 0.0;
    match (spans_zero, main.p_decides() < 0.05) {
        (true, false) => "The interval of the change contains zero.",
        (true, true) => {
            "The interval of the change contains zero, though the test alone would call it a difference."
        }
        (false, _) => {
            "The interval of the change leaves out zero, but the test does not confirm it."
        }
    }
}

/// What the cosines say, where they were compared with the same model.
fn gap_sentence(evaluation: &Evaluation, main: &Comparison, accuracy: Verdict) -> Option<Said> {
    let gap = evaluation
        .comparisons
        .iter()
        .find(|c| c.measure == "choice_cosine_gap" && c.against == main.against)?;
    let verdict = Verdict::of(gap);
    let also = if verdict == accuracy { "also " } else { "" };
    let says = match verdict {
        Verdict::Better => format!("It {also}tells right and wrong choices apart more clearly"),
        Verdict::Worse => format!("It {also}tells right and wrong choices apart less clearly"),
        Verdict::Undecided => format!(
            "Whether it tells right and wrong choices apart more clearly is {also}undecided"
        ),
    };
    Some(Said {
        word: "",
        text: format!(
            "{says}: cosine gap of the choices {} against {} ({} {}, {}).",
            figure(gap.after),
            figure(gap.before),
            change(gap.difference.value),
            change_interval(gap.difference.low, gap.difference.high),
            p_told(gap),
        ),
    })
}

/// What weakens the verdict.
fn cautions(view: &EvaluationView, main: &Comparison) -> Vec<Said> {
    let evaluation = &view.evaluation;
    let mut cautions = Vec::new();
    let mut caution = |word: &'static str, text: String| cautions.push(Said { word, text });
    let leaks = view.dataset.leak_check.leaks.len() as u64;
    if leaks > 0 {
        caution(
            "Leak.",
            format!(
                "{} from the test part into the training part: these figures cannot be trusted.",
                counted(leaks, "sentence leaked", "sentences leaked")
            ),
        );
    }
    let flagged: Vec<&ShortcutRow> = evaluation.shortcuts.iter().filter(|s| s.flagged).collect();
    if let Some(first) = flagged.first() {
        let names: Vec<String> = flagged
            .iter()
            .map(|s| {
                format!(
                    "{} {}",
                    control_name(&s.name).to_lowercase(),
                    figure(s.accuracy)
                )
            })
            .collect();
        caution(
            "Flagged.",
            format!(
                "Part of these questions can be answered without reading them: {}, where guessing scores {}. The \
                 accuracies are therefore not a measure of understanding, and this snapshot cannot support a deployment.",
                names.join(", "),
                figure(first.chance)
            ),
        );
    }
    if let Some(tfidf) = &evaluation.tfidf
        && tfidf.accuracy >= evaluation.after.accuracy
    {
        caution(
            "Not above counting words.",
            format!(
                "TF-IDF scores {}, the tuned model {}.",
                figure(tfidf.accuracy),
                figure(evaluation.after.accuracy)
            ),
        );
    }
    if let Some(old) = view.dataset.of_the_old_kind() {
        caution("Old clusters.", old.to_owned());
    }
    if evaluation.after.clusters < FEW_CLUSTERS {
        caution(
            "Few clusters.",
            format!(
                "The questions come from only {}: the intervals are narrower than they should be.",
                counted_units(evaluation.after.clusters, &main.unit)
            ),
        );
    }
    cautions
}

fn nothing_trained(input: &ReportInput) -> String {
    let mut out = String::from(
        "<div class=\"verdict undecided\"><p><strong>Nothing was trained and measured.</strong></p>",
    );
    for failure in input.skipped {
        out.push_str(&format!(
            "<p>{} {}</p>",
            escape(&failure.message),
            escape(&failure.hint)
        ));
    }
    out + "</div>"
}

fn banner(input: &ReportInput) -> String {
    let mut out = String::from("<aside class=\"banner\" aria-label=\"Read this first\"><p>");
    if let Some(policy) = input.policy() {
        out.push_str(&format!(
            "<strong>Data policy: {}.</strong> ",
            escape(policy.label())
        ));
        out.push_str(match policy {
            ReviewPolicy::UnreviewedAutomatic => {
                "No person has checked these terms and questions. "
            }
            _ => "Only what reviewers accepted by this rule was taken. ",
        });
    }
    if let Some(source) = input
        .questions
        .map(|q| q.source.as_str())
        .filter(|s| !s.is_empty())
    {
        out.push_str(&format!(
            "The questions were written by: {}. ",
            escape(source)
        ));
    }
    out.push_str(
        "The figures show whether the process works on these documents. They do not show whether a model understands the \
         regulation. The model shows the process and is not for real advice; nothing here is legal or compliance \
         advice.</p></aside>",
    );
    out
}

fn key_figures(input: &ReportInput) -> String {
    let pages: u64 = input.documents.iter().map(|d| u64::from(d.pages)).sum();
    let sentences: u64 = input.documents.iter().map(|d| u64::from(d.sentences)).sum();
    let mut stats = vec![("pages", count(pages)), ("sentences", count(sentences))];
    if let Some(terms) = input.terms {
        stats.push(("terms", count(terms.terms)));
    }
    if let Some(graph) = input.graph {
        let all: u64 = EdgeKind::ALL.iter().map(|kind| graph.edges.of(*kind)).sum();
        stats.push(("edges", count(all)));
    }
    if let Some(questions) = input.questions {
        let all: u64 = questions
            .questions
            .values()
            .flat_map(|splits| splits.values())
            .sum();
        stats.push(("questions", count(all)));
    }
    if let Some(view) = input.evaluation {
        stats.push(("of them tested", count(view.evaluation.after.n as u64)));
    }
    let items: String = stats
        .iter()
        .map(|(name, value)| format!("<li><b>{value}</b> <span>{name}</span></li>"))
        .collect();
    format!("<ul class=\"stats\">{items}</ul>")
}

/// A number of clusters in words, by what they are made of.
fn counted_units(clusters: usize, unit: &str) -> String {
    let (one, several) = unit_plain(unit);
    counted(clusters as u64, &one, &several)
}
