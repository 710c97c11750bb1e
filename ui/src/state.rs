//! The state of the page: where the reader is, the workspace, the jobs. Screens keep here what must survive a change of
//! screen or language. Everything else stays in their own components.

use crate::attempt::attempt;
use crate::backend::{Answer, call, commands};
use crate::draft::Draft;
use crate::help::page::Topic;
use crate::i18n::{Lang, lang, t, tf};
use crate::opening::Opening;
use crate::pace::Paces;
use crate::place::{self, Place, Places, ReviewPlace, ReviewTab, SettingsTab};
use crate::prefs;
use crate::recent;
use crate::reloading::Reloading;
use crate::review::bindings::Bindings;
use crate::review::outcome::Outcome;
use crate::route::Route;
use crate::screens::ask::place::AskPlace;
use crate::screens::evaluation::place::EvaluationPlace;
use crate::screens::graph::place::GraphPlace;
use crate::screens::matching::place::MatchPlace;
use crate::text_size;
use crate::theme::Theme;
use crate::toast::Toast;
use crate::waits::Waits;
use leptos::prelude::*;
use leptos::task::spawn_local;
use lexforge_domain::api::{
    PageEnd, PeopleView, QuestionFilter, QuestionRow, RunRow, SshQuestion, Task, TermFilter,
    WorkspaceView,
};
use lexforge_domain::protocol::JobEvent;
use lexforge_domain::review::SubjectKind;
use lexforge_domain::schema::TermSchema;
use lexforge_domain::text::Language;
use lexforge_domain::{DocumentId, Failure, RunId, SentenceId, TermId};

/// The page's state; a handle that is cheap to copy.
#[derive(Clone, Copy)]
pub struct App {
    /// The screen that is shown.
    pub route: RwSignal<Route>,
    /// Light, dark, or as the system has it.
    pub theme: RwSignal<Theme>,
    /// How large the page is shown, in per cent.
    pub text_size: RwSignal<u32>,
    /// Whether the end of long work is told while the window is not looked at.
    pub notify: RwSignal<bool>,
    /// How fast the jobs are.
    pub paces: RwSignal<Paces>,
    /// The shell has said whether a workspace is open.
    pub ready: RwSignal<bool>,
    /// The open workspace.
    pub workspace: RwSignal<Option<WorkspaceView>>,
    /// Background jobs since the application started.
    pub tasks: RwSignal<Vec<Task>>,
    /// The number of the last job that began while another workspace was open; 0 = none.
    pub elsewhere: RwSignal<u64>,
    /// Training runs, newest first.
    pub runs: RwSignal<Vec<RunRow>>,
    /// The latest word of a worker.
    pub heard: RwSignal<Option<(RunId, JobEvent)>>,
    /// The questions of `ssh` that are still unanswered, oldest first.
    pub ssh: RwSignal<Vec<SshQuestion>>,
    /// Grows when rows of the workspace changed, so that screens reload.
    pub changes: RwSignal<u64>,
    reloading: StoredValue<Reloading>,
    /// What was begun and has no answer yet.
    pub waits: Waits,
    /// A failure that belongs to no place on the screen.
    pub failure: RwSignal<Option<Failure>>,
    /// The page before this one ended by itself, and how.
    pub ended: RwSignal<Option<PageEnd>>,
    /// The job tray's panel is open.
    pub tray: RwSignal<bool>,
    /// The command palette is open.
    pub palette: RwSignal<bool>,
    /// The list of keys is open.
    pub keys: RwSignal<bool>,
    /// The part of the settings that is shown.
    pub settings: RwSignal<SettingsTab>,
    /// The help is open.
    pub help: RwSignal<bool>,
    /// The page at which the help opens; none = that of the screen that is shown.
    pub help_topic: RwSignal<Option<Topic>>,
    /// Single keys act (they can be turned off).
    pub single_keys: RwSignal<bool>,
    /// Which single key does what in a queue.
    pub bindings: RwSignal<Bindings>,
    /// The people who review here; `None` before the workspace has said it.
    pub people: RwSignal<Option<PeopleView>>,
    /// The schemas of terms.
    pub schemas: RwSignal<Vec<TermSchema>>,
    /// A word about what was just done, with a way back.
    pub toast: RwSignal<Option<Toast>>,
    /// The result of a file that was written or read for the review.
    pub outcome: RwSignal<Option<Outcome>>,
    /// Where the reader is in the review of terms.
    pub terms_review: ReviewPlace,
    /// Where the reader is in the review of questions.
    pub questions_review: ReviewPlace,
    /// Jobs whose failures were read and put away.
    pub seen: RwSignal<Vec<u64>>,
    /// Failed files that were skipped, by their import and their path.
    pub skipped: RwSignal<Vec<(u64, String)>>,
    /// The document, page and sentence in the library.
    pub place: RwSignal<Place>,
    /// What is looked for in the library.
    pub query: RwSignal<String>,
    /// It is looked for in the open document only.
    pub in_document: RwSignal<bool>,
    /// The two versions whose difference the library shows, the older first.
    pub compared: RwSignal<Option<(DocumentId, DocumentId)>>,
    /// The filter and selection of Terms.
    pub term_filter: RwSignal<TermFilter>,
    /// The term that Terms and Graph show.
    pub term: RwSignal<Option<TermId>>,
    /// Where the reader is in the graph.
    pub graph: GraphPlace,
    /// Where the reader is among questions and answers.
    pub ask: AskPlace,
    /// Where the reader is among matched rules.
    pub matching: MatchPlace,
    /// Where the reader is among figures.
    pub evaluation: EvaluationPlace,
    pub question_filter: RwSignal<QuestionFilter>,
    /// The question that Questions shows.
    pub question: RwSignal<Option<QuestionRow>>,
    /// The run that Training and Evaluation show.
    pub run: RwSignal<Option<RunId>>,
    /// The next run as it is in the form.
    pub draft: RwSignal<Draft>,
    /// Runs that are marked for a comparison, two at most.
    pub marked: RwSignal<Vec<RunId>>,
    /// The two runs that Training shows side by side.
    pub compare: RwSignal<Option<(RunId, RunId)>>,
}

/// The page's state.
pub fn use_app() -> App {
    expect_context()
}

impl App {
    /// The state as the page remembers it from last time.
    pub fn remembered() -> Self {
        Self {
            route: RwSignal::new(
                prefs::read("screen")
                    .and_then(|s| Route::from_tag(&s))
                    .unwrap_or(Route::Library),
            ),
            theme: RwSignal::new(Theme::from_tag(&prefs::read("theme").unwrap_or_default())),
            text_size: RwSignal::new(text_size::remembered()),
            notify: RwSignal::new(prefs::read("notify").as_deref() != Some("off")),
            paces: RwSignal::default(),
            ready: RwSignal::new(false),
            workspace: RwSignal::new(None),
            tasks: RwSignal::new(Vec::new()),
            elsewhere: RwSignal::new(0),
            runs: RwSignal::new(Vec::new()),
            heard: RwSignal::new(None),
            changes: RwSignal::new(0),
            reloading: StoredValue::new(Reloading::default()),
            waits: Waits::default(),
            failure: RwSignal::new(None),
            ended: RwSignal::new(None),
            tray: RwSignal::new(false),
            palette: RwSignal::new(false),
            keys: RwSignal::new(false),
            settings: RwSignal::new(SettingsTab::Window),
            help: RwSignal::new(false),
            help_topic: RwSignal::new(None),
            single_keys: RwSignal::new(prefs::read("single_keys").as_deref() != Some("off")),
            bindings: RwSignal::new(Bindings::remembered()),
            people: RwSignal::new(None),
            schemas: RwSignal::new(Vec::new()),
            toast: RwSignal::new(None),
            outcome: RwSignal::new(None),
            ssh: RwSignal::new(Vec::new()),
            terms_review: ReviewPlace::of(SubjectKind::Term),
            questions_review: ReviewPlace::of(SubjectKind::Question),
            seen: RwSignal::new(Vec::new()),
            skipped: RwSignal::new(Vec::new()),
            place: RwSignal::new(Place::default()),
            query: RwSignal::new(String::new()),
            in_document: RwSignal::new(false),
            compared: RwSignal::new(None),
            term_filter: RwSignal::new(TermFilter::default()),
            term: RwSignal::new(None),
            graph: GraphPlace::default(),
            ask: AskPlace::default(),
            matching: MatchPlace::default(),
            evaluation: EvaluationPlace::default(),
            question_filter: RwSignal::new(QuestionFilter::default()),
            question: RwSignal::new(None),
            run: RwSignal::new(None),
            draft: RwSignal::new(Draft::default()),
            marked: RwSignal::new(Vec::new()),
            compare: RwSignal::new(None),
        }
    }

    /// The stored place of the reader.
    fn places(self) -> Places {
        Places {
            place: self.place,
            terms_review: self.terms_review,
            questions_review: self.questions_review,
            term: self.term,
            run: self.run,
            compared: self.compared,
            ask: self.ask,
            matched: self.matching.shown,
        }
    }

    /// Keeps where the reader is; what it reads is tracked.
    pub fn keep_place(self) {
        if let Some(workspace) = self
            .workspace
            .with(|ws| ws.as_ref().map(|ws| ws.path.clone()))
        {
            place::keep(self.places(), workspace);
        }
    }

    /// Shows a screen.
    pub fn go(self, route: Route) {
        prefs::keep("screen", route.tag());
        self.route.set(route);
    }

    /// Shows a screen that a person has asked for. Without a workspace, what it needs is said.
    pub fn visit(self, route: Route) {
        self.go(route);
        if self.lacks_workspace(route) {
            self.say_what_is_needed(&route.title());
        }
    }

    /// Whether a screen has nothing to show, since no workspace is open.
    pub fn lacks_workspace(self, route: Route) -> bool {
        route.needs_workspace()
            && self.ready.get_untracked()
            && self.workspace.with_untracked(Option::is_none)
    }

    /// Says that something needs a workspace.
    fn say_what_is_needed(self, name: &str) {
        let text = tf("nav.waits", &[("name", name)]);
        self.toast.set(Some(Toast { text, undo: None }));
    }

    /// Shows a part of the settings.
    pub fn open_settings(self, part: SettingsTab) {
        self.settings.set(part);
        self.go(Route::Settings);
    }

    /// Shows a sentence on its page.
    pub fn open_sentence(self, document: DocumentId, page: u32, sentence: Option<SentenceId>) {
        self.compared.set(None);
        self.place.set(Place {
            document: Some(document),
            page,
            sentence,
        });
        self.go(Route::Library);
    }

    /// Shows a term.
    pub fn open_term(self, term: TermId) {
        self.term.set(Some(term));
        self.terms_review.tab.set(ReviewTab::All);
        self.go(Route::Terms);
    }

    /// The workspace that a command has opened is now the one shown.
    pub fn opened(self, view: WorkspaceView) {
        let before = prefs::read("recent").unwrap_or_default();
        prefs::keep("recent", &recent::with_newest(&before, &view.path));
        let opening = self.workspace.with_untracked(|old| {
            let old = old.as_ref().map(|old| old.path.as_str());
            self.tasks.with_untracked(|tasks| {
                Opening::of(old, &view.path, tasks.iter().map(|task| task.id))
            })
        });
        if let Opening::Another(last) = opening {
            self.elsewhere.set(last);
        }
        if opening != Opening::Same {
            self.query.set(String::new());
            self.compared.set(None);
            self.term.set(None);
            self.question.set(None);
            self.people.set(None);
            self.terms_review.forget();
            self.questions_review.forget();
            self.graph.forget();
            self.ask.forget();
            self.matching.forget();
            self.evaluation.forget();
            self.run.set(None);
            self.draft.update(Draft::begin_anew);
            self.marked.set(Vec::new());
            self.compare.set(None);
            place::lead_back(self.places(), &view.path);
        }
        put(self.workspace, Some(view));
        self.ready.set(true);
        self.changes.update(|n| *n += 1);
        self.reload_jobs();
    }

    /// Asks the shell for the workspace's figures again.
    pub fn reload(self) {
        if self.reloading.try_update_value(Reloading::wished) != Some(true) {
            return;
        }
        spawn_local(async move {
            loop {
                match call(commands::Workspace {}).await {
                    Ok(Some(view)) => self.opened(view),
                    Ok(None) => {
                        self.workspace.set(None);
                        self.ready.set(true);
                    }
                    Err(failure) => {
                        self.failure.set(Some(failure));
                        self.ready.set(true);
                    }
                }
                if self.reloading.try_update_value(Reloading::answered) != Some(true) {
                    break;
                }
            }
        });
    }

    /// Reads again who reviews, because the command line may have named somebody meanwhile.
    pub async fn read_people(self) {
        match call(commands::People {}).await {
            Ok(people) => put(self.people, Some(people)),
            Err(failure) => self.failure.set(Some(failure)),
        }
    }

    fn reload_jobs(self) {
        spawn_local(async move {
            if let Ok(tasks) = call(commands::Tasks {}).await {
                put(self.tasks, tasks);
            }
            self.read_people().await;
            if let Ok(schemas) = call(commands::TermSchemas {}).await {
                put(self.schemas, schemas);
            }
            match call(commands::Runs {}).await {
                Ok(runs) => put(self.runs, runs),
                Err(failure) => self.failure.set(Some(failure)),
            }
        });
    }

    /// Does something that may fail, and shows the failure.
    pub fn attempt<T: 'static>(
        self,
        deed: impl Future<Output = Answer<T>> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        attempt(self.failure, deed, then);
    }

    /// As [`App::attempt`]. These words are shown meanwhile, and it is not begun a second time.
    pub fn attempt_once<T: 'static>(
        self,
        words: String,
        deed: impl Future<Output = Answer<T>> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        self.waits.attempt(words, self.failure, deed, then);
    }

    /// Asks for documents and imports them.
    pub fn import(self) {
        if self.lacks_workspace(Route::Library) {
            return self.say_what_is_needed(&t("action.import"));
        }
        self.import_chosen(call(commands::PickFiles {}));
    }

    /// Asks for a folder and imports what lies in it.
    pub fn import_folder(self) {
        self.import_chosen(async {
            let folder = call(commands::PickFolder {}).await?;
            Ok(folder.into_iter().collect())
        });
    }

    fn import_chosen(self, chosen: impl Future<Output = Answer<Vec<String>>> + 'static) {
        let begun = async move {
            let paths = chosen.await?;
            if paths.is_empty() {
                return Ok(0);
            }
            let password = None;
            call(commands::ImportDocuments { paths, password }).await
        };
        self.attempt_once(t("wait.choose"), begun, move |task| {
            if task > 0 {
                self.go(Route::Library);
            }
        });
    }

    /// Asks for a workspace and opens it.
    pub fn pick_workspace(self) {
        self.open(async {
            match call(commands::PickWorkspace {}).await? {
                Some(path) => call(commands::OpenWorkspace { path }).await.map(Some),
                None => Ok(None),
            }
        });
    }

    /// Asks where a new workspace should stand, and makes it.
    pub fn new_workspace(self) {
        self.open(async {
            match call(commands::PickNewWorkspace {}).await? {
                Some(path) => call(commands::CreateWorkspace { path }).await.map(Some),
                None => Ok(None),
            }
        });
    }

    /// Opens the workspace at a path.
    pub fn open_workspace(self, path: String) {
        self.open(async move { call(commands::OpenWorkspace { path }).await.map(Some) });
    }

    /// Opens a workspace to look around in, in the window's language.
    pub fn open_sample(self) {
        let language = match lang() {
            Lang::En => Language::En,
            Lang::Zh => Language::Zh,
        };
        self.open(async move {
            let view = call(commands::OpenSample { language }).await?;
            self.go(Route::Library);
            Ok(Some(view))
        });
    }

    /// Shows the workspace that is opened so; one is opened at a time.
    fn open(self, deed: impl Future<Output = Answer<Option<WorkspaceView>>> + 'static) {
        self.attempt_once(t("wait.open"), deed, move |view| {
            if let Some(view) = view {
                self.opened(view);
            }
        });
    }

    /// Begins to find terms, build the graph and write questions.
    pub fn prepare(self) {
        self.attempt(call(commands::Prepare {}), |_| ());
    }

    /// How many documents the open workspace has; 0 where none is open.
    pub fn documents(self) -> u64 {
        self.workspace
            .with(|ws| ws.as_ref().map_or(0, |ws| ws.documents))
    }

    /// The job of a kind that is at work now.
    pub fn busy(self, kind: &str) -> Option<Task> {
        self.tasks.with(|tasks| {
            tasks
                .iter()
                .rev()
                .find(|t| t.kind == kind && !t.done)
                .cloned()
        })
    }
}

/// Sets a signal only if the value is different. Otherwise every change in the workspace would render all parts of the
/// page that show the signal again, and text typed there would be lost.
fn put<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|known| *known != value) {
        signal.set(value);
    }
}
