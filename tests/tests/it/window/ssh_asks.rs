//! Questions of `ssh` are answered in the window: whether an unknown host is the right one, and the passphrase of a
//! key. Behind it is a real `sshd`.

use crate::window::driver::Window;
use crate::window::{built, open_with, pictures};
use lexforge_tests::ssh_target::SshTarget;
use std::path::Path;

const PASSPHRASE: &str = "plover over the marsh 71";
const CODE: &str = "604913";
const WRONG_CODE: &str = "111222";
const ASKED: &str = "return !!document.querySelector('#ssh-asks')";
const PUT_AWAY: &str = "return !document.querySelector('#ssh-asks')";

#[tokio::test]
async fn a_host_key_is_compared_and_a_passphrase_is_kept_nowhere() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let Some(target) = SshTarget::start() else {
        return;
    };
    target.forget();
    target.lock_key(PASSPHRASE);
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("asked.lexforge");
    let ssh = target.ssh();
    let further = [
        ("LEXFORGE_SSH", ssh.as_path()),
        ("LEXFORGE_LOG", Path::new("debug")),
    ];
    let (driver, window) =
        open_with(&app, &parse, &worker, home.path(), &[&workspace], &further).await;
    let spoilt = home.path().join("user-state/targets/spoilt.json");
    add(
        &window,
        &target.path("there").display().to_string(),
        &spoilt,
    )
    .await;
    forget_spoilt(&window, &spoilt).await;

    change(&window).await;

    // Nobody trusts it: nothing is connected to, and nothing is written down.
    window.click(".machine-check").await;
    window.until("the host key", 30, ASKED).await;
    let shown = window.text("#ssh-fingerprint").await;
    assert_eq!(shown.replace(' ', ""), target.fingerprint("host"));
    let trusts = "return document.querySelector('#ssh-trust').disabled";
    assert_eq!(window.ask(trusts).await, true, "it can be trusted unread");
    in_both_languages(&window, "ssh-host-key").await;
    window.click("#ssh-decline").await;
    window
        .until("that the question is put away", 30, PUT_AWAY)
        .await;
    // The screen in another language is a new one, and knows nothing of a look that began before.
    window.click(".machine-check").await;
    window.until("the host key once more", 30, ASKED).await;
    window.click("#ssh-decline").await;
    told(&window, "called off").await;
    assert_eq!(known_hosts(&target), "");

    // Compared and trusted. Then the key needs its passphrase, and a wrong one is asked for again.
    window.click(".machine-check").await;
    window.until("the host key again", 30, ASKED).await;
    window.click("#ssh-compared").await;
    window.click("#ssh-trust").await;
    passphrase(&window).await;
    pictures::of_screen(&window, "ssh-passphrase").await;
    let number = "return window.__TAURI__.core.invoke('SshQuestions').then(all => all[0]?.id ?? 0)";
    let first = window.ask(number).await;
    window.fill("#ssh-answer", "something else").await;
    window.click("#ssh-send").await;
    let asked_again = format!(
        "return window.__TAURI__.core.invoke('SshQuestions').then(all => (all[0]?.id ?? 0) > {first})"
    );
    window
        .until("that it is asked again", 30, &asked_again)
        .await;
    passphrase(&window).await;
    window.fill("#ssh-answer", PASSPHRASE).await;
    window.click("#ssh-send").await;
    window
        .until(
            "what was found there",
            60,
            "return document.querySelectorAll('.machine tbody tr').length > 4",
        )
        .await;
    assert_eq!(window.ask(PUT_AWAY).await, true);
    let key = std::fs::read_to_string(target.path("host.pub")).unwrap();
    let key = key.split_whitespace().nth(1).unwrap().to_owned();
    assert!(
        known_hosts(&target).contains(&key),
        "{}",
        known_hosts(&target)
    );

    // Over the same connection the worker is put there: nobody is asked once more.
    window.click(".machine-install").await;
    window.until_task("install", 300).await;
    let ready = "return document.querySelector('.machine')?.innerText.includes('Worker') && !document.querySelector('#ssh-asks')";
    window.until("that the worker is there", 30, ready).await;

    // A key that has changed is refused without a question.
    target.trust("other");
    window.click(".machine-check").await;
    told(&window, "another host key").await;
    assert_eq!(window.ask(PUT_AWAY).await, true);
    window.close().await;
    drop(driver);
    assert!(
        !holds(home.path(), PASSPHRASE),
        "the passphrase was written down"
    );
}

/// A host with a second factor: the password and the code are asked for in words, with the host's name. A wrong code is
/// asked for again by a person's answer alone.
#[tokio::test]
async fn a_password_and_a_one_time_code_are_asked_for_in_words() {
    let Some((app, parse, worker)) = built() else {
        return;
    };
    let Some(target) = SshTarget::start_with_two_factors(PASSPHRASE, CODE) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let workspace = home.path().join("codes.lexforge");
    let ssh = target.ssh();
    let further = [
        ("LEXFORGE_SSH", ssh.as_path()),
        ("LEXFORGE_LOG", Path::new("debug")),
    ];
    let (driver, window) =
        open_with(&app, &parse, &worker, home.path(), &[&workspace], &further).await;
    let spoilt = home.path().join("user-state/targets/spoilt.json");
    add(
        &window,
        &target.path("there").display().to_string(),
        &spoilt,
    )
    .await;
    window.click(".machine-check").await;
    for (code, tries) in [(WRONG_CODE, 1), (CODE, 2)] {
        answer(
            &window,
            "The host asks for a password",
            "Password",
            PASSPHRASE,
        )
        .await;
        let title = "The host asks for a one-time code";
        answer(&window, title, "Verification code", code).await;
        let since = std::time::Instant::now();
        while target.tries().len() < tries {
            assert!(since.elapsed().as_secs() < 30, "no try {tries}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
    window
        .until(
            "what was found there",
            60,
            "return document.querySelectorAll('.machine tbody tr').length > 4",
        )
        .await;
    assert_eq!(window.ask(PUT_AWAY).await, true);
    assert_eq!(target.tries(), ["wrong", "good"]);
    window.close().await;
    drop(driver);
    for secret in [PASSPHRASE, CODE, WRONG_CODE] {
        assert!(!holds(home.path(), secret), "{secret} was written down");
    }
}

/// Answers the question that has this title and these words in it, and names the host.
async fn answer(window: &Window, title: &str, words: &str, with: &str) {
    let there = format!(
        "const box = document.querySelector('#ssh-asks'); return !!box && box.querySelector('h2').innerText.includes({title:?}) \
         && box.innerText.includes('For the connection to box') \
         && (document.querySelector('#ssh-words')?.innerText ?? '').includes({words:?})"
    );
    window.until(words, 30, &there).await;
    pictures::of_screen(
        window,
        &format!("ssh-{}", words.replace(' ', "-").to_lowercase()),
    )
    .await;
    window.fill("#ssh-answer", with).await;
    window.click("#ssh-send").await;
}

/// A machine in the list, without a form, and beside it one whose file is spoilt.
async fn add(window: &Window, folder: &str, spoilt: &Path) {
    let added = format!(
        "return window.__TAURI__.core.invoke('AddTarget', {{ name: 'box', place: {{ at: 'ssh', host: 'box' }}, \
         folder: {folder:?}, slurm: null }}).then(t => t.name)"
    );
    assert_eq!(window.ask(&added).await, "box");
    std::fs::write(spoilt, "{").unwrap();
    window.settings("machines").await;
}

/// A machine whose file cannot be read is in the list with the reason, hides no other, and is forgotten there.
async fn forget_spoilt(window: &Window, file: &Path) {
    let both = "return !!document.querySelector('.machine[data-name=box]') \
        && !!document.querySelector('.machine-unreadable[data-name=spoilt] .error')?.innerText.includes('spoilt.json')";
    window.until("both machines", 10, both).await;
    window.click(".machine-unreadable .machine-remove").await;
    window.click("#machine-removal-do").await;
    let gone = "return !document.querySelector('.machine-unreadable') && !!document.querySelector('.machine[data-name=box]')";
    window.until("that it is forgotten", 10, gone).await;
    assert!(!file.exists());
}

/// A machine is changed in the form, and is the machine that it was.
async fn change(window: &Window) {
    let now = "return window.__TAURI__.core.invoke('Targets').then(({ targets: all }) => \
        all[0].id + ' ' + (all[0].slurm ? all[0].slurm.partition + ' ' + all[0].slurm.ranks + ' ' + all[0].slurm.lines : 'no queue'))";
    let before = window.ask(now).await;
    let before = before.as_str().unwrap().to_owned();
    let id = before.strip_suffix(" no queue").unwrap();
    let is = async |expected: String| {
        let is = format!("return (() => {{ {now} }})().then(now => now === {expected:?})");
        window.until(&expected, 10, &is).await;
    };
    window.click(".machine-change").await;
    let host = "return document.querySelector('.machine [id^=machine-host]').value";
    assert_eq!(window.ask(host).await, "box");
    window.click(".machine [id^=machine-queued]").await;
    window.fill(".machine [id^=machine-partition]", "gpu").await;
    // A number of processes that is not a number gives an error at its field, and nothing is kept.
    window.fill(".machine [id^=machine-ranks]", "many").await;
    window.click(".machine [id^=machine-keep]").await;
    let wrong = "return document.querySelector('.machine [id^=machine-ranks]').getAttribute('aria-invalid') === 'true' \
        && !!document.querySelector('.machine .err')";
    window.until("the error at the field", 10, wrong).await;
    window.fill(".machine [id^=machine-ranks]", "2").await;
    // What was typed outlives the tick.
    window.click(".machine [id^=machine-queued]").await;
    window.click(".machine [id^=machine-queued]").await;
    window.click(".machine [id^=machine-more] summary").await;
    window
        .fill(".machine [id^=machine-lines]", "export A=1")
        .await;
    pictures::of_screen(window, "machine-changed").await;
    window.click(".machine [id^=machine-keep]").await;
    is(format!("{id} gpu 2 export A=1")).await;
    told(window, "gpu").await;
    window.click(".machine-change").await;
    let partition = "return document.querySelector('.machine [id^=machine-partition]').value";
    assert_eq!(window.ask(partition).await, "gpu");
    window.click(".machine [id^=machine-queued]").await;
    window.click(".machine [id^=machine-keep]").await;
    is(before).await;
    let anew = "return !document.querySelector('[id^=machine-form]') && !!document.querySelector('.machine-check') \
        && !document.querySelector('.machine').innerText.includes('Slurm')";
    window.until("the line without a queue", 10, anew).await;
}

async fn passphrase(window: &Window) {
    let there = "return document.querySelector('#ssh-words')?.innerText.includes('passphrase') \
        && document.querySelector('#ssh-answer').type === 'password'";
    window.until("the passphrase's field", 30, there).await;
}

/// Waits until the check of the machine shows this text.
async fn told(window: &Window, part: &str) {
    window
        .until(
            part,
            60,
            &format!("return document.querySelector('.machine')?.innerText.includes({part:?})"),
        )
        .await;
}

async fn in_both_languages(window: &Window, name: &str) {
    for language in ["zh", "en"] {
        // Not with the pointer: the dialog lies over the switch.
        window
            .run("document.querySelector('#switch-language').click()")
            .await;
        let there = format!(
            "return document.documentElement.lang.startsWith({language:?}) && !!document.querySelector('#ssh-asks')"
        );
        window.until(language, 10, &there).await;
        pictures::of_screen(window, &format!("{name}-{language}")).await;
    }
}

fn known_hosts(target: &SshTarget) -> String {
    std::fs::read_to_string(target.path("known_hosts")).unwrap()
}

/// Whether a file of a folder holds a text.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, text);
        }
        std::fs::read(&path).is_ok_and(|bytes| {
            bytes
                .windows(text.len())
                .any(|window| window == text.as_bytes())
        })
    })
}
