import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../support/command';
import { commandsIn, wholeProgram } from '../cli/wholeProgram';

// The table of roles by command and person: each command has a row. What it does not prove: that the rights are enough.

const page = readFileSync(path.join(projectRoot, 'docs/threat-model.md'), 'utf8');
const [, section = ''] = page.split('\n## Roles by command and person\n');
const [table = ''] = section.split('\n## ');
const rows = [...table.matchAll(/^\| (.*?) \|/gm)].map((match) => match[1] ?? '');

/** Commands that the first column names, without their options. */
const named = rows.flatMap((row) =>
  [...row.matchAll(/`([^`]+)`/g)].map((match) => (match[1] ?? '').replace(/ --.*$/, '')),
);

/** Groups of which one row is for all commands. */
const together = ['cloud', 'toolchain', 'fleet render'];

it('has a row for each command, and none for a command that does not exist', async () => {
  const paths = commandsIn(await wholeProgram()).map(({ path: one }) => one);
  const group = (one: string) => together.find((name) => one === name || one.startsWith(`${name} `));

  const expected = [...new Set(paths.map((one) => group(one) ?? one))];

  const others = ['pulumi up', 'bootstrap/'];
  expect([...new Set(named)].filter((one) => !others.includes(one)).sort()).toEqual(expected.sort());
});
