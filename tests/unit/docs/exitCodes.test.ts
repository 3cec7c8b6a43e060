import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../../cli/exitCodes';
import { exitCodes as ofLocalCloud } from '../../../localcloud/commands/exitCodes';
import { projectRoot } from '../../support/command';
import { wholeProgram } from '../cli/wholeProgram';

// The table of exit codes in docs/commands.md. What it does not prove: when a command ends with a code.

const page = readFileSync(path.join(projectRoot, 'docs/commands.md'), 'utf8');
const [, section = ''] = page.split('\n## Exit codes\n');
const rows = [...section.matchAll(/^\|(.*)\|$/gm)]
  .slice(2)
  .map(([, row = '']) => row.split('|').map((cell) => cell.trim()));

/** Codes of each row by command; none of a command that ends as another program does. */
const documented = new Map(
  rows.map(([command = '', done = '', failed = '', other = '']): [string, number[]] => [
    command.replaceAll('`', ''),
    done.startsWith('as ')
      ? []
      : [
          ...(done === '' ? [] : [0]),
          ...(failed === '' ? [] : [1]),
          ...[...other.matchAll(/(?<=^|\. )\d+(?=:)/g)].map(([code]) => Number(code)),
        ],
  ]),
);

const passedOn = ['pipeline deploy, pulumi', 'pipeline run'];

const numbers = (codes: object) => Object.values(codes) as number[];

it('has the codes of each command', () => {
  const expected = new Map(Object.entries(exitCodes).map(([command, codes]) => [command, numbers(codes)]));
  for (const [command, codes] of Object.entries(ofLocalCloud))
    expected.set(command, [...(expected.get(command) ?? [0]), ...numbers(codes)]);

  const sorted = (codes: ReadonlyMap<string, readonly number[]>) =>
    Object.fromEntries([...codes].map(([command, of]) => [command, of.toSorted((a, b) => a - b)]));
  expect(sorted(documented)).toEqual({
    ...sorted(expected),
    ...Object.fromEntries(passedOn.map((command) => [command, []])),
  });
});

it('the help of the program has the codes of all but two of them', async () => {
  let help = '';
  const program = await wholeProgram();
  program.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const [, sentence = ''] = help.split('\nExit codes: ');
  const others = ['azure-run', 'pipeline cell'];

  const expected = [...documented].flatMap(([command, codes]) => (others.includes(command) ? [] : codes));
  expect([...new Set(sentence.match(/\d+/g)?.map(Number))].sort()).toEqual([...new Set(expected)].sort());
});

it('no source has a code as a number', () => {
  const found = ['cli', 'localcloud/commands'].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const lines = readFileSync(path.join(projectRoot, folder, file), 'utf8').split('\n');
        return lines
          .filter((line) =>
            /\bexitCode\b *(\|\|)?[=:](?!=)[^=]*\b\d+\b|return [^;]*\? [01] : [01];/.test(line),
          )
          .map((line) => `${folder}/${file}: ${line.trim()}`);
      }),
  );
  expect(found).toEqual([]);
});
