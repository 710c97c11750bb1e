//! Which models make the vectors of the next build: one for all languages, or one for each.

use crate::backend::{call, commands};
use crate::components::error_panel::ErrorPanel;
use crate::fetched::Fetched;
use crate::i18n::{t, tag, tf};
use crate::state::use_app;
use leptos::prelude::*;
use lexforge_domain::api::{BaseRow, EncoderChoice, SearchEncoderRow};
use lexforge_domain::graph::GraphSettings;
use lexforge_domain::text::Language;

/// The value of the option that asks for a model for each language.
const EACH: &str = "each";

/// The encoders of the next build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VectorsOfNext {
    /// Those of the present graph.
    #[default]
    AsNow,
    /// One for all languages. A choice that names nothing is the usual encoder.
    One(EncoderChoice),
    /// One for each of these languages.
    Each(Vec<(Language, EncoderChoice)>),
}

impl VectorsOfNext {
    /// The command that builds the graph with these encoders. Choices for languages that are not in `shown` any more
    /// are ignored: documents may have been imported or removed since the choice.
    pub fn build(
        self,
        settings: Option<GraphSettings>,
        shown: &[Language],
    ) -> commands::BuildGraph {
        let (encoder, by_language) = match self {
            Self::AsNow => (None, None),
            Self::One(choice) => (Some(choice), None),
            Self::Each(mut of) => {
                of.retain(|(language, _)| shown.contains(language));
                (None, Some(of))
            }
        };
        commands::BuildGraph {
            settings,
            encoder,
            by_language,
        }
    }

    /// The choice for one language. Until one is made it is the usual encoder.
    fn of(&self, language: Language) -> EncoderChoice {
        let Self::Each(of) = self else {
            return EncoderChoice::default();
        };
        let mut of = of.iter();
        let found = of.find(|(known, _)| *known == language);
        found.map(|(_, choice)| choice.clone()).unwrap_or_default()
    }

    fn set(&mut self, language: Language, choice: EncoderChoice) {
        let Self::Each(of) = self else {
            return;
        };
        match of.iter_mut().find(|(known, _)| *known == language) {
            Some((_, known)) => *known = choice,
            None => of.push((language, choice)),
        }
    }
}

/// The models that can be chosen, with their names: first the encoders that the search offers (tuned here, or named by
/// the user), and then the models of this machine. Models that cannot be used are left out.
fn models(rows: &[SearchEncoderRow], bases: &[BaseRow]) -> Vec<(EncoderChoice, String)> {
    let mut found: Vec<(EncoderChoice, String)> = rows
        .iter()
        .filter_map(|row| {
            let choice = row.choice.clone()?;
            let name = match choice.run {
                Some(run) => tf(
                    "graph.encoder_tuned",
                    &[("n", &run.to_string()), ("model", &row.model)],
                ),
                None => row.model.clone(),
            };
            Some((choice, name))
        })
        .collect();
    for base in bases.iter().filter(|base| base.problem.is_none()) {
        let choice = EncoderChoice {
            model: Some(base.name.clone()),
            ..EncoderChoice::default()
        };
        let twice = EncoderChoice {
            echo: true,
            ..choice.clone()
        };
        if !found.iter().any(|(known, _)| *known == choice) {
            found.push((choice, base.name.clone()));
        }
        if base.decoder {
            let name = tf("graph.encoder_echo", &[("model", &base.name)]);
            found.push((twice, name));
        }
    }
    found
}

/// What the usual encoder is for a language.
fn usual(language: Language) -> String {
    match language {
        Language::En => t("graph.encoder_usual_en"),
        _ => t("graph.encoder_usual_counted"),
    }
}

/// The choice.
#[component]
pub fn VectorsBy(
    /// The chosen encoders.
    chosen: RwSignal<VectorsOfNext>,
) -> impl IntoView {
    let app = use_app();
    let found = Fetched::<Vec<SearchEncoderRow>>::default();
    let bases = Fetched::<Vec<BaseRow>>::default();
    bases.ask(call(commands::BaseModels {}));
    Effect::new(move |_| {
        app.changes.track();
        found.refresh(call(commands::SearchEncoders {}));
    });
    let all = Memo::new(move |_| {
        let bases = bases.value.get().unwrap_or_default();
        found
            .value
            .with(|rows| models(rows.as_deref().unwrap_or_default(), &bases))
    });
    let languages = Memo::new(move |_| {
        app.workspace
            .with(|ws| ws.as_ref().map(|ws| ws.languages.clone()))
            .unwrap_or_default()
    });
    let options = move || whole_options(&chosen.get_untracked(), &all.get(), languages.get().len());
    let choose = move |value: String| {
        chosen.set(next_of(
            &value,
            &all.get_untracked(),
            languages.get_untracked(),
        ));
    };
    let each = Memo::new(move |_| chosen.with(|c| matches!(c, VectorsOfNext::Each(_))));
    let of_languages = move || {
        let shown = if each.get() {
            languages.get()
        } else {
            Vec::new()
        };
        shown
            .into_iter()
            .map(|language| view! { <OfLanguage language chosen all/> })
            .collect_view()
    };
    view! {
        <div class="field">
            <label for="graph-encoder">{t("graph.encoder_next")}</label>
            <span class="picker">
                <select class="select" id="graph-encoder" on:change:target=move |event| choose(event.target().value())>
                    {options}
                </select>
            </span>
            <span class="hint">{move || if each.get() { t("graph.encoder_each_means") } else { t("graph.encoder_next_means") }}</span>
            {move || found.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
            {move || bases.failure.get().map(|failure| view! { <ErrorPanel failure/> })}
        </div>
        {of_languages}
    }
}

/// What the value of an option stands for. One encoder a language begins with the usual ones.
fn next_of(
    value: &str,
    all: &[(EncoderChoice, String)],
    languages: Vec<Language>,
) -> VectorsOfNext {
    match value {
        EACH => {
            let each = languages.into_iter();
            VectorsOfNext::Each(each.map(|l| (l, EncoderChoice::default())).collect())
        }
        "now" => VectorsOfNext::AsNow,
        _ => VectorsOfNext::One(choice_at(all, value)),
    }
}

/// The options of the choice for all languages.
fn whole_options(
    now: &VectorsOfNext,
    all: &[(EncoderChoice, String)],
    languages: usize,
) -> impl IntoView + use<> {
    let mut options = vec![
        (
            "now".to_owned(),
            t("graph.encoder_as_now"),
            *now == VectorsOfNext::AsNow,
        ),
        (
            String::new(),
            t("graph.encoder_usual"),
            *now == VectorsOfNext::One(EncoderChoice::default()),
        ),
    ];
    options.extend(all.iter().enumerate().map(|(place, (choice, name))| {
        let taken = matches!(now, VectorsOfNext::One(known) if known == choice);
        (place.to_string(), name.clone(), taken)
    }));
    if languages > 1 {
        let taken = matches!(now, VectorsOfNext::Each(_));
        options.push((EACH.to_owned(), t("graph.encoder_each"), taken));
    }
    options
        .into_iter()
        .map(|(value, name, taken)| view! { <option value=value selected=taken>{name}</option> })
        .collect_view()
}

/// The choice behind the value of an option; the empty value is the usual encoder.
fn choice_at(all: &[(EncoderChoice, String)], value: &str) -> EncoderChoice {
    let place: Option<usize> = value.parse().ok();
    let found = place.and_then(|place| all.get(place));
    found.map(|(choice, _)| choice.clone()).unwrap_or_default()
}

/// The choice for one language.
#[component]
fn OfLanguage(
    language: Language,
    chosen: RwSignal<VectorsOfNext>,
    all: Memo<Vec<(EncoderChoice, String)>>,
) -> impl IntoView {
    let id = format!("graph-encoder-{}", language.tag());
    let options = move || {
        let now = chosen.with_untracked(|chosen| chosen.of(language));
        let is_usual = now == EncoderChoice::default();
        let models = all.get().into_iter().enumerate();
        let models = models
            .map(|(place, (choice, name))| {
                view! { <option value=place.to_string() selected=choice == now>{name}</option> }
            })
            .collect_view();
        view! {
            <option value="" selected=is_usual>{usual(language)}</option>
            {models}
        }
    };
    let choose = move |value: String| {
        let choice = all.with_untracked(|all| choice_at(all, &value));
        chosen.update(|chosen| chosen.set(language, choice));
    };
    view! {
        <div class="field">
            <label for=id.clone()>{tag("language", language.tag())}</label>
            <span class="picker">
                <select class="select" id=id on:change:target=move |event| choose(event.target().value())>
                    {options}
                </select>
            </span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::{Code, Failure, RunId};

    fn base(name: &str, problem: Option<Failure>) -> BaseRow {
        BaseRow {
            name: name.to_owned(),
            path: None,
            shipped: false,
            architecture: "bert".to_owned(),
            decoder: false,
            parameters: 1,
            problem,
        }
    }

    #[test]
    fn a_tuned_encoder_is_named_by_its_run_and_what_cannot_be_used_is_left_out() {
        let row = |run: Option<i64>, model: Option<&str>| SearchEncoderRow {
            choice: (run.is_some() || model.is_some()).then(|| EncoderChoice {
                run: run.map(RunId),
                model: model.map(str::to_owned),
                ..EncoderChoice::default()
            }),
            model: model.unwrap_or("all-MiniLM-L6-v2").to_owned(),
            chosen: false,
        };
        let gone = Failure::new(Code::ModelMissing, "It is gone.", "Fetch it.");
        let found = models(
            &[row(None, None), row(Some(7), None), row(None, Some("own"))],
            &[
                base("own", None),
                base("gone", Some(gone)),
                base("other", None),
                BaseRow {
                    decoder: true,
                    ..base("qwen", None)
                },
            ],
        );
        let names: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names.len(), 5, "{names:?}");
        assert!(names[0].contains('7') && names[0].contains("MiniLM"));
        assert_eq!(names[1..4], ["own", "other", "qwen"]);
        assert_eq!(choice_at(&found, "2").model.as_deref(), Some("other"));
        // A decoder may read each text twice, too.
        assert!(!choice_at(&found, "3").echo && choice_at(&found, "4").echo);
        assert_eq!(choice_at(&found, ""), EncoderChoice::default());
    }

    #[test]
    fn each_language_keeps_its_own_choice() {
        let own = EncoderChoice {
            model: Some("own".to_owned()),
            ..EncoderChoice::default()
        };
        let usual = EncoderChoice::default;
        let mut next = VectorsOfNext::Each(vec![(Language::En, usual()), (Language::Zh, usual())]);
        next.set(Language::Zh, own.clone());
        assert_eq!(next.of(Language::Zh), own);
        assert_eq!(next.of(Language::En), usual());
        let both = [Language::En, Language::Zh];
        let asked = next.clone().build(None, &both);
        assert_eq!(asked.encoder, None);
        let wanted = vec![(Language::En, usual()), (Language::Zh, own.clone())];
        assert_eq!(asked.by_language, Some(wanted));
        // A language that came since the choice has its own, and one that is gone has none.
        next.set(Language::Ko, own.clone());
        let asked = next.build(None, &[Language::Ko, Language::En]);
        let wanted = vec![(Language::En, usual()), (Language::Ko, own.clone())];
        assert_eq!(asked.by_language, Some(wanted));
        let one = VectorsOfNext::One(own.clone()).build(None, &both);
        assert_eq!((one.encoder, one.by_language), (Some(own), None));
    }
}
