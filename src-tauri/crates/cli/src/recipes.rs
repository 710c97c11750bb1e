//! `recipes`: where recipes depart from the publications that they follow.

use crate::none_yet;
use crate::output::{Outcome, Output, done};
use crate::recipe_args::RecipesArgs;
use lexforge_domain::api::{CardLine, Preset, RecipeCard, RunPlan, Standing};
use std::fmt::Write as _;

pub fn recipes(args: &RecipesArgs, out: &Output) -> Outcome {
    let wanted = args.preset.map(|preset| Preset::from(preset).tag());
    let mut cards = lexforge_engine::recipe_cards();
    cards.retain(|card| wanted.is_none_or(|wanted| card.recipe == wanted));
    out.rows(&cards, none_yet::NOTHING, described);
    done()
}

/// A card, the lines that depart first.
fn described(card: &RecipeCard) -> String {
    let mut text = format!(
        "{} · follows {}",
        card.recipe.replace('_', "-"),
        card.source
    );
    text.push_str(&departures(card));
    for (standing, words) in [
        (Standing::AsPublished, "as published"),
        (Standing::AsInCode, "as in the code published with it"),
        (Standing::NotStated, "not stated there"),
        (Standing::Added, "of stages added for this run"),
    ] {
        let lines = card.lines.iter().filter(|line| line.standing == standing);
        let each: Vec<String> = lines
            .map(|line| format!("{} {}", plain(&line.setting), plain(&line.here)))
            .collect();
        if !each.is_empty() {
            let _ = write!(text, "\n  {words}: {}", each.join(", "));
        }
    }
    text
}

/// What is known of the data of a planned run, and what departs from the publication that its recipe follows.
pub fn before_a_run(plan: &RunPlan) -> String {
    let data = plan.data.map(|data| format!("\n  {}", data.words()));
    let unchecked = plan.data.is_some_and(|data| data.unchecked > 0);
    let hint = match unchecked {
        true => "; look at them with docs check",
        false => "",
    };
    let card = plan.card.as_ref().map(beside);
    format!(
        "{}{hint}{}",
        data.unwrap_or_default(),
        card.unwrap_or_default()
    )
}

fn beside(card: &RecipeCard) -> String {
    let departures = departures(card).replace('\n', "\n  ");
    match departures.is_empty() {
        true => String::new(),
        false => format!("\n  departs from {}:{departures}", card.source),
    }
}

/// The lines of a card that depart from the publication, with the reasons.
fn departures(card: &RecipeCard) -> String {
    let departs = card
        .lines
        .iter()
        .filter(|line| line.standing == Standing::Departs);
    departs.map(departure).collect()
}

fn departure(line: &CardLine) -> String {
    format!(
        "\n  {}: {} instead of {}: {}",
        plain(&line.setting),
        plain(&line.here),
        plain(line.published.as_deref().unwrap_or_default()),
        line.why.as_deref().unwrap_or_default()
    )
}

fn plain(tag: &str) -> String {
    tag.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_says_what_departs_and_why_before_all_else() {
        let line = |setting: &str, here: &str, published: Option<&str>, standing| CardLine {
            setting: setting.to_owned(),
            here: here.to_owned(),
            published: published.map(str::to_owned),
            standing,
            why: (standing == Standing::Departs).then(|| "It needs less memory.".to_owned()),
        };
        let told = described(&RecipeCard {
            recipe: "rules_and_policies".to_owned(),
            source: "A paper".to_owned(),
            lines: vec![
                line("learning_rate", "5e-5", Some("5e-5"), Standing::AsPublished),
                line("tune", "adapter", Some("all_weights"), Standing::Departs),
                line("seed", "42", None, Standing::NotStated),
            ],
        });
        assert_eq!(
            told,
            "rules-and-policies · follows A paper\n  tune: adapter instead of all weights: It needs less memory.\n  \
             as published: learning rate 5e-5\n  not stated there: seed 42"
        );
    }
}
