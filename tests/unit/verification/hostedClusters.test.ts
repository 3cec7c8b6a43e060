import { builtInRoles } from '../../../stacks/offline';
import type { RoleAssignment, SignIns } from '../../../verification/access';
import type { HostedClusterOutput } from '../../../verification/checks';
import { checkHostedClusters, type HostedClusterFacts } from '../../../verification/hostedClusters';

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

  async failed(output = hosted): Promise<string[]> {
    const { identities, checks } = await this.check(output);
    return [...identities.flatMap((one) => one.checks), ...checks]
      .filter(({ ok }) => !ok)
      .map(({ application, check, detail }) => `${application}: ${check}: ${detail}`);
  }
}

describe('a hosted cluster', () => {
  it('passes where all is as the stack left it', async () => {
    const { identities, checks, notes, unlisted } = await new World().check();
    expect(identities[0]?.checks.map(({ check, ok, detail }) => [check, ok, detail])).toEqual([
      ['has its roles', true, `Disk Operator on ${scope}`],
      [
        'has a valid certificate',
        true,
        'until 2027-02-01T00:00:00Z, renewed by an update from 2027-01-01T00:00:00Z on',
      ],
      ['signs in only by its certificates', true, '2 certificates'],
      [`has its secret kv/${secret}`, true, 'is there'],
      [`lets the nodes read kv/${secret}`, true, 'reader-client'],
      ['class managed-azure-disk-csi', true, `mounts ${secret}`],
    ]);
    expect(checks).toMatchObject([{ application: 'hc1', ok: true, detail: 'clusters/hc1' }]);
    expect([notes, unlisted]).toEqual([[], []]);
  });

  it.each<[string, (world: World) => void, string]>([
    [
      'a role that is gone',
      (world) => (world.facts = { ...world.facts, assignments: world.facts.assignments?.slice(1) }),
      `hc1/disk: has its roles: lacks Disk Operator on ${scope}; \`pulumi up --refresh\` assigns it again`,
    ],
    [
      'a role on another scope',
      (world) =>
        (world.facts = {
          ...world.facts,
          assignments: [
            assigned('disk', builtInRoles.openShiftDiskStorageOperator, `${scope}2`),
            ...(world.facts.assignments?.slice(1) ?? []),
          ],
        }),
      `hc1/disk: has its roles: lacks Disk Operator on ${scope}; \`pulumi up --refresh\` assigns it again`,
    ],
    [
      'an expired certificate',
      (world) => (world.facts = { ...world.facts, now: new Date('2027-02-01T00:00:00Z') }),
      'hc1/disk: has a valid certificate: expired on 2027-02-01T00:00:00Z; `pulumi up` makes the next one',
    ],
    [
      'a certificate of somebody else',
      (world) =>
        (world.signIns = { certificates: ['key-1', 'key-2', 'key-3'], passwords: [], federated: [] }),
      'hc1/disk: signs in only by its certificates: has what this stack did not register: a certificate; remove it: az ad app credential delete --id disk-client --key-id key-3 --cert',
    ],
    [
      'a federated credential',
      (world) => (world.signIns = { certificates: ['key-1', 'key-2'], passwords: [], federated: ['github'] }),
      'hc1/disk: signs in only by its certificates: has what this stack did not register: a federated credential; remove it: az ad app federated-credential delete --id disk-client --federated-credential-id github',
    ],
    [
      'a certificate that Entra does not have',
      (world) => (world.signIns = { certificates: ['key-1'], passwords: [], federated: [] }),
      'hc1/disk: signs in only by its certificates: Entra does not have its certificate key-2; `pulumi up --refresh` registers another',
    ],
    [
      'an application that is gone',
      (world) => (world.signIns = undefined),
      'hc1/disk: signs in only by its certificates: Entra has no such application; `pulumi up --refresh` makes another',
    ],
    [
      'a class with an empty object',
      (world) => (world.parameters = { ...world.parameters, objects: 'array:\n  - ""\n' }),
      `hc1/disk: class managed-azure-disk-csi: objects do not have ${secret} in hex`,
    ],
    [
      'a secret that is gone',
      (world) => (world.facts = { ...world.facts, secrets: new Map([['kv', []]]) }),
      `hc1/disk: has its secret kv/${secret}: is not there; if it was deleted: az keyvault secret recover --vault-name kv --name ${secret}`,
    ],
    [
      'a reader that may not read it',
      (world) => (world.facts = { ...world.facts, assignments: world.facts.assignments?.slice(0, 1) }),
      `hc1/disk: lets the nodes read kv/${secret}: reader-client may not; \`pulumi up --refresh\` grants it again`,
    ],
    [
      'a class with another vault',
      (world) => (world.parameters = { ...world.parameters, keyvaultName: 'kv2' }),
      'hc1/disk: class managed-azure-disk-csi: keyvaultName is "kv2" instead of "kv"',
    ],
    [
      'a class with another encoding',
      (world) =>
        (world.parameters = {
          ...world.parameters,
          objects: (world.parameters['objects'] ?? '').replace('hex', 'utf-8'),
        }),
      `hc1/disk: class managed-azure-disk-csi: objects do not have ${secret} in hex`,
    ],
    [
      'a class whose objects are no YAML',
      (world) => (world.parameters = { ...world.parameters, objects: 'array: [' }),
      `hc1/disk: class managed-azure-disk-csi: objects do not have ${secret} in hex`,
    ],
    [
      'a HostedCluster with another client id',
      (world) =>
        world.objects.set('hostedclusters/clusters/hc1', () => ({
          spec: { platform: { azure: { tenantID: 't', clientID: 'other' } } },
        })),
      'hc1: HostedCluster names its identities: spec.platform.azure.clientID, spec.issuerURL differ from `patch` and `place` of the output hostedClusters',
    ],
  ])('fails with %s', async (_what, change, message) => {
    const world = new World();
    change(world);
    expect(await world.failed()).toEqual([message]);
  });

  it('says that an update is due', async () => {
    const world = new World();
    world.facts = { ...world.facts, now: new Date('2027-01-01T00:00:00Z') };
    const { identities } = await world.check();
    expect(identities[0]?.checks[1]?.detail).toBe('until 2027-02-01T00:00:00Z, renewed by the next update');
  });

  it('is not judged by what HyperShift has not made yet, which is said', async () => {
    const world = new World();
    world.objects.clear();
    const { identities, checks, notes } = await world.check();
    expect(identities[0]?.checks.map(({ check }) => check)).not.toContain('class managed-azure-disk-csi');
    expect(checks).toEqual([]);
    expect(notes).toEqual([
      'management has no HostedCluster clusters/hc1 yet: its fields were not checked.',
      'HyperShift has not made SecretProviderClasses in clusters-hc1 of management yet: managed-azure-disk-csi were not checked.',
    ]);
    expect(await world.failed({ ...hosted, makesHostedCluster: true })).toEqual([
      'hc1: HostedCluster names its identities: is not there; `pulumi up --refresh` makes it again',
    ]);
    expect(await world.failed({ ...hosted, secretProviderClasses: 'stack' })).toEqual([
      'hc1/disk: class managed-azure-disk-csi: is not there; `pulumi up --refresh` makes it again',
    ]);
  });

  it('fails where the cluster does not answer', async () => {
    const world = new World();
    world.objects.set('hostedclusters/clusters/hc1', () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    });
    expect(await world.failed()).toEqual([
      expect.stringMatching(/^hc1: HostedCluster names its identities: .*ECONNREFUSED/),
    ]);
  });

  it('has no check of what cannot be listed, which is said', async () => {
    const world = new World();
    world.signIns = new Error('403');
    world.facts = { ...world.facts, assignments: undefined, secrets: new Map() };
    const { identities, unlisted } = await world.check();
    expect(identities[0]?.checks.map(({ check }) => check)).toEqual([
      'has a valid certificate',
      'class managed-azure-disk-csi',
    ]);
    expect(unlisted.map(({ name }) => name)).toEqual(['id-hc1-azure-disk']);
  });
});
