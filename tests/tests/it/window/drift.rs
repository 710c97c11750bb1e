//! Drift in the window: the first sample, the one that an import takes, and an alarm with the sentences that moved it.

use crate::window::driver::Window;
use crate::window::{built, command_line, open, pictures};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Short texts, each about something else.
const BEFORE: [&str; 14] = [
    "Every ladder in the warehouse is looked at before it is climbed. A ladder with a loose rung is taken away at once.",
    "Claims for storm damage are paid within thirty days. The insurer tells the household why a claim was turned down.",
    "Milk is labelled with the farm that it comes from. A label that misses the date of filling is not put on the shelf.",
    "A boat with more than six passengers needs a skipper's licence. Life jackets for children hang beside the helm.",
    "Waste water from the dye works flows through two filters. The acidity of the river is measured every morning.",
    "Fire doors on the staircase are kept shut at night. The alarm bell is rung on the first Monday of each month.",
    "Pensioners receive their notice in large print. A widow may ask for the payment to be made to another account.",
    "Trains that are later than an hour give the fare back. The conductor hands out a form for it on board.",
    "Visitors of the archive wear cotton gloves. Letters older than a century are read under dim light only.",
    "Seeds that are sold as organic are tested for residues. The grower keeps the certificate for seven seasons.",
    "Cash drawers are counted by two people at closing time. The difference is written into the blue book.",
    "A pharmacist checks the dose of every prescription for infants. Unclear handwriting is asked about by telephone.",
    "Quotes of the exchange are delayed by a quarter of an hour. Subscribers with a terminal see them without delay.",
    "Travellers hand in their hotel bills within a week. Meals above the daily rate are borne by the traveller.",
];

/// Texts about one thing only.
const AFTER: [&str; 4] = [
    "Bees in a hive store honey in the comb. The beekeeper looks after the bees and the queen of the hive.",
    "The queen bee lays her eggs in the comb of the hive. Worker bees feed the queen and clean the comb.",
    "A beekeeper takes honey from the hive in summer. The bees keep enough honey in the comb for winter.",
    "Worker bees carry nectar to the hive and make honey of it. The hive's queen never leaves the comb.",
];

/// The least time between the documents before and those after.
const APART: Duration = Duration::from_secs(14);

fn written(folder: &Path, name: &str, texts: &[&str]) -> PathBuf {
    let folder = folder.join(name);
    std::fs::create_dir(&folder).unwrap();
    for (number, text) in texts.iter().enumerate() {
        let file = folder.join(format!("{name} {}.md", number + 1));
        std::fs::write(file, format!("# Note {}\n\n{text}\n", number + 1)).unwrap();
    }
    folder
}

#[tokio::test]
async fn what_moved_is_told_and_read_where_it_stands() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("watched.lexforge");
    let before = written(home.path(), "before", &BEFORE);
    let after = written(home.path(), "after", &AFTER);
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace, &before]).await;
    window.until_task("import", 120).await;
    let imported = Instant::now();
    take_the_first_sample(&window).await;

    tokio::time::sleep(APART.saturating_sub(imported.elapsed())).await;
    let second = Instant::now();
    sample_what_was_imported(&window, &after).await;

    // What came since the middle of the pause counts as recent.
    let recent = second.elapsed() + APART / 2;
    let days = format!("{:.7}", recent.as_secs_f64() / 86_400.0);
    let arguments = ["drift", "--json", "--window", &days].map(OsStr::new);
    command_line(&[&arguments[..], &[workspace.as_os_str()]].concat());
    read_what_moved(&window).await;
    choose_when_an_alarm_is_raised(&window).await;
    window.close().await;
    drop(driver);
}

/// Drift is not watched until a user asks for it. Then the panel gets its first reading.
async fn take_the_first_sample(window: &Window) {
    window.go("evaluation").await;
    window.click("#tab-drift").await;
    window
        .until(
            "that nothing is watched",
            20,
            "return !!document.querySelector('.empty #drift-sample')",
        )
        .await;
    pictures::of_drift(window, "empty").await;
    window.click("#drift-sample").await;
    window.until_task("drift", 200).await;
    window
        .until(
            "the first sample",
            30,
            "return !!document.querySelector('#drift-line')",
        )
        .await;
    let line = window.text("#drift-line").await;
    assert!(line.contains("Too little to tell yet"), "{line}");
    let panel = window.text("#drift-panel").await;
    assert!(panel.contains("1 reading"), "{panel}");
}

/// An import ends as it ever did; then a sample follows by itself.
async fn sample_what_was_imported(window: &Window, folder: &Path) {
    window.import(&[folder]).await;
    let second = "return window.__TAURI__.core.invoke('Drift').then(view => view.samples === 2)";
    window
        .until_for_good("the import's sample", 200, second)
        .await;
    window.until_task("drift", 20).await;
    let panel = "return (document.querySelector('#drift-panel')?.innerText ?? '').includes('2 readings, all alike')";
    window.until("the second reading", 30, panel).await;
    let series = window.text(".drift-series").await;
    assert!(series.contains("Too little to tell"), "{series}");
    let around = window.text("#drift-around").await;
    assert!(
        around.contains("Term gap") && around.contains("none built"),
        "{around}"
    );
}

/// The alarm that another program raised is told here, with the sentences, and the way to their page.
async fn read_what_moved(window: &Window) {
    let alarm = "return (document.querySelector('#drift-line')?.innerText ?? '').includes('Something moved: new sentences · Markdown')";
    window.until("the alarm", 60, alarm).await;
    assert_eq!(window.text("#tab-drift .n").await, "1");
    let drawn = "return document.querySelectorAll('.drift-series circle.now-point').length > 1 && !!document.querySelector('.drift-series path.alarm')";
    window.until("the course with its alarm", 20, drawn).await;
    let told = window
        .ask("return document.querySelector('.drift-series .chart-box svg').getAttribute('aria-label')")
        .await;
    assert!(told.as_str().unwrap().contains("alarms: 1"), "{told}");
    let advice = window.text("#drift-advice").await;
    assert!(advice.contains("take the documents out"), "{advice}");
    let movers = window
        .ask("return [...document.querySelectorAll('.drift-movers li')].map(e => e.innerText)")
        .await;
    let movers: Vec<&str> = movers
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|m| m.as_str())
        .collect();
    assert_eq!(movers.len(), 8, "{movers:?}");
    let of_bees = |text: &&&str| text.contains("bee") || text.contains("hive");
    assert_eq!(movers.iter().filter(of_bees).count(), 8, "{movers:?}");
    // Each text says where it is from.
    let placed = |text: &&&str| text.contains(", page ");
    assert_eq!(movers.iter().filter(placed).count(), 8, "{movers:?}");
    pictures::of_drift(window, "alarm").await;

    let first = window.text(".drift-mover .law").await;
    window.click("button.drift-mover").await;
    let read = format!(
        "return document.querySelector('#go-library').getAttribute('aria-current') === 'page' \
         && (document.querySelector('.sent.on')?.innerText ?? '').includes({first:?})"
    );
    window.until("the sentence on its page", 30, &read).await;
}

/// A choice takes a sample that is judged by it, and the next sample is judged by it as well.
async fn choose_when_an_alarm_is_raised(window: &Window) {
    window.go("evaluation").await;
    window.click("#tab-drift").await;
    let shown = "return document.querySelector('#drift-rule')?.value === '365'";
    window.until("the rule of the last sample", 30, shown).await;
    // How often each rule is wrong stands beside the choice before one is made.
    let rates = window.text("#drift-rule-rates").await;
    assert!(rates.contains("106") && rates.contains("1.016"), "{rates}");
    let beside = window
        .ask("return document.querySelector('#drift-rule').getAttribute('aria-describedby')")
        .await;
    assert!(
        beside.as_str().unwrap().contains("drift-rule-rates"),
        "{beside}"
    );
    let option = "return document.querySelector('#drift-rule option[value=article]').innerText";
    let option = window.ask(option).await;
    assert!(option.as_str().unwrap().contains("106"), "{option}");
    let choose = "const s = document.querySelector('#drift-rule'); s.value = 'article'; \
        s.dispatchEvent(new Event('change', { bubbles: true }))";
    window.ask(choose).await;
    let judged = |samples: u32| {
        format!(
            "return window.__TAURI__.core.invoke('Drift').then(v => v.samples === {samples} && v.report.rule.rule === 'article')"
        )
    };
    window
        .until("the sample of the article's rule", 60, &judged(4))
        .await;
    let told = "return (document.querySelector('#drift-line')?.innerText ?? '').includes('rises by more than .05') \
        && document.querySelector('#drift-rule').value === 'article'";
    window.until("the article's rule", 30, told).await;
    window.click("#drift-sample").await;
    window.until("the same rule again", 60, &judged(5)).await;
}
