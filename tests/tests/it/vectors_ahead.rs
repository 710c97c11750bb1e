//! Vectors that are made before there is a graph, by `vectors` and by an import. The tests add documents,
//! continue an interrupted command, and build a graph that takes over the vectors.

use lexforge_tests::product::{Product, program};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const WS: &str = "a.lexforge";
const QUESTION: &str = "How long do we have to answer somebody who asks which data we hold?";
const ENCODER: &str = "all-MiniLM-L6-v2 (mean)";

fn with_worker() -> Option<Product> {
    program("LEXFORGE_WORKER", "lexforge-worker")?;
    Product::find()
}

/// A corpus file of rules of our own.
fn rules(name: &str, count: usize) -> String {
    let actors = [
        "controller",
        "processor",
        "harbour master",
        "ferry operator",
    ];
    let duties = [
        "shall reply to a request for access within one month of its receipt",
        "keeps a register of its processing activities",
        "sends the inspection report to the inspector before each voyage",
        "shall not lend client money without consent in writing",
    ];
    let rule = |i: usize| {
        let (actor, duty) = (actors[i % 4], duties[(i / 4) % 4]);
        let text = format!("The {actor} {duty} in case {i} of list {name}.");
        json!({"id": format!("{name}{i}"), "text": text}).to_string() + "\n"
    };
    (0..count).map(rule).collect()
}

fn import(lexforge: &Product, name: &str, count: usize, more: &[&str]) {
    let file = lexforge.file(&format!("{name}.jsonl"), rules(name, count).as_bytes());
    lexforge.json(&[&["import", WS, file.to_str().unwrap()], more].concat());
}

/// What the search of a question uses, and whether the answer says that it used only words.
fn index(lexforge: &Product) -> (String, bool) {
    let answer = lexforge.json(&["ask", WS, QUESTION]);
    let notes = answer["notes"].as_array().unwrap();
    let words_only = notes.iter().any(|note| note["note"] == "words_only");
    let encoder = answer["index"]["encoder"].as_str().unwrap_or_default();
    (encoder.to_owned(), words_only)
}

fn read_only(lexforge: &Product) -> Connection {
    Connection::open_with_flags(lexforge.path(WS), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

fn made(lexforge: &Product) -> u64 {
    lexforge.json(&["vectors", WS])["made"].as_u64().unwrap()
}

fn nearest(lexforge: &Product) -> Vec<(Value, f64)> {
    let hits = lexforge.lines(&["search", WS, QUESTION, "--mode", "dense", "--top", "5"]);
    let hit = |hit: &Value| (hit["id"].clone(), hit["score"].as_f64().unwrap());
    hits.iter().map(hit).collect()
}

#[test]
fn an_import_is_searched_by_meaning_before_there_is_a_graph() {
    let Some(lexforge) = with_worker() else {
        return;
    };
    import(&lexforge, "a", 24, &[]);
    assert_eq!(index(&lexforge), (String::new(), true));
    let said = lexforge.run(&["ask", WS, QUESTION]);
    assert!(said.out.contains("lexforge vectors"), "{}", said.out);

    assert_eq!(made(&lexforge), 24);
    assert_eq!(index(&lexforge), (ENCODER.to_owned(), false));
    assert_eq!(made(&lexforge), 0);
    // With vectors of some sentences only, the others would be found less.
    import(&lexforge, "b", 4, &["--no-vectors"]);
    assert_eq!(index(&lexforge), (String::new(), true));
    // Nor does a further import make up for it unasked.
    import(&lexforge, "c", 2, &[]);
    assert_eq!(index(&lexforge), (String::new(), true));
    import(&lexforge, "d", 2, &["--vectors"]);
    assert_eq!(made(&lexforge), 0);
    // Where all sentences have vectors, so have the new ones.
    import(&lexforge, "e", 4, &[]);
    assert_eq!(index(&lexforge), (ENCODER.to_owned(), false));
    assert_eq!(made(&lexforge), 0);
    let before = nearest(&lexforge);

    // The graph takes them over: only terms are embedded.
    lexforge.json(&["terms", "extract", WS]);
    let built = lexforge.run(&["graph", "build", WS, "--json"]);
    assert_eq!(built.code, 0, "{}", built.err);
    let stats: Value = serde_json::from_str(&built.out).unwrap();
    assert_eq!(stats["sentences"], 36);
    let embedded = built.err.lines().rfind(|line| line.starts_with("embed "));
    let embedded = embedded.and_then(|line| line.rsplit(' ').next());
    assert_eq!(
        embedded.and_then(|n| n.parse::<u64>().ok()),
        stats["entities"].as_u64(),
        "{}",
        built.err
    );
    let after = nearest(&lexforge);
    assert_eq!(before.len(), after.len());
    for ((id, score), (same, now)) in before.iter().zip(&after) {
        assert!(
            id == same && (score - now).abs() < 1e-6,
            "{before:?} {after:?}"
        );
    }
    assert_eq!(made(&lexforge), 0);

    // What comes after the graph is searched before the graph is updated, and the update makes none of it again.
    // Until then each search by vectors says how many sentences lack one, and an answer keeps that.
    import(&lexforge, "f", 4, &["--no-vectors"]);
    let ask = ["ask", WS, QUESTION];
    let near = ["search", WS, QUESTION, "--mode", "hybrid", "--top", "3"];
    for missing in [true, false] {
        for told in [lexforge.run(&ask).out, lexforge.run(&near).err] {
            assert_eq!(
                told.contains("4 sentences without a vector"),
                missing,
                "{told}"
            );
        }
        let newest = lexforge.lines(&["ask", WS, "--history"])[0]["id"].to_string();
        let kept = lexforge.json(&["ask", WS, "--again", &newest]);
        let note = json!({"note": "without_vectors", "sentences": 4, "made_by": "vectors"});
        let notes = kept["notes"].as_array().unwrap();
        assert_eq!(notes.contains(&note), missing, "{notes:?}");
        assert_eq!(made(&lexforge), if missing { 4 } else { 0 });
    }
    let of_f = |hits: Vec<Value>| {
        let is_of_f = |hit: &&Value| {
            hit["external_id"]
                .as_str()
                .is_some_and(|id| id.starts_with('f'))
        };
        hits.iter().filter(is_of_f).count()
    };
    let all = ["search", WS, QUESTION, "--mode", "dense", "--top", "40"];
    assert_eq!(of_f(lexforge.lines(&all)), 4);
    lexforge.json(&["terms", "extract", WS]);
    let update = lexforge.json(&["graph", "update", WS]);
    assert_eq!(update["stats"]["sentences"], 40);
    assert_eq!(of_f(lexforge.lines(&all)), 4);
    assert_eq!(made(&lexforge), 0);
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

#[test]
fn two_programs_at_once_keep_each_vector_once() {
    const ALL: usize = 200;
    let Some(lexforge) = with_worker() else {
        return;
    };
    import(&lexforge, "a", ALL, &[]);
    let mut other = lexforge.start(&["vectors", WS]);
    made(&lexforge);
    assert!(other.wait().unwrap().success());
    let database = read_only(&lexforge);
    let sql = "SELECT sum(length(ids)) / 8 FROM embedding WHERE name LIKE 'sentence %'";
    let kept: i64 = database.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, ALL as i64);
    assert_eq!(index(&lexforge), (ENCODER.to_owned(), false));
}

#[test]
fn vectors_that_were_made_before_a_kill_stay() {
    const ALL: usize = 1_100;
    let Some(lexforge) = with_worker() else {
        return;
    };
    import(&lexforge, "a", ALL, &[]);
    let mut child = lexforge.start(&["vectors", WS]);
    let database = read_only(&lexforge);
    let kept = || -> i64 {
        let sql = "SELECT count(*) FROM embedding WHERE name LIKE 'sentence %'";
        database.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let begun = Instant::now();
    while kept() == 0 {
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "no vectors come"
        );
        assert!(child.try_wait().unwrap().is_none() || kept() > 0);
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let rest = made(&lexforge);
    assert!((1..ALL as u64).contains(&rest), "{rest}");
    assert_eq!(index(&lexforge), (ENCODER.to_owned(), false));
}

/// Rules of a harbour in Chinese, and questions that share hardly a word with the rule that answers, by its place.
const CHINESE: [&str; 12] = [
    "船长应当自靠泊之日起十日内缴纳港口费用。",
    "引航员应当每两年接受一次体格检查。",
    "港务局负责航道的疏浚和维护。",
    "渡轮公司应当保存航海日志，保存期限不少于六年。",
    "夜间进港的船舶应当悬挂两盏红灯。",
    "装卸危险货物的，应当提前四十八小时申报。",
    "拖轮不得在主航道内停泊。",
    "码头经营人应当为受伤人员提供急救。",
    "违反本办法规定的，由港务局处以罚款。",
    "港口设施的安全检查每季度进行一次。",
    "旅客携带的宠物应当装入笼中。",
    "船舶垃圾应当交由有资质的单位接收处理。",
];
const IN_OTHER_WORDS: [(&str, usize); 4] = [
    ("客船企业的行程记录要留多久？", 3),
    ("坐船可以带猫狗吗？", 10),
    ("有人伤了，谁来救治？", 7),
    ("医生多久给带路的船员看一次身体？", 1),
];

#[test]
fn chinese_is_searched_by_meaning_before_there_is_a_graph() {
    const MULTILINGUAL: &str = "multilingual-e5-small-q4 (mean, prompts)";
    let Some(lexforge) = with_worker() else {
        return;
    };
    if lexforge_needs::model("multilingual-e5-small-q4").is_none() {
        return;
    }
    let line = |(i, text): (usize, &&str)| {
        json!({"id": format!("zh{i}"), "text": text}).to_string() + "\n"
    };
    let rules: String = CHINESE.iter().enumerate().map(line).collect();
    let file = lexforge.file("zh.jsonl", rules.as_bytes());
    lexforge.json(&["import", WS, file.to_str().unwrap()]);
    let encoder = || {
        let answer = lexforge.json(&["ask", WS, IN_OTHER_WORDS[0].0]);
        answer["index"]["encoder"].as_str().unwrap().to_owned()
    };
    // The first answer waits for nothing.
    assert_eq!(encoder(), "");
    assert_eq!(made(&lexforge), CHINESE.len() as u64);
    let all_are_found = || {
        assert_eq!(encoder(), MULTILINGUAL);
        for (question, place) in IN_OTHER_WORDS {
            let words = ["search", WS, question, "--mode", "dense", "--top", "3"];
            let hits = lexforge.lines(&words);
            let id = format!("zh{place}");
            assert_eq!(hits[0]["external_id"], id, "{question}: {hits:?}");
            // For the question it is among the first clauses.
            let answer = lexforge.json(&["ask", WS, question]);
            let passages = answer["passages"].as_array().unwrap();
            let is_it = |p: &Value| p["text"].as_str().unwrap().contains(CHINESE[place]);
            assert!(
                passages.iter().take(3).any(is_it),
                "{question}: {passages:?}"
            );
        }
    };
    all_are_found();
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}
