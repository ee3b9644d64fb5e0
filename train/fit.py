#!/usr/bin/env python3
"""Fits the boosted trees of the learned rankers and writes them as data files.

    python3 train/fit.py --data DIR… --out DIR [--use question,issue,read,search,run] [--groups 3] [--only all,0,1]

Each DIR holds what train/dump.mjs wrote. For every use there are trees of its own. Writes OUT/all-USE.json (trained on
everything), OUT/GROUP-USE.json (trained without the repositories of that group) and OUT/folds.json (the group of every
repository): scoring each case with the trees of its group is cross-validation by repository and by project.
Every case weighs the same. Needs numpy and xgboost (Debian: python3-xgboost); the project itself needs neither.
"""
import argparse
import json
import os

import numpy as np
import xgboost as xgb
from flat_trees import flatten

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True, nargs="+")
parser.add_argument("--out", required=True)
parser.add_argument("--use", default="question,read,search,run")
parser.add_argument("--trees", type=int, default=150)
parser.add_argument("--depth", type=int, default=6)
parser.add_argument("--rate", type=float, default=0.08)
parser.add_argument("--drop", default="", help="features to leave out, by comma")
parser.add_argument("--groups", type=int, default=3)
parser.add_argument("--only", default="", help="fit only these, by comma: all, or the number of a group")
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--rows", type=float, default=0.6, help="share of the rows that a tree sees")
parser.add_argument("--columns", type=float, default=0.5, help="share of the columns that a tree sees")
parser.add_argument("--child", type=float, default=2500, help="least weight of a leaf")
parser.add_argument("--ranges", type=float, default=1.0, help="weight of a read by lines")
parser.add_argument("--mixed", type=float, default=0.0, help="weight of questions among the cases of another use")
args = parser.parse_args()

# Of a set that is not named a case weighs 1; sets are the names of the files of cases. Issues have trees of their own, and
# docs and questions teach these little.
SET_WEIGHT = {"commit": 0.7, "doc": 0.7}
SET_WEIGHT_OF = {
    "question": {**SET_WEIGHT, "issues-dev": 0},
    "issue": {**SET_WEIGHT, "doc": 0.28, "swe-qa-dev": 0.3},
}
# Learned single cases by them: what a question is about does not depend on where it stands in the text.
NOT_FOR_QUESTIONS = "text_place,from_top,from_end,text_lines,text_form,look,same_lines,same_shape".split(",")


def read(folder):
    meta = json.load(open(os.path.join(folder, "meta.json")))
    rows = np.fromfile(os.path.join(folder, "rows.i16"), dtype=np.int16).reshape(-1, len(meta["features"]))
    gold = np.fromfile(os.path.join(folder, "gold.u8"), dtype=np.uint8)
    return meta, rows, gold


folders = [read(folder) for folder in args.data]
counts = {}
for meta, _, _ in folders:
    for case in meta["cases"]:
        if case["set"] not in SET_WEIGHT:
            counts[case["repo"]] = counts.get(case["repo"], 0) + 1
groups = [[] for _ in range(args.groups)]
load = [0] * args.groups
for repo in sorted(counts, key=lambda r: (-counts[r], r)):
    least = load.index(min(load))
    groups[least].append(repo)
    load[least] += counts[repo]
os.makedirs(args.out, exist_ok=True)
json.dump({r: str(g) for g, rs in enumerate(groups) for r in rs}, open(os.path.join(args.out, "folds.json"), "w"))


def part_of(use):
    """Rows, gold, weights and the repository's index of every row, of the cases for a use."""
    parts = []
    for meta, rows, gold in folders:
        at = np.concatenate([[0], np.cumsum([c["rows"] for c in meta["cases"]])])
        blank = meta["features"].index("is_blank")
        for k, case in enumerate(meta["cases"]):
            is_own = case["use"] == ("question" if use == "issue" else use)
            is_mixed = args.mixed > 0 and case["use"] == "question"
            if not (is_own or is_mixed) or case["golds"] == 0 or case.get("class") == "test":
                continue
            a, b = at[k], at[k + 1]
            w = SET_WEIGHT_OF.get(use, SET_WEIGHT).get(case["set"], 1.0) * (1.0 if is_own else args.mixed)
            w *= args.ranges if case.get("class") == "read-range" else 1.0
            if w == 0:
                continue
            is_gold = gold[a:b] == 1
            others = max(1, int((~is_gold).sum()))
            # Gold lines of a case weigh 1 together; the others weigh as much as there is text to tell apart.
            share = 3.0 * w * (case["lines"] - case["golds"]) / case["lines"]
            weight = np.where(is_gold, w / case["golds"], share / others)
            take = rows[a:b, blank] == 0
            parts.append((rows[a:b][take], gold[a:b][take], weight[take], case["repo"]))
    names = folders[0][0]["features"]
    return (
        names,
        np.concatenate([p[0] for p in parts]),
        np.concatenate([p[1] for p in parts]),
        np.concatenate([p[2] for p in parts]),
        np.concatenate([np.full(len(p[0]), p[3], dtype=object) for p in parts]),
        len(parts),
    )


for use in args.use.split(","):
    names, rows, gold, weight, repo, cases = part_of(use)
    dropped = args.drop.split(",") + (NOT_FOR_QUESTIONS if use in SET_WEIGHT_OF else [])
    used = [i for i, name in enumerate(names) if name not in dropped]
    wanted = [w for w in args.only.split(",") if w] or ["all", *map(str, range(args.groups))]
    for target in wanted:
        take = np.ones(len(gold), dtype=bool) if target == "all" else ~np.isin(repo, groups[int(target)])
        data = xgb.DMatrix(rows[take][:, used].astype(np.float32), label=gold[take], weight=weight[take] * 1000)
        params = {
            "objective": "binary:logistic", "max_depth": args.depth, "eta": args.rate, "min_child_weight": args.child,
            "subsample": args.rows, "colsample_bytree": args.columns, "lambda": 5.0, "tree_method": "hist", "max_bin": 64,
            "seed": 7, "nthread": args.threads, "base_score": 0.25,
        }
        booster = xgb.train(params, data, num_boost_round=args.trees)
        weights = flatten(booster, [names[i] for i in used])
        json.dump(weights, open(os.path.join(args.out, f"{target}-{use}.json"), "w"))
        gain = booster.get_score(importance_type="total_gain")
        best = sorted(gain, key=gain.get, reverse=True)[: 80 if target == "all" else 8]
        told = ", ".join(f"{names[used[int(f[1:])]]} {gain[f]:.0f}" for f in best)
        print(f"{use} {target}: {cases} cases, {len(rows)} rows, {weights['nodes']} nodes; {told}", flush=True)
