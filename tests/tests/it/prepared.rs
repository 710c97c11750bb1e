//! Workspaces that many tests begin with. In each run of the tests, the first test that needs one makes it with the
//! programs, and the others copy it. Other tests take the same steps from the beginning and look at each of them.

use lexforge_tests::product::{Product, program};
use lexforge_tests::repository::sample;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

/// The workspace's name where it is made.
const MADE: &str = "made.lexforge";
/// The file with what the last step said.
const SAID: &str = "said.json";
/// The file that names the run of the tests in which a workspace was made. It is written last.
const MADE_IN: &str = "made-in";

/// This run of the tests, as cargo-nextest names it to each test. Without cargo-nextest, each process is a run.
static THIS_RUN: LazyLock<String> = LazyLock::new(|| {
    std::env::var("NEXTEST_RUN_ID")
        .unwrap_or_else(|_| format!("{} {:?}", std::process::id(), SystemTime::now()))
});

/// Copies a workspace to a path, and returns what the last step of its making said. If no test of this run has made it
/// yet, it is made with `maker`.
pub fn copied(
    name: &str,
    workspace: &Path,
    maker: Product,
    make: impl FnOnce(&Product) -> Value,
) -> Value {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("prepared");
    fs::create_dir_all(&all).unwrap();
    // Other tests that need it wait here until it is made. The lock ends with this function, also where it fails.
    let lock = File::create(all.join(format!("{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let folder = all.join(name);
    if fs::read_to_string(folder.join(MADE_IN)).ok().as_ref() != Some(&*THIS_RUN) {
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let said = make(&maker);
        fs::create_dir(&folder).unwrap();
        copy_workspace(&maker.path(MADE), &folder.join(MADE));
        fs::write(folder.join(SAID), said.to_string()).unwrap();
        fs::write(folder.join(MADE_IN), &*THIS_RUN).unwrap();
    }
    copy_workspace(&folder.join(MADE), workspace);
    serde_json::from_slice(&fs::read(folder.join(SAID)).unwrap()).unwrap()
}

/// Copies a workspace and the folder of its files, under another name.
fn copy_workspace(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
    let files = files_of(from);
    if files.exists() {
        copy_folder(&files, &files_of(to));
    }
}

/// The folder of a workspace's files.
fn files_of(workspace: &Path) -> PathBuf {
    let mut name = workspace.as_os_str().to_owned();
    name.push(".artifacts");
    name.into()
}

/// Copies a folder with everything in it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Imports files and goes on to a snapshot.
pub fn freeze(maker: &Product, files: &[PathBuf]) -> Value {
    for file in files {
        maker.json(&["import", MADE, file.to_str().unwrap()]);
    }
    maker.json(&["terms", "extract", MADE]);
    maker.json(&["graph", "build", MADE]);
    maker.json(&["augment", MADE, "--offline"]);
    maker.json(&["dataset", "freeze", MADE])
}

/// A workspace of the sample with a snapshot, and nothing trained on it. `None` where the programs are not built.
pub fn frozen(workspace: &Path) -> Option<()> {
    let maker = Product::with_decoder()?;
    copied("frozen", workspace, maker, |maker| {
        freeze(maker, &[sample()])
    });
    Some(())
}

/// A workspace of the sample in which the main job has trained its models from the snapshot, eight steps a stage.
pub fn trained(workspace: &Path) -> Option<()> {
    program("LEXFORGE_WORKER", "lexforge-worker")?;
    let maker = Product::find()?;
    copied("trained", workspace, maker, |maker| {
        frozen(&maker.path(MADE)).unwrap();
        let file = sample().display().to_string();
        maker.json(&["run", MADE, "--max-steps", "8", &file])
    });
    Some(())
}

/// A workspace of the sample in which the main job has trained the demo decoder from the snapshot, three steps a stage,
/// and what the job said.
pub fn trained_decoder(workspace: &Path) -> Option<Value> {
    let maker = Product::with_decoder()?;
    let job = copied("trained-decoder", workspace, maker, |maker| {
        frozen(&maker.path(MADE)).unwrap();
        let file = sample().display().to_string();
        let words = ["run", MADE, &file, "--base", "lexforge-demo"];
        maker.json(&[&words[..], &["--max-steps", "3"]].concat())
    });
    Some(job)
}
