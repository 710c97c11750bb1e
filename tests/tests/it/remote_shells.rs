//! Start files of a login on a target that would disturb a script: each login shell there reads one before anything else.

use lexforge_tests::product::Product;
use lexforge_tests::ssh_target::SshTarget;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Each thing that was checked, and whether it is in order.
fn checked(lexforge: &Product) -> BTreeMap<String, bool> {
    let done = lexforge.run(&["compute", "check", "box", "--json"]);
    let rows = done
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let rows = rows.map(|row| (row["check"].as_str().unwrap().to_owned(), row["ok"] == true));
    let rows: BTreeMap<_, _> = rows.collect();
    assert!(!rows.is_empty(), "{}", done.err);
    rows
}

#[test]
fn what_a_login_prints_sets_or_changes_disturbs_nothing() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let Some(mut target) = SshTarget::start() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_SSH", target.ssh());
    let there = target.path("there").display().to_string();
    lexforge.json(&["compute", "add", "box", "--ssh", "box", "--folder", &there]);
    let usual = checked(&lexforge);
    assert!(usual["reachability"] && usual.len() > 5, "{usual:?}");

    // A bash that is called sh, as on many systems, takes the exported options over.
    let bin = target.path("bin");
    std::fs::create_dir(&bin).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/bin/bash", bin.join("sh")).unwrap();
    let as_sh = format!("PATH={}:$PATH\n", bin.display());
    let seen = target.path("seen");
    let begun = format!("echo begun >>{}\n", seen.display());
    for (what, profile) in [
        (
            "a banner, with no end of line",
            "printf 'Welcome to the cluster.\\nMaintenance on Monday'\necho 'Quota: 71 %' >&2\n",
        ),
        (
            "a long banner",
            "i=0; while [ $i -lt 2000 ]; do echo \"Line $i of the rules of use\"; i=$((i+1)); done\n",
        ),
        ("another folder", "cd /\nexport CDPATH=/:/tmp\n"),
        ("an end at the first failure", "set -e\nexport SHELLOPTS\n"),
        (
            "no patterns, no unset names",
            "set -efu\nset -C\nexport SHELLOPTS\n",
        ),
        (
            "a mask and a language",
            "umask 000\nexport LC_ALL=de_DE.UTF-8 LANG=zh_CN.UTF-8\n",
        ),
    ] {
        target.start_logins_with(&format!("{begun}{as_sh}{profile}"));
        assert_eq!(checked(&lexforge), usual, "{what}");
    }
    if !seen.exists() {
        // The login shell of this user is no bash.
        lexforge_needs::unavailable("a login shell that reads .bashrc");
    }
}

/// Each shell that is installed here; dash is on every Debian.
#[test]
fn any_login_shell_will_do() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let may = Command::new("unshare")
        .args(["-m", "mount", "--make-rprivate", "/"])
        .status();
    if !may.is_ok_and(|s| s.success()) || std::env::var("USER").is_ok_and(|user| user != "root") {
        lexforge_needs::unavailable("a mount namespace and the rights of root");
        return;
    }
    let Some(mut target) = SshTarget::start() else {
        return;
    };
    let lexforge = lexforge.with("LEXFORGE_SSH", target.ssh());
    let there = target.path("there").display().to_string();
    lexforge.json(&["compute", "add", "box", "--ssh", "box", "--folder", &there]);
    let usual = checked(&lexforge);
    assert!(usual["reachability"], "{usual:?}");
    for name in ["dash", "fish", "zsh", "tcsh", "ksh"] {
        let places = ["/bin", "/usr/bin", "/usr/local/bin"].map(|at| Path::new(at).join(name));
        let Some(shell) = places.iter().find(|place| place.is_file()) else {
            lexforge_needs::unavailable(format!("the shell {name}"));
            continue;
        };
        target.log_in_with_shell(shell);
        assert_eq!(checked(&lexforge), usual, "{name}");
    }
    // A shell that lets nobody in shows that it is the one that is used.
    target.log_in_with_shell(Path::new("/bin/false"));
    let done = lexforge.run(&["compute", "check", "box", "--json"]);
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(done.out.contains("\"ok\":false"), "{}", done.out);
    assert!(
        !done.out.contains("\"check\":\"system\",\"ok\":true"),
        "{}",
        done.out
    );
}
