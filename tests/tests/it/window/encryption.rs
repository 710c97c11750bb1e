//! Encrypting the open workspace, opening it again, and taking its encryption away.

use super::driver::Window;
use super::opening::open;
use super::{built, command_line, pictures};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const PASSPHRASE: &str = "four words that differ";

const TO_THE_FORM: &str =
    "document.querySelector('#encryption').scrollIntoView({ block: 'center' })";

/// What every file of SQLite begins with that is not encrypted.
const PLAIN: &[u8] = b"SQLite format 3";

#[tokio::test]
async fn a_workspace_is_encrypted_and_opens_with_its_passphrase_alone() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("firm.lexforge");
    command_line(&[OsStr::new("new"), path.as_os_str()]);
    assert!(is_plain(&path));
    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&path]).await;
    window
        .until_text("what is open", 20, "#workspace-name", "firm")
        .await;
    encrypt(&window).await;
    assert!(!is_plain(&path));
    window.close().await;
    drop(driver);
    no_window_has(&path);

    let (driver, window) = open(&app, &parse, &worker, home.path(), &[&path]).await;
    unlock(&window).await;
    decrypt(&window).await;
    assert!(is_plain(&path));
    window.close().await;
    drop(driver);
}

/// Waits until no window has the workspace open. The driver now and then leaves its program behind, which is ended here:
/// a file that another program has open is not written anew.
fn no_window_has(path: &Path) {
    let begun = Instant::now();
    let named = path.as_os_str().as_encoded_bytes();
    loop {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let windows: Vec<_> = processes
            .filter(|process| {
                let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
                let mut words = command.split(|byte| *byte == 0);
                words
                    .next()
                    .is_some_and(|program| program.ends_with(b"lexforge-app"))
                    && words.any(|word| word == named)
            })
            .collect();
        if windows.is_empty() {
            return;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "the window does not end"
        );
        for window in windows {
            // It may have ended meanwhile.
            let _ = Command::new("kill").arg(window.file_name()).status();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Whether an element has these words.
fn says(selector: &str, words: &str) -> String {
    format!("return (document.querySelector({selector:?})?.innerText ?? '').includes({words:?})")
}

fn is_plain(path: &Path) -> bool {
    std::fs::read(path).unwrap().starts_with(PLAIN)
}

/// No passphrase is taken that is short, typed differently, or not written down.
async fn encrypt(window: &Window) {
    window.settings("window").await;
    window.click("#encrypt-workspace").await;
    let told = "#encryption-form [role=alert]";
    for (new, again, wrong) in [
        ("short", "short", "at least 8 characters"),
        (PASSPHRASE, "four words", "The two passphrases differ"),
        (PASSPHRASE, PASSPHRASE, "Write the passphrase down first"),
    ] {
        window.fill("#passphrase-new", new).await;
        window.fill("#passphrase-again", again).await;
        window.click("#encryption-send").await;
        window.until("what is wrong", 10, &says(told, wrong)).await;
    }
    for language in ["zh", "en"] {
        // The settings are drawn anew, and the form is closed.
        window.speak(language).await;
        window.click("#encrypt-workspace").await;
        window.run(TO_THE_FORM).await;
        pictures::of_screen(window, &format!("encryption-form-{language}")).await;
    }
    window.fill("#passphrase-new", PASSPHRASE).await;
    window.fill("#passphrase-again", PASSPHRASE).await;
    window.click("#passphrase-known").await;
    window.click("#encryption-send").await;
    let state = says("#storage-encrypted", "file is encrypted");
    window.until("the encrypted file", 60, &state).await;
}

/// A wrong passphrase is told, and the field stays.
async fn unlock(window: &Window) {
    window
        .until(
            "the button that asks for the passphrase",
            20,
            "return [...document.querySelectorAll('.error button')].some(b => b.innerText.startsWith('Enter passphrase'))",
        )
        .await;
    pictures::of_screen(window, "encrypted-workspace").await;
    window
        .run(
            "[...document.querySelectorAll('.error button')].find(b => b.innerText.startsWith('Enter passphrase')).click()",
        )
        .await;
    let field = ".error .password input";
    window
        .until(
            "its field",
            10,
            &format!("return !!document.querySelector({field:?})"),
        )
        .await;
    window.fill(field, "not this one").await;
    window.click(".error .password-open").await;
    let wrong = says(".error [role=alert]", "passphrase");
    window.until("what is wrong", 20, &wrong).await;
    pictures::of_screen(window, "encrypted-wrong-passphrase").await;
    window.fill(field, PASSPHRASE).await;
    window.click(".error .password-open").await;
    window
        .until_text("what is open", 30, "#workspace-name", "firm")
        .await;
}

/// The present passphrase is asked for.
async fn decrypt(window: &Window) {
    window.settings("window").await;
    window.click("#decrypt-workspace").await;
    window.run(TO_THE_FORM).await;
    pictures::of_screen(window, "encrypted-storage").await;
    window.fill("#passphrase-present", "not this one").await;
    window.click("#encryption-send").await;
    let wrong = says("#encryption-form .error", "does not open the workspace");
    window.until("that it is the wrong one", 30, &wrong).await;
    window.fill("#passphrase-present", PASSPHRASE).await;
    window.click("#encryption-send").await;
    let state = says("#storage-encrypted", "file is not encrypted");
    window.until("the plain file", 60, &state).await;
}
