//! Reads from the words of `ssh` what it asks its user.

use lexforge_domain::api::SshAsks;

/// The value of `ssh`'s environment variable that says that the user need not enter anything but only be told.
const NOTHING_TO_ENTER: &str = "none";
const YES_OR_NO: &str = "confirm";

/// The question. `None` if it is a repeated question about a host key because `ssh` did not expect the first answer.
pub(crate) fn read(words: &str, hint: &str) -> Option<SshAsks> {
    if words.contains("authenticity of host") {
        return Some(host_key(words));
    }
    let small = words.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| small.contains(part));
    if small.starts_with("please type 'yes'") {
        return None;
    }
    Some(match hint {
        NOTHING_TO_ENTER => SshAsks::Touch,
        YES_OR_NO => SshAsks::Confirm,
        _ if small.contains("passphrase for") => SshAsks::Passphrase,
        _ if has(&["pin for", "enter pin"]) => SshAsks::Pin,
        _ if has(&["code", "token", "one-time", "otp", "passcode", "验证码"]) => SshAsks::Code,
        _ if has(&["password", "口令", "密码"]) => SshAsks::Password,
        _ => SshAsks::Other,
    })
}

/// The host, the kind of its key and the fingerprint in a question of `ssh`. Parts that are not found stay empty, and
/// an empty fingerprint cannot be confirmed.
fn host_key(words: &str) -> SshAsks {
    let (_, named) = words
        .split_once("authenticity of host '")
        .unwrap_or_default();
    let host = named.split('\'').next().unwrap_or_default();
    let (before, rest) = words.split_once(" key fingerprint is ").unwrap_or_default();
    let algorithm = before.split_whitespace().next_back().unwrap_or_default();
    let fingerprint = rest
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_end_matches('.');
    SshAsks::HostKey {
        host: host.to_owned(),
        algorithm: algorithm.to_owned(),
        fingerprint: fingerprint.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_key_is_read_with_its_fingerprint() {
        let words = "The authenticity of host '[127.0.0.1]:2222 ([127.0.0.1]:2222)' can't be established.\n\
            ED25519 key fingerprint is SHA256:xbZ3n2oC4x7yq1bFJq0dS3r1sT5kq0w8J2mZp6YcQ9A.\n\
            This key is not known by any other names.\n\
            Are you sure you want to continue connecting (yes/no/[fingerprint])? ";
        let expected = SshAsks::HostKey {
            host: "[127.0.0.1]:2222 ([127.0.0.1]:2222)".into(),
            algorithm: "ED25519".into(),
            fingerprint: "SHA256:xbZ3n2oC4x7yq1bFJq0dS3r1sT5kq0w8J2mZp6YcQ9A".into(),
        };
        assert_eq!(read(words, ""), Some(expected));
        // Words that changed in a later version: nothing is made up.
        let SshAsks::HostKey { fingerprint, .. } =
            read("The authenticity of host 'x' is doubtful.", "").unwrap()
        else {
            panic!("no host key");
        };
        assert_eq!(fingerprint, "");
    }

    #[test]
    fn what_is_asked_is_told_apart() {
        for (words, hint, expected) in [
            ("me@box's password: ", "", SshAsks::Password),
            ("(me@box) Password: ", "", SshAsks::Password),
            ("(me@box) Verification code: ", "", SshAsks::Code),
            ("Passcode or option (1-3): ", "", SshAsks::Code),
            (
                "Enter passphrase for key '/keys/id_ed25519': ",
                "",
                SshAsks::Passphrase,
            ),
            (
                "Enter passphrase for /keys/my password key: ",
                "",
                SshAsks::Passphrase,
            ),
            ("Enter PIN for 'Card': ", "", SshAsks::Pin),
            (
                "Enter PIN for ED25519-SK key /keys/id_sk: ",
                "",
                SshAsks::Pin,
            ),
            (
                "Confirm user presence for key ED25519-SK SHA256:abc",
                "none",
                SshAsks::Touch,
            ),
            ("Allow use of key me@desk?", "confirm", SshAsks::Confirm),
            ("(me@box) Your favourite colour? ", "", SshAsks::Other),
        ] {
            assert_eq!(read(words, hint), Some(expected), "{words}");
        }
        assert_eq!(
            read("Please type 'yes', 'no' or the fingerprint: ", ""),
            None
        );
    }
}
