import { builtInRoles } from '../../../components/azure/roles';
import type { RoleAssignment, SignIns } from '../../../verification/access';
import type { HostedClusterOutput } from '../../../stacks/outputs/hostedClusterOutput';
import { checkHostedClusters, type HostedClusterFacts } from '../../../verification/hostedClusters';
import { reviewed } from '../support/reviewed';
import { shownUnlisted, shownVerdict } from './shown.fixture';

// What these do not prove: what Azure, Entra and the cluster answer; the end-to-end tests have the local ones.

const atOnce = <T>(run: () => Promise<T>): Promise<T> => run();
const vaultId = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';
const scope = '/subscriptions/s/resourceGroups/hc1';
const secret = 'azure-disk-hc1-json';

const hosted: HostedClusterOutput = {
  name: 'hc1',
  managementCluster: 'management',
  namespace: 'clusters',
  controlPlaneNamespace: 'clusters-hc1',
  authentication: 'ManagedIdentities',
  makesHostedCluster: false,
  vault: 'kv',
  reader: { clientId: 'reader-client', principalId: 'reader' },
  renewAfter: '2027-01-01T00:00:00Z',
  objectEncoding: 'hex',
  secretProviderClasses: 'hypershift',
  components: [
    {
      component: 'disk',
      name: 'id-hc1-azure-disk',
      clientId: 'disk-client',
      principalId: 'disk',
      roles: [{ role: builtInRoles.openShiftDiskStorageOperator, name: 'Disk Operator', scope }],
      secret,
      secretProviderClass: 'managed-azure-disk-csi',
      expiresOn: '2027-02-01T00:00:00Z',
      keyIds: ['key-1', 'key-2'],
    },
  ],
  nodes: [],
  place: { issuerURL: 'https://issuer.example/hc1' },
  patch: { spec: { platform: { azure: { tenantID: 't', clientID: 'disk-client' } } } },
};

const assigned = (principalId: string, role: string, on: string): RoleAssignment => ({
  ...{ id: 'id', name: 'name', principalId, role, scope: on },
});
const notFound = () => Object.assign(new Error('not found'), { code: 404 });

/** A management cluster and a directory as the stack left them; a test changes one thing. */
class World {
  signIns: SignIns | Error | undefined = { certificates: ['key-1', 'key-2'], passwords: [], federated: [] };
  facts: HostedClusterFacts = {
    assignments: [
      assigned('disk', builtInRoles.openShiftDiskStorageOperator, scope.toUpperCase()),
      assigned('reader', builtInRoles.keyVaultSecretsUser, `${vaultId}/secrets/${secret}`),
    ],
    secrets: new Map([['kv', [secret]]]),
    now: new Date('2026-12-01T00:00:00Z'),
  };
  parameters: Record<string, string> = {
    keyvaultName: 'kv',
    tenantId: 't',
    userAssignedIdentityID: 'reader-client',
    useVMManagedIdentity: 'true',
    objects: `\narray:\n  - |\n    objectName: ${secret}\n    objectEncoding: hex\n    objectType: secret\n`,
  };
  objects = new Map<string, () => Record<string, unknown>>([
    [
      'secretproviderclasses/clusters-hc1/managed-azure-disk-csi',
      () => ({ spec: { parameters: this.parameters } }),
    ],
    [
      'hostedclusters/clusters/hc1',
      () => ({
        spec: {
          issuerURL: 'https://issuer.example/hc1',
          platform: { azure: { tenantID: 't', clientID: 'disk-client', location: 'x' } },
        },
      }),
    ],
  ]);

  check(output: HostedClusterOutput = hosted) {
    const vaults = { kv: { id: vaultId, uri: 'https://kv', access: 'rbac' as const, secrets: [] } };
    return checkHostedClusters(
      { hostedClusters: [output], vaults, tenantId: 't' },
      {
        customObject: async (_cluster, { plural }, namespace, name) => {
          const found = this.objects.get(`${plural}/${namespace}/${name}`);
          if (found === undefined) throw notFound();
          return Promise.resolve(found());
        },
        listSignIns: () =>
          this.signIns instanceof Error ? Promise.reject(this.signIns) : Promise.resolve(this.signIns),
      },
      this.facts,
      atOnce,
    );
  }

  async shown(output = hosted): Promise<string[]> {
    const { identities, checks, notes, unlisted } = await this.check(output);
    return [
      ...shownVerdict([...identities.flatMap((identity) => identity.checks), ...checks]),
      ...notes.map((note) => `note: ${note}`),
      ...shownUnlisted(unlisted),
    ];
  }

  /** Changes what Azure has. */
  has(facts: Partial<HostedClusterFacts>): void {
    this.facts = { ...this.facts, ...facts };
  }

  /** Changes the parameters of the class. */
  mounts(parameters: Record<string, string>): void {
    this.parameters = { ...this.parameters, ...parameters };
  }
}

const shows = reviewed(__filename);
const shown = (title: string, change: (world: World) => unknown, output = hosted) =>
  shows(title, () => {
    const world = new World();
    change(world);
    return world.shown(output);
  });

describe('a hosted cluster', () => {
  const [role, read] = new World().facts.assignments ?? [];
  if (role === undefined || read === undefined) throw new Error('the world has two assignments');
  const signIns = { certificates: ['key-1', 'key-2'], passwords: [], federated: [] };
  const hostedCluster = 'hostedclusters/clusters/hc1';

  shown('passes where all is as the stack left it', () => undefined);
  for (const [title, change] of Object.entries<(world: World) => unknown>({
    'a role that is gone': (world) => world.has({ assignments: [read] }),
    'a role on another scope': (world) =>
      world.has({ assignments: [assigned('disk', role.role, `${scope}2`), read] }),
    'an expired certificate': (world) => world.has({ now: new Date('2027-02-01T00:00:00Z') }),
    'a certificate of somebody else': (world) =>
      (world.signIns = { ...signIns, certificates: ['key-1', 'key-2', 'key-3'] }),
    'a federated credential': (world) => (world.signIns = { ...signIns, federated: ['github'] }),
    'a certificate that Entra does not have': (world) =>
      (world.signIns = { ...signIns, certificates: ['key-1'] }),
    'an application that is gone': (world) => (world.signIns = undefined),
    'a secret that is gone': (world) => world.has({ secrets: new Map([['kv', []]]) }),
    'a reader that may not read it': (world) => world.has({ assignments: [role] }),
    'a class with another vault': (world) => world.mounts({ keyvaultName: 'kv2' }),
    'a class with another encoding': (world) =>
      world.mounts({ objects: (world.parameters['objects'] ?? '').replace('hex', 'utf-8') }),
    'a class with an empty object': (world) => world.mounts({ objects: 'array:\n  - ""\n' }),
    'a class whose objects are no YAML': (world) => world.mounts({ objects: 'array: [' }),
    'a HostedCluster with another client id': (world) =>
      world.objects.set(hostedCluster, () => ({
        spec: { platform: { azure: { tenantID: 't', clientID: 'other' } } },
      })),
    'a cluster that does not answer': (world) =>
      world.objects.set(hostedCluster, () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      }),
  }))
    shown(`fails with ${title}`, change);

  shown('says that an update is due', (world) => world.has({ now: new Date('2027-01-01T00:00:00Z') }));

  for (const [title, changes] of Object.entries({
    'is not judged by what HyperShift has not created yet, and a note says so': {},
    'fails without the HostedCluster that the stack makes': { makesHostedCluster: true },
    'fails without the classes that the stack makes': { secretProviderClasses: 'stack' as const },
  }))
    shown(title, ({ objects }) => objects.clear(), { ...hosted, ...changes });

  shown('has no check of what cannot be listed, and a note says so', (world) => {
    world.signIns = new Error('403');
    world.has({ assignments: undefined, secrets: new Map() });
  });
});
