import { everyIdentity } from '../../../stacks/plan';
import { application, input, planOf, validInput, shared } from './settings';

const audience = 'api://AzureADTokenExchange';
const trusting = (namespace: string, serviceAccount = namespace) => [{ namespace, serviceAccount, audience }];

describe('the plan', () => {
  it('has the central vault with all that is read from it, and the own ones', () => {
    const grants = ['aks-1', 'aks-2'].flatMap((cluster) => [
      { grantee: cluster, secrets: ['orders-db', 'shared-api-key'] },
      { grantee: `${cluster}-billing`, secrets: ['billing-db', 'shared-api-key'] },
    ]);
    const ofReports = [{ grantee: 'aks-2-reports', secrets: ['reports-db'] }];
    expect(planOf(validInput()).vaults).toMatchObject([
      { name: 'kv-test', access: 'rbac', secrets: ['billing-db', 'orders-db', 'shared-api-key'], grants },
      { name: 'kv-test-reports', access: 'accessPolicy', application: 'reports', grants: ofReports },
    ]);
  });

  it('has no central vault where every application has its own', () => {
    const { vaults } = planOf(input([application('a', { secrets: ['a'] })], { vaults: 'perApplication' }));

    expect(vaults.map(({ name }) => name)).toEqual(['kv-test-a']);
  });

  it('has one identity a cluster, dedicated ones where asked for, and the operator’s apart', () => {
    const [first, second] = planOf(validInput()).clusters;

    expect(first?.identities).toMatchObject([
      {
        ...{ key: 'aks-1', azureName: 'id-test-aks-1', scope: 'cluster', applications: ['orders'] },
        ...{ kind: 'managedIdentity', retainOnDelete: true, subjects: trusting('orders') },
      },
      {
        ...{ key: 'aks-1-billing', azureName: 'id-test-aks-1-billing', applications: ['billing'] },
        ...{ kind: 'managedIdentity', scope: 'application', subjects: trusting('billing') },
      },
    ]);
    expect(second?.identities.map(({ azureName }) => azureName)).toEqual([
      'id-test-aks-2',
      'id-test-aks-2-billing',
      'id-test-aks-2-reports',
    ]);
    expect(second?.operator).toMatchObject({
      ...{ key: 'aks-2-aso', azureName: 'id-test-aks-2-aso', scope: 'operator', applications: [] },
      subjects: trusting('azureserviceoperator-system', 'azureserviceoperator-default'),
    });
    expect(first?.workloads).toMatchObject([
      { key: 'aks-1-orders', identity: 'aks-1', vault: 'kv-test' },
      { key: 'aks-1-billing', identity: 'aks-1-billing', vault: 'kv-test' },
    ]);
  });

  it('has no identity for an operator that others bring', () => {
    const { clusters } = planOf(validInput({ serviceOperator: { install: false } }));

    expect(clusters.map(({ operator }) => operator)).toEqual([undefined, undefined]);
    expect(clusters.flatMap(everyIdentity).filter(({ key }) => key.endsWith('-aso'))).toEqual([]);
  });

  it('grants a secret once to an identity that several applications share', () => {
    const of = (name: string) =>
      application(name, { ...shared, namespace: 'shop', secrets: ['shared', name] });
    const [vault] = planOf(input([of('a'), of('b'), application('c')])).vaults;

    expect(vault?.grants).toMatchObject([{ grantee: 'aks-1', secrets: ['a', 'b', 'shared'] }]);
  });

  it('has each namespace once per cluster, new or existing', () => {
    const shop = { ...shared, namespace: { name: 'shop', existing: true } };
    const [cluster] = planOf(
      input([application('a', shop), application('b', shop), application('c')]),
    ).clusters;

    expect(cluster?.namespaces).toEqual([
      {
        name: 'c',
        path: ['applications', 2, 'namespace'],
        key: 'aks-1/c',
        existing: false,
        retainOnDelete: true,
        isKept: false,
        provisions: false,
      },
      {
        name: 'shop',
        path: ['applications', 0, 'namespace'],
        key: 'aks-1/shop',
        existing: true,
        retainOnDelete: true,
        isKept: false,
        provisions: false,
      },
    ]);
  });
});
