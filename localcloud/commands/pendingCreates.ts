import * as z from 'zod';
import { resourceId } from '../plugins/azure-native/resourceId';
import { resourceType } from '../plugins/azure-native/table';
import type { Properties } from '../plugins/protocol';
import type { PendingOperation } from './backendState';

/** A resource of a pending create, which may or may not exist. */
export interface Candidate {
  urn: string;
  id: string;
}

/**
 * Returns the Azure resources of pending creates. Those that the killed run created must be imported, because the
 * plugin, like the official one, refuses to create existing resources.
 */
export function importCandidates(pending: PendingOperation[], subscriptionId: string): Candidate[] {
  return pending.flatMap(({ operation, urn, type, inputs }) => {
    const row = operation === 'creating' ? resourceType(type) : undefined;
    if (row === undefined) return [];
    try {
      const id = resourceId(row.path, inputs as Properties, subscriptionId);
      return [{ urn, id }];
    } catch {
      // A create without a name was never sent.
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
 * Returns the output of `pulumi stack export` without pending operations. The candidates become resources, and a
 * refresh removes those that do not exist. Other operations are dropped. `pulumi refresh --import-pending-creates`
 * does not help: it only renames the operation and then drops it too (engine 3.257). Pulumi's automation API exports
 * the same text, without types.
 */
export function settlePendingOperations(text: string, candidates: Candidate[]): string {
  const state = exported.parse(JSON.parse(text));
  const { resources, pending_operations: pending, ...rest } = state.deployment;
  const known = new Set(resources.map(({ urn }) => urn));
  const completed = (pending ?? []).flatMap(({ resource }) => {
    const id = candidates.find(({ urn }) => urn === resource.urn)?.id;
    return id === undefined || known.has(resource.urn) ? [] : [{ ...resource, id, outputs: {} }];
  });
  return JSON.stringify({ ...state, deployment: { ...rest, resources: [...resources, ...completed] } });
}
