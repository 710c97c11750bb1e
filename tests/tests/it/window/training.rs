//! Training as an operator does it: a recipe, what it would need, the run stage by stage, two runs side by side.

use crate::prepared::copy_folder;
use crate::window::driver::Window;
use crate::window::opening::{open, open_frozen};
use crate::window::{built, pictures};
use lexforge_tests::held::{Held, starts, steps};
use serde_json::Value;
use std::path::Path;

/// The decoder that comes with the product.
const DECODER: &str = "lexforge-demo";

#[tokio::test]
async fn an_operator_trains_a_decoder() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("operator.lexforge");
    let (driver, window) = open_frozen(&app, &parse, &worker, &workspace, &[]).await;
    window.go("training").await;
    let bases = "return window.__TAURI__.core.invoke('BaseModels')";
    let bases = window.ask(bases).await;
    let works = |row: &Value| row["name"] == DECODER && row["problem"].is_null();
    if !bases.as_array().is_some_and(|rows| rows.iter().any(works)) {
        lexforge_needs::missing(format!(
            "{DECODER} is not there, so no decoder is trained in the window ({bases})"
        ));
        window.close().await;
        drop(driver);
        return;
    }
    plan(&window).await;
    say_how_it_reads(&window, home.path(), &bases).await;
    watch(&window).await;
    let bundles = workspace
        .with_extension("lexforge.artifacts")
        .join("bundles");
    let again = |events: &[Value]| starts(events) == 2 && steps(events) > 0;
    let held = Held::when(&bundles, again);
    window.close().await;
    drop(driver);

    // The run goes on without a window; another one has its curves from the first step on.
    let held = held.after_a_step();
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    come_back(&window, held).await;
    compare(&window).await;
    go_on(&window).await;
    pictures::of_training(&window).await;
    leave(&window, home.path()).await;
    window.close().await;
    drop(driver);
}

/// The recipe fills the figures, and what it would need changes as one types.
async fn plan(window: &Window) {
    window.click("#preset-quick_look").await;
    window
        .until(
            "the base",
            60,
            &format!(
                "return document.querySelector('#base-chosen')?.innerText.includes({DECODER:?})"
            ),
        )
        .await;
    window
        .until(
            "a plan of three stages",
            60,
            "return (document.querySelector('#plan-stages')?.innerText.match(/\\d+ steps?/g) ?? []).length === 3",
        )
        .await;
    window
        .until(
            "the memory",
            60,
            "return / of .* GB/.test(document.querySelector('#memory-total')?.innerText ?? '')",
        )
        .await;
    pictures::of_screen(window, "training-plan").await;

    let steps = "return document.querySelector('#plan-stages li:last-child .row')?.innerText";
    let before = window.ask(steps).await;
    window.fill("#steps", "7").await;
    window
        .until(
            "the plan of what was typed",
            60,
            &format!("{steps} !== {before}").replace("return ", "return "),
        )
        .await;
    window
        .until(
            "seven steps",
            60,
            "return document.querySelector('#plan-stages li:last-child .row')?.innerText.includes('7 steps')",
        )
        .await;
    window.fill("#steps", "none").await;
    window
        .until(
            "the field's own words",
            10,
            "return !!document.querySelector('.figure .err') && document.querySelector('#start-training').disabled",
        )
        .await;
    window
        .until(
            "why it cannot start",
            10,
            "return document.querySelector('#start-remark').innerText.includes('figure')",
        )
        .await;
    pictures::of_screen(window, "training-wrong-figure").await;
    window.click("#stage-sentence").await;
    window.click("#reset-recipe").await;
    window
        .until(
            "the recipe's own",
            10,
            "return document.querySelector('#steps').value === '' && document.querySelector('#stage-sentence').checked",
        )
        .await;

    window.click("#change-base").await;
    window
        .until(
            "the list of bases",
            10,
            "return document.querySelectorAll('#base-list input').length > 1 && !!document.querySelector('#pick-base')",
        )
        .await;
    pictures::of_screen(window, "training-bases").await;
    window.click("#change-base").await;
    window.click("#more-figures").await;
    pictures::of_screen(window, "training-more").await;
}

/// A folder of the operator's own says nothing of how its model reads texts. What is said in the window stands in the folder,
/// and is shown. The dialog for folders is the system's; its answer is put in its place.
async fn say_how_it_reads(window: &Window, home: &Path, bases: &Value) {
    let shipped = bases.as_array().unwrap().iter();
    let shipped = shipped.filter(|row| row["name"] == DECODER);
    let shipped = shipped.filter_map(|row| row["path"].as_str()).next();
    let folder = home.join("own-decoder");
    copy_folder(Path::new(shipped.unwrap()), &folder);
    let picked = format!(
        "const core = window.__TAURI__.core; window.__TAURI__.core = {{ ...core, \
         invoke: (name, ...rest) => name === 'PickFolder' ? Promise.resolve({folder:?}) : core.invoke(name, ...rest) }}; \
         window.coreBefore = core"
    );
    let fold = "return !!document.querySelector('#set-reading')";
    assert_eq!(
        window.ask(fold).await,
        false,
        "the shipped model can be changed"
    );
    window.ask(&picked).await;
    window.click("#change-base").await;
    window.click("#pick-base").await;
    window.until("the fold of an own model", 60, fold).await;
    window
        .ask("window.__TAURI__.core = window.coreBefore")
        .await;
    window.click("#set-reading").await;
    for language in ["zh", "en"] {
        window.speak(language).await;
        if window
            .ask("return !document.querySelector('#reading-fields')")
            .await
            == true
        {
            window.click("#set-reading").await;
        }
        let to_it = "document.querySelector('#reading-fields').scrollIntoView()";
        window.run(to_it).await;
        pictures::of_screen(window, &format!("training-reading-{language}")).await;
    }
    window.fill("#reading-longest", "none").await;
    let refused = "return document.querySelector('#reading-keep').disabled && !!document.querySelector('#reading-fields .err')";
    window.until("no length “none”", 10, refused).await;
    window.fill("#reading-longest", "128").await;
    window.fill("#reading-question", "Question: ").await;
    window
        .ask(
            "const way = document.querySelector('#reading-pooling'); way.value = 'cls'; \
             way.dispatchEvent(new Event('change', { bubbles: true })); return way.value",
        )
        .await;
    window.click("#reading-keep").await;
    let told = "const told = document.querySelector('#base-vectors')?.innerText ?? ''; \
        return told.includes('first token') && told.includes('128') && told.includes('Question: ')";
    window.until("what was said", 60, told).await;
    let pooling = std::fs::read(folder.join("1_Pooling/config.json")).unwrap();
    let pooling: Value = serde_json::from_slice(&pooling).unwrap();
    assert_eq!(pooling["pooling_mode_cls_token"], true, "{pooling}");
    window.click("#change-base").await;
    window.click(&format!("#base-{DECODER}")).await;
    let again =
        format!("return document.querySelector('#base-chosen b')?.innerText === {DECODER:?}");
    window.until("the shipped model again", 60, &again).await;
}

/// Three curves, one a stage; the run waits, goes on, stops and is taken up again.
async fn watch(window: &Window) {
    window.fill("#steps", "400").await;
    window.fill("#epochs", "40").await;
    window.click("#start-training").await;
    window
        .until(
            "three charts",
            60,
            "return document.querySelectorAll('#stage-cards svg.chart[role=img]').length === 3",
        )
        .await;
    window
        .until("the first stage's curve", 120, &curve("sft"))
        .await;
    pictures::of_screen(window, "training-first-stage").await;
    window.click("#pause-run").await;
    window.until_run("paused", "the run to wait", 120).await;
    pictures::of_screen(window, "training-paused").await;
    window.click("#go-on-run").await;
    window.until_run("running", "the run to go on", 120).await;
    window.click("#stop-run").await;
    window.until_run("stopped", "the run to stop", 120).await;
    pictures::of_screen(window, "training-stopped").await;
    window.click("#resume-run").await;
    window
        .until_run("running", "the run to go on from its checkpoint", 120)
        .await;
}

/// Whether a stage has a line of more than one point.
fn curve(stage: &str) -> String {
    format!(
        "return (document.querySelector('[data-stage={stage}] path.train')?.getAttribute('d') ?? '').includes('L')"
    )
}

/// Everything that was drawn before is there again, and each step once.
async fn come_back(window: &Window, held: Held) {
    window.go("training").await;
    window
        .until("the first stage's curve again", 60, &curve("sft"))
        .await;
    pictures::of_screen(window, "training-again").await;
    let once = "const d = document.querySelector('[data-stage=sft] path.train').getAttribute('d'); \
        const xs = d.slice(1).split('L').map(p => Number(p.split(' ')[0])); \
        return xs.length > 1 && xs.every((x, i) => i === 0 || x > xs[i - 1])";
    assert_eq!(
        window.ask(once).await,
        true,
        "the curve goes back, or holds a step twice"
    );
    window.click("#stop-run").await;
    held.until_told("stop");
    window
        .until_run("stopped", "the long run to stop", 200)
        .await;
    window.click("#as-table").await;
    window
        .until(
            "the tables",
            10,
            "return document.querySelectorAll('#stage-cards table').length > 0",
        )
        .await;
    pictures::of_screen(window, "training-tables").await;
    window.click("#as-table").await;
}

/// Two short runs; one of them leaves a stage out.
async fn compare(window: &Window) {
    for stage in ["", "#stage-token"] {
        let before = window
            .ask("return window.__TAURI__.core.invoke('Runs').then(runs => runs.length)")
            .await;
        window.click("#preset-thorough").await;
        window.click("#preset-quick_look").await;
        if !stage.is_empty() {
            window.click(stage).await;
        }
        window.fill("#steps", "4").await;
        window.fill("#batch", "4").await;
        window.click("#start-training").await;
        let newer = format!(
            "return window.__TAURI__.core.invoke('Runs').then(runs => runs.length > {before})"
        );
        window.until("another run", 60, &newer).await;
        window.until_run("finished", "the run to finish", 400).await;
    }
    pictures::of_screen(window, "training-finished").await;
    for row in [1, 2] {
        window
            .click(&format!("#runs tbody tr:nth-child({row}) input"))
            .await;
    }
    window.click("#compare-runs").await;
    window
        .until(
            "what differs",
            30,
            "return document.querySelectorAll('#differences tbody tr.differs').length > 0",
        )
        .await;
    let differing = window.text("#differences").await;
    assert!(
        differing.contains("Stages") && !differing.contains("Rank"),
        "{differing}"
    );
    window
        .until(
            "the curves over each other",
            30,
            "return document.querySelectorAll('#compare-curves path.train.other').length > 1",
        )
        .await;
    let apart = window.text("#not-comparable").await;
    assert!(apart.contains("not evaluated"), "{apart}");
    pictures::of_screen(window, "training-compare").await;
}

/// The next training begins with what a finished run has made: its base model and rank, and nothing of it is refused.
async fn go_on(window: &Window) {
    let finished = "return window.__TAURI__.core.invoke('Runs').then(runs => \
        Math.max(...runs.filter(run => run.state === 'finished').map(run => run.id)))";
    let newest = window.ask(finished).await;
    window
        .until(
            "the runs to begin with",
            30,
            "return document.querySelectorAll('#start-from option').length === 3",
        )
        .await;
    let choose = |value: &str| {
        format!(
            "const s = document.querySelector('#start-from'); s.value = '{value}'; \
             s.dispatchEvent(new Event('change', {{ bubbles: true }})); return s.value"
        )
    };
    window.ask(&choose(&newest.to_string())).await;
    window
        .until(
            "what the run brings with it",
            30,
            "return [...document.querySelectorAll('#next-run p')].some(p => p.innerText.startsWith('What this run has made'))",
        )
        .await;
    window
        .until(
            "a plan that can start",
            60,
            "return !document.querySelector('#start-training').disabled && !document.querySelector('#plan-problems .err')",
        )
        .await;
    pictures::of_screen(window, "training-second-step").await;
    window.fill("#steps", "2").await;
    window.click("#start-training").await;
    let newer = format!(
        "return window.__TAURI__.core.invoke('Runs').then(runs => runs.some(run => run.id > {newest}))"
    );
    window.until("the second step", 60, &newer).await;
    window
        .until_run("finished", "the second step to finish", 400)
        .await;
    window
        .until(
            "the run that it went on from",
            30,
            &format!(
                "return document.querySelector('#went-on-from')?.innerText === 'goes on from run {newest}'"
            ),
        )
        .await;
    window.ask(&choose("")).await;
}

/// The newest run leaves as GGUF, and its figures are beside its folder.
async fn leave(window: &Window, home: &Path) {
    let folder = home.join("left-as-gguf");
    let export = format!(
        "return window.__TAURI__.core.invoke('Runs').then(([run]) => window.__TAURI__.core.invoke('ExportRun', {{ request: \
         {{ run: run.id, format: 'gguf', dtype: 'q8_0', folder: {folder:?}, replace: false, shard_bytes: null }} }}))"
    );
    window.ask(&export).await;
    window.until_task("export", 200).await;
    window.go("evaluation").await;
    window
        .until(
            "the export's figures",
            60,
            "return !!document.querySelector('.export-made dd')",
        )
        .await;
    let made = window.text(".export-made").await;
    assert!(
        made.contains("left-as-gguf") && made.contains('≤'),
        "{made}"
    );
    assert!(folder.join("README.md").is_file());
    window
        .run("document.querySelector('#export').scrollIntoView()")
        .await;
    pictures::of_screen(window, "evaluation-exported").await;
}
