/**
 * The whole system as a user runs it: `aks-wi up` with an empty state folder, and everything that must hold
 * afterwards. It proves the parts together: the real engine, API servers, charts and vendors' clients, with the
 * local Azure. It does not prove Azure itself.
 *
 * The tests are steps of one story and run in order: each needs the state of the one before.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { parse } from 'yaml';

import { all } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { until, Miss } from '../localcloud/kubernetes/support/client';
import { localCloud, resourceCounts } from '../support/localCloud';
import { allListeningSockets, listeningSockets, processesOf } from '../support/processes';

jest.setTimeout(15 * 60_000);

const cloud = localCloud('e2e');
const { state } = cloud;
const command = cloud.command.bind(cloud);
const succeed = cloud.succeed.bind(cloud);
const verify = () => cloud.verify();

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return entry.isFile() && statSync(file).size < 64 * 1024 * 1024 ? [file] : [];
  });
}

/** A check of an identity or a vault, and not of a workload. */
const isOfAzure = ({ check }: { readonly check: string }): boolean => /^(trusts|has) only/.test(check);

const placeOf = ({ cluster, application }: { readonly cluster: string; readonly application: string }) =>
  `${cluster}/${application}`;

/** The last line of the verification at the end of `up`. */
const allVerified = /\n[1-9]\d* checks passed, 0 failed/;
let firstRun = '';

afterAll(async () => {
  await command('down');
  rmSync(state, { recursive: true, force: true });
});

describe('an environment from nothing', () => {
  it('is deployed with one command, which ends with a table of readable secrets', async () => {
    firstRun = await succeed('up');
    expect(firstRun).toMatch(/cluster\s+│\s+application\s+│\s+identity/i);
    for (const name of ['aks-1', 'aks-2', 'orders', 'billing', 'reports']) expect(firstRun).toContain(name);
    expect(firstRun).toContain('What to try next');
  });

  it('is verified: every granted secret is read, everything else is refused', async () => {
    const { code, report } = await verify();
    expect(report.checks.filter((check) => !check.ok)).toEqual([]);
    expect(code).toBe(0);
    expect(report.failed).toBe(0);
    expect(report.passed).toBe(report.checks.length);
    // Five workloads: orders and billing on both clusters, reports on aks-2 only.
    // Those that applications run as, and the service operator's.
    const identities = [
      'aks-1/id-local-aks-1',
      'aks-1/id-local-aks-1-aso',
      'aks-1/id-local-aks-1-billing',
      'aks-2/id-local-aks-2',
      'aks-2/id-local-aks-2-aso',
      'aks-2/id-local-aks-2-billing',
      'aks-2/id-local-aks-2-reports',
    ];
    const vaults = ['-/kv-wi-local', '-/kv-wi-local-reports'];
    expect(report.checks.filter(isOfAzure).map(placeOf).sort()).toEqual(
      [...vaults, ...identities, ...identities].sort(),
    );
    const workloads = new Set(report.checks.filter((check) => !isOfAzure(check)).map(placeOf));
    expect([...workloads].sort()).toEqual([
      'aks-1/billing',
      'aks-1/orders',
      'aks-2/billing',
      'aks-2/orders',
      'aks-2/reports',
    ]);
    // Each workload has each kind of check.
    for (const workload of workloads) {
      const kinds = report.checks
        .filter((check) => `${check.cluster}/${check.application}` === workload)
        .map((check) => check.check);
      expect(kinds.length).toBeGreaterThanOrEqual(4);
    }
  });

  it('changes nothing in a second up, also after the local cloud was killed', async () => {
    const run = JSON.parse(readFileSync(path.join(state, 'local', 'run.json'), 'utf8')) as { pid: number };
    process.kill(run.pid, 'SIGKILL');

    const output = await succeed('up');

    expect(output).toMatch(/0 to create, 0 to update, 0 to delete/);
    expect(output).toMatch(/\d+ unchanged/);
    expect(output).toMatch(allVerified);
  });

  it('previews a new tag without replacing what depends on a tagged resource', async () => {
    const output = await succeed(
      ...['pulumi', 'preview', '--non-interactive'],
      ...['--config', 'aks-workload-identity:tags={"cost-center":"1"}'],
    );
    // Both resource groups, two vaults, two clusters, five identities of workloads and two of the operator, and
    // billing's dependency on each cluster.
    expect(output).toMatch(/~ 15 to update/);
    expect(output).not.toMatch(/to replace|to create|to delete/);
  });

  it('listens on loopback only', async () => {
    const addresses = await listeningSockets(await processesOf(state));
    // At least the service, its proxy, and each cluster's API server and etcd.
    expect(addresses.length).toBeGreaterThanOrEqual(6);
    expect(addresses.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('keeps secret values out of state, logs and output', async () => {
    const exported = JSON.parse(
      await succeed('pulumi', 'config', 'get', '--json', 'secretValues', '--non-interactive'),
    ) as { value: string };
    const values = Object.values(JSON.parse(exported.value) as Record<string, string>);
    expect(values).toHaveLength(4);
    const files = filesBelow(state);
    expect(files.length).toBeGreaterThan(20);
    for (const value of values) {
      expect(value.length).toBeGreaterThanOrEqual(16);
      const holders = files.filter((file) => readFileSync(file).includes(value));
      // File names only, never the value, which a failure would print.
      expect({ secret: createHash('sha256').update(value).digest('hex').slice(0, 8), holders }).toEqual({
        secret: createHash('sha256').update(value).digest('hex').slice(0, 8),
        holders: [],
      });
      expect(firstRun.includes(value)).toBe(false);
    }
  });
});

describe('a federated credential that is added outside the program', () => {
  const credential = 'added-by-hand';

  it('fails the verification, with the command that removes it', async () => {
    const { identities } = await cloud.outputs();
    const operator = identities.find(({ name }) => name === 'id-local-aks-1-aso');
    if (operator === undefined) throw new Error('the stack lacks what this test changes');
    const [, , , , group = ''] = operator.id.split('/');
    const { federatedIdentityCredentials } = (await cloud.azure()).identities();
    await federatedIdentityCredentials.createOrUpdate(group, operator.name, credential, {
      issuer: 'https://elsewhere.example',
      subject: 'system:serviceaccount:thief:thief',
      audiences: ['api://AzureADTokenExchange'],
    });

    const { code, report } = await verify();
    await federatedIdentityCredentials.delete(group, operator.name, credential);

    expect(code).toBe(1);
    const [failed, ...others] = report.checks.filter(({ ok }) => !ok);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({ cluster: 'aks-1', application: operator.name });
    expect(failed?.detail).toContain('trusts system:serviceaccount:thief:thief of https://elsewhere.example');
    expect(failed?.detail).toMatch(/az identity federated-credential delete .* --name added-by-hand$/);
  });
});

describe('grants that are added outside the program', () => {
  it('fail the verification, and are gone after the commands that it prints', async () => {
    const { vaults, workloads, identities, tenantId, subscriptionId, resourceGroup } = await cloud.outputs();
    const orders = workloads.find(({ application }) => application === 'orders')?.identity;
    const operator = identities.find(({ name }) => name === 'id-local-aks-1-aso');
    const reports = 'kv-wi-local-reports';
    const central = vaults['kv-wi-local']?.id;
    if (orders === undefined || operator === undefined || central === undefined)
      throw new Error('the stack lacks what this test changes');
    const azure = await cloud.azure();
    const { roleAssignments } = azure.authorization();
    const somebody = randomUUID();
    const subscription = `/subscriptions/${subscriptionId}`;
    const [secretsUser, contributor] = [
      '4633458b-17de-408a-b874-0445c86b69e6',
      'b24988ac-6180-42a0-ab88-20f7382dd24c',
    ];
    for (const [scope, role, principalId] of [
      [`${central}/secrets/orders-db`, secretsUser, somebody],
      [operator.id, contributor, somebody],
      [subscription, contributor, orders.principalId],
    ] as const) {
      const roleDefinitionId = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
      const asked = { roleDefinitionId, principalId, principalType: 'ServicePrincipal' } as const;
      await roleAssignments.create(scope, randomUUID(), asked);
    }
    const policy = (objectId: string) => ({
      properties: { accessPolicies: [{ tenantId, objectId, permissions: { secrets: ['get'] } }] },
    });
    await azure.vaults().vaults.updateAccessPolicy(resourceGroup, reports, 'add', policy(somebody));

    const { code, report } = await verify();

    expect(code).toBe(1);
    const failed = report.checks.filter(({ ok }) => !ok);
    expect(failed.filter(isOfAzure).map(placeOf)).toEqual([
      '-/kv-wi-local',
      `-/${reports}`,
      'aks-1/id-local-aks-1',
      'aks-1/id-local-aks-1-aso',
    ]);
    const commands = failed.flatMap(({ detail }) => detail.split('; remove it: ').slice(1));
    const ids = commands.flatMap(
      (command) => /az role assignment delete --ids (\S+)$/.exec(command)?.[1] ?? [],
    );
    expect(ids).toHaveLength(3);
    expect(commands.join('\n')).toContain(
      `az keyvault delete-policy --subscription ${subscriptionId} --name ${reports} --object-id ${somebody}`,
    );
    for (const id of ids) await roleAssignments.deleteById(id);
    await azure.vaults().vaults.updateAccessPolicy(resourceGroup, reports, 'remove', policy(somebody));
    expect((await verify()).code).toBe(0);
  });
});

describe('what is changed and deleted outside the program', () => {
  it('is restored by the remedies that the verification prints', async () => {
    const { workloads } = await cloud.outputs();
    const billing = workloads.find(
      ({ application, cluster }) => application === 'billing' && cluster === 'aks-1',
    );
    if (billing === undefined) throw new Error('the stack lacks what this test changes');
    const azure = await cloud.azure();
    const [, , , , group = ''] = billing.identity.id.split('/');
    const { federatedIdentityCredentials } = azure.identities();
    const [credential] = await all(federatedIdentityCredentials.list(group, billing.identity.name));
    await federatedIdentityCredentials.createOrUpdate(
      ...([group, billing.identity.name, credential?.name ?? ''] as const),
      { ...credential, subject: 'system:serviceaccount:billing:edited' },
    );
    const { core } = await cloud.kubernetes('aks-2');
    await core.deleteNamespace({ name: 'orders' });
    const secrets = azure.secrets('kv-wi-local');
    await (await secrets.beginDeleteSecret('orders-db', { intervalInMs: 1 })).pollUntilDone();

    const { code, stdout } = await command('verify', '--stack', 'local');

    expect(code).toBe(1);
    expect(stdout).toContain('aks-1/billing: token exchange: does not match');
    expect(stdout).toMatch(/aks-2\/orders: token exchange: .*not found/);
    const recover = 'az keyvault secret recover --vault-name kv-wi-local --name orders-db';
    expect(stdout).toMatch(new RegExp(`aks-1/orders: reads kv-wi-local/orders-db: .*${recover}`));
    expect(stdout).toContain('npx aks-wi pulumi up --refresh');
    await (await secrets.beginRecoverDeletedSecret('orders-db', { intervalInMs: 1 })).pollUntilDone();
    await succeed('pulumi', 'up', '--refresh', '--yes', '--skip-preview', '--non-interactive');
    expect((await verify()).report.checks.filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe('what is changed by hand in the clusters', () => {
  const deployment = (application: string, spec: object) => ({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', spec },
    metadata: { name: application, namespace: application },
  });
  const image = (application: string, reference: string) =>
    deployment(application, {
      template: { spec: { containers: [{ name: application, image: reference }] } },
    });
  /** As kubectl does, whose name the API server then has as that of the fields' manager. */
  const edit = async (cluster: string, object: object) =>
    (await cloud.kubernetes(cluster)).objects.patch(object, undefined, undefined, 'kubectl-edit');
  const untilPods = async (cluster: string, application: string, holds: (made: number) => boolean) =>
    until(`pods of ${application} on ${cluster}`, async () => {
      const { apps } = await cloud.kubernetes(cluster);
      const name = application;
      const { metadata, status } = await apps.readNamespacedDeployment({ name, namespace: name });
      const { observedGeneration, updatedReplicas = 0 } = status ?? {};
      const seen = observedGeneration === metadata?.generation && holds(updatedReplicas);
      return seen ? true : new Miss(JSON.stringify(status));
    });

  it('fails the verification, which names each change, and up names the command that restores it', async () => {
    await edit('aks-1', image('orders', 'ghcr.io/example/other:1'));
    await untilPods('aks-1', 'orders', (made) => made > 0);
    await edit('aks-1', {
      ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
      metadata: {
        ...{ name: 'orders', namespace: 'orders' },
        annotations: { 'azure.workload.identity/client-id': 'another' },
      },
    });
    // A program that runs, and is never ready.
    await edit('aks-1', image('billing', 'quay.io/jetstack/cert-manager-cainjector:v1'));
    await edit('aks-2', deployment('orders', { replicas: 0 }));
    const label = { 'azure.workload.identity/use': null };
    await edit('aks-2', deployment('billing', { template: { metadata: { labels: label } } }));
    await untilPods('aks-1', 'billing', (made) => made > 0);
    await untilPods('aks-2', 'orders', (made) => made === 0);
    await untilPods('aks-2', 'billing', (made) => made > 0);
    const { core } = await cloud.kubernetes('aks-2');
    await core.deleteNamespacedServiceAccount({ name: 'reports', namespace: 'reports' });

    const { code, report } = await verify();
    const output = await cloud.refusedUp();

    expect(code).toBe(1);
    const states = report.checks.filter(({ check }) => /^(annotations|pods)/.test(check));
    const told = states.map((one) => `${placeOf(one)} ${one.check}: ${one.ok ? 'ok: ' : ''}${one.detail}`);
    expect(told.filter((line) => !/: ok: (has the ids|\d+ ready)/.test(line)).sort()).toEqual([
      expect.stringMatching(
        /^aks-1\/billing pods: \d of \d not ready: billing-.* `kubectl .* describe pod billing-/,
      ),
      expect.stringMatching(
        /^aks-1\/orders annotations .*\/client-id is another instead of .* `pulumi up --refresh`/,
      ),
      expect.stringMatching(/^aks-1\/orders pods: ok: \d of \d are only simulated by the local cloud/),
      expect.stringMatching(
        /^aks-2\/billing pods: billing-.* was not made with the client id of id-local-aks-2-billing/,
      ),
      expect.stringMatching(/^aks-2\/orders pods: there are none in namespace orders/),
      expect.stringMatching(
        /^aks-2\/reports annotations .* "reports" not found; `pulumi up --refresh` restores it$/,
      ),
    ]);
    expect(output).toMatch(/Failed:[^]* aks-1\/orders: pods: \d of \d are only simulated/);
    expect(output).toContain('`npx aks-wi pulumi up --refresh`');
  });

  it('is taken back by that command, after which the verification passes', async () => {
    const flags = ['--refresh', '--yes', '--skip-preview', '--non-interactive'];
    const output = await succeed('pulumi', 'up', ...flags);

    // The service account of reports; that of orders on aks-1, and the four Deployments.
    expect(resourceCounts(output)).toMatchObject({ created: 1, updated: 5, deleted: 0, replaced: 0 });
    const { code, report } = await verify();
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(code).toBe(0);
  });
});

describe('a grant that is removed outside the program', () => {
  it('fails the verification, naming the application and the secret, and a refresh finds this and no other drift', async () => {
    const { vaults, workloads } = await cloud.outputs();
    const vault = Object.values(vaults).find((candidate) => candidate.access === 'rbac');
    const billing = workloads.find(
      (workload) => workload.application === 'billing' && workload.cluster === 'aks-1',
    );
    if (vault === undefined || billing === undefined)
      throw new Error('the stack lacks what this test removes');
    const scope = `${vault.id}/secrets/billing-db`;
    expect(await removeRoleAssignments(scope, billing.identity.principalId)).toBe(1);

    const { code, report } = await verify();
    expect(code).toBe(1);
    const failed = report.checks.filter((check) => !check.ok);
    expect(failed.map((check) => `${check.cluster}/${check.application}`)).toEqual(['aks-1/billing']);
    expect(failed[0]?.detail).toContain('billing-db');

    const refreshed = await succeed('pulumi', 'refresh', '--yes', '--non-interactive', '--skip-preview');
    expect(resourceCounts(refreshed)).toMatchObject({ created: 0, updated: 0, deleted: 1, replaced: 0 });
    expect(resourceCounts(refreshed).unchanged).toBeGreaterThan(50);
  });
});

describe('a local cloud that is stopped', () => {
  it('leaves no process and no port', async () => {
    const before = await listeningSockets(await processesOf(state));
    expect(before.length).toBeGreaterThan(0);
    await succeed('down');
    expect(await processesOf(state)).toEqual([]);
    const open = new Set((await allListeningSockets()).map(({ address }) => address));
    expect(before.filter((address) => open.has(address))).toEqual([]);
  });

  it('restarts with its state, and up restores the grant and nothing else', async () => {
    const output = await succeed('up');

    expect(output).toMatch(/1 to create, 0 to update, 0 to delete/);
    expect(output).toMatch(allVerified);
  });
});

describe('an application that is removed from the configuration', () => {
  it('leaves its identity and its secret in Azure without access, and changes nothing of the others', async () => {
    const { config } = parse(readFileSync(path.join(projectRoot, 'Pulumi.local.yaml'), 'utf8')) as {
      config: Record<string, { name: string }[]>;
    };
    const others = config['aks-workload-identity:applications']?.filter(({ name }) => name !== 'billing');

    const output = await succeed(
      ...['pulumi', 'up', '--yes', '--skip-preview', '--non-interactive'],
      ...['--config', `aks-workload-identity:applications=${JSON.stringify(others)}`],
    );

    expect(output).toContain(
      'No application names billing-db: the values in secretValues are written nowhere',
    );
    expect(output).toContain('[retain]');
    expect(output).toMatch(/- \d+ deleted/);
    expect(output).not.toMatch(/~ \d+ updated|\+ \d+ created|replaced/);
    const { code, report } = await verify();
    expect(code).toBe(0);
    const ofWorkloads = report.checks.filter((check) => !isOfAzure(check));
    expect(new Set(ofWorkloads.map(({ application }) => application))).toEqual(
      new Set(['orders', 'reports']),
    );
    expect(report.checks.map(({ check }) => check).join()).toContain('billing-db');
  });
});

describe('bad input', () => {
  it('is refused with a remedy for an unknown stack', async () => {
    const result = await command('verify', '--stack', 'staging');
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('staging');
    expect(result.stderr).not.toMatch(/\n\s+at .*\(/);
  });

  it('is refused for an unknown cluster, naming the known ones', async () => {
    const result = await command('cloud', 'kubeconfig', 'aks-9');
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain('aks-9');
    expect(result.stderr).toContain('aks-1');
  });
});

describe('the end', () => {
  it('destroys every resource', async () => {
    const output = await succeed('pulumi', 'destroy', '--yes', '--non-interactive', '--skip-preview');
    expect(output).toMatch(/\d+ deleted/);
    expect(await succeed('pulumi', 'stack', '--show-urns', '--non-interactive')).toMatch(
      /No resources|\(0\)/i,
    );
  });

  it('leaves neither process nor file after clean', async () => {
    expect(await processesOf(state)).not.toEqual([]);
    await succeed('clean');
    expect(await processesOf(state)).toEqual([]);
    expect(readdirSync(state)).toEqual([]);
  });
});

/**
 * Deletes the role assignments of a principal at exactly this scope, as somebody could in the portal; returns
 * their number.
 */
async function removeRoleAssignments(scope: string, principalId: string): Promise<number> {
  const { roleAssignments } = (await cloud.azure()).authorization();
  const found = (await all(roleAssignments.listForScope(scope))).filter(
    (assignment) =>
      assignment.principalId === principalId && assignment.scope?.toLowerCase() === scope.toLowerCase(),
  );
  for (const { name = '' } of found) await roleAssignments.delete(scope, name);
  return found.length;
}
