//! Opening the window with a user's folder of its own.

use crate::prepared;
use crate::window::driver::{Driver, Window};
use lexforge_tests::repository;
use std::path::{Path, PathBuf};

/// Turns off the animations of GTK, and with them those of the page. Painting them without a graphics card takes half a
/// processor for as long as something is awaited.
const WITHOUT_ANIMATIONS: &str = "[Settings]\ngtk-enable-animations=false\n";

/// A window on what the arguments name, in English.
pub async fn open(
    app: &Path,
    parse: &Path,
    worker: &Path,
    home: &Path,
    arguments: &[&Path],
) -> (Driver, Window) {
    open_with(app, parse, worker, home, arguments, &[]).await
}

/// A window on what the arguments name, in English, with further environment variables.
pub async fn open_with(
    app: &Path,
    parse: &Path,
    worker: &Path,
    home: &Path,
    arguments: &[&Path],
    further: &[(&str, &Path)],
) -> (Driver, Window) {
    let state = home.join("user-state");
    let (cache, configuration, models) = (cache(), configuration(), models());
    let libtorch = std::env::var_os("LIBTORCH")
        .map_or_else(|| repository::root().join(".deps/libtorch"), PathBuf::from);
    let own = [
        ("LEXFORGE_PARSE", parse),
        ("LEXFORGE_WORKER", worker),
        ("LEXFORGE_MODELS", &models),
        ("LIBTORCH", &libtorch),
        ("XDG_CACHE_HOME", &cache),
        ("XDG_CONFIG_HOME", &configuration),
        ("XDG_DATA_HOME", home),
        ("LEXFORGE_STATE", &state),
    ];
    let driver = Driver::start(&[&own, further].concat());
    let window = driver.open(app, arguments).await;
    window
        .until(
            "the page is drawn",
            60,
            "return !!document.querySelector('.rail')",
        )
        .await;
    window.speak("en").await;
    (driver, window)
}

/// The models that a window finds: the English encoder and the decoder. The encoder of other languages is left out, since
/// each window would describe it anew, which takes seconds, and no test of the window asks for it.
pub fn models() -> PathBuf {
    let all = repository::root().join(".deps/models");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window/models");
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["all-MiniLM-L6-v2", "lexforge-demo"] {
        // One from before may lead to another checkout, since a target folder may serve several. It is put in place in
        // one step, since another window may be about to read it.
        let made = folder.join(format!(".{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&made);
        std::os::unix::fs::symlink(all.join(name), &made).unwrap();
        std::fs::rename(made, folder.join(name)).unwrap();
    }
    folder
}

/// A folder for what the system's libraries keep from one window to the next, such as compiled shaders. The user's own
/// would offer the window all models in it.
fn cache() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window/cache");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder of the user's settings for the system's libraries.
fn configuration() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window/configuration");
    let gtk = folder.join("gtk-3.0");
    std::fs::create_dir_all(&gtk).unwrap();
    std::fs::write(gtk.join("settings.ini"), WITHOUT_ANIMATIONS).unwrap();
    folder
}

/// A window on a copy of the workspace with a snapshot of the sample. The user's folder is beside the workspace.
pub async fn open_frozen(
    app: &Path,
    parse: &Path,
    worker: &Path,
    workspace: &Path,
    further: &[(&str, &Path)],
) -> (Driver, Window) {
    prepared::frozen(workspace).expect("make test builds the command line");
    open_with_document(app, parse, worker, workspace, further).await
}

/// The same with a snapshot of the short regulation: a training looks at fewer questions on its way.
pub async fn open_short(
    app: &Path,
    parse: &Path,
    worker: &Path,
    workspace: &Path,
    further: &[(&str, &Path)],
) -> (Driver, Window) {
    prepared::short(workspace).expect("make test builds the command line");
    open_with_document(app, parse, worker, workspace, further).await
}

/// A window on a workspace, once its one document is there.
async fn open_with_document(
    app: &Path,
    parse: &Path,
    worker: &Path,
    workspace: &Path,
    further: &[(&str, &Path)],
) -> (Driver, Window) {
    let home = workspace.parent().unwrap();
    let (driver, window) = open_with(app, parse, worker, home, &[workspace], further).await;
    window
        .until(
            "the document",
            60,
            "return window.__TAURI__.core.invoke('Documents').then(all => all.length === 1)",
        )
        .await;
    (driver, window)
}
