//! Disks that are mounted for the test: a medium that cannot be written, and disks that are nearly full.

use crate::disks::{WS, adapter, beside, import};
use lexforge_tests::product::{Product, program};
use std::process::Command;

/// The exit codes that a shell script prints after each command.
fn codes(text: &str) -> Vec<(String, i32)> {
    text.lines()
        .filter_map(|line| line.strip_prefix("code ")?.split_once(' '))
        .map(|(code, what)| (what.to_owned(), code.parse().unwrap()))
        .collect()
}

/// Runs a script in a namespace of its own, where it may mount; what it mounts goes with it.
#[cfg(target_os = "linux")]
fn mounted(lexforge: &Product, script: &str) -> Option<String> {
    let binary = program("LEXFORGE_BIN", "lexforge").unwrap();
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", script])
        .arg(&binary)
        .current_dir(lexforge.path(""))
        .output()
        .ok()
        .filter(|output| output.status.code() != Some(77) && !output.stdout.is_empty());
    let Some(output) = output else {
        lexforge_needs::unavailable("no file system can be mounted here");
        return None;
    };
    Some(
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr),
    )
}

/// A workspace on a medium that even the superuser cannot write can be read, verified, exported and backed up. Commands
/// that would have to write fail with a message that says so.
#[test]
#[cfg(target_os = "linux")]
fn a_read_only_medium_can_be_read_and_verified() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    std::fs::create_dir(lexforge.path("medium")).unwrap();
    import(&lexforge);
    lexforge.json(&["terms", "extract", WS]);
    lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    lexforge.json(&["augment", WS, "--offline"]);
    for file in [WS.to_owned(), format!("{WS}.artifacts")] {
        let _ = std::fs::rename(lexforge.path(&file), lexforge.path("medium").join(&file));
    }
    let read = [
        "docs M",
        "docs M --text 1",
        "search M exposure",
        "audit verify M",
        "audit list M",
        "terms list M",
        "graph list M",
        "graph export M",
        "qca export M",
        "dataset list M",
        "runs list M",
        "people list M",
        "endpoints list M",
        "workspace backup M copy.lexforge",
        "docs copy.lexforge",
    ];
    let write = [
        "terms extract M",
        "graph build M --encoder lsa",
        "vectors M",
        "dataset freeze M",
        "augment M --offline",
        "train M",
        "eval M",
        "new medium/b.lexforge",
    ];
    let script = read.iter().chain(&write).fold(
        "mount --bind medium medium && mount -o remount,bind,ro medium || exit 77\n".to_owned(),
        |script, words| {
            let words = words.replace('M', "medium/a.lexforge");
            script + &format!("\"$0\" {words} --json > out 2> err; echo \"code $? {words}\"; grep '^error' err\n")
        },
    );
    let Some(said) = mounted(&lexforge, &script) else {
        return;
    };
    let codes = codes(&said);
    assert_eq!(codes.len(), read.len() + write.len(), "{said}");
    for (words, code) in &codes[..read.len()] {
        assert_eq!(*code, 0, "{words}\n{said}");
    }
    for (words, code) in &codes[read.len()..] {
        assert_eq!(*code, 1, "{words}\n{said}");
    }
    assert_eq!(
        said.matches("error[read_only]").count(),
        write.len(),
        "{said}"
    );
    let left = beside(&lexforge, "medium");
    assert!(
        left.iter()
            .all(|name| name == WS || name == "a.lexforge.artifacts"),
        "{left:?}"
    );
}

/// Makes backups to disks with a little more space each time. Every file that has the backup's name is complete and has
/// its model files.
#[test]
#[cfg(target_os = "linux")]
fn a_backup_to_a_nearly_full_disk_is_whole_or_not_there() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    import(&lexforge);
    adapter(&lexforge, &vec![7; 1 << 20], None);
    std::fs::create_dir(lexforge.path("disk")).unwrap();
    let whole = std::fs::metadata(lexforge.path(WS)).unwrap().len() / 1024 + 1100;
    let script = format!(
        "i=1; while [ $i -le 40 ]; do
           mount -t tmpfs -o size=$(( {whole} * i / 32 ))k none disk || exit 77
           \"$0\" workspace backup {WS} disk/b.lexforge --json > out 2> err; code=$?
           echo \"code $code $i $(ls disk | tr '\\n' ' ')\"; grep '^error' err
           if [ $code = 0 ]; then rm -rf whole; cp -r disk whole; \"$0\" audit verify whole/b.lexforge > out 2>&1 || echo broken
             cmp disk/b.lexforge.artifacts/adapters/*/*.safetensors {WS}.artifacts/adapters/*/*.safetensors || echo broken; fi
           umount disk; i=$((i + 1))
         done"
    );
    let Some(said) = mounted(&lexforge, &script) else {
        return;
    };
    let codes = codes(&said);
    assert_eq!(codes.len(), 40, "{said}");
    assert!(!said.contains("broken"), "{said}");
    let failed = codes.iter().filter(|(_, code)| *code != 0).count();
    assert!((1..40).contains(&failed), "{said}");
    assert_eq!(said.matches("error[disk_full]").count(), failed, "{said}");
    for (what, code) in codes {
        let there = what.split_once(' ').unwrap().1.trim();
        assert_eq!(
            there,
            if code == 0 {
                "b.lexforge b.lexforge.artifacts"
            } else {
                ""
            },
            "{said}"
        );
    }
}
