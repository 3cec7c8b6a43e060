import type { TokenCredential } from '@azure/identity';
import type { StackOutputs } from '../../../stacks/outputs/outputs';
import type { AzureClients } from '../../support/azureClients';
import type { LocalCloud } from '../../support/localCloud';

/** Returns an application on a cluster, from the stack's outputs. */
export async function workloadOf(
  cloud: LocalCloud,
  stack: string,
  application: string,
): Promise<StackOutputs['workloads'][number]> {
  const found = (await cloud.outputs(stack)).workloads.find(
    (workload) => workload.application === application,
  );
  if (found === undefined) throw new Error(`the outputs have no ${application}`);
  return found;
}

/** A service account that an identity trusts. */
export interface TrustedAccount {
  readonly cluster: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** @default api://AzureADTokenExchange */
  readonly audience?: string;
}

/** Returns a credential of an identity that trusts the account. It keeps its first token, as a pod does. */
export async function signInAs(
  cloud: LocalCloud,
  azure: AzureClients,
  clientId: string,
  { cluster, namespace, serviceAccount, audience = 'api://AzureADTokenExchange' }: TrustedAccount,
): Promise<TokenCredential> {
  const { core } = await cloud.kubernetes(cluster);
  return azure.assertionCredential(clientId, async () => {
    const { status } = await core.createNamespacedServiceAccountToken({
      ...{ name: serviceAccount, namespace },
      body: { spec: { audiences: [audience] } },
    });
    return status?.token ?? '';
  });
}
