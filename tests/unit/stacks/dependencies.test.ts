import { depending, files, input, planOf } from './depending';
import { application, problemsOf } from './settings';

const at = 'aks-workload-identity:applications[0].dependencies[0]';

describe('what cannot work of dependencies', () => {
  it('is told all at once, of the others also where one is wrong in itself', () => {
    const wrong = { name: 'db', postgresql: { name: 'pg', database: 'main' } };
    const again = { ...files, name: 'again' };

    expect(
      problemsOf(
        input([{ ...depending([wrong]), name: 'wrong' }, depending([files, again])], {
          services: { resourceGroup: 'rg-test' },
        }),
      ),
    ).toEqual([
      expect.stringContaining(`${at}.postgresql.name: "pg" is not allowed.`),
      expect.stringMatching(/services\.resourceGroup: "rg-test" is the environment's own group/),
      expect.stringContaining(
        'applications[1].dependencies[1].storageAccount.name: "stfiles" is the name of',
      ),
    ]);
  });

  it('is told with what is allowed where their groups are said as well', () => {
    expect(problemsOf(input([], { services: { retainOnDelete: 'maybe' } }))).toEqual([
      'aks-workload-identity:services.retainOnDelete: "maybe" is not allowed. Allowed: true, false.',
    ]);
  });

  it.each<[string, unknown[], string]>([
    ['no service', [{ name: 'files' }], `${at}: has none of \`storageAccount\`, `],
    [
      'two services',
      [{ ...files, vault: { name: 'kv-files' } }],
      `${at}.storageAccount: an object has no meaning with \`vault\`. Allowed: either \`storageAccount\` or \`vault\`. Remove one`,
    ],
    [
      'one name twice',
      [files, { name: 'files', vault: { name: 'kv-files' } }],
      `aks-workload-identity:applications[0].dependencies[1].name: "files" is the name of ${at} already.`,
    ],
    [
      'a secret of what has none',
      [{ name: 'db', postgresql: { name: 'pg-orders', database: 'orders' }, connection: 'secret' }],
      `${at}.connection: "secret" is not allowed. Allowed: identity.`,
    ],
    [
      'a vault for what has no key to put there',
      [{ name: 'cache', redis: { name: 'redis-orders' }, connection: 'vault' }],
      `${at}.connection: "vault" is not allowed. Allowed: identity, secret.`,
    ],
    [
      'a size that Premium does not have',
      [{ name: 'cache', redis: { name: 'redis-orders', sku: 'Premium', capacity: 6 } }],
      `${at}.redis.capacity: 6 is not allowed. Allowed: a whole number from 0 to 6, for Premium from 1 to 5.`,
    ],
    [
      'a name that Azure refuses',
      [{ name: 'files', storageAccount: { name: 'st-Files' } }],
      `${at}.storageAccount.name: "st-Files" is not allowed. Allowed: 3 to 24 lower-case letters and digits, unique in all of Azure.`,
    ],
    [
      'data that a storage account does not have',
      [{ name: 'files', storageAccount: { name: 'stfiles', data: ['blob'] } }],
      `${at}.storageAccount.data[0]: "blob" is not allowed. Allowed: blobs, queues, tables. Did you mean blobs?`,
    ],
    [
      'a name of Service Bus that Azure keeps for itself',
      [{ name: 'bus', serviceBus: { name: 'orders-mgmt' } }],
      `${at}.serviceBus.name: "orders-mgmt" is not allowed.`,
    ],
    [
      'two things of one name',
      [files, { name: 'more', storageAccount: { name: 'stfiles' } }],
      `aks-workload-identity:applications[0].dependencies[1].storageAccount.name: "stfiles" is the name of ${at} already. Allowed: a name of its own in all of Azure.`,
    ],
    [
      'the name of the vault of the environment',
      [{ name: 'own', vault: { name: 'KV-test' } }],
      `${at}.vault.name: "KV-test" is the name of a vault of the environment already; the two differ only in case, and Azure does not tell them apart.`,
    ],
    [
      'one account by a shorthand and written out',
      [
        files,
        {
          name: 'raw',
          resource: {
            apiVersion: 'storage.azure.com/v1api20230101',
            kind: 'StorageAccount',
            spec: { azureName: 'stfiles' },
          },
        },
      ],
      'aks-workload-identity:applications[0].dependencies[1].resource.spec.azureName: "stfiles" is the name of',
    ],
    [
      'one object twice',
      [
        { name: 'a', storageAccount: { name: 'storders' }, connection: 'secret' },
        { name: 'a-keys-15c9d970', serviceBus: { name: 'sb-orders-a' } },
      ],
      'aks-workload-identity:applications[0].dependencies[1].name: "a-keys-15c9d970" gives an object the name "orders-a-keys-15c9d970"',
    ],
    [
      'a name too long for a label',
      [{ ...files, name: 'a'.repeat(40) }],
      `${at}.name: "${'a'.repeat(40)}" gives the custom resource the name "orders-${'a'.repeat(40)}"`,
    ],
  ])('%s is an error', (what, dependencies, problem) => {
    const name = what === 'a name too long for a label' ? 'o'.repeat(30) : 'orders';
    const problems = problemsOf(input([application(name, { dependencies })]));
    const expected = problem.replace('"orders-aaaa', `"${name}-aaaa`);

    expect(problems).toEqual([expect.stringContaining(expected)]);
  });

  it.each(['2.9.0', 'v2.17.0'])('an operator that is too old (%s) is an error', (version) => {
    expect(problemsOf(input([depending()], { serviceOperator: { version } }))).toEqual([
      `aks-workload-identity:serviceOperator.version: "${version}" has not all the custom resources that \`dependencies\` are made of. Allowed: 2.18.0 or a newer one. Set it, or leave it out for the version that is tested.`,
    ]);
  });

  it('an operator of any version will do without dependencies, and a newer one with', () => {
    expect(problemsOf(input([application('a')], { serviceOperator: { version: '2.9.0' } }))).toEqual([]);
    expect(problemsOf(input([depending()], { serviceOperator: { version: '2.20.0' } }))).toEqual([]);
  });

  it('a variable that is taken is an error', () => {
    const [problem] = problemsOf(input([depending([files], { env: { FILES_BLOB_ENDPOINT: 'x' } })]));

    expect(problem).toBe(
      `${at}.name: "files" gives the application the variable FILES_BLOB_ENDPOINT, which \`env\` sets already. Allowed: variables that are free. Set another \`name\`.`,
    );
    // The variables of a chart's pods are its own affair.
    const chart = { name: 'orders', chart: { chart: './charts/x' }, dependencies: [files] };
    expect(problemsOf(input([chart]))).toEqual([]);
  });

  it('objects of one name in one namespace are an error, and in two they are none', () => {
    const both = (namespace?: string) => [
      application('a', {
        dependencies: [{ name: 'b-c', storageAccount: { name: 'stone' } }],
        namespace: 'x',
      }),
      application('a-b', {
        dependencies: [{ name: 'c', storageAccount: { name: 'sttwo' } }],
        ...(namespace !== undefined && { namespace }),
      }),
    ];

    expect(problemsOf(input(both('x')))).toEqual([
      expect.stringContaining(
        'gives an object the name "a-b-c", which aks-workload-identity:applications[0]',
      ),
    ]);
    expect(problemsOf(input(both()))).toEqual([]);
  });

  it('a secret that a dependency brings is nobody else’s, and has no value here', () => {
    const brought = depending([{ ...files, connection: 'vault' }]);

    expect(problemsOf(input([brought, application('b', { secrets: ['orders-files'] })]))).toEqual([
      expect.stringContaining(
        'applications[1].secrets[0]: "orders-files" is what aks-workload-identity:applications[0].dependencies[0] brings',
      ),
    ]);
    expect(problemsOf(input([brought], { secretValues: { 'orders-files': 'x' } }))).toEqual([
      expect.stringContaining(
        "secretValues.orders-files: is what aks-workload-identity:applications[0].dependencies[0] brings into the vault: its value is Azure's",
      ),
    ]);
    expect(problemsOf(input([{ ...brought, delivery: 'files' }]))).toEqual([]);
  });

  it('who provisions for one application cannot do so in a namespace of two', () => {
    const own = depending([files], { provisioning: 'application', namespace: 'x' });
    const other = application('b', {
      namespace: 'x',
      dependencies: [{ name: 'files', storageAccount: { name: 'stother' } }],
    });

    expect(problemsOf(input([own, other]))).toEqual([
      expect.stringContaining(
        'applications[0].provisioning: "application" would provision what aks-workload-identity:applications[1] depends on as well',
      ),
    ]);
    expect(problemsOf(input([own, { ...other, dependencies: [] }]))).toEqual([]);
    expect(problemsOf(input([depending([], { provisioning: 'application' })]))).toEqual([
      expect.stringContaining('provisioning: "application" has nothing to provision.'),
    ]);
  });

  it('what is unique in all of Azure has its name once in all groups, anything else once in its own', () => {
    const two = (dependency: Record<string, unknown>) =>
      problemsOf(
        input([
          depending([dependency], { provisioning: 'application' }),
          application('b', { dependencies: [dependency] }),
        ]),
      );

    expect(two(files)).toHaveLength(1);
    expect(two({ name: 'own', identity: { name: 'id-one' } })).toEqual([]);
  });

  it("the environment's own group is not for services", () => {
    expect(problemsOf(input([depending()], { services: { resourceGroup: 'RG-test' } }))).toEqual([
      expect.stringContaining('services.resourceGroup: "rg-test" is the environment\'s own group'),
    ]);
  });
});

describe('the plan of dependencies', () => {
  it('has one cluster that manages, the first that the application runs on', () => {
    const { clusters } = planOf(
      input([depending([files], { clusters: ['aks-3', 'aks-2'] })], {
        clusters: [{ name: 'aks-1' }, { name: 'aks-2' }, { name: 'aks-3' }],
      }),
    );

    expect(
      clusters.map(({ workloads }) =>
        workloads.flatMap(({ dependencies }) =>
          dependencies.map(({ key, manages, managedBy, group }) => ({ key, manages, managedBy, group })),
        ),
      ),
    ).toEqual([
      [],
      [{ key: 'aks-2/storageAccount/stfiles', manages: true, managedBy: 'aks-2', group: 'rg-test-services' }],
      [
        {
          key: 'aks-3/storageAccount/stfiles',
          manages: false,
          managedBy: 'aks-2',
          group: 'rg-test-services',
        },
      ],
    ]);
  });

  it('gives the operator only the roles that it needs, on the group of the services', () => {
    const [cluster] = planOf(
      input([
        depending([files, { name: 'own', vault: { name: 'kv-own' } }]),
        application('b', { dependencies: [{ name: 'files', storageAccount: { name: 'stother' } }] }),
      ]),
    ).clusters;

    expect(cluster?.provisioning).toEqual({
      group: 'rg-test-services',
      roles: ['keyVaultContributor', 'storageAccountContributor'].map((role) => ({
        key: `aks-1-aso/rg-test-services/${role}`,
        role,
      })),
    });
    expect(cluster?.crdPatterns).toEqual(['keyvault.azure.com/Vault', 'storage.azure.com/StorageAccount']);
    expect(planOf(input([application('b')])).clusters[0]?.provisioning).toBeUndefined();
  });

  it('has groups that go only if all that is in them may', () => {
    const retainedWith = (retainOnDelete: boolean) =>
      planOf(
        input(
          [
            depending([{ ...files, retainOnDelete: false }]),
            application('sales', {
              dependencies: [{ name: 'files', storageAccount: { name: 'stsales' }, retainOnDelete }],
            }),
          ],
          { services: { retainOnDelete: false } },
        ),
      ).servicesGroups.map((group) => group.retainOnDelete);

    expect(retainedWith(false)).toEqual([false]);
    expect(retainedWith(true)).toEqual([true]);
  });

  it('has an identity and a group for an application that provisions itself', () => {
    const { clusters, servicesGroups } = planOf(
      input([depending([files], { provisioning: 'application' })], { services: { resourceGroup: 'rg-s' } }),
    );

    expect(servicesGroups).toEqual([{ name: 'rg-s-orders', retainOnDelete: true }]);
    expect(clusters[0]?.provisioning).toBeUndefined();
    expect(clusters[0]?.provisioners).toEqual([
      {
        key: 'aks-1-orders-aso',
        azureName: 'id-test-aks-1-orders-aso',
        kind: 'managedIdentity',
        scope: 'operator',
        applications: [],
        subjects: [
          {
            namespace: 'azureserviceoperator-system',
            serviceAccount: 'azureserviceoperator-default',
            audience: 'api://AzureADTokenExchange',
          },
        ],
        grants: [],
        retainOnDelete: true,
        application: 'orders',
        namespace: 'orders',
        group: 'rg-s-orders',
        roles: [
          {
            key: 'aks-1-orders-aso/rg-s-orders/storageAccountContributor',
            role: 'storageAccountContributor',
          },
        ],
      },
    ]);
  });

  it('takes the nearest retention that is said', () => {
    const retained = (application?: boolean, dependency?: boolean) =>
      planOf(
        input(
          [
            depending([{ ...files, ...(dependency !== undefined && { retainOnDelete: dependency }) }], {
              ...(application !== undefined && { retainOnDelete: application }),
            }),
          ],
          { retainOnDelete: false },
        ),
      ).clusters[0]?.workloads[0]?.dependencies[0]?.retainOnDelete;

    expect([retained(), retained(true), retained(true, false)]).toEqual([false, true, false]);
  });

  it('has what a dependency brings among the secrets of the vault and the grants', () => {
    const { vaults, clusters } = planOf(
      input([depending([{ ...files, connection: 'vault' }], { secrets: ['b'] })]),
    );

    expect(vaults[0]).toMatchObject({ secrets: ['b', 'orders-files'] });
    expect(clusters[0]?.identities[0].grants).toEqual([{ vault: 'kv-test', secrets: ['b', 'orders-files'] }]);
  });
});

describe('the name of a dependency in the stack', () => {
  const keyOf = (dependency: object, more: object = {}) => {
    const [planned] =
      planOf(input([depending([dependency], { ...more })])).clusters[0]?.workloads[0]?.dependencies ?? [];
    return { key: planned?.key, alias: planned?.alias };
  };
  const resource = (spec: object) => ({
    name: 'c',
    resource: {
      apiVersion: 'storage.azure.com/v20250601',
      kind: 'StorageAccountsBlobServicesContainer',
      spec,
    },
  });

  it('is what it is in Azure, so that the application may call it something else', () => {
    expect(keyOf({ ...files, name: 'files' })).toEqual({
      key: 'aks-1/storageAccount/stfiles',
      alias: 'aks-1-orders/files',
    });
    expect(keyOf({ ...files, name: 'documents' }).key).toBe('aks-1/storageAccount/stfiles');
  });

  it('has its group where the name is not unique in all of Azure', () => {
    expect(keyOf({ name: 'a', identity: { name: 'worker' } }).key).toBe(
      'aks-1/identity/rg-test-services/worker',
    );
  });

  it('has its owner, where it is any custom resource', () => {
    const kind = 'aks-1/storage.azure.com/StorageAccountsBlobServicesContainer';
    const armId = '/subscriptions/s/resourceGroups/g/providers/x/y/st2';

    expect(keyOf(resource({ azureName: 'data', owner: { name: 'st1' } })).key).toBe(`${kind}/st1/data`);
    expect(keyOf(resource({ azureName: 'data', owner: { armId } })).key).toBe(`${kind}/st2/data`);
    expect(keyOf(resource({})).key).toBe(`${kind}/rg-test-services/orders-c`);
  });
});
