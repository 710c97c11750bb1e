//! Tests of `login`.

use super::*;

#[test]
fn what_ssh_says_decides_what_is_told() {
    let check = |said: &str, code: Code, named: &str| {
        let failure = told(&Place::Host("box".into()), said, false, Some(255));
        assert_eq!(failure.code, code, "{said}");
        assert!(failure.message.contains(named), "{failure}");
        assert!(!failure.hint.is_empty());
    };
    check(
        "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n",
        Code::TargetRefused,
        "another host key",
    );
    check(
        "No ED25519 host key is known for box and you have requested strict checking.\nHost key verification failed.\n",
        Code::TargetRefused,
        "not known",
    );
    check(
        "me@box: Permission denied (publickey).\n",
        Code::TargetRefused,
        "publickey",
    );
    check(
        "ssh: Could not resolve hostname box: Name or service not known",
        Code::TargetUnreachable,
        "no host",
    );
    check(
        "ssh: connect to host box port 22: Connection refused",
        Code::TargetUnreachable,
        "Nothing",
    );
    check(
        "Timeout, server box not responding.",
        Code::TargetUnreachable,
        "in time",
    );
    check(
        "Connection to box closed by remote host.",
        Code::TargetUnreachable,
        "closed by remote host",
    );
    check("", Code::TargetUnreachable, "ended.");
}

/// Window and command line word it, each for its own place.
#[test]
fn a_changed_key_is_told_with_a_remedy_that_is_a_value() {
    let said = "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @";
    let failure = told(&Place::Host("box".into()), said, false, Some(255));
    let remedy = failure.remedy.as_deref();
    assert_eq!(remedy, Some(&Remedy::LookAtBothKeys), "{failure}");
}

#[test]
fn a_host_is_no_option_and_no_command() {
    for host in ["box", "me@box.example", "[::1]", "10.0.0.1"] {
        assert!(check_host(host).is_ok(), "{host}");
    }
    for host in ["", "-oProxyCommand=x", "a b", "a;b", "$(x)", "a'b"] {
        assert!(check_host(host).is_err(), "{host}");
    }
}

/// The settings that `ssh` uses for a host where the user's configuration asks for all that must not be.
fn used_by_ssh(configuration: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config");
    std::fs::write(&file, configuration).unwrap();
    let ours = command(&Place::Host("box".into())).unwrap();
    let mut shown = program();
    shown.arg("-G").arg("-F").arg(&file).args(ours.get_args());
    let shown = shown
        .output()
        .expect("OpenSSH's client is a part of the set-up");
    assert!(
        shown.status.success(),
        "{}",
        String::from_utf8_lossy(&shown.stderr)
    );
    String::from_utf8(shown.stdout).unwrap()
}

#[test]
fn nothing_is_forwarded_and_no_command_of_the_configuration_is_run() {
    let used = used_by_ssh(
        "Host *\nForwardAgent yes\nForwardX11 yes\nTunnel yes\nLocalForward 4000 localhost:4000\n\
         RemoteForward 4001 localhost:4001\nDynamicForward 4002\nPermitLocalCommand yes\nLocalCommand touch made\n\
         RemoteCommand touch made\nStrictHostKeyChecking no\n",
    );
    let lines: Vec<&str> = used.lines().collect();
    for setting in [
        "forwardagent no",
        "forwardx11 no",
        "tunnel false",
        "clearallforwardings yes",
        "permitlocalcommand no",
    ] {
        assert!(lines.contains(&setting), "{setting}: {used}");
    }
    for setting in [
        "localforward",
        "remoteforward",
        "dynamicforward",
        "remotecommand",
    ] {
        assert!(
            !lines.iter().any(|line| line.starts_with(setting)),
            "{setting}: {used}"
        );
    }
    assert!(!lines.contains(&"stricthostkeychecking false"), "{used}");
}

#[cfg(unix)]
#[test]
fn a_shell_here_answers_and_one_that_ends_says_why() {
    let script =
        "echo Welcome; printf '\\000lexforge shell\\001\\n'; read word; echo \"heard $word\"\n";
    let mut line = open(&Place::Here, script).unwrap();
    let mut input = line.input.take().unwrap();
    input.write_all(b"it\n").unwrap();
    // The shell reads on until there is no more.
    drop(input);
    let mut heard = String::new();
    line.output
        .as_mut()
        .unwrap()
        .read_to_string(&mut heard)
        .unwrap();
    assert_eq!(heard, "heard it\n");
    let failure = open(&Place::Here, "echo 'no luck' >&2; exit 3\n")
        .err()
        .unwrap();
    assert!(failure.message.contains("no luck"), "{failure}");
}
