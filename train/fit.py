#!/usr/bin/env python3
"""Fits the boosted trees of the learned ranker and writes them as data files.

    python3 train/fit.py --data DIR --out DIR [--trees 150] [--depth 6] [--groups 5] [--only all,0,1]

DIR holds what train/dump.mjs wrote. Writes OUT/all.json (trained on everything) and one OUT/<owner>+<name>.json per
repository of the development sets, trained without that repository: scoring with those is cross-validation by repo.
With --groups N the repositories are dealt into N groups, and each is scored by trees that saw none of its group.
Every case weighs the same. Needs numpy and xgboost (Debian: python3-xgboost); the project itself needs neither.
"""
import argparse
import base64
import json
import os

import numpy as np
import xgboost as xgb

parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.add_argument("--out", required=True)
parser.add_argument("--trees", type=int, default=150)
parser.add_argument("--depth", type=int, default=6)
parser.add_argument("--rate", type=float, default=0.08)
parser.add_argument("--negatives", type=float, default=0.15)
parser.add_argument("--drop", default="", help="features to leave out, by comma")
parser.add_argument("--groups", type=int, default=5)
parser.add_argument("--only", default="", help="fit only these, by comma: all, or the number of a group")
parser.add_argument("--threads", type=int, default=2)
args = parser.parse_args()

meta = json.load(open(os.path.join(args.data, "meta.json")))
names = meta["features"]
rows = np.fromfile(os.path.join(args.data, "rows.i16"), dtype=np.int16).reshape(-1, len(names))
gold = np.fromfile(os.path.join(args.data, "gold.u8"), dtype=np.uint8)
SET_WEIGHT = {"swe-qa-dev": 1.0, "fixes-dev": 1.0, "commit": 0.7, "doc": 0.7}

rng = np.random.default_rng(11)
case_of = np.repeat(np.arange(len(meta["cases"])), [c["lines"] for c in meta["cases"]])
keep = (gold == 1) | (rng.random(len(gold)) < args.negatives)
weight = np.zeros(len(gold), dtype=np.float32)
starts = np.concatenate([[0], np.cumsum([c["lines"] for c in meta["cases"]])])
for k, case in enumerate(meta["cases"]):
    a, b = starts[k], starts[k + 1]
    positives = max(1, int(gold[a:b].sum()))
    w = SET_WEIGHT.get(case["set"], 1.0)
    # Gold lines of a case weigh 1 together; the others weigh as much as there is text to tell apart.
    weight[a:b] = np.where(gold[a:b] == 1, w / positives, 3.0 * w / (b - a) / args.negatives)
blank = rows[:, names.index("is_blank")] > 0
keep &= ~blank
repo_of_case = np.array([c["repo"] for c in meta["cases"]])
used = [i for i, name in enumerate(names) if name not in args.drop.split(",")]


def fit(without):
    take = keep & ~np.isin(repo_of_case, without)[case_of]
    data = xgb.DMatrix(rows[take][:, used].astype(np.float32), label=gold[take], weight=weight[take] * 1000)
    params = {
        "objective": "binary:logistic", "max_depth": args.depth, "eta": args.rate, "min_child_weight": 2500,
        "subsample": 0.6, "colsample_bytree": 0.5, "lambda": 5.0, "tree_method": "hist", "max_bin": 64,
        "seed": 7, "nthread": args.threads, "base_score": 0.25,
    }
    return xgb.train(params, data, num_boost_round=args.trees)


def flatten(booster):
    """Trees as full arrays: feature, threshold (left when value < threshold), left child, leaf value x 4096."""
    feature, threshold, left, right, roots = [], [], [], [], []
    for dump in booster.get_dump(dump_format="json"):
        root = json.loads(dump)
        base = len(feature)
        roots.append(base)
        order = []

        def number(node):
            node["at"] = base + len(order)
            order.append(node)
            for child in node.get("children", []):
                number(child)

        number(root)
        for node in order:
            if "leaf" in node:
                feature.append(255)
                threshold.append(int(round(node["leaf"] * 4096)))
                left.append(0)
                right.append(0)
            else:
                children = {c["nodeid"]: c for c in node["children"]}
                feature.append(int(node["split"][1:]))
                threshold.append(int(np.ceil(node["split_condition"])))
                left.append(children[node["yes"]]["at"])
                right.append(children[node["no"]]["at"])
    def pack(values, kind):
        return base64.b64encode(np.array(values, dtype=kind).tobytes()).decode()
    return {
        "features": [names[i] for i in used], "trees": len(roots), "nodes": len(feature),
        "root": pack(roots, "<u2"), "feature": pack(feature, "u1"), "threshold": pack(threshold, "<i2"),
        "left": pack(left, "<u2"), "right": pack(right, "<u2"),
    }


os.makedirs(args.out, exist_ok=True)
dev = sorted({c["repo"] for c in meta["cases"] if c["set"].endswith("-dev")})
groups = {str(g): dev[g :: args.groups] for g in range(min(args.groups, len(dev)))}
wanted = [w for w in args.only.split(",") if w] or ["all", *groups]
for target in wanted:
    without = groups.get(target, [])
    booster = fit(without)
    weights = flatten(booster)
    assert weights["nodes"] < 65536 and len(names) < 255
    for name in without or ["all"]:
        json.dump(weights, open(os.path.join(args.out, name.replace("/", "+") + ".json"), "w"))
    gain = booster.get_score(importance_type="total_gain")
    best = sorted(gain, key=gain.get, reverse=True)[:60 if target == "all" else 8]
    print(", ".join(without) or "all", weights["nodes"], "nodes;", ", ".join(f"{names[used[int(f[1:])]]} {gain[f]:.0f}" for f in best), flush=True)
