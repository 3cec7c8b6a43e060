import type { EnvironmentPlan } from '../../../stacks/plan';
import { validate } from '../../../stacks/checks/configuration';
import { formatProblem } from '../../../stacks/settings/problem';
import { application, problemsOf, validInput } from './settings';

// What these do not prove: that what is planned comes up so; the end-to-end test of applications does.

const input = (applications: unknown[], changes: Record<string, unknown> = {}) =>
  validInput({ applications, secretValues: {}, ...changes });
const problems = (more: Record<string, unknown>, changes: Record<string, unknown> = {}) =>
  problemsOf(input([application('orders', more)], changes));
const at = (rest: string) => `aks-workload-identity:applications[0].${rest}`;
const chart = { image: undefined, chart: { chart: './charts/orders' } };
const labelled = [
  { name: 'aks-1', labels: { tier: 'front', region: 'eu' } },
  { name: 'aks-2', labels: { tier: 'back' } },
];
const id = (name: string) =>
  `/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

function planOf(given: Record<string, unknown>): EnvironmentPlan {
  const validation = validate('test', given);
  if (!validation.ok) throw new Error(validation.problems.map(formatProblem).join('\n'));
  return validation.configuration.plan;
}

describe('where an application runs', () => {
  const clustersOf = (clusters: unknown) =>
    planOf(input([application('orders', { clusters })], { clusters: labelled }))
      .clusters.filter(({ workloads }) => workloads.length > 0)
      .map(({ settings }) => settings.name);

  it('is on all clusters, on those named, or on those that have all labels', () => {
    expect(clustersOf(undefined)).toEqual(['aks-1', 'aks-2']);
    expect(clustersOf(['aks-2'])).toEqual(['aks-2']);
    expect(clustersOf({ labels: { tier: 'front' } })).toEqual(['aks-1']);
    expect(clustersOf({ labels: { tier: 'front', region: 'eu' } })).toEqual(['aks-1']);
    expect(clustersOf({ labels: {} })).toEqual(['aks-1', 'aks-2']);
  });

  it('cannot be nowhere', () => {
    expect(
      problems({ clusters: { labels: { tier: 'front', region: 'us' } } }, { clusters: labelled }),
    ).toEqual([
      at(
        'clusters.labels: { tier: front, region: us } fits no cluster of this stack. Allowed: aks-1 { tier: front, region: eu }, aks-2 { tier: back }. Correct it, or set `labels` on a cluster.',
      ),
    ]);
    expect(problems({ clusters: ['aks-3'] })).toEqual([
      at('clusters[0]: "aks-3" is no cluster of this stack. Allowed: aks-1, aks-2. Did you mean aks-1?'),
    ]);
  });
});

describe('overrides', () => {
  it('hold on their clusters, later ones win, variables and values are merged, everything else replaced', () => {
    const plan = planOf(
      input(
        [
          application('orders', {
            env: { LEVEL: 'info', REGION: 'eu' },
            replicas: 3,
            overrides: [
              { clusters: ['aks-1', 'aks-2'], replicas: 1, env: { LEVEL: 'debug' } },
              {
                clusters: { labels: { tier: 'back' } },
                replicas: 2,
                image: 'ghcr.io/x/reader:2',
                port: 9000,
              },
            ],
          }),
          application('reports', {
            image: undefined,
            chart: { chart: './x', values: { resources: { cpu: 1, memory: 2 }, args: [1, 2] } },
            overrides: [{ clusters: ['aks-2'], values: { resources: { cpu: 5 }, args: [3] } }],
          }),
        ],
        { clusters: labelled },
      ),
    );
    const on = (cluster: number, name: string) =>
      plan.clusters[cluster]?.workloads.find((one) => one.application.name === name)?.application;

    expect(on(0, 'orders')).toMatchObject({
      image: 'ghcr.io/x/reader:1',
      replicas: 1,
      env: { LEVEL: 'debug', REGION: 'eu' },
    });
    expect(on(0, 'orders')).toMatchObject({ port: undefined });
    expect(on(1, 'orders')).toMatchObject({
      image: 'ghcr.io/x/reader:2',
      replicas: 2,
      port: 9000,
      env: { LEVEL: 'debug', REGION: 'eu' },
    });
    expect(on(0, 'reports')).toMatchObject({
      chart: { values: { resources: { cpu: 1, memory: 2 }, args: [1, 2] } },
    });
    expect(on(1, 'reports')).toMatchObject({
      chart: { values: { resources: { cpu: 5, memory: 2 }, args: [3] } },
    });
  });

  it.each([
    [
      'a cluster that there is not',
      { overrides: [{ clusters: ['aks-9'], replicas: 1 }] },
      'overrides[0].clusters[0]: "aks-9" is no cluster of this stack. Allowed: aks-1, aks-2. Did you mean aks-1?',
    ],
    [
      'labels that no cluster has',
      { overrides: [{ clusters: { labels: { tier: 'middle' } }, replicas: 1 }] },
      'overrides[0].clusters.labels: { tier: middle } fits no cluster of this stack. Allowed: aks-1 { tier: front, region: eu }, aks-2 { tier: back }. Correct it, or set `labels` on a cluster.',
    ],
    [
      'a cluster that the application does not run on',
      { clusters: ['aks-1'], overrides: [{ clusters: ['aks-2'], replicas: 1 }] },
      'overrides[0].clusters: a list of 1 selects no cluster that the application runs on. Allowed: aks-1. Correct it, or remove the override.',
    ],
    [
      'values of an image',
      { overrides: [{ clusters: ['aks-1'], values: { a: 1 } }] },
      'overrides[0].values: has no meaning with `image`. Allowed: only with `chart` or `release`. Remove it, or set `chart` or `release`.',
    ],
    [
      'the image of a chart',
      { ...chart, overrides: [{ clusters: ['aks-1'], image: 'x/y:1' }] },
      'overrides[0].image: "x/y:1" has no meaning with `chart`. Allowed: only with `image`. Remove it, or set `image`.',
    ],
    [
      'the replicas of a chart',
      { ...chart, overrides: [{ clusters: ['aks-1'], replicas: 1 }] },
      'overrides[0].replicas: 1 has no meaning with `chart`. Allowed: only with `image` or `release`. Remove it, or set `image` or `release`.',
    ],
    [
      'a variable that the webhook sets',
      { overrides: [{ clusters: ['aks-1'], env: { AZURE_CLIENT_ID: 'x' } }] },
      'overrides[0].env.AZURE_CLIENT_ID: "AZURE_CLIENT_ID" is not allowed. Allowed: letters, digits and underscores, not starting with a digit, and none of AZURE_AUTHORITY_HOST, AZURE_CLIENT_CERTIFICATE_PATH, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, AZURE_FEDERATED_TOKEN_FILE, AZURE_TENANT_ID, KEY_VAULT_URI, SECRET_NAMES, which the deployment and the workload identity webhook set.',
    ],
  ])('are refused for %s', (_what, more, message) => {
    expect(problems(more, { clusters: labelled })).toEqual([at(message)]);
  });
});

describe('the delivery of secrets', () => {
  it.each(['application', 'files', 'environment'])('may be %s', (delivery) => {
    expect(problems({ delivery, secrets: ['orders-db', 'shared'] })).toEqual([]);
  });

  it.each([
    [
      'nothing to deliver',
      { delivery: 'files' },
      {},
      'delivery: "files" has nothing to deliver. Allowed: application, for one without `secrets`. Name its `secrets`, or remove it.',
    ],
    [
      'another audience',
      { delivery: 'files', secrets: ['a'], audience: 'openshift' },
      {},
      'delivery: "files" does not go with the audience "openshift": the driver asks for tokens of its own. Allowed: application, or the audience api://AzureADTokenExchange. Set `audience: api://AzureADTokenExchange` on the application, or remove `delivery`.',
    ],
    [
      'another audience of the environment',
      { delivery: 'environment', secrets: ['a'] },
      { audience: 'openshift' },
      'delivery: "environment" does not go with the audience "openshift": the driver asks for tokens of its own. Allowed: application, or the audience api://AzureADTokenExchange. Set `audience: api://AzureADTokenExchange` on the application, or remove `delivery`.',
    ],
    [
      'a variable that is taken',
      { delivery: 'environment', secrets: ['a', 'orders-db'], env: { ORDERS_DB: 'x' } },
      {},
      'secrets[1]: "orders-db" would be in the variable ORDERS_DB, which `env` sets already. Rename the one or the other, or set `delivery: files`.',
    ],
    [
      'a variable that is taken on one cluster',
      { delivery: 'environment', secrets: ['a'], overrides: [{ clusters: ['aks-1'], env: { A: 'x' } }] },
      {},
      'secrets[0]: "a" would be in the variable A, which `env` sets already. Rename the one or the other, or set `delivery: files`.',
    ],
    [
      'a variable of the deployment',
      { delivery: 'environment', secrets: ['azure-client-id'] },
      {},
      'secrets[0]: "azure-client-id" would be in the variable AZURE_CLIENT_ID, which is set by the deployment or by the workload identity webhook. Rename the one or the other, or set `delivery: files`.',
    ],
    [
      'no variable',
      { delivery: 'environment', secrets: ['1st-db'] },
      {},
      'secrets[0]: "1st-db" would be in the variable 1ST_DB, which cannot start with a digit. Rename the one or the other, or set `delivery: files`.',
    ],
    [
      'two spellings of one secret',
      { delivery: 'environment', secrets: ['db', 'DB'] },
      {},
      'secrets[1]: "DB" is in the list already; the two differ only in case, and Azure does not tell them apart. Remove one of them.',
    ],
  ])('is refused for %s', (_what, more, changes, message) => {
    expect(problems(more, changes)).toEqual([at(message)]);
  });

  it('leaves the variables of a chart to the chart', () => {
    expect(problems({ ...chart, delivery: 'environment', secrets: ['1st-db'] })).toEqual([]);
  });
});

describe('the audience', () => {
  it('is that of the environment, or of the application; all its service accounts need it', () => {
    const plan = planOf(
      input([application('a', { serviceAccounts: ['w'] }), application('b', { audience: 'openshift' })], {
        clusters: [{ name: 'aks-1' }],
        audience: 'api://other',
      }),
    );

    expect(plan.clusters[0]?.identities[0].subjects).toEqual([
      { namespace: 'a', serviceAccount: 'a', audience: 'api://other' },
      { namespace: 'a', serviceAccount: 'w', audience: 'api://other' },
      { namespace: 'b', serviceAccount: 'b', audience: 'openshift' },
    ]);
  });
});

describe('namespaces', () => {
  it('are made or existing, the same for all applications in one', () => {
    const both = (first: unknown, second: unknown, changes: Record<string, unknown> = {}) =>
      problemsOf(
        input([application('a', { namespace: first }), application('b', { namespace: second, ...changes })]),
      );
    const existing = { name: 'shop', existing: true };

    expect(both(existing, existing)).toEqual([]);
    expect(both('shop', { name: 'shop', existing: false })).toEqual([]);
    expect(both('shop', existing)).toEqual([
      'aks-workload-identity:applications[1].namespace: "shop" is existing here and made by aks-workload-identity:applications[0] on aks-1. Allowed: the same `existing` wherever a namespace is named. Write `namespace: { name: shop, existing: true }` in both if it exists, `namespace: shop` if it is to be made.',
    ]);
    // On different clusters they are different namespaces.
    expect(
      problemsOf(
        input([
          application('a', { namespace: 'shop', clusters: ['aks-1'] }),
          application('b', { namespace: existing, clusters: ['aks-2'] }),
        ]),
      ),
    ).toEqual([]);
  });

  it('are planned once a cluster, and exist already if they say so', () => {
    const plan = planOf(
      input([
        application('a', { namespace: { name: 'shop', existing: true } }),
        application('b', { namespace: { name: 'shop', existing: true } }),
        application('c'),
      ]),
    );

    expect(plan.clusters[0]?.namespaces).toEqual([
      { name: 'c', key: 'aks-1/c', existing: false, retainOnDelete: true, holdsHostedCluster: false },
      { name: 'shop', key: 'aks-1/shop', existing: true, retainOnDelete: true, holdsHostedCluster: false },
    ]);
  });
});

describe('service accounts', () => {
  const shop = { name: 'shop', existing: true };

  it('are one or several, made or the first existing', () => {
    const plan = planOf(
      input([
        application('a', {
          namespace: shop,
          serviceAccount: { name: 'front', existing: true },
          serviceAccounts: ['worker'],
        }),
      ]),
    );

    expect(plan.clusters[0]?.workloads[0]).toMatchObject({
      namespace: 'shop',
      serviceAccount: 'front',
      serviceAccounts: ['front', 'worker'],
      existingServiceAccount: true,
    });
  });

  it.each([
    [
      'existing where there are none yet',
      { namespace: 'shop', serviceAccount: { name: 'front', existing: true } },
      'serviceAccount: "front" is named as existing in the namespace "shop", which is made here and has none yet. Write `namespace: { name: shop, existing: true }` if the namespace exists too, or remove `existing` here.',
    ],
    [
      'made although Kubernetes makes it',
      { serviceAccount: 'default' },
      'serviceAccount: "default" is made by Kubernetes in every namespace. Set `serviceAccount: { name: default, existing: true }`, or another name.',
    ],
    [
      'a further one that Kubernetes makes',
      { serviceAccounts: ['default'] },
      'serviceAccounts[0]: "default" is made by Kubernetes in every namespace. Set `serviceAccount: { name: default, existing: true }`, or another name.',
    ],
    [
      'the first among the further ones',
      { serviceAccounts: ['worker', 'orders'] },
      'serviceAccounts[1]: "orders" is the service account of the application already. Remove it: these are further ones.',
    ],
    [
      'named twice',
      { serviceAccounts: ['worker', 'worker'] },
      'serviceAccounts[1]: "worker" is in the list already. Remove one of them.',
    ],
  ])('are refused if %s', (_what, more, message) => {
    expect(problems(more)).toEqual([at(message)]);
  });

  it('belong to one application each, further ones as well, said once for all clusters', () => {
    const both = (second: Record<string, unknown>) =>
      problemsOf(
        input([
          application('a', { namespace: 'shop', serviceAccounts: ['worker'] }),
          application('b', { namespace: 'shop', ...second }),
        ]),
      );

    expect(both({ serviceAccount: 'worker' })).toEqual([
      'aks-workload-identity:applications[1].serviceAccount: "shop/worker" is a service account of aks-workload-identity:applications[0] on aks-1 already. Set another `serviceAccount` or `namespace`.',
    ]);
    expect(both({ serviceAccounts: ['x', 'a'] })).toEqual([
      'aks-workload-identity:applications[1].serviceAccounts[1]: "shop/a" is the service account of aks-workload-identity:applications[0] on aks-1 already. Set another `serviceAccount` or `namespace`.',
    ]);
  });
});

describe('existing identities of an application', () => {
  const withIdentities = (existing: Record<string, string>, more: Record<string, unknown> = {}) =>
    problems({ identity: { existing }, ...more });

  it('are one for each cluster that it runs on', () => {
    expect(withIdentities({ 'aks-1': id('one'), 'aks-2': id('two') })).toEqual([]);
    expect(withIdentities({ 'aks-1': id('one') })).toEqual([
      at(
        'identity.existing.aks-2: is missing, and orders runs there. Allowed: an identity for each cluster of the application. Add its resource id, or take the cluster out of `clusters`.',
      ),
    ]);
    expect(withIdentities({ 'aks-1': id('one'), 'aks-2': id('two') }, { clusters: ['aks-1'] })).toEqual([
      at(
        `identity.existing.aks-2: "${id('two')}" is for a cluster that orders does not run on. Allowed: aks-1. Remove it, or add the cluster to \`clusters\`.`,
      ),
    ]);
    expect(withIdentities({ 'aks-1': id('one'), 'aks-2': id('two'), 'aks-22': id('three') })).toEqual([
      at(
        'identity.existing.aks-22: "aks-22" is no cluster of this stack. Allowed: aks-1, aks-2. Did you mean aks-2?',
      ),
    ]);
  });

  it('are not one for two clusters, whose credentials would be one', () => {
    expect(withIdentities({ 'aks-1': id('one'), 'aks-2': id('ONE') })).toEqual([
      expect.stringMatching(
        /^aks-workload-identity:applications\[0\]\.identity\.existing\.aks-2: .* already; the two differ only in case/,
      ),
    ]);
  });
});
