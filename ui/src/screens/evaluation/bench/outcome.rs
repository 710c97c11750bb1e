//! The last table on something else than test questions: under attack, on terms in contexts, or on an exam.

use super::exams::{Exam, Task};
use super::material::{brought, name_of};
use super::measurable::Measurable;
use super::names::named;
use super::systems::Missing;
use crate::components::error_panel::ErrorPanel;
use crate::components::note::{Note, Tone};
use crate::format;
use crate::i18n::{t, tag, tf};
use crate::said::Told;
use leptos::prelude::*;
use lexforge_domain::api::{
    AttackRow, AttackTable, BenchChoices, BenchMissing, BenchOn, BenchOutcome, KeptOutcome,
    TermsLine, TermsTable,
};

/// The table of what is measured on now, or that nothing was measured on it yet.
#[component]
pub fn Outcome(
    /// What can be measured.
    measurable: Measurable,
) -> impl IntoView {
    let failed = move || {
        let failure = measurable.outcome.failure.get();
        failure.map(|failure| view! { <ErrorPanel failure/> })
    };
    let shown = move || {
        let choices = measurable.choices.value.get().unwrap_or_default();
        match measurable.outcome.value.get() {
            None => ().into_any(),
            Some(None) => {
                view! { <Note tone=Tone::Info>{t("bench_on.none_yet")}</Note> }.into_any()
            }
            Some(Some(kept)) => view! { <Kept measurable choices kept/> }.into_any(),
        }
    };
    view! { {failed}{shown} }
}

#[component]
fn Kept(measurable: Measurable, choices: BenchChoices, kept: KeptOutcome) -> impl IntoView {
    let on = measurable.on.get_untracked();
    let older = older(&choices, &on, &kept.outcome);
    let heading = heading(&choices, &on, older);
    let (missing, notes) = beside(&kept.outcome);
    let made = tf("systems.made", &[("when", &format::minute(&kept.made))]);
    let table = match kept.outcome {
        // Tables on test questions are kept elsewhere.
        BenchOutcome::Questions(_) => ().into_any(),
        BenchOutcome::Attack(table) => view! { <Attacked table=*table/> }.into_any(),
        BenchOutcome::Terms(table) => view! { <Terms table=*table/> }.into_any(),
        BenchOutcome::Exam(table) => view! { <Exam table=*table/> }.into_any(),
        BenchOutcome::Task(table) => view! { <Task table=*table/> }.into_any(),
    };
    let notes = notes
        .into_iter()
        .map(|note| view! { <li><Told text=note/></li> })
        .collect_view();
    view! {
        {older.then(|| view! { <div id="bench-outcome-older"><Note tone=Tone::Warn>{t("bench_on.older")}</Note></div> })}
        <article class="card">
            <div class="card-head"><h2>{heading}</h2></div>
            <div class="card-body stack" id="bench-outcome">
                {table}
                <Missing missing/>
                <ul class="stack limits t-small">{notes}</ul>
                <p class="t-small t-mute">{made}</p>
            </div>
        </article>
    }
}

/// What the table is of. A table that is older than the newest snapshot does not bear that snapshot's number.
fn heading(choices: &BenchChoices, on: &BenchOn, older: bool) -> String {
    match older && brought(choices, on).is_none() {
        true => t("bench_on.earlier"),
        false => name_of(choices, on),
    }
}

/// Whether the table is of something that has changed since.
fn older(choices: &BenchChoices, on: &BenchOn, outcome: &BenchOutcome) -> bool {
    let hash = match outcome {
        BenchOutcome::Questions(table) => &table.dataset,
        BenchOutcome::Attack(table) => &table.dataset,
        BenchOutcome::Terms(table) => &table.hash,
        BenchOutcome::Exam(table) => &table.hash,
        BenchOutcome::Task(table) => &table.hash,
    };
    if let Some(exam) = brought(choices, on) {
        return exam.hash != *hash;
    }
    let snapshot = choices.snapshot.as_ref();
    snapshot.is_some_and(|snapshot| match outcome {
        // What a snapshot gives of terms has a hash of its own; the set is called by the snapshot's number.
        BenchOutcome::Terms(table) => table.set != format!("snapshot {}", snapshot.id),
        _ => snapshot.hash != *hash,
    })
}

/// The systems that could not be measured, and the notes to be read with the figures.
fn beside(outcome: &BenchOutcome) -> (Vec<BenchMissing>, Vec<String>) {
    match outcome {
        BenchOutcome::Questions(table) => (table.missing.clone(), table.notes.clone()),
        BenchOutcome::Attack(table) => (table.missing.clone(), table.notes.clone()),
        BenchOutcome::Terms(table) => (table.missing.clone(), table.notes.clone()),
        BenchOutcome::Exam(table) => (table.missing.clone(), table.notes.clone()),
        BenchOutcome::Task(table) => (table.missing.clone(), table.notes.clone()),
    }
}

/// Attacks that keep the sense, and those after which a wrong choice looks right, apart.
#[component]
fn Attacked(table: AttackTable) -> impl IntoView {
    let (kept, changed): (Vec<AttackRow>, Vec<AttackRow>) =
        table.rows.into_iter().partition(|row| row.keeps_the_sense);
    let counts: Vec<String> = table
        .attacked
        .iter()
        .map(|(attack, n)| {
            format!(
                "{} {}",
                tag("attack", attack.tag()),
                format::count(*n as u64)
            )
        })
        .collect();
    let counts = tf(
        "bench_on.attacked",
        &[
            ("n", &format::count(table.n as u64)),
            ("counts", &counts.join(" · ")),
        ],
    );
    let group = |title: String, rows: Vec<AttackRow>| {
        let rows = rows
            .into_iter()
            .map(|row| view! { <UnderAttack row/> })
            .collect_view();
        view! { <tbody><tr class="bench-group"><th scope="rowgroup" colspan="8">{title}</th></tr>{rows}</tbody> }
    };
    view! {
        <p class="t-small t-mute">{counts}</p>
        <div class="table-wrap">
            <table class="table bench-table" id="bench-attack-table" aria-label=t("bench_on.attack_col")>
                <thead>
                    <tr>
                        <th>{t("systems.system")}</th>
                        <th>{t("evaluation.scorer")}</th>
                        <th>{t("bench_on.attack_col")}</th>
                        <th class="num">"n"</th>
                        <th class="num">{t("bench_on.before")}</th>
                        <th class="num">{t("bench_on.after")}</th>
                        <th class="num">{t("evaluation.change")}</th>
                        <th class="num">{t("systems.p")}</th>
                    </tr>
                </thead>
                {(!kept.is_empty()).then(|| group(t("bench_on.sense_kept"), kept))}
                {(!changed.is_empty()).then(|| group(t("bench_on.sense_changed"), changed))}
            </table>
        </div>
    }
}

#[component]
fn UnderAttack(row: AttackRow) -> impl IntoView {
    let found = row.accuracy.comparison;
    let change = found.difference;
    let gap = row.gap.map(|gap| {
        let values = [format::share(gap.before), format::share(gap.after)];
        let text = tf(
            "bench_on.gap_from_to",
            &[("before", &values[0]), ("after", &values[1])],
        );
        view! { <small class="t-mute">{text}</small> }
    });
    view! {
        <tr data-system=row.system.clone() data-attack=row.attack.tag()>
            <td>{named(&row.system).name}</td>
            <td>{tag("scorer", &row.scorer)}</td>
            <td>{tag("attack", row.attack.tag())}</td>
            <td class="num">{format::count(row.n as u64)}</td>
            <td class="num">{format::share(found.before)}</td>
            <td class="num"><span class="strong">{format::share(found.after)}</span>{gap}</td>
            <td class="num">{format::change(change.value)}<small class="t-mute">{format::change_interval(change.low, change.high)}</small></td>
            <td class="num">{format::p_value(row.accuracy.p_holm)}</td>
        </tr>
    }
}

/// How well systems tell terms apart.
#[component]
fn Terms(table: TermsTable) -> impl IntoView {
    let counts = tf(
        "bench_on.terms_n",
        &[
            ("n", &format::count(table.n as u64)),
            ("terms", &format::count(table.clusters as u64)),
        ],
    );
    let rows = table
        .systems
        .into_iter()
        .map(|row| view! { <Term row/> })
        .collect_view();
    view! {
        <p class="t-small t-mute">{counts}</p>
        <div class="table-wrap">
            <table class="table bench-table" id="bench-terms-table" aria-label=t("bench_on.pairwise")>
                <thead>
                    <tr>
                        <th>{t("systems.system")}</th>
                        <th class="num">"n"</th>
                        <th class="num">{t("bench_on.pairwise")}</th>
                        <th class="num">{tag("measure", "f1")}</th>
                        <th class="num">{t("bench_on.gap")}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Term(row: TermsLine) -> impl IntoView {
    let words = named(&row.system);
    let found = row.figures;
    let bounds = |[low, high]: [f64; 2]| format::interval(low, high);
    // A system whose scores are no cosines has no gap.
    let gap = match found.mean_cosine_gap_ci95 {
        [0.0, 0.0] => None,
        [low, high] => Some(view! {
            {format::change(found.mean_cosine_gap)}<small class="t-mute">{format::change_interval(low, high)}</small>
        }),
    };
    view! {
        <tr data-system=row.system>
            <td>{words.name}<small class="t-mute">{words.is}</small></td>
            <td class="num">{format::count(found.n as u64)}</td>
            <td class="num"><span class="strong">{format::share(found.pairwise_accuracy)}</span><small class="t-mute">{bounds(found.pairwise_accuracy_ci95)}</small></td>
            <td class="num">{format::share(found.macro_f1)}<small class="t-mute">{bounds(found.macro_f1_ci95)}</small></td>
            <td class="num">{gap}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::DatasetId;
    use lexforge_domain::api::BenchSnapshot;

    #[test]
    fn a_table_of_an_earlier_snapshot_is_older() {
        let choices = BenchChoices {
            snapshot: Some(BenchSnapshot {
                id: DatasetId(3),
                hash: "new".to_owned(),
                questions: 9,
            }),
            ..BenchChoices::default()
        };
        let attacked = |older| heading(&choices, &BenchOn::Attack, older);
        assert!(attacked(false).contains('3'), "{}", attacked(false));
        assert!(!attacked(true).contains('3'), "{}", attacked(true));
        let attack = |hash: &str| {
            BenchOutcome::Attack(Box::new(AttackTable {
                dataset: hash.to_owned(),
                unit: "article".to_owned(),
                n: 1,
                attacked: Vec::new(),
                rows: Vec::new(),
                missing: Vec::new(),
                notes: Vec::new(),
            }))
        };
        let terms = |set: &str| {
            BenchOutcome::Terms(Box::new(TermsTable {
                set: set.to_owned(),
                hash: "abc".to_owned(),
                unit: "term".to_owned(),
                n: 1,
                clusters: 1,
                systems: Vec::new(),
                missing: Vec::new(),
                notes: Vec::new(),
            }))
        };
        let set = BenchOn::Terms { set: None };
        for (on, outcome, expected) in [
            (BenchOn::Attack, attack("new"), false),
            (BenchOn::Attack, attack("old"), true),
            (set.clone(), terms("snapshot 3"), false),
            (set, terms("snapshot 2"), true),
        ] {
            assert_eq!(older(&choices, &on, &outcome), expected, "{outcome:?}");
        }
    }
}
