import type { Access, AccessEntry } from '../../stacks/access/model';
import { alike } from './alike';

/**
 * Who can read what as one HTML page that needs nothing else: by reader and by secret, with a filter, in light and dark. It
 * shows everything without its script, which only filters.
 */
export function accessPage({ environment, entries }: Access): string {
  const over = entries.filter(({ overreach }) => overreach).length;
  const secretOf = ({ vault, secret }: AccessEntry): string => `${vault}/${secret}`;
  const readerOf = ({ cluster, reader }: AccessEntry): string => `${cluster}/${reader}`;
  const countOf = (name: (entry: AccessEntry) => string): number => new Set(entries.map(name)).size;
  const readers = alike(entries).map(({ first, secrets }) =>
    row(first.overreach, [readerOf(first), first.serviceAccounts, first.identities, secrets, first.because]),
  );
  const secrets = [...entries]
    .sort((one, other) => (secretOf(one) < secretOf(other) ? -1 : 1))
    .map((entry) =>
      row(entry.overreach, [
        secretOf(entry),
        readerOf(entry),
        entry.serviceAccounts,
        entry.identities,
        entry.because,
      ]),
    );
  const title = `Who can read what in ${escaped(environment)}`;
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
<p>${countOf(secretOf)} secrets, ${countOf(readerOf)} readers${over === 0 ? '' : `; <b>${over} can be read without being named</b>`}</p>
<form role="search">
<label>Filter <input type="search" id="filter" autocomplete="off" placeholder="orders aks-1"></label>
<label><input type="checkbox" id="overreach"> only what is not named</label>
<output id="count" for="filter overreach"></output>
</form>
</header>
<main>
${table('By reader', ['who', 'service accounts', 'identities', 'secrets', 'because'], readers)}
${table('By secret', ['secret', 'who', 'service accounts', 'identities', 'because'], secrets)}
</main>
<script>${script}</script>
</body>
</html>
`;
}

function table(title: string, columns: readonly string[], rows: readonly string[]): string {
  const head = columns.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<details open><summary><h2>${title}</h2></summary>
<table><thead><tr>${head}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></details>`;
}

function row(overreach: boolean, [first = '', ...cells]: readonly (string | readonly string[])[]): string {
  const texts = cells.map((cell) => `<td>${lines(cell)}</td>`).join('');
  return `<tr${overreach ? ' class="overreach"' : ''}><th scope="row">${lines(first)}</th>${texts}</tr>`;
}

const lines = (cell: string | readonly string[]): string =>
  [cell].flat().map(escaped).join('<br>') || '<span class="none">none</span>';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d4753); --quiet: light-dark(#52606f, #a3b0bd); --warn: light-dark(#fff6e0, #33280c); --paper: light-dark(#ffffff, #0d1117); --ink: light-dark(#1c2530, #e6edf3); --focus: light-dark(#2f6fde, #5b93f0); }
body { font: 14px/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 0 1rem 2rem; background: var(--paper); color: var(--ink); }
header { position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--line); padding: .5rem 0; }
h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1.05rem; display: inline; }
p { margin: .2rem 0 .5rem; } form { display: flex; gap: 1.5rem; align-items: center; flex-wrap: wrap; }
input[type=search] { font: inherit; padding: .25rem .5rem; width: 22rem; max-width: 60vw; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
details { margin-top: 1rem; } summary { cursor: pointer; padding: .3rem 0; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--quiet); font-weight: 500; } tbody th { font-weight: 600; }
tr.overreach { background: var(--warn); } .none, output { color: var(--quiet); }
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
