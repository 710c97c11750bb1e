//! Systems under attack, as a table.

use super::charts;
use super::markup::{Page, columns, escape, table};
use super::names::{scorer_name, unit_words};
use super::numbers::{change, change_interval, count, figure, p_value};
use lexforge_domain::api::{Attack, AttackRow, AttackTable};
use lexforge_domain::verdict::Verdict;

/// A section for the attacks that keep the sense, and one for those that change it; `of` = this system alone.
pub(super) fn sections(page: &mut Page, attacked: &AttackTable, of: Option<&str>) {
    for (keeps, id, title, said) in [
        (
            true,
            "attack-kept",
            "Under attack: the sense is kept",
            "The questions say what they said before; a change shows how far the system hangs on how it is said.",
        ),
        (
            false,
            "attack-changed",
            "Under attack: a wrong choice looks right",
            "Beside the right choice stands one that differs from it in one thing; a change shows how often it is taken.",
        ),
    ] {
        let rows: Vec<&AttackRow> = attacked
            .rows
            .iter()
            .filter(|row| row.keeps_the_sense == keeps)
            .filter(|row| of.is_none_or(|system| row.system == system))
            .collect();
        if !rows.is_empty() {
            page.section(id, title, &section(attacked, &rows, said));
        }
    }
}

fn section(attacked: &AttackTable, rows: &[&AttackRow], said: &str) -> String {
    let differences = rows.iter().map(|row| &row.accuracy.comparison.difference);
    let scale = charts::whisker_scale(differences);
    let cells: Vec<Vec<String>> = rows.iter().map(|row| line(row, scale)).collect();
    let columns = columns![
        Words "System", Words "Scorer", Words "Attack", Figures "n", Figures "As it is",
        Figures "Attacked", Words "worse · change · better", Figures "Change [95 % interval]",
        Figures "p, corrected",
    ];
    let caption = format!(
        "Accuracy on the test questions that the attack can change. The scale runs from {} to {}.",
        change(-scale),
        change(scale)
    );
    format!(
        "<p>{said}</p>{}<p class=\"legend\">{}</p><p class=\"note\">Each system is compared with itself. Interval: percentile \
         bootstrap over {}; p: permutation by cluster, corrected by Holm over all attacks and systems that were measured \
         together.</p>",
        table(&caption, &columns, &cells),
        charts::whisker_legend(),
        unit_words(&attacked.unit).1,
    )
}

fn line(row: &AttackRow, scale: f64) -> Vec<String> {
    let compared = &row.accuracy.comparison;
    let d = &compared.difference;
    vec![
        escape(&row.system),
        escape(scorer_name(&row.scorer)),
        attack_words(row.attack).to_owned(),
        count(row.n as u64),
        figure(compared.before),
        format!("<b>{}</b>", figure(compared.after)),
        charts::whisker(d, Verdict::corrected(&row.accuracy), scale),
        format!(
            "<b>{}</b> <span class=\"ci\">{}</span>",
            change(d.value),
            change_interval(d.low, d.high)
        ),
        escape(&p_value(row.accuracy.p_holm)),
    ]
}

fn attack_words(attack: Attack) -> &'static str {
    match attack {
        Attack::Typo => "misspelt words",
        Attack::Homoglyph => "letters that look alike",
        Attack::ClauseOrder => "condition after its rule",
        Attack::Paraphrase => "other words",
        Attack::Negation => "the opposite as a choice",
        Attack::Number => "another number as a choice",
        Attack::NearTerm => "a near term as a choice",
    }
}
