//! Reference edges: "Article 6(1)", "paragraph 2", "Rule 11.2.1", "第八条" resolved to the clause that they
//! name, within the same document, through the section paths.

use crate::SentenceNode;
use crate::sentence_graph::is_anchor;
use lexforge_domain::DocumentId;
use regex::{Captures, Regex};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// What a text refers to, as written: labels from the outermost to the innermost, folded as in
/// [`components`]: `["article 6", "1", "a"]`, `["2"]`, `["第八条"]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClauseReference {
    /// The labels.
    pub labels: Vec<String>,
    /// The labels are to be sought from the place of the reference outwards ("paragraph 2", "point (a)").
    pub relative: bool,
}

/// The references from sentence to sentence: (row that refers, row of the first sentence of the clause),
/// ascending, without repetition. References to other documents are left out.
pub fn reference_pairs(sentences: &[SentenceNode]) -> Vec<(usize, usize)> {
    let mut documents: HashMap<DocumentId, Vec<usize>> = HashMap::new();
    for (row, sentence) in sentences.iter().enumerate() {
        documents.entry(sentence.document).or_default().push(row);
    }
    let mut pairs = BTreeSet::new();
    for rows in documents.values() {
        let clauses = Clauses::new(sentences, rows);
        for &row in rows {
            let path = components(&sentences[row].section);
            for reference in find(&sentences[row].text) {
                if let Some(target) = clauses.resolve(&reference, &path)
                    && target != row
                {
                    pairs.insert((row, target));
                }
            }
        }
    }
    pairs.into_iter().collect()
}

/// The labels of a section path, folded for comparison: lower case, without brackets and final full stops.
pub fn components(path: &str) -> Vec<String> {
    path.split('›').map(fold).filter(|c| !c.is_empty()).collect()
}

fn fold(label: &str) -> String {
    let label = label.trim().trim_matches(|c| matches!(c, '(' | ')' | '（' | '）' | '.' | ':' | '、' | '[' | ']'));
    let mut folded = label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    for (short, long) in [("art. ", "article "), ("sec. ", "section "), ("§ ", "section "), ("§", "section ")] {
        if let Some(rest) = folded.strip_prefix(short) {
            folded = format!("{long}{rest}");
        }
    }
    folded
}

/// A document's clauses by their labels.
struct Clauses {
    /// First sentence of every stretch of labels of a path, joined by `/`.
    first: HashMap<String, (usize, bool)>,
    /// The same for paths from the top only.
    from_top: HashMap<String, (usize, bool)>,
}

impl Clauses {
    fn new(sentences: &[SentenceNode], rows: &[usize]) -> Self {
        let mut clauses = Self { first: HashMap::new(), from_top: HashMap::new() };
        for &row in rows {
            let path = components(&sentences[row].section);
            let anchor = is_anchor(sentences[row].kind, &sentences[row].text);
            for end in 1..=path.len() {
                note(&mut clauses.from_top, path[..end].join("/"), row, anchor);
                for start in 0..end {
                    // A bare "2" or "a" says nothing without the labels before it.
                    if path[start].chars().count() > 2 || path[start].contains('.') {
                        note(&mut clauses.first, path[start..end].join("/"), row, anchor);
                    }
                }
            }
        }
        clauses
    }

    fn resolve(&self, reference: &ClauseReference, path: &[String]) -> Option<usize> {
        if reference.relative {
            return (0..=path.len()).rev().find_map(|outer| {
                let key = [&path[..outer], &reference.labels[..]].concat().join("/");
                self.from_top.get(&key).map(|found| found.0)
            });
        }
        // The innermost labels may be finer than the sections: give way from the right.
        (1..=reference.labels.len()).rev().find_map(|depth| {
            let key = reference.labels[..depth].join("/");
            let bare = key.split_once(' ').map(|(_, number)| number).filter(|n| n.contains('.'));
            [Some(key.as_str()), bare].into_iter().flatten().find_map(|k| self.first.get(k)).map(|found| found.0)
        })
    }
}

/// Keeps the first sentence, but rather one that says something than a heading.
fn note(map: &mut HashMap<String, (usize, bool)>, key: String, row: usize, anchor: bool) {
    let held = map.entry(key).or_insert((row, anchor));
    if anchor && !held.1 {
        *held = (row, true);
    }
}

const NUMBER: &str = r"(?:\d+(?:\.\d+)*[A-Z]?|[IVXLC]+\b)(?:\([0-9A-Za-z]{1,5}\))*";
const SEPARATOR: &str = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|to)\s+|\s*[–-]\s*)";

fn pattern(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

static CLAUSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?:\b[Pp]oints?\s+\((?P<point>[a-z]{{1,4}})\)\s+of\s+)?(?:\b[Pp]aragraph\s+(?P<paragraph>\d+)\s+of\s+)?(?:\b(?P<kind>Article|Section|Rule|Clause|Chapter|Annex|Part|Appendix|Schedule|article|section|rule|clause|chapter|annex|appendix|schedule)(?:s|es)?|\b(?P<short>Art\.|Sec\.)|(?P<sign>§{{1,2}}))\s*(?P<list>{NUMBER}(?:{SEPARATOR}{NUMBER})*)"
    ))
});
static RELATIVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?:\b[Pp]oints?\s+\((?P<point>[a-z]{{1,4}})\)\s+of\s+)?\b[Pp]aragraphs?\s+(?P<list>\(?\d+\)?(?:\([a-z0-9]{{1,4}}\))*(?:{SEPARATOR}\(?\d+\)?(?:\([a-z0-9]{{1,4}}\))*)*)|\b[Pp]oints?\s+(?P<alone>\([a-z]{{1,4}}\)(?:{SEPARATOR}\([a-z]{{1,4}}\))*)"
    ))
});
static ONE: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(NUMBER));
static PART: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(r"[0-9A-Za-z.]+"));
/// What follows a reference to another act.
static ELSEWHERE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"^(?:\s*,?\s*(?:of|to|in|under)\s+(?:(?:the|that|those|Council|Commission|Delegated|Implementing|Framework)\s+)*(?:Directive|Regulations?\b|Decision|Treaty|TFEU|TEU|Charter|Protocol|Convention|Constitution|Act\b|Code\b|Law\b|Standard|(?:[A-Z][A-Za-z]+\s+){1,6}(?:Act|Law|Code|Rules?|Directive|Regulation)\b)|\s+(?:thereof|TFEU|TEU|[A-Z]{3,}\b))",
    )
});
static CHINESE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(第[一二三四五六七八九十百千零〇0-9]+条)(?:第[一二三四五六七八九十百千零〇0-9]+款)?(?:第([一二三四五六七八九十百千零〇0-9]+)项)?",
    )
});

/// The references in a text, in order of occurrence.
pub fn find(text: &str) -> Vec<ClauseReference> {
    let mut found = Vec::new();
    if text.contains('第') {
        chinese(text, &mut found);
    }
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for captures in CLAUSE.iter().flat_map(|r| r.captures_iter(text)) {
        let Some(whole) = captures.get(0) else { continue };
        taken.push((whole.start(), whole.end()));
        if whole.start() > 0 && !ELSEWHERE.as_ref().is_some_and(|r| r.is_match(&text[whole.end()..])) {
            clause(&captures, &mut found);
        }
    }
    for captures in RELATIVE.iter().flat_map(|r| r.captures_iter(text)) {
        let Some(whole) = captures.get(0) else { continue };
        let inside = taken.iter().any(|&(s, e)| whole.start() < e && s < whole.end());
        if !inside && !ELSEWHERE.as_ref().is_some_and(|r| r.is_match(&text[whole.end()..])) {
            relative(&captures, &mut found);
        }
    }
    found
}

fn clause(captures: &Captures<'_>, found: &mut Vec<ClauseReference>) {
    let kind = match (captures.name("kind"), captures.name("short").map(|s| s.as_str())) {
        (Some(kind), _) => kind.as_str().to_lowercase(),
        (None, Some("Art.")) => "article".to_owned(),
        _ => "section".to_owned(),
    };
    let list = captures.name("list").map_or("", |l| l.as_str());
    for number in ONE.iter().flat_map(|r| r.find_iter(list)) {
        let mut parts = parts(number.as_str());
        if let Some(first) = parts.first_mut() {
            *first = format!("{kind} {first}");
        }
        for name in ["paragraph", "point"] {
            parts.extend(captures.name(name).map(|m| m.as_str().to_owned()));
        }
        found.push(ClauseReference { labels: parts, relative: false });
    }
}

fn relative(captures: &Captures<'_>, found: &mut Vec<ClauseReference>) {
    if let Some(list) = captures.name("list") {
        for item in list.as_str().split(|c: char| c.is_whitespace() || matches!(c, ',' | '–' | '-')) {
            let mut labels = parts(item);
            if labels.first().is_some_and(|l| l.starts_with(|c: char| c.is_ascii_digit())) {
                labels.extend(captures.name("point").map(|m| m.as_str().to_owned()));
                found.push(ClauseReference { labels, relative: true });
            }
        }
    } else if let Some(alone) = captures.name("alone") {
        for item in alone
            .as_str()
            .split(['(', ')'])
            .filter(|i| i.len() <= 4 && !matches!(i.trim(), "" | "," | "to" | "or" | "and" | "–" | "-"))
        {
            found.push(ClauseReference { labels: vec![item.trim().to_owned()], relative: true });
        }
    }
}

fn parts(number: &str) -> Vec<String> {
    PART.iter().flat_map(|r| r.find_iter(number)).map(|m| m.as_str().to_lowercase()).collect()
}

/// Article references in Chinese. A title in 《》 directly before makes it and those listed after it external.
fn chinese(text: &str, found: &mut Vec<ClauseReference>) {
    let mut end_of_external = None;
    for captures in CHINESE.iter().flat_map(|r| r.captures_iter(text)) {
        let (Some(whole), Some(article)) = (captures.get(0), captures.get(1)) else { continue };
        let before = text[..whole.start()].trim_end();
        let listed = |end: usize| {
            text[end..whole.start()].chars().all(|c| matches!(c, '、' | '，' | '和' | '或' | '及' | '至' | '与'))
        };
        if before.ends_with('》') || end_of_external.is_some_and(listed) {
            end_of_external = Some(whole.end());
        } else if !before.is_empty() {
            let mut labels = vec![article.as_str().to_owned()];
            labels.extend(captures.get(2).map(|item| item.as_str().to_owned()));
            found.push(ClauseReference { labels, relative: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lexforge_domain::SentenceId;
    use lexforge_domain::text::SentenceKind;

    #[test]
    fn references_as_written() {
        let check = |text: &str, expected: &[(&str, bool)]| {
            let found = find(text);
            let found: Vec<(String, bool)> = found.iter().map(|r| (r.labels.join("/"), r.relative)).collect();
            let expected: Vec<(String, bool)> = expected.iter().map(|(l, r)| ((*l).to_owned(), *r)).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("Pursuant to Article 6(1), the bank", &[("article 6/1", false)]);
        check("in point (f) of Article 6(1) or Article 9", &[("article 6/1/f", false), ("article 9", false)]);
        check(
            "referred to in Articles 13, 14 and 15 to 22",
            &[("article 13", false), ("article 14", false), ("article 15", false), ("article 22", false)],
        );
        check("see paragraph 2 of Article 8.", &[("article 8/2", false)]);
        check(
            "The fees in paragraphs 1 and 3 and point (b) of paragraph 4",
            &[("1", true), ("3", true), ("4/b", true)],
        );
        check("as set out in points (a) and (c)", &[("a", true), ("c", true)]);
        check("under Rule 11.2.1(2)(a)", &[("rule 11.2.1/2/a", false)]);
        check("Article 6 of Directive 95/46/EC and Article 16 TFEU", &[]);
        check("the rules of Article 4(2) of Regulation (EC) No 45/2001", &[]);
        check("Article 5 of this Regulation applies to Article 12 of the Regulation on fees", &[]);
        check("依照本法第八条第二款第三项和第九条的规定", &[("第八条/三", false), ("第九条", false)]);
        check("《中华人民共和国公司法》第十条、第十一条", &[]);
        check("第十二条 银行应当报告", &[]);
    }

    fn node(id: i64, section: &str, text: &str) -> SentenceNode {
        SentenceNode {
            id: SentenceId(id),
            document: DocumentId(1),
            group: String::new(),
            section: section.to_owned(),
            kind: if section.is_empty() || text.len() < 20 { SentenceKind::Heading } else { SentenceKind::Rule },
            text: text.to_owned(),
            entities: Vec::new(),
        }
    }

    #[test]
    fn references_resolve_to_the_first_rule_of_the_clause() {
        let sentences = [
            node(0, "Chapter I › Article 6", "Lawfulness"),
            node(
                1,
                "Chapter I › Article 6 › 1",
                "Processing shall be lawful only if one of the following applies to it.",
            ),
            node(
                2,
                "Chapter I › Article 6 › 1 › (a)",
                "the data subject has given consent to the processing of the data;",
            ),
            node(
                3,
                "Chapter I › Article 6 › 2",
                "Point (a) of paragraph 1 does not apply to authorities in their tasks.",
            ),
            node(
                4,
                "Chapter II › Article 7",
                "Where processing rests on Article 6(1)(a), consent must be shown by the bank.",
            ),
            node(
                5,
                "Chapter II › Article 7",
                "Article 6 and Article 99 apply to the controllers of the institution too.",
            ),
            node(6, "第二章 › 第八条", "银行应当依照本法第九条的规定向监督管理机构报告其资本充足情况。"),
            node(7, "第二章 › 第九条", "资本充足率不得低于百分之八，核心资本充足率不得低于百分之四。"),
            node(8, "11 › 11.2 › 11.2.1", "An Authorised Person must comply with Rule 11.2.2 at all times and report."),
            node(9, "11 › 11.2 › 11.2.2", "An Authorised Person must keep records of each transaction for six years."),
        ];
        assert_eq!(reference_pairs(&sentences), [(3, 2), (4, 2), (6, 7), (8, 9)]);
    }
}
