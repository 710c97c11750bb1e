//! CSV as spreadsheets write it. The first line names the columns, in English or Chinese. Commas, semicolons, tabs or
//! vertical bars separate them. A column may name its language ("Term (EN)", "中文术语", "definition_en"); then each
//! language of a line becomes a separate entry.

use super::collector::{Collector, Draft, language_of, status_of, tag_of};
use crate::error::IngestError;
use crate::sheet::{Cell, table, text_of};
use ::csv::{ReaderBuilder, StringRecord, Terminator};
use lexforge_domain::glossary::{GlossaryDefinition, GlossaryEntry};

/// Delimiters that are tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Term,
    Language,
    Names,
    Definition,
    Source,
    TermSource,
    Class,
    Status,
    Related,
    Broader,
}

/// The words by which a head line names a column. Folded: lower case, letters alone.
const NAMES: &[(Field, &[&str])] = &[
    (Field::TermSource, &["termsource", "termsources"]),
    (
        Field::Term,
        &[
            "term",
            "preferredterm",
            "preflabel",
            "headword",
            "terminology",
            "术语",
            "名词",
            "词条",
            "首选术语",
            "용어",
        ],
    ),
    (
        Field::Language,
        &["language", "lang", "locale", "语言", "语种", "언어"],
    ),
    (
        Field::Names,
        &[
            "names",
            "name",
            "othernames",
            "synonym",
            "synonyms",
            "alias",
            "aliases",
            "altlabel",
            "altlabels",
            "variants",
            "variant",
            "abbreviation",
            "abbreviations",
            "acronym",
            "同义词",
            "别名",
            "简称",
            "缩写",
            "동의어",
            "약어",
        ],
    ),
    (
        Field::Definition,
        &[
            "definition",
            "meaning",
            "description",
            "explanation",
            "定义",
            "释义",
            "解释",
            "说明",
            "정의",
        ],
    ),
    (
        Field::Source,
        &[
            "source",
            "reference",
            "act",
            "document",
            "definitionsource",
            "来源",
            "出处",
            "依据",
            "출처",
        ],
    ),
    (
        Field::Class,
        &[
            "class", "category", "type", "domain", "subject", "类别", "分类", "类型", "분류",
        ],
    ),
    (
        Field::Status,
        &["status", "reviewstatus", "state", "状态", "상태"],
    ),
    (
        Field::Related,
        &[
            "related",
            "relatedterms",
            "relatedterm",
            "seealso",
            "相关术语",
            "相关词",
            "관련어",
        ],
    ),
    (
        Field::Broader,
        &[
            "broader",
            "broaderterm",
            "parent",
            "hypernym",
            "上位词",
            "상위어",
        ],
    ),
];

/// A column: what it contains, and its language if the name of the column says it.
type Column = (Field, Option<String>);

pub(super) fn read(text: &str, collector: &mut Collector) -> Result<(), IngestError> {
    // Before the head line there may be a line such as `sep=;`, by which Excel is told the delimiter.
    let (hinted, text, skipped) = match text.split_once('\n') {
        Some((first, rest)) if first.trim_end().to_lowercase().starts_with("sep=") => {
            (first.as_bytes().get(4).copied(), rest, 1)
        }
        _ => (None, text, 0),
    };
    let (delimiter, columns) = hinted
        .map(|d| vec![d])
        .unwrap_or_else(|| DELIMITERS.to_vec())
        .into_iter()
        .filter_map(|delimiter| Some((delimiter, head(text, delimiter)?)))
        .max_by_key(|(_, columns)| columns.iter().flatten().count())
        .ok_or_else(|| {
            IngestError::Damaged(
                "no column of the first line is named as one of terms (term, language, names, definition, source, \
                 class, status, related, broader; 术语, 定义, 来源 …)"
                    .to_owned(),
            )
        })?;
    let mut reader = builder(delimiter).from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    let mut names: Vec<String> = Vec::new();
    loop {
        let line = reader.position().line() + skipped;
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            Err(error) => {
                collector.reject(line, "", format!("the line cannot be read: {error}"));
                continue;
            }
        }
        let line = record.position().map_or(line, |p| p.line() + skipped);
        if names.is_empty() {
            names = record.iter().map(str::to_owned).collect();
            names.push(String::new());
            continue;
        }
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let unread = record
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.trim().is_empty());
        for (place, _) in
            unread.filter(|(place, _)| columns.get(*place).is_none_or(Option::is_none))
        {
            let name = names
                .get(place)
                .map(String::as_str)
                .filter(|n| !n.trim().is_empty());
            collector.unread(name.unwrap_or("a column without a name"), 1);
        }
        for draft in drafts(&record, &columns) {
            collector.take(line, draft);
        }
    }
}

fn builder(delimiter: u8) -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .terminator(Terminator::CRLF);
    builder
}

/// The columns that a head line names; `None` without a column of terms.
fn head(text: &str, delimiter: u8) -> Option<Vec<Option<Column>>> {
    let mut record = StringRecord::new();
    let read = builder(delimiter)
        .from_reader(text.as_bytes())
        .read_record(&mut record)
        .ok()?;
    let columns: Vec<Option<Column>> = record.iter().map(column).collect();
    (read
        && columns
            .iter()
            .flatten()
            .any(|(field, _)| *field == Field::Term))
    .then_some(columns)
}

/// The field and the language that a column name states. The language may be before or after the name of the field. If
/// the name is only a language, the column holds terms.
fn column(name: &str) -> Option<Column> {
    let folded: String = name
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphabetic())
        .collect();
    let field = |name: &str| {
        NAMES
            .iter()
            .find(|(_, names)| names.contains(&name))
            .map(|(field, _)| *field)
    };
    if let Some(field) = field(&folded) {
        return Some((field, None));
    }
    if language_of(&folded).is_some() {
        return Some((Field::Term, Some(folded)));
    }
    let languages = [
        "english", "chinese", "korean", "中文", "英文", "英语", "韩文", "韩语", "eng", "zho",
        "kor", "en", "zh", "ko",
    ];
    languages.into_iter().find_map(|language| {
        let rest = folded
            .strip_prefix(language)
            .or_else(|| folded.strip_suffix(language))?;
        Some((field(rest)?, Some(language.to_owned())))
    })
}

/// The entries of a line: one for each language that it has a term in.
fn drafts(record: &StringRecord, columns: &[Option<Column>]) -> Vec<Draft> {
    let texts: Vec<String> = record.iter().map(text_of).collect();
    let cells = || {
        columns
            .iter()
            .zip(&texts)
            .filter_map(|(column, text)| Some((column.as_ref()?, text.as_str())))
    };
    let all =
        || cells().filter(|((field, _), cell)| *field == Field::Term && !cell.trim().is_empty());
    let mut terms: Vec<(&Option<String>, &str)> = all()
        .map(|((_, language), cell)| (language, cell))
        .collect();
    if terms.is_empty() {
        terms.push((&None, ""));
    }
    let several = terms.len() > 1;
    terms
        .into_iter()
        .map(|(language, term)| {
            let mut draft = Draft {
                term: term.to_owned(),
                language: language.clone(),
                ..Draft::default()
            };
            let mut definitions: Vec<(String, String)> = Vec::new();
            for ((field, of), cell) in cells() {
                // Cells in another language are skipped here, because they belong to another entry of the same line. If
                // the column of a definition or of a list of names states no language, the cell goes to the entry in
                // the language in which the cell is written.
                let foreign = match (of, language) {
                    (Some(of), Some(language)) => language_of(of) != language_of(language),
                    (None, Some(language))
                        if several && matches!(field, Field::Definition | Field::Names) =>
                    {
                        language_of(language) != Some(lexforge_text::language::detect(cell))
                    }
                    _ => false,
                };
                if foreign || cell.trim().is_empty() {
                    continue;
                }
                match field {
                    Field::Term => {}
                    Field::Language => {
                        draft.language.get_or_insert_with(|| cell.to_owned());
                    }
                    Field::Names => draft.names.extend(split(cell)),
                    Field::Definition => definitions.push((cell.to_owned(), String::new())),
                    // A source belongs to the definition before it.
                    Field::Source => {
                        match definitions.last_mut().filter(|last| last.1.is_empty()) {
                            Some(last) => last.1 = cell.to_owned(),
                            None => draft.sources.push(cell.to_owned()),
                        }
                    }
                    Field::TermSource => draft.sources.extend(split(cell)),
                    Field::Class => draft.class = cell.to_owned(),
                    Field::Status => draft.status = status_of(cell),
                    Field::Related => draft.related.extend(split(cell)),
                    Field::Broader => draft.broader.extend(split(cell)),
                }
            }
            draft.definitions = definitions;
            draft
        })
        .collect()
}

/// The values of a cell. If a value contains a separator, this product writes the cell as a JSON list. Otherwise bars,
/// semicolons or line ends separate the values.
fn split(cell: &str) -> Vec<String> {
    if let Ok(values) = serde_json::from_str::<Vec<String>>(cell) {
        return values;
    }
    let bar = cell.contains('|');
    let separates = |c: char| {
        if bar {
            c == '|'
        } else {
            matches!(c, ';' | '；' | '、' | '\n')
        }
    };
    cell.split(separates)
        .map(|part| part.trim().to_owned())
        .collect()
}

fn joined(values: &[String]) -> String {
    let separators = ['|', ';', '；', '、', '\n', '['];
    if values.iter().any(|v| v.contains(separators)) {
        return serde_json::Value::from(values).to_string();
    }
    values.join(" | ")
}

pub(super) fn write(entries: &[GlossaryEntry]) -> Result<Vec<u8>, IngestError> {
    let most = entries
        .iter()
        .map(|e| e.definitions.len())
        .max()
        .unwrap_or(0)
        .max(1);
    let mut head = vec![
        "term",
        "language",
        "names",
        "class",
        "status",
        "related",
        "broader",
        "term_source",
    ];
    head.extend(["definition", "source"].repeat(most));
    let none = GlossaryDefinition::default();
    let rows = entries.iter().map(|e| {
        let mut row = vec![
            Cell::Text(&e.term),
            Cell::Text(tag_of(e.language)),
            Cell::Joined(joined(&e.names)),
            Cell::Text(&e.class),
            Cell::Text(e.status.map_or("", |s| s.tag())),
            Cell::Joined(joined(&e.related)),
            Cell::Joined(joined(&e.broader)),
            Cell::Joined(joined(&e.sources)),
        ];
        for place in 0..most {
            let definition = e.definitions.get(place).unwrap_or(&none);
            row.extend([Cell::Text(&definition.text), Cell::Text(&definition.source)]);
        }
        row
    });
    table(&head, rows)
        .map_err(|error| IngestError::Damaged(format!("the glossary cannot be written: {error}")))
}
