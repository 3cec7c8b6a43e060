import type { ReachQuestion } from '../../../stacks/access/question';
import type { AccessCheck } from '../../../verification/checks';
import { planChecks } from '../../../verification/plan';
import { twoClusters } from './outputs.fixture';

/** What a stack registered: an access policy for reports, and a grant of stock, which shares the identity of orders. */
const reasonToReach = ({ identity, vaultId, secret }: ReachQuestion): string | undefined => {
  if (identity.name === 'id-aks-2-reports' && vaultId.includes('kv-reports')) return 'an access policy';
  return identity.name === 'id-aks-1' && secret === 'billing-db' ? 'it is granted' : undefined;
};

const checksOf = (application: string, cluster: string, outputs = twoClusters()): AccessCheck[] => {
  const workload = outputs.workloads.find(
    (candidate) => candidate.application === application && candidate.cluster === cluster,
  );
  if (workload === undefined) throw new Error(`no workload ${cluster}/${application}`);
  return planChecks(outputs, workload, reasonToReach);
};

const secretsOf = (checks: AccessCheck[], kind: AccessCheck['kind']): string[] =>
  checks.flatMap((check) =>
    check.kind === kind && 'secret' in check ? [`${check.vault}/${check.secret}`] : [],
  );

describe('the plan of a workload', () => {
  it('reads what is granted and is refused every other secret of the stack', () => {
    const checks = checksOf('orders', 'aks-1');
    expect(secretsOf(checks, 'read')).toEqual(['kv-central/orders-db', 'kv-central/shared']);
    expect(secretsOf(checks, 'refused')).toEqual(['kv-reports/reports-db', 'kv-reports/reports-key']);
    expect(secretsOf(checks, 'overreach')).toEqual(['kv-central/billing-db']);
  });

  it('lists the rest of a vault with access policies as overreach, with the reason', () => {
    const checks = checksOf('reports', 'aks-2');
    expect(secretsOf(checks, 'read')).toEqual(['kv-reports/reports-db']);
    expect(checks).toContainEqual({
      kind: 'overreach',
      vault: 'kv-reports',
      secret: 'reports-key',
      because: 'an access policy',
    });
  });

  it('lists what else is granted to the identity as overreach', () => {
    expect(checksOf('orders', 'aks-1')).toContainEqual({
      ...{ kind: 'overreach', vault: 'kv-central', secret: 'billing-db', because: 'it is granted' },
    });
  });

  it('requests the token of each further service account, which is trusted as well', () => {
    const outputs = twoClusters();
    const [orders] = outputs.workloads;
    if (orders === undefined) throw new Error('no workloads');
    orders.serviceAccounts = ['orders', 'worker'];

    expect(checksOf('orders', 'aks-1', outputs).slice(0, 2)).toEqual([
      { kind: 'exchange' },
      {
        kind: 'exchange',
        account: { cluster: 'aks-1', namespace: 'orders', serviceAccount: 'worker' },
      },
    ]);
    // Not taken for an account that must be refused.
    orders.serviceAccounts = ['orders', 'default'];
    expect(checksOf('orders', 'aks-1', outputs)).toContainEqual({
      kind: 'notFederated',
      account: { cluster: 'aks-1', namespace: 'default', serviceAccount: 'default' },
    });
  });

  it("asks the other cluster for the same account's token", () => {
    expect(checksOf('orders', 'aks-1')).toContainEqual({
      kind: 'foreignCluster',
      account: { cluster: 'aks-2', namespace: 'orders', serviceAccount: 'orders' },
    });
  });

  it('asks for an account that exists where the application does not run there', () => {
    expect(checksOf('reports', 'aks-2')).toContainEqual({
      kind: 'foreignCluster',
      account: { cluster: 'aks-1', namespace: 'default', serviceAccount: 'default' },
    });
  });

  it('does not expect a refusal where the stack itself shares the identity with the other cluster', () => {
    const outputs = twoClusters();
    outputs.workloads = outputs.workloads
      .filter(({ application }) => application === 'orders')
      .map((item) => ({ ...item, identity: { ...item.identity, id: '/one' } }));
    expect(checksOf('orders', 'aks-1', outputs).some(({ kind }) => kind === 'foreignCluster')).toBe(false);
  });

  it('uses an account that the stack does not trust as the one that is not federated', () => {
    const outputs = twoClusters();
    outputs.workloads = outputs.workloads.map((item) =>
      item.application === 'billing' ? { ...item, serviceAccount: 'default' } : item,
    );
    expect(checksOf('billing', 'aks-1', outputs)).toContainEqual({
      kind: 'notFederated',
      account: { cluster: 'aks-1', namespace: 'default', serviceAccount: 'default' },
    });
    expect(checksOf('orders', 'aks-1')).toContainEqual({
      kind: 'notFederated',
      account: { cluster: 'aks-1', namespace: 'orders', serviceAccount: 'default' },
    });
  });

  it('has no foreign cluster to ask when there is only one', () => {
    const outputs = twoClusters();
    delete outputs.clusters['aks-2'];
    outputs.workloads = outputs.workloads.filter(({ cluster }) => cluster === 'aks-1');
    expect(checksOf('orders', 'aks-1', outputs).map(({ kind }) => kind)).not.toContain('foreignCluster');
  });
});
