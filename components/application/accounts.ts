import * as kubernetes from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import type { SignInIdentity } from '../identity/signIn';

/** A service account of a workload, made here, or one that exists and is only annotated. */
export type WorkloadAccount = kubernetes.core.v1.ServiceAccount | kubernetes.core.v1.ServiceAccountPatch;

interface AccountParts {
  readonly application: string;
  readonly namespace: pulumi.Input<string>;
  readonly identity: SignInIdentity;
  /** The first exists already. */
  readonly firstExists: boolean;
}

/** The service accounts of a workload, each annotated with the ids of its identity. */
export function workloadAccounts(
  name: string,
  [first, ...further]: readonly [string, ...string[]],
  parts: AccountParts,
  opts: pulumi.CustomResourceOptions,
): readonly [WorkloadAccount, ...WorkloadAccount[]] {
  const make = parts.firstExists ? annotatedAccount : createdAccount;
  return [
    make(`${name}-account`, first, parts, opts),
    // A slash, which no name of an account has: it must not be the first account of another workload.
    ...further.map((account) => createdAccount(`${name}-account/${account}`, account, parts, opts)),
  ];
}

function annotations({ identity }: AccountParts): Record<string, pulumi.Input<string>> {
  return {
    'azure.workload.identity/client-id': identity.clientId,
    'azure.workload.identity/tenant-id': identity.tenantId,
  };
}

function createdAccount(
  name: string,
  account: string,
  parts: AccountParts,
  opts: pulumi.CustomResourceOptions,
): WorkloadAccount {
  const { application, namespace } = parts;
  return new kubernetes.core.v1.ServiceAccount(
    name,
    {
      metadata: {
        name: account,
        namespace,
        labels: { 'app.kubernetes.io/name': application },
        annotations: annotations(parts),
      },
    },
    opts,
  );
}

/**
 * A server-side apply of the two annotations and nothing else: whatever others say of the account stays, and where the
 * patch goes, only the annotations go with it. Where another manager has set one of them to another identity, the API
 * server refuses: an account is not taken from somebody in silence.
 */
function annotatedAccount(
  name: string,
  account: string,
  parts: AccountParts,
  opts: pulumi.CustomResourceOptions,
): WorkloadAccount {
  return new kubernetes.core.v1.ServiceAccountPatch(
    name,
    { metadata: { name: account, namespace: parts.namespace, annotations: annotations(parts) } },
    opts,
  );
}
