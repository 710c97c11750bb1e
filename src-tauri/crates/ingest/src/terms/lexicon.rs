//! English words that end a noun phrase, that no term may contain, or that make a term less likely. The extractor has
//! no part-of-speech tagger. So all words of small word classes (such as prepositions) are listed. All other words are
//! judged by their spelling and by how the corpus uses them. The first lines of each word list say what the list is
//! for.

use lexforge_text::lists::Word;
use lexforge_text::word_lists;
use std::collections::HashSet;

word_lists! {
    FUNCTION: HashSet<Word> = "english/function.txt";
    VERB: HashSet<Word> = "english/verb.txt";
    GENERIC: HashSet<Word> = "english/generic.txt";
    EMPTY_MODIFIER: HashSet<Word> = "english/empty_modifier.txt";
    STRUCTURE: HashSet<Word> = "english/structure.txt";
    LIGHT_HEAD: HashSet<Word> = "english/light_head.txt";
    LY_NOUN: HashSet<Word> = "english/ly_noun.txt";
    NOUN_LIKE_ADJECTIVE: HashSet<Word> = "english/noun_like_adjective.txt";
    ADJECTIVE: HashSet<Word> = "english/adjective.txt";
    WEAK_HEAD: HashSet<Word> = "english/weak_head.txt";
    GENERAL_ADJECTIVE: HashSet<Word> = "english/general_adjective.txt";
    COMMON_TERM: HashSet<Word> = "english/common_term.txt";
    BOILERPLATE: HashSet<Word> = "english/boilerplate.txt";
}
