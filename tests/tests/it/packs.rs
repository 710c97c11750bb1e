//! Installs a pack of libtorch from files, with the built command line and the tool that makes packs. The pack arrives
//! in parts, the worker uses it, and it is removed again.
#![cfg(unix)]

use crate::version_package::KeyPair;
use lexforge_domain::protocol::PROTOCOL_VERSION;
use lexforge_tests::product::program;
use lexforge_tests::repository::root;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes a pack as `tools/cuda-pack` does, with parts of a few bytes.
const MAKE: &str = "
import importlib.machinery, importlib.util, pathlib, sys
loader = importlib.machinery.SourceFileLoader('cuda_pack', sys.argv[1])
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader('cuda_pack', loader))
sys.dont_write_bytecode = True
loader.exec_module(tool)
print(tool.make(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), 64))
";

/// An installation, a pack on a disk, and a worker that says which libraries it was started with.
struct Made {
    folder: tempfile::TempDir,
    lexforge: PathBuf,
}

impl Made {
    fn new() -> Option<Self> {
        let built = program("LEXFORGE_BIN", "lexforge")?;
        let tools = ["python3", "zstd"].iter().all(|tool| {
            let there = Command::new(tool).arg("--version").output();
            there.is_ok_and(|done| done.status.success())
        });
        if !tools {
            lexforge_needs::unavailable("python3 or zstd is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("lexforge");
        let programs = home.join("versions/0.0.1");
        fs::create_dir_all(&programs).unwrap();
        if fs::hard_link(&built, programs.join("lexforge")).is_err() {
            fs::copy(&built, programs.join("lexforge")).unwrap();
        }
        symlink("versions/0.0.1", home.join("current")).unwrap();
        let made = Self {
            lexforge: programs.join("lexforge"),
            folder,
        };
        made.write("worker", &format!(
            "#!/bin/sh\nprintf '{{\"version\":\"0\",\"protocol_version\":{PROTOCOL_VERSION},\"libtorch\":\"2.11.0\",\
             \"devices\":[\"%s\"],\"cuda_note\":null}}' \"${{LD_LIBRARY_PATH%%:*}}\"\n"
        ));
        fs::set_permissions(made.at("worker"), fs::Permissions::from_mode(0o755)).unwrap();
        for (path, text) in [
            ("torch/lib/libtorch.so", "a"),
            ("torch/lib/libtorch_cpu.so", "some bytes"),
            ("torch/licences/torch/LICENSE", "words"),
            ("torch/build-version", "2.11.0+cu130"),
        ] {
            made.write(path, text);
        }
        made.write("torch/lib/libtorch_cuda.so", &"many more bytes ".repeat(9));
        let make = Command::new("python3")
            .args(["-c", MAKE])
            .arg(root().join("tools/cuda-pack"))
            .args([made.at("torch"), made.at("disk")])
            .output()
            .unwrap();
        assert!(make.status.success(), "{make:?}");
        let key = KeyPair::generate_unencrypted_keypair().unwrap();
        made.write("lexforge/update.pub", &key.pk.to_box().unwrap().to_string());
        let list = made.at("disk/lexforge-libtorch-2.11.0-cuda.json");
        let bytes = fs::File::open(&list).unwrap();
        let signature = minisign::sign(None, &key.sk, bytes, Some("made up"), None).unwrap();
        fs::write(format!("{}.minisig", list.display()), signature.to_string()).unwrap();
        Some(made)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let place = self.at(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> (bool, Value) {
        let done = Command::new(&self.lexforge)
            .args(["--json"])
            .args(arguments)
            .env("LEXFORGE_STATE", self.at("state"))
            .env("LEXFORGE_WORKER", self.at("worker"))
            .env_remove("LD_LIBRARY_PATH")
            .output()
            .unwrap();
        let out = String::from_utf8_lossy(&done.stdout).into_owned();
        let rows = out
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let mut rows: Vec<Value> = rows.collect();
        let value = match rows.len() {
            1 => rows.remove(0),
            _ => Value::Array(rows),
        };
        (done.status.success(), value)
    }

    /// The line of `doctor` about a check.
    fn doctor(&self, check: &str) -> String {
        let (_, rows) = self.run(&["doctor"]);
        let rows = rows.as_array().unwrap().iter();
        let mut rows = rows.filter(|row| row["check"] == check);
        rows.next().unwrap()["found"].as_str().unwrap().to_owned()
    }

    fn part(&self, number: u32) -> String {
        let name = format!("disk/lexforge-libtorch-2.11.0-cuda.{number:03}.zst");
        self.at(&name).display().to_string()
    }
}

#[test]
fn a_libtorch_comes_in_parts_and_the_worker_starts_with_it() {
    let Some(made) = Made::new() else { return };
    assert_eq!(made.doctor("libtorch"), "2.11.0 (beside the worker)");
    let list = made.at("disk/lexforge-libtorch-2.11.0-cuda.json");
    let list = list.display().to_string();

    // The last part first, and the list with it; then one that somebody has altered.
    let (whole, begun) = made.run(&["compute", "install", "--local", &made.part(3), &list]);
    assert!(!whole, "{begun}");
    let missing = begun["pack"]["missing"].as_array().unwrap();
    assert_eq!(
        missing.len() as u64,
        begun["pack"]["parts"].as_u64().unwrap() - 1
    );
    let good = fs::read(made.part(1)).unwrap();
    fs::write(made.part(1), "altered").unwrap();
    let (taken, refused) = made.run(&["compute", "install", "--local", &made.part(1)]);
    assert!(!taken && refused["pack"].is_null(), "{refused}");
    assert_eq!(made.doctor("libtorch"), "2.11.0 (beside the worker)");
    fs::write(made.part(1), good).unwrap();

    // The rest, as the folder that it lies in.
    let disk = made.at("disk").display().to_string();
    let (taken, done) = made.run(&["compute", "install", "--local", &disk]);
    assert!(taken, "{done}");
    let pack = &done["pack"];
    assert_eq!(
        (&pack["used"], &pack["device"]),
        (&true.into(), &"cuda".into())
    );
    let folder = pack["folder"].as_str().unwrap();
    let read = |path: &str| fs::read(Path::new(folder).join(path)).unwrap();
    let file = "lib/libtorch_cuda.so";
    assert_eq!(read(file), fs::read(made.at("torch").join(file)).unwrap());
    assert_eq!(read("licences/torch/LICENSE"), b"words");
    assert_eq!(
        made.doctor("libtorch"),
        format!("2.11.0 (of the pack in {folder}/lib)")
    );
    // Said by the worker itself.
    assert_eq!(made.doctor("devices"), format!("{folder}/lib"));

    let id = pack["id"].as_str().unwrap();
    let (removed, _) = made.run(&["compute", "packs", "--remove", id]);
    assert!(removed);
    assert_eq!(made.doctor("libtorch"), "2.11.0 (beside the worker)");
    assert_eq!(made.run(&["compute", "packs"]).1, Value::Array(Vec::new()));
}
