//! The Chinese word lists. What each is for stands at the head of its file.

use lexforge_text::lists::{Group, Pair, Swap, Word};
use lexforge_text::word_lists;

word_lists! {
    ACTORS: Vec<Word> = "chinese/actors.txt";
    ADVERBIALS: Vec<Word> = "chinese/adverbials.txt";
    ANSWERS_WITH: Vec<Word> = "chinese/answers_with.txt";
    ANYBODY: Vec<Word> = "chinese/anybody.txt";
    BEFORE_A_VERB: Vec<Word> = "chinese/before_a_verb.txt";
    BOUNDS: Vec<Pair> = "chinese/bounds.txt";
    CLOSES_A_NAME: Vec<Word> = "chinese/closes_a_name.txt";
    CONDITIONS: Vec<Pair> = "chinese/conditions.txt";
    COUNTED_IN_LIANG: Vec<Word> = "chinese/counted_in_liang.txt";
    ELSEWHERE: Vec<Word> = "chinese/elsewhere.txt";
    EMPTY_HEADINGS: Vec<Word> = "chinese/empty_headings.txt";
    KINDS: Vec<Group> = "chinese/kinds.txt";
    LISTINGS: Vec<Pair> = "chinese/listings.txt";
    NEGATED: Vec<Pair> = "chinese/negated.txt";
    NO_NAMES: Vec<Word> = "chinese/no_names.txt";
    OPENS_A_NAME: Vec<Word> = "chinese/opens_a_name.txt";
    OPENS_NO_NAME: Vec<Word> = "chinese/opens_no_name.txt";
    OPPOSITES: Vec<Pair> = "chinese/opposites.txt";
    POINTING: Vec<Word> = "chinese/pointing.txt";
    PUBLIC_BODIES: Vec<Word> = "chinese/public_bodies.txt";
    QUOTING: Vec<Word> = "chinese/quoting.txt";
    SAME: Vec<Pair> = "chinese/same.txt";
    SAME_HEADS: Vec<Group> = "chinese/same_heads.txt";
    UNLESS: Vec<Swap> = "chinese/unless.txt";
    VERBS: Vec<Swap> = "chinese/verbs.txt";
    VERBS_IN_NAMES: Vec<Word> = "chinese/verbs_in_names.txt";
    WHOLE_NAMES: Vec<Word> = "chinese/whole_names.txt";
    WIDE: Vec<Word> = "chinese/wide.txt";
}
