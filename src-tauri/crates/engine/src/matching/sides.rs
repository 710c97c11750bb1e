//! Two sides of texts made ready to be compared: as words, as character n-grams, and as vectors.

use super::says_nothing;
use super::ways::{Led, Ways};
use crate::models::{BaseModel, Embedding, embedded_in};
use crate::workspace::{DEFAULT_SEED, Result, Watcher};
use lexforge_domain::api::Stage;
use lexforge_domain::protocol::TextSide;
use lexforge_domain::text::Language;
use lexforge_graph::{Matrix, lsa, pairing};
use lexforge_ingest::segment;
use lexforge_store::words;
use std::collections::HashMap;
use std::path::Path;

/// Dimension of counted vectors.
const COUNTED: usize = 128;
/// Sentences of one text that get vectors of their own; a longer text is known by its first ones.
const MOST_PIECES: usize = 64;

/// A text with the heading above it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// The heading; empty where there is none.
    pub title: String,
    /// The words.
    pub text: String,
    /// The words of an item of a list, without the introduction of the list. Empty if this is no item.
    pub item: String,
}

impl Text {
    /// Heading and words.
    pub fn whole(&self) -> String {
        match (self.title.trim(), self.text.trim()) {
            ("", text) => text.to_owned(),
            (title, "") => title.to_owned(),
            (title, text) => format!("{title}. {text}"),
        }
    }

    /// The introduction of the list whose item this is, and the words of the item; `None` if it is no item.
    pub fn introduced(&self) -> Option<(&str, &str)> {
        let item = says_nothing::item(&self.item);
        let item = item.trim_matches(|c: char| !c.is_alphanumeric());
        let at = self.text.rfind(item).filter(|_| !item.is_empty())?;
        Some((&self.text[..at], &self.text[at..]))
    }

    /// Its sentences and the items of its lists; empty if it consists of only one.
    pub fn pieces(&self, language: Language) -> Vec<String> {
        let mut pieces = Vec::new();
        for line in self.text.lines() {
            let spans = segment::segment(line, language);
            pieces.extend(spans.into_iter().map(|span| span.text));
        }
        let told = |piece: &String| piece.chars().filter(|c| c.is_alphanumeric()).count() > 2;
        pieces.retain(told);
        pieces.truncate(MOST_PIECES);
        if pieces.len() > 1 { pieces } else { Vec::new() }
    }
}

/// An item with fewer words of its own says too little by itself: "the purposes of the processing".
const FEWEST_OF_AN_ITEM: usize = 3;

/// The stems of an item of a list that its introduction does not have; empty if they are too few, or for other texts.
fn own_words(text: &Text) -> Vec<String> {
    let Some((introduction, item)) = text.introduced() else {
        return Vec::new();
    };
    let before = words(introduction);
    let mut own = words(item);
    own.retain(|stem| !before.contains(stem));
    let mut distinct: Vec<&String> = own.iter().collect();
    distinct.sort();
    distinct.dedup();
    match distinct.len() >= FEWEST_OF_AN_ITEM {
        true => own,
        false => Vec::new(),
    }
}

/// Two sides: each text of the first is asked about those of the second.
pub(super) struct Sides {
    /// Words of the asked texts, and of those to choose from.
    pub asked: Vec<pairing::Bag>,
    pub texts: Vec<pairing::Bag>,
    /// Of an asked item of a list its words alone, without those of the introduction; empty for all others.
    pub items: Vec<pairing::Bag>,
    pub words: pairing::Index,
    asked_grams: Vec<pairing::Bag>,
    grams: pairing::Index,
    /// Vectors, where there are any.
    pub vectors: Option<Vectors>,
    /// What else leads from the asked texts to those to choose from, beside words and vectors.
    pub ways: Ways,
}

/// Vectors of both sides.
pub(super) struct Vectors {
    /// What made them.
    pub encoder: String,
    /// Vectors of the whole texts.
    pub whole: (Matrix, Matrix),
    /// Vectors of the whole texts, less what all of them share.
    pub centred: (Matrix, Matrix),
    /// Vectors of the whole texts together with the mean of their sentences, less what all of them share.
    pub blended: (Matrix, Matrix),
    /// Vectors of the sentences of the texts; `None` if no encoder made the vectors.
    pub pieces: Option<Pieces>,
}

/// Vectors of each sentence of the texts to choose from; a text with but one has its own.
pub(super) struct Pieces {
    rows: Matrix,
    /// Where the sentences of each text stand among the rows.
    of: Vec<std::ops::Range<usize>>,
}

impl Pieces {
    /// The cosines of an asked text's vector with all sentences.
    pub fn cosines(&self, asked: &[f32]) -> Vec<f32> {
        pairing::cosines(asked, &self.rows)
    }

    /// The greatest of these cosines among the sentences of a text.
    pub fn nearest(&self, cosines: &[f32], text: usize) -> f64 {
        let of_text = cosines.get(self.of[text].clone()).unwrap_or_default();
        f64::from(of_text.iter().copied().fold(0.0, f32::max))
    }
}

/// The scores of one asked text with each text of the other side.
pub(super) struct Scores {
    pub bm25: Vec<f32>,
    pub tfidf: Vec<f32>,
    pub grams: Vec<f32>,
    /// The cosines of vectors; `None` if there are no vectors.
    pub vectors: Option<Vec<f32>>,
    /// Words and vectors with equal weight.
    pub both: Vec<f32>,
    /// Cosines with each sentence of the other side, where an encoder made vectors, and their mean.
    pub pieces: Option<(Vec<f32>, f64)>,
    /// The statements found through the graph and through reviewed terms. They are additional candidates and do not
    /// change the order of the other statements.
    pub led: Led,
}

impl Scores {
    /// The scores of each method by itself, and of all of them together.
    pub fn by_method(&self) -> Vec<(&'static str, &Vec<f32>)> {
        let mut all = vec![
            ("bm25", &self.bm25),
            ("tfidf", &self.tfidf),
            ("grams", &self.grams),
        ];
        all.extend(self.vectors.iter().map(|vectors| ("vectors", vectors)));
        all.extend(self.led.graph.iter().map(|graph| ("graph", graph)));
        all.extend(self.led.terms.iter().map(|terms| ("terms", terms)));
        all.push(("combined", &self.both));
        all
    }
}

impl Sides {
    /// The words of both sides; vectors and ways are put in later.
    pub fn new(asked: &[Text], texts: &[Text]) -> Self {
        let (mut vocabulary, mut grams) = (
            pairing::Vocabulary::default(),
            pairing::Vocabulary::default(),
        );
        let mut bags = |side: &[Text]| -> (Vec<pairing::Bag>, Vec<pairing::Bag>) {
            side.iter()
                .map(|text| {
                    let words = words(&text.whole());
                    (vocabulary.bag(&words), grams.grams(&words))
                })
                .unzip()
        };
        let (asked_words, asked_grams) = bags(asked);
        let (text_words, text_grams) = bags(texts);
        let items = asked.iter().map(|text| vocabulary.bag(&own_words(text)));
        let items = items.collect();
        Self {
            items,
            words: pairing::Index::new(&text_words, &asked_words),
            grams: pairing::Index::new(&text_grams, &asked_grams),
            asked: asked_words,
            texts: text_words,
            asked_grams,
            vectors: None,
            ways: Ways::default(),
        }
    }

    /// The scores of one text of this side with each text of the other side. `asked` is the index of the one text. The
    /// score by words is the mean of three kinds of scores on one scale. If there are vectors, they count as much as
    /// the three kinds together.
    pub fn scores(&self, asked: usize) -> Scores {
        let bm25 = self.words.bm25(&self.asked[asked]);
        let tfidf = self.words.cosines(&self.asked[asked]);
        let grams = self.grams.cosines(&self.asked_grams[asked]);
        let vectors = self
            .vectors
            .as_ref()
            .map(|v| pairing::cosines(v.blended.0.row(asked), &v.blended.1));
        let pieces = self.vectors.as_ref().and_then(|v| {
            let cosines = v.pieces.as_ref()?.cosines(v.whole.0.row(asked));
            let sum: f64 = cosines.iter().map(|c| f64::from(*c)).sum();
            let mean = sum / cosines.len().max(1) as f64;
            Some((cosines, mean))
        });
        let mut scores = Scores {
            both: Vec::new(),
            pieces,
            led: self.ways.of(asked),
            bm25,
            tfidf,
            grams,
            vectors,
        };
        let by_words = [scores.bm25.as_slice(), &scores.tfidf, &scores.grams];
        let by_words = pairing::mean_of(&by_words);
        scores.both = match &scores.vectors {
            Some(vectors) => pairing::mean_of(&[&by_words, vectors]),
            None => by_words,
        };
        scores
    }
}

impl Vectors {
    /// By an encoder, which is a base model with the adapter in a folder, if one is given; its job runs below `folder`.
    pub fn encoded(
        folder: &Path,
        (base, adapter): (&BaseModel, Option<&Path>),
        sides: [&[Text]; 2],
        language: Language,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        // For the encoder, a rule is a question and a statement is a possible answer. Each is read in the way that the
        // encoder's folder prescribes for its side.
        let mut order: Vec<(TextSide, String)> = Vec::new();
        let mut places: HashMap<(TextSide, String), usize> = HashMap::new();
        let mut place = |side: TextSide, text: String| {
            *places.entry((side, text)).or_insert_with_key(|text| {
                order.push(text.clone());
                order.len() - 1
            })
        };
        let mut parts = |side: TextSide, texts: &[Text]| -> Vec<(usize, Vec<usize>)> {
            texts
                .iter()
                .map(|text| {
                    let pieces = text.pieces(language).into_iter();
                    let whole = text.whole();
                    (
                        place(side, whole),
                        pieces.map(|piece| place(side, piece)).collect(),
                    )
                })
                .collect()
        };
        let asked = parts(TextSide::Question, sides[0]);
        let texts = parts(TextSide::Passage, sides[1]);
        let all: Vec<(TextSide, &str)> = order
            .iter()
            .map(|(side, text)| (*side, text.as_str()))
            .collect();
        let what = Embedding::of(Stage::Embed);
        let (rows, _) = embedded_in(folder, base, adapter, &all, &what, watcher)?;
        let rows = rows.normalized();
        let mut vectors = Self::of(base.title(adapter.is_some()), &rows, &asked, &texts);
        let (mut numbers, mut of) = (Vec::new(), Vec::new());
        for (whole, pieces) in &texts {
            let from = numbers.len();
            if pieces.is_empty() {
                numbers.push(*whole);
            }
            numbers.extend(pieces);
            of.push(from..numbers.len());
        }
        vectors.pieces = Some(Pieces {
            rows: rows.select(&numbers),
            of,
        });
        Ok(vectors)
    }

    /// Vectors that are counted from the characters of the texts, for languages that the encoder does not read.
    pub fn counted(sides: [&[Text]; 2]) -> Self {
        let all: Vec<String> = sides
            .iter()
            .flat_map(|s| s.iter())
            .map(Text::whole)
            .collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let rows = lsa::char_ngram_lsa(&all, COUNTED, DEFAULT_SEED);
        let alone = |from: usize, n: usize| -> Vec<(usize, Vec<usize>)> {
            (from..from + n).map(|row| (row, Vec::new())).collect()
        };
        let (asked, texts) = (
            alone(0, sides[0].len()),
            alone(sides[0].len(), sides[1].len()),
        );
        Self::of(
            format!("character n-gram LSA ({COUNTED})"),
            &rows,
            &asked,
            &texts,
        )
    }

    fn of(
        encoder: String,
        rows: &Matrix,
        asked: &[(usize, Vec<usize>)],
        texts: &[(usize, Vec<usize>)],
    ) -> Self {
        let whole = |side: &[(usize, Vec<usize>)]| {
            let numbers: Vec<usize> = side.iter().map(|(row, _)| *row).collect();
            rows.select(&numbers)
        };
        let blended = |side: &[(usize, Vec<usize>)]| {
            let mut mixed = whole(side);
            for (row, (_, pieces)) in side.iter().enumerate() {
                let share = 1.0 / pieces.len().max(1) as f32;
                for piece in pieces {
                    let sum = mixed.row_mut(row).iter_mut();
                    sum.zip(rows.row(*piece)).for_each(|(s, v)| *s += share * v);
                }
            }
            mixed.normalize_rows();
            mixed
        };
        let plain = (whole(asked), whole(texts));
        Self {
            encoder,
            centred: pairing::centred(&plain.0, &plain.1),
            blended: pairing::centred(&blended(asked), &blended(texts)),
            whole: plain,
            pieces: None,
        }
    }
}
