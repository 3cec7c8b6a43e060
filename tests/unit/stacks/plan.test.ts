import fc from 'fast-check';
import { isValidName } from '../../../components/azure/naming';
import { validate } from '../../../stacks/checks/configuration';
import { everyIdentity } from '../../../stacks/plan';
import { planOf, validInput } from './settings';

const audience = 'api://AzureADTokenExchange';

describe('the plan', () => {
  it('has the central vault with all that is read from it, and the own ones', () => {
    expect(planOf(validInput()).vaults).toEqual([
      {
        name: 'kv-test',
        access: 'rbac',
        secrets: ['billing-db', 'orders-db', 'shared-api-key'],
        retainOnDelete: true,
      },
      {
        name: 'kv-test-reports',
        access: 'accessPolicy',
        application: 'reports',
        secrets: ['reports-db'],
        retainOnDelete: true,
      },
    ]);
  });

  it('has no central vault where every application has its own', () => {
    const plan = planOf(
      validInput({
        vaults: 'perApplication',
        applications: [{ name: 'a', image: 'x:1', secrets: ['a'] }],
        secretValues: {},
      }),
    );

    expect(plan.vaults.map(({ name }) => name)).toEqual(['kv-test-a']);
  });

  it('has one identity a cluster, dedicated ones where asked for, and the operator’s apart', () => {
    const [first, second] = planOf(validInput()).clusters;

    expect(first?.identities).toEqual([
      {
        key: 'aks-1',
        azureName: 'id-test-aks-1',
        kind: 'managedIdentity',
        scope: 'cluster',
        applications: ['orders'],
        subjects: [{ namespace: 'orders', serviceAccount: 'orders', audience }],
        retainOnDelete: true,
        grants: [{ vault: 'kv-test', secrets: ['orders-db', 'shared-api-key'] }],
      },
      {
        key: 'aks-1-billing',
        azureName: 'id-test-aks-1-billing',
        kind: 'managedIdentity',
        scope: 'application',
        applications: ['billing'],
        subjects: [{ namespace: 'billing', serviceAccount: 'billing', audience }],
        retainOnDelete: true,
        grants: [{ vault: 'kv-test', secrets: ['billing-db', 'shared-api-key'] }],
      },
    ]);
    expect(second?.identities.map(({ azureName }) => azureName)).toEqual([
      'id-test-aks-2',
      'id-test-aks-2-billing',
      'id-test-aks-2-reports',
    ]);
    expect(second?.operator).toEqual({
      key: 'aks-2-aso',
      azureName: 'id-test-aks-2-aso',
      kind: 'managedIdentity',
      scope: 'operator',
      applications: [],
      subjects: [
        {
          namespace: 'azureserviceoperator-system',
          serviceAccount: 'azureserviceoperator-default',
          audience,
        },
      ],
      retainOnDelete: true,
      grants: [],
    });
    expect(first?.workloads.map(({ key, identity, vault }) => ({ key, identity, vault }))).toEqual([
      { key: 'aks-1-orders', identity: 'aks-1', vault: 'kv-test' },
      { key: 'aks-1-billing', identity: 'aks-1-billing', vault: 'kv-test' },
    ]);
  });

  it('has no identity for an operator that others bring', () => {
    const plan = planOf(validInput({ serviceOperator: { install: false } }));

    expect(plan.clusters.map(({ operator }) => operator)).toEqual([undefined, undefined]);
    expect(plan.clusters.flatMap(everyIdentity).filter(({ key }) => key.endsWith('-aso'))).toEqual([]);
  });

  it('grants a secret once to an identity that several applications share', () => {
    const plan = planOf(
      validInput({
        clusters: [{ name: 'aks-1' }],
        applications: [
          { name: 'a', image: 'x:1', namespace: 'shop', secrets: ['shared', 'a'] },
          { name: 'b', image: 'x:1', namespace: 'shop', secrets: ['shared', 'b'] },
          { name: 'c', image: 'x:1' },
        ],
        secretValues: {},
      }),
    );

    expect(plan.clusters[0]?.identities[0].grants).toEqual([
      { vault: 'kv-test', secrets: ['a', 'b', 'shared'] },
    ]);
    expect(plan.clusters[0]?.namespaces).toEqual([
      { name: 'c', key: 'aks-1/c', existing: false, retainOnDelete: true, holdsHostedCluster: false },
      { name: 'shop', key: 'aks-1/shop', existing: false, retainOnDelete: true, holdsHostedCluster: false },
    ]);
  });
});

describe('any configuration', () => {
  it('that gives a plan gives one that Azure and Kubernetes accept: names are valid and unlike', () => {
    const valid = fc.record({
      location: fc.constant('westeurope'),
      resourceGroup: fc.constant('rg'),
      vault: fc.record({ name: fc.constant('kv-x'), access: fc.constantFrom('rbac', 'accessPolicy') }),
      clusters: fc.array(fc.record({ name: fc.constantFrom('a', 'a-b', 'c') }), {
        minLength: 1,
        maxLength: 3,
      }),
      applications: fc.array(
        fc.record(
          {
            name: fc.constantFrom('a', 'b', 'b-c', 'orders'),
            image: fc.constant('x:1'),
            secrets: fc.uniqueArray(fc.constantFrom('db', 'key')),
            identity: fc.constantFrom('cluster', 'application'),
            namespace: fc.constantFrom('n', 'm'),
          },
          { requiredKeys: ['name', 'image'] },
        ),
        { maxLength: 4 },
      ),
    });
    let plans = 0;

    fc.assert(
      fc.property(valid, (one) => {
        const validation = validate('test', one);
        if (!validation.ok) return;
        plans += 1;
        const { clusters } = validation.configuration.plan;
        const identities = clusters.flatMap(everyIdentity);
        const names = identities.map(({ azureName }) => azureName);
        expect(new Set(names).size).toBe(names.length);
        expect(names.every((azureName) => isValidName('userAssignedIdentity', azureName))).toBe(true);
        for (const { workloads, identities: known } of clusters) {
          const accounts = workloads.map(({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`);
          expect(new Set(accounts).size).toBe(accounts.length);
          for (const workload of workloads) {
            // Everything that a workload names, its identity was granted, in the vault that it is told of.
            const identity = known.find(({ key }) => key === workload.identity);
            const granted = identity?.grants.find(({ vault }) => vault === workload.vault)?.secrets ?? [];
            expect(granted).toEqual(expect.arrayContaining(workload.application.secrets));
            expect(identity?.subjects).toContainEqual({
              namespace: workload.namespace,
              serviceAccount: workload.serviceAccount,
              audience,
            });
          }
        }
      }),
      { numRuns: 500 },
    );
    expect(plans).toBeGreaterThan(50);
  });
});
