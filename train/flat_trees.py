"""Boosted trees as the arrays that packages/prune/src/rank/learned/trees.ts reads."""

import base64
import json

import numpy as np


def flatten(booster, names):
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

    assert len(feature) < 65536 and len(names) < 255
    return {
        "features": names, "trees": len(roots), "nodes": len(feature),
        "root": pack(roots, "<u2"), "feature": pack(feature, "u1"), "threshold": pack(threshold, "<i2"),
        "left": pack(left, "<u2"), "right": pack(right, "<u2"),
    }
