import fc from 'fast-check';
import { withConsent } from './sharedNamespaces';

// Configurations for property tests: near valid, of all modes, and broken in all ways.

type Input = Record<string, unknown>;

const subscription = '/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg-there';
const idOf = (type: string) => (name: string) => `${subscription}/providers/${type}/${name}`;
const clusterId = idOf('Microsoft.ContainerService/managedClusters');
const identityId = idOf('Microsoft.ManagedIdentity/userAssignedIdentities');
const vaultId = idOf('Microsoft.KeyVault/vaults');
const subnetId = `${subscription}/providers/Microsoft.Network/virtualNetworks/net/subnets/endpoints`;

// Some run together: the application b-c of the cluster a, and c of a-b.
const clusterNames = ['aks-1', 'aks-2', 'a-b', 'a', 'edge-1'] as const;
const applicationNames = ['orders', 'billing', 'reports', 'b-c', 'c', 'shipping'] as const;
const secretNames = ['orders-db', 'shared-api-key', 'billing-db', 'reports-db'] as const;
const retainOnDelete = fc.boolean();
const access = fc.constantFrom('rbac', 'accessPolicy');
const labels = fc.constantFrom({ tier: 'front' }, { tier: 'back' }, { tier: 'front', ring: '0' });

/** An object of which each part may be missing. */
const partly = (parts: Record<string, fc.Arbitrary<unknown>>, ...required: string[]): fc.Arbitrary<Input> =>
  fc.record(parts, { requiredKeys: required });

const vaultParts = {
  network: partly({
    allowedIpRanges: fc.constant(['203.0.113.0/24', '198.51.100.7']),
    allowedSubnets: fc.constant([subnetId]),
    trustedServices: fc.boolean(),
  }),
  privateEndpoints: fc.constant([{ subnet: subnetId }]),
  lock: fc.boolean(),
  tags: fc.constant({ owner: 'data' }),
  retainOnDelete,
};

const centralVault = fc.oneof(
  partly(
    {
      ...vaultParts,
      name: fc.constantFrom('kv-test', 'kv-a-long-name-of-24-chr'),
      access,
      publicAccess: fc.boolean(),
      softDeleteRetentionInDays: fc.integer({ min: 7, max: 90 }),
      purgeProtection: fc.boolean(),
      overreach: fc.constantFrom('accepted', 'refused'),
    },
    'name',
  ),
  partly(
    { existing: fc.constant(vaultId('kv-there')), access, overreach: fc.constant('accepted') },
    'existing',
  ),
);

const applicationVault = (name: string) =>
  fc.oneof(
    partly({ ...vaultParts, placement: fc.constantFrom('central', 'perApplication'), access }),
    partly(
      { placement: fc.constant('perApplication'), name: fc.constantFrom(`kv-${name}`, 'kv-one') },
      'placement',
      'name',
    ),
    fc.constant({ placement: 'perApplication', existing: vaultId(`kv-of-${name}`) }),
  );

const cluster = (name: string): fc.Arbitrary<Input> => {
  const own = {
    labels,
    identity: fc.constant({ existing: identityId(`id-${name}`) }),
    operatorIdentity: fc.constant({ existing: identityId(`id-${name}-operator`) }),
    retainOnDelete,
  };
  const named = (parts: Record<string, fc.Arbitrary<unknown>>, ...required: string[]) =>
    partly({ name: fc.constant(name), ...own, ...parts }, 'name', ...required);
  return fc.oneof(
    named({
      kubernetesVersion: fc.constantFrom('1.35', '1.35.4'),
      nodes: partly({ count: fc.integer({ min: 1, max: 9 }), vmSize: fc.constant('Standard_D4ds_v5') }),
      tier: fc.constantFrom('Free', 'Standard', 'Premium'),
      administratorGroups: fc.constant(['55555555-5555-4555-8555-555555555555']),
      authorizedIpRanges: fc.constant(['203.0.113.0/24']),
    }),
    named(
      { mode: fc.constant('existing'), id: fc.constant(clusterId(name)), enable: fc.boolean() },
      'mode',
      'id',
    ),
    named(
      { mode: fc.constant('external'), issuer: fc.constant(`https://issuer.example/${name}/`) },
      'mode',
      'issuer',
    ),
  );
};

const selection = fc.oneof(
  fc.uniqueArray(fc.constantFrom(...clusterNames), { minLength: 1, maxLength: 2 }),
  labels.map((chosen) => ({ labels: chosen })),
);

const reused = (name: string) =>
  fc.oneof(
    fc.constant(name),
    fc.boolean().map((existing) => ({ name, existing })),
  );

const dependencyOf = (name: string): fc.Arbitrary<Input> => {
  const short = name.replace(/\W/g, '');
  const service = fc.constantFrom<Input>(
    { storageAccount: { name: `st${short}`, data: ['blobs', 'tables'] } },
    { storageAccount: { name: 'stshared' }, connection: 'vault' },
    { postgresql: { name: `pg-${name}`, database: 'main' } },
    { redis: { name: `redis-${name}` }, connection: 'secret' },
    { serviceBus: { name: `sb-for-${name}`, queues: ['a', 'b'] } },
    { identity: { name: `id-more-${name}` } },
    { vault: { name: `kv-of-${short}-x` } },
    { resource: { apiVersion: 'web.azure.com/v20240401', kind: 'Site', spec: { location: 'westeurope' } } },
  );
  return fc
    .tuple(fc.constantFrom('files', 'db', 'a-b'), service, partly({ retainOnDelete }))
    .map(([called, of, more]) => ({ name: called, ...of, ...more }));
};

/** An application of the name. */
export const application = (name: string): fc.Arbitrary<Input> => {
  const parts = {
    name: fc.constant(name),
    clusters: selection,
    // Mostly shared: there is more to get wrong.
    identity: fc.oneof(
      { weight: 4, arbitrary: fc.constant('cluster') },
      { weight: 1, arbitrary: fc.constant('application') },
      {
        weight: 1,
        arbitrary: fc.constant({
          existing: { 'aks-1': identityId(`id-${name}-1`), 'aks-2': identityId(`id-${name}-2`) },
        }),
      },
    ),
    vault: applicationVault(name),
    secrets: fc.uniqueArray(fc.constantFrom(...secretNames), { maxLength: 3 }),
    namespace: fc.oneof(reused(`${name}-space`), fc.constant('shop')),
    serviceAccount: reused(`${name}-account`),
    serviceAccounts: fc.uniqueArray(fc.constantFrom('worker', 'jobs', 'w.x'), { maxLength: 2 }),
    audience: fc.constantFrom('openshift', 'api://AzureADTokenExchange'),
    dependencies: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(dependencyOf(name), { minLength: 1, maxLength: 2 }) },
    ),
    provisioning: fc.constantFrom('cluster', 'cluster', 'application'),
    retainOnDelete,
  };
  return fc.oneof(
    {
      weight: 4,
      arbitrary: partly(
        {
          ...parts,
          image: fc.constantFrom('ghcr.io/x/reader:1', `x/y@sha256:${'0'.repeat(64)}`),
          delivery: fc.constantFrom('application', 'files', 'environment'),
          env: fc.constant({ LEVEL: 'debug' }),
          replicas: fc.integer({ min: 0, max: 9 }),
          port: fc.constant(8081),
          overrides: fc.constantFrom([], [{ clusters: ['aks-1'], replicas: 3, env: { LEVEL: 'info' } }]),
        },
        'name',
        'image',
      ),
    },
    {
      weight: 1,
      arbitrary: partly(
        {
          ...parts,
          chart: fc.constantFrom(
            { chart: './examples/charts/reports' },
            { chart: 'oci://example.org/x', version: '1.2.3', values: { a: { b: 1 } } },
          ),
        },
        'name',
        'chart',
      ),
    },
  );
};

const clusters = fc
  .uniqueArray(fc.constantFrom(...clusterNames), { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(...names.map(cluster)));

const applications = fc
  .oneof(
    { weight: 3, arbitrary: fc.uniqueArray(fc.constantFrom(...applicationNames), { minLength: 3 }) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...applicationNames), { maxLength: 2 }) },
  )
  .chain((names) => fc.tuple(...names.map(application)));

/** More applications than an identity can trust. */
const many = fc
  .integer({ min: 15, max: 40 })
  .map((count) => Array.from({ length: count }, (_, index) => ({ name: `app-${index}`, image: 'x/y:1' })));

/** A configuration of which every value is right in itself; together, they may not be. */
export const nearlyValid: fc.Arbitrary<Input> = partly(
  {
    location: fc.constantFrom('westeurope', 'northeurope'),
    resourceGroup: fc.constantFrom('rg-test', { existing: subscription }),
    identity: fc.constantFrom('cluster', 'cluster', 'application'),
    shard: fc.boolean(),
    audience: fc.constantFrom('openshift', 'api://AzureADTokenExchange'),
    vaults: fc.constantFrom('central', 'perApplication'),
    vault: centralVault,
    logs: fc.constantFrom(
      { workspace: { name: 'log-test', retentionInDays: 30 } },
      { workspace: { existing: idOf('Microsoft.OperationalInsights/workspaces')('log-there') } },
    ),
    clusters,
    applications: fc.oneof({ weight: 5, arbitrary: applications }, { weight: 1, arbitrary: many }),
    certManager: fc.constantFrom(
      {},
      { chart: './charts/cert-manager.tgz' },
      { version: 'v1.2.3' },
      { install: false },
    ),
    serviceOperator: fc.constantFrom(
      {},
      { crdPattern: 'resources.azure.com/*', replicas: 1 },
      { install: false },
    ),
    services: partly({
      resourceGroup: fc.constantFrom('rg-services', { existing: `${subscription}-services` }),
      retainOnDelete,
    }),
    secretValues: fc.constantFrom({}, { 'orders-db': 'of the test' }, { kept: 'of the test' }),
    tags: fc.constantFrom({}, { environment: 'test' }),
    protect: fc.boolean(),
    retainOnDelete,
  },
  'location',
  'resourceGroup',
  'vault',
  'clusters',
).map(withKubeconfigs);

/** Kubeconfigs for the clusters that need one. */
function withKubeconfigs(input: Input): Input {
  const external = (input.clusters as Input[]).filter(({ mode }) => mode === 'external');
  if (external.length === 0) return input;
  return {
    ...input,
    kubeconfigs: Object.fromEntries(external.map(({ name }) => [String(name), 'of the test'])),
  };
}

/** The same, with what commonly speaks against it taken away, so that most are valid as a whole. */
export const settled: fc.Arbitrary<Input> = nearlyValid.map(settle);

/** Takes from a configuration what commonly speaks against it, its applications included. */
export function settle(input: Input): Input {
  const listed = (input.applications ?? []) as Input[];
  const applications = listed.map((single) => settleApplication(single, input)).map(withConsent);
  const named = new Set(applications.flatMap(({ secrets }) => (secrets ?? []) as string[]));
  const values = Object.entries((input.secretValues ?? {}) as Input);
  const { network: _, ...vault } = input.vault as Input;
  return {
    ...input,
    vault: { ...vault, overreach: 'accepted', ...(vault.name !== undefined && { name: 'kvt' }) },
    applications,
    secretValues: Object.fromEntries(values.filter(([name]) => named.has(name))),
  };
}

function settleApplication(application: Input, input: Input): Input {
  const { vault, delivery, identity, overrides: _, clusters: chosen, ...rest } = application;
  const clusters = (input.clusters as Input[]).map(({ name }) => String(name));
  const kept = Array.isArray(chosen) ? chosen.map(String).filter((name) => clusters.includes(name)) : [];
  const here = kept.length === 0 ? clusters : kept;
  const ownPlacement: Input = { placement: 'perApplication', ...(vault as Input | undefined) };
  const { network: __, ...ownVault } = ownPlacement;
  const isOwn = vault !== undefined && ownVault.placement === 'perApplication';
  const isReadable = Array.isArray(rest.secrets) && rest.secrets.length > 0;
  return {
    ...rest,
    ...(kept.length > 0 && { clusters: kept }),
    ...(isOwn && { vault: ownVault }),
    ...(isReadable && rest.audience === 'api://AzureADTokenExchange' && { delivery }),
    ...(typeof identity === 'string' && { identity }),
    ...(typeof identity === 'object' && {
      identity: {
        existing: Object.fromEntries(
          here.map((name) => [name, identityId(`id-${String(rest.name)}-${name}`)]),
        ),
      },
    }),
    ...(isExisting(rest.serviceAccount) && {
      namespace: { name: `${String(rest.name)}-space`, existing: true },
    }),
  };
}

function isExisting(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'existing' in value && value.existing === true;
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    [],
    {},
    [null],
    { '': 1 },
    'aks-1',
    'cluster',
    '__proto__',
    '\n',
  ),
);

/** One change at one place: a value, a key, a repetition, or nothing there any more. */
const change = fc.record({
  place: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
  kind: fc.constantFrom('replace', 'remove', 'rename', 'repeat'),
  value: anything,
  key: fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('name', 'nmae', 'existing', 'clusters', 'a\nb', '__proto__'),
  ),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** The value with the change at the place that the numbers lead to, each modulo the members there. */
function changed(value: unknown, { place: [first = 0, ...rest], ...how }: Change): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0) return how.kind === 'remove' ? undefined : [how.value];
    const index = first % value.length;
    if (rest.length > 0) return value.with(index, changed(value[index], { place: rest, ...how }));
    if (how.kind === 'remove') return value.toSpliced(index, 1);
    if (how.kind === 'repeat') return [...(value as unknown[]), value[index]];
    return value.with(index, how.value);
  }
  if (typeof value !== 'object' || value === null) return how.kind === 'remove' ? undefined : how.value;
  const entries: [string, unknown][] = Object.entries(value);
  if (entries.length === 0) return Object.fromEntries([[how.key, how.value]]);
  const index = first % entries.length;
  const [key = '', member] = entries[index] ?? [];
  if (rest.length > 0) {
    return Object.fromEntries(entries.with(index, [key, changed(member, { place: rest, ...how })]));
  }
  switch (how.kind) {
    case 'remove':
      return Object.fromEntries(entries.toSpliced(index, 1));
    case 'rename':
      return Object.fromEntries(entries.with(index, [how.key, member]));
    case 'repeat':
      return Object.fromEntries([...entries, [how.key, member]]);
    default:
      return Object.fromEntries(entries.with(index, [key, how.value]));
  }
}

/** As a file has it: nothing undefined, nothing that JSON has not. */
function asJson(value: unknown): Input {
  const json: unknown = JSON.parse(JSON.stringify(value));
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Input) : {};
}

/** A configuration that was nearly valid, with a few changes. */
export const mutated: fc.Arbitrary<Input> = fc
  .tuple(nearlyValid, fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([input, changes]) => asJson(changes.reduce<unknown>(changed, input)));

/** Anything at all below keys that there are. */
export const shapeless: fc.Arbitrary<Input> = fc
  .dictionary(
    fc.oneof(
      fc.constantFrom(
        'location',
        'resourceGroup',
        'vault',
        'clusters',
        'applications',
        'secretValues',
        'logs',
      ),
      fc.string({ maxLength: 8 }),
    ),
    anything,
  )
  .map(asJson);
