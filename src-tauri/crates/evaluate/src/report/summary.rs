//! The beginning of the report: what it is, the verdict, and what readers must know before they read any figure.

mod verdict;

use super::input::ReportInput;
use super::markup::{Page, escape};
use super::names::scorer_within;
use super::numbers::{count, counted, moment};
use lexforge_domain::api::EvaluationView;
use lexforge_domain::dataset::ReviewPolicy;
use lexforge_domain::graph::EdgeKind;
use lexforge_domain::verdict::Verdict;
use verdict::{
    EMBEDDING, Said, can_show, cautions, gap_sentence, main_comparison, not_compared,
    verdict_sentence,
};

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

/// The note on documents that were imported after the graph was built. They are in the table of documents, but not in
/// the figures that are computed from the graph.
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
