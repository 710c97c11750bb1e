//! Tests of `lsa`.

use super::*;
use crate::matrix::dot;

const TEXTS: [&str; 7] = [
    "商业银行应当建立流动性风险管理体系",
    "商业银行应当健全流动性风险管理制度",
    "保险公司不得挪用保险保障基金",
    "保险保障基金不得被保险公司挪用",
    "监督管理机构依法进行检查",
    "",
    "商业银行应当建立流动性风险管理体系",
];

#[test]
fn similar_texts_are_near_and_others_far() {
    let m = char_ngram_lsa(&TEXTS, 16, 42);
    assert_eq!((m.rows, m.dim), (7, 16));
    let cosine = |a: usize, b: usize| dot(m.row(a), m.row(b));
    assert!(
        cosine(0, 1) > 0.4 && cosine(2, 3) > 0.4,
        "{} {}",
        cosine(0, 1),
        cosine(2, 3)
    );
    assert!(cosine(0, 2) < 0.2 && cosine(0, 4) < 0.2);
    assert!((cosine(0, 6) - 1.0).abs() < 1e-4);
    assert!(m.row(5).iter().all(|v| *v == 0.0));
}

#[test]
fn full_rank_keeps_the_cosines_of_the_tfidf_vectors() {
    let m = char_ngram_lsa(&TEXTS, 7, 1);
    let rows = Vocabulary::fit(&TEXTS).rows(&TEXTS);
    for a in 0..5 {
        for b in 0..5 {
            let exact: f32 = rows[a]
                .iter()
                .map(|(c, w)| {
                    w * rows[b]
                        .iter()
                        .find(|(d, _)| d == c)
                        .map_or(0.0, |(_, v)| *v)
                })
                .sum();
            assert!((dot(m.row(a), m.row(b)) - exact).abs() < 1e-3, "{a} {b}");
        }
    }
}

#[test]
fn a_kept_basis_gives_the_vectors_of_the_fit_and_places_new_texts_among_them() {
    let (basis, fitted) = fitted(&TEXTS, 16, 42);
    let read = Basis::from_bytes(&basis.to_bytes()).unwrap();
    assert_eq!(read.vectors(&TEXTS), fitted);
    let new = read.vectors(&["商业银行应当完善流动性风险管理体系", "cats sleep"]);
    assert!(dot(new.row(0), fitted.row(0)) > 0.6 && dot(new.row(0), fitted.row(2)) < 0.2);
    assert!(
        new.row(1).iter().all(|v| *v == 0.0),
        "no n-gram of it is known"
    );
    let bytes = basis.to_bytes();
    for cut in [0, 3, 8, 30, bytes.len() - 1] {
        assert!(Basis::from_bytes(&bytes[..cut]).is_none(), "cut at {cut}");
    }
}

#[test]
fn same_seed_same_vectors() {
    assert_eq!(char_ngram_lsa(&TEXTS, 4, 3), char_ngram_lsa(&TEXTS, 4, 3));
    assert_eq!(char_ngram_lsa(&[], 4, 3), Matrix::zeros(0, 4));
    assert!(
        char_ngram_lsa(&["", "x"], 4, 3)
            .data
            .iter()
            .all(|v| v.is_finite())
    );
}

#[test]
fn an_orthonormal_basis_spans_the_same_and_drops_what_depends() {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(8);
    let mut x = Matrix::zeros(5000, 7);
    x.data
        .iter_mut()
        .for_each(|v| *v = rng.random_range(-1.0..1.0));
    for i in 0..x.rows {
        let row = x.row_mut(i);
        // The fifth is made up of others, the sixth nearly equals the first, the last is zero.
        row[4] = row[0] - 2.0 * row[1];
        row[5] = row[0] + 1e-3 * row[5];
        row[6] = 0.0;
    }
    let basis = orthonormal(&x);
    let of_basis = gram(&basis);
    let lengths: Vec<f64> = (0..7).map(|j| of_basis[(j, j)]).collect();
    assert_eq!(
        lengths.iter().filter(|l| **l == 0.0).count(),
        2,
        "{lengths:?}"
    );
    for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
        let expected = if i == j && lengths[i] > 0.0 { 1.0 } else { 0.0 };
        assert!(
            (of_basis[(i, j)] - expected).abs() < 1e-6,
            "{i} {j}: {}",
            of_basis[(i, j)]
        );
    }
    // What is left of a column after the basis is taken out of it.
    let inner = |a: &Matrix, i: usize, b: &Matrix, j: usize| -> f64 {
        (0..a.rows)
            .map(|r| f64::from(a.row(r)[i]) * f64::from(b.row(r)[j]))
            .sum()
    };
    for j in 0..6 {
        let shares: f64 = (0..7).map(|i| inner(&basis, i, &x, j).powi(2)).sum();
        assert!(
            (shares / inner(&x, j, &x, j) - 1.0).abs() < 1e-5,
            "column {j}"
        );
    }
}

#[test]
fn a_gram_has_a_number_of_its_own() {
    for text in [
        "ab",
        " a",
        "bank",
        "商业",
        "第8条",
        "\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}",
    ] {
        let characters: Vec<char> = text.chars().collect();
        assert_eq!(text_of(packed(&characters)), text);
    }
    assert_eq!(grams("aaa"), {
        let of = |text: &str, count: u32| (packed(&text.chars().collect::<Vec<_>>()), count);
        let mut all = vec![
            of(" a", 1),
            of("aa", 2),
            of("a ", 1),
            of(" aa", 1),
            of("aaa", 1),
            of("aa ", 1),
            of(" aaa", 1),
            of("aaa ", 1),
        ];
        all.sort_unstable();
        all
    });
    assert!(grams("").is_empty() && grams("。").is_empty());
}
