//! scratch
#![allow(unused_must_use)]
use lexforge_text::*;
fn all(a: &str, b: &str) {
    let _ = addresses::outside_addresses(a);
    let _ = addresses::addresses(a);
    let _ = asked::subject(a);
    let _ = asked::topic(a);
    let _ = asked::is_body(a);
    let _ = asked::is_no_word(a);
    let _ = asked::has_word_that_asks(a);
    let _ = asked::helps_to_ask(a);
    let _ = asked::points_back(a);
    let _ = asked::is_question(a);
    let _ = asked::meaning_of(a);
    let _ = asked::looked_up(a);
    let _ = aspect::of_question(a);
    let _ = aspect::is_led_in(a, b);
    let _ = bounds::is_told(a, b);
    let _ = calendar::is_date(a);
    let _ = diff::word_diff(a, b);
    let _ = duty::asked_of(a);
    let _ = duty::done_to_whom(a);
    let _ = duty::demands(a);
    let _ = everyday::named_as_things(a);
    let _ = expected::of_question(a);
    let _ = expected::beside(a);
    let _ = expected::counted(a);
    let _ = expected::measured(a);
    let _ = expected::asks_what_is_in_it(a);
    let _ = expected::is_told(a, b);
    let _ = expected::tells_how_soon(a, b);
    let _ = fold::spaced(a);
    let _ = fold::tidy(a);
    let _ = fold::joined(a);
    let _ = fold::letters(a);
    let _ = granted::clause(a);
    let _ = granted::asserted(a);
    let _ = granted::denied(a);
    let _ = granted::without_denial(a);
    let _ = granted::figures(a);
    let _ = how_much::may_be_told_in(a, b);
    let _ = language::detect(a);
    let _ = language::of_short(a);
    let _ = likeness::shingles(a);
    let _ = likeness::shingle_jaccard(a, b);
    let _ = money::is_of_the_sum(a, b);
    let _ = money::priced(a);
    let _ = money::is_asked_for(a);
    let _ = numerals::roman(a);
    let _ = numerals::english(a);
    let _ = numerals::alphabetic(a);
    let _ = numerals::chinese(a);
    let _ = parts::of(a);
    let _ = parts::continued(a, b);
    let _ = parts_han::of(a);
    let _ = permits::asks_whether(a);
    let _ = permits::binds(a);
    let _ = permits::asks_when_it_may_be_done(a);
    let _ = permits::tells_when_it_may_be_done(a, b);
    let _ = permits::asks_what_is_forbidden(a);
    let _ = permits::forbids(a);
    let _ = plural::singular(a);
    let _ = plural::plural(a);
    let _ = spelling::slips(a, b);
    let _ = spelling::others(a);
    let _ = stem::stem(a);
    let _ = titled::shared(a, b);
    let _ = tokens::thirteen_a(a);
    let _ = tokens::chinese(a);
    let _ = tokens::characters(a);
    let _ = tokens::rouge_words(a);
    let _ = tokens::words_and_marks(a);
    let _ = tokens::is_mostly_unspaced(a);
    let _ = variants::simplified(a);
    let _ = variants::traditional(a);
    let _ = variants::is_no_slip(a);
    let _ = when::asks_when_it_is_done(a);
    let _ = when::tells_when(a);
    let _ = when::needed(a);
    let _ = when::needs_told(a);
    let _ = when::asks_how_long(a);
    let _ = when::done_so_long(a);
    let _ = when::tells_how_long(a);
    let _ = when::without_deadlines(a);
    let _ = wording::same(a, b);
    let _ = wording::only_refers(a, b);
    let _ = words::words(a);
    let _ = written_out::is_written_out(a);
}
fn main() {
    let vocabulary: Vec<String> = std::fs::read_to_string("/tmp/review/vocabulary.txt")
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    let seconds: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut seed: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let mut next = move |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    let started = std::time::Instant::now();
    std::panic::set_hook(Box::new(|_| {}));
    let mut runs = 0u64;
    let mut slow = 0u128;
    let mut bad = std::collections::BTreeMap::new();
    let odd = [
        "",
        " ",
        "İ",
        "ẞ",
        "ﬁ",
        "\u{0}",
        "\u{2028}",
        "é",
        "e\u{301}",
        "👩‍⚖️",
        "，",
        "。",
        "？",
        "“",
        "”",
        "‘",
        "’",
        "'",
        "\"",
        "-",
        "–",
        "—",
        "(",
        ")",
        "（",
        "）",
        "《",
        "》",
        "〇",
        "１２",
        "½",
        "%",
        "％",
        "万",
        "0",
        "99999999999999999999999",
        "3.5",
        "1,000",
        "§",
        "K",
        "ſ",
        "ŉ",
        "ΐ",
        "\u{202e}",
        "가",
        "か",
        ".",
        "?",
        ":",
        ";",
        "/",
        "…",
        "第",
        "条",
    ];
    while started.elapsed().as_secs() < seconds {
        let mut make = || {
            let n = 1 + next(14);
            let mut s = String::new();
            for _ in 0..n {
                if next(4) == 0 {
                    s.push_str(odd[next(odd.len())]);
                } else {
                    s.push_str(&vocabulary[next(vocabulary.len())]);
                }
                if next(3) > 0 {
                    s.push(' ');
                }
            }
            s
        };
        let (a, b) = (make(), make());
        let t = std::time::Instant::now();
        let r = std::panic::catch_unwind(|| all(&a, &b));
        let ms = t.elapsed().as_millis();
        if ms > slow {
            slow = ms;
            println!("slow {ms} ms {a:?} {b:?}");
        }
        runs += 1;
        if let Err(e) = r {
            let m = e
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| e.downcast_ref::<&str>().map(|s| s.to_string()))
                .unwrap_or_default();
            let key: String = m.chars().take(60).collect();
            if bad.insert(key.clone(), 1).is_none() {
                println!("PANIC {m} a={a:?} b={b:?}");
            }
        }
    }
    println!("{runs} runs, slowest {slow} ms, {} panics", bad.len());
}
