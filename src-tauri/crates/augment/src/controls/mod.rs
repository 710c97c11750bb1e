//! Tests whether questions have shortcuts: can somebody who does not know the rule answer the question? The three
//! shortcut controls (docs/methods.md, "Evaluation") are run on the questions of whole regulations. They only look at
//! the words, the length and the place of a choice, and at how much of it occurs word for word in the documents. None
//! of them reads the rule that the question is about.

mod corpus;
mod sample;

use crate::{Deduplicator, OfflineWriter, QuestionWriter, SkipReason, validate};
use corpus::{Corpus, Line, dot, sentences, unit};
use lexforge_domain::qca::{QcaDraft, QcaLevel};
use lexforge_domain::text::{Language, SentenceKind};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// The questions of a corpus and how they came about.
struct Set {
    drafts: Vec<QcaDraft>,
    /// Rules that the sentence level was asked about, without those too short, too long or broken off.
    rules: usize,
    answered: usize,
    reasons: BTreeMap<String, usize>,
}

fn write(corpus: &Corpus, seed: u64) -> Set {
    let mut writer = OfflineWriter::new(seed);
    let mut dedup = Deduplicator::new();
    let mut set = Set {
        drafts: Vec::new(),
        rules: 0,
        answered: 0,
        reasons: BTreeMap::new(),
    };
    for index in 0..corpus.lines.len() {
        let anchor = corpus.anchor(index);
        let sentence = writer.sentence_questions(&anchor);
        match &sentence {
            Ok(_) => (set.rules, set.answered) = (set.rules + 1, set.answered + 1),
            Err(skip) => {
                *set.reasons
                    .entry(format!("sentence: {}", skip.reason.tag()))
                    .or_default() += 1;
                let no_rule = [
                    SkipReason::NotARule,
                    SkipReason::Fragment,
                    SkipReason::TooShort,
                    SkipReason::NoNeighbour,
                ];
                set.rules += usize::from(!no_rule.contains(&skip.reason));
            }
        }
        let token = writer.token_questions(&anchor);
        if let Err(skip) = &token {
            *set.reasons
                .entry(format!("token: {}", skip.reason.tag()))
                .or_default() += 1;
        }
        for draft in sentence.into_iter().chain(token).flatten() {
            assert_eq!(validate(&draft, &anchor), Ok(()), "{draft:?}");
            match dedup.admit(&draft) {
                Ok(()) => set.drafts.push(draft),
                Err(r) => {
                    *set.reasons
                        .entry(format!("{} rejected: {}", draft.level.tag(), r.tag()))
                        .or_default() += 1
                }
            }
        }
    }
    set
}

/// Accuracy of "take the choice with the highest score"; a tie counts by its share.
fn accuracy(drafts: &[&QcaDraft], score: impl Fn(&QcaDraft, usize) -> f64) -> f64 {
    let right = drafts.iter().map(|d| {
        let scores: Vec<f64> = (0..d.choices.len()).map(|i| score(d, i)).collect();
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        let tied = scores.iter().filter(|s| (**s - best).abs() < 1e-9).count();
        if (scores[d.answer] - best).abs() < 1e-9 {
            1.0 / tied as f64
        } else {
            0.0
        }
    });
    right.sum::<f64>() / drafts.len() as f64
}

fn bag(text: &str, chars: usize) -> HashMap<String, f64> {
    let mut bag: HashMap<String, f64> = HashMap::new();
    if chars == 0 {
        for word in lexforge_text::words(text) {
            *bag.entry(word).or_default() += 1.0;
        }
    } else {
        let all: Vec<char> = text.to_lowercase().chars().collect();
        for gram in all.windows(chars) {
            *bag.entry(gram.iter().collect()).or_default() += 1.0;
        }
    }
    unit(bag)
}

fn medoid(draft: &QcaDraft, choice: usize, chars: usize) -> f64 {
    let bags: Vec<HashMap<String, f64>> = draft.choices.iter().map(|c| bag(c, chars)).collect();
    (0..bags.len())
        .filter(|i| *i != choice)
        .map(|i| dot(&bags[i], &bags[choice]))
        .sum()
}

/// Share of the word five-grams of a choice that are in the corpus.
fn overlap(corpus: &HashSet<String>, choice: &str) -> f64 {
    let grams = grams(choice);
    grams.iter().filter(|g| corpus.contains(*g)).count() as f64 / grams.len().max(1) as f64
}

fn grams(text: &str) -> Vec<String> {
    let words = lexforge_text::words(text);
    if words.len() < 5 {
        vec![words.join(" ")]
    } else {
        words.windows(5).map(|w| w.join(" ")).collect()
    }
}

/// The controls of one level: (name, accuracy).
fn controls(corpus: &Corpus, drafts: &[QcaDraft], level: QcaLevel) -> Vec<(&'static str, f64)> {
    let of_level: Vec<&QcaDraft> = drafts.iter().filter(|d| d.level == level).collect();
    let known: HashSet<String> = corpus
        .lines
        .iter()
        .flat_map(|l| {
            grams(&format!(
                "{} {}",
                l.lead_in.as_deref().unwrap_or(""),
                l.text
            ))
        })
        .collect();
    vec![
        ("chance", accuracy(&of_level, |_, _| 0.0)),
        (
            "choices only, words",
            accuracy(&of_level, |d, i| medoid(d, i, 0)),
        ),
        (
            "choices only, character trigrams",
            accuracy(&of_level, |d, i| medoid(d, i, 3)),
        ),
        (
            "longest choice",
            accuracy(&of_level, |d, i| d.choices[i].chars().count() as f64),
        ),
        (
            "highest verbatim overlap",
            accuracy(&of_level, |d, i| overlap(&known, &d.choices[i])),
        ),
        ("first choice", accuracy(&of_level, |_, i| -(i as f64))),
    ]
}

/// Every control within `points` of chance, and as many questions as the rules should give.
fn check(name: &str, corpus: &Corpus, least: usize, points: f64) {
    let set = write(corpus, 42);
    let share = set.answered as f64 / set.rules.max(1) as f64;
    println!(
        "{name}: {} lines, {} rules, {share:.2} with a sentence question, {} questions",
        corpus.lines.len(),
        set.rules,
        set.drafts.len()
    );
    println!("  {:?}", set.reasons);
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    let of_level = |level| set.drafts.iter().filter(|d| d.level == level).count();
    println!(
        "  {} sentence, {} term",
        of_level(QcaLevel::Sentence),
        of_level(QcaLevel::Token)
    );
    for draft in &set.drafts {
        *types.entry(draft.question_type.tag()).or_default() += 1;
    }
    println!("  {types:?}");
    for level in [QcaLevel::Sentence, QcaLevel::Token] {
        if !set.drafts.iter().any(|d| d.level == level) {
            continue;
        }
        let all = controls(corpus, &set.drafts, level);
        println!(
            "  {}: {}",
            level.tag(),
            all.iter()
                .map(|(n, a)| format!("{n} {a:.3}"))
                .collect::<Vec<_>>()
                .join(", ")
        );
        let drafts: Vec<&QcaDraft> = set.drafts.iter().filter(|d| d.level == level).collect();
        println!(
            "    (with the question, by words: {:.3})",
            accuracy(&drafts, |d, i| dot(
                &bag(&d.question, 0),
                &bag(&d.choices[i], 0)
            ))
        );
        let chance = all[0].1;
        for (control, value) in all.iter().filter(|_| drafts.len() >= 40) {
            let off = if level == QcaLevel::Sentence {
                (value - chance).abs()
            } else {
                value - chance
            };
            assert!(
                off <= points,
                "{name}, {}, {control}: {value:.3} against {chance:.3}",
                level.tag()
            );
        }
    }
    assert!(set.drafts.len() >= least, "{} questions", set.drafts.len());
    assert!(share >= 0.4, "{share:.2} of the rules have a question");
    show(&set.drafts);
}

/// Prints some questions for a reader where `LEXFORGE_SHOW` says how many.
fn show(drafts: &[QcaDraft]) {
    let Some(count) = std::env::var("LEXFORGE_SHOW")
        .ok()
        .and_then(|n| n.parse::<usize>().ok())
    else {
        return;
    };
    for level in [QcaLevel::Sentence, QcaLevel::Token] {
        let of_level: Vec<&QcaDraft> = drafts.iter().filter(|d| d.level == level).collect();
        for draft in of_level
            .iter()
            .step_by((of_level.len() / count).max(1))
            .take(count)
        {
            println!("\n[{}] {}", draft.question_type.tag(), draft.question);
            for (i, choice) in draft.choices.iter().enumerate() {
                let mark = if i == draft.answer { "*" } else { " " };
                println!("  {mark} {choice}   {:?}", draft.origins[i]);
            }
        }
    }
}

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

fn line(text: &str, heading: &str, lead_in: Option<&str>, kind: SentenceKind) -> Line {
    Line {
        text: text.to_owned(),
        heading: heading.to_owned(),
        section: String::new(),
        title: String::new(),
        lead_in: lead_in.map(str::to_owned),
        kind,
    }
}

/// The section path that belongs to the number of a passage: `1.2.1.(3)` becomes `1.2.1 › 3`, and `1.2.1.Guidance.2`
/// becomes `1.2.1 › Guidance › 2`.
fn path(number: &str) -> String {
    let number = number
        .trim()
        .replace(".Guidance", ".(Guidance)")
        .replace("(Guidance).", "(Guidance).(");
    let parts = number.split(".(").map(|p| p.trim_matches(['(', ')', '.']));
    parts
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join(" › ")
}

#[test]
fn our_own_regulation_gives_fair_questions() {
    check(
        "our own",
        &Corpus::new(Language::En, sample::english()),
        60,
        0.10,
    );
}

#[test]
fn our_own_chinese_regulation_gives_fair_questions() {
    check(
        "our own, Chinese",
        &Corpus::new(Language::Zh, sample::chinese()),
        40,
        0.15,
    );
}

#[test]
fn the_gdpr_gives_fair_questions() {
    let Some(data) = data() else { return };
    let file = data.join("pdf-gold-gdpr/gdpr_gold_articles_1-50_recitals_1-86.json");
    let gold: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut lines = Vec::new();
    for article in gold["articles"].as_array().unwrap() {
        let (title, text) = (
            article["title"].as_str().unwrap_or(""),
            article["text"].as_str().unwrap(),
        );
        let mut lead: Option<String> = None;
        let mut marker = "";
        let number = article["number"].as_str().unwrap();
        let mut section = format!("Article {number}");
        for paragraph in text.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
            if paragraph.starts_with('(') && paragraph.ends_with(')') && paragraph.len() < 7 {
                marker = paragraph;
                continue;
            }
            let item = !marker.is_empty();
            if item {
                let section = format!("{section} › {marker}");
                lines.push(Line {
                    section,
                    ..line(paragraph, title, lead.as_deref(), SentenceKind::ListItem)
                });
                marker = "";
                continue;
            }
            // "3.   The controller …": a numbered paragraph.
            if let Some((label, _)) = paragraph
                .split_once('.')
                .filter(|(l, _)| l.len() < 3 && l.parse::<u32>().is_ok())
            {
                section = format!("Article {number} › {label}");
            }
            for sentence in sentences(&lexforge_text::fold::tidy(paragraph)) {
                lead = sentence.ends_with(':').then(|| sentence.clone());
                lines.push(Line {
                    section: section.clone(),
                    ..line(&sentence, title, None, SentenceKind::Rule)
                });
            }
        }
    }
    check("GDPR", &Corpus::new(Language::En, lines), 300, 0.10);
}

#[test]
fn rulebooks_give_fair_questions() {
    let Some(data) = data() else { return };
    for name in ["AML_VER09.211223.txt", "IFR_VER07.181223.txt"] {
        let text = std::fs::read_to_string(data.join("retrieval-obliqa/txt").join(name)).unwrap();
        let (mut lines, mut heading, mut lead) = (Vec::new(), String::new(), None::<String>);
        let mut above = String::new();
        for row in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let (number, body) = row
                .split_once('\t')
                .map_or(("", row), |(number, body)| (number, body.trim()));
            // A number by itself is no heading.
            if number.is_empty()
                && body.starts_with(|c: char| c.is_ascii_digit())
                && !body.contains(' ')
            {
                above = path(body);
                continue;
            }
            let item = row.starts_with('(') && row.contains('\t');
            if !item
                && !body.is_empty()
                && body.split(' ').count() <= 10
                && !body.ends_with(['.', ':', ';'])
            {
                heading = body.to_owned();
                continue;
            }
            if item {
                let section = format!("{above} › {number}");
                lines.push(Line {
                    section,
                    ..line(body, &heading, lead.as_deref(), SentenceKind::ListItem)
                });
                continue;
            }
            // A row without a number goes on under the last one.
            if !number.is_empty() {
                above = path(number);
            }
            for sentence in sentences(&lexforge_text::fold::tidy(body)) {
                lead = sentence.ends_with(':').then(|| sentence.clone());
                lines.push(Line {
                    section: above.clone(),
                    ..line(&sentence, &heading, None, SentenceKind::Rule)
                });
            }
        }
        lines.truncate(600);
        check(name, &Corpus::new(Language::En, lines), 200, 0.10);
    }
}

#[test]
fn chinese_laws_give_fair_questions() {
    let Some(data) = data() else { return };
    let mut lines = Vec::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir(data.join("pdf-zh-nfra/gold"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    for file in files
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "jsonl"))
    {
        for row in std::fs::read_to_string(file).unwrap().lines() {
            let article: serde_json::Value = serde_json::from_str(row).unwrap();
            let mut lead: Option<String> = None;
            let placed = |line: Line| {
                let (section, title) = (
                    article["article"].as_str().unwrap(),
                    article["doc"].as_str().unwrap(),
                );
                Line {
                    section: section.to_owned(),
                    title: title.to_owned(),
                    ..line
                }
            };
            for paragraph in article["text"].as_str().unwrap().lines() {
                for sentence in sentences(paragraph) {
                    let item = sentence.starts_with(['（', '(']);
                    if item {
                        lines.push(placed(line(
                            &sentence,
                            "",
                            lead.as_deref(),
                            SentenceKind::ListItem,
                        )));
                    } else {
                        lead = sentence.ends_with(['：', ':']).then(|| sentence.clone());
                        lines.push(placed(line(&sentence, "", None, SentenceKind::Rule)));
                    }
                }
            }
        }
    }
    lines.truncate(450);
    check("Chinese laws", &Corpus::new(Language::Zh, lines), 300, 0.10);
}
