import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { accountAnnotations, useLabel } from '../components/identity/signIn';
import { defaultAudience } from '../components/identity/subjects';
import { firstFew } from '../components/resource/firstFew';
import { visibleLine } from '../components/resource/visibleText';
import type { WorkloadAccess } from './access';
import { accountsOf, type VerifiedOutputs, type WorkloadOutput } from './checks';
import { NotReady } from './failure';
import { withoutAnnotation } from './identityBindings';
import type { Outcome } from './results';

/** Condition that the local cloud sets on pods that it simulates (docs/local-cloud.md). */
const simulated = 'local-cloud/Simulated';

const lacksLabel = `lacks the label ${useLabel}: "true"`;

/** Compares the annotations of a service account with the ids of the workload's identity. */
export function annotationOutcome(
  { tenantId }: Pick<VerifiedOutputs, 'tenantId'>,
  { identity }: WorkloadOutput,
  annotations: Readonly<Record<string, string>>,
): Outcome {
  const expected = accountAnnotations({ clientId: identity.clientId, tenantId });
  const wrong = Object.entries(expected).flatMap(([name, id]) =>
    annotations[name] === id ? [] : [`${name} is ${annotations[name] ?? 'missing'} instead of ${id}`],
  );
  if (wrong.length === 0) return { ok: true, detail: `has the ids of ${identity.name}` };
  const detail = `${wrong.join('; ')}: new pods do not sign in as ${identity.name}; \`pulumi up --refresh\` restores it`;
  return { ok: false, detail };
}

/** Judges the pods of a workload; throws NotReady if waiting may help. */
export async function runningOutcome(
  access: Pick<WorkloadAccess, 'pods' | 'podsOfRelease' | 'lastLines'>,
  workload: WorkloadOutput,
): Promise<Outcome> {
  const { cluster, namespace, application, hasPods } = workload;
  const pods = (await Promise.all(accountsOf(workload).map((account) => access.pods(account)))).flat();
  // The engine knows the desired state of the program's own Deployment.
  const ofRelease = hasPods ? [] : await access.podsOfRelease(cluster, namespace, application);
  const wrong = releaseOutcome(workload, ofRelease);
  if (wrong !== undefined) return wrong;
  const known = new Set(pods.map(podName));
  const others = ofRelease.filter((pod) => !known.has(podName(pod)));
  if (!hasPods && !pods.some(isNotDeleted)) {
    const ofDefault = await access.pods({ cluster, namespace, serviceAccount: 'default' });
    return elsewhere(workload, ofDefault) ?? podsOutcome(workload, pods);
  }
  try {
    const unannotated =
      workload.trust === 'identityBinding' ? withoutAnnotation(pods.filter(isRunning)) : undefined;
    if (unannotated !== undefined) return unannotated;
    const outcome = podsOutcome(workload, pods);
    // They need no identity, but must be ready.
    requireReady(workload, others.filter(isRunning));
    return outcome;
  } catch (error) {
    const crashed = error instanceof NotReady ? crashing([...pods, ...others].filter(isRunning)) : undefined;
    if (crashed === undefined) throw error;
    const log = await access.lastLines({ cluster, namespace, ...crashed }).catch(() => '');
    const lines = log.split('\n').filter((line) => line.trim() !== '');
    const container = `${crashed.container} of ${crashed.pod}`;
    throw lines.length === 0
      ? error
      : new NotReady(
          `${(error as NotReady).message}; ${container} last wrote: ${lines.map(visibleLine).join(' | ')}`,
        );
  }
}

/** Reports the pods under the namespace's default account if none runs under the workload's accounts. */
function elsewhere(workload: WorkloadOutput, allPods: readonly V1Pod[]): Outcome | undefined {
  const pods = allPods.filter(isRunning);
  if (pods.length === 0) return undefined;
  const accounts = firstFew(accountsOf(workload).map(({ serviceAccount }) => serviceAccount));
  const detail = `there are none under ${accounts} in namespace ${workload.namespace}; pods run under another service account: ${firstFew(pods.map(podName))} (default)`;
  return { ok: true, detail, isNote: true };
}

/**
 * Judges the pods of the release of an owner's chart: some must run under the workload's service accounts, with the label
 * by which the webhook selects them. The chart's other pods need no identity. Returns undefined if nothing is wrong with
 * them.
 */
function releaseOutcome(workload: WorkloadOutput, allPods: readonly V1Pod[]): Outcome | undefined {
  const pods = allPods.filter(isNotDeleted);
  const accounts = accountsOf(workload).map(({ serviceAccount }) => serviceAccount);
  const own = pods.filter(({ spec }) => accounts.includes(spec?.serviceAccountName ?? 'default'));
  const [first] = pods;
  if (first === undefined) return undefined;
  if (own.length === 0) {
    const name = `${podName(first)} (${podReason(first)})`;
    const detail = `${name} runs under the service account ${first.spec?.serviceAccountName ?? 'default'}, and no pod of the release under ${firstFew(accounts)}: none signs in; the chart must use \`serviceAccount.name\``;
    return { ok: false, detail };
  }
  if (workload.signIn !== undefined || workload.credentialSecret !== undefined) return undefined;
  if (own.some(isLabelled) || workload.audience !== defaultAudience) return undefined;
  const detail = `${podName(own[0] ?? first)} ${lacksLabel}, and so do the other pods of the release, so the webhook gives them no token; the chart must use \`podLabels\``;
  return { ok: false, detail };
}

/** Judges the pods that run under the service accounts of a workload; throws NotReady if waiting may help. */
export function podsOutcome(
  {
    namespace,
    identity,
    hasPods,
    signIn,
    audience,
    credentialSecret,
  }: Pick<WorkloadOutput, 'namespace' | 'hasPods' | 'signIn' | 'credentialSecret'> &
    Partial<Pick<WorkloadOutput, 'identity' | 'audience'>>,
  allPods: readonly V1Pod[],
): Outcome {
  const pods = allPods.filter(isNotDeleted);
  if (pods.length === 0 && !hasPods)
    return { ok: true, detail: `there are none in namespace ${namespace}`, isNote: true };
  if (pods.length === 0) {
    const detail = `there are none in namespace ${namespace}: scaled to zero, deleted, or not admitted; \`pulumi up --refresh\` restores them`;
    return { ok: false, detail };
  }
  const kubectl = `kubectl --namespace ${namespace}`;
  const running = pods.filter(isRunning);
  // The webhook ignores pods that sign in only with aad-pod-identity.
  const foreign = running.find(
    (pod) => identity && signIn !== 'podIdentity' && signsInAsAnother(pod, identity.clientId),
  );
  if (foreign !== undefined) {
    const name = podName(foreign);
    const replace = `\`${kubectl} delete pod ${name}\` creates a new one`;
    // The Deployment sets the label for these.
    if (isOwn(foreign) && !isLabelled(foreign) && credentialSecret === undefined) {
      const detail = `${name} ${lacksLabel}, so the webhook gives it no token; \`pulumi up --refresh\` restores the pod template, and if the pod still exists then, ${replace}`;
      return { ok: false, detail, isRestorable: true };
    }
    const hint = isOwn(foreign)
      ? `\`pulumi up --refresh\` restores what creates it, and then ${replace}`
      : `${replace}, into which the webhook injects it unless the pod sets AZURE_CLIENT_ID itself`;
    return {
      ok: false,
      detail: `${name} was not created with the client id of ${identity?.name ?? ''}; ${hint}`,
    };
  }
  requireReady({ namespace, hasPods }, running);
  const needsToken =
    audience === defaultAudience && signIn !== 'podIdentity' && credentialSecret === undefined;
  const unlabelled = needsToken ? running.find((pod) => !isOwn(pod) && !isLabelled(pod)) : undefined;
  if (unlabelled !== undefined) {
    const detail = `${podName(unlabelled)} ${lacksLabel}, so the webhook gives it no token; set it in the pod template, unless the pod mounts a token itself`;
    return { ok: true, detail, isNote: true };
  }
  const simulatedCount = running.filter((pod) => holds(pod, simulated)).length;
  if (simulatedCount === 0) return { ok: true, detail: `${running.length} ready` };
  const note = `${simulatedCount} of ${running.length} are only simulated by the local cloud, which does not run their image, so it is unknown whether they work`;
  return { ok: true, detail: note, isNote: true };
}

/** @throws NotReady with the first pod that is not ready */
function requireReady(
  { namespace, hasPods }: Pick<WorkloadOutput, 'namespace' | 'hasPods'>,
  running: readonly V1Pod[],
): void {
  const unready = running.filter((pod) => !holds(pod, 'Ready'));
  const [first] = unready;
  if (first === undefined) return;
  // Helm owns the objects of a release: the engine does not see changes in them.
  const restored = hasPods ? ', and `pulumi up --refresh` restores what was changed by hand' : '';
  const describe = `kubectl --namespace ${namespace} describe pod ${podName(first)}`;
  throw new NotReady(
    `${unready.length} of ${running.length} not ready: ${podName(first)} (${podReason(first)}); \`${describe}\` says why${restored}`,
  );
}

/** Tells whether the webhook selects a pod. */
const isLabelled = ({ metadata }: V1Pod): boolean => metadata?.labels?.[useLabel] === 'true';

/** Tells whether a pod is of the program's own Deployment. */
const isOwn = ({ metadata }: V1Pod): boolean =>
  metadata?.annotations?.['aks-workload-identity/client-id'] !== undefined;

/**
 * Tells whether a pod that the webhook selects has another client id, or none. Pods without its label may set the variable
 * as they like. A value from a Secret or ConfigMap is unknown.
 */
function signsInAsAnother(pod: V1Pod, clientId: string): boolean {
  if (!isOwn(pod) && !isLabelled(pod)) return false;
  const variables = pod.spec?.containers.flatMap(({ env = [] }) => env) ?? [];
  const clientIdVariable = variables.find(({ name }) => name === 'AZURE_CLIENT_ID');
  return clientIdVariable?.valueFrom === undefined && clientIdVariable?.value !== clientId;
}

/**
 * Selects pods that have not ended and are not being deleted. A pod that ended remains for a while after another one has
 * replaced it.
 */
const isRunning = (pod: V1Pod): boolean =>
  isNotDeleted(pod) && !['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');

function holds({ status }: V1Pod, condition: string): boolean {
  return status?.conditions?.some((entry) => entry.type === condition && entry.status === 'True') ?? false;
}

/** Statuses of a pod's containers in the order in which they start: init containers come first. */
function statusesOf({ status }: V1Pod): V1ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function podReason(pod: V1Pod): string {
  const waiting = statusesOf(pod).map(({ state }) => state?.waiting?.reason);
  return waiting.find((reason) => reason !== undefined) ?? pod.status?.phase ?? 'Unknown';
}

/** Time in milliseconds for which the end of a container's last run explains its present state. */
const recently = 10 * 60_000;

/** A container that ends repeatedly, which shows the cause. One that restarted long ago and now runs shows nothing. */
function crashing(pods: readonly V1Pod[]): { pod: string; container: string } | undefined {
  const restarted = pods
    .flatMap((pod) => statusesOf(pod).map((status) => ({ pod, status })))
    .filter(({ status: { restartCount, ready, lastState } }) => {
      const ended = lastState?.terminated?.finishedAt;
      return restartCount > 0 && (!ready || (ended !== undefined && Date.now() - ended.getTime() < recently));
    });
  // An init container that finally succeeded does not explain why another container ends.
  const first = restarted.find(({ status }) => !status.ready) ?? restarted[0];
  return first && { pod: podName(first.pod), container: first.status.name };
}

/** Selects pods that are not being deleted. */
const isNotDeleted = ({ metadata }: V1Pod): boolean => metadata?.deletionTimestamp === undefined;

function podName({ metadata }: V1Pod): string {
  return metadata?.name ?? '';
}
