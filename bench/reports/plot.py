# SPDX-License-Identifier: Apache-2.0

"""Shares of the peak by shape, as an SVG: a panel for each type, a line for each form and peer."""

from html import escape

PANEL_WIDTH, PANEL_HEIGHT, COLUMNS = 300, 200, 3
LEFT, RIGHT, TOP, BOTTOM = 34, 8, 22, 34  # inside a panel, around the axes
LEGEND_HEIGHT = 40
COLOURS = {"4x4 tiles": "#0b62b0", "wg 128x256": "#d1620a", "wg 128x128": "#e8a33d",
           "staged, K 32": "#2a8c4a", "1 tile": "#8a4fb3"}
PEER_COLOURS = ["#111111", "#888888", "#c02040"]


def size_key(size):
    m, n, k = (int(part) for part in size.split("x"))
    return m * n * k


def collect(rows):
    """By type: the sizes, and by series (form or peer) the share at each size."""
    panels = {}
    for row in rows:
        form, size = row.figures.get("form"), row.figures.get("size")
        if size is None or row.value is None or row.figures.get("unit") != "of peak":
            continue
        panel = panels.setdefault(row.figures["type"], {})
        if form in COLOURS:
            panel.setdefault(form, {})[size] = row.value
        for name, peer in row.peers.items():
            panel.setdefault(name, {}).setdefault(size, peer["value"])
    return panels


def style_of(name, peers):
    if name in COLOURS:
        return COLOURS[name], ""
    return PEER_COLOURS[peers.index(name) % len(PEER_COLOURS)], ' stroke-dasharray="5 3"'


def draw_series(points, name, peers):
    colour, dashes = style_of(name, peers)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"'
             f'{dashes}/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in points]
    return parts


def draw_panel(title, series, peers, left, top):
    sizes = sorted({size for points in series.values() for size in points}, key=size_key)
    most = max(1.0, max(share for points in series.values() for share in points.values()))
    width, height = PANEL_WIDTH - LEFT - RIGHT, PANEL_HEIGHT - TOP - BOTTOM

    def x_of(size):
        return left + LEFT + width * (sizes.index(size) + 0.5) / len(sizes)

    def y_of(share):
        return top + TOP + height * (1 - share / most)

    parts = [f'<text x="{left + LEFT}" y="{top + 14}" font-weight="bold">{escape(title)}</text>']
    for tenth in range(0, int(most * 10) + 1, 2):
        y = y_of(tenth / 10)
        colour = "#999" if tenth in (0, 10) else "#e4e4e4"
        parts.append(f'<line x1="{left + LEFT}" y1="{y:.1f}" x2="{left + LEFT + width}" '
                     f'y2="{y:.1f}" stroke="{colour}"/>')
        parts.append(f'<text x="{left + LEFT - 4}" y="{y + 3:.1f}" text-anchor="end">'
                     f'{tenth / 10:.1f}</text>')
    for size in sizes:
        m, n, k = size.split("x")
        label = m if m == n == k else size
        # Long labels stand lower, so that they do not touch their neighbours.
        y = top + TOP + height + (13 if label == m else 25)
        parts.append(f'<text x="{x_of(size):.1f}" y="{y}" text-anchor="middle">{label}</text>')
    for name, points in series.items():
        ordered = sorted(points.items(), key=lambda point: size_key(point[0]))
        parts += draw_series([(x_of(size), y_of(share)) for size, share in ordered], name, peers)
    return parts


def draw_legend(names, peers):
    parts, x = [], LEFT
    for name in names:
        colour, dashes = style_of(name, peers)
        parts.append(f'<line x1="{x}" y1="20" x2="{x + 22}" y2="20" stroke="{colour}" '
                     f'stroke-width="2"{dashes}/>')
        parts.append(f'<text x="{x + 27}" y="24">{escape(name)}</text>')
        x += 40 + 6.5 * len(name)
    return parts


def plot(rows):
    """The SVG's text; nothing when no row is a share of the peak."""
    panels = collect(rows)
    if not panels:
        return None
    names = list(dict.fromkeys(name for series in panels.values() for name in series))
    peers = [name for name in names if name not in COLOURS]
    names = [name for name in COLOURS if name in names] + peers
    lines = -(-len(panels) // COLUMNS)
    width, height = COLUMNS * PANEL_WIDTH, LEGEND_HEIGHT + lines * PANEL_HEIGHT
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width}" height="{height}" font-family="sans-serif" font-size="10">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             "<title>Share of the peak of one core, by M x N x K</title>"]
    parts += draw_legend(names, peers)
    for number, (title, series) in enumerate(panels.items()):
        parts += draw_panel(f"{title}, share of peak", series, peers,
                            number % COLUMNS * PANEL_WIDTH,
                            LEGEND_HEIGHT + number // COLUMNS * PANEL_HEIGHT)
    return "\n".join(parts + ["</svg>", ""])
