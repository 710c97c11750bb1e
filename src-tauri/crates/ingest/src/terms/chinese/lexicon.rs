//! Chinese words by what they do in a name. What each list is for stands at the head of its file.

use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    BOUND: HashSet<Word> = "chinese/phrase_bounds.txt";
    GENERIC: HashSet<Word> = "chinese/generic.txt";
    COMPOUNDING: HashSet<Word> = "chinese/compounding.txt";
    ATTRIBUTIVE: HashSet<Word> = "chinese/attributive.txt";
    LIGHT_HEAD: HashSet<Word> = "chinese/light_head.txt";
    EMPTY_MODIFIER: HashSet<Word> = "chinese/empty_modifier.txt";
    COMMON_TERM: HashSet<Word> = "chinese/common_term.txt";
    NOUN: HashSet<Word> = "chinese/noun.txt";
    MODAL: HashSet<Word> = "chinese/modal.txt";
    BEFORE_NOUN: HashSet<Word> = "chinese/before_noun.txt";
    AFTER_VERB: HashSet<Word> = "chinese/after_verb.txt";
    AGENT: HashSet<Word> = "chinese/agent.txt";
    FUNCTION_CHARACTER: HashSet<Word> = "chinese/function_characters.txt";
}
