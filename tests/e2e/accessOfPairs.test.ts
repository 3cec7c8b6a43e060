/**
 * Generated stack files, each deployed after the other. After each update, every service account asks for a token of every
 * identity, and asks every vault for every secret by it: `access --diff` of the two files tells exactly who can read what that
 * could not before. The local cloud decides, by being asked; not proven is what Azure itself would answer.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TokenCredential } from '@azure/identity';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { AccessChange } from '../../stacks/access/difference';
import { checkStackFile } from '../../stacks/stackFile';
import { all, type AzureClients } from '../support/azureClients';
import { projectRoot } from '../support/command';
import { localCloud } from '../support/localCloud';
import { signInAs } from './support/workloads';

jest.setTimeout(20 * 60_000);

const stack = 'pairs';
const clusters = ['aks-1', 'aks-2'];
const pairs = 4;
/** The same pairs each time: a difference is found again. */
const seed = 29;

const cloud = localCloud(stack);
afterAll(() => cloud.clean());

const some = (names: readonly string[], minLength = 0) => fc.subarray([...names], { minLength });

const image = 'ghcr.io/aks-workload-identity/reader:0.1.0';
const placed = { clusters: some(clusters, 1), identity: fc.constantFrom('cluster', 'application') };

/** An application with a vault of its own. It stays: a vault that is deleted keeps its name. */
const withVault = (name: string, access: string) =>
  fc.record(placed).map((rest) => ({
    ...{ name, image, replicas: 1, ...rest, secrets: [`${name}-db`, `${name}-key`] },
    vault: { placement: 'perApplication', name: `kv-pairs-${name}`, access },
  }));

/** What is in the central vault. Secrets stay there, as Azure's resource manager deletes none: an application names them all. */
const central = ['a-db', 'a-key', 'b-db', 'shared'];
const keeper = {
  name: 'keeper',
  image,
  replicas: 1,
  identity: 'application',
  secrets: central,
  clusters: ['aks-1'],
};

const inCentral = (name: string) =>
  fc
    .record({ ...placed, secrets: some(central, 1), isMember: fc.boolean() })
    .map(({ isMember, ...rest }) => ({
      ...{ name, image, replicas: 1, ...rest },
      ...(isMember && { groups: ['readers'] }),
    }));

const settings = fc
  .record({
    applications: fc.tuple(
      ...[inCentral('a'), inCentral('b')],
      ...[withVault('c', 'rbac'), withVault('d', 'accessPolicy')],
    ),
    absent: some(['a', 'b']),
    ofGroup: some(central, 1),
    revoked: some(['a', 'b', 'c', 'd']),
    isRevoking: fc.boolean(),
  })
  .map(({ applications, absent, ofGroup, revoked, isRevoking }) => {
    const deployed = applications.filter(({ name }) => !absent.includes(name));
    const revokes = revoked.filter((name) => isRevoking && !absent.includes(name));
    return {
      location: 'westeurope',
      resourceGroup: 'rg-pairs',
      retainOnDelete: false,
      vault: { name: 'kv-pairs', publicAccess: true, purgeProtection: false },
      certManager: { install: false },
      serviceOperator: { install: false },
      clusters: clusters.map((name) => ({ name, nodes: { count: 1 } })),
      groups: [{ name: 'readers', secrets: ofGroup }],
      applications: [
        keeper,
        ...deployed.map((application) =>
          'groups' in application ? without(application, ofGroup) : application,
        ),
      ],
      ...(revokes.length > 0 && {
        revoked: { applications: Object.fromEntries(revokes.map((name) => [name, 'tried'])) },
      }),
    };
  });

/** What a member reads as a member, it does not name. */
const without = <T extends { secrets: string[] }>(member: T, ofGroup: readonly string[]): T => ({
  ...member,
  secrets: member.secrets.filter((secret) => !ofGroup.includes(secret)),
});

const yamlOf = (config: object): string =>
  stringify({
    config: Object.fromEntries(
      Object.entries(config).map(([key, value]) => [`aks-workload-identity:${key}`, value]),
    ),
  });

/** Those that the program does not refuse. */
const valid = settings
  .map(yamlOf)
  .filter(
    (text) =>
      checkStackFile({ environment: stack, file: 'Pulumi.pairs.yaml', text }, () => undefined).problems
        .length === 0,
  );

/** Each `<cluster>/<namespace>/<service account> <vault>/<secret>` that is answered with the secret. */
async function readable(azure: AzureClients): Promise<Set<string>> {
  const identities = await all(azure.identities().userAssignedIdentities.listBySubscription());
  const vaults = await all(azure.vaults().vaults.listBySubscription());
  const secrets = await Promise.all(
    vaults.map(async ({ name = '' }) => ({
      vault: name,
      names: (await all(azure.vaults().secrets.list('rg-pairs', name))).map((secret) => secret.name ?? ''),
    })),
  );
  const found = new Set<string>();
  for (const cluster of clusters) {
    const { core } = await cloud.kubernetes(cluster);
    const accounts = (await core.listServiceAccountForAllNamespaces()).items
      .map(({ metadata }) => ({ namespace: metadata?.namespace ?? '', serviceAccount: metadata?.name ?? '' }))
      .filter(({ namespace }) => !namespace.startsWith('kube-'));
    for (const account of accounts)
      for (const { clientId = '' } of identities) {
        const credential = await signInAs(cloud, azure, clientId, { cluster, ...account });
        const reads = await readsBy(azure, credential, secrets);
        for (const secretRead of reads)
          found.add(`${cluster}/${account.namespace}/${account.serviceAccount} ${secretRead}`);
      }
  }
  return found;
}

async function readsBy(
  azure: AzureClients,
  credential: TokenCredential,
  secrets: readonly { vault: string; names: string[] }[],
): Promise<string[]> {
  const isTrusted = await credential.getToken('https://vault.azure.net/.default').then(
    () => true,
    () => false,
  );
  if (!isTrusted) return [];
  const each = secrets.flatMap(({ vault, names }) => names.map((name) => ({ vault, name })));
  const read = each.map(({ vault, name }) =>
    azure
      .secrets(vault, credential)
      .getSecret(name)
      .then(
        () => [`${vault}/${name}`],
        () => [],
      ),
  );
  return (await Promise.all(read)).flat();
}

const fileOf = (index: number) => path.join(cloud.state, `Pulumi.pair-${index}.yaml`);

it(`reports for ${pairs} generated changes who can read what that could not before`, async () => {
  const files = fc.sample(valid, { numRuns: pairs + 1, seed });
  for (const [index, yaml] of files.entries()) writeFileSync(fileOf(index), yaml);
  let before: Set<string> | undefined;
  let gained = 0;
  for (const [index, yaml] of files.entries()) {
    const previewed = before === undefined ? [] : await toldByPreview(yaml);
    await cloud.deploy({ stack, yaml });
    const now = await readable(await cloud.azure());
    if (before !== undefined) {
      const [earlier = '', later = ''] = [index - 1, index].map(fileOf);
      const was = before;
      const could = [...now].filter((access) => !was.has(access)).sort();
      gained += could.length;
      expect({
        index,
        bySettings: among(now, await difference(earlier, later)),
        byPreview: among(now, previewed),
      }).toEqual({ index, bySettings: could, byPreview: could });
    }
    before = now;
  }
  expect(gained).toBeGreaterThan(pairs);
});

const inProject = (file: string) => path.relative(projectRoot, file);

async function difference(earlier: string, later: string): Promise<AccessChange[]> {
  const sides = [earlier, later].map((side) => (path.isAbsolute(side) ? inProject(side) : side));
  const reported = await cloud.succeed('access', '--diff', ...sides, '--json');
  return (JSON.parse(reported) as { changes: AccessChange[] }).changes;
}

/** What is deployed, compared with a preview of the next update. */
async function toldByPreview(yaml: string): Promise<AccessChange[]> {
  const file = path.join(cloud.state, 'preview.json');
  writeFileSync(file, await cloud.pulumi({ stack, yaml }, 'preview', '--json', '--show-sames'));
  return difference(stack, file);
}

/** What the comparison says that can be read and could not: of every secret of a vault, those that there are. */
function among(now: ReadonlySet<string>, changes: readonly AccessChange[]): string[] {
  const rows = changes.filter(({ kind }) => kind === 'gained' || kind === 'not judged');
  const all = rows.flatMap(({ who, what }) =>
    who.flatMap((reader) => what.map((thing) => `${reader} ${thing}`)),
  );
  return [
    ...new Set(
      all.flatMap((access) =>
        access.includes(' every secret of ')
          ? [...now].filter((pair) => pair.startsWith(`${access.replace(' every secret of ', ' ')}/`))
          : [access],
      ),
    ),
  ].sort();
}
