import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkpointFile } from '../../../commands/backendFiles';
import { localCloudProgram } from '../../../commands/main';
import type { Confirmed } from '../../../commands/change';
import { locateInstance, type Instance } from '../../../daemon/instance';
import { product } from '../../support/product';
import { variable } from '../../../project';

// That it stops what runs, the end-to-end tests prove; how it asks, those of the project.

const projectRoot = path.resolve(__dirname, '../../../..');
const state = variable('STATE');
const before = process.env[state];
let root: string;
let instance: Instance;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'clean-'));
  process.env[state] = path.join(root, '.state');
  instance = locateInstance(projectRoot);
  for (const stack of ['local', 'dev']) {
    mkdirSync(path.dirname(checkpointFile(instance, stack)), { recursive: true });
    writeFileSync(checkpointFile(instance, stack), '{}');
  }
  mkdirSync(path.join(instance.stateRoot, 'saves', 'base'), { recursive: true });
});
afterEach(() => {
  rmSync(root, { recursive: true });
  if (before === undefined) Reflect.deleteProperty(process.env, state);
  else process.env[state] = before;
});

/** Agrees with `--yes`, as that of a project does. */
const confirmed = jest.fn<ReturnType<Confirmed>, Parameters<Confirmed>>(({ yes, dryRun }) =>
  Promise.resolve(yes && !dryRun),
);

/** `clean …`, with what it prints. */
async function clean(...args: string[]): Promise<string> {
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const program = await localCloudProgram(['clean'], { projectRoot, confirmed, product });
    await program?.parseAsync(['clean', ...args], { from: 'user' });
    return written.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    written.mockRestore();
  }
}

const line = '{"stacks":["dev","local"],"saves":["base"]}\n';

describe('clean', () => {
  it('deletes the state, and says which saves stay', async () => {
    expect(await clean('--yes')).toMatch(/^Everything is stopped .* These saves stay: base; /);
    expect(existsSync(instance.folder)).toBe(false);
    expect(existsSync(path.join(instance.stateRoot, 'saves', 'base'))).toBe(true);
  });

  it('prints the deleted stacks and the saves that stay as JSON', async () => {
    expect(await clean('--yes', '--json')).toBe(line);
    expect(existsSync(instance.folder)).toBe(false);
    // So that nothing is asked.
    expect(confirmed.mock.lastCall?.[0]).toMatchObject({ json: true });
  });

  it('prints them in a dry run too, and deletes nothing', async () => {
    expect(await clean('--yes', '--dry-run', '--json')).toBe(line);
    expect(existsSync(checkpointFile(instance, 'dev'))).toBe(true);
  });

  it('deletes nothing in a dry run where there is no state', async () => {
    rmSync(instance.pulumiBackend, { recursive: true });
    expect(await clean('--dry-run')).toBe('');
    expect(existsSync(instance.folder)).toBe(true);
  });
});
