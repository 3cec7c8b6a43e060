import { everGranted, rolesIn, secretsIn } from '../stacks/plan/granted';
import type { ReasonToReach } from './access';
import { accountsOf } from './checks';
import type { AccessCheck, SecretRef, ServiceAccountRef, VerifiedOutputs, WorkloadOutput } from './checks';

/**
 * Derives the checks of a workload from a stack's outputs: secrets that must be readable, that must be refused, and that are readable
 * without being named. The same outputs give the same checks in the same order.
 */
export function planChecks(
  outputs: VerifiedOutputs,
  workload: WorkloadOutput,
  reasonToReach: ReasonToReach = () => undefined,
): AccessCheck[] {
  // Without a token, secrets cannot be tried. The checks of the identity show that it has no grants.
  if (workload.revoked === true)
    return [
      ...accountsOf(workload).map((account): AccessCheck => ({
        kind: workload.trust === 'identityBinding' ? 'mayNotUse' : 'revoked',
        account,
      })),
      ...(workload.beside === true ? [] : annotationChecks(workload)),
      ...(workload.signIn !== undefined && workload.beside !== true ? [{ kind: 'unassigned' } as const] : []),
    ];
  // The check of the identity's federated credentials shows that it trusts no service account.
  if (workload.credentialSecret !== undefined)
    return [
      ...(workload.signIn === 'podIdentity' ? [{ kind: 'assigned' } as const] : []),
      { kind: 'credential' },
      ...runningChecks(workload),
      ...secretChecks(outputs, workload, reasonToReach),
    ];
  // AKS exchanges tokens within the cluster only: the readiness of the pods proves that they can read their secrets.
  if (workload.trust === 'identityBinding')
    return [
      ...accountsOf(workload).map((account): AccessCheck => ({ kind: 'mayUse', account })),
      ...(workload.beside === true ? [] : runningChecks(workload)),
      ...roleChecks(workload),
    ];
  // Only its own pods get tokens, and their readiness proves that they can read their secrets.
  if (workload.signIn === 'podIdentity')
    return workload.beside === true
      ? roleChecks(workload)
      : [{ kind: 'assigned' }, ...runningChecks(workload), ...roleChecks(workload)];
  return [
    ...(workload.signIn === 'both' && workload.beside !== true ? [{ kind: 'assigned' } as const] : []),
    { kind: 'exchange' },
    ...furtherAccountChecks(workload),
    ...(workload.beside === true ? [] : runningChecks(workload)),
    ...secretChecks(outputs, workload, reasonToReach),
    ...foreignClusterCheck(outputs, workload),
    ...notFederatedCheck(outputs, workload),
  ];
}

/** Checks of the running application, which uses only one generation of its identity. */
function runningChecks(workload: WorkloadOutput): AccessCheck[] {
  return [...annotationChecks(workload), { kind: 'pods' }];
}

function annotationChecks(workload: WorkloadOutput): AccessCheck[] {
  return accountsOf(workload).map((account) => ({ kind: 'annotations', account }));
}

function furtherAccountChecks(workload: WorkloadOutput): AccessCheck[] {
  const [, ...further] = accountsOf(workload);
  return further.map((account) => ({ kind: 'exchange', account }));
}

const key = ({ vault, secret }: SecretRef): string => `${vault}/${secret}`;

function sharesIdentity(a: WorkloadOutput, b: WorkloadOutput): boolean {
  return a.identity.id.toLowerCase() === b.identity.id.toLowerCase();
}

function secretChecks(
  outputs: VerifiedOutputs,
  workload: WorkloadOutput,
  reasonToReach: ReasonToReach,
): AccessCheck[] {
  const named = new Set(secretsIn(everGranted(workload)).map(key));
  const reads: AccessCheck[] = secretsIn(workload.grants).map(({ vault, secret }) => ({
    ...{ kind: 'read', vault, secret },
  }));
  const others: AccessCheck[] = Object.entries(outputs.vaults).flatMap(([vault, { id, secrets }]) =>
    [...secrets]
      .sort()
      .filter((secret) => !named.has(key({ vault, secret })))
      .map((secret): AccessCheck => {
        const because = reasonToReach({ identity: workload.identity, vaultId: id, secret });
        return because === undefined
          ? { kind: 'refused', vault, secret }
          : { kind: 'overreach', vault, secret, because };
      }),
  );
  const windows = secretsIn(workload.windows).map((grant): AccessCheck => ({ kind: 'window', ...grant }));
  return [...reads, ...roleChecks(workload), ...windows, ...others];
}

/** Checks of the workload's roles, which need no token. */
function roleChecks({ grants, windows }: WorkloadOutput): AccessCheck[] {
  return [
    ...rolesIn(grants).map((grant): AccessCheck => ({ kind: 'role', ...grant })),
    ...rolesIn(windows).map((grant): AccessCheck => ({ kind: 'window', ...grant })),
  ];
}

/** Tells whether the stack makes the workload's identity trust the account. */
function trustsAccount(
  outputs: VerifiedOutputs,
  workload: WorkloadOutput,
  account: ServiceAccountRef,
): boolean {
  return outputs.workloads.some(
    (other) =>
      sharesIdentity(workload, other) &&
      other.cluster === account.cluster &&
      other.namespace === account.namespace &&
      [other.serviceAccount, ...other.serviceAccounts].includes(account.serviceAccount),
  );
}

function foreignClusterCheck(outputs: VerifiedOutputs, workload: WorkloadOutput): AccessCheck[] {
  const { namespace, serviceAccount } = workload;
  const names = Object.keys(outputs.clusters);
  const start = names.indexOf(workload.cluster);
  // The next cluster in the list, cyclically: this spreads the tokens over the clusters, and one check per workload keeps the number
  // of exchanges linear in the size of the fleet.
  const others = [...names.slice(start + 1), ...names.slice(0, start)];
  const runsOn = (cluster: string): boolean =>
    outputs.workloads.some(
      (other) =>
        other.cluster === cluster && other.namespace === namespace && other.serviceAccount === serviceAccount,
    );
  const sameName = others.filter(runsOn).map((cluster) => ({ cluster, namespace, serviceAccount }));
  // Where the application does not run, an account that every cluster has stands in: the verification creates nothing, and only the
  // issuer matters.
  const standIns = others
    .filter((cluster) => !runsOn(cluster))
    .map((cluster) => defaultAccount(cluster, 'default'));
  return untrusted(outputs, workload, 'foreignCluster', [...sameName, ...standIns]);
}

function notFederatedCheck(outputs: VerifiedOutputs, workload: WorkloadOutput): AccessCheck[] {
  const namespaces = [workload.namespace, 'default', 'kube-system', 'kube-public'];
  const accounts = namespaces.map((namespace) => defaultAccount(workload.cluster, namespace));
  return untrusted(outputs, workload, 'notFederated', accounts);
}

/** The account `default`, which Kubernetes creates in every namespace. */
function defaultAccount(cluster: string, namespace: string): ServiceAccountRef {
  return { cluster, namespace, serviceAccount: 'default' };
}

/** Returns the check with the first account that the identity does not trust, if there is one. */
function untrusted(
  outputs: VerifiedOutputs,
  workload: WorkloadOutput,
  kind: 'foreignCluster' | 'notFederated',
  accounts: readonly ServiceAccountRef[],
): AccessCheck[] {
  const account = accounts.find((candidate) => !trustsAccount(outputs, workload, candidate));
  return account === undefined ? [] : [{ kind, account }];
}
