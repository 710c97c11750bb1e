//! docs/methods.md says what each recipe is; these lines of it are written here.
#![allow(clippy::unwrap_used)]

use super::super::presets::settings;
use super::tests::base;
use super::*;
use crate::training::departures::recipe_cards;
use lexforge_domain::api::{RecipeCard, Standing};
use lexforge_domain::protocol::Decay;

/// A recipe as docs/methods.md shows it.
fn row(preset: Preset) -> String {
    let base = base(
        !preset.is_of_encoders(),
        match preset.is_of_encoders() {
            true => 22_000_000,
            false => 8_000_000_000,
        },
    );
    let settings = settings(preset, &base);
    let of = |stage: &StageSpec| match &stage.objective {
        Objective::Token { loss } => format!("token ({})", loss.tag()),
        Objective::Sentence(sentence) => format!("sentence (τ {})", sentence.temperature),
        Objective::Gritlm(sentence) => format!("gritlm (τ {})", sentence.temperature),
        Objective::Retrieval(search) => format!(
            "retrieval (τ {}, {} negative of the nearest {})",
            search.temperature, search.negatives, search.drawn_from
        ),
        Objective::Rerank(pairs) => format!(
            "rerank ({} negatives of the question's own)",
            pairs.negatives
        ),
        Objective::Triplets(triplets) => {
            format!(
                "triplets ({}, τ {})",
                triplets.loss.tag(),
                triplets.temperature
            )
        }
        Objective::Joint {
            temperature,
            sentence,
            token,
            ..
        } => format!("joint ({sentence} sentence + {token} term, τ {temperature})"),
        other => other.stage().to_owned(),
    };
    let stages: Vec<String> = settings.stages.iter().map(of).collect();
    let first = &settings.stages[0];
    let steps = match (preset, first.max_steps) {
        (Preset::Encoder | Preset::EncoderJoint, _) => format!(", about {ENCODER_STEPS} steps"),
        (_, Some(most)) => format!(", at most {most} steps a stage"),
        _ => String::new(),
    };
    let warmup = match first.warmup_steps {
        0 => "a tenth".to_owned(),
        steps => format!("{steps} steps"),
    };
    let decay = match first.decay {
        Decay::Constant => "constant",
        _ => "falling to 0",
    };
    format!(
        "| `{}` | {} | {}, {}, {} | {:e}, warm-up {warmup}, {decay} | {} × {}{steps} | {} | {} |\n",
        preset.tag().replace('_', "-"),
        stages.join(", "),
        settings.lora.r,
        settings.lora.alpha,
        settings.lora.dropout,
        first.learning_rate,
        first.epochs,
        first.batch_size,
        settings.max_length,
        first
            .patience
            .map_or("–".to_owned(), |n| format!("after {n} looks")),
    )
}

/// The card of a recipe as docs/methods.md shows it.
fn described(card: &RecipeCard) -> String {
    let of = |standing| {
        card.lines
            .iter()
            .filter(move |line| line.standing == standing)
    };
    let plain = |tag: &str| tag.replace('_', " ");
    let mut text = format!(
        "\n**`{}`** · {}\n",
        card.recipe.replace('_', "-"),
        card.source
    );
    if of(Standing::Departs).next().is_some() {
        text.push_str("\n| setting | published | here | why |\n|---|---|---|---|\n");
    }
    for line in of(Standing::Departs) {
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            plain(&line.setting),
            plain(line.published.as_deref().unwrap_or_default()),
            plain(&line.here),
            line.why.as_deref().unwrap_or_default()
        ));
    }
    let each = [
        (Standing::AsPublished, "As published"),
        (Standing::AsInCode, "As in the code published with it"),
        (Standing::NotStated, "Not stated there"),
    ];
    for (standing, words) in each {
        let lines: Vec<String> = of(standing)
            .map(|line| format!("{} {}", plain(&line.setting), plain(&line.here)))
            .collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n{words}: {}.\n", lines.join(", ")));
        }
    }
    text
}

/// Compares a part of docs/methods.md with what it should be, or writes it where that is asked for.
fn check(part: &str, expected: &str) {
    let path = lexforge_needs::root().join("docs/methods.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {part} -->\n"), format!("<!-- /{part} -->"));
    let (before, rest) = page.split_once(&begin).unwrap();
    let (shown, after) = rest.split_once(&end).unwrap();
    if std::env::var_os("LEXFORGE_WRITE_METHODS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{expected}\n{end}{after}")).unwrap();
        return;
    }
    assert_eq!(
        shown.trim(),
        expected.trim(),
        "docs/methods.md differs; LEXFORGE_WRITE_METHODS=1 with this test writes it"
    );
}

// One test, since both parts are of one file.
#[test]
fn the_recipes_of_the_methods_page_are_these() {
    let mut rows = String::from(
        "\n| recipe | stages | r, α, dropout | learning rate | epochs × batch | longest input in tokens | ends early |\n\
         |---|---|---|---|---|---|---|\n",
    );
    rows.extend(Preset::ALL.map(row));
    check("recipes", &rows);
    let cards: String = recipe_cards().iter().map(described).collect();
    check("cards", &cards);
}
