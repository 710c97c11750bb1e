//! Decides two hundred items in the long form as fast as possible, while the machine has other work. Each decision is
//! the keys A and R and a reason, typed without a pause. In the short form the other tests are most of that work.

use crate::window::driver::Window;
use crate::window::{built, open};
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::question_backend;
use lexforge_tests::rules::{WS, add, prepared};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A question lies on the desk and nothing is open over it.
const READY: &str =
    "return !!document.querySelector('#item-title') && !document.querySelector('[data-form]')";
/// A record for the reader of a failure: each key with the element that had the focus, and each change of the focus.
const WATCH: &str = "window.__seen = []; const at = () => document.activeElement?.id || document.activeElement?.tagName; \
    const log = what => { window.__seen.push(`${Math.round(performance.now())} ${what} @${at()}`); window.__seen.splice(0, window.__seen.length - 60) }; \
    addEventListener('keydown', e => log('key ' + e.key), true); \
    addEventListener('focusin', () => log('focus'), true); \
    new MutationObserver(all => all.forEach(m => [...m.addedNodes, ...m.removedNodes].forEach(n => n.querySelector?.('#reject-reason') \
        && log(([...m.addedNodes].includes(n) ? 'form in' : 'form out'))))).observe(document.body, { childList: true, subtree: true }); \
    return true";

/// Work for the processors until it is dropped.
struct Load(std::sync::Arc<AtomicBool>);

impl Load {
    /// So many threads that are at work all the time.
    fn start(threads: usize) -> Self {
        let on = std::sync::Arc::new(AtomicBool::new(true));
        for _ in 0..threads {
            let on = std::sync::Arc::clone(&on);
            std::thread::spawn(move || {
                while on.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Self(on)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// The decisions about pairs in the workspace, in their order: the choice, and the reason.
fn decided(workspace: &Path) -> Vec<(String, String)> {
    let database =
        Connection::open_with_flags(workspace, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut rows = database
        .prepare("SELECT choice, reason FROM decision ORDER BY id")
        .unwrap();
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

async fn turn(window: &Window, reason: &str) {
    window.until("a question", 60, READY).await;
    window.type_on(&format!("ar{reason}")).await;
    let typed = format!("return document.querySelector('#reject-reason')?.value === {reason:?}");
    for _ in 0..300 {
        if window.ask(&typed).await == true {
            window.press('\u{E007}').await;
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let seen =
        window.ask("return [document.querySelector('#reject-reason')?.value ?? 'no form', ...window.__seen]").await;
    panic!("“{reason}” is not in the form: {seen:#}");
}

#[tokio::test]
async fn soak_no_reason_is_lost_at_speed() {
    let turns = lexforge_needs::times(40, 200);
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let Some(lexforge) = prepared(turns * 3 + 100) else {
        return;
    };
    let proxy = FaultProxy::start(
        Backend::Own(Box::new(question_backend::answer)),
        Weather::default(),
    );
    add(&lexforge, &proxy.url(), &["--concurrency", "8"]);
    lexforge.json(&["augment", WS, "--endpoint", "firm"]);
    let questions = lexforge.lines(&["qca", "export", WS]).len();
    assert!(questions > 2 * turns, "only {questions} questions");

    let workspace = lexforge.path(WS);
    let home = tempfile::tempdir().unwrap();
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&workspace]).await;
    window.go("questions").await;
    window.ask(WATCH).await;
    let load = Load::start(lexforge_needs::times(1, 4));
    let reasons: Vec<String> = (1..=turns).map(|n| format!("two right {n}")).collect();
    for reason in &reasons {
        turn(&window, reason).await;
    }
    drop(load);
    // The last decision may still be on its way. A missing one is reported below.
    for _ in 0..300 {
        if decided(&workspace).len() == 2 * turns {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    window.close().await;
    drop(driver);
    let expected: Vec<(String, String)> = reasons
        .into_iter()
        .flat_map(|reason| {
            [
                ("accept".to_owned(), String::new()),
                ("reject".to_owned(), reason),
            ]
        })
        .collect();
    let decided = decided(&workspace);
    let wrong = decided
        .iter()
        .zip(&expected)
        .position(|(is, should)| is != should);
    assert_eq!(wrong, None, "{:?}", &decided[wrong.unwrap_or(0)..]);
    assert_eq!(decided.len(), expected.len());
}
