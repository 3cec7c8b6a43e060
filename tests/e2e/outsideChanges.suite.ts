import { randomUUID } from 'node:crypto';
import { Miss, until } from '../../localcloud/tests/support/kubernetes/client';
import { all } from '../support/azureClients';
import { resourceCounts, type LocalCloud } from '../support/localCloud';

/** A check of what is in Azure, and not of a workload. */
export const isOfAzure = ({ check }: { readonly check: string }): boolean => /^(trusts|has) only/.test(check);

export const placeOf = ({
  cluster,
  application,
}: {
  readonly cluster: string;
  readonly application: string;
}) => `${cluster}/${application}`;

/** What somebody changes in Azure and in the clusters behind the stack's back. The example is deployed. */
export function outsideChangesSuite(cloud: LocalCloud): void {
  const command = cloud.command.bind(cloud);
  const succeed = cloud.succeed.bind(cloud);
  const verify = () => cloud.verify();

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
      expect(failed?.detail).toContain(
        'trusts system:serviceaccount:thief:thief of https://elsewhere.example',
      );
      expect(failed?.detail).toMatch(/az identity federated-credential delete .* --name added-by-hand$/);
    });
  });

  describe('grants that are added outside the program', () => {
    it('fail the verification, and are gone after the commands that it prints', async () => {
      const { vaults, workloads, identities, clusters, tenantId, subscriptionId, resourceGroup } =
        await cloud.outputs();
      const orders = workloads.find(({ application }) => application === 'orders')?.identity;
      const operator = identities.find(({ name }) => name === 'id-local-aks-1-aso');
      const reports = 'kv-wi-local-reports';
      const central = vaults['kv-wi-local']?.id;
      const cluster = clusters['aks-1']?.id;
      if (orders === undefined || operator === undefined || central === undefined || cluster === undefined)
        throw new Error('the stack lacks what this test changes');
      const azure = await cloud.azure();
      const { roleAssignments } = azure.authorization();
      const somebody = randomUUID();
      const subscription = `/subscriptions/${subscriptionId}`;
      const [secretsUser, contributor, clusterAdmin] = [
        '4633458b-17de-408a-b874-0445c86b69e6',
        'b24988ac-6180-42a0-ab88-20f7382dd24c',
        '0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8',
      ];
      for (const [scope, role, principalId] of [
        [`${central}/secrets/orders-db`, secretsUser, somebody],
        [operator.id, contributor, somebody],
        [subscription, contributor, orders.principalId],
        [`${subscription}/resourceGroups/${resourceGroup}`, secretsUser, somebody],
        [cluster, clusterAdmin, somebody],
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
        `-/${resourceGroup}`,
        '-/aks-1',
      ]);
      const commands = failed.flatMap(({ detail }) => detail.split('; remove it: ').slice(1));
      const ids = commands.flatMap(
        (command) => /az role assignment delete --ids (\S+)$/.exec(command)?.[1] ?? [],
      );
      expect(ids).toHaveLength(5);
      expect(commands.join('\n')).toContain(
        `az keyvault delete-policy --subscription ${subscriptionId} --name ${reports} --object-id ${somebody}`,
      );
      for (const id of ids) await roleAssignments.deleteById(id);
      await azure.vaults().vaults.updateAccessPolicy(resourceGroup, reports, 'remove', policy(somebody));
      expect((await verify()).code).toBe(0);
    });
  });

  describe('what is changed and deleted outside the program', () => {
    it('is restored by the hints that the verification prints', async () => {
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
      await until('the end of the namespace', async () => {
        const { items } = await core.listNamespace();
        return items.some(({ metadata }) => metadata?.name === 'orders') ? new Miss('it is there') : true;
      });
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
      await untilPods('aks-1', 'orders', (created) => created > 0);
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
      await untilPods('aks-1', 'billing', (created) => created > 0);
      await untilPods('aks-2', 'orders', (created) => created === 0);
      await untilPods('aks-2', 'billing', (created) => created > 0);
      const { core } = await cloud.kubernetes('aks-2');
      await core.deleteNamespacedServiceAccount({ name: 'reports', namespace: 'reports' });

      const { code, report } = await verify();
      const output = await cloud.refusedUp();

      expect(code).toBe(1);
      const states = report.checks.filter(({ check }) => /^(annotations|pods)/.test(check));
      const reported = states.map(
        (state) => `${placeOf(state)} ${state.check}: ${state.ok ? 'ok: ' : ''}${state.detail}`,
      );
      expect(reported.filter((line) => !/: ok: (has the ids|\d+ ready)/.test(line)).sort()).toEqual([
        expect.stringMatching(
          /^aks-1\/billing pods: \d of \d not ready: billing-.* `kubectl .* describe pod billing-/,
        ),
        expect.stringMatching(
          /^aks-1\/orders annotations .*\/client-id is another instead of .* `npx aks-wi pulumi up --refresh`/,
        ),
        expect.stringMatching(/^aks-1\/orders pods: ok: \d of \d are only simulated by the local cloud/),
        expect.stringMatching(
          /^aks-2\/billing pods: billing-.* lacks the label azure.workload.identity\/use: "true", so .* `npx aks-wi pulumi up --refresh`/,
        ),
        expect.stringMatching(/^aks-2\/orders pods: there are none in namespace orders/),
        expect.stringMatching(
          /^aks-2\/reports annotations .* "reports" not found; `npx aks-wi pulumi up --refresh` restores it$/,
        ),
      ]);
      expect(output).toMatch(/Failed:[^]* aks-1\/orders: pods: \d of \d are only simulated/);
      expect(output).toContain('`npx aks-wi pulumi up --refresh`');
    });

    it('is taken back by that command, after which the verification passes', async () => {
      const found = await cloud.changesOfSecondUpdate();

      const count = (what: RegExp) => found.filter((line) => what.test(line)).length;
      // The service account of reports; that of orders on aks-1, and the four Deployments.
      expect([count(/^create /), count(/^update /), count(/^(delete|replace) /)]).toEqual([1, 5, 0]);
      expect(count(/^kubernetes:core\/v1:ServiceAccount \S+ is gone$/)).toBe(1);
      expect(count(/^kubernetes:apps\/v1:Deployment \S+ has changed /)).toBe(4);
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
}
