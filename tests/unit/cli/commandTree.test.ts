import type { Command, Option } from 'commander';
import { commandsIn, groupsIn, wholeProgram, type NamedCommand } from './wholeProgram';

let program: Command;
let all: NamedCommand[];
beforeAll(async () => {
  program = await wholeProgram();
  all = commandsIn(program);
});

/** Commands without `--json`, since they change something or write a file or a script. A new command that reads is not here. */
const notReading: Readonly<Record<string, string>> = {
  'fleet render github': 'writes a file',
  'fleet render azure': 'writes a file',
  'fleet render jobset': 'writes a file',
  'fleet render pko': 'writes a file',
  'fleet up': 'deploys',
  'pipeline preview': 'writes a comment',
  'pipeline deploy': 'deploys',
  'pipeline cell': 'deploys',
  'pipeline run': 'runs another command',
  'pipeline promote': 'opens a pull request',
  'azure-run': 'deploys, and writes a report',
  completion: 'prints a script',
  up: 'deploys',
  down: 'stops the local cloud',
  pulumi: 'runs pulumi',
  'cloud start': 'starts the local cloud',
  'cloud stop': 'stops the local cloud',
  'cloud kubeconfig': 'writes a file',
  'cloud save': 'saves the state',
  'cloud restore': 'replaces the state',
  'cloud forget': 'deletes a save',
  'cloud purge': 'deletes a vault',
  'cloud fault': 'sets a fault',
  'toolchain build': 'builds programs',
  'toolchain definitions': 'writes a file',
};

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return help;
}

/** The text of an option without what differs by command: a remark in parentheses, or the shape of the JSON. */
const meaningOf = ({ description }: Option) => description.replace(/( \(|: \{).*$/s, '');

it('each command has an example that names it and uses only options that it has', () => {
  const wrong = all.flatMap(({ path, command }) => {
    const args = /\nExample:\n {2}npx aks-wi (.+)\n/.exec(helpOf(command))?.[1];
    if (args === undefined || !`${args} `.startsWith(`${path} `)) return `${path}: ${args ?? 'no example'}`;
    const own = command.options.flatMap(({ short, long }) => [short, long]);
    const used = path === 'pulumi' ? [] : (args.split(';')[0]?.match(/(?<= )--[\w-]+/g) ?? []);
    return used.filter((name) => !own.includes(name)).map((name) => `${path}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

it('each group of commands has an example that names one of them', () => {
  const groups = groupsIn(program);
  const wrong = groups.filter(({ path, command }) => {
    const args = /\nExample:\n {2}npx aks-wi (.+)\n/.exec(helpOf(command))?.[1];
    return !`${args} `.startsWith(`${path} `);
  });
  expect(groups.length).toBeGreaterThan(3);
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

it('an example has all required options', () => {
  const wrong = all.flatMap(({ path, command }) =>
    command.options
      .filter(
        ({ mandatory, long = '' }) => mandatory && !helpOf(command).split('Example:')[1]?.includes(long),
      )
      .map(({ long }) => `${path}: ${long}`),
  );
  expect(wrong).toEqual([]);
});

it('each command that only reads has --json', () => {
  const without = all.filter(({ command }) => !command.options.some(({ long }) => long === '--json'));
  expect(without.map(({ path }) => path).sort()).toEqual(Object.keys(notReading).sort());
});

it('the same option has the same meaning in each command', () => {
  const meanings = new Map<string, Map<string, string[]>>();
  for (const { path, command } of all)
    for (const option of command.options) {
      const ofName = meanings.get(option.long ?? '') ?? new Map<string, string[]>();
      // The other long name of an option is in `short`, and may differ.
      const text = `${option.short?.startsWith('--') ? '' : (option.short ?? '')} ${meaningOf(option)}`;
      ofName.set(text, [...(ofName.get(text) ?? []), path]);
      meanings.set(option.long ?? '', ofName);
    }
  const differing = [...meanings].filter(([, texts]) => texts.size > 1);
  expect(differing.map(([name, texts]) => ({ name, texts: [...texts] }))).toEqual([]);
});

/** Returns what an invalid command line writes. */
async function refusalOf(...args: string[]): Promise<string> {
  let text = '';
  const program = await wholeProgram(args);
  const prepare = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: (part) => (text += part) });
    command.commands.forEach(prepare);
  };
  prepare(program);
  await program.parseAsync(args, { from: 'user' }).catch(() => undefined);
  return text;
}

it.each([
  ['verfy', 'verify'],
  ['clod status', 'cloud'],
  ['cloud statsu', 'status'],
  ['fleet pln --stack prod', 'plan'],
  ['fleet render gihub --stack prod', 'github'],
  ['pipeline prevew --stack dev', 'preview'],
  ['verify --stak dev', '--stack'],
  ['fleet render github --stak prod', '--stack'],
  ['cloud status --jsn', '--json'],
  ...['validate', 'revoke --stack dev', 'import --stack dev', 'init', 'up'].map((command) => [
    `${command} --fiel x.yaml`,
    '--file',
  ]),
  ['revoke --fiel x.yaml', '--file'],
])('aks-wi %s: names %s as the nearest', async (args, nearest) => {
  expect(await refusalOf(...args.split(' '))).toContain(`Did you mean ${nearest}?`);
});

it('of each command with --stack and without an argument, names --stack for a stack that is named without it', async () => {
  const takesStack = all.filter(
    ({ command }) =>
      command.registeredArguments.length === 0 && command.options.some(({ long }) => long === '--stack'),
  );
  expect(takesStack.length).toBeGreaterThan(20);
  for (const { path } of takesStack)
    expect([path, await refusalOf(...path.split(' '), 'prod')]).toEqual([
      path,
      expect.stringContaining("error: unexpected argument 'prod'\n(Did you mean --stack prod?)\n"),
    ]);
});

it('names the commands of toolchain, which also does something without one', async () => {
  expect(await refusalOf('toolchain', 'biuld')).toBe(
    "error: unknown command 'biuld'. Allowed: build, definitions.\n",
  );
});
