/**
 * The example of docs/access-windows.md on a local cloud, with windows that are open and closed now: what the application
 * reads, what the reconciler in the cluster heals, what a person opens, and what the reconciler may not do. The tests are steps
 * of one story and run in order.
 */
import { roleAssignmentName, roleDefinitionId, type BuiltInRole } from '../../components/azure/roles';
import { all, type AzureClients } from '../support/azureClients';
import { localCloud, type Update } from '../support/localCloud';
import { far, near } from './support/days';
import { exampleFile } from './support/exampleFile';
import { checksOf, readStatus, signInAs, workloadOf, untilReconciled } from './support/workloads';

jest.setTimeout(15 * 60_000);

const stack = 'access-windows';
const cluster = 'aks-windows';
const vault = 'kv-wi-windows';
const example = exampleFile('access-windows');

const withDays = (text: string, days: readonly string[]) =>
  text
    .replaceAll('2027-01', '2099-01')
    .replace('    clusters: [aks-windows]\n', '    clusters: [aks-windows]\n    intervalSeconds: 5\n')
    .replace(/days: \[Monday.*\n.*from: '00:00'\n.*to: '01:00'\n/, `days: [${days.join(', ')}]\n`);
/** The warehouse is open now, the migration is not. */
const open = withDays(example, near);
const closed = withDays(example, far);

const cloud = localCloud('access-windows');
let first: Update;
let azure: AzureClients;

beforeAll(async () => {
  first = await cloud.up({ stack, yaml: open });
  azure = await cloud.azure();
});
afterAll(() => cloud.clean());

const workload = () => workloadOf(cloud, stack, 'reports');
const signIn = (clientId: string, namespace: string, serviceAccount: string) =>
  signInAs(cloud, azure, clientId, { cluster, namespace, serviceAccount });

async function read(secret: string): Promise<number> {
  const { identity, namespace, serviceAccount } = await workload();
  const credential = await signIn(identity.clientId, namespace, serviceAccount);
  return readStatus(azure, credential, { vault, secret });
}

async function scopeOf(secret: string): Promise<string> {
  return `${(await cloud.outputs(stack)).vaults[vault]?.id ?? ''}/secrets/${secret}`;
}

/** The assignment of the application on the secret. */
async function assignment(secret: string) {
  const [scope, { identity }] = [await scopeOf(secret), await workload()];
  const found = await all(azure.authorization().roleAssignments.listForScope(scope));
  return found.find(({ principalId }) => principalId === identity.principalId);
}

async function assign(secret: string, description: string): Promise<void> {
  const [scope, { identity }] = [await scopeOf(secret), await workload()];
  await azure
    .authorization()
    .roleAssignments.create(scope, roleAssignmentName(scope, identity.principalId, 'keyVaultSecretsUser'), {
      principalId: identity.principalId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: roleDefinitionId(scope, 'keyVaultSecretsUser'),
      description,
    });
}

async function log(): Promise<Record<string, string>[]> {
  const { core } = await cloud.kubernetes(cluster);
  const { items } = await core.listNamespacedPod({ namespace: 'access-windows' });
  const name = items[0]?.metadata?.name ?? '';
  const text = await core.readNamespacedPodLog({ name, namespace: 'access-windows' });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>);
}

const checks = () => checksOf(cloud, stack);

const row = (secret: string) => `reports: reads ${vault}/${secret} in its access windows only`;

describe('access windows', () => {
  it('are open, or closed, and verified as that', async () => {
    expect(first.output).toMatch(/\n[1-9]\d* checks passed, 0 failed/);
    expect(await read('reports-db')).toBe(200);
    expect(await read('warehouse-password')).toBe(200);
    expect(await read('migration-key')).toBe(403);
    expect(await read('payment-key')).toBe(403);

    const reported = await checks();
    expect(reported['access-windows: pods']).toBe('ok: 1 ready');
    expect(reported[row('warehouse-password')]).toMatch(/^ok: open until /);
    expect(reported[row('migration-key')]).toBe('ok: closed, does not open within 8 days');
    expect(reported[row('payment-key')]).toBe('ok: closed, opens on demand for up to 4h');
    expect(await log()).toContainEqual(
      expect.objectContaining({ event: 'opened', reader: `${cluster}/reports`, reason: 'its window' }),
    );
  });

  it('are no resources of the stack: a second up changes nothing, and a refresh finds no drift', async () => {
    const created = first.steps.summary.filter((step) => step.includes('RoleAssignment'));
    expect(created).toEqual([
      ...['migration-key', 'payment-key', 'warehouse-password'].map(
        (secret) => `create azure-native:authorization:RoleAssignment ${cluster}-windows/${vault}/${secret}`,
      ),
      `create azure-native:authorization:RoleAssignment ${vault}/${cluster}-reports/reports-db`,
    ]);
    expect(await cloud.changesOfSecondUpdate({ stack })).toEqual([]);
  });

  it('are opened again if somebody closes one, and closed if somebody opens one', async () => {
    const held = await assignment('warehouse-password');
    await azure.authorization().roleAssignments.deleteById(held?.id ?? '');
    await assign('migration-key', 'by hand');

    // Within seconds: what is between cannot be waited for.
    await untilReconciled(async () => {
      const now = await assignment('warehouse-password');
      return now?.createdOn !== undefined && now.createdOn.getTime() !== held?.createdOn?.getTime();
    });
    await untilReconciled(async () => (await assignment('migration-key')) === undefined);

    expect(await read('warehouse-password')).toBe(200);
    expect(await read('migration-key')).toBe(403);
    expect(await log()).toContainEqual(expect.objectContaining({ event: 'closed', was: 'by hand' }));
  });
});

describe('access on demand', () => {
  const grant = (...args: string[]) => [
    ...['grant', '--stack', stack, '--application', 'reports', '--secret', 'payment-key', '--yes'],
    ...args,
  ];

  it('is refused for longer than the stack file allows, and for other secrets', async () => {
    expect(await cloud.fail(...grant('--for', '5h', '--reason', 'x'))).toMatch(/--for is "5h".* up to 4h/);
    expect(
      await cloud.fail(
        ...grant('--for', '1m', '--reason', 'x').map((argument) =>
          argument.replace('payment-key', 'reports-db'),
        ),
      ),
    ).toMatch(/no secret that reports may read on demand "reports-db". It has: payment-key/);
    expect(await assignment('payment-key')).toBeUndefined();
  });

  it('is open until its end, which is shown, and is then closed', async () => {
    const output = await cloud.succeed(...grant('--for', '1m', '--reason', 'incident 42'));
    expect(output).toMatch(
      /reports may read payment-key until .*; to end it earlier: az role assignment delete /,
    );
    expect((await assignment('payment-key'))?.description).toMatch(/^until \S+Z; incident 42$/);
    expect(await read('payment-key')).toBe(200);
    expect((await checks())[row('payment-key')]).toMatch(/^ok: open on demand until \S+ \(incident 42\)/);

    await untilReconciled(async () => (await assignment('payment-key')) === undefined);
    expect(await read('payment-key')).toBe(403);
    expect(await log()).toContainEqual(
      expect.objectContaining({ event: 'closed', was: expect.stringMatching(/incident 42$/) as string }),
    );
  });
});

describe('the audit', () => {
  it('shows each opening and closing, and by whom', async () => {
    const { changes } = JSON.parse(await cloud.succeed('audit', '--stack', stack, '--changes', '--json')) as {
      changes: { change: string; secret?: string; by: string }[];
    };
    const reported = changes.map(({ change, secret, by }) => [change, secret, by]);
    const reconciler = `id-${stack}-${cluster}-windows`;
    expect(reported).toEqual(
      expect.arrayContaining([
        ['granted', 'warehouse-password', reconciler],
        ['removed', 'migration-key', reconciler],
        ['removed', 'payment-key', reconciler],
      ]),
    );
  });
});

describe('the reconciler', () => {
  it('can assign no other role, to no one else, and on nothing else', async () => {
    const [scope, { identity }] = [await scopeOf('payment-key'), await workload()];
    const { core } = await cloud.kubernetes(cluster);
    const account = await core.readNamespacedServiceAccount({
      name: 'access-windows',
      namespace: 'access-windows',
    });
    const clientId = account.metadata?.annotations?.['azure.workload.identity/client-id'] ?? '';
    const credential = await signIn(clientId, 'access-windows', 'access-windows');
    const { roleAssignments } = azure.authorization(credential);
    const create = (at: string, principalId: string, role: BuiltInRole) =>
      roleAssignments
        .create(at, roleAssignmentName(at, principalId, role), {
          ...{ principalId, principalType: 'ServicePrincipal' },
          roleDefinitionId: roleDefinitionId(at, role),
        })
        .then(
          () => 'done',
          (error: unknown) => (error as { code?: string }).code ?? '',
        );
    const own = (await cloud.outputs(stack)).clusters[cluster]?.identity.principalId ?? '';
    const { principalId } = identity;

    expect(await create(scope, principalId, 'keyVaultSecretsOfficer')).toBe('AuthorizationFailed');
    expect(await create(scope, own, 'keyVaultSecretsUser')).toBe('AuthorizationFailed');
    expect(await create(await scopeOf('reports-db'), principalId, 'keyVaultSecretsUser')).toBe(
      'AuthorizationFailed',
    );
    expect(await create(scope.replace(/\/secrets.*/, ''), principalId, 'keyVaultSecretsUser')).toBe(
      'AuthorizationFailed',
    );
    expect(await create(scope, principalId, 'keyVaultSecretsUser')).toBe('done');
    await expect(azure.secrets(vault, credential).getSecret('payment-key')).rejects.toMatchObject({
      statusCode: 403,
    });
    await untilReconciled(async () => (await assignment('payment-key')) === undefined);
  });

  it('closes what a new stack file closes, and the verification fails where it does not run', async () => {
    const { steps, output } = await cloud.up({ stack, yaml: closed });
    expect(output).toMatch(/ checks passed, 0 failed/);
    expect(steps.summary.some((step) => step.includes('RoleAssignment'))).toBe(false);
    expect(await read('warehouse-password')).toBe(403);

    const { apps } = await cloud.kubernetes(cluster);
    await apps.deleteNamespacedDeployment({ name: 'access-windows', namespace: 'access-windows' });
    await untilReconciled(async () =>
      /^failed: there are none/.test((await checks())['access-windows: pods'] ?? ''),
    );
    await assign('warehouse-password', 'by hand');
    expect((await checks())[row('warehouse-password')]).toMatch(
      /^failed: is closed, opens at .*, and can be read; is the pod in the namespace access-windows running\?; remove it: az role assignment delete /,
    );
    await cloud.succeed(
      'pulumi',
      '--stack',
      stack,
      'refresh',
      '--yes',
      '--skip-preview',
      '--non-interactive',
    );
    await cloud.deploy({ stack });
    expect(await read('warehouse-password')).toBe(403);
  });
});
