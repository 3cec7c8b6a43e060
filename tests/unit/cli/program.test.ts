import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { createProgram, runProgram } from '../../../cli/main';
import { reportError, UserError } from '../../../cli/userError';
import { projectRoot } from '../../support/command';
import { withProject } from './projectFolder';

/** What a command line writes and how it ends, without ending this process. */
async function run(...args: string[]): Promise<{ output: string; code: unknown }> {
  const program = await createProgram(args);
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const prepare = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: write, writeErr: write });
    command.commands.forEach(prepare);
  };
  prepare(program);
  const stderr = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    write(String(text));
    return true;
  });
  const before = process.exitCode;
  try {
    await runProgram(program, args);
    return { output, code: process.exitCode };
  } finally {
    process.exitCode = before;
    stderr.mockRestore();
  }
}

describe('the command', () => {
  it('suggests the nearest command for an unknown one', async () => {
    const { output, code } = await run('verfy');
    expect(output).toContain("unknown command 'verfy'");
    expect(output).toContain('Did you mean verify?');
    expect(code).toBe(1);
  });

  it.each([
    ['help fleet plan', 'Usage: aks-wi fleet plan [options]'],
    ['help fleet', 'Usage: aks-wi fleet [options] [command]'],
    ['help', 'Usage: aks-wi [options] [command]'],
  ])('aks-wi %s shows the help of that command', async (args, usage) => {
    expect((await run(...args.split(' '))).output).toContain(usage);
  });

  it('asks for the stack', async () => {
    const { output, code } = await run('verify');
    expect(output).toContain("required option '--stack <name>' not specified");
    expect(code).toBe(1);
  });

  it.each(['soon', '-1', ''])('refuses the timeout %p', async (timeout) => {
    const { output, code } = await run('verify', '--stack', 'dev', `--timeout=${timeout}`);
    expect(output).toContain('Expected a number of seconds, 0 or more');
    expect(code).toBe(1);
  });
});

describe('an error', () => {
  const report = (error: unknown): { text: string; code: number } => {
    let text = '';
    const code = reportError(error, (part) => (text += part));
    return { text, code };
  };

  it('is one message and its hint, without a stack trace', () => {
    expect(report(new UserError('It is broken.', 'Mend it.'))).toEqual({
      text: 'error: It is broken.\n  → Mend it.\n',
      code: 1,
    });
  });

  it('of another bundle carries its hint and exit code as well', () => {
    const foreign = Object.assign(new Error('Interrupted.'), {
      name: 'UserError',
      hint: 'Again.',
      exitCode: 130,
    });
    expect(report(foreign)).toEqual({ text: 'error: Interrupted.\n  → Again.\n', code: 130 });
  });

  it.each([
    ['without a cause has no stack trace', new UserError('It is broken.'), false],
    [
      'with a cause has one',
      Object.assign(new UserError('It is broken.'), { cause: new Error('EACCES') }),
      true,
    ],
  ])('for debugging, %s', (_, error, expected) => {
    process.env.AKS_WI_DEBUG = '1';
    try {
      expect(report(error).text.includes('program.test.ts')).toBe(expected);
    } finally {
      delete process.env.AKS_WI_DEBUG;
    }
  });

  it('names pages by paths that can be opened from here', () => {
    const hint = 'See docs/clusters.md#external and docs/access.md.';
    expect(report(new UserError('It is broken.', hint)).text).toContain(hint);
    for (const folder of ['/', path.join(projectRoot, 'docs'), path.join(projectRoot, 'tests')]) {
      const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
      try {
        const paths = report(new UserError('It is broken.', hint)).text.match(/[^\s#]*\/[^\s#]*\.md/g) ?? [];
        expect(paths.map((page) => existsSync(path.resolve(folder, page)))).toEqual([true, true]);
      } finally {
        cwd.mockRestore();
      }
    }
  });

  it('that is unexpected has no stack trace either', () => {
    expect(report(new TypeError('x is not a function')).text).toBe('error: x is not a function\n');
  });
});

describe('--quiet', () => {
  it.each([
    [[], 'note: Rules that span several settings are checked once these are corrected.'],
    [['--quiet'], undefined],
  ])('with %j, shows the note: %p; the problem is shown in any case', async (flags, note) => {
    const text = 'config:\n  aks-workload-identity:location: West Europe\n';
    const { output, code } = await withProject({ 'Pulumi.dev.yaml': text }, (folder) => {
      const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
      return run('validate', '--stack', 'dev', ...flags).finally(() => cwd.mockRestore());
    });
    expect(code).toBe(1);
    expect(output).toContain('"West Europe" is not allowed');
    expect(/^note: .*/m.exec(output)?.[0]).toBe(note);
  });
});
