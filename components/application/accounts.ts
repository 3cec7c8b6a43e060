import * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { accountAnnotations } from '../identity/signIn';
import { forceConflicts } from '../resource/forceConflicts';
import type { WorkloadArgs } from './arguments';

/** A service account of a workload: created, or existing and only annotated. */
type WorkloadAccount = kubernetes.core.v1.ServiceAccount | kubernetes.core.v1.ServiceAccountPatch;

/** Returns the names of a workload's service accounts. The pods run under the first. */
export function accountNames({
  application,
  serviceAccount = application,
  furtherServiceAccounts = [],
}: Pick<WorkloadArgs, 'application' | 'serviceAccount' | 'furtherServiceAccounts'>): readonly [
  string,
  ...string[],
] {
  return [serviceAccount, ...furtherServiceAccounts];
}

/**
 * Deploys the service accounts of a workload, each annotated with the ids of its identity. On an existing service account, a
 * server-side apply sets only the two annotations, and deleting the resource removes only these. The API server refuses the
 * apply if another manager has set one of them to another identity.
 */
export function workloadAccounts(
  name: string,
  args: WorkloadArgs,
  opts: pulumi.CustomResourceOptions,
): readonly [WorkloadAccount, ...WorkloadAccount[]] {
  const { application, namespace, identity } = args;
  const inStack = `${name}-account`;
  const annotations = accountAnnotations(identity);
  const created = (accountInStack: string, account: string) => {
    const labels = { 'app.kubernetes.io/name': application };
    const metadata = {
      name: account,
      namespace,
      labels,
      annotations: { ...annotations, ...forceConflicts },
    };
    return new kubernetes.core.v1.ServiceAccount(accountInStack, { metadata }, opts);
  };
  const [first, ...further] = accountNames(args);
  return [
    args.existingServiceAccount === true
      ? new kubernetes.core.v1.ServiceAccountPatch(
          inStack,
          { metadata: { name: first, namespace, annotations } },
          opts,
        )
      : created(inStack, first),
    // Names of accounts contain no slash, so this is never the name of another workload's first account.
    ...further.map((account) => created(`${inStack}/${account}`, account)),
  ];
}
