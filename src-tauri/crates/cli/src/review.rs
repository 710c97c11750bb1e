//! `terms decide|queue|doubtful|undo|conflicts|show`, `qca decide|note`.

use crate::output::{Outcome, Output, count, done};
use crate::review_args::{
    DecideQuestionsArgs, DecideTermsArgs, DoubtfulArgs, FilterArgs, QuestionReview, TermsReview,
    WhoArgs,
};
use crate::terminal::duration;
use lexforge_domain::Failure;
use lexforge_domain::api::{
    ActView, DecisionView, NewDecision, PairCard, QuestionCard, QueueFilter, QueueItem, QueueView,
    SimilarityCard, TermCard, TermContext, TripletCard,
};
use lexforge_domain::document::Sentence;
use lexforge_domain::review::{Choice, Edit, Subject, SubjectKind};
use lexforge_domain::shown::on_one_line;
use lexforge_domain::text::Language;
use lexforge_engine::{Engine, SCALE};
use std::fmt::Write as _;

/// `terms decide|queue|doubtful|undo|conflicts|show`
pub fn terms(action: &TermsReview, out: &Output) -> Outcome {
    match action {
        TermsReview::Decide(args) => {
            let act = open(&args.who)?
                .review()
                .decide(&decision_about_terms(args))?;
            out.document(&act, || describe_act(&act));
        }
        TermsReview::Queue(args) => {
            let view = open(&args.who)?
                .review()
                .review_queue(&filter(&args.filter), None)?;
            out.document(&view, || describe_queue(&view));
        }
        TermsReview::Doubtful(args) => doubtful(args, out)?,
        TermsReview::Undo(args) => {
            let undone = open(args)?.review().undo_decision()?;
            out.document(&undone, || match &undone {
                Some(act) => format!("Taken back: {}", describe_act(act)),
                None => "There is nothing left to take back.".to_owned(),
            });
        }
        TermsReview::Conflicts(args) => {
            let rows = Engine::open(&args.workspace)?
                .review()
                .conflicts(args.kind.into())?;
            out.rows(&rows, |row| {
                let said: Vec<String> = row
                    .said
                    .iter()
                    .map(|(choice, n)| format!("{n} {}", choice.tag()))
                    .collect();
                format!(
                    "{:<14} {:<24} {}  since {}",
                    named(row.subject),
                    said.join(", "),
                    row.text,
                    row.since
                )
            });
        }
        TermsReview::Show { workspace, id } => {
            let item = Engine::open(workspace)?
                .review()
                .review_item(Subject::term(*id))?;
            out.document(&item, || describe_item(&item));
        }
    }
    done()
}

fn doubtful(args: &DoubtfulArgs, out: &Output) -> Result<(), Failure> {
    let engine = open(&args.who)?;
    let filter = QueueFilter {
        document: args.document,
        language: args.language.as_deref().map(Language::from_tag),
        ..QueueFilter::of(SubjectKind::Term)
    };
    let keep: Vec<Subject> = args.keep.iter().map(|id| Subject::term(*id)).collect();
    let mut listed = engine.review().doubtful_terms(&filter, args.most)?;
    listed.retain(|item| !keep.contains(&item.subject));
    if !args.reject || listed.is_empty() {
        out.rows(&listed, |item| {
            let (id, times) = (named(item.subject), format!("{}×", item.mentions));
            format!("{id:<12} {times:>6}  {}", item.text)
        });
        return Ok(());
    }
    let act = engine.review().decide(&NewDecision {
        subjects: listed.iter().map(|item| item.subject).collect(),
        choice: Choice::Reject,
        edit: Edit::default(),
        reason: args.reason.clone(),
        adjudicates: false,
    })?;
    out.document(&act, || describe_act(&act));
    Ok(())
}

/// `qca decide|note`
pub fn questions(action: &QuestionReview, out: &Output) -> Outcome {
    match action {
        QuestionReview::Decide(args) => {
            let act = open(&args.who)?
                .review()
                .decide(&decision_about_questions(args))?;
            out.document(&act, || describe_act(&act));
        }
        QuestionReview::Note { who, id, text } => {
            let row = open(who)?.review().note_question(*id, text)?;
            out.document(&row, || match &row.note {
                Some(note) => format!("Noted on question {id}: {note}"),
                None => format!("Nothing is noted on question {id}."),
            });
        }
    }
    done()
}

pub fn open(who: &WhoArgs) -> Result<Engine, Failure> {
    let engine = Engine::open(&who.workspace)?;
    if let Some(name) = &who.name {
        engine.review().act_as(name)?;
    }
    Ok(engine)
}

/// Which items the options name.
pub fn filter(args: &FilterArgs) -> QueueFilter {
    QueueFilter {
        class: args.class.clone(),
        document: args.document,
        language: args.language.as_deref().map(Language::from_tag),
        mine: args.mine,
        ..QueueFilter::of(args.kind.into())
    }
}

fn decision_about_terms(args: &DecideTermsArgs) -> NewDecision {
    let subjects = match args.pair.as_deref() {
        Some([a, b]) => vec![Subject::pair(*a, *b)],
        _ => args.ids.iter().map(|id| Subject::term(*id)).collect(),
    };
    let said = [
        (args.accept, Choice::Accept),
        (args.reject, Choice::Reject),
        (args.merge_into.is_some(), Choice::Merge),
        (args.same, Choice::Same),
        (args.confusable, Choice::Confusable),
        (args.unrelated, Choice::Unrelated),
    ];
    NewDecision {
        subjects,
        choice: said
            .into_iter()
            .find(|(said, _)| *said)
            .map_or(Choice::Skip, |(_, choice)| choice),
        edit: Edit {
            text: args.text.clone(),
            class: args.class.clone(),
            into: args.merge_into,
            choices: None,
        },
        reason: args.reason.clone(),
        adjudicates: args.adjudicate,
    }
}

/// What was decided about a question or a triplet, which cannot be merged.
pub fn choice(accept: bool, reject: bool) -> Choice {
    match (accept, reject) {
        (true, _) => Choice::Accept,
        (_, true) => Choice::Reject,
        _ => Choice::Skip,
    }
}

fn decision_about_questions(args: &DecideQuestionsArgs) -> NewDecision {
    let choices = (!args.choices.is_empty()).then(|| args.choices.clone());
    NewDecision {
        subjects: args.ids.iter().map(|id| Subject::question(*id)).collect(),
        choice: choice(args.accept, args.reject),
        edit: Edit {
            text: args.text.clone(),
            choices,
            ..Edit::default()
        },
        reason: args.reason.clone(),
        adjudicates: args.adjudicate,
    }
}

pub fn named(subject: Subject) -> String {
    match subject.keys() {
        (a, 0) => format!("{} {a}", subject.kind().tag()),
        (a, b) => format!("{} {a} {b}", subject.kind().tag()),
    }
}

pub fn describe_act(act: &ActView) -> String {
    let others = if act.items > 1 {
        format!(" and {} more", count(act.items - 1))
    } else {
        String::new()
    };
    format!(
        "{} {}: {}{others}",
        act.choice.tag(),
        named(act.subject),
        act.text
    )
}

pub fn describe_queue(view: &QueueView) -> String {
    let s = &view.standing;
    let mut text = format!(
        "{} of {} to do · {} accepted · {} rejected · {} merged · {} skipped",
        count(s.to_do),
        count(s.total),
        count(s.accepted),
        count(s.rejected),
        count(s.merged),
        count(s.skipped)
    );
    if let Some(seconds) = s.median_seconds {
        let _ = write!(
            text,
            " · {seconds:.1} s a decision, {} left",
            duration(seconds * s.to_do as f64)
        );
    }
    if view.conflicts > 0 {
        let _ = write!(text, " · {} conflicts", count(view.conflicts));
    }
    if let Some(sample) = view.sample {
        let _ = write!(
            text,
            "\nFirst comes a sample of the triplets that fill thin shifts: {} of {} decided, {} accepted",
            count(sample.decided),
            count(sample.drawn),
            count(sample.accepted)
        );
    }
    match &view.item {
        None => text.push_str("\nEverything is decided."),
        Some(item) => {
            let _ = write!(text, "\n\n{}. {}", count(view.place), describe_item(item));
        }
    }
    text
}

fn describe_item(item: &QueueItem) -> String {
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
