import type { ClusterObject, ClusterObjectReference, ClusterObjects } from '../cluster/clusterObjects';
import { waitUntil } from '../cluster/waiting';
import type { Judgement } from '../platform/condition';
import { judge, textOf } from '../platform/condition';
import type { Clock } from '../resource/clock';
import { messageOf } from '../resource/errors';
import { isLasting } from './remedy';

/** How long what is waited for; milliseconds. */
export interface ProvisioningPatience {
  /** For what Azure refuses and the operator tries again. */
  readonly trouble: number;
  /** For such a refusal that does not pass by itself, as of a name that is taken. */
  readonly lasting: number;
  /** For the whole. */
  readonly limit: number;
  /** Between two looks. */
  readonly interval: number;
}

/** A server of PostgreSQL takes up to twenty minutes, a cache up to fifty (radius-project/radius #5207). */
export const patience: ProvisioningPatience = {
  trouble: 30_000,
  lasting: 4_000,
  limit: 60 * 60_000,
  interval: 2_000,
};

/**
 * Role assignments take up to ten minutes on Azure until they are seen everywhere (azure-docs
 * articles/role-based-access-control/troubleshooting), mostly less than two.
 */
const roleDelay = 10 * 60_000;

/** What is waited for. */
export interface Awaited {
  readonly reference: ClusterObjectReference;
  /** When whoever provisions got its role, where that is known: until it is seen everywhere, it may be refused. */
  readonly grantedAt?: number;
  /** Resource id of the group that the role is on; of what is elsewhere, a refusal stays one. */
  readonly grantedOn?: string;
}

/** What is waited with. */
export interface Waiting {
  readonly objects: Pick<ClusterObjects, 'get'>;
  readonly clock: Clock;
  readonly patience: ProvisioningPatience;
  /** Told when there is something new to tell. */
  readonly report: (text: string) => void;
}

/** Why it does not come. */
export class NotProvisioned extends Error {
  constructor(
    /** Azure's or the operator's code. */
    readonly reason: string,
    readonly details: string,
  ) {
    super(`${reason}: ${details}`);
  }
}

/**
 * Waits until the operator has provisioned the resource. It fails at once with what the operator does not try again, soon
 * with what does not pass by itself, and after a while with what Azure keeps refusing: the operator would go on for ever.
 */
export async function provisioned(
  { reference, grantedAt, grantedOn = '' }: Awaited,
  waiting: Waiting,
): Promise<ClusterObject> {
  const { clock, patience: limits, report } = waiting;
  const refusals = new Refusals();
  let provisioned: ClusterObject | undefined;
  const missing = await waitUntil(
    async () => {
      const { object, judgement } = await look(reference, waiting);
      if (judgement.state === 'ready') provisioned = object;
      if (provisioned !== undefined) return undefined;
      if (judgement.state === 'refused') throw new NotProvisioned(judgement.reason, judgement.message);
      if (judgement.state === 'troubled') {
        const now = clock.now();
        const first = refusals.first(judgement.reason, now);
        const lasting = isLasting(judgement.reason, judgement.message);
        const excused = !lasting && isOfNewRights(judgement, grantedOn) && now < (grantedAt ?? 0) + roleDelay;
        const bearable = lasting ? limits.lasting : limits.trouble;
        if (!excused && now - first >= bearable)
          throw new NotProvisioned(judgement.reason, judgement.message);
      }
      return textOf(judgement);
    },
    { clock, report, limitMs: limits.limit, pauseMs: limits.interval },
  );
  if (provisioned !== undefined) return provisioned;
  const minutes = Math.round(limits.limit / 60_000);
  throw new NotProvisioned('TimedOut', `not ready after ${minutes} minutes: ${missing ?? ''}`);
}

/** While the operator tries again, the condition says so: for moments if it is refused again, for long if it gets on. */
const forgottenAfterMs = 30_000;

/** Since when what is refused for which reason. */
class Refusals {
  private readonly seen = new Map<string, { readonly first: number; readonly last: number }>();

  /** When it was first refused for that reason, of the times that belong together. */
  first(reason: string, now: number): number {
    const before = this.seen.get(reason);
    const first = before === undefined || now - before.last > forgottenAfterMs ? now : before.first;
    this.seen.set(reason, { first, last: now });
    return first;
  }
}

/**
 * Whether it may be that a role assignment, or the federated credential of whoever provisions, is not seen everywhere yet.
 * Of an object that the operator only reads, the code is in the message.
 */
function isOfNewRights(
  { reason, message }: { readonly reason: string; readonly message: string },
  group: string,
): boolean {
  // 700016: an identity that Entra has not heard of yet, 70021x: a federated credential.
  if ([reason, message].some((text) => /AADSTS70021|AADSTS700016/.test(text))) return true;
  if (![reason, message].some((text) => text.includes('AuthorizationFailed'))) return false;
  // No role of those who provision may assign roles.
  if (/perform action 'Microsoft\.Authorization\//i.test(message)) return false;
  const scope = /over scope '([^']+)'/.exec(message)?.[1] ?? group;
  return `${scope}/`.toLowerCase().startsWith(`${group}/`.toLowerCase());
}

/** It is in the stack by now, or the program would not wait for it. */
const missing: Judgement = {
  state: 'troubled',
  reason: 'NotInCluster',
  message: 'the stack has it, and the cluster does not',
};

/** Whatever its condition says. */
const leaving: Judgement = {
  state: 'troubled',
  reason: 'BeingDeleted',
  message: 'its deletion was asked for before, and goes on',
};

async function look(
  reference: ClusterObjectReference,
  { objects }: Waiting,
): Promise<{ object?: ClusterObject; judgement: Judgement }> {
  try {
    const object = await objects.get(reference);
    if (object === undefined) return { judgement: missing };
    return { object, judgement: object.metadata.deletionTimestamp === undefined ? judge(object) : leaving };
  } catch (error) {
    // An API server can be away for moments, while it is updated.
    return { judgement: { state: 'troubled', reason: 'ClusterUnreachable', message: messageOf(error) } };
  }
}
