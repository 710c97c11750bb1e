//! Fidelity on real documents with independent gold text. Skipped where the data folder is absent.

use crate::read_once::parse;
use lexforge_domain::document::ParsedDocument;
use lexforge_parser::similarity::common_length;
use regex::Regex;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use unicode_normalization::UnicodeNormalization;

fn data() -> Option<PathBuf> {
    lexforge_needs::data("")
}

/// NFKC, folded quotes and dashes, white space dropped.
fn normal(text: &str) -> Vec<char> {
    text.nfkc()
        .filter(|c| !c.is_whitespace() && *c != '\u{AD}')
        .map(|c| match c {
            '‘' | '’' | '‚' | '`' | '′' => '\'',
            '“' | '”' | '„' | '″' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '−' | '―' => '-',
            other => other,
        })
        .collect()
}

/// All sentences whose section path contains the component `name`, in order.
fn under(document: &ParsedDocument, name: &str) -> String {
    let sentences = document.sentences.iter().filter(|s| {
        s.section.is_some_and(|i| {
            document.sections[i]
                .path
                .split(" › ")
                .any(|part| part.eq_ignore_ascii_case(name))
        })
    });
    sentences
        .map(|s| s.text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

struct Score {
    name: String,
    ratio: f64,
    surplus: usize,
    gold: usize,
}

fn score(name: &str, ours: &str, gold: &str) -> Score {
    let (ours, gold) = (normal(ours), normal(gold));
    let common = common_length(&ours, &gold);
    let ratio = 2.0 * common as f64 / (ours.len() + gold.len()).max(1) as f64;
    if std::env::var_os("SHOW").is_some() && ratio < 0.99 {
        println!(
            "--- {name} {ratio:.4}\nOURS {}\nGOLD {}",
            String::from_iter(&ours),
            String::from_iter(&gold)
        );
    }
    Score {
        name: name.to_owned(),
        ratio,
        surplus: ours.len() - common,
        gold: gold.len(),
    }
}

/// Mean ratio and share of surplus characters; prints the worst.
fn summary(title: &str, scores: &mut [Score]) -> (f64, f64) {
    let mean = scores.iter().map(|s| s.ratio).sum::<f64>() / scores.len().max(1) as f64;
    let surplus = scores.iter().map(|s| s.surplus).sum::<usize>() as f64
        / scores.iter().map(|s| s.gold).sum::<usize>().max(1) as f64;
    scores.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    let worst: Vec<String> = scores
        .iter()
        .take(6)
        .map(|s| format!("{} {:.3}", s.name, s.ratio))
        .collect();
    println!(
        "{title}: {} texts, mean ratio {:.3} %, surplus {:.3} %, worst {worst:?}",
        scores.len(),
        mean * 100.0,
        surplus * 100.0
    );
    (mean, surplus)
}

/// Where the gold text differs from the printed page, as (article, folded gold text, folded printed text). In the gold
/// text an article includes the title of the next chapter or section, which the page prints below it. The gold text
/// also numbers footnotes through the whole act, while the Official Journal begins again on every page.
const DEPARTURES: [(&str, &str, &str); 15] = [
    ("4", "Council(19)", "Council(1)"),
    ("4", "Principles", ""),
    (
        "11",
        "RightsofthedatasubjectSection1Transparencyandmodalities",
        "",
    ),
    ("12", "Section2Informationandaccesstopersonaldata", ""),
    ("15", "Section3Rectificationanderasure", ""),
    (
        "20",
        "Section4Righttoobjectandautomatedindividualdecision-making",
        "",
    ),
    ("22", "Section5Restrictions", ""),
    ("23", "ControllerandprocessorSection1Generalobligations", ""),
    ("31", "Section2Securityofpersonaldata", ""),
    (
        "34",
        "Section3Dataprotectionimpactassessmentandpriorconsultation",
        "",
    ),
    ("36", "Section4Dataprotectionofficer", ""),
    ("39", "Section5Codesofconductandcertification", ""),
    ("43", "Council(20)", "Council(1)"),
    (
        "43",
        "Transfersofpersonaldatatothirdcountriesorinternationalorganisations",
        "",
    ),
    (
        "50",
        "IndependentsupervisoryauthoritiesSection1Independentstatus",
        "",
    ),
];

/// The gold of an article as the page prints it: its departures made good, at its end where they are titles.
fn as_printed(number: &str, gold: &str) -> String {
    let mut text: String = normal(gold).into_iter().collect();
    for (_, theirs, ours) in DEPARTURES.iter().filter(|d| d.0 == number) {
        if ours.is_empty() {
            text = text
                .strip_suffix(theirs)
                .unwrap_or_else(|| panic!("Article {number}: no {theirs}"))
                .to_owned();
        } else {
            assert!(text.contains(theirs), "Article {number}: no {theirs}");
            text = text.replacen(theirs, ours, 1);
        }
    }
    text
}

pub(crate) fn gdpr_articles_and_recitals() {
    let Some(data) = data() else { return };
    let gold: Value = serde_json::from_slice(
        &std::fs::read(data.join("pdf-gold-gdpr/gdpr_gold_articles_1-50_recitals_1-86.json"))
            .unwrap(),
    )
    .unwrap();
    let document = parse(&data.join("pdf-core-en/GDPR.pdf"));
    let (mut plain, mut printed) = (Vec::new(), Vec::new());
    for article in gold["articles"].as_array().unwrap() {
        let number = article["number"].as_str().unwrap();
        let name = format!("Article {number}");
        // Both sides carry label, title and text; the gold has some titles inside its text.
        let text = format!(
            "{name}\n{}\n{}",
            article["title"].as_str().unwrap_or(""),
            article["text"].as_str().unwrap()
        );
        let ours = under(&document, &name);
        plain.push(score(&name, &ours, &text));
        printed.push(score(&name, &ours, &as_printed(number, &text)));
    }
    let (mean, surplus) = summary("GDPR articles, gold as it is", &mut plain);
    assert!(
        mean >= 0.994 && surplus <= 0.001,
        "mean {mean}, surplus {surplus}"
    );
    let (mean, surplus) = summary("GDPR articles, gold as printed", &mut printed);
    assert!(
        mean >= 0.997 && surplus <= 0.001,
        "mean {mean}, surplus {surplus}"
    );
    let head = Regex::new(r"L 119/\d+|\b4\.5\.2016\b.*\bL 119|\bEN Official Journal").unwrap();
    let heads: Vec<&str> = document
        .sentences
        .iter()
        .map(|s| s.text.as_str())
        .filter(|t| head.is_match(t) && !t.contains("(OJ L"))
        .collect();
    assert!(
        heads.is_empty(),
        "running heads inside sentences: {heads:?}"
    );

    let mut scores: Vec<Score> = gold["recitals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|recital| {
            let name = format!("({})", recital["recital_number"]);
            let path = format!("Recitals › {name}");
            let ours: Vec<&str> = document
                .sentences
                .iter()
                .filter(|s| s.section.is_some_and(|i| document.sections[i].path == path))
                .map(|s| s.text.as_str())
                .collect();
            score(
                &path,
                &ours.join("\n"),
                &format!("{name}\n{}", recital["text"].as_str().unwrap()),
            )
        })
        .collect();
    let (mean, surplus) = summary("GDPR recitals", &mut scores);
    assert!(
        mean >= 0.997 && surplus <= 0.001,
        "mean {mean}, surplus {surplus}"
    );
}

pub(crate) fn chinese_laws() {
    let Some(data) = data() else { return };
    let folder = data.join("pdf-zh-nfra");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder.join("gold")).unwrap() {
        let gold_path = entry.unwrap().path();
        let file = gold_path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let Some(law) = file.strip_suffix(".articles.jsonl") else {
            continue;
        };
        let document = parse(&folder.join(format!("{law}.pdf")));
        let gold = std::fs::read_to_string(&gold_path).unwrap();
        let mut scores = Vec::new();
        let mut wrong = Vec::new();
        for line in gold.lines() {
            let article: Value = serde_json::from_str(line).unwrap();
            let name = article["article"].as_str().unwrap();
            let times = document.sections.iter().filter(|s| s.label == name).count();
            if times != 1 {
                wrong.push(format!("{name} ×{times}"));
            }
            let text = format!("{name}{}", article["text"].as_str().unwrap());
            scores.push(score(
                &format!("{law} {name}"),
                &under(&document, name),
                &text,
            ));
        }
        let articles = document
            .sections
            .iter()
            .filter(|s| s.label.starts_with('第') && s.label.ends_with('条'))
            .count();
        let (mean, _) = summary(law, &mut scores);
        println!(
            "{law}: {articles} article labels, {} in the gold",
            scores.len()
        );
        assert!(mean >= 0.995, "{law} {mean}");
        assert!(wrong.is_empty(), "{law}: {wrong:?}");
        all.extend(scores);
    }
    let (mean, surplus) = summary("Chinese laws", &mut all);
    assert!(
        mean >= 0.999 && surplus <= 0.001,
        "mean {mean}, surplus {surplus}"
    );
}

/// Every marker at the beginning of an article is one section, in all laws, gold text or not.
pub(crate) fn chinese_articles_count_up() {
    let Some(data) = data() else { return };
    for entry in std::fs::read_dir(data.join("pdf-zh-nfra")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "pdf") {
            continue;
        }
        let document = parse(&path);
        let labels: Vec<&str> = document
            .sections
            .iter()
            .filter(|s| s.label.starts_with('第') && s.label.ends_with('条'))
            .map(|s| s.label.as_str())
            .collect();
        let mut unique = labels.clone();
        unique.sort_unstable();
        unique.dedup();
        println!(
            "{}: {} articles",
            path.file_stem().unwrap().to_string_lossy(),
            labels.len()
        );
        assert_eq!(unique.len(), labels.len(), "{}: {labels:?}", path.display());
        assert!(labels.len() > 5, "{}", path.display());
    }
}

/// The headings that stand open above every article, read from plain text: `(article, [编, 章, 节])`.
fn printed_paths(text: &str) -> Vec<(String, Vec<String>)> {
    let marker = Regex::new(r"^第([零〇一二三四五六七八九十百千两]+)([编章节条])").unwrap();
    let mut open: [Option<String>; 3] = [None, None, None];
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        let line: String = line
            .chars()
            .filter(|c| !c.is_whitespace() && !"#*".contains(*c))
            .collect();
        let Some(found) = marker.captures(&line) else {
            continue;
        };
        let label = found[0].to_owned();
        let rest: String = line[found[0].len()..].chars().collect();
        let level = "编章节条"
            .chars()
            .position(|c| found[2].starts_with(c))
            .unwrap();
        if level < 3 {
            open[level] = Some(label);
            open[level + 1..].fill(None);
            continue;
        }
        // Each article must continue the numbering. Anything else is a reference at the beginning of a line.
        let next = out.len() as u64 + 1;
        if lexforge_text::numerals::chinese(&found[1]) == Some(next)
            && !rest.starts_with(['规', '、', '所'])
        {
            out.push((label, open.iter().flatten().cloned().collect()));
        }
    }
    out
}

/// Share of articles whose path is the printed one; prints the others.
fn paths_agree(
    name: &str,
    document: &ParsedDocument,
    gold: &[(String, Vec<String>)],
) -> (usize, usize) {
    let mut good = 0;
    for (article, above) in gold {
        let section = document.sections.iter().find(|s| s.label == *article);
        let path = section.map_or("no section", |s| s.path.as_str());
        let parts: Vec<&str> = path.split(" › ").collect();
        let labels: Vec<&str> = parts[..parts.len() - 1]
            .iter()
            .map(|part| part.split(' ').next().unwrap_or(part))
            .collect();
        if parts.last() == Some(&article.as_str())
            && labels == above.iter().map(String::as_str).collect::<Vec<_>>()
        {
            good += 1;
        } else {
            println!("{name}: {article} stands below {above:?}, its path is {path}");
        }
    }
    (good, gold.len())
}

/// The path of every article must name the headings printed above it. This is checked against the law books' own text,
/// and against the text that another engine reads from the file.
pub(crate) fn chinese_paths() {
    let Some(data) = data() else { return };
    let (mut book, mut other) = ((0, 0), (0, 0));
    for entry in std::fs::read_dir(data.join("pdf-zh-nfra")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "pdf") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let document = parse(&path);
        let poppler = Command::new("pdftotext")
            .arg("-layout")
            .arg(&path)
            .arg("-")
            .output();
        match poppler {
            Ok(output) => {
                let gold = printed_paths(&String::from_utf8_lossy(&output.stdout));
                println!("{name}: {} articles in the other engine's text", gold.len());
                let (good, all) = paths_agree(&name, &document, &gold);
                other = (other.0 + good, other.1 + all);
            }
            Err(_) => lexforge_needs::unavailable("pdftotext is absent"),
        }
        if let Ok(text) = std::fs::read_to_string(data.join(format!("pdf-zh-nfra/gold/{name}.md")))
        {
            let (good, all) = paths_agree(&name, &document, &printed_paths(&text));
            book = (book.0 + good, book.1 + all);
        }
    }
    println!(
        "paths as in the law book {} of {}, as in the other engine's text {} of {}",
        book.0, book.1, other.0, other.1
    );
    assert!(book.1 > 500 && book.0 * 100 >= book.1 * 99, "{book:?}");
    assert!(
        other.1 == 0 || (other.1 > 1_200 && other.0 * 100 >= other.1 * 99),
        "{other:?}"
    );
}
