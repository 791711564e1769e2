# SPDX-License-Identifier: Apache-2.0

"""A run, or what differs between two, as one page that needs nothing else."""

from collections import Counter, defaultdict
from html import escape

from runner import verdicts
from runner.case_lists import group_of
from runner.html_style import STYLE
from runner.results import first_line, printable

_MOST_ROWS = 500  # of one section
_MOST_TEXT = 4000  # of one message
_LOOKS = (  # of a verdict: class of its colour, what it is called
    (verdicts.PASS, "pass", "pass"),
    (verdicts.SKIP, "skip", "not supported"),
    (verdicts.WAIVED, "waived", "waived"),
    (verdicts.FLAKE, "flake", "flakes"),
    (verdicts.FAIL, "fail", "fail"),
    (verdicts.IMPROVED, "fail", "pass unexpectedly"),
)


def of_run(run, results, difference=None):
    counts = Counter(result.verdict for result in results.cases.values())
    device = run["device"]["deviceName"]
    parts = [
        f"<h1>Vulkan CTS on {_text(device)}</h1>",
        _banner(run, results),
        _tiles(counts),
        _bar(counts, len(results.cases)),
        _facts(run),
        _section("Failures", map(_failure, sorted(results.of(verdicts.FAIL), key=_name))),
        _section("Unexpected passes", map(_improved, sorted(results.of(verdicts.IMPROVED), key=_name))),
        _section("Processes that died between cases", map(_line, results.incidents)),
        _changes(difference) if difference else "",
        _groups(results),
        _waivers(results),
        _section("The same, between cases", map(_line, results.waived_incidents)),
        _section("Flakes", map(_failure, sorted(results.of(verdicts.FLAKE), key=_name))),
        _section("Not always the same", (
            f"<p><span class=name>{_text(name)}</span> {_text(', '.join(statuses))}</p>"
            for name, statuses in sorted(results.statuses.items())
        )),
        _not_supported(results),
    ]
    return _page(f"Vulkan CTS on {device}, {run['date']}", parts)


def of_difference(difference):
    worse = difference.got_worse()
    verdict = "Something got worse." if worse else "Nothing got worse."
    return _page("Two runs of the Vulkan CTS", [
        "<h1>Two runs of the Vulkan CTS</h1>",
        f'<p class="banner {"bad" if worse else "good"}">{verdict}</p>',
        "<h2>Before</h2>", _facts(difference.old), "<h2>Now</h2>", _facts(difference.new),
        _changes(difference),
    ])


def _page(title, parts):
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(filter(None, parts))
        + "\n</body></html>\n"
    )


def _text(text, most=_MOST_TEXT):
    """Escaped: what cases say is anybody's text."""
    text = str(text)
    return escape(printable(text[:most] + (" ..." if len(text) > most else "")))


def _name(result):
    return result.name


def _banner(run, results):
    counted = (
        (len(results.of(verdicts.FAIL)), "failure", ""),
        (len(results.of(verdicts.IMPROVED)), "unexpected pass", ""),
        (len(results.incidents), "process", " died between cases"),
    )
    found = [f"{count} {_plural(count, word)}{more}" for count, word, more in counted if count]
    if not run["finished"]:
        found.append("stopped before the end")
    text = "; ".join(found) or "Nothing unexpected"
    return f'<p class="banner {"bad" if found else "good"}">{text}.</p>'


def _plural(count, word):
    return word if count == 1 else word + ("es" if word.endswith("s") else "s")


def _tiles(counts):
    tiles = (
        f'<div class="tile {look}"><b>{counts[verdict]:,}</b><span>{called}</span></div>'
        for verdict, look, called in _LOOKS
        if counts[verdict] or verdict in (verdicts.PASS, verdicts.FAIL)
    )
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _bar(counts, total):
    pieces = (
        f'<i class="{look}" style="width:{100 * counts[verdict] / total:.3f}%" title="{called}"></i>'
        for verdict, look, called in _LOOKS
        if counts[verdict]
    )
    return f'<div class="bar">{"".join(pieces)}</div>'


def _facts(run):
    cts, device = run["cts"], run["device"]
    drivers = [f"{d['library']}, build id {d['build_id'] or 'unknown'}" for d in run.get("drivers", [])]
    rows = [
        ("CTS", f"{cts['releaseName']} ({cts['releaseId']})"),
        ("device", device["deviceName"]),
        ("driver", f"version {device.get('driverVersion', '?')}, Vulkan {device.get('apiVersion', '?')}"),
        *(("", driver) for driver in drivers),
        ("run", f"{run['date']}, {_seconds(run['seconds'])}"),
    ]
    if run.get("shard"):
        rows.append(("shard", f"{run['shard']['index']} of {run['shard']['count']}"))
    if run.get("skips"):
        rows.append(("left out", f"{run['skips']} cases, by --skips"))
    if run.get("absent_lists"):
        rows.append(("not in this deqp-vk", ", ".join(run["absent_lists"])))
    cells = "".join(f"<tr><th>{_text(k)}</th><td>{_text(v)}</td></tr>" for k, v in rows)
    command = f"<tr><th>command</th><td><code>{_text(run['command'])}</code></td></tr>"
    return f'<h2>What ran</h2><table class="facts">{cells}{command}</table>'


def _section(title, rows):
    rows = list(rows)
    if not rows:
        return ""
    more = f'<p class="quiet">and {len(rows) - _MOST_ROWS} more</p>' if len(rows) > _MOST_ROWS else ""
    return f"<h2>{title} ({len(rows)})</h2>{''.join(rows[:_MOST_ROWS])}{more}"


def _failure(result):
    text = result.message
    if result.alone:
        text += f"\nby itself: {result.alone}; it ran after\n  " + "\n  ".join(result.after)
    return (
        f'<details><summary><b class="fail">{_text(result.status)}</b> '
        f'<span class="name">{_text(result.name)}</span> '
        f'<span class="quiet">{_text(first_line(result.message), 160)}</span></summary>'
        f"<pre>{_text(text)}</pre></details>"
    )


def _improved(result):
    return (
        f'<p><b class="pass">{_text(result.status)}</b> <span class="name">{_text(result.name)}</span> '
        f'<span class="quiet">({_text(result.waiver.kind)}) {_text(result.waiver.reason)}</span></p>'
    )


def _line(text):
    return f'<p class="name">{_text(text)}</p>'


def _table(heads, rows, looks=""):
    """`heads` that begin with # have numbers below them; cells are HTML."""
    numbers = [head.startswith("#") for head in heads]
    classes = [' class="number"' if number else "" for number in numbers]
    head = "".join(f"<th{c}>{h.lstrip('#')}</th>" for c, h in zip(classes, heads))
    body = "".join(
        "<tr>" + "".join(f"<td{c}>{cell}</td>" for c, cell in zip(classes, row)) + "</tr>" for row in rows
    )
    return f'<div class="scroll"><table{looks}><tr>{head}</tr>{body}</table></div>'


def _groups(results):
    counts, seconds = defaultdict(Counter), Counter()
    for result in results.cases.values():
        counts[group_of(result.name)][result.verdict] += 1
        seconds[group_of(result.name)] += result.seconds
    longest = max(seconds.values(), default=0.0) or 1.0
    shown = [look for look in _LOOKS if any(count[look[0]] for count in counts.values())]
    rows = [
        [f'<span class="name">{_text(group)}</span>']
        + [_count(counts[group][verdict], look) for verdict, look, _ in shown]
        + [_seconds(seconds[group]),
           f'<i class="skip" style="width:{6 * seconds[group] / longest:.2f}rem"></i>']
        for group in sorted(counts)
    ]
    heads = ["group", *(f"#{called}" for _, _, called in shown), "#time", ""]
    return f"<h2>Groups ({len(rows)})</h2>" + _table(heads, rows)


def _count(count, look):
    return f'<span class="{look if count else "zero"}">{count:,}</span>'


def _waivers(results):
    rows = [
        [f"{count:,}", f'<span class="kind">{_text(w.kind)}</span>',
         _text(w.reason) + (" (may pass)" if w.sometimes else ""),
         f'<span class="name">{_text(w.pattern)}</span>',
         f'<span class="name">{_text(w.message)}</span>']
        for w, count in results.waivers()
    ]
    if not rows:
        return ""
    heads = ["#cases", "kind", "reason", "pattern", "says"]
    return f"<h2>Waived ({len(results.of(verdicts.WAIVED)):,})</h2>" + _table(heads, rows)


def _not_supported(results):
    rows = [[f"{count:,}", _text(first_line(reason), 300)]
            for reason, count in results.not_supported().items()]
    return "<h2>Not supported, by reason</h2>" + _table(["#cases", "reason"], rows) if rows else ""


def _changes(difference):
    old = difference.old
    parts = [f"<h2>Changed since {_text(old['date'])}</h2>",
             f'<p class="quiet">against <code>{_text(old["command"])}</code></p>']
    rows = [[_text(s), f"{was:,}", f"{now:,}", f"{now - was:+,}" if now != was else ""]
            for s, was, now in difference.totals()]
    parts.append(_table(["status", "#before", "#now", "#change"], rows, ' class="small"'))
    for title, look, changes in (("Worse", "fail", difference.worse), ("Better", "pass", difference.better),
                                 ("Otherwise different", "waived", difference.other)):
        parts.append(_section(title, (
            f'<p><span class="name">{_text(name)}</span> {_text(was)} &rarr;'
            f' <b class="{look}">{_text(now)}</b></p>'
            for name, was, now in changes
        )))
    if not difference.by_case:
        rows = [[_text(s), _text(m, 300), f"{was:,}", f"{now:,}"] for s, m, was, now in difference.causes]
        if rows:
            parts.append(_table(["status", "failures that say", "#before", "#now"], rows))
        parts.append('<p class="quiet">By totals alone: one of the two does not have every case.</p>')
    for title, names in (("No longer run", difference.gone), ("New", difference.added)):
        if names:
            parts.append(f"<p>{title}: {len(names):,} cases, <span class=name>{_text(names[0])}</span>"
                         " the first of them.</p>")
    if difference.times:
        rows = [[f'<span class="name">{_text(group)}</span>', _seconds(was), _seconds(now)]
                for group, was, now in difference.times[:_MOST_ROWS]]
        parts.append("<h2>Time by group, where it changed</h2>")
        parts.append(_table(["group", "#before", "#now"], rows))
    return "".join(parts)


def _seconds(seconds):
    return f"{seconds:,.1f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"
