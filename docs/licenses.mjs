// Prints the npm packages that the programs use, by license, from package-lock.json. `--all`: also those of the tests.
import { readFile } from 'node:fs/promises';

const lockfile = new URL('../package-lock.json', import.meta.url);
const { packages } = JSON.parse(await readFile(lockfile, 'utf8'));

const byLicense = new Map();
for (const [place, { license = 'none named', version, dev, link }] of Object.entries(packages)) {
  const name = place.split('node_modules/').at(-1);
  if (!place.includes('node_modules/') || link || (dev && !process.argv.includes('--all'))) continue;
  byLicense.set(license, (byLicense.get(license) ?? new Set()).add(`${name} ${version}`));
}
const lines = [...byLicense]
  .sort(([one], [other]) => one.localeCompare(other))
  .flatMap(([license, names]) => [license, ...[...names].sort().map((name) => `  ${name}`)]);
process.stdout.write(`${lines.join('\n')}\n`);
