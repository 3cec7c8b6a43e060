import { setTimeout } from 'node:timers/promises';
import { StorageManagementClient } from '@azure/arm-storage';
import type { AzureClients } from '../support/azureClients';
import { blobServiceClient } from '../../localcloud/tests/support/blobServiceClient';
import type { LocalCloud, StackRequest } from '../support/localCloud';
import type { Application } from './dependenciesExample';
import type { Readings } from './support/readings';
import { digestOf, readingImage } from './support/readings';

/** Applications of the example that connect by a key, with the resource groups of their storage accounts. */
const groups = { legacy: 'rg-dependencies-services', invoices: 'rg-dependencies-services-invoices' } as const;
type Client = keyof typeof groups;
const accountOf = (client: Client) => `stwidepend${client}`;

type Change = (all: Application[]) => Application[];

const changed =
  (change: (application: Application) => Application): Change =>
  (all) =>
    all.map((application) => (application.name in groups ? change(application) : application));

/** The example with pods that read by their keys without pause. */
export const readsByKey = (readings: Readings): Change =>
  changed((application) => ({
    ...application,
    image: `${readingImage}:1`,
    env: { ...(application['env'] as object | undefined), READS_BY_KEY: 'true', READINGS: readings.file },
  }));

const withKey = (key: 'primary' | 'secondary'): Change =>
  changed((application) => ({
    ...application,
    dependencies: (application.dependencies ?? []).map((each) => ({ ...each, key })),
  }));

/** The rotation of docs/rotation.md: of a key in a Kubernetes secret (legacy), and of one in the vault (invoices). */
export function keyRotationSuite({
  cloud,
  azure,
  configuration,
  readings,
  stack,
}: {
  readonly cloud: LocalCloud;
  readonly azure: () => AzureClients;
  readonly configuration: (change: Change) => StackRequest;
  readonly readings: Readings;
  readonly stack: string;
}): void {
  const accounts = () => {
    const { credential, subscriptionId } = azure();
    return new StorageManagementClient(credential, subscriptionId, azure().clientOptions()).storageAccounts;
  };
  /** The primary and the secondary key. */
  async function keysOf(client: Client): Promise<[string, string]> {
    const { keys = [] } = await accounts().listKeys(groups[client], accountOf(client));
    return keys.map(({ value = '' }) => value) as [string, string];
  }
  /** What pods connect with, by a key. */
  const connectionString = (client: Client, key: string) =>
    `DefaultEndpointsProtocol=https;AccountName=${accountOf(client)};AccountKey=${key};` +
    (client === 'legacy'
      ? `BlobEndpoint=https://${accountOf(client)}.blob.core.windows.net/`
      : 'EndpointSuffix=core.windows.net');
  const digest = (client: Client, key: string) => digestOf(connectionString(client, key));
  const asClient = (client: Client, key: string) =>
    blobServiceClient(accountOf(client), key, azure().clientOptions()).getAccountInfo();

  const clientIds = {} as Record<Client, string>;
  const before = {} as Record<Client, [string, string]>;
  const reads = (client: Client) => readings.reads('key', clientIds[client]);
  const values = (client: Client) => readings.values('key', clientIds[client]);
  /** Resolves when the pods of a client have read some dozen times more. */
  async function readOn(client: Client): Promise<void> {
    const enough = reads(client) + 30;
    await readings.until(() => reads(client) > enough);
  }
  async function secretsOf(client: Client): Promise<string[]> {
    const { core } = await cloud.kubernetes('one');
    const { items } = await core.listNamespacedSecret({ namespace: client });
    return items.map(({ metadata }) => metadata?.name ?? '').filter((name) => name.includes('-keys-'));
  }

  it('have clients that read by the primary key', async () => {
    const { workloads } = await cloud.outputs(stack);
    for (const client of ['legacy', 'invoices'] as const) {
      const { identity } = workloads.find(({ application }) => application === client) ?? {};
      clientIds[client] = identity?.clientId ?? '';
      before[client] = await keysOf(client);
      await readOn(client);
      expect(values(client)).toEqual([digest(client, before[client][0])]);
    }
    expect(clientIds.legacy).not.toBe(clientIds.invoices);
  });

  it('are changed to the secondary keys by an update, which replaces the pods or writes to the vault', async () => {
    const steps = await cloud.deploy(configuration(withKey('secondary')));

    const custom =
      'kubernetes:storage.azure.com/v20250601:StorageAccount one/storageAccount/stwidependlegacy/keys';
    expect(steps.summary.map((step) => step.replace(/keys-[0-9a-f]+/, 'keys'))).toEqual([
      `create ${custom}-secondary`,
      // What keeps the connection string of invoices current reads another document, in a new pod.
      'create-replacement kubernetes:core/v1:ConfigMap two-connections-connections',
      `delete ${custom}`,
      'delete-replaced kubernetes:core/v1:ConfigMap two-connections-connections',
      'replace kubernetes:core/v1:ConfigMap two-connections-connections',
      'update kubernetes:apps/v1:Deployment one-legacy',
      'update kubernetes:apps/v1:Deployment two-connections-reconciler',
    ]);
    // The update has waited until the pods before have ended.
    await readOn('legacy');
    expect(values('legacy')).toEqual(before.legacy.map((key) => digest('legacy', key)).sort());
    // Kubernetes deletes the secret with the old key, as its owner is deleted.
    while ((await secretsOf('legacy')).length > 1) await setTimeout(500);
    expect(await secretsOf('legacy')).toEqual([expect.stringMatching(/-secondary$/)]);
  });

  it('lock nobody out when the primary key is made anew, except who still has the old one', async () => {
    await asClient('legacy', before.legacy[0]);
    await accounts().regenerateKey(groups.legacy, accountOf('legacy'), { keyName: 'key1' });

    await expect(asClient('legacy', before.legacy[0])).rejects.toMatchObject({
      code: 'AuthenticationFailed',
    });
    await readOn('legacy');
    expect(readings.failures).toEqual([]);
  });

  it('are the same after a second update', async () => {
    expect((await cloud.deploy(configuration(withKey('secondary')))).changed).toEqual([]);
  });

  it('reach the files of an application from the vault, whose primary key is made anew after that', async () => {
    // The add-on looks for new values every two minutes.
    await readings.until(() => values('invoices').length > 1);
    expect(values('invoices')).toEqual(before.invoices.map((key) => digest('invoices', key)).sort());
    await accounts().regenerateKey(groups.invoices, accountOf('invoices'), { keyName: 'key1' });

    await expect(asClient('invoices', before.invoices[0])).rejects.toMatchObject({
      code: 'AuthenticationFailed',
    });
    await readOn('invoices');
    expect(readings.failures).toEqual([]);
  });

  it('are changed back the next time, to the new primary key', async () => {
    await cloud.deploy(configuration(withKey('primary')));

    const [primary] = await keysOf('legacy');
    expect(primary).not.toBe(before.legacy[0]);
    await readOn('legacy');
    const used = [...before.legacy, primary].map((key) => digest('legacy', key));
    expect(values('legacy')).toEqual(used.sort());
    expect(readings.failures).toEqual([]);
  });
}
