/**
 * The example of docs/audit.md: an application reads its secret, and `aks-wi audit` says who read it, when and by which
 * assignment, from the table that the local cloud's vault writes; and that of docs/drift.md: `aks-wi drift` says what somebody
 * changed and added. It does not prove Azure's delay until a row or an event appears.
 *
 * The tests are steps of one story and run in order.
 */
import { randomUUID } from 'node:crypto';
import { parse, stringify } from 'yaml';
import { ADMINISTRATOR_OBJECT_ID } from '../../localcloud/identity';
import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import { localCloud } from '../support/localCloud';
import type { StackOutputs } from '../../stacks/outputs/outputs';
import { exampleFile } from './support/exampleFile';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('audit');
const stack = 'audit';
const yaml = exampleFile('audit');
const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';
const identityContributor = 'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59';
const vault = 'kv-wi-audit';
let azure: AzureClients;
let outputs: StackOutputs;

interface Read {
  operation: string;
  secret?: string;
  status: number;
  objectId: string;
  assignment: string;
  allowedBy: string;
  byVerification: boolean;
  times: number;
  first: string;
  last: string;
  signInCandidates?: { time: string; objectId: string; address: string; federatedCredential: string }[];
  reader?: { applications: string[]; cluster: string; identity: string };
}

const asked = async (...args: string[]) =>
  JSON.parse(await cloud.succeed('audit', '--stack', stack, '--json', ...args)) as {
    reads: Read[];
    notes: string[];
  };
const unused = async (...args: string[]) =>
  JSON.parse(await cloud.succeed('audit', '--stack', stack, '--unused', '--json', ...args)) as {
    unused: { applications: string[]; vault: string; secret: string; lastRead?: string }[];
    notes: string[];
  };
const principalOf = (application: string) =>
  outputs.workloads.find((workload) => workload.application === application)?.identity.principalId;

beforeAll(async () => {
  await cloud.up({ stack, yaml });
  azure = await cloud.azure();
  outputs = await cloud.outputs(stack);
});
afterAll(() => cloud.clean());

it('names the workspace in the outputs, and has every vault send its log to the dedicated table', async () => {
  expect(outputs.logWorkspace).toMatch(/\/workspaces\/log-wi-audit$/);
  const path = `${outputs.vaults[vault]?.id ?? ''}/providers/Microsoft.Insights/diagnosticSettings`;
  expect((await azure.request('GET', `${path}?api-version=2021-05-01-preview`)).body).toMatchObject({
    value: [{ properties: { logAnalyticsDestinationType: 'Dedicated', workspaceId: outputs.logWorkspace } }],
  });
});

it('shows who read a secret, when, and by which assignment', async () => {
  const { reads } = await asked('--secret', 'orders-db', '--application', 'orders');
  const scope = `${outputs.vaults[vault]?.id ?? ''}/secrets/orders-db`;
  const assignments = await all(azure.authorization().roleAssignments.listForScope(scope));
  const granted = assignments.find(({ principalId }) => principalId === principalOf('orders'));
  const read = reads.find(({ byVerification, status }) => !byVerification && status === 200);
  expect(read).toMatchObject({
    ...{ operation: 'SecretGet', secret: 'orders-db', allowedBy: 'grant of the stack' },
    objectId: principalOf('orders'),
    assignment: granted?.name,
    reader: { applications: ['orders'], cluster: 'aks-audit', identity: 'id-audit-aks-audit-orders' },
  });
  expect(Date.parse(read?.last ?? '')).toBeGreaterThanOrEqual(Date.parse(read?.first ?? ''));
  expect(reads.every(({ objectId }) => objectId === principalOf('orders'))).toBe(true);
  const table = await cloud.succeed('audit', '--stack', stack, '--secret', 'orders-db');
  expect(table).toMatch(/│ grant/);
  expect(table).not.toContain('not of the stack');
});

it('shows what the verification tried as the verification’s, and its refused reads as refused', async () => {
  const without = await asked('--application', 'billing');
  expect(without.reads).toEqual([]);
  expect(without.notes.join()).toMatch(/[1-9]\d* requests .* are left out.*--verification shows them/);
  const { reads } = await asked('--application', 'billing', '--verification');
  expect(reads.every(({ byVerification }) => byVerification)).toBe(true);
  expect(reads.map(({ secret, status, allowedBy }) => ({ secret, status, allowedBy }))).toEqual(
    expect.arrayContaining([
      { secret: 'billing-db', status: 200, allowedBy: 'grant of the stack' },
      { secret: 'orders-db', status: 403, allowedBy: '' },
    ]),
  );
});

it('lists only the grant that was not used', async () => {
  const found = await unused();
  expect(found.unused).toMatchObject([{ applications: ['billing'], vault, secret: 'billing-db' }]);
  expect(found.unused).toHaveLength(1);
  // The vault is not older.
  expect(found.notes.join()).toMatch(/The log of vault kv-wi-audit begins on/);
  expect((await unused('--application', 'orders')).unused).toEqual([]);
  const table = await cloud.succeed('audit', '--stack', stack, '--unused');
  expect(table).toContain('of billing');
});

/** An application of the directory that the stack does not know. */
async function stranger() {
  const graph = azure.graph();
  type Made = { id: string; appId: string };
  const created = (await graph.api('/applications').post({ displayName: 'stranger' })) as Made;
  const { id: objectId } = (await graph.api('/servicePrincipals').post({ appId: created.appId })) as Made;
  const path = `/applications/${created.id}/addPassword`;
  const { secretText } = (await graph.api(path).post({})) as { secretText: string };
  return { objectId, credential: azure.secretCredential(created.appId, secretText) };
}

it('marks a reader outside the stack, also a refused one', async () => {
  const { objectId, credential } = await stranger();
  const read = () => azure.secrets(vault, credential).getSecret('orders-db');
  await expect(read()).rejects.toMatchObject({ statusCode: 403 });
  const { roleAssignments } = azure.authorization();
  const assignment = await roleAssignments.create(outputs.vaults[vault]?.id ?? '', randomUUID(), {
    principalId: objectId,
    principalType: 'ServicePrincipal',
    roleDefinitionId: `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${secretsUser}`,
  });
  await read();
  // The administrator of the local cloud may read everything.
  await azure.secrets(vault).getSecret('orders-db');

  const { reads } = await asked('--secret', `${vault}/orders-db`);
  const foreign = reads.filter(({ reader }) => reader === undefined);
  expect(reads.slice(0, foreign.length)).toEqual(foreign);
  expect(
    foreign.map((foreignRead) => ({ status: foreignRead.status, allowedBy: foreignRead.allowedBy })),
  ).toEqual([
    { status: 200, allowedBy: 'Key Vault Administrator on the subscription' },
    { status: 200, allowedBy: `Key Vault Secrets User on vault ${vault}` },
    { status: 403, allowedBy: '' },
  ]);
  const theirs = await asked('--identity', objectId);
  expect(theirs.reads).toHaveLength(2);
  expect(theirs.reads.every((reading) => reading.objectId === objectId)).toBe(true);
  const table = await cloud.succeed('audit', '--stack', stack);
  expect(table).toContain(`✗ 2 readers are not of stack ${stack}.`);
  expect(table).toMatch(/403\s+refused/);

  await roleAssignments.deleteById(assignment.id ?? '');
  const later = (await asked('--identity', objectId)).reads.map((reading) => reading.allowedBy);
  expect(later).toContain(`assignment ${assignment.name ?? ''}, which no longer exists`);
});

it('shows who granted and removed access, within the stack and outside', async () => {
  const changesOf = async (...args: string[]) => {
    const text = await cloud.succeed('audit', '--stack', stack, '--changes', '--json', ...args);
    return (JSON.parse(text) as { changes: Record<string, unknown>[] }).changes;
  };
  const changes = await changesOf();
  const administrator = { by: ADMINISTRATOR_OBJECT_ID };
  const [removed, granted, ...older] = changes;
  expect([removed, granted]).toMatchObject(
    ['removed', 'granted'].map((change) => ({
      ...{ change, vault, assignment: removed?.['assignment'], roleName: 'Key Vault Secrets User' },
      ...{ principalId: removed?.['principalId'], ...administrator },
    })),
  );
  expect(removed).not.toHaveProperty('secret');
  expect(older).toEqual(older.filter(({ change }) => change === 'granted'));
  expect(await changesOf('--application', 'orders')).toMatchObject([
    {
      ...{ change: 'granted', secret: 'orders-db', principalId: principalOf('orders') },
      ...{ holder: 'orders on aks-audit (id-audit-aks-audit-orders)', ...administrator },
    },
  ]);
  const table = await cloud.succeed('audit', '--stack', stack, '--changes', '--secret', 'orders-db');
  expect(table).toMatch(/removed[^]*granted[^]*orders on/);
  expect(await cloud.fail('audit', '--stack', stack, '--changes', '--since', '91d')).toContain(
    'Azure keeps the activity log for 90 days.',
  );
});

it('says which tables of sign-ins the workspace does not have, as of most tenants', async () => {
  const { reads, notes } = await asked('--application', 'orders', '--sign-ins');
  expect(reads).toMatchObject(reads.map(() => ({ signInCandidates: [] })));
  expect(notes.join()).toMatch(
    /no table AADManagedIdentitySignInLogs.*no table AADServicePrincipalSignInLogs/s,
  );
});

it('shows the sign-ins that a request may belong to, once the directory sends them to the workspace', async () => {
  const setting = '/providers/microsoft.aadiam/diagnosticSettings/sign-ins?api-version=2017-04-01';
  const logs = ['ManagedIdentitySignInLogs', 'ServicePrincipalSignInLogs'].map((category) => ({
    ...{ category, enabled: true },
  }));
  const properties = { workspaceId: outputs.logWorkspace, logs };
  expect((await azure.request('PUT', setting, { properties })).status).toBe(200);
  // It signs in as the applications and reads.
  expect((await cloud.verify(stack)).code).toBe(0);

  const { reads } = await asked(
    '--application',
    'orders',
    '--secret',
    'orders-db',
    '--sign-ins',
    '--verification',
  );
  const verified = reads.find(({ byVerification }) => byVerification);
  const [candidate] = verified?.signInCandidates ?? [];
  expect(candidate).toMatchObject({ objectId: principalOf('orders'), address: '127.0.0.1' });
  expect(candidate?.federatedCredential).not.toBe('');
  expect(Date.parse(candidate?.time ?? '')).toBeLessThanOrEqual(Date.parse(verified?.last ?? ''));
  const table = await cloud.succeed('audit', '--stack', stack, '--application', 'orders', '--sign-ins');
  expect(table).toContain('candidates: Key Vault does not log the token');
});

it('refuses what it cannot answer, all at once and with a hint', async () => {
  const wrong = await cloud.fail('audit', '--stack', stack, '--secret', 'order-db', '--cluster', 'aks-x');
  expect(wrong).toContain('error: --secret is "order-db". Did you mean orders-db?');
  expect(wrong).toContain('--cluster is "aks-x". ');
  expect(wrong).toContain('→ Correct the option, or remove it.');
  expect(await cloud.fail('audit', '--stack', stack, '--since', 'yesterday')).toContain(
    'Expected a duration such as 30m, 12h or 7d',
  );
});

describe('what is changed behind the back of the stack', () => {
  const drift = async (...args: string[]) => cloud.command('drift', '--stack', stack, ...args);
  const exported = async () => JSON.parse(await cloud.pulumi({ stack }, 'stack', 'export')) as unknown;
  const owner = 'id-audit-aks-audit-orders';
  const credential = 'added-by-hand';
  let removals: string[] = [];

  it('is nothing after an update: exit code 0', async () => {
    const { code, stdout } = await drift();
    expect(stdout).toBe(`Stack ${stack} has no drift.\n`);
    expect(code).toBe(0);
  });

  it('is reported with who did it and the hint, with exit code 2, and nothing is written', async () => {
    const [, , , , group = ''] = outputs.vaults[vault]?.id.split('/') ?? [];
    const tags = { 'pulumi-stack': `aks-workload-identity/${stack}`, owner: 'somebody' };
    await azure.vaults().vaults.update(group, vault, { tags });
    const { roleAssignments } = azure.authorization();
    const billing = `${outputs.vaults[vault]?.id ?? ''}/secrets/billing-db`;
    const [lost] = (await all(roleAssignments.listForScope(billing))).filter(
      ({ principalId }) => principalId === principalOf('billing'),
    );
    await roleAssignments.deleteById(lost?.id ?? '');
    const identity = outputs.identities.find(({ name }) => name === owner)?.id ?? '';
    const thief = await stranger();
    const subscription = `/subscriptions/${azure.subscriptionId}`;
    await roleAssignments.create(identity, randomUUID(), {
      ...{ principalId: thief.objectId, principalType: 'ServicePrincipal' },
      roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${identityContributor}`,
    });
    const { federatedIdentityCredentials } = azure.identities(thief.credential);
    const { length } = await all(azure.identities().federatedIdentityCredentials.list(group, owner));
    expect(length).toBe(1);
    await federatedIdentityCredentials.createOrUpdate(group, owner, credential, {
      issuer: 'https://elsewhere.example',
      subject: 'system:serviceaccount:thief:thief',
      audiences: ['api://AzureADTokenExchange'],
    });
    const { core } = await cloud.kubernetes('aks-audit');
    await core.deleteNamespacedServiceAccount({ name: 'billing', namespace: 'billing' });
    const before = await exported();

    const { code, stdout } = await drift('--json');

    expect(code).toBe(2);
    const found = (JSON.parse(stdout) as { drift: Record<string, unknown>[]; notes: string[] }).drift;
    const by = (name: string) => ({ by: name, time: expect.stringMatching(/^20/) as unknown });
    const sorted = [...found].sort((one, other) =>
      `${String(one['change'])} ${String(one['type'])}`.localeCompare(
        `${String(other['change'])} ${String(other['type'])}`,
      ),
    );
    expect(sorted).toMatchObject([
      { change: 'added', on: owner, author: by(thief.objectId) },
      { change: 'added', on: owner, author: by(ADMINISTRATOR_OBJECT_ID) },
      {
        ...{ change: 'changed', type: 'azure-native:keyvault:Vault', name: vault },
        differences: [{ path: 'tags.owner', is: 'somebody' }],
        author: by(ADMINISTRATOR_OBJECT_ID),
      },
      {
        ...{ change: 'deleted', type: 'azure-native:authorization:RoleAssignment', id: lost?.id },
        author: by(ADMINISTRATOR_OBJECT_ID),
      },
      { change: 'deleted', type: 'kubernetes:core/v1:ServiceAccount', id: 'billing/billing' },
    ]);
    expect(sorted.at(-1)).not.toHaveProperty('author');
    removals = found.flatMap(({ removal }) => (typeof removal === 'string' ? [removal] : []));
    expect(removals.sort()).toEqual([
      expect.stringMatching(`^az identity federated-credential delete .* --name ${credential}$`),
      expect.stringMatching(`^az role assignment delete --ids ${identity}/`),
    ]);
    const text = await drift();
    expect(text.code).toBe(2);
    expect(text.stdout).toContain('tags.owner: not set → somebody');
    expect(text.stdout).toContain('has drift: 1 changed, 2 deleted, 2 added.');
    expect(text.stdout).toContain(`→ \`npx aks-wi pulumi --stack ${stack} up --refresh\` restores`);
    expect((await drift('--markdown')).stdout).toContain('- **changed** `azure-native:keyvault:Vault');
    expect(await exported()).toEqual(before);
  });

  it('is gone after the update and the commands that the report names', async () => {
    await cloud.pulumi({ stack }, 'up', '--refresh', '--yes', '--skip-preview');
    const [, group = ''] = / --resource-group (\S+) /.exec(removals[0] ?? '') ?? [];
    await azure.identities().federatedIdentityCredentials.delete(group, owner, credential);
    const [, assignment = ''] = / --ids (\S+)$/.exec(removals[1] ?? '') ?? [];
    await azure.authorization().roleAssignments.deleteById(assignment);

    const { code, stdout } = await drift();
    expect(stdout).toBe(`Stack ${stack} has no drift.\n`);
    expect(code).toBe(0);
  });

  it('is an error, with exit code 1, for an unknown stack', async () => {
    const { code, stderr } = await cloud.command('drift', '--stack', 'absent', '--local');
    expect(stderr).toContain('error: ');
    expect(code).toBe(1);
  });
});

it('says how to get a log where there is none', async () => {
  const { config } = parse(yaml) as { config: Record<string, unknown> };
  delete config['aks-workload-identity:logs'];
  await cloud.deploy({ stack, yaml: stringify({ config }) });

  const output = await cloud.fail('audit', '--stack', stack);
  expect(output).toContain('error: Stack audit does not send the audit logs of its vaults to a workspace.');
  expect(output).toContain('→ Set `logs: { workspace: { name: … } }` in Pulumi.audit.yaml');
  // The activity log is there without it.
  expect(await cloud.succeed('audit', '--stack', stack, '--changes')).toContain('granted');
});
