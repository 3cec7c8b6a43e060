import { z } from 'zod';
import { resourceId } from '../plugins/azure-native/resourceId';
import { resourceType } from '../plugins/azure-native/table';
import type { Properties } from '../plugins/protocol';
import type { PendingOperation } from './backendState';

/** A resource of the resource manager that may or may not have been created. */
export interface Candidate {
  urn: string;
  id: string;
}

/**
 * The ids that pending creates of Azure resources would have. The plugin refuses to create what exists, as the
 * official one does, so those that the killed run did create have to be adopted.
 */
export function importCandidates(pending: PendingOperation[], subscriptionId: string): Candidate[] {
  return pending.flatMap(({ operation, urn, type, inputs }) => {
    const row = operation === 'creating' ? resourceType(type) : undefined;
    if (row === undefined) return [];
    try {
      const id = resourceId(row.path, inputs as Properties, subscriptionId);
      return [{ urn, id }];
    } catch {
      // Without a name it was never asked for.
      return [];
    }
  });
}

const exported = z.looseObject({
  deployment: z.looseObject({
    resources: z.array(z.looseObject({ urn: z.string() })).default([]),
    pending_operations: z.array(z.looseObject({ resource: z.looseObject({ urn: z.string() }) })).nullish(),
  }),
});

/**
 * What `pulumi stack export` printed, without pending operations: the candidates are resources, which a refresh
 * drops again where they do not exist, and the other operations are forgotten. The flag
 * --import-pending-creates of `pulumi refresh` only renames the operation and drops it with the others
 * (engine 3.257).
 */
export function settlePendingOperations(text: string, candidates: Candidate[]): string {
  const state = exported.parse(JSON.parse(text));
  const { resources, pending_operations: pending, ...rest } = state.deployment;
  const known = new Set(resources.map(({ urn }) => urn));
  const adopted = (pending ?? []).flatMap(({ resource }) => {
    const id = candidates.find(({ urn }) => urn === resource.urn)?.id;
    return id === undefined || known.has(resource.urn) ? [] : [{ ...resource, id, outputs: {} }];
  });
  return JSON.stringify({ ...state, deployment: { ...rest, resources: [...resources, ...adopted] } });
}
