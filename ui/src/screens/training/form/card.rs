//! The card of a recipe that follows a publication: line by line where it departs from print.

use super::next::Next;
use crate::i18n::{t, tag, tf, tn};
use crate::said::{Told, said};
use leptos::prelude::*;
use lexforge_domain::api::{CardLine, RecipeCard, Standing};

/// The card of the planned run. Without a publication there is nothing to compare with.
#[component]
pub fn Card() -> impl IntoView {
    let next = expect_context::<Next>();
    let card = Memo::new(move |_| {
        next.plan.value.with(|plan| {
            let plan = plan.as_ref().filter(|plan| next.suits(plan))?;
            plan.card.clone()
        })
    });
    move || card.get().map(|card| view! { <Lines card/> })
}

#[component]
fn Lines(card: RecipeCard) -> impl IntoView {
    let departing = card.lines.iter().filter(|line| departs(line)).cloned();
    let rows = departing.map(|line| view! { <Line line/> }).collect_view();
    let count = card.lines.iter().filter(|line| departs(line)).count();
    let others = [
        Standing::AsPublished,
        Standing::AsInCode,
        Standing::NotStated,
        Standing::Added,
    ]
    .into_iter()
    .filter_map(|standing| named(&card, standing))
    .map(|text| view! { <p class="t-small">{text}</p> })
    .collect_view();
    view! {
        <section class="part">
            <details class="history" id="recipe-card">
                <summary>
                    {tf("card.title", &[("source", &said(&card.source))])}" "
                    <span class="t-small t-mute">{tn("card.departs", count as u64)}</span>
                </summary>
                {(count > 0).then(|| view! {
                    <div class="table-wrap">
                        <table class="table">
                            <thead>
                                <tr>
                                    <th>{t("card.setting")}</th>
                                    <th>{t("card.published")}</th>
                                    <th>{t("card.here")}</th>
                                    <th>{t("card.why")}</th>
                                </tr>
                            </thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </div>
                })}
                {others}
            </details>
        </section>
    }
}

#[component]
fn Line(line: CardLine) -> impl IntoView {
    view! {
        <tr>
            <td>{tag("card_setting", &line.setting)}</td>
            <td>{line.published.as_deref().map(value)}</td>
            <td>{value(&line.here)}</td>
            <td>{line.why.map(|text| view! { <Told text/> })}</td>
        </tr>
    }
}

fn departs(line: &CardLine) -> bool {
    line.standing == Standing::Departs
}

/// A value in words if the page has words for it; a number is shown as it is. The values of several stages are shown
/// one after another.
fn value(value: &str) -> String {
    let each: Vec<String> = value
        .split(" / ")
        .map(|one| tag("card_value", one))
        .collect();
    each.join(" / ")
}

/// The settings that have this standing, with their values, as one sentence; `None` if no setting has it.
fn named(card: &RecipeCard, standing: Standing) -> Option<String> {
    let lines = card.lines.iter().filter(|line| line.standing == standing);
    let each: Vec<String> = lines
        .map(|line| {
            let setting = tag("card_setting", &line.setting);
            format!("{setting} ({})", value(&line.here))
        })
        .collect();
    let text = each.join(" · ");
    (!each.is_empty()).then(|| {
        let standing = tag("card_standing", standing.tag());
        tf(
            "card.others",
            &[("standing", &standing), ("settings", &text)],
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn settings_are_named_by_how_they_stand() {
        speak(Lang::En);
        let line = |setting: &str, here: &str, standing| CardLine {
            setting: setting.to_owned(),
            here: here.to_owned(),
            published: None,
            standing,
            why: None,
        };
        let card = RecipeCard {
            recipe: "nmixx".to_owned(),
            source: "NMIXX (2025)".to_owned(),
            lines: vec![
                line("learning_rate", "5e-5", Standing::AsPublished),
                line("warmup", "a_tenth", Standing::AsPublished),
                line("seed", "42", Standing::NotStated),
            ],
        };
        assert_eq!(
            named(&card, Standing::AsPublished).as_deref(),
            Some("As published: learning rate (5e-5) · warm-up (a tenth of the steps)")
        );
        assert_eq!(named(&card, Standing::AsInCode), None);
        assert_eq!(value("100 / a_tenth"), "100 / a tenth of the steps");
    }
}
