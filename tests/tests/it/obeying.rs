//! A hundred orders in documents, and a model that obeys each of them. The tests follow step by step what happens. The
//! product promises that nothing enters the workspace without a check or a person, and that nothing is sent to another
//! place.

use lexforge_tests::fault_proxy::{Backend, FaultProxy, Weather};
use lexforge_tests::obedient::{CODED, Obedient, Order, document, orders};
use lexforge_tests::product::Product;
use lexforge_tests::rules::{KEY, WS, add, corpus};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

/// Tables that are written only by a person's act or by a measurement, which is not part of this test.
const DECIDED: [&str; 15] = [
    "decision",
    "triplet_decision",
    "match_decision",
    "reply_verdict",
    "reply_preference",
    "certificate",
    "deployment",
    "dataset",
    "evaluation",
    "glossary",
    "packet",
    "pair",
    "run",
    "succession",
    "validity",
];
/// Tables that stay as they were before the model was asked.
const SETTLED: [&str; 4] = ["endpoint", "prompt_version", "document", "sentence"];

/// The outcomes of the texts that the model wrote when it obeyed.
#[derive(Default)]
struct Counts(BTreeMap<(&'static str, String), u64>);

impl Counts {
    fn add(&mut self, step: &'static str, what: &str) {
        *self.0.entry((step, what.to_owned())).or_default() += 1;
    }

    fn of(&self, step: &str, what: &str) -> u64 {
        let own = self.0.iter().filter(|((s, w), _)| *s == step && w == what);
        own.map(|(_, n)| n).sum()
    }

    fn sum(&self, step: &str) -> u64 {
        self.0
            .iter()
            .filter(|((s, _), _)| *s == step)
            .map(|(_, n)| n)
            .sum()
    }
}

struct Tried {
    lexforge: Product,
    orders: Vec<Order>,
    model: Arc<Obedient>,
    proxy: FaultProxy,
    elsewhere: TcpListener,
}

/// A workspace with both documents, and the model that obeys them.
fn tried() -> Option<Tried> {
    let lexforge = Product::find()?;
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let orders = orders(&elsewhere.local_addr().unwrap().to_string());
    assert_eq!(orders.len(), 100);
    for (name, chinese) in [("rules.txt", false), ("规则.txt", true)] {
        let file = lexforge.file(name, document(&orders, chinese).as_bytes());
        lexforge.json(&["import", WS, file.to_str().unwrap()]);
    }
    let model = Arc::new(Obedient::of(orders.clone()));
    let answers = Arc::clone(&model);
    let backend = move |body: &Value| answers.message(body);
    let proxy = FaultProxy::start(Backend::Message(Box::new(backend)), Weather::default());
    add(&lexforge, &proxy.url(), &[]);
    Some(Tried {
        lexforge,
        orders,
        model,
        proxy,
        elsewhere,
    })
}

fn database(lexforge: &Product) -> Connection {
    Connection::open_with_flags(lexforge.path(WS), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap()
}

/// Rows of a query, each as texts.
fn rows(lexforge: &Product, sql: &str) -> Vec<Vec<String>> {
    let connection = database(lexforge);
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let read = statement.query_map([], |row| {
        (0..columns)
            .map(|n| Ok(format!("{}", Shown(row.get_ref(n)?))))
            .collect::<Result<Vec<_>, _>>()
    });
    read.unwrap().collect::<Result<_, _>>().unwrap()
}

struct Shown<'v>(rusqlite::types::ValueRef<'v>);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use rusqlite::types::ValueRef;
        match self.0 {
            ValueRef::Null => Ok(()),
            ValueRef::Integer(n) => write!(out, "{n}"),
            ValueRef::Real(n) => write!(out, "{n}"),
            ValueRef::Text(text) => write!(out, "{}", String::from_utf8_lossy(text)),
            ValueRef::Blob(bytes) => write!(out, "{bytes:?}"),
        }
    }
}

fn settled(lexforge: &Product) -> Vec<Vec<Vec<String>>> {
    SETTLED
        .map(|table| rows(lexforge, &format!("SELECT * FROM {table} ORDER BY 1")))
        .into()
}

/// One spelling for blanks.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text is what a model says that obeys one of the orders.
fn obeys(orders: &[Order], text: &str) -> bool {
    let text = plain(text);
    let mut says = orders.iter().map(|order| plain(&order.says));
    says.any(|says| text == says || text.starts_with(&format!("{says} ")))
}

#[test]
fn a_model_that_obeys_a_hundred_orders_changes_nothing_that_nobody_admitted() {
    let Some(tried) = tried() else { return };
    let lexforge = &tried.lexforge;
    let before = settled(lexforge);
    let mut counts = Counts::default();
    // Where all that it proposes is turned down there is nothing to keep, and that is an error.
    let proposed = lexforge.run(&["terms", "extract", WS, "--endpoint", "firm", "--json"]);
    let nothing_kept = proposed.err.contains("endpoint_answer");
    assert!(proposed.code == 0 || nothing_kept, "{}", proposed.err);
    terms(&tried, &mut counts);
    // The graph uses terms that were found without a model. An obeying model names hardly any terms, and sentences
    // without terms have no neighbours to ask about.
    let found = lexforge.json(&["terms", "extract", WS]);
    // By their words nearly all are known for what they are.
    let flagged = found["flagged"].as_u64().unwrap();
    assert!(flagged >= 95, "{found:#}");
    lexforge.json(&["graph", "build", WS, "--encoder", "lsa"]);
    let asked_about = lexforge.json(&["augment", WS, "--endpoint", "firm", "--judge"]);
    left_out(&mut counts, "questions", &asked_about);
    let questions = rows(
        lexforge,
        "SELECT choices, answer, rephrased FROM qca WHERE source = 'llm'",
    );
    let made = lexforge.json(&["triplets", "make", WS, "--endpoint", "firm"]);
    left_out(&mut counts, "triplets", &made);
    // If no answer could be used, nothing is written, and the report lists what was refused.
    for (reason, many) in made["turned_down"].as_object().unwrap() {
        for _ in 0..many.as_u64().unwrap() {
            counts.add("triplets", &format!("refused: {reason}"));
        }
    }
    let table: String = tried
        .orders
        .iter()
        .map(|o| format!("\"{}\"\n", o.question))
        .collect();
    lexforge.file("q.csv", format!("question\n{table}").as_bytes());
    let asked = [
        "ask",
        WS,
        "--batch",
        "q.csv",
        "--out",
        "a.csv",
        "--with",
        "endpoint:firm",
    ];
    let report = lexforge.json(&asked);

    written(&tried, &questions, &mut counts);
    triplets(&tried, &mut counts);
    answers(&tried, &mut counts);
    told(&tried, &counts, &report);

    // The model saw and obeyed nearly all of them somewhere.
    let obeyed: BTreeSet<usize> = tried.model.obeyed().keys().map(|(_, n)| *n).collect();
    assert!(
        obeyed.len() >= 95,
        "only {} orders were obeyed",
        obeyed.len()
    );
    for step in ["terms", "questions", "triplets", "answers"] {
        assert!(
            counts.sum(step) >= 20,
            "{step}: hardly anything was obeyed or left out"
        );
        assert_eq!(counts.of(step, "accepted"), 0, "{step}");
    }
    // Nobody decided, and nothing counts as decided.
    for table in DECIDED {
        assert_eq!(
            rows(lexforge, &format!("SELECT count(*) FROM {table}")),
            [["0"]],
            "{table}"
        );
    }
    let verdicts = "SELECT * FROM verdict WHERE status <> 'unreviewed'";
    assert_eq!(rows(lexforge, verdicts), Vec::<Vec<String>>::new());
    assert!(
        settled(lexforge) == before,
        "endpoints, prompts or documents have changed"
    );
    // Nothing was sent to another place: there was no other connection, and no request that the endpoints did not see.
    let nobody = tried.elsewhere.accept().map(|(_, who)| who);
    assert_eq!(nobody.unwrap_err().kind(), ErrorKind::WouldBlock);
    let requests = rows(lexforge, "SELECT count(*) FROM request");
    assert_eq!(requests, [[tried.proxy.seen().all().to_string()]]);
    // The key came back in answers and stands nowhere.
    assert_eq!(holding(&lexforge.path(""), &[KEY, CODED]), ["key"]);
    // No cell of the table of answers is a formula.
    let table = std::fs::read_to_string(lexforge.path("a.csv")).unwrap();
    assert!(!table.contains("\"=") && !table.contains(",="), "{table}");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}

/// Sentences that were recognised as orders: no question is asked about them.
fn left_out(counts: &mut Counts, step: &'static str, report: &Value) {
    for _ in 0..report["skipped"]["speaks_to_model"]
        .as_u64()
        .unwrap_or_default()
    {
        counts.add(step, "left out: it speaks to a model");
    }
}

/// Terms of an obeying model: each stands in its sentence and waits for a person.
fn terms(tried: &Tried, counts: &mut Counts) {
    let found = rows(
        &tried.lexforge,
        "SELECT t.text, coalesce(v.status, 'unreviewed') FROM term t
        LEFT JOIN verdict v ON v.kind = 'term' AND v.first = t.id AND v.second = 0",
    );
    let documents =
        plain(&[false, true].map(|zh| document(&tried.orders, zh)).concat()).to_lowercase();
    let proposed: u64 = tried
        .model
        .obeyed()
        .iter()
        .filter(|((what, _), _)| *what == "terms")
        .map(|(_, n)| n)
        .sum();
    for row in found.iter().filter(|row| obeys(&tried.orders, &row[0])) {
        assert!(
            documents.contains(&plain(&row[0]).to_lowercase()),
            "{row:?}"
        );
        counts.add(
            "terms",
            if row[1] == "unreviewed" {
                "left to a person"
            } else {
                "accepted"
            },
        );
    }
    let taken = counts.sum("terms");
    counts.0.insert(
        ("terms", "refused by a check".to_owned()),
        proposed.saturating_sub(taken),
    );
}

fn written(tried: &Tried, questions: &[Vec<String>], counts: &mut Counts) {
    for row in questions {
        let choices: Vec<String> = serde_json::from_str(&row[0]).unwrap();
        let right = &choices[row[1].parse::<usize>().unwrap()];
        if obeys(&tried.orders, right) || obeys(&tried.orders, &row[2]) {
            counts.add("questions", "left to a person");
        }
    }
    let drafts = "SELECT choices, answer, rephrased, reason FROM rejected_draft";
    for row in rows(&tried.lexforge, drafts) {
        let choices: Vec<String> = serde_json::from_str(&row[0]).unwrap_or_default();
        let right = choices
            .get(row[1].parse::<usize>().unwrap())
            .cloned()
            .unwrap_or_default();
        if obeys(&tried.orders, &right) || obeys(&tried.orders, &row[2]) {
            counts.add("questions", &format!("refused: {}", row[3]));
        }
    }
    let crude = tried.model.obeyed();
    let crude = crude.iter().filter(|((what, _), _)| *what == "crudely");
    let unreadable = crude.map(|(_, n)| n).sum();
    counts
        .0
        .insert(("questions", "refused: unreadable".to_owned()), unreadable);
}

fn triplets(tried: &Tried, counts: &mut Counts) {
    for row in rows(
        &tried.lexforge,
        "SELECT negative, positive, reason FROM triplet",
    ) {
        let obeyed = obeys(&tried.orders, &row[0]) || obeys(&tried.orders, &row[1]);
        if obeyed && row[2].is_empty() {
            counts.add("triplets", "left to a person");
        }
    }
}

/// Statements of an obeying model: what is kept cites a clause that the model was shown, with words that are there.
fn answers(tried: &Tried, counts: &mut Counts) {
    let shown: HashMap<String, Vec<String>> = tried.model.shown();
    for row in rows(&tried.lexforge, "SELECT answer FROM reply") {
        let answer: Value = serde_json::from_str(&row[0]).unwrap();
        let clauses = shown.get(answer["question"].as_str().unwrap());
        for statement in answer["statements"].as_array().unwrap() {
            let text = statement["text"].as_str().unwrap();
            if !obeys(&tried.orders, text) {
                continue;
            }
            if statement["kept"] != true {
                let reason = statement["reason"].as_str().unwrap();
                counts.add("answers", &format!("struck: {reason}"));
                continue;
            }
            counts.add("answers", "kept, with the words that bear it out");
            let cited = statement["citations"].as_array().unwrap();
            assert!(!cited.is_empty(), "{statement:#}");
            for place in cited {
                let citation = &answer["citations"][place.as_u64().unwrap() as usize];
                let quote = plain(citation["quote"].as_str().unwrap());
                let stands = clauses
                    .unwrap()
                    .iter()
                    .any(|clause| plain(clause).contains(&quote));
                assert!(stands, "{text}\n{citation:#}");
            }
        }
    }
}

/// Without a model the clauses themselves are the answer: no order among them is quoted as one.
#[test]
fn no_order_is_quoted_as_an_answer() {
    let Some(tried) = tried() else { return };
    let lexforge = &tried.lexforge;
    let mut answered = 0;
    for order in tried.orders.iter().filter(|order| !order.within) {
        let answer = lexforge.json(&["ask", WS, &order.question]);
        let said = plain(answer["answer"].as_str().unwrap());
        assert!(!said.contains(&plain(&order.text)), "{answer:#}");
        answered += usize::from(said.contains(order.rule.trim_end_matches(['.', '。'])));
    }
    // The rule beside the order is.
    assert!(answered >= 10, "only {answered} rules were quoted");
}

/// The counts, for whoever reads the test's output.
fn told(tried: &Tried, counts: &Counts, report: &Value) {
    let obeyed = tried.model.obeyed();
    let mut steps: BTreeMap<&str, (u64, BTreeSet<usize>)> = BTreeMap::new();
    for ((what, n), times) in obeyed {
        let step = steps.entry(what).or_default();
        step.0 += times;
        step.1.insert(n);
    }
    for (what, (times, orders)) in &steps {
        eprintln!("obeyed, {what}: {times} times, {} orders", orders.len());
    }
    for ((step, what), n) in &counts.0 {
        eprintln!("{step}\t{what}\t{n}");
    }
    eprintln!("asked: {report}\nrequests: {}", tried.proxy.seen().all());
}

/// Names of the files that hold one of these words.
fn holding(folder: &Path, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, words));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        if words
            .iter()
            .any(|word| bytes.windows(word.len()).any(|w| w == word.as_bytes()))
        {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found.sort();
    found
}

/// Statements of a policy that order a verdict: no rule is covered that is not covered without them.
#[test]
fn orders_in_a_policy_cover_no_rule() {
    let Some(tried) = tried() else { return };
    let lexforge = &tried.lexforge;
    let covering: Vec<&Order> = tried.orders.iter().filter(|o| !o.is_chinese()).collect();
    // Every second rule is held; the orders stand beside.
    let held: String = covering
        .iter()
        .step_by(2)
        .map(|order| format!("{}\n\n", order.rule))
        .collect();
    let told: String = covering
        .iter()
        .map(|order| format!("{}.\n\n", order.text))
        .collect();
    // Rules that contain an order are skipped. These rules contain none.
    let plain_rules: Vec<String> = corpus(130)
        .lines()
        .skip(70)
        .map(|line| {
            let rule: Value = serde_json::from_str(line).unwrap();
            rule["text"].as_str().unwrap().to_owned()
        })
        .collect();
    let file = lexforge.file("plain-rules.txt", plain_rules.join("\n\n").as_bytes());
    lexforge.json(&["import", WS, file.to_str().unwrap()]);
    let held: String = plain_rules
        .iter()
        .step_by(2)
        .fold(held, |held, rule| format!("{held}{rule}\n\n"));
    let mut verdicts = Vec::new();
    for (number, policy) in [("4", held.clone()), ("5", format!("{held}{told}"))] {
        let file = lexforge.file(&format!("policy-{number}.txt"), policy.as_bytes());
        lexforge.json(&["import", WS, file.to_str().unwrap()]);
        let words = [
            "match",
            WS,
            "--rules",
            "1,3",
            "--policies",
            number,
            "--words",
        ];
        let covered: BTreeMap<String, String> = lexforge
            .lines(&words)
            .iter()
            .map(|row| {
                assert_eq!(row["status"], "unreviewed", "{row:#}");
                let rule = row["rule"]["text"].as_str().unwrap().to_owned();
                (rule, row["verdict"].as_str().unwrap().to_owned())
            })
            .collect();
        verdicts.push(covered);
    }
    let count = |of: &BTreeMap<String, String>, verdict: &str| {
        of.values().filter(|v| *v == verdict).count()
    };
    for verdict in ["covered", "partly", "contradicted", "not_covered"] {
        eprintln!(
            "{verdict}: {} without orders, {} with them",
            count(&verdicts[0], verdict),
            count(&verdicts[1], verdict)
        );
    }
    assert!(verdicts[0].len() > 50 && count(&verdicts[0], "covered") > 10);
    let newly: Vec<&String> = verdicts[1]
        .iter()
        .filter(|(rule, verdict)| *verdict == "covered" && verdicts[0][*rule] != "covered")
        // The orders themselves stand among the rules.
        .filter(|(rule, _)| {
            !tried
                .orders
                .iter()
                .any(|order| plain(rule).contains(&plain(&order.text)))
        })
        .map(|(rule, _)| rule)
        .collect();
    assert!(newly.is_empty(), "{newly:#?}");
    assert_eq!(
        rows(lexforge, "SELECT count(*) FROM match_decision"),
        [["0"]]
    );
    let nobody = tried.elsewhere.accept().map(|(_, who)| who);
    assert_eq!(nobody.unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(tried.proxy.connections(), 0, "no model is asked to match");
    assert_eq!(lexforge.json(&["audit", "verify", WS])["ok"], true);
}
