//! A target that asks for a password and a one-time code: a real `sshd` with PAM. The program that `SSH_ASKPASS` names
//! answers, as it would in a session without a terminal.

use lexforge_tests::product::Product;
use lexforge_tests::ssh_target::SshTarget;
use serde_json::Value;
use std::path::Path;

const PASSWORD: &str = "curlew over the weir 58";
const CODE: &str = "604913";
const WRONG: &str = "111222";

/// The product, a target that it knows as `box`, and a program that answers what `ssh` asks.
fn with_target() -> Option<(Product, SshTarget)> {
    let lexforge = Product::find()?;
    let target = SshTarget::start_with_two_factors(PASSWORD, CODE)?;
    let there = target.path("there").display().to_string();
    std::fs::write(target.path("given-password"), PASSWORD).unwrap();
    let answers = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$1\" >>{0}/asked\ncase $1 in\n  *assword*) cat {0}/given-password ;;\n  *) cat {0}/given-code ;;\nesac\n",
        target.path("").display()
    );
    let program = target.path("answers");
    std::fs::write(&program, answers).unwrap();
    executable(&program);
    let lexforge = lexforge
        .with("LEXFORGE_SSH", target.ssh())
        .with("LEXFORGE_LOG", "debug")
        .with("SSH_ASKPASS", &program)
        .with("SSH_ASKPASS_REQUIRE", "force");
    lexforge.json(&["compute", "add", "box", "--ssh", "box", "--folder", &there]);
    Some((lexforge, target))
}

fn executable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// What was asked since the last look.
fn asked(target: &SshTarget) -> Vec<String> {
    let path = target.path("asked");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(path);
    text.lines().map(str::to_owned).collect()
}

/// What `check` says of the connection, with all that it printed.
fn reached(lexforge: &Product) -> (bool, String, String) {
    let done = lexforge.run(&["compute", "check", "box", "--json"]);
    let lines = done.out.lines();
    let mut lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = lines.find(|line| line["check"] == "reachability");
    let row = row.unwrap_or_else(|| panic!("{}\n{}", done.out, done.err));
    let said = format!("{} {}", row["found"], row["remedy"]);
    (row["ok"] == true, said, done.out + &done.err)
}

/// Whether a file of a folder holds a text.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, text);
        }
        std::fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|w| w == text.as_bytes()))
    })
}

#[test]
fn a_password_and_a_code_are_asked_for_once_each_and_kept_nowhere() {
    let Some((lexforge, target)) = with_target() else {
        return;
    };
    // A wrong code is one try and one clear message. The host may lock whoever tries again and again.
    std::fs::write(target.path("given-code"), WRONG).unwrap();
    let (ok, said, printed) = reached(&lexforge);
    assert!(!ok && said.contains("does not let this user in"), "{said}");
    assert_eq!(target.tries(), ["wrong"]);
    let questions = asked(&target);
    assert_eq!(questions.len(), 2, "{questions:?}");
    assert!(questions[0].contains("Password") && questions[1].contains("Verification code"));
    assert!(
        questions.iter().all(|asked| asked.contains("@127.0.0.1")),
        "{questions:?}"
    );

    std::fs::write(target.path("given-code"), CODE).unwrap();
    let (ok, said, more) = reached(&lexforge);
    assert!(ok, "{said}");
    assert_eq!(target.tries(), ["wrong", "good"]);
    assert_eq!(asked(&target).len(), 2);

    // The code was good once. What was kept of the first connection would let this one in.
    let (ok, said, last) = reached(&lexforge);
    assert!(!ok && said.contains("does not let this user in"), "{said}");

    // To look at the host's key nobody is asked, and no login is tried.
    let before = target.tries().len();
    asked(&target);
    lexforge.json(&["compute", "key", "box"]);
    assert_eq!((target.tries().len(), asked(&target).len()), (before, 0));

    let told = printed + &more + &last;
    for secret in [PASSWORD, CODE, WRONG] {
        assert!(!told.contains(secret), "{secret} was printed");
        assert!(
            !holds(&lexforge.path(""), secret),
            "{secret} was written down"
        );
    }
}
