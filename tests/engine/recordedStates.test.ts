/**
 * Previews stacks that earlier commits deployed with the current program, which must recognize all their
 * resources. A component or resource that is renamed or moved without an alias would be deleted and created
 * again, with an application's identity or its secrets. No cloud is used: functions are answered from the
 * record. To make another record, see the header of record.mjs.
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../support/command';
import { shortName } from '../support/updateSteps';
import { RecordedStack } from './support/recordedStack';

jest.setTimeout(5 * 60_000);

const records = path.join(__dirname, 'recorded');

/** The operator reads its own identity, which shows that it has signed in. */
function operatorSignsIn(cluster: string): string[] {
  return [
    `azure-native:authorization:RoleAssignment ${cluster}-aso/itself`,
    `kubernetes:managedidentity.azure.com/v1api20230131:UserAssignedIdentity ${cluster}-service-operator-signed-in`,
  ];
}

/** Resources that the current program makes in addition. None replaces another. */
const additions: Record<string, readonly string[]> = {
  applications: ['back', 'front'].flatMap(operatorSignsIn),
  // What keeps the connection string of invoices current. The secret is that of before.
  dependencies: [
    'aks-workload-identity:dependency:ConnectionWriter two-connections',
    'aks-workload-identity:dependency:ConnectionWriterRole connection-writer',
    'aks-workload-identity:identity:FederatedCredentials two-connections',
    'aks-workload-identity:identity:ManagedIdentity two-connections',
    'azure-native:authorization:RoleAssignment two-connections/invoices/files/keys',
    'azure-native:authorization:RoleAssignment two-connections/invoices/files/secret',
    'azure-native:authorization:RoleDefinition connection-writer',
    'azure-native:managedidentity:FederatedIdentityCredential two-connections/connection-writer_connection-writer',
    'azure-native:managedidentity:UserAssignedIdentity two-connections',
    'kubernetes:apps/v1:Deployment two-connections-reconciler',
    'kubernetes:core/v1:ConfigMap two-connections-connections',
    'kubernetes:core/v1:ConfigMap two-connections-program',
    'kubernetes:core/v1:Namespace two-connections',
    'kubernetes:core/v1:ServiceAccount two-connections-account',
  ],
  keeping: [],
  main: ['aks-1', 'aks-2'].flatMap(operatorSignsIn),
  reuse: ['edge', 'legacy'].flatMap(operatorSignsIn),
  vaults: operatorSignsIn('aks-vaults'),
};

/** Resources in which earlier programs recorded allowed deletions and renames. */
const writtenDown = [
  'delete aks-workload-identity:stacks:AllowedDeletions allowed-deletions',
  'delete aks-workload-identity:stacks:RenamedDependencies renamed-dependencies',
];

/** Resources that the current program no longer has. They do not exist in Azure, or stay there. */
const removals: Record<string, readonly string[]> = {
  dependencies: writtenDown,
  keeping: [
    ...writtenDown,
    // A removed application: earlier programs registered again what had to stay.
    'delete aks-workload-identity:identity:ManagedIdentity aks-1-reports',
    'delete aks-workload-identity:vault:KeyVault kv-wi-keeping-reports',
    'retain azure-native:keyvault:Secret kv-wi-keeping-reports/reports-db',
    'retain azure-native:keyvault:Vault kv-wi-keeping-reports',
    'retain azure-native:managedidentity:UserAssignedIdentity aks-1-reports',
  ],
};

const opened = new Map<string, Promise<RecordedStack>>();
let bundles: string;

/** One stack for all tests, because a preview changes nothing. */
function recorded(name: string): Promise<RecordedStack> {
  const stack = opened.get(name) ?? RecordedStack.open(path.join(records, name), bundles);
  opened.set(name, stack);
  return stack;
}

beforeAll(async () => {
  bundles = await mkdtemp(path.join(tmpdir(), 'recorded-plugins-'));
  await RecordedStack.bundlePlugins(bundles);
});

afterAll(async () => {
  for (const stack of opened.values()) await (await stack).remove();
  await rm(bundles, { recursive: true, force: true });
});

it('lists the additions of every record', async () => {
  expect((await readdir(records)).sort()).toEqual(Object.keys(additions).sort());
});

describe('the records', () => {
  const texts = async (name: string) => {
    const { deployment } = JSON.parse(await readFile(path.join(records, name, 'state.json'), 'utf8')) as {
      deployment: { resources: { urn: string; external?: boolean }[] };
    };
    return deployment.resources.map(({ urn, external }) =>
      external === true ? `read ${shortName(urn)}` : shortName(urn),
    );
  };
  const identity = 'aks-workload-identity:identity:ManagedIdentity';

  it('include a sharded environment, with applications in existing namespaces', async () => {
    const resources = await texts('applications');

    const shards = resources.filter((name) => new RegExp(`^${identity} front-s\\d\\d$`).test(name));
    expect(shards.length).toBeGreaterThan(1);
    expect(resources).toEqual(
      expect.arrayContaining([
        'read kubernetes:core/v1:Namespace front/storefront',
        'kubernetes:core/v1:ServiceAccountPatch front-shop-account',
        'kubernetes:secrets-store.csi.x-k8s.io/v1:SecretProviderClass front-mailer-secrets',
        'kubernetes:helm.sh/v3:Release back-reports',
      ]),
    );
  });

  it('include an existing and an external cluster, and other existing resources', async () => {
    const resources = await texts('reuse');

    expect(resources).toEqual(
      expect.arrayContaining([
        ...['legacy', 'edge'].map((name) => `aks-workload-identity:cluster:WorkloadIdentityCluster ${name}`),
        `${identity} legacy`,
        'aks-workload-identity:vault:KeyVault kv-wi-legacy',
        'azure-native:keyvault:Vault kv-wi-reports',
        'kubernetes:helm.sh/v3:Release edge-workload-identity-webhook',
      ]),
    );
    // Existing resources are not among the stack's own.
    const importable = /^azure-native:[^ ]+:(ManagedCluster|ResourceGroup|Workspace|Vault) /;
    expect(resources.filter((name) => importable.test(name))).toEqual([
      'azure-native:keyvault:Vault kv-wi-reports',
    ]);
    expect(resources).not.toContain('azure-native:managedidentity:UserAssignedIdentity legacy');
    expect(resources).toContain('read kubernetes:core/v1:Namespace legacy/shop');
  });
});

describe.each(Object.keys(additions))('the stack recorded as %s', (name) => {
  it('is recognized completely: nothing in Azure is replaced or deleted, and only new resources are created', async () => {
    const { changed, unchanged } = await (await recorded(name)).preview(projectRoot);
    const disturbing = changed.filter(({ op }) => op !== 'update');
    const removed = removals[name] ?? [];
    expect(disturbing.map(({ op, urn }) => `${op} ${shortName(urn)}`).sort()).toEqual(
      [...(additions[name] ?? []).map((added) => `create ${added}`), ...removed].sort(),
    );
    const updated = changed.length - disturbing.length;
    expect(unchanged + updated + removed.length).toBe(await (await recorded(name)).size());
  });
});

describe('what earlier programs kept and protected', () => {
  it('is refused by the engine, and leaves the stack with --ignore-protect, as docs/retention.md says', async () => {
    const stack = await RecordedStack.open(path.join(records, 'keeping'), bundles);
    try {
      const parents = 'aks-workload-identity:stacks:Cluster$aks-workload-identity:identity:ManagedIdentity';
      const identity = 'azure-native:managedidentity:UserAssignedIdentity';
      await stack.protect(`urn:pulumi:keeping::aks-workload-identity::${parents}$${identity}::aks-1-reports`);

      await expect(stack.preview(projectRoot)).rejects.toThrow(
        /aks-1-reports.*cannot be deleted\s+because it is protected/s,
      );
      const { changed } = await stack.preview(projectRoot, { flags: ['--ignore-protect'] });
      expect(changed.map(({ op, urn }) => `${op} ${shortName(urn)}`)).toContain(
        'retain azure-native:managedidentity:UserAssignedIdentity aks-1-reports',
      );
    } finally {
      await stack.remove();
    }
  });
});

describe('the guard itself', () => {
  const parts = [
    'index.ts',
    'components',
    'stacks',
    'examples',
    'tsconfig.json',
    'tsconfig.run.json',
    'package.json',
    'Pulumi.yaml',
    // Release files of the records.
    'tests/engine/recorded',
  ];
  let program: string;
  beforeAll(async () => {
    program = await mkdtemp(path.join(tmpdir(), 'program-'));
    for (const part of parts) {
      await cp(path.join(projectRoot, part), path.join(program, part), { recursive: true });
    }
    await symlink(path.join(projectRoot, 'node_modules'), path.join(program, 'node_modules'));
    const type = (end: string) => `'aks-workload-identity:${end}'`;
    await change(type('identity:ManagedIdentity'), type('identity:Identity'));
    await change(type('cluster:WorkloadIdentityCluster'), type('cluster:Cluster'));
    await change(type('application:Workload'), type('application:Application'));
    await change('`${name}-account`', '`${name}-service-account`');
  });
  afterAll(() => rm(program, { recursive: true, force: true }));

  it.each([
    [
      'main',
      [
        'azure-native:managedidentity:UserAssignedIdentity aks-1',
        'kubernetes:core/v1:ServiceAccount aks-1-orders-account',
      ],
    ],
    [
      'applications',
      [
        'azure-native:managedidentity:UserAssignedIdentity front-s27',
        'kubernetes:core/v1:ServiceAccountPatch front-shop-account',
      ],
    ],
    ['reuse', ['pulumi:providers:kubernetes legacy-provider', 'pulumi:providers:kubernetes edge-provider']],
  ])('detects changed types of components and a changed name of a resource: %s', async (name, lost) => {
    const { changed } = await (await recorded(name)).preview(program, { importing: true });

    const deleted = changed.filter(({ op }) => /delete|retain/.test(op)).map(({ urn }) => shortName(urn));
    expect(deleted).toEqual(expect.arrayContaining(lost));
  });

  /** Changes the first component that contains the text. */
  async function change(before: string, after: string): Promise<void> {
    const folder = path.join(program, 'components');
    let found = false;
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const file = path.join(folder, name);
      const text = await readFile(file, 'utf8');
      if (!text.includes(before)) continue;
      found = true;
      await writeFile(file, text.replaceAll(before, after));
    }
    if (!found) throw new Error(`no component has ${before}: change what this test changes`);
  }
});
