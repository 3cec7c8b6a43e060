import type { ClusterObjectReference, ClusterObjects } from '../cluster/clusterObjects';
import { waitUntil } from '../cluster/waiting';
import { serviceOperatorAccount, subjectOf } from '../identity/subjects';
import { messageOf, VisibleError } from '../resource/errors';
import type { Judgement } from './condition';
import { judge, textOf } from './condition';
import type { Waiting } from './operatorWaiting';
import { minutes, operatorLogs } from './operatorWaiting';

/** Entra takes a while to know a new federated credential, and the operator asks up to a minute apart. */
const signedInLimitMs = 10 * 60_000;

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
  const remedy = `Needed: a federated credential of the identity ${clientId} that trusts ${subjectOf(serviceOperatorAccount)} with the cluster's issuer, and a way from the cluster to Entra and to the resource manager. See ${operatorLogs}, then run the update again.`;
  const missing = await waitUntil(
    async () => {
      const judgement = await look(objects, reference);
      if (isAnswer(judgement)) return undefined;
      // The operator does not try again (v2/internal/util/interval/interval_calculator.go).
      if (judgement.state === 'refused') {
        throw new VisibleError(
          `${component}: the operator cannot read its own identity: ${textOf(judgement)}. ${remedy}`,
        );
      }
      return `the operator has not signed in to Azure yet: ${textOf(judgement)}`;
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
