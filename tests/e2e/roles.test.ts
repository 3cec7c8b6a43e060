/**
 * The example of docs/roles.md on a local cloud, with a data store that is there before: which application reads its blobs, at
 * all times, in a window and on demand, which is refused, and what the verification says of assignments that others make and
 * remove. The tests are steps of one story and run in order.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { TokenCredential } from '@azure/identity';
import { builtInRoles, roleDefinitionId, type BuiltInRole } from '../../components/azure/roles';
import { blobServiceClient } from '../../localcloud/tests/support/blobServiceClient';
import type { Access } from '../../stacks/access/reach';
import { all, type AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud, type Update } from '../support/localCloud';
import { far, near } from './support/days';
import { exampleFile } from './support/exampleFile';
import { makePrerequisites } from './support/documentedSteps';
import { checksOf, signInAs, workloadOf, untilReconciled } from './support/workloads';

jest.setTimeout(15 * 60_000);

const stack = 'roles';
const cluster = 'aks-roles';
const group = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-data-store';
const account = `${group}/providers/Microsoft.Storage/storageAccounts/stdatastore`;
const container = `${account}/blobServices/default/containers/reports`;
const example = exampleFile('roles');

const withDays = (days: readonly string[]) =>
  example
    .replace(/days: \[Monday.*\n.*from: '00:00'\n.*to: '01:00'\n/, `days: [${days.join(', ')}]\n`)
    .replace(
      '  aks-workload-identity:groups:',
      `  aks-workload-identity:accessWindows:\n    clusters: [${cluster}]\n    intervalSeconds: 5\n  aks-workload-identity:groups:`,
    );

const cloud = localCloud('roles');
let first: Update;
let azure: AzureClients;

beforeAll(async () => {
  await cloud.start();
  azure = await cloud.azure();
  await makePrerequisites(cloud, 'roles');
  await azure.grant(account, builtInRoles.storageBlobDataContributor);
  const store = blobs(azure.credential);
  for (const name of ['reports', 'orders']) {
    await store.getContainerClient(name).create();
    await store.getContainerClient(name).getBlockBlobClient('today').upload(name, name.length);
  }
  first = await cloud.up({ stack, yaml: withDays(near) });
});
afterAll(() => cloud.clean());

const blobs = (credential: TokenCredential) =>
  blobServiceClient('stdatastore', credential, azure.clientOptions());

const workload = (application: string) => workloadOf(cloud, stack, application);
const signIn = (clientId: string, namespace: string, serviceAccount: string) =>
  signInAs(cloud, azure, clientId, { cluster, namespace, serviceAccount });

async function credentialOf(application: string): Promise<TokenCredential> {
  const { identity, namespace, serviceAccount } = await workload(application);
  return signIn(identity.clientId, namespace, serviceAccount);
}

/** What the application reads of a container, or the status of the refusal. */
async function read(application: string, name: string): Promise<string | number> {
  const client = blobs(await credentialOf(application))
    .getContainerClient(name)
    .getBlobClient('today');
  return client.download().then(
    ({ readableStreamBody: body }) => (body === undefined ? '' : text(body)),
    (error: unknown) => (error as { statusCode?: number }).statusCode ?? 0,
  );
}

async function write(application: string, name: string): Promise<number> {
  const client = blobs(await credentialOf(application))
    .getContainerClient(name)
    .getBlockBlobClient('new');
  return client.upload('x', 1).then(
    () => 201,
    (error: unknown) => (error as { statusCode?: number }).statusCode ?? 0,
  );
}

async function assignmentsOf(application: string, scope: string) {
  const { identity } = await workload(application);
  const found = await all(azure.authorization().roleAssignments.listForScope(scope));
  return found.filter(
    (assignment) => assignment.principalId === identity.principalId && assignment.scope === scope,
  );
}

const checks = () => checksOf(cloud, stack);

const ofReports = `reports: has Storage Blob Data Reader on ${container}`;
const ofFrontEnd = (role: string) => `front-end: has ${role} on ${account} in its access windows only`;

describe('roles', () => {
  it('open exactly what they are on, to exactly those who have them', async () => {
    expect(first.output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    expect(first.output).toContain(`inventory has the role Reader on the resource group ${group}`);
    expect(await read('reports', 'reports')).toBe('reports');
    expect(await read('reports', 'orders')).toBe(403);
    expect(await write('reports', 'reports')).toBe(403);
    expect(await read('inventory', 'reports')).toBe(403);
    const inventory = azure.resources(await credentialOf('inventory'));
    expect((await inventory.resourceGroups.get('rg-data-store')).id).toBe(group);
    await expect(
      azure.resources(await credentialOf('reports')).resourceGroups.get('rg-data-store'),
    ).rejects.toMatchObject({ statusCode: 403 });
  });

  it('are assigned once, with the names of their scope, role and identity, and change no more', async () => {
    const [assignment] = await assignmentsOf('reports', container);
    expect(assignment?.roleDefinitionId).toMatch(/2a2b9908-6ea1-4ae2-8e65-a410df84e7d1$/);
    expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
  });

  it('are shown by who has them and why', async () => {
    const access = JSON.parse(
      await cloud.succeed('access', '--stack', stack, '--deployed', '--json'),
    ) as Access;
    const readers = ['front-end', 'inventory', 'reports'];
    const shown = access.identities.flatMap(({ subjects, targets }) =>
      targets.flatMap(({ text, because }) =>
        subjects
          .filter(({ text: account }) => readers.some((reader) => account === `${reader}/${reader}`))
          .map((subject) => [subject.text.split('/')[0], text.replace(/^.* on /, ''), because]),
      ),
    );
    const own = (scope: string) => scope.replace(/^\/subscriptions\/[^/]+/, '/subscriptions/{subscription}');
    expect(shown).toEqual(
      expect.arrayContaining([
        ['front-end', own(account), `granted on ${near.join(', ')} Europe/Berlin`],
        ['front-end', own(account), 'granted on demand for up to 1h'],
        ['inventory', own(account), expect.stringMatching(/^member of group .*queue-readers/)],
        ['inventory', own(group), 'granted'],
        ['reports', own(container), 'granted'],
      ]),
    );
  });

  it('that others add are found, and those that they remove', async () => {
    const { identity } = await workload('reports');
    const id = `${account}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;
    await azure.authorization().roleAssignments.createById(id, {
      ...{ principalId: identity.principalId, principalType: 'ServicePrincipal' },
      roleDefinitionId: roleDefinitionId(account, 'storageBlobDataContributor'),
    });
    expect((await checks())[`${identity.name}: has only the grants of the stack`]).toMatch(
      /^failed: .* has the role Storage Blob Data Contributor on .*stdatastore, which this stack did not assign; remove it: az role/,
    );
    await azure.authorization().roleAssignments.deleteById(id);

    const [held] = await assignmentsOf('reports', container);
    await azure.authorization().roleAssignments.deleteById(held?.id ?? '');
    expect(await read('reports', 'reports')).toBe(403);
    expect((await checks())[ofReports]).toBe(
      `failed: is not assigned; \`npx aks-wi pulumi --stack ${stack} up --refresh\` assigns it again`,
    );
    await cloud.pulumi({ stack }, 'up', '--refresh', '--yes', '--skip-preview');
    expect(await read('reports', 'reports')).toBe('reports');
    expect((await checks())[ofReports]).toBe('ok: assigned');
  });
});

describe('roles at times', () => {
  it('are there in their window, and opened on demand', async () => {
    await untilReconciled(async () => (await read('front-end', 'orders')) === 'orders');
    expect(await write('front-end', 'orders')).toBe(403);
    const reported = await checks();
    expect(reported[ofFrontEnd('Storage Blob Data Reader')]).toMatch(/^ok: open until /);
    expect(reported[ofFrontEnd('Storage Blob Data Contributor')]).toBe(
      'ok: closed, opens on demand for up to 1h',
    );

    const request = [
      'grant',
      '--stack',
      stack,
      '--application',
      'front-end',
      '--reason',
      'incident 42',
      '--yes',
    ];
    const role = ['--role', 'Storage Blob Data Contributor'];
    expect(await cloud.fail(...request, ...role, '--for', '2h')).toMatch(/--for is "2h".* up to 1h/);
    expect(await cloud.fail(...request, '--role', 'Owner', '--for', '1m')).toMatch(
      /no role that front-end may have on demand "Owner". It has: Storage Blob Data Contributor/,
    );
    await cloud.succeed(...request, ...role, '--for', '1m');
    expect(await write('front-end', 'orders')).toBe(201);
    await untilReconciled(async () => (await write('front-end', 'orders')) === 403);
    expect(await read('front-end', 'orders')).toBe('orders');
  });

  it('are assigned by an identity that can assign nothing else there: no other role, and to no one else', async () => {
    const { core } = await cloud.kubernetes(cluster);
    const place = { name: 'access-windows', namespace: 'access-windows' };
    const { metadata } = await core.readNamespacedServiceAccount(place);
    const clientId = metadata?.annotations?.['azure.workload.identity/client-id'] ?? '';
    const credential = await signIn(clientId, place.namespace, place.name);
    const frontEnd = (await workload('front-end')).identity.principalId;
    const reports = (await workload('reports')).identity.principalId;
    const create = (at: string, principalId: string, role: BuiltInRole) =>
      azure
        .authorization(credential)
        .roleAssignments.create(at, randomUUID(), {
          ...{ principalId, principalType: 'ServicePrincipal' },
          roleDefinitionId: roleDefinitionId(at, role),
        })
        .then(
          () => 'done',
          (error: unknown) => (error as { code?: string }).code ?? '',
        );

    expect(await create(account, frontEnd, 'storageAccountContributor')).toBe('AuthorizationFailed');
    expect(await create(account, reports, 'storageBlobDataContributor')).toBe('AuthorizationFailed');
    expect(await create(group, frontEnd, 'storageBlobDataContributor')).toBe('AuthorizationFailed');
    expect(await create(account, frontEnd, 'storageBlobDataContributor')).toBe('done');
    await untilReconciled(async () => (await write('front-end', 'orders')) === 403);
  });

  it('are refused before anything is written if Azure does not have them', async () => {
    const unknown = example.replace('role: Reader', 'role: ffffffff-0000-4000-8000-000000000001');
    expect(await cloud.refusedUp({ stack, yaml: unknown })).toMatch(
      /applications\[2\]\.roles\[0\]\.role: "ffffffff-\S+" is not the id of a role that can be assigned at this scope\./,
    );
    expect(await read('reports', 'reports')).toBe('reports');
  });

  it('are closed by a new stack file', async () => {
    const { output } = await cloud.up({ stack, yaml: withDays(far) });
    expect(output).toMatch(/ checks passed, 0 failed/);
    expect(await read('front-end', 'orders')).toBe(403);
    expect((await checks())[ofFrontEnd('Storage Blob Data Reader')]).toMatch(/^ok: closed/);
  });
});

describe('roles of an application that is revoked', () => {
  it('are removed at once', async () => {
    const revoke = [
      'revoke',
      '--stack',
      stack,
      '--local',
      '--application',
      'reports',
      '--reason',
      'test',
      '--yes',
    ];
    // A token that it has already, which it could use until it ends.
    const token = await (await credentialOf('reports')).getToken('https://storage.azure.com/.default');
    const credential = { getToken: () => Promise.resolve(token) };
    const file = path.join(cloud.state, `Pulumi.${stack}.yaml`);
    const output = await cloud.succeed(...revoke, '--stack-file', file);
    expect(output).toContain(container);
    expect(await assignmentsOf('reports', container)).toEqual([]);
    const client = blobs(credential).getContainerClient('reports').getBlobClient('today');
    await expect(client.download()).rejects.toMatchObject({ statusCode: 403 });
    expect((await cloud.up({ stack, file: path.relative(projectRoot, file) })).output).toMatch(
      / checks passed, 0 failed/,
    );
  });
});
