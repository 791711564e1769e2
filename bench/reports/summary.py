# SPDX-License-Identifier: Apache-2.0

"""Every row that has a target, with the peers beside it."""


def number(value):
    if value is None:
        return "-"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"


def verdict(row):
    if "wrong" in row.figures:
        return "WRONG"
    if "missing" in row.figures:
        return "not run"
    return "met" if row.figures.get("met") else "MISSED"


def scaling_line(record):
    """Several threads against one: a row of its own, of a whole record."""
    value, target = record.get("scaling"), record.get("scaling_target")
    if value is None or target is None or record.get("threads") != 2:
        return None
    return ("2 cores against 1, median of rows", number(value), "", number(value), number(target),
            "met" if value >= target else "MISSED", "")


def summarize(records, rows):
    """Lines of a table, and how many of its rows met their targets and how many there are."""
    header = ("row", "value", "unit", "held", "target", "", "peers")
    lines = [header]
    for program, record in records.items():
        for row in rows:
            if row.program != program or (row.target is None and "wrong" not in row.figures
                                          and "missing" not in row.figures):
                continue
            peers = ", ".join(f"{name} {number(peer['value'])}" for name, peer in row.peers.items())
            relation = "at most " if row.figures.get("at_most") else ""
            lines.append((row.name, number(row.value), row.figures.get("unit", ""),
                          number(row.figures.get("held")), relation + number(row.target),
                          verdict(row), peers or row.figures.get("wrong")
                          or row.figures.get("missing", "")))
        scaling = scaling_line(record)
        if scaling:
            lines.append(scaling)
    widths = [max(len(line[k]) for line in lines) for k in range(len(header) - 1)]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)) + "  " + line[-1]
            for line in lines]
    verdicts = [line[5] for line in lines[1:]]
    met = verdicts.count("met")
    text.append("")
    text.append(f"{met} of {len(verdicts)} targets met"
                + "".join(f", {verdicts.count(v)} {v}" for v in ("WRONG", "not run")
                          if v in verdicts))
    return [line.rstrip() for line in text]
