# SPDX-License-Identifier: Apache-2.0

"""A record beside an earlier one: which rows moved by more than the pairs' noise."""

from statistics import geometric_mean

LEAST = 0.02  # moves below this are never told: clocks and placement of code


def figure_of(row):
    """Shares where there are some: they do not move with the machine's clock."""
    if row.figures.get("unit") == "of peak":
        return row.value
    return row.figures.get("held", row.value)


def moved(old, new):
    """The ratio new / old, above 1 for better, and whether it is more than the noise of both."""
    before, now = figure_of(old), figure_of(new)
    if not before or not now:
        return None, False
    ratio = before / now if new.lower_is_better else now / before
    noise = max(LEAST, old.figures.get("noise", 0) + new.figures.get("noise", 0))
    return ratio, abs(ratio - 1) > noise


def moved_beside_peers(old, new):
    """How much the row moved beside its peers, who had the same machine: 1 if as much as they.
    None if no peer is in both records."""
    changes = [(new.value / new.peers[name]["value"]) / (old.value / old.peers[name]["value"])
               for name in old.peers.keys() & new.peers.keys()]
    return geometric_mean(changes) if changes else None


def compare(old_rows, new_rows):
    """Lines of a table; rows that moved are marked."""
    old = {(row.program, row.name): row for row in old_rows}
    entries = []
    for row in new_rows:
        before = old.pop((row.program, row.name), None)
        if before is None:
            continue
        ratio, significant = moved(before, row)
        if ratio is not None:
            entries.append((row, before, ratio, significant))
    lines = [f"{'row':56} {'before':>9} {'now':>9} {'ratio':>7} {'to peers':>8}"]
    for row, before, ratio, significant in entries:
        mark = ("better" if ratio > 1 else "WORSE") if significant else ""
        to_peers = moved_beside_peers(before, row)
        figures = (f"{figure_of(before):9.3f} {figure_of(row):9.3f} {ratio:7.3f} "
                   + (f"{to_peers:8.3f}" if to_peers else " " * 8))
        lines.append(f"{row.name:56} {figures}  {mark}".rstrip())
    better = sum(1 for *_, ratio, significant in entries if significant and ratio > 1)
    worse = sum(1 for *_, ratio, significant in entries if significant and ratio < 1)
    lines += ["", f"{len(entries)} rows in both: {better} better, {worse} worse by more than the "
                  f"noise of their pairs"]
    if old:
        lines.append(f"{len(old)} rows of the earlier record were not measured again")
    return lines
