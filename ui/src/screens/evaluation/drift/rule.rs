//! When an alarm is raised, to be chosen.

use super::watched::DRIFT;
use crate::backend::{call, commands};
use crate::format;
use crate::i18n::{t, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::drift::DriftRule;

/// Days between false alarms that can be chosen: a month, a quarter, a year, some three years.
const DAYS: [u32; 4] = [30, 90, 365, 1_000];
/// What stands for the rule of the article.
const ARTICLE: &str = "article";

/// The choice; a choice takes a sample, which is judged by it.
#[component]
pub fn Rule(
    /// The rule of the last sample.
    rule: DriftRule,
) -> impl IntoView {
    let app = use_app();
    let busy = Memo::new(move |_| app.busy(DRIFT).is_some());
    let now = value_of(rule);
    let options = choices(rule).into_iter().map(|choice| {
        let value = value_of(choice);
        let selected = value == now;
        view! { <option value=value selected=selected>{name_of(choice)}</option> }
    });
    let options = options.collect_view();
    let choose = move |value: String| {
        if let Some(rule) = rule_of(&value) {
            app.attempt(call(commands::TakeDriftSample { rule: Some(rule) }), |_| ());
        }
    };
    view! {
        <div class="card-body"><div class="row wrap">
            <label for="drift-rule">{t("drift.rule_label")}</label>
            <span class="picker"><select
                class="select"
                id="drift-rule"
                aria-describedby="drift-rule-hint drift-rule-rates"
                disabled=move || busy.get()
                on:change:target=move |event| choose(event.target().value())
            >
                {options}
            </select></span>
            <span class="t-small t-mute" id="drift-rule-hint">{t("drift.rule_hint")}</span>
        </div>
        <p class="t-small t-mute" id="drift-rule-rates">{rates()}</p></div>
    }
}

/// What can be chosen; the rule in use is among it.
fn choices(now: DriftRule) -> Vec<DriftRule> {
    let mut days: Vec<f64> = DAYS.map(f64::from).to_vec();
    if let DriftRule::RunLength { days: own } = now
        && !days.contains(&own)
    {
        days.push(own);
        days.sort_by(f64::total_cmp);
    }
    let by_days = days.into_iter().map(|days| DriftRule::RunLength { days });
    by_days.chain([DriftRule::Article]).collect()
}

fn value_of(rule: DriftRule) -> String {
    match rule {
        DriftRule::RunLength { days } => days.to_string(),
        DriftRule::Article => ARTICLE.to_owned(),
    }
}

fn rule_of(value: &str) -> Option<DriftRule> {
    if value == ARTICLE {
        return Some(DriftRule::Article);
    }
    let days = value.parse().ok().filter(|days: &f64| *days > 0.0)?;
    Some(DriftRule::RunLength { days })
}

fn name_of(rule: DriftRule) -> String {
    match rule {
        DriftRule::RunLength { days } => {
            let days = format::count(days.round() as u64);
            tf("drift.rule_days", &[("days", &days)])
        }
        DriftRule::Article => {
            let n = DriftRule::ARTICLE_FALSE_ALARMS.to_string();
            tf("drift.rule_of_article", &[("n", &n)])
        }
    }
}

/// How often the rules were wrong where nothing had moved.
fn rates() -> String {
    tf(
        "drift.rule_rates",
        &[
            ("article", &DriftRule::ARTICLE_FALSE_ALARMS.to_string()),
            ("yearly", &DriftRule::YEARLY_FALSE_ALARMS.to_string()),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Lang, speak};

    #[test]
    fn each_rule_stands_with_its_rate_of_false_alarms_before_it_is_chosen() {
        for lang in [Lang::En, Lang::Zh] {
            speak(lang);
            let article = name_of(DriftRule::Article);
            assert!(
                article.contains("106") && article.contains(".05"),
                "{article}"
            );
            let yearly = name_of(DriftRule::default());
            assert!(
                yearly.contains("365") && !yearly.contains("106"),
                "{yearly}"
            );
            let said = rates();
            assert!(said.contains("106") && said.contains("1.016"), "{said}");
        }
        speak(Lang::En);
    }

    #[test]
    fn the_rule_in_use_can_be_chosen_and_each_choice_comes_back_as_itself() {
        let of = |days| DriftRule::RunLength { days };
        for (now, count) in [
            (of(365.0), 5),
            (of(200.0), 6),
            (of(0.5), 6),
            (DriftRule::Article, 5),
        ] {
            let choices = choices(now);
            assert_eq!(choices.len(), count, "{now:?}");
            assert!(choices.contains(&now), "{now:?}");
            for choice in choices {
                assert_eq!(rule_of(&value_of(choice)), Some(choice));
            }
        }
        for wrong in ["", "never", "0", "-3", "NaN"] {
            assert_eq!(rule_of(wrong), None, "{wrong}");
        }
    }
}
