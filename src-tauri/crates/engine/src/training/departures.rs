//! Where a recipe departs from the publication that it follows, setting by setting (docs/methods.md, "Training").
//!
//! The published values are stored as data and compared with the values of the recipe. So no text has to claim that a
//! setting is as published.

mod publications;
mod values;

use super::presets::settings;
use lexforge_domain::api::{CardLine, Preset, RecipeCard, Standing};
use lexforge_domain::protocol::{InspectResult, TrainSettings};
use publications::{Publication, Stated, publication};
use values::{A_TENTH, values};

/// Why a value is another one than the recipe's own.
const CHANGED: &str =
    "Set for this run: by hand, or by the base model, what is tuned and how many items there are.";

/// A recipe line by line, for a base model and with what a run changes of it; `None` where it follows no publication.
pub(super) fn card(
    preset: Preset,
    base: &InspectResult,
    run: &TrainSettings,
) -> Option<RecipeCard> {
    let publication = publication(preset)?;
    let own = values(&settings(preset, base));
    let lines = values(run).into_iter().map(|(setting, here)| {
        let own = own.iter().find(|(name, _)| *name == setting);
        // A stage that is shorter than usual gets a shorter warm-up, and one of a tenth is counted in steps.
        let counted = setting == "warmup" && own.is_some_and(|(_, own)| own == A_TENTH);
        let here = match own {
            Some((_, own)) if counted => own.clone(),
            _ => here,
        };
        let as_recipe = own.is_some_and(|(_, own)| *own == here);
        line(publication, setting, here, as_recipe)
    });
    Some(RecipeCard {
        recipe: preset.tag().to_owned(),
        source: publication.name.to_owned(),
        lines: lines.collect(),
    })
}

/// The recipes that follow a publication, each for a base model of its kind.
pub fn recipe_cards() -> Vec<RecipeCard> {
    let of = |preset| {
        let base = usual_base(preset);
        card(preset, &base, &settings(preset, &base))
    };
    Preset::ALL.into_iter().filter_map(of).collect()
}

/// What the cards of docs/methods.md are for: a decoder of the paper's size, or all-MiniLM-L6-v2.
pub(super) fn usual_base(preset: Preset) -> InspectResult {
    let decoder = !preset.is_of_encoders();
    InspectResult {
        name: if decoder { "a-decoder" } else { "an-encoder" }.to_owned(),
        sha256: String::new(),
        architecture: if decoder { "qwen3" } else { "bert" }.to_owned(),
        parameters: if decoder { 8_000_000_000 } else { 22_000_000 },
        layers: 2,
        hidden_size: 64,
        vocabulary: 8192,
        max_positions: 512,
        dtype: "F32".to_owned(),
        bytes: 0,
        decoder,
        chat_template: decoder,
        problems: Vec::new(),
        memory: None,
        reading: None,
        reading_assumed: false,
        vocabulary_use: Vec::new(),
    }
}

fn line(of: &Publication, setting: &str, here: String, as_recipe: bool) -> CardLine {
    let fact = of.facts.iter().find(|fact| fact.setting == setting);
    let (published, fits, as_fits) = match fact.map(|fact| &fact.stated) {
        None if of.not_stated.contains(&setting) => (None, false, Standing::NotStated),
        None => (None, false, Standing::Added),
        Some(Stated::Among(values)) => (
            Some(values.join(" / ")),
            values.contains(&here.as_str()),
            Standing::AsPublished,
        ),
        Some(Stated::Code(value)) => (
            Some((*value).to_owned()),
            *value == here,
            Standing::AsInCode,
        ),
        Some(Stated::Within(low, high)) => (
            Some(format!("{low}–{high}")),
            here.parse().is_ok_and(|n: f64| (*low..=*high).contains(&n)),
            Standing::AsPublished,
        ),
    };
    let standing = match &published {
        Some(_) if !fits => Standing::Departs,
        _ => as_fits,
    };
    let why = fact
        .filter(|_| standing == Standing::Departs)
        .map(|fact| match fact.why {
            why if !why.is_empty() && (as_recipe || setting == "warmup") => why,
            _ => CHANGED,
        });
    CardLine {
        setting: setting.to_owned(),
        here,
        published,
        standing,
        why: why.map(str::to_owned),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
