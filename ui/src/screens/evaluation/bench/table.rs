//! The table that compares systems. First comes the baseline, then the systems that are better, those without a clear
//! difference, those that are worse, and those that are not compared.

use super::names::named;
use super::standing::{Standing, by_standing, compared, reach};
use super::systems::Missing;
use crate::components::note::{Note, Tone};
use crate::components::whisker::{Verdict, Whisker};
use crate::format;
use crate::i18n::{t, tag, tf, tn};
use crate::power::shown_and_more;
use crate::said::Told;
use leptos::prelude::*;
use lexforge_domain::api::{BenchRow, BenchTable};
use lexforge_domain::statistics::{ByItem, PairedComparison, Power};

/// Columns of the table.
const COLUMNS: &str = "9";

/// The table, with what has to be known beside it.
#[component]
pub fn Table(
    /// What was measured.
    table: BenchTable,
    /// When.
    made: String,
    /// The actions for it.
    children: Children,
) -> impl IntoView {
    let unit = tag("unit", &table.unit);
    let baseline = table.baseline.as_deref().map(|name| named(name).name);
    let method = baseline
        .as_ref()
        .map(|baseline| method(&table, baseline, &unit));
    let reach = reach(&table);
    let groups = by_standing(&table)
        .into_iter()
        .map(|(standing, rows)| {
            let baseline = baseline.clone().unwrap_or_default();
            view! { <Group standing rows baseline reach/> }
        })
        .collect_view();
    let power = table
        .power
        .as_ref()
        .map(|power| shows(&table, power, &unit));
    let too_long = table.systems.iter().filter(|row| row.too_long > 0);
    let too_long = too_long.map(too_long_for).collect_view();
    let notes = table
        .notes
        .into_iter()
        .map(|note| view! { <li><Told text=note/></li> });
    let notes = notes.collect_view();
    view! {
        <article class="card">
            <div class="card-head">
                <h2>{t("systems.table")}</h2>
                <span class="t-small push">{method}</span>
            </div>
            <div class="table-wrap">
                <table class="table bench-table" id="bench-table" aria-label=t("systems.table")>
                    <thead>{heads()}</thead>
                    {groups}
                </table>
            </div>
            <div class="card-body stack">
                {power.map(|text| view! { <div id="bench-power"><Note tone=Tone::Info>{text}</Note></div> })}
                <Missing missing=table.missing/>
                <ul class="stack limits t-small" id="bench-notes">{too_long}{notes}</ul>
                <p class="t-small t-mute">{t("systems.by_item")}</p>
                <p class="t-small t-mute">{made}</p>
                <div class="bench-acts">{children()}</div>
            </div>
        </article>
    }
}

/// What the systems are compared with, by which clusters, and in how many comparisons.
fn method(table: &BenchTable, baseline: &str, unit: &str) -> String {
    tf(
        "systems.method",
        &[
            ("baseline", baseline),
            ("unit", unit),
            ("n", &format::count(compared(table))),
        ],
    )
}

/// The heads of the columns.
fn heads() -> impl IntoView {
    view! {
        <tr>
            <th>{t("systems.system")}</th>
            <th>{t("evaluation.scorer")}</th>
            <th class="num">"n"</th>
            <th class="num">{tag("measure", "accuracy")}</th>
            <th class="num">{tag("measure", "f1")}</th>
            <th class="centre-head bench-whisker">{t("evaluation.worse_better")}</th>
            <th class="num">{t("evaluation.change")}</th>
            <th class="num">{t("systems.p")}</th>
            <th>{t("evaluation.meaning")}</th>
        </tr>
    }
}

/// The number of questions that were too long for a system.
fn too_long_for(row: &BenchRow) -> impl IntoView + use<> {
    let name = named(&row.system).name;
    let name = format!("{name} ({})", tag("scorer", &row.scorer));
    let text = tn("evaluation.too_long", row.too_long as u64);
    view! { <li>{name}": "{text}</li> }
}

/// What the questions can show, and how many more would show less.
fn shows(table: &BenchTable, power: &Power, unit: &str) -> String {
    let text = tf(
        "systems.power",
        &[
            ("n", &format::count(table.n as u64)),
            ("clusters", &tn("units.cluster", table.clusters as u64)),
            ("unit", unit),
            (
                "points",
                &format!("{:.1}", 100.0 * power.smallest_difference),
            ),
            ("times", &format!("{:.0}", 100.0 * power.power)),
        ],
    );
    shown_and_more(text, power)
}

/// The name of a group, and its meaning.
fn heading(standing: Standing, baseline: &str) -> (String, String) {
    let values = [("baseline", baseline)];
    match standing {
        Standing::Baseline => (t("systems.baseline"), String::new()),
        Standing::Better => (tf("systems.better", &values), t("systems.by_accuracy")),
        Standing::Open => (tf("systems.open", &values), t("systems.open_is")),
        Standing::Worse => (tf("systems.worse", &values), t("systems.by_accuracy")),
        Standing::Apart => (t("systems.apart"), t("systems.apart_is")),
    }
}

#[component]
fn Group(standing: Standing, rows: Vec<BenchRow>, baseline: String, reach: f64) -> impl IntoView {
    let (head, is) = heading(standing, &baseline);
    let is = (!is.is_empty()).then(|| view! { <span class="t-mute">" · "{is}</span> });
    let rows = rows
        .into_iter()
        .map(|row| view! { <Line standing row reach/> })
        .collect_view();
    view! {
        <tbody class=standing.class()>
            <tr class="bench-group"><th scope="rowgroup" colspan=COLUMNS>{head}{is}</th></tr>
            {rows}
        </tbody>
    }
}

#[component]
fn Line(standing: Standing, row: BenchRow, reach: f64) -> impl IntoView {
    let words = named(&row.system);
    let figures = &row.figures;
    let seeds = row.over_seeds().map(|[least, most]| {
        let values = [format::share(least), format::share(most)];
        let text = tf(
            "systems.over_seeds",
            &[("least", &values[0]), ("most", &values[1])],
        );
        view! { <small class="t-mute">{text}</small> }
    });
    let against = match row.against.clone() {
        Some(against) => view! { <Difference standing against reach/> }.into_any(),
        None => view! { <td class="bench-whisker"></td><td class="num">"–"</td><td class="num">"–"</td><td>"–"</td> }.into_any(),
    };
    view! {
        <tr data-system=row.system>
            <td>{words.name}<small class="t-mute">{words.is}</small></td>
            <td>{tag("scorer", &row.scorer)}</td>
            <td class="num">{format::count(figures.n as u64)}</td>
            <td class="num"><span class="strong">{format::share(figures.accuracy)}</span><small class="t-mute">{format::interval(figures.ci95[0], figures.ci95[1])}</small>{seeds}</td>
            <td class="num">{format::share(figures.f1)}</td>
            {against}
        </tr>
    }
}

#[component]
fn Difference(standing: Standing, against: PairedComparison, reach: f64) -> impl IntoView {
    let (class, finding, verdict) = match standing {
        Standing::Better => ("c-ok strong", t("systems.is_better"), Verdict::Better),
        Standing::Worse => ("c-bad strong", t("systems.is_worse"), Verdict::Worse),
        _ => ("strong", t("systems.is_open"), Verdict::Open),
    };
    let change = against.comparison.difference;
    view! {
        <td class="bench-whisker"><Whisker change reach verdict/></td>
        <td class="num">
            <span class=class>{format::change(change.value)}</span>
            <small class="t-mute">{format::change_interval(change.low, change.high)}</small>
        </td>
        <td class="num">{format::p_value(against.p_holm)}{by_item(against.by_item)}</td>
        <td><span class=class>{finding}</span></td>
    }
}

/// The p-values of the tests by item, each on a line of its own.
fn by_item(tests: ByItem) -> impl IntoView {
    let p = |value: f64| format::p_value(value);
    let mcnemar = tests
        .mcnemar
        .map(|test| tf("systems.mcnemar", &[("p", &p(test.p_value))]));
    let paired_t = tests
        .paired_t
        .map(|test| tf("systems.paired_t", &[("p", &p(test.p_value))]));
    let told = mcnemar.into_iter().chain(paired_t);
    told.map(|text| view! { <small class="t-mute">{text}</small> })
        .collect_view()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn the_power_is_told_in_points_and_in_what_is_missing() {
        let table = BenchTable {
            dataset: String::new(),
            unit: "article".to_owned(),
            n: 310,
            clusters: 61,
            baseline: None,
            systems: Vec::new(),
            missing: Vec::new(),
            power: None,
            notes: Vec::new(),
            judge: None,
        };
        let more = [("1", 840), ("2", 208), ("3", 59), ("5", 0)];
        let power = Power {
            power: 0.8,
            smallest_difference: 0.042,
            more_clusters: more.map(|(points, n)| (points.to_owned(), n)).into(),
            ..Power::default()
        };
        speak(Lang::En);
        let text = shows(&table, &power, &tag("unit", "article"));
        assert_eq!(
            text,
            "These 310 questions in 61 clusters (by article) show a difference of 4.2 points or more in 80 of 100 cases. \
             840 more clusters would show 1 point. 208 more clusters would show 2 points. 59 more clusters would show 3 points."
        );
    }

    #[test]
    fn each_group_names_the_baseline_that_it_is_compared_with() {
        speak(Lang::En);
        for standing in [Standing::Better, Standing::Open, Standing::Worse] {
            assert!(heading(standing, "Run 11").0.contains("Run 11"));
        }
    }
}
