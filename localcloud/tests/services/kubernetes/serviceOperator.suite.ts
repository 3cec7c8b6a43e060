import { randomUUID } from 'node:crypto';
import type { KubernetesObject, KubernetesObjectApi } from '@kubernetes/client-node' with {
  'resolution-mode': 'import',
};
import { refusal } from '../../support/azure';
import { Miss, until } from '../../support/kubernetes/client';
import type { ManagedCluster, WholeCloud } from '../../support/kubernetes/cloud';
import { identityFor, installChart, managedCluster } from '../../support/kubernetes/cloud';
import { startTimeout } from '../../support/kubernetes/runtime';

const operatorNamespace = 'azureserviceoperator-system';
const operatorAccount = `${operatorNamespace}:azureserviceoperator-default`;
const contributor = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
/** Long enough for a first build of the operator, which takes minutes. */
const buildTimeout = 1_500_000;

interface Condition {
  type: string;
  status: string;
  severity?: string;
  reason: string;
  message?: string;
}
interface Resource extends KubernetesObject {
  spec: Record<string, unknown>;
  status?: { conditions?: Condition[]; clientId?: string; id?: string };
}
interface Definition extends KubernetesObject {
  spec: { conversion?: { webhook?: { clientConfig?: { caBundle?: string } } } };
}

/** A cluster with the operator, installed with its released chart. */
interface Operated extends ManagedCluster {
  objects: KubernetesObjectApi;
}

/** Azure Service Operator in the two clusters, which have cert-manager. */
export function serviceOperatorSuite(cloudOf: () => WholeCloud): void {
  let whole: WholeCloud;
  let one: Operated;
  let two: Operated;

  const assign = async (scope: string, role: string, principalId: string) => {
    await whole.cloud.authorization().roleAssignments.create(scope, randomUUID(), {
      principalId,
      principalType: 'ServicePrincipal',
      roleDefinitionId: role,
    });
  };

  async function operate(name: string): Promise<Operated> {
    const { cloud } = whole;
    const cluster = await managedCluster(whole, name);
    const identity = await identityFor(cloud, {
      ...{ name: `id-operator-${name}`, issuer: cluster.issuer },
      serviceAccount: operatorAccount,
    });
    await assign(`/subscriptions/${cloud.subscriptionId}`, contributor, identity.principalId);
    await installChart(whole, cluster, 'azure-service-operator', operatorNamespace, {
      useWorkloadIdentityAuth: true,
      azureTenantID: cloud.tenantId,
      azureSubscriptionID: cloud.subscriptionId,
      azureClientID: identity.clientId,
      crdPattern: 'resources.azure.com/*;managedidentity.azure.com/*;storage.azure.com/StorageAccount',
      replicaCount: 1,
    });
    const library = await import('@kubernetes/client-node');
    const objects = library.KubernetesObjectApi.makeApiClient(cluster.client.config);
    // cert-manager injects the webhooks' certificate authority after the pod is ready.
    await until('the operator is asked by the API server', async () => {
      await objects.create(group('tried'), undefined, 'All');
      return true;
    });
    return { ...cluster, objects };
  }

  const group = (name: string, namespace = 'default'): Resource => ({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: { name, namespace },
    spec: { location: 'westeurope' },
  });
  const identity = (name: string, owner: string): Resource => ({
    apiVersion: 'managedidentity.azure.com/v1api20230131',
    kind: 'UserAssignedIdentity',
    metadata: { name, namespace: 'default' },
    spec: {
      location: 'westeurope',
      owner: { name: owner },
      operatorSpec: { configMaps: { clientId: { name: `${name}-exported`, key: 'clientId' } } },
    },
  });
  const address = ({ apiVersion, kind, metadata }: Resource) => ({
    apiVersion,
    kind,
    metadata: { name: metadata?.name ?? '', namespace: metadata?.namespace ?? 'default' },
  });
  const readyOf = ({ status }: Resource) => status?.conditions?.find(({ type }) => type === 'Ready');
  const whenReady = (
    objects: KubernetesObjectApi,
    resource: Resource,
    holds: (ready: Condition) => boolean,
  ) =>
    until(`${resource.kind ?? ''} ${resource.metadata?.name ?? ''}`, async () => {
      const found = await objects.read<Resource>(address(resource));
      const ready = readyOf(found);
      return ready !== undefined && holds(ready) ? found : new Miss(JSON.stringify(found.status));
    });
  const isTrue = ({ status }: Condition) => status === 'True';

  /** Lets the operator act as an identity in a namespace. */
  const actAs = async (clientId: string, namespace: string) => {
    const { subscriptionId, tenantId } = whole.cloud;
    await one.client.core.createNamespace({ body: { metadata: { name: namespace } } });
    await one.client.core.createNamespacedSecret({
      namespace,
      body: {
        metadata: { name: 'aso-credential' },
        stringData: {
          AZURE_SUBSCRIPTION_ID: subscriptionId,
          AZURE_TENANT_ID: tenantId,
          AZURE_CLIENT_ID: clientId,
        },
      },
    });
  };

  beforeAll(async () => {
    whole = cloudOf();
    [one, two] = await Promise.all([operate('aks-1'), operate('aks-2')]);
  }, buildTimeout);

  // It restarts once after it applied its definitions, and again until the API server serves all of them.
  it('runs as the process of its pod, restarted by itself, and serves the definitions of its pattern', async () => {
    const { pods } = whole.test.runtime.status().find(({ id }) => id === one.id) ?? { pods: [] };
    expect(pods.filter(({ namespace }) => namespace === operatorNamespace)).toEqual([
      expect.objectContaining({ container: 'manager', ready: true }),
    ]);
    expect(pods.find(({ container }) => container === 'manager')?.restarts).toBeGreaterThanOrEqual(1);
    const labelled = { labelSelector: 'app.kubernetes.io/name=azure-service-operator' };
    // cert-manager injects its authority after the operator has created them.
    const items = await until('the definitions have the authority of their webhook', async () => {
      const found = await one.objects.list<Definition>(
        ...(['apiextensions.k8s.io/v1', 'CustomResourceDefinition', undefined] as const),
        ...([undefined, undefined, undefined, undefined, labelled.labelSelector] as const),
      );
      const bare = found.items.find(
        ({ spec }) => spec.conversion?.webhook?.clientConfig?.caBundle === undefined,
      );
      if (bare !== undefined) return new Miss(`${bare.metadata?.name ?? ''} has none`);
      return found.items;
    });
    expect(items.map(({ metadata }) => metadata?.name).sort()).toEqual([
      'federatedidentitycredentials.managedidentity.azure.com',
      'resourcegroups.resources.azure.com',
      'storageaccounts.storage.azure.com',
      'userassignedidentities.managedidentity.azure.com',
    ]);
  });

  it('creates the resource in Azure, and exports its values', async () => {
    await one.objects.create(group('rg-orders'));
    await one.objects.create(identity('id-orders', 'rg-orders'));

    await whenReady(one.objects, group('rg-orders'), isTrue);
    const created = await whenReady(one.objects, identity('id-orders', 'rg-orders'), isTrue);

    const found = await whole.cloud.identities().userAssignedIdentities.get('rg-orders', 'id-orders');
    expect(found.location).toBe('westeurope');
    expect(created.status).toMatchObject({ clientId: found.clientId, id: found.id });
    const exported = await one.client.core.readNamespacedConfigMap({
      name: 'id-orders-exported',
      namespace: 'default',
    });
    expect(exported.data).toEqual({ clientId: found.clientId });
  });

  it('signs in with the token of its service account', () => {
    const mine = whole.cloud.azure.control
      .audit()
      .filter((entry) => JSON.stringify(entry).includes(one.issuer));
    expect(mine).toContainEqual(
      expect.objectContaining({ outcome: 'issued', subject: `system:serviceaccount:${operatorAccount}` }),
    );
  });

  it('keeps its token, and signs in no more often for what it provisions next', async () => {
    const signIns = () =>
      whole.cloud.azure.control
        .audit()
        .filter(({ outcome, issuer }) => outcome === 'issued' && issuer === one.issuer);
    const before = signIns();
    expect(before).not.toEqual([]);

    for (const name of ['rg-kept-one', 'rg-kept-two', 'rg-kept-three']) {
      await one.objects.create(group(name));
      await whenReady(one.objects, group(name), isTrue);
    }

    expect(signIns()).toEqual(before);
  });

  it('serves its webhooks: it completes new objects, and refuses changes of immutable fields', async () => {
    const found = await one.objects.read<Resource>(address(group('rg-orders')));
    expect(found.spec['azureName']).toBe('rg-orders');

    const renamed = { ...found, spec: { ...found.spec, azureName: 'rg-other' } };

    await expect(one.objects.replace(renamed)).rejects.toThrow(/updating 'spec\.azureName' is not allowed/i);
  });

  it('reports Azure’s own refusal when its identity lacks permission', async () => {
    const { cloud } = whole;
    const powerless = await identityFor(cloud, {
      ...{ name: 'id-team', issuer: one.issuer },
      serviceAccount: operatorAccount,
    });
    await actAs(powerless.clientId, 'team');
    const forbidden = group('rg-team', 'team');
    await one.objects.create(forbidden);

    const refused = await whenReady(one.objects, forbidden, ({ status, reason }) => {
      return status === 'False' && reason === 'AuthorizationFailed';
    });

    expect(readyOf(refused)?.message).toContain(
      `does not have authorization to perform action 'Microsoft.Resources/subscriptions/resourceGroups/write'`,
    );
    expect(readyOf(refused)?.message).toContain(powerless.principalId);
    expect((await refusal(cloud.resources().resourceGroups.get('rg-team'))).status).toBe(404);

    // With permission, the operator continues by itself.
    await assign(`/subscriptions/${cloud.subscriptionId}`, contributor, powerless.principalId);
    await whenReady(one.objects, forbidden, isTrue);
  });

  // It tries to register the provider and only reports that it may not. components/dependency/hint.ts looks
  // for this message.
  it('reports the missing permission if a provider is not registered', async () => {
    const { cloud } = whole;
    const limited = await identityFor(cloud, {
      ...{ name: 'id-limited', issuer: one.issuer },
      serviceAccount: operatorAccount,
    });
    const { id } = await cloud.resources().resourceGroups.get('rg-orders');
    await assign(id ?? '', contributor, limited.principalId);
    await actAs(limited.clientId, 'limited');
    await cloud.resources().providers.unregister('Microsoft.Storage');
    const account: Resource = {
      apiVersion: 'storage.azure.com/v20250601',
      kind: 'StorageAccount',
      metadata: { name: 'files', namespace: 'limited' },
      spec: {
        ...{ azureName: 'stunregistered', location: 'westeurope', kind: 'StorageV2' },
        sku: { name: 'Standard_LRS' },
        owner: { armId: id },
      },
    };
    await one.objects.create(account);

    const refused = await whenReady(one.objects, account, ({ status, severity }) => {
      return status === 'False' && severity === 'Warning';
    });

    expect(readyOf(refused)?.message).toContain('AuthorizationFailed');
    expect(readyOf(refused)?.message).toContain("'Microsoft.Storage/register/action'");
  });

  it('runs once in each cluster, and neither changes resources of the other', async () => {
    await two.objects.create(group('rg-two'));

    await whenReady(two.objects, group('rg-two'), isTrue);

    expect((await whole.cloud.resources().resourceGroups.get('rg-two')).location).toBe('westeurope');
    const operators = whole.test.runtime
      .status()
      .map(({ pods }) => pods.filter(({ namespace }) => namespace === operatorNamespace));
    expect(operators.map((pods) => pods.length)).toEqual([1, 1]);
    expect(new Set(operators.flat().map(({ pid }) => pid)).size).toBe(2);
    await expect(two.objects.read(address(group('rg-orders')))).rejects.toThrow(/not found/);
  });

  it('deletes in Azure what is deleted in the cluster, and only that', async () => {
    await one.objects.delete(address(identity('id-orders', 'rg-orders')));
    await until('the resource is gone', async () => {
      try {
        return new Miss(JSON.stringify(await one.objects.read(address(identity('id-orders', 'rg-orders')))));
      } catch {
        return true;
      }
    });

    const gone = whole.cloud.identities().userAssignedIdentities.get('rg-orders', 'id-orders');

    expect((await refusal(gone)).status).toBe(404);
    expect((await whole.cloud.resources().resourceGroups.get('rg-orders')).name).toBe('rg-orders');
  });

  it(
    'continues after a restart, without creating its resources again',
    async () => {
      const before = await one.objects.read<Resource>(address(group('rg-orders')));
      const pods = await one.client.core.listNamespacedPod({ namespace: operatorNamespace });
      const [name = ''] = pods.items.map(({ metadata }) => metadata?.name);
      await one.client.core.deleteNamespacedPod({ name, namespace: operatorNamespace });

      const another = group('rg-after');
      // The API server refuses writes until the next pod serves the webhooks.
      await until('the webhooks answer again', async () => {
        try {
          await one.objects.create(another);
          return true;
        } catch (error) {
          return new Miss(String(error));
        }
      });
      await whenReady(one.objects, another, isTrue);

      const after = await one.objects.read<Resource>(address(group('rg-orders')));
      expect(after.metadata?.uid).toBe(before.metadata?.uid);
      expect(readyOf(after)?.status).toBe('True');
    },
    startTimeout,
  );
}
