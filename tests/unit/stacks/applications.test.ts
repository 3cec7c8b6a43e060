import { application, input, planOf } from './settings';

// What these do not prove: that what is planned comes up so; the end-to-end test of applications does.

const labelled = {
  clusters: [
    { name: 'aks-1', labels: { tier: 'front', region: 'eu' } },
    { name: 'aks-2', labels: { tier: 'back' } },
  ],
};

describe('where an application runs', () => {
  const clustersOf = (clusters: unknown) =>
    planOf(input([application('orders', { clusters })], labelled))
      .clusters.filter(({ workloads }) => workloads.length > 0)
      .map(({ settings }) => settings.name);

  it('is on all clusters, on those named, or on those that have all labels', () => {
    expect(clustersOf(undefined)).toEqual(['aks-1', 'aks-2']);
    expect(clustersOf(['aks-2'])).toEqual(['aks-2']);
    expect(clustersOf({ labels: { tier: 'front' } })).toEqual(['aks-1']);
    expect(clustersOf({ labels: { tier: 'front', region: 'eu' } })).toEqual(['aks-1']);
    expect(clustersOf({ labels: {} })).toEqual(['aks-1', 'aks-2']);
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
        labelled,
      ),
    );
    const on = (cluster: number, name: string) =>
      plan.clusters[cluster]?.workloads.find((workload) => workload.application.name === name)?.application;

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

describe('service accounts', () => {
  const shop = { name: 'shop', existing: true };

  it('are one or several, new or the first existing', () => {
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
});
