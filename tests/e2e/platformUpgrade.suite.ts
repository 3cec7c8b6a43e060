import type { AzureClients } from '../support/azureClients';
import { all } from '../support/azureClients';
import type { LocalCloud, StackRequest } from '../support/localCloud';
import { readResource, writesSince } from './azureRecord';
import type { CustomResource, Inventory } from './customResources';
import { inventory, untilReady } from './customResources';

/** The upgrade of a stack whose platform is one minor version behind the configuration. */
export function platformUpgradeSuite({
  cloud,
  azure,
  configuration,
}: {
  readonly cloud: LocalCloud;
  readonly azure: () => AzureClients;
  readonly configuration: () => StackRequest;
}): void {
  const clusters = ['one', 'two'] as const;
  const issuer = { apiVersion: 'cert-manager.io/v1', kind: 'Issuer', metadata: named('upgrade') };
  let before: Inventory[];
  let resources: unknown[];
  let begun: string;
  beforeAll(async () => {
    const { objects } = await cloud.kubernetes('one');
    await objects.create<CustomResource>({ ...issuer, spec: { selfSigned: {} } });
    await issue('before');
    before = await inventories();
    resources = await inAzure();
    expect(await chartsOf('one')).toEqual(['cert-manager-v1.20.3', 'v2.18.0']);
    begun = new Date().toISOString();
  });

  it('updates the four releases and nothing else', async () => {
    const { output, steps } = await cloud.up(configuration());

    expect(steps.summary).toEqual([
      'update kubernetes:helm.sh/v3:Release one-cert-manager',
      'update kubernetes:helm.sh/v3:Release one-service-operator',
      'update kubernetes:helm.sh/v3:Release two-cert-manager',
      'update kubernetes:helm.sh/v3:Release two-service-operator',
    ]);
    expect(output).toMatch(/\d+ checks passed, 0 failed/);
    for (const cluster of clusters) {
      expect(await chartsOf(cluster)).toEqual(['cert-manager-v1.21.2', 'v2.19.0']);
    }
  });

  it('keeps every custom resource and every definition', async () => {
    const kept = (all: readonly Inventory[]) =>
      all.map(({ definitions, objects }) => ({ definitions, objects }));

    expect(kept(await inventories())).toEqual(kept(before));
    expect(Object.keys(before[0]?.objects ?? {})).toEqual(
      expect.arrayContaining(['StorageAccount orders/orders-files', 'Certificate default/upgrade-before']),
    );
  });

  it('keeps them ready, does not reissue certificates, and can issue new ones', async () => {
    for (const [index, cluster] of clusters.entries()) {
      const { objects } = await cloud.kubernetes(cluster);
      const withState = (before[index]?.all ?? []).filter(({ status }) => status?.conditions !== undefined);
      const ready = await Promise.all(withState.map((resource) => untilReady(objects, resource)));
      const certificates = ready.filter(({ kind }) => kind === 'Certificate');
      expect(certificates.map(({ status }) => status?.revision)).toEqual(certificates.map(() => 1));
    }
    await issue('after');
  });

  it('changes nothing the second time', async () => {
    const steps = await cloud.deploy(configuration());

    expect(steps.changed).toEqual([]);
  });

  // The last test, to include what the operator does in the meantime.
  it('changes no resource in Azure: the operator writes its own again without a change', async () => {
    const operators = (await all(azure().identities().userAssignedIdentities.listBySubscription()))
      .filter(({ name }) => name?.endsWith('-aso'))
      .map(({ principalId }) => principalId);
    expect(operators).toHaveLength(3);

    const others = (await writesSince(azure(), begun)).filter(
      ({ action, resourceId, caller }) =>
        !(action.endsWith('/write') && managed().includes(resourceId) && operators.includes(caller)),
    );

    expect(others).toEqual([]);
    expect(await inAzure()).toEqual(resources);
  });

  function named(name: string) {
    return { name, namespace: 'default' };
  }

  async function issue(name: string): Promise<void> {
    const { objects } = await cloud.kubernetes('one');
    const { apiVersion } = issuer;
    const wanted = { apiVersion, kind: 'Certificate', metadata: named(`upgrade-${name}`) };
    const spec = {
      secretName: wanted.metadata.name,
      dnsNames: [`${name}.upgrade.example`],
      issuerRef: { kind: issuer.kind, name: issuer.metadata.name },
    };
    await objects.create<CustomResource>({ ...wanted, spec });
    await untilReady(objects, wanted);
  }

  async function inventories(): Promise<Inventory[]> {
    const found = await Promise.all(clusters.map((cluster) => cloud.kubernetes(cluster)));
    return Promise.all(found.map(({ objects }) => inventory(objects)));
  }

  /** Ids of the resources that the operators manage in Azure. */
  function managed(): string[] {
    return [...new Set(before.flatMap(({ azureIds }) => azureIds))];
  }

  function inAzure(): Promise<unknown[]> {
    return Promise.all(managed().map((id) => readResource(azure(), id)));
  }

  /** The charts' version labels. */
  async function chartsOf(cluster: string): Promise<(string | undefined)[]> {
    const { apps } = await cloud.kubernetes(cluster);
    const labels = async (namespace: string, name: string) =>
      (await apps.readNamespacedDeployment({ namespace, name })).metadata?.labels ?? {};
    return [
      (await labels('cert-manager', 'cert-manager'))['helm.sh/chart'],
      (await labels('azureserviceoperator-system', 'azureserviceoperator-controller-manager'))[
        'app.kubernetes.io/version'
      ],
    ];
  }
}
