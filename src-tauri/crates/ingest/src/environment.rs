//! What of this program's environment a program sees that reads what others have written: variables may hold keys.

use std::ffi::OsString;
use std::process::Command;

/// What programs need to find their libraries, their words and a place for temporary files.
const PASSED: [&str; 16] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "TESSDATA_PREFIX",
    "OMP_THREAD_LIMIT",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    "TMPDIR",
    "TEMP",
    "TMP",
    // On Windows no program starts without these.
    "SYSTEMROOT",
    "WINDIR",
];

/// Leaves a program none but the variables that it needs.
pub fn reduce(command: &mut Command) {
    command.env_clear();
    command.envs(passed(std::env::vars_os()));
}

fn passed(all: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    let is_passed = |name: &OsString| {
        PASSED
            .iter()
            .any(|passed| name.eq_ignore_ascii_case(passed))
    };
    all.filter(|(name, _)| is_passed(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_not_passed_on() {
        let all = [
            ("PATH", "/usr/bin"),
            ("TESSDATA_PREFIX", "/x"),
            ("OPENAI_API_KEY", "sk-1"),
            ("LEXFORGE_KEY", "k"),
            ("HTTPS_PROXY", "http://user:password@proxy"),
            ("HOME", "/home/officer"),
        ];
        let all = all.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let names: Vec<OsString> = passed(all.into_iter()).into_iter().map(|v| v.0).collect();
        assert_eq!(names, ["PATH", "TESSDATA_PREFIX"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_sees_nothing_else() {
        let mut command = Command::new("env");
        command.env("A_KEY_OF_AN_ENDPOINT", "secret");
        reduce(&mut command);
        let seen = command.output().map(|output| output.stdout);
        let seen = String::from_utf8(seen.unwrap_or_default()).unwrap_or_default();
        assert!(seen.contains("PATH="), "{seen}");
        for line in seen.lines() {
            let name = line.split('=').next().unwrap_or_default();
            assert!(PASSED.contains(&name), "{line}");
        }
    }
}
