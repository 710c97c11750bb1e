//! Checks that the palette offers everything that a button can begin. Each command of the shell that changes something
//! must have an action, and each button with an id must be an action. Exceptions are listed here with their reasons.

use super::tests::sources;
use super::{ACTIONS, Action};
use crate::backend::commands::Request;
use crate::route::Route;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Commands that are begun from the screens, each with an action that leads to it.
const LED: &[(&str, &str)] = &[
    ("ImportDocuments", "import-folder"),
    ("LinkPredecessor", "predecessor"),
    ("SetValidity", "force-from"),
    ("FindTerms", "find-terms-by"),
    ("FindConfusables", "find-confusables"),
    ("ImportGlossary", "import-glossary"),
    ("ExportGlossary", "export-csv"),
    ("WritePacket", "export-packet"),
    ("WriteAnswer", "write-answer"),
    ("MergeAnswer", "merge-answer"),
    ("UpdateGraph", "update-graph"),
    ("BuildGraph", "tab-calibration"),
    ("WriteQuestions", "write-by-endpoint"),
    ("EstimateWriting", "write-by-endpoint"),
    ("ExportDataset", "export-dataset"),
    ("MakeTriplets", "make-triplets"),
    ("ImportTriplets", "import-triplets"),
    ("ExportTriplets", "export-triplets"),
    ("MeasureTriplets", "measure-triplets"),
    ("DrawSimilarity", "draw-similarity"),
    ("ExportSimilarity", "export-similarity"),
    ("WriteScoreSheet", "sheet-similarity"),
    ("ImportScores", "import-similarity"),
    ("SetReading", "set-reading"),
    ("StartTraining", "start-training"),
    ("StartSweep", "start-sweep"),
    ("ControlRun", "pause-run"),
    ("ResumeRun", "resume-run"),
    ("BringCheckpoints", "bring-checkpoints"),
    ("StopFollowing", "unfollow-run"),
    ("Evaluate", "evaluate"),
    ("OpenReport", "open-report"),
    ("ExportRun", "export-run"),
    ("Activate", "gate-activate"),
    ("RollBack", "gate-roll-back"),
    ("PlanGate", "gate-policy"),
    ("KeepGatePolicy", "gate-policy"),
    ("KeepGateGeneral", "gate-policy"),
    ("MeasureGeneral", "gate-general-measure"),
    ("ImportExam", "import-exam"),
    ("MeasureBench", "bench-measure"),
    ("MeasureTermSpace", "term-space"),
    ("WriteComparison", "paper-comparison"),
    ("WriteDecision", "paper-decision"),
    ("WriteDrift", "paper-drift"),
    ("WriteCard", "paper-card"),
    ("TakeDriftSample", "drift-sample"),
    ("AskAside", "ask-compare"),
    ("PreferAnswer", "ask-compare"),
    ("Calibrate", "ask-measure"),
    ("AskBatch", "ask-batch"),
    ("ImportPairs", "labels-import"),
    ("ImportVerdicts", "labels-verdicts"),
    ("TrainRanker", "rank-train"),
    ("MeasureCurve", "curve-measure"),
    ("MeasureRerank", "rerank-measure"),
    ("UseRerank", "rerank-on"),
    ("SearchWith", "search-encoder"),
    ("MakeVectors", "make-vectors"),
    ("JudgeAnswer", "judge-queue"),
    ("MatchRules", "match-begin"),
    ("ImportMapping", "match-read-mapping"),
    ("ExportMatching", "match-docx"),
    ("DecideMatch", "match-link"),
    ("AuditVerify", "verify"),
    ("WriteAudit", "activity-export"),
    ("EncryptWorkspace", "encrypt-workspace"),
    ("ChangePassphrase", "change-passphrase"),
    ("DecryptWorkspace", "decrypt-workspace"),
    ("PutPerson", "person-new"),
    ("BePerson", "people"),
    ("SetReviewPlan", "plan"),
    ("PutTermSchema", "new-schema"),
    ("RemoveTermSchema", "schemas"),
    ("AddEndpoint", "endpoint-new"),
    ("ConfirmEndpoint", "endpoints"),
    ("CheckEndpoint", "endpoints"),
    ("RemoveEndpoint", "endpoints"),
    ("PutPrompt", "prompts"),
    ("ResetPrompt", "prompts"),
    ("TryPrompt", "prompts"),
    ("AddTarget", "machine-new"),
    ("ChangeTarget", "machines"),
    ("CheckTarget", "machines"),
    ("InstallTarget", "machines"),
    ("ReplaceTargetKey", "machines"),
    ("CleanTarget", "machines"),
    ("RemoveTarget", "machines"),
    ("TakePackIn", "pack-add"),
    ("RemovePack", "machines"),
    ("SetLogLevel", "logs"),
    ("WriteSupport", "support"),
];

/// Commands that the palette gives by itself, each with the name of the deed.
const GIVEN: &[(&str, &str)] = &[
    ("Ask", "Ask"),
    ("Prepare", "Prepare"),
    ("OpenWorkspace", "Open"),
    ("CreateWorkspace", "Create"),
    ("OpenSample", "Sample"),
    ("OpenPacket", "Packet"),
];

/// Commands that change something and are no action, each with the reason.
const LEFT: &[(&str, &str)] = &[
    ("Decide", "decides about the item that is shown, by a key"),
    ("UndoDecision", "takes back the decision before, by a key"),
    ("CancelTask", "is beside each job that is at work"),
    ("AnswerSsh", "answers a question that ssh asks just now"),
    ("Unlock", "is asked for where a page cannot be drawn"),
    ("UnlockKeyFile", "is asked for where a key file is locked"),
    (
        "UnlockWorkspace",
        "is asked for when a locked one is opened",
    ),
    ("Notify", "comes by itself when long work has ended"),
    ("SetTextSize", "follows what is chosen under Appearance"),
];

/// Commands that only say how something is, ask for a place of a file, or lay out what would be sent.
const READ: &[&str] = &[
    "About",
    "AboutWorker",
    "ActiveModels",
    "Agreement",
    "AnswerSince",
    "AnswerWays",
    "Answers",
    "AuditFacets",
    "AuditRows",
    "BaseModels",
    "BenchSystems",
    "CheckCorpus",
    "CheckStanding",
    "Conflicts",
    "CountTriplets",
    "CurrentCertificate",
    "DiffCounts",
    "Doctor",
    "DocumentDiff",
    "Documents",
    "DoubtfulTerms",
    "Drift",
    "Endpoints",
    "Evaluation",
    "ExampleQuestions",
    "Exports",
    "Gate",
    "GateGeneral",
    "GatePolicy",
    "GraphCalibration",
    "GraphCensus",
    "GraphEdge",
    "GroupMembers",
    "KeptAnswer",
    "Labels",
    "LastBench",
    "LastBenchOn",
    "Logs",
    "LookAtExam",
    "MatchOverview",
    "MatchedRule",
    "MissingVectors",
    "Neighbourhood",
    "Outline",
    "OwnTermSchemas",
    "Packs",
    "Page",
    "PageEnd",
    "PageProblem",
    "People",
    "PickFiles",
    "PickFolder",
    "PickNewWorkspace",
    "PickOpen",
    "PickSave",
    "PickWorkspace",
    "PlanAnswer",
    "PlanBatch",
    "PlanBench",
    "PlanBenchAsking",
    "PlanBenchJudging",
    "PlanCalibration",
    "PlanEstimate",
    "PlanJudging",
    "PlanQuestions",
    "PlanRun",
    "PlanSweep",
    "PlanTerms",
    "PlanTrial",
    "PlanTriplets",
    "Prompts",
    "Questions",
    "RejectedDrafts",
    "Rerankers",
    "ReviewItem",
    "ReviewQueue",
    "RunDetail",
    "RunEvents",
    "Runs",
    "ScriptWith",
    "Search",
    "SearchEncoders",
    "Sentence",
    "ShiftTypes",
    "SshQuestions",
    "StartFailure",
    "StorageOf",
    "SupportParts",
    "Sweeps",
    "TargetHolds",
    "TargetKey",
    "TargetScript",
    "Targets",
    "Tasks",
    "Term",
    "TermSchemas",
    "Terms",
    "Triplets",
    "ValidityProposals",
    "Workspace",
    "WritingReport",
];

/// Beginnings of names that say that something is changed or begun.
const CHANGING: [&str; 26] = [
    "Activate",
    "Add",
    "Build",
    "Calibrate",
    "Change",
    "Clean",
    "Confirm",
    "Create",
    "Decide",
    "Encrypt",
    "Export",
    "Import",
    "Install",
    "Judge",
    "Keep",
    "Link",
    "Make",
    "Measure",
    "Merge",
    "Put",
    "Remove",
    "Replace",
    "Reset",
    "Set",
    "Take",
    "Train",
];

/// Buttons of the screens that are no action, by the reason.
const BUTTONS: &[(&str, &[&str])] = &[
    (
        "decides about what is shown or marked, and begins nothing",
        &[
            "batch-accept",
            "batch-all",
            "batch-class",
            "batch-reject",
            "match-accept",
            "match-correct",
            "match-undo",
            "term-accept",
            "term-class-as",
            "term-reject",
        ],
    ),
    (
        "is in a dialog or a form that an action leads to",
        &[
            "batch-again",
            "batch-begin",
            "bench-general",
            "bench-no-general",
            "bench-send",
            "bring-do",
            "compare-ask",
            "consent-agree",
            "curve-general",
            "data-check",
            "encryption-send",
            "endpoint-keep",
            "estimate-plan",
            "estimate-send",
            "exam-keep",
            "gate-make-active",
            "gate-policy-keep",
            "gate-policy-plan",
            "gate-policy-usual",
            "host-key-replace",
            "host-key-trust",
            "labels-measure",
            "look-support",
            "machine-removal-do",
            "match-link-save",
            "match-remark-save",
            "match-rest",
            "measure-begin",
            "measure-file",
            "more-figures",
            "pack-removal-do",
            "person-keep",
            "reading-keep",
            "reject-doubtful",
            "rule-general-file",
            "schema-create",
            "snapshot-write",
            "take-advice",
            "triplets-begin",
            "triplets-shifts-file",
            "unfollow-anyway",
            "unfollow-do",
            "write-support",
        ],
    ),
    (
        "does what another line of the palette does",
        &[
            "ask",
            "ask-again",
            "ask-import",
            "build-with",
            "cert-measure",
            "import",
            "library-sample",
            "match-import",
            "new-workspace",
            "open-sample",
            "open-workspace",
            "print-answer",
            "reword",
            "run-measure",
        ],
    ),
    (
        "changes only what is shown, or leads to it",
        &[
            "all-settings",
            "ask-older",
            "centre-here",
            "cert-explain",
            "edge-questions",
            "fold-group",
            "match-all",
            "match-in-library",
            "match-more",
            "mine-again",
            "open-in-library",
            "open-in-review",
            "score-similarity",
            "show-reopened",
            "to-graph",
            "to-similarity",
            "to-triplets",
            "triplet-decide",
            "zoom-in",
            "zoom-out",
        ],
    ),
    (
        "cancels, closes or goes back",
        &[
            "ask-give-up",
            "cancel-sweep",
            "compare-back",
            "graph-back",
            "match-back",
            "match-close-page",
            "pause-writing",
            "versions-close",
        ],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The sources from which an action of a screen can send a command: those of the screen, and what is shared by screens.
fn sending(route: Route) -> String {
    let folder = match route {
        Route::Match => "matching",
        route => route.tag(),
    };
    let mut text = sources(&root().join("screens").join(folder));
    text.push_str(&sources(&root().join("review")));
    text.push_str(&fs::read_to_string(root().join("state.rs")).unwrap_or_default());
    text
}

/// Whether a text sends a command: its name stands there, and no longer name that begins alike.
fn sends(text: &str, command: &str) -> bool {
    let name = format!("commands::{command}");
    text.match_indices(&name).any(|(at, _)| {
        let next = text[at + name.len()..].chars().next();
        next.is_none_or(|c| !c.is_alphanumeric())
    })
}

/// Ids of the buttons in a source that are written out.
fn ids_of_buttons(text: &str) -> impl Iterator<Item = &str> {
    text.split("<button").skip(1).filter_map(|button| {
        let button = button.split("</button>").next()?;
        let id = button.split_once(" id=\"")?.1;
        id.split('"').next()
    })
}

#[test]
fn each_command_that_changes_something_can_be_reached_from_the_palette() {
    let rows = LED.iter().chain(GIVEN).chain(LEFT).map(|(name, _)| *name);
    let mut placed = BTreeMap::<&str, usize>::new();
    for name in rows.chain(READ.iter().copied()) {
        *placed.entry(name).or_default() += 1;
    }
    let there: BTreeSet<&str> = Request::NAMES.concat().into_iter().collect();
    for name in &there {
        assert_eq!(
            placed.get(name),
            Some(&1),
            "{name}: say how the palette leads to it"
        );
    }
    let gone = placed.keys().filter(|name| !there.contains(*name));
    let gone: Vec<&&str> = gone.collect();
    assert!(gone.is_empty(), "no such commands: {gone:?}");
    for name in READ {
        let changes = CHANGING.iter().find(|verb| begins(name, verb));
        assert_eq!(changes, None, "{name} changes something");
    }
}

/// Whether a name begins with this verb as a word of its own.
fn begins(name: &str, verb: &str) -> bool {
    name.strip_prefix(verb)
        .is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

#[test]
fn each_action_leads_to_where_its_command_is_sent() {
    for (command, id) in LED {
        let action = Action::of(id);
        let route = action.map(|action| action.part.route());
        let text = route.map(sending).unwrap_or_default();
        assert!(sends(&text, command), "{command} is not sent from {id}");
    }
    let palette = fs::read_to_string(root().join("components/palette.rs")).unwrap_or_default();
    for (command, deed) in GIVEN {
        let done = [format!("Self::{deed} =>"), format!("Self::{deed}(")];
        let offered = format!("Deed::{deed}");
        assert!(
            done.iter().any(|arm| palette.contains(arm.as_str())) && palette.contains(&offered),
            "{command}: the palette has no {deed}"
        );
    }
    for (what, reason) in LEFT {
        assert!(reason.split(' ').count() > 3, "{what}: {reason}");
    }
}

#[test]
fn each_button_with_an_id_is_an_action_or_has_its_reason() {
    let text = sources(&root().join("screens"));
    let there: BTreeSet<&str> = ids_of_buttons(&text).collect();
    assert!(there.len() > 100, "only {} buttons", there.len());
    let actions: BTreeSet<&str> = ACTIONS.iter().map(|action| action.id).collect();
    let left: Vec<&str> = BUTTONS
        .iter()
        .flat_map(|(_, ids)| ids.iter().copied())
        .collect();
    let known: BTreeSet<&str> = left.iter().copied().collect();
    assert_eq!(known.len(), left.len(), "a button stands here twice");
    for id in &there {
        assert!(
            actions.contains(id) != known.contains(id),
            "{id}: an action, or a reason why not, and not both"
        );
    }
    let gone: Vec<&&str> = known.difference(&there).collect();
    assert!(gone.is_empty(), "no such buttons: {gone:?}");
}
