import { accessWithin } from '../azure/accessDelay';
import type {
  V1CustomResourceDefinition,
  V1MutatingWebhookConfiguration,
  V1ValidatingWebhookConfiguration,
} from '@kubernetes/client-node' with { 'resolution-mode': 'import' };
import { serviceOperatorAccount, subjectOf } from '../identity/subjects';
import { firstFew } from '../resource/firstFew';
import type { OperatorResource } from '../waiting/condition';
import { readyCondition } from '../waiting/condition';
import type { Refusal } from '../waiting/refusals';
import type { Question } from '../waiting/wait';
import { selfReadingReference } from './selfReading';
import { webhookWithinMs } from './webhookDelay';

const logs =
  '`kubectl logs --namespace azureserviceoperator-system deployment/azureserviceoperator-controller-manager`';

/**
 * Object whose dry run goes through the operator's webhooks and stores nothing. Its kind is always installed, and the
 * operator would not write it to Azure.
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

/** Kinds of objects that make the API server call webhooks. */
type WebhookObject =
  V1MutatingWebhookConfiguration | V1ValidatingWebhookConfiguration | V1CustomResourceDefinition;

const admission = 'admissionregistration.k8s.io/v1';
const webhookKinds = [
  { apiVersion: admission, kind: 'MutatingWebhookConfiguration' },
  { apiVersion: admission, kind: 'ValidatingWebhookConfiguration' },
  // A webhook converts versions of custom resources.
  { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
];

/**
 * Checks that the API server reaches the operator's webhooks and trusts their certificates. cert-manager writes the
 * certificate authority into each configuration and each CustomResourceDefinition after the operator's pods are ready.
 */
export const webhooksAnswer: Question<true> = {
  problem: "the operator's webhooks do not answer",
  limitMs: webhookWithinMs,
  hint: `Needed: a dry run of a ${probe.kind} of ${probe.apiVersion} that succeeds. See ${logs} and \`kubectl get certificates --namespace ${probe.metadata.namespace}\`, then run the update again.`,
  async look(cluster) {
    const all = await Promise.all(webhookKinds.map((kind) => cluster.list<WebhookObject>(kind)));
    const untrusted = all.flat().filter((webhook) => !isTrusted(webhook));
    if (untrusted.length > 0)
      return {
        missing: `without a certificate authority: ${firstFew(untrusted.map(({ metadata }) => metadata?.name ?? ''))}`,
      };
    const missing = await cluster.dryRun(probe);
    return missing === undefined ? { answer: true } : { missing };
  },
};

/** Tells whether the operator's webhooks have their certificate authority. Webhooks of others are ignored. */
function isTrusted(object: WebhookObject): boolean {
  const clients =
    'spec' in object
      ? [object.spec.conversion?.webhook?.clientConfig]
      : (object.webhooks ?? []).map(({ clientConfig }) => clientConfig);
  return clients
    .filter((client) => client?.service?.namespace === serviceOperatorAccount.namespace)
    .every((client) => (client?.caBundle ?? '') !== '');
}

/**
 * Checks that the operator has signed in to Azure. It reads its own identity through a custom resource
 * that it does not write to Azure. A refusal by Azure proves the sign-in as well; it is expected for minutes, because new
 * role assignments take that long.
 * @param clientId client id of the identity, for messages
 */
export function operatorSignedIn(clientId: string): Question<true> {
  return {
    problem: 'the operator has not signed in to Azure',
    // Entra takes a while to recognize a new federated credential, and the operator retries up to a minute apart.
    limitMs: accessWithin * 1000,
    hint: `Needed: a federated credential of the identity ${clientId} that trusts ${subjectOf(serviceOperatorAccount)} with the cluster's issuer, and network access from the cluster to Entra and Azure Resource Manager. See ${logs}, then run the update again.`,
    async look(cluster) {
      const object = await cluster.get<OperatorResource>(selfReadingReference);
      if (object === undefined) return { missing: 'its custom resource does not exist yet' };
      const found = readyCondition(object);
      if ('answer' in found) return { answer: true };
      if ('missing' in found || found.refusal.final === true) return found;
      const { refusal } = found;
      return isOfAzure(refusal) ? { answer: true } : { missing: `${refusal.code}: ${refusal.message}` };
    },
  };
}

/**
 * Tells whether the refusal comes from Azure. For an object that the operator does not write, the code is `Failed`, and
 * Azure's code is in the message (v2/internal/reconcilers/arm/azure_generic_arm_reconciler_instance.go,
 * handleCreateOrUpdateSuccess).
 */
function isOfAzure({ code, message }: Refusal): boolean {
  return code === 'AzureResourceNotFound' || `${code} ${message}`.includes('AuthorizationFailed');
}
