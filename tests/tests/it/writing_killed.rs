//! Writes questions with a program that is killed. Repeated prompts and judging continue where they were, and nothing
//! is asked twice.

use crate::writing::{fickle, number, sum, written};
use lexforge_tests::fault_proxy::{Backend, FaultProxy, Seen, Weather};
use lexforge_tests::product::Product;
use lexforge_tests::repository::demo_decoder;
use lexforge_tests::rules::{PATIENCE, Server, WS, add, key_file, prepared};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Prompts that got an answer twice, and those that were asked again though the workspace had kept their answer.
fn check_nothing_is_asked_again(
    lexforge: &Product,
    before: &Seen,
    after: &Seen,
    kept: u64,
    open: u64,
) {
    let twice = after.answered.values().filter(|n| **n > 1).count() as u64;
    assert!(
        twice <= open,
        "{twice} prompts were answered twice, {open} were open"
    );
    // Every prompt with an answer before the kill is known; only those on their way then may have been asked once more.
    let anew = after
        .requests
        .iter()
        .filter(|(p, n)| before.answered.contains_key(p) && before.requests.get(p) != Some(n));
    let anew = anew.count() as u64;
    assert!(
        anew <= open,
        "{anew} prompts were asked again, {open} were open"
    );
    assert!(number(lexforge, "SELECT count(*) FROM answer") >= kept);
    assert_eq!(
        number(
            lexforge,
            "SELECT count(*) - count(DISTINCT key) FROM answer"
        ),
        0
    );
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// Starts a command, kills it once so many whole answers have left the proxy, and says what was kept and what was open.
#[cfg(unix)]
fn killed_after(
    lexforge: &Product,
    proxy: &FaultProxy,
    words: &[&str],
    answers: usize,
) -> (u64, u64) {
    let mut child = lexforge.start(words);
    let began = Instant::now();
    while proxy.seen().answered.len() < answers {
        assert!(
            began.elapsed() < PATIENCE,
            "no progress: {}",
            proxy.seen().answered.len()
        );
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it was killed"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    (
        number(lexforge, "SELECT count(*) FROM answer"),
        number(
            lexforge,
            "SELECT count(*) FROM request WHERE state = 'asked' OR reason = 'interrupted'",
        ),
    )
}

/// First prompts, repeated prompts, and the judge's prompts: the program is killed during each of them, and ends with
/// the same result as an uninterrupted run.
#[test]
#[cfg(unix)]
fn asking_anew_and_judging_outlive_a_kill() {
    let Some(lexforge) = prepared(420) else {
        return;
    };
    let weather = Weather {
        delay: 2,
        ..Weather::default()
    };
    let proxy = FaultProxy::start(Backend::Own(Box::new(fickle)), weather);
    add(&lexforge, &proxy.url(), &["--concurrency", "8"]);
    let words = [
        "augment",
        WS,
        "--endpoint",
        "firm",
        "--judge",
        "--judge-threshold",
        "8",
        "--json",
    ];

    // What an uninterrupted run does, on a workspace of the same rules.
    let Some(whole) = prepared(420) else { return };
    let undisturbed = FaultProxy::start(Backend::Own(Box::new(fickle)), Weather::default());
    add(&whole, &undisturbed.url(), &["--concurrency", "8"]);
    let done = whole.run(&words);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let expected: Value = serde_json::from_str(&done.out).unwrap();
    let all = undisturbed.seen().all();
    let first = expected["asked"]["prompts"].as_u64().unwrap();
    let (reasked, judged) = (expected["reasked"].as_u64().unwrap(), &expected["judged"]);
    eprintln!("{first} prompts, {reasked} asked anew, {all} requests in all; {judged:#}");
    assert!(
        reasked > 20 && expected["recovered"].as_u64().unwrap() > 10,
        "{expected:#}"
    );
    assert!(
        judged["below"].as_u64().unwrap() > 10 && judged["kept"].as_u64().unwrap() > 50,
        "{judged:#}"
    );
    assert!(
        judged["asked"]["unparseable"]["no_object"]
            .as_u64()
            .unwrap()
            > 0,
        "{judged:#}"
    );

    // Killed among the first prompts, among those asked anew, and among the judge's.
    for answers in [
        first / 2,
        first + reasked / 2,
        first + reasked + (all - first - reasked) / 2,
    ] {
        let (kept, open) = killed_after(&lexforge, &proxy, &words, answers as usize);
        let before = proxy.seen();
        check_nothing_is_asked_again(&lexforge, &before, &before, kept, open);
    }
    let before = proxy.seen();
    let (kept, open) = (
        number(&lexforge, "SELECT count(*) FROM answer"),
        number(
            &lexforge,
            "SELECT count(*) FROM request WHERE state = 'asked' OR reason = 'interrupted'",
        ),
    );
    let done = lexforge.run(&words);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    let after = proxy.seen();
    check_nothing_is_asked_again(&lexforge, &before, &after, kept, open);
    assert!(
        after.all() <= all + open,
        "{} requests where {all} suffice and {open} were open",
        after.all()
    );
    assert_eq!(number(&lexforge, "SELECT count(*) FROM answer"), all);
    for field in ["questions", "rejected", "reasked", "recovered"] {
        assert_eq!(report[field], expected[field], "{field}");
    }
    for field in ["kept", "below", "unreadable", "unjudged", "scores"] {
        assert_eq!(
            report["judged"][field], expected["judged"][field],
            "{field}"
        );
    }

    // What was turned down is there to be looked at: as many as were counted, each with its reason.
    let rejected = lexforge.lines(&["qca", "rejected", WS, "--limit", "0"]);
    let counted = sum(&report["rejected"]) + sum(&report["asked"]["unparseable"]);
    assert_eq!(rejected.len() as u64, counted, "{report:#}");
    let below = lexforge.lines(&[
        "qca",
        "rejected",
        WS,
        "--reason",
        "judged_below",
        "--limit",
        "0",
    ]);
    assert_eq!(
        below.len() as u64,
        report["judged"]["below"].as_u64().unwrap()
    );
    assert!(below.iter().all(|r| r["score"] == 4.0
        && r["note"] == "Two choices are right."
        && r["choices"][0].is_string()));
    let unread = lexforge.lines(&[
        "qca",
        "rejected",
        WS,
        "--reason",
        "no_object",
        "--limit",
        "3",
        "--offset",
        "1",
    ]);
    assert!(
        unread.len() == 3
            && unread
                .iter()
                .all(|r| r["note"].as_str().unwrap().contains('.') && r["question"] == "")
    );

    // A second time sends nothing and finds the same; the threshold alone decides anew.
    let again = lexforge.json(&words[..7]);
    assert_eq!(
        (proxy.seen().all(), &again["questions"]),
        (after.all(), &report["questions"])
    );
    let mild = lexforge.json(&[
        "augment",
        WS,
        "--endpoint",
        "firm",
        "--judge",
        "--judge-threshold",
        "4",
    ]);
    assert_eq!(proxy.seen().all(), after.all());
    assert!(written(&mild) > written(&report) && mild["judged"]["below"] == 0);
}

/// Calls to the worker's own server (a thousand in the long form), with the program killed in the middle. The demo
/// decoder writes no usable answer, so many of the calls are repeated prompts.
#[test]
#[cfg(unix)]
fn soak_calls_to_our_own_server_outlive_a_kill() {
    let calls = lexforge_needs::times(200, 1000) as u64;
    // Fewer rules than calls, so that some prompts are asked anew.
    let Some(lexforge) = prepared(calls as usize * 7 / 10) else {
        return;
    };
    let Some(server) = Server::start(&lexforge) else {
        return;
    };
    let folder = demo_decoder();
    let model = folder.file_name().unwrap().to_str().unwrap();
    let proxy = FaultProxy::start(
        Backend::Server(server.address, "server-token".to_owned()),
        Weather::default(),
    );
    let (key, url) = (key_file(&lexforge), proxy.url());
    let place = [
        "endpoints",
        "add",
        WS,
        "own",
        "--url",
        &url,
        "--model",
        model,
        "--key-file",
        &key,
    ];
    let limits = [
        "--timeout",
        "60",
        "--form",
        "free",
        "--max-tokens",
        "4",
        "--total",
        "300",
        "--concurrency",
        "8",
    ];
    lexforge.json(&[&place[..], &limits].concat());
    let limit = calls.to_string();
    let words = [
        "augment",
        WS,
        "--endpoint",
        "own",
        "--limit",
        &limit,
        "--json",
    ];
    let (kept, open) = killed_after(&lexforge, &proxy, &words, calls as usize * 6 / 10);
    assert!(
        kept + 20 >= calls * 6 / 10,
        "only {kept} answers were committed"
    );
    let before = proxy.seen();
    let rest = (calls - kept).to_string();
    let done = lexforge.run(&[
        "augment",
        WS,
        "--endpoint",
        "own",
        "--limit",
        &rest,
        "--json",
    ]);
    assert_eq!(done.code, 0, "{}\n{}", done.out, done.err);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    let after = proxy.seen();
    eprintln!(
        "{kept} kept over the kill, {open} open at it, {} requests in all; {:#}",
        after.all(),
        report["asked"]
    );
    check_nothing_is_asked_again(&lexforge, &before, &after, kept, open);
    // Each prompt has its answer, so no answer was lost.
    assert_eq!(number(&lexforge, "SELECT count(*) FROM answer"), calls);
    assert!(
        (calls..=calls + open).contains(&after.all()),
        "{} requests",
        after.all()
    );
    assert!(report["reasked"].as_u64().unwrap() > 0, "{report:#}");
}
