#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables of docs/reference/kinematics_speed.md from a run's rows, or checks that they are written.

Usage: speed_page.py IK.csv PAGE.md [--check]
"""

import csv
import pathlib
import re
import sys


def inverse_table(rows):
    """Ours and KDL's on one line for each robot and method."""
    kdl = {row["robot"]: row for row in rows if row["solver"] == "kdl"}
    yield "| robot | method | success % | mean µs | median | p99 | worst | KDL: success % | mean µs | p99 | KDL / ours |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for row in (row for row in rows if row["solver"] == "sinew"):
        peer = kdl.get(row["robot"])
        theirs = ["–"] * 4
        if peer:
            ratio = float(peer["mean_us"]) / float(row["mean_us"])
            theirs = [f"{float(peer['success']):.2f}", f"{float(peer['mean_us']):.0f}", f"{float(peer['p99_us']):.0f}",
                      f"{ratio:.0f}"]
        ours = [f"{float(row['success']):.2f}", *(f"{float(row[k]):.2f}" for k in ("mean_us", "median_us", "p99_us")),
                f"{float(row['max_us']):.0f}"]
        yield f"| {row['robot']} | {row['method']} | {' | '.join(ours + theirs)} |"


def forward_table(rows):
    yield "| robot | one at a time, ns | each of eight, ns | KDL, ns |"
    yield "|---|---|---|---|"
    robots = dict.fromkeys(row["robot"] for row in rows)
    for robot in robots:
        times = {(row["solver"], row["method"]): float(row["mean_us"]) * 1e3 for row in rows if row["robot"] == robot}
        kdl = times.get(("kdl", "fk and jacobian"))
        yield (f"| {robot} | {times['sinew', 'fk and jacobian']:.0f} | {times['sinew', 'fk and jacobian of eight']:.1f} | "
               f"{'–' if kdl is None else format(kdl, '.0f')} |")


def with_table(page, name, lines):
    """The page with what stands between the marks of a table replaced."""
    marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not marks.search(page):
        sys.exit(f"the page has no '<!-- {name} --> … <!-- end -->'")
    return marks.sub(lambda found: found[1] + "\n".join(lines) + "\n" + found[2], page)


def main():
    table, path = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = list(csv.DictReader(table.open(encoding="utf-8", newline="")))
    is_forward = [row["method"].startswith("fk ") for row in rows]
    before = path.read_text(encoding="utf-8")
    page = with_table(before, "inverse", inverse_table([r for r, f in zip(rows, is_forward) if not f]))
    page = with_table(page, "forward", forward_table([r for r, f in zip(rows, is_forward) if f]))
    if "--check" in sys.argv[3:]:
        sys.exit(0 if page == before else f"{path} does not show {table}: write it with bench/ik/speed_page.py")
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
