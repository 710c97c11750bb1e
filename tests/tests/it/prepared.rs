//! Workspaces that many tests begin with. In each run of the tests, the first test that needs one makes it with the
//! programs, and the others copy it. Other tests take the same steps from the beginning and look at each of them.

use lexforge_tests::product::{Product, program};
use lexforge_tests::repository::{companion, sample};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::SystemTime;

/// The workspace's name where it is made.
pub const MADE: &str = "made.lexforge";
/// The file with what the last step said.
const SAID: &str = "said.json";
/// The file that names the run of the tests in which a workspace was made. It is written last.
const MADE_IN: &str = "made-in";

/// This run of the tests, as cargo-nextest names it to each test. Without cargo-nextest, each process is a run.
static THIS_RUN: LazyLock<String> = LazyLock::new(|| {
    std::env::var("NEXTEST_RUN_ID")
        .unwrap_or_else(|_| format!("{} {:?}", std::process::id(), SystemTime::now()))
});

/// The folder of what is prepared under a name. If no test of this run has made it yet, `make` fills it.
fn once(name: &str, make: impl FnOnce(&Path)) -> PathBuf {
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
        fs::create_dir(&folder).unwrap();
        make(&folder);
        fs::write(folder.join(MADE_IN), &*THIS_RUN).unwrap();
    }
    folder
}

/// Copies a workspace to a path, and returns what the last step of its making said. If no test of this run has made it
/// yet, it is made with `maker`.
pub fn copied(
    name: &str,
    workspace: &Path,
    maker: Product,
    make: impl FnOnce(&Product) -> Value,
) -> Value {
    let folder = once(name, |folder| {
        let said = make(&maker);
        copy_workspace(&maker.path(MADE), &folder.join(MADE));
        fs::write(folder.join(SAID), said.to_string()).unwrap();
    });
    copy_workspace(&folder.join(MADE), workspace);
    serde_json::from_slice(&fs::read(folder.join(SAID)).unwrap()).unwrap()
}

/// Installs the worker on a target whose folder `there` is new and lies on this machine. The first test of a run sends
/// the worker. On the targets of the others its files are there already, and are not sent again.
pub fn installed(lexforge: &Product, target: &str, there: &Path) {
    let install = || lexforge.json(&["compute", "install", target]);
    let hashes = lexforge.state().join("targets").join(".hashes");
    let blobs = there.join("blobs");
    let mut sent = false;
    let kept = once("worker", |folder| {
        install();
        link_files(&blobs, &folder.join("blobs"));
        fs::copy(&hashes, folder.join("hashes")).unwrap();
        sent = true;
    });
    if !sent {
        link_files(&kept.join("blobs"), &blobs);
        fs::copy(kept.join("hashes"), &hashes).unwrap();
        install();
    }
}

/// Gives the files of a folder a second name in another one. Where that cannot be, they are copied.
fn link_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = to.join(entry.file_name());
        if fs::hard_link(entry.path(), &name).is_err() {
            fs::copy(entry.path(), &name).unwrap();
        }
    }
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

/// Writes these documents into a product's folder, each a name with its text, and gives it the workspace `a.lexforge`, into
/// which they were imported one after the other.
pub fn documents(name: &str, lexforge: &Product, all: &[(String, String)]) {
    for (file, text) in all {
        lexforge.file(file, text.as_bytes());
    }
    let maker = Product::find().unwrap();
    copied(name, &lexforge.path("a.lexforge"), maker, |maker| {
        for (file, text) in all {
            let path = maker.file(file, text.as_bytes());
            maker.json(&["import".as_ref(), MADE.as_ref(), path.as_os_str()]);
        }
        Value::Null
    });
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

/// A workspace of the two regulations of the demo with a snapshot, and what was said of the snapshot. `None` where the
/// programs are not built.
pub fn demo(workspace: &Path) -> Option<Value> {
    let maker = Product::with_decoder()?;
    let snapshot = copied("demo", workspace, maker, |maker| {
        freeze(maker, &[sample(), companion()])
    });
    Some(snapshot)
}

/// The last article of the sample in the short regulation, and the last definition.
const LAST_ARTICLE: u32 = 9;
const LAST_DEFINITION: u32 = 22;

/// The first articles of the sample, with half of its definitions. A snapshot of it has questions of both levels in each
/// part, and a model that is measured is asked a quarter of the sample's questions.
fn short_regulation() -> String {
    let text = fs::read_to_string(sample().with_extension("txt")).unwrap();
    let later = |line: &&str| {
        let defined = line.strip_prefix('(').and_then(|l| l.split_once(") “"));
        defined.is_some_and(|(n, _)| n.parse::<u32>().unwrap() > LAST_DEFINITION)
    };
    let mut short = String::new();
    for article in text.split("\n## ").skip(1) {
        let article = article.split("\n# ").next().unwrap();
        let number = article.split_whitespace().nth(1).unwrap();
        if number.parse::<u32>().unwrap() > LAST_ARTICLE {
            break;
        }
        let lines: Vec<&str> = article.trim().lines().filter(|l| !later(l)).collect();
        short += &lines.join("\n");
        short += "\n\n";
    }
    short
}

/// The short regulation as a file of a product's folder.
pub fn short_file(lexforge: &Product) -> PathBuf {
    lexforge.file("regulation.txt", short_regulation().as_bytes())
}

/// A workspace of the short regulation with a snapshot, and nothing trained on it. `None` where the programs are not
/// built.
pub fn short(workspace: &Path) -> Option<()> {
    let maker = Product::with_decoder()?;
    copied("short", workspace, maker, |maker| {
        freeze(maker, &[short_file(maker)])
    });
    Some(())
}

/// A workspace of the short regulation in which the main job has trained the encoder from the snapshot, two steps.
pub fn trained(workspace: &Path) -> Option<()> {
    program("LEXFORGE_WORKER", "lexforge-worker")?;
    let maker = Product::find()?;
    copied("trained", workspace, maker, |maker| {
        short(&maker.path(MADE)).unwrap();
        let encoder = ["--base", "all-MiniLM-L6-v2", "--max-steps", "2"];
        maker.json(&[&["run", MADE][..], &encoder].concat())
    });
    Some(())
}

/// A workspace of the short regulation in which the main job has trained the demo decoder from the snapshot, three steps
/// a stage, and what the job said.
pub fn trained_decoder(workspace: &Path) -> Option<Value> {
    let maker = Product::with_decoder()?;
    let job = copied("trained-decoder", workspace, maker, |maker| {
        short(&maker.path(MADE)).unwrap();
        let few = ["--max-steps", "3", "--batch-size", "4"];
        maker.json(&[&["run", MADE, "--base", "lexforge-demo"][..], &few].concat())
    });
    Some(job)
}
