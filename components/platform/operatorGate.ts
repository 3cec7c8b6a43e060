import type {
  ClusterDiscovery,
  ClusterObject,
  ClusterObjectReference,
  ClusterObjects,
} from '../cluster/clusterObjects';
import type { Patience } from '../cluster/waiting';
import { waitUntil } from '../cluster/waiting';
import type { Judgement } from '../dependency/condition';
import { judge } from '../dependency/condition';
import { serviceOperatorAccount } from '../identity/subjects';
import { VisibleError } from '../resource/errors';
import { partsOf } from './crdPattern';

/** The operator installs its custom resources when it starts, and then starts once more. */
const servedLimitMs = 5 * 60_000;

/** Entra takes a while to know a new federated credential, and the operator asks up to a minute apart. */
const signedInLimitMs = 10 * 60_000;

/** How long is waited and who waits, for messages. */
type Waiting = Omit<Patience, 'limitMs'>;

const logs =
  '`kubectl logs --namespace azureserviceoperator-system deployment/azureserviceoperator-controller-manager`';

/** Waits until the cluster serves custom resources for each of the patterns. */
export async function patternsServed(
  component: string,
  cluster: ClusterDiscovery,
  patterns: readonly string[],
  waiting: Waiting,
): Promise<void> {
  const missing = await waitUntil(
    async () => {
      const unserved = await unservedPatterns(cluster, patterns).catch(
        (error: unknown) => `none (${messageOf(error)})`,
      );
      if (unserved === '') return undefined;
      return `the operator's custom resources are not served yet: ${unserved}`;
    },
    { ...waiting, limitMs: servedLimitMs },
  );
  if (missing === undefined) return;
  throw new VisibleError(
    `${component}: ${missing.replace(' yet', '')} (for ${minutes(servedLimitMs)}). Allowed in \`crdPattern\`: groups and kinds that this version of the operator has, such as "storage.azure.com/*"; a pattern without any makes it exit. Correct the pattern, or see ${logs}, and run the update again.`,
  );
}

/** Patterns that no served kind matches, as a text. */
async function unservedPatterns(cluster: ClusterDiscovery, patterns: readonly string[]): Promise<string> {
  const groups = await cluster.groups();
  const served = await Promise.all(
    patterns.map(async (pattern) => {
      const { group, kind } = partsOf(pattern);
      const matching = groups.filter((name) => group.test(name));
      const kinds = await Promise.all(matching.map((name) => cluster.kinds(name)));
      return kinds.flat().some((name) => kind.test(name));
    }),
  );
  return patterns.filter((_, index) => served[index] !== true).join(', ');
}

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
        if (untrusted.length > 0) return `without an authority: ${names(untrusted)}`;
        await cluster.create(probe, { dryRun: true });
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    {
      ...waiting,
      limitMs: servedLimitMs,
      report: (text) => {
        waiting.report(`the operator's webhooks do not answer yet: ${text}`);
      },
    },
  );
  if (missing === undefined) return;
  throw new VisibleError(
    `${component}: the operator's webhooks do not answer: ${missing} (for ${minutes(servedLimitMs)}). Needed: a dry run of a ${probe.kind} of ${probe.apiVersion} that succeeds. See ${logs} and \`kubectl get certificates --namespace ${probe.metadata.namespace}\`, then run the update again.`,
  );
}

/** Whether the API server can trust what answers for the webhooks of a configuration; those of others do not matter. */
function isTrusted({ webhooks }: ClusterObject): boolean {
  const all: unknown[] = Array.isArray(webhooks) ? webhooks : [];
  return all
    .map((one) => fieldsOf(fieldsOf(one).clientConfig))
    .filter(({ service }) => fieldsOf(service).namespace === serviceOperatorAccount.namespace)
    .every(({ caBundle }) => typeof caBundle === 'string' && caBundle !== '');
}

/** There are some sixty: as many as can be looked for. */
function names(objects: readonly ClusterObject[]): string {
  const shown = objects.slice(0, 3).map(({ metadata }) => metadata.name);
  const further = objects.length - shown.length;
  return `${shown.join(', ')}${further > 0 ? ` and ${String(further)} more` : ''}`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The custom resource by which the operator reads its own identity. */
export interface SelfReading {
  readonly reference: ClusterObjectReference;
  /** Client id of the identity, for messages. */
  readonly clientId: string;
}

/**
 * Waits until the operator got a token and Azure answered it. It reads its own identity, by a custom resource that it
 * does not write to Azure. That Azure refuses the reading is an answer as well: without a token there is none, and a new
 * role assignment takes minutes to have an effect.
 */
export async function operatorSignedIn(
  component: string,
  objects: Pick<ClusterObjects, 'get'>,
  { reference, clientId }: SelfReading,
  waiting: Waiting,
): Promise<void> {
  const account = 'system:serviceaccount:azureserviceoperator-system:azureserviceoperator-default';
  const remedy = `Needed: a federated credential of the identity ${clientId} that trusts ${account} with the cluster's issuer, and a way from the cluster to Entra and to the resource manager. See ${logs}, then run the update again.`;
  const missing = await waitUntil(
    async () => {
      const judgement = await look(objects, reference);
      if (isAnswer(judgement)) return undefined;
      // The operator does not try again (v2/internal/util/interval/interval_calculator.go).
      if (judgement.state === 'refused') {
        throw new VisibleError(
          `${component}: the operator cannot read its own identity: ${told(judgement)}. ${remedy}`,
        );
      }
      return `the operator has not signed in to Azure yet: ${told(judgement)}`;
    },
    { ...waiting, limitMs: signedInLimitMs },
  );
  if (missing === undefined) return;
  throw new VisibleError(
    `${component}: ${missing.replace(' yet', '')} (for ${minutes(signedInLimitMs)}). ${remedy}`,
  );
}

async function look(
  objects: Pick<ClusterObjects, 'get'>,
  reference: ClusterObjectReference,
): Promise<Judgement> {
  try {
    return judge(await objects.get(reference));
  } catch (error) {
    // An API server can be away for moments.
    return { state: 'waiting', text: messageOf(error) };
  }
}

/**
 * Whether it tells what Azure answered. Of an object that the operator does not write, a refusal is not the reason,
 * which is then `Failed`, but in the message (v2/internal/reconcilers/arm/azure_generic_arm_reconciler_instance.go,
 * handleCreateOrUpdateSuccess).
 */
function isAnswer(judgement: Judgement): boolean {
  if (judgement.state === 'ready') return true;
  if (judgement.state !== 'troubled') return false;
  const { reason, message } = judgement;
  return (
    reason === 'AzureResourceNotFound' ||
    [reason, message].some((text) => text.includes('AuthorizationFailed'))
  );
}

function told(judgement: Judgement): string {
  if (judgement.state === 'ready') return 'ready';
  const text = judgement.state === 'waiting' ? judgement.text : `${judgement.reason}: ${judgement.message}`;
  // The resource manager's refusals come with lines of their own.
  return text.replace(/\s+/g, ' ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function minutes(milliseconds: number): string {
  return `${milliseconds / 60_000} minutes`;
}
