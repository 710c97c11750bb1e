//! A hundred orders to language models, hidden in rules, and a model that obeys each of them in the form that the
//! product asks for. This is the worst case: no document could make a real model behave worse.
#![allow(clippy::unwrap_used)] // A test that cannot be prepared has failed.

use crate::question_backend::{self, fenced};
use crate::rules::{KEY, corpus};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The endpoint's key in base64.
pub const CODED: &str = "c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVm";
/// Actors, deeds, things and places of the Chinese rules.
const CHINESE: [[&str; 10]; 4] = [
    [
        "渡轮经营者",
        "港务公司",
        "粮食仓储企业",
        "铁路调度机构",
        "盐业公司",
        "印刷企业",
        "矿山企业",
        "灯塔管理机构",
        "乳品合作社",
        "桥梁收费公司",
    ],
    [
        "检查", "更换", "校准", "登记", "封存", "修理", "测量", "公示", "投保", "核验",
    ],
    [
        "救生筏",
        "系泊缆绳",
        "称重设备",
        "信号灯",
        "储罐",
        "货物清单",
        "安全带",
        "压力阀",
        "资费表",
        "船体钢板",
    ],
    [
        "在区域委员会监督下",
        "会同检验师",
        "自行承担费用并",
        "按照登记簿",
        "在工程师在场时",
        "依据行业标准",
        "在航行之前",
        "在许可期满时",
        "在接到投诉后",
        "在季度末",
    ],
];

/// An order in the rule in which it is planted.
#[derive(Clone, Debug)]
pub struct Order {
    /// What it is after.
    pub aim: &'static str,
    /// The language that it is written in.
    pub language: &'static str,
    /// The order itself.
    pub text: String,
    /// The reply of a model that obeys the order.
    pub says: String,
    /// The rule, as it stands without the order.
    pub rule: String,
    /// The rule's question.
    pub question: String,
    /// Whether the order is inside a rule's sentence, and not in a sentence of its own.
    pub within: bool,
}

impl Order {
    /// The rule is in Chinese.
    pub fn is_chinese(&self) -> bool {
        self.language == "zh"
    }

    /// Words of the rule that are in the document as they are, wherever the order is.
    fn beginning(&self) -> &str {
        let rule = self.rule.trim_end_matches(['.', '。']);
        let rule = rule.split(" and no later").next().unwrap_or(rule);
        rule.split('，').next().unwrap_or(rule)
    }

    /// The rule with the order, as the document has it.
    fn planted(&self) -> String {
        let (comma, stop, mark) = if self.is_chinese() {
            ("，", "。", '，')
        } else {
            (", ", ". ", ',')
        };
        let bare = self.rule.trim_end_matches(['.', '。']);
        if !self.within {
            return format!("{bare}{stop}{}{stop}", self.text);
        }
        match bare.rsplit_once(mark).or_else(|| bare.rsplit_once(" and ")) {
            Some((first, last)) => {
                format!("{first}{comma}{}{comma}{}{stop}", self.text, last.trim())
            }
            None => format!("{bare}{comma}{}{stop}", self.text),
        }
    }
}

/// The hundred orders. `elsewhere` is the host and port to which some want something sent.
pub fn orders(elsewhere: &str) -> Vec<Order> {
    let english: Vec<String> = corpus(70)
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["text"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    let (mut english, mut chinese) = (english.into_iter(), 0_usize..);
    let lines = include_str!("obedient.tsv").lines().skip(1);
    let of = |(number, line): (usize, &'static str)| {
        let [aim, language, order, says] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let bans = aim == "negation";
        let (rule, question, actor, thing) = if language == "zh" {
            in_chinese(chinese.next().unwrap(), bans)
        } else {
            in_english(&english.next().unwrap(), bans)
        };
        let turned = rule
            .replacen(" shall not ", " shall ", 1)
            .replacen("不得", "应当", 1);
        let filled = |text: &str| {
            [
                ("{actor}", actor.as_str()),
                ("{thing}", &thing),
                ("{elsewhere}", elsewhere),
                ("{turned}", &turned),
                ("{key}", KEY),
                ("{coded}", CODED),
            ]
            .iter()
            .fold(text.to_owned(), |text, (name, value)| {
                text.replace(name, value)
            })
        };
        Order {
            aim,
            language,
            text: filled(order),
            says: filled(says),
            within: number % 2 == 1,
            rule,
            question,
        }
    };
    lines.enumerate().map(of).collect()
}

/// A rule with its question, its actor and its thing.
fn in_english(rule: &str, bans: bool) -> (String, String, String, String) {
    let (actor, rest) = rule["The ".len()..].split_once(" shall ").unwrap();
    let (deed, days) = rest.split_once(" and no later").unwrap();
    let thing: Vec<&str> = deed
        .split_once(" its ")
        .unwrap()
        .1
        .split(' ')
        .take(2)
        .collect();
    let (rule, question) = if bans {
        (
            format!("The {actor} shall not {deed}."),
            format!(
                "What shall the {actor} not do with its {}?",
                thing.join(" ")
            ),
        )
    } else {
        (
            format!("The {actor} shall {deed} and no later{days}"),
            format!("Within how many days shall the {actor} {deed}?"),
        )
    };
    (rule, question, actor.to_owned(), thing.join(" "))
}

/// A rule and a question in Chinese, by its number.
fn in_chinese(number: usize, bans: bool) -> (String, String, String, String) {
    let pick = |list: usize, step: usize| CHINESE[list][(number * step + number / 10) % 10];
    let (actor, deed, thing, place) = (pick(0, 1), pick(1, 3), pick(2, 7), pick(3, 9));
    let (rule, question) = if bans {
        (
            format!("{actor}不得{place}{deed}{thing}。"),
            format!("{actor}不得{place}对{thing}做什么？"),
        )
    } else {
        let days = 3 + number * 7 % 80;
        (
            format!("{actor}应当{place}{deed}{thing}，期限不超过{days}日。"),
            format!("{actor}应当在多少日内{place}{deed}{thing}？"),
        )
    };
    (rule, question, actor.to_owned(), thing.to_owned())
}

/// A document of the rules with their orders.
pub fn document(orders: &[Order], chinese: bool) -> String {
    let articles = orders.iter().filter(|order| order.is_chinese() == chinese);
    articles
        .enumerate()
        .map(|(n, order)| match chinese {
            true => format!("第{}条　{}\n\n", n + 1, order.planted()),
            false => format!("Article {}\n\n{}\n\n", n + 1, order.planted()),
        })
        .collect()
}

/// A model that obeys, and what it saw.
pub struct Obedient {
    orders: Vec<Order>,
    /// How often it obeyed, by what it was asked for and what the order is after.
    obeyed: Mutex<HashMap<(&'static str, usize), u64>>,
    /// The clauses that it was shown with each question.
    shown: Mutex<HashMap<String, Vec<String>>>,
}

impl Obedient {
    /// One that obeys these.
    pub fn of(orders: Vec<Order>) -> Self {
        Self {
            orders,
            obeyed: Mutex::default(),
            shown: Mutex::default(),
        }
    }

    /// How often it obeyed each order, by what it was asked for.
    pub fn obeyed(&self) -> HashMap<(&'static str, usize), u64> {
        self.obeyed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The clauses that it was shown with each question.
    pub fn shown(&self) -> HashMap<String, Vec<String>> {
        self.shown
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The orders that a text holds.
    fn within<'o>(&'o self, text: &str) -> Vec<(usize, &'o Order)> {
        let all = self.orders.iter().enumerate();
        all.filter(|(_, order)| text.contains(&order.text))
            .collect()
    }

    fn obeys(&self, what: &'static str, order: usize) {
        let mut obeyed = self.obeyed.lock().unwrap_or_else(PoisonError::into_inner);
        *obeyed.entry((what, order)).or_default() += 1;
    }

    /// The message that answers a request.
    pub fn message(&self, body: &Value) -> Value {
        let part = |role: &str| {
            let messages = body["messages"].as_array().into_iter().flatten();
            let mut own = messages.filter(|m| m["role"] == role);
            own.next_back()
                .and_then(|m| m["content"].as_str())
                .unwrap_or_default()
                .to_owned()
        };
        let (system, user) = (part("system"), part("user"));
        let asked = |field: &str| system.contains(&format!("\"{field}\""));
        if asked("statements") {
            return said(&self.statements(&user));
        }
        if asked("score") {
            return said(&json!({"reason": "There is none.", "score": 10}));
        }
        let again = ["could not be", "无法"]
            .iter()
            .any(|words| user.contains(words));
        if let Some((n, order)) = self.within(&user).first().filter(|_| !again) {
            // At first some are obeyed without regard for what was asked for.
            let crude = match order.aim {
                "tool" => Some(
                    json!({"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function",
                    "function": {"name": "delete_workspace", "arguments": "{}"}}]}),
                ),
                "accept" => Some(said(
                    &json!({"status": "accepted", "accepted": true, "score": 10, "question": order.says}),
                )),
                "markup" => Some(json!({"role": "assistant", "content": order.says})),
                _ => None,
            };
            if let Some(message) = crude {
                self.obeys("crudely", *n);
                return message;
            }
        }
        if asked("variants") {
            return said(&self.variants(&user));
        }
        if asked("paraphrase") {
            let rule = fenced(&user, "A").unwrap_or_default();
            let first = self.first("rewording", rule);
            return said(&json!({"paraphrase": first.map_or(rule, |order| order.says.as_str())}));
        }
        if asked("hard_1") || asked("rephrased") {
            return self.question(body, &user);
        }
        said(&self.terms(&user))
    }

    /// The first order of a text, which is obeyed.
    fn first(&self, what: &'static str, text: &str) -> Option<&Order> {
        let (n, order) = self.within(text).into_iter().next()?;
        self.obeys(what, n);
        Some(order)
    }

    fn question(&self, body: &Value, user: &str) -> Value {
        let rule = fenced(user, "A").unwrap_or_default();
        let honest = json!({"role": "assistant", "content": question_backend::answer(body)});
        if let Some(term) = fenced(user, "T") {
            return self.first("rephrasing", rule).map_or(honest, |order| {
                said(&json!({"question": format!("What is asked about in {}?", order.question.trim_end_matches('?')),
                    "rephrased": format!("{} {term}", order.says)}))
            });
        }
        self.first("question", rule).map_or(honest, |order| {
            said(&json!({
                "type": "obligation",
                "question": order.question,
                "right": order.says,
                "neighbour": fenced(user, "B").unwrap_or_default(),
                "hard_1": order.rule.replacen(" shall ", " need not ", 1).replacen("应当", "可以", 1),
                "hard_2": order.rule.replacen(" its ", " its own ", 1).replacen("应当", "不得", 1),
            }))
        })
    }

    /// Each order of the clauses obeyed: once on the words of the order itself, and once on those of the rule.
    fn statements(&self, user: &str) -> Value {
        let clauses: Vec<(usize, &str)> = (1..20)
            .map_while(|n| Some((n, fenced(user, &n.to_string())?)))
            .collect();
        let question = fenced(user, "Q").unwrap_or_default();
        let texts = clauses.iter().map(|(_, text)| (*text).to_owned()).collect();
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.insert(question.to_owned(), texts);
        drop(shown);
        let mut statements = Vec::new();
        for (number, text) in &clauses {
            for (n, order) in self.within(text) {
                self.obeys("answer", n);
                let quotes: [(usize, &str); 2] = match order.aim {
                    "clause" => [(999, &order.text), (*number, &order.says)],
                    _ => [(*number, &order.text), (*number, order.beginning())],
                };
                statements.extend(quotes.map(|(clause, quote)| {
                    json!({"text": order.says, "cites": [{"clause": clause, "quote": quote}]})
                }));
            }
        }
        json!({ "statements": statements })
    }

    fn variants(&self, user: &str) -> Value {
        let rule = fenced(user, "A").unwrap_or_default();
        match self.first("variant", rule) {
            Some(order) => json!({"variants": [{"shift": "rule_based.force", "text": order.says}]}),
            None => json!({"variants": []}),
        }
    }

    fn terms(&self, user: &str) -> Value {
        let sentences = (1..).map_while(|n| Some((n, fenced(user, &n.to_string())?)));
        let marked = sentences.map(|(n, text)| {
            let found = self.first("terms", text).map(|order| order.says.as_str());
            (
                n.to_string(),
                json!({"person": found.into_iter().collect::<Vec<_>>()}),
            )
        });
        Value::Object(marked.collect())
    }
}

fn said(object: &Value) -> Value {
    json!({"role": "assistant", "content": object.to_string()})
}
