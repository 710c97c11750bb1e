//! Whether a statement is about the same matter as a rule. The statement must contain the rule's content words, above
//! all its verb and its object.

use super::says_nothing;
use super::weigh::Likeness;
use lexforge_store::words;
use lexforge_text::deeds::is_same_deed;
use lexforge_text::lists::Word;
use lexforge_text::rights;
use lexforge_text::script::is_han;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    /// Words after "not" that make no prohibition of it.
    FORBIDS_NOTHING: Vec<Word> = "forbids_nothing.txt";
    /// Words between "shall" and its verb that say it again.
    OBLIGED: Vec<Word> = "obliged.txt";
    /// What allows.
    ALLOWS: Vec<Word> = "allows.txt";
}

/// The greatest number of words that are shown of a part that a statement leaves out.
const MOST_WORDS: usize = 8;
/// A statement that covers a rule has this share of the weight of its words.
const HALF: f64 = 0.5;
/// A statement covers an item of a list if it has at least one in this many of its words.
const ITEM_SHARE: usize = 5;
/// What obliges.
const MODALS: [&str; 3] = [" shall ", " must ", " should "];
/// Words between a modal and its verb.
const BETWEEN: [&str; 9] = [
    "not", "also", "only", "at", "least", "always", "either", "to", "then",
];
/// How an aside between a verb and its object begins: ", where appropriate,".
const ASIDES: [&str; 3] = [", where ", ", as ", ", if "];
/// A longer part of a sentence is no aside, in words.
const LONGEST_ASIDE: usize = 3;
/// Verbs that mean nothing without their object.
const EMPTY: [&str; 12] = [
    "have", "has", "take", "make", "made", "ensure", "apply", "carry", "out", "do", "be", "in",
];
/// What ends the object of a verb or the noun of a subject.
const ENDS: [&str; 26] = [
    "of", "for", "in", "to", "with", "under", "against", "between", "by", "on", "as", "that",
    "which", "who", "whom", "within", "from", "at", "where", "when", "if", "unless", "without",
    "after", "before", "upon",
];

/// Whether a statement covers a rule by its words. The statement must have at least half of the rule's words by weight,
/// with those that introduce an item of a list, and the rule's verb and object; a verb of the same deed will do. If the
/// rule has no modal verb, its verb cannot be found; then only the words count.
pub(super) fn holds(rule: &str, statement: &str, likeness: &Likeness) -> bool {
    let own: HashSet<String> = words(statement).into_iter().collect();
    let told = tokens(statement);
    let has = |word: &String| {
        let stems = words(word);
        stems.iter().all(|stem| own.contains(stem))
            || told.iter().any(|other| is_same_deed(word, other))
    };
    likeness.covered - likeness.by_item >= HALF && turns_on(rule).iter().all(has)
}

/// Whether a rule that says "not" forbids something, and does not only say how far another rule goes.
pub(super) fn denies(rule: &str) -> bool {
    !FORBIDS_NOTHING.iter().any(|verb| rule.contains(verb))
}

/// Verbs after a "may" that says what can come to pass: "data may need to be disclosed", "incidents may occur".
const COMES_TO_PASS: [&str; 8] = [
    "arise", "become", "happen", "need", "occur", "result", "seem", "vary",
];

/// Whether a statement allows something in its main clause: "may", and not "which may" or "may need".
pub(super) fn allows(statement: &str) -> bool {
    let told = tokens(statement);
    let before = |at: usize| at.checked_sub(1).map(|at| told[at].as_str());
    let main = |at: usize| !matches!(before(at), Some("which" | "that" | "who"));
    let allowed = |at: usize| {
        let next = told.get(at + 1).map_or("", String::as_str);
        !COMES_TO_PASS.contains(&next)
    };
    (0..told.len()).any(|at| told[at] == "may" && main(at) && allowed(at))
        || ALLOWS.iter().any(|words| statement.contains(words))
}

/// The verb and the last word of the object; fewer where a rule has none that can be found. The verb of a right is what
/// its holder does, and not what the firm has to do.
fn turns_on(rule: &str) -> Vec<String> {
    if rights::holder(rule).is_some() {
        return Vec::new();
    }
    let (verb, mut object) = verb_and_object(rule);
    let both = [verb, object.pop()].into_iter().flatten();
    both.filter(|word| !words(word).is_empty()).collect()
}

/// The verb of a rule, in lower case, and the words with content of what it acts upon. There is no verb if none can be
/// found, or if it means nothing by itself.
pub(super) fn verb_and_object(rule: &str) -> (Option<String>, Vec<String>) {
    let modal = MODALS
        .iter()
        .filter_map(|modal| rule.find(modal).map(|at| (at, at + modal.len())))
        .min();
    let Some((at, after)) = modal else {
        return (None, Vec::new());
    };
    let (subject, predicate) = (&rule[..at], without_asides(&rule[after..]));
    let begins = OBLIGED
        .iter()
        .find_map(|words| predicate.strip_prefix(words));
    let predicate = begins.unwrap_or(&predicate);
    // "Shall have the following tasks: to inform the staff": the item says what is done.
    let item = predicate.split_once(": ").map(|(_, item)| item);
    let told = tokens(item.unwrap_or(predicate));
    let mut rest = told
        .iter()
        .skip_while(|word| BETWEEN.contains(&word.as_str()) || word.ends_with("ly"))
        .peekable();
    let passive = rest.next_if(|word| *word == "be").is_some();
    let verb: Option<&String> =
        rest.find(|word| !BETWEEN.contains(&word.as_str()) && !word.ends_with("ly"));
    let object = if passive {
        noun_phrase(&tokens(subject.rsplit(',').next().unwrap_or(subject)))
    } else {
        let behind: Vec<String> = rest.cloned().collect();
        noun_phrase(&behind)
    };
    let verb = verb.filter(|verb| !EMPTY.contains(&verb.as_str()));
    (verb.cloned(), object)
}

/// A clause without asides that say nothing of its object: "review and, where appropriate, update the policy".
fn without_asides(clause: &str) -> String {
    let mut clause = clause.to_owned();
    for begin in ASIDES {
        let mut from = 0;
        while let Some(at) = clause[from..].find(begin).map(|at| from + at) {
            let behind = at + begin.len();
            let end = clause[behind..].find(',').map(|end| behind + end);
            let is_short =
                |end: &usize| clause[behind..*end].split_whitespace().count() < LONGEST_ASIDE;
            match end.filter(is_short) {
                Some(end) => clause.replace_range(at..=end, ""),
                None => from = behind,
            }
        }
    }
    clause
}

/// Words in lower case; a comma or another mark is a word of its own.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() {
            found.push(bare.to_lowercase());
        }
        if word.ends_with([',', ';', '.', ':']) {
            found.push(",".to_owned());
        }
    }
    found
}

/// The words with content of the first noun phrase.
fn noun_phrase(told: &[String]) -> Vec<String> {
    let has_content = |word: &&String| !words(word).is_empty();
    let from = told.iter().skip_while(|word| !has_content(word));
    from.take_while(|word| *word != "," && !ENDS.contains(&word.as_str()))
        .filter(has_content)
        .cloned()
        .collect()
}

/// Words of the rule that carry content and that the statement does not have, as the rule writes them, in its order.
pub(super) fn left_out(rule: &str, statement: &str) -> Vec<String> {
    let own: HashSet<String> = words(statement).into_iter().collect();
    told(rule, |word, stems| {
        let mut missing = stems.iter().map(|stem| !own.contains(stem));
        // Who writes "EUR 5,000" leaves "EUR 20,000" out.
        let is_figure = word.contains(|c: char| c.is_ascii_digit());
        if is_figure {
            missing.any(|lacks| lacks)
        } else {
            missing.all(|lacks| lacks)
        }
    })
}

/// How many stems of the rule the statement has.
pub(super) fn shared_stems(rule: &str, statement: &str) -> usize {
    let own: HashSet<String> = words(statement).into_iter().collect();
    let rule: HashSet<String> = words(rule).into_iter().collect();
    own.intersection(&rule).count()
}

/// Words that both have, as the rule writes them. "Office" and "officer" have one stem for the search, but one is a
/// place and the other a person: they are not the same word.
pub(super) fn shared(rule: &str, statement: &str) -> Vec<String> {
    let own: HashSet<String> = words(statement).into_iter().collect();
    let other = written(statement);
    let mut both = told(rule, |word, stems| {
        !word.contains(is_han)
            && stems.iter().all(|stem| own.contains(stem))
            && !names_only_who(word, stems, &other)
    });
    for part in written(rule)
        .into_iter()
        .filter(|part| part.contains(is_han))
    {
        both.extend(shared_han(part, statement));
    }
    let mut seen = HashSet::new();
    both.retain(|word| seen.insert(word.clone()));
    both.truncate(MOST_WORDS);
    both
}

/// The longest parts of a Chinese text that stand in another one, too: no blanks part its words. Parts that say nothing
/// of a matter are left out.
fn shared_han(part: &str, other: &str) -> Vec<String> {
    let says = EMPTY_HAN
        .iter()
        .fold(part.to_owned(), |text, word| text.replace(word, " "));
    let told: Vec<char> = says.chars().collect();
    let (mut found, mut from) = (Vec::new(), 0);
    while from < told.len() {
        let both = (from + 1..=told.len())
            .map(|to| told[from..to].iter().collect::<String>())
            .take_while(|run| !run.contains(' ') && other.contains(run))
            .last()
            .unwrap_or_default();
        from += both.chars().count().max(1);
        let run = both.trim_matches(JOINS_HAN);
        let is_place = run.chars().all(|c| OF_A_PLACE.contains(c));
        if run.chars().count() > 1 && !is_place {
            found.push(run.to_owned());
        }
    }
    found
}

/// Characters that join the words of a Chinese text.
const JOINS_HAN: [char; 9] = ['的', '和', '与', '或', '及', '在', '对', '由', '按'];
/// Chinese words that oblige or allow, or point to the text itself.
const EMPTY_HAN: [&str; 12] = [
    "应当",
    "必须",
    "不得",
    "可以",
    "应该",
    "规定",
    "本条例",
    "本办法",
    "本法",
    "以及",
    "或者",
    "进行",
];
/// The characters of the number of an article: 第十二条.
const OF_A_PLACE: &str = "第一二三四五六七八九十百零条款项章节";

/// Whether each word of the other text with these stems names who does what this word says, or the other way round.
fn names_only_who(word: &str, stems: &[String], other: &[&str]) -> bool {
    let word = word.to_lowercase();
    let mut alike = other
        .iter()
        .filter(|other| words(other) == stems)
        .map(|other| other.to_lowercase())
        .peekable();
    alike.peek().is_some() && alike.all(|other| is_who(&other, &word) || is_who(&word, &other))
}

/// Whether a word names who holds or does what another word names: "officers" and "office".
fn is_who(who: &str, what: &str) -> bool {
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let (who, what) = (singular(who), singular(what));
    let bare = who.strip_suffix("er").or_else(|| who.strip_suffix("or"));
    bare.is_some_and(|bare| bare == what.strip_suffix('e').unwrap_or(&what))
}

/// Whether a statement is about the same thing as a rule: it must share a word with the rule. If the rule is an item
/// of a list, the statement must also have a fifth of the item's own words, of which those of the sentence that
/// introduces the list are none.
pub(super) fn touches(rule: &str, item: &str, statement: &str) -> bool {
    if words(rule).is_empty() {
        return true;
    }
    let own: HashSet<String> = words(statement).into_iter().collect();
    let bare = says_nothing::item(item);
    let bare = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
    let opening = rule.rfind(bare).map_or("", |at| &rule[..at]);
    let opening: HashSet<String> = words(opening).into_iter().collect();
    let mut item: HashSet<String> = words(bare).into_iter().collect();
    if item.iter().any(|stem| !opening.contains(stem)) {
        item.retain(|stem| !opening.contains(stem));
    }
    let both = item.iter().filter(|stem| own.contains(*stem)).count();
    words(rule).iter().any(|stem| own.contains(stem)) && both * ITEM_SHARE >= item.len()
}

/// Words that oblige or allow are told of as forces.
const FORCES: [&str; 8] = [
    "shall", "must", "may", "should", "can", "not", "any", "such",
];

/// The words of a text as they are written. A sum is one word with its currency: "EUR 20,000", "10 000 000 EUR".
fn written(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    // Where the last word begins, and where it ends.
    let (mut start, mut end) = (0, 0);
    let is_of_a_word = |c: char| c.is_alphanumeric() || c == '-';
    for part in text.split(|c| !is_of_a_word(c)).filter(|p| !p.is_empty()) {
        let at = end + text[end..].find(is_of_a_word).unwrap_or_default();
        let mut between = text[end..at].chars();
        let sign = between.next().filter(|_| between.next().is_none());
        let is_sum = sign.is_some_and(|sign| is_one_sum(&text[start..end], sign, part));
        end = at + part.len();
        if is_sum {
            found.pop();
        } else {
            start = at;
        }
        found.push(&text[start..end]);
    }
    found.retain(|word| word.chars().count() > 2);
    found
}

/// Whether two words with a sign between them are parts of one sum.
fn is_one_sum(before: &str, sign: char, next: &str) -> bool {
    let is_code = |word: &str| word.len() == 3 && word.chars().all(|c| c.is_ascii_uppercase());
    let is_figure = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let last = before
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or(before);
    let goes_on = is_figure(last) && last.len() <= 3 && is_figure(next) && next.len() == 3;
    match sign {
        ' ' | '\u{a0}' if is_figure(next) && is_code(before) => true,
        // "10 000 EUR", but no year before a name.
        ' ' | '\u{a0}' if is_code(next) => is_figure(last) && last.len() < before.len(),
        ' ' | '\u{a0}' | ',' => goes_on,
        '.' => is_figure(last) && is_figure(next),
        _ => false,
    }
}

fn told(rule: &str, wanted: impl Fn(&str, &[String]) -> bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in written(rule) {
        let stems = words(word);
        let carries = !stems.is_empty() && !FORCES.contains(&word.to_lowercase().as_str());
        let known = found.iter().any(|f| f.eq_ignore_ascii_case(word));
        if carries && !known && wanted(word, &stems) {
            found.push(word.to_owned());
        }
    }
    found.truncate(MOST_WORDS);
    found
}

#[cfg(test)]
mod tests;
