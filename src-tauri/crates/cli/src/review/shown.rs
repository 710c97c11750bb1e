//! What the queue shows, as text.

use lexforge_domain::api::{
    DecisionView, PairCard, QuestionCard, QueueItem, SimilarityCard, TermCard, TermContext,
    TripletCard,
};
use lexforge_domain::document::Sentence;
use lexforge_domain::shown::on_one_line;
use lexforge_engine::SCALE;
use std::fmt::Write as _;

pub(super) fn describe_item(item: &QueueItem) -> String {
    let mut text = String::new();
    let history = match item {
        QueueItem::Term(card) => {
            describe_term(&mut text, card);
            &card.history
        }
        QueueItem::Pair(card) => {
            describe_pair(&mut text, card);
            &card.history
        }
        QueueItem::Question(card) => {
            describe_question(&mut text, card);
            &card.history
        }
        QueueItem::Triplet(card) => {
            describe_triplet(&mut text, card);
            &card.history
        }
        QueueItem::Similarity(card) => {
            describe_similarity(&mut text, card);
            &card.history
        }
    };
    text.push_str(&describe_history(history));
    text
}

/// A term, with its forms, definitions, places and the terms that it could be confused with.
fn describe_term(text: &mut String, card: &TermCard) {
    let t = &card.term;
    let class = if t.class.is_empty() {
        t.found.tag()
    } else {
        &t.class
    };
    let _ = write!(
        text,
        "term {}  {}  ({class}, {}, {}×)",
        t.id,
        t.text,
        t.status.tag(),
        t.mentions
    );
    let forms: Vec<String> = card
        .variants
        .iter()
        .take(8)
        .map(|(form, n)| format!("{form} {n}×"))
        .collect();
    let _ = write!(text, "\n  forms: {}", forms.join(", "));
    for name in &card.synonyms {
        let _ = write!(text, "\n  also: {name}");
    }
    for d in &card.definitions {
        let differs = if d.differs { "  [differs]" } else { "" };
        let _ = write!(
            text,
            "\n  = {} ({}, page {}){differs}",
            d.text,
            brief(&d.document_title),
            d.page
        );
    }
    for c in card.contexts.iter().take(5) {
        let _ = write!(text, "\n  {}", place(c));
    }
    for c in &card.confusables {
        let settled = c
            .settled
            .map(|s| format!(", {}", s.tag()))
            .unwrap_or_default();
        let cosine = c
            .cosine
            .map(|cosine| format!("cosine {cosine:.2}, "))
            .unwrap_or_default();
        let (id, other) = (c.term.id, &c.term.text);
        let _ = write!(
            text,
            "\n  ~ {id} {other} ({cosine}spelling {:.2}{settled})",
            c.spelling
        );
    }
    for flag in &card.flags {
        let _ = write!(text, "\n  ! {flag}");
    }
}

/// Two terms that could be confused, each with a place.
fn describe_pair(text: &mut String, card: &PairCard) {
    let (one, other) = (&card.one, &card.other.term);
    let _ = write!(
        text,
        "pair {} {}  {} ↔ {}",
        one.id, other.id, one.text, other.text
    );
    for context in card.one_context.iter().chain(&card.other.context) {
        let _ = write!(text, "\n  {}", place(context));
    }
}

/// A question with its choices and its anchor.
fn describe_question(text: &mut String, card: &QuestionCard) {
    let q = &card.row.question;
    let _ = write!(
        text,
        "question {}  {}  ({})",
        q.id,
        q.draft.question,
        q.status.tag()
    );
    for (i, choice) in q.draft.choices.iter().enumerate() {
        let _ = write!(
            text,
            "\n  {} {choice}",
            if i == q.draft.answer { "✓" } else { "·" }
        );
    }
    let _ = write!(
        text,
        "\n  {}, page {}: {}",
        brief(&card.row.document_title),
        card.row.page,
        card.row.anchor_text
    );
}

/// The three sentences of a triplet.
fn describe_triplet(text: &mut String, card: &TripletCard) {
    let triplet = &card.row.triplet;
    let _ = write!(
        text,
        "triplet {}  {} ({}, {})\n  source    {}\n  positive  {}\n  negative  {}",
        card.row.id,
        triplet.shift,
        triplet.split.tag(),
        card.row.status.tag(),
        triplet.source,
        triplet.positive,
        triplet.negative
    );
    if let Some(context) = &card.anchor {
        let _ = write!(text, "\n  {}", place(context));
    }
}

/// Two sentences, and the scale on which their likeness is scored.
fn describe_similarity(text: &mut String, card: &SimilarityCard) {
    let _ = write!(
        text,
        "similarity {}\n  1  {}\n  2  {}",
        card.id, card.one, card.other
    );
    for context in card.one_context.iter().chain(&card.other_context) {
        let (title, s) = (brief(&context.document_title), &context.sentence);
        let _ = write!(text, "\n  {title}, {}", on_page(s));
    }
    for (points, means) in SCALE.iter().enumerate() {
        let _ = write!(text, "\n  {points} = {means}");
    }
}

fn place(context: &TermContext) -> String {
    let s = &context.sentence;
    format!(
        "{}, {}: {}",
        brief(&context.document_title),
        on_page(s),
        s.text
    )
}

/// The page of a sentence, and its section if it stands in one.
fn on_page(sentence: &Sentence) -> String {
    if sentence.section.is_empty() {
        format!("page {}", sentence.page)
    } else {
        format!("page {}, {}", sentence.page, sentence.section)
    }
}

/// Most letters of a title in a line: some regulations' run over three lines.
const LONGEST_TITLE: usize = 60;

fn brief(title: &str) -> String {
    let title = &*on_one_line(title);
    match title.char_indices().nth(LONGEST_TITLE) {
        Some((end, _)) => format!("{}…", title[..end].trim_end()),
        None => title.to_owned(),
    }
}

fn describe_history(history: &[DecisionView]) -> String {
    let mut text = String::new();
    for view in history {
        let d = &view.decision;
        let taken_back = if d.undone { " (taken back)" } else { "" };
        let claimed = if d.packet.is_some() {
            " (claimed by a packet)"
        } else {
            ""
        };
        let _ = write!(
            text,
            "\n  {} {} by {}{claimed}{taken_back}",
            d.made,
            d.choice.tag(),
            view.by.name
        );
        if !d.reason.is_empty() {
            let _ = write!(text, ": {}", d.reason);
        }
    }
    text
}
