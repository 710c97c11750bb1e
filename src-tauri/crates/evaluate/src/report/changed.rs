//! The questions whose outcome changed, for better and for worse.

use super::markup::{Page, escape, foreign, law};
use super::numbers::{change, count};
use lexforge_domain::QcaId;
use lexforge_domain::metrics::{ChangedItem, Evaluation};
use lexforge_domain::qca::{QcaLevel, QuestionType};

pub(super) fn section(page: &mut Page, e: &Evaluation) {
    let body = list(
        "Became right",
        "largest gain of margin first",
        &e.improved,
        e.improved_total,
    ) + &list(
        "Became wrong",
        "largest loss of margin first",
        &e.worsened,
        e.worsened_total,
    );
    let intro = format!(
        "<p class=\"note\">Of {} test questions {} became right and {} became wrong. Margin: score of the right choice minus \
         the best wrong one; negative means a wrong answer.</p>",
        count(e.after.n as u64),
        count(e.improved_total as u64),
        count(e.worsened_total as u64),
    );
    page.section("changed", "Questions that changed", &(intro + &body));
}

fn list(title: &str, order: &str, items: &[ChangedItem], total: usize) -> String {
    if total == 0 {
        return format!("<h3>{title}</h3><p>None.</p>");
    }
    let shown = if total == 1 {
        String::new()
    } else if items.len() < total {
        format!(
            "{} of {} shown, {order}",
            count(items.len() as u64),
            count(total as u64)
        )
    } else {
        format!("all {} shown, {order}", count(total as u64))
    };
    let cards: String = items.iter().map(card).collect();
    format!("<h3>{title} <span class=\"muted\">{shown}</span></h3><ol class=\"items\">{cards}</ol>")
}

fn card(item: &ChangedItem) -> String {
    let choices: String = item
        .choices
        .iter()
        .enumerate()
        .map(|(i, text)| choice(item, i, text))
        .collect();
    format!(
        "<li><p class=\"place\">{what} · {place}</p><p class=\"question\">{question}</p>\
         <ul class=\"choices\">{choices}</ul><p class=\"place\">Margin {before} before, {after} after</p></li>",
        what = title(item.id, item.level, item.question_type),
        place = foreign(&item.place),
        question = law(&item.question),
        before = change(item.margin_before),
        after = change(item.margin_after),
    )
}

/// `Question 12 · sentence, obligation` or `Question 12 · term`.
pub(super) fn title(id: QcaId, level: QcaLevel, question_type: QuestionType) -> String {
    match level {
        QcaLevel::Sentence => format!("Question {id} · sentence, {}", question_type.tag()),
        QcaLevel::Token => format!("Question {id} · term"),
    }
}

fn choice(item: &ChangedItem, index: usize, text: &str) -> String {
    let right = index == item.answer;
    let mut marks = String::new();
    if right {
        marks.push_str("<span class=\"badge ok\">right</span>");
    }
    for (chosen, who) in [(item.before, "base chose"), (item.after, "tuned chose")] {
        if chosen == index {
            marks.push_str(&format!(" <span class=\"badge\">{}</span>", escape(who)));
        }
    }
    let class = if right { " class=\"right\"" } else { "" };
    format!(
        "<li{class}><span class=\"marks\">{marks}</span>{}</li>",
        law(text)
    )
}
