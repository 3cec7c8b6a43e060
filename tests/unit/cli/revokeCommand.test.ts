import path from 'node:path';
import { accessOf, removeAccess } from '../../../cli/revoke/access';
import { showNotes } from '../../../cli/print';
import { revokeCommand } from '../../../cli/revoke/command';
import { markRevoked } from '../../../cli/revoke/stackFile';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { twoClusters } from '../verification/outputs.fixture';
import { stackText, withProject } from './projectFolder';

// What mocks do not prove: that the access goes; tests/e2e/revocation.test.ts proves it.

jest.mock('../../../cli/azureReader');
jest.mock('../../../cli/azureRemover');
jest.mock('../../../cli/graphReader');
jest.mock('../../../cli/stackOutputs');
jest.mock('../../../cli/azureLists');
jest.mock('../../../cli/revoke/access');
jest.mock('../../../cli/azureTarget', () => ({ stackCloud: () => Promise.resolve({}) }));

const project = {
  'Pulumi.dev.yaml': `${stackText('dev', "{ name: orders, image: 'x:1', secrets: [a] }")}  aks-workload-identity:cells: [{ name: all, clusters: [aks-1] }]\n`,
  'Pulumi.dev-all.yaml': 'config: { aks-workload-identity:cellOf: dev }',
};
const out = jest.fn();
const before = process.exitCode;

beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockImplementation(out.mockReturnValue(true));
  jest.spyOn(process.stderr, 'write').mockImplementation(out);
});
afterEach(() => {
  showNotes(true);
  jest.restoreAllMocks();
  process.exitCode = before;
});

it('a revocation in a cell is one in its environment: in all cells, and in its stack file', async () => {
  const whole = { ...twoClusters(), environment: 'dev' };
  const cells = [{ name: 'all', stack: 'dev-all', wave: 1, clusters: ['aks-1'] }];
  jest
    .mocked(readStackOutputs)
    .mockImplementation(({ name }) =>
      Promise.resolve(name === 'x/y/dev' ? { ...whole, cells } : { ...whole, workloads: [], cell: 'all' }),
    );
  jest.mocked(accessOf).mockResolvedValue({ access: [], failures: [], notes: [] });
  jest.mocked(removeAccess).mockResolvedValue({ removed: [], failures: [] });
  await withProject(project, async (folder) => {
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    // As with --quiet.
    showNotes(false);
    await revokeCommand().parseAsync(
      ['--stack', 'x/y/dev-all', '--application', 'orders', '--reason', 'a test', '--yes'],
      { from: 'user' },
    );
  });

  const targets = jest.mocked(accessOf).mock.calls[0]?.[1] ?? [];
  expect(targets.flatMap(({ revoked }) => revoked.map(({ cluster }) => cluster))).toEqual(['aks-1', 'aks-2']);
  const shown = (out.mock.calls as unknown[][]).map(([text]) => String(text)).join('');
  expect(shown).toContain(
    'x/y/dev-all is a cell: the revocation is of its environment x/y/dev, with all cells.',
  );
  expect(shown).toContain('+      orders: a test');
  expect(shown).toContain('`npx aks-wi fleet up --stack x/y/dev` updates the stack');
});

it('of an unreadable cell is written into the stack file, and the rest is named', async () => {
  const cells = [{ name: 'all', stack: 'dev-all', wave: 1, clusters: ['aks-1'] }];
  const outputs = { ...twoClusters(), environment: 'dev', cells, workloads: [], isIncomplete: true };
  jest.mocked(readStackOutputs).mockResolvedValue(outputs);
  jest.mocked(accessOf).mockResolvedValue({ access: [], failures: [], notes: [] });
  jest.mocked(removeAccess).mockResolvedValue({ removed: [], failures: [] });
  out.mockClear();
  await withProject(project, async (folder) => {
    jest.spyOn(process, 'cwd').mockReturnValue(folder);
    await revokeCommand().parseAsync(
      ['--stack', 'dev', '--application', 'orders', '--reason', 'a test', '--yes'],
      { from: 'user' },
    );
  });

  const shown = (out.mock.calls as unknown[][]).map(([text]) => String(text)).join('');
  expect(shown).toContain('+      orders: a test');
  expect(shown).toContain('Run the command again when they can be read.');
});

it('the stack file of a cell stays as it is, also if it is named: that of the environment gets the entry', () =>
  withProject(project, (folder) => {
    const { change, failure } = markRevoked(
      folder,
      { stack: 'dev', stackFile: path.join(folder, 'Pulumi.dev-all.yaml'), reason: 'a test' },
      { kind: 'applications', name: 'orders' },
    );
    expect(failure).toBeUndefined();
    expect(change.file).toBe('Pulumi.dev.yaml');
    expect(change.newText).toContain('      orders: a test\n');
  }));
