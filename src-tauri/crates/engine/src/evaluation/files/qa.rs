//! Written answers against the right ones.

use super::lines::{Clusters, Line, RESAMPLES, few, invalid, lines, named, unlike};
use super::synonyms::wordnet;
use crate::evaluation::bertscore::{BertScore, Matched, bertscore};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_domain::Failure;
use lexforge_domain::api::{OverlapFigures, QaFigures, QaItem};
use lexforge_domain::protocol::TokenMatchItem;
use lexforge_domain::statistics::PairedComparison;
use lexforge_domain::text::Language;
use lexforge_evaluate::statistics::{PairedSeries, compare_all};
use lexforge_evaluate::text_metrics::{
    Answer, BleuCut, Counting, ItemFigures, Overlap, TextFigures, WordNet, measure,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

const FORM: &str = r#"{"prediction": text, "reference": text or "references": [texts], "language"?: "en", "zh" or "ko", "cluster"?: name}"#;
/// One figure of an answer.
type Figure = fn(&ItemFigures) -> f64;

/// The means over the items by which two systems are compared.
const COMPARED: [(&str, Figure); 4] = [
    ("bleu", |item| item.bleu[3]),
    ("rougeL", |item| item.rouge[2].f1),
    ("meteor", |item| item.meteor),
    ("chrf", |item| item.chrf),
];

/// How answers are measured.
#[derive(Clone, Debug, Default)]
pub struct QaRequest {
    /// How BLEU cuts; by each answer's language where none is given.
    pub cut: Option<BleuCut>,
    /// ROUGE counts stems.
    pub stems: bool,
    /// The figures of each answer, too.
    pub items: bool,
    /// BERTScore as well.
    pub bertscore: Option<BertScore>,
    /// The folder of a WordNet, whose synonyms METEOR takes for the same word in English answers.
    pub wordnet: Option<PathBuf>,
}

/// A file as it was read.
struct Read {
    lines: Vec<Line>,
    predictions: Vec<String>,
    references: Vec<Vec<String>>,
    languages: Vec<Option<Language>>,
    empty: Vec<usize>,
}

/// The figures of a file of answers. If a second, named file is given, also the differences from that file's answers
/// to the same questions.
///
/// # Errors
/// When a line cannot be used, the files do not have the same right answers, the encoder or the WordNet folder cannot
/// be used, or the caller cancelled.
pub fn qa_figures(
    text: &str,
    request: &QaRequest,
    against: Option<(&str, &str)>,
    watcher: &dyn Watcher,
) -> Result<QaFigures> {
    let read = read(text)?;
    let theirs = against
        .map(|(name, other)| of_the_same_questions(&read, name, other))
        .transpose()?;
    let synonyms = request.wordnet.as_deref().map(wordnet).transpose()?;
    let mine = measured(&read, request, synonyms.as_ref(), watcher)?;
    let mut figures = figures(&mine, &read, request);
    if let (Some((name, _)), Some(theirs)) = (against, theirs) {
        let others = measured(&theirs, request, synonyms.as_ref(), watcher)?;
        figures.against = compared(&mine, &others, &read, name)?;
    }
    Ok(figures)
}

/// The measurements of a file's answers.
struct Measured {
    text: TextFigures,
    matched: Option<Matched>,
}

fn measured(
    read: &Read,
    request: &QaRequest,
    wordnet: Option<&WordNet>,
    watcher: &dyn Watcher,
) -> Result<Measured> {
    let with = |by: &BertScore| bertscore(&std::env::temp_dir(), by, &pairs(read), watcher);
    let counting = Counting {
        cut: request.cut,
        stems: request.stems,
        wordnet,
    };
    Ok(Measured {
        text: measure(&answers(read), counting),
        matched: request.bertscore.as_ref().map(with).transpose()?,
    })
}

fn pairs(read: &Read) -> Vec<TokenMatchItem> {
    let both = read.predictions.iter().zip(&read.references);
    both.map(|(prediction, references)| TokenMatchItem {
        prediction: prediction.clone(),
        references: references.clone(),
    })
    .collect()
}

/// Another file's answers, which must be to the same questions.
fn of_the_same_questions(mine: &Read, name: &str, other: &str) -> Result<Read> {
    let theirs = read(other)?;
    if theirs.lines.len() != mine.lines.len() {
        let why = format!(
            "it has {} answers and the file {}",
            theirs.lines.len(),
            mine.lines.len()
        );
        return Err(unlike(name, &why));
    }
    let both = mine.references.iter().zip(&theirs.references);
    if let Some(at) = both.clone().position(|(mine, theirs)| mine != theirs) {
        let why = format!(
            "its line {} has another right answer than line {}",
            theirs.lines[at].number, mine.lines[at].number
        );
        return Err(unlike(name, &why));
    }
    Ok(theirs)
}

fn compared(
    found: &Measured,
    others: &Measured,
    mine: &Read,
    name: &str,
) -> Result<Vec<PairedComparison>> {
    let of_texts = |(measure, of): (&str, Figure)| PairedSeries {
        measure: measure.to_owned(),
        against: name.to_owned(),
        before: others.text.items.iter().map(of).collect(),
        after: found.text.items.iter().map(of).collect(),
    };
    let mut series: Vec<PairedSeries> = COMPARED.map(of_texts).into();
    if let (Some(before), Some(after)) = (&others.matched, &found.matched) {
        let f1 = |matched: &Matched| matched.items.iter().map(|item| item.f1).collect();
        series.push(PairedSeries {
            measure: "bertscore".to_owned(),
            against: name.to_owned(),
            before: f1(before),
            after: f1(after),
        });
    }
    let clusters = Clusters::of(&mine.lines, FORM)?;
    compare_all(
        &series,
        &clusters.of,
        clusters.unit,
        RESAMPLES,
        DEFAULT_SEED,
    )
    .map_err(Failure::from)
}

fn read(text: &str) -> Result<Read> {
    let lines = lines(text, FORM)?;
    let mut read = Read {
        predictions: Vec::with_capacity(lines.len()),
        references: Vec::with_capacity(lines.len()),
        languages: Vec::with_capacity(lines.len()),
        empty: Vec::new(),
        lines: Vec::new(),
    };
    for line in &lines {
        let prediction = match line.get("prediction") {
            Some(Value::String(text)) => text.clone(),
            // A question without an answer counts as an empty answer.
            None => String::new(),
            Some(_) => return Err(invalid(line.number, "its \"prediction\" is no text", FORM)),
        };
        if prediction.trim().is_empty() {
            read.empty.push(line.number);
        }
        read.predictions.push(prediction);
        read.references.push(references(line)?);
        let language = line.label("language", FORM)?;
        read.languages
            .push(language.map(|tag| Language::from_tag(&tag.to_lowercase())));
    }
    read.lines = lines;
    Ok(read)
}

fn references(line: &Line) -> Result<Vec<String>> {
    let bad = |why: &str| invalid(line.number, why, FORM);
    let (one, several) = (line.get("reference"), line.get("references"));
    let values: Vec<&Value> = match (one, several) {
        (Some(_), Some(_)) => return Err(bad("it has both \"reference\" and \"references\"")),
        (None, None) => return Err(bad("it has no \"reference\"")),
        (None, Some(Value::Array(several))) | (Some(Value::Array(several)), None) => {
            several.iter().collect()
        }
        (Some(one), None) | (None, Some(one)) => vec![one],
    };
    let texts: Option<Vec<String>> = values
        .iter()
        .map(|value| value.as_str().map(str::to_owned))
        .collect();
    let texts = texts.ok_or_else(|| bad("a right answer is no text"))?;
    if texts.is_empty() || texts.iter().any(|text| text.trim().is_empty()) {
        return Err(bad(
            "a right answer is empty, so nothing can be compared with it",
        ));
    }
    Ok(texts)
}

fn answers(read: &Read) -> Vec<Answer<'_>> {
    let texts = read.predictions.iter().zip(&read.references);
    texts
        .zip(&read.languages)
        .map(|((prediction, references), language)| Answer {
            prediction,
            references: references.iter().map(String::as_str).collect(),
            language: *language,
        })
        .collect()
}

fn figures(measured: &Measured, read: &Read, request: &QaRequest) -> QaFigures {
    let found = &measured.text;
    let [rouge1, rouge2, rouge_l] = found.rouge.map(overlap);
    let mut languages: BTreeMap<String, usize> = BTreeMap::new();
    for item in &found.items {
        *languages.entry(item.language.tag().to_owned()).or_default() += 1;
    }
    let [bleu1, bleu2, bleu3, bleu4] = found.bleu;
    QaFigures {
        n: found.items.len(),
        bleu: bleu4,
        bleu1,
        bleu2,
        bleu3,
        bleu4,
        bleu_precisions: found.precisions.to_vec(),
        bleu_signature: found.signature.clone(),
        rouge1: rouge1.f1,
        rouge2: rouge2.f1,
        rouge_l: rouge_l.f1,
        rouge: [("rouge1", rouge1), ("rouge2", rouge2), ("rougeL", rouge_l)]
            .map(|(name, of)| (name.to_owned(), of))
            .into(),
        rouge_stems: request.stems,
        meteor: found.meteor,
        meteor_matches: match request.wordnet {
            Some(_) => "exact, stem, synonym".to_owned(),
            None => "exact, stem".to_owned(),
        },
        chrf: found.chrf,
        bertscore: measured.matched.as_ref().map(|m| m.figures.clone()),
        languages,
        notes: notes(measured, read, request),
        against: Vec::new(),
        items: request.items.then(|| items(measured, read)),
    }
}

fn items(measured: &Measured, read: &Read) -> Vec<QaItem> {
    let both = measured.text.items.iter().zip(&read.lines).enumerate();
    both.map(|(place, (item, line))| {
        let [bleu1, bleu2, bleu3, bleu4] = item.bleu;
        let [rouge1, rouge2, rouge_l] = item.rouge.map(overlap);
        QaItem {
            line: line.number,
            bleu: bleu4,
            bleu1,
            bleu2,
            bleu3,
            bleu4,
            rouge1,
            rouge2,
            rouge_l,
            meteor: item.meteor,
            chrf: item.chrf,
            bertscore: measured
                .matched
                .as_ref()
                .and_then(|matched| matched.items.get(place).copied()),
            language: item.language.tag().to_owned(),
        }
    })
    .collect()
}

fn overlap(of: Overlap) -> OverlapFigures {
    OverlapFigures {
        precision: of.precision,
        recall: of.recall,
        f1: of.f1,
    }
}

fn notes(measured: &Measured, read: &Read, request: &QaRequest) -> Vec<String> {
    let mut notes = Vec::new();
    if !read.empty.is_empty() {
        notes.push(format!(
            "No answer in {}: counted as 0 in every figure.",
            named(&read.empty)
        ));
    }
    if let (Some(by), Some(matched)) = (&request.bertscore, &measured.matched) {
        let lines = |places: &[usize]| {
            let numbers: Vec<usize> = places.iter().map(|&i| read.lines[i].number).collect();
            named(&numbers)
        };
        notes.extend(matched.notes(&by.encoder, lines));
    }
    notes.extend(few(read.lines.len(), "answers"));
    notes
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::workspace::Silent;

    const FOUR: &str = r#"{"prediction":"The cat sat on the mat.","reference":"The cat sat on the mat.","cluster":"a"}
{"prediction":"","references":["A dog barks at night.","A dog barks."],"cluster":"a"}

{"prediction":"商业银行资本充足率不得低于百分之八。","reference":"商业银行资本充足率不得低于百分之八。","language":"zh"}
"#;

    #[test]
    fn empty_answers_are_named_and_languages_cut_by_their_own_rule() {
        let request = QaRequest {
            items: true,
            ..QaRequest::default()
        };
        let found = qa_figures(FOUR, &request, None, &Silent).unwrap();
        assert_eq!(found.n, 3);
        assert!(found.notes[0].contains("line 2"), "{:?}", found.notes);
        assert!(
            found
                .bleu_signature
                .contains("nrefs:var|case:mixed|eff:no|tok:13a+zh")
        );
        let items = found.items.unwrap();
        assert_eq!([items[0].line, items[1].line, items[2].line], [1, 2, 4]);
        assert!((items[0].bleu - 100.0).abs() < 1e-9 && (items[2].chrf - 100.0).abs() < 1e-9);
        assert_eq!((items[1].rouge_l.f1, items[1].meteor), (0.0, 0.0));
        assert_eq!((found.languages["en"], found.languages["zh"]), (2, 1));
    }

    #[test]
    fn the_same_answers_do_not_differ() {
        let found = qa_figures(FOUR, &QaRequest::default(), Some(("B", FOUR)), &Silent).unwrap();
        assert_eq!(found.against.len(), COMPARED.len());
        for one in &found.against {
            assert_eq!((one.p_holm, one.clusters), (1.0, 2));
        }
    }

    #[test]
    fn what_cannot_be_measured_is_refused_with_its_line() {
        let check = |text: &str, words: &str| {
            let failure = qa_figures(text, &QaRequest::default(), None, &Silent).unwrap_err();
            assert!(
                failure.message.contains(words),
                "{text}: {}",
                failure.message
            );
        };
        let good = r#"{"prediction":"a","reference":"b"}"#;
        check("", "no line");
        check("\n \n", "no line");
        check(&format!("{good}\n{{\"prediction\":\"a\"}}"), "Line 2");
        check(&format!("{good}\n\n[1]"), "Line 3");
        check(r#"{"prediction":"a","reference":" "}"#, "empty");
        check(r#"{"prediction":"a","references":[]}"#, "empty");
        check(r#"{"prediction":7,"reference":"b"}"#, "no text");
        check(r#"{"prediction":"a","reference":NaN}"#, "NaN");
        let other = [good, good].join("\n");
        let failure =
            qa_figures(good, &QaRequest::default(), Some(("B", &other)), &Silent).unwrap_err();
        assert!(failure.message.contains("2 answers"), "{}", failure.message);
    }
}
