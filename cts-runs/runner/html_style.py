# SPDX-License-Identifier: Apache-2.0

"""The looks of a page: readable in light and dark, and without anything from elsewhere."""

STYLE = """
:root {
  color-scheme: light dark;
  --back: #fff; --card: #f6f7f9; --line: #d9dde3; --text: #1b1f24; --quiet: #5b6470;
  --pass: #1a7f4b; --skip: #8b95a3; --waived: #b07a00; --flake: #7a5ad0; --fail: #c8322b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --card: #1d2127; --line: #343a43; --text: #e4e8ed; --quiet: #9aa4b1;
    --pass: #4cc38a; --skip: #7d8794; --waived: #e0a82e; --flake: #a58bf0; --fail: #ff6b61;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.5rem; margin: 0 0 .3rem; }
h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
p { margin: .4rem 0; }
code, pre, .name { font: 12.5px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre {
  white-space: pre-wrap; margin: .3rem 0 .6rem; padding: .5rem .7rem; background: var(--card);
  border-left: 3px solid var(--line); max-height: 24rem; overflow: auto;
}
.banner { font-weight: 600; padding: .5rem .8rem; border-left: 5px solid; background: var(--card); }
.good { border-color: var(--pass); }
.bad { border-color: var(--fail); }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; }
.tile { background: var(--card); border-top: 4px solid; padding: .5rem .9rem; min-width: 7.5rem; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.2; color: var(--text); }
.tile span { color: var(--quiet); font-size: .85rem; }
.bar { display: flex; height: .8rem; overflow: hidden; background: var(--line); }
.bar i { display: block; min-width: 1px; }
.pass { color: var(--pass); } .skip { color: var(--skip); } .waived { color: var(--waived); }
.flake { color: var(--flake); } .fail { color: var(--fail); }
.bar i, td i { background: currentColor; }
td i { display: inline-block; height: .6rem; margin-left: .5rem; vertical-align: baseline; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0;
         border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; font-size: .85rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.kind { white-space: nowrap; }
.zero { color: var(--quiet); opacity: .5; }
.number:first-child { width: 5rem; padding-right: 1.2rem; }
.facts, .small { width: auto; }
.small th, .small td { padding-right: 2rem; }
.facts th { padding-right: 1.2rem; }
details { border-bottom: 1px solid var(--line); padding: .25rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
@media (max-width: 40rem) { body { padding: .8rem; } }
"""
