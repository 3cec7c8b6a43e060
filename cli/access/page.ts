import type { Access } from '../../stacks/access/reach';
import type { AccessRow } from '../../stacks/access/rows';
import { rowsOf } from '../../stacks/access/rows';
import { originOf, type Origin } from '../picture/origin';
import { escaped } from '../picture/escaped';

/**
 * Returns who can use what as a self-contained HTML page: by reader and by secret, with a filter, in light and dark. Without
 * its script, which only filters, it shows everything.
 */
export function accessPage(access: Access, origin: Origin): string {
  const { environment } = access;
  const rows = rowsOf(access);
  const over = rows.reduce((sum, { overreach }) => sum + overreach, 0);
  const readerOf = ({ cluster, reader }: AccessRow): string => [cluster, reader].filter(Boolean).join('/');
  const targets = new Set(rows.flatMap(({ what }) => what));
  const readers = rows.map((row): Row => {
    const { subjects, identity, what, because, overreach } = row;
    const more = overreach > what.length ? [`and ${overreach - what.length} more`] : [];
    return {
      overreach: overreach > 0,
      cells: [readerOf(row), subjects, identity, [...what, ...more], because],
    };
  });
  const byTarget = rows
    .flatMap((row) => row.what.map((target) => ({ target, row })))
    .sort((a, b) => (a.target < b.target ? -1 : 1))
    .map(({ target, row }): Row => {
      const { subjects, identity, because, overreach } = row;
      return { overreach: overreach > 0, cells: [target, readerOf(row), subjects, identity, because] };
    });
  const title = `Who can use what in ${escaped(environment)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${escaped(originOf(environment, origin))}</p>
<p>${targets.size} secrets and roles, ${new Set(rows.map(readerOf)).size} readers${over === 0 ? '' : `; <b>${over} can be used without being named</b>`}</p>
</header>
<form role="search">
<label>Filter <input type="search" id="filter" autocomplete="off" placeholder="orders aks-1"></label>
<label><input type="checkbox" id="overreach"> only unnamed access</label>
<output id="count" for="filter overreach"></output>
</form>
<main>
${table('By reader', ['who', 'service accounts', 'identity', 'what', 'because'], readers)}
${table('By secret and role', ['what', 'who', 'service accounts', 'identity', 'because'], byTarget)}
</main>
<script>${script}</script>
</body>
</html>
`;
}

interface Row {
  readonly overreach: boolean;
  /** The first cell is the name of the row. */
  readonly cells: readonly (string | readonly string[])[];
}

function table(title: string, columns: readonly string[], rows: readonly Row[]): string {
  const head = columns.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map(({ overreach, cells: [first = '', ...others] }) => {
    const cells = others.map((cell, index) => `<td data-column="${columns[index + 1]}">${lines(cell)}</td>`);
    return `<tr${overreach ? ' class="overreach"' : ''}><th scope="row">${lines(first)}</th>${cells.join('')}</tr>`;
  });
  return `<details open><summary><h2>${title}</h2></summary>
<table><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></details>`;
}

const lines = (cell: string | readonly string[]): string =>
  [cell].flat().map(escaped).join('<br>') || '<span class="none">none</span>';

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d4753); --quiet: light-dark(#52606f, #a3b0bd); --warn: light-dark(#fff6e0, #33280c); --paper: light-dark(#ffffff, #0d1117); --ink: light-dark(#1c2530, #e6edf3); --focus: light-dark(#2f6fde, #5b93f0); }
body { font: 14px/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 0 1rem 2rem; background: var(--paper); color: var(--ink); }
header { padding-top: .5rem; } h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.05rem; display: inline; }
p { margin: .2rem 0 0; } output, .none, ::placeholder { color: var(--quiet); opacity: 1; }
form { display: flex; gap: .5rem 1.5rem; align-items: center; flex-wrap: wrap; padding: .5rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
input[type=search] { font: inherit; padding: .25rem .5rem; width: 22rem; max-width: 60vw; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
details { margin-top: 1rem; } summary { cursor: pointer; padding: .3rem 0; }
table { border-spacing: 0; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-top: 1px solid var(--line); min-width: 6rem; overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 500; } tbody th { font-weight: 600; }
tr.overreach { background: var(--warn); }
@media (width >= 48rem) { /* The filter and the names of the columns stay in view. */
  :root { scroll-padding-top: 6rem; }
  form { position: sticky; top: 0; z-index: 1; height: 3rem; box-sizing: border-box; flex-wrap: nowrap; }
  thead th { position: sticky; top: 3rem; background: var(--paper); }
}
@media (width < 48rem) { /* Cells below each other, each after the name of its column. */
  thead { display: none; } table, tbody, tr:not([hidden]), tbody th, td { display: block; }
  td { border: 0; padding: 0 .6rem .35rem 8.6rem; } td::before { content: attr(data-column); float: left; margin-left: -8rem; color: var(--quiet); }
}
`;

const script = `
const filter = document.getElementById('filter'), only = document.getElementById('overreach');
const rows = [...document.querySelectorAll('tbody tr')].map((row) => [row, row.innerText.toLowerCase()]);
const apply = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const [row, text] of rows) {
    row.hidden = (only.checked && !row.classList.contains('overreach')) || !words.every((word) => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  document.getElementById('count').value = shown === rows.length ? '' : shown + ' of ' + rows.length + ' rows';
};
filter.addEventListener('input', apply);
only.addEventListener('change', apply);
document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && event.target !== filter) { event.preventDefault(); filter.focus(); }
  if (event.key === 'Escape') { filter.value = ''; apply(); }
});
apply();
`;
