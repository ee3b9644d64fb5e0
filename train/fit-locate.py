"""Weights of research's file ranking from what bench/locate/collect.mjs gathered, by folds of repositories.

Linear weights are fitted to --rows; boosted trees, which add to them, also to --more, where a case counts half.

usage: python3 train/fit-locate.py --rows FILE [--rows FILE ...] [--more FILE ...] [--out weights.json]
"""

import argparse
import json

import numpy as np
import xgboost as xgb
from flat_trees import flatten

FOLDS = 8
STEPS = 250
RATE = 0.05
# As packages/research/src/rank/score-rows.ts has them.
TREE_STEP = 512
TREE_SHARE = 2
TREES = 200
MORE_WEIGHT = 0.5


def read(files, more=False):
    lists = []
    for file in files:
        for line in open(file):
            one = json.loads(line)
            gold = set(one["gold"])
            right = np.array([path in gold for path in one["leaders"]], dtype=float)
            lists.append(dict(one, set=file, more=more, gold=gold, right=right, rows=np.array(one["rows"], dtype=float)))
    return [one for one in lists if len(one["rows"])]


def fit(lists, rights, rows, l2, loss):
    """Adam on a softmax over each list; "list" spreads the mass over all right files, "each" sets each against the wrong."""
    use = [n for n in range(len(lists)) if rights[n].sum() > 0]
    x = np.concatenate([rows[n] for n in use])
    spread = x.std(axis=0) + 1e-6
    x = x / spread
    gold = np.concatenate([rights[n] for n in use])
    sizes = [len(rows[n]) for n in use]
    of = np.repeat(np.arange(len(use)), sizes)
    starts = np.cumsum([0] + sizes[:-1])
    count = np.add.reduceat(gold, starts)
    w, first, second = (np.zeros(x.shape[1]) for _ in range(3))
    for step in range(1, STEPS + 1):
        scores = x @ w
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[of])
        if loss == "list":
            pull = odds / np.add.reduceat(odds, starts)[of] - gold / count[of]
        else:
            wrong = np.add.reduceat(odds * (1 - gold), starts)[of]
            share = 1 / np.sqrt(count[of])
            own = share * (odds / (wrong + odds) - 1) * gold
            each = np.add.reduceat(share * gold / (wrong + odds), starts)[of]
            pull = own + odds * each * (1 - gold)
        slope = l2 * w + pull @ x / len(use)
        first = 0.9 * first + 0.1 * slope
        second = 0.99 * second + 0.01 * slope**2
        w -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return w / spread


def fit_both(lists, l2):
    rights = [one["right"] for one in lists]
    rows = [one["rows"] for one in lists]
    first = fit(lists, rights, rows, l2[0], "list")
    keep = []
    for one in lists:
        mask = np.ones(len(one["rows"]), dtype=bool)
        mask[int(np.argmax(one["rows"] @ first))] = False
        keep.append(mask)
    rest = fit(lists, [r[m] for r, m in zip(rights, keep)], [x[m] for x, m in zip(rows, keep)], l2[1], "each")
    return first, rest


def whole(rows):
    return np.clip(np.floor(rows * TREE_STEP + 0.5), -32767, 32767).astype(np.float32)


def fit_trees(lists, more):
    use = [one for one in lists + more if one["right"].sum() > 0]
    data = xgb.DMatrix(whole(np.concatenate([one["rows"] for one in use])), label=np.concatenate([one["right"] for one in use]))
    data.set_group([len(one["rows"]) for one in use])
    data.set_weight(np.array([MORE_WEIGHT if one["more"] else 1 for one in use]))
    params = {
        "objective": "rank:pairwise", "max_depth": 4, "eta": 0.05, "subsample": 0.7, "colsample_bytree": 0.3,
        "min_child_weight": 5, "lambda": 5, "tree_method": "hist", "max_bin": 64, "nthread": 1, "seed": 1,
    }
    return xgb.train(params, data, TREES)


def order_of(one, weights):
    first, rest, trees = weights
    added = TREE_SHARE * trees.predict(xgb.DMatrix(whole(one["rows"])))
    best = int(np.argmax(one["rows"] @ first + added))
    others = [int(n) for n in np.argsort(-(one["rows"] @ rest + added), kind="stable") if n != best]
    return [one["leaders"][n] for n in [best] + others]


def report(title, lists, weights_of):
    for name in sorted({one["set"] for one in lists}):
        here = [(one, order_of(one, weights_of(one))) for one in lists if one["set"] == name]
        share = lambda good: 100 * sum(bool(good(one, order)) for one, order in here) / len(here)
        print(
            f"{title}, {name} ({len(here)}): first {share(lambda one, order: order[0] in one['gold']):.1f} %,"
            f" one of three {share(lambda one, order: one['gold'] & set(order[:3])):.1f} %,"
            f" all in ten {share(lambda one, order: one['gold'] <= set(order[:10])):.1f} %,"
            f" one among the leaders {share(lambda one, order: one['gold'] & set(order)):.1f} %"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", action="append", required=True)
    parser.add_argument("--more", action="append", default=[])
    parser.add_argument("--aside", action="append", default=[], help="only judged, by weights of all cases")
    parser.add_argument("--out")
    parser.add_argument("--l2", type=float, nargs=2, default=[0.1, 0.1])
    args = parser.parse_args()
    lists, more, aside = read(args.rows), read(args.more, True), read(args.aside)
    repos = sorted({one["repo"] for one in lists + more})
    fold = {repo: n % FOLDS for n, repo in enumerate(repos)}

    def fit_all(keep):
        some = [one for one in lists if keep(one)]
        return *fit_both(some, args.l2), fit_trees(some, [one for one in more if keep(one)])

    held = [fit_all(lambda one: fold[one["repo"]] != n) for n in range(FOLDS)]
    report("held out", lists + more, lambda one: held[fold[one["repo"]]])
    if args.out or aside:
        weights = fit_all(lambda one: True)
        report("set aside", aside, lambda one: weights)
    if args.out:
        report("all cases", lists + more, lambda one: weights)
        first, rest, trees = weights
        columns = [str(n) for n in range(len(first))]
        out = {"cases": len(lists), "more": len(more), "repos": len(repos), "first": list(first), "rest": list(rest), "trees": flatten(trees, columns)}
        json.dump(out, open(args.out, "w"))


main()
