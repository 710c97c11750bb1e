//! WebKitWebDriver, and the window that it opens.

use crate::window::display::{self, Display};
use crate::window::processes;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = "WebKitWebDriver";
/// The picture of where a test failed.
pub(super) const FAILED: &str = "failed";
/// The pause before the page is asked again for something that may pass by.
const PAUSE: Duration = Duration::from_millis(100);
/// A wait has at least so many seconds. No test measures how fast the page is, so a busy machine alone lets none fail.
pub(super) const PATIENCE: u64 = 120;
/// Whether each screen's picture is wanted (`make pictures`).
pub fn pictures_are_wanted() -> bool {
    std::env::var_os("LEXFORGE_PICTURES").is_some_and(|wanted| wanted == "1")
}

/// The pause before the page is asked again whether a job has ended. Each question takes some hundredths of a second of
/// processor, so a long job is asked after less often.
fn pause_after(waited: Duration) -> Duration {
    (waited / 8).clamp(PAUSE, 5 * PAUSE)
}

/// Whether the driver and the screen's program are on the `PATH`.
pub fn is_installed() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has = |program| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    has(PROGRAM) && has(display::PROGRAM)
}

/// Where pictures go: `target/screenshots`.
pub fn screenshots() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .unwrap()
        .join("screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A script: whether a condition holds for the newest run; one that failed ends the test.
pub fn first_run(condition: &str) -> String {
    format!(
        "return window.__TAURI__.core.invoke('Runs').then(([run]) => {{ if (!run) return false; \
         if (['failed', 'died'].includes(run.state)) throw new Error(JSON.stringify(run)); return {condition} }})"
    )
}

/// A driver on a free port, with a screen that no other window has; both end with this value.
pub struct Driver {
    child: Child,
    /// The applications that it has opened.
    opened: RefCell<Vec<u32>>,
    url: String,
    _display: Display,
}

impl Driver {
    /// Starts a driver; the programs that it starts see these variables.
    pub fn start(variables: &[(&str, &Path)]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let display = Display::start();
        let child = Command::new(PROGRAM)
            .arg(format!("--port={port}"))
            .arg("--host=127.0.0.1")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("LEXFORGE_ACTOR", "window test")
            .env("DISPLAY", display.name())
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let driver = Self {
            child,
            opened: RefCell::default(),
            url: format!("http://127.0.0.1:{port}"),
            _display: display,
        };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(
                begun.elapsed() < Duration::from_secs(PATIENCE),
                "{PROGRAM} does not listen"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        driver
    }

    /// Opens the application with arguments.
    pub async fn open(&self, app: &Path, arguments: &[&Path]) -> Window {
        let options = json!({ "webkitgtk:browserOptions": { "binary": app, "args": arguments } });
        let capabilities: Capabilities = serde_json::from_value(options).unwrap();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let connecting = builder.capabilities(capabilities);
        let client =
            tokio::time::timeout(Duration::from_secs(90), connecting.connect(&self.url)).await;
        let client = client.expect("the window does not open").unwrap();
        self.opened
            .borrow_mut()
            .extend(processes::children(self.child.id()));
        Window {
            client,
            unsure: RefCell::default(),
        }
    }
}

impl Drop for Driver {
    /// Ends the driver gently, and waits for the application: killed outright, the driver would leave it behind.
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _ = self.child.wait();
        processes::wait_for_end(self.opened.get_mut());
    }
}

/// The open window.
pub struct Window {
    /// The session.
    pub client: Client,
    /// Presses that failed or did not arrive.
    pub(super) unsure: RefCell<Vec<String>>,
}

impl Window {
    /// The value of a script, which may be a promise.
    pub async fn ask(&self, script: &str) -> Value {
        self.try_ask(script)
            .await
            .unwrap_or_else(|problem| panic!("{script}: {problem}"))
    }

    pub(super) async fn try_ask(&self, script: &str) -> Result<Value, String> {
        let wrapped = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(v => done([true, v ?? null]), e => done([false, String(e)]))"
        );
        let asked = self.client.execute_async(&wrapped, vec![]);
        let answer = tokio::time::timeout(Duration::from_secs(120), asked).await;
        let answer =
            answer.map_err(|_| "the page does not answer: it is at work without an end")?;
        let answer = answer.map_err(|e| e.to_string())?;
        match answer.as_array().map(Vec::as_slice) {
            Some([Value::Bool(true), value]) => Ok(value.clone()),
            _ => Err(answer.to_string()),
        }
    }

    /// Runs a script that may take the page away from under it.
    pub async fn run(&self, script: &str) {
        let _ = self.client.execute(script, vec![]).await;
    }

    /// Waits until a script gives true, for so many seconds or [`PATIENCE`]; a failure leaves a picture.
    pub async fn until(&self, what: &str, seconds: u64, script: &str) {
        self.until_paced(what, seconds, script, |_| PAUSE).await;
    }

    async fn until_paced(
        &self,
        what: &str,
        seconds: u64,
        script: &str,
        pause: fn(Duration) -> Duration,
    ) {
        let seconds = seconds.max(PATIENCE);
        let begun = Instant::now();
        let mut last = Ok(Value::Null);
        while begun.elapsed() < Duration::from_secs(seconds) {
            last = self.try_ask(script).await;
            if matches!(last, Ok(Value::Bool(true))) {
                return;
            }
            tokio::time::sleep(pause(begun.elapsed())).await;
        }
        self.picture(FAILED).await;
        let shown = "return document.body.innerText.slice(0, 3000)";
        let text = self.ask(shown).await;
        panic!(
            "waited {seconds} s for {what}, got {last:?}; presses that failed: {:?}; the page says:\n{}",
            self.unsure.borrow(),
            text.as_str().unwrap_or_default()
        );
    }

    /// Waits until an element has this text.
    pub async fn until_text(&self, what: &str, seconds: u64, selector: &str, text: &str) {
        let script = format!("return document.querySelector({selector:?})?.innerText === {text:?}");
        self.until(what, seconds, &script).await;
    }

    /// Waits until the newest run is in a state.
    pub async fn until_run(&self, state: &str, what: &str, seconds: u64) {
        let condition = first_run(&format!("run.state === '{state}'"));
        match state {
            // It may soon have ended.
            "running" => self.until(what, seconds, &condition).await,
            _ => self.until_for_good(what, seconds, &condition).await,
        }
    }

    /// Waits as [`Window::until`] for something that stays once it is so: the longer it takes, the less often it is
    /// asked for.
    pub async fn until_for_good(&self, what: &str, seconds: u64, script: &str) {
        self.until_paced(what, seconds, script, pause_after).await;
    }

    /// Waits until the latest job of a kind has ended, and fails if the job did.
    pub async fn until_task(&self, kind: &str, seconds: u64) {
        let ended = format!(
            "return window.__TAURI__.core.invoke('Tasks').then(all => {{ const t = all.filter(t => t.kind === {kind:?}).pop(); return !!t && t.done }})"
        );
        self.until_for_good(kind, seconds, &ended).await;
        let failure = format!(
            "return window.__TAURI__.core.invoke('Tasks').then(all => all.filter(t => t.kind === {kind:?}).pop().failure)"
        );
        assert_eq!(self.ask(&failure).await, Value::Null, "{kind} failed");
    }

    /// Imports files and folders, as the dialog has it done once they are chosen, and waits for the end.
    pub async fn import(&self, paths: &[&Path]) {
        let asked = format!(
            "return window.__TAURI__.core.invoke('ImportDocuments', {{ paths: {}, password: null }})",
            json!(paths)
        );
        self.ask(&asked).await;
        self.until_task("import", 120).await;
    }

    /// What the window's own job finds of the audit chain.
    pub async fn chain(&self) -> Value {
        self.ask("return window.__TAURI__.core.invoke('AuditVerify')")
            .await;
        self.until_task("verify", 60).await;
        let found = "return window.__TAURI__.core.invoke('Tasks').then(all => all.filter(t => t.kind === 'verify').pop().outcome.audit)";
        self.ask(found).await
    }

    /// The text of an element. What is drawn again has none for a moment, so an empty one is asked for some times more.
    pub async fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.innerText ?? ''");
        let mut text = String::new();
        for _ in 0..10 {
            text = self
                .ask(&script)
                .await
                .as_str()
                .unwrap_or_default()
                .to_owned();
            if !text.is_empty() {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        text
    }

    /// Puts text into a field as typing would.
    pub async fn fill(&self, selector: &str, text: &str) {
        let script = format!(
            "const e = document.querySelector({selector:?}); e.focus(); e.value = {text:?}; e.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        );
        self.ask(&script).await;
    }

    /// Presses a key as a person does.
    pub async fn press(&self, key: char) {
        self.type_on(&key.to_string()).await;
    }

    /// Presses a key while another one is held.
    pub async fn press_with(&self, held: char, key: char) {
        let keys = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: held })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: held });
        self.client.perform_actions(keys).await.unwrap();
    }

    /// Presses these keys one after another, without waiting for what they do.
    pub async fn type_on(&self, text: &str) {
        let keys = text
            .chars()
            .fold(KeyActions::new("keys".to_owned()), |keys, key| {
                keys.then(KeyAction::Down { value: key })
                    .then(KeyAction::Up { value: key })
            });
        let pressed =
            tokio::time::timeout(Duration::from_secs(30), self.client.perform_actions(keys)).await;
        let Ok(pressed) = pressed else {
            panic!("the page takes no key: it is at work without an end")
        };
        pressed.unwrap();
    }

    /// Opens a screen by its entry in the rail.
    pub async fn go(&self, screen: &str) {
        self.click(&format!("#go-{screen}")).await;
        let there = format!(
            "return document.querySelector('#go-{screen}').getAttribute('aria-current') === 'page'"
        );
        self.until(screen, 10, &there).await;
    }

    /// Opens a part of the settings: `window`, `review`, `models` or `machines`.
    pub async fn settings(&self, part: &str) {
        self.go("settings").await;
        self.click(&format!("#settings-{part}")).await;
    }

    /// Loads the page again, and waits until it is the new one: the old one answers until then, and has a mark. The person
    /// comes last into the bar over everything.
    pub async fn reload(&self) {
        self.run("window.beforeReload = true; location.reload()")
            .await;
        self.until(
            "the page again",
            30,
            "return !window.beforeReload && !!document.querySelector('#person, .hello')",
        )
        .await;
    }

    /// Sets the interface's language.
    pub async fn speak(&self, language: &str) {
        if !self
            .ask("return document.documentElement.lang")
            .await
            .as_str()
            .unwrap_or_default()
            .starts_with(language)
        {
            self.click("#switch-language").await;
        }
        let there = format!("return document.documentElement.lang.startsWith({language:?})");
        self.until("the language", 10, &there).await;
    }

    /// Sets the theme.
    pub async fn paint(&self, theme: &str) {
        for _ in 0..3 {
            if self
                .ask("return localStorage.getItem('lexforge.theme')")
                .await
                == theme
            {
                return;
            }
            // Not with the pointer, so that a dialog can be painted too, which lies over the switch.
            self.run("document.querySelector('#switch-theme').click()")
                .await;
            self.frames().await;
        }
        assert_eq!(
            self.ask("return document.documentElement.dataset.theme")
                .await,
            theme
        );
    }

    /// Gives the page this size in pixels, whatever the window's frame adds.
    pub async fn resize(&self, width: u32, height: u32) {
        let before = self.size().await;
        if before == (width, height) {
            return;
        }
        self.client.set_window_size(width, height).await.unwrap();
        let (wide, high) = self.size_after(before).await;
        let (more_width, more_height) = (width.saturating_sub(wide), height.saturating_sub(high));
        if more_width + more_height > 0 {
            self.client
                .set_window_size(width + more_width, height + more_height)
                .await
                .unwrap();
            self.size_after((wide, high)).await;
        }
        self.frames().await;
    }

    /// The size of the page once it has another one than before. On a busy machine the driver answers earlier; what is
    /// pressed then has moved by the time the pointer is there.
    async fn size_after(&self, before: (u32, u32)) -> (u32, u32) {
        let begun = Instant::now();
        loop {
            self.frames().await;
            let size = self.size().await;
            if size != before {
                return size;
            }
            let patient = begun.elapsed() < Duration::from_secs(PATIENCE);
            assert!(patient, "the window keeps its size of {before:?}");
        }
    }

    /// The size of the page in pixels.
    async fn size(&self) -> (u32, u32) {
        let size = self.ask("return [innerWidth, innerHeight]").await;
        let got = |i: usize| size[i].as_u64().unwrap_or_default() as u32;
        (got(0), got(1))
    }

    /// Waits until what the page says is also painted.
    pub async fn frames(&self) {
        self.ask("await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))); await new Promise(r => setTimeout(r, 60))").await;
    }

    /// Takes a picture if pictures are requested (`make pictures`) or the test has failed. Otherwise only waits until a
    /// picture could be taken.
    pub async fn picture(&self, name: &str) {
        self.frames().await;
        if name == FAILED || pictures_are_wanted() {
            self.take(name).await;
        }
    }

    /// Takes a picture, once two in a row are the same: the web view paints after it has answered.
    async fn take(&self, name: &str) {
        let mut png = self.client.screenshot().await.unwrap();
        for _ in 0..12 {
            tokio::time::sleep(Duration::from_millis(120)).await;
            let next = self.client.screenshot().await.unwrap();
            if next == png {
                break;
            }
            png = next;
        }
        std::fs::write(screenshots().join(format!("{name}.png")), png).unwrap();
    }

    /// Ends the session, and with it the application.
    pub async fn close(self) {
        self.client.close().await.unwrap();
    }
}
