import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkCommitted } from '../../../commands/stack';
import { parseCommitted } from '../../../commands/stackDocument';
import { UserError } from '../../../userError';

const name = 'Pulumi.local.yaml';

function refusalOf(run: () => unknown): UserError {
  try {
    run();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a stack file that is not a configuration', () => {
  it.each([
    ['a list', '# mine\n[1, 2]\n', 'Pulumi.local.yaml, line 2, is a list, not a mapping.'],
    ['a string', 'hello\n', 'Pulumi.local.yaml, line 1, is a string, not a mapping.'],
    ['empty', '', 'Pulumi.local.yaml is empty.'],
    ['only a comment', '# later\n', 'Pulumi.local.yaml is empty.'],
    ['without config', 'encryptionsalt: v1:x\n', 'Pulumi.local.yaml has no `config`.'],
    ['with an empty config', 'config:\n', 'Pulumi.local.yaml has no `config`.'],
    [
      'with a number as config',
      '# mine\n\nconfig: 5\n',
      'Pulumi.local.yaml, line 3, `config` is a number, not a mapping.',
    ],
    [
      'with a list as config',
      'config:\n  - a\n',
      'Pulumi.local.yaml, line 2, `config` is a list, not a mapping.',
    ],
  ])('is refused: %s', (_what, text, message) => {
    const error = refusalOf(() => parseCommitted(text, name));
    expect(error.message).toBe(message);
    expect(error.hint).toContain('Expected: the key `config`');
    expect(error.hint).toContain('`git checkout Pulumi.local.yaml`');
    expect(error.exitCode).toBe(1);
  });

  it.each([
    ['broken', 'config:\n  a: [\n', /^Pulumi\.local\.yaml is not valid YAML: .* at line \d+, column \d+\.$/],
    ['a key twice', 'config: {}\nconfig: {}\n', /Map keys must be unique at line 2, column 1\.$/],
    ['an alias of nothing', 'config: *other\n', /is not valid YAML: Unresolved alias .*: other\.$/],
  ])('is refused with the parser’s message: %s', (_what, text, message) => {
    const error = refusalOf(() => parseCommitted(text, name));
    expect(error.message).toMatch(message);
    expect(error.hint).toContain('Correct it');
  });

  it('is refused without its text being shown', () => {
    const error = refusalOf(() => parseCommitted('config:\n  password: hunter2\n  - x: [\n', name));
    expect(error.message).toContain('is not valid YAML');
    expect(`${error.message} ${error.hint ?? ''}`).not.toContain('hunter2');
  });

  it('is refused when it is missing', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'stack-file-'));
    const instance = { projectRoot: folder, pulumiBackend: path.join(folder, 'backend') };
    try {
      const unknown = refusalOf(() =>
        checkCommitted(instance, { name: 'dev', source: 'Pulumi.dev.yaml', file: '/none' }),
      );
      expect(unknown.message).toBe('There is no stack dev. The stacks of this project: none.');
      const error = refusalOf(() =>
        checkCommitted(instance, { name: 'dev', source: 'mine.yaml', file: '/none' }),
      );
      expect(error.message).toBe('mine.yaml, the configuration of stack dev, is missing.');
      expect(error.hint).toContain('`git checkout mine.yaml`');
      expect(error.hint).toContain('--file');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a stack file with anchors', () => {
  it('is resolved, including merged keys', () => {
    const document = parseCommitted('base: &base { a: 1 }\nconfig:\n  <<: *base\n  b: 2\n', name);
    expect(document.toJS()).toEqual({ base: { a: 1 }, config: { a: 1, b: 2 } });
  });
});
