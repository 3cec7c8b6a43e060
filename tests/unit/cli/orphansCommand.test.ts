import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAzureReader } from '../../../cli/azureReader';
import { createGraphReader } from '../../../cli/graphReader';
import { orphansCommand } from '../../../cli/orphans/command';
import { runPulumi } from '../../../cli/pulumi';
import { UserError } from '../../../cli/userError';

// What mocks do not prove: that Graph refuses as they do; localcloud/tests/services/azure/graph.test.ts has its refusal.

jest.mock('../../../cli/azureReader');
jest.mock('../../../cli/graphReader', () => ({
  ...jest.requireActual<object>('../../../cli/graphReader'),
  createGraphReader: jest.fn(),
}));
jest.mock('../../../cli/azureTarget', () => ({
  ambientSubscription: () => Promise.resolve('s'),
  stackCloud: () => Promise.resolve({}),
}));
jest.mock('../../../cli/existingStacks', () => ({
  existingStacks: () => Promise.resolve(['prod', 'prod-c02']),
}));
jest.mock('../../../cli/pulumi', () => ({
  ...jest.requireActual<object>('../../../cli/pulumi'),
  runPulumi: jest.fn(),
}));

const list = jest.fn();
const listInEntra = jest.fn();
const out = jest.fn();
const err = jest.fn();
let folder = '';

/** `aks-wi orphans` of a stack with resources of these ids and this setting. */
function orphans(ids: readonly string[], hostedClusters?: object[], others: object[] = []): Promise<unknown> {
  const resources = [...others, ...ids.map((id) => ({ urn: 'urn:pulumi:prod::p::t::n', id }))];
  jest.mocked(runPulumi).mockResolvedValue(JSON.stringify({ deployment: { resources } }));
  const config = { 'aks-workload-identity:hostedClusters': hostedClusters };
  writeFileSync(path.join(folder, 'Pulumi.prod.yaml'), JSON.stringify({ config }));
  return orphansCommand().parseAsync(['--stack', 'prod', '--json'], { from: 'user' });
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'orphans-command-'));
  writeFileSync(path.join(folder, 'Pulumi.yaml'), '');
  jest.clearAllMocks();
  jest.spyOn(process, 'cwd').mockReturnValue(folder);
  jest.spyOn(process.stdout, 'write').mockImplementation(out.mockReturnValue(true));
  jest.spyOn(process.stderr, 'write').mockImplementation(err.mockReturnValue(true));
  jest.mocked(createAzureReader).mockReturnValue({ get: jest.fn(), list });
  jest.mocked(createGraphReader).mockReturnValue({ get: jest.fn(), list: listInEntra });
  list.mockResolvedValue([]);
  listInEntra.mockRejectedValue(new UserError('Graph refuses.'));
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('aks-wi orphans without the right to read Microsoft Graph', () => {
  it.each([
    ['no hosted clusters', undefined],
    ['hosted clusters without applications', [{ name: 'hc1', authentication: 'WorkloadIdentities' }]],
  ])('lists orphans in Azure, and notes the rest, with %s', async (_what, hostedClusters) => {
    await orphans(['/subscriptions/t/resourceGroups/rg'], hostedClusters);

    expect(JSON.parse(String((out.mock.calls as unknown[][])[0]?.[0]))).toEqual({
      orphans: [],
      notes: ['Applications', 'Groups'].map((what): unknown =>
        expect.stringMatching(`^${what} in Entra were not searched: Graph refuses\\.`),
      ),
    });
  });

  it.each([
    ['in the stack', ['/applications/22222222-2222-4222-8222-222222222222'], undefined],
    ['in the stack file', [], [{ name: 'hc1' }]],
  ])('fails with applications %s', async (_where, ids, hostedClusters) => {
    await expect(orphans(ids, hostedClusters)).rejects.toThrow('Graph refuses.');
    expect(out).not.toHaveBeenCalled();
  });
});

it('searches the subscriptions of the stack’s resources, and not those of applications', async () => {
  listInEntra.mockResolvedValue([]);
  await orphans(['/subscriptions/t/resourceGroups/rg', '/applications/o']);

  const asked = list.mock.calls.map(([at]: [string]) => at.split('/')[2]);
  expect([...new Set(asked)].sort()).toEqual(['s', 't']);
});

it.each([
  ['prod-c02', true],
  ['prod-c03', false],
])(
  'with the stack file of %s, which is none of its deployed cells, is refused if that exists: %s',
  async (name, isRefused) => {
    listInEntra.mockResolvedValue([]);
    const config = { 'aks-workload-identity:cellOf': 'prod' };
    writeFileSync(path.join(folder, `Pulumi.${name}.yaml`), JSON.stringify({ config }));
    const stackOutputs = {
      urn: 'urn:pulumi:prod::p::pulumi:pulumi:Stack::p-prod',
      type: 'pulumi:pulumi:Stack',
      outputs: { environment: 'prod' },
    };
    const listed = orphans(['/subscriptions/t/resourceGroups/rg'], undefined, [stackOutputs]);

    if (isRefused) {
      await expect(listed).rejects.toThrow('prod was last deployed without the cells of prod-c02');
      expect(list).not.toHaveBeenCalled();
    } else await expect(listed).resolves.toBeDefined();
  },
);
