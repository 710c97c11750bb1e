//! A decoder under every scorer: the primary one decides, the others stand beside it.

use super::markup::{Page, columns, escape, table};
use super::names::{scorer_name, scorer_within};
use super::numbers::{change, change_interval, count, figure, interval, p_value};
use lexforge_domain::metrics::{Comparison, Evaluation, QcaMetrics};

pub(super) fn section(page: &mut Page, e: &Evaluation) {
    if e.scorers.is_empty() {
        return;
    }
    let primary = e.comparisons.iter().find(|c| c.measure == "accuracy");
    let mut rows = vec![row(&e.scorer, true, &e.before, &e.after, primary, None)];
    rows.extend(e.scorers.iter().map(|s| {
        let unparseable =
            (s.scorer == "generation").then_some((s.unparseable_before, s.unparseable_after));
        row(
            &s.scorer,
            false,
            &s.before,
            &s.after,
            Some(&s.comparison),
            unparseable,
        )
    }));
    let columns = columns![
        Words "Scorer", Words "Chooses", Figures "Base", Figures "Tuned",
        Figures "Change [95 % interval]", Figures "p", Figures "Unreadable, base → tuned",
    ];
    let caption = format!(
        "Accuracy on the same {} test questions under each scorer.",
        count(e.after.n as u64)
    );
    let mut notes = format!(
        "<p class=\"note\">Primary: {}. It was fixed beforehand, and it alone decides the verdict; the other rows show \
         whether the outcome depends on how the model is asked, and are not corrected for looking at several. Systems are \
         compared under one scorer at a time. Unreadable: written answers that do not name exactly one choice; they count \
         as wrong.</p>",
        scorer_within(&e.scorer),
    );
    if e.too_long > 0 {
        notes.push_str(&format!(
            "<p class=\"note\">{} questions are longer than the model's context and count as wrong under every scorer.</p>",
            count(e.too_long as u64)
        ));
    }
    page.section(
        "scorers",
        "Every scorer",
        &(table(&caption, &columns, &rows) + &notes),
    );
}

fn row(
    scorer: &str,
    primary: bool,
    before: &QcaMetrics,
    after: &QcaMetrics,
    comparison: Option<&Comparison>,
    unparseable: Option<(usize, usize)>,
) -> Vec<String> {
    let cell = |m: &QcaMetrics| {
        format!(
            "<b>{}</b> <span class=\"ci\">{}</span>",
            figure(m.accuracy),
            interval(m.ci95)
        )
    };
    let mark = if primary {
        " <span class=\"badge ok\">primary</span>"
    } else {
        ""
    };
    let dash = || "–".to_owned();
    vec![
        format!("{}{mark}", escape(scorer_name(scorer))),
        escape(scorer_words(scorer)),
        cell(before),
        cell(after),
        comparison.map_or_else(dash, |c| {
            let d = &c.difference;
            format!(
                "<b>{}</b> <span class=\"ci\">{}</span>",
                change(d.value),
                change_interval(d.low, d.high)
            )
        }),
        comparison.map_or_else(dash, |c| escape(&p_value(c.p_value))),
        unparseable.map_or_else(dash, |(b, a)| {
            format!("{} → {}", count(b as u64), count(a as u64))
        }),
    ]
}

fn scorer_words(tag: &str) -> &str {
    match tag {
        "likelihood" => "the choice that is likeliest as the answer, all choices listed",
        "per_byte" => "the same for each byte, which favours no length",
        "pmi" => "the choice to whose likelihood the question adds most",
        "generation" => "the choice that the model writes",
        "embedding" => "the choice whose vector is nearest to the question's",
        _ => "",
    }
}
