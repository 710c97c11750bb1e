//! Items of the token stage in English and Chinese, with terms that are easily confused and real tokenizers. Checks
//! that they cover the hard cases.

use crate::common::data;
use lexforge_models::decoding::chat::Message;
use lexforge_models::decoding::language::Language;
use lexforge_models::losses::token_loss::TokenItem;
use lexforge_models::training::token_item::{Draft, Dropped};
use std::sync::OnceLock;

/// Terms that are taken for each other; each is the right one once.
const ENGLISH: [&[&str]; 9] = [
    &["board", "board secretary", "board committee"],
    &["supervisor", "executive supervisor", "supervisory office"],
    &["bank", "bank holding company", "custodian bank"],
    &[
        "capital ratio",
        "capital buffer",
        "capital conservation buffer",
    ],
    &["loan", "loan agreement", "syndicated loan"],
    &["risk officer", "risk committee", "chief risk officer"],
    &["auditor", "internal auditor", "external auditor"],
    &["director", "managing director", "director general"],
    &["fund", "fund manager", "feeder fund"],
];
const CHINESE: [&[&str]; 9] = [
    &["董事会", "董事会秘书", "监事会"],
    &["监事", "执行监事", "监事长"],
    &["贷款", "贷款合同", "委托贷款"],
    &["资本充足率", "资本净额", "核心资本充足率"],
    &["银行", "银行业协会", "托管银行"],
    &["股东", "股东大会", "控股股东"],
    &["行长", "副行长", "行长助理"],
    &["保险公司", "保险公司代表", "再保险公司"],
    &["风险管理部", "风险管理委员会", "合规部"],
];
/// Sentences; the term is at the place of the mark, with a capital where it begins the sentence.
const ENGLISH_SENTENCES: [&str; 6] = [
    "The {} is named in the register of the institution.",
    "{} records are kept for ten years.",
    "The report is about the {}, and the {} is reviewed within ten days.",
    "The change was made by a {} after the review.",
    "By the end of the year, the institution reports on the {}",
    "It was noted. {} matters come first, as the rules say.",
];
const CHINESE_SENTENCES: [&str; 5] = [
    "{}应当登记在册。",
    "报告涉及{}，{}在十日内接受审查。",
    "该制度适用于{}的全部事项。",
    "年底前应当说明{}",
    "根据规定，由{}负责。",
];

/// Questions, sentences, right and wrong terms.
fn drafts(chinese: bool) -> Vec<(&'static str, String, &'static str, Vec<&'static str>)> {
    let (families, sentences, question) = if chinese {
        (&CHINESE, &CHINESE_SENTENCES[..], "规定说的是谁或者什么？")
    } else {
        (
            &ENGLISH,
            &ENGLISH_SENTENCES[..],
            "Who or what does the rule speak of?",
        )
    };
    let mut drafts = Vec::new();
    for family in families {
        for &right in family.iter() {
            let wrong: Vec<&str> = family
                .iter()
                .copied()
                .filter(|&term| term != right)
                .collect();
            for pattern in sentences {
                let begins = pattern.starts_with("{}") || pattern.contains(". {}");
                let spoken = if begins && !chinese {
                    right[..1].to_uppercase() + &right[1..]
                } else {
                    right.to_owned()
                };
                let article = |text: String| {
                    if spoken.starts_with(['a', 'e', 'i', 'o', 'u']) {
                        text.replace(" a {}", " an {}")
                    } else {
                        text
                    }
                };
                let sentence = article((*pattern).to_owned()).replace("{}", &spoken);
                drafts.push((question, sentence, right, wrong.clone()));
            }
        }
    }
    drafts
}

pub(crate) fn items(language: &Language, chinese: bool) -> Vec<TokenItem> {
    let mut items = Vec::new();
    for (question, sentence, term, wrong) in drafts(chinese) {
        let prompt = language.prompt(&[Message::user(question)]).unwrap();
        let made = Draft {
            prompt: &prompt,
            sentence: &sentence,
            term,
            wrong: &wrong,
        }
        .item(language)
        .unwrap();
        let item = made
            .item
            .unwrap_or_else(|| panic!("{sentence:?} {term:?}: {:?}", made.dropped));
        assert!(
            made.dropped.iter().all(|why| *why == Dropped::WrongTerm),
            "{:?}",
            made.dropped
        );
        items.push(item);
    }
    items
}

#[test]
fn the_items_cover_what_is_hard() {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    let Some(folder) = data("tokenizer-qwen2/vocab.json") else {
        return;
    };
    let language =
        LANGUAGE.get_or_init(|| Language::open(folder.parent().unwrap(), 151_936).unwrap());
    let all: Vec<TokenItem> = [false, true]
        .into_iter()
        .flat_map(|chinese| items(language, chinese))
        .collect();
    assert!(all.len() >= 200, "{}", all.len());
    let wrong = || {
        all.iter()
            .flat_map(|item| item.wrong.iter().map(move |wrong| (item, wrong)))
    };
    let at_least =
        |what: &str, count: usize, least: usize| assert!(count >= least, "{what}: {count}");
    at_least("wrong terms", wrong().count(), 400);
    at_least(
        "shared leading tokens",
        wrong()
            .filter(|(item, w)| w.divergence > item.scored.start)
            .count(),
        50,
    );
    at_least(
        "wrong terms that stop early",
        wrong().filter(|(_, w)| w.divergence >= w.term_end).count(),
        20,
    );
    at_least(
        "terms of one token",
        all.iter().filter(|i| i.scored.len() == 2).count(),
        20,
    );
    for (item, wrong) in wrong() {
        assert_eq!(item.ids[..wrong.divergence], wrong.ids[..wrong.divergence]);
        assert_ne!(item.ids[wrong.divergence], wrong.ids[wrong.divergence]);
        assert!(
            wrong.divergence >= item.answer.min(wrong.divergence)
                && wrong.divergence < wrong.scored.end
        );
        assert_eq!(item.scored.start, wrong.scored.start);
        assert!(item.scored.start <= wrong.divergence);
        // The scored tokens are those of the term and one more.
        let text = language.decode(&wrong.ids[wrong.scored.clone()]).unwrap();
        assert!(
            !text.is_empty() || wrong.scored.end == wrong.ids.len(),
            "{wrong:?}"
        );
    }
    let (question, sentence) = ("谁？", "该事项由董事会秘书负责。");
    let prompt = language.prompt(&[Message::user(question)]).unwrap();
    let draft = |term, wrong| Draft {
        prompt: &prompt,
        sentence,
        term,
        wrong,
    };
    assert_eq!(
        draft("董事会", &["董事会秘书"])
            .item(language)
            .unwrap()
            .dropped,
        [Dropped::NoMention]
    );
    let same = draft("董事会秘书", &["董事会秘书"]).item(language).unwrap();
    assert_eq!(same.dropped, [Dropped::WrongTerm, Dropped::NoWrongTerm]);
}
