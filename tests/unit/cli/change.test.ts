import { PassThrough } from 'node:stream';
import { confirmed } from '../../../cli/change';
import { loadCommands } from '../../../cli/commands';

const changing = ['revoke', 'import', 'promote', 'grant', 'azure-run'];
/**
 * Groups of commands: those of `fleet` have their own options, and those of `pipeline` show what the programs print. The
 * completion is a script, and `azure-run` writes its report.
 */
const withoutJson = ['fleet', 'completion', 'azure-run', 'pipeline'];

describe('the options', () => {
  it('mean the same in every command', async () => {
    const commands = await loadCommands();
    const named = (option: string) =>
      commands
        .filter(({ options }) => options.some(({ long }) => long === option))
        .map((command) => command.name());
    const all = commands.map((command) => command.name());

    expect(all).toEqual(expect.arrayContaining([...changing, ...withoutJson]));
    expect(named('--json')).toEqual(all.filter((name) => !withoutJson.includes(name)));
    expect(named('--yes')).toEqual(all.filter((name) => changing.includes(name)));
    // `init` overwrites nothing, so it asks for no consent.
    expect(named('--dry-run')).toEqual(['init', ...named('--yes')]);
  });

  it('of a command are loaded with it, and the others have only their description', async () => {
    const commands = await loadCommands(['grant']);

    expect(commands.filter(({ options }) => options.length > 0).map((command) => command.name())).toEqual([
      'grant',
    ]);
    expect(commands.every((command) => command.description() !== '')).toBe(true);
  });
});

describe('a change', () => {
  const asks = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { stdin } = process;
  const terminal = { in: stdin.isTTY, err: process.stderr.isTTY };

  /** Somebody at a terminal who types this; undefined for a script. */
  function typing(text: string | undefined): void {
    const input = Object.assign(new PassThrough(), { isTTY: text !== undefined });
    Object.defineProperty(process, 'stdin', { value: input, configurable: true });
    process.stderr.isTTY = text !== undefined;
    if (text === '') input.end();
    else if (text !== undefined) input.write(text);
  }
  const change = (flags: { yes?: boolean; dryRun?: boolean; json?: boolean } = {}) =>
    confirmed({ yes: false, dryRun: false, ...flags }, 'revoked', 'the 3 above would be removed');

  afterAll(() => {
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    process.stderr.isTTY = terminal.err;
    asks.mockRestore();
  });

  it.each(['y\n', 'Yes\n'])('is made if somebody answers %j', async (text) => {
    typing(text);
    expect(await change()).toBe(true);
    expect(asks.mock.calls.join('')).toContain('The 3 above would be removed. Continue? [y/N] ');
  });

  it.each(['\n', 'n\n', 'yess\n', ''])('is not made if somebody answers %j', async (text) => {
    typing(text);
    await expect(change()).rejects.toThrow('Nothing was revoked.');
  });

  it.each([
    ['without a terminal', undefined, {}],
    ['for a script that reads JSON', 'y\n', { json: true }],
  ])('is refused %s', async (_what, text, flags) => {
    typing(text);
    await expect(change(flags)).rejects.toMatchObject({
      message: 'Nothing was revoked: the 3 above would be removed.',
      hint: 'Review it, and run the command again with --yes.',
    });
  });

  it('is made with --yes, and never with --dry-run', async () => {
    typing(undefined);
    expect(await change({ yes: true, json: true })).toBe(true);
    expect(await change({ dryRun: true })).toBe(false);
    expect(await change({ yes: true, dryRun: true })).toBe(false);
  });
});
