import { accessWithin } from '../azure/accessDelay';
import { isInScope } from '../azure/resourceId';
import type { ObjectReference } from '../waiting/cluster';
import type { OperatorResource } from '../waiting/condition';
import { readyCondition } from '../waiting/condition';
import type { Refusal } from '../waiting/refusals';
import { isLasting } from '../waiting/refusals';
import type { Look, Question } from '../waiting/wait';
import { clock } from '../waiting/wait';
import { lastEvent } from './operatorEvents';

/** A PostgreSQL server takes up to twenty minutes, a cache up to fifty (radius-project/radius #5207). */
const provisioningLimitMs = 60 * 60_000;
const continueHint = 'It continues in Azure: run the update again to keep waiting.';

/** A custom resource that the operator provisions. */
export interface Provisioned {
  readonly reference: ObjectReference;
  /** Name of the cluster, for messages. */
  readonly cluster: string;
  /** The service, for messages: `storage account stfiles`. */
  readonly service: string;
  /**
   * When the provisioning identity got its role. Azure may refuse the identity until the assignment is effective
   * everywhere.
   */
  readonly grantedAt?: string;
  /** Resource id of the group on which the role is assigned. */
  readonly groupId: string;
  /**
   * Tells whether Azure no longer has the resource. The operator reports it as ready until its next check: within the hour,
   * or when the operator starts (azure-service-operator internal/util/interval, `azureSyncPeriod` of its chart).
   */
  readonly isDeleted?: (() => Promise<boolean>) | undefined;
}

/**
 * Returns the question whether the operator has provisioned a custom resource. The answer is the resource's id in Azure;
 * empty if the operator shows none.
 */
export function isProvisioned({
  reference,
  cluster,
  service,
  grantedAt,
  groupId,
  isDeleted,
}: Provisioned): Question<string> {
  const { kind, namespace = '', name } = reference;
  const roleSeenAt = Date.parse(grantedAt ?? '') + accessWithin * 1000;
  return {
    problem: `${kind} ${namespace}/${name} on ${cluster} (${service}) was not provisioned`,
    limitMs: provisioningLimitMs,
    hint: continueHint,
    refusalHint: 'Correct the dependency in the stack file and run the update again.',
    async look(objects): Promise<Look<string>> {
      const object = await objects.get<OperatorResource>(reference);
      // The stack has created it; otherwise, it would not wait for it.
      if (object === undefined)
        return { refusal: { code: 'NotInCluster', message: 'the stack has it, but the cluster does not' } };
      if (object.metadata?.deletionTimestamp !== undefined)
        return {
          refusal: {
            code: 'BeingDeleted',
            message: 'its deletion was requested earlier and is still in progress',
          },
        };
      const found = readyCondition(object);
      if ('answer' in found && (await isDeleted?.()) === true)
        return {
          refusal: {
            code: 'AzureResourceNotFound',
            message: 'the operator created it, but Azure does not have it',
          },
        };
      if ('answer' in found) return found;
      const event = await lastEvent(objects, object);
      if ('missing' in found) return { ...found, event };
      const { refusal } = found;
      return refusal.final !== true && clock.now() < roleSeenAt && isOfNewRole(refusal, groupId)
        ? { missing: `${refusal.code}: ${refusal.message}`, event }
        : { refusal, event };
    },
  };
}

/** Returns the question whether the operator has provisioned all custom resources of a chart. */
export function areProvisioned(
  references: readonly ObjectReference[],
  common: Omit<Provisioned, 'reference' | 'isDeleted'>,
): Question<true> {
  const questions = references.map((reference) => ({
    look: isProvisioned({ ...common, reference }).look,
    named: `${reference.kind} ${reference.namespace ?? ''}/${reference.name}`,
  }));
  return {
    problem: `custom resources ${common.service} were not provisioned on ${common.cluster}`,
    limitMs: provisioningLimitMs,
    hint: continueHint,
    refusalHint: 'Correct the chart or its values and run the update again.',
    async look(cluster): Promise<Look<true>> {
      const all = await Promise.all(
        questions.map(async ({ look, named }) => ({ found: await look(cluster), named })),
      );
      // A refusal is reported without waiting for slow resources.
      const isRefused = ({ found }: (typeof all)[number]) => ('refusal' in found ? 0 : 1);
      for (const { found, named } of all.toSorted((a, b) => isRefused(a) - isRefused(b))) {
        if ('missing' in found) return { ...found, missing: `${named}: ${found.missing}` };
        if ('refusal' in found)
          return { ...found, refusal: { ...found.refusal, message: `${found.refusal.message} (${named})` } };
      }
      return { answer: true };
    },
  };
}

/**
 * Tells whether the refusal may be due to a new role assignment or federated credential of the provisioning identity that
 * is not effective everywhere in Azure yet. For an object that the operator only reads, Azure's code is in the message.
 */
function isOfNewRole({ code, message }: Refusal, groupId: string): boolean {
  if (isLasting({ code, message })) return false;
  const text = `${code} ${message}`;
  // Entra does not know the identity yet (700016), its federated credential (70021x, 70025) or the issuer's keys (7000272,
  // 90061).
  if (/AADSTS(70021|70025|700016|7000272|90061)/.test(text)) return true;
  if (!text.includes('AuthorizationFailed')) return false;
  // Provisioning identities never have a role that may assign roles.
  if (/perform action 'Microsoft\.Authorization\//i.test(message)) return false;
  const scope = /over scope '([^']+)'/.exec(message)?.[1] ?? groupId;
  return isInScope(scope, groupId);
}
