//! Abbreviations of English legal and financial text, without their last stop.

use std::collections::HashSet;
use std::sync::LazyLock;

/// A stop after one of these never ends a sentence: something always follows. Lower case.
const OPEN: &str = "\
    adm admin al amend ann app approx arg art arts attn c.f c.f.r capt cf ch cir civ cl cls cmdr cod col comm \
    conc concur cong const crim ct d dep't dept dir dr e.g ed eds eg eq eqs et evid ex exh ext fed fig figs fn \
    fns ft gen gov hon i.e ie int'l lit ll lt maj messrs mme mr mrs ms mt n nat'l no nos nr nt n° op p para paras pg pgs \
    pp pres proc prof pt pts ref reg regs rep reps res rev rul sched sec secs sect sen sens sgt sig st stat \
    subd subds subpt subsec supp tel thm tit u.s.c v vers viz vol vols vs w";

/// Of [`OPEN`] those that are also words, in lower case, or end a phrase (`et al.`): before a word that begins
/// sentences they end one.
const ORDINARY: &[&str] =
    &["al", "app", "art", "col", "ed", "ex", "fed", "fig", "no", "ref", "rep", "reps", "res", "st", "sig"];

/// A stop after one of these may also end a sentence; the next word decides. Lower case.
const CLOSING: &str = "\
    a.g ab ag apr ass'n assn assoc aug ave b.a b.v bhd bldg blvd bros cit co conn cont corp cos dec dis dist \
    div eff esq est etc excl feb gmbh hrs inc incl intl jan jr jul jun k.k llc llp ltd ltda m.d mar max mfg min \
    mins misc n.a n.v natl nov nv oct op.cit opn oy ph.d plc pty pub rd rptr s.a s.p.a s.r.l s.à.r.l sa sep \
    sept seq sr supp univ yr yrs";

/// Names of courts, states, reporters and codes as law citations shorten them; words of their own in lower case.
const REPORTERS: &str = "\
    Admin Ala Am App Appx Ariz Ark Ass'n Assoc Atty Bankr Barb Bd Bus Cal Calif Civ Cl Colo Comm'n \
    Comp Conn Const Corp Cranch Crim Ct Dall Dec Del Dep't Disc Dist Div Eng Fam Fin Fla Ga Gen Gov Gov't Haw \
    Hosp Ill Ind Indus Ins Int'l Jur Kan Legis Ky L La Leg Lit Mass Md Mem Mfrs Mgmt Mich \
    Minn Misc Miss Mo Mont Mun Mut Nat Nat'l Neb Nev Okla Op Ore Pa Pac Pen Pet Prac Prob Proc Prods Pub Rel \
    Rep Rev Rptr Ry Sav Sch Sec Serv Servs Sess So Soc Sup Super Supp Sys Tel Tenn Tex Tr Transp \
    Univ Util Va Veh Vet Vt Wash Welf Wis Wyo";

/// Words that begin a sentence and hardly ever a name. Lower case.
const STARTERS: &str = "\
    a about above according accordingly across additionally after again against all along also alternatively \
    although among an and another any anyone apart are as at because before below between both but by can \
    consequently conversely defendant despite did do does dr during each either even every everyone except \
    finally first five following for four from further furthermore generally given had has have he hence her \
    here hereafter his how however i if in including indeed instead is it its less let like likewise many may \
    meanwhile more moreover most mr mrs ms my neither nevertheless no nobody nonetheless nor not nothing \
    notwithstanding now of on once one only or other otherwise our over perhaps petitioner plaintiff please \
    pursuant rather regarding respondent second see several she should similarly since six so some someone \
    specifically still subject subsequently such that the their then there thereafter therefore these they \
    third this those though three through thus to too two ultimately under unless unlike until upon was we were \
    what when whenever where whereas whether which while who whoever why will with within without would yet you \
    your";

fn words(list: &'static str) -> HashSet<&'static str> {
    list.split_whitespace().collect()
}

static OPEN_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(OPEN));
static CLOSING_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(CLOSING));
static REPORTER_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(REPORTERS));
static STARTER_SET: LazyLock<HashSet<&str>> = LazyLock::new(|| words(STARTERS));

/// Whether a stop after `word` (lower case) never ends a sentence.
pub fn is_open(word: &str) -> bool {
    OPEN_SET.contains(word)
}

/// Whether `word`, as written, may be a whole word although it looks like an abbreviation.
pub fn is_ordinary(word: &str) -> bool {
    ORDINARY.contains(&word)
}

/// Whether a stop after `word` (lower case) may or may not end a sentence.
pub fn is_closing(word: &str) -> bool {
    CLOSING_SET.contains(word)
}

/// Whether `word`, as written, is a court, state, reporter or code in a citation.
pub fn is_reporter(word: &str) -> bool {
    REPORTER_SET.contains(word)
}

/// Whether `word` (lower case) usually begins a sentence when it has a capital.
pub fn is_starter(word: &str) -> bool {
    STARTER_SET.contains(word)
}

/// Whether `word` is a form of address.
pub fn is_title(word: &str) -> bool {
    ["Mr", "Mrs", "Ms", "Dr"].contains(&word)
}
