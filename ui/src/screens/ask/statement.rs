//! A statement with its citations. An unsupported statement is struck through, with the reason.

use super::chip::Chip;
use super::not_found::said_of_part;
use super::terms::with_links;
use crate::components::icon::{Icon, Sign};
use crate::components::law::lang_tag;
use crate::i18n::t;
use leptos::prelude::*;
use lexforge_domain::api::{Answer, AnswerPart, Statement, Unsupported};
use lexforge_domain::text::Language;

/// Why a statement does not hold, in words.
pub fn reason(why: Option<Unsupported>) -> String {
    match why {
        Some(Unsupported::NothingCited) => t("unsupported.nothing_cited"),
        Some(Unsupported::NotGiven) => t("unsupported.not_given"),
        Some(Unsupported::NotQuoted) => t("unsupported.not_quoted"),
        Some(Unsupported::Figure) => t("unsupported.figure"),
        Some(Unsupported::Force) => t("unsupported.force"),
        Some(Unsupported::Opposite) => t("unsupported.opposite"),
        Some(Unsupported::Condition) => t("unsupported.condition"),
        Some(Unsupported::Direction) => t("unsupported.direction"),
        Some(Unsupported::Extent) => t("unsupported.extent"),
        Some(Unsupported::Actor) => t("unsupported.actor"),
        Some(Unsupported::Term) => t("unsupported.term"),
        Some(Unsupported::LittleSupport) => t("unsupported.little_support"),
        Some(Unsupported::SpeaksToModel) => t("unsupported.speaks_to_model"),
        None => t("unsupported.unsaid"),
    }
}

/// The tag of a reason, for a test that looks for it.
fn reason_tag(why: Option<Unsupported>) -> &'static str {
    match why {
        Some(Unsupported::NothingCited) => "nothing_cited",
        Some(Unsupported::NotGiven) => "not_given",
        Some(Unsupported::NotQuoted) => "not_quoted",
        Some(Unsupported::Figure) => "figure",
        Some(Unsupported::Force) => "force",
        Some(Unsupported::Opposite) => "opposite",
        Some(Unsupported::Condition) => "condition",
        Some(Unsupported::Direction) => "direction",
        Some(Unsupported::Extent) => "extent",
        Some(Unsupported::Actor) => "actor",
        Some(Unsupported::Term) => "term",
        Some(Unsupported::LittleSupport) => "little_support",
        Some(Unsupported::SpeaksToModel) => "speaks_to_model",
        None => "",
    }
}

/// All statements of an answer, one a paragraph; those of a part of the question under its words.
#[component]
pub fn Statements(answer: Answer) -> impl IntoView {
    let said = in_parts(&answer, false, |statement| paragraph(&answer, statement));
    view! { <div class="said" id="statements">{said}</div> }
}

/// Draws the statements of an answer, grouped by its parts. The words of a part become a heading. With `nested`, the
/// heading is one level lower.
pub fn in_parts(
    answer: &Answer,
    nested: bool,
    draw: impl Fn(&Statement) -> AnyView + Copy,
) -> AnyView {
    if answer.parts.is_empty() {
        return answer.statements.iter().map(draw).collect_view().into_any();
    }
    let part = |part: &AnswerPart| of_part(answer, part, nested, draw);
    answer
        .shown_parts()
        .iter()
        .map(part)
        .collect_view()
        .into_any()
}

/// A part of the question with what is said to it, or that nothing is.
fn of_part(
    answer: &Answer,
    part: &AnswerPart,
    nested: bool,
    draw: impl Fn(&Statement) -> AnyView,
) -> AnyView {
    let said = part
        .statements
        .iter()
        .filter_map(|at| answer.statements.get(*at))
        .map(draw)
        .collect_view();
    let none = part
        .statements
        .is_empty()
        .then(|| view! { <p>{said_of_part(part)}</p> });
    let answered = (!part.statements.is_empty()).to_string();
    let question = part.question.clone();
    let head = if nested {
        view! { <h4 class="of-part" data-answered=answered>{question}</h4> }.into_any()
    } else {
        view! { <h3 class="of-part" data-answered=answered>{question}</h3> }.into_any()
    };
    view! {
        {head}
        {said}
        {none}
    }
    .into_any()
}

fn paragraph(answer: &Answer, statement: &Statement) -> AnyView {
    let cited: Vec<_> = statement
        .citations
        .iter()
        .filter_map(|at| Some((*at, answer.citations.get(*at)?.clone())))
        .collect();
    let language = cited
        .first()
        .map_or(Language::Other, |(_, citation)| citation.language);
    let lang = Some(lang_tag(language)).filter(|tag| !tag.is_empty());
    let chips = cited
        .into_iter()
        .map(|(at, citation)| view! { " "<Chip at citation/> })
        .collect_view();
    let at = answer.statements.iter().position(|s| s == statement);
    let text = match at {
        Some(_) => with_links(answer, at),
        None => statement.text.clone().into_any(),
    };
    if statement.kept {
        view! { <p class="law" data-kept="true" lang=lang>{text}{chips}</p> }.into_any()
    } else {
        let why = statement.reason;
        view! {
            <p class="law" data-kept="false" data-reason=reason_tag(why)>
                <del lang=lang>{text}</del>
                {chips}
                " "
                <span class="badge bad"><Sign icon=Icon::Close small=true/>{reason(why)}</span>
            </p>
        }
        .into_any()
    }
}
