import type { ClusterObject, ClusterObjects } from '../cluster/clusterObjects';
import { fieldsOf, itemsOf } from '../cluster/fields';
import { waitUntil } from '../cluster/waiting';
import { serviceOperatorAccount } from '../identity/subjects';
import { messageOf, VisibleError } from '../resource/errors';
import { firstFew } from '../resource/firstFew';
import type { Waiting } from './operatorWaiting';
import { minutes, operatorLogs, startLimitMs } from './operatorWaiting';

/**
 * Passes through the operator's webhooks, and as a dry run leaves nothing behind. Of a kind that is always installed;
 * nobody would write it to Azure either.
 */
const probe = {
  apiVersion: 'managedidentity.azure.com/v1api20230131',
  kind: 'UserAssignedIdentity',
  metadata: {
    name: 'aks-workload-identity-probe',
    namespace: serviceOperatorAccount.namespace,
    annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' },
  },
  spec: { location: 'westeurope', owner: { name: 'none' } },
};

/** Kinds of configurations in which the API server has the webhooks. */
const webhookKinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/**
 * Waits until the API server reaches the operator's webhooks and trusts their certificates: cert-manager writes the
 * authority into each configuration, of which there is one a group, after the operator's pods are ready.
 */
export async function webhooksAnswer(
  component: string,
  cluster: Pick<ClusterObjects, 'create' | 'list'>,
  waiting: Waiting,
): Promise<void> {
  const missing = await waitUntil(
    async () => {
      try {
        const all = await Promise.all(
          webhookKinds.map((kind) => cluster.list({ apiVersion: 'admissionregistration.k8s.io/v1', kind })),
        );
        const untrusted = all.flat().filter((one) => !isTrusted(one));
        if (untrusted.length > 0)
          return `without an authority: ${firstFew(untrusted.map(({ metadata }) => metadata.name))}`;
        await cluster.create(probe, { dryRun: true });
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    {
      ...waiting,
      limitMs: startLimitMs,
      report: (text) => {
        waiting.report(`the operator's webhooks do not answer yet: ${text}`);
      },
    },
  );
  if (missing === undefined) return;
  throw new VisibleError(
    `${component}: the operator's webhooks do not answer: ${missing} (for ${minutes(startLimitMs)}). Needed: a dry run of a ${probe.kind} of ${probe.apiVersion} that succeeds. See ${operatorLogs} and \`kubectl get certificates --namespace ${probe.metadata.namespace}\`, then run the update again.`,
  );
}

/** Whether the API server can trust what answers for the webhooks of a configuration; those of others do not matter. */
function isTrusted({ webhooks }: ClusterObject): boolean {
  return itemsOf(webhooks)
    .map((one) => fieldsOf(fieldsOf(one).clientConfig))
    .filter(({ service }) => fieldsOf(service).namespace === serviceOperatorAccount.namespace)
    .every(({ caBundle }) => typeof caBundle === 'string' && caBundle !== '');
}
