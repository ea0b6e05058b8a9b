/** One column on a phone, a table of contents at the side on a desktop, light and dark mode. */
export const docsStylesheet = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23211c; --quiet: #6d685d; --line: #e2ddd1; --panel: #fff;
  --accent: #1d6b52; --code: #f2efe7; --get: #1d6b52; --post: #7a4b00; --patch: #34509a; --delete: #a02b2b; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171a; --ink: #e6e3da; --quiet: #a09b8e; --line: #33353a;
  --panel: #1d1f23; --accent: #6cc7a5; --code: #24262b; --get: #6cc7a5; --post: #e0aa5a; --patch: #8fabf0; --delete: #ef8d8d; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.page { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 6rem; }
header h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; letter-spacing: -.02em; }
header p { max-width: 46rem; color: var(--quiet); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: .2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav h2 { margin: 1rem 0 .25rem; font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--quiet); }
section > h2 { margin: 3rem 0 .75rem; font-size: 1.35rem; }
h3 { margin: 1.5rem 0 .4rem; font-size: .95rem; }
details { margin: .5rem 0; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; padding: .65rem .9rem; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
summary .path { font: 600 .92rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
summary .what { color: var(--quiet); }
details[open] > summary { border-bottom: 1px solid var(--line); }
.inside { padding: .25rem .9rem 1rem; }
.method { min-width: 3.9rem; font: 700 .78rem/1.4 ui-monospace, monospace; letter-spacing: .04em; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; color: var(--quiet); font-size: .82rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
td:first-child { white-space: nowrap; }
td code { overflow-wrap: anywhere; }
td:first-child code { overflow-wrap: normal; }
pre { margin: .4rem 0; padding: .75rem .9rem; overflow-x: auto; background: var(--code); border-radius: 6px; line-height: 1.45; }
.quiet { color: var(--quiet); }
.names { line-height: 1.9; }
.names code { padding: .1rem .35rem; background: var(--code); border-radius: 4px; }
@media (min-width: 60rem) {
  .page { display: grid; grid-template-columns: 13rem minmax(0, 1fr); column-gap: 3rem; padding-top: 2.5rem; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
  nav ul { flex-direction: column; gap: 0; }
  section:first-of-type > h2 { margin-top: 1rem; }
}
`;
