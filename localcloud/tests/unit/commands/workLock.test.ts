import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cloudCommand } from '../../../commands/cloudCommand';
import { down } from '../../../commands/down';
import { isHelp, runUserPulumi } from '../../../commands/pulumiCommand';
import { locateInstance } from '../../../daemon/instance';
import { acquireLock } from '../../../lock';
import { product } from '../../support/product';
import { variable } from '../../../project';

describe('while another command works on the local cloud', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'work-lock-'));
  const instance = locateInstance(folder, { [variable('STATE')]: path.join(folder, 'state') });
  let release: () => void;
  beforeAll(() => {
    release = acquireLock(path.join(instance.folder, 'command.lock'));
  });
  afterAll(() => {
    release();
    rmSync(folder, { recursive: true });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['down', () => down(instance)],
    [
      'cloud stop',
      () => cloudCommand(instance, () => Promise.resolve(true)).parseAsync(['stop'], { from: 'user' }),
    ],
    ['pulumi cancel', () => runUserPulumi(instance, ['--stack', 'local', 'cancel', '--yes'], product)],
  ])('%s is refused', async (command, run) => {
    await expect(run()).rejects.toThrow(
      `\`${command}\` cannot run while another command (process ${process.pid}) uses this local cloud.`,
    );
  });
});

it.each<[string[], boolean]>([
  [['--help'], true],
  [['up', '-h'], true],
  [['help', 'stack'], true],
  [['version'], true],
  [[], true],
  [['up', '--yes'], false],
  [['config', 'set', 'a', 'b'], false],
])('%j asks for help and needs no local cloud: %p', (args, expected) => {
  expect(isHelp(args)).toBe(expected);
});
