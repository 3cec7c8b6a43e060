import { setTimeout as delay } from 'node:timers/promises';
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

/** Reads a secret of a vault, and returns the HTTP status of the answer. */
export async function readStatus(
  azure: AzureClients,
  credential: TokenCredential,
  { vault, secret }: { readonly vault: string; readonly secret: string },
): Promise<number> {
  return azure
    .secrets(vault, credential)
    .getSecret(secret)
    .then(
      () => 200,
      (error: unknown) => (error as { statusCode?: number }).statusCode ?? 0,
    );
}

/** Waits for a run of the reconciler in the cluster. */
export async function untilReconciled(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 180_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('the reconciler did nothing for three minutes');
    await delay(1000);
  }
}

/** Verifies a stack, and returns the results by application and check. */
export async function checksOf(cloud: LocalCloud, stack: string): Promise<Record<string, string>> {
  const { report } = await cloud.verify(stack);
  return Object.fromEntries(
    report.checks.map(({ application, check, ok, detail }) => [
      `${application}: ${check}`,
      `${ok ? 'ok' : 'failed'}: ${detail}`,
    ]),
  );
}
