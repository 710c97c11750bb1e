//! All measures of a list of answers.

use super::bleu::{self, ORDERS, WordRuns};
use super::chrf;
use super::cut::{BleuCut, WordCut, language_of};
use super::meteor::{Stems, meteor};
use super::rouge::{Overlap, rouge};
use super::wordnet::WordNet;
use lexforge_domain::text::Language;
use lexforge_text::stem::stem;
use lexforge_text::tokens::is_mostly_unspaced;
use std::collections::{BTreeSet, HashMap};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// The version of sacrebleu whose counting this is; it is in the signature.
const SACREBLEU: &str = "2.4.3";
/// Words up to this length keep their endings when ROUGE is counted over stems, as in rouge-score.
const TOO_SHORT_TO_STEM: usize = 3;

/// A written answer and the right ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<'a> {
    /// What was written.
    pub prediction: &'a str,
    /// The right answers; at least one.
    pub references: Vec<&'a str>,
    /// Its language. `None` = the language of the right answers.
    pub language: Option<Language>,
}

/// The figures of one answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemFigures {
    /// BLEU with runs of up to 1, 2, 3 and 4 words, in hundredths, by the lengths that the answer has.
    pub bleu: [f64; ORDERS],
    /// ROUGE-1, ROUGE-2 and ROUGE-L.
    pub rouge: [Overlap; 3],
    /// METEOR, 0 to 1; with synonyms where the answer is English and there is a WordNet.
    pub meteor: f64,
    /// chrF in hundredths.
    pub chrf: f64,
    /// The language by which it was cut.
    pub language: Language,
}

/// The figures of all answers together.
#[derive(Clone, Debug, PartialEq)]
pub struct TextFigures {
    /// BLEU of the corpus with runs of up to 1, 2, 3 and 4 words, in hundredths.
    pub bleu: [f64; ORDERS],
    /// Precision of the runs of 1, 2, 3 and 4 words, in hundredths.
    pub precisions: [f64; ORDERS],
    /// How BLEU was counted, in sacrebleu's form.
    pub signature: String,
    /// ROUGE-1, ROUGE-2 and ROUGE-L, the mean over the answers.
    pub rouge: [Overlap; 3],
    /// METEOR, the mean over the answers.
    pub meteor: f64,
    /// chrF of the corpus, in hundredths.
    pub chrf: f64,
    /// Each answer.
    pub items: Vec<ItemFigures>,
}

/// The counts that one answer adds to the sums.
struct Counted {
    bleu: bleu::Counts,
    chrf: chrf::Counts,
    cut: BleuCut,
    item: ItemFigures,
}

/// How answers are counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting<'a> {
    /// How BLEU divides texts into tokens. `None` = as the language of each answer suggests.
    pub cut: Option<BleuCut>,
    /// ROUGE counts stems.
    pub stems: bool,
    /// The source of English synonyms for METEOR. Without it, METEOR uses no synonyms.
    pub wordnet: Option<&'a WordNet>,
}

/// All figures of a list of answers.
pub fn measure(answers: &[Answer], counting: Counting) -> TextFigures {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let share = answers.len().div_ceil(workers).max(1);
    let counted: Vec<Counted> = thread::scope(|scope| {
        let parts: Vec<_> = answers
            .chunks(share)
            .map(|part| {
                scope.spawn(move || {
                    let mut known = Stems::default();
                    let counted = part.iter().map(|one| count(one, counting, &mut known));
                    counted.collect::<Vec<_>>()
                })
            })
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    let (mut bleu, mut chrf) = (bleu::Counts::default(), chrf::Counts::default());
    let mut rouge = [Overlap::default(); 3];
    let mut meteor = 0.0;
    for one in &counted {
        bleu.add(&one.bleu);
        chrf.add(&one.chrf);
        meteor += one.item.meteor;
        for (sum, of) in rouge.iter_mut().zip(&one.item.rouge) {
            sum.add(of);
        }
    }
    let n = counted.len().max(1) as f64;
    TextFigures {
        bleu: bleu.scores(false),
        precisions: bleu.precisions(),
        signature: signature(answers, &counted),
        rouge: rouge.map(|sum| sum.divided_by(n)),
        meteor: meteor / n,
        chrf: chrf.score(),
        items: counted.into_iter().map(|one| one.item).collect(),
    }
}

fn count(answer: &Answer, counting: Counting, known: &mut Stems) -> Counted {
    let language = answer
        .language
        .unwrap_or_else(|| language_of(&answer.references));
    let unspaced = language == Language::Other
        && answer
            .references
            .iter()
            .any(|text| is_mostly_unspaced(text));
    let fitting = || BleuCut::fitting(language, unspaced);
    let cut = counting.cut.unwrap_or_else(fitting);
    let words = WordCut::new(language, unspaced);

    let (prediction, references) = numbered(answer, |text| cut.cut(text));
    let runs: Vec<WordRuns> = references.iter().map(|words| WordRuns::of(words)).collect();
    let lengths: Vec<usize> = references.iter().map(Vec::len).collect();
    let bleu = bleu::Counts::of(
        &WordRuns::of(&prediction),
        prediction.len(),
        &runs,
        &lengths,
    );

    let right: Vec<_> = answer
        .references
        .iter()
        .map(|text| chrf::runs(text))
        .collect();
    let chrf = chrf::Counts::of(&chrf::runs(answer.prediction), &right);

    let (prediction, references) = numbered(answer, |text| {
        let mut cut = words.rouge(text);
        if counting.stems {
            let long = cut.iter_mut().filter(|w| w.len() > TOO_SHORT_TO_STEM);
            long.for_each(|word| *word = stem(word));
        }
        cut
    });
    let rouge = rouge(&prediction, &references);

    let right: Vec<Vec<String>> = answer.references.iter().map(|t| words.meteor(t)).collect();
    let written = words.meteor(answer.prediction);
    let wordnet = counting.wordnet.filter(|_| language == Language::En);
    let meteor = meteor(&written, &right, known, wordnet);
    let item = ItemFigures {
        bleu: bleu.scores(true),
        rouge,
        meteor,
        chrf: chrf.score(),
        language,
    };
    Counted {
        bleu,
        chrf,
        cut,
        item,
    }
}

/// The tokens of the answer and of each right one as numbers, the same for the same token.
fn numbered(answer: &Answer, cut: impl Fn(&str) -> Vec<String>) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut of = |text: &str| -> Vec<u32> {
        let tokens = cut(text).into_iter();
        tokens
            .map(|token| {
                let next = numbers.len() as u32;
                *numbers.entry(token).or_insert(next)
            })
            .collect()
    };
    let prediction = of(answer.prediction);
    let references = answer.references.iter().map(|text| of(text)).collect();
    (prediction, references)
}

fn signature(answers: &[Answer], counted: &[Counted]) -> String {
    let most: BTreeSet<usize> = answers.iter().map(|a| a.references.len()).collect();
    let references = match most.iter().next() {
        Some(n) if most.len() == 1 => n.to_string(),
        _ => "var".to_owned(),
    };
    let cuts: BTreeSet<BleuCut> = counted.iter().map(|one| one.cut).collect();
    let cuts: Vec<&str> = cuts.into_iter().map(BleuCut::name).collect();
    let cuts = cuts.join("+");
    format!("nrefs:{references}|case:mixed|eff:no|tok:{cuts}|smooth:exp|version:{SACREBLEU}")
}
