//! Abbreviations of English legal and financial text, lower case, without their last stop.

/// A stop after one of these never ends a sentence: something always follows.
const OPEN: &[&str] = &[
    "adm", "admin", "app", "arg", "art", "arts", "attn", "capt", "cf", "ch", "cl", "cls", "cmdr", "col", "comm", "cong",
    "const", "dir", "dr", "e.g", "eg", "ex", "exh", "fig", "figs", "gen", "gov", "hon", "i.e", "ie", "lt", "maj", "messrs",
    "mme", "mr", "mrs", "ms", "mt", "n°", "no", "nos", "nr", "op", "p", "para", "paras", "pp", "pres", "prof", "pt", "pts",
    "rep", "reps", "rev", "sched", "sec", "secs", "sect", "sen", "sens", "sgt", "st", "subsec", "supp", "tit", "v", "viz",
    "vol", "vols", "vs", "al", "approx", "ann", "cod", "ed", "eds", "ref", "regs", "res", "rul", "stat", "ct", "id", "tel",
    "ext", "amend", "c.f", "cir", "d", "dep't", "int'l", "nat'l", "fed", "reg", "crim", "civ", "evid", "proc", "u.s.c",
    "c.f.r", "w", "n",
];

/// A stop after one of these may also end a sentence; the next word decides.
const CLOSING: &[&str] = &[
    "inc", "co", "cos", "corp", "ltd", "llc", "llp", "plc", "bros", "assn", "ass'n", "dept", "dist", "div", "etc", "jr",
    "sr", "seq", "ave", "blvd", "rd", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
    "a.m", "p.m", "est", "min", "max", "mfg", "intl", "natl", "univ", "bldg", "cit", "ibid", "incl", "excl", "s.a", "n.v",
    "a.g", "s.p.a", "n.a", "ag", "sa", "nv", "esq", "ph.d", "m.d", "b.a", "hrs", "mins", "yr", "yrs",
];

/// Words that begin a sentence and hardly ever a name.
const STARTERS: &[&str] = &[
    "a", "about", "according", "accordingly", "after", "all", "also", "although", "an", "and", "another", "any", "are",
    "as", "at", "because", "before", "both", "but", "by", "can", "consequently", "did", "do", "does", "during", "each",
    "either", "every", "finally", "first", "for", "from", "further", "furthermore", "given", "had", "has", "have", "he",
    "hence", "her", "here", "his", "how", "however", "i", "if", "in", "indeed", "is", "it", "its", "like", "many", "may",
    "moreover", "most", "my", "neither", "nevertheless", "no", "nor", "not", "nothing", "notwithstanding", "now", "of",
    "on", "once", "one", "only", "or", "other", "otherwise", "our", "over", "please", "pursuant", "rather", "second",
    "several", "she", "should", "similarly", "since", "so", "some", "such", "subject", "that", "the", "their", "then",
    "there", "therefore", "these", "they", "third", "this", "those", "though", "through", "thus", "to", "under", "unless",
    "until", "upon", "was", "we", "were", "what", "when", "where", "whereas", "whether", "which", "while", "who", "why",
    "will", "with", "within", "without", "would", "you", "your", "let", "mr", "mrs", "ms", "dr",
];

/// Whether a stop after `word` never ends a sentence.
pub fn is_open(word: &str) -> bool {
    OPEN.contains(&word)
}

/// Whether a stop after `word` may or may not end a sentence.
pub fn is_closing(word: &str) -> bool {
    CLOSING.contains(&word)
}

/// Whether `word` (lower case) usually begins a sentence when it has a capital.
pub fn is_starter(word: &str) -> bool {
    STARTERS.contains(&word)
}
