import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readService } from '../../../cli/azureReader';
import { driftCommand } from '../../../cli/drift/command';
import { runPulumi } from '../../../cli/pulumi';
import { readStackOutputs } from '../../../cli/stackOutputs';
import { listsIn } from '../../../cli/azureLists';
import type { FederatedCredential } from '../../../verification/access';
import { identity, twoClusters } from '../verification/outputs.fixture';

// What mocks do not prove: what the engine and Azure answer; tests/e2e/audit.test.ts asks those of the local cloud.

jest.mock('../../../cli/azureReader');
jest.mock('../../../cli/graphReader');
jest.mock('../../../cli/stackOutputs');
jest.mock('../../../cli/azureLists');
jest.mock('../../../cli/azureTarget', () => ({ stackCloud: () => Promise.resolve({}) }));
jest.mock('../../../cli/pulumi', () => ({
  ...jest.requireActual<object>('../../../cli/pulumi'),
  runPulumi: jest.fn(),
}));

const { id, name: identityName } = identity('id-aks-1');
const credentialId = `${id}/federatedIdentityCredentials/added`;
const added: FederatedCredential = {
  ...{ name: 'added', issuer: 'https://elsewhere.example', subject: 'thief', audiences: [] },
};
const out = jest.fn();
let folder = '';

interface Printed {
  drift: { change: string; type?: string; on?: string; hint?: string; author?: { by: string } }[];
  notes: string[];
  hint?: string;
}

/** `aks-wi drift` of a stack whose identity trusts these, and whose refresh has these steps; and its exit code. */
async function drift(
  credentials: readonly FederatedCredential[],
  steps: readonly { op: string; type: string; id: string; diff?: object }[],
  ...args: string[]
): Promise<{ code: unknown; text: string }> {
  const outputs = twoClusters();
  outputs.identities = [{ cluster: 'aks-1', name: identityName, id, trusts: [] }];
  jest.mocked(readStackOutputs).mockResolvedValue(outputs);
  jest.mocked(listsIn).mockReturnValue({
    listCredentials: () => Promise.resolve([...credentials]),
    listAssignments: () => Promise.resolve([]),
    listPrincipals: () => Promise.resolve(new Map()),
    readVault: () => Promise.reject(new Error('no answer')),
  } as never);
  const printed = steps.map(({ op, type, id: its, diff }) => ({
    ...{ op, urn: `urn:pulumi:dev::p::${type}::n`, detailedDiff: diff },
    oldState: { id: its },
  }));
  jest.mocked(runPulumi).mockResolvedValue(JSON.stringify({ steps: printed, deployment: {} }));
  const before = process.exitCode;
  try {
    await driftCommand().parseAsync(['--stack', 'dev', ...args], { from: 'user' });
    return { code: process.exitCode ?? 0, text: String((out.mock.calls as unknown[][])[0]?.[0]) };
  } finally {
    process.exitCode = before;
  }
}
const reportOf = async (...args: Parameters<typeof drift>) =>
  JSON.parse((await drift(...args, '--json')).text) as Printed;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'drift-command-'));
  writeFileSync(path.join(folder, 'Pulumi.yaml'), '');
  jest.clearAllMocks();
  jest.spyOn(process, 'cwd').mockReturnValue(folder);
  jest.spyOn(process.stdout, 'write').mockImplementation(out.mockReturnValue(true));
  const value = [
    {
      ...{ eventTimestamp: '2027-01-01T00:00:00Z', resourceId: credentialId, caller: 'dana@example.com' },
      ...{ operationName: { value: 'x/write' }, status: { value: 'Succeeded' } },
    },
  ];
  jest
    .mocked(readService)
    .mockReturnValue({ endpoint: 'https://arm', read: () => Promise.resolve({ value }), write: jest.fn() });
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('aks-wi drift', () => {
  it('ends with 0 where there is none, and says what could not be listed', async () => {
    const { code, text } = await drift([], []);

    expect(code).toBe(0);
    expect(text).toMatch(
      /^Stack dev has no drift\.\n\n.* Grants of others could not be listed in .*no answer/,
    );
  });

  it('ends with 2 where others granted access, with who did it, and without the hint for the stack’s own', async () => {
    expect((await drift([added], [])).code).toBe(2);
    out.mockClear();
    const report = await reportOf([added], []);
    expect(report.drift).toMatchObject([
      { change: 'added', on: identityName, author: { by: 'dana@example.com' } },
    ]);
    expect(report).not.toHaveProperty('hint');
  });

  it('asks the engine for a preview, and ends with 2 where the stack’s own was changed', async () => {
    const steps = [{ op: 'update', type: 'a:b:C', id: 'x', diff: { tags: { inputDiff: true } } }];
    expect((await drift([], steps, '--file', 'other.yaml')).code).toBe(2);
    expect(jest.mocked(runPulumi).mock.calls.map(([, args]) => args)).toEqual([
      ['refresh', '--preview-only', '--json', '--config-file', 'other.yaml'],
      ['stack', 'export'],
    ]);
  });

  it('names a credential of the stack that was changed once', async () => {
    const type = 'azure-native:managedidentity:FederatedIdentityCredential';
    const step = { op: 'update', type, id: credentialId.toUpperCase(), diff: { subject: {} } };
    const { drift: found } = await reportOf([added], [step]);
    expect(found.map(({ change }) => change)).toEqual(['changed']);
  });

  it.each([
    [
      'azure-native:keyvault:Secret',
      '/subscriptions/s/x/vaults/kv/secrets/db',
      'az keyvault secret recover --vault-name kv --name db (needs Key Vault Secrets Officer on the vault, which deploying does not)',
    ],
    ['azure-native:keyvault:Vault', '/subscriptions/s/x/vaults/kv', 'az keyvault recover --name kv'],
  ])('says how to recover what Azure keeps: %s', async (type, its, command) => {
    const { drift: found, hint } = await reportOf([], [{ op: 'delete', type, id: its }]);
    expect(found).toMatchObject([{ hint: `while it can be recovered: ${command}` }]);
    expect(hint).toMatch(/^`pulumi up --refresh --stack dev` restores/);
  });

  it('refuses two forms at once', async () => {
    const command = driftCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    const both = ['--stack', 'dev', '--json', '--markdown'];
    await expect(command.parseAsync(both, { from: 'user' })).rejects.toThrow('cannot be used with');
  });
});
