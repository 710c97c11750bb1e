//! Everything that the buttons of the screens do, by name. The palette offers each action, wherever its button is.
//!
//! An action that opens a dialog, a menu or a form, or that can be undone, is done at once. For an action that begins
//! long work or is recorded, the palette only shows its button, with the focus on it.

use crate::components::icon::Icon;
use crate::i18n::t;
use crate::place::{ReviewTab, SettingsTab};
use crate::route::Route;
use crate::screens::evaluation::place::EvaluationTab;
use crate::state::App;
use crate::toast::Toast;
use leptos::prelude::*;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Pause between two looks for a button, and how often it is looked for: a screen asks for its figures first.
const PAUSE: Duration = Duration::from_millis(60);
const LOOKS: u32 = 50;

/// The part of the window that a button is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Screen(Route),
    /// A tab of the terms.
    Terms(ReviewTab),
    /// A tab of the questions.
    Questions(ReviewTab),
    /// A tab of the evaluation.
    Evaluation(EvaluationTab),
    /// A tab of the settings.
    Settings(SettingsTab),
}

impl Part {
    /// Its screen.
    pub fn route(self) -> Route {
        match self {
            Self::Screen(route) => route,
            Self::Terms(_) => Route::Terms,
            Self::Questions(_) => Route::Questions,
            Self::Evaluation(_) => Route::Evaluation,
            Self::Settings(_) => Route::Settings,
        }
    }

    fn open(self, app: App) {
        match self {
            Self::Screen(_) => {}
            Self::Terms(tab) => app.terms_review.tab.set(tab),
            Self::Questions(tab) => app.questions_review.tab.set(tab),
            Self::Evaluation(tab) => app.evaluation.tab.set(tab),
            Self::Settings(tab) => app.settings.set(tab),
        }
        app.go(self.route());
    }
}

/// What is done with a button that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is pressed.
    Press,
    /// It is shown, and has the focus.
    Show,
}

/// Something that a button does, or a card that shows something.
#[derive(Clone, Copy)]
pub struct Action {
    /// Where it is.
    pub part: Part,
    /// The id of its element.
    pub id: &'static str,
    /// The menu that it is in.
    pub menu: Option<&'static str>,
    /// What the palette does with its button.
    pub how: How,
    /// Its sign.
    pub icon: Icon,
    /// What it is called.
    pub name: fn() -> String,
}

/// Builds the table of actions. The actions are listed by the part of the window that they belong to. Each action has
/// an id, the menu that it is in (if any), what the palette does with its button (press or only show), its icon and its
/// name.
macro_rules! actions {
    ($($part:ident: $($id:literal $(@ $menu:literal)? $how:ident $icon:ident $name:expr;)+)+) => {
        /// All of them, in the order of the rail.
        pub const ACTIONS: &[Action] = &[$($(Action {
            part: $part,
            id: $id,
            menu: [$(Some($menu),)? None][0],
            how: How::$how,
            icon: Icon::$icon,
            name: || $name,
        },)+)+];
    };
}

const LIBRARY: Part = Part::Screen(Route::Library);
const TERMS: Part = Part::Terms(ReviewTab::All);
const QUESTIONS: Part = Part::Questions(ReviewTab::All);
const TRIPLETS: Part = Part::Questions(ReviewTab::Triplets);
const SIMILARITY: Part = Part::Questions(ReviewTab::Similarity);
const GRAPH: Part = Part::Screen(Route::Graph);
const TRAINING: Part = Part::Screen(Route::Training);
const CANDIDATE: Part = Part::Evaluation(EvaluationTab::Candidate);
const BENCH: Part = Part::Evaluation(EvaluationTab::Bench);
const ASK: Part = Part::Screen(Route::Ask);
const MATCH: Part = Part::Screen(Route::Match);
const ACTIVITY: Part = Part::Screen(Route::Activity);
const WINDOW: Part = Part::Settings(SettingsTab::Window);
const REVIEW: Part = Part::Settings(SettingsTab::Review);
const MODELS: Part = Part::Settings(SettingsTab::Models);
const MACHINES: Part = Part::Settings(SettingsTab::Machines);
const DRIFT: Part = Part::Evaluation(EvaluationTab::Drift);
const ABOUT: Part = Part::Settings(SettingsTab::About);

actions! {
    LIBRARY:
        "import-folder" Press Folder t("action.import_folder");
        "corpus-check" Press Check t("check.ask");
        "predecessor" Show Link t("palette.predecessor");
        "force-from" Show Clock t("palette.force");
    TERMS:
        "find-terms-by" @ "terms-more" Press Search t("terms.find_by_model");
        "list-doubtful" @ "terms-more" Press Warning t("terms.doubtful");
        "find-confusables" @ "terms-more" Press Match t("terms.find_confusables");
        "export-packet" Press Out t("packet.export");
        "write-answer" Press Out t("packet.answer");
        "merge-answer" @ "terms-more" Press Merge t("packet.merge");
        "import-glossary" @ "terms-more" Press Plus t("glossary.import");
        "export-csv" @ "terms-more" Press Out t("glossary.export_csv");
        "export-tbx" @ "terms-more" Press Out t("glossary.export_tbx");
        "export-skos" @ "terms-more" Press Out t("glossary.export_skos");
        "export-json" @ "terms-more" Press Out t("glossary.export_json");
    GRAPH:
        "update-graph" Show Graph t("graph.update");
        "rebuild-graph" Show Graph t("graph.rebuild");
        "graph-as-list" Press Graph t("graph.as_list");
        "tab-calibration" Press Graph t("graph.calibration");
    QUESTIONS:
        "write-by-endpoint" Press Question t("ask.write");
        "export-dataset" Press Out t("dataset.export");
    TRIPLETS:
        "make-triplets" Press Plus t("triplets.make");
        "import-triplets" Press Plus t("palette.import_triplets");
        "export-triplets" Press Out t("palette.export_triplets");
        "measure-triplets" Press Scales t("palette.measure_triplets");
    SIMILARITY:
        "draw-similarity" Show Plus t("similarity.draw");
        "sheet-similarity" Press Out t("palette.sheet_similarity");
        "import-similarity" Press Plus t("palette.import_similarity");
        "export-similarity" Press Out t("palette.export_similarity");
        "measure-similarity" Press Scales t("palette.measure_similarity");
    TRAINING:
        "change-base" Press Chip t("base.change");
        "start-training" Show Play t("training.start");
        "pick-base" @ "change-base" Press Folder t("palette.pick_base");
        "set-reading" Press Chip t("base.reading");
        "reset-recipe" Press Undo t("training.reset");
        "take-settings" Press Undo t("training.take_over");
        "try-several" Press Play t("sweep.several");
        "start-sweep" @ "try-several" Show Play t("sweep.start");
        "go-on-sweep" Show Play t("sweep.go_on");
        "pause-run" Show Pause t("palette.pause_run");
        "go-on-run" Show Play t("palette.go_on_run");
        "resume-run" Show Play t("palette.resume_run");
        "stop-run" Show Stop t("training.stop");
        "bring-checkpoints" Press Out t("bring.open");
        "unfollow-run" Press Stop t("unfollow.begin");
        "compare-runs" Show Curve t("compare.start");
    CANDIDATE:
        "evaluate" Show Scales t("training.evaluate");
        "open-report" Press File t("evaluation.open_report");
        "export-run" Show Out t("export.start");
        "gate-activate" Show Check t("gate.activate");
        "gate-override" Press Warning t("gate.override");
        "gate-roll-back" Show Undo t("gate.roll_back");
        "gate-policy" Press Scales t("rule.title");
        "gate-general-measure" Show Scales t("gate.general_measure");
        "gate-graph" Show Graph t("gate.graph_by_it");
        "term-space" Show Scales t("term_space.title");
        "paper-decision" Press File t("paper.decision");
        "paper-card" Press File t("paper.card");
    BENCH:
        "import-exam" Press Plus t("palette.import_exam");
        "bench-measure" Show Scales t("systems.title");
        "bench-judge" Press Scales t("judging.ask");
        "bench-by-tokens" Show Scales t("written.by_tokens");
        "paper-comparison" Press File t("paper.comparison");
    DRIFT:
        "drift-sample" Show Pulse t("drift.sample");
        "paper-drift" Press File t("paper.drift");
    ASK:
        "ask-new" Press Ask t("answering.new");
        "ask-compare" Press Ask t("answering.compare");
        "ask-labels" Press Curve t("labels.title");
        "labels-import" @ "ask-labels" Press Plus t("labels.import");
        "labels-verdicts" @ "ask-labels" Press Plus t("labels.verdicts");
        "rank-train" @ "ask-labels" Show Curve t("palette.rank");
        "curve-measure" @ "ask-labels" Show Curve t("palette.curve");
        "rerank-measure" @ "ask-labels" Show Curve t("palette.rerank_measure");
        "rerank-on" @ "ask-labels" Show Curve t("palette.rerank_on");
        "rerank-off" @ "ask-labels" Show Curve t("palette.rerank_off");
        "search-encoder" Show Search t("palette.search_encoder");
        "make-vectors" Show Graph t("answering.make_vectors");
        "judge-queue" Show Check t("palette.judge_queue");
        "ask-measure" Show Shield t("answering.measure");
        "ask-batch" Press Question t("answering.batch");
        "copy-answer" Press Ask t("answering.copy");
    MATCH:
        "match-begin" Show Match t("match.begin");
        "match-again" Press Match t("match.again");
        "match-newest" Show Match t("match.match_newest");
        "match-link" Press Match t("match.link");
        "match-note" Press File t("palette.match_note");
        "match-assign" Press Sliders t("palette.match_assign");
        "match-read-mapping" Press Plus t("match.import");
        "match-docx" @ "match-export" Press Out t("match.docx");
        "match-xlsx" @ "match-export" Press Out t("match.xlsx");
        "match-csv" @ "match-export" Press Out t("match.csv");
        "match-oscal" @ "match-export" Press Out t("match.oscal");
        "match-html" @ "match-export" Press Out t("match.html");
    ACTIVITY:
        "verify" Show Shield t("activity.verify");
        "activity-export" Press Out t("activity.export");
    WINDOW:
        "preferences" Show Sliders t("settings.appearance");
        "storage-card" Show Sliders t("storage.title");
        "encrypt-workspace" Press Sliders t("palette.encrypt");
        "change-passphrase" Press Sliders t("palette.passphrase");
        "decrypt-workspace" Press Sliders t("palette.decrypt");
        "queue-keys" Show Keys t("keys.of_queues");
    REVIEW:
        "people" Show Sliders t("people.title");
        "person-new" Press Plus t("people.new");
        "plan" Show Sliders t("plan.title");
        "schemas" Show Sliders t("schemas.title");
        "new-schema" Press Plus t("schemas.new");
    MODELS:
        "endpoints" Show Sliders t("endpoints.title");
        "endpoint-new" Press Plus t("endpoints.new");
        "prompts" Show Sliders t("prompts.title");
    MACHINES:
        "machines" Show Chip t("machines.title");
        "machine-new" Press Plus t("machines.new");
        "pack-add" Press Plus t("packs.add");
        "checks" Show Check t("settings.machine");
        "logs" Show File t("logs.title");
        "support" Show File t("support.title");
    ABOUT:
        "about" Show Info t("program.title");
        "about-copy" Press File t("program.copy");
        "licences" Show Info t("program.licences");
}

impl Action {
    /// The action of an id.
    pub fn of(id: &str) -> Option<Self> {
        ACTIONS.iter().find(|action| action.id == id).copied()
    }

    /// Whether it is there only with a workspace.
    pub fn needs_workspace(self) -> bool {
        self.part.route().needs_workspace()
    }

    /// Leads to its button and presses or shows it.
    pub fn run(self, app: App) {
        self.part.open(app);
        self.seek(app, LOOKS, false);
    }

    fn seek(self, app: App, looks: u32, opened: bool) {
        let found = element(self.id);
        match found {
            Some(element) if !element.has_attribute("disabled") => return self.take(&element),
            // A disabled button may become usable when the screen gets its data. After the last look, only show it.
            Some(element) if looks == 0 => element.scroll_into_view(),
            _ => {}
        }
        if looks == 0 {
            let text = t("palette.not_here");
            return app.toast.set(Some(Toast { text, undo: None }));
        }
        // A menu that is open already would be closed by another press.
        let closed = !opened && element(self.id).is_none();
        let menu = self.menu.filter(|_| closed).and_then(element);
        let opened = opened || menu.is_some();
        if let Some(menu) = menu {
            menu.click();
        }
        set_timeout(move || self.seek(app, looks - 1, opened), PAUSE);
    }

    fn take(self, element: &HtmlElement) {
        element.scroll_into_view();
        match self.how {
            How::Press => element.click(),
            How::Show => {
                // A card takes the focus as a pane does.
                if !["BUTTON", "SELECT"].contains(&element.tag_name().as_str()) {
                    let _ = element.set_attribute("tabindex", "-1");
                }
                let _ = element.focus();
            }
        }
    }
}

fn element(id: &str) -> Option<HtmlElement> {
    let element = document().get_element_by_id(id)?;
    element.dyn_into::<HtmlElement>().ok()
}

#[cfg(test)]
mod reach;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// The sources of a folder, one behind the other.
    pub(super) fn sources(folder: &Path) -> String {
        let mut text = String::new();
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                text.push_str(&sources(&path));
            } else if path.extension().is_some_and(|e| e == "rs") {
                text.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
        text
    }

    #[test]
    fn each_action_leads_to_an_element_of_its_screen() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files_of_reviews = fs::read_to_string(root.join("review/packets.rs")).unwrap();
        for action in ACTIONS {
            let folder = match action.part.route() {
                Route::Match => "matching",
                route => route.tag(),
            };
            let mut text = sources(&root.join("screens").join(folder));
            if action.part.route() == Route::Terms {
                text.push_str(&files_of_reviews);
            }
            for id in [Some(action.id), action.menu].into_iter().flatten() {
                let quoted = format!("\"{id}\"");
                assert!(text.contains(&quoted), "{id} is nowhere in {folder}");
            }
        }
    }

    #[test]
    fn no_two_actions_of_a_screen_are_called_alike() {
        let ids: BTreeSet<&str> = ACTIONS.iter().map(|action| action.id).collect();
        assert_eq!(ids.len(), ACTIONS.len());
        // The palette shows the screen beside the name.
        let shown = |action: &Action| (action.part.route().tag(), (action.name)());
        let names: BTreeSet<(&str, String)> = ACTIONS.iter().map(shown).collect();
        assert_eq!(names.len(), ACTIONS.len());
        for action in ACTIONS {
            assert_eq!(Action::of(action.id).unwrap().part, action.part);
            // A name that is missing shows its key.
            let name = (action.name)();
            assert!(!name.contains('_') && name.len() > 1, "{name}");
        }
    }

    /// Each screen that has buttons of its own is in the table, and each part of the settings.
    #[test]
    fn no_screen_is_left_out() {
        for route in Route::ALL {
            assert!(
                ACTIONS.iter().any(|action| action.part.route() == route),
                "{route:?}"
            );
        }
        for tab in [WINDOW, REVIEW, MODELS, MACHINES, ABOUT] {
            assert!(ACTIONS.iter().any(|action| action.part == tab), "{tab:?}");
        }
    }
}
