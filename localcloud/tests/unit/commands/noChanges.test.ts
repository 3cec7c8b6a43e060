import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRecorded, unchanged } from '../../../commands/noChanges';
import type { PulumiContext } from '../../../commands/runPulumi';
import { PROJECT } from '../../../project';

const deployed = {
  urn: 'urn:pulumi:local::p::pulumi:pulumi:Stack::p-local',
  parent: '',
  inputs: {},
  outputs: { vaults: [{ uri: 'https://a' }], kubeconfigs: { ciphertext: '[secret]' } },
};

const ended = (op: string, old: object | null, found: object | null) => ({
  resOutputsEvent: { metadata: { op, urn: deployed.urn, old, new: found } },
});
const counted = (resourceChanges: object) => ({ summaryEvent: { resourceChanges, durationSeconds: 6 } });

const logOf = (...events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');

describe('a preview', () => {
  const same = ended('same', deployed, { ...deployed });

  it('shows no change if every resource is the same, with the same state', () => {
    const diagnostic = { diagnosticEvent: { message: 'note' } };
    expect(unchanged(logOf(diagnostic, same, counted({ same: 98 }), { cancelEvent: {} }))).toEqual({
      same: 98,
    });
  });

  it.each([
    ['a resource is created', [same, ended('create', null, deployed), counted({ same: 98, create: 1 })]],
    ['a resource is deleted', [same, ended('delete', deployed, null), counted({ same: 98, delete: 1 })]],
    ['a resource is read', [ended('read', deployed, deployed), counted({ same: 98 })]],
    ['an output of the stack changes', [changed({ outputs: { vaults: [] } }), counted({ same: 98 })]],
    [
      'an output of the stack is not known yet',
      [changed({ outputs: { vaults: 'unknown' } }), counted({ same: 98 })],
    ],
    ['a resource is renamed by an alias', [changed({ urn: 'urn:other' }), counted({ same: 98 })]],
    ['a resource is protected', [changed({ protect: true }), counted({ same: 98 })]],
    ['nothing is deployed', [counted({})]],
    ['it did not end', [same]],
  ])('shows a change if %s', (_title, events) => {
    expect(unchanged(logOf(...events))).toBeUndefined();
  });

  function changed(difference: object) {
    return ended('same', deployed, { ...deployed, ...difference });
  }
});

describe('the deployed commit', () => {
  let folder = '';
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const record = (run: object): void => {
    const history = path.join(folder, '.pulumi', 'history', PROJECT, 'local');
    mkdirSync(history, { recursive: true });
    writeFileSync(path.join(history, 'local-1.history.json'), JSON.stringify(run));
  };
  const context = () =>
    ({ instance: { projectRoot: folder, pulumiBackend: folder }, stack: { name: 'local' } }) as PulumiContext;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'commit-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is recorded by a successful update only', () => {
    git('init', '--quiet');
    git('commit', '--allow-empty', '--message', 'first', '--quiet');
    const environment = { 'git.head': git('rev-parse', 'HEAD') };
    expect(isRecorded(context())).toBe(false);
    for (const [kind, result, expected] of [
      ['update', 'succeeded', true],
      ['update', 'failed', false],
      ['refresh', 'succeeded', false],
    ] as const) {
      record({ kind, result, environment });
      expect(isRecorded(context())).toBe(expected);
    }
  });

  it('is not recorded by an update from another commit', () => {
    git('init', '--quiet');
    git('commit', '--allow-empty', '--message', 'first', '--quiet');
    record({ kind: 'update', result: 'succeeded', environment: { 'git.head': git('rev-parse', 'HEAD') } });
    git('commit', '--allow-empty', '--message', 'second', '--quiet');
    expect(isRecorded(context())).toBe(false);
  });

  it('is not recorded by an update with uncommitted changes', () => {
    git('init', '--quiet');
    git('commit', '--allow-empty', '--message', 'first', '--quiet');
    const environment = { 'git.head': git('rev-parse', 'HEAD'), 'git.dirty': 'true' };
    record({ kind: 'update', result: 'succeeded', environment });
    expect(isRecorded(context())).toBe(false);
  });

  it('does not matter outside of a git repository', () => {
    record({ kind: 'update', result: 'succeeded', environment: {} });
    expect(isRecorded(context())).toBe(true);
  });
});
