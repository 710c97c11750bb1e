#!/usr/bin/env python3
"""Tests whether other documents of the same kind help to find the statement that meets a demand, without labels, on the sets of
coverage.py.

    python3 tools/bench/coverage_expanded.py SET...

This is a prototype that compares words, and not a part of the product. It needs numpy, scipy and scikit-learn. The first order of
statements is the product's order by words (BM25, TF-IDF, character n-grams, on one scale), with simpler stems. For the second
order, each demand is expanded: to its words and pairs of words the mean of the best statements of other documents is added,
namely of the half of the documents that answer it best. The method that is tested combines both orders. Documents are divided
into five folds by the hash of their names. The method was chosen on folds 0 and 1; the figures are for folds 2 to 4, with
intervals by document. Labels are used only for the figures.
"""

import hashlib
import os
import re
import sys

import numpy as np
import scipy.sparse as sp
from coverage import read
from coverage_learned import auc
from sklearn.feature_extraction.text import TfidfVectorizer

FOLDS, HELD_OUT, SEED, RESAMPLES, FIRST, LOOKED_AT = 5, (2, 3, 4), 7, 1000, 10, 12
SHARE, BETA = 0.5, 1.0
# The weights of the product by words alone: the cosine, the share of the rule's words, the constant.
WORDS_ALONE = (3.965, 4.113, -2.478)
ENDINGS = """sses:ss ies:i ization:ize isation:ize ational:ate ations:at ation:at ements:e ement:e ments: ment: ings: ing: edly: ed:
ness: ions: ion: ors:or es:e s: ly:"""
ENDINGS = [pair.split(":") for pair in ENDINGS.split()]


def stop_words():
    """Those of the product's word index."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "../../src-tauri/crates/store/src/words.rs"), encoding="utf-8") as file:
        text = file.read()
    begin = text.index("const STOP_WORDS")
    return set(re.findall(r'"([^"]+)"', text[begin : text.index("];", begin)]))


STOP_WORDS = stop_words()


def stem(word):
    for ending, instead in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: len(word) - len(ending)] + instead
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def words(text):
    return [stem(word) for word in re.findall(r"[^\W_]+", text.lower()) if word not in STOP_WORDS]


def grams(text):
    marked = ["\2" + word + "\3" for word in words(text)]
    return [word[i : i + n] for word in marked for n in (3, 4, 5) for i in range(len(word) - n + 1)]


def counted(texts, entries):
    """Rows of counts over a vocabulary of all texts."""
    numbers, begins, columns = {}, [0], []
    for text in texts:
        columns += [numbers.setdefault(entry, len(numbers)) for entry in entries(text)]
        begins.append(len(columns))
    rows = sp.csr_matrix((np.ones(len(columns)), columns, begins), shape=(len(texts), max(len(numbers), 1)))
    rows.sum_duplicates()
    return rows


def compared(asked, texts):
    """BM25, cosine and share of the asked text's words, of each text (rows) and asked text (columns)."""
    n = asked.shape[0] + texts.shape[0]
    standing = np.asarray((asked > 0).sum(0) + (texts > 0).sum(0)).ravel()
    idf = np.log((1 + n) / (1 + standing)) + 1

    def weighed(rows):
        rows = rows.copy()
        rows.data = 1 + np.log(rows.data)
        rows = rows @ sp.diags(idf)
        return rows, np.sqrt(np.asarray(rows.multiply(rows).sum(1)).ravel())

    (a, a_length), (t, t_length) = weighed(asked), weighed(texts)
    cosine = (t @ a.T).toarray() / np.maximum(np.outer(t_length, a_length), 1e-12)
    length = np.asarray(texts.sum(1)).ravel()
    rows = texts.copy()
    own = length[np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))]
    rows.data = rows.data * 2.2 / (rows.data + 1.2 * (0.25 + 0.75 * own / max(length.mean(), 1)))
    bm25 = (rows @ (asked @ sp.diags(np.log(1 + (n - standing + 0.5) / (standing + 0.5)))).T).toarray()
    has = (asked > 0).astype(float) @ sp.diags(idf)
    share = ((texts > 0).astype(float) @ has.T).toarray() / np.maximum(np.asarray(has.sum(1)).ravel(), 1e-12)
    return bm25, cosine, share


def standardised(scores):
    spread = scores.std(0)
    return (scores - scores.mean(0)) / np.where(spread > 1e-12, spread, np.inf)


def expanded(demands, texts, spans, likeness):
    """The cosine of each text with each demand and what the documents that answer it best say of it."""
    terms = TfidfVectorizer(tokenizer=words, lowercase=False, token_pattern=None, ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    rows = terms.fit_transform(texts)
    asked = terms.transform(demands)
    best = np.array([span[likeness[span].argmax(0)] for span in spans])
    found = np.zeros(likeness.shape)
    for r in range(len(demands)):
        order = np.argsort(-likeness[best[:, r], r], kind="stable")
        chosen = best[order[: max(2, int(SHARE * len(spans)))], r]
        query = asked[r] + BETA * sp.csr_matrix(rows[chosen].mean(0))
        found[:, r] = (rows @ (query / np.sqrt(query.multiply(query).sum())).T).toarray().ravel()
    return found


def measured(folder):
    requirements, passages, labels = read(folder)
    documents = list(passages)
    demands = [row["text"] for row in requirements]
    texts, spans, at = [], [], {}
    for document in documents:
        begin = len(texts)
        for i, text in passages[document]:
            if text.strip():
                at[document, i] = len(texts)
                texts.append(text)
        spans.append(np.arange(begin, len(texts)))
    n = len(demands)
    by_word, by_gram = (counted(demands + texts, entries) for entries in (words, grams))
    _, cosine, share = compared(by_word[:n], by_word[n:])
    other = expanded(demands, texts, spans, cosine + share)
    plain, both, chance = np.zeros(other.shape), np.zeros(other.shape), np.zeros((len(documents), n))
    for d, span in enumerate(spans):
        bm25, cosine, share = compared(by_word[:n], by_word[n:][span])
        kinds = [bm25, cosine, compared(by_gram[:n], by_gram[n:][span])[1]]
        plain[span] = standardised(sum(standardised(kind) for kind in kinds))
        both[span] = plain[span] + standardised(other[span])
        looked = np.argsort(-plain[span], axis=0, kind="stable")[:LOOKED_AT]
        greatest = [np.take_along_axis(kind, looked, 0).max(0) for kind in (cosine, share)]
        chance[d] = WORDS_ALONE[0] * greatest[0] + WORDS_ALONE[1] * greatest[1] + WORDS_ALONE[2]
    place = {document: d for d, document in enumerate(documents)}
    number = {row["id"]: r for r, row in enumerate(requirements)}
    covered = np.zeros(chance.shape, int)
    found = {name: np.full(chance.shape, np.nan) for name in ("plain", "expanded", "both")}
    for (document, requirement), (label, evidence) in labels.items():
        if document not in place:
            continue
        d, r = place[document], number[requirement]
        covered[d, r] = label != "not_mentioned"
        for name, scores in (("plain", plain), ("expanded", other), ("both", both)):
            if evidence:
                first = set(spans[d][np.argsort(-scores[spans[d], r], kind="stable")[:FIRST]])
                found[name][d, r] = np.mean([at.get((document, i)) in first for i in evidence])
    by_hash = sorted(documents, key=lambda d: hashlib.sha256(d.encode()).hexdigest())
    fold_of = {document: i % FOLDS for i, document in enumerate(by_hash)}
    held = np.array([d for d, document in enumerate(documents) if fold_of[document] in HELD_OUT])
    answers = np.array([other[span].max(0) for span in spans])
    return held, covered, chance, answers, found


def main():
    for folder in sys.argv[1:]:
        held, covered, chance, answers, found = measured(folder)
        draws = np.random.default_rng(SEED)
        drawn = [held[draws.integers(0, len(held), len(held))] for _ in range(RESAMPLES)]
        print(f"{os.path.basename(folder.rstrip('/'))}: {len(held)} held-out documents")

        def tell(what, figure):
            low, high = np.nanpercentile([figure(rows) for rows in drawn], [2.5, 97.5])
            print(f"  {what}: {figure(held):.3f} [{low:.3f}, {high:.3f}]", flush=True)

        area = lambda scores: lambda rows: auc(scores[rows].ravel(), covered[rows].ravel())
        tell("area, as it is", area(chance))
        tell("area, expanded", area(answers))
        tell("  difference", lambda rows: area(answers)(rows) - area(chance)(rows))
        for name in ("plain", "expanded", "both"):
            tell(f"evidence among the first ten, {name}", lambda rows: np.nanmean(found[name][rows]))
            if name != "plain":
                tell("  difference", lambda rows: np.nanmean(found[name][rows]) - np.nanmean(found["plain"][rows]))


if __name__ == "__main__":
    main()
