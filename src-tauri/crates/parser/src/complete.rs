//! Makes items of lists into complete sentences. For example, item (a) of "The firm must: (a) hold capital; and"
//! becomes "The firm must hold capital." So an item can be read, asked about and compared alone. The text shown on the
//! page does not change.

use lexforge_domain::document::{ParsedDocument, ParsedSection, ParsedSentence};
use lexforge_domain::text::{Language, SentenceKind};
use lexforge_ingest::numbering::{Count, Label, Scheme, Wrap, label, paragraph_label};
use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::{HashMap, HashSet};

word_lists! {
    /// Words at the end of an opening after which its items are told, not joined on.
    TOLD: HashSet<Word> = "english/told.txt";
    /// A text that ends with one of these words is not complete: its items continue it.
    GOES_ON: HashSet<Word> = "english/goes_on.txt";
}

/// Longer than this a sentence is nothing to be read alone.
const LONGEST: usize = 1_500;
const CHINESE_TOLD: &[&str] = &["下列", "以下", "如下", "包括", "主要有"];
/// Ends of a Chinese opening with which its items go on. After any other, such as a noun, they are told.
const CHINESE_GOES_ON: &[&str] = &[
    "应", "应当", "须", "必须", "可", "可以", "不得", "要", "能", "能够", "是", "为", "将",
];
const CONJUNCTIONS: &[&str] = &["and/or", "and", "or", "but"];
const CHINESE_CONJUNCTIONS: &[&str] = &["以及", "或者", "并且", "和", "或", "及", "并"];

/// Fills in `complete` of every item of a list in a document. Linear in the sentences.
pub fn fill(document: &mut ParsedDocument) {
    let (lists, items) = lists_of(document);
    let inner = lists_in_items(&lists, &items);
    for item in &items {
        let of_item = inner.get(&item.row).map(String::as_str);
        let complete = whole(item, of_item, &lists, document.language);
        let sentence = &mut document.sentences[item.row];
        // A definition is complete by itself.
        if sentence.kind != SentenceKind::Definition {
            sentence.complete = complete;
        }
    }
}

/// The lists of a document, and the items of all of them in reading order.
fn lists_of(document: &ParsedDocument) -> (Vec<List>, Vec<Item>) {
    let sections = &document.sections;
    let mut lists: Vec<List> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut items: Vec<Item> = Vec::new();
    for (row, sentence) in document.sentences.iter().enumerate() {
        if matches!(
            sentence.kind,
            SentenceKind::Footnote | SentenceKind::TableCell
        ) {
            continue;
        }
        let text = sentence.text.trim();
        let marker = marker(text, sentence.kind);
        // A list ends with its section. An opening sentence without items after it opens no list.
        open.retain(|&l| {
            let list = &lists[l];
            within(sections, sentence.section, list.section)
                && (list.last.is_some() || list.row + 1 == row)
        });
        let place = sentence.section.and_then(|s| sections.get(s));
        if !open.is_empty() && ends_lists(place, sentence) {
            open.retain(|&l| lists[l].last.is_none());
        }
        let bullet = marker.as_ref().and_then(|marker| bullet(marker, text));
        let fits = |l: &usize| {
            let list = &lists[*l];
            marker.is_some()
                && (sentence.section != list.section || sentence.kind == SentenceKind::ListItem)
        };
        let innermost = open.iter().rev().copied().find(fits);
        let alike = |l: &usize| bullet.is_some() && lists[*l].bullet == bullet;
        // A bullet like those of an outer list continues that list.
        let list = match innermost {
            Some(l) if lists[l].last.is_some() => {
                let outer = open.iter().rev().copied().filter(fits).find(alike);
                outer.or(innermost)
            }
            _ => innermost,
        };
        let Some(marker) = marker.filter(|_| list.is_some()) else {
            if let Some(at) = open.iter().rposition(|&l| lists[l].last.is_some()) {
                let list = open[at];
                match going_on(text, lists[list].last.and_then(|i| items.get(i))) {
                    Some(GoesOn::Item) => {
                        if let Some(item) = lists[list].last.and_then(|i| items.get_mut(i)) {
                            item.body = format!("{} {text}", item.body);
                        }
                        continue;
                    }
                    Some(GoesOn::Tail) if sentence.kind != SentenceKind::Heading => {
                        // The tail belongs to the outermost list whose place it shares.
                        let of = open[..=at].iter().copied().find(|&l| {
                            lists[l].section == sentence.section && lists[l].last.is_some()
                        });
                        lists[of.unwrap_or(list)].tail = Some(text.to_owned());
                    }
                    _ => {}
                }
                // Text after the items ends the lists of its own level.
                open.retain(|&l| lists[l].last.is_none() || lists[l].section != sentence.section);
            }
            if opens(text) && sentence.kind != SentenceKind::Heading {
                open.push(lists.len());
                lists.push(List::new(row, sentence.section, None, without_label(text)));
            }
            continue;
        };
        let body: String = text.chars().skip(marker.len).collect();
        let Some(list) = list else { continue };
        // A new item ends the lists inside the item before it.
        if let Some(at) = open.iter().position(|&l| l == list) {
            open.truncate(at + 1);
        }
        let above = lists[list].last.and_then(|i| items.get(i));
        let other = bullet.is_some() && ![None, bullet].contains(&lists[list].bullet);
        let list = match above.filter(|above| other && hangs(&above.body)) {
            // Other bullets below an item that has not ended are a list of that item.
            Some(above) => {
                let inner = List::new(above.row, sentence.section, Some(list), &above.body);
                open.push(lists.len());
                lists.push(inner);
                lists.len() - 1
            }
            None => list,
        };
        if lists[list].last.is_none() {
            lists[list].bullet = bullet;
        }
        items.push(Item {
            row,
            list,
            body: body.trim().to_owned(),
        });
        lists[list].last = Some(items.len() - 1);
        if opens(text) {
            open.push(lists.len());
            lists.push(List::new(row, sentence.section, Some(list), body.trim()));
        }
    }
    (lists, items)
}

/// The text of the list that an item opens, by the item's row. Such a list is part of its item.
fn lists_in_items(lists: &[List], items: &[Item]) -> HashMap<usize, String> {
    let mut inner: HashMap<usize, String> = HashMap::new();
    for item in items.iter().rev() {
        let own = inner
            .get(&item.row)
            .map(|i| format!(" {i}"))
            .unwrap_or_default();
        let of = inner.entry(lists[item.list].row).or_default();
        if of.len() < LONGEST * 3 {
            *of = format!("{}{own} {of}", item.body);
        }
    }
    inner
}

/// A list: what opens it, and what follows its items.
struct List {
    row: usize,
    section: Option<usize>,
    /// The list that contains the item to which this list belongs.
    outer: Option<usize>,
    /// The opening without its label and its colon.
    opening: String,
    tail: Option<String>,
    /// The sign of its first item, where that is a bullet.
    bullet: Option<char>,
    /// Its last item so far.
    last: Option<usize>,
}

impl List {
    fn new(row: usize, section: Option<usize>, outer: Option<usize>, opening: &str) -> Self {
        let opening = opening
            .trim_end()
            .trim_end_matches([':', '：', '—', '–', '-'])
            .trim_end()
            .to_owned();
        Self {
            row,
            section,
            outer,
            opening,
            tail: None,
            bullet: None,
            last: None,
        }
    }
}

struct Item {
    row: usize,
    list: usize,
    /// Without its marker.
    body: String,
}

/// The marker of a list item at the beginning of a sentence.
fn marker(text: &str, kind: SentenceKind) -> Option<Label> {
    if matches!(kind, SentenceKind::Heading) {
        return None;
    }
    let beginning: Vec<char> = text.chars().take(80).collect();
    let label = label(&beginning, false)?;
    (label.is_list_item() || (kind == SentenceKind::ListItem && label.is_marker())).then_some(label)
}

/// The sign of a bullet. All dashes are one.
fn bullet(marker: &Label, text: &str) -> Option<char> {
    let sign = text
        .chars()
        .next()
        .filter(|_| marker.scheme == Scheme::Bullet)?;
    Some(if "–—-−".contains(sign) {
        '–'
    } else {
        sign
    })
}

/// Whether a text ends with a word that needs a continuation, such as "by".
fn hangs(body: &str) -> bool {
    let last = body.split_whitespace().next_back();
    last.is_some_and(|word| GOES_ON.contains(word))
}

/// Whether a sentence ends all lists that are open before it. This is so if it is the heading of a section of its own,
/// or if it begins with the number of a paragraph inside a quotation. Two kinds of headings do not end a list: the
/// caption of a table, because it has no section of its own, and the heading of an item, because it begins with the
/// letter of the item.
fn ends_lists(section: Option<&ParsedSection>, sentence: &ParsedSentence) -> bool {
    let Some(section) = section else { return false };
    let text = sentence.text.trim();
    let beginning: Vec<char> = text.chars().take(80).collect();
    let label = label(&beginning, false);
    match sentence.kind {
        SentenceKind::Heading => {
            let title = section.title.trim();
            !title.is_empty() && text.ends_with(title) && label.is_none_or(|l| !l.is_list_item())
        }
        SentenceKind::Rule => label.is_some_and(|l| {
            l.scheme == Scheme::Item(Wrap::Dot, Count::Digit)
                && l.value > 1
                && !section.label.contains(l.text.trim_end_matches('.'))
        }),
        _ => false,
    }
}

/// The opening of a list ends in a colon or a dash.
fn opens(text: &str) -> bool {
    text.ends_with([':', '：', '—', '–']) && text.chars().count() > 3
}

/// The text without the number of its paragraph.
fn without_label(text: &str) -> &str {
    let beginning: Vec<char> = text.chars().take(80).collect();
    let Some(label) = paragraph_label(&beginning, false) else {
        return text;
    };
    text.char_indices()
        .nth(label.len)
        .map_or(text, |(at, _)| text[at..].trim_start())
}

fn within(sections: &[ParsedSection], mut section: Option<usize>, ancestor: Option<usize>) -> bool {
    let Some(ancestor) = ancestor else {
        return true;
    };
    while let Some(at) = section {
        if at == ancestor {
            return true;
        }
        section = sections
            .get(at)
            .and_then(|s| s.parent)
            .filter(|parent| *parent < at);
    }
    false
}

/// How an unmarked sentence after an item belongs to it.
enum GoesOn {
    /// It is the rest of the item, cut from it by the page's end.
    Item,
    /// It applies to all items.
    Tail,
}

fn going_on(text: &str, last: Option<&Item>) -> Option<GoesOn> {
    let first = text.chars().next()?;
    if !(first.is_lowercase() || ",，的".contains(first)) {
        return None;
    }
    let end = last?.body.trim_end();
    let conjunction = CONJUNCTIONS.iter().any(|c| end.ends_with(&format!(" {c}")));
    match end.chars().next_back()? {
        ';' | '；' | ',' | '，' => Some(GoesOn::Tail),
        _ if conjunction => None,
        _ if ",，的".contains(first) => Some(GoesOn::Tail),
        c if c.is_alphanumeric() => Some(GoesOn::Item),
        _ => None,
    }
}

/// The complete sentence of an item. It consists of the introductions of all lists around the item, the item itself,
/// the items of the list that it introduces (`inner`), and the texts after those lists. `None` if a part is empty or
/// the result is too long.
fn whole(item: &Item, inner: Option<&str>, lists: &[List], language: Language) -> Option<String> {
    let chinese = language == Language::Zh;
    let mut chain = Vec::new();
    let mut at = Some(item.list);
    while let Some(list) = at.and_then(|l| lists.get(l)) {
        chain.push(list);
        at = list.outer;
    }
    let mut text = String::new();
    for list in chain.iter().rev() {
        joined(&mut text, &list.opening, chinese);
    }
    let body = bare(&item.body, chinese);
    if body.is_empty() || text.is_empty() {
        return None;
    }
    joined(&mut text, body, chinese);
    if let Some(inner) = inner {
        text.push_str(if chinese { "：" } else { ": " });
        text.push_str(bare(inner, chinese));
    }
    for list in &chain {
        if let Some(tail) = &list.tail {
            let tail = bare(tail, chinese);
            let comma =
                item.body.trim_end().ends_with([',', '，']) && !tail.starts_with([',', '，']);
            text.push_str(match (chinese, comma) {
                (true, true) => "，",
                (false, true) => ", ",
                (false, false) if !tail.starts_with(',') => " ",
                _ => "",
            });
            text.push_str(tail);
        }
    }
    if !text.ends_with(['?', '!', '？', '！', '.', '。', ':', '：']) {
        text.push(if chinese { '。' } else { '.' });
    }
    (text.chars().count() <= LONGEST).then_some(text)
}

/// The text without what joins it to the next item: `; and`, `；`, `.`.
fn bare(text: &str, chinese: bool) -> &str {
    let stops = [
        ';', ',', '；', '，', '、', '.', '。', ':', '：', '—', '–', ' ',
    ];
    let mut text = text.trim();
    loop {
        let before = text;
        text = text.trim_end_matches(stops);
        for conjunction in CONJUNCTIONS {
            if let Some(rest) = text.strip_suffix(conjunction)
                && rest.trim_end().ends_with([';', ','])
            {
                text = rest.trim_end();
            }
        }
        for conjunction in CHINESE_CONJUNCTIONS.iter().filter(|_| chinese) {
            if let Some(rest) = text.strip_suffix(conjunction)
                && rest.trim_end().ends_with(['；', '，', ';', ','])
            {
                text = rest.trim_end();
            }
        }
        if text == before {
            return text;
        }
    }
}

/// Puts `part` behind `text`: after a colon where the text announces it, else as the sentence goes on. An opening whose
/// last word needs nothing behind it announces items with capitals: `Consider other factors: New rules.`
fn joined(text: &mut String, part: &str, chinese: bool) {
    if text.is_empty() {
        text.push_str(part);
        return;
    }
    let told = if chinese {
        let own = text.rsplit('：').next().unwrap_or_default();
        CHINESE_TOLD.iter().any(|w| own.contains(w))
            || !CHINESE_GOES_ON.iter().any(|w| own.ends_with(w))
    } else {
        let own = text.rsplit(": ").next().unwrap_or_default().to_lowercase();
        let mut words = own.split_whitespace().rev().take(6);
        let complete = !hangs(&own) && part.starts_with(char::is_uppercase);
        complete
            || own.contains("the following ")
            || words.any(|w| TOLD.contains(w.trim_matches([',', '.', ')'])))
    };
    if told {
        text.push_str(if chinese { "：" } else { ": " });
        text.push_str(part);
        return;
    }
    if !chinese {
        text.push(' ');
    }
    // A capital is the item's own look, unless a name begins with it.
    let mut words = part.split_whitespace();
    let first = words.next().unwrap_or_default();
    // `Association for Financial Markets`
    let name = words
        .find(|w| !GOES_ON.contains(*w) && !CONJUNCTIONS.contains(w))
        .is_some_and(|w| w.starts_with(char::is_uppercase));
    let plain =
        first.chars().skip(1).all(|c| c.is_lowercase() || c == '-') && first.chars().count() > 1;
    if !chinese && plain && !name && first.starts_with(char::is_uppercase) {
        text.extend(part.chars().take(1).flat_map(char::to_lowercase));
        text.extend(part.chars().skip(1));
    } else {
        text.push_str(part);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
