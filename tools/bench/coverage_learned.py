#!/usr/bin/env python3
"""Measures what can be learned from the labels of other documents: one word classifier for each demand, on the sets of
coverage.py, with folds by document.

    python3 tools/bench/coverage_learned.py SET...

This is a prototype and not a part of the product; the product's own method is measured by `match --benchmark SET`. It needs numpy
and scikit-learn. A sentence is represented by its words and pairs of words (TF-IDF). For each demand a logistic classifier is
trained on the sentences of four fifths of the documents: it learns which sentences people named for the demand. The last fifth is
scored. The verdict on a document comes from its greatest and second greatest scores, the nearest labelled sentences and the
demand, with weights fitted on the scores of the other folds. Intervals are by document.
"""

import hashlib
import os
import sys

import numpy as np
from coverage import read
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier

FOLDS, SEED = 5, 7
LABELS = {"not_mentioned": 0, "entailed": 1, "contradicted": 2}


def auc(score, covered):
    order = np.argsort(score, kind="stable")
    score, covered = score[order], covered[order]
    ones = covered.sum()
    zeros = len(covered) - ones
    if not ones or not zeros:
        return float("nan")
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - count)[place] + (count[place] + 1) / 2
    return (rank[covered > 0].sum() - ones * (ones + 1) / 2) / (ones * zeros)


def precision_at(score, covered, recall=0.9):
    order = np.argsort(score, kind="stable")
    missing = np.cumsum(covered[order] == 0)
    k = min(np.searchsorted(missing, recall * (covered == 0).sum()), len(missing) - 1)
    return missing[k] / (k + 1)


def learned(train, named, test):
    """How surely each sentence of the test is one that people named."""
    if named.sum() < 2:
        return np.full(test.shape[0], -9.0)
    weights = {0: 1, 1: 3}
    model = SGDClassifier(loss="log_loss", alpha=2e-5, max_iter=10, tol=None, random_state=SEED, class_weight=weights)
    return model.fit(train, named).decision_function(test)


def measured(folder):
    requirements, passages, labels = read(folder)
    number = {r["id"]: i for i, r in enumerate(requirements)}
    documents = sorted(passages)
    by_hash = sorted(documents, key=lambda d: hashlib.sha256(d.encode()).hexdigest())
    fold_of = {d: i % FOLDS for i, d in enumerate(by_hash)}
    texts, folds, at, span = [], [], {}, {}
    for d in documents:
        begin = len(texts)
        for i, text in passages[d]:
            if text.strip():
                at[d, i] = len(texts)
                texts.append(text.lower())
                folds.append(fold_of[d])
        span[d] = (begin, len(texts))
    folds = np.array(folds)
    pairs = [
        (d, number[r], LABELS[label], [at[d, i] for i in evidence if (d, i) in at])
        for (d, r), (label, evidence) in labels.items()
        if d in span
    ]
    told = np.zeros((len(texts), len(requirements)), np.int8)
    for _, r, label, evidence in pairs:
        told[evidence, r] = label
    words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2, token_pattern=r"[a-z0-9]+")
    X = words.fit_transform(texts)
    cosine = np.asarray((X @ words.transform([r["text"].lower() for r in requirements]).T).todense())
    score, contrary, near = (np.zeros(told.shape) for _ in range(3))
    for f in range(FOLDS):
        test, train = np.where(folds == f)[0], np.where(folds != f)[0]
        for r in range(len(requirements)):
            named = (told[train, r] > 0).astype(int)
            score[test, r] = learned(X[train], named, X[test])
            contrary[test, r] = learned(X[train], (told[train, r] == 2).astype(int), X[test])
            if named.sum() > 1:
                like = np.asarray((X[test] @ X[train][named > 0].T).todense())
                like.sort(axis=1)
                near[test, r] = like[:, -3:].mean(1)
    return pairs, documents, fold_of, span, (score, contrary, near, cosine)


def main():
    for folder in sys.argv[1:]:
        pairs, documents, fold_of, span, (score, contrary, near, cosine) = measured(folder)
        label = np.array([p[2] for p in pairs])
        covered = (label > 0).astype(int)
        fold = np.array([fold_of[p[0]] for p in pairs])
        own = np.array([documents.index(p[0]) for p in pairs])
        demand = np.eye(score.shape[1])[[p[1] for p in pairs]]
        rng = np.random.default_rng(SEED)
        of = [np.where(own == k)[0] for k in range(len(documents))]
        draws = [np.concatenate([of[k] for k in rng.integers(0, len(of), len(of))]) for _ in range(300)]
        name = os.path.basename(folder.rstrip("/"))

        def tell(what, figure, *columns):
            drawn = [figure(*(c[rows] for c in columns)) for rows in draws]
            low, high = np.nanpercentile(drawn, [2.5, 97.5])
            print(f"{name} | {what}: {figure(*columns):.3f} [{low:.3f}, {high:.3f}]", flush=True)

        found = np.full(len(pairs), np.nan)
        for i, (d, r, _, evidence) in enumerate(pairs):
            if evidence:
                begin, end = span[d]
                first = set(begin + np.argsort(-score[begin:end, r], kind="stable")[:10])
                found[i] = np.mean([e in first for e in evidence])
        tell("evidence recall@10", np.nanmean, found)

        def best(scores, place):
            ordered = [np.sort(scores[slice(*span[d]), r]) for d, r, _, _ in pairs]
            column = np.array([o[-min(place, len(o))] for o in ordered])
            return (column - column.mean()) / (column.std() + 1e-9)

        columns = [best(score, 1), best(score, 2), best(near, 1), best(near, 2), best(cosine, 1), best(contrary, 1)]
        for what, given in (("demand alone", demand), ("scores and demand", np.column_stack([*columns, demand]))):
            chance, said = np.zeros(len(pairs)), np.zeros(len(pairs), int)
            for f in range(FOLDS):
                test, train = fold == f, fold != f
                model = LogisticRegression(max_iter=500).fit(given[train], label[train])
                chance[test] = 1 - model.predict_proba(given[test])[:, list(model.classes_).index(0)]
                said[test] = model.predict(given[test])
            tell(f"{what}: area under the curve", auc, chance, covered)
            tell(f"{what}: not covered, precision at recall .90", precision_at, chance, covered)
            tell(f"{what}: verdict right", np.mean, (said == label).astype(float))
            both = ((said == 2) & (label == 2)).sum()
            if (label == 2).any():
                print(f"{name} | {what}: contradicted, recall {both / (label == 2).sum():.3f}, precision {both / max(1, (said == 2).sum()):.3f}")


if __name__ == "__main__":
    main()
