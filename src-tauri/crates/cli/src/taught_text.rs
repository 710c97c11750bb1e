//! What a training learns of a teacher, in words.

use crate::output::count;
use lexforge_domain::api::{MarginSample, Preset, RunPlan};
use lexforge_domain::protocol::Taught;
use lexforge_domain::shown::on_one_line;

/// The teacher whose ranking or margins a plan learns. `None` if it has no teacher.
pub fn of_plan(plan: &RunPlan) -> Option<String> {
    let taught = plan.taught.as_ref()?;
    Some(match plan.preset {
        Preset::Gpl => margins(taught),
        _ => ranking(taught),
    })
}

/// The teacher whose ranking is learnt, and its sources, in words.
fn ranking(taught: &Taught) -> String {
    let teacher = match taught.encoder.as_str() {
        "" => "by words alone, since there are no vectors".to_owned(),
        encoder => format!("by words and vectors ({encoder})"),
    };
    let order = match (taught.ordered_by, taught.order_from) {
        (Some(run), _) => format!("in the order of the cross-encoder of run {run}"),
        (None, Some(n)) => format!("in the order learned from {} questions", count(n)),
        (None, None) => "as its scores are".to_owned(),
    };
    format!(
        "and the search's ranking {teacher}, {order}: {} labelled questions, {} written ones without a label, {} headings, {} terms",
        count(taught.labelled),
        count(taught.questions),
        count(taught.headings),
        count(taught.terms)
    )
}

/// The teacher whose margins are learnt, and their sources, in words.
fn margins(taught: &Taught) -> String {
    let beside = match taught.encoder.as_str() {
        "" => "by words alone".to_owned(),
        encoder => format!("by words and by vectors ({encoder})"),
    };
    let teacher = taught
        .ordered_by
        .map_or_else(String::new, |run| format!(" of run {run}"));
    format!(
        "by the margins of the cross-encoder{teacher}, against clauses found {beside}: {} written questions, {} headings, {} terms",
        count(taught.questions),
        count(taught.headings),
        count(taught.terms)
    )
}

/// A sample of a teacher's margins in words.
pub fn sample(sample: &MarginSample) -> String {
    format!(
        "margin {:+.2}: {}\n    its clause: {}\n    another:    {}",
        sample.margin,
        on_one_line(&sample.question),
        on_one_line(&sample.positive),
        on_one_line(&sample.negative)
    )
}
